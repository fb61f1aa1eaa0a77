//! The order of equal tables in a contest never shows in its odds.

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::form::Form;
use enfilade_rules::{Rulebook, read_without_built_in_base};
use enfilade_testkit::source_files::repository_folder;

/// Columns, and endings with their shares.
fn law(rulebook: &Rulebook, action: &str, contest: &str) -> Vec<String> {
    let action = rulebook.system.action(action).expect("it is there");
    let form = Form::from_table_with_defaults(&action.fields, &contest.parse().expect("TOML"))
        .expect("a contest");
    let contest = action.build_contest(&form).expect("it fits together");
    let graph = DieGraph::compile_within_limits(&contest.combat, CompiledContestLimits::default())
        .expect("it is small");
    let weights = exact::solve_integer_weights(&graph).expect("it ends");
    let share =
        |ways: &dashu_int::UBig| exact::reduce_fraction(ways.clone(), weights.denominator.clone());
    let rows = graph.endings().iter().zip(&weights.numerators);
    let columns = contest.combat.outcome_fields().len();
    let row = |fields: &[i32], ways| format!("{:?} {:?}", &fields[..columns], share(ways));
    let rows = rows.map(|(ending, ways)| row(&ending.fields, ways));
    let mut rows: Vec<String> = rows.collect();
    rows.sort_unstable();
    rows
}

/// Two of one kind and one of another, in every order and by their count.
fn same_in_every_order(rulebook: &Rulebook, action: &str, shared: &str, [a, b]: [&str; 2]) {
    let tables = |orders: &[&str]| {
        let tables = orders.iter().map(|table| format!("[[target]]\n{table}\n"));
        law(rulebook, action, &format!("{shared}\n{}", tables.collect::<String>()))
    };
    let expected = tables(&[a, b, a]);
    assert!(expected.len() > 3, "{expected:?}");
    for orders in [&[a, a, b][..], &[b, a, a]] {
        assert_eq!(tables(orders), expected);
    }
    let twice = format!("{a}\ncount = 2");
    for orders in [[&twice, b], [b, &twice]] {
        assert_eq!(tables(&orders), expected);
    }
}

#[test]
fn of_units_under_fire() {
    let path = repository_folder().join("rulebooks/asl_fire.rules");
    let text = std::fs::read_to_string(path).expect("it ships");
    let none = |_: &str| Err("it is in one file".to_owned());
    let asl = read_without_built_in_base("asl_fire", "asl_fire.rules", &text, &none)
        .expect("it is in order");
    let (squad, leader) = ("morale = 7", "kind = 'leader'\nmorale = 8\nleadership = -1");
    same_in_every_order(&asl, "fire", "fp = 8\ndrm = -2", [squad, leader]);
    same_in_every_order(&asl, "fire", "fp = 16", [leader, "morale = 6\nbroken = true"]);
}

/// A rule that goes over things, picks by lot and by key, and counts.
#[test]
fn of_things_that_are_gone_over_picked_and_counted() {
    let text = "game \"m\"\nrecord unit:\n    field nerve: 1..6\n    field worth: 0..9 = 1\n\
                field target: 1 to 6 of unit\naction a:\n    units = bag of target with hurt = 0, gone = no\n    \
                each u in units: u.hurt = (1 if d3 > u.nerve)\n    \
                pick u in units where u.hurt == 1 by random: u.gone = yes\n    \
                pick u in units where not u.gone by highest u.worth: u.hurt = d2\n    \
                show gone = count(u in units where u.gone)\n    \
                show left = sum(u.worth for u in units where not u.gone)\n    \
                show hurt = sum(u.hurt for u in units)\n";
    let none = |_: &str| Err("there are no files here".to_owned());
    let game = read_without_built_in_base("m", "m.rules", text, &none).expect("it is in order");
    same_in_every_order(&game, "a", "", ["nerve = 1\nworth = 3", "nerve = 2\nworth = 5"]);
    // Equal keys, unequal units.
    same_in_every_order(&game, "a", "", ["nerve = 1\nworth = 3", "nerve = 2\nworth = 3"]);
}

/// Goes over men and picks some, where FIELD is read by READS, which always holds.
const MEN: &str = r#"game "m"
words nerve: zealous, calm
data guns:
    name  shots
    rifle 4
    bow   1
record man:
    FIELD
    field tag: 1..3
    field hand: 0..9 = 5
field men: 1 to 6 of man
part ends(who):
    show who
action in_turn:
    all = bag of men with hurt = no
    who = 0
    each m in all where READS: who = 10 * who + m.tag
    ends(who)
