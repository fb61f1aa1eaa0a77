//! Formatter of rulebooks: four spaces for each level, and aligned columns.
//!
//! Only spaces change. Every line and its comment remain, and the meaning is preserved: the tree of
//! the new text is compared with that of the old one.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::diagnostics::Faults;
use crate::syntax::ast::RulebookAst;
use crate::syntax::line_tree::{SourceLine, line_before_comment, parse_lines_of_text};
use crate::syntax::parser::parse_rulebook_file;
use crate::syntax::token_cursor::TokenCursor;
use enfilade_model::error::FaultWithByteSpan;

/// Number of spaces for each level.
const SPACES_PER_LEVEL: usize = 4;

/// Width beyond which a piece does not move its neighbours.
const MAX_ALIGNED_PIECE_WIDTH: usize = 48;

/// Lines whose texts are aligned, by the first word of the line and the word of its group.
const ALIGNED_TEXT_LINES: [(&str, &str); 6] = [
    ("field", "field"),
    ("show", "show"),
    ("keep", "show"),
    ("measure", "measure"),
    ("check", "check"),
    ("remark", "check"),
];

/// Formats the text of a rulebook.
///
/// # Errors
/// The faults of a text that is not a rulebook.
pub fn format_rulebook_text(text: &str) -> Result<String, Vec<FaultWithByteSpan>> {
    let mut faults = Faults::default();
    let tree = parse_rulebook_file(text, &mut faults);
    if !faults.is_empty() {
        return Err(faults.into_sorted());
    }
    let set = FormattedFile::split_into_lines(text).join_formatted_lines();
    let again = parse_rulebook_file(&set, &mut faults);
    // A text that would exceed a limit when formatted stays unchanged.
    let same = faults.is_empty() && tree_without_spans(&again) == tree_without_spans(&tree);
    Ok(if same { set } else { text.to_owned() })
}

/// Returns a tree as text, without the places of its nodes.
pub fn tree_without_spans(tree: &RulebookAst) -> String {
    let told = format!("{tree:?}");
    let (mut meaning, mut quoted, mut escaped) = (String::new(), false, false);
    for c in told.chars() {
        if !quoted && !c.is_ascii_digit() && meaning.ends_with(|c: char| c.is_ascii_digit()) {
            strip_span_suffix(&mut meaning);
        }
        quoted ^= c == '"' && !escaped;
        escaped = quoted && c == '\\' && !escaped;
        meaning.push(c);
    }
    meaning
}

/// Removes a range such as `12..34` from the end.
fn strip_span_suffix(meaning: &mut String) {
    let start = meaning.trim_end_matches(|c: char| c.is_ascii_digit());
    if let Some(start) = start.strip_suffix("..") {
        let start = start.trim_end_matches(|c: char| c.is_ascii_digit());
        meaning.truncate(start.len());
    }
}

/// Style of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineStyle {
    /// Single spaces.
    Plain,
    /// Unchanged.
    Verbatim,
    /// Row of cells, in the block that begins at this byte; a legend is a separate block.
    Cells(usize, bool),
    /// Texts aligned with those of neighbours of the same kind.
    Texts(&'static str),
}

/// Line of the file.
struct FormattedLine<'t> {
    /// Number of spaces before it in the file.
    indent: usize,
    /// Depth.
    depth: usize,
    style: LineStyle,
    /// Pieces that are aligned with those of other lines.
    pieces: Vec<String>,
    remark: &'t str,
}

impl FormattedLine<'_> {
    fn is_line_blank(&self) -> bool {
        self.pieces.is_empty() && self.remark.is_empty()
    }

    /// Returns whether the line has both code and a comment.
    fn has_code_and_comment(&self) -> bool {
        !self.pieces.is_empty() && !self.remark.is_empty()
    }
}

/// Lines of the file.
struct FormattedFile<'t>(Vec<FormattedLine<'t>>);

