//! Single numbers and pairs that give a measure its wanted value, each compared with the odds of a
//! contest that has them.

use enfilade_seek::number_tries::{
    NumberTry, WantedValue, try_pairs_of_numbers, try_single_numbers,
};
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::settings::SolverSettings;
use enfilade_study::solve::{NoObserver, solve_experiment};

fn contest(fp: i64, drm: i64, morale: i64) -> Experiment {
    let text = format!(
        "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = {fp}\ndrm = {drm}\n\
         target = {{ kind = 'squad', morale = {morale} }}\n"
    );
    Experiment::read_experiment_text(&enfilade_games::built_in_catalogue(), "x.toml", &text)
        .expect("a contest")
}

fn chance(fp: i64, drm: i64, morale: i64) -> f64 {
    let answers = solve_experiment(&contest(fp, drm, morale), &SolverSettings::for_exact_only());
    let answers = answers.expect("it is solved");
    answers[0]
        .measure_answer_by_name("p_break")
        .and_then(|measure| measure.exact)
        .expect("a number")
}

/// The value of a number in a try, or the current one.
fn value(one: &NumberTry, name: &str, now: i64) -> i64 {
    let own = one.changes.iter().find(|change| change.name == name);
    own.map_or(now, |change| change.to.as_integer().expect("a whole number"))
}

fn is_checked(one: &NumberTry) -> bool {
    let known = ["fp", "drm", "target.morale"];
    one.changes.iter().all(|change| known.contains(&change.name.as_str()))
}

#[test]
fn every_try_has_the_odds_of_its_contest() {
    let experiment = contest(8, 0, 7);
    let want = WantedValue::parse("p_break = 45 % ± 2 %").expect("a want");
    let cell = &experiment.cells[0];
    let (singles, _) =
        try_single_numbers(cell, &want, false, &NoObserver).expect("they are solved");
    let (pairs, is_cut) =
        try_pairs_of_numbers(cell, &want, &singles, &NoObserver).expect("they are solved");
    assert!(!is_cut);
    let mut checked = [0, 0];
    for one in singles.iter().chain(&pairs).filter(|one| is_checked(one)) {
        let [fp, drm, morale] =
            [("fp", 8), ("drm", 0), ("target.morale", 7)].map(|(name, now)| value(one, name, now));
        let expected = chance(fp, drm, morale);
        assert!((one.value - expected).abs() < 1e-12, "{one:?}: {expected}");
        assert_eq!(one.is_met, (expected - 0.45).abs() <= 0.02 + 1e-12, "{one:?}");
        checked[one.changes.len() - 1] += 1;
    }
    println!("{checked:?} tries");
    assert!(checked[0] >= 2, "{singles:?}");
    // Each single number comes once, and those that fit come first.
    let names: std::collections::BTreeSet<&str> =
        singles.iter().map(|one| one.changes[0].name.as_str()).collect();
    assert_eq!(names.len(), singles.len());
    assert!(singles.is_sorted_by_key(|one| !one.is_met), "{singles:?}");
    assert!(pairs.iter().all(|one| one.is_met && one.changes.len() == 2));
}

#[test]
fn the_nearest_value_of_a_number_is_found() {
    let experiment = contest(8, 0, 7);
    // Of all modifiers from -20 to 20 the nearest to the chance at 3.
    let target = chance(8, 3, 7);
    let want = WantedValue::parse(&format!("p_break = {target:.17}")).expect("a want");
    let singles = |is_thorough| {
        try_single_numbers(&experiment.cells[0], &want, is_thorough, &NoObserver).expect("solved")
    };
    // The chance falls with the modifier: it is found by the nearest steps and among all alike.
    let of_drm = |(tries, _): (Vec<NumberTry>, bool)| {
        tries.into_iter().find(|one| one.changes[0].name == "drm")
    };
    assert_eq!(of_drm(singles(false)), of_drm(singles(true)));
    let (singles, is_cut) = singles(false);
    assert!(!is_cut);
    let drm = singles.iter().find(|one| one.changes[0].name == "drm").expect("it is tried");
    assert!(drm.is_met && (drm.value - target).abs() < 1e-12, "{drm:?}");
    let wrong = WantedValue::parse("p_brake = 40 %").expect("it can be read");
    let told =
        try_single_numbers(&experiment.cells[0], &wrong, false, &NoObserver).expect_err("none");
    assert!(told.to_string().contains("no measure of that name"), "{told}");
    assert!(WantedValue::parse("p_break = p_kill").is_err());
}
