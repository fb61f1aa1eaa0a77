//! Looking cells up: rows and columns by keys, some known and some rolled.

use std::borrow::Cow;

use super::values::{Num, Value};
use super::walker::Walker;
use crate::rulebook::code::{Op, Two};
use crate::rulebook::fault::Span;
use crate::rulebook::game::{Keys, TableBlock};
use crate::rulebook::kind::{Fixed, Kind, Range};
use crate::rulebook::tree::{Expr, Says};

/// Cells of a list that is looked up directly by a number that is rolled.
const DIRECT: i64 = 1024;

/// Rows or columns: by a number counted from 0, which of them.
struct Along {
    num: Num,
    places: Vec<Option<usize>>,
}

impl Along {
    fn known(place: Option<usize>) -> Along {
        Along { num: Num::of(0), places: vec![place] }
    }
}

impl<'g> Walker<'g> {
    /// `t(row)`, `t(row, column)`, each with a shift.
    pub(super) fn table(
        &mut self,
        table: usize,
        arguments: &'g [(Expr, Option<Expr>)],
        span: &Span,
    ) -> Value {
        let block = &self.game.tables[table];
        let wanted = 1 + usize::from(block.columns.is_some());
        if arguments.len() != wanted {
            let keys = if wanted == 1 { "one key" } else { "a row and a column" };
            let problem = format!("`{}` is looked up by {keys}", block.name);
            return Value::Num(self.wrong(span, problem, ""));
        }
        let (key, shift) = &arguments[0];
        let rows = self.along(block, &block.rows, key, shift.as_ref());
        let columns = match (&block.columns, arguments.get(1)) {
            (Some(keys), Some((key, shift))) => self.along(block, keys, key, shift.as_ref()),
            _ => Along::known(Some(0)),
        };
        self.cell(table, rows, columns, span)
    }

    /// The cell at rows and columns.
    fn cell(&mut self, table: usize, rows: Along, columns: Along, span: &Span) -> Value {
        let block = &self.game.tables[table];
        let changed = self.tables.iter().find(|(at, _)| *at == table);
        let all = changed.map_or(&block.cells, |(_, cells)| cells);
        let width = block.columns.as_ref().map_or(1, Keys::len);
        let mut cells: Vec<Option<Fixed>> = Vec::new();
        for row in &rows.places {
            for column in &columns.places {
                let at = row.zip(*column).map(|(row, column)| row * width + column);
                cells.push(at.and_then(|at| all.get(at).cloned()));
            }
        }
        let place = self.joined(Two::Mul, rows.num, Num::of(columns.places.len() as i64), span);
        let place = self.joined(Two::Add, place, columns.num, span);
        if cells.iter().any(Option::is_none) {
            let blank = format!("`{}` has no such key", block.name);
            self.program.blanks.push((span.clone(), blank));
        }
        let number = |cell: &Option<Fixed>, of: fn(&Fixed) -> Option<Range>| {
            cell.as_ref().and_then(of).and_then(|range| range.known())
        };
        if let Some(legend) = &block.legend {
            let word = |fixed: &Fixed| match fixed {
                Fixed::Cell(word, _) => Some(*word),
                _ => None,
            };
            let inner = |fixed: &Fixed| match fixed {
                Fixed::Cell(_, number) => Some(*number),
                _ => None,
            };
            let words: Vec<_> = cells.iter().map(|cell| number(cell, word)).collect();
            let numbers: Vec<_> = cells.iter().map(|cell| number(cell, inner)).collect();
            let word = self.looked_up(Kind::Word(legend.list), &words, place, span);
            return Value::Cell(word, self.looked_up(Kind::Number, &numbers, place, span));
        }
        let values: Vec<_> = cells.iter().map(|cell| number(cell, Fixed::range)).collect();
        Value::Num(self.looked_up(block.kind, &values, place, span))
    }

    /// Which rows, or which columns, a key may mean.
    fn along(
        &mut self,
        block: &TableBlock,
        keys: &Keys,
        key: &'g Expr,
        shift: Option<&'g Expr>,
    ) -> Along {
        let span = &key.span;
        let found = match keys {
            Keys::Words(words) => self.by_word(block, words, key),
            Keys::Numbers(_) => self.by_number(block, keys, key),
        };
        let Some(shift) = shift else { return found };
        let by = self.whole(shift);
        let last = keys.len() as i64 - 1;
        if let Some(by) = by.known() {
            let moved = |place: &Option<usize>| {
                place.map(|place| (place as i64 + by).clamp(0, last) as usize)
            };
            let places = found.places.iter().map(moved).collect();
            return Along { places, ..found };
        }
        let places: Vec<_> = found.places.iter().map(|p| p.map(|p| p as i64)).collect();
        let place = self.looked_up(Kind::Number, &places, found.num, span);
        let (first, last_num) = (Num::of(0), Num::of(last));
        let place = self.joined(Two::Add, place, by, span);
        let place = self.joined(Two::Max, place, first, span);
        let num = self.joined(Two::Min, place, last_num, span);
        let places = (0..keys.len()).map(Some).collect();
        Along { num, places }
    }

