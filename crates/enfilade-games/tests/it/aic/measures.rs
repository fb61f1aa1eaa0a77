//! Measures of `aic` by name, and the distribution of results over a squad. The expected numbers
//! are counted by hand from the rules page.

use crate::harness::play::{contest, play_scripted, try_contest};
use crate::harness::walk::assert_measures;

/// Margins at which every total wounds, or kills.
const ALL_WOUND: &str = "pin_margin = 1\nwound_margin = 1\nkia_margin = 20";
const ALL_KILL: &str = "pin_margin = 1\nwound_margin = 1\nkia_margin = 1";

#[test]
fn measures_of_an_armored_assault() {
    // Pinned on 2 in place of 3, so that something and nothing are not equally likely. Two whole
    // teams: 1 wounds and pins, 2 pins. The third is one Wounded figure with two pins: 1 removes it
    // and its markers, 2 adds a pin. In sixths: wounded 1 + 1 + 5, pins 2 + 2 + (3 + 4 × 2).
    let combat = contest(
        "aic",
        "armored-assault",
        "defender = [{ figures = 4 }, { figures = 4 }, { figures = 1, wounded = 1, pins = 2 }]\npin_on = 2",
    );
    let expected = [
        ("p_kill", 1.0 / 6.0),
        // More markers than before: of the whole teams only.
        ("p_wound", 11.0 / 36.0),
        // Carried by a team: 1 and 2 of the whole ones, 2 of the third.
        ("p_pin", 1.0 - 4.0 * 4.0 * 5.0 / 216.0),
        ("p_no_effect", 64.0 / 216.0),
        ("e_kia", 1.0 / 6.0),
        ("e_wounded", 7.0 / 6.0),
        ("e_pins", 15.0 / 6.0),
    ];
    assert_measures(&combat, &expected);
}

#[test]
fn measures_of_an_assault() {
    // d4 and d4 against Defense 3: of 16 falls 3 do nothing, 7 wound (4 and 5), 6 kill (6 to 8).
    let combat = contest(
        "aic",
        "assault",
        &format!(
            "{ONE_FIGURE}defender = [{{ figures = 2, wounded = 1, defense = 3 }}]\n\
             strikes_back = false\ncasualty_adds_pin = true"
        ),
    );
    let expected = [
        ("p_kill", 6.0 / 16.0),
        ("p_wound", 7.0 / 16.0),
        ("e_kia", 6.0 / 16.0),
        // The figure lost is the Wounded one.
        ("e_wounded", 1.0 + 7.0 / 16.0 - 6.0 / 16.0),
        ("p_pin", 13.0 / 16.0),
        ("p_no_effect", 3.0 / 16.0),
        ("e_pins", 13.0 / 16.0),
        ("p_all_gone", 0.0),
        ("p_friendly_kill", 0.0),
        ("e_friendly_kia", 0.0),
        ("e_friendly_wounded", 0.0),
        ("p_attacker_gone", 0.0),
    ];
    assert_measures(&combat, &expected);
}

/// One figure with d4 and d4 against Defense 3: of 16 falls 3 do nothing, 7 pin (4 and 5), 5 wound
/// (6 and 7), 1 kills (8).
const ONE_FIGURE: &str = "attacker = { experience = 'd4', figures = 1, weapon = 'd4' }\n";

#[test]
fn measures_of_fire_compare_with_the_start() {
    let toml =
        format!("{ONE_FIGURE}defender = {{ figures = 2, wounded = 1, pins = 1, defense = 3 }}");
    let expected = [
        ("p_kill", 1.0 / 16.0),
        ("p_wound", 5.0 / 16.0),
        ("e_kia", 1.0 / 16.0),
        // The figure lost is the Wounded one.
        ("e_wounded", 1.0 + 5.0 / 16.0 - 1.0 / 16.0),
        // A casualty brings a pin too.
        ("p_pin", 13.0 / 16.0),
        ("p_no_effect", 3.0 / 16.0),
        ("e_pins", 1.0 + 13.0 / 16.0),
    ];
    assert_measures(&contest("aic", "fire", &toml), &expected);
}

#[test]
fn measures_of_suppression_call_a_pinned_squad_that_passes_unhurt() {
    // Every result but "nothing" leaves one pin. The d4 of the squad less one is 0 to 3: the team
    // with Motivation 2 has no actions left (it Cowers), none (it Cowers), one, both.
    let toml = format!(
        "{ONE_FIGURE}defender = {{ experience = 'd4', figures = 2, defense = 3, motivation = 2 }}"
    );
    let expected = [
        ("p_kill", 1.0 / 16.0),
        ("p_wound", 5.0 / 16.0),
        ("e_kia", 1.0 / 16.0),
        ("e_wounded", 5.0 / 16.0),
        ("p_cower", 13.0 / 32.0),
        ("p_removed", 0.0),
        ("e_actions", (3.0 * 2.0 + 13.0 * 3.0 / 4.0) / 16.0),
        // Nothing, or a pin and then a 4.
        ("p_no_effect", (3.0 + 7.0 / 4.0) / 16.0),
    ];
    assert_measures(&contest("aic", "suppression", &toml), &expected);
}

