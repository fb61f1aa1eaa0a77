//! Decisions of different sides between which no die falls: the second knows what the first took.

use super::Choice;
use crate::vm::code::{Op, Program, Stops};

impl Program {
    /// Pairs of decisions, by their numbers, of which the second follows the first on some path without
    /// a die between them.
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
                // Behind a decision the path goes on as before, behind a die and the end it does not.
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

    /// Decisions that follow one of another side without a die between them, each with the first such
    /// one before it. A side is known by what it wants.
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
