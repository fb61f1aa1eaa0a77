//! Volleys of independent shots, declared as copies: endings that several sums share, shots that
//! may never end, and graphs in a slot that contests share.

use std::sync::Arc;

use super::{CompiledContestLimits, DieGraph};
use crate::cancel::NEVER_CANCELLED;
use crate::error::SolveError;
use crate::exact::solve_graph_distribution;
use enfilade_model::combat::frontier::FrontierStateSet;
use enfilade_model::combat::independent_copies::{CopyEffectCounts, IndependentCopies};
use enfilade_model::combat::{
    AnyCombat, Combat, CombatStepExplanation, Ending, ErasedCombat, FieldChange, OutcomeField,
    OutcomeVocabulary, SharedStructureSlot, StateNumbering,
};
use enfilade_model::dice::{Dice, RolledDie};

/// Shots that each hit on 6; the outcome is whether any hits. A gun that jams does so on 1, and for
/// ever.
#[derive(Clone, Copy)]
pub(crate) struct Volley {
    pub(crate) shots: u8,
    pub(crate) jams: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Fired {
    shots: u8,
    any: bool,
    is_jammed: bool,
}

impl Combat for Volley {
    type State = Fired;
    type Outcome = bool;

    fn initial_state(&self) -> Fired {
        Fired { shots: 0, any: false, is_jammed: false }
    }

    fn play_one_step(&self, fired: Fired, dice: &mut impl Dice) -> Fired {
        if fired.is_jammed {
            return fired;
        }
        match dice.die(6) {
            1 if self.jams => Fired { is_jammed: true, ..fired },
            face => Fired { shots: fired.shots + 1, any: fired.any || face == 6, ..fired },
        }
    }

    fn outcome_if_over(&self, fired: &Fired) -> Option<bool> {
        (fired.shots == self.shots).then_some(fired.any)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<bool> {
        let any = OutcomeField::new("any", "whether any shot hits", |any| i32::from(*any));
        OutcomeVocabulary { fields: vec![any], measures: vec![] }
    }

    fn as_independent_copies(&self) -> Option<IndependentCopies<Volley>> {
        Some(IndependentCopies {
            one: Volley { shots: 1, ..*self },
            count: self.shots.into(),
            effect: |any| [u16::from(*any), 0, 0, 0],
            most: [u16::MAX; 4],
        })
    }

    fn outcome_of_sum(&self, sum: &CopyEffectCounts) -> Option<bool> {
        Some(sum[0] > 0)
    }
}

fn compiled(shots: u8, jams: bool) -> DieGraph {
    let combat = AnyCombat::new(Volley { shots, jams });
    DieGraph::compile_within_limits(&combat, CompiledContestLimits::default()).expect("small")
}

/// One, two and three hits of three are one ending: 1 − (5/6)³.
#[test]
fn sums_with_one_outcome_share_an_ending() {
    let graph = compiled(3, false);
    let copies = graph.copied_part_and_sums().expect("it consists of copies");
    assert_eq!((copies.sum_count(), graph.endings().len()), (4, 2));
    assert_eq!(copies.ending_vertex_by_sum(), [0, 1, 1, 1]);
    let found = solve_graph_distribution(&graph).probabilities;
    assert!((found[1] - 91.0 / 216.0).abs() < 1e-15, "{found:?}");
}

/// With 1 − (5/6)³ one of three shots jams; (4/6)³ is no jam and no hit.
#[test]
fn shots_that_may_never_end_are_compiled_as_a_whole() {
    let graph = compiled(3, true);
    assert!(graph.copied_part_and_sums().is_none());
    let law = solve_graph_distribution(&graph);
    assert!((law.never - 91.0 / 216.0).abs() < 1e-15, "{}", law.never);
    assert!((law.probabilities[0] - 64.0 / 216.0).abs() < 1e-15, "{:?}", law.probabilities);
}

/// Volley whose graph is shared with others.
struct InSlot {
    volley: AnyCombat,
    slot: Arc<SharedStructureSlot>,
}

impl ErasedCombat for InSlot {
    fn structure_cache_slot(&self) -> Option<&Arc<SharedStructureSlot>> {
        Some(&self.slot)
    }

    fn new_state_numbering(&self) -> Box<dyn StateNumbering + '_> {
        self.volley.new_state_numbering()
    }

    fn new_empty_frontier(&self) -> Box<dyn FrontierStateSet + '_> {
        self.volley.new_empty_frontier()
    }

    fn play_one_trial(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        _: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        self.volley.play_one_trial(dice, max_steps)
    }

    fn play_with_step_listener(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[RolledDie], CombatStepExplanation) -> bool,
        _: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        self.volley.play_with_step_listener(dice, listen)
    }
}

fn in_slot(slot: &Arc<SharedStructureSlot>) -> AnyCombat {
    let volley = AnyCombat::new(Volley { shots: 3, jams: false });
    let heads = volley.result_columns().clone();
    AnyCombat::from_erased_combat(Box::new(InSlot { volley, slot: Arc::clone(slot) }), heads)
}

/// Without copies there are 7 states: before a shot, and after each of three with a hit or none.
#[test]
fn a_shared_graph_does_not_lift_the_limit_of_the_next_contest() {
    let slot = Arc::default();
    let volleys = [in_slot(&slot), in_slot(&slot)];
    let compile = |volley: &AnyCombat, states| {
        let limits = CompiledContestLimits { states, ..CompiledContestLimits::default() };
        DieGraph::compile_or_share_same_graph(volley, &limits, &NEVER_CANCELLED)
    };
    let first = compile(&volleys[0], 7).expect("it has 7 states");
    assert_eq!(first.reached_state_count(), 7);
    let same = compile(&volleys[1], 7).expect("it has 7 states");
    assert!(Arc::ptr_eq(&first, &same));
    let why = compile(&volleys[1], 6).expect_err("it has 7 states");
    assert!(matches!(&why, SolveError::TooLarge(large) if large.what == "states"), "{why}");
}
