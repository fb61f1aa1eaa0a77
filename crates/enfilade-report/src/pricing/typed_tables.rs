//! The typed tables of a pricing.
//!
//! * `weapons`: one row per weapon: everything of the recommendation.
//! * `cells`: one row per weapon, scenario and model: `worth` in points of reference troops with
//!   `low` and `high` at 95 %, `bound` (`at_least`, `at_most` or null), `trials` (null when exact).
//! * `meetings`: one row per point of every curve of the default model: `copies`, `points` on the
//!   other side in place of all of them (in place of one where `copies` is 1, also where several
//!   represent it), `won` (draws counted half), `trials` (null when exact).

use super::price_findings::PriceFindings;
use super::price_sentences::{explain_price_verdict, verdict_in_words};
use crate::tables::{ColumnBuilderFromRows, TypedTable};
use enfilade_pricing::evidence::AssumptionCase;
use enfilade_pricing::price::EvenPrice;
use enfilade_pricing::price::worth::WorthBound;

/// Builds all tables.
pub fn build_price_tables(findings: &PriceFindings) -> [TypedTable; 3] {
    [build_weapon_table(findings), build_cell_table(findings), build_battle_points_table(findings)]
}

fn build_weapon_table(findings: &PriceFindings) -> TypedTable {
    let pricing = findings.pricing;
    let all = ColumnBuilderFromRows(&pricing.weapons);
    let scenario = |s: usize| pricing.scenarios[s].name.clone();
    let even = |name: &str, of: fn(&EvenPrice) -> f64| {
        all.number_column(name, |w| w.even_price_if_any().map(of))
    };
    let columns = vec![
        all.text_column("weapon", |w| Some(w.name.clone())),
        all.number_column("price", |w| w.price),
        even("even", |even| even.price.best),
        even("low", |even| even.price.low),
        even("high", |even| even.price.high),
        even("low90", |even| even.at90.0),
        even("high90", |even| even.at90.1),
        all.text_column("verdict", |w| Some(verdict_in_words(w).to_owned())),
        all.text_column("reason", |w| Some(explain_price_verdict(w, pricing))),
        all.number_column("worth", |w| Some(w.worth.best)),
        all.number_column("worth_low", |w| Some(w.worth.low)),
        all.number_column("worth_high", |w| Some(w.worth.high)),
        all.number_column("floor", |w| w.idle_worth),
        all.text_column("best_scenario", |w| Some(scenario(w.best))),
        all.text_column("worst_scenario", |w| Some(scenario(w.worst))),
        all.count_column("trials", |w| w.trials),
    ];
    TypedTable { name: "weapons", columns }
}

fn build_cell_table(findings: &PriceFindings) -> TypedTable {
    let (scenarios, evidence) = (&findings.pricing.scenarios, findings.evidence);
    let mut rows = Vec::new();
    for (&model, table) in &findings.pricing.worths {
        for (weapon, row) in table.iter().enumerate() {
            rows.extend(row.iter().enumerate().map(|(s, worth)| (model, weapon, s, worth)));
        }
    }
    let all = ColumnBuilderFromRows(&rows);
    TypedTable {
        name: "cells",
        columns: vec![
            all.text_column("weapon", |(_, w, ..)| Some(evidence.weapons[*w].name.clone())),
            all.text_column("scenario", |(.., s, _)| Some(scenarios[*s].name.clone())),
            all.text_column("opponent", |(.., s, _)| Some(scenarios[*s].opponent.clone())),
            all.text_column("model", |(model, ..)| Some(assumption_case_name(findings, *model))),
            all.number_column("weight", |(.., s, _)| Some(findings.pricing.mix[*s])),
            // Worths are stored as logarithms, and readers of a table want points.
            all.number_column("worth", |(.., worth)| Some(worth.log.exp())),
            all.number_column("low", |(.., worth)| Some(worth.low.exp())),
            all.number_column("high", |(.., worth)| Some(worth.high.exp())),
            all.text_column("bound", |(.., worth)| Some(worth_bound_name(worth.bound?).to_owned())),
            all.count_column("trials", |(.., worth)| worth.trials),
        ],
    }
}

fn worth_bound_name(bound: WorthBound) -> &'static str {
    match bound {
        WorthBound::AtLeast => "at_least",
        WorthBound::AtMost => "at_most",
    }
}

/// Returns the name of an assumption case: `default`, `horizon low`.
fn assumption_case_name(findings: &PriceFindings, model: AssumptionCase) -> String {
    let name = |i: usize| &findings.evidence.assumptions[i].name;
    match model {
        AssumptionCase::Default => "default".to_owned(),
        AssumptionCase::Low(i) => format!("{} low", name(i)),
        AssumptionCase::High(i) => format!("{} high", name(i)),
    }
}

fn build_battle_points_table(findings: &PriceFindings) -> TypedTable {
    let evidence = findings.evidence;
    let mut rows = Vec::new();
    for battle in evidence.default_battles() {
        for (copies, curve) in [(1, &battle.curve), (8, &battle.copies)] {
            rows.extend(curve.iter().map(|meeting| (battle, copies, meeting)));
        }
    }
    let all = ColumnBuilderFromRows(&rows);
    let columns = vec![
        all.text_column("weapon", |(of, ..)| Some(evidence.weapons[of.weapon].name.clone())),
        all.text_column("scenario", |(of, ..)| Some(evidence.scenarios[of.scenario].name.clone())),
        all.count_column("copies", |&(_, copies, _)| Some(copies)),
        all.number_column("points", |(.., meeting)| Some(meeting.points)),
        all.number_column("won", |(.., meeting)| Some(meeting.won)),
        all.count_column("trials", |(.., meeting)| meeting.trials),
    ];
    TypedTable { name: "meetings", columns }
}
