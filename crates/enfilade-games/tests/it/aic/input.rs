//! Faults of `aic` contests, and the largest numbers that they accept.

use crate::harness::play::{contest, faults, play_scripted};

#[test]
fn the_largest_numbers_a_form_takes_are_played() {
    // Twelve figures a team, sixteen teams, every result a Pin Check: 30 + 16 x 12 pins.
    let team = "{ experience = 'd4', figures = 12, weapon = 'd4' }";
    let with = |teams: usize| {
        format!(
            "attacker = [{}]\ndefender = {{ figures = 12, defense = 0, pins = 30 }}\n\
             pin_margin = -20\nwound_margin = 20\nkia_margin = 20",
            vec![team; teams].join(", ")
        )
    };
    let combat = contest("aic", "fire", &with(16));
    assert_eq!(play_scripted(&combat, &[1; 16 * 13], &["pins", "kia"]), [222, 0]);
    let refused = faults("aic", "fire", &with(17));
    let many = "attacker: the number of attacking teams must be 1 to 16, but it is 17";
    assert_eq!(refused, [many]);
    let one = "{ figures = 1, pins = 30 }";
    let toml = format!("defender = [{}]\nmost_figures = 100", vec![one; 24].join(", "));
    let crowd = contest("aic", "armored-assault", &toml);
    assert_eq!(play_scripted(&crowd, &[2; 24], &["pins"]), [24 * 31]);
}

