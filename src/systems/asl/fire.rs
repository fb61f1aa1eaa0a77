//! The `fire` action: one attack on one Location (A7.3).
//!
//! Why the state is enough: before the DR there is only the opening state; after it, what is still
//! to be resolved is the ordeal of the Personnel, whose state is argued in [`super::ordeal`]. The DR
//! itself is forgotten as soon as its results are known. An attack that is over is its tally alone.

use crate::bounds::Bound;
use crate::combat::{AnyCombat, Combat, Telling, Vocabulary};
use crate::dice::{Dice, Roll};
use crate::form::{Fault, Field, Form, Kind, Preset};
use crate::systems::{Action, Contest};

use super::attack::Attack;
use super::data::{Table, library};
use super::drm;
use super::numbers::{self, Numbers};
use super::ordeal::{Ordeal, Personnel};
use super::outcome::{Count, Extras, Tally, vocabulary};
use super::targets::{self, Setting};
use super::tell;

const FIREPOWER: Bound = Bound::new("firepower", 0, 1000);
const ELR_RANGE: Bound = Bound::new("Experience Level Rating", 0, 5);
const BREAKDOWN: Bound = Bound::new("breakdown number", 2, 12);

/// `elr`.
pub const ELR: Field = Field::optional(
    "elr",
    Kind::Int(&ELR_RANGE),
    "Experience Level Rating: who fails a morale check by more is replaced; absent: nobody",
)
.from("A19.1");

/// `heat_of_battle`.
pub const HEAT: Field = Field::flag(
    "heat_of_battle",
    false,
    "count the morale checks that set off heat of battle; it has no effect on the unit",
)
.from("A15.1");

/// `leader_loss`.
pub const LEADER_LOSS: Field = Field::flag(
    "leader_loss",
    true,
    "units of lower morale check for a leader who breaks or is eliminated, after the attack",
)
.from("A10.2")
.assumed();

/// `rules`.
pub const RULES: Field = Field::new(
    "rules",
    Kind::Table(numbers::FIELDS),
    Preset::Empty,
    "the numbers of the rules, for trying out others",
);

const FIELDS: &[Field] = &[
    Field::choice("table", &["ift", "iift"], "fire table").from("A7.3, A7.37"),
    Field::optional(
        "fp",
        Kind::Fraction(&FIREPOWER),
        "total firepower after all modifiers",
    )
    .from("A7.2"),
    drm::NET,
    drm::NAMED,
    Field::optional(
        "leader",
        Kind::Name(targets::leader_names),
        "leader who directs the fire: he adds his modifier and prevents cowering",
    )
    .from("A7.531, A7.9"),
    Field::flag(
        "inexperienced",
        false,
        "inexperienced firers cower by more columns",
    )
    .from("A7.9"),
    Field::flag("cowers", true, "whether an undirected attack cowers").from("A7.9"),
    Field::optional(
        "breakdown",
        Kind::Int(&BREAKDOWN),
        "breakdown number of the gun behind `fp`",
    )
    .from("A9.7"),
    targets::TARGETS,
    targets::ENCIRCLED,
    ELR,
    HEAT,
    LEADER_LOSS,
    RULES,
];

/// The `fire` action.
pub const ACTION: Action = Action {
    name: "fire",
    about: "one fire attack on one Location",
    fields: FIELDS,
    build,
    samples: SAMPLES,
};

const SAMPLES: &[&str] = &[
    "fp = 8\ndrm = -1\n[[target]]\nkind = \"squad\"\nmorale = 7",
    "fp = 16\nleader = \"8-0\"\nelr = 2\nheat_of_battle = true\n\
     [[target]]\nunit = \"4-4-7\"\nnation = \"Russian\"\ncount = 2\n[[target]]\nleader = \"8-1\"",
    "fp = 5\ntable = \"iift\"\ninexperienced = true\nmodifiers = [\"FFMO\", \"FFNAM\", \"smoke\"]\n\
     [[target]]\nkind = \"hero\"\nmorale = 9\n[[target]]\nunit = \"4-6-7\"\nbroken = true",
];

/// One attack on one Location.
pub struct Fire {
    attack: Attack,
    personnel: Personnel,
    open: Ordeal,
    extras: Extras,
}

/// How far the attack has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    stage: Stage,
    ordeal: Ordeal,
    tally: Tally,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stage {
    Attack,
    Personnel,
    Over,
}

impl Combat for Fire {
    type State = State;
    type Outcome = Tally;

    fn open(&self) -> State {
        State {
            stage: Stage::Attack,
            ordeal: self.open,
            tally: Tally::default(),
        }
    }

    fn step(&self, mut state: State, dice: &mut impl Dice) -> State {
        match state.stage {
            Stage::Attack => self.fire(&mut state, dice),
            Stage::Personnel => {
                self.personnel
                    .roll(&mut state.ordeal, &mut state.tally, dice);
            }
            Stage::Over => {}
        }
        if self.personnel.next(&state.ordeal).is_none() {
            state.stage = Stage::Over;
        }
        state
    }

