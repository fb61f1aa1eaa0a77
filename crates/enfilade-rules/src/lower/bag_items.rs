//! Fields of bag items, constant and changing ones.

use std::sync::Arc;

use super::emitter::Emitter;
use super::lowered_value::{BagOf, Bind, Changing, Num, Place, Value};
use super::scopes::Scopes;
use super::views::Bags;
use crate::diagnostics::{Span, near};
use crate::syntax::ast::Name;
use crate::types::{Fixed, Kind, Range, Record};
use crate::vm::code::{Digit, Op};
use crate::vm::trace_marks::{Mark, Piece, Said, Things, Told};

impl<'g> Bags<'_, 'g> {
    /// Loads a changing field of an item.
    pub(super) fn digit(&mut self, digit: u16, cursor: u8, span: &Span) -> Num {
        let kind = self.scopes.digit_kind(digit);
        self.emitter.load_digit(digit, kind, cursor, span)
    }

    /// Stores a new value in a changing field of an item.
    pub(super) fn put_digit(&mut self, digit: u16, cursor: u8, num: Num, span: &Span) {
        let Some((made, name)) = self.scopes.bags.iter().find_map(|bag| {
            let field = bag.fields.iter().find(|field| field.digit == digit)?;
            Some((bag.made, field.name))
        }) else {
            return;
        };
        if self.checks() && num.range.kind != Kind::Any {
            self.scopes.see(made, name, (num.range.lo, num.range.hi));
        }
        let source = self.emitter.in_reg(num, span);
        self.emitter.emit(Op::Put(digit, cursor, source), span);
    }

    /// Lowers `u.x` for an item.
    pub(super) fn thing_column(
        &mut self,
        bag: u8,
        cursor: u8,
        column: &'g Name,
        span: &Span,
    ) -> Value {
        if let Some(digit) = self.scopes.digit_of(bag, &column.text) {
            return Value::Num(self.digit(digit, cursor, span));
        }
        let of = &self.scopes.bags[usize::from(bag)];
        let (rows, row) = (of.rows.clone(), of.row);
        if rows.is_empty() {
            let known: Vec<&str> = of.fields.iter().map(|field| field.name).collect();
            let help = near(&column.text, known);
            let problem = format!("the items of this bag have no `{}`", column.text);
            return Value::Num(self.emitter.wrong(&column.span, problem, help));
        }
        let place = self.emitter.row_of(row, cursor, rows.len(), span);
        self.expressions().chosen_column(&rows, place, column)
    }

    /// Lowers a test whether the contest gives a column of an item.
    pub(super) fn given_thing(&mut self, bag: u8, cursor: u8, column: &Name, span: &Span) -> Num {
        let of = &self.scopes.bags[usize::from(bag)];
        let (rows, row) = (of.rows.clone(), of.row);
        if rows.is_empty() {
            let problem = format!("the items of this bag have no `{}`", column.text);
            return self.emitter.wrong(&column.span, problem, "");
        }
        let place = self.emitter.row_of(row, cursor, rows.len(), span);
        self.expressions().given_of(&rows, place, column, span)
    }

    /// Returns the value of an item's field as a piece of a sentence.
    pub(super) fn thing_piece(&mut self, bag: u8, cursor: u8, name: &str, span: &Span) -> Piece {
        if let Some(digit) = self.scopes.digit_of(bag, name) {
            let num = self.digit(digit, cursor, span);
            return self.scopes.piece_of(num);
        }
        let BagOf { rows, row, .. } = &self.scopes.bags[usize::from(bag)];
        let (rows, row) = (rows.clone(), *row);
        let said: Vec<String> = rows.iter().map(|row| self.scopes.shown_of(row, name)).collect();
        match said.split_first() {
            Some((first, rest)) if rest.iter().any(|other| other != first) => {
                Piece::One(self.emitter.row_of(row, cursor, rows.len(), span).at, said)
            }
            first => Piece::Text(first.map(|(first, _)| first.clone()).unwrap_or_default()),
        }
    }

    /// Traces which item was picked, if items have names or differ.
    pub(super) fn tell_picked(&mut self, bag: u8, cursor: u8, name: &Name) {
        if self.emitter.why != super::Why::Tell {
            return;
        }
        let BagOf { rows, fields, row, .. } = &self.scopes.bags[usize::from(bag)];
        let (rows, row, said) = (rows.len(), *row, self.scopes.called(rows, fields));
        if said.iter().all(String::is_empty) {
            return;
        }
        let top = self.emitter.top;
        let piece = match said.as_slice() {
            [one] => Piece::Text(one.clone()),
            _ => Piece::One(self.emitter.row_of(row, cursor, rows, &name.span).at, said),
        };
        self.emitter.tell(Mark::new(&name.span, Said::Cell(piece, None)));
        self.emitter.release(top);
    }

    /// Sets how the items of a bag are traced from here on, without the fields in `kept`.
    pub(super) fn told_things(&mut self, name: &str, kept: &[String], span: &Span) {
        let Some(&Bind::Is(Value::Bag(bag))) = self.scopes.local(name) else { return };
        if self.emitter.why != super::Why::Tell {
            return;
        }
        let BagOf { rows, fields, row, .. } = &self.scopes.bags[usize::from(bag)];
        let is_kept = |field: &&Changing| kept.iter().any(|kept| kept == field.name);
        let (quiet, heard): (Vec<_>, Vec<_>) = fields.iter().partition(is_kept);
        let told = heard.into_iter().rev().map(|field| Told {
            name: field.name.replace('_', " "),
            digit: field.digit,
            kind: field.kind,
            always: self.scopes.is_printed(rows, field.name),
        });
        let things = Things {
            name: name.replace('_', " "),
            row: *row,
            rows: self.scopes.called(rows, fields),
            told: told.collect(),
            kept: quiet.into_iter().map(|field| field.digit).collect(),
        };
        // Bags without names in the trace have an entry too, so that the index is the number of the
        // bag.
        let place = usize::from(bag);
        self.emitter.program.things.resize_with(place + 1, Things::default);
        self.emitter.program.things[place] = things;
        self.emitter.tell(Mark::new(span, Said::Made(bag)));
    }

    /// Resolves a field of an item to an assignable target.
    pub(super) fn thing_place(&mut self, bag: u8, cursor: u8, column: &'g Name) -> Option<Place> {
        if let Some(digit) = self.scopes.digit_of(bag, &column.text) {
            return Some(Place::Field(digit, cursor));
        }
        let known: Vec<&str> =
            self.scopes.bags[usize::from(bag)].fields.iter().map(|field| field.name).collect();
        let help = match near(&column.text, known) {
            help if help.is_empty() => {
                format!("`bag of … with {} = …` lets it change", column.text)
            }
            help => help,
        };
        let problem = format!("the items of this bag have no changing value `{}`", column.text);
        self.emitter.wrong(&column.span, problem, help);
        None
    }
}

