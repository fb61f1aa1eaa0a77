//! Small rules with odds by hand: pools, lists, tables, records and measures at their ends.

use std::collections::BTreeMap;

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::exact::{solve_graph_distribution, solve_integer_weights, tally_figures};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::{AnyCombat, MeasureKind};
use enfilade_rules::read_without_built_in_base;
use enfilade_testkit::test_contests::{fault_lines, parse_contest};

/// The combat of the action `a` of a rulebook, or what is wrong with the contest.
fn combat(rules: &str, contest: &str) -> Result<AnyCombat, String> {
    let text = format!("game \"m\"\n{rules}");
    let none = |_: &str| Err("there are no files here".to_owned());
    let rulebook = read_without_built_in_base("m", "m.rules", &text, &none)
        .unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let action = rulebook.system.action("a").expect("it is there");
    let contest = parse_contest(action, contest).map_err(|faults| fault_lines(&faults).join("; "));
    Ok(contest?.combat)
}

fn graph(combat: &AnyCombat) -> Result<DieGraph, String> {
    DieGraph::compile_within_limits(combat, CompiledContestLimits::default())
        .map_err(|error| error.to_string())
}

/// What is told of a contest that goes wrong.
#[track_caller]
pub fn mishap(rules: &str, contest: &str) -> String {
    match combat(rules, contest).and_then(|combat| graph(&combat)) {
        Err(told) => told,
        Ok(_) => panic!("nothing goes wrong: {rules}"),
    }
}

/// The shows of a contest, each row with its probability, in order.
#[track_caller]
pub fn law(rules: &str, contest: &str) -> Vec<(Vec<i64>, f64)> {
    let combat = combat(rules, contest).unwrap_or_else(|told| panic!("{rules}: {told}"));
    let graph = graph(&combat).unwrap_or_else(|told| panic!("{rules}: {told}"));
    let weights = solve_integer_weights(&graph).expect("it ends");
    let shown = combat.outcome_fields().len();
    let all = weights.denominator.to_f64().value();
    let mut rows: BTreeMap<Vec<i64>, f64> = BTreeMap::new();
    for (ending, ways) in graph.endings().iter().zip(&weights.numerators) {
        let row = ending.fields.iter().take(shown).map(|n| i64::from(*n)).collect();
        *rows.entry(row).or_default() += ways.to_f64().value() / all;
    }
    rows.into_iter().collect()
}

/// The measures of a contest, by their names; `None` where the condition never holds.
#[track_caller]
fn measures(rules: &str, contest: &str) -> Vec<(String, Option<f64>)> {
    let combat = combat(rules, contest).unwrap_or_else(|told| panic!("{rules}: {told}"));
    let graph = graph(&combat).unwrap_or_else(|told| panic!("{rules}: {told}"));
    let heads = combat.measures();
    let mut law = solve_graph_distribution(&graph);
    let tallied = heads.iter().map(AsRef::as_ref);
    law.tally_figures = tally_figures(&graph, tallied, &law.probabilities, &NEVER_CANCELLED);
    let figures = heads.iter().enumerate();
    let figure = |at, head| law.measure_value(graph.endings(), at, head);
    figures.map(|(at, head)| (head.name.to_string(), figure(at, head))).collect()
}

fn mean(law: &[(Vec<i64>, f64)]) -> f64 {
    law.iter().map(|(row, share)| row[0] as f64 * share).sum()
}

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

/// Tens and ones: 11 to 66, on average 38 1/2.
#[test]
fn several_dice_of_tens_and_ones_add_up() {
    let law = law("action a:\n    x = 3d66\n    show x\n", "");
    assert_near(mean(&law), 115.5);
    assert_eq!((law[0].0[0], law[law.len() - 1].0[0]), (33, 198));
    assert_near(law[0].1, 1.0 / 46_656.0);
}

#[test]
fn of_no_die_that_is_kept_the_sum_is_0() {
    let rule = "field n: 0..3 = 0\naction a:\n    x = 3d6 high n\n    show x\n";
    assert_eq!(law(rule, "n = 0"), [(vec![0], 1.0)]);
    // The best of three is a 1 if all are: 1 of 216. It is a 6 unless none is: 91 of 216.
    let best = law(rule, "n = 1");
    assert_near(best[0].1, 1.0 / 216.0);
    assert_near(best[5].1, 91.0 / 216.0);
}

