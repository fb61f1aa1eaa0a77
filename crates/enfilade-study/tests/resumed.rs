//! Runs of a large grid that were stopped: they go on at the block where they stopped, with the
//! same answers.
#![cfg(feature = "files")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use enfilade_engine::cancel::CancelToken;
use enfilade_games::built_in_catalogue;
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::BuildId;
use enfilade_study::checkpoint::run_journal::CellOrBlockJournal;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;
use enfilade_study::file::source_document::{AllowedFilePaths, SourceInput};
use enfilade_study::search::omitted_cells::CellsOmittedBySearch;
use enfilade_study::solve::streaming::{AnswerSink, CELLS_PER_BLOCK};
use enfilade_study::solve::{
    NoObserver, RunCompletion, RunPlan, SolveObserver, SolverSettings, run_plan_into_sink,
};

const BUILD: BuildId = BuildId("a test");

/// 1 080 cells: two blocks and a part of a third.
const GRID: &str = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [2, 4, 6, 8, 12, 16]\n\
    drm = { from = -4, to = 4 }\ntarget = { kind = 'squad', morale = { from = 6, to = 10 } }\n\
    elr = { from = 2, to = 5 }\n";

/// The answers of a run, and how many blocks they came in.
#[derive(Default)]
struct Sink {
    answers: Vec<Answer>,
    blocks: usize,
}

impl AnswerSink for Sink {
    fn receive_answer_block(&mut self, answers: Vec<Answer>) -> Result<(), StudyError> {
        self.blocks += 1;
        self.answers.extend(answers);
        Ok(())
    }

    fn receive_omitted_cells(&mut self, _: CellsOmittedBySearch) {}
}

/// Stops the work after that many cells.
struct Impatient {
    left: AtomicUsize,
    halt: CancelToken,
}

impl Impatient {
    fn after(cells: usize) -> Impatient {
        let watch = Impatient { left: AtomicUsize::new(cells), halt: CancelToken::new() };
        if cells == 0 {
            watch.halt.cancel();
        }
        watch
    }
}

impl SolveObserver for Impatient {
    fn note_answered_cell(&self, _: usize) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.halt.cancel();
        }
    }

    fn cancel_token(&self) -> &CancelToken {
        &self.halt
    }
}

fn plan(settings: SolverSettings, search: &str) -> RunPlan {
    let text = format!("{GRID}{search}");
    let read =
        Experiment::read_checking_all_or_samples(&built_in_catalogue(), "grid.toml", &text, 0)
            .expect("it is well formed");
    let input = SourceInput {
        name: "grid.toml".into(),
        text,
        folder: "".into(),
        origin: AllowedFilePaths::File,
    };
    RunPlan::new(input, read, settings)
}

fn go_on(plan: RunPlan, path: &Path, watch: &dyn SolveObserver) -> (RunCompletion, Sink) {
    let mut journal = CellOrBlockJournal::open(path, BUILD, plan.streamed_run_name())
        .expect("the folder can be written");
    let mut sink = Sink::default();
    let end = run_plan_into_sink(plan, watch, &mut journal, &mut sink).expect("no disk is full");
    (end, sink)
}

/// All that an answer says.
fn told(sink: &Sink) -> Vec<String> {
    sink.answers.iter().map(|answer| format!("{answer:?}")).collect()
}

fn goes_on(settings: SolverSettings, search: &str) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("journal");
    let mut none = Sink::default();
    let whole = run_plan_into_sink(
        plan(settings, search),
        &NoObserver,
        &mut CellOrBlockJournal::None,
        &mut none,
    );
    assert_eq!(whole.expect("nothing is written"), RunCompletion::Whole);
    assert!(!none.answers.is_empty());
    // Stopped in the second block: the first one is recorded, and no more.
    let (end, _) =
        go_on(plan(settings, search), &path, &Impatient::after(CELLS_PER_BLOCK as usize + 100));
    assert_eq!(end, RunCompletion::Interrupted);
    let recorded = std::fs::read_to_string(&path).expect("it is there");
    assert_eq!(recorded.lines().count(), 2, "the head and a block");
    let (end, sink) = go_on(plan(settings, search), &path, &NoObserver);
    assert_eq!(end, RunCompletion::Whole);
    assert_eq!(told(&sink), told(&none));
    assert_eq!(sink.blocks, none.blocks);
    // The first block was not solved again: its line is the same, and the others were added.
    let all = std::fs::read_to_string(&path).expect("it is there");
    assert!(all.starts_with(&recorded) && all.lines().count() == 4);
    // All is recorded now: nobody has to solve anything.
    let (end, sink) = go_on(plan(settings, search), &path, &Impatient::after(0));
    assert_eq!((end, told(&sink)), (RunCompletion::Whole, told(&none)));
    // Of other settings nothing is recorded.
    let other = SolverSettings { seed: settings.seed + 1, ..settings };
    let (end, sink) = go_on(plan(other, search), &path, &Impatient::after(0));
    assert_eq!((end, sink.answers.len()), (RunCompletion::Interrupted, 0));
}

#[test]
fn exact_answers_with_fractions_go_on() {
    goes_on(SolverSettings::for_exact_only().with_fractions(), "");
}

#[test]
fn simulated_answers_go_on() {
    goes_on(SolverSettings::for_trials_per_cell(1000), "");
}

#[test]
fn played_answers_go_on() {
    goes_on(SolverSettings { played: true, ..SolverSettings::for_trials_per_cell(50) }, "");
}

#[test]
fn a_search_goes_on() {
    goes_on(SolverSettings::for_exact_only(), "[sweep]\nkeep = 'p_break > 0.3'\n");
    goes_on(SolverSettings::for_exact_only(), "[sweep]\nfront = 'p_break, -p_kill'\n");
}
