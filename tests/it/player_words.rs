//! What people look at speaks as players do: every picture, card and table of every experiment, a few
//! cells of each, without the names that files and columns have.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use enfilade::error::Error;
use enfilade::report::blocks::{Block, Entry};
use enfilade::report::{card, tables};
use enfilade::study::answer::Answer;
use enfilade::study::experiment::Experiment;
use enfilade::study::journal::Journal;
use enfilade::study::solve::{Settings, Unwatched, solve};

/// Too large for a test, even of a few cells.
const LARGE: [&str; 3] = ["whole_fight", "aic_suppression", "design_space"];

/// The experiments and cards: what is no arsenal.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let listed = |folder: PathBuf| {
        let entries = fs::read_dir(folder).expect("the folder is there");
        entries.map(|entry| entry.expect("it can be listed").path()).collect::<Vec<_>>()
    };
    let mut files = [listed(root.clone()), listed(root.join("cards"))].concat();
    files.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    files.retain(|path| {
        !LARGE.iter().any(|name| path.file_stem().is_some_and(|stem| stem == *name))
    });
    files.sort();
    files
}

/// An experiment with the first, a middle and the last cell of each of its contests.
fn few(path: &Path) -> Option<(Experiment, Vec<Answer>)> {
    let text = fs::read_to_string(path).expect("it can be read");
    let read = Experiment::read(crate::built_in(), &path.to_string_lossy(), &text);
    let mut experiment = match read {
        Ok(experiment) => experiment,
        Err(Error::Input { .. }) => return None,
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
    let mut at = 0..;
    experiment.cells.retain(|_| at.next().is_some_and(|at| kept.contains(&at)));
    let solved = solve(&experiment.cells, &Settings::exact(), &Unwatched, &Journal::none());
    Some((experiment, solved.ok()?.answers))
}

/// Names of the program: `p_kill`, `target.morale`; "all 0"; switches.
fn is_of_the_program(text: &str) -> bool {
    let name = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let parts: Vec<_> = word.split('.').collect();
        let dotted = parts.len() == 2
            && parts
                .iter()
                .all(|part| part.len() > 2 && part.chars().all(|c| c.is_ascii_lowercase()));
        word.contains('_') || dotted
    };
    text.contains("all 0")
        || text.ends_with(" true")
        || text.ends_with(" false")
        || text.split_whitespace().any(name)
}

fn assert_spoken(what: &str, path: &Path, text: &str) {
    assert!(!is_of_the_program(text), "{what} of {}: {text:?}", path.display());
}

#[test]
fn names_of_the_program_are_seen() {
    for text in ["p_kill %", "target.morale 7", "all 0", "in cover false"] {
        assert!(is_of_the_program(text), "{text}");
    }
    for text in ["any break, %", "morale 7", "A7.301, A10.3", "drm −1.5", "N = 1 000."] {
        assert!(!is_of_the_program(text), "{text}");
    }
}

#[test]
fn tables_speak_as_players_do() {
    let mut seen = 0;
    for path in files() {
        let Some((_, answers)) = few(&path) else { continue };
        for block in tables::report(&answers) {
            if let Block::Table(name, table) = block {
                seen += 1;
                let texts = table.rows.iter().flatten().filter_map(|entry| match entry {
                    Entry::Text(text) => Some(text),
                    _ => None,
                });
                // The last column of a table of measures says what they mean in full.
                for text in table.heads.iter().chain([&name]) {
                    assert_spoken("a head", &path, text);
                }
                for text in texts.filter(|text| text.len() < 60) {
                    assert_spoken("an entry", &path, text);
                }
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn cards_speak_as_players_do() {
    let writer = enfilade::report::blocks::WRITERS.iter().find(|writer| writer.name == "markdown");
    let format = card::Format::Text(writer.expect("it is built in"));
    let mut seen = 0;
    for path in files() {
        let Some((experiment, answers)) = few(&path) else { continue };
        let Ok(made) = card::write(&experiment, &answers, format) else { continue };
        let made = String::from_utf8(made).expect("it is text");
        for line in made.lines().filter(|line| line.starts_with(['|', '#'])) {
            for cell in line.split('|') {
                assert_spoken("a card", &path, cell);
            }
        }
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn charts_speak_as_players_do() {
    use enfilade::report::charts::gallery;

    let mut seen = 0;
    for path in files() {
        let Some((experiment, answers)) = few(&path) else { continue };
        let gallery = gallery(&experiment.charts, &answers);
        for drawing in &gallery.drawings {
            for label in drawing.scene.labels() {
                assert_spoken("a picture", &path, &label.text);
                // Eight points at 96 pixels an inch.
                assert!(label.set.size >= 8.0 * 96.0 / 72.0, "{}: {label:?}", path.display());
            }
            seen += 1;
        }
        for left_out in &gallery.left_out {
            assert_spoken("what is left out", &path, &left_out.chart);
        }
    }
    assert!(seen > 40, "{seen}");
}
