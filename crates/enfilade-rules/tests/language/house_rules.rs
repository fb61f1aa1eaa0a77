//! Extensions of a rulebook, declaration by declaration, and words of the language used as names:
//! the mean of each game is reckoned by hand.

use enfilade_model::catalogue::System;
use enfilade_model::form::{DefaultValue, FieldType};
use enfilade_rules::read_without_built_in_base;
use enfilade_testkit::counted_distribution::count_fields;
use enfilade_testkit::test_contests::parse_contest;

use super::declared_bounds::faults_beside;

/// System of a text beside some files.
fn system(text: &str, files: &[(&str, &str)]) -> System {
    let near = |name: &str| {
        let file = files.iter().find(|(known, _)| *known == name);
        file.map(|(_, text)| (*text).to_owned()).ok_or_else(|| format!("there is no {name}"))
    };
    let rulebook = read_without_built_in_base("m", "m.rules", text, &near);
    rulebook.unwrap_or_else(|error| panic!("{text}: {error:?}")).system
}

/// Mean of the show `x` of the action `a` of a text.
fn mean(text: &str, files: &[(&str, &str)], contest: &str) -> f64 {
    let system = system(text, files);
    let action = system.action("a").expect("it is there");
    let contest = parse_contest(action, contest).unwrap_or_else(|told| panic!("{text}: {told:?}"));
    count_fields(&contest.combat, &["x"]).mean_over_rows(|row| row[0])
}

const BASE: &str = "game \"Base\"\n\
    words mood: calm, cross\n\
    record man:\n    field size: 1..9 = 2\n\
    data guns:\n    name shots\n    lmg 3\n    hmg 4\n\
    table save:\n    columns open wood\n    1..3 1 2\n    4..6 3 4\n\
    table crt (1.1):\n    cell #K kill\n    cell - miss\n    1..3 -\n    4..6 1K\n\
    part twice(n):\n    give 2 * n\n\
    field who: man\n\
    field gun: one of guns = lmg\n\
    field cover: open or wood = open \"cover\"\n\
    field bonus: 0..9 = 1 \"bonus\"\n\
    field state: mood = calm\n\
    action a:\n    \
        n = 0\n    \
        match crt(4):\n        kill k: n = k\n        miss: n = 5\n    \
        x = twice(who.size) + gun.shots + save(2, cover) + bonus + n + (8 if state is cross)\n    \
        show x\n";

fn house(change: &str) -> String {
    format!("game \"House\" extends \"base.rules\"\n{change}\n")
}

#[test]
fn a_change_replaces_what_it_names_and_nothing_else() {
    // 2 * 2 + 3 + 1 + 1 + 1 = 10.
    let known = [
        ("", "", 10.0),
        ("change field bonus \"more\"", "", 10.0),
        ("change field bonus = 4", "", 13.0),
        ("change field cover: wood or open = wood", "", 11.0),
        ("change record man:\n    field size = 3", "", 12.0),
        ("change record man:\n    field rank: 0..3 = 1", "", 10.0),
        ("change record man:\n    check size < 9 \"too large\"", "", 10.0),
        ("change words mood: calm, cross, wild", "state = \"cross\"", 18.0),
        ("change words mood: wild", "state = \"wild\"", 10.0),
        ("change part twice(n):\n    give 3 * n", "", 12.0),
        ("change table save:\n    columns wood open\n    1..3 5 7", "", 16.0),
        ("change table crt (1.2):\n    4..6 3K", "", 12.0),
        ("change table crt:\n    cell #K kill\n    cell - miss\n    4..6 -", "", 14.0),
        ("change data guns:\n    name shots\n    lmg 6", "", 13.0),
    ];
    for (change, contest, expected) in known {
        let found = mean(&house(change), &[("base.rules", BASE)], contest);
        assert!((found - expected).abs() < 1e-12, "{change}: {found}, not {expected}");
    }
}

#[test]
fn labels_helps_and_references_are_changed_where_they_are_given() {
    let known = [
        ("change field bonus = 4", "bonus", "", 4),
        ("change field bonus \"more\"", "more", "", 1),
        ("change field bonus (4.2)", "bonus", "4.2", 1),
        ("change field bonus = 2 \"more\" \"of it\" (4.2)", "more", "4.2", 2),
    ];
    for (change, label, source, preset) in known {
        let system = system(&house(change), &[("base.rules", BASE)]);
        let fields = &system.action("a").expect("it is there").fields;
        let field = fields.iter().find(|field| field.name == "bonus").expect("it is a field");
        assert_eq!((&*field.label, &*field.source), (label, source), "{change}");
        assert_eq!(field.preset, DefaultValue::Int(preset), "{change}");
        assert_eq!(system.title, "House");
    }
    let unnamed = house("").replace("House", "");
    assert_eq!(system(&unnamed, &[("base.rules", BASE)]).title, "Base");
}

