//! Default numbers of the actions.

use super::super::{attack, duel};
use enfilade_model::form::{DefaultValue, Field};

/// Returns the default shots of a 30° arc in `attack`.
pub fn default_arc_shots() -> i64 {
    default_field_number(&attack::AttackFields::FIELDS, "arc_30_shots")
}

/// Returns the default number of activations that `crewed-duel` takes for `ap` of a crewed weapon.
pub fn default_activations_for_ap(ap: &str) -> usize {
    let [lost, per_move] = [ap, "ap_per_move"]
        .map(|ap| default_field_number(&duel::DuelFields::FIELDS, ap).unsigned_abs());
    lost.div_ceil(per_move) as usize
}

/// Returns the default number of a field.
pub fn default_field_number(group: &[Field], name: &str) -> i64 {
    let mut named = group.iter().filter(|field| field.name == *name);
    match named.next().map(|field| &field.preset) {
        Some(DefaultValue::Int(n)) => *n,
        _ => unreachable!("`{name}` has a default"),
    }
}
