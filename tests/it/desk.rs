//! The program itself, run in a folder of its own: started, signalled, waited for.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A working folder with an experiment in it.
pub struct Desk {
    pub folder: TempDir,
}

impl Desk {
    pub fn with(text: &str) -> Desk {
        let folder = TempDir::new().expect("a temporary folder");
        fs::write(folder.path().join("x.toml"), text).expect("written");
        Desk { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.path(name);
        String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned()
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_enfilade"));
        command.args(arguments).current_dir(self.folder.path());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Told {
        Told::of(self.command(arguments).output().expect("it starts"))
    }

    pub fn start(&self, arguments: &[&str]) -> Running {
        Running(Some(self.command(arguments).spawn().expect("it starts")))
    }

    /// Every file below a folder with its content.
    pub fn files(&self, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.path(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("it is there") {
                let path = entry.expect("readable").path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => files.push((path.clone(), fs::read(path).expect("readable"))),
                }
            }
        }
        files.sort();
        files
    }
}

/// How a command ended, and what it said.
#[derive(Debug)]
pub struct Told {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Told {
    pub fn of(output: Output) -> Told {
        let text = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        Told { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    pub fn refused(&self, code: i32, why: &str) {
        // Messages are broken at the width of a page, and its frame stands between the pieces.
        let said: String = self.err.replace(" │ ", " ");
        assert!(self.code == Some(code) && said.contains(why), "{self:?}");
    }
}

/// A command under way; it does not outlive the test.
pub struct Running(Option<Child>);

impl Running {
    pub fn id(&self) -> u32 {
        self.0.as_ref().expect("it was not waited for").id()
    }

    pub fn signal(&self, signal: &str) {
        let kill = Command::new("kill").args([signal, &self.id().to_string()]).status();
        assert!(kill.expect("there is such a command").success());
    }

    /// Waits until it hears signals: until then one would end it before it could say anything.
    pub fn listens(&self) {
        let caught = || {
            let status = fs::read_to_string(format!("/proc/{}/status", self.id()));
            let status = status.unwrap_or_default();
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            // The mask counts from 1; an interrupt is signal 2, a termination 15.
            mask.is_some_and(|mask| mask & (1 << 1) != 0 && mask & (1 << 14) != 0)
        };
        until("it hears signals", || !cfg!(target_os = "linux") || caught());
    }

    pub fn ended(mut self) -> Told {
        let child = self.0.take().expect("it was not waited for");
        Told::of(child.wait_with_output().expect("it ends"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits until something holds.
pub fn until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
