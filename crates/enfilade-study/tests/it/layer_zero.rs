//! Every action of every rulebook, played once for every way its dice can fall, against its graph.
//!
//! No false alarms and no samples: whole numbers compared with `==`.

use std::collections::BTreeSet;

use enfilade_study::cross_check::cells_of_rulebook_samples;
use enfilade_study::experiment::{Experiment, GridCell};
use enfilade_study::samples;
use rayon::prelude::*;

use crate::toys::Volley;
use enfilade_testkit::enumerate::{
    assert_graph_equals_enumeration, assert_small_graph_equals_enumeration,
};

/// Sequences of faces after which a sample counts as too large to be enumerated.
const MOST: u64 = 1_000_000;

/// Small contests of the actions whose samples are all larger than that.
const SMALL: [(&str, &str, &str); 5] = [
    (
        "aic",
        "assault",
        "attacker = { experience = \"d4\", figures = 1, weapon = \"d4\", defense = 6 }\n\
         defender = { experience = \"d4\", figures = 1, weapon = \"d4\", defense = 6 }",
    ),
    (
        "aic",
        "assault-fire",
        "attacker = { experience = \"d6\", figures = 1, weapon = \"d6\", defense = 7 }\n\
         defender = { experience = \"d4\", figures = 1, weapon = \"d4\", defense = 6 }",
    ),
    (
        "asl",
        "rof",
        "fp = 2\ndrm = 2\nrof = 2\nbreakdown = 11\nmax_attacks = 2\n\
         [[target]]\nkind = \"half-squad\"\nmorale = 8",
    ),
    ("d20", "building-assault", "figures = 2\ntarget_figures = 1\ngrenade_dice = 1\nmelee = 11"),
    (
        "dropzone",
        "engagement",
        "shots = 1\naccuracy = 3\nenergy = 8\narmour = 9\ndamage_points = 2\nrounds = 2",
    ),
];

fn small() -> Vec<GridCell> {
    let cells = SMALL.iter().flat_map(|(system, action, text)| {
        let system = crate::built_in().rulebook_by_id(system).expect("a system");
        let action = system.action(action).expect("an action");
        let file = samples::contest_file_of_sample(system, action, text);
        Experiment::read_experiment_text(crate::built_in(), "a small contest", &file)
            .expect("it fits")
            .cells
    });
    cells.collect()
}

#[test]
fn every_action_is_its_enumerated_law() {
    let mut cells =
        cells_of_rulebook_samples(crate::built_in(), None).expect("every sample fits its action");
    cells.extend(small());
    let sequences = |cell: &GridCell| {
        let combat = &cell.played.combat;
        let sequences = assert_small_graph_equals_enumeration(&cell.name, combat, MOST)?;
        let asked = (cell.system.id.clone(), cell.action.name.clone());
        Some((asked, sequences))
    };
    let enumerated: Vec<_> = cells.par_iter().filter_map(sequences).collect();
    let actions: BTreeSet<_> = enumerated.iter().map(|(action, _)| action.clone()).collect();
    for system in crate::built_in().rulebooks_created_on_demand() {
        for action in &system.actions {
            let name = (system.id.clone(), action.name.clone());
            assert!(actions.contains(&name), "{name:?} has no small contest");
        }
    }
    let of_rules: u64 = enumerated.iter().map(|(_, sequences)| sequences).sum();
    // By hand: a shot has 2 misses, 3 hits with a save, and a six with two: 2 + 3·6 + 36 = 56.
    let of_a_toy = assert_graph_equals_enumeration("volley", &Volley::boxed(4, 3, 6, 5));
    assert_eq!(of_a_toy, 56_u64.pow(4));
    assert!(of_rules + of_a_toy >= 10_000_000, "{of_rules} + {of_a_toy}");
}
