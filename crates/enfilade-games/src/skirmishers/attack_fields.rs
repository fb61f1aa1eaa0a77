//! Fields of `skirmishers` contests: weapon, aim, target, numbers of the rules.
//!
//! Source: base rules (attacks, unit card) and the advanced rules. Each action joins the groups it
//! needs with [`joined!`](enfilade_model::form::field_groups).

use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::const_clone::field_index_in_groups;
pub use enfilade_model::form::field_groups::READINGS;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{choice, fields};
use enfilade_model::form::{DefaultValue, Fault, Field, FieldType};

use super::hit_card::marks::CustomCardMarks;
use super::hit_card::{CellDiceReading, TOP_CELL};
use super::skirmishers_data::{
    WeaponKind, WeaponRow, skirmishers_data, structure_names, weapon_names,
};
use super::unit_card::{CUSTOM_CARD_FIELDS, CustomCardFields, UnitCard};

pub(super) const DOTS: IntRange = IntRange::new("distance in dots", 0, 1000);
pub(super) const HP: IntRange = IntRange::new("HP", 0, TOP_CELL as i64);
pub(super) const LIVE_HP: IntRange = IntRange::new("HP", 1, TOP_CELL as i64);
pub(super) const MODIFIER: IntRange = IntRange::new("modifier", -12, 12);
pub(super) const NUMBER: IntRange = IntRange::new("target number", 0, 20);
pub(super) const OBSTACLES: IntRange = IntRange::new("number of obstructions", 0, 12);
pub(super) const ARMOUR: IntRange = IntRange::new("number of armour cells", 0, TOP_CELL as i64 + 1);

/// Heading of the weapon and its crew.
pub const WEAPON_HEADING: &str = "the weapon";
/// Heading of the attacker.
pub const ATTACKER_HEADING: &str = "the attacker";
/// Heading of the target.
pub const TARGET_HEADING: &str = "the target";
/// Heading of the ground between them, and of the duration.
pub const PLACE_HEADING: &str = "the place";

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
    pub enum PastZero {
        /// The trooper dies.
        Dead = "dead",
        /// No effect.
        Nothing = "nothing",
    }

    /// Effect of a point of bludgeoning at a cell that advanced armour protects.
    pub enum OnArmour {
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
    pub struct WeaponFields: under(WEAPON_HEADING) {
        /// the weapon, from the data
        weapon: Option<&'static WeaponRow> = optional(FieldType::name(weapon_names)).with_label("weapon");
        /// damage as printed: 7X, 5\\, 1X+4\\ or 7X/3X/1X by ring
        damage: Option<String> = optional(FieldType::Text).with_label("damage");
        /// how it is used; when no weapon is named, a launcher for damage by ring, explosions and
        /// breaches, or ranged
        kind: Option<WeaponKind> = optional(FieldType::choice(WeaponKind::WORDS))
            .with_label("kind of weapon")
            .with_value_labels(&[ "ranged weapon", "crewed weapon", "launcher", "incendiary weapon", "grenade", "incendiary grenade", "melee weapon", ])
            .as_rare();
        /// short range in dots
        short: Option<i64> = optional(FieldType::Int(DOTS)).with_label("short range").with_unit("dots");
        /// long range in dots
        long: Option<i64> = optional(FieldType::Int(DOTS)).with_label("long range").with_unit("dots");
    }

    /// Attacker with their place.
    pub struct AttackerFields {
        /// dots to the target; short range when left out
        range: Option<i64> = optional(FieldType::Int(DOTS)).with_label("range").with_unit("dots").with_group(PLACE_HEADING);
        /// HP of the attacker, whose wounds are a modifier; all of them when left out
        attacker_hp: Option<u8> = optional(FieldType::Int(LIVE_HP)).with_label("HP of the attacker").with_unit("HP")
            .with_group(ATTACKER_HEADING);
        /// the attacker's unit card; that of the rulebook when left out
        attacker_card: Option<CustomCardFields> = optional(FieldType::Table(CUSTOM_CARD_FIELDS)).with_label("unit card of the attacker")
            .with_group(ATTACKER_HEADING).as_rare();
    }

    /// AP of a throw.
    pub struct ThrowFields: under(WEAPON_HEADING) {
        /// AP spent on a throw: its base number, and how many dots it goes
        ap_spent: i64 = int(NUMBER, DEFAULT_THROW_AP).as_reading().with_label("AP spent on the throw").with_unit("AP");
    }

    /// Modifiers of the target number.
    pub struct Situation {
        /// obstructions on the line of fire; none counts hand to hand
        obstructions: i64 = int(OBSTACLES, 0).with_label("obstructions").with_group(PLACE_HEADING);
        /// dots of smoke on the line of fire; none counts hand to hand
        smoke: i64 = int(OBSTACLES, 0).with_rule("Smoke Grenades").with_label("smoke").with_unit("dots")
            .with_group(PLACE_HEADING);
        /// fired on the move
        movement_fire: bool = flag(false).with_rule("Movement Fire").with_label("Movement Fire")
            .with_value_labels(&["fired at rest", "fired on the move"]).with_group(ATTACKER_HEADING);
        /// the target wears a sneak suit (long range)
        sneak_suit: bool = flag(false).with_rule("Sneak Suits").with_label("sneak suit")
            .with_value_labels(&["no sneak suit", "in a sneak suit"]).with_group(TARGET_HEADING).as_rare();
        /// the target is large
        large_target: bool = flag(false).with_rule("Large Targets").with_label("large target")
            .with_group(TARGET_HEADING).as_rare();
        /// the attacker is entangled
        attacker_entangled: bool = flag(false).with_rule("Advanced Terrain").with_label("attacker entangled")
            .with_group(ATTACKER_HEADING).as_rare();
        /// fought in a tunnel
        tunnel: bool = flag(false).with_rule("Advanced Terrain").with_label("in a tunnel").with_group(PLACE_HEADING)
            .as_rare();
        /// the target swims
        defender_swimming: bool = flag(false).with_rule("Advanced Terrain").with_label("target swims")
            .with_group(TARGET_HEADING).as_rare();
        /// the attacker is prone
        prone_attacker: bool = flag(false).with_label("attacker prone")
            .with_value_labels(&["attacker upright", "attacker prone"]).with_group(ATTACKER_HEADING);
        /// the target is prone
        prone_target: bool = flag(false).with_label("target prone")
            .with_value_labels(&["target upright", "target prone"]).with_group(TARGET_HEADING);
        /// the target is in a trench: as if prone
        trench: bool = flag(false).with_rule("Advanced Terrain").with_label("in a trench").with_group(TARGET_HEADING)
            .as_rare();
        /// any other modifier of the target number
        modifier: i64 = int(MODIFIER, 0).with_label("other modifiers").with_group(PLACE_HEADING).as_rare();
    }
}

