//! Changes to what a contest would have otherwise: `armour = { change = [-1, 0, 1] }`. Printed
//! numbers are typed from the data.

use enfilade_model::error::InputError;
use enfilade_model::form::Value;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;
use enfilade_study::experiment::GridCell;

use crate::sentences;

fn read(contest: &str) -> Result<Experiment, String> {
    let read = Experiment::read_experiment_text(
        crate::built_in(),
        "x.toml",
        &format!("[[contest]]\n{contest}"),
    );
    read.map_err(sentences)
}

/// The numbers of one field, cell by cell, and the axes.
fn numbers(contest: &str, path: &str) -> (Vec<i64>, Vec<(String, Value)>) {
    let experiment = read(contest).unwrap_or_else(|error| panic!("{contest}\n{error}"));
    let number = |cell: &GridCell| {
        let (table, field) = cell.form.find_table_with_field(path).expect("the field is there");
        match table.get(field) {
            Some(Value::Int(number)) => *number,
            Some(Value::Fraction(parts)) => *parts,
            other => panic!("{path} is {other:?}"),
        }
    };
    let axes = experiment.cells.last().expect("there is a cell").axes.clone();
    (experiment.cells.iter().map(number).collect(), axes)
}

fn just(contest: &str, path: &str) -> Vec<i64> {
    numbers(contest, path).0
}

const TANKS: &str = "system = 'dropzone'\naction = 'shoot'\nshots = 1\naccuracy = 2\nenergy = 10\n\
                     target = ['UCM/Gladius Heavy Tank', 'Scourge/Hunter Tank']\n";

#[test]
fn a_printed_number_is_changed_for_each_that_is_named() {
    let contest = format!("{TANKS}armour = {{ change = [-1, 0, 1] }}");
    let (armour, axes) = numbers(&contest, "armour");
    assert_eq!(armour, [14, 15, 16, 12, 13, 14]);
    assert_eq!(axes[1], ("armour.change".to_owned(), Value::Int(1)));
    let ranged = format!("{TANKS}armour = {{ change = {{ from = -2, to = 2, step = 2 }} }}");
    assert_eq!(just(&ranged, "armour"), [13, 15, 17, 11, 13, 15]);
    assert_eq!(just(&format!("{TANKS}damage_points = {{ change = 1 }}"), "damage_points"), [3, 2]);
}

#[test]
fn a_default_is_changed() {
    let soft = format!("{TANKS}soft_cover_modifier = {{ change = [-1, 1] }}");
    assert_eq!(just(&soft, "soft_cover_modifier"), [1, 3, 1, 3]);
    let contest = "system = 'asl'\naction = 'fire'\nfp = 8\ndrm = { change = 2 }\n\
                   target = { kind = 'squad', morale = 7 }\n";
    assert_eq!(just(contest, "drm"), [2]);
}

#[test]
fn units_of_the_fire_table_are_changed() {
    let contest = |change: &str| {
        format!(
            "system = 'asl'\naction = 'fire'\nfp = 8\n[[contest.target]]\nunit = '4-4-7'\n\
             nation = 'Russian'\n{change}\n[[contest.target]]\nleader = '9-1'\n\
             morale = {{ change = [-2, 0] }}\n"
        )
    };
    assert_eq!(just(&contest("morale = { change = 1 }"), "target[0].morale"), [8, 8]);
    assert_eq!(just(&contest(""), "target[1].morale"), [7, 9]);
    let gun = "system = 'asl'\naction = 'rof'\n[[contest.firer]]\nweapon = 'HMG'\nnation = 'German'\n\
               rof = { change = [-1, 0] }\n[[contest.target]]\nkind = 'squad'\nmorale = 7\n";
    assert_eq!(just(gun, "firer[0].rof"), [2, 3]);
}

#[test]
fn weapons_and_structures_of_the_skirmish_are_changed() {
    // HMG 36/125, a tree 5.
    let gun = "system = 'skirmishers'\naction = 'attack'\nweapon = 'HMG'\n";
    assert_eq!(just(&format!("{gun}long = {{ change = [-25, 0] }}"), "long"), [100, 125]);
    let tree = "system = 'skirmishers'\naction = 'breach'\nweapon = 'light anti-tank'\n\
                structure = 'tree'\ntoughness = { change = 10 }\n";
    assert_eq!(just(tree, "toughness"), [15]);
}

/// An LMG rolls 3 dice; an average character has 11; so has each of the `shooter` tables.
#[test]
fn what_a_text_reckons_is_changed() {
    let lmg = "system = 'd20'\naction = 'shoot'\nweapon = ['LMG', 'SMG']\n";
    assert_eq!(just(&format!("{lmg}damage_dice = {{ change = 1 }}"), "damage_dice"), [4, 3]);
    let veterans = format!("{lmg}quality = 'veteran'\nfirearms = {{ change = [-2, 2] }}");
    assert_eq!(just(&veterans, "firearms"), [12, 16, 12, 16]);
    let mixed = "system = 'd20'\naction = 'shoot'\nfirearms = 9\n[[contest.shooter]]\nweapon = 'LMG'\n\
                 firearms = { change = 1 }\n";
    assert_eq!(just(mixed, "shooter[0].firearms"), [10]);
}

