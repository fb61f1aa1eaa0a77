//! `enfilade seek`.

use std::fmt::Write;
use std::sync::Arc;

use super::seek_journal::SeekJournal;
use super::{seek_dice, seek_folder, seek_price};
use crate::catalogue::Catalogue;
use crate::cli::args::CellSolutionArgs;
use crate::cli::args::question_args;
use crate::cli::args::seek_args::{SeekArgs, SeekFormat};
use crate::cli::command_output::OutputAndError;
use crate::cli::error_report;
use crate::cli::progress::TerminalRunProgress;
use crate::error::Error;
use crate::form::sanitize::group_digits;
use crate::report::blocks::{ReportBlock, markdown};
use crate::report::json_text::to_indented_json;
use crate::report::tables::csv;
use crate::seek::price_question::is_price_question;
use crate::seek::search_journal::SearchJournal;
use crate::seek::seek_answer::{self, SeekAnswer, SeekPlan};
use crate::seek::seek_question::{SEEK_TABLE_KEY, SeekQuestion};
use crate::seek::{design_file, seek_document, seek_page};
use crate::study::file::source_document::SourceInput;
use crate::study::file::toml_writer as literal;

/// The least number of cells whose number is shown before they are solved.
const CELLS_WITH_REMARK: u64 = 10_000;

/// Number of designs of a JSON document by default.
const DEFAULT_JSON_DESIGNS: usize = 20;

impl SeekArgs {
    /// Finds the designs that fit.
    ///
    /// # Errors
    /// When the file has faults, a scope is too large, or the work was stopped.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        if seek_dice::is_dice_question(&self.question) {
            return seek_dice::run(self);
        }
        let input = self.read_file_adding_options(catalogue)?;
        let catalogue = self.rulebooks.catalogue_for_input(catalogue, &input)?;
        if is_price_question(&input.text) {
            return seek_price::run_unit_variant_search(self, &catalogue, &input);
        }
        // A search uses no trials, so there is no forecast to confirm.
        let options = CellSolutionArgs {
            exact_only: true,
            yes: true,
            machine: self.machine.clone(),
            ..CellSolutionArgs::default()
        };
        let first = TerminalRunProgress::for_cells(0, &options)?;
        let pool = self.machine.build_thread_pool()?;
        let mut question = self.read_question(&catalogue, &input)?;
        let plan = pool.install(|| seek_answer::plan_cells_to_solve(&mut question, &first));
        first.remove_bar();
        let mut plan = plan?;
        let claim = self
            .out
            .as_ref()
            .map(|folder| seek_folder::claim_new_or_earlier_folder(folder, &input));
        let claim = claim.transpose()?;
        let journal = SeekJournal::open(&question, &input.text, self.out.as_deref())?;
        plan.journal = Some(Arc::clone(&journal) as Arc<dyn SearchJournal>);
        self.remark_if_search_is_large(&plan);
        let progress = TerminalRunProgress::new(plan.cells, self.machine.quiet)?;
        let answer =
            pool.install(|| seek_answer::answer_planned_search(&question, plan, &progress));
        progress.remove_bar();
        let answer = answer.map_err(|error| journal.keep_and_add_resume_hint(error.into()))?;
        if let Some(claim) = &claim {
            seek_folder::write_folder(claim, &input, (&question, &answer))?;
        }
        journal.finish_and_delete()?;
        let text = self.render_answer(&question, &answer);
        if let Some(remark) =
            answer.remaining_work_remark(&question).filter(|_| !self.machine.quiet)
        {
            error_report::write_remark_to_stderr(&remark);
        }
        Ok(OutputAndError::new(text, incomplete_or_no_fit_error(&question, &answer)))
    }

    /// Reads the question, with the limit of the command line.
    fn read_question(
        &self,
        catalogue: &Catalogue,
        input: &SourceInput,
    ) -> Result<SeekQuestion, Error> {
        let halt = crate::cli::signals::token_of_first_signal()?;
        let mut question = SeekQuestion::read_or_cancel(catalogue, &input.name, &input.text, halt)?;
        question.work = if self.full { None } else { self.work.or(question.work) };
        Ok(question)
    }

    /// Shows the size of a large search before it begins.
    fn remark_if_search_is_large(&self, plan: &SeekPlan) {
        if plan.cells >= CELLS_WITH_REMARK && !self.machine.quiet {
            let (scopes, cells) = (plan.distinct_scope_count(), group_digits(plan.cells));
            error_report::write_remark_to_stderr(&format!("{scopes} scopes, {cells} cells"));
        }
    }

    /// Renders the answer in the format that was chosen.
    fn render_answer(&self, question: &SeekQuestion, answer: &SeekAnswer) -> String {
        let best = self.best.or(question.best);
        match self.format {
            SeekFormat::Table => {
                let best = best.unwrap_or(seek_page::DEFAULT_DESIGNS_SHOWN);
                seek_page::render_answer_text(question, answer, best, &self.format_seek_command())
            }
            SeekFormat::Json => to_indented_json(&seek_document::answer_as_document(
                question,
                answer,
                best.unwrap_or(DEFAULT_JSON_DESIGNS),
            )),
            SeekFormat::Csv => {
                csv::render_csv(&seek_folder::build_best_design_table(question, answer))
            }
            SeekFormat::Markdown => {
                let file = self.question.file.display().to_string();
                let blocks = seek_folder::build_page_blocks(question, answer, &file);
                let is_picture = |block: &ReportBlock| matches!(block, ReportBlock::Picture(_));
                let blocks: Vec<_> =
                    blocks.into_iter().filter(|block| !is_picture(block)).collect();
                markdown::markdown_text(&blocks)
            }
            SeekFormat::Toml => match answer.best_designs.first() {
                Some(first) => design_file::render_design_as_contest_file(question, answer, first),
                None => String::new(),
            },
        }
    }

    /// Reads the file, with the additions of the command line.
    fn read_file_adding_options(&self, catalogue: &Catalogue) -> Result<SourceInput, Error> {
        let mut input =
            question_args::open_file_or_question(catalogue, &self.rulebooks, &self.question)?;
        let lists = [
            ("so_that", &self.so_that),
            ("subject_to", &self.subject_to),
            ("prefer", &self.prefer),
        ];
        if self.change.is_empty() && lists.iter().all(|(_, texts)| texts.is_empty()) {
            return Ok(input);
        }
        let has_seek =
            input.text.parse::<toml::Table>().is_ok_and(|file| file.contains_key(SEEK_TABLE_KEY));
        if has_seek {
            let problem = "the file has [seek]: put the wants there, or remove it";
            return Err(Error::Usage(problem.to_owned()));
        }
        let mut text = format!("\n[{SEEK_TABLE_KEY}]\n");
        for (key, texts) in lists.into_iter().filter(|(_, texts)| !texts.is_empty()) {
            let texts: Vec<String> =
                texts.iter().map(|text| literal::quote_toml_text(text)).collect();
            let _ = writeln!(text, "{key} = [{}]", texts.join(", "));
        }
        let _ = writeln!(text, "[{SEEK_TABLE_KEY}.change]");
        for change in &self.change {
            let Some((name, values)) = change.split_once('=') else {
                let problem =
                    format!("--change takes a number and its values, as in {change}=1..6");
                return Err(Error::Usage(problem));
            };
            let _ = writeln!(
                text,
                "{} = {}",
                literal::quote_toml_text(name.trim()),
                values_as_toml(values.trim())
            );
        }
        input.text += &text;
        Ok(input)
    }

    /// Formats the command for another search, without a format.
    fn format_seek_command(&self) -> String {
        let words = [self.question.file.display().to_string()];
        let words = words.into_iter().chain(self.question.words.iter().cloned());
        let options = [("--change", &self.change), ("--so-that", &self.so_that)];
        let options = options.iter().flat_map(|(option, given)| {
            given.iter().map(move |text| format!("{option} \"{text}\""))
        });
        let all: Vec<String> = words.chain(options).collect();
        crate::report::text::sentences::replace_control_chars(&format!(
            "enfilade seek {}{}",
            all.join(" "),
            self.rulebooks.as_command_options()
        ))
    }
}

