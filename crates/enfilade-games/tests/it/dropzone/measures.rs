//! Every measure of every action of `dropzone`, by name, against chances counted by hand from the
//! quick reference.

use std::collections::BTreeMap;
use std::sync::Arc;

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::MeasureHead;

use crate::harness::play::try_contest;
use crate::harness::walk::law_in;

/// Returns the measures of a contest by name, computed exactly.
fn measured(action: &str, toml: &str) -> BTreeMap<String, f64> {
    let contest = try_contest("dropzone", action, toml);
    let combat = contest.unwrap_or_else(|faults| panic!("{toml}\n{faults:?}")).combat;
    let graph =
        DieGraph::compile_within_limits(&combat, CompiledContestLimits::default()).expect("small");
    let law = exact::solve_graph_distribution(&graph);
    let heads = combat.measures().iter().enumerate();
    let value = |(i, head): (usize, &Arc<MeasureHead>)| {
        let value = law.measure_value(graph.endings(), i, head)?;
        Some((head.name.to_string(), value))
    };
    heads.filter_map(value).collect()
}

/// Checks that the contest has exactly these measures.
fn check(action: &str, toml: &str, expected: &[(&str, f64)]) {
    let told = measured(action, toml);
    let names = expected.iter().map(|(name, _)| *name);
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    assert!(told.keys().eq(&names), "{action}: {told:?}");
    for (name, value) in expected {
        let found = told[*name];
        assert!((found - value).abs() < 1e-12, "{action}\n{toml}\n{name}: {found}, not {value}");
    }
}

#[test]
fn a_volley_is_measured() {
    // A shot does nothing, 1 or 2 damage as 4 : 1 : 1 (4+ to hit, then 3 and 4, or 5 and 6). Two
    // shots at models of 2 points, of 36: 16 nothing; 8 one point; 10 one model (8 with one miss,
    // one and one, one and two, of which one is overkill); 1 a model and a point; 1 both models.
    let toml = "shots = 1\nsquad = 2\npoints = 25\naccuracy = 4\nenergy = 6\narmour = 9\n\
                count = 2\ndamage_points = 2\ndetail = 'hits'";
    let damage = (8 + 2 * 10 + 3 + 4) as f64 / 36.0;
    check(
        "shoot",
        toml,
        &[
            ("p_damage", 20.0 / 36.0),
            ("p_kill", 12.0 / 36.0),
            ("p_wipe", 1.0 / 36.0),
            ("e_damage", damage),
            ("e_destroyed", 13.0 / 36.0),
            ("damage_per_100_points", 2.0 * damage),
            ("e_hits", 1.0),
            ("e_criticals", 12.0 / 36.0),
        ],
    );
}

#[test]
fn what_costs_nothing_has_no_damage_per_point() {
    let names = |weapon: &str| measured("shoot", &format!("weapon = '{weapon}'\narmour = 10"));
    let per_point = "damage_per_100_points";
    // The Brigand comes with its carrier and is printed with 0 points.
    assert!(!names("Scourge/Brigand Interceptor/Arc Caster").contains_key(per_point));
    assert!(names("UCM/Sabre Tank/Avenger Railgun").contains_key(per_point));
}

#[test]
fn an_engagement_is_measured() {
    // Two shots at 3+ destroy 0, 1, 2 of two models of 2 points as 1 : 4 : 4. Those that are left
    // answer at 4+ with 2 damage each, at 3 points: two of them do 0, 2, 3 as 1 : 2 : 1.
    let toml = "shots = 2\naccuracy = 3\nenergy = 20\narmour = 5\ndamage_points = 2\ncount = 2\n\
                [shooter]\narmour = 5\ndamage_points = 3\n\
                [return_fire]\nshots = 1\naccuracy = 4\nenergy = 20";
    check(
        "engagement",
        toml,
        &[
            ("p_kill", 8.0 / 9.0),
            ("p_wipe", 4.0 / 9.0),
            ("p_shooters_wiped", 1.0 / 36.0),
            ("e_survivors", 2.0 / 3.0),
            ("e_damage", 8.0 / 3.0),
            ("e_destroyed", 4.0 / 3.0),
            ("e_shooters", 35.0 / 36.0),
            // 1/9 · (2 · 2 + 3)/4 from two of them, 4/9 · 1/2 · 2 from one.
            ("e_shooter_damage", 7.0 / 36.0 + 16.0 / 36.0),
        ],
    );
}

