use super::*;
use crate::cancel::NEVER_CANCELLED;
use crate::graph::{CompiledContestLimits, DieGraph};
use crate::simulate::rng::{InstructionSet, dispatch_kernel};
use enfilade_model::combat::{AnyCombat, Combat, OutcomeField, OutcomeVocabulary};
use enfilade_model::dice::Dice;

/// Recorded bytes, repeated for ever.
struct Recorded<'a>(std::iter::Cycle<std::slice::Iter<'a, u8>>);

impl RandomByteGenerator for Recorded<'_> {
    fn fill_block<V: VectorOps>(&mut self, _: V, block: &mut [[u8; ROW_BYTES]]) {
        for (byte, recorded) in block.as_flattened_mut().iter_mut().zip(&mut self.0) {
            *byte = *recorded;
        }
    }
}

/// Every value of a byte, in an order without pattern, with a length prime to the block's.
fn recording() -> Vec<u8> {
    (0..40_009_u32).map(|i| (i.wrapping_mul(0x9E37_79B1) >> 13) as u8).collect()
}

/// Rule with a d`sides` whose faces below `split` are rolled again as a d6: two dice of different
/// kinds.
struct TwoDice {
    sides: u8,
    split: u8,
}

impl Combat for TwoDice {
    type State = Option<u8>;
    type Outcome = u8;

    fn initial_state(&self) -> Option<u8> {
        None
    }

    fn play_one_step(&self, _: Option<u8>, dice: &mut impl Dice) -> Option<u8> {
        let face = dice.die(self.sides);
        Some(if face < self.split { 100 + dice.die(6) } else { face })
    }

    fn outcome_if_over(&self, state: &Option<u8>) -> Option<u8> {
        *state
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("face", "", |&o| o.into())],
            measures: vec![],
        }
    }
}

fn graph(sides: u8, split: u8) -> DieGraph {
    let combat = AnyCombat::new(TwoDice { sides, split });
    DieGraph::compile_within_limits(&combat, CompiledContestLimits::default()).expect("small")
}

/// Rolls the chunk byte by byte, straight from the graph: node after node, each die takes the next
/// byte that shows one of its faces.
fn byte_by_byte(graph: &DieGraph, trials: u64, bytes: &[u8]) -> Vec<u64> {
    let mut bytes = bytes.iter().cycle();
    let mut waiting = vec![0; graph.vertex_count()];
    waiting[graph.start_vertex() as usize] = trials;
    for (index, node) in graph.nodes().enumerate().rev() {
        let faces: Vec<u32> = node
            .branches
            .iter()
            .flat_map(|branch| std::iter::repeat_n(branch.to, branch.faces.into()))
            .collect();
        for _ in 0..std::mem::take(&mut waiting[graph.first_node_vertex() + index]) {
            let per_face = 256 / faces.len();
            let shown = bytes.by_ref().map(|&byte| usize::from(byte) / per_face);
            let face = shown.into_iter().find(|&face| face < faces.len());
            waiting[faces[face.expect("the bytes cycle")] as usize] += 1;
        }
    }
    waiting.truncate(graph.endings().len());
    waiting
}

#[test]
fn the_hot_loop_counts_what_single_bytes_give() {
    let recording = recording();
    for isa in InstructionSet::ALL.into_iter().filter(|isa| isa.is_available()) {
        for (sides, split) in [(2, 2), (3, 2), (4, 1), (6, 3), (8, 5), (20, 11), (100, 30)] {
            let graph = graph(sides, split);
            let plan = RollableDieGraph::new(&graph);
            for trials in [0, 1, 63, 64, 65, 1000, 8192, 100_003] {
                let chunk = ChunkRollKernel {
                    plan: &plan,
                    trials,
                    bytes: Recorded(recording.iter().cycle()),
                    jumps: None,
                    halt: &NEVER_CANCELLED,
                };
                let expected = byte_by_byte(&graph, trials, &recording);
                let counts = dispatch_kernel(isa, chunk);
                assert_eq!(counts.endings, expected, "{isa} d{sides} {split} {trials}");
            }
        }
    }
}

#[test]
fn every_face_of_every_die_has_the_same_number_of_bytes() {
    let all: Vec<u8> = (0..=255).collect();
    for sides in 2..=255 {
        let graph = graph(sides, 0);
        let plan = RollableDieGraph::new(&graph);
        let faces = u64::from(sides);
        let trials = 256 / faces * faces;
        let chunk = ChunkRollKernel {
            plan: &plan,
            trials,
            bytes: Recorded(all.iter().cycle()),
            jumps: None,
            halt: &NEVER_CANCELLED,
        };
        let counts = dispatch_kernel(InstructionSet::Baseline, chunk).endings;
        assert_eq!(counts, vec![256 / faces; sides.into()], "d{sides}");
    }
}

#[path = "../../../tests/by_hand/stopped_chunks.rs"]
mod stopped_chunks;