    fn by_word(&mut self, block: &TableBlock, words: &[String], key: &'g Expr) -> Along {
        // A word that is a key comes first, whatever else bears its name.
        if let Says::Name(name) = &key.what
            && self.local(name).is_none()
            && let Some(place) = words.iter().position(|word| word == name)
        {
            return Along::known(Some(place));
        }
        let num = self.number(key, None);
        let place = |name: &str| words.iter().position(|word| word == name);
        if let (Kind::Word(list), Some(known), false) = (num.range.kind, num.known(), self.checks())
        {
            let word = self.game.words[usize::from(list)].words.get(known as usize);
            if let Some(found) = word.and_then(|(word, _)| place(word)) {
                return Along::known(Some(found));
            }
        }
        let named: Vec<Cow<'_, str>> = match num.range.kind {
            Kind::Word(list) => {
                let words = &self.game.words[usize::from(list)].words;
                words.iter().map(|(word, _)| Cow::from(word)).collect()
            }
            Kind::Row(data) => {
                let rows = &self.game.data[usize::from(data)].rows;
                let rows = rows.iter().map(|row| super::super::cells::as_word(&row.text));
                rows.map(Cow::from).collect()
            }
            Kind::Any => return Along::known(Some(0)),
            kind => {
                let found = self.game.kind_name(kind);
                let problem =
                    format!("this is {found}, and the keys of `{}` are words", block.name);
                self.wrong(&key.span, problem, "");
                return Along::known(Some(0));
            }
        };
        let places: Vec<_> = named.iter().map(|name| place(name)).collect();
        if self.checks()
            && let Some(missing) = places.iter().position(Option::is_none)
        {
            let list = self.game.kind_name(num.range.kind);
            let word = &named[missing];
            let problem =
                format!("`{}` has no row or column for `{word}`, which is {list}", block.name);
            self.wrong(&key.span, problem, format!("add `{word}` to the table"));
        }
        Along { num, places }
    }

    fn by_number(&mut self, block: &TableBlock, keys: &Keys, key: &'g Expr) -> Along {
        let num = self.whole(key);
        let Keys::Numbers(numbers) = keys else {
            return Along::known(Some(0));
        };
        if let Some(known) = num.known() {
            let place = keys.place(known, block.exact);
            if place.is_none() {
                let problem = format!("`{}` has no key {known}", block.name);
                self.wrong(&key.span, problem, "");
            }
            return Along::known(place.or(Some(0)));
        }
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
            return Along::known(None);
        };
        // Keys beyond the ends are the ends, unless only printed ones are known.
        let (least, most) = match block.exact {
            true => (first.0.max(num.range.lo) - 1, last.1.min(num.range.hi) + 1),
            false => (first.1.min(last.0), last.0),
        };
        let (lo, hi) = (num.range.lo.max(least), num.range.hi.min(most));
        if lo > hi || hi - lo > DIRECT {
            return self.by_search(block, keys, num, &key.span);
        }
        let floor = Num::of(lo);
        let within = self.joined(Two::Max, num, floor, &key.span);
        let within = self.joined(Two::Min, within, Num::of(hi), &key.span);
        let num = self.joined(Two::Sub, within, floor, &key.span);
        let places = (lo..=hi).map(|key| keys.place(key, block.exact)).collect();
        Along { num, places }
    }

    /// A key among many, looked for while the rule is played.
    fn by_search(&mut self, block: &TableBlock, keys: &Keys, num: Num, span: &Span) -> Along {
        let Keys::Numbers(numbers) = keys else {
            return Along::known(None);
        };
        self.program.keys.push((numbers.clone(), block.exact));
        let at = self.fresh(span);
        let source = self.in_reg(num, span);
        let list = (self.program.keys.len() - 1) as u16;
        self.emit(Op::Key(at, list, source), span);
        let places: Vec<_> = (0..numbers.len()).map(Some).collect();
        let range = Range::new(Kind::Number, 0, places.len() as i64 - 1);
        Along { num: Num { range, at }, places }
    }
}
