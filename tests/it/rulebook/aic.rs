//! The whole of `aic` in the language of rulebooks, beside the same rulebook in Rust: every contest has
//! the same law, to the last unit, and users see the same fields, outcomes and measures.

use std::collections::{BTreeMap, BTreeSet};

use enfilade::catalogue::{Action, Catalogue, System};
use enfilade::form::{Fault, Field, Form, Kind, Preset, Words};
use enfilade::graph::{DieGraph, Limits};
use enfilade::pricing::arsenal::Arsenal;
use enfilade::pricing::gather::{Settings, Unwatched, gather};
use enfilade::study::experiment::Experiment;

use super::aic_contests as contests;
use super::retold::{Retold, Told, measures, outcomes};
use super::retold_contests::Chance;
use super::shipped::rulebook;
use crate::retold::in_rust;

fn retold(action: &'static str, random: fn(&mut Chance) -> String) -> Retold {
    Retold { file: ("aic", action), in_rust: ("aic", action), random, told: Some, named: &[] }
}

/// All outcomes and measures of both are compared: neither has one that the other lacks.
fn check(action: &'static str, random: fn(&mut Chance) -> String) {
    retold(action, random).check();
}

#[test]
fn close_combat() {
    check("close-combat", contests::close_combat);
}

#[test]
fn fire() {
    check("fire", contests::fire);
}

#[test]
fn advancing_fire() {
    check("advancing-fire", contests::advancing_fire);
}

#[test]
fn firing_into_close_combat() {
    check("firing-into-close-combat", contests::into_close_combat);
}

#[test]
fn assault_fire() {
    check("assault-fire", contests::assault_fire);
}

#[test]
fn suppression() {
    check("suppression", contests::suppression);
}

#[test]
fn morale() {
    check("morale", contests::morale);
}

#[test]
fn rally() {
    check("rally", contests::morale);
}

#[test]
fn armored_assault() {
    check("armored-assault", contests::armored_assault);
}

/// A catalogue in which the text stands in the place of the Rust.
fn of_text() -> Catalogue {
    Catalogue::of([(**rulebook("aic")).clone()])
}

#[test]
fn experiments() {
    let (text, built) = (of_text(), in_rust());
    for name in ["aic_experience_against_numbers", "aic_suppression"] {
        let path = super::shipped::folder().join(format!("../experiments/{name}.toml"));
        let said = std::fs::read_to_string(path).expect("the experiment is there");
        let read = |catalogue| Experiment::read(catalogue, name, &said);
        let (ours, theirs) = (read(&text), read(built));
        let ours = ours.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let theirs = theirs.expect("the experiment is well formed");
        assert_eq!(ours.cells.len(), theirs.cells.len(), "{name}");
        for (ours, theirs) in ours.cells.iter().zip(&theirs.cells) {
            assert_eq!(ours.axes, theirs.axes, "{name} {}", ours.index);
            let (here, there) = (Told::of(&ours.played, None), Told::of(&theirs.played, None));
            assert_eq!(here.fields, there.fields, "{name} {}", ours.index);
            assert!(here.law == there.law, "{name} {}: the laws differ", ours.index);
            assert_eq!(here.measures, there.measures, "{name} {}", ours.index);
        }
    }
}

/// States of every sample: `ENFILADE_RETOLD=0 cargo test … -- --nocapture states`.
#[test]
fn states_of_the_samples() {
    let mut all = (0, 0);
    for action in &in_rust().system("aic").expect("built in").actions {
        let text = rulebook("aic").action(&action.name).expect("the action is there");
        for (place, sample) in action.samples.iter().enumerate() {
            let table = sample.parse().expect("the sample is TOML");
            let nodes = |action| {
                let contest = super::retold::contest(action, &table).expect("a sample");
                let graph = DieGraph::of(&contest.combat, Limits::default()).expect("small");
                (graph.nodes().len(), graph.states())
            };
            let (ours, theirs) = (nodes(text), nodes(action));
            println!("{:26} {place}: {ours:?} {theirs:?}", action.name);
            all = (all.0 + ours.0, all.1 + theirs.0);
        }
    }
    println!("all {all:?}");
    assert!(all.0 <= all.1, "{all:?}");
}

/// A kind without the words for its bounds, and without what the language adds to every table.
fn kind(of: &Kind) -> String {
    let inner = |fields: &enfilade::form::Fields| {
        let own = |field: &&Field| !["count", "name", "change"].contains(&&*field.name);
        let fields: Vec<String> = fields.iter().filter(own).map(face).collect();
        fields.join("\n  ")
    };
    match of {
        Kind::Int(bound) => format!("{}..{}", bound.low, bound.high),
        Kind::Choice(words) => words.iter().collect::<Vec<_>>().join(" or "),
        Kind::List(of, _) => format!("list of {}", kind(of)),
        Kind::Table(fields) => format!("table\n  {}", inner(fields)),
        Kind::Tables(fields, _) => format!("tables\n  {}", inner(fields)),
        other => format!("{other:?}"),
    }
}

