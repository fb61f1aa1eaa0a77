//! Teams as an action left them, in the action that follows: the joint law of both against the
//! enumeration of [`super::oracle`], which counts anew for the second one.

use std::collections::BTreeMap;

use enfilade_study::answer::Answer;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{SolverSettings, solve_experiment};

use super::oracle::{Team, share, suffer, volley};

/// Margins of a pin, a wound and a kill in fire.
const RANGED: (i32, i32, i32) = (1, 3, 5);

type Dist = BTreeMap<Vec<i32>, f64>;

fn experiment(contest: &str) -> Result<Experiment, StudyError> {
    let text = format!("[[contest]]\nsystem = 'aic'\n{contest}");
    Experiment::read_experiment_text(crate::built_in(), "x.toml", &text)
}

fn exact(contest: &str) -> Answer {
    let read = experiment(contest).unwrap_or_else(|error| panic!("{contest}\n{error:?}"));
    let mut all = solve_experiment(&read, &SolverSettings::for_exact_only()).expect("it is small");
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn joint(answer: &Answer, names: &[&str]) -> Dist {
    let place = |name: &&str| {
        let found = answer.fields.iter().position(|field| field.name == **name);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    let places: Vec<usize> = names.iter().map(place).collect();
    let mut rows = Dist::new();
    for outcome in &answer.outcomes {
        let row = places.iter().map(|place| outcome.values[*place]).collect::<Vec<_>>();
        *rows.entry(row).or_insert(0.0) += outcome.exact.expect("it is exact");
    }
    rows
}

fn assert_close(found: &Dist, expected: &Dist, text: &str) {
    assert_eq!(found.len(), expected.len(), "{text}");
    for (row, p) in expected {
        let there = found.get(row).copied().unwrap_or(-1.0);
        assert!((there - p).abs() < 1e-12, "{text}\n{row:?}: {there}, not {p}");
    }
}

/// What each volley does, with its chance.
fn chances(experience: u8, weapons: &[u8], defense: i32) -> Vec<([i32; 3], f64)> {
    let all = volley(experience, weapons, defense, RANGED);
    let whole: u128 = all.values().sum();
    all.into_iter().map(|(results, n)| (results, n as f64 / whole as f64)).collect()
}

/// Two volleys into a melee: the friends who are left take their share of the second as well; where
/// either side is gone, there is none.
#[test]
fn friends_in_contact_are_handed_on() {
    let teams: [Team; 2] = [[3, 0, 1], [2, 1, 0]];
    let text = "action = 'firing-into-close-combat'\n\
                attacker = { experience = 'd8', weapons = ['d8', 'd6', 'd6'] }\n\
                defender = { figures = 3, pins = 1, defense = 5 }\n\
                friend = { figures = 2, wounded = 1 }\n[[contest.then]]\n\
                action = 'firing-into-close-combat'\ncarry = true\n";
    let rolled = chances(8, &[8, 6, 6], 5);
    let told = |before: &[Team], after: &[Team]| {
        vec![
            before[0][0] - after[0][0],
            after[0][1],
            after[0][2],
            before[1][0] - after[1][0],
            after[1][1],
        ]
    };
    let mut expected = Dist::new();
    for (results, p) in &rolled {
        let once = share(&teams, *results, true, 1);
        let first = told(&teams, &once);
        if once.iter().any(|team| team[0] == 0) {
            let row = [&first[..], &[0; 5]].concat();
            *expected.entry(row).or_insert(0.0) += p;
            continue;
        }
        for (results, q) in &rolled {
            let row = [&first[..], &told(&once, &share(&once, *results, true, 1))].concat();
            *expected.entry(row).or_insert(0.0) += p * q;
        }
    }
    let fields =
        ["target_kia", "target_wounded", "target_pins", "friendly_kia", "friendly_wounded"];
    let then = fields.map(|name| format!("then_{name}"));
    let names: Vec<&str> = fields.into_iter().chain(then.iter().map(String::as_str)).collect();
    assert_close(&joint(&exact(text), &names), &expected, text);
}

/// Two Assaults are one and one more, with the figures and the best weapons that are left of each
/// team.
#[test]
fn an_assault_goes_on_with_what_is_left_of_every_team() {
    let enemies = "[[contest.defender]]\nexperience = 'd6'\nweapons = ['d4', 'd8']\nwounded = 1\ndefense = 8\n\
                   [[contest.defender]]\nexperience = 'd6'\nfigures = 1\nweapon = 'd8'\ndefense = 7\ncover = 'medium'\n\
                   [[contest.defender]]\nfigures = 2\nin_contact = false\n";
    let attacker = "attacker = { experience = 'd6', weapons = ['d4', 'd6'], defense = 8 }\n";
    let whole = exact(&format!("action = 'assault'\nassaults = 2\n{attacker}{enemies}"));
    let parts = exact(&format!(
        "action = 'assault'\n{attacker}{enemies}[[contest.then]]\naction = 'assault'\ncarry = true\n"
    ));
    let found = joint(&parts, &["kia", "friendly_kia", "then_kia", "then_friendly_kia"]);
    let mut summed = Dist::new();
    for (row, p) in found {
        *summed.entry(vec![row[0] + row[2], row[1] + row[3]]).or_insert(0.0) += p;
    }
    let expected = joint(&whole, &["kia", "friendly_kia"]);
    assert!(expected.len() > 8, "{expected:?}");
    assert_close(&summed, &expected, "two assaults");
}

/// Four pins of fire that can do nothing else are still there behind an Assault that does nothing,
/// and count in the test of morale; an Assault on several teams cannot be followed by a test of
/// one.
#[test]
fn pins_outlast_an_assault() {
    let fire = "action = 'fire'\nattacker = { experience = 'd4', figures = 4, weapon = 'd4' }\n\
                pin_margin = -20\nwound_margin = 20\nkia_margin = 20\n\
                defender = { experience = 'd10', figures = 4, weapon = 'd4', defense = 20 }\n";
    let assault = "[[contest.then]]\naction = 'assault'\ncarry = ['defender']\nstrikes_back = false\n\
                   attacker = { experience = 'd4', figures = 1, weapon = 'd4' }\n";
    let morale = "[[contest.then]]\naction = 'morale'\ncarry = ['defender']\n";
    let found = joint(
        &exact(&format!("{fire}{assault}{morale}")),
        &["pins", "then_pins", "then_2_actions"],
    );
    // A d10 less 4 pins: 3 actions for a total of 3 and more, one less for each point short, and
    // none below 1.
    let actions = |face: i32| (3 - (3 - (face - 4)).max(0)).max(0);
    let mut expected = Dist::new();
    for face in 1..=10 {
        *expected.entry(vec![4, 4, actions(face)]).or_insert(0.0) += 0.1;
    }
    assert_close(&found, &expected, "pins");
    let several = "action = 'assault'\nattacker = { experience = 'd4', figures = 1, weapon = 'd4' }\n\
                   strikes_back = false\ndefender = [{ figures = 2, defense = 9 }, { figures = 2, defense = 9 }]\n";
    let refused = experiment(&format!("{several}{morale}")).expect_err("they are two");
    assert!(
        format!("{refused:?}").contains("`defender` is one, but 2 are handed on"),
        "{refused:?}"
    );
}

/// Two vehicles are lost beside the same teams: the second finds the figures and the markers that
/// the first one left, and rolls nothing for a team that is gone.
#[test]
fn teams_beside_a_vehicle_are_handed_on() {
    let teams: [Team; 3] = [[2, 1, 0], [1, 0, 3], [3, 0, 0]];
    let text = "action = 'armored-assault'\n\
                defender = [{ figures = 2, wounded = 1 }, { figures = 1, pins = 3 }, { weapons = ['d4', 'd8', 'd6'] }]\n\
                [[contest.then]]\naction = 'armored-assault'\ncarry = true\n";
    let results = |face| match face {
        1 => [0, 1, 1],
        2 | 3 => [0, 0, 1],
        _ => [0, 0, 0],
    };
    let told = |before: &[Team], after: &[Team]| {
        let sum = |teams: &[Team], at: usize| teams.iter().map(|team| team[at]).sum::<i32>();
        [sum(before, 0) - sum(after, 0), sum(after, 1), sum(after, 2)]
    };
    let struck = |teams: &[Team]| {
        let mut all = vec![(Vec::new(), 1.0)];
        for team in teams {
            let grown = |(after, p): (Vec<Team>, f64)| {
                (1..=6).map(move |face| {
                    let now = suffer(*team, results(face), false);
                    ([&after[..], &[now]].concat(), p / 6.0)
                })
            };
            all = all.into_iter().flat_map(grown).collect();
        }
        all
    };
    let mut expected = Dist::new();
    for (first, p) in struck(&teams) {
        let living: Vec<Team> = first.iter().copied().filter(|team| team[0] > 0).collect();
        for (second, q) in struck(&living) {
            let row = [told(&teams, &first), told(&living, &second)].concat();
            *expected.entry(row).or_insert(0.0) += p * q;
        }
    }
    let fields = ["kia", "wounded", "pins"];
    let then = fields.map(|name| format!("then_{name}"));
    let names: Vec<&str> = fields.into_iter().chain(then.iter().map(String::as_str)).collect();
    assert_close(&joint(&exact(text), &names), &expected, text);
}
