//! Targets of a contest: from the file to profiles and a stack.

use enfilade_model::form::Fault;

mod shared_properties;
mod target_fields;
mod target_profiles;
mod unit_numbers;

pub use target_fields::{
    EncirclementField, TargetEntry, TargetFields, distinct_in_order, leader_names, nation_names,
    squad_and_half_squad_names,
};

use self::shared_properties::ContestTargetReader;
pub use self::shared_properties::PropertiesOfAllTargets;
use self::target_fields::VehicleHull;
use self::target_profiles::TargetProfileBuilder;
use self::unit_numbers::MoraleNumbersIfEstablished;

use super::data::{SquadWithHalfSquad, expect_asl_data};
use super::unit_profiles::{ProfileRoster, UnitConditionBeforeAttack, UnitKind};
use super::unit_stack::{MAX_UNITS_IN_STACK, UnitStack};
use super::vehicles::VehiclesOfTargetEntry;

/// Targets of a contest.
#[derive(Clone, Debug)]
pub struct ContestTargets {
    /// Kinds of units.
    pub roster: ProfileRoster,
    /// Personnel in the Location.
    pub stack: UnitStack,
    /// Vehicles, with their passengers.
    pub vehicles: Vec<VehiclesOfTargetEntry>,
}

/// Reads the profiles and the stack of the targets that a contest lists.
///
/// # Errors
/// Every target that is not exactly one thing, lacks a number that matters, or is one too many.
pub fn read_targets(
    listed: &[TargetEntry],
    setting: PropertiesOfAllTargets,
) -> Result<ContestTargets, Vec<Fault>> {
    if listed.is_empty() {
        let fault = Fault::new("target", "there is no target to fire at");
        return Err(vec![fault.with_help("add a [[contest.target]]")]);
    }
    let leaders = listed.iter().any(|target| describes_leader(&target.unit));
    let reader =
        ContestTargetReader { setting, lasting: setting.again || setting.leader_loss && leaders };
    let mut order: Vec<(usize, &TargetEntry)> = listed.iter().enumerate().collect();
    // Profiles are numbered in this order, and the stack is sorted by their numbers.
    order.sort_by_key(|&(_, target)| leaders_first_sort_key(target));
    let mut targets = ContestTargets {
        roster: ProfileRoster::default(),
        stack: UnitStack::EMPTY_STACK,
        vehicles: Vec::new(),
    };
    let mut faults = Vec::new();
    for (place, target) in order {
        let shelter =
            (1..).zip(list_targets_with_modifiers(listed)).find(|(_, (at, _))| *at == place);
        let shelter = shelter.map_or(0, |(shelter, _)| shelter);
        if let Err(fault) = reader.add_target_entry(place, target, shelter, &mut targets) {
            faults.push(fault.prefix_path(&format!("target[{place}]")));
        }
    }
    if faults.is_empty() {
        faults.extend(excess_targets_fault(listed));
    }
    if faults.is_empty() { Ok(targets) } else { Err(faults) }
}

/// Returns the targets with their own modifiers, with their indexes in the list; each has a
/// separate shelter, numbered from 1.
pub fn list_targets_with_modifiers(
    targets: &[TargetEntry],
) -> impl Iterator<Item = (usize, &TargetEntry)> {
    targets.iter().enumerate().filter(|(_, target)| target.own.is_any_modifier_set())
}

/// Returns the numbers printed with the unit or leader that a target names, replaced by those in
/// the file.
pub fn printed_numbers_of_target_unit(form: &TargetFields) -> Vec<(&'static str, i64)> {
    let stats = find_named_squad(form)
        .and_then(|squad| MoraleNumbersIfEstablished::from_fields(form, squad));
    stats.map(|stats| stats.established_numbers_by_field()).unwrap_or_default()
}

/// Returns the squad that a target names, or whose half-squad it names (`false`).
fn find_named_squad(
    form: &TargetFields,
) -> Result<Option<(&'static SquadWithHalfSquad, bool)>, Fault> {
    form.unit.as_deref().map(|name| find_squad_or_half(form.nation.as_deref(), name)).transpose()
}

