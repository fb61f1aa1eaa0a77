//! Reader of a file, an experiment or an arsenal, with the faults found so far.

use std::collections::HashSet;

use toml::{Table, Value as Toml};

use crate::error::StudyError;
use crate::file::source_document::{TomlDocumentWithPositions, is_control_or_invisible};
use enfilade_engine::cancel::CancelToken;
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::error::{FaultWithByteSpan, InputError};
use enfilade_model::form::bounds::RealRange;
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{
    ENTRY_COUNT_RANGE, Fault, Fields, Form, MAX_COLLECTED_FAULTS, name_matching,
};
use std::sync::Arc;

/// Reading in progress.
#[derive(Debug)]
#[doc(hidden)]
pub struct TomlReaderWithFaults<'a> {
    #[doc(hidden)]
    pub catalogue: &'a Catalogue,
    #[doc(hidden)]
    pub document: &'a TomlDocumentWithPositions,
    /// Token that cancels the reading.
    #[doc(hidden)]
    pub halt: &'a CancelToken,
    /// Faults, each once, at most [`MAX_COLLECTED_FAULTS`].
    #[doc(hidden)]
    pub faults: Vec<FaultWithByteSpan>,
}

/// Reads the file `text` with `read`, unless `other` reports that it is of another kind.
///
/// # Errors
/// [`StudyError::Input`] with every fault of the file and its position; [`StudyError::Interrupted`]
/// if `halt` was raised.
#[doc(hidden)]
pub fn read_file_of_kind<T>(
    (catalogue, name, text): (&Catalogue, &str, &str),
    halt: &CancelToken,
    other: impl Fn(&TomlDocumentWithPositions) -> Option<Fault>,
    read: impl FnOnce(&mut TomlReaderWithFaults) -> Option<T>,
) -> Result<T, StudyError> {
    let refuse =
        |faults| InputError { name: name.to_owned(), text: text.to_owned(), faults }.into();
    let document = TomlDocumentWithPositions::parse_toml(text).map_err(refuse)?;
    if let Some(fault) = other(&document) {
        return Err(refuse(vec![document.locate_fault_at_key(fault)]));
    }
    let faults = document.faults.clone();
    let mut reader = TomlReaderWithFaults { catalogue, document: &document, halt, faults };
    let file = read(&mut reader);
    if halt.is_cancelled() {
        return Err(StudyError::Interrupted("the file was not read to its end".to_owned()));
    }
    // In the order of the file, not of the checks.
    reader.faults.sort_by_key(|fault| fault.span.start);
    match file {
        Some(file) if reader.faults.is_empty() => Ok(file),
        _ => Err(refuse(reader.faults)),
    }
}

/// Returns the name of a file without its extension.
#[doc(hidden)]
pub fn name_without_ending(file: &str) -> String {
    let stem = std::path::Path::new(file).file_stem();
    let stem = stem.map(|stem| stem.to_string_lossy());
    let letters = stem.iter().flat_map(|stem| stem.chars());
    letters.filter(|&c| !is_control_or_invisible(c)).collect()
}

