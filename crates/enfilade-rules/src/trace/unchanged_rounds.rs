//! Rounds of a loop in which nothing changes: the first is explained, and of all that follow it
//! there is only the number.

use std::collections::HashMap;

use crate::vm::snapshot::{MAX_STATE_NUMBERS, RuleSnapshot};
use enfilade_model::combat::CombatStepExplanation;
use enfilade_model::dice::RolledDie;
use enfilade_model::form::sanitize::group_digits;

/// Largest number of explanations that wait for a round to end.
const MAX_WAITING: usize = 4096;

/// Largest number of rounds that are left out.
const MAX_ROUNDS: u64 = 1_000_000;

type DieState = RuleSnapshot<MAX_STATE_NUMBERS>;

/// Explanations that wait until it is certain that their round changes something.
#[derive(Default)]
pub struct ExplanationsAwaitingChange {
    waiting: Vec<(Vec<RolledDie>, CombatStepExplanation)>,
    /// State in which each suspend point was last reached.
    seen: HashMap<u16, EarlierTraceState>,
    left_out: u64,
}

struct EarlierTraceState {
    state: DieState,
    /// Number of explanations when it was reached, or after the first round that changed nothing.
    from: usize,
    /// Rounds since then that changed nothing.
    rounds: u64,
}

impl ExplanationsAwaitingChange {
    /// Adds an explanation.
    pub fn push_explanation(&mut self, rolls: &[RolledDie], explanation: CombatStepExplanation) {
        self.waiting.push((rolls.to_vec(), explanation));
    }

    /// Reaches a suspend point. If its state is the third in a row, the explanations of the last
    /// round become a number.
    pub fn collapse_round_if_unchanged(&mut self, site: u16, state: DieState, rule: &str) {
        let here = self.waiting.len();
        match self.seen.get_mut(&site) {
            Some(seen) if seen.state == state => {
                seen.rounds += 1;
                if seen.rounds == 1 {
                    seen.from = here;
                    return;
                }
                let left_out = seen.rounds - 1;
                self.waiting.truncate(seen.from);
                self.waiting.push((Vec::new(), describe_rounds(left_out, rule)));
                self.left_out += 1;
                // What was reached on the way belongs to a round that is left out.
                self.seen.retain(|known, _| *known == site);
            }
            _ => {
                self.seen.insert(site, EarlierTraceState { state, from: here, rounds: 0 });
            }
        }
    }

    /// Passes on explanations if too many wait. Returns whether to continue.
    pub fn pass_on_explanations_if_full(
        &mut self,
        listen: &mut dyn FnMut(&[RolledDie], CombatStepExplanation) -> bool,
    ) -> bool {
        if self.waiting.len() < MAX_WAITING && self.left_out < MAX_ROUNDS {
            return true;
        }
        self.seen.clear();
        self.pass_on_explanations(listen) && self.left_out < MAX_ROUNDS
    }

    /// Passes on all explanations. Returns whether to continue.
    pub fn pass_on_explanations(
        &mut self,
        listen: &mut dyn FnMut(&[RolledDie], CombatStepExplanation) -> bool,
    ) -> bool {
        self.waiting.drain(..).all(|(rolls, explanation)| listen(&rolls, explanation))
    }
}

fn describe_rounds(rounds: u64, rule: &str) -> CombatStepExplanation {
    let noun = if rounds == 1 { "round" } else { "rounds" };
    let text = format!("… {} more {noun} in which nothing changes", group_digits(rounds));
    CombatStepExplanation::new(rule, text)
}

#[cfg(test)]
#[path = "../../tests/by_hand/waiting_rounds.rs"]
mod waiting_rounds;