impl AttackerFields {
    /// Returns the unit card of the attacker, and the HP left.
    ///
    /// # Errors
    /// Faults of the card, and HP that it does not have.
    pub fn card_and_hp(&self) -> Result<(UnitCard, u8), Vec<Fault>> {
        let card = UnitCard::from_field(self.attacker_card.as_ref(), "attacker_card")?;
        let hp = card.read_hp(self.attacker_hp, "attacker_hp")?;
        Ok((card, hp))
    }
}

impl WeaponFields {
    /// Returns the field that determines the weapon.
    pub fn defining_field(&self) -> &'static str {
        match (self.kind, self.weapon, &self.damage) {
            (Some(_), ..) => "kind",
            (None, None, Some(_)) => "damage",
            _ => "weapon",
        }
    }
}

/// Fields of the situation of troopers who fire on the move by default.
pub const ON_THE_MOVE: [Field; 12] = situation_fields_with_switch("movement_fire");

/// Fields of the situation of a large target by default.
pub const AT_A_STRUCTURE: [Field; 12] = situation_fields_with_switch("large_target");

/// Returns the fields of the situation with one switch on by default.
const fn situation_fields_with_switch(switch: &str) -> [Field; 12] {
    let mut fields = Situation::FIELDS;
    let place = field_index_in_groups(&fields, switch);
    std::mem::forget(std::mem::replace(&mut fields[place].preset, DefaultValue::Flag(true)));
    fields
}

