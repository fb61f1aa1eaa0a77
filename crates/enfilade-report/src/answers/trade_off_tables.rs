//! Trade-offs as tables: the value of one step of an axis in steps of another.

use crate::answers::answer_tables::TablesOfContest;
use crate::blocks::{ReportTableCell, TextTable};
use crate::error::ReportError;
use crate::headline_measure;
use crate::text::short_labels;
use crate::text::{labels, measure_format, sentences};
use enfilade_model::form::name_matching;
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::Answer;
use enfilade_study::trade_off::{AxisStepExchangeRate, MeasureSurface};

/// Builds one table per contest: the value of one step of every other axis in steps of the axis
/// `currency`, by the most informative measure.
///
/// # Errors
/// [`ReportError::Invalid`] when no contest has the axis, or none has a second axis beside it.
pub fn tables_in_steps_of_axis(
    answers: &[Answer],
    currency: &str,
) -> Result<Vec<TablesOfContest>, ReportError> {
    let worths: Vec<TablesOfContest> = sentences::split_by_contest(answers)
        .filter_map(|cells| trade_off_table_against_axis(cells, currency))
        .collect();
    if !worths.is_empty() {
        return Ok(worths);
    }
    let axes = || answers.iter().flat_map(|cell| &cell.axes).map(|(path, _)| path.as_str());
    let mut axis_names: Vec<&str> = axes().collect();
    axis_names.sort_unstable();
    axis_names.dedup();
    let problem =
        format!("cannot use `{}` as the unit", sentences::replace_control_chars(currency));
    let why = match axis_names[..] {
        [] => "no field has several values in this file: give it a list or a range".to_owned(),
        _ if axis_names.contains(&currency) => {
            "it must have numbers, and another field several values, all of them exact".to_owned()
        }
        _ => {
            let near = name_matching::find_nearest_name(currency, axis_names.iter().copied());
            let near = near.map(|near| format!(": did you mean `{near}`?"));
            format!(
                "it is no axis; these are: {}{}",
                axis_names.join(", "),
                near.unwrap_or_default()
            )
        }
    };
    Err(ReportError::Invalid(format!("{problem}: {why}")))
}

/// Builds the table of all trade-offs between axes that have numbers: a row per axis, a column per
/// currency. `None` with fewer than two axes, or without numbers on any.
pub fn trade_offs_between_axes(cells: &[Answer]) -> Option<TablesOfContest> {
    let (surface, measure) = headline_surface_and_label(cells)?;
    let counted: Vec<usize> =
        (0..surface.axes.len()).filter(|&at| has_ordered_numbers(&surface, at)).collect();
    if surface.axes.len() < 2 || counted.is_empty() {
        return None;
    }
    let heads =
        counted.iter().map(|&at| format!("in steps of {}", label_of_surface_axis(&surface, at)));
    let row = |of: usize| {
        let own = ReportTableCell::Text(label_of_surface_axis(&surface, of));
        let ranges = counted.iter().map(|&currency| match of == currency {
            true => ReportTableCell::Text("–".to_owned()),
            false => ReportTableCell::Text(format_min_median_max(
                &surface.step_worths_in_other_axis(of, currency),
            )),
        });
        [own].into_iter().chain(ranges).collect()
    };
    let table = TextTable {
        heads: ["one step of".to_owned()].into_iter().chain(heads).collect(),
        rows: (0..surface.axes.len()).map(row).collect(),
        fixed: 1,
    };
    let remark = "Minimum, median and maximum over all cells. Cells that would need values outside the grid are left out.";
    Some(build_titled_table(
        format!("What one step is worth, by {measure}"),
        table,
        remark.to_owned(),
    ))
}

fn build_titled_table(title: String, table: TextTable, remark: String) -> TablesOfContest {
    let (given, legend, outcomes) = (None, Vec::new(), None);
    TablesOfContest {
        title,
        parameters: given,
        measures: table,
        legend,
        alone: Vec::new(),
        alone_first: false,
        outcomes,
        remarks: vec![remark],
    }
}

/// Formats minimum, median and maximum of the steps.
fn format_min_median_max(steps: &[AxisStepExchangeRate]) -> String {
    let mut all: Vec<f64> =
        steps.iter().flat_map(|step| &step.worth).map(|(_, worth)| *worth).collect();
    all.sort_by(f64::total_cmp);
    match (all.first(), all.last()) {
        (Some(least), Some(most)) => {
            let middle = all[(all.len() - 1) / 2];
            format!(
                "{} … {} … {}",
                format_step_number(*least),
                format_step_number(middle),
                format_step_number(*most)
            )
        }
        _ => "beyond".to_owned(),
    }
}

