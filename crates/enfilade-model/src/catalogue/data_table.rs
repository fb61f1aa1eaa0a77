//! A table of facts behind a rulebook.

use crate::shared::Text;

/// A table of built-in data as users see it.
#[derive(Debug)]
pub struct DataTable {
    /// What it holds: `machine guns`.
    pub name: Text,
    /// Column heads.
    pub columns: Vec<String>,
    /// Rows, as long as `columns`.
    pub rows: Vec<Vec<String>>,
}