fields! {
    /// Numbers of the attack rules.
    pub struct AimRules: readings {
        /// base number of ranged weapons and launchers
        base_ranged: i64 = int(NUMBER, 6).with_label("base number of ranged weapons");
        /// base number hand to hand
        base_melee: i64 = int(NUMBER, 4).with_label("base number hand to hand");
        /// beyond short range
        long_range_modifier: i64 = int(MODIFIER, 2).with_label("modifier for long range");
        /// for each obstruction
        obstruction_modifier: i64 = int(MODIFIER, 1).with_label("modifier for an obstruction");
        /// for each dot of smoke
        smoke_modifier: i64 = int(MODIFIER, 3).with_rule("Smoke Grenades")
            .with_label("modifier for a dot of smoke");
        /// on the move
        movement_fire_modifier: i64 = int(MODIFIER, 2).with_rule("Movement Fire")
            .with_label("modifier for Movement Fire");
        /// sneak suit at long range
        sneak_suit_modifier: i64 = int(MODIFIER, 1).with_rule("Sneak Suits")
            .with_label("modifier for a sneak suit");
        /// large target
        large_target_modifier: i64 = int(MODIFIER, -2).with_rule("Large Targets")
            .with_label("modifier for a large target");
        /// attacker entangled
        entangled_modifier: i64 = int(MODIFIER, 1).with_rule("Advanced Terrain")
            .with_label("modifier for an entangled attacker");
        /// in a tunnel
        tunnel_modifier: i64 = int(MODIFIER, 2).with_rule("Advanced Terrain")
            .with_label("modifier in a tunnel");
        /// target swims
        swimming_modifier: i64 = int(MODIFIER, 1).with_rule("Advanced Terrain")
            .with_label("modifier for a target that swims");
        /// attacker prone
        prone_attacker_modifier: i64 = int(MODIFIER, -1).with_label("modifier for a prone attacker");
        /// target prone, beyond one dot
        prone_target_modifier: i64 = int(MODIFIER, 1).with_label("modifier for a prone target");
        /// target prone, adjacent
        prone_adjacent_modifier: i64 = int(MODIFIER, -1)
            .with_label("modifier for a prone target, adjacent");
    }

    /// Fields of the trooper who is hit.
    pub struct TargetFields: under(TARGET_HEADING) {
        /// body armour of the target
        target_armour: BodyArmour = choice(BodyArmour::WORDS).with_rule("Body Armor").with_label("body armour")
            .with_value_labels(ARMOUR_LABELS);
        /// the armour protects cells of the card (advanced rule)
        advanced_armour: bool = flag(false).with_rule("Body Armor").with_label("advanced body armour").as_rare();
        /// highest cell that advanced armour protects; when left out it covers the lowest cells of the card,
        /// those that put a trooper out of action
        armour_from: Option<u8> = optional(FieldType::Int(HP)).as_reading().with_label("highest protected cell").as_rare();
        /// HP of the target before the attack; all of them when left out
        target_hp: Option<u8> = optional(FieldType::Int(LIVE_HP)).with_label("HP of the target").with_unit("HP");
        /// unit card of the target; that of the rulebook when left out
        card: Option<CustomCardFields> = optional(FieldType::Table(CUSTOM_CARD_FIELDS)).with_label("unit card").as_rare();
        /// what is marked on the cards of those who have been struck before, in the order of the targets; on
        /// the others nothing
        struck: Option<Vec<CustomCardMarks>> = optional(FieldType::tables(joined![CustomCardMarks::FIELDS]))
            .with_label("marks on their cards").as_rare();
    }

    /// Readings of the card.
    pub struct CardRules: readings {
        /// how 2d6 pick a cell: the label (11 and 12 are 10), or the column from the left
        cell_mapping: CellDiceReading = choice(CellDiceReading::WORDS).as_reading().with_label("2d6 pick a cell")
            .with_value_labels(&["by its label", "by its column"]);
        /// what bludgeoning that runs past cell 0 does
        bludgeoning_past_zero: PastZero = choice(PastZero::WORDS).as_reading()
            .with_label("bludgeoning past cell 0").with_value_labels(&["kills", "does nothing"]);
        /// a point of bludgeoning at a cell that advanced armour protects: lost on it, or for the
        /// next cell
        bludgeoning_on_armour: OnArmour = choice(OnArmour::WORDS).with_rule("Body Armor").as_reading()
            .with_label("bludgeoning on protected cells")
            .with_value_labels(&["is lost", "goes on to the next cell"]);
        /// cells the armour protects, where not the printed number
        armour_cells: Option<u8> = optional(FieldType::Int(ARMOUR)).with_rule("Body Armor")
            .with_label("protected cells");
    }

    /// Structure by name or toughness.
    pub struct StructureFields: under(TARGET_HEADING) {
        /// the structure; medium when neither is given
        structure: Option<String> = optional(FieldType::name(structure_names)).with_rule("Large Targets")
            .with_label("structure");
        /// damage that must be exceeded
        toughness: Option<u16> = optional(FieldType::Int(TOUGHNESS)).with_rule("Large Targets")
            .with_label("toughness");
    }
}

const TOUGHNESS: IntRange = IntRange::new("toughness", 0, 500);

/// Returns the number of cells that body armour protects, as printed.
pub fn armour_cell_count(armour: BodyArmour) -> u8 {
    skirmishers_data().find_troop(armour.word()).and_then(|row| row.cells).unwrap_or(0)
}
