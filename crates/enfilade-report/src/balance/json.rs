//! The recommendation as JSON, every number in full.
//!
//! `{"enfilade", "arsenal", "seed", "tolerance", "ladder", "weapons": [{"name", "price", "worth":
//! {"best", "low", "high"}, "floor", "floored_share", "fair", "low", "high", "points", "suggested",
//! "verdict", "robust", "not_priced", "lever": {"write", "low", "high"}, "value_by_mix",
//! "points_denied", "durability", "copies", "rank", "variance_share", "p", "q", "residual", "best",
//! "worst", "bounded_share", "beyond_others", "trials", "why", "notes"}], "line", "exchange",
//! "scenarios", "sensitivity", "diagnostics", "remarks", "method", "not_seen"}`. What is not known is null: a
//! candidate has no price and no verdict, a weapon that is not priced no fair price.

use indexmap::IndexSet;
use serde_json::{Map, Value as Json, json};

use super::findings::Findings;
use super::words;
use enfilade_pricing::evidence::{Evidence, ScenarioFacts};
use enfilade_pricing::price::diagnostics::Group;
use enfilade_pricing::price::doubt::Shares;
use enfilade_pricing::price::lean::Moved;
use enfilade_pricing::price::sensitivity::Swing;
use enfilade_pricing::price::verdict::Verdict;
use enfilade_pricing::price::{ByMix, Fair, Judged, Pricing};
use enfilade_stats::line::Fit;

/// The recommendation, indented, with a line feed at its end.
pub fn render(findings: &Findings) -> String {
    format!("{:#}\n", document(findings))
}

/// The recommendation.
pub fn document(findings: &Findings) -> Json {
    let pricing = findings.pricing;
    let exchange = pricing.exchange;
    let blind = words::blind(findings);
    let blind = blind.iter().map(|(what, how)| json!({"what": what, "how": how}));
    json!({
        "enfilade": env!("CARGO_PKG_VERSION"),
        "arsenal": findings.name,
        "seed": findings.seed,
        "tolerance": pricing.tolerance,
        "ladder": pricing.ladder.words(),
        "weapons": findings.told().map(|w| weapon(w, findings)).collect::<Vec<_>>(),
        "exchange": {
            "pin_per_kill": exchange.pin_per_kill,
            "break_per_kill": exchange.break_per_kill,
        },
        "scenarios": scenarios(pricing),
        "sensitivity": pricing.swings.iter().map(|s| swing(s, pricing)).collect::<Vec<_>>(),
        "diagnostics": {
            "along_worth": pricing.along_worth.iter().map(group).collect::<Vec<_>>(),
            "by_kind": pricing.by_kind.iter().map(group).collect::<Vec<_>>(),
        },
        "line": pricing.line.as_ref().map(|fit| line(fit, pricing)),
        "remarks": findings.evidence.remarks,
        "method": words::method(findings),
        "not_seen": blind.collect::<Vec<_>>(),
    })
}

fn line(fit: &Fit, pricing: &Pricing) -> Json {
    let name = |w: &usize| pricing.weapons[*w].name.as_str();
    json!({
        "start": fit.line.start,
        "slope": fit.line.slope,
        "slope_doubt": fit.slope_doubt(),
        "not_used": pricing.unused.iter().map(name).collect::<Vec<_>>(),
        "leans": pricing.lean().map(|lean| {
            let told = |moved: Moved| {
                json!({ "price": name(&moved.price), "guess": name(&moved.guess), "by": moved.by.exp_m1() })
            };
            json!({ "left_out": told(lean.without), "tenfold": told(lean.tenfold), "scatter": lean.scatter })
        }),
    })
}

fn group(group: &Group) -> Json {
    json!({
        "group": group.name,
        "weapons": group.weapons,
        "mean_residual": group.mean,
        "standard_error": group.error,
    })
}

