//! `attack`: attacks one after another on the same troopers.
//!
//! Source: base rules (attacks, hits, arcs) and Crewed Weapons. Each attack is 2d6 against the target
//! number and, on a hit, 2d6 for the cell. Cells stay crossed from attack to attack.
//!
//! # Why this state is enough
//!
//! An attack is two steps of two dice. Between them the future depends on the attacks left and on
//! the present target's card; which cells were crossed first does not matter, so after k hits with
//! one weapon there are at most as many cards as there are bags of k start cells. Targets dealt with
//! are only tallied, targets to come are all alike and so only counted. Once a single target is out
//! of action the attack that did it is remembered, because it is asked about. Attacks in turn have
//! a state of their own, in `spread.rs`.

mod spread;
mod told;

use std::num::NonZeroU32;

use crate::bounds::Bound;
use crate::catalogue::{Action, Contest};
use crate::combat::{AnyCombat, Combat, Telling, Vocabulary};
use crate::dice::{Dice, Roll};
use crate::form::{Fault, Field, Form, Kind};
use crate::form::{Words, groups::joined};

use super::aim::{Aim, Marks, Weapon, card, uncovered};
use super::card::{Card, Damage};
use super::data;
use super::fields::{
    AIM_RULES, ATTACKER, CARD_RULES, EXPERIENCE, READINGS, SITUATION, TARGET, THE_TARGET,
    THE_WEAPON, WEAPON,
};
use spread::Spread;
use told::{Outcome, Tally};

const SHOTS: Bound = Bound::new("number of attacks", 1, 60);
/// The most targets.
const MAX_TARGETS: usize = 20;
const TARGETS: Bound = Bound::new("number of targets", 1, MAX_TARGETS as i64);
const ARC_SHOTS: Bound = Bound::new("shots of an arc", 1, 20);

pub(super) const OWN: [Field; 8] = [
    Field::optional("shots", Kind::Int(SHOTS), "attacks; those of the arc when left out, or one")
        .label("attacks")
        .group(THE_WEAPON),
    Field::choice("arc", &["none", "30", "60", "150"], "firing arc of a rifle, in degrees")
        .label("firing arc")
        .values(&["none", "30 degrees", "60 degrees", "150 degrees"])
        .group(THE_WEAPON),
    Field::int("arc_30_shots", ARC_SHOTS, 1, "shots of a 30° arc, times the weapon's multiplier")
        .label("shots of a 30 degree arc")
        .unit("shots")
        .group(READINGS)
        .rare(),
    Field::int("arc_60_shots", ARC_SHOTS, 2, "shots of a 60° arc, times the weapon's multiplier")
        .label("shots of a 60 degree arc")
        .unit("shots")
        .group(READINGS)
        .rare(),
    Field::int("arc_150_shots", ARC_SHOTS, 4, "shots of a 150° arc, times the weapon's multiplier")
        .label("shots of a 150 degree arc")
        .unit("shots")
        .group(READINGS)
        .rare(),
    Field::int("targets", TARGETS, 1, "troopers attacked, all alike")
        .label("targets")
        .unit("troopers")
        .group(THE_TARGET),
    Field::choice(
        "allocation",
        &["focus", "spread"],
        "several targets: one until he is out of action, or each attack at the next who is in \
         action",
    )
    .assumed()
    .label("attacks are dealt")
    .values(&["one by one", "in turn"])
    .group(READINGS)
    .rare(),
    Field::choice("target_experience", EXPERIENCE, "experience of the targets, for their AP")
        .from("Trooper Experience")
        .label("experience of the targets")
        .group(THE_TARGET)
        .rare(),
];

/// The catalogue entry.
pub const ATTACK: Action = Action::new(
    "attack",
    "attacks on the same troopers, cell by cell",
    joined![
        WEAPON, OWN, ATTACKER, SITUATION, TARGET, CARD_RULES, AIM_RULES
    ],
    &build,
    &[
        "weapon = 'HMG'\nrange = 40\nshots = 2",
        "weapon = 'LMG'\nrange = 60\nobstructions = 1\nprone_attacker = true\nshots = 3\ntarget_armour = 'standard'",
        "weapon = 'rifle'\nrange = 20\narc = '150'\ntarget_armour = 'basic'\nadvanced_armour = true",
        "weapon = 'SMG'\narc = '60'\ntargets = 3\nallocation = 'spread'",
        "weapon = 'MMG'\nshots = 4\ntargets = 2\nprone_target = true\nrange = 50",
        "weapon = 'club'\nshots = 3\ntarget_hp = 6\ntarget_armour = 'basic'\nadvanced_armour = true\narmour_from = 8",
        "weapon = 'stun baton'\nshots = 2\nbludgeoning_past_zero = 'nothing'\ntunnel = true",
        "damage = '3X'\nshort = 5\nlong = 10\nrange = 8\nsneak_suit = true\nshots = 2\ncell_mapping = 'column'\nattacker_hp = 6",
    ],
)
.asks("How often does the {weapon|weapon} put a trooper out of action?");

