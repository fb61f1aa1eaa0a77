//! The fields that say who fires, and how.

use crate::bounds::Bound;
use crate::form::groups::joined;
use crate::form::names::{NameList, name_list};
use crate::form::rows::{SixtyFourths, fields};
use crate::form::{Field, Kind, Preset};
use crate::systems::asl::data::library;
use crate::systems::asl::headings;
use crate::systems::asl::roster::UnitKind;
use crate::systems::asl::targets::{distinct, leader_names, nation_names, unit_names};

const FIREPOWER: Bound = Bound::new("firepower", 0, 1000);
const BREAKDOWN: Bound = Bound::new("breakdown number", 2, 13);
const RATE: Bound = Bound::new("rate of fire", 0, 6);
const RANGE: Bound = Bound::new("range in hexes", 0, 200);
const COUNT: Bound = Bound::new("number of firers", 1, 30);
const AREA: Bound = Bound::new("number of Area Fire applications", 0, 4);
const LOCATIONS: Bound = Bound::new("number of Locations", 1, 20);

const PHASES: &[&str] = &["prep", "defensive", "advancing"];
const PHASE_NAMES: &[&str] = &["Prep Fire", "Defensive Fire", "Advancing Fire"];
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
const KIND_NAMES: &[&str] = &[
    "small arms",
    "machine gun",
    "ordnance",
    "demolition charge",
    "Molotov",
    "flamethrower",
    "anti-tank rifle",
    "infantry firepower equivalent",
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
pub const FIRERS: Field = Field::new(
    "firer",
    Kind::tables(joined![FirerFields::FIELDS]),
    Preset::Empty,
    "the fire group",
)
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
    .values(PHASE_NAMES)
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

fields! {
    /// One entry of the fire group: who fires with what.
    pub struct FirerFields: under(headings::FIRERS) {
        /// squad or half-squad by name
        unit: Option<String> = optional(Kind::name(unit_names)).label("firing unit");
        /// nation, where several have that name
        nation: Option<String> = optional(Kind::name(nation_names)).label("firers' nation");
        /// what the firing unit is, when it has no name; a squad by default
        unit_kind: Option<UnitKind> = optional(Kind::choice(UnitKind::WORDS))
            .label("kind of firing unit").rare().from("A7.351, A7.352");
        /// a machine gun by name
        weapon: Option<String> = optional(Kind::name(weapon_names)).label("machine gun");
        /// support weapons the unit fires
        weapons: Vec<String> = new(Kind::list(const { &Kind::name(weapon_names) }), Preset::Empty)
            .label("support weapons").rare().from("A7.35");
        /// printed firepower, when it has no name
        fp: Option<SixtyFourths> = optional(Kind::Fraction(FIREPOWER)).label("printed firepower").unit("FP");
        /// printed range, when it has no name
        normal_range: Option<i64> = optional(Kind::Int(RANGE)).label("printed range").unit("hexes").rare();
        /// what kind of attack; small-arms by default
        kind: Option<String> = optional(Kind::choice(KINDS)).label("kind of attack").values(KIND_NAMES).rare();
        /// how many alike
        count: u8 = int(COUNT, 1).label("number of firers");
        /// hexes to the target; absent: within normal range
        range: Option<i64> = optional(Kind::Int(RANGE)).label("range").unit("hexes").from("A7.22");
        /// whether the unit's own firepower is used
        fire_inherent: bool = flag(true)
            .label("unit's own firepower").values(&["not used", "used"]).rare().from("A7.351");
        /// Point Blank Fire
        point_blank: Option<bool> = optional(Kind::Flag).label("Point Blank Fire").rare().from("A7.21");
        /// Triple Point Blank Fire
        triple_point_blank: Option<bool> = optional(Kind::Flag)
            .label("Triple Point Blank Fire").rare().from("A7.21");
        /// applications of Area Fire
        area_fire: Option<i64> = optional(Kind::Int(AREA)).label("Area Fire").unit("times").rare().from("A7.23");
        /// Spraying Fire: one more application of Area Fire
        spraying_fire: bool = flag(false).label("Spraying Fire").rare().from("A7.34");
        /// fire phase
        phase: Option<String> = optional(Kind::choice(PHASES))
            .label("fire phase").values(PHASE_NAMES).rare().from("A7.24");
        /// Opportunity Fire
        opportunity_fire: Option<bool> = optional(Kind::Flag).label("Opportunity Fire").rare().from("A7.25");
        /// whether it uses Assault Fire
        assault_fire: Option<bool> = optional(Kind::Flag).label("Assault Fire").rare().from("A7.36");
        /// a pinned firer
        pinned: bool = flag(false).label("pinned firer").rare().from("A7.8, A7.81");
        /// why it does not cower
        exempt: Option<String> = optional(Kind::choice(EXEMPT)).label("reason not to cower").rare().from("A7.9");
        /// breakdown number of its machine guns; by default the printed one, or 12
        breakdown: Option<u8> = optional(Kind::Int(BREAKDOWN)).label("breakdown number").rare().from("A9.7");
        /// rate of fire of its machine gun
        rof: Option<u8> = optional(Kind::Int(RATE)).label("rate of fire").rare().from("A9.2");
    }
}

name_list! {
    fn weapon_names() = {
        let guns = library().machine_guns.iter();
        NameList::of(distinct(guns.map(|gun| gun.name.clone()).collect()))
    }
}
