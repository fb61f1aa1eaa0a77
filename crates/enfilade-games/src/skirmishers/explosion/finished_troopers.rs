//! Memory of the troopers with whom an explosion is finished.

use std::hash::Hash;

use super::super::aim::change_of_marks_field;
use super::super::hit_card::HitCard;
use super::super::unit_card::UnitCard;
use enfilade_model::combat::FieldChange;

/// Largest number of troopers near an explosion.
pub const MAX_NEARBY_TROOPERS: usize = 40;

/// Storage for the cards of finished troopers.
pub trait FinishedCardStore: Copy + Ord + Hash + Send + Sync {
    /// Stores the card of a finished trooper.
    fn store_card_of_finished_trooper(&mut self, index: usize, card: HitCard);

    /// Returns the changes to the fields of the troopers who had these cards.
    fn field_changes_since(
        &self,
        before: &[HitCard],
        fresh: &[HitCard],
        unit: &UnitCard,
    ) -> Vec<FieldChange>;
}

/// Stores nothing: the dead and the troopers out of action are tallied.
impl FinishedCardStore for () {
    fn store_card_of_finished_trooper(&mut self, _: usize, _: HitCard) {}

    fn field_changes_since(&self, _: &[HitCard], _: &[HitCard], _: &UnitCard) -> Vec<FieldChange> {
        Vec::new()
    }
}

/// Stores all cards, for contests that report them.
impl FinishedCardStore for [Option<HitCard>; MAX_NEARBY_TROOPERS] {
    fn store_card_of_finished_trooper(&mut self, index: usize, card: HitCard) {
        self[index] = Some(card);
    }

    fn field_changes_since(
        &self,
        before: &[HitCard],
        fresh: &[HitCard],
        unit: &UnitCard,
    ) -> Vec<FieldChange> {
        let now = self.iter().zip(before).map(|(card, before)| card.unwrap_or(*before));
        vec![change_of_marks_field("struck", &now.collect::<Vec<HitCard>>(), fresh, unit)]
    }
}
