//! Rules that are in order where the file is read, and go wrong in some contests: what is told.

use super::settled_rules::{law, mishap};

const LISTS: &str = "field n: 1..5 = 2\naction a:\n    xs = 3 of 1\n";

#[test]
fn a_list_of_another_length_is_told_with_both_lengths() {
    let rule =
        format!("{LISTS}    xs = n of 4\n    x = d2 * (xs[1] + xs[2] + xs[3])\n    show x\n");
    let told = mishap(&rule, "n = 2");
    assert!(told.contains("this has 2 places and `xs` 3"), "{told}");
    // Three places of four each, once or twice.
    assert_eq!(law(&rule, "n = 3"), [(vec![12], 0.5), (vec![24], 0.5)]);
}

#[test]
fn no_roll_decides_how_long_a_list_is_or_how_many_places_are_kept() {
    let length = "action a:\n    k = 1 + d2\n    xs = k of 4\n    x = xs[1]\n    show x\n";
    let told = mishap(length, "");
    assert!(told.contains("how long a list is must be known before the first die"), "{told}");
    let again = format!("{LISTS}    k = n + d2\n    xs = k of 4\n    x = xs[1]\n    show x\n");
    let told = mishap(&again, "");
    assert!(told.contains("how long a list is must be known before the first die"), "{told}");
    let kept = "action a:\n    k = d2\n    xs = [3, d4, 2]\n    x = xs high k\n    show x\n";
    let told = mishap(kept, "");
    assert!(told.contains("the number of places kept must not depend on a roll"), "{told}");
}

/// A copy of a list of the contest has as many places as the contest gives it.
#[test]
fn a_list_of_the_contest_is_copied_to_change_it() {
    let rule = "field shots: 1 to 3 of 1..6 = [2]\naction a:\n    xs = shots\n    xs[1] += d2\n    \
                x = 100 * length(xs) + 10 * xs[1] + sum(one for one in shots)\n    show x\n";
    assert_eq!(law(rule, ""), [(vec![132], 0.5), (vec![142], 0.5)]);
    assert_eq!(law(rule, "shots = [4, 3]"), [(vec![257], 0.5), (vec![267], 0.5)]);
    let told = mishap(&rule.replace("xs[1] += d2", "xs[2] = d2"), "shots = [4]");
    assert!(told.contains("the list has places 1 to 1, not 2"), "{told}");
}

/// What a file keeps is told by each contest, so that its check takes no number for granted.
#[test]
fn a_contest_tells_how_many_places_are_kept() {
    let rule =
        "field k: 1..2 = 2\naction a:\n    x = [6, 6] high k\n    y = d(x - 6)\n    show y\n";
    // Both places are 12, and one leaves no die.
    let law_of_die: Vec<_> = (1..=6).map(|face| (vec![face], 1.0 / 6.0)).collect();
    assert_eq!(law(rule, "k = 2"), law_of_die);
    let told = mishap(rule, "k = 1");
    assert!(told.contains("a die has 1 to 100 sides, not 0"), "{told}");
}

/// Beside a row `else` only printed heads of the columns are found.
#[test]
fn a_head_that_is_not_printed_is_told_where_it_is_rolled() {
    let rule = "table crt:\n    columns 1 2\n    1 2 7\n    else 0 1\naction a:\n    k = d6 + 40\n    \
                x = crt(1, k)\n    show x\n";
    let told = mishap(rule, "");
    assert!(told.contains("the table has no key 41"), "{told}");
}

#[test]
fn a_rest_is_of_a_divisor_of_1_or_more() {
    let rolled = "action a:\n    taken = d4 - 1\n    x = rest(7, taken)\n    show x\n";
    let told = mishap(rolled, "");
    assert!(told.contains("`rest` takes by 1 or more"), "{told}");
    let set = "field n: 0..5 = 0\naction a:\n    x = rest(6 + d2, n)\n    show x\n";
    let told = mishap(set, "n = 0");
    assert!(told.contains("`rest` takes by 1 or more"), "{told}");
    // 7 and 8 by 5 leave 2 and 3.
    assert_eq!(law(set, "n = 5"), [(vec![2], 0.5), (vec![3], 0.5)]);
}

/// The lowest row begins at 2, and 1 is below it.
#[test]
fn a_number_below_all_heads_is_no_key_where_only_printed_ones_are() {
    let rule = |more: &str, sides: u8| {
        format!(
            "table crt:\n{more}    2..3 7\n    4 9\naction a:\n    k = d{sides}\n    x = crt(k)\n    show x\n"
        )
    };
    let told = mishap(&rule("    exact\n", 4), "");
    assert!(told.contains("`crt` has no such key"), "{told}");
    // With a row for all others 1 and 5 have that one.
    let other = rule("", 5).replace("    4 9\n", "    4 9\n    else 0\n");
    let found = law(&other, "");
    let expected = [(0, 0.4), (7, 0.4), (9, 0.2)];
    assert_eq!(found.len(), expected.len());
    for ((row, share), (value, known)) in found.iter().zip(expected) {
        assert_eq!(row[0], value);
        assert!((share - known).abs() < 1e-12, "{row:?}: {share}");
    }
}
