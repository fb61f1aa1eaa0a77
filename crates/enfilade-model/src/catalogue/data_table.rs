//! Tables of facts behind a rulebook.

use crate::static_or_shared::Text;

/// Table of built-in data as users see it.
#[derive(Debug)]
pub struct PrintedDataTable {
    /// Name of the contents: `machine guns`.
    pub name: Text,
    /// Column heads.
    pub columns: Vec<String>,
    /// Rows, as long as `columns`.
    pub rows: Vec<Vec<String>>,
}
