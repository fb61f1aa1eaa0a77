//! Definite assignment: a name that every way through a choice gives a value to has it behind the choice, too.
//!
//! The ways have blocks of their own, in which the name is made anew. Its register is reserved before the first of
//! them, so that all put their value into the same one. Not here: lists, bags and printed cells, which take more
//! registers than one and are made before the choice.

use super::lowered_value::{Bind, Place, Reserved};
use super::lowering::Lowering;
use super::scopes::Scopes;
use super::views::Assignments;
use crate::diagnostics::Span;
use crate::syntax::ast::{Do, Says, Stmt, Value as Given};
use crate::types::Kind;
use crate::vm::code::Reg;

impl<'g> Assignments<'_, 'g> {
    /// Walks over a choice with these ways through it; how many registers the names keep that all of them make.
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

    /// Reserves a register for a name, within a way of an outer choice that did so already the same one.
    fn reserve(&mut self, name: &'g str, span: &Span) {
        let (reg, kind) =
            self.scopes.reserved_for(name).unwrap_or_else(|| (self.emitter.fresh(span), None));
        self.scopes.reserved().push(Reserved { name, reg, kind });
    }
}

impl<'g> Scopes<'g> {
    /// The register that is reserved for a name, and what it holds if a way has been there.
    pub(super) fn reserved_for(&mut self, name: &str) -> Option<(Reg, Option<Kind>)> {
        let known = self.reserved().iter().rev().find(|known| known.name == name)?;
        Some((known.reg, known.kind))
    }

    /// Says what a reserved register holds.
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

/// The names that all ways through a choice make; `None` where none of them goes on behind it.
fn made_by_choice(choice: &Do) -> Option<Vec<&str>> {
    let ways: Vec<&[Stmt]> = match choice {
        Do::If(..) | Do::Match(..) | Do::Choose(..) => choice.blocks(),
        _ => return Some(Vec::new()),
    };
    let common = |a: Vec<_>, b: Vec<_>| a.into_iter().filter(|name| b.contains(name)).collect();
    ways.into_iter().filter_map(made).reduce(common)
}

/// The names that lines make on every way through them; `None` where they do not go on.
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
