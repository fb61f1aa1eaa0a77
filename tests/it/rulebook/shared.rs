//! Contests that differ in plain numbers share a program: the law of each is that of a contest which
//! shares nothing. `ENFILADE_PROGRAMS` says for how many rulebooks.

use enfilade::catalogue::Action;
use enfilade::exact;
use enfilade::form::Form;
use enfilade::graph::DieGraph;
use enfilade::rulebook::{Rulebook, read};

use super::agree::number;
use super::made::{Made, made};
use super::thrift::LIMITS;

fn rulebook(made: &Made) -> Option<Rulebook> {
    let near = |name: &str| match (&made.base, name) {
        (Some(base), "base.rules") => Ok(base.clone()),
        _ => Err("there is no such file".to_owned()),
    };
    read("lot", "lot.rules", &made.text, &near).ok()
}

/// Endings with their shares, or what stands in the way of them.
fn law(action: &Action, form: &Form) -> String {
    let contest = match action.contest(form) {
        Ok(contest) => contest,
        Err(faults) => return format!("refused: {faults:?}"),
    };
    let Ok(graph) = DieGraph::of(&contest.combat, LIMITS) else {
        return "too large, or wrong while it is rolled".to_owned();
    };
    let columns = contest.combat.fields().len();
    let Some(weights) = exact::weights(&graph) else {
        let law = exact::law(&graph);
        let rows = graph.endings().iter().zip(&law.probabilities);
        let rows =
            rows.map(|(ending, share)| format!("{:?} {share:.9}", &ending.fields[..columns]));
        let mut rows: Vec<String> = rows.collect();
        rows.sort_unstable();
        return rows.join("\n");
    };
    let share = |ways: &dashu_int::UBig| exact::reduced(ways.clone(), weights.denominator.clone());
    let rows = graph.endings().iter().zip(&weights.numerators);
    let rows = rows.map(|(ending, ways)| format!("{:?} {:?}", ending, share(ways)));
    let mut rows: Vec<String> = rows.collect();
    rows.sort_unstable();
    rows.join("\n")
}

/// The contest, and contests that differ from it in one number or in several.
fn contests(made: &Made, action: &Action) -> Vec<Form> {
    let mut first: toml::Table = toml::from_str(&made.contest).expect("a table");
    first.retain(|key, _| action.fields.get(key).is_some());
    let mut tables = vec![first.clone()];
    let mut all = first.clone();
    for (key, value) in &first {
        for step in [1, -1] {
            let mut changed = value.clone();
            match &mut changed {
                toml::Value::Integer(n) => *n += step,
                toml::Value::Table(table) => {
                    for inner in table.iter_mut().map(|(_, inner)| inner) {
                        if let toml::Value::Integer(n) = inner {
                            *n += step;
                        }
                    }
                }
                _ => continue,
            }
            let mut table = first.clone();
            table.insert(key.clone(), changed.clone());
            tables.push(table);
            all.insert(key.clone(), changed);
            tables.push(all.clone());
        }
    }
    tables.push(first);
    let forms = tables.iter().map(|table| Form::fill(&action.fields, table));
    forms.filter_map(Result::ok).collect()
}

#[test]
fn contests_that_share_a_program_have_their_own_laws() {
    let (mut compared, mut shared) = (0, 0);
    let first = number("ENFILADE_FIRST", 0);
    for seed in first..first + number("ENFILADE_PROGRAMS", 300) {
        let made = made(seed);
        let Some(sharing) = rulebook(&made) else {
            continue;
        };
        let action = sharing.system.action("a").expect("it is there");
        for form in contests(&made, action) {
            let alone = rulebook(&made).expect("it was read before");
            let expected = law(alone.system.action("a").expect("it is there"), &form);
            assert_eq!(law(action, &form), expected, "{}\n{form:?}", made.told());
            compared += 1;
        }
        shared += sharing.programs();
    }
    println!("{compared} laws, {shared} shared programs");
    assert!(compared > 1000 && shared > 50, "{compared}, {shared}");
}
