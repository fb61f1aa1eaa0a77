//! One DR on the fire table: column, cowering, Final DR, result, malfunction (A7.3, A7.9, A9.7).

use super::data::{FireTableGrid, FireTableResult, FirepowerColumn};
use super::drm::DrmByTargetKind;
use super::unit_stack::{PINNED, StackUnit};

/// Attack with all numbers that are determined before its DR.
#[derive(Clone, Debug)]
pub struct FireAttackBeforeRoll {
    /// Fire table of the attack.
    pub table: &'static FireTableGrid,
    /// Total firepower in 64ths, rounded down.
    pub firepower: i64,
    /// Column of that firepower.
    pub column: usize,
    /// Columns lost when the attack cowers; 0 when it cannot.
    pub cowering: u8,
    /// Modifiers, by the shelter of a target; the first for targets without one.
    pub sums: Vec<DrmByTargetKind>,
    /// Breakdown number of each machine gun.
    pub breakdowns: Vec<u8>,
    /// Derivation of the firepower, for explanations.
    pub account: String,
}

/// DR of an attack as read on the table, before modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiceReadBeforeModifiers {
    /// Coloured die.
    pub coloured: u8,
    /// Sum of both dice.
    pub original: i32,
    /// Whether the attack cowers.
    pub cowers: bool,
    /// Column of the result; `None` when the attack cowered off the table.
    pub column: Option<usize>,
    /// Number of machine guns that break down.
    pub malfunctions: u8,
}

impl FireAttackBeforeRoll {
    /// A7.9, A9.7: reads a DR. Doubles cower, a high Original DR breaks machine guns down.
    pub fn read_dice_roll(&self, coloured: u8, white: u8) -> DiceReadBeforeModifiers {
        let original = i32::from(coloured) + i32::from(white);
        let cowers = coloured == white && self.cowering > 0;
        let column = if cowers {
            self.table.column_shifted_left(self.column, self.cowering)
        } else {
            Some(self.column)
        };
        let broken = self.breakdowns.iter().filter(|b| original >= i32::from(**b));
        DiceReadBeforeModifiers {
            coloured,
            original,
            cowers,
            column,
            malfunctions: u8::try_from(broken.count()).unwrap_or(u8::MAX),
        }
    }

    /// A7.3, A7.9: returns the column of a DR; `None` when the attack cowered off the table.
    pub fn column_after_cowering(
        &self,
        reading: &DiceReadBeforeModifiers,
    ) -> Option<&'static FirepowerColumn> {
        reading.column.map(|column| &self.table.columns()[column])
    }

    /// Returns the modifiers against one unit in its shelter: each shelter has a separate Final DR
    /// (A7.308 EX). Modifiers for movement do not count against a pinned unit (A7.83).
    pub fn drm_for_unit_and_shelter(&self, unit: StackUnit, shelter: u8) -> i32 {
        let sums = self.sums[usize::from(shelter)];
        if unit.has_mark(PINNED) { sums.pinned } else { sums.personnel }
    }

    /// Returns the modifiers against a target without its own, vehicles included.
    pub fn drm_without_target_modifiers(&self) -> DrmByTargetKind {
        self.sums[0]
    }

    /// A7.3: returns the result of a DR with these modifiers; no effect off the table.
    pub fn result_for_drm(&self, reading: &DiceReadBeforeModifiers, drm: i32) -> FireTableResult {
        self.column_after_cowering(reading)
            .map_or(FireTableResult::NoEffect, |column| column.result_at(reading.original + drm))
    }
}
