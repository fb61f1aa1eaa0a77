//! One DR on the fire table: column, cowering, Final DR, result, malfunction (A7.3, A7.9, A9.7).

use super::data::{Cell, Column, Table};
use super::drm::Sums;
use super::unit_stack::{PINNED, Unit};

/// An attack with everything known before its DR.
#[derive(Clone, Debug)]
pub struct Attack {
    /// The table it is read on.
    pub table: &'static Table,
    /// Total firepower in 64ths, rounded down where it is finer than that.
    pub firepower: i64,
    /// The column of that firepower.
    pub column: usize,
    /// Columns lost when it cowers; 0 when it cannot.
    pub cowering: u8,
    /// Modifiers, by the shelter that a target has for itself; the first for those that have none.
    pub sums: Vec<Sums>,
    /// Breakdown number of each machine gun.
    pub breakdowns: Vec<u8>,
    /// How the firepower came about, for the telling.
    pub account: String,
}

/// The DR of an attack as read on the table, before modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The coloured die.
    pub coloured: u8,
    /// The sum of both dice.
    pub original: i32,
    /// Whether the attack cowers.
    pub cowers: bool,
    /// The column it is resolved on; `None` when it cowered off the table.
    pub column: Option<usize>,
    /// How many machine guns break down.
    pub malfunctions: u8,
}

impl Attack {
    /// A7.9, A9.7: reads a DR. Doubles cower, a high Original DR breaks machine guns down.
    pub fn read(&self, coloured: u8, white: u8) -> Reading {
        let original = i32::from(coloured) + i32::from(white);
        let cowers = coloured == white && self.cowering > 0;
        let column =
            if cowers { self.table.shifted(self.column, self.cowering) } else { Some(self.column) };
        let broken = self.breakdowns.iter().filter(|b| original >= i32::from(**b));
        Reading {
            coloured,
            original,
            cowers,
            column,
            malfunctions: u8::try_from(broken.count()).unwrap_or(u8::MAX),
        }
    }

    /// A7.3, A7.9: the column a DR is resolved on; none when it cowered off the table.
    pub fn column(&self, reading: &Reading) -> Option<&'static Column> {
        reading.column.map(|column| &self.table.columns()[column])
    }

    /// The modifiers against one unit in its shelter: each has a Final DR of its own (A7.308 EX). Those
    /// for movement do not count against one that is pinned (A7.83).
    pub fn drm_against(&self, unit: Unit, shelter: u8) -> i32 {
        let sums = self.sums[usize::from(shelter)];
        if unit.has(PINNED) { sums.pinned } else { sums.personnel }
    }

    /// The modifiers against a target that has none of its own, a vehicle among them.
    pub fn common(&self) -> Sums {
        self.sums[0]
    }

    /// A7.3: the result of a DR with these modifiers; off the table there is none.
    pub fn result(&self, reading: &Reading, drm: i32) -> Cell {
        self.column(reading).map_or(Cell::NoEffect, |column| column.cell(reading.original + drm))
    }
}
