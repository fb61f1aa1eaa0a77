//! The conclusion of a comparison in one sentence: the measure that changed most, and where.

use crate::headline_measure::choose_headline_measure;
use crate::text::labels::{self, capitalize_first};
use crate::text::number_format::{format_short_mean, format_short_percent};
use crate::text::sentences;
use enfilade_study::comparison::{CellPair, ExperimentComparison, MeasureDifference};

/// Describes the largest change: `Most changed: killed, from 6 % in A to 17 % in B, at firepower 1.
/// On average over 8 cells it changes by +3 points.`
pub(super) fn largest_change_sentence(comparison: &ExperimentComparison<'_>) -> Option<String> {
    let cells: Vec<_> = comparison.pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    let head = choose_headline_measure(&cells)?;
    let own: Vec<_> = comparison
        .pairs
        .iter()
        .filter_map(|pair| Some((pair, pair.difference_of_measure(&head.name)?)))
        .collect();
    let size =
        |found: &MeasureDifference<'_>| found.best_available().map_or(0.0, |e| e.value.abs());
    let (pair, most) = own.iter().max_by(|a, b| size(a.1).total_cmp(&size(b.1)))?;
    let label = labels::measure_label(&head);
    if size(most) < SMALLEST_CHANGE {
        return Some(format!("{} is the same in A and B.", capitalize_first(&label)));
    }
    let (a, b) = (
        format_value_of_side(most.a.best_available_value(), most),
        format_value_of_side(most.b.best_available_value(), most),
    );
    let place = if own.len() > 1 {
        format!(", at {}", sentences::describe_cell_place(pair.a))
    } else {
        String::new()
    };
    let mut text = format!("Most changed: {label}, from {a} in A to {b} in B{place}.");
    if own.len() > 1 {
        text.push_str(&describe_average(&own));
    }
    Some(text)
}

/// The smallest difference that counts as a change.
const SMALLEST_CHANGE: f64 = 5e-5;

fn format_value_of_side(value: Option<f64>, measure: &MeasureDifference<'_>) -> String {
    match value {
        None => "–".to_owned(),
        Some(share) if measure.head.kind.is_shown_in_percent() => {
            format!("{} %", format_short_percent(share))
        }
        Some(mean) => {
            format!("{} {}", format_short_mean(mean), measure.head.unit).trim().to_owned()
        }
    }
}

/// Describes the mean of the differences over all cells.
fn describe_average(own: &[(&CellPair<'_>, &MeasureDifference<'_>)]) -> String {
    let values: Vec<f64> =
        own.iter().filter_map(|(_, found)| Some(found.best_available()?.value)).collect();
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let is_share = own[0].1.head.kind.is_shown_in_percent();
    let size = if is_share { 100.0 * mean.abs() } else { mean.abs() };
    let sign = if mean < 0.0 { "−" } else { "+" };
    let unit = if is_share { " points" } else { "" };
    let cells = values.len();
    format!(" On average over {cells} cells it changes by {sign}{}{unit}.", format_short_mean(size))
}
