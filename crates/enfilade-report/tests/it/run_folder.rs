//! A run from its file to its folder, read back by this file's own code.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use enfilade_report::folder::staging::FolderClaim;
use enfilade_report::{self as report, InputFileWithRulebooks, PrintedAnswerFormat, RunFacts};
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::{BuildId, CellTrialJournal};
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{NoObserver, SolverSettings, solve_cells};
use enfilade_testkit::toy::CATALOGUE;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

const FILE: &str = "name = 'toy-odds'\nquestion = 'How often does a die hit?'\n\
    prediction = 'Half of the time on 4 or more.'\nseed = 5\ntrials = 100000\n\
    [[contest]]\nsystem = 'toy'\naction = 'shoot'\nname = '=cmd|calc'\n\
    needed = [2, 4, 6]\ndie = ['d6', 'd8']\nnote = 'a|b, \"c\"'\n\
    [[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = 3\n";

fn experiment() -> Experiment {
    Experiment::read_experiment_text(&CATALOGUE, "toy.toml", FILE)
        .unwrap_or_else(|e| panic!("{e:?}"))
}

fn answers(experiment: &Experiment, exact_only: bool) -> Vec<Answer> {
    let settings = match exact_only {
        true => SolverSettings::for_exact_only().with_fractions(),
        false => SolverSettings::for_trials_per_cell(100_000),
    };
    let settings = settings.with_seed(experiment.seed);
    let solved = solve_cells(
        &experiment.cells,
        &settings,
        &NoObserver,
        &CellTrialJournal::without_storage(),
    );
    solved.expect("a toy is small").answers
}

fn facts() -> RunFacts {
    RunFacts {
        command: ["enfilade", "run", "toy.toml"].map(str::to_owned).to_vec(),
        build: BuildId("a test"),
        input: Some(InputFileWithRulebooks::new("toy.toml", FILE)),
        started: SystemTime::UNIX_EPOCH,
        duration: Duration::from_millis(1500),
        identity: None,
    }
}

fn write(folder: &Path) -> report::RunFilesWritten {
    let experiment = experiment();
    let answers = answers(&experiment, false);
    let claim = FolderClaim::claim_to_overwrite_all(folder).expect("nobody has it");
    report::write_run_folder(
        &claim,
        &experiment,
        &answers,
        &facts(),
        report::OptionalRunFiles {
            pictures: &report::default_formats_beside_svg(),
            ..report::OptionalRunFiles::default()
        },
    )
    .expect("the folder is writable")
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every file below `folder` with its content.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("it has one").to_string_lossy().into_owned();
        if path.is_dir() {
            for (inner, content) in contents(&path) {
                found.insert(format!("{name}/{inner}"), content);
            }
        } else {
            found.insert(name, fs::read(&path).expect("readable"));
        }
    }
    found
}

/// A reader of RFC 4180, apart from the writer under test.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut chars) = (false, text.chars().peekable());
    while let Some(c) = chars.next() {
        match (c, quoted) {
            ('"', true) if chars.peek() == Some(&'"') => field.extend(chars.next()),
            ('"', _) => quoted = !quoted,
            (',', false) => row.push(std::mem::take(&mut field)),
            ('\n', false) => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            _ => field.push(c),
        }
    }
    assert!(field.is_empty() && row.is_empty(), "the last line is not ended");
    rows
}

fn column<'a>(rows: &'a [Vec<String>], name: &str) -> Vec<&'a str> {
    let place = rows[0].iter().position(|head| head == name);
    let place = place.unwrap_or_else(|| panic!("no column {name} in {:?}", rows[0]));
    rows[1..].iter().map(|row| row[place].as_str()).collect()
}

#[test]
fn the_manifest_has_the_hash_of_every_file_and_nothing_else_is_there() {
    let folder = TempDir::new().expect("a temporary folder");
    let written = write(folder.path());
    let mut contents = contents(folder.path());
    let manifest = contents.remove("manifest.json").expect("there is a manifest");
    let manifest: Json = serde_json::from_slice(&manifest).expect("it is JSON");
    let listed = manifest["files"].as_array().expect("a list");
    assert_eq!(listed.len(), contents.len());
    for file in listed {
        let content = &contents[file["name"].as_str().expect("a name")];
        assert_eq!(file["sha256"], sha256(content));
        assert_eq!(file["bytes"], content.len());
    }
    assert_eq!(written.files.len(), contents.len() + 1);
    assert_eq!(manifest["agreement"]["verdict"], "agree");
    assert_eq!(manifest["agreement"]["compared"], 7);
    assert_eq!(manifest["trials"], 700_000.0);
    assert_eq!(manifest["seed"], 5);
    assert_eq!(manifest["seconds"], 1.5);
    assert_eq!(manifest["started"], "1970-01-01T00:00:00Z");
    assert_eq!(manifest["input"]["sha256"], sha256(FILE.as_bytes()));
}

