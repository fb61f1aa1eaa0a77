//! Small rules of one construct each: the mean of what they show, reckoned by hand.

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::AnyCombat;
use enfilade_rules::read_without_built_in_base;
use enfilade_testkit::test_contests::{parse_contest, trace_play};

use super::dice_and_their_states::rulebook;
use super::refused_lines::TOP;

/// The contest of an action with these lines.
fn combat(top: &str, rule: &str, contest: &str) -> AnyCombat {
    let text = format!("{top}action a:\n{rule}");
    let none = |_: &str| Err("there are no files here".to_owned());
    let read = read_without_built_in_base("m", "m.rules", &text, &none);
    let system = read.unwrap_or_else(|error| panic!("{error:?}\n{text}")).system;
    let contest = parse_contest(&system.actions[0], contest);
    contest.unwrap_or_else(|faults| panic!("{faults:?}\n{text}")).combat
}

/// The mean of the first show.
fn mean(combat: &AnyCombat) -> f64 {
    let graph = DieGraph::compile_within_limits(combat, CompiledContestLimits::default())
        .expect("it is small");
    let law = exact::solve_graph_distribution(&graph);
    let endings = graph.endings().iter().zip(&law.probabilities);
    endings.map(|(ending, p)| f64::from(ending.fields[0]) * p).sum()
}

fn assert_means(cases: &[(&str, f64)]) {
    for (lines, expected) in cases {
        let rule = format!("    {}\n    show x\n", lines.replace('\n', "\n    "));
        let tables = "[[target]]\ncount = 2\n[[target]]\nsize = 5";
        let combat = combat(TOP, &rule, if rule.contains("target") { tables } else { "" });
        let found = mean(&combat);
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}\n{rule}");
    }
}

#[test]
fn lists_cells_and_throws_are_assigned_again() {
    assert_means(&[
        ("xs = [1, 2]\nxs = [4, d6]\nx = xs[1] + xs[2]", 7.5),
        ("xs = [1, 2]\nys = [d6, 7]\nxs = ys\nys[2] = 1\nx = xs[1] + xs[2]", 10.5),
        ("xs = [1, 2]\nxs = 2 of 5\nx = xs[1] + xs[2] + d6", 13.5),
        // Row 1 is two kills, row 2 is nothing: half of the time either.
        ("c = fire(2)\nx = 0\nc = fire(d2)\nmatch c:\n    kill n: x = n\n    nothing: x = 7", 4.5),
        // The same two cells by another way.
        (
            "c = fire(1) if d2 == 1 else fire(2)\nx = 0\nmatch c:\n    kill n: x = n\n    nothing: x = 7",
            4.5,
        ),
        // Three faces of one hit and one of two, of six: 5/6 of a hit for each die.
        ("t = 2 red\nx = t.hit\nt = 3 red\nx += t.hit", 25.0 / 6.0),
    ]);
}

#[test]
fn bags_and_their_fields_change() {
    assert_means(&[
        // The bag begins with 3, whatever the tables say: three items.
        (
            "us = bag of target with size = 3\neach u in us:\n    if d6 > 3: u.size = 1\nx = sum(u.size for u in us)",
            6.0,
        ),
        // Of nine in all, one item of another bag is drawn for each of two.
        (
            "us = bag of 2\nvs = bag of target\nx = 0\neach u in us:\n    pick v in vs by random: x += v.size",
            6.0,
        ),
        // The inner pick draws from all three, from the one that is held too: (2 + 2 + 5) / 3.
        (
            "us = bag of target\nx = 0\npick u in us by highest u.size:\n    pick v in us by random: x = v.size",
            3.0,
        ),
    ]);
}

/// How many items there are is rolled: those that are not there count for nothing.
#[test]
fn a_bag_may_have_as_many_items_as_a_die_shows() {
    assert_means(&[
        ("us = bag of d3 with w = 1\nx = count(u in us where u.w is 1)", 2.0),
        ("n = d3\nus = bag of n with w = d2\nx = sum(u.w for u in us)", 3.0),
        ("us = bag of d3 with w = 1\neach u in us:\n    u.w = 5\nx = sum(u.w for u in us)", 10.0),
    ]);
}

