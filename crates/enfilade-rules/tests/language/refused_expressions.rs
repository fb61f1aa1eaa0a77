//! Lines of a rule that are refused where the file is read, each with its line and its remedy.

use super::told::faults;

/// Declarations, the lines of the action, and the line, the problem and the help of their fault.
type Refused<'t> = (&'t str, &'t str, usize, &'t str, &'t str);

/// Asserts that each rule has exactly one fault, which is the expected one.
#[track_caller]
fn assert_each_is_refused(cases: &[Refused]) {
    for (top, lines, line, problem, help) in cases {
        let text = format!("game \"m\"\n{top}action a:\n{lines}");
        let expected = (*line, (*problem).to_owned(), (*help).to_owned());
        assert_eq!(faults(&text), [expected], "{text}");
    }
}

#[test]
fn dice_that_cannot_be_rolled_are_refused_with_their_line() {
    assert_each_is_refused(&[
        (
            "",
            "    x = d6\n    show x\n    show y = d6 + d4\n",
            5,
            "no dice in `show`",
            "roll them in a line of their own before",
        ),
        ("", "    x = 256d6\n    show x\n", 3, "a pool has at most 255 dice, not 256", ""),
        ("", "    x = d(0)\n    show x\n", 3, "a die has 1 to 100 sides, not 0", ""),
        ("", "    x = d(101)\n    show x\n", 3, "a die has 1 to 100 sides, not 101", ""),
        (
            "die red: hit 3, focus 3\n",
            "    throw = 2 red\n    throw -= 1 red\n    x = throw.hit + throw.focus\n    show x\n",
            5,
            "dice that were thrown cannot be taken back",
            "`throw.hit -= 1` takes a symbol away",
        ),
        (
            "die blue: hit 3, focus 3\n",
            "    throw = 2 blue\n    throw += 1 blu\n    x = throw.hit + throw.focus\n    show x\n",
            5,
            "there is no die `blu`",
            "did you mean `blue`?",
        ),
        (
            "die red: hit 3, focus 3\n",
            "    throw = 2 red\n    x = throw.hit + throw.focus + throw.wyvern\n    show x\n",
            5,
            "the throw has no symbol `wyvern`",
            "it has `hit`, `focus`",
        ),
    ]);
}

#[test]
fn numbers_that_do_not_exist_are_refused_with_their_line() {
    assert_each_is_refused(&[
        ("", "    x = 1 / 0\n    show x\n", 3, "nothing can be divided by 0", ""),
        (
            "",
            "    x = 100000 * 100000\n    show x\n",
            3,
            "integer overflow: values must fit 32 bits",
            "",
        ),
        ("", "    x = rest(5)\n    show x\n", 3, "`rest` takes two numbers", ""),
        ("", "    x = rest(5, 0)\n    show x\n", 3, "`rest` takes by 1 or more", ""),
        (
            "",
            "    y = 5\n    x = y[1]\n    show x\n",
            4,
            "this is not a list, and has no places",
            "",
        ),
    ]);
}

#[test]
fn lists_that_cannot_be_are_refused_with_their_line() {
    let places = ["1"; 101].join(", ");
    let long = format!("    x = [{places}] high 1\n    show x\n");
    assert_each_is_refused(&[
        (
            "",
            "    xs = 21 of 3\n    ys = sorted xs\n    x = ys[1]\n    show x\n",
            4,
            "at most 20 places are sorted, and the list has 21",
            "",
        ),
        (
            "",
            "    xs = [1, 2]\n    xs = 0 of 5\n    x = xs[1]\n    show x\n",
            4,
            "a list has 1 to 100 places, not 0",
            "",
        ),
        (
            "field places: -2..0 = 0\n",
            "    xs = places of 5\n    x = xs[1]\n    show x\n",
            4,
            "a list has 1 to 100 places, not 0",
            "",
        ),
        ("", &long, 3, "a list has 1 to 100 places", ""),
        (
            "",
            "    y = 5\n    x = y high 1\n    show x\n",
            4,
            "expected a list",
            "`sorted` and `high` take dice or a list of numbers",
        ),
    ]);
}

