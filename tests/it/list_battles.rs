//! Lists that `enfilade balance` fights: what is said, what is written, when the gate is closed.

use assert_cmd::Command;
use serde_json::Value as Json;

/// Two tanks and a walker at short range for two moves: battles are short.
const THREE: &str = "system = 'dropzone'
[[weapon]]
name = 'UCM/Sabre Tank'
[[weapon]]
name = 'Resistance/Hannibal Tank'
[[weapon]]
name = 'PHR/Ares Walker'
[[scenario]]
name = 'close'
range = [12]
moves = 2
target = { unit = 'UCM/Sabre Tank', troopers = 2 }
[assumptions]
horizon = [1, 1, 1]
base = [1, 1, 1]
";

/// What `balance` writes and says with these options, and how it ends.
fn balance(file: &str, options: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::cargo_bin("enfilade").expect("it is built");
    command.args(["balance", "-", "--quiet"]).args(options).write_stdin(file);
    let output = command.output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn lists_are_told_below_the_prices() {
    let (said, errors, code) = balance(THREE, &["--lists", "140"]);
    assert_eq!(code, Some(0), "{errors}");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("eight of ten pairs of random 140-point lists win"), "{said}");
    assert!(words.contains("at the prices of now") && words.contains("Lists of one unit alone"));
    assert!(words.contains("of what is uneven between these units"), "{said}");
    // Nothing of it without the option.
    let (plain, ..) = balance(THREE, &[]);
    assert!(!plain.contains("Lists that were fought") && !plain.contains("random"), "{plain}");
    // In the heading, once, above all prices.
    let (heading, prices) = words.split_once("unit now even").expect("there are prices");
    assert!(heading.contains("eight of ten pairs"), "{said}");
    assert!(!prices.contains("eight of ten pairs"), "{said}");
}

/// Sentences follow each other without a blank line between them.
#[test]
fn sentences_of_lists_are_one_block() {
    let (said, ..) = balance(THREE, &["--lists", "140"]);
    let (_, below) = said.split_once("Lists that were fought\n\n").expect("they are told");
    assert!(below.lines().count() > 5 && !below.contains("\n\n"), "{below}");
}

