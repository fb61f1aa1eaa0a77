//! What the compiler saves changes no odds: nothing forgotten, no loop written out, the same law.

use enfilade::exact;
use enfilade::form::Form;
use enfilade::graph::{DieGraph, Limits};
use enfilade::rulebook::{Thrift, contest_with, read};

use super::made::made;

/// Programs by lot of which the laws are compared.
const PROGRAMS: u64 = 400;

const LIMITS: Limits = Limits {
    states: 1 << 14,
    nodes: 1 << 16,
    sequences: 1 << 20,
};

/// Endings with their numerators and the denominator; nothing where it is too large or has no end.
fn law(text: &str, contest: &str, thrift: Thrift) -> Option<String> {
    let none = |_: &str| Err("there are no files here".to_owned());
    let rulebook = read("lot", "lot.rules", text, &none).ok()?;
    let action = rulebook.system.action("a").ok()?;
    let mut table: toml::Table = contest.parse().ok()?;
    table.retain(|key, _| action.fields.get(key).is_some());
    let form = Form::fill(&action.fields, &table).ok()?;
    let contest = contest_with(&rulebook, "a", &form, thrift).ok()?;
    let graph = DieGraph::of(&contest.combat, LIMITS).ok()?;
    if contest.combat.fault().is_some() {
        return None;
    }
    let weights = exact::weights(&graph)?;
    let rows = graph.endings().iter().zip(&weights.numerators);
    let share = |ways: &dashu_int::UBig| exact::reduced(ways.clone(), weights.denominator.clone());
    let rows = rows.map(|(ending, ways)| format!("{:?} {:?}", ending.fields, share(ways)));
    Some(rows.collect::<Vec<_>>().join("\n"))
}

#[test]
fn what_is_saved_changes_no_odds() {
    let all = Thrift::default();
    let others = [
        Thrift {
            forgets: false,
            ..all
        },
        Thrift {
            unrolls: false,
            ..all
        },
        Thrift {
            tidies: false,
            ..all
        },
    ];
    let mut compared = [0; 3];
    for seed in 0..PROGRAMS {
        let made = made(seed);
        let Some(expected) = law(&made.text, &made.contest, all) else {
            continue;
        };
        for (thrift, compared) in others.into_iter().zip(&mut compared) {
            if let Some(found) = law(&made.text, &made.contest, thrift) {
                assert_eq!(found, expected, "{thrift:?}\n{}", made.told());
                *compared += 1;
            }
        }
    }
    // Whoever forgets nothing soon has too much to remember.
    assert!(compared[0] > 100 && compared[1] > 200, "{compared:?}");
}
