//! `enfilade run`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;

use super::options::Options;
use super::page::Page;
use super::work;
use crate::error::Error;
use crate::report::manifest::{InputFile, RunFacts};
use crate::report::{self, words};
use crate::stats::decimals::grouped;
use crate::study::answer::Answer;
use crate::study::experiment::Experiment;
use crate::study::journal::Journal;
use crate::study::solve::Solved;
use crate::study::source::Input;

/// The trials made so far, in the folder of the results while the run is under way.
const JOURNAL: &str = "unfinished.jsonl";

/// Answer an experiment and write its results to a folder
///
/// Every cell of the grid is answered exactly and by simulation, the two are compared, and tables,
/// charts, a summary and a manifest are written. A run that was interrupted goes on where it
/// stopped when it is started again.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade run experiments/ift_odds.toml --out out/ift-odds")]
pub struct Run {
    /// The experiment file
    file: PathBuf,
    /// The folder for the results [default: out/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
}

impl Run {
    /// Runs the experiment and says what was written; nothing runs before everything is right.
    ///
    /// # Errors
    /// When the file cannot be read or has faults, a contest is too large, or the results cannot
    /// be written; in the page's trouble when engines disagree or the run was interrupted.
    pub fn run(&self) -> Result<Page, Error> {
        let input = Input::read(&self.file)?;
        let mut experiment = Experiment::read(&input.name, &input.text)?;
        let settings = self.options.settings(&experiment);
        (experiment.seed, experiment.stop) = (settings.seed, settings.stop);
        let folder = match &self.out {
            Some(folder) => folder.clone(),
            None => Path::new("out").join(experiment.folder()),
        };
        let journal = Journal::open(&folder.join(JOURNAL))?;
        let started = SystemTime::now();
        let solved = work::solve(&experiment, &self.options, &journal)?;
        let facts = RunFacts {
            command: std::env::args().collect(),
            input: Some(InputFile::new(input.name, &input.text)),
            started,
            finished: SystemTime::now(),
        };
        report::write_run(&folder, &experiment, &solved.answers, &facts)?;
        let trouble = work::trouble(&solved, experiment.cells.len());
        if !solved.interrupted {
            journal.close()?;
        }
        Ok(Page {
            text: page(&experiment, &solved, &folder, &facts),
            trouble,
        })
    }
}

fn page(experiment: &Experiment, solved: &Solved, folder: &Path, facts: &RunFacts) -> String {
    let trials: u64 = solved
        .answers
        .iter()
        .map(|answer: &Answer| answer.trials)
        .sum();
    let mut text = format!(
        "{}: {} cells, {} trials in {:.1} s\n",
        experiment.name,
        grouped(solved.answers.len() as u64),
        grouped(trials),
        facts.seconds(),
    );
    for sentence in [
        words::agreement(&solved.answers),
        words::unsettled(&solved.answers),
    ] {
        text.extend(sentence.map(|sentence| sentence + "\n"));
    }
    text + &format!("read {}\n", folder.join("summary.md").display())
}
