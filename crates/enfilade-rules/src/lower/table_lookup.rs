//! Table lookups: rows and columns by constant and by rolled keys.

use std::borrow::Cow;

use super::lowered_value::{Looked, Num, Value};
use super::scopes::Scopes;
use super::views::TableLookup;
use crate::diagnostics::Span;
use crate::resolve::game::{Keys, TableBlock};
use crate::resolve::printed_cells::as_word;
use crate::syntax::ast::{Expr, Says};
use crate::types::{Fixed, Kind, Range};
use crate::vm::code::{Op, Two};

/// Largest list that a rolled number indexes directly.
const DIRECT: i64 = 1024;

/// Name of a key by the odds of two numbers: `t(d6, odds(attack, defence))`.
const ODDS: &str = "odds";

/// Parses printed odds `1:2` or `3-1`, whose words are `1_2` and `3_1`.
fn odds(word: &str) -> Option<(i64, i64)> {
    let (of, to) = word.split_once('_')?;
    let whole = |text: &str| text.parse().ok().filter(|n| (1..=100).contains(n));
    Some((whole(of)?, whole(to)?))
}

/// Rows or columns that a key may select, with the number that selects among them, from 0.
struct Along {
    num: Num,
    places: Vec<Option<usize>>,
}

impl Along {
    /// Creates a constant selection.
    fn known(place: Option<usize>) -> Along {
        Along { num: Num::of(0), places: vec![place] }
    }
}

