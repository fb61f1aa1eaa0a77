//! The fields of `skirmishers` contests: weapon, aim, target, numbers of the rules.
//!
//! Source: base rules (attacks, unit card) and the advanced rules. Each action joins the groups it
//! needs with [`joined!`](crate::form::groups).

use crate::bounds::Bound;
pub use crate::form::groups::READINGS;
use crate::form::groups::{readings, under};
use crate::form::{Field, Kind, Preset};

use super::data::{WeaponKind, structure_names, weapon_names};

pub(super) const DOTS: Bound = Bound::new("distance in dots", 0, 1000);
pub(super) const HP: Bound = Bound::new("HP", 0, 10);
pub(super) const LIVE_HP: Bound = Bound::new("HP", 1, 10);
pub(super) const MODIFIER: Bound = Bound::new("modifier", -12, 12);
pub(super) const NUMBER: Bound = Bound::new("target number", 0, 20);
pub(super) const OBSTACLES: Bound = Bound::new("number of obstructions", 0, 12);
pub(super) const ARMOUR: Bound = Bound::new("number of armour cells", 0, 11);

/// Heading of what is used, and by whom it is served.
pub const THE_WEAPON: &str = "the weapon";
/// Heading of who attacks.
pub const THE_ATTACKER: &str = "the attacker";
/// Heading of who or what is attacked.
pub const THE_TARGET: &str = "the target";
/// Heading of what lies between them, and for how long.
pub const THE_PLACE: &str = "the place";

/// Kinds of armour.
pub const ARMOURS: &[&str] = &["none", "basic", "standard", "heavy"];
/// The same as a player says them.
pub const IN_ARMOUR: &[&str] = &["no armour", "basic armour", "standard armour", "heavy armour"];
/// Experience levels.
pub const EXPERIENCE: &[&str] = &["regular", "green", "veteran", "elite"];

/// Fields that name or describe a weapon.
pub const WEAPON: [Field; 5] = under(
    THE_WEAPON,
    [
        Field::optional("weapon", Kind::name(weapon_names), "the weapon, from the data")
            .label("weapon"),
        Field::optional(
            "damage",
            Kind::Text,
            "damage as printed: 7X, 5\\, 1X+4\\ or 7X/3X/1X by ring",
        )
        .label("damage"),
        Field::optional(
            "kind",
            Kind::choice(WeaponKind::NAMES),
            "how it is used; when no weapon is named, a launcher for damage by ring, explosions \
             and breaches, or ranged",
        )
        .label("kind of weapon")
        .values(&[
            "ranged weapon",
            "crewed weapon",
            "launcher",
            "incendiary weapon",
            "grenade",
            "incendiary grenade",
            "melee weapon",
        ])
        .rare(),
        Field::optional("short", Kind::Int(DOTS), "short range in dots")
            .label("short range")
            .unit("dots"),
        Field::optional("long", Kind::Int(DOTS), "long range in dots")
            .label("long range")
            .unit("dots"),
    ],
);

/// Who attacks from where.
pub const ATTACKER: [Field; 2] = [
    Field::optional("range", Kind::Int(DOTS), "dots to the target; short range when left out")
        .label("range")
        .unit("dots")
        .group(THE_PLACE),
    Field::int("attacker_hp", LIVE_HP, 10, "HP of the attacker, whose wounds are a modifier")
        .label("HP of the attacker")
        .group(THE_ATTACKER),
];

/// What a throw is aimed with.
pub const THROW: [Field; 1] = under(
    THE_WEAPON,
    [Field::int("ap_spent", NUMBER, 6, "AP spent on a throw: its base number")
        .assumed()
        .label("AP spent on the throw")
        .unit("AP")],
);

/// What moves the target number.
pub const SITUATION: [Field; 12] = situation(false, false);

/// The situation of those who fire on the move unless told otherwise.
pub const ON_THE_MOVE: [Field; 12] = situation(true, false);

/// The situation of a large target unless told otherwise.
pub const AT_A_STRUCTURE: [Field; 12] = situation(false, true);

const fn situation(moving: bool, large: bool) -> [Field; 12] {
    [
        OBSTRUCTIONS,
        SMOKE,
        MOVEMENT_FIRE.preset(Preset::Flag(moving)),
        SNEAK_SUIT,
        LARGE_TARGET.preset(Preset::Flag(large)),
        Field::flag("attacker_entangled", false, "the attacker is entangled")
            .from("Advanced Terrain")
            .label("attacker entangled")
            .group(THE_ATTACKER)
            .rare(),
        Field::flag("tunnel", false, "fought in a tunnel")
            .from("Advanced Terrain")
            .label("in a tunnel")
            .group(THE_PLACE)
            .rare(),
        Field::flag("defender_swimming", false, "the target swims")
            .from("Advanced Terrain")
            .label("target swims")
            .group(THE_TARGET)
            .rare(),
        Field::flag("prone_attacker", false, "the attacker is prone")
            .label("attacker prone")
            .values(&["attacker upright", "attacker prone"])
            .group(THE_ATTACKER),
        Field::flag("prone_target", false, "the target is prone")
            .label("target prone")
            .values(&["target upright", "target prone"])
            .group(THE_TARGET),
        Field::flag("trench", false, "the target is in a trench: as if prone")
            .from("Advanced Terrain")
            .label("in a trench")
            .group(THE_TARGET)
            .rare(),
        Field::int("modifier", MODIFIER, 0, "any other modifier of the target number")
            .label("other modifiers")
            .group(THE_PLACE)
            .rare(),
    ]
}

