//! Worked examples of the `aic` rulebook with their dice, and every toggle.

use enfilade_model::dice::Dice;

use crate::harness::play::{contest, faults, play_scripted};
use crate::harness::walk::{compute_measure, count_fields};

const CC: &[&str] = &["kia", "wounded", "friendly_kia", "friendly_wounded"];

#[test]
fn example_close_combat() {
    // 6.0: totals 7, 8, 11 and 12 against 8 in Medium Cover: one Wounded, one KIA. Then all four
    // defenders strike at Defense 8: E 3 and 1, 5, 6, 6 give 4, 8, 9, 9: two Wounded.
    let combat = contest(
        "aic",
        "close-combat",
        "attacker = { experience = 'd8', weapons = ['d6', 'd6', 'd6', 'd6'], defense = 8 }\n\
         defender = { experience = 'd6', weapons = ['d6', 'd6', 'd6', 'd6'], defense = 8, cover = 'medium' }",
    );
    let faces = [6, 1, 2, 5, 6, 3, 1, 5, 6, 6];
    assert_eq!(play_scripted(&combat, &faces, CC), [1, 1, 0, 2]);
}

#[test]
fn example_two_teams_on_one() {
    // 6.2, "Multiple Teams in CC": Team B does one KIA and two Wounded to Gold Team E, then Team C
    // strikes at what is left. B: 6 and 5, 3, 4 give 11, 9 and 10 against 8. E strikes back with
    // all four figures and misses. C: 4 and 6 give 10, a third Wounded; three figures of E are left
    // to strike back.
    let combat = contest(
        "aic",
        "close-combat",
        "attacker = [{ experience = 'd8', figures = 3, weapon = 'd6', defense = 8 },\n\
         { experience = 'd8', figures = 1, weapon = 'd6', defense = 8 }]\n\
         defender = { experience = 'd6', figures = 4, weapon = 'd6', defense = 8 }",
    );
    let faces = [6, 5, 3, 4, 1, 1, 1, 1, 1, 4, 6, 1, 1, 1, 1];
    assert_eq!(play_scripted(&combat, &faces, CC), [1, 3, 0, 0]);
}

#[test]
fn example_distribution_of_results() {
    // 4.1: two Wounded and five Pins; the target takes both Wounded and two Pins and has four Pin
    // markers; three Pins fall elsewhere. E 3 and weapons 3 3 1 1 1 1 1 against Defense 3.
    let combat = contest(
        "aic",
        "fire",
        "attacker = { experience = 'd8', figures = 7, weapon = 'd6' }\n\
         defender = { figures = 4, defense = 3, squadmate = [{ figures = 4 }, { figures = 2 }] }",
    );
    let fields = ["target_wounded", "target_pins", "wounded", "pins", "kia"];
    let faces = [3, 3, 3, 1, 1, 1, 1, 1];
    assert_eq!(play_scripted(&combat, &faces, &fields), [2, 4, 2, 7, 0]);
}

#[test]
fn example_three_wounded_on_two_figures() {
    // 4.1: one figure with one Wounded is left.
    let toml = "strikes_back = false\nattacker = { experience = 'd4', figures = 3, weapon = 'd6' }\n\
                defender = { figures = 2, defense = 3 }";
    let combat = contest("aic", "close-combat", toml);
    assert_eq!(play_scripted(&combat, &[1, 3, 3, 3], CC), [1, 1, 0, 0]);
}

#[test]
fn example_the_wounded_saw_team() {
    // 4.2: with one Wounded both fire and one die is reduced: the worse one unless told otherwise.
    let with = |doctrine: &str, sides: &[u8]| {
        let toml = format!(
            "attacker = {{ experience = 'd8', weapons = ['d10', 'd6'], wounded = 1 }}\n\
             defender = {{ figures = 4, defense = 20 }}\n{doctrine}"
        );
        highest("fire", &toml, sides);
    };
    with("", &[8, 10, 4]);
    with("wound_reduces = 'best'", &[8, 8, 6]);
    with("wound_reduction = 0", &[8, 10, 6]);
    with("wound_reduces = 'best'\nwound_reduction = 2", &[8, 6, 6]);
}

