//! What `explain` tells of a rule in a text file.

use enfilade_model::catalogue::RulebookAction;
use enfilade_model::combat::CombatStepExplanation;
use enfilade_model::dice::{RolledDie, ScriptedDice};
use enfilade_testkit::test_contests::parse_contest;

/// A game of crews that lose men, with one rule without notes and one with them.
const GAME: &str = "\
record crew:
    field men: 1..6 = 3
field target: 1 to 3 of crew

part worth(n) (3.1):
    bonus = 2
    give n + bonus

action plain \"fire\" (2.0):
    before = 4
    crews = bag of target with hurt = no
    roll = 2d6
    each c in crews where c.men > roll - before: c.men -= 1
    strong = worth(roll)
    last = d6
    show left = sum(c.men for c in crews) + strong + last

action kept \"fire\":
    crews = bag of target with keep turn = 0, hurt = no
    roll = 2d6
    each c in crews where c.men > roll - 4:
        c.turn = roll
        c.men -= 1
    last = d6
    each c in crews: c.turn = last
    show left = sum(c.men for c in crews)
    show turns = sum(c.turn for c in crews)

action noted \"fire\":
    crews = bag of target with hurt = no
    roll = 2d6
    each c in crews where c.men < roll:
        if c.hurt: note \"never\"
        c.hurt = yes
        note \"{c.name} of {c.men + 1} is hurt.\"
    note \"{roll - 1} of {2 * 3}, {length(target)} crews.\"
    show hurt = count(c in crews where c.hurt)

words nerve: calm, shaken \"falls back\"
data troops:
    name  save
    green 5
    old_hand 3
record man:
    field type: one of troops
    field nerve: nerve = calm
    field paces: 1..9 = 1 \"paces away\"
    field cover: yes/no = no \"in cover\"
field men: 1 to 4 of man

action struck:
    all = bag of men with gone = no
    pick m in all where not m.gone by random:
        if d6 < m.type.save - (2 if m.cover): m.gone = yes
    left = d6 + sum(m.paces for m in all where m.nerve is calm)
    if left == 4: left = 5
    show left

action lots:
    all = bag of men with gone = no
    pick m in all by random: m.gone = yes
    show gone = count(m in all where m.gone)

action bracketed:
    x = d6
    y = 0
    if 2 * (x + 1) > 9: y = 2 * (x + 2)
    show y

action dealt:
    hand = [0, 0, 0]
    next_card = d3
    hand[next_card] = d6
    show worth = hand[1] + 2 * hand[2] + 3 * hand[3]
";

fn action(name: &str) -> std::sync::Arc<RulebookAction> {
    let none = |_: &str| Err("there are no files here".to_owned());
    let book = enfilade_rules::read_without_built_in_base("told", "told.rules", GAME, &none)
        .expect("in order");
    book.system.action(name).expect("the action is there").clone()
}

fn told(name: &str, contest: &str, faces: &[u8]) -> Vec<(String, String)> {
    let contest = parse_contest(&action(name), contest).expect("a contest");
    let mut dice = ScriptedDice::new(faces);
    let mut steps = Vec::new();
    let mut listen = |_: &[RolledDie], telling: CombatStepExplanation| {
        steps.push((telling.text, telling.rule));
        true
    };
    contest.combat.play_with_step_listener(&mut dice, &mut listen).expect("it ends");
    steps
}

const CREWS: &str = "[[target]]\nname = \"Red\"\nmen = 4\n[[target]]\nmen = 1\n[[target]]\nname = \"Blue\"\nmen = 4\n";

#[test]
fn what_is_left_of_things_is_told_and_what_is_known_is_not() {
    // 1 and 2 are 3, less 4 is -1: every crew loses a man. What is reckoned before the first die,
    // or within a part that only reckons, is not told.
    let steps = told("plain", CREWS, &[1, 2, 6]);
    let first = "roll = 3; strong = 5. crews: 2 of men 3; men 0.";
    assert_eq!(steps[0], (first.into(), "2.0, line 12".into()));
    // Nothing changed since: nothing is left to be told.
    assert_eq!(steps[1].0, "last = 6");
    // Crews that are alike are told together.
    let like = told("plain", "[[target]]\ncount = 2\nmen = 5\n[[target]]\nmen = 2\n", &[1, 2, 6]);
    assert_eq!(like[0].0, "roll = 3; strong = 5. crews: 2 of men 4; men 1.");
    let safe = told("plain", CREWS, &[6, 6, 1]);
    assert_eq!(safe[0].0, "roll = 12; strong = 14");
}

