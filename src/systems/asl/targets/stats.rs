//! The numbers of a unit: printed ones, and those a contest gives in their place.

use super::fields::{TargetFields, leader_names, nation_names, unit_names};
use crate::form::Fault;
use crate::form::names::NameList;
use crate::systems::asl::data::{Leader, Squad};
use crate::systems::asl::roster::UnitKind;

/// A unit's numbers before encirclement; `None` is not established.
pub(super) struct Stats {
    pub(super) label: String,
    pub(super) kind: UnitKind,
    pub(super) morale: i32,
    pub(super) broken: Option<i32>,
    pub(super) leadership: Option<i32>,
    pub(super) half: Option<Half>,
    named: Named,
}

/// A half-squad of it.
pub(super) struct Half {
    pub(super) label: String,
    pub(super) morale: i32,
    pub(super) broken: Option<i32>,
    named: Named,
}

/// The fields that say what a unit is, each with the place of the word or name.
type Named = Vec<(&'static str, i32)>;

/// The place of a name in a list that has it.
fn place(names: &NameList, name: &str) -> i32 {
    names.place(name).and_then(|place| i32::try_from(place).ok()).unwrap_or_default()
}

fn unit(name: &str, nation: &str) -> Named {
    vec![("unit", place(unit_names(), name)), ("nation", place(nation_names(), nation))]
}

fn of_kind(kind: UnitKind) -> Named {
    vec![("kind", kind as i32)]
}

impl Half {
    /// What makes it of its squad.
    pub(super) fn changes(&self) -> Vec<(&'static str, i32)> {
        let broken = self.broken.map(|broken| ("broken_morale", broken));
        let numbers = [("morale", self.morale)].into_iter().chain(broken);
        self.named.iter().copied().chain(numbers).collect()
    }
}

impl Stats {
    /// The numbers of a target, which is this squad, or its half-squad (`false`), if it names one.
    pub(super) fn of(form: &TargetFields, squad: Option<(&Squad, bool)>) -> Result<Stats, Fault> {
        let mut stats = match (squad, form.leader) {
            (Some((squad, true)), _) => Stats::of_squad(squad),
            (Some((squad, false)), _) => Stats::of_half(squad),
            (None, Some(leader)) => Stats::of_leader(leader),
            (None, None) => unnamed(form)?,
        };
        override_printed(form, &mut stats);
        Ok(stats)
    }

    /// Those that are established, by the fields that stand in their place.
    pub(super) fn numbers(&self) -> Vec<(&'static str, i64)> {
        let half = self.half.as_ref();
        let numbers = [
            ("morale", Some(self.morale)),
            ("broken_morale", self.broken),
            ("leadership", self.leadership),
            ("half_squad_morale", half.map(|half| half.morale)),
            ("half_squad_broken_morale", half.and_then(|half| half.broken)),
        ];
        numbers.into_iter().filter_map(|(field, number)| Some((field, number?.into()))).collect()
    }

    /// What makes this unit of another one: its name or kind, and its numbers.
    pub(super) fn changes(&self) -> Vec<(&'static str, i32)> {
        let numbers = self.numbers().into_iter();
        let numbers =
            numbers.filter_map(|(field, number)| Some((field, i32::try_from(number).ok()?)));
        self.named.iter().copied().chain(numbers).collect()
    }

    pub(super) fn of_squad(squad: &Squad) -> Stats {
        let half = Half {
            label: format!("half-squad {}", squad.half),
            morale: squad.half_strength.morale.into(),
            broken: squad.half_broken.map(i32::from),
            named: unit(&squad.half, &squad.nation),
        };
        Stats {
            label: squad.name.clone(),
            kind: UnitKind::Squad,
            morale: squad.strength.morale.into(),
            broken: squad.broken.map(i32::from),
            leadership: None,
            half: Some(half),
            named: unit(&squad.name, &squad.nation),
        }
    }

    pub(super) fn of_half(squad: &Squad) -> Stats {
        Stats {
            label: format!("half-squad {}", squad.half),
            kind: UnitKind::HalfSquad,
            morale: squad.half_strength.morale.into(),
            broken: squad.half_broken.map(i32::from),
            leadership: None,
            half: None,
            named: unit(&squad.half, &squad.nation),
        }
    }

    pub(super) fn of_leader(leader: &Leader) -> Stats {
        Stats {
            label: leader.name.clone(),
            kind: UnitKind::Leader,
            morale: leader.morale.into(),
            broken: Some(leader.broken.into()),
            leadership: Some(leader.drm.into()),
            half: None,
            named: vec![("leader", place(leader_names(), &leader.name))],
        }
    }
}

fn unnamed(form: &TargetFields) -> Result<Stats, Fault> {
    let Some(morale) = form.morale else {
        let problem = "the target needs a `unit`, a `leader`, or a `kind` with its `morale`";
        return Err(Fault::new("morale", problem));
    };
    let kind = form.kind.unwrap_or(UnitKind::Squad);
    let half = (kind == UnitKind::Squad).then(|| Half {
        label: UnitKind::HalfSquad.word().to_owned(),
        morale,
        broken: None,
        named: of_kind(UnitKind::HalfSquad),
    });
    Ok(Stats {
        label: kind.word().to_owned(),
        kind,
        morale,
        broken: Some(morale),
        leadership: (kind == UnitKind::Leader).then_some(0),
        half,
        named: of_kind(kind),
    })
}

/// What the file says goes before what is printed.
fn override_printed(form: &TargetFields, stats: &mut Stats) {
    let named = form.unit.is_some() || form.leader.is_some();
    stats.morale = form.morale.unwrap_or(stats.morale);
    stats.broken = form.broken_morale.or(stats.broken);
    stats.leadership = stats.leadership.map(|printed| form.leadership.unwrap_or(printed));
    if let Some(half) = &mut stats.half {
        half.morale = form.half_squad_morale.unwrap_or(half.morale);
        let printed = if named { half.broken } else { stats.broken };
        half.broken = form.half_squad_broken_morale.or(printed);
    }
}
