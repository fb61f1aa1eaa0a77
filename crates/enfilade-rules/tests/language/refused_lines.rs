//! Lines of a rule that the reader refuses: each with its place, the problem and the remedy.

use super::declared_bounds::faults_beside;

/// Declarations on lines 1 to 24, which the lines of each case follow.
pub const TOP: &str = "game \"m\"
words mood: steady, pinned, routed
words pace: walk, run
data weapons:
    name    shots
    rifle   1
    mortar  2
table fire:
    cell #K kill
    cell - nothing
    1  2K
    2  -
table smoke:
    cell #S thick
    cell - clear
    1  2S
    2  -
die red: hit 3, hit+hit, miss 2
record unit:
    field size: 1..9 = 2
    field gun: one of weapons = rifle
field target: 1 to 6 of unit
field shots: 1 to 3 of 1..6 = [2]
field cover: 0..2 = 1
";

/// Asserts that an action with these lines has one fault. Its line is counted from the first of
/// the lines, and the words are those of the problem and of the remedy.
fn assert_refused(rule: &str, line: usize, problem: &str, help: &str) {
    assert_refused_in_text(&format!("{TOP}action a:\n{rule}"), 25 + line, problem, help);
}

fn assert_refused_in_text(text: &str, line: usize, problem: &str, help: &str) {
    let told = faults_beside(text, &[]);
    let [(at, said, remedy)] = told.as_slice() else { panic!("one fault: {told:?}\n{text}") };
    assert_eq!(*at, line, "{said}\n{text}");
    assert!(said.contains(problem), "{said}\n{text}");
    assert!(remedy.contains(help) && remedy.is_empty() == help.is_empty(), "{remedy}\n{text}");
}

#[test]
fn a_list_takes_only_a_list_of_its_length_and_type() {
    let cases = [
        ("xs = [1, 2]", "xs = [1, 2, 3]", "the list has 2 places, not 3", ""),
        ("xs = [1, 2]", "xs = [3, steady]", "expected a number, found", "`step(word, 1)`"),
        ("xs = [1, 2]", "xs = 3", "expected a list of 2 places", ""),
        ("xs = [1, 2]\n    ws = [steady, routed]", "xs = ws", "expected a list of 2 places", ""),
        ("n = 1", "n = [1, 2]", "a list cannot be used here", "assign it to a new name"),
        ("n = 1", "n[1] = 2", "the rule cannot change this", "`xs = …` declares a list"),
        ("n = 1", "n.size = 2", "the rule cannot change this", "a bag of it has items"),
        ("n = 1", "n = 2 red", "a throw cannot be used here", "assign it to a new name"),
        ("us = bag of 3", "us[1] = 2", "a bag has no places", "`each u in units`"),
    ];
    for (first, second, problem, help) in cases {
        let rule = format!("    {first}\n    {second}\n    x = d6\n    show x\n");
        assert_refused(&rule, first.lines().count() + 1, problem, help);
    }
    let long = vec!["1"; 101].join(", ");
    let rule = format!("    xs = [{long}]\n    x = d6\n    show x\n");
    assert_refused(&rule, 1, "a list has at most 100 places", "");
}

#[test]
fn a_place_of_an_unknown_list_is_one_fault() {
    let problem = "there is no `zz` here";
    assert_refused("    x = d6\n    zz[1] = 2\n    show x\n", 2, problem, "");
    assert_refused("    x = d6\n    zz.size = 2\n    show x\n", 2, problem, "");
}

#[test]
fn a_variable_holds_sixteen_bits() {
    for (value, said) in [("20000 + 12768", "32768"), ("0 - 20000 - 12769", "-32769")] {
        let rule = format!("    n = {value}\n    x = n\n    show x\n");
        let problem = format!("a variable holds −32 768 to 32 767, not {said}");
        assert_refused(&rule, 1, &problem, "");
    }
}

