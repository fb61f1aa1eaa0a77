//! Charts of a pricing: names and numbers for the kinds of [`charts`](crate::charts).

use super::points_format::{comma_separated_names, format_price_points};
use super::price_findings::PriceFindings;
use super::price_sentences::{PRICE_BLIND_SPOTS, verdict_in_words};
use super::price_tables::format_number_or_dash;
use super::unit_meetings::UnitAgainstUnitFindings;
use crate::charts::axis_scale::AxisScale;
use crate::charts::heatmap::{HeatMap, NamesAlongHeatMapSide};
use crate::charts::interval_rows::{ForestPlot, ForestPlotRow};
use crate::charts::line_chart::{CurveSeries, HorizontalAxisKind, LineChart};
use crate::charts::markers::{IntervalAroundValue, MarkerShape};
use crate::charts::small_multiples::draw_each_curve_alone;
use crate::charts::{ChartDrawing, ChartTitleAndCaption};
use crate::drawing::{RgbColor, Scene};
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::evidence::{AssumptionCase, PointsAndWinShare, WeaponWinCurves};
use enfilade_pricing::price::verdict::PriceVerdict;
use enfilade_pricing::price::worth::WorthBound;
use enfilade_pricing::price::{ArsenalPrices, RangedValue, WeaponPrice};
use enfilade_stats::intervals::{ConfidenceLevel, proportion_interval};

/// The number of weapons with curves: those whose prices are farthest off.
const MAX_CURVED_WEAPONS: usize = 3;

/// The largest number of curves in one picture.
const MAX_CURVES_TOGETHER: usize = 6;

/// The largest number of weapons whose prices are drawn: those that are farthest off.
const MAX_PRICE_ROWS: usize = 30;

/// Draws all charts that have something to show.
pub fn draw_price_charts(findings: &PriceFindings) -> Vec<ChartDrawing> {
    let pricing = findings.pricing;
    // In reading order, because the names of their files begin with their number.
    let mut drawn = PriceChartCollection { findings, charts: Vec::new() };
    let shown = weapons_farthest_off_price(&pricing.weapons, MAX_PRICE_ROWS);
    let caption = price_chart_caption(pricing, shown.len());
    drawn.add_chart("prices", &price_chart_title(pricing), &caption, |words| {
        build_price_forest(pricing, &shown).draw_forest(words)
    });
    let caption = "What it counts for in a scenario, in points of the troops it meets; colours: beside that of the same weapon over all.";
    drawn.add_chart("scenarios", "Where the weapons are worth most", caption, |words| {
        build_worth_by_scenario_map(pricing).draw_heat_map(words)
    });
    drawn.add_list_and_edge_charts();
    drawn.add_battle_curve_charts();
    drawn.charts
}

/// The charts drawn so far.
struct PriceChartCollection<'a> {
    findings: &'a PriceFindings<'a>,
    charts: Vec<ChartDrawing>,
}

/// The title of the chart of prices, before its finding.
const PRICES_CHART_TITLE: &str = "Even price and its range";
/// The title of the chart of lists.
pub const LISTS_CHART_TITLE: &str = "Lists that were fought";
/// The title of the chart of units against units.
pub const UNITS_CHART_TITLE: &str = "Who beats whom";

