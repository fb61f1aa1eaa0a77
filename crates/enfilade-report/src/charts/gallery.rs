//! Gallery of a run: all of its charts, slice by slice.

use std::collections::BTreeMap;

use super::chart_data::{CONTEST_AXIS_PATH, ChartAxis, field_distribution_in_percent};
use super::chart_drawing::{
    ChartDrawing, DrawnAndOmittedCharts, MissingChart, chart_kind_word_in_files,
};
use super::chart_plan::ResolvedChartSpec;
use super::grid_slices::{CellsWithFixedAxes, merge_equal_slices, split_cells_into_slices};
use super::heatmap_sheets::MeasureByTwoAxes;
use super::plot_frame::ChartTitleAndCaption;
use super::{
    activation_curves, at_least_curves, chart_selection, curves, measure_rows, outcome_bars,
    stacked_bars, z_scores,
};
use crate::drawing::Scene;
use crate::text::{labels, sentences};
use enfilade_model::combat::OutcomeFieldHead;
use enfilade_model::static_or_shared::Text;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::{ChartKind, ChartSpec};

/// The largest number of pictures of one chart, if there are axes it does not draw.
pub const MAX_SLICES_PER_CHART: usize = 12;

/// Draws all charts of a run, of the cells that have an answer: the others have nothing to draw.
pub fn draw_all_charts(charts: &[ChartSpec], answers: &[Answer]) -> DrawnAndOmittedCharts {
    let mut gallery = DrawnAndOmittedCharts::default();
    let answered: Vec<_> = answers.iter().filter(|answer| !answer.is_cell_refused()).collect();
    for (spec, cells) in chart_selection::pair_charts_with_cells(charts, &answered) {
        match ResolvedChartSpec::new(&spec, cells) {
            Ok(plan) => plan.draw_into_gallery(&mut gallery),
            Err(left_out) => gallery.left_out.push(left_out),
        }
    }
    for (number, drawing) in gallery.drawings.iter_mut().enumerate() {
        drawing.name = format!("{}-{}", number + 1, drawing.name);
    }
    gallery
}

/// Returns the charts of a run that could be drawn: those of [`draw_all_charts`].
pub fn draw_possible_charts(charts: &[ChartSpec], answers: &[Answer]) -> Vec<ChartDrawing> {
    draw_all_charts(charts, answers).drawings
}