#[test]
fn cells_and_throws_are_assigned_only_their_own_kind() {
    let cell = "expected a printed cell of the same table";
    let throw = "this is no throw of dice";
    let cases = [
        ("c = fire(1)", "c = smoke(1)", cell, ""),
        ("c = fire(1)", "c = 3", cell, ""),
        ("t = 2 red", "t = 5", throw, "`throw.hit = 0` sets a symbol"),
        ("t = 2 red", "t += 5", throw, "`throw = 2 red` throws anew"),
        ("t = 2 red", "t.hurt = 1", "`hurt`", "hit"),
    ];
    for (first, second, problem, help) in cases {
        let used = match first.starts_with('c') {
            true => "    x = 0\n    if c is kill: x = 1\n",
            false => "    x = t.hit\n",
        };
        assert_refused(&format!("    {first}\n    {second}\n{used}    show x\n"), 2, problem, help);
    }
}

#[test]
fn functions_name_what_they_take() {
    let cases = [
        ("x = min(3)", "`min` takes two numbers or more"),
        ("x = 0\n    if step(steady) is routed: x = 1", "`step` takes a word and a number"),
        ("x = step(3, 1)", "`step` needs a word, and this is a number"),
        ("x = length()", "`length` takes one list"),
        ("x = length(target, target)", "`length` takes one list"),
        ("x = length(3)", "`length` takes a list"),
    ];
    for (line, problem) in cases {
        let at = line.lines().count();
        assert_refused(&format!("    {line}\n    show x\n"), at, problem, "");
    }
    let unused = "    x = d6\n    fire(1)\n    show x\n";
    assert_refused(unused, 2, "this line looks a cell up without using it", "");
}

#[test]
fn items_of_a_bag_have_only_their_own_fields() {
    let cases = [
        ("each u in us: x += u.foo", "the items of this bag have no `foo`", ""),
        ("each u in us: x += u.hit", "the items of this bag have no `hit`", "did you mean `hits`?"),
        ("each u in us: x += 1 if given(u.foo) else 0", "the items of this bag have no `foo`", ""),
        ("each u in us: u.hit = 1", "no changing value `hit`", "did you mean `hits`?"),
        ("each u in us: u.zzz = 1", "no changing value `zzz`", "`bag of … with zzz = …`"),
    ];
    for (line, problem, help) in cases {
        let rule = format!(
            "    us = bag of 3 with hits = d6\n    x = sum(u.hits for u in us)\n    {line}\n    show x\n"
        );
        assert_refused(&rule, 3, problem, help);
    }
}

#[test]
fn a_bag_is_made_of_records_or_of_a_number() {
    let bag = |of: &str| format!("    us = bag of {of}\n    x = length(us)\n    show x\n");
    assert_refused(&bag("30"), 1, "a bag has at most 24 items, not 30", "");
    assert_refused(&bag("shots"), 1, "a list", "");
    assert_refused(&bag("steady"), 1, "expected a number", "a table gives a number for each");
    let seven = "a = d6, b = d6, c = d6, d = d6, e = d6, f = d6, g = d6";
    let problem = "an item of a bag has at most 6 changing values";
    assert_refused(&bag(&format!("3 with {seven}")), 1, problem, "");
    let again = "    us = bag of 3\n    us = bag of 2\n    x = length(us)\n    show x\n";
    assert_refused(again, 2, "`us` cannot be assigned", "give it another name");
}

#[test]
fn a_pick_needs_a_bag() {
    for (place, said) in [("cover", "`cover`"), ("target[1]", "this")] {
        let rule = format!("    x = d6\n    pick u in {place} by random: x = 1\n    show x\n");
        let problem = format!("`pick` needs a bag, and {said} is not one");
        assert_refused(&rule, 2, &problem, "`units = bag of …` makes one");
    }
}

/// Six loops over one bag may be open: the seventh is refused, whether `each` or `pick`.
#[test]
fn the_seventh_open_loop_over_one_bag_is_refused() {
    let heads = |count: usize, head: &str| {
        let lines = (0..count).map(|at| {
            format!("{}{}:\n", "    ".repeat(at + 1), head.replace('@', &at.to_string()))
        });
        let inner = format!("{}x += 1\n", "    ".repeat(count + 1));
        format!("    x = d6\n    us = bag of 8\n{}{inner}    show x\n", lines.collect::<String>())
    };
    let problem = "at most 6 loops over one bag may be open at once";
    for head in ["each u@ in us", "pick u@ in us by random"] {
        assert_refused(&heads(7, head), 9, problem, "");
        let text = format!("{TOP}action a:\n{}", heads(6, head));
        assert_eq!(faults_beside(&text, &[]), [], "{head}");
    }
}

