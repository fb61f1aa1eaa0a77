//! Warnings about parameters that a part changes without effect. A parameter is a copy unless it is
//! declared with `changes`, so an assigned value is lost if the part never reads it.

use rustc_hash::FxHashMap;

use crate::diagnostics::{Faults, Span};
use crate::resolve::used_names::visit_expr_and_descendants;
use crate::syntax::ast::{
    DeclarationKind, Expr, ExprKind, Ident, PartDecl, RulebookAst, ShowMeasureOrCarryLine, Stmt,
    StmtKind,
};

/// Largest number of tracked parameters of a part; all others count as read.
const MAX_TRACKED_PART_PARAMETERS: usize = 64;

/// Reports every parameter that a part of `file` changes without effect, at the first such line.
pub fn report_ineffective_parameter_changes(file: &RulebookAst, faults: &mut Faults) {
    let parts = file.declarations.iter().filter_map(|declared| match &declared.kind {
        DeclarationKind::Part(part) => Some((&declared.name, part)),
        _ => None,
    });
    let parts: Vec<_> = parts.collect();
    let by_name = parts.iter().map(|(name, part)| (name.text.as_str(), *part)).collect();
    for (name, part) in &parts {
        let mut lives = ParameterLivenessPass::new(part, &by_name);
        let after = lives.parameters_read_by_reports(&part.shows);
        lives.live_before_lines(&part.body, after);
        let first = lives.vain.into_iter().min_by_key(|(_, span)| span.start);
        if let Some((param, span)) = first {
            let problem =
                format!("changing `{param}` has no effect: `{}` changes a copy", name.text);
            faults.add_fault_at_span(span, problem, suggest_changes_keyword(name, part, param));
        }
    }
}

/// Returns the first line of a part with `changes` before `param`.
fn suggest_changes_keyword(name: &Ident, part: &PartDecl, param: &str) -> String {
    let params = part.params.iter().map(|(known, changes)| match *changes || known.text == param {
        true => format!("changes {}", known.text),
        false => known.text.clone(),
    });
    format!("write `part {}({}):`", name.text, params.collect::<Vec<_>>().join(", "))
}

/// Set of parameters, by their index.
type PartParameterSet = u64;

/// Backward liveness of parameters, from the last line to the first.
struct ParameterLivenessPass<'f> {
    parts: &'f FxHashMap<&'f str, &'f PartDecl>,
    /// Parameters without `changes`.
    params: Vec<&'f str>,
    /// Parameters that are live after each open loop.
    loops: Vec<PartParameterSet>,
    /// Changes without effect: the parameter and the place.
    vain: Vec<(&'f str, Span)>,
}

