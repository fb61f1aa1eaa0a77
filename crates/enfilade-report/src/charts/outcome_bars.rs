//! One distribution as bars, with "this or worse" beside them; two distributions row by row.

use super::axis_scale::AxisScale;
use super::outcome_bands::{
    NO_EFFECT_COLOR, OutcomeStackBands, unfinished_label, unfinished_percent,
};
use super::plot_frame::{self, ChartTitleAndCaption, PlotArea};
use super::{chart_data, text_layout};
use crate::answers::show_distributions::{self, OutcomeFieldDistribution};
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};
use crate::text::labels;
use crate::text::sentences::{replace_control_chars, sort_key_by_harm};
use enfilade_study::answer::Answer;

/// The largest number of outcomes with a bar each; of more, each band of harm has one.
const MAX_OUTCOMES_WITH_BARS: usize = 12;

/// The largest number of bars, unless there are many shows.
const MAX_OUTCOME_BAR_ROWS: usize = 30;

/// The number of bars that every show has room for.
const MIN_ROWS_OF_SHOW: usize = 4;

/// Height of a row with one bar, and width of a panel, in pixels.
const ROW_AND_PANEL_SIZE: (i32, i32) = (28, 300);

/// The longest name.
const MAX_ROW_NAME_WIDTH: i32 = 300;

/// The share, in percent, below which a bar would be too short to see.
const MIN_VISIBLE_PERCENT: f64 = 0.05;

/// One row: a name, its colour, and its share in each distribution, in percent.
struct SharesOfOneOutcome {
    name: String,
    ink: RgbColor,
    shares: Vec<f64>,
}

/// Draws the distribution of a cell, from the best to the worst.
///
/// # Errors
/// A sentence, if there is nothing to draw.
pub fn draw_distribution(cell: &Answer, words: &ChartTitleAndCaption) -> Result<Scene, String> {
    let bands = OutcomeStackBands::from_cells_of_action(&[cell]);
    let rows = outcome_or_band_rows(cell, &bands);
    if rows.is_empty() {
        return Err("there are no outcomes".to_owned());
    }
    let mut panels = vec![SideBySideBarsPanel {
        title: "exactly this, %".to_owned(),
        bars: single_set_of_bars(&rows, 0),
    }];
    if let Some(title) = cumulative_column_title(cell, &bands) {
        panels.push(SideBySideBarsPanel {
            title: title.to_owned(),
            bars: vec![sums_from_each_row_on(&rows)],
        });
    }
    Ok(draw_panels(&rows, &panels, &[], words))
}

/// Draws two distributions of one action, band by band, the first light and the second dark.
///
/// # Errors
/// A sentence, if there is nothing to draw.
pub fn draw_two_distributions(
    cells: [&Answer; 2],
    names: [&str; 2],
    words: &ChartTitleAndCaption,
) -> Result<Scene, String> {
    let bands = OutcomeStackBands::from_cells_of_action(&cells);
    let parts = cells.map(|cell| bands.band_shares_of_cell(cell));
    let row = |(at, band): (usize, &super::outcome_bands::OutcomeStackBand)| SharesOfOneOutcome {
        name: band.name.clone(),
        ink: band.ink,
        shares: parts.iter().map(|shares| shares[at]).collect(),
    };
    let rows: Vec<_> = bands.bands.iter().enumerate().map(row).collect();
    if rows.is_empty() {
        return Err("there are no outcomes".to_owned());
    }
    let panel = SideBySideBarsPanel {
        title: "how often, %".to_owned(),
        bars: [0, 1].map(|at| shares_in_distribution(&rows, at)).to_vec(),
    };
    let keys = [(FIRST_OF_TWO_COLOR, names[0]), (SECOND_OF_TWO_COLOR, names[1])]
        .map(|(ink, name)| (ink, replace_control_chars(name)));
    Ok(draw_panels(&rows, &[panel], &keys, words))
}

/// The colour of the first and, below, of the second distribution.
const FIRST_OF_TWO_COLOR: RgbColor = RgbColor(0xb5, 0xc9, 0x9a);
const SECOND_OF_TWO_COLOR: RgbColor = RgbColor(0x35, 0x5f, 0x8d);

