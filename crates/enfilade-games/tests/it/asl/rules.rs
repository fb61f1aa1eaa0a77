//! Rules of `asl` one by one: each test fails if its rule, row or switch is wrong. Expected odds
//! are counted by hand over the 36 rolls of two dice.
//!
//! Fields of an outcome: 0 eliminated, 1 reduced, 2 broken, 3 pinned, 4 wounded, 5 wrecked, 6
//! destroyed, 7 immobilised, 8 malfunction, then the optional ones.

use dashu_int::UBig;

use crate::asl::play::{law_of, play_contest, right, ways};

const SQUAD: &str = "[[target]]\nkind = 'squad'\nmorale = 7\n";

fn shelf(name: &str) -> enfilade_model::catalogue::PrintedDataTable {
    let system = crate::built_in().rulebook_by_id("asl").expect("asl is in the catalogue");
    let data_tables = (system.data_tables)();
    let shelf = data_tables.into_iter().find(|shelf| shelf.name.starts_with(name));
    shelf.expect("the shelf exists")
}

/// Returns the cell for a Final DR by the rule that generates the table.
fn generated(column: usize, dr: i32) -> String {
    let shift = [4, 3, 2, 1, 0, -1, -2, -3, -4, -5, -6][column];
    let k_row = [1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7][column];
    let k = [1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 4][column];
    if dr < k_row {
        return format!("{}KIA", k_row - dr);
    }
    if dr == k_row {
        return format!("K/{k}");
    }
    match dr + shift {
        ..=2 => "4MC",
        3 => "3MC",
        4 | 5 => "2MC",
        6 | 7 => "1MC",
        8 => "NMC",
        9 => "PTC",
        _ => "no effect",
    }
    .to_owned()
}

#[test]
fn the_fire_table_follows_its_rule() {
    let table = shelf("Infantry Fire Table");
    assert_eq!((table.columns.len(), table.rows.len()), (12, 17));
    for (dr, row) in table.rows[..16].iter().enumerate() {
        for (column, cell) in row[1..].iter().enumerate() {
            let expected = generated(column, dr as i32);
            assert_eq!(*cell, expected, "column {}, DR {dr}", table.columns[column + 1]);
        }
    }
    let heads: Vec<&str> = table.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!((heads[0], heads[1], heads[14]), ("0 or less", "1", "14"));
    assert_eq!((heads[15], heads[16]), ("15 or more", "vehicles"));
    let kill_numbers = &table.rows[16][1..];
    let expected: Vec<String> = (3..=13).map(|n: i32| n.to_string()).collect();
    assert_eq!(kill_numbers, expected);
}

#[test]
fn the_incremental_table_contains_the_standard_one() {
    let (ift, iift) = (shelf("Infantry Fire Table"), shelf("Incremental"));
    for (column, name) in ift.columns.iter().enumerate().skip(1) {
        let name = name.trim_end_matches('+');
        let twin = iift.columns.iter().position(|other| other == name);
        let twin = twin.expect("every standard column is there");
        for (one, other) in ift.rows.iter().zip(&iift.rows) {
            assert_eq!(one[column], other[twin], "column {name}");
        }
    }
    // The two mended cells of the 1½ column, at DR 2 and 3.
    assert_eq!((iift.rows[2][2].as_str(), iift.rows[3][2].as_str()), ("1MC", "1MC"));
}

#[test]
fn a_normal_morale_check_breaks_and_pins() {
    let law = law_of("morale-check", &format!("check = 'NMC'\n{SQUAD}"));
    assert!(law.is(|row| row[2] == 1, ways(|dr| dr > 7), 36));
    assert!(law.is(|row| row[3] == 1, ways(|dr| dr == 7), 36));
    assert!(law.is(|row| row[1] == 1 && row[2] == 1, 1, 36));
}

