//! Table lookups: rows and columns by constant and by rolled keys.

use std::borrow::Cow;

use super::construct_views::TableLookup;
use super::lowered_value::{ConstantOrParameterCell, LoweredValue, Operand};
use super::name_scopes::Scopes;
use crate::diagnostics::Span;
use crate::resolve::game::{TableDef, TableRowOrColumnKeys};
use crate::resolve::printed_cells::name_of_printed_word;
use crate::syntax::ast::{Expr, ExprKind};
use crate::value_types::{ContestValue, ScalarType, ValueRange};
use crate::vm::code::{BinOp, Instr};

/// Largest list that a rolled number indexes directly.
const MAX_DIRECT_LOOKUP_LENGTH: i64 = 1024;

/// Name of a key by the odds of two numbers: `t(d6, odds(attack, defence))`.
const ODDS_KEY_NAME: &str = "odds";

/// Parses printed odds `1:2` or `3-1`, whose words are `1_2` and `3_1`.
fn parse_printed_odds(word: &str) -> Option<(i64, i64)> {
    let (of, to) = word.split_once('_')?;
    let whole = |text: &str| text.parse().ok().filter(|n| (1..=100).contains(n));
    Some((whole(of)?, whole(to)?))
}

/// Rows or columns that a key may select, with the number that selects among them, from 0.
struct RowsOrColumnsKeyMaySelect {
    num: Operand,
    places: Vec<Option<usize>>,
}

impl RowsOrColumnsKeyMaySelect {
    /// Creates a constant selection.
    fn from_constant_index(place: Option<usize>) -> RowsOrColumnsKeyMaySelect {
        RowsOrColumnsKeyMaySelect { num: Operand::constant_whole_number(0), places: vec![place] }
    }
}