    fn outcome(&self, state: &State) -> Option<Tally> {
        (state.stage == Stage::Over).then_some(state.tally)
    }

    fn vocabulary(&self) -> Vocabulary<Tally> {
        vocabulary(self.extras)
    }

    fn tell(&self, from: &State, rolls: &[Roll], to: &State) -> Telling {
        match from.stage {
            Stage::Attack => tell::attack(&self.attack, self.drm(&from.ordeal), rolls),
            Stage::Personnel => tell::ordeal(&self.personnel, &from.ordeal, rolls, &to.ordeal),
            Stage::Over => Telling::default(),
        }
    }
}

impl Fire {
    /// A7.3: the DR, its result, and whom it concerns.
    fn fire(&self, state: &mut State, dice: &mut impl Dice) {
        let (coloured, white) = (dice.die(6), dice.die(6));
        let reading = self.attack.read(coloured, white);
        state
            .tally
            .add_many(Count::Malfunction, reading.malfunctions);
        let result = self.attack.result(&reading, self.drm(&state.ordeal));
        state.stage = Stage::Personnel;
        self.personnel
            .suffer(&mut state.ordeal, &mut state.tally, result);
    }

    /// A7.83: modifiers for movement do not count against Infantry that is pinned.
    fn drm(&self, targets: &Ordeal) -> i32 {
        let units = targets.stack.units();
        let pinned = units.iter().all(|unit| unit.has(super::unit::PINNED));
        if pinned && !units.is_empty() {
            self.attack.drm_pinned
        } else {
            self.attack.drm
        }
    }
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let numbers = Numbers::read(form);
    let setting = Setting {
        encircled: form.flag("encircled"),
        elr: form.has("elr"),
        leader_loss: form.flag("leader_loss"),
        again: false,
        numbers,
    };
    let attack = attack(form, &numbers).map_err(|fault| vec![fault]);
    let targets = targets::read(form, setting);
    let (attack, targets) = match (attack, targets) {
        (Ok(attack), Ok(targets)) => (attack, targets),
        (attack, targets) => {
            let faults = attack.err().into_iter().chain(targets.err());
            return Err(faults.flatten().collect());
        }
    };
    if !targets.vehicles.is_empty() {
        return Err(vec![Fault::new("target", "vehicles are not played yet")]);
    }
    let extras = Extras {
        heat_of_battle: form.flag("heat_of_battle"),
        replaced: form.has("elr"),
        attacks: false,
    };
    let fire = Fire {
        attack,
        personnel: Personnel {
            roster: targets.roster,
            numbers,
            elr: form.maybe_int("elr").map(|elr| elr as i32),
            heat_of_battle: extras.heat_of_battle,
            leader_loss: setting.leader_loss,
            again: false,
        },
        open: Ordeal::of(targets.stack),
        extras,
    };
    Ok(Contest {
        combat: AnyCombat::new(fire),
        notes: notes(form),
        grows_with: &["target.count"],
    })
}

/// What a reader of the result must know.
fn notes(form: &Form) -> Vec<String> {
    let unverified = form.text("table") == "iift";
    unverified
        .then(|| "unverified table".to_owned())
        .into_iter()
        .collect()
}

/// The fire table of a contest.
fn table(form: &Form) -> &'static Table {
    match form.text("table") {
        "iift" => &library().iift,
        _ => &library().ift,
    }
}

fn attack(form: &Form, numbers: &Numbers) -> Result<Attack, Fault> {
    let table = table(form);
    let leader = form.maybe_text("leader").map(|name| library().leader(name));
    let sums = drm::sums(form, leader.map_or(0, |leader| leader.drm.into()))?;
    let firepower = form.maybe_fraction("fp").unwrap_or(0);
    let column = table
        .column_for(firepower)
        .ok_or_else(|| Fault::new("fp", "less than 1 firepower factor is no attack"))?;
    let cowering = match (leader, form.flag("cowers"), form.flag("inexperienced")) {
        (Some(_), ..) | (_, false, _) => 0,
        (None, true, false) => numbers.cowering_columns,
        (None, true, true) => numbers.inexperienced_cowering_columns,
    };
    let breakdown = form.maybe_int("breakdown");
    Ok(Attack {
        table,
        firepower,
        column,
        cowering: u8::try_from(cowering).unwrap_or(0),
        drm: sums.personnel,
        drm_pinned: sums.pinned,
        drm_vehicle: sums.vehicle,
        drm_collateral: sums.collateral,
        breakdowns: breakdown
            .into_iter()
            .filter_map(|b| u8::try_from(b).ok())
            .collect(),
        account: String::new(),
    })
}