#[test]
fn the_highest_roll_that_passes_pins_where_it_is_below_the_morale() {
    // A7.8: an Original 12 fails (A10.31), so 11 is the highest that passes morale 12, and 3 less
    // of 10.
    let squad = "[[target]]\nkind = 'squad'\nmorale = 12\n";
    let law = law_of("morale-check", &format!("check = 'NMC'\n{squad}"));
    assert!(law.is(|row| row[3] == 1, ways(|dr| dr == 11), 36));
    assert!(law.is(|row| row[1] == 1 && row[2] == 1, 1, 36));
    assert!(law.is(|row| row[..5] == [0; 5], ways(|dr| dr < 11), 36));
    // Encircled, 11 is the morale as well; with another number of A10.31 the one below it pins, and
    // 12 where nothing always fails.
    for (fields, pins) in [
        ("encircled = true\n", 11),
        ("rules = { automatic_failure = 11 }\n", 10),
        ("rules = { automatic_failure = 13 }\n", 12),
    ] {
        let law = law_of("morale-check", &format!("check = 'NMC'\n{fields}{squad}"));
        assert!(law.is(|row| row[3] == 1, ways(|dr| dr == pins), 36), "{fields}");
    }
    // The leader passes with 9 or less, and the squad of 13 is pinned by an 11; he is pinned by a
    // 10, or breaks, and the squad of 10 is pinned by a 10.
    let led = "[[target]]\nleader = '10-3'\n[[target]]\nkind = 'squad'\nmorale = 10\n";
    let law = law_of("morale-check", &format!("check = 'NMC'\nleader_loss = false\n{led}"));
    assert!(law.is(|row| row[3] == 2, 3 * 3, 36 * 36));
    assert!(law.is(|row| row[3] == 1, 30 * 2 + 3 * 33 + 3 * 3, 36 * 36));
}

#[test]
fn encirclement_lowers_morale_but_not_that_of_heroes() {
    let law = law_of("morale-check", &format!("check = 'NMC'\nencircled = true\n{SQUAD}"));
    assert!(law.is(|row| row[2] == 1, ways(|dr| dr > 6), 36));
    let broken = format!("check = 'NMC'\nencircled = true\n{SQUAD}broken = true");
    let law = law_of("morale-check", &broken);
    assert!(law.is(|row| row[0] + row[1] > 0, ways(|dr| dr > 6), 36));
    let hero = "check = 'NMC'\nencircled = true\n[[target]]\nkind = 'hero'\nmorale = 9";
    let law = law_of("morale-check", hero);
    // 10 or more wounds; a wound kills on a dr of 5 or 6.
    assert!(law.is(|row| row[4] == 1, ways(|dr| dr > 9) * 4, 36 * 6));
    assert!(law.is(|row| row[0] == 1, ways(|dr| dr > 9) * 2, 36 * 6));
    assert!(law.is(|row| row[2] + row[3] > 0, 0, 36));
}

#[test]
fn a_wounded_man_dies_more_easily() {
    let hero = "check = 'NMC'\n[[target]]\nkind = 'hero'\nmorale = 9\nwounded = true";
    let law = law_of("morale-check", hero);
    assert!(law.is(|row| row[4] == 1, ways(|dr| dr > 9) * 3, 36 * 6));
    assert!(law.is(|row| row[0] == 1, ways(|dr| dr > 9) * 3, 36 * 6));
}

#[test]
fn berserk_units_lose_men_instead_of_nerve() {
    let text = "check = 'NMC'\n[[target]]\nkind = 'squad'\nmorale = 8\nberserk = true";
    let law = law_of("morale-check", text);
    assert!(law.is(|row| row[1] == 1, ways(|dr| dr > 8), 36));
    assert!(law.is(|row| row[0] + row[2] + row[3] > 0, 0, 36));
}

#[test]
fn pin_checks_are_for_the_unbroken_and_unpinned() {
    let law = law_of("morale-check", &format!("check = 'PTC'\n{SQUAD}"));
    assert!(law.is(|row| row[3] == 1, ways(|dr| dr > 7), 36));
    assert!(law.is(|row| row[1] + row[2] > 0, 0, 36));
    for state in ["broken = true", "pinned = true", "berserk = true"] {
        let contest = right("morale-check", &format!("check = 'PTC'\n{SQUAD}{state}"));
        assert_eq!(play_contest(&contest, &[]), [0; 9], "{state}");
        assert!(crate::asl::play::law(&contest).is(|row| *row == [0; 9], 1, 1), "{state}");
    }
}

