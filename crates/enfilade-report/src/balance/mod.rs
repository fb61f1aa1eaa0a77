//! The prices of an arsenal as people read them: a recommendation with its reasons and its limits.
//!
//! [`first`] is what a terminal shows, [`blocks`] are all of it, in Markdown and as a page too; [`folder`] writes everything: typed
//! tables ([`columns`]), charts, the page and the manifest. Every form of it says what a price does not
//! see ([`words::BLIND`]). No statistics are made here.

#[doc(hidden)]
pub mod charts;
mod choices;
pub mod columns;
#[doc(hidden)]
pub mod edges;
mod findings;
#[cfg(feature = "files")]
pub mod folder;
pub mod json;
#[doc(hidden)]
pub mod lists;
#[doc(hidden)]
pub mod method;
#[doc(hidden)]
pub mod points;
pub mod tables;
mod told;
pub mod words;

pub use findings::Findings;
pub use told::{blocks, first};
