//! The whole of `aic` in the language of rulebooks, beside the same rulebook in Rust: every contest has
//! the same law, to the last unit, and users see the same fields, outcomes and measures.

use enfilade::catalogue::Catalogue;
use enfilade::graph::{DieGraph, Limits};
use enfilade::study::experiment::Experiment;

use super::aic_contests as contests;
use super::retold::{Retold, Told};
use super::retold_contests::Chance;
use super::shipped::rulebook;
use crate::built_in;

fn retold(action: &'static str, random: fn(&mut Chance) -> String) -> Retold {
    Retold {
        file: ("aic", action),
        built_in: ("aic", action),
        random,
        told: Some,
        named: &[],
    }
}

/// All outcomes and measures of both are compared: neither has one that the other lacks.
fn check(action: &'static str, random: fn(&mut Chance) -> String) {
    retold(action, random).check();
}

#[test]
fn close_combat() {
    check("close-combat", contests::close_combat);
}

#[test]
fn fire() {
    check("fire", contests::fire);
}

#[test]
fn advancing_fire() {
    check("advancing-fire", contests::advancing_fire);
}

#[test]
fn firing_into_close_combat() {
    check("firing-into-close-combat", contests::into_close_combat);
}

#[test]
fn assault_fire() {
    check("assault-fire", contests::assault_fire);
}

#[test]
fn suppression() {
    check("suppression", contests::suppression);
}

#[test]
fn morale() {
    check("morale", contests::morale);
}

#[test]
fn rally() {
    check("rally", contests::morale);
}

#[test]
fn armored_assault() {
    check("armored-assault", contests::armored_assault);
}

/// A catalogue in which the text stands in the place of the Rust.
fn of_text() -> Catalogue {
    Catalogue::of([(**rulebook("aic")).clone()])
}

#[test]
fn experiments() {
    let (text, built) = (of_text(), built_in());
    for name in ["aic_experience_against_numbers", "aic_suppression"] {
        let path = super::shipped::folder().join(format!("../experiments/{name}.toml"));
        let said = std::fs::read_to_string(path).expect("the experiment is there");
        let read = |catalogue| Experiment::read(catalogue, name, &said);
        let (ours, theirs) = (read(&text), read(built));
        let ours = ours.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let theirs = theirs.expect("the experiment is well formed");
        assert_eq!(ours.cells.len(), theirs.cells.len(), "{name}");
        for (ours, theirs) in ours.cells.iter().zip(&theirs.cells) {
            assert_eq!(ours.axes, theirs.axes, "{name} {}", ours.index);
            let (here, there) = (Told::of(&ours.played, None), Told::of(&theirs.played, None));
            assert_eq!(here.fields, there.fields, "{name} {}", ours.index);
            assert!(
                here.law == there.law,
                "{name} {}: the laws differ",
                ours.index
            );
            assert_eq!(here.measures, there.measures, "{name} {}", ours.index);
        }
    }
}

/// States of every sample: `ENFILADE_RETOLD=0 cargo test … -- --nocapture states`.
#[test]
fn states_of_the_samples() {
    let mut all = (0, 0);
    for action in &built_in().system("aic").expect("built in").actions {
        let text = rulebook("aic")
            .action(&action.name)
            .expect("the action is there");
        for (place, sample) in action.samples.iter().enumerate() {
            let table = sample.parse().expect("the sample is TOML");
            let nodes = |action| {
                let contest = super::retold::contest(action, &table).expect("a sample");
                let graph = DieGraph::of(&contest.combat, Limits::default()).expect("small");
                graph.nodes().len()
            };
            let (ours, theirs) = (nodes(text), nodes(action));
            println!("{:26} {place}: {ours:6} {theirs:6}", action.name);
            all = (all.0 + ours, all.1 + theirs);
        }
    }
    println!("all {all:?}");
    assert!(2 * all.0 <= 5 * all.1, "{all:?}");
}