/// Of three dice each is compared with the two others: six comparisons, each of which a die wins
/// in 15 of 36 cases.
#[test]
fn items_of_a_bag_are_counted_for_each_item_of_it() {
    let rolled = "us = bag of 3 with w = 0\neach u in us: u.w = d6\n";
    let sum = format!("{rolled}x = sum(count(v in us where v.w > u.w) for u in us)");
    // The highest has none above it; another is as high as it in one case of three at least.
    let best = format!("{rolled}x = count(u in us where count(v in us where v.w > u.w) == 0)");
    let tops = |best: i32| {
        let faces =
            (1..=6).flat_map(|a| (1..=6).flat_map(move |b| (1..=6).map(move |c| [a, b, c])));
        let top =
            |dice: [i32; 3]| dice.iter().filter(|die| Some(*die) == dice.iter().max()).count();
        faces.filter(|dice| top(*dice) as i32 == best).count() as f64 / 216.0
    };
    let mean = (1..=3).map(|best| f64::from(best) * tops(best)).sum();
    assert_means(&[(&sum, 2.5), (&best, mean)]);
}

/// What is counted or added up is compared as what it can be, not as what one item adds.
#[test]
fn counts_and_sums_are_compared_with_more_than_one() {
    assert_means(&[
        // Two or three of three coins.
        ("xs = [d6, d6, d6]\nx = (1 if count(y in xs where y > 3) > 1)", 0.5),
        ("xs = [d2, d2, d2]\nx = (1 if sum(y for y in xs where y > 1) > 5)", 0.125),
        ("x = (1 if count(3d6 >= 4) > 1)", 0.5),
        ("x = (1 if count(3d6 >= 4) == 3)", 0.125),
        ("x = 0\nchoose n in 1..6 for highest x: x = (9 if n > 4 else n)", 9.0),
        ("x = 0\nchoose n in 0..4 for lowest x: x = (n if n < 3 else 2 - n)", -2.0),
    ]);
}

/// Of what was rolled before a loop only a test is left: it passes as often as before.
#[test]
fn a_number_that_waits_for_a_test_keeps_its_side() {
    let waiting = |test: &str| {
        format!("fate = d6 - 4\nx = 0\nrepeat:\n    if d6 == 6: stop\nif {test}: x = 1")
    };
    // From -3 to 2.
    for (test, expected) in [
        ("fate >= 0", 0.5),
        ("fate < 0", 0.5),
        ("fate >= -2", 5.0 / 6.0),
        ("fate > -2", 4.0 / 6.0),
        ("fate <= -2", 2.0 / 6.0),
        ("fate > 1", 1.0 / 6.0),
        ("fate == -1", 1.0 / 6.0),
    ] {
        assert_means(&[(&waiting(test), expected)]);
    }
}

/// A number that waits for a die of as many sides is more than the side of its test.
#[test]
fn a_number_that_waits_for_its_die_and_a_test_keeps_its_value() {
    let waiting = |after: &str| format!("n = d6\nx = 0\nrepeat:\n    if d6 == 6: stop\n{after}");
    // A d(n) is (n + 1) / 2 on average, 2.25 for all n, and half of all n are above 3.
    assert_means(&[(&waiting("x = d(n)\nif n > 3: x += 10"), 7.25)]);
}

/// A face that is a place of a list is read by its place.
#[test]
fn a_rolled_place_of_a_list_is_read_by_a_rolled_place() {
    let waiting = "repeat:\n    if d6 == 6: stop\n";
    assert_means(&[
        (&format!("xs = [0, 0]\nxs[1] = d6\n{waiting}i = d2\nx = xs[i]"), 1.75),
        (&format!("xs = [d6, 0]\n{waiting}xs[2] = d4\ni = d2\nx = xs[i]"), 3.0),
        // The face is nowhere but in the list when the place is read.
        (&format!("i = d2\n{waiting}xs = [3, 0]\nxs[2] = d6\nx = xs[i]"), 3.25),
        (&format!("i = d2\n{waiting}xs = [3, d6]\nx = xs[i]"), 3.25),
    ]);
}