fn describes_leader(form: &TargetFields) -> bool {
    form.leader.is_some() || form.kind == Some(UnitKind::Leader)
}

/// Order of a target: whether it is not a leader, its leadership, the modifiers against it alone,
/// its numbers and conditions, its names.
type TargetSortKey<'a> = (bool, i32, i32, [i32; 6], Option<&'a str>, Vec<&'a (String, i32)>);

/// A7.303: orders leaders first, and among those of equal morale by the check: best leaders first,
/// then the one that the fire is least likely to hurt, so that they can help. Further numbers and
/// names only make that order, and with it the odds, independent of the order in the file. Other
/// units stay as listed: none of their checks affects another.
fn leaders_first_sort_key(target: &TargetEntry) -> TargetSortKey<'_> {
    let form = &target.unit;
    let leader =
        MoraleNumbersIfEstablished::from_fields(form, None).ok().filter(|_| describes_leader(form));
    let Some(stats) = leader else {
        return (true, 0, 0, [0; 6], None, Vec::new());
    };
    let numbers = [
        stats.morale,
        stats.broken.unwrap_or(stats.morale),
        form.wounded.into(),
        form.berserk.into(),
        form.broken.into(),
        form.pinned.into(),
    ];
    let (own, named) = target.own.given_modifiers().sum_and_entries_by_name();
    let name = form.leader.map(|leader| leader.name.as_str());
    (false, stats.leadership.unwrap_or(0), -own, numbers, name, named)
}

/// Finds an excess of targets over the room of a Location or of the state.
fn excess_targets_fault(targets: &[TargetEntry]) -> Option<Fault> {
    let forms = || targets.iter().map(|target| &target.unit);
    let counted = |form: &TargetFields| usize::from(form.count);
    let vehicles: usize = forms().filter(|form| form.vehicle.is_some()).map(counted).sum();
    if vehicles > MAX_UNITS_IN_STACK {
        let problem =
            format!("there are {vehicles} vehicles, but at most {MAX_UNITS_IN_STACK} fit");
        return Some(Fault::new("target", problem).with_help("reduce `count`"));
    }
    let units = |form: &TargetFields| {
        let each =
            if form.vehicle.is_some() { passenger_count_per_vehicle(form).into() } else { 1 };
        counted(form) * each
    };
    let total: usize = forms().map(units).sum();
    (total > MAX_UNITS_IN_STACK).then(|| {
        let problem =
            format!("there are {total} target units, but at most {MAX_UNITS_IN_STACK} fit");
        Fault::new("target", problem).with_help("reduce `count`")
    })
}

fn passenger_count_per_vehicle(form: &TargetFields) -> u8 {
    let described = form.unit.is_some()
        || form.leader.is_some()
        || form.kind.is_some()
        || form.morale.is_some();
    form.passengers.unwrap_or(described.into())
}

/// A7.307, A7.308: creates the vehicle of a target entry, whose passengers have this profile.
fn vehicles_of_entry(
    form: &TargetFields,
    profile: Option<u8>,
    hull: VehicleHull,
) -> VehiclesOfTargetEntry {
    let armoured = hull == VehicleHull::Armoured;
    VehiclesOfTargetEntry {
        count: form.count,
        armoured,
        hull_down: form.hull_down,
        profile,
        passengers: passenger_count_per_vehicle(form),
        vulnerable: form.vulnerable.unwrap_or(!armoured),
    }
}

impl ContestTargetReader {
    fn add_target_entry(
        &self,
        place: usize,
        target: &TargetEntry,
        shelter: u8,
        targets: &mut ContestTargets,
    ) -> Result<(), Fault> {
        let form = &target.unit;
        check_field_combinations(target)?;
        if let Some(hull) = form.vehicle {
            let profile = match passenger_count_per_vehicle(form) {
                0 => None,
                _ => Some(self.enter_unit_and_successors(place, form, 0, &mut targets.roster)?),
            };
            targets.vehicles.push(vehicles_of_entry(form, profile, hull));
            return Ok(());
        }
        let profile = self.enter_unit_and_successors(place, form, shelter, &mut targets.roster)?;
        for _ in 0..form.count {
            let unit = targets.roster.new_unit(profile);
            targets.stack.push(unit);
        }
        Ok(())
    }

