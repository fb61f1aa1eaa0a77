//! Report of an action: its shows, and measures of them.

use std::borrow::Cow;

use super::construct_views::Reports;
use super::lowered_value::{
    ActionOrPartScope, Binding, LoweredMeasure, LoweredShow, LoweredValue, Operand,
};
use super::name_scopes::Scopes;
use crate::diagnostics::Span;
use crate::resolve::used_names::does_report_only_carry;
use crate::syntax::ast::{
    DeclAnnotations, Expr, ExprKind, Ident, MeasureTermExpr, ShowMeasureOrCarryLine,
};
use crate::value_types::ScalarType;
use crate::vm::code::{BinOp, Instr, OutcomeRegisterOrConstant, SuspendKind};
use enfilade_model::combat::{ExactRatio, MeasureKind};

/// Largest number of shows, and of measures, of one action.
const MAX_SHOWS: usize = enfilade_model::combat::MAX_OUTCOME_COLUMNS;

impl LoweredShow<'_> {
    /// Returns the source of the value at the end of the rule.
    pub fn source_in_outcome(&self) -> OutcomeRegisterOrConstant {
        outcome_source_of(self.value)
    }

    /// Returns whether the show is a number of any range.
    pub fn is_number_not_word(&self) -> bool {
        self.kind == ScalarType::Number
    }
}

/// Measure before its evaluation, with the contest values that are bound in its part.
struct UnloweredMeasure<'g> {
    name: &'g Ident,
    figures: &'g [MeasureTermExpr],
    given: Option<&'g (Expr, String)>,
    annotations: &'g DeclAnnotations,
    bindings: Vec<(&'g str, LoweredValue)>,
}

