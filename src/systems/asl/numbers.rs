//! The numbers of the rules, each a field of the `rules` table with the printed value as default.

use crate::bounds::Bound;
use crate::form::groups::READINGS;
use crate::form::{Field, Form};

const SHIFT: Bound = Bound::new("number of columns", 0, 10);
const FACTOR: Bound = Bound::new("firepower factor", 1, 8);
const BONUS: Bound = Bound::new("number of firepower factors", 0, 10);
const DIE: Bound = Bound::new("die roll", 0, 6);
const STEP: Bound = Bound::new("modifier", -6, 6);
const HEXES: Bound = Bound::new("range in hexes", 0, 40);
const ROLL: Bound = Bound::new("dice roll", 2, 13);

macro_rules! numbers {
    ($($(#[doc = $about:literal])+ $name:ident: $bound:ident, $preset:literal, $source:literal, $label:literal $(, $unit:literal)?;)+) => {
        /// The fields of the `rules` table.
        pub const FIELDS: &[Field] = &[
            $(Field::int(stringify!($name), $bound, $preset, concat!($($about),+))
                .from($source)
                .label($label)$(.unit($unit))?
                .group(READINGS)
                .rare(),)+
        ];

        /// The numbers of the rules.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Numbers {
            $($(#[doc = $about])+ pub $name: i32,)+
        }

        impl Numbers {
            /// Reads the `rules` table of a contest.
            pub fn read(contest: &Form) -> Numbers {
                let rules = contest.table("rules");
                let given = |name, preset: i64| rules.and_then(|r| r.maybe_int(name)).unwrap_or(preset);
                Numbers { $($name: given(stringify!($name), $preset) as i32,)+ }
            }
        }
    };
}

numbers! {
    /// factor at Point Blank
    point_blank_factor: FACTOR, 2, "A7.21", "Point Blank factor";
    /// factor at Triple Point Blank
    triple_point_blank_factor: FACTOR, 3, "A7.21", "Triple Point Blank factor";
    /// long range ends at this many times the normal range
    long_range_factor: FACTOR, 2, "A7.22", "long range factor";
    /// firepower added by Assault Fire
    assault_fire_bonus: BONUS, 1, "A7.36", "Assault Fire bonus", "FP";
    /// farthest target of a squad's Spraying Fire, in hexes
    spraying_fire_range: HEXES, 3, "A7.34", "reach of Spraying Fire", "hexes";
    /// columns lost by cowering
    cowering_columns: SHIFT, 1, "A7.9", "loss by cowering", "columns";
    /// columns lost by cowering when inexperienced
    inexperienced_cowering_columns: SHIFT, 2, "A7.9", "loss by cowering when inexperienced", "columns";
    /// drop in morale of an encircled unit
    encirclement: STEP, 1, "A7.7", "morale lost by encirclement";
    /// a morale check with this Original DR or more fails whatever the modifiers
    automatic_failure: ROLL, 12, "A10.31", "morale check always fails on";
    /// Original DR of a morale check that triggers heat of battle
    heat_of_battle_roll: ROLL, 2, "A15.1", "heat of battle on";
    /// highest wound severity dr that is survived
    wound_survived: DIE, 4, "A17.11", "wound survived up to";
    /// added to the wound severity dr of a unit already wounded
    already_wounded: STEP, 1, "A17.11", "added for an earlier wound";
    /// Original DR that allows an Unlikely Kill
    unlikely_kill_roll: ROLL, 2, "A7.309", "Unlikely Kill on";
    /// highest dr of an Unlikely Kill that burns the vehicle
    unlikely_wreck: DIE, 1, "A7.309", "Unlikely Kill burns up to";
    /// highest dr of an Unlikely Kill that eliminates the vehicle
    unlikely_elimination: DIE, 2, "A7.309", "Unlikely Kill eliminates up to";
    /// highest dr of an Unlikely Kill that immobilises the vehicle
    unlikely_immobilisation: DIE, 3, "A7.309", "Unlikely Kill immobilises up to";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_rules_are_the_printed_ones() {
        let printed = Numbers::read(&Form::default());
        assert_eq!((printed.cowering_columns, printed.wound_survived), (1, 4));
        assert_eq!(FIELDS.len(), 16);
    }
}
