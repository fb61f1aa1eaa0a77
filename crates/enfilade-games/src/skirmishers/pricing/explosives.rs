//! What explodes or burns among men who stand in a group: launchers, flames and what is thrown.
//!
//! Source: the action `explosion`, rounds and AP as printed. Whom it is fired at stand around one of
//! them, as far apart as the assumption `spacing` says; a miss scatters. What an attack takes on
//! average is shared out over as many shots as there are men near, each of which falls on whoever
//! stands. A weapon fires as often in an activation as its AP go into those of a man, and not after its
//! last round: so it fires as it does on average over the scenario's moves. What is thrown takes as many AP
//! as dots, up to `throw`, one throw in an activation.
//!
//! Not told: wounds that do not end a man, ground that goes on burning, walls.

use toml::{Table, Value as Toml};

use super::super::data::{WeaponKind, WeaponRow};
use super::super::duel;
use super::super::explosion;
use super::field_defaults::{arc_shots, default_of};
use enfilade_model::form::Form;
use enfilade_model::form::bounds::RealBound;
use enfilade_model::shared::Text;
use enfilade_model::weapons::{Ask, Assumed, Checked, Preset};

const SPACING: &str = "spacing";
const THROW: &str = "throw";

/// How far apart men stand.
pub const SPACING_ASSUMED: Preset = Preset {
    name: Text::Static(SPACING),
    about: Text::Static("dots from one man to the next where an explosion goes off"),
    values: [1.0, 2.0, 3.0],
    bound: RealBound { name: SPACING, low: 1.0, high: 12.0 },
};

/// How far things are thrown: as many dots as AP, of which an activation has eight.
pub const THROW_ASSUMED: Preset = Preset {
    name: Text::Static(THROW),
    about: Text::Static("AP that a man spares for a throw, and dots that it goes"),
    values: [4.0, 6.0, 8.0],
    bound: RealBound { name: THROW, low: 1.0, high: 8.0 },
};

/// Whether an assumption is about what is made so.
pub fn concerns(assumption: &str, kind: WeaponKind) -> bool {
    match assumption {
        SPACING => kind.explodes(),
        THROW => kind.thrown(),
        _ => true,
    }
}

/// The six men around the one aimed at, and he.
const GROUP: [(i64, i64); 7] = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];

/// Something that explodes.
pub struct Charge {
    spacing: i64,
    /// How far it goes, where that is not printed.
    throw: Option<i64>,
    /// Attacks in an activation of one who has rounds left.
    rate: i64,
    /// Rounds that come with it.
    rounds: Option<i64>,
}

impl Charge {
    /// A weapon of a `[[weapon]]`.
    pub fn read(
        kind: WeaponKind,
        row: Option<&WeaponRow>,
        form: &Form,
        assumed: &Assumed,
    ) -> Charge {
        let dots = |name| assumed.maybe(name).map(|dots| dots.round() as i64);
        let ap = form.maybe_int("ap").or(row.and_then(|row| row.ap).map(i64::from));
        let each = ap.map_or(1, |ap| default_of(&duel::Own::FIELDS, "ap_per_move") / ap.max(1));
        let rate = if kind.thrown() { 1 } else { each.max(arc_shots()) };
        Charge {
            spacing: dots(SPACING).unwrap_or(1),
            throw: dots(THROW).filter(|_| kind.thrown()),
            rate: form.maybe_int("attacks").unwrap_or(rate),
            rounds: form.maybe_int("ammo").or(row.and_then(|row| row.ammo).map(i64::from)),
        }
    }

    /// Men near who are hit at once.
    pub fn men(&self, troopers: usize) -> usize {
        troopers.min(GROUP.len())
    }

    /// The share of so many activations in which rounds are left.
    fn fires(&self, moves: usize) -> f64 {
        let needed = self.rate as f64 * moves as f64;
        self.rounds.map_or(1.0, |rounds| (rounds as f64 / needed).min(1.0))
    }

    /// The chance that an activation takes each of `men`, by the law of the attack that `contest`
    /// describes at `range`.
    pub fn takes(
        &self,
        mut contest: Table,
        range: Option<i64>,
        (men, moves): (usize, usize),
        rules: &dyn Ask,
    ) -> Checked<f64> {
        if let Some((throw, range)) = self.throw.zip(range) {
            if range > throw {
                return Ok(0.0);
            }
            // Fewer AP are easier to hit with, so nobody spends more than the distance takes.
            contest.insert("ap_spent".to_owned(), range.max(1).into());
        }
        let at = |(q, r): (i64, i64)| Toml::from(vec![q * self.spacing, r * self.spacing]);
        let group: Vec<Toml> = GROUP[..men].iter().map(|&dot| at(dot)).collect();
        contest.insert("troopers".to_owned(), group.into());
        let law = rules.ask(&explosion::EXPLOSION.name, &contest)?;
        let each = law.measure("e_kills") / men as f64;
        let taken = 1.0 - (1.0 - each.min(1.0)).powi(self.rate as i32);
        Ok(self.fires(moves) * taken)
    }
}
