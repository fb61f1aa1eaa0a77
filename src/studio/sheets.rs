//! Exports for print and mail: cards, the report page, tables, as the command line makes them.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axum::extract::{Path, State};
use axum::response::Response;
use hyper::StatusCode;
use hyper::body::Bytes;

use super::bench::{Bench, Queue, within};
use super::live::{Live, exactly};
use super::question::Question;
use super::reply;
use crate::cancel::Halt;
use crate::error::Error;
use crate::report::card::{self, Paper};
use crate::report::drawing::{self, Picture};
use crate::report::json::flat;
use crate::report::run::streaming_output::{Flow, Lines};
use crate::report::tables::csv::Decimal;
use crate::report::tables::table_writer::Kind;
use crate::report::{self, Format, InputFile, RunFacts, page, print};
use crate::study::answer::Answer;
use crate::study::experiment::Experiment;
use crate::study::solve::streaming::{BLOCK, Take};

/// Time limit of an export.
const PATIENT: Duration = Duration::from_secs(60);

/// Exports a sheet by its name.
pub async fn sheet(
    State(bench): State<Arc<Bench>>,
    Path(name): Path<String>,
    body: Bytes,
) -> Response {
    let question: Question = match reply::sent(&body) {
        Ok(question) => question,
        Err(refused) => return *refused,
    };
    let Some((_, kind)) = SHEETS.iter().find(|(known, _)| *known == name) else {
        return reply::refused(StatusCode::NOT_FOUND, "there is no such sheet");
    };
    let halt = Arc::new(Halt::new());
    let work = move |bench: &Bench, halt: &Halt| made(bench, &question, &name, halt);
    let patience = PATIENT.max(bench.budget);
    match within(bench, (Queue::Long, patience), halt, work).await {
        Ok(Ok(bytes)) => reply::with(StatusCode::OK, kind, bytes),
        Ok(Err(error)) => reply::failed(&error),
        Err(wrong) => wrong,
    }
}

/// By name: the content type.
const SHEETS: &[(&str, &str)] = &[
    ("card.pdf", "application/pdf"),
    ("card.svg", "image/svg+xml"),
    ("card.png", "image/png"),
    ("card.json", "application/json"),
    ("chart.svg", "image/svg+xml"),
    ("report.html", "text/html; charset=utf-8"),
    ("cells.csv", "text/csv; charset=utf-8"),
    #[cfg(feature = "parquet")]
    ("cells.parquet", "application/vnd.apache.parquet"),
    #[cfg(feature = "xlsx")]
    ("odds.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("odds.json", "application/json"),
    ("experiment.toml", "application/toml"),
];

/// Names of the sheets that this program can make.
pub fn names() -> Vec<&'static str> {
    let drawn = |ending: &str| Picture::ending(ending).is_none_or(Picture::is_built);
    let names = SHEETS.iter().map(|(name, _)| *name);
    names.filter(|name| name.strip_prefix("card.").is_none_or(drawn)).collect()
}

fn made(bench: &Bench, question: &Question, name: &str, halt: &Halt) -> Result<Vec<u8>, Error> {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let read = question.experiment(bench, halt);
    let (text, experiment) = if halt.asked() { Err(too_long()) } else { read }?;
    // The text needs no answers.
    if name == "experiment.toml" {
        return Ok(text.into_bytes());
    }
    let live = Live { bench, question, halt };
    let answers = live.solved(&experiment.cells, &exactly(&experiment))?;
    if answers.len() < experiment.cells.len() {
        return Err(too_long());
    }
    let answers = experiment.complete(answers);
    let facts = RunFacts {
        command: ["enfilade", "run", question.name(), "--exact-only"].map(str::to_owned).to_vec(),
        build: crate::BUILD,
        input: Some(InputFile::new(question.name(), &text).with(&experiment.rulebooks)),
        started,
        taken: clock.elapsed(),
        identity: None,
    };
    let written = written(name, &experiment, &answers, &facts, halt);
    if halt.asked() { Err(too_long()) } else { written }
}

fn too_long() -> Error {
    Error::Interrupted("this takes too long here: run it on the command line".to_owned())
}

fn written(
    name: &str,
    experiment: &Experiment,
    answers: &[Answer],
    facts: &RunFacts,
    halt: &Halt,
) -> Result<Vec<u8>, Error> {
    let mut bytes = Stoppable { bytes: Vec::new(), halt };
    match name {
        "card.pdf" | "card.svg" | "card.png" => {
            let ending = name.rsplit('.').next().unwrap_or_default();
            let picture = Picture::ending(ending);
            let picture = picture.ok_or_else(|| Error::Usage(format!("no {name} here")))?;
            let format = card::Format::Picture(picture, Paper::A4);
            return card::write_unless(experiment, answers, format, halt);
        }
        // Page by page, for a preview.
        "card.json" => {
            let pages = card::pages(experiment, answers, Paper::A4, halt)?;
            let pages: Vec<_> = pages.iter().map(drawing::svg).collect();
            bytes.bytes = flat(&pages).into_bytes();
        }
        "chart.svg" => {
            let figures = report::charted(experiment, answers).into_iter();
            return Ok(figures.map(|figure| figure.svg).next().unwrap_or_default().into_bytes());
        }
        "cells.csv" => table(Kind::Csv(Decimal::Point), answers, &mut bytes)?,
        #[cfg(feature = "parquet")]
        "cells.parquet" => table(Kind::Parquet, answers, &mut bytes)?,
        #[cfg(feature = "xlsx")]
        "odds.xlsx" => return report::tables::xlsx::workbook(answers, halt),
        "odds.json" => print(answers, Format::Json, &mut bytes)?,
        _ => {
            let figures = report::charted(experiment, answers);
            return Ok(page::render(experiment, answers, facts, &figures, halt).into_bytes());
        }
    }
    Ok(bytes.bytes)
}

/// A writer that takes no more bytes once it is cancelled.
struct Stoppable<'h> {
    bytes: Vec<u8>,
    halt: &'h Halt,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.halt.asked() {
            return Err(std::io::Error::other("stopped"));
        }
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Writes the table of the cells, in the blocks of the command line.
fn table(kind: Kind, answers: &[Answer], out: &mut Stoppable<'_>) -> Result<(), Error> {
    let mut lines = Lines::new(Flow::Table(kind), answers, out)?;
    for piece in answers.chunks(BLOCK as usize) {
        lines.take(piece.to_vec())?;
    }
    lines.finish()
}
