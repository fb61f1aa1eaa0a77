//! Exports for print and mail: cards, the report page, tables, as the command line makes them.

use std::io::Write;
use std::time::Duration;

use http::StatusCode;

use super::app_state::AppState;
use super::live_question::{LiveQuestionRun, small_exact_settings};
use super::page_question::PageQuestion;
use super::replies::{self, RouteReply};
use super::request_parts::RouteParamsAndBody;
#[cfg(feature = "sheets")]
use super::strategy_route;
use super::work::RouteWork;
use enfilade_engine::cancel::CancelToken;
use enfilade_report::drawing::PictureFormat;
use enfilade_report::error::ReportError;
#[cfg(feature = "sheets")]
use enfilade_report::run::streaming_output::{AnswerStreamSink, StreamableFormat};
#[cfg(feature = "sheets")]
use enfilade_report::tables::csv::DecimalSign;
#[cfg(feature = "sheets")]
use enfilade_report::tables::table_writer::TableFormat;
use enfilade_report::{PrintedAnswerFormat, print_answers};
use enfilade_study::answer::Answer;
use enfilade_study::experiment::Experiment;
#[cfg(feature = "sheets")]
use enfilade_study::solve::streaming::{AnswerSink, CELLS_PER_BLOCK};

/// Exports a sheet by its name.
///
/// # Errors
/// A refusal if the body is no question, or this program cannot make a sheet of this name.
pub fn export_named_sheet(
    bench: &AppState,
    call: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    let question: PageQuestion = replies::parse_request_body(call.body)?;
    let Some((name, kind)) = SHEET_MEDIA_TYPES.iter().find(|(known, _)| *known == call.name) else {
        return Err(replies::refusal_reply(StatusCode::NOT_FOUND, "there is no such sheet"));
    };
    let work = move |bench: &AppState, halt: &CancelToken| match build_export(
        bench, &question, name, halt,
    ) {
        Ok(bytes) => replies::with_body(StatusCode::OK, kind, bytes),
        Err(error) => replies::reply_to_error(&error),
    };
    Ok(RouteWork::for_patient_work(bench.patient_budget, work))
}

/// Sheets by name, with the media type of each.
const SHEET_MEDIA_TYPES: &[(&str, &str)] = &[
    #[cfg(feature = "sheets")]
    ("card.pdf", "application/pdf"),
    #[cfg(feature = "sheets")]
    ("card.svg", "image/svg+xml"),
    #[cfg(feature = "sheets")]
    ("card.png", "image/png"),
    #[cfg(feature = "sheets")]
    ("card.json", "application/json"),
    #[cfg(feature = "sheets")]
    ("chart.svg", "image/svg+xml"),
    #[cfg(feature = "sheets")]
    ("rows.csv", "text/csv; charset=utf-8"),
    #[cfg(feature = "sheets")]
    ("report.html", "text/html; charset=utf-8"),
    #[cfg(feature = "sheets")]
    ("cells.csv", "text/csv; charset=utf-8"),
    #[cfg(feature = "parquet")]
    ("cells.parquet", "application/vnd.apache.parquet"),
    #[cfg(feature = "xlsx")]
    ("odds.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("odds.json", "application/json"),
    ("experiment.toml", "application/toml"),
];

/// Names of the sheets that this program can make.
pub fn names_of_exports() -> Vec<&'static str> {
    let drawn = |ending: &str| {
        PictureFormat::format_for_extension(ending).is_none_or(PictureFormat::is_in_this_build)
    };
    let names = SHEET_MEDIA_TYPES.iter().map(|(name, _)| *name);
    names.filter(|name| name.strip_prefix("card.").is_none_or(drawn)).collect()
}

fn build_export(
    bench: &AppState,
    question: &PageQuestion,
    name: &str,
    halt: &CancelToken,
) -> Result<Vec<u8>, ReportError> {
    let start = bench.host.time_since_epoch();
    let read = question.read_text_and_experiment(bench, halt);
    let (text, experiment) = if halt.is_cancelled() { Err(too_long_error()) } else { read }?;
    // The text needs no answers.
    if name == "experiment.toml" {
        return Ok(text.into_bytes());
    }
    let live = LiveQuestionRun { bench, question, halt };
    let answers =
        live.solve_cells_in_time(&experiment.cells, &small_exact_settings(&experiment))?;
    if answers.len() < experiment.cells.len() {
        return Err(too_long_error());
    }
    let answers = experiment.insert_rows_of_broken_checks(answers);
    let sheet = ExportSource { bench, name: question.file_name_in_messages(), text: &text, start };
    let written = sheet.export_as_bytes(name, &experiment, &answers, halt);
    if halt.is_cancelled() { Err(too_long_error()) } else { written }
}

/// A question that was answered, and the time at which the work began.
#[cfg_attr(
    not(feature = "sheets"),
    expect(dead_code, reason = "only a report page prints every field")
)]
struct ExportSource<'m> {
    bench: &'m AppState,
    name: &'m str,
    text: &'m str,
    start: Duration,
}

fn too_long_error() -> ReportError {
    ReportError::Interrupted("that takes too long here: run it on the command line".to_owned())
}

