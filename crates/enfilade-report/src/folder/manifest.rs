//! Manifest of a folder of results, `manifest.json`: the command that made it, and a hash of every
//! file in it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::answers::grid_digest::AnswerTotals;
use crate::folder::archived_rules::{self, RulebookFileManifestEntry};
use crate::folder::written_file::{WrittenFile, hash_sha256};
use enfilade_engine::random_stream::SEED_MAPPING_VERSION;
use enfilade_model::catalogue::System;
use enfilade_study::checkpoint::journal::BuildId;
use enfilade_study::experiment::{ExperimentSpec, SimulationStopRule};
use enfilade_study::solve::SolverSettings;

/// Facts of a run that its results do not contain: the command, the build, the times.
#[derive(Clone, Debug)]
pub struct RunFacts {
    /// The command line, as words.
    pub command: Vec<String>,
    /// The build of the program.
    pub build: BuildId,
    /// The file that was read.
    pub input: Option<InputFileWithRulebooks>,
    /// When the run started.
    pub started: SystemTime,
    /// The time until the last answer, by a monotonic clock.
    pub duration: Duration,
    /// The identity of the results, if a later run may recognise them by it.
    pub identity: Option<RunIdentityKeys>,
}

/// An input file as it was read.
#[derive(Clone, Debug)]
pub struct InputFileWithRulebooks {
    /// Its name as the user typed it.
    pub name: String,
    /// SHA-256 of the text in hexadecimal digits.
    pub sha256: String,
    /// The rulebooks of its contests that were read from files.
    pub rulebooks: Vec<Arc<System>>,
}

impl InputFileWithRulebooks {
    /// Returns a file called `name` with this text.
    pub fn new(name: impl Into<String>, text: &str) -> InputFileWithRulebooks {
        InputFileWithRulebooks {
            name: name.into(),
            sha256: hash_sha256(text.as_bytes()),
            rulebooks: Vec::new(),
        }
    }

    /// Returns the file with the rulebooks that were read for it.
    #[must_use]
    pub fn with_rulebooks(mut self, rulebooks: &[Arc<System>]) -> InputFileWithRulebooks {
        self.rulebooks = rulebooks.to_vec();
        self
    }
}

impl RunFacts {
    /// The seed of the run: where the facts name none, that of the experiment.
    pub fn seed_or_experiment_seed(&self, experiment: &ExperimentSpec) -> u64 {
        self.identity.as_ref().map_or(experiment.seed, |identity| identity.seed)
    }

    /// Returns the command line in a form that can be typed again.
    pub fn command_line(&self) -> String {
        join_as_shell_command(&self.command)
    }

    /// Returns the rulebooks that were read from files.
    pub fn rulebooks_from_files(&self) -> &[Arc<System>] {
        let input = self.input.as_ref();
        input.map_or(&[], |file| &file.rulebooks)
    }

    /// Returns the time of the last answer.
    pub fn time_of_last_answer(&self) -> SystemTime {
        self.started + self.duration
    }

    /// Returns the seconds from start to finish.
    pub fn seconds_taken(&self) -> f64 {
        self.duration.as_secs_f64()
    }
}

/// Joins words in a form that can be typed in a POSIX shell.
pub fn join_as_shell_command(words: &[String]) -> String {
    words.iter().map(|word| shell_quote(word)).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for a POSIX shell, if necessary.
fn shell_quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Identity of a run: everything its files depend on. Two runs with the same identity write the
/// same files, but for the times in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunIdentityKeys {
    build: &'static str,
    /// Another build of the same sources may write fewer files.
    parquet: bool,
    /// The formats of the charts beside SVG.
    pub charts: ChartFormatsBesideSvg,
    input: String,
    rulebook_files: Vec<RulebookFileManifestEntry>,
    cells: u64,
    seed: u64,
    trials: Option<u64>,
    precision: Option<f64>,
    exact_only: bool,
    fractions: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    bounds: bool,
    played: bool,
    states: Option<usize>,
}

