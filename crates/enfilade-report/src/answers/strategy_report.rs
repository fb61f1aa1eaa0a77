//! Best play at each decision: a sentence of rules, the cost of a simpler rule, and a table.

use serde::Serialize;

use super::answers_json::{self, CellJson};
use crate::blocks::{ReportBlock, ReportTableCell, TextTable};
use crate::json_text::to_indented_json;
use crate::text::number_format::format_exact_mean;
use enfilade_model::combat::Decision;
use enfilade_model::form::Value;
use enfilade_study::answer::Answer;
use enfilade_study::strategy::{
    BestPlayOfDecision, DecisionSituation, DecisionTree, OneRuleOrRulesByRange, OptionByBound,
};

/// Situations that are listed; the least visited are left out.
const MAX_LISTED_SITUATIONS: usize = 40;

/// Cells whose best play is described in a report; all are in `strategy.csv`.
const MAX_DESCRIBED_CELLS: usize = 12;

/// Options that a heading names; a `choose` of texts has no more.
const MOST_NAMED: usize = 8;

/// Builds headings, rules and tables of the decisions in the cell of an answer.
pub fn build_blocks_of_cell(cell: &Answer, decisions: &[BestPlayOfDecision]) -> Vec<ReportBlock> {
    build_blocks_of_decisions(&cell.axes, decisions)
}

/// Builds headings, rules and tables of the decisions at a place of a grid.
pub fn build_blocks_of_decisions(
    axes: &[(String, Value)],
    decisions: &[BestPlayOfDecision],
) -> Vec<ReportBlock> {
    let mut blocks = Vec::new();
    for decision in decisions {
        blocks.push(ReportBlock::Heading(title_of_decision(axes, decision)));
        blocks.extend(ReportBlock::new_list_if_any(describe_rule_lines(decision)));
        blocks.push(ReportBlock::Table("What is done".to_owned(), build_situation_table(decision)));
        let left = decision.situations.len().saturating_sub(MAX_LISTED_SITUATIONS);
        if left > 0 {
            blocks.push(ReportBlock::new_paragraph(format!(
                "{left} situations that are rarer are left out."
            )));
        }
    }
    blocks
}

/// Builds the section of best play in a report: the rules of each cell, and the situations where
/// one cell has decisions. It is empty where nobody decides.
pub fn build_best_play_blocks(
    answers: &[Answer],
    strategies: &[Vec<BestPlayOfDecision>],
) -> Vec<ReportBlock> {
    let cells: Vec<_> = answers.iter().zip(strategies).filter(|(_, own)| !own.is_empty()).collect();
    let mut blocks = Vec::new();
    if !cells.is_empty() {
        blocks.push(ReportBlock::Heading("Best play".to_owned()));
    }
    for (cell, own) in cells.iter().take(MAX_DESCRIBED_CELLS) {
        for decision in *own {
            blocks.push(ReportBlock::new_paragraph(title_of_decision(&cell.axes, decision) + ":"));
            blocks.extend(ReportBlock::new_list_if_any(describe_rule_lines(decision)));
            let rows = (cells.len() == 1).then(|| build_situation_table(decision));
            blocks.extend(rows.map(|rows| ReportBlock::Table("What is done".to_owned(), rows)));
        }
    }
    let rest = cells.len().saturating_sub(MAX_DESCRIBED_CELLS);
    let cells =
        if rest == 1 { "1 more cell is".to_owned() } else { format!("{rest} more cells are") };
    let left = (rest > 0).then(|| format!("{cells} in strategy.csv."));
    blocks.extend(left.map(ReportBlock::new_paragraph));
    blocks
}

/// Builds the heading of a decision: `home or dive (line 12, for highest got)`.
fn title_of_decision(axes: &[(String, Value)], strategy: &BestPlayOfDecision) -> String {
    let decision = &strategy.decision;
    let place = match decision.place.is_empty() {
        true => String::new(),
        false => format!("{}, ", decision.place),
    };
    let mut title =
        format!("{} ({place}for {} {})", name_of_decision(decision), decision.best, decision.goal);
    for (axis, value) in axes {
        title.push_str(&format!(", {axis} {value}"));
    }
    title
}

