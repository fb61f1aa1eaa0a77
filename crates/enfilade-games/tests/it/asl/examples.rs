//! Worked examples of A7 with their dice.
//!
//! Fields of an outcome: eliminated, reduced, broken, pinned, wounded, wrecked, destroyed,
//! immobilised, malfunction. A script is the coloured and the white die of the attack, then the
//! dice of each check, leaders first.

use crate::asl::play::{law, law_of, play_contest, right, told};

/// Returns the first explanation of a contest with these dice for the attack; all other rolls pass.
fn first(action: &str, text: &str, attack: [u8; 2]) -> String {
    let contest = right(action, text);
    let mut faces = attack.to_vec();
    faces.extend([1; 400]);
    let mut steps = Vec::new();
    let mut dice = enfilade_model::dice::ScriptedDice::new(&faces);
    contest.combat.play_with_step_listener(&mut dice, &mut |_, telling| {
        steps.push(telling.text);
        false
    });
    steps.remove(0)
}

const FIRE_GROUP: &str = "leader = '9-2'\nrange = 7\n\
    [[firer]]\nunit = '4-6-7'\ncount = 2\n[[firer]]\nweapon = 'MMG'\nnation = 'German'\n\
    [[target]]\nunit = '4-4-7'\nnation = 'Russian'\ncount = 3\n[[target]]\nleader = '8-0'";

#[test]
fn a_fire_group_at_seven_hexes() {
    // A7.306 EX: 2 + 2 + 5 = 9 FP; Original 8, DRM -2, Final 6 on the 8 column: 1MC to all four.
    let contest = right("fire", FIRE_GROUP);
    // The leader passes with 6 + 1 ≤ 8, the squads roll 7 (8 > 7 breaks), 6 (7 pins), 5 (6 passes).
    let faces = [3, 5, 3, 3, 3, 4, 2, 4, 2, 3];
    assert_eq!(play_contest(&contest, &faces), [0, 0, 1, 1, 0, 0, 0, 0, 0]);
    let steps = told(&contest, &faces);
    let first = &steps[0];
    assert_eq!(first.0, "A7.3, A7.304");
    assert_eq!(
        first.1,
        "2 × 4-6-7 2 + MMG 5: 9 firepower on the 8 column: Original 8 (3, 5), DRM -2, Final 6: \
         1MC. It leaves 4 residual firepower."
    );
    assert!(steps[1].1.starts_with("The 8-0 takes a 1MC"), "{}", steps[1].1);
    assert_eq!(steps.len(), 5);
}

const TRUCK: &str = "leader = '8-0'\nmodifiers = ['Shellholes']\nrange = 3\n\
    [[firer]]\nunit = '4-4-7'\nnation = 'Russian'\n[[firer]]\nweapon = 'MMG'\nnation = 'Russian'\n\
    [[target]]\nkind = 'squad'\nmorale = 7\n\
    [[target]]\nvehicle = 'unarmoured'\nunit = '2-4-7'\nnation = 'German'";

#[test]
fn a_truck_among_shellholes() {
    // A7.308 EX: 4 + 4 = 8 FP, Kill Number 7; the squad has +1, truck and passengers have none.
    let contest = right("fire", TRUCK);
    // Original 7: squad Final 8, NMC: 8 breaks; truck immobilised; half-squad 1MC: 6 + 1 = 7 pins.
    let faces = [3, 4, 4, 4, 3, 3];
    assert_eq!(play_contest(&contest, &faces), [0, 0, 1, 1, 0, 0, 0, 1, 0]);
    let rules: Vec<_> = told(&contest, &faces).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(rules[0], "A7.3, A7.303, A7.308");
    assert_eq!(rules[2], "A7.308");
    // The half-squad's check is a 1MC: 7 + 1 = 8 breaks it.
    assert_eq!(play_contest(&contest, &[3, 4, 1, 1, 3, 4])[2], 1);
    // Original 3: Final 3 ≤ 3½ burns the truck and the half-squad; squad Final 4, 2MC: 5 + 2 pins.
    assert_eq!(play_contest(&contest, &[1, 2, 2, 3]), [1, 0, 0, 1, 0, 1, 0, 0, 0]);
    // Original 6: truck eliminated; half-squad survives with 7, is lost with 8; squad Final 7: 1MC.
    assert_eq!(play_contest(&contest, &[2, 4, 2, 2, 3, 4]), [0, 0, 0, 0, 0, 0, 1, 0, 0]);
    assert_eq!(play_contest(&contest, &[2, 4, 2, 2, 4, 4]), [1, 0, 0, 0, 0, 0, 1, 0, 0]);
}