impl<'g> TableLookup<'_, 'g> {
    /// Lowers `t(row)` and `t(row, column)`, each key with an optional shift.
    pub(super) fn table(
        &mut self,
        table: usize,
        arguments: &'g [(Expr, Option<Expr>)],
        span: &Span,
    ) -> Value {
        let block = &self.scopes.game.tables[table];
        let wanted = 1 + usize::from(block.columns.is_some());
        if arguments.len() != wanted {
            let keys = if wanted == 1 { "one key" } else { "a row and a column" };
            let problem = format!("`{}` is looked up by {keys}", block.name);
            return Value::Num(self.emitter.wrong(span, problem, ""));
        }
        let (key, shift) = &arguments[0];
        let rows = self.along(block, &block.rows, key, shift.as_ref());
        let columns = match (&block.columns, arguments.get(1)) {
            (Some(keys), Some((key, shift))) => self.along(block, keys, key, shift.as_ref()),
            _ => Along::known(Some(0)),
        };
        self.cell(table, rows, columns, span)
    }

    /// Lowers the cell at rows and columns.
    fn cell(&mut self, table: usize, rows: Along, columns: Along, span: &Span) -> Value {
        let block = &self.scopes.game.tables[table];
        let cells = self.scopes.cells_at(table, &rows.places, &columns.places);
        let place =
            self.emitter.joined(Two::Mul, rows.num, Num::of(columns.places.len() as i64), span);
        let place = self.emitter.joined(Two::Add, place, columns.num, span);
        if cells.iter().any(Option::is_none) {
            let blank = format!("`{}` has no such key", block.name);
            self.emitter.program.blanks.push((span.clone(), blank));
        }
        let Some(legend) = &block.legend else {
            let cells = cells.iter().map(|cell| match cell.as_ref()? {
                Fixed::Asked(range, slot) => Some(Looked::Asked(*range, *slot)),
                fixed => fixed.known().map(Looked::Is),
            });
            let cells: Vec<_> = cells.collect();
            return Value::Num(self.emitter.looked_up_cells(block.kind, &cells, place, span));
        };
        let numbers = |of: fn(&Fixed) -> Option<Range>| -> Vec<Option<i64>> {
            cells.iter().map(|cell| of(cell.as_ref()?)?.known()).collect()
        };
        let words = numbers(|cell| Some(cell.printed()?.0));
        let word = self.emitter.looked_up(Kind::Word(legend.list), &words, place, span);
        let numbers = numbers(|cell| Some(cell.printed()?.1));
        Value::Cell(word, self.emitter.looked_up(Kind::Number, &numbers, place, span))
    }

    /// Lowers a key to the rows or columns that it may select.
    fn along(
        &mut self,
        block: &TableBlock,
        keys: &Keys,
        key: &'g Expr,
        shift: Option<&'g Expr>,
    ) -> Along {
        let span = &key.span;
        // A table without rows has been reported at its declaration.
        if keys.len() == 0 {
            return Along::known(Some(0));
        }
        let found = match keys {
            Keys::Words(words) if self.scopes.is_odds(key) => self.by_odds(block, words, key),
            Keys::Words(words) => self.by_word(block, words, key),
            Keys::Numbers(_) => self.by_number(block, keys, key),
        };
        let Some(shift) = shift else { return found };
        let by = self.whole(shift);
        self.shifted(found, keys.len() as i64 - 1, by, span)
    }

    /// Selects the last head such as `1:2` or `3-1` that two numbers reach; the remainder is lost
    /// to the first number, the attacker's. Selects the first head if they reach none, and the last
    /// against 0.
    fn by_odds(&mut self, block: &TableBlock, words: &[String], key: &'g Expr) -> Along {
        let span = &key.span;
        let odds: Vec<(i64, i64)> = words.iter().filter_map(|word| odds(word)).collect();
        let Says::Call(_, arguments) = &key.what else { return Along::known(Some(0)) };
        let ([(a, _), (b, _)], true) = (arguments.as_slice(), odds.len() == words.len()) else {
            let problem = match arguments.len() {
                2 => format!("`{}` needs heads that are odds, such as `1:2` or `3-1`", block.name),
                _ => format!("`{ODDS}(…)` takes two numbers: the attacker's and the defender's"),
            };
            self.emitter.wrong(span, problem, "");
            return Along::known(Some(0));
        };
        if self.checks()
            && odds.windows(2).any(|pair| pair[0].0 * pair[1].1 >= pair[1].0 * pair[0].1)
        {
            let problem = format!("the odds of `{}` must ascend", block.name);
            self.emitter.wrong(span, problem, "");
        }
        let (a, b) = (self.whole(a), self.whole(b));
        // The heads ascend, so the number of reached heads is the index of the last one.
        let mut num = Num::of(0);
        for (of, to) in odds.iter().skip(1) {
            let has = self.emitter.joined(Two::Mul, a, Num::of(*to), span);
            let needs = self.emitter.joined(Two::Mul, b, Num::of(*of), span);
            let reached = self.emitter.joined(Two::Ge, has, needs, span);
            num = self.emitter.joined(Two::Add, num, reached, span);
        }
        num.range.kind = Kind::Number;
        let places: Vec<_> = (0..words.len()).map(Some).collect();
        match num.known() {
            Some(known) => Along::known(Some(known as usize)),
            None => Along { num, places },
        }
    }

    /// Shifts a selection by a number of rows or columns, clamped at the ends.
    fn shifted(&mut self, found: Along, last: i64, by: Num, span: &Span) -> Along {
        if let Some(by) = by.known() {
            let moved = |place: &Option<usize>| {
                place.map(|place| (place as i64 + by).clamp(0, last) as usize)
            };
            let places = found.places.iter().map(moved).collect();
            return Along { places, ..found };
        }
        let places: Vec<_> = found.places.iter().map(|p| p.map(|p| p as i64)).collect();
        let place = self.emitter.looked_up(Kind::Number, &places, found.num, span);
        let place = self.emitter.joined(Two::Add, place, by, span);
        let place = self.emitter.joined(Two::Max, place, Num::of(0), span);
        let num = self.emitter.joined(Two::Min, place, Num::of(last), span);
        let places = (0..=last as usize).map(Some).collect();
        Along { num, places }
    }

    /// Selects by a word: all words of its list if it is not constant.
    fn by_word(&mut self, block: &TableBlock, words: &[String], key: &'g Expr) -> Along {
        // A word that is a key takes precedence over every other meaning of its name.
        if let Says::Name(name) = &key.what
            && self.scopes.local(name).is_none()
            && let Some(place) = words.iter().position(|word| word == name)
        {
            return Along::known(Some(place));
        }
        let num = self.number(key, None);
        let kind = num.range.kind;
        let place = |name: &str| words.iter().position(|word| word == name);
        if let (Kind::Word(list), Some(known), false) = (kind, num.known(), self.checks()) {
            let word = self.scopes.game.words[usize::from(list)].each().nth(known as usize);
            if let Some(found) = word.and_then(place) {
                return Along::known(Some(found));
            }
        }
        let Some(named) = self.scopes.names_of(kind) else {
            if kind != Kind::Any {
                let found = self.scopes.game.kind_name(kind);
                let keys = format!("the keys of `{}` are words", block.name);
                self.emitter.wrong(&key.span, format!("this is {found}, and {keys}"), "");
            }
            return Along::known(Some(0));
        };
        let places: Vec<_> = named.iter().map(|name| place(name)).collect();
        let missing = named.iter().zip(&places).find(|(_, place)| place.is_none());
        if let (Some((word, _)), true) = (missing, self.checks()) {
            let list = self.scopes.game.kind_name(kind);
            let missing = format!("no row or column for `{word}`, which is {list}");
            let problem = format!("`{}` has {missing}", block.name);
            self.emitter.wrong(&key.span, problem, format!("add `{word}` to the table"));
        }
        Along { num, places }
    }

    /// Selects by a number that is not constant: by all values in its range, or by a search if
    /// these are many.
    fn by_number(&mut self, block: &TableBlock, keys: &Keys, key: &'g Expr) -> Along {
        let num = self.whole(key);
        let Keys::Numbers(numbers) = keys else { return Along::known(Some(0)) };
        if let Some(known) = num.known() {
            return self.by_known(block, keys, known, &key.span);
        }
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
            return Along::known(None);
        };
        // Keys beyond the ends select the ends, unless only printed keys are allowed.
        let (least, most) = match block.exact {
            true => (first.0.max(num.range.lo) - 1, last.1.min(num.range.hi) + 1),
            false => (first.1.min(last.0), last.0),
        };
        let (lo, hi) = (num.range.lo.max(least), num.range.hi.min(most));
        if lo > hi || hi - lo > DIRECT {
            return self.by_search(block, keys, num, &key.span);
        }
        let floor = Num::of(lo);
        let within = self.emitter.joined(Two::Max, num, floor, &key.span);
        let within = self.emitter.joined(Two::Min, within, Num::of(hi), &key.span);
        let num = self.emitter.joined(Two::Sub, within, floor, &key.span);
        let places = (lo..=hi).map(|key| keys.place(key, block.exact)).collect();
        Along { num, places }
    }

    /// Selects by a constant; reports one that is not a printed key if only these are allowed.
    fn by_known(&mut self, block: &TableBlock, keys: &Keys, known: i64, span: &Span) -> Along {
        let place = keys.place(known, block.exact);
        if place.is_none() {
            self.emitter.wrong(span, format!("`{}` has no key {known}", block.name), "");
        }
        Along::known(place.or(Some(0)))
    }

    /// Selects by a search at run time.
    fn by_search(&mut self, block: &TableBlock, keys: &Keys, num: Num, span: &Span) -> Along {
        let Keys::Numbers(numbers) = keys else { return Along::known(None) };
        self.emitter.program.keys.push((numbers.clone(), block.exact));
        let (at, source) = (self.emitter.fresh(span), self.emitter.in_reg(num, span));
        let list = (self.emitter.program.keys.len() - 1) as u16;
        self.emitter.emit(Op::Key(at, list, source), span);
        let places: Vec<_> = (0..numbers.len()).map(Some).collect();
        let range = Range::new(Kind::Number, 0, places.len() as i64 - 1);
        Along { num: Num { range, at }, places }
    }
}

