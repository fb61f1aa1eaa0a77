//! Comparison of two experiments, on the terminal or in a folder, and of two [`arsenals`].
//!
//! Tables for people, JSON and CSV are built here, and the picture in
//! [`charts`](super::charts::comparison_chart). The numbers come from
//! [`study::compare`](enfilade_study::comparison).

use std::path::Path;

use super::Format;
use super::answers::answer_tables::ContestTables;
use super::blocks::Block;
use super::folder::manifest::InputFile;
use super::json::indented;
use super::tables::csv;
use enfilade_study::comparison::Comparison;
use enfilade_study::file::rulebook_loader::stem;

pub mod arsenals;
#[cfg(feature = "files")]
pub mod comparison_folder;
mod comparison_json;
mod comparison_tables;

/// The two compared files.
#[derive(Clone, Debug)]
pub struct Sides {
    /// A: the baseline.
    pub a: InputFile,
    /// B: the file compared with it.
    pub b: InputFile,
    /// The names of A and B in pictures.
    pub names: [String; 2],
}

impl Sides {
    /// Takes two files that are called by their own names.
    pub fn of_files(a: InputFile, b: InputFile) -> Sides {
        let names = [&a, &b].map(|file| stem(Path::new(&file.name)));
        Sides { a, b, names }
    }
}

/// Renders the comparison in a format; on a terminal with `all` of it, or only with the largest
/// differences.
pub fn render(comparison: &Comparison<'_>, sides: &Sides, format: Format, all: bool) -> String {
    match format {
        Format::Text(style) => {
            let few = Few { cells: ON_SCREEN, rest: "--all shows them" };
            let few = (!all && style.on_a_screen()).then_some(few);
            style.write(&told(comparison, sides, few))
        }
        Format::Json => indented(&comparison_json::document(comparison, sides)),
        Format::Csv => csv::render(&comparison_json::table(comparison)),
    }
}

/// The number of cells shown where not all are, and the place of the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Few {
    /// The number of cells shown, those with the largest differences.
    pub cells: usize,
    /// The place where all cells are.
    pub rest: &'static str,
}

/// The largest number of cells of each contest on a terminal.
const ON_SCREEN: usize = 6;

/// The files of a comparison, beside its picture and its manifest.
pub const FILES: &[&str] = &["compare.csv", "summary.md"];

/// Names the files A and B.
fn head(sides: &Sides) -> [String; 2] {
    [format!("A: {}", sides.a.name), format!("B: {}", sides.b.name)]
}

/// Describes the changes, and the cells without a partner, a sentence each.
pub(super) fn lists(comparison: &Comparison<'_>) -> Vec<String> {
    let mut lines = comparison_tables::changes(comparison);
    lines.extend(comparison_tables::alone("A", &comparison.only_a));
    lines.extend(comparison_tables::alone("B", &comparison.only_b));
    lines
}

/// Builds the blocks of the differences, with some cells of each contest or all of them.
fn told(comparison: &Comparison<'_>, sides: &Sides, few: Option<Few>) -> Vec<Block> {
    let mut blocks = opening(sides, lists(comparison));
    let sections = comparison_tables::sections(comparison, few).into_iter();
    blocks.extend(sections.flat_map(ContestTables::blocks));
    blocks
}

/// Builds the opening: the files A and B, and the remarks on both.
fn opening(sides: &Sides, said: Vec<String>) -> Vec<Block> {
    let title = Block::Title(format!("{} against {}", sides.b.name, sides.a.name));
    let lines = head(sides).into_iter().chain(said);
    [title].into_iter().chain(Block::listed(lines)).collect()
}

#[cfg(test)]
#[cfg(feature = "files")]
mod tests {
    use super::*;
    use crate::blocks::{Style, WRITERS};
    use crate::folder::manifest::RunFacts;
    use crate::folder::staging::Claim;
    use crate::test_answers;

    fn sides() -> Sides {
        Sides::of_files(InputFile::new("now.toml", ""), InputFile::new("then|.toml", ""))
    }

    /// Cell 0 of the test grid: p_kill 2/36 and in B 6/36, so 11.11 points more; p_break 10/36 and
    /// 14/36.
    #[test]
    fn every_format_tells_both_values_and_the_difference() {
        let a = test_answers::grid();
        let mut b = a.clone();
        b[0] = test_answers::answer(
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
        let a = test_answers::grid();
        let screen = Format::Text(Style::Terminal(crate::terminal::Screen::PLAIN));
        let table = render(&Comparison::new(&a, &a), &sides(), screen, true);
        let opening = "then|.toml against now.toml\nA: now.toml\nB: then|.toml\n";
        assert!(table.starts_with(opening), "{table}");
    }

    #[test]
    fn a_folder_holds_everything_it_lists() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let a = test_answers::grid();
        let comparison = Comparison::new(&a, &a);
        let facts = RunFacts {
            command: vec!["enfilade".into(), "compare".into()],
            build: enfilade_study::checkpoint::journal::BuildId("a test"),
            input: None,
            started: std::time::SystemTime::UNIX_EPOCH,
            taken: std::time::Duration::ZERO,
            identity: None,
        };
        let claim = Claim::freely(folder.path()).expect("nobody has it");
        let files =
            comparison_folder::write(&claim, &comparison, &sides(), &facts).expect("written");
        assert!(files.iter().all(|file| folder.path().join(&file.name).is_file()));
        let summary = std::fs::read_to_string(folder.path().join("summary.md")).expect("readable");
        assert!(summary.starts_with("# then\\|.toml against now.toml\n"));
        assert!(summary.contains("Nothing was changed."));
    }
}