/// The chart: smoke +3, FFMO -1.
#[test]
fn a_modifier_that_is_named_is_changed_from_what_is_printed() {
    let fire = |modifiers: &str| {
        format!(
            "system = 'asl'\naction = 'fire'\nfp = 8\nmodifiers = {modifiers}\n\
             target = {{ kind = 'squad', morale = 7 }}\n"
        )
    };
    let entries = |contest: &str| {
        let experiment = read(contest).unwrap_or_else(|error| panic!("{contest}\n{error}"));
        let of = |cell: &GridCell| match cell.form.get("modifiers") {
            Some(Value::Entries(entries)) => entries.clone(),
            other => panic!("{other:?}"),
        };
        let axes = experiment.cells.last().expect("a cell").axes.clone();
        (experiment.cells.iter().map(of).collect::<Vec<_>>(), axes)
    };
    let named = |name: &str, number: i64| (name.to_owned(), number);
    let (smoke, axes) = entries(&fire("{ smoke = { change = [-1, 0, 1] } }"));
    assert_eq!(smoke, [2, 3, 4].map(|drm| vec![named("smoke", drm)]));
    assert_eq!(axes, [("modifiers.smoke.change".to_owned(), Value::Int(1))]);
    let (grid, axes) = entries(&fire(
        "{ Smoke = { of = 5, change = [0, 2] }, FFMO = { change = { from = -1, to = 0 } } }",
    ));
    assert_eq!(grid.len(), 4);
    assert_eq!(grid[1], [named("smoke", 5), named("FFMO", -1)]);
    assert_eq!(grid[2], [named("smoke", 7), named("FFMO", -2)]);
    assert_eq!(axes.len(), 2);
    // Those of one target, too.
    let target = "system = 'asl'\naction = 'fire'\nfp = 8\n\
                  target = { kind = 'squad', morale = 7, modifiers = { smoke = { change = 1 } } }\n";
    let experiment = read(target).expect("it is sound");
    let form = &experiment.cells[0].form.tables_of_field("target")[0];
    assert_eq!(form.get("modifiers"), Some(&Value::Entries(vec![named("smoke", 4)])));
}

#[test]
fn a_number_that_is_given_is_changed() {
    let contest = format!("{TANKS}armour = {{ of = 9, change = [-1, 0, 1] }}");
    let (armour, axes) = numbers(&contest, "armour");
    assert_eq!(armour, [8, 9, 10, 8, 9, 10]);
    assert_eq!(axes[1], ("armour.change".to_owned(), Value::Int(1)));
    // Where nothing is printed and nothing is default there is a number, too.
    assert_eq!(just(&format!("{TANKS}passive = {{ of = 5, change = -1 }}"), "passive"), [4, 4]);
    // 64ths: 2.5 and 3.
    let contest = "system = 'asl'\naction = 'fire'\nfp = { of = 2.5, change = [0, 0.5] }\n\
                   target = { kind = 'squad', morale = 7 }\n";
    assert_eq!(just(contest, "fp"), [160, 192]);
}

#[test]
fn what_cannot_be_changed_is_told() {
    let refused = |contest: &str| match read(contest) {
        Ok(_) => panic!("{contest} is refused"),
        Err(said) => said,
    };
    let said = refused(&format!("{TANKS}armour = {{ change = 40 }}"));
    assert!(said.contains("changed by 40, 15 is 55"), "{said}");
    let said = refused("system = 'd20'\naction = 'vehicle'\npen = { change = 1 }\n");
    assert!(said.contains("no number to change"), "{said}");
    let said = refused(&format!("{TANKS}passive = {{ change = 1 }}"));
    assert!(said.contains("no number to change"), "{said}");
    let said = refused(&format!("{TANKS}armour = {{ change = 1, by = 2 }}"));
    assert!(said.contains("a change has no `by`"), "{said}");
    let faults = |contest: &str| {
        let text = format!("[[contest]]\n{contest}");
        let Err(error) = Experiment::read_experiment_text(crate::built_in(), "x.toml", &text)
        else {
            panic!("{contest} is refused")
        };
        let StudyError::Input(InputError { faults, .. }) = error else { panic!("{error}") };
        let mut told = faults.iter().map(|f| (f.fault.path.clone(), f.fault.problem.clone()));
        told.next().expect("a fault")
    };
    let (path, problem) = faults(&format!("{TANKS}armour = {{ of = 'x', change = 1 }}"));
    assert_eq!(path, "contest[0].armour.of");
    assert!(problem.contains("expected one number"), "{problem}");
    let (path, _) = faults(&format!("{TANKS}armour = {{ of = 99, change = 1 }}"));
    assert_eq!(path, "contest[0].armour.of");
    let (path, problem) = faults(&format!("{TANKS}armour = {{ of = 30, change = 1 }}"));
    assert_eq!(path, "contest[0].armour");
    assert!(problem.contains("changed by 1, 30 is 31"), "{problem}");
    let fire = "system = 'asl'\naction = 'fire'\nfp = 8\ntarget = { kind = 'squad', morale = 7 }\n";
    let (path, problem) = faults(&format!("{fire}modifiers = {{ smoek = {{ change = 1 }} }}"));
    assert_eq!(path, "contest[0].modifiers.smoek");
    assert!(problem.contains("there is no \"smoek\""), "{problem}");
    for wrong in ["'x'", "[]", "[1, 'x']", "[[1]]"] {
        refused(&format!("{TANKS}armour = {{ change = {wrong} }}"));
    }
}

#[test]
fn a_change_that_is_not_said_is_asked_for() {
    for wrong in ["{ of = 8 }", "{ of = 8, chnge = [1] }"] {
        let contest = format!("{TANKS}armour = {wrong}");
        let told = read(&contest).expect_err("it is refused");
        assert!(told.contains("{ of = 8, change = [-1, 0, 1] }"), "{told}");
    }
}
