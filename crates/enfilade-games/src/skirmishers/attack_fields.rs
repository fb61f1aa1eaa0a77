//! Fields of `skirmishers` contests: weapon, aim, target, numbers of the rules.
//!
//! Source: base rules (attacks, unit card) and the advanced rules. Each action joins the groups it
//! needs with [`joined!`](enfilade_model::form::field_groups).

use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::const_clone::field_index_in_group;
pub use enfilade_model::form::field_groups::READINGS_HEADING;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{choice, fields};
use enfilade_model::form::{DefaultValue, Fault, Field, FieldType};

use super::hit_card::card_marks::CardMarkFields;
use super::hit_card::{HitCellDiceReading, LARGEST_FIRST_CELL};
use super::skirmishers_data::{
    WeaponKind, WeaponRow, skirmishers_data, structure_names, weapon_names,
};
use super::unit_card::{CUSTOM_CARD_FIELDS, CustomCardFields, UnitCard};

pub(super) const DISTANCE_DOTS_RANGE: IntRange = IntRange::new("distance in dots", 0, 1000);
pub(super) const HP_RANGE: IntRange = IntRange::new("HP", 0, LARGEST_FIRST_CELL as i64);
pub(super) const LIVE_HP_RANGE: IntRange = IntRange::new("HP", 1, LARGEST_FIRST_CELL as i64);
pub(super) const MODIFIER_RANGE: IntRange = IntRange::new("modifier", -12, 12);
pub(super) const TARGET_NUMBER_RANGE: IntRange = IntRange::new("target number", 0, 20);
pub(super) const OBSTRUCTION_RANGE: IntRange = IntRange::new("number of obstructions", 0, 12);
pub(super) const ARMOUR_CELLS_RANGE: IntRange =
    IntRange::new("number of armour cells", 0, LARGEST_FIRST_CELL as i64 + 1);

/// Heading of the weapon and its crew.
pub const WEAPON_HEADING: &str = "the weapon";
/// Heading of the attacker.
pub const ATTACKER_HEADING: &str = "the attacker";
/// Heading of the target.
pub const TARGET_HEADING: &str = "the target";
/// Heading of the ground between them, and of the duration.
pub const GROUND_HEADING: &str = "the place";

choice! {
    /// Body armour.
    pub enum BodyArmour {
        /// None.
        None = "none",
        /// The lightest.
        Basic = "basic",
        /// The usual.
        Standard = "standard",
        /// The heaviest.
        Heavy = "heavy",
    }
}

/// Names that players use for armour.
pub const ARMOUR_LABELS: &[&str] =
    &["no armour", "basic armour", "standard armour", "heavy armour"];

choice! {
    /// Experience levels.
    pub enum ExperienceLevel {
        /// The usual.
        Regular = "regular",
        /// Less.
        Green = "green",
        /// More.
        Veteran = "veteran",
        /// Most.
        Elite = "elite",
    }

    /// Effect of bludgeoning past cell 0.
    pub enum BludgeoningPastZeroEffect {
        /// The trooper dies.
        Dead = "dead",
        /// No effect.
        Nothing = "nothing",
    }

    /// Effect of a point of bludgeoning at a cell that advanced armour protects.
    pub enum BludgeoningOnArmour {
        /// The point is lost.
        Lost = "lost",
        /// The point passes to the next cell.
        PassedOn = "passed-on",
    }
}

/// Default AP that are spent on a throw.
pub(super) const DEFAULT_THROW_AP: i64 = 6;

