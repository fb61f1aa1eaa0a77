//! The document while it is read, and the faults found so far.

use toml::{Table, Value as Toml};

use crate::catalogue::Catalogue;
use crate::error::LocatedFault;
use crate::form::{ENTRIES, FAULTS, Fault, Fields, Form};
use crate::study::source::Document;

/// A reading in progress.
pub(super) struct Reader<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) document: &'a Document,
    /// How many cells are made at once, and how many there may be.
    pub(super) limits: [u64; 2],
    pub(super) faults: Vec<LocatedFault>,
}

impl Reader<'_> {
    /// Notes a fault at the value its path names.
    pub(super) fn note(&mut self, fault: Fault) {
        self.note_where(fault, false);
    }

    /// Notes a fault at the key or the value its path names, unless it is known already.
    pub(super) fn note_where(&mut self, fault: Fault, key: bool) {
        if self.faults.len() >= FAULTS {
            return;
        }
        let span = if key {
            self.document.locate_key(&fault.path)
        } else {
            self.document.locate(&fault.path)
        };
        let same = |known: &LocatedFault| {
            known.span == span
                && (known.fault.problem == fault.problem || known.fault.path == fault.path)
        };
        if !self.faults.iter().any(same) {
            self.faults.push(LocatedFault { fault, span });
        }
    }

    /// Fills a form; faults are noted.
    pub(super) fn fill(&mut self, fields: &Fields, table: &Table, outer: &str) -> Option<Form> {
        let noted = |faults: Vec<Fault>| {
            for fault in faults {
                let key = !declared(fields, &fault.path);
                self.note_where(if outer.is_empty() { fault } else { fault.within(outer) }, key);
            }
        };
        Form::fill(fields, table).map_err(noted).ok()
    }

    /// The tables under `key`, of which there may be as many as a list has entries.
    pub(super) fn drawn(&mut self, key: &str) -> Vec<Table> {
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
    pub(super) fn tables(&mut self, key: &str) -> Vec<Table> {
        let (found, wrong) = match self.document.table.get(key) {
            None => return Vec::new(),
            Some(Toml::Table(table)) => (vec![table.clone()], false),
            Some(Toml::Array(items)) => {
                let tables: Vec<_> = items.iter().filter_map(Toml::as_table).cloned().collect();
                let wrong = tables.len() < items.len() || items.is_empty();
                (tables, wrong)
            }
            Some(_) => (Vec::new(), true),
        };
        if wrong {
            self.note(Fault::new(key, format!("expected tables, each beginning with [[{key}]]")));
            return Vec::new();
        }
        found
    }
}

/// Whether `path`, as faults have it, ends at a declared field and not at a key of the file's own.
pub(super) fn declared(fields: &Fields, path: &str) -> bool {
    fields.declare(path)
}
