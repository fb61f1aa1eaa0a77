//! Pictures of the answer of `enfilade seek`.

use crate::report::blocks::{PictureFileAndTitle, PictureWithContent};
use crate::report::charts::ChartTitleAndCaption;
use crate::report::charts::axis_scale::{AxisScale, viridis_color};
use crate::report::charts::heatmap::{HeatMap, NamesAlongHeatMapSide};
use crate::report::charts::markers::MarkerShape;
use crate::report::charts::range_rows::{BarsAndMarksPlot, RowOfBarsAndMarks};
use crate::report::drawing::{RgbColor, Scene, render_scene_as_svg};
use crate::seek::answer_views::{
    self, FitCountsByNumberPair, VarianceSharesOfNumbers, WantSingleStepEffects,
};
use crate::seek::seek_answer::SeekAnswer;
use crate::seek::seek_design::FoundDesign;
use crate::seek::seek_page;
use crate::seek::seek_question::SeekQuestion;

/// Distance from the target at which a mark is drawn at the end, in tolerances.
const LARGEST_DISTANCE: f64 = 4.0;

/// Wants with a picture of steps and of shares.
const WANTS_WITH_PICTURES: usize = 6;

/// Dark and light: a loss and a gain, or alone and with others.
fn dark_and_light_bar_colors() -> (RgbColor, RgbColor) {
    (viridis_color(0.3), viridis_color(0.85))
}

/// A picture with the name of its file.
fn scene_as_named_svg(
    name: &str,
    title: &str,
    scene: Result<Scene, String>,
) -> Option<PictureWithContent> {
    let svg = render_scene_as_svg(&scene.ok()?);
    let (file, title) = (format!("charts/{name}.svg"), title.to_owned());
    Some(PictureWithContent { picture: PictureFileAndTitle { contest: 0, file, title }, svg })
}

fn chart_text_from_parts(title: &str, subtitle: &str, caption: &str) -> ChartTitleAndCaption {
    let [title, subtitle, caption] = [title, subtitle, caption].map(str::to_owned);
    ChartTitleAndCaption { title, subtitle, caption }
}

/// The wanted values beside those of designs, each as a mark on its band of tolerance.
pub fn draw_wanted_and_reached(
    question: &SeekQuestion,
    answer: &SeekAnswer,
    shown: &[&FoundDesign],
) -> Option<PictureWithContent> {
    let band = viridis_color(0.95);
    let row = |(want, (text, is_share)): (usize, (&str, bool))| {
        let (low, high) = answer_views::want_band_in_tolerances(question, want);
        let clip = |x: f64| x.clamp(-LARGEST_DISTANCE, LARGEST_DISTANCE);
        let mark = |shape, design: &FoundDesign| (shape, clip(design.reached[want].distance));
        let now = answer.now.iter().map(|now| mark(MarkerShape::Ring, now));
        let others = shown.iter().enumerate();
        let others = others.map(|(at, design)| mark(MarkerShape::of_series(at), design));
        let first = shown.first().copied().or(answer.now.as_ref());
        let first = first
            .map(|design| seek_page::format_reached_with_marks(&design.reached[want], is_share));
        RowOfBarsAndMarks {
            name: text.to_owned(),
            bars: vec![(clip(low), clip(high).max(clip(low) + 0.02), band)],
            marks: now.chain(others).collect(),
            text: first.unwrap_or_default(),
        }
    };
    let plot = BarsAndMarksPlot {
        rows: question.want_texts_and_share_flags().enumerate().map(row).collect(),
        scale: AxisScale::with_exact_ends(-LARGEST_DISTANCE, LARGEST_DISTANCE),
        axis_title: "distance from the target, in tolerances".to_owned(),
        keys: vec![(band, "wanted".to_owned())],
        reference: Some(0.0),
    };
    let marks = ["Dot", "diamond", "square"];
    let marks: Vec<String> = marks
        .iter()
        .zip(1..=shown.len())
        .map(|(mark, at)| {
            if answer.fits == 0 {
                format!("{mark}: the nearest")
            } else {
                format!("{mark}: design {at}")
            }
        })
        .collect();
    let caption = format!(
        "Ring: the numbers as they are. {}. A want without a tolerance counts points of percent. The values are \
         those of the first design.",
        marks.join(", ")
    );
    let title = "Wanted beside reached";
    scene_as_named_svg(
        "wanted",
        title,
        plot.draw_range_rows(&chart_text_from_parts(title, "", &caption)),
    )
}

