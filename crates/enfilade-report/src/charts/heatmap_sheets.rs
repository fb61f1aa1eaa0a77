//! From answers to heat maps: values over two axes, in groups where the axes have them, on several
//! sheets where one would be too large to be read.
//!
//! More than [`ROWS`] rows in groups become one sheet per group, behind an overview that sums up
//! all pairs of a group of rows and a group of columns by their median and their largest value.

use std::sync::Arc;

use super::axis_groups::{By, Grouping};
use super::chart_data::{self, Axis};
use super::chart_plan::Plan;
use super::heatmap::{Heads, HeatMap};
use enfilade_model::combat::MeasureHead;
use enfilade_study::answer::Answer;

/// The largest number of rows of one sheet if the rows are grouped.
const ROWS: usize = 80;

/// The largest number of columns of an overview.
const CLASSES: usize = 45;

/// A heat map with its additions to name, title and caption.
pub struct Sheet {
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
pub struct Matrix {
    measure: Arc<MeasureHead>,
    columns: (Axis, Grouping),
    rows: (Axis, Grouping),
    /// Row by row, in the order of the file.
    values: Vec<Option<f64>>,
    /// The values of all slices, which share their colours.
    all: Vec<f64>,
}

impl Matrix {
    /// Collects the values of the plan's measure in these cells.
    pub fn new(plan: &Plan<'_>, cells: &[&Answer], x: Axis, y: Axis) -> Matrix {
        let mut values = vec![None; x.len() * y.len()];
        let value =
            |cell: &Answer| chart_data::point(cell, &plan.measure.name).map(|point| point.value);
        for cell in cells {
            if let (Some(column), Some(row)) = (x.position(cell), y.position(cell)) {
                values[row * x.len() + column] = value(cell);
            }
        }
        let (spec, system) = (plan.spec, &plan.cells[0].system);
        let by = By { group: spec.x_group.as_deref(), order: spec.x_order.as_deref() };
        let columns = Grouping::new(&x, system, by);
        let by = By { group: spec.y_group.as_deref(), order: spec.y_order.as_deref() };
        let rows = Grouping::new(&y, system, by);
        Matrix {
            measure: Arc::clone(&plan.measure),
            columns: (x, columns),
            rows: (y, rows),
            values,
            all: plan.cells.iter().filter_map(|cell| value(cell)).collect(),
        }
    }

    /// Builds the heat map, or an overview and one heat map per group of rows.
    pub fn sheets(&self) -> Vec<Sheet> {
        let groups = self.rows.1.groups.len();
        if self.rows.1.len() <= ROWS || groups < 2 {
            return vec![self.sheet(&self.rows.1, String::new(), String::new())];
        }
        let mut sheets: Vec<_> = self.overview().into_iter().collect();
        for group in 0..groups {
            let rows = self.rows.1.only(group);
            let name = rows.groups[0].0.clone();
            sheets.push(self.sheet(&rows, format!("-group-{}", group + 1), name));
        }
        sheets
    }

    fn sheet(&self, rows: &Grouping, suffix: String, title: String) -> Sheet {
        let (columns, across) = self.columns.1.heads(&self.columns.0.title);
        let valued = |row: usize| across.iter().any(|&column| self.value(row, column).is_some());
        let kept = rows.filtered(valued);
        let empty = rows.len() - kept.len();
        let (rows, down) = kept.heads(&self.rows.0.title);
        let value = |&row: &usize| across.iter().map(move |column| (row, *column));
        let places = down.iter().flat_map(value);
        let values: Vec<_> = places.map(|(row, column)| self.value(row, column)).collect();
        let text = |value: &Option<f64>| match value {
            Some(value) => chart_data::short(*value, self.measure.kind.is_share()),
            None => "–".to_owned(),
        };
        Sheet {
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
                measured: chart_data::measured(&self.measure),
            },
        }
    }

    fn value(&self, row: usize, column: usize) -> Option<f64> {
        self.values[row * self.columns.0.len() + column]
    }

    /// Builds the map of the median and the largest value of every pair of a group of rows and a
    /// class of columns; `None` if the columns have no classes.
    fn overview(&self) -> Option<Sheet> {
        let classes = classes(&self.columns.1);
        if classes.places.len() < 2 {
            return None;
        }
        let mut values = Vec::new();
        let mut texts = Vec::new();
        for (_, members) in &self.rows.1.groups {
            for places in &classes.places {
                let pair = |row: usize| places.iter().map(move |&column| (row, column));
                let pairs = members.iter().flat_map(|member| pair(member.index));
                let held = pairs.filter_map(|(row, column)| self.value(row, column));
                let (median, most) = median_and_most(held.collect()).unzip();
                values.push(median);
                texts.push(match (median, most) {
                    (Some(median), Some(most)) => format!(
                        "{}\n{}",
                        chart_data::short(median, self.measure.kind.is_share()),
                        chart_data::short(most, self.measure.kind.is_share())
                    ),
                    _ => "–".to_owned(),
                });
            }
        }
        let names = self.rows.1.groups.iter().map(|(name, _)| name.clone());
        let (x, y) = (&self.columns.0.name, &self.rows.0.name);
        Some(Sheet {
            suffix: "-overview".to_owned(),
            title: "overview".to_owned(),
            caption: format!(
                "Each cell sums up all pairs of its {y}s and {x}s: above, and as its colour, their median; below, the largest."
            ),
            map: HeatMap {
                columns: classes.heads(&self.columns),
                rows: Heads::new(format!("{y}, in groups"), names.collect()),
                values,
                texts,
                among: Vec::new(),
                middle: None,
                measured: format!("median {}", chart_data::measured(&self.measure)),
            },
        })
    }
}

/// Columns put together: those of one group and one mark, or of one group if that makes too many
/// classes.
struct Classes {
    names: Vec<String>,
    groups: Vec<(String, usize)>,
    /// The indices of the members of each class on the axis.
    places: Vec<Vec<usize>>,
}

fn classes(columns: &Grouping) -> Classes {
    let fine = classes_by(columns, true);
    if fine.places.len() <= CLASSES && fine.names.iter().any(|name| !name.is_empty()) {
        return fine;
    }
    classes_by(columns, false)
}

fn classes_by(columns: &Grouping, marked: bool) -> Classes {
    let mut classes = Classes { names: Vec::new(), groups: Vec::new(), places: Vec::new() };
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

impl Classes {
    fn heads(&self, (axis, grouping): &(Axis, Grouping)) -> Heads {
        let said = grouping.said.split(" (").next().unwrap_or_default();
        Heads {
            title: format!("{}, {said}", axis.title).trim_end_matches(", ").to_owned(),
            names: self.names.clone(),
            marks: Vec::new(),
            groups: self.groups.clone(),
        }
    }
}

/// Returns the median, the lower one of two, and the largest.
fn median_and_most(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let middle = values.len().checked_sub(1)? / 2;
    Some((values[middle], *values.last()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_of_the_sorted_values() {
        assert_eq!(median_and_most(vec![3.0, 1.0, 2.0]), Some((2.0, 3.0)));
        assert_eq!(median_and_most(vec![4.0, 1.0, 2.0, 3.0]), Some((2.0, 4.0)));
        assert_eq!(median_and_most(Vec::new()), None);
    }
}
