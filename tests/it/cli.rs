//! The program as a user meets it: pages, exit codes, help that works as typed.

use std::process::{Command as Process, Output, Stdio};

use assert_cmd::Command;
use serde_json::Value as Json;

fn enfilade() -> Command {
    let mut command = Command::cargo_bin("enfilade").expect("the program is built with the tests");
    // Wide enough for every table: narrow ones are looked at in `narrow`.
    command.env_remove("NO_COLOR").env("COLUMNS", "400");
    command
}

fn run(arguments: &[&str], input: &str) -> Output {
    let command = enfilade().args(arguments).write_stdin(input).output();
    command.expect("the program starts")
}

fn page(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    // On a slow machine it is told how long it takes.
    let pace =
        |line: &&str| !line.ends_with("at the pace so far") && !line.contains(": still at work");
    let told = complaint.lines().filter(pace);
    assert_eq!(told.collect::<String>(), "", "{arguments:?}");
    String::from_utf8(output.stdout).expect("pages are UTF-8")
}

/// Exit code and standard error.
fn refusal(arguments: &[&str], input: &str) -> (i32, String) {
    let output = run(arguments, input);
    let complaint = String::from_utf8(output.stderr).expect("messages are UTF-8");
    (output.status.code().expect("it was not killed"), complaint)
}

const FIRE: &str = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [8, 16]\n\
    [[contest.target]]\nkind = 'squad'\nmorale = 7\n";

#[test]
fn the_long_check_is_of_the_reference_contests() {
    let verdict = page(&["verify", "--long", "--trials", "3000000"], "");
    let agree = "4 of 4 contests agree: 3 000 000 trials simulated and 4 194 304 played";
    assert!(verdict.replace('\u{a0}', " ").contains(agree), "{verdict}");
    let (code, complaint) = refusal(&["verify", "--long", "--system", "asl"], "");
    assert_eq!(code, 2);
    assert!(complaint.contains("--system"), "{complaint}");
}

/// By hand: 2d6 is 8 or more in 15 of 36 ways; d4 has mean 2.5 and variance 5/4.
#[test]
fn dice_are_answered_in_every_format() {
    let markdown = page(&["dice", "2d6 >= 8", "--format", "markdown"], "");
    assert!(markdown.contains("| yes | 5/12 | 41.6667 % |"), "{markdown}");
    let csv = page(&["dice", "d4", "--format", "csv"], "");
    assert_eq!(
        csv,
        "value,fraction,probability,at least\n1,1/4,0.25,1\n2,1/4,0.25,0.75\n3,1/4,0.25,0.5\n4,1/4,0.25,0.25\n"
    );
    let table = page(&["dice", "d4"], "");
    assert!(table.contains("mean 2.5, standard deviation 1.118"), "{table}");
    let json: Json =
        serde_json::from_str(&page(&["dice", "d8 > d6", "--format", "json"], "")).expect("JSON");
    // d8 beats d6: for each face of the d6, 8 minus that face, of 48.
    assert_eq!(json["laws"][0]["values"][1]["fraction"], "9/16");
    assert_eq!(json["laws"][0]["values"][1]["value"], true);
}

#[test]
fn dice_that_cannot_be_read_are_shown_with_a_caret() {
    let (code, complaint) = refusal(&["dice", "2d6 + d0"], "");
    assert_eq!(code, 2);
    assert!(complaint.contains("[dice expression:1:8]"), "{complaint}");
    assert!(complaint.contains(" 1 │ 2d6 + d0\n   ·        ─\n"), "{complaint}");
}

#[test]
fn every_system_is_listed_and_told() {
    let list = page(&["systems"], "");
    for system in crate::built_in().rulebooks_created_on_demand() {
        assert!(list.contains(&*system.id), "{list}");
        let told = page(&["systems", &system.id], "");
        for action in &system.actions {
            assert!(told.contains(&format!("== {} {}:", system.id, action.name)));
            for field in action.fields.iter() {
                assert!(told.contains(&*field.about), "{}", field.name);
            }
        }
        for shelf in (system.data_tables)() {
            assert!(told.contains(&format!("== {} ({})", shelf.name, shelf.rows.len())));
        }
        let text = page(&["systems", &system.id, "--format", "json"], "");
        let json: Json = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["systems"][0]["id"], *system.id);
    }
    let (code, complaint) = refusal(&["systems", "als"], "");
    assert_eq!(code, 2);
    assert!(complaint.contains("did you mean \"asl\"?"), "{complaint}");
}

