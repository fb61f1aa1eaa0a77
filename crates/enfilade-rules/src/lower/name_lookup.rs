//! Resolution of names, columns and indexes.

use std::sync::Arc;

use super::emitter::Emitter;
use super::lowered_value::{Bind, Num, Place, Value};
use super::lowering::Lowering;
use super::scopes::HAVE_FIELDS;
use super::views::Expressions;
use crate::diagnostics::{Span, near};
use crate::resolve::game::Top;
use crate::syntax::ast::{Expr, Name, Says};
use crate::syntax::parser::foreign_syntax::habit;
use crate::types::{Fixed, Kind, Range};
use crate::vm::code::{Op, Two};

impl<'g> Lowering<'g> {
    /// Reports an unknown name: it may have had a value above, or belong to another language.
    pub(super) fn unknown(&mut self, name: &str, span: &Span) -> Num {
        if name.is_empty() {
            return self.emitter.anything();
        }
        if self.scopes.frames.len() == 1 && self.scopes.late.contains(&name) {
            let problem = format!("`{name}` has no value if the rule ends before it is assigned");
            return self.emitter.wrong(span, problem, "assign it before the first `end`");
        }
        let frame = self.scopes.frames.last();
        if frame.is_some_and(|frame| frame.hidden.contains(&name)) {
            let problem = format!("measures can only use shown values, and `{name}` is not shown");
            return self.emitter.wrong(
                span,
                problem,
                format!("add `keep {name}` to show it to measures alone"),
            );
        }
        let frame = self.scopes.frames.last();
        if frame.is_some_and(|frame| frame.gone.contains(&name)) {
            let problem = format!("`{name}` has a value only inside the block above");
            return self.emitter.wrong(span, problem, "give it one before");
        }
        let locals = frame.into_iter().flat_map(|frame| &frame.locals);
        let known: Vec<&str> = locals
            .map(|local| local.name)
            .chain(self.scopes.own.iter().map(|(own, ..)| *own))
            .chain(self.scopes.game.names.keys().map(String::as_str))
            .chain(self.scopes.game.word_lists.keys().map(String::as_str))
            .collect();
        let help = match habit(name) {
            "" => near(name, known),
            here => here.to_owned(),
        };
        let found = self.emitter.wrong(span, format!("there is no `{name}` here"), help);
        // Reported at the first occurrence only.
        self.emitter.faults.doubt([name.to_owned()]);
        found
    }
}