impl<'t> FormattedFile<'t> {
    fn split_into_lines(text: &'t str) -> FormattedFile<'t> {
        let mut places = HashMap::new();
        note_alignment_of_lines(
            &parse_lines_of_text(text, &mut Faults::default()),
            0,
            None,
            &mut places,
        );
        let mut start = 0;
        let mut page = FormattedFile(Vec::new());
        for whole in text.trim_end().split('\n') {
            page.0.push(parse_formatted_line(whole.trim_end(), start, &places));
            start += whole.len() + 1;
        }
        page.indent_comment_lines();
        page
    }

    /// Indents a comment on its own line as deep as the line below it, or as the lines above it
    /// that it was aligned with.
    fn indent_comment_lines(&mut self) {
        for place in 0..self.0.len() {
            if !self.0[place].pieces.is_empty() || self.0[place].is_line_blank() {
                continue;
            }
            let is_code = |line: &&FormattedLine| !line.pieces.is_empty();
            let next = self.0[place..].iter().find(is_code);
            let wanted = self.0[place].indent;
            let mut shallowest = usize::MAX;
            // A comment can only belong to a line above it that no later line is shallower than.
            let above = self.0[..place].iter().rev().filter(is_code).filter(|line| {
                let open = line.indent < shallowest;
                shallowest = shallowest.min(line.indent);
                open
            });
            let mut fits = next.into_iter().chain(above);
            let with = fits.find(|line| line.indent == wanted).or(next);
            self.0[place].depth = with.map_or(0, |line| line.depth);
        }
    }

    fn join_formatted_lines(mut self) -> String {
        self.align_cells_of_blocks();
        self.align_neighbour_texts();
        let codes: Vec<String> = self.0.iter().map(format_without_comment).collect();
        let columns = self.comment_column_by_line(&codes);
        let mut text = String::new();
        for ((line, code), column) in self.0.iter().zip(&codes).zip(columns) {
            text.push_str(code);
            if line.has_code_and_comment() {
                text.push_str(&" ".repeat(column.saturating_sub(text_width(code)).max(2)));
            }
            text.push_str(line.remark);
            text.push('\n');
        }
        text
    }

    /// Returns the column of each line's comment, aligned with those of its neighbours.
    fn comment_column_by_line(&self, codes: &[String]) -> Vec<usize> {
        let mut columns = vec![0; codes.len()];
        let mut start = 0;
        for run in self.0.chunk_by(|a, b| a.has_code_and_comment() && b.has_code_and_comment()) {
            let end = start + run.len();
            let widths = codes[start..end].iter().map(|code| text_width(code));
            let widest = widths.filter(|&width| width <= 2 * MAX_ALIGNED_PIECE_WIDTH).max();
            columns[start..end].fill(widest.unwrap_or(0) + 2);
            start = end;
        }
        columns
    }

    /// Aligns the cells of each block.
    fn align_cells_of_blocks(&mut self) {
        let mut blocks: HashMap<(usize, bool), Vec<usize>> = HashMap::new();
        for (place, line) in self.0.iter().enumerate() {
            if let LineStyle::Cells(block, legend) = line.style {
                blocks.entry((block, legend)).or_default().push(place);
            }
        }
        blocks.into_values().for_each(|places| self.align_line_pieces(&places));
    }

    /// Aligns the texts of neighbouring lines of one kind.
    fn align_neighbour_texts(&mut self) {
        let mut run: Vec<usize> = Vec::new();
        for place in 0..=self.0.len() {
            let alike = |last: &usize| {
                self.0.get(place).is_some_and(|line| {
                    let last = &self.0[*last];
                    matches!(line.style, LineStyle::Texts(_))
                        && line.style == last.style
                        && line.depth == last.depth
                })
            };
            if !run.last().is_some_and(alike) {
                self.align_line_pieces(&std::mem::take(&mut run));
            }
            if self.0.get(place).is_some_and(|line| matches!(line.style, LineStyle::Texts(_))) {
                run.push(place);
            }
        }
    }

    /// Aligns the pieces of these lines; very long ones do not count.
    fn align_line_pieces(&mut self, places: &[usize]) {
        let mut widths: Vec<usize> = Vec::new();
        for &place in places {
            let pieces = &self.0[place].pieces;
            widths.resize(widths.len().max(pieces.len()), 0);
            for (most, piece) in widths.iter_mut().zip(pieces) {
                let own = text_width(piece);
                *most = (*most).max(if own <= MAX_ALIGNED_PIECE_WIDTH { own } else { 0 });
            }
        }
        for &place in places {
            for (most, piece) in widths.iter().zip(&mut self.0[place].pieces) {
                piece.push_str(&" ".repeat(most.saturating_sub(text_width(piece))));
            }
        }
    }
}

/// Formats a line without its comment.
fn format_without_comment(line: &FormattedLine) -> String {
    if line.is_line_blank() {
        return String::new();
    }
    let between = match line.style {
        LineStyle::Cells(..) | LineStyle::Texts(_) => "  ",
        _ => " ",
    };
    let mut code = " ".repeat(SPACES_PER_LEVEL * line.depth);
    let mut pieces = line.pieces.iter().peekable();
    while let Some(piece) = pieces.next() {
        code.push_str(piece);
        // Between the name of a field and its type there is one space.
        let named = piece.trim_end().ends_with(':') && line.style == LineStyle::Texts("field");
        if pieces.peek().is_some() {
            code.push_str(if named { " " } else { between });
        }
    }
    match line.pieces.is_empty() {
        true => code,
        false => code.trim_end().to_owned(),
    }
}

fn text_width(text: &str) -> usize {
    text.chars().count()
}

/// Notes the depth and style of every line, by the byte at which it begins.
fn note_alignment_of_lines(
    lines: &[SourceLine],
    depth: usize,
    inside: Option<LineStyle>,
    places: &mut HashMap<usize, (usize, LineStyle)>,
) {
    for line in lines {
        let mut words = line.text.split_whitespace();
        let first = words.next().unwrap_or_default();
        places.insert(line.start, (depth, alignment_of_line(first, inside)));
        let key = if first == "change" { words.next().unwrap_or_default() } else { first };
        let below = match (depth, key) {
            (0, "data" | "table" | "marks" | "price" | "words") => {
                Some(LineStyle::Cells(line.start, false))
            }
            (0, "example") => Some(LineStyle::Verbatim),
            _ => inside,
        };
        note_alignment_of_lines(&line.inner, depth + 1, below, places);
    }
}

/// Returns the style of a line by its first word and the block around it.
fn alignment_of_line(first: &str, inside: Option<LineStyle>) -> LineStyle {
    match inside {
        Some(LineStyle::Cells(_, _)) if matches!(first, "column" | "exact") => LineStyle::Plain,
        Some(LineStyle::Cells(block, _)) => LineStyle::Cells(block, first == "cell"),
        Some(kept) => kept,
        None => {
            let column = ALIGNED_TEXT_LINES.iter().find(|(word, _)| *word == first);
            column.map_or(LineStyle::Plain, |(_, kind)| LineStyle::Texts(kind))
        }
    }
}

fn parse_formatted_line<'t>(
    whole: &'t str,
    start: usize,
    places: &HashMap<usize, (usize, LineStyle)>,
) -> FormattedLine<'t> {
    let line_text = whole.trim_start_matches(' ');
    let indent = whole.len() - line_text.len();
    let place = places.get(&(start + indent)).copied();
    let (depth, how) = place.unwrap_or((0, LineStyle::Plain));
    let (code, remark) = match place {
        Some(_) => split_code_and_comment(line_text),
        None => ("", line_text),
    };
    let pieces = match how {
        _ if code.is_empty() => Vec::new(),
        LineStyle::Verbatim => vec![code.to_owned()],
        LineStyle::Plain => vec![collapse_repeated_spaces(code)],
        LineStyle::Cells(..) => split_at_spaces(code),
        LineStyle::Texts(word) => split_name_and_texts(word, &collapse_repeated_spaces(code)),
    };
    FormattedLine { indent, depth, style: how, pieces, remark }
}