#[test]
fn a_decision_has_one_to_eight_options_and_at_most_64_numbers() {
    let options: String = (1..=9).map(|n| format!("        option \"{n}\": x = {n}\n")).collect();
    let rule = format!("    x = 0\n    choose for highest x:\n{options}    show x\n");
    assert_refused(&rule, 2, "a `choose` has 1 to 8 options", "");
    let numbers = |first: &str, last: &str| {
        format!(
            "    k = d100\n    x = 0\n    choose n in {first}..{last} for highest x: x = n + k\n    show x\n"
        )
    };
    let wide = "at most 64 numbers can be chosen from";
    assert_refused(&numbers("k", "200"), 3, wide, "begin with a known number, `0..`");
    assert_refused(&numbers("0", "64"), 3, wide, "choose tens first, or in two steps");
    let nothing = "from 7 to 3 there is nothing to choose";
    assert_refused(&numbers("7", "3"), 3, nothing, "the lower number comes first");
}

#[test]
fn what_is_hidden_is_a_variable_of_the_rule() {
    let choose = |before: &str, hidden: &str| {
        format!(
            "    x = d6\n{before}    choose for highest x, blind to {hidden}:\n        option \"a\": x = 1\n        option \"b\": x = 2\n    show x\n"
        )
    };
    let help = "name numbers, words or lists that a line above has made";
    let known = "`cover` is known to everybody";
    assert_refused(&choose("", "cover"), 2, known, help);
    assert_refused(&choose("    us = bag of 2\n", "us"), 3, "`us` is part of a bag", help);
    assert_refused(&choose("", "zzz"), 2, "there is no `zzz` here", "");
    let own = format!("    field plan: 1..3 = 1\n{}", choose("", "plan"));
    assert_refused(&own, 3, "`plan` is known to everybody", help);
}

#[test]
fn conditions_are_tests_of_comparable_values() {
    let cases = [
        ("if 1 + cover: x = 1", "found a number", "a test such as `x > 0`"),
        ("if steady is walk: x = 1", "expected a word of `mood`", ""),
        ("if (cover > 0) < (cover > 1): x = 1", "has no order", ""),
        ("x = 1 if cover > d6 else steady", "cannot compare a number with", ""),
    ];
    for (line, problem, help) in cases {
        assert_refused(&format!("    x = d6\n    {line}\n    show x\n"), 2, problem, help);
    }
}

/// A cell is a word and a number: it is no word alone.
#[test]
fn a_cell_on_one_path_and_a_word_on_the_other_are_no_value() {
    let rule =
        "    c = fire(1) if d6 > 3 else nothing\n    x = 0\n    if c is kill: x = 1\n    show x\n";
    assert_refused(rule, 1, "cannot compare", "");
}

/// Parts may be called 32 deep.
#[test]
fn parts_are_nested_at_most_32_deep() {
    let text = |count: usize| {
        let parts = (1..count).map(|at| format!("part p{at}(n): give p{}(n) + 1\n", at + 1));
        let parts: String = parts.collect();
        format!(
            "game \"m\"\n{parts}part p{count}(n): give n\naction a:\n    x = p1(d6)\n    show x\n"
        )
    };
    assert_eq!(faults_beside(&text(32), &[]), []);
    let problem = "calls of parts may be at most 32 deep";
    assert_refused_in_text(&text(33), 33, problem, "use `repeat` or `for`");
}

#[test]
fn a_part_gives_on_every_path() {
    let text = |body: &str| {
        format!("game \"m\"\npart p(n):\n{body}action a:\n    x = p(d6)\n    show x\n")
    };
    let problem = "this part gives nothing on some of its paths";
    let help = "end it with a `give`";
    assert_refused_in_text(&text("    if n > 3: give 1\n"), 3, problem, help);
    // A condition that never holds gives nothing on any path.
    assert_refused_in_text(&text("    m = n\n    if 1 > 2: give m\n"), 4, problem, help);
}

