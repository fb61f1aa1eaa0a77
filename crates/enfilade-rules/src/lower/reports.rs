//! Report of an action: its shows, and measures of them.

use std::borrow::Cow;

use super::construct_views::Reports;
use super::lowered_value::{
    Binding, LoweredValue, Operand, ReportedMeasure, ReportedValue, ScopeFrame,
};
use super::name_scopes::Scopes;
use crate::diagnostics::Span;
use crate::resolve::uses::is_only_carrying;
use crate::syntax::ast::{Annotations, Expr, ExprKind, Ident, ReportLine};
use crate::value_types::ValueType;
use crate::vm::code::{BinOp, Instr, OutcomeSource, SuspendKind};
use enfilade_model::combat::{ExactFactor, MeasureKind};

/// Largest number of shows, and of measures, of one action.
const MAX_REPORTS: usize = enfilade_model::combat::MAX_COLUMNS;

impl ReportedValue<'_> {
    /// Returns the source of the value at the end of the rule.
    pub fn outcome_source(&self) -> OutcomeSource {
        outcome_source(self.value)
    }

    /// Returns whether the show is a number of any range.
    pub fn is_unbounded_number(&self) -> bool {
        self.kind == ValueType::Number
    }
}

/// Measure before its evaluation, with the contest values that are bound in its part.
struct PendingMeasure<'g> {
    report: &'g ReportLine,
    bindings: Vec<(&'g str, LoweredValue)>,
}