/// A remark of the whole game is replaced by one of the same kind, and by no other.
#[test]
fn remarks_on_a_game_are_those_of_its_base_that_it_does_not_replace() {
    let base = BASE.replacen('\n', "\ndirection \"2d6, low\"\noff table \"theirs\"\n", 1);
    let files = [("base.rules", base.as_str())];
    for (change, direction, off_table) in [
        ("", "2d6, low", "theirs"),
        ("direction \"d6, high\"", "d6, high", "theirs"),
        ("off table \"ours\"", "2d6, low", "ours"),
        ("off table \"ours\"\ndirection \"d6\"", "d6", "ours"),
    ] {
        let system = system(&house(change), &files);
        assert_eq!((&*system.direction, &*system.off_table), (direction, off_table), "{change}");
    }
}

/// Names of the fields of a form's table.
fn names_of_table(kind: &FieldType) -> Vec<String> {
    let FieldType::Table(fields) = kind else { panic!("{kind:?}") };
    fields.iter().map(|field| field.name.to_string()).collect()
}

/// A form lists the rows of a table as they are printed.
#[test]
fn a_row_of_a_new_word_follows_the_printed_ones() {
    let base = "game \"Base\"\nwords reach: close, far\ntable needed:\n    close 3\n    far 5\n\
                field range: reach = far\naction a:\n    x = d6 + needed(range)\n    show x\n";
    let change = "change words reach: close, far, out\nchange table needed:\n    out 6";
    let system = system(&house(change), &[("base.rules", base)]);
    let fields = &system.action("a").expect("it is there").fields;
    let field = fields.iter().find(|field| field.name == "change").expect("cells may change");
    let FieldType::Table(blocks) = &field.kind else { panic!("{:?}", field.kind) };
    let needed = blocks.iter().find(|block| block.name == "needed").expect("it has cells");
    assert_eq!(names_of_table(&needed.kind), ["close", "far", "out"]);
}

/// Only of several may some be alike.
#[test]
fn a_single_record_has_no_count() {
    let system = system(BASE, &[]);
    let fields = &system.action("a").expect("it is there").fields;
    let field = fields.iter().find(|field| field.name == "who").expect("it is a field");
    assert_eq!(names_of_table(&field.kind), ["size", "name"]);
}

/// Cells may be words of a list that is declared below them, be it by a field.
#[test]
fn cells_are_words_of_a_field_below_them() {
    let text = "game \"m\"\ndata posts:\n    name  cover\n    hill  open\n\
                field post: one of posts = hill\nfield cover: open or wood = open\naction a:\n    \
                x = 4 + (2 if post.cover is cover)\n    show x\n";
    for (contest, expected) in [("", 6.0), ("cover = \"wood\"", 4.0)] {
        assert!((mean(text, &[], contest) - expected).abs() < 1e-12, "{contest}");
    }
}

#[test]
fn a_change_that_does_not_fit_is_refused_with_its_line() {
    let known = [
        (
            "field bonus: 0..9 = 1",
            "`bonus` is declared already (base.rules:23)",
            "`change field bonus` replaces it",
        ),
        (
            "words mood: calm",
            "`mood` is declared already (base.rules:2)",
            "`change words mood` adds words at its end",
        ),
        (
            "change part twice(n, m):\n    give n",
            "`twice` takes 1 value, and here it takes 2",
            "a part that is changed keeps its parameters",
        ),
        (
            "change record man:\n    field sise = 3",
            "there is no field `sise` to change",
            "did you mean `size`?",
        ),
        (
            "change data guns:\n    name shots\n    lmg 6 7",
            "this row has 2 cells, and there are 1 columns",
            "",
        ),
    ];
    for (change, problem, help) in known {
        let told = faults_beside(&house(change), &[("base.rules", BASE)]);
        let told = told.iter().map(|one| (one.1.as_str(), one.2.as_str()));
        assert_eq!(told.collect::<Vec<_>>(), [(problem, help)], "{change}");
    }
}