#[test]
fn example_morale() {
    // 5.0: a 4 with pins 2, 4 and 0 leaves 2 actions, Cowering, and 3 actions.
    let combat = contest(
        "aic",
        "morale",
        "defender = { experience = 'd8', motivation = 3, pins = 2, squadmate = [{ pins = 4 }, { pins = 0 }] }",
    );
    let fields = ["target_actions", "actions", "cowering", "removed"];
    assert_eq!(play_scripted(&combat, &[4], &fields), [2, 5, 1, 0]);
    // "Less than four" instead: a 4 with 0 pins would still pass, a 5 with 2 pins would not.
    assert_eq!(play_scripted(&combat, &[5], &fields), [3, 7, 0, 0]);
}

#[test]
fn example_rally() {
    // 5.1: 5 less one pin less two is 2: recovers with one action. The others pass.
    let combat = contest(
        "aic",
        "morale",
        "defender = { experience = 'd8', motivation = 3, pins = 1, cowering = true, squadmate = [{}, {}] }",
    );
    let fields = ["target_actions", "actions", "cowering", "removed"];
    assert_eq!(play_scripted(&combat, &[5], &fields), [1, 7, 0, 0]);
    assert_eq!(play_scripted(&combat, &[3], &fields), [0, 6, 0, 1]);
}

#[test]
fn example_armored_assault() {
    let combat = contest(
        "aic",
        "armored-assault",
        "defender = [{ figures = 4 }, { figures = 4 }, { figures = 4 }]",
    );
    let fields = ["kia", "wounded", "pins"];
    assert_eq!(play_scripted(&combat, &[1, 2, 4], &fields), [0, 1, 2]);
    assert_eq!(play_scripted(&combat, &[3, 5, 6], &fields), [0, 0, 1]);
}

/// Dice that show their highest face and record their numbers of sides.
#[derive(Default)]
struct Highest(Vec<u8>);

impl Dice for Highest {
    fn die(&mut self, sides: u8) -> u8 {
        self.0.push(sides);
        sides
    }
}

/// Checks that a contest in which nothing hits rolls dice of exactly these sides.
fn highest(action: &str, toml: &str, sides: &[u8]) {
    let mut dice = Highest::default();
    let ending = contest("aic", action, toml).play_one_trial(&mut dice, 100);
    assert!(ending.is_some(), "the contest ends");
    assert_eq!(dice.0, sides, "{action}\n{toml}");
}

#[test]
fn every_reduction_is_by_die_type_and_adds_up() {
    let team = |state: &str| {
        format!(
            "strikes_back = false\nattacker = {{ experience = 'd12', figures = 1, weapon = 'd12'{state} }}\n\
             defender = {{ figures = 9, defense = 30 }}\n"
        )
    };
    highest("close-combat", &team(""), &[12, 12]);
    highest("close-combat", &team(", prone = true"), &[10, 12]);
    highest("close-combat", &team(", cowering = true"), &[10, 10]);
    highest("close-combat", &team(", cowering = true, prone = true, wounded = 1"), &[8, 8]);
    highest("assault-fire", &team(""), &[10, 12, 10, 12]);
    highest("assault-fire", &team(", cowering = true"), &[8, 12, 8, 10]);
    let both = team(", cowering = true, prone = true");
    let toggles = [
        ("prone_reduction = 2", [6, 10]),
        ("cowering_reduction = 0", [10, 10]),
        ("cowering_weapon_reduction = 3", [8, 6]),
        ("ladder_floor = 10", [10, 10]),
    ];
    for (toggle, faces) in toggles {
        highest("close-combat", &(both.clone() + toggle), &faces);
    }
    let fired = "attacker = { experience = 'd12', figures = 1, weapon = 'd12', cowering = true }\n\
                 defender = { figures = 9, defense = 30 }\n";
    highest("fire", fired, &[10, 12]);
    highest("advancing-fire", fired, &[8, 12]);
    highest("advancing-fire", &format!("{fired}advancing_fire_reduction = 2"), &[6, 12]);
    let assault = format!("{fired}strikes_back = false\nassault_fire_reduction = 0");
    highest("assault-fire", &assault, &[10, 12, 10, 10]);
}

