//! Fields of bag items, constant and changing ones.

use std::sync::Arc;

use super::construct_views::Bags;
use super::emitter::Emitter;
use super::lowered_value::{
    Assignable, Binding, ChangingItemField, LoweredBag, LoweredValue, Operand,
};
use super::name_scopes::Scopes;
use crate::diagnostics::{Span, did_you_mean};
use crate::syntax::ast::Ident;
use crate::value_types::{ContestValue, RecordValue, ScalarType, ValueRange};
use crate::vm::code::{BagItemField, Instr};
use crate::vm::trace_marks::{
    TextOrRegisterValue, TraceEvent, TraceEventInCode, TracedBagField, TracedBagFormat,
};
use enfilade_model::form::ROW_NAME;

impl<'g> Bags<'_, 'g> {
    /// Loads a changing field of an item.
    pub(super) fn lower_item_field(&mut self, digit: u16, cursor: u8, span: &Span) -> Operand {
        let kind = self.scopes.type_of_digit(digit);
        self.emitter.load_item_field(digit, kind, cursor, span)
    }

    /// Stores a new value in a changing field of an item.
    pub(super) fn store_item_field(&mut self, digit: u16, cursor: u8, num: Operand, span: &Span) {
        let Some((bag_item, name)) = self.scopes.bags.iter().find_map(|bag| {
            let field = bag.fields.iter().find(|field| field.digit == digit)?;
            Some((bag.created_at, field.name))
        }) else {
            return;
        };
        if self.is_checking() && num.range.kind != ScalarType::Any {
            self.scopes.widen_field_range(bag_item, name, (num.range.lo, num.range.hi));
        }
        let source = self.emitter.register_containing_operand(num, span);
        self.emitter.push_instr(Instr::Put(digit, cursor, source), span);
    }

    /// Lowers `u.x` for an item.
    pub(super) fn lower_item_column(
        &mut self,
        bag: u8,
        cursor: u8,
        column: &'g Ident,
        span: &Span,
    ) -> LoweredValue {
        if let Some(digit) = self.scopes.find_field_digit(bag, &column.text) {
            return LoweredValue::Operand(self.lower_item_field(digit, cursor, span));
        }
        let of = &self.scopes.bags[usize::from(bag)];
        let (rows, row) = (of.rows.clone(), of.row);
        if rows.is_empty() {
            let column_names: Vec<&str> = of.fields.iter().map(|field| field.name).collect();
            let help = did_you_mean(&column.text, column_names);
            let problem = format!("the items of this bag have no `{}`", column.text);
            return LoweredValue::Operand(self.emitter.report_or_emit_fault(
                &column.span,
                problem,
                help,
            ));
        }
        let place = self.emitter.load_item_row(row, cursor, rows.len(), span);
        self.expressions().lower_column_of_alternatives(&rows, place, column)
    }

    /// Lowers a test whether the contest gives a column of an item.
    pub(super) fn lower_item_given_test(
        &mut self,
        bag: u8,
        cursor: u8,
        column: &Ident,
        span: &Span,
    ) -> Operand {
        let of = &self.scopes.bags[usize::from(bag)];
        let (rows, row) = (of.rows.clone(), of.row);
        if rows.is_empty() {
            let problem = format!("the items of this bag have no `{}`", column.text);
            return self.emitter.report_or_emit_fault(&column.span, problem, "");
        }
        let place = self.emitter.load_item_row(row, cursor, rows.len(), span);
        self.expressions().lower_given_of_each(&rows, place, column, span)
    }

    /// Returns the value of an item's field as a piece of a sentence.
    pub(super) fn item_field_text_piece(
        &mut self,
        bag: u8,
        cursor: u8,
        name: &str,
        span: &Span,
    ) -> TextOrRegisterValue {
        if let Some(digit) = self.scopes.find_field_digit(bag, name) {
            let num = self.lower_item_field(digit, cursor, span);
            return self.scopes.text_piece_of_number(num);
        }
        let (rows, row) = {
            let of = &self.scopes.bags[usize::from(bag)];
            (of.rows.clone(), of.row)
        };
        let texts = self.scopes.item_texts_by_row(bag, name);
        match texts.split_first() {
            Some((first, rest)) if rest.iter().any(|other| other != first) => {
                TextOrRegisterValue::One(
                    self.emitter.load_item_row(row, cursor, rows.len(), span).reg,
                    texts,
                )
            }
            first => {
                TextOrRegisterValue::Text(first.map(|(first, _)| first.clone()).unwrap_or_default())
            }
        }
    }

    /// Traces which item was picked, if items have names or differ.
    pub(super) fn trace_picked_item(&mut self, bag: u8, cursor: u8, name: &Ident) {
        if self.emitter.mode != super::LowerMode::Trace {
            return;
        }
        let LoweredBag { rows, fields, row, .. } = &self.scopes.bags[usize::from(bag)];
        let (rows, row, labels) =
            (rows.len(), *row, self.scopes.distinct_item_labels(rows, fields));
        if labels.iter().all(String::is_empty) {
            return;
        }
        let top = self.emitter.top;
        let piece = match labels.as_slice() {
            [one] => TextOrRegisterValue::Text(one.clone()),
            _ => TextOrRegisterValue::One(
                self.emitter.load_item_row(row, cursor, rows, &name.span).reg,
                labels,
            ),
        };
        self.emitter
            .emit_trace_mark(TraceEventInCode::new(&name.span, TraceEvent::Cell(piece, None)));
        self.emitter.release_registers(top);
    }

    /// Sets how the items of a bag are traced from here on, without the fields in `hidden`.
    pub(super) fn set_traced_item_format(&mut self, name: &str, hidden: &[String], span: &Span) {
        let Some(&Binding::Value(LoweredValue::Bag(bag))) = self.scopes.find_rule_name(name) else {
            return;
        };
        if self.emitter.mode != super::LowerMode::Trace {
            return;
        }
        let LoweredBag { rows, fields, row, .. } = &self.scopes.bags[usize::from(bag)];
        let is_kept = |field: &&ChangingItemField| hidden.iter().any(|kept| kept == field.name);
        let (quiet, heard): (Vec<_>, Vec<_>) = fields.iter().partition(is_kept);
        let formats = heard.into_iter().rev().map(|field| TracedBagField {
            name: field.name.replace('_', " "),
            digit: field.digit,
            kind: field.kind,
            always: self.scopes.may_have_record_field(rows, field.name),
        });
        let format = TracedBagFormat {
            name: name.replace('_', " "),
            row: *row,
            rows: self.scopes.distinct_item_labels(rows, fields),
            fields: formats.collect(),
            hidden_digits: quiet.into_iter().map(|field| field.digit).collect(),
        };
        // Bags without names in the trace have an entry too, so that the index is the number of the
        // bag.
        let place = usize::from(bag);
        self.emitter.program.item_formats.resize_with(place + 1, TracedBagFormat::default);
        self.emitter.program.item_formats[place] = format;
        self.emitter.emit_trace_mark(TraceEventInCode::new(span, TraceEvent::BagCreated(bag)));
    }

    /// Resolves a field of an item to an assignable target.
    pub(super) fn resolve_assignable_item_field(
        &mut self,
        bag: u8,
        cursor: u8,
        column: &'g Ident,
    ) -> Option<Assignable> {
        if let Some(digit) = self.scopes.find_field_digit(bag, &column.text) {
            return Some(Assignable::BagField(digit, cursor));
        }
        let field_names: Vec<&str> =
            self.scopes.bags[usize::from(bag)].fields.iter().map(|field| field.name).collect();
        let help = match did_you_mean(&column.text, field_names) {
            help if help.is_empty() => {
                format!("`bag of … with {} = …` lets it change", column.text)
            }
            help => help,
        };
        let problem = format!("the items of this bag have no changing value `{}`", column.text);
        self.emitter.report_or_emit_fault(&column.span, problem, help);
        None
    }
}

