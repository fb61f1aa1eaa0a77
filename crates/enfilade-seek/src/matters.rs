//! Influence of the numbers of a contest: the effect of one step of each on a measure, and the
//! share of each axis in its variance over a grid.

use std::sync::Arc;

use rayon::prelude::*;
use toml::{Table, Value as Toml};

use enfilade_model::combat::MeasureHead;
use enfilade_model::error::Error;
use enfilade_model::form::{Form, Kind};
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::Journal;
use enfilade_study::experiment::{Cell, Experiment};
use enfilade_study::file::toml_writer;
use enfilade_study::solve::{Settings, Watch, solve_and_drop};

use crate::contests::stands_now;
use crate::given::all_names;
use crate::numbers::SeekContest;
use crate::places::Place;
use crate::text::{count, measured, with_unit};

/// Influences on one measure of one contest.
#[derive(Debug)]
pub struct Matters {
    /// The contest.
    pub name: String,
    /// The measure.
    pub head: Arc<MeasureHead>,
    /// The current value of the measure.
    pub here: f64,
    /// The numbers that move it, the largest effect first.
    pub steps: Vec<MattersStep>,
    /// By axis: its share of the variance alone, and with all others.
    pub shares: Vec<(String, f64, f64)>,
    /// The two axes with the largest interaction, and its share.
    pub together: Option<(String, String, f64)>,
    /// Number of contests that were solved.
    pub cells: u64,
}

/// One step of a number down and up: the change of the measure; `None` if the number is at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct MattersStep {
    /// The number.
    pub name: String,
    /// Change of the measure by a step down.
    pub down: Option<f64>,
    /// Change by a step up.
    pub up: Option<f64>,
}

/// The largest number of values of all axes together.
const MOST: usize = 10_000_000;

/// Computes the influences on a measure of the first cell of each contest; on the first measure if
/// none is named.
///
/// # Errors
/// If a contest does not have the measure, or the work was stopped.
pub fn matters(
    experiment: &Experiment,
    measure: Option<&str>,
    watch: &dyn Watch,
) -> Result<Vec<Matters>, Error> {
    let mut found = Vec::new();
    let mut cells = experiment.cells.iter().peekable();
    while let Some(first) = cells.next() {
        let mut grid = vec![first];
        while let Some(next) = cells.next_if(|next| next.contest == first.contest) {
            grid.push(next);
        }
        found.push(of_contest(&grid, measure, watch)?);
    }
    Ok(found)
}

fn of_contest(grid: &[&Cell], measure: Option<&str>, watch: &dyn Watch) -> Result<Matters, Error> {
    let first = grid[0];
    let head = head_of(first, measure)?;
    let tried = steps(&contest_of(first));
    let forms = tried.iter().map(|(_, form)| form.clone());
    let all: Vec<Option<Form>> = [Some(first.form.clone())].into_iter().chain(forms).collect();
    let values = solved(first, &all, &head, watch)?;
    let here = values[0].unwrap_or(f64::NAN);
    let change = |value: Option<f64>| value.map(|value| value - here);
    let steps = tried.chunks(2).zip(values[1..].chunks(2)).map(|(pair, values)| MattersStep {
        name: pair[0].0.clone(),
        down: change(values[0]),
        up: change(values[1]),
    });
    let mut steps: Vec<MattersStep> = steps.filter(|step| step.size() > 1e-12).collect();
    steps.sort_by(|a, b| b.size().total_cmp(&a.size()));
    let (shares, together, more) = shares(grid, &head, watch)?;
    let cells = values.iter().flatten().count() as u64 + more;
    Ok(Matters { name: first.name.clone(), head, here, steps, shares, together, cells })
}

/// Finds a measure by its name, or else the first that is shown.
fn head_of(cell: &Cell, measure: Option<&str>) -> Result<Arc<MeasureHead>, Error> {
    let heads = cell.played.combat.measures();
    let head = match measure {
        Some(name) => heads.iter().find(|head| head.name == *name),
        None => heads.iter().find(|head| head.headline).or(heads.first()),
    };
    head.cloned().ok_or_else(|| {
        let known: Vec<&str> = heads.iter().map(|head| &*head.name).collect();
        let (name, known) = (&cell.name, known.join(", "));
        Error::Usage(format!("{name} has no measure of that name: it has {known}"))
    })
}

/// The contest of a cell, without circumstances.
fn contest_of(cell: &Cell) -> SeekContest {
    SeekContest {
        name: cell.name.clone(),
        system: Arc::clone(&cell.system),
        action: Arc::clone(&cell.action),
        table: table_of(&cell.form),
        circumstances: Vec::new(),
    }
}

