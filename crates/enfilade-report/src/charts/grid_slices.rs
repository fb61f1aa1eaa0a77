//! Slices of a grid: cells that make one picture because they differ only in the axes that are
//! drawn. Equal pictures are merged: "at morale 6, 7 and 8".

use indexmap::IndexMap;

use super::chart_data::{self, ChartAxis};
use crate::text::labels;
use enfilade_model::form::Value;
use enfilade_model::form::name_matching::join_and;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::ChartKind;

/// Cells that differ only in the axes that are drawn.
#[derive(Clone, Debug)]
pub struct CellsWithFixedAxes<'a> {
    /// The other axes, each with the values that give this picture.
    fixed: Vec<(String, Vec<Value>)>,
    /// The cells at the first of those values.
    pub cells: Vec<&'a Answer>,
}

impl CellsWithFixedAxes<'_> {
    /// Describes its place: "firepower 8, morale 6, 7 and 8"; empty without other axes.
    pub fn describe_fixed_axes(&self) -> String {
        let cell = self.cells[0];
        let part = |(path, values): &(String, Vec<Value>)| {
            let all: Vec<_> = values.iter().map(|v| labels::value_label(cell, path, v)).collect();
            match values.as_slice() {
                [one] => labels::axis_value_phrase(cell, path, one),
                _ => format!("{} {}", labels::label_of_parameter(cell, path), join_and(&all)),
            }
        };
        self.fixed.iter().map(part).collect::<Vec<_>>().join(", ")
    }

    /// Merges `other` into this slice if they differ in the values of one axis only. Returns
    /// whether it did.
    fn merge_if_one_axis_differs(&mut self, other: &CellsWithFixedAxes<'_>) -> bool {
        let pairs = self.fixed.iter().zip(&other.fixed);
        let mut apart = pairs.enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at);
        let (Some(at), None) = (apart.next(), apart.next()) else {
            return false;
        };
        self.fixed[at].1.extend(other.fixed[at].1.iter().cloned());
        true
    }
}

/// Splits the cells of a contest into slices, in the order of the file.
pub fn split_cells_into_slices<'a>(
    cells: &[&'a Answer],
    axes: &[&str],
) -> Vec<CellsWithFixedAxes<'a>> {
    let mut slices: IndexMap<String, CellsWithFixedAxes<'a>> = IndexMap::new();
    for &cell in cells {
        let others = cell.axes.iter().filter(|(path, _)| !axes.contains(&path.as_str()));
        let fixed: Vec<_> =
            others.map(|(path, value)| (path.clone(), vec![value.clone()])).collect();
        let slice = slices.entry(format!("{fixed:?}"));
        slice.or_insert_with(|| CellsWithFixedAxes { fixed, cells: Vec::new() }).cells.push(cell);
    }
    slices.into_values().collect()
}

/// Merges slices with equal pictures; each keeps all values at which its picture is the same.
pub fn merge_equal_slices<'a>(
    slices: Vec<CellsWithFixedAxes<'a>>,
    kind: ChartKind,
    axes: &[String],
    measure: &str,
) -> Vec<CellsWithFixedAxes<'a>> {
    let shown = |slice: CellsWithFixedAxes<'a>| {
        (distinct_points_of_picture(&slice, kind, axes, measure), slice)
    };
    let mut parts: Vec<_> = slices.into_iter().map(shown).collect();
    // Along one axis first, then the merged rows along the next one.
    loop {
        let before = parts.len();
        let mut distinct_slices: Vec<(Vec<PointInPicture>, CellsWithFixedAxes<'a>)> = Vec::new();
        for (what, slice) in parts {
            let like = |(known, first): &mut (Vec<PointInPicture>, CellsWithFixedAxes<'a>)| {
                *known == what && first.merge_if_one_axis_differs(&slice)
            };
            if !distinct_slices.iter_mut().any(like) {
                distinct_slices.push((what, slice));
            }
        }
        parts = distinct_slices;
        if parts.len() == before {
            return parts.into_iter().map(|(_, slice)| slice).collect();
        }
    }
}

/// A position in a picture and its value, in the units that a picture can resolve.
type PointInPicture = (Vec<Option<usize>>, Vec<i32>, Option<i64>);

fn distinct_points_of_picture(
    slice: &CellsWithFixedAxes<'_>,
    kind: ChartKind,
    axes: &[String],
    measure: &str,
) -> Vec<PointInPicture> {
    let axes: Vec<_> =
        axes.iter().filter_map(|path| ChartAxis::from_axis_of_cells(&slice.cells, path)).collect();
    let units = |value: f64| (value * 1e9).round() as i64;
    let of = |cell: &&Answer| -> Vec<PointInPicture> {
        let place: Vec<_> = axes.iter().map(|axis| axis.index_of_cell(cell)).collect();
        match kind {
            // These charts draw the whole distribution: two cells with equal means have different
            // pictures.
            ChartKind::Bars | ChartKind::AtLeast | ChartKind::Activations => {
                let law = cell.outcomes.iter();
                let law = law.map(|o| {
                    (place.clone(), o.values.clone(), Some(units(chart_data::outcome_percent(o))))
                });
                law.filter(|(.., share)| *share != Some(0)).collect()
            }
            _ => {
                let value = chart_data::drawn_value_of_measure(cell, measure)
                    .map(|point| units(point.value));
                vec![(place, Vec::new(), value)]
            }
        }
    };
    slice.cells.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    #[test]
    fn slices_are_named_by_what_is_not_drawn() {
        let answers = test_answers::build_grid();
        let cells: Vec<_> = answers.iter().collect();
        let slices = split_cells_into_slices(&cells, &["drm"]);
        let said: Vec<_> = slices.iter().map(CellsWithFixedAxes::describe_fixed_axes).collect();
        assert_eq!(said, ["firepower 1", "firepower 2", "firepower 4", "firepower 8"]);
        assert!(slices.iter().all(|slice| slice.cells.len() == 3));
    }

    /// Of four firepowers two are equal, the first and the third: three pictures.
    #[test]
    fn equal_pictures_are_one() {
        let mut answers = test_answers::build_grid();
        for at in 0..3 {
            answers[6 + at].measures = answers[at].measures.clone();
        }
        let cells: Vec<_> = answers.iter().collect();
        let axes = ["drm".to_owned()];
        let all = split_cells_into_slices(&cells, &["drm"]);
        let kept = merge_equal_slices(all.clone(), ChartKind::Curves, &axes, "p_kill");
        let said: Vec<_> = kept.iter().map(CellsWithFixedAxes::describe_fixed_axes).collect();
        assert_eq!(said, ["firepower 1 and 4", "firepower 2", "firepower 8"]);
        // Their distributions differ.
        assert_eq!(merge_equal_slices(all, ChartKind::Bars, &axes, "p_kill").len(), 4);
    }
}