#[test]
fn friends_in_contact_are_told_apart_from_the_firers() {
    // Both figures kill: one falls on the target, one on the friends. The firers' own Wounded
    // marker is no loss of the friends, who lose one of their two with the figure.
    let combat = contest(
        "aic",
        "firing-into-close-combat",
        &format!(
            "attacker = {{ experience = 'd4', figures = 2, weapon = 'd4', wounded = 1 }}\n\
             defender = {{ figures = 2, defense = 0 }}\nfriend = {{ figures = 3, wounded = 2 }}\n{ALL_KILL}"
        ),
    );
    let expected = [
        ("p_kill", 1.0),
        ("p_wound", 0.0),
        ("e_kia", 1.0),
        ("e_wounded", 0.0),
        ("p_pin", 1.0),
        ("p_no_effect", 0.0),
        ("e_pins", 1.0),
        ("p_friendly_kill", 1.0),
        ("e_friendly_kia", 1.0),
        ("e_friendly_wounded", 1.0),
    ];
    assert_measures(&combat, &expected);
}

#[test]
fn each_friend_takes_his_share_and_is_never_aimed_at() {
    let into =
        |toml: &str| contest("aic", "firing-into-close-combat", &format!("{toml}\n{ALL_KILL}"));
    let fields = ["kia", "friendly_kia"];
    // Four KIA: two on the target, one on each friend.
    let two = into(
        "attacker = { experience = 'd4', figures = 4, weapon = 'd4' }\n\
         defender = { figures = 3, defense = 0 }\nfriend = [{ figures = 1 }, { figures = 2 }]",
    );
    assert_eq!(play_scripted(&two, &[1, 1, 1, 1, 1], &fields), [2, 2]);
    // The first team removes the target; the second fires at its squadmate, not at the friend.
    let teams = "attacker = [{ experience = 'd4', figures = 1, weapon = 'd4' }, \
                             { experience = 'd4', figures = 1, weapon = 'd4' }]\nfriend = { figures = 2 }\n";
    let mate = into(&format!(
        "{teams}defender = {{ figures = 1, defense = 0, squadmate = {{ figures = 1 }} }}"
    ));
    assert_eq!(play_scripted(&mate, &[1, 1, 1, 1], &fields), [2, 0]);
    // Without squadmates no one is left to fire at.
    let alone = into(&format!("{teams}defender = {{ figures = 1, defense = 0 }}"));
    assert_eq!(play_scripted(&alone, &[1, 1], &fields), [1, 0]);
}

#[test]
fn one_team_takes_all_that_the_target_need_not_when_the_owner_says_so() {
    // Four Wounded: two stay. On one team, that with the most pins, the other two remove its
    // figure; dealt in turn they leave a marker on each.
    let row = |spread: &str| {
        let toml = format!(
            "attacker = {{ experience = 'd4', figures = 4, weapon = 'd4' }}\n\
             defender = {{ figures = 4, defense = 0, squadmate = [{{ figures = 4 }}, {{ figures = 1, pins = 1 }}] }}\n\
             spread = '{spread}'\n{ALL_WOUND}"
        );
        let fields = ["kia", "wounded", "target_wounded"];
        play_scripted(&contest("aic", "fire", &toml), &[1; 5], &fields)
    };
    assert_eq!(row("one"), [1, 2, 2]);
    assert_eq!(row("even"), [0, 4, 2]);
    assert_eq!(row("none"), [0, 4, 4]);
}

#[test]
fn of_squadmates_with_the_same_pins_the_strongest_takes_the_first_result() {
    // Two Wounded, one elsewhere: the four figures bear it, the Wounded figure would be removed.
    let row = |mates: &str| {
        let toml = format!(
            "attacker = {{ experience = 'd4', figures = 2, weapon = 'd4' }}\n\
             defender = {{ figures = 2, defense = 0, squadmate = [{mates}] }}\n{ALL_WOUND}"
        );
        play_scripted(&contest("aic", "fire", &toml), &[1; 3], &["kia", "wounded"])
    };
    let (weak, strong) = ("{ figures = 1, wounded = 1 }", "{ figures = 4 }");
    assert_eq!(row(&format!("{weak}, {strong}")), [0, 3]);
    assert_eq!(row(&format!("{strong}, {weak}")), [0, 3]);
}

#[test]
fn five_squadmates_are_played() {
    let toml = format!(
        "{ONE_FIGURE}defender = {{ figures = 1, defense = 3, squadmate = [{}] }}",
        ["{ figures = 1 }"; 5].join(", ")
    );
    assert!(try_contest("aic", "fire", &toml).is_ok());
}