impl MattersStep {
    /// The larger of both changes.
    fn size(&self) -> f64 {
        [self.down, self.up].into_iter().flatten().map(f64::abs).fold(0.0, f64::max)
    }
}

/// A form as a table of a file.
fn table_of(form: &Form) -> Table {
    let entries = form.entries();
    let entries = entries.filter_map(|(name, value)| {
        Some((name.to_string(), toml_writer::literal(value).parse::<Toml>().ok()?))
    });
    entries.collect()
}

/// Lists every number of a contest, one step down and one step up: the form, if there is one.
fn steps(contest: &SeekContest) -> Vec<(String, Option<Form>)> {
    let mut names = Vec::new();
    all_names(&contest.action.fields, "", &mut names);
    let mut tried = Vec::new();
    for name in names {
        let name = name.strip_prefix("change.").unwrap_or(&name).to_owned();
        let Some(place) = Place::find(&contest.action.fields, &name) else { continue };
        let Some(now) = stands_now(contest, &contest.table, &place) else { continue };
        let [down, up] = neighbours(&place.kind, &now);
        if down.is_none() && up.is_none() {
            continue;
        }
        for value in [down, up] {
            let form = value.and_then(|value| {
                let mut table = contest.table.clone();
                place.set(&mut table, value);
                Form::fill(&contest.action.fields, &table).ok()
            });
            tried.push((name.clone(), form));
        }
    }
    tried
}

