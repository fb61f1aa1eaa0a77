//! Sentences of an explanation.

use crate::texts::combat;
use enfilade_model::dice::Scripted;

/// Returns the sentences of the steps with these faces.
fn sentences(text: &str, faces: &[u8]) -> Vec<String> {
    let combat = combat(text, "");
    let mut found = Vec::new();
    combat.narrate(&mut Scripted::new(faces), &mut |_, telling| {
        found.push(telling.text);
        true
    });
    found
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
