//! Pareto front of two measures, as points: the price of more of one in the other.

use super::scatter::{Point, Scatter};
use super::{Drawing, Words};
use crate::answers::digest::{Digest, Gist};
use crate::headline_measure::value;
use crate::text::labels;
use crate::text::sentences;
use enfilade_model::combat::MeasureHead;
use enfilade_model::form::sanitize::grouped;
use enfilade_study::answer::Answer;
use enfilade_study::search::Goal;

/// Draws the front of every contest that has cells on it, for the first two goals and, if there is
/// a third, for the third against the first.
pub fn drawings(digest: &Digest, goals: &[Goal]) -> Vec<Drawing> {
    let (Some(first), rest) = (goals.first(), goals.get(1..).unwrap_or_default()) else {
        return Vec::new();
    };
    let pairs = |gist| rest.iter().filter_map(move |goal| drawing(gist, [first, goal]));
    digest.contests.iter().flat_map(pairs).collect()
}

fn drawing(gist: &Gist, goals: [&Goal; 2]) -> Option<Drawing> {
    let cells = gist.head();
    let [x, y] = goals.map(|goal| cells.iter().find_map(|cell| cell.measure(&goal.measure)));
    let (x, y) = (&*x?.head, &*y?.head);
    let at = |cell: &Answer, head: &MeasureHead| {
        let factor = head.kind.display();
        cell.measure(&head.name).and_then(value).map(|value| value * factor)
    };
    let point = |cell: &Answer| {
        let name = sentences::place_among(cell, cells);
        let (x, y) = (at(cell, x)?, at(cell, y)?);
        // Names on a front are placed from its far end on, each above the one before, because it
        // ends in a corner.
        Some(Point { name, x, y, interval: None, weight: x })
    };
    let mut points: Vec<_> = cells.iter().filter_map(|cell| point(cell)).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    let side = |head: &MeasureHead, goal: &Goal| {
        let wish = if goal.least { "less is better" } else { "more is better" };
        format!("{} ({wish})", labels::measure_with_unit(head))
    };
    let scatter = Scatter {
        points,
        x_title: side(x, goals[0]),
        y_title: side(y, goals[1]),
        ..Scatter::default()
    };
    let called = labels::capitalised(&labels::measure(x));
    let title = format!("{called} against {}: what no other cell beats", labels::measure(y));
    let all = grouped(gist.cells);
    let shown = match gist.is_whole() {
        true => format!("The {all} cells on the front"),
        false => format!("{} of the {all} cells on the front", cells.len()),
    };
    let caption = format!("{shown}. Every other cell is matched or beaten by one of these.");
    let subtitle = format!("{}; {}", x.about, y.about);
    let words = Words { title: title.clone(), subtitle, caption: caption.clone() };
    let scene = scatter.draw(&words).ok()?;
    let name = format!("{}-front-{}-{}", gist.contest + 1, x.name, y.name);
    Some(Drawing { name, contest: gist.contest, title, caption, scene })
}