#[test]
fn spraying_fire_at_two_hexes() {
    // A7.34 EX: 6-2-8 at two hexes: 3 FP on the 2 column; at three hexes 1½ FP on the 1 column, +1.
    let target = "[[target]]\nkind = 'squad'\nmorale = 7";
    let firer = "[[firer]]\nunit = '6-2-8'\nnation = 'Russian'\n";
    let near = first("fire", &format!("{firer}range = 2\narea_fire = 1\n{target}"), [1, 2]);
    assert!(near.contains("3 firepower on the 2 column"), "{near}");
    assert!(near.contains("Final 3: 1MC."), "{near}");
    let far = format!("modifiers = ['Woods']\n{firer}range = 3\nspraying_fire = true\n{target}");
    let far = first("fire", &far, [1, 2]);
    assert!(far.contains("1.5 firepower on the 1 column"), "{far}");
    assert!(far.contains("Final 4: NMC."), "{far}");
}

#[test]
fn assault_fire_in_the_advancing_phase() {
    // A7.36 EX: 6-6-6: 3 + 1 = 4. Two 5-4-8 adjacent to a concealed target: 2 × 4 = 8.
    let target = "[[target]]\nkind = 'squad'\nmorale = 7";
    let one = "phase = 'advancing'\nrange = 4\n[[firer]]\nunit = '6-6-6'\n";
    let text = first("fire", &format!("{one}{target}"), [1, 3]);
    assert!(text.contains("4 firepower on the 4 column"), "{text}");
    let two = "phase = 'advancing'\narea_fire = 1\npoint_blank = true\n\
               [[firer]]\nunit = '5-4-8'\nnation = 'German'\ncount = 2\n";
    let text = first("fire", &format!("{two}{target}"), [1, 3]);
    assert!(text.contains("2 × 5-4-8 4: 8 firepower on the 8 column"), "{text}");
    // Without Assault Fire: 2 × 2½ = 5 FP on the 4 column.
    let text = first("fire", &format!("assault_fire = false\n{two}{target}"), [1, 3]);
    assert!(text.contains("5 firepower on the 4 column"), "{text}");
}

#[test]
fn cowering_on_the_incremental_table() {
    // A7.371 EX: 4 FP cowers to 2, or to 1 when inexperienced; 5 FP to 4, then to 2. The 7 FP of a
    // German HMG cower from 7 to 6, then to 4.
    let target = "[[target]]\nkind = 'squad'\nmorale = 7";
    let cases = [
        ("fp = 4", "cowers to the 2 column"),
        ("fp = 4\ninexperienced = true", "cowers to the 1 column"),
        ("fp = 5", "cowers to the 2 column"),
        ("fp = 5\ninexperienced = true", "cowers to the 1 column"),
        ("firer = [{ weapon = 'HMG', nation = 'German' }]", "cowers to the 4 column"),
        ("fp = 1.5", "cowers off the table: no effect"),
    ];
    for (fields, expected) in cases {
        let text = first("fire", &format!("table = 'iift'\n{fields}\n{target}"), [2, 2]);
        assert!(text.contains(expected), "{fields}: {text}");
    }
    // The same on the standard table: 5 FP use the 4 column at once.
    let text = first("fire", &format!("fp = 5\n{target}"), [2, 2]);
    assert!(text.contains("on the 4 column") && text.contains("cowers to the 2"), "{text}");
}

