//! Influence of the numbers of a contest: the effect of one step of each on a measure, and the
//! share of each axis in its variance over a grid.

use std::sync::Arc;

use enfilade_engine::parallel::prelude::*;
use toml::{Table, Value as Toml};

use crate::error::SeekError;
use enfilade_model::combat::MeasureHead;
use enfilade_model::form::{FieldType, Form};
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::experiment::{Experiment, GridCell};
use enfilade_study::file::toml_writer;
use enfilade_study::solve::{SolveObserver, SolverSettings, solve_and_drop_cells};

use crate::changed_numbers::collect_number_names;
use crate::number_path::NumberPath;
use crate::seek_contests::find_current_value;
use crate::seek_numbers::ContestWithCircumstances;
use crate::value_text::{
    format_grouped_count, format_with_percent_if_share, format_without_percent_sign,
};

/// Influences on one measure of one contest.
#[derive(Debug)]
pub struct InfluencesOnMeasure {
    /// The contest.
    pub name: String,
    /// The measure.
    pub head: Arc<MeasureHead>,
    /// The current value of the measure.
    pub current_value: f64,
    /// The numbers that move it, the largest effect first.
    pub steps: Vec<NumberStepInfluence>,
    /// By axis: its share of the variance alone, and with all others.
    pub shares: Vec<(String, f64, f64)>,
    /// The two axes with the largest interaction, and its share.
    pub strongest_pair: Option<(String, String, f64)>,
    /// Number of contests that were solved.
    pub cells: u64,
}

/// One step of a number down and up: the change of the measure; `None` if the number is at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberStepInfluence {
    /// The number.
    pub name: String,
    /// Change of the measure by a step down.
    pub down: Option<f64>,
    /// Change by a step up.
    pub up: Option<f64>,
}

/// The largest number of values of all axes together.
const MAX_GRID_VALUE_COUNT: usize = 10_000_000;

/// Computes the influences on a measure of the first cell of each contest; on the first measure if
/// none is named.
///
/// # Errors
/// If a contest does not have the measure, or the work was stopped.
pub fn influences_on_each_contest(
    experiment: &Experiment,
    measure: Option<&str>,
    watch: &dyn SolveObserver,
) -> Result<Vec<InfluencesOnMeasure>, SeekError> {
    let mut influences = Vec::new();
    let mut cells = experiment.cells.iter().peekable();
    while let Some(first) = cells.next() {
        let mut grid = vec![first];
        while let Some(next) = cells.next_if(|next| next.contest == first.contest) {
            grid.push(next);
        }
        influences.push(influences_on_contest_measure(first, &grid, measure, watch)?);
    }
    Ok(influences)
}

/// Computes the influences on a measure of one contest: of steps from its cell `first`, and of the
/// axes over all cells of its grid.
///
/// # Errors
/// The errors of [`influences_on_each_contest`].
pub fn influences_on_contest_measure(
    first: &GridCell,
    grid: &[&GridCell],
    measure: Option<&str>,
    watch: &dyn SolveObserver,
) -> Result<InfluencesOnMeasure, SeekError> {
    let head = find_or_first_measure(first, measure)?;
    let stepped_forms = forms_one_step_down_and_up(&cell_as_seek_contest(first));
    let forms = stepped_forms.iter().map(|(_, form)| form.clone());
    let all: Vec<Option<Form>> = [Some(first.form.clone())].into_iter().chain(forms).collect();
    let values = measure_values_of_forms(first, &all, &head, watch)?;
    let here = values[0].unwrap_or(f64::NAN);
    let change = |value: Option<f64>| value.map(|value| value - here);
    let steps = stepped_forms.chunks(2).zip(values[1..].chunks(2)).map(|(pair, values)| {
        NumberStepInfluence {
            name: pair[0].0.clone(),
            down: change(values[0]),
            up: change(values[1]),
        }
    });
    let (shares, together, more) = match grid {
        [] => (Vec::new(), None, 0),
        _ => compute_grid_variance_shares(grid, &head, watch)?,
    };
    // An axis may matter over its range while one step stays in the same column of a table.
    let has_share = |step: &NumberStepInfluence| {
        shares.iter().any(|(axis, ..)| step.is_same_number_as_axis(axis))
    };
    let mut steps: Vec<NumberStepInfluence> =
        steps.filter(|step| step.largest_absolute_change() > 1e-12 || has_share(step)).collect();
    steps.sort_by(|a, b| b.largest_absolute_change().total_cmp(&a.largest_absolute_change()));
    let cells = values.iter().flatten().count() as u64 + more;
    Ok(InfluencesOnMeasure {
        name: first.name.clone(),
        head,
        current_value: here,
        steps,
        shares,
        strongest_pair: together,
        cells,
    })
}

