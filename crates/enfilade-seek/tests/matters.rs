//! Influences on a rout, by the formula of the game: one step of each number, and shares of the
//! variance.

use enfilade_model::catalogue::Catalogue;
use enfilade_seek::measure_influences::{influences_on_each_contest, render_influences};
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::NoObserver;

mod odds;

use odds::rout;

fn asked(axes: &str) -> Vec<enfilade_seek::measure_influences::InfluencesOnMeasure> {
    let none = |_: &str| Err("no files".to_owned());
    let rules = include_str!("questions/bridgehead.rules");
    let book = enfilade_rules::read_without_built_in_base("bridgehead", "x.rules", rules, &none)
        .expect("in order");
    let catalogue = Catalogue::default().with_rulebook(book.system);
    let file = format!(
        "[[contest]]\nsystem = 'bridgehead'\nname = 'x'\naction = 'fire'\nweapon = 'lmg'\n{axes}"
    );
    let experiment =
        Experiment::read_experiment_text(&catalogue, "x.toml", &file).expect("in order");
    influences_on_each_contest(&experiment, Some("p_rout"), &NoObserver).expect("it is solved")
}

#[test]
fn one_step_of_each_number_is_by_the_formula() {
    let all = asked("");
    // An LMG at six men behind light cover: twelve dice that hit on 3, saves on 5.
    let here = rout(12, 3, 0);
    assert!((all[0].current_value - here).abs() < 1e-12);
    let step = |name: &str| {
        let found = all[0].steps.iter().find(|step| step.name == name);
        found.unwrap_or_else(|| panic!("{name}: {:?}", all[0].steps)).clone()
    };
    for (name, down, up) in [
        ("weapons.lmg.shots", rout(8, 3, 0), rout(16, 3, 0)),
        ("to_hit.close.1", rout(12, 2, 0), rout(12, 4, 0)),
    ] {
        let found = step(name);
        assert!((found.down.expect("a step") - (down - here)).abs() < 1e-12, "{found:?}");
        assert!((found.up.expect("a step") - (up - here)).abs() < 1e-12, "{found:?}");
    }
    assert_eq!((step("models").name.as_str(), step("cover").up.is_some()), ("models", true));
    // Numbers that the contest does not read have no effect, and are not listed.
    for other in ["to_hit.close.0", "to_hit.long.1", "weapons.mortar.shots"] {
        assert!(all[0].steps.iter().all(|step| step.name != other), "{other}");
    }
    let sizes: Vec<f64> = all[0]
        .steps
        .iter()
        .map(|step| [step.down, step.up].into_iter().flatten().map(f64::abs).fold(0.0, f64::max))
        .collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    let page = render_influences(&all);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
}

#[test]
fn shares_of_the_variance_are_by_the_formula() {
    let all =
        asked("[contest.change]\nto_hit.close.1 = [2, 3, 4]\nweapons.lmg.shots = [1, 2, 3, 4]\n");
    let value = |need: i64, shots: i64| rout(4 * shots, need, 0);
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let variance = |values: Vec<f64>| {
        let middle = mean(values.clone());
        mean(values.iter().map(|value| (value - middle).powi(2)).collect())
    };
    let by_need = |need: i64| mean((1..=4).map(|shots| value(need, shots)).collect());
    let by_shots = |shots: i64| mean((2..=4).map(|need| value(need, shots)).collect());
    let whole =
        variance((2..=4).flat_map(|need| (1..=4).map(move |shots| value(need, shots))).collect());
    let need = variance((2..=4).map(by_need).collect()) / whole;
    let shots = variance((1..=4).map(by_shots).collect()) / whole;
    let expected = [
        ("change.to_hit.close.1", need, 1.0 - shots),
        ("change.weapons.lmg.shots", shots, 1.0 - need),
    ];
    assert_eq!(all[0].shares.len(), 2);
    for ((name, alone, in_all), own) in expected.iter().zip(&all[0].shares) {
        assert_eq!(*name, own.0);
        assert!(
            (alone - own.1).abs() < 1e-9 && (in_all - own.2).abs() < 1e-9,
            "{own:?} {alone} {in_all}"
        );
    }
    // All parts add up to one: each alone, and both in interaction.
    let together = all[0].strongest_pair.as_ref().map_or(0.0, |(.., share)| *share);
    let sum = all[0].shares.iter().map(|(_, alone, _)| alone).sum::<f64>() + together;
    assert!((sum - 1.0).abs() < 0.006, "{sum}");
}
