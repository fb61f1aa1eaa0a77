//! Weapons that explode or burn among men in a group: launchers, flames and thrown weapons.
//!
//! Source: the action `explosion`, rounds and AP as printed. The targets are in a group around one
//! of them, at distances given by the assumption `spacing`; a miss scatters. The mean losses of an
//! attack are divided into as many shots as there are men near, each of which falls on a man still
//! in action. A weapon fires as often in an activation as its AP go into those of a man, and not
//! after its last round: so it fires at its average rate over the scenario's moves. A throw takes
//! as many AP as dots, up to `throw`, one throw in an activation.
//!
//! Not modelled: wounds that do not put a man out of action, ground that goes on burning, walls.

use toml::{Table, Value as Toml};

use super::super::duel;
use super::super::explosion;
use super::super::skirmishers_data::{WeaponKind, WeaponRow};
use super::field_defaults::{default_arc_shots, default_field_number};
use enfilade_model::form::Form;
use enfilade_model::form::bounds::RealRange;
use enfilade_model::static_or_shared::Text;
use enfilade_model::weapons::{
    AssumptionSpec, AssumptionValues, ContestDistributionSource, FaultResult,
};

const SPACING_NAME: &str = "spacing";
const THROW_NAME: &str = "throw";

/// Assumed distance between men.
pub const SPACING_ASSUMPTION: AssumptionSpec = AssumptionSpec {
    name: Text::Static(SPACING_NAME),
    about: Text::Static("dots from one man to the next where an explosion goes off"),
    values: [1.0, 2.0, 3.0],
    bound: RealRange { name: SPACING_NAME, low: 1.0, high: 12.0 },
};

/// Assumed distance of a throw: as many dots as AP, of which an activation has eight.
pub const THROW_ASSUMPTION: AssumptionSpec = AssumptionSpec {
    name: Text::Static(THROW_NAME),
    about: Text::Static("AP that a man spares for a throw, and dots that it goes"),
    values: [4.0, 6.0, 8.0],
    bound: RealRange { name: THROW_NAME, low: 1.0, high: 8.0 },
};

/// Returns whether an assumption concerns a weapon of this kind.
pub fn concerns_weapon_kind(assumption: &str, kind: WeaponKind) -> bool {
    match assumption {
        SPACING_NAME => kind.has_damage_by_ring(),
        THROW_NAME => kind.is_thrown(),
        _ => true,
    }
}

/// Dots of the man aimed at, and of the six around.
const AIMED_AND_NEARBY_DOTS: [(i64, i64); 7] =
    [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];

/// Weapon that explodes or burns.
pub struct ExplosiveWeapon {
    spacing: i64,
    /// Distance of a throw, where it is not printed.
    throw: Option<i64>,
    /// Attacks in an activation with rounds left.
    rate: i64,
    /// Rounds that come with it.
    rounds: Option<i64>,
}

impl ExplosiveWeapon {
    /// Reads the charge of a `[[weapon]]`.
    pub fn read_weapon_charge(
        kind: WeaponKind,
        row: Option<&WeaponRow>,
        form: &Form,
        assumed: &AssumptionValues,
    ) -> ExplosiveWeapon {
        let dots = |name| assumed.get(name).map(|dots| dots.round() as i64);
        let ap = form.maybe_int("ap").or(row.and_then(|row| row.ap).map(i64::from));
        let each = ap.map_or(1, |ap| {
            default_field_number(&duel::DuelFields::FIELDS, "ap_per_move") / ap.max(1)
        });
        let rate = if kind.is_thrown() { 1 } else { each.max(default_arc_shots()) };
        ExplosiveWeapon {
            spacing: dots(SPACING_NAME).unwrap_or(1),
            throw: dots(THROW_NAME).filter(|_| kind.is_thrown()),
            rate: form.maybe_int("attacks").unwrap_or(rate),
            rounds: form.maybe_int("ammo").or(row.and_then(|row| row.ammo).map(i64::from)),
        }
    }

    /// Returns the number of men near who are hit at once.
    pub fn count_men_hit(&self, troopers: usize) -> usize {
        troopers.min(AIMED_AND_NEARBY_DOTS.len())
    }

    /// Returns the share of `moves` activations in which rounds are left.
    fn share_of_moves_with_rounds(&self, moves: usize) -> f64 {
        let needed = self.rate as f64 * moves as f64;
        self.rounds.map_or(1.0, |rounds| (rounds as f64 / needed).min(1.0))
    }

    /// Computes the chance that an activation takes each of `men`, from the distribution of the
    /// attack that `contest` describes at `range`.
    ///
    /// # Errors
    /// The faults of the contest, and those of its distribution.
    pub fn kill_chance_per_man(
        &self,
        mut contest: Table,
        range: Option<i64>,
        (men, moves): (usize, usize),
        rules: &dyn ContestDistributionSource,
    ) -> FaultResult<f64> {
        if let Some((throw, range)) = self.throw.zip(range) {
            if range > throw {
                return Ok(0.0);
            }
            // Fewer AP are easier to hit with, so a throw spends only as many as the distance
            // needs.
            contest.insert("ap_spent".to_owned(), range.max(1).into());
        }
        let at = |(q, r): (i64, i64)| Toml::from(vec![q * self.spacing, r * self.spacing]);
        let group: Vec<Toml> = AIMED_AND_NEARBY_DOTS[..men].iter().map(|&dot| at(dot)).collect();
        contest.insert("troopers".to_owned(), group.into());
        let law = rules.distribution_of(&explosion::EXPLOSION_ACTION.name, &contest)?;
        let each = law.measure_value("e_kills") / men as f64;
        let cells_taken = 1.0 - (1.0 - each.min(1.0)).powi(self.rate as i32);
        Ok(self.share_of_moves_with_rounds(moves) * cells_taken)
    }
}