/// Finds a measure by its name, or else the first that is shown.
pub(crate) fn find_or_first_measure(
    cell: &GridCell,
    measure: Option<&str>,
) -> Result<Arc<MeasureHead>, SeekError> {
    let heads = cell.played.combat.measures();
    let head = match measure {
        Some(name) => heads.iter().find(|head| head.name == *name),
        None => heads.iter().find(|head| head.headline).or(heads.first()),
    };
    head.cloned().ok_or_else(|| {
        let measure_names: Vec<&str> = heads.iter().map(|head| &*head.name).collect();
        let (name, measure_names) = (&cell.name, measure_names.join(", "));
        SeekError::Invalid(format!("{name} has no measure of that name: it has {measure_names}"))
    })
}

/// The contest of a cell, without circumstances.
pub(crate) fn cell_as_seek_contest(cell: &GridCell) -> ContestWithCircumstances {
    ContestWithCircumstances {
        name: cell.name.clone(),
        system: Arc::clone(&cell.system),
        action: Arc::clone(&cell.action),
        action_name: cell.action.name.to_string(),
        follow_ups: None,
        table: form_to_table(&cell.form),
        circumstances: Vec::new(),
    }
}

impl NumberStepInfluence {
    /// Returns whether the axis of a grid, by its path, is of this number.
    pub fn is_same_number_as_axis(&self, axis: &str) -> bool {
        axis.trim_start_matches("change.") == self.name
    }

    /// The larger of both changes.
    fn largest_absolute_change(&self) -> f64 {
        [self.down, self.up].into_iter().flatten().map(f64::abs).fold(0.0, f64::max)
    }
}

impl InfluencesOnMeasure {
    /// Returns the axes that have shares of the variance and no step, with both shares.
    pub fn shares_of_axes_without_step(&self) -> impl Iterator<Item = (&str, f64, f64)> {
        let has_step = |axis: &str| self.steps.iter().any(|step| step.is_same_number_as_axis(axis));
        let others = self.shares.iter().filter(move |(axis, ..)| !has_step(axis));
        others.map(|(axis, alone, all)| (axis.trim_start_matches("change."), *alone, *all))
    }
}

/// A form as a table of a file.
pub(crate) fn form_to_table(form: &Form) -> Table {
    let entries = form.fields_with_values();
    let entries = entries.filter_map(|(name, value)| {
        Some((name.to_string(), toml_writer::format_toml_value(value).parse::<Toml>().ok()?))
    });
    entries.collect()
}

/// Lists every number of a contest, one step down and one step up: the form, if there is one.
fn forms_one_step_down_and_up(contest: &ContestWithCircumstances) -> Vec<(String, Option<Form>)> {
    let mut names = Vec::new();
    collect_number_names(&contest.action.fields, "", &mut names);
    let mut stepped_forms = Vec::new();
    for name in names {
        let name = name.strip_prefix("change.").unwrap_or(&name).to_owned();
        let Some(place) = NumberPath::find_by_name(&contest.action.fields, &name) else { continue };
        let Some(now) = find_current_value(contest, &contest.table, &place) else { continue };
        let [down, up] = values_below_and_above(&place.kind, &now);
        if down.is_none() && up.is_none() {
            continue;
        }
        for value in [down, up] {
            let form = value.and_then(|value| {
                let mut table = contest.table.clone();
                place.set_value(&mut table, value);
                Form::from_table_with_defaults(&contest.action.fields, &table).ok()
            });
            stepped_forms.push((name.clone(), form));
        }
    }
    stepped_forms
}

/// The values below and above a number.
fn values_below_and_above(kind: &FieldType, now: &Toml) -> [Option<Toml>; 2] {
    match (kind, now) {
        (FieldType::Int(_) | FieldType::Numbers(_), Toml::Integer(now)) => match kind {
            FieldType::Numbers(numbers) => {
                let below = numbers.iter().filter(|n| *n < now).max();
                let above = numbers.iter().filter(|n| *n > now).min();
                [below, above].map(|n| n.map(|n| Toml::Integer(*n)))
            }
            _ => [now - 1, now + 1].map(|n| Some(Toml::Integer(n))),
        },
        (FieldType::Die(sides), Toml::String(die)) => {
            let now = die.strip_prefix('d').and_then(|sides| sides.parse::<u8>().ok());
            let at = sides.iter().position(|side| Some(*side) == now);
            let side = |at: Option<usize>| {
                at.and_then(|at| sides.get(at)).map(|side| Toml::String(format!("d{side}")))
            };
            [side(at.and_then(|at| at.checked_sub(1))), side(at.map(|at| at + 1))]
        }
        _ => [None, None],
    }
}

