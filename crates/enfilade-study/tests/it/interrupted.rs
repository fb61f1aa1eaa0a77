//! Runs that are stopped in the middle of a cell, and go on.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use enfilade_engine::cancel::CancelToken;
use enfilade_engine::play;
use enfilade_engine::simulate::TRIALS_PER_WORK_UNIT;
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::{BuildId, CellTrialJournal};
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{
    AnswersAndInterruption, NoObserver, SolveObserver, SolverSettings, solve_cells,
};
use enfilade_testkit::toy::CATALOGUE;
use tempfile::TempDir;

const FILE: &str = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = 3\n";

/// Counts the trials it is told of, and asks to stop after so many reports.
struct Impatient {
    told: AtomicU64,
    left: AtomicU64,
    halt: CancelToken,
}

impl Impatient {
    fn after(reports: u64) -> Impatient {
        Impatient {
            told: AtomicU64::new(0),
            left: AtomicU64::new(reports),
            halt: CancelToken::new(),
        }
    }

    fn told(&self) -> u64 {
        self.told.load(Ordering::SeqCst)
    }
}

impl SolveObserver for Impatient {
    fn note_finished_trials(&self, made: u64) {
        self.told.fetch_add(made, Ordering::SeqCst);
        if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.halt.cancel();
        }
    }

    fn cancel_token(&self) -> &CancelToken {
        &self.halt
    }
}

fn run(
    trials: u64,
    played: bool,
    watch: &dyn SolveObserver,
    journal: &CellTrialJournal,
) -> AnswersAndInterruption {
    let experiment = Experiment::read_experiment_text(&CATALOGUE, "toy.toml", FILE);
    let cells = experiment.unwrap_or_else(|e| panic!("{e:?}")).cells;
    let mut settings = SolverSettings::for_trials_per_cell(trials);
    settings.played = played;
    solve_cells(&cells, &settings, watch, journal).expect("a toy is small")
}

fn journal(path: &Path) -> CellTrialJournal {
    CellTrialJournal::open_or_resume(path, BuildId("a test")).expect("the folder is writable")
}

fn counts(answers: &[Answer]) -> Vec<Option<u64>> {
    let outcomes = answers.iter().flat_map(|answer| &answer.outcomes);
    outcomes.map(|outcome| outcome.count).collect()
}

/// Stopped twice, then let run: the counts are those of a run without a break, and nothing that
/// was made is made again.
fn goes_on_where_it_stopped(trials: u64, piece: u64, played: bool) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("journal");
    let mut before = 0;
    // The first report is of what was there.
    for reports in [2, 3] {
        let watch = Impatient::after(reports);
        let solved = run(trials, played, &watch, &journal(&path));
        assert!(solved.interrupted && solved.answers.is_empty());
        // What was there is told first; at least one more piece was made each time.
        assert!(watch.told() >= before + piece, "{} {before}", watch.told());
        assert!(watch.told() < trials);
        before = watch.told();
    }
    let kept = std::fs::read_to_string(&path).expect("the journal is there");
    // The head, and the part that counts with the one before it.
    assert_eq!(kept.lines().count(), 3, "{kept}");
    let watch = Impatient::after(u64::MAX);
    let solved = run(trials, played, &watch, &journal(&path));
    // Told of what was there and of what was made, and of nothing twice.
    assert_eq!(watch.told(), trials);
    let whole = run(trials, played, &NoObserver, &CellTrialJournal::without_storage());
    assert!(!solved.interrupted);
    assert_eq!(counts(&solved.answers), counts(&whole.answers));
    assert_eq!(solved.answers[0].trials, trials);
    assert_eq!(solved.answers[0].agrees, Some(true));
}

#[test]
fn a_simulation_goes_on_in_the_middle_of_a_cell() {
    goes_on_where_it_stopped(12 * TRIALS_PER_WORK_UNIT + 5, TRIALS_PER_WORK_UNIT, false);
}

#[test]
fn a_game_goes_on_in_the_middle_of_a_cell() {
    goes_on_where_it_stopped(30 * play::TRIALS_PER_GENERATOR + 5, play::TRIALS_PER_GENERATOR, true);
}

/// A part that claims other trials than its pieces have is not believed.
#[test]
fn a_part_that_cannot_be_is_left_out() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("journal");
    let trials = 12 * TRIALS_PER_WORK_UNIT + 5;
    let watch = Impatient::after(2);
    run(trials, false, &watch, &journal(&path));
    let kept = std::fs::read_to_string(&path).expect("the journal is there");
    let wrong = kept.replace("\"unsettled\":0", "\"unsettled\":7");
    assert_ne!(kept, wrong);
    std::fs::write(&path, wrong).expect("writable");
    let solved = run(trials, false, &NoObserver, &journal(&path));
    let whole = run(trials, false, &NoObserver, &CellTrialJournal::without_storage());
    assert_eq!(counts(&solved.answers), counts(&whole.answers));
}
