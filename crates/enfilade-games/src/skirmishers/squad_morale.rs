//! `morale`: whether the troopers who are left pass their checks.
//!
//! Source: Morale Checks. Once enough of a squad are dead, every survivor rolls 2d6 against a
//! number by experience, harder for every further death, easier while the leader lives. The order
//! in which troopers check and the next actions of a leader are not modelled.
//!
//! Survivors check alike and independently, so the state is the number still to check and the
//! number that failed.

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, CombatStepExplanation, FieldChange};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, choice, fields};
use enfilade_model::form::{Fault, FieldType, Form};
use enfilade_model::static_or_shared::Text;

use super::attack_fields::{
    ExperienceLevel, MODIFIER_RANGE, READINGS_HEADING, TARGET_HEADING, TARGET_NUMBER_RANGE,
};
use super::skirmishers_data;

const TROOPER_COUNT_RANGE: IntRange = IntRange::new("number of troopers", 0, 40);
const LEADERSHIP_RANGE: IntRange = IntRange::new("leadership", 0, 12);

choice! {
    /// Consequence of a failure.
    enum MoraleFailure {
        /// The trooper leaves.
        Leaves = "leaves",
        /// The trooper loses a turn.
        LosesTurn = "loses-turn",
    }
}

fields! {
    /// Checking troopers, and their target number.
    struct MoraleFields {
        /// troopers of the squad that are dead
        dead: i64 = new_whole_number(TROOPER_COUNT_RANGE, 4).with_player_name("dead troopers").with_unit("troopers").with_heading(TARGET_HEADING);
        /// troopers that are left
        survivors: u8 = new_whole_number(TROOPER_COUNT_RANGE, 4).with_player_name("survivors").with_unit("troopers").with_heading(TARGET_HEADING);
        /// experience of the survivors
        experience: ExperienceLevel = new_choice(ExperienceLevel::WORDS).with_rule_reference("Trooper Experience")
            .with_player_name("experience").with_heading(TARGET_HEADING);
        /// the squad leader lives
        leader_alive: bool = new_switch_with_default(true).with_player_name("leader lives")
            .with_value_labels(&["leader dead", "leader lives"]).with_heading(TARGET_HEADING);
        /// leadership of the squad leader
        leadership: i64 = new_whole_number(LEADERSHIP_RANGE, 2).with_rule_reference("Morale Checks").with_player_name("leadership")
            .with_heading(TARGET_HEADING).as_rarely_changed();
        /// dead troopers from which checks are made
        threshold: i64 = new_whole_number(TROOPER_COUNT_RANGE, 4).with_rule_reference("Morale Checks")
            .with_player_name("dead before checks are made").with_unit("troopers").with_heading(READINGS_HEADING).as_rarely_changed();
        /// for each dead trooper beyond the threshold
        per_dead_modifier: i64 = new_whole_number(MODIFIER_RANGE, 1).with_rule_reference("Morale Checks")
            .with_player_name("modifier for each further dead").with_heading(READINGS_HEADING).as_rarely_changed();
        /// target number, where not the printed one of the experience
        morale_target: Option<i64> = new_optional(FieldType::Int(TARGET_NUMBER_RANGE)).with_rule_reference("Morale Checks")
            .with_player_name("target number").with_heading(READINGS_HEADING).as_rarely_changed();
        /// any other modifier of the target number
        modifier: i64 = new_whole_number(MODIFIER_RANGE, 0).with_player_name("other modifiers").with_heading(READINGS_HEADING).as_rarely_changed();
        /// what a failure does
        morale_fail: MoraleFailure = new_choice(MoraleFailure::WORDS).marked_as_interpretation().with_player_name("a failure means")
            .with_value_labels(&["the trooper leaves", "the trooper loses a turn"]).with_heading(READINGS_HEADING).as_rarely_changed();
    }
}

/// Catalogue entry.
pub const MORALE_ACTION: RulebookAction = RulebookAction::new(
    "morale",
    "morale checks of a squad's survivors",
    joined![MoraleFields::FIELDS],
    &build_morale_contest,
    &[
        "dead = 6\nsurvivors = 4",
        "dead = 5\nsurvivors = 5\nexperience = 'green'\nleader_alive = false",
        "dead = 3\nsurvivors = 5",
        "dead = 8\nsurvivors = 2\nexperience = 'elite'\nmorale_fail = 'loses-turn'",
        "dead = 7\nsurvivors = 3\nexperience = 'veteran'",
    ],
)
.with_title_question("How often does one of {survivors|the} survivors fail a morale check?")
.with_off_table("A target number of 2 or less is always met, one above 12 never (Morale Checks).")
.with_change_reporting_fields(&["survivors"]);

struct TrooperMoraleChecks {
    needed: i64,
    sum: String,
    checks: u8,
    survivors: u8,
    leaves: bool,
}

