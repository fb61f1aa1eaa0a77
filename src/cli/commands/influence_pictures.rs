//! What matters, for pages: one step of each number, and the shares of the variance.

use super::seek_pictures::{plot_of_shares, plot_of_tornado, tornado_row_of_changes};
use crate::report::blocks::{
    PictureFileAndTitle, PictureWithContent, ReportBlock, ReportTableCell, TextTable,
};
use crate::report::charts::{ChartDrawing, ChartTitleAndCaption};
use crate::report::drawing::render_scene_as_svg;
use crate::seek::measure_influences::{InfluencesOnMeasure, NumberStepInfluence};

/// Numbers of one picture, those that matter most.
const MAX_NUMBERS_IN_PICTURE: usize = 12;

/// Draws the influences on each measure: its steps, and its shares of the variance.
pub fn influence_drawings(influences: &[InfluencesOnMeasure]) -> Vec<ChartDrawing> {
    let numbered = influences.iter().enumerate();
    let pairs =
        numbered.map(|(contest, one)| [draw_steps(contest, one), draw_shares(contest, one)]);
    pairs.flatten().flatten().collect()
}

/// Builds the blocks of a page: for each contest a heading, its pictures and a table.
pub fn build_influence_blocks(influences: &[InfluencesOnMeasure]) -> Vec<ReportBlock> {
    let mut blocks = vec![ReportBlock::Title("What matters".to_owned())];
    let drawings = influence_drawings(influences);
    for (contest, one) in influences.iter().enumerate() {
        let title = format!("{}: {}", one.name, one.head.display_name());
        blocks.push(ReportBlock::Heading(title.clone()));
        let own = drawings.iter().filter(|drawing| drawing.contest == contest);
        blocks.extend(own.map(|drawing| ReportBlock::Picture(drawing_as_svg_picture(drawing))));
        blocks.push(ReportBlock::Table(title, influence_table(one)));
        if let Some(pair) = describe_strongest_pair(one) {
            blocks.push(ReportBlock::new_paragraph(pair));
        }
    }
    blocks
}

fn drawing_as_svg_picture(drawing: &ChartDrawing) -> PictureWithContent {
    let file = format!("charts/{}.svg", drawing.name);
    let (contest, title) = (drawing.contest, drawing.title.clone());
    let svg = render_scene_as_svg(&drawing.scene);
    PictureWithContent { picture: PictureFileAndTitle { contest, file, title }, svg }
}

/// Factor of the numbers of a measure, and their unit behind a comma.
fn percent_factor_and_unit(one: &InfluencesOnMeasure) -> (f64, &'static str) {
    match one.head.kind.is_shown_in_percent() {
        true => (100.0, ", points of percent"),
        false => (1.0, ""),
    }
}

fn draw_steps(contest: usize, one: &InfluencesOnMeasure) -> Option<ChartDrawing> {
    let (factor, unit) = percent_factor_and_unit(one);
    let row = |step: &NumberStepInfluence| {
        let scaled = |change: Option<f64>| change.map(|change| change * factor);
        tornado_row_of_changes(step.name.clone(), scaled(step.down), scaled(step.up))
    };
    let rows = one.steps.iter().take(MAX_NUMBERS_IN_PICTURE).map(row).collect();
    let plot = plot_of_tornado(rows, format!("change by one step{unit}"))?;
    let title = format!("One step: {}", one.head.display_name());
    let here = one.current_value * factor;
    let caption = format!("It is {here:.1} here. Each number takes one step down and one step up.");
    draw_titled_chart(contest, "step", (title, caption), |words| plot.draw_range_rows(words))
}

fn draw_shares(contest: usize, one: &InfluencesOnMeasure) -> Option<ChartDrawing> {
    if one.shares.is_empty() {
        return None;
    }
    let plot = plot_of_shares(&one.shares);
    let title = format!("Shares of the variance: {}", one.head.display_name());
    let caption = describe_strongest_pair(one).unwrap_or_default();
    draw_titled_chart(contest, "share", (title, caption), |words| plot.draw_range_rows(words))
}

fn draw_titled_chart(
    contest: usize,
    kind: &str,
    (title, caption): (String, String),
    draw: impl FnOnce(&ChartTitleAndCaption) -> Result<crate::report::drawing::Scene, String>,
) -> Option<ChartDrawing> {
    let name = format!("matters-{}-{kind}", contest + 1);
    let words = ChartTitleAndCaption { title, subtitle: String::new(), caption };
    let scene = draw(&words).ok()?;
    Some(ChartDrawing { name, contest, title: words.title, caption: words.caption, scene })
}

fn describe_strongest_pair(one: &InfluencesOnMeasure) -> Option<String> {
    let (a, b, share) = one.strongest_pair.as_ref()?;
    let [a, b] = [a, b].map(|name| name.trim_start_matches("change."));
    Some(format!("Together most: {a} and {b} ({:.0} %).", share * 100.0))
}

/// A row for each number: its steps, and its shares of the variance.
fn influence_table(one: &InfluencesOnMeasure) -> TextTable {
    let (factor, unit) = percent_factor_and_unit(one);
    let heads = [
        "number".to_owned(),
        format!("one down{unit}"),
        format!("one up{unit}"),
        "share alone".to_owned(),
        "share in all".to_owned(),
    ];
    let change = |change: Option<f64>| match change {
        Some(change) => ReportTableCell::Number(format!("{:+.1}", change * factor)),
        None => ReportTableCell::Text("at its end".to_owned()),
    };
    let share = |value: Option<f64>| {
        let text = value.map(|share| format!("{:.0} %", 100.0 * share));
        ReportTableCell::Number(text.unwrap_or_default())
    };
    let row = |step: &NumberStepInfluence| {
        let shares = one.shares.iter().find(|(axis, ..)| step.is_same_number_as_axis(axis));
        vec![
            ReportTableCell::Text(step.name.clone()),
            change(step.down),
            change(step.up),
            share(shares.map(|(_, alone, _)| *alone)),
            share(shares.map(|(_, _, all)| *all)),
        ]
    };
    let mut rows: Vec<_> = one.steps.iter().map(row).collect();
    // An axis that has no single steps, such as words or firepower in halves.
    for (axis, alone, all) in one.shares_of_axes_without_step() {
        let mut cells = vec![ReportTableCell::Text(axis.to_owned())];
        cells.extend([None, None, Some(alone), Some(all)].map(share));
        rows.push(cells);
    }
    TextTable { heads: heads.to_vec(), rows, fixed: 1 }
}