#[test]
fn the_highest_of_a_list_is_kept_as_the_contest_says() {
    let rule = "field n: 1..3 = 1\naction a:\n    xs = [3, d2, 4]\n    x = xs high n\n    show x\n";
    assert_eq!(law(rule, "n = 2"), [(vec![7], 1.0)]);
    assert_eq!(law(rule, "n = 3"), [(vec![8], 0.5), (vec![9], 0.5)]);
    let none = "field shots: 0 to 3 of 1..9 = []\naction a:\n    x = shots high 1\n    show x\n";
    assert_eq!(law(none, ""), [(vec![0], 1.0)]);
    assert_eq!(law(none, "shots = [4, 7]"), [(vec![7], 1.0)]);
}

#[test]
fn a_part_gives_a_printed_cell_on_each_of_its_paths() {
    let rule = "table fire:\n    cell #K kill\n    cell - nothing\n    1 2K\n    2 -\n    3 5K\n\
                part shot(n):\n    if n > 2: give fire(3)\n    give fire(n)\n\
                action a:\n    x = 0\n    roll = d3\n    match shot(roll):\n        kill k: x = k\n        \
                nothing: x = 9\n    show x\n";
    let third = 1.0 / 3.0;
    assert_eq!(law(rule, ""), [(vec![2], third), (vec![5], third), (vec![9], third)]);
}

#[test]
fn a_word_that_no_row_names_has_the_cells_of_else() {
    let rule = "words reach: near, far, sky\ntable to_hit:\n    near 3\n    far 4\n    else 9\n\
                field range: reach = sky\naction a:\n    x = to_hit(range)\n    show x\n";
    assert_eq!(law(rule, ""), [(vec![9], 1.0)]);
    assert_eq!(law(rule, "range = 'far'"), [(vec![4], 1.0)]);
}

/// `else` is of the rows: a head of the columns is a range of thousands.
#[test]
fn far_heads_of_columns_are_found_beside_a_row_else() {
    let rule = "table crt:\n    columns 1..2999 3000..\n    1 2 7\n    else 0 1\naction a:\n    \
                k = 1000 * d6\n    x = crt(1, k) + 10 * crt(5, k)\n    show x\n";
    // From 1 000 to 6 000: two of six are below the second head.
    let found = law(rule, "");
    assert_eq!(found.iter().map(|(row, _)| row[0]).collect::<Vec<_>>(), [2, 17]);
    assert_near(found[0].1, 2.0 / 6.0);
}

#[test]
fn rows_that_a_contest_leaves_out_are_those_of_the_default() {
    let rule = "data guns:\n    name shots\n    rifle 1\n    lmg 3\nrecord crew:\n    \
                field gun: one of guns = lmg\n    field men: 1..9 = 2\nfield crews: 2 of crew\naction a:\n    \
                x = sum(c.gun.shots * c.men for c in crews)\n    show x\n";
    // Three shots for two men, and one for five.
    let contest = "[[crews]]\n[[crews]]\ngun = 'rifle'\nmen = 5";
    assert_eq!(law(rule, contest), [(vec![11], 1.0)]);
}

#[test]
fn two_shows_of_one_list_are_told_apart_by_their_labels() {
    let rule = "words mood: steady, pinned\naction a:\n    mine = steady\n    yours = steady\n    \
                if d6 > 4: mine = pinned\n    if d6 > 5: yours = pinned\n    show mine\n    show yours\n";
    let combat = combat(rule, "").expect("it is in order");
    let columns = combat.outcome_fields().iter().map(|head| head.name.to_string());
    assert_eq!(columns.collect::<Vec<_>>(), ["mine_pinned", "yours_pinned"]);
    let labels: Vec<String> = combat.measures().iter().map(|head| head.label.to_string()).collect();
    assert_eq!(labels, ["mine: pinned", "mine: steady", "yours: pinned", "yours: steady"]);
    let shares: Vec<f64> = measures(rule, "").iter().filter_map(|(_, share)| *share).collect();
    for (share, sixths) in shares.iter().zip([2.0, 4.0, 1.0, 5.0]) {
        assert_near(*share, sixths / 6.0);
    }
    assert_eq!(shares.len(), 4);
}

