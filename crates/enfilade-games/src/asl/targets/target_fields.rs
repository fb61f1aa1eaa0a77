//! Fields of the targets.

use crate::asl::data::{Leader, asl_data};
use crate::asl::drm::TargetModifiers;
use crate::asl::field_headings;
use crate::asl::unit_profiles::UnitKind;
use crate::asl::unit_stack::MAX_UNITS;
use enfilade_model::form::FieldType;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_macros::{choice, fields, forms};
use enfilade_model::form::name_matching::{NameList, name_list};

const MORALE: IntRange = IntRange::new("morale level", 0, 12);
const LEADERSHIP: IntRange = IntRange::new("leadership modifier", -3, 3);
const COUNT: IntRange = IntRange::new("number of targets", 1, MAX_UNITS as i64);
const PASSENGERS: IntRange = IntRange::new("number of passenger units", 0, 4);

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
    pub struct Encirclement: under(field_headings::TARGET_HEADING) {
        /// whether the targets are encircled
        encircled: bool = flag(false).with_label("encircled").with_rule("A7.7");
    }

    /// Fields of one kind of target.
    pub struct TargetFields: under(field_headings::TARGET_HEADING) {
        /// squad or half-squad by name
        unit: Option<String> = optional(FieldType::name(unit_names)).with_label("target unit");
        /// nation, where several have that name
        nation: Option<String> = optional(FieldType::name(nation_names)).with_label("target's nation");
        /// leader by name
        leader: Option<&'static Leader> = optional(FieldType::name(leader_names)).with_label("target leader");
        /// a vehicle; the unit fields then describe its passengers
        vehicle: Option<VehicleHull> = optional(FieldType::choice(VehicleHull::WORDS))
            .with_label("vehicle").as_rare().with_rule("A7.307, A7.308");
        /// what the unit is, when it has no name
        kind: Option<UnitKind> = optional(FieldType::choice(UnitKind::WORDS)).with_label("kind of target");
        /// morale level in Good Order
        morale: Option<i32> = optional(FieldType::Int(MORALE)).with_label("morale level");
        /// morale level on the broken side; that of the named unit, else `morale`
        broken_morale: Option<i32> = optional(FieldType::Int(MORALE)).with_label("broken morale level").as_rare();
        /// morale level of its half-squad; that of the named unit, else `morale`
        half_squad_morale: Option<i32> = optional(FieldType::Int(MORALE))
            .with_label("half-squad's morale level").as_rare();
        /// morale level of its broken half-squad; that of the named unit, else `broken_morale`
        half_squad_broken_morale: Option<i32> = optional(FieldType::Int(MORALE))
            .with_label("broken half-squad's morale level").as_rare();
        /// leadership modifier of a leader
        leadership: Option<i32> = optional(FieldType::Int(LEADERSHIP)).with_label("leadership modifier").as_rare();
        /// how many of them
        count: u8 = int(COUNT, 1).with_label("number of targets");
        /// broken before the attack
        broken: bool = flag(false).with_label("already broken");
        /// pinned before the attack
        pinned: bool = flag(false).with_label("already pinned").with_rule("A7.8");
        /// a single man wounded before the attack
        wounded: bool = flag(false).with_label("already wounded").as_rare().with_rule("A17.11");
        /// berserk: it cannot break and is not pinned
        berserk: bool = flag(false).with_label("berserk").as_rare().with_rule("A7.301, A7.8");
        /// a heroic leader: leads, cannot break and is not pinned
        heroic: bool = flag(false).with_label("heroic leader").as_rare().with_rule("A7.301, A7.8");
        /// not subject to pinning: Cavalry, Aerial, climbing or in a Water Obstacle
        cannot_pin: bool = flag(false).with_label("not subject to pinning").as_rare().with_rule("A7.8");
        /// a vehicle hull down
        hull_down: bool = flag(false).with_label("hull down").as_rare().with_rule("A7.308");
        /// passenger units in each vehicle
        passengers: Option<u8> = optional(FieldType::Int(PASSENGERS))
            .with_label("passengers in each vehicle").with_unit("units").as_rare();
        /// whether the passengers can be hurt; those of an unarmoured vehicle can
        vulnerable: Option<bool> = optional(FieldType::Flag)
            .with_label("vulnerable passengers").as_rare().with_rule("A7.307").as_reading();
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
    pub fn unit_names() = {
        let squads = || asl_data().squads.iter();
        let mut names: Vec<_> = squads().map(|squad| squad.name.clone()).collect();
        names.extend(squads().map(|squad| squad.half.clone()));
        NameList::from_names(distinct_names(names))
    }
}

name_list! {
    /// Names of all nations.
    pub fn nation_names() =
        NameList::from_names(asl_data().nations.iter().map(|n| n.name.clone()).collect())
}

name_list! {
    /// Names of all leaders.
    pub fn leader_names() =
        NameList::from_names(asl_data().leaders.iter().map(|l| l.name.clone()).collect())
}

/// Returns each name once, in order of appearance.
pub fn distinct_names(names: Vec<String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}
