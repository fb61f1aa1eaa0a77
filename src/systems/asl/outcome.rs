//! What an attack leaves behind: counts over all targets, and the measures made from them.
//!
//! A unit counts for what the attack did to it: one that was broken before and stays broken is not
//! counted as broken. A unit broken and reduced counts as both; an eliminated one only as that.

use crate::combat::{Measure, OutcomeField, Vocabulary};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Units eliminated.
    Eliminated,
    /// Squads that lost a half-squad and live on.
    Reduced,
    /// Units broken.
    Broken,
    /// Unbroken units pinned.
    Pinned,
    /// Single men wounded.
    Wounded,
    /// Vehicles burning.
    Wrecked,
    /// Vehicles eliminated without burning.
    Destroyed,
    /// Vehicles immobilised.
    Immobilised,
    /// Machine guns that broke down.
    Malfunction,
    /// Morale checks that set off heat of battle.
    HeatOfBattle,
    /// Units replaced by lower quality.
    Replaced,
    /// Attacks made.
    Attacks,
}

const COUNTS: usize = 12;

/// The counts so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally([u8; COUNTS]);

impl Tally {
    /// One more.
    pub fn add(&mut self, what: Count) {
        self.add_many(what, 1);
    }

    /// This many more.
    pub fn add_many(&mut self, what: Count, n: u8) {
        self.0[what as usize] = self.0[what as usize].saturating_add(n);
    }

    /// How many.
    pub fn of(&self, what: Count) -> i32 {
        self.0[what as usize].into()
    }

    fn harmed(&self) -> bool {
        self.0[..=Count::Immobilised as usize]
            .iter()
            .any(|n| *n > 0)
    }

    fn killed(&self) -> bool {
        self.of(Count::Eliminated) + self.of(Count::Reduced) > 0
    }
}

/// Which of the fields that are not always there an action reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// `heat_of_battle` and its measure.
    pub heat_of_battle: bool,
    /// `replaced`.
    pub replaced: bool,
    /// `attacks` and its mean.
    pub attacks: bool,
}

macro_rules! field {
    ($name:literal, $about:literal, $count:ident) => {
        OutcomeField::new($name, $about, |tally: &Tally| tally.of(Count::$count))
    };
}

/// The fields and measures of an action.
pub fn vocabulary(extras: Extras) -> Vocabulary<Tally> {
    let mut fields = vec![
        field!("eliminated", "units eliminated", Eliminated),
        field!("reduced", "squads that lost half and live on", Reduced),
        field!("broken", "units broken by the attack", Broken),
        field!("pinned", "unbroken units pinned", Pinned),
        field!("wounded", "leaders and heroes wounded", Wounded),
        field!("wrecked", "vehicles burning", Wrecked),
        field!("destroyed", "vehicles eliminated, not burning", Destroyed),
        field!("immobilised", "vehicles immobilised", Immobilised),
        field!("malfunction", "machine guns that broke down", Malfunction),
    ];
    let mut measures = measures();
    if extras.heat_of_battle {
        fields.push(field!(
            "heat_of_battle",
            "morale checks that set off heat of battle",
            HeatOfBattle
        ));
        let about = "a morale check sets off heat of battle";
        measures.push(Measure::probability(
            "p_heat_of_battle",
            about,
            |t: &Tally| t.of(Count::HeatOfBattle) > 0,
        ));
    }
    if extras.replaced {
        fields.push(field!(
            "replaced",
            "units replaced by lower quality",
            Replaced
        ));
    }
    if extras.attacks {
        fields.push(field!("attacks", "attacks made", Attacks));
        let about = "mean number of attacks made";
        measures.push(Measure::mean("e_attacks", about, |t: &Tally| {
            t.of(Count::Attacks)
        }));
    }
    Vocabulary { fields, measures }
}

fn measures() -> Vec<Measure<Tally>> {
    vec![
        Measure::probability("p_kill", "a unit is eliminated or reduced", Tally::killed),
        Measure::probability("p_break", "a unit breaks", |t| t.of(Count::Broken) > 0),
        Measure::probability("p_pin", "a unit is pinned", |t| t.of(Count::Pinned) > 0),
        Measure::probability("p_effect", "anything happens to a target", Tally::harmed),
        Measure::probability("p_no_effect", "nothing happens to the targets", |t| {
            !t.harmed()
        }),
        Measure::mean("e_eliminated", "mean number of units eliminated", |t| {
            t.of(Count::Eliminated)
        }),
        Measure::mean("e_broken", "mean number of units broken", |t| {
            t.of(Count::Broken)
        }),
        Measure::mean("e_pinned", "mean number of units pinned", |t| {
            t.of(Count::Pinned)
        }),
        Measure::probability("p_vehicle_kill", "a vehicle burns or is eliminated", |t| {
            t.of(Count::Wrecked) + t.of(Count::Destroyed) > 0
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malfunction_is_no_effect_on_the_target() {
        let mut tally = Tally::default();
        tally.add(Count::Malfunction);
        assert!(!tally.harmed());
        tally.add(Count::Reduced);
        assert!(tally.harmed() && tally.killed());
    }
}
