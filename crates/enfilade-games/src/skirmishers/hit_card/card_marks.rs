//! Marks on a card, as a contest gives them and passes them on.
//!
//! Source: unit card, Body Armor.

use super::{HitCard, LARGEST_FIRST_CELL, bit_of_cell};
use enfilade_model::combat::RewrittenTable;
use enfilade_model::form::FieldType;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_macros::fields;
use enfilade_model::static_or_shared::Text;

const CELL_NUMBER_RANGE: IntRange = IntRange::new("cell", 0, LARGEST_FIRST_CELL as i64);
const ARMOUR_CELLS_RANGE: IntRange =
    IntRange::new("number of armour cells", 0, LARGEST_FIRST_CELL as i64 + 1);

fields! {
    /// Marks on a card.
    pub struct CardMarkFields {
        /// cells that are crossed
        crossed: Option<Vec<u8>> = new_optional(FieldType::list_of(const { &FieldType::Int(CELL_NUMBER_RANGE) }))
            .with_player_name("crossed cells");
        /// cells that are half crossed
        half_crossed: Option<Vec<u8>> = new_optional(FieldType::list_of(const { &FieldType::Int(CELL_NUMBER_RANGE) }))
            .with_player_name("half crossed cells");
        /// cells of standard armour that are left; all of them when left out
        armour_left: Option<u8> = new_optional(FieldType::Int(ARMOUR_CELLS_RANGE)).with_rule_reference("Body Armor")
            .with_player_name("armour cells left");
        /// cells whose advanced armour is crossed
        armour_crossed: Option<Vec<u8>> = new_optional(FieldType::list_of(const { &FieldType::Int(CELL_NUMBER_RANGE) }))
            .with_rule_reference("Body Armor").with_player_name("cells with crossed armour");
        /// cells whose advanced armour is half crossed
        armour_half_crossed: Option<Vec<u8>> = new_optional(FieldType::list_of(const { &FieldType::Int(CELL_NUMBER_RANGE) }))
            .with_rule_reference("Body Armor").with_player_name("cells with half crossed armour");
        /// cells with intact advanced armour, where they are not those that the armour of the
        /// contest protects
        armour_stands: Option<Vec<u8>> = new_optional(FieldType::list_of(const { &FieldType::Int(CELL_NUMBER_RANGE) }))
            .with_rule_reference("Body Armor").with_player_name("cells with standing armour");
        /// the trooper is dead
        dead: bool = new_switch_with_default(false).with_player_name("dead").with_value_labels(&["alive", "dead"]);
    }
}

impl HitCard {
    /// Returns the card with these marks added.
    pub fn with_added_marks(mut self, marks: &CardMarkFields) -> HitCard {
        let cells = |labels: &Option<Vec<u8>>| {
            labels.iter().flatten().fold(0, |cells, label| cells | bit_of_cell(*label))
        };
        self.armour = marks.armour_left.unwrap_or(self.armour);
        self.crossed |= cells(&marks.crossed);
        self.half |= cells(&marks.half_crossed) & !self.crossed;
        if marks.armour_stands.is_some() {
            self.plated = cells(&marks.armour_stands);
        }
        self.plated &= !(cells(&marks.armour_crossed) | self.crossed);
        self.dented |= cells(&marks.armour_half_crossed);
        self.dented &= self.plated;
        if !marks.dead && self.crossed & bit_of_cell(0) == 0 {
            return self;
        }
        let killed = self.with_death_mark();
        HitCard { armour: marks.armour_left.unwrap_or(killed.armour), ..killed }
    }

