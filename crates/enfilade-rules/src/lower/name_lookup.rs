//! Resolution of names, columns and indexes.

use std::sync::Arc;

use super::construct_views::Expressions;
use super::contest_values::{concatenate_padded_lists, items_if_contest_list};
use super::lowered_value::{Assignable, Binding, LoweredValue, Operand};
use super::lowering::Lowering;
use super::name_scopes::FIELD_OWNERS_HELP;
use crate::diagnostics::{Span, did_you_mean};
use crate::resolve::game::TopLevelMeaning;
use crate::syntax::ast::{Expr, ExprKind, Ident};
use crate::syntax::parser::foreign_syntax::hint_for_foreign_word;
use crate::value_types::{ContestValue, ScalarType, ValueRange};
use crate::vm::code::BinOp;

impl<'g> Lowering<'g> {
    /// Reports an unknown name: it may have had a value above, or belong to another language.
    pub(super) fn report_unknown_name(&mut self, name: &str, span: &Span) -> Operand {
        if name.is_empty() {
            return self.emitter.error_operand();
        }
        if self.scopes.frames.len() == 1 && self.scopes.late.contains(&name) {
            let problem = format!("`{name}` has no value if the rule ends before it is assigned");
            return self.emitter.report_or_emit_fault(
                span,
                problem,
                "assign it before the first `end`",
            );
        }
        let frame = self.scopes.frames.last();
        if frame.is_some_and(|frame| frame.hidden_names.contains(&name)) {
            let problem = format!("measures can only use shown values, and `{name}` is not shown");
            return self.emitter.report_or_emit_fault(
                span,
                problem,
                format!("add `keep {name}` to show it to measures alone"),
            );
        }
        let frame = self.scopes.frames.last();
        if frame.is_some_and(|frame| frame.ended_names.contains(&name)) {
            let problem = format!("`{name}` has a value only inside the block above");
            return self.emitter.report_or_emit_fault(span, problem, "assign it before the block");
        }
        let locals = frame.into_iter().flat_map(|frame| &frame.locals);
        let names: Vec<&str> = locals
            .map(|local| local.name)
            .chain(self.scopes.own_fields.iter().map(|(own, ..)| *own))
            .chain(self.scopes.game.names.keys().map(String::as_str))
            .chain(self.scopes.game.word_lists.keys().map(String::as_str))
            .collect();
        let help = match hint_for_foreign_word(name) {
            "" => did_you_mean(name, names),
            here => here.to_owned(),
        };
        let fault =
            self.emitter.report_or_emit_fault(span, format!("there is no `{name}` here"), help);
        // Reported at the first occurrence only.
        self.emitter.faults.suppress([name.to_owned()]);
        fault
    }
}

