//! Everything two forces need to meet: units by their conditions, and what fire does to them.
//!
//! A rulebook fills these from the laws of its contests. How a battle goes on is not told here.

/// Where something leads: a condition, or the number of conditions for "gone"; and how likely.
/// The probabilities add up to 1.
pub type Leads = Vec<(usize, f64)>;

/// What a shot does, by the condition of whoever it falls on.
pub type Effect = Vec<Leads>;

/// A unit by its conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The conditions it can be in; to be gone is one more.
    pub conditions: Vec<Condition>,
    /// The one it begins in.
    pub start: usize,
}

/// One condition of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Share of its shots that it makes, 0 to 1.
    pub fires: f64,
    /// Share of its points that is left, 0 to 1: what has not been lost when a battle ends.
    pub left: f64,
    /// Share of what it stands that is left, 0 to 1: what fire takes of it is weighed by that.
    pub unhurt: f64,
    /// Where its own activation leads, after it has fired.
    pub rest: Leads,
}

impl Unit {
    /// A unit that is either whole or gone.
    pub fn whole() -> Unit {
        let condition = Condition { fires: 1.0, left: 1.0, unhurt: 1.0, rest: vec![(0, 1.0)] };
        Unit { conditions: vec![condition], start: 0 }
    }

    /// The number that stands for "gone".
    pub fn gone(&self) -> usize {
        self.conditions.len()
    }
}

/// What happens to a unit that is either whole or gone when a shot takes it with probability `p`.
pub fn takes(p: f64) -> Effect {
    vec![vec![(0, 1.0 - p), (1, p)]]
}

/// What fire does in one round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Shots of a trooper in an activation.
    pub troop_shots: u32,
    /// What such a shot does to a trooper.
    pub on_troops: Effect,
    /// What such a shot does to the weapon.
    pub on_weapon: Effect,
    /// Shots of the weapon in an activation.
    pub weapon_shots: u32,
    /// What such a shot does to a trooper.
    pub by_weapon: Effect,
}

/// Everything two forces need to meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Staging {
    /// A reference trooper.
    pub troops: Unit,
    /// The weapon with its crew.
    pub weapon: Unit,
    /// Points of a reference trooper.
    pub troop_points: f64,
    /// Points of the weapon's side that its price does not contain, such as those of its crew.
    pub paid: f64,
    /// The rounds, first to last; after the last one it goes on like that.
    pub rounds: Vec<Round>,
}

/// Expected share of what a fresh unit stands that all shots of one attacker take from it.
pub fn harm(shots: u32, effect: &[Leads], unit: &Unit) -> f64 {
    let unhurt = |to: usize| unit.conditions.get(to).map_or(0.0, |condition| condition.unhurt);
    let of_one = |leads: &Leads| leads.iter().map(|&(to, p)| p * (1.0 - unhurt(to))).sum();
    f64::from(shots) * effect.first().map_or(0.0, of_one)
}
