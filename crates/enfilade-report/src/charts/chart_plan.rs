//! Plan of one chart of some cells, with its open choices made.

use std::sync::Arc;

use indexmap::IndexSet;

use super::chart_drawing::{MissingChart, chart_kind_word_in_files};
use crate::headline_measure;
use crate::text::sentences;
use enfilade_model::combat::{MeasureHead, MeasureRoleBesideReports};
use enfilade_study::answer::Answer;
use enfilade_study::experiment::{ChartKind, ChartSpec};

/// The plan of one chart of some cells, with its open choices made.
pub struct ResolvedChartSpec<'a> {
    pub(super) spec: &'a ChartSpec,
    /// The cells, at least one.
    pub(super) cells: Vec<&'a Answer>,
    /// The axes that are drawn: x, then y.
    pub(super) axes: Vec<String>,
    pub(super) measure: Arc<MeasureHead>,
}

impl<'a> ResolvedChartSpec<'a> {
    /// Plans the chart `spec` of `cells`, which have its axes and its measure.
    ///
    /// # Errors
    /// When there are no cells, or nothing was measured.
    pub fn new(
        spec: &'a ChartSpec,
        cells: Vec<&'a Answer>,
    ) -> Result<ResolvedChartSpec<'a>, MissingChart> {
        let left_out = |contest, why: &str| MissingChart {
            contest,
            chart: chart_kind_word_in_files(spec.kind).to_owned(),
            why: why.to_owned(),
        };
        let Some(first) = cells.first() else {
            return Err(left_out(0, "no contest has all of its axes and its measure"));
        };
        let measure = match &spec.measure {
            Some(name) => cells
                .iter()
                .find_map(|cell| Some(Arc::clone(&cell.measure_answer_by_name(name)?.head))),
            // A kind of chart may prefer a measure; otherwise the most informative one is drawn.
            None => preferred_measure_of_kind(spec.kind, &cells)
                .or_else(|| headline_measure::choose_headline_measure(&cells)),
        };
        let Some(measure) = measure else {
            return Err(left_out(first.contest, "nothing was measured"));
        };
        let axis_paths = cells.iter().flat_map(|cell| &cell.axes);
        let axis_paths: IndexSet<_> = axis_paths.map(|(path, _)| path.clone()).collect();
        let axis_paths: Vec<_> = axis_paths.into_iter().collect();
        Ok(ResolvedChartSpec { spec, axes: choose_chart_axes(spec, &axis_paths), cells, measure })
    }

    /// Returns the index of its contest. Of several it is the last, so that the chart follows their
    /// tables, but the first for bars of distributions, which readers look at beforehand.
    pub fn contest_to_show_chart_under(&self) -> usize {
        let cell = match self.spec.kind {
            ChartKind::Bars => self.cells.first(),
            _ => self.cells.last(),
        };
        cell.map_or(0, |cell| cell.contest)
    }

    /// Returns the stem of its file name: kind and measure. Only names declared in the program
    /// appear, and none from a file.
    pub fn kind_and_measure_file_stem(&self) -> String {
        match self.spec.kind {
            ChartKind::Bars | ChartKind::AtLeast => {
                chart_kind_word_in_files(self.spec.kind).to_owned()
            }
            kind => format!("{}-{}", chart_kind_word_in_files(kind), self.measure.name),
        }
    }
}

/// Chooses the axes of a chart: those in the file, then the others in the order of the file.
///
/// A heat map has the first axis of the file as its rows, so that it reads like the table.
fn choose_chart_axes(spec: &ChartSpec, axes: &[String]) -> Vec<String> {
    let axis_name = |axis: &Option<String>| axis.clone();
    let mut rest: Vec<_> = axes
        .iter()
        .filter(|axis| Some(*axis) != spec.x.as_ref() && Some(*axis) != spec.y.as_ref())
        .cloned()
        .collect();
    let mut next = || (!rest.is_empty()).then(|| rest.remove(0));
    match spec.kind {
        ChartKind::Heatmap => {
            let y = axis_name(&spec.y).or_else(&mut next);
            let x = axis_name(&spec.x).or_else(&mut next);
            x.into_iter().chain(y).collect()
        }
        ChartKind::Curves => {
            let x = axis_name(&spec.x).or_else(&mut next);
            let y = axis_name(&spec.y).or_else(&mut next);
            x.into_iter().chain(y).collect()
        }
        ChartKind::Bars => axis_name(&spec.x).or_else(&mut next).into_iter().collect(),
        ChartKind::Activations => match spec.x {
            // One curve per value along x; a picture for every combination of the others.
            Some(_) => axis_name(&spec.x).into_iter().collect(),
            None => axes.to_vec(),
        },
        ChartKind::Forest | ChartKind::AtLeast | ChartKind::ZScores => axes.to_vec(),
    }
}

/// Returns the preferred measure of a kind, if the action has it: the value for points for a
/// forest, the chance to put a target out of action for activations.
fn preferred_measure_of_kind(kind: ChartKind, cells: &[&Answer]) -> Option<Arc<MeasureHead>> {
    let role = match kind {
        ChartKind::Forest => MeasureRoleBesideReports::PerPoints,
        ChartKind::Activations => MeasureRoleBesideReports::Finishing,
        _ => return None,
    };
    let mut measures = sentences::collect_measures(cells.iter().copied()).into_iter();
    measures.find(|head| head.role == role)
}
