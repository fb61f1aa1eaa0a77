//! Printed odds as heads of a table, and a die of one face: every place reckoned by hand.

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::error::InputError;
use enfilade_testkit::test_contests::play_scripted;

use super::pools::combat;

/// The endings of an action `a` with these lines, each with its probability.
fn law(rule: &str) -> Vec<(Vec<i64>, f64)> {
    let combat = combat(rule);
    enfilade_testkit::frontier::assert_frontier_agrees(rule, &combat);
    let graph = DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
        .expect("it is small");
    let law = exact::solve_graph_distribution(&graph);
    let endings = graph.endings().iter().zip(&law.probabilities);
    let shown = combat.outcome_fields().len();
    endings
        .map(|(ending, p)| (ending.fields.iter().take(shown).map(|n| i64::from(*n)).collect(), *p))
        .collect()
}

/// Three cards without replacement: the last is drawn from one. The sum of places is what is left
/// of three, two and one.
#[test]
fn the_last_card_of_a_draw_is_a_die_of_one_face() {
    let drawn = law(
        "    left = 2\n    first = d(left)\n    left -= 1\n    last = d(left)\n    show first\n    show last\n",
    );
    assert_eq!(drawn, [(vec![1, 1], 0.5), (vec![2, 1], 0.5)]);
    // Nobody rolls for the last one.
    let cards = combat(
        "    left = 2\n    first = d(left)\n    left -= 1\n    last = d(left)\n    show first\n    show last\n",
    );
    assert_eq!(play_scripted(&cards, &[2], &["first", "last"]), [2, 1]);
    // How many cards there are is rolled: of one nothing is.
    let rolled = law("    of = d2\n    card = d(of)\n    show of\n    show card\n");
    assert_eq!(rolled, [(vec![1, 1], 0.5), (vec![2, 1], 0.25), (vec![2, 2], 0.25)]);
    let pool = law(
        "    ones = (n) d(1)\n    all = count(4 d(1) >= 1)\n    best = 3d1 high 2\n    show ones\n    show all\n    show best\n",
    );
    assert_eq!(pool, [(vec![9, 4, 2], 1.0)]);
}

/// Heads as they are printed, each value telling its head.
const TABLE: &str = "table crt:\n    columns  1:2  1:1  2:1  3:1\n    1..3     12   11   21   31\n    4..6     12   11   21   31\n";

#[test]
fn printed_odds_are_the_last_that_is_reached() {
    // Who attacks, who defends, the head by hand: what is left over is the defender's.
    let known = [
        (1, 3, 12),
        (1, 2, 12),
        (3, 4, 12),
        (4, 4, 11),
        (7, 4, 11),
        (8, 4, 21),
        (11, 4, 21),
        (12, 4, 31),
        (40, 4, 31),
        (5, 0, 31),
        (0, 5, 12),
    ];
    for (a, b, head) in known {
        let rule = format!("    x = crt(d6, odds({a}, {b}))\n    show x\n");
        assert_eq!(law(&(rule.clone() + TABLE)), [(vec![head], 1.0)], "{a}:{b}");
        // Another sign between them, and a column further, which stays on the table.
        let hyphens = TABLE.replace(':', "-").replacen("crt-", "crt:", 1);
        assert_eq!(law(&(rule + &hyphens)), [(vec![head], 1.0)], "{a}-{b}");
        let further = match head {
            12 => 11,
            11 => 21,
            _ => 31,
        };
        let rule = format!("    x = crt(d6, odds({a}, {b}) shift 1)\n    show x\n");
        assert_eq!(law(&(rule + TABLE)), [(vec![further], 1.0)], "{a}:{b} further");
    }
    let rolled = law(&format!(
        "    a = 4 * d2\n    b = 3 + d2\n    x = crt(3, odds(a, b))\n    show x\n{TABLE}"
    ));
    // 4:4 is 1:1, 4:5 is 1:2, 8:4 is 2:1, 8:5 is 1:1.
    assert_eq!(rolled, [(vec![11], 0.5), (vec![12], 0.25), (vec![21], 0.25)]);
}

#[test]
fn heads_that_are_no_odds_are_told() {
    let told = |rule: &str, table: &str| {
        let text = format!("game \"m\"\naction a:\n    x = crt({rule})\n    show x\n{table}");
        let none = |_: &str| Err("there are no files here".to_owned());
        match enfilade_rules::read_without_built_in_base("m", "m.rules", &text, &none) {
            Err(InputError { faults, .. }) => faults[0].fault.problem.clone(),
            other => panic!("{other:?}"),
        }
    };
    let words = TABLE.replace("1:2", "low");
    let problem = "`crt` needs heads that are odds, such as `1:2` or `3-1`";
    assert_eq!(told("d6, odds(2, 1)", &words), problem);
    assert_eq!(
        told("d6, odds(2)", TABLE),
        "`odds(…)` takes two numbers: the attacker's and the defender's"
    );
    let fallen = TABLE.replace("2:1  3:1", "3:1  2:1");
    assert_eq!(told("d6, odds(2, 1)", &fallen), "the odds of `crt` must ascend");
}
