//! Fields of an explosion, and what they determine: the effect of a miss, the ammunition, the fire.

use super::super::aim::AttackWeapon;
use super::super::attack_fields::{PLACE_HEADING, READINGS, TARGET_HEADING, WEAPON_HEADING};
use super::super::hit_card::HitDamage;
use super::super::skirmishers_data::WeaponKind;
use super::round_count::MAX_ROUNDS;
use enfilade_model::form::FieldType;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_macros::{choice, fields};

const SCATTER: IntRange = IntRange::new("scatter in dots", 0, 12);
const COORDINATE: IntRange = IntRange::new("axial coordinate", -60, 60);
const CROSSED: IntRange = IntRange::new("number of burning dots", 0, 20);
const POINTS: IntRange = IntRange::new("lethal damage", 0, 50);
const ROUNDS: IntRange = IntRange::new("number of rounds", 1, MAX_ROUNDS as i64);

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
        troopers: Option<Vec<Vec<i64>>> = optional(FieldType::list(const { &FieldType::list(const { &FieldType::Int(COORDINATE) }) }))
            .with_label("positions of troopers").with_group(TARGET_HEADING).as_hexes();
        /// rounds one after another at the same aimed dot; nobody moves between them
        rounds: u8 = int(ROUNDS, 1).with_rule("Advanced Explosives").with_label("rounds").with_unit("rounds")
            .with_group(WEAPON_HEADING).as_rare();
        /// ammunition for twice the printed rounds is carried
        extra_ammo: Option<bool> = optional(FieldType::Flag).with_rule("Advanced Explosives")
            .with_label("extra ammunition").with_group(WEAPON_HEADING).as_rare();
        /// dots of impassible obstacles, such as a high wall, which a blast does not cross
        walls: Option<Vec<Vec<i64>>> = optional(FieldType::list(const { &FieldType::list(const { &FieldType::Int(COORDINATE) }) }))
            .with_rule("Advanced Explosives").with_label("walls").with_group(TARGET_HEADING).as_rare();
        /// dots of low solid obstructions, which a blast does not cross to who is prone
        low_walls: Option<Vec<Vec<i64>>> = optional(FieldType::list(const { &FieldType::list(const { &FieldType::Int(COORDINATE) }) }))
            .with_rule("Advanced Explosives").with_label("low walls").with_group(TARGET_HEADING).as_rare();
        /// low walls stop a blast to who is in a trench as well
        low_walls_at_trenches: bool = flag(false).with_rule("Advanced Explosives").as_reading()
            .with_label("low walls shield a trench").with_group(READINGS).as_rare();
        /// dots a miss scatters
        scatter_distance: i8 = int(SCATTER, 1).as_reading().with_label("a miss scatters").with_unit("dots")
            .with_group(READINGS).as_rare();
        /// where a miss of an incendiary weapon that is not thrown goes off: where it was aimed,
        /// as it does not scatter, or nowhere
        incendiary_miss: IncendiaryMiss = choice(IncendiaryMiss::WORDS).with_rule("Incendiary Weapons")
            .as_reading().with_label("a miss of incendiary weapons")
            .with_value_labels(&["goes off where it was aimed", "does nothing"]).with_group(READINGS).as_rare();
        /// the troopers are in water
        in_water: bool = flag(false).with_rule("Advanced Terrain").with_label("in water")
            .with_value_labels(&["on land", "in water"]).with_group(PLACE_HEADING).as_rare();
        /// lethal damage added to every ring in water
        water_damage: u8 = int(POINTS, 2).with_rule("Advanced Terrain")
            .with_label("lethal damage added in water").with_group(READINGS).as_rare();
        /// burning dots each trooper caught in a fire then enters
        fire_entered: usize = int(CROSSED, 0).with_rule("Incendiary Weapons")
            .with_label("burning dots entered").with_unit("dots").with_group(PLACE_HEADING);
        /// each trooper caught in a fire ends their movement in it
        ends_in_fire: bool = flag(false).with_rule("Incendiary Weapons").with_label("ends in the fire")
            .with_group(PLACE_HEADING);
        /// lethal damage for entering a burning dot
        fire_enter_damage: u8 = int(POINTS, 1).with_rule("Incendiary Weapons")
            .with_label("lethal damage of a burning dot").with_group(READINGS).as_rare();
        /// lethal damage for ending movement in fire
        fire_end_damage: u8 = int(POINTS, 8).with_rule("Incendiary Weapons")
            .with_label("lethal damage for ending in fire").with_group(READINGS).as_rare();
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
    pub fn scatter_dots(self) -> i8 {
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
pub fn fire_damage(own: &ExplosionFields) -> Vec<HitDamage> {
    let lethal = |lethal| HitDamage { lethal, bludgeoning: 0 };
    let mut fire = vec![lethal(own.fire_enter_damage); own.fire_entered];
    fire.extend(own.ends_in_fire.then_some(lethal(own.fire_end_damage)));
    fire
}
