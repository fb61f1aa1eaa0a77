//! Tables of values by row and column, and lists in which each value is once.

/// Builds a table from its cells.
pub(crate) fn build_rows_from_fn<T>(
    rows: usize,
    columns: usize,
    cell: impl Fn(usize, usize) -> T,
) -> Vec<Vec<T>> {
    (0..rows).map(|row| (0..columns).map(|column| cell(row, column)).collect()).collect()
}

/// Returns the position of the first item that is like this, and adds one if there is none.
pub(crate) fn position_or_push<T>(
    items: &mut Vec<T>,
    is_like: impl FnMut(&T) -> bool,
    new: impl FnOnce() -> T,
) -> usize {
    items.iter().position(is_like).unwrap_or_else(|| {
        items.push(new());
        items.len() - 1
    })
}
