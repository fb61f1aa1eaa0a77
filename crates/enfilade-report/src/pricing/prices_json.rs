//! The recommendation as JSON, every number in full.
//!
//! `{"enfilade", "schema", "arsenal", "seed", "tolerance", "steps", "scale": {"k", "low", "high",
//! "scatter", "slope", "slope_low", "slope_high", "in_doubt", "settled", "not_heard"}, "weapons":
//! [{"name", "price", "even", "low", "high", "low90", "high90", "shown": {"even", "low", "high"},
//! "verdict", "not_priced", "worth": {"best", "low", "high"}, "beside": {"unit", "best", "low",
//! "high"}, "no_one_price": {"low", "high", "beside"}, "points", "lever": {"write", "low", "high"},
//! "cause", "assumptions", "floor", "eighth", "best", "worst", "bounded_share", "trials", "why",
//! "notes"}], "scenarios", "remarks", "method", "not_seen"}`, `"lists"` where lists were fought,
//! and `"units"` where all units met all. What is not known is null: a candidate has no price and
//! no verdict, a weapon that is not priced no even price, and where too few have a price there is
//! no scale.

use indexmap::IndexSet;
use serde::Serialize;

use super::list_battles::{ListBattleFindings, ListBattlesJson};
use super::price_findings::PriceFindings;
use super::unit_meetings::{UnitAdvantagesJson, UnitAgainstUnitFindings};
use super::{price_method, price_sentences};
use crate::json_text::{ObjectKeyedByName, to_indented_json};
use enfilade_pricing::price::price_uncertainty::PriceUncertaintyCause;
use enfilade_pricing::price::verdict::PriceVerdict;
use enfilade_pricing::price::{ArsenalPrices, EvenPrice, PriceScale, RangedValue, ScaleSource};

/// The version of these keys: it changes if a key is removed or changes its meaning.
pub const PRICES_SCHEMA_VERSION: u32 = 4;

/// The recommendation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PricesDocument {
    enfilade: &'static str,
    schema: u32,
    arsenal: String,
    seed: u64,
    tolerance: f64,
    steps: String,
    scale: Option<PriceScaleJson>,
    weapons: Vec<WeaponPriceJson>,
    scenarios: Vec<ScenarioWeightJson>,
    remarks: Vec<String>,
    method: Vec<String>,
    not_seen: Vec<BattleModelLimitJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lists: Option<ListBattlesJson>,
    /// Only if all units met all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    units: Option<UnitAdvantagesJson>,
}

/// The cost of a point of worth; the slope is 1 if twice the worth costs twice as much.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PriceScaleJson {
    k: f64,
    low: f64,
    high: f64,
    scatter: Option<f64>,
    slope: Option<f64>,
    slope_low: Option<f64>,
    slope_high: Option<f64>,
    in_doubt: bool,
    settled: ScaleSourceJson,
    not_heard: Vec<String>,
}

/// The source of the scale: in a word, or with the name of a unit.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
enum ScaleSourceJson {
    Prices,
    K,
    Unit(String),
}

/// A limit of these battles, and its effect.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct BattleModelLimitJson {
    what: &'static str,
    how: String,
}

/// A weapon. Keys without a value are null, so that every weapon has the same keys.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct WeaponPriceJson {
    name: String,
    price: Option<f64>,
    verdict: Option<&'static str>,
    not_priced: Option<String>,
    #[cfg_attr(test, ts(type = "{ best: number, low: number, high: number }"))]
    worth: RangedValue,
    floor: Option<f64>,
    /// Worth of the eighth copy as a share of that of the first.
    eighth: Option<f64>,
    best: String,
    worst: String,
    bounded_share: f64,
    trials: Option<u64>,
    why: String,
    notes: Vec<String>,
    // From here on all is null without an even price.
    even: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    low90: Option<f64>,
    high90: Option<f64>,
    shown: Option<RoundedEvenPriceJson>,
    /// The currency: points of the list, or of the opponents.
    points: Option<&'static str>,
    #[cfg_attr(
        test,
        ts(type = "{ unit: string | null, best: number, low: number, high: number } | null")
    )]
    beside: Option<WorthInUnitsJson>,
    no_one_price: Option<ExtremeOpponentPricesJson>,
    lever: Option<RangeNarrowingLineJson>,
    cause: Option<String>,
    #[cfg_attr(test, ts(type = "Record<string, [number, number]> | null"))]
    assumptions: Option<ObjectKeyedByName<(f64, f64)>>,
}

/// An even price on the steps of the game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct RoundedEvenPriceJson {
    even: f64,
    low: f64,
    high: f64,
}

/// The number of units of one kind that a weapon is worth.
#[derive(Clone, Debug, Serialize)]
struct WorthInUnitsJson {
    unit: Option<String>,
    #[serde(flatten)]
    count: RangedValue,
}

/// The lowest and the highest price against one opponent alone, and these opponents.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ExtremeOpponentPricesJson {
    low: f64,
    high: f64,
    beside: [String; 2],
}

/// The line that would narrow the range most, and the range that it would leave.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct RangeNarrowingLineJson {
    write: String,
    low: f64,
    high: f64,
}

/// A scenario and its share of the mix.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ScenarioWeightJson {
    name: String,
    opponent: String,
    weight: f64,
    points_in_play: Option<f64>,
    share: f64,
}

/// Renders the recommendation as JSON, indented, with a line feed at its end.
pub fn render_prices_json(findings: &PriceFindings) -> String {
    to_indented_json(&build_prices_document(findings))
}

