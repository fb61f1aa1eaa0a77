//! An experiment from its text to the lines of its table, written to nowhere.

use enfilade::catalogue::Catalogue;
use enfilade::report::{self, PrintedAnswerFormat};
use enfilade::study::checkpoint::journal::CellTrialJournal;
use enfilade::study::experiment::Experiment;
use enfilade::study::solve::{NoObserver, SolverSettings, solve_and_drop_cells};

/// Answers the file exactly and writes its table to nowhere; how many cells it has.
pub fn answered(catalogue: &Catalogue, file: &str) -> usize {
    let experiment =
        Experiment::read_experiment_text(catalogue, "cells.toml", file).expect("it is well formed");
    let settings = SolverSettings::for_exact_only();
    let solved = solve_and_drop_cells(
        experiment.cells,
        &settings,
        &NoObserver,
        &CellTrialJournal::without_storage(),
    );
    let answers = solved.expect("every contest is small").answers;
    report::print_answers(&answers, PrintedAnswerFormat::Csv, &mut std::io::sink())
        .expect("nowhere takes everything");
    answers.len()
}
