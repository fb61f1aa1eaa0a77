//! Bags: things that are alike are interchangeable, and the order of none is remembered.

use std::sync::Arc;

use super::values::{BagOf, Bind, CHANGES, Changing, Num, Target, Value};
use super::walker::Walker;
use crate::rulebook::code::{Bag, Digit, MARKS, Op, Two};
use crate::rulebook::fault::Span;
use crate::rulebook::kind::THINGS;
use crate::rulebook::kind::{Fixed, Kind, Range, STORED};
use crate::rulebook::tree::{Expr, Name};

impl<'g> Walker<'g> {
    /// `bag of target with now = whole`.
    pub(super) fn make_bag(
        &mut self,
        name: &'g str,
        of: &'g Expr,
        with: &'g [(Name, Expr)],
        span: &Span,
    ) -> usize {
        let Some((rows, places, count)) = self.members(of) else {
            return 0;
        };
        let mut starts: Vec<(&'g str, Vec<Num>)> = Vec::new();
        for (field, value) in with {
            let num = self.number(value, None);
            starts.push((&field.text, vec![num; rows.len().max(1)]));
        }
        self.also_changing(&rows, &mut starts, span);
        if starts.len() > CHANGES {
            let problem = format!("at most {CHANGES} values change in a thing of a bag");
            self.wrong(span, problem, "");
            return 0;
        }
        self.shapes(count);
        let size = match count.known() {
            Some(known) => known.clamp(0, THINGS as i64),
            None => count.range.hi.clamp(0, THINGS as i64),
        };
        if count.range.lo > THINGS as i64 {
            let problem =
                format!("a bag has at most {THINGS} things, and this has {}", count.range.lo);
            self.wrong(span, problem, "");
            return 0;
        }
        let base = self.fresh_row(size as usize, span);
        let bag = self.declare_bag(base, size as u8, rows, &starts, span);
        self.bags[usize::from(bag)].whole = count.known().is_some();
        self.fill_bag(bag, &places, count, &starts, span);
        self.bind(name, Bind::Is(Value::Bag(bag)));
        // The registers of the things stay; what was reckoned above them goes.
        usize::from(base) + size as usize - (self.mark.min(usize::from(base)))
    }

    /// The rows of a bag, the row of each thing, and how many things there are.
    pub(super) fn members(&mut self, of: &'g Expr) -> Option<(Arc<[Fixed]>, Vec<usize>, Num)> {
        let value = self.value(of, None);
        if let Value::Fixed(Fixed::List(items, len)) = &value
            && items.iter().all(|item| matches!(item, Fixed::Record(_)))
        {
            if len.is_some() {
                let count = self.ranged(Range::new(Kind::Number, 0, THINGS as i64), &of.span);
                return Some((items.clone(), vec![0; THINGS], count));
            }
            let all = super::loops::counted(items);
            if all.len() > THINGS {
                let has = all.len();
                let problem = format!("a bag has at most {THINGS} things, and this has {has}");
                self.wrong(&of.span, problem, "");
                return None;
            }
            let (rows, places) = self.distinct(&all);
            let count = Num::of(places.len() as i64);
            return Some((rows.into(), places, count));
        }
        let num = self.as_number(value, &of.span);
        let num = self.of_kind(num, Kind::Number, &of.span);
        self.grows_with(of);
        Some((Arc::new([]), vec![0; THINGS], num))
    }

    /// Rows that agree in everything that is read are one.
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

    /// Whether the rule reads a column of anything.
    pub(super) fn reads(&self, column: &str) -> bool {
        let columns = self.columns;
        columns.is_some_and(|columns| columns.read.contains(column))
    }

    /// What is read of something of the contest, as numbers that can be compared.
    pub(super) fn key_of(&self, fixed: &Fixed) -> Vec<i64> {
        let mut key = Vec::new();
        self.game.written(fixed, &|column| self.reads(column), &mut key);
        key
    }

    /// Fields of a record that some line gives a value to change in the bag; they begin as they are.
    fn also_changing(
        &mut self,
        rows: &Arc<[Fixed]>,
        starts: &mut Vec<(&'g str, Vec<Num>)>,
        span: &Span,
    ) {
        let Some(Fixed::Record(first)) = rows.first() else {
            return;
        };
        let game = self.game;
        for (at, field) in game.records[first.of].fields.iter().enumerate() {
            let name = field.name.text.as_str();
            let changes = self.columns.is_some_and(|columns| columns.changed.contains(name));
            if !changes || starts.iter().any(|(known, _)| *known == name) {
                continue;
            }
            let mut nums = Vec::new();
            for row in rows.iter() {
                let value = match row {
                    Fixed::Record(record) => record.fields.get(at).map(|(value, _)| value.clone()),
                    _ => None,
                };
                match value {
                    Some(fixed @ (Fixed::Number(_) | Fixed::Maybe(_))) => {
                        nums.push(self.as_number(Value::Fixed(fixed), span));
                    }
                    Some(Fixed::Absent(_)) => nums.push(Num::of(0)),
                    _ => return,
                }
            }
            starts.push((name, nums));
        }
    }

    pub(super) fn declare_bag(
        &mut self,
        base: u8,
        size: u8,
        rows: Arc<[Fixed]>,
        starts: &[(&'g str, Vec<Num>)],
        span: &Span,
    ) -> u8 {
        let bag = self.program.bags.len() as u8;
        let mut digits: Vec<Digit> = Vec::new();
        let mut fields = Vec::new();
        let mut shift = MARKS;
        let mut digit = |least: i64, values: i64| {
            let bits = 64 - (values - 1).leading_zeros();
            let digit =
                Digit { bag, base, shift: shift.min(62), mask: (1 << bits) - 1, values, least };
            shift += bits;
            digit
        };
        // The last named is the lowest digit, so that the first named comes first in the order.
        for (name, nums) in starts.iter().rev() {
            let kind = nums.iter().fold(Kind::Any, |kind, num| match kind {
                Kind::Any => num.range.kind,
                kind => kind,
            });
            let begins = nums.iter().map(|num| (num.range.lo, num.range.hi));
            let begins =
                begins.fold((i64::MAX, i64::MIN), |(lo, hi), (a, b)| (lo.min(a), hi.max(b)));
            let (lo, hi) = self.span_of(span.start, name, kind, begins);
            digits.push(digit(lo, hi - lo + 1));
            fields.push((*name, kind));
        }
        digits.push(digit(0, rows.len().max(1) as i64));
        let row_shift = digits[digits.len() - 1].shift;
        if shift > 62 {
            let names: Vec<_> = fields.iter().map(|(name, _)| format!("`{name}`")).collect();
            let problem = format!("too much changes in these things: {}", names.join(", "));
            self.wrong(span, problem, "`at most …` where they grow bounds them");
        }
        let first = self.program.digits.len() as u16;
        let row = first + digits.len() as u16 - 1;
        self.program.digits.extend(digits);
        let changing = fields.iter().enumerate().map(|(at, (name, kind))| Changing {
            name,
            kind: *kind,
            digit: first + at as u16,
        });
        let mut keys: Vec<Vec<i64>> = rows.iter().map(|row| self.key_of(row)).collect();
        let own = keys.clone();
        keys.sort();
        let rank = |key: &Vec<i64>| keys.iter().position(|known| known == key).unwrap_or(0) as u16;
        self.program.bags.push(Bag {
            base,
            size,
            values: (rows.len().max(1) as u64) << (row_shift - MARKS),
            row: row_shift,
            ranks: own.iter().map(rank).collect(),
        });
        let fields = changing.collect();
        self.bags.push(BagOf {
            rows,
            fields,
            whole: false,
            gone: false,
            open: 0,
            made: span.start,
            row,
        });
        bag
    }

    /// The range that a changing value has in the whole rule.
    pub(super) fn span_of(
        &mut self,
        made: usize,
        name: &str,
        kind: Kind,
        begins: (i64, i64),
    ) -> (i64, i64) {
        let (lo, hi) = match kind {
            Kind::Number | Kind::Any => self.see(made, name, begins),
            kind => {
                let all = self.game.all_of(kind);
                (all.lo, all.hi)
            }
        };
        (lo.max(STORED.0), hi.min(STORED.1).max(lo.max(STORED.0)))
    }

    /// Notes numbers that a changing value has; all that it was seen to have.
    pub(super) fn see(&mut self, made: usize, name: &str, (lo, hi): (i64, i64)) -> (i64, i64) {
        let seen = self.seen.to_mut().entry((made, name.to_owned())).or_insert((lo, hi));
        *seen = (seen.0.min(lo), seen.1.max(hi));
        *seen
    }

    /// Puts the things of a bag into their registers as they begin.
    pub(super) fn fill_bag(
        &mut self,
        bag: u8,
        places: &[usize],
        count: Num,
        starts: &[(&'g str, Vec<Num>)],
        span: &Span,
    ) {
        let Bag { base, size, .. } = self.program.bags[usize::from(bag)];
        for thing in 0..size {
            let reg = base + thing;
            let row = places.get(usize::from(thing)).copied().unwrap_or(0);
            let mut absent = Target::default();
            let mut end = Target::default();
            if count.known().is_none() {
                let op = Op::UnlessCmpK(Two::Gt, count.at, thing.into(), 0);
                self.may_jump(op, &mut absent, span);
            }
            self.begin_thing(bag, reg, row, starts, thing, span);
            if count.known().is_none() {
                self.jump(&mut end, span);
                self.land(absent);
                self.constant(reg, -1, span);
                self.land(end);
            }
        }
    }

    pub(super) fn begin_thing(
        &mut self,
        bag: u8,
        reg: u8,
        row: usize,
        starts: &[(&'g str, Vec<Num>)],
        thing: u8,
        span: &Span,
    ) {
        let mut value = (row as i64) << self.program.bags[usize::from(bag)].row;
        let mut rolled = Vec::new();
        for (name, nums) in starts {
            let num = nums.get(row).or(nums.first()).copied();
            let Some((num, digit)) = num.zip(self.digit_of(bag, name)) else {
                continue;
            };
            match num.known() {
                Some(known) => {
                    let digit = &self.program.digits[usize::from(digit)];
                    let place = (known - digit.least).clamp(0, digit.values - 1);
                    value |= place << digit.shift;
                }
                None => rolled.push((digit, num)),
            }
        }
        self.constant(reg, value, span);
        if rolled.is_empty() {
            return;
        }
        let cursor = self.fresh(span);
        self.constant(cursor, thing.into(), span);
        for (digit, num) in rolled {
            self.emit(Op::Put(digit, cursor, num.at), span);
        }
    }
}

/// What several things share is called by a name only where all have it.
fn nameless_unless_alike(row: &mut Fixed, other: &Fixed) {
    if let (Fixed::Record(row), Fixed::Record(other)) = (row, other)
        && row.name != other.name
    {
        Arc::make_mut(row).name = "".into();
    }
}
