//! Definite assignment: a name assigned on every path through a choice can be used after it.
//!
//! Each path is a block that declares the name again. A register is reserved before the first path,
//! so that all of them assign the same one. Lists, bags and printed cells are excluded: they occupy
//! several registers and must be declared before the choice.

use super::lowered_value::{Bind, Place, Reserved};
use super::lowering::Lowering;
use super::scopes::Scopes;
use super::views::Assignments;
use crate::diagnostics::Span;
use crate::syntax::ast::{Do, Says, Stmt, Value as Given};
use crate::types::Kind;
use crate::vm::code::Reg;

impl<'g> Assignments<'_, 'g> {
    /// Lowers the paths of a choice. Returns the number of registers of the names that all paths
    /// assign.
    pub(super) fn through(
        &mut self,
        line: &'g Stmt,
        span: &Span,
        go: impl FnOnce(&mut Lowering<'g>),
    ) -> usize {
        let mut names = made_by_choice(&line.what).unwrap_or_default();
        names.retain(|name| self.scopes.local(name).is_none());
        if names.is_empty() {
            go(self);
            return 0;
        }
        let (top, outer) = (self.emitter.top, self.scopes.reserved().len());
        names.into_iter().for_each(|name| self.reserve(name, span));
        let kept = self.emitter.top - top;
        go(self);
        for Reserved { name, reg, kind } in self.scopes.reserved().split_off(outer) {
            if let Some(kind) = kind {
                self.scopes.bind(name, Bind::Place(Place::Var(reg, kind)));
                self.scopes.holds(name, kind);
            }
        }
        kept
    }

    /// Reserves a register for a name. Inside a path of an outer choice that reserved the name,
    /// returns the same register.
    fn reserve(&mut self, name: &'g str, span: &Span) {
        let (reg, kind) =
            self.scopes.reserved_for(name).unwrap_or_else(|| (self.emitter.fresh(span), None));
        self.scopes.reserved().push(Reserved { name, reg, kind });
    }
}

impl<'g> Scopes<'g> {
    /// Returns the register reserved for a name, and its type if a path has assigned it.
    pub(super) fn reserved_for(&mut self, name: &str) -> Option<(Reg, Option<Kind>)> {
        let known = self.reserved().iter().rev().find(|known| known.name == name)?;
        Some((known.reg, known.kind))
    }

    /// Sets the type of a reserved register.
    pub(super) fn holds(&mut self, name: &str, kind: Kind) {
        if let Some(known) = self.reserved().iter_mut().rev().find(|known| known.name == name) {
            known.kind.get_or_insert(kind);
        }
    }

    fn reserved(&mut self) -> &mut Vec<Reserved<'g>> {
        let frame = self.frames.last_mut();
        &mut frame.unwrap_or_else(|| unreachable!("the action has a frame")).reserved
    }
}

/// Returns the names that all paths through a choice assign; `None` if no path continues after it.
fn made_by_choice(choice: &Do) -> Option<Vec<&str>> {
    let ways: Vec<&[Stmt]> = match choice {
        Do::If(..) | Do::Match(..) | Do::Choose(..) => choice.blocks(),
        _ => return Some(Vec::new()),
    };
    let common = |a: Vec<_>, b: Vec<_>| a.into_iter().filter(|name| b.contains(name)).collect();
    ways.into_iter().filter_map(made).reduce(common)
}

/// Returns the names that lines assign on every path; `None` if they do not continue.
fn made(lines: &[Stmt]) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    for line in lines {
        match &line.what {
            Do::End | Do::Stop | Do::Give(_) => return None,
            Do::Set(place, 0, Given::One(_)) => {
                if let Says::Name(name) = &place.what {
                    names.push(name.as_str());
                }
            }
            choice => names.extend(made_by_choice(choice)?),
        }
    }
    Some(names)
}
