//! `search`: the turn in which a hidden objective is found.
//!
//! Source: quick reference, SEARCHING and SCANNING. A die plus the turn plus scan tokens; 7 finds
//! it. The state is the turn and the number of searches left in it: earlier failures change
//! nothing.

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::vocabulary_macros::{columns, measures};
use enfilade_model::combat::{
    Combat, CombatStepExplanation, Measure, MeasureKind, OutcomeField, OutcomeVocabulary,
};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, fields};
use enfilade_model::form::{Fault, Form};

use super::shooting_fields::READINGS_HEADING;

const TURN_NUMBER_RANGE: IntRange = IntRange::new("turn", 1, 12);
const SCAN_TOKEN_RANGE: IntRange = IntRange::new("number of scan tokens", 0, 12);
const SEARCHER_COUNT_RANGE: IntRange = IntRange::new("number of searchers", 1, 12);
const NEEDED_TOTAL_RANGE: IntRange = IntRange::new("total", 1, 24);
const SEARCH_MODIFIER_RANGE: IntRange = IntRange::new("modifier", -6, 6);

/// Heading of the fields of the search.
const SEARCH_HEADING: &str = "the search";

fields! {
    /// Fields of the search.
    struct ObjectiveSearchFields: put_under_heading(SEARCH_HEADING) {
        /// the last turn searched in
        turns: u8 = new_whole_number(TURN_NUMBER_RANGE, 6).marked_as_interpretation().with_player_name("last turn");
        /// the first turn searched in
        first_turn: u8 = new_whole_number(TURN_NUMBER_RANGE, 1).with_player_name("first turn");
        /// scan tokens discarded for every search
        scan_tokens: i64 = new_whole_number(SCAN_TOKEN_RANGE, 0).with_rule_reference("SCANNING").with_player_name("scan tokens").with_unit("tokens");
        /// units that search in a turn, one after another
        searchers: u8 = new_whole_number(SEARCHER_COUNT_RANGE, 1).with_player_name("searchers").with_unit("units");
        /// on every search, such as −2 for a Bloodthirsty unit
        modifier: i64 = new_whole_number(SEARCH_MODIFIER_RANGE, 0).with_player_name("other modifiers").as_rarely_changed();
    }

    /// Number of the rule.
    struct NeededTotalField {
        /// total that finds the objective
        needed: i64 = new_whole_number(NEEDED_TOTAL_RANGE, 7).with_rule_reference("SEARCHING").with_player_name("total that finds it").with_heading(READINGS_HEADING)
            .as_rarely_changed();
    }
}

/// Catalogue entry.
pub const OBJECTIVE_SEARCH_ACTION: RulebookAction = RulebookAction::new(
    "search",
    "the turn in which a hidden objective is found",
    joined![ObjectiveSearchFields::FIELDS, NeededTotalField::FIELDS],
    &build_search_contest,
    &[
        "scan_tokens = 1",
        "searchers = 3\nturns = 4",
        "first_turn = 3\nmodifier = -2",
        "first_turn = 6",
    ],
)
.with_title_question("How often is a hidden objective found by turn {turns|the last}?")
.with_off_table(
    "A turn in which more than a 6 is needed finds nothing; one in which 1 or less is needed \
     always does (SEARCHING).",
);

struct ObjectiveSearchCombat {
    first: u8,
    last: u8,
    searchers: u8,
    bonus: i64,
    needed: i64,
}

fn build_search_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let own = ObjectiveSearchFields::read(form);
    let (first, last) = (own.first_turn, own.turns);
    if first > last {
        let problem = format!("`first_turn` is {first}, after the last turn, {last}");
        return Err(vec![Fault::new("first_turn", problem)]);
    }
    Ok(Contest::from_rule(ObjectiveSearchCombat {
        first,
        last,
        searchers: own.searchers,
        bonus: own.scan_tokens + own.modifier,
        needed: NeededTotalField::read(form).needed,
    })
    .with_size_fields(&["turns", "searchers"]))
}

/// Turn, searches made in it, and whether the last one succeeded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ObjectiveSearchState {
    turn: u8,
    searched: u8,
    is_found: bool,
}

/// Turn of discovery, 0 for never.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ObjectiveDiscoveryTurn(u8);

impl ObjectiveDiscoveryTurn {
    fn is_found_by_turn(&self, turn: u8) -> bool {
        (1..=turn).contains(&self.0)
    }
}

impl Combat for ObjectiveSearchCombat {
    type State = ObjectiveSearchState;
    type Outcome = ObjectiveDiscoveryTurn;

    fn initial_state(&self) -> ObjectiveSearchState {
        ObjectiveSearchState { turn: self.first, searched: 0, is_found: false }
    }

    /// SEARCHING: "Roll 1 dice and add turn number. If 7 or more, Objective becomes Open".
    /// SCANNING: "+1 … per Token".
    fn play_one_step(
        &self,
        mut state: ObjectiveSearchState,
        dice: &mut impl Dice,
    ) -> ObjectiveSearchState {
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

    fn outcome_if_over(&self, state: &ObjectiveSearchState) -> Option<ObjectiveDiscoveryTurn> {
        match (state.is_found, state.turn > self.last) {
            (true, _) => Some(ObjectiveDiscoveryTurn(state.turn)),
            (false, true) => Some(ObjectiveDiscoveryTurn(0)),
            (false, false) => None,
        }
    }

    fn vocabulary(&self) -> OutcomeVocabulary<ObjectiveDiscoveryTurn> {
        let mut measures = measures! { o: ObjectiveDiscoveryTurn;
            /// the objective is found
            p_found = probability(o.0 > 0).label("found").with_headline_role();
        };
        measures.extend((1..=self.last).map(found_by_turn_measure));
        OutcomeVocabulary { fields: search_outcome_fields(), measures }
    }

    fn explain_step(
        &self,
        from: &ObjectiveSearchState,
        rolls: &[RolledDie],
        to: &ObjectiveSearchState,
    ) -> CombatStepExplanation {
        let face = rolls.first().map_or(0, |roll| roll.face);
        let total = i64::from(face) + i64::from(from.turn) + self.bonus;
        let result = if to.is_found { "found" } else { "nothing" };
        let text = format!(
            "Turn {}: {face} + {} {:+} = {total}, {} needed: {result}.",
            from.turn, from.turn, self.bonus, self.needed
        );
        CombatStepExplanation::new("Searching", text)
    }
}

fn search_outcome_fields() -> Vec<OutcomeField<ObjectiveDiscoveryTurn>> {
    columns! { o: ObjectiveDiscoveryTurn;
        /// whether the objective is found
        found = count(o.0 > 0).label("found").rule("SEARCHING");
        /// the turn in which it is found; 0: never
        turn = count(o.0).label("turn in which it is found").rule("SEARCHING");
    }
}

/// Creates the measure that the objective is found in this turn or before; there is one for every
/// turn played.
fn found_by_turn_measure(turn: u8) -> Measure<ObjectiveDiscoveryTurn> {
    let about = format!("it is found by turn {turn}");
    let is_found = move |o: &ObjectiveDiscoveryTurn| o.is_found_by_turn(turn).into();
    Measure::with_closure(format!("p_by_turn_{turn}"), about, MeasureKind::Event, is_found)
        .label(format!("found by turn {turn}"))
}
