//! What the battles of an arsenal say, before any statistics.
//!
//! One [`Battle`] is a weapon in a scenario under a set of assumptions. Nothing here knows a rule
//! system, and nothing here is an estimate of a price yet.

pub use enfilade_model::weapons::{Denied, Exchange};

/// All that is known of an arsenal.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The weapons, in the order of the file.
    pub weapons: Vec<PricedWeapon>,
    /// What they may meet.
    pub scenarios: Vec<ScenarioFacts>,
    /// The assumptions that were varied, each with its default and the ends of its range.
    pub assumptions: Vec<Assumption>,
    /// Every weapon in every scenario under every [`Model`].
    pub battles: Vec<Battle>,
    /// What a pin and a break are worth beside a kill.
    pub exchange: Exchange,
    /// What the rulebook can put into a scenario and no scenario has, in its words.
    pub never: Vec<String>,
    /// What a reader must know of all of them: rules that are changed, scenarios without harm.
    pub remarks: Vec<String>,
    /// What a reader of the prices must know of the contests behind them, by weapon and scenario.
    pub notes: Vec<Note>,
}

/// Something that a contest of a weapon in a scenario remarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Position in [`Evidence::weapons`].
    pub weapon: usize,
    /// Position in [`Evidence::scenarios`].
    pub scenario: usize,
    /// The remark, as a result of the contest alone would have it.
    pub text: String,
}

/// A weapon and what it costs now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PricedWeapon {
    /// Its name.
    pub name: String,
    /// Its current price in points, above 0; `None` for a candidate, whose price is the question.
    pub price: Option<f64>,
    /// What it is for that no battle shows, such as carrying; `None` where it fights.
    pub unseen: Option<String>,
    /// The sums by which no shot of it harms anybody, one for each that it meets; empty where there is none for some.
    pub shortfalls: Vec<String>,
}

/// A scenario, as far as the statistics need it.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioFacts {
    /// Its name.
    pub name: String,
    /// The designer's weight, 0 or more; not all of them 0.
    pub weight: f64,
    /// Points at stake in it, where the file gives them.
    pub points_in_play: Option<f64>,
    /// Whom it is fought against: scenarios with the same opponent are left out together.
    pub opponent: String,
}

/// Something the price rests on that no rulebook settles.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// Its name in the arsenal file, such as `horizon`.
    pub name: String,
    /// What it means, with its unit.
    pub about: String,
    /// The value used where nothing is said.
    pub default: f64,
    /// The lowest value thought reasonable.
    pub low: f64,
    /// The highest value thought reasonable.
    pub high: f64,
}

/// Which assumptions a battle was fought under: all defaults, or one of them moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Model {
    /// Every assumption at its default.
    Default,
    /// The assumption with this position in [`Evidence::assumptions`] at its low end.
    Low(usize),
    /// The same at its high end.
    High(usize),
}

/// One weapon in one scenario under one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Battle {
    /// Position in [`Evidence::weapons`].
    pub weapon: usize,
    /// Position in [`Evidence::scenarios`].
    pub scenario: usize,
    /// Under which assumptions.
    pub model: Model,
    /// How often the side with the weapon wins, by how many points of reference troops the other
    /// side has in its place; rising in points. Where several copies stand in place of one, points are
    /// those in place of each.
    pub curve: Vec<Meeting>,
    /// The same for eight copies together, for the default model: points are those of all of them. Empty where they did
    /// not fight.
    pub copies: Vec<Meeting>,
    /// The same for its like that never fires, for the default model: what it is worth only to
    /// stand there.
    pub silent: Vec<Meeting>,
    /// Whether any of its shots can harm anybody.
    pub fires: bool,
    /// Points it denies the target in an activation.
    pub denied: Denied,
    /// Whether nobody could tell it from the troops it meets.
    pub mirror: bool,
}

/// Two forces that met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Points of reference troops on the side without the weapon.
    pub points: f64,
    /// Share of the meetings won by the side with the weapon, draws counted half.
    pub won: f64,
    /// Meetings, or attacks of them, that were rolled; `None` where the share is exact.
    pub trials: Option<u64>,
}
