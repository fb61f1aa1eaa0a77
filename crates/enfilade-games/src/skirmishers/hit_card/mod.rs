//! Marks on a unit card: its cells, from the highest to 0, the crosses on them, and the state of
//! the trooper.
//!
//! Source: base rules (unit card, hits, armour) and Body Armor of the advanced rules. A hit starts
//! at the cell that 2d6 picks and goes on towards 0. The attacker does not matter to a card.
//!
//! # Which marks matter
//!
//! The printed card has eleven cells, each clean, half crossed or crossed, and armour beside them.
//! The effect of the next hit depends on all of them, but marks that can no longer matter are
//! dropped: of a dead trooper only the number of armour cells is stored, because it is reported,
//! and a crossed cell has no half mark and no armour. Cells below the lowest crossed one are by
//! definition not crossed, so lethal hits alone leave at most 2¹⁰ cards and six of them far fewer,
//! because the order in which cells were crossed is not stored.

pub mod card_marks;

use enfilade_model::form::field_macros::choice;

/// Label of the first cell of the largest card. Cells that a smaller one does not have count as
/// crossed.
pub const LARGEST_FIRST_CELL: u8 = 15;

/// Damage of one hit at the cell from which it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LethalAndBludgeoning {
    /// Cells crossed.
    pub lethal: u8,
    /// Cells half crossed.
    pub bludgeoning: u8,
}

/// Readings for bludgeoning where the rules leave it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BludgeoningRules {
    /// Whether damage past cell 0 kills, as lethal damage does.
    pub kills_past_zero: bool,
    /// Whether a point that meets advanced armour goes on to the next cell instead of being lost.
    pub passes_armour: bool,
}

/// Marks on a trooper's card. Bit `n` is the cell with label `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HitCard {
    crossed: u16,
    half: u16,
    /// Cells with intact advanced armour, unmarked or half crossed.
    plated: u16,
    /// Cells among them whose armour is half crossed.
    dented: u16,
    /// Cells of standard armour left.
    armour: u8,
    dead: bool,
}

choice! {
    /// Reading of the dice that pick a cell.
    pub enum HitCellDiceReading {
        /// The sum is the cell's label; sums above the first cell mean that cell.
        Label = "label",
        /// The sum counts columns from the left: 2 is the first cell.
        Column = "column",
    }
}

impl HitCellDiceReading {
    /// Unit card: returns the label of the cell that a sum of 2d6 picks on a card whose first cell
    /// is `top`.
    pub fn cell_label_of_sum(self, sum: u8, top: u8) -> u8 {
        match self {
            HitCellDiceReading::Label => sum.min(top),
            HitCellDiceReading::Column => (top + 2).saturating_sub(sum),
        }
    }
}

impl HitCard {
    /// Creates the card of a trooper with `hp` left (the cells above are crossed), `armour` cells
    /// of standard armour and advanced armour on `plates` cells from `from` downwards.
    pub fn new(hp: u8, armour: u8, plates: u8, from: u8) -> HitCard {
        let crossed =
            (hp + 1..LARGEST_FIRST_CELL + 1).fold(0, |cells, label| cells | bit_of_cell(label));
        let lowest = (from + 1).saturating_sub(plates);
        let plated = (lowest..from + 1).fold(0, |cells, label| cells | bit_of_cell(label));
        HitCard { crossed, half: 0, plated: plated & !crossed, dented: 0, armour, dead: false }
    }

    /// Returns the card of a trooper who dies with these marks.
    fn with_death_mark(self) -> HitCard {
        HitCard {
            crossed: 0,
            half: 0,
            plated: 0,
            dented: 0,
            armour: self.count_armour_cells_left(),
            dead: true,
        }
    }

    /// Returns the cells with intact advanced armour.
    pub fn intact_advanced_armour_bits(&self) -> u16 {
        self.plated
    }

    /// Unit card: returns whether the trooper is dead.
    pub fn is_dead(&self) -> bool {
        self.dead
    }

