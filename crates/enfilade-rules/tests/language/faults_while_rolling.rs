//! Rules that fail while they are rolled, or wait for a player, step by step; and contests whose
//! numbers are scaled.

use enfilade_model::catalogue::Contest;
use enfilade_model::combat::{CombatStepExplanation, FieldChange};
use enfilade_model::dice::{RolledDie, ScriptedDice};
use enfilade_model::form::Form;
use enfilade_testkit::test_contests::{parse_contest, play_scripted, trace_play};

use super::dice_and_their_states::rulebook;

fn contest(text: &str, contest: &str) -> Contest {
    let book = rulebook(text);
    let action = book.system.action("a").expect("it is there");
    parse_contest(action, contest).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
}

/// A rule that divides by 0 after a 6.
const FAILS: &str = "field fp: 0..99 = 1\naction a:\n    x = d6\n    y = 12 / (6 - x)\n    \
    z = d6\n    show all = y + z\n    carry fp = y\n";

#[test]
fn a_state_of_a_failed_rule_has_no_names_and_changes_nothing() {
    let failing = contest(FAILS, "").combat;
    let named = failing.with_variable_names().expect("it is text");
    let mut states = named.new_state_numbering();
    let start = states.initial_state();
    let failed = states.play_one_step(start, &mut ScriptedDice::new(&[6]));
    let ending = states.ending_of_state(failed).expect("nothing follows a fault");
    assert!(ending.fields.iter().all(|field| *field == 0));
    assert!(states.named_variables(failed).is_empty());
    assert!(states.changes_in_final_state(failed).is_empty());
    let fault = named.recorded_rule_fault().expect("a division by 0").fault;
    assert!(fault.problem.contains("divi"), "{fault:?}");
    // After a 2 it is 12 / 4, and the second die adds 4.
    let over = states.play_one_step(start, &mut ScriptedDice::new(&[2, 4]));
    assert_eq!(states.ending_of_state(over).map(|ending| ending.fields[0]), Some(7));
}

#[test]
fn the_widest_variable_is_found_beside_states_that_failed() {
    // 12 / 5, 4, 3, 2, 1 are 2, 3, 4, 6 and 12.
    assert_eq!(contest(FAILS, "").combat.find_widest_variable(1000), Some(("y".to_owned(), 5)));
}

#[test]
fn a_decision_that_was_not_solved_is_a_fault_of_the_trial() {
    let text = "action a:\n    x = d6\n    choose for highest x:\n        \
                option \"again\": x = d6\n        option \"stay\":\n    show x\n";
    let played = contest(text, "").combat;
    assert!(played.play_one_trial(&mut ScriptedDice::new(&[1, 1]), 100).is_none());
    assert!(played.recorded_rule_fault().is_some());
    let told = contest(text, "").combat;
    let mut listen = |_: &[RolledDie], _: CombatStepExplanation| true;
    assert!(told.play_with_step_listener(&mut ScriptedDice::new(&[1, 1]), &mut listen).is_none());
    assert!(told.recorded_rule_fault().is_some());
}

/// A variable holds −32 768 to 32 767.
#[test]
fn a_variable_that_is_rolled_too_large_or_too_small_is_a_fault() {
    for (factor, last) in [("6000", 5), ("-6000", 5), ("32767", 1), ("-32768", 1)] {
        let text =
            format!("action a:\n    y = {factor} * d6\n    x = d6\n    show x\n    show y\n");
        let within = contest(&text, "").combat;
        let expected = factor.parse::<i32>().expect("a number") * i32::from(last);
        assert_eq!(play_scripted(&within, &[last, 3], &["x", "y"]), [3, expected]);
        assert!(within.recorded_rule_fault().is_none(), "{factor}");
        let beyond = contest(&text, "").combat;
        beyond.play_one_trial(&mut ScriptedDice::new(&[last + 1, 3]), 100);
        let fault = beyond.recorded_rule_fault().unwrap_or_else(|| panic!("{factor}")).fault;
        assert!(fault.problem.contains("32 767"), "{fault:?}");
    }
}

