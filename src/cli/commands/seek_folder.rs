//! The folder of `enfilade seek --out`: designs and scopes as tables, the answer as JSON, pictures
//! and a page.

use std::path::{Path, PathBuf};

use super::seek_pictures;
use crate::cli::command_steps;
use crate::error::Error;
use crate::report::blocks::{ReportBlock, ReportTableCell, TextTable, html, markdown};
use crate::report::folder::staging::{FolderClaim, Staging};
use crate::report::json_text::to_indented_json;
use crate::report::tables::{ColumnBuilderFromRows, ColumnValues, TypedColumn, TypedTable, csv};
use crate::seek::answer_views::{self, FitCountsByNumberPair};
use crate::seek::no_fit::ConflictingWantOrCondition;
use crate::seek::seek_answer::SeekAnswer;
use crate::seek::seek_design::FoundDesign;
use crate::seek::seek_question::SeekQuestion;
use crate::seek::{seek_document, seek_page};
use crate::study::checkpoint::journal::JOURNAL_FILE_NAME;
use crate::study::file::source_document::SourceInput;

/// The files of the folder, beside charts.
const SEEK_FILES: [&str; 7] = [
    "designs.csv",
    "designs.parquet",
    "report.html",
    "scopes.parquet",
    "seek.json",
    "summary.md",
    JOURNAL_FILE_NAME,
];

/// Number of designs on the page.
const DESIGNS_ON_PAGE: usize = 1000;

/// Designs with a mark in the picture of wants.
const DESIGNS_WITH_MARKS: usize = 3;

/// Largest number of pairs of values to choose among.
const MAX_PAIRS_TO_CHOOSE: usize = 60;

/// Claims the folder for a search, until it is finished.
///
/// # Errors
/// When another process has it, or it holds files of others.
pub fn claim_new_or_earlier_folder(
    folder: &Path,
    input: &SourceInput,
) -> Result<FolderClaim, Error> {
    let writes = SEEK_FILES.map(str::to_owned).to_vec();
    let own = PathBuf::from(&input.name);
    command_steps::claim_result_folder(folder, &[&own], true, writes)
}

/// Writes the answer to a folder.
///
/// # Errors
/// When a file cannot be written.
pub fn write_folder(
    claim: &FolderClaim,
    input: &SourceInput,
    (question, answer): (&SeekQuestion, &SeekAnswer),
) -> Result<(), Error> {
    let mut staging = Staging::new(claim);
    let table = build_best_design_table(question, answer);
    staging.add_file("designs.csv", csv::render_csv(&table).as_bytes())?;
    add_parquet(&mut staging, "designs.parquet", table)?;
    add_parquet(&mut staging, "scopes.parquet", build_solved_cell_table(question, answer))?;
    let blocks = build_page_blocks(question, answer, &input.name);
    for block in &blocks {
        if let ReportBlock::Picture(own) = block {
            staging.add_file(&own.picture.file, own.svg.as_bytes())?;
        }
    }
    staging.add_file("report.html", html::render_blocks_as_page(&blocks).as_bytes())?;
    staging.add_file("summary.md", markdown::markdown_text(&blocks).as_bytes())?;
    let document = seek_document::answer_as_document(question, answer, usize::MAX);
    staging.add_file("seek.json", to_indented_json(&document).as_bytes())?;
    staging.move_all_and_remove_outdated()?;
    Ok(())
}

#[cfg(feature = "parquet")]
fn add_parquet(staging: &mut Staging<'_>, name: &str, table: TypedTable) -> Result<(), Error> {
    let bytes = crate::report::tables::parquet::table_to_parquet(table, &[])?;
    Ok(staging.add_file(name, &bytes)?)
}

#[cfg(not(feature = "parquet"))]
fn add_parquet(_: &mut Staging<'_>, _: &str, _: TypedTable) -> Result<(), Error> {
    Ok(())
}

/// A row for each design: its numbers, the value of each want, the worst miss, changes and steps.
pub fn build_best_design_table(question: &SeekQuestion, answer: &SeekAnswer) -> TypedTable {
    let rows = ColumnBuilderFromRows(&answer.best_designs);
    let numbers = (0..question.numbers.len()).map(|at| {
        let values = answer.best_designs.iter().map(|design| Some(usize::from(design.values[at])));
        build_changed_number_column(question, at, values.collect())
    });
    let wants = question
        .want_texts_and_share_flags()
        .enumerate()
        .map(|(at, (text, _))| rows.number_column(text, |design| Some(design.reached[at].value)));
    let mut columns: Vec<TypedColumn> = numbers.chain(wants).collect();
    let miss = |design: &FoundDesign| design.reached.iter().map(|own| own.miss).fold(0.0, f64::max);
    let mark = |design: &FoundDesign| {
        let mark = design.reached.iter().filter_map(|own| own.mark).max()?;
        Some(mark.printed_sign().to_owned())
    };
    columns.push(rows.number_column("miss", |design| Some(miss(design))));
    columns.push(rows.count_column("changes", |design| Some(design.changes)));
    columns.push(rows.count_column("steps", |design| Some(design.steps)));
    columns.push(rows.text_column("at_the_edge", mark));
    TypedTable { name: "designs", columns }
}

