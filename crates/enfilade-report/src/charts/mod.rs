//! Charts: which are drawn, their words, and their files.
//!
//! [`gallery()`] draws what an experiment asks for, or what says most where it asks for nothing, and
//! names what it leaves out. The kinds themselves know no answers: each is handed names, numbers
//! and [`Words`] and returns a [`Scene`](crate::drawing::Scene), so that other reports can draw them too:
//! [`heatmap`], [`lines`], [`forest`] (and caterpillars), [`scatter`], [`tornado`].
//!
//! ```
//! use enfilade_report::charts::forest::{Forest, Row};
//! use enfilade_report::charts::marks::{Glyph, Span};
//! use enfilade_report::charts::Words;
//! use enfilade_report::drawing::svg;
//!
//! let row = |name: &str, value: f64| Row {
//!     name: name.into(),
//!     marks: vec![(Glyph::Dot, Span::within(value, value - 0.2, value + 0.3))],
//!     text: format!("{value:.1}"),
//! };
//! let forest = Forest {
//!     rows: vec![row("LMG", 1.2), row("HMG", 2.5)],
//!     measured: "points denied per activation".into(),
//!     from_zero: true,
//!     ..Forest::default()
//! };
//! let words = Words {
//!     title: "What the guns are worth".into(),
//!     caption: "Exact; bars: 95 % over scenarios.".into(),
//!     ..Words::default()
//! };
//! let scene = forest.sorted().draw(&words).expect("there are rows");
//! assert!(svg(&scene).contains(">HMG</text>"));
//! ```
//!
//! Charts are grey-safe: values go from
//! light to dark, curves are dashed, numbers stand beside or in their places.

mod activations;
mod at_least;
pub(crate) mod bands;
mod bars;
mod captions;
mod choice;
pub mod compare;
mod curves;
mod data;
pub mod dots;
mod drawing;
pub mod font;
pub mod forest;
pub mod front;
mod gallery;
mod grouping;
pub mod heatmap;
mod law;
pub mod lines;
pub mod marks;
mod matrix;
pub mod overview;
pub mod page;
mod plan;
mod rows;
pub mod scale;
pub mod scatter;
pub mod shade;
mod slices;
mod strip;
pub mod tornado;
mod zscores;

pub use drawing::{Drawing, Gallery, LeftOut};
pub use gallery::{SLICES, drawings, gallery};
pub use page::Words;

#[cfg(test)]
mod degenerate;
#[cfg(test)]
mod tests;
