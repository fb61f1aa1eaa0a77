//! Machines and surroundings that are not as one thinks: the program says so, or goes on.

use std::process::{Command, Output, Stdio};

const FIRE: &str = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 8\n\
    target = { kind = 'squad', morale = 7 }\n";

const PROGRAM: &str = env!("CARGO_BIN_EXE_enfilade");

/// A file with this text in a folder of its own.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let path = folder.path().join("x.toml");
    std::fs::write(&path, text).expect("written");
    let path = path.to_str().expect("it is UTF-8").to_owned();
    (folder, path)
}

/// What a shell does with `line`, in which the program is `$0` and the file `$1`.
#[cfg(target_os = "linux")]
fn shell(line: &str, file: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", line, PROGRAM, file]).stdin(Stdio::null());
    shell.output().expect("there is a shell")
}

#[cfg(target_os = "linux")]
#[test]
fn a_remark_that_cannot_be_written_is_no_reason_to_stop() {
    let (_folder, path) = file(FIRE);
    let line = "\"$0\" odds \"$1\" --seed random --exact-only 2>/dev/full";
    let output = shell(line, &path);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("killed"));
}

/// 1024 threads would take more address space than there is, and the system would end the program.
#[cfg(target_os = "linux")]
#[test]
fn many_threads_in_little_memory_are_not_started() {
    let (_folder, path) = file(FIRE);
    let line = "ulimit -v 3000000; \"$0\" odds \"$1\" --threads 1024 --trials 1000";
    let output = shell(line, &path);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{complaint}");
}

/// Half a gibibyte holds any file that can be read, however wrong it is.
#[cfg(target_os = "linux")]
#[test]
fn wrong_files_are_refused_in_half_a_gibibyte() {
    let files = ["=\n".repeat(1 << 19), "a=[".to_owned() + &",".repeat((1 << 20) - 4) + "]"];
    for text in files {
        let (_folder, path) = file(&text);
        let line = "ulimit -v 524288; \"$0\" odds \"$1\"";
        assert_eq!(shell(line, &path).status.code(), Some(2));
    }
}

/// The library that writes Parquet has threads of its own, whose number comes from here.
#[cfg(feature = "parquet")]
#[test]
fn an_absurd_number_of_threads_in_the_environment_is_not_started() {
    let (folder, path) = file(FIRE);
    let mut program = Command::new(PROGRAM);
    program.args(["run", &path, "--exact-only", "--out"]);
    program.arg(folder.path().join("out"));
    program.env("POLARS_MAX_THREADS", "100000");
    program.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = program.spawn().expect("the program starts");
    for _ in 0..200 {
        std::thread::sleep(std::time::Duration::from_millis(50));
        if let Some(status) = child.try_wait().expect("it can be asked") {
            assert!(status.success());
            return;
        }
    }
    child.kill().expect("it was still there");
    panic!("it has not ended after ten seconds");
}

fn refused(arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(arguments).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).expect("messages are UTF-8")
}

#[test]
fn a_file_for_another_command_is_told_from_a_wrong_one() {
    let (_folder, arsenal) =
        file("system = 'skirmishers'\n[[weapon]]\nname = 'HMG'\n[[scenario]]\nname = 'riflemen'\n");
    let (_other, experiment) = file(FIRE);
    let commands: [&[&str]; 4] =
        [&["odds", &arsenal], &["run", &arsenal], &["table", &arsenal], &["explain", &arsenal]];
    for arguments in commands {
        let message = refused(arguments);
        assert!(message.contains("this is an arsenal"), "{message}");
        assert!(message.contains("`enfilade balance`"), "{message}");
        assert!(message.contains(":2:3]"), "{message}");
        assert!(message.contains("1 error in"), "{message}");
    }
    let message = refused(&["balance", &experiment]);
    assert!(message.contains("this is an experiment"), "{message}");
    assert!(message.contains("`enfilade odds`"), "{message}");
    assert!(message.contains("1 error in"), "{message}");
}

/// The byte order mark is no part of the first line.
#[test]
fn a_marked_file_is_shown_without_its_mark() {
    let (_folder, path) = file(&format!("\u{feff}fpp = 1\n{FIRE}"));
    let message = refused(&["odds", &path]);
    assert!(message.contains(":1:1]"), "{message}");
    assert!(message.contains("1 │ fpp = 1\n"), "{message}");
}
