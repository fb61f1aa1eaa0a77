//! The program's own answer, by the doors that everybody uses.

use std::collections::BTreeMap;

use dashu_int::UBig;
use enfilade::exact;
use enfilade::exact::fractions::Figure;
use enfilade::exact::weights;
use enfilade::form::Form;
use enfilade::graph::{DieGraph, Limits, Unbuilt};
use enfilade::rulebook::read;

/// What the program says of a contest.
#[expect(dead_code, reason = "what is held is shown where the two do not agree")]
#[derive(Debug)]
pub enum Played {
    Law(Settled),
    /// In floating point: it can go on for ever.
    Endless(BTreeMap<Vec<i64>, f64>, Vec<Option<f64>>),
    /// The text has faults.
    Unread(String),
    /// The contest has faults, or the rule goes wrong while it is rolled.
    Refused(String),
    Mishap(String),
    TooLarge,
}

/// A law in whole numbers, with the measures.
#[derive(Debug, PartialEq)]
pub struct Settled {
    pub columns: Vec<String>,
    pub ways: BTreeMap<Vec<i64>, UBig>,
    pub all: UBig,
    pub measures: Vec<(String, Option<Figure>)>,
}

/// The law of the shows of an action, and its measures.
pub fn engine_law(text: &str, action: &str, contest: &toml::Table, limits: Limits) -> Played {
    let none = |_: &str| Err("there are no files here".to_owned());
    let rulebook = match read("lot", "lot.rules", text, &none) {
        Ok(rulebook) => rulebook,
        Err(error) => return Played::Unread(format!("{error:?}")),
    };
    let Ok(action) = rulebook.system.action(action) else {
        return Played::Unread(format!("there is no action {action}"));
    };
    // What the action does not read is no field of its contests.
    let mut contest = contest.clone();
    contest.retain(|key, _| action.fields.get(key).is_some());
    let form = match Form::fill(&action.fields, &contest) {
        Ok(form) => form,
        Err(faults) => return Played::Refused(format!("{faults:?}")),
    };
    let contest = match action.contest(&form) {
        Ok(contest) => contest,
        Err(faults) => return Played::Refused(format!("{faults:?}")),
    };
    let combat = contest.combat;
    let graph = match DieGraph::of(&combat, limits) {
        Ok(graph) => graph,
        Err(Unbuilt::Mishap(mishap)) => return Played::Mishap(mishap.to_string()),
        Err(_) => return Played::TooLarge,
    };
    let columns: Vec<String> = combat
        .fields()
        .iter()
        .map(|head| head.name.to_string())
        .collect();
    let row = |fields: &[i32]| -> Vec<i64> {
        let fields = fields.iter().take(columns.len());
        fields.map(|value| i64::from(*value)).collect()
    };
    let heads = combat.measures();
    let Some(weights) = weights(&graph) else {
        let law = exact::law(&graph);
        let mut found: BTreeMap<Vec<i64>, f64> = BTreeMap::new();
        for (ending, probability) in graph.endings().iter().zip(&law.probabilities) {
            *found.entry(row(&ending.fields)).or_default() += probability;
        }
        let measures = heads.iter().enumerate();
        let measures = measures.map(|(at, head)| law.measure(graph.endings(), at, head));
        return Played::Endless(found, measures.collect());
    };
    let mut ways: BTreeMap<Vec<i64>, UBig> = BTreeMap::new();
    for (ending, numerator) in graph.endings().iter().zip(&weights.numerators) {
        if *numerator != UBig::ZERO {
            *ways.entry(row(&ending.fields)).or_default() += numerator;
        }
    }
    let measures = heads.iter().enumerate().map(|(at, head)| {
        let figure = weights.measure(graph.endings(), at, head);
        (head.name.to_string(), figure)
    });
    Played::Law(Settled {
        ways,
        all: weights.denominator.clone(),
        measures: measures.collect(),
        columns,
    })
}
