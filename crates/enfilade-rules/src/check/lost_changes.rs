//! Warnings about parameters that a part changes without effect. A parameter is a copy unless it is
//! declared with `changes`, so an assigned value is lost if the part never reads it.

use rustc_hash::FxHashMap;

use crate::diagnostics::{Faults, Span};
use crate::resolve::uses::each_inner;
use crate::syntax::ast::{Do, Expr, File, Name, Part, Report, Says, Stmt, What};

/// Largest number of tracked parameters of a part; all others count as read.
const FOLLOWED: usize = 64;

/// Reports every parameter that a part of `file` changes without effect, at the first such line.
pub fn changes_in_vain(file: &File, faults: &mut Faults) {
    let parts = file.declared.iter().filter_map(|declared| match &declared.what {
        What::Part(part) => Some((&declared.name, part)),
        _ => None,
    });
    let parts: Vec<_> = parts.collect();
    let by_name = parts.iter().map(|(name, part)| (name.text.as_str(), *part)).collect();
    for (name, part) in &parts {
        let mut lives = Lives::of(part, &by_name);
        let after = lives.reported(&part.shows);
        lives.before(&part.body, after);
        let first = lives.vain.into_iter().min_by_key(|(_, span)| span.start);
        if let Some((param, span)) = first {
            let problem =
                format!("changing `{param}` has no effect: `{}` changes a copy", name.text);
            faults.note(span, problem, declaration(name, part, param));
        }
    }
}

/// Returns the first line of a part with `changes` before `param`.
fn declaration(name: &Name, part: &Part, param: &str) -> String {
    let params = part.params.iter().map(|(known, changes)| match *changes || known.text == param {
        true => format!("changes {}", known.text),
        false => known.text.clone(),
    });
    format!("write `part {}({}):`", name.text, params.collect::<Vec<_>>().join(", "))
}

/// Set of parameters, by their index.
type Set = u64;

/// Backward liveness of parameters, from the last line to the first.
struct Lives<'f> {
    parts: &'f FxHashMap<&'f str, &'f Part>,
    /// Parameters without `changes`.
    params: Vec<&'f str>,
    /// Parameters that are live after each open loop.
    loops: Vec<Set>,
    /// Changes without effect: the parameter and the place.
    vain: Vec<(&'f str, Span)>,
}