#[test]
fn an_engagement_ends_in_the_round_in_which_a_side_is_gone() {
    let toml = "shots = 1\naccuracy = 4\nenergy = 20\narmour = 5\nrounds = 2\n\
                [shooter]\narmour = 5\n[return_fire]\nshots = 1\naccuracy = 3\nenergy = 20";
    let fields = ["round", "survivors", "destroyed", "shooters", "shooters_destroyed"];
    // Hit dice of two rounds, of 36 · 36: the attackers hit in 18 of 36, the target in 24.
    let expected = [
        (vec![0, 1, 0, 1, 0], 36),
        (vec![1, 0, 1, 1, 0], 648),
        (vec![1, 1, 0, 0, 1], 432),
        (vec![2, 0, 1, 1, 0], 108),
        (vec![2, 1, 0, 0, 1], 72),
    ];
    let told = law_in("dropzone", "engagement", toml, &fields).rows_over_sixths(4);
    assert_eq!(told, BTreeMap::from(expected));
}

#[test]
fn an_engagement_out_of_reach_is_no_engagement() {
    let fields = ["round", "damage", "shooter_damage"];
    let rail = "weapon = 'UCM/Sabre Tank/Avenger Railgun'\nrounds = 3\n";
    // Active countermeasures shorten the rail gun to 24 inches; without AA it spares a flyer.
    for spared in [
        "target = 'UCM/Sabre'\nrange = 25",
        "armour = 5\ntype = 'Aircraft'\naircraft_need_aa = true",
    ] {
        let told = law_in("dropzone", "engagement", &format!("{rail}{spared}"), &fields);
        assert_eq!(told.rows_over_sixths(0), BTreeMap::from([(vec![0, 0, 0], 1)]), "{spared}");
    }
}

#[test]
fn a_fortitude_test_is_measured() {
    // Two models of 2 points leave: a 6 holds, 5 to 1 fail by 1 to 5 and lose 1, 2, 3, 4 and 4.
    let leaving =
        "armour = 7\ndamage_points = 2\ncount = 2\nfortitude = 6\nleaving_outnumbered = true";
    let lost = [
        ("p_failed", 5.0 / 6.0),
        ("p_abandons", 0.0),
        ("e_damage", 14.0 / 6.0),
        ("e_destroyed", 1.0),
    ];
    check("fortitude", leaving, &lost);
    let fields = ["damage", "destroyed"];
    let told = law_in("dropzone", "fortitude", leaving, &fields).rows_over_sixths(1);
    let expected =
        [(vec![0, 0], 1), (vec![1, 0], 1), (vec![2, 1], 1), (vec![3, 1], 1), (vec![4, 2], 2)];
    assert_eq!(told, BTreeMap::from(expected));
    // One point of four is left, and 4+ holds.
    let shaken = "armour = 7\ndamage_points = 2\ncount = 2\nfortitude = 4\nlost = 3";
    let flees = [("p_failed", 0.5), ("p_abandons", 0.5), ("e_damage", 0.0), ("e_destroyed", 0.0)];
    check("fortitude", shaken, &flees);
}

#[test]
fn a_lost_transport_is_measured() {
    // A hit of energy 10 on armour 15 does 1 damage in 1/3. One hit each damages a unit of 2 points
    // in 1/3 and destroys none; two damage it in 5/9 and destroy it in 1/9.
    check(
        "transport-loss",
        "armour = 15\ndamage_points = 2\ncount = 2",
        &[
            ("p_damage", (5.0 / 9.0 + 65.0 / 81.0) / 3.0),
            ("p_kill", 17.0 / 81.0 / 3.0),
            ("p_wipe", 1.0 / 81.0 / 3.0),
            ("e_damage", (2.0 / 3.0 + 4.0 / 3.0) / 3.0),
            ("e_destroyed", 2.0 / 9.0 / 3.0),
        ],
    );
}

