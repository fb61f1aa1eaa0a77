//! Even prices: lists that are bought at what units are worth are even, by a battle of the tests'
//! own.

mod fought;
mod given;
mod known;

use std::sync::OnceLock;

use enfilade_games::built_in_catalogue;
use enfilade_model::catalogue::Catalogue;
use enfilade_model::weapons::ShotEffect;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use enfilade_pricing::evidence::{AssumptionCase, BattleEvidence};
use enfilade_pricing::price::{self, ScaleSource, WeaponPrice, prices_from_evidence};

use fought::definition;
use fought::{Even, Kinds, Law, even};
use given::{OPPONENTS, PLANTED, TEN, catalogue};
use known::Chance;

/// The planted weapons at such places, against the four opponents.
fn planted(places: &[usize]) -> String {
    let mut text = "system = 'planted'\n[assumptions]\ndiscount = [1, 1, 1]\n".to_owned();
    for (name, dice, needs, save) in places.iter().map(|place| PLANTED[*place]) {
        text += &format!(
            "[[weapon]]\nname = '{name}'\ndice = {dice}\nneeds = {needs}\nsave = {save}\n"
        );
    }
    for (name, dice, needs, save) in OPPONENTS.map(|place| PLANTED[place]) {
        text += &format!(
            "[[scenario]]\nname = '{name}'\nmoves = 6\n\
             target = {{ troopers = 5, points_each = 100, dice = {dice}, needs = {needs}, save = {save} }}\n"
        );
    }
    text
}

/// The battles of an arsenal, with every assumption at its default.
fn battles(catalogue: &Catalogue, text: &str) -> BattleEvidence {
    let arsenal =
        Arsenal::read_arsenal_text(catalogue, "test", text).unwrap_or_else(|e| panic!("{e:?}"));
    let only = Some(arsenal.weapons.len());
    let settings = BattleSettings { only, ..BattleSettings::default() };
    run_battles(&arsenal, &settings, &NoBattleObserver).expect("nothing stops it")
}

/// What the weapons of an arsenal are worth.
fn worths(evidence: &BattleEvidence) -> Vec<f64> {
    let pricing =
        prices_from_evidence(evidence, &price::PricingSettings::default()).expect("it is whole");
    pricing.weapons.iter().map(|weapon| weapon.worth.best).collect()
}

/// All twelve, fought once.
fn twelve() -> &'static BattleEvidence {
    static TWELVE: OnceLock<BattleEvidence> = OnceLock::new();
    TWELVE.get_or_init(|| battles(&catalogue(), &planted(&(0..12).collect::<Vec<_>>())))
}

fn all() -> Vec<f64> {
    worths(twelve())
}

/// Their even prices as they are shown, where a musket costs 1000 and others worth to this power,
/// give or take 10 %.
fn shown(power: f64, step: Option<f64>) -> Vec<f64> {
    let (mut evidence, worths) = (twelve().clone(), all());
    let mut chance = Chance(7);
    for (weapon, worth) in evidence.weapons.iter_mut().zip(&worths) {
        let noise = (0.1 * chance.normal()).exp();
        weapon.price = Some((1000.0 * (worth / worths[0]).powf(power) * noise).round());
    }
    let settings = price::PricingSettings { step, ..price::PricingSettings::default() };
    let pricing = prices_from_evidence(&evidence, &settings).expect("it is whole");
    let even =
        |weapon: &WeaponPrice| weapon.even_price_if_any().expect("it is priced").rounded.best;
    pricing.weapons.iter().map(even).collect()
}

/// What they do to each other, counted here.
fn kinds() -> Kinds {
    let law = |by: usize, at: usize| -> Law {
        let (hits, saved) = ((7 - PLANTED[by].2) as f64 / 6.0, PLANTED[at].3 as f64 / 6.0);
        let taken = hits * (1.0 - saved);
        vec![vec![(0, taken), (1, 1.0 - taken)]]
    };
    let laws: Vec<Vec<Law>> = (0..12).map(|by| (0..12).map(|at| law(by, at)).collect()).collect();
    let shots = PLANTED.iter().map(|kind| kind.1).collect();
    Kinds { whole: vec![1; 12], shots, laws: vec![laws; 6] }
}

/// Bought at what they are worth, 250 pairs of random lists of 20 muskets' points are as good as
/// even; bought at prices that follow the worth to the power 0.7 or 1.4 they are more than twice as
/// far from it.
#[test]
fn planted_lists_at_worth_are_even() {
    let (kinds, worths) = (kinds(), all());
    let found = even(&kinds, &worths, 20.0 * worths[0], 250);
    println!("planted lists at worth: {found:?}");
    assert!(found.mean <= 1.5 && found.within >= 0.95, "{found:?}");
    for power in [0.7, 1.4] {
        let printed: Vec<f64> = worths.iter().map(|worth| worth.powf(power)).collect();
        let Even { mean, .. } = even(&kinds, &printed, 20.0 * printed[0], 50);
        println!("planted lists at worth to the power {power}: {mean}");
        assert!(mean > 2.0 * found.mean, "{power}: {mean}");
    }
}

