//! A second evaluator of rulebook files, from the page alone and as naive as can be: it walks the
//! tree, keeps every variable by its name, sorts no bag, folds and merges nothing, and plays each
//! sequence of faces from the very beginning.
//!
//! It shares the parser with the program and nothing else.

#![expect(clippy::result_large_err, reason = "a test may be slow, and is easier to read so")]

mod choices;
mod contest;
mod dice;
mod expr;
mod extend;
mod reach;
mod stmt;
mod tables;
pub mod value;
mod weighed;
mod world;

use std::collections::BTreeMap;

use enfilade_rules::syntax::ast::{MeasureTermExpr, RulebookAst};
use toml::Table;

pub use extend::extended;
use value::Value;
pub use weighed::worth;
use world::{Asked, Halt, World};

/// What came of a contest.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// It can be played.
    Law(Law),
    /// Some faces lead to a fault: what, and after which answers.
    Fault(String, Vec<u32>),
    /// The contest itself is at fault.
    Refused(String),
    /// More sequences than the witness has patience for.
    TooLarge,
    /// The file says something that the witness cannot make sense of.
    Senseless(String),
}

/// The law of what is shown, in whole numbers.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Law {
    /// Names of the columns of what is shown.
    pub shows: Vec<String>,
    /// Names of the measures.
    pub measures: Vec<String>,
    /// What each measure asks.
    pub asked: Vec<Of>,
    /// Factor and divisor of each measure.
    pub scales: Vec<(i128, i128)>,
    /// The shows, then the weights of the measures: how many ways of `all` lead there.
    pub ways: BTreeMap<Vec<i64>, u128>,
    /// Ways that were not followed to their end.
    pub open: u128,
    /// All ways.
    pub all: u128,
}

impl Law {
    /// The law of the shows alone.
    pub fn of_shows(&self) -> BTreeMap<Vec<i64>, u128> {
        let mut law = BTreeMap::new();
        for (row, ways) in &self.ways {
            *law.entry(row[..self.shows.len()].to_vec()).or_default() += ways;
        }
        law
    }

    /// The variance of what a measure asks the spread of, as a fraction; nothing where it asks
    /// something else.
    pub fn variance(&self, index: usize) -> Option<(i128, i128)> {
        let asks = self.asked.get(index) == Some(&Of::Spread);
        let numbers = self.numbers(index)?;
        let all: i128 = numbers.iter().map(|(_, ways)| ways).sum();
        let sum: i128 = numbers.iter().map(|(n, ways)| n * ways).sum();
        let squares: i128 = numbers.iter().map(|(n, ways)| n * n * ways).sum();
        let (times, over) = self.scales[index];
        let variance = reduced(squares * all - sum * sum, all * all);
        asks.then(|| reduced(variance.0 * times * times, variance.1 * over * over))
    }

    /// The numbers of a measure where its condition is met, each with its ways; nothing where it
    /// never is.
    fn numbers(&self, index: usize) -> Option<Vec<(i128, i128)>> {
        let column = self.shows.len() + index;
        let rows = self.ways.iter().filter(|(row, _)| row[column] != NOT_MET);
        let numbers: Vec<_> =
            rows.map(|(row, ways)| (i128::from(row[column]), *ways as i128)).collect();
        (!numbers.is_empty()).then_some(numbers)
    }

    /// A measure that is no spread as a fraction: `Some(None)` where its condition is never met.
    pub fn value(&self, index: usize) -> Option<Option<(i128, i128)>> {
        let (times, over) = *self.scales.get(index)?;
        let Some(mut numbers) = self.numbers(index) else { return Some(None) };
        let all: i128 = numbers.iter().map(|(_, ways)| ways).sum();
        let (above, below) = match self.asked[index] {
            Of::Quantile(percent) => {
                numbers.sort_unstable();
                let mut reached = 0;
                let first = numbers.iter().find(|(_, ways)| {
                    reached += ways;
                    100 * reached >= i128::from(percent) * all
                });
                (first?.0, 1)
            }
            _ => (numbers.iter().map(|(n, ways)| n * ways).sum(), all),
        };
        (over != 0).then(|| Some(reduced(above * times, below * over)))
    }