#[test]
fn a_field_that_is_called_ends_is_that_field() {
    let rule = "field ends: 0..6 = 4\naction a:\n    x = d6 + ends - ends\n    show x\n    \
                measure p = chance(x > ends)\n    measure m = mean(x) * 0\n";
    let found = measures(rule, "ends = 4");
    assert_near(found[0].1.expect("it holds"), 2.0 / 6.0);
    assert_near(found[1].1.expect("a product"), 0.0);
}

#[test]
fn a_chance_of_a_tally_beside_a_test_that_never_holds_is_0() {
    let rule = "field cover: 0..3 = 1\naction a:\n    x = 0\n    repeat:\n        tally rolls\n        x = d6\n        \
                if x > 3: stop\n    show x\n    \
                measure never = chance(x > 4 and cover > 1 and rolls <= 2)\n    \
                measure soon = chance(x > 4 and cover > 0 and 2 >= rolls)\n    \
                measure high = chance(x > rolls)\n";
    let found = measures(rule, "cover = 1");
    assert_near(found[0].1.expect("a chance"), 0.0);
    // Above 4 at once, or after one of 1 to 3: 1/3 + 1/2 · 1/3.
    assert_near(found[1].1.expect("a chance"), 0.5);
    // The last face is 4, 5 or 6, and as likely after any number of rolls, which has 1/2ⁿ: more
    // than 3, 4 or 5 rolls have 1/8, 1/16 and 1/32.
    let low = (1.0 / 8.0 + 1.0 / 16.0 + 1.0 / 32.0) / 3.0;
    assert_near(found[2].1.expect("a chance"), 1.0 - low);
}

/// A tenth of 3 000 is 300; six faces take 40 to 240 of it. A factor is no amount.
#[test]
fn the_number_that_is_taken_from_is_scaled() {
    let rule = "field hp: 1..3000 = 3000\naction a:\n    x = d6\n    show left = hp - 40 * x\n";
    let whole = combat(rule, "").expect("it is in order");
    let tenth = whole.scale_numbers_down(0.1).expect("it is text");
    let lowest_and_highest = |combat: &AnyCombat| {
        let graph = graph(combat).expect("it is small");
        let left: Vec<i32> = graph.endings().iter().map(|ending| ending.fields[0]).collect();
        (left.iter().min().copied(), left.iter().max().copied())
    };
    assert_eq!(lowest_and_highest(&whole), (Some(2760), Some(2960)));
    assert_eq!(lowest_and_highest(&tenth), (Some(60), Some(260)));
}

/// The second side answers one who has chosen without a die: of two that it knows the first is
/// told, and by the name that the choice sees last.
#[test]
fn a_choice_that_knows_two_earlier_ones_is_told_once() {
    let rule = "part answer(seen):\n    choose for lowest x \"the guard\":\n        option \"road\": give 1\n        \
                option \"ford\": give 2\naction a:\n    x = d2\n    choose for highest x:\n        \
                option \"road\": plan = 1\n        option \"ford\": plan = 2\n    choose for highest x:\n        \
                option \"day\": hour = 1\n        option \"night\": hour = 2\n    guard = answer(plan)\n    \
                if plan != guard: x += 1\n    if hour == guard: x += 1\n    show x\n";
    let text = format!("game \"m\"\n{rule}");
    let none = |_: &str| Err("there are no files here".to_owned());
    let rulebook =
        read_without_built_in_base("m", "m.rules", &text, &none).expect("it is in order");
    let told: Vec<&str> =
        rulebook.warnings.iter().map(|warning| warning.fault.problem.as_str()).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("this choice knows `hour`, `seen` of line 8"), "{told:?}");
}

