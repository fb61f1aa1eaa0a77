//! Fills a contest from its form: explicit fields, computed defaults, changed cells, checked
//! conditions.

use std::sync::Arc;

use super::Lowering;
use super::changed_cells::{ChangedTableCells, convert_changed_cell};
use crate::diagnostics::Span;
use crate::resolve::RECORD_COUNT_FIELD;
use crate::resolve::game::{
    ActionDef, ColumnType, DataDef, FieldDef, ResolvedRulebook, ValueShape,
};
use crate::resolve::printed_cells::{name_of_printed_word, parse_comma_separated_marks};
use crate::syntax::ast::{CheckOrRemarkDecl, DefaultExpr, Expr, ExprKind};
use crate::value_types::{ContestDataRow, ContestValue, RecordValue, ScalarType, ValueRange};
use crate::vm::code::Instr;
use enfilade_model::form::{Fault, Form, ROW_NAME, Value};

/// Builder that fills the scopes of a rule with the values of a contest.
pub struct ContestScopeBuilder<'w, 'g> {
    /// Lowering that is filled.
    pub lowering: &'w mut Lowering<'g>,
    /// Faults of the contest.
    pub faults: Vec<Fault>,
    /// Notes for a reader.
    pub notes: Vec<String>,
    /// Cells that the contest changes.
    pub changes: ChangedTableCells<'w>,
}

