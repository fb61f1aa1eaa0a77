//! Layout of bags: equal items are interchangeable, and their order is not part of the state.

use std::sync::Arc;

use super::lowered_value::{BagOf, Bind, CHANGES, Changing, Num, Target, Value};
use super::scopes::Scopes;
use super::views::Bags;
use crate::diagnostics::Span;
use crate::syntax::ast::{Expr, Name};
use crate::types::THINGS;
use crate::types::{Fixed, Kind, Range, STORED};
use crate::vm::code::{Bag, Digit, MARKS, Op, Reg, Two};

impl<'g> Bags<'_, 'g> {
    /// Lowers `bag of target with now = whole`.
    pub(super) fn make_bag(
        &mut self,
        name: &'g str,
        of: &'g Expr,
        with: &'g [(Name, Expr)],
        span: &Span,
    ) -> usize {
        let Some((rows, places, count)) = self.members(of) else { return 0 };
        if count.range.kind == Kind::Any {
            self.scopes.bind(name, Bind::Is(Value::Num(count)));
            return 0;
        }
        let Some(starts) = self.starts(with, &rows, span) else { return 0 };
        self.emitter.parameters.shapes(count);
        if count.range.lo > THINGS as i64 {
            self.too_many(count.range.lo, span);
            return 0;
        }
        let size = count.range.hi.clamp(0, THINGS as i64) as u8;
        let base = self.emitter.fresh_row(size.into(), span);
        let bag = self.declare_bag(base, size, rows, &starts, span);
        self.scopes.bags[usize::from(bag)].whole = count.known().is_some();
        self.fill_bag(bag, &places, count, &starts, span);
        self.scopes.bind(name, Bind::Is(Value::Bag(bag)));
        // The registers of the items stay allocated; temporaries above them are released.
        usize::from(base) + usize::from(size) - (self.emitter.mark.min(usize::from(base)))
    }

    /// Returns the changing fields of a bag's items with their initial values; `None` if there are
    /// too many.
    fn starts(
        &mut self,
        with: &'g [(Name, Expr)],
        rows: &Arc<[Fixed]>,
        span: &Span,
    ) -> Option<Vec<Start<'g>>> {
        let mut starts: Vec<Start<'g>> = Vec::new();
        for (field, value) in with {
            let num = self.number(value, None);
            starts.push((&field.text, vec![num; rows.len().max(1)]));
        }
        self.also_changing(rows, &mut starts, span);
        if starts.len() > CHANGES {
            let problem = format!("an item of a bag has at most {CHANGES} changing values");
            self.emitter.wrong(span, problem, "");
            return None;
        }
        Some(starts)
    }

    fn too_many(&mut self, has: i64, span: &Span) {
        self.emitter.wrong(span, format!("a bag has at most {THINGS} items, not {has}"), "");
    }

    /// Returns the rows of a bag, the row of each item, and the number of items.
    pub(super) fn members(&mut self, of: &'g Expr) -> Option<(Arc<[Fixed]>, Vec<usize>, Num)> {
        let value = self.value(of, None);
        if let Value::Fixed(Fixed::List(items, len)) = &value
            && items.iter().all(|item| matches!(item, Fixed::Record(_)))
        {
            if len.is_some() {
                let count =
                    self.emitter.ranged(Range::new(Kind::Number, 0, THINGS as i64), &of.span);
                return Some((items.clone(), vec![0; THINGS], count));
            }
            let all = super::loops::counted(items);
            if all.len() > THINGS {
                self.too_many(all.len() as i64, &of.span);
                return None;
            }
            let (rows, places) = self.scopes.distinct(&all);
            let count = Num::of(places.len() as i64);
            return Some((rows.into(), places, count));
        }
        let num = self.as_number(value, &of.span);
        if num.range.kind != Kind::Any {
            self.of_kind(num, Kind::Number, &of.span);
        }
        self.scopes.grows_with(of);
        Some((Arc::new([]), vec![0; THINGS], num))
    }

    /// Adds the record fields that some line assigns: they change in the bag, and begin with the
    /// contest's value.
    fn also_changing(&mut self, rows: &Arc<[Fixed]>, starts: &mut Vec<Start<'g>>, span: &Span) {
        let (Some(Fixed::Record(first)), Some(columns)) = (rows.first(), self.scopes.columns)
        else {
            return;
        };
        let game = self.scopes.game;
        for (at, field) in game.records[first.of].fields.iter().enumerate() {
            let name = field.name.text.as_str();
            if !columns.changed.contains(name) || starts.iter().any(|(known, _)| *known == name) {
                continue;
            }
            let Some(nums) = self.in_rows(rows, at, span) else { return };
            starts.push((name, nums));
        }
    }

    /// Returns the number in one field of each row; `None` if the field contains no number.
    fn in_rows(&mut self, rows: &Arc<[Fixed]>, at: usize, span: &Span) -> Option<Vec<Num>> {
        let number = |row: &Fixed| {
            let Fixed::Record(record) = row else { return None };
            match &record.fields.get(at)?.0 {
                fixed @ (Fixed::Number(_) | Fixed::Maybe(_)) => {
                    Some(self.as_number(Value::Fixed(fixed.clone()), span))
                }
                Fixed::Absent(_) => Some(Num::of(0)),
                _ => None,
            }
        };
        rows.iter().map(number).collect()
    }

    /// Allocates the digits of the changing fields and of the row.
    pub(super) fn declare_bag(
        &mut self,
        base: u8,
        size: u8,
        rows: Arc<[Fixed]>,
        starts: &[Start<'g>],
        span: &Span,
    ) -> u8 {
        let bag = self.emitter.program.bags.len() as u8;
        let first = self.emitter.program.digits.len() as u16;
        let mut layout = Layout { bag, base, shift: MARKS, digits: Vec::new() };
        let mut fields: Vec<Changing> = Vec::new();
        // The last named field is the lowest digit, so that the first named one decides the order.
        for ((name, nums), digit) in starts.iter().rev().zip(first..) {
            let begins = nums.iter().map(|num| num.range).reduce(Range::or);
            let begins = begins.unwrap_or(Range::one(Kind::Any, 0));
            let (lo, hi) = self.scopes.span_of(span.start, name, begins);
            layout.add(lo, hi - lo + 1);
            fields.push(Changing { name, kind: begins.kind, digit });
        }
        let row = layout.add(0, rows.len().max(1) as i64);
        if layout.shift > 62 {
            let names: Vec<_> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
            let problem = format!(
                "the changing values of these items have too wide a range: {}",
                names.join(", ")
            );
            self.emitter.wrong(span, problem, "bound them with `at most …` where they grow");
        }
        self.emitter.program.digits.extend(layout.digits);
        let values = (rows.len().max(1) as u64) << (row - MARKS);
        let ranks = self.scopes.ranks(&rows);
        self.emitter.program.bags.push(Bag { base, size, values, row, ranks });
        let (made, row) = (span.start, first + fields.len() as u16);
        self.scopes.bags.push(BagOf { rows, fields, whole: false, made, row });
        self.emitter.gone.push(false);
        bag
    }

    /// Stores the items of a bag in their registers with their initial values.
    fn fill_bag(
        &mut self,
        bag: u8,
        places: &[usize],
        count: Num,
        starts: &[Start<'g>],
        span: &Span,
    ) {
        let Bag { base, size, .. } = self.emitter.program.bags[usize::from(bag)];
        let whole = count.known().is_some();
        for thing in 0..size {
            let row = places.get(usize::from(thing)).copied().unwrap_or(0);
            let (mut absent, mut end) = (Target::default(), Target::default());
            if !whole {
                let op = Op::UnlessCmpK(Two::Gt, count.at, thing.into(), 0);
                self.emitter.may_jump(op, &mut absent, span);
            }
            self.begin_thing(bag, thing, row, starts, span);
            if !whole {
                self.emitter.jump(&mut end, span);
                self.emitter.land(absent);
                self.emitter.constant(base + thing, -1, span);
                self.emitter.land(end);
            }
        }
    }

    /// Stores one item: the constant part at once, then every other digit.
    fn begin_thing(&mut self, bag: u8, thing: u8, row: usize, starts: &[Start<'g>], span: &Span) {
        let Bag { base, row: shift, .. } = self.emitter.program.bags[usize::from(bag)];
        let mut value = (row as i64) << shift;
        let mut rolled = Vec::new();
        for (name, nums) in starts {
            let num = nums.get(row).or(nums.first()).copied();
            let Some((num, digit)) = num.zip(self.scopes.digit_of(bag, name)) else { continue };
            match num.known() {
                Some(known) => {
                    value |= self.emitter.program.digits[usize::from(digit)].holding(known)
                }
                None => rolled.push((digit, num)),
            }
        }
        self.emitter.constant(base + thing, value, span);
        if rolled.is_empty() {
            return;
        }
        let cursor = self.emitter.fresh(span);
        self.emitter.constant(cursor, thing.into(), span);
        for (digit, num) in rolled {
            self.emitter.emit(Op::Put(digit, cursor, num.at), span);
        }
    }
}

impl<'g> Scopes<'g> {
    /// Merges rows that agree in everything that is read.
    pub(super) fn distinct(&self, all: &[Fixed]) -> (Vec<Fixed>, Vec<usize>) {
        let mut rows: Vec<(Vec<i64>, Fixed)> = Vec::new();
        let mut places = Vec::new();
        for item in all {
            let key = self.key_of(item);
            let known = rows.iter().position(|(known, _)| *known == key);
            if let Some(known) = known {
                nameless_unless_alike(&mut rows[known].1, item);
            }
            places.push(known.unwrap_or_else(|| {
                rows.push((key, item.clone()));
                rows.len() - 1
            }));
        }
        (rows.into_iter().map(|(_, item)| item).collect(), places)
    }

    /// Returns whether the rule reads a column of any value.
    pub(super) fn reads(&self, column: &str) -> bool {
        let columns = self.columns;
        // Carried fields distinguish rows by everything that a contest contains.
        self.thrift.leaves || columns.is_some_and(|columns| columns.read.contains(column))
    }

    /// Encodes the parts of a contest value that are read, as comparable numbers.
    pub(super) fn key_of(&self, fixed: &Fixed) -> Vec<i64> {
        let mut key = Vec::new();
        self.game.written(fixed, &|column| self.reads(column), &mut key);
        key
    }

    /// Ranks rows by their content.
    fn ranks(&self, rows: &[Fixed]) -> Vec<u16> {
        let keys: Vec<Vec<i64>> = rows.iter().map(|row| self.key_of(row)).collect();
        let mut sorted = keys.clone();
        sorted.sort();
        let rank =
            |key: &Vec<i64>| sorted.iter().position(|known| known == key).unwrap_or(0) as u16;
        keys.iter().map(rank).collect()
    }

    /// Returns the range of a changing field in the whole rule.
    fn span_of(&mut self, made: usize, name: &str, begins: Range) -> (i64, i64) {
        let (lo, hi) = match begins.kind {
            Kind::Number | Kind::Any => self.see(made, name, (begins.lo, begins.hi)),
            kind => {
                let all = self.game.all_of(kind);
                (all.lo, all.hi)
            }
        };
        (lo.max(STORED.0), hi.min(STORED.1).max(lo.max(STORED.0)))
    }

    /// Widens the range of a changing field, and returns the range so far.
    pub(super) fn see(&mut self, made: usize, name: &str, (lo, hi): (i64, i64)) -> (i64, i64) {
        let seen = self.seen.to_mut().entry((made, name.to_owned())).or_insert((lo, hi));
        *seen = (seen.0.min(lo), seen.1.max(hi));
        *seen
    }
}

/// Changing field of a bag's items, with its initial number by row.
type Start<'g> = (&'g str, Vec<Num>);

/// Layout of an item's number: digits, from the lowest bit above the marks.
struct Layout {
    bag: u8,
    base: Reg,
    shift: u32,
    digits: Vec<Digit>,
}

impl Layout {
    /// Adds a digit with this number of values. Returns its lowest bit.
    fn add(&mut self, least: i64, values: i64) -> u32 {
        let bits = 64 - (values - 1).leading_zeros();
        let (shift, mask) = (self.shift.min(62), (1 << bits) - 1);
        self.digits.push(Digit { bag: self.bag, base: self.base, shift, mask, values, least });
        self.shift += bits;
        shift
    }
}

impl Digit {
    /// Shifts a value to its digit, clamped to the range of the digit.
    fn holding(&self, value: i64) -> i64 {
        (value - self.least).clamp(0, self.values - 1) << self.shift
    }
}

/// Removes the name of merged rows unless all of them share it.
fn nameless_unless_alike(row: &mut Fixed, other: &Fixed) {
    if let (Fixed::Record(row), Fixed::Record(other)) = (row, other)
        && row.name != other.name
    {
        Arc::make_mut(row).name = "".into();
    }
}
