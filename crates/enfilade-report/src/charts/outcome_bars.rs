//! One distribution as bars, with "this or worse" beside them; two distributions row by row.

use super::axis_scale::Scale;
use super::outcome_bands::{Bands, NOTHING, open_words, unsettled};
use super::plot_frame::{self, Area, Words};
use super::{chart_data, text_layout};
use crate::drawing::{Ink, Scene, Side};
use crate::text::labels;
use crate::text::sentences::{clean, harm};
use enfilade_study::answer::Answer;

/// The largest number of outcomes with a bar each; of more, each band of harm has one.
const OUTCOMES: usize = 12;

/// The largest number of bars.
const MOST: usize = 30;

/// Height of a row with one bar, and width of a panel, in pixels.
const SIZE: (i32, i32) = (28, 300);

/// The longest name.
const NAME: i32 = 300;

/// The share, in percent, below which a bar would be too short to see.
const RARE: f64 = 0.05;

/// One row: a name, its colour, and its share in each distribution, in percent.
struct Row {
    name: String,
    ink: Ink,
    shares: Vec<f64>,
}

/// Draws the distribution of a cell, from the best to the worst.
///
/// # Errors
/// A sentence, if there is nothing to draw.
pub fn one(cell: &Answer, words: &Words) -> Result<Scene, String> {
    let bands = Bands::of(&[cell]);
    let rows = rows(cell, &bands);
    if rows.is_empty() {
        return Err("there are no outcomes".to_owned());
    }
    let mut panels = vec![Panel { title: "exactly this, %".to_owned(), bars: shares(&rows, 0) }];
    if let Some(title) = cumulated(cell, &bands) {
        panels.push(Panel { title: title.to_owned(), bars: vec![or_further(&rows)] });
    }
    Ok(draw(&rows, &panels, &[], words))
}

/// Draws two distributions of one action, band by band, the first light and the second dark.
///
/// # Errors
/// A sentence, if there is nothing to draw.
pub fn two(cells: [&Answer; 2], names: [&str; 2], words: &Words) -> Result<Scene, String> {
    let bands = Bands::of(&cells);
    let parts = cells.map(|cell| bands.shares(cell));
    let row = |(at, band): (usize, &super::outcome_bands::Band)| Row {
        name: band.name.clone(),
        ink: band.ink,
        shares: parts.iter().map(|shares| shares[at]).collect(),
    };
    let rows: Vec<_> = bands.bands.iter().enumerate().map(row).collect();
    if rows.is_empty() {
        return Err("there are no outcomes".to_owned());
    }
    let panel = Panel {
        title: "how often, %".to_owned(),
        bars: [0, 1].map(|at| column(&rows, at)).to_vec(),
    };
    let keys = [(LIGHT, names[0]), (DARK, names[1])].map(|(ink, name)| (ink, clean(name)));
    Ok(draw(&rows, &[panel], &keys, words))
}

/// The colour of the first and, below, of the second distribution.
const LIGHT: Ink = Ink(0xb5, 0xc9, 0x9a);
const DARK: Ink = Ink(0x35, 0x5f, 0x8d);

/// Bars side by side, one set for each distribution.
struct Panel {
    title: String,
    bars: Vec<Vec<f64>>,
}

fn column(rows: &[Row], at: usize) -> Vec<f64> {
    rows.iter().map(|row| row.shares[at]).collect()
}

fn shares(rows: &[Row], at: usize) -> Vec<Vec<f64>> {
    vec![column(rows, at)]
}

/// Sums each row and all further ones. Bands of several outcomes and the unfinished share are
/// outside this order.
fn or_further(rows: &[Row]) -> Vec<f64> {
    let mut sums = column(rows, 0);
    for at in (1..sums.len()).rev() {
        sums[at - 1] += sums[at];
    }
    sums.iter().map(|sum| sum.min(100.0)).collect()
}

/// Returns the title of the sums from each row on; `None` if the rows have no order or not all are
/// shown.
fn cumulated(cell: &Answer, bands: &Bands) -> Option<&'static str> {
    if unsettled(cell) > 0.0 {
        return None;
    }
    match (bands.are_ordered(), cell.fields.len()) {
        (true, _) => Some("this or worse, %"),
        (false, 1) if cell.outcomes.len() <= MOST => Some("at least this, %"),
        _ => None,
    }
}

