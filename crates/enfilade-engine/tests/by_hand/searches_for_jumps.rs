//! Search for jumps: where it is given up, loops are rolled round by round.

use super::*;
use crate::graph::CompiledContestLimits;
use enfilade_model::combat::{AnyCombat, Combat, OutcomeField, OutcomeVocabulary};
use enfilade_model::dice::Dice;

/// Door that opens when two d100 show 1.
struct RareDoor;

impl Combat for RareDoor {
    type State = bool;
    type Outcome = bool;

    fn initial_state(&self) -> bool {
        false
    }

    fn play_one_step(&self, _: bool, dice: &mut impl Dice) -> bool {
        dice.die(100) == 1 && dice.die(100) == 1
    }

    fn outcome_if_over(&self, is_open: &bool) -> Option<bool> {
        is_open.then_some(true)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<bool> {
        let is_open = OutcomeField::new("open", "whether the door opens", |open| i32::from(*open));
        OutcomeVocabulary { fields: vec![is_open], measures: vec![] }
    }
}

/// A round has two nodes, so a search that may visit one more ends at the second.
#[test]
fn a_search_among_too_many_nodes_is_given_up() {
    let graph = DieGraph::compile_within_limits(
        &AnyCombat::new(RareDoor),
        CompiledContestLimits::default(),
    )
    .expect("it is small");
    let condensed = Condensation::from_graph(&graph);
    for (left, is_found) in [(2, true), (1, false)] {
        let mut finder = LoopFinder {
            graph: &graph,
            rare: MAX_LEAVING_SHARE,
            inside: vec![false; graph.vertex_count()],
            looked_at: MAX_JUMP_SEARCH_NODES - left,
        };
        let (mut jumps, mut loops) = (vec![None; 1], 0);
        for group in condensed.groups(&graph) {
            if let VertexGroup::Loop(places) = group {
                let found = finder.build_loop_group(places, &mut jumps);
                assert!(matches!(found, SingleVertexOrLoop::Loop(nodes, _) if nodes.len() == 2));
                loops += 1;
            }
        }
        assert_eq!((loops, jumps[0].is_some()), (1, is_found), "{left}");
    }
}
