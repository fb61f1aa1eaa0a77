//! Squads as a step left them, in the step that follows: volleys and rounds in parts have the law
//! of the brute force for all of them together.

use std::collections::BTreeMap;

use enfilade_study::answer::Answer;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{SolverSettings, solve_experiment};

use super::oracle::{PLAIN, Volley};

fn exact(contest: &str) -> Answer {
    let text = format!("[[contest]]\nsystem = 'dropzone'\n{contest}");
    let read = Experiment::read_experiment_text(crate::built_in(), "x.toml", &text);
    let read = read.unwrap_or_else(|error| panic!("{contest}\n{error:?}"));
    let mut all = solve_experiment(&read, &SolverSettings::for_exact_only()).expect("it is small");
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// What a contest and what follows it do together: of each field the sum over both steps. `toml`
/// may have tables.
pub fn together(action: &str, toml: &str, then: &str, fields: &[&str]) -> BTreeMap<Vec<i32>, f64> {
    let toml = toml.replace("\n[", "\n[contest.");
    let answer = exact(&format!(
        "action = '{action}'\n{toml}\n[[contest.then]]\naction = '{action}'\n{then}"
    ));
    let place = |name: &str| {
        let found = answer.fields.iter().position(|field| *field.name == *name);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    let places: Vec<[usize; 2]> =
        fields.iter().map(|name| [place(name), place(&format!("then_{name}"))]).collect();
    let mut rows = BTreeMap::new();
    for outcome in &answer.outcomes {
        let row = places.iter().map(|[a, b]| outcome.values[*a] + outcome.values[*b]).collect();
        *rows.entry(row).or_insert(0.0) += outcome.exact.expect("it is exact");
    }
    rows
}

/// Two volleys at several models, whoever takes the next hit: what each model has left is known to
/// the second.
#[test]
fn volleys_in_parts_are_one_volley() {
    for even in [false, true] {
        for passive in [None, Some(5)] {
            for points in [2, 3] {
                let whole = Volley { shots: 4, models: 3, points, passive, even, ..PLAIN };
                let part = Volley { shots: 2, ..whole.clone() };
                let found =
                    together("shoot", &part.toml(), "carry = true\n", &["damage", "destroyed"]);
                let law = whole.law();
                for (row, p) in &found {
                    let there = law.chance_over_rows(|o| *o == row[..]);
                    assert!((there - p).abs() < 1e-12, "{whole:?}\n{row:?}: {p}, not {there}");
                }
                let all: f64 = found.values().sum();
                assert!((all - 1.0).abs() < 1e-12 && found.len() > 4, "{whole:?}");
            }
        }
    }
}

#[test]
fn points_left_are_held_against_what_is_lost() {
    let refused = |toml: &str| {
        let text = format!(
            "[[contest]]\nsystem = 'dropzone'\naction = 'shoot'\nshots = 1\naccuracy = 3\nenergy = 8\n\
             armour = 10\ndamage_points = 3\ncount = 2\n{toml}\n"
        );
        let error =
            Experiment::read_experiment_text(crate::built_in(), "x.toml", &text).expect_err(toml);
        format!("{error:?}")
    };
    for (toml, why) in [
        ("points_left = [4]", "a model has 3 Damage Points, not 4"),
        ("points_left = []", "expected the points of 1 to 2 models, found 0"),
        ("points_left = [1, 1, 1]", "expected the points of 1 to 2 models, found 3"),
        ("points_left = [2]\nlost = 1", "4 Damage Points of 6 are not left, and `lost` is 1"),
        ("points_left = [2]\nlost = 6", "`lost` must be under 6"),
    ] {
        assert!(refused(toml).contains(why), "{toml}\n{}", refused(toml));
    }
}
