//! Which numbers a contest reads, for a search that varies these and leaves the others alone.

use enfilade_model::form::Value;
use enfilade_rules::Rulebook;

use super::dice_and_their_states::{form, rulebook};

/// A rule with numbers of every kind.
const KINDS: &str = "game \"m\"
data guns:
    name   shots  power
    rifle  1      2
    mg     3      5
    bow    1      1
table hits:
    columns  1  2  3
    1        4  5  6
    2        2  3  4
record unit:
    field gun: one of guns = mg
field target: 1 to 3 of unit
field gun: one of guns = rifle
field row: 1..2 = 2
field column: 1..3 = 3
field veteran: yes/no = no
field bonus: 0..9 = 1
field sizes: 1 to 3 of 1..6 = [2]
action a:
    x = d6 + gun.shots + hits(row, column) + sizes[1] + sum(u.gun.shots for u in target)
    if veteran: x += bonus
    show x
";

/// Returns whether a contest of the action `a` reads each of the numbers, named by their paths.
fn reads(book: &Rulebook, contest: &str, numbers: &[&str]) -> Vec<bool> {
    let keys = |path: &&str| path.split('.').map(str::to_owned).collect();
    let numbers: Vec<Vec<String>> = numbers.iter().map(keys).collect();
    let probe = book.system.action("a").expect("it is there").probe.as_ref().expect("it is text");
    probe.find_contest_reads(&numbers)(&form(book, contest)).expect("a contest")
}

#[test]
fn a_field_is_read_where_the_rule_comes_to_it() {
    let book = rulebook(KINDS);
    let target = "[[target]]\n";
    assert_eq!(reads(&book, target, &["row", "bonus"]), [true, false]);
    let veteran = format!("veteran = true\n{target}");
    assert_eq!(reads(&book, &veteran, &["row", "bonus"]), [true, true]);
    // Whatever is in a list may be read.
    assert_eq!(reads(&book, target, &["sizes"]), [true]);
}

/// A default may be computed from any field, so that every number counts as read with it.
#[test]
fn all_fields_are_read_where_a_default_computes_what_the_rule_uses() {
    let reads_beside = |used: &str| {
        let book = rulebook(&format!(
            "game \"m\"\nfield n: 1..6 = 2\nfield other: 1..6 = 2\nfield twice: 1..99 = n * 2\nfield veteran: yes/no = no\naction a:\n    x = d6 + {used}\n    if veteran: x += other\n    show x\n"
        ));
        reads(&book, "", &["n", "other"])
    };
    assert_eq!(reads_beside("twice"), [true, true]);
    assert_eq!(reads_beside("n"), [true, false]);
}

/// A check reads what it names, and whatever a part or a computed default may read.
#[test]
fn a_check_reads_what_it_names() {
    let check = |check: &str, defaults: &str| {
        let book = rulebook(&format!(
            "game \"m\"\npart more(k): give k + 1\nfield n: 1..6 = 2\nfield other: 1..6 = {defaults}\naction a:\n    {check}\n    x = d6 + n + other\n    show x\n"
        ));
        let action = book.system.action("a").expect("it is there");
        let probe = action.probe.as_ref().expect("it is text");
        let numbers = ["n", "other"].map(|name| vec![name.to_owned()]);
        (probe.has_checks(), probe.find_check_reads(&numbers))
    };
    assert_eq!(check("remark \"a remark\"", "3"), (false, vec![false, false]));
    assert_eq!(check("check n < 6 \"too many\"", "3"), (true, vec![true, false]));
    assert_eq!(check("check other < 6 \"too many\"", "3"), (true, vec![false, true]));
    assert_eq!(check("check more(n) < 6 \"too many\"", "3"), (true, vec![true, true]));
    assert_eq!(check("check other < 6 \"too many\"", "n + 1"), (true, vec![true, true]));
}

#[test]
fn a_changed_cell_of_a_table_is_read_where_the_rule_looks_it_up() {
    let book = rulebook(KINDS);
    let cells = ["change.hits.1.1", "change.hits.1.3", "change.hits.2.1", "change.hits.2.3"];
    let changes = "[change.hits]\n1.1 = 4\n1.3 = 6\n2.1 = 2\n2.3 = 4\n[[target]]\n";
    assert_eq!(reads(&book, changes, &cells), [false, false, false, true]);
    let other = format!("row = 1\ncolumn = 1\n{changes}");
    assert_eq!(reads(&book, &other, &cells), [true, false, false, false]);
}

#[test]
fn a_cell_of_data_is_read_where_its_row_is_used() {
    let book = rulebook(KINDS);
    let cells = ["change.guns.rifle.shots", "change.guns.mg.shots", "change.guns.bow.shots"];
    // The gun of the action is a rifle, that of the target is in a list.
    assert_eq!(reads(&book, "[[target]]\n", &cells), [true, true, false]);
    let bow = "gun = 'bow'\n[[target]]\ngun = 'bow'\n";
    assert_eq!(reads(&book, bow, &cells), [false, false, true]);
    // No line reads the power of a gun.
    assert_eq!(reads(&book, "[[target]]\n", &["change.guns.mg.power"]), [false]);
}

#[test]
fn a_printed_number_is_found_by_its_keys() {
    let book = rulebook(KINDS);
    let probe = book.system.action("a").expect("it is there").probe.as_ref().expect("it is text");
    for (path, printed) in [
        (&["hits", "1", "3"][..], Some(6)),
        (&["hits", "2", "1"], Some(2)),
        (&["hits", "2"], None),
        (&["hits", "3", "1"], None),
        (&["guns", "mg", "power"], Some(5)),
        (&["guns", "bow", "shots"], Some(1)),
        (&["guns", "cannon", "shots"], None),
        (&["row", "1"], None),
    ] {
        assert_eq!(probe.printed_value_at(path), printed.map(Value::Int), "{path:?}");
    }
}
