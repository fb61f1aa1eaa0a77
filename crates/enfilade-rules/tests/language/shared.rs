//! Contests that differ in numbers, words, switches and rows share a program: the law of each is
//! that of a contest which shares nothing. Those of one band share a graph, too.
//! `ENFILADE_PROGRAMS` says for how many rulebooks.

use std::sync::Arc;

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::error::SolveError;
use enfilade_engine::exact;
use enfilade_engine::graph::DieGraph;
use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::form::{FieldType, Form};
use enfilade_rules::{Rulebook, read_without_built_in_base};
use enfilade_testkit::source_files::repository_folder;
use rustc_hash::FxHashSet;
use toml::Value;

use super::agree::number;
use super::made::{Made, made};
use super::thrift::LIMITS;

fn rulebook(made: &Made) -> Option<Rulebook> {
    let near = |name: &str| match (&made.base, name) {
        (Some(base), "base.rules") => Ok(base.clone()),
        _ => Err("there is no such file".to_owned()),
    };
    read_without_built_in_base("lot", "lot.rules", &made.text, &near).ok()
}

/// Endings with their shares, or what stands in the way of them.
fn law(action: &RulebookAction, form: &Form) -> String {
    let contest = match action.build_contest(form) {
        Ok(contest) => contest,
        Err(faults) => return format!("refused: {faults:?}"),
    };
    drawn(&contest, DieGraph::compile_within_limits(&contest.combat, LIMITS).map(Arc::new))
}

/// The same where the contest is made and its graph, alone or with others.
fn drawn(contest: &Contest, graph: Result<Arc<DieGraph>, SolveError>) -> String {
    let Ok(graph) = graph else {
        return "too large, or wrong while it is rolled".to_owned();
    };
    let columns = contest.combat.outcome_fields().len();
    let Some(weights) = exact::solve_integer_weights(&graph) else {
        let law = exact::solve_graph_distribution(&graph);
        let rows = graph.endings().iter().zip(&law.probabilities);
        let rows =
            rows.map(|(ending, share)| format!("{:?} {share:.9}", &ending.fields[..columns]));
        let mut rows: Vec<String> = rows.collect();
        rows.sort_unstable();
        return rows.join("\n");
    };
    let share =
        |ways: &dashu_int::UBig| exact::reduce_fraction(ways.clone(), weights.denominator.clone());
    let rows = graph.endings().iter().zip(&weights.numerators);
    let rows = rows.map(|(ending, ways)| format!("{:?} {:?}", ending, share(ways)));
    let mut rows: Vec<String> = rows.collect();
    rows.sort_unstable();
    rows.join("\n")
}

/// Another value of a field, one further or one back; of a record, of all of its fields.
fn other(kind: &FieldType, value: &Value, step: i64) -> Option<Value> {
    let next = |names: &[&str], now: &str| {
        let key = enfilade_model::form::name_matching::name_matching_key;
        let at = names.iter().position(|name| key(name) == key(now))? as i64;
        let at = (at + step).rem_euclid(names.len() as i64) as usize;
        Some(Value::String(names[at].to_owned()))
    };
    match (kind, value) {
        (_, Value::Integer(n)) => Some(Value::Integer(n + step)),
        (FieldType::Flag, Value::Boolean(on)) => Some(Value::Boolean(!on)),
        (FieldType::Choice(words), Value::String(now)) => {
            next(&words.iter().collect::<Vec<_>>(), now)
        }
        (FieldType::Row(names, _), Value::String(now)) => {
            next(&names.name_list().iter().collect::<Vec<_>>(), now)
        }
        (FieldType::Table(fields), Value::Table(table)) => {
            let mut table = table.clone();
            for (key, inner) in table.iter_mut() {
                let field = fields.get(key);
                if let Some(changed) = field.and_then(|field| other(&field.kind, inner, step)) {
                    *inner = changed;
                }
            }
            Some(Value::Table(table))
        }
        _ => None,
    }
}

/// The contest, and contests that differ from it in one field or in several.
fn contests(made: &Made, action: &RulebookAction) -> Vec<Form> {
    let mut first: toml::Table = toml::from_str(&made.contest).expect("a table");
    first.retain(|key, _| action.fields.get(key).is_some());
    let mut tables = vec![first.clone()];
    let mut all = first.clone();
    for (key, value) in &first {
        for step in [1, -1] {
            let field = action.fields.get(key).expect("a field of the action");
            let Some(changed) = other(&field.kind, value, step) else {
                continue;
            };
            let mut table = first.clone();
            table.insert(key.clone(), changed.clone());
            tables.push(table);
            all.insert(key.clone(), changed);
            tables.push(all.clone());
        }
    }
    tables.push(first);
    let forms = tables.iter().map(|table| Form::from_table_with_defaults(&action.fields, table));
    forms.filter_map(Result::ok).collect()
}