/// The values of each number that occur among all designs that fit.
pub fn draw_values_left(
    question: &SeekQuestion,
    answer: &SeekAnswer,
) -> Option<PictureWithContent> {
    let (dark, none) = (viridis_color(0.3), RgbColor::NO_VALUE_GREY);
    let several =
        |at: &usize| question.numbers[*at].values.len() > 1 && !answer.unread.contains(at);
    let numbers: Vec<usize> = (0..question.numbers.len()).filter(several).collect();
    let longest = numbers.iter().map(|at| question.numbers[*at].values.len()).max()?;
    let row = |at: &usize| {
        let (number, seen) = (&question.numbers[*at], &answer.occurring[*at]);
        let bar = |value: usize| {
            let ink = if seen.contains(&value) { dark } else { none };
            (value as f64 + 0.06, value as f64 + 0.94, ink)
        };
        let now = number.index_of_current_value().map(|now| (MarkerShape::Ring, now as f64 + 0.5));
        let values: Vec<String> = seen.iter().map(|value| number.format_value(*value)).collect();
        let word = if values.len() == 1 { "always" } else { "open:" };
        RowOfBarsAndMarks {
            name: number.name.clone(),
            bars: (0..number.values.len()).map(bar).collect(),
            marks: now.into_iter().collect(),
            text: format!("{word} {}", values.join(", ")),
        }
    };
    let plot = BarsAndMarksPlot {
        rows: numbers.iter().map(row).collect(),
        scale: AxisScale::with_exact_ends(0.0, longest as f64),
        axis_title: "place among the values of the number".to_owned(),
        keys: vec![(dark, "fits".to_owned()), (none, "never fits".to_owned())],
        reference: None,
    };
    let caption =
        "Each box is a value, from the first to the last of the file. Ring: the number as it is.";
    let title = "Always and open";
    scene_as_named_svg(
        "values",
        title,
        plot.draw_range_rows(&chart_text_from_parts(title, "", caption)),
    )
}

