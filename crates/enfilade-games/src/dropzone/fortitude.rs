//! `fortitude`: whether a squad holds its garrison.
//!
//! Source: quick reference, FORTITUDE and ENTERING & EXITING. Two occasions: at the end of an
//! activation in which Close Quarters weapons hurt a squad that is under half of its Damage Points,
//! and when a squad leaves a garrison in which it is outnumbered. Its destination is not modelled.
//!
//! The state is the test's one die and its result: nothing else changes the outcome.

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, Explanation, Later};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, fields};
use enfilade_model::form::{Fault, Fields, Form, Kind, both};

use super::fields::{LEFT, LOST, Models, READINGS, SAVE, THE_TARGET, TargetFields};
use super::profile::Target;
use super::shoot::left_of;
use super::squad::Squad;

const PERCENT: Bound = Bound::new("percentage", 0, 100);

fields! {
    /// Fields of a Fortitude Test.
    struct Own {
        /// X of X+, where the target's data has none
        fortitude: Option<u8> = optional(Kind::Int(SAVE)).label("Fortitude").group(THE_TARGET);
        /// Damage Points the squad has lost, this activation included
        lost: u16 = int(LOST, 0).label("Damage Points lost so far").unit("Damage Points")
            .group(THE_TARGET);
        /// Damage Points left of each model that is still there; by `lost` and `allocation` when left out
        points_left: Option<Vec<u8>> = optional(LEFT).label("Damage Points left of each model")
            .unit("Damage Points").group(THE_TARGET).rare();
        /// Close Quarters weapons hurt it this activation
        hurt_at_close_quarters: bool = flag(true).rule("FORTITUDE")
            .label("hurt by Close Quarters weapons")
            .values(&["not hurt at Close Quarters", "hurt at Close Quarters"]).group(THE_TARGET);
        /// the test is taken under this share of the original Damage Points
        below_percent: u32 = int(PERCENT, 50).rule("FORTITUDE").label("test below this share")
            .unit("percent").group(READINGS).rare();
        /// it leaves a garrison with more enemy squads inside
        leaving_outnumbered: bool = flag(false).rule("ENTERING & EXITING")
            .label("leaves outnumbered").values(&["stays", "leaves outnumbered"]).group(THE_TARGET);
    }
}

const FIELDS: Fields = joined![TargetFields::FIELDS, Models::FIELDS, Own::FIELDS];

/// Catalogue entry.
pub const FORTITUDE: Action = Action::new(
    "fortitude",
    "whether a hurt or outnumbered squad holds",
    FIELDS,
    &build,
    &[
        "target = 'UCM/Legionnaires'\nlost = 3",
        "target = 'UCM/Legionnaires'\nlost = 2",
        "target = 'Scourge/Warriors'\ncount = 2\nlost = 9\nleaving_outnumbered = true",
        "armour = 7\ndamage_points = 5\nfortitude = 6\nleaving_outnumbered = true",
    ],
)
.asks("How often does {target|the squad} fail its Fortitude Test?")
.off_table(
    "A Fortitude of 1 always holds, one of 7 never does. A squad loses no more Damage Points on \
     the way out than it has.",
)
.leaving(&["lost", "points_left"]);

struct Fortitude {
    needed: u8,
    tested: bool,
    leaving: bool,
    target: Target,
    /// Squad before the test.
    before: Squad,
}

/// FORTITUDE: "If squad is under 50% of its original total Damage Points and takes damage from
/// Close Quarters weapon".
fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let own = Own::read(form);
    let target = Target::of(TargetFields::read(form))?.squad_of(&Models::read(form));
    let needed = own.fortitude.or(target.fortitude).ok_or_else(|| {
        let fault = Fault::new("fortitude", "the squad has no fortitude");
        vec![fault.help("name infantry as the `target`, or give `fortitude`")]
    });
    let before = target.hurt(own.lost, own.points_left.as_deref(), "points_left");
    let (needed, before) = both(needed, before)?;
    let whole = target.squad().points();
    let below = u32::from(before.points()) * 100 < u32::from(whole) * own.below_percent;
    let leaving = own.leaving_outnumbered;
    Ok(Contest::of(Fortitude {
        needed,
        tested: leaving || (below && own.hurt_at_close_quarters),
        leaving,
        before,
        target,
    })
    .growing_with(&["damage_points"]))
}

