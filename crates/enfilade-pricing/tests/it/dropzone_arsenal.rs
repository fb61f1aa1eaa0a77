//! Units of `dropzone` in an arsenal: everything they carry is fired, as is best against whom they
//! meet, and what is not played is said. Expected numbers are counted by hand.

use enfilade_model::weapons::{BattleSetup, ShotEffect};
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use enfilade_pricing::evidence::BattleEvidence;
use enfilade_pricing::price::{self, ArsenalPrices};

use crate::arsenals::{read, staged};

fn arsenal(weapons: &[&str], scenario: &str) -> String {
    let weapons = weapons.iter().map(|w| format!("[[weapon]]\n{w}\n"));
    let weapons: String = weapons.collect();
    let reach = if scenario.contains("range") { "" } else { "within_reach = true\n" };
    format!("system = 'dropzone'\n{weapons}[[scenario]]\nname = 'met'\n{reach}{scenario}\n")
}

/// One over the activations of the unit that destroy one of those it meets.
fn destroys(weapon: &str, scenario: &str) -> f64 {
    by_weapon(&staged(&arsenal(&[weapon], scenario)))
}

fn by_weapon(staging: &BattleSetup) -> f64 {
    1.0 / volleys(&staging.rounds[0].by_weapon, 0)
}

/// Volleys that a unit in this condition is expected to stand.
fn volleys(effect: &ShotEffect, condition: usize) -> f64 {
    let Some(leads) = effect.get(condition) else { return 0.0 };
    let likely = || leads.iter().filter(|(to, p)| *to != condition && *p > 0.0);
    let moves: f64 = likely().map(|(_, p)| p).sum();
    let then: f64 = likely().map(|(to, p)| p * volleys(effect, *to)).sum();
    (1.0 + then) / moves
}

fn priced(text: &str) -> (BattleEvidence, ArsenalPrices) {
    let evidence = run_battles(&read(text), &BattleSettings::default(), &NoBattleObserver)
        .expect("nothing stops it");
    let pricing = price::prices_from_evidence(&evidence, &price::PricingSettings::default())
        .expect("it is whole");
    (evidence, pricing)
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} is not {b}");
}

const SABRES: &str = "target = { unit = 'UCM/Sabre Tank' }";

/// A tank of its own with one weapon of these special rules.
fn tank(specials: &str) -> String {
    format!(
        "name = 'own tank'\nprice = 30\narmour = 14\ndamage_points = 2\nshots = 4\naccuracy = 2\n\
         energy = 8\nspecials = [{specials}]"
    )
}

#[test]
fn special_rules_are_those_of_the_rulebook_however_they_are_spelled() {
    let gun = |special: &str| {
        let gun = format!(
            "name = 'gun'\nprice = 50\narmour = 12\ndamage_points = 8\nshots = 12\naccuracy = 3\n\
             energy = 8\nspecials = [{special}]"
        );
        arsenal(&[&gun], "moves = 3\ntarget = { unit = 'Scourge/Hunter', troopers = 3 }")
    };
    let fair = |special: &str| priced(&gun(special)).1.weapons[0].worth.best;
    let reduced = fair("'Reduced-2'");
    assert_eq!(fair("'Reduced 2'"), reduced);
    assert!(fair("") > 1.1 * reduced, "shots are lost with Damage Points");
    // Three rounds in three activations are as many as it can fire, one is a third.
    let chance = |special: &str| by_weapon(&staged(&gun(special)));
    assert_eq!(chance("'Limited 3'"), chance(""));
    assert_eq!(chance("'limited 1'"), chance("'Limited-1'"));
    assert!(chance("'Limited 1'") < chance(""));
    let wrong = gun("'Reduced'");
    assert!(Arsenal::read_arsenal_text(crate::built_in(), "test", &wrong).is_err());
}