#[test]
fn the_schema_and_completions_are_printed() {
    let schema: Json = serde_json::from_str(&page(&["schema"], "")).expect("JSON");
    assert!(schema["$defs"]["asl.fire"]["properties"]["fp"].is_object());
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(page(&["completions", shell], "").contains("enfilade"), "{shell}");
    }
}

#[test]
fn given_dice_tell_a_worked_example() {
    let told = page(&["explain", "-", "--dice", "3,2,5,4"], FIRE);
    assert!(told.contains("asl fire, cell 0 of 0 to 1: firepower 8"), "{told}");
    assert!(told.contains("d6 shows 3, d6 shows 2"), "{told}");
    assert!(told.contains("outcome: 1 unit broken\n"), "{told}");
}

#[test]
fn a_question_is_told_and_printed_as_well_as_answered() {
    let words = "asl fire fp=8 target.kind=squad target.morale=7";
    let asked = |command: &str| -> Vec<String> {
        let words = words.split(' ').map(str::to_owned);
        [command.to_owned()].into_iter().chain(words).collect()
    };
    let mut told = asked("explain");
    told.extend(["--dice".to_owned(), "3,2,5,4".to_owned()]);
    let told: Vec<_> = told.iter().map(String::as_str).collect();
    let told = page(&told, "");
    assert!(told.starts_with("asl fire\n  1. d6 shows 3, d6 shows 2\n"), "{told}");
    assert!(told.ends_with("outcome: 1 unit broken\n"), "{told}");

    let mut card = asked("table");
    card.extend(["drm=-1..1", "--format", "markdown"].map(str::to_owned));
    let card: Vec<_> = card.iter().map(String::as_str).collect();
    let card = page(&card, "");
    assert!(card.contains("DRM −1 to +1"), "{card}");

    for command in ["explain", "table", "odds"] {
        let (code, complaint) = refusal(&[command, "asl"], "");
        assert_eq!(code, 2, "{command}");
        assert!(complaint.contains("asl is a rulebook: name one of its actions"), "{complaint}");
        let rules = ["--rules", "rulebooks/champions.rules"];
        let (_, complaint) = refusal(&[command, "champions", rules[0], rules[1]], "");
        assert!(complaint.contains("champions is a rulebook"), "{complaint}");
        let (_, complaint) = refusal(&[command, "rulebooks/champions.rules"], "");
        assert!(complaint.contains("name one of its actions (duel, mishap)"), "{complaint}");
    }
}

#[test]
fn every_value_of_a_field_is_asked_for_by_one_word() {
    let asked = |words: &[&str]| {
        page(&[&["odds"], words, &["--exact-only", "--format", "csv"]].concat(), "")
    };
    let duel = ["rulebooks/champions.rules", "duel"];
    let same = |all: &str, each: &str| {
        assert_eq!(asked(&[&duel[..], &[all]].concat()), asked(&[&duel[..], &[each]].concat()));
    };
    same("ours.weapon=all", "ours.weapon=dagger,sword,spear,axe,greatsword");
    same("habit=all", "habit=wise,bold,wary");
    same("exchanges=all", "exchanges=1..4");
    // Of a number nobody can count them, and a text is a text.
    let (_, complaint) = refusal(&["odds", "asl", "fire", "fp=all", "target.kind=squad"], "");
    assert!(complaint.contains("found \"all\""), "{complaint}");
}

/// Whoever leaves out the command is told which one takes what he wrote.
#[test]
fn a_command_that_is_left_out_is_told() {
    let cases = [
        (&["asl", "fire", "fp=8"][..], "enfilade odds asl ACTION field=value …"),
        (&["rulebooks/champions.rules"], "enfilade odds rulebooks/champions.rules ACTION"),
        (&["experiments/ift_odds.toml"], "enfilade odds experiments/ift_odds.toml"),
    ];
    for (words, meant) in cases {
        let (code, complaint) = refusal(words, "");
        assert_eq!(code, 2, "{words:?}");
        assert!(complaint.contains(meant) && !complaint.contains("similar"), "{complaint}");
    }
    assert!(refusal(&["prize"], "").1.contains("'price'"));
}

