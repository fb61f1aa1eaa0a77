//! Contests that a rulebook refuses, and faults that a rule meets only while it is played.

use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::dice::ScriptedDice;
use enfilade_model::form::{Fault, Form};
use enfilade_rules::read_without_built_in_base;
use enfilade_testkit::test_contests::{fault_lines, parse_contest};

fn system(text: &str) -> System {
    let none = |_: &str| Err("there are no files here".to_owned());
    let read = read_without_built_in_base("m", "m.rules", text, &none);
    read.unwrap_or_else(|error| panic!("{error:?}\n{text}")).system
}

fn form(action: &RulebookAction, contest: &str) -> Form {
    let table = contest.parse::<toml::Table>().expect("TOML");
    Form::from_table_with_defaults(&action.fields, &table).expect("a form")
}

fn refused(text: &str, contest: &str) -> Vec<Fault> {
    let system = system(text);
    match parse_contest(&system.actions[0], contest) {
        Err(faults) => faults,
        Ok(_) => panic!("it should be refused: {contest}\n{text}"),
    }
}

/// The fault that a contest meets with these faces.
fn met(text: &str, contest: &str, faces: &[u8]) -> String {
    let system = system(text);
    let contest = parse_contest(&system.actions[0], contest).expect("a contest");
    contest.combat.play_one_trial(&mut ScriptedDice::new(faces), 100);
    let fault = contest.combat.recorded_rule_fault().expect("the rule has a fault");
    format!("{fault:?}")
}

const CROWD: &str = "game \"m\"\nrecord unit:\n    field size: 1..9 = 2\nfield target: 1 to 30 of unit\n\
    action a:\n    us = bag of target with gone = no\n    x = length(us) + d6\n    show x\n";

#[test]
fn a_crowd_of_more_than_a_bag_holds_is_told() {
    let said = met(CROWD, "[[target]]\ncount = 20\n[[target]]\ncount = 5", &[3]);
    assert!(said.contains("a bag has at most 24 items, not 25"), "{said}");
    // A bag that holds them all has them all.
    let system = system(CROWD);
    let whole = parse_contest(&system.actions[0], "[[target]]\ncount = 24").expect("a contest");
    assert_eq!(enfilade_testkit::test_contests::play_contest(&whole, &[3]), [27]);
}

#[test]
fn a_cell_of_a_contest_is_one_that_the_legend_explains() {
    let text = "game \"m\"\ntable fire:\n    cell #K kill\n    cell - miss\n    columns 0 1\n    1  1K -\n    2  - -\n\
        field cover: 0..1 = 0\naction a:\n    x = 0\n    match fire(d2, cover):\n        kill n: x = n\n        miss:\n    show x\n";
    let faults = refused(text, "change.fire.1.0 = \"zz\"");
    assert_eq!(fault_lines(&faults), ["change.fire.1.0: no `cell` line explains `zz`"]);
}

#[test]
fn a_goal_that_this_contest_does_not_show_is_told() {
    let text = "game \"m\"\nfield open: yes/no = no\naction a:\n    x = 0\n    y = d6\n    choose for highest x:\n        \
        option \"a\": x = y\n        option \"b\": x = 2\n    show y\n    show x when open\n";
    let faults = refused(text, "");
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    let problem = "line 6 of m.rules: the goal `x` of a choice is not shown in this contest";
    assert_eq!(fault.problem, problem);
    assert_eq!(fault.help.as_deref(), Some("write `show x` without `when`"));
    let system = system(text);
    assert!(parse_contest(&system.actions[0], "open = true").is_ok());
}

/// A word has a column for each of its list after the first, and a contest shows 32.
#[test]
fn a_contest_shows_at_most_32_columns() {
    let text = |count: usize| {
        let words: Vec<String> = (0..count).map(|at| format!("w{at}x")).collect();
        let all = words.join(", ");
        format!(
            "game \"m\"\nwords state: {all}\naction a:\n    s = step(w0x, d34 - 1)\n    show s\n    measure p_first = chance(s is w0x)\n"
        )
    };
    let none = |_: &str| Err("there are no files here".to_owned());
    let Err(error) = read_without_built_in_base("m", "m.rules", &text(34), &none) else {
        let faults = refused(&text(34), "");
        assert_eq!(faults[0].problem, "line 3 of m.rules: more than 32 columns are shown");
        return;
    };
    panic!("{error:?}");
}

