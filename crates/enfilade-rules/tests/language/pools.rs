//! Pools of dice in waves: thrown at once, with the law of the single dice of the graph. And
//! programs by lot have the same law in waves; `ENFILADE_PROGRAMS` says how many.

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::exact::solve_without_graph;
use enfilade_engine::frontier::FrontierLimits;
use enfilade_engine::graph::DieGraph;
use enfilade_model::combat::AnyCombat;
use enfilade_model::form::Form;
use enfilade_rules::{
    OptimizationFlags, build_contest_with_optimizations, read_without_built_in_base,
};

use super::agree::number;
use super::engine::engine_combat;
use super::made::made;
use super::thrift::LIMITS;

/// The combat of an action `a` with these lines.
pub fn combat(rule: &str) -> AnyCombat {
    let text = format!("game \"Pools\"\nfield n: 1..40 = 9\naction a:\n{rule}");
    let rulebook = read_without_built_in_base("pools", "pools.rules", &text, &|_| {
        Err("there is no such file".into())
    });
    let rulebook = rulebook.unwrap_or_else(|error| panic!("{rule}: {error:?}"));
    let action = rulebook.system.action("a").expect("it is there");
    let form = Form::from_table_with_defaults(&action.fields, &toml::Table::new())
        .expect("nothing has to be said");
    let contest =
        build_contest_with_optimizations(&rulebook, "a", &form, OptimizationFlags::default());
    contest.unwrap_or_else(|faults| panic!("{rule}: {faults:?}")).combat
}

fn stepped(combat: &AnyCombat) -> u64 {
    let terms = FrontierLimits { states: None, halt: &NEVER_CANCELLED, on_step: &|_| true };
    solve_without_graph(combat, &terms).expect("it is small").extent.expanded_states
}

/// Every test and bound, a bound that is rolled first, and more dice than one byte of sum.
#[test]
fn a_pool_is_thrown_at_once_and_has_the_law_of_its_dice() {
    let pools = [
        "sum = n d6",
        "count(n d6 >= 4)",
        "count(n d6 > 4)",
        "count(n d6 < 3)",
        "count(n d6 <= 3)",
        "12d8",
    ];
    for pool in pools {
        let pool = pool.trim_start_matches("sum = ");
        let combat = combat(&format!("    x = {pool}\n    show x\n"));
        enfilade_testkit::frontier::assert_frontier_agrees(pool, &combat);
        assert_eq!(stepped(&combat), 1, "{pool}");
    }
    let rolled = combat(
        "    bound = d4\n    x = count((n - bound) d6 >= bound + 1)\n    y = count(x d6 <= bound)\n    \
         z = (x - y) d3\n    show x\n    show y\n    show z\n",
    );
    enfilade_testkit::frontier::assert_frontier_agrees("one pool after the other", &rolled);
    // By the bound 8 to 5 dice, of which none to all are thrown on, and again.
    assert!(stepped(&rolled) < 200, "{}", stepped(&rolled));
}

/// What is no plain pool goes die by die, to the same law.
#[test]
fn dice_of_which_more_matters_are_thrown_one_by_one() {
    let pools = [
        "count(n d6 == 4)",
        "count(n d10 >= 1)",
        "count(n d10 > 12)",
        "count(n d6 <= 0)",
        "count(n d6 reroll 1 >= 4)",
        "count(n d6 again on 6 up to 1 >= 4)",
        "4d6 high 2",
        "11d100",
    ];
    for pool in pools {
        let combat = combat(&format!("    x = {pool}\n    show x\n"));
        enfilade_testkit::frontier::assert_frontier_agrees(pool, &combat);
        assert!(stepped(&combat) > 4, "{pool}");
    }
}

#[test]
fn programs_by_lot_have_the_law_of_their_graph_in_waves() {
    let first = number("ENFILADE_FIRST", 0);
    let mut compared = 0;
    for seed in first..first + number("ENFILADE_PROGRAMS", 300) {
        let made = made(seed);
        let contest = toml::from_str(&made.contest).expect("a table");
        let Ok(combat) = engine_combat(&made, &contest, OptimizationFlags::default()) else {
            continue;
        };
        let small = DieGraph::compile_within_limits(&combat, LIMITS).is_ok()
            && combat.recorded_rule_fault().is_none();
        if small && combat.decisions().is_empty() {
            enfilade_testkit::frontier::assert_frontier_agrees(&made.told(), &combat);
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}