impl<'g> Reports<'_, 'g> {
    /// Lowers the shows and then the measures, after the end of the rule.
    pub(super) fn lower_reports(&mut self, reports: &'g [ShowMeasureOrCarryLine]) {
        let mut pending = Vec::new();
        // Carried fields need bags that exist to the end: registers of other bags are reused.
        let emitter = &mut self.emitter;
        for (format, gone) in emitter.program.item_formats.iter_mut().zip(&emitter.closed_bags) {
            if *gone {
                format.name.clear();
            }
        }
        self.lower_shows_and_defer_measures(reports, &mut pending);
        let shown = self.scopes.reports.iter().filter(|shown| !shown.keep);
        self.emitter.program.shows = shown.map(|shown| outcome_source_of(shown.value)).collect();
        let span = 0..0;
        self.emitter.push_instr(Instr::End, &span);
        self.emitter.mark = self.emitter.top;
        self.lower_measures(pending);
        self.emitter.push_instr(Instr::Halt, &span);
        self.emit_suspend(SuspendKind::End, 0, &span);
        // The end is a separate suspend point, and nothing continues from it.
        self.emitter.program.instrs.pop();
        self.emitter.program.spans.pop();
    }

    /// Lowers the shows in their order and collects the measures, which need all of them.
    fn lower_shows_and_defer_measures(
        &mut self,
        reports: &'g [ShowMeasureOrCarryLine],
        pending: &mut Vec<UnloweredMeasure<'g>>,
    ) {
        for report in reports {
            match report {
                ShowMeasureOrCarryLine::Show { name, value, when, said: annotations, keep } => {
                    self.lower_show_line(name, value.as_ref(), when.as_ref(), annotations, *keep)
                }
                ShowMeasureOrCarryLine::Measure { name, figures, given, said: annotations } => {
                    let bindings = self.scopes.contest_values_in_scope();
                    let given = given.as_ref();
                    let measure = UnloweredMeasure { name, figures, given, annotations, bindings };
                    pending.push(measure);
                }
                ShowMeasureOrCarryLine::Carry { place, value, highest }
                    if self.scopes.compiles_carried_fields() =>
                {
                    self.lower_carry_statement(place, value, *highest);
                }
                ShowMeasureOrCarryLine::Carry { .. } => {}
                ShowMeasureOrCarryLine::Call(_)
                    if !self.scopes.compiles_carried_fields()
                        && does_report_only_carry(self.scopes.game, report) => {}
                ShowMeasureOrCarryLine::Call(call) => self.lower_reporting_part(call, pending),
            }
        }
    }

    /// Lowers `show name = value when c`.
    fn lower_show_line(
        &mut self,
        name: &'g Ident,
        value: Option<&'g Expr>,
        when: Option<&'g Expr>,
        annotations: &'g DeclAnnotations,
        keep: bool,
    ) {
        let span = &name.span;
        if when.is_some_and(|when| !self.is_show_enabled(when)) {
            return;
        }
        if self.scopes.reports.iter().any(|shown| shown.name.text == name.text) {
            let problem = format!("`{}` is shown already", name.text);
            self.emitter.report_or_emit_fault(span, problem, "give it another name");
            return;
        }
        let mut value = self.lower_shown_value(name, value);
        let kind = value.range.kind;
        self.check_word_columns(name, kind, keep);
        // A shown value is copied so that it is still valid at the end of the rule.
        if value.as_constant().is_none() {
            let at = self.emitter.allocate_register(span);
            self.emitter.emit_checked_store(at, value, span);
            value.reg = at;
        }
        self.scopes.reports.push(LoweredShow { name, kind, annotations, keep, value });
        if self.scopes.reports.len() > MAX_SHOWS {
            self.emitter.report_or_emit_fault(
                span,
                format!("an action has at most {MAX_SHOWS} `show` lines"),
                "",
            );
        }
    }

    /// Returns whether a show is enabled in this contest.
    fn is_show_enabled(&mut self, when: &'g Expr) -> bool {
        let condition = self.lower_to_operand(when, Some(ScalarType::YesNo));
        let condition = self.check_type(condition, ScalarType::YesNo, &when.span);
        self.emitter.parameters.note_value_is_needed(condition);
        if condition.as_constant().is_none() && !self.is_checking() {
            let help = "`when` of a `show` must not depend on a roll";
            self.emitter.report_or_emit_fault(&when.span, "use fields only", help);
        }
        self.is_checking() || condition.as_constant() != Some(0)
    }

    /// Lowers a shown value: the explicit one, or the variable of that name.
    fn lower_shown_value(&mut self, name: &'g Ident, value: Option<&'g Expr>) -> Operand {
        let (text, span) = (&name.text, &name.span);
        if let Some(value) = value {
            self.report_dice_in_expr(value, "show");
            return self.lower_to_operand(value, None);
        }
        if let Some(bind) = self.scopes.find_rule_name(text).cloned() {
            let value = self.expressions().current_binding_value(bind);
            return self.value_as_operand(value, span);
        }
        if self.scopes.is_out_of_scope(text) {
            return self.report_unknown_name(text, span);
        }
        let help = self.scopes.suggest_similar_or(text, || format!("`show {text} = …`"));
        let fault =
            self.emitter.report_or_emit_fault(span, format!("there is no variable `{text}`"), help);
        self.emitter.faults.suppress([text.clone()]);
        fault
    }

    /// Checks the columns of a word such as `state_pinned`, one for each word of its list: no other
    /// show may have such a name.
    fn check_word_columns(&mut self, name: &Ident, kind: ScalarType, keep: bool) {
        let own = self.scopes.result_columns_of_show(&name.text, kind);
        let shown = self.scopes.reports.iter().filter(|shown| !shown.keep && !keep);
        let columns = shown.flat_map(|shown| {
            let theirs =
                self.scopes.result_columns_of_show(&shown.name.text, shown.kind).into_iter();
            theirs.map(|column| (column, shown.name.text.clone()))
        });
        let columns = columns.into_iter().find(|(column, _)| own.contains(column));
        if let Some((column, of)) = columns {
            let problem = format!("`{}` and `{of}` both have a column `{column}`", name.text);
            self.emitter.report_or_emit_fault(&name.span, problem, "give it another name");
        }
    }

    /// Lowers the shows of a part, in the scope of the part.
    fn lower_reporting_part(&mut self, call: &'g Expr, pending: &mut Vec<UnloweredMeasure<'g>>) {
        let ExprKind::Call(name, arguments) = &call.kind else { return };
        let Some((at, part)) =
            self.scopes.find_part_by_name(&name.text).filter(|(_, part)| !part.shows.is_empty())
        else {
            let problem = format!("there is no part `{}` that shows something", name.text);
            self.emitter.report_or_emit_fault(&name.span, problem, "");
            return;
        };
        if self.scopes.calls.contains(&at) {
            self.emitter.report_or_emit_fault(
                &call.span,
                format!("`{}` calls itself", name.text),
                "",
            );
            return;
        }
        let Some(frame) = self.bind_report_parameters(part, arguments, &call.span) else { return };
        self.scopes.calls.push(at);
        self.scopes.frames.push(frame);
        let top = self.emitter.top;
        let mark = std::mem::replace(&mut self.emitter.mark, top);
        part.body.iter().for_each(|line| self.lower_line_and_free_registers(line));
        self.lower_shows_and_defer_measures(&part.shows, pending);
        self.emitter.mark = mark;
        self.scopes.frames.pop();
        self.scopes.calls.pop();
    }

    /// Binds the parameters of a reporting part by name.
    fn bind_report_parameters(
        &mut self,
        part: &'g crate::syntax::ast::PartDecl,
        arguments: &'g [(Expr, Option<Expr>)],
        span: &Span,
    ) -> Option<ActionOrPartScope<'g>> {
        if part.params.len() != arguments.len() {
            let (wanted, given) = (part.params.len(), arguments.len());
            self.emitter.report_or_emit_fault(
                span,
                format!("this part takes {wanted} values, not {given}"),
                "",
            );
            return None;
        }
        let given = part.params.iter().zip(arguments);
        let given = given.map(|((param, _), (argument, _))| {
            (param.text.as_str(), self.lower_value(argument, None))
        });
        Some(ActionOrPartScope::from_values(given))
    }

    /// Lowers the collected measures.
    fn lower_measures(&mut self, pending: Vec<UnloweredMeasure<'g>>) {
        if pending.is_empty() {
            self.add_default_measures();
        }
        for UnloweredMeasure { name, figures, given, annotations, bindings: known } in pending {
            if self.scopes.measures.iter().any(|known| known.name.text == name.text) {
                let problem = format!("`{}` is measured already", name.text);
                self.emitter.report_or_emit_fault(&name.span, problem, "give it another name");
                continue;
            }
            let shown = self.scopes.reports.iter();
            let shown =
                shown.map(|shown| (shown.name.text.as_str(), LoweredValue::Operand(shown.value)));
            let ends = self.ends_keyword_binding_if_free();
            let mut frame =
                ActionOrPartScope::from_values(ends.into_iter().chain(known).chain(shown));
            let locals = self.scopes.frames.iter().flat_map(|frame| &frame.locals);
            frame.hidden_names = locals.map(|local| local.name).collect();
            // Own fields of the action are in scope.
            let frames = std::mem::replace(&mut self.scopes.frames, vec![frame]);
            let (kind, scale) = self.lower_measure(name, figures, given.map(|given| &given.0));
            self.scopes.frames = frames;
            let (name, said) = (Cow::Borrowed(name), Cow::Borrowed(annotations));
            let condition = given.map_or(String::new(), |(_, text)| text.clone());
            self.scopes.measures.push(LoweredMeasure {
                name,
                kind,
                scale,
                condition,
                annotations: said,
            });
        }
        self.check_measure_count();
    }

    /// Reports more measures than results have columns for.
    fn check_measure_count(&mut self) {
        if let Some(last) = self.scopes.measures.iter().skip(MAX_SHOWS).next_back() {
            let span = last.name.span.clone();
            self.emitter.report_or_emit_fault(
                &span,
                format!("an action has at most {MAX_SHOWS} measures"),
                "",
            );
        }
    }

    /// Adds the measures of an action without any: the chance of each word with the first of its
    /// list last, the chance of a yes, and the mean of a number.
    fn add_default_measures(&mut self) {
        let shown = self.scopes.reports.iter().filter(|shown| !shown.keep);
        let shown: Vec<_> =
            shown.map(|shown| (shown.name, shown.annotations, shown.value)).collect();
        for (name, text, value) in shown {
            let (sign, kind) = match value.range.kind {
                ScalarType::Word(list) => {
                    self.add_chances_of_words(list, name, text, value);
                    continue;
                }
                ScalarType::YesNo => ("p", MeasureKind::Event),
                _ => ("e", MeasureKind::Mean),
            };
            let called = format!("{sign}_{}", name.text);
            self.add_default_measure(called, name, text.clone(), kind, value);
        }
    }

    /// Adds the chance of each word of a list, labelled by the words alone if no other show has
    /// this list.
    fn add_chances_of_words(
        &mut self,
        list: u16,
        name: &Ident,
        annotations: &DeclAnnotations,
        value: Operand,
    ) {
        let kind = value.range.kind;
        let words = &self.scopes.game.words[usize::from(list)].words;
        let alike = self.scopes.reports.iter().filter(|other| other.kind == kind);
        let alone = alike.filter(|other| !other.keep).count() == 1;
        for place in (1..words.len()).chain([0]) {
            let printed = self.scopes.game.value_for_people(kind, place as i64);
            let help = format!("{}: {printed}", annotations.label_or_spaced_name(&name.text));
            let label = if alone { printed } else { help.clone() };
            let annotations = DeclAnnotations { label, help, ..DeclAnnotations::default() };
            let word = Operand::constant(kind, place as i64);
            let is = self.emitter.emit_binary(BinOp::Eq, value, word, &name.span);
            let called = format!("p_{}_{}", name.text, words[place].0);
            self.add_default_measure(called, name, annotations, MeasureKind::Event, is);
        }
    }

    /// Adds a default measure.
    fn add_default_measure(
        &mut self,
        text: String,
        of: &Ident,
        annotations: DeclAnnotations,
        kind: MeasureKind,
        num: Operand,
    ) {
        self.emitter.program.weights.push(outcome_source_of(num));
        let name = Cow::Owned(Ident { text, span: of.span.clone() });
        self.scopes.measures.push(LoweredMeasure {
            name,
            kind,
            scale: ExactRatio::ONE,
            condition: String::new(),
            annotations: Cow::Owned(annotations),
        });
    }
}

