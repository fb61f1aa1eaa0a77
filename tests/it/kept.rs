//! Nothing that a user had is lost: the program itself, killed, interrupted, started twice, and
//! pointed at folders that hold something else.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::desk::{Desk, Told, until};

/// Six cells of some milliseconds.
const SMALL: &str = "name = 'small'\ntrials = 1_000_000\n[[contest]]\nsystem = 'asl'\naction = 'fire'\n\
    fp = [4, 8]\ndrm = [-1, 0, 1]\ntarget = { kind = 'squad', morale = 7 }\n";

/// One cell.
const ONE: &str = "name = 'one'\n[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 8\n\
    target = { kind = 'squad', morale = 7 }\n";

/// A contest of more states than are accepted, behind one that is small.
const LARGE: &str = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 8\n\
    target = { kind = 'squad', morale = 7 }\n\
    [[contest]]\nname = 'crowd'\nsystem = 'd20'\naction = 'shoot'\ndamage_dice = 10\n\
    figures = [1, 100]\ntarget_figures = 100\ntargets_in_area = 20\ntargets_in_danger_zone = 20\n\
    firearms = 12\nspotted = true\nsaves = true\n";

/// More trials than anybody waits for.
const ENDLESS: &str = "10000000000000";

#[test]
fn a_run_that_came_to_its_end_is_not_made_again() {
    let desk = Desk::with(SMALL);
    let run = ["run", "x.toml", "--out", "o"];
    assert_eq!(desk.run(&run).code, Some(0));
    let before = desk.files("o");
    let again = desk.run(&run);
    assert!(again.out.contains("complete since"), "{again:?}");
    assert_eq!(desk.files("o"), before);
    // Other trials, another file, a damaged one: all of them are made.
    let other = desk.run(&["run", "x.toml", "--out", "o", "--trials", "500_000"]);
    assert!(other.out.contains("3 000 000 trials"), "{other:?}");
    let asked = desk.run(&["run", "x.toml", "--out", "o", "--trials", "500_000", "--again"]);
    assert!(asked.out.contains("3 000 000 trials"), "{asked:?}");
    // A budget of states may decide whether a contest is answered exactly.
    let budget = desk.run(&["run", "x.toml", "--out", "o", "--trials", "500_000", "--states", "9"]);
    assert!(budget.out.contains("3 000 000 trials"), "{budget:?}");
    desk.write("x.toml", &SMALL.replace("morale = 7", "morale = 8"));
    assert!(desk.run(&run).out.contains("6 000 000 trials"));
}

#[test]
fn an_interrupted_run_leaves_whole_results_alone() {
    let desk = Desk::with(SMALL);
    assert_eq!(desk.run(&["run", "x.toml", "--out", "o"]).code, Some(0));
    let before = desk.files("o");
    let running = desk.start(&["run", "x.toml", "--out", "o", "--trials", ENDLESS]);
    until("the journal is begun", || desk.path("o/unfinished.jsonl").exists());
    running.listens();
    running.signal("-INT");
    let told = running.ended();
    assert_eq!(told.code, Some(130), "{told:?}");
    assert!(told.out.contains("the complete results of an earlier run stay in o"), "{told:?}");
    fs::remove_file(desk.path("o/unfinished.jsonl")).expect("what was made is kept");
    assert_eq!(desk.files("o"), before);
}

/// A kill between the last file of the results and the removal of the journal leaves both.
#[test]
fn a_journal_left_beside_its_results_is_removed() {
    let desk = Desk::with(ONE);
    let run = ["run", "x.toml", "--out", "o", "--exact-only"];
    assert_eq!(desk.run(&run).code, Some(0));
    let written = fs::metadata(desk.path("o/manifest.json")).and_then(|found| found.modified());
    let written = written.expect("it has a time");
    for (change, stays) in [(Duration::from_secs(1), true), (Duration::ZERO, false)] {
        desk.write("o/unfinished.jsonl", "");
        let journal = File::options().write(true).open(desk.path("o/unfinished.jsonl"));
        journal.and_then(|file| file.set_modified(written + change)).expect("it is ours");
        assert!(desk.run(&run).out.contains("complete since"));
        assert_eq!(desk.path("o/unfinished.jsonl").exists(), stays, "{change:?}");
    }
}

