//! Messages of the Language Server Protocol, as far as rulebooks need them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Abilities that the editor is sent first.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerCapabilities {
    /// 1: every change is a whole text.
    text_document_sync: u8,
    completion_provider: CompletionOptions,
    code_action_provider: bool,
    document_formatting_provider: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CompletionOptions {
    trigger_characters: [&'static str; 1],
}

impl Default for ServerCapabilities {
    fn default() -> ServerCapabilities {
        ServerCapabilities {
            text_document_sync: 1,
            completion_provider: CompletionOptions { trigger_characters: ["."] },
            code_action_provider: true,
            document_formatting_provider: true,
        }
    }
}

/// Name of a text.
#[derive(Debug, Deserialize)]
pub struct TextDocumentIdentifier {
    /// Its address.
    pub uri: String,
}

/// Parameters that name a text.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentParams {
    /// Text.
    pub text_document: TextDocumentIdentifier,
}

/// A text that was opened.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenParams {
    /// Text.
    pub text_document: OpenedText,
}

/// Address and content.
#[derive(Debug, Deserialize)]
pub struct OpenedText {
    /// Address.
    pub uri: String,
    /// Content.
    pub text: String,
}

/// A text that was changed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeParams {
    /// Text.
    pub text_document: TextDocumentIdentifier,
    /// New contents, the last of which counts.
    pub content_changes: Vec<WholeTextChange>,
}

/// Content.
#[derive(Debug, Deserialize)]
pub struct WholeTextChange {
    /// Content.
    pub text: String,
}

/// A cursor whose names are requested.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionParams {
    /// Text.
    pub text_document: TextDocumentIdentifier,
    /// Cursor.
    pub position: Position,
}

/// A place whose mends are requested.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeActionParams {
    /// Text.
    pub text_document: TextDocumentIdentifier,
    /// Place.
    pub range: TextRange,
}

/// Line, and its UTF-16 units before the place; both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Units.
    pub character: usize,
}

impl Position {
    /// Returns the place of a byte.
    pub fn of_byte(text: &str, at: usize) -> Position {
        let before = text.get(..at).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Position { line: before.matches('\n').count(), character: line.encode_utf16().count() }
    }

    /// Returns the byte of the place, or the nearest one before it.
    pub fn to_byte(self, text: &str) -> usize {
        let mut lines = text.split_inclusive('\n');
        let start: usize = lines.by_ref().take(self.line).map(str::len).sum();
        let line = lines.next().unwrap_or_default().trim_end_matches('\n');
        let mut units = 0;
        let past = line.char_indices().find(|(_, letter)| {
            units += letter.len_utf16();
            units > self.character
        });
        start + past.map_or(line.len(), |(at, _)| at)
    }
}

/// Place from its start to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct TextRange {
    /// Start.
    pub start: Position,
    /// End.
    pub end: Position,
}

impl TextRange {
    /// Returns the place of some bytes.
    pub fn of_bytes(text: &str, span: &Range<usize>) -> TextRange {
        let [start, end] = [span.start, span.end].map(|at| Position::of_byte(text, at));
        TextRange { start, end }
    }

    /// Whether two places have a line in common.
    pub fn shares_line_with(&self, other: &TextRange) -> bool {
        self.start.line <= other.end.line && other.start.line <= self.end.line
    }
}

/// Change of a text.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    /// Place of the text that is replaced.
    pub range: TextRange,
    /// New text.
    pub new_text: String,
}

/// Names for the list of an editor.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionListView {
    /// Whether a longer word has other names: the list is cut.
    pub is_incomplete: bool,
    /// Names.
    pub items: Vec<CompletionItem>,
}

/// Name for the list of an editor.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionItem {
    /// Name.
    pub label: String,
    /// Number of its role.
    pub kind: u8,
    /// Its label, or where it belongs.
    pub detail: String,
    /// Text by which an editor sorts.
    pub sort_text: String,
    /// Change that writes it.
    pub text_edit: TextEdit,
}

/// A fault or a remark.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnostic {
    /// Place.
    pub range: TextRange,
    /// 1 for a fault, 2 for a remark.
    pub severity: u8,
    /// Name of this program.
    pub source: &'static str,
    /// Problem and remedy.
    pub message: String,
}

/// Faults and remarks of a text.
#[derive(Debug, Serialize)]
pub struct Diagnostics {
    /// Address of the text.
    pub uri: String,
    /// Faults and remarks.
    pub diagnostics: Vec<Diagnostic>,
}

/// A mend, as an editor offers it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeAction {
    /// Text of the offer.
    pub title: String,
    /// Kind of the offer.
    pub kind: &'static str,
    /// Faults that it ends.
    pub diagnostics: [Diagnostic; 1],
    /// Whether it is the first choice.
    pub is_preferred: bool,
    /// Changes.
    pub edit: WorkspaceEdit,
}

/// Changes of texts.
#[derive(Debug, Serialize)]
pub struct WorkspaceEdit {
    /// Changes by the address of the text.
    pub changes: BTreeMap<String, [TextEdit; 1]>,
}

/// Returns the path of an address on this machine; `None` for any other.
pub fn path_of_uri(uri: &str) -> Option<PathBuf> {
    let path = decode_percents(uri.strip_prefix("file://")?)?;
    // Windows: `/C:/games`.
    let is_drive = path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { &path[1..] } else { &path }))
}

fn decode_percents(text: &str) -> Option<String> {
    let mut pieces = text.split('%');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        bytes.push(u8::from_str_radix(piece.get(..2)?, 16).ok()?);
        bytes.extend(piece.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_units_of_utf_16() {
        let text = "a\nä𝄞b\n";
        for (at, line, character) in [(0, 0, 0), (2, 1, 0), (4, 1, 1), (8, 1, 3), (9, 1, 4)] {
            assert_eq!(Position::of_byte(text, at), Position { line, character });
            assert_eq!(Position { line, character }.to_byte(text), at);
        }
        // In the middle of a letter, behind the end of a line, and behind the text.
        assert_eq!(Position { line: 1, character: 2 }.to_byte(text), 4);
        assert_eq!(Position { line: 0, character: 99 }.to_byte(text), 1);
        assert_eq!(Position { line: 99, character: 0 }.to_byte(text), text.len());
    }

    #[test]
    fn addresses_become_paths() {
        let path = |uri| path_of_uri(uri).map(|path| path.display().to_string());
        assert_eq!(path("file:///my%20game/%C3%A4.rules").as_deref(), Some("/my game/ä.rules"));
        assert_eq!(path("file:///C:/game.rules").as_deref(), Some("C:/game.rules"));
        assert_eq!(path("untitled:Untitled-1"), None);
        assert_eq!(path("file:///%zz"), None);
        assert_eq!(path("file:///%ä"), None);
    }
}
