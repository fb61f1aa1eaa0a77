//! Tables of the distributions of an [encounter](super::encounter), for rolled battles.

use super::alias::{AliasTable, threshold};
use super::encounter::{Attack, Encounter};
use enfilade_model::weapons::{Condition, Leads, Unit, harm};

/// Tables for fire of one kind at another.
#[derive(Debug)]
pub struct Shot {
    /// By the condition of the unit that fires: 32 random bits below this number make a shot.
    pub made: Vec<u32>,
    /// Mean share of a whole unit that all shots of an activation take.
    pub harm: f64,
    pub table: AliasTable,
}

/// Fire of one kind at all others.
#[derive(Debug)]
pub struct Battery {
    pub shots: u32,
    pub at: Vec<Shot>,
}

/// Tables of a kind of units.
#[derive(Debug)]
pub struct Profiled {
    pub start: u16,
    pub gone: u16,
    /// Share of its points that remains, by condition.
    pub left: Vec<f64>,
    pub hurt: Vec<bool>,
    /// Transitions of its activation; `None` if nothing changes.
    pub rest: Option<AliasTable>,
}

/// Tables of an encounter.
#[derive(Debug)]
pub struct Resolver {
    pub units: Vec<Profiled>,
    /// Rounds that differ, by the kind that fires.
    pub rounds: Vec<Vec<Battery>>,
    /// By round: the index of its tables.
    pub course: Vec<usize>,
}

impl Resolver {
    /// Builds the tables of `encounter`.
    pub fn new(encounter: &Encounter) -> Resolver {
        let mut course = Vec::new();
        let mut different = Vec::new();
        for round in &encounter.rounds {
            let known = different.iter().position(|known| *known == round);
            course.push(known.unwrap_or(different.len()));
            if known.is_none() {
                different.push(round);
            }
        }
        let by_kind =
            |round: &&Vec<Vec<_>>| round.iter().map(|by| battery(by, encounter)).collect();
        Resolver {
            units: encounter.units.iter().map(Profiled::new).collect(),
            rounds: different.iter().map(by_kind).collect(),
            course,
        }
    }

    /// Mean share of a unit of kind `at` that one of kind `by` takes in a round.
    pub fn harm(&self, by: usize, at: usize) -> f64 {
        let each = self.course.iter().map(|&round| self.rounds[round][by].at[at].harm);
        each.sum::<f64>() / self.course.len() as f64
    }
}

/// Builds the fire of one kind. If it has more shots at some kinds than at others, the missing
/// shots are missing at random.
fn battery(by: &[Attack], encounter: &Encounter) -> Battery {
    // Shots without effect need not be rolled.
    let shots = by.iter().filter(|attack| attack.harms()).map(|attack| attack.shots);
    let shots = shots.max().unwrap_or(0);
    let shot = |(attack, unit): (&Attack, &Unit)| {
        let share = f64::from(attack.shots) / f64::from(shots.max(1));
        Shot {
            made: attack.fires.iter().map(|fires| threshold(share * fires)).collect(),
            harm: harm(attack.shots, attack.effect.get(unit.start..).unwrap_or(&[]), unit),
            table: AliasTable::new(attack.effect.iter()),
        }
    };
    Battery { shots, at: by.iter().zip(&encounter.units).map(shot).collect() }
}

impl Profiled {
    fn new(unit: &Unit) -> Profiled {
        let whole = unit.conditions[unit.start].unhurt;
        let still = |(place, condition): (usize, &Condition)| condition.rest == [(place, 1.0)];
        let rests: Vec<&Leads> = unit.conditions.iter().map(|condition| &condition.rest).collect();
        let is_still = unit.conditions.iter().enumerate().all(still);
        Profiled {
            start: unit.start as u16,
            gone: unit.gone() as u16,
            left: unit.conditions.iter().map(|condition| condition.left).collect(),
            hurt: unit.conditions.iter().map(|condition| condition.unhurt < whole).collect(),
            rest: (!is_still).then(|| AliasTable::new(rests.into_iter())),
        }
    }
}
