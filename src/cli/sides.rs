//! Two sides of a comparison: files that are read, answered and named.

use std::path::Path;
use std::sync::Arc;

use super::options::{Options, Rulebooks};
use super::question;
use super::work::{self, Size};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::report::card;
use crate::report::folder::manifest::InputFile;
use crate::report::text::labels;
use crate::study::answer::Answer;
use crate::study::checkpoint::run_journal::RunJournal;
use crate::study::comparison::Comparison;
use crate::study::experiment::ExperimentSpec;
use crate::study::file::rulebook_loader::stem;
use crate::study::solve::{RunPlan, Solved};

/// A file with its answers.
pub struct Side {
    /// The file.
    pub file: InputFile,
    /// What it asks.
    pub experiment: Arc<ExperimentSpec>,
    /// Its answers.
    pub solved: Solved,
    /// The error to report after the answers.
    pub trouble: Option<Error>,
}

impl Side {
    /// Answers what was read; of a search what it keeps, in the order of the grid.
    ///
    /// # Errors
    /// As for [`work::collect`], and when a search keeps nothing.
    pub fn answered(plan: RunPlan, options: &Options) -> Result<Side, Error> {
        let experiment = Arc::clone(&plan.spec);
        let file = InputFile::new(plan.input.name.as_str(), &plan.input.text);
        let (mut solved, left_out) = work::collect(plan, options, &mut RunJournal::None)?;
        work::remark_on(&left_out, experiment.asked);
        let trouble = work::trouble(&solved, experiment.asked);
        if solved.answers.is_empty() && !solved.interrupted {
            work::nothing_fits(&experiment, &left_out).map_or(Ok(()), Err)?;
        }
        solved.answers.sort_by_key(|answer| answer.cell);
        Ok(Side { file: file.with(&experiment.rulebooks), experiment, solved, trouble })
    }
}

/// Names of two sides: those of their experiments, or of their files if these are equal.
pub fn names(a: &Side, b: &Side) -> [String; 2] {
    let names = [a, b].map(|side| side.experiment.name.clone());
    let same = names[0] == names[1];
    let names = if same { [a, b].map(|side| stem(Path::new(&side.file.name))) } else { names };
    names.map(|name| labels::called(&name))
}

/// The baseline of a card of differences.
pub enum Other {
    /// Another file.
    File(Box<RunPlan>),
    /// A contest of the same file.
    Contest(String),
}

impl Other {
    /// What `other` is: the name of a contest of `plan`, or else a file.
    ///
    /// # Errors
    /// When `other` is no contest, and the file cannot be read or has faults.
    pub fn read(
        catalogue: &Catalogue,
        (rulebooks, options): (&Rulebooks, &Options),
        plan: &RunPlan,
        other: &Path,
    ) -> Result<Other, Error> {
        let name = other.to_string_lossy();
        if plan.cells.sides().any(|side| side.name == name) {
            return Ok(Other::Contest(name.into_owned()));
        }
        let input = (question::file(other)?, Size::Shown);
        Ok(Other::File(Box::new(work::plan(catalogue, rulebooks, options, input)?)))
    }
}

/// A baseline with its answers.
pub struct Less {
    /// The file of the baseline; `None` for a contest of the same file.
    pub side: Option<Side>,
    contest: String,
}

impl Less {
    /// Answers the other file, if it is one.
    ///
    /// # Errors
    /// As for [`Side::answered`].
    pub fn answered(other: Other, options: &Options) -> Result<Less, Error> {
        Ok(match other {
            Other::File(read) => {
                Less { side: Some(Side::answered(*read, options)?), contest: String::new() }
            }
            Other::Contest(contest) => Less { side: None, contest },
        })
    }

    /// Renders the cards of the differences of `b`, in a format.
    ///
    /// # Errors
    /// When no cells match; and the errors of [`card::write`].
    pub fn cards(&self, b: &Side, format: card::Format) -> Result<Vec<u8>, Error> {
        if let Some(a) = &self.side {
            let comparison = Comparison::new(&a.solved.answers, &b.solved.answers);
            let sides = [(&*a.file.name, &*a.solved.answers), (&b.file.name, &b.solved.answers)];
            return written(b, &[comparison], &names(a, b), sides, format);
        }
        let answers = b.solved.answers.iter().cloned();
        let (a, rest): (Vec<_>, Vec<_>) = answers.partition(|cell| cell.name == self.contest);
        let contests: Vec<_> = rest.chunk_by(|x, y| x.contest == y.contest).collect();
        let rest_name = match contests[..] {
            [] => {
                let problem =
                    format!("{} has no contest other than {:?}", b.file.name, self.contest);
                return Err(Error::Usage(problem));
            }
            [one] => one[0].name.clone(),
            _ => "the other contests".to_owned(),
        };
        // Each other contest against that one: the baseline contains its cells once.
        let comparisons: Vec<_> = contests.iter().map(|one| Comparison::new(&a, one)).collect();
        let names = [self.contest.clone(), rest_name];
        let sides = [(&*names[0], &*a), (&names[1], &rest)];
        written(b, &comparisons, &names, sides, format)
    }
}

fn written(
    b: &Side,
    comparisons: &[Comparison<'_>],
    [a_name, b_name]: &[String; 2],
    sides: [(&str, &[Answer]); 2],
    format: card::Format,
) -> Result<Vec<u8>, Error> {
    if comparisons.iter().all(|comparison| comparison.pairs.is_empty()) {
        return Err(strangers(sides));
    }
    card::write_differences(&b.experiment, comparisons, (a_name, b_name), format)
}

/// The error that no cells match, with the contents of each side.
pub fn strangers([(a, of_a), (b, of_b)]: [(&str, &[Answer]); 2]) -> Error {
    let has = |answers: &[Answer]| {
        answers.first().map_or("nothing".to_owned(), |cell| {
            let axes: Vec<_> = cell.axes.iter().map(|(path, _)| path.as_str()).collect();
            let axes = if axes.is_empty() { "no axes".to_owned() } else { axes.join(", ") };
            format!("{} over {axes}", cell.asked())
        })
    };
    Error::Usage(format!(
        "no cell of {a} has a partner in {b}: contests must be of one action and cells must have the same value on every \
         axis, but the first contests are {} and {}",
        has(of_a),
        has(of_b)
    ))
}