    /// Enters the unit of a target, with the forms that it can turn into.
    fn enter_unit_and_successors(
        &self,
        place: usize,
        form: &TargetFields,
        shelter: u8,
        roster: &mut ProfileRoster,
    ) -> Result<u8, Fault> {
        let squad = find_named_squad(form)?;
        let stats = MoraleNumbersIfEstablished::from_fields(form, squad)?;
        let before = UnitConditionBeforeAttack {
            broken: form.broken,
            pinned: form.pinned,
            wounded: form.wounded,
        };
        check_condition_before(form, &stats, before)?;
        if let Some((squad, _)) = squad {
            refuse_step_reduction_squads(form, squad)?;
        }
        let next = match squad {
            _ if !self.setting.elr => None,
            Some((squad, whole)) => lower_quality_squad(squad, whole),
            None => next_worse_leader(form),
        };
        let maker = TargetProfileBuilder {
            reader: self,
            steadfast: form.berserk || form.heroic || stats.kind == UnitKind::Hero,
            unpinnable: form.cannot_pin,
            shelter,
            before,
            target: place,
        };
        maker.enter_unit_profiles(&stats, next, roster)
    }
}

/// A7.8, A7.301, A7.308: refuses impossible combinations, and fields without effect.
fn check_field_combinations(target: &TargetEntry) -> Result<(), Fault> {
    let TargetEntry { unit: form, own } = target;
    let names = [form.unit.is_some(), form.leader.is_some(), form.kind.is_some()];
    if names.iter().filter(|given| **given).count() > 1 {
        let problem = "a target is one of `unit`, `leader` and `kind`";
        return Err(Fault::new("", problem).with_help("write one [[contest.target]] for each"));
    }
    let of_vehicles = [
        ("hull_down", form.hull_down),
        ("passengers", form.passengers.is_some()),
        ("vulnerable", form.vulnerable == Some(true)),
    ];
    let on_foot = form.vehicle.is_none();
    first_conflict_fault(
        of_vehicles.map(|(field, given)| (given && on_foot, field, "only a vehicle has this")),
    )?;
    for (field, given) in [("drm", own.drm.is_some()), ("modifiers", own.modifiers.is_some())] {
        if given && form.vehicle.is_some() {
            let problem = "what a target has for itself counts against Personnel";
            let help = "`vehicle_drm` and `collateral_drm` of the contest are for vehicles";
            return Err(Fault::new(field, problem).with_help(help));
        }
    }
    first_conflict_fault([
        (form.broken && form.heroic, "heroic", "a heroic leader does not break"),
        (form.pinned && form.heroic, "heroic", "a heroic leader is not pinned"),
        (
            form.pinned && form.cannot_pin,
            "cannot_pin",
            "a unit that cannot be pinned is not pinned",
        ),
        (form.broken && form.pinned, "pinned", "a broken unit is not pinned"),
        (form.broken && form.berserk, "berserk", "a berserk unit is not broken"),
        (form.pinned && form.berserk, "berserk", "a berserk unit is not pinned"),
    ])
}

/// Returns the first row that applies as a fault: whether it is given, its field, and the reason.
fn first_conflict_fault<const N: usize>(
    rows: [(bool, &'static str, &'static str); N],
) -> Result<(), Fault> {
    match rows.into_iter().find(|(applies, ..)| *applies) {
        Some((_, field, why)) => Err(Fault::new(field, why)),
        None => Ok(()),
    }
}

