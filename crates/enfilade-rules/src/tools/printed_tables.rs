//! Tables and data of a rulebook's text as printed: every cell with its place, so that an editor
//! can replace it.
//!
//! Nothing is checked: a faulty file has tables too.

use crate::diagnostics::{Faults, Span};
use crate::syntax::ast::{DeclarationKind, Ident, RowDecl};
use crate::syntax::parser::parse_rulebook_file;

/// Table, or data block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableInRulebookText {
    /// Name.
    pub name: String,
    /// Place of the name, in bytes of the file.
    pub place: Span,
    /// Heads of the columns, the first of which contains names or keys; empty if there are none.
    pub heads: Vec<String>,
    /// Rows, with names or keys first.
    pub rows: Vec<Vec<PrintedTableCell>>,
}

/// Printed cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedTableCell {
    /// Text, without quotes.
    pub text: String,
    /// Place, quotes included.
    pub place: Span,
}

/// Returns the tables and the data whose rows are in the file itself, in the order of the file.
///
/// ```
/// let text = "game \"G\"\ntable hits:\n    columns 1 2\n    low 3 4\n";
/// let tables = enfilade_rules::tools::printed_tables::tables_with_rows_in_file(text);
/// assert_eq!(tables[0].heads, ["", "1", "2"]);
/// assert_eq!(&text[tables[0].rows[0][2].place.clone()], "4");
/// ```
pub fn tables_with_rows_in_file(text: &str) -> Vec<TableInRulebookText> {
    let file = parse_rulebook_file(text, &mut Faults::default());
    let tables = file.declarations.into_iter().filter_map(|declared| {
        let (mut heads, first, rows) = match declared.kind {
            DeclarationKind::Data(data) => (data.heads, "name", data.rows),
            DeclarationKind::Table(table) => (table.columns, "", table.rows),
            _ => return None,
        };
        let heads = heads.drain(..).map(|head| head.text);
        let heads: Vec<String> = std::iter::once(first.to_owned()).chain(heads).collect();
        (!rows.is_empty()).then(|| TableInRulebookText {
            name: declared.name.text,
            place: declared.name.span,
            heads: if heads.len() > 1 { heads } else { Vec::new() },
            rows: rows.into_iter().map(source_cells_of_row).collect(),
        })
    });
    tables.collect()
}

fn source_cells_of_row(RowDecl { key, cells }: RowDecl) -> Vec<PrintedTableCell> {
    let cell = |Ident { text, span }| PrintedTableCell { text, place: span };
    std::iter::once(key).chain(cells).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "game \"Ä\"\ndata guns:\n    name  shots  note\n    \"long gun\"  3  x -- good\n    \
        gun  2  -\n\ntable luck (4.1):\n    0  3\n    1..2  2\n";

    fn texts(rows: &[Vec<PrintedTableCell>]) -> Vec<Vec<&str>> {
        rows.iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect()).collect()
    }

    #[test]
    fn cells_are_found_where_they_stand() {
        let tables = tables_with_rows_in_file(FILE);
        let names: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["guns", "luck"]);
        assert_eq!(tables[0].heads, ["name", "shots", "note"]);
        assert_eq!(texts(&tables[0].rows), [["long gun", "3", "x"], ["gun", "2", "-"]]);
        assert!(tables[1].heads.is_empty());
        assert_eq!(texts(&tables[1].rows), [["0", "3"], ["1..2", "2"]]);
        assert_eq!(&FILE[tables[0].rows[0][0].place.clone()], "\"long gun\"");
        assert_eq!(&FILE[tables[1].rows[1][0].place.clone()], "1..2");
        assert_eq!(&FILE[tables[1].place.clone()], "luck");
    }

    #[test]
    fn a_file_with_faults_has_its_tables_all_the_same() {
        let broken = format!("{FILE}action x:\n    show (\n");
        assert_eq!(tables_with_rows_in_file(&broken), tables_with_rows_in_file(FILE));
        assert!(tables_with_rows_in_file("no rulebook at all").is_empty());
    }
}
