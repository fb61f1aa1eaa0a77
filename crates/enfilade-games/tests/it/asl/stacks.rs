//! Order of checks in a stack, and effects of a loss on the others (A7.303, A10.2, A19.1).
//!
//! Best leaders check first, so that they can help; beyond that the order of units in the file must
//! not change the odds.

use crate::asl::play::{law_of, play_contest, right, told};

const SQUAD: &str = "[[target]]\nkind = 'squad'\nmorale = 7\n";

fn leader(fields: &str) -> String {
    format!("[[target]]\nleader = '9-1'\n{fields}\n")
}

/// Returns the unit that makes the first check of a stack.
fn first(targets: &str) -> String {
    let contest = right("morale-check", &format!("check = 'NMC'\n{targets}"));
    let faces = [1; 40];
    let steps = told(&contest, &faces[..2 * targets.matches("[[target]]").count()]);
    let (who, _) = steps[0].1.split_once(" takes").expect("a check is told");
    who.to_owned()
}

#[test]
fn the_better_of_two_leaders_of_equal_morale_checks_first() {
    let better = "[[target]]\nleader = '9-2'\n".to_owned();
    for pair in [[leader(""), better.clone()], [better, leader("")]] {
        let text = format!("check = 'NMC'\n{}", pair.concat());
        // The 9-2 passes with 8 and helps: 11 - 2 = 9 pins the 9-1. Were it the other way round,
        // 11 - 1 = 10 would break the 9-2.
        let contest = right("morale-check", &text);
        assert_eq!(play_contest(&contest, &[4, 4, 5, 6])[2..4], [0, 1]);
        assert_eq!(first(&pair.concat()), "The 9-2");
    }
}

#[test]
fn who_can_lead_checks_before_who_cannot() {
    for unable in ["broken = true", "pinned = true"] {
        for pair in [[leader(unable), leader("")], [leader(""), leader(unable)]] {
            assert_eq!(first(&pair.concat()), "The 9-1", "{pair:?}");
        }
    }
    // Better morale goes before that.
    let broken = "[[target]]\nleader = '10-2'\nbroken = true\n";
    assert_eq!(first(&format!("{}{broken}", leader(""))), "The broken 10-2");
}

#[test]
fn who_can_lead_is_asked_anew_in_every_attack() {
    // Two attacks of NMC. The 9-2 pins himself with a 9, so in the second the 9-1 goes first: he
    // passes with 8 and helps the pinned 9-2, who passes with 10 - 1. Were it the other way round,
    // 10 would break the 9-1.
    let targets = format!("{}[[target]]\nleader = '9-2'\n", leader(""));
    let contest =
        right("fire", &format!("fp = 8\nattacks = 2\ncowers = false\ndrm = 0\n{targets}"));
    let faces = [4, 4, 4, 5, 1, 2, 4, 4, 4, 4, 5, 5];
    assert_eq!(play_contest(&contest, &faces)[2..4], [0, 1]);
}

#[test]
fn of_like_leaders_the_better_sheltered_checks_first() {
    // Original 7: a 1MC for the one in the open, 7 + 2 = 9 is a PTC for the other. He passes it
    // with 9 and helps: 9 + 1 - 1 pins the first. Were it the other way round, 9 + 1 would break
    // him.
    let sheltered = leader("drm = 2");
    for pair in [[leader(""), sheltered.clone()], [sheltered, leader("")]] {
        let text = format!("fp = 8\ncowers = false\n{}", pair.concat());
        assert_eq!(
            play_contest(&right("fire", &text), &[3, 4, 4, 5, 4, 5])[2..4],
            [0, 1],
            "{pair:?}"
        );
    }
}

#[test]
fn a_leader_who_is_replaced_is_lost_as_the_better_one_he_was() {
    let squad = |morale: i32| format!("[[target]]\nkind = 'squad'\nmorale = {morale}\n");
    let check = |number: &str, leader: &str, squad: String, faces: &[u8]| {
        let text = format!("check = '{number}'\nelr = 0\n[[target]]\nleader = {leader}\n{squad}");
        play_contest(&right("morale-check", &text), faces)[..4].to_vec()
    };
    // The 10-3 fails by 1 with 10 + 1 and becomes a broken 10-2. The task check has his +3: 7 + 3
    // is more than 9.
    assert_eq!(check("1MC", "'10-3'", squad(9), &[4, 6, 1, 1, 3, 4]), [0, 0, 1, 1]);
    // The 8-0 becomes a 7-0; a squad of morale 7 was below him.
    assert_eq!(check("NMC", "'8-0'", squad(7), &[4, 5, 1, 1, 4, 4]), [0, 0, 1, 1]);
    // The 8-1 dies of the wound of an Original 12, 4 + 1, and is no 8-0 before: 7 + 1 breaks.
    let wounded = "'8-1'\nwounded = true";
    assert_eq!(check("NMC", wounded, squad(7), &[6, 6, 4, 1, 1, 3, 4]), [1, 0, 1, 0]);
    // Without an ELR he is lost alike.
    let text = format!("check = 'NMC'\n[[target]]\nleader = {wounded}\n{}", squad(7));
    let contest = right("morale-check", &text);
    assert_eq!(play_contest(&contest, &[6, 6, 4, 1, 1, 3, 4])[..4], [1, 0, 1, 0]);
}

