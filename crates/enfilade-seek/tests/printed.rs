//! Numbers of the shipped games, hidden among other values: a search for the odds that the game has
//! finds those that are printed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_model::catalogue::{Catalogue, RulebookAction, System};
use enfilade_seek::measure_influences::influences_on_each_contest;
use enfilade_seek::number_tries::{WantedValue, try_single_numbers};
use enfilade_seek::seek_answer::answer_search;
use enfilade_seek::seek_question::SeekQuestion;
use enfilade_study::experiment::Experiment;
use enfilade_study::file::{rulebook_loader, source_document};
use enfilade_study::samples::contest_file_of_sample;
use enfilade_study::solve::settings::SolverSettings;
use enfilade_study::solve::{NoObserver, solve_experiment};

/// Most numbers that are hidden together, and most values of each.
const MAX_HIDDEN: usize = 3;
const MAX_VALUES: i64 = 5;

/// States above which a contest is left out: its steps would take minutes.
const MAX_STATES: usize = 2_000;

fn rulebook_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks");
    let entries = std::fs::read_dir(folder).expect("it is there").flatten();
    let files = entries.map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|ending| ending == "rules")).collect();
    files.sort();
    files
}

/// The catalogue with a rulebook from a file.
fn catalogue_with(file: &Path) -> Catalogue {
    let name = file.file_name().expect("a name").to_string_lossy();
    let line = format!("rules = '{name}'\n");
    let folder = file.parent().expect("a folder").to_owned();
    let origin = source_document::AllowedFilePaths::File;
    let input =
        source_document::SourceInput { name: "x.toml".to_owned(), text: line, folder, origin };
    let built_in = enfilade_games::built_in_catalogue();
    let read = rulebook_loader::catalogue_with_rulebook_files(&built_in, &[], Some(&input));
    read.unwrap_or_else(|error| panic!("{error:?}"))
}

/// Hides numbers of the first example of an action and searches for its odds. Returns how many
/// numbers were hidden; `None` where the example is too large or nothing moves it.
fn find_again(
    catalogue: &Catalogue,
    system: &Arc<System>,
    action: &RulebookAction,
) -> Option<usize> {
    let sample = action.samples.iter().next()?;
    let text = contest_file_of_sample(system, action, sample);
    let experiment = Experiment::read_experiment_text(catalogue, "x.toml", &text).ok()?;
    // A grid or a chain is no single design.
    let [cell] = &experiment.cells[..] else { return None };
    let answers = solve_experiment(&experiment, &SolverSettings::for_exact_only()).ok()?;
    if answers[0].states.is_none_or(|states| states > MAX_STATES) {
        return None;
    }
    let measures = cell.played.combat.measures().iter().filter_map(|head| {
        let value = answers[0].measure_answer_by_name(&head.name)?.exact?;
        (value.is_finite() && value >= 0.0).then(|| (head.name.to_string(), value))
    });
    let measures: Vec<(String, f64)> = measures.collect();
    let (measure, value) = measures.first()?;
    let moved = influences_on_each_contest(&experiment, Some(measure), &NoObserver).ok()?;
    let moved: Vec<&str> = moved[0].steps.iter().map(|step| step.name.as_str()).collect();
    let want = WantedValue::parse(&format!("{measure} = {value:.12}")).expect("a want");
    let (tries, _) = try_single_numbers(cell, &want, false, &NoObserver).ok()?;
    let hidden = tries.iter().filter_map(|one| {
        let change = &one.changes[0];
        let (now, other) = (change.from.as_integer()?, change.to.as_integer()?);
        let values: Vec<i64> = match now < other {
            true => (now..=other.min(now + MAX_VALUES - 1)).collect(),
            false => (other.max(now - MAX_VALUES + 1)..=now).collect(),
        };
        moved.contains(&change.name.as_str()).then(|| (change.name.clone(), now, values))
    });
    let hidden: Vec<(String, i64, Vec<i64>)> = hidden.take(MAX_HIDDEN).collect();
    if hidden.is_empty() {
        return None;
    }
    let wants = measures.iter().map(|(name, value)| format!("'{name} = {value:.16}'"));
    let changes = hidden.iter().map(|(name, _, values)| format!("\"{name}\" = {values:?}\n"));
    let file = format!(
        "{text}\n[seek]\nso_that = [{}]\n[seek.change]\n{}",
        wants.collect::<Vec<_>>().join(", "),
        changes.collect::<String>()
    );
    let question = SeekQuestion::read_or_cancel(catalogue, "x.toml", &file, &NEVER_CANCELLED);
    let mut question = question.unwrap_or_else(|error| panic!("{error:?}\n{file}"));
    let answer = answer_search(&mut question, &NoObserver);
    let answer = answer.unwrap_or_else(|error| panic!("{error}\n{file}"));
    let printed = |design: &[u16]| {
        question.numbers.iter().zip(design).all(|(number, at)| {
            let own = hidden.iter().find(|(name, ..)| *name == number.name).expect("it is hidden");
            number.format_value(usize::from(*at)) == own.1.to_string()
        })
    };
    assert!(answer.best_designs.iter().any(|one| printed(&one.values)), "{file}");
    Some(hidden.len())
}

#[test]
fn printed_numbers_of_shipped_games_are_found_again() {
    let built_in = enfilade_games::built_in_catalogue();
    let mut found: Vec<(String, Option<usize>)> = Vec::new();
    for system in built_in.rulebooks_created_on_demand() {
        found.push((system.id.to_string(), find_again(&built_in, system, &system.actions[0])));
    }
    let is_built_in = |file: &PathBuf| {
        built_in
            .rulebooks_created_on_demand()
            .any(|system| file.file_stem().is_some_and(|id| id == &*system.id))
    };
    for file in rulebook_files().into_iter().filter(|file| !is_built_in(file)) {
        let catalogue = catalogue_with(&file);
        let system = catalogue.sole_text_rulebook().expect("one rulebook");
        let own = system.actions.iter().find_map(|action| find_again(&catalogue, system, action));
        found.push((file.file_stem().expect("a name").to_string_lossy().into_owned(), own));
    }
    println!("{found:?}");
    let games = found.iter().filter(|(_, hidden)| hidden.is_some()).count();
    // Some examples are whole battles, and some have no number that is a whole number.
    assert!(games * 3 >= found.len() * 2, "{games} of {}: {found:?}", found.len());
}
