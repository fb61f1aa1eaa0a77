//! Text: numbers, labels and sentences as people read them.

pub(crate) mod excluded_settings;
pub mod labels;
pub(crate) mod measure_format;
pub mod median_tries;
pub mod number_format;
pub mod sentences;
pub(crate) mod short_labels;
pub mod xml_escape;
