//! The program's own answer, by the doors that everybody uses.

use std::collections::BTreeMap;

use dashu_int::UBig;
use enfilade_engine::error::SolveError;
use enfilade_engine::exact;
use enfilade_engine::exact::measure_fraction::FractionOrRoot;
use enfilade_engine::exact::solve_integer_weights;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::AnyCombat;
use enfilade_model::form::Form;
use enfilade_rules::{
    OptimizationFlags, build_contest_with_optimizations, read_without_built_in_base,
};

use super::made::Made;

/// What the program says of a contest.
#[expect(dead_code, reason = "what is held is shown where the two do not agree")]
#[derive(Debug)]
pub enum Played {
    Law(Settled),
    /// In floating point: it can go on for ever.
    Endless(Vec<String>, BTreeMap<Vec<i64>, f64>, Vec<Option<f64>>),
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
    pub measures: Vec<(String, Option<FractionOrRoot>)>,
}

/// A contest of the action `a` of a rulebook by lot; `Err` where it has none.
pub fn engine_combat(
    made: &Made,
    contest: &toml::Table,
    thrift: OptimizationFlags,
) -> Result<AnyCombat, Played> {
    let near = |name: &str| match (&made.base, name) {
        (Some(base), "base.rules") => Ok(base.clone()),
        _ => Err("there is no such file".to_owned()),
    };
    let rulebook = read_without_built_in_base("lot", "lot.rules", &made.text, &near);
    let rulebook = rulebook.map_err(|error| Played::Unread(format!("{error:?}")))?;
    let action = rulebook.system.action("a");
    let action = action.map_err(|_| Played::Unread("there is no action a".to_owned()))?;
    // What the action does not read is no field of its contests.
    let mut contest = contest.clone();
    contest.retain(|key, _| action.fields.get(key).is_some());
    let refused = |faults| Played::Refused(format!("{faults:?}"));
    let form = Form::from_table_with_defaults(&action.fields, &contest).map_err(refused)?;
    let contest = build_contest_with_optimizations(&rulebook, "a", &form, thrift);
    Ok(contest.map_err(refused)?.combat)
}

/// The law of the shows of the action `a`, and its measures.
pub fn engine_law(made: &Made, contest: &toml::Table, limits: CompiledContestLimits) -> Played {
    let combat = match engine_combat(made, contest, OptimizationFlags::default()) {
        Ok(combat) => combat,
        Err(why) => return why,
    };
    let graph = match DieGraph::compile_within_limits(&combat, limits) {
        Ok(graph) => graph,
        Err(SolveError::Rule(mishap)) => return Played::Mishap(mishap.to_string()),
        Err(_) => return Played::TooLarge,
    };
    let columns: Vec<String> =
        combat.outcome_fields().iter().map(|head| head.name.to_string()).collect();
    let row = |fields: &[i32]| -> Vec<i64> {
        let fields = fields.iter().take(columns.len());
        fields.map(|value| i64::from(*value)).collect()
    };
    let heads = combat.measures();
    let Some(weights) = solve_integer_weights(&graph) else {
        let law = exact::solve_graph_distribution(&graph);
        let mut found: BTreeMap<Vec<i64>, f64> = BTreeMap::new();
        for (ending, probability) in graph.endings().iter().zip(&law.probabilities) {
            *found.entry(row(&ending.fields)).or_default() += probability;
        }
        let measures = heads.iter().enumerate();
        let measures = measures.map(|(at, head)| law.measure_value(graph.endings(), at, head));
        return Played::Endless(columns, found, measures.collect());
    };
    let mut ways: BTreeMap<Vec<i64>, UBig> = BTreeMap::new();
    for (ending, numerator) in graph.endings().iter().zip(&weights.numerators) {
        if *numerator != UBig::ZERO {
            *ways.entry(row(&ending.fields)).or_default() += numerator;
        }
    }
    let measures = heads.iter().enumerate().map(|(at, head)| {
        let figure = weights.exact_measure_fraction(graph.endings(), at, head);
        (head.name.to_string(), figure)
    });
    Played::Law(Settled {
        ways,
        all: weights.denominator.clone(),
        measures: measures.collect(),
        columns,
    })
}
