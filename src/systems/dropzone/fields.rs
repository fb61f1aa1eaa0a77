//! The fields of `dropzone` contests: weapon, target, situation, numbers of the rules.
//!
//! Source: quick reference, SHOOTING, ACCURACY, DAMAGE; special rules of the second edition. Each
//! action joins the groups it needs with [`joined!`](crate::form::groups).

use crate::bounds::Bound;
use crate::form::{Field, Kind};

use super::data;
use super::squad::MAX_MODELS;

pub(super) const SHOTS: Bound = Bound::new("number of shots", 1, 200);
pub(super) const ACCURACY: Bound = Bound::new("accuracy", 0, 7);
pub(super) const ENERGY: Bound = Bound::new("energy", 0, 30);
pub(super) const MODELS: Bound = Bound::new("number of models", 1, MAX_MODELS as i64);
pub(super) const ARMOUR: Bound = Bound::new("armour", 1, 30);
pub(super) const POINTS: Bound = Bound::new("number of Damage Points", 1, 200);
pub(super) const LOST: Bound = Bound::new("number of Damage Points lost", 0, 200);
pub(super) const SAVE: Bound = Bound::new("countermeasure", 1, 7);
pub(super) const EVASION: Bound = Bound::new("evasion", 0, 6);
pub(super) const COST: Bound = Bound::new("points", 1, 10_000);
pub(super) const MODIFIER: Bound = Bound::new("modifier", -6, 6);
pub(super) const RANGE: Bound = Bound::new("range in inches", 0, 200);
pub(super) const FACTOR: Bound = Bound::new("factor", 0, 10);
pub(super) const MERGED: Bound = Bound::new("number of hits merged", 1, 20);

/// Types a form may name.
pub(super) const TYPES: &[&str] = &[
    "Infantry",
    "Tank",
    "Skimmer",
    "Walker",
    "Behemoth",
    "Aircraft",
    "Aircraft-S",
    "Scenery",
];

/// Fields that name or describe a weapon.
pub const WEAPON: [Field; 7] = [
    Field::optional(
        "weapon",
        Kind::name(data::weapon_names),
        "the weapon, from the data",
    ),
    Field::optional("shots", Kind::Int(SHOTS), "hit dice of one shooter"),
    Field::optional(
        "accuracy",
        Kind::Int(ACCURACY),
        "X of X+; 0 on a Close Quarters weapon hits by itself",
    ),
    Field::optional("energy", Kind::Int(ENERGY), "added to every damage die"),
    Field::optional(
        "close_quarters",
        Kind::Flag,
        "whether it is a Close Quarters weapon",
    ),
    Field::optional(
        "specials",
        Kind::list(&Kind::Text),
        "special rules of the weapon, as printed",
    ),
    Field::int(
        "focus_merge",
        MERGED,
        1,
        "hits merged into one by a Focus weapon (doctrine); 1: none",
    )
    .from("Focus-X"),
];

/// How many hits a Focus weapon merges.
pub const FOCUS: Field = Field::choice(
    "focus",
    &["given", "best"],
    "how many hits Focus merges (doctrine): `focus_merge`, or as many as are expected to do most damage",
)
.from("Focus-X");

/// Fields of the models that fire it.
pub const SHOOTERS: [Field; 3] = [
    Field::int("squad", MODELS, 1, "models that shoot"),
    Field::int(
        "damage_lost",
        LOST,
        0,
        "Damage Points each shooter has lost (Reduced-X)",
    ),
    Field::optional(
        "points",
        Kind::Int(COST),
        "points of one shooter, for damage_per_100_points",
    ),
];

/// Fields that name or describe what is shot at.
pub const ARMOURED: [Field; 8] = [
    Field::optional(
        "target",
        Kind::name(data::target_names),
        "the target, from the data: a unit or a piece of scenery",
    ),
    Field::optional("armour", Kind::Int(ARMOUR), "armour of the target"),
    Field::optional(
        "damage_points",
        Kind::Int(POINTS),
        "Damage Points of one model; 1 when no target is named",
    ),
    Field::optional(
        "passive",
        Kind::Int(SAVE),
        "passive countermeasures, X of PX+",
    ),
    Field::optional("evasion", Kind::Int(EVASION), "evasion, X of E+X"),
    Field::optional(
        "active",
        Kind::Flag,
        "whether the target has active countermeasures",
    ),
    Field::optional(
        "type",
        Kind::choice(TYPES),
        "what the target is; Tank when no target is named",
    ),
    Field::optional(
        "target_specials",
        Kind::list(&Kind::Text),
        "special rules of the target, as printed",
    ),
];