/// Rolls are kept in a list of the rule: it is part of the state.
#[test]
fn a_state_of_too_many_numbers_is_told_with_its_die() {
    let text = "game \"m\"\naction a:\n    xs = 70 of 0\n    x = 0\n    repeat:\n        place = d70\n        xs[place] += 1 at most 3\n        \
        if xs[place] == 3: stop\n    for i in 1..70: x = max(x, xs[i])\n    show x\n";
    let none = |_: &str| Err("there are no files here".to_owned());
    let told = match read_without_built_in_base("m", "m.rules", text, &none) {
        Ok(book) => parse_contest(&book.system.actions[0], "").expect_err("too large")[0].clone(),
        Err(error) => error.faults[0].fault.clone(),
    };
    assert!(told.problem.contains("numbers at this die; at most 63 are possible"), "{told:?}");
    let help = "keep fewer dice, or use smaller bags or shorter lists";
    assert_eq!(told.help.as_deref(), Some(help));
}

#[test]
fn a_broken_check_names_the_first_field_it_reads() {
    let text = "game \"m\"\nwords mood: steady, pinned\nfield state: mood = steady\nrecord unit:\n    field size: 1..9 = 2\n\
        field target: 1 to 3 of unit\nfield most: 1..9 = 5\ncheck pinned is not state \"not while {state}\"\n\
        check most >= u.size for u in target \"at most {most}, not {u.size}\" \"change {most}\"\n\
        action a:\n    x = d6 + sum(u.size for u in target) + most\n    if state is pinned: x = 0\n    show x\n";
    let two = "[[target]]\nsize = 2\n[[target]]\nsize = 7";
    assert_eq!(
        fault_lines(&refused(text, &format!("most = 6\n{two}"))),
        ["most: at most 6, not 7"]
    );
    let pinned = refused(text, "state = \"pinned\"\n[[target]]");
    assert_eq!(fault_lines(&pinned), ["state: not while pinned"]);
}

#[test]
fn a_default_that_leaves_its_range_is_told() {
    let text = "game \"m\"\nfield n: 1..9 = 4\nfield twice: 1..10 = n * 2\naction a:\n    x = d6 + twice\n    show x\n";
    let faults = refused(text, "n = 6");
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    let problem = "the default of `twice` cannot be computed: 12 is not in 1..10";
    assert_eq!((fault.path.as_str(), fault.problem.as_str()), ("twice", problem));
    assert_eq!(fault.help.as_deref(), Some("give `twice`"));
}

/// A rule that is written out is too long, and one with loops is not.
#[test]
fn a_rule_too_long_to_unroll_keeps_its_loops() {
    let body: String =
        (0..200).map(|at| format!("            x = rest(x * 3 + i * j + {at}, 7)\n")).collect();
    let text = format!(
        "game \"m\"\nfield n: 1..12 = 12\naction a:\n    x = d6\n    for i in 1..n:\n        for j in 1..8:\n{body}    show x\n"
    );
    let system = system(&text);
    let contest = parse_contest(&system.actions[0], "").expect("a contest");
    let mut x = 5;
    for i in 1..=12 {
        for j in 1..=8 {
            for at in 0..200 {
                x = (x * 3 + i * j + at) % 7;
            }
        }
    }
    assert_eq!(enfilade_testkit::test_contests::play_contest(&contest, &[5]), [x]);
}

