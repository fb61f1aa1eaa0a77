//! What is said of the weapons of an arsenal.

use std::collections::BTreeMap;

use super::diagnostics::Group;
use super::doubt::Shares;
use super::ladder::Ladder;
use super::lean::{Lean, Moved, lean};
use super::lever::Lever;
use super::mixes::Mixes;
use super::sensitivity::Swing;
use super::verdict::{TOLERANCE, Verdict};
use super::worth::{Bound, Table};

use crate::evidence::{Denied, Exchange, Model, ScenarioFacts};
use enfilade_stats::line::Fit;

/// Other weapons with prices below which an arsenal has no price level of its own.
pub const LEAST: usize = 8;

/// How prices are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Seed of the draws of ranks.
    pub seed: u64,
    /// In which points a price is fair; of the arsenal where enough weapons have a price, when
    /// nobody chose.
    pub anchor: Option<Anchor>,
    /// How far a price may be off and still be fine, as a share of it.
    pub tolerance: f64,
    /// The step of the game's prices; found from them when nobody said it.
    pub step: Option<f64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { seed: 1, anchor: None, tolerance: TOLERANCE, step: None }
    }
}

/// In which points a price is fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Points of the reference troops.
    Reference,
    /// What the arsenal pays for the same worth.
    Arsenal,
}

impl Anchor {
    /// `reference` or `arsenal`.
    pub fn word(self) -> &'static str {
        match self {
            Anchor::Reference => "reference",
            Anchor::Arsenal => "arsenal",
        }
    }
}

/// The prices of an arsenal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Pricing {
    /// The weapons, in the order of the evidence.
    pub weapons: Vec<Priced>,
    /// The scenarios, in the order of the evidence.
    pub scenarios: Vec<ScenarioFacts>,
    /// Weights over the scenarios.
    pub mixes: Mixes,
    /// Worths by model, `[weapon][scenario]`, as fought, in logarithms of points.
    pub worths: BTreeMap<Model, Table>,
    /// What the arsenal pays for a worth, through all weapons that have a price; `None` in points of
    /// the reference troops. No weapon is judged by it, but by that of the others.
    pub line: Option<Fit>,
    /// Positions of the weapons that the line does not use, because their prices are far from it.
    pub unused: Vec<usize>,
    /// The steps of the game's prices.
    pub ladder: Ladder,
    /// How far a price may be off and still be fine.
    pub tolerance: f64,
    /// What a pin and a break are worth beside a kill.
    pub exchange: Exchange,
    /// What moves the worths most, the largest first.
    pub swings: Vec<Swing>,
    /// Names of the assumptions, in the order of [`Shares::assumptions`].
    pub assumptions: Vec<String>,
    /// How many opponents the designer's mix has.
    pub opponents: usize,
    /// How many opponents of equal weight would be as uneven as these.
    pub effective_opponents: f64,
    /// Mean residuals by fifths of worth.
    pub along_worth: Vec<Group>,
    /// Kinds of weapons whose prices are off together.
    pub by_kind: Vec<Group>,
    /// What had to be filled in.
    pub notes: Vec<String>,
}

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranged {
    /// The best guess.
    pub best: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A weapon and what it should cost.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Priced {
    /// Its name.
    pub name: String,
    /// Its current price; `None` for a candidate.
    pub price: Option<f64>,
    /// What it is worth in points of the reference troops, under the designer's mix.
    pub worth: Ranged,
    /// What its like is worth that never fires; `None` where none was fought.
    pub floor: Option<f64>,
    /// Share of the mix in which it is worth no more than that.
    pub floored: f64,
    /// Its fair price, or why it has none here.
    pub fair: Result<Fair, Unpriced>,
    /// Points it denies in an activation, under the designer's mix.
    pub denied: Denied,
    /// Activations it serves, under the designer's mix.
    pub durability: f64,
    /// What the first, second and third copy add, in points of the reference troops; `None` where it was not
    /// fought, or says nothing.
    pub copies: [Option<f64>; 3],
    /// Position of the scenario in which it is worth most.
    pub best: usize,
    /// Position of the scenario in which it is worth least.
    pub worst: usize,
    /// Share of the mix in which its worth is only a bound.
    pub bounded: f64,
    /// Meetings that were rolled for it; `None` when everything is exact.
    pub trials: Option<u64>,
}

impl Pricing {
    /// How much best guesses lean on single prices of others; `None` in points of the reference troops,
    /// and where very many have a price. Reckoned when it is asked for: it takes hundreds of lines.
    pub fn lean(&self) -> Option<Lean> {
        self.line.as_ref()?;
        let priced = self.weapons.iter().enumerate().filter(|(_, weapon)| weapon.fair.is_ok());
        let point =
            |(w, weapon): (usize, &Priced)| Some((w, (weapon.worth.best.ln(), weapon.price?.ln())));
        let (places, points): (Vec<usize>, Vec<(f64, f64)>) = priced.filter_map(point).unzip();
        let lean = lean(&points)?;
        let at = |moved: Moved| Moved {
            price: places[moved.price],
            guess: places[moved.guess],
            ..moved
        };
        Some(Lean { without: at(lean.without), tenfold: at(lean.tenfold), ..lean })
    }
}

impl Priced {
    /// Its fair price, if it has one.
    pub fn priced(&self) -> Option<&Fair> {
        self.fair.as_ref().ok()
    }

    /// How its price is judged, if it has one and a fair price too.
    pub fn judged(&self) -> Option<&Judged> {
        self.priced()?.judged.as_ref()
    }

    /// The verdict on its price; `None` for a weapon without one, or without a fair price.
    pub fn verdict(&self) -> Option<Verdict> {
        self.judged().map(|judged| judged.verdict)
    }
}

/// Why a weapon has no fair price here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpriced {
    /// It harms nobody in any scenario that counts.
    Harmless,
    /// What it is for is not fought, in the words of its rulebook.
    Unseen(String),
    /// Its curves are too flat to say where they pass one half.
    Flat,
    /// Its curves do not pass one half where they were fought.
    Beyond(Bound),
}