/// Returns the label of a decision, or its options where it has none.
fn name_of_decision(decision: &Decision) -> String {
    if decision.name != decision.place {
        return decision.name.to_string();
    }
    let options: Vec<&str> = decision.options.iter().map(|option| &**option).collect();
    // Of a number that is chosen the ends are enough.
    match options.as_slice() {
        [first, .., last] if options.len() > MOST_NAMED => format!("{first} to {last}"),
        few => few.join(" or "),
    }
}

/// The rules of a decision, one a line, then a simpler one.
pub fn describe_rule_lines(strategy: &BestPlayOfDecision) -> Vec<String> {
    let words = OptionAndVariableNames { strategy };
    let mut lines = words.describe_strategy_lines(&strategy.description);
    if let Some(simpler) = &strategy.simpler {
        let rule = words.describe_strategy_lines(&simpler.description).join("; ");
        let (goal, own) = (&strategy.decision.goal, format_exact_mean(strategy.mean));
        let mean = format_exact_mean(simpler.mean);
        lines.push(format!("simpler: {rule}: mean {goal} {mean} in place of {own}"));
    }
    lines
}

/// Names of the options and variables of a decision.
struct OptionAndVariableNames<'a> {
    strategy: &'a BestPlayOfDecision,
}

impl OptionAndVariableNames<'_> {
    fn option_name(&self, option: u8) -> String {
        let options = &self.strategy.decision.options;
        options.get(usize::from(option) - 1).map_or_else(String::new, ToString::to_string)
    }

    fn variable_name(&self, at: usize) -> String {
        self.strategy.names.get(at).map_or_else(String::new, |name| name.replace('_', " "))
    }

    fn describe_option_by_bound(&self, variable: usize, rule: &OptionByBound) -> String {
        match rule {
            OptionByBound::Always(option) => format!("always {}", self.option_name(*option)),
            OptionByBound::Bound { from, below, above } => format!(
                "{} while {} is under {from}, else {}",
                self.option_name(*below),
                self.variable_name(variable),
                self.option_name(*above)
            ),
        }
    }

    fn describe_strategy_lines(&self, description: &OneRuleOrRulesByRange) -> Vec<String> {
        match description {
            OneRuleOrRulesByRange::One { variable, rule } => {
                vec![self.describe_option_by_bound(*variable, rule)]
            }
            OneRuleOrRulesByRange::Ranges { variable, by, ranges } => ranges
                .iter()
                .map(|((first, last), rule)| {
                    let values = match last - first {
                        0 => first.to_string(),
                        1 => format!("{first} or {last}"),
                        _ => format!("{first} to {last}"),
                    };
                    format!(
                        "{} {values}: {}",
                        self.variable_name(*by),
                        self.describe_option_by_bound(*variable, rule)
                    )
                })
                .collect(),
            OneRuleOrRulesByRange::Shares => self
                .strategy
                .situations
                .iter()
                .take(MAX_LISTED_SITUATIONS)
                .map(|one| self.option_shares_text(one))
                .collect(),
            OneRuleOrRulesByRange::Tree(tree, share) => {
                let mut lines = Vec::new();
                self.append_lines_of_tree_paths(tree, &mut Vec::new(), &mut lines);
                if *share < 1.0 {
                    lines.push(format!("in {:.1} % of cases", (1000.0 * share).floor() / 10.0));
                }
                lines
            }
        }
    }

    /// Returns the options that are mixed: `road or ford`.
    fn mixed_option_names(&self, situation: &DecisionSituation) -> String {
        let shares = (1..).zip(&situation.shares).filter(|(_, share)| **share > 0.0);
        shares.map(|(option, _)| self.option_name(option)).collect::<Vec<_>>().join(" or ")
    }

    /// Returns what is done in a situation where options have shares:
    /// `theirs 2: call 66.67 %, yield 33.33 %`.
    fn option_shares_text(&self, situation: &DecisionSituation) -> String {
        let values = situation.values.iter().enumerate();
        let values = values.map(|(at, value)| format!("{} {value}", self.variable_name(at)));
        let values = values.collect::<Vec<_>>().join(", ");
        let shares: Vec<String> = match situation.shares.as_slice() {
            [] => vec![format!("always {}", self.option_name(situation.option))],
            shares => (1..)
                .zip(shares)
                .filter(|(_, share)| **share > 0.0)
                .map(|(option, share)| {
                    format!("{} {:.2} %", self.option_name(option), 100.0 * share)
                })
                .collect(),
        };
        let rule = shares.join(", ");
        if values.is_empty() { rule } else { format!("{values}: {rule}") }
    }

    fn append_lines_of_tree_paths(
        &self,
        tree: &DecisionTree,
        path: &mut Vec<String>,
        lines: &mut Vec<String>,
    ) {
        match tree {
            DecisionTree::Leaf(option) => {
                lines.push(format!("{}: {}", path.join(", "), self.option_name(*option)))
            }
            DecisionTree::Question { variable, from, below, above } => {
                let name = self.variable_name(*variable);
                for (tree, question) in [
                    (below, format!("{name} under {from}")),
                    (above, format!("{name} {from} or more")),
                ] {
                    path.push(question);
                    self.append_lines_of_tree_paths(tree, path, lines);
                    path.pop();
                }
            }
        }
    }
}

