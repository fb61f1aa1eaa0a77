//! Lines within lines: indentation determines which lines belong together.
//!
//! The meaning of lines is not known at this level. Comments (`-- …`) and trailing spaces are
//! removed, and a deeper line belongs to the one above it. The reader of a faulty line can
//! therefore continue with the next one of the same depth, and one run reports all faults of a
//! file.

use crate::diagnostics::{Faults, Span};

/// Largest number of characters in a line.
const MAX_LINE_CHARS: usize = 400;
/// Largest number of lines in a file.
const MAX_LINES_IN_FILE: usize = 4096;
/// Number of spaces that replace a tab.
const SPACES_PER_TAB: usize = 4;
/// Largest depth of lines within lines.
const MAX_INDENT_DEPTH: usize = 32;

/// Line with the lines that belong to it.
#[derive(Clone, Debug)]
pub struct SourceLine<'t> {
    /// Text, without comment and surrounding spaces.
    pub text: &'t str,
    /// Offset of the text in the file, in bytes.
    pub start: usize,
    /// Deeper lines below it.
    pub inner: Vec<SourceLine<'t>>,
}

impl SourceLine<'_> {
    /// Returns the place of the line, without its block.
    pub fn span(&self) -> Span {
        self.start..self.start + self.text.len()
    }
}

/// Parses a file into its outermost lines, each with its block.
pub fn parse_lines_of_text<'t>(text: &'t str, faults: &mut Faults) -> Vec<SourceLine<'t>> {
    parse_lines_from(text, 0, faults)
}

/// Parses a file whose first byte has the offset `start` among several files.
pub fn parse_lines_from<'t>(
    text: &'t str,
    start: usize,
    faults: &mut Faults,
) -> Vec<SourceLine<'t>> {
    let mut open: Vec<(usize, Vec<SourceLine<'t>>)> = vec![(0, Vec::new())];
    let marked = strip_byte_order_mark(text);
    let mut start = start + text.len() - marked.len();
    for (number, whole) in marked.split('\n').enumerate() {
        let here = start;
        start += whole.len() + 1;
        let bare = line_before_comment(whole.trim_end_matches('\r'));
        let line_text = bare.trim_start_matches(' ');
        if line_text.trim().is_empty() {
            continue;
        }
        let depth = bare.len() - line_text.len();
        let line =
            SourceLine { text: line_text.trim_end(), start: here + depth, inner: Vec::new() };
        if number >= MAX_LINES_IN_FILE {
            faults.add_fault_at_span(
                line.span(),
                format!("a rulebook has at most {MAX_LINES_IN_FILE} lines"),
                "",
            );
            break;
        }
        check_line_width(&line, whole, faults);
        let (depth, line) = report_and_replace_tabs(depth, line, faults);
        attach_by_depth(&mut open, depth, line, faults);
    }
    while open.len() > 1 {
        close_innermost_block(&mut open);
    }
    open.pop().map_or(Vec::new(), |(_, lines)| lines)
}

/// Removes the byte order mark that some editors write.
pub fn strip_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Reports a line that is too long.
fn check_line_width(line: &SourceLine, whole: &str, faults: &mut Faults) {
    if whole.chars().count() > MAX_LINE_CHARS {
        faults.add_fault_at_span(
            line.span(),
            format!("a line has at most {MAX_LINE_CHARS} characters"),
            "",
        );
    }
}

/// Reports indentation by other characters than spaces, and replaces a tab by four spaces.
fn report_and_replace_tabs<'t>(
    depth: usize,
    line: SourceLine<'t>,
    faults: &mut Faults,
) -> (usize, SourceLine<'t>) {
    let text = line.text.trim_start();
    let blanks = &line.text[..line.text.len() - text.len()];
    let problem = match blanks.chars().next() {
        None => return (depth, line),
        Some('\t') => "tabs: indent with spaces",
        Some(_) => "this line begins with white space other than spaces: indent with spaces",
    };
    faults.add_fault_at_span(line.span(), problem, "");
    let deeper: usize =
        blanks.chars().map(|blank| if blank == '\t' { SPACES_PER_TAB } else { 1 }).sum();
    (depth + deeper, SourceLine { text, start: line.start + blanks.len(), inner: Vec::new() })
}