impl ExportSource<'_> {
    fn export_as_bytes(
        &self,
        name: &str,
        experiment: &Experiment,
        answers: &[Answer],
        halt: &CancelToken,
    ) -> Result<Vec<u8>, ReportError> {
        let mut bytes = CancellableWriter { bytes: Vec::new(), halt };
        match name {
            #[cfg(feature = "sheets")]
            "cells.csv" => write_cells_table_in_format(
                TableFormat::Csv(DecimalSign::Point),
                answers,
                &mut bytes,
            )?,
            #[cfg(feature = "parquet")]
            "cells.parquet" => {
                write_cells_table_in_format(TableFormat::Parquet, answers, &mut bytes)?
            }
            #[cfg(feature = "xlsx")]
            "odds.xlsx" => {
                return enfilade_report::tables::xlsx::build_workbook_of_answers(answers, halt);
            }
            "odds.json" => print_answers(answers, PrintedAnswerFormat::Json, &mut bytes)?,
            _ => return self.draw_export(name, experiment, answers, halt),
        }
        Ok(bytes.bytes)
    }

    /// A card, a chart or the report page.
    #[cfg(feature = "sheets")]
    fn draw_export(
        &self,
        name: &str,
        experiment: &Experiment,
        answers: &[Answer],
        halt: &CancelToken,
    ) -> Result<Vec<u8>, ReportError> {
        use enfilade_report::card::{self, OrientedPaperSheet};
        use enfilade_report::{self, drawing, json_text::to_flat_json, page};
        match name {
            "card.pdf" | "card.svg" | "card.png" => {
                let picture = PictureFormat::format_for_extension(
                    name.rsplit('.').next().unwrap_or_default(),
                );
                let picture =
                    picture.ok_or_else(|| ReportError::Invalid(format!("no {name} here")))?;
                let format = card::WrittenCardFormat::Picture(picture, OrientedPaperSheet::A4);
                card::render_cards_unless_cancelled(experiment, answers, format, halt)
            }
            // Page by page, for a preview.
            "card.json" => {
                let pages =
                    card::lay_out_card_pages(experiment, answers, OrientedPaperSheet::A4, halt)?;
                let pages: Vec<_> = pages.iter().map(drawing::render_scene_as_svg).collect();
                Ok(to_flat_json(&pages).into_bytes())
            }
            // A record a row of the card, as layout programs merge them.
            "rows.csv" => {
                let format =
                    card::WrittenCardFormat::Csv(card::card_csv::CardPartPerCsvRecord::Merge);
                card::render_cards_unless_cancelled(experiment, answers, format, halt)
            }
            "chart.svg" => {
                let figures = enfilade_report::draw_page_charts(experiment, answers).into_iter();
                Ok(figures.map(|figure| figure.svg).next().unwrap_or_default().into_bytes())
            }
            _ => {
                let figures = enfilade_report::draw_page_charts(experiment, answers);
                let facts = self.facts_of_export(experiment);
                let strategies = strategy_route::best_play_if_few_cells(answers, halt);
                let parts =
                    page::PageEngineAndBestPlay { strategies: &strategies, ..Default::default() };
                let page =
                    page::render_run_page(experiment, answers, &facts, &figures, parts, halt);
                Ok(page.into_bytes())
            }
        }
    }

    #[cfg(feature = "sheets")]
    fn facts_of_export(&self, experiment: &Experiment) -> enfilade_report::RunFacts {
        let command = ["enfilade", "run", self.name, "--exact-only"];
        let input = enfilade_report::InputFileWithRulebooks::new(self.name, self.text);
        enfilade_report::RunFacts {
            command: command.map(str::to_owned).to_vec(),
            build: self.bench.build,
            input: Some(input.with_rulebooks(&experiment.rulebooks)),
            started: std::time::UNIX_EPOCH + self.start,
            duration: self.bench.host.time_since_epoch().saturating_sub(self.start),
            identity: None,
        }
    }

    /// Without the feature `sheets` there is no drawing to write.
    #[cfg(not(feature = "sheets"))]
    fn draw_export(
        &self,
        name: &str,
        _experiment: &Experiment,
        _answers: &[Answer],
        _halt: &CancelToken,
    ) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::Invalid(format!("there is no {name} here")))
    }
}

/// A writer that takes no more bytes once it is cancelled.
struct CancellableWriter<'h> {
    bytes: Vec<u8>,
    halt: &'h CancelToken,
}

impl Write for CancellableWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.halt.is_cancelled() {
            return Err(std::io::Error::other("stopped"));
        }
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Writes the table of the cells, in the blocks of the command line.
#[cfg(feature = "sheets")]
fn write_cells_table_in_format(
    kind: TableFormat,
    answers: &[Answer],
    out: &mut CancellableWriter<'_>,
) -> Result<(), ReportError> {
    let mut lines = AnswerStreamSink::new(StreamableFormat::Table(kind), answers, out)?;
    for piece in answers.chunks(CELLS_PER_BLOCK as usize) {
        lines.receive_answer_block(piece.to_vec())?;
    }
    lines.finish_stream()
}
