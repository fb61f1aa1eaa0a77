//! Grids that are answered block by block: the same cells and the same numbers as those that are
//! kept.

use enfilade_report::tables;
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::checkpoint::run_journal::CellOrBlockJournal;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;
use enfilade_study::file::source_document::{AllowedFilePaths, SourceInput};
use enfilade_study::search::omitted_cells::CellsOmittedBySearch;
use enfilade_study::solve::streaming::{AnswerSink, CELLS_PER_BLOCK};
use enfilade_study::solve::{
    NoObserver, RunCompletion, RunPlan, SolverSettings, run_plan_into_sink, solve_cells,
};
use enfilade_testkit::toy::CATALOGUE;

/// Two contests with more cells than a block together, the second with an axis in a table.
const FILE: &str = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = [4, 2]\n\
    fp = { from = 1, to = 30 }\n[contest.target]\nmorale = { from = 1, to = 20 }\n\
    [[contest]]\nsystem = 'toy'\naction = 'shoot'\nname = 'again'\nneeded = { from = 1, to = 6 }\n\
    fp = { from = 1, to = 30 }\n[contest.target]\nmorale = { from = 1, to = 20 }\n";

/// Keeps what it takes, and how many at a time.
#[derive(Default)]
struct Kept {
    answers: Vec<Answer>,
    blocks: Vec<usize>,
}

impl AnswerSink for Kept {
    fn receive_answer_block(&mut self, answers: Vec<Answer>) -> Result<(), StudyError> {
        self.blocks.push(answers.len());
        self.answers.extend(answers);
        Ok(())
    }

    fn receive_omitted_cells(&mut self, _: CellsOmittedBySearch) {}
}

fn read(text: &str) -> Experiment {
    Experiment::read_experiment_text(&CATALOGUE, "x.toml", text)
        .unwrap_or_else(|error| panic!("{error:?}"))
}

/// A run over the file whose cells are checked and kept up to that number.
fn plan(kept: u64) -> RunPlan {
    let read = Experiment::read_checking_all_or_samples(&CATALOGUE, "x.toml", FILE, kept)
        .expect("it is well formed");
    let (name, text) = ("x.toml".to_owned(), FILE.to_owned());
    let input = SourceInput { name, text, folder: "".into(), origin: AllowedFilePaths::File };
    RunPlan::new(input, read, SolverSettings::for_exact_only())
}

#[test]
fn answers_in_blocks_are_those_of_all_cells_together() {
    let cells = read(FILE).cells;
    let together = solve_cells(
        &cells,
        &SolverSettings::for_exact_only(),
        &NoObserver,
        &CellTrialJournal::without_storage(),
    )
    .expect("toys are small");
    let mut kept = Kept::default();
    let end = run_plan_into_sink(plan(0), &NoObserver, &mut CellOrBlockJournal::None, &mut kept);
    assert_eq!(end.expect("nothing is written"), RunCompletion::Whole);
    let block = usize::try_from(CELLS_PER_BLOCK).expect("it is small");
    let blocks = together.answers.chunks(block).map(<[Answer]>::len);
    assert_eq!(kept.blocks, blocks.collect::<Vec<_>>());
    assert_eq!(
        tables::build_cells_table(&kept.answers),
        tables::build_cells_table(&together.answers)
    );
    assert_eq!(
        tables::build_outcome_table(&kept.answers),
        tables::build_outcome_table(&together.answers)
    );
}