/// What cannot be is told at once: before the battles of a file that takes minutes.
#[test]
fn what_is_wrong_about_lists_is_told_before_anything_is_fought() {
    let slow =
        THREE.replace("range = [12]\nmoves = 2", "range = [36, 30, 24, 18, 12, 6]\nmoves = 24");
    let slow = slow.replace("troopers = 2", "troopers = 24");
    let begun = std::time::Instant::now();
    let (_, errors, code) = balance(&slow, &["--share", "95"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("--lists POINTS"), "{errors}");
    let one = slow.replace(
        "[[weapon]]\nname = 'Resistance/Hannibal Tank'\n[[weapon]]\nname = 'PHR/Ares Walker'\n",
        "",
    );
    let (_, errors, code) = balance(&one, &["--lists", "500"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("fewer than two units"), "{errors}");
    assert!(begun.elapsed().as_secs() < 120, "{:?}", begun.elapsed());
}

/// Every unit meets every other by one key, and the page has its picture.
#[test]
fn units_that_all_meet_are_told_and_drawn() {
    let file = format!("opponents = 'all'\n{THREE}");
    let out = tempfile::TempDir::new().expect("a temporary folder");
    let folder = out.path().join("prices");
    let (said, errors, code) = balance(&file, &["--out", folder.to_str().expect("a name")]);
    assert_eq!(code, Some(0), "{errors}");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("parts of what is uneven between these units"), "{said}");
    let page = std::fs::read_to_string(folder.join("report.html")).expect("readable");
    let (_, section) = page.split_once(">Who beats whom</h2>").expect("a section");
    assert!(section.trim_start().starts_with("<p>Prices could mend"), "{}", &section[..200]);
    assert!(folder.join("edges.csv").exists() && page.matches("<svg").count() > 3);
}

#[test]
fn lists_are_keys_of_the_document() {
    let (said, errors, code) = balance(THREE, &["--lists", "140", "--bound", "--format", "json"]);
    assert_eq!(code, Some(0), "{errors}");
    let document: Json = serde_json::from_str(&said).expect("it is JSON");
    let lists = &document["lists"];
    assert_eq!(
        (lists["points"].as_f64(), lists["at"].as_array().map(Vec::len)),
        (Some(140.0), Some(2))
    );
    assert_eq!(lists["at"][1]["prices"], "the prices of now");
    assert_eq!(lists["at"][0]["pairs"], 250);
    assert!(lists["bound"]["from_even"].is_number() && document["weapons"].is_array());
    assert!(lists["fitted"]["PHR/Ares Walker"].as_f64() > Some(0.0), "{lists}");
    assert_eq!(document["units"]["units"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_gate_is_closed_where_too_few_pairs_are_even() {
    let (said, errors, code) =
        balance(THREE, &["--lists", "140", "--even", "49-51", "--share", "99"]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(
        errors.contains("of 100 pairs of lists are within 49 to 51 at the prices of now, not 99"),
        "{errors}"
    );
    assert!(said.contains("Lists that were fought"));
    let (_, errors, code) =
        balance(THREE, &["--lists", "140", "--even", "0-100", "--share", "100"]);
    assert_eq!(code, Some(0), "{errors}");
}

/// What the command line says with `--lists`, a file may say; prices to try are those of now with
/// some in their place.
#[test]
fn a_file_tries_prices_in_its_lists() {
    let file = format!("lists = 140\n{THREE}[prices.try]\n'PHR/Ares Walker' = 62.5\n");
    let (said, errors, code) = balance(&file, &["--format", "json"]);
    assert_eq!(code, Some(0), "{errors}");
    let document: Json = serde_json::from_str(&said).expect("it is JSON");
    let at = document["lists"]["at"].as_array().expect("a list");
    let names: Vec<_> = at.iter().filter_map(|set| set["prices"].as_str()).collect();
    assert_eq!(names, ["the even prices", "the prices of now", "the prices to try"]);
    assert_eq!(document["lists"]["points"].as_f64(), Some(140.0));
    // A walker for 62.5 is bought less often than one for 35, and plays otherwise.
    assert_ne!(at[1]["from_even"], at[2]["from_even"]);
    let (_, errors, code) = balance(&file, &["--even", "50-50", "--share", "100"]);
    assert!(code == Some(1) && errors.contains("at the prices to try, not 100"), "{errors}");
    for (tried, told) in [
        ("[prices.try]\n'PHR/Ares Walkr' = 60\n", "did you mean \"PHR/Ares Walker\"?"),
        ("[prices.try]\n'PHR/Ares Walker' = 60.1\n", "the nearest is 60"),
        ("[prices]\ntry = 3\n", "expected prices by weapon"),
        ("[prices]\ntrial = 3\n", "there is no field `trial` here"),
    ] {
        let (_, errors, code) = balance(&format!("{THREE}{tried}"), &[]);
        assert!(code == Some(2) && errors.contains(told), "{tried}: {errors}");
    }
    let (_, errors, code) = balance(&format!("lists = 0\n{THREE}"), &[]);
    assert!(code == Some(2) && errors.contains("lists"), "{errors}");
}

/// A file sets what `--bound` does; the fitted prices are printed.
#[test]
fn a_file_fits_prices_to_its_lists() {
    let (said, errors, code) = balance(&format!("lists = 140\nbound = true\n{THREE}"), &[]);
    assert_eq!(code, Some(0), "{errors}");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Fitted to the play: UCM/Sabre Tank "), "{said}");
    assert!(words.contains("At prices fitted to the play pairs are "), "{said}");
}

/// Prices to try without lists are bought by nobody; `--quiet` leaves out the remark.
#[test]
fn prices_to_try_without_lists_cause_a_remark() {
    let file = format!("{THREE}[prices.try]\n'PHR/Ares Walker' = 62.5\n");
    let mut command = Command::cargo_bin("enfilade").expect("it is built");
    let output =
        command.args(["balance", "-"]).write_stdin(file.clone()).output().expect("it runs");
    let errors = String::from_utf8(output.stderr).expect("it is text");
    assert!(output.status.success() && errors.contains("[prices.try]: "), "{errors}");
    assert!(errors.contains("add --lists POINTS"), "{errors}");
    let (_, quiet, code) = balance(&file, &[]);
    assert!(code == Some(0) && !quiet.contains("[prices.try]"), "{quiet}");
}

#[test]
fn what_cannot_be_fought_is_said() {
    for (options, told) in [
        (&["--share", "95"][..], "--lists"),
        (&["--lists", "0"], "expected a number from 1"),
        (&["--lists", "140", "--even", "55-60"], "50 must be within"),
    ] {
        let (_, errors, code) = balance(THREE, options);
        assert!(code == Some(2) && errors.contains(told), "{options:?}: {errors}");
    }
    let guns = "system = 'skirmishers'\n[[weapon]]\nname = 'MMG'\n[[weapon]]\nname = 'HMG'\n\
                [[scenario]]\nname = 'open'\nrange = [60]\nmoves = 1\ntarget = { troopers = 2 }\n";
    let (_, errors, code) = balance(guns, &["--lists", "100"]);
    assert!(code == Some(2) && errors.contains("can be on both sides"), "{errors}");
}