/// The error that nothing fits, or that cells without an answer or undecided designs may fit.
pub fn incomplete_or_no_fit_error(question: &SeekQuestion, answer: &SeekAnswer) -> Option<Error> {
    if answer.unanswered_cells > 0 {
        let problem =
            format!("{} cells have no answer and may hold more designs", answer.unanswered_cells);
        return Some(Error::Incomplete(problem));
    }
    let sentence = || answer.summary_sentence(question).trim_end_matches('.').to_owned();
    match (answer.fits, answer.complete) {
        (0, true) => Some(Error::NothingFits(sentence())),
        (0, false) => {
            let work = answer.state_limit_to_decide_all();
            let work =
                work.map_or("a larger --work".to_owned(), |states| format!("--work {states}"));
            Some(Error::Incomplete(format!("{}; {work} goes further", sentence())))
        }
        _ => None,
    }
}

/// Converts values to TOML: a range if there are two dots, else a list.
fn values_as_toml(text: &str) -> String {
    if let Some((from, to)) = text.split_once("..")
        && from.parse::<i64>().is_ok()
        && to.parse::<i64>().is_ok()
    {
        return format!("{{ from = {from}, to = {to} }}");
    }
    if text == "all" {
        return literal::quote_toml_text(text);
    }
    let value = |word: &str| match word.parse::<f64>() {
        Ok(_) => word.to_owned(),
        Err(_) if ["true", "false"].contains(&word) => word.to_owned(),
        Err(_) => literal::quote_toml_text(word),
    };
    let values: Vec<String> = text.split(',').map(|word| value(word.trim())).collect();
    format!("[{}]", values.join(", "))
}