#[test]
fn a_loop_without_dice_and_without_end_is_stopped() {
    let text = "field n: 1..9 = 1\naction a:\n    x = d6\n    y = 0\n    repeat:\n        \
                y = 1 - y\n        if y > n: stop\n    show all = x + y\n";
    let stuck = contest(text, "").combat;
    stuck.play_one_trial(&mut ScriptedDice::new(&[1]), 10);
    let fault = stuck.recorded_rule_fault().expect("it was stopped").fault;
    assert_eq!(fault.problem, "this loop never rolls a die and never ends");
}

#[test]
fn a_listener_may_stop_at_any_step() {
    let text = "action a:\n    x = d6\n    y = d6\n    show all = x + y\n";
    for last in 1..=2 {
        let mut heard = 0;
        let mut listen = |_: &[RolledDie], _: CombatStepExplanation| {
            heard += 1;
            heard < last
        };
        let mut dice = ScriptedDice::new(&[2, 3]);
        let ending = contest(text, "").combat.play_with_step_listener(&mut dice, &mut listen);
        assert!(ending.is_none());
        assert_eq!(heard, last);
    }
}

#[test]
fn a_count_begins_before_the_first_die_however_it_is_stepped() {
    let text = "action a:\n    x = 0\n    tally rounds\n    repeat:\n        tally rounds\n        \
                x = x + 1 at most 3\n        if d2 == 2 or x == 3: stop\n    show x\n    \
                measure e = mean(rounds)\n";
    let counted = contest(text, "").combat;
    let mut states = counted.new_state_numbering();
    let start = states.initial_state();
    let one = states.play_one_step(start, &mut ScriptedDice::new(&[1]));
    let many = states.step_until_progress(start, &mut ScriptedDice::new(&[1]), 10);
    assert_eq!(one, many);
    assert!(states.ending_of_state(start).is_none());
}

/// The rounds of a loop make no progress, and the die behind it does.
#[test]
fn a_trial_is_stepped_through_rounds_up_to_the_die_behind_them() {
    let text = "action a:\n    x = 0\n    repeat:\n        x = x + 1 at most 9\n        \
                if d6 == 6: stop\n    y = d100\n    show all = x * 100 + y\n";
    let rounds = contest(text, "").combat;
    let mut states = rounds.new_state_numbering();
    let start = states.initial_state();
    let mut one_by_one = |faces: &[u8]| {
        faces.iter().fold(start, |state, face| {
            states.play_one_step(state, &mut ScriptedDice::new(&[*face]))
        })
    };
    let (two, three) = (one_by_one(&[2, 3]), one_by_one(&[2, 3, 6]));
    assert_ne!(two, three);
    let mut many =
        |most| states.step_until_progress(start, &mut ScriptedDice::new(&[2, 3, 6, 99]), most);
    assert_eq!((many(2), many(10)), (two, three));
    let over = states.play_one_step(three, &mut ScriptedDice::new(&[99]));
    assert_eq!(states.ending_of_state(over).map(|ending| ending.fields[0]), Some(399));
}

#[test]
fn large_amounts_are_scaled_and_factors_are_not() {
    let text = "field hp: 1..3000 = 3000\naction a:\n    x = d6\n    y = 40 * x\n    \
                if d20 >= 18: y += 2000\n    z = (1 if d100 >= 50)\n    show all = y + z\n    \
                show over = y - hp\n";
    let whole = contest(text, "").combat;
    assert_eq!(play_scripted(&whole, &[6, 18, 50], &["all", "over"]), [2241, -760]);
    assert_eq!(whole.largest_rule_number(), Some(3000));
    let tenth = whole.scale_numbers_down(0.1).expect("it is text");
    assert_eq!(tenth.largest_rule_number(), Some(300));
    // 2 000 becomes 200, 18 and 50 become 16, which is the least; 40 is a factor.
    let ending = |faces: &[u8]| play_scripted(&tenth, faces, &["all", "over"]);
    assert_eq!(ending(&[6, 16, 16]), [441, 140]);
    assert_eq!(ending(&[6, 15, 15]), [240, -60]);
}