/// Solves contests of these forms and returns the values of a measure.
pub(crate) fn measure_values_of_forms(
    like: &GridCell,
    forms: &[Option<Form>],
    head: &MeasureHead,
    watch: &dyn SolveObserver,
) -> Result<Vec<Option<f64>>, SeekError> {
    let contests = forms.par_iter().enumerate().filter_map(|(index, form)| {
        let form = form.clone()?;
        let played = like.action.build_contest(&form).ok()?;
        let (system, action) = (Arc::clone(&like.system), Arc::clone(&like.action));
        let name = like.name.clone();
        Some(GridCell { index, contest: 0, name, system, action, form, axes: Vec::new(), played })
    });
    let cells: Vec<GridCell> = contests.collect();
    let solved = solve_and_drop_cells(
        cells,
        &SolverSettings::for_exact_only(),
        watch,
        &CellTrialJournal::without_storage(),
    )?;
    if solved.interrupted {
        return Err(SeekError::Interrupted("not all steps were solved".to_owned()));
    }
    let mut values = vec![None; forms.len()];
    for answer in solved.answers {
        values[answer.cell] = exact_value_in_answer(&answer, head);
    }
    Ok(values)
}

fn exact_value_in_answer(answer: &Answer, head: &MeasureHead) -> Option<f64> {
    answer.measure_answer_by_name(&head.name).and_then(|measure| measure.exact)
}

/// By axis its share of the variance alone and with all others, and the pair with the largest
/// interaction.
type VarianceSharesOfGrid = (Vec<(String, f64, f64)>, Option<(String, String, f64)>, u64);

fn compute_grid_variance_shares(
    grid: &[&GridCell],
    head: &MeasureHead,
    watch: &dyn SolveObserver,
) -> Result<VarianceSharesOfGrid, SeekError> {
    let names: Vec<String> = grid[0].axes.iter().map(|(axis, _)| axis.clone()).collect();
    let sizes: Vec<usize> = (0..names.len()).map(|at| count_values_of_axis(grid, at)).collect();
    let whole = sizes.iter().product::<usize>() == grid.len();
    // In a grid with missing cells the axes depend on each other, and shares have no meaning.
    if names.is_empty() || !whole || grid.len() > MAX_GRID_VALUE_COUNT {
        return Ok((Vec::new(), None, 0));
    }
    let forms: Vec<Option<Form>> = grid.iter().map(|cell| Some(cell.form.clone())).collect();
    let values = measure_values_of_forms(grid[0], &forms, head, watch)?;
    let cells = grid.len() as u64;
    let Some(values) = values.into_iter().collect::<Option<Vec<f64>>>() else {
        return Ok((Vec::new(), None, cells));
    };
    let parts = MeasureOverGrid { sizes: &sizes, values: &values };
    let (shares, together) = parts.compute_variance_shares(&names);
    Ok((shares, together, cells))
}

/// Number of values of an axis.
fn count_values_of_axis(grid: &[&GridCell], axis: usize) -> usize {
    let mut values: Vec<String> = grid.iter().map(|cell| cell.axes[axis].1.to_string()).collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

/// Name of each axis, its share of the variance alone, and with all others.
pub(crate) type VarianceSharesOfAxis = Vec<(String, f64, f64)>;

/// Names of two axes and the share of the variance beyond their own.
pub(crate) type LargestInteraction = (String, String, f64);

/// The values of a grid, the last axis fastest.
pub(crate) struct MeasureOverGrid<'g> {
    pub sizes: &'g [usize],
    pub values: &'g [f64],
}

impl MeasureOverGrid<'_> {
    /// Computes by axis its share alone and with all others, and the two with the largest
    /// interaction.
    pub fn compute_variance_shares(
        &self,
        names: &[String],
    ) -> (VarianceSharesOfAxis, Option<LargestInteraction>) {
        let every: Vec<usize> = (0..names.len()).collect();
        let all = self.variance_with_axes_known(&every);
        if all <= 1e-30 {
            return (Vec::new(), None);
        }
        let share = |axes: &[usize]| self.variance_with_axes_known(axes) / all;
        let of_axis = |(at, name): (usize, &String)| {
            let others: Vec<usize> = every.iter().copied().filter(|other| *other != at).collect();
            (name.clone(), share(&[at]), 1.0 - share(&others))
        };
        let shares: Vec<_> = names.iter().enumerate().map(of_axis).collect();
        let pairs = every.iter().flat_map(|a| every[a + 1..].iter().map(move |b| (*a, *b)));
        let pairs = pairs.map(|(a, b)| (a, b, share(&[a, b]) - shares[a].1 - shares[b].1));
        let most = pairs.max_by(|one, two| one.2.total_cmp(&two.2)).filter(|pair| pair.2 > 0.005);
        let together = most.map(|(a, b, share)| (names[a].clone(), names[b].clone(), share));
        (shares, together)
    }

    /// The variance of the mean if these axes are known, all values alike.
    fn variance_with_axes_known(&self, axes: &[usize]) -> f64 {
        let groups: usize = axes.iter().map(|axis| self.sizes[*axis]).product();
        let mut sums = vec![0.0; groups];
        for (at, value) in self.values.iter().enumerate() {
            let (mut rest, mut places) = (at, vec![0; self.sizes.len()]);
            for (place, size) in places.iter_mut().zip(self.sizes).rev() {
                *place = rest % size;
                rest /= size;
            }
            let group =
                axes.iter().fold(0, |group, axis| group * self.sizes[*axis] + places[*axis]);
            sums[group] += value;
        }
        let inside = self.values.len() as f64 / groups as f64;
        let mean = self.values.iter().sum::<f64>() / self.values.len() as f64;
        sums.iter().map(|sum| (sum / inside - mean).powi(2)).sum::<f64>() / groups as f64
    }
}

