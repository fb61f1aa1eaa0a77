//! The charts of a pricing: names and numbers for the kinds of [`charts`](crate::report::charts).

use super::Findings;
use super::words::{self, percent, points};
use crate::report::charts::Words;
use crate::report::charts::forest::{Forest, Row};
use crate::report::charts::heatmap::{Heads, HeatMap};
use crate::report::charts::lines::{Across, Lines, Series};
use crate::report::charts::marks::{Glyph, Span};
use crate::report::charts::scale::Scale;
use crate::report::charts::scatter::{Point, Scatter};
use crate::report::charts::scene::Scene;
use crate::report::charts::tornado::{Bar, Tornado};
use crate::report::words::clean;
use crate::stats::intervals::{Level, proportion};
use crate::study::balance::evidence::{Battle, Meeting, Model};
use crate::study::balance::price::sensitivity::Swing;
use crate::study::balance::price::worth::{Bound, Scale as Fitted};
use crate::study::balance::price::{Anchor, Priced, Pricing};

/// Weapons of which indifference curves are drawn; of more, those with the worst prices.
const CURVES: usize = 8;

/// A chart ready to be written.
pub struct Chart {
    /// Stem of its files.
    pub name: String,
    /// What it shows, for the text beside it.
    pub title: String,
    /// The picture.
    pub scene: Scene,
}

/// All charts that have something to show.
pub fn charts(findings: &Findings) -> Vec<Chart> {
    let pricing = findings.pricing;
    let mut drawn = Drawn {
        findings,
        charts: Vec::new(),
    };
    drawn.add(
        "price-against-worth",
        "Price against worth",
        &format!(
            "The line is the fair price, the band a typical 95 % interval of it. {}",
            "Beside each weapon: how far its price is from fair."
        ),
        |words| scatter(pricing).draw(words),
    );
    drawn.add(
        "mixes",
        "Fair price by mix of scenarios",
        "Bars: 95 % intervals under the designer's mix. At the right: price now, and the price to try.",
        |words| mixes(pricing).draw(words),
    );
    drawn.add(
        "residuals",
        "Price over fair price",
        "Bars: 95 % intervals. At the right: first and last possible place among all, 1 the most overpriced.",
        |words| residuals(pricing).sorted().draw(words),
    );
    drawn.add(
        "sensitivity",
        "What moves the prices most",
        "Mean change of all weapons; the mix and the opponent left out: the least and the most of any.",
        |words| tornado(pricing).draw(words),
    );
    drawn.add(
        "scenarios",
        "Where the weapons are worth their price",
        "Worth in a scenario in percent of the current price; 100 is worth its price there.",
        |words| heatmap(pricing).draw(words),
    );
    drawn.add_those_of_weapons();
    drawn.charts
}

/// Charts drawn so far.
struct Drawn<'a> {
    findings: &'a Findings<'a>,
    charts: Vec<Chart>,
}

impl Drawn<'_> {
    /// Adds the charts that only some arsenals have, or some weapons.
    fn add_those_of_weapons(&mut self) {
        let Findings { pricing, .. } = *self.findings;
        if pricing
            .weapons
            .iter()
            .any(|weapon| weapon.copies[1].is_some())
        {
            self.add(
                "copies",
                "What the second and third copy add",
                "Points that each copy adds to those before it.",
                |words| copies(pricing).draw(words),
            );
        }
        for weapon in worst(&pricing.weapons) {
            let findings = self.findings;
            let name = clean(&pricing.weapons[weapon].name);
            self.add(
                &format!("indifference-{}", weapon + 1),
                &format!("{name}: wins against more and more reference troops"),
                "Draws count half. The fair price of a scenario is where its curve passes 50 %.",
                |words| indifference(findings, weapon).draw(words),
            );
        }
    }

    /// Adds a chart; one that has nothing to show is left out.
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
            self.charts.push(Chart {
                name: format!("{number}-{name}"),
                title: title.to_owned(),
                scene,
            });
        }
    }
}

/// How the numbers were made, and what they do not see, for every caption.
fn made(findings: &Findings) -> String {
    let trials = findings
        .pricing
        .weapons
        .iter()
        .filter_map(|weapon| weapon.trials);
    let how = match trials.clone().count() {
        0 => "Exact battles".to_owned(),
        _ => format!("Simulated battles, N = {} meetings", trials.sum::<u64>()),
    };
    let unseen: Vec<&str> = words::BLIND.iter().map(|(what, _)| *what).collect();
    format!("{how}. Not seen: {}.", unseen.join(", "))
}

