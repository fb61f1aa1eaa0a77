//! Charts: their selection, their texts, and their files.
//!
//! [`draw_all_charts()`] draws the charts that an experiment names, or else the most informative
//! ones, and lists those left out. The kinds are independent of answers: each takes names, numbers
//! and [`ChartTitleAndCaption`] and returns a [`Scene`](crate::drawing::Scene), so that other
//! reports can draw them too: [`heatmap`], [`line_chart`], [`interval_rows`] (forest plots and
//! caterpillars), [`scatter`].
//!
//! ```
//! use enfilade_report::charts::interval_rows::{ForestPlot, ForestPlotRow};
//! use enfilade_report::charts::markers::{MarkerShape, IntervalAroundValue};
//! use enfilade_report::charts::ChartTitleAndCaption;
//! use enfilade_report::drawing::render_scene_as_svg;
//!
//! let row = |name: &str, value: f64| ForestPlotRow {
//!     name: name.into(),
//!     marks: vec![(MarkerShape::Dot, IntervalAroundValue::from_value_and_ends(value, value - 0.2, value + 0.3))],
//!     text: format!("{value:.1}"),
//!     ..ForestPlotRow::default()
//! };
//! let forest = ForestPlot {
//!     rows: vec![row("LMG", 1.2), row("HMG", 2.5)],
//!     axis_title: "points denied per activation".into(),
//!     from_zero: true,
//!     ..ForestPlot::default()
//! };
//! let words = ChartTitleAndCaption {
//!     title: "Worth of the guns".into(),
//!     caption: "Exact; bars: 95 % over scenarios.".into(),
//!     ..ChartTitleAndCaption::default()
//! };
//! let scene = forest.with_rows_by_falling_mark().draw_forest(&words).expect("there are rows");
//! assert!(render_scene_as_svg(&scene).contains(">HMG</text>"));
//! ```
//!
//! Charts are grey-safe: values go from
//! light to dark, curves are dashed, numbers are beside or in their places.

mod activation_curves;
mod at_least_curves;
mod axis_groups;
pub mod axis_scale;
mod bar_table;
mod captions;
mod chart_data;
mod chart_drawing;
mod chart_plan;
mod chart_selection;
pub mod color_scale;
pub mod comparison_chart;
mod curves;
pub mod dot_plot;
mod gallery;
pub mod grid_overview;
mod grid_slices;
pub mod heatmap;
mod heatmap_sheets;
pub mod interval_rows;
pub mod line_chart;
pub mod markers;
mod measure_rows;
pub(crate) mod outcome_bands;
mod outcome_bars;
pub mod pareto_front;
pub mod plot_frame;
pub mod range_rows;
pub mod scatter;
pub(crate) mod small_multiples;
mod stacked_bars;
pub mod text_layout;
mod z_scores;

pub use chart_drawing::{ChartDrawing, DrawnAndOmittedCharts, MissingChart};
pub use gallery::{MAX_SLICES_PER_CHART, draw_all_charts, draw_possible_charts};
pub use plot_frame::ChartTitleAndCaption;

#[cfg(test)]
mod degenerate_tests;
pub(crate) mod page_charts;
#[cfg(test)]
mod tests;
