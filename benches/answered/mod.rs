//! An experiment from its text to the lines of its table, written to nowhere.

use enfilade::catalogue::Catalogue;
use enfilade::report::{self, Format};
use enfilade::study::checkpoint::journal::Journal;
use enfilade::study::experiment::Experiment;
use enfilade::study::solve::{Settings, Unwatched, solve_and_drop};

/// Answers the file exactly and writes its table to nowhere; how many cells it has.
pub fn answered(catalogue: &Catalogue, file: &str) -> usize {
    let experiment = Experiment::read(catalogue, "cells.toml", file).expect("it is well formed");
    let settings = Settings::exact();
    let solved = solve_and_drop(experiment.cells, &settings, &Unwatched, &Journal::none());
    let answers = solved.expect("every contest is small").answers;
    report::print(&answers, Format::Csv, &mut std::io::sink()).expect("nowhere takes everything");
    answers.len()
}
