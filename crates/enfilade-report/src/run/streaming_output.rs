//! Streaming output of answers: CSV, a line of JSON per cell, Parquet.

use std::io::Write;

use crate::answers::answers_json;
use crate::answers::digest::RunTotals;
use crate::error::ReportError;
use crate::tables::RowBatches;
use crate::tables::table_writer::{TableFile, TableFileFormat};
use enfilade_model::error::FileError;
use enfilade_study::answer::Answer;
use enfilade_study::search::omitted_cells::OmittedCells;
use enfilade_study::solve::streaming::AnswerSink;

/// A format that can be written cell by cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamFormat {
    /// Builds the table of the cells.
    Table(TableFileFormat),
    /// An object per cell, with its outcomes.
    Jsonl,
}

/// Sink for blocks of answers: standard output, or another writer.
#[derive(Debug)]
pub struct StreamSink<W: Write> {
    way: StreamWriter<W>,
    /// Counts over the answers written so far.
    pub totals: RunTotals,
    /// Cells that a search has left out.
    pub left_out: OmittedCells,
}

#[derive(Debug)]
enum StreamWriter<W: Write> {
    Table(Box<RowBatches>, TableFile<W>),
    Jsonl(W),
}

const STDOUT_NAME: &str = "standard output";

impl<W: Write> StreamSink<W> {
    /// Starts with the columns of `sample`, which are representative cells or all of them.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn new(
        flow: StreamFormat,
        sample: &[Answer],
        out: W,
    ) -> Result<StreamSink<W>, ReportError> {
        let way = match flow {
            StreamFormat::Table(kind) => {
                let mut batches = RowBatches::from_sample(sample, false);
                let sheet =
                    TableFile::new(kind, STDOUT_NAME.into(), &batches.next_cells(&[]), out, &[])?;
                StreamWriter::Table(Box::new(batches), sheet)
            }
            StreamFormat::Jsonl => StreamWriter::Jsonl(out),
        };
        let left_out = OmittedCells::default();
        Ok(StreamSink { way, totals: RunTotals::default(), left_out })
    }

    /// Finishes the output.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<(), ReportError> {
        match self.way {
            StreamWriter::Table(_, sheet) => sheet.finish(),
            StreamWriter::Jsonl(mut out) => {
                Ok(out.flush().map_err(FileError::map_io("writing", STDOUT_NAME))?)
            }
        }
    }
}

impl<W: Write + Send> AnswerSink<ReportError> for StreamSink<W> {
    fn take(&mut self, mut answers: Vec<Answer>) -> Result<(), ReportError> {
        match &mut self.way {
            StreamWriter::Table(batches, sheet) => {
                batches.refuse_misfits(&mut answers);
                sheet.add_rows(&batches.next_cells(&answers))?;
            }
            StreamWriter::Jsonl(out) => {
                let mut lines = answers.iter().map(answers_json::render_answer_line);
                let written = lines.try_for_each(|line| out.write_all(line.as_bytes()));
                written.map_err(FileError::map_io("writing", STDOUT_NAME))?;
            }
        }
        answers.iter().for_each(|answer| self.totals.count_answer(answer));
        Ok(())
    }

    fn left_out(&mut self, left_out: OmittedCells) {
        self.left_out = left_out;
    }
}
