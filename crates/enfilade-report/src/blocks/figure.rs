//! Pictures of a report.

/// A picture to be embedded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureFileAndTitle {
    /// Index of its contest.
    pub contest: usize,
    /// Path of its file, relative to the folder of the summary: `charts/1-heatmap-p_break.svg`.
    pub file: String,
    /// Its title.
    pub title: String,
}

/// A chart as a file and as its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureWithContent {
    /// Path and title.
    pub picture: PictureFileAndTitle,
    /// Its SVG; empty if only the file is wanted.
    pub svg: String,
}
