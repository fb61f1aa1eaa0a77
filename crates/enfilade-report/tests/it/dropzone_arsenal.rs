//! What reports of prices say of units of `dropzone`: what is not played, and who has no price.

use enfilade_pricing::battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use enfilade_pricing::evidence::BattleEvidence;
use enfilade_pricing::price::{self, ArsenalPrices};
use enfilade_report::pricing::{PriceFindings, price_method, price_sentences, prices_json};
use enfilade_testkit::test_contests::{find_action, parse_contest};

use crate::arsenals::{BUILT_IN, read};

fn arsenal(weapons: &[&str], scenario: &str) -> String {
    let weapons = weapons.iter().map(|w| format!("[[weapon]]\n{w}\n"));
    let weapons: String = weapons.collect();
    let reach = if scenario.contains("range") { "" } else { "within_reach = true\n" };
    format!("system = 'dropzone'\n{weapons}[[scenario]]\nname = 'met'\n{reach}{scenario}\n")
}

fn priced(text: &str) -> (BattleEvidence, ArsenalPrices) {
    let evidence = run_battles(&read(text), &BattleSettings::default(), &NoBattleObserver)
        .expect("nothing stops it");
    let pricing = price::prices_from_evidence(&evidence, &price::PricingSettings::default())
        .expect("it is whole");
    (evidence, pricing)
}

const SABRES: &str = "target = { unit = 'UCM/Sabre Tank' }";

/// A tank of its own with one weapon of these special rules.
fn tank(specials: &str) -> String {
    format!(
        "name = 'own tank'\nprice = 30\narmour = 14\ndamage_points = 2\nshots = 4\naccuracy = 2\n\
         energy = 8\nspecials = [{specials}]"
    )
}

/// What the reports say of the contests behind the prices.
fn notes(text: &str) -> (Vec<String>, String) {
    let (evidence, pricing) = priced(text);
    let findings = PriceFindings {
        name: "test",
        question: None,
        prediction: None,
        seed: 1,
        evidence: &evidence,
        pricing: &pricing,
        only: None,
        lists: None,
    };
    let lines = price_method::describe_pricing_method(&findings).into_iter();
    let lines = lines.filter(|line| line.starts_with("Note"));
    (lines.collect(), prices_json::render_prices_json(&findings))
}

#[test]
fn what_is_not_played_is_noted_as_odds_note_it() {
    let few = "moves = 2\ntarget = { unit = 'UCM/Sabre Tank', troopers = 2 }";
    let odd = format!("{}\ntarget_specials = ['Stealthy']", tank("'Barrage-2', 'Reduced 1'"));
    let (alone, document) = notes(&arsenal(&[&odd], few));
    // A unit that fires and is fired at: as weapon and as target of a contest.
    let fires = "shots = 4\naccuracy = 2\nenergy = 8\nspecials = ['Barrage-2']\narmour = 15";
    let target =
        "weapon = 'UCM/Sabre Tank/Avenger Railgun'\narmour = 14\ntarget_specials = ['Stealthy']";
    for toml in [fires, target] {
        let odds = parse_contest(find_action(&BUILT_IN, "dropzone", "shoot"), toml);
        let odds = odds.expect("sound").notes;
        assert_eq!(odds.len(), 1);
        assert!(alone.contains(&format!("Note: {}", odds[0])), "{alone:?}");
        assert!(document.contains(&odds[0].replace('"', "\\\"")), "{document}");
    }
    assert_eq!(alone.len(), 2, "{alone:?}");
    let (beside, _) = notes(&arsenal(&[&odd, "name = 'UCM/Sabre Tank'"], few));
    let named = "Note (own tank): not modelled: the weapon's special \"Barrage-2\"";
    assert!(beside.iter().any(|note| note == named), "{beside:?}");
}

#[test]
fn notes_say_where_they_are_about_one_scenario_or_many_weapons() {
    let men = "[[scenario]]\nname = 'men'\nmoves = 2\ntarget = { unit = 'UCM/Legionnaires', troopers = 2 }\n";
    let few = "moves = 2\ntarget = { unit = 'UCM/Sabre Tank', troopers = 2 }";
    let suits = "name = 'UCM/Hazard Suits'\ndamage_points = 1";
    let text = arsenal(&[suits, "name = 'UCM/Sabre Tank'"], few) + men;
    let (told, _) = notes(&text);
    let merged = "Focus: 3 hits are merged, which is best against this target";
    assert!(told.contains(&format!("Note (UCM/Hazard Suits in “met”): {merged}")), "{told:?}");
    let others: Vec<String> =
        (0..4).map(|n| tank("'Barrage-2'").replace("own tank", &format!("tank {n}"))).collect();
    let mut weapons: Vec<&str> = others.iter().map(String::as_str).collect();
    weapons.push("name = 'UCM/Sabre Tank'");
    let (told, _) = notes(&arsenal(&weapons, few));
    let counted = "Note (4 of 5 weapons): not modelled: the weapon's special \"Barrage-2\"";
    assert_eq!(told, [counted]);
}

/// DAMAGE: 8 and the best face are 14, one less than the armour of the target. With 9 a six harms
/// it.
#[test]
fn a_weapon_that_cannot_harm_names_the_sum() {
    let gun = |name: &str, energy: i64| {
        format!("name = '{name}'\narmour = 10\nshots = 2\naccuracy = 3\nenergy = {energy}")
    };
    let wall = "range = [24]\n\
                target = { unit = 'UCM/Sabre Tank', armour = 15, troopers = 3 }\n";
    let (_, pricing) = priced(&arsenal(&[&gun("short", 8), &gun("enough", 9)], wall));
    let why = |w: usize| {
        pricing.weapons[w].even.as_ref().err().map(price_sentences::explain_unpriced_weapon)
    };
    let sum =
        "it never harms anybody in these scenarios: energy 8 + 6 is below armour 15 everywhere";
    assert_eq!((why(0).as_deref(), why(1)), (Some(sum), None));
}

/// Units that never fire, and those whose use is to command, get no price.
#[test]
fn units_that_do_not_fight_are_not_priced() {
    let text = arsenal(
        &[
            "name = 'Shaltari/Tate'",
            "name = 'UCM/Kodiak Command ACV'",
            "name = 'UCM/Sabre Tank'",
            "name = 'PHR/Zeus Guardian Walker'",
        ],
        SABRES,
    );
    let (_, pricing) = priced(&text);
    let said = |w: usize| {
        pricing.weapons[w].even.as_ref().err().map(price_sentences::explain_unpriced_weapon)
    };
    assert!(said(0).is_some_and(|why| why.contains("never harms anybody")));
    assert!(said(1).is_some_and(|why| why.contains("it commands")));
    assert_eq!(said(2), None);
    // By its printed special rule, a Command Centre.
    assert!(said(3).is_some_and(|why| why.contains("it commands")));
}