#[test]
fn firepower_and_residual_on_the_incremental_table() {
    // A7.372 EX: 5 FP: point blank 10 FP leaves 4; long range 2½ FP leaves 1; 42 FP use column 36.
    let target = "[[target]]\nkind = 'squad'\nmorale = 7";
    let firer = "[[firer]]\nfp = 5\nnormal_range = 4\nrange = 8\n";
    let far = first("fire", &format!("table = 'iift'\n{firer}{target}"), [1, 2]);
    assert!(far.contains("2.5 firepower on the 2.5 column"), "{far}");
    assert!(far.contains("leaves 1 residual"), "{far}");
    let firer = "[[firer]]\nfp = 5\npoint_blank = true\n";
    let near = first("fire", &format!("table = 'iift'\n{firer}{target}"), [1, 2]);
    assert!(near.contains("10 firepower on the 10 column"), "{near}");
    assert!(near.contains("leaves 4 residual"), "{near}");
    let much = first("fire", &format!("table = 'iift'\nfp = 42\n{target}"), [1, 2]);
    assert!(much.contains("on the 36 column"), "{much}");
    let contest = right("fire", &format!("table = 'iift'\nfp = 42\n{target}"));
    assert_eq!(contest.notes, ["unverified table"]);
    assert!(right("fire", &format!("fp = 42\n{target}")).notes.is_empty());
}

#[test]
fn a_pinned_squad_is_not_hit_for_moving() {
    // A7.83 EX: -2 for FFMO and FFNAM, then nothing while pinned, then -2 again when broken.
    let contest = right(
        "rof",
        "fp = 4\nrof = 3\ncowers = false\nmax_attacks = 3\nmodifiers = ['FFMO', 'FFNAM']\n\
         [[target]]\nkind = 'squad'\nmorale = 7",
    );
    // Original 8 - 2 = 6: NMC, 7 pins. Original 6: NMC, 8 breaks. Original 8 - 2 = 6: NMC, broken
    // 6.
    let faces = [3, 5, 3, 4, 3, 3, 4, 4, 3, 5, 3, 3];
    let steps = told(&contest, &faces);
    let drms: Vec<bool> = steps.iter().map(|(_, text)| text.contains("DRM -2")).collect();
    assert_eq!(drms, [true, false, false, false, true, false]);
    assert!(steps[2].1.contains("DRM +0, Final 6"), "{}", steps[2].1);
    assert_eq!(play_contest(&contest, &faces), [0, 0, 1, 0, 0, 0, 0, 0, 0, 3]);
}

#[test]
fn firepower_below_one_is_no_attack() {
    let target = "[[target]]\nkind = 'squad'\nmorale = 7";
    let gun = "breakdown = 2\nrof = 6\nfp = 0.5\n";
    for (action, text) in [("fire", "fp = 0.5\nbreakdown = 2\n"), ("rof", gun)] {
        let contest = right(action, &format!("{text}{target}"));
        assert!(play_contest(&contest, &[]).iter().all(|count| *count == 0));
        assert_eq!(contest.notes, ["no attack: the firepower is 0.5, less than 1 (A7.3)"]);
    }
}

#[test]
fn whoever_is_out_of_range_takes_no_part() {
    // 4-4-7: range 4, long range 8; German MMG: range 12. At 9 hexes only the gun's 5 factors are
    // left.
    let target = "[[target]]\nkind = 'squad'\nmorale = 7";
    let squad = "[[firer]]\nunit = '4-4-7'\nnation = 'German'\nrange = 9\n";
    let gun = "[[firer]]\nweapon = 'MMG'\nnation = 'German'\nrange = 9\n";
    let group = right("fire", &format!("{squad}{gun}{target}"));
    assert_eq!(
        group.notes,
        ["the 4-4-7 takes no part: it reaches 8 hexes, but the target is 9 away (A7.22)"]
    );
    let alone = law_of("fire", &format!("{gun}{target}"));
    assert!(law(&group).equals(&alone));
    let nobody = right("fire", &format!("{squad}{target}"));
    assert!(play_contest(&nobody, &[]).iter().all(|count| *count == 0));
    assert_eq!(nobody.notes.len(), 2, "{:?}", nobody.notes);
    for far in [
        "unit = '4-6-7'\nrange = 13",
        "weapon = 'MMG'\nnation = 'German'\nrange = 25",
        "fp = 9\nkind = 'atr'\nnormal_range = 12\nrange = 13",
    ] {
        let contest = right("fire", &format!("[[firer]]\n{far}\n{target}"));
        assert_eq!(contest.notes.len(), 2, "{far}: {:?}", contest.notes);
    }
    // A gun out of range does not break down.
    let lmg = "[[firer]]\nunit = '4-4-7'\nnation = 'German'\nweapons = ['LMG']\nbreakdown = 2\nrange = 20\n";
    let far = law_of("fire", &format!("{lmg}[[firer]]\nfp = 8\n{target}"));
    assert!(far.is(|row| row[8] == 0, 1, 1));
}