impl PriceChartCollection<'_> {
    /// Adds the charts of lists that were fought, and of units against units.
    fn add_list_and_edge_charts(&mut self) {
        if let Some(fought) = self.findings.lists {
            let caption = "A dot: a pair of lists of equal points. Shaded: eight of ten of them.";
            let draw = |words: &ChartTitleAndCaption| fought.draw_list_picture(words);
            self.add_chart("lists", LISTS_CHART_TITLE, caption, draw);
        }
        let edges = UnitAgainstUnitFindings::from_pricing(self.findings.pricing);
        if let Some(edges) = edges.filter(|_| self.findings.only.is_none()) {
            let caption = "A dot: another unit, both at their even prices. Bar: the mean.";
            self.add_chart("units", UNITS_CHART_TITLE, caption, |words| {
                edges.draw_edge_dots(words)
            });
            let title = format!("{UNITS_CHART_TITLE}, one by one");
            let caption = "Row against column, both at their even prices.";
            self.add_chart("units-map", &title, caption, |words| edges.draw_edge_map(words));
        }
    }

    /// Adds the charts that only some arsenals have, or some weapons.
    fn add_battle_curve_charts(&mut self) {
        let findings = self.findings;
        let weapons = &findings.pricing.weapons;
        for weapon in weapons_farthest_off_price(weapons, MAX_CURVED_WEAPONS) {
            // By its number, because its name may contain characters that a file name must not.
            let file = format!("battles-{}", weapon + 1);
            let name = replace_control_chars(&weapons[weapon].name);
            let title = format!("{name}: battles won, by points on the other side");
            let caption = "Draws count half. What it counts for in a scenario is where its curve passes 50 %.";
            self.add_chart(&file, &title, caption, |words| {
                let chart = build_curves_by_scenario(findings, weapon);
                // Few curves in one picture, and many in a small one each.
                match chart.series.len() > MAX_CURVES_TOGETHER {
                    true => draw_each_curve_alone(&chart, words),
                    false => chart.draw_line_chart(words),
                }
            });
        }
    }

    /// Adds a chart; one without content is left out.
    fn add_chart(
        &mut self,
        name: &str,
        title: &str,
        caption: &str,
        draw: impl FnOnce(&ChartTitleAndCaption) -> Result<Scene, String>,
    ) {
        let words = ChartTitleAndCaption {
            title: format!("{}: {title}", replace_control_chars(self.findings.name)),
            subtitle: String::new(),
            caption: format!("{caption} {}", method_and_blind_spot_caption(self.findings)),
        };
        if let Ok(scene) = draw(&words) {
            let number = self.charts.len() + 1;
            self.charts.push(ChartDrawing {
                name: format!("{number}-{name}"),
                contest: 0,
                title: title.to_owned(),
                caption: words.caption,
                scene,
            });
        }
    }
}

/// Describes the method and the blind spots, for every caption.
fn method_and_blind_spot_caption(findings: &PriceFindings) -> String {
    let trials = findings.pricing.weapons.iter().filter_map(|weapon| weapon.trials);
    let how = trials.reduce(|all, one| all + one).map_or_else(
        || "Exact battles".to_owned(),
        |trials| format!("Simulated battles, N = {trials} meetings"),
    );
    let unseen = comma_separated_names(PRICE_BLIND_SPOTS.map(|(what, _)| what));
    format!("{how}. Not seen: {unseen}.")
}

/// Titles the prices with their finding:
/// `Even price and its range: 2 of 9 cost too much, 1 too little`.
fn price_chart_title(pricing: &ArsenalPrices) -> String {
    if pricing.weapons.iter().all(|weapon| weapon.price.is_none()) {
        return PRICES_CHART_TITLE.to_owned();
    }
    let verdicts = || pricing.weapons.iter().filter_map(WeaponPrice::verdict_on_price);
    let count = |verdict| verdicts().filter(|found| *found == verdict).count();
    let (dear, cheap) = (count(PriceVerdict::TooDear), count(PriceVerdict::TooCheap));
    let all = pricing.weapons.len();
    format!("{PRICES_CHART_TITLE}: {dear} of {all} cost too much, {cheap} too little")
}

/// Explains the marks, and the rows that are left out.
fn price_chart_caption(pricing: &ArsenalPrices, shown: usize) -> String {
    let mut caption = "Bars: surely between, at 95 %; red costs too much, blue too little. At the right: price now, and the \
         verdict."
        .to_owned();
    let all = pricing.weapons.len();
    if shown < all {
        caption += &format!(
            " The {shown} of {all} whose prices are farthest off; all are in weapons.csv."
        );
    }
    caption
}

/// Returns the colour of a verdict, as the bars of the page have it.
fn verdict_color(weapon: &WeaponPrice) -> Option<RgbColor> {
    match weapon.verdict_on_price()? {
        PriceVerdict::TooDear => Some(RgbColor(0xc0, 0x50, 0x4d)),
        PriceVerdict::TooCheap => Some(RgbColor(0x3b, 0x76, 0xaf)),
        PriceVerdict::Right => Some(RgbColor(0x4f, 0x8f, 0x52)),
        PriceVerdict::Open | PriceVerdict::NoOnePrice => Some(RgbColor(0x8a, 0x8a, 0x8a)),
    }
}

/// Returns the indices of at most `most` weapons, those whose prices are farthest off first.
fn weapons_farthest_off_price(weapons: &[WeaponPrice], most: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weapons.len()).collect();
    let far =
        |w: &usize| weapons[*w].finding_on_price().map_or(0.0, |judged| judged.residual.abs());
    order.sort_by(|a, b| far(b).total_cmp(&far(a)));
    order.truncate(most);
    order
}

