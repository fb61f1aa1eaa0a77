//! Results of the battles of an arsenal, before any statistics.
//!
//! One [`WeaponWinCurves`] is a weapon in a scenario under a set of assumptions. Nothing here
//! depends on a rule system, and nothing here estimates a price.

use std::collections::BTreeMap;

/// Results of all battles of an arsenal.
#[derive(Clone, Debug, PartialEq)]
pub struct BattleEvidence {
    /// The weapons, in the order of the file.
    pub weapons: Vec<WeaponWithPrice>,
    /// The scenarios.
    pub scenarios: Vec<ScenarioForStatistics>,
    /// The assumptions that were varied, each with its default and the ends of its range.
    pub assumptions: Vec<PriceAssumption>,
    /// Every weapon in every scenario under every [`AssumptionCase`].
    pub battles: Vec<WeaponWinCurves>,
    /// Options of scenarios that the rulebook has and no scenario uses, in its words.
    pub never: Vec<String>,
    /// Notes on all battles: rules that are changed, scenarios without harm.
    pub remarks: Vec<String>,
    /// Notes of the contests behind the prices, by weapon and scenario.
    pub notes: Vec<ContestNote>,
}

impl BattleEvidence {
    /// Battles with every assumption at its default.
    pub fn default_battles(&self) -> impl Iterator<Item = &WeaponWinCurves> {
        self.battles.iter().filter(|battle| battle.model == AssumptionCase::Default)
    }

    /// Battles by case, weapon and scenario.
    pub fn index_by_case_weapon_scenario(
        &self,
    ) -> BTreeMap<(AssumptionCase, usize, usize), &WeaponWinCurves> {
        let key = |battle: &WeaponWinCurves| (battle.model, battle.weapon, battle.scenario);
        self.battles.iter().map(|battle| (key(battle), battle)).collect()
    }
}

/// A remark of a contest of a weapon in a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestNote {
    /// Position in [`BattleEvidence::weapons`].
    pub weapon: usize,
    /// Position in [`BattleEvidence::scenarios`].
    pub scenario: usize,
    /// The remark, as the result of the contest alone has it.
    pub text: String,
}

/// A weapon and its current price.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeaponWithPrice {
    /// Its name.
    pub name: String,
    /// Its current price in points, above 0; `None` for a candidate, whose price is the question.
    pub price: Option<f64>,
    /// Purpose that no battle shows, such as carrying; `None` if it fights.
    pub unseen: Option<String>,
    /// The sums by which no shot of it harms anybody, one for each that it meets; empty where there
    /// is none for some.
    pub shortfalls: Vec<String>,
}

/// Data of a scenario that the statistics need.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioForStatistics {
    /// Its name.
    pub name: String,
    /// The designer's weight, 0 or more; not all of them 0.
    pub weight: f64,
    /// Points at stake in it, if the file gives them.
    pub points_in_play: Option<f64>,
    /// Name of its opponent: scenarios with the same opponent are left out together.
    pub opponent: String,
}

/// An assumption of the price that no rulebook settles.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceAssumption {
    /// Its name in the arsenal file, such as `horizon`.
    pub name: String,
    /// Its meaning, with its unit.
    pub about: String,
    /// The value that is used by default.
    pub default: f64,
    /// The lowest value thought reasonable.
    pub low: f64,
    /// The highest value thought reasonable.
    pub high: f64,
}

/// The assumptions of a battle: all defaults, or one of them moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssumptionCase {
    /// Every assumption at its default.
    Default,
    /// The assumption with this position in [`BattleEvidence::assumptions`] at its low end.
    Low(usize),
    /// The assumption with this position at its high end.
    High(usize),
}

impl AssumptionCase {
    /// All cases of a number of assumptions: the default, then each of them moved to either end.
    pub fn list_all(assumptions: usize) -> impl Iterator<Item = AssumptionCase> {
        let ends = |place| [AssumptionCase::Low(place), AssumptionCase::High(place)];
        std::iter::once(AssumptionCase::Default).chain((0..assumptions).flat_map(ends))
    }
}

/// One weapon in one scenario under one case of the assumptions.
#[derive(Clone, Debug, PartialEq)]
pub struct WeaponWinCurves {
    /// Position in [`BattleEvidence::weapons`].
    pub weapon: usize,
    /// Position in [`BattleEvidence::scenarios`].
    pub scenario: usize,
    /// Its case of the assumptions.
    pub model: AssumptionCase,
    /// Win chances of the side with the weapon, by the points of reference troops that the other
    /// side has in its place; rising in points. If several copies replace one weapon, points are
    /// those in place of each.
    pub curve: Vec<PointsAndWinShare>,
    /// The same for eight copies together, for the default model: points are those of all of them.
    /// Empty where they did not fight.
    pub copies: Vec<PointsAndWinShare>,
    /// The curve of a copy that never fires, in the default case: its worth from its presence
    /// alone.
    pub silent: Vec<PointsAndWinShare>,
    /// Whether any of its shots can cause harm.
    pub fires: bool,
    /// Whether the weapon cannot be distinguished from the troops that it meets.
    pub mirror: bool,
}

/// A point of a curve: two forces that met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointsAndWinShare {
    /// Points of reference troops on the side without the weapon.
    pub points: f64,
    /// Share of the battles won by the side with the weapon, draws counted half.
    pub won: f64,
    /// Battles, or attacks in them, that were rolled; `None` if the share is exact.
    pub trials: Option<u64>,
}
