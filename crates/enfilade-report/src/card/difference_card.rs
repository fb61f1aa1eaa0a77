//! Cards of differences: by how much each number of a card is larger in B than in A.
//!
//! The cards of B are laid out, and the number of A is subtracted from every number.

use std::collections::HashMap;

use super::card_model::{CardCell, NumberShading};
use crate::compare;
use crate::text::measure_format;
use crate::text::measure_format::with_true_minus;
use crate::text::sentences::replace_control_chars;
use enfilade_stats::difference::{ValueWithInterval, estimate_difference};
use enfilade_stats::intervals::Interval;
use enfilade_study::answer::Answer;
use enfilade_study::comparison::{ExperimentComparison, difference_or_zero_if_rounding};

/// The text for two equal values.
pub const EQUAL_VALUES_SIGN: &str = "=";

/// The cells of A, which are subtracted.
pub struct BaselineAnswers<'a> {
    /// By the index of their partner in B.
    cells: HashMap<usize, &'a Answer>,
    /// The names of A and B.
    pub names: [String; 2],
    /// The changes from A to B, and the cells without a partner, a sentence each.
    pub change_sentences: Vec<String>,
}

impl<'a> BaselineAnswers<'a> {
    /// Returns the cells of B that have a partner, and those of A.
    pub fn new(
        comparisons: &[ExperimentComparison<'a>],
        (a, b): (&str, &str),
    ) -> (Vec<&'a Answer>, BaselineAnswers<'a>) {
        let pairs = comparisons.iter().flat_map(|one| &one.pairs);
        let cells = pairs.clone().map(|pair| pair.b).collect();
        let less = BaselineAnswers {
            cells: pairs.map(|pair| (pair.b.cell, pair.a)).collect(),
            names: [replace_control_chars(a), replace_control_chars(b)],
            change_sentences: comparisons
                .iter()
                .flat_map(compare::describe_changes_and_unpaired)
                .collect(),
        };
        (cells, less)
    }

    /// Returns the cell of A that belongs to a cell of B.
    pub fn baseline_cell_for(&self, cell: &Answer) -> &'a Answer {
        self.cells[&cell.cell]
    }
}

/// Subtracts A from B; `None` if one of them has no number.
pub fn subtract_cells(b: Option<CardCell>, a: Option<CardCell>) -> Option<CardCell> {
    let (b, a) = (b?, a?);
    let exact = a.exact && b.exact;
    let value =
        if exact { difference_or_zero_if_rounding(a.value, b.value) } else { b.value - a.value };
    // Beside two exact numbers their simulations add nothing.
    let ends = || {
        let ends = estimate_difference(to_bounded_value(&b)?, to_bounded_value(&a)?);
        Some((ends.low, ends.high))
    };
    Some(CardCell {
        value,
        exact,
        interval: if exact { None } else { ends() },
        trials: a.trials.min(b.trials),
        text: format_difference_or_equal(value, exact, b.percent),
        percent: b.percent,
        difference: true,
        ground: NumberShading::Paper,
    })
}

fn to_bounded_value(cell: &CardCell) -> Option<ValueWithInterval> {
    if cell.exact {
        return Some(ValueWithInterval::from_exact(cell.value));
    }
    let (low, high) = cell.interval?;
    Some(ValueWithInterval {
        value: cell.value,
        interval: Interval { low, high },
        trials: Some(cell.trials),
    })
}

/// Formats a difference: `+5.3`, `−0.8`; `=` for exactly the same, `0.0` if it rounds to nothing.
fn format_difference_or_equal(value: f64, exact: bool, percent: bool) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    if value == 0.0 && exact {
        return EQUAL_VALUES_SIGN.to_owned();
    }
    let (scale, decimals) = match percent {
        true => (100.0, measure_format::chart_difference_decimals(true)),
        false => (1.0, 2),
    };
    let text = format!("{:+.decimals$}", scale * value);
    match text.trim_start_matches(['+', '-']) {
        none if none.chars().all(|c| c == '0' || c == '.') => none.to_owned(),
        _ => with_true_minus(&text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;
    use enfilade_model::form::Value;

    /// Of 36 cases 2 and 8 in A, 6 and 8 in B: 11.1 points more are killed, and as many fewer
    /// unhurt.
    #[test]
    fn every_line_is_b_less_a() {
        let axes = || vec![("fp", Value::Int(1)), ("drm", Value::Int(-1))];
        let a = [test_answers::squad_answer_from_36ths(axes(), 2, 8)];
        let b = [test_answers::squad_answer_from_36ths(axes(), 6, 8)];
        let cells = super::super::card_builder::difference_cards_from_specs(
            &[],
            &[ExperimentComparison::new(&a, &b)],
            ("now", "then"),
        );
        let [card] = &cells[..] else { panic!("one card") };
        let lines: Vec<_> = card.tables[0].rows[0].lines.iter().collect();
        let told = |at: usize| {
            let cell = lines[at].cells[0].as_ref().expect("both have it");
            let bar = cell
                .ground
                .shaded_span_and_grey()
                .map(|((from, to), _)| [from, to].map(|end| (100.0 * end).round() as i32));
            (lines[at].label.as_str(), cell.text.as_str(), bar)
        };
        // 4 of 36 are the largest difference there is.
        assert_eq!(told(0), ("kill", "+11.1", Some([50, 100])));
        assert_eq!(told(1), ("break", "=", None));
        assert_eq!(told(2), ("no effect", "−11.1", Some([0, 50])));
        assert!(card.title.ends_with(": then less now"), "{}", card.title);
        let legend: Vec<_> = card.legend.iter().map(|e| format!("{} {}", e.term, e.text)).collect();
        assert!(legend[..3].iter().map(|line| line.trim()).eq([
            "A now",
            "B then",
            "Nothing was changed."
        ]));
    }

    #[test]
    fn differences_carry_their_sign() {
        let cases = [
            (0.0526, true, "+5.3"),
            (-0.0078, true, "−0.8"),
            (0.0004, true, "0.0"),
            (-0.0004, true, "0.0"),
            (0.0, true, "="),
            (1.234, false, "+1.23"),
            (-0.001, false, "0.00"),
            (f64::NAN, true, "?"),
        ];
        for (value, percent, said) in cases {
            assert_eq!(format_difference_or_equal(value, true, percent), said, "{value}");
        }
        assert_eq!(format_difference_or_equal(0.0, false, true), "0.0");
    }
}
