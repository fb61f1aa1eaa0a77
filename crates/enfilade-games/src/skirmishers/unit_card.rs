//! Columns of a unit card: a trooper's abilities at each HP, and the cell that 2d6 pick.
//!
//! Source: base rules (unit card). The printed card has the cells 10 to 0; a designer's own has any
//! number, up to 15 above cell 0. `hit_card` has the marks on it.

use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::fields;
use enfilade_model::form::{Fault, FieldType, Fields};

use super::hit_card::{HitCellDiceReading, LARGEST_FIRST_CELL};
use super::skirmishers_data::{UnitCardCell, skirmishers_data};

const ACTION_POINTS_RANGE: IntRange = IntRange::new("number of action points", 0, 20);
const MODIFIER_RANGE: IntRange = IntRange::new("modifier", -12, 12);
const CELL_NUMBER_RANGE: IntRange = IntRange::new("cell", 0, LARGEST_FIRST_CELL as i64);

/// Number of sums of 2d6, 2 to 12.
pub const TWO_DICE_SUM_COUNT: usize = 11;

fields! {
    /// Custom unit card.
    pub struct CustomCardFields {
        /// action points at each cell, from the highest to cell 1; at cell 0 a trooper is out of
        /// action; the printed ones when left out
        ap: Option<Vec<i64>> = new_optional(FieldType::list_of(const { &FieldType::Int(ACTION_POINTS_RANGE) }))
            .with_player_name("AP by cell").with_unit("AP");
        /// modifier of a trooper's attacks at each cell, from the highest to cell 1; the printed
        /// ones when left out
        modifiers: Option<Vec<i64>> = new_optional(FieldType::list_of(const { &FieldType::Int(MODIFIER_RANGE) }))
            .with_player_name("modifier by cell");
        /// the cell from which a hit goes on, for the sums 2 to 12 of 2d6; by `cell_mapping` when
        /// left out
        hit_cells: Option<Vec<u8>> = new_optional(FieldType::list_of(const { &FieldType::Int(CELL_NUMBER_RANGE) }))
            .with_player_name("cell by 2d6");
    }
}

/// Fields of a custom card.
pub const CUSTOM_CARD_FIELDS: Fields = joined![CustomCardFields::FIELDS];

/// Columns of a unit card.
#[derive(Clone, Debug)]
pub struct UnitCard {
    /// Cells by HP, from 0.
    rows: Vec<UnitCardCell>,
    hit_cells: Option<[u8; TWO_DICE_SUM_COUNT]>,
}

impl UnitCard {
    /// Returns the card of the rulebook.
    pub fn default_of_rulebook() -> UnitCard {
        UnitCard { rows: skirmishers_data().card.clone(), hit_cells: None }
    }

    /// Returns the card that `field` gives, or that of the rulebook.
    ///
    /// # Errors
    /// Columns of different lengths, and cells that the card does not have.
    pub fn from_field_or_default(
        custom_fields: Option<&CustomCardFields>,
        field: &str,
    ) -> Result<UnitCard, Vec<Fault>> {
        let Some(custom_fields) = custom_fields else {
            return Ok(UnitCard::default_of_rulebook());
        };
        let card = custom_fields.columns_by_hp().and_then(|rows| {
            let hit_cells =
                custom_fields.hit_cells.as_deref().map(|cells| read_hit_cells(cells, &rows));
            Ok(UnitCard { rows, hit_cells: hit_cells.transpose()? })
        });
        card.map_err(|fault| vec![fault.prefix_path(field)])
    }

    /// Returns the HP of an unhurt trooper, which is the label of the first cell.
    pub fn top_hp(&self) -> u8 {
        self.rows.len().saturating_sub(1) as u8
    }

    /// Returns the HP that `field` gives, or all of them.
    ///
    /// # Errors
    /// If there are more HP than cells.
    pub fn read_hp(&self, given: Option<u8>, field: &str) -> Result<u8, Vec<Fault>> {
        let top = self.top_hp();
        match given {
            Some(hp) if hp > top => {
                let problem = format!("the unit card has {top} HP, and `{field}` is {hp}");
                Err(vec![Fault::new(field, problem)])
            }
            given => Ok(given.unwrap_or(top)),
        }
    }

    /// Unit card: returns the modifier of a trooper's attacks; `None` when the trooper is out of
    /// action.
    pub fn attack_modifier(&self, hp: u8) -> Option<i64> {
        self.rows.get(usize::from(hp)).and_then(|row| row.modifier)
    }

    /// Unit card, Trooper Experience, Body Armor: returns the action points of the cell of these
    /// HP, plus those of experience and armour, at least 0.
    pub fn action_points(&self, hp: u8, additions: i64) -> i64 {
        let of_the_cell = self.rows.get(usize::from(hp)).map_or(0, |row| row.ap);
        if of_the_cell == 0 { 0 } else { (of_the_cell + additions).max(0) }
    }

    /// Base rules: returns the cell that each sum of 2d6 picks, from 2 on.
    pub fn hit_cells_by_sum(&self, mapping: HitCellDiceReading) -> [u8; TWO_DICE_SUM_COUNT] {
        let by_mapping = || {
            let mut sum = 1;
            [0; TWO_DICE_SUM_COUNT].map(|_| {
                sum += 1;
                mapping.cell_label_of_sum(sum, self.top_hp())
            })
        };
        self.hit_cells.unwrap_or_else(by_mapping)
    }
}

