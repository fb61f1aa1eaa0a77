//! Memory of the troopers with whom an explosion is finished.

use std::hash::Hash;

use super::super::aim::marks_left;
use super::super::hit_card::Card;
use super::super::unit_card::UnitCard;
use enfilade_model::combat::Later;

/// Largest number of troopers near an explosion.
pub const MAX_TROOPERS: usize = 40;

/// Storage for the cards of finished troopers.
pub trait Done: Copy + Ord + Hash + Send + Sync {
    /// Stores the card of a finished trooper.
    fn put(&mut self, index: usize, card: Card);

    /// Returns the changes to the fields of the troopers who had these cards.
    fn left(&self, before: &[Card], fresh: &[Card], unit: &UnitCard) -> Vec<Later>;
}

/// Stores nothing: the dead and the troopers out of action are tallied.
impl Done for () {
    fn put(&mut self, _: usize, _: Card) {}

    fn left(&self, _: &[Card], _: &[Card], _: &UnitCard) -> Vec<Later> {
        Vec::new()
    }
}

/// Stores all cards, for contests that report them.
impl Done for [Option<Card>; MAX_TROOPERS] {
    fn put(&mut self, index: usize, card: Card) {
        self[index] = Some(card);
    }

    fn left(&self, before: &[Card], fresh: &[Card], unit: &UnitCard) -> Vec<Later> {
        let now = self.iter().zip(before).map(|(card, before)| card.unwrap_or(*before));
        vec![marks_left("struck", &now.collect::<Vec<Card>>(), fresh, unit)]
    }
}
