//! The recommendation as JSON, every number in full.
//!
//! `{"enfilade", "schema", "arsenal", "seed", "tolerance", "steps", "scale": {"k", "low", "high", "scatter", "slope",
//! "slope_low", "slope_high", "in_doubt", "settled", "not_heard"}, "weapons": [{"name", "price", "even", "low", "high",
//! "low90", "high90", "shown": {"even", "low", "high"}, "verdict", "not_priced", "worth": {"best", "low", "high"},
//! "beside": {"unit", "best", "low", "high"}, "no_one_price": {"low", "high", "beside"}, "points", "lever": {"write", "low", "high"}, "cause", "assumptions",
//! "floor", "floored_share", "points_denied", "durability", "copies", "best", "worst", "bounded_share", "trials", "why",
//! "notes"}], "exchange", "scenarios", "sensitivity", "remarks", "method", "not_seen"}`, `"lists"` where lists were fought, and `"units"` where all units met all. What is not known is null: a
//! candidate has no price and no verdict, a weapon that is not priced no even price, and where too few have a
//! price there is no scale.

use indexmap::IndexSet;
use serde_json::{Map, Value as Json, json};

use super::edges::EdgeFindings;
use super::findings::Findings;
use super::{method, words};
use enfilade_pricing::evidence::{Evidence, ScenarioFacts};
use enfilade_pricing::price::doubt::Cause;
use enfilade_pricing::price::sensitivity::Swing;
use enfilade_pricing::price::verdict::Verdict;
use enfilade_pricing::price::{Even, Pricing, Ranged, Scale, Settled};

/// The number of these keys: another one where a key goes or means something else.
pub const SCHEMA: u32 = 2;

/// The recommendation, indented, with a line feed at its end.
pub fn render(findings: &Findings) -> String {
    format!("{:#}\n", document(findings))
}

/// The recommendation, with lists and units that were fought.
pub fn document(findings: &Findings) -> Json {
    let mut document = prices(findings);
    if let Some(fought) = findings.fought {
        document["lists"] = fought.json();
    }
    if let Some(edges) = EdgeFindings::of(findings.pricing) {
        document["units"] = edges.json();
    }
    document
}

fn prices(findings: &Findings) -> Json {
    let pricing = findings.pricing;
    let exchange = pricing.exchange;
    let blind = words::blind(findings);
    let blind = blind.iter().map(|(what, how)| json!({"what": what, "how": how}));
    json!({
        "enfilade": env!("CARGO_PKG_VERSION"),
        "schema": SCHEMA,
        "arsenal": findings.name,
        "seed": findings.seed,
        "tolerance": pricing.tolerance,
        "steps": pricing.steps.words(),
        "scale": pricing.scale.as_ref().map(|known| scale(known, pricing)),
        "weapons": findings.told().map(|w| weapon(w, findings)).collect::<Vec<_>>(),
        "exchange": {
            "pin_per_kill": exchange.pin_per_kill,
            "break_per_kill": exchange.break_per_kill,
        },
        "scenarios": scenarios(pricing),
        "sensitivity": pricing.swings.iter().map(|s| swing(s, pricing)).collect::<Vec<_>>(),
        "remarks": findings.evidence.remarks,
        "method": method::method(findings),
        "not_seen": blind.collect::<Vec<_>>(),
    })
}

/// What a point of worth costs; the slope is 1 where twice the worth costs twice as much.
fn scale(scale: &Scale, pricing: &Pricing) -> Json {
    let name = |w: usize| pricing.weapons[w].name.as_str();
    let slope = |end: f64| {
        scale.slope.map(|slope| slope.at + end * slope.half()).filter(|at| at.is_finite())
    };
    json!({
        "k": scale.k.best,
        "low": scale.k.low,
        "high": scale.k.high,
        "scatter": scale.scatter,
        "slope": scale.slope.map(|slope| slope.at),
        "slope_low": slope(-1.0),
        "slope_high": slope(1.0),
        "in_doubt": scale.in_doubt(),
        "settled": match scale.settled {
            Settled::ByPrices => json!("prices"),
            Settled::By(_) => json!("k"),
            Settled::ByUnit(unit) => json!({ "unit": name(unit) }),
        },
        "not_heard": scale.unused.iter().map(|&w| name(w)).collect::<Vec<_>>(),
    })
}

fn ranged(range: Ranged) -> Json {
    json!({ "best": range.best, "low": range.low, "high": range.high })
}