/// What one kind of file is for is said of it where the other kind is wanted, in place of the
/// faults that it has as that.
#[test]
fn a_rulebook_and_an_experiment_are_not_taken_for_each_other() {
    let (rules, file) = ("rulebooks/champions.rules", "experiments/ift_odds.toml");
    for words in [&["run"][..], &["balance"], &["price"], &["compare", file]] {
        let (code, complaint) = refusal(&[words, &[rules]].concat(), "");
        assert_eq!(code, 2, "{words:?}");
        assert!(complaint.contains("is a rulebook, not an experiment"), "{words:?}: {complaint}");
        assert!(complaint.lines().count() < 6, "{complaint}");
    }
    for words in
        [&["rules", "check"][..], &["odds", "asl", "fire", "--rules"], &["systems", "--rules"]]
    {
        let (code, complaint) = refusal(&[words, &[file]].concat(), "");
        assert_eq!(code, 2, "{words:?}");
        assert!(complaint.contains("not a rulebook"), "{words:?}: {complaint}");
    }
    assert!(refusal(&["verify", rules], "").1.contains("verify --rules"));
    let of_file = page(&["systems", rules], "");
    assert_eq!(of_file, page(&["systems", "champions", "--rules", rules], ""));
    let of_action = page(&["systems", rules, "duel"], "");
    assert_eq!(of_action, page(&["systems", "champions", "duel", "--rules", rules], ""));
}

#[test]
fn dice_that_do_not_fit_are_an_error_after_what_could_be_told() {
    let short = run(&["explain", "-", "--dice", "3,2"], FIRE);
    assert_eq!(short.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&short.stdout).contains("d6 shows 3, d6 shows 2"));
    assert!(!String::from_utf8_lossy(&short.stdout).contains("outcome"));
    let cases = [
        ("3,2", "the script has 2 dice, but a d6 is still to be rolled"),
        ("3,7", "die 2 of the script shows 7, but a d6 is rolled there"),
        ("3,2,5,4,1", "the last 1 of the given dice were not rolled"),
        ("3,300", "300"),
        ("3,x", "x is no face of a die: expected 1 to 255"),
        ("3,,2", "there is nothing between two commas; expected faces, such as 3,5,6"),
        ("0", "0 is no face of a die"),
    ];
    for (dice, problem) in cases {
        let (code, complaint) = refusal(&["explain", "-", "--dice", dice], FIRE);
        assert_eq!(code, 2, "{dice}");
        assert!(complaint.contains(problem), "{dice}: {complaint}");
    }
}

#[test]
fn random_dice_fall_the_same_way_for_the_same_seed() {
    let told = |seed: &str| page(&["explain", "-", "--cell", "1", "--seed", seed], FIRE);
    assert_eq!(told("5"), told("5"));
    let distinct: std::collections::BTreeSet<_> = (0..20)
        .map(|seed| told(&seed.to_string()).replace(&format!("seed {seed}\n"), ""))
        .collect();
    assert!(distinct.len() > 5);
    let (code, complaint) = refusal(&["explain", "-", "--cell", "2"], FIRE);
    assert_eq!((code, complaint.contains("--cell must be 0 to 1, but it is 2")), (2, true));
}

#[test]
fn all_faults_of_a_file_are_shown_with_their_lines() {
    let text = "nmae = 'x'\n".to_owned() + &FIRE.replace("fp = [8, 16]", "fpp = 8\ndrm = 99");
    let (code, complaint) = refusal(&["explain", "-"], &text);
    assert_eq!(code, 2);
    for expected in [
        "[standard input:1:1]",
        "[standard input:5:1]",
        "[standard input:6:7]",
        "did you mean `fp`?",
        "3 errors in standard input",
    ] {
        assert!(complaint.contains(expected), "{expected}: {complaint}");
    }
    assert!(!complaint.contains('\u{1b}'), "colours only on a terminal");
}

#[test]
fn exit_codes_tell_usage_from_files() {
    assert_eq!(refusal(&["explain", "no/such/file.toml"], "").0, 3);
    // A folder is no file that could not be read, but another thing than was asked for.
    assert_eq!(refusal(&["explain", "src"], "").0, 2);
    assert_eq!(refusal(&["dice"], "").0, 2);
    assert_eq!(refusal(&["fly"], "").0, 2);
    assert_eq!(refusal(&[], "").0, 2);
    assert_eq!(refusal(&["explain", "-"], "a = ").0, 2);
}

/// A shell whose `enfilade` is this program.
/// The dropship has no price, so its volleys have no damage per 100 points; and hits are counted in
/// every other cell only.
#[test]
fn cells_that_report_different_things_stand_in_one_table() {
    let toml = "[[contest]]\nsystem = 'dropzone'\naction = 'shoot'\ntarget = 'Scourge/Hunter'\n\
                weapon = ['UCM/Sabre Tank/Avenger Railgun', 'PHR/Triton Light Dropship/Dual Minigun']\n\
                detail = ['damage', 'hits']\n";
    for input in [toml.to_owned(), toml.replace("['damage', 'hits']", "['hits', 'damage']")] {
        let table = page(&["odds", "-", "--exact-only"], &input);
        let rows = table.lines().filter(|line| line.starts_with('│'));
        let rows: Vec<_> = rows.skip(1).collect();
        assert_eq!(rows.len(), 4, "{table}");
        let missing = |row: &str| row.split('┆').filter(|cell| cell.contains('–')).count();
        let missing: Vec<_> = rows.iter().map(|row| missing(row)).collect();
        // Hits and Criticals where they are not counted, the price where there is none.
        let counted = [2, 0, 3, 1];
        let swapped = [0, 2, 1, 3];
        let expected = if input == toml { counted } else { swapped };
        assert_eq!(missing, expected, "{table}");
    }
}

