//! Laws of any reading of `dropzone` and `skirmishers`: a better weapon never does worse, a harder
//! target never does better.

use crate::harness::walk::{CountedDistribution, law_in};

/// Rounding of the last digits.
const HAIR: f64 = 1e-12;

fn volley(shots: i32, energy: i32, armour: i32, passive: i32) -> CountedDistribution {
    let toml = format!(
        "shots = {shots}\naccuracy = 3\nenergy = {energy}\narmour = {armour}\npassive = {passive}\n\
         damage_points = 4\ncount = 2"
    );
    law_in("dropzone", "shoot", &toml, &["damage", "destroyed"])
}

fn kill(law: &CountedDistribution) -> f64 {
    law.chance_over_rows(|outcome| outcome[1] > 0)
}

fn damage(law: &CountedDistribution) -> f64 {
    law.mean_over_rows(|outcome| outcome[0])
}

#[test]
fn dropzone_more_energy_never_kills_less_and_more_armour_never_more() {
    for energy in 3..14 {
        let (weak, strong) = (volley(4, energy, 12, 5), volley(4, energy + 1, 12, 5));
        assert!(kill(&weak) <= kill(&strong) + HAIR, "energy {energy}");
    }
    for armour in 5..16 {
        let (soft, hard) = (volley(4, 8, armour, 5), volley(4, 8, armour + 1, 5));
        assert!(kill(&hard) <= kill(&soft) + HAIR, "armour {armour}");
    }
}

#[test]
fn dropzone_more_shots_never_hurt_less_and_better_countermeasures_never_more() {
    for shots in 1..7 {
        let (few, many) = (volley(shots, 8, 11, 5), volley(shots + 1, 8, 11, 5));
        assert!(damage(&few) < damage(&many), "{shots} shots");
    }
    for passive in 2..7 {
        let (better, worse) = (volley(4, 8, 11, passive), volley(4, 8, 11, passive + 1));
        assert!(damage(&better) < damage(&worse), "passive {passive}+");
    }
}

#[test]
fn dropzone_one_model_after_the_other_kills_sooner_than_evenly() {
    let base = "shots = 4\naccuracy = 3\nenergy = 8\narmour = 11\ncount = 3\ndamage_points = 2";
    let fields = ["damage", "destroyed"];
    let focus = law_in("dropzone", "shoot", base, &fields);
    let even = law_in("dropzone", "shoot", &format!("{base}\nallocation = 'even'"), &fields);
    assert!(kill(&focus) > kill(&even) + HAIR);
}

fn attack(toml: &str) -> CountedDistribution {
    let fields = ["hits", "dead", "out_of_action", "hp"];
    law_in("skirmishers", "attack", toml, &fields)
}

fn killed(law: &CountedDistribution) -> f64 {
    law.chance_over_rows(|outcome| outcome[1] + outcome[2] > 0)
}

#[test]
fn skirmishers_more_damage_never_kills_less_and_more_armour_never_more() {
    for points in 1..13 {
        let (weak, strong) = (
            attack(&format!("damage = '{points}X'\nshots = 2")),
            attack(&format!("damage = '{}X'\nshots = 2", points + 1)),
        );
        assert!(killed(&weak) <= killed(&strong) + HAIR, "{points}X");
    }
    for advanced in [false, true] {
        let worn = ["none", "basic", "standard", "heavy"].map(|armour| {
            killed(&attack(&format!(
                "weapon = 'LMG'\nshots = 3\ntarget_armour = '{armour}'\nadvanced_armour = {advanced}"
            )))
        });
        assert!(worn.is_sorted_by(|a, b| *a >= b - HAIR), "{worn:?}");
        assert!(worn[0] > worn[3]);
    }
}

#[test]
fn skirmishers_more_attacks_never_hit_or_kill_less_and_wounds_never_help() {
    for shots in 1..5 {
        let (few, many) = (
            attack(&format!("weapon = 'rifle'\nshots = {shots}")),
            attack(&format!("weapon = 'rifle'\nshots = {}", shots + 1)),
        );
        assert!(few.mean_over_rows(|o| o[0]) < many.mean_over_rows(|o| o[0]));
        assert!(killed(&few) < killed(&many));
    }
    for hp in 1..10 {
        let at = |hp: i32| attack(&format!("weapon = 'rifle'\nshots = 2\ntarget_hp = {hp}"));
        assert!(killed(&at(hp + 1)) <= killed(&at(hp)) + HAIR, "HP {hp}");
        let from = |hp: i32| attack(&format!("weapon = 'rifle'\nattacker_hp = {hp}"));
        assert!(
            from(hp).mean_over_rows(|o| o[0]) <= from(hp + 1).mean_over_rows(|o| o[0]) + HAIR,
            "HP {hp}"
        );
    }
}

#[test]
fn skirmishers_a_heavier_gun_and_a_larger_crew_hold_better() {
    let holds = |weapon: &str, crew: i32| {
        let toml =
            format!("weapon = '{weapon}'\ntroopers = 3\nmoves = 2\nrange = 30\ncrew = {crew}");
        let told = law_in("skirmishers", "crewed-duel", &toml, &["troopers_left", "crew_left"]);
        (told.mean_over_rows(|o| o[0]), told.chance_over_rows(|o| o[1] > 0))
    };
    let guns = ["LMG", "MMG", "HMG", "heavy semi-portable laser"].map(|gun| holds(gun, 1));
    assert!(guns.is_sorted_by(|a, b| a.0 >= b.0 - HAIR), "{guns:?}");
    assert!(guns.is_sorted_by(|a, b| a.1 <= b.1 + HAIR), "{guns:?}");
    assert!(holds("HMG", 1).1 < holds("HMG", 3).1);
}