/// A column of a number: by row the index of its value, if it has one.
fn build_changed_number_column(
    question: &SeekQuestion,
    at: usize,
    rows: Vec<Option<usize>>,
) -> TypedColumn {
    let number = &question.numbers[at];
    let values = match number.values.iter().all(toml::Value::is_integer) {
        true => {
            let value = |at: Option<usize>| number.values.get(at?)?.as_integer();
            ColumnValues::Whole(rows.into_iter().map(value).collect())
        }
        false => {
            let text = |at: Option<usize>| at.map(|at| number.format_value(at));
            ColumnValues::from_optional_words(rows.into_iter().map(text))
        }
    };
    TypedColumn { name: number.name.clone(), values }
}

/// A row for each solved cell: its contest and circumstance, the numbers that it reads, its
/// measures with their errors.
fn build_solved_cell_table(question: &SeekQuestion, answer: &SeekAnswer) -> TypedTable {
    let scopes = answer.scope_tables(question);
    let mut rows: Vec<(usize, usize)> = Vec::new();
    for (at, scope) in scopes.iter().enumerate() {
        let is_solved = |place: &usize| {
            (0..scope.measures.len())
                .any(|measure| scope.measure_and_error_at(measure, *place).is_some())
        };
        rows.extend((0..scope.len()).filter(is_solved).map(|place| (at, place)));
    }
    let of_rows = ColumnBuilderFromRows(&rows);
    let mut columns = vec![
        of_rows.text_column("contest", |(at, _)| Some(scopes[*at].contest.to_owned())),
        of_rows.text_column("circumstance", |(at, _)| Some(scopes[*at].circumstance.clone())),
    ];
    for number in 0..question.numbers.len() {
        let index = |(at, place): &(usize, usize)| {
            let own = scopes[*at].numbers.iter().position(|known| *known == number)?;
            Some(scopes[*at].value_indices_at(*place)[own])
        };
        columns.push(build_changed_number_column(
            question,
            number,
            rows.iter().map(index).collect(),
        ));
    }
    let mut measures: Vec<&String> = scopes.iter().flat_map(|scope| scope.measures).collect();
    measures.sort_unstable();
    measures.dedup();
    for name in measures {
        let own = |(at, place): &(usize, usize)| {
            let measure = scopes[*at].measures.iter().position(|known| known == name)?;
            scopes[*at].measure_and_error_at(measure, *place)
        };
        columns.push(of_rows.number_column(name, |row| Some(own(row)?.0)));
        let error = format!("{name}_error");
        columns.push(of_rows.number_column(&error, |row| Some(own(row)?.1)));
    }
    TypedTable { name: "scopes", columns }
}

/// The page: the question, the answer, the designs with their values, and pictures.
pub fn build_page_blocks(
    question: &SeekQuestion,
    answer: &SeekAnswer,
    file: &str,
) -> Vec<ReportBlock> {
    let mut blocks = vec![
        ReportBlock::Title(question.name.clone()),
        ReportBlock::new_paragraph(answer.summary_sentence(question)),
    ];
    blocks.extend(ReportBlock::new_list_if_any(seek_page::answer_remarks(question, answer)));
    blocks.extend(fitting_or_nearest_blocks(question, answer));
    blocks.extend(number_blocks(question, answer));
    blocks.extend(influence_blocks(question, answer));
    blocks.push(ReportBlock::Heading("The question".to_owned()));
    blocks.push(ReportBlock::Command(format!("enfilade seek {file}")));
    let wants = question.want_texts_and_share_flags().map(|(text, _)| text.to_owned());
    blocks.extend(ReportBlock::new_list_if_any(wants));
    blocks
}