impl<'f> ParameterLivenessPass<'f> {
    fn new(
        part: &'f PartDecl,
        parts: &'f FxHashMap<&'f str, &'f PartDecl>,
    ) -> ParameterLivenessPass<'f> {
        let params = part.params.iter().filter(|(_, changes)| !changes);
        let params =
            params.map(|(name, _)| name.text.as_str()).take(MAX_TRACKED_PART_PARAMETERS).collect();
        ParameterLivenessPass { parts, params, loops: Vec::new(), vain: Vec::new() }
    }

    /// Returns the set of one parameter; empty if `name` is not a parameter.
    fn bit_of_parameter(&self, name: &str) -> PartParameterSet {
        self.params.iter().position(|param| *param == name).map_or(0, |place| 1 << place)
    }

    fn reads_of_expr(&self, expr: &Expr) -> PartParameterSet {
        let mut read = 0;
        visit_expr_and_descendants(expr, &mut |inner| {
            if let ExprKind::Name(name) = &inner.kind {
                read |= self.bit_of_parameter(name);
            }
        });
        read
    }

    fn reads_of_exprs<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> PartParameterSet {
        exprs.into_iter().fold(0, |read, expr| read | self.reads_of_expr(expr))
    }

    fn parameters_read_by_reports(&self, shows: &[ShowMeasureOrCarryLine]) -> PartParameterSet {
        shows.iter().fold(0, |read, report| {
            let own = match report {
                ShowMeasureOrCarryLine::Show { name, value: None, .. } => {
                    self.bit_of_parameter(&name.text)
                }
                _ => 0,
            };
            read | own | self.reads_of_exprs(report.exprs_read_by_line())
        })
    }

    /// Returns the parameters that lines read, in whatever order they run.
    fn parameters_read_by_lines(&self, lines: &[Stmt]) -> PartParameterSet {
        lines.iter().fold(0, |read, line| {
            let blocks = line.kind.child_blocks().into_iter();
            blocks.fold(read | self.parameters_read_by_stmt_alone(&line.kind), |read, block| {
                read | self.parameters_read_by_lines(block)
            })
        })
    }

    /// Returns the parameters that a line reads, without the lines below it. A new value computed
    /// from the old one does not count as a use of the old one.
    fn parameters_read_by_stmt_alone(&self, what: &StmtKind) -> PartParameterSet {
        match what {
            StmtKind::Assign(place, _, value) => {
                let (own, named) = self.target_and_read_parameters(place);
                named | self.reads_of_exprs(value.contained_exprs()) & !own
            }
            StmtKind::Note(pieces) => {
                self.reads_of_exprs(pieces.iter().filter_map(|(_, value)| value.as_ref()))
            }
            StmtKind::Unread(..) => PartParameterSet::MAX,
            other => self.reads_of_exprs(other.own_exprs()),
        }
    }

    /// Returns the parameter that an assignment target belongs to, and the parameters that the
    /// target expression reads.
    fn target_and_read_parameters(&self, place: &Expr) -> (PartParameterSet, PartParameterSet) {
        match &place.kind {
            ExprKind::Name(name) => (self.bit_of_parameter(name), 0),
            ExprKind::Index(of, index) => {
                let (own, named) = self.target_and_read_parameters(of);
                (own, named | self.reads_of_expr(index))
            }
            // An item of a bag is not a copy.
            _ => (0, self.reads_of_expr(place)),
        }
    }

    /// Returns the parameters that are live before some lines, given those that are live after
    /// them.
    fn live_before_lines(
        &mut self,
        lines: &'f [Stmt],
        after: PartParameterSet,
    ) -> PartParameterSet {
        lines.iter().rev().fold(after, |live, line| self.live_before_line(line, live))
    }

    fn live_before_line(&mut self, line: &'f Stmt, after: PartParameterSet) -> PartParameterSet {
        let read = self.parameters_read_by_stmt_alone(&line.kind);
        match &line.kind {
            StmtKind::Assign(place, sign, value) => {
                self.live_before_assignment((place, *sign), value.contained_exprs(), after)
            }
            StmtKind::Call(call) => {
                self.note_lost_changes_of_call(call, after);
                after | read
            }
            StmtKind::For(.., body)
            | StmtKind::Each(.., body)
            | StmtKind::Pick(.., body)
            | StmtKind::Repeat(body) => {
                self.loops.push(after);
                // The next turn may read a value that this turn leaves.
                let again = after | self.parameters_read_by_lines(body);
                let live = self.live_before_lines(body, again);
                self.loops.pop();
                live | after | read
            }
            StmtKind::Stop => self.loops.last().copied().unwrap_or(after),
            StmtKind::Give(_) | StmtKind::End => read,
            StmtKind::Unread(..) => PartParameterSet::MAX,
            what => {
                let blocks = what.child_blocks().into_iter();
                blocks.fold(after | read, |live, block| live | self.live_before_lines(block, after))
            }
        }
    }

    fn live_before_assignment(
        &mut self,
        place: (&'f Expr, i8),
        value: Vec<&'f Expr>,
        after: PartParameterSet,
    ) -> PartParameterSet {
        let (place, sign) = place;
        let (own, named) = self.target_and_read_parameters(place);
        let read = named | self.reads_of_exprs(value);
        if own != 0 && after & own == 0 {
            self.note_lost_change(own, place.span.clone());
        }
        let is_whole = matches!(place.kind, ExprKind::Name(_)) && sign == 0;
        let after = if is_whole { after & !own } else { after };
        after | read
    }

    /// Notes the change of the only parameter in `own`.
    fn note_lost_change(&mut self, own: PartParameterSet, span: Span) {
        self.vain.push((self.params[own.trailing_zeros() as usize], span));
    }

    /// Checks a call whose only effect is to change parameters that are never read afterwards.
    fn note_lost_changes_of_call(&mut self, call: &'f Expr, after: PartParameterSet) {
        let ExprKind::Call(name, arguments) = &call.kind else { return };
        let Some(part) =
            self.parts.get(name.text.as_str()).filter(|part| only_changes_parameters(part))
        else {
            return;
        };
        let changed = part.params.iter().zip(arguments).filter(|((_, changes), _)| *changes);
        let owners = changed.map(|(_, (argument, _))| {
            (self.target_and_read_parameters(argument).0, &argument.span)
        });
        let owners: Vec<_> = owners.collect();
        if owners.iter().all(|(own, _)| *own != 0 && after & own == 0)
            && let Some((own, span)) = owners.first()
        {
            self.note_lost_change(*own, (*span).clone());
        }
    }
}

/// Returns whether a part only changes its parameters: it adds no note, counts nothing and ends
/// nothing.
fn only_changes_parameters(part: &PartDecl) -> bool {
    fn has_only_assignments(lines: &[Stmt]) -> bool {
        lines.iter().all(|line| {
            let more = matches!(
                line.kind,
                StmtKind::Note(_)
                    | StmtKind::Tally(..)
                    | StmtKind::End
                    | StmtKind::Call(_)
                    | StmtKind::Unread(..)
            );
            !more && line.kind.child_blocks().into_iter().all(has_only_assignments)
        })
    }
    has_only_assignments(&part.body)
}
