//! The Infantry Fire Table, the Incremental one, and the vehicle line (A7.3, A7.308, A7.37).

use std::fmt;

use crate::tsv::{DataError, Record, Sheet};

/// Counters of residual firepower (A8.2): the largest one that is at most half the firepower is
/// left behind.
pub const RESIDUAL_COUNTERS: [i64; 6] = [12, 8, 6, 4, 2, 1];

/// Number of lines, for Final DRs from 0 to 15; lower ones read 0, higher ones read 15.
const LINES: usize = 16;

/// Result of the table for Personnel, in order of severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
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

impl Cell {
    /// Parses `2KIA`, `K/3`, `1MC`, `NMC`, `PTC` or `-`.
    pub fn parse(text: &str) -> Option<Cell> {
        let digit = |text: &str| text.parse().ok().filter(|n| (1..=9).contains(n));
        match text {
            "-" => Some(Cell::NoEffect),
            "PTC" => Some(Cell::Ptc),
            "NMC" => Some(Cell::Mc(0)),
            _ => None
                .or_else(|| text.strip_suffix("KIA").and_then(digit).map(Cell::Kia))
                .or_else(|| text.strip_suffix("MC").and_then(digit).map(Cell::Mc))
                .or_else(|| text.strip_prefix("K/").and_then(digit).map(Cell::K)),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::NoEffect => f.write_str("no effect"),
            Cell::Ptc => f.write_str("PTC"),
            Cell::Mc(0) => f.write_str("NMC"),
            Cell::Mc(n) => write!(f, "{n}MC"),
            Cell::K(n) => write!(f, "K/{n}"),
            Cell::Kia(n) => write!(f, "{n}KIA"),
        }
    }
}

/// Firepower column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Printed head: `8`, `2.5`, `36+`.
    pub name: String,
    /// Firepower in 64ths.
    pub firepower: i64,
    /// Whether the column is one of the IFT, to which column shifts go (A7.371).
    pub standard: bool,
    /// Kill Number of the vehicle line (A7.308).
    pub kill_number: i32,
    cells: [Cell; LINES],
}

impl Column {
    /// Returns the result of a Final DR.
    pub fn cell(&self, final_dr: i32) -> Cell {
        self.cells[final_dr.clamp(0, LINES as i32 - 1) as usize]
    }

    /// Returns the largest number of the `#KIA` results, which is the number of vehicles that an
    /// attack may affect (A7.308).
    pub fn largest_kia(&self) -> u8 {
        match self.cell(0) {
            Cell::Kia(n) => n,
            _ => 0,
        }
    }
}

/// Fire table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    columns: Vec<Column>,
}

impl Table {
    /// Reads the cells from `sheet` and the Kill Numbers from `vehicle_line`.
    ///
    /// # Errors
    /// The first cell that cannot be read.
    pub(super) fn read(sheet: &Sheet, vehicle_line: &Sheet) -> Result<Table, DataError> {
        let kill_numbers = kill_numbers(vehicle_line)?;
        let mut columns = Vec::new();
        for (place, name) in sheet.head().iter().enumerate().skip(1) {
            let firepower = sixty_fourths(name);
            let standard = kill_numbers.iter().any(|(fp, _)| *fp == firepower);
            // An incremental column uses the Kill Number of the next lower column of the vehicle
            // line.
            let reached = kill_numbers.iter().rev().find(|(fp, _)| *fp <= firepower);
            columns.push(Column {
                name: (*name).to_owned(),
                firepower,
                standard,
                kill_number: reached.map_or(0, |(_, number)| *number),
                cells: cells(sheet, place)?,
            });
        }
        Ok(Table { columns })
    }

    /// Returns the columns, lowest firepower first.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Finds the rightmost column whose firepower is at most `firepower` 64ths (A7.3).
    pub fn column_for(&self, firepower: i64) -> Option<usize> {
        self.columns.iter().rposition(|c| c.firepower <= firepower)
    }

    /// Returns the column `shifts` standard columns below `column`; `None` off the table.
    ///
    /// An incremental column drops to the next lower standard one first (A7.371).
    pub fn shifted(&self, column: usize, shifts: u8) -> Option<usize> {
        if shifts == 0 {
            return Some(column);
        }
        let standard = |place: &usize| self.columns[*place].standard;
        let mut standard_columns = (0..=column).rev().filter(standard);
        standard_columns.nth(usize::from(shifts))
    }
}

fn kill_numbers(sheet: &Sheet) -> Result<Vec<(i64, i32)>, DataError> {
    let mut numbers = Vec::new();
    for row in sheet.records() {
        for name in &sheet.head()[1..] {
            numbers.push((sixty_fourths(name), row.number(name)?));
        }
    }
    Ok(numbers)
}

/// Parses a column head such as `2.5` or `36+` to 64ths.
fn sixty_fourths(name: &str) -> i64 {
    let digits = name.trim_end_matches('+');
    let (whole, half) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, fraction == "5"),
        None => (digits, false),
    };
    64 * whole.parse::<i64>().unwrap_or(0) + if half { 32 } else { 0 }
}

fn cells(sheet: &Sheet, place: usize) -> Result<[Cell; LINES], DataError> {
    let mut cells = [Cell::NoEffect; LINES];
    let rows: Vec<Record<'_>> = sheet.records().collect();
    for (cell, row) in cells.iter_mut().zip(&rows) {
        let text = row.cells()[place];
        let known = Cell::parse(text);
        *cell = known.ok_or_else(|| row.fault(format!("`{text}` is no result of the table")))?;
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::super::library;
    use super::*;

    #[test]
    fn cells_are_read_as_printed() {
        assert_eq!(Cell::parse("3KIA"), Some(Cell::Kia(3)));
        assert_eq!(Cell::parse("K/4"), Some(Cell::K(4)));
        assert_eq!(Cell::parse("NMC"), Some(Cell::Mc(0)));
        assert_eq!((Cell::parse("0MC"), Cell::parse("MC")), (None, None));
    }

    #[test]
    fn the_rightmost_column_that_is_reached_is_used() {
        let ift = &library().ift;
        let name = |fp: i64| ift.column_for(fp).map(|c| ift.columns()[c].name.as_str());
        assert_eq!((name(63), name(64)), (None, Some("1")));
        assert_eq!((name(9 * 64), name(42 * 64)), (Some("8"), Some("36+")));
    }

    #[test]
    fn column_shifts_go_to_standard_columns() {
        // A7.371: 4 FP cowers to 2, or to 1 when inexperienced; 5 FP first drops to 4.
        let iift = &library().iift;
        let shifted = |fp: i64, shifts| {
            let column = iift.column_for(fp).expect("at least 1 FP");
            let column = iift.shifted(column, shifts);
            column.map(|c| iift.columns()[c].name.as_str())
        };
        assert_eq!((shifted(4 * 64, 1), shifted(4 * 64, 2)), (Some("2"), Some("1")));
        assert_eq!((shifted(5 * 64, 1), shifted(5 * 64, 2)), (Some("2"), Some("1")));
        assert_eq!((shifted(64, 1), shifted(96, 1)), (None, None));
        assert_eq!(shifted(7 * 64, 1), Some("4"));
    }

    #[test]
    fn incremental_columns_use_the_lower_kill_number() {
        let iift = &library().iift;
        let kill = |fp: i64| iift.columns()[iift.column_for(fp).expect("on the table")].kill_number;
        assert_eq!((kill(96), kill(4 * 64), kill(5 * 64)), (3, 5, 5));
        assert_eq!((kill(35 * 64), kill(40 * 64)), (12, 13));
    }
}
