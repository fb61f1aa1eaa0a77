//! Description of a battle: kinds of units, the effect of each on each, the order of turns and the
//! choice of targets.
//!
//! The chain is its exact solver if one side has troops, the other the same troops and a weapon;
//! the [resolver](super::resolver) samples it for any two lists.

use enfilade_model::weapons::{BattleSetup, BattleUnit, ConditionTransitions, ShotEffect};

/// The order in which units act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnitTurnOrder {
    /// All of one side, then all of the other; the first side is the same in every round.
    #[default]
    Sides,
    /// One unit of each side in turn; if all units of a side have acted the other continues alone.
    Alternate,
}

/// The enemies that are fired at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TargetChoice {
    /// Any of them at random, each as often as its kind draws fire.
    #[default]
    Spread,
    /// One that is hurt, if there is one; otherwise as for [`TargetChoice::Spread`].
    Wounded,
    /// One of the kind of which a shot takes the most points.
    Best,
}

/// Order of turns and choice of targets; the chain solves the default alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doctrine {
    /// The order in which units act.
    pub turns: UnitTurnOrder,
    /// The enemies that are fired at.
    pub fire: TargetChoice,
}

/// Fire of a unit of one kind at a unit of another kind in one round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundAttack {
    /// Shots in an activation.
    pub shots: u32,
    /// Share of the shots that happen, by the condition of the unit that fires.
    pub fires: Vec<f64>,
    /// The effect of a shot, by the condition of the unit that is hit.
    pub effect: ShotEffect,
}

impl RoundAttack {
    /// Builds the attack of `unit`.
    pub fn new(unit: &BattleUnit, shots: u32, effect: &ShotEffect) -> RoundAttack {
        let fires = unit.conditions.iter().map(|condition| condition.fires).collect();
        RoundAttack { shots, fires, effect: effect.clone() }
    }

    /// Whether a shot changes the condition of any unit.
    pub fn has_any_effect(&self) -> bool {
        let leads = |(from, leads): (usize, &ConditionTransitions)| {
            leads.iter().any(|&(to, p)| to != from && p > 0.0)
        };
        self.effect.iter().enumerate().any(leads)
    }
}

/// Kinds of units and the effect of each on each.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitKindsEncounter {
    /// The kinds.
    pub units: Vec<BattleUnit>,
    /// Attacks by round, by the kind that fires, by the kind that is hit; later rounds repeat the
    /// last one.
    pub rounds: Vec<Vec<Vec<RoundAttack>>>,
}

/// The kind of the reference troops of a set-up.
pub const TROOPS_KIND_INDEX: usize = 0;
/// The kind of the weapon of a set-up.
pub const WEAPON_KIND_INDEX: usize = 1;

impl UnitKindsEncounter {
    /// Builds the encounter of a weapon's side with troops.
    pub fn from_weapon_and_troops(staging: &BattleSetup) -> UnitKindsEncounter {
        let (troops, weapon) = (&staging.troops, &staging.weapon);
        let round = |round: &enfilade_model::weapons::RoundFire| {
            let at_troops = RoundAttack::new(troops, round.troop_shots, &round.on_troops);
            let at_weapon = RoundAttack::new(troops, round.troop_shots, &round.on_weapon);
            let by_weapon = RoundAttack::new(weapon, round.weapon_shots, &round.by_weapon);
            // Weapons are on one side only, so that none fires at another.
            vec![vec![at_troops, at_weapon], vec![by_weapon, RoundAttack::default()]]
        };
        UnitKindsEncounter {
            units: vec![troops.clone(), weapon.clone()],
            rounds: staging.rounds.iter().map(round).collect(),
        }
    }

    /// Builds the encounter of all units of a file, from the set-up of each (outer) against each as
    /// reference troops (inner). Where a set-up has fewer rounds than others its last one is
    /// repeated.
    ///
    /// # Panics
    /// If there are no set-ups, or one of them has no rounds.
    pub fn from_pairwise_setups(stagings: &[Vec<BattleSetup>]) -> UnitKindsEncounter {
        let rounds = stagings.iter().flatten().map(|staging| staging.rounds.len());
        let rounds = rounds.max().expect("there is a set-up");
        let attack = |round: usize, staging: &BattleSetup| {
            let now = &staging.rounds[round.min(staging.rounds.len() - 1)];
            RoundAttack::new(&staging.weapon, now.weapon_shots, &now.by_weapon)
        };
        let row = |round, row: &Vec<BattleSetup>| row.iter().map(|s| attack(round, s)).collect();
        let units = stagings.iter().enumerate().map(|(i, row)| row[i].weapon.clone());
        let rounds = (0..rounds).map(|round| stagings.iter().map(|by| row(round, by)).collect());
        UnitKindsEncounter { units: units.collect(), rounds: rounds.collect() }
    }
}
