//! `aic`: the distribution of results over a squad, against the sentences of 4.1 and 4.2 carried
//! out one marker at a time, and laws that hold whatever the order of the tables.
//!
//! The oracle deals single results from a list, worst first, without states or steps.

use std::collections::BTreeMap;

use crate::aic::oracle::{RANGED, volley};
use crate::harness::play::contest;
use crate::harness::walk::{
    CountedDistribution, compute_measure, count_fields, count_fields_and_measures,
};

/// Figures, Wounded markers, pins.
type Team = [i32; 3];

/// House rules: choices of the owner and readings.
#[derive(Clone, Copy)]
struct House {
    kia_takes_wounded: bool,
    others_take_fewer: bool,
    passes_on: bool,
}

/// Places `results` (0 KIA, 1 Wounded, 2 Pin, in this order) on a team. Returns the results left
/// when the team is gone.
fn place(team: &mut Team, results: &[usize], house: House) -> Vec<usize> {
    let mut beyond = Vec::new();
    let before = team[0];
    let kia = results.iter().filter(|&&kind| kind == 0).count() as i32;
    for nth in 0..kia {
        if nth >= before {
            beyond.push(0);
            continue;
        }
        team[0] -= 1;
        team[2] += 1;
        if house.kia_takes_wounded && team[1] > 0 {
            team[1] -= 1;
        }
    }
    excess(team);
    for &kind in results.iter().filter(|&&kind| kind > 0) {
        match (team[0], kind) {
            (0, 1) => beyond.push(1),
            (0, _) => {}
            (_, 1) => {
                team[1] += 1;
                team[2] += 1;
                excess(team);
            }
            _ => team[2] += 1,
        }
    }
    if team[0] == 0 {
        *team = [0; 3];
    }
    beyond
}

fn excess(team: &mut Team) {
    while team[1] > team[0] && team[0] > 0 {
        team[0] -= 1;
        team[1] -= 2;
    }
}

/// Distributes results of fire at the first of `teams` over the remaining ones.
fn share(teams: &[Team], counts: [i32; 3], house: House) -> Vec<Team> {
    let mut teams = teams.to_vec();
    let mut list: Vec<usize> = (0..3).flat_map(|kind| vec![kind; counts[kind] as usize]).collect();
    let mut order: Vec<usize> = (1..teams.len()).filter(|&t| teams[t][0] > 0).collect();
    order.sort_by_key(|&t| (teams[t][2], -teams[t][0], teams[t][1]));
    let mut kept = list.len();
    if !order.is_empty() {
        kept = list.len().div_ceil(2);
        // The others hold at most one result less than the target has to take.
        while house.others_take_fewer
            && kept < list.len()
            && list.len() - kept > order.len() * (list.len().div_ceil(2) - 1)
        {
            kept += 1;
        }
    }
    let rest = list.split_off(kept);
    let mut beyond = place(&mut teams[0], &list, house);
    beyond.extend(deal(&mut teams, &order, &rest, house));
    order.push(0);
    while house.passes_on && !beyond.is_empty() {
        order.retain(|&t| teams[t][0] > 0);
        beyond.sort_unstable();
        beyond = match order.is_empty() {
            true => Vec::new(),
            false => deal(&mut teams, &order, &beyond, house),
        };
    }
    teams
}

fn deal(teams: &mut [Team], order: &[usize], results: &[usize], house: House) -> Vec<usize> {
    let mut beyond = Vec::new();
    for (nth, &team) in order.iter().enumerate() {
        let own: Vec<usize> = results.iter().copied().skip(nth).step_by(order.len()).collect();
        beyond.extend(place(&mut teams[team], &own, house));
    }
    beyond
}

#[test]
fn every_reading_of_the_distribution_is_the_enumerated_law() {
    let squads: [&[Team]; 4] = [
        &[[2, 2, 0]],
        &[[1, 0, 0], [3, 1, 0]],
        &[[2, 1, 1], [1, 0, 0], [2, 2, 0]],
        &[[3, 0, 0], [1, 1, 2]],
    ];
    let flags = [false, true];
    let fields = ["kia", "wounded", "pins", "target_kia", "target_wounded"];
    for teams in squads {
        for (takes, fewer, passes) in flags.iter().flat_map(|&a| {
            let rest = flags.iter().flat_map(move |&b| flags.map(|c| (b, c)));
            rest.map(move |(b, c)| (a, b, c))
        }) {
            let house =
                House { kia_takes_wounded: takes, others_take_fewer: fewer, passes_on: passes };
            let table = |[f, w, p]: Team| format!("figures = {f}, wounded = {w}, pins = {p}");
            let mates: Vec<String> =
                teams[1..].iter().map(|&mate| format!("{{ {} }}", table(mate))).collect();
            let toml = format!(
                "attacker = {{ experience = 'd8', weapons = ['d8', 'd6', 'd6', 'd6'] }}\n\
                 defender = {{ defense = 4, {}, squadmate = [{}] }}\n\
                 kia_takes = '{}'\nothers_take = '{}'\noverkill = '{}'",
                table(teams[0]),
                mates.join(", "),
                if takes { "wounded" } else { "unwounded" },
                if fewer { "fewer" } else { "as-many" },
                if passes { "passes-on" } else { "lost" },
            );
            let sum = |teams: &[Team], i: usize| teams.iter().map(|t| t[i]).sum::<i32>();
            let mut rows = BTreeMap::new();
            for (results, n) in volley(8, &[8, 6, 6, 6], 4, RANGED) {
                let after = share(teams, results, house);
                let row = vec![
                    sum(teams, 0) - sum(&after, 0),
                    sum(&after, 1),
                    sum(&after, 2),
                    teams[0][0] - after[0][0],
                    after[0][1],
                ];
                *rows.entry(row).or_insert(0) += n;
            }
            let combat = contest("aic", "fire", &toml);
            assert_eq!(
                count_fields(&combat, &fields),
                CountedDistribution::from_rows(rows),
                "{toml}"
            );
        }
    }
}

