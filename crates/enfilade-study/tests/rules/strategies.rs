//! What best play does, and what simpler rules cost. Values by value iteration outside the program.

use crate::texts::{combat, exact, faults, near, odds};
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_study::strategy::{
    BestPlayOfDecision, OneRuleOrRulesByRange, OptionByBound, best_strategy_per_decision,
};

/// Home ends with the load; a dive rolls d8: 1 halves the load and loses a boat, 8 brings one back.
const SALVAGE: &str = "game \"Salvage\"
field boats: 1..3 = 1
field most: 5..60 = 12
action raid:
    load = 0
    left = boats
    repeat:
        choose for highest got \"home or dive\":
            option \"home\": stop
            option \"dive\":
                roll = d8
                if roll == 1:
                    load = load / 2
                    left -= 1
                    if left == 0: stop
                else if roll == 8: left = left + 1 at most boats
                else: load = load + roll at most most
    got = load
    show got
";

fn salvage(boats: u8, most: u8) -> BestPlayOfDecision {
    let combat = combat(SALVAGE, &format!("boats = {boats}\nmost = {most}\n"));
    let mut found = best_strategy_per_decision(&combat, &NEVER_CANCELLED).expect("it is solved");
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn a_decision_has_its_label() {
    let found = salvage(1, 12);
    assert_eq!(&*found.decision.name, "home or dive");
    assert!(!found.situations.is_empty());
}

/// The page's rules of the larger salvage, and the mean of the best simpler one.
#[test]
fn bounds_are_told_by_the_boats_that_are_left() {
    let found = salvage(3, 40);
    near(found.mean, 32.469_323_244_940_24, 1e-9);
    assert_eq!(found.names, ["load", "left"]);
    let rule = |from| OptionByBound::Bound { from, below: 2, above: 1 };
    let ranges = vec![((1, 1), rule(37)), ((2, 3), rule(39))];
    assert_eq!(found.description, OneRuleOrRulesByRange::Ranges { variable: 0, by: 1, ranges });
    let simpler = found.simpler.expect("there is one");
    assert_eq!(simpler.description, OneRuleOrRulesByRange::One { variable: 0, rule: rule(39) });
    near(simpler.mean, 32.4516, 5e-5);
}

#[test]
fn every_reached_situation_fits_its_description() {
    for (boats, most) in [(1, 12), (2, 20), (3, 40)] {
        let found = salvage(boats, most);
        let wrong = found.situations.iter().filter(|situation| {
            let option = found.description.option_for_values(&situation.values);
            situation.fits >> (option - 1) & 1 == 0
        });
        if !matches!(found.description, OneRuleOrRulesByRange::Tree(..)) {
            assert_eq!(wrong.count(), 0);
        }
        // Every trial begins with one decision at least.
        let visits: f64 = found.situations.iter().map(|situation| situation.visits).sum();
        assert!(visits >= 1.0, "{visits}");
    }
}

/// A roll is kept from 4 on: 6 of 12 throws are rolled again.
#[test]
fn one_bound_and_its_visits_by_hand() {
    let text = "game \"g\"\naction a:\n    x = d6\n    choose for highest x:\n        option \"again\": x = d6\n        \
                option \"stay\":\n    show x\n";
    let mut found =
        best_strategy_per_decision(&combat(text, ""), &NEVER_CANCELLED).expect("it is solved");
    let found = found.remove(0);
    let rule = OptionByBound::Bound { from: 4, below: 1, above: 2 };
    assert_eq!(found.description, OneRuleOrRulesByRange::One { variable: 0, rule });
    near(found.mean, 4.25, 1e-15);
    assert_eq!(found.situations.len(), 6);
    assert!(found.situations.iter().all(|one| (one.visits - 1.0 / 6.0).abs() < 1e-15));
    // Always staying and always rolling both have 7/2.
    near(found.simpler.expect("there is one").mean, 3.5, 1e-15);
}

/// Always rolling again and always staying both have 9/2, in halves and so without rounding. The
/// first of them is told, whether the most of a number is wanted or the least of its opposite.
#[test]
fn who_wants_the_least_of_the_opposite_plays_as_who_wants_the_most() {
    let [most, least] = [("highest", "x"), ("lowest", "0 - x")].map(|(best, goal)| {
        let text = format!(
            "game \"g\"\naction a:\n    x = d8\n    choose for {best} goal:\n        \
             option \"again\": x = d8\n        option \"stay\":\n    goal = {goal}\n    show goal\n"
        );
        let found = best_strategy_per_decision(&combat(&text, ""), &NEVER_CANCELLED);
        found.expect("it is solved").remove(0)
    });
    near(most.mean, 5.5, 1e-15);
    near(least.mean, -5.5, 1e-15);
    let rule = OptionByBound::Bound { from: 5, below: 1, above: 2 };
    let one = |rule| OneRuleOrRulesByRange::One { variable: 0, rule };
    for found in [&most, &least] {
        assert_eq!(found.description, one(rule));
        let simpler = found.simpler.as_ref().expect("there is one");
        assert_eq!(simpler.description, one(OptionByBound::Always(1)));
        near(simpler.mean.abs(), 4.5, 1e-15);
    }
}

/// One die that may be rolled again, for what `goal` names.
fn second_die(goal: &str, reports: &str) -> String {
    format!(
        "game \"Again\"\naction a:\n    y = d6\n    choose for highest {goal}:\n        \
         option \"keep\": y = y\n        option \"again\": y = d6\n    show y\n{reports}"
    )
}

/// A chance or a mean is a goal as what it measures would be: 5 or more after one more roll in
/// 1/3 + 2/3 · 1/3; the mean of the better of keeping and 7/2 is 17/4.
#[test]
fn players_decide_for_a_chance_or_a_mean() {
    let big = odds(&second_die("p_big", "    measure p_big = chance(y >= 5)\n"), "");
    assert_eq!(exact(&big, "p_big"), "5/9");
    let mean = odds(&second_die("e_y", "    measure e_y = mean(y)\n"), "");
    assert_eq!(exact(&mean, "e_y"), "17/4");
    let found = best_strategy_per_decision(
        &combat(&second_die("p_big", "    measure p_big = chance(y >= 5)\n"), ""),
        &NEVER_CANCELLED,
    );
    near(found.expect("it is solved")[0].mean, 5.0 / 9.0, 1e-12);
}

#[test]
fn what_nobody_can_decide_for_is_refused() {
    let refused = |goal: &str, reports: &str| faults(&second_die(goal, reports)).remove(0);
    let given = refused("p", "    measure p = chance(y >= 5 given y > 1)\n");
    let problem = "`p` is measured `given` a test, and nobody can decide for that";
    assert_eq!(given, (problem.into(), "decide for a `show`".into()));
    let half = refused("m", "    measure m = median(y)\n");
    let problem = "`m` is no `chance` and no `mean` of shown values";
    assert_eq!(half, (problem.into(), "decide for a `show`".into()));
    let tallied = second_die("k", "")
        .replace("    y = d6\n    choose", "    tally k\n    y = d6\n    choose");
    let problem = "`k` is a tally, and a tally is not remembered";
    assert_eq!(faults(&tallied), [(problem.into(), "`show` what is counted, or use `for`".into())]);
    let unknown = refused("q", "");
    assert_eq!(unknown, ("there is no `show q`".into(), "did you mean `y`?".into()));
}
