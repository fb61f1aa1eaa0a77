//! The fields that say who fires, and how.

use crate::bounds::Bound;
use crate::form::groups::{joined, under};
use crate::form::names::{NameList, name_list};
use crate::form::{Field, Kind, Preset};
use crate::systems::asl::data::library;
use crate::systems::asl::headings;
use crate::systems::asl::targets::{distinct, leader_names, nation_names, unit_names};

const FIREPOWER: Bound = Bound::new("firepower", 0, 1000);
const BREAKDOWN: Bound = Bound::new("breakdown number", 2, 13);
const RATE: Bound = Bound::new("rate of fire", 0, 6);
const RANGE: Bound = Bound::new("range in hexes", 0, 200);
const COUNT: Bound = Bound::new("number of firers", 1, 30);
const AREA: Bound = Bound::new("number of Area Fire applications", 0, 4);
const LOCATIONS: Bound = Bound::new("number of Locations", 1, 20);

const PHASES: &[&str] = &["prep", "defensive", "advancing"];
const KINDS: &[&str] = &[
    "small-arms",
    "mg",
    "ordnance",
    "demolition-charge",
    "molotov",
    "flamethrower",
    "atr",
    "ife",
    "canister",
];
const EXEMPT: &[&str] = &["berserk", "fanatic", "fire-lane", "aircraft", "vehicle", "sniper"];

/// `fp`.
pub const FP: Field = Field::optional(
    "fp",
    Kind::Fraction(FIREPOWER),
    "total firepower after all modifiers, in place of firers",
)
.label("firepower")
.unit("FP")
.from("A7.2");

/// `breakdown`.
pub const BREAKDOWN_FIELD: Field = Field::optional(
    "breakdown",
    Kind::Int(BREAKDOWN),
    "breakdown number of the machine gun behind `fp`; absent: nothing breaks down",
)
.label("breakdown number")
.rare()
.from("A9.7");

/// `breakdown` of `rof`, where a machine gun is behind `fp` for certain.
pub const GUN_BREAKDOWN: Field = Field::optional(
    "breakdown",
    Kind::Int(BREAKDOWN),
    "breakdown number of the machine gun behind `fp`; absent: 12; 13: it never breaks down",
)
.label("breakdown number")
.from("A9.7");

/// `rof`.
pub const ROF: Field = Field::optional(
    "rof",
    Kind::Int(RATE),
    "rate of fire of the machine gun behind `fp`: a coloured die of at most this keeps it",
)
.label("rate of fire")
.from("A9.2");

/// `firer`.
pub const FIRERS: Field =
    Field::new("firer", Kind::tables(joined![FIELDS]), Preset::Empty, "the fire group")
        .label("firers")
        .from("A7.5");

/// `leader`.
pub const LEADER: Field = Field::optional(
    "leader",
    Kind::name(leader_names),
    "leader who directs the fire: he adds his modifier and prevents cowering",
)
.label("directing leader")
.from("A7.531, A7.9");

/// `leaders`.
pub const LEADERS: Field = Field::new(
    "leaders",
    Kind::list(const { &Kind::name(leader_names) }),
    Preset::Empty,
    "directing leaders of a group in several Locations, one in each: the worst one counts; in one \
     Location the best one",
)
.label("directing leaders")
.rare()
.from("A7.531");

/// `locations`.
pub const LOCATIONS_FIELD: Field = Field::int(
    "locations",
    LOCATIONS,
    1,
    "Locations of the fire group; without a leader in every one nobody directs it",
)
.label("Locations of the fire group")
.rare()
.from("A7.531");

/// `inexperienced`.
pub const INEXPERIENCED: Field = Field::optional(
    "inexperienced",
    Kind::Flag,
    "inexperienced firers lose more columns by cowering; absent: they are not, whatever their class",
)
.label("inexperienced firers")
.rare()
.from("A7.9")
.assumed();

/// `cowers`.
pub const COWERS: Field = Field::flag(
    "cowers",
    true,
    "false: the attack never cowers; true: as the firers' nature has it",
)
.label("cowering")
.values(&["never", "by the rules"])
.rare()
.from("A7.9");

/// `phase`.
pub const PHASE: Field = Field::choice("phase", PHASES, "fire phase of firers that do not say")
    .label("fire phase")
    .values(&["Prep Fire", "Defensive Fire", "Advancing Fire"])
    .rare()
    .from("A7.24");

/// `opportunity_fire`.
pub const OPPORTUNITY: Field =
    Field::flag("opportunity_fire", false, "Opportunity Fire in the Advancing Fire phase")
        .label("Opportunity Fire")
        .rare()
        .from("A7.25");

/// `assault_fire`.
pub const ASSAULT: Field = Field::optional(
    "assault_fire",
    Kind::Flag,
    "whether squads use Assault Fire; absent: those that can do",
)
.label("Assault Fire")
.rare()
.from("A7.36");