/// Splits a line into code and comment.
fn split_code_and_comment(line: &str) -> (&str, &str) {
    let bare = line_before_comment(line);
    (bare.trim_end(), &line[bare.len()..])
}

/// Collapses repeated spaces outside quoted texts.
fn collapse_repeated_spaces(code: &str) -> String {
    let mut single = String::new();
    let mut quoted = false;
    for c in code.chars() {
        quoted ^= c == '"';
        match c.is_whitespace() && !quoted {
            true if single.ends_with(' ') => {}
            true => single.push(' '),
            false => single.push(c),
        }
    }
    single
}

/// Splits code at spaces, quoted texts kept whole.
fn split_at_spaces(code: &str) -> Vec<String> {
    let cells = TokenCursor::from_text(code, 0).split_rest_at_unquoted_spaces().into_iter();
    cells.map(|(_, place)| code[place].to_owned()).collect()
}

/// Splits a line that ends with texts: the name of a field, the part before the texts, the texts,
/// the part after them.
fn split_name_and_texts(word: &str, code: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = code;
    if word == "field"
        && let Some(colon) = code.find(':').filter(|&colon| !code[..colon].contains('"'))
    {
        pieces.push(code[..=colon].to_owned());
        rest = code[colon + 1..].trim_start();
    }
    let Some(start) = start_of_texts(rest) else {
        pieces.push(rest.to_owned());
        return pieces;
    };
    pieces.push(rest[..start].trim_end().to_owned());
    let mut end = start;
    while let Some(text) = rest[end..].trim_start().strip_prefix('"') {
        let begin = rest.len() - text.len();
        end = text.find('"').map_or(rest.len(), |length| begin + length + 1);
    }
    pieces.push(rest[start..end].to_owned());
    let after = rest[end..].trim_start();
    if !after.is_empty() {
        pieces.push(after.to_owned());
    }
    pieces
}

/// Returns the start of a line's texts; a quoted default is not one of them.
fn start_of_texts(code: &str) -> Option<usize> {
    let mut quotes = code.match_indices('"').map(|(place, _)| place).step_by(2);
    quotes.find(|&place| !code[..place].trim_end().ends_with(['=', '[', ',', '(']))
}