/// A default as users read it. A squadmate's Motivation is worked out here, and the target may be left
/// out: then the checks say what it lacks.
fn preset(name: &str, preset: &Preset) -> String {
    match preset {
        _ if ["motivation", "defender", "friend"].contains(&name) => String::new(),
        Preset::Int(n) => n.to_string(),
        Preset::Reckoned(text) => text.to_string(),
        Preset::Absent | Preset::Required => "none".to_owned(),
        other => format!("{other:?}"),
    }
}

/// What users see of a field. Texts of the language have no quotes within.
fn face(field: &Field) -> String {
    let Field { name, preset, about, source, assumed, label, unit, group, rare, values, .. } =
        field;
    let values: Vec<_> = values.iter().collect();
    format!(
        "{name} {label:?} {about:?} {source:?} {unit:?} {group:?} {values:?} {assumed} {rare} {} {}",
        self::preset(name, preset),
        kind(&field.kind)
    )
    .replace('\'', "\\\"")
}

fn fields(action: &Action) -> BTreeMap<String, String> {
    let fields = action.fields.iter().filter(|field| &*field.name != "change");
    fields.map(|field| (field.name.to_string(), face(field))).collect()
}

/// What differs, line by line.
#[derive(Default)]
struct Unlike(Vec<String>);

impl Unlike {
    fn compare(&mut self, what: &str, ours: impl std::fmt::Debug, theirs: impl std::fmt::Debug) {
        let (ours, theirs) = (format!("{ours:#?}"), format!("{theirs:#?}"));
        for (ours, theirs) in ours.lines().zip(theirs.lines()).filter(|(a, b)| a != b) {
            self.0.push(format!("{what}\n  {ours}\n  {theirs}"));
        }
        if ours.lines().count() != theirs.lines().count() {
            self.0.push(format!("{what}: one has more than the other"));
        }
    }
}

fn said_of(system: &System) -> Vec<String> {
    let words = |words: &Words| -> Vec<String> {
        words.iter().map(|said| said.replace('\'', "\"")).collect()
    };
    let mut said: Vec<String> = [
        &system.title,
        &system.source,
        &system.dice,
        &system.direction,
        &system.off_table,
        &system.data_date,
    ]
    .map(ToString::to_string)
    .into();
    said.extend(words(&system.readings));
    said.extend(words(&system.not_modelled));
    said
}

fn samples(action: &Action) -> Vec<toml::Table> {
    let samples = action.samples.iter();
    samples.map(|sample| sample.parse().expect("TOML")).collect()
}

#[test]
fn users_see_the_same() {
    let (text, built) = (rulebook("aic"), in_rust().system("aic").expect("built in"));
    let mut unlike = Unlike::default();
    // The text may say more.
    let ours = said_of(text);
    for theirs in said_of(built).iter().filter(|theirs| !ours.contains(theirs)) {
        unlike.0.push(format!("the rulebook does not say: {theirs}"));
    }
    for theirs in &built.actions {
        let ours = text.action(&theirs.name).expect("the action is there");
        let said = |action: &Action| {
            let off_table = action.off_table.clone().map(|said| said.to_string());
            let said = [&action.name, &action.about, &action.question, &action.direction];
            (said.map(ToString::to_string), off_table)
        };
        unlike.compare(&theirs.name, said(ours), said(theirs));
        let (here, there) = (fields(ours), fields(theirs));
        for (name, face) in &there {
            let ours = here.get(name).map_or("", String::as_str);
            let what = format!("{} {name}", theirs.name);
            unlike.compare(
                &what,
                ours.lines().collect::<Vec<_>>(),
                face.lines().collect::<Vec<_>>(),
            );
        }
        let told = samples(ours);
        let untold = samples(theirs).into_iter().filter(|sample| !told.contains(sample));
        unlike.0.extend(untold.map(|sample| format!("{} lacks {sample}", theirs.name)));
        for sample in samples(theirs) {
            let contest = |action| super::retold::contest(action, &sample).expect("a sample");
            let (here, there) = (contest(ours).combat, contest(theirs).combat);
            unlike.compare(&theirs.name, outcomes(&here), outcomes(&there));
            unlike.compare(&theirs.name, measures(&here), measures(&there));
        }
    }
    assert!(unlike.0.is_empty(), "{}", unlike.0.join("\n"));
}

const TEAM: &str = "experience = 'd8', figures = 2, weapon = 'd6'";

