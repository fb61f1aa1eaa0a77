//! `search`: when a hidden objective is found.
//!
//! Source: quick reference, SEARCHING and SCANNING. A die plus the turn plus scan tokens; 7 finds
//! it. The state is the turn and who still searches in it: earlier failures change nothing.

use crate::bounds::Bound;
use crate::catalogue::{Action, Contest};
use crate::combat::{AnyCombat, Combat, Measure, OutcomeField, Telling, Vocabulary};
use crate::dice::{Dice, Roll};
use crate::form::{Fault, Field, Form};
use crate::form::{Words, groups::joined};

const TURN: Bound = Bound::new("turn", 1, 12);
const TOKENS: Bound = Bound::new("number of scan tokens", 0, 12);
const SEARCHERS: Bound = Bound::new("number of searchers", 1, 12);
const NEEDED: Bound = Bound::new("total", 1, 24);
const MODIFIER: Bound = Bound::new("modifier", -6, 6);

const FIELDS: &[Field] = &[
    Field::int("turns", TURN, 6, "the last turn searched in").assumed(),
    Field::int("first_turn", TURN, 1, "the first turn searched in"),
    Field::int(
        "scan_tokens",
        TOKENS,
        0,
        "scan tokens discarded for every search",
    )
    .from("SCANNING"),
    Field::int(
        "searchers",
        SEARCHERS,
        1,
        "units that search in a turn, one after another",
    ),
    Field::int(
        "modifier",
        MODIFIER,
        0,
        "on every search, such as −2 for a Bloodthirsty unit",
    ),
    Field::int("needed", NEEDED, 7, "total that finds the objective").from("SEARCHING"),
];

/// The catalogue entry.
pub const SEARCH: Action = Action::new(
    "search",
    "the turn in which a hidden objective is found",
    joined![*FIELDS],
    &build,
    &[
        "scan_tokens = 1",
        "searchers = 3\nturns = 4",
        "first_turn = 3\nmodifier = -2",
        "first_turn = 6",
    ],
);

struct Search {
    first: u8,
    last: u8,
    searchers: u8,
    bonus: i64,
    needed: i64,
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let (first, last) = (form.int("first_turn"), form.int("turns"));
    if first > last {
        let problem = format!("`first_turn` is {first}, after the last turn, {last}");
        return Err(vec![Fault::new("first_turn", problem)]);
    }
    Ok(Contest {
        combat: AnyCombat::new(Search {
            first: first as u8,
            last: last as u8,
            searchers: form.int("searchers") as u8,
            bonus: form.int("scan_tokens") + form.int("modifier"),
            needed: form.int("needed"),
        }),
        notes: Vec::new(),
        grows_with: Words::Static(&["turns", "searchers"]),
    })
}

/// The turn, who has searched in it, and whether the last one found it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Hunt {
    turn: u8,
    searched: u8,
    found: bool,
}

/// The turn of discovery, 0 for never.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Found(u8);

impl Found {
    fn by(&self, turn: u8) -> bool {
        (1..=turn).contains(&self.0)
    }
}

impl Combat for Search {
    type State = Hunt;
    type Outcome = Found;

    fn open(&self) -> Hunt {
        Hunt {
            turn: self.first,
            searched: 0,
            found: false,
        }
    }

    fn step(&self, mut hunt: Hunt, dice: &mut impl Dice) -> Hunt {
        hunt.found = i64::from(dice.die(6)) + i64::from(hunt.turn) + self.bonus >= self.needed;
        if hunt.found {
            hunt.searched = 0;
            return hunt;
        }
        hunt.searched += 1;
        if hunt.searched == self.searchers {
            (hunt.turn, hunt.searched) = (hunt.turn + 1, 0);
        }
        hunt
    }

    fn outcome(&self, hunt: &Hunt) -> Option<Found> {
        match (hunt.found, hunt.turn > self.last) {
            (true, _) => Some(Found(hunt.turn)),
            (false, true) => Some(Found(0)),
            (false, false) => None,
        }
    }

    fn vocabulary(&self) -> Vocabulary<Found> {
        Vocabulary {
            fields: vec![
                OutcomeField::new("found", "whether the objective is found", |o: &Found| {
                    (o.0 > 0).into()
                }),
                OutcomeField::new("turn", "the turn in which it is found; 0: never", |o| {
                    o.0.into()
                }),
            ],
            measures: vec![
                Measure::probability("p_found", "the objective is found", |o: &Found| o.0 > 0),
                Measure::probability("p_by_turn_1", "it is found by turn 1", |o| o.by(1)),
                Measure::probability("p_by_turn_2", "it is found by turn 2", |o| o.by(2)),
                Measure::probability("p_by_turn_3", "it is found by turn 3", |o| o.by(3)),
                Measure::probability("p_by_turn_4", "it is found by turn 4", |o| o.by(4)),
                Measure::probability("p_by_turn_5", "it is found by turn 5", |o| o.by(5)),
                Measure::probability("p_by_turn_6", "it is found by turn 6", |o| o.by(6)),
            ],
        }
    }

    fn tell(&self, from: &Hunt, rolls: &[Roll], to: &Hunt) -> Telling {
        let face = rolls.first().map_or(0, |roll| roll.face);
        let total = i64::from(face) + i64::from(from.turn) + self.bonus;
        let result = if to.found { "found" } else { "nothing" };
        let text = format!(
            "Turn {}: {face} + {} {:+} = {total}, {} needed: {result}.",
            from.turn, from.turn, self.bonus, self.needed
        );
        Telling::new("Searching", text)
    }
}
