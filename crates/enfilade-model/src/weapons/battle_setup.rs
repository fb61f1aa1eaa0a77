//! Setup of a battle between two forces: units with their conditions, and the effects of fire.
//!
//! A rulebook fills these from the distributions of its contests. The course of a battle is not
//! defined here.

/// Transitions: condition, or the number of conditions for "gone", each with its probability. The
/// probabilities add up to 1.
pub type Leads = Vec<(usize, f64)>;

/// Effect of a shot, by the condition of its target.
pub type Effect = Vec<Leads>;

/// Unit with its conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Conditions that the unit can be in; gone is one more.
    pub conditions: Vec<Condition>,
    /// Condition at the start.
    pub start: usize,
}

/// Condition of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Share of its shots that the unit makes, 0 to 1.
    pub fires: f64,
    /// Share of its points that is left, 0 to 1, when a battle ends.
    pub left: f64,
    /// Share of its hit points that is left, 0 to 1, by which the effect of fire is weighted.
    pub unhurt: f64,
    /// Transitions in the unit's own activation, after it has fired.
    pub rest: Leads,
}

impl Unit {
    /// Creates a unit that is either whole or gone.
    pub fn whole() -> Unit {
        let condition = Condition { fires: 1.0, left: 1.0, unhurt: 1.0, rest: vec![(0, 1.0)] };
        Unit { conditions: vec![condition], start: 0 }
    }

    /// Returns the index of "gone".
    pub fn gone(&self) -> usize {
        self.conditions.len()
    }
}

/// Creates the effect of a shot that destroys a unit, which is either whole or gone, with
/// probability `p`.
pub fn takes(p: f64) -> Effect {
    vec![vec![(0, 1.0 - p), (1, p)]]
}

/// Fire in one round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Shots of a trooper in an activation.
    pub troop_shots: u32,
    /// Effect of a trooper's shot on a trooper.
    pub on_troops: Effect,
    /// Effect of a trooper's shot on the weapon.
    pub on_weapon: Effect,
    /// Shots of the weapon in an activation.
    pub weapon_shots: u32,
    /// Effect of the weapon's shot on a trooper.
    pub by_weapon: Effect,
}

/// Setup of a battle between two forces.
#[derive(Clone, Debug, PartialEq)]
pub struct Staging {
    /// Reference trooper.
    pub troops: Unit,
    /// Weapon with its crew.
    pub weapon: Unit,
    /// Points of a reference trooper.
    pub troop_points: f64,
    /// Points of the weapon's side that its price does not contain, such as those of its crew.
    pub paid: f64,
    /// Rounds, first to last; the last one is repeated.
    pub rounds: Vec<Round>,
}

/// Computes the expected share of a fresh unit's hit points that all shots of one attacker take.
pub fn harm(shots: u32, effect: &[Leads], unit: &Unit) -> f64 {
    let unhurt = |to: usize| unit.conditions.get(to).map_or(0.0, |condition| condition.unhurt);
    let of_one = |leads: &Leads| leads.iter().map(|&(to, p)| p * (1.0 - unhurt(to))).sum();
    f64::from(shots) * effect.first().map_or(0.0, of_one)
}
