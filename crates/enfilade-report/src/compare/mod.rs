//! Comparison of two experiments, on the terminal or in a folder, and of two
//! [arsenals](arsenal_comparison).
//!
//! Tables for people, JSON and CSV are built here, and the picture in
//! [`charts`](super::charts::comparison_chart). The numbers come from
//! [`study::compare`](enfilade_study::comparison).

use std::path::Path;

use super::answer_format::PrintedAnswerFormat;
use super::answers::answer_tables::TablesOfContest;
use super::blocks::{
    PictureFileAndTitle, PictureWithContent, ReportBlock, ReportStyle, StyledSentence, html,
};
use super::charts::comparison_chart;
use super::drawing;
use super::folder::manifest::InputFileWithRulebooks;
use super::json_text::to_indented_json;
use super::tables::csv;
use super::text::labels;
use enfilade_study::comparison::ExperimentComparison;
use enfilade_study::file::rulebook_loader::rulebook_name_of_path;

pub mod arsenal_comparison;
#[cfg(feature = "files")]
pub mod comparison_folder;
mod comparison_json;
mod comparison_tables;
mod conclusion;
pub mod several;

/// The two compared files.
#[derive(Clone, Debug)]
pub struct TwoComparedFiles {
    /// A: the baseline.
    pub a: InputFileWithRulebooks,
    /// B: the file compared with it.
    pub b: InputFileWithRulebooks,
    /// The names of A and B in pictures.
    pub names: [String; 2],
}

impl TwoComparedFiles {
    /// Takes two files that are called by their own names.
    pub fn named_after_files(
        a: InputFileWithRulebooks,
        b: InputFileWithRulebooks,
    ) -> TwoComparedFiles {
        let names = [&a, &b].map(|file| rulebook_name_of_path(Path::new(&file.name)));
        TwoComparedFiles { a, b, names }
    }
}

/// Renders the blocks in a style; the tables of a web page are sorted by a press on a head.
fn render_with_sortable_tables(style: ReportStyle, blocks: &[ReportBlock]) -> String {
    match style {
        ReportStyle::Page(page) if page.name == "html" => {
            html::render_blocks_as_sortable_page(blocks)
        }
        _ => style.render_blocks(blocks),
    }
}

/// Renders the comparison in a format; on a terminal with `all` of it, or only with the largest
/// differences.
pub fn render_comparison(
    comparison: &ExperimentComparison<'_>,
    sides: &TwoComparedFiles,
    format: PrintedAnswerFormat,
    all: bool,
) -> String {
    match format {
        PrintedAnswerFormat::Text(style) => {
            let few = ShownCellLimit { cells: MAX_CELLS_ON_TERMINAL, rest: "--all shows them" };
            let few = (!all && style.is_on_screen()).then_some(few);
            let mut blocks = blocks_of_differences(comparison, sides, few);
            if !style.is_on_screen() {
                let at = blocks.len().min(2);
                blocks.splice(at..at, picture_block_if_drawable(comparison, sides));
            }
            render_with_sortable_tables(style, &blocks)
        }
        PrintedAnswerFormat::Json => {
            to_indented_json(&comparison_json::comparison_document(comparison, sides))
        }
        PrintedAnswerFormat::Csv => csv::render_csv(&comparison_json::difference_table(comparison)),
    }
}

/// The number of cells shown where not all are, and the place of the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownCellLimit {
    /// The number of cells shown, those with the largest differences.
    pub cells: usize,
    /// The place where all cells are.
    pub rest: &'static str,
}

/// The largest number of cells of each contest on a terminal.
const MAX_CELLS_ON_TERMINAL: usize = 6;

/// The files of a comparison, beside its picture and its manifest.
pub const COMPARISON_FILE_NAMES: &[&str] = &["compare.csv", "report.html", "summary.md"];

/// Names the files A and B.
fn file_labels_a_and_b(sides: &TwoComparedFiles) -> [String; 2] {
    [format!("A: {}", sides.a.name), format!("B: {}", sides.b.name)]
}

/// Describes the changes, and the cells without a partner, a sentence each.
pub(super) fn describe_changes_and_unpaired(comparison: &ExperimentComparison<'_>) -> Vec<String> {
    let mut lines = comparison_tables::changed_parameter_lines(comparison);
    lines.extend(comparison_tables::cells_of_one_side_note("A", &comparison.only_a));
    lines.extend(comparison_tables::cells_of_one_side_note("B", &comparison.only_b));
    lines
}

/// Builds the blocks of the differences, with some cells of each contest or all of them.
fn blocks_of_differences(
    comparison: &ExperimentComparison<'_>,
    sides: &TwoComparedFiles,
    few: Option<ShownCellLimit>,
) -> Vec<ReportBlock> {
    let mut blocks =
        opening_with_files_and_remarks(sides, describe_changes_and_unpaired(comparison));
    let conclusion = conclusion::largest_change_sentence(comparison);
    let at = blocks.len().min(1);
    blocks.splice(
        at..at,
        conclusion.map(|text| ReportBlock::Sentence(StyledSentence::new_strong(text))),
    );
    let sections = comparison_tables::build_contest_sections(comparison, few).into_iter();
    blocks.extend(sections.flat_map(TablesOfContest::into_titled_blocks));
    blocks
}