#[test]
fn what_was_read_is_not_written_to() {
    let desk = Desk::with(ONE);
    let csv = ["table", "x.toml", "--exact-only", "--format", "csv", "--out"];
    let table = |out| desk.run(&[&csv[..], &[out]].concat());
    for out in ["x.toml", "./x.toml", "../x.toml"] {
        fs::create_dir_all(desk.path("sub")).expect("made");
        let told = match out {
            "../x.toml" => table("sub/../x.toml"),
            _ => table(out),
        };
        told.refused(2, "is read and would be written to");
    }
    desk.write("other.toml", ONE);
    table("other.toml").refused(2, "other.toml exists and does not look like a card");
    // A name that the program makes up is no word of the user.
    desk.write("one.pdf", "mine");
    if cfg!(feature = "pdf") {
        let own = ["table", "x.toml", "--exact-only"];
        desk.run(&own).refused(2, "one.pdf exists and does not look like a card");
        assert_eq!(desk.read("one.pdf"), "mine");
        assert_eq!(desk.run(&[&own[..], &["--overwrite"]].concat()).code, Some(0));
        assert_eq!(desk.run(&own).code, Some(0), "its own card is replaced");
    }
    for name in ["summary.md", "unfinished.jsonl"] {
        desk.write(&format!("in/{name}"), ONE);
        let input = format!("in/{name}");
        let told = desk.run(&["run", &input, "--out", "in", "--exact-only", "--overwrite"]);
        told.refused(2, "is read and would be written to");
        assert_eq!(desk.read(&input), ONE);
        fs::remove_dir_all(desk.path("in")).expect("removed");
    }
    assert_eq!((desk.read("x.toml").as_str(), desk.read("other.toml").as_str()), (ONE, ONE));
}

