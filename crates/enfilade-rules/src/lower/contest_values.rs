//! Fills a contest from its form: explicit fields, computed defaults, changed cells, checked
//! conditions.

use std::sync::Arc;

use super::Lowering;
use super::changed_cells::{Changes, given_cell};
use crate::diagnostics::Span;
use crate::resolve::COUNT;
use crate::resolve::game::{ActionKind, Column, DataBlock, FieldKind, Game, Holds};
use crate::resolve::printed_cells::{as_word, read_marks};
use crate::syntax::ast::{Check, Default, Expr, Says};
use crate::types::{DataRow, Fixed, Kind, Range, Record};
use crate::vm::code::Op;
use enfilade_model::form::{Fault, Form, ROW_NAME, Value};

/// Builder that fills the scopes of a rule with the values of a contest.
pub struct Filling<'w, 'g> {
    /// Lowering that is filled.
    pub lowering: &'w mut Lowering<'g>,
    /// Faults of the contest.
    pub faults: Vec<Fault>,
    /// Notes for a reader.
    pub notes: Vec<String>,
    /// Cells that the contest changes.
    pub changes: Changes<'w>,
}

impl<'g> Filling<'_, 'g> {
    pub(crate) fn game(&self) -> &'g Game {
        self.lowering.scopes.game
    }

    /// Fills the top-level fields of an action in the order of the file, then its own fields; then
    /// evaluates conditions.
    pub fn fill(
        &mut self,
        form: &Form,
        read: &[usize],
        action: &'g ActionKind,
        checks: &[&'g Check],
    ) {
        let game = self.game();
        let mut wrong = Vec::new();
        for &at in read {
            let field = action.instead_of(game, at);
            // The fields filled so far are visible while a record is filled.
            let (value, given) = self.watched(field, form, Some(at), &mut wrong);
            self.lowering.scopes.fields[at] = Some((value, Some(given)));
        }
        for field in action.fields_of_its_own() {
            let (value, given) = self.watched(field, form, None, &mut wrong);
            self.lowering.scopes.own.push((&field.name.text, value, Some(given)));
        }
        for check in checks {
            // A condition that reads a faulty field is skipped.
            if wrong.is_empty() || !self.reads_any_of(&wrong, check) {
                self.check_anew(check);
            }
        }
    }

    /// Fills a field, and adds it to `wrong` if it is faulty.
    fn watched(
        &mut self,
        field: &'g FieldKind,
        form: &Form,
        top: Option<usize>,
        wrong: &mut Vec<&'g str>,
    ) -> (Fixed, bool) {
        let faults = self.faults.len();
        let filled = self.field(field, form, top);
        wrong.extend((self.faults.len() > faults).then_some(&*field.name.text));
        filled
    }

    /// Returns the value of one field, and whether the form gives it.
    fn field(&mut self, field: &'g FieldKind, form: &Form, top: Option<usize>) -> (Fixed, bool) {
        let name = field.name.text.as_str();
        if let Some(value) = form.get(name) {
            let fixed = self.given(&field.holds, value, name, top);
            // A record filled by defaults alone does not count as given.
            return (fixed, true);
        }
        let value = self.preset(field);
        if let (Fixed::Absent(why), Some(_), Some(_)) = (&value, &field.default, top)
            && !field.said.optional
        {
            let fault =
                Fault::new(name, format!("the default of `{name}` cannot be computed: {why}"));
            self.faults.push(fault.help(format!("give `{name}`")));
        }
        (value, false)
    }

    /// Reads a value of a form as a field of this shape.
    fn given(&mut self, holds: &'g Holds, value: &Value, path: &str, top: Option<usize>) -> Fixed {
        let found = self.found(holds, value, path, top);
        found.unwrap_or_else(|| Fixed::Absent(absent(path).into()))
    }

    /// Reads a value of a form as a field of this shape; `None` if it does not fit.
    fn found(
        &mut self,
        holds: &'g Holds,
        value: &Value,
        path: &str,
        top: Option<usize>,
    ) -> Option<Fixed> {
        let game = self.game();
        Some(match (holds, value) {
            (Holds::Number(range), Value::Int(n)) => Fixed::one(range.kind, *n),
            (Holds::Number(range), Value::Flag(on)) => Fixed::one(range.kind, (*on).into()),
            (Holds::Number(range), Value::Text(word)) => {
                let Kind::Word(list) = range.kind else { return None };
                let place = game.word(list, &as_word(word)).unwrap_or(0);
                Fixed::one(range.kind, place as i64)
            }
            (Holds::OneOf(numbers), Value::Int(n)) => self.one_of_these(numbers, *n, path),
            (Holds::Die(..), Value::Die(sides)) => Fixed::one(Kind::Number, (*sides).into()),
            (Holds::Row(data), Value::Text(name)) => {
                self.row(*data, Some(game.row(*data, name)?), None)
            }
            (Holds::Row(data), Value::Table(form)) => {
                let row = form.maybe_text(ROW_NAME).and_then(|name| game.row(*data, name));
                self.row(*data, row, Some(form))
            }
            (Holds::Record(record), Value::Table(form)) => self.record(*record, form, path, top),
            (Holds::Record(record), Value::Entries(numbers)) => self.numbers(*record, numbers),
            (Holds::Marks(marks), Value::List(texts)) => self.marks(*marks, texts),
            (Holds::List(_, _, of), value) => self.list(of, value, path)?,
            _ => return None,
        })
    }

    /// Reads one of several permitted numbers.
    fn one_of_these(&mut self, numbers: &[i64], n: i64, path: &str) -> Fixed {
        if !numbers.contains(&n) {
            let known: Vec<_> = numbers.iter().map(ToString::to_string).collect();
            let known = enfilade_model::form::one_of(&known);
            let problem = format!("{n} is not one of the numbers {known}");
            self.faults.push(Fault::new(path, problem));
        }
        Fixed::one(Kind::Number, n)
    }

    /// Reads a list.
    fn list(&mut self, of: &'g Holds, value: &Value, path: &str) -> Option<Fixed> {
        let items: Vec<Fixed> = match value {
            Value::Tables(forms) => {
                let tables = forms.iter().map(|form| Value::Table(form.clone())).enumerate();
                let path = |at| one_of(path, at, forms.len());
                tables.map(|(at, value)| self.given(of, &value, &path(at), None)).collect()
            }
            Value::List(values) => {
                let values = values.iter().enumerate();
                let item = |(at, value)| self.given(of, value, &format!("{path}[{at}]"), None);
                values.map(item).collect()
            }
            _ => return None,
        };
        Some(Fixed::List(items.into(), None))
    }

    /// Returns the printed numbers with the changes of the contest.
    fn numbers(&self, of: usize, changed: &[(String, i64)]) -> Fixed {
        let Some(Some(printed)) = self.game().printed.get(of) else {
            return Fixed::Absent("no printed numbers".into());
        };
        let mut record = Arc::clone(printed);
        for (name, number) in changed {
            let fields = &self.game().records[of].fields;
            let at = fields.iter().position(|field| field.name.text == *name);
            if let Some(place) = at.and_then(|at| Arc::make_mut(&mut record).fields.get_mut(at)) {
                *place = (Fixed::one(Kind::Number, *number), Some(true));
            }
        }
        Fixed::Record(record)
    }

    /// Reads custom marks; marks that no line explains are noted as not modelled.
    fn marks(&mut self, of: u16, texts: &[Value]) -> Fixed {
        let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
        let (fixed, unknown) = read_marks(self.game(), of, &texts.join(","));
        let not_modelled = |text| format!("not modelled: {text}");
        self.notes.extend(unknown.into_iter().map(not_modelled));
        fixed
    }

    /// Reads a data row with the changes of the contest.
    fn row(&mut self, data: u16, row: Option<usize>, form: Option<&Form>) -> Fixed {
        let game = self.game();
        let block = &game.data[usize::from(data)];
        let name = row.map_or("", |row| block.rows[row].text.as_str());
        let mut cells = Vec::with_capacity(block.columns.len());
        for (column, head) in block.columns.iter().enumerate() {
            let own = form.and_then(|form| form.get(head));
            let changed = own.or_else(|| self.changes.cell(&block.name, name, Some(head)));
            cells.push(match (changed.zip(block.kinds.get(column)), row) {
                (Some((value, Column::Marks(marks))), _) => {
                    read_marks(game, *marks, &value.to_string()).0
                }
                (Some((value, Column::Of(kind))), _) => given_cell(game, *kind, value),
                (None, Some(row)) => {
                    self.not_modelled(block, row, column);
                    block.cells[row][column].clone()
                }
                (None, None) => Fixed::Absent(format!("`{head}` is not given").into()),
            });
        }
        let place = Range::one(Kind::Row(data), row.map_or(-1, |row| row as i64));
        Fixed::Row(Arc::new(DataRow { data, place, asked: None, cells }))
    }

    /// Notes printed marks of a row that no line explains.
    fn not_modelled(&mut self, block: &DataBlock, row: usize, column: usize) {
        if let Some(Column::Marks(marks)) = block.kinds.get(column) {
            let name = &block.rows[row].text;
            let unknown = read_marks(self.game(), *marks, &block.printed[row][column]).1;
            let unknown = unknown.into_iter().map(|text| format!("{name}: not modelled: {text}"));
            self.notes.extend(unknown);
        }
    }

    /// Reads a record field by field, so that a default can use the fields above it.
    fn record(&mut self, of: usize, form: &Form, path: &str, top: Option<usize>) -> Fixed {
        let game = self.game();
        let kind = &game.records[of];
        let count = form.maybe_int(COUNT).unwrap_or(1);
        let name: Arc<str> = form.maybe_text(ROW_NAME).unwrap_or("").into();
        let own = self.lowering.scopes.own.len();
        let mut fields: Vec<(Fixed, Option<bool>)> = Vec::with_capacity(kind.fields.len());
        if let Some(top) = top {
            let fields = Vec::with_capacity(kind.fields.len());
            let none = Record { of, fields, count, name: name.clone() };
            self.lowering.scopes.fields[top] = Some((Fixed::Record(Arc::new(none)), Some(true)));
        }
        for field in &kind.fields {
            let (value, given) = self.inner_field(field, form, path);
            if let Some((Fixed::Record(so_far), _)) =
                top.and_then(|at| self.lowering.scopes.fields[at].as_mut())
            {
                Arc::make_mut(so_far).fields.push((value.clone(), Some(given)));
            }
            self.lowering.scopes.own.push((&field.name.text, value.clone(), Some(given)));
            fields.push((value, Some(given)));
        }
        for check in &kind.checks {
            self.check(check, path);
        }
        self.lowering.scopes.own.truncate(own);
        Fixed::Record(Arc::new(Record { of, fields, count, name }))
    }

    /// Returns the value of a record's field, and whether the form gives it.
    fn inner_field(&mut self, field: &'g FieldKind, form: &Form, path: &str) -> (Fixed, bool) {
        let key = field.name.text.as_str();
        match form.get(key) {
            Some(value) => (self.given(&field.holds, value, &format!("{path}.{key}"), None), true),
            None => (self.preset(field), false),
        }
    }

    /// Returns the value of a field that the form omits.
    fn preset(&mut self, field: &'g FieldKind) -> Fixed {
        match &field.default {
            Some(default) => self.default(field, default),
            None => Fixed::Absent(absent(&field.name.text).into()),
        }
    }

    /// Evaluates a default; absent if it cannot be evaluated.
    fn default(&mut self, field: &'g FieldKind, default: &'g Default) -> Fixed {
        match (default, &field.holds) {
            (Default::List(items, _), Holds::List(_, _, of)) => {
                let items: Vec<Fixed> = items.iter().map(|item| self.one(of, item)).collect();
                Fixed::List(items.into(), None)
            }
            (Default::List(items, _), Holds::Marks(marks)) => {
                let texts = items.iter().filter_map(|item| match &item.what {
                    Says::Name(name) => Some(Value::Text(name.clone())),
                    _ => None,
                });
                let texts: Vec<Value> = texts.collect();
                self.marks(*marks, &texts)
            }
            (Default::One(value), holds) => {
                let fixed = self.one(holds, value);
                self.bounded(holds, fixed)
            }
            (Default::List(..), _) => Fixed::Absent("the default is a list".into()),
        }
    }

    /// Clamps a computed value to the bounds of its field.
    fn bounded(&self, holds: &Holds, fixed: Fixed) -> Fixed {
        let Some((lo, hi)) = holds.bounds() else { return fixed };
        match fixed.range() {
            Some(range) if range.lo < lo || range.hi > hi => {
                Fixed::Absent(format!("{} is not in {lo}..{hi}", range.lo).into())
            }
            _ => fixed,
        }
    }

    /// Returns one value of a default: a constant as written, or else computed.
    fn one(&mut self, holds: &'g Holds, value: &'g Expr) -> Fixed {
        let game = self.game();
        if let (Holds::Number(range), Some(printed)) = (holds, value.literal())
            && range.kind == Kind::Number
        {
            return Fixed::one(Kind::Number, printed);
        }
        if let (Holds::Row(data), Says::Name(name)) = (holds, &value.what)
            && let Some(row) = game.row(*data, name)
        {
            return self.row(*data, Some(row), None);
        }
        if let (Holds::Die(..), Some(sides)) = (holds, value.die()) {
            return Fixed::one(Kind::Number, sides);
        }
        let want = match holds {
            Holds::Number(range) => range.kind,
            _ => Kind::Number,
        };
        match self.reckoned(value, want) {
            Ok(number) => Fixed::one(want, number),
            Err(why) => Fixed::Absent(why.into()),
        }
    }

    /// Evaluates an expression without dice.
    pub(crate) fn reckoned(&mut self, value: &'g Expr, want: Kind) -> Result<i64, String> {
        self.lowering.reckoned(value, want)
    }
}

