//! Two experiments side by side, on the terminal or in a folder; two [`arsenals`] likewise.
//!
//! `table` makes the tables for people, `data` JSON and CSV; the picture is made by
//! [`charts::compare`](super::charts::compare). What is shown was computed by
//! [`study::compare`](enfilade_study::compare).

use std::path::Path;

use serde_json::json;

use super::blocks::{Block, markdown};
use super::files::{Claim, Staging, WrittenFile};
use super::manifest::{self, InputFile, RunFacts};
use super::tables::ContestTables;
use super::{Format, csv, repeating, rulebooks};
use enfilade_engine::stream::STREAM_VERSION;
use enfilade_model::error::Error;
use enfilade_study::compare::Comparison;
use enfilade_study::shelf::stem;

pub mod arsenals;
mod data;
mod table;

/// The two files that are compared, as they were read.
#[derive(Clone, Debug)]
pub struct Sides {
    /// A: what is there now.
    pub a: InputFile,
    /// B: what is compared with it.
    pub b: InputFile,
    /// What a picture calls A and B.
    pub names: [String; 2],
}

impl Sides {
    /// Two files that are called as their files are.
    pub fn of_files(a: InputFile, b: InputFile) -> Sides {
        let names = [&a, &b].map(|file| stem(Path::new(&file.name)));
        Sides { a, b, names }
    }
}

/// The comparison in a format; on a terminal with `all` of it, or with what differs most.
pub fn render(comparison: &Comparison<'_>, sides: &Sides, format: Format, all: bool) -> String {
    match format {
        Format::Text(style) => {
            let few = Few { cells: ON_SCREEN, rest: "--all shows them" };
            let few = (!all && style.on_a_screen()).then_some(few);
            style.write(&told(comparison, sides, few))
        }
        Format::Json => format!("{:#}\n", data::json(comparison, sides)),
        Format::Csv => csv::render(&data::table(comparison)),
    }
}

/// How many cells are shown where not all are, and where the others are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few {
    /// Cells, those that differ most.
    pub cells: usize,
    /// Where all are.
    pub rest: &'static str,
}

/// Cells of each contest on a terminal.
const ON_SCREEN: usize = 6;

/// The files of a comparison, beside its picture and its manifest.
pub const FILES: &[&str] = &["compare.csv", "summary.md"];

/// Writes `compare.csv`, the picture as SVG and PNG (with the feature `png`), `summary.md` and
/// `manifest.json` into the claimed folder: all of them or none.
///
/// # Errors
/// When a file cannot be written or drawn.
pub fn write(
    claim: &Claim,
    comparison: &Comparison<'_>,
    sides: &Sides,
    facts: &RunFacts,
) -> Result<Vec<WrittenFile>, Error> {
    let mut staging = Staging::new(claim);
    staging.add("compare.csv", csv::render(&data::table(comparison)).as_bytes())?;
    let mut summary = told(comparison, sides, Some(SHOWN));
    summary.extend(add_picture(&mut staging, comparison, sides)?);
    summary.extend(repeating(sides, facts));
    staging.add("summary.md", markdown::write(&summary).as_bytes())?;
    sealed(staging, sides, facts, comparison.pairs.len())
}

/// Puts the manifest to the files of a comparison and the files into their folder.
fn sealed(
    staging: Staging<'_>,
    sides: &Sides,
    facts: &RunFacts,
    pairs: usize,
) -> Result<Vec<WrittenFile>, Error> {
    let input = |file: &InputFile| {
        let rulebooks = rulebooks::read(&file.rulebooks);
        json!({"name": file.name, "sha256": file.sha256, "rulebook_files": rulebooks})
    };
    let manifest = json!({
        "enfilade": env!("CARGO_PKG_VERSION"),
        "build": facts.build.0,
        "stream_version": STREAM_VERSION,
        "command": facts.command,
        "a": input(&sides.a),
        "b": input(&sides.b),
        "started": manifest::utc(facts.started),
        "finished": manifest::utc(facts.finished()),
        "pairs": pairs,
        "files": manifest::files(staging.files()),
    });
    staging.seal(manifest)
}

/// Draws the picture and returns the block that embeds it, or says why it is not there.
fn add_picture(
    staging: &mut Staging<'_>,
    comparison: &Comparison<'_>,
    sides: &Sides,
) -> Result<Option<Block>, Error> {
    use super::charts::{Drawing, compare};
    let (head, scene) = match compare::draw(comparison, (&sides.names[0], &sides.names[1])) {
        Ok(drawn) => drawn,
        Err(why) => return Ok(Some(Block::said(format!("Left out: the picture: {why}.")))),
    };
    let drawing = Drawing {
        name: format!("compare-{}", head.name),
        contest: 0,
        title: format!("{}, B less A", super::spoken::measure(&head)),
        caption: String::new(),
        scene,
    };
    Ok(super::run::add_drawings(staging, vec![drawing], &super::usual_pictures())?
        .pop()
        .map(Block::Picture))
}

