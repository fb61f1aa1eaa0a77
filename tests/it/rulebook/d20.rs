//! The whole of `d20` in the language of rulebooks, beside the same rulebook in Rust: every contest has
//! the same law, to the last unit, what one refuses the other refuses at the same place, and users see
//! the same fields, outcomes and measures.

use enfilade::catalogue::{Action, Catalogue, System};
use enfilade::form::{Field, Fields, Form, Kind, Preset, Words};
use enfilade::graph::{DieGraph, Limits};
use enfilade::study::experiment::Experiment;
use toml::Table;

use super::d20_contests as contests;
use super::retold::{self, Retold, Told, measures, outcomes};
use super::retold_contests::Chance;
use super::shipped::rulebook;
use crate::retold::in_rust;

fn built() -> &'static System {
    in_rust().system("d20").expect("built in")
}

/// Where a contest is at fault: its fields, in order.
fn refused(action: &Action, contest: &Table) -> Option<Vec<String>> {
    let form = Form::fill(&action.fields, contest);
    let faults = form.and_then(|form| action.contest(&form).map(drop)).err()?;
    let mut places: Vec<String> = faults.iter().map(|fault| fault.path.to_string()).collect();
    places.sort();
    places.dedup();
    Some(places)
}

/// Compares samples and random contests; those that both refuse are compared by where they are wrong.
fn check(action: &'static str, random: fn(&mut Chance) -> String) {
    let retold =
        Retold { file: ("d20", action), in_rust: ("d20", action), random, told: Some, named: &[] };
    let (text, rust) = (rulebook("d20").action(action), built().action(action));
    let (text, rust) = (text.expect("told"), rust.expect("built in"));
    for sample in rust.samples.iter() {
        assert!(retold.compare(sample));
    }
    let mut chance = Chance::of(action);
    let (mut played, mut wrong) = (0, 0);
    for _ in 0..retold::contests_by_lot() {
        let contest = random(&mut chance);
        let table: Table = contest.parse().unwrap_or_else(|e| panic!("{e}\n{contest}"));
        match (refused(text, &table), refused(rust, &table)) {
            (None, None) => played += usize::from(retold.compare(&contest)),
            // All that Rust finds wrong; it stops at the first where a room has too few assaulters.
            (Some(ours), Some(theirs)) if theirs.iter().all(|place| ours.contains(place)) => {
                wrong += 1;
            }
            refused => panic!("{refused:?}\n{contest}"),
        }
    }
    assert!(played >= wrong, "{action}: {played} played, {wrong} refused");
}

#[test]
fn shoot() {
    check("shoot", contests::shoot);
}

#[test]
fn interrupt() {
    check("interrupt", contests::interrupt);
}

#[test]
fn fire_and_morale() {
    check("fire-and-morale", contests::fire_and_morale);
}

#[test]
fn action_points() {
    check("action-points", contests::action_points);
}

#[test]
fn melee() {
    check("melee", contests::melee);
}

#[test]
fn building_assault() {
    check("building-assault", contests::building_assault);
}

#[test]
fn morale() {
    check("morale", contests::morale);
}

#[test]
fn vehicle() {
    check("vehicle", contests::vehicle);
}

#[test]
fn experiments() {
    let text = Catalogue::of([(**rulebook("d20")).clone()]);
    for name in ["d20_aim_or_fire", "d20_weapons", "d20_penetration"] {
        let path = super::shipped::folder().join(format!("../experiments/{name}.toml"));
        let said = std::fs::read_to_string(path).expect("the experiment is there");
        let read = |catalogue| Experiment::read(catalogue, name, &said);
        let (ours, theirs) = (read(&text), read(in_rust()));
        let ours = ours.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let theirs = theirs.expect("the experiment is well formed");
        assert_eq!(ours.cells.len(), theirs.cells.len(), "{name}");
        for (ours, theirs) in ours.cells.iter().zip(&theirs.cells) {
            assert_eq!(ours.axes, theirs.axes, "{name} {}", ours.index);
            let (here, there) = (Told::of(&ours.played, None), Told::of(&theirs.played, None));
            assert_eq!(here.fields, there.fields, "{name} {}", ours.index);
            assert!(here.law == there.law, "{name} {}: laws differ", ours.index);
            assert_eq!(here.measures, there.measures, "{name} {}", ours.index);
        }
    }
}

/// The text says all that Rust says, but for the quotes within a sentence; it may say more.
fn all_in(ours: &Words, theirs: &Words) {
    for theirs in theirs.iter().map(|said| said.replace('"', "'")) {
        assert!(ours.iter().any(|ours| *ours == *theirs), "{theirs}");
    }
}

#[test]
fn the_rulebook_says_the_same_of_itself() {
    let (ours, theirs) = (&**rulebook("d20"), built());
    assert_eq!([&ours.id, &ours.title, &ours.source], [&theirs.id, &theirs.title, &theirs.source]);
    assert_eq!([&ours.dice, &ours.direction], [&theirs.dice, &theirs.direction]);
    assert_eq!([&ours.off_table, &ours.data_date], [&theirs.off_table, &theirs.data_date]);
    all_in(&ours.readings, &theirs.readings);
    all_in(&ours.not_modelled, &theirs.not_modelled);
    assert_eq!(ours.actions.len(), theirs.actions.len());
    for (here, there) in ours.actions.iter().zip(&theirs.actions) {
        assert_eq!([&here.name, &here.about], [&there.name, &there.about]);
        assert_eq!(here.question, there.question, "{}", here.name);
        assert_eq!(ours.direction_of(here), theirs.direction_of(there));
        assert_eq!(ours.off_table_of(here), theirs.off_table_of(there), "{}", here.name);
        let samples = |action: &Action| -> Vec<Table> {
            let samples = action.samples.iter();
            samples.map(|sample| sample.parse().expect("TOML")).collect()
        };
        let ours = samples(here);
        assert!(samples(there).iter().all(|theirs| ours.contains(theirs)), "{}", here.name);
    }
}

