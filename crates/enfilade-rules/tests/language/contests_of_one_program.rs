//! Contests of one action that differ in many numbers, more than a program loads, and caches that
//! are full: each contest is played with its own numbers.

use std::sync::Arc;

use enfilade_model::catalogue::RulebookAction;
use enfilade_rules::Rulebook;
use enfilade_testkit::test_contests::{count_graph_size, parse_contest, play_contest};

use super::dice_and_their_states::rulebook;

fn action(book: &Rulebook) -> &Arc<RulebookAction> {
    book.system.action("a").expect("it is there")
}

fn played(book: &Rulebook, contest: &str, faces: &[u8]) -> Vec<i32> {
    let contest = parse_contest(action(book), contest);
    play_contest(&contest.unwrap_or_else(|faults| panic!("{faults:?}")), faces)
}

/// A rule that adds seventy fields and two cells of data.
fn seventy_fields() -> String {
    let fields: String = (1..=70).map(|at| format!("field f{at}: 0..9 = 0\n")).collect();
    let sum = |from: usize| (from..from + 35).map(|at| format!("f{at}")).collect::<Vec<_>>();
    let (low, high) = (sum(1).join(" + "), sum(36).join(" + "));
    format!(
        "data guns:\n    name shots power\n    rifle 1 2\n    mg 3 5\n{fields}\
         field gun: one of guns = rifle\naction a:\n    x = d6\n    low = {low}\n    \
         high = {high}\n    show all = x + low + high + gun.shots * 100 + gun.power * 1000\n"
    )
}

#[test]
fn a_contest_may_have_more_numbers_than_a_program_loads() {
    let book = rulebook(&seventy_fields());
    let contest = |first: i32, last: i32, gun: &str| {
        let given: String = (2..70).map(|at| format!("f{at} = 1\n")).collect();
        format!("f1 = {first}\nf70 = {last}\n{given}gun = {gun}\n")
    };
    // 68 fields are 1; a rifle counts 100 and 2 000, a machine gun 300 and 5 000.
    for (first, last, gun, expected) in [
        (0, 0, "'rifle'", 2168),
        (4, 0, "'rifle'", 2172),
        (4, 7, "'rifle'", 2179),
        (5, 9, "'rifle'", 2182),
        (5, 9, "'mg'", 5382),
        (5, 8, "{ name = 'mg', shots = 4 }", 5481),
        (0, 0, "{ name = 'mg', power = 7, shots = 1 }", 7168),
    ] {
        let faces_and_sum = [1, 6].map(|face| (face, vec![expected + i32::from(face)]));
        for (face, sum) in faces_and_sum {
            assert_eq!(played(&book, &contest(first, last, gun), &[face]), sum, "{first} {last}");
        }
    }
}

#[test]
fn a_contest_may_change_more_cells_than_a_program_loads() {
    let columns: String = (1..=8).map(|at| format!(" {at}")).collect();
    let rows: String = (1..=9).map(|at| format!("    {at}{}\n", " 2".repeat(8))).collect();
    let book = rulebook(&format!(
        "table hits:\n    columns{columns}\n{rows}field n: 1..9 = 1\nfield m: 1..8 = 1\n\
         action a:\n    x = d6\n    show all = x + 10 * hits(n, m)\n"
    ));
    // Seventy-two cells are changed, each to row + column and one more or less.
    let contest = |n: i32, m: i32, more: i32| {
        let cells = (1..=9).flat_map(|row| (1..=8).map(move |column| (row, column)));
        let cells: String = cells
            .map(|(row, column)| format!("{row}.{column} = {}\n", row + column + more))
            .collect();
        format!("n = {n}\nm = {m}\n[change.hits]\n{cells}")
    };
    for (n, m, more) in [(1, 1, 0), (1, 1, 1), (9, 8, 1), (9, 8, 2), (4, 5, 0)] {
        let expected = 3 + 10 * (n + m + more);
        assert_eq!(played(&book, &contest(n, m, more), &[3]), [expected], "{n} {m} {more}");
    }
    assert_eq!(played(&book, "n = 9\nm = 8", &[3]), [23]);
}

