//! The recommendation as JSON, every number in full.
//!
//! `{"enfilade", "schema", "arsenal", "seed", "tolerance", "steps", "scale": {"k", "low", "high", "scatter", "slope",
//! "slope_low", "slope_high", "in_doubt", "settled", "not_heard"}, "weapons": [{"name", "price", "even", "low", "high",
//! "low90", "high90", "shown": {"even", "low", "high"}, "verdict", "not_priced", "worth": {"best", "low", "high"},
//! "beside": {"unit", "best", "low", "high"}, "no_one_price": {"low", "high", "beside"}, "points", "lever": {"write", "low", "high"}, "cause", "assumptions",
//! "floor", "points_denied", "eighth", "best", "worst", "bounded_share", "trials", "why",
//! "notes"}], "exchange", "scenarios", "remarks", "method", "not_seen"}`, `"lists"` where lists were fought, and `"units"` where all units met all. What is not known is null: a
//! candidate has no price and no verdict, a weapon that is not priced no even price, and where too few have a
//! price there is no scale.

use indexmap::IndexSet;
use serde::Serialize;

use super::findings::Findings;
use super::list_battles::{ListFindings, ListsJson};
use super::unit_meetings::{EdgeFindings, EdgesJson};
use super::{method, price_sentences};
use crate::json::{Keyed, indented};
use enfilade_pricing::evidence::{Evidence, ScenarioFacts};
use enfilade_pricing::price::doubt::Cause;
use enfilade_pricing::price::verdict::Verdict;
use enfilade_pricing::price::{Even, OpponentPrices, Pricing, Ranged, Scale, Settled};

/// The version of these keys: it changes if a key is removed or changes its meaning.
pub const SCHEMA: u32 = 3;

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
    scale: Option<ScaleJson>,
    weapons: Vec<WeaponPriceJson>,
    exchange: ExchangeJson,
    scenarios: Vec<ScenarioJson>,
    remarks: Vec<String>,
    method: Vec<String>,
    not_seen: Vec<BlindJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lists: Option<ListsJson>,
    /// Only if all units met all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    units: Option<EdgesJson>,
}

/// The cost of a point of worth; the slope is 1 if twice the worth costs twice as much.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ScaleJson {
    k: f64,
    low: f64,
    high: f64,
    scatter: Option<f64>,
    slope: Option<f64>,
    slope_low: Option<f64>,
    slope_high: Option<f64>,
    in_doubt: bool,
    settled: SettledJson,
    not_heard: Vec<String>,
}

/// The source of the scale: in a word, or with the name of a unit.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
enum SettledJson {
    Prices,
    K,
    Unit(String),
}

/// A number and its range.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct RangedJson {
    best: f64,
    low: f64,
    high: f64,
}

impl RangedJson {
    fn of(Ranged { best, low, high }: Ranged) -> RangedJson {
        RangedJson { best, low, high }
    }
}

/// The worth of a pin and of a break beside a kill.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ExchangeJson {
    pin_per_kill: Option<f64>,
    break_per_kill: Option<f64>,
}

/// A limit of these battles, and its effect.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct BlindJson {
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
    worth: RangedJson,
    floor: Option<f64>,
    points_denied: DeniedJson,
    /// Worth of the eighth copy as a share of that of the first.
    eighth: Option<f64>,
    best: String,
    worst: String,
    bounded_share: f64,
    trials: Option<u64>,
    why: String,
    notes: Vec<String>,
    #[serde(flatten)]
    even: EvenJson,
}

/// Points denied in an activation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct DeniedJson {
    kill: f64,
    #[serde(rename = "break")]
    broken: f64,
    pin: f64,
}

/// An even price and its range; null without one.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct EvenJson {
    even: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    low90: Option<f64>,
    high90: Option<f64>,
    shown: Option<ShownJson>,
    /// The currency: points of the list, or of the opponents.
    points: Option<&'static str>,
    beside: Option<BesideJson>,
    no_one_price: Option<NoOnePriceJson>,
    lever: Option<LeverJson>,
    cause: Option<String>,
    #[cfg_attr(test, ts(type = "Record<string, [number, number]> | null"))]
    assumptions: Option<Keyed<(f64, f64)>>,
}

/// An even price on the steps of the game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ShownJson {
    even: f64,
    low: f64,
    high: f64,
}

/// The number of units of one kind that a weapon is worth.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct BesideJson {
    unit: Option<String>,
    best: f64,
    low: f64,
    high: f64,
}

/// The lowest and the highest price against one opponent alone, and these opponents.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct NoOnePriceJson {
    low: f64,
    high: f64,
    beside: [String; 2],
}

/// The line that would narrow the range most, and the range that it would leave.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct LeverJson {
    write: String,
    low: f64,
    high: f64,
}

/// A scenario and its share of the mix.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ScenarioJson {
    name: String,
    opponent: String,
    weight: f64,
    points_in_play: Option<f64>,
    share: f64,
}

/// Renders the recommendation as JSON, indented, with a line feed at its end.
pub fn render(findings: &Findings) -> String {
    indented(&document(findings))
}