fn headline_surface_and_label(cells: &[Answer]) -> Option<(MeasureSurface<'_>, String)> {
    let head = headline_measure::choose_headline_measure(&cells.iter().collect::<Vec<_>>())?;
    Some((MeasureSurface::from_cells_of_contest(cells, &head.name)?, labels::measure_label(&head)))
}

/// Whether the values of an axis are numbers that rise or fall, so that its steps can be counted.
fn has_ordered_numbers(surface: &MeasureSurface<'_>, axis: usize) -> bool {
    let numbers: Option<Vec<f64>> =
        surface.axes[axis].1.iter().map(short_labels::axis_value_as_number).collect();
    let sorted = |numbers: Vec<f64>| {
        numbers.len() > 1 && (numbers.is_sorted() || numbers.iter().rev().is_sorted())
    };
    numbers.is_some_and(sorted)
}

fn label_of_surface_axis(surface: &MeasureSurface<'_>, axis: usize) -> String {
    labels::label_of_parameter(&surface.cells[0], &surface.axes[axis].0)
}

fn trade_off_table_against_axis(cells: &[Answer], currency: &str) -> Option<TablesOfContest> {
    let (surface, measure) = headline_surface_and_label(cells)?;
    let currency = surface.axes.iter().position(|(path, _)| path == currency)?;
    if surface.axes.len() < 2 || !has_ordered_numbers(&surface, currency) {
        return None;
    }
    let coin = label_of_surface_axis(&surface, currency);
    let others = (0..surface.axes.len()).filter(|&axis| axis != currency);
    let rows = others.flat_map(|of| {
        let steps = surface.step_worths_in_other_axis(of, currency).into_iter();
        let row = |step: AxisStepExchangeRate| build_step_exchange_row(&surface, of, &step);
        steps.map(row).collect::<Vec<_>>()
    });
    let name = sentences::replace_control_chars(&cells[0].name);
    let heads = ["one step of", "least", "at", "middle", "most", "at", "beyond"];
    let table =
        TextTable { heads: heads.map(str::to_owned).to_vec(), rows: rows.collect(), fixed: 1 };
    let title = format!("{name}: what one step is worth in steps of {coin}, by {measure}");
    let remark = format!(
        "A step is worth 2 where two steps of {coin} change {measure} as much. Beyond: cells that would need \
         values of {coin} outside the grid."
    );
    Some(build_titled_table(title, table, remark))
}

fn build_step_exchange_row(
    surface: &MeasureSurface<'_>,
    of: usize,
    step: &AxisStepExchangeRate,
) -> Vec<ReportTableCell> {
    let own = format!("{} {} → {}", label_of_surface_axis(surface, of), step.from, step.to);
    let all = step.worth.len() + step.beyond;
    let beyond = match step.beyond {
        0 => ReportTableCell::Number("0".to_owned()),
        some => ReportTableCell::Number(format!(
            "{} of {}",
            group_digits(some as u64),
            group_digits(all as u64)
        )),
    };
    let place = |cell: usize| {
        let axes = surface.cells[cell].axes.iter().enumerate().filter(|(axis, _)| *axis != of);
        let steps = axes
            .map(|(axis, (_, value))| format!("{} {value}", label_of_surface_axis(surface, axis)));
        sentences::replace_control_chars(&steps.collect::<Vec<_>>().join(", "))
    };
    let numbers = match step.smallest_median_largest_rate() {
        None => vec![ReportTableCell::Text("–".to_owned()); 5],
        Some([least, middle, most]) => vec![
            ReportTableCell::Number(format_step_number(least.1)),
            ReportTableCell::Text(place(least.0)),
            ReportTableCell::Number(format_step_number(middle.1)),
            ReportTableCell::Number(format_step_number(most.1)),
            ReportTableCell::Text(place(most.0)),
        ],
    };
    [ReportTableCell::Text(sentences::replace_control_chars(&own))]
        .into_iter()
        .chain(numbers)
        .chain([beyond])
        .collect()
}

/// Formats a number of steps: `+1.2`.
fn format_step_number(steps: f64) -> String {
    // A value that rounds to zero has no sign.
    if steps.abs() < 0.05 {
        "0.0".to_owned()
    } else {
        measure_format::with_true_minus(&format!("{steps:+.1}"))
    }
}
