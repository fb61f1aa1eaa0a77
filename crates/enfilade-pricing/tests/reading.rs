//! Arsenals whose units all meet each other.

mod given;

use enfilade_games::built_in_catalogue;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use enfilade_pricing::price::prices_from_evidence;
use given::{PLANTED, TEN, catalogue};

/// Four of the ten.
const FOUR: [usize; 4] = [0, 4, 6, 8];

fn four(key: &str, scenarios: &str) -> String {
    let mut text = format!("system = 'dropzone'\n{key}\n");
    FOUR.map(|unit| TEN[unit])
        .iter()
        .for_each(|(name, _)| text += &format!("[[weapon]]\nname = '{name}'\n"));
    text + scenarios
}

const OPEN: &str = "[[scenario]]\nname = 'open'\nrange = [36, 30, 24, 18, 12, 6]\n\
    target = { unit = 'UCM/Sabre Tank', troopers = 5 }\n";

/// The key has the effect of four scenarios written one by one.
#[test]
fn all_meet_all() {
    let arsenal =
        Arsenal::read_arsenal_text(&built_in_catalogue(), "four", &four("opponents = 'all'", OPEN));
    let arsenal = arsenal.expect("it is in order");
    let names: Vec<&str> = arsenal.scenarios.iter().map(|s| s.weights.name.as_str()).collect();
    assert_eq!(names, FOUR.map(|unit| TEN[unit].0));
    let one = |name: &str| {
        format!(
            "[[scenario]]\nname = '{name}'\nrange = [36, 30, 24, 18, 12, 6]\n\
             target = {{ unit = '{name}', troopers = 5, points_each = 100 }}\n"
        )
    };
    let written: String = FOUR.iter().map(|unit| one(TEN[*unit].0)).collect();
    let written = Arsenal::read_arsenal_text(&built_in_catalogue(), "four", &four("", &written))
        .expect("in order");
    let of = |arsenal: &Arsenal| {
        let settings = BattleSettings { only: Some(4), ..BattleSettings::default() };
        let evidence =
            run_battles(arsenal, &settings, &NoBattleObserver).expect("nothing stops it");
        prices_from_evidence(&evidence, &arsenal.settings).expect("it is whole")
    };
    let [all, each] = [of(&arsenal), of(&written)].map(|p| p.units.expect("all are met"));
    assert_eq!(all, each);
    assert_eq!(all.places, (0..4).collect::<Vec<_>>());
}

fn problem(text: &str) -> String {
    format!(
        "{:?}",
        Arsenal::read_arsenal_text(&built_in_catalogue(), "four", text)
            .expect_err("it is no arsenal")
    )
}

#[test]
fn what_cannot_be_is_said() {
    let two = format!("{OPEN}{}", OPEN.replace("'open'", "'other'"));
    assert!(problem(&four("opponents = 'all'", &two)).contains("leave one [[scenario]]"));
    assert!(problem(&four("opponents = 'some'", OPEN)).contains("opponents"));
    let guns = "system = 'skirmishers'\nopponents = 'all'\n[[weapon]]\nname = 'HMG'\n[[weapon]]\nname = 'MMG'\n\
        [[scenario]]\nname = 'open'\nrange = [60]\ntarget = { troopers = 4 }\n";
    assert!(problem(guns).contains("can be on both sides"), "{}", problem(guns));
}

/// Fifty units of a rulebook: forty represent all.
#[test]
fn of_very_many_units_forty_are_met() {
    let mut text = "system = 'planted'\nopponents = 'all'\n".to_owned();
    for place in 0..50 {
        let (_, _, needs, save) = PLANTED[place % 12];
        let dice = 1 + place % 9;
        text += &format!(
            "[[weapon]]\nname = 'unit {place}'\ndice = {dice}\nneeds = {needs}\nsave = {save}\n"
        );
    }
    text +=
        "[[scenario]]\nname = 'open'\nmoves = 6\ntarget = { troopers = 5, points_each = 100 }\n";
    let arsenal = Arsenal::read_arsenal_text(&catalogue(), "many", &text).expect("it is in order");
    // Units that hit as often and are saved as often are one kind; of each kind one is met at most.
    let kind = |name: &str| {
        let place: usize = name[5..].parse().expect("its number");
        ((1 + place % 9) * (7 - PLANTED[place % 12].2), PLANTED[place % 12].3)
    };
    let met: Vec<_> =
        arsenal.scenarios.iter().map(|scenario| kind(&scenario.weights.name)).collect();
    let kinds: std::collections::BTreeSet<_> = met.iter().collect();
    assert!(kinds.len() == met.len() && met.len() <= 40, "{met:?}");
    // Every unit that is not met has one with the same save that does as much harm, give or take a
    // twentieth.
    for weapon in &arsenal.weapons {
        let (harm, save) = kind(&weapon.name);
        let near =
            |of: &&(usize, usize)| (of.0 as f64 / harm as f64).ln().abs() < 0.1 && of.1 == save;
        assert!(met.iter().any(|of| near(&of)), "{}", weapon.name);
    }
    assert_eq!(arsenal.weapons.len(), 50);
}