/// The formats of the charts beside SVG.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ChartFormatsBesideSvg {
    /// The default ones, if this build can draw them.
    Usual(bool),
    /// Those that the user requested, by the endings of their files.
    Asked(Vec<&'static str>),
}

/// Returns the identity of a run.
pub fn build_identity_keys(
    experiment: &ExperimentSpec,
    settings: &SolverSettings,
    input: &InputFileWithRulebooks,
    build: BuildId,
) -> RunIdentityKeys {
    let (trials, precision) = match settings.stop {
        SimulationStopRule::Trials(trials) => (Some(trials), None),
        SimulationStopRule::Precision(precision) => (None, Some(precision)),
    };
    RunIdentityKeys {
        build: build.0,
        parquet: cfg!(feature = "parquet"),
        charts: ChartFormatsBesideSvg::Usual(cfg!(feature = "png")),
        input: input.sha256.clone(),
        rulebook_files: archived_rules::entries_with_copy_places(&input.rulebooks),
        cells: experiment.cell_count,
        seed: settings.seed,
        trials,
        precision,
        exact_only: settings.exact_only,
        fractions: settings.fractions,
        bounds: settings.bounds,
        played: settings.played,
        states: settings.states,
    }
}

/// Whether the results that `manifest` lists are complete and have this identity.
///
/// The files themselves are not checked: see
/// [`verify_result_folder`](crate::folder::verify_folder::verify_result_folder).
pub fn is_finished_same_run(manifest: &Json, identity: &RunIdentityKeys) -> bool {
    are_all_cells_answered(manifest) && manifest["identity"] == json!(identity)
}

/// Whether every cell of the run was answered.
pub fn are_all_cells_answered(manifest: &Json) -> bool {
    manifest["cells"].is_u64() && manifest["cells"] == manifest["answered"]
}

/// Manifest of results: the command, the time, the input files, and the findings.
#[derive(Debug, Serialize)]
pub struct ManifestDocument<F> {
    enfilade: &'static str,
    build: &'static str,
    stream_version: u32,
    #[serde(flatten)]
    subject: ExperimentOrArsenalName,
    command: Vec<String>,
    seed: u64,
    input: Option<InputFileManifestEntry>,
    rulebook_files: Vec<RulebookFileManifestEntry>,
    started: String,
    finished: String,
    seconds: f64,
    #[serde(flatten)]
    pub(crate) found: F,
}

/// The name of the experiment or the arsenal.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ExperimentOrArsenalName {
    Experiment(String),
    #[cfg(feature = "files")]
    Arsenal(String),
}

/// An input file.
#[derive(Debug, Serialize)]
struct InputFileManifestEntry {
    name: String,
    sha256: String,
}

/// The part of a manifest that only runs have.
#[derive(Debug, Serialize)]
pub struct RunSectionOfManifest {
    cells: u64,
    answered: u64,
    trials: f64,
    agreement: EngineAgreement,
    identity: Option<RunIdentityKeys>,
    files: Vec<ManifestFileEntry>,
    /// Rows that a search kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<u64>,
    /// The reason why a search kept no row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nothing: Option<String>,
}

/// Agreement of exact and simulated distributions.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EngineAgreement {
    verdict: &'static str,
    compared: u64,
    disagreeing: Vec<u64>,
}

impl EngineAgreement {
    /// Takes the number of compared cells, that of disagreeing cells, and the first of these.
    pub(crate) fn from_compared_and_disagreeing(
        (compared, disagree): (u64, u64),
        disagreeing: Vec<u64>,
    ) -> EngineAgreement {
        let verdict = match (compared, disagree) {
            (0, _) => "not compared",
            (_, 0) => "agree",
            _ => "disagree",
        };
        EngineAgreement { verdict, compared, disagreeing }
    }
}

/// A file of a manifest.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ManifestFileEntry {
    name: String,
    bytes: u64,
    sha256: String,
}

