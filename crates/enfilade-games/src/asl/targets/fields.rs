//! Fields of the targets.

use crate::asl::data::{Leader, library};
use crate::asl::drm::Own;
use crate::asl::field_headings;
use crate::asl::unit_profiles::UnitKind;
use crate::asl::unit_stack::MAX_UNITS;
use enfilade_model::form::Kind;
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_macros::{choice, fields, forms};
use enfilade_model::form::name_matching::{NameList, name_list};

const MORALE: Bound = Bound::new("morale level", 0, 12);
const LEADERSHIP: Bound = Bound::new("leadership modifier", -3, 3);
const COUNT: Bound = Bound::new("number of targets", 1, MAX_UNITS as i64);
const PASSENGERS: Bound = Bound::new("number of passenger units", 0, 4);

choice! {
    /// Kind of a vehicle.
    pub enum Hull {
        /// Soft vehicle.
        Unarmoured = "unarmoured",
        /// Armoured vehicle.
        Armoured = "armoured",
    }
}

fields! {
    /// Encirclement of the targets.
    pub struct Encircled: under(field_headings::TARGET) {
        /// whether the targets are encircled
        encircled: bool = flag(false).label("encircled").rule("A7.7");
    }

    /// Fields of one kind of target.
    pub struct TargetFields: under(field_headings::TARGET) {
        /// squad or half-squad by name
        unit: Option<String> = optional(Kind::name(unit_names)).label("target unit");
        /// nation, where several have that name
        nation: Option<String> = optional(Kind::name(nation_names)).label("target's nation");
        /// leader by name
        leader: Option<&'static Leader> = optional(Kind::name(leader_names)).label("target leader");
        /// a vehicle; the unit fields then describe its passengers
        vehicle: Option<Hull> = optional(Kind::choice(Hull::WORDS))
            .label("vehicle").rare().rule("A7.307, A7.308");
        /// what the unit is, when it has no name
        kind: Option<UnitKind> = optional(Kind::choice(UnitKind::WORDS)).label("kind of target");
        /// morale level in Good Order
        morale: Option<i32> = optional(Kind::Int(MORALE)).label("morale level");
        /// morale level on the broken side; that of the named unit, else `morale`
        broken_morale: Option<i32> = optional(Kind::Int(MORALE)).label("broken morale level").rare();
        /// morale level of its half-squad; that of the named unit, else `morale`
        half_squad_morale: Option<i32> = optional(Kind::Int(MORALE))
            .label("half-squad's morale level").rare();
        /// morale level of its broken half-squad; that of the named unit, else `broken_morale`
        half_squad_broken_morale: Option<i32> = optional(Kind::Int(MORALE))
            .label("broken half-squad's morale level").rare();
        /// leadership modifier of a leader
        leadership: Option<i32> = optional(Kind::Int(LEADERSHIP)).label("leadership modifier").rare();
        /// how many of them
        count: u8 = int(COUNT, 1).label("number of targets");
        /// broken before the attack
        broken: bool = flag(false).label("already broken");
        /// pinned before the attack
        pinned: bool = flag(false).label("already pinned").rule("A7.8");
        /// a single man wounded before the attack
        wounded: bool = flag(false).label("already wounded").rare().rule("A17.11");
        /// berserk: it cannot break and is not pinned
        berserk: bool = flag(false).label("berserk").rare().rule("A7.301, A7.8");
        /// a heroic leader: leads, cannot break and is not pinned
        heroic: bool = flag(false).label("heroic leader").rare().rule("A7.301, A7.8");
        /// not subject to pinning: Cavalry, Aerial, climbing or in a Water Obstacle
        cannot_pin: bool = flag(false).label("not subject to pinning").rare().rule("A7.8");
        /// a vehicle hull down
        hull_down: bool = flag(false).label("hull down").rare().rule("A7.308");
        /// passenger units in each vehicle
        passengers: Option<u8> = optional(Kind::Int(PASSENGERS))
            .label("passengers in each vehicle").unit("units").rare();
        /// whether the passengers can be hurt; those of an unarmoured vehicle can
        vulnerable: Option<bool> = optional(Kind::Flag)
            .label("vulnerable passengers").rare().rule("A7.307").assumed();
    }
}

forms! {
    /// Target with its modifiers.
    pub struct Target {
        /// Unit or vehicle.
        unit: TargetFields,
        /// Modifiers of an attack on it.
        own: Own,
    }
}

impl From<TargetFields> for Target {
    fn from(unit: TargetFields) -> Target {
        Target { unit, own: Own::default() }
    }
}

name_list! {
    /// Names of all squads and half-squads.
    pub fn unit_names() = {
        let squads = || library().squads.iter();
        let mut names: Vec<_> = squads().map(|squad| squad.name.clone()).collect();
        names.extend(squads().map(|squad| squad.half.clone()));
        NameList::of(distinct(names))
    }
}

name_list! {
    /// Names of all nations.
    pub fn nation_names() =
        NameList::of(library().nations.iter().map(|n| n.name.clone()).collect())
}

name_list! {
    /// Names of all leaders.
    pub fn leader_names() =
        NameList::of(library().leaders.iter().map(|l| l.name.clone()).collect())
}

/// Returns each name once, in order of appearance.
pub fn distinct(names: Vec<String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}