/// Each symbol has its own number: a die shows 5/6 of a hit and 2/6 of a miss.
#[test]
fn each_symbol_of_a_throw_is_counted_apart() {
    assert_means(&[
        ("t = 2 red\nx = 10 * t.hit + t.miss", 52.0 / 3.0),
        ("t = 1 red\nt += 2 red\nx = 10 * t.hit - t.miss", 24.0),
        ("t = (1 + 1) red\nx = t.hit", 5.0 / 3.0),
        // A die without a number is one.
        ("t = red + 1 red\nx = t.hit", 5.0 / 3.0),
        ("t = ((1 + 2) - cover) red\nx = t.hit", 5.0 / 3.0),
    ]);
}

#[test]
fn a_list_is_sorted_from_the_highest_to_the_lowest() {
    assert_means(&[
        ("xs = [0, d6, 9]\nys = sorted xs\nx = 100 * ys[1] + 10 * ys[2] + ys[3]", 935.0),
        ("xs = [d2, 5, 4]\nys = sorted xs\nx = 100 * ys[1] + 10 * ys[2] + ys[3]", 541.5),
    ]);
}

/// One is taken as often as it goes, and nothing is left.
#[test]
fn a_rest_of_a_rolled_number_is_that_of_each_face() {
    assert_means(&[
        ("b = d3 - 1\nx = 5\nif b > 0: x = rest(7, b)", 2.0),
        ("x = rest(d6, d3)", 0.5),
    ]);
}

/// The rows of a block are a list, which a rule copies and changes.
#[test]
fn rows_of_data_become_a_list_of_the_rule_in_their_order() {
    assert_means(&[
        ("ws = weapons\nx = d6 + (10 if ws[1] is rifle) + (100 if ws[2] is mortar)", 113.5),
        ("ws = weapons\nws[1] = ws[2]\nx = d6 + (10 if ws[1] is mortar)", 13.5),
    ]);
}

/// A place for each die that there can be: two or three.
#[test]
fn a_sorted_pool_of_an_item_has_a_place_for_each_of_its_dice() {
    assert_means(&[(
        "us = bag of 1 with w = 2\nx = 0\neach u in us:\n    if d6 > 3: u.w = 3\neach u in us:\n    dice = sorted (u.w) d6\n    x = length(dice)",
        3.0,
    )]);
}

/// Parts with a copy of a throw, with a copy of a list, and with what they change.
#[test]
fn a_part_changes_its_own_copy() {
    let parts = "part spend(t):\n    t.hit = 0\n    give t.hit\npart pay(t, changes n):\n    n += t.hit\npart first(xs):\n    xs[1] = 9\n    give xs[1]\n";
    let top = format!("{TOP}{parts}");
    let cases = [
        ("    t = 2 red\n    y = spend(t)\n    x = t.hit + y\n", 5.0 / 3.0),
        ("    t = 2 red\n    x = 1\n    pay(t, x)\n", 8.0 / 3.0),
        ("    xs = [d6, 1]\n    y = first(xs)\n    x = xs[1] + y\n", 12.5),
    ];
    for (rule, expected) in cases {
        let found = mean(&combat(&top, &format!("{rule}    show x\n"), ""));
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}\n{rule}");
    }
}

/// The loop is left by the end of the action: its bag needs no closing.
#[test]
fn a_part_that_always_ends_the_action_gives_nothing_more() {
    let parts = "part last(n):\n    if n > 3: end\n    else: end\n    give 1\npart look(changes n):\n    us = bag of 2\n    each u in us:\n        n += 1\n        give last(n)\n    give 0\n";
    let top = format!("{TOP}{parts}");
    let rule = "    x = d6\n    y = look(x)\n    x += y\n    show x\n";
    assert!((mean(&combat(&top, rule, "")) - 4.5).abs() < 1e-12);
}