#[test]
fn a_field_is_looked_up_by_its_path_and_nothing_below_a_number() {
    let text = "record unit:\n    field men: 1..4 = 2\nfield fp: 1..9 = 3\nfield first: unit\n\
                field target: 1 to 3 of unit\naction a:\n    \
                x = d6 + fp + first.men + sum(u.men for u in target)\n    show x\n";
    let book = rulebook(text);
    let action = book.system.action("a").expect("it is there");
    let table = "[first]\n[[target]]\nmen = 4\n[[target]]\nmen = 1\n".parse().expect("TOML");
    let form = Form::from_table_with_defaults(&action.fields, &table).expect("a form");
    for (path, number) in [
        ("fp", Some(3)),
        ("fp.men", None),
        ("first.men", Some(2)),
        ("first.men.more", None),
        ("first", None),
        ("target[1].men", Some(1)),
        ("target[2].men", None),
        ("nothing", None),
    ] {
        assert_eq!((action.otherwise)(&form, path), number, "{path}");
    }
}

/// What a rule of one die carries on of two tables, of which the second has size 4.
fn carried_after_face(text: &str, face: u8) -> Vec<FieldChange> {
    let book = rulebook(text);
    let action = book.system.action("a").expect("it is there");
    let table = "[[target]]\n[[target]]\nsize = 4\n".parse().expect("TOML");
    let form = Form::from_table_with_defaults(&action.fields, &table).expect("a form");
    let build = action.leaves.build.as_ref().expect("it carries a field");
    let combat = build(&form).expect("a contest").combat;
    let mut states = combat.new_state_numbering();
    let start = states.initial_state();
    let last = states.play_one_step(start, &mut ScriptedDice::new(&[face]));
    states.changes_in_final_state(last)
}

/// The change of the field `target` to these tables.
fn tables_with(field: &'static str, values: [i32; 2]) -> [FieldChange; 1] {
    let tables = values.into_iter().enumerate();
    let tables = tables.map(|(at, value)| (at, vec![(field.into(), value)]));
    [FieldChange::Tables("target".into(), tables.collect())]
}

/// The first table without any change is carried on like every other.
#[test]
fn what_is_left_of_a_bag_names_every_table() {
    let text = "record unit:\n    field size: 1..9 = 2\n    field hurt: 0..9 = 0\n\
                field target: 1 to 3 of unit\naction a:\n    us = bag of target with hurt = 0\n    x = d6\n    \
                each u in us where u.size < x: u.hurt = 1\n    show x\n    carry target = us\n";
    for (face, hurt) in [(2, [0, 0]), (3, [1, 0]), (5, [1, 1])] {
        assert_eq!(carried_after_face(text, face), tables_with("hurt", hurt), "{face}");
    }
}

/// A field of a bag is stored from its least value on, and carried on as the number that it is.
#[test]
fn what_is_left_of_a_bag_has_its_own_numbers() {
    let text = "record unit:\n    field size: 1..9 = 2\n    field morale: 3..9 = 8\n\
                field target: 1 to 3 of unit\naction a:\n    us = bag of target with morale = 8\n    \
                x = d6\n    each u in us where u.size < x: u.morale = 5\n    show x\n    \
                carry target = us\n";
    for (face, morale) in [(2, [8, 8]), (3, [5, 8]), (5, [5, 5])] {
        assert_eq!(carried_after_face(text, face), tables_with("morale", morale), "{face}");
    }
}

/// The next action may have a field that this one has not.
#[test]
fn a_field_of_another_action_is_carried_to_it() {
    let text = "action a:\n    x = d6\n    show x\n    carry men = x\naction b:\n    \
                field how: walk or run = run\n    field men: 1..9 = 3\n    y = d6 + men\n    \
                if how is run: y += 1\n    show y\n";
    let book = rulebook(text);
    let action = book.system.action("a").expect("it is there");
    assert_eq!(action.leaves.fields.iter().collect::<Vec<_>>(), ["men"]);
}

