//! Fields of the firers and the manner of fire.

use crate::asl::data::{Leader, asl_data};
use crate::asl::field_headings;
use crate::asl::targets::{distinct_names, leader_names, nation_names, unit_names};
use crate::asl::unit_profiles::UnitKind;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{SixtyFourths, choice, fields};
use enfilade_model::form::name_matching::{NameList, name_list};
use enfilade_model::form::{DefaultValue, FieldType};

const FIREPOWER: IntRange = IntRange::new("firepower", 0, 1000);
const BREAKDOWN: IntRange = IntRange::new("breakdown number", 2, 13);
const RATE: IntRange = IntRange::new("rate of fire", 0, 6);
const RANGE: IntRange = IntRange::new("range in hexes", 0, 200);
const COUNT: IntRange = IntRange::new("number of firers", 1, 30);
const AREA: IntRange = IntRange::new("number of Area Fire applications", 0, 4);
const LOCATIONS: IntRange = IntRange::new("number of Locations", 1, 20);

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
    pub enum FirePhaseField {
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
    pub struct FirerGroupFields: under(field_headings::FIRERS_HEADING) {
        /// total firepower after all modifiers, in place of firers
        fp: Option<SixtyFourths> = optional(FieldType::Fraction(FIREPOWER))
            .with_label("firepower").with_unit("FP").with_rule("A7.2");
        /// the fire group
        firer: Vec<FireGroupEntryFields> = new(FieldType::tables(joined![FireGroupEntryFields::FIELDS]), DefaultValue::Empty)
            .with_label("firers").with_rule("A7.5");
    }

    /// Rate of fire behind a total.
    pub struct GunRateOfFire: under(field_headings::FIRERS_HEADING) {
        /// rate of fire of the machine gun behind `fp`: a coloured die of at most this keeps it
        rof: Option<u8> = optional(FieldType::Int(RATE)).with_label("rate of fire").with_rule("A9.2");
    }

    /// Breakdown numbers behind a total.
    pub struct GunMalfunctionNumber: under(field_headings::FIRERS_HEADING) {
        /// breakdown number of the machine gun behind `fp`; absent: nothing breaks down
        breakdown: Option<u8> = optional(FieldType::Int(BREAKDOWN))
            .with_label("breakdown number").as_rare().with_rule("A9.7");
    }

    /// Breakdown number of a machine gun that is certainly behind the total.
    pub struct GunMalfunction: under(field_headings::FIRERS_HEADING) {
        /// breakdown number of the machine gun behind `fp`; absent: 12; 13: it never breaks down
        breakdown: Option<u8> = optional(FieldType::Int(BREAKDOWN)).with_label("breakdown number").with_rule("A9.7");
    }

    /// Leaders who direct the fire, and cowering.
    pub struct FireDirection: under(field_headings::FIRERS_HEADING) {
        /// leader who directs the fire, adds the leadership modifier and prevents cowering
        leader: Option<&'static Leader> = optional(FieldType::name(leader_names))
            .with_label("directing leader").with_rule("A7.531, A7.9");
        /// directing leaders of a group in several Locations, one in each: the worst one counts; in one
        /// Location the best one
        leaders: Vec<&'static Leader> = new(FieldType::list(const { &FieldType::name(leader_names) }), DefaultValue::Empty)
            .with_label("directing leaders").as_rare().with_rule("A7.531");
        /// Locations of the fire group; without a leader in every one no leader directs it
        locations: usize = int(LOCATIONS, 1).with_label("Locations of the fire group").as_rare().with_rule("A7.531");
        /// inexperienced firers lose more columns by cowering; absent: they are not, whatever their class
        inexperienced: Option<bool> = optional(FieldType::Flag)
            .with_label("inexperienced firers").as_rare().with_rule("A7.9").as_reading();
        /// false: the attack never cowers; true: as the firers' nature has it
        cowers: bool = flag(true).with_label("cowering").with_value_labels(&["never", "by the rules"]).as_rare().with_rule("A7.9");
    }

    /// Manner of fire, where a firer has no values.
    pub struct MannerOfFire: under(field_headings::ATTACK_HEADING) {
        /// hexes to the target; absent: within normal range
        range: Option<i64> = optional(FieldType::Int(RANGE)).with_label("range").with_unit("hexes").with_rule("A7.22");
        /// fire phase of firers that do not say
        phase: FirePhaseField = choice(FirePhaseField::WORDS).with_label("fire phase").with_value_labels(PHASE_NAMES).as_rare().with_rule("A7.24");
        /// Opportunity Fire in the Advancing Fire phase
        opportunity_fire: bool = flag(false).with_label("Opportunity Fire").as_rare().with_rule("A7.25");
        /// whether squads use Assault Fire; absent: those that can do
        assault_fire: Option<bool> = optional(FieldType::Flag).with_label("Assault Fire").as_rare().with_rule("A7.36");
        /// Point Blank Fire
        point_blank: bool = flag(false).with_label("Point Blank Fire").with_rule("A7.21");
        /// Triple Point Blank Fire
        triple_point_blank: bool = flag(false).with_label("Triple Point Blank Fire").as_rare().with_rule("A7.21");
        /// applications of Area Fire: a concealed target, Spraying Fire, …
        area_fire: u32 = int(AREA, 0).with_label("Area Fire").with_unit("times").as_rare().with_rule("A7.23");
    }

    /// Entry of the fire group: a firer and its weapons.
    pub struct FireGroupEntryFields: under(field_headings::FIRERS_HEADING) {
        /// squad or half-squad by name
        unit: Option<String> = optional(FieldType::name(unit_names)).with_label("firing unit");
        /// nation, where several have that name
        nation: Option<String> = optional(FieldType::name(nation_names)).with_label("firers' nation");
        /// what the firing unit is, when it has no name; a squad by default
        unit_kind: Option<UnitKind> = optional(FieldType::choice(UnitKind::WORDS))
            .with_label("kind of firing unit").as_rare().with_rule("A7.351, A7.352");
        /// a machine gun by name
        weapon: Option<String> = optional(FieldType::name(weapon_names)).with_label("machine gun");
        /// support weapons the unit fires
        weapons: Vec<String> = new(FieldType::list(const { &FieldType::name(weapon_names) }), DefaultValue::Empty)
            .with_label("support weapons").as_rare().with_rule("A7.35");
        /// printed firepower, when it has no name
        fp: Option<SixtyFourths> = optional(FieldType::Fraction(FIREPOWER)).with_label("printed firepower").with_unit("FP");
        /// printed range, when it has no name
        normal_range: Option<i64> = optional(FieldType::Int(RANGE)).with_label("printed range").with_unit("hexes").as_rare();
        /// what kind of attack; small-arms by default
        kind: Option<String> = optional(FieldType::choice(KINDS)).with_label("kind of attack").with_value_labels(KIND_NAMES).as_rare();
        /// how many alike
        count: u8 = int(COUNT, 1).with_label("number of firers");
        /// hexes to the target; absent: within normal range
        range: Option<i64> = optional(FieldType::Int(RANGE)).with_label("range").with_unit("hexes").with_rule("A7.22");
        /// whether the unit's own firepower is used
        fire_inherent: bool = flag(true)
            .with_label("unit's own firepower").with_value_labels(&["not used", "used"]).as_rare().with_rule("A7.351");
        /// Point Blank Fire
        point_blank: Option<bool> = optional(FieldType::Flag).with_label("Point Blank Fire").as_rare().with_rule("A7.21");
        /// Triple Point Blank Fire
        triple_point_blank: Option<bool> = optional(FieldType::Flag)
            .with_label("Triple Point Blank Fire").as_rare().with_rule("A7.21");
        /// applications of Area Fire
        area_fire: Option<u32> = optional(FieldType::Int(AREA)).with_label("Area Fire").with_unit("times").as_rare().with_rule("A7.23");
        /// Spraying Fire: one more application of Area Fire
        spraying_fire: bool = flag(false).with_label("Spraying Fire").as_rare().with_rule("A7.34");
        /// fire phase
        phase: Option<FirePhaseField> = optional(FieldType::choice(FirePhaseField::WORDS))
            .with_label("fire phase").with_value_labels(PHASE_NAMES).as_rare().with_rule("A7.24");
        /// Opportunity Fire
        opportunity_fire: Option<bool> = optional(FieldType::Flag).with_label("Opportunity Fire").as_rare().with_rule("A7.25");
        /// whether it uses Assault Fire
        assault_fire: Option<bool> = optional(FieldType::Flag).with_label("Assault Fire").as_rare().with_rule("A7.36");
        /// a pinned firer
        pinned: bool = flag(false).with_label("pinned firer").as_rare().with_rule("A7.8, A7.81");
        /// a broken firer: neither the unit nor its weapons fire
        broken: bool = flag(false).with_label("broken firer").as_rare().with_rule("A7.35");
        /// why it does not cower
        exempt: Option<String> = optional(FieldType::choice(EXEMPT)).with_label("reason not to cower").as_rare().with_rule("A7.9");
        /// breakdown number of its machine guns; by default the printed one, or 12
        breakdown: Option<u8> = optional(FieldType::Int(BREAKDOWN)).with_label("breakdown number").as_rare().with_rule("A9.7");
        /// rate of fire of its machine gun
        rof: Option<u8> = optional(FieldType::Int(RATE)).with_label("rate of fire").as_rare().with_rule("A9.2");
    }
}

/// Full names of machine guns, with their printed letters.
const MACHINE_GUN_NAMES: [(&str, &str); 3] =
    [("Light Machine Gun", "LMG"), ("Medium Machine Gun", "MMG"), ("Heavy Machine Gun", "HMG")];

name_list! {
    fn weapon_names() = {
        let guns = asl_data().machine_guns.iter();
        NameList::from_names(distinct_names(guns.map(|gun| gun.name.clone()).collect())).with_synonyms(&MACHINE_GUN_NAMES)
    }
}