/// What is hidden is of any kind of value; it changes nothing here, and the better option is taken.
#[test]
fn what_a_player_is_blind_to_may_be_of_any_kind() {
    let hidden = [
        ("    for plan in 1..2:\n", "plan", 1),
        ("    plan = fire(1)\n", "plan", 0),
        ("    plan = [1, 2]\n", "plan", 0),
        ("    plan = 1 red\n", "plan", 0),
        ("    plan = d2\n", "plan", 0),
    ];
    for (before, name, deep) in hidden {
        let indent = "    ".repeat(deep + 1);
        let rule = format!(
            "    x = 0\n{before}{indent}choose for highest x, blind to {name}:\n{indent}    option \"a\": x += 1\n{indent}    option \"b\": x += d2\n    show x\n"
        );
        let combat = combat(TOP, &rule, "");
        // The second option is better: 3/2 each time, in one turn or in two.
        let expected = 1.5 * (deep + 1) as f64;
        let found = mean(&combat);
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}\n{rule}");
    }
}

/// Who is blind to a variable may see another that holds the same: then the die is known.
#[test]
fn a_copy_of_what_is_hidden_is_seen() {
    for (hidden, expected) in [("plan", 2.0), ("plan, seen", 1.0), ("seen, plan", 1.0)] {
        for after in ["", "    x += plan - plan\n"] {
            let rule = format!(
                "    plan = d2\n    seen = plan\n    x = 0\n    choose for highest x, blind to {hidden}:\n        \
                 option \"one\": x = (2 if seen == 1)\n        option \"two\": x = (2 if seen == 2)\n\
                 {after}    show x\n"
            );
            let found = mean(&combat(TOP, &rule, ""));
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}\n{rule}");
        }
    }
}

#[test]
fn a_note_names_the_item_of_a_bag() {
    let rule = "    us = bag of target with gone = no\n    x = d6 + sum(u.size for u in us)\n    each u in us:\n        u.gone = yes\n        note \"{u.name} with {u.gun}.\"\n    show x\n";
    let contest = "[[target]]\nname = \"ogre\"\n[[target]]\nsize = 3\ngun = \"mortar\"";
    let told = trace_play(&combat(TOP, rule, contest), &[4]);
    let told: Vec<&str> = told.iter().map(|(_, text)| text.as_str()).collect();
    let all = told.join("\n");
    assert!(all.contains("ogre with rifle") && all.contains("unit with mortar"), "{all}");
}

/// Two rifles and a mortar that take three hits, with these lines for each unit.
fn three_units(lines: &str) -> AnyCombat {
    let rule = format!(
        "    us = bag of target with hits = 0\n    for n in 1..3:\n        pick u in us by highest u.size: u.hits += 1\n    x = d6\n    each u in us:\n        x += u.hits * u.hits\n{lines}    show x\n\npart worth(u):\n    give u.gun.shots\n"
    );
    let contest = "[[target]]\nname = \"ogre\"\n[[target]]\nname = \"troll\"\ngun = \"mortar\"\n[[target]]\nname = \"elf\"";
    combat(TOP, &rule, contest)
}

/// The three are alike to the rule, so a note cannot know which of them was hit, and must not: ties
/// would be decided by what it says.
#[test]
fn a_note_says_all_that_alike_items_may_be_and_changes_no_odds() {
    let notes =
        "        note \"{u.name} with {u.gun}: {u.size + 1}, {u.gun.shots}, {worth(u)}.\"\n";
    let noted = three_units(notes);
    let told = trace_play(&noted, &[4]);
    let all: Vec<&str> = told.iter().map(|(_, text)| text.as_str()).collect();
    let all = all.join("\n");
    assert!(all.contains("unit with rifle or mortar: 3, {u.gun.shots}, {worth(u)}."), "{all}");
    // Each hit is taken by one that has none yet, so the squares add 3. If the gun decided ties, a
    // rifle would take two.
    for combat in [noted, three_units("")] {
        let found = mean(&combat);
        assert!((found - 6.5).abs() < 1e-12, "{found}");
    }
}