impl<'g> Expressions<'_, 'g> {
    /// Resolves a name.
    pub(super) fn named(&mut self, name: &'g str, span: &Span, want: Option<Kind>) -> Value {
        if let Some(num) = want.and_then(|want| self.scopes.wanted(name, want)) {
            return Value::Num(num);
        }
        if let Some(bind) = self.scopes.local(name).cloned() {
            return self.bound(bind);
        }
        if let Some((fixed, _)) = self.scopes.own_field(name) {
            return self.held_by(fixed.clone());
        }
        match self.scopes.game.names.get(name) {
            Some(Top::Field(at)) => self.field(*at, span),
            Some(Top::Data(_)) => self.no_value(span, "data: a field is `one of` its rows"),
            Some(Top::Table(_)) => self.no_value(span, "a table: name a key, as in `t(1)`"),
            Some(Top::Part(_)) => self.no_value(span, "a part: call it, as in `check(1)`"),
            None => Value::Num(self.word(name, span)),
        }
    }

    /// Resolves a word of the only list that contains it.
    fn word(&mut self, name: &str, span: &Span) -> Num {
        match self.scopes.game.word_lists.get(name).map(Vec::as_slice) {
            Some([(list, place)]) => Num::one(Kind::Word(*list), *place as i64),
            Some([(first, _), (second, _), ..]) => {
                let words = &self.scopes.game.words;
                let (a, b) = (&words[usize::from(*first)].name, &words[usize::from(*second)].name);
                let problem = format!("`{name}` is a word of `{a}` and of `{b}`");
                self.emitter.wrong(span, problem, format!("write `{a}.{name}`"))
            }
            _ => self.unknown(name, span),
        }
    }

    /// Reports a name of something that is not a value.
    pub(super) fn no_value(&mut self, span: &Span, what: &str) -> Value {
        Value::Num(self.emitter.wrong(span, format!("this is {what}"), ""))
    }

    /// Returns the current value of a name.
    pub(super) fn bound(&mut self, bind: Bind) -> Value {
        match bind {
            Bind::Is(value) => value,
            Bind::Place(place) => self.read(place),
        }
    }

    /// Reads an assignable target.
    pub(super) fn read(&mut self, place: Place) -> Value {
        match place {
            Place::Var(reg, kind) => Value::Num(self.emitter.var(reg, kind)),
            Place::Cell(reg, kind) => {
                Value::Cell(self.emitter.var(reg, kind), self.emitter.var(reg + 1, Kind::Number))
            }
            Place::List(list) => Value::List(list),
            Place::Of(list, at) => Value::Num(self.emitter.listed(list, at, &(0..0))),
            Place::Field(digit, cursor) => Value::Num(self.bags().digit(digit, cursor, &(0..0))),
        }
    }

    /// Returns the value of a field; an error operand if the field is faulty.
    fn held_by(&mut self, fixed: Fixed) -> Value {
        match fixed {
            Fixed::Number(range) if range.kind == Kind::Any && self.checks() => {
                Value::Num(self.emitter.anything())
            }
            fixed => Value::Fixed(fixed),
        }
    }

    /// Lowers a top-level field.
    pub(super) fn field(&mut self, at: usize, span: &Span) -> Value {
        self.scopes.read.insert(at);
        let Some((fixed, _)) = &self.scopes.fields[at] else {
            let problem =
                format!("`{}` has no value here yet", self.scopes.game.fields[at].name.text);
            return Value::Num(self.emitter.wrong(span, problem, "it is declared further down"));
        };
        self.held_by(fixed.clone())
    }

    /// Lowers `x.y`.
    pub(super) fn column(&mut self, of: &'g Expr, column: &'g Name, span: &Span) -> Value {
        if let Says::Name(list) = &of.what
            && self.scopes.may_be_list(list)
            && let Some(word) = self.scopes.word_of(list, &column.text)
        {
            return Value::Num(word);
        }
        match self.value(of, None) {
            Value::Fixed(fixed) => match self.scopes.project(&fixed, column) {
                Ok(found) => self.held_by(found),
                Err((problem, help)) => Value::Num(self.emitter.wrong(&column.span, problem, help)),
            },
            Value::Chosen(all, place) => self.chosen_column(&all, place, column),
            Value::Thing(bag, cursor) => self.bags().thing_column(bag, cursor, column, span),
            Value::Num(num) if num.range.kind == Kind::Any => Value::Num(num),
            _ => {
                let problem = format!("this has no `{}`", column.text);
                Value::Num(self.emitter.wrong(&column.span, problem, HAVE_FIELDS))
            }
        }
    }

    /// Lowers a column of one of several values.
    pub(super) fn chosen_column(
        &mut self,
        all: &Arc<[Fixed]>,
        place: Num,
        column: &'g Name,
    ) -> Value {
        let found: Result<Arc<[Fixed]>, _> =
            all.iter().map(|fixed| self.scopes.project(fixed, column)).collect();
        match found {
            Ok(found) => Value::Chosen(found, place),
            Err((problem, help)) => Value::Num(self.emitter.wrong(&column.span, problem, help)),
        }
    }

    /// Lowers `xs[e]`.
    pub(super) fn element(&mut self, of: &'g Expr, place: &'g Expr, span: &Span) -> Value {
        let list = self.value(of, None);
        let at = self.whole(place);
        match list {
            Value::List(list) => Value::Num(self.emitter.listed(list, at, span)),
            Value::Fixed(Fixed::List(items, len)) => self.one_of(&items, len, at, span),
            Value::Fixed(Fixed::Maybe(inner)) => match &*inner {
                Fixed::List(items, len) => self.one_of(&items.clone(), *len, at, span),
                _ => self.no_value(span, "no list"),
            },
            Value::Fixed(Fixed::Absent(why)) => {
                let why = why.to_string();
                Value::Num(self.emitter.wrong(span, why, "`given(…)` asks whether it is there"))
            }
            Value::Chosen(all, row) => self.one_of_chosen(&all, row, at, span),
            Value::Bag(_) | Value::Thing(..) => {
                let help = "`each u in units`, or make it a list";
                Value::Num(self.emitter.wrong(span, "a bag has no places", help))
            }
            Value::Num(num) if num.range.kind == Kind::Any => Value::Num(num),
            _ => self.no_value(span, "not a list, and has no places"),
        }
    }

    /// Lowers an element of one of several lists, such as the list of a bag item.
    fn one_of_chosen(&mut self, all: &Arc<[Fixed]>, row: Num, at: Num, span: &Span) -> Value {
        let lists: Vec<_> = all.iter().map(list_in).collect();
        let Some(width) = lists.iter().flatten().map(|(items, _)| items.len()).max() else {
            return self.no_value(span, "not a list, and has no places");
        };
        if let Some((items, Some(len))) = lists.iter().flatten().find(|(_, len)| len.is_some()) {
            return self.one_of(&Arc::clone(items), Some(*len), at, span);
        }
        // The index must not become a face test of the next lookup.
        let places: Vec<_> = (0..width as i64).map(Some).collect();
        let one = Num::of(1);
        let place = self.emitter.joined(Two::Sub, at, one, span);
        let place = match place.range.lo >= 0 && place.range.hi < width as i64 {
            true => place,
            false => self.emitter.looked_up(Kind::Number, &places, place, span),
        };
        let padded = padded(&lists, width);
        let begin = self.emitter.joined(Two::Mul, row, Num::of(width as i64), span);
        let place = self.emitter.joined(Two::Add, begin, place, span);
        match place.known().and_then(|known| padded.get(known as usize)) {
            Some(item) => Value::Fixed(item.clone()),
            None => Value::Chosen(padded.into(), place),
        }
    }

    /// Returns the length of one of several lists.
    pub(super) fn length_of_chosen(
        &mut self,
        all: &Arc<[Fixed]>,
        row: Num,
        span: &Span,
    ) -> Option<Num> {
        let lists = all.iter().map(|fixed| match fixed {
            Fixed::Absent(_) => Some((0, None)),
            _ => {
                list_in(fixed).map(|(items, len)| (super::loops::counted(items).len() as i64, len))
            }
        });
        let lists: Vec<_> = lists.collect::<Option<_>>()?;
        if let Some((_, Some((lo, hi)))) = lists.iter().find(|(_, len)| len.is_some()) {
            return Some(self.emitter.ranged(Range::new(Kind::Number, *lo, *hi), span));
        }
        let lengths: Vec<_> = lists.iter().map(|(length, _)| Some(*length)).collect();
        Some(self.emitter.looked_up(Kind::Number, &lengths, row, span))
    }

    /// Lowers an element of a contest's list.
    pub(super) fn one_of(
        &mut self,
        items: &Arc<[Fixed]>,
        len: Option<(i64, i64)>,
        at: Num,
        span: &Span,
    ) -> Value {
        let most = len.map_or(items.len() as i64, |(_, most)| most);
        if !self.emitter.may_be_place(at, most, span) {
            return Value::Num(self.emitter.anything());
        }
        if len.is_some() {
            // The index is unknown: one item represents all.
            return match items.first() {
                Some(item) => Value::Fixed(item.clone()),
                None => Value::Num(self.emitter.anything()),
            };
        }
        if let Some(known) = at.known() {
            return Value::Fixed(items[known as usize - 1].clone());
        }
        let place = self.emitter.joined(Two::Sub, at, Num::of(1), span);
        Value::Chosen(items.clone(), place)
    }

    /// Lowers `given(x)`.
    pub(super) fn given(&mut self, inner: &'g Expr) -> Num {
        let span = &inner.span;
        let there = match &inner.what {
            Says::Name(name) if self.scopes.local(name).is_none() => self.given_field(name, span),
            Says::Column(of, column) => match self.value(of, None) {
                Value::Fixed(fixed) => self.given_column(&fixed, column),
                Value::Chosen(all, place) => return self.given_of(&all, place, column, span),
                Value::Thing(bag, cursor) => {
                    return self.bags().given_thing(bag, cursor, column, span);
                }
                Value::Num(num) if num.range.kind == Kind::Any => Some(None),
                _ => None,
            },
            Says::Name(_) => match self.value(inner, None) {
                Value::Fixed(fixed) => Some(fixed.is_there()),
                _ => None,
            },
            _ => None,
        };
        match there {
            Some(Some(known)) => Num::one(Kind::YesNo, known.into()),
            Some(None) => self.emitter.ranged(Range::new(Kind::YesNo, 0, 1), span),
            None => {
                let problem = "`given` needs a field or a column of data";
                self.emitter.wrong(span, problem, "")
            }
        }
    }

    /// Returns whether a contest gives a field; the outer `None` if there is no such field.
    fn given_field(&mut self, name: &str, span: &Span) -> Option<Option<bool>> {
        if let Some((fixed, given)) = self.scopes.own_field(name) {
            return Some(is_given(fixed, given));
        }
        if !self.scopes.game.names.contains_key(name) {
            self.unknown(name, span);
            return Some(None);
        }
        let at = self.scopes.game.field(name)?;
        self.scopes.read.insert(at);
        let (fixed, given) = self.scopes.fields[at].as_ref()?;
        Some(is_given(fixed, *given))
    }

    /// Returns whether a contest gives a column; the outer `None` if there is no such column.
    pub(super) fn given_column(&mut self, fixed: &Fixed, column: &Name) -> Option<Option<bool>> {
        match fixed {
            Fixed::Maybe(inner) => self.given_column(inner, column).map(|_| None),
            Fixed::Absent(_) => Some(Some(false)),
            Fixed::Record(record) => {
                let fields = &self.scopes.game.records[record.of].fields;
                let at = fields.iter().position(|field| field.name.text == column.text);
                let (fixed, given) = record.fields.get(at?)?;
                Some(is_given(fixed, *given))
            }
            _ => match self.scopes.project(fixed, column) {
                Ok(found) => Some(found.is_there()),
                Err((problem, help)) => {
                    self.emitter.wrong(&column.span, problem, help);
                    Some(Some(false))
                }
            },
        }
    }

    /// Lowers a test whether a column is given for one of several values.
    pub(super) fn given_of(
        &mut self,
        all: &Arc<[Fixed]>,
        place: Num,
        column: &Name,
        span: &Span,
    ) -> Num {
        let mut values = Vec::new();
        for fixed in all.iter() {
            let given = self.given_column(fixed, column).flatten();
            values.push(Some(i64::from(given.unwrap_or(false))));
        }
        self.emitter.looked_up(Kind::YesNo, &values, place, span)
    }
}

