//! Charts: which are drawn, their words, and their files.
//!
//! [`gallery`] draws what an experiment asks for, or what says most where it asks for nothing, and
//! names what it leaves out. The kinds themselves know no answers: each is handed names, numbers
//! and [`Words`] and returns a [`Scene`], so that other reports can draw them too:
//! [`heatmap`], [`lines`], [`forest`] (and caterpillars), [`scatter`], [`tornado`].
//!
//! ```
//! use enfilade::report::charts::forest::{Forest, Row};
//! use enfilade::report::charts::marks::{Glyph, Span};
//! use enfilade::report::charts::{Words, render};
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
//! assert!(render::svg(&scene)?.contains(">HMG</text>"));
//! # Ok::<(), enfilade::error::Error>(())
//! ```
//!
//! Only [`render`] and [`font`] know the drawing library. Charts are grey-safe: values go from
//! light to dark, curves are dashed, numbers stand beside or in their places.

use crate::study::answer::Answer;
use crate::study::experiment::{ChartKind, ChartSpec};

mod activations;
mod at_least;
mod bars;
mod captions;
mod choice;
pub mod compare;
mod curves;
mod data;
pub mod font;
pub mod forest;
mod grouping;
pub mod heatmap;
pub mod lines;
pub mod marks;
mod matrix;
pub mod page;
mod plan;
pub mod render;
mod rows;
pub mod scale;
pub mod scatter;
pub mod scene;
pub mod shade;
mod svg;
pub mod tornado;
mod zscores;

pub use page::Words;
use plan::Plan;
use scene::Scene;

/// The most pictures that one chart becomes when there are axes it does not draw.
pub const SLICES: usize = 12;

/// A chart ready to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Stem of its files: `1-heatmap-p_break`.
    pub name: String,
    /// Which contest it is of; of several, the last.
    pub contest: usize,
    /// What it shows, for the text beside it.
    pub title: String,
    /// Exact or simulated, N, what an interval covers: what stands below the picture.
    pub caption: String,
    /// The picture.
    pub scene: Scene,
}

/// A chart that was not drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Which contest it would have been of.
    pub contest: usize,
    /// What it would have been: `heatmap of p_kill`.
    pub chart: String,
    /// Why it is not there, in words.
    pub why: String,
}

impl LeftOut {
    /// In one sentence.
    pub fn said(&self) -> String {
        format!("Left out: {}: {}.", self.chart, self.why)
    }
}

/// The charts of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gallery {
    /// Those drawn, in the order of the contests and of the file.
    pub drawings: Vec<Drawing>,
    /// Those left out.
    pub left_out: Vec<LeftOut>,
}

/// All charts of a run.
pub fn gallery(charts: &[ChartSpec], answers: &[Answer]) -> Gallery {
    let mut gallery = Gallery::default();
    for (spec, cells) in choice::pairs(charts, answers) {
        match Plan::new(&spec, cells) {
            Ok(plan) => plan.draw(&mut gallery),
            Err(left_out) => gallery.left_out.push(left_out),
        }
    }
    for (number, drawing) in gallery.drawings.iter_mut().enumerate() {
        drawing.name = format!("{}-{}", number + 1, drawing.name);
    }
    gallery
}

/// All charts of a run that are drawn: those of [`gallery`].
pub fn drawings(charts: &[ChartSpec], answers: &[Answer]) -> Vec<Drawing> {
    gallery(charts, answers).drawings
}

/// A kind as files call it.
fn word(kind: ChartKind) -> &'static str {
    ChartKind::WORDS[kind as usize]
}

#[cfg(test)]
mod degenerate;
#[cfg(test)]
mod tests;
