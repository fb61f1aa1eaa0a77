//! Charts of a pricing: names and numbers for the kinds of [`charts`](crate::charts).

use super::findings::Findings;
use super::points_format::points;
use super::unit_meetings::EdgeFindings;
use super::{price_sentences, price_tables};
use crate::charts::axis_scale::Scale;
use crate::charts::forest::{Forest, Row};
use crate::charts::heatmap::{Heads, HeatMap};
use crate::charts::line_chart::{Across, Lines, Series};
use crate::charts::markers::{Glyph, Span};
use crate::charts::{Drawing, Words};
use crate::drawing::Scene;
use crate::text::sentences::clean;
use enfilade_pricing::evidence::{Battle, Meeting, Model};
use enfilade_pricing::price::worth::Bound;
use enfilade_pricing::price::{Priced, Pricing};
use enfilade_stats::intervals::{Level, proportion};

/// The number of weapons with curves: those whose prices are farthest off.
const CURVES: usize = 3;

/// Draws all charts that have something to show.
pub fn charts(findings: &Findings) -> Vec<Drawing> {
    let pricing = findings.pricing;
    // In reading order, because the names of their files begin with their number.
    let mut drawn = Drawn { findings, charts: Vec::new() };
    drawn.add(
        "prices",
        "Even price and its range",
        "Bars: surely between, at 95 %. At the right: price now, and the verdict.",
        |words| prices(pricing).draw(words),
    );
    drawn.add(
        "scenarios",
        "Where the weapons are worth most",
        "What it counts for in a scenario, in points of the troops it meets; colours: beside that of the same weapon over all.",
        |words| heatmap(pricing).draw(words),
    );
    drawn.add_those_that_met();
    drawn.add_those_of_weapons();
    drawn.charts
}

/// The charts drawn so far.
struct Drawn<'a> {
    findings: &'a Findings<'a>,
    charts: Vec<Drawing>,
}

/// The title of the chart of lists.
pub const LISTS: &str = "Lists that were fought";
/// The title of the chart of units against units.
pub const UNITS: &str = "Who beats whom";

