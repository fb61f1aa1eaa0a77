//! Turns and fire as assumptions of a file: worths come from rolled battles, and lists bought at
//! them are as even as they can be.

mod given;

use enfilade_model::weapons::{BattleSetup, BattleUnit, RoundFire, effect_of_kill_chance};
use enfilade_pricing::army_lists::{ListBattleSettings, ListBattleSimulator};
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle::encounter::{
    Doctrine, RoundAttack, TargetChoice, UnitKindsEncounter, UnitTurnOrder,
};
use enfilade_pricing::battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use enfilade_pricing::evidence::{AssumptionCase, BattleEvidence};
use enfilade_pricing::price::worth::fit_worth_to_curve;
use given::{OPPONENTS, PLANTED, catalogue};

fn planted(weapons: &[usize], opponents: &[usize], assumed: &str) -> String {
    let mut text =
        "system = 'planted'\n[assumptions]\ndiscount = [1, 1, 1]\nhorizon = [1, 1, 1]\n".to_owned();
    text += &format!("base = [1, 1, 1]\nattention = [0.5, 0.5, 0.5]\n{assumed}\n");
    for (name, dice, needs, save) in weapons.iter().map(|place| PLANTED[*place]) {
        text += &format!(
            "[[weapon]]\nname = '{name}'\ndice = {dice}\nneeds = {needs}\nsave = {save}\n"
        );
    }
    for (name, dice, needs, save) in opponents.iter().map(|place| PLANTED[*place]) {
        text += &format!(
            "[[scenario]]\nname = '{name}'\nmoves = 6\n\
             target = {{ troopers = 5, points_each = 100, dice = {dice}, needs = {needs}, save = {save} }}\n"
        );
    }
    text
}

fn fought(text: &str) -> BattleEvidence {
    let arsenal =
        Arsenal::read_arsenal_text(&catalogue(), "test", text).unwrap_or_else(|e| panic!("{e:?}"));
    run_battles(&arsenal, &BattleSettings::default(), &NoBattleObserver).expect("nothing stops it")
}

/// Log worths of a weapon in a case of the assumptions, in the order of the scenarios.
fn logs(evidence: &BattleEvidence, weapon: usize, model: AssumptionCase) -> Vec<f64> {
    let of = evidence.battles.iter().filter(|b| b.weapon == weapon && b.model == model);
    of.map(|battle| fit_worth_to_curve(&battle.curve).expect("a curve").log).collect()
}

fn mean(logs: &[f64]) -> f64 {
    logs.iter().sum::<f64>() / logs.len() as f64
}

/// Worths over a rifle from other battles, unit by unit, with four and eight copies on either side.
const IN_TURN: [f64; 12] = [0.77, 1.19, 1.20, 1.0, 1.82, 1.96, 1.14, 1.84, 2.01, 0.69, 2.33, 2.08];

/// If units act in turn every worth is within 5 % of those, and lists bought at them are at most 5
/// from 50 of 100, 85 of 100 pairs within 40 to 60.
#[test]
fn units_that_act_in_turn_are_worth_what_other_battles_found() {
    let all: Vec<usize> = (0..12).collect();
    let evidence = fought(&planted(&all, &OPPONENTS, "turns = 'alternate'"));
    let worths: Vec<f64> =
        all.iter().map(|&w| mean(&logs(&evidence, w, AssumptionCase::Default)).exp()).collect();
    for (w, expected) in IN_TURN.iter().enumerate() {
        let off = worths[w] / worths[3] / expected - 1.0;
        println!(
            "{}: {:.3}, {expected}, {:+.1} %",
            PLANTED[w].0,
            worths[w] / worths[3],
            100.0 * off
        );
        assert!(off.abs() <= 0.05, "{}: {off}", PLANTED[w].0);
    }
    let attack = |by: usize, at: usize| {
        let (hits, saved) = ((7 - PLANTED[by].2) as f64 / 6.0, PLANTED[at].3 as f64 / 6.0);
        RoundAttack::new(
            &BattleUnit::whole_or_gone(),
            PLANTED[by].1 as u32,
            &effect_of_kill_chance(hits * (1.0 - saved)),
        )
    };
    let row = |by: usize| (0..12).map(|at| attack(by, at)).collect();
    let encounter = UnitKindsEncounter {
        units: vec![BattleUnit::whole_or_gone(); 12],
        rounds: vec![(0..12).map(row).collect()],
    };
    let doctrine = Doctrine { turns: UnitTurnOrder::Alternate, fire: TargetChoice::Spread };
    let settings = ListBattleSettings {
        doctrine,
        ..ListBattleSettings::for_budget_and_rounds(20.0 * worths[0], 6)
    };
    let found = ListBattleSimulator::for_encounter(&encounter, settings)
        .measure_price_evenness(&worths)
        .expect("units are bought");
    println!(
        "{} from 50, {} within 40 to 60",
        found.mean_distance_from_even(),
        found.pair_share_with_wins_between(0.4, 0.6)
    );
    assert!(
        found.mean_distance_from_even() <= 0.05
            && found.pair_share_with_wins_between(0.4, 0.6) >= 0.85
    );
}

