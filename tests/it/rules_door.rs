//! Rulebooks in text files, from the command line and from experiments to the results.
//!
//! The game throws as many d6 as a weapon has shots and counts those that show enough: with one,
//! two, three and four shots at 4+, a hit is had in 1/2, 3/4, 7/8 and 15/16 of all volleys.

use serde_json::Value as Json;

use crate::desk::{Desk, until};

const GAME: &str = include_str!("../../crates/enfilade-pricing/tests/it/bridgehead.rules");

/// A desk with the game and an experiment of it.
fn desk(contests: &str) -> Desk {
    let desk = Desk::with(contests);
    desk.write("bridgehead.rules", GAME);
    desk
}

const ODDS: [&str; 7] =
    ["odds", "x.toml", "--exact-only", "--fractions", "--quiet", "--format", "json"];

/// The exact values of a measure, cell by cell.
fn answered(desk: &Desk, more: &[&str], measure: &str) -> Vec<String> {
    let told = desk.run(&[&ODDS, more].concat());
    assert_eq!(told.code, Some(0), "{told:?}");
    let json: Json =
        serde_json::from_str(&told.out).unwrap_or_else(|error| panic!("{error}: {told:?}"));
    let cells = json["contests"].as_array().expect("answers");
    let value = |cell: &Json| {
        let measures = cell["measures"].as_array().expect("measures");
        let found = measures.iter().find(|found| found["name"] == measure);
        let fraction = found.and_then(|found| found["fraction"].as_str());
        fraction.unwrap_or_else(|| panic!("{cell}")).to_owned()
    };
    cells.iter().map(value).collect()
}

