//! The `morale-check` action: a stack takes a task check or a morale check (A7.303–A7.305, A10.3).

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::{Combat, CombatStepExplanation, FieldChange, OutcomeVocabulary};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, fields, forms};
use enfilade_model::form::{Fault, FieldType, Form};

use super::attack_explanation;
use super::attack_outcome::{FireEventCounts, OptionalOutcomeFields, fire_fields_and_measures};
use super::data::FireTableResult;
use super::field_headings;
use super::fire_contest::{
    self, AttackAftermathFields as Readings, ExperienceRatingField, JointOrPerResultUnitDraw,
};
use super::pending_rolls::{PersonnelRules, PersonnelWithPendingRolls};
use super::targets::{self, EncirclementField, TargetEntry, TargetFields};

const CHECK_ABBREVIATIONS: &[&str] = &["PTC", "NMC", "1MC", "2MC", "3MC", "4MC"];
const CHECK_FULL_NAMES: &[&str] = &[
    "Pin Task Check",
    "Normal Morale Check",
    "Morale Check +1",
    "Morale Check +2",
    "Morale Check +3",
    "Morale Check +4",
];

fields! {
    /// Check that the units have to pass.
    pub struct RequiredCheck: put_under_heading(field_headings::CHECK_HEADING) {
        /// the check that every unit takes
        check: String = new_required(FieldType::choice_of_words(CHECK_ABBREVIATIONS)).with_player_name("check").with_value_labels(CHECK_FULL_NAMES)
            .with_rule_reference("A7.303-A7.305");
    }

    /// Units that have to check.
    pub struct MoraleCheckFields: put_under_heading(field_headings::TARGET_HEADING) {
        /// who takes the check
        target: Vec<TargetFields> = new_required(FieldType::tables(joined![TargetFields::FIELDS]))
            .with_player_name("targets").with_rule_reference("A7.4");
    }
}

forms! {
    /// Fields of `morale-check`.
    struct MoraleCheckParameters {
        check: RequiredCheck,
        checked: MoraleCheckFields,
        encircled: EncirclementField,
        quality: ExperienceRatingField,
        later: Readings,
    }
}

/// The `morale-check` action.
pub const MORALE_CHECK_ENTRY: RulebookAction = RulebookAction::new(
    "morale-check",
    "a task check or morale check of a stack",
    MoraleCheckParameters::FIELDS,
    &|form| build_check_contest(form, false),
    &[
        "check = \"1MC\"\n[[target]]\nunit = \"4-4-7\"\nnation = \"Russian\"\ncount = 3\n\
         [[target]]\nleader = \"8-1\"",
        "check = \"PTC\"\n[[target]]\nkind = \"squad\"\nmorale = 7\ncount = 2\n\
         [[target]]\nkind = \"squad\"\nmorale = 7\nbroken = true",
        "check = \"4MC\"\nelr = 2\nheat_of_battle = true\nencircled = true\n\
         [[target]]\nunit = \"4-6-7\"\ncount = 2\n[[target]]\nleader = \"9-1\"\nbroken = true",
        "check = \"NMC\"\nleader_loss = false\n[[target]]\nleader = \"6+1\"\n\
         [[target]]\nkind = \"hero\"\nmorale = 9\nwounded = true\n[[target]]\nkind = \"crew\"\nmorale = 8",
    ],
)
.with_title_question("How often does a {check|check} hurt the {target.unit|target}?")
.with_dice_and_direction("2d6 against the morale level, low passes")
.with_off_table(
    "An Original 12 fails a morale check whatever the morale level (A10.31), but no task check. The \
     highest DR that passes a morale check pins (A7.8): a Final DR equal to the morale level, or an Original \
     11 where that is not enough to fail.",
)
.with_change_reporting_fields(&["target"])
.with_builder_reporting_changes(&|form| build_check_contest(form, true));

/// Stack that has to check.
struct StackMoraleCheck {
    personnel: PersonnelRules,
    open: MoraleCheckProgress,
    extras: OptionalOutcomeFields,
    /// Whether the targets stay in the state to the end.
    leaves: bool,
}

/// Rolls that are still due, and the counts so far; see [`super::pending_rolls`] for why this is
/// enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct MoraleCheckProgress {
    pending: PersonnelWithPendingRolls,
    tally: FireEventCounts,
}

impl Combat for StackMoraleCheck {
    type State = MoraleCheckProgress;
    type Outcome = FireEventCounts;

    fn initial_state(&self) -> MoraleCheckProgress {
        self.open
    }

    fn play_one_step(
        &self,
        mut state: MoraleCheckProgress,
        dice: &mut impl Dice,
    ) -> MoraleCheckProgress {
        self.personnel.roll_and_apply_next(&mut state.pending, &mut state.tally, dice);
        state
    }

    fn outcome_if_over(&self, state: &MoraleCheckProgress) -> Option<FireEventCounts> {
        let mut tally = state.tally;
        if self.leaves {
            self.personnel.count_effects_on_survivors(&state.pending, &mut tally);
        }
        self.personnel.next_pending_roll(&state.pending).is_none().then_some(tally)
    }

    fn field_changes(&self, state: &MoraleCheckProgress) -> Vec<FieldChange> {
        vec![self.personnel.roster.living_targets_after_attack(&state.pending.stack)]
    }

    fn vocabulary(&self) -> OutcomeVocabulary<FireEventCounts> {
        fire_fields_and_measures(self.extras)
    }

    fn explain_step(
        &self,
        from: &MoraleCheckProgress,
        rolls: &[RolledDie],
        to: &MoraleCheckProgress,
    ) -> CombatStepExplanation {
        attack_explanation::explain_pending_roll(&self.personnel, &from.pending, rolls, &to.pending)
    }
}

/// Builds the contest of a form; `leaves` makes one whose targets stay in the state to the end.
fn build_check_contest(form: &Form, leaves: bool) -> Result<Contest, Vec<Fault>> {
    let MoraleCheckParameters { check, checked, encircled, quality, later } =
        MoraleCheckParameters::read(form);
    let setting = fire_contest::rules_for_all_targets(encircled.encircled, quality, later, leaves);
    let targets: Vec<TargetEntry> = checked.target.into_iter().map(TargetEntry::from).collect();
    let targets = targets::read_targets(&targets, setting)?;
    if !targets.vehicles.is_empty() {
        return Err(vec![Fault::new("target", "vehicles have no morale to check")]);
    }
    let personnel = fire_contest::build_personnel_rules(
        &targets,
        setting,
        quality,
        later,
        JointOrPerResultUnitDraw::Together,
    );
    let mut open = MoraleCheckProgress {
        pending: PersonnelWithPendingRolls::from_stack_owing_nothing(targets.stack),
        tally: FireEventCounts::default(),
    };
    let check =
        FireTableResult::parse_result_cell(&check.check).unwrap_or(FireTableResult::NoEffect);
    personnel.assign_result_to_each_unit(&mut open.pending, &mut open.tally, |_| check);
    let extras = fire_contest::optional_outcome_fields(quality, later, false);
    Ok(Contest::from_rule(StackMoraleCheck { personnel, open, extras, leaves })
        .with_size_fields(&["target.count"]))
}
