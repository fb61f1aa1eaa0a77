//! Worked examples of `aic` in the sentences of `enfilade explain`, with the totals and the losses
//! of the rulebook.

use crate::harness::play::{contest, trace_play};

/// Returns the texts of all steps, and checks that each belongs to `rule`.
fn texts(action: &str, toml: &str, faces: &[u8], rule: &str) -> Vec<String> {
    let steps = trace_play(&contest("aic", action, toml), faces);
    for (by, text) in &steps {
        assert_eq!(by, rule, "{text}");
    }
    steps.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn the_close_combat_of_the_rulebook_is_told_figure_by_figure() {
    let told = texts(
        "close-combat",
        "attacker = { experience = 'd8', weapons = ['d6', 'd6', 'd6', 'd6'], defense = 8 }\n\
         defender = { experience = 'd6', weapons = ['d6', 'd6', 'd6', 'd6'], defense = 8, cover = 'medium' }",
        &[6, 1, 2, 5, 6, 3, 1, 5, 6, 6],
        "4.1, 6.0",
    );
    let expected = [
        "The attacking team strikes: its Experience die shows 6, for all its figures. \
         A total of 10 wounds, 12 kills.",
        "Figure 1: 6 + 1 = 7: no result.",
        "Figure 2: 6 + 2 = 8: no result.",
        "Figure 3: 6 + 5 = 11: Wounded.",
        "Figure 4: 6 + 6 = 12: KIA. The results wait until the defender has struck back.",
        "The defending team strikes back: its Experience die shows 3, for all its figures. \
         A total of 9 wounds, 11 kills.",
        "Figure 1: 3 + 1 = 4: no result.",
        "Figure 2: 3 + 5 = 8: no result.",
        "Figure 3: 3 + 6 = 9: Wounded.",
        "Figure 4: 3 + 6 = 9: Wounded. Attacking team: figures 4, wounded 2. \
         Target team: figures 3, wounded 1, pins 0.",
    ];
    assert_eq!(told, expected);
}

#[test]
fn each_attackers_losses_are_told_apart() {
    // Defense 3: 4 wounds, 6 kills. The first team loses its figure, the second nothing.
    let team = "{ experience = 'd4', figures = 1, weapon = 'd4', defense = 3 }";
    let told = texts(
        "close-combat",
        &format!(
            "attacker = [{team}, {team}]\n\
             defender = {{ experience = 'd4', figures = 2, weapon = 'd4', defense = 20 }}"
        ),
        &[1, 1, 4, 4, 1, 1, 1, 1, 1, 1],
        "4.1, 6.0",
    );
    let whole = "Target team: figures 2, wounded 0, pins 0.";
    let first = "Figure 2: 4 + 1 = 5: Wounded. Attacking team: figures 0, wounded 0.";
    assert_eq!(told[4], format!("{first} {whole}"));
    let second = "Figure 2: 1 + 1 = 2: no result. Attacking team: figures 1, wounded 0.";
    assert_eq!(told[9], format!("{second} {whole}"));
    // Without a strike back the results apply at once.
    let toml = format!(
        "strikes_back = false\nattacker = {team}\ndefender = {{ figures = 2, defense = 3 }}"
    );
    let told = texts("close-combat", &toml, &[4, 4], "4.1, 6.0");
    let expected = "Figure 1: 4 + 4 = 8: KIA. Target team: figures 1, wounded 0, pins 0.";
    assert_eq!(told[1], expected);
}

#[test]
fn fire_into_close_combat_names_friends_and_squadmates() {
    // Defense 3: 4 pins, 6 wounds, 8 kills. The KIA stays, the Wounded falls on the friends.
    let told = texts(
        "firing-into-close-combat",
        "attacker = { experience = 'd4', figures = 2, weapon = 'd4' }\n\
         defender = { figures = 1, defense = 3, squadmate = { figures = 3 } }\nfriend = { figures = 2 }",
        &[4, 4, 2],
        "4.1, 6.0",
    );
    let expected = [
        "The team fires: its Experience die shows 4, for all its figures. \
         A total of 4 pins, 6 wounds, 8 kills.",
        "Figure 1: 4 + 4 = 8: KIA.",
        "Figure 2: 4 + 2 = 6: Wounded. Target team: figures 0, wounded 0, pins 0. \
         friends: figures 2, wounded 1, pins 1.",
    ];
    assert_eq!(told, expected);
}

#[test]
fn the_morale_example_is_told_with_every_teams_pins() {
    let told = texts(
        "morale",
        "defender = { experience = 'd8', motivation = 3, pins = 2, \
                      squadmate = [{ figures = 4, pins = 4 }, { figures = 2 }] }",
        &[4],
        "5.0",
    );
    let expected = "Morale of the squad: 4. Target team: a total of 2, 2 actions. Squadmate: a total of 0, it Cowers. \
                    Squadmate: a total of 4, 3 actions. Actions in all 5, of the target team 2; \
                    Cowering 1, removed 0. squadmates: figures 4, wounded 0, pins 0, cowering; \
                    figures 2, wounded 0, pins 0.";
    assert_eq!(told, [expected]);
}

#[test]
fn suppression_is_told_from_the_fire_to_the_morale_test() {
    let combat = contest(
        "aic",
        "suppression",
        "attacker = { experience = 'd4', figures = 1, weapon = 'd4' }\n\
         defender = { experience = 'd8', figures = 4, defense = 3 }",
    );
    // 3 + 1 = 4 pins; 4 less the pin is 3, which passes.
    let told = trace_play(&combat, &[3, 1, 4]);
    let pinned = "Figure 1: 3 + 1 = 4: Pin Check. Target team: figures 4, wounded 0, pins 1.";
    assert_eq!(told[1], ("4.1, 6.0".into(), pinned.into()));
    let passed = "Morale of the squad: 4. Target team: a total of 3, 3 actions. Actions in all 3, of the target team 3; \
                  Cowering 0, removed 0.";
    assert_eq!(told[2], ("5.0".into(), passed.into()));
}

#[test]
fn the_three_results_of_an_armored_assault_are_told() {
    let told = texts(
        "armored-assault",
        "defender = [{ figures = 4 }, { figures = 4 }, { figures = 4 }]",
        &[1, 2, 4],
        "7.0 Armored Assault",
    );
    let expected = [
        "Team 1: 1, one figure Wounded and a Pin Check marker. mates: 2 of figures 4, wounded 0, pins 0; figures 4, \
         wounded 1, pins 1.",
        "Team 2: 2, a Pin Check marker. mates: figures 4, wounded 0, pins 0; figures 4, wounded 0, pins 1; figures 4, \
         wounded 1, pins 1.",
        "Team 3: 4, nothing.",
    ];
    assert_eq!(told, expected);
}
