//! `enfilade compare`.

use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use clap::Args;

use super::options::{Options, Rulebooks};
use super::page::Page;
use super::sheet::Format;
use super::work;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::report::compare::{self, Sides};
use crate::report::manifest::{InputFile, RunFacts};
use crate::study::compare::Comparison;
use crate::study::experiment::Experiment;
use crate::study::journal::Journal;
use crate::study::solve::Solved;
use crate::study::source::Input;

/// Set two variants of an experiment side by side
///
/// Contests belong together by name, cells by the values of their axes. Each measure is shown in A,
/// in B, and as the difference B less A: exact where both are exact, simulated with its interval.
/// Parameters that differ and cells without a partner are listed.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  enfilade compare experiments/variants/cowering.toml experiments/variants/no_cowering.toml")]
pub struct Compare {
    /// The file with what is there now
    a: PathBuf,
    /// The file with what is compared with it
    b: PathBuf,
    /// A folder for summary, table and picture
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files in the folder that were not written by enfilade, or were changed since
    #[arg(long)]
    overwrite: bool,
    /// How to write the comparison
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    rulebooks: Rulebooks,
    #[command(flatten)]
    options: Options,
}

/// One of the two files, answered.
struct Side {
    file: InputFile,
    solved: Solved,
    trouble: Option<Error>,
}

impl Compare {
    /// Answers both files and sets them side by side; both are read before anything runs.
    ///
    /// # Errors
    /// When a file cannot be read or has faults, a contest is too large, no cell of one has a
    /// partner in the other, or the results cannot be written; in the page's trouble when engines
    /// disagree or the work was interrupted.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let (started, clock) = (SystemTime::now(), Instant::now());
        let read = |path| work::read(catalogue, &self.rulebooks, path);
        let (a, b) = (read(&self.a)?, read(&self.b)?);
        let writes = compare::FILES.iter().map(|&name| name.to_owned()).collect();
        let claim = |folder| work::claim(folder, &[&self.a, &self.b], self.overwrite, writes);
        let claim = self.out.as_deref().map(claim).transpose()?;
        let (a, b) = (self.answered(a)?, self.answered(b)?);
        let comparison = Comparison::new(&a.solved.answers, &b.solved.answers);
        let interrupted = a.solved.interrupted || b.solved.interrupted;
        if comparison.pairs.is_empty() && !interrupted {
            return Err(strangers(&a, &b));
        }
        let sides = Sides { a: a.file, b: b.file };
        if let Some(claim) = claim.filter(|_| !interrupted) {
            let facts = RunFacts {
                command: work::command(),
                input: None,
                started,
                taken: clock.elapsed(),
                identity: None,
            };
            compare::write(&claim, &comparison, &sides, &facts)?;
        }
        let text = compare::render(&comparison, &sides, super::odds::format(self.format));
        Ok(Page { text, trouble: a.trouble.or(b.trouble) })
    }

    fn answered(&self, (input, mut experiment): (Input, Experiment)) -> Result<Side, Error> {
        let rulebooks = experiment.rulebooks.clone();
        let solved = work::solve(&input, &mut experiment, &self.options, &Journal::none())?;
        Ok(Side {
            file: InputFile::new(input.name.as_str(), &input.text).with(&rulebooks),
            trouble: work::trouble(&solved, experiment.asked),
            solved,
        })
    }
}

/// Nothing belongs together: what each side has.
fn strangers(a: &Side, b: &Side) -> Error {
    let has = |side: &Side| {
        let first = side.solved.answers.first();
        first.map_or("nothing".to_owned(), |cell| {
            let axes: Vec<_> = cell.axes.iter().map(|(path, _)| path.as_str()).collect();
            let axes = if axes.is_empty() { "no axes".to_owned() } else { axes.join(", ") };
            format!("{} over {axes}", cell.asked())
        })
    };
    Error::Usage(format!(
        "no cell of {} has a partner in {}: contests must be of one action and cells must have the same value on every \
         axis, but the first contests are {} and {}",
        a.file.name,
        b.file.name,
        has(a),
        has(b)
    ))
}
