//! Lowering of a rule to code, line by line, from the meaning of its names and the known ranges.

use super::emitter::{Emitter, LowerMode};
use super::lowered_value::{ActionOrPartScope, Assignable, Binding, LoweredValue};
use super::name_scopes::Scopes;
use crate::diagnostics::Span;
use crate::optimize::OptimizationFlags;
use crate::resolve::game::ResolvedRulebook;
use crate::syntax::ast::{Expr, Ident, ShowMeasureOrCarryLine, Stmt};
use crate::value_types::{ContestValue, ScalarType};
use crate::vm::code::{Program, Reg, SuspendKind};

/// Rule that is being lowered: its scopes, and its code so far.
pub struct Lowering<'g> {
    /// Meaning of the names.
    pub scopes: Scopes<'g>,
    /// Code.
    pub emitter: Emitter,
}

impl<'g> Lowering<'g> {
    /// Creates a lowering before the first line.
    pub fn new(
        game: &'g ResolvedRulebook,
        why: LowerMode,
        thrift: OptimizationFlags,
    ) -> Lowering<'g> {
        Lowering { scopes: Scopes::new(game, why, thrift), emitter: Emitter::new(why, thrift) }
    }

    /// Lowers the rule of an action and its report.
    pub fn lower_action(&mut self, body: &'g [Stmt], shows: &'g [ShowMeasureOrCarryLine]) {
        self.lower_lines(body);
        let end = self.emitter.end.take().unwrap_or_default();
        self.emitter.place_jump_target(end);
        let late = std::mem::take(&mut self.scopes.late);
        self.scopes.innermost_scope().locals.retain(|local| !late.contains(&local.name));
        self.scopes.late = late;
        self.reporting().lower_reports(shows);
    }

    /// Returns whether the rule is only checked, without a contest.
    pub(super) fn is_checking(&self) -> bool {
        self.emitter.is_only_checking()
    }

    /// Lowers lines in a new block.
    pub(super) fn lower_block(&mut self, lines: &'g [Stmt]) {
        let (top, name_count) = (self.emitter.top, self.scopes.name_count_in_scope());
        self.lower_lines(lines);
        self.scopes.remove_names_of_block(name_count);
        self.emitter.release_registers(top);
    }

    /// Binds a name to a value while `go_on` runs.
    pub(super) fn with_name_bound_to(
        &mut self,
        name: &'g Ident,
        value: LoweredValue,
        go_on: impl FnOnce(&mut Lowering<'g>),
    ) {
        let (name_count, top) = (self.scopes.name_count_in_scope(), self.emitter.top);
        self.scopes.bind_name(&name.text, Binding::Value(value));
        go_on(self);
        self.scopes.remove_names_of_block(name_count);
        self.emitter.release_registers(top);
    }

    /// Lowers lines until the code is unreachable.
    pub(super) fn lower_lines(&mut self, lines: &'g [Stmt]) {
        for line in lines {
            if self.emitter.report_if_program_too_long(&line.span) || self.emitter.is_unreachable()
            {
                break;
            }
            self.lower_line_and_free_registers(line);
        }
    }

    /// Lowers an expression outside any rule. Returns its constant value, if any, and its register.
    pub fn lower_to_number_register(
        &mut self,
        value: &'g Expr,
        want: ScalarType,
    ) -> (Option<i64>, Reg) {
        let num = self.lower_to_operand(value, Some(want));
        let num = self.check_type(num, want, &value.span);
        (num.as_constant(), num.reg)
    }

    /// Returns the items of a contest's list; if they are unknown, one item that represents all.
    pub fn items_of_contest_list(&mut self, list: &'g Expr) -> Vec<ContestValue> {
        match self.lower_value(list, None) {
            LoweredValue::Contest(ContestValue::List(items, _)) => items.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Forgets the variables of a rule that has been lowered.
    pub fn forget_names_of_rule(&mut self) {
        self.scopes.frames = vec![ActionOrPartScope::default()];
        self.scopes.late.clear();
    }

    /// Takes the code that was written outside any rule, and removes its bags.
    pub fn take_program_outside_rules(&mut self) -> Program {
        self.emitter.reset_except_instructions();
        self.emitter.closed_bags.clear();
        self.scopes.bags.clear();
        std::mem::take(&mut self.emitter.program)
    }

    /// Reports dice where none may be rolled.
    pub fn check_no_dice(&mut self, expr: &Expr, place: &str) {
        self.report_dice_in_expr(expr, place);
    }

    /// Emits a suspend point.
    pub(super) fn emit_suspend(&mut self, stops: SuspendKind, into: Reg, span: &Span) {
        let names = match stops {
            stops if stops.decision().is_some() => self.names_of_traced_registers(),
            _ if self.emitter.mode == LowerMode::Trace => self.names_of_traced_registers(),
            _ => Vec::new(),
        };
        self.emitter.emit_suspend_point(stops, into, names, span);
    }

    /// Emits a memo point: a run that arrives with register values seen before stops here. It is
    /// worthwhile where the next die is far.
    pub(super) fn emit_memo_point(&mut self, span: &Span) {
        if self.scopes.tallies.is_empty() {
            self.emitter.emit_memo_point(span);
        }
    }

    /// Returns the names of registers.
    pub(super) fn names_of_traced_registers(&self) -> Vec<(Reg, String)> {
        let mut names = Vec::new();
        for local in self.scopes.frames.iter().flat_map(|frame| &frame.locals) {
            let name = local.name.to_owned();
            match &local.bind {
                Binding::Place(Assignable::Variable(reg, _) | Assignable::Cell(reg, _)) => {
                    names.push((*reg, name))
                }
                Binding::Place(Assignable::List(list)) => {
                    let places = (list.base..list.base + list.len).zip(1..);
                    names.extend(places.map(|(reg, at)| (reg, format!("{name}[{at}]"))));
                }
                Binding::Place(Assignable::Throw(counts)) => {
                    let symbols = &self.scopes.symbol_sets[usize::from(counts.set)];
                    let symbols = (counts.list.base..).zip(symbols);
                    names.extend(symbols.map(|(reg, symbol)| (reg, format!("{name}.{symbol}"))));
                }
                Binding::Value(LoweredValue::Bag(bag)) => {
                    names.push((self.emitter.program.bags[usize::from(*bag)].base, name));
                }
                Binding::Value(LoweredValue::Operand(num)) if num.as_constant().is_none() => {
                    names.push((num.reg, name))
                }
                _ => {}
            }
        }
        names
    }
}