/// A following turn takes the items of a field only from a bag of that field.
#[test]
fn a_bag_of_another_field_is_not_carried() {
    let text = "game \"m\"\nrecord unit:\n    field size: 1..9 = 2\nfield ours: 1 to 3 of unit\nfield theirs: 1 to 3 of unit\n\
        action a:\n    us = bag of ours with gone = no\n    x = d6 + sum(u.size for u in us)\n    show x\n    carry theirs = us\n";
    let system = system(text);
    let action = &system.actions[0];
    let build = |contest: &str| action.build_reporting_field_changes(&form(action, contest));
    let other = build("[[ours]]\nsize = 3\n[[theirs]]\nsize = 4").expect("a contest");
    other.combat.play_one_trial(&mut ScriptedDice::new(&[2]), 100);
    let fault = format!("{:?}", other.combat.recorded_rule_fault());
    assert!(fault.contains("this bag was not built from `theirs`"), "{fault}");
    // Items that are alike are those of the field.
    let alike = build("[[ours]]\nsize = 4\n[[theirs]]\nsize = 4").expect("a contest");
    assert_eq!(enfilade_testkit::test_contests::play_contest(&alike, &[2]), [6]);
}

/// Units of another kind are never those of the field.
#[test]
fn a_bag_of_another_record_is_not_carried() {
    let text = "game \"m\"\nrecord unit:\n    field size: 1..9 = 2\nrecord tank:\n    field size: 1..9 = 2\n    \
        field steel: 1..9 = 2\nfield ours: 1 to 3 of unit\nfield theirs: 1 to 3 of tank\naction a:\n    \
        us = bag of ours with gone = no\n    x = d6 + sum(u.size for u in us) + sum(u.steel for u in theirs)\n    \
        show x\n    carry theirs = us\n";
    let system = system(text);
    let action = &system.actions[0];
    let carried = action.build_reporting_field_changes(&form(action, "[[ours]]\n[[theirs]]\n"));
    let carried = carried.expect("a contest");
    carried.combat.play_one_trial(&mut ScriptedDice::new(&[2]), 100);
    let fault = format!("{:?}", carried.combat.recorded_rule_fault());
    assert!(fault.contains("this bag was not built from `theirs`"), "{fault}");
}

#[test]
fn a_record_in_the_sentence_of_a_check_has_its_name_or_that_of_its_kind() {
    let text = "game \"m\"\nrecord fire_team:\n    field men: 1..4 = 2\nfield first: fire_team\n\
        check first.men > 1 \"{first} has {first.men}\"\naction a:\n    x = d6 + first.men\n    show x\n";
    for (contest, said) in [
        ("[first]\nmen = 1", "fire team has 1"),
        ("[first]\nname = \"ogre\"\nmen = 1", "ogre has 1"),
    ] {
        let faults = refused(text, contest);
        assert_eq!(fault_lines(&faults), [format!("first.men: {said}")], "{contest}");
    }
}

/// A search over numbers builds contests that it does not report.
#[test]
fn a_contest_without_its_checks_is_played() {
    let text = "game \"m\"\nrecord unit:\n    field size: 1..9 = 2\n    check size > 1 \"too small\"\nfield unit: unit\n\
        field n: 1..9 = 4\ncheck n > 3 \"at least 4\"\naction a:\n    x = d6 + n + unit.size\n    show x\n";
    let contest = "n = 2\n[unit]\nsize = 1";
    let told = fault_lines(&refused(text, contest));
    assert_eq!(told, ["unit.size: too small", "n: at least 4"]);
    let system = system(text);
    let action = &system.actions[0];
    let probe = action.probe.as_ref().expect("it is text");
    let unchecked = probe.build_without_checks(&form(action, contest)).expect("nothing is checked");
    assert_eq!(enfilade_testkit::test_contests::play_contest(&unchecked, &[5]), [8]);
}

/// More values than are remembered as checked.
#[test]
fn a_check_holds_after_however_many_contests() {
    let text = "game \"m\"\nfield n: 0..9999 = 0\naction a:\n    check n != 4200 \"not 4200\"\n    x = d6 + n\n    show x\n";
    let system = system(text);
    let action = &system.actions[0];
    for n in 0..4200 {
        assert!(parse_contest(action, &format!("n = {n}")).is_ok(), "{n}");
    }
    for n in [4200, 4200] {
        let Err(faults) = parse_contest(action, &format!("n = {n}")) else {
            panic!("{n} is not refused");
        };
        assert_eq!(fault_lines(&faults), ["n: not 4200"]);
    }
}

