//! The games of `rulebooks/` about loops, decisions and draws: numbers by value iteration, in
//! closed form, or by counting.

use enfilade_model::combat::AnyCombat;

use crate::texts::{near, value};
use enfilade_engine::graph::CompiledContestLimits;
use enfilade_engine::odds::Odds;
use enfilade_model::form::Form;

/// The contest of an action of a rulebook that ships.
fn shipped(game: &str, action: &str, contest: &str) -> AnyCombat {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks");
    let text = std::fs::read_to_string(folder.join(format!("{game}.rules"))).expect("it ships");
    let book = crate::texts::read(&text).unwrap_or_else(|error| panic!("{game}: {error}"));
    let action = book.system.action(action).expect("it has this action");
    let table = contest.parse::<toml::Table>().expect("a table");
    let form = Form::from_table_with_defaults(&action.fields, &table).expect("a contest");
    action.build_contest(&form).expect("it can be played").combat
}

fn odds(game: &str, action: &str, contest: &str) -> Odds {
    let limits = CompiledContestLimits { endless: 1 << 20, ..CompiledContestLimits::default() };
    Odds::compile(shipped(game, action, contest), limits).expect("it can be solved")
}

#[track_caller]
fn measures(odds: &Odds, expected: &[(&str, f64)]) {
    for (measure, expected) in expected {
        near(value(odds, measure), *expected, 1e-12);
    }
}

/// Fractions of the race by value iteration outside the program.
#[test]
fn a_race_of_two() {
    let rows = [(3, 16.0 / 21.0), (6, 64.0 / 95.0), (10, 0.606_275_902_901)];
    for (goal, expected) in rows {
        measures(&odds("race", "race", &format!("goal = {goal}")), &[("p_won", expected)]);
    }
}

/// A way that is held in `lots` of five is passed in so many: the better of the two.
#[test]
fn a_raid_against_lots() {
    for lots in 0..=5_u8 {
        let held = f64::from(lots) / 5.0;
        let road = held * 2.0 / 6.0 + (1.0 - held) * 5.0 / 6.0;
        let ford = (1.0 - held) * 2.0 / 6.0 + held * 4.0 / 6.0;
        let odds = odds("raid", "raid", &format!("road_lots = {lots}"));
        measures(&odds, &[("p_won", road.max(ford))]);
    }
    // Both ways are worth the same: the value of the game in which neither sees the other.
    measures(&odds("raid", "raid", ""), &[("p_won", 8.0 / 15.0)]);
    measures(&odds("raid", "sealed", ""), &[("p_won", 8.0 / 15.0)]);
}

#[test]
fn a_salvage_with_boats() {
    measures(
        &odds("salvage", "salvage", "boats = 1\nhold = 12"),
        &[("e_got", 137_168.0 / 16_807.0)],
    );
    near(value(&odds("salvage", "salvage", ""), "e_got"), 32.469_323_244_940_24, 1e-11);
}

/// What a bag is worth: to leave with it, or the mean of what it becomes in the next room.
fn bag(gold: usize, leaves: &dyn Fn(usize, f64) -> bool) -> (f64, f64) {
    // From the largest bag down: what is brought out, and how often the watch comes.
    let mut worth = vec![(0.0, 0.0); gold + 1];
    for bag in (0..=gold).rev() {
        let next = |face: usize| worth[(bag + face).min(gold)];
        let on = (2..=6)
            .map(next)
            .fold((0.0, 1.0), |(got, caught), (more, late)| (got + more, caught + late));
        let on = (on.0 / 6.0, on.1 / 6.0);
        worth[bag] = if leaves(bag, on.0) { (bag as f64, 0.0) } else { on };
    }
    worth[0]
}

#[test]
fn one_more_room() {
    let best = bag(100, &|gold, on| gold as f64 >= on);
    // Hold at 20, as is known of the dice game Pig.
    near(best.0, 8.141_8, 5e-5);
    measures(&odds("press_your_luck", "run", ""), &[("e_got", best.0), ("p_caught", best.1)]);
    for bound in [5_usize, 15, 20, 21, 30] {
        let (got, caught) = bag(100, &|gold, _| gold >= bound);
        let asked = format!("leaves = \"bound\"\nat_bound = {bound}");
        measures(&odds("press_your_luck", "run", &asked), &[("e_got", got), ("p_caught", caught)]);
    }
}

fn choose(n: u64, k: u64) -> f64 {
    (0..k).fold(1.0, |all, i| all * (n - i) as f64 / (i + 1) as f64)
}

/// The hypergeometric law, and hands of five by combinations.
#[test]
fn a_cup_and_a_deck() {
    for (ours, theirs) in [(5_u64, 5_u64), (3, 8), (8, 2)] {
        let asked = format!("ours = {ours}\ntheirs = {theirs}");
        let all = choose(ours + theirs, 4);
        let mean = 4.0 * ours as f64 / (ours + theirs) as f64;
        let none = if theirs < 4 { 0.0 } else { choose(theirs, 4) / all };
        let every = if ours < 4 { 0.0 } else { choose(ours, 4) / all };
        let expected = [("e_done", mean), ("p_none", none), ("p_all", every)];
        measures(&odds("order_deck", "orders", &asked), &expected);
    }
    let hands = choose(52, 5);
    let pair = 13.0 * choose(4, 2) * choose(12, 3) * 64.0;
    let better = choose(13, 2) * 36.0 * 44.0
        + 13.0 * 4.0 * choose(12, 2) * 16.0
        + 13.0 * 4.0 * 12.0 * 6.0
        + 13.0 * 48.0;
    let expected =
        [("p_pair", pair / hands), ("p_better", better / hands), ("p_four", 1.0 / 4165.0)];
    measures(&odds("order_deck", "deal", ""), &expected);
}
