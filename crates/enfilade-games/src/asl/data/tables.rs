//! The Infantry Fire Table, the Incremental one, and the vehicle line (A7.3, A7.308, A7.37).

use std::fmt;

use crate::tsv::{TsvDataError, TsvRow, TsvTable};

/// Counters of residual firepower (A8.2): the largest one that is at most half the firepower is
/// left behind.
pub const RESIDUAL_COUNTERS: [i64; 6] = [12, 8, 6, 4, 2, 1];

/// Number of lines, for Final DRs from 0 to 15; lower ones read 0, higher ones read 15.
const FIRE_TABLE_LINE_COUNT: usize = 16;

/// Result of the table for Personnel, in order of severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FireTableResult {
    /// `—`: no effect (A7.306).
    NoEffect,
    /// Pin Task Check (A7.305).
    Ptc,
    /// Morale Check with this number added; 0 is a Normal Morale Check (A7.303, A7.304).
    Mc(u8),
    /// Casualty Reduction of one unit, then Morale Checks with this number added (A7.302).
    K(u8),
    /// This many units eliminated, the others broken (A7.301).
    Kia(u8),
}

impl FireTableResult {
    /// Parses `2KIA`, `K/3`, `1MC`, `NMC`, `PTC` or `-`.
    pub fn parse_result_cell(text: &str) -> Option<FireTableResult> {
        let digit = |text: &str| text.parse().ok().filter(|n| (1..=9).contains(n));
        match text {
            "-" => Some(FireTableResult::NoEffect),
            "PTC" => Some(FireTableResult::Ptc),
            "NMC" => Some(FireTableResult::Mc(0)),
            _ => None
                .or_else(|| text.strip_suffix("KIA").and_then(digit).map(FireTableResult::Kia))
                .or_else(|| text.strip_suffix("MC").and_then(digit).map(FireTableResult::Mc))
                .or_else(|| text.strip_prefix("K/").and_then(digit).map(FireTableResult::K)),
        }
    }
}

impl fmt::Display for FireTableResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FireTableResult::NoEffect => f.write_str("no effect"),
            FireTableResult::Ptc => f.write_str("PTC"),
            FireTableResult::Mc(0) => f.write_str("NMC"),
            FireTableResult::Mc(n) => write!(f, "{n}MC"),
            FireTableResult::K(n) => write!(f, "K/{n}"),
            FireTableResult::Kia(n) => write!(f, "{n}KIA"),
        }
    }
}

/// Firepower column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirepowerColumn {
    /// Printed head: `8`, `2.5`, `36+`.
    pub name: String,
    /// Firepower in 64ths.
    pub firepower: i64,
    /// Whether the column is one of the IFT, to which column shifts go (A7.371).
    pub standard: bool,
    /// Kill Number of the vehicle line (A7.308).
    pub kill_number: i32,
    cells: [FireTableResult; FIRE_TABLE_LINE_COUNT],
}

impl FirepowerColumn {
    /// Returns the result of a Final DR.
    pub fn result_at(&self, final_dr: i32) -> FireTableResult {
        self.cells[final_dr.clamp(0, FIRE_TABLE_LINE_COUNT as i32 - 1) as usize]
    }

    /// Returns the largest number of the `#KIA` results, which is the number of vehicles that an
    /// attack may affect (A7.308).
    pub fn largest_kia_number(&self) -> u8 {
        match self.result_at(0) {
            FireTableResult::Kia(n) => n,
            _ => 0,
        }
    }
}

/// Fire table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FireTableGrid {
    columns: Vec<FirepowerColumn>,
}

impl FireTableGrid {
    /// Reads the cells from `sheet` and the Kill Numbers from `vehicle_line`.
    ///
    /// # Errors
    /// The first cell that cannot be read.
    pub(super) fn read_from_tables(
        sheet: &TsvTable,
        vehicle_line: &TsvTable,
    ) -> Result<FireTableGrid, TsvDataError> {
        let kill_numbers = read_kill_numbers(vehicle_line)?;
        let mut columns = Vec::new();
        for (place, name) in sheet.column_heads().iter().enumerate().skip(1) {
            let firepower = parse_column_firepower(name);
            let standard = kill_numbers.iter().any(|(fp, _)| *fp == firepower);
            // An incremental column uses the Kill Number of the next lower column of the vehicle
            // line.
            let reached = kill_numbers.iter().rev().find(|(fp, _)| *fp <= firepower);
            columns.push(FirepowerColumn {
                name: (*name).to_owned(),
                firepower,
                standard,
                kill_number: reached.map_or(0, |(_, number)| *number),
                cells: read_column_results(sheet, place)?,
            });
        }
        Ok(FireTableGrid { columns })
    }

