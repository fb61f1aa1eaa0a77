//! Numbers of the rules, each a field of the `rules` table with the printed value as default.

use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_macros::fields;

const COLUMN_SHIFT_RANGE: IntRange = IntRange::new("number of columns", 0, 10);
const FACTOR_RANGE: IntRange = IntRange::new("firepower factor", 1, 8);
const FIREPOWER_BONUS_RANGE: IntRange = IntRange::new("number of firepower factors", 0, 10);
const DIE_ROLL_RANGE: IntRange = IntRange::new("die roll", 0, 6);
const MODIFIER_STEP_RANGE: IntRange = IntRange::new("modifier", -6, 6);
const HEX_DISTANCE_RANGE: IntRange = IntRange::new("range in hexes", 0, 40);
const DICE_ROLL_RANGE: IntRange = IntRange::new("dice roll", 2, 13);

fields! {
    /// Numbers of the rules.
    #[derive(Copy, PartialEq, Eq)]
    pub struct RuleNumbers: under_readings {
        /// factor at Point Blank
        point_blank_factor: i32 = new_whole_number(FACTOR_RANGE, 2).with_rule_reference("A7.21").with_player_name("Point Blank factor");
        /// farthest target of Point Blank Fire, in hexes: an ADJACENT one
        point_blank_range: i32 = new_whole_number(HEX_DISTANCE_RANGE, 1).with_rule_reference("A7.21").with_player_name("reach of Point Blank").with_unit("hexes");
        /// factor at Triple Point Blank
        triple_point_blank_factor: i32 = new_whole_number(FACTOR_RANGE, 3).with_rule_reference("A7.21")
            .with_player_name("Triple Point Blank factor");
        /// farthest target of Triple Point Blank Fire, in hexes: one in the same hex
        triple_point_blank_range: i32 = new_whole_number(HEX_DISTANCE_RANGE, 0).with_rule_reference("A7.21")
            .with_player_name("reach of Triple Point Blank").with_unit("hexes");
        /// long range ends at this many times the normal range
        long_range_factor: i32 = new_whole_number(FACTOR_RANGE, 2).with_rule_reference("A7.22").with_player_name("long range factor");
        /// firepower added by Assault Fire
        assault_fire_bonus: i32 = new_whole_number(FIREPOWER_BONUS_RANGE, 1).with_rule_reference("A7.36")
            .with_player_name("Assault Fire bonus").with_unit("FP");
        /// farthest target of a squad's Spraying Fire, in hexes
        spraying_fire_range: i32 = new_whole_number(HEX_DISTANCE_RANGE, 3).with_rule_reference("A7.34")
            .with_player_name("reach of Spraying Fire").with_unit("hexes");
        /// columns lost by cowering
        cowering_columns: i32 = new_whole_number(COLUMN_SHIFT_RANGE, 1).with_rule_reference("A7.9")
            .with_player_name("loss by cowering").with_unit("columns");
        /// columns lost by cowering when inexperienced
        inexperienced_cowering_columns: i32 = new_whole_number(COLUMN_SHIFT_RANGE, 2).with_rule_reference("A7.9")
            .with_player_name("loss by cowering when inexperienced").with_unit("columns");
        /// drop in morale of an encircled unit
        encirclement: i32 = new_whole_number(MODIFIER_STEP_RANGE, 1).with_rule_reference("A7.7").with_player_name("morale lost by encirclement");
        /// a morale check with this Original DR or more fails whatever the modifiers
        automatic_failure: i32 = new_whole_number(DICE_ROLL_RANGE, 12).with_rule_reference("A10.31").with_player_name("morale check always fails on");
        /// Original DR of a morale check that triggers heat of battle
        heat_of_battle_roll: i32 = new_whole_number(DICE_ROLL_RANGE, 2).with_rule_reference("A15.1").with_player_name("heat of battle on");
        /// highest wound severity dr that is survived
        wound_survived: i32 = new_whole_number(DIE_ROLL_RANGE, 4).with_rule_reference("A17.11").with_player_name("wound survived up to");
        /// added to the wound severity dr of a unit already wounded
        already_wounded: i32 = new_whole_number(MODIFIER_STEP_RANGE, 1).with_rule_reference("A17.11").with_player_name("added for an earlier wound");
        /// Original DR that allows an Unlikely Kill
        unlikely_kill_roll: i32 = new_whole_number(DICE_ROLL_RANGE, 2).with_rule_reference("A7.309").with_player_name("Unlikely Kill on");
        /// highest dr of an Unlikely Kill that burns the vehicle
        unlikely_wreck: i32 = new_whole_number(DIE_ROLL_RANGE, 1).with_rule_reference("A7.309").with_player_name("Unlikely Kill burns up to");
        /// highest dr of an Unlikely Kill that eliminates the vehicle
        unlikely_elimination: i32 = new_whole_number(DIE_ROLL_RANGE, 2).with_rule_reference("A7.309")
            .with_player_name("Unlikely Kill eliminates up to");
        /// highest dr of an Unlikely Kill that immobilises the vehicle
        unlikely_immobilisation: i32 = new_whole_number(DIE_ROLL_RANGE, 3).with_rule_reference("A7.309")
            .with_player_name("Unlikely Kill immobilises up to");
    }
}

#[cfg(test)]
impl RuleNumbers {
    /// Returns the printed numbers.
    pub fn printed() -> RuleNumbers {
        use enfilade_model::form::Form;
        use enfilade_model::form::field_groups::joined;
        use enfilade_model::form::field_macros::FieldGroupFromForm;
        let form =
            Form::from_table_with_defaults(&joined![RuleNumbers::FIELDS], &toml::Table::new());
        RuleNumbers::read(&form.expect("every number has a default"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_rules_are_the_printed_ones() {
        let printed = RuleNumbers::printed();
        assert_eq!((printed.cowering_columns, printed.wound_survived), (1, 4));
        assert_eq!(RuleNumbers::FIELDS.len(), 18);
    }
}