/// Whether the die has been rolled, and by how much it failed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum State {
    Due,
    NotDue,
    Passed,
    FailedBy(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Outcome {
    tested: bool,
    failed: bool,
    abandons: bool,
    damage: u16,
    destroyed: u16,
}

impl Combat for Fortitude {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        match self.tested {
            true => State::Due,
            false => State::NotDue,
        }
    }

    /// FORTITUDE: "Roll 1 dice. If lower than Fortitude, squad abandons Garrison".
    fn step(&self, _: State, dice: &mut impl Dice) -> State {
        match self.needed.saturating_sub(dice.die(6)) {
            0 => State::Passed,
            by => State::FailedBy(by),
        }
    }

    /// ENTERING & EXITING: "If failed, lose Damage Points equal to amount failed by, then run
    /// away."
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let by = match state {
            State::Due => return None,
            State::FailedBy(by) => *by,
            State::Passed | State::NotDue => 0,
        };
        let lost = if self.leaving { by } else { 0 };
        let alive = self.before.alive();
        let after = self.before.without(lost.into(), self.target.allocation);
        Some(Outcome {
            tested: *state != State::NotDue,
            failed: by > 0,
            abandons: by > 0 && !self.leaving,
            damage: self.before.points() - after.points(),
            destroyed: (alive - after.alive()) as u16,
        })
    }

    fn left(&self, state: &State) -> Vec<Later> {
        let lost = match state {
            State::FailedBy(by) if self.leaving => u16::from(*by),
            _ => 0,
        };
        left_of(&self.target, self.before.without(lost, self.target.allocation))
    }

    vocabulary! { o: Outcome;
        columns {
            /// whether a test was due
            tested = count(o.tested).label("tested").rule("FORTITUDE");
            /// whether it failed
            failed = count(o.failed).label("test failed").rule("FORTITUDE");
            /// whether the squad abandons the garrison and drops its objectives
            abandons = count(o.abandons).label("abandons its garrison").rule("FORTITUDE");
            /// Damage Points lost on the way out
            damage = count(o.damage).label("Damage Points lost on the way out")
                .unit("Damage Points")
                .rule("ENTERING & EXITING").harm(20, "damage");
            /// models destroyed on the way out
            destroyed = count(o.destroyed).label("models destroyed").unit("models")
                .rule("ENTERING & EXITING").harm(80, "kill");
        }
        measures {
            /// the test fails
            p_failed = probability(o.failed).label("test failed").headline();
            /// the squad abandons its garrison
            p_abandons = probability(o.abandons).label("garrison abandoned");
            /// Damage Points lost on the way out
            e_damage = mean(o.damage).label("Damage Points lost on the way out on average")
                .unit("Damage Points");
            /// models destroyed on the way out
            e_destroyed = mean(o.destroyed).label("models destroyed on average").unit("models");
        }
    }

    fn explain(&self, _: &State, rolls: &[Roll], to: &State) -> Explanation {
        let face = rolls.first().map_or(0, |roll| roll.face);
        let result = match (to, self.leaving) {
            (State::FailedBy(by), true) => {
                format!("fails by {by} and loses {by} Damage Points on the way out")
            }
            (State::FailedBy(_), false) => "abandons the garrison".into(),
            _ => "holds".into(),
        };
        let text =
            format!("Fortitude die {face}, {} or more needed: the squad {result}.", self.needed);
        Explanation::new("Fortitude", text)
    }
}