action lowest:
    all = bag of men with hurt = no
    who = 0
    pick m in all where READS by lowest m.hand: who = m.tag
    ends(who)
action highest:
    all = bag of men with hurt = no
    who = 0
    pick m in all where READS by highest m.hand: who = m.tag
    ends(who)
"#;

/// Of those with one key `pick` takes the first by what the contest says, field by field as
/// declared, be the key the lowest or the highest: the lowest number, no, the first word and row,
/// the shorter list, what is not given. `each` goes by the tables. Whether a default is written out
/// is no matter to either.
#[test]
fn a_pick_goes_by_what_the_contest_says_and_each_by_its_tables() {
    let none = |_: &str| Err("there are no files here".to_owned());
    // The second of each pair would come first by its tag, which is declared later.
    for (field, reads, first, second) in [
        ("field it: 0..30", "m.it >= 0", "it = 3", "it = 20"),
        ("field it: -5..5", "m.it <= 5", "it = -2", "it = 1"),
        ("field it: 0..9 = 7", "m.it >= 0", "it = 3", ""),
        ("field it: 0..9 = 7", "m.it >= 0", "", "it = 8"),
        ("field it: yes/no", "(m.it or not m.it)", "it = false", "it = true"),
        ("field it: nerve", "m.it is m.it", "it = 'zealous'", "it = 'calm'"),
        ("field it: one of guns", "m.it.shots > 0", "it = 'rifle'", "it = 'bow'"),
        ("field it: 1 to 3 of 0..9", "length(m.it) > 0", "it = [9]", "it = [1, 1]"),
        ("field it: 2 of 0..9", "m.it[1] >= 0", "it = [1, 9]", "it = [2, 0]"),
        ("field it: 0..9 optional", "(not given(m.it) or m.it >= 0)", "", "it = 0"),
        ("field it: 0..9 = 0", "(given(m.it) or m.it >= 0)", "", "it = 0"),
    ] {
        let text = MEN.replace("FIELD", field).replace("READS", reads);
        let game = read_without_built_in_base("m", "m.rules", &text, &none);
        let game = game.unwrap_or_else(|why| panic!("{field}: {why:?}"));
        let (one, two) = (format!("{first}\ntag = 2"), format!("{second}\ntag = 1"));
        for (tables, turns) in [([&one, &two], 21), ([&two, &one], 12)] {
            let contest = tables.map(|table| format!("[[men]]\n{table}\n")).concat();
            for (action, who) in [("in_turn", turns), ("lowest", 2), ("highest", 2)] {
                let told = law(&game, action, &contest);
                assert_eq!(told, [surely(who)], "{action}: {field}\n{contest}");
            }
        }
    }
    // Where nobody asks whether it is given, a default that is written out is the default: such
    // tables are one for `each`, at the place of the first.
    let text = MEN.replace("FIELD", "field it: 0..9 = 7").replace("READS", "m.it >= 0");
    let game = read_without_built_in_base("m", "m.rules", &text, &none).expect("it is in order");
    for (tables, who) in [(["it = 7\ntag = 1", "tag = 2"], 1), (["it = 7\ntag = 2", "tag = 1"], 1)]
    {
        let contest = tables.map(|table| format!("[[men]]\n{table}\n")).concat();
        assert_eq!(law(&game, "lowest", &contest), [surely(who)], "{contest}");
    }
    let tables = ["tag = 3", "tag = 2", "it = 7\ntag = 3"];
    let contest = tables.map(|table| format!("[[men]]\n{table}\n")).concat();
    assert_eq!(law(&game, "in_turn", &contest), [surely(332)]);
}

/// A law that shows one number, as [`law`] writes it.
fn surely(number: i32) -> String {
    format!("[{number}] {:?}", exact::reduce_fraction(1u8.into(), 1u8.into()))
}

