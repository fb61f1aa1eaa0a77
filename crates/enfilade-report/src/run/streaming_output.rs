//! Streaming output of answers: CSV, a line of JSON per cell, Parquet.

use std::io::Write;

use crate::answers::answers_json;
use crate::answers::digest::Totals;
use crate::tables::Batches;
use crate::tables::table_writer::{Kind, Sheet};
use enfilade_model::error::Error;
use enfilade_study::answer::Answer;
use enfilade_study::search::left_out::LeftOut;
use enfilade_study::solve::streaming::AnswerSink;

/// A format that can be written cell by cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Builds the table of the cells.
    Table(Kind),
    /// An object per cell, with its outcomes.
    Jsonl,
}

/// Sink for blocks of answers: standard output, or another writer.
#[derive(Debug)]
pub struct Lines<W: Write> {
    way: Way<W>,
    /// Counts over the answers written so far.
    pub totals: Totals,
    /// What a search has left out.
    pub left_out: LeftOut,
}

#[derive(Debug)]
enum Way<W: Write> {
    Table(Box<Batches>, Sheet<W>),
    Jsonl(W),
}

const STDOUT: &str = "standard output";

impl<W: Write> Lines<W> {
    /// Starts with the columns of `sample`, which are representative cells or all of them.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn new(flow: Flow, sample: &[Answer], out: W) -> Result<Lines<W>, Error> {
        let way = match flow {
            Flow::Table(kind) => {
                let mut batches = Batches::of(sample, false);
                let sheet = Sheet::new(kind, STDOUT.into(), &batches.cells(&[]), out, &[])?;
                Way::Table(Box::new(batches), sheet)
            }
            Flow::Jsonl => Way::Jsonl(out),
        };
        let left_out = LeftOut::default();
        Ok(Lines { way, totals: Totals::default(), left_out })
    }

    /// Finishes the output.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        match self.way {
            Way::Table(_, sheet) => sheet.finish(),
            Way::Jsonl(mut out) => out.flush().map_err(Error::io("writing", STDOUT)),
        }
    }
}

impl<W: Write + Send> AnswerSink for Lines<W> {
    fn take(&mut self, mut answers: Vec<Answer>) -> Result<(), Error> {
        match &mut self.way {
            Way::Table(batches, sheet) => {
                batches.fit(&mut answers);
                sheet.add(&batches.cells(&answers))?;
            }
            Way::Jsonl(out) => {
                let mut lines = answers.iter().map(answers_json::line);
                let written = lines.try_for_each(|line| out.write_all(line.as_bytes()));
                written.map_err(Error::io("writing", STDOUT))?;
            }
        }
        answers.iter().for_each(|answer| self.totals.count(answer));
        Ok(())
    }

    fn left_out(&mut self, left_out: LeftOut) {
        self.left_out = left_out;
    }
}