#[test]
fn a_row_too_short_is_the_fault_of_the_file_that_has_it() {
    let base = format!("{BASE}data more:\n    name p q\n    one 1 2\n    two 3\n");
    let change = house("change data more:\n    name q\n    two 4");
    let told = faults_beside(&change, &[("base.rules", &base)]);
    let told: Vec<_> = told.iter().map(|one| one.1.as_str()).collect();
    assert_eq!(told, ["this row has 1 cell, and there are 2 columns"]);
}

#[test]
fn words_with_a_meaning_elsewhere_may_be_names() {
    let known = [
        // 4 in one of two throws, and else 0.
        ("action a:\n    sorted = 4\n    x = sorted if d6 > 3\n    show x\n", 2.0),
        ("action a:\n    check = d6\n    x = check\n    show x\n", 3.5),
        ("field n: 1..9 = 3\npart check(k):\n    show x = k\naction a:\n    check(n)\n", 3.0),
        ("table t:\n    exact 3\n    rough 5\naction a:\n    x = t(exact)\n    show x\n", 3.0),
        (
            "record man:\n    field size: 1..9 = 2\nfield men: 1 to 3 of man\naction a:\n    \
            b = bag of men with keep = 2\n    x = sum(m.keep for m in b)\n    show x\n",
            2.0,
        ),
    ];
    for (text, expected) in known {
        let contest = if text.contains("men") { "[[men]]\nname = \"one\"\n" } else { "" };
        let found = mean(&format!("game \"m\"\n{text}"), &[], contest);
        assert!((found - expected).abs() < 1e-12, "{text}: {found}, not {expected}");
    }
}

#[test]
fn data_from_a_file_may_have_marks_below_them() {
    let text = "game \"m\"\nmarks special:\n    Focus-# focus\ndata guns from \"guns.tsv\":\n    \
        column rules: of special\nfield gun: one of guns = lmg\naction a:\n    \
        x = gun.rules.focus + gun.shots\n    show x\n";
    let files = [("guns.tsv", "name\tshots\trules\nlmg\t3\tFocus-2\n")];
    // Two of focus, and three shots.
    assert!((mean(text, &files, "") - 5.0).abs() < 1e-12);
}

#[test]
fn a_field_of_a_record_called_name_is_asked_once() {
    let text = "game \"m\"\nrecord man:\n    field name: 0..9 = 2\nfield men: 1 to 3 of man\nfield pair: 2 of yes/no = [yes, no]\n\
        action a:\n    b = bag of men\n    x = sum(m.name for m in b) + (1 if pair[1])\n    show x\n";
    let system = system(text, &[]);
    let fields = &system.action("a").expect("it is there").fields;
    let preset = |name: &str| fields.iter().find(|one| one.name == name).map(|one| &one.preset);
    assert_eq!(preset("pair"), Some(&DefaultValue::Derived("[yes, no]".into())));
    let men = fields.iter().find(|one| one.name == "men").expect("it is a field");
    // The number is read as a number: two of the only man, and one of the first of the pair.
    assert!((mean(text, &[], "[[men]]\n") - 3.0).abs() < 1e-12);
    let FieldType::Tables(inner, ..) = &men.kind else { panic!("{:?}", men.kind) };
    let called = |name: &str| inner.iter().filter(|one| one.name == name).count();
    assert_eq!((called("count"), called("name"), inner.iter().count()), (1, 1, 2));
}

#[test]
fn printed_numbers_of_a_record_are_told_with_help_or_else_label() {
    let field = |n: usize| match n {
        1 => "    field n1: 0..9 = 1 \"label\" \"help\" assumed (4.2)\n".to_owned(),
        2 => "    field n2: 0..9 = 2 \"label\"\n".to_owned(),
        _ => format!("    field n{n}: 0..9 = {}\n", n % 10),
    };
    let numbers: String = (1..=12).map(field).collect();
    let text = format!(
        "game \"m\"\nrecord printed:\n{numbers}field p: printed\naction a:\n    x = p.n1\n    show x\n"
    );
    let tables = (system(&text, &[]).data_tables)();
    let table = tables.iter().find(|table| table.name == "p").expect("twelve are printed");
    assert_eq!(table.rows.len(), 12);
    assert_eq!(table.rows[0], ["n1", "1", "help (our reading)", "4.2"]);
    assert_eq!(table.rows[1], ["n2", "2", "label", ""]);
}
