//! Laws of every contest of `d20`, whatever its numbers, and the size of its graphs.

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};

use crate::harness::compiled::assert_walked_as_compiled;
use crate::harness::enumerate::assert_graph_equals_enumeration;
use crate::harness::play::{contest, count_graph_size, samples};
use crate::harness::walk::compute_measure;

fn shoot(line: &str, name: &str) -> f64 {
    compute_measure(&contest("d20", "shoot", line), name)
}

#[test]
fn more_figures_never_lower_the_chance_to_kill() {
    for weapon in ["bolt-action rifle", "SMG", "LMG", "grenade"] {
        let kill = |figures| shoot(&format!("weapon = '{weapon}'\nfigures = {figures}"), "p_kill");
        let by_figures: Vec<f64> = (1..6).map(kill).collect();
        assert!(by_figures.is_sorted_by(|a, b| a < b), "{weapon} {by_figures:?}");
    }
}

#[test]
fn more_skill_or_aim_never_lowers_the_chance_to_kill() {
    let by_skill: Vec<f64> =
        (0..=30).map(|s| shoot(&format!("weapon = 'LMG'\nfirearms = {s}"), "p_kill")).collect();
    assert!(by_skill.is_sorted());
    let by_aim: Vec<f64> = (0..=6)
        .map(|ap| shoot(&format!("weapon = 'LMG'\nextra_ap = {ap}"), "e_casualties"))
        .collect();
    assert!(by_aim.is_sorted_by(|a, b| a <= b));
}

#[test]
fn cover_concealment_and_going_firm_never_raise_it() {
    for weapon in ["bolt-action rifle", "SMG", "HMG", "sniper rifle"] {
        for quality in ["novice", "average", "veteran"] {
            let line = format!("weapon = '{weapon}'\nfigures = 2\nquality = '{quality}'");
            let open = shoot(&line, "p_kill");
            for cover in ["in_cover", "concealed", "hidden", "gone_firm"] {
                let covered = shoot(&format!("{line}\n{cover} = true"), "p_kill");
                assert!(covered <= open, "{weapon} {quality} {cover}");
            }
        }
    }
}

#[test]
fn markers_and_casualties_never_help_morale() {
    for field in ["morale_markers", "suppression_markers", "casualties"] {
        let pass = |n| {
            compute_measure(
                &contest("d20", "morale", &format!("morale = 14\n{field} = {n}")),
                "p_pass",
            )
        };
        let by_number: Vec<f64> = (0..6).map(pass).collect();
        assert!(by_number.is_sorted_by(|a, b| a >= b), "{field}");
    }
}

#[test]
fn pen_never_lowers_and_armour_never_raises_the_chance_to_penetrate() {
    let p = |pen: i32, hull: i32| {
        let toml = format!(
            "pen = {pen}\nspotted = true\n[armour.front]\nhull = {hull}\nturret = {}",
            hull + 1
        );
        compute_measure(&contest("d20", "vehicle", &toml), "p_penetrate")
    };
    for fixed in 4..=14 {
        let by_pen: Vec<f64> = (0..20).map(|pen| p(pen, fixed)).collect();
        assert!(by_pen.is_sorted());
        let by_armour: Vec<f64> = (0..20).map(|hull| p(fixed, hull)).collect();
        assert!(by_armour.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn an_even_melee_without_a_charge_is_fair() {
    for figures in 1..=3 {
        let toml = format!("figures = {figures}\ntarget_figures = {figures}\ncharging = false");
        let combat = contest("d20", "melee", &toml);
        let (won, lost) = (
            compute_measure(&combat, "e_casualties"),
            compute_measure(&combat, "e_attacker_casualties"),
        );
        assert!((won - lost).abs() < 1e-12, "{won} {lost}");
    }
}

#[test]
fn every_sample_is_the_same_walked_and_compiled() {
    assert_walked_as_compiled("d20");
}

#[test]
fn small_contests_are_the_law_of_whole_trials() {
    for (action, toml) in [
        ("fire-and-morale", "weapon = 'pistol'\nspot = 12\nfirearms = 11\nmorale = 12"),
        ("melee", "figures = 2\ntarget_figures = 2"),
        ("vehicle", "pen = 9\nspotted = true\n[armour.front]\nhull = 8\nturret = 7"),
    ] {
        let leaves = assert_graph_equals_enumeration(action, &contest("d20", action, toml));
        assert!(leaves > 5_000, "{action} {leaves}");
    }
}

#[test]
fn fifty_shots_on_the_status_table_have_a_small_state() {
    let toml = "weapon = 'SMG'\nfigures = 50\ntarget_figures = 10\nfirearms = 9\nspot = 9";
    let combat = contest("d20", "shoot", toml);
    let graph = DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
        .expect("within the limits");
    let law = exact::solve_graph_distribution(&graph);
    assert!(graph.reached_state_count() < 10_000, "{}", graph.reached_state_count());
    let sum: f64 = law.probabilities.iter().sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn samples_stay_small() {
    for (name, combat) in samples("d20") {
        let (states, nodes) = count_graph_size(&combat);
        assert!(states < 60_000 && nodes < 60_000, "{name}");
    }
}