/// Bought at the even price as it is shown, lists are even, whatever the printed prices follow:
/// worth to the power 0.7, 1 or 1.4, or on steps of 50 where a musket costs 1000.
#[test]
fn planted_lists_at_the_even_price_are_even() {
    let kinds = kinds();
    for (power, step, pairs) in
        [(0.7, None, 120), (1.0, None, 120), (1.4, None, 120), (1.0, Some(50.0), 120)]
    {
        let prices = shown(power, step);
        let found = even(&kinds, &prices, 20.0 * prices[0], pairs);
        println!("planted lists, worth to the power {power}, steps {step:?}: {found:?}");
        assert!(found.mean <= 1.5 && found.within >= 0.95, "{power} {step:?}: {found:?}");
    }
}

/// What each is worth over a rifle, by battles that were fought elsewhere with copies on either
/// side.
const OVER_RIFLE: [f64; 12] =
    [0.82, 1.16, 1.17, 1.0, 1.63, 1.73, 1.15, 1.67, 1.80, 0.75, 2.06, 1.89];

/// The even prices of all over that of one, whose price is right by decision.
fn prices_over(evidence: &BattleEvidence, unit: usize) -> Vec<f64> {
    let scale = ScaleSource::ByUnit(unit);
    let pricing =
        prices_from_evidence(evidence, &price::PricingSettings { scale, ..Default::default() });
    let even = |weapon: &WeaponPrice| weapon.even_price_if_any().expect("it is priced").price.best;
    let prices: Vec<f64> = pricing.expect("it is whole").weapons.iter().map(even).collect();
    prices.iter().map(|price| price / prices[unit]).collect()
}

/// Ten of the eleven are within 5 % of them. The pike is not (0.70, where 0.75 is written), and
/// there the program is right: battles of these tests, which know every unit by itself and follow
/// the definition, find the prices of the program within 3 %, that of the pike among them. A pike
/// does a half, a quarter or an eighth of a trooper's harm, so it depends most on the fire that is
/// drawn; 0.75 is found where that is harm to the power one quarter.
#[test]
fn planted_prices_are_those_of_other_battles() {
    let mut evidence = twelve().clone();
    evidence.weapons.iter_mut().for_each(|weapon| weapon.price = Some(100.0));
    let (prices, defined) =
        (prices_over(&evidence, 3), definition::worths(&kinds(), &OPPONENTS, 8000));
    for (place, written) in OVER_RIFLE.iter().enumerate() {
        let (name, over) = (PLANTED[place].0, prices[place]);
        let [off, apart] = [*written, defined[place] / defined[3]].map(|other| over / other - 1.0);
        println!(
            "{name}: {over:.3}, {written} ({:+.1} %), by the definition {:+.1} %",
            100.0 * off,
            100.0 * apart
        );
        assert!(off.abs() <= 0.05 || name == "pike", "{name}: {off}");
        assert!(apart.abs() <= 0.03, "{name}: {apart}");
    }
}

/// Nothing that is read from a curve hangs on another weapon of the file.
#[test]
fn a_unit_alone_in_its_file_is_worth_what_it_is_among_others() {
    let (among, catalogue) = (all(), catalogue());
    for place in [0, 4, 6, 9] {
        let alone = worths(&battles(&catalogue, &planted(&[place])));
        assert_eq!(alone, [among[place]], "{}", PLANTED[place].0);
    }
    let mut priced = twelve().clone();
    priced
        .weapons
        .iter_mut()
        .enumerate()
        .for_each(|(w, weapon)| weapon.price = Some(3.0 + w as f64));
    assert_eq!(worths(&priced), among, "prices move nothing of it");
}

fn ten() -> String {
    // The judge fights six rounds to their end.
    let mut text = "system = 'dropzone'\n[assumptions]\ndiscount = [1, 1, 1]\n".to_owned();
    TEN.iter().for_each(|(name, _)| text += &format!("[[weapon]]\nname = '{name}'\n"));
    for (name, _) in TEN {
        text += &format!(
            "[[scenario]]\nname = '{name}'\nrange = [36, 30, 24, 18, 12, 6]\n\
             target = {{ unit = '{name}', troopers = 5 }}\n"
        );
    }
    text
}

/// The battles of the ten, fought once.
fn ten_evidence() -> &'static BattleEvidence {
    static TEN_EVIDENCE: OnceLock<BattleEvidence> = OnceLock::new();
    TEN_EVIDENCE.get_or_init(|| battles(&built_in_catalogue(), &ten()))
}

/// A law by conditions from whole, as one by what is left.
fn by_left(effect: &ShotEffect) -> Law {
    let whole = effect.len();
    let row = |leads: &Vec<(usize, f64)>| leads.iter().map(|(to, p)| (whole - to, *p)).collect();
    effect.iter().rev().map(row).collect()
}

