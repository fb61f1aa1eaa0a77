//! Charts that are drawn, and those that are left out.

use crate::drawing::Scene;
use enfilade_study::experiment::ChartKind;

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

/// A kind as files call it.
pub fn word(kind: ChartKind) -> &'static str {
    kind.word()
}
