//! Declarations that are seldom written so: what each is refused for, or remarked on, in words.

use enfilade_model::error::InputError;
use enfilade_rules::read_without_built_in_base;

/// Problems and helps of a text: its faults, or its remarks where it has none.
fn told(text: &str) -> Vec<(String, String)> {
    let none = |_: &str| Err("there are no files here".to_owned());
    let found = match read_without_built_in_base("m", "m.rules", text, &none) {
        Ok(book) => book.warnings,
        Err(InputError { faults, .. }) => faults,
    };
    let told = found.into_iter().map(|found| {
        let help = found.fault.help.unwrap_or_default();
        (found.fault.problem.to_string(), help.to_string())
    });
    told.collect()
}

fn problems(text: &str) -> Vec<String> {
    told(text).into_iter().map(|(problem, _)| problem).collect()
}

#[test]
fn a_default_fits_the_number_of_its_values() {
    let record = "record unit:\n    field men: 1..4 = 2\n";
    for (field, read, problem) in [
        ("field n: 3 of 1..6 = 4", "n[1]", "expected a list of 3, such as `[1, 2]`"),
        ("field n: 3 of 1..6 = [1, 2]", "n[1]", "the list has 3 to 3 places, not 2"),
        ("field n: 2 to 3 of 1..6 = [1, 2, 3, 4]", "n[1]", "the list has 2 to 3 places, not 4"),
        ("field n: 3 of 1..6 = []", "n[1]", "the list has 3 to 3 places, not 0"),
        ("field n: 1..6 = [1]", "n", "a list cannot be used here"),
        (
            "field n: 1 to 3 of unit = 4",
            "sum(u.men for u in n)",
            "a list of records begins empty: `= []`",
        ),
    ] {
        let text = format!("{record}{field}\naction a:\n    x = d6 + {read}\n    show x\n");
        assert!(problems(&text).contains(&problem.to_owned()), "{field}: {:?}", problems(&text));
    }
    let empty = format!(
        "{record}field n: 1 to 3 of unit = []\naction a:\n    x = d6 + sum(u.men for u in n)\n    \
         show x\n"
    );
    assert_eq!(problems(&empty), Vec::<String>::new());
}

/// Rows that are too many are told once, whatever is wrong within them.
#[test]
fn data_that_are_too_large_are_told_once() {
    let rows: String = (0..1001).map(|at| format!("    gun{at}\n")).collect();
    let text = format!(
        "data guns:\n    name shots\n{rows}field gun: one of guns = gun1\naction a:\n    x = d6\n    \
         show x\n"
    );
    let found = problems(&text);
    assert!(found.contains(&"data have at most 1000 rows and 32 columns".to_owned()), "{found:?}");
    assert!(found.iter().all(|problem| !problem.contains("gun7")), "{found:?}");
}

#[test]
fn a_lost_change_is_told_with_the_head_that_keeps_it() {
    let text = "part hurt(changes a, b, c):\n    a -= c\n    b = a\naction a:\n    x = d6\n    \
                y = d6\n    hurt(x, y, 1)\n    show all = x + y\n";
    let told = told(text);
    let (problem, help) = told.first().expect("the change of b is lost");
    assert_eq!(problem, "changing `b` has no effect: `hurt` changes a copy");
    assert_eq!(help, "write `part hurt(changes a, changes b, c):`");
}

#[test]
fn a_sum_that_is_tested_is_remarked_on_where_each_die_could_pass() {
    let rule = |field: &str, own: &str, test: &str| {
        format!("{field}action a:\n{own}    x = d8\n    hit = {test}\n    show hit\n    show x\n")
    };
    let own = "    field need: 1..4 = 3 \"needed\"\n";
    for (field, own, test, remarked) in [
        ("", own, "3d6 >= need", true),
        // The field of the action, not that of the same name at the top, is the bound.
        ("field need: 1..99 = 3\n", own, "3d6 >= need", true),
        ("field need: 1..4 = 3\n", "", "3d6 >= need", true),
        ("field need: 1..99 = 3\n", "", "3d6 >= need", false),
        ("", "", "3d6 >= 4", true),
        ("", "", "(3d6) >= 4", false),
        ("", "", "d6 >= 4", false),
        // Tens and units are no sum, and of several dice only the best counts.
        ("", "", "d66 >= 35", false),
        ("", "", "2d66 >= 35", false),
        ("", "", "3d6 high 1 >= 4", false),
    ] {
        let text = rule(field, own, test);
        let sums: Vec<_> =
            problems(&text).into_iter().filter(|one| one.contains("the sum of the dice")).collect();
        let expected = remarked.then(|| format!("`{test}` tests the sum of the dice"));
        assert_eq!(sums, Vec::from_iter(expected), "{text}");
    }
}