fields! {
    /// Fields that name or describe a weapon.
    pub struct WeaponFields: put_under_heading(WEAPON_HEADING) {
        /// the weapon, from the data
        weapon: Option<&'static WeaponRow> = new_optional(FieldType::name_from_list(weapon_names)).with_player_name("weapon");
        /// damage as printed: 7X, 5\\, 1X+4\\ or 7X/3X/1X by ring
        damage: Option<String> = new_optional(FieldType::Text).with_player_name("damage");
        /// how it is used; when no weapon is named, a launcher for damage by ring, explosions and
        /// breaches, or ranged
        kind: Option<WeaponKind> = new_optional(FieldType::choice_of_words(WeaponKind::WORDS))
            .with_player_name("kind of weapon")
            .with_value_labels(&[ "ranged weapon", "crewed weapon", "launcher", "incendiary weapon", "grenade", "incendiary grenade", "melee weapon", ])
            .as_rarely_changed();
        /// short range in dots
        short: Option<i64> = new_optional(FieldType::Int(DISTANCE_DOTS_RANGE)).with_player_name("short range").with_unit("dots");
        /// long range in dots
        long: Option<i64> = new_optional(FieldType::Int(DISTANCE_DOTS_RANGE)).with_player_name("long range").with_unit("dots");
    }

    /// Attacker with their place.
    pub struct AttackerFields {
        /// dots to the target; short range when left out
        range: Option<i64> = new_optional(FieldType::Int(DISTANCE_DOTS_RANGE)).with_player_name("range").with_unit("dots").with_heading(GROUND_HEADING);
        /// HP of the attacker, whose wounds are a modifier; all of them when left out
        attacker_hp: Option<u8> = new_optional(FieldType::Int(LIVE_HP_RANGE)).with_player_name("HP of the attacker").with_unit("HP")
            .with_heading(ATTACKER_HEADING);
        /// the attacker's unit card; that of the rulebook when left out
        attacker_card: Option<CustomCardFields> = new_optional(FieldType::Table(CUSTOM_CARD_FIELDS)).with_player_name("unit card of the attacker")
            .with_heading(ATTACKER_HEADING).as_rarely_changed();
    }

    /// AP of a throw.
    pub struct ThrowFields: put_under_heading(WEAPON_HEADING) {
        /// AP spent on a throw: its base number, and how many dots it goes
        ap_spent: i64 = new_whole_number(TARGET_NUMBER_RANGE, DEFAULT_THROW_AP).marked_as_interpretation().with_player_name("AP spent on the throw").with_unit("AP");
    }

    /// Modifiers of the target number.
    pub struct AimSituation {
        /// obstructions on the line of fire; none counts hand to hand
        obstructions: i64 = new_whole_number(OBSTRUCTION_RANGE, 0).with_player_name("obstructions").with_heading(GROUND_HEADING);
        /// dots of smoke on the line of fire; none counts hand to hand
        smoke: i64 = new_whole_number(OBSTRUCTION_RANGE, 0).with_rule_reference("Smoke Grenades").with_player_name("smoke").with_unit("dots")
            .with_heading(GROUND_HEADING);
        /// fired on the move
        movement_fire: bool = new_switch_with_default(false).with_rule_reference("Movement Fire").with_player_name("Movement Fire")
            .with_value_labels(&["fired at rest", "fired on the move"]).with_heading(ATTACKER_HEADING);
        /// the target wears a sneak suit (long range)
        sneak_suit: bool = new_switch_with_default(false).with_rule_reference("Sneak Suits").with_player_name("sneak suit")
            .with_value_labels(&["no sneak suit", "in a sneak suit"]).with_heading(TARGET_HEADING).as_rarely_changed();
        /// the target is large
        large_target: bool = new_switch_with_default(false).with_rule_reference("Large Targets").with_player_name("large target")
            .with_heading(TARGET_HEADING).as_rarely_changed();
        /// the attacker is entangled
        attacker_entangled: bool = new_switch_with_default(false).with_rule_reference("Advanced Terrain").with_player_name("attacker entangled")
            .with_heading(ATTACKER_HEADING).as_rarely_changed();
        /// fought in a tunnel
        tunnel: bool = new_switch_with_default(false).with_rule_reference("Advanced Terrain").with_player_name("in a tunnel").with_heading(GROUND_HEADING)
            .as_rarely_changed();
        /// the target swims
        defender_swimming: bool = new_switch_with_default(false).with_rule_reference("Advanced Terrain").with_player_name("target swims")
            .with_heading(TARGET_HEADING).as_rarely_changed();
        /// the attacker is prone
        prone_attacker: bool = new_switch_with_default(false).with_player_name("attacker prone")
            .with_value_labels(&["attacker upright", "attacker prone"]).with_heading(ATTACKER_HEADING);
        /// the target is prone
        prone_target: bool = new_switch_with_default(false).with_player_name("target prone")
            .with_value_labels(&["target upright", "target prone"]).with_heading(TARGET_HEADING);
        /// the target is in a trench: as if prone
        trench: bool = new_switch_with_default(false).with_rule_reference("Advanced Terrain").with_player_name("in a trench").with_heading(TARGET_HEADING)
            .as_rarely_changed();
        /// any other modifier of the target number
        modifier: i64 = new_whole_number(MODIFIER_RANGE, 0).with_player_name("other modifiers").with_heading(GROUND_HEADING).as_rarely_changed();
    }
}

