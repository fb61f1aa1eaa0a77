//! Every sample of `dropzone` and `skirmishers`: the die graph's distribution equals that of an
//! exhaustive walk over the states, and simulated and played trials follow it.

use std::collections::BTreeMap;

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::play;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{InstructionSet, RollableDieGraph, simulate_trials};
use enfilade_model::catalogue::Contest;
use enfilade_model::combat::{CombatStepExplanation, Ending};
use enfilade_model::dice::RolledDie;

use crate::harness::play::try_contest;
use crate::harness::walk::count_all_fields;

const TRIALS: u64 = 1 << 16;

/// Probability of a false alarm for each comparison of a distribution. There are fewer than 200 of
/// them.
const ALPHA: f64 = 1e-9;

fn samples(system: &str) -> Vec<(String, Contest)> {
    let system = crate::built_in().rulebook_by_id(system).expect("it is built in");
    let actions = system.actions.iter();
    let samples = actions.flat_map(|action| action.samples.iter().map(move |toml| (action, toml)));
    samples
        .map(|(action, toml)| {
            let built = try_contest(&system.id, &action.name, toml);
            let built = built.unwrap_or_else(|faults| panic!("{toml}\n{faults:?}"));
            (format!("{} {}\n{toml}", system.id, action.name), built)
        })
        .collect()
}