impl<'g> Scopes<'g> {
    /// Returns the digit of a changing field of a bag's items.
    pub(super) fn digit_of(&self, bag: u8, name: &str) -> Option<u16> {
        let fields = &self.bags[usize::from(bag)].fields;
        let field = fields.iter().find(|field| field.name == name)?;
        Some(field.digit)
    }

    /// Returns the type of a digit.
    pub(super) fn digit_kind(&self, digit: u16) -> Kind {
        let fields = self.bags.iter().flat_map(|bag| &bag.fields);
        let mut found = fields.filter(|field| field.digit == digit);
        found.next().map_or(Kind::Any, |field| field.kind)
    }

    /// Returns a label for each row: its name in the contest, or else the constant fields in which
    /// it differs from other rows.
    fn called(&self, rows: &[Fixed], changing: &[Changing]) -> Vec<String> {
        let records = rows.iter().map(|row| match row {
            Fixed::Record(record) => Some(record),
            _ => None,
        });
        let Some(records) = records.collect::<Option<Vec<_>>>() else {
            return vec![String::new(); rows.len()];
        };
        let Some(first) = records.first() else { return Vec::new() };
        let fields = self.game.records[first.of].fields.iter().enumerate();
        let apart: Vec<_> = fields
            .filter(|(at, field)| {
                let name = &field.name.text;
                !changing.iter().any(|known| known.name == name) && self.differ(&records, *at, name)
            })
            .collect();
        let described = |record: &&Arc<Record>| match record.name.is_empty() {
            false => record.name.to_string(),
            true => {
                let said = apart.iter().filter_map(|(at, field)| {
                    let label = field.said.label_or(&field.name.text);
                    self.described(label, &record.fields[*at].0)
                });
                said.collect::<Vec<_>>().join(", ")
            }
        };
        records.iter().map(described).collect()
    }

    /// Returns whether a field that the rule reads distinguishes records.
    fn differ(&self, records: &[&Arc<Record>], at: usize, name: &str) -> bool {
        let key = |record: &&Arc<Record>| self.key_of(&record.fields[at].0);
        self.reads(name) && records.iter().any(|record| key(record) != key(&records[0]))
    }

    /// Describes one field of an item: a word or the name of a row, a number after its label, or
    /// for a yes the label alone. Returns `None` for a no.
    fn described(&self, label: String, fixed: &Fixed) -> Option<String> {
        match fixed {
            Fixed::Row(row) => {
                Some(self.game.shown(row.place.kind, row.place.lo).replace('_', " "))
            }
            Fixed::Number(range) => match range.kind {
                Kind::YesNo => (range.lo != 0).then_some(label),
                Kind::Number | Kind::Any => Some(format!("{label} {}", range.lo)),
                kind => Some(self.game.shown(kind, range.lo)),
            },
            _ => None,
        }
    }

    /// Returns whether the record of the items has a field. Returns true if their record is
    /// unknown.
    fn is_printed(&self, rows: &[Fixed], field: &str) -> bool {
        let Some(Fixed::Record(record)) = rows.first() else { return true };
        self.game.records[record.of].fields.iter().any(|known| known.name.text == field)
    }
}

impl Emitter {
    /// Loads a changing field whose type is known.
    fn load_digit(&mut self, digit: u16, kind: Kind, cursor: u8, span: &Span) -> Num {
        let Digit { values, least, .. } = self.program.digits[usize::from(digit)];
        let range = Range::new(kind, least, least + values - 1);
        if range.known().is_some() {
            return Num { range, at: 0 };
        }
        self.made(range, span, |at| Op::Get(at, digit, cursor))
    }

    /// Loads the row of an item.
    pub(super) fn row_of(&mut self, digit: u16, cursor: u8, rows: usize, span: &Span) -> Num {
        let range = Range::new(Kind::Number, 0, rows as i64 - 1);
        if rows == 1 {
            return Num { range, at: 0 };
        }
        self.made(range, span, |at| Op::Get(at, digit, cursor))
    }
}