#[test]
fn only_fields_that_hold_such_values_are_carried() {
    let cases = [
        ("carry shots = us", "`shots` is not a list of records", "`1 to 6 of unit`"),
        ("carry cover = us", "`cover` is not a list of records", "`1 to 6 of unit`"),
        ("carry target = us", "this bag was not built from `target`", "`bag of target`"),
        ("carry shots = cover", "`shots` is a list", "carry the highest entries"),
        ("carry cover high 2", "`cover` is not a field that can be carried", "carry a number"),
        ("carry covr = 2", "there is no field `covr` to carry", "did you mean `cover`?"),
    ];
    for (line, problem, help) in cases {
        let rule = format!(
            "    us = bag of 3 with hits = d6\n    x = sum(u.hits for u in us)\n    show x\n    {line}\n"
        );
        assert_refused(&rule, 4, problem, help);
    }
    let high = "    us = bag of target with gone = no\n    x = d6 + length(us)\n    show x\n    carry target = us\n    carry target.shots high x\n";
    let told = faults_beside(
        &format!(
            "{}action a:\n{high}",
            TOP.replace("    field size", "    field shots: 1 to 3 of 1..6 = [2]\n    field size")
        ),
        &[],
    );
    let problem = "the number left must be a changing value of the items";
    assert_eq!(told, [(31, problem.to_owned(), "the bag has gone".to_owned())]);
}

#[test]
fn what_a_declaration_names_is_no_variable() {
    let help = "give it another name";
    for (name, kind) in [("fire", "a table"), ("weapons", "data"), ("red", "a die")] {
        let problem = format!("`{name}` is {kind} already and cannot be declared again");
        assert_refused(&format!("    {name} = d6\n    x = d6\n    show x\n"), 1, &problem, help);
    }
}

#[test]
fn a_part_takes_as_many_values_as_it_names() {
    let text = |heads: &str, call: &str| {
        format!(
            "game \"m\"\npart p({heads}):\n    give d6\naction a:\n    x = {call}\n    show x\n"
        )
    };
    for (heads, call, problem) in [
        ("k", "p()", "`p` takes 1 value, not 0"),
        ("k, j", "p(1)", "`p` takes 2 values, not 1"),
        ("", "p(1)", "`p` takes 0 values, not 1"),
    ] {
        assert_refused_in_text(&text(heads, call), 5, problem, "");
    }
}

#[test]
fn a_word_has_one_arm() {
    let rule = "    c = fire(1)\n    x = 0\n    match c:\n        kill n: x = n\n        nothing: x = 1\n        \
                kill m: x = m\n    show x\n";
    assert_refused(rule, 6, "`kill` has an arm already", "");
}

#[test]
fn only_lists_have_places_and_only_records_have_fields() {
    let places = "this is not a list, and has no places";
    for of in ["u.gun", "u.size", "u.gun.shots"] {
        let rule = format!(
            "    us = bag of target\n    x = d6\n    each u in us: x += {of}[1]\n    show x\n"
        );
        assert_refused(&rule, 3, places, "");
    }
    let remedy = "records, rows and items of bags have fields";
    for of in ["cover.men", "(1 if given(cover.men))", "weapons[1].shots.men", "shots[1].men"] {
        let rule = format!("    x = d6\n    x = x + {of}\n    show x\n");
        assert_refused(&rule, 2, "this has no `men`", remedy);
    }
    // A note may name whatever has a name, and a number has none.
    let note = "    x = d6\n    note \"{cover.name} and {x}\"\n    show x\n";
    assert_refused(note, 2, "this has no `name`", remedy);
}

#[test]
fn lines_that_need_another_place_or_a_value_are_refused() {
    let cases = [
        ("x = [] high 1", "a list has 1 to 100 places", ""),
        ("give x", "`give` is only valid in a part", ""),
        // There is an `x` to add to, so the name of the part is what is wrong.
        ("x += x(3)", "there is no part and no table `x`", ""),
    ];
    for (line, problem, help) in cases {
        assert_refused(&format!("    x = d6\n    {line}\n    show x\n"), 2, problem, help);
    }
}