    /// Returns the marks on a card that was `fresh`, whose first cell is `top`:
    /// [`with_added_marks`](HitCard::with_added_marks) with these marks turns `fresh` into this
    /// card. `own_armour`: the reader has no access to the armour of `fresh`.
    pub fn marks_since(&self, fresh: &HitCard, top: u8, own_armour: bool) -> RewrittenTable {
        let labels = |cells: u16| {
            let labels = (0..=top).rev().filter(|label| cells & bit_of_cell(*label) != 0);
            labels.map(i32::from).collect::<Vec<i32>>()
        };
        let mut marks = vec![
            ("crossed", labels(self.crossed)),
            ("half_crossed", labels(self.half)),
            ("armour_half_crossed", labels(self.dented)),
        ];
        let own_armour = own_armour || self.plated & !fresh.plated != 0;
        match self.dead {
            true => marks.push(("dead", vec![1])),
            false if own_armour => {}
            false => {
                marks.push(("armour_crossed", labels(fresh.plated & !self.plated & !self.crossed)))
            }
        }
        // Listed also where all of it is left: a follow-up may not have the same armour.
        if fresh.armour > 0 || self.dead {
            marks.push(("armour_left", vec![self.armour.into()]));
        }
        marks.retain(|(_, numbers)| !numbers.is_empty());
        // An empty list is written as well.
        if own_armour && !self.dead {
            marks.push(("armour_stands", labels(self.plated)));
        }
        marks.into_iter().map(|(name, numbers)| (Text::Static(name), numbers)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BludgeoningRules, LethalAndBludgeoning};
    use super::*;

    const FULL_HP: u8 = 10;

    const RULES: BludgeoningRules =
        BludgeoningRules { kills_past_zero: true, passes_armour: false };

    fn lethal(points: u8) -> LethalAndBludgeoning {
        LethalAndBludgeoning { lethal: points, bludgeoning: 0 }
    }

    fn bludgeoning(points: u8) -> LethalAndBludgeoning {
        LethalAndBludgeoning { lethal: 0, bludgeoning: points }
    }

    /// Tests every card that three hits of any kind lead to, from each kind of armour and from
    /// wounds.
    #[test]
    fn marks_make_the_card_again() {
        let hits = [lethal(3), bludgeoning(5), LethalAndBludgeoning { lethal: 2, bludgeoning: 4 }];
        let fresh = [
            HitCard::new(FULL_HP, 0, 0, FULL_HP),
            HitCard::new(FULL_HP, 4, 0, FULL_HP),
            HitCard::new(FULL_HP, 0, 4, 7),
            HitCard::new(6, 0, 6, FULL_HP),
            HitCard::new(LARGEST_FIRST_CELL, 0, 2, 1),
        ];
        for fresh in fresh {
            let mut cards = vec![fresh];
            for hit in hits {
                let next = cards.iter().flat_map(|card| {
                    (0..=12).map(|start| card.apply_hit(start, hit, RULES)).collect::<Vec<_>>()
                });
                cards = next.collect();
                cards.sort_unstable();
                cards.dedup();
                for card in &cards {
                    let marks = card.marks_since(&fresh, LARGEST_FIRST_CELL, false);
                    assert_eq!(fresh.with_added_marks(&struck(&marks)), *card, "{card:?}");
                    // A card whose armour is not given.
                    let bare = HitCard { plated: 0, ..fresh };
                    let marks = card.marks_since(&fresh, LARGEST_FIRST_CELL, true);
                    assert_eq!(bare.with_added_marks(&struck(&marks)), *card, "{card:?}");
                }
            }
        }
        // "Cells 9, 7 and 6 crossed, 5 half crossed": five points.
        let told = [("crossed", vec![9, 7, 6]), ("half_crossed", vec![5])];
        let told: RewrittenTable =
            told.into_iter().map(|(name, cells)| (Text::Static(name), cells)).collect();
        let card = fresh[0].with_added_marks(&struck(&told));
        assert_eq!((card.remaining_hp(), card.half), (5, bit_of_cell(5)));
        assert_eq!(card.marks_since(&fresh[0], FULL_HP, false), told);
    }

    fn struck(marks: &RewrittenTable) -> CardMarkFields {
        let cells = |name: &str| {
            let mark = marks.iter().find(|(known, _)| &**known == name);
            mark.map(|(_, cells)| cells.iter().map(|cell| *cell as u8).collect::<Vec<u8>>())
        };
        CardMarkFields {
            crossed: cells("crossed"),
            half_crossed: cells("half_crossed"),
            armour_left: cells("armour_left").map(|cells| cells[0]),
            armour_crossed: cells("armour_crossed"),
            armour_half_crossed: cells("armour_half_crossed"),
            armour_stands: cells("armour_stands"),
            dead: cells("dead").is_some(),
        }
    }
}
