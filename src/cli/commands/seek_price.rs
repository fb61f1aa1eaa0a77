//! `enfilade seek` of an arsenal: numbers of a unit for a wanted worth or even price.

use crate::catalogue::Catalogue;
use crate::cli::args::seek_args::{SeekArgs, SeekFormat};
use crate::cli::command_output::OutputAndError;
use crate::cli::command_steps;
use crate::cli::text_sheet::HeadAndTextRows;
use crate::error::Error;
use crate::report::json_text::to_indented_json;
use crate::report::terminal::TerminalCapabilities;
use crate::seek::price_answer::FittingVariantsAnswer;
use crate::seek::price_question::ArsenalDesignSearch;
use crate::study::file::source_document::SourceInput;

/// Number of variants to print by default: on a terminal, and as JSON.
const VARIANTS_SHOWN: (usize, usize) = (10, 100);

/// Finds the variants of a unit that fit.
///
/// # Errors
/// When the file has faults, an option does not go with prices, nothing fits, or the work was
/// stopped.
pub fn run_unit_variant_search(
    args: &SeekArgs,
    catalogue: &Catalogue,
    input: &SourceInput,
) -> Result<OutputAndError, Error> {
    if !args.format.suits_every_search() {
        let option = args.format.full_command_line_option();
        let problem = format!("seek in an arsenal takes no {option}: use --format json");
        return Err(Error::Usage(problem));
    }
    let question = ArsenalDesignSearch::read(catalogue, &input.name, &input.text)?;
    let battles = command_steps::battle_settings(&args.machine, None);
    let (_, pricing) =
        command_steps::fight_battles_and_set_prices(&question.arsenal, &battles, &args.machine)?;
    let answer = question.judge_variants_by_wants(&pricing);
    let sentence = answer.summary_sentence(&question);
    let none = answer.fits.is_empty();
    let error = none.then(|| Error::NothingFits(sentence.trim_end_matches('.').to_owned()));
    let (on_terminal, as_json) = VARIANTS_SHOWN;
    let text = match args.format {
        SeekFormat::Json => {
            to_indented_json(&answer.as_document(&question, args.best.unwrap_or(as_json)))
        }
        _ => render_terminal_text(&question, &answer, args.best.unwrap_or(on_terminal)),
    };
    Ok(OutputAndError::new(text, error))
}

/// Renders the answer for a terminal.
fn render_terminal_text(
    question: &ArsenalDesignSearch,
    answer: &FittingVariantsAnswer,
    best: usize,
) -> String {
    let (head, rows) = answer.table_head_and_rows(question, best);
    let table = HeadAndTextRows { head, rows }
        .render_aligned_columns(TerminalCapabilities::from_stdout().width);
    let more = answer.fits.len().saturating_sub(best);
    let more = match more {
        0 => String::new(),
        more => format!("{more} more: --best {}\n", answer.fits.len()),
    };
    format!("{}\n\n{table}{more}", answer.summary_sentence(question))
}