#[test]
fn a_crash_is_measured() {
    // Units of 1 point: one hit destroys in 1/3, two in 5/9. A 1 reaches one unit, a 2 two of them.
    let crash = |distances: &str, wiped: f64| {
        check(
            "aircraft-crash",
            &format!("armour = 15\ndistances = {distances}"),
            &[
                ("p_damage", (1.0 / 3.0 + 65.0 / 81.0) / 3.0),
                ("p_kill", (1.0 / 3.0 + 65.0 / 81.0) / 3.0),
                ("p_wipe", wiped),
                ("e_damage", (1.0 / 3.0 + 10.0 / 9.0) / 3.0),
                ("e_destroyed", (1.0 / 3.0 + 10.0 / 9.0) / 3.0),
            ],
        );
    };
    crash("[1, 2]", 25.0 / 81.0 / 3.0);
    // One unit at ten inches lives, so not every unit is destroyed.
    crash("[1, 2, 10]", 0.0);
    let spared = measured("aircraft-crash", "armour = 5\nsmall = true");
    assert!(spared.values().all(|&value| value == 0.0), "{spared:?}");
}

#[test]
fn a_demolition_is_measured() {
    // One hit of energy 7 damages armour 10 on 3 and more, and 1 point is all there is.
    let toml = "shots = 1\naccuracy = 0\nclose_quarters = true\nenergy = 7\narmour = 10\ndamage_points = 1\n\
                [occupant]\narmour = 15\ncount = 2\n[bystander]\narmour = 15\ndistances = [1, 1]";
    let falls = 2.0 / 3.0;
    // 2D3 hits, each of which destroys a model inside in 1/3: 2 to 6 of them as 1 : 2 : 3 : 2 : 1.
    let (mut none, mut one) = (0.0, 0.0);
    for (hits, ways) in [(2, 1.0), (3, 2.0), (4, 3.0), (5, 2.0), (6, 1.0)] {
        let spared = 2.0_f64 / 3.0;
        none += ways / 9.0 * spared.powi(hits);
        one += ways / 9.0 * f64::from(hits) / 3.0 * spared.powi(hits - 1);
    }
    // Each of two units around is destroyed by one, two or three hits in 9, 15 and 19 of 27.
    let around = 2.0 * (9.0 + 15.0 + 19.0) / 27.0 / 3.0;
    check(
        "demolish",
        toml,
        &[
            ("p_damage", falls),
            ("p_kill", falls),
            ("p_occupants_wiped", falls * (1.0 - none - one)),
            ("e_damage", falls),
            ("e_tokens", 0.0),
            ("e_occupant_damage", falls * (2.0 - 2.0 * none - one)),
            ("e_bystander_damage", falls * around),
        ],
    );
    // With 9 points the building remains; a 5 or 6 is a Critical and leaves a token; no squad
    // inside is wiped out.
    let standing = "shots = 1\naccuracy = 0\nclose_quarters = true\nenergy = 7\narmour = 10\ndamage_points = 9";
    let stands = [
        ("p_damage", 2.0 / 3.0),
        ("p_kill", 0.0),
        ("p_occupants_wiped", 0.0),
        ("e_damage", 2.0 / 3.0),
        ("e_tokens", 1.0 / 3.0),
        ("e_occupant_damage", 0.0),
        ("e_bystander_damage", 0.0),
    ];
    check("demolish", standing, &stands);
}

