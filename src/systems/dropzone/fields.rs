//! The fields of `dropzone` contests: weapon, target, situation, numbers of the rules.
//!
//! Source: quick reference, SHOOTING, ACCURACY, DAMAGE; special rules of the second edition. Each
//! action joins the groups it needs with [`joined!`](crate::form::groups).

use crate::bounds::Bound;
pub use crate::form::groups::READINGS;
use crate::form::groups::{readings, under};
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

/// Heading of what is shot with.
pub const THE_WEAPON: &str = "the weapon";
/// Heading of who shoots.
pub const THE_SHOOTERS: &str = "the shooters";
/// Heading of what is shot at.
pub const THE_TARGET: &str = "the target";
/// Heading of where, and for how long.
pub const THE_PLACE: &str = "the place";

/// Types a form may name.
pub(super) const TYPES: &[&str] =
    &["Infantry", "Tank", "Skimmer", "Walker", "Behemoth", "Aircraft", "Aircraft-S", "Scenery"];

/// Fields that name or describe a weapon.
pub const WEAPON: [Field; 7] = under(
    THE_WEAPON,
    [
        Field::optional("weapon", Kind::name(data::weapon_names), "the weapon, from the data")
            .label("weapon"),
        Field::optional("shots", Kind::Int(SHOTS), "hit dice of one shooter")
            .label("hit dice")
            .unit("dice"),
        Field::optional(
            "accuracy",
            Kind::Int(ACCURACY),
            "X of X+; 0 on a Close Quarters weapon hits by itself",
        )
        .label("accuracy"),
        Field::optional("energy", Kind::Int(ENERGY), "added to every damage die").label("energy"),
        Field::optional("close_quarters", Kind::Flag, "whether it is a Close Quarters weapon")
            .label("Close Quarters weapon")
            .rare(),
        Field::optional(
            "specials",
            Kind::list(&Kind::Text),
            "special rules of the weapon, as printed",
        )
        .label("special rules of the weapon")
        .rare(),
        Field::int(
            "focus_merge",
            MERGED,
            1,
            "hits merged into one by a Focus weapon (doctrine); 1: none",
        )
        .from("Focus-X")
        .label("hits merged by Focus")
        .unit("hits")
        .rare(),
    ],
);

/// How many hits a Focus weapon merges.
pub const FOCUS: Field = Field::choice(
    "focus",
    &["given", "best"],
    "how many hits Focus merges (doctrine): `focus_merge`, or as many as are expected to do most \
     damage",
)
.from("Focus-X")
.label("Focus merges")
.values(&["as many hits as given", "the best number of hits"])
.group(THE_WEAPON)
.rare();

/// Fields of the models that fire it.
pub const SHOOTERS: [Field; 3] = under(
    THE_SHOOTERS,
    [
        Field::int("squad", MODELS, 1, "models that shoot").label("shooters").unit("models"),
        Field::int("damage_lost", LOST, 0, "Damage Points each shooter has lost (Reduced-X)")
            .label("Damage Points lost by each shooter")
            .unit("Damage Points")
            .rare(),
        Field::optional(
            "points",
            Kind::Int(COST),
            "points of one shooter, for damage_per_100_points",
        )
        .label("cost of a shooter")
        .unit("points")
        .rare(),
    ],
);

/// Fields that name or describe what is shot at.
pub const ARMOURED: [Field; 8] = under(
    THE_TARGET,
    [
        Field::optional(
            "target",
            Kind::name(data::target_names),
            "the target, from the data: a unit or a piece of scenery",
        )
        .label("target"),
        Field::optional("armour", Kind::Int(ARMOUR), "armour of the target").label("armour"),
        Field::optional(
            "damage_points",
            Kind::Int(POINTS),
            "Damage Points of one model; 1 when no target is named",
        )
        .label("Damage Points"),
        Field::optional("passive", Kind::Int(SAVE), "passive countermeasures, X of PX+")
            .label("passive countermeasures"),
        Field::optional("evasion", Kind::Int(EVASION), "evasion, X of E+X").label("evasion"),
        Field::optional("active", Kind::Flag, "whether the target has active countermeasures")
            .label("active countermeasures")
            .rare(),
        Field::optional(
            "type",
            Kind::choice(TYPES),
            "what the target is; Tank when no target is named",
        )
        .label("unit type")
        .rare(),
        Field::optional(
            "target_specials",
            Kind::list(&Kind::Text),
            "special rules of the target, as printed",
        )
        .label("special rules of the target")
        .rare(),
    ],
);

/// The same of a unit that is not shot at first, for a table of its own.
pub const fn a_unit(heading: &'static str) -> [Field; 8] {
    let mut fields = under(heading, ARMOURED);
    fields[0].label.set("unit");
    fields[7].label.set("special rules of the unit");
    fields
}

/// Fields of a squad of such models.
pub const SQUAD: [Field; 2] = under(
    THE_TARGET,
    [
        Field::int("count", MODELS, 1, "models of the target")
            .label("models of the target")
            .unit("models"),
        Field::choice(
            "allocation",
            &["focus", "even"],
            "which model is hit next: one until it is destroyed, or the one with the most points \
             left",
        )
        .assumed()
        .label("the next hit falls on")
        .values(&["one model until it is destroyed", "the model with most left"])
        .rare(),
    ],
);

/// The same for a squad of such units.
pub const fn a_squad(heading: &'static str) -> [Field; 2] {
    let mut fields = under(heading, SQUAD);
    fields[0].label.set("models");
    fields
}

