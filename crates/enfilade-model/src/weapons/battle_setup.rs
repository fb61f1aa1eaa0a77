//! Setup of a battle between two forces: units with their conditions, and the effects of fire.
//!
//! A rulebook fills these from the distributions of its contests. The course of a battle is not
//! defined here.

/// Transitions: condition, or the number of conditions for "gone", each with its probability. The
/// probabilities add up to 1.
pub type ConditionTransitions = Vec<(usize, f64)>;

/// Effect of a shot, by the condition of its target.
pub type ShotEffect = Vec<ConditionTransitions>;

/// Unit with its conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct BattleUnit {
    /// Conditions that the unit can be in; gone is one more.
    pub conditions: Vec<LivingUnitCondition>,
    /// Condition at the start.
    pub start: usize,
}

/// Condition of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct LivingUnitCondition {
    /// Share of its shots that the unit makes, 0 to 1.
    pub fires: f64,
    /// Share of its points that is left, 0 to 1, when a battle ends.
    pub share_left: f64,
    /// Share of its hit points that is left, 0 to 1, by which the effect of fire is weighted.
    pub unhurt: f64,
    /// Transitions in the unit's own activation, after it has fired.
    pub rest: ConditionTransitions,
}

impl BattleUnit {
    /// Creates a unit that is either whole or gone.
    pub fn whole_or_gone() -> BattleUnit {
        let condition =
            LivingUnitCondition { fires: 1.0, share_left: 1.0, unhurt: 1.0, rest: vec![(0, 1.0)] };
        BattleUnit { conditions: vec![condition], start: 0 }
    }

    /// Returns whether no activation of its own changes the unit.
    pub fn is_unchanged_by_activating(&self) -> bool {
        let mut all = self.conditions.iter().enumerate();
        all.all(|(place, condition)| condition.rest == [(place, 1.0)])
    }

    /// Returns the index of "gone".
    pub fn gone_condition_index(&self) -> usize {
        self.conditions.len()
    }
}

/// Creates the effect of a shot that destroys a unit, which is either whole or gone, with
/// probability `p`.
pub fn effect_of_kill_chance(p: f64) -> ShotEffect {
    vec![vec![(0, 1.0 - p), (1, p)]]
}

/// Fire in one round.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundFire {
    /// Shots of a trooper in an activation.
    pub troop_shots: u32,
    /// Effect of a trooper's shot on a trooper.
    pub on_troops: ShotEffect,
    /// Effect of a trooper's shot on the weapon.
    pub on_weapon: ShotEffect,
    /// Shots of the weapon in an activation.
    pub weapon_shots: u32,
    /// Effect of the weapon's shot on a trooper.
    pub by_weapon: ShotEffect,
}

/// Setup of a battle between two forces.
#[derive(Clone, Debug, PartialEq)]
pub struct BattleSetup {
    /// Reference trooper.
    pub troops: BattleUnit,
    /// Weapon with its crew.
    pub weapon: BattleUnit,
    /// Points of a reference trooper.
    pub troop_points: f64,
    /// Points of the weapon's side that its price does not contain, such as those of its crew.
    pub extra_points: f64,
    /// Rounds, first to last; the last one is repeated.
    pub rounds: Vec<RoundFire>,
}

/// Computes the expected share of a fresh unit's hit points that all shots of one attacker take.
pub fn expected_loss_share_of_shots(
    shots: u32,
    effect: &[ConditionTransitions],
    unit: &BattleUnit,
) -> f64 {
    let unhurt = |to: usize| unit.conditions.get(to).map_or(0.0, |condition| condition.unhurt);
    let of_one =
        |leads: &ConditionTransitions| leads.iter().map(|&(to, p)| p * (1.0 - unhurt(to))).sum();
    f64::from(shots) * effect.first().map_or(0.0, of_one)
}
