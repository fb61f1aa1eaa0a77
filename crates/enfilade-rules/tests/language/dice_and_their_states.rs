//! The state that a rule saves at each die, its states counted die by die, and rules with too much
//! to remember.

use enfilade_model::form::{Fault, Form};
use enfilade_rules::{
    RuleStateByDie, Rulebook, StateCountExtent, find_rule_unplayable_reason, inspect_saved_state,
    read_without_built_in_base,
};
use toml::Table;

pub fn rulebook(text: &str) -> Rulebook {
    let none = |_: &str| Err("there are no files here".to_owned());
    let read = read_without_built_in_base("m", "m.rules", text, &none);
    read.unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

pub fn form(book: &Rulebook, contest: &str) -> Form {
    let table: Table = contest.parse().expect("TOML");
    let action = book.system.action("a").expect("it is there");
    Form::from_table_with_defaults(&action.fields, &table).expect("a form")
}

fn inspected(text: &str, contest: &str) -> RuleStateByDie {
    let book = rulebook(text);
    inspect_saved_state(&book, "a", &form(&book, contest)).expect("a contest")
}

/// Line, names and number of states of each die.
fn dice(found: &RuleStateByDie) -> Vec<(usize, Vec<&str>, usize)> {
    let dice = found.dice.iter();
    dice.map(|die| (die.line, die.names.iter().map(|name| &**name).collect(), die.states)).collect()
}

#[test]
fn each_die_has_the_states_that_the_dice_before_it_leave() {
    let text =
        "action a:\n    x = d6\n    y = d8\n    z = d4\n    show all = x * 100 + y * 10 + z\n";
    let found = inspected(text, "");
    // Six faces before the second die, six times eight before the third.
    assert_eq!(dice(&found), [(2, vec![], 1), (3, vec!["x"], 6), (4, vec!["x", "y"], 48)]);
    assert_eq!(found.dice.iter().map(|die| die.numbers).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(found.state_count, StateCountExtent::All);
}

#[test]
fn a_die_that_is_never_reached_is_left_out() {
    let text = "field n: 1..9 = 1\naction a:\n    x = d6\n    y = d4 if x > 6 - n else 0\n    \
                show all = x + y\n";
    // The second die falls for the 6 alone, and then for no face at all.
    let found = inspected(text, "");
    assert_eq!(dice(&found), [(3, vec![], 1), (4, vec!["x"], 1)]);
    let text = text.replace("x > 6 - n", "x > 5 + n");
    assert_eq!(dice(&inspected(&text, "")), [(3, vec![], 1)]);
}

/// No range of numbers tells it, only the rolls.
#[test]
fn a_die_that_no_roll_leads_to_is_left_out() {
    // No square of a face is 2, so the last die is never rolled.
    let text = "action a:\n    x = d6\n    y = d4 if x * x == 2 else 0\n    show all = x + y\n";
    assert_eq!(dice(&inspected(text, "")), [(2, vec![], 1)]);
}

/// What one branch reads is not remembered in the other.
#[test]
fn a_die_of_a_branch_remembers_nothing_for_the_other_branch() {
    let text = "action a:\n    x = d6\n    y = d8\n    z = 0\n    if y > 4: z = d4\n    \
                else: z = d6 + x\n    show z\n";
    let expected = [(2, vec![], 1), (3, vec!["x"], 6), (5, vec![], 1), (6, vec!["x"], 6)];
    assert_eq!(dice(&inspected(text, "")), expected);
}

/// Only the outcome of a test is remembered where a loop may go on for ever.
#[test]
fn a_value_that_is_only_compared_has_as_many_states_as_outcomes() {
    let text = "action a:\n    y = d6\n    turns = 0\n    repeat:\n        left = d4\n        \
                turns = turns + 1 at most 9\n        if left > (2 if y >= 3 else 3): stop\n    show turns\n";
    // Nothing is known at the first die; then `y` is below 3 or not, and turns are 0 to 9.
    let found = inspected(text, "");
    let states: Vec<usize> = found.dice.iter().map(|die| die.states).collect();
    assert_eq!(states, [1, 20], "{found:?}");
}

#[test]
fn bags_and_unnamed_dice_under_way_are_part_of_the_state() {
    let text = "record unit:\n    field men: 1..4 = 2\nfield target: 1 to 3 of unit\naction a:\n    \
                us = bag of target with gone = no\n    \
                each u in us:\n        if d6 > 4: u.gone = yes\n    x = d6\n    \
                show left = count(u in us where not u.gone) + x\n";
    let names = |contest: &str| -> Vec<String> {
        let found = inspected(text, contest);
        found.dice.last().expect("a die").names.clone()
    };
    assert_eq!(names("[[target]]\n"), ["us (1 thing)"]);
    assert_eq!(names("[[target]]\n[[target]]\nmen = 3\n"), ["us (2 things)"]);
    let text = "field n: 1..9 = 3\naction a:\n    x = d6\n    hits = count(n d6 >= x)\n    \
                show hits\n    show x\n";
    let found = inspected(text, "");
    let last = found.dice.last().expect("the dice of the pool");
    assert_eq!(last.line, 4);
    assert!(last.names.contains(&"x".to_owned()), "{last:?}");
    let unnamed = last.names.iter().find(|name| name.ends_with("of the dice and loops under way"));
    let unnamed = unnamed.expect("the hits, or the dice that are left");
    // Each number of the state has a name or is one of these.
    let named = last.names.len() - 1;
    assert_eq!(unnamed.split(' ').next(), Some(&*(last.numbers - named).to_string()), "{last:?}");
}

/// Each bag has its own values, however many there are beside it.
#[test]
fn the_variable_with_the_most_values_is_found_among_bags() {
    let text = "action a:\n    us = bag of 1 with n = 0\n    vs = bag of 1 with n = 0\n    \
                each u in us: u.n = d4\n    each v in vs: v.n = d6\n    last = d6\n    \
                show all = sum(u.n for u in us) + sum(v.n for v in vs) + last\n";
    let book = rulebook(text);
    let action = book.system.action("a").expect("it is there");
    let contest = action.build_contest(&form(&book, "")).expect("a contest");
    // 0 before its die, and the six faces.
    assert_eq!(contest.combat.find_widest_variable(1000), Some(("vs".to_owned(), 7)));
}

#[test]
fn an_action_that_is_not_there_has_no_states() {
    let book = rulebook("action a:\n    x = d6\n    show x\n");
    let faults = inspect_saved_state(&book, "b", &form(&book, "")).expect_err("no such action");
    assert_eq!(faults, [Fault::new("", "there is no action `b`")]);
}

#[test]
fn only_a_rule_that_cannot_be_played_has_a_reason() {
    let playable = rulebook("action a:\n    x = d6\n    show x\n");
    assert!(find_rule_unplayable_reason(&playable, 0, &form(&playable, "")).is_none());
    let wide = rulebook(&seventy_faces());
    let told = find_rule_unplayable_reason(&wide, 0, &form(&wide, "")).expect("it is too wide");
    let [found] = &told.faults[..] else { panic!("{told:?}") };
    assert!(found.fault.problem.contains("the rule remembers 70 numbers at this die"), "{told:?}");
    assert_eq!(told.text[..found.span.start].lines().count(), 73, "{told:?}");
}

/// A rule that keeps each of seventy faces and a sum up to the last die.
fn seventy_faces() -> String {
    let faces: String = (1..=70).map(|at| format!("    f{at} = d6\n")).collect();
    let sum = |from: usize| (from..from + 35).map(|at| format!("f{at}")).collect::<Vec<_>>();
    let (low, high) = (sum(1).join(" + "), sum(36).join(" + "));
    format!(
        "field n: 1..9 = 1\naction a:\n    first = d6 + n\n{faces}    low = {low}\n    \
         high = {high}\n    show all = low + high + first\n"
    )
}

#[test]
fn a_rule_that_remembers_too_much_is_refused_with_its_numbers() {
    let book = rulebook(&seventy_faces());
    let action = book.system.action("a").expect("it is there");
    // The second contest differs in a number, and is refused for the same reason.
    for contest in ["n = 1", "n = 2", "n = 2"] {
        let Err(faults) = action.build_contest(&form(&book, contest)) else {
            panic!("{contest} should be refused")
        };
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        assert!(fault.problem.contains("line 73"), "{fault:?}");
        assert!(fault.problem.contains("the rule remembers 70 numbers at this die"), "{fault:?}");
        assert!(fault.problem.contains("at most 63 are possible"), "{fault:?}");
        let help = "keep fewer dice, or use smaller bags or shorter lists";
        assert_eq!(fault.help.as_deref(), Some(help));
    }
    // Its dice are told all the same, uncounted.
    let found = inspected(&seventy_faces(), "");
    assert_eq!(found.state_count, StateCountExtent::TooWide(70, 63));
    assert_eq!(found.dice.len(), 71);
    assert!(found.dice.iter().all(|die| die.states == 0), "{found:?}");
}
