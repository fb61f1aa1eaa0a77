//! What the compiler saves changes no odds: nothing forgotten, no loop written out, no bag put in
//! order, no field taken as known: the same law. `ENFILADE_PROGRAMS` says for how many.

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_rules::OptimizationFlags;

use super::agree::number;
use super::engine::engine_combat;
use super::made::{Made, made};

pub const LIMITS: CompiledContestLimits =
    CompiledContestLimits { states: 1 << 14, endless: 0, nodes: 1 << 16, sequences: 1 << 20 };

const ALL: OptimizationFlags = OptimizationFlags {
    forgets: true,
    unrolls: true,
    sorts: true,
    folds: true,
    tidies: true,
    leaves: false,
    checks: true,
};

/// What can be switched off; how many laws are compared at least, and in how many of them there are
/// other states.
#[rustfmt::skip]
const SWITCHES: [(OptimizationFlags, u32, u32); 5] = [
    // Whoever forgets nothing soon has too much to remember.
    (OptimizationFlags { forgets: false, ..ALL }, 100, 100),
    (OptimizationFlags { unrolls: false, ..ALL }, 200, 100),
    // Dice rarely fall between what is done to one thing of a bag and to the next.
    (OptimizationFlags { sorts: false, ..ALL }, 200, 2),
    (OptimizationFlags { folds: false, ..ALL }, 200, 20),
    // Tidied code does the same with fewer operations.
    (OptimizationFlags { tidies: false, ..ALL }, 200, 0),
];

/// Endings with their shares, and how many states lead to them; nothing where it is too large or
/// has no end.
fn law(made: &Made, thrift: OptimizationFlags) -> Option<(String, usize)> {
    let contest = toml::from_str(&made.contest).expect("a table");
    let combat = engine_combat(made, &contest, thrift).ok()?;
    let graph = DieGraph::compile_within_limits(&combat, LIMITS).ok()?;
    if combat.recorded_rule_fault().is_some() {
        return None;
    }
    let weights = exact::solve_integer_weights(&graph)?;
    let share =
        |ways: &dashu_int::UBig| exact::reduce_fraction(ways.clone(), weights.denominator.clone());
    let rows = graph.endings().iter().zip(&weights.numerators);
    let rows = rows.map(|(ending, ways)| format!("{:?} {:?}", ending.fields, share(ways)));
    let mut rows: Vec<String> = rows.collect();
    // Endings are numbered as they are met.
    rows.sort_unstable();
    Some((rows.join("\n"), graph.reached_state_count()))
}

#[test]
fn what_is_saved_changes_no_odds() {
    let mut compared = [(0, 0); SWITCHES.len()];
    let first = number("ENFILADE_FIRST", 0);
    for seed in first..first + number("ENFILADE_PROGRAMS", 400) {
        let made = made(seed);
        // The mixture of a choice that the other side does not see is one of several that are as
        // good.
        if made.text.contains("blind to") {
            continue;
        }
        let Some((expected, states)) = law(&made, ALL) else {
            continue;
        };
        for ((thrift, ..), (laws, others)) in SWITCHES.into_iter().zip(&mut compared) {
            if let Some((found, needed)) = law(&made, thrift) {
                assert_eq!(found, expected, "{thrift:?}\n{}", made.told());
                *laws += 1;
                *others += u32::from(needed != states);
            }
        }
    }
    for ((thrift, least, differ), (laws, others)) in SWITCHES.into_iter().zip(compared) {
        println!("{thrift:?}: {laws} laws, other states for {others}");
        assert!(laws >= least && others >= differ, "{thrift:?}: {others} of {laws}");
    }
}
