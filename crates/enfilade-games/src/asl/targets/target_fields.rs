//! Fields of the targets.

use crate::asl::data::{Leader, expect_asl_data};
use crate::asl::drm::TargetModifiers;
use crate::asl::field_headings;
use crate::asl::unit_profiles::UnitKind;
use crate::asl::unit_stack::MAX_UNITS_IN_STACK;
use enfilade_model::form::FieldType;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_macros::{choice, fields, forms};
use enfilade_model::form::name_matching::{NameList, name_list};

const MORALE_LEVEL_RANGE: IntRange = IntRange::new("morale level", 0, 12);
const LEADERSHIP_DRM_RANGE: IntRange = IntRange::new("leadership modifier", -3, 3);
const TARGET_COUNT_RANGE: IntRange =
    IntRange::new("number of targets", 1, MAX_UNITS_IN_STACK as i64);
const PASSENGER_COUNT_RANGE: IntRange = IntRange::new("number of passenger units", 0, 4);

choice! {
    /// Kind of a vehicle.
    pub enum VehicleHull {
        /// Soft vehicle.
        Unarmoured = "unarmoured",
        /// Armoured vehicle.
        Armoured = "armoured",
    }
}

fields! {
    /// Encirclement of the targets.
    pub struct EncirclementField: put_under_heading(field_headings::TARGET_HEADING) {
        /// whether the targets are encircled
        encircled: bool = new_switch_with_default(false).with_player_name("encircled").with_rule_reference("A7.7");
    }

    /// Fields of one kind of target.
    pub struct TargetFields: put_under_heading(field_headings::TARGET_HEADING) {
        /// squad or half-squad by name
        unit: Option<String> = new_optional(FieldType::name_from_list(squad_and_half_squad_names)).with_player_name("target unit");
        /// nation, where several have that name
        nation: Option<String> = new_optional(FieldType::name_from_list(nation_names)).with_player_name("target's nation");
        /// leader by name
        leader: Option<&'static Leader> = new_optional(FieldType::name_from_list(leader_names)).with_player_name("target leader");
        /// a vehicle; the unit fields then describe its passengers
        vehicle: Option<VehicleHull> = new_optional(FieldType::choice_of_words(VehicleHull::WORDS))
            .with_player_name("vehicle").as_rarely_changed().with_rule_reference("A7.307, A7.308");
        /// what the unit is, when it has no name
        kind: Option<UnitKind> = new_optional(FieldType::choice_of_words(UnitKind::WORDS)).with_player_name("kind of target");
        /// morale level in Good Order
        morale: Option<i32> = new_optional(FieldType::Int(MORALE_LEVEL_RANGE)).with_player_name("morale level");
        /// morale level on the broken side; that of the named unit, else `morale`
        broken_morale: Option<i32> = new_optional(FieldType::Int(MORALE_LEVEL_RANGE)).with_player_name("broken morale level").as_rarely_changed();
        /// morale level of its half-squad; that of the named unit, else `morale`
        half_squad_morale: Option<i32> = new_optional(FieldType::Int(MORALE_LEVEL_RANGE))
            .with_player_name("half-squad's morale level").as_rarely_changed();
        /// morale level of its broken half-squad; that of the named unit, else `broken_morale`
        half_squad_broken_morale: Option<i32> = new_optional(FieldType::Int(MORALE_LEVEL_RANGE))
            .with_player_name("broken half-squad's morale level").as_rarely_changed();
        /// leadership modifier of a leader
        leadership: Option<i32> = new_optional(FieldType::Int(LEADERSHIP_DRM_RANGE)).with_player_name("leadership modifier").as_rarely_changed();
        /// how many of them
        count: u8 = new_whole_number(TARGET_COUNT_RANGE, 1).with_player_name("number of targets");
        /// broken before the attack
        broken: bool = new_switch_with_default(false).with_player_name("already broken");
        /// pinned before the attack
        pinned: bool = new_switch_with_default(false).with_player_name("already pinned").with_rule_reference("A7.8");
        /// a single man wounded before the attack
        wounded: bool = new_switch_with_default(false).with_player_name("already wounded").as_rarely_changed().with_rule_reference("A17.11");
        /// berserk: it cannot break and is not pinned
        berserk: bool = new_switch_with_default(false).with_player_name("berserk").as_rarely_changed().with_rule_reference("A7.301, A7.8");
        /// a heroic leader: leads, cannot break and is not pinned
        heroic: bool = new_switch_with_default(false).with_player_name("heroic leader").as_rarely_changed().with_rule_reference("A7.301, A7.8");
        /// not subject to pinning: Cavalry, Aerial, climbing or in a Water Obstacle
        cannot_pin: bool = new_switch_with_default(false).with_player_name("not subject to pinning").as_rarely_changed().with_rule_reference("A7.8");
        /// a vehicle hull down
        hull_down: bool = new_switch_with_default(false).with_player_name("hull down").as_rarely_changed().with_rule_reference("A7.308");
        /// passenger units in each vehicle
        passengers: Option<u8> = new_optional(FieldType::Int(PASSENGER_COUNT_RANGE))
            .with_player_name("passengers in each vehicle").with_unit("units").as_rarely_changed();
        /// whether the passengers can be hurt; those of an unarmoured vehicle can
        vulnerable: Option<bool> = new_optional(FieldType::Flag)
            .with_player_name("vulnerable passengers").as_rarely_changed().with_rule_reference("A7.307").marked_as_interpretation();
    }
}

forms! {
    /// Target with its modifiers.
    pub struct TargetEntry {
        /// Unit or vehicle.
        unit: TargetFields,
        /// Modifiers of an attack on it.
        own: TargetModifiers,
    }
}

impl From<TargetFields> for TargetEntry {
    fn from(unit: TargetFields) -> TargetEntry {
        TargetEntry { unit, own: TargetModifiers::default() }
    }
}

name_list! {
    /// Names of all squads and half-squads.
    pub fn squad_and_half_squad_names() = {
        let squads = || expect_asl_data().squads.iter();
        let mut names: Vec<_> = squads().map(|squad| squad.name.clone()).collect();
        names.extend(squads().map(|squad| squad.half.clone()));
        NameList::from_names_without_numbers(distinct_in_order(names))
    }
}

name_list! {
    /// Names of all nations.
    pub fn nation_names() =
        NameList::from_names_without_numbers(expect_asl_data().nations.iter().map(|n| n.name.clone()).collect())
}

name_list! {
    /// Names of all leaders.
    pub fn leader_names() =
        NameList::from_names_without_numbers(expect_asl_data().leaders.iter().map(|l| l.name.clone()).collect())
}

/// Returns each name once, in order of appearance.
pub fn distinct_in_order(names: Vec<String>) -> Vec<String> {
    let mut names_so_far: Vec<String> = Vec::new();
    for name in names {
        if !names_so_far.contains(&name) {
            names_so_far.push(name);
        }
    }
    names_so_far
}
