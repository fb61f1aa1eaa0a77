//! Cells answered, and arsenals priced, under the options of the command line, with a bar and Ctrl-C.

use std::path::{Path, PathBuf};

use super::failure;
use super::options::{Machine, Options, Rulebooks};
use super::progress::Progress;
use super::signals;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::report::files::{Claim, Terms};
use crate::report::words;
use crate::study::balance::arsenal::Arsenal;
use crate::study::balance::evidence::Evidence;
use crate::study::balance::gather;
use crate::study::balance::price::{self, Pricing};
use crate::study::experiment::Experiment;
use crate::study::journal::Journal;
use crate::study::solve::{self, Solved};
use crate::study::source::Input;

/// The experiment in the file at `path`, the file itself, and the rulebooks that are given and named.
///
/// # Errors
/// When a file cannot be read or has faults.
pub fn read(
    catalogue: &Catalogue,
    rulebooks: &Rulebooks,
    path: &Path,
) -> Result<(Input, Experiment), Error> {
    let input = Input::read(path)?;
    let catalogue = rulebooks.and_those_of(catalogue, &input)?;
    let experiment = Experiment::read(&catalogue, &input.name, &input.text)?;
    Ok((input, experiment))
}

/// Answers every cell of `experiment`, which was read from `input`, and gives the cells up.
///
/// # Errors
/// When a contest is too large, or the threads or the journal are not to be had.
pub fn solve(
    input: &Input,
    experiment: &mut Experiment,
    options: &Options,
    journal: &Journal,
) -> Result<Solved, Error> {
    if let Some(remark) = options.machine.remark() {
        failure::remark(&remark);
    }
    let settings = options.settings(experiment);
    let progress =
        Progress::over(experiment.asked, options.machine.quiet)?.within(options.machine.within);
    let pool = options.machine.pool()?;
    let cells = std::mem::take(&mut experiment.cells);
    let solved = pool.install(|| solve::solve_and_drop(cells, &settings, &progress, journal));
    progress.finish();
    solved.map_err(|error| input.located(error))
}

/// Reads the arsenal in `input`, with the rulebooks that are given and named.
///
/// # Errors
/// When a file has faults.
pub fn arsenal(
    catalogue: &Catalogue,
    rulebooks: &Rulebooks,
    input: &Input,
) -> Result<Arsenal, Error> {
    let catalogue = rulebooks.and_those_of(catalogue, input)?;
    Arsenal::read(&catalogue, &input.name, &input.text)
}

/// Fights the battles of `arsenal` and prices its weapons.
///
/// # Errors
/// When the work is interrupted, or the threads are not to be had.
pub fn priced(
    arsenal: &Arsenal,
    settings: (&gather::Settings, &price::Settings),
    machine: &Machine,
) -> Result<(Evidence, Pricing), Error> {
    let pool = machine.pool()?;
    let battles = arsenal.weapons.len() * arsenal.scenarios.len();
    let progress = Progress::over(battles, machine.quiet)?;
    // Battles are not kept, so there is nothing to wait for.
    signals::impatient();
    let evidence = pool.install(|| gather::gather(arsenal, settings.0, &progress));
    progress.finish();
    let evidence = evidence?;
    let pricing = pool.install(|| price::price(&evidence, settings.1))?;
    Ok((evidence, pricing))
}

/// How `arsenal` is to be priced.
pub fn pricing(arsenal: &Arsenal, machine: &Machine) -> price::Settings {
    price::Settings {
        seed: machine.seed.map_or(1, |seed| seed.value),
        anchor: None,
        tolerance: arsenal.tolerance.unwrap_or(price::verdict::TOLERANCE),
        step: arsenal.step,
    }
}

/// How the battles are to be fought.
pub fn battles(machine: &Machine, trials: Option<u64>) -> gather::Settings {
    let default = gather::Settings::default();
    gather::Settings {
        seed: machine.seed.map_or(default.seed, |seed| seed.value),
        trials: trials.unwrap_or(default.trials),
        ..default
    }
}

/// Claims a folder for the `writes` of a command that reads `inputs`.
///
/// # Errors
/// As for [`Claim::new`].
pub fn claim(
    folder: &Path,
    inputs: &[&PathBuf],
    overwrite: bool,
    writes: Vec<String>,
) -> Result<Claim, Error> {
    let terms = Terms {
        inputs: inputs.iter().map(|&path| path.clone()).collect(),
        overwrite,
        writes,
        command: command().join(" "),
    };
    Claim::new(folder, terms)
}

/// The command line, as words. A word that is not Unicode is told as well as it can be.
pub fn command() -> Vec<String> {
    let words = std::env::args_os();
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// What to report after the answers: that the work was interrupted, or that two engines disagree.
pub fn trouble(solved: &Solved, cells: usize) -> Option<Error> {
    let answered = solved.answers.len();
    if solved.interrupted {
        return Some(Error::Interrupted(format!("{answered} of {cells} cells were answered")));
    }
    let disagree = solved.answers.iter().any(|answer| answer.agrees == Some(false));
    let sentence = words::agreement(&solved.answers).filter(|_| disagree)?;
    Some(Error::Disagreement(sentence))
}