#[test]
fn what_is_missing_or_does_not_fit_is_refused() {
    let cases = [
        (
            "close-combat",
            "attacker = { experience = 'd7', figures = 1, weapon = 'd6', defense = 5 }\ndefender = { figures = 1, defense = 5 }",
            "attacker.experience: expected a die",
        ),
        (
            "close-combat",
            "attacker = { experience = 'd8', defense = 5 }\ndefender = { experience = 'd6', figures = 1, weapon = 'd6', defense = 5 }",
            "attacker.weapons: the team has no figures",
        ),
        (
            "close-combat",
            "attacker = { experience = 'd8', weapons = [], defense = 5 }\ndefender = { experience = 'd6', figures = 1, weapon = 'd6', defense = 5 }",
            "attacker.weapons: the team has no figures",
        ),
        (
            "close-combat",
            "attacker = { experience = 'd8', figures = 0, weapon = 'd6', defense = 5 }\ndefender = { experience = 'd6', figures = 1, weapon = 'd6', defense = 5 }",
            "attacker.figures: the figures must be 1 to 12, but it is 0",
        ),
        (
            "close-combat",
            "attacker = { experience = 'd8', figures = 1, weapon = 'd6', defense = 5 }\ndefender = { figures = 1, weapon = 'd6', defense = 5 }",
            "defender.experience: `experience` is missing",
        ),
        (
            "close-combat",
            "attacker = { experience = 'd8', figures = 1, weapon = 'd6' }\ndefender = { experience = 'd6', figures = 1, weapon = 'd6', defense = 5 }",
            "attacker.defense: `defense` is missing",
        ),
        (
            "fire",
            "attacker = { experience = 'd8', figures = 2, weapons = ['d6'] }\ndefender = { figures = 1, defense = 5 }",
            "attacker.figures: `figures` is 2, but `weapons` lists 1",
        ),
        (
            "fire",
            "attacker = { experience = 'd8', figures = 2 }\ndefender = { figures = 1, defense = 5 }",
            "attacker.weapon: `weapon` is missing",
        ),
        (
            "fire",
            "attacker = { experience = 'd8', weapons = ['d6'], weapon = 'd6' }\ndefender = { figures = 1, defense = 5 }",
            "attacker.weapon: both `weapon` and `weapons`",
        ),
        (
            "fire",
            "attacker = { experience = 'd8', figures = 2, weapon = 'd6', wounded = 3 }\ndefender = { figures = 1, defense = 5 }",
            "attacker.wounded: 3 Wounded markers on 2 figures",
        ),
        (
            "fire",
            "attacker = { experience = 'd8', figures = 2, weapon = 'd6' }\ndefender = { figures = 1, defense = 5 }\ncover_bonus = [0, 1]",
            "cover_bonus: the number of entries must be 4, but it is 2",
        ),
        (
            "fire",
            "attacker = { experience = 'd8', figures = 2, weapon = 'd6' }\ndefender = { figures = 1, defense = 5 }\nkia_margin = 2",
            "kia_margin: the margins are 1, 3, 2",
        ),
        (
            "fire",
            "attacker = { experience = 'd8', figures = 2, weapon = 'd6' }\ndefender = { figures = 1, defense = 5 }\npin_margin = 4",
            "kia_margin: the margins are 4, 3, 5",
        ),
        (
            "morale",
            "defender = { experience = 'd8', figures = 2, wounded = 3 }",
            "defender.wounded: 3 Wounded markers on 2 figures",
        ),
        (
            "morale",
            "defender = { experience = 'd8', weapons = [] }",
            "defender.weapons: the team has no figures",
        ),
        (
            "fire",
            "attacker = []\ndefender = { figures = 1, defense = 5 }",
            "attacker: the number of attacking teams must be 1 to 16, but it is 0",
        ),
        (
            "fire",
            "attacker = { experience = 'd8', figures = 2, weapon = 'd6' }\ndefender = { figures = 1, defense = 5, squadmate = [{}, {}, {}, {}, {}, {}] }",
            "defender.squadmate: the number of squadmates must be 0 to 5, but it is 6",
        ),
        (
            "fire",
            "attacker = { experience = 'd8', figures = 2, weapon = 'd6' }\ndefender = { figures = 1, defense = 5, squadmate = [{}] }",
            "defender.squadmate.figures: `figures` is missing: the team has no figures",
        ),
        (
            "suppression",
            "attacker = { experience = 'd8', figures = 2, weapon = 'd6' }\ndefender = { figures = 1, defense = 5 }",
            "defender.experience: `experience` is missing",
        ),
        ("morale", "defender = { motivation = 3 }", "defender.experience: `experience` is missing"),
        (
            "armored-assault",
            "defender = [{ figures = 4 }, { figures = 4 }, { figures = 4 }, { figures = 4 }, { figures = 1 }]",
            "defender: 5 teams with 17 figures accompany the vehicle",
        ),
        (
            "armored-assault",
            "defender = []",
            "defender: the number of teams beside the vehicle must be 1 to 24, but it is 0",
        ),
    ];
    for (action, toml, expected) in cases {
        let found = faults("aic", action, toml);
        assert!(found.iter().any(|fault| fault.starts_with(expected)), "{toml}\n{found:?}");
        let mut once = found.clone();
        once.dedup();
        assert_eq!(once, found, "a fault is reported once");
    }
}

#[test]
fn figures_are_counted_once_and_listed_at_most_twelve_times() {
    let fired = |attacker: &str| {
        let toml = format!(
            "attacker = {{ experience = 'd8', {attacker} }}\ndefender = {{ figures = 1, defense = 5 }}"
        );
        faults("aic", "fire", &toml)
    };
    let listed = |count: usize| fired(&format!("weapons = [{}]", vec!["'d6'"; count].join(", ")));
    assert_eq!(listed(12), [""; 0]);
    let many = "attacker.weapons: the number of entries must be 0 to 12, but it is 13";
    assert_eq!(listed(13), [many]);
    // A number that agrees with the list is no fault.
    assert_eq!(fired("figures = 2, weapons = ['d6', 'd8']"), [""; 0]);
    // Without figures neither their dice nor their markers are a separate fault.
    let none = ["attacker.weapons: the team has no figures"];
    assert_eq!(fired("wounded = 1"), none);
    assert_eq!(fired("weapon = 'd6', wounded = 1"), none);
    // Margins may be equal.
    let equal = "attacker = { experience = 'd8', figures = 2, weapon = 'd6' }\n\
                 defender = { figures = 1, defense = 5 }\npin_margin = 3\nkia_margin = 3";
    assert_eq!(faults("aic", "fire", equal), [""; 0]);
}
