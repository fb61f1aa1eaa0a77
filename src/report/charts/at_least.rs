//! The probability of at least k, by k, with mean and median marked.

use super::curves::{self, spread};
use super::data;
use super::page::{self, Area, Key, Words};
use super::scale::Scale;
use super::scene::Scene;
use crate::report::words;
use crate::study::answer::Answer;

/// The most curves.
const MOST: usize = 6;

/// The widest range of k.
const WIDEST: i64 = 2000;

/// Width and height of the area in pixels.
const SIZE: (i32, i32) = (560, 360);

/// One curve per cell for the outcome field `field`; `None` when there is nothing to draw.
pub fn draw(cells: &[&Answer], field: &str, words: &Words) -> Option<Scene> {
    let drawn = spread(cells.len(), MOST);
    let law = |&index: &usize| Tail::of(cells[index], field);
    let tails: Vec<_> = drawn.iter().filter_map(law).collect();
    let low = tails.iter().map(|tail| tail.low).min()?;
    let high = tails.iter().map(Tail::high).max()?;
    if high - low > WIDEST {
        return None;
    }
    let up = Scale::around([100.0].into_iter(), 0.0);
    let across = Scale::around([low as f64, high as f64].into_iter(), low as f64);
    let key = |(place, tail): (usize, &Tail)| curves::key(tail.said(), place, tails.len());
    let keys: Vec<_> = tails.iter().enumerate().map(key).collect();
    let before = page::room_for_y(&up);
    let legend = page::room_for_legend(&keys, LEGEND);
    let (mut scene, (left, top)) = page::page(words, (before + SIZE.0 + legend, SIZE.1 + 56));
    let left = left + before;
    let area = Area {
        left,
        top: top + 6,
        right: left + SIZE.0,
        bottom: top + SIZE.1,
    };
    page::y_axis(&mut scene, area, &up, "probability of at least k, %");
    page::x_axis(
        &mut scene,
        area,
        &across,
        &format!("k: {}", about(cells, field)),
    );
    for (tail, key) in tails.iter().zip(&keys) {
        tail.draw(&mut scene, area, (&across, &up), key);
    }
    page::legend(&mut scene, (area.right + 24, area.top), &keys, LEGEND);
    Some(scene)
}

/// What the field counts, in the words of its action.
fn about(cells: &[&Answer], field: &str) -> String {
    let mut heads = cells.iter().flat_map(|cell| &cell.fields);
    let head = heads.find(|head| head.name == field);
    head.map_or(field, |head| head.about).to_owned()
}

const LEGEND: &str = "mean, median";

/// The law of one field as P(at least k).
struct Tail {
    place: String,
    low: i64,
    /// P(at least low + i) in percent.
    at_least: Vec<f64>,
    mean: f64,
    median: i64,
}

impl Tail {
    fn of(cell: &Answer, field: &str) -> Option<Tail> {
        let column = cell.fields.iter().position(|head| head.name == field)?;
        let value = |values: &[i32]| i64::from(values[column]);
        let low = cell.outcomes.iter().map(|o| value(&o.values)).min()?;
        let high = cell.outcomes.iter().map(|o| value(&o.values)).max()?;
        if high - low > WIDEST {
            return None;
        }
        let mut at_least = vec![0.0; usize::try_from(high - low).ok()? + 1];
        for outcome in &cell.outcomes {
            at_least[usize::try_from(value(&outcome.values) - low).ok()?] += data::share(outcome);
        }
        let total: f64 = at_least.iter().sum();
        let mean = at_least
            .iter()
            .zip(low..)
            .map(|(share, k)| share * k as f64)
            .sum::<f64>();
        for i in (1..at_least.len()).rev() {
            at_least[i - 1] += at_least[i];
        }
        // The largest k that is reached at least half of the time.
        let half = at_least.iter().rposition(|&share| share >= total / 2.0);
        Some(Tail {
            place: words::place(cell),
            low,
            median: low + half.unwrap_or(0) as i64,
            at_least,
            mean: if total > 0.0 { mean / total } else { 0.0 },
        })
    }

    fn high(&self) -> i64 {
        self.low + self.at_least.len() as i64 - 1
    }

    fn said(&self) -> String {
        format!("{}: {:.2}, {}", self.place, self.mean, self.median)
    }

    fn draw(&self, scene: &mut Scene, area: Area, (across, up): (&Scale, &Scale), key: &Key) {
        let x = |k: f64| across.pixel(k, area.left, area.right);
        let y = |share| up.pixel(share, area.bottom, area.top);
        let points = self.at_least.iter().zip(self.low..);
        let points: Vec<_> = points.map(|(share, k)| (x(k as f64), y(*share))).collect();
        scene.dashed(&points, key.line.unwrap_or(&[]), key.ink, 2);
        if points.len() <= 60 {
            for point in &points {
                scene.dot(*point, 3, key.ink);
            }
        }
        let median = usize::try_from(self.median - self.low).unwrap_or(0);
        scene.dot(points[median], 7, key.ink);
        let foot = vec![
            (x(self.mean), area.bottom),
            (x(self.mean), area.bottom - 18),
        ];
        scene.line(foot, key.ink, 3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    /// 20, 12 and 4 of 36 at 0, 1 and 2: at least 1 in 16, at least 2 in 4; mean 20/36, median 0.
    #[test]
    fn tails_add_up_from_the_top() {
        let mut answer = fixture::answer(Vec::new(), 4, 12);
        for (outcome, value) in answer.outcomes.iter_mut().zip([0, 1, 2]) {
            outcome.values = vec![value, 0];
        }
        let tail = Tail::of(&answer, "eliminated").expect("there is such a field");
        let expected = [100.0, 1600.0 / 36.0, 400.0 / 36.0];
        assert!(
            tail.at_least
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-9)
        );
        assert!((tail.mean - 20.0 / 36.0).abs() < 1e-9);
        assert_eq!(tail.median, 0);
        assert!(Tail::of(&answer, "routed").is_none());
    }
}
