//! Declarations of printed things: data, tables, and marks.

use super::grammar_views::Declarations;
use super::{ParseResult, RulebookFileParser};
use crate::syntax::ast::{DataRowsDecl, DeclarationKind, Ident, RowDecl, TableDecl};
use crate::syntax::line_tree::SourceLine;
use crate::syntax::token_cursor::TokenCursor;

/// Expected content of a line of marks, in messages.
const MARKS_EXPECTED_TEXT: &str = "what is printed, and its name";

impl<'t> Declarations<'_, '_> {
    /// Parses `data weapons:` with heads and rows, or `from` a file.
    pub(super) fn parse_data_block(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        let name = self.parse_name(at, "the name of the data")?;
        let mut data = DataRowsDecl {
            from: self.parse_operand_if_word_next(
                at,
                "from",
                RulebookFileParser::parse_quoted_name,
            )?,
            ..DataRowsDecl::default()
        };
        let mut lines = line.inner.as_slice();
        if data.from.is_some() {
            if !at.is_at_end() {
                self.expect_colon_and_block(at, line)?;
            }
        } else {
            self.expect_colon_and_block(at, line)?;
            let (heads, rows) = lines.split_first()?;
            let mut heads = cells_of_line(heads).into_iter();
            heads.next();
            data.heads = heads.collect();
            lines = rows;
        }
        for line in lines {
            let mut at = TokenCursor::from_line(line);
            match at.eat("column") {
                true => match self.parse_marks_of_column_line(&mut at) {
                    Some(column) => data.marks.push(column),
                    None => self.suppress_line_names(line),
                },
                false => data.rows.extend(parse_row_of_cells(line)),
            }
        }
        Some((name, DeclarationKind::Data(data)))
    }

    /// Parses `column special: of special`.
    fn parse_marks_of_column_line(
        &mut self,
        at: &mut TokenCursor<'t>,
    ) -> ParseResult<(Ident, Ident)> {
        let column = self.parse_name(at, "the column")?;
        self.expect_token(at, ":")?;
        self.expect_token(at, "of")?;
        let marks = self.parse_name(at, "the marks")?;
        self.expect_line_end(at)?;
        Some((column, marks))
    }

    pub(super) fn parse_printed_table(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        let name = self.parse_name(at, "the name of the table")?;
        let from =
            self.parse_operand_if_word_next(at, "from", RulebookFileParser::parse_quoted_name)?;
        // The rule reference may be before or after the colon.
        let rule = at.eat_rule_reference().unwrap_or_default().to_owned();
        let mut table = TableDecl { from, rule, ..TableDecl::default() };
        let mut opened = self.expect_token(at, ":");
        table.rule += at.eat_rule_reference().unwrap_or_default();
        opened = opened.and_then(|()| self.expect_line_end(at));
        if opened.is_none() {
            self.require_block_after_header(None, line)?;
        }
        for line in &line.inner {
            let mut at = TokenCursor::from_line(line);
            if at.eat("cell") {
                let explained = self.parse_pattern_with_name(at, line, MARKS_EXPECTED_TEXT);
                table.has_broken_legend |= explained.is_none();
                table.legend.extend(explained);
            } else if at.eat("columns") {
                table.columns = cells_of_rest_of_line(at);
            } else if at.is_next("exact") && line.text == "exact" {
                table.exact = true;
            } else if at.is_next("else") {
                self.parse_else_row(line, &mut table);
            } else {
                table.rows.extend(parse_row_of_cells(line));
            }
        }
        Some((name, DeclarationKind::Table(table)))
    }

    /// Parses the row of all other keys, which is the only one of its kind.
    fn parse_else_row(&mut self, line: &SourceLine<'t>, table: &mut TableDecl) {
        if table.otherwise.is_some() {
            self.faults.add_fault_at_span(line.span(), "there is another `else` above", "");
        }
        table.otherwise = parse_row_of_cells(line);
    }

    /// Parses a printed pattern and its name.
    fn parse_pattern_with_name(
        &mut self,
        at: TokenCursor<'t>,
        line: &SourceLine<'t>,
        what: &'static str,
    ) -> ParseResult<(Ident, Ident)> {
        let mut cells = cells_of_rest_of_line(at.clone()).into_iter();
        match (cells.next(), cells.next(), cells.next()) {
            (Some(pattern), Some(name), None) => Some((pattern, name)),
            _ => {
                self.suppress_line_names(line);
                self.report_unexpected(&at, what)
            }
        }
    }

    /// Parses two names on each of the lines below; `what` describes them in messages.
    pub(super) fn parse_pattern_name_lines(
        &mut self,
        line: &SourceLine<'t>,
        what: &'static str,
    ) -> Vec<(Ident, Ident)> {
        line.inner
            .iter()
            .filter_map(|line| {
                self.parse_pattern_with_name(TokenCursor::from_line(line), line, what)
            })
            .collect()
    }

    pub(super) fn parse_marks_declaration(
        &mut self,
        at: &mut TokenCursor<'t>,
        line: &SourceLine<'t>,
    ) -> ParseResult<(Ident, DeclarationKind)> {
        let name = self.parse_name(at, "the name of the marks")?;
        self.expect_colon_and_block(at, line)?;
        Some((
            name,
            DeclarationKind::Marks(self.parse_pattern_name_lines(line, MARKS_EXPECTED_TEXT)),
        ))
    }
}

/// Returns the cells of a line.
fn cells_of_line(line: &SourceLine) -> Vec<Ident> {
    cells_of_rest_of_line(TokenCursor::from_line(line))
}

fn cells_of_rest_of_line(at: TokenCursor) -> Vec<Ident> {
    at.split_rest_at_unquoted_spaces()
        .into_iter()
        .map(|(text, span)| Ident::new(text, span))
        .collect()
}

/// Returns a row: its name or key, and its cells.
fn parse_row_of_cells(line: &SourceLine) -> Option<RowDecl> {
    let mut cells = cells_of_line(line).into_iter();
    Some(RowDecl { key: cells.next()?, cells: cells.collect() })
}
