//! Every weapon with a profile against every unit: all contests can be built and solved exactly.

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};

use crate::harness::play::try_contest;

fn names(shelf: &str, columns: usize) -> Vec<String> {
    let system = crate::built_in().rulebook_by_id("dropzone").expect("built in");
    let shelf = (system.data_tables)().into_iter().find(|s| s.name == shelf);
    let rows = shelf.expect("it is a shelf").rows;
    let mut names: Vec<_> = rows.iter().map(|row| row[..columns].join("/")).collect();
    names.dedup();
    names
}

#[test]
fn every_weapon_shoots_at_every_unit() {
    let (weapons, units) = (names("weapons", 3), names("units", 2));
    assert_eq!((weapons.len(), units.len()), (301, 145));
    let mut cells = 0;
    for weapon in &weapons {
        for unit in &units {
            let toml = format!("weapon = \"{weapon}\"\ntarget = \"{unit}\"");
            let Ok(contest) = try_contest("dropzone", "shoot", &toml) else {
                break;
            };
            let graph =
                DieGraph::compile_within_limits(&contest.combat, CompiledContestLimits::default())
                    .expect("small enough");
            let law = exact::solve_graph_distribution(&graph);
            let whole: f64 = law.probabilities.iter().sum();
            assert!((whole - 1.0).abs() < 1e-12, "{toml}: {whole}");
            cells += 1;
        }
    }
    // Nine of the 301 weapons have no fixed shots or do no damage.
    assert_eq!(cells, 292 * 145);
}
