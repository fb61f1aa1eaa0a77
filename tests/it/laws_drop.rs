//! Laws that any reading of `dropzone` and `skirmishers` must obey: a better weapon never does
//! worse, a harder target never does better.

use super::walk_drop::{Law, law_in};

/// A hair more than the rounding of the last place.
const HAIR: f64 = 1e-12;

fn volley(shots: i32, energy: i32, armour: i32, passive: i32) -> Law {
    let toml = format!(
        "shots = {shots}\naccuracy = 3\nenergy = {energy}\narmour = {armour}\npassive = {passive}\n\
         damage_points = 4\ncount = 2"
    );
    law_in("dropzone", "shoot", &toml, &["damage", "destroyed"])
}

fn kill(law: &Law) -> f64 {
    law.chance(|outcome| outcome[1] > 0)
}

fn damage(law: &Law) -> f64 {
    law.mean(|outcome| outcome[0])
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
    let even = law_in(
        "dropzone",
        "shoot",
        &format!("{base}\nallocation = 'even'"),
        &fields,
    );
    assert!(kill(&focus) > kill(&even) + HAIR);
}