    /// Unit card: HP is the cell below the lowest crossed one.
    ///
    /// Returns the cell to the right of the lowest crossed one; 0 when dead.
    pub fn remaining_hp(&self) -> u8 {
        if self.dead {
            return 0;
        }
        let lowest = self.crossed.trailing_zeros() as u8;
        lowest.saturating_sub(1)
    }

    /// Unit card: returns whether the trooper can act, which ends at HP 0.
    pub fn can_trooper_act(&self) -> bool {
        self.remaining_hp() > 0
    }

    /// Returns the cells of armour left, of either kind.
    pub fn count_armour_cells_left(&self) -> u8 {
        self.armour + self.plated.count_ones() as u8
    }

    /// Unit card: applies a hit that starts at the cell labelled `start`, the lethal part first.
    pub fn apply_hit(
        self,
        start: u8,
        damage: LethalAndBludgeoning,
        rules: BludgeoningRules,
    ) -> HitCard {
        if self.dead {
            return self;
        }
        let card = self.apply_lethal_damage(start, damage.lethal);
        card.apply_bludgeoning_damage(start, damage.bludgeoning, rules)
    }

    /// Body Armor: "any cells of armor are destroyed before applying lethal damage to the
    /// trooper".
    fn apply_lethal_damage(mut self, start: u8, points: u8) -> HitCard {
        let absorbed = points.min(self.armour);
        self.armour -= absorbed;
        let mut points = points - absorbed;
        for label in (0..=start).rev() {
            if points == 0 || self.dead {
                return self;
            }
            if self.crossed & bit_of_cell(label) == 0 {
                self = self.apply_lethal_point_at_cell(label);
                points -= 1;
            }
        }
        if points > 0 && !self.dead { self.with_death_mark() } else { self }
    }

    /// Body Armor: "The first hit with lethal damage partially crosses out the armor cell (\) and
    /// the second hit fully crosses out the armor cell (X)."
    ///
    /// Applies one lethal point at an uncrossed cell: to its armour, while that is intact.
    fn apply_lethal_point_at_cell(mut self, label: u8) -> HitCard {
        let cell = bit_of_cell(label);
        if self.plated & cell == 0 {
            return self.cross_out_cell(label);
        }
        if self.dented & cell == 0 {
            self.dented |= cell;
        } else {
            self.plated &= !cell;
            self.dented &= !cell;
        }
        self
    }

    /// Unit card: crosses a cell; a trooper with cell 0 crossed is dead.
    fn cross_out_cell(mut self, label: u8) -> HitCard {
        if label == 0 {
            return self.with_death_mark();
        }
        self.crossed |= bit_of_cell(label);
        // A crossed cell has no half mark, so that equal cards have equal bits.
        self.half &= !bit_of_cell(label);
        self
    }

    /// Body Armor: "Only HP cells protected by body armor ignore bludgeoning damage."
    fn apply_bludgeoning_damage(
        mut self,
        start: u8,
        points: u8,
        rules: BludgeoningRules,
    ) -> HitCard {
        // Standard armour stops all bludgeoning as long as one cell of it is left.
        if self.dead || self.armour > 0 {
            return self;
        }
        let mut points = points;
        for label in (0..=start).rev() {
            let cell = bit_of_cell(label);
            if points == 0 || self.dead {
                return self;
            }
            if self.crossed & cell != 0 {
                continue;
            }
            if self.plated & cell != 0 {
                points -= u8::from(!rules.passes_armour);
                continue;
            }
            points -= 1;
            if self.half & cell == 0 {
                self.half |= cell;
            } else {
                self = self.cross_out_cell(label);
            }
        }
        if points > 0 && rules.kills_past_zero && !self.dead {
            self.with_death_mark()
        } else {
            self
        }
    }
}

