//! Tables of the distributions of an [encounter](super::encounter), for rolled battles.

use super::alias_table::{AliasTable, probability_threshold};
use super::encounter::{RoundAttack, UnitKindsEncounter};
use crate::value_table::position_or_push;
use enfilade_model::weapons::{BattleUnit, expected_loss_share_of_shots};

/// Tables for fire of one kind at another.
#[derive(Debug)]
pub struct ShotTables {
    /// By the condition of the unit that fires: 32 random bits below this number make a shot.
    pub shot_thresholds: Vec<u32>,
    /// Mean share of a whole unit that all shots of an activation take.
    pub harm: f64,
    pub table: AliasTable,
}

/// Fire of one kind at all others.
#[derive(Debug)]
pub struct ShotsAndTablesByTarget {
    pub shots: u32,
    pub at: Vec<ShotTables>,
}

/// Tables of a kind of units.
#[derive(Debug)]
pub struct UnitConditionTables {
    pub start: u16,
    pub gone: u16,
    /// Share of its points that remains, by condition.
    pub points_left: Vec<f64>,
    pub hurt: Vec<bool>,
    /// Transitions of its activation; `None` if nothing changes.
    pub rest: Option<AliasTable>,
}

/// Tables of an encounter.
#[derive(Debug)]
pub struct EncounterTables {
    pub units: Vec<UnitConditionTables>,
    /// Rounds that differ, by the kind that fires.
    pub rounds: Vec<Vec<ShotsAndTablesByTarget>>,
    /// By round: the index of its tables.
    pub course: Vec<usize>,
}

impl EncounterTables {
    /// Builds the tables of `encounter`.
    pub fn new(encounter: &UnitKindsEncounter) -> EncounterTables {
        let mut different: Vec<&Vec<Vec<RoundAttack>>> = Vec::new();
        let place = |round| position_or_push(&mut different, |known| *known == round, || round);
        let course = encounter.rounds.iter().map(place).collect();
        let by_kind = |round: &&Vec<Vec<_>>| {
            round.iter().map(|by| fire_tables_of_kind(by, encounter)).collect()
        };
        EncounterTables {
            units: encounter.units.iter().map(UnitConditionTables::from_battle_unit).collect(),
            rounds: different.iter().map(by_kind).collect(),
            course,
        }
    }

    /// Mean share of a unit of kind `at` that one of kind `by` takes in a round.
    pub fn mean_share_harmed(&self, by: usize, at: usize) -> f64 {
        let each = self.course.iter().map(|&round| self.rounds[round][by].at[at].harm);
        each.sum::<f64>() / self.course.len() as f64
    }
}

/// Builds the fire of one kind. If it has more shots at some kinds than at others, the missing
/// shots are missing at random.
fn fire_tables_of_kind(
    by: &[RoundAttack],
    encounter: &UnitKindsEncounter,
) -> ShotsAndTablesByTarget {
    // Shots without effect need not be rolled.
    let shots = by.iter().filter(|attack| attack.has_any_effect()).map(|attack| attack.shots);
    let shots = shots.max().unwrap_or(0);
    let shot = |(attack, unit): (&RoundAttack, &BattleUnit)| {
        let share = f64::from(attack.shots) / f64::from(shots.max(1));
        let thresholds = attack.fires.iter().map(|fires| probability_threshold(share * fires));
        let on_whole = attack.effect.get(unit.start..).unwrap_or(&[]);
        ShotTables {
            shot_thresholds: thresholds.collect(),
            harm: expected_loss_share_of_shots(attack.shots, on_whole, unit),
            table: AliasTable::new(attack.effect.iter()),
        }
    };
    ShotsAndTablesByTarget { shots, at: by.iter().zip(&encounter.units).map(shot).collect() }
}

impl UnitConditionTables {
    fn from_battle_unit(unit: &BattleUnit) -> UnitConditionTables {
        let whole = unit.conditions[unit.start].unhurt;
        let rests = unit.conditions.iter().map(|condition| &condition.rest);
        UnitConditionTables {
            start: unit.start as u16,
            gone: unit.gone_condition_index() as u16,
            points_left: unit.conditions.iter().map(|condition| condition.share_left).collect(),
            hurt: unit.conditions.iter().map(|condition| condition.unhurt < whole).collect(),
            rest: (!unit.is_unchanged_by_activating()).then(|| AliasTable::new(rests)),
        }
    }
}
