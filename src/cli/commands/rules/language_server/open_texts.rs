//! Texts that an editor has open, with their faults, remarks and mends.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::protocol::{
    CodeAction, CodeActionParams, CompletionItem, CompletionListView, CompletionParams, Diagnostic,
    Diagnostics, DocumentParams, TextEdit, TextRange, WorkspaceEdit, path_of_uri,
};
use crate::catalogue::Catalogue;
use crate::error::FaultWithByteSpan;
use crate::plain_file::{self, MAX_INPUT_BYTES};
use crate::rulebook;
use crate::rulebook::tools::formatter::format_rulebook_text;
use crate::rulebook::tools::mends::{Mend, find_mends};
use crate::rulebook::tools::name_completions::{
    Completion, CompletionList, NameRole, complete_with_bases,
};

/// Severity of a fault, and of a remark.
const SEVERITIES: [u8; 2] = [1, 2];

/// Texts by their addresses.
pub struct OpenTexts<'c> {
    catalogue: &'c Catalogue,
    texts: BTreeMap<String, CheckedOpenText>,
    /// Addresses of texts whose faults the editor has not been sent.
    changed: Vec<String>,
}

/// Text with the findings of its last check.
#[derive(Default)]
struct CheckedOpenText {
    text: String,
    findings: Vec<Finding>,
}

/// Fault or remark, with its mend.
struct Finding {
    diagnostic: Diagnostic,
    mend: Option<Mend>,
}

impl OpenTexts<'_> {
    /// Creates an empty set of texts.
    pub fn new(catalogue: &Catalogue) -> OpenTexts<'_> {
        OpenTexts { catalogue, texts: BTreeMap::new(), changed: Vec::new() }
    }

    /// Sets the content of a text.
    pub fn set(&mut self, uri: String, text: String) {
        self.texts.entry(uri.clone()).or_default().text = text;
        self.mark_text_as_changed(uri);
    }

    /// Forgets a text; the editor is sent that it has no faults.
    pub fn forget_and_clear_faults(&mut self, uri: &str) {
        self.texts.remove(uri);
        self.mark_text_as_changed(uri.to_owned());
    }

    fn mark_text_as_changed(&mut self, uri: String) {
        if !self.changed.contains(&uri) {
            self.changed.push(uri);
        }
    }

    /// Checks the texts that changed, and returns the faults and remarks of each.
    pub fn check_changed_texts(&mut self) -> Vec<Diagnostics> {
        let changed = std::mem::take(&mut self.changed);
        let check = |uri: String| {
            let text = self.texts.get(&uri).map(|open| open.text.clone());
            let findings = text.map_or(Vec::new(), |text| self.check(&uri, &text));
            let diagnostics = findings.iter().map(|found| found.diagnostic.clone()).collect();
            if let Some(open) = self.texts.get_mut(&uri) {
                open.findings = findings;
            }
            Diagnostics { uri, diagnostics }
        };
        changed.into_iter().map(check).collect()
    }

    fn check(&self, uri: &str, text: &str) -> Vec<Finding> {
        let path = path_of_uri(uri).unwrap_or_else(|| PathBuf::from("game.rules"));
        let (id, name) = (path.file_stem().unwrap_or_default(), path.display().to_string());
        let read = |text: &str| {
            let near = |near: &str| self.read_beside(&path, near);
            rulebook::read_with_built_in_bases(
                &id.to_string_lossy(),
                &name,
                text,
                &near,
                self.catalogue,
            )
        };
        let (severity, faults) = match read(text) {
            Ok(rulebook) => (SEVERITIES[1], rulebook.warnings),
            Err(error) if error.name == name => (SEVERITIES[0], error.faults),
            // A fault of a file beside this one: its place is there.
            Err(error) => {
                let message = error.faults.first().map_or(String::new(), message_of_fault);
                let message = format!("{}: {message}", error.name);
                return vec![Finding::new(text, &(0..0), SEVERITIES[0], message)];
            }
        };
        let all =
            |text: &str| read(text).map_or_else(|error| error.faults, |rulebook| rulebook.warnings);
        let mends = find_mends(text, &faults, all);
        let found = faults.iter().zip(mends).map(|(fault, mend)| Finding {
            mend,
            ..Finding::new(text, &fault.span, severity, message_of_fault(fault))
        });
        found.collect()
    }

    /// Reads a file beside a rulebook: as the editor has it, or from the folder.
    fn read_beside(&self, path: &Path, name: &str) -> Result<String, String> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let wanted = folder.join(name);
        let open = self.texts.iter().find(|(uri, _)| path_of_uri(uri).as_ref() == Some(&wanted));
        if let Some((_, open)) = open {
            return Ok(open.text.clone());
        }
        let text = plain_file::read_text_in_folder(folder, name, MAX_INPUT_BYTES);
        text.map_err(|refusal| format!("`{name}`: {refusal}"))
    }

    /// Lists the names that may be written at a cursor.
    pub fn complete(
        &self,
        CompletionParams { text_document, position }: &CompletionParams,
    ) -> CompletionListView {
        let none = CompletionListView { is_incomplete: true, items: Vec::new() };
        let Some(CheckedOpenText { text, .. }) = self.texts.get(&text_document.uri) else {
            return none;
        };
        let path = path_of_uri(&text_document.uri).unwrap_or_default();
        let near = |name: &str| self.read_beside(&path, name);
        let list = complete_with_bases(text, position.to_byte(text), &near, self.catalogue);
        CompletionListView { items: completion_items(text, list), ..none }
    }

    /// Lists the mends of the faults and remarks on the lines of a place.
    pub fn list_mends(
        &self,
        CodeActionParams { text_document, range }: &CodeActionParams,
    ) -> Vec<CodeAction> {
        let Some(CheckedOpenText { text, findings }) = self.texts.get(&text_document.uri) else {
            return Vec::new();
        };
        let here = findings.iter().filter(|found| found.diagnostic.range.shares_line_with(range));
        let offer = |found: &Finding| {
            let Mend { span, text: new_text } = found.mend.clone()?;
            // The text may have changed since its last check.
            text.get(span.clone())?;
            let edit = TextEdit { range: TextRange::of_bytes(text, &span), new_text };
            Some(CodeAction {
                title: format!("Write {}", edit.new_text),
                kind: "quickfix",
                diagnostics: [found.diagnostic.clone()],
                is_preferred: true,
                edit: WorkspaceEdit { changes: [(text_document.uri.clone(), [edit])].into() },
            })
        };
        here.filter_map(offer).collect()
    }

    /// Formats a text; no change if it is formatted, or cannot be.
    pub fn format(&self, DocumentParams { text_document }: &DocumentParams) -> Vec<TextEdit> {
        let text = self.texts.get(&text_document.uri).map_or("", |open| &open.text);
        match format_rulebook_text(text) {
            Ok(new_text) if new_text != text => {
                vec![TextEdit { range: TextRange::of_bytes(text, &(0..text.len())), new_text }]
            }
            _ => Vec::new(),
        }
    }
}

