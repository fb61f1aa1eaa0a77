//! How long a contest of a text rulebook takes is said before it begins, and about right.

use enfilade::catalogue::Catalogue;
use enfilade::exact::law_in_waves;
use enfilade::graph::{DieGraph, Limits};
use enfilade::halt::NEVER;
use enfilade::study::experiment::{Cell, Experiment};
use enfilade::study::forecast::Forecast;
use enfilade::waves::Terms;

use crate::desk::{Desk, until};

/// Two who strike each other until one has nothing left: no loop that counts, and no field that one is bound by.
fn duel(points: u32) -> String {
    format!(
        "game \"N\"\nfield hp: 10..5000 = {points}\naction duel:\n    a = hp\n    b = hp\n    repeat:\n        \
         if a <= 0 or b <= 0: stop\n        a -= 2d6\n        if a <= 0: stop\n        b -= 2d6\n    \
         winner = a > 0\n    show winner \"first wins\"\n"
    )
}

/// The same with the number in the rule.
fn literal(points: u32) -> String {
    duel(points).replace(
        "    a = hp\n    b = hp\n",
        &format!("    a = {points} + hp - hp\n    b = {points}\n"),
    )
}

/// A sum that grows up to a bound in loops within loops.
const LOOPS: &str = "game \"L\"\naction go:\n    v = 0\n    for i in 1..40:\n        for j in 1..40:\n            \
                     v = (v + d6) at most 160\n    show v\n";

/// Tries that go on until it happens, each with many faces: the graph alone takes long.
fn tries(most: u32) -> String {
    format!(
        "game \"T\"\naction go:\n    v = 0\n    repeat:\n        if 2 d20 == 2: stop\n        \
         v = (v + d6) at most {most}\n    show v\n"
    )
}

/// Three attacks on a stack with two leaders: by their sequences of faces too many for a graph in seconds.
const STACK: &str = "[[contest]]\nname = 'three'\nsystem = 'asl'\naction = 'fire'\nfp = 12\nattacks = 3\n\
    [[contest.target]]\nunit = '4-6-7'\nnation = 'German'\ncount = 7\n[[contest.target]]\nleader = '9-1'\n\
    [[contest.target]]\nleader = '8-0'\n";

fn cell(text: &str) -> Cell {
    let read = enfilade::rulebook::read("g", "g.rules", text, &|_| Err("there is none".into()));
    let read = read.unwrap_or_else(|error| panic!("{error:?}"));
    let action = read.system.actions[0].name.to_string();
    let catalogue = Catalogue::of([read.system]);
    let file = format!("[[contest]]\nsystem = 'g'\naction = '{action}'\n");
    let experiment = Experiment::read(&catalogue, "g.toml", &file);
    experiment.unwrap_or_else(|error| panic!("{error:?}")).cells.remove(0)
}

/// Rules that no field can be lowered for, of some 10⁵ to 10⁶ states.
#[test]
fn large_numbers_foretell_the_states_of_a_rule() {
    for (name, text) in
        [("duel", duel(110)), ("literal", literal(110)), ("loops", LOOPS.to_owned())]
    {
        let cell = cell(&text);
        assert!(cell.played.grows_with.len() <= 1, "{:?}", cell.played.grows_with);
        let forecast =
            Forecast::of(&cell, &NEVER).unwrap_or_else(|| panic!("{name} has no forecast"));
        let terms = Terms { states: None, halt: &NEVER, seen: &|_| true };
        let extent = law_in_waves(&cell.played.combat, &terms).expect("it fits").extent;
        let ratio = forecast.states / extent.stepped as f64;
        assert!((1.0 / 3.0..=3.0).contains(&ratio), "{name}: {ratio} {forecast:?} {extent:?}");
        assert!(forecast.seconds > 0.0 && forecast.seconds.is_finite());
    }
}

#[test]
fn a_graph_that_takes_long_is_foretold_too() {
    let cell = cell(&tries(400));
    let forecast = Forecast::by_graph(&cell, &NEVER).expect("its numbers tell");
    let states = DieGraph::of(&cell.played.combat, Limits::default()).expect("small").states();
    let ratio = forecast.states / states as f64;
    assert!((1.0 / 3.0..=3.0).contains(&ratio), "{ratio} {forecast:?} {states}");
}

/// Nobody is at a terminal, and nobody wants a bar: what takes long says so all the same, and a question
/// that is soon answered says nothing.
#[test]
fn what_takes_long_says_so_before_it_begins() {
    let desk = Desk::with("");
    desk.write("nat.rules", &duel(3000));
    desk.write("endless.rules", &tries(9).replace("2 d20 == 2", "d6 is 7"));
    let says = |arguments: &[&str], words: &str| {
        let log = std::fs::File::create(desk.path("err.txt")).expect("made");
        let running =
            desk.command(arguments).stderr(log).stdout(std::process::Stdio::null()).spawn();
        let mut running = running.expect("it starts");
        until(words, || desk.read("err.txt").contains(words));
        running.kill().expect("it is still at work");
        let _ = running.wait();
        desk.read("err.txt")
    };
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
