//! `fortitude`: whether a squad holds its garrison.
//!
//! Source: quick reference, FORTITUDE and ENTERING & EXITING. Two occasions: at the end of an
//! activation in which Close Quarters weapons hurt a squad that is under half of its Damage Points,
//! and when a squad leaves a garrison in which it is outnumbered. Its destination is not modelled.
//!
//! The state is the test's one die and its result: nothing else changes the outcome.

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, CombatStepExplanation, FieldChange};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, fields};
use enfilade_model::form::{Fault, FieldType, Fields, Form, combine_results};

use super::profile::TargetSquad;
use super::shoot::squad_changes_to_carry_over;
use super::shooting_fields::{
    COUNTERMEASURE_RANGE, LOST_POINTS_RANGE, POINTS_LEFT_TYPE, READINGS_HEADING, SquadFields,
    TARGET_HEADING, TargetFields,
};
use super::squad::DamagePointsLeftByModel;

const PERCENTAGE_RANGE: IntRange = IntRange::new("percentage", 0, 100);

fields! {
    /// Fields of a Fortitude Test.
    struct FortitudeFields {
        /// X of X+, where the target's data has none
        fortitude: Option<u8> = new_optional(FieldType::Int(COUNTERMEASURE_RANGE)).with_player_name("Fortitude").with_heading(TARGET_HEADING);
        /// Damage Points the squad has lost, this activation included
        lost: u16 = new_whole_number(LOST_POINTS_RANGE, 0).with_player_name("Damage Points lost so far").with_unit("Damage Points")
            .with_heading(TARGET_HEADING);
        /// Damage Points left of each model that is still there; by `lost` and `allocation` when
        /// left out
        points_left: Option<Vec<u8>> = new_optional(POINTS_LEFT_TYPE).with_player_name("Damage Points left of each model")
            .with_unit("Damage Points").with_heading(TARGET_HEADING).as_rarely_changed();
        /// Close Quarters weapons hurt it this activation
        hurt_at_close_quarters: bool = new_switch_with_default(true).with_rule_reference("FORTITUDE")
            .with_player_name("hurt by Close Quarters weapons")
            .with_value_labels(&["not hurt at Close Quarters", "hurt at Close Quarters"]).with_heading(TARGET_HEADING);
        /// the test is taken under this share of the original Damage Points
        below_percent: u32 = new_whole_number(PERCENTAGE_RANGE, 50).with_rule_reference("FORTITUDE").with_player_name("test below this share")
            .with_unit("percent").with_heading(READINGS_HEADING).as_rarely_changed();
        /// it leaves a garrison with more enemy squads inside
        leaving_outnumbered: bool = new_switch_with_default(false).with_rule_reference("ENTERING & EXITING")
            .with_player_name("leaves outnumbered").with_value_labels(&["stays", "leaves outnumbered"]).with_heading(TARGET_HEADING);
    }
}

const ALL_FORTITUDE_FIELDS: Fields =
    joined![TargetFields::FIELDS, SquadFields::FIELDS, FortitudeFields::FIELDS];

/// Catalogue entry.
pub const FORTITUDE_ACTION: RulebookAction = RulebookAction::new(
    "fortitude",
    "whether a hurt or outnumbered squad holds",
    ALL_FORTITUDE_FIELDS,
    &build_fortitude_contest,
    &[
        "target = 'UCM/Legionnaires'\nlost = 3",
        "target = 'UCM/Legionnaires'\nlost = 2",
        "target = 'Scourge/Warriors'\ncount = 2\nlost = 9\nleaving_outnumbered = true",
        "armour = 7\ndamage_points = 5\nfortitude = 6\nleaving_outnumbered = true",
    ],
)
.with_title_question("How often does {target|the squad} fail its Fortitude Test?")
.with_off_table(
    "A Fortitude of 1 always holds, one of 7 never does. A squad loses no more Damage Points on \
     the way out than it has.",
)
.with_change_reporting_fields(&["lost", "points_left"]);

struct FortitudeTest {
    needed: u8,
    tested: bool,
    leaving: bool,
    target: TargetSquad,
    /// Squad before the test.
    before: DamagePointsLeftByModel,
}

