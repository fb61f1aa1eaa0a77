//! Contests with the same transition structure: one program, and equal numbers from the first roll
//! on. In a grid over ranges most contests are of this kind, because a range matters only by its
//! band.

use std::sync::{Arc, Weak};

use crate::lower::compile::SharedStructureCache;
use crate::vm::dice_after_end::DiceForDicelessCode;
use crate::vm::machine::Interpreter;
use crate::vm::snapshot::{MAX_STATE_NUMBERS, RuleSnapshot};
use crate::vm::stop_reason::StopReason;
use enfilade_model::combat::SharedStructureSlot;

/// Number of entries from which unused ones are removed.
const MIN_ENTRIES_FOR_PRUNING: usize = 1 << 10;

impl SharedStructureCache {
    /// Returns the structure that the contest shares with others of its program.
    pub fn structure_shared_at_first_die(
        &self,
        machine: &Interpreter,
    ) -> Option<Arc<SharedStructureSlot>> {
        let opening = machine.key_at_first_die()?;
        let mut shared = self.0.lock();
        if shared.len() >= MIN_ENTRIES_FOR_PRUNING {
            shared.retain(|_, alike| alike.strong_count() > 0);
        }
        if let Some(alike) = shared.get(&opening).and_then(Weak::upgrade) {
            return Some(alike);
        }
        let alike = Arc::default();
        shared.insert(opening, Arc::downgrade(&alike));
        Some(alike)
    }
}

impl Interpreter {
    /// Returns everything that may distinguish contests of one program once the first die falls:
    /// the suspend point, the registers saved there, and the parameters loaded later. Returns
    /// `None` if the rule has tallies or no dice.
    fn key_at_first_die(&self) -> Option<Box<[i64]>> {
        if self.program.tallies {
            return None;
        }
        let mut regs = [0; 256];
        let StopReason::Suspend(site) =
            self.run_to_die_or_decision(&mut regs, 0, &mut DiceForDicelessCode)
        else {
            return None;
        };
        let room = self.program.sites[usize::from(site)].memory.room;
        let RuleSnapshot { slots, .. } =
            self.save_snapshot::<MAX_STATE_NUMBERS>(&regs, site).ok()?;
        let remembered = slots[..room].iter().map(|slot| i64::from(*slot));
        let later =
            self.program.late_parameters.iter().map(|slot| self.numbers[usize::from(*slot)]);
        Some([i64::from(site)].into_iter().chain(remembered).chain(later).collect())
    }
}