fn graph(name: &str, contest: &Contest) -> DieGraph {
    DieGraph::compile_within_limits(&contest.combat, CompiledContestLimits::default())
        .unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// Fails if the divergence of the counts from the distribution is larger than chance allows: n·KL ≥
/// x with x − (c−1) − (c−1)·ln(x/(c−1)) = ln(1/α).
fn assert_follows(name: &str, law: &BTreeMap<Ending, f64>, counts: &BTreeMap<Ending, u64>) {
    let n: u64 = counts.values().sum();
    let mut divergence = 0.0;
    for (ending, &count) in counts.iter().filter(|(_, count)| **count > 0) {
        let p = law.get(ending).copied().unwrap_or(0.0);
        assert!(p > 0.0, "{name}: impossible outcome {ending:?}");
        divergence += count as f64 * (count as f64 / n as f64 / p).ln();
    }
    let freedom = (law.len() - 1).max(1) as f64;
    let wanted = (1.0 / ALPHA).ln();
    let mut bound = freedom + 1.0;
    while bound - freedom - freedom * (bound / freedom).ln() < wanted {
        bound += 1.0;
    }
    assert!(divergence < bound, "{name}: {divergence} of {bound}");
}

fn check(system: &str) {
    let stream = ContestRandomStream { seed: 4, fingerprint: [5; 32] };
    for (name, contest) in samples(system) {
        let graph = graph(&name, &contest);
        let law = exact::solve_graph_distribution(&graph);
        assert!(law.unsettled < 1e-12, "{name}");
        let law: BTreeMap<_, _> =
            graph.endings().iter().copied().zip(law.probabilities.iter().copied()).collect();
        let counts = simulate_trials(
            &RollableDieGraph::new(&graph),
            TRIALS,
            &stream,
            InstructionSet::widest_available(),
            &|_| true,
        );
        let counts = counts.expect("not interrupted").endings;
        let counts = graph.endings().iter().copied().zip(counts).collect();
        assert_follows(&name, &law, &counts);
        let played = play::play_trials(&contest.combat, TRIALS, &stream, &|| true);
        assert_follows(&name, &law, &played.expect("not interrupted").endings);
    }
}

fn check_walk(system: &str) {
    for (name, contest) in samples(system) {
        let graph = graph(&name, &contest);
        let Some(weights) = exact::solve_integer_weights(&graph) else {
            panic!("{name} need not end")
        };
        let fields = contest.combat.outcome_fields().len();
        let walked = count_all_fields(&contest.combat);
        let whole = dashu_int::UBig::from(walked.ways);
        let mut told = BTreeMap::new();
        for (ending, n) in graph.endings().iter().zip(&weights.numerators) {
            *told.entry(ending.fields[..fields].to_vec()).or_insert(dashu_int::UBig::ZERO) += n;
        }
        for (key, n) in &walked.rows {
            let told = told.remove(key).unwrap_or_else(|| panic!("{name}: {key:?}"));
            assert_eq!(told * &whole, dashu_int::UBig::from(*n) * &weights.denominator, "{name}");
        }
        assert!(told.is_empty(), "{name}: {told:?}");
    }
}

/// Checks that every step of every sample has an explanation with its dice and a rule reference.
fn check_telling(system: &str) {
    let stream = ContestRandomStream { seed: 9, fingerprint: [1; 32] };
    for (name, contest) in samples(system) {
        let mut dice = play::RandomDice::new(&stream, 0);
        for _ in 0..50 {
            let mut listen = |rolls: &[RolledDie], telling: CombatStepExplanation| {
                let all = rolls.iter().all(|roll| telling.text.contains(&roll.face.to_string()));
                let told = telling.text.ends_with('.') && !telling.rule.is_empty() && all;
                assert!(told, "{name}\n{rolls:?}\n{telling:?}");
                true
            };
            assert!(
                contest.combat.play_with_step_listener(&mut dice, &mut listen).is_some(),
                "{name}"
            );
        }
    }
}

#[test]
fn every_step_is_told() {
    check_telling("dropzone");
    check_telling("skirmishers");
}

#[test]
fn dropzone_is_played_alike_by_all_engines() {
    check("dropzone");
}

#[test]
fn dropzone_graphs_are_the_walked_law() {
    check_walk("dropzone");
}

#[test]
fn skirmishers_are_played_alike_by_all_engines() {
    check("skirmishers");
}

#[test]
fn skirmishers_graphs_are_the_walked_law() {
    check_walk("skirmishers");
}

/// Returns the number of states in the graph of a contest.
fn states(system: &str, action: &str, toml: &str) -> usize {
    graph(toml, &try_contest(system, action, toml).expect("sound")).reached_state_count()
}

#[test]
fn six_attacks_on_advanced_armour_stay_small() {
    let toml = "weapon = 'rifle'\nshots = 6\ntarget_armour = 'heavy'\nadvanced_armour = true";
    assert!(states("skirmishers", "attack", toml) < 40_000);
}

#[test]
fn a_gun_against_eight_troopers_over_six_moves_is_exact() {
    for order in ["man-by-man", "all-first"] {
        let toml = format!("weapon = 'HMG'\ntroopers = 8\nmoves = 6\norder = '{order}'");
        assert!(states("skirmishers", "crewed-duel", &toml) < 500_000);
    }
}

#[test]
fn attacks_in_turn_are_exact_on_a_squad() {
    let smg = "weapon = 'SMG'\nrange = 10\narc = '60'\ntargets = 3";
    let hmg = "weapon = 'HMG'\nrange = 60\nshots = 10\ntargets = 4";
    let armoured = "weapon = 'LMG'\nshots = 6\ntargets = 3\ntarget_armour = 'standard'";
    let long = "weapon = 'SMG'\nrange = 10\narc = '150'\ntargets = 3";
    for squad in [smg, hmg, armoured, long] {
        let toml = format!("{squad}\nallocation = 'spread'");
        assert!(states("skirmishers", "attack", &toml) < 300_000);
    }
}

/// Six scattered dots around one trooper are equivalent, so eight rounds are rows of two spots, not
/// of seven dots, and the past of the trooper is forgotten.
#[test]
fn eight_rounds_at_one_man_are_exact() {
    let one = "weapon = 'hand grenade'\nrounds = 8";
    assert!(states("skirmishers", "explosion", one) < 60_000);
}

#[test]
fn fifty_shots_with_saves_stay_small() {
    let toml =
        "shots = 50\naccuracy = 3\nenergy = 8\narmour = 11\npassive = 5\ndamage_points = 100";
    // (shots to come, points lost) 51², of which half can be; a hit die, a damage die and two
    // countermeasure dice each.
    assert!(states("dropzone", "shoot", toml) < 11_000);
}