/// A unit without wounds is never wounded: that end of the assumption moves nothing but dice. Fire
/// at the best target moves the worth of one that draws it.
#[test]
fn ends_of_a_word_are_fought() {
    let evidence = fought(&planted(&[3, 10], &[0, 4], "fire = ['spread', 'wounded', 'best']"));
    let place = evidence.assumptions.iter().position(|a| a.name == "fire").expect("it is assumed");
    let assumption = &evidence.assumptions[place];
    assert_eq!([assumption.default, assumption.low, assumption.high], [0.0, 1.0, 2.0]);
    for weapon in [0, 1] {
        let of = |model| {
            let mut all = evidence.battles.iter().filter(|b| b.weapon == weapon && b.scenario == 0);
            &all.find(|battle| battle.model == model).expect("it was fought").curve
        };
        for rolled in of(AssumptionCase::Low(place)) {
            let exact =
                of(AssumptionCase::Default).iter().find(|exact| exact.points == rolled.points);
            let exact = exact.expect("it looks where the default is");
            assert!((exact.won - rolled.won).abs() < 4.0 * 0.5 / 4000_f64.sqrt(), "{weapon}");
        }
    }
    let of_battery = |model| logs(&evidence, 1, model)[0];
    let moved = of_battery(AssumptionCase::High(place)) - of_battery(AssumptionCase::Default);
    println!("a battery that is shot at first is worth {:.2} of what it is", moved.exp());
    assert!((-0.5..-0.15).contains(&moved), "{moved}");
}

/// Equal forces win half under any doctrine: a rifle is worth one rifle.
#[test]
fn a_unit_is_worth_itself_under_every_doctrine() {
    for turns in ["sides", "alternate"] {
        for fire in ["spread", "wounded", "best"] {
            let evidence =
                fought(&planted(&[3], &[3], &format!("turns = '{turns}'\nfire = '{fire}'")));
            let found = logs(&evidence, 0, AssumptionCase::Default)[0].exp();
            assert!((found / 100.0 - 1.0).abs() < 0.05, "{turns} {fire}: {found}");
        }
    }
}

#[test]
fn a_word_that_is_none_is_named() {
    let text = planted(&[3], &[3], "turns = 'alternately'");
    let fault = Arsenal::read_arsenal_text(&catalogue(), "test", &text).expect_err("no such word");
    let told = format!("{fault:?}");
    assert!(told.contains("assumptions.turns") && told.contains("alternate"), "{told}");
}

/// A set-up has a mirror: the units on both sides.
#[test]
fn an_encounter_holds_what_its_stagings_say() {
    let unit = BattleUnit::whole_or_gone();
    let round = enfilade_model::weapons::RoundFire {
        troop_shots: 1,
        on_troops: effect_of_kill_chance(0.2),
        on_weapon: effect_of_kill_chance(0.3),
        weapon_shots: 2,
        by_weapon: effect_of_kill_chance(0.4),
    };
    let staging = BattleSetup {
        troops: unit.clone(),
        weapon: unit.clone(),
        troop_points: 1.0,
        extra_points: 0.0,
        rounds: vec![round],
    };
    let clash = UnitKindsEncounter::from_weapon_and_troops(&staging);
    assert_eq!(clash.rounds[0][1][0], RoundAttack::new(&unit, 2, &effect_of_kill_chance(0.4)));
    assert_eq!(clash.rounds[0][0][1], RoundAttack::new(&unit, 1, &effect_of_kill_chance(0.3)));
    assert!(!clash.rounds[0][1][1].has_any_effect());
    let all = UnitKindsEncounter::from_pairwise_setups(&[
        vec![staging.clone(), staging.clone()],
        vec![staging.clone(), staging],
    ]);
    assert_eq!(all.rounds[0][0][1], RoundAttack::new(&unit, 2, &effect_of_kill_chance(0.4)));
}

/// One set-up has a second round with more shots; the other repeats its only one.
#[test]
fn who_has_fewer_rounds_repeats_the_last() {
    let unit = BattleUnit::whole_or_gone();
    let effect = effect_of_kill_chance(0.4);
    let round = |weapon_shots: u32| RoundFire {
        troop_shots: 1,
        on_troops: effect.clone(),
        on_weapon: effect.clone(),
        weapon_shots,
        by_weapon: effect.clone(),
    };
    let staging = |rounds: Vec<RoundFire>| BattleSetup {
        troops: unit.clone(),
        weapon: unit.clone(),
        troop_points: 1.0,
        extra_points: 0.0,
        rounds,
    };
    let [one, two] = [vec![round(2)], vec![round(2), round(5)]].map(staging);
    let all =
        UnitKindsEncounter::from_pairwise_setups(&[vec![one.clone(), two], vec![one.clone(), one]]);
    let shots: Vec<u32> =
        all.rounds.iter().flatten().flatten().map(|attack| attack.shots).collect();
    assert_eq!(shots, [2, 2, 2, 2, 2, 5, 2, 2]);
}
