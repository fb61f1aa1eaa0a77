//! The numbers of a unit: printed ones, and those a contest gives in their place.

use super::fields::TargetFields;
use crate::form::Fault;
use crate::systems::asl::data::{Leader, Squad};
use crate::systems::asl::roster::UnitKind;

/// A unit's numbers before encirclement; `None` is not established.
pub(super) struct Stats {
    pub(super) label: String,
    pub(super) kind: UnitKind,
    pub(super) morale: i32,
    pub(super) broken: Option<i32>,
    pub(super) leadership: Option<i32>,
    pub(super) half: Option<(String, i32, Option<i32>)>,
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
            ("half_squad_morale", half.map(|(_, morale, _)| *morale)),
            ("half_squad_broken_morale", half.and_then(|(.., broken)| *broken)),
        ];
        numbers.into_iter().filter_map(|(field, number)| Some((field, number?.into()))).collect()
    }

    pub(super) fn of_squad(squad: &Squad) -> Stats {
        let half = (
            format!("half-squad {}", squad.half),
            squad.half_strength.morale.into(),
            squad.half_broken.map(i32::from),
        );
        Stats {
            label: squad.name.clone(),
            kind: UnitKind::Squad,
            morale: squad.strength.morale.into(),
            broken: squad.broken.map(i32::from),
            leadership: None,
            half: Some(half),
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
        }
    }
}

fn unnamed(form: &TargetFields) -> Result<Stats, Fault> {
    let Some(morale) = form.morale else {
        let problem = "the target needs a `unit`, a `leader`, or a `kind` with its `morale`";
        return Err(Fault::new("morale", problem));
    };
    let kind = form.kind.unwrap_or(UnitKind::Squad);
    let half =
        (kind == UnitKind::Squad).then(|| (UnitKind::HalfSquad.word().to_owned(), morale, None));
    Ok(Stats {
        label: kind.word().to_owned(),
        kind,
        morale,
        broken: Some(morale),
        leadership: (kind == UnitKind::Leader).then_some(0),
        half,
    })
}

/// What the file says goes before what is printed.
fn override_printed(form: &TargetFields, stats: &mut Stats) {
    let named = form.unit.is_some() || form.leader.is_some();
    stats.morale = form.morale.unwrap_or(stats.morale);
    stats.broken = form.broken_morale.or(stats.broken);
    stats.leadership = stats.leadership.map(|printed| form.leadership.unwrap_or(printed));
    if let Some((_, morale, broken)) = &mut stats.half {
        *morale = form.half_squad_morale.unwrap_or(*morale);
        let printed = if named { *broken } else { stats.broken };
        *broken = form.half_squad_broken_morale.or(printed);
    }
}