/// Adds the position to the path of a list of tables; a single table needs none.
pub(crate) fn one_of(path: &str, at: usize, all: usize) -> String {
    match all {
        1 => path.to_owned(),
        _ => format!("{path}[{at}]"),
    }
}

/// Returns the message for a read of an omitted field.
fn absent(name: &str) -> String {
    format!("`{name}` is not given")
}

impl<'g> Lowering<'g> {
    /// Evaluates an expression without dice.
    ///
    /// # Errors
    /// The reason why it has no value, in one sentence.
    pub fn reckoned(&mut self, value: &'g Expr, want: Kind) -> Result<i64, String> {
        let start = self.emitter.program.ops.len();
        let wrongs = self.emitter.program.wrongs.len();
        let num = self.number_of(value, want);
        let mut written = self.emitter.program.ops.split_off(start);
        let mut spans: Vec<Span> = self.emitter.program.spans.split_off(start);
        if let (Some(known), true) = (num.0, self.emitter.program.wrongs.len() == wrongs) {
            self.emitter.begin_again();
            return Ok(known);
        }
        for op in &mut written {
            if let Some(to) = op.target() {
                op.aim(to - start);
            }
        }
        written.push(Op::Halt);
        spans.push(value.span.clone());
        // The expression may look up lists and keys of the program so far.
        let kept = (
            std::mem::replace(&mut self.emitter.program.ops, written),
            std::mem::replace(&mut self.emitter.program.spans, spans),
        );
        let result = self.emitter.program.reckoned(&[], num.1);
        (self.emitter.program.ops, self.emitter.program.spans) = kept;
        self.emitter.begin_again();
        result.map(|result| num.0.unwrap_or(result))
    }
}