#[test]
fn contests_that_differ_in_one_of_many_changed_cells_are_played_with_their_own() {
    let columns: String = (1..=8).map(|at| format!(" {at}")).collect();
    let rows: String = (1..=9).map(|at| format!("    {at}{}\n", " 2".repeat(8))).collect();
    let book = rulebook(&format!(
        "table hits:\n    columns{columns}\n{rows}action a:\n    x = d6\n    \
         show all = x + hits(1, 1) + 10 * hits(5, 4) + 100 * hits(9, 8)\n"
    ));
    for (first, middle, last) in
        [(3, 3, 3), (4, 3, 3), (5, 3, 3), (5, 4, 3), (5, 5, 3), (5, 6, 3), (5, 6, 4), (5, 6, 5)]
    {
        let number = |row: i32, column: i32| match (row, column) {
            (1, 1) => first,
            (5, 4) => middle,
            (9, 8) => last,
            _ => 3,
        };
        let cells = (1..=9).flat_map(|row| (1..=8).map(move |column| (row, column)));
        let cells: String = cells
            .map(|(row, column)| format!("{row}.{column} = {}\n", number(row, column)))
            .collect();
        let expected = 6 + first + 10 * middle + 100 * last;
        assert_eq!(played(&book, &format!("[change.hits]\n{cells}"), &[6]), [expected]);
    }
}

/// A program is compiled for a range of numbers, and a contest may give a cell one below all that
/// are printed.
#[test]
fn a_cell_below_all_printed_numbers_is_below_them_in_the_rule() {
    let book = rulebook(
        "data guns:\n    name power\n    rifle 2\n    mg 5\ntable bonus:\n    close 3\n    far 1\n\
         field reach: close or far = far\nfield gun: one of guns = rifle\naction a:\n    x = d6\n    \
         if gun.power < 0: x += 10\n    if bonus(reach) < 0: x += 100\n    show x\n",
    );
    for (power, bonus, expected) in [(2, 1, 1), (-1, 1, 11), (-2, 1, 11), (-3, 1, 11), (3, 1, 1)] {
        let contest =
            format!("gun = {{ name = 'rifle', power = {power} }}\n[change.bonus]\nfar = {bonus}\n");
        assert_eq!(played(&book, &contest, &[1]), [expected], "{power}");
    }
    for (bonus, expected) in [(0, 1), (-1, 101), (-2, 101), (-3, 101), (2, 1)] {
        let contest = format!("[change.bonus]\nfar = {bonus}\n");
        assert_eq!(played(&book, &contest, &[1]), [expected], "{bonus}");
    }
}

/// Programs are compiled up to a power of two less one, which is the highest number printed here.
#[test]
fn the_highest_printed_number_is_one_that_the_rule_may_meet() {
    let book = rulebook(
        "data guns:\n    name power\n    rifle 2\n    mg 7\ntable bonus:\n    close 7\n    far 1\n\
         field reach: close or far = far\nfield gun: one of guns = rifle\naction a:\n    x = d6\n    \
         if gun.power > 6: x += 10\n    if bonus(reach) > 6: x += 100\n    show x\n",
    );
    for (power, bonus) in [(2, 1), (3, 2), (7, 1), (2, 7), (7, 7), (6, 6)] {
        let contest =
            format!("gun = {{ name = 'rifle', power = {power} }}\n[change.bonus]\nfar = {bonus}\n");
        let expected = 1 + 10 * i32::from(power == 7) + 100 * i32::from(bonus == 7);
        assert_eq!(played(&book, &contest, &[1]), [expected], "{power} {bonus}");
    }
}

/// A die is rolled out in the code, so contests with other dice share nothing.
#[test]
fn programs_of_other_dice_are_kept_until_there_are_too_many() {
    let dice = "field first: die = d2\nfield second: die = d2\n";
    let book = rulebook(&format!("{dice}action a:\n    x = d(first) + d(second)\n    show x\n"));
    let mut contests = 0;
    for (first, second) in (2..=18).flat_map(|first| (2..=18).map(move |second| (first, second))) {
        let contest = format!("first = 'd{first}'\nsecond = 'd{second}'");
        assert_eq!(played(&book, &contest, &[1, 2]), [3], "{contest}");
        contests += 1;
        let kept = book.compiled_program_count();
        assert!(kept <= 256 && (kept == contests || contests > 256), "{kept} of {contests}");
    }
}