/// An empty list has no place to draw.
#[test]
fn nothing_is_drawn_from_an_empty_list() {
    let top = "game \"m\"\nfield cup: 0 to 3 of 0..9 = [1]\n";
    let rule = "    x = d6\n    pick i in cup by random: x += i\n    show x\n";
    for (contest, expected) in [("cup = [0, 0]", 3.5), ("cup = [0, 4]", 5.5), ("cup = []", 3.5)] {
        let found = mean(&combat(top, rule, contest));
        assert!((found - expected).abs() < 1e-12, "{contest}: {found}");
    }
}

/// Another bag's items may have a changing value that bears the name of a field.
#[test]
fn a_field_changes_though_one_above_it_is_named_like_that_of_another_bag() {
    let top = "game \"m\"\ndata weapons:\n    name shots\n    rifle 1\n    mortar 2\nrecord unit:\n    \
               field gun: one of weapons = rifle\n    field size: 1..9 = 2\nfield target: 1 to 6 of unit\n";
    let rule = "    vs = bag of 2 with gun = 0\n    each v in vs: v.gun = 1\n    us = bag of target\n    x = d6\n    \
                each u in us:\n        if u.gun is mortar: u.size = 7\n    \
                x += sum(u.size * u.gun.shots for u in us) + sum(v.gun for v in vs)\n    show x\n";
    let contest = "[[target]]\n[[target]]\ngun = \"mortar\"";
    // 7/2 for the die, two of one shot and seven of two, and one for each of the two others.
    let found = mean(&combat(top, rule, contest));
    assert!((found - 21.5).abs() < 1e-12, "{found}");
}

#[test]
fn a_part_reads_a_throw_without_a_copy() {
    let top = format!("{TOP}part worth(t):\n    n = t.hit\n    give n + t.hit\n");
    let found = mean(&combat(&top, "    t = 2 red\n    x = worth(t)\n    show x\n", ""));
    assert!((found - 10.0 / 3.0).abs() < 1e-12, "{found}");
}

/// Of three coins the best two are counted: 0, 1 or 2 of 1, 3 and 4 in 8.
#[test]
fn kept_dice_are_counted_if_they_pass() {
    assert_means(&[
        ("x = count(3d6 high 2 >= 4)", 11.0 / 8.0),
        ("x = count(3d6 low 2 >= 4)", 5.0 / 8.0),
        // A die that is not there passes nothing.
        ("n = d2 - 1\nx = count(n d6 high 2 <= 6)", 0.5),
    ]);
}

#[test]
fn a_note_names_a_row_of_data() {
    let top = "game \"m\"\ndata guns:\n    name shots\n    rifle 1\n    mg 3\nfield gun: one of guns = rifle\n";
    let rule = "    x = d6 + gun.shots\n    note \"The {gun.name}, a {gun}, fires {gun.shots}.\"\n    show x\n";
    for (contest, said) in
        [("", "The rifle, a rifle, fires 1."), ("gun = \"mg\"", "The mg, a mg, fires 3.")]
    {
        let told = trace_play(&combat(top, rule, contest), &[2]);
        assert_eq!(told, [(String::new(), said.to_owned())]);
    }
}

/// A part of several lines reads the gun in one of them.
#[test]
fn a_note_of_a_part_that_reads_what_differs_says_no_value() {
    let top =
        TOP.to_owned() + "part worth(u):\n    n = u.gun.shots\n    m = n + u.size\n    give m\n";
    let rule = "    us = bag of target with hits = 0\n    pick u in us by highest u.size: u.hits = 1\n    x = d6\n    \
                each u in us:\n        x += u.hits\n        note \"{u.size}: {worth(u)}.\"\n    show x\n";
    let contest = "[[target]]\n[[target]]\ngun = \"mortar\"";
    let told = trace_play(&combat(&top, rule, contest), &[4]);
    let all: Vec<&str> = told.iter().map(|(_, text)| text.as_str()).collect();
    assert!(all.join("\n").contains("2: {worth(u)}. 2: {worth(u)}."), "{all:?}");
}

/// The sides of the last die are more than a test of the first.
#[test]
fn a_die_after_a_loop_has_as_many_sides_as_one_before_it_shows() {
    // The mean of 1 to n is (n + 1) / 2, and that of n is 7/2.
    assert_means(&[("n = d6\nrepeat:\n    if d6 == 6: stop\nx = d(n)", 2.25)]);
}