/// Of things of which the contest says the same, that one comes first in which what changes is
/// lowest, in the order named; of those that are alike in this too, the one comes last that a loop
/// around holds.
#[test]
fn of_like_things_the_first_is_said_by_what_changes() {
    let text = r#"game "m"
action named:
    all = bag of 3 with hurt = 0, tired = 0
    pick m in all by lowest m.hurt: m.hurt = 2
    pick m in all where m.hurt == 0 by highest m.tired: m.tired = 1
    first = 0
    pick m in all by highest 0: first = 10 * m.hurt + m.tired
    turns = 0
    each m in all: turns = 100 * turns + 10 * m.hurt + m.tired
    show shown = 1000 * (1 + first) + turns
action rolled:
    all = bag of 2 with hurt = 1
    each m in all: m.hurt = d2
    turns = 0
    each m in all: turns = 10 * turns + m.hurt
    show turns
action held:
    all = bag of 2 with struck = 0
    own = 0
    each m in all:
        pick v in all by lowest 0: v.struck += 1
        own = 10 * own + m.struck
        stop
    show own
action all_held:
    all = bag of 2 with struck = 0
    own = 0
    each m in all:
        n = 0
        each v in all:
            n += 1
            v.struck = n
        own = m.struck
        stop
    show own
"#;
    let none = |_: &str| Err("there are no files here".to_owned());
    let game = read_without_built_in_base("m", "m.rules", text, &none).expect("it is in order");
    // Of (2, 0), (0, 1) and (0, 0) both begin with (0, 0), and (2, 0) comes last.
    assert_eq!(law(&game, "named", ""), [surely(1000 + 120)]);
    // Two dice: 1 and 1, 1 and 2 either way, 2 and 2; what was hurt less comes first.
    let share = |ways: u8| exact::reduce_fraction(ways.into(), 4u8.into());
    let expected = [(11, 1), (12, 2), (22, 1)];
    let expected = expected.map(|(turns, ways)| format!("[{turns}] {:?}", share(ways)));
    assert_eq!(law(&game, "rolled", ""), expected);
    // The other one is struck.
    assert_eq!(law(&game, "held", ""), [surely(0)]);
    // The other one is first, and the one that is held second.
    assert_eq!(law(&game, "all_held", ""), [surely(2)]);
}

/// Things with lists of their own, one of which is shorter: their places and lengths are read from
/// the thing at hand, and a place that only another's list has is none.
#[test]
fn of_things_that_have_lists() {
    let text = "game \"m\"\nrecord unit:\n    field guns: 0 to 3 of 1..9 = [2, 5]\n\
                field target: 1 to 6 of unit\nfield nth: 0..4 = 1\naction a:\n    units = bag of target with hurt = 0\n    \
                total = 0\n    each u in units: u.hurt = (1 if d6 >= 4)\n    \
                each u in units where u.hurt == 1: total += u.guns[nth] + 100 * length(u.guns)\n    \
                show total\n";
    let none = |_: &str| Err("there are no files here".to_owned());
    let game = read_without_built_in_base("m", "m.rules", text, &none).expect("it is in order");
    same_in_every_order(&game, "a", "", ["guns = [7]", "guns = [2, 5]"]);
    // 107 of each of the short ones, 202 of the other: each of the three in half of all throws.
    let two_and_one = "[[target]]\nguns = [7]\ncount = 2\n[[target]]\n";
    let expected = [(0, 1), (107, 2), (202, 1), (214, 1), (309, 2), (416, 1)];
    let share = |ways: u8| exact::reduce_fraction(ways.into(), 8u8.into());
    let mut expected: Vec<String> =
        expected.iter().map(|(total, ways)| format!("[{total}] {:?}", share(*ways))).collect();
    expected.sort_unstable();
    assert_eq!(law(&game, "a", two_and_one), expected);
    let fault = |nth: i64| {
        let action = game.system.action("a").expect("it is there");
        let table = format!("nth = {nth}\n{two_and_one}").parse().expect("TOML");
        let form = Form::from_table_with_defaults(&action.fields, &table).expect("a contest");
        let contest = action.build_contest(&form).expect("it fits together").combat;
        // The graph is built to find out what goes wrong in it.
        drop(DieGraph::compile_within_limits(&contest, CompiledContestLimits::default()));
        contest.recorded_rule_fault().map(|mishap| format!("{mishap:?}")).unwrap_or_default()
    };
    assert!(fault(2).contains("shorter"), "{}", fault(2));
    assert!(fault(0).contains("places 1 to 2"), "{}", fault(0));
    assert!(fault(4).contains("places 1 to 2"), "{}", fault(4));
}

/// A list that a part hands on is the list that it was given, place by place.
#[test]
fn of_a_list_that_is_handed_through_a_part() {
    let text = "game \"m\"\npart same(changes n, ys):\n    give ys\naction a:\n    n = 0\n    \
                xs = [1, 2, 3]\n    if d6 > 4: xs[1] = 4\n    ys = same(n, xs)\n    \
                one = ys[1]\n    two = ys[2]\n    three = ys[3]\n    \
                show one\n    show two\n    show three\n";
    let none = |_: &str| Err("no files".to_owned());
    let book = read_without_built_in_base("m", "m.rules", text, &none).expect("it is in order");
    let rows = law(&book, "a", "");
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows[0].starts_with("[1, 2, 3]") && rows[1].starts_with("[4, 2, 3]"), "{rows:?}");
}
