//! Pictures of a report.

/// A picture to be embedded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Which contest it is of.
    pub contest: usize,
    /// Its file, from the folder of the summary: `charts/1-heatmap-p_break.svg`.
    pub file: String,
    /// What it shows.
    pub title: String,
}

/// A chart as a file and as its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Where it is and what it shows.
    pub picture: Picture,
    /// Its SVG; empty where only the file is wanted.
    pub svg: String,
}
