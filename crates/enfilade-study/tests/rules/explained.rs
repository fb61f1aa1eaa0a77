//! Sentences of an explanation.

use crate::texts::combat;
use enfilade_model::dice::ScriptedDice;

/// Returns the sentences of the steps with these faces.
fn sentences(text: &str, faces: &[u8]) -> Vec<String> {
    let combat = combat(text, "");
    let mut found = Vec::new();
    combat.play_with_step_listener(&mut ScriptedDice::new(faces), &mut |_, telling| {
        found.push(telling.text);
        true
    });
    found
}

/// A round that changes nothing is told once, and those that follow it are counted.
#[test]
fn rounds_in_which_nothing_changes_are_counted() {
    let text = "game \"Wall\"
action batter:
    holes = 0
    repeat:
        blow = d6
        guard = d4
        if blow == 6 and guard < 4: holes += 1
        if holes == 2: stop
    show holes
";
    let misses = |rounds: usize| [1, 2].repeat(rounds);
    let found = |misses_first: usize, misses_then: usize| {
        sentences(
            text,
            &[misses(misses_first), vec![6, 1], misses(misses_then), vec![6, 2]].concat(),
        )
    };
    let counted = |found: &[String]| {
        let rounds = found.iter().enumerate().filter(|(_, text)| text.contains("nothing changes"));
        rounds.map(|(at, text)| (at, text.clone())).collect::<Vec<_>>()
    };
    // Both dice of a round are told apart: two lines a round.
    assert_eq!(found(0, 0).len(), 4);
    assert_eq!(counted(&found(1, 0)), []);
    let one = found(2, 0);
    assert_eq!(counted(&one), [(2, "… 1 more round in which nothing changes".to_owned())]);
    assert_eq!(one.len(), 2 + 1 + 4);
    let many = found(1235, 4);
    let all = counted(&many);
    assert_eq!(all.len(), 2, "{many:?}");
    assert!(all[0].1.contains("1\u{a0}234") || all[0].1.contains("1 234"), "{all:?}");
    assert_eq!(all[1].1, "… 3 more rounds in which nothing changes");
    assert_eq!(many.len(), 2 + 1 + 2 + 2 + 1 + 2);
    assert!(many[many.len() - 1].contains("holes = 2"), "{many:?}");
}

#[test]
fn places_of_lists_are_named_by_their_brackets() {
    let text = "game \"Hand\"
action deal:
    hand = [0, 0, 0]
    card = d3
    hand[card] += 1
    other = d2
    hand[other + 1] = 5
    hand[1] = 2 * other
    show pairs = count(hand is 2)
";
    let found = sentences(text, &[3, 1]);
    assert!(found[0].ends_with("hand[card 3] = 1"), "{found:?}");
    assert!(found[1].ends_with("hand[2] = 5; hand[1] = 2"), "{found:?}");
}
