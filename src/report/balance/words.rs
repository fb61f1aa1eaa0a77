//! Sentences about prices, the same in every form of the report.

use indexmap::IndexMap;

use super::Findings;
use crate::report::words::clean;
use crate::stats::decimals::grouped;
use crate::study::balance::evidence::Evidence;
use crate::study::balance::price::resample::CONCENTRATION;
use crate::study::balance::price::sensitivity::Swing;
use crate::study::balance::price::verdict::{LADDER, LIMIT, Verdict};
use crate::study::balance::price::worth::{REACH, Scale};
use crate::study::balance::price::{Anchor, Priced, Pricing};

/// What a price does not see. It stands on every report.
pub const BLIND: [(&str, &str); 4] = [
    (
        "manoeuvre",
        "nobody outflanks, withdraws or waits for a better shot; forces meet and fight",
    ),
    (
        "objectives",
        "a side wins by what is left of the other, not by holding ground",
    ),
    (
        "command",
        "orders, initiative and leaders are what the scenario gives both sides alike",
    ),
    (
        "the players",
        "both sides fire at what is there; nobody bluffs, tires or knows the table",
    ),
];

/// Rate of false discoveries at which a wrong price counts as found.
pub const RATE: f64 = 0.10;

/// Points as they are printed: one decimal below 10, none above.
pub fn points(value: f64) -> String {
    if value.abs() < 9.95 {
        return format!("{value:.1}");
    }
    format!("{value:.0}")
}

