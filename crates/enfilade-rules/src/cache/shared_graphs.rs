//! Contests with the same transition structure: one program, and equal numbers from the first roll
//! on. In a grid over ranges most contests are of this kind, because a range matters only by its
//! band.

use std::sync::{Arc, Weak};

use crate::lower::compile::Held;
use crate::vm::machine::{Machine, Stop, Undiced};
use crate::vm::snapshot::{ROOM, Snap};
use enfilade_model::combat::Alike;

/// Number of entries from which unused ones are removed.
const MOST: usize = 1 << 10;

impl Held {
    /// Returns the structure that the contest shares with others of its program.
    pub fn alike(&self, machine: &Machine) -> Option<Arc<Alike>> {
        let opening = machine.opening()?;
        let mut held = self.0.lock();
        if held.len() >= MOST {
            held.retain(|_, alike| alike.strong_count() > 0);
        }
        if let Some(alike) = held.get(&opening).and_then(Weak::upgrade) {
            return Some(alike);
        }
        let alike = Arc::default();
        held.insert(opening, Arc::downgrade(&alike));
        Some(alike)
    }
}

impl Machine {
    /// Returns everything that may distinguish contests of one program once the first die falls:
    /// the suspend point, the registers saved there, and the parameters loaded later. Returns
    /// `None` if the rule has tallies or no dice.
    fn opening(&self) -> Option<Box<[i64]>> {
        if self.program.tallies {
            return None;
        }
        let mut regs = [0; 256];
        let Stop::Site(site) = self.run(&mut regs, 0, &mut Undiced) else {
            return None;
        };
        let room = self.program.sites[usize::from(site)].memory.room;
        let Snap { slots, .. } = self.save::<ROOM>(&regs, site).ok()?;
        let remembered = slots[..room].iter().map(|slot| i64::from(*slot));
        let later = self.program.asked_later.iter().map(|slot| self.numbers[usize::from(*slot)]);
        Some([i64::from(site)].into_iter().chain(remembered).chain(later).collect())
    }
}