impl ResolvedChartSpec<'_> {
    /// Adds its pictures, or the reasons why they are left out.
    fn draw_into_gallery(&self, gallery: &mut DrawnAndOmittedCharts) {
        let drawn: Vec<_> = self.axes.iter().map(String::as_str).collect();
        let slices = split_cells_into_slices(&self.cells, &drawn);
        let slices = merge_equal_slices(slices, self.spec.kind, &self.axes, &self.measure.name);
        for (number, slice) in slices.iter().take(MAX_SLICES_PER_CHART).enumerate() {
            let part = if slices.len() > 1 { format!("-{}", number + 1) } else { String::new() };
            let words = self.title_and_caption(slice);
            match self.spec.kind {
                ChartKind::Heatmap => self.draw_heat_maps_of_slice(gallery, slice, &part, &words),
                _ => self.add_chart_or_reason(
                    gallery,
                    &part,
                    &words,
                    self.draw_slice_of_cells(slice, &words),
                ),
            }
        }
        if slices.len() > MAX_SLICES_PER_CHART {
            let count = slices.len();
            let why = format!(
                "{MAX_SLICES_PER_CHART} of the {count} combinations of the other axes are drawn"
            );
            self.note_omitted_chart(gallery, why);
        }
    }

    /// Draws the heat maps of a slice: one, or an overview and one per group.
    fn draw_heat_maps_of_slice(
        &self,
        gallery: &mut DrawnAndOmittedCharts,
        slice: &CellsWithFixedAxes<'_>,
        part: &str,
        words: &ChartTitleAndCaption,
    ) {
        let mut axes =
            self.axes.iter().map(|path| ChartAxis::from_axis_of_cells(&slice.cells, path));
        let (Some(x), Some(y)) = (axes.next().flatten(), axes.next().flatten()) else {
            return self.note_omitted_chart(gallery, "a heat map needs two axes".to_owned());
        };
        let matrix = MeasureByTwoAxes::new(self, &slice.cells, x, y);
        for sheet in matrix.build_overview_and_group_maps() {
            // The finding is of all sheets, so a sheet of one group has the question as its title.
            let is_part = sheet.suffix.starts_with("-group") && self.spec.title.is_none();
            let words = match is_part && !words.subtitle.is_empty() {
                true => ChartTitleAndCaption {
                    title: words.subtitle.clone(),
                    subtitle: String::new(),
                    ..words.clone()
                },
                false => words.clone(),
            };
            let words = words.with_title_and_caption_added(&sheet.title, &sheet.caption);
            let name = format!("{part}{}", sheet.suffix);
            self.add_chart_or_reason(gallery, &name, &words, sheet.map.draw_heat_map(&words));
        }
    }

    fn draw_slice_of_cells(
        &self,
        slice: &CellsWithFixedAxes<'_>,
        words: &ChartTitleAndCaption,
    ) -> Result<Scene, String> {
        let cells = &slice.cells;
        let mut axes = self.axes.iter().map(|path| ChartAxis::from_axis_of_cells(cells, path));
        let (x, y) = (axes.next().flatten(), axes.next().flatten());
        match self.spec.kind {
            ChartKind::Heatmap => Err("a heat map needs two axes".to_owned()),
            ChartKind::Curves => {
                let x = x.ok_or("curves need an axis")?;
                curves::draw_measure_curves(self, cells, (&x, y.as_ref()), words)
            }
            ChartKind::Bars => match x {
                // Two distributions are drawn row by row, because stacks side by side are hard to
                // compare.
                Some(x) if x.path == CONTEST_AXIS_PATH && cells.len() == 2 => {
                    let names = x.labels_of_values();
                    outcome_bars::draw_two_distributions(
                        [cells[0], cells[1]],
                        [&names[0], &names[1]],
                        words,
                    )
                }
                Some(x) => stacked_bars::draw_stacked_bars(cells, &self.cells, &x, words),
                None => outcome_bars::draw_distribution(cells[0], words),
            },
            ChartKind::Forest => measure_rows::draw_forest_of_measure(self, words),
            ChartKind::AtLeast => {
                let chosen = self.spec.field.clone().map(Text::from);
                let field =
                    chosen.or_else(|| choose_field_to_count(cells)).ok_or("nothing was counted")?;
                at_least_curves::draw_at_least_curves(cells, &field, words)
            }
            ChartKind::Activations => {
                activation_curves::draw_chance_within_curves(self, cells, words)
            }
            ChartKind::ZScores => z_scores::draw_z_scores(self, words),
        }
    }

    fn add_chart_or_reason(
        &self,
        gallery: &mut DrawnAndOmittedCharts,
        part: &str,
        words: &ChartTitleAndCaption,
        drawn: Result<Scene, String>,
    ) {
        match drawn {
            Ok(scene) => gallery.drawings.push(ChartDrawing {
                name: format!("{}{part}", self.kind_and_measure_file_stem()),
                contest: self.contest_to_show_chart_under(),
                title: words.title.clone(),
                caption: words.caption.clone(),
                scene,
            }),
            Err(why) => self.note_omitted_chart(gallery, why),
        }
    }

    fn note_omitted_chart(&self, gallery: &mut DrawnAndOmittedCharts, why: String) {
        let chart = match self.spec.kind {
            ChartKind::Bars | ChartKind::AtLeast => {
                chart_kind_word_in_files(self.spec.kind).to_owned()
            }
            kind => format!(
                "{} of {}",
                chart_kind_word_in_files(kind),
                labels::measure_label(&self.measure)
            ),
        };
        let left_out = MissingChart { contest: self.contest_to_show_chart_under(), chart, why };
        if !gallery.left_out.contains(&left_out) {
            gallery.left_out.push(left_out);
        }
    }
}

/// Returns the first outcome field that is more than a yes or no, or else the first field.
fn choose_field_to_count(cells: &[&Answer]) -> Option<Text> {
    let fields = sentences::collect_fields(cells.iter().copied());
    let counts = |field: &&OutcomeFieldHead| {
        let laws = cells.iter().filter_map(|cell| field_distribution_in_percent(cell, &field.name));
        laws.flat_map(BTreeMap::into_keys).any(|value| value > 1)
    };
    let counted = fields.iter().find(counts).or(fields.first());
    counted.map(|field| field.name.clone())
}
