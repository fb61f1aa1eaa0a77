//! The recommendation as JSON, every number in full.
//!
//! `{"enfilade", "arsenal", "seed", "anchor", "weapons": [{"name", "price", "fair", "low", "high",
//! "suggested", "verdict", "value_by_mix", "points_denied", "durability", "copies", "rank",
//! "variance_share", "p", "q", "residual", "best", "worst", "bounded_share", "trials", "why", "notes"}],
//! "exchange", "scenarios", "sensitivity", "curve", "method", "not_seen"}`. What is not known is null.

use indexmap::IndexSet;
use serde_json::{Value as Json, json};

use super::{Findings, words};
use crate::study::balance::evidence::{Evidence, ScenarioFacts};
use crate::study::balance::price::sensitivity::Swing;
use crate::study::balance::price::{Anchor, Pricing};

/// The recommendation, indented, with a line feed at its end.
pub fn render(findings: &Findings) -> String {
    format!("{:#}\n", document(findings))
}

/// The recommendation.
pub fn document(findings: &Findings) -> Json {
    let pricing = findings.pricing;
    let exchange = pricing.exchange;
    let blind = words::BLIND
        .iter()
        .map(|(what, how)| json!({"what": what, "how": how}));
    json!({
        "enfilade": env!("CARGO_PKG_VERSION"),
        "arsenal": findings.name,
        "seed": findings.seed,
        "anchor": match pricing.anchor {
            Anchor::Reference => "reference",
            Anchor::Arsenal => "arsenal",
        },
        "weapons": (0..pricing.weapons.len()).map(|w| weapon(w, findings)).collect::<Vec<_>>(),
        "exchange": {
            "pin_per_kill": exchange.pin_per_kill,
            "break_per_kill": exchange.break_per_kill,
        },
        "scenarios": scenarios(pricing),
        "sensitivity": pricing.swings.iter().map(|s| swing(s, pricing)).collect::<Vec<_>>(),
        "curve": {"start": pricing.curve.start, "slope": pricing.curve.slope},
        "method": words::method(findings),
        "not_seen": blind.collect::<Vec<_>>(),
    })
}

fn weapon(position: usize, findings: &Findings) -> Json {
    let pricing = findings.pricing;
    let weapon = &pricing.weapons[position];
    let (by_mix, denied, shares) = (&weapon.by_mix, &weapon.denied, &weapon.shares);
    json!({
        "name": weapon.name,
        "price": weapon.price,
        "fair": weapon.fair,
        "low": weapon.low,
        "high": weapon.high,
        "suggested": weapon.suggested,
        "verdict": weapon.verdict.word(),
        "value_by_mix": {
            "uniform": by_mix.uniform,
            "designer": by_mix.designer,
            "points_in_play": by_mix.points,
            "adversarial": by_mix.adversarial,
            "nash_bound": by_mix.nash,
        },
        "points_denied": {"kill": denied.kill, "break": denied.broken, "pin": denied.pin},
        "durability": weapon.durability,
        "copies": weapon.copies,
        "rank": [weapon.rank.0, weapon.rank.1],
        "variance_share": {
            "sampling": shares.sampling,
            "scenarios": shares.scenarios,
            "model": shares.model,
            "opponents": shares.opponents,
        },
        "p": weapon.p,
        "q": weapon.q,
        "residual": weapon.residual,
        "best": pricing.scenarios[weapon.best].name,
        "worst": pricing.scenarios[weapon.worst].name,
        "bounded_share": weapon.bounded,
        "trials": weapon.trials,
        "why": words::why(position, pricing),
        "notes": notes(position, findings.evidence),
    })
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
