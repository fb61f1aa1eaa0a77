//! From answers to heat maps: values over two axes, in groups where the axes have them, on several
//! sheets where one would be too large to be read.
//!
//! More than [`MAX_GROUPED_ROWS`] rows in groups become one sheet per group, behind an overview
//! that sums up all pairs of a group of rows and a group of columns by their median and their
//! largest value.

use std::sync::Arc;

use super::axis_groups::{AxisValueGroups, GroupingColumns};
use super::chart_data::{self, ChartAxis};
use super::chart_plan::ResolvedChartSpec;
use super::heatmap::{HeatMap, NamesAlongHeatMapSide};
use enfilade_model::combat::MeasureHead;
use enfilade_study::answer::Answer;

/// The largest number of rows of one sheet if the rows are grouped.
const MAX_GROUPED_ROWS: usize = 80;

/// The largest number of columns of an overview.
const MAX_OVERVIEW_COLUMNS: usize = 45;

/// A heat map with its additions to name, title and caption.
pub struct HeatMapWithTitleAndCaption {
    /// Added to the name of its file.
    pub suffix: String,
    /// Added to the title.
    pub title: String,
    /// Added to the caption.
    pub caption: String,
    /// The map.
    pub map: HeatMap,
}

/// The values of a measure over two axes.
pub struct MeasureByTwoAxes {
    measure: Arc<MeasureHead>,
    columns: (ChartAxis, AxisValueGroups),
    rows: (ChartAxis, AxisValueGroups),
    /// Row by row, in the order of the file.
    values: Vec<Option<f64>>,
    /// The values of all slices, which share their colours.
    all: Vec<f64>,
}

impl MeasureByTwoAxes {
    /// Collects the values of the plan's measure in these cells.
    pub fn new(
        plan: &ResolvedChartSpec<'_>,
        cells: &[&Answer],
        x: ChartAxis,
        y: ChartAxis,
    ) -> MeasureByTwoAxes {
        let mut values = vec![None; x.len() * y.len()];
        let value = |cell: &Answer| {
            chart_data::drawn_value_of_measure(cell, &plan.measure.name).map(|point| point.value)
        };
        for cell in cells {
            if let (Some(column), Some(row)) = (x.index_of_cell(cell), y.index_of_cell(cell)) {
                values[row * x.len() + column] = value(cell);
            }
        }
        let (spec, system) = (plan.spec, &plan.cells[0].system);
        let by = GroupingColumns { group: spec.x_group.as_deref(), order: spec.x_order.as_deref() };
        let columns = AxisValueGroups::new(&x, system, by);
        let by = GroupingColumns { group: spec.y_group.as_deref(), order: spec.y_order.as_deref() };
        let rows = AxisValueGroups::new(&y, system, by);
        MeasureByTwoAxes {
            measure: Arc::clone(&plan.measure),
            columns: (x, columns),
            rows: (y, rows),
            values,
            all: plan.cells.iter().filter_map(|cell| value(cell)).collect(),
        }
    }

    /// Builds the heat map, or an overview and one heat map per group of rows.
    pub fn build_overview_and_group_maps(&self) -> Vec<HeatMapWithTitleAndCaption> {
        let groups = self.rows.1.groups.len();
        if self.rows.1.value_count() <= MAX_GROUPED_ROWS || groups < 2 {
            return vec![self.build_map_of_rows(&self.rows.1, String::new(), String::new())];
        }
        let mut sheets: Vec<_> = self.build_median_overview().into_iter().collect();
        for group in 0..groups {
            let rows = self.rows.1.only_group_at_index(group);
            let name = rows.groups[0].0.clone();
            sheets.push(self.build_map_of_rows(&rows, format!("-group-{}", group + 1), name));
        }
        sheets
    }

    fn build_map_of_rows(
        &self,
        rows: &AxisValueGroups,
        suffix: String,
        title: String,
    ) -> HeatMapWithTitleAndCaption {
        let (columns, across) = self.columns.1.side_names_and_axis_indices(&self.columns.0.title);
        let valued = |row: usize| across.iter().any(|&column| self.value_at(row, column).is_some());
        let shown_rows = rows.with_members_filtered(valued);
        let empty = rows.value_count() - shown_rows.value_count();
        let (rows, down) = shown_rows.side_names_and_axis_indices(&self.rows.0.title);
        let value = |&row: &usize| across.iter().map(move |column| (row, *column));
        let places = down.iter().flat_map(value);
        let values: Vec<_> = places.map(|(row, column)| self.value_at(row, column)).collect();
        let text = |value: &Option<f64>| match value {
            Some(value) => {
                chart_data::format_short_value(*value, self.measure.kind.is_shown_in_percent())
            }
            None => "–".to_owned(),
        };
        HeatMapWithTitleAndCaption {
            suffix,
            title,
            caption: match empty {
                0 => String::new(),
                1 => "One row has no value and is left out.".to_owned(),
                _ => format!("{empty} rows have no value and are left out."),
            },
            map: HeatMap {
                texts: values.iter().map(text).collect(),
                columns,
                rows,
                values,
                // All sheets share their colours, so that they can be compared.
                among: self.all.clone(),
                middle: None,
                color_title: chart_data::measure_axis_title(&self.measure),
            },
        }
    }