#[test]
fn focus_merges_as_many_hits_as_is_best_against_the_target() {
    // Energy 8 and a die cannot reach armour 15. Of four shots on 2+, three or more hits merged
    // have energy 14 and more, which always damages; two have 11, which does on 4 and more.
    assert_eq!(destroys(&tank(""), SABRES), 0.0);
    let hits = |ways: i32, hits: i32| f64::from(ways * 5_i32.pow(hits as u32)) / 1296.0;
    let expected = hits(6, 2) / 2.0 + hits(4, 3) + hits(1, 4);
    close(destroys(&tank("'Focus-3'"), SABRES), expected);
    close(destroys(&tank("'Focus 3'"), SABRES), expected);
    // Three shots of energy 7 that always hit, merged: 11, against 15.
    let suits = "name = 'UCM/Hazard Suits'\ndamage_points = 1";
    close(destroys(suits, SABRES), 0.5);
    // Against armour 7 each hit by itself: it always damages, and two hits more than one.
    let fighters = "target = { unit = 'mine', points_each = 9, armour = 7, damage_points = 3 }";
    let all = destroys("name = 'UCM/Hazard Suits'\ndamage_points = 1", fighters);
    close(all, 1.0);
}

/// Activations that destroy `points` Damage Points, when each of `shots` does 0, 1 or 2 of them
/// with these chances.
fn activations(points: usize, shots: u32, damage: [f64; 3]) -> f64 {
    let mut left_after = vec![0.0; points + 1];
    left_after[points] = 1.0;
    for _ in 0..shots {
        let mut next = vec![0.0; points + 1];
        for (left, p) in left_after.iter().enumerate() {
            for (lost, q) in damage.iter().enumerate() {
                next[left.saturating_sub(lost)] += p * q;
            }
        }
        left_after = next;
    }
    let still = left_after[points];
    let further = (1..points).map(|left| left_after[left] * activations(left, shots, damage));
    (1.0 + further.sum::<f64>()) / (1.0 - still)
}

#[test]
fn a_weapon_on_either_side_is_fired_twice() {
    let men = "range = [30]\ntarget = { unit = 'UCM/Legionnaires' }";
    let beetle = destroys("name = 'Scourge/Ravager AA Beetle'", men);
    // Two cannons of two shots at 3+, energy 6 against armour 7 and 5 points: 1 in 3 misses, of
    // those that hit 2 in 3 are Criticals.
    let shot = [1.0 / 3.0, 2.0 / 9.0, 4.0 / 9.0];
    close(beetle, 1.0 / activations(5, 4, shot));
    let copy = |shots: u32| {
        format!(
            "name = 'copy'\nprice = 40\narmour = 13\ndamage_points = 2\nactive = true\ntype = 'Walker'\n\
             target_specials = ['Resilient']\nshots = {shots}\naccuracy = 3\nenergy = 6\nspecials = ['AA-2']"
        )
    };
    close(beetle, destroys(&copy(4), men));
    close(1.0 / activations(5, 2, shot), destroys(&copy(2), men));
    let text = arsenal(&["name = 'Scourge/Ravager AA Beetle'", &copy(4)], men);
    let weapons = priced(&text).1.weapons;
    assert!((weapons[0].worth.best / weapons[1].worth.best - 1.0).abs() < 1e-9);
}