impl<'g> Scopes<'g> {
    /// Returns the names of the current part that are bound to contest values.
    fn contest_values_in_scope(&self) -> Vec<(&'g str, LoweredValue)> {
        let locals = self.frames.last().into_iter().flat_map(|frame| &frame.locals);
        let fixed = locals.filter_map(|local| match &local.bind {
            Binding::Value(LoweredValue::Operand(num)) if num.as_constant().is_none() => None,
            Binding::Value(value @ (LoweredValue::Contest(_) | LoweredValue::Operand(_))) => {
                Some((local.name, value.clone()))
            }
            _ => None,
        });
        fixed.collect()
    }

    /// Returns the result columns of a show.
    fn result_columns_of_show(&self, name: &str, kind: ScalarType) -> Vec<String> {
        let ScalarType::Word(list) = kind else { return vec![name.to_owned()] };
        let words = &self.game.words[usize::from(list)].words;
        words.iter().map(|(word, _)| format!("{name}_{word}")).collect()
    }
}

/// Returns the source of a value at the end of the rule.
pub(super) fn outcome_source_of(num: Operand) -> OutcomeRegisterOrConstant {
    match num.as_constant() {
        Some(known) => OutcomeRegisterOrConstant::Constant(known as i32),
        None => OutcomeRegisterOrConstant::Register(num.reg),
    }
}