/// Builds the recommendation, with the results of lists and of units that were fought.
pub fn build_prices_document(findings: &PriceFindings) -> PricesDocument {
    let pricing = findings.pricing;
    let blind = price_sentences::list_blind_spots(findings).into_iter();
    let weapons = findings.indices_of_reported_weapons();
    let scenarios = pricing.scenarios.iter().zip(&pricing.mix);
    PricesDocument {
        enfilade: env!("CARGO_PKG_VERSION"),
        schema: PRICES_SCHEMA_VERSION,
        arsenal: findings.name.to_string(),
        seed: findings.seed,
        tolerance: pricing.tolerance,
        steps: pricing.steps.describe_price_steps(),
        scale: pricing.scale.as_ref().map(|known| build_scale_json(known, pricing)),
        weapons: weapons.map(|w| build_weapon_json(w, findings)).collect(),
        scenarios: scenarios
            .map(|(scenario, &share)| ScenarioWeightJson {
                name: scenario.name.clone(),
                opponent: scenario.opponent.clone(),
                weight: scenario.weight,
                points_in_play: scenario.points_in_play,
                share,
            })
            .collect(),
        remarks: findings.evidence.remarks.clone(),
        method: price_method::describe_pricing_method(findings),
        not_seen: blind.map(|(what, how)| BattleModelLimitJson { what, how }).collect(),
        lists: findings.lists.map(ListBattleFindings::to_lists_json),
        units: UnitAgainstUnitFindings::from_pricing(pricing).map(|edges| edges.to_edges_json()),
    }
}

fn build_scale_json(scale: &PriceScale, pricing: &ArsenalPrices) -> PriceScaleJson {
    let name = |w: usize| pricing.weapons[w].name.clone();
    let slope = |end: f64| {
        let slope = scale.slope?;
        Some(slope.at + end * slope.half_width_95_percent()).filter(|at| at.is_finite())
    };
    PriceScaleJson {
        k: scale.k.best,
        low: scale.k.low,
        high: scale.k.high,
        scatter: scale.scatter,
        slope: scale.slope.map(|slope| slope.at),
        slope_low: slope(-1.0),
        slope_high: slope(1.0),
        in_doubt: scale.do_prices_disagree_with_scale(),
        settled: match scale.source {
            ScaleSource::ByPrices => ScaleSourceJson::Prices,
            ScaleSource::By(_) => ScaleSourceJson::K,
            ScaleSource::ByUnit(unit) => ScaleSourceJson::Unit(name(unit)),
        },
        not_heard: scale.outliers.iter().map(|&w| name(w)).collect(),
    }
}

fn build_weapon_json(position: usize, findings: &PriceFindings) -> WeaponPriceJson {
    let pricing = findings.pricing;
    let weapon = &pricing.weapons[position];
    let even = weapon.even_price_if_any();
    let name = |w: usize| pricing.weapons[w].name.clone();
    WeaponPriceJson {
        name: weapon.name.clone(),
        price: weapon.price,
        verdict: weapon.verdict_on_price().map(PriceVerdict::label_in_reports),
        not_priced: weapon.even.as_ref().err().map(price_sentences::explain_unpriced_weapon),
        worth: weapon.worth,
        floor: weapon.idle_worth,
        eighth: weapon.eighth,
        best: pricing.scenarios[weapon.best].name.clone(),
        worst: pricing.scenarios[weapon.worst].name.clone(),
        bounded_share: weapon.bounded_share,
        trials: weapon.trials,
        why: price_sentences::all_sentences_on_weapon(position, findings).join(" "),
        notes: collect_notes_of_weapon(position, findings),
        even: even.map(|even| even.price.best),
        low: even.map(|even| even.price.low),
        high: even.map(|even| even.price.high),
        low90: even.map(|even| even.at90.0),
        high90: even.map(|even| even.at90.1),
        shown: even.map(|even| {
            let RangedValue { best: even, low, high } = even.rounded;
            RoundedEvenPriceJson { even, low, high }
        }),
        points: even.map(|even| if even.is_in_list_points { "list" } else { "opponents" }),
        beside: even
            .and_then(|even| even.in_reference_units)
            .map(|count| WorthInUnitsJson { unit: pricing.reference_unit.map(name), count }),
        no_one_price: even.and_then(|even| even.opponent_prices).map(|apart| {
            let (low, high, beside) = (apart.low, apart.high, apart.opponents.map(name));
            ExtremeOpponentPricesJson { low, high, beside }
        }),
        lever: even.and_then(build_narrowing_line_json),
        cause: even.and_then(|even| largest_cause_name(even, pricing)),
        assumptions: even.map(|even| {
            let names = pricing.assumptions.iter().cloned();
            names.zip(even.assumption_prices.iter().copied()).collect()
        }),
    }
}

fn build_narrowing_line_json(even: &EvenPrice) -> Option<RangeNarrowingLineJson> {
    let RangedValue { low, high, .. } = price_sentences::range_after_best_addition(even)?;
    let write = even.best_addition.as_ref()?.write.hint_for_file();
    Some(RangeNarrowingLineJson { write, low, high })
}

/// Returns the largest cause of the uncertainty.
fn largest_cause_name(even: &EvenPrice, pricing: &ArsenalPrices) -> Option<String> {
    Some(match even.cause? {
        PriceUncertaintyCause::Scale => "scale".to_owned(),
        PriceUncertaintyCause::Opponents => "opponents".to_owned(),
        PriceUncertaintyCause::Assumption(place) => pricing.assumptions[place].clone(),
    })
}

/// Collects the notes of the contests of a weapon, each note once.
fn collect_notes_of_weapon(weapon: usize, findings: &PriceFindings) -> Vec<String> {
    let own = findings.evidence.notes.iter().filter(|note| note.weapon == weapon);
    let texts: IndexSet<String> = own.map(|note| note.text.clone()).collect();
    texts.into_iter().collect()
}