/// A unit of one's own with several weapons: two equal guns are what two listed ones are, each
/// fires as far as it reaches, and of alternatives one is fired.
#[test]
fn a_unit_of_ones_own_has_several_weapons() {
    let at = |range: u32| format!("range = [{range}]\ntarget = {{ unit = 'UCM/Legionnaires' }}");
    let hull = "name = 'own'\nprice = 40\narmour = 13\ndamage_points = 2\nactive = true\ntype = 'Walker'\n\
                target_specials = ['Resilient']";
    let own = |arms: &str, range: u32| destroys(&format!("{hull}\narms = [{arms}]"), &at(range));
    let gun = |more: &str| {
        format!("{{ shots = 2, accuracy = 3, energy = 6, specials = ['AA-2'{more}] }}")
    };
    let (one, two) = (own(&gun(""), 30), own(&gun("").replace(" }", ", count = 2 }"), 30));
    close(two, own(&format!("{0}, {0}", gun("")), 30));
    close(two, destroys("name = 'Scourge/Ravager AA Beetle'", &at(30)));
    assert!(two > 1.5 * one);
    // By its printed name; and one of two alternatives, never both.
    let named = "{ weapon = 'Scourge/Ravager AA Beetle/Shard Flak Cannon', count = 2 }";
    close(two, own(named, 30));
    let alternatives = format!("{}, {}", gun(", 'Alt-1'"), gun(", 'Alt-1'"));
    close(one, own(&alternatives, 30));
    let short = gun("").replace(" }", ", reach = 12 }");
    close(own(&short, 12), one);
    close(own(&format!("{short}, {}", gun("")), 30), one);
    assert_eq!(own(&short, 13), 0.0);
    // An arc changes nothing, and that is said.
    let turned = format!("{hull}\narms = [{}]", gun("").replace(" }", ", arc = 'F' }"));
    close(destroys(&turned, &at(30)), one);
    let left_out = |weapon: &str| priced(&arsenal(&[weapon], &at(30))).0.remarks;
    let about_arcs = |remark: &String| remark.starts_with("own: its arcs are left out");
    assert!(left_out(&turned).iter().any(about_arcs));
    assert!(!left_out(&format!("{hull}\narms = [{}]", gun(""))).iter().any(about_arcs));
    let refused = |arms: &str| {
        let text = arsenal(&[&format!("{hull}\narms = [{arms}]")], &at(30));
        crate::arsenals::refused(&text).remove(0)
    };
    let (path, problem, _) = refused("{ shots = 2, energy = 6 }");
    assert!(
        path == "weapon[0].arms[0].accuracy" && problem.contains("missing"),
        "{path} {problem}"
    );
}

#[test]
fn of_alternatives_the_one_that_hurts_the_target_most_is_fired() {
    let wolf = "name = 'UCM/Wolf Command LAV'";
    let armed = |shots: u32, accuracy: u32, energy: u32, specials: &str| {
        format!(
            "{wolf}\nshots = {shots}\naccuracy = {accuracy}\nenergy = {energy}\nspecials = [{specials}]"
        )
    };
    let breaker = armed(1, 3, 10, "'Devastator-2 (Vehicle)'");
    let flak = armed(3, 2, 6, "'AA-2'");
    // One of the two, never both: the missile against tanks, flak against men.
    close(destroys(wolf, SABRES), 4.0 / 6.0 * 2.0 / 6.0);
    assert_eq!(destroys(&flak, SABRES), 0.0);
    let men = "target = { unit = 'UCM/Legionnaires' }";
    close(destroys(wolf, men), destroys(&flak, men));
    assert!(destroys(&flak, men) > destroys(&breaker, men));
}

/// Finding 2.1: at distance nought claws equal railguns, so where a file says nothing of distances
/// they are assumed, and enter the range.
#[test]
fn distance_is_assumed_where_nothing_is_said_of_it() {
    let assumed = |said: &str| {
        let text = format!(
            "system = 'dropzone'\n[[weapon]]\nname = 'UCM/Sabre Tank'\n[[scenario]]\nname = 'met'\n\
             {said}{SABRES}\n"
        );
        let arsenal = read(&text);
        let mut names = arsenal.assumptions.iter();
        names.any(|assumption| assumption.name == "distance")
    };
    assert!(assumed(""));
    assert!(!assumed("within_reach = true\n") && !assumed("range = [12]\n"));
    let claws = "name = 'claws'\nprice = 9\narmour = 10\nshots = 2\naccuracy = 2\nenergy = 12";
    let text = arsenal(&[claws], SABRES).replace("within_reach = true\n", "");
    let evidence = run_battles(&read(&text), &BattleSettings::default(), &NoBattleObserver)
        .expect("it is whole");
    // The default and both ends of horizon, discount, attention, base and distance.
    assert_eq!(evidence.battles.len(), 11);
}