#[test]
fn an_experiment_names_its_rulebook_and_needs_no_system() {
    let contest = "[[contest]]\naction = 'fire'\nweapon = ['rifle', 'BIG-GUN', 'lmg']\n";
    let expected = ["1/2", "3/4", "7/8"];
    let named = desk(&format!("rules = 'bridgehead.rules'\n{contest}"));
    assert_eq!(answered(&named, &[], "p_hit"), expected);
    let given = desk(contest);
    assert_eq!(answered(&given, &["--rules", "bridgehead.rules"], "p_hit"), expected);
    // A file that is named and given is one rulebook.
    assert_eq!(answered(&named, &["--rules", "./bridgehead.rules"], "p_hit"), expected);
    // Beside the experiment, not where the program was started.
    named.write("deep/y.toml", &format!("rules = ['../bridgehead.rules']\n{contest}"));
    let told = named.run(&["odds", "deep/y.toml", "--exact-only", "--quiet"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    given.run(&ODDS).refused(2, "`system` is missing");
}

#[test]
fn a_row_of_data_is_a_name_or_a_table_of_its_columns() {
    let head = "rules = 'bridgehead.rules'\n[[contest]]\naction = 'fire'\n";
    let row = |row: &str| desk(&format!("{head}{row}\n"));
    let changed = row("[contest.weapon]\nname = 'lmg'\nshots = [3, 4]");
    assert_eq!(answered(&changed, &[], "p_hit"), ["7/8", "15/16"]);
    assert_eq!(answered(&row("weapon = { shots = 2 }"), &[], "p_hit"), ["3/4"]);
    assert_eq!(
        answered(&row("weapon = { name = ['rifle', 'lmg'] }"), &[], "p_hit"),
        ["1/2", "7/8"]
    );
    let mixed = row("weapon = ['rifle', { name = 'lmg', shots = 4 }]");
    assert_eq!(answered(&mixed, &[], "p_hit"), ["1/2", "15/16"]);
    for (given, why) in [
        ("weapon = 'lgm'", "did you mean \"lmg\"?"),
        ("weapon = { name = 'lmg', shot = 4 }", "did you mean `shots`?"),
        ("weapon = {}", "`shots` is missing: a row without `name` needs every column"),
        ("weapon = 3", "expected a name, such as \"rifle\", \"lmg\" or \"big gun\", or a table"),
    ] {
        row(given).run(&ODDS).refused(2, why);
    }
    for file in ["csv", "markdown", "table"] {
        let told = changed.run(&["odds", "x.toml", "--exact-only", "--quiet", "--format", file]);
        assert_eq!(told.code, Some(0), "{told:?}");
    }
}

/// A row by its name is the same contest as a table with nothing but that name.
#[test]
fn the_spelling_of_a_row_does_not_change_its_stream() {
    let run = |weapon: &str| {
        let text = format!(
            "rules = 'bridgehead.rules'\ntrials = 1000\n[[contest]]\naction = 'fire'\nweapon = {weapon}\n"
        );
        let told = desk(&text).run(&["odds", "x.toml", "--quiet", "--format", "csv"]);
        assert_eq!(told.code, Some(0), "{told:?}");
        told.out
    };
    assert_eq!(run("'lmg'"), run("{ name = 'LMG' }"));
}

#[test]
fn cells_are_changed_for_all_contests_or_for_one() {
    let text = "rules = 'bridgehead.rules'\n[change]\nweapons.lmg.shots = [1, 2]\n\
        [[contest]]\naction = 'fire'\nweapon = 'lmg'\n\
        [[contest]]\naction = 'fire'\nweapon = 'lmg'\nchange.weapons.lmg.shots = 4\n\
        [[contest]]\naction = 'fire'\n[contest.change.weapons]\nrifle.shots = { from = 2, to = 3 }\n";
    // In the last one the rifle fires, twice for each value of the machine gun.
    let expected = ["1/2", "3/4", "15/16", "3/4", "7/8", "3/4", "7/8"];
    let desk = desk(text);
    assert_eq!(answered(&desk, &[], "p_hit"), expected);
    let told = desk.run(&["odds", "x.toml", "--exact-only", "--quiet", "--format", "csv"]);
    assert!(told.out.contains("change_weapons_lmg_shots"), "{told:?}");
    let told = desk.run(&["explain", "x.toml", "--cell", "1"]);
    assert!(told.out.contains(": shots 2"), "{told:?}");
}

#[test]
fn what_cannot_be_changed_is_told_where_it_stands() {
    let head = "rules = 'bridgehead.rules'\n";
    let contest = "[[contest]]\naction = 'fire'\n";
    for (change, why, line) in [
        ("weapons.lgm.shots = 4", "did you mean `lmg`?", "x.toml:3:9"),
        ("weapons.lmg.shotz = 4", "did you mean `shots`?", "x.toml:3:13"),
        ("weapon.lmg.shots = 4", "did you mean `weapons`?", "x.toml:3:1"),
        ("weapons.lmg.shots = 'many'", "expected a whole number", "x.toml:3:21"),
        ("weapons = 3", "expected a table", "x.toml:3:11"),
    ] {
        let desk = desk(&format!("{head}[change]\n{change}\n{contest}{contest}"));
        let told = desk.run(&ODDS);
        told.refused(2, why);
        told.refused(2, line);
        assert!(told.err.contains("1 error in x.toml"), "once: {told:?}");
    }
    let own = desk(&format!("{head}{contest}change.weapons.lgm.shots = 4\n"));
    own.run(&ODDS).refused(2, "x.toml:4:16");
    let built_in = Desk::with(
        "[change]\nx.y = 1\n[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 8\n\
        [[contest.target]]\nkind = 'squad'\nmorale = 7\n",
    );
    built_in.run(&ODDS).refused(2, "only rulebooks that are read from files can be changed");
    let no_table = desk(&format!("change = 3\n{head}{contest}"));
    no_table.run(&ODDS).refused(2, "expected a table, such as");
}

#[test]
fn faults_of_a_rulebook_are_told_in_the_rulebook() {
    let desk = desk("rules = 'broken.rules'\n[[contest]]\naction = 'fire'\n");
    desk.write("broken.rules", &GAME.replace("hits = count", "hits == count"));
    for arguments in
        [&ODDS[..2], &["systems", "--rules", "broken.rules"], &["rules", "check", "broken.rules"]]
    {
        desk.run(arguments).refused(2, "broken.rules:16:");
    }
}

#[test]
fn a_rulebook_that_is_not_there_or_not_alone_is_told_at_its_name() {
    let contest = "[[contest]]\naction = 'fire'\n";
    let with = |rules: &str| desk(&format!("rules = {rules}\n{contest}"));
    with("'bridgehed.rules'").run(&ODDS).refused(2, "did you mean \"bridgehead.rules\"?");
    with("['bridgehead.rules', 3]").run(&ODDS).refused(2, "expected the path of a rulebook");
    with("3").run(&ODDS).refused(2, "expected the path of a rulebook");
    let clash = with("['bridgehead.rules', 'other/Bridgehead.rules']");
    clash.write("other/Bridgehead.rules", GAME);
    clash.run(&ODDS).refused(2, "a rulebook `bridgehead` is read from another bridgehead.rules");
    let built_in = with("'ASL.rules'");
    built_in.write("ASL.rules", GAME);
    built_in.run(&ODDS).refused(2, "a rulebook `asl` is built in");
    let given = built_in.run(&["systems", "--rules", "ASL.rules"]);
    given.refused(2, "a rulebook `asl` is built in; the name of a rulebook is that of its file");
    built_in.run(&["systems", "--rules", "none.rules"]).refused(3, "none.rules");
    #[cfg(unix)]
    with("'/dev/zero'").run(&ODDS).refused(2, "/dev/zero is an absolute path");
    let two = with("['bridgehead.rules', 'second.rules']");
    two.write("second.rules", GAME);
    two.run(&ODDS).refused(2, "`system` is missing");
}

#[test]
fn every_command_takes_a_rulebook() {
    let desk = desk("rules = 'bridgehead.rules'\n[[contest]]\naction = 'fire'\nneeded = [2, 4]\n");
    let rules = ["--rules", "bridgehead.rules"];
    let told = |arguments: &[&str]| {
        let told = desk.run(arguments);
        assert_eq!(told.code, Some(0), "{arguments:?}: {told:?}");
        told.out
    };
    let systems = told(&[&["systems"], &rules[..]].concat());
    for said in [
        "bridgehead: Bridgehead source: a test dice: d6",
        "== bridgehead fire: one volley",
        "or a table of columns",
        "- a die is fair",
        "== Not modelled - the wind",
        "== weapons (3)",
        "big gun 2",
        "rules = \"bridgehead.rules\"",
    ] {
        assert!(systems.contains(said), "{said}: {systems}");
    }
    assert!(!systems.contains("built-in"), "{systems}");
    let schema: Json =
        serde_json::from_str(&told(&[&["schema"], &rules[..]].concat())).expect("JSON");
    assert!(schema["$defs"]["bridgehead.fire"]["properties"]["weapon"].is_object());
    // What is said often stands once.
    let contest = &schema["anyOf"][0]["properties"]["contest"]["anyOf"][0];
    let place = contest["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    let contest = schema.pointer(place.expect("it is one of several")).expect("it is there");
    assert_eq!(contest["required"], serde_json::json!(["action"]));
    let verified = told(&[&["verify", "--trials", "100000", "--quiet"], &rules[..]].concat());
    assert!(verified.contains("1 of 1 contests agree"), "{verified}");
    let explained = told(&["explain", "x.toml", "--dice", "3"]);
    assert!(explained.contains("outcome: hits"), "{explained}");
    let card = told(&["table", "x.toml", "--format", "markdown", "--exact-only", "--quiet"]);
    assert!(card.contains("| 83 |"), "{card}");
    desk.write(
        "arsenal.toml",
        "rules = 'bridgehead.rules'\n[[weapon]]\nname = 'a'\n[[scenario]]\nname = 'b'\n",
    );
    desk.run(&["balance", "arsenal.toml", "--quiet"]).refused(2, "bridgehead cannot be priced");
}

#[test]
fn two_rulebooks_are_compared() {
    let desk = desk("rules = 'bridgehead.rules'\n[[contest]]\naction = 'fire'\nweapon = 'lmg'\n");
    desk.write("house/bridgehead.rules", &GAME.replace("lmg        3", "lmg        4"));
    desk.write("house.rules", &GAME.replace("lmg        3", "lmg        2"));
    let other =
        |rules: &str| format!("rules = '{rules}'\n[[contest]]\naction = 'fire'\nweapon = 'lmg'\n");
    desk.write("y.toml", &other("house/bridgehead.rules"));
    desk.write("z.toml", &other("house.rules"));
    for (file, said) in [
        ("y.toml", ["87.5", "93.75", "rulebook: bridgehead ("]),
        ("z.toml", ["87.5", "75.0", "house ("]),
    ] {
        let told = desk.run(&["compare", "x.toml", file, "--exact-only", "--quiet"]);
        assert_eq!(told.code, Some(0), "{told:?}");
        for said in said {
            assert!(told.out.contains(said), "{said}: {told:?}");
        }
    }
}

#[test]
fn results_keep_the_rulebook_they_were_made_with() {
    let desk = desk("rules = 'bridgehead.rules'\ntrials = 1000\n[[contest]]\naction = 'fire'\n");
    let run = || desk.run(&["run", "x.toml", "--out", "out", "--quiet"]);
    let first = run();
    assert_eq!(first.code, Some(0), "{first:?}");
    assert_eq!(desk.read("out/rules/bridgehead/bridgehead.rules"), GAME);
    let manifest: Json = serde_json::from_str(&desk.read("out/manifest.json")).expect("JSON");
    let file = &manifest["rulebook_files"][0];
    assert_eq!(file["kept"], "rules/bridgehead/bridgehead.rules");
    assert_eq!(file["sha256"], enfilade::report::folder::staging::hash_sha256(GAME.as_bytes()));
    assert!(run().out.contains("complete since"));
    let checked = desk.run(&["verify", "out"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    // Other rules are another run, even where they are the same odds.
    desk.write("bridgehead.rules", &format!("-- mine\n{GAME}"));
    let again = run();
    assert!(again.out.contains("1 cells"), "{again:?}");
    assert!(desk.read("out/rules/bridgehead/bridgehead.rules").starts_with("-- mine"));
    desk.write("out/rules/bridgehead/bridgehead.rules", GAME);
    desk.run(&["verify", "out"]).refused(5, "rules/bridgehead/bridgehead.rules was changed");
    let text = desk.read("out/manifest.json");
    let hash =
        enfilade::report::folder::staging::hash_sha256(format!("-- mine\n{GAME}").as_bytes());
    let at = text.find(&hash).expect("it is listed");
    desk.write(
        "out/manifest.json",
        &(text[..at].to_owned() + &text[at..].replacen(&hash, &"0".repeat(64), 1)),
    );
    desk.write("out/rules/bridgehead/bridgehead.rules", &format!("-- mine\n{GAME}"));
    desk.run(&["verify", "out"]).refused(5, "is missing or changed");
}

#[test]
fn a_first_game_is_written_once_and_is_in_order() {
    let desk = Desk::with("");
    let told = desk.run(&["rules", "new", "mine.rules"]);
    assert!(told.code == Some(0) && told.out.contains("wrote mine.rules"), "{told:?}");
    // What it says to do next can be done.
    for command in ["systems mine.rules", "odds mine.rules fire cover=0..3"] {
        assert!(told.out.contains(&format!("enfilade {command}")), "{command}: {told:?}");
        let done = desk.run(&command.split(' ').collect::<Vec<_>>());
        assert!(done.code == Some(0) && done.out.contains("cover"), "{command}: {done:?}");
    }
    desk.run(&["rules", "new", "mine.rules"]).refused(2, "exists and is not replaced");
    let checked = desk.run(&["rules", "check", "mine.rules"]);
    assert!(
        checked.code == Some(0) && checked.out.contains("\"Bridgehead\" is in order"),
        "{checked:?}"
    );
    assert!(checked.out.contains("mine fire, sample 1:"), "{checked:?}");
    let set = desk.run(&["rules", "format", "--check", "mine.rules"]);
    assert!(set.code == Some(0) && set.out.contains("nothing to change"), "{set:?}");
}

#[test]
fn a_rulebook_is_set_in_order() {
    let desk = desk("");
    desk.write("untidy.rules", &GAME.replace("    ", "  "));
    let check = desk.run(&["rules", "format", "--check", "untidy.rules"]);
    check.refused(1, "1 file would be changed");
    assert!(desk.read("untidy.rules").contains("\n  name"));
    let told = desk.run(&["rules", "format", "untidy.rules"]);
    assert!(told.out.contains("untidy.rules was formatted"), "{told:?}");
    assert_eq!(desk.read("untidy.rules"), GAME);
    desk.write("broken.rules", "feild x: 1..6\n");
    desk.run(&["rules", "format", "broken.rules"]).refused(2, "did you mean `field`?");
}

#[test]
fn a_rule_is_inspected() {
    let desk =
        desk("rules = 'bridgehead.rules'\n[[contest]]\naction = 'fire'\nweapon = 'big gun'\n");
    for arguments in [
        &["bridgehead.rules"][..],
        &["bridgehead.rules", "x.toml"],
        &["bridgehead.rules", "--action", "fire"],
    ] {
        let told = desk.run(&[&["rules", "inspect"], arguments].concat());
        assert!(told.code == Some(0) && told.out.contains("remembered there"), "{told:?}");
    }
    desk.run(&["rules", "inspect", "bridgehead.rules", "--action", "fir"])
        .refused(2, "did you mean \"fire\"?");
}

/// Of four dice that are counted one after the other, 1 to 4 counts are remembered; of one die,
/// one.
#[test]
fn a_rule_is_inspected_field_by_field() {
    let desk = desk("");
    let game = "game \"m\"\nfield guns: 1..6 = 4\nfield needed: 2..6 = 4\naction a:\n    \
                hits = count(guns d6 >= needed)\n    show hits\n";
    desk.write("volley.rules", game);
    let told = desk.run(&["rules", "inspect", "volley.rules"]);
    assert!(told.out.contains(": 10 states at"), "{told:?}");
    // How high a die must roll changes no state, and is not there.
    let rows = told.out.split("states then").nth(1).unwrap_or_default();
    let rows = rows.trim_matches(|c: char| c == '─' || c.is_whitespace());
    assert_eq!(rows, "guns 4 1 1", "{told:?}");
}

#[test]
fn a_file_is_checked_again_when_it_changes() {
    let desk = desk("");
    let log = |name: &str| std::fs::File::create(desk.path(name)).expect("made");
    let mut command = desk.command(&["rules", "check", "--watch", "bridgehead.rules"]);
    let running = command.stdout(log("out.txt")).stderr(log("err.txt")).spawn();
    let _running = Ended(running.expect("it runs until it is stopped"));
    let right =
        |times| move |desk: &Desk| desk.read("out.txt").matches("is in order").count() == times;
    until("the file is in order", || right(1)(&desk));
    desk.write("bridgehead.rules", "feild x: 1..6\n");
    until("a fault is told", || desk.read("err.txt").contains("no declaration `feild`"));
    desk.write("bridgehead.rules", &format!("-- right again\n{GAME}"));
    until("it is in order again", || right(2)(&desk));
}

/// A command that goes on until it is stopped: it does not outlive the test, however that ends.
struct Ended(std::process::Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