#[test]
fn contests_that_share_a_program_have_their_own_laws() {
    let (mut compared, mut shared, mut alike) = (0, 0, 0);
    let first = number("ENFILADE_FIRST", 0);
    for seed in first..first + number("ENFILADE_PROGRAMS", 300) {
        let made = made(seed);
        let Some(sharing) = rulebook(&made) else {
            continue;
        };
        let action = sharing.system.action("a").expect("it is there");
        let forms = contests(&made, action);
        let together: Vec<_> = forms.iter().map(|form| action.build_contest(form)).collect();
        let mut drawn_of = FxHashSet::default();
        for (form, contest) in forms.iter().zip(&together) {
            let alone = rulebook(&made).expect("it was read before");
            let expected = law(alone.system.action("a").expect("it is there"), form);
            assert_eq!(law(action, form), expected, "{}\n{form:?}", made.told());
            compared += 1;
            let Ok(contest) = contest else { continue };
            let graph =
                DieGraph::compile_or_share_same_graph(&contest.combat, &LIMITS, &NEVER_CANCELLED);
            alike += usize::from(graph.as_ref().is_ok_and(|g| !drawn_of.insert(Arc::as_ptr(g))));
            assert_eq!(drawn(contest, graph), expected, "{}\n{form:?}", made.told());
        }
        shared += sharing.compiled_program_count();
    }
    println!("{compared} laws, {shared} shared programs, {alike} shared graphs");
    assert!(compared > 1000 && shared > 50 && alike > 50, "{compared}, {shared}, {alike}");
}

/// Every weapon, in cover and in the open, on the move and at rest: what is asked for is no program
/// of its own, but for the dice that a hit rolls and what a weapon has or has not.
#[test]
fn a_grid_of_rows_and_switches_shares_its_programs() {
    let folder = repository_folder().join("rulebooks");
    let near =
        |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|why| why.to_string());
    let text = near("d20.rules").expect("it ships");
    let read = || read_without_built_in_base("d20", "d20.rules", &text, &near);
    let rulebook = read().expect("in order");
    let shoot = rulebook.system.action("shoot").expect("it is there");
    let Some(FieldType::Row(weapons, _)) = shoot.fields.get("weapon").map(|field| &field.kind)
    else {
        panic!("a weapon is a row");
    };
    let mut cells = 0;
    for weapon in weapons.name_list().iter() {
        for switches in 0..8 {
            let on = |bit: u32| switches >> bit & 1 == 1;
            let text = format!(
                "weapon = '{weapon}'\nspotted = true\nin_cover = {}\ntarget_moving = {}\n\
                 attacker_moving = {}\n",
                on(0),
                on(1),
                on(2)
            );
            let form = Form::from_table_with_defaults(&shoot.fields, &text.parse().expect("TOML"))
                .expect("a contest");
            let alone = read().expect("in order");
            let expected = law(alone.system.action("shoot").expect("it is there"), &form);
            assert_eq!(law(shoot, &form), expected, "{text}");
            cells += 1;
        }
    }
    let programs = rulebook.compiled_program_count();
    println!("{cells} cells, {programs} programs");
    assert!(cells >= 88 && programs * 4 <= cells, "{cells}, {programs}");
}

/// What a range comes to is reckoned once for a contest: ranges of one band are one program and one
/// graph. The laws are binomial.
#[test]
fn a_band_of_ranges_is_one_program_and_one_graph() {
    let text = "game \"G\"\nfield range: 1..100\nfield shots: 1..4\n\
                part fired(): give shots if range <= 60 else 0\n\
                part needed():\n    total = 3\n    if range > 30: total += 2\n    give total\n\
                action a \"a\":\n    hits = 0\n    for shot in 1..fired():\n        \
                if d6 >= needed(): hits += 1\n    show hits = hits \"hits\"\n";
    let rulebook =
        read_without_built_in_base("g", "g.rules", text, &|_: &str| Err("no files".to_owned()))
            .expect("in order");
    let action = &rulebook.system.actions[0];
    let mut contests = Vec::new();
    for (range, shots) in (1..=100).flat_map(|range| (1..=4).map(move |shots| (range, shots))) {
        let text = format!("range = {range}\nshots = {shots}");
        let form = Form::from_table_with_defaults(&action.fields, &text.parse().expect("TOML"))
            .expect("in order");
        contests.push((range, shots, action.build_contest(&form).expect("a contest")));
    }
    let mut graphs = FxHashSet::default();
    for (range, shots, contest) in &contests {
        let graph =
            DieGraph::compile_or_share_same_graph(&contest.combat, &LIMITS, &NEVER_CANCELLED)
                .expect("small");
        let law = exact::solve_graph_distribution(&graph);
        let (fired, hit): (i32, f64) = match range {
            1..=30 => (*shots, 4.0 / 6.0),
            31..=60 => (*shots, 2.0 / 6.0),
            _ => (0, 0.0),
        };
        let ways = |hits: i32| (1..=hits).fold(1, |ways, k| ways * (fired - k + 1) / k);
        assert_eq!(graph.endings().len() as i32, fired + 1, "{range} {shots}");
        for (ending, share) in graph.endings().iter().zip(&law.probabilities) {
            let hits = ending.fields[0];
            let binomial = f64::from(ways(hits)) * hit.powi(hits) * (1.0 - hit).powi(fired - hits);
            assert!((share - binomial).abs() < 1e-12, "{range} {shots} {hits}: {share}");
        }
        if fired > 0 {
            graphs.insert(Arc::as_ptr(&graph));
        }
    }
    // Eight laws with dice; the first contests are compiled before it is known what differs.
    assert!((8..=12).contains(&graphs.len()), "{}", graphs.len());
    assert!(rulebook.compiled_program_count() <= 12, "{}", rulebook.compiled_program_count());
}