/// Builds the manifest of a run.
pub fn build_run_manifest(
    experiment: &ExperimentSpec,
    totals: &AnswerTotals,
    facts: &RunFacts,
    files: &[WrittenFile],
) -> ManifestDocument<RunSectionOfManifest> {
    // A search answers every cell and keeps the rows of some.
    let searched = experiment.search.is_some();
    let disagreeing = totals.disagreeing.iter().map(|cell| *cell as u64).collect();
    let run_section = RunSectionOfManifest {
        cells: experiment.cell_count,
        answered: if searched { experiment.cell_count } else { totals.answered },
        trials: totals.trials as f64,
        agreement: EngineAgreement::from_compared_and_disagreeing(
            (totals.compared, totals.disagree),
            disagreeing,
        ),
        identity: facts.identity.clone(),
        files: self::written_file_entries(files),
        kept: searched.then_some(totals.answered),
        refused: Some(totals.refused).filter(|refused| *refused > 0),
        nothing: None,
    };
    let seed = facts.seed_or_experiment_seed(experiment);
    build_base_manifest(
        ExperimentOrArsenalName::Experiment(experiment.name.clone()),
        seed,
        facts,
        run_section,
    )
}

/// Builds a manifest of the results `results`.
pub(crate) fn build_base_manifest<F>(
    subject: ExperimentOrArsenalName,
    seed: u64,
    facts: &RunFacts,
    results: F,
) -> ManifestDocument<F> {
    let input = facts.input.as_ref();
    let input = input.map(|file| InputFileManifestEntry {
        name: file.name.clone(),
        sha256: file.sha256.clone(),
    });
    ManifestDocument {
        enfilade: env!("CARGO_PKG_VERSION"),
        build: facts.build.0,
        stream_version: SEED_MAPPING_VERSION,
        subject,
        command: facts.command.clone(),
        seed,
        input,
        rulebook_files: archived_rules::entries_with_copy_places(facts.rulebooks_from_files()),
        started: format_utc(facts.started),
        finished: format_utc(facts.time_of_last_answer()),
        seconds: facts.seconds_taken(),
        found: results,
    }
}

/// Lists files with their lengths and hashes.
pub(crate) fn written_file_entries(files: &[WrittenFile]) -> Vec<ManifestFileEntry> {
    let entry = |file: &WrittenFile| ManifestFileEntry {
        name: file.name.clone(),
        bytes: file.bytes,
        sha256: file.sha256.clone(),
    };
    files.iter().map(entry).collect()
}

/// Formats a time as `2026-11-21T03:41:34Z`.
pub fn format_utc(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    let seconds = since.unwrap_or(Duration::ZERO).as_secs();
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil_date_of_days(days);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z", second % 60)
}

/// Returns year, month and day, `days` after 1 January 1970.
///
/// Years are counted from 1 March, so that the leap day is their last, in cycles of 400 years with
/// 146 097 days.
fn civil_date_of_days(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months from March have 153 days in every five.
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let year = 400 * cycle + year;
    if month < 10 {
        return (year, month + 3, day_of_month);
    }
    (year + 1, month - 9, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values from `date -u -d @SECONDS`.
    #[test]
    fn times_are_written_in_utc() {
        let at = |seconds| format_utc(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_795_232_494), "2026-11-21T03:41:34Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
    }

    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let mut last = civil_date_of_days(0);
        for days in 1..=146_097 {
            let (year, month, day) = civil_date_of_days(days);
            let next_day = (year, month) == (last.0, last.1) && day == last.2 + 1;
            let next_month = day == 1 && last.2 >= 28;
            assert!(next_day || next_month, "{last:?} then {:?}", (year, month, day));
            last = (year, month, day);
        }
        assert_eq!(last, (2370, 1, 1));
    }

    #[test]
    fn a_command_line_can_be_typed_again() {
        let facts = RunFacts {
            build: BuildId("a test"),
            command: ["enfilade", "run", "my file.toml", "--out=a/b", "it's"]
                .map(str::to_owned)
                .to_vec(),
            input: None,
            started: SystemTime::UNIX_EPOCH,
            duration: Duration::ZERO,
            identity: None,
        };
        let expected = "enfilade run 'my file.toml' --out=a/b 'it'\\''s'";
        assert_eq!(facts.command_line(), expected);
    }
}