impl Emitter {
    /// Loads an element of a rule's list.
    pub(super) fn listed(&mut self, list: super::lowered_value::List, at: Num, span: &Span) -> Num {
        if !self.may_be_place(at, list.len.into(), span) {
            return self.anything();
        }
        if let Some(known) = at.known() {
            return self.var(list.base + known as u8 - 1, list.kind);
        }
        let all = (list.base..list.base + list.len).map(|reg| self.range_of(reg));
        let (lo, hi) = all.fold((i64::MAX, i64::MIN), |(lo, hi), (a, b)| (lo.min(a), hi.max(b)));
        let range = Range::new(list.kind, lo, hi);
        self.made(range, span, |reg| Op::Load(reg, list.base, list.len, at.at))
    }

    /// Checks that a number may be an index of a list of `most` elements, and reports if it cannot.
    pub(super) fn may_be_place(&mut self, at: Num, most: i64, span: &Span) -> bool {
        let may = at.range.hi >= 1 && at.range.lo <= most;
        if !may {
            let lo = at.range.lo;
            self.wrong(span, format!("the list has places 1 to {most}, not {lo}"), "");
        }
        may
    }
}

/// List of a contest, with its possible lengths if they are unknown.
type Listed<'f> = (&'f Arc<[Fixed]>, Option<(i64, i64)>);

/// Returns a contest value as a list.
fn list_in(fixed: &Fixed) -> Option<Listed<'_>> {
    match fixed {
        Fixed::List(items, len) => Some((items, *len)),
        Fixed::Maybe(inner) => list_in(inner),
        _ => None,
    }
}

/// Concatenates lists, each padded to the longest.
fn padded(lists: &[Option<Listed<'_>>], width: usize) -> Vec<Fixed> {
    let end = Fixed::Absent("the list of this one is shorter".into());
    let padded = lists.iter().flat_map(|list| {
        let items = list.map_or(&[][..], |(items, _)| &items[..]);
        items.iter().chain(std::iter::repeat(&end)).take(width)
    });
    padded.cloned().collect()
}

/// Returns whether a contest gives a field.
pub(super) fn is_given(fixed: &Fixed, given: Option<bool>) -> Option<bool> {
    match (fixed.is_there(), given) {
        (Some(false), _) => Some(false),
        (_, given) => given,
    }
}