impl AttackerFields {
    /// Returns the unit card of the attacker, and the HP left.
    ///
    /// # Errors
    /// Faults of the card, and HP that it does not have.
    pub fn card_and_hp(&self) -> Result<(UnitCard, u8), Vec<Fault>> {
        let card = UnitCard::from_field_or_default(self.attacker_card.as_ref(), "attacker_card")?;
        let hp = card.read_hp(self.attacker_hp, "attacker_hp")?;
        Ok((card, hp))
    }
}

impl WeaponFields {
    /// Returns the field that determines the weapon.
    pub fn field_that_decides_weapon(&self) -> &'static str {
        match (self.kind, self.weapon, &self.damage) {
            (Some(_), ..) => "kind",
            (None, None, Some(_)) => "damage",
            _ => "weapon",
        }
    }
}

/// Fields of the situation of troopers who fire on the move by default.
pub const MOVING_SITUATION: [Field; 12] = fields_with_switch_preset_on("movement_fire");

/// Fields of the situation of a large target by default.
pub const LARGE_TARGET_SITUATION: [Field; 12] = fields_with_switch_preset_on("large_target");

/// Returns the fields of the situation with one switch on by default.
const fn fields_with_switch_preset_on(switch: &str) -> [Field; 12] {
    let mut fields = AimSituation::FIELDS;
    let place = field_index_in_group(&fields, switch);
    std::mem::forget(std::mem::replace(&mut fields[place].preset, DefaultValue::Flag(true)));
    fields
}