#[test]
fn files_of_somebody_else_are_replaced_only_on_his_word() {
    let names = [
        "summary.md",
        "report.html",
        "cells.csv",
        "cells.parquet",
        "outcomes.csv",
        "manifest.json",
        "unfinished.jsonl",
        "charts/1-mine.svg",
    ];
    for name in names {
        let desk = Desk::with(ONE);
        desk.write(&format!("o/{name}"), "mine\n");
        let told = desk.run(&["run", "x.toml", "--out", "o", "--exact-only"]);
        told.refused(2, "was not written by enfilade, or was changed since");
        assert!(told.err.contains(name), "{told:?}");
        assert_eq!(desk.files("o").len(), 1, "{name}");
        assert_eq!(desk.read(&format!("o/{name}")), "mine\n");
        let told = desk.run(&["run", "x.toml", "--out", "o", "--exact-only", "--overwrite"]);
        assert_eq!(told.code, Some(0), "{told:?}");
    }
    // All of them are named at once.
    let desk = Desk::with(ONE);
    desk.write("o/summary.md", "mine\n");
    desk.write("o/report.html", "mine\n");
    let told = desk.run(&["run", "x.toml", "--out", "o", "--exact-only"]);
    told.refused(2, "report.html, summary.md were not written by enfilade");
    // What was written and changed since is somebody's work too.
    let desk = Desk::with(ONE);
    assert_eq!(desk.run(&["run", "x.toml", "--out", "o", "--exact-only"]).code, Some(0));
    desk.write("o/summary.md", &(desk.read("o/summary.md") + "my thoughts\n"));
    let told = desk.run(&["run", "x.toml", "--out", "o", "--exact-only", "--fractions"]);
    told.refused(2, "was not written by enfilade, or was changed since");
    assert!(desk.read("o/summary.md").ends_with("my thoughts\n"));
    // Files that are not called like ours are nobody's business.
    desk.write("p/notes.md", "mine\n");
    assert_eq!(desk.run(&["run", "x.toml", "--out", "p", "--exact-only"]).code, Some(0));
    assert_eq!(desk.read("p/notes.md"), "mine\n");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_in_the_folder() {
    for name in ["charts", "unfinished.jsonl", "cells.csv", ".enfilade"] {
        let desk = Desk::with(ONE);
        desk.write("outside/victim", "mine\n");
        fs::create_dir(desk.path("o")).expect("made");
        let target =
            if ["charts", ".enfilade"].contains(&name) { "outside" } else { "outside/victim" };
        std::os::unix::fs::symlink(desk.path(target), desk.path("o").join(name)).expect("a link");
        let told = desk.run(&["run", "x.toml", "--out", "o", "--exact-only", "--overwrite"]);
        assert_eq!(told.code, Some(2), "{name} {told:?}");
        assert!(desk.path("o").join(name).is_symlink(), "{name}");
        assert_eq!(desk.files("outside").len(), 1, "{name}");
        assert_eq!(desk.read("outside/victim"), "mine\n");
    }
    // A folder that is itself reached through a link is what somebody wanted.
    let desk = Desk::with(ONE);
    fs::create_dir(desk.path("real")).expect("made");
    std::os::unix::fs::symlink(desk.path("real"), desk.path("o")).expect("a link");
    assert_eq!(desk.run(&["run", "x.toml", "--out", "o", "--exact-only"]).code, Some(0));
    assert!(desk.path("real/manifest.json").is_file());
}

#[test]
fn a_second_run_in_a_folder_says_who_has_it() {
    let desk = Desk::with(ONE);
    let first = desk.start(&["run", "x.toml", "--out", "o", "--trials", ENDLESS]);
    until("the journal is begun", || desk.path("o/unfinished.jsonl").exists());
    let second = desk.run(&["run", "x.toml", "--out", "o", "--seed", "2"]);
    second.refused(3, &format!("o is being written by another run: process {}", first.id()));
    assert!(second.err.contains("--trials"), "{second:?}");
    first.signal("-KILL");
    assert_eq!(first.ended().code, None);
    // Who was killed holds nothing, and what it left is swept.
    let third = desk.run(&["run", "x.toml", "--out", "o", "--exact-only"]);
    assert_eq!(third.code, Some(0), "{third:?}");
    let hidden = |(path, _): &(PathBuf, Vec<u8>)| {
        path.components().any(|part| part.as_os_str().to_string_lossy().starts_with(".enfilade"))
    };
    assert!(!desk.files("o").iter().any(hidden), "{:?}", desk.files("o"));
}

#[test]
fn what_killed_runs_left_is_swept() {
    let desk = Desk::with(ONE);
    desk.write("o/.enfilade-a1B2c3/cells.csv", "half");
    desk.write("o/.enfilade/staged/cells.csv", "half");
    desk.write("o/.enfilade/lock", "process 1");
    desk.write("o/.enfilade-notes/mine", "mine");
    assert_eq!(desk.run(&["run", "x.toml", "--out", "o", "--exact-only"]).code, Some(0));
    assert!(!desk.path("o/.enfilade").exists() && !desk.path("o/.enfilade-a1B2c3").exists());
    assert_eq!(desk.read("o/.enfilade-notes/mine"), "mine");
}

/// Killed in the middle of one long cell: what was made in most of the time before is not lost.
#[test]
fn a_kill_loses_seconds_of_a_long_cell() {
    let desk = Desk::with(ONE);
    let run = ["run", "x.toml", "--out", "o", "--trials", ENDLESS, "--quiet"];
    let pieces = || desk.read("o/unfinished.jsonl").matches("\"pieces\"").count();
    let first = desk.start(&run);
    until("a part is written", || pieces() == 1);
    first.signal("-KILL");
    assert_eq!(first.ended().code, None);
    let made = |text: String| -> u64 {
        let line = text.lines().last().expect("a line").to_owned();
        let line: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        let endings = line["endings"].as_array().expect("endings");
        endings.iter().map(|ending| ending[2].as_u64().expect("a count")).sum()
    };
    let kept = desk.read("o/unfinished.jsonl");
    let before = made(kept.clone());
    assert!(before > 0);
    let second = desk.start(&run);
    until("more is written", || desk.read("o/unfinished.jsonl") != kept);
    second.signal("-INT");
    assert_eq!(second.ended().code, Some(130));
    assert!(made(desk.read("o/unfinished.jsonl")) > before);
}

/// 61 560 cells, more than are checked beforehand.
const WIDE: &str = "name = 'wide'\n[[contest]]\nsystem = 'asl'\naction = 'fire'\n\
    fp = { from = 1, to = 60 }\ndrm = { from = -6, to = 12 }\nelr = { from = 0, to = 5 }\n\
    target = { kind = 'squad', morale = { from = 2, to = 10 } }\n";

/// A large grid is stopped twice: it goes on behind its last whole block, and ends with the bytes
/// of a run without a break.
#[cfg(unix)]
#[test]
fn a_killed_run_of_a_large_grid_goes_on() {
    let desk = Desk::with(WIDE);
    let run = |out| ["run", "x.toml", "--out", out, "--trials", "2000", "--quiet"];
    let blocks = || desk.read("o/unfinished.jsonl").matches("\"block\":").count();
    let mut before = String::new();
    for (signal, code) in [("-KILL", None), ("-INT", Some(130))] {
        let known = before.matches("\"block\":").count();
        let running = desk.start(&run("o"));
        until("blocks are added", || {
            desk.path("o/unfinished.jsonl").exists() && blocks() >= known + 2
        });
        running.signal(signal);
        let told = running.ended();
        assert_eq!(told.code, code, "{told:?}");
        let after = desk.read("o/unfinished.jsonl");
        // A kill may cut the last line, which is not believed then.
        let whole = before.rfind('\n').map_or("", |end| &before[..end]);
        assert!(after.starts_with(whole), "what was recorded is not made again");
        assert!(!desk.path("o/manifest.json").exists());
        before = after;
    }
    assert_eq!(desk.run(&run("o")).code, Some(0));
    assert!(!desk.path("o/unfinished.jsonl").exists());
    assert_eq!(desk.run(&run("w")).code, Some(0));
    let tables = |folder: &str| {
        let files = desk.files(folder).into_iter();
        let tables = files
            .filter(|(path, _)| path.extension().is_some_and(|e| e == "parquet" || e == "svg"));
        tables
            .map(|(path, bytes)| (path.file_name().map(ToOwned::to_owned), bytes))
            .collect::<Vec<_>>()
    };
    assert!(tables("o") == tables("w"));
}

/// One trial moved from an outcome to the next: neither the name of the cell nor the number of
/// trials tells, and the engines would still agree.
#[cfg(unix)]
#[test]
fn an_altered_journal_changes_no_number() {
    let crowd = LARGE.rfind("[[contest]]").expect("a second contest");
    let desk = Desk::with(&format!("{SMALL}{}", &LARGE[crowd..]));
    // Cells beside the one that is too large are answered and kept.
    let running = desk.start(&["run", "x.toml", "--out", "o", "--quiet"]);
    until("a cell is kept", || desk.read("o/unfinished.jsonl").lines().count() > 2);
    running.signal("-INT");
    assert_eq!(running.ended().code, Some(130));
    let altered = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let counts = line["endings"].as_array_mut().filter(|endings| endings.len() > 1);
        if let Some(endings) = counts {
            for (ending, less) in endings.iter_mut().zip([1_i64, -1]) {
                ending[2] = (ending[2].as_i64().expect("a count") - less).into();
            }
        }
        line.to_string() + "\n"
    };
    let journal = desk.read("o/unfinished.jsonl");
    let wrong: String = journal.lines().map(altered).collect();
    assert_ne!(wrong, journal);
    desk.write("o/unfinished.jsonl", &wrong);
    desk.write("x.toml", SMALL);
    assert_eq!(desk.run(&["run", "x.toml", "--out", "o"]).code, Some(0));
    assert_eq!(desk.run(&["run", "x.toml", "--out", "whole"]).code, Some(0));
    assert_eq!(desk.read("o/cells.csv"), desk.read("whole/cells.csv"));
}

