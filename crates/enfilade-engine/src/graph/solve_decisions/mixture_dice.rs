//! Mixtures of options as dice of the graph.

use crate::graph::explore::{DecisionVertex, NextRollOrState};
use crate::graph::node::FacesWithSameTarget;
use crate::graph::node_interning::{DistinctNodes, merge_adjacent_equal_targets};
use enfilade_model::combat::OptionShares;

/// Adds the dice that draw an option by its share, and returns the first of them.
pub(super) fn add_mixture_dice(
    dice: &mut DistinctNodes<NextRollOrState>,
    shares: &OptionShares,
    choice: &DecisionVertex,
) -> NextRollOrState {
    let parts = ConsecutiveMixtureParts { first: 0, count: shares.total_part_count() };
    add_dice_for_parts(dice, shares, choice, shares.sides_of_drawing_dice(), parts)
}

/// Consecutive parts of a mixture.
#[derive(Clone, Copy)]
struct ConsecutiveMixtureParts {
    first: u64,
    count: u64,
}

/// Adds the dice that decide among some of the parts; as many as `sides` are left.
fn add_dice_for_parts(
    dice: &mut DistinctNodes<NextRollOrState>,
    shares: &OptionShares,
    choice: &DecisionVertex,
    sides: &[u8],
    ConsecutiveMixtureParts { first, count }: ConsecutiveMixtureParts,
) -> NextRollOrState {
    let decided = shares.option_owning_all_parts_in(first, count);
    let (None, Some((&die, later))) = (decided, sides.split_first()) else {
        let place = decided.and_then(|option| choice.place_among_open_options(option));
        return choice.options[place.unwrap_or(0)];
    };
    let count = count / u64::from(die);
    let faces = (0..u64::from(die)).map(|face| {
        let parts = ConsecutiveMixtureParts { first: first + face * count, count };
        FacesWithSameTarget { to: add_dice_for_parts(dice, shares, choice, later, parts), faces: 1 }
    });
    let faces: Vec<FacesWithSameTarget<NextRollOrState>> = faces.collect();
    let mut grouped = Vec::new();
    merge_adjacent_equal_targets(&faces, &mut grouped);
    match grouped[..] {
        [only] => only.to,
        _ => NextRollOrState::Die(dice.insert_or_find(die, &grouped)),
    }
}
