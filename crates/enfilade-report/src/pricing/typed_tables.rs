//! The typed tables of a pricing.
//!
//! * `weapons`: one row per weapon: everything of the recommendation.
//! * `cells`: one row per weapon, scenario and model: `worth` in points of reference troops with
//!   `low` and `high` at 95 %, `bound` (`at_least`, `at_most` or null), `trials` (null when exact),
//!   points denied in an activation.
//! * `meetings`: one row per point of every curve of the default model: `copies`, `points` on the
//!   other side in place of all of them (in place of one where `copies` is 1, also where several represent
//!   it), `won` (draws counted half), `trials` (null when exact).

use std::collections::BTreeMap;

use super::findings::Findings;
use super::price_sentences;
use crate::tables::{Rows, Table};
use enfilade_pricing::evidence::{Battle, Model};
use enfilade_pricing::price::Even;
use enfilade_pricing::price::worth::{Bound, Worth};

/// Builds all tables.
pub fn tables(findings: &Findings) -> [Table; 3] {
    [weapons(findings), cells(findings), meetings(findings)]
}

fn weapons(findings: &Findings) -> Table {
    let all = Rows(&findings.pricing.weapons);
    let scenario = |s: usize| findings.pricing.scenarios[s].name.clone();
    let even = |name: &str, of: fn(&Even) -> f64| all.number(name, |w| w.priced().map(of));
    let columns = vec![
        all.text("weapon", |w| Some(w.name.clone())),
        all.number("price", |w| w.price),
        even("even", |even| even.price.best),
        even("low", |even| even.price.low),
        even("high", |even| even.price.high),
        even("low90", |even| even.at90.0),
        even("high90", |even| even.at90.1),
        all.text("verdict", |w| Some(price_sentences::verdict(w))),
        all.text("reason", |w| Some(price_sentences::reason(w, findings.pricing))),
        all.number("worth", |w| Some(w.worth.best)),
        all.number("worth_low", |w| Some(w.worth.low)),
        all.number("worth_high", |w| Some(w.worth.high)),
        all.number("floor", |w| w.floor),
        all.text("best_scenario", |w| Some(scenario(w.best))),
        all.text("worst_scenario", |w| Some(scenario(w.worst))),
        all.count("trials", |w| w.trials),
    ];
    Table { name: "weapons", columns }
}

/// A row of `cells`.
struct Cell<'a> {
    weapon: &'a str,
    scenario: usize,
    model: String,
    worth: Worth,
    battle: Option<&'a Battle>,
}

fn cells(findings: &Findings) -> Table {
    let rows = rows(findings);
    let all = Rows(&rows);
    let scenarios = &findings.pricing.scenarios;
    Table {
        name: "cells",
        columns: vec![
            all.text("weapon", |c| Some(c.weapon.to_owned())),
            all.text("scenario", |c| Some(scenarios[c.scenario].name.clone())),
            all.text("opponent", |c| Some(scenarios[c.scenario].opponent.clone())),
            all.text("model", |c| Some(c.model.clone())),
            all.number("weight", |c| Some(findings.pricing.mix[c.scenario])),
            // Worths are stored as logarithms, and readers of a table want points.
            all.number("worth", |c| Some(c.worth.log.exp())),
            all.number("low", |c| Some(c.worth.low.exp())),
            all.number("high", |c| Some(c.worth.high.exp())),
            all.text("bound", |c| c.worth.bound.map(bound)),
            all.count("trials", |c| c.worth.trials),
            all.number("denied_kill_points", |c| c.battle.map(|b| b.denied.kill)),
            all.number("denied_break_points", |c| c.battle.map(|b| b.denied.broken)),
            all.number("denied_pin_points", |c| c.battle.map(|b| b.denied.pin)),
        ],
    }
}

fn bound(bound: Bound) -> String {
    match bound {
        Bound::AtLeast => "at_least",
        Bound::AtMost => "at_most",
    }
    .to_owned()
}

fn rows<'a>(findings: &Findings<'a>) -> Vec<Cell<'a>> {
    let battles: BTreeMap<_, _> = findings
        .evidence
        .battles
        .iter()
        .map(|battle| ((battle.model, battle.weapon, battle.scenario), battle))
        .collect();
    let mut rows = Vec::new();
    for (&model, table) in &findings.pricing.worths {
        for (weapon, row) in table.iter().enumerate() {
            for (scenario, worth) in row.iter().enumerate() {
                rows.push(Cell {
                    weapon: &findings.evidence.weapons[weapon].name,
                    scenario,
                    model: named(findings, model),
                    worth: *worth,
                    battle: battles.get(&(model, weapon, scenario)).copied(),
                });
            }
        }
    }
    rows
}

/// Returns the name of an assumption case: `default`, `horizon low`.
fn named(findings: &Findings, model: Model) -> String {
    let name = |i: usize| findings.evidence.assumptions[i].name.clone();
    match model {
        Model::Default => "default".to_owned(),
        Model::Low(i) => format!("{} low", name(i)),
        Model::High(i) => format!("{} high", name(i)),
    }
}

fn meetings(findings: &Findings) -> Table {
    let evidence = findings.evidence;
    let mut rows = Vec::new();
    for battle in evidence.battles.iter().filter(|b| b.model == Model::Default) {
        for (copies, curve) in [(1, &battle.curve), (8, &battle.copies)] {
            rows.extend(curve.iter().map(|meeting| (battle, copies, meeting)));
        }
    }
    let all = Rows(&rows);
    let columns = vec![
        all.text("weapon", |(battle, ..)| Some(evidence.weapons[battle.weapon].name.clone())),
        all.text("scenario", |(battle, ..)| Some(evidence.scenarios[battle.scenario].name.clone())),
        all.count("copies", |&(_, copies, _)| Some(copies)),
        all.number("points", |(.., meeting)| Some(meeting.points)),
        all.number("won", |(.., meeting)| Some(meeting.won)),
        all.count("trials", |(.., meeting)| meeting.trials),
    ];
    Table { name: "meetings", columns }
}
