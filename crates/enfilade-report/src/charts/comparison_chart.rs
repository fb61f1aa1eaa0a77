//! A picture of two experiments side by side.
//!
//! Over two axes the differences are a heat map about zero; otherwise every cell is a row with both
//! values, the one of A a ring and the one of B a dot.

use super::axis_groups::{By, Grouping};
use super::chart_data::{self, Axis};
use super::forest::{Forest, Row};
use super::heatmap::HeatMap;
use super::markers::{Glyph, Span};
use super::outcome_bars;
use super::plot_frame::Words;
use crate::drawing::Scene;
use crate::headline_measure;
use crate::text::{labels, measure_format, sentences};
use std::sync::Arc;

use enfilade_model::combat::MeasureHead;
use enfilade_study::answer::{Answer, MeasureAnswer};
use enfilade_study::comparison::{Comparison, Pair};

/// Draws a comparison, and returns the measure drawn and its picture.
///
/// # Errors
/// A sentence, if nothing can be drawn.
pub fn draw(
    comparison: &Comparison<'_>,
    names: (&str, &str),
) -> Result<(Arc<MeasureHead>, Scene), String> {
    let first = comparison.pairs.first().ok_or("no cell has a partner")?;
    let contest = first.a.contest;
    let own = |pair: &&Pair<'_>| pair.a.contest == contest;
    let one: Vec<_> = comparison.pairs.iter().filter(own).collect();
    let head = drawn_measure(&one).ok_or("no measure is in both")?;
    let all = || comparison.pairs.iter().filter(|pair| pair.difference(&head.name).is_some());
    let same_action = all().all(|pair| pair.a.action == first.a.action);
    // Values of two actions have no common axis, even if their measures share a name.
    let pairs: Vec<_> = if same_action { all().collect() } else { one };
    // For one cell on each side two whole distributions are more informative than two numbers.
    if let [Pair { a, b, .. }] = pairs[..]
        && same_action
        && !a.outcomes.is_empty()
    {
        let words = Words {
            title: format!(
                "{} and {}: what happens",
                sentences::clean(names.0),
                sentences::clean(names.1)
            ),
            ..said(&pairs, &head, names)
        };
        return Ok((head, outcome_bars::two([a, b], [names.0, names.1], &words)?));
    }
    let words = said(&pairs, &head, names);
    let scene = match grid(&pairs, &head) {
        Some(map) => map.draw(&words),
        None => rows(&pairs, &head, names).draw(&words),
    }?;
    Ok((head, scene))
}

/// Chooses the most informative measure over A and B together, among those that both have.
fn drawn_measure(pairs: &[&Pair<'_>]) -> Option<Arc<MeasureHead>> {
    let cells: Vec<_> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    let head = headline_measure::of(&cells)?;
    let in_both = |name: &str| pairs.iter().any(|pair| pair.difference(name).is_some());
    if in_both(&head.name) {
        return Some(head);
    }
    let first = pairs.first()?.differences.first()?;
    Some(Arc::clone(&first.a.head))
}

fn said(pairs: &[&Pair<'_>], head: &MeasureHead, (a, b): (&str, &str)) -> Words {
    let cells: Vec<_> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    let exact =
        pairs.iter().all(|pair| pair.difference(&head.name).is_some_and(|d| d.exact.is_some()));
    let covers = match exact {
        true => "Differences are exact.",
        false => "Differences of simulated values; their 95 % intervals are in the table.",
    };
    Words {
        title: format!(
            "{}: {} less {}",
            labels::capitalised(&labels::measure(head)),
            sentences::clean(b),
            sentences::clean(a)
        ),
        subtitle: String::new(),
        caption: format!("{} {covers}", chart_data::made(&cells)),
    }
}

/// Builds the heat map of differences over two axes, if there are two.
fn grid(pairs: &[&Pair<'_>], head: &MeasureHead) -> Option<HeatMap> {
    let cells: Vec<&Answer> = pairs.iter().map(|pair| pair.a).collect();
    let [(y, _), (x, _)] = &cells.first()?.axes[..] else {
        return None;
    };
    // Cells of another contest would lie on the same places.
    if cells.iter().any(|cell| cell.contest != cells[0].contest) {
        return None;
    }
    let (x, y) = (Axis::of(&cells, x)?, Axis::of(&cells, y)?);
    let mut values = vec![None; x.len() * y.len()];
    for pair in pairs {
        let value = pair.difference(&head.name).and_then(|found| found.best());
        if let (Some(column), Some(row)) = (x.position(pair.a), y.position(pair.a)) {
            values[row * x.len() + column] = value.map(|value| head.kind.display() * value.value);
        }
    }
    let heads =
        |axis: &Axis| Grouping::new(axis, &cells[0].system, By::default()).heads(&axis.title).0;
    let text = |value: &Option<f64>| {
        value.map_or("–".to_owned(), |value| signed(value, head.kind.is_share()))
    };
    Some(HeatMap {
        texts: values.iter().map(text).collect(),
        columns: heads(&x),
        rows: heads(&y),
        values,
        among: Vec::new(),
        middle: Some(0.0),
        measured: format!("difference, {}", unit(head)),
    })
}

fn unit(head: &MeasureHead) -> String {
    if head.kind.is_share() { "points of %".to_owned() } else { labels::measure(head) }
}

/// Formats a difference: `+5.3`, `-0.8`, `0`.
fn signed(value: f64, share: bool) -> String {
    let decimals = measure_format::decimals_of_difference(share);
    let said = format!("{value:+.decimals$}");
    // A value that rounds to zero has no sign, so that no "-0.0" appears.
    match said.trim_start_matches(['+', '-']).parse() {
        Ok(0.0) => "0".to_owned(),
        _ => said,
    }
}

/// Builds the rows with both values of every cell.
fn rows(pairs: &[&Pair<'_>], head: &MeasureHead, (a, b): (&str, &str)) -> Forest {
    let cells: Vec<&Answer> = pairs.iter().map(|pair| pair.a).collect();
    let (_, names) = chart_data::told_apart(&cells);
    let row = |(pair, name): (&&Pair<'_>, String)| {
        let found = pair.difference(&head.name)?;
        let difference = found.best()?;
        Some(Row {
            name,
            marks: vec![(Glyph::Ring, span(found.a, head)?), (Glyph::Dot, span(found.b, head)?)],
            text: signed(head.kind.display() * difference.value, head.kind.is_share()),
        })
    };
    Forest {
        rows: pairs.iter().zip(names).filter_map(row).collect(),
        measured: chart_data::measured(head),
        text_head: format!("B less A, {}", unit(head)),
        series: vec![
            (Glyph::Ring, format!("A: {}", sentences::clean(a))),
            (Glyph::Dot, format!("B: {}", sentences::clean(b))),
        ],
        reference: None,
        from_zero: true,
        factors: false,
    }
}

fn span(measure: &MeasureAnswer, head: &MeasureHead) -> Option<Span> {
    let scale = head.kind.display();
    if let Some(exact) = measure.exact {
        return Some(Span::exact(scale * exact));
    }
    let e = measure.simulated?;
    Some(Span::within(scale * e.value, scale * e.low, scale * e.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounds_to_nothing_has_no_sign() {
        assert_eq!(signed(5.26, true), "+5.3");
        assert_eq!(signed(-0.04, true), "0");
        assert_eq!(signed(-1.5, false), "-1.500");
        assert_eq!(signed(0.0, false), "0");
    }
}
