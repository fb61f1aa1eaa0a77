//! Streaming output of answers: CSV, a line of JSON per cell, Parquet.

use std::io::Write;

use crate::answers::answers_json;
use crate::answers::grid_digest::AnswerTotals;
use crate::error::ReportError;
use crate::tables::CellAndOutcomeBatches;
use crate::tables::table_writer::{OpenTableFile, TableFormat};
use enfilade_model::error::FileError;
use enfilade_study::answer::Answer;
use enfilade_study::search::omitted_cells::CellsOmittedBySearch;
use enfilade_study::solve::streaming::AnswerSink;

/// A format that can be written cell by cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamableFormat {
    /// Builds the table of the cells.
    Table(TableFormat),
    /// An object per cell, with its outcomes.
    Jsonl,
}

/// Sink for blocks of answers: standard output, or another writer.
#[derive(Debug)]
pub struct AnswerStreamSink<W: Write> {
    writer: TableOrJsonlWriter<W>,
    /// Counts over the answers written so far.
    pub totals: AnswerTotals,
    /// Cells that a search has left out.
    pub left_out: CellsOmittedBySearch,
}

#[derive(Debug)]
enum TableOrJsonlWriter<W: Write> {
    Table(Box<CellAndOutcomeBatches>, OpenTableFile<W>),
    Jsonl(W),
}

const STANDARD_OUTPUT_NAME: &str = "standard output";

impl<W: Write> AnswerStreamSink<W> {
    /// Starts with the columns of `sample`, which are representative cells or all of them.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn new(
        flow: StreamableFormat,
        sample: &[Answer],
        out: W,
    ) -> Result<AnswerStreamSink<W>, ReportError> {
        let way = match flow {
            StreamableFormat::Table(kind) => {
                let mut batches = CellAndOutcomeBatches::from_sample_answers(sample, false);
                let sheet = OpenTableFile::new(
                    kind,
                    STANDARD_OUTPUT_NAME.into(),
                    &batches.next_cell_rows(&[]),
                    out,
                    &[],
                )?;
                TableOrJsonlWriter::Table(Box::new(batches), sheet)
            }
            StreamableFormat::Jsonl => TableOrJsonlWriter::Jsonl(out),
        };
        let left_out = CellsOmittedBySearch::default();
        Ok(AnswerStreamSink { writer: way, totals: AnswerTotals::default(), left_out })
    }

    /// Finishes the output.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish_stream(self) -> Result<(), ReportError> {
        match self.writer {
            TableOrJsonlWriter::Table(_, sheet) => sheet.finish_table_file(),
            TableOrJsonlWriter::Jsonl(mut out) => Ok(out
                .flush()
                .map_err(FileError::io_error_converter("writing", STANDARD_OUTPUT_NAME))?),
        }
    }
}

impl<W: Write + Send> AnswerSink<ReportError> for AnswerStreamSink<W> {
    fn receive_answer_block(&mut self, mut answers: Vec<Answer>) -> Result<(), ReportError> {
        match &mut self.writer {
            TableOrJsonlWriter::Table(batches, sheet) => {
                batches.refuse_unfitting_answers(&mut answers);
                sheet.add_table_rows(&batches.next_cell_rows(&answers))?;
            }
            TableOrJsonlWriter::Jsonl(out) => {
                let mut lines = answers.iter().map(answers_json::render_answer_line);
                let written = lines.try_for_each(|line| out.write_all(line.as_bytes()));
                written.map_err(FileError::io_error_converter("writing", STANDARD_OUTPUT_NAME))?;
            }
        }
        answers.iter().for_each(|answer| self.totals.count_answer(answer));
        Ok(())
    }

    fn receive_omitted_cells(&mut self, left_out: CellsOmittedBySearch) {
        self.left_out = left_out;
    }
}