/// Attacks on the same troopers, whoever of them is attacked next.
struct Attack {
    aim: Aim,
    damage: Damage,
    marks: Marks,
    fresh: Card,
    shots: u8,
    targets: u8,
    additions: i64,
    pv: Option<NonZeroU32>,
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let weapon = Weapon::read(form)?;
    if weapon.kind.explodes() {
        // "Ranged explosive weapons are resolved in the same way as hand grenades."
        let fault = Fault::new(Weapon::told_by(form), "the weapon explodes or burns");
        return Err(vec![
            fault.help(
                "use `explosion`, which plays rings and scatter, or give `kind = \"ranged\"`",
            ),
        ]);
    }
    let aim = Aim::of(&weapon, form)?;
    let mut notes = Vec::from_iter(uncovered(&weapon, form));
    if aim.needed.is_none() {
        notes.push("the target is out of range: no attack is made".into());
    }
    let attack = Attack {
        shots: match aim.needed {
            Some(_) => shots(form, &weapon),
            None => 0,
        },
        aim,
        damage: weapon.direct(),
        marks: Marks::read(form),
        fresh: card(form)?,
        targets: form.int("targets") as u8,
        additions: additions(form)?,
        pv: weapon.pv,
    };
    let in_turn = attack.targets > 1 && form.text("allocation") == "spread";
    Ok(Contest {
        combat: match in_turn {
            true => AnyCombat::new(Spread(attack)),
            false => AnyCombat::new(Focus(attack)),
        },
        notes,
        grows_with: Words::Static(&["shots", "targets", "arc", "advanced_armour"]),
    })
}

/// What armour and experience add to the AP of the targets.
fn additions(form: &Form) -> Result<i64, Vec<Fault>> {
    let data = data::data()?;
    let troops = ["target_armour", "target_experience"].map(|field| data.troop(form.text(field)));
    Ok(troops.iter().flatten().map(|row| row.ap).sum())
}

/// Attacks: as given, or those of the arc, or one.
fn shots(form: &Form, weapon: &Weapon) -> u8 {
    let arc = match form.text("arc") {
        "30" => Some("arc_30_shots"),
        "60" => Some("arc_60_shots"),
        "150" => Some("arc_150_shots"),
        _ => None,
    };
    let of_arc = arc.map_or(1, |arc| form.int(arc) * i64::from(weapon.multiplier));
    form.maybe_int("shots").unwrap_or(of_arc) as u8
}

/// Attacks on one target until he is out of action, then on the next.
struct Focus(Attack);

/// How far the attacks have come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    /// Attacks left.
    left: u8,
    /// Targets to come after the present one.
    waiting: u8,
    /// Whether the present attack has hit and the cell is to be picked.
    hit: bool,
    card: Card,
    hits: u8,
    /// The attack that put a single target out of action.
    killed_by: u8,
    done: Tally,
}

impl Focus {
    /// Turns to the next target when the present one is out of action; nothing is fired at the dead.
    fn to_next_die(&self, mut now: State) -> State {
        while now.waiting > 0 && !now.card.in_action() {
            now.done = now.done.with(&now.card, self.0.fresh);
            now.waiting -= 1;
            now.card = self.0.fresh;
        }
        if now.card.dead() {
            now.left = 0;
        }
        now
    }
}

impl Combat for Focus {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        self.to_next_die(State {
            left: self.0.shots,
            waiting: self.0.targets - 1,
            hit: false,
            card: self.0.fresh,
            hits: 0,
            killed_by: 0,
            done: Tally::default(),
        })
    }

    fn step(&self, mut now: State, dice: &mut impl Dice) -> State {
        if !now.hit {
            now.left -= 1;
            now.hit = self.0.aim.hits(dice);
            now.hits += u8::from(now.hit);
            return if now.hit { now } else { self.to_next_die(now) };
        }
        now.hit = false;
        now.card = self.0.marks.mark(now.card, self.0.damage, dice);
        if self.0.targets == 1 && now.killed_by == 0 && !now.card.in_action() {
            now.killed_by = self.0.shots - now.left;
        }
        self.to_next_die(now)
    }

    fn outcome(&self, now: &State) -> Option<Outcome> {
        if now.hit || now.left > 0 {
            return None;
        }
        let all = now.done.with(&now.card, self.0.fresh);
        let all = all.and_untouched(now.waiting, self.0.fresh);
        Some(self.0.struck(now.hits, all, now.card.hp(), now.killed_by))
    }

    fn vocabulary(&self) -> Vocabulary<Outcome> {
        self.0.vocabulary()
    }

    fn tell(&self, from: &State, rolls: &[Roll], to: &State) -> Telling {
        self.0.tell(from.hit.then_some(from.card), rolls, to.hit)
    }
}
