//! What must hold of every attack: its size, and how its odds move.

use std::time::Instant;

use crate::asl_walk::{law, right, size, walk};

#[test]
fn contests_stay_small() {
    let cases = [
        (
            "fire",
            "fp = 8\ndrm = -1\n[[target]]\nkind = 'squad'\nmorale = 7",
            14,
            36,
        ),
        (
            "fire",
            "fp = 8\ndrm = -1\n[[target]]\nkind = 'squad'\nmorale = 7\ncount = 3\n[[target]]\nleader = '8-1'",
            4000,
            20000,
        ),
        (
            "fire",
            "fp = 36\ndrm = -1\n[[target]]\nkind = 'squad'\nmorale = 7\ncount = 3\n[[target]]\nleader = '8-1'",
            4000,
            20000,
        ),
    ];
    for (action, text, states, nodes) in cases {
        let contest = right(action, text);
        let begun = Instant::now();
        let found = size(&contest.combat);
        eprintln!("{found:?} {:?}", begun.elapsed());
        assert!(found.0 <= states && found.1 <= nodes, "{text}: {found:?}");
    }
    let fire = enfilade::systems::system("asl").unwrap();
    for action in fire.actions {
        for text in action.samples {
            let contest = right(action.name, text);
            let begun = Instant::now();
            let found = size(&contest.combat);
            let e = begun.elapsed();
            let w = walk(&contest.combat);
            eprintln!("{} {found:?} {:?} {}", action.name, e, w.0.weights.len());
        }
    }
    let _ = law;
}