impl<'f> Lives<'f> {
    fn of(part: &'f Part, parts: &'f FxHashMap<&'f str, &'f Part>) -> Lives<'f> {
        let params = part.params.iter().filter(|(_, changes)| !changes);
        let params = params.map(|(name, _)| name.text.as_str()).take(FOLLOWED).collect();
        Lives { parts, params, loops: Vec::new(), vain: Vec::new() }
    }

    /// Returns the set of one parameter; empty if `name` is not a parameter.
    fn one(&self, name: &str) -> Set {
        self.params.iter().position(|param| *param == name).map_or(0, |place| 1 << place)
    }

    fn read_by(&self, expr: &Expr) -> Set {
        let mut read = 0;
        each_inner(expr, &mut |inner| {
            if let Says::Name(name) = &inner.what {
                read |= self.one(name);
            }
        });
        read
    }

    fn read_by_all<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Set {
        exprs.into_iter().fold(0, |read, expr| read | self.read_by(expr))
    }

    fn reported(&self, shows: &[Report]) -> Set {
        shows.iter().fold(0, |read, report| {
            let own = match report {
                Report::Show { name, value: None, .. } => self.one(&name.text),
                _ => 0,
            };
            read | own | self.read_by_all(report.exprs())
        })
    }

    /// Returns the parameters that lines read, in whatever order they run.
    fn read_in(&self, lines: &[Stmt]) -> Set {
        lines.iter().fold(0, |read, line| {
            let blocks = line.what.blocks().into_iter();
            blocks.fold(read | self.own_reads(&line.what), |read, block| read | self.read_in(block))
        })
    }

    /// Returns the parameters that a line reads, without the lines below it. A new value computed
    /// from the old one does not count as a use of the old one.
    fn own_reads(&self, what: &Do) -> Set {
        match what {
            Do::Set(place, _, value) => {
                let (own, named) = self.given(place);
                named | self.read_by_all(value.exprs()) & !own
            }
            Do::Note(pieces) => {
                self.read_by_all(pieces.iter().filter_map(|(_, value)| value.as_ref()))
            }
            Do::Unread(..) => Set::MAX,
            other => self.read_by_all(other.exprs()),
        }
    }

    /// Returns the parameter that an assignment target belongs to, and the parameters that the
    /// target expression reads.
    fn given(&self, place: &Expr) -> (Set, Set) {
        match &place.what {
            Says::Name(name) => (self.one(name), 0),
            Says::Place(of, index) => {
                let (own, named) = self.given(of);
                (own, named | self.read_by(index))
            }
            // An item of a bag is not a copy.
            _ => (0, self.read_by(place)),
        }
    }

    /// Returns the parameters that are live before some lines, given those that are live after
    /// them.
    fn before(&mut self, lines: &'f [Stmt], after: Set) -> Set {
        lines.iter().rev().fold(after, |live, line| self.before_line(line, live))
    }

    fn before_line(&mut self, line: &'f Stmt, after: Set) -> Set {
        let read = self.own_reads(&line.what);
        match &line.what {
            Do::Set(place, sign, value) => self.before_set((place, *sign), value.exprs(), after),
            Do::Call(call) => {
                self.note_call(call, after);
                after | read
            }
            Do::For(.., body) | Do::Each(.., body) | Do::Pick(.., body) | Do::Repeat(body) => {
                self.loops.push(after);
                // The next turn may read a value that this turn leaves.
                let again = after | self.read_in(body);
                let live = self.before(body, again);
                self.loops.pop();
                live | after | read
            }
            Do::Stop => self.loops.last().copied().unwrap_or(after),
            Do::Give(_) | Do::End => read,
            Do::Unread(..) => Set::MAX,
            what => {
                let blocks = what.blocks().into_iter();
                blocks.fold(after | read, |live, block| live | self.before(block, after))
            }
        }
    }

    fn before_set(&mut self, place: (&'f Expr, i8), value: Vec<&'f Expr>, after: Set) -> Set {
        let (place, sign) = place;
        let (own, named) = self.given(place);
        let read = named | self.read_by_all(value);
        if own != 0 && after & own == 0 {
            self.note(own, place.span.clone());
        }
        let is_whole = matches!(place.what, Says::Name(_)) && sign == 0;
        let after = if is_whole { after & !own } else { after };
        after | read
    }

    fn note(&mut self, own: Set, span: Span) {
        if let Some(param) = self.params.get(own.trailing_zeros() as usize) {
            self.vain.push((param, span));
        }
    }

    /// Checks a call whose only effect is to change parameters that are never read afterwards.
    fn note_call(&mut self, call: &'f Expr, after: Set) {
        let Says::Call(name, arguments) = &call.what else { return };
        let Some(part) = self.parts.get(name.text.as_str()).filter(|part| only_changes(part))
        else {
            return;
        };
        let changed = part.params.iter().zip(arguments).filter(|((_, changes), _)| *changes);
        let owners = changed.map(|(_, (argument, _))| (self.given(argument).0, &argument.span));
        let owners: Vec<_> = owners.collect();
        if owners.iter().all(|(own, _)| *own != 0 && after & own == 0)
            && let Some((own, span)) = owners.first()
        {
            self.note(*own, (*span).clone());
        }
    }
}

/// Returns whether a part only changes its parameters: it adds no note, counts nothing and ends
/// nothing.
fn only_changes(part: &Part) -> bool {
    fn plain(lines: &[Stmt]) -> bool {
        lines.iter().all(|line| {
            let more = matches!(
                line.what,
                Do::Note(_) | Do::Tally(..) | Do::End | Do::Call(_) | Do::Unread(..)
            );
            !more && line.what.blocks().into_iter().all(plain)
        })
    }
    plain(&part.body)
}