#[test]
fn wounds_reduce_one_die_each_unless_they_stack() {
    let toml = "strikes_back = false\nattacker = { experience = 'd4', figures = 3, weapon = 'd10', wounded = 2 }\n\
                defender = { figures = 9, defense = 30 }\n";
    highest("close-combat", toml, &[4, 10, 8, 8]);
    highest("close-combat", &format!("{toml}wounds_stack = true"), &[4, 10, 10, 6]);
}

#[test]
fn cover_adds_its_bonus_and_armored_assault_a_step() {
    // One figure, E 1 and weapon w: the smallest w that wounds is Defense.
    let wounds_at = |cover: &str, more: &str, weapon: u8| {
        let toml = format!(
            "strikes_back = false\nattacker = {{ experience = 'd4', figures = 1, weapon = 'd12' }}\n\
             defender = {{ figures = 3, defense = 5, cover = '{cover}'{more} }}"
        );
        play_scripted(&contest("aic", "close-combat", &toml), &[1, weapon], &["wounded"]) == [1]
    };
    for (cover, bonus) in [("none", 0), ("cover", 0), ("medium", 1), ("hard", 2)] {
        assert!(wounds_at(cover, "", 5 + bonus) && !wounds_at(cover, "", 4 + bonus), "{cover}");
    }
    for (cover, bonus) in [("none", 0), ("cover", 1), ("medium", 2), ("hard", 2)] {
        let moved = ", armored_assault = true";
        assert!(
            wounds_at(cover, moved, 5 + bonus) && !wounds_at(cover, moved, 4 + bonus),
            "{cover}"
        );
    }
}

#[test]
fn margins_of_close_combat_and_of_both_presets_of_fire() {
    // E 1, weapon 1 to 12 against Defense 5: margins -3 to 8.
    let results = |action: &str, more: &str| -> Vec<[i32; 3]> {
        let toml = format!(
            "attacker = {{ experience = 'd4', figures = 1, weapon = 'd12' }}\n\
             defender = {{ figures = 3, defense = 5 }}\n{more}"
        );
        let combat = contest("aic", action, &toml);
        let row = |face| play_scripted(&combat, &[1, face], &["kia", "wounded", "pins"]);
        (1..=12).map(|face| row(face).try_into().expect("three fields")).collect()
    };
    let (none, pin, wound, kia) = ([0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 0, 1]);
    let ranged = [vec![none; 4], vec![pin; 2], vec![wound; 2], vec![kia; 4]].concat();
    assert_eq!(results("fire", ""), ranged);
    let cc = [vec![none; 3], vec![pin], vec![wound; 2], vec![kia; 6]].concat();
    assert_eq!(results("fire", "bands = 'cc'"), cc);
    let own = [vec![none; 5], vec![pin; 1], vec![wound; 3], vec![kia; 3]].concat();
    assert_eq!(results("fire", "pin_margin = 2\nwound_margin = 3\nkia_margin = 6"), own);
    let close = [vec![none; 4], vec![[0, 1, 0]; 2], vec![[1, 0, 0]; 6]].concat();
    assert_eq!(results("close-combat", "strikes_back = false"), close);
    let pinned = [vec![none; 4], vec![wound; 2], vec![kia; 6]].concat();
    assert_eq!(results("close-combat", "strikes_back = false\ncasualty_adds_pin = true"), pinned);
}

