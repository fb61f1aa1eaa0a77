//! Tables of values by row and column.

/// Builds a table from its cells.
pub(crate) fn build_table<T>(
    rows: usize,
    columns: usize,
    cell: impl Fn(usize, usize) -> T,
) -> Vec<Vec<T>> {
    (0..rows).map(|row| (0..columns).map(|column| cell(row, column)).collect()).collect()
}
