//! Numbers as the actions have them where nothing is said.

use super::super::{attack, duel};
use enfilade_model::form::{Field, Preset};

/// Shots of a 30° arc, as `attack` has them where nothing is said.
pub fn arc_shots() -> i64 {
    default_of(&attack::Own::FIELDS, "arc_30_shots")
}

/// Activations lost to `ap` of a crewed weapon, as `crewed-duel` has them where nothing is said.
pub fn lost(ap: &str) -> usize {
    let [lost, per_move] =
        [ap, "ap_per_move"].map(|ap| default_of(&duel::Own::FIELDS, ap).unsigned_abs());
    lost.div_ceil(per_move) as usize
}

/// The number that a field holds where nothing is said.
pub fn default_of(group: &[Field], name: &str) -> i64 {
    let mut named = group.iter().filter(|field| field.name == *name);
    match named.next().map(|field| &field.preset) {
        Some(Preset::Int(n)) => *n,
        _ => unreachable!("`{name}` has a default"),
    }
}
