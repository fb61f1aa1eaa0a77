//! Headline measure of a contest: the most informative one, which is drawn and shown first if a
//! file names none.
//!
//! Headline is the measure that the rulebook names, if it differs from cell to cell or nothing else
//! does. Otherwise it is the probability of the gravest harm, with the same condition. Without one,
//! among the probabilities it is the one that differs most from cell to cell (largest standard
//! deviation); if none differs, as in a single cell, the one nearest one half.
//! Means have no common unit in which they could be compared, so they are chosen only if every
//! probability rounds to 0 or 1, by the standard deviation in units of their mean. Of equal
//! measures, the first declared.

use std::sync::Arc;

use crate::outcome_category::{self, HarmGainOrNeutral, OutcomeCategory};
use enfilade_model::combat::MeasureHead;
use enfilade_study::answer::{Answer, MeasureAnswer};

/// Returns the headline measure of some cells of one action; `None` if nothing was measured.
pub fn choose_headline_measure(cells: &[&Answer]) -> Option<Arc<MeasureHead>> {
    // The first cell with measures, because the first of all may be no contest.
    let first = cells.iter().find(|cell| !cell.measures.is_empty());
    let heads = || first.into_iter().flat_map(|cell| &cell.measures).map(|m| &m.head);
    let information = |head: &MeasureHead| {
        spread_and_centrality(
            &values_of_named_measure(cells, &head.name),
            head.kind.is_shown_in_percent(),
        )
    };
    let differs = |head: &&Arc<MeasureHead>| information(head).0 > 1e-9;
    // The measure that the rulebook names, unless it is equal everywhere and another one is not.
    let named = heads().find(|head| head.headline);
    if let Some(named) = named.filter(|named| differs(named) || !heads().any(|head| differs(&head)))
    {
        return Some(Arc::clone(named));
    }
    let shares = || heads().filter(|head| head.kind.is_shown_in_percent());
    let candidate_heads = || {
        shares().filter(|head| {
            let values = values_of_named_measure(cells, &head.name);
            values.iter().any(|&share| is_share_neither_0_nor_1(share))
        })
    };
    let others = heads().filter(|head| {
        !head.kind.is_shown_in_percent() && !values_of_named_measure(cells, &head.name).is_empty()
    });
    let varies = heads().any(|head| differs(&head));
    gravest_measure(cells, candidate_heads().filter(|head| !varies || differs(head)))
        .or_else(|| most_informative_measure(candidate_heads(), &information))
        .or_else(|| most_informative_measure(others, &information))
        .or_else(|| most_informative_measure(shares(), &information))
}

/// Returns the measure among `heads` that is the probability of the gravest harm of which one is.
fn gravest_measure<'a>(
    cells: &[&Answer],
    heads: impl Iterator<Item = &'a Arc<MeasureHead>>,
) -> Option<Arc<MeasureHead>> {
    let heads: Vec<_> = heads.collect();
    let categories = outcome_category::categories_most_important_first(cells);
    let mut harms = categories.iter().filter(|category| category.weight == HarmGainOrNeutral::Harm);
    let is_of = |head: &MeasureHead, harm: &OutcomeCategory| {
        cells.iter().all(|cell| {
            let value = cell.measure_answer_by_name(&head.name).and_then(measure_best_value);
            value.is_none_or(|value| (value - harm.probability(cell)).abs() < 1e-9)
        })
    };
    harms.find_map(|harm| heads.iter().find(|head| is_of(head, harm)).map(|head| Arc::clone(head)))
}

/// Whether a share differs visibly from never and from always at a resolution of a tenth of a
/// percent.
fn is_share_neither_0_nor_1(share: f64) -> bool {
    (0.001..=0.999).contains(&share)
}

/// Returns the first of the most informative measures.
fn most_informative_measure<'a>(
    heads: impl Iterator<Item = &'a Arc<MeasureHead>>,
    information: &impl Fn(&MeasureHead) -> (f64, f64),
) -> Option<Arc<MeasureHead>> {
    let mut best: Option<(&Arc<MeasureHead>, (f64, f64))> = None;
    for head in heads {
        let information = information(head);
        // Values that differ by rounding only are equal.
        let more = |old: &(f64, f64)| {
            information.0 > old.0 + 1e-9
                || (information.0 > old.0 - 1e-9 && information.1 > old.1 + 1e-9)
        };
        if best.as_ref().is_none_or(|(_, old)| more(old)) {
            best = Some((head, information));
        }
    }
    best.map(|(head, _)| Arc::clone(head))
}

/// Returns the spread of a measure, and its closeness to the middle.
fn spread_and_centrality(values: &[f64], share: bool) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count).sqrt();
    match share {
        true => (spread, -(mean - 0.5).abs()),
        false if mean > 0.0 => (spread / mean, mean.min(1.0)),
        false => (0.0, 0.0),
    }
}

fn values_of_named_measure(cells: &[&Answer], name: &str) -> Vec<f64> {
    let measures = cells.iter().filter_map(|cell| cell.measure_answer_by_name(name));
    measures.filter_map(measure_best_value).collect()
}

/// Returns the exact value, or else the simulated one; `None` if it is not finite.
pub fn measure_best_value(measure: &MeasureAnswer) -> Option<f64> {
    measure.best_available_value().filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    fn chosen(answers: &[Answer]) -> Option<String> {
        let head = choose_headline_measure(&answers.iter().collect::<Vec<_>>());
        head.map(|head| head.name.to_string())
    }

    /// Over the grid p_kill runs from 0 to 8 of 36 and p_break from 6 to 22.
    #[test]
    fn the_gravest_harm_is_chosen() {
        assert_eq!(chosen(&test_answers::build_grid()).as_deref(), Some("p_kill"));
        assert_eq!(chosen(&test_answers::build_single()).as_deref(), Some("p_kill"));
        assert_eq!(chosen(&[]).as_deref(), None);
    }

    /// Without degrees of harm, 6 to 22 of 36 differ more than 0 to 8.
    #[test]
    fn without_harm_the_probability_that_differs_most_is_chosen() {
        let mut answers = test_answers::build_grid();
        for answer in &mut answers {
            let mut fields = answer.fields.to_vec();
            fields.iter_mut().for_each(|field| field.harm = None);
            answer.fields = fields.into();
        }
        assert_eq!(chosen(&answers).as_deref(), Some("p_break"));
    }

    #[test]
    fn means_are_for_want_of_probabilities() {
        let mut answers = test_answers::build_grid();
        for answer in &mut answers {
            answer.measures.drain(..2);
        }
        assert_eq!(chosen(&answers).as_deref(), Some("e_losses"));
    }

    /// A probability below one in a thousand everywhere would be drawn as "<0.1" from corner to
    /// corner.
    #[test]
    fn a_probability_that_cannot_be_seen_gives_way_to_a_mean() {
        let mut answers = test_answers::build_grid();
        let shares = answers.iter_mut().flat_map(|cell| &mut cell.measures[..2]);
        for measure in shares {
            measure.exact = measure.exact.map(|share| share / 1e6);
        }
        assert_eq!(chosen(&answers).as_deref(), Some("e_losses"));
    }

    #[test]
    fn equal_measures_and_no_numbers_leave_the_first() {
        let mut answers = test_answers::build_grid();
        for answer in &mut answers {
            for measure in &mut answer.measures {
                measure.exact = Some(f64::NAN);
            }
        }
        assert_eq!(chosen(&answers).as_deref(), Some("p_kill"));
    }
}
