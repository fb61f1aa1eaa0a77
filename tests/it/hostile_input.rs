//! Input that means no good: it is refused, in words, quickly, and never steers the terminal.

use assert_cmd::Command;
use enfilade::cli::error_report::render_error_report;
use enfilade::dice_laws::DiceDistribution;
use enfilade::error::StudyError;
use enfilade::study::experiment::Experiment;
use enfilade::study::file::source_document::is_control_or_invisible;
use enfilade_testkit::toy::CATALOGUE;
use proptest::prelude::*;

const CONTEST: &str = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\n";

fn read(text: &str) -> Result<Experiment, StudyError> {
    Experiment::read_experiment_text(&CATALOGUE, "hostile.toml", text)
}

/// The message for `text`, which must be refused, in at most this many bytes, and plain.
fn refused(text: &str, length: usize) -> String {
    let error = read(text).expect_err("it must be refused");
    let message = render_error_report(&error.into(), false);
    assert!(message.len() <= length, "{} bytes: {}", message.len(), &message[..1000]);
    assert!(!message.chars().any(|c| is_control_or_invisible(c) && c != '\n'), "{message:?}");
    message
}

#[test]
fn deep_nesting_is_refused_before_it_hurts() {
    let deep = [
        "a = ".to_owned() + &"[".repeat(1 << 20).as_str()[4..],
        "[".repeat(1 << 20),
        "a = ".to_owned() + &"{b=".repeat(1 << 18),
        "a.".repeat(1 << 18) + "a = 1",
        format!("[{}a]\nb = 1", "a.".repeat(1 << 18)),
        format!("a = {}{}", "[".repeat(70), "]".repeat(70)),
        format!("a = {}1{}", "{b.c.d = ".repeat(30), "}".repeat(30)),
        format!("{CONTEST}needed = {}1{}", "[".repeat(20), "]".repeat(20)),
    ];
    for text in deep {
        refused(&text, 40_000);
    }
    let path = format!(
        "{}1{}",
        "{ a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = ".repeat(70),
        "}".repeat(70)
    );
    assert!(refused(&format!("b = {path}"), 40_000).contains("nested too deeply"));
}

#[test]
fn a_file_of_more_than_a_mebibyte_is_refused() {
    let padded = |length: usize| {
        let text = format!("{CONTEST}needed = 1\n#");
        let padding = "x".repeat(length - text.len());
        text + &padding
    };
    assert!(read(&padded(1 << 20)).is_ok());
    assert!(refused(&padded((1 << 20) + 1), 500).contains("more than 1048576 bytes"));
}

#[test]
fn numbers_that_are_none_are_refused_wherever_they_stand() {
    let places = [
        "needed = 1\nfp = nan",
        "needed = 1\nfp = [1, inf]",
        "needed = 1\nfp = { from = -inf, to = 2 }",
        "needed = 1\nfp = { from = 0, to = +inf }",
        "needed = 1\nfp = { from = 0, to = 2, step = nan }",
        "needed = 1\nfp = 1e999",
        "needed = nan",
        "needed = 99999999999999999999",
        "needed = -9223372036854775808",
        "needed = { from = -9223372036854775808, to = 9223372036854775807 }",
        "needed = 1\nfp = { from = 0, to = 9223372036854775807 }",
        "needed = 1\nfp = { from = 0, to = 100, step = 9223372036854775807 }",
        "needed = 1\nmodifiers = { woods = inf }",
        "needed = 1\nmodifiers = { woods = 9223372036854775807 }",
    ];
    for place in places {
        refused(&format!("{CONTEST}{place}"), 2000);
    }
}

#[test]
fn grids_beyond_the_limit_are_refused_at_once() {
    let huge = [
        "needed = { from = 1, to = 20 }\nfp = { from = 0, to = 100, step = 0.015625 }\n\
         leader.morale = { from = 1, to = 20 }\ntarget.morale = { from = 1, to = 20 }"
            .to_owned(),
        format!("needed = [{}]\nfp = [{}]", "1,".repeat(2000), "1,".repeat(2000)),
    ];
    for lines in huge {
        assert!(refused(&format!("{CONTEST}{lines}"), 2000).contains("more than 100 000 cells"));
    }
    let many = format!(
        "{CONTEST}needed = {{ from = 1, to = 20 }}\nfp = {{ from = 0, to = 100, step = 0.125 }}\n"
    )
    .repeat(10);
    assert!(refused(&many, 2000).contains("together"));
}

#[test]
fn characters_that_steer_a_terminal_are_refused_and_not_shown() {
    let texts = [
        "name = \"\\u001b[31m\"\n",
        "name = \"a\\u0000b\"\n",
        "question = \"\\u001b]0;owned\\u0007\"\n",
        "\"\\u001b[2J\" = 1\n",
        "question = \"\u{202e}gnp.exe\"\n",
        "name = \"\u{9b}31m\"\n",
        "# \u{1b}[31m\n",
        "name = \"\u{200b}=1+1\"\n",
        "name = \"a\\u200Fb\"\n",
        "question = \"a\u{61c}b\u{2028}c\u{feff}\"\n",
        "\"k\u{2060}\" = 1\n",
        "\u{0}\n",
    ];
    for text in texts {
        refused(&format!("{text}{CONTEST}needed = 1"), 3000);
    }
    for lines in [
        "needed = 1\nname = \"\\u001b[31m\"",
        "needed = 1\nnote = \"\\u0007\"",
        "needed = 1\ndie = \"\\u001b[5m\"",
        "system2 = 1\nneeded = \"\u{2066}\"",
    ] {
        refused(&format!("{CONTEST}{lines}"), 3000);
    }
    refused("[[contest]]\nsystem = \"\\u001b[31mtoy\"\naction = 'shoot'", 3000);
}