#[test]
fn an_elr_failed_by_more_replaces() {
    let text = |elr: i32| format!("check = 'NMC'\nelr = {elr}\n[[target]]\nunit = '4-6-7'");
    for elr in 0..=5 {
        let law = law_of("morale-check", &text(elr));
        assert!(law.is(|row| row[9] == 1, ways(|dr| dr - 7 > elr), 36), "ELR {elr}");
        assert!(law.is(|row| row[2] == 1, ways(|dr| dr > 7), 36), "ELR {elr}");
    }
    // A half-squad dies on an Original 12; a conscript squad has nothing below it.
    let half = "check = 'NMC'\nelr = 2\n[[target]]\nunit = '2-4-7'\nnation = 'German'";
    assert!(law_of("morale-check", half).is(
        |row| row[9] == 1,
        ways(|dr| dr == 10 || dr == 11),
        36
    ));
    let last = "check = 'NMC'\nelr = 0\n[[target]]\nunit = '4-3-6'\nnation = 'German'";
    assert!(law_of("morale-check", last).is(|row| row[9] == 1, 0, 36));
    let leader = "check = 'NMC'\nelr = 1\n[[target]]\nleader = '8-0'";
    assert!(law_of("morale-check", leader).is(|row| row[9] == 1, ways(|dr| dr > 9) * 6 - 2, 216));
    assert_eq!(
        right("morale-check", &format!("check = 'NMC'\n{SQUAD}")).combat.outcome_fields().len(),
        9
    );
}