/// Beyond 85 dots a rifle puts nobody out of action, so nothing is said of the attacks that takes.
#[test]
fn what_a_cell_does_not_report_is_missing_and_not_0() {
    let toml = "[[contest]]\nsystem = 'skirmishers'\naction = 'attack'\nweapon = 'rifle'\nrange = [90, 40]\n\
                shots = 10\n[[chart]]\nkind = 'curves'\nx = 'range'\nmeasure = 'shots_to_kill'\n\
                [[card]]\nrows = 'range'\nline = [{ label = 'made', measure = 'shots_to_kill' }]\n";
    let table = page(&["odds", "-", "--exact-only"], toml);
    let rows = table.lines().filter(|line| line.starts_with('│'));
    let dashes: Vec<_> = rows.map(|row| row.matches('–').count()).collect();
    assert_eq!(dashes, [0, 1, 0], "{table}");
    let json = page(&["odds", "-", "--exact-only", "--format", "json"], toml);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let reported = |cell: usize| json["contests"][cell]["measures"].to_string();
    assert!(!reported(0).contains("shots_to_kill") && reported(1).contains("shots_to_kill"));
    let card = page(&["table", "-", "--exact-only", "--format", "csv"], toml);
    let rows: Vec<_> = card.lines().skip(1).map(|row| row.contains(",40,")).collect();
    assert_eq!(rows, [true], "{card}");
}

fn shell(script: &str) -> Output {
    let program = assert_cmd::cargo::cargo_bin("enfilade");
    let folder = program.parent().expect("it is in a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("a shell has one"));
    let shell =
        Process::new("sh").args(["-c", script]).env("PATH", path).stdin(Stdio::null()).output();
    shell.expect("there is a shell")
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    // The list is longer than a pipe holds, so writing goes on after `head` has left.
    let output = shell("{ enfilade schema; echo $? >&2; } | head -1");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "0\n");
}

#[test]
fn a_full_disk_is_an_error() {
    let output = shell("enfilade systems > /dev/full; echo $?");
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    assert_eq!(String::from_utf8_lossy(&output.stdout), "3\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("writing standard output"));
}

#[test]
fn the_examples_of_the_help_work_as_typed() {
    let folder = tempfile::tempdir().expect("a folder");
    for command in ["", "explain", "dice", "odds", "new", "man", "systems", "schema", "completions"]
    {
        let help = page(
            &[command, "--help"].iter().filter(|a| !a.is_empty()).copied().collect::<Vec<_>>(),
            "",
        );
        let (_, examples) = help.split_once("Example").expect("every help ends with an example");
        let (_, script) = examples.split_once('\n').expect("on the lines below");
        let output = shell(&format!("set -e; cd '{}'; {script}", folder.path().display()));
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// `price` stands where an action does: a file to begin with, and what it may hold.
#[test]
fn prices_have_a_file_to_begin_with() {
    let file = page(&["new", "dropzone", "price", "-"], "");
    assert!(
        file.contains("system = \"dropzone\"")
            && file.contains("# arms") | file.contains("weapon.arms")
    );
    for word in ["arsenal", "balance"] {
        assert_eq!(page(&["new", "dropzone", word, "-"], ""), file);
    }
    let folder = tempfile::TempDir::new().expect("there is room");
    let path = folder.path().join("mine.toml");
    let path = path.to_str().expect("plain");
    assert!(page(&["new", "aic", "price", path], "").contains("enfilade balance "));
    let priced = page(&["balance", path, "--only", "my own", "--quiet"], "");
    let words = priced.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("My own should cost about"), "{priced}");
    let told = page(&["systems", "skirmishers", "price"], "");
    for said in
        ["weapon.damage", "arc  [1, 2, 4]", "turns  sides, alternate", "rifle 159", "base_ranged"]
    {
        assert!(told.contains(said), "{said}: {told}");
    }
    assert_eq!(refusal(&["new", "dropzone", "prices", "-"], "").0, 2);
}