#[test]
fn the_same_run_gives_the_same_bytes_even_over_an_old_one() {
    let (one, other) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    write(one.path());
    write(one.path());
    write(other.path());
    assert_eq!(contents(one.path()), contents(other.path()));
}

#[test]
fn the_tables_hold_the_odds_in_full() {
    let folder = TempDir::new().expect("a temporary folder");
    write(folder.path());
    let text = fs::read_to_string(folder.path().join("cells.csv")).expect("readable");
    let rows = read_csv(&text);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    assert_eq!(column(&rows, "needed"), ["2", "2", "4", "4", "6", "6", "3"]);
    assert_eq!(column(&rows, "die")[..2], ["d6", "d8"]);
    // A die with s sides shows n or more in s + 1 - n of s cases.
    let expected: [f64; 7] =
        [5.0 / 6.0, 7.0 / 8.0, 3.0 / 6.0, 5.0 / 8.0, 1.0 / 6.0, 3.0 / 8.0, 4.0 / 6.0];
    let numbers = |name| -> Vec<f64> {
        let read = |text: &str| text.parse().expect("a number");
        column(&rows, name).into_iter().map(read).collect()
    };
    let measured = numbers("p_hit_exact");
    assert!(measured.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{measured:?}");
    let (low, high) = (numbers("p_hit_low"), numbers("p_hit_high"));
    for (i, value) in numbers("p_hit_sim").into_iter().enumerate() {
        // 0.0065 is four standard deviations of the widest.
        assert!((value - expected[i]).abs() < 0.0065);
        assert!(low[i] < value && value < high[i]);
    }
    // What a spreadsheet would run as a formula is text.
    assert_eq!(column(&rows, "contest")[0], "'=cmd|calc");
    assert_eq!(column(&rows, "note")[0], "a|b, \"c\"");
    assert_eq!(column(&rows, "note")[6], "");
    assert_eq!(column(&rows, "seed"), ["5"; 7]);
}

#[test]
fn counts_of_the_outcomes_add_up_to_the_trials() {
    let folder = TempDir::new().expect("a temporary folder");
    write(folder.path());
    let text = fs::read_to_string(folder.path().join("outcomes.csv")).expect("readable");
    let rows = read_csv(&text);
    let mut sums = BTreeMap::new();
    for (cell, count) in column(&rows, "cell").into_iter().zip(column(&rows, "count")) {
        *sums.entry(cell).or_insert(0) += count.parse::<u64>().expect("a count");
    }
    assert_eq!(sums.into_values().collect::<Vec<_>>(), [100_000; 7]);
}

#[test]
fn json_has_the_documented_shape() {
    let experiment = experiment();
    let mut out = Vec::new();
    report::print_answers(&answers(&experiment, true), PrintedAnswerFormat::Json, &mut out)
        .expect("memory");
    let document: Json = serde_json::from_slice(&out).expect("it is JSON");
    assert_eq!(document["seed"], 5);
    assert!(document["enfilade"].is_string());
    let contests = document["contests"].as_array().expect("a list");
    assert_eq!(contests.len(), 7);
    let contest = &contests[2];
    assert_eq!((&contest["system"], &contest["action"]), (&"toy".into(), &"shoot".into()));
    assert_eq!(contest["params"]["needed"], 4);
    assert_eq!(contest["params"]["die"], "d6");
    assert_eq!(contest["trials"], 0);
    let measure = &contest["measures"][0];
    assert_eq!(measure["name"], "p_hit");
    assert_eq!((measure["exact"].as_f64(), &measure["fraction"]), (Some(0.5), &"1/2".into()));
    for absent in ["simulated", "low", "high"] {
        assert!(measure[absent].is_null());
    }
    let outcomes = contest["outcomes"].as_array().expect("a list");
    let exact: f64 = outcomes.iter().filter_map(|o| o["exact"].as_f64()).sum();
    assert!((exact - 1.0).abs() < 1e-12);
    assert!(outcomes.iter().all(|o| o["outcome"].is_object() && o["count"].is_null()));
}

#[test]
fn the_summary_answers_its_question() {
    let folder = TempDir::new().expect("a temporary folder");
    write(folder.path());
    let said = fs::read_to_string(folder.path().join("summary.md")).expect("readable");
    assert!(said.contains("**Question.** How often does a die hit?"));
    assert!(said.contains("**Prediction.** Half of the time on 4 or more."));
    assert!(said.contains("=cmd\\|calc (toy shoot)"));
    assert!(said.contains("    enfilade run toy.toml\n"));
    for line in said.lines().filter(|line| line.starts_with("![")) {
        let (_, file) = line.rsplit_once('(').expect("it has an address");
        assert!(folder.path().join(file.trim_end_matches(')')).is_file(), "{line}");
    }
}
