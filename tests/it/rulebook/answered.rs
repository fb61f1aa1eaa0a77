//! What the program says of a rulebook file: its faults with their lines, what it would do in
//! silence, and what is too large.

use crate::desk::Desk;

/// Faults of examples stand at the lines of the file, all at once; a condition of a record at its
/// field, also where there is one table only.
#[test]
fn an_example_is_at_fault_where_it_stands() {
    let desk = Desk::with("");
    let text = "record man:\n    field age: 1..99\n    check age > 17 \"too young\"\nfield men: 1..9 = 3\n\
                field squad: 1 to 4 of man\naction fire:\n    x = men d6\n    y = length(squad)\n    show x\n    show y\n\
                example fire:\n    mn = 4\n    [[squad]]\n    age = 30\n\
                example fire:\n    men = 12\n    [[squad]]\n    name = \"Ann\"\n    age = 12\n\
                example fire \"nobody\":\n    men = 1\n";
    desk.write("b.rules", text);
    let told = desk.run(&["rules", "check", "b.rules"]);
    for at in ["b.rules:12:5", "b.rules:16:11", "b.rules:20:9", "3 errors in b.rules"] {
        told.refused(2, at);
    }
    desk.write(
        "c.rules",
        &text.replace("mn", "men").replace("= 12", "= 9").replace("age = 9", "age = 12"),
    );
    desk.run(&["rules", "check", "c.rules"]).refused(2, "c.rules:19:11");
    desk.write("y.toml", "rules = \"c.rules\"\n[[contest]]\nsystem = \"c\"\naction = \"fire\"\n[[contest.squad]]\nage = 12\n");
    desk.run(&["odds", "y.toml"]).refused(2, "y.toml:6:7");
}

/// What only some contests show: said where the rule stands, to whoever asks for the others.
#[test]
fn a_choice_for_what_a_contest_does_not_show_is_told_in_that_contest() {
    let rule = "field seen: yes/no = no\naction a:\n    x = 0\n    choose for highest x:\n        \
                option \"go\": x = d6\n        option \"stay\": x = 3\n    show x when seen\n    \
                show hit = x > 3\n";
    let desk = Desk::with("");
    desk.write("m.rules", rule);
    let told = desk.run(&["odds", "m", "a", "seen=true", "--exact-only", "--rules", "m.rules"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let words = "line 4 of m.rules: the goal `x` of a choice is not shown in this contest";
    desk.run(&["odds", "m", "a", "--exact-only", "--rules", "m.rules"]).refused(2, words);
}

#[test]
fn odds_say_that_a_choice_knows_that_of_the_other_side() {
    let choices = "action a:\n    x = 0\n    choose for highest x:\n        option \"run\": x = 1\n        \
                   option \"hide\": x = 2\n    choose for lowest x:\n        option \"high\": \
                   x += 1\n        option \"low\": x += d3\n    show x\n";
    let desk = Desk::with("");
    desk.write("m.rules", choices);
    let told =
        desk.run(&["odds", "m", "a", "--exact-only", "--rules", "m.rules", "--format", "markdown"]);
    assert!(told.code == Some(0), "{told:?}");
    assert!(told.out.contains("the choice at line 6 knows \\`x\\` of line 3"), "{told:?}");
}

#[test]
fn what_nobody_can_play_is_not_in_order() {
    let desk = Desk::with("");
    desk.write("b.rules", "game \"B\"\n\naction go:\n    w = 255d100 high 100\n    show w\n");
    let told = desk.run(&["rules", "check", "b.rules"]);
    told.refused(2, "numbers at this die; at most 63 are possible");
    assert!(told.err.contains("b.rules:4:") && !told.out.contains("in order"), "{told:?}");
    let asked = desk.run(&["odds", "b.rules", "go", "--exact-only"]);
    asked.refused(2, "line 4 of b.rules: the rule remembers");
    let seen = desk.run(&["rules", "inspect", "b.rules"]);
    assert!(seen.code == Some(0) && seen.out.contains("it cannot be played"), "{seen:?}");
    // An example that cannot be played is told at the die, too, and others beside it.
    desk.write("c.rules", "field n: 1..200 = 2\naction go:\n    w = n d100 high 100\n    show w\nexample go:\n    n = 200\n");
    desk.run(&["rules", "check", "c.rules"]).refused(2, "c.rules:3:");
}

/// Seventeen seconds of playing for an answer that nobody waits for.
#[test]
fn what_is_large_is_said_to_be_large_and_is_not_counted() {
    let desk = Desk::with("");
    desk.write(
        "slow.rules",
        "game \"G\"\naction go:\n    v = 0\n    repeat:\n        if 2 d100 == 2: stop\n        \
         v = (v + d6) at most 30000\n    show v \"v\"\naction small:\n    x = d6\n    show x\n",
    );
    let told = desk.run(&["rules", "check", "slow.rules"]);
    assert!(told.code == Some(0) && told.out.contains("is in order"), "{told:?}");
    assert!(told.out.contains("slow go, sample 1: large: its states are not counted"), "{told:?}");
}

#[test]
fn a_large_rule_is_explained_as_far_as_it_was_counted() {
    let desk = Desk::with("");
    desk.write(
        "nat.rules",
        "game \"N\"\nfield hp: 10..5000 = 3000\naction duel:\n    a = hp\n    b = hp\n    repeat:\n        \
         if a <= 0 or b <= 0: stop\n        a -= 2d6\n        if a <= 0: stop\n        b -= 2d6\n    \
         winner = a > 0\n    show winner \"first wins\"\n",
    );
    let told = desk.run(&["rules", "inspect", "nat.rules"]);
    assert!(told.code == Some(0) && told.out.contains("more than 262 144 states"), "{told:?}");
    assert!(told.out.contains("They differ most in: "), "{told:?}");
    // With ten hit points each it is small: that is the field to reduce.
    assert!(
        told.out.contains("With one field at its smallest value") && told.out.contains("hp"),
        "{told:?}"
    );
}
