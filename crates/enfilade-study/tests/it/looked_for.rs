//! What the owner of a game looks for in vain, and what he is told to write instead: the names that
//! careful users tried, each with a part of the sentence.

use enfilade_study::experiment::Experiment;
use enfilade_study::question;

use crate::sentences;

fn said(system: &str, action: &str, contest: &str) -> String {
    let text = format!("[[contest]]\nsystem = '{system}'\naction = '{action}'\n{contest}\n");
    match Experiment::read_experiment_text(crate::built_in(), "x.toml", &text) {
        Ok(_) => panic!("{system} {action} takes {contest}"),
        Err(error) => sentences(error),
    }
}

#[test]
fn a_name_that_is_not_there_is_answered_with_what_to_write() {
    let team = "attacker = { experience = 'd8', figures = 2, weapon = 'd6' }\ndefender = { figures = 4, defense = 6 }\n";
    let charging = "attacker = { experience = 'd8', figures = 2, weapon = 'd6', charge = true }\ndefender = { figures = 4, defense = 6 }";
    let rifle = "weapon = 'bolt-action rifle'\n";
    let shot = "pen = 9\narmour.front.hull = 8\nturret = false\n";
    let squad = "[contest.target]\nkind = 'squad'\nmorale = 7";
    let fp = |more: &str| format!("fp = 8\n{more}\n{squad}");
    let tank = "weapon = 'UCM/Sabre Tank/Avenger Railgun'\ntarget = 'Scourge/Hunter'\n";
    let rows: Vec<(&str, &str, String, &str)> = vec![
        ("aic", "fire", charging.to_owned(), "`assault-fire`"),
        ("aic", "fire", format!("turns = 3\n{team}"), "[[contest.then]]"),
        ("aic", "fire", format!("rounds = 3\n{team}"), "[[contest.then]]"),
        ("aic", "fire", format!("range = 3\n{team}"), "no distance changes a die"),
        ("d20", "shoot", format!("{rifle}range = 12"), "no distance changes a roll"),
        ("d20", "shoot", format!("{rifle}rounds = 3"), "[[contest.then]]"),
        ("d20", "building-assault", "rooms = 2".to_owned(), "each room is a contest of its own"),
        ("d20", "shoot", format!("{rifle}activations = 3"), "`until`"),
        ("d20", "vehicle", format!("{shot}morale = 12"), "the action `morale`"),
        ("d20", "interrupt", format!("{rifle}morale_markers = 1"), "may not interrupt"),
        (
            "skirmishers",
            "attack",
            "weapon = 'HMG'\ntarget_cover = true".to_owned(),
            "`obstructions`",
        ),
        (
            "skirmishers",
            "attack",
            "weapon = 'HMG'\nterrain = 'swamp'".to_owned(),
            "ground costs AP",
        ),
        ("skirmishers", "attack", "weapon = 'HMG'\nturns = 3".to_owned(), "[[contest.then]]"),
        (
            "skirmishers",
            "explosion",
            "weapon = 'satchel'\ntarget_armours = ['none', 'heavy']".to_owned(),
            "a contest with its own `troopers`",
        ),
        (
            "skirmishers",
            "crewed-duel",
            "weapon = 'HMG'\ntrooper_weapon = 'SMG'".to_owned(),
            "`answer = {",
        ),
        (
            "skirmishers",
            "crewed-duel",
            "weapon = 'HMG'\nexperience = 'veteran'".to_owned(),
            "`answers`",
        ),
        ("asl", "fire", fp("fire_lane = true"), "`exempt = \"fire-lane\"`"),
        ("asl", "fire", fp("residual = 4"), "a contest of `fire` with the counter's `fp`"),
        ("asl", "fire", fp("concealed = true"), "`area_fire = 1` (A7.23)"),
        ("asl", "fire", fp("rally = true"), "not in the source"),
        (
            "asl",
            "fire",
            format!("firer = {{ unit = '4-6-7', fp = 24 }}\n{squad}"),
            "`kind = \"flamethrower\"`",
        ),
        ("dropzone", "shoot", format!("{tank}commander = 3"), "changes no die"),
        ("dropzone", "shoot", format!("{tank}influence = 8"), "95, 125 or 155 points"),
        (
            "dropzone",
            "demolish",
            "weapon = 'UCM/Sabre Tank/Avenger Railgun'\npiece = 'small bunker'".to_owned(),
            "medium bunker alone",
        ),
        (
            "dropzone",
            "transport-loss",
            "units = ['UCM/Legionnaires', 'UCM/Sabre Tank']".to_owned(),
            "each further kind is a contest",
        ),
        (
            "dropzone",
            "aircraft-crash",
            "target = 'UCM/Sabre'\nscenery = 'small building'".to_owned(),
            "with the piece as `target`",
        ),
        ("dropzone", "shoot", format!("{tank}garrison = true"), "`entered_garrison`"),
        ("dropzone", "shoot", format!("{tank}fortitude_test = true"), "[[contest.then]]"),
    ];
    let mut unlike = Vec::new();
    for (system, action, contest, part) in rows {
        let told = said(system, action, &contest);
        if !told.contains(part) || told.contains("did you mean") {
            unlike.push(format!("{system} {action}: {contest}\n  {told}"));
        }
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}

/// Weapons are called as the source prints them.
#[test]
fn the_sources_own_names_are_names() {
    let read = |contest: &str| {
        let text = format!("[[contest]]\n{contest}\n");
        let read = Experiment::read_experiment_text(crate::built_in(), "x.toml", &text);
        let read = read.unwrap_or_else(|error| panic!("{contest}: {}", sentences(error)));
        let cell = &read.cells[0];
        format!("{:?}", cell.form)
    };
    for (printed, short, action) in [
        ("Light Machine Gun", "LMG", "attack"),
        ("medium machine gun", "MMG", "attack"),
        ("Heavy Machine Gun", "HMG", "attack"),
        ("Light Anti-Tank Weapon", "light anti-tank", "explosion"),
        ("LAW", "light anti-tank", "explosion"),
        ("Satchel Charge", "satchel", "explosion"),
    ] {
        let with = |name: &str| {
            read(&format!("system = 'skirmishers'\naction = '{action}'\nweapon = '{name}'"))
        };
        assert_eq!(with(printed), with(short), "{printed}");
    }
    let gun = |name: &str| {
        read(&format!(
            "system = 'asl'\naction = 'fire'\nfirer = {{ weapon = '{name}', nation = 'German' }}\n\
             target = {{ kind = 'squad', morale = 7 }}"
        ))
    };
    assert_eq!(gun("Heavy Machine Gun"), gun("HMG"));
}

/// `all` is every value with which the rest can be played.
#[test]
fn all_means_those_that_fit() {
    let catalogue = crate::built_in();
    let action = catalogue.action("d20", "action-points").expect("built in");
    let splits = |said: &[&str]| -> Vec<String> {
        let said: Vec<String> = said.iter().map(|word| (*word).to_owned()).collect();
        let file = question::build_question_file("d20", action, &said).expect("each has a value");
        let read = Experiment::read_experiment_text(catalogue, "question", &file);
        let read = read.unwrap_or_else(|error| panic!("{}\n{file}", sentences(error)));
        read.cells.iter().map(|cell| cell.form.text_of_field("spend").to_owned()).collect()
    };
    let rifle = "weapon=bolt-action rifle";
    let spotting = splits(&[rifle, "spend=all"]);
    assert!(spotting.iter().all(|split| split.contains("spot")), "{spotting:?}");
    // With 3 AP: spot and fire with up to one AP more, on either roll, or a second try.
    let expected = ["spot-fire", "spot-aim-1-fire", "aim-1-spot-fire", "spot-spot-fire"];
    assert_eq!(spotting, expected);
    let seen = splits(&[rifle, "spotted=yes", "spend=all"]);
    assert_eq!(seen, ["fire", "aim-1-fire", "aim-2-fire", "fire-fire"]);
    // Where no value fits, the faults are told as ever.
    let said = ["spend=all".to_owned()];
    let file = question::build_question_file("d20", action, &said).expect("it has a value");
    assert!(Experiment::read_experiment_text(catalogue, "question", &file).is_err());
}

/// A bare list of names says where each is explained.
#[test]
fn a_list_of_names_says_where_they_are_explained() {
    let told = said("dropzone", "search", "zzzz = 1");
    assert!(told.contains("`enfilade systems dropzone search` explains each"), "{told}");
}