    /// The mean of a measure's weight as a fraction, times its factor and over its divisor.
    pub fn measure(&self, index: usize) -> Option<(i128, i128)> {
        let (times, over) = *self.scales.get(index)?;
        let (sum, all) = self.mean_of(self.shows.len() + index);
        (over != 0).then(|| reduced(sum * times, all * over))
    }

    fn mean_of(&self, column: usize) -> (i128, i128) {
        let rows = self.ways.iter();
        let sum = rows.map(|(row, ways)| i128::from(row[column]) * *ways as i128);
        reduced(sum.sum(), self.all as i128)
    }
}

/// A fraction in lowest terms with a positive divisor.
pub fn reduced(numerator: i128, denominator: i128) -> (i128, i128) {
    let sign = denominator.signum();
    let common = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).max(1) as i128;
    (sign * numerator / common, sign * denominator / common)
}

fn gcd(a: u128, b: u128) -> u128 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

/// How far the witness goes.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Plays from the beginning.
    pub plays: usize,
    /// A way that is one of so many stays open.
    pub ways: u128,
}

impl Patience {
    pub const USUAL: Patience = Patience { plays: 60_000, ways: u128::MAX };
    /// For decisions in what may go on for ever: a die of two stops it.
    pub const LOOP: Patience = Patience { plays: 60_000, ways: 64 };
    /// For what may go on for ever.
    pub const SHORT: Patience = Patience { plays: 60_000, ways: 1_500 };
}

/// The law of a contest of `file`.
pub fn law(file: &RulebookAst, action: &str, contest: &Table, patience: Patience) -> Told {
    let world = match World::new(file, action, contest) {
        Ok(world) => world,
        Err(halt) => return halt.told(&[]),
    };
    let mut search = Search { world, patience, plays: 0 };
    match search.below(&mut Vec::new(), 1) {
        Ok(law) => Told::Law(law),
        Err(told) => told,
    }
}

struct Search<'f> {
    world: World<'f>,
    patience: Patience,
    plays: usize,
}

impl Search<'_> {
    /// The law of all sequences that begin with these answers.
    fn below(&mut self, answers: &mut Vec<u32>, ways: u128) -> Result<Law, Told> {
        self.plays += 1;
        if self.plays > self.patience.plays {
            return Err(Told::TooLarge);
        }
        let mut world = self.world.again(answers);
        match world.play() {
            Ok(report) => Ok(leaf(report)),
            Err(Halt::Ask(_)) if ways >= self.patience.ways => Ok(open()),
            Err(Halt::Ask(Asked::Die(sides))) => {
                let faces = self.each(answers, sides, ways)?;
                Ok(mixed(faces))
            }
            Err(Halt::Ask(Asked::Choice { hides: true, .. })) => {
                Err(Told::Senseless("a hidden choice has a value, and many laws".to_owned()))
            }
            Err(Halt::Ask(Asked::Choice { options, highest, goal, .. })) => {
                let laws = self.each(answers, options, ways)?;
                Ok(best(laws, highest, &goal))
            }
            Err(halt) => Err(halt.told(answers)),
        }
    }

    fn each(&mut self, answers: &mut Vec<u32>, count: u32, ways: u128) -> Result<Vec<Law>, Told> {
        let ways = ways.saturating_mul(u128::from(count));
        let mut laws = Vec::new();
        for answer in 1..=count {
            answers.push(answer);
            laws.push(self.below(answers, ways)?);
            answers.pop();
        }
        Ok(laws)
    }
}

/// What one play reports.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub shows: Vec<(String, Value)>,
    /// What only measures see.
    pub kept: Vec<(String, Value)>,
    pub measures: Vec<(String, Measured)>,
}

