//! Pareto front of two measures, as points: the price of more of one in the other.

use super::scatter::{ScatterPlot, ScatterPlotPoint};
use super::{ChartDrawing, ChartTitleAndCaption};
use crate::answers::grid_digest::{ContestDigest, LargeRunDigest};
use crate::headline_measure::measure_best_value;
use crate::text::labels;
use crate::text::sentences;
use enfilade_model::combat::MeasureHead;
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::Answer;
use enfilade_study::search::MeasureGoal;

/// Draws the front of every contest that has cells on it, for the first two goals and, if there is
/// a third, for the third against the first.
pub fn draw_pareto_fronts(digest: &LargeRunDigest, goals: &[MeasureGoal]) -> Vec<ChartDrawing> {
    let (Some(first), rest) = (goals.first(), goals.get(1..).unwrap_or_default()) else {
        return Vec::new();
    };
    let pairs = |gist| rest.iter().filter_map(move |goal| draw_pareto_front(gist, [first, goal]));
    digest.contests.iter().flat_map(pairs).collect()
}

fn draw_pareto_front(gist: &ContestDigest, goals: [&MeasureGoal; 2]) -> Option<ChartDrawing> {
    let cells = gist.cells_at_grid_start();
    let [x, y] =
        goals.map(|goal| cells.iter().find_map(|cell| cell.measure_answer_by_name(&goal.measure)));
    let (x, y) = (&*x?.head, &*y?.head);
    let at = |cell: &Answer, head: &MeasureHead| {
        let factor = head.kind.display_factor();
        cell.measure_answer_by_name(&head.name)
            .and_then(measure_best_value)
            .map(|value| value * factor)
    };
    let point = |cell: &Answer| {
        let name = sentences::cell_place_among_others(cell, cells);
        let (x, y) = (at(cell, x)?, at(cell, y)?);
        // Names on a front are placed from its far end on, each above the one before, because it
        // ends in a corner.
        Some(ScatterPlotPoint { name, x, y, interval: None, weight: x })
    };
    let mut points: Vec<_> = cells.iter().filter_map(|cell| point(cell)).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    let side = |head: &MeasureHead, goal: &MeasureGoal| {
        let wish = if goal.least { "less is better" } else { "more is better" };
        format!("{} ({wish})", labels::measure_label_with_unit(head))
    };
    let scatter = ScatterPlot {
        points,
        x_title: side(x, goals[0]),
        y_title: side(y, goals[1]),
        ..ScatterPlot::default()
    };
    let called = labels::capitalize_first(&labels::measure_label(x));
    let title = format!("{called} against {}: what no other cell beats", labels::measure_label(y));
    let all = group_digits(gist.cells);
    let shown = match gist.has_all_cells_of_contest() {
        true => format!("The {all} cells on the front"),
        false => format!("{} of the {all} cells on the front", cells.len()),
    };
    let caption = format!("{shown}. Every other cell is matched or beaten by one of these.");
    let subtitle = format!("{}; {}", x.about, y.about);
    let words = ChartTitleAndCaption { title: title.clone(), subtitle, caption: caption.clone() };
    let scene = scatter.draw_scatter_plot(&words).ok()?;
    let name = format!("{}-front-{}-{}", gist.contest + 1, x.name, y.name);
    Some(ChartDrawing { name, contest: gist.contest, title, caption, scene })
}
