//! The `morale-check` action: a stack takes a task check or a morale check (A7.303–A7.305, A10.3).

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::combat::{Combat, Explanation, Later, Vocabulary};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, fields, forms};
use enfilade_model::form::{Fault, Form, Kind};

use super::data::Cell;
use super::explain;
use super::field_headings;
use super::fire_contest::{self, Later as Readings, Quality, Selection};
use super::pending_rolls::{Pending, Personnel};
use super::tally::{Extras, Tally, vocabulary};
use super::targets::{self, Encircled, Target, TargetFields};

const CHECKS: &[&str] = &["PTC", "NMC", "1MC", "2MC", "3MC", "4MC"];
const CHECK_NAMES: &[&str] = &[
    "Pin Task Check",
    "Normal Morale Check",
    "Morale Check +1",
    "Morale Check +2",
    "Morale Check +3",
    "Morale Check +4",
];

fields! {
    /// Check that the units have to pass.
    pub struct Check: under(field_headings::CHECK) {
        /// the check that every unit takes
        check: String = required(Kind::choice(CHECKS)).label("check").values(CHECK_NAMES)
            .rule("A7.303-A7.305");
    }

    /// Units that have to check.
    pub struct Checked: under(field_headings::TARGET) {
        /// who takes the check
        target: Vec<TargetFields> = required(Kind::tables(joined![TargetFields::FIELDS]))
            .label("targets").rule("A7.4");
    }
}

forms! {
    /// Fields of `morale-check`.
    struct MoraleForm {
        check: Check,
        checked: Checked,
        encircled: Encircled,
        quality: Quality,
        later: Readings,
    }
}

/// The `morale-check` action.
pub const ACTION: Action = Action::new(
    "morale-check",
    "a task check or morale check of a stack",
    MoraleForm::FIELDS,
    &|form| build(form, false),
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
.asks("How often does a {check|check} hurt the {target.unit|target}?")
.direction("2d6 against the morale level, low passes")
.off_table(
    "An Original 12 fails a morale check whatever the morale level (A10.31), but no task check. The \
     highest DR that passes a morale check pins (A7.8): a Final DR equal to the morale level, or an Original \
     11 where that is not enough to fail.",
)
.leaving(&["target"])
.with_leaving_build(&|form| build(form, true));

/// Stack that has to check.
struct MoraleCheck {
    personnel: Personnel,
    open: State,
    extras: Extras,
    /// Whether the targets stay in the state to the end.
    leaves: bool,
}

/// Rolls that are still due, and the counts so far; see [`super::pending_rolls`] for why this is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    pending: Pending,
    tally: Tally,
}

impl Combat for MoraleCheck {
    type State = State;
    type Outcome = Tally;

    fn open(&self) -> State {
        self.open
    }

    fn step(&self, mut state: State, dice: &mut impl Dice) -> State {
        self.personnel.roll(&mut state.pending, &mut state.tally, dice);
        state
    }

    fn outcome(&self, state: &State) -> Option<Tally> {
        let mut tally = state.tally;
        if self.leaves {
            self.personnel.count_all(&state.pending, &mut tally);
        }
        self.personnel.next(&state.pending).is_none().then_some(tally)
    }

    fn left(&self, state: &State) -> Vec<Later> {
        vec![self.personnel.roster.left(&state.pending.stack)]
    }

    fn vocabulary(&self) -> Vocabulary<Tally> {
        vocabulary(self.extras)
    }

    fn explain(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
        explain::pending(&self.personnel, &from.pending, rolls, &to.pending)
    }
}

/// Builds the contest of a form; `leaves` makes one whose targets stay in the state to the end.
fn build(form: &Form, leaves: bool) -> Result<Contest, Vec<Fault>> {
    let MoraleForm { check, checked, encircled, quality, later } = MoraleForm::read(form);
    let setting = fire_contest::setting(encircled.encircled, quality, later, leaves);
    let targets: Vec<Target> = checked.target.into_iter().map(Target::from).collect();
    let targets = targets::read(&targets, setting)?;
    if !targets.vehicles.is_empty() {
        return Err(vec![Fault::new("target", "vehicles have no morale to check")]);
    }
    let personnel = fire_contest::personnel(&targets, setting, quality, later, Selection::Together);
    let mut open = State { pending: Pending::of(targets.stack), tally: Tally::default() };
    let check = Cell::parse(&check.check).unwrap_or(Cell::NoEffect);
    personnel.apply_results(&mut open.pending, &mut open.tally, |_| check);
    let extras = fire_contest::extras(quality, later, false);
    Ok(Contest::of(MoraleCheck { personnel, open, extras, leaves }).growing_with(&["target.count"]))
}