/// What each of the ten does to each in an activation, by the rules.
fn ten_kinds(arsenal: &Arsenal) -> Kinds {
    let settings = BattleSettings { trials: 1000, ..BattleSettings::default() };
    let laws = arsenal.new_contest_cache(&settings);
    let assumed = arsenal.values_of_rulebook_assumptions(AssumptionCase::Default);
    let staged = |by: usize, at: usize| {
        let (gun, there) = (&arsenal.weapons[by], &arsenal.scenarios[at].setting);
        let staged = arsenal.set_up_weapon(gun, there, &assumed, &laws);
        staged.expect("it was staged when it was read").0
    };
    let all: Vec<Vec<_>> = (0..10).map(|by| (0..10).map(|at| staged(by, at)).collect()).collect();
    let round = |round: usize| -> Vec<Vec<Law>> {
        let by = |row: &Vec<enfilade_model::weapons::BattleSetup>| {
            row.iter().map(|staging| by_left(&staging.rounds[round].by_weapon)).collect()
        };
        all.iter().map(by).collect()
    };
    Kinds {
        whole: (0..10).map(|by| all[by][0].weapon.gone_condition_index()).collect(),
        shots: vec![1; 10],
        laws: (0..6).map(round).collect(),
    }
}

/// What they were worth when one copy stood there, curves were read below one troop and Damage
/// Points were spread evenly from volley to volley.
const BEFORE: [f64; 10] = [40.61, 68.02, 44.89, 131.82, 23.74, 38.66, 50.81, 168.76, 6.84, 49.89];

/// Worths over a Sabre that were measured before, under conditions that were not written down: the
/// Odin and the Caiman a fifth higher, the Rocket Technical two fifths.
const MEASURED_BEFORE: [f64; 10] = [1.0, 2.1, 1.25, 4.9, 0.62, 1.2, 1.25, 6.4, 0.19, 1.6];

/// Prices with a Sabre at 35 points.
fn of_sabre(worths: &[f64]) -> Vec<f64> {
    worths.iter().map(|worth| 35.0 * worth / worths[0]).collect()
}

/// The even prices of the ten under these settings.
fn ten_prices(evidence: &BattleEvidence, settings: &price::PricingSettings) -> Vec<f64> {
    let pricing = prices_from_evidence(evidence, settings).expect("it is whole");
    let even = |weapon: &WeaponPrice| weapon.even_price_if_any().expect("it is priced").price.best;
    of_sabre(&pricing.weapons.iter().map(even).collect::<Vec<_>>())
}

/// Prices over that of a Sabre are those of the definition, by battles of these tests, within 4 %;
/// that of the Rocket Technical, of which 24 copies are worth less than two of most troops, within
/// 12 %.
#[test]
fn ten_dropzone_units_have_the_prices_of_the_definition() {
    let arsenal =
        Arsenal::read_arsenal_text(&built_in_catalogue(), "ten", &ten()).expect("it is in order");
    let defined = definition::worths(&ten_kinds(&arsenal), &(0..10).collect::<Vec<_>>(), 1500);
    let prices = prices_over(ten_evidence(), 0);
    for (place, (name, _)) in TEN.iter().enumerate() {
        let (over, expected) = (prices[place], defined[place] / defined[0]);
        let off = over / expected - 1.0;
        let before = over / MEASURED_BEFORE[place] - 1.0;
        println!(
            "{name}: {over:.3}, {expected:.3} ({:+.1} %), before {:+.1} %",
            100.0 * off,
            100.0 * before
        );
        let most = if name.ends_with("Rocket Technical") { 0.12 } else { 0.04 };
        assert!(off.abs() <= most, "{name}: {off}");
    }
}

/// By the battle of these tests random lists of 500 points are 33 from 50 of 100 at the printed
/// prices, and at most 14 at even prices: by the scale of the others, as a report has them, and by
/// one scale for all, that of the Sabre. Older worths make lists less even than those of today.
#[test]
fn lists_of_ten_dropzone_units_at_even_prices_are_nearly_even() {
    let arsenal =
        Arsenal::read_arsenal_text(&built_in_catalogue(), "ten", &ten()).expect("it is in order");
    let kinds = ten_kinds(&arsenal);
    let evidence = ten_evidence();
    let by_others =
        prices_from_evidence(evidence, &price::PricingSettings::default()).expect("it is whole");
    assert!(by_others.scale.is_some_and(|scale| scale.do_prices_disagree_with_scale()));
    let one_scale = price::PricingSettings {
        scale: ScaleSource::ByUnit(0),
        ..price::PricingSettings::default()
    };
    let printed: Vec<f64> = TEN.iter().map(|unit| unit.1).collect();
    let [now, spread_evenly, before, others, one] = [
        printed,
        of_sabre(&BEFORE),
        of_sabre(&MEASURED_BEFORE),
        ten_prices(evidence, &price::PricingSettings::default()),
        ten_prices(evidence, &one_scale),
    ]
    .map(|prices| even(&kinds, &prices, 500.0, 250).mean);
    println!(
        "printed {now:.1}, damage spread evenly {spread_evenly:.1}, measured before {before:.1}, by the others' \
         scale {others:.1}, of one scale {one:.1}"
    );
    assert!(now > 30.0 && others <= 14.0 && one <= 14.0);
    assert!(one < before && one < others && others < spread_evenly);
}
