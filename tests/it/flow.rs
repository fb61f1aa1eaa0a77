//! Grids that are answered block by block: the same cells and the same numbers as those that are
//! kept.

use enfilade::error::StudyError;
use enfilade::report::tables;
use enfilade::study::answer::Answer;
use enfilade::study::checkpoint::journal::TrialJournal;
use enfilade::study::checkpoint::run_journal::RunJournal;
use enfilade::study::experiment::Experiment;
use enfilade::study::file::source_document::{InputAuthor, SourceInput};
use enfilade::study::search::omitted_cells::OmittedCells;
use enfilade::study::solve::streaming::{AnswerSink, CELLS_PER_BLOCK};
use enfilade::study::solve::{
    NoObserver, RunCompletion, RunPlan, SolverSettings, run_plan_into_sink, solve_cells,
};

use crate::toy::CATALOGUE;

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

    fn receive_omitted_cells(&mut self, _: OmittedCells) {}
}

fn read(text: &str) -> Experiment {
    Experiment::read_experiment_text(&CATALOGUE, "x.toml", text)
        .unwrap_or_else(|error| panic!("{error:?}"))
}

/// A run over the file whose cells are checked and kept up to that number.
fn plan(kept: u64) -> RunPlan {
    let read = Experiment::read_checking_sample_cells(&CATALOGUE, "x.toml", FILE, kept)
        .expect("it is well formed");
    let (name, text) = ("x.toml".to_owned(), FILE.to_owned());
    let input = SourceInput { name, text, folder: "".into(), origin: InputAuthor::File };
    RunPlan::new(input, read, SolverSettings::for_exact_only())
}

#[test]
fn cells_made_one_by_one_are_those_that_are_kept() {
    let kept = read(FILE).cells;
    let (experiment, cells) = Experiment::read_checking_sample_cells(&CATALOGUE, "x.toml", FILE, 0)
        .expect("it is well formed");
    assert_eq!((experiment.cell_count, cells.len()), (kept.len() as u64, kept.len() as u64));
    assert!(experiment.cells.len() < 200);
    for range in [0..cells.len(), 1190..1210, 17..18, 0..0, cells.len() - 1..cells.len()] {
        let mut next = range.start;
        for (index, made) in cells.build_cell_range(range.clone()) {
            let made = made.unwrap_or_else(|wrong| panic!("{}", wrong.why));
            let same = &kept[usize::try_from(index).expect("it is small")];
            assert_eq!((index, made.index), (next, same.index));
            assert!(made.form == same.form && made.axes == same.axes && made.name == same.name);
            next += 1;
        }
        assert_eq!(next, range.end);
    }
}

#[test]
fn answers_in_blocks_are_those_of_all_cells_together() {
    let cells = read(FILE).cells;
    let together = solve_cells(
        &cells,
        &SolverSettings::for_exact_only(),
        &NoObserver,
        &TrialJournal::without_storage(),
    )
    .expect("toys are small");
    let mut kept = Kept::default();
    let end = run_plan_into_sink(plan(0), &NoObserver, &mut RunJournal::None, &mut kept);
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

#[test]
fn a_grid_that_nobody_could_keep_is_begun_at_once() {
    let leader = "[contest.leader]\nmorale = { from = 1, to = 20 }\n";
    let fp = "fp = { from = 0, to = 100, step = 0.015625 }\n";
    let text = format!(
        "[[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = {{ from = 1, to = 6 }}\n{fp}\
         [contest.target]\nmorale = {{ from = 1, to = 20 }}\n{leader}"
    );
    let (experiment, cells) =
        Experiment::read_checking_sample_cells(&CATALOGUE, "x.toml", &text, 100_000)
            .expect("it is well formed");
    // 6 × 6 401 × 20 × 20.
    assert_eq!(cells.len(), 15_362_400);
    assert!(experiment.cells.len() < 300);
    let (index, last) = cells.build_cell_range(15_362_399..15_362_400).next().expect("a cell");
    assert!(index == 15_362_399 && last.is_ok());
}
