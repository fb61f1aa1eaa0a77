//! Shares of the outcomes: stacked along one axis, or one bar per outcome of a single law.

use std::collections::BTreeMap;

use super::data::{self, Axis};
use super::font;
use super::page::{self, Area, Key, Words};
use super::scale::{Scale, stack};
use crate::report::drawing::{Ink, Scene, Side};
use crate::report::words::harm;
use crate::study::answer::Answer;

/// The most parts of a stack; rarer outcomes are put together.
const PARTS: usize = 8;

/// The most bars.
const MOST: usize = 120;

/// Height of the stacks in pixels.
const HEIGHT: i32 = 360;

/// Shares of the outcomes, stacked along `x`.
///
/// # Errors
/// In words, when there is nothing to draw or too much.
pub fn stacked(cells: &[&Answer], x: &Axis, words: &Words) -> Result<Scene, String> {
    let first = cells.first().filter(|first| !first.outcomes.is_empty());
    let first = first.ok_or("there are no outcomes")?;
    if x.len() > MOST {
        let (axis, count) = (&x.path, x.len());
        return Err(format!("{axis} has {count} values; bars show up to {MOST}"));
    }
    let parts = Parts::of(cells);
    let keys = parts.keys(first);
    let step = (900 / x.len() as i32).clamp(10, 78).max(page::widest(&x.labels()).min(56) + 8);
    let scale = Scale::around([100.0].into_iter(), 0.0);
    let before = page::room_for_y(&scale);
    let labels = page::label_height(&x.labels(), step);
    let legend = page::room_for_legend(&keys, LEGEND);
    let height = HEIGHT.max(page::legend_height(&keys));
    let body = (before + step * x.len() as i32 + legend, height + labels + 30);
    let (mut scene, (left, top)) = page::page(words, body);
    let left = left + before;
    let area =
        Area { left, top: top + 6, right: left + step * x.len() as i32, bottom: top + height };
    page::y_axis(&mut scene, area, &scale, "share of the outcomes, %");
    let middle = |i: usize| area.left + i as i32 * step + step / 2;
    for cell in cells {
        if let Some(place) = x.position(cell) {
            bar(&mut scene, area, (middle(place), step * 4 / 5), &parts.shares(cell), &keys);
        }
    }
    page::frame(&mut scene, area);
    let at: Vec<_> = (0..x.len()).map(middle).collect();
    page::x_labels(&mut scene, &x.labels(), &at, area.bottom, step);
    page::x_title(&mut scene, area, area.bottom + labels + 16, &x.title);
    let from_top: Vec<_> = keys.into_iter().rev().collect();
    page::legend(&mut scene, (area.right + 24, area.top), &from_top, LEGEND);
    Ok(scene)
}

const LEGEND: &str = "outcome";

/// One stack about the pixel `middle`, `width` wide.
fn bar(scene: &mut Scene, area: Area, (middle, width): (i32, i32), shares: &[f64], keys: &[Key]) {
    let height = f64::from(area.bottom - area.top);
    let (left, right) = (middle - width / 2, middle + width / 2);
    let mut sum = 0.0;
    for (share, key) in shares.iter().zip(keys) {
        // A law that is more than whole is refused elsewhere; here it must not leave the area.
        let y = |sum: f64| area.bottom - (sum.min(100.0) / 100.0 * height).round() as i32;
        let (bottom, top) = (y(sum), y(sum + share));
        sum += share;
        if top >= bottom {
            continue;
        }
        scene.fill((left, top), (right, bottom), key.ink);
        if width >= 8 {
            scene.frame((left, top), (right, bottom), Ink::BLACK);
        }
        let text = data::percent(*share);
        let fits = font::width(&text, font::SMALL, false) + 4 <= width;
        if fits && bottom - top >= font::SMALL + 3 {
            let at = (middle, (top + bottom) / 2);
            let label = font::label(text, at, Side::Middle).size(font::em(font::SMALL));
            scene.text(label.ink(key.ink.text()));
        }
    }
}

/// Which outcomes have a part of their own.
struct Parts {
    /// Their values, from the bottom of the stack.
    kept: Vec<Vec<i32>>,
    /// Whether there is a part for all others.
    others: bool,
    /// Whether there is a part for what is not settled.
    unsettled: bool,
}

impl Parts {
    fn of(cells: &[&Answer]) -> Parts {
        let mut most: BTreeMap<&[i32], f64> = BTreeMap::new();
        for outcome in cells.iter().flat_map(|cell| &cell.outcomes) {
            let share = most.entry(&outcome.values).or_default();
            *share = share.max(data::share(outcome));
        }
        let mut likeliest: Vec<_> = most.into_iter().filter(|(_, share)| *share > 0.0).collect();
        let others = likeliest.len() > PARTS;
        if others {
            likeliest.sort_by(|a, b| b.1.total_cmp(&a.1));
            likeliest.truncate(PARTS - 1);
        }
        let mut kept: Vec<_> = likeliest.into_iter().map(|(values, _)| values.to_vec()).collect();
        let fields = &cells[0].fields;
        kept.sort_by_cached_key(|values| (harm(fields, values), values.clone()));
        Parts { kept, others, unsettled: cells.iter().any(|cell| unsettled(cell) > 0.0) }
    }

