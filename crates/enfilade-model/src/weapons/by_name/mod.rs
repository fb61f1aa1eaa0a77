//! Weapons by the names of a rulebook's vocabulary: a rulebook says which action is one attack, which of
//! its fields are the weapon and who is shot at, and which outcome counts what is taken. So it is priced
//! without a line of its own; one in a text file says the same in its `price:` lines.
//!
//! Whoever carries a weapon is a target like the reference troops where nothing else is said, whole or
//! gone. An attack on as many as stand there may take several: it is staged as so many shots as it can take
//! at most, each with the chance that gives the right mean. What a scenario says beside weapon, target,
//! number and distance is where they fight, the same for both sides.
//!
//! With a [`Nerve`] whoever is left can lose it: one attack in so many does that, by what the attack
//! shows; he is shaken until his own activation brings it back, by a test of the rules or by what is
//! assumed, and fires as well as the rules let him, or not at all. So the worth of a break is what the
//! rules, or an assumption that the report names first, take from the activations after it.
//!
//! Not told: nerve that is lost twice, and that of several at once.

mod named_weapons;
mod names;
mod starter_arsenal;

use std::sync::Arc;

use super::Priced;
use crate::shared::Shared;
use named_weapons::Arms;
pub use names::{Action, Back, COUNT, Named, Nerve};

impl Named {
    /// What its weapons are; `None` where an attack has no field of such a name.
    pub fn pricing(self) -> Option<Shared<dyn Priced>> {
        Some(Shared::Made(Arc::new(Arms::new(self)?)))
    }
}
