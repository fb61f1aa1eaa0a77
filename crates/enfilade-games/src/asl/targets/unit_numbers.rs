//! Numbers of a unit: printed ones, and those that a contest gives instead.

use super::target_fields::{TargetFields, leader_names, nation_names, squad_and_half_squad_names};
use crate::asl::data::{Leader, SquadWithHalfSquad};
use crate::asl::unit_profiles::{TargetFieldValues, UnitKind};
use enfilade_model::form::Fault;
use enfilade_model::form::name_matching::NameList;

/// Numbers of a unit before encirclement; `None` is not established.
pub(super) struct MoraleNumbersIfEstablished {
    pub(super) label: String,
    pub(super) kind: UnitKind,
    pub(super) morale: i32,
    pub(super) broken: Option<i32>,
    pub(super) leadership: Option<i32>,
    pub(super) half: Option<HalfSquadMoraleNumbers>,
    /// Fields that name the unit.
    identity: TargetFieldValues,
}

/// Numbers of a squad's half-squad.
pub(super) struct HalfSquadMoraleNumbers {
    pub(super) label: String,
    pub(super) morale: i32,
    pub(super) broken: Option<i32>,
    identity: TargetFieldValues,
}

/// Returns the index of a name of the built-in data in the list made from that data.
fn index_in_name_list(names: &NameList, name: &str) -> i32 {
    let index = names.index_of_exact(name).and_then(|index| i32::try_from(index).ok());
    index.expect("the list has every name of the data")
}

fn name_and_nation_as_fields(name: &str, nation: &str) -> TargetFieldValues {
    vec![
        ("unit", index_in_name_list(squad_and_half_squad_names(), name)),
        ("nation", index_in_name_list(nation_names(), nation)),
    ]
}

fn kind_as_field(kind: UnitKind) -> TargetFieldValues {
    vec![("kind", kind as i32)]
}

impl HalfSquadMoraleNumbers {
    /// Returns the fields that turn the squad's table into that of its half-squad.
    pub(super) fn fields_to_become_half_squad(&self) -> TargetFieldValues {
        let broken = self.broken.map(|broken| ("broken_morale", broken));
        let numbers = [("morale", self.morale)].into_iter().chain(broken);
        self.identity.iter().copied().chain(numbers).collect()
    }
}

impl MoraleNumbersIfEstablished {
    /// Reads the numbers of a target, which is this squad, or its half-squad (`false`), if it names
    /// one.
    pub(super) fn from_fields(
        form: &TargetFields,
        squad: Option<(&SquadWithHalfSquad, bool)>,
    ) -> Result<MoraleNumbersIfEstablished, Fault> {
        let mut stats = match (squad, form.leader) {
            (Some((squad, true)), _) => MoraleNumbersIfEstablished::from_squad(squad),
            (Some((squad, false)), _) => MoraleNumbersIfEstablished::from_half_squad(squad),
            (None, Some(leader)) => MoraleNumbersIfEstablished::from_leader(leader),
            (None, None) => read_from_numbers(form)?,
        };
        replace_printed_numbers(form, &mut stats);
        Ok(stats)
    }

    /// Returns the established numbers, by the fields that can replace them.
    pub(super) fn established_numbers_by_field(&self) -> Vec<(&'static str, i64)> {
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

    /// Returns the fields that turn another unit's table into this one's: name or kind, and
    /// numbers.
    pub(super) fn fields_to_become_this_unit(&self) -> TargetFieldValues {
        let numbers = self.established_numbers_by_field().into_iter();
        let numbers =
            numbers.filter_map(|(field, number)| Some((field, i32::try_from(number).ok()?)));
        self.identity.iter().copied().chain(numbers).collect()
    }

    pub(super) fn from_squad(squad: &SquadWithHalfSquad) -> MoraleNumbersIfEstablished {
        let half = HalfSquadMoraleNumbers {
            label: format!("half-squad {}", squad.half),
            morale: squad.half_strength.morale.into(),
            broken: squad.half_broken.map(i32::from),
            identity: name_and_nation_as_fields(&squad.half, &squad.nation),
        };
        MoraleNumbersIfEstablished {
            label: squad.name.clone(),
            kind: UnitKind::Squad,
            morale: squad.strength.morale.into(),
            broken: squad.broken.map(i32::from),
            leadership: None,
            half: Some(half),
            identity: name_and_nation_as_fields(&squad.name, &squad.nation),
        }
    }

    pub(super) fn from_half_squad(squad: &SquadWithHalfSquad) -> MoraleNumbersIfEstablished {
        MoraleNumbersIfEstablished {
            label: format!("half-squad {}", squad.half),
            kind: UnitKind::HalfSquad,
            morale: squad.half_strength.morale.into(),
            broken: squad.half_broken.map(i32::from),
            leadership: None,
            half: None,
            identity: name_and_nation_as_fields(&squad.half, &squad.nation),
        }
    }

    pub(super) fn from_leader(leader: &Leader) -> MoraleNumbersIfEstablished {
        MoraleNumbersIfEstablished {
            label: leader.name.clone(),
            kind: UnitKind::Leader,
            morale: leader.morale.into(),
            broken: Some(leader.broken.into()),
            leadership: Some(leader.drm.into()),
            half: None,
            identity: vec![("leader", index_in_name_list(leader_names(), &leader.name))],
        }
    }
}

fn read_from_numbers(form: &TargetFields) -> Result<MoraleNumbersIfEstablished, Fault> {
    let Some(morale) = form.morale else {
        let problem = "the target needs a `unit`, a `leader`, or a `kind` with its `morale`";
        return Err(Fault::new("morale", problem));
    };
    let kind = form.kind.unwrap_or(UnitKind::Squad);
    let half = (kind == UnitKind::Squad).then(|| HalfSquadMoraleNumbers {
        label: UnitKind::HalfSquad.word().to_owned(),
        morale,
        broken: None,
        identity: kind_as_field(UnitKind::HalfSquad),
    });
    Ok(MoraleNumbersIfEstablished {
        label: kind.word().to_owned(),
        kind,
        morale,
        broken: Some(morale),
        leadership: (kind == UnitKind::Leader).then_some(0),
        half,
        identity: kind_as_field(kind),
    })
}

/// Replaces printed numbers by those in the file.
fn replace_printed_numbers(form: &TargetFields, stats: &mut MoraleNumbersIfEstablished) {
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