#[test]
fn doctrine_of_the_spread() {
    let total = |more: &str| {
        let toml = format!(
            "attacker = {{ experience = 'd4', figures = 5, weapon = 'd6' }}\n\
             defender = {{ figures = 4, defense = 3, squadmate = [{{ figures = 4, pins = 1 }}, {{ figures = 4 }}] }}\n{more}"
        );
        // E 2 and five 2: five Pins.
        let combat = contest("aic", "fire", &toml);
        play_scripted(&combat, &[2, 2, 2, 2, 2, 2], &["target_pins", "pins"])
    };
    assert_eq!(total(""), [3, 6]);
    assert_eq!(total("spread = 'none'"), [5, 6]);
    assert_eq!(total("target_takes_one_in = 3"), [2, 6]);
    assert_eq!(total("target_takes_one_in = 1"), [5, 6]);
}

#[test]
fn another_team_takes_no_more_results_than_the_target() {
    // Three figures, three Pins: a third is one, and as many may go to the other team; two stay.
    let toml = "attacker = { experience = 'd4', weapons = ['d4', 'd4', 'd4'] }\n\
                defender = { figures = 4, defense = 0, squadmate = [{ figures = 4 }] }\n\
                pin_margin = 1\nwound_margin = 20\nkia_margin = 20\ntarget_takes_one_in = 3\n";
    let row = |more: &str| {
        let combat = contest("aic", "fire", &format!("{toml}{more}"));
        play_scripted(&combat, &[4, 1, 2, 3], &["target_pins", "pins"])
    };
    assert_eq!(row(""), [2, 3]);
    // Fewer than one is none.
    assert_eq!(row("others_take = 'fewer'"), [3, 3]);
}

#[test]
fn several_cowering_teams_of_a_squad_without_pins_roll_a_die_each() {
    // 5.1: d8 less two and Motivation 2: 1 to 3 remove a team. Each team rolls separately: 1 -
    // (5/8)^2 = 39/64.
    let teams = |pins: i32| {
        format!(
            "experience = 'd8', motivation = 2, squadmate = [{{ figures = 3, cowering = true }}, \
             {{ figures = 1, pins = {pins} }}]"
        )
    };
    let fire = "attacker = { experience = 'd4', figures = 1, weapon = 'd4' }\n";
    for (action, fields) in [
        ("morale", format!("defender = {{ cowering = true, {} }}", teams(0))),
        ("rally", format!("defender = {{ {} }}", teams(0))),
        // No one is hurt: 4 + 4 against Defense 20.
        (
            "suppression",
            format!(
                "{fire}defender = {{ figures = 2, defense = 20, cowering = true, {} }}",
                teams(0)
            ),
        ),
    ] {
        let law = count_fields(&contest("aic", action, &fields), &["removed"]);
        let chances = [0, 1, 2].map(|n| law.chance_over_rows(|row| row[0] == n) * 64.0);
        assert_eq!(chances, [25.0, 30.0, 9.0], "{action}");
    }
    // With a pin anywhere in the squad one die is read by all (5.0): 3/8, both or neither.
    let pinned = format!("defender = {{ cowering = true, {} }}", teams(1));
    let law = count_fields(&contest("aic", "morale", &pinned), &["removed"]);
    assert_eq!([0, 1, 2].map(|n| law.chance_over_rows(|row| row[0] == n) * 8.0), [5.0, 0.0, 3.0]);
}