/// `point_blank`.
pub const POINT_BLANK: Field =
    Field::flag("point_blank", false, "Point Blank Fire").label("Point Blank Fire").from("A7.21");

/// `triple_point_blank`.
pub const TRIPLE: Field = Field::flag("triple_point_blank", false, "Triple Point Blank Fire")
    .label("Triple Point Blank Fire")
    .rare()
    .from("A7.21");

/// `area_fire`.
pub const AREA_FIRE: Field = Field::int(
    "area_fire",
    AREA,
    0,
    "applications of Area Fire: a concealed target, Spraying Fire, …",
)
.label("Area Fire")
.unit("times")
.rare()
.from("A7.23");

/// `range`.
pub const RANGE_FIELD: Field =
    Field::optional("range", Kind::Int(RANGE), "hexes to the target; absent: within normal range")
        .label("range")
        .unit("hexes")
        .from("A7.22");

const FIELDS: [Field; 22] = under(
    headings::FIRERS,
    [
        Field::optional("unit", Kind::name(unit_names), "squad or half-squad by name")
            .label("firing unit"),
        Field::optional("nation", Kind::name(nation_names), "nation, where several have that name")
            .label("firers' nation"),
        Field::optional(
            "unit_kind",
            Kind::choice(&["squad", "half-squad", "crew", "leader", "hero"]),
            "what the firing unit is, when it has no name; a squad by default",
        )
        .label("kind of firing unit")
        .rare()
        .from("A7.351, A7.352"),
        Field::optional("weapon", Kind::name(weapon_names), "a machine gun by name")
            .label("machine gun"),
        Field::new(
            "weapons",
            Kind::list(const { &Kind::name(weapon_names) }),
            Preset::Empty,
            "support weapons the unit fires",
        )
        .label("support weapons")
        .rare()
        .from("A7.35"),
        Field::optional("fp", Kind::Fraction(FIREPOWER), "printed firepower, when it has no name")
            .label("printed firepower")
            .unit("FP"),
        Field::optional("normal_range", Kind::Int(RANGE), "printed range, when it has no name")
            .label("printed range")
            .unit("hexes")
            .rare(),
        Field::optional("kind", Kind::choice(KINDS), "what kind of attack; small-arms by default")
            .label("kind of attack")
            .values(&[
                "small arms",
                "machine gun",
                "ordnance",
                "demolition charge",
                "Molotov",
                "flamethrower",
                "anti-tank rifle",
                "infantry firepower equivalent",
                "canister",
            ])
            .rare(),
        Field::int("count", COUNT, 1, "how many alike").label("number of firers"),
        RANGE_FIELD,
        Field::flag("fire_inherent", true, "whether the unit's own firepower is used")
            .label("unit's own firepower")
            .values(&["not used", "used"])
            .rare()
            .from("A7.351"),
        Field::optional("point_blank", Kind::Flag, "Point Blank Fire")
            .label("Point Blank Fire")
            .rare()
            .from("A7.21"),
        Field::optional("triple_point_blank", Kind::Flag, "Triple Point Blank Fire")
            .label("Triple Point Blank Fire")
            .rare()
            .from("A7.21"),
        Field::optional("area_fire", Kind::Int(AREA), "applications of Area Fire")
            .label("Area Fire")
            .unit("times")
            .rare()
            .from("A7.23"),
        Field::flag("spraying_fire", false, "Spraying Fire: one more application of Area Fire")
            .label("Spraying Fire")
            .rare()
            .from("A7.34"),
        Field::optional("phase", Kind::choice(PHASES), "fire phase")
            .label("fire phase")
            .values(&["Prep Fire", "Defensive Fire", "Advancing Fire"])
            .rare()
            .from("A7.24"),
        Field::optional("opportunity_fire", Kind::Flag, "Opportunity Fire")
            .label("Opportunity Fire")
            .rare()
            .from("A7.25"),
        Field::optional("assault_fire", Kind::Flag, "whether it uses Assault Fire")
            .label("Assault Fire")
            .rare()
            .from("A7.36"),
        Field::flag("pinned", false, "a pinned firer")
            .label("pinned firer")
            .rare()
            .from("A7.8, A7.81"),
        Field::optional("exempt", Kind::choice(EXEMPT), "why it does not cower")
            .label("reason not to cower")
            .rare()
            .from("A7.9"),
        Field::optional(
            "breakdown",
            Kind::Int(BREAKDOWN),
            "breakdown number of its machine guns; by default the printed one, or 12",
        )
        .label("breakdown number")
        .rare()
        .from("A9.7"),
        Field::optional("rof", Kind::Int(RATE), "rate of fire of its machine gun")
            .label("rate of fire")
            .rare()
            .from("A9.2"),
    ],
);

name_list! {
    fn weapon_names() = {
        let guns = library().machine_guns.iter();
        NameList::of(distinct(guns.map(|gun| gun.name.clone()).collect()))
    }
}
