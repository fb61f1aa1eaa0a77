//! The fields that say who is fired at.

use crate::bounds::Bound;
use crate::form::groups::{joined, under};
use crate::form::names::{NameList, name_list};
use crate::form::{Field, Kind};
use crate::systems::asl::data::library;
use crate::systems::asl::drm;
use crate::systems::asl::headings;
use crate::systems::asl::roster::UnitKind;
use crate::systems::asl::unit::MAX_UNITS;

const MORALE: Bound = Bound::new("morale level", 0, 12);
const LEADERSHIP: Bound = Bound::new("leadership modifier", -3, 3);
const COUNT: Bound = Bound::new("number of targets", 1, MAX_UNITS as i64);
const PASSENGERS: Bound = Bound::new("number of passenger units", 0, 4);

/// `target`.
pub const TARGETS: Field =
    Field::required("target", Kind::tables(joined![FIELDS, drm::OWN]), "who is fired at")
        .label("targets")
        .from("A7.4");

/// `target` where nobody fires.
pub const CHECKED: Field =
    Field::required("target", Kind::tables(joined![FIELDS]), "who takes the check")
        .label("targets")
        .from("A7.4");

/// `encircled`.
pub const ENCIRCLED: Field = Field::flag("encircled", false, "whether the targets are encircled")
    .label("encircled")
    .from("A7.7");

const FIELDS: [Field; 20] = under(
    headings::TARGET,
    [
        Field::optional("unit", Kind::name(unit_names), "squad or half-squad by name")
            .label("target unit"),
        Field::optional("nation", Kind::name(nation_names), "nation, where several have that name")
            .label("target's nation"),
        Field::optional("leader", Kind::name(leader_names), "leader by name")
            .label("target leader"),
        Field::optional(
            "vehicle",
            Kind::choice(&["unarmoured", "armoured"]),
            "a vehicle; the unit fields then describe its passengers",
        )
        .label("vehicle")
        .rare()
        .from("A7.307, A7.308"),
        Field::optional(
            "kind",
            Kind::choice(UnitKind::WORDS),
            "what the unit is, when it has no name",
        )
        .label("kind of target"),
        Field::optional("morale", Kind::Int(MORALE), "morale level in Good Order")
            .label("morale level"),
        Field::optional(
            "broken_morale",
            Kind::Int(MORALE),
            "morale level on the broken side; that of the named unit, else `morale`",
        )
        .label("broken morale level")
        .rare(),
        Field::optional(
            "half_squad_morale",
            Kind::Int(MORALE),
            "morale level of its half-squad; that of the named unit, else `morale`",
        )
        .label("half-squad's morale level")
        .rare(),
        Field::optional(
            "half_squad_broken_morale",
            Kind::Int(MORALE),
            "morale level of its broken half-squad; that of the named unit, else `broken_morale`",
        )
        .label("broken half-squad's morale level")
        .rare(),
        Field::optional("leadership", Kind::Int(LEADERSHIP), "leadership modifier of a leader")
            .label("leadership modifier")
            .rare(),
        Field::int("count", COUNT, 1, "how many of them").label("number of targets"),
        Field::flag("broken", false, "broken before the attack").label("already broken"),
        Field::flag("pinned", false, "pinned before the attack")
            .label("already pinned")
            .from("A7.8"),
        Field::flag("wounded", false, "a single man wounded before the attack")
            .label("already wounded")
            .rare()
            .from("A17.11"),
        Field::flag("berserk", false, "berserk: it cannot break and is not pinned")
            .label("berserk")
            .rare()
            .from("A7.301, A7.8"),
        Field::flag("heroic", false, "a heroic leader: he leads, cannot break and is not pinned")
            .label("heroic leader")
            .rare()
            .from("A7.301, A7.8"),
        Field::flag(
            "cannot_pin",
            false,
            "not subject to pinning: Cavalry, Aerial, climbing or in a Water Obstacle",
        )
        .label("not subject to pinning")
        .rare()
        .from("A7.8"),
        Field::flag("hull_down", false, "a vehicle hull down")
            .label("hull down")
            .rare()
            .from("A7.308"),
        Field::optional("passengers", Kind::Int(PASSENGERS), "passenger units in each vehicle")
            .label("passengers in each vehicle")
            .unit("units")
            .rare(),
        Field::optional(
            "vulnerable",
            Kind::Flag,
            "whether the passengers can be hurt; those of an unarmoured vehicle can",
        )
        .label("vulnerable passengers")
        .rare()
        .from("A7.307")
        .assumed(),
    ],
);

name_list! {
    /// The names of all squads and half-squads.
    pub fn unit_names() = {
        let squads = || library().squads.iter();
        let mut names: Vec<_> = squads().map(|squad| squad.name.clone()).collect();
        names.extend(squads().map(|squad| squad.half.clone()));
        NameList::of(distinct(names))
    }
}

name_list! {
    /// The names of all nations.
    pub fn nation_names() =
        NameList::of(library().nations.iter().map(|n| n.name.clone()).collect())
}

name_list! {
    /// The names of all leaders.
    pub fn leader_names() =
        NameList::of(library().leaders.iter().map(|l| l.name.clone()).collect())
}

/// Each name once, in order of first sight.
pub fn distinct(names: Vec<String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}