#[test]
fn a_note_reckons_in_braces() {
    let steps = told("noted", CREWS, &[1, 1]);
    // `men` changes nowhere in this rule: it tells the crews apart, which have no names.
    let first = "crew of 2 is hurt. 1 of 6, 3 crews. crews: 2 of men 4; men 1 hurt.";
    assert_eq!(steps[0].0, first);
}

/// What a rule keeps for itself is told neither by its value nor by telling the same again.
#[test]
fn what_a_rule_keeps_is_not_told() {
    // A roll of 3, less 4 is -1: every crew loses a man, and two of the three are alike again.
    let steps = told("kept", CREWS, &[1, 2, 6]);
    assert_eq!(steps[0].0, "roll = 3. crews: 2 of men 3; men 0.");
    // At the second line every crew's turn changed, and nothing that is told.
    assert_eq!(steps[1].0, "last = 6");
}

/// A place that has a name is told with it.
#[test]
fn a_place_of_a_list_is_told_with_the_name_of_its_number() {
    let steps = told("dealt", "", &[2, 5]);
    assert_eq!(steps[1].0, "hand[next card 2] = 5");
}

/// Whole brackets of a test are not completed by those of what follows it.
#[test]
fn a_test_in_brackets_is_told_without_what_follows_it() {
    let steps = told("bracketed", "", &[5]);
    assert_eq!(steps[0].0, "x = 5; y = 0; 2 × (x + 1) > 9: 12 > 9: yes; y = 14");
}

/// What is alike has a name where all have it, and each its own where they differ.
#[test]
fn things_are_called_by_their_names() {
    let named = CREWS.replace("men = 1", "men = 1\nname = \"Green\"");
    assert!(told("noted", &named, &[1, 1])[0].0.starts_with("Green of 2 is hurt."));
    let steps = told("plain", &named.replace("Blue", "Red"), &[1, 2, 6]);
    assert!(steps[0].0.ends_with("crews: 2 of Red men 3; Green men 0."), "{steps:?}");
}

/// Who was picked is told by name, and of things without names by what tells them apart; what a
/// test takes from its line are whole brackets; a test does not read as a value that is given.
#[test]
fn who_was_picked_is_told_and_tests_read_as_tests() {
    let two = "[[men]]\ntype = \"green\"\n[[men]]\ntype = \"old_hand\"\ncover = true\n";
    let texts = |name: &str, contest: &str, faces: &[u8]| {
        let steps = told(name, contest, faces);
        steps.into_iter().map(|(text, _)| text).collect::<Vec<_>>()
    };
    let missed = texts("struck", two, &[2, 1, 2]);
    assert_eq!(
        missed,
        [
            "m: old hand, in cover",
            "d6 < m's type's save − (2 if m's cover): 1 < 1: no",
            "left = 4; left is 4: 4 is 4: yes; left = 5",
        ]
    );
    let hit = texts("struck", two, &[1, 4, 1]);
    let said =
        "d6 < m's type's save − (2 if m's cover): 4 < 5: yes. all: green gone; old hand, in cover.";
    assert_eq!(hit[..2], ["m: green", said]);
    assert_eq!(hit[2], "left = 3; left is 4: 3 is 4: no");
    // Words, numbers with what they are called, and names, which come before all that.
    let three = "[[men]]\ntype = \"old_hand\"\npaces = 3\n[[men]]\ntype = \"old_hand\"\nnerve = \"shaken\"\n\
                 [[men]]\nname = \"Joe\"\ntype = \"green\"\n";
    assert_eq!(texts("struck", three, &[1, 6, 1])[0], "m: old hand, calm, paces away 3");
    assert_eq!(texts("struck", three, &[2, 6, 1])[0], "m: old hand, falls back, paces away 1");
    assert_eq!(texts("struck", three, &[3, 6, 1])[0], "m: Joe");
    // Where nothing tells them apart the line is told, without the sign that a block follows.
    let like = texts("lots", "[[men]]\ntype = \"old_hand\"\ncount = 3\n", &[2]);
    assert_eq!(like, ["pick m in all by random: m's gone = yes. all: 2 as they were; gone."]);
}
