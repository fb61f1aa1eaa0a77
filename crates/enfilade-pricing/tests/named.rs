//! Weapons that are priced because their rulebook says which of its names mean what: fire attacks
//! with an assumed rally. Expected numbers are counted by hand, or those of the same contests asked
//! for as a file would.

mod arsenals;

use enfilade_model::catalogue::Catalogue;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use enfilade_pricing::evidence::{AssumptionCase, BattleEvidence};
use enfilade_pricing::price::{self, ArsenalPrices, prices_from_evidence};

use arsenals::{BUILT_IN, kernels, lost_fire, set_up};

fn arsenal(catalogue: &Catalogue, text: &str) -> Arsenal {
    Arsenal::read_arsenal_text(catalogue, "test", text).unwrap_or_else(|error| panic!("{error:?}"))
}

fn priced(arsenal: &Arsenal) -> (BattleEvidence, ArsenalPrices) {
    let evidence = run_battles(arsenal, &BattleSettings::default(), &NoBattleObserver)
        .expect("nothing stops it");
    let pricing =
        prices_from_evidence(&evidence, &price::PricingSettings::default()).expect("it is whole");
    (evidence, pricing)
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

const ASL: &str = "system = 'asl'
[[weapon]]
name = 'squad'
firer = { unit = '4-4-7', nation = 'Russian' }
[[weapon]]
name = 'HMG'
firer = { weapon = 'HMG', nation = 'German' }
[[scenario]]
name = 'woods'
moves = 3
range = [8, 4]
modifiers = ['Woods']
max_attacks = 3
target = { firer = { unit = '4-4-7', nation = 'Russian' }, target = { unit = '4-4-7', nation = 'Russian' }, troopers = 4, points_each = 100 }
";

/// Taken (a reduced squad is half of one) and broken, of a contest as a file would ask for it.
fn asked(arsenal: &Arsenal, action: &str, firer: &str, broken: bool) -> (f64, f64) {
    let most = if action == "rof" { "max_attacks = 3\n" } else { "" };
    let text = format!(
        "{most}range = 8\nmodifiers = ['Woods']\n[[firer]]\n{firer}\n\
         [[target]]\nunit = '4-4-7'\nnation = 'Russian'\nbroken = {broken}\n"
    );
    let contest = text.parse().expect("it is TOML");
    let law = &kernels(arsenal).solve_action(action, &contest).expect("it can be asked").law;
    let names = ["eliminated", "reduced", "broken"];
    let (mut taken, mut shaken) = (0.0, 0.0);
    for ([eliminated, reduced, broken], p) in law.outcomes_of_fields(names) {
        let lost = f64::from(eliminated) + 0.5 * f64::from(reduced);
        taken += p * lost;
        shaken += p * (1.0 - lost) * f64::from(broken);
    }
    (taken, shaken)
}

/// A broken squad is one of another condition until the assumed rally brings it back; a machine gun
/// alone fires by its rate; the broken fare worse under fire.
#[test]
fn broken_squads_rally_by_an_assumption_that_is_named_first() {
    let catalogue = &BUILT_IN;
    let arsenal = arsenal(catalogue, ASL);
    let named: Vec<_> = arsenal.assumptions.iter().map(|a| a.name.as_str()).collect();
    assert!(named.contains(&"rally"), "{named:?}");
    let staging = set_up(&arsenal, 1);
    let squad = "unit = '4-4-7'\nnation = 'Russian'";
    for (effect, action, firer) in [
        (&staging.rounds[0].on_troops, "fire", squad),
        (&staging.rounds[0].by_weapon, "rof", "weapon = 'HMG'\nnation = 'German'"),
    ] {
        let (taken, shaken) = asked(&arsenal, action, firer, false);
        assert!(shaken > 0.0 && taken > 0.0);
        close(effect[0][1].1, shaken);
        close(effect[0][2].1, taken);
        let (again, _) = asked(&arsenal, action, firer, true);
        assert!(again > taken);
        close(effect[1][1].1, again);
    }
    let [steady, broken] = &staging.troops.conditions[..] else { panic!("two conditions") };
    assert_eq!((steady.fires, broken.fires), (1.0, 0.0));
    close(broken.rest[0].1, 0.42);
    let (evidence, pricing) = priced(&arsenal);
    assert!(evidence.remarks[0].contains("`rally`"), "{:?}", evidence.remarks);
    // By symmetry eight such squads beside four win half against eight more of them, of 100 points
    // each. Copies of a large battle are rolled, and fought for one weapon alone: four standard
    // errors are allowed.
    let alone = BattleSettings { only: Some(0), ..BattleSettings::default() };
    let evidence = run_battles(&arsenal, &alone, &NoBattleObserver).expect("nothing stops it");
    let squads =
        evidence.battles.iter().find(|b| b.weapon == 0 && b.model == AssumptionCase::Default);
    let copies = &squads.expect("it was fought").copies;
    let around = copies.windows(2).find(|two| (two[0].points..two[1].points).contains(&800.0));
    let [below, above] = around.expect("there are points on both sides") else { unreachable!() };
    let share = (800.0 - below.points) / (above.points - below.points);
    let won = below.won + share * (above.won - below.won);
    let trials = f64::from(below.trials.expect("it is rolled") as u32);
    assert!((won - 0.5).abs() < 4.0 * (0.25 / trials).sqrt(), "{won}: {copies:?}");
    let worth: Vec<f64> = pricing.weapons.iter().map(|weapon| weapon.worth.best).collect();
    assert!((worth[0] / 100.0).ln().abs() < 0.15 && worth[1] > 200.0, "{worth:?}");
}

/// By hand: back in one of two, of three activations a broken squad fires 0 + 1/2 + 3/4, so it
/// loses 1 − 1.25/3. Who never rallies is as good as dead, who always does loses one of three.
#[test]
fn what_a_break_is_worth_follows_from_the_rally() {
    for (rally, lost) in [(0.5, 1.0 - 1.25 / 3.0), (0.0, 1.0), (1.0, 1.0 / 3.0)] {
        let head = format!("[assumptions]\nrally = [{rally}, {rally}, {rally}]\n");
        let arsenal = arsenal(&BUILT_IN, &format!("{ASL}{head}"));
        close(lost_fire(&set_up(&arsenal, 0).troops, 1, 3), lost);
    }
}
