//! Fields of an explosion, and what they determine: the effect of a miss, the ammunition, the fire.

use super::super::aim::AttackWeapon;
use super::super::attack_fields::{
    GROUND_HEADING, READINGS_HEADING, TARGET_HEADING, WEAPON_HEADING,
};
use super::super::hit_card::LethalAndBludgeoning;
use super::super::skirmishers_data::WeaponKind;
use super::round_count::MAX_ROUNDS_PLAYED;
use enfilade_model::form::FieldType;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_macros::{choice, fields};

const SCATTER_DOTS_RANGE: IntRange = IntRange::new("scatter in dots", 0, 12);
const COORDINATE_RANGE: IntRange = IntRange::new("axial coordinate", -60, 60);
const BURNING_DOTS_RANGE: IntRange = IntRange::new("number of burning dots", 0, 20);
const LETHAL_DAMAGE_RANGE: IntRange = IntRange::new("lethal damage", 0, 50);
const ROUND_COUNT_RANGE: IntRange = IntRange::new("number of rounds", 1, MAX_ROUNDS_PLAYED as i64);

choice! {
    /// Place where a miss of an incendiary weapon that is not thrown goes off.
    pub enum IncendiaryMiss {
        /// The aimed dot.
        AimedDot = "aimed-dot",
        /// No place.
        Nothing = "nothing",
    }
}

fields! {
    /// Troopers near, and the effects of a miss and of fire.
    pub struct ExplosionFields {
        /// positions of the troopers, in axial hex coordinates from the aimed dot; one on the dot
        /// when left out
        troopers: Option<Vec<Vec<i64>>> = new_optional(FieldType::list_of(const { &FieldType::list_of(const { &FieldType::Int(COORDINATE_RANGE) }) }))
            .with_player_name("positions of troopers").with_heading(TARGET_HEADING).as_hex_places();
        /// rounds one after another at the same aimed dot; nobody moves between them
        rounds: u8 = new_whole_number(ROUND_COUNT_RANGE, 1).with_rule_reference("Advanced Explosives").with_player_name("rounds").with_unit("rounds")
            .with_heading(WEAPON_HEADING).as_rarely_changed();
        /// ammunition for twice the printed rounds is carried
        extra_ammo: Option<bool> = new_optional(FieldType::Flag).with_rule_reference("Advanced Explosives")
            .with_player_name("extra ammunition").with_heading(WEAPON_HEADING).as_rarely_changed();
        /// dots of impassible obstacles, such as a high wall, which a blast does not cross
        walls: Option<Vec<Vec<i64>>> = new_optional(FieldType::list_of(const { &FieldType::list_of(const { &FieldType::Int(COORDINATE_RANGE) }) }))
            .with_rule_reference("Advanced Explosives").with_player_name("walls").with_heading(TARGET_HEADING).as_rarely_changed();
        /// dots of low solid obstructions, which a blast does not cross to who is prone
        low_walls: Option<Vec<Vec<i64>>> = new_optional(FieldType::list_of(const { &FieldType::list_of(const { &FieldType::Int(COORDINATE_RANGE) }) }))
            .with_rule_reference("Advanced Explosives").with_player_name("low walls").with_heading(TARGET_HEADING).as_rarely_changed();
        /// low walls stop a blast to who is in a trench as well
        low_walls_at_trenches: bool = new_switch_with_default(false).with_rule_reference("Advanced Explosives").marked_as_interpretation()
            .with_player_name("low walls shield a trench").with_heading(READINGS_HEADING).as_rarely_changed();
        /// dots a miss scatters
        scatter_distance: i8 = new_whole_number(SCATTER_DOTS_RANGE, 1).marked_as_interpretation().with_player_name("a miss scatters").with_unit("dots")
            .with_heading(READINGS_HEADING).as_rarely_changed();
        /// where a miss of an incendiary weapon that is not thrown goes off: where it was aimed,
        /// as it does not scatter, or nowhere
        incendiary_miss: IncendiaryMiss = new_choice(IncendiaryMiss::WORDS).with_rule_reference("Incendiary Weapons")
            .marked_as_interpretation().with_player_name("a miss of incendiary weapons")
            .with_value_labels(&["goes off where it was aimed", "does nothing"]).with_heading(READINGS_HEADING).as_rarely_changed();
        /// the troopers are in water
        in_water: bool = new_switch_with_default(false).with_rule_reference("Advanced Terrain").with_player_name("in water")
            .with_value_labels(&["on land", "in water"]).with_heading(GROUND_HEADING).as_rarely_changed();
        /// lethal damage added to every ring in water
        water_damage: u8 = new_whole_number(LETHAL_DAMAGE_RANGE, 2).with_rule_reference("Advanced Terrain")
            .with_player_name("lethal damage added in water").with_heading(READINGS_HEADING).as_rarely_changed();
        /// burning dots each trooper caught in a fire then enters
        fire_entered: usize = new_whole_number(BURNING_DOTS_RANGE, 0).with_rule_reference("Incendiary Weapons")
            .with_player_name("burning dots entered").with_unit("dots").with_heading(GROUND_HEADING);
        /// each trooper caught in a fire ends their movement in it
        ends_in_fire: bool = new_switch_with_default(false).with_rule_reference("Incendiary Weapons").with_player_name("ends in the fire")
            .with_heading(GROUND_HEADING);
        /// lethal damage for entering a burning dot
        fire_enter_damage: u8 = new_whole_number(LETHAL_DAMAGE_RANGE, 1).with_rule_reference("Incendiary Weapons")
            .with_player_name("lethal damage of a burning dot").with_heading(READINGS_HEADING).as_rarely_changed();
        /// lethal damage for ending movement in fire
        fire_end_damage: u8 = new_whole_number(LETHAL_DAMAGE_RANGE, 8).with_rule_reference("Incendiary Weapons")
            .with_player_name("lethal damage for ending in fire").with_heading(READINGS_HEADING).as_rarely_changed();
    }
}