impl<'g> Scopes<'g> {
    /// Returns the digit of a changing field of a bag's items.
    pub(super) fn find_field_digit(&self, bag: u8, name: &str) -> Option<u16> {
        let fields = &self.bags[usize::from(bag)].fields;
        let field = fields.iter().find(|field| field.name == name)?;
        Some(field.digit)
    }

    /// Returns the type of a digit.
    pub(super) fn type_of_digit(&self, digit: u16) -> ScalarType {
        let fields = self.bags.iter().flat_map(|bag| &bag.fields);
        let mut fields_of_digit = fields.filter(|field| field.digit == digit);
        fields_of_digit.next().map_or(ScalarType::Any, |field| field.kind)
    }

    /// Returns the text of a field by row: where merged rows differ in it, `rifle or mortar`.
    fn item_texts_by_row(&self, bag: u8, name: &str) -> Vec<String> {
        let LoweredBag { rows, merged, .. } = &self.bags[usize::from(bag)];
        let text_of_row = |(at, row): (usize, &ContestValue)| match merged.get(at) {
            // A row has the name that all share, or none.
            Some(alike) if name != ROW_NAME => {
                let texts = alike.iter().map(|row| self.format_value_or_member(row, name));
                let texts: Vec<String> = texts.fold(Vec::new(), |mut known, text| {
                    if !known.contains(&text) {
                        known.push(text);
                    }
                    known
                });
                texts.join(" or ")
            }
            _ => self.format_value_or_member(row, name),
        };
        rows.iter().enumerate().map(text_of_row).collect()
    }