/// A share in whole percents.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Why the weapon at this position is over, under or right, in one sentence.
pub fn why(position: usize, pricing: &Pricing) -> String {
    let weapon = &pricing.weapons[position];
    let fair = format!(
        "{} ({} to {})",
        points(weapon.fair),
        points(weapon.low),
        points(weapon.high)
    );
    let price = points(weapon.price);
    let verdict = match weapon.verdict {
        Verdict::Over => {
            let more = percent(weapon.price / weapon.fair - 1.0);
            format!("{price} is {more} more than it is worth, {fair}")
        }
        Verdict::Under => {
            let less = percent(1.0 - weapon.price / weapon.fair);
            format!("{price} is {less} less than it is worth, {fair}")
        }
        Verdict::Hold => format!("{price} lies within what it is worth, {fair}"),
    };
    let parts = [
        Some(verdict),
        home(position, pricing),
        doubt(weapon),
        chance(weapon, pricing),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{}.", parts.join("; "))
}

/// The scenarios in which it is worth most and least.
fn home(position: usize, pricing: &Pricing) -> Option<String> {
    let weapon = &pricing.weapons[position];
    let said = |scenario: usize| {
        let worth = pricing.curve.at(pricing.logs[position][scenario]).exp();
        let name = clean(&pricing.scenarios[scenario].name);
        format!("in “{name}” ({})", points(worth))
    };
    let (best, worst) = (said(weapon.best), said(weapon.worst));
    let differ = weapon.best != weapon.worst;
    differ.then(|| format!("it is worth most {best}, least {worst}"))
}

/// Where most of the doubt comes from.
fn doubt(weapon: &Priced) -> Option<String> {
    let (name, share) = weapon.shares.sorted()[0];
    let about = match name {
        "sampling" => "the rolled battles",
        "scenarios" => "which scenarios are met",
        "model" => "the assumptions",
        _ => "which opponents are met",
    };
    (share > 0.0).then(|| format!("{} of the doubt is {about}", percent(share)))
}

/// A caution where the finding may be chance, or a bound is all there is.
fn chance(weapon: &Priced, pricing: &Pricing) -> Option<String> {
    if weapon.verdict != Verdict::Hold && weapon.q > RATE {
        let count = pricing.weapons.len();
        let q = weapon.q;
        return Some(format!(
            "among {count} weapons this can be chance (q = {q:.2})"
        ));
    }
    let bounded = percent(weapon.bounded);
    (weapon.bounded > 0.0).then(|| format!("in {bounded} of the mix its worth is only a bound"))
}

/// The whole arsenal in a sentence: how many prices are found wrong.
pub fn verdicts(pricing: &Pricing) -> String {
    let count = |verdict: Verdict| {
        let found = pricing
            .weapons
            .iter()
            .filter(|weapon| weapon.verdict == verdict);
        found.count()
    };
    let sure = pricing.weapons.iter();
    let sure = sure.filter(|weapon| weapon.verdict != Verdict::Hold && weapon.q <= RATE);
    format!(
        "Of {} prices {} are over, {} under, {} hold; {} of them are found wrong with at most {} \
         false discoveries among them.",
        pricing.weapons.len(),
        count(Verdict::Over),
        count(Verdict::Under),
        count(Verdict::Hold),
        sure.count(),
        percent(RATE),
    )
}

/// How the prices were made, one sentence a line.
pub fn method(findings: &Findings) -> Vec<String> {
    let pricing = findings.pricing;
    let mut lines = vec![battles(findings), anchor(pricing), interval(pricing)];
    lines.push(format!(
        "A suggestion moves a price by at most {} and stands on the ladder: {LADDER}.",
        percent(LIMIT)
    ));
    lines.extend(exchange(pricing));
    if pricing.weapons.iter().any(|weapon| weapon.bounded > 0.0) {
        lines.push(format!(
            "Where a curve never passes one half, the worth is the end of its grid; up to {REACH} \
             times that is allowed for in the interval."
        ));
    }
    lines.extend(pricing.notes.iter().map(|note| clean(note)));
    lines.extend(notes(findings.evidence));
    lines
}

/// Weapons that are named where a note is about them; of more their number is given.
const NAMED: usize = 3;

/// What the contests remark, each remark once, with the weapons and scenarios it is about when not
/// all.
fn notes(evidence: &Evidence) -> Vec<String> {
    let mut about: IndexMap<&str, IndexMap<usize, Vec<usize>>> = IndexMap::new();
    for note in &evidence.notes {
        let weapons = about.entry(&note.text).or_default();
        weapons.entry(note.weapon).or_default().push(note.scenario);
    }
    let said = |(text, weapons): (&str, IndexMap<usize, Vec<usize>>)| {
        let (all, text) = (evidence.weapons.len(), clean(text));
        let everywhere = |met: &Vec<usize>| met.len() == evidence.scenarios.len();
        if weapons.len() == all && weapons.values().all(everywhere) {
            return format!("Note: {text}");
        }
        if weapons.len() > NAMED {
            return format!("Note ({} of {all} weapons): {text}", weapons.len());
        }
        let named = weapons.iter().map(|(&weapon, met)| {
            let name = clean(&evidence.weapons[weapon].name);
            let place = |&met: &usize| format!("“{}”", clean(&evidence.scenarios[met].name));
            match everywhere(met) {
                true => name,
                false => format!("{name} in {}", listed(met.iter().map(place))),
            }
        });
        format!("Note ({}): {text}", listed(named))
    };
    about.into_iter().map(said).collect()
}

fn listed(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn battles(findings: &Findings) -> String {
    let trials = findings
        .pricing
        .weapons
        .iter()
        .filter_map(|weapon| weapon.trials);
    let simulated = trials.clone().count();
    let how = match simulated {
        0 => "all of them exact".to_owned(),
        _ => format!(
            "of {simulated} of {} weapons partly simulated, with {} meetings in all (seed {})",
            findings.pricing.weapons.len(),
            grouped(trials.sum()),
            findings.seed
        ),
    };
    let scale = match findings.pricing.scale {
        Scale::Points => "points",
        Scale::LogPoints => "the logarithm of points",
    };
    format!(
        "Indifference prices from {} battles of force against force, {how}; curves in {scale}, \
         which fits them better.",
        grouped(findings.evidence.battles.len() as u64)
    )
}

fn anchor(pricing: &Pricing) -> String {
    match pricing.anchor {
        Anchor::Reference => "Fair is the number of points of reference troops against which it \
            wins half of its battles, as the mean of the logarithms under the designer's mix. If \
            nearly all weapons are over, or under, it is the reference troops that are priced \
            wrong."
            .to_owned(),
        Anchor::Arsenal => format!(
            "Fair is what the arsenal itself pays for the same worth, by a line that wrong prices \
             hardly move: a weapon worth 1 % more costs {:.2} % more. What all weapons gain in a scenario is \
             taken out.",
            pricing.curve.slope
        ),
    }
}

fn interval(pricing: &Pricing) -> String {
    let opponents = match pricing.opponents {
        1 => "one opponent, so that nothing is known about others".to_owned(),
        all => format!(
            "{all} opponents (as even as {:.1} of equal weight)",
            pricing.effective_opponents
        ),
    };
    format!(
        "Intervals cover 95 %: nested resampling of {opponents}, of scenarios (Dirichlet weights of \
         concentration {CONCENTRATION} for each, stretched to the spread that is seen), of \
         assumptions within their ranges, and of rolled battles."
    )
}

fn exchange(pricing: &Pricing) -> Option<String> {
    let said = |what: &str, worth: Option<f64>| {
        worth.map(|worth| format!("{what} is worth {worth:.2} of a kill"))
    };
    let exchange = pricing.exchange;
    let parts = [
        said("a pin", exchange.pin_per_kill),
        said("a break", exchange.break_per_kill),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("By the rules' own rally chain {}.", parts.join(", ")))
}

/// What each cause in the table of sensitivity means, one sentence a line.
pub fn causes(pricing: &Pricing) -> Vec<String> {
    let said = |swing: &Swing| format!("{}: {}", clean(&swing.name), clean(&swing.about));
    pricing.swings.iter().map(said).collect()
}
