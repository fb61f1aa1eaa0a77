//! Figures under a condition, quantiles, spreads, sums, and what is tallied by outcome.

use crate::texts::{exact, faults, near, odds, value};

/// Hits on 4 or more of three dice, each saved on 5 or more.
const SHOTS: &str = "game \"Shots\"
action a:
    hits = count(3d6 >= 4)
    lost = hits - count(hits d6 >= 5)
    show hits
    show lost
    measure m1 = mean(lost)
    measure m2 = mean(lost given lost > 0)
    measure m3 = chance(lost == 3 given hits == 3)
    measure m4 = spread(lost)
    measure m5 = median(lost)
    measure m6 = quantile(lost, 90)
    measure m7 = mean(lost given hits > 3)
    measure m8 = chance(hits > 1) - chance(lost > 1)
    measure m9 = mean(lost given ends) * 2
    measure m10 = quantile(lost, 1 given hits == 3)
    measure m11 = mean(lost given hits > 0) / 3 + chance(hits == 3 given hits > 0) * 2 / 7
";

/// A loss is one in three a die: 8/27, 4/9, 2/9 and 1/27.
#[test]
fn losses_by_hand() {
    let odds = odds(SHOTS, "");
    let expected = [
        ("m1", "1/1"),
        // 1 over 19/27.
        ("m2", "27/19"),
        ("m3", "8/27"),
        ("m4", "√(2/3)"),
        ("m5", "1/1"),
        // 8/27 + 12/27 + 6/27 = 26/27, and without the last 20/27.
        ("m6", "2/1"),
        // 1/2 − 7/27.
        ("m8", "13/54"),
        ("m9", "2/1"),
        ("m10", "0/1"),
        // 8/7 ÷ 3 + 1/7 · 2/7.
        ("m11", "62/147"),
    ];
    for (measure, expected) in expected {
        assert_eq!(exact(&odds, measure), expected, "{measure}");
    }
    assert!(value(&odds, "m7").is_nan());
    let simulated = odds.simulate(200_000).seed(3);
    // Standard errors by hand: of 200 000 trials 140 741 have a loss; their variance is 1.67 −
    // 1.42².
    near(simulated.value("m2").expect("it is measured"), 27.0 / 19.0, 5.0 * 0.0016);
    assert!(simulated.value("m7").expect("it is measured").is_nan());
}

/// One way jams for ever: what ends is 3 in 4.
#[test]
fn what_ends_has_a_mean() {
    let text = "game \"Jam\"
action a:
    won = no
    jam = no
    repeat:
        tally rounds
        roll = d6
        if roll == 1: jam = yes
        if jam:
            repeat:
                if d2 > 2: stop
        if roll == 2: stop
        if roll >= 3 and roll <= 4:
            won = yes
            stop
    show won
    measure p_won = chance(won)
    measure p_ends = chance(ends)
    measure p_won_ending = chance(won given ends)
    measure e_rounds = mean(rounds given ends)
    measure q_rounds = quantile(rounds, 90 given ends)
    measure p_soon = chance(won and rounds <= 2)
    measure p_late = chance(won and rounds > 2 given ends)
";
    let odds = odds(text, "");
    assert_eq!(exact(&odds, "p_won"), "1/2");
    assert_eq!(exact(&odds, "p_ends"), "3/4");
    assert_eq!(exact(&odds, "p_won_ending"), "2/3");
    near(value(&odds, "e_rounds"), 1.5, 1e-14);
    // A round goes on with 1/3: 1 − 1/3, 1 − 1/9 and 1 − 1/27 of those that end.
    assert_eq!(value(&odds, "q_rounds"), 3.0);
    // 1/3 + 1/3 · 1/3.
    near(value(&odds, "p_soon"), 4.0 / 9.0, 1e-12);
    near(value(&odds, "p_late"), (0.5 - 4.0 / 9.0) / 0.75, 1e-12);
}