#[test]
fn a_name_cannot_leave_its_folder() {
    for name in [
        "..",
        "../x",
        "/etc/passwd",
        "a/b",
        "a\\\\b",
        ".hidden",
        "-rf",
        "",
        " ",
        "nul",
        "COM1:",
        "é",
        &"x".repeat(65),
    ] {
        let text = format!("name = \"{name}\"\n{CONTEST}needed = 1");
        match name.trim().is_empty() {
            true => assert!(refused(&text, 2000).contains("name"), "{name}"),
            false => assert!(safe(&read(&text).expect("a name").default_result_folder()), "{name}"),
        }
    }
    for file in ["../../etc/passwd", "-", "", "/", "....toml", "\u{1b}[31m.toml", "con.toml"] {
        let experiment =
            Experiment::read_experiment_text(&CATALOGUE, file, &format!("{CONTEST}needed = 1"));
        let experiment = experiment.expect("the file is right");
        assert!(safe(&experiment.default_result_folder()), "{file}");
        assert!(!experiment.name.is_empty() && !experiment.name.contains(is_control_or_invisible));
    }
}

/// Whether a folder of this name lies where it is made, on every system.
fn safe(folder: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let devices = ["con", "prn", "aux", "nul", "com1"];
    let device = devices.contains(&folder.to_lowercase().as_str());
    let begins = folder.starts_with(|c: char| c.is_ascii_alphanumeric());
    begins && folder.chars().all(plain) && folder.len() <= 64 && !device
}

#[test]
fn thousands_of_faults_are_cut_short() {
    let text: String = (0..20_000).map(|i| format!("key{i} = 1\n")).collect();
    refused(&text, 60_000);
    refused(&"\n]".repeat(1 << 19), 60_000);
    let values: Vec<_> = (100..10_100).map(|n| n.to_string()).collect();
    refused(&format!("{CONTEST}needed = [{}]", values.join(",")), 60_000);
}

fn program() -> Command {
    Command::cargo_bin("enfilade").expect("the program is built with the tests")
}

#[test]
fn bytes_that_are_not_utf_8_are_refused_with_their_place() {
    let output =
        program().args(["explain", "-"]).write_stdin(&b"name = 'x'\nb = '\xff\xfe'"[..]).output();
    let output = output.expect("the program starts");
    let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        message.contains("byte 17 of the file is not UTF-8") && message.contains(":2:6]"),
        "{message}"
    );
}

#[test]
fn a_file_without_an_end_is_refused() {
    let output = program().args(["explain", "/dev/zero"]).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/dev/zero is no plain file"));
    let endless = vec![b'#'; (1 << 20) + 1];
    let output = program().args(["explain", "-"]).write_stdin(endless).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("more than 1048576 bytes"));
}

#[test]
fn arguments_that_mean_no_good_are_refused() {
    let long = "d6+".repeat(30_000);
    let cases: [&[&str]; 6] = [
        &["dice", "\u{1b}[31m"],
        &["dice", &long],
        &["dice", "99999999999999999999999999d6"],
        &["dice", "1000d1000"],
        &["systems", "\u{1b}[2J"],
        &["explain", "no\u{1b}[31mfile"],
    ];
    for arguments in cases {
        let output = program().args(arguments).output().expect("the program starts");
        let message = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert!(matches!(output.status.code(), Some(2 | 3)), "{message}");
        assert!(message.len() < 5000, "{}", message.len());
        assert!(!message.chars().any(|c| is_control_or_invisible(c) && c != '\n'), "{message:?}");
    }
}

/// Pieces of experiment files, so that random text gets past the first line.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "[[contest]]\n",
        "system = 'toy'\n",
        "action = 'shoot'\n",
        "needed = ",
        "fp = ",
        "die = ",
        "modifiers = ",
        "[contest.target]\n",
        "[[contest.target]]\n",
        "morale = ",
        "[[chart]]\n",
        "kind = 'bars'\n",
        "x = 'needed'\n",
        "{ from = ",
        ", to = ",
        ", step = ",
        "}",
        "[",
        "]",
        ",",
        "1",
        "20",
        "-3",
        "0.5",
        "nan",
        "'d6'",
        "true",
        "\n",
        "{",
        "=",
        ".",
        "'St. Wall'",
        "woods",
        "name = ",
        "seed = ",
        "trials = ",
        "precision = ",
        "\"\"\"",
        "é",
        "\u{1b}",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics_the_reader_or_its_messages(text in prop_oneof![any::<String>(), pieces()]) {
        if let Err(error) = read(&text) {
            let message = render_error_report(&error.into(), false);
            prop_assert!(!message.chars().any(|c| is_control_or_invisible(c) && c != '\n'), "{:?}", message);
        }
    }

    #[test]
    fn no_contest_panics_the_reader(lines in pieces()) {
        let _ = read(&format!("{CONTEST}{lines}"));
    }

    #[test]
    fn no_text_panics_the_dice(text in prop_oneof![any::<String>(), "[0-9dkhl+*<>=!%a-z -]{0,20}", "[0-9]{0,2}d[0-9]{1,2}(k[hl][0-9]{1,2})?( (up|down) [0-9])?( ?[-+<>=*] ?[0-9]{0,2}d?[0-9]{0,2}){0,3}"]) {
        match DiceDistribution::from_text(&text) {
            Ok(law) => prop_assert!(law.law.mean().is_finite() && law.law.deviation().is_finite()),
            Err(error) => prop_assert!(!render_error_report(&error.into(), false).is_empty()),
        }
    }
}