fn weapon(position: usize, findings: &Findings) -> Json {
    let pricing = findings.pricing;
    let weapon = &pricing.weapons[position];
    let denied = &weapon.denied;
    let mut said = json!({
        "name": weapon.name,
        "price": weapon.price,
        "worth": {
            "best": weapon.worth.best,
            "low": weapon.worth.low,
            "high": weapon.worth.high,
        },
        "floor": weapon.floor,
        "floored_share": weapon.floored,
        "verdict": weapon.verdict().map(Verdict::word),
        "not_priced": weapon.fair.as_ref().err().map(words::unpriced),
        "points_denied": {"kill": denied.kill, "break": denied.broken, "pin": denied.pin},
        "durability": weapon.durability,
        "copies": weapon.copies,
        "best": pricing.scenarios[weapon.best].name,
        "worst": pricing.scenarios[weapon.worst].name,
        "bounded_share": weapon.bounded,
        "trials": weapon.trials,
        "why": words::why(position, pricing),
        "notes": notes(position, findings.evidence),
    });
    // Keys of what it lacks are there, with null: whoever reads many weapons asks each for the same.
    let parts = [fair(weapon.priced(), pricing), judged(weapon.judged())];
    if let Some(all) = said.as_object_mut() {
        all.extend(parts.into_iter().flatten());
    }
    said
}

/// What is known of a fair price; null where there is none.
fn fair(fair: Option<&Fair>, pricing: &Pricing) -> Map<String, Json> {
    let number = |of: fn(&Fair) -> f64| json!(fair.map(of));
    Map::from_iter([
        ("fair".to_owned(), number(|fair| fair.price.best)),
        ("low".to_owned(), number(|fair| fair.price.low)),
        ("high".to_owned(), number(|fair| fair.price.high)),
        ("suggested".to_owned(), number(|fair| fair.suggested)),
        ("points".to_owned(), json!(fair.map(|fair| fair.anchor.word()))),
        ("beyond_others".to_owned(), json!(fair.map(|fair| fair.outside))),
        ("lever".to_owned(), json!(fair.and_then(lever))),
        ("value_by_mix".to_owned(), json!(fair.map(|fair| by_mix(&fair.by_mix)))),
        ("variance_share".to_owned(), json!(fair.map(|fair| shares(&fair.shares, pricing)))),
    ])
}

fn lever(fair: &Fair) -> Option<Json> {
    let (lever, then) = (fair.lever.as_ref()?, words::settled(fair)?);
    Some(json!({"write": lever.write.line(), "low": then.low, "high": then.high}))
}

fn by_mix(by_mix: &ByMix) -> Json {
    json!({
        "uniform": by_mix.uniform,
        "designer": by_mix.designer,
        "points_in_play": by_mix.points,
        "adversarial": by_mix.adversarial,
        "nash_bound": by_mix.nash,
    })
}

fn shares(shares: &Shares, pricing: &Pricing) -> Json {
    let assumptions = pricing.assumptions.iter().zip(&shares.assumptions);
    let assumptions: Map<_, _> =
        assumptions.map(|(name, share)| (name.clone(), json!(share))).collect();
    json!({
        "line": shares.line,
        "opponents": shares.opponents,
        "scenarios": shares.scenarios,
        "sampling": shares.sampling,
        "assumptions": assumptions,
    })
}

/// What is said of a price; null where there is none.
fn judged(judged: Option<&Judged>) -> Map<String, Json> {
    let number = |of: fn(&Judged) -> f64| json!(judged.map(of));
    Map::from_iter([
        ("robust".to_owned(), json!(judged.map(|judged| judged.robust))),
        ("p".to_owned(), number(|judged| judged.p)),
        ("q".to_owned(), number(|judged| judged.q)),
        ("residual".to_owned(), number(|judged| judged.residual)),
        ("rank".to_owned(), json!(judged.map(|judged| [judged.rank.0, judged.rank.1]))),
    ])
}

/// What the contests of a weapon remark, each remark once.
fn notes(weapon: usize, evidence: &Evidence) -> Vec<&str> {
    let own = evidence.notes.iter().filter(|note| note.weapon == weapon);
    let texts: IndexSet<&str> = own.map(|note| note.text.as_str()).collect();
    texts.into_iter().collect()
}

fn scenarios(pricing: &Pricing) -> Vec<Json> {
    let mixes = &pricing.mixes;
    let one = |(s, scenario): (usize, &ScenarioFacts)| {
        let maybe = |mix: &Option<Vec<f64>>| mix.as_ref().map(|mix| mix[s]);
        json!({
            "name": scenario.name,
            "opponent": scenario.opponent,
            "weight": scenario.weight,
            "points_in_play": scenario.points_in_play,
            "mix": {
                "uniform": mixes.uniform[s],
                "designer": mixes.designer[s],
                "points_in_play": maybe(&mixes.points),
                "adversarial": mixes.adversarial[s],
                "nash_bound": maybe(&mixes.nash),
            },
        })
    };
    pricing.scenarios.iter().enumerate().map(one).collect()
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
