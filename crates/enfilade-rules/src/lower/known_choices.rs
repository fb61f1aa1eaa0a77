//! Consecutive decisions of different sides without a die in between: the second side knows the
//! first choice.

use super::DecisionPoint;
use crate::vm::code::{Instr, Program, SuspendKind};

impl Program {
    /// Returns pairs of decisions, by their numbers, the second of which follows the first on some
    /// path without a die.
    fn decisions_without_dice(&self) -> Vec<(u8, u8)> {
        let choice = |op: &Instr| match self.sites.get(op.suspend_site()?)?.kind {
            SuspendKind::Choice(decision, _) => Some(decision),
            SuspendKind::Die(_) | SuspendKind::DieOf(..) | SuspendKind::End => None,
        };
        let mut pairs = Vec::new();
        for (place, op) in self.instrs.iter().enumerate() {
            let Some(first) = choice(op) else { continue };
            let mut seen = vec![false; self.instrs.len()];
            let mut open = vec![place + 1];
            while let Some(at) = open.pop() {
                let Some(op) = self.instrs.get(at) else { continue };
                if std::mem::replace(&mut seen[at], true) {
                    continue;
                }
                // A path continues after a decision, but not after a die or the end.
                if op.suspend_site().is_some() {
                    let Some(second) = choice(op) else { continue };
                    pairs.push((first, second));
                }
                if *op != Instr::End {
                    open.extend(
                        op.jump_target().into_iter().chain(op.can_fall_through().then_some(at + 1)),
                    );
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Returns decisions that follow a decision of another side without a die, each with the first
    /// such one. Decisions with the same goal belong to the same side.
    pub(crate) fn find_informed_decisions<'c>(
        &self,
        choices: &'c [DecisionPoint],
    ) -> Vec<(&'c DecisionPoint, &'c DecisionPoint)> {
        let mut found: Vec<(&DecisionPoint, &DecisionPoint)> = Vec::new();
        for (first, second) in self.decisions_without_dice() {
            let (Some(first), Some(second)) =
                (choices.get(usize::from(first)), choices.get(usize::from(second)))
            else {
                continue;
            };
            let wants = |choice: &DecisionPoint| (choice.highest, choice.goal.text.clone());
            let known = found.iter().any(|(_, known)| known.span == second.span);
            if wants(first) != wants(second) && !known {
                found.push((first, second));
            }
        }
        found
    }
}