impl<'g> TableLookup<'_, 'g> {
    /// Lowers `t(row)` and `t(row, column)`, each key with an optional shift.
    pub(super) fn lower_table(
        &mut self,
        table: usize,
        arguments: &'g [(Expr, Option<Expr>)],
        span: &Span,
    ) -> LoweredValue {
        let block = &self.scopes.game.tables[table];
        let wanted = 1 + usize::from(block.columns.is_some());
        if arguments.len() != wanted {
            let keys = if wanted == 1 { "one key" } else { "a row and a column" };
            let problem = format!("`{}` is looked up by {keys}", block.name);
            return LoweredValue::Operand(self.emitter.report_or_emit_fault(span, problem, ""));
        }
        let (key, shift) = &arguments[0];
        let mut rows = self.lower_table_key(block, &block.rows, key, shift.as_ref());
        if block.otherwise {
            let last = block.rows.len();
            rows.places.iter_mut().for_each(|place| *place = place.or(Some(last)));
        }
        let columns = match (&block.columns, arguments.get(1)) {
            (Some(keys), Some((key, shift))) => {
                self.lower_table_key(block, keys, key, shift.as_ref())
            }
            _ => RowsOrColumnsKeyMaySelect::from_constant_index(Some(0)),
        };
        self.lower_selected_cell(table, rows, columns, span)
    }

    /// Lowers the cell at rows and columns.
    fn lower_selected_cell(
        &mut self,
        table: usize,
        rows: RowsOrColumnsKeyMaySelect,
        columns: RowsOrColumnsKeyMaySelect,
        span: &Span,
    ) -> LoweredValue {
        let block = &self.scopes.game.tables[table];
        let cells = self.scopes.cells_of_places(table, &rows.places, &columns.places);
        let place = self.emitter.emit_binary(
            BinOp::Mul,
            rows.num,
            Operand::constant_whole_number(columns.places.len() as i64),
            span,
        );
        let place = self.emitter.emit_binary(BinOp::Add, place, columns.num, span);
        if cells.iter().any(Option::is_none) {
            let blank = format!("`{}` has no such key", block.name);
            self.emitter.program.blanks.push((span.clone(), blank));
        }
        let Some(legend) = &block.legend else {
            let cells = cells.iter().map(|cell| match cell.as_ref()? {
                ContestValue::Parameter(range, slot) => {
                    Some(ConstantOrParameterCell::Parameter(*range, *slot))
                }
                fixed => fixed.constant_number().map(ConstantOrParameterCell::Constant),
            });
            let cells: Vec<_> = cells.collect();
            return LoweredValue::Operand(
                self.emitter.lookup_cell_by_index(block.kind, &cells, place, span),
            );
        };
        let numbers = |of: fn(&ContestValue) -> Option<ValueRange>| -> Vec<Option<i64>> {
            cells.iter().map(|cell| of(cell.as_ref()?)?.only_number()).collect()
        };
        let words = numbers(|cell| Some(cell.cell_word_and_number()?.0));
        let word =
            self.emitter.lookup_in_constants(ScalarType::Word(legend.list), &words, place, span);
        let numbers = numbers(|cell| Some(cell.cell_word_and_number()?.1));
        LoweredValue::Cell(
            word,
            self.emitter.lookup_in_constants(ScalarType::Number, &numbers, place, span),
        )
    }

    /// Lowers a key to the rows or columns that it may select.
    fn lower_table_key(
        &mut self,
        block: &TableDef,
        keys: &TableRowOrColumnKeys,
        key: &'g Expr,
        shift: Option<&'g Expr>,
    ) -> RowsOrColumnsKeyMaySelect {
        let span = &key.span;
        // A table without rows has been reported at its declaration.
        if keys.len() == 0 {
            return RowsOrColumnsKeyMaySelect::from_constant_index(Some(0));
        }
        let key_axis = match keys {
            TableRowOrColumnKeys::Words(words) => match self.scopes.arguments_of_odds_call(key) {
                Some(arguments) => self.select_by_odds(block, words, arguments, span),
                None => self.select_by_word(block, words, key),
            },
            TableRowOrColumnKeys::Numbers(numbers) => {
                self.select_by_nonconstant_number(block, keys, numbers, key)
            }
        };
        let Some(shift) = shift else { return key_axis };
        let by = self.lower_to_whole_number(shift);
        self.shift_selection(key_axis, keys.len() as i64 - 1, by, span)
    }

    /// Selects the last head such as `1:2` or `3-1` that two numbers reach; the remainder is lost
    /// to the first number, the attacker's. Selects the first head if they reach none, and the last
    /// against 0.
    fn select_by_odds(
        &mut self,
        block: &TableDef,
        words: &[String],
        arguments: &'g [(Expr, Option<Expr>)],
        span: &Span,
    ) -> RowsOrColumnsKeyMaySelect {
        let odds: Vec<(i64, i64)> =
            words.iter().filter_map(|word| parse_printed_odds(word)).collect();
        let ([(a, _), (b, _)], true) = (arguments, odds.len() == words.len()) else {
            let problem = match arguments.len() {
                2 => format!("`{}` needs heads that are odds, such as `1:2` or `3-1`", block.name),
                _ => {
                    format!(
                        "`{ODDS_KEY_NAME}(…)` takes two numbers: the attacker's and the defender's"
                    )
                }
            };
            self.emitter.report_or_emit_fault(span, problem, "");
            return RowsOrColumnsKeyMaySelect::from_constant_index(Some(0));
        };
        if self.is_checking()
            && odds.windows(2).any(|pair| pair[0].0 * pair[1].1 >= pair[1].0 * pair[0].1)
        {
            let problem = format!("the odds of `{}` must ascend", block.name);
            self.emitter.report_or_emit_fault(span, problem, "");
        }
        let (a, b) = (self.lower_to_whole_number(a), self.lower_to_whole_number(b));
        // The heads ascend, so the number of reached heads is the index of the last one.
        let mut num = Operand::constant_whole_number(0);
        for (of, to) in odds.iter().skip(1) {
            let has =
                self.emitter.emit_binary(BinOp::Mul, a, Operand::constant_whole_number(*to), span);
            let needs =
                self.emitter.emit_binary(BinOp::Mul, b, Operand::constant_whole_number(*of), span);
            let reached = self.emitter.emit_binary(BinOp::Ge, has, needs, span);
            num = self.emitter.emit_binary(BinOp::Add, num, reached, span);
        }
        num.range.kind = ScalarType::Number;
        let places: Vec<_> = (0..words.len()).map(Some).collect();
        match num.as_constant() {
            Some(known) => RowsOrColumnsKeyMaySelect::from_constant_index(Some(known as usize)),
            None => RowsOrColumnsKeyMaySelect { num, places },
        }
    }

    /// Shifts a selection by a number of rows or columns, clamped at the ends.
    fn shift_selection(
        &mut self,
        selection: RowsOrColumnsKeyMaySelect,
        last: i64,
        by: Operand,
        span: &Span,
    ) -> RowsOrColumnsKeyMaySelect {
        if let Some(by) = by.as_constant() {
            let shifted = |place: &Option<usize>| {
                place.map(|place| (place as i64 + by).clamp(0, last) as usize)
            };
            let places = selection.places.iter().map(shifted).collect();
            return RowsOrColumnsKeyMaySelect { places, ..selection };
        }
        let places: Vec<_> = selection.places.iter().map(|p| p.map(|p| p as i64)).collect();
        let place =
            self.emitter.lookup_in_constants(ScalarType::Number, &places, selection.num, span);
        let place = self.emitter.emit_binary(BinOp::Add, place, by, span);
        let place =
            self.emitter.emit_binary(BinOp::Max, place, Operand::constant_whole_number(0), span);
        let num =
            self.emitter.emit_binary(BinOp::Min, place, Operand::constant_whole_number(last), span);
        let places = (0..=last as usize).map(Some).collect();
        RowsOrColumnsKeyMaySelect { num, places }
    }

    /// Selects by a word: all words of its list if it is not constant.
    fn select_by_word(
        &mut self,
        block: &TableDef,
        words: &[String],
        key: &'g Expr,
    ) -> RowsOrColumnsKeyMaySelect {
        // A word that is a key takes precedence over every other meaning of its name.
        if let ExprKind::Name(name) = &key.kind
            && self.scopes.find_rule_name(name).is_none()
            && let Some(place) = words.iter().position(|word| word == name)
        {
            return RowsOrColumnsKeyMaySelect::from_constant_index(Some(place));
        }
        let num = self.lower_to_operand(key, None);
        let kind = num.range.kind;
        let place = |name: &str| words.iter().position(|word| word == name);
        if let (ScalarType::Word(list), Some(known), false) =
            (kind, num.as_constant(), self.is_checking())
        {
            let word = self.scopes.game.words[usize::from(list)].iter().nth(known as usize);
            if let Some(found) = word.and_then(place) {
                return RowsOrColumnsKeyMaySelect::from_constant_index(Some(found));
            }
        }
        let Some(named) = self.scopes.key_names_of_type(kind) else {
            if kind != ScalarType::Any {
                let found = self.scopes.game.type_name_in_messages(kind);
                let keys = format!("the keys of `{}` are words", block.name);
                self.emitter.report_or_emit_fault(
                    &key.span,
                    format!("this is {found}, and {keys}"),
                    "",
                );
            }
            return RowsOrColumnsKeyMaySelect::from_constant_index(Some(0));
        };
        let places: Vec<_> = named.iter().map(|name| place(name)).collect();
        let missing = named.iter().zip(&places).find(|(_, place)| place.is_none());
        let open = block.otherwise && std::ptr::eq(words, block.keys_of_word_rows());
        if let (Some((word, _)), true, false) = (missing, self.is_checking(), open) {
            let list = self.scopes.game.type_name_in_messages(kind);
            let missing = format!("no row or column for `{word}`, which is {list}");
            let problem = format!("`{}` has {missing}", block.name);
            self.emitter.report_or_emit_fault(
                &key.span,
                problem,
                format!("add `{word}` to the table"),
            );
        }
        RowsOrColumnsKeyMaySelect { num, places }
    }

    /// Selects by a number that is not constant: by all values in its range, or by a search if
    /// these are many.
    fn select_by_nonconstant_number(
        &mut self,
        block: &TableDef,
        keys: &TableRowOrColumnKeys,
        numbers: &[(i64, i64)],
        key: &'g Expr,
    ) -> RowsOrColumnsKeyMaySelect {
        let num = self.lower_to_whole_number(key);
        if let Some(known) = num.as_constant() {
            return self.select_by_constant(block, keys, known, &key.span);
        }
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
            return RowsOrColumnsKeyMaySelect::from_constant_index(None);
        };
        // Keys beyond the ends select the ends, unless only printed keys are allowed.
        let (least, most) = match block.exact {
            // All numbers of an open row select it, so that one of them stands for all.
            true => (
                if first.0 <= i32::MIN.into() { first.1 } else { first.0 - 1 },
                if last.1 >= i32::MAX.into() { last.0 } else { last.1 + 1 },
            ),
            false => (first.1.min(last.0), last.0),
        };
        let (lo, hi) = (num.range.lo.max(least), num.range.hi.min(most));
        if lo > hi && block.otherwise && std::ptr::eq(keys, &block.rows) {
            return RowsOrColumnsKeyMaySelect::from_constant_index(None);
        }
        if lo > hi || hi - lo > MAX_DIRECT_LOOKUP_LENGTH {
            if block.otherwise && std::ptr::eq(keys, &block.rows) {
                let problem = format!("the keys of `{}` are too far apart for `else`", block.name);
                self.emitter.report_or_emit_fault(
                    &key.span,
                    problem,
                    "bound the key: `n at most 100`",
                );
            }
            return self.select_by_search(block, numbers, num, &key.span);
        }
        let floor = Operand::constant_whole_number(lo);
        let within = self.emitter.emit_binary(BinOp::Max, num, floor, &key.span);
        let within = self.emitter.emit_binary(
            BinOp::Min,
            within,
            Operand::constant_whole_number(hi),
            &key.span,
        );
        let num = self.emitter.emit_binary(BinOp::Sub, within, floor, &key.span);
        let places = (lo..=hi).map(|key| keys.lookup_index_of_number(key, block.exact)).collect();
        RowsOrColumnsKeyMaySelect { num, places }
    }

    /// Selects by a constant; reports one that is not a printed key if only these are allowed.
    fn select_by_constant(
        &mut self,
        block: &TableDef,
        keys: &TableRowOrColumnKeys,
        number: i64,
        span: &Span,
    ) -> RowsOrColumnsKeyMaySelect {
        let place = keys.lookup_index_of_number(number, block.exact);
        let open = block.otherwise && std::ptr::eq(keys, &block.rows);
        if open {
            return RowsOrColumnsKeyMaySelect::from_constant_index(place);
        }
        if place.is_none() {
            self.emitter.report_or_emit_fault(
                span,
                format!("`{}` has no key {number}", block.name),
                "",
            );
        }
        RowsOrColumnsKeyMaySelect::from_constant_index(place.or(Some(0)))
    }

    /// Selects by a search at run time.
    fn select_by_search(
        &mut self,
        block: &TableDef,
        numbers: &[(i64, i64)],
        num: Operand,
        span: &Span,
    ) -> RowsOrColumnsKeyMaySelect {
        self.emitter.program.keys.push((numbers.to_vec(), block.exact));
        let (at, source) = (
            self.emitter.allocate_register(span),
            self.emitter.register_containing_operand(num, span),
        );
        let list = (self.emitter.program.keys.len() - 1) as u16;
        self.emitter.push_instr(Instr::Key(at, list, source), span);
        let places: Vec<_> = (0..numbers.len()).map(Some).collect();
        let range = ValueRange::new(ScalarType::Number, 0, places.len() as i64 - 1);
        RowsOrColumnsKeyMaySelect { num: Operand { range, reg: at }, places }
    }
}