    fn value_at(&self, row: usize, column: usize) -> Option<f64> {
        self.values[row * self.columns.0.len() + column]
    }

    /// Builds the map of the median and the largest value of every pair of a group of rows and a
    /// class of columns; `None` if the columns have no classes.
    fn build_median_overview(&self) -> Option<HeatMapWithTitleAndCaption> {
        let classes = merge_columns_by_class(&self.columns.1);
        if classes.places.len() < 2 {
            return None;
        }
        let mut values = Vec::new();
        let mut texts = Vec::new();
        for (_, members) in &self.rows.1.groups {
            for places in &classes.places {
                let pair = |row: usize| places.iter().map(move |&column| (row, column));
                let pairs = members.iter().flat_map(|member| pair(member.index));
                let held = pairs.filter_map(|(row, column)| self.value_at(row, column));
                let (median, most) = median_and_maximum(held.collect()).unzip();
                values.push(median);
                texts.push(match (median, most) {
                    (Some(median), Some(most)) => format!(
                        "{}\n{}",
                        chart_data::format_short_value(
                            median,
                            self.measure.kind.is_shown_in_percent()
                        ),
                        chart_data::format_short_value(
                            most,
                            self.measure.kind.is_shown_in_percent()
                        )
                    ),
                    _ => "–".to_owned(),
                });
            }
        }
        let names = self.rows.1.groups.iter().map(|(name, _)| name.clone());
        let (x, y) = (&self.columns.0.name, &self.rows.0.name);
        Some(HeatMapWithTitleAndCaption {
            suffix: "-overview".to_owned(),
            title: "overview".to_owned(),
            caption: format!(
                "Each cell sums up all pairs of its {y}s and {x}s: above, and as its colour, their median; below, the largest."
            ),
            map: HeatMap {
                columns: classes.build_heads(&self.columns),
                rows: NamesAlongHeatMapSide::new(format!("{y}, in groups"), names.collect()),
                values,
                texts,
                among: Vec::new(),
                middle: None,
                color_title: format!("median {}", chart_data::measure_axis_title(&self.measure)),
            },
        })
    }
}

/// Columns put together: those of one group and one mark, or of one group if that makes too many
/// classes.
struct MergedColumns {
    names: Vec<String>,
    groups: Vec<(String, usize)>,
    /// The indices of the members of each class on the axis.
    places: Vec<Vec<usize>>,
}

fn merge_columns_by_class(columns: &AxisValueGroups) -> MergedColumns {
    let fine = merge_columns_by_group(columns, true);
    if fine.places.len() <= MAX_OVERVIEW_COLUMNS && fine.names.iter().any(|name| !name.is_empty()) {
        return fine;
    }
    merge_columns_by_group(columns, false)
}

fn merge_columns_by_group(columns: &AxisValueGroups, marked: bool) -> MergedColumns {
    let mut classes = MergedColumns { names: Vec::new(), groups: Vec::new(), places: Vec::new() };
    for (group, members) in &columns.groups {
        let before = classes.places.len();
        for same in members.chunk_by(|a, b| !marked || a.mark == b.mark) {
            let name = if marked { &same[0].mark } else { group };
            classes.names.push(name.clone());
            classes.places.push(same.iter().map(|member| member.index).collect());
        }
        classes.groups.push((group.clone(), classes.places.len() - before));
    }
    if !marked || columns.groups.len() < 2 {
        classes.groups.clear();
    }
    classes
}

impl MergedColumns {
    fn build_heads(
        &self,
        (axis, grouping): &(ChartAxis, AxisValueGroups),
    ) -> NamesAlongHeatMapSide {
        let description = grouping.description.split(" (").next().unwrap_or_default();
        NamesAlongHeatMapSide {
            title: format!("{}, {description}", axis.title).trim_end_matches(", ").to_owned(),
            names: self.names.clone(),
            marks: Vec::new(),
            groups: self.groups.clone(),
        }
    }
}

/// Returns the median, the lower one of two, and the largest.
fn median_and_maximum(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let middle = values.len().checked_sub(1)? / 2;
    Some((values[middle], *values.last()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_of_the_sorted_values() {
        assert_eq!(median_and_maximum(vec![3.0, 1.0, 2.0]), Some((2.0, 3.0)));
        assert_eq!(median_and_maximum(vec![4.0, 1.0, 2.0, 3.0]), Some((2.0, 4.0)));
        assert_eq!(median_and_maximum(Vec::new()), None);
    }
}