impl CustomCardFields {
    /// Returns both columns by HP, from 0: as given, or as printed.
    fn columns_by_hp(&self) -> Result<Vec<UnitCardCell>, Fault> {
        let printed = || skirmishers_data().card.iter().skip(1).rev();
        let ap = self.ap.clone().unwrap_or_else(|| printed().map(|row| row.ap).collect());
        let modifiers = self.modifiers.clone();
        let modifiers =
            modifiers.unwrap_or_else(|| printed().filter_map(|row| row.modifier).collect());
        let (cells, ap_by_hp) = match &self.ap {
            Some(_) => (ap.len(), "ap"),
            None => (modifiers.len(), "modifiers"),
        };
        if !(1..=usize::from(LARGEST_FIRST_CELL)).contains(&cells) {
            let problem =
                format!("expected 1 to {LARGEST_FIRST_CELL} cells above cell 0, found {cells}");
            return Err(Fault::new(ap_by_hp, problem));
        }
        if ap.len() != modifiers.len() {
            let problem = format!(
                "`ap` has {} cells and `modifiers` {}, both without cell 0",
                ap.len(),
                modifiers.len()
            );
            let other = if self.ap.is_some() { "modifiers" } else { "ap" };
            return Err(
                Fault::new(other, problem).with_help("give one number for each cell above 0")
            );
        }
        let above = ap.into_iter().zip(modifiers);
        let above = above.map(|(ap, modifier)| UnitCardCell { ap, modifier: Some(modifier) });
        let below = [UnitCardCell { ap: 0, modifier: None }];
        Ok(below.into_iter().chain(above.rev()).collect())
    }
}

/// Checks that there is a cell for every sum, all of them on the card.
fn read_hit_cells(cells: &[u8], rows: &[UnitCardCell]) -> Result<[u8; TWO_DICE_SUM_COUNT], Fault> {
    let wrong = |problem: String| Fault::new("hit_cells", problem);
    let Ok(cells) = <[u8; TWO_DICE_SUM_COUNT]>::try_from(cells) else {
        let problem = format!(
            "expected {TWO_DICE_SUM_COUNT} cells, for the sums 2 to 12 of 2d6, found {}",
            cells.len()
        );
        return Err(wrong(problem));
    };
    let top = rows.len() - 1;
    match cells.iter().find(|&&cell| usize::from(cell) > top) {
        Some(cell) => Err(wrong(format!("the highest cell of the card is {top}, not {cell}"))),
        None => Ok(cells),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_card_reads_seven_points_and_plus_two() {
        let card = UnitCard::default_of_rulebook();
        assert_eq!((card.action_points(5, 0), card.attack_modifier(5)), (7, Some(2)));
        let armour = skirmishers_data().find_armour_or_level("standard").expect("printed");
        assert_eq!((armour.cells, armour.ap), (Some(4), -2));
        assert_eq!(card.action_points(10, armour.ap), 6);
        assert_eq!((card.action_points(0, 2), card.attack_modifier(0)), (0, None));
        assert_eq!(
            card.hit_cells_by_sum(HitCellDiceReading::Label),
            [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]
        );
        assert_eq!(
            card.hit_cells_by_sum(HitCellDiceReading::Column),
            [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
        );
    }

    #[test]
    fn an_own_card_has_its_own_cells() {
        let own =
            |ap: Option<Vec<i64>>, modifiers: Option<Vec<i64>>, hit_cells: Option<Vec<u8>>| {
                UnitCard::from_field_or_default(
                    Some(&CustomCardFields { ap, modifiers, hit_cells }),
                    "card",
                )
            };
        let card = own(Some(vec![9, 6, 3]), Some(vec![0, 1, 4]), None).expect("three cells");
        assert_eq!(
            (card.top_hp(), card.action_points(3, 1), card.attack_modifier(1)),
            (3, 10, Some(4))
        );
        // 2 to 12 with three cells: the label, or the highest.
        assert_eq!(
            card.hit_cells_by_sum(HitCellDiceReading::Label),
            [2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]
        );
        assert_eq!(
            card.hit_cells_by_sum(HitCellDiceReading::Column),
            [3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        );
        assert_eq!(
            (card.read_hp(None, "hp").ok(), card.read_hp(Some(4), "hp").ok()),
            (Some(3), None)
        );
        // The other column is the printed one, which has ten cells above 0.
        let card = own(None, Some(vec![0; 10]), Some(vec![1; 11])).expect("ten cells");
        assert_eq!((card.action_points(5, 0), card.attack_modifier(5)), (7, Some(0)));
        assert_eq!(card.hit_cells_by_sum(HitCellDiceReading::Label), [1; 11]);
        let fault = |card: Result<UnitCard, Vec<Fault>>| card.expect_err("refused")[0].path.clone();
        assert_eq!(fault(own(Some(vec![8; 3]), None, None)), "card.modifiers");
        assert_eq!(fault(own(Some(vec![8; 16]), Some(vec![0; 16]), None)), "card.ap");
        assert_eq!(fault(own(None, Some(vec![]), None)), "card.modifiers");
        assert_eq!(fault(own(None, None, Some(vec![1; 10]))), "card.hit_cells");
        assert_eq!(fault(own(None, None, Some(vec![11; 11]))), "card.hit_cells");
    }
}