/// Positions of the weapons whose prices are farthest from fair.
fn worst(weapons: &[Priced]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..weapons.len()).collect();
    let far = |w: &usize| weapons[*w].residual.abs();
    order.sort_by(|a, b| far(b).total_cmp(&far(a)));
    order.truncate(CURVES);
    order
}

fn scatter(pricing: &Pricing) -> Scatter {
    let fair = |weapon: &Priced| weapon.fair.ln();
    let worth = |weapon: &Priced| match pricing.curve.slope {
        slope if slope > 0.0 => ((fair(weapon) - pricing.curve.start) / slope).exp(),
        _ => weapon.fair,
    };
    let point = |weapon: &Priced| Point {
        name: format!("{} {}", signed(weapon.residual), clean(&weapon.name)),
        x: worth(weapon),
        y: weapon.price,
        interval: None,
        weight: weapon.residual.abs(),
    };
    let mut along: Vec<(f64, f64)> = pricing.weapons.iter().map(|w| (worth(w), w.fair)).collect();
    along.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wide = |end: &dyn Fn(&Priced) -> f64| {
        let mut widths: Vec<f64> = pricing.weapons.iter().map(|w| end(w) - fair(w)).collect();
        widths.sort_by(f64::total_cmp);
        widths
            .get(widths.len() / 2)
            .map_or(1.0, |width| width.exp())
    };
    let (low, high) = (wide(&|w| w.low.ln()), wide(&|w| w.high.ln()));
    Scatter {
        points: pricing.weapons.iter().map(point).collect(),
        band: along.iter().map(|(x, y)| (*x, y * low, y * high)).collect(),
        curve: along,
        x_title: match pricing.anchor {
            Anchor::Reference => "worth, points of reference troops",
            Anchor::Arsenal => "worth beside the other weapons, points",
        }
        .to_owned(),
        y_title: "current price, points".to_owned(),
        factors: (true, true),
    }
}

/// A change of a logarithm in percent: `+45 %`.
fn signed(log: f64) -> String {
    format!("{:+.0} %", 100.0 * log.exp_m1())
}

fn mixes(pricing: &Pricing) -> Forest {
    let glyphs = [Glyph::Dot, Glyph::Diamond, Glyph::Square, Glyph::Triangle];
    let names = ["designer's", "uniform", "points in play", "adversarial"];
    let row = |weapon: &Priced| {
        let by_mix = &weapon.by_mix;
        let designer = Span::within(by_mix.designer, weapon.low, weapon.high);
        let mut marks = vec![
            (glyphs[0], designer),
            (glyphs[1], Span::exact(by_mix.uniform)),
        ];
        marks.extend(by_mix.points.map(|points| (glyphs[2], Span::exact(points))));
        marks.push((glyphs[3], Span::exact(by_mix.adversarial)));
        Row {
            name: clean(&weapon.name),
            marks,
            text: format!("{} → {}", points(weapon.price), points(weapon.suggested)),
        }
    };
    let given = |place: &usize| *place != 2 || pricing.mixes.points.is_some();
    let series = (0..4)
        .filter(given)
        .map(|i| (glyphs[i], names[i].to_owned()));
    Forest {
        rows: pricing.weapons.iter().map(row).collect(),
        measured: "fair price, points".to_owned(),
        text_head: "price → try".to_owned(),
        series: series.collect(),
        factors: true,
        ..Forest::default()
    }
}

fn residuals(pricing: &Pricing) -> Forest {
    let row = |weapon: &Priced| {
        let ratio = |fair: f64| weapon.price / fair;
        Row {
            name: clean(&weapon.name),
            marks: vec![(
                Glyph::Dot,
                Span::within(ratio(weapon.fair), ratio(weapon.high), ratio(weapon.low)),
            )],
            text: format!(
                "{} – {}, {}",
                weapon.rank.0,
                weapon.rank.1,
                weapon.verdict.word()
            ),
        }
    };
    Forest {
        rows: pricing.weapons.iter().map(row).collect(),
        measured: "current price over fair price".to_owned(),
        text_head: "rank, verdict".to_owned(),
        reference: Some(1.0),
        factors: true,
        ..Forest::default()
    }
}

