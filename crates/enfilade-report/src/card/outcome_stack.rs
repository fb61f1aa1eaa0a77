//! The stack of a single answer: the shares of harm, the worst first, as on a card.

use super::card_plan;
use super::cell_values::{self, CardLinesAndBands};
use enfilade_study::answer::Answer;

/// A share of a stack.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeBandShare {
    /// Its label for players: `break`.
    pub label: String,
    /// Its meaning, in the words of the catalogue.
    pub meaning: String,
    /// Whether the line is the rest.
    pub rest: bool,
    /// Its share of one.
    pub share: f64,
    /// The share in whole percents that add up to 100, as a card prints it: `35`, `<1`, `–`.
    pub text: String,
}

/// Computes the stack of an answer, with harmless outcomes last; empty if nothing is harm.
pub fn compute_outcome_shares(answer: &Answer) -> Vec<OutcomeBandShare> {
    let cells = [answer];
    let lines = card_plan::plan_stack_lines(&cells).lines;
    // Without harm there is no order.
    if lines.is_empty() {
        return Vec::new();
    }
    let readings = CardLinesAndBands::new(&lines, None, &cells, None);
    let line_values = readings.card_line_values(answer).into_iter().enumerate();
    let share = |(line, cell): (usize, Option<super::card_model::CardCell>)| {
        let cell = cell?;
        Some(OutcomeBandShare {
            label: readings.headings[line].label.clone(),
            meaning: cell_values::describe_line_meaning(&readings, line, &cells),
            rest: readings.is_rest_line(line),
            share: cell.value,
            text: cell.text,
        })
    };
    line_values.filter_map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::compute_outcome_shares;
    use crate::test_answers;

    /// 4 of 36 are killed and 12 break: 11.1 and 33.3 percent, and the rest is 55.6.
    #[test]
    fn the_worst_stands_first_and_the_rest_last() {
        let stack = compute_outcome_shares(&test_answers::build_exact_only()[0]);
        let said: Vec<_> = stack.iter().map(|one| (&*one.label, &*one.text)).collect();
        assert_eq!(said, [("kill", "11"), ("break", "33"), ("no effect", "56")]);
        assert_eq!(stack[0].share, 4.0 / 36.0);
    }
}