#[test]
fn the_fall_of_a_piece_destroys_models_inside_and_units_around() {
    let toml = "shots = 1\naccuracy = 0\nclose_quarters = true\nenergy = 10\narmour = 10\ndamage_points = 1\n\
                [occupant]\narmour = 5\ncount = 2\ndamage_points = 3\n\
                [bystander]\narmour = 5\ndamage_points = 3\ndistances = [1, 2]";
    let fields =
        ["occupant_damage", "occupants_destroyed", "bystander_damage", "bystanders_destroyed"];
    // Every hit does 2 damage, and the third point of a model is gone with its second hit: 2, 3 and
    // more hits on those inside in 1, 2 and 6 of 9. Around, a 1 hits one unit once, 2 and 3 hit
    // two.
    let mut expected = BTreeMap::new();
    for (inside, ways) in [([3, 1], 1), ([5, 1], 2), ([6, 2], 6)] {
        for (around, faces) in [([2, 0], 1), ([6, 2], 2)] {
            expected.insert([inside, around].concat(), ways * faces * 8);
        }
    }
    // 27 results of three D3, in 216ths.
    assert_eq!(law_in("dropzone", "demolish", toml, &fields).rows_over_sixths(3), expected);
}

#[test]
fn collateral_damage_is_measured() {
    // A 6 burns the building, a 4 and more hurts armour 8 inside.
    check(
        "collateral",
        "piece = 'medium building'\n[occupant]\narmour = 8",
        &[
            ("p_damage", 1.0 / 6.0),
            ("p_kill", 0.0),
            ("p_occupants_wiped", 0.5),
            ("e_damage", 1.0 / 6.0),
            ("e_tokens", 1.0 / 6.0),
            ("e_occupant_damage", 0.5),
            ("e_bystander_damage", 0.0),
        ],
    );
}

/// Turn 6 finds it with any die, so a search of six turns is certain to, and prints as certain.
#[test]
fn what_is_certain_is_exactly_one() {
    let told = measured("search", "");
    assert_eq!((told["p_found"], told["p_by_turn_6"]), (1.0, 1.0));
    let longer = measured("search", "turns = 8\nfirst_turn = 3");
    assert_eq!((longer["p_found"], longer["p_by_turn_6"]), (1.0, 1.0));
    assert!(told["p_by_turn_5"] < 1.0);
    // A mean that is equal in every ending is exactly that number: two shooters who are not shot
    // at.
    let volley = "shots = 4\naccuracy = 3\nenergy = 4\narmour = 7\ndamage_points = 50\nsquad = 2\nrounds = 2";
    assert_eq!(measured("engagement", volley)["e_shooters"], 2.0);
}

#[test]
fn a_search_is_measured() {
    // Turn t needs 7 − t, so t faces of six find it: 5/6 · 4/6 · … are still looking.
    let mut unfound = 1.0;
    let by = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|turn| {
        unfound *= 1.0 - turn / 6.0;
        1.0 - unfound
    });
    let names =
        ["p_by_turn_1", "p_by_turn_2", "p_by_turn_3", "p_by_turn_4", "p_by_turn_5", "p_by_turn_6"];
    let all = names.into_iter().zip(by).chain([("p_found", 1.0)]);
    check("search", "", &all.collect::<Vec<_>>());
    // From turn 3 to turn 4: 3/6, then 4/6 of the rest.
    let (third, fourth) = (0.5, 5.0 / 6.0);
    // There is no fifth turn, and no measure of one.
    let by = [0.0, 0.0, third, fourth];
    let all = names.into_iter().zip(by).chain([("p_found", fourth)]);
    check("search", "first_turn = 3\nturns = 4", &all.collect::<Vec<_>>());
}

#[test]
fn a_search_is_measured_by_every_turn_of_it() {
    // A total of 12: turns 6, 7 and 8 find it on a 6, on 5 and more, on 4 and more.
    let (sixth, seventh, eighth) = (1.0 / 6.0, 1.0 - 20.0 / 36.0, 1.0 - 60.0 / 216.0);
    check(
        "search",
        "needed = 12\nturns = 8",
        &[
            ("p_found", eighth),
            ("p_by_turn_1", 0.0),
            ("p_by_turn_2", 0.0),
            ("p_by_turn_3", 0.0),
            ("p_by_turn_4", 0.0),
            ("p_by_turn_5", 0.0),
            ("p_by_turn_6", sixth),
            ("p_by_turn_7", seventh),
            ("p_by_turn_8", eighth),
        ],
    );
}