#[test]
fn assault_fire_is_at_the_team_that_is_fought() {
    // 7.0: the first figure's fire removes the target; the second has no opponent, and does not
    // fire.
    let toml = "attacker = [{ experience = 'd12', weapons = ['d12'], defense = 5 }, \
                            { experience = 'd12', weapons = ['d12'], defense = 5 }]\n\
                defender = { experience = 'd6', figures = 1, weapon = 'd6', defense = 2, squadmate = [{ figures = 2 }] }";
    let combat = contest("aic", "assault-fire", toml);
    assert_eq!(play_scripted(&combat, &[10, 12], &["kia", "friendly_kia"]), [1, 0]);
    // The first misses and is not hit: 1 + 1 is Defense, as 1 + 4 is. The second fires then.
    let faces = [1, 1, 1, 1, 1, 4, 10, 12];
    assert_eq!(play_scripted(&combat, &faces, &["kia", "friendly_kia"]), [1, 0]);
}

#[test]
fn of_like_squadmates_a_cowering_one_is_dealt_to_last() {
    // Two KIA, one elsewhere, on the steady team: the Cowering one is left and tests alone.
    let combat = contest(
        "aic",
        "suppression",
        "attacker = { experience = 'd4', figures = 2, weapon = 'd4' }\ncasualty_adds_pin = false\nkia_margin = 3\n\
         defender = { experience = 'd8', figures = 2, defense = 0, motivation = 2, \
                      squadmate = [{ figures = 1, cowering = true }, { figures = 1 }] }",
    );
    let fields = ["kia", "actions", "removed"];
    assert_eq!(play_scripted(&combat, &[3, 1, 1, 5], &fields), [2, 3, 0]);
    assert_eq!(play_scripted(&combat, &[3, 1, 1, 3], &fields), [3, 2, 1]);
}

#[test]
fn every_toggle_of_morale_and_rally() {
    let row = |action: &str, state: &str, toggle: &str, faces: &[u8]| {
        let toml = format!("defender = {{ experience = 'd8', motivation = 3{state} }}\n{toggle}");
        play_scripted(&contest("aic", action, &toml), faces, &["actions", "cowering", "removed"])
    };
    // Motivation 3, one pin: a 3 gives 2, one short; a pass at 4 makes it two short.
    assert_eq!(row("morale", ", pins = 1", "", &[3]), [2, 0, 0]);
    assert_eq!(row("morale", ", pins = 1", "morale_pass = 4", &[3]), [1, 0, 0]);
    // Rally on a 5: 5 - 2 passes and leaves two; other penalties and costs.
    assert_eq!(row("rally", "", "", &[5]), [2, 0, 0]);
    assert_eq!(row("rally", "", "rally_penalty = 4", &[5]), [0, 0, 0]);
    assert_eq!(row("rally", "", "rally_cost = 0", &[5]), [3, 0, 0]);
    // A reduced die in addition, alone where the squad takes no test, else after the squad's.
    assert_eq!(row("rally", "", "rally_uses_reduced_die = true", &[2]), [0, 0, 1]);
    let pinned = ", pins = 1";
    assert_eq!(row("rally", pinned, "rally_uses_reduced_die = true", &[8, 3]), [0, 0, 1]);
    let smallest = "rally_uses_reduced_die = true\ncowering_reduction = 2";
    assert_eq!(row("rally", "", smallest, &[4]), [1, 0, 0]);
    let floored = "rally_uses_reduced_die = true\ncowering_reduction = 2\nladder_floor = 6";
    assert_eq!(row("rally", "", floored, &[6]), [2, 0, 0]);
    // In contact a 4 (total 2) is not enough; with the toggle off it is.
    assert_eq!(row("rally", ", in_contact = true", "", &[4]), [0, 0, 1]);
    assert_eq!(row("rally", ", in_contact = true", "contact_needs_pass = false", &[4]), [1, 0, 0]);
}

