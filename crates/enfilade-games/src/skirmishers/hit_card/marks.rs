//! Marks on a card, as a contest gives them and passes them on.
//!
//! Source: unit card, Body Armor.

use super::{Card, TOP, bit};
use enfilade_model::combat::Written;
use enfilade_model::form::Kind;
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_macros::fields;
use enfilade_model::shared::Text;

const CELL: Bound = Bound::new("cell", 0, TOP as i64);
const ARMOUR: Bound = Bound::new("number of armour cells", 0, TOP as i64 + 1);

fields! {
    /// Marks on a card.
    pub struct Struck {
        /// cells that are crossed
        crossed: Option<Vec<u8>> = optional(Kind::list(const { &Kind::Int(CELL) }))
            .label("crossed cells");
        /// cells that are half crossed
        half_crossed: Option<Vec<u8>> = optional(Kind::list(const { &Kind::Int(CELL) }))
            .label("half crossed cells");
        /// cells of standard armour that are left; all of them when left out
        armour_left: Option<u8> = optional(Kind::Int(ARMOUR)).rule("Body Armor")
            .label("armour cells left");
        /// cells whose advanced armour is crossed
        armour_crossed: Option<Vec<u8>> = optional(Kind::list(const { &Kind::Int(CELL) }))
            .rule("Body Armor").label("cells with crossed armour");
        /// cells whose advanced armour is half crossed
        armour_half_crossed: Option<Vec<u8>> = optional(Kind::list(const { &Kind::Int(CELL) }))
            .rule("Body Armor").label("cells with half crossed armour");
        /// cells with intact advanced armour, where they are not those that the armour of the contest
        /// protects
        armour_stands: Option<Vec<u8>> = optional(Kind::list(const { &Kind::Int(CELL) }))
            .rule("Body Armor").label("cells with standing armour");
        /// the trooper is dead
        dead: bool = flag(false).label("dead").values(&["alive", "dead"]);
    }
}

impl Card {
    /// Returns the card with these marks added.
    pub fn marked(mut self, marks: &Struck) -> Card {
        let cells = |labels: &Option<Vec<u8>>| {
            labels.iter().flatten().fold(0, |cells, label| cells | bit(*label))
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
        if !marks.dead && self.crossed & bit(0) == 0 {
            return self;
        }
        let killed = self.killed();
        Card { armour: marks.armour_left.unwrap_or(killed.armour), ..killed }
    }

    /// Returns the marks on a card that was `fresh`, whose first cell is `top`:
    /// [`marked`](Card::marked) with these marks turns `fresh` into this card. `own_armour`: the
    /// reader has no access to the armour of `fresh`.
    pub fn marks(&self, fresh: &Card, top: u8, own_armour: bool) -> Written {
        let labels = |cells: u16| {
            let labels = (0..=top).rev().filter(|label| cells & bit(*label) != 0);
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
    use super::super::{Bludgeoning, Damage};
    use super::*;

    const FULL_HP: u8 = 10;

    const RULES: Bludgeoning = Bludgeoning { kills_past_zero: true, passes_armour: false };

    fn lethal(points: u8) -> Damage {
        Damage { lethal: points, bludgeoning: 0 }
    }

    fn bludgeoning(points: u8) -> Damage {
        Damage { lethal: 0, bludgeoning: points }
    }

    /// Tests every card that three hits of any kind lead to, from each kind of armour and from
    /// wounds.
    #[test]
    fn marks_make_the_card_again() {
        let hits = [lethal(3), bludgeoning(5), Damage { lethal: 2, bludgeoning: 4 }];
        let fresh = [
            Card::new(FULL_HP, 0, 0, FULL_HP),
            Card::new(FULL_HP, 4, 0, FULL_HP),
            Card::new(FULL_HP, 0, 4, 7),
            Card::new(6, 0, 6, FULL_HP),
            Card::new(TOP, 0, 2, 1),
        ];
        for fresh in fresh {
            let mut cards = vec![fresh];
            for hit in hits {
                let next = cards.iter().flat_map(|card| {
                    (0..=12).map(|start| card.hit(start, hit, RULES)).collect::<Vec<_>>()
                });
                cards = next.collect();
                cards.sort_unstable();
                cards.dedup();
                for card in &cards {
                    let marks = card.marks(&fresh, TOP, false);
                    assert_eq!(fresh.marked(&struck(&marks)), *card, "{card:?}");
                    // A card whose armour is not given.
                    let bare = Card { plated: 0, ..fresh };
                    let marks = card.marks(&fresh, TOP, true);
                    assert_eq!(bare.marked(&struck(&marks)), *card, "{card:?}");
                }
            }
        }
        // "Cells 9, 7 and 6 crossed, 5 half crossed": five points.
        let told = [("crossed", vec![9, 7, 6]), ("half_crossed", vec![5])];
        let told: Written =
            told.into_iter().map(|(name, cells)| (Text::Static(name), cells)).collect();
        let card = fresh[0].marked(&struck(&told));
        assert_eq!((card.hp(), card.half), (5, bit(5)));
        assert_eq!(card.marks(&fresh[0], FULL_HP, false), told);
    }

    fn struck(marks: &Written) -> Struck {
        let cells = |name: &str| {
            let found = marks.iter().find(|(known, _)| &**known == name);
            found.map(|(_, cells)| cells.iter().map(|cell| *cell as u8).collect::<Vec<u8>>())
        };
        Struck {
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
