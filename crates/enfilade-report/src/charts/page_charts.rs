//! The charts of an experiment as figures of its page.

use crate::blocks::{PictureFileAndTitle as Embedded, PictureWithContent};
use crate::charts::ChartDrawing;
use crate::drawing::{self, PictureFormat};
use enfilade_study::answer::Answer;
use enfilade_study::experiment::ExperimentSpec;

/// Draws the charts of an experiment as its page shows them.
pub fn draw_page_charts(
    experiment: &ExperimentSpec,
    answers: &[Answer],
) -> Vec<PictureWithContent> {
    crate::charts::draw_possible_charts(&experiment.charts, answers)
        .iter()
        .map(to_page_picture)
        .collect()
}

/// Returns the formats of charts that are written by default.
pub fn default_formats_beside_svg() -> Vec<&'static PictureFormat> {
    PictureFormat::format_for_extension("png")
        .into_iter()
        .filter(|png| png.is_in_this_build())
        .collect()
}

/// Converts a drawing to a figure of a page.
pub(crate) fn to_page_picture(drawing: &ChartDrawing) -> PictureWithContent {
    let (contest, title) = (drawing.contest, drawing.title.clone());
    let file = format!("charts/{}.svg", drawing.name);
    PictureWithContent {
        picture: Embedded { contest, file, title },
        svg: drawing::render_scene_as_svg(&drawing.scene),
    }
}