/// Draws the comparison for a page that holds its picture; `None` where there is nothing to draw.
fn picture_block_if_drawable(
    comparison: &ExperimentComparison<'_>,
    sides: &TwoComparedFiles,
) -> Option<ReportBlock> {
    let names = (&*sides.names[0], &*sides.names[1]);
    let (head, scene) = comparison_chart::draw_comparison(comparison, names).ok()?;
    let title = format!("{}, B less A", labels::capitalize_first(&labels::measure_label(&head)));
    let picture = PictureFileAndTitle { contest: 0, file: String::new(), title };
    Some(ReportBlock::Picture(PictureWithContent {
        picture,
        svg: drawing::render_scene_as_svg(&scene),
    }))
}

/// Builds the opening: the files A and B, and the remarks on both.
fn opening_with_files_and_remarks(
    sides: &TwoComparedFiles,
    texts: Vec<String>,
) -> Vec<ReportBlock> {
    let [a, b] = short_file_names(sides);
    let title = ReportBlock::Title(format!("{b} against {a}"));
    let lines = file_labels_a_and_b(sides).into_iter().chain(texts);
    [title].into_iter().chain(ReportBlock::new_list_if_any(lines)).collect()
}

/// Returns the names of both files without their folders, or with them if they are equal.
fn short_file_names(sides: &TwoComparedFiles) -> [&str; 2] {
    let both = [&*sides.a.name, &*sides.b.name];
    let short = both.map(|name| name.rsplit(['/', '\\']).next().unwrap_or(name));
    if short[0] == short[1] { both } else { short }
}

#[cfg(test)]
#[cfg(feature = "files")]
mod tests {
    use super::*;
    use crate::blocks::{ReportStyle, WIDTHLESS_BLOCK_FORMATS};
    use crate::folder::manifest::RunFacts;
    use crate::folder::staging::FolderClaim;
    use crate::test_answers;

    fn sides() -> TwoComparedFiles {
        TwoComparedFiles::named_after_files(
            InputFileWithRulebooks::new("now.toml", ""),
            InputFileWithRulebooks::new("then|.toml", ""),
        )
    }

    /// Cell 0 of the test grid: p_kill 2/36 and in B 6/36, so 11.11 points more; p_break 10/36 and
    /// 14/36.
    #[test]
    fn every_format_tells_both_values_and_the_difference() {
        let a = test_answers::build_grid();
        let mut b = a.clone();
        b[0] = test_answers::squad_answer_from_36ths(
            vec![
                ("fp", enfilade_model::form::Value::Int(1)),
                ("drm", enfilade_model::form::Value::Int(-1)),
            ],
            6,
            8,
        );
        b.pop();
        let comparison = ExperimentComparison::new(&a, &b);
        let text = |style| {
            render_comparison(&comparison, &sides(), PrintedAnswerFormat::Text(style), true)
        };
        let said = text(ReportStyle::Page(&WIDTHLESS_BLOCK_FORMATS[0]));
        assert!(said.contains("| 1 | −1 | killed % | 5.56 (5.56 ± 0.04) | 16.67 (16.67 ± 0.07) | +11.11 (+11.11 ± 0.09) |"), "{said}");
        assert!(said.contains("Only in A, 1 cell: firepower 8, total modifier +3."), "{said}");
        let csv = render_comparison(&comparison, &sides(), PrintedAnswerFormat::Csv, true);
        assert!(
            csv.lines()
                .next()
                .is_some_and(|head| head.starts_with("contest,fp,drm,measure,a_exact,")),
            "{csv}"
        );
        let json: serde_json::Value = serde_json::from_str(&render_comparison(
            &comparison,
            &sides(),
            PrintedAnswerFormat::Json,
            true,
        ))
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
        let a = test_answers::build_grid();
        let screen = PrintedAnswerFormat::Text(ReportStyle::Terminal(
            crate::terminal::TerminalCapabilities::FOR_FILE,
        ));
        let table = render_comparison(&ExperimentComparison::new(&a, &a), &sides(), screen, true);
        let opening = "then|.toml against now.toml\n";
        assert!(table.starts_with(opening), "{table}");
        let (said, rest) = table[opening.len()..].split_once("A: now.toml\n").expect("the files");
        assert_eq!(said.trim(), "Killed is the same in A and B.");
        assert!(rest.starts_with("B: then|.toml\n"), "{table}");
    }

    #[test]
    fn a_folder_holds_everything_it_lists() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let a = test_answers::build_grid();
        let comparison = ExperimentComparison::new(&a, &a);
        let facts = RunFacts {
            command: vec!["enfilade".into(), "compare".into()],
            build: enfilade_study::checkpoint::journal::BuildId("a test"),
            input: None,
            started: std::time::SystemTime::UNIX_EPOCH,
            duration: std::time::Duration::ZERO,
            identity: None,
        };
        let claim = FolderClaim::claim_to_overwrite_all(folder.path()).expect("nobody has it");
        let files = comparison_folder::write_comparison(&claim, &comparison, &sides(), &facts)
            .expect("written");
        assert!(files.iter().all(|file| folder.path().join(&file.name).is_file()));
        let summary = std::fs::read_to_string(folder.path().join("summary.md")).expect("readable");
        assert!(summary.starts_with("# then\\|.toml against now.toml\n"));
        assert!(summary.contains("Nothing was changed."));
    }
}