impl Finding {
    fn new(text: &str, span: &std::ops::Range<usize>, severity: u8, message: String) -> Finding {
        let range = TextRange::of_bytes(text, span);
        let diagnostic = Diagnostic { range, severity, source: "enfilade", message };
        Finding { diagnostic, mend: None }
    }
}

fn message_of_fault(FaultWithByteSpan { fault, .. }: &FaultWithByteSpan) -> String {
    match &fault.help {
        Some(help) => format!("{}\n{help}", fault.problem),
        None => fault.problem.clone(),
    }
}

fn completion_items(text: &str, list: CompletionList) -> Vec<CompletionItem> {
    let range = TextRange::of_bytes(text, &list.word);
    let item = |(place, name): (usize, Completion)| {
        CompletionItem {
            text_edit: TextEdit { range, new_text: name.text.clone() },
            label: name.text,
            kind: item_kind(name.role),
            detail: name.detail,
            // The best first, whatever its letters.
            sort_text: format!("{place:03}"),
        }
    };
    list.names.into_iter().enumerate().map(item).collect()
}

/// Returns the number of a role in the protocol.
const fn item_kind(role: NameRole) -> u8 {
    match role {
        NameRole::Variable => 6,
        NameRole::Field => 5,
        NameRole::Member => 10,
        NameRole::Table | NameRole::Declaration => 22,
        NameRole::Part => 3,
        NameRole::Word => 20,
        NameRole::Keyword => 14,
    }
}
