//! How an error looks: every fault with its file, line, caret and advice.
//!
//! What comes from a file or from the command line is shown with its control characters taken
//! out, so that no input steers the terminal.

use std::fmt;
use std::io::{IsTerminal, Write};

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError,
    MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};

use crate::error::{Error, LocatedFault};
use crate::study::source::steers;

/// Width of reports, in columns.
const WIDTH: usize = 100;

/// Bytes shown of a line before and after the place at fault; lines can be a megabyte long.
const BEFORE: usize = 60;
const AFTER: usize = 100;

/// Writes `error` to standard error, in colour if that is a terminal and `NO_COLOR` is not set.
pub fn report(error: &Error) {
    let stderr = std::io::stderr();
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let text = render(error, stderr.is_terminal() && !plain);
    // When even this cannot be written there is nobody left to tell.
    let _ = stderr.lock().write_all(text.as_bytes());
}

/// `error` as it is shown.
pub fn render(error: &Error, colour: bool) -> String {
    let theme = if colour {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(WIDTH)
        .with_context_lines(0)
        .with_links(false);
    let mut page = String::new();
    let mut show = |shown: &Shown| {
        // Writing into a text cannot fail; what the handler could not draw is left out.
        let _ = handler.render_report(&mut page, shown);
    };
    if let Error::Input { name, text, faults } = error {
        let excerpts = faults
            .iter()
            .map(|located| Excerpt::new(name, text, located));
        faults
            .iter()
            .zip(excerpts)
            .for_each(|(located, excerpt)| show(&Shown::fault(located, excerpt)));
    }
    show(&Shown::message(&error.to_string()));
    page
}

/// `text` with its control characters replaced, byte for byte, so that places stay where they are.
fn tamed(text: &str) -> String {
    let tame = |c: char| match (steers(c), c.len_utf8()) {
        (false, _) => c,
        (true, 1) => '?',
        (true, 2) => '·',
        (true, _) => '\u{fffd}',
    };
    text.chars().map(tame).collect()
}

/// One thing to show: a fault in a file, or a message alone.
#[derive(Debug)]
struct Shown {
    message: String,
    help: Option<String>,
    excerpt: Option<Excerpt>,
}

impl Shown {
    fn fault(located: &LocatedFault, excerpt: Excerpt) -> Shown {
        Shown {
            message: tamed(&located.fault.problem),
            help: located.fault.help.as_deref().map(tamed),
            excerpt: Some(excerpt),
        }
    }

    fn message(text: &str) -> Shown {
        Shown {
            message: tamed(text),
            help: None,
            excerpt: None,
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown {}

impl Diagnostic for Shown {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt
            .as_ref()
            .map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = |excerpt: &Excerpt| LabeledSpan::new_with_span(None, excerpt.fault);
        let labels = self.excerpt.iter().map(label);
        Some(Box::new(labels))
    }
}

/// The part of a file's line around a fault.
#[derive(Debug)]
struct Excerpt {
    name: String,
    line: usize,
    column: usize,
    text: String,
    fault: SourceSpan,
}

impl Excerpt {
    fn new(name: &str, text: &str, located: &LocatedFault) -> Excerpt {
        let start = text.floor_char_boundary(located.span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..]
            .find('\n')
            .map_or(text.len(), |newline| start + newline);
        let end = located.span.end.clamp(start, line_end);
        let from = text.ceil_char_boundary(start.saturating_sub(BEFORE).max(line_start));
        let to =
            text.floor_char_boundary(end.min(start + AFTER).saturating_add(BEFORE).min(line_end));
        let shown_end = text.floor_char_boundary(end.min(to)).max(start);
        Excerpt {
            name: tamed(name),
            line: text[..start].matches('\n').count(),
            column: text[line_start..start].chars().count(),
            text: tamed(text[from..to].trim_end_matches('\r')),
            fault: (start - from, shown_end - start).into(),
        }
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
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
        let fault = |(span, problem): &(std::ops::Range<usize>, &str)| LocatedFault {
            fault: Fault::new("", *problem).help("do it well"),
            span: span.clone(),
        };
        let faults = places.iter().map(fault).collect();
        render(
            &Error::Input {
                name: "a\u{1b}.toml".into(),
                text: text.into(),
                faults,
            },
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
        let page = shown(
            text,
            &[
                (0..1, "bad \u{1b}]0;x\u{7}"),
                (text.len() - 2..text.len(), "worse"),
            ],
        );
        assert!(!page.chars().any(|c| steers(c) && c != '\n'), "{page:?}");
    }

    #[test]
    fn long_lines_are_cut_around_the_fault() {
        let text = format!("a = \"{}\" # {}", "é".repeat(100_000), "x".repeat(100_000));
        for place in [
            0..1,
            4..text.len() - 100_002,
            100_000..100_001,
            text.len()..text.len(),
        ] {
            let page = shown(&text, &[(place.clone(), "here")]);
            assert!(
                page.len() < 2000 && page.contains("a?.toml:1:"),
                "{place:?}: {page}"
            );
        }
    }

    #[test]
    fn odd_places_are_shown_all_the_same() {
        for (text, place) in [
            ("", 0..0),
            ("a", 5..9),
            ("a\n\n", 2..3),
            ("é", 1..2),
            ("a\nb", 0..3),
        ] {
            let page = shown(text, &[(place.clone(), "here")]);
            assert!(
                page.contains("here") && page.contains("a?.toml"),
                "{place:?}: {page}"
            );
        }
    }
}
