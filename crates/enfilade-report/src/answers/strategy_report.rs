//! Best play at each decision: a sentence of rules, the cost of a simpler rule, and a table.

use serde::Serialize;

use super::answers_json::{self, CellJson};
use crate::blocks::{Block, TableEntry, TextTable};
use crate::json_text::to_indented_json;
use crate::text::number_format::exact_mean;
use enfilade_study::answer::Answer;
use enfilade_study::strategy::{Branch, DecisionStrategy, Description, Situation, Tree};

/// Situations that are listed; the least visited are left out.
const LISTED: usize = 40;

/// Headings, rules and tables of the decisions of a cell.
pub fn blocks(cell: &Answer, decisions: &[DecisionStrategy]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for decision in decisions {
        blocks.push(Block::Heading(title(cell, decision)));
        blocks.extend(Block::list(lines(decision)));
        blocks.push(Block::Table("What is done".to_owned(), table(decision)));
        let left = decision.situations.len().saturating_sub(LISTED);
        if left > 0 {
            blocks
                .push(Block::paragraph(format!("{left} situations that are rarer are left out.")));
        }
    }
    blocks
}

/// `home or dive (line 12, for highest got)`.
fn title(cell: &Answer, strategy: &DecisionStrategy) -> String {
    let decision = &strategy.decision;
    let options: Vec<&str> = decision.options.iter().map(|option| &**option).collect();
    let mut title = format!(
        "{} ({}, for {} {})",
        options.join(" or "),
        decision.name,
        decision.best,
        decision.goal
    );
    for (axis, value) in &cell.axes {
        title.push_str(&format!(", {axis} {value}"));
    }
    title
}

/// The rules of a decision, one a line, then a simpler one.
pub fn lines(strategy: &DecisionStrategy) -> Vec<String> {
    let words = Words { strategy };
    let mut lines = words.description(&strategy.description);
    if let Some(simpler) = &strategy.simpler {
        let rule = words.description(&simpler.description).join("; ");
        let (goal, own) = (&strategy.decision.goal, exact_mean(strategy.mean));
        let mean = exact_mean(simpler.mean);
        lines.push(format!("simpler: {rule}: mean {goal} {mean} in place of {own}"));
    }
    lines
}

/// Names of the options and variables of a decision.
struct Words<'a> {
    strategy: &'a DecisionStrategy,
}

impl Words<'_> {
    fn option(&self, option: u8) -> String {
        let options = &self.strategy.decision.options;
        options.get(usize::from(option) - 1).map_or_else(String::new, ToString::to_string)
    }

    fn variable(&self, at: usize) -> String {
        self.strategy.names.get(at).map_or_else(String::new, |name| name.replace('_', " "))
    }

    fn rule(&self, variable: usize, rule: &Branch) -> String {
        match rule {
            Branch::Always(option) => format!("always {}", self.option(*option)),
            Branch::Bound { from, below, above } => format!(
                "{} while {} is under {from}, else {}",
                self.option(*below),
                self.variable(variable),
                self.option(*above)
            ),
        }
    }

    fn description(&self, description: &Description) -> Vec<String> {
        match description {
            Description::One { variable, rule } => vec![self.rule(*variable, rule)],
            Description::Ranges { variable, by, ranges } => ranges
                .iter()
                .map(|((first, last), rule)| {
                    let values = match last - first {
                        0 => first.to_string(),
                        1 => format!("{first} or {last}"),
                        _ => format!("{first} to {last}"),
                    };
                    format!("{} {values}: {}", self.variable(*by), self.rule(*variable, rule))
                })
                .collect(),
            Description::Shares => {
                self.strategy.situations.iter().take(LISTED).map(|one| self.shares(one)).collect()
            }
            Description::Tree(tree, share) => {
                let mut lines = Vec::new();
                self.tree(tree, &mut Vec::new(), &mut lines);
                if *share < 1.0 {
                    lines.push(format!("in {:.1} % of cases", (1000.0 * share).floor() / 10.0));
                }
                lines
            }
        }
    }

    /// Returns the options that are mixed: `road or ford`.
    fn mixture(&self, situation: &Situation) -> String {
        let shares = (1..).zip(&situation.shares).filter(|(_, share)| **share > 0.0);
        shares.map(|(option, _)| self.option(option)).collect::<Vec<_>>().join(" or ")
    }

    /// Returns what is done in a situation where options have shares: `theirs 2: call 66.67 %, yield
    /// 33.33 %`.
    fn shares(&self, situation: &Situation) -> String {
        let values = situation.values.iter().enumerate();
        let values = values.map(|(at, value)| format!("{} {value}", self.variable(at)));
        let values = values.collect::<Vec<_>>().join(", ");
        let shares: Vec<String> = match situation.shares.as_slice() {
            [] => vec![format!("always {}", self.option(situation.option))],
            shares => (1..)
                .zip(shares)
                .filter(|(_, share)| **share > 0.0)
                .map(|(option, share)| format!("{} {:.2} %", self.option(option), 100.0 * share))
                .collect(),
        };
        let rule = shares.join(", ");
        if values.is_empty() { rule } else { format!("{values}: {rule}") }
    }

    fn tree(&self, tree: &Tree, path: &mut Vec<String>, lines: &mut Vec<String>) {
        match tree {
            Tree::Leaf(option) => {
                lines.push(format!("{}: {}", path.join(", "), self.option(*option)))
            }
            Tree::Question { variable, from, below, above } => {
                let name = self.variable(*variable);
                for (tree, question) in [
                    (below, format!("{name} under {from}")),
                    (above, format!("{name} {from} or more")),
                ] {
                    path.push(question);
                    self.tree(tree, path, lines);
                    path.pop();
                }
            }
        }
    }
}

