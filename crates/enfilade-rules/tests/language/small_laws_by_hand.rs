//! Small rules of one construct each: the mean of what they show, reckoned by hand.

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::AnyCombat;
use enfilade_rules::read_without_built_in_base;
use enfilade_testkit::test_contests::{parse_contest, trace_play};

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