/// The values below and above a number.
fn neighbours(kind: &Kind, now: &Toml) -> [Option<Toml>; 2] {
    match (kind, now) {
        (Kind::Int(_) | Kind::Numbers(_), Toml::Integer(now)) => match kind {
            Kind::Numbers(numbers) => {
                let below = numbers.iter().filter(|n| *n < now).max();
                let above = numbers.iter().filter(|n| *n > now).min();
                [below, above].map(|n| n.map(|n| Toml::Integer(*n)))
            }
            _ => [now - 1, now + 1].map(|n| Some(Toml::Integer(n))),
        },
        (Kind::Die(sides), Toml::String(die)) => {
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
fn solved(
    like: &Cell,
    forms: &[Option<Form>],
    head: &MeasureHead,
    watch: &dyn Watch,
) -> Result<Vec<Option<f64>>, Error> {
    let made = forms.par_iter().enumerate().filter_map(|(index, form)| {
        let form = form.clone()?;
        let played = like.action.contest(&form).ok()?;
        let (system, action) = (Arc::clone(&like.system), Arc::clone(&like.action));
        let name = like.name.clone();
        Some(Cell { index, contest: 0, name, system, action, form, axes: Vec::new(), played })
    });
    let cells: Vec<Cell> = made.collect();
    let found = solve_and_drop(cells, &Settings::exact(), watch, &Journal::none())?;
    if found.interrupted {
        return Err(Error::Interrupted("not all steps were solved".to_owned()));
    }
    let mut values = vec![None; forms.len()];
    for answer in found.answers {
        values[answer.cell] = exact(&answer, head);
    }
    Ok(values)
}

fn exact(answer: &Answer, head: &MeasureHead) -> Option<f64> {
    answer.measure(&head.name).and_then(|measure| measure.exact)
}

/// By axis its share of the variance alone and with all others, and the pair with the largest
/// interaction.
type Shares = (Vec<(String, f64, f64)>, Option<(String, String, f64)>, u64);

fn shares(grid: &[&Cell], head: &MeasureHead, watch: &dyn Watch) -> Result<Shares, Error> {
    let names: Vec<String> = grid[0].axes.iter().map(|(axis, _)| axis.clone()).collect();
    let sizes: Vec<usize> = (0..names.len()).map(|at| values_on(grid, at)).collect();
    let whole = sizes.iter().product::<usize>() == grid.len();
    // In a grid with missing cells the axes depend on each other, and shares have no meaning.
    if names.is_empty() || !whole || grid.len() > MOST {
        return Ok((Vec::new(), None, 0));
    }
    let forms: Vec<Option<Form>> = grid.iter().map(|cell| Some(cell.form.clone())).collect();
    let values = solved(grid[0], &forms, head, watch)?;
    let cells = grid.len() as u64;
    let Some(values) = values.into_iter().collect::<Option<Vec<f64>>>() else {
        return Ok((Vec::new(), None, cells));
    };
    let parts = Parts { sizes: &sizes, values: &values };
    let (shares, together) = parts.shares(&names);
    Ok((shares, together, cells))
}

/// Number of values of an axis.
fn values_on(grid: &[&Cell], axis: usize) -> usize {
    let mut values: Vec<String> = grid.iter().map(|cell| cell.axes[axis].1.to_string()).collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

/// Name of each axis, its share of the variance alone, and with all others.
type AxisShares = Vec<(String, f64, f64)>;

/// Names of two axes and the share of the variance beyond their own.
type StrongestPair = (String, String, f64);

/// The values of a grid, the last axis fastest.
struct Parts<'g> {
    sizes: &'g [usize],
    values: &'g [f64],
}

impl Parts<'_> {
    /// Computes by axis its share alone and with all others, and the two with the largest
    /// interaction.
    fn shares(&self, names: &[String]) -> (AxisShares, Option<StrongestPair>) {
        let every: Vec<usize> = (0..names.len()).collect();
        let all = self.variance(&every);
        if all <= 1e-30 {
            return (Vec::new(), None);
        }
        let share = |axes: &[usize]| self.variance(axes) / all;
        let of_axis = |(at, name): (usize, &String)| {
            let others: Vec<usize> = every.iter().copied().filter(|other| *other != at).collect();
            (name.clone(), share(&[at]), 1.0 - share(&others))
        };
        let found: Vec<_> = names.iter().enumerate().map(of_axis).collect();
        let pairs = every.iter().flat_map(|a| every[a + 1..].iter().map(move |b| (*a, *b)));
        let pairs = pairs.map(|(a, b)| (a, b, share(&[a, b]) - found[a].1 - found[b].1));
        let most = pairs.max_by(|one, two| one.2.total_cmp(&two.2)).filter(|pair| pair.2 > 0.005);
        let together = most.map(|(a, b, share)| (names[a].clone(), names[b].clone(), share));
        (found, together)
    }

    /// The variance of the mean if these axes are known, all values alike.
    fn variance(&self, axes: &[usize]) -> f64 {
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
const SHOWN: usize = 12;

/// The influences, as lines of a terminal of 80 columns.
pub fn page(all: &[Matters]) -> String {
    let blocks: Vec<String> = all.iter().map(block).collect();
    blocks.join("\n")
}

fn block(matters: &Matters) -> String {
    let here = with_unit(matters.here, matters.head.kind.is_share());
    let mut lines = vec![
        format!("{}, {}: {here} here", matters.name, matters.head.label_or_name()),
        format!(
            "{:<26}{:>8}{:^19}{:>8}{:>9}{:>8}",
            "one step", "down", "", "up", "alone", "in all"
        ),
    ];
    let most = matters.steps.iter().map(MattersStep::size).fold(0.0, f64::max).max(1e-300);
    lines.extend(matters.steps.iter().take(SHOWN).map(|step| line(matters, step, most)));
    if matters.steps.len() > SHOWN {
        lines.push(format!("and {} more", matters.steps.len() - SHOWN));
    }
    if let Some((a, b, share)) = &matters.together {
        lines.push(format!("together most: {a} and {b} ({:.0} %)", share * 100.0));
    }
    lines.push(format!("{} cells", count(matters.cells)));
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// One number: its steps, bars about zero, and its shares.
fn line(matters: &Matters, step: &MattersStep, most: f64) -> String {
    let is_share = matters.head.kind.is_share();
    let told = |change: Option<f64>| match change {
        None => "at end".to_owned(),
        Some(change) if change > 0.0 => format!("+{}", measured(change, is_share)),
        Some(change) => measured(change, is_share),
    };
    let axis = |name: &str| name.trim_start_matches("change.").to_owned();
    let share = matters.shares.iter().find(|(name, ..)| axis(name) == step.name);
    let share = share.map_or_else(
        || format!("{:>9}{:>8}", "", ""),
        |(_, alone, all)| format!("{:>7.0} %{:>6.0} %", alone * 100.0, all * 100.0),
    );
    let name: String = step.name.chars().take(25).collect();
    format!("{name:<26}{:>8} {} {:>8}{share}", told(step.down), bars(step, most), told(step.up))
}

/// Bars: a loss to the left, a gain to the right.
fn bars(step: &MattersStep, most: f64) -> String {
    const HALF: usize = 8;
    let ends = [step.down, step.up].map(|change| change.unwrap_or(0.0));
    let bar = |size: f64| "█".repeat(((size / most * HALF as f64).round() as usize).min(HALF));
    let (left, right) = (bar(-ends[0].min(ends[1]).min(0.0)), bar(ends[0].max(ends[1]).max(0.0)));
    format!("{left:>HALF$}|{right:<HALF$}")
}
