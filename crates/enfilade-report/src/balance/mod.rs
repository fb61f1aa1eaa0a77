//! The prices of an arsenal as people read them: a recommendation with its reasons and its limits.
//!
//! [`blocks`] are written on the terminal, in Markdown and as a page; [`folder`] writes everything: typed
//! tables ([`columns`]), charts, the page and the manifest. Every form of it says what a price does not
//! see ([`words::BLIND`]). No statistics are made here.

mod charts;
pub mod columns;
#[doc(hidden)]
pub mod edges;
mod ends;
mod findings;
pub mod folder;
pub mod json;
#[doc(hidden)]
pub mod lists;
pub mod tables;
mod told;
pub mod words;

pub use findings::Findings;
pub use told::blocks;