    fn keys(&self, first: &Answer) -> Vec<Key> {
        let mut names: Vec<_> = self.kept.iter().map(|v| data::outcome_name(first, v)).collect();
        names.extend(self.others.then(|| "all others".to_owned()));
        names.extend(self.unsettled.then(|| "not settled".to_owned()));
        let inks = stack(names.len());
        let key = |(name, ink)| Key { name, note: String::new(), ink, line: None };
        names.into_iter().zip(inks).map(key).collect()
    }

    /// The shares of a cell, part by part, in percent.
    fn shares(&self, cell: &Answer) -> Vec<f64> {
        let mut shares = vec![0.0; self.kept.len()];
        let mut others = 0.0;
        for outcome in &cell.outcomes {
            match self.kept.iter().position(|kept| *kept == outcome.values) {
                Some(part) => shares[part] += data::share(outcome),
                None => others += data::share(outcome),
            }
        }
        shares.extend(self.others.then_some(others));
        shares.extend(self.unsettled.then(|| unsettled(cell)));
        shares
    }
}

/// The share that is not settled, in percent.
fn unsettled(cell: &Answer) -> f64 {
    let simulated = cell.unsettled_trials as f64 / cell.trials.max(1) as f64;
    let share = cell.unsettled.unwrap_or(simulated);
    if share.is_finite() { 100.0 * share.clamp(0.0, 1.0) } else { 0.0 }
}

/// The most outcomes of a single law that get a bar.
const LAW: usize = 30;

/// Outcomes below this share, in percent, have no bar that could be seen.
const RARE: f64 = 0.05;

/// One bar per outcome of a law, the likeliest only when there are many.
///
/// # Errors
/// In words, when there is nothing to draw.
pub fn law(cell: &Answer, words: &Words) -> Result<Scene, String> {
    let rows = law_rows(cell);
    if rows.is_empty() {
        return Err("there are no outcomes".to_owned());
    }
    let names: Vec<_> = rows.iter().map(|(name, _)| name.clone()).collect();
    let before = page::widest(&names).min(300) + 12;
    let (step, width) = (28, 460);
    let body = (before + width + 70, step * rows.len() as i32 + 56);
    let (mut scene, (left, top)) = page::page(words, body);
    let left = left + before;
    let area = Area { left, top, right: left + width, bottom: top + step * rows.len() as i32 };
    let scale = Scale::around(rows.iter().map(|(_, share)| *share), 0.0);
    for (row, (name, share)) in rows.iter().enumerate() {
        let y = area.top + row as i32 * step + step / 2;
        let name = font::fitted(name, font::SIZE, 300);
        scene.text(font::label(name, (left - 8, y), Side::Right));
        let end = scale.pixel(*share, area.left, area.right).max(left + 1);
        scene.fill((left, y - 10), (end, y + 10), super::scale::heat(0.62));
        let text = data::percent(*share);
        scene.text(font::label(text, (end + 6, y), Side::Left));
    }
    page::x_axis(&mut scene, area, &scale, "share of the outcomes, %");
    Ok(scene)
}

/// Name and share of each row, the worst outcome last; what is rare is one row.
fn law_rows(cell: &Answer) -> Vec<(String, f64)> {
    let mut outcomes: Vec<_> = cell.outcomes.iter().collect();
    outcomes.sort_by_cached_key(|outcome| harm(&cell.fields, &outcome.values));
    let mut sorted: Vec<_> = cell.outcomes.iter().map(data::share).collect();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let floor = sorted.get(LAW - 1).map_or(RARE, |&least| least.max(RARE));
    let (mut rows, mut others, mut rest) = (Vec::new(), 0, 0.0);
    for outcome in outcomes {
        let share = data::share(outcome);
        if share >= floor && rows.len() < LAW {
            rows.push((data::outcome_name(cell, &outcome.values), share));
        } else if share > 0.0 {
            others += 1;
            rest += share;
        }
    }
    if others > 0 {
        rows.push((format!("{others} others"), rest));
    }
    if unsettled(cell) > 0.0 {
        rows.push(("not settled".to_owned(), unsettled(cell)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn the_parts_of_a_stack_make_a_hundred() {
        let mut answers = fixture::grid();
        let template = answers[0].outcomes[0].clone();
        for answer in &mut answers {
            answer.unsettled = Some(0.05);
            answer.outcomes = (1..=19)
                .map(|i| {
                    let mut outcome = template.clone();
                    outcome.values = vec![i, 0];
                    outcome.exact = Some(f64::from(i) / 200.0);
                    outcome
                })
                .collect();
        }
        let cells: Vec<_> = answers.iter().collect();
        let parts = Parts::of(&cells);
        // 19 outcomes: the seven likeliest, all others, not settled.
        assert_eq!(
            parts.kept.iter().map(|v| v[0]).collect::<Vec<_>>(),
            [13, 14, 15, 16, 17, 18, 19]
        );
        let shares = parts.shares(cells[0]);
        assert_eq!(shares.len(), 9);
        assert!((shares.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        assert!((shares[7] - 39.0).abs() < 1e-9);
        assert_eq!(parts.keys(cells[0]).len(), 9);
    }
}
