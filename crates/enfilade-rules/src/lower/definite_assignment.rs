//! Definite assignment: a name assigned on every path through a choice can be used after it.
//!
//! Each path is a block that declares the name again. A register is reserved before the first path,
//! so that all of them assign the same one. Lists, bags and printed cells are excluded: they occupy
//! several registers and must be declared before the choice.

use super::construct_views::Assignments;
use super::lowered_value::{Assignable, Binding, RegisterOfBranchVariable};
use super::lowering::Lowering;
use super::name_scopes::Scopes;
use crate::diagnostics::Span;
use crate::syntax::ast::{AssignedValue as Given, ExprKind, Stmt, StmtKind};
use crate::value_types::ScalarType;
use crate::vm::code::Reg;

impl<'g> Assignments<'_, 'g> {
    /// Lowers the paths of a choice. Returns the number of registers of the names that all paths
    /// assign.
    pub(super) fn lower_branching_statement(
        &mut self,
        line: &'g Stmt,
        span: &Span,
        go: impl FnOnce(&mut Lowering<'g>),
    ) -> usize {
        let mut names = names_assigned_by_all_branches(&line.kind).unwrap_or_default();
        names.retain(|name| self.scopes.find_rule_name(name).is_none());
        if names.is_empty() {
            go(self);
            return 0;
        }
        let (top, outer) = (self.emitter.top, self.scopes.reserved_registers_mut().len());
        names.into_iter().for_each(|name| self.reserve_register_for(name, span));
        let kept_registers = self.emitter.top - top;
        go(self);
        for RegisterOfBranchVariable { name, reg, kind } in
            self.scopes.reserved_registers_mut().split_off(outer)
        {
            if let Some(kind) = kind {
                self.scopes.bind_name(name, Binding::Place(Assignable::Variable(reg, kind)));
                self.scopes.set_reserved_type(name, kind);
            }
        }
        kept_registers
    }

    /// Reserves a register for a name. Inside a path of an outer choice that reserved the name,
    /// returns the same register.
    fn reserve_register_for(&mut self, name: &'g str, span: &Span) {
        let (reg, kind) = self
            .scopes
            .find_reserved_register(name)
            .unwrap_or_else(|| (self.emitter.allocate_register(span), None));
        self.scopes.reserved_registers_mut().push(RegisterOfBranchVariable { name, reg, kind });
    }
}

impl<'g> Scopes<'g> {
    /// Returns the register reserved for a name, and its type if a path has assigned it.
    pub(super) fn find_reserved_register(
        &mut self,
        name: &str,
    ) -> Option<(Reg, Option<ScalarType>)> {
        let reservation =
            self.reserved_registers_mut().iter().rev().find(|known| known.name == name)?;
        Some((reservation.reg, reservation.kind))
    }

    /// Sets the type of a reserved register.
    pub(super) fn set_reserved_type(&mut self, name: &str, kind: ScalarType) {
        if let Some(reservation) =
            self.reserved_registers_mut().iter_mut().rev().find(|known| known.name == name)
        {
            reservation.kind.get_or_insert(kind);
        }
    }

    fn reserved_registers_mut(&mut self) -> &mut Vec<RegisterOfBranchVariable<'g>> {
        let frame = self.frames.last_mut();
        &mut frame.unwrap_or_else(|| unreachable!("the action has a frame")).reserved
    }
}

/// Returns the names that all paths through a choice assign; `None` if no path continues after it.
fn names_assigned_by_all_branches(choice: &StmtKind) -> Option<Vec<&str>> {
    let ways: Vec<&[Stmt]> = match choice {
        StmtKind::If(..) | StmtKind::Match(..) | StmtKind::Choose(..) => choice.child_blocks(),
        _ => return Some(Vec::new()),
    };
    let common = |a: Vec<_>, b: Vec<_>| a.into_iter().filter(|name| b.contains(name)).collect();
    ways.into_iter().filter_map(names_assigned_on_all_paths).reduce(common)
}

/// Returns the names that lines assign on every path; `None` if they do not continue.
fn names_assigned_on_all_paths(lines: &[Stmt]) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    for line in lines {
        match &line.kind {
            StmtKind::End | StmtKind::Stop | StmtKind::Give(_) => return None,
            StmtKind::Assign(place, 0, Given::One(_)) => {
                if let ExprKind::Name(name) = &place.kind {
                    names.push(name.as_str());
                }
            }
            choice => names.extend(names_assigned_by_all_branches(choice)?),
        }
    }
    Some(names)
}
