//! `aic` and `d20` against the integer distributions of a former implementation in Rust.
//!
//! Both rulebooks were once written in Rust as well, from the same sources and without the rule
//! language. The results of that implementation were recorded before it was removed
//! (`laws/*.jsonl`): for every sample, for 120 random contests of each action, and for contests
//! that it refused. A line is a contest with its distribution as fractions in lowest terms, or a
//! hash of them if they are long. A reading that changes on purpose changes its lines, by hand or
//! by a program that does not read the text.

use std::collections::BTreeSet;

use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::catalogue::RulebookAction;
use enfilade_testkit::reported_distributions::{ReportedDistribution, hash_line};
use enfilade_testkit::test_contests::{find_action, parse_contest};
use serde_json::Value as Json;

use crate::built_in;

/// Returns the lines of a rulebook.
fn lines(system: &str) -> Vec<Json> {
    let text = match system {
        "aic" => include_str!("laws/aic.jsonl"),
        _ => include_str!("laws/d20.jsonl"),
    };
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn words(of: &Json) -> Vec<String> {
    let words = of.as_array().expect("a list").iter();
    words.map(|word| word.as_str().expect("a word").to_owned()).collect()
}

/// Returns the names of outcomes and measures, as the lines number them.
fn names(lines: &[Json]) -> Vec<(Vec<String>, Vec<String>)> {
    let lists = lines.iter().filter_map(|line| line.get("names")?.as_array());
    lists.map(|lists| (words(&lists[0]), words(&lists[1]))).collect()
}

/// Returns the places of faults. A squadmate has no weapons to be named.
fn places(paths: impl Iterator<Item = String>) -> BTreeSet<String> {
    paths.map(|path| path.replace("squadmate.weapons", "squadmate.figures")).collect()
}

/// Returns whether a contest is refused as recorded: `aic` at exactly the same places, `d20` at
/// those and others, because the former implementation stopped at the first fault if a room has too
/// few assaulters.
fn is_refused(system: &str, action: &RulebookAction, contest: &str, told: &Json) -> bool {
    let Err(faults) = parse_contest(action, contest) else { return false };
    let ours = places(faults.iter().map(|fault| fault.path.to_string()));
    let told = places(words(told).into_iter());
    if system == "aic" { ours == told } else { told.is_subset(&ours) }
}

/// Checks an action against its lines. Returns their number.
fn check(system: &str, name: &str) -> usize {
    let (lines, action) = (lines(system), find_action(built_in(), system, name));
    let names = names(&lines);
    let own = lines.iter().filter(|line| line.get("action").is_some_and(|known| known == name));
    let mut count = 0;
    for line in own {
        count += 1;
        let contest = line["contest"].as_str().expect("a contest");
        if let Some(told) = line.get("refused") {
            assert!(is_refused(system, action, contest, told), "{told}\n{contest}");
            continue;
        }
        let made = parse_contest(action, contest);
        let made = made.unwrap_or_else(|faults| panic!("{faults:?}\n{contest}"));
        let place = line["names"].as_u64().expect("a number") as usize;
        let (fields, measures) = &names[place];
        let found = ReportedDistribution::from_contest(&made, Some(fields))
            .format_as_line(fields, measures);
        match line.get("law") {
            Some(law) => assert_eq!(found, law.as_str().expect("a law"), "{contest}"),
            None => assert_eq!(hash_line(fields, measures, &found), line["hash"], "{contest}"),
        }
    }
    count
}

/// Declares a test for each action, with its samples and 120 random contests.
macro_rules! actions {
    ($($name:ident: $system:literal $action:literal;)+) => {
        $(#[test]
        fn $name() {
            let count = check($system, $action);
            assert!(count > 120, "{count} lines");
        })+

        #[test]
        fn every_action_has_its_lines() {
            for system in ["aic", "d20"] {
                let told: BTreeSet<String> = lines(system)
                    .iter()
                    .filter_map(|line| Some(line.get("action")?.as_str()?.to_owned()))
                    .collect();
                let tests = [$(($system, $action)),+];
                let tested = tests.iter().filter(|(of, _)| *of == system);
                let tested: BTreeSet<_> = tested.map(|(_, action)| (*action).to_owned()).collect();
                assert_eq!(told, tested);
            }
        }
    };
}

actions! {
    aic_close_combat: "aic" "close-combat";
    aic_fire: "aic" "fire";
    aic_advancing_fire: "aic" "advancing-fire";
    aic_firing_into_close_combat: "aic" "firing-into-close-combat";
    aic_assault_fire: "aic" "assault-fire";
    aic_suppression: "aic" "suppression";
    aic_morale: "aic" "morale";
    aic_rally: "aic" "rally";
    aic_armored_assault: "aic" "armored-assault";
    d20_shoot: "d20" "shoot";
    d20_interrupt: "d20" "interrupt";
    d20_fire_and_morale: "d20" "fire-and-morale";
    d20_action_points: "d20" "action-points";
    d20_melee: "d20" "melee";
    d20_building_assault: "d20" "building-assault";
    d20_morale: "d20" "morale";
    d20_vehicle: "d20" "vehicle";
}

/// The former implementation had 9 088 nodes in all its samples of `aic` and 1 514 in those of
/// `d20`; a text is no larger than the one, and less than twice the other.
#[test]
fn graphs_stay_small() {
    let (aic, d20) = (nodes("aic"), nodes("d20"));
    assert!(aic <= 9088, "{aic} nodes");
    assert!(d20 <= 2 * 1514, "{d20} nodes");
}

/// Returns the number of nodes in the graphs of the samples that have a line.
fn nodes(system: &str) -> usize {
    let lines = lines(system);
    let told = |name: &str, sample: &str| {
        let is_it = |line: &Json| line["action"] == name && line["contest"] == sample;
        lines.iter().any(is_it)
    };
    let system = built_in().rulebook_by_id(system).expect("built in");
    let samples = system.actions.iter().flat_map(|action| {
        let own = action.samples.iter().filter(|sample| told(&action.name, sample));
        own.map(move |sample| parse_contest(action, sample).expect("a sample is without fault"))
    });
    let graphs = samples.map(|made| {
        DieGraph::compile_within_limits(&made.combat, CompiledContestLimits::default())
            .expect("small")
    });
    graphs.map(|graph| graph.nodes().len()).sum()
}
