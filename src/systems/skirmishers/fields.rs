//! The fields of `skirmishers` contests: weapon, aim, target, numbers of the rules.
//!
//! Source: base rules (attacks, unit card) and the advanced rules. Each action joins the groups it
//! needs with [`joined!`](crate::form::groups).

use crate::bounds::Bound;
use crate::form::{Field, Kind};

use super::data::{WeaponKind, structure_names, weapon_names};

pub(super) const DOTS: Bound = Bound::new("distance in dots", 0, 1000);
pub(super) const HP: Bound = Bound::new("HP", 0, 10);
pub(super) const LIVE_HP: Bound = Bound::new("HP", 1, 10);
pub(super) const MODIFIER: Bound = Bound::new("modifier", -12, 12);
pub(super) const NUMBER: Bound = Bound::new("target number", 0, 20);
pub(super) const OBSTACLES: Bound = Bound::new("number of obstructions", 0, 12);
pub(super) const ARMOUR: Bound = Bound::new("number of armour cells", 0, 11);

/// Kinds of armour.
pub const ARMOURS: &[&str] = &["none", "basic", "standard", "heavy"];
/// Experience levels.
pub const EXPERIENCE: &[&str] = &["regular", "green", "veteran", "elite"];

/// Fields that name or describe a weapon.
pub const WEAPON: [Field; 5] = [
    Field::optional(
        "weapon",
        Kind::name(weapon_names),
        "the weapon, from the data",
    ),
    Field::optional(
        "damage",
        Kind::Text,
        "damage as printed: 7X, 5\\, 1X+4\\ or 7X/3X/1X by ring",
    ),
    Field::optional(
        "kind",
        Kind::choice(WeaponKind::NAMES),
        "how it is used; when no weapon is named, a launcher for damage by ring, explosions and breaches, or ranged",
    ),
    Field::optional("short", Kind::Int(DOTS), "short range in dots"),
    Field::optional("long", Kind::Int(DOTS), "long range in dots"),
];

/// Who attacks from where.
pub const ATTACKER: [Field; 2] = [
    Field::optional(
        "range",
        Kind::Int(DOTS),
        "dots to the target; short range when left out",
    ),
    Field::int(
        "attacker_hp",
        LIVE_HP,
        10,
        "HP of the attacker, whose wounds are a modifier",
    ),
];

/// What a throw is aimed with.
pub const THROW: [Field; 1] = [Field::int(
    "ap_spent",
    NUMBER,
    6,
    "AP spent on a throw: its base number",
)
.assumed()];

/// What moves the target number.
pub const SITUATION: [Field; 12] = situation(false, false);

/// The situation of those who fire on the move unless told otherwise.
pub const ON_THE_MOVE: [Field; 12] = situation(true, false);

/// The situation of a large target unless told otherwise.
pub const AT_A_STRUCTURE: [Field; 12] = situation(false, true);

const fn situation(moving: bool, large: bool) -> [Field; 12] {
    [
        Field::int(
            "obstructions",
            OBSTACLES,
            0,
            "obstructions on the line of fire; none counts hand to hand",
        ),
        Field::int(
            "smoke",
            OBSTACLES,
            0,
            "dots of smoke on the line of fire; none counts hand to hand",
        )
        .from("Smoke Grenades"),
        MOVEMENT_FIRE.preset(moving),
        Field::flag(
            "sneak_suit",
            false,
            "the target wears a sneak suit (long range)",
        )
        .from("Sneak Suits"),
        LARGE_TARGET.preset(large),
        Field::flag("attacker_entangled", false, "the attacker is entangled")
            .from("Advanced Terrain"),
        Field::flag("tunnel", false, "fought in a tunnel").from("Advanced Terrain"),
        Field::flag("defender_swimming", false, "the target swims").from("Advanced Terrain"),
        Field::flag("prone_attacker", false, "the attacker is prone"),
        Field::flag("prone_target", false, "the target is prone"),
        Field::flag("trench", false, "the target is in a trench: as if prone")
            .from("Advanced Terrain"),
        Field::int(
            "modifier",
            MODIFIER,
            0,
            "any other modifier of the target number",
        ),
    ]
}