/// Builds the recommendation, with the results of lists and of units that were fought.
pub fn document(findings: &Findings) -> PricesDocument {
    let pricing = findings.pricing;
    let blind = price_sentences::blind(findings).into_iter();
    PricesDocument {
        enfilade: env!("CARGO_PKG_VERSION"),
        schema: SCHEMA,
        arsenal: findings.name.to_string(),
        seed: findings.seed,
        tolerance: pricing.tolerance,
        steps: pricing.steps.words(),
        scale: pricing.scale.as_ref().map(|known| scale(known, pricing)),
        weapons: findings.told().map(|w| weapon(w, findings)).collect(),
        exchange: ExchangeJson {
            pin_per_kill: pricing.exchange.pin_per_kill,
            break_per_kill: pricing.exchange.break_per_kill,
        },
        scenarios: scenarios(pricing),
        remarks: findings.evidence.remarks.clone(),
        method: method::method(findings),
        not_seen: blind.map(|(what, how)| BlindJson { what, how }).collect(),
        lists: findings.fought.map(ListFindings::json),
        units: EdgeFindings::of(pricing).map(|edges| edges.json()),
    }
}

fn scale(scale: &Scale, pricing: &Pricing) -> ScaleJson {
    let name = |w: usize| pricing.weapons[w].name.clone();
    let slope = |end: f64| {
        scale.slope.map(|slope| slope.at + end * slope.half()).filter(|at| at.is_finite())
    };
    ScaleJson {
        k: scale.k.best,
        low: scale.k.low,
        high: scale.k.high,
        scatter: scale.scatter,
        slope: scale.slope.map(|slope| slope.at),
        slope_low: slope(-1.0),
        slope_high: slope(1.0),
        in_doubt: scale.in_doubt(),
        settled: match scale.settled {
            Settled::ByPrices => SettledJson::Prices,
            Settled::By(_) => SettledJson::K,
            Settled::ByUnit(unit) => SettledJson::Unit(name(unit)),
        },
        not_heard: scale.unused.iter().map(|&w| name(w)).collect(),
    }
}

fn weapon(position: usize, findings: &Findings) -> WeaponPriceJson {
    let pricing = findings.pricing;
    let weapon = &pricing.weapons[position];
    let denied = &weapon.denied;
    WeaponPriceJson {
        name: weapon.name.clone(),
        price: weapon.price,
        verdict: weapon.verdict().map(Verdict::word),
        not_priced: weapon.even.as_ref().err().map(price_sentences::unpriced),
        worth: RangedJson::of(weapon.worth),
        floor: weapon.floor,
        points_denied: DeniedJson { kill: denied.kill, broken: denied.broken, pin: denied.pin },
        eighth: weapon.eighth,
        best: pricing.scenarios[weapon.best].name.clone(),
        worst: pricing.scenarios[weapon.worst].name.clone(),
        bounded_share: weapon.bounded,
        trials: weapon.trials,
        why: price_sentences::why(position, findings),
        notes: notes(position, findings.evidence),
        even: weapon.priced().map_or_else(EvenJson::default, |known| even(known, pricing)),
    }
}

fn even(even: &Even, pricing: &Pricing) -> EvenJson {
    let Ranged { best, low, high } = even.shown;
    let unit = pricing.beside.map(|one| pricing.weapons[one].name.clone());
    let beside = |beside: Ranged| {
        let Ranged { best, low, high } = beside;
        BesideJson { unit, best, low, high }
    };
    EvenJson {
        even: Some(even.price.best),
        low: Some(even.price.low),
        high: Some(even.price.high),
        low90: Some(even.at90.0),
        high90: Some(even.at90.1),
        shown: Some(ShownJson { even: best, low, high }),
        points: Some(if even.scaled { "list" } else { "opponents" }),
        beside: even.beside.map(beside),
        no_one_price: no_one_price(even, pricing),
        lever: lever(even),
        cause: cause(even, pricing).map(str::to_owned),
        assumptions: Some(pricing.assumptions.iter().cloned().zip(even.ends.clone()).collect()),
    }
}

fn no_one_price(even: &Even, pricing: &Pricing) -> Option<NoOnePriceJson> {
    let OpponentPrices { low, high, beside } = even.apart?;
    let beside = beside.map(|w| pricing.weapons[w].name.clone());
    Some(NoOnePriceJson { low, high, beside })
}

fn lever(even: &Even) -> Option<LeverJson> {
    let (lever, then) = (even.lever.as_ref()?, price_sentences::settled(even)?);
    Some(LeverJson { write: lever.write.line(), low: then.low, high: then.high })
}

/// Returns the largest cause of the uncertainty.
fn cause<'a>(even: &Even, pricing: &'a Pricing) -> Option<&'a str> {
    Some(match even.cause? {
        Cause::Scale => "scale",
        Cause::Opponents => "opponents",
        Cause::Assumption(place) => &pricing.assumptions[place],
    })
}

/// Collects the notes of the contests of a weapon, each note once.
fn notes(weapon: usize, evidence: &Evidence) -> Vec<String> {
    let own = evidence.notes.iter().filter(|note| note.weapon == weapon);
    let texts: IndexSet<&str> = own.map(|note| note.text.as_str()).collect();
    texts.into_iter().map(str::to_owned).collect()
}

fn scenarios(pricing: &Pricing) -> Vec<ScenarioJson> {
    let one = |(scenario, share): (&ScenarioFacts, &f64)| ScenarioJson {
        name: scenario.name.clone(),
        opponent: scenario.opponent.clone(),
        weight: scenario.weight,
        points_in_play: scenario.points_in_play,
        share: *share,
    };
    pricing.scenarios.iter().zip(&pricing.mix).map(one).collect()
}