fn tornado(pricing: &Pricing) -> Tornado {
    let percent = |log: f64| 100.0 * log.exp_m1();
    let bar = |swing: &Swing| {
        let (low, high) = swing.mean();
        Bar {
            name: clean(&swing.name),
            at_low: percent(low),
            at_high: percent(high),
            ends: (swing.low_label.clone(), swing.high_label.clone()),
        }
    };
    Tornado {
        bars: pricing.swings.iter().map(bar).collect(),
        base: 0.0,
        measured: "change of the fair price, %".to_owned(),
    }
}

fn heatmap(pricing: &Pricing) -> HeatMap {
    let (mut values, mut texts) = (Vec::new(), Vec::new());
    let fought = pricing.worths.get(&Model::Default);
    for (w, weapon) in pricing.weapons.iter().enumerate() {
        for (s, log) in pricing.logs[w].iter().enumerate() {
            let share = 100.0 * pricing.curve.at(*log).exp() / weapon.price;
            let sign = match fought.and_then(|table| table[w][s].bound) {
                Some(Bound::AtLeast) => "≥ ",
                Some(Bound::AtMost) => "≤ ",
                None => "",
            };
            values.push(Some(share));
            texts.push(format!("{sign}{share:.0}"));
        }
    }
    let names = pricing
        .scenarios
        .iter()
        .map(|scenario| clean(&scenario.name));
    let weapons = pricing.weapons.iter().map(|weapon| clean(&weapon.name));
    HeatMap {
        signed: false,
        columns: Heads::new("scenario", names.collect()),
        rows: Heads::new("weapon", weapons.collect()),
        texts,
        values,
        among: Vec::new(),
        measured: "worth, % of the price".to_owned(),
    }
}

fn copies(pricing: &Pricing) -> Forest {
    let glyphs = [Glyph::Dot, Glyph::Diamond, Glyph::Triangle];
    let row = |weapon: &Priced| {
        let known = glyphs.into_iter().zip(weapon.copies);
        let marks = known.filter_map(|(glyph, worth)| Some((glyph, Span::exact(worth?))));
        let growth =
            |worth: Option<f64>| worth.map_or("–".to_owned(), |w| percent(w / weapon.fair));
        Row {
            name: clean(&weapon.name),
            marks: marks.collect(),
            text: format!("{}, {}", growth(weapon.copies[1]), growth(weapon.copies[2])),
        }
    };
    let names = ["first", "second", "third"].map(str::to_owned);
    Forest {
        rows: pricing.weapons.iter().map(row).collect(),
        measured: "points that a copy adds".to_owned(),
        text_head: "second, third of the first".to_owned(),
        series: glyphs.into_iter().zip(names).collect(),
        from_zero: true,
        ..Forest::default()
    }
}

fn indifference(findings: &Findings, weapon: usize) -> Lines {
    let own = |battle: &&Battle| battle.weapon == weapon && battle.model == Model::Default;
    let battles: Vec<&Battle> = findings.evidence.battles.iter().filter(own).collect();
    let series = |battle: &&Battle| Series {
        name: clean(&findings.evidence.scenarios[battle.scenario].name),
        points: battle
            .curve
            .iter()
            .map(|m| (m.points, 100.0 * m.won))
            .collect(),
        marks: battle.curve.iter().filter_map(mark).collect(),
        ..Series::default()
    };
    let x = || {
        battles
            .iter()
            .flat_map(|b| b.curve.iter().map(|m| m.points))
    };
    let across = match findings.pricing.scale {
        Fitted::LogPoints => Scale::factors(x()),
        Fitted::Points => Scale::around(x(), 0.0),
    };
    Lines {
        series: battles.iter().map(series).collect(),
        across: Across::Numbers(across),
        x_title: "points of reference troops in its place".to_owned(),
        up: Scale::exactly(0.0, 100.0),
        y_title: "battles won, %".to_owned(),
        legend: "scenario".to_owned(),
        level: Some((50.0, "even".to_owned())),
    }
}

/// A simulated share with its interval; nothing for an exact one.
fn mark(meeting: &Meeting) -> Option<(f64, Span)> {
    let trials = meeting.trials?;
    let hits = (meeting.won * trials as f64).round() as u64;
    let interval = proportion(hits, trials, Level::P95);
    let span = Span::within(
        100.0 * meeting.won,
        100.0 * interval.low,
        100.0 * interval.high,
    );
    Some((meeting.points, span))
}