/// Inserts a line by its depth; one that fits no depth joins the lines around it.
fn attach_by_depth<'t>(
    open: &mut Vec<(usize, Vec<SourceLine<'t>>)>,
    depth: usize,
    line: SourceLine<'t>,
    faults: &mut Faults,
) {
    let mut back = false;
    while open.len() > 1 && open.last().is_some_and(|(at, _)| *at > depth) {
        close_innermost_block(open);
        back = true;
    }
    let at = open.last().map_or(0, |(at, _)| *at);
    let empty = open.last().is_none_or(|(_, lines)| lines.is_empty());
    if depth > at && (back || empty) {
        faults.add_fault_at_span(line.span(), "this line is indented unlike any above it", "");
        attach_to_last_block(open, depth, line);
    } else if depth > at && open.len() > MAX_INDENT_DEPTH {
        faults.add_fault_at_span(
            line.span(),
            format!("blocks may be at most {MAX_INDENT_DEPTH} deep"),
            "",
        );
    } else if depth > at {
        open.push((depth, vec![line]));
    } else if let Some((_, lines)) = open.last_mut() {
        lines.push(line);
    }
}

/// Adds a line that fits no depth to the last block before it.
fn attach_to_last_block<'t>(
    open: &mut Vec<(usize, Vec<SourceLine<'t>>)>,
    depth: usize,
    line: SourceLine<'t>,
) {
    let Some((edge, lines)) = open.last_mut() else { return };
    match lines.last_mut() {
        None => {
            *edge = depth;
            lines.push(line);
        }
        Some(_) if line.text.ends_with(':') => open.push((depth, vec![line])),
        Some(above) => above.inner.push(line),
    }
}

/// Attaches the innermost lines to the line above them.
fn close_innermost_block(open: &mut Vec<(usize, Vec<SourceLine<'_>>)>) {
    if let Some((_, inner)) = open.pop()
        && let Some(above) = open.last_mut().and_then(|(_, lines)| lines.last_mut())
    {
        above.inner.extend(inner);
    }
}

/// Returns the line up to `--`, which begins a comment outside a quoted text.
pub(crate) fn line_before_comment(line: &str) -> &str {
    let mut quoted = false;
    let bytes = line.as_bytes();
    for (place, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'-' if !quoted && bytes.get(place + 1) == Some(&b'-') => return &line[..place],
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[SourceLine]) -> String {
        let one = |line: &SourceLine| match line.inner.is_empty() {
            true => line.text.to_owned(),
            false => format!("{} {{ {} }}", line.text, told(&line.inner)),
        };
        lines.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn deeper_lines_belong_to_the_line_above() {
        let mut faults = Faults::default();
        let text = "a:\n    b:   -- not this\n        c\n\n    d \"x -- y\"\ne\n";
        assert_eq!(
            told(&parse_lines_of_text(text, &mut faults)),
            "a: { b: { c }; d \"x -- y\" }; e"
        );
        assert!(faults.is_empty());
    }

    /// Editors of Windows write a byte order mark; the first word and its place are unaffected.
    #[test]
    fn a_mark_of_the_byte_order_says_nothing() {
        let mut faults = Faults::default();
        let found = parse_lines_of_text("\u{feff}a:\r\n    b\r\n", &mut faults);
        assert_eq!((told(&found).as_str(), found[0].span()), ("a: { b }", 3..5));
        assert!(faults.is_empty());
    }

    #[test]
    fn what_stands_nowhere_is_told_and_goes_with_what_is_around_it() {
        let mut faults = Faults::default();
        let found = parse_lines_of_text("a:\n        b\n    c\nd\n\te\n", &mut faults);
        assert_eq!(told(&found), "a: { b; c }; d { e }");
        assert_eq!(faults.len(), 2);
    }

    /// Each is a fault, and the lines belong together as somebody meant them.
    #[test]
    fn lines_below_tabs_and_below_nothing_stay_where_they_were_meant() {
        for (text, expected, wrong) in [
            ("d:\n\te:\n\t\tf\n\tg\nh\n", "d: { e: { f }; g }; h", 3),
            ("d:\n    e:\n    \tf\n    g\n", "d: { e: { f }; g }", 1),
            ("    a\nb\nc\n", "a; b; c", 1),
            // A space of a printed page is as wide as any other.
            ("d:\n    e\n\u{a0}\u{a0}\u{a0}\u{a0}f\n    g\n", "d: { e; f; g }", 1),
        ] {
            let mut faults = Faults::default();
            let found = parse_lines_of_text(text, &mut faults);
            assert_eq!((told(&found).as_str(), faults.len()), (expected, wrong), "{text}");
        }
    }
}
