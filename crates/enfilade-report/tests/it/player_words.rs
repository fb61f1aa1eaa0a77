//! What people look at speaks as players do: every picture, card and table of every experiment and
//! question, a few cells of each, without the names of files and columns.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use enfilade_report::answers::answer_tables;
use enfilade_report::blocks::{
    ReportBlock, ReportTableCell, StyledSentence, WIDTHLESS_BLOCK_FORMATS,
};
use enfilade_report::compare::{self, TwoComparedFiles};
use enfilade_report::folder::staging::FolderClaim;
use enfilade_report::{
    self as report, InputFileWithRulebooks, PrintedAnswerFormat, ReportStyle, RunFacts, card,
};
use enfilade_study::checkpoint::journal::BuildId;
use enfilade_study::comparison::ExperimentComparison;
use enfilade_study::experiment::Experiment;

use crate::walked::{WALKED, fault, is_of_the_program, read_of_markdown, without};

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
    let writer = WIDTHLESS_BLOCK_FORMATS.iter().find(|writer| writer.name == "markdown");
    let format = card::WrittenCardFormat::Text(writer.expect("it is built in"));
    let mut seen = 0;
    for (path, (experiment, answers)) in WALKED.iter() {
        let Ok(made) = card::encode_cards(experiment, answers, format) else { continue };
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
    use enfilade_report::charts::draw_all_charts;

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
            build: BuildId("a test"),
            input: Some(InputFileWithRulebooks::new("x.toml", "")),
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
    let file = || InputFileWithRulebooks::new("x.toml", "");
    let (sides, mut seen) = (TwoComparedFiles::named_after_files(file(), file()), 0);
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
            let format = PrintedAnswerFormat::Text(ReportStyle::Page(writer));
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

/// The titles of charts in parts: none says what another one says.
#[test]
fn charts_and_legends_say_nothing_twice() {
    use enfilade_report::charts::draw_all_charts;

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