/// The number of dice is part of the code, whatever the die; what is added to them never is.
#[test]
fn what_shapes_the_code_of_one_die_keeps_no_other_number_from_being_loaded() {
    let book = rulebook(
        "field n: 1..9 = 1\nfield more: 0..9 = 0\nfield side: die = d6\naction a:\n    \
         x = n d(side) + more\n    show x\n",
    );
    for (sides, n, more, programs) in [
        (6, 1, 1, 1),
        (6, 2, 1, 1),
        (6, 3, 1, 2),
        (8, 2, 1, 3),
        (8, 2, 2, 3),
        (8, 2, 3, 3),
        (8, 2, 4, 3),
    ] {
        let contest = format!("n = {n}\nmore = {more}\nside = 'd{sides}'");
        assert_eq!(played(&book, &contest, &vec![2; n]), [2 * n as i32 + more], "{contest}");
        assert_eq!(book.compiled_program_count(), programs, "{contest}");
    }
}

#[test]
fn a_full_cache_of_programs_is_emptied() {
    // The dice of a pool and its sides are part of the code: each pair has its own program.
    let book =
        rulebook("field n: 1..48 = 1\nfield m: 2..60 = 2\naction a:\n    x = n d(m)\n    show x\n");
    let mut most = 0;
    for (n, m) in (1..=36).flat_map(|n| (2..=60).map(move |m| (n, m))) {
        let contest = parse_contest(action(&book), &format!("n = {n}\nm = {m}"));
        let contest = contest.expect("a contest");
        most = book.compiled_program_count().max(most);
        if m == 60 {
            let faces = vec![60; n];
            assert_eq!(play_contest(&contest, &faces), [60 * n as i32], "{n}");
        }
    }
    // 36 times 59 are 2 124 contests.
    assert!(most <= 2048 && book.compiled_program_count() < 2048, "{most}");
}

#[test]
fn contests_of_one_band_share_their_structure_however_many_there_are() {
    let book = rulebook(
        "field n: 1..3000 = 1\nfield far: 1..3000 = 1\naction a:\n    need = 3\n    \
         if far > 100: need = 5\n    x = d6\n    show x = (1 if x >= need else 0) + n\n",
    );
    let contest = |n: usize, far: usize| {
        let contest = parse_contest(action(&book), &format!("n = {n}\nfar = {far}"));
        contest.expect("a contest")
    };
    let slot = |contest: &enfilade_model::catalogue::Contest| {
        Arc::clone(contest.combat.structure_cache_slot().expect("no player decides"))
    };
    let warm: Vec<_> = (1..=3).map(|n| contest(n, n)).collect();
    let near = slot(&contest(7, 20));
    let first = slot(&contest(7, 200));
    // More than a thousand others, none of which is kept.
    for n in 100..1300 {
        assert!(!Arc::ptr_eq(&slot(&contest(n, 200)), &first), "{n}");
    }
    // Those in use were kept: the next contest of the band shares them.
    assert!(Arc::ptr_eq(&slot(&contest(7, 300)), &first));
    assert!(Arc::ptr_eq(&slot(&contest(7, 30)), &near));
    assert!(!Arc::ptr_eq(&near, &first));
    drop(warm);
    assert_eq!(play_contest(&contest(1200, 200), &[5]), [1201]);
    assert_eq!(play_contest(&contest(1200, 200), &[4]), [1200]);
}

/// A value that a part derives from a number may have none: the rule fails where it reads it, and
/// only there.
#[test]
fn a_derived_value_that_does_not_exist_is_a_fault_where_it_is_read() {
    let book = rulebook(
        "field n: 1..6 = 1\npart share(k):\n    give 12 / (k - 3)\naction a:\n    x = n d6\n    \
         if x > 5: x = share(n)\n    show x\n",
    );
    let faces = |n: usize, face: u8| vec![face; n];
    for (n, share) in [(1, -6), (2, -12), (4, 12), (5, 6), (6, 4), (2, -12), (1, -6)] {
        assert_eq!(played(&book, &format!("n = {n}"), &faces(n, 6)), [share], "{n}");
    }
    let contest = parse_contest(action(&book), "n = 3").expect("it may do without");
    assert_eq!(play_contest(&contest, &[1, 1, 1]), [3]);
    assert!(contest.combat.recorded_rule_fault().is_none());
    play_contest(&contest, &[2, 2, 2]);
    let fault = contest.combat.recorded_rule_fault().expect("12 / 0").fault;
    assert!(fault.problem.contains("divi"), "{fault:?}");
    assert_eq!(played(&book, "n = 4", &faces(4, 6)), [12]);
}

