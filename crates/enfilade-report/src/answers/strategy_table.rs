//! Best play as a typed table: a row for each situation of a decision, one more for each further
//! option of a mixture.

use std::collections::BTreeMap;

use crate::tables::csv::{self, DecimalSign};
use crate::tables::{ColumnBuilderFromRows, ColumnValues, TypedColumn, TypedTable};
use enfilade_study::answer::Answer;
use enfilade_study::strategy::{BestPlayOfDecision, DecisionSituation};

/// Option in a situation.
struct StrategyRow<'a> {
    cell: &'a Answer,
    strategy: &'a BestPlayOfDecision,
    situation: &'a DecisionSituation,
    /// Option, from 1.
    option: u8,
}

impl StrategyRow<'_> {
    fn mean_of_own_option(&self) -> Option<f64> {
        self.situation
            .means
            .get(usize::from(self.option) - 1)
            .copied()
            .filter(|mean| !mean.is_nan())
    }

    fn share(&self) -> f64 {
        self.situation.shares.get(usize::from(self.option) - 1).copied().unwrap_or(1.0)
    }

    fn option_name(&self) -> Option<String> {
        let options = &self.strategy.decision.options;
        options.get(usize::from(self.option) - 1).map(ToString::to_string)
    }

    /// Returns the value of a variable, if the decision knows it.
    fn variable(&self, name: &str) -> Option<i64> {
        let at = self.strategy.names.iter().position(|known| known == name)?;
        self.situation.values.get(at).copied()
    }
}

/// Builds the table of what best play does in every cell, the most visited situations first.
pub fn build_strategy_table(
    answers: &[Answer],
    strategies: &[Vec<BestPlayOfDecision>],
) -> TypedTable {
    let rows = collect_rows(answers, strategies);
    let columns = ColumnBuilderFromRows(&rows);
    let mut table = vec![
        columns.count_column("cell", |row| Some(row.cell.cell as u64)),
        columns.text_column("decision", |row| Some(row.strategy.decision.name.to_string())),
        columns.text_column("goal", |row| Some(row.strategy.decision.goal.to_string())),
    ];
    let axes = grid_axis_paths(answers).into_iter();
    table.extend(axes.map(|axis| {
        let value = |row: &StrategyRow<'_>| {
            let own = row.cell.axes.iter().find(|(path, _)| *path == axis);
            own.map(|(_, value)| value.to_string())
        };
        // An axis may have the name of one of the other columns.
        columns.text_column(&format!("param_{axis}"), value)
    }));
    table.extend(variable_names(strategies).into_iter().map(|name| {
        let values = rows.iter().map(|row| row.variable(&name)).collect();
        TypedColumn { name: format!("at_{name}"), values: ColumnValues::Whole(values) }
    }));
    table.extend([
        columns.text_column("option", StrategyRow::option_name),
        columns.number_column("share", |row| Some(row.share())),
        columns.number_column("mean", StrategyRow::mean_of_own_option),
        columns.number_column("visits", |row| Some(row.situation.visits)),
    ]);
    TypedTable { name: "strategy", columns: table }
}

/// Renders that table as CSV.
pub fn render_strategy_csv(
    answers: &[Answer],
    strategies: &[Vec<BestPlayOfDecision>],
    decimal: DecimalSign,
) -> String {
    let (table, mut text) = (build_strategy_table(answers, strategies), Vec::new());
    // Writing to memory cannot fail.
    let _ = csv::write_csv_head(&table, decimal, &mut text);
    let _ = csv::write_csv_rows(&table, decimal, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

fn collect_rows<'a>(
    answers: &'a [Answer],
    strategies: &'a [Vec<BestPlayOfDecision>],
) -> Vec<StrategyRow<'a>> {
    let mut rows = Vec::new();
    for (cell, own) in answers.iter().zip(strategies) {
        for strategy in own {
            for situation in &strategy.situations {
                let taken = options_taken(situation);
                let row = |option| StrategyRow { cell, strategy, situation, option };
                rows.extend(taken.into_iter().map(row));
            }
        }
    }
    rows
}

/// Returns the options that are taken, from 1.
fn options_taken(situation: &DecisionSituation) -> Vec<u8> {
    if situation.shares.is_empty() {
        return vec![situation.option];
    }
    let shares = (1..).zip(&situation.shares);
    shares.filter(|(_, share)| **share > 0.0).map(|(option, _)| option).collect()
}

/// Returns the paths of the axes of all cells, in the order of first sight.
fn grid_axis_paths(answers: &[Answer]) -> Vec<String> {
    first_seen(answers.iter().flat_map(|cell| cell.axes.iter().map(|(path, _)| path.to_string())))
}

/// Returns the variables of all decisions, in the order of first sight.
fn variable_names(strategies: &[Vec<BestPlayOfDecision>]) -> Vec<String> {
    first_seen(strategies.iter().flatten().flat_map(|strategy| strategy.names.iter().cloned()))
}

fn first_seen(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut places = BTreeMap::new();
    for name in names {
        let place = places.len();
        places.entry(name).or_insert(place);
    }
    let mut found: Vec<(usize, String)> = places.into_iter().map(|(name, at)| (at, name)).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;
    use enfilade_model::combat::{Decision, MeanDirection};
    use enfilade_model::form::Value;
    use enfilade_study::strategy::{OneRuleOrRulesByRange, OptionByBound};

    fn situation(load: i64, option: u8, means: [f64; 2], shares: &[f64]) -> DecisionSituation {
        DecisionSituation {
            values: vec![load],
            option,
            fits: 1,
            means: means.to_vec(),
            visits: 0.5,
            shares: shares.to_vec(),
        }
    }

    #[test]
    fn each_situation_is_a_row_and_each_option_of_a_mixture() {
        let decision = Decision::new("home or dive", "got", MeanDirection::Highest)
            .with_option("home")
            .with_option("dive");
        let strategy = BestPlayOfDecision {
            decision,
            situations: vec![
                situation(3, 1, [4.5, f64::NAN], &[]),
                situation(5, 2, [1.25, 2.0], &[0.25, 0.75]),
            ],
            names: vec!["load".to_owned()],
            description: OneRuleOrRulesByRange::One { variable: 0, rule: OptionByBound::Always(1) },
            simpler: None,
            mean: 3.0,
        };
        let answers = [test_answers::squad_answer_from_36ths(vec![("fp", Value::Int(8))], 2, 8)];
        let text = render_strategy_csv(&answers, &[vec![strategy]], DecimalSign::Point);
        let expected = "cell,decision,goal,param_fp,at_load,option,share,mean,visits\n\
                        0,home or dive,got,8,3,home,1.0,4.5,0.5\n\
                        0,home or dive,got,8,5,home,0.25,1.25,0.5\n\
                        0,home or dive,got,8,5,dive,0.75,2.0,0.5\n";
        assert_eq!(text, expected);
    }
}