/// Refuses Japanese squads, which lose steps, unless their broken side is given.
fn refuse_step_reduction_squads(
    form: &TargetFields,
    squad: &SquadWithHalfSquad,
) -> Result<(), Fault> {
    if !squad.step_reduction || form.broken_morale.is_some() {
        return Ok(());
    }
    let problem = format!(
        "the {} {} loses steps instead of breaking, which is not modelled",
        squad.nation, squad.name
    );
    Err(Fault::new("unit", problem)
        .with_help("give `broken_morale` to let it break like the others"))
}

/// A19.1: returns the squad, or half-squad, that replaces this one.
fn lower_quality_squad(
    squad: &SquadWithHalfSquad,
    whole: bool,
) -> Option<MoraleNumbersIfEstablished> {
    let next = squad.replaced_by.as_deref()?;
    let mut squads = expect_asl_data().squads.iter();
    let next = squads.find(|s| s.nation == squad.nation && s.name == next)?;
    Some(if whole {
        MoraleNumbersIfEstablished::from_squad(next)
    } else {
        MoraleNumbersIfEstablished::from_half_squad(next)
    })
}

/// A19.1: returns the next worse leader.
fn next_worse_leader(form: &TargetFields) -> Option<MoraleNumbersIfEstablished> {
    let leader = form.leader?;
    let leaders = &expect_asl_data().leaders;
    let place = leaders.iter().position(|other| other.name == leader.name)?;
    leaders.get(place + 1).map(MoraleNumbersIfEstablished::from_leader)
}

/// Finds the squad called `name`, or whose half-squad it is (`false`), of the nation in the file.
///
/// # Errors
/// If the nation has no squad of this name, or several nations have one and none is given. The help
/// lists the nations.
pub fn find_squad_or_half(
    nation: Option<&str>,
    name: &str,
) -> Result<(&'static SquadWithHalfSquad, bool), Fault> {
    let of_nation =
        |squad: &&SquadWithHalfSquad| nation.is_none_or(|nation| squad.nation == nation);
    let squads = || expect_asl_data().squads.iter().filter(of_nation);
    let whole = squads().filter(|s| s.name == name).map(|s| (s, true));
    let mut found: Vec<_> = whole.collect();
    for half in squads().filter(|s| s.half == name) {
        if !found.iter().any(|(s, _)| s.nation == half.nation) {
            found.push((half, false));
        }
    }
    match (found.as_slice(), nation) {
        ([one], _) => Ok(*one),
        ([], Some(nation)) => {
            let problem = format!("the {nation} have no {name}");
            Err(Fault::new("unit", problem).with_help(nations_of_unit_note(name)))
        }
        _ => {
            let problem = format!("{name} is a unit of several nations");
            Err(Fault::new("nation", problem)
                .with_help(format!("give `nation` too: {}", nations_of_unit_note(name))))
        }
    }
}

fn nations_of_unit_note(name: &str) -> String {
    let squads = expect_asl_data().squads.iter();
    let having = squads.filter(|s| s.name == name || s.half == name);
    let nations = distinct_in_order(having.map(|s| s.nation.clone()).collect());
    format!("{name} is {}", enfilade_model::form::join_or(&nations))
}

fn check_condition_before(
    form: &TargetFields,
    stats: &MoraleNumbersIfEstablished,
    before: UnitConditionBeforeAttack,
) -> Result<(), Fault> {
    let (hero, leader) = (stats.kind == UnitKind::Hero, stats.kind == UnitKind::Leader);
    first_conflict_fault([
        (
            before.wounded && !stats.kind.is_single_man(),
            "wounded",
            "only a leader or a hero is wounded",
        ),
        (before.broken && hero, "broken", "a hero does not break"),
        (before.pinned && hero, "pinned", "a hero is not pinned"),
    ])?;
    if form.heroic && !leader {
        let fault = Fault::new("heroic", "only a leader is heroic");
        return Err(fault.with_help("a hero is `kind = \"hero\"` with their `morale`"));
    }
    first_conflict_fault([(
        form.leadership.is_some() && !leader,
        "leadership",
        "only a leader has this",
    )])
}