/// Largest number of numbers in a table.
const MAX_NUMBERS_IN_TABLE: usize = 12;

/// The influences, as lines of a terminal of 80 columns.
pub fn render_influences(all: &[InfluencesOnMeasure]) -> String {
    let blocks: Vec<String> = all.iter().map(render_contest_influences).collect();
    blocks.join("\n")
}

fn render_contest_influences(matters: &InfluencesOnMeasure) -> String {
    let here = format_with_percent_if_share(
        matters.current_value,
        matters.head.kind.is_shown_in_percent(),
    );
    let mut lines = vec![
        format!("{}, {}: {here} here", matters.name, matters.head.display_name()),
        format!(
            "{:<26}{:>8}{:^19}{:>8}{:>9}{:>8}",
            "one step", "down", "", "up", "alone", "in all"
        ),
    ];
    let most = matters
        .steps
        .iter()
        .map(NumberStepInfluence::largest_absolute_change)
        .fold(0.0, f64::max)
        .max(1e-300);
    lines.extend(
        matters
            .steps
            .iter()
            .take(MAX_NUMBERS_IN_TABLE)
            .map(|step| influence_line(matters, step, most)),
    );
    if matters.steps.len() > MAX_NUMBERS_IN_TABLE {
        lines.push(format!("and {} more", matters.steps.len() - MAX_NUMBERS_IN_TABLE));
    }
    for (axis, alone, all) in matters.shares_of_axes_without_step() {
        let (alone, all) = (alone * 100.0, all * 100.0);
        lines.push(format!("{axis:<52}{alone:>9.0} %{all:>6.0} %"));
    }
    if let Some((a, b, share)) = &matters.strongest_pair {
        lines.push(format!("together most: {a} and {b} ({:.0} %)", share * 100.0));
    }
    lines.push(format!("{} cells", format_grouped_count(matters.cells)));
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// One number: its steps, bars about zero, and its shares.
fn influence_line(matters: &InfluencesOnMeasure, step: &NumberStepInfluence, most: f64) -> String {
    let is_share = matters.head.kind.is_shown_in_percent();
    let describe = |change: Option<f64>| match change {
        None => "at end".to_owned(),
        Some(change) if change > 0.0 => {
            format!("+{}", format_without_percent_sign(change, is_share))
        }
        Some(change) => format_without_percent_sign(change, is_share),
    };
    let share = matters.shares.iter().find(|(axis, ..)| step.is_same_number_as_axis(axis));
    let share = share.map_or_else(
        || format!("{:>9}{:>8}", "", ""),
        |(_, alone, all)| format!("{:>7.0} %{:>6.0} %", alone * 100.0, all * 100.0),
    );
    let name: String = step.name.chars().take(25).collect();
    format!(
        "{name:<26}{:>8} {} {:>8}{share}",
        describe(step.down),
        bars_of_loss_and_gain(step, most),
        describe(step.up)
    )
}

/// Bars: a loss to the left, a gain to the right.
fn bars_of_loss_and_gain(step: &NumberStepInfluence, most: f64) -> String {
    const BAR_HALF_WIDTH: usize = 8;
    let ends = [step.down, step.up].map(|change| change.unwrap_or(0.0));
    let bar = |size: f64| {
        "█".repeat(((size / most * BAR_HALF_WIDTH as f64).round() as usize).min(BAR_HALF_WIDTH))
    };
    let (left, right) = (bar(-ends[0].min(ends[1]).min(0.0)), bar(ends[0].max(ends[1]).max(0.0)));
    format!("{left:>BAR_HALF_WIDTH$}|{right:<BAR_HALF_WIDTH$}")
}