fn build_situation_table(strategy: &BestPlayOfDecision) -> TextTable {
    let names =
        (0..strategy.names.len()).map(|at| OptionAndVariableNames { strategy }.variable_name(at));
    let goal = &strategy.decision.goal;
    let rest =
        ["option".to_owned(), format!("mean {goal}"), "next best".to_owned(), "visits".to_owned()];
    let heads = names.chain(rest).collect();
    let rows = strategy
        .situations
        .iter()
        .take(MAX_LISTED_SITUATIONS)
        .map(|one| build_situation_row(strategy, one))
        .collect();
    TextTable { heads, rows, fixed: strategy.names.len() }
}

fn build_situation_row(
    strategy: &BestPlayOfDecision,
    situation: &DecisionSituation,
) -> Vec<ReportTableCell> {
    let words = OptionAndVariableNames { strategy };
    let values = situation.values.iter().map(|value| ReportTableCell::Number(value.to_string()));
    let own = situation.means.get(usize::from(situation.option) - 1).copied();
    let number =
        |mean: Option<f64>| ReportTableCell::Number(mean.map_or("–".to_owned(), format_exact_mean));
    let rest = [
        ReportTableCell::Text(match situation.shares.is_empty() {
            true => words.option_name(situation.option),
            false => words.mixed_option_names(situation),
        }),
        number(own),
        number(second_best_mean(strategy, situation)),
        ReportTableCell::Number(format_exact_mean(situation.visits)),
    ];
    values.chain(rest).collect()
}

/// The best mean of an option that is not taken.
fn second_best_mean(strategy: &BestPlayOfDecision, situation: &DecisionSituation) -> Option<f64> {
    let others = situation.means.iter().enumerate();
    let is_other = |at: usize, mean: f64| at + 1 != usize::from(situation.option) && !mean.is_nan();
    let others = others.filter(|(at, mean)| is_other(*at, **mean));
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
    strategy: Vec<DecisionStrategyJson>,
}

#[derive(Clone, Debug, Serialize)]
struct DecisionStrategyJson {
    decision: String,
    goal: String,
    best: String,
    options: Vec<String>,
    mean: f64,
    rules: Vec<String>,
    variables: Vec<String>,
    situations: Vec<DecisionSituationJson>,
}

#[derive(Clone, Debug, Serialize)]
struct DecisionSituationJson {
    values: Vec<i64>,
    option: String,
    means: Vec<f64>,
    visits: f64,
    /// Share of each option, if the choice must not be foreseen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shares: Vec<f64>,
}

