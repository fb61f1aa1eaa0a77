//! Consecutive decisions of different sides without a die in between: the second side knows the
//! first choice.

use super::Choice;
use crate::vm::code::{Op, Program, Stops};

impl Program {
    /// Returns pairs of decisions, by their numbers, the second of which follows the first on some
    /// path without a die.
    fn undiced(&self) -> Vec<(u8, u8)> {
        let choice = |op: &Op| match self.sites.get(op.site()?)?.stops {
            Stops::Choice(decision, _) => Some(decision),
            Stops::Die(_) | Stops::DieOf(..) | Stops::End => None,
        };
        let mut pairs = Vec::new();
        for (place, op) in self.ops.iter().enumerate() {
            let Some(first) = choice(op) else { continue };
            let mut seen = vec![false; self.ops.len()];
            let mut open = vec![place + 1];
            while let Some(at) = open.pop() {
                let Some(op) = self.ops.get(at) else { continue };
                if std::mem::replace(&mut seen[at], true) {
                    continue;
                }
                // A path continues after a decision, but not after a die or the end.
                if op.site().is_some() {
                    let Some(second) = choice(op) else { continue };
                    pairs.push((first, second));
                }
                if *op != Op::End {
                    open.extend(op.target().into_iter().chain(op.goes_on().then_some(at + 1)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Returns decisions that follow a decision of another side without a die, each with the first
    /// such one. Decisions with the same goal belong to the same side.
    pub(crate) fn knowing<'c>(&self, choices: &'c [Choice]) -> Vec<(&'c Choice, &'c Choice)> {
        let mut found: Vec<(&Choice, &Choice)> = Vec::new();
        for (first, second) in self.undiced() {
            let (Some(first), Some(second)) =
                (choices.get(usize::from(first)), choices.get(usize::from(second)))
            else {
                continue;
            };
            let wants = |choice: &Choice| (choice.highest, choice.goal.text.clone());
            let known = found.iter().any(|(_, known)| known.span == second.span);
            if wants(first) != wants(second) && !known {
                found.push((first, second));
            }
        }
        found
    }
}