/// Which file is which.
fn head(sides: &Sides) -> [String; 2] {
    [format!("A: {}", sides.a.name), format!("B: {}", sides.b.name)]
}

/// What was changed, and the cells that have no partner, a sentence each.
pub(super) fn lists(comparison: &Comparison<'_>) -> Vec<String> {
    let mut lines = table::changes(comparison);
    lines.extend(table::alone("A", &comparison.only_a));
    lines.extend(table::alone("B", &comparison.only_b));
    lines
}

/// What differs, with few cells of each contest or all of them.
fn told(comparison: &Comparison<'_>, sides: &Sides, few: Option<Few>) -> Vec<Block> {
    let mut blocks = opening(sides, lists(comparison));
    let sections = table::sections(comparison, few).into_iter();
    blocks.extend(sections.flat_map(ContestTables::blocks));
    blocks
}

/// Which file is which, and what is said of both.
fn opening(sides: &Sides, said: Vec<String>) -> Vec<Block> {
    let title = Block::Title(format!("{} against {}", sides.b.name, sides.a.name));
    let lines = head(sides).into_iter().chain(said);
    [title].into_iter().chain(Block::listed(lines)).collect()
}

/// Cells shown of each contest in a summary; all of them are in `compare.csv`.
const SHOWN: Few = Few { cells: 24, rest: "all of them are in compare.csv" };

/// How to do it again.
fn repeating(sides: &Sides, facts: &RunFacts) -> Vec<Block> {
    let files = vec![repeating::read("A", &sides.a), repeating::read("B", &sides.b)];
    repeating::blocks(facts, files, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{Style, WRITERS};
    use crate::fixture;

    fn sides() -> Sides {
        Sides::of_files(InputFile::new("now.toml", ""), InputFile::new("then|.toml", ""))
    }

    /// Cell 0 of the fixture's grid: p_kill 2/36 and in B 6/36, so 11.11 points more; p_break 10/36
    /// and 14/36.
    #[test]
    fn every_format_tells_both_values_and_the_difference() {
        let a = fixture::grid();
        let mut b = a.clone();
        b[0] = fixture::answer(
            vec![
                ("fp", enfilade_model::form::Value::Int(1)),
                ("drm", enfilade_model::form::Value::Int(-1)),
            ],
            6,
            8,
        );
        b.pop();
        let comparison = Comparison::new(&a, &b);
        let text = |style| render(&comparison, &sides(), Format::Text(style), true);
        let said = text(Style::Page(&WRITERS[0]));
        assert!(said.contains("| 1 | −1 | killed % | 5.56 (5.56 ± 0.04) | 16.67 (16.67 ± 0.07) | +11.11 (+11.11 ± 0.09) |"), "{said}");
        assert!(said.contains("Only in A, 1 cell: firepower 8, total modifier +3."), "{said}");
        let csv = render(&comparison, &sides(), Format::Csv, true);
        assert!(
            csv.lines()
                .next()
                .is_some_and(|head| head.starts_with("contest,fp,drm,measure,a_exact,")),
            "{csv}"
        );
        let json: serde_json::Value =
            serde_json::from_str(&render(&comparison, &sides(), Format::Json, true))
                .expect("it is JSON");
        let kill = &json["cells"][0]["measures"][0];
        assert_eq!(kill["name"], "p_kill");
        let exact = kill["difference"]["exact"].as_f64().expect("both are exact");
        assert!((exact - 4.0 / 36.0).abs() < 1e-15);
        assert_eq!(json["only_a"][0]["axes"]["fp"], 8);
    }

    #[cfg(feature = "terminal")]
    #[test]
    fn a_terminal_is_told_first_which_files_they_are() {
        let a = fixture::grid();
        let screen = Format::Text(Style::Terminal(crate::terminal::Screen::PLAIN));
        let table = render(&Comparison::new(&a, &a), &sides(), screen, true);
        let opening = "then|.toml against now.toml\nA: now.toml\nB: then|.toml\n";
        assert!(table.starts_with(opening), "{table}");
    }

    #[test]
    fn a_folder_holds_everything_it_lists() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let a = fixture::grid();
        let comparison = Comparison::new(&a, &a);
        let facts = RunFacts {
            command: vec!["enfilade".into(), "compare".into()],
            build: enfilade_study::journal::BuildId("a test"),
            input: None,
            started: std::time::SystemTime::UNIX_EPOCH,
            taken: std::time::Duration::ZERO,
            identity: None,
        };
        let claim = Claim::freely(folder.path()).expect("nobody has it");
        let files = write(&claim, &comparison, &sides(), &facts).expect("written");
        assert!(files.iter().all(|file| folder.path().join(&file.name).is_file()));
        let summary = std::fs::read_to_string(folder.path().join("summary.md")).expect("readable");
        assert!(summary.starts_with("# then\\|.toml against now.toml\n"));
        assert!(summary.contains("Nothing was changed."));
    }
}
