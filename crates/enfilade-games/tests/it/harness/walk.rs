//! Contests of the built-in rulebooks, walked state by state.

pub use enfilade_testkit::counted_distribution::{
    CountedDistribution, assert_measures, compute_measure, compute_measures, count_all_fields,
    count_fields, count_fields_and_measures,
};

use super::play::contest;

/// Returns the distribution of `fields` in the contest that `toml` describes.
pub fn law_in(system: &str, action: &str, toml: &str, fields: &[&str]) -> CountedDistribution {
    count_fields(&contest(system, action, toml), fields)
}
