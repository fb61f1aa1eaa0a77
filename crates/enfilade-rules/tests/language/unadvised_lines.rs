//! Lines that resemble a habit of another language: those that have it are advised on, the others
//! keep the parser's fault.

use enfilade_model::error::InputError;
use enfilade_rules::read_without_built_in_base;

use super::declared_bounds::{ROLL, assert_only_fault, faults_beside};

/// Faults of an action with these lines, the first of which is line 5.
fn faults_of_lines(lines: &str) -> Vec<(usize, String, String)> {
    let head = "game \"m\"\nfield n: 1..9 = 3\naction a:\n    xs = [1, 2, 3]\n";
    faults_beside(&format!("{head}{lines}\n    x = d6\n    show x\n"), &[])
}

#[test]
fn a_foreign_line_is_told_the_way_to_write_it() {
    let known = [
        ("    y = dF", "`1d3 - 2`"),
        ("    repeat while n > 0:\n        y = 1", "`repeat:`, and in it `if not n > 0: stop`"),
        ("    for to in 3:\n        y = 1", "`for to in 1..3:`"),
        ("    party += 1", "`party = 0` above, or `party = 1`"),
        ("    case n:\n        1: y = 2", "`match n:`"),
    ];
    for (lines, help) in known {
        let told = faults_of_lines(lines);
        assert_eq!((told.len(), told[0].0, told[0].2.as_str()), (1, 5, help), "{lines}: {told:?}");
    }
}

/// The word that an editor underlines on line 5, and the remedy.
fn marked_word_and_help(lines: &str) -> (String, String) {
    let text = format!(
        "game \"m\"\nfield n: 1..9 = 3\naction a:\n    xs = [1, 2, 3]\n{lines}\n    x = d6\n    show x\n"
    );
    let none = |_: &str| Err("there are no files here".to_owned());
    let Err(InputError { faults, text, .. }) =
        read_without_built_in_base("m", "m.rules", &text, &none)
    else {
        panic!("{lines} should be refused");
    };
    let first = &faults[0];
    (text[first.span.clone()].to_owned(), first.fault.help.clone().unwrap_or_default())
}

/// Each is told with its own names and numbers, at the first word that is not of this language.
#[test]
fn dice_of_other_games_are_told_with_their_own_numbers() {
    let known = [
        ("y = 3dF", "3", "`3d3 - 6`"),
        ("if 2d6 vs 7: y = 1", "vs", "a test: `2d6 >= 7`"),
        ("y = n x d6", "x", "`n d6` rolls n dice, `n * d6` multiplies one"),
        ("y = d8 explode 8", "explode", "dice that go on: `d8 again on 8 up to 3`"),
        ("y = d8 explodes", "explodes", "dice that go on: `d8 again on 8 up to 3`"),
        ("y = n + best of 3d8", "best", "the highest of 3: `3d8 high 1`"),
        ("y = max(3d6)", "max", "the highest of 3: `3d6 high 1`"),
        ("y = 3d6 successes 4", "successes", "`count(3d6 >= 4)`"),
        ("y = n d6 hits 5", "hits", "`count(n d6 >= 5)`"),
        ("y = random(1, 8)", "random", "`x = d8`; `d(n)` for 1 to n"),
        ("if 2d6: y = 1", "2d6", "`if 2d6 >= 8:`"),
        ("if 70%: y = 1", "70", "`d100 <= 70`"),
    ];
    for (line, word, help) in known {
        let (marked, told) = marked_word_and_help(&format!("    {line}"));
        assert!(marked == word && told.starts_with(help), "{line}: {marked}: {told}");
    }
}