/// A trial counts only if the other test holds, even if there was nothing to tally.
#[test]
fn a_bound_of_a_tally_and_another_test_must_both_hold() {
    let rules = "action a:\n    x = d6\n    if x > 3: tally rounds += x\n    show x\n    \
                 measure few = chance(x == 6 and rounds <= 6)\n    \
                 measure none = chance(x == 6 and rounds <= 5)\n    \
                 measure many = chance(x == 5 and rounds > 4)\n    \
                 measure low = chance(x < 5 and rounds < 4)\n";
    // Six tallies 6; five tallies 5; one, two and three tally nothing, and four is not below 4.
    let expected = [("few", 1.0 / 6.0), ("none", 0.0), ("many", 1.0 / 6.0), ("low", 0.5)];
    for ((name, found), (known, expected)) in measures(rules, "").into_iter().zip(expected) {
        assert_eq!(name, known);
        assert_near(found.expect("it has a value"), expected);
    }
}

/// The words that have no arm of their own, whether they are rolled or known.
#[test]
fn the_last_arm_of_a_match_is_for_all_other_words() {
    let rules = "words mood: calm, shaken, broken\nfield start: mood = calm\naction a:\n    \
                 now = step(start, d3 - 1)\n    x = 0\n    match now:\n        calm: x = 5\n        \
                 else: x = d2\n    show x\n";
    let third = 1.0 / 3.0;
    assert_laws_near(&law(rules, ""), &[(1, third), (2, third), (5, third)]);
    assert_laws_near(&law(rules, "start = 'shaken'"), &[(1, 0.5), (2, 0.5)]);
}

/// A counter that begins at 1 adds no less than 1, so the tally has quantiles and chances.
#[test]
fn the_counter_of_a_loop_is_tallied() {
    let rules = "action a:\n    x = d6\n    for i in 1..20: tally sum += i\n    show x\n    \
                 measure less = chance(sum <= 209)\n    measure all = chance(sum <= 210)\n";
    let found: Vec<f64> = measures(rules, "").into_iter().filter_map(|(_, found)| found).collect();
    assert_near(found[0], 0.0);
    assert_near(found[1], 1.0);
}

/// What happens only after many turns is a part of the rule: its field is one of the contest.
#[test]
fn a_field_that_is_read_after_many_turns_is_a_field_of_the_action() {
    let rules = "record unit:\n    field men: 1..4 = 2\nfield target: 1 to 3 of unit\n\
                 field bonus: 0..9 = 1\naction a:\n    us = bag of target with hits = 0\n    x = d2\n    \
                 for i in 1..13:\n        each u in us:\n            u.hits = u.hits + 1 at most 12\n            \
                 if u.hits > 11: x += bonus\n    show x\n";
    // Twelve hits are reached in the turns 12 and 13.
    assert_laws_near(&law(rules, "bonus = 5\n[[target]]"), &[(11, 0.5), (12, 0.5)]);
}

#[track_caller]
fn assert_laws_near(found: &[(Vec<i64>, f64)], expected: &[(i64, f64)]) {
    let values: Vec<i64> = found.iter().map(|(row, _)| row[0]).collect();
    assert_eq!(values, expected.iter().map(|(value, _)| *value).collect::<Vec<_>>());
    found.iter().zip(expected).for_each(|(found, expected)| assert_near(found.1, expected.1));
}

/// A chance of so many is a mean: a third of a victory for each of three.
#[test]
fn a_chance_with_a_factor_is_a_mean() {
    let rule = "field n: 1..9 = 3\naction a:\n    x = d6\n    show x\n    measure whole = chance(x > 4)\n    \
                measure times = chance(x > 4) * n\n    measure half = chance(x > 4) / 2\n";
    let found = measures(rule, "");
    for ((name, value), expected) in found.iter().zip([1.0 / 3.0, 1.0, 1.0 / 6.0]) {
        assert_near(value.unwrap_or_else(|| panic!("{name} has a value")), expected);
    }
    assert_eq!(found.len(), 3);
    let combat = combat(rule, "").expect("it is in order");
    let is_chance = combat.measures().iter().map(|head| matches!(head.kind, MeasureKind::Event));
    assert_eq!(is_chance.collect::<Vec<_>>(), [true, false, false]);
}
