//! The charts of an experiment as figures of its page.

use std::borrow::Cow;

use crate::blocks::{Figure, Picture as Embedded};
use crate::charts::Drawing;
use crate::drawing::{self, Picture};
use enfilade_study::answer::Answer;
use enfilade_study::experiment::ExperimentSpec;

/// Draws the charts of an experiment as its page shows them.
pub fn charted(experiment: &ExperimentSpec, answers: &[Answer]) -> Vec<Figure> {
    crate::charts::drawings(&experiment.charts, &answered(answers)).iter().map(figure).collect()
}

/// Returns the cells that have an answer, because the others have nothing to draw.
pub(crate) fn answered(answers: &[Answer]) -> Cow<'_, [Answer]> {
    match answers.iter().any(Answer::is_refused) {
        false => Cow::Borrowed(answers),
        true => answers.iter().filter(|answer| !answer.is_refused()).cloned().collect(),
    }
}

/// Returns the formats of charts that are written by default.
pub fn usual_pictures() -> Vec<&'static Picture> {
    Picture::ending("png").into_iter().filter(|png| png.is_built()).collect()
}

/// Converts a drawing to a figure of a page.
pub(crate) fn figure(drawing: &Drawing) -> Figure {
    let (contest, title) = (drawing.contest, drawing.title.clone());
    let file = format!("charts/{}.svg", drawing.name);
    Figure { picture: Embedded { contest, file, title }, svg: drawing::svg(&drawing.scene) }
}