/// Bars side by side, one set for each distribution.
struct SideBySideBarsPanel {
    title: String,
    bars: Vec<Vec<f64>>,
}

fn shares_in_distribution(rows: &[SharesOfOneOutcome], at: usize) -> Vec<f64> {
    rows.iter().map(|row| row.shares[at]).collect()
}

fn single_set_of_bars(rows: &[SharesOfOneOutcome], at: usize) -> Vec<Vec<f64>> {
    vec![shares_in_distribution(rows, at)]
}

/// Sums each row and all further ones. Bands of several outcomes and the unfinished share are
/// outside this order.
fn sums_from_each_row_on(rows: &[SharesOfOneOutcome]) -> Vec<f64> {
    let mut sums = shares_in_distribution(rows, 0);
    for at in (1..sums.len()).rev() {
        sums[at - 1] += sums[at];
    }
    sums.iter().map(|sum| sum.min(100.0)).collect()
}

/// Returns the title of the sums from each row on; `None` if the rows have no order.
fn cumulative_column_title(cell: &Answer, bands: &OutcomeStackBands) -> Option<&'static str> {
    if unfinished_percent(cell) > 0.0 {
        return None;
    }
    match (bands.are_ordered_by_harm(), cell.fields.len()) {
        (true, _) => Some("this or worse, %"),
        (false, 1) => Some("at least this, %"),
        _ => None,
    }
}

/// Builds the rows of one distribution: its outcomes if they are few; if they are many, its bands
/// of harm, and without harm each show alone.
fn outcome_or_band_rows(cell: &Answer, bands: &OutcomeStackBands) -> Vec<SharesOfOneOutcome> {
    let likely = cell.outcomes.iter().filter(|outcome| chart_data::outcome_percent(outcome) > 0.0);
    let mut outcomes: Vec<_> = likely.collect();
    if bands.are_ordered_by_harm() && outcomes.len() > MAX_OUTCOMES_WITH_BARS {
        let row = |(band, share): (&super::outcome_bands::OutcomeStackBand, f64)| {
            SharesOfOneOutcome { name: band.name.clone(), ink: band.ink, shares: vec![share] }
        };
        return bands.bands.iter().zip(bands.band_shares_of_cell(cell)).map(row).collect();
    }
    // A joint list of many says little, and its rare rows together would be the longest bar.
    let is_long = match cell.fields.len() {
        1 => outcomes.len() > MAX_OUTCOME_BAR_ROWS,
        _ => show_distributions::are_marginals_shown_first(cell),
    };
    if is_long && !bands.are_ordered_by_harm() {
        return rows_of_each_show_separately(cell);
    }
    outcomes.sort_by_cached_key(|outcome| {
        (sort_key_by_harm(&cell.fields, &outcome.values), outcome.values.clone())
    });
    // Sums from each row on need all rows; otherwise those too short to see are put together.
    let floor = match bands.are_ordered_by_harm() || cell.fields.len() == 1 {
        true => 0.0,
        false => MIN_VISIBLE_PERCENT,
    };
    let (shown, rare): (Vec<_>, Vec<_>) =
        outcomes.into_iter().partition(|outcome| chart_data::outcome_percent(outcome) >= floor);
    let mut rows: Vec<_> = shown
        .into_iter()
        .map(|outcome| SharesOfOneOutcome {
            name: replace_control_chars(&labels::describe_outcome(&cell.fields, &outcome.values)),
            ink: bands.color_of_outcome(&cell.fields, &outcome.values),
            shares: vec![chart_data::outcome_percent(outcome)],
        })
        .collect();
    if !rare.is_empty() {
        let rest = rare.iter().map(|outcome| chart_data::outcome_percent(outcome)).sum();
        rows.push(row_in_no_effect_color(format!("{} others", rare.len()), rest));
    }
    rows.extend(unfinished_row(cell));
    rows
}

fn row_in_no_effect_color(name: String, share: f64) -> SharesOfOneOutcome {
    SharesOfOneOutcome { name, ink: NO_EFFECT_COLOR, shares: vec![share] }
}

