//! Two sides of a comparison: files that are read, answered and named.

use std::path::Path;

use super::options::{Options, Rulebooks};
use super::work;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::report::card;
use crate::report::folder::manifest::InputFile;
use crate::report::text::labels;
use crate::study::answer::Answer;
use crate::study::checkpoint::journal::Journal;
use crate::study::comparison::Comparison;
use crate::study::experiment::Experiment;
use crate::study::file::document::Input;
use crate::study::file::rulebook_loader::stem;
use crate::study::solve::Solved;
use crate::study::solve::streaming::{self, Searched, Take};

/// A file with its answers.
pub struct Side {
    /// The file.
    pub file: InputFile,
    /// Its experiment, without the cells.
    pub experiment: Experiment,
    /// Its answers.
    pub solved: Solved,
    /// The error to report after the answers.
    pub trouble: Option<Error>,
}

impl Side {
    /// Answers a file that was read.
    ///
    /// # Errors
    /// The errors of [`work::solve`].
    pub fn answered(
        (input, mut experiment): (Input, Experiment),
        options: &Options,
    ) -> Result<Side, Error> {
        let mut solved = work::solve(&input, &mut experiment, options, &Journal::none())?;
        let mut trouble = work::trouble(&solved, experiment.asked);
        if experiment.search.is_some() && !solved.interrupted {
            solved.answers = kept(&experiment, solved.answers)?;
            trouble = trouble.filter(|_| !solved.answers.is_empty());
        }
        Ok(Side {
            file: InputFile::new(input.name.as_str(), &input.text).with(&experiment.rulebooks),
            trouble,
            experiment,
            solved,
        })
    }
}

/// Keeps the answers that the search of a file selects, in the order of the grid.
///
/// # Errors
/// When the search selects none.
fn kept(experiment: &Experiment, answers: Vec<Answer>) -> Result<Vec<Answer>, Error> {
    let mut kept = streaming::Kept::default();
    let mut searched = Searched::new(experiment.search.as_ref(), &mut kept);
    searched.take(answers)?;
    searched.finish()?;
    work::remark_on(&kept.left_out, experiment.asked);
    if kept.answers.is_empty() {
        let nothing = work::nothing_fits(experiment, &kept.left_out);
        return nothing.map_or(Ok(Vec::new()), Err);
    }
    kept.answers.sort_by_key(|answer| answer.cell);
    Ok(kept.answers)
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
    File(Box<(Input, Experiment)>),
    /// A contest of the same file.
    Contest(String),
}

impl Other {
    /// Resolves `other`: the name of a contest of `experiment`, or else a file.
    ///
    /// # Errors
    /// When `other` is no contest, and the file cannot be read or has faults.
    pub fn read(
        catalogue: &Catalogue,
        rulebooks: &Rulebooks,
        experiment: &Experiment,
        other: &Path,
    ) -> Result<Other, Error> {
        let name = other.to_string_lossy();
        if experiment.cells.iter().any(|cell| cell.name == name) {
            return Ok(Other::Contest(name.into_owned()));
        }
        Ok(Other::File(Box::new(work::read(catalogue, rulebooks, other)?)))
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
    /// The errors of [`work::solve`].
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