/// The first of two, three points each, a hit one in 100; a round is a shot of each.
#[test]
fn rounds_of_a_duel() {
    let text = "game \"Duel\"
action a:
    mine = 3
    yours = 3
    repeat:
        tally rounds
        if d100 == 1: yours -= 1
        if yours == 0: stop
        if d100 == 1: mine -= 1
        if mine == 0: stop
    won = yours == 0
    show won
    measure p_won = chance(won)
    measure e_rounds = mean(rounds)
    measure p_soon = chance(won and rounds <= 100)
    measure e_won = mean(rounds given won)
";
    let odds = odds(text, "");
    assert_eq!(exact(&odds, "p_won"), "156333850300/312079600999");
    assert_eq!(exact(&odds, "e_rounds"), "64513146090000/312079600999");
    near(value(&odds, "p_soon"), 0.076_271_906_349_8, 1e-12);
    near(value(&odds, "e_won"), 206.802_038_217_453_8, 1e-9);
}

/// Four tens in a row on a d10, by the recurrence of runs outside the program.
#[test]
fn throws_until_a_run() {
    let text = "game \"Run\"
action a:
    row = 0
    repeat:
        tally throws
        if d10 == 10: row += 1
        else: row = 0
        if row == 4: stop
    done = yes
    show done
    measure e = mean(throws)
    measure s = spread(throws)
    measure p = chance(throws <= 10000)
    measure less = chance(throws < 10001)
    measure more = chance(throws > 10000)
    measure least = chance(throws >= 10001)
    measure four = chance(throws == 4)
    measure q50 = median(throws)
    measure q90 = quantile(throws, 90)
    measure q99 = quantile(throws, 99)
";
    let odds = odds(text, "");
    assert_eq!(exact(&odds, "e"), "11110/1");
    near(value(&odds, "s"), 123_356_790_f64.sqrt(), 1e-6);
    let p = 0.593_472_838_934_9;
    near(value(&odds, "p"), p, 1e-12);
    near(value(&odds, "less"), p, 1e-12);
    near(value(&odds, "more"), 1.0 - p, 1e-12);
    near(value(&odds, "least"), 1.0 - p, 1e-12);
    near(value(&odds, "four"), 1e-4, 1e-15);
    let quantiles = ["q50", "q90", "q99"].map(|measure| value(&odds, measure));
    assert_eq!(quantiles, [7_702.0, 25_577.0, 51_151.0]);
}

/// A part of a text with one measure, and what is refused of it.
fn refused(measure: &str) -> (String, String) {
    let text = format!(
        "game \"g\"\naction a:\n    x = d6\n    repeat:\n        tally rounds\n        tally gold += d3 - 2\n        \
         if d6 == 6: stop\n    show x\n    measure m = {measure}\n"
    );
    let mut faults = faults(&text);
    assert_eq!(faults.len(), 1, "{measure}: {faults:?}");
    faults.remove(0)
}

#[test]
fn what_is_no_measure_is_refused_with_a_way_out() {
    let expected = [
        (
            "deviation(x)",
            "`chance`, `mean` or another figure was expected",
            "the standard deviation is `spread(…)`",
        ),
        ("meen(x)", "`chance`, `mean` or another figure was expected", "did you mean `mean`?"),
        (
            "median(x) - median(x)",
            "the difference of two medians is no median",
            "write two measures",
        ),
        ("mean(x) + spread(x)", "the sum of two spreads is no spread", "write two measures"),
        (
            "quantile(x, 100)",
            "the percentage of a quantile is a number from 1 to 99",
            "`quantile(x, 90)`",
        ),
        ("quantile(x)", "a quantile takes a percentage", "`quantile(x, 90)`"),
        (
            "mean(x given x > 2) - mean(x)",
            "figures that are added up have the same `given`",
            "write two measures",
        ),
        (
            "mean(x given rounds > 2)",
            "a condition can use shown values only, and a tally is not one",
            "show the count, or put it before `given`",
        ),
        (
            "mean(x) + mean(rounds)",
            "a tally is the only figure of its measure",
            "write two measures",
        ),
        ("mean(rounds + 1)", "`mean` of a tally takes its name alone", "`mean(rounds)`"),
        (
            "chance(rounds <= 6 or x == 2)",
            "a tally is compared once with a number",
            "`chance(rounds <= 6)`, `chance(won and rounds <= 6)`",
        ),
        ("chance(rounds <= 6) * 2", "a chance of a tally has no factor", "leave the factor out"),
        (
            "median(gold)",
            "`gold` may count down, and only its mean and spread are known",
            "`tally gold += … at least 0`, if it never counts down",
        ),
    ];
    for (measure, problem, help) in expected {
        assert_eq!(refused(measure), (problem.to_owned(), help.to_owned()), "{measure}");
    }
}