/// The bound is one number of the contest until a 5 makes it another: half of the time before a 6.
#[test]
fn a_number_that_waits_is_compared_with_what_the_bound_became() {
    let book = rulebook(
        "field need: 1..6 = 4\nfield other: 1..6 = 2\naction a:\n    first = d6\n    bound = need\n    \
         x = 0\n    repeat:\n        face = d6\n        if face == 6: stop\n        \
         if face == 5: bound = other\n    if first >= bound: x = 1\n    show x\n",
    );
    let passes = |bound: i32| f64::from(7 - bound) / 6.0;
    for (need, other) in [(4, 2), (5, 3), (3, 6), (6, 1), (2, 2)] {
        let contest = format!("need = {need}\nother = {other}");
        let contest = parse_contest(&book.system.actions[0], &contest).expect("a contest");
        let (found, expected) = (mean(&contest.combat), (passes(need) + passes(other)) / 2.0);
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}: {need} {other}");
    }
}

/// How high a number may be is rolled, and no number beyond it can be chosen.
#[test]
fn only_numbers_between_rolled_bounds_are_chosen() {
    assert_means(&[
        ("k = d3\nx = 0\nchoose n in 1..k for highest x: x = n", 2.0),
        ("k = d3\nx = 0\nchoose n in k..3 for lowest x: x = n", 2.0),
    ]);
}

/// Fourteen places are too many to write each turn out.
#[test]
fn a_loop_over_a_long_list_takes_each_place_once() {
    let ones = ", 1".repeat(12);
    assert_means(&[(&format!("xs = [d2{ones}, 7]\nx = 0\neach y in xs: x += y"), 20.5)]);
    let top = TOP.replace("1 to 3 of 1..6", "1 to 20 of 1..9");
    let rule = "    x = d2\n    each s in shots:\n        x += s\n        if s > 5: x += 100\n    show x\n";
    let contest = |first: &str| format!("shots = [{first}{ones}, 9]");
    for (first, expected) in [("2", 124.5), ("9", 231.5)] {
        let found = mean(&combat(&top, rule, &contest(first)));
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }
}

/// A throw of fourteen dice, one of them before a loop: a die has no hit in 2 of 6 cases, one in 3
/// and two in 1.
#[test]
fn a_throw_that_a_loop_adds_to_is_compared_with_all_it_may_have() {
    let (none, one, two) = (1.0_f64 / 3.0, 0.5, 1.0 / 6.0);
    let most_two = none.powi(14)
        + 14.0 * one * none.powi(13)
        + 14.0 * two * none.powi(13)
        + 91.0 * one * one * none.powi(12);
    let rule = "t = 1 red\nx = 0\nfor i in 1..13: t += 1 red\nif t.hit > 2: x = 1";
    assert_means(&[(rule, 1.0 - most_two)]);
}

/// Between two dice a number may be wider than a variable, also if its divisor may be 0.
#[test]
fn a_quotient_by_what_might_be_0_is_as_large_as_it_is() {
    let wide = |divisor: &str| {
        format!("r = d6\nn = {divisor}\nx = 0\nif n != 0:\n    if 20000 * r / n > 40000: x = 1")
    };
    // By 1, in a third of all cases, 60 000 is more and 40 000 is not.
    assert_means(&[(&wide("d3 - 2"), 2.0 / 9.0), (&wide("d3 - 3"), 0.0)]);
    // By 1 or 2: from 3 and from 5.
    assert_means(&[(&wide("d3 - 1"), 2.0 / 9.0 + 1.0 / 9.0)]);
}

/// The counter of a loop, too: five and two turns of these are above.
#[test]
fn a_loop_counts_beyond_what_a_variable_holds() {
    let above =
        |turns: &str, than: i32| format!("x = d2\nfor i in {turns}:\n    if i > {than}: x += 1");
    assert_means(&[
        (&above("32760..32775", 32770), 6.5),
        (&above("32775 down to 32760", 32770), 6.5),
        (&above("40000..40013", 40011), 3.5),
    ]);
}