/// The designs that fit; else the wants that exclude each other, and the nearest design.
fn fitting_or_nearest_blocks(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<ReportBlock> {
    let near = answer.no_fit.as_ref().and_then(|missing| missing.nearest.as_ref());
    let designs = answer.best_designs.iter().take(DESIGNS_ON_PAGE);
    let shown: Vec<&FoundDesign> = designs.chain(near).collect();
    let (title, first) = match near {
        Some(_) => ("The nearest design", "nearest"),
        None => ("The designs that fit", "1"),
    };
    let mut blocks = Vec::new();
    if let Some(missing) = answer.no_fit.as_ref().filter(|missing| !missing.excluding.is_empty()) {
        let title = "Wants that exclude each other";
        blocks.push(ReportBlock::Heading(title.to_owned()));
        blocks.push(ReportBlock::Table(title.to_owned(), excluding_table(&missing.excluding)));
    }
    blocks.push(ReportBlock::Heading(title.to_owned()));
    let marked = &shown[..shown.len().min(DESIGNS_WITH_MARKS)];
    let wanted = seek_pictures::draw_wanted_and_reached(question, answer, marked);
    blocks.extend(wanted.map(ReportBlock::Picture));
    let table = design_table(question, answer, &shown, first);
    blocks.push(ReportBlock::Table(title.to_owned(), table));
    let front = answer.least_miss_by_changes(question);
    blocks.extend(seek_pictures::draw_miss_by_change_count(&front).map(ReportBlock::Picture));
    blocks
}

/// The values of the numbers among all designs that fit, and the cost of one step.
fn number_blocks(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<ReportBlock> {
    let left = seek_page::lines_of_occurring_values(question, answer);
    if left.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![ReportBlock::Heading("The numbers".to_owned())];
    let strip = seek_pictures::draw_values_left(question, answer);
    blocks.extend(strip.map(ReportBlock::Picture));
    blocks.extend(ReportBlock::new_list_if_any(left));
    if let Some(map) = answer.map_of_pairs(question) {
        blocks.extend(
            seek_pictures::draw_value_pair_heat_map(question, &map).map(ReportBlock::Picture),
        );
        blocks.extend(choices_of_pairs(question, answer, &map));
    }
    let steps = answer_views::describe_single_steps(question, answer);
    if let Some(list) = ReportBlock::new_list_if_any(steps) {
        blocks.push(ReportBlock::Heading("One step from design 1".to_owned()));
        blocks.push(list);
    }
    blocks
}

/// The designs of each pair of values of the map, of which a reader chooses one.
fn choices_of_pairs(
    question: &SeekQuestion,
    answer: &SeekAnswer,
    map: &FitCountsByNumberPair,
) -> Option<ReportBlock> {
    let (first, second) = map.numbers;
    let [first_name, second_name] = [first, second].map(|at| question.numbers[at].name.clone());
    let mut choices = Vec::new();
    for (row, counts) in map.counts.iter().enumerate() {
        for column in (0..counts.len()).filter(|column| counts[*column] > 0) {
            let is_here = |design: &&FoundDesign| {
                (usize::from(design.values[first]), usize::from(design.values[second]))
                    == (column, row)
            };
            let designs = answer.best_designs.iter().take(DESIGNS_ON_PAGE);
            let own: Vec<&FoundDesign> = designs.filter(is_here).collect();
            let values = [(first, column), (second, row)];
            let values = values.map(|(number, at)| question.numbers[number].format_value(at));
            if !own.is_empty() {
                choices.push((values.join(" and "), design_table(question, answer, &own, "1")));
            }
        }
    }
    let title = format!("Designs by {first_name} and {second_name}");
    let fits = (2..=MAX_PAIRS_TO_CHOOSE).contains(&choices.len());
    fits.then_some(ReportBlock::Choices(title, choices))
}

/// One step of each number, and the shares of the variance.
fn influence_blocks(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<ReportBlock> {
    let mut blocks = vec![ReportBlock::Heading("What matters".to_owned())];
    let tornados = seek_pictures::draw_tornados(question, answer);
    blocks.extend(tornados.into_iter().map(ReportBlock::Picture));
    match answer.variance_shares(question) {
        Ok(shares) => {
            let pictures = seek_pictures::draw_variance_shares(question, &shares);
            blocks.extend(pictures.into_iter().map(ReportBlock::Picture));
        }
        Err(why) => blocks.push(ReportBlock::new_paragraph(format!("No shares: {why}."))),
    }
    if blocks.len() > 1 { blocks } else { Vec::new() }
}

/// A row for each want that cannot be met with the others.
fn excluding_table(excluding: &[ConflictingWantOrCondition]) -> TextTable {
    let heads = ["want", "designs alone", "designs without it"].map(str::to_owned);
    let row = |one: &ConflictingWantOrCondition| {
        vec![
            ReportTableCell::Text(one.text.clone()),
            ReportTableCell::Number(one.alone.to_string()),
            ReportTableCell::Number(one.without.to_string()),
        ]
    };
    TextTable { heads: heads.to_vec(), rows: excluding.iter().map(row).collect(), fixed: 1 }
}

/// A column for each number and each want, and a row for each design.
fn design_table(
    question: &SeekQuestion,
    answer: &SeekAnswer,
    shown: &[&FoundDesign],
    first: &str,
) -> TextTable {
    let heads = ["design".to_owned()].into_iter();
    let heads = heads.chain(question.numbers.iter().map(|number| number.name.clone()));
    let heads = heads.chain(question.want_texts_and_share_flags().map(|(text, _)| text.to_owned()));
    let row = |name: String, design: &FoundDesign| {
        let values = question.numbers.iter().zip(&design.values);
        let values = values
            .map(|(number, at)| ReportTableCell::Number(number.format_value(usize::from(*at))));
        let reached = question.want_texts_and_share_flags().zip(&design.reached);
        let reached = reached.map(|((_, share), own)| {
            ReportTableCell::Number(seek_page::format_reached_with_marks(own, share))
        });
        [ReportTableCell::Text(name)].into_iter().chain(values).chain(reached).collect()
    };
    let now = answer.now.iter().map(|now| row("now".to_owned(), now));
    let designs = shown.iter().enumerate().map(|(at, design)| {
        row(if at == 0 { first.to_owned() } else { (at + 1).to_string() }, design)
    });
    TextTable { heads: heads.collect(), rows: now.chain(designs).collect(), fixed: 1 }
}
