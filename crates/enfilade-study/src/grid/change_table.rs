//! The table of a relative value: its keys, and what is no such table.

use toml::{Table, Value as Toml};

use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{Fault, FieldType};

/// Key of a change in place of a number.
pub const CHANGE_KEY: &str = "change";

/// Key of the number that is changed, if it is given.
pub const OF_KEY: &str = "of";

/// Returns a fault if a change has an unknown key, or its given number is not a number.
pub(super) fn find_relative_change_fault(change: &Table, kind: &FieldType) -> Option<Fault> {
    const CHANGE_HELP: &str =
        "write `{ change = [-1, 0, 1] }`, or `{ of = 8, change = [-1, 0, 1] }`";
    if let Some(other) = change.keys().find(|key| ![CHANGE_KEY, OF_KEY].contains(&key.as_str())) {
        return Some(Fault::new("", format!("a change has no `{other}`")).with_help(CHANGE_HELP));
    }
    if !change.contains_key(CHANGE_KEY) {
        return Some(Fault::new("", format!("`{CHANGE_KEY}` is missing")).with_help(CHANGE_HELP));
    }
    match (change.get(OF_KEY)?, kind) {
        (Toml::Integer(_), _) | (Toml::Float(_), FieldType::Fraction(_)) => None,
        (other, _) => {
            let problem =
                format!("expected one number, found {}", shorten_and_make_safe(&other.to_string()));
            Some(Fault::new(OF_KEY, problem).with_help(CHANGE_HELP))
        }
    }
}
