//! Bounds of declarations: each that is exceeded is refused with its line and its words.

use enfilade_model::error::InputError;
use enfilade_rules::read_without_built_in_base;
use enfilade_testkit::test_contests::parse_contest;

use super::dice_and_their_states::rulebook;

/// Action that every game of these tests has.
pub(super) const ROLL: &str = "action a:\n    x = d6\n    show x\n";

/// Faults of a text beside some files: line, problem and help of each.
pub(super) fn faults_beside(text: &str, files: &[(&str, &str)]) -> Vec<(usize, String, String)> {
    let near = |name: &str| {
        let file = files.iter().find(|(known, _)| *known == name);
        file.map(|(_, text)| (*text).to_owned()).ok_or_else(|| format!("there is no {name}"))
    };
    let Err(InputError { faults, text, .. }) =
        read_without_built_in_base("m", "m.rules", text, &near)
    else {
        return Vec::new();
    };
    let told = faults.into_iter().map(|one| {
        let line = text[..one.span.start].matches('\n').count() + 1;
        (line, one.fault.problem, one.fault.help.unwrap_or_default())
    });
    told.collect()
}

/// Asserts that a text has one fault, with this line, problem and help.
pub(super) fn assert_only_fault(text: &str, line: usize, problem: &str, help: &str) {
    let expected = [(line, problem.to_owned(), help.to_owned())];
    assert_eq!(faults_beside(text, &[]), expected, "{text}");
}

fn with_roll(head: &str) -> String {
    format!("game \"m\"\n{head}\n{ROLL}")
}

#[test]
fn a_field_beyond_its_bounds_is_refused_with_its_line() {
    let wide = "a field holds −32 768 to 32 767 at most";
    let known = [
        ("field z: 0..32768 = 0", wide, ""),
        ("field z: -32769..0 = 0", wide, ""),
        ("field z: 6..1 = 3", "6 is more than 1", "exchange the two"),
        ("field z: 1 to 101 of 0..3", "a list has at most 100 places, and this has 101", ""),
        ("field z: 3 to 2 of 0..3", "3 is more than 2", "exchange the two"),
    ];
    for (head, problem, help) in known {
        assert_only_fault(&with_roll(head), 2, problem, help);
    }
    // The bounds themselves are in order.
    for head in ["field z: -32768..32767 = 0", "field z: 1 to 100 of 0..3 = [0]"] {
        assert_eq!(faults_beside(&with_roll(head), &[]), [], "{head}");
    }
}

#[test]
fn a_die_has_a_hundred_faces_and_sixteen_symbols_at_most() {
    let faces = "a die has 1 to 100 faces, each at least once";
    let known = [
        ("die fist: hit 60, miss 41", faces),
        ("die fist: hit 0, miss 6", faces),
        (
            "die fist: s1, s2, s3, s4, s5, s6, s7, s8, s9, t1, t2, t3, t4, t5, t6, t7, t8",
            "a die has at most 16 symbols",
        ),
    ];
    let game = |head: &str, symbol: &str| {
        format!("game \"m\"\n{head}\naction a:\n    t = 2 fist\n    show x = t.{symbol}\n")
    };
    for (head, problem) in known {
        let symbol = if head.contains("hit") { "hit" } else { "s1" };
        assert_only_fault(&game(head, symbol), 2, problem, "");
    }
    for head in ["die fist: hit 60, miss 40", "die fist: hit"] {
        assert_eq!(faults_beside(&game(head, "hit"), &[]), [], "{head}");
    }
}

#[test]
fn a_die_is_not_called_by_a_word_that_follows_numbers() {
    let told = faults_beside(&with_roll("die high: hit, miss"), &[]);
    let expected = (2, "`high` has a meaning behind numbers", "give the die another name");
    assert_eq!((told[0].0, told[0].1.as_str(), told[0].2.as_str()), expected);
}

/// Lines of a block with `rows` rows of `columns` cells.
fn printed(head: &str, first: &str, rows: usize, columns: usize) -> String {
    let heads: String = (1..=columns).map(|n| format!(" c{n}")).collect();
    let cells = " 1".repeat(columns);
    let rows: String = (1..=rows).map(|n| format!("    r{n}{cells}\n")).collect();
    format!("{head}:\n    {first}{heads}\n{rows}")
}

#[test]
fn data_and_tables_are_of_limited_size() {
    let data = "data have at most 1000 rows and 32 columns";
    let table = "a table has at most 64 rows and columns";
    let known = [
        (printed("data guns", "name", 1001, 1), Some(data)),
        (printed("data guns", "name", 1, 33), Some(data)),
        (printed("data guns", "name", 1000, 32), None),
        (printed("table save", "columns", 65, 1), Some(table)),
        (printed("table save", "columns", 1, 65), Some(table)),
        (printed("table save", "columns", 64, 64), None),
    ];
    for (block, problem) in known {
        let told = faults_beside(&with_roll(block.trim_end()), &[]);
        let found = told.iter().map(|(line, problem, _)| (*line, problem.as_str()));
        let expected: Vec<(usize, &str)> = problem.into_iter().map(|one| (2, one)).collect();
        assert_eq!(found.collect::<Vec<_>>(), expected, "{}", &block[..20]);
    }
}

