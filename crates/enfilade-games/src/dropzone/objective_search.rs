//! `search`: the turn in which a hidden objective is found.
//!
//! Source: quick reference, SEARCHING and SCANNING. A die plus the turn plus scan tokens; 7 finds
//! it. The state is the turn and the number of searches left in it: earlier failures change
//! nothing.

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::combat::vocabulary_macros::{columns, measures};
use enfilade_model::combat::{Combat, Explanation, Measure, MeasureKind, OutcomeField, Vocabulary};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupForm, fields};
use enfilade_model::form::{Fault, Form};

use super::shooting_fields::READINGS;

const TURN: IntRange = IntRange::new("turn", 1, 12);
const TOKENS: IntRange = IntRange::new("number of scan tokens", 0, 12);
const SEARCHERS: IntRange = IntRange::new("number of searchers", 1, 12);
const NEEDED: IntRange = IntRange::new("total", 1, 24);
const MODIFIER: IntRange = IntRange::new("modifier", -6, 6);

/// Heading of the fields of the search.
const SEARCH_HEADING: &str = "the search";

fields! {
    /// Fields of the search.
    struct ObjectiveSearchFields: under(SEARCH_HEADING) {
        /// the last turn searched in
        turns: u8 = int(TURN, 6).as_reading().with_label("last turn");
        /// the first turn searched in
        first_turn: u8 = int(TURN, 1).with_label("first turn");
        /// scan tokens discarded for every search
        scan_tokens: i64 = int(TOKENS, 0).with_rule("SCANNING").with_label("scan tokens").with_unit("tokens");
        /// units that search in a turn, one after another
        searchers: u8 = int(SEARCHERS, 1).with_label("searchers").with_unit("units");
        /// on every search, such as −2 for a Bloodthirsty unit
        modifier: i64 = int(MODIFIER, 0).with_label("other modifiers").as_rare();
    }

    /// Number of the rule.
    struct ObjectiveSearchRules {
        /// total that finds the objective
        needed: i64 = int(NEEDED, 7).with_rule("SEARCHING").with_label("total that finds it").with_group(READINGS)
            .as_rare();
    }
}

/// Catalogue entry.
pub const SEARCH_ACTION: Action = Action::new(
    "search",
    "the turn in which a hidden objective is found",
    joined![ObjectiveSearchFields::FIELDS, ObjectiveSearchRules::FIELDS],
    &build_contest,
    &[
        "scan_tokens = 1",
        "searchers = 3\nturns = 4",
        "first_turn = 3\nmodifier = -2",
        "first_turn = 6",
    ],
)
.with_question("How often is a hidden objective found by turn {turns|the last}?")
.with_off_table(
    "A turn in which more than a 6 is needed finds nothing; one in which 1 or less is needed \
     always does (SEARCHING).",
);

struct ObjectiveSearch {
    first: u8,
    last: u8,
    searchers: u8,
    bonus: i64,
    needed: i64,
}

fn build_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let own = ObjectiveSearchFields::read(form);
    let (first, last) = (own.first_turn, own.turns);
    if first > last {
        let problem = format!("`first_turn` is {first}, after the last turn, {last}");
        return Err(vec![Fault::new("first_turn", problem)]);
    }
    Ok(Contest::from_rule(ObjectiveSearch {
        first,
        last,
        searchers: own.searchers,
        bonus: own.scan_tokens + own.modifier,
        needed: ObjectiveSearchRules::read(form).needed,
    })
    .with_size_fields(&["turns", "searchers"]))
}

/// Turn, searches made in it, and whether the last one succeeded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SearchState {
    turn: u8,
    searched: u8,
    is_found: bool,
}

/// Turn of discovery, 0 for never.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SearchOutcome(u8);

impl SearchOutcome {
    fn is_found_by_turn(&self, turn: u8) -> bool {
        (1..=turn).contains(&self.0)
    }
}

impl Combat for ObjectiveSearch {
    type State = SearchState;
    type Outcome = SearchOutcome;

    fn initial_state(&self) -> SearchState {
        SearchState { turn: self.first, searched: 0, is_found: false }
    }

    /// SEARCHING: "Roll 1 dice and add turn number. If 7 or more, Objective becomes Open".
    /// SCANNING: "+1 … per Token".
    fn step(&self, mut state: SearchState, dice: &mut impl Dice) -> SearchState {
        state.is_found = i64::from(dice.die(6)) + i64::from(state.turn) + self.bonus >= self.needed;
        if state.is_found {
            state.searched = 0;
            return state;
        }
        state.searched += 1;
        if state.searched == self.searchers {
            (state.turn, state.searched) = (state.turn + 1, 0);
        }
        state
    }

    fn outcome(&self, state: &SearchState) -> Option<SearchOutcome> {
        match (state.is_found, state.turn > self.last) {
            (true, _) => Some(SearchOutcome(state.turn)),
            (false, true) => Some(SearchOutcome(0)),
            (false, false) => None,
        }
    }

    fn vocabulary(&self) -> Vocabulary<SearchOutcome> {
        let mut measures = measures! { o: SearchOutcome;
            /// the objective is found
            p_found = probability(o.0 > 0).label("found").as_headline();
        };
        measures.extend((1..=self.last).map(found_by_turn_measure));
        Vocabulary { fields: outcome_fields(), measures }
    }

    fn explain(&self, from: &SearchState, rolls: &[Roll], to: &SearchState) -> Explanation {
        let face = rolls.first().map_or(0, |roll| roll.face);
        let total = i64::from(face) + i64::from(from.turn) + self.bonus;
        let result = if to.is_found { "found" } else { "nothing" };
        let text = format!(
            "Turn {}: {face} + {} {:+} = {total}, {} needed: {result}.",
            from.turn, from.turn, self.bonus, self.needed
        );
        Explanation::new("Searching", text)
    }
}

fn outcome_fields() -> Vec<OutcomeField<SearchOutcome>> {
    columns! { o: SearchOutcome;
        /// whether the objective is found
        found = count(o.0 > 0).label("found").rule("SEARCHING");
        /// the turn in which it is found; 0: never
        turn = count(o.0).label("turn in which it is found").rule("SEARCHING");
    }
}

/// Creates the measure that the objective is found in this turn or before; there is one for every
/// turn played.
fn found_by_turn_measure(turn: u8) -> Measure<SearchOutcome> {
    let about = format!("it is found by turn {turn}");
    let found = move |o: &SearchOutcome| o.is_found_by_turn(turn).into();
    Measure::with_closure(format!("p_by_turn_{turn}"), about, MeasureKind::Event, found)
        .label(format!("found by turn {turn}"))
}
