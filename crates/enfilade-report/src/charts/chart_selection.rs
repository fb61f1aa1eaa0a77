//! Selection of charts, and of the cells each is drawn of.
//!
//! A chart that the file names is drawn for every contest that has its axes and its measure, and
//! once for all contests together if one of its axes is `contest`. If the file names none, the
//! charts of a contest follow from its axes: bars of its distribution without axes (and "at least
//! k" where something is counted further than to 2), stacked bars and curves along one (a forest,
//! if the axis has words), a heat map over two and more. Contests that share their one axis are
//! drawn together, two variants of a single cell as two rows of bars, and 20 cells with an exact
//! and a simulated distribution get the scores of their agreement.

use std::slice::from_ref;

use super::chart_data::CONTEST_AXIS_PATH;
use crate::text::sentences;
use enfilade_model::form::Value;
use enfilade_study::answer::Answer;
use enfilade_study::comparison::ExperimentComparison;
use enfilade_study::experiment::{ChartKind, ChartSpec};

/// The largest number of contests drawn as curves; more are rows of a heat map.
const MAX_CONTEST_CURVES: usize = 8;

/// The largest number of differing parameters for which two contests are variants.
const MAX_VARIANT_CHANGES: usize = 4;

/// The smallest number of cells with both distributions for which the scores of their agreement are
/// drawn.
const MIN_CHECKED_CELLS: usize = 20;

/// Pairs every chart with the cells it is drawn of.
pub fn pair_charts_with_cells<'a>(
    charts: &[ChartSpec],
    answers: &[&'a Answer],
) -> Vec<(ChartSpec, Vec<&'a Answer>)> {
    if charts.is_empty() {
        return choose_default_charts(answers);
    }
    let mut pairs = Vec::new();
    for cells in sentences::split_by_contest(answers) {
        for spec in charts.iter().filter(|spec| !is_over_contests(spec)) {
            if cells.iter().any(|cell| can_draw_chart_of(spec, cell)) {
                pairs.push((spec.clone(), cells.to_vec()));
            }
        }
    }
    for spec in charts.iter().filter(|spec| is_over_contests(spec)) {
        let fitting = answers.iter().copied().filter(|cell| can_draw_chart_of(spec, cell));
        pairs.push((spec.clone(), fitting.collect()));
    }
    // Paired with no cell, so that the summary explains why it is missing.
    let nowhere = |spec: &&ChartSpec| !pairs.iter().any(|(drawn, _)| drawn == *spec);
    let nowhere: Vec<_> = charts.iter().filter(nowhere).cloned().collect();
    pairs.extend(nowhere.into_iter().map(|spec| (spec, Vec::new())));
    pairs
}

fn is_over_contests(spec: &ChartSpec) -> bool {
    [&spec.x, &spec.y].into_iter().flatten().any(|axis| axis == CONTEST_AXIS_PATH)
}

/// Whether a cell has the axes and the measure of a chart.
fn can_draw_chart_of(spec: &ChartSpec, cell: &Answer) -> bool {
    let has = |path: &&String| {
        *path == CONTEST_AXIS_PATH || cell.axes.iter().any(|(axis, _)| axis == *path)
    };
    let axes = spec.x.iter().chain(&spec.y).all(|path| has(&path));
    let field = |name: &String| cell.fields.iter().any(|head| head.name == *name);
    axes && spec.field.as_ref().is_none_or(field)
        && spec.measure.as_ref().is_none_or(|name| cell.measure_answer_by_name(name).is_some())
}

/// Chooses the charts of a run whose file names none.
fn choose_default_charts<'a>(answers: &[&'a Answer]) -> Vec<(ChartSpec, Vec<&'a Answer>)> {
    let contests: Vec<_> = sentences::split_by_contest(answers).collect();
    let together = chart_over_contests(&contests);
    let variants = are_two_variants(&contests);
    let mut pairs = Vec::new();
    if variants {
        let x = Some(CONTEST_AXIS_PATH.to_owned());
        let spec = ChartSpec { x, ..ChartSpec::of_chart_kind(ChartKind::Bars) };
        pairs.push((spec, answers.to_vec()));
        if answers.iter().any(|cell| has_outcome_above_two(cell)) {
            pairs.push((ChartSpec::of_chart_kind(ChartKind::AtLeast), answers.to_vec()));
        }
    }
    for cells in &contests {
        // Two variants have one together already.
        let tail = (!variants && cells.len() == 1 && has_outcome_above_two(cells[0]))
            .then_some(ChartKind::AtLeast);
        let kinds = chart_kinds_of_contest(cells[0], together.is_some()).iter().copied();
        for kind in kinds.chain(tail) {
            pairs.push((ChartSpec::of_chart_kind(kind), cells.to_vec()));
        }
    }
    pairs.extend(together.map(|spec| (spec, answers.to_vec())));
    let checked = answers.iter().filter(|cell| cell.agrees.is_some()).count();
    let one_action = contests.iter().all(|cells| cells[0].action == answers[0].action);
    if checked >= MIN_CHECKED_CELLS && one_action {
        pairs.push((ChartSpec::of_chart_kind(ChartKind::ZScores), answers.to_vec()));
    }
    pairs
}

/// Whether these are two variants: single cells of one action that differ in few parameters.
fn are_two_variants(contests: &[&[&Answer]]) -> bool {
    let [[one], [other]] = contests else {
        return false;
    };
    one.has_same_action(other)
        && (1..=MAX_VARIANT_CHANGES)
            .contains(&ExperimentComparison::new(from_ref(*one), from_ref(*other)).changes.len())
}

/// Whether an outcome field of a cell counts further than to 2.
fn has_outcome_above_two(cell: &Answer) -> bool {
    cell.outcomes.iter().flat_map(|outcome| &outcome.values).any(|value| *value > 2)
}

/// Returns the kinds of charts of one contest.
fn chart_kinds_of_contest(first: &Answer, together: bool) -> &'static [ChartKind] {
    match first.axes.as_slice() {
        [] | [_] if together => &[ChartKind::Bars],
        [] => &[ChartKind::Bars],
        [(_, Value::Text(_) | Value::Flag(_))] => &[ChartKind::Bars, ChartKind::Forest],
        [_] => &[ChartKind::Bars, ChartKind::Curves],
        _ => &[ChartKind::Heatmap],
    }
}

/// Returns the chart of several contests of one action that have no axis, or one common axis.
fn chart_over_contests(contests: &[&[&Answer]]) -> Option<ChartSpec> {
    let path = |cell: &Answer| match cell.axes.as_slice() {
        [] => Some(None),
        [(path, _)] => Some(Some(path.clone())),
        _ => None,
    };
    let (first, others) = contests.split_first()?;
    let axis = path(first[0])?;
    let like = |cells: &&[&Answer]| {
        let (a, b) = (cells[0], first[0]);
        path(a) == Some(axis.clone()) && a.has_same_action(b)
    };
    if others.is_empty() || !others.iter().all(like) {
        return None;
    }
    let by_contest = Some(CONTEST_AXIS_PATH.to_owned());
    let (kind, x, y) = match &axis {
        None => (ChartKind::Forest, by_contest, None),
        Some(_) if contests.len() > MAX_CONTEST_CURVES => {
            (ChartKind::Heatmap, axis.clone(), by_contest)
        }
        Some(_) => (ChartKind::Curves, axis.clone(), by_contest),
    };
    let spec = ChartSpec::of_chart_kind(kind);
    Some(ChartSpec { x, y, ..spec })
}
