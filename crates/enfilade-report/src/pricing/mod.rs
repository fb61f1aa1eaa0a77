//! Reports on the prices of an arsenal: a recommendation with its reasons and its limits.
//!
//! [`first`] is the report on a terminal, and [`blocks`] the complete report, in Markdown and as a
//! page; [`price_folder`] writes everything: typed tables ([`typed_tables`]), charts, the page and
//! the manifest. Every report names the blind spots of a price ([`price_sentences::BLIND`]). No
//! statistics are computed here.

mod assumption_ends;
mod findings;
#[doc(hidden)]
pub mod list_battles;
#[doc(hidden)]
pub mod method;
#[doc(hidden)]
pub mod points_format;
#[doc(hidden)]
pub mod price_charts;
#[cfg(feature = "files")]
pub mod price_folder;
pub mod price_sentences;
mod price_summary;
pub mod price_tables;
pub mod prices_json;
pub mod typed_tables;
#[doc(hidden)]
pub mod unit_meetings;

pub use findings::Findings;
pub use price_summary::{blocks, first};