impl<'g> Expressions<'_, 'g> {
    /// Resolves a name.
    pub(super) fn resolve_name(
        &mut self,
        name: &'g str,
        span: &Span,
        want: Option<ScalarType>,
    ) -> LoweredValue {
        if let Some(num) = want.and_then(|want| self.scopes.resolve_word_or_row(name, want)) {
            return LoweredValue::Operand(num);
        }
        if let Some(bind) = self.scopes.find_rule_name(name).cloned() {
            return self.current_binding_value(bind);
        }
        if let Some((fixed, _)) = self.scopes.find_own_field(name) {
            return self.field_value_unless_faulty(fixed.clone());
        }
        match self.scopes.game.names.get(name) {
            Some(TopLevelMeaning::Field(at)) => self.lower_top_level_field(*at, span),
            Some(TopLevelMeaning::Data(_)) => self.lower_data_rows(name, span),
            Some(TopLevelMeaning::Table(_)) => {
                self.report_not_a_value(span, "a table: name a key, as in `t(1)`")
            }
            Some(TopLevelMeaning::Die(_)) => {
                self.report_not_a_value(span, "a die: throw it in a separate line, `throw = 1 red`")
            }
            Some(TopLevelMeaning::Part(_)) => {
                self.report_not_a_value(span, "a part: call it, as in `check(1)`")
            }
            None => LoweredValue::Operand(self.resolve_word_of_only_list(name, span)),
        }
    }

    /// Lowers the name of a data block: the list of its rows.
    fn lower_data_rows(&mut self, name: &str, span: &Span) -> LoweredValue {
        match self.scopes.data_rows.iter().find(|(data, _)| *data == name) {
            Some((_, rows)) => LoweredValue::Contest(rows.clone()),
            None => self.report_not_a_value(span, "data: a field is `one of` its rows"),
        }
    }

    /// Resolves a word of the only list that contains it.
    fn resolve_word_of_only_list(&mut self, name: &str, span: &Span) -> Operand {
        match self.scopes.game.word_lists.get(name).map(Vec::as_slice) {
            Some([(list, place)]) => Operand::constant(ScalarType::Word(*list), *place as i64),
            Some([(first, _), (second, _), ..]) => {
                let words = &self.scopes.game.words;
                let (a, b) = (&words[usize::from(*first)].name, &words[usize::from(*second)].name);
                let problem = format!("`{name}` is a word of `{a}` and of `{b}`");
                self.emitter.report_or_emit_fault(span, problem, format!("write `{a}.{name}`"))
            }
            _ => self.report_unknown_name(name, span),
        }
    }

    /// Reports a name of something that is not a value.
    pub(super) fn report_not_a_value(&mut self, span: &Span, what: &str) -> LoweredValue {
        LoweredValue::Operand(self.emitter.report_or_emit_fault(
            span,
            format!("this is {what}"),
            "",
        ))
    }

    /// Returns the current value of a name.
    pub(super) fn current_binding_value(&mut self, bind: Binding) -> LoweredValue {
        match bind {
            Binding::Value(value) => value,
            Binding::Place(place) => self.read_assigned_target(place),
        }
    }

    /// Reads an assignable target.
    pub(super) fn read_assigned_target(&mut self, place: Assignable) -> LoweredValue {
        match place {
            Assignable::Variable(reg, kind) => {
                LoweredValue::Operand(self.emitter.variable_operand(reg, kind))
            }
            Assignable::Cell(reg, kind) => LoweredValue::Cell(
                self.emitter.variable_operand(reg, kind),
                self.emitter.variable_operand(reg + 1, ScalarType::Number),
            ),
            Assignable::List(list) => LoweredValue::List(list),
            Assignable::Throw(counts) => LoweredValue::Throw(counts),
            Assignable::ListItem(list, at) => {
                LoweredValue::Operand(self.emitter.load_list_item(list, at, &(0..0)))
            }
            Assignable::BagField(digit, cursor) => {
                LoweredValue::Operand(self.bags().lower_item_field(digit, cursor, &(0..0)))
            }
        }
    }

    /// Returns the value of a field; an error operand if the field is faulty.
    fn field_value_unless_faulty(&mut self, fixed: ContestValue) -> LoweredValue {
        match fixed {
            ContestValue::Number(range) if range.kind == ScalarType::Any && self.is_checking() => {
                LoweredValue::Operand(self.emitter.error_operand())
            }
            fixed => LoweredValue::Contest(fixed),
        }
    }

    /// Lowers a top-level field.
    pub(super) fn lower_top_level_field(&mut self, at: usize, span: &Span) -> LoweredValue {
        self.scopes.read.insert(at);
        let Some((fixed, _)) = &self.scopes.fields[at] else {
            let problem =
                format!("`{}` has no value here yet", self.scopes.game.fields[at].name.text);
            return LoweredValue::Operand(self.emitter.report_or_emit_fault(
                span,
                problem,
                "it is declared further down",
            ));
        };
        self.field_value_unless_faulty(fixed.clone())
    }

    /// Lowers `x.y`.
    pub(super) fn lower_member_access(
        &mut self,
        of: &'g Expr,
        column: &'g Ident,
        span: &Span,
    ) -> LoweredValue {
        if let ExprKind::Name(list) = &of.kind
            && self.scopes.may_be_word_list(list)
            && let Some(word) = self.scopes.find_word_in_named_list(list, &column.text)
        {
            return LoweredValue::Operand(word);
        }
        match self.lower_value(of, None) {
            LoweredValue::Contest(fixed) => {
                match self.scopes.find_field_or_column(&fixed, column) {
                    Ok(member) => self.field_value_unless_faulty(member),
                    Err((problem, help)) => LoweredValue::Operand(
                        self.emitter.report_or_emit_fault(&column.span, problem, help),
                    ),
                }
            }
            LoweredValue::Chosen(all, place) => {
                self.lower_column_of_alternatives(&all, place, column)
            }
            LoweredValue::Throw(counts) => self.lower_symbol(counts, column),
            LoweredValue::Item(bag, cursor) => {
                self.bags().lower_item_column(bag, cursor, column, span)
            }
            LoweredValue::Operand(num) if num.range.kind == ScalarType::Any => {
                LoweredValue::Operand(num)
            }
            _ => {
                let problem = format!("this has no `{}`", column.text);
                LoweredValue::Operand(self.emitter.report_or_emit_fault(
                    &column.span,
                    problem,
                    FIELD_OWNERS_HELP,
                ))
            }
        }
    }

    /// Lowers a column of one of several values.
    pub(super) fn lower_column_of_alternatives(
        &mut self,
        all: &Arc<[ContestValue]>,
        place: Operand,
        column: &'g Ident,
    ) -> LoweredValue {
        let alternatives: Result<Arc<[ContestValue]>, _> =
            all.iter().map(|fixed| self.scopes.find_field_or_column(fixed, column)).collect();
        match alternatives {
            Ok(alternatives) => LoweredValue::Chosen(alternatives, place),
            Err((problem, help)) => LoweredValue::Operand(self.emitter.report_or_emit_fault(
                &column.span,
                problem,
                help,
            )),
        }
    }

    /// Lowers `xs[e]`.
    pub(super) fn lower_element(
        &mut self,
        of: &'g Expr,
        place: &'g Expr,
        span: &Span,
    ) -> LoweredValue {
        let list = self.lower_value(of, None);
        let at = self.lower_to_whole_number(place);
        match list {
            LoweredValue::List(list) => {
                LoweredValue::Operand(self.emitter.load_list_item(list, at, span))
            }
            LoweredValue::Contest(ContestValue::List(items, len)) => {
                self.lower_contest_list_indexing(&items, len, at, span)
            }
            LoweredValue::Contest(ContestValue::Maybe(inner)) => match &*inner {
                ContestValue::List(items, len) => {
                    self.lower_contest_list_indexing(&items.clone(), *len, at, span)
                }
                _ => self.report_not_a_value(span, "no list"),
            },
            LoweredValue::Contest(ContestValue::Absent(why)) => {
                let why = why.to_string();
                LoweredValue::Operand(self.emitter.report_or_emit_fault(
                    span,
                    why,
                    "`given(…)` asks whether it is there",
                ))
            }
            LoweredValue::Chosen(all, row) => {
                self.lower_element_of_alternatives(&all, row, at, span)
            }
            LoweredValue::Bag(_) | LoweredValue::Item(..) => {
                let help = "`each u in units`, or make it a list";
                LoweredValue::Operand(self.emitter.report_or_emit_fault(
                    span,
                    "a bag has no places",
                    help,
                ))
            }
            LoweredValue::Operand(num) if num.range.kind == ScalarType::Any => {
                LoweredValue::Operand(num)
            }
            _ => self.report_not_a_value(span, "not a list, and has no places"),
        }
    }

    /// Lowers an element of one of several lists, such as the list of a bag item.
    fn lower_element_of_alternatives(
        &mut self,
        all: &Arc<[ContestValue]>,
        row: Operand,
        at: Operand,
        span: &Span,
    ) -> LoweredValue {
        let lists: Vec<_> = all.iter().map(items_if_contest_list).collect();
        let Some(width) = lists.iter().flatten().map(|(items, _)| items.len()).max() else {
            return self.report_not_a_value(span, "not a list, and has no places");
        };
        if let Some((items, Some(len))) = lists.iter().flatten().find(|(_, len)| len.is_some()) {
            return self.lower_contest_list_indexing(&Arc::clone(items), Some(*len), at, span);
        }
        // The index must not become a face test of the next lookup.
        let places: Vec<_> = (0..width as i64).map(Some).collect();
        let one = Operand::constant_whole_number(1);
        let place = self.emitter.emit_binary(BinOp::Sub, at, one, span);
        let place = match place.range.lo >= 0 && place.range.hi < width as i64 {
            true => place,
            false => self.emitter.lookup_in_constants(ScalarType::Number, &places, place, span),
        };
        let padded = concatenate_padded_lists(&lists, width);
        let begin = self.emitter.emit_binary(
            BinOp::Mul,
            row,
            Operand::constant_whole_number(width as i64),
            span,
        );
        let place = self.emitter.emit_binary(BinOp::Add, begin, place, span);
        match place.as_constant().and_then(|known| padded.get(known as usize)) {
            Some(item) => LoweredValue::Contest(item.clone()),
            None => LoweredValue::Chosen(padded.into(), place),
        }
    }

    /// Returns the length of one of several lists.
    pub(super) fn length_of_alternatives(
        &mut self,
        all: &Arc<[ContestValue]>,
        row: Operand,
        span: &Span,
    ) -> Option<Operand> {
        let lists = all.iter().map(|fixed| match fixed {
            ContestValue::Absent(_) => Some((0, None)),
            _ => items_if_contest_list(fixed).map(|(items, len)| {
                (super::loop_statements::repeat_records_by_count(items).len() as i64, len)
            }),
        });
        let lists: Vec<_> = lists.collect::<Option<_>>()?;
        if let Some((_, Some((lo, hi)))) = lists.iter().find(|(_, len)| len.is_some()) {
            return Some(
                self.emitter.unknown_operand(ValueRange::new(ScalarType::Number, *lo, *hi), span),
            );
        }
        let lengths: Vec<_> = lists.iter().map(|(length, _)| Some(*length)).collect();
        Some(self.emitter.lookup_in_constants(ScalarType::Number, &lengths, row, span))
    }

    /// Lowers an element of a contest's list.
    pub(super) fn lower_contest_list_indexing(
        &mut self,
        items: &Arc<[ContestValue]>,
        len: Option<(i64, i64)>,
        at: Operand,
        span: &Span,
    ) -> LoweredValue {
        let most = len.map_or(items.len() as i64, |(_, most)| most);
        if !self.emitter.check_index_range(at, most, span) {
            return LoweredValue::Operand(self.emitter.error_operand());
        }
        if len.is_some() {
            // The index is unknown: one item represents all.
            return match items.first() {
                Some(item) => LoweredValue::Contest(item.clone()),
                None => LoweredValue::Operand(self.emitter.error_operand()),
            };
        }
        if let Some(index) = at.as_constant() {
            return LoweredValue::Contest(items[index as usize - 1].clone());
        }
        let place =
            self.emitter.emit_binary(BinOp::Sub, at, Operand::constant_whole_number(1), span);
        LoweredValue::Chosen(items.clone(), place)
    }

    /// Lowers `given(x)`.
    pub(super) fn lower_given_test(&mut self, inner: &'g Expr) -> Operand {
        let span = &inner.span;
        let there = match &inner.kind {
            ExprKind::Name(name) if self.scopes.find_rule_name(name).is_none() => {
                self.is_field_given(name, span)
            }
            ExprKind::Member(of, column) => match self.lower_value(of, None) {
                LoweredValue::Contest(fixed) => self.is_column_given(&fixed, column),
                LoweredValue::Chosen(all, place) => {
                    return self.lower_given_of_each(&all, place, column, span);
                }
                LoweredValue::Item(bag, cursor) => {
                    return self.bags().lower_item_given_test(bag, cursor, column, span);
                }
                LoweredValue::Operand(num) if num.range.kind == ScalarType::Any => Some(None),
                _ => None,
            },
            ExprKind::Name(_) => match self.lower_value(inner, None) {
                LoweredValue::Contest(fixed) => Some(fixed.presence_if_known()),
                _ => None,
            },
            _ => None,
        };
        match there {
            Some(Some(known)) => Operand::constant(ScalarType::YesNo, known.into()),
            Some(None) => {
                self.emitter.unknown_operand(ValueRange::new(ScalarType::YesNo, 0, 1), span)
            }
            None => {
                let problem = "`given` needs a field or a column of data";
                self.emitter.report_or_emit_fault(span, problem, "")
            }
        }
    }

    /// Returns whether a contest gives a field; the outer `None` if there is no such field.
    fn is_field_given(&mut self, name: &str, span: &Span) -> Option<Option<bool>> {
        if let Some((fixed, given)) = self.scopes.find_own_field(name) {
            return Some(is_value_given(fixed, given));
        }
        if !self.scopes.game.names.contains_key(name) {
            self.report_unknown_name(name, span);
            return Some(None);
        }
        let at = self.scopes.game.index_of_top_level_field(name)?;
        self.scopes.read.insert(at);
        let (fixed, given) = self.scopes.fields[at].as_ref()?;
        Some(is_value_given(fixed, *given))
    }

    /// Returns whether a contest gives a column; the outer `None` if there is no such column.
    pub(super) fn is_column_given(
        &mut self,
        fixed: &ContestValue,
        column: &Ident,
    ) -> Option<Option<bool>> {
        match fixed {
            ContestValue::Maybe(inner) => self.is_column_given(inner, column).map(|_| None),
            ContestValue::Absent(_) => Some(Some(false)),
            ContestValue::Record(record) => {
                let fields = &self.scopes.game.records[record.record].fields;
                let at = fields.iter().position(|field| field.name.text == column.text);
                let (fixed, given) = record.fields.get(at?)?;
                Some(is_value_given(fixed, *given))
            }
            _ => match self.scopes.find_field_or_column(fixed, column) {
                Ok(found) => Some(found.presence_if_known()),
                Err((problem, help)) => {
                    self.emitter.report_or_emit_fault(&column.span, problem, help);
                    Some(Some(false))
                }
            },
        }
    }

    /// Lowers a test whether a column is given for one of several values.
    pub(super) fn lower_given_of_each(
        &mut self,
        all: &Arc<[ContestValue]>,
        place: Operand,
        column: &Ident,
        span: &Span,
    ) -> Operand {
        let mut values = Vec::new();
        for fixed in all.iter() {
            let is_given = self.is_column_given(fixed, column).flatten();
            values.push(Some(i64::from(is_given.unwrap_or(false))));
        }
        self.emitter.lookup_in_constants(ScalarType::YesNo, &values, place, span)
    }
}

/// Returns whether a contest gives a field.
pub(super) fn is_value_given(fixed: &ContestValue, is_explicit: Option<bool>) -> Option<bool> {
    match (fixed.presence_if_known(), is_explicit) {
        (Some(false), _) => Some(false),
        (_, given) => given,
    }
}