#[test]
fn a_replaced_unit_has_the_morale_of_the_replacement() {
    // The 9-1 rolls 12 and dies of his wound (6); the German 4-4-7 fails by 1. With ELR 0 it is
    // then a 4-3-6 of broken morale 5 and fails its LLMC with 5 + 1; without, its broken morale is
    // 7.
    let stack = "[[target]]\nleader = '9-1'\n[[target]]\nunit = '4-4-7'\nnation = 'German'";
    let faces = [6, 6, 6, 4, 4, 2, 3];
    let replaced = right("morale-check", &format!("check = 'NMC'\nelr = 0\n{stack}"));
    assert_eq!(play_contest(&replaced, &faces), [1, 1, 1, 0, 0, 0, 0, 0, 0, 1]);
    let kept = right("morale-check", &format!("check = 'NMC'\n{stack}"));
    assert_eq!(play_contest(&kept, &faces), [1, 0, 1, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn a_leader_replaced_before_he_is_felt_had_his_old_morale() {
    // A10.2 with A19.1: an 8-0 that fails by more than ELR 2 is a broken 7-0. A 4-4-7 had a lower
    // morale than he until then, so there is an LLTC as without ELR: 8 > 7 pins.
    let stack = "[[target]]\nleader = '8-0'\n[[target]]\nunit = '4-4-7'\nnation = 'Russian'";
    for elr in ["elr = 2\n", ""] {
        let contest = right("morale-check", &format!("check = 'NMC'\n{elr}{stack}"));
        assert_eq!(play_contest(&contest, &[5, 6, 2, 2, 4, 4])[2..4], [1, 1], "{elr}");
    }
}

#[test]
fn heat_of_battle_is_counted_when_asked_for() {
    let text = |check: &str| format!("check = '{check}'\nheat_of_battle = true\n{SQUAD}");
    assert!(law_of("morale-check", &text("NMC")).is(|row| row[9] == 1, 1, 36));
    assert!(law_of("morale-check", &text("4MC")).is(|row| row[9] == 1, 1, 36));
    assert!(law_of("morale-check", &text("PTC")).is(|row| row[9] == 1, 0, 36));
    let contest = right("morale-check", &text("NMC"));
    let measures = contest.combat.measures();
    assert!(measures.last().is_some_and(|m| m.name == "p_heat_of_battle"));
}

#[test]
fn a_leader_who_breaks_and_is_eliminated_is_lost_twice() {
    // The 10-2: 12 and a wound of 5. The 8-0: 6 + 3 breaks. The crew: 3 + 3 passes. For the 10-2:
    // the 8-0's 12 eliminates him, the crew's 2 + 2 passes. For the 8-0's breaking: 8 pins; for his
    // elimination: 7 passes.
    let text = "check = '3MC'\n[[target]]\nleader = '10-2'\n[[target]]\nleader = '8-0'\n\
                [[target]]\nkind = 'crew'\nmorale = 7\n";
    let contest = right("morale-check", text);
    let faces = [6, 6, 5, 3, 3, 1, 2, 6, 6, 1, 1, 4, 4, 3, 4];
    assert_eq!(play_contest(&contest, &faces)[..5], [2, 0, 0, 1, 0]);
    // He is wounded instead and lives: his breaking alone is felt.
    let faces = [6, 6, 5, 3, 3, 1, 2, 4, 4, 4, 1, 1, 4, 4];
    assert_eq!(play_contest(&contest, &faces)[..5], [1, 0, 1, 1, 1]);
    // The wound of the Original 12 that broke him kills him: he is eliminated, and nothing else.
    let alone =
        "check = 'NMC'\n[[target]]\nleader = '8-0'\n[[target]]\nkind = 'crew'\nmorale = 7\n";
    let faces = [6, 6, 5, 1, 2, 1, 2];
    assert_eq!(play_contest(&right("morale-check", alone), &faces)[..5], [1, 0, 0, 0, 0]);
}

#[test]
fn a_lost_leaders_morale_is_what_he_had_until_then() {
    // 10 breaks him, from 9 to 5: the squad of 7 checks for him. From 6 to 9: it does not.
    let text = |morale: i32, broken: i32| {
        format!(
            "check = 'NMC'\n[[target]]\nkind = 'leader'\nmorale = {morale}\nbroken_morale = {broken}\n{SQUAD}"
        )
    };
    assert_eq!(
        play_contest(&right("morale-check", &text(9, 5)), &[5, 5, 1, 1, 4, 4])[2..4],
        [1, 1]
    );
    assert_eq!(play_contest(&right("morale-check", &text(6, 9)), &[5, 5, 1, 1])[2..4], [1, 0]);
    // Broken before, a 12 eliminates him, whose morale was 5.
    let broken = text(9, 5).replace("= 5\n", "= 5\nbroken = true\n");
    assert_eq!(play_contest(&right("morale-check", &broken), &[6, 6, 1, 1])[..4], [1, 0, 0, 0]);
}

#[test]
fn a_bad_leader_must_be_used_and_the_best_one_is() {
    let text = |leaders: &str| format!("check = 'NMC'\n{leaders}{SQUAD}");
    let bad = right("morale-check", &text("[[target]]\nleader = '6+1'\n"));
    // The 6+1 passes with 5; the squad's 7 is an 8.
    assert_eq!(play_contest(&bad, &[2, 3, 3, 4])[2], 1);
    let both = "[[target]]\nleader = '6+1'\n[[target]]\nleader = '8-1'\n";
    let both = right("morale-check", &text(both));
    // The 8-1 first: 5 passes; the 6+1: 7 - 1 = 6 pins; the squad: 8 - 1 = 7 pins.
    assert_eq!(play_contest(&both, &[2, 3, 3, 4, 4, 4])[2..4], [0, 2]);
    // A pinned leader is of no help: the 8-1 pins himself with 8, the 6+1 passes with 5, the
    // squad's 7 is an 8.
    assert_eq!(play_contest(&both, &[4, 4, 2, 3, 3, 4])[2..4], [1, 1]);
}

#[test]
fn machine_guns_break_down_by_their_own_numbers() {
    // A Russian LMG breaks at 11, a German HMG at 12.
    let group = "[[firer]]\nweapon = 'LMG'\nnation = 'Russian'\n\
                 [[firer]]\nweapon = 'HMG'\nnation = 'German'\n";
    let law = law_of("fire", &format!("{group}{SQUAD}"));
    assert!(law.is(|row| row[8] >= 1, ways(|dr| dr >= 11), 36));
    assert!(law.is(|row| row[8] == 2, 1, 36));
    let unprinted = format!("[[firer]]\nkind = 'mg'\nfp = 4\ncount = 2\n{SQUAD}");
    assert!(law_of("fire", &unprinted).is(|row| row[8] == 2, 1, 36));
    let worn = format!("[[firer]]\nkind = 'mg'\nfp = 4\nbreakdown = 10\n{SQUAD}");
    assert!(law_of("fire", &worn).is(|row| row[8] == 1, ways(|dr| dr >= 10), 36));
    assert!(law_of("fire", &format!("fp = 4\n{SQUAD}")).is(|row| row[8] > 0, 0, 36));
    let given = format!("fp = 4\nbreakdown = 11\n{SQUAD}");
    assert!(law_of("fire", &given).is(|row| row[8] == 1, ways(|dr| dr >= 11), 36));
    // An attack that cowers off the table has no effect, but the gun breaks all the same.
    let contest = right("fire", &format!("fp = 1\ndrm = -9\nbreakdown = 12\n{SQUAD}"));
    assert_eq!(play_contest(&contest, &[6, 6]), [0, 0, 0, 0, 0, 0, 0, 0, 1]);
}

#[test]
fn a_gun_fires_while_it_keeps_its_rate() {
    // +20: no result, so only the gun's dice count. It keeps its rate on a coloured die up to 3.
    let text = |more: &str| format!("fp = 4\nrof = 3\ndrm = 20\nmax_attacks = 5\n{more}\n{SQUAD}");
    let law = law_of("rof", &text("cowers = false"));
    for attacks in 1..5 {
        assert!(law.is(|row| row[9] == attacks, 1, 1 << attacks), "{attacks} attacks");
    }
    assert!(law.is(|row| row[9] == 5, 1, 16));
    // Cowering ends it: 15 of 36 keep the rate.
    assert!(law_of("rof", &text("")).is(|row| row[9] == 1, 36 - 15, 36));
    // A gun behind `fp` breaks down on a 12, as one whose number is not printed; with 13 never.
    let breaks = |more| law_of("rof", &format!("fp = 4\nrof = 0\n{more}\n{SQUAD}"));
    assert!(breaks("").is(|row| row[8] == 1, 1, 36));
    assert!(breaks("breakdown = 13").is(|row| row[8] == 0, 1, 1));
    // Breaking down ends it too, at 8 or more: of coloured 1, 2, 3 keep 6, 5 and 4 ways.
    let law = law_of("rof", &text("cowers = false\nbreakdown = 8"));
    assert!(law.is(|row| row[9] == 1, 36 - 15, 36));
    // A German HMG has rate 3, a Russian LMG 1.
    for (nation, weapon, keeps) in
        [("German", "HMG", 18), ("German", "MMG", 12), ("Russian", "LMG", 6)]
    {
        let gun = format!("[[firer]]\nweapon = '{weapon}'\nnation = '{nation}'\n");
        let law = law_of("rof", &format!("drm = 20\ncowers = false\n{gun}{SQUAD}"));
        assert!(law.is(|row| row[9] > 1, keeps, 36), "{nation} {weapon}");
    }
}

#[test]
fn no_rate_of_fire_for_the_pinned_or_advancing() {
    let law = |fields: &str, gun: &str| {
        let gun = format!("[[firer]]\nweapon = 'HMG'\nnation = 'German'\n{gun}\n");
        law_of("rof", &format!("drm = 20\ncowers = false\n{fields}\n{gun}{SQUAD}"))
    };
    assert!(law("", "pinned = true").is(|row| row[9] == 1, 1, 1));
    assert!(law("phase = 'advancing'", "").is(|row| row[9] == 1, 1, 1));
    assert!(law("phase = 'advancing'\nopportunity_fire = true", "").is(|row| row[9] == 1, 1, 2));
    assert!(law("", "rof = 5").is(|row| row[9] == 1, 1, 6));
}

#[test]
fn a_gun_stops_when_nobody_is_left_if_told_to() {
    // 36 FP, Final 3 and less: the half-squad is gone after the first attack.
    let text = "fp = 36\nrof = 6\nuntil_clear = true\n[[target]]\nkind = 'half-squad'\nmorale = 7";
    assert_eq!(play_contest(&right("rof", text), &[1, 2]), [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    // The result accumulates: 8 column, 1MC breaks the half-squad, the next one kills it.
    let text = "fp = 8\nrof = 6\nuntil_clear = true\n[[target]]\nkind = 'half-squad'\nmorale = 7";
    let faces = [2, 4, 3, 4, 2, 4, 3, 4];
    assert_eq!(play_contest(&right("rof", text), &faces), [1, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
    // Otherwise only its dice count: 1 of 2 keeps the rate, target or none.
    let text = "fp = 36\nrof = 3\ncowers = false\nmax_attacks = 4\n\
                [[target]]\nkind = 'half-squad'\nmorale = 7";
    let law = law_of("rof", text);
    for (attacks, of) in [(1, 2), (2, 4), (3, 8), (4, 8)] {
        assert!(law.is(|row| row[9] == attacks, 1, of), "{attacks} attacks");
    }
}

#[test]
fn every_number_of_the_rules_matters() {
    let leader = "[[target]]\nleader = '8-0'\n";
    let hero = "[[target]]\nkind = 'hero'\nmorale = 7\nwounded = true\n";
    let truck = "[[target]]\nvehicle = 'unarmoured'\n";
    let near = "[[firer]]\nfp = 2\npoint_blank = true\n";
    let closer = "[[firer]]\nfp = 2\ntriple_point_blank = true\n";
    let assault = "phase = 'advancing'\n[[firer]]\nunit = '6-6-6'\n";
    let unlucky = "fp = 1\ndrm = 9\ncowers = false\n";
    let cases = [
        ("fire", near, "point_blank_factor = 4", SQUAD),
        ("fire", closer, "triple_point_blank_factor = 4", SQUAD),
        ("fire", assault, "assault_fire_bonus = 3", SQUAD),
        ("fire", "fp = 8\n", "cowering_columns = 2", SQUAD),
        ("fire", "fp = 8\ninexperienced = true\n", "inexperienced_cowering_columns = 1", SQUAD),
        ("fire", "fp = 8\nencircled = true\n", "encirclement = 2", SQUAD),
        ("fire", "fp = 8\n", "automatic_failure = 11", leader),
        ("fire", "fp = 8\nheat_of_battle = true\n", "heat_of_battle_roll = 3", SQUAD),
        ("fire", "fp = 8\n", "wound_survived = 3", leader),
        ("fire", "fp = 8\n", "already_wounded = 2", hero),
        ("fire", unlucky, "unlikely_kill_roll = 3", truck),
        ("fire", unlucky, "unlikely_wreck = 2", truck),
        ("fire", unlucky, "unlikely_elimination = 3", truck),
        ("fire", unlucky, "unlikely_immobilisation = 4", truck),
    ];
    for (action, fields, rule, targets) in cases {
        let printed = law_of(action, &format!("{fields}{targets}"));
        let (fields, firer) = match fields.split_once("[[firer]]") {
            Some((fields, firer)) => (fields, format!("[[firer]]{firer}")),
            None => (fields, String::new()),
        };
        let changed = format!("{fields}[rules]\n{rule}\n{firer}{targets}");
        assert!(!printed.equals(&law_of(action, &changed)), "{rule}");
    }
    let far = "range = 9\n[rules]\nlong_range_factor = 3\n[[firer]]\nfp = 4\nnormal_range = 3\n";
    right("fire", &format!("{far}{SQUAD}"));
    let spray = "range = 4\n[rules]\nspraying_fire_range = 4\n[[firer]]\nunit = '4-6-7'\n\
                 spraying_fire = true\n";
    right("fire", &format!("{spray}{SQUAD}"));
}

/// A7.31: an attack without effect leaves the target as it was, so n attacks have no effect with
/// the n-th power of the chance of one.
#[test]
fn attacks_one_after_another_meet_what_the_last_one_left() {
    let text = |attacks: u8| {
        format!("fp = 4\ndrm = 1\nattacks = {attacks}\n[[target]]\nkind = 'squad'\nmorale = 7")
    };
    let unhurt = |attacks| {
        let law = law_of("fire", &text(attacks));
        let unhurt = law.of(|values| values.iter().all(|&value| value == 0));
        (unhurt, law.of(|_| true))
    };
    let (once, all) = unhurt(1);
    assert!(once > UBig::ZERO && once < all);
    for attacks in 2..=3 {
        let (again, of) = unhurt(attacks);
        let power = attacks.into();
        assert_eq!(again * all.pow(power), once.pow(power) * of, "{attacks} attacks");
    }
}
