//! Rendering of errors: every fault with its file, line, caret and advice.
//!
//! Text from a file or from the command line is shown without its control characters and truncated
//! if it is long, so that no input steers the terminal or fills it.

use std::fmt;
use std::io::Write;
use std::path::Path;

use clap::error::{ContextKind, ContextValue};
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError,
    MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};

use crate::catalogue::Catalogue;
use crate::cli::args::question_args;
use crate::error::{Error, FaultWithByteSpan, InputError, format_count};
use crate::form::sanitize::{is_control_or_invisible, shorten_and_make_safe};
use crate::report::terminal::stream_supports_colors;

/// Width of reports, in columns.
const ERROR_REPORT_WIDTH: usize = 100;

/// Bytes shown of a line before and after the place at fault; lines can be a megabyte long.
const MAX_BYTES_BEFORE: usize = 60;
const MAX_BYTES_AFTER: usize = 100;

/// Bytes shown of a fault, of the advice with it, and of a message without a place: with the line
/// at fault a message has at most two KiB.
const MAX_FAULT_BYTES: usize = 450;
const MAX_ADVICE_BYTES: usize = 650;
const MAX_MESSAGE_BYTES: usize = 1500;

/// Bytes shown of a file's name.
const MAX_FILE_NAME_BYTES: usize = 120;

/// Writes `error` to standard error, in colour if that is a terminal that may be coloured.
pub fn write_error_to_stderr(error: &Error) {
    try_write_to_stderr(&render_error_report(error, stream_supports_colors(&std::io::stderr())));
}

/// Writes a line to standard error beside the work.
pub fn write_remark_to_stderr(line: &str) {
    try_write_to_stderr(&format!("{line}\n"));
}

/// If standard error cannot be written to, no channel is left for the error.
fn try_write_to_stderr(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Refuses arguments in the words of clap, with repeated text truncated and made safe; for a
/// rulebook or a file in the place of a command, names the command for it.
pub fn make_safe_and_suggest_command(catalogue: &Catalogue, mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && let Some(meant) = command_for_rulebook_or_file(catalogue, word)
    {
        let meant = format!("did you mean `{meant}`?").into();
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![meant]));
    }
    let repeated: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) => Some((kind, shorten_and_make_safe(text))),
            _ => None,
        })
        .collect();
    for (kind, text) in repeated {
        error.insert(kind, ContextValue::String(text));
    }
    error
}

/// Suggests the command that a rulebook or a file belongs to.
fn command_for_rulebook_or_file(catalogue: &Catalogue, word: &str) -> Option<String> {
    let name = shorten_and_make_safe(word);
    let is_rulebook = question_args::has_rulebook_ending(Path::new(word))
        || catalogue.rulebook_ids().any(|id| id == word);
    match is_rulebook {
        true => Some(format!("enfilade odds {name} ACTION field=value …")),
        false => word.ends_with(".toml").then(|| format!("enfilade odds {name}")),
    }
}

/// Renders `error` for the terminal.
pub fn render_error_report(error: &Error, colour: bool) -> String {
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(ERROR_REPORT_WIDTH)
        .with_context_lines(0)
        .with_links(false);
    let mut page = String::new();
    let mut show = |shown: &FaultToRender| {
        // Writing into a text cannot fail; parts that the handler cannot draw are left out.
        let _ = handler.render_report(&mut page, shown);
    };
    if let Error::Input(InputError { name, text, faults }) = error {
        let excerpts = faults.iter().map(|located| FaultyLineExcerpt::new(name, text, located));
        faults
            .iter()
            .zip(excerpts)
            .for_each(|(located, excerpt)| show(&FaultToRender::at_line_excerpt(located, excerpt)));
    }
    let last = match error {
        Error::Input(InputError { name, faults, .. }) => {
            format!(
                "{} in {}",
                format_count(faults.len(), "error"),
                truncate_middle(name, MAX_FILE_NAME_BYTES)
            )
        }
        other => other.to_string(),
    };
    show(&FaultToRender::without_place(&last));
    page
}

/// Replaces the control characters of `text`, byte for byte, so that positions stay valid.
fn escape_control_chars(text: &str) -> String {
    let tame = |c: char| match (is_control_or_invisible(c), c.len_utf8()) {
        (false, _) => c,
        (true, 1) => '?',
        (true, 2) => '·',
        (true, 3) => '\u{fffd}',
        (true, _) => '\u{1fbc4}',
    };
    text.chars().map(tame).collect()
}

/// Truncates `text` to about `limit` bytes in the middle: both ends are the most useful.
fn truncate_middle(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let start = text.floor_char_boundary(limit * 3 / 4);
    let end = text.ceil_char_boundary(text.len() - limit / 4);
    format!("{} … {}", &text[..start], &text[end..])
}

/// One item to render: a fault in a file, or a message alone.
#[derive(Debug)]
struct FaultToRender {
    message: String,
    help: Option<String>,
    excerpt: Option<FaultyLineExcerpt>,
}