fn unfinished_row(cell: &Answer) -> Option<SharesOfOneOutcome> {
    let open = unfinished_percent(cell);
    (open > 0.0).then(|| row_in_no_effect_color(unfinished_label([cell]).to_owned(), open))
}

/// Builds the rows of every show alone: one of a show that happens or does not, and at most so
/// many of a number that all have room.
fn rows_of_each_show_separately(cell: &Answer) -> Vec<SharesOfOneOutcome> {
    let laws = show_distributions::distributions_of_shows(cell);
    let room = (MAX_OUTCOME_BAR_ROWS / laws.len()).max(MIN_ROWS_OF_SHOW);
    let rows = laws.iter().flat_map(|law| match law.values.iter().all(|of| of.value == 0) {
        true => Vec::new(),
        false => rows_of_show(law, room, laws.len() == 1),
    });
    rows.chain(unfinished_row(cell)).collect()
}

/// Builds the rows of one show: ranges of as many values each as make at most `room` rows.
fn rows_of_show(
    law: &OutcomeFieldDistribution,
    room: usize,
    is_only: bool,
) -> Vec<SharesOfOneOutcome> {
    let (Some(first), Some(last)) = (law.values.first(), law.values.last()) else {
        return Vec::new();
    };
    if first.value >= 0 && last.value == 1 {
        return vec![row_in_no_effect_color(law.label.clone(), 100.0 * law.share_of_values(1, 1))];
    }
    let (first, last) = (i64::from(first.value), i64::from(last.value));
    let width = 1 + (last - first) / room as i64;
    let ranges = (0..room as i64).map(|at| first + at * width).take_while(|low| *low <= last);
    let row = |low: i64| {
        let high = last.min(low + width - 1);
        let range = if low == high { low.to_string() } else { format!("{low} to {high}") };
        let name = if is_only { range } else { format!("{}: {range}", law.label) };
        row_in_no_effect_color(name, 100.0 * law.share_of_values(low, high))
    };
    ranges.map(row).collect()
}

fn draw_panels(
    rows: &[SharesOfOneOutcome],
    panels: &[SideBySideBarsPanel],
    keys: &[(RgbColor, String)],
    words: &ChartTitleAndCaption,
) -> Scene {
    let names: Vec<_> = rows.iter().map(|row| row.name.clone()).collect();
    let before = plot_frame::width_of_widest_text(&names).min(MAX_ROW_NAME_WIDTH) + 12;
    let bars = panels[0].bars.len() as i32;
    let step = ROW_AND_PANEL_SIZE.0 + 16 * (bars - 1);
    let above = if keys.is_empty() { 0 } else { 28 };
    let each = ROW_AND_PANEL_SIZE.1 + 70;
    let body = (before + each * panels.len() as i32, above + step * rows.len() as i32 + 56);
    let (mut scene, (left, top)) = plot_frame::new_chart_page(words, body);
    plot_frame::draw_row_of_keys(&mut scene, (left + before, top + 8), keys);
    let (top, bottom) = (top + above, top + above + step * rows.len() as i32);
    for (at, row) in (0..).zip(rows) {
        let name = text_layout::truncate_to_room(
            &row.name,
            text_layout::ORDINARY_TEXT_HEIGHT,
            MAX_ROW_NAME_WIDTH,
        );
        let y = top + at * step + step / 2;
        scene.add_text(text_layout::new_label(
            name,
            (left + before - 8, y),
            HorizontalTextAnchor::Right,
        ));
    }
    for (at, panel) in (0..).zip(panels) {
        let left = left + before + at * each;
        let area = PlotArea { left, top, right: left + ROW_AND_PANEL_SIZE.1, bottom };
        panel.draw_bars(&mut scene, area, rows);
    }
    scene
}