#[test]
fn odds_do_not_depend_on_the_order_of_the_file() {
    let units = [
        leader(""),
        leader("broken = true"),
        leader("pinned = true"),
        leader("wounded = true"),
        leader("berserk = true"),
        leader("broken_morale = 5"),
        leader("morale = 8"),
        "[[target]]\nleader = '9-2'\n".to_owned(),
        "[[target]]\nkind = 'leader'\nmorale = 9\nleadership = -1\n".to_owned(),
        "[[target]]\nkind = 'crew'\nmorale = 8\n".to_owned(),
        "[[target]]\nunit = '4-6-7'\n".to_owned(),
    ];
    for (place, one) in units.iter().enumerate() {
        for other in &units[..place] {
            let law =
                |pair: &str| law_of("morale-check", &format!("check = '2MC'\nelr = 1\n{pair}"));
            let (there, back) = (law(&format!("{one}{other}")), law(&format!("{other}{one}")));
            assert!(there.equals(&back), "{one}{other}");
        }
    }
    let own =
        ["", "drm = 1", "drm = -1", "modifiers = ['FFMO']", "modifiers = ['hero']"].map(leader);
    for (place, one) in own.iter().enumerate() {
        for other in &own[..place] {
            let law = |pair: &str| law_of("fire", &format!("fp = 8\nattacks = 2\n{pair}"));
            let (there, back) = (law(&format!("{one}{other}")), law(&format!("{other}{one}")));
            assert!(there.equals(&back), "{one}{other}");
        }
    }
    let three = [leader(""), leader("broken = true"), SQUAD.to_owned()];
    let fire = |order: [usize; 3]| {
        let targets: String = order.iter().map(|&place| three[place].as_str()).collect();
        law_of("fire", &format!("fp = 12\n{targets}"))
    };
    let law = fire([0, 1, 2]);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert!(law.equals(&fire(order)), "{order:?}");
    }
}

#[test]
fn the_loss_of_one_leader_leaves_the_other_alone() {
    // The 9-1 is pinned by a 9; the 8-0 rolls 12 and dies of the wound. No one has a lower morale.
    let contest = right(
        "morale-check",
        "check = 'NMC'\n[[target]]\nleader = '9-1'\n[[target]]\nleader = '8-0'",
    );
    assert_eq!(play_contest(&contest, &[4, 5, 6, 6, 6]), [1, 0, 0, 1, 0, 0, 0, 0, 0]);
}

#[test]
fn only_a_leader_is_missed() {
    // A squad of morale 8 breaks; the others, of morale 6, have nothing to check for it.
    let contest = right(
        "morale-check",
        "check = 'NMC'\n[[target]]\nkind = 'squad'\nmorale = 8\n[[target]]\nkind = 'squad'\nmorale = 6",
    );
    assert_eq!(play_contest(&contest, &[5, 5, 1, 2])[2..4], [1, 0]);
    assert_eq!(play_contest(&contest, &[1, 2, 5, 5])[2..4], [1, 0]);
    // Nor is a leader missed where his loss is not played.
    let unfelt = right(
        "morale-check",
        &format!("check = 'NMC'\nleader_loss = false\n{}{SQUAD}", leader("")),
    );
    assert_eq!(play_contest(&unfelt, &[5, 5, 1, 2])[2..4], [1, 0]);
}

#[test]
fn half_a_squad_is_replaced_by_half_of_the_next() {
    // The 8-0 passes; the squad's 12 is 5 too many: a half-squad is left, broken, of lower quality.
    let contest = right(
        "morale-check",
        "check = 'NMC'\nelr = 0\n[[target]]\nleader = '8-0'\n[[target]]\nunit = '4-6-7'",
    );
    assert_eq!(play_contest(&contest, &[2, 2, 6, 6]), [0, 1, 1, 0, 0, 0, 0, 0, 0, 1]);
}
