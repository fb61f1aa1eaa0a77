//! The stack of a single answer: the shares of harm, the worst first, as on a card.

use super::card_plan;
use super::cell_values::{self, Readings};
use enfilade_study::answer::Answer;

/// A share of a stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// Its label for players: `break`.
    pub label: String,
    /// Its meaning, in the words of the catalogue.
    pub meaning: String,
    /// Whether it is the rest.
    pub rest: bool,
    /// Its share of one.
    pub share: f64,
    /// The share in whole percents that add up to 100, as a card prints it: `35`, `<1`, `–`.
    pub shown: String,
}

/// Computes the stack of an answer, with harmless outcomes last; empty if nothing is harm.
pub fn of(answer: &Answer) -> Vec<Share> {
    let cells = [answer];
    let lines = card_plan::stack(&cells).lines;
    // Without harm there is no order.
    if lines.is_empty() {
        return Vec::new();
    }
    let readings = Readings::new(&lines, None, &cells, None);
    let found = readings.of(answer).into_iter().enumerate();
    let share = |(line, cell): (usize, Option<super::model::Cell>)| {
        let cell = cell?;
        Some(Share {
            label: readings.headings[line].label.clone(),
            meaning: cell_values::meaning(&readings, line, &cells),
            rest: readings.is_rest(line),
            share: cell.value,
            shown: cell.shown,
        })
    };
    found.filter_map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::test_answers;

    /// 4 of 36 are killed and 12 break: 11.1 and 33.3 percent, and the rest is 55.6.
    #[test]
    fn the_worst_stands_first_and_the_rest_last() {
        let stack = of(&test_answers::exact_only()[0]);
        let said: Vec<_> = stack.iter().map(|one| (&*one.label, &*one.shown)).collect();
        assert_eq!(said, [("kill", "11"), ("break", "33"), ("no effect", "56")]);
        assert_eq!(stack[0].share, 4.0 / 36.0);
    }
}