/// Builds the rows of one distribution: its outcomes if they are few, its bands if they are many.
fn rows(cell: &Answer, bands: &Bands) -> Vec<Row> {
    let likely = cell.outcomes.iter().filter(|outcome| chart_data::share(outcome) > 0.0);
    let mut outcomes: Vec<_> = likely.collect();
    if bands.are_ordered() && outcomes.len() > OUTCOMES {
        let row = |(band, share): (&super::outcome_bands::Band, f64)| Row {
            name: band.name.clone(),
            ink: band.ink,
            shares: vec![share],
        };
        return bands.bands.iter().zip(bands.shares(cell)).map(row).collect();
    }
    outcomes.sort_by_cached_key(|outcome| {
        (harm(&cell.fields, &outcome.values), outcome.values.clone())
    });
    let mut sorted: Vec<_> = outcomes.iter().map(|outcome| chart_data::share(outcome)).collect();
    sorted.sort_by(|a, b| b.total_cmp(a));
    // Sums from each row on need all rows; otherwise only the likeliest rows are shown.
    let floor = match bands.are_ordered() || cell.fields.len() == 1 {
        true if outcomes.len() <= MOST => 0.0,
        _ => sorted.get(MOST - 1).map_or(RARE, |&least| least.max(RARE)),
    };
    let (shown, rare): (Vec<_>, Vec<_>) =
        outcomes.into_iter().partition(|outcome| chart_data::share(outcome) >= floor);
    let mut rows: Vec<_> = shown
        .into_iter()
        .map(|outcome| Row {
            name: clean(&labels::outcome(&cell.fields, &outcome.values)),
            ink: bands.ink(&cell.fields, &outcome.values),
            shares: vec![chart_data::share(outcome)],
        })
        .collect();
    let plain = |name: String, share| Row { name, ink: NOTHING, shares: vec![share] };
    if !rare.is_empty() {
        let rest = rare.iter().map(|outcome| chart_data::share(outcome)).sum();
        rows.push(plain(format!("{} others", rare.len()), rest));
    }
    if unsettled(cell) > 0.0 {
        rows.push(plain(open_words([cell]).to_owned(), unsettled(cell)));
    }
    rows
}

fn draw(rows: &[Row], panels: &[Panel], keys: &[(Ink, String)], words: &Words) -> Scene {
    let names: Vec<_> = rows.iter().map(|row| row.name.clone()).collect();
    let before = plot_frame::widest(&names).min(NAME) + 12;
    let bars = panels[0].bars.len() as i32;
    let step = SIZE.0 + 16 * (bars - 1);
    let above = if keys.is_empty() { 0 } else { 28 };
    let each = SIZE.1 + 70;
    let body = (before + each * panels.len() as i32, above + step * rows.len() as i32 + 56);
    let (mut scene, (left, top)) = plot_frame::page(words, body);
    plot_frame::keys(&mut scene, (left + before, top + 8), keys);
    let (top, bottom) = (top + above, top + above + step * rows.len() as i32);
    for (at, row) in (0..).zip(rows) {
        let name = text_layout::fitted(&row.name, text_layout::SIZE, NAME);
        let y = top + at * step + step / 2;
        scene.text(text_layout::label(name, (left + before - 8, y), Side::Right));
    }
    for (at, panel) in (0..).zip(panels) {
        let left = left + before + at * each;
        let area = Area { left, top, right: left + SIZE.1, bottom };
        panel.draw(&mut scene, area, rows);
    }
    scene
}

impl Panel {
    fn draw(&self, scene: &mut Scene, area: Area, rows: &[Row]) {
        let scale = Scale::around(self.bars.iter().flatten().copied(), 0.0);
        let step = (area.bottom - area.top) / rows.len() as i32;
        let own = (step - 8) / self.bars.len() as i32;
        for (row, place) in rows.iter().zip(0..) {
            for (law, bars) in (0..).zip(&self.bars) {
                let ink =
                    if self.bars.len() == 1 { row.ink } else { [LIGHT, DARK][law as usize % 2] };
                let top = area.top + place * step + 4 + law * own;
                let share = bars[place as usize];
                // Every possible outcome has a visible bar.
                let end = scale.pixel(share, area.left, area.right).max(area.left + 1);
                scene.fill((area.left, top), (end, top + own), ink);
                scene.frame((area.left, top), (end, top + own), Ink::BLACK);
                let at = (end + 6, top + own / 2);
                scene.text(text_layout::label(chart_data::percent(share), at, Side::Left));
            }
        }
        plot_frame::x_axis(scene, area, &scale, &self.title);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    fn texts(scene: &Scene) -> Vec<&str> {
        scene.labels().map(|label| label.text.as_str()).collect()
    }

    /// 20, 12 and 4 of 36: at least broken in 16, eliminated in 4.
    #[test]
    fn a_law_is_told_from_the_best_with_what_is_worse() {
        let cell = test_answers::answer(Vec::new(), 4, 12);
        let scene = one(&cell, &Words::default()).expect("there is a law");
        let texts = texts(&scene);
        let at = |text: &str| texts.iter().position(|known| *known == text);
        for shown in ["55.6", "33.3", "11.1", "100", "44.4", "this or worse, %"] {
            assert!(at(shown).is_some(), "{shown} in {texts:?}");
        }
        assert!(
            at("nothing") < at("1 squad broken") && at("1 squad broken") < at("1 squad eliminated")
        );
    }

    #[test]
    fn two_laws_stand_row_by_row() {
        let cells =
            [test_answers::answer(Vec::new(), 4, 12), test_answers::answer(Vec::new(), 8, 12)];
        let scene = two([&cells[0], &cells[1]], ["now", "then"], &Words::default());
        let scene = scene.expect("there are laws");
        let texts = texts(&scene);
        for shown in ["now", "then", "no effect", "break", "kill", "11.1", "22.2"] {
            assert!(texts.contains(&shown), "{shown} in {texts:?}");
        }
    }
}