#[test]
fn a_remark_without_a_condition_and_data_without_rows_are_in_order() {
    let text = "field n: 1..6 = 2\nremark \"The wind is left out: {n}.\"\naction a:\n    \
                x = d6 + n\n    show x\n";
    assert_eq!(problems(text), Vec::<String>::new());
    // Every contest writes a gun of its own.
    let text = "data guns:\n    name shots\nfield gun: one of guns\naction a:\n    \
                x = d6 + (gun.shots if given(gun.shots) else 1)\n    show x\n";
    assert_eq!(problems(text), Vec::<String>::new());
}

#[test]
fn records_are_nested_only_so_deep() {
    let nested = |depth: usize| {
        let records: String = (1..=depth)
            .map(|at| format!("record r{at}:\n    field inner: r{}\n", at - 1))
            .collect();
        let path = ".inner".repeat(depth);
        format!(
            "record r0:\n    field men: 1..4 = 2\n{records}field top: r{depth}\naction a:\n    \
             x = d6 + top{path}.men\n    show x\n"
        )
    };
    // The innermost record is one more.
    assert_eq!(problems(&nested(8)), Vec::<String>::new());
    assert_eq!(problems(&nested(9)), ["records may be at most 9 deep"]);
}

#[test]
fn a_check_for_each_item_names_a_list() {
    let text = "record unit:\n    field men: 1..4 = 2\nfield one: unit\nfield all: 1 to 3 of unit\n\
                check u.men > 0 for u in one \"no\"\naction a:\n    \
                x = d6 + one.men + sum(u.men for u in all)\n    show x\n";
    let problem = "`for` of a check needs a list of the contest".to_owned();
    assert!(problems(text).contains(&problem), "{:?}", problems(text));
    assert_eq!(problems(&text.replace("in one", "in all")), Vec::<String>::new());
}

/// The condition of a part is tested before anything is rolled.
#[test]
fn a_check_of_a_part_sees_no_variable_of_the_rule() {
    for check in ["fp > 1 \"only {x}\"", "x > 1 \"only {fp}\"", "fp > 1 \"only {k}\""] {
        let text = format!(
            "field fp: 1..6 = 2\npart p(k):\n    check {check}\n    give k + fp\naction a:\n    \
             x = d6\n    x += p(x)\n    show x\n"
        );
        let name = if check.contains('k') { "k" } else { "x" };
        assert_eq!(problems(&text), [format!("there is no `{name}` here")], "{check}");
    }
}

#[test]
fn a_line_of_prices_names_the_line_that_it_needs() {
    let text = "data guns:\n    name shots\n    rifle 1\nfield gun: one of guns = rifle\nrecord unit:\n    \
                field men: 1..4 = 2\nfield target: 1 to 3 of unit\naction a:\n    \
                x = d6 + gun.shots + sum(u.men for u in target)\n    shaken = d6 > 3\n    show x\n    \
                show shaken\nprice:\n    attack a\n    weapon gun\n    target target\n    losses x\n";
    assert_eq!(problems(text), Vec::<String>::new());
    let problem = "`price` has a line `nerve` and no line `morale`".to_owned();
    let expected = [(problem, "add a line `morale NAME`".to_owned())];
    assert_eq!(told(&format!("{text}    nerve shaken\n")), expected);
}

/// Rows of one other length have the wrong heads; of rows that differ each is wrong.
#[test]
fn each_row_of_its_own_length_is_told() {
    let text = |first: &str, second: &str| {
        format!(
            "data guns:\n    name shots cost\n    rifle {first}\n    mg {second}\n\
             field gun: one of guns = rifle\naction a:\n    x = d6 + gun.shots + gun.cost\n    show x\n"
        )
    };
    let row = |cells: &str| format!("this row has {cells}, and there are 2 columns");
    assert_eq!(problems(&text("1", "1 2 3")), [row("1 cell"), row("3 cells")]);
    assert_eq!(problems(&text("1", "2")), ["2 columns here, and each row below has 1"]);
}
