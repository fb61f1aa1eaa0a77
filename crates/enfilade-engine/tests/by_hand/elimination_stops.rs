//! Reasons for which an elimination stops, each with a loop that has no other.

use super::*;
use crate::graph::fraction::Fraction;

/// Builds a ring in which each vertex leads to the `ways` after it alike, and leaves with the same
/// share.
fn ring(places: usize, ways: usize) -> LoopLinearSystem<f64> {
    let share = 1.0 / (ways + 1) as f64;
    let row = |at: usize| (1..=ways).map(|by| (((at + by) % places) as u32, share)).collect();
    LoopLinearSystem { rows: (0..places).map(row).collect(), exits: vec![share; places] }
}

/// Eliminates up to a cost, and returns why it stopped and the vertices that are left.
fn stop_and_rest<N: LoopSystemNumber>(
    mut reduction: LoopElimination<N>,
    most: u64,
    dense: bool,
) -> (EliminationStopReason, usize) {
    let stop = reduction.eliminate_while_cheap(most, dense, &mut |_| true);
    (stop, reduction.remaining_vertex_count())
}

#[test]
fn a_full_block_is_left_whole_unless_it_is_too_small_or_too_large() {
    let full = |places: usize| LoopElimination::new(ring(places, places - 1));
    // 48 · 48 is more than 25 · 25, but of 48 vertices lists are enough.
    assert_eq!(stop_and_rest(full(49), u64::MAX, true), (EliminationStopReason::Dense, 49));
    assert_eq!(stop_and_rest(full(49), u64::MAX, false), (EliminationStopReason::End, 0));
    assert_eq!(stop_and_rest(full(48), u64::MAX, true), (EliminationStopReason::End, 0));
    // 2060 · 2060 is more than 2049 · 2049, but no block has 4097 vertices.
    let large = LoopElimination::new(ring(4097, 2060));
    assert_eq!(stop_and_rest(large, 0, true), (EliminationStopReason::Cost, 4097));
}

#[test]
fn rows_beyond_the_memory_are_not_begun() {
    let most = MAX_ROW_MEMORY_BYTES / size_of::<VertexShare<f64>>();
    for (shares, expected) in
        [(most, (EliminationStopReason::End, 0)), (most + 1, (EliminationStopReason::Beyond, 3))]
    {
        let mut reduction = LoopElimination::new(ring(3, 2));
        reduction.share_count = shares;
        assert_eq!(stop_and_rest(reduction, u64::MAX, false), expected, "{shares}");
    }
}

#[test]
fn who_counts_the_products_can_stop() {
    let mut reduction = LoopElimination::new(ring(3, 2));
    let mut asked = Vec::new();
    let stop = reduction.eliminate_while_cheap(u64::MAX, false, &mut |products| {
        asked.push(products);
        asked.len() < 2
    });
    // A row of two shares and its divisor, substituted into two others.
    assert_eq!((stop, asked), (EliminationStopReason::Beyond, vec![0, 6]));
    assert_eq!(reduction.remaining_vertex_count(), 2);
}

#[test]
fn a_vertex_that_leaves_by_too_little_is_not_eliminated() {
    for (exit, expected) in [
        (0.0, (EliminationStopReason::Beyond, 1)),
        (1e-291, (EliminationStopReason::Beyond, 1)),
        (1e-289, (EliminationStopReason::End, 0)),
    ] {
        let mut system = LoopLinearSystem::new(1);
        system.add_exit_share(0, &exit);
        assert_eq!(stop_and_rest(LoopElimination::new(system), 0, false), expected, "{exit}");
    }
    let never = LoopElimination::new(LoopLinearSystem::<Fraction>::new(1));
    assert_eq!(stop_and_rest(never, 0, false), (EliminationStopReason::Beyond, 1));
}

#[test]
fn a_fraction_divides_if_it_is_neither_zero_nor_too_long() {
    // 255 to the power of 512 has 8 · 512 binary digits less 2, to the power of 1024 twice as many.
    let power = |doublings: u32| {
        let first = Fraction::ratio_of_u8(1, 255);
        (0..doublings).fold(first, |share, _| share.product_with(&share))
    };
    assert!(power(9).can_divide_without_loss() && !power(10).can_divide_without_loss());
    assert!(!Fraction::zero().can_divide_without_loss());
}
