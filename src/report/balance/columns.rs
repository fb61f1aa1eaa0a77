//! The typed tables of a pricing.
//!
//! * `weapons`: one row per weapon: everything of the recommendation.
//! * `cells`: one row per weapon, scenario and model: `worth` in points of reference troops with
//!   `low` and `high` at 95 %, `bound` (`at_least`, `at_most` or null), `trials` (null when exact),
//!   points denied in an activation and activations served.
//! * `meetings`: one row per point of every curve of the default model: `copies`, `points` on the
//!   other side, `won` (draws counted half), `trials` (null when exact).

use std::collections::BTreeMap;

use super::Findings;
use crate::report::columns::{Column, Table, Values};
use crate::study::balance::evidence::{Battle, Model};
use crate::study::balance::price::Priced;
use crate::study::balance::price::worth::{Bound, Worth};

/// All tables.
pub fn tables(findings: &Findings) -> [Table; 3] {
    [weapons(findings), cells(findings), meetings(findings)]
}

fn weapons(findings: &Findings) -> Table {
    let all = &findings.pricing.weapons;
    let number = |name: &str, of: &dyn Fn(&Priced) -> Option<f64>| Column {
        name: name.to_owned(),
        values: Values::Number(all.iter().map(of).collect()),
    };
    let count = |name: &str, of: &dyn Fn(&Priced) -> Option<u64>| Column {
        name: name.to_owned(),
        values: Values::Count(all.iter().map(of).collect()),
    };
    let text = |name: &str, of: &dyn Fn(&Priced) -> String| Column {
        name: name.to_owned(),
        values: Values::Text(all.iter().map(|weapon| Some(of(weapon))).collect()),
    };
    let scenario = |s: usize| findings.pricing.scenarios[s].name.clone();
    Table {
        name: "weapons",
        columns: vec![
            text("weapon", &|w| w.name.clone()),
            number("price", &|w| Some(w.price)),
            number("fair", &|w| Some(w.fair)),
            number("low", &|w| Some(w.low)),
            number("high", &|w| Some(w.high)),
            number("suggested", &|w| Some(w.suggested)),
            text("verdict", &|w| w.verdict.word().to_owned()),
            number("p", &|w| Some(w.p)),
            number("q", &|w| Some(w.q)),
            number("residual_log", &|w| Some(w.residual)),
            count("rank_low", &|w| Some(w.rank.0 as u64)),
            count("rank_high", &|w| Some(w.rank.1 as u64)),
            number("fair_uniform", &|w| Some(w.by_mix.uniform)),
            number("fair_points_in_play", &|w| w.by_mix.points),
            number("fair_adversarial", &|w| Some(w.by_mix.adversarial)),
            number("fair_nash_bound", &|w| w.by_mix.nash),
            number("denied_kill_points", &|w| Some(w.denied.kill)),
            number("denied_break_points", &|w| Some(w.denied.broken)),
            number("denied_pin_points", &|w| Some(w.denied.pin)),
            number("durability_activations", &|w| Some(w.durability)),
            number("copy_1_points", &|w| w.copies[0]),
            number("copy_2_points", &|w| w.copies[1]),
            number("copy_3_points", &|w| w.copies[2]),
            number("share_sampling", &|w| Some(w.shares.sampling)),
            number("share_scenarios", &|w| Some(w.shares.scenarios)),
            number("share_model", &|w| Some(w.shares.model)),
            number("share_opponents", &|w| Some(w.shares.opponents)),
            number("bounded_share", &|w| Some(w.bounded)),
            text("best_scenario", &|w| scenario(w.best)),
            text("worst_scenario", &|w| scenario(w.worst)),
            count("trials", &|w| w.trials),
        ],
    }
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
    let number = |name: &str, of: &dyn Fn(&Cell) -> Option<f64>| Column {
        name: name.to_owned(),
        values: Values::Number(rows.iter().map(of).collect()),
    };
    let text = |name: &str, of: &dyn Fn(&Cell) -> Option<String>| Column {
        name: name.to_owned(),
        values: Values::Text(rows.iter().map(of).collect()),
    };
    let scenarios = &findings.pricing.scenarios;
    Table {
        name: "cells",
        columns: vec![
            text("weapon", &|c| Some(c.weapon.to_owned())),
            text("scenario", &|c| Some(scenarios[c.scenario].name.clone())),
            text("opponent", &|c| {
                Some(scenarios[c.scenario].opponent.clone())
            }),
            text("model", &|c| Some(c.model.clone())),
            number("weight", &|c| {
                Some(findings.pricing.mixes.designer[c.scenario])
            }),
            number("worth", &|c| Some(c.worth.log.exp())),
            number("low", &|c| Some(c.worth.low.exp())),
            number("high", &|c| Some(c.worth.high.exp())),
            text("bound", &|c| c.worth.bound.map(bound)),
            Column {
                name: "trials".to_owned(),
                values: Values::Count(rows.iter().map(|c| c.worth.trials).collect()),
            },
            number("denied_kill_points", &|c| c.battle.map(|b| b.denied.kill)),
            number("denied_break_points", &|c| {
                c.battle.map(|b| b.denied.broken)
            }),
            number("denied_pin_points", &|c| c.battle.map(|b| b.denied.pin)),
            number("durability_activations", &|c| {
                c.battle.map(|b| b.durability)
            }),
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

/// `default`, `horizon low`.
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
    let mut texts: [Vec<Option<String>>; 2] = Default::default();
    let mut counts: [Vec<Option<u64>>; 2] = Default::default();
    let mut numbers: [Vec<Option<f64>>; 2] = Default::default();
    let default = evidence
        .battles
        .iter()
        .filter(|b| b.model == Model::Default);
    for battle in default {
        let curves = std::iter::once(&battle.curve).chain(&battle.copies);
        for (copies, curve) in (1..).zip(curves) {
            for meeting in curve {
                texts[0].push(Some(evidence.weapons[battle.weapon].name.clone()));
                texts[1].push(Some(evidence.scenarios[battle.scenario].name.clone()));
                counts[0].push(Some(copies));
                numbers[0].push(Some(meeting.points));
                numbers[1].push(Some(meeting.won));
                counts[1].push(meeting.trials);
            }
        }
    }
    let [weapon, scenario] = texts.map(Values::Text);
    let [copies, trials] = counts.map(Values::Count);
    let [points, won] = numbers.map(Values::Number);
    let columns = [
        ("weapon", weapon),
        ("scenario", scenario),
        ("copies", copies),
        ("points", points),
        ("won", won),
        ("trials", trials),
    ];
    let column = |(name, values): (&str, Values)| Column {
        name: name.to_owned(),
        values,
    };
    Table {
        name: "meetings",
        columns: columns.into_iter().map(column).collect(),
    }
}