/// What a field may hold, without what bounds are called in messages. Names with numbers may stand in a
/// table of numbers, and a row may be given where its name may.
fn kind(of: &Kind) -> String {
    let within = |bound: &enfilade::bounds::Bound| format!("{}..{}", bound.low, bound.high);
    let inner = |fields: &Fields| -> Vec<String> {
        let fields = fields.iter().filter(|field| field.name != *"name");
        fields.map(|field| format!("{} {}", field.name, kind(&field.kind))).collect()
    };
    match of {
        Kind::Int(bound) => within(bound),
        Kind::Choice(words) => format!("{:?}", words.iter().collect::<Vec<_>>()),
        Kind::Name(names) | Kind::Row(names, _) => format!("{names:?}"),
        Kind::Entries(names, bound) => {
            let names = names.list().iter();
            let fields = names.map(|name| format!("{name} {}", within(bound)));
            format!("{:?}", fields.collect::<Vec<_>>())
        }
        Kind::Table(fields) => format!("{:?}", inner(fields)),
        other => format!("{other:?}"),
    }
}

/// What it holds when a contest does not say; what is reckoned then is not there for a form.
fn preset(field: &Field) -> Preset {
    match (&field.preset, &*field.name) {
        (Preset::Reckoned(_), _) => Preset::Absent,
        // The text asks for the facing that is hit, and for no other.
        (Preset::Required, "armour") => Preset::Empty,
        (preset, _) => preset.clone(),
    }
}

fn same_field(ours: &Field, theirs: &Field, of: &str) {
    let said = |field: &Field| {
        [&field.name, &field.about, &field.source, &field.label, &field.unit, &field.group]
            .map(|text| text.to_string())
    };
    assert_eq!(said(ours), said(theirs), "{of}");
    let marks = |field: &Field| (field.assumed, field.rare);
    assert_eq!(marks(ours), marks(theirs), "{of} {}", ours.name);
    let values = |field: &Field| field.values.iter().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(values(ours), values(theirs), "{of} {}", ours.name);
    assert_eq!(kind(&ours.kind), kind(&theirs.kind), "{of} {}", ours.name);
    if !matches!(theirs.preset, Preset::Absent) {
        assert_eq!(preset(ours), preset(theirs), "{of} {}", ours.name);
    }
    if let (Kind::Table(ours), Kind::Table(theirs)) = (&ours.kind, &theirs.kind) {
        same_fields(ours, theirs, of);
    }
}

/// Every field that Rust has, whatever their order; what is asked in a text alone is held by tests of
/// its own.
fn same_fields(ours: &Fields, theirs: &Fields, of: &str) {
    for field in theirs.iter() {
        let here = ours.get(&field.name).unwrap_or_else(|| panic!("{of} has no {}", field.name));
        same_field(here, field, of);
    }
}

#[test]
fn forms_show_the_same_fields() {
    for theirs in &built().actions {
        let ours = rulebook("d20").action(&theirs.name).expect("told");
        same_fields(&ours.fields, &theirs.fields, &theirs.name);
    }
}

#[test]
fn results_show_the_same_outcomes_and_measures() {
    for theirs in &built().actions {
        let ours = rulebook("d20").action(&theirs.name).expect("told");
        for sample in theirs.samples.iter() {
            let table: Table = sample.parse().expect("TOML");
            let contest = |action| retold::contest(action, &table).expect("a sample").combat;
            let (ours, theirs) = (contest(ours), contest(theirs));
            assert_eq!(outcomes(&ours), outcomes(&theirs), "{sample}");
            assert_eq!(measures(&ours), measures(&theirs), "{sample}");
        }
    }
}

/// States of every sample: `cargo test … states_of_d20 -- --nocapture`.
#[test]
fn states_of_d20() {
    let mut all = (0, 0);
    for theirs in &built().actions {
        let ours = rulebook("d20").action(&theirs.name).expect("told");
        for (place, sample) in theirs.samples.iter().enumerate() {
            let table = sample.parse().expect("the sample is TOML");
            let nodes = |action| {
                let contest = retold::contest(action, &table).expect("a sample");
                let start = std::time::Instant::now();
                let graph = DieGraph::of(&contest.combat, Limits::default()).expect("small");
                (graph.nodes().len(), start.elapsed().as_micros())
            };
            let ((ours, our_time), (rust, rust_time)) = (nodes(ours), nodes(theirs));
            println!(
                "{:18} {place}: {ours:6} {rust:6} {our_time:8} µs {rust_time:8} µs",
                theirs.name
            );
            all = (all.0 + ours, all.1 + rust);
        }
    }
    println!("all {all:?}");
    assert!(all.0 <= 2 * all.1, "{all:?}");
}