fields! {
    /// Numbers of the attack rules.
    pub struct AttackRuleNumbers: under_readings {
        /// base number of ranged weapons and launchers
        base_ranged: i64 = new_whole_number(TARGET_NUMBER_RANGE, 6).with_player_name("base number of ranged weapons");
        /// base number hand to hand
        base_melee: i64 = new_whole_number(TARGET_NUMBER_RANGE, 4).with_player_name("base number hand to hand");
        /// beyond short range
        long_range_modifier: i64 = new_whole_number(MODIFIER_RANGE, 2).with_player_name("modifier for long range");
        /// for each obstruction
        obstruction_modifier: i64 = new_whole_number(MODIFIER_RANGE, 1).with_player_name("modifier for an obstruction");
        /// for each dot of smoke
        smoke_modifier: i64 = new_whole_number(MODIFIER_RANGE, 3).with_rule_reference("Smoke Grenades")
            .with_player_name("modifier for a dot of smoke");
        /// on the move
        movement_fire_modifier: i64 = new_whole_number(MODIFIER_RANGE, 2).with_rule_reference("Movement Fire")
            .with_player_name("modifier for Movement Fire");
        /// sneak suit at long range
        sneak_suit_modifier: i64 = new_whole_number(MODIFIER_RANGE, 1).with_rule_reference("Sneak Suits")
            .with_player_name("modifier for a sneak suit");
        /// large target
        large_target_modifier: i64 = new_whole_number(MODIFIER_RANGE, -2).with_rule_reference("Large Targets")
            .with_player_name("modifier for a large target");
        /// attacker entangled
        entangled_modifier: i64 = new_whole_number(MODIFIER_RANGE, 1).with_rule_reference("Advanced Terrain")
            .with_player_name("modifier for an entangled attacker");
        /// in a tunnel
        tunnel_modifier: i64 = new_whole_number(MODIFIER_RANGE, 2).with_rule_reference("Advanced Terrain")
            .with_player_name("modifier in a tunnel");
        /// target swims
        swimming_modifier: i64 = new_whole_number(MODIFIER_RANGE, 1).with_rule_reference("Advanced Terrain")
            .with_player_name("modifier for a target that swims");
        /// attacker prone
        prone_attacker_modifier: i64 = new_whole_number(MODIFIER_RANGE, -1).with_player_name("modifier for a prone attacker");
        /// target prone, beyond one dot
        prone_target_modifier: i64 = new_whole_number(MODIFIER_RANGE, 1).with_player_name("modifier for a prone target");
        /// target prone, adjacent
        prone_adjacent_modifier: i64 = new_whole_number(MODIFIER_RANGE, -1)
            .with_player_name("modifier for a prone target, adjacent");
    }

    /// Fields of the trooper who is hit.
    pub struct TargetFields: put_under_heading(TARGET_HEADING) {
        /// body armour of the target
        target_armour: BodyArmour = new_choice(BodyArmour::WORDS).with_rule_reference("Body Armor").with_player_name("body armour")
            .with_value_labels(ARMOUR_LABELS);
        /// the armour protects cells of the card (advanced rule)
        advanced_armour: bool = new_switch_with_default(false).with_rule_reference("Body Armor").with_player_name("advanced body armour").as_rarely_changed();
        /// highest cell that advanced armour protects; when left out it covers the lowest cells of
        /// the card, those that put a trooper out of action
        armour_from: Option<u8> = new_optional(FieldType::Int(HP_RANGE)).marked_as_interpretation().with_player_name("highest protected cell").as_rarely_changed();
        /// HP of the target before the attack; all of them when left out
        target_hp: Option<u8> = new_optional(FieldType::Int(LIVE_HP_RANGE)).with_player_name("HP of the target").with_unit("HP");
        /// unit card of the target; that of the rulebook when left out
        card: Option<CustomCardFields> = new_optional(FieldType::Table(CUSTOM_CARD_FIELDS)).with_player_name("unit card").as_rarely_changed();
        /// what is marked on the cards of those who have been struck before, in the order of the
        /// targets; on the others nothing
        struck: Option<Vec<CardMarkFields>> = new_optional(FieldType::tables(joined![CardMarkFields::FIELDS]))
            .with_player_name("marks on their cards").as_rarely_changed();
    }

    /// Readings of the card.
    pub struct HitCardReadings: under_readings {
        /// how 2d6 pick a cell: the label (11 and 12 are 10), or the column from the left
        cell_mapping: HitCellDiceReading = new_choice(HitCellDiceReading::WORDS).marked_as_interpretation().with_player_name("2d6 pick a cell")
            .with_value_labels(&["by its label", "by its column"]);
        /// what bludgeoning that runs past cell 0 does
        bludgeoning_past_zero: BludgeoningPastZeroEffect = new_choice(BludgeoningPastZeroEffect::WORDS).marked_as_interpretation()
            .with_player_name("bludgeoning past cell 0").with_value_labels(&["kills", "does nothing"]);
        /// a point of bludgeoning at a cell that advanced armour protects: lost on it, or for the
        /// next cell
        bludgeoning_on_armour: BludgeoningOnArmour = new_choice(BludgeoningOnArmour::WORDS).with_rule_reference("Body Armor").marked_as_interpretation()
            .with_player_name("bludgeoning on protected cells")
            .with_value_labels(&["is lost", "goes on to the next cell"]);
        /// cells the armour protects, where not the printed number
        armour_cells: Option<u8> = new_optional(FieldType::Int(ARMOUR_CELLS_RANGE)).with_rule_reference("Body Armor")
            .with_player_name("protected cells");
    }

    /// Structure by name or toughness.
    pub struct StructureFields: put_under_heading(TARGET_HEADING) {
        /// the structure; medium when neither is given
        structure: Option<String> = new_optional(FieldType::name_from_list(structure_names)).with_rule_reference("Large Targets")
            .with_player_name("structure");
        /// damage that must be exceeded
        toughness: Option<u16> = new_optional(FieldType::Int(TOUGHNESS_RANGE)).with_rule_reference("Large Targets")
            .with_player_name("toughness");
    }
}

const TOUGHNESS_RANGE: IntRange = IntRange::new("toughness", 0, 500);

/// Returns the number of cells that body armour protects, as printed.
pub fn armour_cell_count(armour: BodyArmour) -> u8 {
    skirmishers_data().find_armour_or_level(armour.word()).and_then(|row| row.cells).unwrap_or(0)
}