impl<'g> ContestScopeBuilder<'_, 'g> {
    pub(crate) fn game(&self) -> &'g ResolvedRulebook {
        self.lowering.scopes.game
    }

    /// Fills the top-level fields of an action in the order of the file, then its own fields; then
    /// evaluates conditions.
    pub fn fill_fields_and_check(
        &mut self,
        form: &Form,
        read: &[usize],
        action: &'g ActionDef,
        checks: &[&'g CheckOrRemarkDecl],
    ) {
        let game = self.game();
        let mut wrong = Vec::new();
        for &at in read {
            let field = action.override_of_top_level_field(game, at);
            // The fields filled so far are visible while a record is filled.
            let (value, is_given) = self.fill_or_mark_faulty(field, form, Some(at), &mut wrong);
            self.lowering.scopes.fields[at] = Some((value, Some(is_given)));
        }
        for field in action.non_overriding_fields() {
            let (value, is_given) = self.fill_or_mark_faulty(field, form, None, &mut wrong);
            self.lowering.scopes.own_fields.push((&field.name.text, value, Some(is_given)));
        }
        for check in checks {
            // A condition that reads a faulty field is skipped.
            if wrong.is_empty() || !self.condition_reads_any_of(&wrong, check) {
                self.check_unless_cached(check);
            }
        }
        self.fill_data_rows();
    }

    /// Fills the rows of the data blocks that the rule reads by number.
    fn fill_data_rows(&mut self) {
        let game = self.game();
        let read = self.lowering.scopes.columns.iter().flat_map(|columns| &columns.data);
        for &data in read.collect::<Vec<_>>() {
            let block = &game.data[usize::from(data)];
            let rows = (0..block.rows.len()).map(|row| self.read_row(data, Some(row), None));
            let rows = ContestValue::List(rows.collect(), None);
            self.lowering.scopes.data_rows.push((&block.name, rows));
        }
    }

    /// Fills a field, and adds it to `wrong` if it is faulty.
    fn fill_or_mark_faulty(
        &mut self,
        field: &'g FieldDef,
        form: &Form,
        top: Option<usize>,
        wrong: &mut Vec<&'g str>,
    ) -> (ContestValue, bool) {
        let faults = self.faults.len();
        let filled = self.given_or_default_field_value(field, form, top);
        wrong.extend((self.faults.len() > faults).then_some(&*field.name.text));
        filled
    }

    /// Returns the value of one field, and whether the form gives it.
    fn given_or_default_field_value(
        &mut self,
        field: &'g FieldDef,
        form: &Form,
        top: Option<usize>,
    ) -> (ContestValue, bool) {
        let name = field.name.text.as_str();
        if let Some(value) = form.get(name) {
            let fixed = self.read_field_value_or_absent(&field.shape, value, name, top);
            // A record filled by defaults alone does not count as given.
            return (fixed, true);
        }
        let value = self.default_of_field(field);
        if let (ContestValue::Absent(why), Some(_), Some(_)) = (&value, &field.default, top)
            && !field.annotations.optional
        {
            let fault =
                Fault::new(name, format!("the default of `{name}` cannot be computed: {why}"));
            self.faults.push(fault.with_help(format!("give `{name}`")));
        }
        (value, false)
    }

    /// Reads a value of a form as a field of this shape.
    fn read_field_value_or_absent(
        &mut self,
        shape: &'g ValueShape,
        value: &Value,
        path: &str,
        top: Option<usize>,
    ) -> ContestValue {
        let field_value = self.read_value_if_shape_fits(shape, value, path, top);
        field_value.unwrap_or_else(|| ContestValue::Absent(omitted_field_message(path).into()))
    }

    /// Reads a value of a form as a field of this shape; `None` if it does not fit.
    fn read_value_if_shape_fits(
        &mut self,
        shape: &'g ValueShape,
        value: &Value,
        path: &str,
        top: Option<usize>,
    ) -> Option<ContestValue> {
        let game = self.game();
        Some(match (shape, value) {
            (ValueShape::Number(range), Value::Int(n)) => ContestValue::from_number(range.kind, *n),
            (ValueShape::Number(range), Value::Flag(on)) => {
                ContestValue::from_number(range.kind, (*on).into())
            }
            (ValueShape::Number(range), Value::Text(word)) => {
                let ScalarType::Word(list) = range.kind else { return None };
                let place =
                    game.index_of_word_in_list(list, &name_of_printed_word(word)).unwrap_or(0);
                ContestValue::from_number(range.kind, place as i64)
            }
            (ValueShape::OneOf(numbers), Value::Int(n)) => {
                self.read_permitted_number(numbers, *n, path)
            }
            (ValueShape::Die(..), Value::Die(sides)) => {
                ContestValue::from_number(ScalarType::Number, (*sides).into())
            }
            (ValueShape::Row(data), Value::Text(name)) => {
                self.read_row(*data, Some(game.index_of_data_row(*data, name)?), None)
            }
            (ValueShape::Row(data), Value::Table(form)) => {
                let row = form
                    .optional_text(ROW_NAME)
                    .and_then(|name| game.index_of_data_row(*data, name));
                self.read_row(*data, row, Some(form))
            }
            (ValueShape::Record(record), Value::Table(form)) => {
                self.read_record(*record, form, path, top)
            }
            (ValueShape::Record(record), Value::Entries(numbers)) => {
                self.printed_record_with_changes(*record, numbers)
            }
            (ValueShape::Marks(marks), Value::List(texts)) => self.read_custom_marks(*marks, texts),
            (ValueShape::List(_, _, of), value) => self.read_contest_list(of, value, path)?,
            _ => return None,
        })
    }

    /// Reads one of several permitted numbers.
    fn read_permitted_number(&mut self, numbers: &[i64], n: i64, path: &str) -> ContestValue {
        if !numbers.contains(&n) {
            let permitted_numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
            let permitted_numbers = enfilade_model::form::join_or(&permitted_numbers);
            let problem = format!("{n} is not one of the numbers {permitted_numbers}");
            self.faults.push(Fault::new(path, problem));
        }
        ContestValue::from_number(ScalarType::Number, n)
    }

    /// Reads a list.
    fn read_contest_list(
        &mut self,
        of: &'g ValueShape,
        value: &Value,
        path: &str,
    ) -> Option<ContestValue> {
        let items: Vec<ContestValue> = match value {
            Value::Tables(forms) => {
                let tables = forms.iter().map(|form| Value::Table(form.clone())).enumerate();
                let path = |at| append_index_if_several(path, at, forms.len());
                tables
                    .map(|(at, value)| self.read_field_value_or_absent(of, &value, &path(at), None))
                    .collect()
            }
            Value::List(values) => {
                let values = values.iter().enumerate();
                let item = |(at, value)| {
                    self.read_field_value_or_absent(of, value, &format!("{path}[{at}]"), None)
                };
                values.map(item).collect()
            }
            _ => return None,
        };
        Some(ContestValue::List(items.into(), None))
    }

    /// Returns the printed numbers with the changes of the contest.
    fn printed_record_with_changes(&self, of: usize, changed: &[(String, i64)]) -> ContestValue {
        let Some(Some(printed)) = self.game().printed_records.get(of) else {
            return ContestValue::Absent("no printed numbers".into());
        };
        let mut record = Arc::clone(printed);
        for (name, number) in changed {
            let fields = &self.game().records[of].fields;
            let at = fields.iter().position(|field| field.name.text == *name);
            if let Some(place) = at.and_then(|at| Arc::make_mut(&mut record).fields.get_mut(at)) {
                *place = (ContestValue::from_number(ScalarType::Number, *number), Some(true));
            }
        }
        ContestValue::Record(record)
    }

    /// Reads custom marks; marks that no line explains are noted as not modelled.
    fn read_custom_marks(&mut self, of: u16, texts: &[Value]) -> ContestValue {
        let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
        let (fixed, unknown) = parse_comma_separated_marks(self.game(), of, &texts.join(","));
        let not_modelled = |text| format!("not modelled: {text}");
        self.notes.extend(unknown.into_iter().map(not_modelled));
        fixed
    }

    /// Reads a data row with the changes of the contest.
    fn read_row(&mut self, data: u16, row: Option<usize>, form: Option<&Form>) -> ContestValue {
        let game = self.game();
        let block = &game.data[usize::from(data)];
        let name = row.map_or("", |row| block.rows[row].text.as_str());
        let mut cells = Vec::with_capacity(block.columns.len());
        for (column, head) in block.columns.iter().enumerate() {
            let own = form.and_then(|form| form.get(head));
            let changed =
                own.or_else(|| self.changes.find_changed_cell(&block.name, name, Some(head)));
            cells.push(match (changed.zip(block.kinds.get(column)), row) {
                (Some((value, ColumnType::Marks(marks))), _) => {
                    parse_comma_separated_marks(game, *marks, &value.to_string()).0
                }
                (Some((value, ColumnType::Typed(kind))), _) => {
                    convert_changed_cell(game, *kind, value)
                }
                (None, Some(row)) => {
                    self.note_marks_without_rule(block, row, column);
                    block.cells[row][column].clone()
                }
                (None, None) => ContestValue::Absent(format!("`{head}` is not given").into()),
            });
        }
        let place =
            ValueRange::from_number(ScalarType::Row(data), row.map_or(-1, |row| row as i64));
        ContestValue::Row(Arc::new(ContestDataRow { data, place, parameter: None, cells }))
    }

    /// Notes printed marks of a row that no line explains.
    fn note_marks_without_rule(&mut self, block: &DataDef, row: usize, column: usize) {
        if let Some(ColumnType::Marks(marks)) = block.kinds.get(column) {
            let name = &block.rows[row].text;
            let unknown =
                parse_comma_separated_marks(self.game(), *marks, &block.printed_cells[row][column])
                    .1;
            let unknown = unknown.into_iter().map(|text| format!("{name}: not modelled: {text}"));
            self.notes.extend(unknown);
        }
    }

    /// Reads a record field by field, so that a default can use the fields above it.
    fn read_record(
        &mut self,
        of: usize,
        form: &Form,
        path: &str,
        top: Option<usize>,
    ) -> ContestValue {
        let game = self.game();
        let kind = &game.records[of];
        let count = form.maybe_int(RECORD_COUNT_FIELD).unwrap_or(1);
        // A field of the record may have this name, and be a number.
        let name: Arc<str> = match form.get(ROW_NAME) {
            Some(Value::Text(name)) => name.as_str().into(),
            _ => "".into(),
        };
        let own = self.lowering.scopes.own_fields.len();
        let mut fields: Vec<(ContestValue, Option<bool>)> = Vec::with_capacity(kind.fields.len());
        if let Some(top) = top {
            let fields = Vec::with_capacity(kind.fields.len());
            let none = RecordValue { record: of, fields, count, name: name.clone() };
            self.lowering.scopes.fields[top] =
                Some((ContestValue::Record(Arc::new(none)), Some(true)));
        }
        for field in &kind.fields {
            let (value, is_given) = self.read_field_of_record(field, form, path);
            if let Some((ContestValue::Record(so_far), _)) =
                top.and_then(|at| self.lowering.scopes.fields[at].as_mut())
            {
                Arc::make_mut(so_far).fields.push((value.clone(), Some(is_given)));
            }
            self.lowering.scopes.own_fields.push((&field.name.text, value.clone(), Some(is_given)));
            fields.push((value, Some(is_given)));
        }
        for check in &kind.checks {
            self.evaluate_check(check, path);
        }
        self.lowering.scopes.own_fields.truncate(own);
        ContestValue::Record(Arc::new(RecordValue { record: of, fields, count, name }))
    }

    /// Returns the value of a record's field, and whether the form gives it.
    fn read_field_of_record(
        &mut self,
        field: &'g FieldDef,
        form: &Form,
        path: &str,
    ) -> (ContestValue, bool) {
        let key = field.name.text.as_str();
        match form.get(key) {
            Some(value) => (
                self.read_field_value_or_absent(
                    &field.shape,
                    value,
                    &format!("{path}.{key}"),
                    None,
                ),
                true,
            ),
            None => (self.default_of_field(field), false),
        }
    }

    /// Returns the value of a field that the form omits.
    fn default_of_field(&mut self, field: &'g FieldDef) -> ContestValue {
        match &field.default {
            Some(default) => self.evaluate_default_value(field, default),
            None => ContestValue::Absent(omitted_field_message(&field.name.text).into()),
        }
    }

    /// Evaluates a default; absent if it cannot be evaluated.
    fn evaluate_default_value(
        &mut self,
        field: &'g FieldDef,
        default: &'g DefaultExpr,
    ) -> ContestValue {
        match (default, &field.shape) {
            (DefaultExpr::List(items, _), ValueShape::List(_, _, of)) => {
                let items: Vec<ContestValue> =
                    items.iter().map(|item| self.evaluate_default_item(of, item)).collect();
                ContestValue::List(items.into(), None)
            }
            (DefaultExpr::List(items, _), ValueShape::Marks(marks)) => {
                let texts = items.iter().filter_map(|item| match &item.kind {
                    ExprKind::Name(name) => Some(Value::Text(name.clone())),
                    _ => None,
                });
                let texts: Vec<Value> = texts.collect();
                self.read_custom_marks(*marks, &texts)
            }
            (DefaultExpr::One(value), holds) => {
                let fixed = self.evaluate_default_item(holds, value);
                self.absent_if_out_of_bounds(holds, fixed)
            }
            (DefaultExpr::List(..), _) => ContestValue::Absent("the default is a list".into()),
        }
    }

    /// Clamps a computed value to the bounds of its field.
    fn absent_if_out_of_bounds(&self, shape: &ValueShape, fixed: ContestValue) -> ContestValue {
        let Some((lo, hi)) = shape.bounds_of_contiguous_number() else { return fixed };
        match fixed.number_range() {
            Some(range) if range.lo < lo || range.hi > hi => {
                ContestValue::Absent(format!("{} is not in {lo}..{hi}", range.lo).into())
            }
            _ => fixed,
        }
    }

    /// Returns one value of a default: a constant as written, or else computed.
    fn evaluate_default_item(&mut self, shape: &'g ValueShape, value: &'g Expr) -> ContestValue {
        let game = self.game();
        if let (ValueShape::Number(_), Some(printed)) = (shape, value.literal_number()) {
            return ContestValue::from_number(ScalarType::Number, printed);
        }
        if let (ValueShape::Row(data), ExprKind::Name(name)) = (shape, &value.kind) {
            return self.read_row(*data, game.index_of_data_row(*data, name), None);
        }
        if let (ValueShape::Die(..), Some(sides)) = (shape, value.as_die_sides()) {
            return ContestValue::from_number(ScalarType::Number, sides);
        }
        let want = match shape {
            ValueShape::Number(range) => range.kind,
            ValueShape::Row(data) => ScalarType::Row(*data),
            _ => ScalarType::Number,
        };
        match (self.evaluate(value, want), shape) {
            (Ok(row), ValueShape::Row(data)) => {
                self.read_row(*data, usize::try_from(row).ok(), None)
            }
            (Ok(number), _) => ContestValue::from_number(want, number),
            (Err(why), _) => ContestValue::Absent(why.into()),
        }
    }

    /// Evaluates an expression without dice.
    pub(crate) fn evaluate(&mut self, value: &'g Expr, want: ScalarType) -> Result<i64, String> {
        self.lowering.evaluate_diceless_number(value, want)
    }
}

