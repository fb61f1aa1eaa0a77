//! How long a command takes is said before it begins, and about right.

use crate::desk::{Desk, until};

/// Two who strike each other until one has nothing left: no loop that counts, and no field that one
/// is bound by.
fn duel(points: u32) -> String {
    format!(
        "game \"N\"\nfield hp: 10..5000 = {points}\naction duel:\n    a = hp\n    b = hp\n    repeat:\n        \
         if a <= 0 or b <= 0: stop\n        a -= 2d6\n        if a <= 0: stop\n        b -= 2d6\n    \
         winner = a > 0\n    show winner \"first wins\"\n"
    )
}

/// Tries that go on until it happens, each with many faces: the graph alone takes long.
fn tries(most: u32) -> String {
    format!(
        "game \"T\"\naction go:\n    v = 0\n    repeat:\n        if 2 d20 == 2: stop\n        \
         v = (v + d6) at most {most}\n    show v\n"
    )
}

/// Three attacks on a stack with two leaders: by their sequences of faces too many for a graph in
/// seconds.
const STACK: &str = "[[contest]]\nname = 'three'\nsystem = 'asl'\naction = 'fire'\nfp = 12\nattacks = 3\n\
    [[contest.target]]\nunit = '4-6-7'\nnation = 'German'\ncount = 7\n[[contest.target]]\nleader = '9-1'\n\
    [[contest.target]]\nleader = '8-0'\n";

/// What a command that is then stopped says on the way, as soon as it has these words.
fn says(desk: &Desk, arguments: &[&str], words: &str) -> String {
    let log = std::fs::File::create(desk.path("err.txt")).expect("made");
    let running = desk.command(arguments).stderr(log).stdout(std::process::Stdio::null()).spawn();
    let mut running = running.expect("it starts");
    until(words, || desk.read("err.txt").contains(words));
    running.kill().expect("it is still at work");
    let _ = running.wait();
    desk.read("err.txt")
}

/// Players decide twelve times behind three dice: before a roll is told the whole graph is worked
/// out.
const BEST: &str = "game \"B\"\nfield most: 10..30000 = 4000\naction go:\n    v = 0\n    for i in 1..12:\n        \
    x = d20 + d20 + d12\n        choose for highest v:\n            option \"take\": v = (v + x * x) at most most\n            \
    option \"leave\": v = (v + 1) at most most\n    show v\n";

/// `explain` tells of the graph that decisions need; `verify` of all contests, by the trials of the
/// first of them where none is done yet; `balance` that it is at work.
#[test]
fn explain_verify_and_balance_say_how_long_they_take() {
    let desk = Desk::with("");
    desk.write("best.rules", BEST);
    let said = says(&desk, &["explain", "best.rules", "go", "most=30000"], "best go: about ");
    assert!(said.contains(" states, "), "{said}");
    let plain = desk.run(&["explain", "best.rules", "go", "most=20"]);
    assert!(plain.code == Some(0) && plain.err.is_empty(), "{plain:?}");
    let long = ["verify", "--long", "--trials", "10000000000000", "--quiet"];
    let said = says(&desk, &long, "4 cells: about ");
    assert!(["minutes", "hours", "days"].iter().any(|unit| said.contains(unit)), "{said}");
    let arsenal = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/crewed_weapons.toml");
    says(&desk, &["balance", arsenal, "--quiet"], "cells: about ");
}

/// A grid of chains takes long before any cell is answered: all endings of the first step are
/// worked out.
#[test]
fn a_file_that_is_read_for_long_says_so() {
    let desk = Desk::with("");
    let team = "[[contest.defender]]\nexperience = 'd6'\nfigures = 3\nweapon = 'd6'\ndefense = 7\n";
    desk.write(
        "chains.toml",
        &format!(
            "[[contest]]\nsystem = 'aic'\naction = 'assault'\n\
             attacker = {{ experience = 'd8', figures = 4, weapon = 'd6', defense = 7 }}\n\
             kia_margin = {{ from = 1, to = 20 }}\nassaults = [1, 2, 3, 4, 5]\n{team}{team}\
             [[contest.then]]\naction = 'assault'\ncarry = true\n"
        ),
    );
    says(&desk, &["odds", "chains.toml", "--quiet"], "chains.toml: still being read after 5 s");
}

/// A plain run of trials takes about as long as it says, whatever this machine and this build can
/// do.
#[test]
fn trials_take_as_long_as_they_say() {
    let desk = Desk::with(
        "[[contest]]\nname = 'shots'\nsystem = 'asl'\naction = 'fire'\nfp = 8\n\
        [contest.target]\nkind = 'squad'\nmorale = 7\n",
    );
    let timed = |trials: u64| {
        let begun = std::time::Instant::now();
        let told = desk.run(&["odds", "x.toml", "--trials", &trials.to_string(), "--quiet"]);
        assert_eq!(told.code, Some(0), "{told:?}");
        (begun.elapsed().as_secs_f64(), told.err)
    };
    // As many as take a second or more, and then ten times what takes a second.
    let mut trials = 4_000_000;
    let mut once = timed(trials).0;
    while once < 1.0 {
        trials *= 4;
        once = timed(trials).0;
    }
    let (took, said) = timed((trials as f64 * 10.0 / once) as u64);
    let seconds = said.split("shots: about ").nth(1).and_then(|rest| rest.split(" s, for ").next());
    let seconds: f64 =
        seconds.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{took} {said}"));
    assert!((0.2..=5.0).contains(&(seconds / took)), "{seconds} said, {took} taken");
}

/// Nobody is at a terminal, and nobody wants a bar: what takes long says so all the same, and a
/// question that is soon answered says nothing.
#[test]
fn what_takes_long_says_so_before_it_begins() {
    let desk = Desk::with("");
    desk.write("nat.rules", &duel(3000));
    desk.write("endless.rules", &tries(9).replace("2 d20 == 2", "d6 is 7"));
    let says = |arguments: &[&str], words: &str| says(&desk, arguments, words);
    // One field of this contest cannot be raised within few states.
    desk.write("stack.toml", STACK);
    says(&["odds", "stack.toml", "--exact-only", "--quiet"], "three: about ");
    // The rounds of this one may allow no estimate in time; then the warning says so.
    desk.write("rare.rules", &tries(8000).replace("2 d20", "2 d100"));
    says(&["odds", "rare.rules", "go", "--exact-only", "--quiet"], "rare go: ");
    for quiet in [&[][..], &["--quiet"]] {
        let said = says(&[&["odds", "nat.rules", "duel"], quiet].concat(), " states, ");
        assert!(["minutes", "hours", "days"].iter().any(|unit| said.contains(unit)), "{said}");
        let asked = ["odds", "endless.rules", "go", "--played", "--trials", "100000"];
        says(&[&asked[..], quiet].concat(), "were not over after 1 000 000 dice");
        let asked = ["odds", "nat.rules", "duel", "hp=10", "--exact-only"];
        let told = desk.run(&[&asked[..], quiet].concat());
        assert!(told.code == Some(0) && told.err.is_empty(), "{told:?}");
    }
}