#[test]
fn lines_of_other_languages_are_told_with_their_own_names() {
    let known = [
        ("if n > 1: if n < 3: y = 2", "if", "`if n > 1 and n < 3: y = 2`"),
        ("repeat 3: y = 1", "3", "`for i in 1..3:`"),
        ("y, z = 1, 2", ",", "`y = 1`, below `z = 2`"),
        ("y = max(xs)", "max", "`xs high 1`"),
        ("y = 1 + sum(xs)", "sum", "`sum(x for x in xs)`"),
        ("y = n++", "+", "`n += 1`"),
        (
            "y = round(n / 2)",
            "round",
            "`n / 2` rounds down, `up(n / 2)` up; to the nearest: `(n + 1) / 2`",
        ),
        ("if n in 2..4: y = 1", "in", "`n >= 2 and n <= 4`"),
        ("if n == 1 or 2: y = 1", "2", "`n == 1 or n == 2`"),
        ("y = if n > 1 then 2 else 3", "if", "`2 if n > 1 else 3`"),
        ("y = (if n > 1 then 2 else 3)", "if", "`2 if n > 1 else 3`"),
        ("y = 1 if n > 1 else if n > 2: 3", "if", "`1 if n > 1 else (3 if n > 2)`"),
        ("y = round((n + 1) / 3)", "round", "`(n + 1) / 3` rounds down, `up((n + 1) / 3)` up"),
        ("n_2 = 1\n    n_2 += 1 at most 8", "1 at most 8", "`n_2 = n_2 + 1 at most 8`"),
    ];
    for (line, word, help) in known {
        let (marked, told) = marked_word_and_help(&format!("    {line}"));
        assert!(marked == word && told.starts_with(help), "{line}: {marked}: {told}");
    }
}

/// What is marked is the first word that this language has not, and the help has the line's own
/// names and numbers.
#[test]
fn loops_draws_and_rolls_of_other_games_are_told_at_their_foreign_word() {
    let draw = "`pick u in xs by random:` once for each draw";
    let known = [
        ("y = nd6", "nd6", "`n d6`"),
        ("y = d8 explode 6", "explode", "dice that go on: `d8 again on 6 up to 3`"),
        ("y = 4d6 drop lowest", "drop", "`4d6 high 3`"),
        ("y = 4d6 drop the highest 3", "drop", "`4d6 low 1`"),
        ("y = 3d6 reroll ones", "ones", "`reroll 1`"),
        ("y = 3d6 reroll sixes", "sixes", "`reroll 6`"),
        ("loop:\n        y = 1", "loop", "`repeat:`"),
        ("for each y in xs:\n        z = y", "each", "`each y in xs:`"),
        ("choose:\n        1: y = 1", ":", "`choose for highest won:`"),
        ("choose for won:\n        1: y = 1", "won", "`highest` or `lowest`?"),
        ("draw from xs", "draw", draw),
        ("pick 2 of xs", "2", draw),
        ("y = length xs", "length", "`length(xs)`"),
        ("y = len(xs)", "len", "`length(xs)`"),
        ("if chance 70%: y = 1", "chance", "`d100 <= 70`"),
    ];
    for (line, word, help) in known {
        let (marked, told) = marked_word_and_help(&format!("    {line}"));
        assert!(marked == word && told.starts_with(help), "{line}: {marked}: {told}");
    }
}

/// A field that begins at 0 may become more: bounds from 0 to 0 would be of no use.
#[test]
fn a_field_without_bounds_is_told_with_bounds_around_its_number() {
    for (field, help) in
        [("field hp = 0", "`field hp: 0..1 = 0`"), ("field hp = 10", "`field hp: 1..20 = 10`")]
    {
        let told = faults_beside(&format!("game \"m\"\n{field}\n{ROLL}"), &[]);
        assert_eq!((told[0].0, told[0].2.as_str()), (2, help), "{told:?}");
    }
}