#[test]
fn a_factor_of_a_measure_is_known_before_the_roll() {
    let text = |factor: &str| {
        format!(
            "game \"m\"\nfield n: 1..6 = 2\naction a:\n    x = d6\n    show x\n    measure e = mean(x) * {factor}\n"
        )
    };
    let said = met(&text("x"), "", &[3]);
    assert!(said.contains("a factor can use fields only"), "{said}");
    let said = met(&text("(n - 3)"), "", &[3]);
    assert!(said.contains("a factor is not negative"), "{said}");
}

#[test]
fn a_throw_has_at_most_255_dice() {
    let text = "game \"m\"\ndie red: hit 3, miss 3\nfield n: 1..300 = 3\naction a:\n    t = n red\n    x = t.hit\n    show x\n";
    let said = met(text, "n = 256", &[1]);
    assert!(said.contains("a pool has at most 255 dice"), "{said}");
    let system = system(text);
    let most = parse_contest(&system.actions[0], "n = 255").expect("a contest");
    assert_eq!(enfilade_testkit::test_contests::play_contest(&most, &[1; 255]), [255]);
}

/// Guns that depend on another field; whoever builds a form need not give what has a default.
#[test]
fn a_default_row_may_depend_on_a_field() {
    let text = "game \"m\"\ndata guns:\n    name shots\n    rifle 1\n    mg 3\nfield heavy: yes/no = no\n\
        field gun: one of guns = mg if heavy else rifle\nfield spare: one of guns = mg\n\
        action a:\n    x = d6 + 10 * gun.shots + 100 * spare.shots\n    show x\n";
    let system = system(text);
    let action = &system.actions[0];
    for (contest, expected) in
        [("", 312), ("heavy = true", 332), ("heavy = true\ngun = \"rifle\"", 312)]
    {
        let contest = parse_contest(action, contest).expect("a contest");
        assert_eq!(enfilade_testkit::test_contests::play_contest(&contest, &[2]), [expected]);
    }
    let empty = action.build_contest(&Form::default()).expect("all have defaults");
    assert_eq!(enfilade_testkit::test_contests::play_contest(&empty, &[2]), [312]);
}

/// A pool has as many dice as a throw.
#[test]
fn a_pool_has_at_most_255_dice() {
    let text = "game \"m\"\nfield n: 1..300 = 3\naction a:\n    x = (n) d6\n    show x\n";
    let said = met(text, "n = 256", &[1]);
    assert!(said.contains("a pool has at most 255 dice, not 256"), "{said}");
    let most = parse_contest(&system(text).actions[0], "n = 255").expect("a contest");
    assert_eq!(enfilade_testkit::test_contests::play_contest(&most, &[1; 255]), [255]);
}

/// Twenty dice at most are kept apart: those are in order.
#[test]
fn at_most_20_dice_are_sorted() {
    let text = "game \"m\"\nfield n: 2..30 = 3\naction a:\n    xs = sorted (n) d6\n    \
        x = 10 * xs[1] + xs[2]\n    show x\n";
    let said = met(text, "n = 21", &[1]);
    assert!(said.contains("at most 20 dice are kept apart, and there may be 21"), "{said}");
    let most = parse_contest(&system(text).actions[0], "n = 20").expect("a contest");
    let faces = [[2, 1, 3, 1].as_slice(), &[1; 15], &[6]].concat();
    assert_eq!(enfilade_testkit::test_contests::play_contest(&most, &faces), [63]);
}

/// What is wrong with a field is told once: conditions that read it are not asked.
#[test]
fn a_check_of_a_field_without_a_value_says_nothing_more() {
    let text = "game \"m\"\nfield n: 1..9 = 4\nfield twice: 1..10 = n * 2\ncheck twice <= 8 \"eight at most\"\n\
        check n <= 4 \"four at most\"\naction a:\n    x = d6 + twice + n\n    show x\n";
    let told = |contest: &str| fault_lines(&refused(text, contest));
    assert_eq!(told("n = 5"), ["twice: eight at most", "n: four at most"]);
    let problem = "twice: the default of `twice` cannot be computed: 12 is not in 1..10";
    assert_eq!(told("n = 6"), [problem, "n: four at most"]);
}