/// Adds the position to the path of a list of tables; a single table needs none.
pub(crate) fn append_index_if_several(path: &str, at: usize, all: usize) -> String {
    match all {
        1 => path.to_owned(),
        _ => format!("{path}[{at}]"),
    }
}

/// Returns the message for a read of an omitted field.
fn omitted_field_message(name: &str) -> String {
    format!("`{name}` is not given")
}

impl<'g> Lowering<'g> {
    /// Evaluates an expression without dice.
    ///
    /// # Errors
    /// The reason why it has no value, in one sentence.
    pub fn evaluate_diceless_number(
        &mut self,
        value: &'g Expr,
        want: ScalarType,
    ) -> Result<i64, String> {
        let start = self.emitter.program.instrs.len();
        let wrongs = self.emitter.program.faults.len();
        let num = self.lower_to_number_register(value, want);
        let mut written = self.emitter.program.instrs.split_off(start);
        let mut spans: Vec<Span> = self.emitter.program.spans.split_off(start);
        if let (Some(constant), true) = (num.0, self.emitter.program.faults.len() == wrongs) {
            self.emitter.reset_except_instructions();
            return Ok(constant);
        }
        for op in &mut written {
            if let Some(to) = op.jump_target() {
                op.set_jump_target(to - start);
            }
        }
        written.push(Instr::Halt);
        spans.push(value.span.clone());
        // The expression may look up lists and keys of the program so far.
        let saved = (
            std::mem::replace(&mut self.emitter.program.instrs, written),
            std::mem::replace(&mut self.emitter.program.spans, spans),
        );
        let result = self.emitter.program.evaluate(&[], num.1);
        (self.emitter.program.instrs, self.emitter.program.spans) = saved;
        self.emitter.reset_except_instructions();
        result.map(|result| num.0.unwrap_or(result))
    }
}

/// List of a contest, with its possible lengths if they are unknown.
pub(super) type ContestList<'f> = (&'f Arc<[ContestValue]>, Option<(i64, i64)>);

/// Returns a contest value as a list.
pub(super) fn items_if_contest_list(fixed: &ContestValue) -> Option<ContestList<'_>> {
    match fixed {
        ContestValue::List(items, len) => Some((items, *len)),
        ContestValue::Maybe(inner) => items_if_contest_list(inner),
        _ => None,
    }
}

/// Concatenates lists, each padded to the longest.
pub(super) fn concatenate_padded_lists(
    lists: &[Option<ContestList<'_>>],
    width: usize,
) -> Vec<ContestValue> {
    let end = ContestValue::Absent("the list of this one is shorter".into());
    let padded = lists.iter().flat_map(|list| {
        let items = list.map_or(&[][..], |(items, _)| &items[..]);
        items.iter().chain(std::iter::repeat(&end)).take(width)
    });
    padded.cloned().collect()
}
