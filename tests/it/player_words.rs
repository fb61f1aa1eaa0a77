//! What people look at speaks as players do: every picture, card and table of every experiment and
//! question, a few cells of each, and the prices, without the names of files and columns.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use enfilade::error::StudyError;
use enfilade::report::answers::answer_tables;
use enfilade::report::blocks::{
    ReportBlock, ReportTableCell, StyledSentence, WIDTHLESS_BLOCK_FORMATS,
};
use enfilade::report::compare::{self, ComparedInputFiles};
use enfilade::report::folder::staging::FolderClaim;
use enfilade::report::{self, AnswerFormat, InputFile, ReportStyle, RunFacts, card};
use enfilade::study::answer::Answer;
use enfilade::study::checkpoint::journal::TrialJournal;
use enfilade::study::comparison::ExperimentComparison;
use enfilade::study::experiment::Experiment;
use enfilade::study::solve::{NoObserver, SolverSettings, solve_cells};

/// Of these only the first two cells are asked: the others take minutes.
const LARGE: [&str; 2] = ["whole_fight", "aic_suppression"];

/// The experiments, questions, variants and cards; arsenals and searches are walked apart.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
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
type Answered = (Experiment, Vec<Answer>);

/// Every file with a few of its cells, answered once for all tests.
static WALKED: LazyLock<Vec<(PathBuf, Answered)>> = LazyLock::new(|| {
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
        &TrialJournal::without_storage(),
    );
    Some((experiment, solved.ok()?.answers))
}

/// Endings of files, which are called by their names.
const FILES: [&str; 7] = [".csv", ".html", ".json", ".md", ".parquet", ".rules", ".toml"];

