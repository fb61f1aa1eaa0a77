//! What is remembered of troopers whom an explosion is done with.

use std::hash::Hash;

use super::super::aim::marks_left;
use super::super::hit_card::Card;
use super::super::unit_card::UnitCard;
use enfilade_model::combat::Later;

/// The most troopers near an explosion.
pub const MAX_TROOPERS: usize = 40;

/// What is remembered of the cards of troopers who are done with.
pub trait Done: Copy + Ord + Hash + Send + Sync {
    /// Remembers one.
    fn put(&mut self, index: usize, card: Card);

    /// What is left of the troopers who had these cards.
    fn left(&self, before: &[Card], fresh: &[Card], unit: &UnitCard) -> Vec<Later>;
}

/// Nothing is: how many are dead or out is tallied.
impl Done for () {
    fn put(&mut self, _: usize, _: Card) {}

    fn left(&self, _: &[Card], _: &[Card], _: &UnitCard) -> Vec<Later> {
        Vec::new()
    }
}

/// All of them are, for who asks what is left.
impl Done for [Option<Card>; MAX_TROOPERS] {
    fn put(&mut self, index: usize, card: Card) {
        self[index] = Some(card);
    }

    fn left(&self, before: &[Card], fresh: &[Card], unit: &UnitCard) -> Vec<Later> {
        let now = self.iter().zip(before).map(|(card, before)| card.unwrap_or(*before));
        vec![marks_left("struck", &now.collect::<Vec<Card>>(), fresh, unit)]
    }
}