    /// Returns the columns, lowest firepower first.
    pub fn columns(&self) -> &[FirepowerColumn] {
        &self.columns
    }

    /// Finds the rightmost column whose firepower is at most `firepower` 64ths (A7.3).
    pub fn index_of_column_for(&self, firepower: i64) -> Option<usize> {
        self.columns.iter().rposition(|c| c.firepower <= firepower)
    }

    /// Returns the column `shifts` standard columns below `column`; `None` off the table.
    ///
    /// An incremental column drops to the next lower standard one first (A7.371).
    pub fn column_shifted_left(&self, column: usize, shifts: u8) -> Option<usize> {
        if shifts == 0 {
            return Some(column);
        }
        let standard = |place: &usize| self.columns[*place].standard;
        let mut standard_columns = (0..=column).rev().filter(standard);
        standard_columns.nth(usize::from(shifts))
    }
}

fn read_kill_numbers(sheet: &TsvTable) -> Result<Vec<(i64, i32)>, TsvDataError> {
    let mut numbers = Vec::new();
    for row in sheet.iter() {
        for name in &sheet.column_heads()[1..] {
            numbers.push((parse_column_firepower(name), row.number_in_column(name)?));
        }
    }
    Ok(numbers)
}

/// Parses a column head such as `2.5` or `36+` to 64ths.
fn parse_column_firepower(name: &str) -> i64 {
    let digits = name.trim_end_matches('+');
    let (whole, half) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, fraction == "5"),
        None => (digits, false),
    };
    64 * whole.parse::<i64>().unwrap_or(0) + if half { 32 } else { 0 }
}

fn read_column_results(
    sheet: &TsvTable,
    place: usize,
) -> Result<[FireTableResult; FIRE_TABLE_LINE_COUNT], TsvDataError> {
    let mut cells = [FireTableResult::NoEffect; FIRE_TABLE_LINE_COUNT];
    let rows: Vec<TsvRow<'_>> = sheet.iter().collect();
    for (cell, row) in cells.iter_mut().zip(&rows) {
        let text = row.cells_in_order()[place];
        let result = FireTableResult::parse_result_cell(text);
        *cell = result
            .ok_or_else(|| row.error_at_row(format!("`{text}` is no result of the table")))?;
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::super::expect_asl_data;
    use super::*;

    #[test]
    fn cells_are_read_as_printed() {
        assert_eq!(FireTableResult::parse_result_cell("3KIA"), Some(FireTableResult::Kia(3)));
        assert_eq!(FireTableResult::parse_result_cell("K/4"), Some(FireTableResult::K(4)));
        assert_eq!(FireTableResult::parse_result_cell("NMC"), Some(FireTableResult::Mc(0)));
        assert_eq!(
            (FireTableResult::parse_result_cell("0MC"), FireTableResult::parse_result_cell("MC")),
            (None, None)
        );
    }

    #[test]
    fn the_rightmost_column_that_is_reached_is_used() {
        let ift = &expect_asl_data().ift;
        let name = |fp: i64| ift.index_of_column_for(fp).map(|c| ift.columns()[c].name.as_str());
        assert_eq!((name(63), name(64)), (None, Some("1")));
        assert_eq!((name(9 * 64), name(42 * 64)), (Some("8"), Some("36+")));
    }

    #[test]
    fn column_shifts_go_to_standard_columns() {
        // A7.371: 4 FP cowers to 2, or to 1 when inexperienced; 5 FP first drops to 4.
        let iift = &expect_asl_data().iift;
        let shifted = |fp: i64, shifts| {
            let column = iift.index_of_column_for(fp).expect("at least 1 FP");
            let column = iift.column_shifted_left(column, shifts);
            column.map(|c| iift.columns()[c].name.as_str())
        };
        assert_eq!((shifted(4 * 64, 1), shifted(4 * 64, 2)), (Some("2"), Some("1")));
        assert_eq!((shifted(5 * 64, 1), shifted(5 * 64, 2)), (Some("2"), Some("1")));
        assert_eq!((shifted(64, 1), shifted(96, 1)), (None, None));
        assert_eq!(shifted(7 * 64, 1), Some("4"));
    }

    #[test]
    fn incremental_columns_use_the_lower_kill_number() {
        let iift = &expect_asl_data().iift;
        let kill = |fp: i64| {
            iift.columns()[iift.index_of_column_for(fp).expect("on the table")].kill_number
        };
        assert_eq!((kill(96), kill(4 * 64), kill(5 * 64)), (3, 5, 5));
        assert_eq!((kill(35 * 64), kill(40 * 64)), (12, 13));
    }
}