impl<'g> Scopes<'g> {
    /// Returns the arguments of a key `odds(a, b)`, unless a table or part of the file has this
    /// name.
    fn arguments_of_odds_call(&self, key: &'g Expr) -> Option<&'g [(Expr, Option<Expr>)]> {
        match &key.kind {
            ExprKind::Call(name, arguments) if name.text == ODDS_KEY_NAME => {
                (!self.game.names.contains_key(ODDS_KEY_NAME)).then_some(arguments)
            }
            _ => None,
        }
    }

    /// Returns the keys that the values of a type are called by: words, and names of rows.
    fn key_names_of_type(&self, kind: ScalarType) -> Option<Vec<Cow<'g, str>>> {
        match kind {
            ScalarType::Word(list) => {
                Some(self.game.words[usize::from(list)].iter().map(Cow::from).collect())
            }
            ScalarType::Row(data) => {
                let rows = self.game.data[usize::from(data)].rows.iter();
                Some(rows.map(|row| Cow::from(name_of_printed_word(&row.text))).collect())
            }
            _ => None,
        }
    }
}

impl Scopes<'_> {
    /// Returns the cells at these rows and columns, row by row, with the contest's changes.
    pub(super) fn cells_of_places(
        &mut self,
        table: usize,
        rows: &[Option<usize>],
        columns: &[Option<usize>],
    ) -> Vec<Option<ContestValue>> {
        let block = &self.game.tables[table];
        let width = block.columns.as_ref().map_or(1, TableRowOrColumnKeys::len);
        let places = rows.iter().flat_map(|row| columns.iter().map(move |column| row.zip(*column)));
        let places: Vec<Option<usize>> =
            places.map(|place| place.map(|(row, column)| row * width + column)).collect();
        let cell = |place: Option<usize>| {
            let at = (table, place?);
            match self.changed_cells.iter().position(|changed| changed.place == at) {
                Some(changed) => {
                    self.cells_read |= 1 << changed.min(127);
                    Some(self.changed_cells[changed].value.clone())
                }
                None => block.cells.get(at.1).cloned(),
            }
        };
        places.into_iter().map(cell).collect()
    }
}