fn build_price_forest(pricing: &ArsenalPrices, shown: &[usize]) -> ForestPlot {
    let row = |weapon: &WeaponPrice| {
        let RangedValue { best, low, high } = weapon.even_price_if_any()?.price;
        let even = (MarkerShape::Dot, IntervalAroundValue::from_value_and_ends(best, low, high));
        let now = weapon.price.map(IntervalAroundValue::from_exact_value);
        let now = now.map(|price| (MarkerShape::Diamond, price));
        Some(ForestPlotRow {
            name: replace_control_chars(&weapon.name),
            marks: std::iter::once(even).chain(now).collect(),
            text: format!("{}, {}", format_number_or_dash(weapon.price), verdict_in_words(weapon)),
            ink: verdict_color(weapon),
        })
    };
    let series = [(MarkerShape::Dot, "even price"), (MarkerShape::Diamond, "price now")];
    ForestPlot {
        rows: shown.iter().filter_map(|&weapon| row(&pricing.weapons[weapon])).collect(),
        axis_title: "points".to_owned(),
        text_head: "price, verdict".to_owned(),
        series: series.map(|(glyph, name)| (glyph, name.to_owned())).to_vec(),
        // Errors of prices are factors, so equal steps are equal factors.
        factors: true,
        ..ForestPlot::default()
    }
}

fn build_worth_by_scenario_map(pricing: &ArsenalPrices) -> HeatMap {
    let (mut values, mut texts) = (Vec::new(), Vec::new());
    let fought = pricing.worths.get(&AssumptionCase::Default);
    for (weapon, row) in pricing.weapons.iter().zip(fought.into_iter().flatten()) {
        for cell in row {
            let worth = cell.log.exp();
            let sign = match cell.bound {
                Some(WorthBound::AtLeast) => "≥ ",
                Some(WorthBound::AtMost) => "≤ ",
                None => "",
            };
            // Relative to the same weapon's worth; otherwise expensive weapons would be dark
            // everywhere.
            values.push(Some(100.0 * worth / weapon.worth.best));
            texts.push(format!("{sign}{}", format_price_points(worth)));
        }
    }
    let names = pricing.scenarios.iter().map(|scenario| replace_control_chars(&scenario.name));
    let weapons = pricing.weapons.iter().map(|weapon| replace_control_chars(&weapon.name));
    HeatMap {
        middle: Some(100.0),
        columns: NamesAlongHeatMapSide::new("scenario", names.collect()),
        rows: NamesAlongHeatMapSide::new("weapon", weapons.collect()),
        texts,
        values,
        among: Vec::new(),
        color_title: "counts for there, % of that over all".to_owned(),
    }
}

fn build_curves_by_scenario(findings: &PriceFindings, weapon: usize) -> LineChart {
    let battles = || findings.evidence.default_battles().filter(|battle| battle.weapon == weapon);
    let series = |battle: &WeaponWinCurves| CurveSeries {
        name: replace_control_chars(&findings.evidence.scenarios[battle.scenario].name),
        points: battle.curve.iter().map(|m| (m.points, 100.0 * m.won)).collect(),
        marks: battle.curve.iter().filter_map(simulated_share_and_interval).collect(),
        ..CurveSeries::default()
    };
    let x = battles().flat_map(|battle| battle.curve.iter().map(|m| m.points));
    LineChart {
        series: battles().map(series).collect(),
        across: HorizontalAxisKind::Numbers(AxisScale::with_round_ends(x, 0.0)),
        x_title: "points on the other side in its place".to_owned(),
        up: AxisScale::with_exact_ends(0.0, 100.0),
        y_title: "battles won, %".to_owned(),
        legend: "scenario".to_owned(),
        level: Some((50.0, "even".to_owned())),
    }
}

/// Returns a simulated share with its interval; `None` for an exact one.
fn simulated_share_and_interval(meeting: &PointsAndWinShare) -> Option<(f64, IntervalAroundValue)> {
    let trials = meeting.trials?;
    let hits = (meeting.won * trials as f64).round() as u64;
    let interval = proportion_interval(hits, trials, ConfidenceLevel::P95);
    let [won, low, high] = [meeting.won, interval.low, interval.high].map(|share| 100.0 * share);
    Some((meeting.points, IntervalAroundValue::from_value_and_ends(won, low, high)))
}