/// Morale Checks: "Apply a +1 modifier for each additional dead trooper above 4", and "a -N
/// modifier based upon the leadership skill of the squad leader".
fn build_morale_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let own = MoraleFields::read(form);
    let printed = skirmishers_data::skirmishers_data()
        .find_armour_or_level(own.experience.word())
        .and_then(|row| row.morale);
    let Some(target) = own.morale_target.or(printed) else {
        return Err(vec![Fault::new("experience", "that experience has no morale in the data")]);
    };
    let beyond = (own.dead - own.threshold).max(0);
    let modifiers = [
        (beyond * own.per_dead_modifier, "for the dead"),
        (own.modifier, "by other modifiers"),
        (if own.leader_alive { -own.leadership } else { 0 }, "for the leader"),
    ];
    Ok(Contest::from_rule(TrooperMoraleChecks {
        needed: target + modifiers.iter().map(|(number, _)| number).sum::<i64>(),
        sum: format_target_with_modifiers(target, &modifiers),
        checks: if own.dead >= own.threshold { own.survivors } else { 0 },
        survivors: own.survivors,
        leaves: own.morale_fail == MoraleFailure::Leaves,
    })
    .with_size_fields(&["survivors"]))
}

/// Formats the target number with its modifiers: `7 +2 for the dead, −2 for the leader`.
fn format_target_with_modifiers(target: i64, modifiers: &[(i64, &str)]) -> String {
    let moving = modifiers.iter().filter(|(number, _)| *number != 0);
    let parts = moving.zip([" "].into_iter().chain(std::iter::repeat(", ")));
    parts.fold(target.to_string(), |sum, ((number, why), between)| {
        let sign = if *number < 0 { '−' } else { '+' };
        format!("{sum}{between}{sign}{} {why}", number.abs())
    })
}

/// Checks made and failed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct MoraleCheckCounts {
    checks_made: u8,
    failed: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct MoraleCheckTally {
    failed: u8,
    passed: u8,
    troopers_left: u8,
}

impl Combat for TrooperMoraleChecks {
    type State = MoraleCheckCounts;
    type Outcome = MoraleCheckTally;

    fn initial_state(&self) -> MoraleCheckCounts {
        MoraleCheckCounts { checks_made: 0, failed: 0 }
    }

    /// Morale Checks: "Each remaining trooper must roll 2D6 and meet the target number".
    fn play_one_step(
        &self,
        mut state: MoraleCheckCounts,
        dice: &mut impl Dice,
    ) -> MoraleCheckCounts {
        let sum = i64::from(dice.sum(2, 6));
        state.checks_made += 1;
        state.failed += u8::from(sum < self.needed);
        state
    }

    fn outcome_if_over(&self, state: &MoraleCheckCounts) -> Option<MoraleCheckTally> {
        let removed = if self.leaves { state.failed } else { 0 };
        (state.checks_made == self.checks).then_some(MoraleCheckTally {
            failed: state.failed,
            passed: self.survivors - state.failed,
            troopers_left: self.survivors - removed,
        })
    }

    fn field_changes(&self, state: &MoraleCheckCounts) -> Vec<FieldChange> {
        let removed = if self.leaves { state.failed } else { 0 };
        vec![FieldChange::Is(Text::Static("survivors"), (self.survivors - removed).into())]
    }

    vocabulary! { o: MoraleCheckTally;
        columns {
            /// survivors who fail
            failed = count(o.failed).label("survivors who fail").unit("troopers")
                .rule("Morale Checks").adds();
            /// survivors who pass, or need not check
            passed = count(o.passed).label("survivors who hold").unit("troopers")
                .rule("Morale Checks");
            /// troopers still with the squad
            left = count(o.troopers_left).label("troopers left").unit("troopers").rule("Morale Checks");
        }
        measures {
            /// somebody fails
            p_fail = probability(o.failed > 0).label("somebody fails").with_headline_role().adds();
            /// nobody passes a check that was due
            p_all_fail = probability(o.failed > 0 && o.passed == 0).label("everybody fails");
            /// survivors who fail
            e_failed = mean(o.failed).label("survivors who fail on average").unit("troopers").adds();
            /// troopers still with the squad
            e_left = mean(o.troopers_left).label("troopers left on average").unit("troopers");
        }
    }

    fn explain_step(
        &self,
        from: &MoraleCheckCounts,
        rolls: &[RolledDie],
        to: &MoraleCheckCounts,
    ) -> CombatStepExplanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        let result = if to.failed > from.failed { "fails" } else { "holds" };
        let text = format!(
            "Survivor {}: 2d6 {faces:?} = {sum} against {} ({}): the trooper {result}.",
            to.checks_made, self.needed, self.sum
        );
        CombatStepExplanation::new("Morale Checks", text)
    }
}