#[test]
fn a_kia_on_two_wounded_figures() {
    // d8 and d6 against Defense 8: totals of 11 and more kill, in 10 of 48 ways; 9 and 10 wound, in
    // 11.
    let with = |doctrine: &str| {
        let toml = format!(
            "strikes_back = false\nattacker = {{ experience = 'd8', figures = 1, weapon = 'd6' }}\n\
             defender = {{ figures = 2, wounded = 2, defense = 8 }}\n{doctrine}"
        );
        let combat = contest("aic", "close-combat", &toml);
        let both = count_fields(&combat, &["kia"]).chance_over_rows(|row| row[0] == 2);
        (compute_measure(&combat, "e_kia"), both)
    };
    // A third Wounded marker takes one of the two figures.
    assert_eq!(with(""), (21.0 / 48.0, 0.0));
    // A KIA leaves two markers on one figure, which goes too.
    let (kia, both) = with("kia_takes = 'unwounded'");
    assert!((kia - 31.0 / 48.0).abs() < 1e-12 && (both - 10.0 / 48.0).abs() < 1e-12);
}

/// Returns all orders of `items`.
fn orders(items: &[String]) -> Vec<Vec<String>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let first = |at: usize| {
        let mut rest = items.to_vec();
        let first = rest.remove(at);
        orders(&rest).into_iter().map(move |order| [vec![first.clone()], order].concat())
    };
    (0..items.len()).flat_map(first).collect()
}

/// Squads of three teams, the first of which is shot at: figures, Wounded, pins, Motivation,
/// Cowering.
const SQUADS: [[[i32; 5]; 3]; 4] = [
    [[2, 0, 0, 3, 0], [4, 0, 0, 4, 0], [4, 1, 0, 2, 0]],
    [[2, 0, 0, 2, 0], [4, 0, 0, 4, 0], [2, 0, 0, 4, 0]],
    [[3, 0, 1, 2, 1], [3, 0, 1, 2, 0], [3, 0, 1, 5, 0]],
    [[1, 1, 4, 1, 0], [1, 0, 9, 3, 0], [3, 0, 8, 1, 1]],
];

fn mate([figures, wounded, pins, motivation, cowering]: [i32; 5]) -> String {
    let cowering = cowering == 1;
    format!(
        "{{ figures = {figures}, wounded = {wounded}, pins = {pins}, motivation = {motivation}, \
         cowering = {cowering} }}"
    )
}

fn fired_at(mates: &[String], spread: &str) -> String {
    format!(
        "attacker = [{{ experience = 'd6', figures = 3, weapon = 'd6' }}, \
                     {{ experience = 'd4', figures = 2, weapon = 'd8' }}]\n\
         defender = {{ experience = 'd6', figures = 1, defense = 3, squadmate = [{}] }}\n\
         spread = '{spread}'",
        mates.join(", ")
    )
}

#[test]
fn the_order_of_the_tables_changes_nothing() {
    for squad in SQUADS {
        let tables = squad.map(mate);
        for spread in ["even", "one", "none"] {
            for action in ["fire", "suppression"] {
                let laws = orders(&tables)
                    .iter()
                    .map(|mates| {
                        count_fields_and_measures(&contest("aic", action, &fired_at(mates, spread)))
                    })
                    .collect::<Vec<_>>();
                assert!(
                    laws.windows(2).all(|pair| pair[0] == pair[1]),
                    "{action} {spread} {squad:?}"
                );
            }
        }
    }
}

#[test]
fn what_a_morale_test_asks_for_changes_nothing_in_fire() {
    let fields = ["kia", "wounded"];
    for squad in SQUADS {
        let steady = squad.map(|[f, w, p, motivation, _]| mate([f, w, p, motivation, 0]));
        let alike = squad.map(|[f, w, p, ..]| mate([f, w, p, 3, 0]));
        for spread in ["even", "one", "none"] {
            let law_of = |action, mates| {
                count_fields(&contest("aic", action, &fired_at(mates, spread)), &fields)
            };
            let expected = law_of("fire", &alike);
            assert_eq!(law_of("fire", &steady), expected, "{spread} {squad:?}");
            // No one Cowers before the test, and the test takes no figure.
            assert_eq!(law_of("suppression", &steady), expected, "{spread} {squad:?}");
        }
    }
}

#[test]
fn the_strongest_team_is_dealt_to_first_and_fired_at_next() {
    // Two results, one for each team at most: the one that need not stay falls on the four figures.
    let toml = |mates: &str| {
        format!(
            "attacker = [{{ experience = 'd4', figures = 2, weapon = 'd4' }}, {{ experience = 'd4', figures = 1, weapon = 'd4' }}]\n\
             defender = {{ figures = 1, defense = 0, squadmate = [{mates}] }}\n\
             pin_margin = 1\nwound_margin = 1\nkia_margin = 1"
        )
    };
    let (weak, strong) = ("{ figures = 1, motivation = 5 }", "{ figures = 4, motivation = 1 }");
    for mates in [format!("{weak}, {strong}"), format!("{strong}, {weak}")] {
        // Each time a KIA: the target, one of four, then one of the three that are the strongest.
        let combat = contest("aic", "fire", &toml(&mates));
        let law = count_fields(&combat, &["kia", "pins"]);
        assert_eq!(law.chance_over_rows(|row| row == [3, 2]), 1.0, "{mates}");
    }
}