const MOVEMENT_FIRE: Field =
    Field::flag("movement_fire", false, "fired on the move").from("Movement Fire");
const LARGE_TARGET: Field =
    Field::flag("large_target", false, "the target is large").from("Large Targets");

/// Numbers of the attack rules.
pub const AIM_RULES: [Field; 14] = [
    Field::int(
        "base_ranged",
        NUMBER,
        6,
        "base number of ranged weapons and launchers",
    ),
    Field::int("base_melee", NUMBER, 4, "base number hand to hand"),
    Field::int("long_range_modifier", MODIFIER, 2, "beyond short range"),
    Field::int("obstruction_modifier", MODIFIER, 1, "for each obstruction"),
    Field::int("smoke_modifier", MODIFIER, 3, "for each dot of smoke").from("Smoke Grenades"),
    Field::int("movement_fire_modifier", MODIFIER, 2, "on the move").from("Movement Fire"),
    Field::int(
        "sneak_suit_modifier",
        MODIFIER,
        1,
        "sneak suit at long range",
    )
    .from("Sneak Suits"),
    Field::int("large_target_modifier", MODIFIER, -2, "large target").from("Large Targets"),
    Field::int("entangled_modifier", MODIFIER, 1, "attacker entangled").from("Advanced Terrain"),
    Field::int("tunnel_modifier", MODIFIER, 2, "in a tunnel").from("Advanced Terrain"),
    Field::int("swimming_modifier", MODIFIER, 1, "target swims").from("Advanced Terrain"),
    Field::int("prone_attacker_modifier", MODIFIER, -1, "attacker prone"),
    Field::int(
        "prone_target_modifier",
        MODIFIER,
        1,
        "target prone, beyond one dot",
    ),
    Field::int(
        "prone_adjacent_modifier",
        MODIFIER,
        -1,
        "target prone, adjacent",
    ),
];

/// Fields of the trooper who is hit.
pub const TARGET: [Field; 4] = [
    Field::choice("target_armour", ARMOURS, "body armour of the target").from("Body Armor"),
    Field::flag(
        "advanced_armour",
        false,
        "the armour protects cells of the card (advanced rule)",
    )
    .from("Body Armor"),
    Field::int(
        "armour_from",
        HP,
        10,
        "highest cell that advanced armour protects",
    )
    .assumed(),
    Field::int(
        "target_hp",
        LIVE_HP,
        10,
        "HP of the target before the attack",
    ),
];

/// Readings of the card.
pub const CARD_RULES: [Field; 4] = [
    Field::choice(
        "cell_mapping",
        &["label", "column"],
        "how 2d6 pick a cell: the label (11 and 12 are 10), or the column from the left",
    )
    .assumed(),
    Field::choice(
        "bludgeoning_past_zero",
        &["dead", "nothing"],
        "what bludgeoning that runs past cell 0 does",
    )
    .assumed(),
    Field::choice(
        "bludgeoning_on_armour",
        &["lost", "passed-on"],
        "a point of bludgeoning at a cell that advanced armour protects: lost on it, or for the next cell",
    )
    .from("Body Armor")
    .assumed(),
    Field::optional(
        "armour_cells",
        Kind::Int(ARMOUR),
        "cells the armour protects, where not the printed number",
    )
    .from("Body Armor"),
];

/// A structure by name or toughness.
pub const STRUCTURE: [Field; 2] = [
    Field::optional(
        "structure",
        Kind::name(structure_names),
        "the structure; medium when neither is given",
    )
    .from("Large Targets"),
    Field::optional(
        "toughness",
        Kind::Int(TOUGHNESS),
        "damage that must be exceeded",
    )
    .from("Large Targets"),
];

const TOUGHNESS: Bound = Bound::new("toughness", 0, 500);
