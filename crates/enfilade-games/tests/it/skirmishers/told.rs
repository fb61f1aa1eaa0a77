//! Steps of `skirmishers` in the sentences of `enfilade explain`, from the worked examples of the
//! rules page: target numbers with their sums, cells, and the state of the targets.

use crate::harness::play::{contest, trace_play};

/// Returns the texts of all steps, and checks that each belongs to `rule`.
fn texts(action: &str, toml: &str, faces: &[u8], rule: &str) -> Vec<String> {
    let steps = trace_play(&contest("skirmishers", action, toml), faces);
    for (by, text) in &steps {
        assert_eq!(by, rule, "{text}");
    }
    steps.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn attacks_are_told_with_their_target_number_and_the_card() {
    // The example: 6 + 2 + 1 − 1 = 8. 5X from cell 10 leaves HP 5, then from cell 5 crosses 5 to 1,
    // then any cell runs past 0.
    let combat = contest(
        "skirmishers",
        "attack",
        "weapon = 'LMG'\nrange = 60\nobstructions = 1\nprone_attacker = true\nshots = 4",
    );
    let told = trace_play(&combat, &[4, 3, 4, 4, 6, 4, 5, 5, 2, 3, 6, 6, 1, 1]);
    let sum = "against 8 (6 +2 long range +1 obstructions -1 prone attacker)";
    let attack = |dice: &str, result: &str| {
        let text = format!("2d6 {dice} {sum}: {result}.");
        ("Attacks".to_owned(), text)
    };
    let hit = |text: &str| ("Hits".to_owned(), text.to_owned());
    let expected = [
        attack("[4, 3] = 7", "a miss"),
        attack("[4, 4] = 8", "a hit"),
        hit("2d6 [6, 4] = 10: from cell 10; the target is HP 5, armour 0."),
        attack("[5, 5] = 10", "a hit"),
        hit("2d6 [2, 3] = 5: from cell 5; the target is out of action."),
        attack("[6, 6] = 12", "a hit"),
        hit("2d6 [1, 1] = 2: from cell 2; the target is dead."),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_breach_is_told_round_by_round() {
    let told = texts(
        "breach",
        "weapon = 'rocket launcher'\nstructure = 'wall'\nrange = 50\nrounds = 3",
        &[2, 2, 2, 1, 6, 5],
        "Large Targets",
    );
    let expected = [
        "Round 1: 2d6 [2, 2] = 4 against 4 (6 -2 large target): 8 damage, 8 in all, more than 10 needed.",
        "Round 2: 2d6 [2, 1] = 3 against 4 (6 -2 large target): 0 damage, 8 in all, more than 10 needed.",
        "Round 3: 2d6 [6, 5] = 11 against 4 (6 -2 large target): 8 damage, 16 in all, more than 10 needed.",
    ];
    assert_eq!(told, expected);
}

#[test]
fn barbed_wire_is_told_die_by_die() {
    // 8, 7 and 6 half crossed; then 8 and 7 crossed.
    let told = texts("barbed-wire", "turns = 2", &[3, 4, 4, 4, 2, 5, 3, 3], "Barbed Wire");
    let expected = [
        "Turn 1: 3 points of bludgeoning.",
        "2d6 [4, 4]: 3 cells from 8 are half crossed; HP 10.",
        "Die 4: the trooper is entangled.",
        "Turn 2: 2 points of bludgeoning.",
        "2d6 [5, 3]: 2 cells from 8 are half crossed; HP 6.",
        "Die 3: the trooper is free.",
    ];
    assert_eq!(told, expected);
}

#[test]
fn morale_is_told_survivor_by_survivor() {
    // Six dead: regulars need 7 + 2 − 2.
    let told = texts("morale", "dead = 6\nsurvivors = 3", &[3, 3, 3, 4, 1, 1], "Morale Checks");
    let against = "against 7 (7 +2 for the dead, −2 for the leader)";
    let expected = [
        format!("Survivor 1: 2d6 [3, 3] = 6 {against}: the trooper fails."),
        format!("Survivor 2: 2d6 [3, 4] = 7 {against}: the trooper holds."),
        format!("Survivor 3: 2d6 [1, 1] = 2 {against}: the trooper fails."),
    ];
    assert_eq!(told, expected);
    // No one is dead beyond the fourth; other modifiers are named as such.
    let against = |toml: &str| {
        let toml = format!("survivors = 1\n{toml}");
        let step = texts("morale", &toml, &[6, 6], "Morale Checks").remove(0);
        let (_, sum) = step.split_once("against ").expect("the number is told");
        sum.split_once(": the trooper").expect("and what came of it").0.to_owned()
    };
    assert_eq!(against("dead = 4\nmodifier = 3"), "8 (7 +3 by other modifiers, −2 for the leader)");
    assert_eq!(
        against("dead = 5\nmodifier = -1\nleader_alive = false"),
        "7 (7 +1 for the dead, −1 by other modifiers)"
    );
    assert_eq!(against("dead = 4\nleader_alive = false"), "7 (7)");
}

#[test]
fn an_explosion_is_told_from_the_aim_to_each_trooper() {
    // Scatter 3 is the third direction, where the first trooper is; the other is two dots away from
    // it. In water a light anti-tank weapon does 9X, 5X and 3X: from cells 7, 5 and 3.
    let combat = contest(
        "skirmishers",
        "explosion",
        "weapon = 'light anti-tank'\nrange = 50\nin_water = true\ntroopers = [[0, -1], [0, 0], [1, 0]]",
    );
    let told = trace_play(&combat, &[2, 3, 3, 3, 4, 2, 3, 1, 2]);
    let expected = [
        ("Attacks", "2d6 [2, 3] = 5 against 6 (6): a miss."),
        ("Explosives", "Scatter die 3: it explodes at (0, -1) from the aimed dot."),
        ("Explosives", "The trooper at (0, -1) takes 9X from cell 7 (2d6 [3, 4]): dead."),
        ("Explosives", "The trooper at (0, 0) takes 5X from cell 5 (2d6 [2, 3]): out of action."),
        ("Explosives", "The trooper at (1, 0) takes 3X from cell 3 (2d6 [1, 2]): out of action."),
    ];
    let expected = expected.map(|(rule, text)| (rule.to_owned(), text.to_owned()));
    assert_eq!(told, expected);
}

#[test]
fn a_duel_tells_hits_whose_cell_is_rolled_and_hits_whose_cell_cannot_matter() {
    // 7X from cell 10 leaves HP 3, +2 to his own attacks; after that any hit ends him. The rifle
    // fires on the move: 6 + 2, beyond 26 dots + 2, wounds + 2.
    let told = texts(
        "crewed-duel",
        "weapon = 'HMG'\ntroopers = 1\nmoves = 2\nrange = 36\ncrew = 1",
        &[4, 2, 6, 4, 6, 5, 3, 3],
        "Crewed Weapons",
    );
    let both = "1 troopers and 1 crew in action";
    let expected = [
        format!(
            "Activation 1, the weapon fires at a trooper: 2d6 [4, 2] = 6 against 6 (6): a hit; {both}."
        ),
        format!(
            "Activation 1, the weapon fires at a trooper: the hit is at 2d6 [6, 4] = 10; {both}."
        ),
        format!(
            "Activation 1, a trooper fires at the crew: 2d6 [6, 5] = 11 against 12 \
             (6 +2 long range +2 movement fire +2 wounds): a miss; {both}."
        ),
        "Activation 2, the weapon fires at a trooper: 2d6 [3, 3] = 6 against 6 (6): a hit; \
         0 troopers and 1 crew in action."
            .to_owned(),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_hit_on_the_crew_whose_cell_cannot_matter_is_told_as_a_hit() {
    // 13X kills from every cell, 8 and more hits on the move.
    let told = texts(
        "crewed-duel",
        "weapon = 'LMG'\ntroopers = 1\nmoves = 1\nrange = 20\ncrew = 1\nattacks_per_move = 0\n\
         answer = { damage = '13X' }",
        &[4, 4],
        "Crewed Weapons",
    );
    let expected = "Activation 1, a trooper fires at the crew: 2d6 [4, 4] = 8 against 8 \
                    (6 +2 movement fire): a hit; 1 troopers and 0 crew in action.";
    assert_eq!(told, [expected]);
}
