//! Reports on the prices of an arsenal: a recommendation with its reasons and its limits.
//!
//! [`build_first_screen`] is the report on a terminal, and [`build_full_price_report`] the complete
//! report, in Markdown and as a page; [`price_folder`] writes everything: typed tables
//! ([`typed_tables`]), charts, the page and the manifest. Every report names the blind spots of a
//! price ([`price_sentences::PRICE_BLIND_SPOTS`]). No statistics are computed here.

pub mod heading_sentences;
#[doc(hidden)]
pub mod list_battles;
#[doc(hidden)]
pub mod points_format;
#[doc(hidden)]
pub mod price_charts;
mod price_findings;
#[cfg(feature = "files")]
pub mod price_folder;
#[doc(hidden)]
pub mod price_method;
pub mod price_sentences;
mod price_summary;
pub mod price_tables;
pub mod prices_json;
pub mod typed_tables;
#[doc(hidden)]
pub mod unit_meetings;

pub use price_findings::PriceFindings;
pub use price_summary::{build_first_screen, build_full_price_report};