#[test]
fn a_name_is_declared_once_and_is_no_function() {
    let clash = "cannot be declared again";
    let known = [
        ("record man:\n    field a: 0..3 = 1\nrecord man:\n    field b: 0..3 = 1", 4, clash),
        ("data guns:\n    name shots\n    lmg 3\nfield guns: 0..3 = 1", 5, clash),
        ("field größe: 0..3 = 1\nfield größe: 0..3 = 1", 3, clash),
        ("part step(n):\n    give n", 2, "`step` is a function of the language"),
        ("table length:\n    1 2\n    2 3", 2, "`length` is a function of the language"),
    ];
    for (head, line, problem) in known {
        let told = faults_beside(&with_roll(head), &[]);
        let here = |one: &&(usize, String, String)| one.0 == line && one.1.contains(problem);
        let fault = told.iter().find(here).unwrap_or_else(|| panic!("{head}: {told:?}"));
        assert_eq!(fault.2, "give it another name", "{head}");
        assert!(told.iter().all(|one| !one.1.contains("looks like")), "{told:?}");
    }
}

#[test]
fn a_plain_name_that_looks_like_a_foreign_one_is_refused_with_both_letters() {
    // The first name has the Cyrillic letter о.
    let told = faults_beside(&with_roll("field g\u{43e}: 0..3 = 1\nfield go: 0..3 = 1"), &[]);
    let problem = "`go` looks like the name `g\u{43e}`: it has U+006F where that has U+043E";
    assert!(told.iter().any(|one| one.0 == 3 && one.1 == problem), "{told:?}");
}

#[test]
fn cells_of_two_types_are_refused_and_dice_without_an_end_are_words() {
    let mixed = |cell: &str| format!("`{cell}` has another type than the other cells of `dmg`");
    // Neither is a formula of dice, nor a number that a cell holds.
    for cell in ["yes", "2d6+", "2d", "2d6x", "99999"] {
        let head = format!("data guns:\n    name dmg\n    lmg 1\n    hmg {cell}");
        let help = "numbers, words and yes/no do not mix";
        assert_only_fault(&with_roll(&head), 5, &mixed(cell), help);
    }
}

#[test]
fn a_cell_without_the_number_of_its_pattern_is_not_explained() {
    let table = |pattern: &str, cell: &str| {
        let head = format!("table crt:\n    cell {pattern} kill\n    1 {cell}\n    2 {cell}");
        with_roll(&head)
    };
    assert_only_fault(&table("#K", "K"), 4, "no `cell` line explains `K`", "`1K` is a `kill`");
    assert_only_fault(&table("#", "K"), 4, "no `cell` line explains `K`", "");
}

#[test]
fn rows_in_tens_and_ones_leave_out_what_two_dice_cannot_show() {
    let rows =
        |first: &str, next: &str| with_roll(&format!("table t:\n    {first} 1\n    {next} 2"));
    assert_eq!(faults_beside(&rows("11..16", "21..26"), &[]), []);
    let known = [
        ("11..16", "22..26", "these rows leave out 17 to 21"),
        ("1..6", "11..16", "these rows leave out 7 to 10"),
        ("11..16", "18..20", "these rows leave out 17"),
        ("11..17", "21..26", "these rows leave out 18 to 20"),
        ("71..76", "81..86", "these rows leave out 77 to 80"),
        ("..2", "4", "these rows leave out 3"),
        ("..2", "5..", "these rows leave out 3 to 4"),
        ("2", "5..", "these rows leave out 3 to 4"),
    ];
    for (first, next, problem) in known {
        let told = faults_beside(&rows(first, next), &[]);
        assert_eq!((told.len(), told[0].1.as_str()), (1, problem), "{first} {next}");
    }
}

#[test]
fn a_rulebook_has_an_action() {
    let help = "add `action NAME:` with a rule and a `show`";
    assert_only_fault("field n: 1..3 = 1\n", 1, "there is no `action` in this rulebook", help);
    // Of a text that cannot be read it is unknown.
    let told = faults_beside("field n: 1..3 = 1\nactoin a:\n    x = d6\n    show x\n", &[]);
    assert!(told.iter().all(|one| !one.1.contains("there is no `action`")), "{told:?}");
}

#[test]
fn a_die_of_a_field_is_one_of_its_steps() {
    let text = "field skill: die d4..d12 by 4 = d8\naction a:\n    x = d(skill)\n    show x\n";
    let book = rulebook(text);
    let action = book.system.action("a").expect("it is there");
    for (sides, is_one) in [(4, true), (5, false), (6, false), (8, true), (12, true), (16, false)] {
        let contest = parse_contest(action, &format!("skill = 'd{sides}'"));
        assert_eq!(contest.is_ok(), is_one, "{sides}");
    }
}

/// Beside a row `else` keys may lie a thousand apart: what a pool may show at most counts.
#[test]
fn a_pool_is_no_wider_than_its_dice_beside_a_row_else() {
    let looked_up = |pool: &str| {
        format!(
            "game \"m\"\ntable t:\n    1..500 1\n    501..5000 2\n    else 0\naction a:\n    k = {pool}\n    \
             x = t(k)\n    show x\n"
        )
    };
    // Forty dice, each with three further ones, show 960, and the fifteen that are kept 90.
    for near in ["40d6 again on 6 up to 3", "20d6 low 15"] {
        assert_eq!(faults_beside(&looked_up(near), &[]), [], "{near}");
    }
    let problem = "the keys of `t` are too far apart for `else`";
    assert_only_fault(
        &looked_up("44d6 again on 6 up to 3"),
        8,
        problem,
        "bound the key: `n at most 100`",
    );
}
