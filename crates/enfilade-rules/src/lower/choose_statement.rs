//! Decisions of a player: the rule suspends as at a die, and a policy selects the option.

use super::construct_views::Statements;
use super::lowered_value::{
    Assignable, Binding, DecisionPoint, JumpTarget, ListInRegisters, LoweredValue, Operand,
};
use crate::diagnostics::Span;
use crate::resolve::used_names::visit_expr_and_descendants;
use crate::syntax::ast::{ChooseStmt, ChooseStmtOption, Expr, ExprKind, Ident};
use crate::value_types::{ScalarType, ValueRange};
use crate::vm::code::{BinOp, Instr, OpenOptionsSource, Reg, SuspendKind};

/// Largest number of options of a decision.
const MAX_DECISION_OPTIONS: usize = 8;

/// Largest number of numbers to choose from.
const MAX_NUMBERS: i64 = 64;

/// Bounds of a number that is chosen.
#[derive(Clone, Copy)]
struct ChosenNumberBounds {
    first: Operand,
    last: Operand,
    /// Number of the first option.
    base: i64,
    /// Number of the last option.
    top: i64,
}

impl<'g> Statements<'_, 'g> {
    /// Lowers a `choose`.
    pub(super) fn lower_choose_statement(&mut self, choose: &'g ChooseStmt, span: &Span) {
        self.check_open_by_seen(choose);
        match &choose.number {
            Some((name, from, to)) => self.lower_choose_number(choose, (name, from, to), span),
            None if choose.options.is_empty() || choose.options.len() > MAX_DECISION_OPTIONS => {
                let problem = format!("a `choose` has 1 to {MAX_DECISION_OPTIONS} options");
                self.emitter.report_or_emit_fault(span, problem, "");
            }
            None => self.lower_choose_among_options(choose, span),
        }
    }

    fn lower_choose_among_options(&mut self, choose: &'g ChooseStmt, span: &Span) {
        let texts = choose.options.iter().map(|option| option.text.clone()).collect();
        let open = self.lower_open_options(&choose.options, span);
        let into = self.suspend_for_decision(choose, texts, open, span);
        self.lower_chosen_option_bodies(&choose.options, into, span);
    }

    /// Lowers `choose n in a..b`: an option for each number that there may be.
    fn lower_choose_number(
        &mut self,
        choose: &'g ChooseStmt,
        (name, from, to): (&'g Ident, &'g Expr, &'g Expr),
        span: &Span,
    ) {
        self.check_variable_name(&name.text, &name.span);
        let Some(bounds) = self.lower_number_bounds(from, to) else { return };
        let ChosenNumberBounds { first, last, base, top } = bounds;
        let texts = (base..=top).map(|number| number.to_string()).collect();
        let known = first.as_constant().is_some() && last.as_constant() == Some(top);
        let open = (!known).then(|| OpenOptionsSource::Numbers {
            from: first.as_constant().is_none().then_some(first.reg),
            to: self.emitter.register_containing_operand(last, span),
            base,
        });
        let into = self.suspend_for_decision(choose, texts, open, span);
        let reg = self.emitter.allocate_register(span);
        self.emitter.push_instr(Instr::BinK(BinOp::Add, reg, into, (base - 1) as i32), span);
        // A range of one number would be a constant, which no register holds.
        let range = ValueRange::new(ScalarType::Number, base, top.max(base + 1));
        self.assignments().trace_variable(reg, ScalarType::Number, &name.span);
        let chosen = LoweredValue::Operand(Operand { range, reg });
        self.with_name_bound_to(name, chosen, |lowering| {
            choose.options.iter().for_each(|option| lowering.lower_block(&option.body));
        });
    }

    /// Lowers the bounds of a number; `None` after a fault.
    fn lower_number_bounds(&mut self, from: &'g Expr, to: &'g Expr) -> Option<ChosenNumberBounds> {
        let first = self.lower_to_whole_number(from);
        let last = self.lower_to_whole_number(to);
        self.check_no_dice(from, "choose");
        self.check_no_dice(to, "choose");
        self.emitter.parameters.note_shapes_code(first);
        self.emitter.parameters.note_shapes_code(last);
        let base = first.range.lo;
        if last.range.hi < base {
            let problem = format!("from {base} to {} there is nothing to choose", last.range.hi);
            self.emitter.report_or_emit_fault(&to.span, problem, "the lower number comes first");
            return None;
        }
        let top = last.range.hi.min(base + MAX_NUMBERS - 1);
        let (wide, help) = match last.as_constant() {
            _ if first.range.hi - base >= MAX_NUMBERS => {
                (Some(from), "begin with a known number, `0..`, and add the rest below")
            }
            Some(last) if last > top => (Some(to), "choose tens first, or in two steps"),
            _ => (None, ""),
        };
        if let Some(wide) = wide {
            let problem = format!("at most {MAX_NUMBERS} numbers can be chosen from");
            self.emitter.report_or_emit_fault(&wide.span, problem, help);
            return None;
        }
        Some(ChosenNumberBounds { first, last, base, top })
    }

    /// Emits the suspend point of a decision. Returns the register of the option.
    fn suspend_for_decision(
        &mut self,
        choose: &'g ChooseStmt,
        options: Vec<String>,
        open: Option<OpenOptionsSource>,
        span: &Span,
    ) -> Reg {
        let ChooseStmt { highest, goal, label, hidden, .. } = choose;
        let (decision, count) = (self.scopes.choices.len() as u8, options.len() as u8);
        self.scopes.choices.push(DecisionPoint {
            highest: *highest,
            goal: goal.clone(),
            label: label.clone(),
            options,
            hidden: hidden.iter().map(|name| name.text.clone()).collect(),
            span: span.clone(),
        });
        let hidden: Vec<Reg> =
            hidden.iter().flat_map(|name| self.registers_of_hidden_variable(name)).collect();
        // To the engines an option is one more face; only the policy knows that it was not rolled.
        let into = self.emitter.allocate_register(span);
        let choice_of = |open| SuspendKind::ChoiceOf(decision, count, open);
        let kind = open.map_or(SuspendKind::Choice(decision, count), choice_of);
        self.emit_suspend(kind, into, span);
        if let Some(site) = self.emitter.program.sites.last_mut() {
            site.hidden = hidden;
        }
        into
    }

    /// Lowers the conditions of options to the bits of the open ones; `None` if none has one.
    fn lower_open_options(
        &mut self,
        options: &'g [ChooseStmtOption],
        span: &Span,
    ) -> Option<OpenOptionsSource> {
        if options.iter().all(|option| option.when.is_none()) {
            return None;
        }
        let bit = |at: usize| 1_i32 << at;
        let always = options.iter().enumerate().filter(|(_, option)| option.when.is_none());
        let always: i32 = always.map(|(at, _)| bit(at)).sum();
        let open = self.emitter.allocate_register(span);
        self.emitter.emit_constant(open, always.into(), span);
        for (at, option) in options.iter().enumerate() {
            let Some(when) = &option.when else { continue };
            self.check_no_dice(when, "option");
            let mut closed = JumpTarget::default();
            let is_open = self.emit_jump_if_condition_is(when, false, &mut closed);
            if is_open != Some(false) && !self.emitter.is_unreachable() {
                let add = Instr::BinK(BinOp::Add, open, open, bit(at));
                self.emitter.push_instr(add, &when.span);
            }
            self.emitter.place_jump_target(closed);
        }
        Some(OpenOptionsSource::Bits(open))
    }

    /// Reports a hidden variable that decides which options are open.
    fn check_open_by_seen(&mut self, choose: &'g ChooseStmt) {
        for expr in choose.exprs() {
            let mut unseen: Option<(String, Span)> = None;
            visit_expr_and_descendants(expr, &mut |inner| {
                if let ExprKind::Name(name) = &inner.kind
                    && choose.hidden.iter().any(|hidden| hidden.text == *name)
                {
                    unseen.get_or_insert_with(|| (name.clone(), inner.span.clone()));
                }
            });
            if let Some((name, span)) = unseen {
                let problem = format!("`{name}` is hidden here and decides which options are open");
                let help = "remove it from the condition, or from `blind to`";
                self.emitter.report_or_emit_fault(&span, problem, help);
            }
        }
    }

    /// Returns the registers of a variable that a player does not see.
    fn registers_of_hidden_variable(&mut self, name: &Ident) -> Vec<Reg> {
        let list = |list: ListInRegisters| (list.base..list.base + list.len).collect();
        match self.scopes.find_rule_name(&name.text) {
            Some(Binding::Place(place)) => match *place {
                Assignable::Variable(reg, _) => vec![reg],
                Assignable::Cell(reg, _) => vec![reg, reg + 1],
                Assignable::List(of) => list(of),
                Assignable::ListItem(of, _) => list(of),
                Assignable::Throw(of) => list(of.list),
                Assignable::BagField(..) => self.report_not_hidden(name, "is part of a bag"),
            },
            Some(Binding::Value(value)) => match value {
                LoweredValue::Operand(num) | LoweredValue::Chosen(_, num) => {
                    if num.as_constant().is_some() { Vec::new() } else { vec![num.reg] }
                }
                LoweredValue::Cell(word, number) => vec![word.reg, number.reg],
                LoweredValue::List(of) => list(*of),
                LoweredValue::Throw(of) => list(of.list),
                LoweredValue::Contest(_) => self.report_not_hidden(name, "is known to everybody"),
                LoweredValue::Bag(_) | LoweredValue::Item(..) => {
                    self.report_not_hidden(name, "is part of a bag")
                }
            },
            None if self.scopes.find_own_field(&name.text).is_some()
                || self.scopes.game.names.contains_key(&name.text) =>
            {
                self.report_not_hidden(name, "is known to everybody")
            }
            None => {
                self.report_unknown_name(&name.text, &name.span);
                Vec::new()
            }
        }
    }

    fn report_not_hidden(&mut self, name: &Ident, cause: &str) -> Vec<Reg> {
        let problem =
            format!("`{}` {cause}, and `blind to` names variables of the rule", name.text);
        let help = "name numbers, words or lists that a line above has made";
        self.emitter.report_or_emit_fault(&name.span, problem, help);
        Vec::new()
    }

    /// Lowers the options, selected by their number from 1.
    fn lower_chosen_option_bodies(
        &mut self,
        options: &'g [ChooseStmtOption],
        into: Reg,
        span: &Span,
    ) {
        let mut end = JumpTarget::default();
        for (at, option) in options.iter().enumerate() {
            let mut no = JumpTarget::default();
            // The last option needs no test: a policy returns one of them.
            if at + 1 < options.len() {
                let op = Instr::UnlessCmpK(BinOp::Eq, into, at as i16 + 1, 0);
                self.emitter.emit_branch(op, &mut no, span);
            }
            self.lower_block(&option.body);
            self.emitter.emit_jump(&mut end, span);
            self.emitter.place_jump_target(no);
        }
        self.emitter.place_jump_target(end);
    }
}