/// A measure in one trial.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Its number; `None` where its condition is not met.
    pub weight: Option<i64>,
    /// Factor and divisor.
    pub scale: (i128, i128),
    /// What is asked of the numbers of all trials.
    pub of: Of,
}

/// What a measure asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    Mean,
    Spread,
    /// In percent.
    Quantile(u32),
}

impl Of {
    pub fn figure(figure: &MeasureTermExpr) -> Of {
        match (figure.of.text.as_str(), figure.percent) {
            ("spread", _) => Of::Spread,
            ("median", _) => Of::Quantile(50),
            (_, Some(percent)) => Of::Quantile(percent),
            _ => Of::Mean,
        }
    }
}

/// In a row: the measure does not count this trial.
const NOT_MET: i64 = i64::MIN;

fn leaf(mut report: Report) -> Law {
    let (mut shows, mut row, mut plain) = (Vec::new(), Vec::new(), Vec::new());
    let mut ask = |sign: &str, name: &str, weight| {
        let measured = Measured { weight: Some(weight), scale: (1, 1), of: Of::Mean };
        plain.push((format!("{sign}_{name}"), measured));
    };
    let mut column = |name: String, weight: i64| {
        shows.push(name);
        row.push(weight);
    };
    for (name, value) in &report.shows {
        let shown = value.shown().expect("it can be shown");
        let Value::Word(list, _) = value else {
            let sign = if matches!(value, Value::Yes(_)) { "p" } else { "e" };
            ask(sign, name, shown);
            column(name.clone(), shown);
            continue;
        };
        // A word has a column for each of its list after the first.
        for (place, word) in list.iter().enumerate().skip(1) {
            let (name, is) = (format!("{name}_{word}"), i64::from(place as i64 == shown));
            ask("p", &name, is);
            column(name, is);
        }
        ask("p", &format!("{name}_{}", list[0]), i64::from(shown == 0));
    }
    // A rulebook that measures nothing is asked for what it shows.
    if report.measures.is_empty() {
        report.measures = plain;
    }
    row.extend(report.measures.iter().map(|(_, measured)| measured.weight.unwrap_or(NOT_MET)));
    Law {
        ways: BTreeMap::from([(row, 1)]),
        shows,
        scales: report.measures.iter().map(|(_, measured)| measured.scale).collect(),
        asked: report.measures.iter().map(|(_, measured)| measured.of).collect(),
        measures: report.measures.into_iter().map(|(name, ..)| name).collect(),
        open: 0,
        all: 1,
    }
}

fn open() -> Law {
    Law { open: 1, all: 1, ..Law::default() }
}

/// One of these laws, each as likely as the others.
fn mixed(laws: Vec<Law>) -> Law {
    let common = laws.iter().fold(1, |all, law| all / gcd(all, law.all) * law.all);
    let mut sum = Law { all: common * laws.len() as u128, ..Law::default() };
    for law in laws {
        let times = common / law.all;
        sum.open += law.open * times;
        for (row, ways) in law.ways {
            *sum.ways.entry(row).or_default() += ways * times;
        }
        if sum.shows.is_empty() {
            sum.shows = law.shows;
            sum.measures = law.measures;
            sum.scales = law.scales;
            sum.asked = law.asked;
        }
    }
    sum
}

/// The law whose mean of what is shown is best, the first of those that are equal.
fn best(laws: Vec<Law>, highest: bool, goal: &str) -> Law {
    let mean = |law: &Law| {
        let column = law.shows.iter().position(|name| name == goal);
        column.map_or((0, 1), |column| law.mean_of(column))
    };
    let better = |one: (i128, i128), two: (i128, i128)| match highest {
        true => one.0 * two.1 > two.0 * one.1,
        false => one.0 * two.1 < two.0 * one.1,
    };
    let mut laws = laws.into_iter();
    let mut taken = laws.next().expect("a choice has options");
    for law in laws {
        if better(mean(&law), mean(&taken)) {
            taken = law;
        }
    }
    taken
}
