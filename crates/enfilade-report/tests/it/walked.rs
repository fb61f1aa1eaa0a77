//! A few cells of every experiment and question, answered once for all tests, and what of a text is
//! for people to read.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{NoObserver, SolverSettings, solve_cells};
use enfilade_testkit::source_files::repository_folder;

/// Of these only the first two cells are asked: the others take minutes.
const LARGE: [&str; 2] = ["whole_fight", "aic_suppression"];

/// The experiments, questions, variants and cards; arsenals and searches are walked apart.
fn files() -> Vec<PathBuf> {
    let root = repository_folder().join("experiments");
    let listed = |folder: PathBuf| {
        let entries = fs::read_dir(folder).expect("the folder is there");
        entries.map(|entry| entry.expect("it can be listed").path()).collect::<Vec<_>>()
    };
    let folders = ["", "cards", "questions", "variants"].map(|name| listed(root.join(name)));
    let mut files = folders.concat();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.sort();
    files
}

fn is(path: &Path, name: &str) -> bool {
    path.file_stem().is_some_and(|stem| stem == name)
}

/// What was asked, and the answers.
pub type Answered = (Experiment, Vec<Answer>);

/// Every file with a few of its cells, answered once for all tests.
pub static WALKED: LazyLock<Vec<(PathBuf, Answered)>> = LazyLock::new(|| {
    let answered = |path: PathBuf| few(&path).map(|answered| (path, answered));
    files().into_iter().filter_map(answered).collect()
});

/// An experiment with the first, a middle and the last cell of each of its contests.
fn few(path: &Path) -> Option<Answered> {
    let text = fs::read_to_string(path).expect("it can be read");
    let read = Experiment::read_experiment_text(crate::built_in(), &path.to_string_lossy(), &text);
    let mut experiment = match read {
        Ok(experiment) => experiment,
        Err(StudyError::Input(_)) => return None,
        Err(error) => panic!("{error:?}"),
    };
    if experiment.search.is_some() {
        return None;
    }
    let mut start = 0;
    let mut kept = BTreeSet::new();
    for cells in experiment.cells.chunk_by(|a, b| a.contest == b.contest) {
        kept.extend([0, cells.len() / 2, cells.len() - 1].map(|at| start + at));
        start += cells.len();
    }
    if LARGE.iter().any(|name| is(path, name)) {
        kept = BTreeSet::from([0, 1]);
    }
    let mut at = 0..;
    experiment.cells.retain(|_| at.next().is_some_and(|at| kept.contains(&at)));
    let solved = solve_cells(
        &experiment.cells,
        &SolverSettings::for_exact_only(),
        &NoObserver,
        &CellTrialJournal::without_storage(),
    );
    Some((experiment, solved.ok()?.answers))
}

/// Endings of files, which are called by their names.
const FILES: [&str; 7] = [".csv", ".html", ".json", ".md", ".parquet", ".rules", ".toml"];

/// Names of the program: `p_kill`, `target.morale`; "all 0"; switches.
pub fn is_of_the_program(text: &str) -> bool {
    let name = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        if FILES.iter().any(|ending| word.ends_with(ending)) {
            return false;
        }
        let parts: Vec<_> = word.split('.').collect();
        let dotted = parts.len() == 2
            && parts
                .iter()
                .all(|part| part.len() > 2 && part.chars().all(|c| c.is_ascii_lowercase()));
        word.contains('_') || dotted
    };
    text.contains("all 0") && !text.contains("in all 0")
        || text.ends_with(" true")
        || text.ends_with(" false")
        || text.split_whitespace().any(name)
}

/// What is wrong with a text that somebody reads.
pub fn fault(what: &str, path: &Path, text: &str) -> Option<String> {
    is_of_the_program(text).then(|| format!("{what} of {}: {text:?}", path.display()))
}

/// Text without what stands between two signs.
pub fn without(text: &str, open: &str, close: &str) -> String {
    let mut parts = text.split(open);
    let mut left = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        left.push_str(part.split_once(close).map_or("", |(_, rest)| rest));
    }
    left
}

/// What is read of Markdown: no code, no addresses, no names that a legend gives for files.
pub fn read_of_markdown(text: &str) -> String {
    let text = without(&without(text, "```", "```"), "](", ")");
    let text = without(&text, "`", "`").replace("\\", "");
    let named =
        |word: &str| word.starts_with('(') && word.trim_end_matches([':', ',']).ends_with(')');
    let line = |line: &str| match line.strip_prefix("- ") {
        Some(entry) => entry.split(' ').filter(|word| !named(word)).collect::<Vec<_>>().join(" "),
        None => line.to_owned(),
    };
    let read = text.lines().filter(|line| !line.starts_with("    "));
    read.map(line).collect::<Vec<_>>().join("\n")
}
