//! A file while it is read, an experiment or an arsenal, and the faults found so far.

use std::collections::HashSet;

use toml::{Table, Value as Toml};

use crate::file::document::{Document, steers};
use enfilade_engine::cancel::Halt;
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::error::{Error, LocatedFault};
use enfilade_model::form::bounds::RealBound;
use enfilade_model::form::sanitize::shown;
use enfilade_model::form::{ENTRIES, FAULTS, Fault, Fields, Form, name_matching};
use std::sync::Arc;

/// A reading in progress.
#[derive(Debug)]
#[doc(hidden)]
pub struct Reader<'a> {
    #[doc(hidden)]
    pub catalogue: &'a Catalogue,
    #[doc(hidden)]
    pub document: &'a Document,
    /// Who may ask to stop.
    #[doc(hidden)]
    pub halt: &'a Halt,
    /// The faults, each once, no more than [`FAULTS`].
    #[doc(hidden)]
    pub faults: Vec<LocatedFault>,
}

/// What `found` makes of the file `text`, unless it is of another kind, which `other` tells.
///
/// # Errors
/// [`Error::Input`] with every fault of the file and its place; [`Error::Interrupted`] once `halt` was asked.
#[doc(hidden)]
pub fn read<T>(
    (catalogue, name, text): (&Catalogue, &str, &str),
    halt: &Halt,
    other: impl Fn(&Document) -> Option<Fault>,
    found: impl FnOnce(&mut Reader) -> Option<T>,
) -> Result<T, Error> {
    let refuse = |faults| Error::Input { name: name.to_owned(), text: text.to_owned(), faults };
    let document = Document::parse(text).map_err(refuse)?;
    if let Some(fault) = other(&document) {
        return Err(refuse(vec![document.at_key(fault)]));
    }
    let faults = document.faults.clone();
    let mut reader = Reader { catalogue, document: &document, halt, faults };
    let found = found(&mut reader);
    if halt.asked() {
        return Err(Error::Interrupted("the file was not read to its end".to_owned()));
    }
    // In the order of the file, whoever found them.
    reader.faults.sort_by_key(|fault| fault.span.start);
    match found {
        Some(found) if reader.faults.is_empty() => Ok(found),
        _ => Err(refuse(reader.faults)),
    }
}

/// The name of a file without what follows its last point.
#[doc(hidden)]
pub fn stem(file: &str) -> String {
    let stem = std::path::Path::new(file).file_stem();
    let stem = stem.map(|stem| stem.to_string_lossy());
    let letters = stem.iter().flat_map(|stem| stem.chars());
    letters.filter(|&c| !steers(c)).collect()
}

