//! The numbers of a rulebook that a search may change, with what is printed.

use enfilade_model::catalogue::RulebookAction;

use crate::changed_numbers::collect_number_names;
use crate::number_path::{NumberPath, RULEBOOK_CHANGES_KEY};

/// Lists the numbers of the rulebook that contests of an action may change, each with its printed
/// value.
pub fn list_rulebook_numbers(action: &RulebookAction) -> Vec<(String, String)> {
    let changes = action.fields.get(RULEBOOK_CHANGES_KEY);
    let Some(fields) = changes.and_then(|field| field.kind.table_fields()) else {
        return Vec::new();
    };
    let mut names = Vec::new();
    collect_number_names(fields, "", &mut names);
    let printed = |name: &str| {
        let place = NumberPath::find_by_name(fields, name)?;
        let keys: Vec<&str> = place.keys.iter().map(String::as_str).collect();
        Some(action.probe.as_ref()?.printed_value_at(&keys)?.to_string())
    };
    names.into_iter().map(|name| (name.clone(), printed(&name).unwrap_or_default())).collect()
}
