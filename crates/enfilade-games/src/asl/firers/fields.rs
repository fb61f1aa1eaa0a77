//! Fields of the firers and the manner of fire.

use crate::asl::data::{Leader, library};
use crate::asl::field_headings;
use crate::asl::targets::{distinct, leader_names, nation_names, unit_names};
use crate::asl::unit_profiles::UnitKind;
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{SixtyFourths, choice, fields};
use enfilade_model::form::name_matching::{NameList, name_list};
use enfilade_model::form::{Kind, Preset};

const FIREPOWER: Bound = Bound::new("firepower", 0, 1000);
const BREAKDOWN: Bound = Bound::new("breakdown number", 2, 13);
const RATE: Bound = Bound::new("rate of fire", 0, 6);
const RANGE: Bound = Bound::new("range in hexes", 0, 200);
const COUNT: Bound = Bound::new("number of firers", 1, 30);
const AREA: Bound = Bound::new("number of Area Fire applications", 0, 4);
const LOCATIONS: Bound = Bound::new("number of Locations", 1, 20);

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

choice! {
    /// Phase of the fire.
    pub enum Phase {
        /// Prep Fire phase.
        Prep = "prep",
        /// Defensive Fire phases.
        Defensive = "defensive",
        /// Advancing Fire phase.
        Advancing = "advancing",
    }
}

const PHASE_NAMES: &[&str] = &["Prep Fire", "Defensive Fire", "Advancing Fire"];