impl Drawn<'_> {
    /// Adds the charts of lists that were fought, and of units against units.
    fn add_those_that_met(&mut self) {
        let Findings { pricing, fought, only, .. } = *self.findings;
        if let Some(fought) = fought {
            let caption = "A dot: a pair of lists of equal points. Shaded: eight of ten of them.";
            self.add("lists", LISTS, caption, |words| fought.picture(words));
        }
        if let Some(edges) = EdgeFindings::of(pricing).filter(|_| only.is_none()) {
            let caption = "A dot: another unit, both at their even prices. Bar: the mean.";
            self.add("units", UNITS, caption, |words| edges.picture(words));
            let title = format!("{UNITS}, one by one");
            let caption = "Row against column, both at their even prices.";
            self.add("units-map", &title, caption, |words| edges.map(words));
        }
    }

    /// Adds the charts that only some arsenals have, or some weapons.
    fn add_those_of_weapons(&mut self) {
        let Findings { pricing, .. } = *self.findings;
        for weapon in worst(&pricing.weapons) {
            let findings = self.findings;
            let name = clean(&pricing.weapons[weapon].name);
            self.add(
                // By its number, because its name may contain characters that a file name must not.
                &format!("battles-{}", weapon + 1),
                &format!("{name}: battles won, by points on the other side"),
                "Draws count half. What it counts for in a scenario is where its curve passes 50 %.",
                |words| battles(findings, weapon).draw(words),
            );
        }
    }

    /// Adds a chart; one without content is left out.
    fn add(
        &mut self,
        name: &str,
        title: &str,
        caption: &str,
        draw: impl FnOnce(&Words) -> Result<Scene, String>,
    ) {
        let words = Words {
            title: format!("{}: {title}", clean(self.findings.name)),
            subtitle: String::new(),
            caption: format!("{caption} {}", made(self.findings)),
        };
        if let Ok(scene) = draw(&words) {
            let number = self.charts.len() + 1;
            self.charts.push(Drawing {
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
fn made(findings: &Findings) -> String {
    let trials = findings.pricing.weapons.iter().filter_map(|weapon| weapon.trials);
    let how = match trials.clone().count() {
        0 => "Exact battles".to_owned(),
        _ => format!("Simulated battles, N = {} meetings", trials.sum::<u64>()),
    };
    let unseen: Vec<&str> = price_sentences::BLIND.iter().map(|(what, _)| *what).collect();
    format!("{how}. Not seen: {}.", unseen.join(", "))
}

/// Returns the indices of the weapons whose prices are farthest off.
fn worst(weapons: &[Priced]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weapons.len()).collect();
    let far = |w: &usize| weapons[*w].judged().map_or(0.0, |judged| judged.residual.abs());
    order.sort_by(|a, b| far(b).total_cmp(&far(a)));
    order.truncate(CURVES);
    order
}

fn prices(pricing: &Pricing) -> Forest {
    let row = |weapon: &Priced| {
        let price = weapon.priced()?.price;
        Some(Row {
            name: clean(&weapon.name),
            marks: std::iter::once((Glyph::Dot, Span::within(price.best, price.low, price.high)))
                .chain(weapon.price.map(|price| (Glyph::Diamond, Span::exact(price))))
                .collect(),
            text: format!(
                "{}, {}",
                price_tables::maybe(weapon.price),
                price_sentences::verdict(weapon)
            ),
        })
    };
    let series = [(Glyph::Dot, "even price"), (Glyph::Diamond, "price now")];
    Forest {
        rows: pricing.weapons.iter().filter_map(row).collect(),
        measured: "points".to_owned(),
        text_head: "price, verdict".to_owned(),
        series: series.map(|(glyph, name)| (glyph, name.to_owned())).to_vec(),
        // Errors of prices are factors, so equal steps are equal factors.
        factors: true,
        ..Forest::default()
    }
}

fn heatmap(pricing: &Pricing) -> HeatMap {
    let (mut values, mut texts) = (Vec::new(), Vec::new());
    let fought = pricing.worths.get(&Model::Default);
    for (weapon, row) in pricing.weapons.iter().zip(fought.into_iter().flatten()) {
        for cell in row {
            let worth = cell.log.exp();
            let sign = match cell.bound {
                Some(Bound::AtLeast) => "≥ ",
                Some(Bound::AtMost) => "≤ ",
                None => "",
            };
            // Relative to the same weapon's worth; otherwise expensive weapons would be dark
            // everywhere.
            values.push(Some(100.0 * worth / weapon.worth.best));
            texts.push(format!("{sign}{}", points(worth)));
        }
    }
    let names = pricing.scenarios.iter().map(|scenario| clean(&scenario.name));
    let weapons = pricing.weapons.iter().map(|weapon| clean(&weapon.name));
    HeatMap {
        middle: Some(100.0),
        columns: Heads::new("scenario", names.collect()),
        rows: Heads::new("weapon", weapons.collect()),
        texts,
        values,
        among: Vec::new(),
        measured: "counts for there, % of that over all".to_owned(),
    }
}

fn battles(findings: &Findings, weapon: usize) -> Lines {
    let own = |battle: &&Battle| battle.weapon == weapon && battle.model == Model::Default;
    let battles: Vec<&Battle> = findings.evidence.battles.iter().filter(own).collect();
    let series = |battle: &&Battle| Series {
        name: clean(&findings.evidence.scenarios[battle.scenario].name),
        points: battle.curve.iter().map(|m| (m.points, 100.0 * m.won)).collect(),
        marks: battle.curve.iter().filter_map(mark).collect(),
        ..Series::default()
    };
    let x = battles.iter().flat_map(|b| b.curve.iter().map(|m| m.points));
    Lines {
        series: battles.iter().map(series).collect(),
        across: Across::Numbers(Scale::around(x, 0.0)),
        x_title: "points on the other side in its place".to_owned(),
        up: Scale::exactly(0.0, 100.0),
        y_title: "battles won, %".to_owned(),
        legend: "scenario".to_owned(),
        level: Some((50.0, "even".to_owned())),
    }
}

/// Returns a simulated share with its interval; `None` for an exact one.
fn mark(meeting: &Meeting) -> Option<(f64, Span)> {
    let trials = meeting.trials?;
    let hits = (meeting.won * trials as f64).round() as u64;
    let interval = proportion(hits, trials, Level::P95);
    let span = Span::within(100.0 * meeting.won, 100.0 * interval.low, 100.0 * interval.high);
    Some((meeting.points, span))
}
