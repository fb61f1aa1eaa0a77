//! Two sides of a comparison: files that are read, answered and named.

use std::path::Path;
use std::sync::Arc;

use super::command_steps::{self, CellCountLimit};
use crate::catalogue::Catalogue;
use crate::cli::args::question_args;
use crate::cli::args::{CellSolutionArgs, ExtraRulebookArgs};
use crate::error::Error;
use crate::report::card;
use crate::report::folder::manifest::InputFileWithRulebooks;
use crate::report::text::labels;
use crate::study::answer::Answer;
use crate::study::checkpoint::run_journal::CellOrBlockJournal;
use crate::study::comparison::ExperimentComparison;
use crate::study::experiment::ExperimentSpec;
use crate::study::file::rulebook_loader::rulebook_name_of_path;
use crate::study::solve::{AnswersAndInterruption, RunPlan};

/// A file with its answers.
pub struct FileWithAnswers {
    /// The file.
    pub file: InputFileWithRulebooks,
    /// The experiment of the file.
    pub experiment: Arc<ExperimentSpec>,
    /// Its answers.
    pub solved: AnswersAndInterruption,
    /// The error to report after the answers.
    pub error: Option<Error>,
}

impl FileWithAnswers {
    /// Answers the cells of the file; of a search those selected, in the order of the grid.
    ///
    /// # Errors
    /// As for [`command_steps::collect_answers_of_plan`], and when a search selects nothing.
    pub fn solve_plan_cells(
        plan: RunPlan,
        options: &CellSolutionArgs,
    ) -> Result<FileWithAnswers, Error> {
        let experiment = Arc::clone(&plan.spec);
        let file = InputFileWithRulebooks::new(plan.input.name.as_str(), &plan.input.text);
        let (mut solved, left_out) =
            command_steps::collect_answers_of_plan(plan, options, &mut CellOrBlockJournal::None)?;
        command_steps::remark_broken_checks(&left_out, experiment.cell_count);
        let error = command_steps::disagreement_or_interruption(&solved, experiment.cell_count);
        if solved.answers.is_empty() && !solved.interrupted {
            command_steps::no_fit_error(&experiment, &left_out).map_or(Ok(()), Err)?;
        }
        solved.answers.sort_by_key(|answer| answer.cell);
        Ok(FileWithAnswers {
            file: file.with_rulebooks(&experiment.rulebooks),
            experiment,
            solved,
            error,
        })
    }
}

/// Names of two sides: those of their experiments, or of their files if these are equal.
pub fn experiment_or_file_names(a: &FileWithAnswers, b: &FileWithAnswers) -> [String; 2] {
    let names = [a, b].map(|side| side.experiment.name.clone());
    let same = names[0] == names[1];
    let names = if same {
        [a, b].map(|side| rulebook_name_of_path(Path::new(&side.file.name)))
    } else {
        names
    };
    names.map(|name| labels::experiment_name_with_spaces(&name))
}

/// The baseline of a card of differences.
pub enum BaselineOfCard {
    /// Another file.
    File(Box<RunPlan>),
    /// A contest of the same file.
    Contest(String),
}

impl BaselineOfCard {
    /// Reads the baseline: the contest of `plan` called `other`, or else the file of that name.
    ///
    /// # Errors
    /// When `other` is no contest, and the file cannot be read or has faults.
    pub fn find_contest_or_file(
        catalogue: &Catalogue,
        (rulebooks, options): (&ExtraRulebookArgs, &CellSolutionArgs),
        plan: &RunPlan,
        other: &Path,
    ) -> Result<BaselineOfCard, Error> {
        let name = other.to_string_lossy();
        if plan.cells.contest_grids().any(|side| side.name == name) {
            return Ok(BaselineOfCard::Contest(name.into_owned()));
        }
        let input = (question_args::read_unless_rulebook(other)?, CellCountLimit::Shown);
        Ok(BaselineOfCard::File(Box::new(command_steps::plan_run_of_input(
            catalogue, rulebooks, options, input,
        )?)))
    }
}

/// A baseline with its answers.
pub struct AnsweredBaseline {
    /// The file of the baseline; `None` for a contest of the same file.
    pub side: Option<FileWithAnswers>,
    contest: String,
}

impl AnsweredBaseline {
    /// Answers the other file, if it is one.
    ///
    /// # Errors
    /// As for [`FileWithAnswers::solve_plan_cells`].
    pub fn answer_if_other_file(
        other: BaselineOfCard,
        options: &CellSolutionArgs,
    ) -> Result<AnsweredBaseline, Error> {
        Ok(match other {
            BaselineOfCard::File(read) => AnsweredBaseline {
                side: Some(FileWithAnswers::solve_plan_cells(*read, options)?),
                contest: String::new(),
            },
            BaselineOfCard::Contest(contest) => AnsweredBaseline { side: None, contest },
        })
    }

    /// Renders the cards of the differences of `b`, in a format.
    ///
    /// # Errors
    /// When no cells match; and the errors of [`card::encode_cards`].
    pub fn render_difference_cards(
        &self,
        b: &FileWithAnswers,
        format: card::WrittenCardFormat,
    ) -> Result<Vec<u8>, Error> {
        if let Some(a) = &self.side {
            let comparison = ExperimentComparison::new(&a.solved.answers, &b.solved.answers);
            let sides = [&a.solved.answers, &b.solved.answers].map(|answers| answers.first());
            let sides = [(&*a.file.name, sides[0]), (&b.file.name, sides[1])];
            return render_cards_of_comparisons(
                b,
                &[comparison],
                &experiment_or_file_names(a, b),
                sides,
                format,
            );
        }
        // Cells are sorted, so those of a contest are together.
        let contests = b.solved.answers.chunk_by(|x, y| x.contest == y.contest);
        let (own, contests): (Vec<&[Answer]>, Vec<_>) =
            contests.partition(|cells| cells[0].name == self.contest);
        let a = own.first().copied().unwrap_or_default();
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
        let comparisons: Vec<_> =
            contests.iter().map(|one| ExperimentComparison::new(a, one)).collect();
        let names = [self.contest.clone(), rest_name];
        let sides = [(&*names[0], a.first()), (&names[1], contests[0].first())];
        render_cards_of_comparisons(b, &comparisons, &names, sides, format)
    }
}

fn render_cards_of_comparisons(
    b: &FileWithAnswers,
    comparisons: &[ExperimentComparison<'_>],
    [a_name, b_name]: &[String; 2],
    first_cells: [(&str, Option<&Answer>); 2],
    format: card::WrittenCardFormat,
) -> Result<Vec<u8>, Error> {
    if comparisons.iter().all(|comparison| comparison.pairs.is_empty()) {
        return Err(no_common_cells_error(first_cells));
    }
    Ok(card::encode_difference_cards(&b.experiment, comparisons, (a_name, b_name), format)?)
}

/// The error that no cells match, with the first cell of each side.
pub fn no_common_cells_error([(a, of_a), (b, of_b)]: [(&str, Option<&Answer>); 2]) -> Error {
    let has = |first: Option<&Answer>| {
        first.map_or("nothing".to_owned(), |cell| {
            let axes: Vec<_> = cell.axes.iter().map(|(path, _)| path.as_str()).collect();
            let axes = if axes.is_empty() { "no axes".to_owned() } else { axes.join(", ") };
            format!("{} over {axes}", cell.rulebook_and_action())
        })
    };
    Error::Usage(format!(
        "no cell of {a} has a partner in {b}: contests must be of one action and cells must have the same value on every \
         axis, but the first contests are {} and {}",
        has(of_a),
        has(of_b)
    ))
}