impl<'g> Scopes<'g> {
    /// Returns whether a key is `odds(a, b)`, and no table or part of the file has this name.
    fn is_odds(&self, key: &Expr) -> bool {
        let called = matches!(&key.what, Says::Call(name, _) if name.text == ODDS);
        called && !self.game.names.contains_key(ODDS)
    }

    /// Returns the keys that the values of a type are called by: words, and names of rows.
    fn names_of(&self, kind: Kind) -> Option<Vec<Cow<'g, str>>> {
        match kind {
            Kind::Word(list) => {
                Some(self.game.words[usize::from(list)].each().map(Cow::from).collect())
            }
            Kind::Row(data) => {
                let rows = self.game.data[usize::from(data)].rows.iter();
                Some(rows.map(|row| Cow::from(as_word(&row.text))).collect())
            }
            _ => None,
        }
    }
}

impl Scopes<'_> {
    /// Returns the cells at these rows and columns, row by row, with the contest's changes.
    pub(super) fn cells_at(
        &mut self,
        table: usize,
        rows: &[Option<usize>],
        columns: &[Option<usize>],
    ) -> Vec<Option<Fixed>> {
        let block = &self.game.tables[table];
        let width = block.columns.as_ref().map_or(1, Keys::len);
        let places = rows.iter().flat_map(|row| columns.iter().map(move |column| row.zip(*column)));
        let places: Vec<Option<usize>> =
            places.map(|place| place.map(|(row, column)| row * width + column)).collect();
        let cell = |place: Option<usize>| {
            let at = (table, place?);
            match self.changed.iter().position(|changed| changed.at == at) {
                Some(changed) => {
                    self.touched |= 1 << changed.min(127);
                    Some(self.changed[changed].value.clone())
                }
                None => block.cells.get(at.1).cloned(),
            }
        };
        places.into_iter().map(cell).collect()
    }
}
