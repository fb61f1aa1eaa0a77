//! Names that charts and cards may use: those of the contests of a file, each once.

use indexmap::IndexSet;

use crate::experiment::GridCell;

/// Names of all contests together, in order of first appearance.
pub(super) struct AxisMeasureAndFieldNames<'a> {
    /// Grid axes; several contests are an axis too.
    pub axes: Vec<&'a str>,
    /// Measures.
    pub measures: Vec<&'a str>,
    /// Outcome fields.
    pub fields: Vec<&'a str>,
}

impl<'a> AxisMeasureAndFieldNames<'a> {
    /// Collects the names of these cells.
    pub(super) fn from_cells(cells: &'a [GridCell]) -> AxisMeasureAndFieldNames<'a> {
        let several = first_cell_of_each_contest(cells).nth(1).map(|_| "contest");
        let axes = first_cell_of_each_contest(cells).flat_map(|cell| &cell.axes);
        let axes = axes.map(|(name, _)| name.as_str());
        // Not every cell of a contest has all of them.
        let heads = || cells.iter().map(|cell| cell.played.combat.result_columns());
        let measures = heads().flat_map(|heads| heads.measures.iter());
        let fields = heads().flat_map(|heads| heads.fields.iter());
        AxisMeasureAndFieldNames {
            axes: distinct_in_order(several.into_iter().chain(axes)),
            measures: distinct_in_order(measures.map(|head| &*head.name)),
            fields: distinct_in_order(fields.map(|head| &*head.name)),
        }
    }
}

/// Returns the names, each once, in order of first appearance.
pub(super) fn distinct_in_order<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    names.collect::<IndexSet<_>>().into_iter().collect()
}

/// Returns the columns of the built-in tables of all systems of these cells, sorted.
pub(super) fn columns_of_built_in_tables<'a>(
    cells: impl IntoIterator<Item = &'a GridCell>,
) -> Vec<String> {
    let mut systems: Vec<_> = cells.into_iter().map(|cell| &cell.system).collect();
    systems.sort_by(|a, b| a.id.cmp(&b.id));
    systems.dedup();
    let data_tables = systems.iter().flat_map(|system| (system.data_tables)());
    let mut columns: Vec<_> = data_tables.flat_map(|data_table| data_table.columns).collect();
    columns.sort();
    columns.dedup();
    columns
}

/// Returns the first cell of every contest: axes are the same in all of them.
pub(super) fn first_cell_of_each_contest(cells: &[GridCell]) -> impl Iterator<Item = &GridCell> {
    let new = |i: usize| i == 0 || cells[i - 1].contest != cells[i].contest;
    (0..cells.len()).filter(move |&i| new(i)).map(|i| &cells[i])
}
