//! Options that are closed, and numbers that are chosen. Values by hand, and of games of two by a
//! search outside the program.

use crate::texts::{combat, exact, faults, odds, read};
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::odds::Odds;
use enfilade_study::strategy::best_strategy_per_decision;

/// With 3 armies or more three dice may be rolled, with 2 or more two.
const ATTACK: &str = "game \"Attack\"
action attack:
    armies = d4
    choose for highest x:
        option \"one\": x = d6
        option \"two\" if armies >= 2: x = 2d6
        option \"three\" if armies >= 3: x = 3d6
    show x
";

#[test]
fn closed_options_are_not_taken() {
    let odds = odds(&(ATTACK.to_owned() + "    measure m = mean(x)\n"), "");
    // One army in four rolls one die, one rolls two, two roll three.
    assert_eq!(exact(&odds, "m"), "63/8");
}

#[test]
fn closed_options_have_no_mean() {
    let mut found =
        best_strategy_per_decision(&combat(ATTACK, ""), &NEVER_CANCELLED).expect("it is solved");
    let found = found.remove(0);
    let taken: Vec<(u8, usize)> = found
        .situations
        .iter()
        .map(|one| (one.option, one.means.iter().filter(|mean| mean.is_nan()).count()))
        .collect();
    assert_eq!(found.decision.options.len(), 3);
    let mut sorted = taken;
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted, [(1, 2), (2, 1), (3, 0)]);
}

#[test]
fn played_and_explained_by_name() {
    let combat = combat(ATTACK, "");
    DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
        .expect("it is solved");
    let mut found = Vec::new();
    let mut dice = enfilade_model::dice::ScriptedDice::new(&[2, 6, 1]);
    combat.play_with_step_listener(&mut dice, &mut |_, telling| {
        found.extend(telling.decided.iter().map(ToString::to_string));
        true
    });
    assert_eq!(dice.find_mismatch(), None);
    assert_eq!(found, ["line 4 two: mean x 7 against 3.5 (one)"]);
}

#[test]
fn one_option_must_be_open() {
    let text = ATTACK.replace("option \"one\":", "option \"one\" if armies > 1:");
    let failed = Odds::compile(combat(&text, ""), CompiledContestLimits::default());
    let failed = failed.map(drop).expect_err("nothing is open with 1").to_string();
    assert!(failed.contains("none of the options is open"), "{failed}");
    assert!(failed.contains("an option without `if` is always open"), "{failed}");
}

#[test]
fn a_closed_option_rolls_no_dice() {
    let text = ATTACK.replace("armies >= 2", "d6 > armies");
    let found = faults(&text);
    assert!(found.iter().any(|(problem, _)| problem.contains("dice")), "{found:?}");
}

/// Who takes the last of a heap wins: with n in the heap the first wins unless n is a multiple of
/// 4.
const NIM: &str = "game \"Nim\"
field heap: 1..21 = 10
action play:
    left = heap
    won = no
    repeat:
        choose n in 1..min(3, left) for highest won: left -= n
        if left == 0:
            won = yes
            stop
        choose n in 1..min(3, left) for lowest won: left -= n
        if left == 0: stop
    show won
    measure p = chance(won)
";

#[test]
fn the_heap_is_lost_at_multiples_of_four() {
    for heap in 1..=21 {
        let odds = odds(NIM, &format!("heap = {heap}"));
        let expected = if heap % 4 == 0 { "0/1" } else { "1/1" };
        assert_eq!(exact(&odds, "p"), expected, "{heap}");
    }
}

/// Each army rolls a die, and the square of their number is lost: 6 · n / 2 − n² is 2 for 1 and for
/// 2.
#[test]
fn the_lowest_of_equal_numbers_is_taken() {
    let text = "game \"Armies\"
field armies: 1..6 = 5
action send:
    choose n in 0..armies for highest got \"how many\":
        got = 6 * count(n d6 >= 4) - n * n
    show got
    measure m = mean(got)
";
    assert_eq!(exact(&odds(text, ""), "m"), "2/1");
    let mut found =
        best_strategy_per_decision(&combat(text, ""), &NEVER_CANCELLED).expect("it is solved");
    let found = found.remove(0);
    assert_eq!(&*found.decision.name, "how many");
    let taken = found.situations[0].option;
    assert_eq!(&*found.decision.options[usize::from(taken) - 1], "1");
}

#[test]
fn numbers_depend_on_dice() {
    let text = |from: &str, to: &str| {
        format!(
            "game \"Armies\"\naction send:\n    armies = d4\n    choose n in {from}..{to} for highest got:\n        \
             got = n\n    show got\n    measure m = mean(got)\n"
        )
    };
    assert_eq!(exact(&odds(&text("1", "armies"), ""), "m"), "5/2");
    // 1 to 5, 2 to 4, 3 alone, and from 4 to 3 nothing.
    assert_eq!(exact(&odds(&text("armies", "max(armies, 6 - armies)"), ""), "m"), "4/1");
    assert_eq!(exact(&odds(&text("armies + 100", "armies + 101"), ""), "m"), "207/2");
}

#[test]
fn bounds_in_the_wrong_order() {
    let text = "game \"Armies\"\naction send:\n    armies = d3\n    choose n in 2..armies for highest got: got = n\n    \
                show got\n";
    let failed = Odds::compile(combat(text, ""), CompiledContestLimits::default());
    let failed = failed.map(drop).expect_err("2..1 is empty").to_string();
    assert!(failed.contains("from 2 to 1 there is nothing to choose"), "{failed}");
    let found = faults(&text.replace("2..armies", "3..1"));
    assert_eq!(found[0].0, "from 3 to 1 there is nothing to choose");
    let found = faults(&text.replace("2..armies", "0..100"));
    assert_eq!(found[0].0, "at most 64 numbers can be chosen from");
    let found = faults(&text.replace("2..armies", "2.. for"));
    assert!(!found.is_empty());
}

/// The raid of two ways with a third that is closed: 8/15 as without it.
#[test]
fn a_closed_way_is_not_mixed() {
    let text = crate::unseen::RAID
        .replace("words way: road, ford", "words way: bridge, road, ford\nfield bridges: 0..2 = 0")
        .replace(
            "        option \"road\": plan = road",
            "        option \"bridge\" if bridges > 0: plan = bridge\n        option \"road\": plan = road",
        )
        .replace(
            "        option \"road\": guard = road",
            "        option \"bridge\" if bridges > 0: guard = bridge\n        option \"road\": guard = road",
        );
    assert_eq!(exact(&odds(&text, ""), "p_won"), "8/15");
}

#[test]
fn hidden_things_open_no_options() {
    let text = crate::unseen::RAID
        .replace("option \"road\": guard = road", "option \"road\" if plan is road: guard = road");
    let found = faults(&text);
    assert_eq!(found[0].0, "`plan` is hidden here and decides which options are open");
    assert!(read(&text).is_err());
}
