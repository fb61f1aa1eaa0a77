//! `enfilade seek dice`: dice with a wanted distribution.

use std::path::Path;

use crate::cli::args::question_args::QuestionArgs;
use crate::cli::args::seek_args::{SeekArgs, SeekFormat};
use crate::cli::command_output::OutputAndError;
use crate::cli::text_sheet::HeadAndTextRows;
use crate::error::Error;
use crate::report::json_text::to_indented_json;
use crate::report::terminal::TerminalCapabilities;
use crate::seek::dice_search::{DiceSearch, DiceSearchAnswer};

/// The word in place of a file that asks for dice.
const DICE_WORD: &str = "dice";

/// Number of expressions to print by default: on a terminal, and as JSON.
const DICE_SHOWN: (usize, usize) = (10, 100);

/// Returns whether a question is about dice; a file of that name goes first.
pub fn is_dice_question(question: &QuestionArgs) -> bool {
    question.file == Path::new(DICE_WORD) && !(question.words.is_empty() && question.file.exists())
}

/// Finds the dice that fit.
///
/// # Errors
/// When a family or a want cannot be read, an option does not go with dice, nothing fits, or the
/// work was stopped.
pub fn run(args: &SeekArgs) -> Result<OutputAndError, Error> {
    let refused = [
        ("--change", !args.change.is_empty(), "list what differs in braces, as in \"{1..6}d6\""),
        ("--subject-to", !args.subject_to.is_empty(), "write it as a want, with --so-that"),
        ("--prefer", !args.prefer.is_empty(), "fewest dice come first, then fewest sides"),
        (
            args.format.full_command_line_option(),
            !args.format.suits_every_search(),
            "use --format json",
        ),
    ];
    if let Some((option, _, remedy)) = refused.iter().find(|(_, is_given, _)| *is_given) {
        return Err(Error::Usage(format!("seek dice takes no {option}: {remedy}")));
    }
    let search = DiceSearch::read(&args.question.words, &args.so_that)?;
    let halt = crate::cli::signals::token_of_first_signal()?;
    let answer = args.machine.build_thread_pool()?.install(|| search.answer(halt))?;
    let summary = answer.summary_sentence();
    let trouble = answer.fits.is_empty();
    let trouble = trouble.then(|| Error::NothingFits(summary.trim_end_matches('.').to_owned()));
    let (on_terminal, as_json) = DICE_SHOWN;
    let text = match args.format {
        SeekFormat::Json => {
            let best = args.best.unwrap_or(as_json);
            to_indented_json(&answer.as_document(&search.wants, best))
        }
        _ => render_terminal_text(&search, &answer, args.best.unwrap_or(on_terminal)),
    };
    Ok(OutputAndError::new(text, trouble))
}

/// Renders the answer for a terminal.
fn render_terminal_text(search: &DiceSearch, answer: &DiceSearchAnswer, best: usize) -> String {
    let mut text = format!("{}\n", answer.summary_sentence());
    text.extend(answer.remark_on_left_out().map(|remark| format!("{remark}\n")));
    if answer.fits.is_empty() && !answer.nearest.is_empty() {
        text += "\nThe nearest:\n";
    }
    let (head, rows) = answer.table_head_and_rows(&search.wants, best);
    text += &format!(
        "\n{}",
        HeadAndTextRows { head, rows }
            .render_aligned_columns(TerminalCapabilities::from_stdout().width)
    );
    let more = answer.fits.len().saturating_sub(best);
    if more > 0 {
        text += &format!("{more} more: --best {}\n", answer.fits.len());
    }
    text
}
