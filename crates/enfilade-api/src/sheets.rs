//! Exports for print and mail: cards, the report page, tables, as the command line makes them.

use std::io::Write;
use std::time::Duration;

use http::StatusCode;

use super::bench::Bench;
use super::call::Call;
use super::live::{Live, exactly};
use super::question::Question;
use super::reply::{self, Reply};
use super::work::Work;
use crate::cancel::Halt;
use crate::error::Error;
use crate::report::drawing::Picture;
use crate::report::run::streaming_output::{Flow, Lines};
use crate::report::tables::csv::Decimal;
use crate::report::tables::table_writer::Kind;
use crate::report::{Format, print};
use crate::study::answer::Answer;
use crate::study::experiment::Experiment;
use crate::study::solve::streaming::{AnswerSink, BLOCK};

/// Time limit of an export.
const PATIENT: Duration = Duration::from_secs(60);

/// Exports a sheet by its name.
pub fn sheet(bench: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
    let question: Question = reply::sent(call.body)?;
    let Some((name, kind)) = SHEETS.iter().find(|(known, _)| *known == call.name) else {
        return Err(reply::refused(StatusCode::NOT_FOUND, "there is no such sheet"));
    };
    let work = move |bench: &Bench, halt: &Halt| match made(bench, &question, name, halt) {
        Ok(bytes) => reply::with(StatusCode::OK, kind, bytes),
        Err(error) => reply::failed(&error),
    };
    Ok(Work::long(PATIENT.max(bench.budget), work))
}

/// By name: the kind.
const SHEETS: &[(&str, &str)] = &[
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
    let begun = bench.host.clock();
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
    let made = Made { bench, name: question.name(), text: &text, begun };
    let written = made.written(name, &experiment, &answers, halt);
    if halt.asked() { Err(too_long()) } else { written }
}

/// A question that was answered, and when it was begun.
#[cfg_attr(not(feature = "sheets"), expect(dead_code, reason = "a report page says all of it"))]
struct Made<'m> {
    bench: &'m Bench,
    name: &'m str,
    text: &'m str,
    begun: Duration,
}

fn too_long() -> Error {
    Error::Interrupted("that takes too long here: run it on the command line".to_owned())
}

impl Made<'_> {
    fn written(
        &self,
        name: &str,
        experiment: &Experiment,
        answers: &[Answer],
        halt: &Halt,
    ) -> Result<Vec<u8>, Error> {
        let mut bytes = Stoppable { bytes: Vec::new(), halt };
        match name {
            "cells.csv" => table(Kind::Csv(Decimal::Point), answers, &mut bytes)?,
            #[cfg(feature = "parquet")]
            "cells.parquet" => table(Kind::Parquet, answers, &mut bytes)?,
            #[cfg(feature = "xlsx")]
            "odds.xlsx" => return crate::report::tables::xlsx::workbook(answers, halt),
            "odds.json" => print(answers, Format::Json, &mut bytes)?,
            _ => return self.drawn(name, experiment, answers, halt),
        }
        Ok(bytes.bytes)
    }

    /// A card, a chart or the report page.
    #[cfg(feature = "sheets")]
    fn drawn(
        &self,
        name: &str,
        experiment: &Experiment,
        answers: &[Answer],
        halt: &Halt,
    ) -> Result<Vec<u8>, Error> {
        use crate::report::card::{self, Paper};
        use crate::report::{self, drawing, json::flat, page};
        match name {
            "card.pdf" | "card.svg" | "card.png" => {
                let picture = Picture::ending(name.rsplit('.').next().unwrap_or_default());
                let picture = picture.ok_or_else(|| Error::Usage(format!("no {name} here")))?;
                let format = card::Format::Picture(picture, Paper::A4);
                card::write_unless(experiment, answers, format, halt)
            }
            // Page by page, for a preview.
            "card.json" => {
                let pages = card::pages(experiment, answers, Paper::A4, halt)?;
                let pages: Vec<_> = pages.iter().map(drawing::svg).collect();
                Ok(flat(&pages).into_bytes())
            }
            "chart.svg" => {
                let figures = report::charted(experiment, answers).into_iter();
                Ok(figures.map(|figure| figure.svg).next().unwrap_or_default().into_bytes())
            }
            _ => {
                let figures = report::charted(experiment, answers);
                let facts = self.facts(experiment);
                Ok(page::render(experiment, answers, &facts, &figures, halt).into_bytes())
            }
        }
    }

    #[cfg(feature = "sheets")]
    fn facts(&self, experiment: &Experiment) -> crate::report::RunFacts {
        let command = ["enfilade", "run", self.name, "--exact-only"];
        let input = crate::report::InputFile::new(self.name, self.text);
        crate::report::RunFacts {
            command: command.map(str::to_owned).to_vec(),
            build: self.bench.build,
            input: Some(input.with(&experiment.rulebooks)),
            started: std::time::UNIX_EPOCH + self.begun,
            taken: self.bench.host.clock().saturating_sub(self.begun),
            identity: None,
        }
    }

    /// No other sheet is known without them.
    #[cfg(not(feature = "sheets"))]
    fn drawn(
        &self,
        name: &str,
        _experiment: &Experiment,
        _answers: &[Answer],
        _halt: &Halt,
    ) -> Result<Vec<u8>, Error> {
        Err(Error::Usage(format!("there is no {name} here")))
    }
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