#[test]
fn a_folder_of_results_is_checked_to_the_last_bit() {
    let desk = Desk::with(SMALL);
    assert_eq!(desk.run(&["run", "x.toml", "--out", "o"]).code, Some(0));
    let told = desk.run(&["verify", "o"]);
    assert!(told.code == Some(0) && told.out.contains("are unchanged"), "{told:?}");
    let names: Vec<PathBuf> = desk.files("o").into_iter().map(|(path, _)| path).collect();
    for path in names.iter().filter(|path| !path.ends_with("manifest.json")) {
        let whole = fs::read(path).expect("readable");
        let mut damaged = whole.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        let name = path.strip_prefix(desk.path("o")).expect("inside").display().to_string();
        fs::write(path, damaged).expect("written");
        desk.run(&["verify", "o"]).refused(5, &format!("{name} was changed"));
        fs::remove_file(path).expect("removed");
        desk.run(&["verify", "o"]).refused(5, &format!("{name} is missing"));
        fs::write(path, whole).expect("written");
    }
    fs::remove_file(desk.path("o/manifest.json")).expect("removed");
    desk.run(&["verify", "o"]).refused(2, "has no manifest.json of enfilade");
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::with(ONE);
    let (file, folder) = (OsStr::from_bytes(b"n\xff.toml"), OsStr::from_bytes(b"o\xff"));
    fs::copy(desk.path("x.toml"), desk.folder.path().join(file)).expect("copied");
    let run = |command: &str, files: &[&OsStr]| {
        let mut command = desk.command(&[command]);
        command.args(files).arg("--out").arg(folder).args(["--exact-only", "--quiet"]);
        Told::of(command.output().expect("it starts"))
    };
    let told = run("run", &[file]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let told = run("compare", &[file, OsStr::new("x.toml")]);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(desk.folder.path().join(folder).join("compare.csv").is_file());
}

#[test]
fn a_contest_that_is_too_large_is_named_with_line_and_cell() {
    let desk = Desk::with(LARGE);
    for command in [&["odds", "x.toml"][..], &["run", "x.toml", "--out", "o"]] {
        let told = desk.run(&[command, &["--exact-only", "--states", "500"]].concat());
        // The other cells have their answers.
        assert_eq!(told.code, Some(4), "{told:?}");
        assert!(told.err.contains("1 of 3 cells have no answer"), "{told:?}");
        let text = match command[0] {
            "odds" => told.out,
            _ => fs::read_to_string(desk.path("o/summary.md")).expect("a summary"),
        };
        let text = text.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["`crowd` has more than 500 states", "in the cell figures 100", "--played"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

/// Where no cell has an answer, it is a fault with its line, and no folder is made for nothing.
#[test]
fn a_contest_that_is_too_large_everywhere_is_refused_with_its_line() {
    let (_, crowd) = LARGE.split_once("morale = 7 }\n").expect("two contests");
    let desk = Desk::with(&crowd.replace("[1, 100]", "100"));
    for command in [&["odds", "x.toml"][..], &["run", "x.toml", "--out", "o"]] {
        let told = desk.run(&[command, &["--exact-only", "--states", "500"]].concat());
        told.refused(2, "the contest `crowd` has more than");
        assert!(told.err.contains("x.toml:") && told.err.contains("--played"), "{told:?}");
    }
    assert!(!desk.path("o").exists(), "a folder for nothing");
    fs::create_dir(desk.path("q")).expect("made");
    let again = ["run", "x.toml", "--out", "q", "--exact-only", "--states", "500"];
    desk.run(&again).refused(2, "has more than");
    assert!(desk.path("q").exists(), "a folder of somebody else");
}

/// Every output says of the cell that is too large for a law, and of no other, that it has none and
/// why.
#[test]
fn what_is_simulated_for_its_size_is_marked_everywhere() {
    let desk = Desk::with(LARGE);
    let mark = "simulated instead of exact: more than";
    for format in ["table", "json", "csv", "markdown"] {
        let few = ["odds", "x.toml", "--states", "500", "--trials", "200", "--format", format];
        let told = desk.run(&few);
        assert_eq!((told.code, told.out.matches(mark).count()), (Some(0), 1), "{format}: {told:?}");
    }
}

#[test]
fn a_time_limit_stops_like_an_interrupt() {
    let desk = Desk::with(ONE);
    let told = desk.run(&["odds", "x.toml", "--played", "--trials", ENDLESS, "--within", "1s"]);
    told.refused(130, "0 of 1 cells were answered");
}

#[test]
fn an_interrupt_is_heard_while_a_contest_is_compiled() {
    let desk = Desk::with(&LARGE.replace("figures = [1, 100]", "figures = 100"));
    let running = desk.start(&["odds", "x.toml", "--exact-only", "--quiet"]);
    running.listens();
    running.signal("-INT");
    let told = running.ended();
    assert_eq!(told.code, Some(130), "{told:?}");
}

#[test]
fn a_second_interrupt_ends_at_once_and_a_termination_has_its_own_code() {
    let desk = Desk::with(ONE);
    let endless = ["odds", "x.toml", "--played", "--trials", ENDLESS, "--quiet"];
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let running = desk.start(&endless);
        running.listens();
        running.signal(signal);
        running.signal(signal);
        assert_eq!(running.ended().code, Some(code));
        let running = desk.start(&endless);
        running.listens();
        running.signal(signal);
        assert_eq!(running.ended().code, Some(code));
    }
}

/// A quota is told like a full disk, and what was made before stays.
#[cfg(target_os = "linux")]
#[test]
fn a_quota_is_an_error_and_no_crash() {
    let desk = Desk::with(SMALL);
    let limited = |blocks: &str| {
        let line = format!("ulimit -f {blocks}; exec \"$0\" run x.toml --out o --quiet");
        let mut command = Command::new("bash");
        command.args(["-c", &line, env!("CARGO_BIN_EXE_enfilade")]);
        Told::of(command.current_dir(desk.folder.path()).output().expect("it starts"))
    };
    limited("8").refused(3, "File too large");
    assert!(!desk.path("o/manifest.json").exists());
    assert!(desk.path("o/unfinished.jsonl").is_file());
    assert_eq!(limited("unlimited").code, Some(0));
    assert!(!desk.path("o/.enfilade").exists());
}

/// Folders and files that cannot be written to are found out before hours of work.
#[test]
fn the_place_of_the_results_is_tried_before_the_work() {
    let desk = Desk::with(ONE);
    let work = ["--trials", ENDLESS, "--quiet"];
    let refused = |start: &[&str]| {
        let told = desk.run(&[start, &work].concat());
        assert_eq!(told.code, Some(3), "{told:?}");
    };
    refused(&["run", "x.toml", "--out", "x.toml/o"]);
    refused(&["compare", "x.toml", "x.toml", "--out", "x.toml/o"]);
    refused(&["table", "x.toml", "--out", "x.toml/o.csv"]);
    let arsenal = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/crewed_weapons.toml");
    let arsenal = arsenal.to_string_lossy().into_owned();
    let told = desk.run(&["balance", &arsenal, "--out", "x.toml/o", "--trials", ENDLESS]);
    assert_eq!(told.code, Some(3), "{told:?}");
}