/// One step of each number from a design, a picture for each want.
pub fn draw_tornados(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<PictureWithContent> {
    let Some(design) = answer.design_to_step_from() else { return Vec::new() };
    let all = answer.single_step_effects_by_want(question, design);
    all.iter().take(WANTS_WITH_PICTURES).filter_map(|one| draw_tornado(question, one)).collect()
}

fn draw_tornado(
    question: &SeekQuestion,
    tornado: &WantSingleStepEffects,
) -> Option<PictureWithContent> {
    let (quantity, is_share) = answer_views::quantity_text_and_is_share(question, tornado.want);
    let factor = if is_share { 100.0 } else { 1.0 };
    let rows = tornado.steps.iter().map(|(number, down, up)| {
        let name = question.numbers[*number].name.clone();
        tornado_row_of_changes(name, down.map(|x| x * factor), up.map(|x| x * factor))
    });
    let unit = if is_share { ", points of percent" } else { "" };
    let here = tornado.value * factor;
    let plot = plot_of_tornado(rows.collect(), format!("change by one step{unit}"))?;
    let title = format!("One step: {quantity}");
    let caption = format!("It is {here:.1} here. Each number takes one step down and one step up.");
    let name = format!("step-{}", tornado.want + 1);
    scene_as_named_svg(
        &name,
        &title,
        plot.draw_range_rows(&chart_text_from_parts(&title, "", &caption)),
    )
}

/// A row about zero: the loss and the gain of both steps.
pub fn tornado_row_of_changes(
    name: String,
    down: Option<f64>,
    up: Option<f64>,
) -> RowOfBarsAndMarks {
    let (dark, light) = dark_and_light_bar_colors();
    let ends = [down.unwrap_or(0.0), up.unwrap_or(0.0)];
    let (least, most) = (ends[0].min(ends[1]).min(0.0), ends[0].max(ends[1]).max(0.0));
    let text = |change: Option<f64>| {
        change.map_or_else(|| "at its end".to_owned(), |change| format!("{change:+.1}"))
    };
    RowOfBarsAndMarks {
        name,
        bars: vec![(least, 0.0, dark), (0.0, most, light)],
        marks: Vec::new(),
        text: format!("{} / {}", text(down), text(up)),
    }
}

/// The plot of rows about zero; `None` if no row has a length.
pub fn plot_of_tornado(
    rows: Vec<RowOfBarsAndMarks>,
    axis_title: String,
) -> Option<BarsAndMarksPlot> {
    let (dark, light) = dark_and_light_bar_colors();
    let ends = rows.iter().flat_map(|row| row.bars.iter().flat_map(|(from, to, _)| [*from, *to]));
    let ends: Vec<f64> = ends.filter(|end| end.is_finite()).collect();
    if ends.iter().all(|end| *end == 0.0) {
        return None;
    }
    Some(BarsAndMarksPlot {
        rows,
        scale: AxisScale::with_round_ends(ends.into_iter(), 0.0),
        axis_title,
        keys: vec![(dark, "less".to_owned()), (light, "more".to_owned())],
        reference: Some(0.0),
    })
}

/// Shares of the variance, a picture for each want.
pub fn draw_variance_shares(
    question: &SeekQuestion,
    all: &[VarianceSharesOfNumbers],
) -> Vec<PictureWithContent> {
    let draw = |one: &VarianceSharesOfNumbers| {
        let (quantity, _) = answer_views::quantity_text_and_is_share(question, one.want);
        let title = format!("Shares of the variance: {quantity}");
        let name = format!("share-{}", one.want + 1);
        let pair = one
            .strongest_pair
            .as_ref()
            .map(|(a, b, share)| format!("Together most: {a} and {b} ({:.0} %).", share * 100.0));
        let plot = plot_of_shares(&one.shares);
        let words = chart_text_from_parts(&title, "", &pair.unwrap_or_default());
        scene_as_named_svg(&name, &title, plot.draw_range_rows(&words))
    };
    all.iter().take(WANTS_WITH_PICTURES).filter_map(draw).collect()
}

/// Rows of stacked shares: alone, and with others.
pub fn plot_of_shares(shares: &[(String, f64, f64)]) -> BarsAndMarksPlot {
    let (dark, light) = dark_and_light_bar_colors();
    let row = |(name, alone, all): &(String, f64, f64)| {
        let (alone, all) = (100.0 * alone, 100.0 * all.max(*alone));
        RowOfBarsAndMarks {
            name: name.trim_start_matches("change.").to_owned(),
            bars: vec![(0.0, alone, dark), (alone, all, light)],
            marks: Vec::new(),
            text: format!("{alone:.0} % alone, {all:.0} % in all"),
        }
    };
    BarsAndMarksPlot {
        rows: shares.iter().map(row).collect(),
        scale: AxisScale::with_exact_ends(0.0, 100.0),
        axis_title: "share of the variance, %".to_owned(),
        keys: vec![(dark, "alone".to_owned()), (light, "with others".to_owned())],
        reference: None,
    }
}

/// The designs that fit for each pair of values of two numbers.
pub fn draw_value_pair_heat_map(
    question: &SeekQuestion,
    map: &FitCountsByNumberPair,
) -> Option<PictureWithContent> {
    let side = |number: usize| {
        let number = &question.numbers[number];
        let names = (0..number.values.len()).map(|at| number.format_value(at)).collect();
        NamesAlongHeatMapSide::new(number.name.clone(), names)
    };
    let (first, second) = map.numbers;
    let counts = || map.counts.iter().flatten();
    let heat = HeatMap {
        columns: side(first),
        rows: side(second),
        values: counts().map(|count| (*count > 0).then_some(*count as f64)).collect(),
        texts: counts()
            .map(|count| if *count > 0 { count.to_string() } else { String::new() })
            .collect(),
        among: Vec::new(),
        middle: None,
        color_title: "designs".to_owned(),
    };
    let title = "Which pairs fit";
    let caption = "The number of designs that fit with both values; without a number none does.";
    scene_as_named_svg("map", title, heat.draw_heat_map(&chart_text_from_parts(title, "", caption)))
}

/// The least miss that a number of changes leaves.
pub fn draw_miss_by_change_count(front: &[(u64, f64)]) -> Option<PictureWithContent> {
    let dark = viridis_color(0.3);
    let row = |(changes, miss): &(u64, f64)| {
        let name = match changes {
            0 => "no change".to_owned(),
            1 => "one change".to_owned(),
            several => format!("{several} changes"),
        };
        let text = if *miss == 0.0 { "fits".to_owned() } else { format!("{miss:.2}") };
        let marks = vec![(MarkerShape::Dot, *miss)];
        RowOfBarsAndMarks { name, bars: vec![(0.0, *miss, dark)], marks, text }
    };
    let plot = BarsAndMarksPlot {
        rows: front.iter().map(row).collect(),
        scale: AxisScale::with_round_ends(front.iter().map(|(_, miss)| *miss), 0.0),
        axis_title: "least worst miss, in tolerances".to_owned(),
        keys: Vec::new(),
        reference: None,
    };
    let title = "Changes against miss";
    let caption = "The nearest of all designs with up to this number of changes.";
    scene_as_named_svg(
        "front",
        title,
        plot.draw_range_rows(&chart_text_from_parts(title, "", caption)),
    )
}