impl<'g> Reports<'_, 'g> {
    /// Lowers the shows and then the measures, after the end of the rule.
    pub(super) fn lower_reports(&mut self, reports: &'g [ReportLine]) {
        let mut asked = Vec::new();
        // Carried fields need bags that exist to the end: registers of other bags are reused.
        let emitter = &mut self.emitter;
        for (things, gone) in emitter.program.item_formats.iter_mut().zip(&emitter.closed_bags) {
            if *gone {
                things.name.clear();
            }
        }
        self.lower_shows(reports, &mut asked);
        let shown = self.scopes.reports.iter().filter(|shown| !shown.keep);
        self.emitter.program.shows = shown.map(|shown| outcome_source(shown.value)).collect();
        let span = 0..0;
        self.emitter.emit(Instr::End, &span);
        self.emitter.mark = self.emitter.top;
        self.lower_measures(asked);
        self.emitter.emit(Instr::Halt, &span);
        self.emit_suspend(SuspendKind::End, 0, &span);
        // The end is a separate suspend point, and nothing continues from it.
        self.emitter.program.instrs.pop();
        self.emitter.program.spans.pop();
    }

    /// Lowers the shows in their order and collects the measures, which need all of them.
    fn lower_shows(&mut self, reports: &'g [ReportLine], asked: &mut Vec<PendingMeasure<'g>>) {
        for report in reports {
            match report {
                ReportLine::Show { name, value, when, said, keep } => {
                    self.lower_show(name, value.as_ref(), when.as_ref(), said, *keep)
                }
                ReportLine::Measure { .. } => {
                    let known = self.scopes.contest_bindings();
                    asked.push(PendingMeasure { report, bindings: known });
                }
                ReportLine::Carry { place, value, highest } if self.scopes.is_carrying() => {
                    self.lower_carry(place, value, *highest);
                }
                ReportLine::Carry { .. } => {}
                ReportLine::Call(_)
                    if !self.scopes.is_carrying() && is_only_carrying(self.scopes.game, report) => {
                }
                ReportLine::Call(call) => self.lower_reporting_part(call, asked),
            }
        }
    }

    /// Lowers `show name = value when c`.
    fn lower_show(
        &mut self,
        name: &'g Ident,
        value: Option<&'g Expr>,
        when: Option<&'g Expr>,
        said: &'g Annotations,
        keep: bool,
    ) {
        let span = &name.span;
        if when.is_some_and(|when| !self.is_show_enabled(when)) {
            return;
        }
        if self.scopes.reports.iter().any(|shown| shown.name.text == name.text) {
            let problem = format!("`{}` is shown already", name.text);
            self.emitter.report_fault(span, problem, "give it another name");
            return;
        }
        let mut value = self.lower_shown_value(name, value);
        let kind = value.range.kind;
        self.check_word_columns(name, kind, keep);
        // A shown value is copied so that it is still valid at the end of the rule.
        if value.as_constant().is_none() {
            let at = self.emitter.allocate_register(span);
            self.emitter.emit_store(at, value, span);
            value.reg = at;
        }
        self.scopes.reports.push(ReportedValue { name, kind, annotations: said, keep, value });
        if self.scopes.reports.len() > MAX_REPORTS {
            self.emitter.report_fault(
                span,
                format!("an action has at most {MAX_REPORTS} `show` lines"),
                "",
            );
        }
    }

    /// Returns whether a show is enabled in this contest.
    fn is_show_enabled(&mut self, when: &'g Expr) -> bool {
        let asked = self.lower_number(when, Some(ValueType::YesNo));
        let asked = self.check_type(asked, ValueType::YesNo, &when.span);
        self.emitter.parameters.require_constant(asked);
        if asked.as_constant().is_none() && !self.is_checking() {
            let help = "`when` of a `show` must not depend on a roll";
            self.emitter.report_fault(&when.span, "use fields only", help);
        }
        self.is_checking() || asked.as_constant() != Some(0)
    }

    /// Lowers a shown value: the explicit one, or the variable of that name.
    fn lower_shown_value(&mut self, name: &'g Ident, value: Option<&'g Expr>) -> Operand {
        let (text, span) = (&name.text, &name.span);
        if let Some(value) = value {
            self.report_forbidden_dice(value, "show");
            return self.lower_number(value, None);
        }
        if let Some(bind) = self.scopes.find_local(text).cloned() {
            let value = self.expressions().binding_value(bind);
            return self.value_as_operand(value, span);
        }
        if self.scopes.is_gone(text) {
            return self.report_unknown_name(text, span);
        }
        let help = self.scopes.suggest_or(text, || format!("`show {text} = …`"));
        let found = self.emitter.report_fault(span, format!("there is no variable `{text}`"), help);
        self.emitter.faults.suppress([text.clone()]);
        found
    }

    /// Checks the columns of a word such as `state_pinned`, one for each word of its list: no other
    /// show may have such a name.
    fn check_word_columns(&mut self, name: &Ident, kind: ValueType, keep: bool) {
        let own = self.scopes.column_names(&name.text, kind);
        let shown = self.scopes.reports.iter().filter(|shown| !shown.keep && !keep);
        let taken = shown.flat_map(|shown| {
            let theirs = self.scopes.column_names(&shown.name.text, shown.kind).into_iter();
            theirs.map(|column| (column, shown.name.text.clone()))
        });
        let taken = taken.into_iter().find(|(column, _)| own.contains(column));
        if let Some((column, of)) = taken {
            let problem = format!("`{}` and `{of}` both have a column `{column}`", name.text);
            self.emitter.report_fault(&name.span, problem, "give it another name");
        }
    }

    /// Lowers the shows of a part, in the scope of the part.
    fn lower_reporting_part(&mut self, call: &'g Expr, asked: &mut Vec<PendingMeasure<'g>>) {
        let ExprKind::Call(name, arguments) = &call.kind else { return };
        let Some((at, part)) =
            self.scopes.find_part(&name.text).filter(|(_, part)| !part.shows.is_empty())
        else {
            let problem = format!("there is no part `{}` that shows something", name.text);
            self.emitter.report_fault(&name.span, problem, "");
            return;
        };
        if self.scopes.calls.contains(&at) {
            self.emitter.report_fault(&call.span, format!("`{}` calls itself", name.text), "");
            return;
        }
        let Some(frame) = self.bind_by_name(part, arguments, &call.span) else { return };
        self.scopes.calls.push(at);
        self.scopes.frames.push(frame);
        let top = self.emitter.top;
        let mark = std::mem::replace(&mut self.emitter.mark, top);
        part.body.iter().for_each(|line| self.lower_stmt(line));
        self.lower_shows(&part.shows, asked);
        self.emitter.mark = mark;
        self.scopes.frames.pop();
        self.scopes.calls.pop();
    }

    /// Binds the parameters of a reporting part by name.
    fn bind_by_name(
        &mut self,
        part: &'g crate::syntax::ast::PartDecl,
        arguments: &'g [(Expr, Option<Expr>)],
        span: &Span,
    ) -> Option<ScopeFrame<'g>> {
        if part.params.len() != arguments.len() {
            let (wanted, given) = (part.params.len(), arguments.len());
            self.emitter.report_fault(
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
        Some(ScopeFrame::from_values(given))
    }

    /// Lowers the collected measures.
    fn lower_measures(&mut self, asked: Vec<PendingMeasure<'g>>) {
        if asked.is_empty() {
            self.add_default_measures();
        }
        for PendingMeasure { report, bindings: known } in asked {
            let ReportLine::Measure { name, figures, given, said } = report else { continue };
            if self.scopes.measures.iter().any(|known| known.name.text == name.text) {
                let problem = format!("`{}` is measured already", name.text);
                self.emitter.report_fault(&name.span, problem, "give it another name");
                continue;
            }
            let shown = self.scopes.reports.iter();
            let shown =
                shown.map(|shown| (shown.name.text.as_str(), LoweredValue::Operand(shown.value)));
            let ends = self.ends_word();
            let mut frame = ScopeFrame::from_values(ends.into_iter().chain(known).chain(shown));
            let locals = self.scopes.frames.iter().flat_map(|frame| &frame.locals);
            frame.hidden_names = locals.map(|local| local.name).collect();
            // Own fields of the action are in scope.
            let frames = std::mem::replace(&mut self.scopes.frames, vec![frame]);
            let (kind, scale) =
                self.lower_measure(name, figures, given.as_ref().map(|given| &given.0));
            self.scopes.frames = frames;
            let (name, said) = (Cow::Borrowed(name), Cow::Borrowed(said));
            let condition = given.as_ref().map_or(String::new(), |(_, text)| text.clone());
            self.scopes.measures.push(ReportedMeasure {
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
        if self.scopes.measures.len() > MAX_REPORTS
            && let Some(last) = self.scopes.measures.last()
        {
            let span = last.name.span.clone();
            self.emitter.report_fault(
                &span,
                format!("an action has at most {MAX_REPORTS} measures"),
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
        for (name, said, value) in shown {
            let (sign, kind) = match value.range.kind {
                ValueType::Word(list) => {
                    self.add_word_chances(list, name, said, value);
                    continue;
                }
                ValueType::YesNo => ("p", MeasureKind::Event),
                _ => ("e", MeasureKind::Mean),
            };
            let called = format!("{sign}_{}", name.text);
            self.add_default_measure(called, name, said.clone(), kind, value);
        }
    }

    /// Adds the chance of each word of a list, labelled by the words alone if no other show has
    /// this list.
    fn add_word_chances(&mut self, list: u16, name: &Ident, said: &Annotations, value: Operand) {
        let kind = value.range.kind;
        let words = &self.scopes.game.words[usize::from(list)].words;
        let alike = self.scopes.reports.iter().filter(|other| other.kind == kind);
        let alone = alike.filter(|other| !other.keep).count() == 1;
        for place in (1..words.len()).chain([0]) {
            let printed = self.scopes.game.format_value(kind, place as i64);
            let help = format!("{}: {printed}", said.label_or(&name.text));
            let label = if alone { printed } else { help.clone() };
            let said = Annotations { label, help, ..Annotations::default() };
            let word = Operand::constant(kind, place as i64);
            let is = self.emitter.emit_binary(BinOp::Eq, value, word, &name.span);
            let called = format!("p_{}_{}", name.text, words[place].0);
            self.add_default_measure(called, name, said, MeasureKind::Event, is);
        }
    }

    /// Adds a default measure.
    fn add_default_measure(
        &mut self,
        text: String,
        of: &Ident,
        said: Annotations,
        kind: MeasureKind,
        num: Operand,
    ) {
        self.emitter.program.weights.push(outcome_source(num));
        let name = Cow::Owned(Ident { text, span: of.span.clone() });
        self.scopes.measures.push(ReportedMeasure {
            name,
            kind,
            scale: ExactFactor::ONE,
            condition: String::new(),
            annotations: Cow::Owned(said),
        });
    }
}

impl<'g> Scopes<'g> {
    /// Returns the names of the current part that are bound to contest values.
    fn contest_bindings(&self) -> Vec<(&'g str, LoweredValue)> {
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
    fn column_names(&self, name: &str, kind: ValueType) -> Vec<String> {
        let ValueType::Word(list) = kind else { return vec![name.to_owned()] };
        let words = &self.game.words[usize::from(list)].words;
        words.iter().map(|(word, _)| format!("{name}_{word}")).collect()
    }
}

/// Returns the source of a value at the end of the rule.
pub(super) fn outcome_source(num: Operand) -> OutcomeSource {
    match num.as_constant() {
        Some(known) => OutcomeSource::Constant(known as i32),
        None => OutcomeSource::Register(num.reg),
    }
}