#[test]
fn a_line_with_half_a_habit_keeps_its_own_fault() {
    let known = [
        ("    y = d 6", "expected the end of the line, found `6`", "`d(6)`"),
        ("    y = (n) x d6", "expected the end of the line, found `x`", "rolls"),
        ("    y = highest - 3d6", "there is no `highest`", "the highest of 3"),
        ("    loop 3 times:\n        y = 1", "expected", "`repeat:`"),
        ("    for i = 3:\n        y = 1", "expected `in`, found `=`", "`for i in 1..3:`"),
        ("    switch:\n        y = 1", "expected", "`match"),
        ("    unless:\n        y = 1", "expected", "`if not"),
        ("    var = bonus", "there is no `bonus`", "`bonus ="),
        ("    y = append", "there is no `append`", "makes room"),
        ("    y = xs[n + 0] + bonus", "there is no `bonus`", "`xs[1]`"),
        ("    y = dknight", "there is no `dknight`", "the best two"),
        ("    for i - 1..3:\n        y = i", "expected `in`, found `-`", "a range is"),
        ("    y = n (3) zap", "expected the end of the line, found `(`", "`"),
        ("    then = if n else 2", "expected a value, found `if`", "`"),
        ("    y = if n else 1 then 2", "expected a value, found `if`", "`"),
    ];
    for (lines, problem, advice) in known {
        let told = faults_of_lines(lines);
        assert!(told[0].0 == 5 && told[0].1.contains(problem), "{lines}: {told:?}");
        let advised = told.iter().any(|one| one.2.contains(advice));
        assert!(!advised, "{lines}: {told:?}");
    }
}

#[test]
fn a_part_that_gives_a_sum_gives_one_thing() {
    let text = "game \"m\"\npart p(n):\n    give n + bonus\naction a:\n    x = p(3)\n    show x\n";
    let told = faults_beside(text, &[]);
    assert!(told[0].0 == 3 && told[0].1.contains("there is no `bonus`"), "{told:?}");
    assert!(told.iter().all(|one| !one.2.contains("hands two back")), "{told:?}");
}

#[test]
fn a_statement_cut_short_is_told_what_is_expected() {
    let known = [
        (
            "    y = 1 + [d8, d10]",
            "expected `high` or `low` after a list in brackets, found the end of the line",
        ),
        ("    y = 3d6 again on 6 up 3", "`again` needs `up to`: how many more dice at most?"),
        ("    y = 99999999999", "a number is at most 2147483647"),
        ("    for i in 3 down 1:\n        y = i", "expected `..` or `down to`, found `1`"),
    ];
    for (lines, problem) in known {
        let told = faults_of_lines(lines);
        assert_eq!((told.len(), told[0].0, told[0].1.as_str()), (1, 5, problem), "{lines}");
    }
}

#[test]
fn a_declaration_cut_short_is_told_what_is_expected() {
    let twice = "table t:\n    1 2\n    else 3\n    else 4";
    let known = [
        ("field z: die d4..d12 by n = d6", 2, "expected a number, found `n`"),
        (twice, 5, "there is another `else` above"),
        ("direction north", 2, "there is no declaration `direction`"),
    ];
    for (head, line, problem) in known {
        let told = faults_beside(&format!("game \"m\"\n{head}\n{ROLL}"), &[]);
        let told: Vec<_> = told.iter().map(|one| (one.0, one.1.as_str())).collect();
        assert_eq!(told, [(line, problem)], "{head}");
    }
}

#[test]
fn a_line_of_a_report_is_told_what_it_may_be() {
    let report = |line: &str| format!("game \"m\"\n{ROLL}    {line}\n");
    let only = "only `show`, `measure` and `carry` may follow the first `show`";
    assert_only_fault(&report("up(x)"), 5, only, "put it above the first `show`");
    let help = "a field, or one of its record: `carry target.wounds = wounds`";
    assert_only_fault(&report("carry xs[1] = x"), 5, "expected the name of a field", help);
    assert_only_fault(
        &report("show y = x harm 101 \"kill\""),
        5,
        "a severity is 1 to 100, not 101",
        "",
    );
    let mute = "part mute(n):\n    m = n\n    give m\n";
    let told = faults_beside(&(report("mute(x)") + mute), &[]);
    let problem = "there is no part `mute` that shows something";
    assert_eq!((told[0].0, told[0].1.as_str()), (5, problem), "{told:?}");
}
