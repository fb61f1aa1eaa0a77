//! Charts that are drawn, and those that are left out.

use crate::drawing::Scene;
use enfilade_study::experiment::ChartKind;

/// A chart ready to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartDrawing {
    /// Stem of its files: `1-heatmap-p_break`.
    pub name: String,
    /// Index of its contest; of several, the last.
    pub contest: usize,
    /// Its title, for the text beside it.
    pub title: String,
    /// The caption below the picture: exact or simulated, N, the meaning of an interval.
    pub caption: String,
    /// The picture.
    pub scene: Scene,
}

/// A chart that was not drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingChart {
    /// Index of its contest.
    pub contest: usize,
    /// Kind and measure: `heatmap of p_kill`.
    pub chart: String,
    /// The reason, in words.
    pub why: String,
}

impl MissingChart {
    /// Describes the missing chart in one sentence.
    pub fn to_sentence(&self) -> String {
        format!("Left out: {}: {}.", self.chart, self.why)
    }
}

/// The charts of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawnAndOmittedCharts {
    /// Those drawn, in the order of the contests and of the file.
    pub drawings: Vec<ChartDrawing>,
    /// Those left out.
    pub left_out: Vec<MissingChart>,
}

/// Returns the name of a kind in files.
pub fn chart_kind_word_in_files(kind: ChartKind) -> &'static str {
    kind.word()
}