impl SideBySideBarsPanel {
    fn draw_bars(&self, scene: &mut Scene, area: PlotArea, rows: &[SharesOfOneOutcome]) {
        let scale = AxisScale::with_round_ends(self.bars.iter().flatten().copied(), 0.0);
        let step = (area.bottom - area.top) / rows.len() as i32;
        let own = (step - 8) / self.bars.len() as i32;
        for (row, place) in rows.iter().zip(0..) {
            for (law, bars) in (0..).zip(&self.bars) {
                let ink = if self.bars.len() == 1 {
                    row.ink
                } else {
                    [FIRST_OF_TWO_COLOR, SECOND_OF_TWO_COLOR][law as usize % 2]
                };
                let top = area.top + place * step + 4 + law * own;
                let share = bars[place as usize];
                // Every possible outcome has a visible bar.
                let end = scale.pixel_of(share, area.left, area.right).max(area.left + 1);
                scene.fill_rectangle((area.left, top), (end, top + own), ink);
                scene.outline_rectangle(
                    (area.left, top),
                    (end, top + own),
                    RgbColor::TEXT_AND_AXIS_BLACK,
                );
                let at = (end + 6, top + own / 2);
                scene.add_text(text_layout::new_label(
                    chart_data::format_percent_or_inequality(share),
                    at,
                    HorizontalTextAnchor::Left,
                ));
            }
        }
        plot_frame::draw_x_axis(scene, area, &scale, &self.title);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    fn texts(scene: &Scene) -> Vec<&str> {
        scene.iter_labels().map(|label| label.text.as_str()).collect()
    }

    /// 20, 12 and 4 of 36: at least broken in 16, eliminated in 4.
    #[test]
    fn a_law_is_told_from_the_best_with_what_is_worse() {
        let cell = test_answers::squad_answer_from_36ths(Vec::new(), 4, 12);
        let scene =
            draw_distribution(&cell, &ChartTitleAndCaption::default()).expect("there is a law");
        let texts = texts(&scene);
        let at = |text: &str| texts.iter().position(|known| *known == text);
        for shown in ["55.6", "33.3", "11.1", "100", "44.4", "this or worse, %"] {
            assert!(at(shown).is_some(), "{shown} in {texts:?}");
        }
        assert!(
            at("nothing") < at("1 squad broken") && at("1 squad broken") < at("1 squad eliminated")
        );
    }

    /// Of three dice with twelve faces there are 1 728 outcomes, all equally likely: each die alone
    /// has 12 rows in ranges, and nothing is put together as "others".
    #[test]
    fn many_outcomes_are_drawn_show_by_show() {
        let cell = test_answers::build_dice_answer(&["first", "second", "third"], 12);
        let scene =
            draw_distribution(&cell, &ChartTitleAndCaption::default()).expect("there is a law");
        let texts = texts(&scene);
        for shown in ["first: 1 to 2", "second: 11 to 12", "third: 5 to 6", "16.7"] {
            assert!(texts.contains(&shown), "{shown} in {texts:?}");
        }
        assert!(!texts.iter().any(|text| text.contains("others")), "{texts:?}");
        assert!(scene.height < 1200.0, "{}", scene.height);
    }

    /// A hundred equally likely numbers: 25 ranges of four, with the sums beside them.
    #[test]
    fn many_values_of_one_show_are_drawn_in_ranges() {
        let cell = test_answers::build_dice_answer(&["found"], 100);
        let scene =
            draw_distribution(&cell, &ChartTitleAndCaption::default()).expect("there is a law");
        let texts = texts(&scene);
        for shown in ["1 to 4", "97 to 100", "4.0", "at least this, %"] {
            assert!(texts.contains(&shown), "{shown} in {texts:?}");
        }
    }

    #[test]
    fn two_laws_stand_row_by_row() {
        let cells = [
            test_answers::squad_answer_from_36ths(Vec::new(), 4, 12),
            test_answers::squad_answer_from_36ths(Vec::new(), 8, 12),
        ];
        let scene = draw_two_distributions(
            [&cells[0], &cells[1]],
            ["now", "then"],
            &ChartTitleAndCaption::default(),
        );
        let scene = scene.expect("there are laws");
        let texts = texts(&scene);
        for shown in ["now", "then", "no effect", "break", "kill", "11.1", "22.2"] {
            assert!(texts.contains(&shown), "{shown} in {texts:?}");
        }
    }
}
