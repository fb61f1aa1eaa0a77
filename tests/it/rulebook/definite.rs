//! A variable that every way through a choice makes is there behind it; one that only some make is
//! not.

use serde_json::Value as Json;

use crate::desk::{Desk, Told};

/// What `odds` says of an action of this text.
fn odds(body: &str) -> Told {
    let desk = Desk::with("");
    let text = "game \"Ways\"\nwords mood: steady, shaken\nfield hard: yes/no = no\naction go:\n"
        .to_owned();
    desk.write("ways.rules", &(text + body));
    desk.run(&["odds", "ways", "go", "--rules", "ways.rules", "--exact-only", "--format", "jsonl"])
}

/// The mean of the first number that is shown.
fn mean(body: &str) -> f64 {
    let Told { out, err, code, .. } = odds(body);
    assert_eq!(code, Some(0), "{err}");
    let row: Json = serde_json::from_str(&out).expect("one line");
    row["measures"][0]["exact"].as_f64().expect("a mean")
}

fn refused(body: &str) -> String {
    let Told { err, code, .. } = odds(body);
    assert_eq!(code, Some(2), "{err}");
    err
}

#[test]
fn what_all_ways_make_is_there_behind_them() {
    let near =
        |found: f64, by_hand: f64| assert!((found - by_hand).abs() < 1e-12, "{found} {by_hand}");
    // Half 3, half one more than a die.
    near(
        mean("    if d6 >= 4: x = 3\n    else:\n        x = d6\n        x += 1\n    show x\n"),
        3.75,
    );
    // Within each other, and read again afterwards; a third way that is not taken by this contest.
    let nested = "    if d6 >= 4:\n        if hard: x = 50\n        else if d6 is 1: x = 6\n        else: x = 0\n        \
                  x += 1\n    else: x = 10\n    y = 2 * x\n    show y\n";
    near(mean(nested), 2.0 * (0.5 * (1.0 + 6.0 / 6.0) + 0.5 * 10.0));
    // A way that ends the action needs no value of what is not shown.
    let ends =
        "    shown = 0\n    if d6 is 1: end\n    else: x = 6\n    shown = x\n    show shown\n";
    near(mean(ends), 5.0);
    // Arms, each in a turn of its own of a loop.
    let arms = "    sum = 0\n    for i in 1..3:\n        m = steady if d6 >= 5 else shaken\n        match m:\n            \
                steady: x = 4\n            shaken: x = 1\n        sum += x\n    show sum\n";
    near(mean(arms), 3.0 * (4.0 + 2.0) / 3.0);
    // A part has names of its own.
    let parts = "    if d6 >= 4:\n        x = d2\n        x += other()\n    else: x = 0\n    show x\npart other():\n    \
                 if d6 >= 4: x = 10\n    else: x = 20\n    give x\n";
    near(mean(parts), 0.5 * (1.5 + 15.0));
}

#[test]
fn what_some_ways_make_is_not() {
    let cases = [
        (
            "    if d6 >= 4: x = 3\n    y = x\n    show y\n",
            "`x` has a value only inside the block above",
        ),
        (
            "    if d6 >= 4: x = 3\n    else:\n        y = x\n        x = y\n    show x\n",
            "`x` has a value only inside",
        ),
        ("    if d6 >= 4: x = 3\n    else: x = yes\n    show x\n", "a yes/no is no number"),
        (
            "    if d6 >= 4: x = 3\n    else: end\n    show x\n",
            "`x` has no value if the rule ends before it is assigned",
        ),
    ];
    for (body, problem) in cases {
        let said = refused(body);
        assert!(said.contains(problem), "{body}{said}");
    }
}