/// Whether a piece of scenery burns.
pub const FLAMMABLE: Field =
    Field::flag("flammable", false, "whether the target is scenery that burns")
        .label("scenery that burns")
        .group(THE_TARGET)
        .rare();

/// Fields of the situation in which a weapon is fired.
pub const SITUATION: [Field; 7] = [
    Field::flag("soft_cover", false, "the target is in soft cover")
        .from("ACCURACY")
        .label("in soft cover")
        .values(&["in the open", "in soft cover"])
        .group(THE_PLACE),
    Field::flag("body_cover", false, "the target is behind body cover")
        .from("DAMAGE")
        .label("behind body cover")
        .values(&["no body cover", "behind body cover"])
        .group(THE_PLACE),
    Field::flag("hull_down", false, "the target is hull down")
        .from("ACCURACY")
        .label("hull down")
        .values(&["in full view", "hull down"])
        .group(THE_PLACE),
    Field::flag("out_of_coherency", false, "the shooters are out of coherency")
        .from("ACCURACY")
        .label("shooters out of coherency")
        .values(&["in coherency", "out of coherency"])
        .group(THE_SHOOTERS)
        .rare(),
    Field::flag("disembarked", false, "the shooters disembarked this turn")
        .from("ACCURACY")
        .label("shooters disembarked this turn")
        .group(THE_SHOOTERS)
        .rare(),
    Field::flag(
        "entered_garrison",
        false,
        "the shooters entered the garrison this turn: Close Quarters damage is rolled again",
    )
    .from("GARRISONS")
    .label("shooters entered the garrison this turn")
    .group(THE_SHOOTERS)
    .rare(),
    Field::optional("range", Kind::Int(RANGE), "inches to the target; within reach when left out")
        .label("range")
        .unit("inches")
        .group(THE_PLACE),
];

/// Numbers and readings of the rules for shooting.
pub const RULES: [Field; 17] = readings([
    Field::flag("natural_one_misses", false, "a hit die of 1 misses whatever is needed")
        .assumed()
        .label("a hit die of 1 always misses"),
    Field::flag("natural_six_hits", false, "a hit die of 6 hits whatever is needed")
        .assumed()
        .label("a hit die of 6 always hits"),
    Field::flag(
        "destroyer_hits",
        false,
        "a hit die of a Destroyer's X or more hits whatever is needed, as in the full rulebook",
    )
    .from("Destroyer")
    .assumed()
    .label("a Destroyer face always hits"),
    Field::flag("aircraft_need_aa", false, "only AA weapons can hit aircraft")
        .assumed()
        .label("only AA weapons hit aircraft"),
    Field::choice(
        "vehicle_means",
        &["ground", "tank"],
        "what Devastator (Vehicle) hurts: Tanks, Skimmers and Walkers, or Tanks only",
    )
    .assumed()
    .label("Devastator (Vehicle) hurts")
    .values(&["Tanks, Skimmers and Walkers", "Tanks only"]),
    Field::flag(
        "large_hull_down",
        true,
        "a Large target can be hull down; never, in the full rulebook",
    )
    .assumed()
    .label("Large targets can be hull down"),
    Field::flag(
        "area_on_behemoths",
        true,
        "Area weapons glance Behemoths as well; not in the full rulebook",
    )
    .assumed()
    .label("Area weapons glance Behemoths"),
    Field::flag(
        "tech_killer_on_scenery",
        false,
        "Tech Killer weapons damage scenery as well; not in the full rulebook",
    )
    .assumed()
    .label("Tech Killer damages scenery"),
    Field::int("coherency_modifier", MODIFIER, 1, "needed when out of coherency")
        .from("ACCURACY")
        .label("accuracy out of coherency"),
    Field::int("disembarked_modifier", MODIFIER, 2, "needed when disembarked")
        .from("ACCURACY")
        .label("accuracy when disembarked"),
    Field::int("hull_down_modifier", MODIFIER, 2, "needed against hull down")
        .from("ACCURACY")
        .label("accuracy against hull down"),
    Field::int("soft_cover_modifier", MODIFIER, 2, "needed against soft cover")
        .from("ACCURACY")
        .label("accuracy against soft cover"),
    Field::int("scenery_accuracy", ACCURACY, 2, "needed against scenery, always")
        .from("ACCURACY")
        .label("accuracy against scenery"),
    Field::int("body_cover_energy", MODIFIER, -1, "on damage dice against body cover")
        .from("DAMAGE")
        .label("energy against body cover"),
    Field::int("glance_energy", MODIFIER, -2, "on the damage die of a glancing hit")
        .from("Area")
        .label("energy of a glancing hit"),
    Field::int("glance_from", ACCURACY, 2, "misses of this face or more glance")
        .from("Area")
        .label("lowest miss that glances"),
    Field::int("penetrative_face", ACCURACY, 6, "damage rolls of this face or more always damage")
        .from("Penetrative")
        .label("lowest damage die of Penetrative"),
]);

/// Numbers of the damage die.
pub const DAMAGE: [Field; 2] = readings([
    Field::int("critical_margin", MODIFIER, 2, "above armour for a Critical")
        .from("DAMAGE")
        .label("above armour for a Critical"),
    Field::int("critical_factor", FACTOR, 2, "damage of a Critical, in plain hits")
        .from("DAMAGE")
        .label("damage of a Critical")
        .unit("plain hits"),
]);

/// How much is told apart.
pub const DETAIL: Field = Field::choice(
    "detail",
    &["damage", "hits"],
    "what is told apart: damage, or hits and Criticals as well",
)
.label("told apart")
.values(&["damage", "hits and Criticals as well"])
.group(READINGS)
.rare();