/// Contests that are refused, with the places of what is wrong.
fn refused() -> Vec<(&'static str, String)> {
    let target = "defender = { figures = 2, defense = 6 }";
    let fire = |attacker: &str| format!("attacker = {{ {attacker} }}\n{target}");
    let mut all = vec![
        ("fire", fire("experience = 'd8'")),
        ("fire", fire("weapons = ['d6']")),
        ("fire", fire("experience = 'd8', figures = 2")),
        ("fire", fire("experience = 'd8', figures = 2, weapons = ['d6']")),
        ("fire", fire("experience = 'd8', weapon = 'd6', weapons = ['d6']")),
        ("fire", fire("experience = 'd8', weapons = ['d6'], wounded = 2")),
        ("fire", fire("experience = 'd8', weapons = []")),
        ("fire", fire("experience = 'd8', weapons = ['d5']")),
        ("fire", fire("experience = 'd8', weapns = ['d6']")),
        ("fire", format!("attacker = [{{ {TEAM} }}, {{ {TEAM}, wounded = 3 }}]\n{target}")),
        ("fire", format!("{}\npin_margin = 4", fire(TEAM))),
        ("fire", format!("{}\nkia_margin = 2", fire(TEAM))),
        ("fire", format!("{}\ncover_bonus = [0, 2, 1, 2]", fire(TEAM))),
        ("fire", format!("{}\ncover_bonus = [0, 2, 1]", fire(TEAM))),
        ("fire", target.to_owned()),
        ("fire", format!("attacker = []\n{target}")),
        ("fire", format!("attacker = {{ {TEAM} }}\ndefender = {{ figures = 2 }}")),
        ("fire", format!("attacker = {{ {TEAM} }}\ndefender = {{ defense = 2 }}")),
        ("close-combat", fire(TEAM)),
        ("close-combat", fire(&format!("{TEAM}, defense = 6"))),
        ("close-combat", format!("{}\nstrikes_back = false\nwound_margin = 4", fire(TEAM))),
        ("assault-fire", format!("{}\nstrikes_back = false\ncc_kia_margin = 0", fire(TEAM))),
        ("firing-into-close-combat", fire(TEAM)),
        ("morale", "defender = { pins = 1 }".to_owned()),
        ("rally", "defender = { experience = 'd8', figures = 1, wounded = 2 }".to_owned()),
        ("armored-assault", "defender = { pins = 1 }".to_owned()),
        ("armored-assault", format!("defender = [{}]", "{ figures = 4 }, ".repeat(5))),
    ];
    let mates = |n: usize, mate: &str| {
        let mates = format!("{{ {mate} }}, ").repeat(n);
        format!(
            "attacker = {{ {TEAM} }}\ndefender = {{ figures = 2, defense = 6, squadmate = [{mates}] }}"
        )
    };
    all.push(("fire", mates(1, "pins = 1")));
    all.push(("fire", mates(2, "figures = 1, wounded = 2")));
    all.push(("fire", mates(6, "figures = 1")));
    let friends =
        format!("{}\nfriend = [{{ figures = 1 }}, {{ figures = 1 }}]", mates(4, "figures = 1"));
    all.push(("firing-into-close-combat", friends));
    all
}

#[test]
fn what_is_refused_is_refused_at_the_same_place() {
    let mut unlike = Unlike::default();
    for (action, contest) in refused() {
        let table = contest.parse().expect("the contest is TOML");
        let faults = |action: &Action| -> Vec<Fault> {
            let built = Form::fill(&action.fields, &table).and_then(|form| action.contest(&form));
            built.err().unwrap_or_default()
        };
        let ours = faults(rulebook("aic").action(action).expect("the action is there"));
        let theirs = faults(in_rust().action("aic", action).expect("built in"));
        let places = |faults: &[Fault]| -> BTreeSet<String> {
            // A squadmate has no weapons to be named.
            let place =
                |fault: &Fault| fault.path.replace("squadmate.weapons", "squadmate.figures");
            faults.iter().map(place).collect()
        };
        assert!(!theirs.is_empty(), "{action}\n{contest}");
        if places(&ours) != places(&theirs) {
            unlike.0.push(format!("{contest}\n  {ours:?}\n  {theirs:?}"));
        }
    }
    assert!(unlike.0.is_empty(), "{}", unlike.0.join("\n"));
}

/// What a team is worth is asked of the rules alone: fire, morale and rally of the text say the same.
#[test]
fn teams_are_worth_the_same() {
    let arsenal = "system = 'aic'\n\
         [[weapon]]\nname = 'rifles'\nprice = 40\ndefense = 7\nweapons = ['d6', 'd6', 'd6']\n\
         [[weapon]]\nname = 'guns'\nprice = 40\ndefense = 7\nweapons = ['d10', 'd10']\n\
         [[scenario]]\nname = 'cover'\ncover = 'medium'\n\
         target = { troopers = 2, points_each = 40, figures = 3, weapon = 'd6', defense = 7 }\n";
    let text = crate::built_in();
    let rust = System {
        pricing: text.system("aic").expect("built in").pricing.clone(),
        ..(**in_rust().system("aic").expect("told in Rust")).clone()
    };
    let evidence = |catalogue: &Catalogue| {
        let arsenal = Arsenal::read(catalogue, "teams", arsenal).expect("in order");
        gather(&arsenal, &Settings::default(), &Unwatched).expect("nothing stops it")
    };
    assert_eq!(evidence(text), evidence(&Catalogue::of([rust])));
}