fn table(strategy: &DecisionStrategy) -> TextTable {
    let names = (0..strategy.names.len()).map(|at| Words { strategy }.variable(at));
    let goal = &strategy.decision.goal;
    let rest =
        ["option".to_owned(), format!("mean {goal}"), "next best".to_owned(), "visits".to_owned()];
    let heads = names.chain(rest).collect();
    let rows = strategy.situations.iter().take(LISTED).map(|one| row(strategy, one)).collect();
    TextTable { heads, rows, fixed: strategy.names.len() }
}

fn row(strategy: &DecisionStrategy, situation: &Situation) -> Vec<TableEntry> {
    let words = Words { strategy };
    let values = situation.values.iter().map(|value| TableEntry::Number(value.to_string()));
    let own = situation.means.get(usize::from(situation.option) - 1).copied();
    let number = |mean: Option<f64>| TableEntry::Number(mean.map_or("–".to_owned(), exact_mean));
    let rest = [
        TableEntry::Text(match situation.shares.is_empty() {
            true => words.option(situation.option),
            false => words.mixture(situation),
        }),
        number(own),
        number(next_best(strategy, situation)),
        TableEntry::Number(exact_mean(situation.visits)),
    ];
    values.chain(rest).collect()
}

/// The best mean of an option that is not taken.
fn next_best(strategy: &DecisionStrategy, situation: &Situation) -> Option<f64> {
    let others = situation.means.iter().enumerate();
    let others = others.filter(|(at, _)| at + 1 != usize::from(situation.option));
    let means = others.map(|(_, mean)| *mean);
    match strategy.decision.best.to_string().as_str() {
        "highest" => means.max_by(f64::total_cmp),
        _ => means.min_by(f64::total_cmp),
    }
}

/// Answers with their strategies as a JSON document.
#[derive(Clone, Debug, Serialize)]
struct StrategyDocument {
    enfilade: &'static str,
    seed: Option<u64>,
    contests: Vec<CellWithStrategy>,
}

#[derive(Clone, Debug, Serialize)]
struct CellWithStrategy {
    #[serde(flatten)]
    cell: CellJson,
    strategy: Vec<StrategyJson>,
}

#[derive(Clone, Debug, Serialize)]
struct StrategyJson {
    decision: String,
    goal: String,
    best: String,
    options: Vec<String>,
    mean: f64,
    rules: Vec<String>,
    variables: Vec<String>,
    situations: Vec<SituationJson>,
}

#[derive(Clone, Debug, Serialize)]
struct SituationJson {
    values: Vec<i64>,
    option: String,
    means: Vec<f64>,
    visits: f64,
    /// Share of each option, if the choice must not be foreseen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shares: Vec<f64>,
}

/// Renders answers with their strategies as JSON.
pub fn render(answers: &[Answer], strategies: &[Vec<DecisionStrategy>]) -> String {
    let contests = answers.iter().zip(strategies).map(|(answer, own)| CellWithStrategy {
        cell: answers_json::build_cell_json(answer),
        strategy: own.iter().map(strategy_json).collect(),
    });
    to_indented_json(&StrategyDocument {
        enfilade: env!("CARGO_PKG_VERSION"),
        seed: answers.first().map(|answer| answer.seed),
        contests: contests.collect(),
    })
}

fn strategy_json(strategy: &DecisionStrategy) -> StrategyJson {
    let words = Words { strategy };
    let situation = |one: &Situation| SituationJson {
        values: one.values.clone(),
        option: words.option(one.option),
        means: one.means.clone(),
        visits: one.visits,
        shares: one.shares.clone(),
    };
    let decision = &strategy.decision;
    StrategyJson {
        decision: decision.name.to_string(),
        goal: decision.goal.to_string(),
        best: decision.best.to_string(),
        options: decision.options.iter().map(ToString::to_string).collect(),
        mean: strategy.mean,
        rules: lines(strategy),
        variables: strategy.names.clone(),
        situations: strategy.situations.iter().map(situation).collect(),
    }
}