fn bit_of_cell(label: u8) -> u16 {
    1 << label
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First cell of the printed card.
    const FULL_HP: u8 = 10;

    const RULES: BludgeoningRules =
        BludgeoningRules { kills_past_zero: true, passes_armour: false };

    const SPARING: BludgeoningRules = BludgeoningRules { kills_past_zero: false, ..RULES };

    fn lethal(points: u8) -> LethalAndBludgeoning {
        LethalAndBludgeoning { lethal: points, bludgeoning: 0 }
    }

    fn bludgeoning(points: u8) -> LethalAndBludgeoning {
        LethalAndBludgeoning { lethal: 0, bludgeoning: points }
    }

    fn fresh() -> HitCard {
        HitCard::new(FULL_HP, 0, 0, FULL_HP)
    }

    #[test]
    fn the_example_card_has_five_points() {
        // 9, 7 and 6 crossed, 5 half crossed.
        let card = fresh().apply_hit(9, lethal(1), RULES).apply_hit(7, lethal(2), RULES);
        let card = card.apply_hit(5, bludgeoning(1), RULES);
        assert_eq!((card.remaining_hp(), card.is_dead()), (5, false));
        assert_eq!(card.half, bit_of_cell(5));
        // A second half mark crosses 5.
        assert_eq!(card.apply_hit(5, bludgeoning(1), RULES).remaining_hp(), 4);
    }

    #[test]
    fn hits_go_on_towards_zero_past_crossed_cells() {
        let card = fresh().apply_hit(8, lethal(2), RULES);
        assert_eq!(card.remaining_hp(), 6);
        // From 10: 10, 9, then 6 and 5, because 8 and 7 are crossed.
        assert_eq!(card.apply_hit(10, lethal(4), RULES).remaining_hp(), 4);
        assert_eq!(fresh().apply_hit(7, lethal(7), RULES).remaining_hp(), 0);
        assert!(!fresh().apply_hit(7, lethal(7), RULES).is_dead());
        assert!(fresh().apply_hit(7, lethal(8), RULES).is_dead());
        assert!(fresh().apply_hit(4, lethal(9), RULES).is_dead());
        assert!(fresh().apply_hit(0, lethal(1), RULES).is_dead());
    }

    #[test]
    fn standard_armour_goes_first_and_stops_bludgeoning() {
        let card = HitCard::new(FULL_HP, 4, 0, FULL_HP);
        let card = card.apply_hit(10, bludgeoning(8), RULES);
        assert_eq!((card.half, card.count_armour_cells_left()), (0, 4));
        let card = card.apply_hit(10, lethal(3), RULES);
        assert_eq!((card.remaining_hp(), card.count_armour_cells_left()), (10, 1));
        let card = card.apply_hit(10, lethal(3), RULES);
        assert_eq!((card.remaining_hp(), card.count_armour_cells_left()), (8, 0));
        assert_eq!(card.apply_hit(8, bludgeoning(1), RULES).half, bit_of_cell(8));
    }

    #[test]
    fn advanced_armour_takes_two_marks_a_cell() {
        // Cells 10 to 7 protected.
        let card = HitCard::new(FULL_HP, 0, 4, FULL_HP);
        let card = card.apply_hit(8, lethal(3), RULES);
        // 8 and 7 dented, 6 crossed.
        assert_eq!((card.remaining_hp(), card.count_armour_cells_left()), (5, 4));
        let card = card.apply_hit(8, lethal(3), RULES);
        // Their armour is destroyed; 5 is crossed.
        assert_eq!((card.remaining_hp(), card.count_armour_cells_left()), (4, 2));
        let card = card.apply_hit(8, lethal(3), RULES);
        assert_eq!(
            card.crossed & 0b111_1111_1111,
            bit_of_cell(8) | bit_of_cell(7) | bit_of_cell(6) | bit_of_cell(5) | bit_of_cell(4)
        );
    }

    #[test]
    fn armour_on_cell_0_takes_its_marks_before_the_trooper_dies() {
        // Cells 1 and 0 protected: a point at 0 dents its armour, and a second one runs past it.
        let card = HitCard::new(FULL_HP, 0, 2, 1);
        let dented = card.apply_hit(0, lethal(1), RULES);
        assert_eq!(
            (dented.is_dead(), dented.remaining_hp(), dented.dented),
            (false, 10, bit_of_cell(0))
        );
        assert!(card.apply_hit(0, lethal(2), RULES).is_dead());
        let bare = dented.apply_hit(0, lethal(1), RULES);
        assert_eq!((bare.is_dead(), bare.count_armour_cells_left()), (false, 1));
        assert!(bare.apply_hit(0, lethal(1), RULES).is_dead());
    }

    #[test]
    fn the_dead_keep_the_armour_that_stands() {
        // Cells 10 to 7 protected, 2 to 0 not.
        let card = HitCard::new(FULL_HP, 0, 4, FULL_HP);
        let dead = card.apply_hit(2, lethal(3), RULES);
        assert_eq!((dead.is_dead(), dead.count_armour_cells_left()), (true, 4));
        assert_eq!(dead.apply_hit(10, lethal(9), RULES), dead);
        // Two points break the armour of 7 in two hits; the second runs on past 0.
        let dented = card.apply_hit(7, lethal(1), RULES);
        let dead = dented.apply_hit(7, lethal(9), RULES);
        assert_eq!((dead.is_dead(), dead.count_armour_cells_left()), (true, 3));
    }

    #[test]
    fn only_protected_cells_ignore_bludgeoning_under_advanced_armour() {
        let card = HitCard::new(FULL_HP, 0, 2, 7).apply_hit(8, bludgeoning(4), RULES);
        assert_eq!(card.half, bit_of_cell(8) | bit_of_cell(5));
        // Passed on, the two points meant for 7 and 6 mark 4 and 3.
        let passed_on = BludgeoningRules { passes_armour: true, ..RULES };
        let card = HitCard::new(FULL_HP, 0, 2, 7).apply_hit(8, bludgeoning(4), passed_on);
        assert_eq!(card.half, bit_of_cell(8) | bit_of_cell(5) | bit_of_cell(4) | bit_of_cell(3));
    }

    #[test]
    fn what_runs_past_zero_kills_when_told_so() {
        let card = fresh();
        assert!(card.apply_hit(2, bludgeoning(8), RULES).is_dead());
        let stunned = card.apply_hit(2, bludgeoning(8), SPARING);
        assert_eq!((stunned.is_dead(), stunned.half), (false, 0b111));
        let mixed = LethalAndBludgeoning { lethal: 1, bludgeoning: 4 };
        // 1X crosses 9; 4\ half crosses 8, 7, 6, 5 from the same start.
        let card = fresh().apply_hit(9, mixed, RULES);
        assert_eq!(
            (card.crossed & 0b111_1111_1111, card.half),
            (bit_of_cell(9), bit_of_cell(8) | bit_of_cell(7) | bit_of_cell(6) | bit_of_cell(5))
        );
    }

    #[test]
    fn the_largest_card_has_sixteen_cells() {
        let card = HitCard::new(LARGEST_FIRST_CELL, 0, 0, LARGEST_FIRST_CELL);
        assert_eq!((card.remaining_hp(), card.crossed), (15, 0));
        assert_eq!(card.apply_hit(15, lethal(15), RULES).remaining_hp(), 0);
        assert!(card.apply_hit(15, lethal(16), RULES).is_dead());
    }

    #[test]
    fn a_wounded_trooper_starts_with_crossed_cells() {
        let card = HitCard::new(5, 0, 0, FULL_HP);
        assert_eq!((card.remaining_hp(), card.crossed.count_ones()), (5, 10));
        assert_eq!(HitCard::new(0, 0, 0, FULL_HP).remaining_hp(), 0);
        assert_eq!(
            (
                HitCellDiceReading::Label.cell_label_of_sum(12, 10),
                HitCellDiceReading::Label.cell_label_of_sum(12, 15)
            ),
            (10, 12)
        );
        let column = |sum| HitCellDiceReading::Column.cell_label_of_sum(sum, 10);
        assert_eq!((column(2), column(12)), (10, 0));
    }
}