/// Only large graphs are not worth the search for others like them.
#[test]
fn contests_whose_graphs_are_small_go_on_sharing_a_program() {
    let book = rulebook(
        "field n: 1..99 = 1\nfield far: 1..99 = 1\naction a:\n    need = 3\n    \
         if far > 10: need = 5\n    x = d6\n    show x = (1 if x >= need else 0) + n\n",
    );
    let solved = |(n, far): (usize, usize)| {
        let contest = parse_contest(action(&book), &format!("n = {n}\nfar = {far}"));
        let contest = contest.expect("a contest");
        assert!(count_graph_size(&contest.combat).0 <= 7);
        contest
    };
    // A structure is shared with contests that are in use.
    let contests: Vec<_> = [(1, 1), (2, 2), (3, 3), (7, 5), (7, 6)].map(solved).into();
    let slot = |at: usize| contests[at].combat.structure_cache_slot().expect("no player decides");
    assert!(Arc::ptr_eq(slot(3), slot(4)));
}

#[test]
fn guns_without_a_name_are_played_with_their_own_cells() {
    let book = rulebook(
        "data guns:\n    name shots power\n    rifle 1 2\n    mg 3 5\nfield gun: one of guns = rifle\n\
         field n: 1..9 = 1\naction a:\n    x = d6 + 10 * gun.shots + 100 * gun.power + 1000 * n\n    \
         show x\n",
    );
    for (contest, expected) in [
        ("", 1213),
        ("gun = { shots = 4, power = 6 }", 1643),
        ("gun = { shots = 5, power = 7 }", 1753),
        ("n = 3\ngun = { shots = 5, power = 7 }", 3753),
        ("n = 3\ngun = \"mg\"", 3533),
    ] {
        assert_eq!(played(&book, contest, &[3]), [expected], "{contest}");
    }
}

/// Sixty values are derived from one number, more than are kept beside it.
#[test]
fn a_rule_may_derive_more_values_than_are_kept() {
    let calls: String = (1..=60).map(|at| format!("    x{at} = p(n, {at})\n")).collect();
    let sum = |from: usize| (from..from + 30).map(|at| format!("x{at}")).collect::<Vec<_>>();
    let (low, high) = (sum(1).join(" + "), sum(31).join(" + "));
    let book = rulebook(&format!(
        "field n: 1..9 = 1\npart p(k, j):\n    m = k * k + j\n    give m * 3 + k\naction a:\n    \
         x = d6\n{calls}    low = {low}\n    high = {high}\n    show all = x + low + high\n"
    ));
    for n in [1, 2, 3, 4, 2] {
        let expected: i32 = (1..=60).map(|j| (n * n + j) * 3 + n).sum();
        assert_eq!(played(&book, &format!("n = {n}"), &[2]), [expected + 2], "{n}");
    }
}

/// The contest has a program of its own, and leaves alone the one that the others share.
#[test]
fn a_contest_without_a_derived_value_does_not_take_the_place_of_others() {
    let book = rulebook(
        "field n: 0..9 = 1\nfield m: 0..9 = 1\npart share(k, j):\n    i = 12 / k\n    \
         if i > j: give i\n    give j * 2\naction a:\n    x = d6\n    if x > 3: x += share(n, m)\n    \
         show x\n",
    );
    let contest = |n: i32, m: i32| format!("n = {n}\nm = {m}");
    let share = |n: i32, m: i32| if 12 / n > m { 12 / n } else { 2 * m };
    for (n, m) in [(1, 1), (2, 1), (1, 3), (6, 5)] {
        assert_eq!(played(&book, &contest(n, m), &[6]), [6 + share(n, m)], "{n} {m}");
    }
    let before = book.compiled_program_count();
    assert_eq!(played(&book, &contest(0, 2), &[3]), [3]);
    let missing = parse_contest(action(&book), &contest(0, 2)).expect("a contest");
    play_contest(&missing, &[6]);
    let fault = missing.combat.recorded_rule_fault().expect("12 / 0").fault;
    assert_eq!(fault.problem, "nothing can be divided by 0");
    assert_eq!(book.compiled_program_count(), before);
    for (n, m) in [(3, 3), (3, 5), (9, 1)] {
        assert_eq!(played(&book, &contest(n, m), &[6]), [6 + share(n, m)], "{n} {m}");
    }
    assert_eq!(book.compiled_program_count(), before);
}
