//! Stacks with pinned units: FFMO and FFNAM do not count against the pinned, but against the units
//! beside them, so that one Original DR has several Final DRs (A7.83, A7.308 EX).
//!
//! Expected odds and outcomes are counted by hand, on the table of A7.3. Fields of an outcome: 0
//! eliminated, 1 reduced, 2 broken, 3 pinned, 4 wounded, …

use crate::asl::agree_pinned::{PAIR, measures};
use crate::asl::play::{law_of, play_contest, right, told};

const SQUAD: &str = "[[target]]\nkind = 'squad'\nmorale = 7\n";
const MOVING: &str = "modifiers = ['FFMO', 'FFNAM']\n";

fn pinned() -> String {
    format!("{SQUAD}pinned = true\n")
}

#[test]
fn only_the_squad_that_moves_suffers_for_moving() {
    // 1 FP, +2 and -2. Of the mover: 3 is a 1MC, 4 an NMC, 5 a PTC; doubles cower off the table.
    // The pinned one has 2 more: a PTC at best, which he does not take.
    let law = law_of("fire", &format!("fp = 1\ndrm = 2\n{MOVING}{PAIR}"));
    assert!(law.is(|row| row[2] > 0, 1, 18));
    assert!(law.is(|row| row[0] + row[1] > 0, 1, 324));
    assert!(law.is(|row| row[..8].iter().all(|n| *n == 0), 571, 648));
}

#[test]
fn who_was_pinned_by_the_first_attack_is_free_of_it_in_the_second() {
    let squads = "[[target]]\nunit = '4-4-7'\nnation = 'Russian'\ncount = 2\n";
    let text = format!("fp = 2\ndrm = 2\nattacks = 2\n{MOVING}{squads}");
    let [e_broken, p_break, e_pinned] = measures(&law_of("fire", &text));
    let near = |found: f64, expected: f64, step: f64| (found - expected).abs() <= step / 2.0;
    assert!(near(e_broken, 0.493666, 1e-6), "{e_broken}");
    assert!(near(p_break, 0.360310961, 1e-9), "{p_break}");
    assert!(near(e_pinned, 0.30838, 1e-5), "{e_pinned}");
}

#[test]
fn a_pinned_leader_beside_a_squad_that_moves() {
    // 8 FP at +2, Original 7: 7 and a 1MC for the squad, which nobody leads; 9 and a PTC for him.
    let leader = "[[target]]\nleader = '9-1'\npinned = true\n";
    let text = format!("fp = 8\ndrm = 2\n{MOVING}{SQUAD}{leader}");
    assert_eq!(play_contest(&right("fire", &text), &[3, 4, 3, 4])[..4], [0, 0, 1, 0]);
    // The other way round: the leader passes his 1MC, the squad has no check to be helped with.
    let text = format!("fp = 8\ndrm = 2\n{MOVING}{}[[target]]\nleader = '9-1'\n", pinned());
    assert_eq!(play_contest(&right("fire", &text), &[3, 4, 3, 4])[..4], [0, 0, 0, 0]);
}

#[test]
fn the_highest_number_counts_for_the_location_or_each_result_for_its_own() {
    // 8 FP, Original 3, -1 and FFMO: 1 and 2KIA for the two who move, 2 and 1KIA for the pinned
    // one.
    let text = |how: &str| {
        format!("fp = 8\ndrm = -1\nmodifiers = ['FFMO']\n{how}\n{SQUAD}count = 2\n{}", pinned())
    };
    // Together: two of the three are drawn.
    for how in ["", "random_selection = 'together'"] {
        let contest = right("fire", &text(how));
        assert_eq!(play_contest(&contest, &[1, 2, 6, 1, 5])[..4], [2, 0, 1, 0]);
        assert_eq!(play_contest(&contest, &[1, 2, 6, 5, 1])[..4], [2, 0, 1, 0]);
        assert_eq!(play_contest(&contest, &[1, 2, 4, 4, 4])[..4], [3, 0, 0, 0]);
    }
    // Apart: two of the two, and one of the one.
    let contest = right("fire", &text("random_selection = 'apart'"));
    assert_eq!(play_contest(&contest, &[1, 2])[..4], [3, 0, 0, 0]);
}

#[test]
fn who_has_no_result_that_draws_is_not_drawn() {
    // 8 FP, Original 3, FFMO: the mover has 2 and 1KIA, the pinned one 3 and K/2. Each is the only
    // one of his: no dr, the half-squad takes a 2MC and fails it with 6.
    for how in ["together", "apart"] {
        let fields = format!("fp = 8\nmodifiers = ['FFMO']\nrandom_selection = '{how}'\n");
        let both = right("fire", &format!("{fields}{SQUAD}{}", pinned()));
        assert_eq!(play_contest(&both, &[1, 2, 3, 3])[..4], [1, 1, 1, 0]);
        // Two of them draw for the K/2 between them: 5 and 2, then two squads and a half-squad
        // check.
        let three = right("fire", &format!("{fields}{SQUAD}{}count = 2\n", pinned()));
        assert_eq!(play_contest(&three, &[1, 2, 5, 2, 1, 2, 1, 2])[..4], [1, 1, 0, 0]);
        // At +1 the mover has the K/2, without a dr, and the pinned one a 2MC.
        let one = format!("{fields}drm = 1\n{SQUAD}{}", pinned());
        assert_eq!(play_contest(&right("fire", &one), &[1, 2, 1, 2, 4, 4])[..4], [0, 1, 1, 0]);
    }
}

#[test]
fn both_final_drs_are_told() {
    let text = format!("fp = 8\ndrm = 2\n{MOVING}{PAIR}");
    let steps = told(&right("fire", &text), &[3, 4, 3, 3]);
    assert_eq!(steps[0].0, "A7.3, A7.304, A7.83");
    assert_eq!(
        steps[0].1,
        "8 firepower on the 8 column: Original 7 (3, 4), DRM +0, Final 7: 1MC. Against the pinned \
         4-4-7: DRM +2, Final 9: PTC. It leaves 4 residual firepower."
    );
    assert!(steps[1].1.starts_with("The 4-4-7 takes a 1MC"), "{steps:?}");
    let draw = format!("fp = 8\nmodifiers = ['FFMO']\n{SQUAD}count = 2\n{}", pinned());
    let steps = told(&right("fire", &draw), &[1, 2, 5, 4, 1, 2]);
    let ends: Vec<bool> = steps.iter().map(|step| step.1.contains("the highest")).collect();
    assert_eq!(ends, [false, false, true, false]);
    // Alone, the pinned unit has one Final DR, and no other one is named.
    let alone = told(&right("fire", &format!("fp = 8\n{MOVING}{}", pinned())), &[5, 6]);
    assert_eq!(alone[0].0, "A7.3, A7.306");
    assert!(alone[0].1.contains("DRM +0, Final 11: no effect"), "{alone:?}");
}