/// Renders answers with their strategies as JSON.
pub fn render_strategy_json(answers: &[Answer], strategies: &[Vec<BestPlayOfDecision>]) -> String {
    let contests = answers.iter().zip(strategies).map(|(answer, own)| CellWithStrategy {
        cell: answers_json::build_answer_json(answer),
        strategy: own.iter().map(build_strategy_json).collect(),
    });
    to_indented_json(&StrategyDocument {
        enfilade: env!("CARGO_PKG_VERSION"),
        seed: answers.first().map(|answer| answer.seed),
        contests: contests.collect(),
    })
}

fn build_strategy_json(strategy: &BestPlayOfDecision) -> DecisionStrategyJson {
    let words = OptionAndVariableNames { strategy };
    let situation = |one: &DecisionSituation| DecisionSituationJson {
        values: one.values.clone(),
        option: words.option_name(one.option),
        means: one.means.clone(),
        visits: one.visits,
        shares: one.shares.clone(),
    };
    let decision = &strategy.decision;
    DecisionStrategyJson {
        decision: decision.name.to_string(),
        goal: decision.goal.to_string(),
        best: decision.best.to_string(),
        options: decision.options.iter().map(ToString::to_string).collect(),
        mean: strategy.mean,
        rules: describe_rule_lines(strategy),
        variables: strategy.names.clone(),
        situations: strategy.situations.iter().map(situation).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::markdown::markdown_text;
    use crate::test_answers;
    use enfilade_model::combat::MeanDirection;

    /// Home from a load of 4 on.
    fn strategy(place: &'static str, name: &'static str) -> BestPlayOfDecision {
        let decision =
            Decision::new(name, "got", MeanDirection::Highest).with_rulebook_place(place);
        let rule = OptionByBound::Bound { from: 4, below: 2, above: 1 };
        let situation = |load: i64, option, means: [f64; 2]| DecisionSituation {
            values: vec![load],
            option,
            fits: 1 << (option - 1),
            means: means.to_vec(),
            visits: 0.5,
            shares: Vec::new(),
        };
        BestPlayOfDecision {
            decision: decision.with_option("home").with_option("dive"),
            situations: vec![situation(3, 2, [3.0, 3.5]), situation(4, 1, [4.0, 3.75])],
            names: vec!["load".to_owned()],
            description: OneRuleOrRulesByRange::One { variable: 0, rule },
            simpler: None,
            mean: 3.75,
        }
    }

    #[test]
    fn one_cell_has_its_rules_and_its_situations() {
        let answers = [test_answers::squad_answer_from_36ths(Vec::new(), 2, 8)];
        let text =
            markdown_text(&build_best_play_blocks(&answers, &[vec![strategy("line 12", "out")]]));
        let expected = [
            "## Best play",
            "out (line 12, for highest got):",
            "- dive while load is under 4, else home",
            "| 3 | dive | 3.5000 | 3.0000 | 0.5000 |",
        ];
        for line in expected {
            assert!(text.contains(line), "{line}\n{text}");
        }
        // Without a label its options name it.
        let text = markdown_text(&build_best_play_blocks(
            &answers,
            &[vec![strategy("line 12", "line 12")]],
        ));
        assert!(text.contains("home or dive (line 12, for highest got):"), "{text}");
    }

    #[test]
    fn many_cells_have_their_rules_alone() {
        let cell = |fp| test_answers::squad_answer_from_36ths(vec![("fp", Value::Int(fp))], 2, 8);
        let answers: Vec<Answer> = (1..=14).map(cell).collect();
        // One has no decision.
        let mut strategies = vec![vec![strategy("line 12", "out")]; 14];
        strategies[0].clear();
        let text = markdown_text(&build_best_play_blocks(&answers, &strategies));
        assert_eq!(text.matches("for highest got").count(), MAX_DESCRIBED_CELLS);
        assert!(text.contains("out (line 12, for highest got), fp 2:"), "{text}");
        assert!(text.contains("1 more cell is in strategy.csv.") && !text.contains('|'), "{text}");
        assert!(build_best_play_blocks(&answers, &vec![Vec::new(); 14]).is_empty());
        assert!(build_best_play_blocks(&answers, &[]).is_empty());
    }
}