    /// Returns a label for each row: its name in the contest, or else the constant fields in which
    /// it differs from other rows.
    fn distinct_item_labels(
        &self,
        rows: &[ContestValue],
        changing: &[ChangingItemField],
    ) -> Vec<String> {
        let records = rows.iter().filter_map(|row| match row {
            ContestValue::Record(record) => Some(record),
            _ => None,
        });
        let records: Vec<_> = records.collect();
        let Some(first) = records.first() else { return Vec::new() };
        let fields = self.game.records[first.record].fields.iter().enumerate();
        let apart: Vec<_> = fields
            .filter(|(at, field)| {
                let name = &field.name.text;
                !changing.iter().any(|known| known.name == name)
                    && self.is_field_distinguishing(&records, *at, name)
            })
            .collect();
        let described = |record: &&Arc<RecordValue>| match record.name.is_empty() {
            false => record.name.to_string(),
            true => {
                let texts = apart.iter().filter_map(|(at, field)| {
                    let label = field.annotations.label_or_spaced_name(&field.name.text);
                    self.describe_field_of_item(label, &record.fields[*at].0)
                });
                texts.collect::<Vec<_>>().join(", ")
            }
        };
        records.iter().map(described).collect()
    }

    /// Returns whether a field that the rule reads distinguishes records.
    fn is_field_distinguishing(
        &self,
        records: &[&Arc<RecordValue>],
        at: usize,
        name: &str,
    ) -> bool {
        let key = |record: &&Arc<RecordValue>| self.row_comparison_key(&record.fields[at].0);
        self.is_column_ever_read(name)
            && records.iter().any(|record| key(record) != key(&records[0]))
    }

    /// Describes one field of an item: a word or the name of a row, a number after its label, or
    /// for a yes the label alone. Returns `None` for a no.
    fn describe_field_of_item(&self, label: String, fixed: &ContestValue) -> Option<String> {
        match fixed {
            ContestValue::Row(row) => {
                Some(self.game.value_for_people(row.place.kind, row.place.lo).replace('_', " "))
            }
            ContestValue::Number(range) => match range.kind {
                ScalarType::YesNo => (range.lo != 0).then_some(label),
                ScalarType::Number | ScalarType::Any => Some(format!("{label} {}", range.lo)),
                kind => Some(self.game.value_for_people(kind, range.lo)),
            },
            _ => None,
        }
    }

    /// Returns whether the record of the items has a field. Returns true if their record is
    /// unknown.
    fn may_have_record_field(&self, rows: &[ContestValue], field: &str) -> bool {
        let Some(ContestValue::Record(record)) = rows.first() else { return true };
        self.game.records[record.record].fields.iter().any(|known| known.name.text == field)
    }
}

impl Emitter {
    /// Loads a changing field whose type is known.
    fn load_item_field(
        &mut self,
        digit: u16,
        kind: ScalarType,
        cursor: u8,
        span: &Span,
    ) -> Operand {
        let BagItemField { values, least, .. } = self.program.digits[usize::from(digit)];
        let range = ValueRange::new(kind, least, least + values - 1);
        if range.only_number().is_some() {
            return Operand { range, reg: 0 };
        }
        self.emit_into_new(range, span, |at| Instr::Get(at, digit, cursor))
    }

    /// Loads the row of an item.
    pub(super) fn load_item_row(
        &mut self,
        digit: u16,
        cursor: u8,
        rows: usize,
        span: &Span,
    ) -> Operand {
        let range = ValueRange::new(ScalarType::Number, 0, rows as i64 - 1);
        if rows == 1 {
            return Operand { range, reg: 0 };
        }
        self.emit_into_new(range, span, |at| Instr::Get(at, digit, cursor))
    }
}
