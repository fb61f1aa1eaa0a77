//! The `morale-check` action: a stack takes a task check or a morale check (A7.303–A7.305, A10.3).

use crate::catalogue::{Action, Contest};
use crate::combat::{Combat, Telling, Vocabulary};
use crate::dice::{Dice, Roll};
use crate::form::groups::{joined, readings, under};
use crate::form::{Fault, Field, Fields, Form, Kind};

use super::contest::{self, ELR, HEAT, LEADER_LOSS, RULES};
use super::data::Cell;
use super::headings;
use super::ordeal::{Ordeal, Personnel};
use super::outcome::{Extras, Tally, vocabulary};
use super::targets;
use super::tell;

const CHECK: Field = Field::required(
    "check",
    Kind::choice(&["PTC", "NMC", "1MC", "2MC", "3MC", "4MC"]),
    "the check that every unit takes",
)
.label("check")
.values(&[
    "Pin Task Check",
    "Normal Morale Check",
    "Morale Check +1",
    "Morale Check +2",
    "Morale Check +3",
    "Morale Check +4",
])
.from("A7.303-A7.305");

const FIELDS: Fields = joined![
    under(headings::CHECK, [CHECK]),
    under(headings::TARGET, [targets::CHECKED, targets::ENCIRCLED, ELR]),
    readings([HEAT, LEADER_LOSS, RULES]),
];

/// The `morale-check` action.
pub const ACTION: Action = Action::new(
    "morale-check",
    "a task check or morale check of a stack",
    FIELDS,
    &build,
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
    "An Original 12 fails a morale check whatever the morale level (A10.31), but no task check. A \
     Final DR equal to the morale level passes a morale check, but pins (A7.8).",
);

/// A stack that has to check.
struct MoraleCheck {
    personnel: Personnel,
    open: State,
    extras: Extras,
}

/// What is still to be rolled, and the counts so far; argued in [`super::ordeal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    ordeal: Ordeal,
    tally: Tally,
}

impl Combat for MoraleCheck {
    type State = State;
    type Outcome = Tally;

    fn open(&self) -> State {
        self.open
    }

    fn step(&self, mut state: State, dice: &mut impl Dice) -> State {
        self.personnel.roll(&mut state.ordeal, &mut state.tally, dice);
        state
    }

    fn outcome(&self, state: &State) -> Option<Tally> {
        self.personnel.next(&state.ordeal).is_none().then_some(state.tally)
    }

    fn vocabulary(&self) -> Vocabulary<Tally> {
        vocabulary(self.extras)
    }

    fn tell(&self, from: &State, rolls: &[Roll], to: &State) -> Telling {
        tell::ordeal(&self.personnel, &from.ordeal, rolls, &to.ordeal)
    }
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let setting = contest::setting(form, false);
    let targets = targets::read(form, setting)?;
    if !targets.vehicles.is_empty() {
        return Err(vec![Fault::new("target", "vehicles have no morale to check")]);
    }
    let personnel = contest::personnel(form, &targets, setting);
    let mut open = State { ordeal: Ordeal::of(targets.stack), tally: Tally::default() };
    let check = Cell::parse(form.text("check")).unwrap_or(Cell::NoEffect);
    personnel.suffer(&mut open.ordeal, &mut open.tally, |_| check);
    Ok(Contest::of(MoraleCheck { personnel, open, extras: contest::extras(form, false) })
        .growing_with(&["target.count"]))
}
