//! Laws of every contest of `aic`, whatever its numbers: more never hurts, and the three ways to
//! play a sample agree.

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};

use crate::harness::compiled::assert_walked_as_compiled;
use crate::harness::enumerate::assert_graph_equals_enumeration;
use crate::harness::play::{contest, count_graph_size, samples};
use crate::harness::walk::{compute_measure, count_fields_and_measures};

fn fire(experience: u8, weapon: u8, figures: u8, cover: &str, bands: &str) -> String {
    format!(
        "attacker = {{ experience = 'd{experience}', figures = {figures}, weapon = 'd{weapon}' }}\n\
         defender = {{ figures = 3, defense = 6, cover = '{cover}', squadmate = {{ figures = 3 }} }}\n\
         bands = '{bands}'"
    )
}

const DICE: [u8; 5] = [4, 6, 8, 10, 12];

#[test]
fn more_figures_or_bigger_dice_never_lower_the_chance_to_kill() {
    for bands in ["ranged", "cc"] {
        for experience in DICE {
            let kill = |e, w, f| {
                compute_measure(&contest("aic", "fire", &fire(e, w, f, "medium", bands)), "p_kill")
            };
            for figures in 1..4 {
                assert!(kill(experience, 6, figures) <= kill(experience, 6, figures + 1));
            }
            for pair in DICE.windows(2) {
                assert!(kill(experience, pair[0], 2) <= kill(experience, pair[1], 2));
                assert!(kill(pair[0], experience, 2) <= kill(pair[1], experience, 2));
            }
        }
    }
}

#[test]
fn cover_never_raises_the_chance_to_kill_or_the_losses() {
    for experience in DICE {
        for name in ["p_kill", "e_kia", "e_pins"] {
            let value = |cover| {
                compute_measure(
                    &contest("aic", "fire", &fire(experience, 8, 3, cover, "ranged")),
                    name,
                )
            };
            let steps = ["none", "cover", "medium", "hard"].map(value);
            assert!(steps.is_sorted_by(|a, b| a >= b), "{name} {steps:?}");
        }
    }
}

#[test]
fn a_pin_never_raises_the_actions() {
    for sides in DICE {
        for motivation in 1..=4 {
            for (action, state) in [("morale", ""), ("rally", ""), ("rally", ", in_contact = true")]
            {
                let actions = |pins: i32| {
                    let toml = format!(
                        "defender = {{ experience = 'd{sides}', motivation = {motivation}, pins = {pins}{state}, squadmate = {{ pins = 1 }} }}"
                    );
                    compute_measure(&contest("aic", action, &toml), "e_actions")
                };
                let by_pins: Vec<f64> = (0..8).map(actions).collect();
                assert!(by_pins.is_sorted_by(|a, b| a >= b), "{action} d{sides} {by_pins:?}");
            }
        }
    }
}

#[test]
fn fire_never_raises_the_actions_of_its_target() {
    let actions = |teams: usize| {
        let team = "{ experience = 'd6', figures = 3, weapon = 'd6' }";
        let toml = format!(
            "attacker = [{}]\ndefender = {{ experience = 'd8', figures = 3, defense = 5, squadmate = {{ figures = 3 }} }}",
            vec![team; teams].join(", ")
        );
        compute_measure(&contest("aic", "suppression", &toml), "e_actions")
    };
    assert!(actions(2) < actions(1) && actions(1) < 6.0);
}

#[test]
fn the_order_of_equal_squadmates_does_not_matter() {
    let with = |mates: &str| {
        let toml = format!(
            "attacker = [{{ experience = 'd8', figures = 3, weapon = 'd6' }}, {{ experience = 'd6', figures = 2, weapon = 'd8' }}]\n\
             defender = {{ experience = 'd8', figures = 2, defense = 5, squadmate = [{mates}] }}"
        );
        count_fields_and_measures(&contest("aic", "suppression", &toml))
    };
    let (a, b, c) =
        ("{ figures = 3 }", "{ figures = 2, pins = 1 }", "{ figures = 4, wounded = 1 }");
    let law = with(&format!("{a}, {b}, {c}"));
    assert_eq!(law, with(&format!("{c}, {a}, {b}")));
    assert_eq!(law, with(&format!("{b}, {c}, {a}")));
}

#[test]
fn every_sample_is_the_same_walked_and_compiled() {
    assert_walked_as_compiled("aic");
}

#[test]
fn small_samples_are_the_law_of_whole_trials() {
    for (action, toml) in [
        (
            "close-combat",
            "attacker = { experience = 'd4', figures = 2, weapon = 'd6', defense = 4 }\ndefender = { experience = 'd6', figures = 2, weapon = 'd4', defense = 4 }",
        ),
        (
            "fire",
            "attacker = { experience = 'd8', figures = 4, weapon = 'd4' }\ndefender = { figures = 3, defense = 4, squadmate = { figures = 1 } }",
        ),
    ] {
        let leaves = assert_graph_equals_enumeration(action, &contest("aic", action, toml));
        assert!(leaves > 2_000, "{leaves}");
    }
}

#[test]
fn three_teams_against_a_squad_of_three_have_a_small_state() {
    let team = "{ experience = 'd8', figures = 4, weapon = 'd6' }";
    let toml = format!(
        "attacker = [{team}, {team}, {team}]\n\
         defender = {{ experience = 'd8', figures = 4, defense = 7, motivation = 3, squadmate = [{{ figures = 4 }}, {{ figures = 4 }}] }}"
    );
    let combat = contest("aic", "suppression", &toml);
    let graph = DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
        .expect("within the limits");
    let law = exact::solve_graph_distribution(&graph);
    let sum: f64 = law.probabilities.iter().sum();
    assert!((sum - 1.0).abs() < 1e-9);
    assert!(graph.reached_state_count() < 200_000, "{}", graph.reached_state_count());
}

#[test]
fn samples_stay_small() {
    for (name, combat) in samples("aic") {
        let (states, nodes) = count_graph_size(&combat);
        assert!(states < 60_000 && nodes < 60_000, "{name}");
    }
}