fields! {
    /// Firers: a total, or a fire group.
    pub struct Who: under(field_headings::FIRERS) {
        /// total firepower after all modifiers, in place of firers
        fp: Option<SixtyFourths> = optional(Kind::Fraction(FIREPOWER))
            .label("firepower").unit("FP").rule("A7.2");
        /// the fire group
        firer: Vec<FirerFields> = new(Kind::tables(joined![FirerFields::FIELDS]), Preset::Empty)
            .label("firers").rule("A7.5");
    }

    /// Rate of fire behind a total.
    pub struct Rate: under(field_headings::FIRERS) {
        /// rate of fire of the machine gun behind `fp`: a coloured die of at most this keeps it
        rof: Option<u8> = optional(Kind::Int(RATE)).label("rate of fire").rule("A9.2");
    }

    /// Breakdown numbers behind a total.
    pub struct Breakdown: under(field_headings::FIRERS) {
        /// breakdown number of the machine gun behind `fp`; absent: nothing breaks down
        breakdown: Option<u8> = optional(Kind::Int(BREAKDOWN))
            .label("breakdown number").rare().rule("A9.7");
    }

    /// Breakdown number of a machine gun that is certainly behind the total.
    pub struct GunBreakdown: under(field_headings::FIRERS) {
        /// breakdown number of the machine gun behind `fp`; absent: 12; 13: it never breaks down
        breakdown: Option<u8> = optional(Kind::Int(BREAKDOWN)).label("breakdown number").rule("A9.7");
    }

    /// Leaders who direct the fire, and cowering.
    pub struct Direction: under(field_headings::FIRERS) {
        /// leader who directs the fire, adds the leadership modifier and prevents cowering
        leader: Option<&'static Leader> = optional(Kind::name(leader_names))
            .label("directing leader").rule("A7.531, A7.9");
        /// directing leaders of a group in several Locations, one in each: the worst one counts; in one
        /// Location the best one
        leaders: Vec<&'static Leader> = new(Kind::list(const { &Kind::name(leader_names) }), Preset::Empty)
            .label("directing leaders").rare().rule("A7.531");
        /// Locations of the fire group; without a leader in every one no leader directs it
        locations: usize = int(LOCATIONS, 1).label("Locations of the fire group").rare().rule("A7.531");
        /// inexperienced firers lose more columns by cowering; absent: they are not, whatever their class
        inexperienced: Option<bool> = optional(Kind::Flag)
            .label("inexperienced firers").rare().rule("A7.9").assumed();
        /// false: the attack never cowers; true: as the firers' nature has it
        cowers: bool = flag(true).label("cowering").values(&["never", "by the rules"]).rare().rule("A7.9");
    }

    /// Manner of fire, where a firer has no values.
    pub struct Manner: under(field_headings::ATTACK) {
        /// hexes to the target; absent: within normal range
        range: Option<i64> = optional(Kind::Int(RANGE)).label("range").unit("hexes").rule("A7.22");
        /// fire phase of firers that do not say
        phase: Phase = choice(Phase::WORDS).label("fire phase").values(PHASE_NAMES).rare().rule("A7.24");
        /// Opportunity Fire in the Advancing Fire phase
        opportunity_fire: bool = flag(false).label("Opportunity Fire").rare().rule("A7.25");
        /// whether squads use Assault Fire; absent: those that can do
        assault_fire: Option<bool> = optional(Kind::Flag).label("Assault Fire").rare().rule("A7.36");
        /// Point Blank Fire
        point_blank: bool = flag(false).label("Point Blank Fire").rule("A7.21");
        /// Triple Point Blank Fire
        triple_point_blank: bool = flag(false).label("Triple Point Blank Fire").rare().rule("A7.21");
        /// applications of Area Fire: a concealed target, Spraying Fire, …
        area_fire: u32 = int(AREA, 0).label("Area Fire").unit("times").rare().rule("A7.23");
    }

    /// Entry of the fire group: a firer and its weapons.
    pub struct FirerFields: under(field_headings::FIRERS) {
        /// squad or half-squad by name
        unit: Option<String> = optional(Kind::name(unit_names)).label("firing unit");
        /// nation, where several have that name
        nation: Option<String> = optional(Kind::name(nation_names)).label("firers' nation");
        /// what the firing unit is, when it has no name; a squad by default
        unit_kind: Option<UnitKind> = optional(Kind::choice(UnitKind::WORDS))
            .label("kind of firing unit").rare().rule("A7.351, A7.352");
        /// a machine gun by name
        weapon: Option<String> = optional(Kind::name(weapon_names)).label("machine gun");
        /// support weapons the unit fires
        weapons: Vec<String> = new(Kind::list(const { &Kind::name(weapon_names) }), Preset::Empty)
            .label("support weapons").rare().rule("A7.35");
        /// printed firepower, when it has no name
        fp: Option<SixtyFourths> = optional(Kind::Fraction(FIREPOWER)).label("printed firepower").unit("FP");
        /// printed range, when it has no name
        normal_range: Option<i64> = optional(Kind::Int(RANGE)).label("printed range").unit("hexes").rare();
        /// what kind of attack; small-arms by default
        kind: Option<String> = optional(Kind::choice(KINDS)).label("kind of attack").values(KIND_NAMES).rare();
        /// how many alike
        count: u8 = int(COUNT, 1).label("number of firers");
        /// hexes to the target; absent: within normal range
        range: Option<i64> = optional(Kind::Int(RANGE)).label("range").unit("hexes").rule("A7.22");
        /// whether the unit's own firepower is used
        fire_inherent: bool = flag(true)
            .label("unit's own firepower").values(&["not used", "used"]).rare().rule("A7.351");
        /// Point Blank Fire
        point_blank: Option<bool> = optional(Kind::Flag).label("Point Blank Fire").rare().rule("A7.21");
        /// Triple Point Blank Fire
        triple_point_blank: Option<bool> = optional(Kind::Flag)
            .label("Triple Point Blank Fire").rare().rule("A7.21");
        /// applications of Area Fire
        area_fire: Option<u32> = optional(Kind::Int(AREA)).label("Area Fire").unit("times").rare().rule("A7.23");
        /// Spraying Fire: one more application of Area Fire
        spraying_fire: bool = flag(false).label("Spraying Fire").rare().rule("A7.34");
        /// fire phase
        phase: Option<Phase> = optional(Kind::choice(Phase::WORDS))
            .label("fire phase").values(PHASE_NAMES).rare().rule("A7.24");
        /// Opportunity Fire
        opportunity_fire: Option<bool> = optional(Kind::Flag).label("Opportunity Fire").rare().rule("A7.25");
        /// whether it uses Assault Fire
        assault_fire: Option<bool> = optional(Kind::Flag).label("Assault Fire").rare().rule("A7.36");
        /// a pinned firer
        pinned: bool = flag(false).label("pinned firer").rare().rule("A7.8, A7.81");
        /// a broken firer: neither the unit nor its weapons fire
        broken: bool = flag(false).label("broken firer").rare().rule("A7.35");
        /// why it does not cower
        exempt: Option<String> = optional(Kind::choice(EXEMPT)).label("reason not to cower").rare().rule("A7.9");
        /// breakdown number of its machine guns; by default the printed one, or 12
        breakdown: Option<u8> = optional(Kind::Int(BREAKDOWN)).label("breakdown number").rare().rule("A9.7");
        /// rate of fire of its machine gun
        rof: Option<u8> = optional(Kind::Int(RATE)).label("rate of fire").rare().rule("A9.2");
    }
}

/// Full names of machine guns, with their printed letters.
const IN_FULL: [(&str, &str); 3] =
    [("Light Machine Gun", "LMG"), ("Medium Machine Gun", "MMG"), ("Heavy Machine Gun", "HMG")];

name_list! {
    fn weapon_names() = {
        let guns = library().machine_guns.iter();
        NameList::of(distinct(guns.map(|gun| gun.name.clone()).collect())).also(&IN_FULL)
    }
}
