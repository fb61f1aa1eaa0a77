//! Contests of the built-in rulebooks, walked state by state.

pub use enfilade_testkit::walk::{
    Law, assert_measures, fields_law, law, measure, measures, whole_law,
};

use super::play::contest;

/// Returns the distribution of `fields` in the contest that `toml` describes.
pub fn law_in(system: &str, action: &str, toml: &str, fields: &[&str]) -> Law {
    law(&contest(system, action, toml), fields)
}