/// Effect of an attack that misses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MissEffect {
    /// The round goes off this many dots away, in any direction.
    Scatters(i8),
    /// The round has no effect.
    Fizzles,
}

impl MissEffect {
    /// Incendiary Weapons: returns the effect of a miss.
    ///
    /// "Incendiary ranged weapons are resolved like explosive ranged weapons, but they do not
    /// scatter": as if they scattered by no dots.
    pub fn from_fields(own: &ExplosionFields, weapon: &AttackWeapon) -> MissEffect {
        match (weapon.kind, own.incendiary_miss) {
            (WeaponKind::Incendiary, IncendiaryMiss::AimedDot) => MissEffect::Scatters(0),
            (WeaponKind::Incendiary, IncendiaryMiss::Nothing) => MissEffect::Fizzles,
            _ => MissEffect::Scatters(own.scatter_distance),
        }
    }

    /// Returns the dots of the scatter.
    pub fn scatter_distance(self) -> i8 {
        match self {
            MissEffect::Scatters(distance) => distance,
            MissEffect::Fizzles => 0,
        }
    }
}

/// Advanced Explosives: "a trooper may carry extra ammunition for a single weapon, doubling the
/// ammunition available".
pub fn available_ammo(own: &ExplosionFields, weapon: &AttackWeapon) -> Option<u8> {
    let times = if own.extra_ammo.unwrap_or(false) { 2 } else { 1 };
    weapon.ammo.map(|ammo| ammo.saturating_mul(times))
}

/// Incendiary Weapons: returns the damage for each burning dot that a trooper enters, and for the
/// one where they stop.
pub fn fire_damage_along_path(own: &ExplosionFields) -> Vec<LethalAndBludgeoning> {
    let lethal = |lethal| LethalAndBludgeoning { lethal, bludgeoning: 0 };
    let mut fire = vec![lethal(own.fire_enter_damage); own.fire_entered];
    fire.extend(own.ends_in_fire.then_some(lethal(own.fire_end_damage)));
    fire
}