impl TomlReaderWithFaults<'_> {
    /// Notes a fault at the value that its path names.
    #[doc(hidden)]
    pub fn note_at_value(&mut self, fault: Fault) {
        self.note_at_path(fault, false);
    }

    /// Notes a fault at the key or the value that its path names, unless it has been noted already.
    #[doc(hidden)]
    pub fn note_at_path(&mut self, mut fault: Fault, key: bool) {
        if self.faults.len() >= MAX_COLLECTED_FAULTS {
            return;
        }
        // Its own position does not exist in the file.
        if let Some(table) = self.document.path_of_absent_parent_table(&fault.path) {
            fault.problem = format!("in `{table}`: {}", fault.problem);
        }
        let located = match key {
            true => self.document.locate_fault_at_key(fault),
            false => {
                FaultWithByteSpan { span: self.document.byte_range_of_value(&fault.path), fault }
            }
        };
        let FaultWithByteSpan { fault: Fault { path, problem, .. }, span } = &located;
        // Every cell of a grid may have the same fault, which is in the file once.
        let same = |known: &FaultWithByteSpan| {
            known.span == *span && (known.fault.problem == *problem || known.fault.path == *path)
        };
        if !self.faults.iter().any(same) {
            self.faults.push(located);
        }
    }

    /// Fills a form. Notes faults at `outer`, and then returns `None`.
    #[doc(hidden)]
    pub fn fill_form(&mut self, fields: &Fields, table: &Table, outer: &str) -> Option<Form> {
        let noted = |faults: Vec<Fault>| {
            for fault in faults {
                let key = !fields.declares_whole_path(&fault.path);
                self.note_at_path(
                    if outer.is_empty() { fault } else { fault.prefix_path(outer) },
                    key,
                );
            }
        };
        Form::from_table_with_defaults(fields, table).map_err(noted).ok()
    }

    /// Returns a rulebook of the catalogue, if it has no faults. Notes its faults at `outer`, and
    /// then returns `None`.
    #[doc(hidden)]
    pub fn find_sound_rulebook(&mut self, id: &str, outer: &str) -> Option<Arc<System>> {
        let rulebook = self.catalogue.rulebook_by_id(id);
        let sound =
            rulebook.and_then(|system| system.check_built_in_data().map(|()| Arc::clone(system)));
        let inside = |fault: Fault| if outer.is_empty() { fault } else { fault.prefix_path(outer) };
        sound.map_err(|fault| self.note_at_value(inside(fault))).ok()
    }

    /// Reads the tables under `key`, which may be absent; at most the length of a list.
    pub(crate) fn read_optional_tables(&mut self, key: &str) -> Vec<Table> {
        let tables = self.tables_under_key(key);
        let number = i64::try_from(tables.len()).unwrap_or(i64::MAX);
        match ENTRY_COUNT_RANGE.check_in_range(number) {
            Ok(_) => tables,
            Err(problem) => {
                self.note_at_value(Fault::new(key, problem));
                Vec::new()
            }
        }
    }

    /// Reads the tables under `key`: one, or several.
    fn tables_under_key(&mut self, key: &str) -> Vec<Table> {
        let tables = match self.document.table.get(key) {
            None => return Vec::new(),
            Some(Toml::Table(table)) => Some(vec![table.clone()]),
            Some(Toml::Array(items)) => items.iter().map(|item| item.as_table().cloned()).collect(),
            Some(_) => None,
        };
        tables.filter(|tables| !tables.is_empty()).unwrap_or_else(|| {
            self.note_at_value(Fault::new(
                key,
                format!("expected tables, each beginning with [[{key}]]"),
            ));
            Vec::new()
        })
    }

    /// Reads each table under `key` with its index; notes the fault `none` if there is no table.
    /// After too many faults the rest is skipped.
    #[doc(hidden)]
    pub fn read_each_required_table<T>(
        &mut self,
        key: &str,
        none: Fault,
        read: impl Fn(&mut Self, usize, Table) -> Option<T>,
    ) -> Vec<Option<T>> {
        let tables = self.tables_under_key(key);
        if tables.is_empty() {
            self.note_at_value(none);
        }
        let read = tables.into_iter().enumerate().map_while(|(place, table)| {
            let look = self.faults.len() < MAX_COLLECTED_FAULTS;
            look.then(|| read(self, place, table))
        });
        read.collect()
    }

    /// Returns the text under `key`, if there is one.
    #[doc(hidden)]
    pub fn text_under_key(&mut self, key: &str) -> Option<String> {
        match self.document.table.get(key)? {
            Toml::String(text) => Some(text.trim().to_owned()),
            _ => {
                self.note_at_value(Fault::new(key, format!("expected a text for `{key}`")));
                None
            }
        }
    }

    /// Notes names that are given twice, because they would not distinguish results.
    #[doc(hidden)]
    pub fn note_repeated_names<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n str>) {
        let mut names_so_far = HashSet::new();
        for (place, name) in names.enumerate() {
            if !names_so_far.insert(name_matching::name_matching_key(name)) {
                let problem =
                    format!("there are two {what}s called \"{}\"", shorten_and_make_safe(name));
                self.note_at_value(Fault::new(format!("{what}[{place}].name"), problem));
            }
        }
    }

    /// Reads a number that need not be whole; `Some(None)` if it is left out.
    #[doc(hidden)]
    pub fn read_real_number(
        &mut self,
        value: Option<&Toml>,
        bound: &RealRange,
        path: &str,
    ) -> Option<Option<f64>> {
        let number = match value {
            None => return Some(None),
            Some(Toml::Integer(n)) => Some(*n as f64),
            Some(Toml::Float(x)) => Some(*x),
            Some(_) => None,
        };
        let checked = match number {
            Some(number) => bound.check_in_range(number),
            None => Err(format!("expected a number, {bound}")),
        };
        checked.map(Some).map_err(|problem| self.note_at_value(Fault::new(path, problem))).ok()
    }
}