#[test]
fn every_toggle_of_armored_assault() {
    let row = |toggle: &str, face: u8| {
        let combat =
            contest("aic", "armored-assault", &format!("defender = {{ figures = 4 }}\n{toggle}"));
        play_scripted(&combat, &[face], &["wounded", "pins"])
    };
    assert_eq!((row("", 1), row("", 2), row("", 4)), (vec![1, 1], vec![0, 1], vec![0, 0]));
    assert_eq!(row("wound_on = 2", 2), [1, 1]);
    assert_eq!(row("pin_on = 4", 4), [0, 1]);
    assert_eq!(row("casualty_adds_pin = true", 1), [1, 2]);
    let five = "defender = [{ figures = 4 }, { figures = 4 }, { figures = 4 }, { figures = 4 }, { figures = 1 }]\n";
    let fits =
        |toggle: &str| faults("aic", "armored-assault", &format!("{five}{toggle}")).is_empty();
    assert!(!fits("") && fits("most_teams = 5") && fits("most_figures = 17"));
}

#[test]
fn assault_fire_has_margins_and_pins_of_both_kinds() {
    let row = |toggle: &str, faces: &[u8]| {
        let toml = format!(
            "strikes_back = false\nattacker = {{ experience = 'd6', figures = 1, weapon = 'd12' }}\n\
             defender = {{ figures = 3, defense = 5 }}\nkia_takes = 'unwounded'\n{toggle}"
        );
        play_scripted(&contest("aic", "assault-fire", &toml), faces, &["kia", "wounded", "pins"])
    };
    // Fire: 1 + 7 = 8, margin 3, Wounded and a pin. Close combat: 1 + 7, margin 3, a KIA.
    assert_eq!(row("", &[1, 7, 1, 7]), [1, 1, 1]);
    assert_eq!(row("wound_margin = 4", &[1, 7, 1, 7]), [1, 0, 1]);
    assert_eq!(row("cc_kia_margin = 4", &[1, 7, 1, 7]), [0, 2, 1]);
    assert_eq!(row("cc_kia_margin = 4\ncc_wound_margin = 4", &[1, 7, 1, 7]), [0, 1, 1]);
    assert_eq!(row("cc_casualty_adds_pin = true", &[1, 7, 1, 7]), [1, 1, 2]);
    assert_eq!(row("casualty_adds_pin = false", &[1, 7, 1, 7]), [1, 1, 0]);
}

#[test]
fn a_squad_whose_target_is_gone_is_fired_at_and_a_gone_squad_tests_nothing() {
    let combat = contest(
        "aic",
        "suppression",
        "attacker = [{ experience = 'd4', figures = 1, weapon = 'd12' }, { experience = 'd4', figures = 1, weapon = 'd12' }, { experience = 'd4', figures = 1, weapon = 'd12' }]\n\
         defender = { experience = 'd8', figures = 1, defense = 5, squadmate = { figures = 1 } }",
    );
    // 1 + 9 = 10, margin 5: the target dies, then its squadmate; the third team has no target.
    let fields = ["kia", "actions", "cowering"];
    assert_eq!(play_scripted(&combat, &[1, 9, 1, 9], &fields), [2, 0, 0]);
    // The target dies and the next two teams miss: its squadmate is not pinned and need not test.
    assert_eq!(play_scripted(&combat, &[1, 9, 1, 1, 1, 1], &fields), [1, 3, 0]);
}

#[test]
fn one_squad_rolls_one_die_for_its_morale() {
    // Two teams with two pins each, d8, Motivation 3: a 1 or 2 gives totals -1 or 0 and takes three
    // actions or more, so both Cower together or neither does.
    let combat = contest(
        "aic",
        "morale",
        "defender = { experience = 'd8', motivation = 3, pins = 2, squadmate = { pins = 2 } }",
    );
    let law = count_fields(&combat, &["cowering"]);
    assert_eq!(law.chance_over_rows(|row| row[0] == 2), 0.25);
    assert_eq!(law.chance_over_rows(|row| row[0] == 1), 0.0);
    // Totals by roll: -1 0 1 2 3 4 5 6; actions of one team 0 0 1 2 3 3 3 3.
    assert_eq!(compute_measure(&combat, "e_actions"), 2.0 * 15.0 / 8.0);
}