fn weapon(position: usize, findings: &Findings) -> Json {
    let pricing = findings.pricing;
    let weapon = &pricing.weapons[position];
    let denied = &weapon.denied;
    let mut said = json!({
        "name": weapon.name,
        "price": weapon.price,
        "verdict": weapon.verdict().map(Verdict::word),
        "not_priced": weapon.even.as_ref().err().map(words::unpriced),
        "worth": ranged(weapon.worth),
        "floor": weapon.floor,
        "floored_share": weapon.floored,
        "points_denied": {"kill": denied.kill, "break": denied.broken, "pin": denied.pin},
        "durability": weapon.durability,
        "copies": weapon.copies,
        "best": pricing.scenarios[weapon.best].name,
        "worst": pricing.scenarios[weapon.worst].name,
        "bounded_share": weapon.bounded,
        "trials": weapon.trials,
        "why": words::why(position, findings),
        "notes": notes(position, findings.evidence),
    });
    // Keys of what it lacks are there, with null: whoever reads many weapons asks each for the same.
    if let Some(all) = said.as_object_mut() {
        all.extend(even(weapon.priced(), pricing));
    }
    said
}

/// What is known of an even price; null where there is none.
fn even(even: Option<&Even>, pricing: &Pricing) -> Map<String, Json> {
    let number = |of: fn(&Even) -> f64| json!(even.map(of));
    let shown = |even: &Even| json!({ "even": even.shown.best, "low": even.shown.low, "high": even.shown.high });
    let unit = pricing.beside.map(|one| pricing.weapons[one].name.as_str());
    let beside = |even: &Even| {
        let beside = even.beside?;
        Some(json!({ "unit": unit, "best": beside.best, "low": beside.low, "high": beside.high }))
    };
    let points = |even: &Even| if even.scaled { "list" } else { "opponents" };
    Map::from_iter([
        ("even".to_owned(), number(|even| even.price.best)),
        ("low".to_owned(), number(|even| even.price.low)),
        ("high".to_owned(), number(|even| even.price.high)),
        ("low90".to_owned(), number(|even| even.at90.0)),
        ("high90".to_owned(), number(|even| even.at90.1)),
        ("shown".to_owned(), json!(even.map(shown))),
        ("points".to_owned(), json!(even.map(points))),
        ("beside".to_owned(), json!(even.and_then(beside))),
        ("no_one_price".to_owned(), json!(even.and_then(|even| apart(even, pricing)))),
        ("lever".to_owned(), json!(even.and_then(lever))),
        ("cause".to_owned(), json!(even.and_then(|even| cause(even, pricing)))),
        ("assumptions".to_owned(), json!(even.map(|even| ends(even, pricing)))),
    ])
}

/// What it would cost against one opponent alone, at least and at most.
fn apart(even: &Even, pricing: &Pricing) -> Option<Json> {
    let apart = even.apart?;
    let beside = apart.beside.map(|w| pricing.weapons[w].name.as_str());
    Some(json!({ "low": apart.low, "high": apart.high, "beside": beside }))
}

fn lever(even: &Even) -> Option<Json> {
    let (lever, then) = (even.lever.as_ref()?, words::settled(even)?);
    Some(json!({"write": lever.write.line(), "low": then.low, "high": then.high}))
}

/// What most of the doubt comes from.
fn cause<'a>(even: &Even, pricing: &'a Pricing) -> Option<&'a str> {
    Some(match even.cause? {
        Cause::Scale => "scale",
        Cause::Opponents => "opponents",
        Cause::Assumption(place) => &pricing.assumptions[place],
    })
}

/// Even prices with each assumption at its low and at its high end.
fn ends(even: &Even, pricing: &Pricing) -> Map<String, Json> {
    let both = pricing.assumptions.iter().zip(&even.ends);
    both.map(|(name, (low, high))| (name.clone(), json!([low, high]))).collect()
}

/// What the contests of a weapon remark, each remark once.
fn notes(weapon: usize, evidence: &Evidence) -> Vec<&str> {
    let own = evidence.notes.iter().filter(|note| note.weapon == weapon);
    let texts: IndexSet<&str> = own.map(|note| note.text.as_str()).collect();
    texts.into_iter().collect()
}

fn scenarios(pricing: &Pricing) -> Vec<Json> {
    let one = |(scenario, share): (&ScenarioFacts, &f64)| {
        json!({
            "name": scenario.name,
            "opponent": scenario.opponent,
            "weight": scenario.weight,
            "points_in_play": scenario.points_in_play,
            "share": share,
        })
    };
    pricing.scenarios.iter().zip(&pricing.mix).map(one).collect()
}

fn swing(swing: &Swing, pricing: &Pricing) -> Json {
    let (low, high) = swing.mean();
    json!({
        "name": swing.name,
        "about": swing.about,
        "low": swing.low_label,
        "high": swing.high_label,
        "mean_log_change": [low, high],
        "mean_size": swing.size(),
        "most_moved": swing.most_moved().map(|w| pricing.weapons[w].name.as_str()),
    })
}
