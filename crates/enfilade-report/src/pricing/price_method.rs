//! Method of the prices, and the meaning of the words in their tables.

use indexmap::IndexMap;

use super::points_format::comma_separated_names;
use super::price_findings::PriceFindings;
use super::price_sentences::format_whole_percent;
use crate::text::sentences::replace_control_chars;
use enfilade_model::form::sanitize::group_digits;
use enfilade_pricing::evidence::BattleEvidence;
use enfilade_pricing::price::opponent_mix::PRIOR_OPPONENT_SPREADS;
use enfilade_pricing::price::verdict::MIN_OPPONENTS_TO_JUDGE;
use enfilade_pricing::price::worth::MAX_CURVE_EXTRAPOLATION;
use enfilade_pricing::price::{ArsenalPrices, ScaleSource};

/// Describes the method, one sentence a line.
pub fn describe_pricing_method(findings: &PriceFindings) -> Vec<String> {
    let pricing = findings.pricing;
    let mut lines = vec![describe_fought_battles(findings), EVEN_PRICE_NOTE.to_owned()];
    lines.extend(describe_cost_of_worth_point(pricing));
    lines.push(describe_price_interval(pricing));
    lines.push(format!(
        "Right: the 90 % range lies within {} of the price. Too dear, too cheap: the 95 % range leaves the price \
         out, and the even price is off by more than that. Open: any price in the range plays alike; with fewer \
         than {MIN_OPPONENTS_TO_JUDGE} opponents all are.",
        format_whole_percent(pricing.tolerance)
    ));
    lines.extend(pricing.units.is_some().then(|| NO_ONE_PRICE_NOTE.to_owned()));
    lines.push(format!("Prices are shown in {}.", pricing.steps.describe_price_steps()));
    lines.extend(findings.only.is_some().then(|| CANDIDATE_ONLY_NOTE.to_owned()));
    if pricing.weapons.iter().any(|weapon| weapon.bounded_share > 0.0) {
        lines.push(format!(
            "Where a curve never passes one half, the worth is the end of it; up to {MAX_CURVE_EXTRAPOLATION} \
             times that is allowed for in the range."
        ));
    }
    lines.extend(collect_contest_notes(findings.evidence));
    lines
}

/// The meanings of the words in the tables.
pub const TABLE_WORD_MEANINGS: [&str; 3] = [
    "even: the price at which lists of equal points win as often as they lose; surely between: its 95 % range",
    "counts for: points of the troops it meets at which as many battles are won as lost over whom it meets",
    "if it never fires: what a unit like it counts for that only takes fire",
];

const NO_ONE_PRICE_NOTE: &str = "No one price: against more than half of whom it meets what no price can mend is beyond that. Its range \
    is what it would cost against one of them alone.";

const CANDIDATE_ONLY_NOTE: &str = "The other weapons were fought with every assumption at its default only: what an \
    assumption changes for all alike is not taken out, so the range is somewhat wider than that of the \
    whole arsenal.";

const EVEN_PRICE_NOTE: &str = "A unit counts for the points of the troops it meets at which as many battles are won as lost \
    over all of them. Its even price is that times what a point of worth costs in this list, by the other units that \
    have a price: its own moves nothing.";

/// The largest number of weapons that a note lists by name; above it only their number is given.
const MAX_WEAPONS_NAMED_IN_NOTE: usize = 3;

/// Collects the notes of the contests, each note once, with the weapons and scenarios that have it
/// unless all do.
fn collect_contest_notes(evidence: &BattleEvidence) -> Vec<String> {
    let mut about: IndexMap<&str, IndexMap<usize, Vec<usize>>> = IndexMap::new();
    for note in &evidence.notes {
        let weapons = about.entry(&note.text).or_default();
        weapons.entry(note.weapon).or_default().push(note.scenario);
    }
    let describe = |(text, weapons): (&str, IndexMap<usize, Vec<usize>>)| {
        let (all, text) = (evidence.weapons.len(), replace_control_chars(text));
        let everywhere = |met_in: &Vec<usize>| met_in.len() == evidence.scenarios.len();
        if weapons.len() == all && weapons.values().all(everywhere) {
            return format!("Note: {text}");
        }
        if weapons.len() > MAX_WEAPONS_NAMED_IN_NOTE {
            return format!("Note ({} of {all} weapons): {text}", weapons.len());
        }
        let named = weapons.iter().map(|(&weapon, met)| {
            let name = &evidence.weapons[weapon].name;
            let places = met.iter().map(|&met| format!("“{}”", evidence.scenarios[met].name));
            match everywhere(met) {
                true => name.clone(),
                false => format!("{name} in {}", comma_separated_names(places)),
            }
        });
        format!("Note ({}): {text}", comma_separated_names(named))
    };
    about.into_iter().map(describe).collect()
}

fn describe_fought_battles(findings: &PriceFindings) -> String {
    let weapons = &findings.pricing.weapons;
    let trials = weapons.iter().filter_map(|weapon| weapon.trials);
    let (all, simulated) = (weapons.len(), trials.clone().count());
    let battles = group_digits(findings.evidence.battles.len() as u64);
    let how = match simulated {
        0 => "all of them exact".to_owned(),
        _ => format!(
            "of {simulated} of {all} weapons partly simulated, with {} meetings in all (seed {})",
            group_digits(trials.sum()),
            findings.seed
        ),
    };
    format!("From {battles} battles of force against force, {how}.")
}

/// Describes the cost of a point of worth, and the weapons that the scale ignores.
fn describe_cost_of_worth_point(pricing: &ArsenalPrices) -> Vec<String> {
    let Some(scale) = &pricing.scale else { return Vec::new() };
    let (k, low, high) = (scale.k.best, scale.k.low, scale.k.high);
    let name = |w: usize| replace_control_chars(&pricing.weapons[w].name);
    let mut lines = vec![match scale.source {
        ScaleSource::ByPrices => {
            format!("A point of worth costs {k:.2} here ({low:.2} to {high:.2}).")
        }
        ScaleSource::By(_) => format!("A point of worth costs {k:.2}, as set in the file."),
        ScaleSource::ByUnit(unit) => {
            format!(
                "A point of worth costs {k:.2}: the price of {} is right by decision.",
                name(unit)
            )
        }
    }];
    let scatter = scale.scatter.map(format_whole_percent);
    lines.extend(scatter.map(|scatter| format!("Prices scatter by {scatter} about that.")));
    if !scale.outliers.is_empty() {
        let names = comma_separated_names(scale.outliers.iter().map(|&w| name(w)));
        lines.push(format!("Not heard, because they are far from it: {names}."));
    }
    lines
}

fn describe_price_interval(pricing: &ArsenalPrices) -> String {
    let opponents = match pricing.opponents {
        few @ 1..=2 => format!(
            "{}, so the spread over opponents is taken from other arsenals ({})",
            ["one opponent", "two opponents"][few - 1],
            format_whole_percent(PRIOR_OPPONENT_SPREADS.0)
        ),
        all => format!("{all} opponents"),
    };
    format!(
        "Ranges cover 95 %: what a point of worth costs, {opponents}, assumptions within their ranges, and \
         rolled battles, in quadrature."
    )
}
