//! Consecutive decisions of different sides without a die in between: the second side knows what
//! the first has chosen, unless the rule hides it.

use super::DecisionPoint;
use crate::vm::code::{Instr, Program, RegisterSet, SuspendPoint};

/// Decision that knows what another side has just chosen.
pub(crate) struct DecisionKnowingEarlierChoice<'c> {
    /// Decision before it.
    pub(crate) first: &'c DecisionPoint,
    /// Decision that knows.
    pub(crate) second: &'c DecisionPoint,
    /// Variables set since the first decision that the second one remembers.
    pub(crate) variables: Vec<String>,
}

impl DecisionKnowingEarlierChoice<'_> {
    /// Returns the variables in quotes.
    pub(crate) fn quoted_variables(&self) -> String {
        let quoted: Vec<String> = self.variables.iter().map(|name| format!("`{name}`")).collect();
        quoted.join(", ")
    }

    /// Returns the remedy for a player who has not seen what they would know. `blind to` names
    /// whole lists and whole throws.
    pub(crate) fn hiding_remedy(&self) -> String {
        let wholes = self.variables.iter().filter_map(|name| name.split(['[', '.']).next());
        let mut names: Vec<&str> = wholes.collect();
        names.dedup();
        let names = names.join(", ");
        format!("if the player has not seen it, add `, blind to {names}` before the `:`")
    }
}

/// Decisions by their numbers, the second of which follows the first on some path without a die,
/// and the variables that the second one remembers of that path.
type AdjacentDecisions = (u8, u8, Vec<String>);

impl Program {
    fn decision_of_instr(&self, op: &Instr) -> Option<(u8, &SuspendPoint)> {
        let site = self.sites.get(op.suspend_site()?)?;
        Some((site.kind.decision()?, site))
    }

    fn pairs_without_dice(&self) -> Vec<AdjacentDecisions> {
        let mut pairs: Vec<AdjacentDecisions> = Vec::new();
        let firsts = self.instrs.iter().enumerate();
        let firsts = firsts.filter_map(|(at, op)| Some((at, self.decision_of_instr(op)?.0)));
        let firsts: Vec<(usize, u8)> = firsts.collect();
        if firsts.len() < 2 {
            return pairs;
        }
        let live = self.live_registers_by_instr();
        for (place, first) in firsts {
            let written = self.written_until_next_die(place);
            for (at, op) in self.instrs.iter().enumerate() {
                let (Some(written), Some((second, site))) =
                    (&written[at], self.decision_of_instr(op))
                else {
                    continue;
                };
                let is_known = |reg: u8| {
                    written.contains(reg)
                        && live[at + 1].contains(reg)
                        && !site.hidden.contains(&reg)
                };
                let mut names: Vec<String> = Vec::new();
                // The innermost name of a register comes last.
                for (reg, name) in site.names.iter().rev().filter(|(reg, _)| is_known(*reg)) {
                    let other = site.names.iter().rev().find(|(known, _)| known == reg);
                    if other.is_some_and(|(_, known)| known == name) && !names.contains(name) {
                        names.push(name.clone());
                    }
                }
                names.reverse();
                if !names.is_empty() {
                    pairs.push((first, second, names));
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// Returns, by position that is reached from a decision without a die, the registers that some
    /// path has written since.
    fn written_until_next_die(&self, place: usize) -> Vec<Option<RegisterSet>> {
        let mut written: Vec<Option<RegisterSet>> = vec![None; self.instrs.len() + 1];
        let mut open = vec![(place + 1, RegisterSet::default())];
        while let Some((at, mut since)) = open.pop() {
            let Some(op) = self.instrs.get(at) else { continue };
            if let Some(registers) = &written[at] {
                since.add_all_of(registers);
                if since == *registers {
                    continue;
                }
            }
            written[at] = Some(since);
            // A path continues after a decision, but not after a die or the end.
            if op.suspend_site().is_some() && self.decision_of_instr(op).is_none()
                || *op == Instr::End
            {
                continue;
            }
            if let Some(reg) = op.written_register() {
                since.insert(reg);
            }
            if let Some((base, count)) = op.indexed_register_row() {
                since.insert_consecutive(base, count);
            }
            let ahead = op.can_fall_through().then_some(at + 1);
            open.extend(op.jump_target().into_iter().chain(ahead).map(|to| (to, since)));
        }
        written
    }

    /// Returns decisions that know what another side has chosen without a die since, each with the
    /// first such one. Decisions with the same goal belong to the same side.
    pub(crate) fn find_informed_decisions<'c>(
        &self,
        choices: &'c [DecisionPoint],
    ) -> Vec<DecisionKnowingEarlierChoice<'c>> {
        let mut decisions: Vec<DecisionKnowingEarlierChoice<'_>> = Vec::new();
        for (first, second, variables) in self.pairs_without_dice() {
            let (Some(first), Some(second)) =
                (choices.get(usize::from(first)), choices.get(usize::from(second)))
            else {
                continue;
            };
            let wish = |choice: &DecisionPoint| (choice.highest, choice.goal.text.clone());
            let is_listed = decisions.iter().any(|known| known.second.span == second.span);
            if wish(first) != wish(second) && !is_listed {
                decisions.push(DecisionKnowingEarlierChoice { first, second, variables });
            }
        }
        decisions
    }
}