/// Fields of a squad of such models.
pub const SQUAD: [Field; 2] = [
    Field::int("count", MODELS, 1, "models of the target"),
    Field::choice(
        "allocation",
        &["focus", "even"],
        "which model is hit next: one until it is destroyed, or the one with the most points left",
    )
    .assumed(),
];

/// Whether a piece of scenery burns.
pub const FLAMMABLE: Field = Field::flag(
    "flammable",
    false,
    "whether the target is scenery that burns",
);

/// Fields of the situation in which a weapon is fired.
pub const SITUATION: [Field; 7] = [
    Field::flag("soft_cover", false, "the target is in soft cover").from("ACCURACY"),
    Field::flag("body_cover", false, "the target is behind body cover").from("DAMAGE"),
    Field::flag("hull_down", false, "the target is hull down").from("ACCURACY"),
    Field::flag(
        "out_of_coherency",
        false,
        "the shooters are out of coherency",
    )
    .from("ACCURACY"),
    Field::flag("disembarked", false, "the shooters disembarked this turn").from("ACCURACY"),
    Field::flag(
        "entered_garrison",
        false,
        "the shooters entered the garrison this turn: Close Quarters damage is rolled again",
    )
    .from("GARRISONS"),
    Field::optional(
        "range",
        Kind::Int(RANGE),
        "inches to the target; within reach when left out",
    ),
];

/// Numbers and readings of the rules for shooting.
pub const RULES: [Field; 17] = [
    Field::flag(
        "natural_one_misses",
        false,
        "a hit die of 1 misses whatever is needed",
    )
    .assumed(),
    Field::flag(
        "natural_six_hits",
        false,
        "a hit die of 6 hits whatever is needed",
    )
    .assumed(),
    Field::flag(
        "destroyer_hits",
        false,
        "a hit die of a Destroyer's X or more hits whatever is needed, as in the full rulebook",
    )
    .from("Destroyer")
    .assumed(),
    Field::flag(
        "aircraft_need_aa",
        false,
        "only AA weapons can hit aircraft",
    )
    .assumed(),
    Field::choice(
        "vehicle_means",
        &["ground", "tank"],
        "what Devastator (Vehicle) hurts: Tanks, Skimmers and Walkers, or Tanks only",
    )
    .assumed(),
    Field::flag(
        "large_hull_down",
        true,
        "a Large target can be hull down; never, in the full rulebook",
    )
    .assumed(),
    Field::flag(
        "area_on_behemoths",
        true,
        "Area weapons glance Behemoths as well; not in the full rulebook",
    )
    .assumed(),
    Field::flag(
        "tech_killer_on_scenery",
        false,
        "Tech Killer weapons damage scenery as well; not in the full rulebook",
    )
    .assumed(),
    Field::int(
        "coherency_modifier",
        MODIFIER,
        1,
        "needed when out of coherency",
    )
    .from("ACCURACY"),
    Field::int(
        "disembarked_modifier",
        MODIFIER,
        2,
        "needed when disembarked",
    )
    .from("ACCURACY"),
    Field::int(
        "hull_down_modifier",
        MODIFIER,
        2,
        "needed against hull down",
    )
    .from("ACCURACY"),
    Field::int(
        "soft_cover_modifier",
        MODIFIER,
        2,
        "needed against soft cover",
    )
    .from("ACCURACY"),
    Field::int(
        "scenery_accuracy",
        ACCURACY,
        2,
        "needed against scenery, always",
    )
    .from("ACCURACY"),
    Field::int(
        "body_cover_energy",
        MODIFIER,
        -1,
        "on damage dice against body cover",
    )
    .from("DAMAGE"),
    Field::int(
        "glance_energy",
        MODIFIER,
        -2,
        "on the damage die of a glancing hit",
    )
    .from("Area"),
    Field::int(
        "glance_from",
        ACCURACY,
        2,
        "misses of this face or more glance",
    )
    .from("Area"),
    Field::int(
        "penetrative_face",
        ACCURACY,
        6,
        "damage rolls of this face or more always damage",
    )
    .from("Penetrative"),
];

/// Numbers of the damage die.
pub const DAMAGE: [Field; 2] = [
    Field::int(
        "critical_margin",
        MODIFIER,
        2,
        "above armour for a Critical",
    )
    .from("DAMAGE"),
    Field::int(
        "critical_factor",
        FACTOR,
        2,
        "damage of a Critical, in plain hits",
    )
    .from("DAMAGE"),
];

/// How much is told apart.
pub const DETAIL: Field = Field::choice(
    "detail",
    &["damage", "hits"],
    "what is told apart: damage, or hits and Criticals as well",
);
