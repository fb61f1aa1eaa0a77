//! Fields of the firers and the manner of fire.

use crate::asl::data::{Leader, expect_asl_data};
use crate::asl::field_headings;
use crate::asl::targets::{
    distinct_in_order, leader_names, nation_names, squad_and_half_squad_names,
};
use crate::asl::unit_profiles::UnitKind;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{SixtyFourths, choice, fields};
use enfilade_model::form::name_matching::{NameList, name_list};
use enfilade_model::form::{DefaultValue, FieldType};

const FIREPOWER_RANGE: IntRange = IntRange::new("firepower", 0, 1000);
const BREAKDOWN_RANGE: IntRange = IntRange::new("breakdown number", 2, 13);
const RATE_OF_FIRE_RANGE: IntRange = IntRange::new("rate of fire", 0, 6);
const HEX_DISTANCE_RANGE: IntRange = IntRange::new("range in hexes", 0, 200);
const FIRER_COUNT_RANGE: IntRange = IntRange::new("number of firers", 1, 30);
const AREA_FIRE_COUNT_RANGE: IntRange = IntRange::new("number of Area Fire applications", 0, 4);
const LOCATION_COUNT_RANGE: IntRange = IntRange::new("number of Locations", 1, 20);

const ATTACK_KIND_WORDS: &[&str] = &[
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
const ATTACK_KIND_NAMES: &[&str] = &[
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
const COWERING_EXEMPT_WORDS: &[&str] =
    &["berserk", "fanatic", "fire-lane", "aircraft", "vehicle", "sniper"];

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

const FIRE_PHASE_NAMES: &[&str] = &["Prep Fire", "Defensive Fire", "Advancing Fire"];

fields! {
    /// Firers: a total, or a fire group.
    pub struct FirerGroupFields: put_under_heading(field_headings::FIRERS_HEADING) {
        /// total firepower after all modifiers, in place of firers
        fp: Option<SixtyFourths> = new_optional(FieldType::Fraction(FIREPOWER_RANGE))
            .with_player_name("firepower").with_unit("FP").with_rule_reference("A7.2");
        /// the fire group
        firer: Vec<FireGroupEntryFields> = new(FieldType::tables(joined![FireGroupEntryFields::FIELDS]), DefaultValue::Empty)
            .with_player_name("firers").with_rule_reference("A7.5");
    }

    /// Rate of fire behind a total.
    pub struct GunRateOfFireField: put_under_heading(field_headings::FIRERS_HEADING) {
        /// rate of fire of the machine gun behind `fp`: a coloured die of at most this keeps it
        rof: Option<u8> = new_optional(FieldType::Int(RATE_OF_FIRE_RANGE)).with_player_name("rate of fire").with_rule_reference("A9.2");
    }

    /// Breakdown numbers behind a total.
    pub struct GunMalfunctionNumberField: put_under_heading(field_headings::FIRERS_HEADING) {
        /// breakdown number of the machine gun behind `fp`; absent: nothing breaks down
        breakdown: Option<u8> = new_optional(FieldType::Int(BREAKDOWN_RANGE))
            .with_player_name("breakdown number").as_rarely_changed().with_rule_reference("A9.7");
    }

    /// Breakdown number of a machine gun that is certainly behind the total.
    pub struct RofGunBreakdownField: put_under_heading(field_headings::FIRERS_HEADING) {
        /// breakdown number of the machine gun behind `fp`; absent: 12; 13: it never breaks down
        breakdown: Option<u8> = new_optional(FieldType::Int(BREAKDOWN_RANGE)).with_player_name("breakdown number").with_rule_reference("A9.7");
    }

    /// Leaders who direct the fire, and cowering.
    pub struct LeadersAndCoweringFields: put_under_heading(field_headings::FIRERS_HEADING) {
        /// leader who directs the fire, adds the leadership modifier and prevents cowering
        leader: Option<&'static Leader> = new_optional(FieldType::name_from_list(leader_names))
            .with_player_name("directing leader").with_rule_reference("A7.531, A7.9");
        /// directing leaders of a group in several Locations, one in each: the worst one counts; in
        /// one Location the best one
        leaders: Vec<&'static Leader> = new(FieldType::list_of(const { &FieldType::name_from_list(leader_names) }), DefaultValue::Empty)
            .with_player_name("directing leaders").as_rarely_changed().with_rule_reference("A7.531");
        /// Locations of the fire group; without a leader in every one no leader directs it
        locations: usize = new_whole_number(LOCATION_COUNT_RANGE, 1).with_player_name("Locations of the fire group").as_rarely_changed().with_rule_reference("A7.531");
        /// inexperienced firers lose more columns by cowering; absent: they are not, whatever their
        /// class
        inexperienced: Option<bool> = new_optional(FieldType::Flag)
            .with_player_name("inexperienced firers").as_rarely_changed().with_rule_reference("A7.9").marked_as_interpretation();
        /// false: the attack never cowers; true: as the firers' nature has it
        cowers: bool = new_switch_with_default(true).with_player_name("cowering").with_value_labels(&["never", "by the rules"]).as_rarely_changed().with_rule_reference("A7.9");
    }

    /// Manner of fire, where a firer has no values.
    pub struct MannerOfFireFields: put_under_heading(field_headings::ATTACK_HEADING) {
        /// hexes to the target; absent: within normal range
        range: Option<i64> = new_optional(FieldType::Int(HEX_DISTANCE_RANGE)).with_player_name("range").with_unit("hexes").with_rule_reference("A7.22");
        /// fire phase of firers that do not say
        phase: FirePhaseField = new_choice(FirePhaseField::WORDS).with_player_name("fire phase").with_value_labels(FIRE_PHASE_NAMES).as_rarely_changed().with_rule_reference("A7.24");
        /// Opportunity Fire in the Advancing Fire phase
        opportunity_fire: bool = new_switch_with_default(false).with_player_name("Opportunity Fire").as_rarely_changed().with_rule_reference("A7.25");
        /// whether squads use Assault Fire; absent: those that can do
        assault_fire: Option<bool> = new_optional(FieldType::Flag).with_player_name("Assault Fire").as_rarely_changed().with_rule_reference("A7.36");
        /// Point Blank Fire
        point_blank: bool = new_switch_with_default(false).with_player_name("Point Blank Fire").with_rule_reference("A7.21");
        /// Triple Point Blank Fire
        triple_point_blank: bool = new_switch_with_default(false).with_player_name("Triple Point Blank Fire").as_rarely_changed().with_rule_reference("A7.21");
        /// applications of Area Fire: a concealed target, Spraying Fire, …
        area_fire: u32 = new_whole_number(AREA_FIRE_COUNT_RANGE, 0).with_player_name("Area Fire").with_unit("times").as_rarely_changed().with_rule_reference("A7.23");
    }

    /// Entry of the fire group: a firer and its weapons.
    pub struct FireGroupEntryFields: put_under_heading(field_headings::FIRERS_HEADING) {
        /// squad or half-squad by name
        unit: Option<String> = new_optional(FieldType::name_from_list(squad_and_half_squad_names)).with_player_name("firing unit");
        /// nation, where several have that name
        nation: Option<String> = new_optional(FieldType::name_from_list(nation_names)).with_player_name("firers' nation");
        /// what the firing unit is, when it has no name; a squad by default
        unit_kind: Option<UnitKind> = new_optional(FieldType::choice_of_words(UnitKind::WORDS))
            .with_player_name("kind of firing unit").as_rarely_changed().with_rule_reference("A7.351, A7.352");
        /// a machine gun by name
        weapon: Option<String> = new_optional(FieldType::name_from_list(machine_gun_names)).with_player_name("machine gun");
        /// support weapons the unit fires
        weapons: Vec<String> = new(FieldType::list_of(const { &FieldType::name_from_list(machine_gun_names) }), DefaultValue::Empty)
            .with_player_name("support weapons").as_rarely_changed().with_rule_reference("A7.35");
        /// printed firepower, when it has no name
        fp: Option<SixtyFourths> = new_optional(FieldType::Fraction(FIREPOWER_RANGE)).with_player_name("printed firepower").with_unit("FP");
        /// printed range, when it has no name
        normal_range: Option<i64> = new_optional(FieldType::Int(HEX_DISTANCE_RANGE)).with_player_name("printed range").with_unit("hexes").as_rarely_changed();
        /// what kind of attack; small-arms by default
        kind: Option<String> = new_optional(FieldType::choice_of_words(ATTACK_KIND_WORDS)).with_player_name("kind of attack").with_value_labels(ATTACK_KIND_NAMES).as_rarely_changed();
        /// how many alike
        count: u8 = new_whole_number(FIRER_COUNT_RANGE, 1).with_player_name("number of firers");
        /// hexes to the target; absent: within normal range
        range: Option<i64> = new_optional(FieldType::Int(HEX_DISTANCE_RANGE)).with_player_name("range").with_unit("hexes").with_rule_reference("A7.22");
        /// whether the unit's own firepower is used
        fire_inherent: bool = new_switch_with_default(true)
            .with_player_name("unit's own firepower").with_value_labels(&["not used", "used"]).as_rarely_changed().with_rule_reference("A7.351");
        /// Point Blank Fire
        point_blank: Option<bool> = new_optional(FieldType::Flag).with_player_name("Point Blank Fire").as_rarely_changed().with_rule_reference("A7.21");
        /// Triple Point Blank Fire
        triple_point_blank: Option<bool> = new_optional(FieldType::Flag)
            .with_player_name("Triple Point Blank Fire").as_rarely_changed().with_rule_reference("A7.21");
        /// applications of Area Fire
        area_fire: Option<u32> = new_optional(FieldType::Int(AREA_FIRE_COUNT_RANGE)).with_player_name("Area Fire").with_unit("times").as_rarely_changed().with_rule_reference("A7.23");
        /// Spraying Fire: one more application of Area Fire
        spraying_fire: bool = new_switch_with_default(false).with_player_name("Spraying Fire").as_rarely_changed().with_rule_reference("A7.34");
        /// fire phase
        phase: Option<FirePhaseField> = new_optional(FieldType::choice_of_words(FirePhaseField::WORDS))
            .with_player_name("fire phase").with_value_labels(FIRE_PHASE_NAMES).as_rarely_changed().with_rule_reference("A7.24");
        /// Opportunity Fire
        opportunity_fire: Option<bool> = new_optional(FieldType::Flag).with_player_name("Opportunity Fire").as_rarely_changed().with_rule_reference("A7.25");
        /// whether it uses Assault Fire
        assault_fire: Option<bool> = new_optional(FieldType::Flag).with_player_name("Assault Fire").as_rarely_changed().with_rule_reference("A7.36");
        /// a pinned firer
        pinned: bool = new_switch_with_default(false).with_player_name("pinned firer").as_rarely_changed().with_rule_reference("A7.8, A7.81");
        /// a broken firer: neither the unit nor its weapons fire
        broken: bool = new_switch_with_default(false).with_player_name("broken firer").as_rarely_changed().with_rule_reference("A7.35");
        /// why it does not cower
        exempt: Option<String> = new_optional(FieldType::choice_of_words(COWERING_EXEMPT_WORDS)).with_player_name("reason not to cower").as_rarely_changed().with_rule_reference("A7.9");
        /// breakdown number of its machine guns; by default the printed one, or 12
        breakdown: Option<u8> = new_optional(FieldType::Int(BREAKDOWN_RANGE)).with_player_name("breakdown number").as_rarely_changed().with_rule_reference("A9.7");
        /// rate of fire of its machine gun
        rof: Option<u8> = new_optional(FieldType::Int(RATE_OF_FIRE_RANGE)).with_player_name("rate of fire").as_rarely_changed().with_rule_reference("A9.2");
    }
}

/// Full names of machine guns, with their printed letters.
const GUN_NAMES_IN_FULL: [(&str, &str); 3] =
    [("Light Machine Gun", "LMG"), ("Medium Machine Gun", "MMG"), ("Heavy Machine Gun", "HMG")];

name_list! {
    fn machine_gun_names() = {
        let guns = expect_asl_data().machine_guns.iter();
        NameList::from_names_without_numbers(distinct_in_order(guns.map(|gun| gun.name.clone()).collect())).with_synonyms(&GUN_NAMES_IN_FULL)
    }
}