impl Reader<'_> {
    /// Notes a fault at the value its path names.
    #[doc(hidden)]
    pub fn note(&mut self, fault: Fault) {
        self.note_where(fault, false);
    }

    /// Notes a fault at the key or the value its path names, unless it is known already.
    #[doc(hidden)]
    pub fn note_where(&mut self, mut fault: Fault, key: bool) {
        if self.faults.len() >= FAULTS {
            return;
        }
        // Where it would stand there is nothing to point at.
        if let Some(table) = self.document.lacks(&fault.path) {
            fault.problem = format!("in `{table}`: {}", fault.problem);
        }
        let located = match key {
            true => self.document.at_key(fault),
            false => LocatedFault { span: self.document.locate(&fault.path), fault },
        };
        let LocatedFault { fault: Fault { path, problem, .. }, span } = &located;
        // Every cell of a grid may have the same fault, which stands in the file once.
        let same = |known: &LocatedFault| {
            known.span == *span && (known.fault.problem == *problem || known.fault.path == *path)
        };
        if !self.faults.iter().any(same) {
            self.faults.push(located);
        }
    }

    /// Fills a form; faults are noted at `outer`, and then there is none.
    #[doc(hidden)]
    pub fn fill(&mut self, fields: &Fields, table: &Table, outer: &str) -> Option<Form> {
        let noted = |faults: Vec<Fault>| {
            for fault in faults {
                let key = !fields.declare(&fault.path);
                self.note_where(if outer.is_empty() { fault } else { fault.within(outer) }, key);
            }
        };
        Form::fill(fields, table).map_err(noted).ok()
    }

    /// A rulebook of the catalogue, without faults of its own; what is wrong is noted at `outer`, and then
    /// there is none.
    #[doc(hidden)]
    pub fn rulebook(&mut self, id: &str, outer: &str) -> Option<Arc<System>> {
        let found = self.catalogue.system(id);
        let sound = found.and_then(|system| system.checked().map(|()| Arc::clone(system)));
        let inside = |fault: Fault| if outer.is_empty() { fault } else { fault.within(outer) };
        sound.map_err(|fault| self.note(inside(fault))).ok()
    }

    /// The tables under `key`, of which there may be as many as a list has entries.
    pub(crate) fn drawn(&mut self, key: &str) -> Vec<Table> {
        let tables = self.tables(key);
        let number = i64::try_from(tables.len()).unwrap_or(i64::MAX);
        match ENTRIES.check(number) {
            Ok(_) => tables,
            Err(problem) => {
                self.note(Fault::new(key, problem));
                Vec::new()
            }
        }
    }

    /// The tables under `key`: one, or several.
    fn tables(&mut self, key: &str) -> Vec<Table> {
        let tables = match self.document.table.get(key) {
            None => return Vec::new(),
            Some(Toml::Table(table)) => Some(vec![table.clone()]),
            Some(Toml::Array(items)) => items.iter().map(|item| item.as_table().cloned()).collect(),
            Some(_) => None,
        };
        tables.filter(|tables| !tables.is_empty()).unwrap_or_else(|| {
            self.note(Fault::new(key, format!("expected tables, each beginning with [[{key}]]")));
            Vec::new()
        })
    }

    /// What `read` makes of each table under `key` and its place; a fault when there is `none`. After
    /// too many faults the rest is not looked at.
    #[doc(hidden)]
    pub fn each<T>(
        &mut self,
        key: &str,
        none: Fault,
        read: impl Fn(&mut Self, usize, Table) -> Option<T>,
    ) -> Vec<Option<T>> {
        let tables = self.tables(key);
        if tables.is_empty() {
            self.note(none);
        }
        let read = tables.into_iter().enumerate().map_while(|(place, table)| {
            let look = self.faults.len() < FAULTS;
            look.then(|| read(self, place, table))
        });
        read.collect()
    }

    /// The text under `key`, if there is one.
    #[doc(hidden)]
    pub fn prose(&mut self, key: &str) -> Option<String> {
        match self.document.table.get(key)? {
            Toml::String(text) => Some(text.trim().to_owned()),
            _ => {
                self.note(Fault::new(key, format!("expected a text for `{key}`")));
                None
            }
        }
    }

    /// Names that are given twice would not tell results apart.
    #[doc(hidden)]
    pub fn told_apart<'n>(&mut self, what: &str, given: impl Iterator<Item = &'n str>) {
        let mut known = HashSet::new();
        for (place, name) in given.enumerate() {
            if !known.insert(name_matching::key(name)) {
                let problem = format!("there are two {what}s called \"{}\"", shown(name));
                self.note(Fault::new(format!("{what}[{place}].name"), problem));
            }
        }
    }

    /// A number that need not be whole; `Some(None)` when it is left out.
    #[doc(hidden)]
    pub fn real(
        &mut self,
        given: Option<&Toml>,
        bound: &RealBound,
        path: &str,
    ) -> Option<Option<f64>> {
        let number = match given {
            None => return Some(None),
            Some(Toml::Integer(n)) => Some(*n as f64),
            Some(Toml::Float(x)) => Some(*x),
            Some(_) => None,
        };
        let checked = match number {
            Some(number) => bound.check(number),
            None => Err(format!("expected a number, {bound}")),
        };
        checked.map(Some).map_err(|problem| self.note(Fault::new(path, problem))).ok()
    }
}