/// A number that is chosen by a roll or by a row is no list, wherever it comes from.
#[test]
fn a_number_of_one_of_several_has_no_places() {
    let top = "record unit:\n    field size: 1..9 = 2\nfield target: 2 of unit\n";
    let problem = "this is not a list, and has no places";
    assert_each_is_refused(&[(top, "    x = target[d2].size[1]\n    show x\n", 6, problem, "")]);
}

#[test]
fn what_a_name_cannot_be_used_for_is_told() {
    let guns =
        "data guns:\n    name shots\n    rifle 1\n    lmg 3\nfield gun: one of guns = rifle\n";
    let moods = "words mood: steady, pinned\nfield now: mood = steady\n";
    let given = "`given` needs a field or a column of data";
    assert_each_is_refused(&[
        ("", "    y = 5\n    x = 1 if given(y) else 0\n    show x\n", 4, given, ""),
        ("", "    y = 5\n    x = 1 if given(y.size) else 0\n    show x\n", 4, given, ""),
        (
            guns,
            "    rifle = 3\n    x = gun.shots\n    if gun is rifle: x = 2\n    show x\n",
            10,
            "expected a row of `guns`, found a number",
            "",
        ),
        (
            moods,
            "    x = 0\n    match now:\n        steady n: x = 1\n        pinned: x = 2\n    show x\n",
            7,
            "a word has no number: only printed cells do",
            "",
        ),
        (
            "",
            "    field own: 1..3 = 1\n    x = own\n    own += 2\n    show x\n",
            5,
            "`own` is a field, and the rule cannot change it",
            "`now = own` makes a variable of it",
        ),
        (
            "part p():\n    y = 1\n    give y + zz\n",
            "    x = p()\n    show x\n",
            4,
            "there is no `zz` here",
            "",
        ),
    ]);
}

#[test]
fn a_tally_has_a_name_of_its_own() {
    let help = "give the tally another name";
    assert_each_is_refused(&[
        ("", "    x = d6\n    tally x\n    show x\n", 4, "`x` is something else already", help),
        (
            "field n: 1..3 = 1\n",
            "    x = d6 + n\n    tally n\n    show x\n",
            5,
            "`n` is something else already",
            help,
        ),
    ]);
}

#[test]
fn keys_that_a_table_has_not_are_refused_with_their_line() {
    let reach = "words reach: near, far\ntable to_hit:\n    near 3\n    far 5\n";
    let jump = "field n: 1..9000 = 3\ntable jump:\n    3 20\n    5000 7\n    else 0\n";
    assert_each_is_refused(&[
        (
            reach,
            "    x = to_hit(2)\n    show x\n",
            7,
            "this is a number, and the keys of `to_hit` are words",
            "",
        ),
        (
            jump,
            "    x = jump(n)\n    show x\n",
            8,
            "the keys of `jump` are too far apart for `else`",
            "bound the key: `n at most 100`",
        ),
    ]);
}

/// A sum of 190 numbers is 379 values, of which one is stored. Seventy such lines are lowered in
/// each of twenty calls: more than 2¹⁸ values in all, and far fewer than 2¹⁴ steps of the program.
#[test]
fn a_rule_that_takes_too_many_steps_is_refused() {
    let sum = ["1"; 190].join("+");
    let lines = format!("    x = {sum}\n").repeat(70);
    let calls = "    y = p()\n".repeat(20);
    let text = format!("game \"m\"\npart p():\n{lines}    give x\naction a:\n{calls}    show y\n");
    let told = faults(&text);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].1, "the rule has more than 16384 steps after its parts are inlined");
    assert_eq!(told[0].2, "use fewer parts within parts, or shorter lists");
    // The lines of the part are 3 to 72.
    assert!((3..=72).contains(&told[0].0), "{told:?}");
}