/// A program of several contests compares the die with a number that it loads.
#[test]
fn a_number_that_is_loaded_is_scaled_with_its_test() {
    let text = "field need: 1..300 = 90\naction a:\n    x = d100\n    hit = (1 if x >= need)\n    \
                show hit\n";
    let book = rulebook(text);
    let action = book.system.action("a").expect("it is there");
    for (need, half) in [(90, 45), (50, 25), (60, 30)] {
        let whole = parse_contest(action, &format!("need = {need}")).expect("a contest").combat;
        let scaled = whole.scale_numbers_down(0.5).expect("it is text");
        for (combat, least) in [(&whole, need), (&scaled, half)] {
            assert_eq!(play_scripted(combat, &[least - 1], &["hit"]), [0], "{need}");
            assert_eq!(play_scripted(combat, &[least], &["hit"]), [1], "{need}");
        }
    }
}

/// What is told waits for a round in which nothing changes, but not without end.
#[test]
fn a_listener_may_stop_while_a_long_trial_goes_on() {
    let text = "action a:\n    n = 0\n    repeat:\n        x = d6\n        y = d8\n        \
                n = rest(n + x, 7)\n        if y is 8: stop\n    show n\n";
    let faces: Vec<u8> = [1, 1].repeat(10_000);
    let mut dice = ScriptedDice::new(&faces);
    let mut heard = 0;
    let mut listen = |_: &[RolledDie], _: CombatStepExplanation| {
        heard += 1;
        false
    };
    assert!(contest(text, "").combat.play_with_step_listener(&mut dice, &mut listen).is_none());
    assert_eq!(heard, 1);
    // It did not roll on to the last of the faces.
    assert!(dice.used_face_count() < faces.len(), "{}", dice.used_face_count());
}

#[test]
fn a_field_that_two_calls_carry_is_named_once() {
    let text = "field fp: 0..99 = 1\npart p(k):\n    carry fp = k\naction a:\n    x = d6\n    \
                show all = x + fp\n    p(x)\n    p(x + 1)\n";
    let book = rulebook(text);
    let action = book.system.action("a").expect("it is there");
    assert_eq!(action.leaves.fields.iter().collect::<Vec<_>>(), ["fp"]);
}

/// A variable holds sixteen bits, and what is between two dice of one line may be wider.
#[test]
fn a_trial_is_told_with_an_intermediate_number_that_no_variable_holds() {
    let text = "action a:\n    n = d100\n    x = (n * n * 10 + d6) / 10000\n    show x\n";
    let wide = contest(text, "").combat;
    // 100 005 ÷ 10 000, and 39 696 ÷ 10 000.
    for (faces, expected) in [([100, 5], 10), ([63, 6], 3)] {
        assert_eq!(play_scripted(&wide, &faces, &["x"]), [expected]);
        let told = trace_play(&wide, &faces).into_iter().map(|(_, text)| text);
        let lines = [format!("n = {}", faces[0]), format!("x = {expected}")];
        assert_eq!(told.collect::<Vec<_>>(), lines);
    }
    assert!(wide.recorded_rule_fault().is_none());
}

/// Of a single table nothing else is carried, only the highest of its list.
#[test]
fn the_highest_of_a_list_of_one_table_are_carried() {
    let text = "record unit:\n    field guns: 1 to 6 of 1..9 = [2]\nfield first: unit\naction a:\n    \
                x = d3\n    show all = x + length(first.guns)\n    carry first.guns high x\n";
    let book = rulebook(text);
    let action = book.system.action("a").expect("it is there");
    let table = "[first]\nguns = [3, 7, 5, 1]\n".parse().expect("TOML");
    let form = Form::from_table_with_defaults(&action.fields, &table).expect("a form");
    let build = action.leaves.build.as_ref().expect("it carries a field");
    let combat = build(&form).expect("a contest").combat;
    let mut states = combat.new_state_numbering();
    let start = states.initial_state();
    let last = states.play_one_step(start, &mut ScriptedDice::new(&[2]));
    let expected = FieldChange::Highest("first.guns".into(), 2);
    assert_eq!(states.changes_in_final_state(last), [expected]);
}
