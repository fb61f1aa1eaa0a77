//! Explanations of `asl`, step by step, with known dice; results and rule numbers from A7.

use crate::asl::play::{right, told};

const SQUAD: &str = "[[target]]\nkind = 'squad'\nmorale = 7\n";

/// Returns the steps of a contest with these faces: rule and text.
fn steps(action: &str, text: &str, faces: &[u8]) -> Vec<(String, String)> {
    told(&right(action, text), faces)
}

fn tells(step: &(String, String), rule: &str, text: &str) {
    assert_eq!((step.0.as_str(), step.1.as_str()), (rule, text));
}

#[test]
fn a_gun_that_keeps_its_rate() {
    // Coloured dice 3 and 4 at a rate of 3: without effect, then with a 1MC to roll in between.
    let gun = |fields: &str| {
        format!("fp = 8\nrof = 3\ncowers = false\nmax_attacks = 2\n{fields}\n{SQUAD}")
    };
    let miss = steps("rof", &gun("drm = 20"), &[3, 1, 4, 1]);
    assert!(miss[0].1.ends_with(" The gun keeps its rate of fire."), "{miss:?}");
    assert!(miss[1].1.ends_with(" The gun fires no more."), "{miss:?}");
    let hit = steps("rof", &gun(""), &[2, 4, 1, 2, 4, 2, 1, 2]);
    assert!(hit[0].1.ends_with(" The gun keeps its rate of fire."), "{hit:?}");
    assert!(hit[2].1.ends_with(" The gun fires no more."), "{hit:?}");
    assert_eq!(hit[2].0, "A7.3, A7.304, A9.2");
}

#[test]
fn results_that_cost_lives() {
    // The 8 column: Final 3 is K/2, Final 2 is 1KIA.
    let two = format!("fp = 8\ncowers = false\n{SQUAD}count = 2");
    let k = steps("fire", &two, &[1, 2, 5, 4, 1, 2, 1, 2]);
    tells(
        &k[0],
        "A7.3, A7.302",
        "8 firepower on the 8 column: Original 3 (1, 2), DRM +0, Final 3: K/2. One unit suffers \
         Casualty Reduction, then the others and its half-squad check. It leaves 4 residual firepower.",
    );
    tells(&k[1], "A7.301, A7.302", "Random Selection: the squad rolls 5.");
    tells(
        &k[2],
        "A7.301, A7.302",
        "Random Selection: the squad rolls 4; the highest suffers Casualty Reduction.",
    );
    let kia = steps("fire", &two, &[1, 1, 5, 4]);
    tells(
        &kia[0],
        "A7.3, A7.301",
        "8 firepower on the 8 column: Original 2 (1, 1), DRM +0, Final 2: 1KIA. Eliminated, at \
         least: 1; the others break. It leaves 4 residual firepower.",
    );
    tells(
        &kia[2],
        "A7.301, A7.302",
        "Random Selection: the squad rolls 4; the highest are eliminated, the others break.",
    );
}

#[test]
fn who_is_broken_or_pinned_is_told_so() {
    let unit = "[[target]]\nunit = '4-4-7'\nnation = 'Russian'\n";
    let check = |state: &str, faces: &[u8]| {
        steps("morale-check", &format!("check = 'NMC'\n{unit}{state}"), faces)
    };
    tells(
        &check("", &[3, 3])[0],
        "A10.3, A7.8",
        "The 4-4-7 takes a NMC: Original 6, DRM +0, Final 6 against morale 7: it passes.",
    );
    tells(
        &check("pinned = true", &[4, 4])[0],
        "A10.3, A7.8",
        "The pinned 4-4-7 takes a NMC: Original 8, DRM +0, Final 8 against morale 7: it breaks.",
    );
    tells(
        &check("broken = true", &[4, 4])[0],
        "A10.3, A7.8",
        "The broken 4-4-7 takes a NMC: Original 8, DRM +0, Final 8 against morale 7: \
         it suffers Casualty Reduction.",
    );
    let pin = steps("morale-check", &format!("check = 'PTC'\n{unit}"), &[4, 4]);
    tells(
        &pin[0],
        "A7.305",
        "The 4-4-7 takes a PTC: Original 8, DRM +0, Final 8 against morale 7: it is pinned.",
    );
}

#[test]
fn wounds_and_the_loss_of_a_leader() {
    let stack = format!("check = 'NMC'\n[[target]]\nleader = '8-1'\n{SQUAD}");
    // 9 breaks the 8-1: the squad takes a task check, his -1 turned into +1, and fails it with 7.
    let broken = steps("morale-check", &stack, &[4, 5, 1, 2, 3, 4]);
    tells(
        &broken[2],
        "A10.2",
        "LLTC: The squad takes a PTC: Original 7, DRM +1, Final 8 against morale 7: it is pinned.",
    );
    // 12 wounds him, 5 kills him: a morale check.
    let dead = steps("morale-check", &stack, &[6, 6, 5, 1, 2, 3, 4]);
    tells(&dead[1], "A17.11", "The broken 8-1 is hit: wound severity 5, eliminated.");
    tells(
        &dead[3],
        "A10.2",
        "LLMC: The squad takes a NMC: Original 7, DRM +1, Final 8 against morale 7: it breaks.",
    );
    let hurt = steps("morale-check", &stack, &[6, 6, 4, 1, 2, 1, 2]);
    tells(&hurt[1], "A17.11", "The broken 8-1 is hit: wound severity 4, wounded.");
}

#[test]
fn a_pin_below_the_morale() {
    let squad = "check = 'NMC'\n[[target]]\nkind = 'squad'\nmorale = 12\n";
    tells(
        &steps("morale-check", squad, &[6, 5])[0],
        "A10.3, A7.8",
        "The squad takes a NMC: Original 11, DRM +0, Final 11 against morale 12: it passes with the \
         highest DR that does, and is pinned.",
    );
}

#[test]
fn vehicles_and_their_passengers() {
    let truck = "[[target]]\nvehicle = 'unarmoured'\n";
    let loaded = format!("fp = 8\n{truck}kind = 'crew'\nmorale = 7\n");
    // Kill Number 7 on the 8 column; a passenger survives with 7 at most.
    for (white, fate) in
        [(4, "7, at most 7 is needed: it survives."), (5, "8, at most 7 is needed: it is lost.")]
    {
        let lost = steps("fire", &loaded, &[2, 4, 3, white]);
        assert!(
            lost[0].1.ends_with(" Vehicle line: DRM +0, Final 6 against Kill Number 7."),
            "{lost:?}"
        );
        tells(&lost[1], "A7.308", "The vehicle is eliminated; its passengers check for survival.");
        tells(&lost[2], "A7.308, D5.6", &format!("Survival of a passenger: {fate}"));
    }
    let stuck = steps("fire", &format!("fp = 8\n{truck}"), &[3, 4]);
    tells(&stuck[1], "A7.308", "The vehicle is immobilised.");
    let unlucky = format!("fp = 4\ndrm = 9\ncowers = false\n{truck}");
    tells(
        &steps("fire", &unlucky, &[1, 1, 1])[1],
        "A7.308, A7.309",
        "The vehicle is a burning wreck; its passengers are lost (Unlikely Kill dr 1).",
    );
    let tank = "fp = 8\n[[target]]\nvehicle = 'armoured'\n";
    tells(&steps("fire", tank, &[1, 2])[1], "A7.307", "The armoured vehicle is not affected.");
}