/// A fair price.
#[derive(Clone, Debug, PartialEq)]
pub struct Fair {
    /// In which points.
    pub anchor: Anchor,
    /// The best guess with its interval.
    pub price: Ranged,
    /// The price to try next, on the ladder of the game.
    pub suggested: f64,
    /// What is said of its current price; `None` for a candidate.
    pub judged: Option<Judged>,
    /// What would narrow the interval most.
    pub lever: Option<Lever>,
    /// What each cause has of the square of the interval's width.
    pub shares: Shares,
    /// Fair prices by mix.
    pub by_mix: ByMix,
    /// Best guesses with each assumption at its low and at its high end, in the order of
    /// [`Shares::assumptions`].
    pub ends: Vec<(f64, f64)>,
    /// Whether its worth lies beyond that of all weapons of the line by more than their spread.
    pub outside: bool,
}

/// What is said of a current price.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Judged {
    /// Fine, over, under, or nobody can tell.
    pub verdict: Verdict,
    /// Whether it is wrong in the same direction under every mix, at both ends of every assumption and
    /// on both scales.
    pub robust: bool,
    /// Natural logarithm of current over fair.
    pub residual: f64,
    /// The chance of a price as far from fair as this one, were it fair.
    pub p: f64,
    /// The lowest rate of false discoveries at which the price counts as wrong.
    pub q: f64,
    /// First and last place by residual; 1 is the most overpriced weapon.
    pub rank: (usize, usize),
}

/// Fair prices under each mix of scenarios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByMix {
    /// Every scenario counts the same.
    pub uniform: f64,
    /// The designer's weights.
    pub designer: f64,
    /// By points in play; `None` when no scenario gives them.
    pub points: Option<f64>,
    /// The softened opponent's choice.
    pub adversarial: f64,
    /// The opponent's choice without softening: a bound.
    pub nash: Option<f64>,
}

impl ByMix {
    /// All of them, without the bound.
    pub fn each(&self) -> impl Iterator<Item = f64> {
        let given = [Some(self.uniform), Some(self.designer), self.points, Some(self.adversarial)];
        given.into_iter().flatten()
    }
}