/// Names of the program: `p_kill`, `target.morale`; "all 0"; switches.
fn is_of_the_program(text: &str) -> bool {
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
fn fault(what: &str, path: &Path, text: &str) -> Option<String> {
    is_of_the_program(text).then(|| format!("{what} of {}: {text:?}", path.display()))
}

fn assert_spoken(what: &str, path: &Path, text: &str) {
    assert_eq!(fault(what, path, text), None);
}

#[test]
fn names_of_the_program_are_seen() {
    for text in ["p_kill %", "target.morale 7", "all 0", "in cover false"] {
        assert!(is_of_the_program(text), "{text}");
    }
    for text in [
        "all are in cells.csv",
        "any break, %",
        "morale 7",
        "A7.301, A10.3",
        "drm −1.5",
        "N = 1 000.",
    ] {
        assert!(!is_of_the_program(text), "{text}");
    }
}

#[test]
fn tables_speak_as_players_do() {
    let mut seen = 0;
    for (path, (_, answers)) in WALKED.iter() {
        for block in answer_tables::build_report_blocks(answers) {
            if let ReportBlock::Table(name, table) = block {
                seen += 1;
                let texts = table.rows.iter().flatten().filter_map(|entry| match entry {
                    ReportTableCell::Text(text) => Some(text),
                    _ => None,
                });
                // The last column of a table of measures says what they mean in full.
                for text in table.heads.iter().chain([&name]) {
                    assert_spoken("a head", path, text);
                }
                for text in texts.filter(|text| text.len() < 60) {
                    assert_spoken("an entry", path, text);
                }
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn cards_speak_as_players_do() {
    let writer = enfilade::report::blocks::WIDTHLESS_BLOCK_FORMATS
        .iter()
        .find(|writer| writer.name == "markdown");
    let format = card::WrittenCardFormat::Text(writer.expect("it is built in"));
    let mut seen = 0;
    for (path, (experiment, answers)) in WALKED.iter() {
        let Ok(made) = card::write_cards(experiment, answers, format) else { continue };
        let made = String::from_utf8(made).expect("it is text");
        for line in made.lines().filter(|line| line.starts_with(['|', '#'])) {
            for cell in line.split('|') {
                assert_spoken("a card", path, cell);
            }
        }
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn charts_speak_as_players_do() {
    use enfilade::report::charts::draw_all_charts;

    let mut seen = 0;
    for (path, (experiment, answers)) in WALKED.iter() {
        let gallery = draw_all_charts(&experiment.charts, answers);
        for drawing in &gallery.drawings {
            for label in drawing.scene.iter_labels() {
                assert_spoken("a picture", path, &label.text);
                // Eight points at 96 pixels an inch.
                assert!(label.set.size >= 8.0 * 96.0 / 72.0, "{}: {label:?}", path.display());
            }
            seen += 1;
        }
        for left_out in &gallery.left_out {
            assert_spoken("what is left out", path, &left_out.chart);
        }
    }
    assert!(seen > 40, "{seen}");
}

/// Text without what stands between two signs.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut parts = text.split(open);
    let mut left = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        left.push_str(part.split_once(close).map_or("", |(_, rest)| rest));
    }
    left
}

/// What is read of Markdown: no code, no addresses, no names that a legend gives for files.
fn read_of_markdown(text: &str) -> String {
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

/// The texts of a page, and the titles, labels, values and outcomes that its script reads.
fn read_of_page(page: &str) -> Vec<String> {
    let data = page.split_once(r#"id="data">"#).and_then(|(_, rest)| rest.split_once("</script>"));
    let data: serde_json::Value =
        serde_json::from_str(data.expect("it carries data").0).expect("JSON");
    let mut said = Vec::new();
    let mut say = |value: &serde_json::Value| said.extend(value.as_str().map(str::to_owned));
    let all = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    all(&data["heads"]).iter().for_each(|head| say(&head[1]));
    for contest in all(&data["contests"]) {
        say(&contest["title"]);
        all(&contest["outcomes"]).iter().for_each(&mut say);
        for axis in all(&contest["axes"]) {
            say(&axis["label"]);
            all(&axis["values"]).iter().for_each(&mut say);
        }
    }
    let shown = ["script", "style", "svg", "code", "pre", "head"]
        .iter()
        .fold(page.to_owned(), |page, tag| {
            without(&page, &format!("<{tag}"), &format!("</{tag}>"))
        });
    // Names for files stand in the entries of legends.
    let texts = shown.split('<').filter(|part| !part.starts_with("li>"));
    let texts =
        texts.filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim().to_owned());
    said.extend(texts.filter(|text| !text.is_empty()));
    said
}

/// What the author of a file says himself.
fn is_of_the_author(experiment: &Experiment, line: &str) -> bool {
    let own = [&experiment.question, &experiment.prediction];
    own.into_iter().flatten().any(|own| line.contains(own.lines().next().unwrap_or(own)))
}

#[test]
fn pages_and_summaries_speak_as_players_do() {
    let (mut seen, mut faults) = (0, BTreeSet::new());
    for (path, (experiment, answers)) in WALKED.iter() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let claim = FolderClaim::claim_to_overwrite_all(folder.path()).expect("nobody has it");
        let facts = RunFacts {
            command: vec!["enfilade".into(), "run".into()],
            build: enfilade::PROGRAM_BUILD_ID,
            input: Some(InputFile::new("x.toml", "")),
            started: std::time::SystemTime::UNIX_EPOCH,
            duration: std::time::Duration::ZERO,
            identity: None,
        };
        report::write_run_folder(
            &claim,
            experiment,
            answers,
            &facts,
            report::OptionalRunFiles::default(),
        )
        .expect("it can be written");
        let read =
            |name: &str| fs::read_to_string(folder.path().join(name)).expect("it was written");
        for line in read_of_markdown(&read("summary.md")).lines() {
            if !is_of_the_author(experiment, line) {
                line.split('|').for_each(|text| faults.extend(fault("a summary", path, text)));
            }
        }
        for text in read_of_page(&read("report.html")) {
            if !is_of_the_author(experiment, &text) {
                faults.extend(fault("a page", path, &text));
            }
        }
        seen += 1;
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(seen > 15, "{seen}");
}

#[test]
fn comparisons_speak_as_players_do() {
    let writer = WIDTHLESS_BLOCK_FORMATS
        .iter()
        .find(|writer| writer.name == "markdown")
        .expect("it is built in");
    let file = || InputFile::new("x.toml", "");
    let (sides, mut seen) = (ComparedInputFiles::named_after_files(file(), file()), 0);
    let mut faults = BTreeSet::new();
    for (path, (_, answers)) in WALKED.iter() {
        for cells in answers.chunk_by(|a, b| a.contest == b.contest) {
            // The ends of a grid as two variants, whose axes are what was changed.
            let [a, b] = [cells.first(), cells.last()].map(|cell| {
                let mut cell = cell.expect("a contest has cells").clone();
                cell.axes.clear();
                [cell]
            });
            let comparison = ExperimentComparison::new(&a, &b);
            let format = AnswerFormat::Text(ReportStyle::Page(writer));
            let text = compare::render_comparison(&comparison, &sides, format, true);
            for line in read_of_markdown(&text).lines() {
                line.split('|').for_each(|text| faults.extend(fault("a comparison", path, text)));
            }
            seen += usize::from(!comparison.changes.is_empty());
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(seen > 15, "{seen}");
}

/// Where a cell stands, every roll and how it ended; a rulebook in text has its own lines.
#[test]
fn explanations_speak_as_players_do() {
    let (mut seen, mut faults) = (0, BTreeSet::new());
    for (path, (experiment, _)) in WALKED.iter() {
        let last = experiment.cells.last().map_or(0, |cell| cell.index);
        let arguments = ["explain", &path.to_string_lossy(), "--cell", &last.to_string()];
        let text = crate::cards::page(&arguments, "");
        for line in text.lines() {
            faults.extend(fault("an explanation", path, line));
            assert!(!["==", ">=", "<=", "!="].iter().any(|sign| line.contains(sign)), "{line}");
        }
        let Some(outcome) = text.lines().find(|line| line.starts_with("outcome: ")) else {
            assert!(text.contains("not over after"), "{}: {text}", path.display());
            continue;
        };
        assert!(!outcome.contains(" 0"), "{}: {outcome}", path.display());
        seen += 1;
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(seen > 15, "{seen}");
}

/// The first weapon has shooters and so has the second one: what is told of the second says so.
#[test]
fn what_is_called_alike_says_its_table() {
    let file = "[[contest]]\nsystem = 'dropzone'\naction = 'shoot'\ntarget = 'Scourge/Hunter Tank'\n\
        weapon = 'UCM/Sabre Tank/Avenger Railgun'\nsquad = 2\n[[contest.attack]]\n\
        weapon = 'UCM/Rapier AA Tank/AA Vindicator'\nsquad = [1, 3]\n";
    let said = crate::cards::page(&["odds", "-", "--format", "markdown", "--exact-only"], file);
    let given = "weapon: UCM/Sabre Tank/Avenger Railgun, shooters 2, weapon (attack): UCM/Rapier AA Tank/AA \
        Vindicator, target: Scourge/Hunter Tank";
    assert!(said.contains(given), "{said}");
    assert!(said.contains("| shooters (attack) |"), "{said}");
    // A unit is no weapon: those that it has are asked for.
    let unit = file.replace("/Avenger Railgun", "");
    let refused = crate::cards::refusal(&["odds", "-"], &unit);
    let meant = r#"did you mean "UCM/Sabre Tank/Avenger Railgun" or "UCM/Sabre Tank/Gatling Gun"?"#;
    assert!(refused.contains(meant), "{refused}");
}

/// The titles of charts in parts: none says what another one says.
#[test]
fn charts_and_legends_say_nothing_twice() {
    use enfilade::report::charts::draw_all_charts;

    let text = |entry: &StyledSentence| {
        entry.0.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ")
    };
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<BTreeSet<_>>()
    };
    let (mut seen, mut faults) = (0, BTreeSet::new());
    for (path, (experiment, answers)) in WALKED.iter() {
        for drawing in &draw_all_charts(&experiment.charts, answers).drawings {
            let own = |title: &str| {
                experiment.charts.iter().any(|chart| chart.title.as_deref() == Some(title))
            };
            // The finding behind the measure has the names of the axes twice.
            let asked = drawing.title.split(" At ").next().unwrap_or_default();
            let asked = asked.split(": from ").next().unwrap_or_default();
            let parts: Vec<_> =
                asked.split([':', '?']).map(words).filter(|part| !part.is_empty()).collect();
            for (at, part) in parts.iter().enumerate() {
                let again = parts
                    .iter()
                    .enumerate()
                    .any(|(other, whole)| other != at && part.is_subset(whole));
                if again && !own(&drawing.title) {
                    faults.insert(format!("{}: {:?}", path.display(), drawing.title));
                }
            }
        }
        for block in answer_tables::build_report_blocks(answers) {
            let ReportBlock::List(entries) = block else { continue };
            for said in entries.iter().map(text) {
                let Some((head, about)) = said.split_once("): ") else { continue };
                let label = head.split(" (").next().unwrap_or_default();
                if words(about) == words(label) {
                    faults.insert(format!("{}: {said}", path.display()));
                }
                seen += 1;
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(seen > 50, "{seen}");
}

/// The texts of a picture.
fn read_of_picture(svg: &str) -> Vec<String> {
    let texts = svg.split("<text").skip(1).filter_map(|part| part.split_once('>'));
    texts.map(|(_, text)| text.split("</text>").next().unwrap_or_default().to_owned()).collect()
}

/// Everything that a command leaves in a folder for people, and what it says on the terminal.
fn assert_folder_is_spoken(path: &Path, folder: &Path, screen: &str, own: &[&str]) {
    let mut faults = BTreeSet::new();
    let is_own = |line: &str| own.iter().any(|own| line.contains(own));
    let mut see = |what: &str, text: &str| {
        // Where the folder lies is a path.
        if !is_own(text) && !text.contains(&*folder.to_string_lossy()) {
            faults.extend(fault(what, path, text));
        }
    };
    for line in screen.lines() {
        line.split('┆').for_each(|text| see("the terminal", text.trim_matches(['│', ' '])));
    }
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    for line in read_of_markdown(&read("summary.md")).lines() {
        line.split('|').for_each(|text| see("a summary", text));
    }
    let page = ["script", "style", "svg", "code", "pre", "head"]
        .iter()
        .fold(read("report.html"), |page, tag| {
            without(&page, &format!("<{tag}"), &format!("</{tag}>"))
        });
    for (_, text) in page.split('<').filter_map(|part| part.split_once('>')) {
        see("a page", text.trim());
    }
    for entry in fs::read_dir(folder.join("charts")).expect("there are pictures") {
        let file = entry.expect("it can be listed").path();
        if file.extension().is_some_and(|end| end == "svg") {
            let svg = fs::read_to_string(file).expect("it can be read");
            read_of_picture(&svg).iter().for_each(|text| see("a picture", text));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn prices_speak_as_players_do() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/questions");
    for name in ["dropzone_04_price_of_my_tank", "skirmishers_04_price_of_my_autocannon"] {
        let path = root.join(name).with_extension("toml");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (file, out) = (path.to_string_lossy(), folder.path().to_string_lossy());
        let arguments = ["balance", &*file, "--out", &*out, "--trials", "200", "--quiet"];
        let screen = crate::cards::page(&arguments, "");
        assert!(screen.contains("Assumed:"), "{screen}");
        assert_folder_is_spoken(&path, folder.path(), &screen, &[]);
    }
}

/// The search over a million settings, among sixteen of them.
#[test]
fn a_search_speaks_as_players_do() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/design_space.toml");
    let mut text = fs::read_to_string(&path).expect("it can be read");
    let fewer = [
        ("fp = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]", "fp = [8, 24]"),
        ("{ from = -8, to = 16 }", "[0, 3]"),
        ("[\"ift\", \"iift\"]", "\"ift\""),
        ("[true, false]", "[true, false]"),
        ("[\"10-3\", \"10-2\", \"9-2\", \"9-1\", \"8-1\", \"8-0\", \"7-0\"]", "\"9-1\""),
        ("[0, 1, 2, 3]", "[0, 2]"),
        ("{ from = 6, to = 10 }", "6"),
        ("{ from = 4, to = 10 }", "5"),
    ];
    for (much, little) in fewer {
        assert!(text.contains(much), "{much}");
        text = text.replace(much, little);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().to_string_lossy();
    let arguments = ["run", "-", "--out", &*out, "--trials", "1000", "--quiet"];
    let screen = crate::cards::page(&arguments, &text);
    let own = ["**Question.**", "**Prediction.**"];
    assert_folder_is_spoken(&path, folder.path(), &screen, &own);
}