impl FaultToRender {
    fn at_line_excerpt(located: &FaultWithByteSpan, excerpt: FaultyLineExcerpt) -> FaultToRender {
        FaultToRender {
            message: truncate_middle(
                &escape_control_chars(&located.fault.problem),
                MAX_FAULT_BYTES,
            ),
            help: located
                .fault
                .help
                .as_deref()
                .map(|help| truncate_middle(&escape_control_chars(help), MAX_ADVICE_BYTES)),
            excerpt: Some(excerpt),
        }
    }

    fn without_place(text: &str) -> FaultToRender {
        FaultToRender {
            message: truncate_middle(&escape_control_chars(text), MAX_MESSAGE_BYTES),
            help: None,
            excerpt: None,
        }
    }
}

impl fmt::Display for FaultToRender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FaultToRender {}

impl Diagnostic for FaultToRender {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = |excerpt: &FaultyLineExcerpt| LabeledSpan::new_with_span(None, excerpt.fault);
        let labels = self.excerpt.iter().map(label);
        Some(Box::new(labels))
    }
}

/// The part of a file's line around a fault.
#[derive(Debug)]
struct FaultyLineExcerpt {
    name: String,
    line: usize,
    column: usize,
    text: String,
    fault: SourceSpan,
}

impl FaultyLineExcerpt {
    fn new(name: &str, text: &str, located: &FaultWithByteSpan) -> FaultyLineExcerpt {
        // A byte order mark in front is no part of the first line.
        let marked = text.len();
        let text = text.trim_start_matches('\u{feff}');
        let mark = marked - text.len();
        let start = text.floor_char_boundary(located.span.start.saturating_sub(mark));
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let end = located.span.end.saturating_sub(mark);
        let end = end.clamp(start, line_end);
        let from = text.ceil_char_boundary(start.saturating_sub(MAX_BYTES_BEFORE).max(line_start));
        let to = text.floor_char_boundary(
            end.min(start + MAX_BYTES_AFTER).saturating_add(MAX_BYTES_BEFORE).min(line_end),
        );
        let shown_end = text.floor_char_boundary(end.min(to)).max(start);
        FaultyLineExcerpt {
            name: truncate_middle(&escape_control_chars(name), MAX_FILE_NAME_BYTES),
            line: text[..start].matches('\n').count(),
            column: text[line_start..start].chars().count(),
            text: escape_control_chars(text[from..to].trim_end_matches('\r')),
            fault: (start - from, shown_end - start).into(),
        }
    }
}

impl SourceCode for FaultyLineExcerpt {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // The excerpt is the whole source: every line that is requested is in it.
        let whole = (0, self.text.len()).into();
        let contents = MietteSpanContents::new_named(
            self.name.clone(),
            self.text.as_bytes(),
            whole,
            self.line,
            self.column,
            1,
        );
        Ok(Box::new(contents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Fault;

    fn shown(text: &str, places: &[(std::ops::Range<usize>, &str)]) -> String {
        let fault = |(span, problem): &(std::ops::Range<usize>, &str)| FaultWithByteSpan {
            fault: Fault::new("", *problem).with_help("do it well"),
            span: span.clone(),
        };
        let faults = places.iter().map(fault).collect();
        render_error_report(
            &InputError { name: "a\u{1b}.toml".into(), text: text.into(), faults }.into(),
            false,
        )
    }

    #[test]
    fn a_fault_is_shown_with_its_line_and_column() {
        let expected = [
            "  × bad number",
            "   ╭─[a?.toml:2:5]",
            " 2 │ b = 21",
            "   ·     ──",
            "   ╰────",
            "  help: do it well",
            "  × 1 error in a?.toml",
            "",
        ];
        let page = shown("a = 1\nb = 21\n", &[(10..12, "bad number")]);
        assert_eq!(page, expected.join("\n"));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let text = "a = 1 # \u{1b}[2J \u{9b}31m \u{202e}\r\nb = 2\u{7}";
        let page =
            shown(text, &[(0..1, "bad \u{1b}]0;x\u{7}"), (text.len() - 2..text.len(), "worse")]);
        assert!(!page.chars().any(|c| is_control_or_invisible(c) && c != '\n'), "{page:?}");
    }

    #[test]
    fn long_lines_are_cut_around_the_fault() {
        let text = format!("a = \"{}\" # {}", "é".repeat(100_000), "x".repeat(100_000));
        for place in [0..1, 4..text.len() - 100_002, 100_000..100_001, text.len()..text.len()] {
            let page = shown(&text, &[(place.clone(), "here")]);
            assert!(page.len() < 2000 && page.contains("a?.toml:1:"), "{place:?}: {page}");
        }
    }

    #[test]
    fn odd_places_are_shown_all_the_same() {
        for (text, place) in [("", 0..0), ("a", 5..9), ("a\n\n", 2..3), ("é", 1..2), ("a\nb", 0..3)]
        {
            let page = shown(text, &[(place.clone(), "here")]);
            assert!(page.contains("here") && page.contains("a?.toml"), "{place:?}: {page}");
        }
    }
}