const OBSTRUCTIONS: Field = Field::int(
    "obstructions",
    OBSTACLES,
    0,
    "obstructions on the line of fire; none counts hand to hand",
)
.label("obstructions")
.group(THE_PLACE);
const SMOKE: Field = Field::int(
    "smoke",
    OBSTACLES,
    0,
    "dots of smoke on the line of fire; none counts hand to hand",
)
.from("Smoke Grenades")
.label("smoke")
.unit("dots")
.group(THE_PLACE);
const SNEAK_SUIT: Field =
    Field::flag("sneak_suit", false, "the target wears a sneak suit (long range)")
        .from("Sneak Suits")
        .label("sneak suit")
        .values(&["no sneak suit", "in a sneak suit"])
        .group(THE_TARGET)
        .rare();
const MOVEMENT_FIRE: Field = Field::flag("movement_fire", false, "fired on the move")
    .from("Movement Fire")
    .label("Movement Fire")
    .values(&["fired at rest", "fired on the move"])
    .group(THE_ATTACKER);
const LARGE_TARGET: Field = Field::flag("large_target", false, "the target is large")
    .from("Large Targets")
    .label("large target")
    .group(THE_TARGET)
    .rare();

/// Numbers of the attack rules.
pub const AIM_RULES: [Field; 14] = readings([
    Field::int("base_ranged", NUMBER, 6, "base number of ranged weapons and launchers")
        .label("base number of ranged weapons"),
    Field::int("base_melee", NUMBER, 4, "base number hand to hand")
        .label("base number hand to hand"),
    Field::int("long_range_modifier", MODIFIER, 2, "beyond short range")
        .label("modifier for long range"),
    Field::int("obstruction_modifier", MODIFIER, 1, "for each obstruction")
        .label("modifier for an obstruction"),
    Field::int("smoke_modifier", MODIFIER, 3, "for each dot of smoke")
        .from("Smoke Grenades")
        .label("modifier for a dot of smoke"),
    Field::int("movement_fire_modifier", MODIFIER, 2, "on the move")
        .from("Movement Fire")
        .label("modifier for Movement Fire"),
    Field::int("sneak_suit_modifier", MODIFIER, 1, "sneak suit at long range")
        .from("Sneak Suits")
        .label("modifier for a sneak suit"),
    Field::int("large_target_modifier", MODIFIER, -2, "large target")
        .from("Large Targets")
        .label("modifier for a large target"),
    Field::int("entangled_modifier", MODIFIER, 1, "attacker entangled")
        .from("Advanced Terrain")
        .label("modifier for an entangled attacker"),
    Field::int("tunnel_modifier", MODIFIER, 2, "in a tunnel")
        .from("Advanced Terrain")
        .label("modifier in a tunnel"),
    Field::int("swimming_modifier", MODIFIER, 1, "target swims")
        .from("Advanced Terrain")
        .label("modifier for a target that swims"),
    Field::int("prone_attacker_modifier", MODIFIER, -1, "attacker prone")
        .label("modifier for a prone attacker"),
    Field::int("prone_target_modifier", MODIFIER, 1, "target prone, beyond one dot")
        .label("modifier for a prone target"),
    Field::int("prone_adjacent_modifier", MODIFIER, -1, "target prone, adjacent")
        .label("modifier for a prone target, adjacent"),
]);

/// Fields of the trooper who is hit.
pub const TARGET: [Field; 4] = under(
    THE_TARGET,
    [
        Field::choice("target_armour", ARMOURS, "body armour of the target")
            .from("Body Armor")
            .label("body armour")
            .values(IN_ARMOUR),
        Field::flag(
            "advanced_armour",
            false,
            "the armour protects cells of the card (advanced rule)",
        )
        .from("Body Armor")
        .label("advanced body armour")
        .rare(),
        Field::int("armour_from", HP, 10, "highest cell that advanced armour protects")
            .assumed()
            .label("highest protected cell")
            .rare(),
        Field::int("target_hp", LIVE_HP, 10, "HP of the target before the attack")
            .label("HP of the target"),
    ],
);

/// Readings of the card.
pub const CARD_RULES: [Field; 4] = readings([
    Field::choice(
        "cell_mapping",
        &["label", "column"],
        "how 2d6 pick a cell: the label (11 and 12 are 10), or the column from the left",
    )
    .assumed()
    .label("2d6 pick a cell")
    .values(&["by its label", "by its column"]),
    Field::choice(
        "bludgeoning_past_zero",
        &["dead", "nothing"],
        "what bludgeoning that runs past cell 0 does",
    )
    .assumed()
    .label("bludgeoning past cell 0")
    .values(&["kills", "does nothing"]),
    Field::choice(
        "bludgeoning_on_armour",
        &["lost", "passed-on"],
        "a point of bludgeoning at a cell that advanced armour protects: lost on it, or for the \
         next cell",
    )
    .from("Body Armor")
    .assumed()
    .label("bludgeoning on protected cells")
    .values(&["is lost", "goes on to the next cell"]),
    Field::optional(
        "armour_cells",
        Kind::Int(ARMOUR),
        "cells the armour protects, where not the printed number",
    )
    .from("Body Armor")
    .label("protected cells"),
]);

/// A structure by name or toughness.
pub const STRUCTURE: [Field; 2] = under(
    THE_TARGET,
    [
        Field::optional(
            "structure",
            Kind::name(structure_names),
            "the structure; medium when neither is given",
        )
        .from("Large Targets")
        .label("structure"),
        Field::optional("toughness", Kind::Int(TOUGHNESS), "damage that must be exceeded")
            .from("Large Targets")
            .label("toughness"),
    ],
);

const TOUGHNESS: Bound = Bound::new("toughness", 0, 500);
