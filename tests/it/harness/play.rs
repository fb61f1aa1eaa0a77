//! Contests of any rulebook, made from their TOML and played with known dice.

use enfilade::catalogue::Contest;
use enfilade::combat::{AnyCombat, Explanation};
use enfilade::dice::{Roll, Scripted};
use enfilade::form::{Fault, Form};
use enfilade::graph::{DieGraph, Limits};

/// The contest that `toml` describes, or its faults.
pub fn try_contest(system: &str, action: &str, toml: &str) -> Result<Contest, Vec<Fault>> {
    let action = crate::built_in().system(system).and_then(|s| s.action(action));
    let action = action.expect("the test names a system and an action that exist");
    let table = toml.parse().expect("the test's TOML is well formed");
    action.contest(&Form::fill(&action.fields, &table)?)
}

/// The contest that `toml` describes.
pub fn contest(system: &str, action: &str, toml: &str) -> AnyCombat {
    match try_contest(system, action, toml) {
        Ok(contest) => contest.combat,
        Err(faults) => panic!("{action}: {faults:?}\n{toml}"),
    }
}

/// The faults of `toml` as `path: problem`.
pub fn faults(system: &str, action: &str, toml: &str) -> Vec<String> {
    let faults = try_contest(system, action, toml).err().unwrap_or_default();
    let line = |fault: &Fault| format!("{}: {}", fault.path, fault.problem);
    faults.iter().map(line).collect()
}

/// Every sample of a system as a contest, with a name for messages.
pub fn samples(system: &str) -> Vec<(String, AnyCombat)> {
    let known = crate::built_in().system(system).expect("a built-in system");
    let actions = &known.actions;
    let named = actions.iter().flat_map(|action| {
        let numbered = action.samples.iter().enumerate();
        numbered.map(move |(n, toml)| {
            (format!("{} {n}", action.name), contest(system, &action.name, toml))
        })
    });
    named.collect()
}

/// Values of all outcome fields when `contest` is played with exactly these faces.
pub fn played(contest: &Contest, faces: &[u8]) -> Vec<i32> {
    let heads = contest.combat.fields().iter();
    let fields: Vec<_> = heads.map(|head| head.name.to_string()).collect();
    scripted(&contest.combat, faces, &fields.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Values of `fields` when `combat` is played with exactly these faces.
pub fn scripted(combat: &AnyCombat, faces: &[u8], fields: &[&str]) -> Vec<i32> {
    let mut dice = Scripted::new(faces);
    let ending = combat.play(&mut dice, 10_000).expect("the contest ends");
    assert_eq!((dice.misfit(), dice.used()), (None, faces.len()), "{faces:?}");
    columns(combat, fields).iter().map(|&c| ending.fields[c]).collect()
}

/// Where `fields` stand among those of `combat`.
pub fn columns(combat: &AnyCombat, fields: &[&str]) -> Vec<usize> {
    let heads = combat.fields();
    let column = |name: &&str| heads.iter().position(|head| head.name == *name);
    let columns = fields.iter().map(|f| column(f).unwrap_or_else(|| panic!("no field {f}")));
    columns.collect()
}

/// Every step of `combat` with exactly these faces, told: rule and text.
pub fn told(combat: &AnyCombat, faces: &[u8]) -> Vec<(String, String)> {
    let (steps, used) = told_with_spare(combat, faces);
    assert_eq!(used, faces.len(), "{faces:?}");
    steps
}

/// The same where faces may be left over, and how many were not.
pub fn told_with_spare(combat: &AnyCombat, faces: &[u8]) -> (Vec<(String, String)>, usize) {
    let mut dice = Scripted::new(faces);
    let mut steps = Vec::new();
    let mut listen = |_: &[Roll], telling: Explanation| {
        steps.push((rule_of(&telling), telling.text));
        true
    };
    let ending = combat.narrate(&mut dice, &mut listen);
    assert!(ending.is_some(), "the contest ends");
    assert_eq!(dice.misfit(), None, "{faces:?}");
    (steps, dice.used())
}

/// The rule that a step is told by, without the line of a text.
pub fn rule_of(telling: &Explanation) -> String {
    let rule = telling.rule.split("line ").next().unwrap_or_default();
    rule.trim_end_matches(", ").to_owned()
}

/// How many states and nodes the die graph of `combat` has.
pub fn size(combat: &AnyCombat) -> (usize, usize) {
    let graph = DieGraph::of(combat, Limits::default()).expect("within the limits");
    (graph.states(), graph.nodes().len())
}
