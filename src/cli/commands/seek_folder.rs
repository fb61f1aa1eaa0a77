//! The folder of `enfilade seek --out`: the designs as tables, the answer as JSON, and a page.

use std::path::Path;

use crate::cli::command_steps;
use crate::error::Error;
use crate::report::blocks::{ReportBlock, ReportTableCell, TextTable, html, markdown};
use crate::report::folder::staging::Staging;
use crate::report::tables::{ColumnBuilderFromRows, ColumnValues, TypedColumn, TypedTable, csv};
use crate::seek::seek_answer::SeekAnswer;
use crate::seek::seek_design::SeekDesign;
use crate::seek::seek_page;
use crate::seek::seek_question::SeekQuestion;
use crate::study::file::source_document::SourceInput;

/// The files of the folder.
const SEEK_FILES: [&str; 5] =
    ["designs.csv", "designs.parquet", "report.html", "seek.json", "summary.md"];

/// Number of designs on the page.
const DESIGNS_ON_PAGE: usize = 1000;

/// Writes the answer to a folder.
///
/// # Errors
/// When the folder holds files of others, or a file cannot be written.
pub fn write_folder(
    folder: &Path,
    input: &SourceInput,
    (question, answer): (&SeekQuestion, &SeekAnswer),
    json: &str,
) -> Result<(), Error> {
    let writes = SEEK_FILES.map(str::to_owned).to_vec();
    let own = std::path::PathBuf::from(&input.name);
    let claim = command_steps::claim_result_folder(folder, &[&own], true, writes)?;
    let mut staging = Staging::new(&claim);
    let table = build_design_table(question, answer);
    staging.add_file("designs.csv", csv::render_csv(&table).as_bytes())?;
    add_parquet(&mut staging, table)?;
    let blocks = build_page(question, answer, input);
    staging.add_file("report.html", html::render_blocks_as_page(&blocks).as_bytes())?;
    staging.add_file("summary.md", markdown::markdown_text(&blocks).as_bytes())?;
    staging.add_file("seek.json", json.as_bytes())?;
    staging.move_all_into_place()?;
    Ok(())
}

#[cfg(feature = "parquet")]
fn add_parquet(staging: &mut Staging<'_>, table: TypedTable) -> Result<(), Error> {
    let bytes = crate::report::tables::parquet::table_to_parquet(table, &[])?;
    Ok(staging.add_file("designs.parquet", &bytes)?)
}

#[cfg(not(feature = "parquet"))]
fn add_parquet(_: &mut Staging<'_>, _: TypedTable) -> Result<(), Error> {
    Ok(())
}

/// A row for each design: its numbers, the value of each want, the worst miss, changes and steps.
fn build_design_table(question: &SeekQuestion, answer: &SeekAnswer) -> TypedTable {
    let rows = ColumnBuilderFromRows(&answer.best_designs);
    let numbers = question.numbers.iter().enumerate().map(|(at, number)| {
        let whole = number.values.iter().all(toml::Value::is_integer);
        let value = |design: &SeekDesign| number.values.get(usize::from(design.values[at]));
        let values = match whole {
            true => ColumnValues::Whole(
                answer.best_designs.iter().map(|design| value(design)?.as_integer()).collect(),
            ),
            false => ColumnValues::from_optional_words(
                answer
                    .best_designs
                    .iter()
                    .map(|design| Some(number.format_value(usize::from(design.values[at])))),
            ),
        };
        TypedColumn { name: number.name.clone(), values }
    });
    let wants = question
        .want_texts()
        .enumerate()
        .map(|(at, (text, _))| rows.number_column(text, |design| Some(design.reached[at].value)));
    let mut columns: Vec<TypedColumn> = numbers.chain(wants).collect();
    let miss = |design: &SeekDesign| design.reached.iter().map(|own| own.miss).fold(0.0, f64::max);
    let mark = |design: &SeekDesign| {
        let mark = design.reached.iter().filter_map(|own| own.mark).max()?;
        Some(mark.printed_sign().to_owned())
    };
    columns.push(rows.number_column("miss", |design| Some(miss(design))));
    columns.push(rows.count_column("changes", |design| Some(design.changes)));
    columns.push(rows.count_column("steps", |design| Some(design.steps)));
    columns.push(rows.text_column("at_the_edge", mark));
    TypedTable { name: "designs", columns }
}

/// The page: the answer, the designs with their values, and what there is to say.
fn build_page(
    question: &SeekQuestion,
    answer: &SeekAnswer,
    input: &SourceInput,
) -> Vec<ReportBlock> {
    let mut blocks = vec![
        ReportBlock::Title(question.name.clone()),
        ReportBlock::new_paragraph(answer.summary_sentence(question)),
    ];
    blocks.extend(ReportBlock::new_list_if_any(seek_page::answer_remarks(question, answer)));
    let near = answer.no_fit.as_ref().and_then(|missing| missing.nearest.as_ref());
    let shown: Vec<&SeekDesign> =
        answer.best_designs.iter().take(DESIGNS_ON_PAGE).chain(near).collect();
    let (title, first) = match near {
        Some(_) => ("The nearest design", "nearest"),
        None => ("The designs that fit", "1"),
    };
    blocks.push(ReportBlock::Heading(title.to_owned()));
    blocks
        .push(ReportBlock::Table(title.to_owned(), design_table(question, answer, &shown, first)));
    let left = seek_page::values_left(question, answer);
    if !left.is_empty() {
        blocks.push(ReportBlock::Heading("The numbers".to_owned()));
        blocks.extend(ReportBlock::new_list_if_any(left));
    }
    blocks.push(ReportBlock::Heading("The question".to_owned()));
    blocks.push(ReportBlock::Command(format!("enfilade seek {}", input.name)));
    blocks.extend(ReportBlock::new_list_if_any(
        question.want_texts().map(|(text, _)| text.to_owned()),
    ));
    blocks
}

/// A column for each number and each want, and a row for each design.
fn design_table(
    question: &SeekQuestion,
    answer: &SeekAnswer,
    shown: &[&SeekDesign],
    first: &str,
) -> TextTable {
    let heads = ["design".to_owned()].into_iter();
    let heads = heads.chain(question.numbers.iter().map(|number| number.name.clone()));
    let heads = heads.chain(question.want_texts().map(|(text, _)| text.to_owned()));
    let row = |name: String, design: &SeekDesign| {
        let values = question.numbers.iter().zip(&design.values);
        let values = values
            .map(|(number, at)| ReportTableCell::Number(number.format_value(usize::from(*at))));
        let reached = question.want_texts().zip(&design.reached);
        let reached = reached.map(|((_, share), own)| {
            ReportTableCell::Number(seek_page::format_reached(own, share))
        });
        [ReportTableCell::Text(name)].into_iter().chain(values).chain(reached).collect()
    };
    let now = answer.now.iter().map(|now| row("now".to_owned(), now));
    let designs = shown.iter().enumerate().map(|(at, design)| {
        row(if at == 0 { first.to_owned() } else { (at + 1).to_string() }, design)
    });
    TextTable { heads: heads.collect(), rows: now.chain(designs).collect(), fixed: 1 }
}