/// FORTITUDE: "If squad is under 50% of its original total Damage Points and takes damage from
/// Close Quarters weapon".
fn build_fortitude_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let own = FortitudeFields::read(form);
    let target = TargetSquad::from_row_or_numbers(TargetFields::read(form))?
        .with_count_and_allocation(&SquadFields::read(form));
    let needed = own.fortitude.or(target.fortitude).ok_or_else(|| {
        let fault = Fault::new("fortitude", "the squad has no fortitude");
        vec![fault.with_help("name infantry as the `target`, or give `fortitude`")]
    });
    let before = target.with_lost_points(own.lost, own.points_left.as_deref(), "points_left");
    let (needed, before) = combine_results(needed, before)?;
    let whole = target.squad_without_losses().total_points();
    let below = u32::from(before.total_points()) * 100 < u32::from(whole) * own.below_percent;
    let leaving = own.leaving_outnumbered;
    Ok(Contest::from_rule(FortitudeTest {
        needed,
        tested: leaving || (below && own.hurt_at_close_quarters),
        leaving,
        before,
        target,
    })
    .with_size_fields(&["damage_points"]))
}

/// Whether the die has been rolled, and by how much it failed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum FortitudeState {
    Due,
    NotDue,
    Passed,
    FailedBy(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct FortitudeOutcome {
    tested: bool,
    failed: bool,
    abandons: bool,
    damage: u16,
    destroyed: u16,
}

impl Combat for FortitudeTest {
    type State = FortitudeState;
    type Outcome = FortitudeOutcome;

    fn initial_state(&self) -> FortitudeState {
        match self.tested {
            true => FortitudeState::Due,
            false => FortitudeState::NotDue,
        }
    }

    /// FORTITUDE: "Roll 1 dice. If lower than Fortitude, squad abandons Garrison".
    fn play_one_step(&self, _: FortitudeState, dice: &mut impl Dice) -> FortitudeState {
        match self.needed.saturating_sub(dice.die(6)) {
            0 => FortitudeState::Passed,
            by => FortitudeState::FailedBy(by),
        }
    }

    /// ENTERING & EXITING: "If failed, lose Damage Points equal to amount failed by, then run
    /// away."
    fn outcome_if_over(&self, state: &FortitudeState) -> Option<FortitudeOutcome> {
        let by = match state {
            FortitudeState::Due => return None,
            FortitudeState::FailedBy(by) => *by,
            FortitudeState::Passed | FortitudeState::NotDue => 0,
        };
        let lost = if self.leaving { by } else { 0 };
        let alive = self.before.living_model_count();
        let after = self.before.after_losing_points(lost.into(), self.target.allocation);
        Some(FortitudeOutcome {
            tested: *state != FortitudeState::NotDue,
            failed: by > 0,
            abandons: by > 0 && !self.leaving,
            damage: self.before.total_points() - after.total_points(),
            destroyed: (alive - after.living_model_count()) as u16,
        })
    }

    fn field_changes(&self, state: &FortitudeState) -> Vec<FieldChange> {
        let lost = match state {
            FortitudeState::FailedBy(by) if self.leaving => u16::from(*by),
            _ => 0,
        };
        squad_changes_to_carry_over(
            &self.target,
            self.before.after_losing_points(lost, self.target.allocation),
        )
    }

    vocabulary! { o: FortitudeOutcome;
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
                .rule("ENTERING & EXITING").with_harm_degree(20, "damage");
            /// models destroyed on the way out
            destroyed = count(o.destroyed).label("models destroyed").unit("models")
                .rule("ENTERING & EXITING").with_harm_degree(80, "kill");
        }
        measures {
            /// the test fails
            p_failed = probability(o.failed).label("test failed").with_headline_role();
            /// the squad abandons its garrison
            p_abandons = probability(o.abandons).label("garrison abandoned");
            /// Damage Points lost on the way out
            e_damage = mean(o.damage).label("Damage Points lost on the way out on average")
                .unit("Damage Points");
            /// models destroyed on the way out
            e_destroyed = mean(o.destroyed).label("models destroyed on average").unit("models");
        }
    }

    fn explain_step(
        &self,
        _: &FortitudeState,
        rolls: &[RolledDie],
        to: &FortitudeState,
    ) -> CombatStepExplanation {
        let face = rolls.first().map_or(0, |roll| roll.face);
        let result = match (to, self.leaving) {
            (FortitudeState::FailedBy(by), true) => {
                format!("fails by {by} and loses {by} Damage Points on the way out")
            }
            (FortitudeState::FailedBy(_), false) => "abandons the garrison".into(),
            _ => "holds".into(),
        };
        let text =
            format!("Fortitude die {face}, {} or more needed: the squad {result}.", self.needed);
        CombatStepExplanation::new("Fortitude", text)
    }
}
