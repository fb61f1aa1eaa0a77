//! Text of a designer's file: read within limits, parsed with the position of every value.
//!
//! Faults of any file are found here: size, encoding, syntax, depth, numbers that are not finite,
//! characters that would control a terminal. The meaning of the values is not known here.

use std::fmt;
use std::ops::Range;
#[cfg(feature = "files")]
use std::path::Path;
use std::path::PathBuf;

use toml::de::{DeFloat, DeInteger, DeTable, DeValue};
use toml::{Spanned, Table, Value as Toml};

use crate::error::StudyError;
use enfilade_model::error::{FaultWithByteSpan, InputError, text_too_large_fault};
use enfilade_model::form::bounds::MAX_INPUT_BYTES;
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{Fault, MAX_COLLECTED_FAULTS};
#[cfg(feature = "files")]
use enfilade_model::plain_file::{self, FileReadRefusal};

pub use enfilade_model::form::sanitize::is_control_or_invisible;

/// Deepest nesting of lists and tables, with room to spare for every kind of file.
const MAX_VALUE_NESTING: usize = 16;

/// Input file: its name as given, and its text.
#[derive(Clone, Debug)]
pub struct SourceInput {
    /// Path as typed, or `standard input`.
    pub name: String,
    /// Text of the file.
    pub text: String,
    /// Folder in which the files that it names are looked up; the current folder for standard
    /// input.
    pub folder: PathBuf,
    /// Author of the names of its files.
    pub origin: AllowedFilePaths,
}

/// Author of a text, which determines the paths that it may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllowedFilePaths {
    /// The user, on the command line: any path.
    Command,
    /// A file, perhaps from another person: a path in its folder or below, without links.
    File,
}

impl SourceInput {
    /// Reads the file at `path`, or standard input for `-`.
    ///
    /// # Errors
    /// [`StudyError::File`] if it cannot be read; [`StudyError::Invalid`] if it is not a plain
    /// file; [`StudyError::Input`] if it is larger than
    /// [`INPUT_BYTES_RANGE`](enfilade_model::form::bounds::INPUT_BYTES_RANGE) allows or is not
    /// UTF-8.
    #[cfg(feature = "files")]
    pub fn read_path_or_stdin(path: &Path) -> Result<SourceInput, StudyError> {
        let name = if path.as_os_str() == "-" {
            "standard input".to_owned()
        } else {
            path.to_string_lossy().into_owned()
        };
        let text =
            read_text_or_stdin(path).map_err(|refusal| refusal.into_named_error(&name, path))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(SourceInput { name, text, folder, origin: AllowedFilePaths::File })
    }

    /// Converts the error of a contest of this file, too large or with a failed rule, to a fault
    /// with its position in the file; returns any other error unchanged.
    pub fn locate_contest_error_in_file(&self, error: StudyError) -> StudyError {
        let (cell, field, problem, help) = match &error {
            StudyError::TooLarge(refusal) => {
                let field = refusal.grows_with.first();
                (
                    refusal.cell.as_deref(),
                    field,
                    refusal.describe_what_is_too_large(),
                    refusal.suggest_remedy(),
                )
            }
            StudyError::Rule(mishap) => {
                let help = mishap.fault.help.clone();
                (mishap.cell.as_deref(), None, mishap.describe_fault_and_contest(), help)
            }
            _ => return error,
        };
        let (Some(cell), Ok(document)) = (cell, TomlDocumentWithPositions::parse_toml(&self.text))
        else {
            return error;
        };
        let contest = format!("contest[{}]", cell.contest);
        let path = match field {
            Some(field) => format!("{contest}.{field}"),
            None => contest,
        };
        let fault = Fault { help, ..Fault::new(path.as_str(), problem) };
        let span = document.byte_range_of_key(&path);
        InputError {
            name: self.name.clone(),
            text: self.text.clone(),
            faults: vec![FaultWithByteSpan { fault, span }],
        }
        .into()
    }
}

#[cfg(feature = "files")]
fn read_text_or_stdin(path: &Path) -> Result<String, FileReadRefusal> {
    match path.as_os_str() == "-" {
        true => Ok(plain_file::decode_utf8(plain_file::read_rest_of_stream(
            std::io::stdin().lock(),
            MAX_INPUT_BYTES,
        )?)?),
        false => plain_file::read_text_up_to(path, MAX_INPUT_BYTES),
    }
}

/// Values of a file with their positions.
#[derive(Debug)]
pub struct TomlDocumentWithPositions {
    /// Values.
    pub table: Table,
    /// Faults of single values, whatever their meaning.
    pub faults: Vec<FaultWithByteSpan>,
    places: ValuePosition,
}

/// Position of a value in the file, and the positions inside it.
#[derive(Debug)]
struct ValuePosition {
    span: Range<usize>,
    inside: PositionsInsideValue,
}

#[derive(Debug)]
enum PositionsInsideValue {
    Nothing,
    Table(Vec<(String, Range<usize>, ValuePosition)>),
    List(Vec<ValuePosition>),
}

impl TomlDocumentWithPositions {
    /// Parses `text`.
    ///
    /// # Errors
    /// The faults of size and syntax. Faults of single values are in
    /// [`faults`](TomlDocumentWithPositions::faults), so that the rest of the file can still be
    /// checked.
    pub fn parse_toml(text: &str) -> Result<TomlDocumentWithPositions, Vec<FaultWithByteSpan>> {
        if text.len() as u64 > MAX_INPUT_BYTES {
            return Err(vec![FaultWithByteSpan {
                fault: text_too_large_fault(MAX_INPUT_BYTES),
                span: 0..0,
            }]);
        }
        let (root, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            return Err(errors
                .iter()
                .take(MAX_COLLECTED_FAULTS)
                .map(|e| toml_syntax_fault(text, e))
                .collect());
        }
        let mut faults = Vec::new();
        let mut copy = TomlValueCopier { faults: &mut faults };
        let (table, inside) = copy.copy_table(root.get_ref(), LazyValuePath::Root, 0);
        let places = ValuePosition { span: 0..0, inside };
        Ok(TomlDocumentWithPositions { table, faults, places })
    }

    /// Returns the bytes of the value at `path` (`contest[0].target[1].morale`, entries counted
    /// from 0), or of the innermost table around it if it is not in the file.
    pub fn byte_range_of_value(&self, path: &str) -> Range<usize> {
        let (_, place, _) = self.deepest_value_and_path_rest(path);
        place.span.clone()
    }

    /// Returns whether the file has a value at `path` itself.
    pub fn has_value_at(&self, path: &str) -> bool {
        self.deepest_value_and_path_rest(path).2.is_empty()
    }

    /// Returns the path of the table of a value at `path`, if the file has no such table.
    pub fn path_of_absent_parent_table<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (table, _) = self.deepest_value_and_path_rest(path).2.rsplit_once('.')?;
        Some(table.trim_start_matches('.')).filter(|table| !table.is_empty())
    }

    /// Returns the bytes of the key at `path`, or else the range of
    /// [`byte_range_of_value`](TomlDocumentWithPositions::byte_range_of_value).
    pub fn byte_range_of_key(&self, path: &str) -> Range<usize> {
        let (key, place, _) = self.deepest_value_and_path_rest(path);
        key.unwrap_or_else(|| place.span.clone())
    }

    /// Returns the first of `keys` that the file has outside its tables; `None` if it has none of
    /// them.
    pub fn first_key_present_of<'k>(&self, keys: &[&'k str]) -> Option<&'k str> {
        let mut keys = keys.iter().copied();
        keys.find(|key| self.table.contains_key(*key))
    }

    /// Locates `fault` at the key that it names.
    pub fn locate_fault_at_key(&self, fault: Fault) -> FaultWithByteSpan {
        let span = self.byte_range_of_key(&fault.path);
        FaultWithByteSpan { fault, span }
    }

    /// Finds the key at a path, the innermost value on the path, and the rest of the path.
    fn deepest_value_and_path_rest<'p>(
        &self,
        path: &'p str,
    ) -> (Option<Range<usize>>, &ValuePosition, &'p str) {
        let (mut place, mut key, mut rest) = (&self.places, None, path);
        while let Some((next_key, next, after)) = place.find_child_on_path(rest) {
            (place, key, rest) = (next, next_key, after);
        }
        (key.filter(|_| rest.is_empty()), place, rest)
    }
}

/// Child of a value: the bytes of its key, its position, and the rest of the path.
type ChildValue<'a, 'p> = (Option<Range<usize>>, &'a ValuePosition, &'p str);

impl ValuePosition {
    fn find_child_on_path<'a, 'p>(&'a self, path: &'p str) -> Option<ChildValue<'a, 'p>> {
        if let Some(indexed) = path.strip_prefix('[') {
            let (index, rest) = indexed.split_once(']')?;
            let index: usize = index.parse().ok()?;
            return match &self.inside {
                PositionsInsideValue::List(items) => Some((None, items.get(index)?, rest)),
                // A single table, where a list may be, is number 0 of one.
                PositionsInsideValue::Table(_) if index == 0 => Some((None, self, rest)),
                _ => None,
            };
        }
        let path = path.strip_prefix('.').unwrap_or(path);
        let entries = match &self.inside {
            PositionsInsideValue::Table(entries) => entries,
            // The only entry of a list needs no number.
            PositionsInsideValue::List(items) if items.len() == 1 && !path.is_empty() => {
                return Some((None, &items[0], path));
            }
            _ => return None,
        };
        // A key may contain a point itself, as names of weapons do; the longest match counts.
        let fits = entries.iter().filter_map(|(key, span, place)| {
            let rest = path.strip_prefix(key.as_str())?;
            let whole = rest.is_empty() || rest.starts_with(['.', '[']);
            whole.then_some((key.len(), (Some(span.clone()), place, rest)))
        });
        fits.max_by_key(|(length, _)| *length).map(|(_, child)| child)
    }
}

fn toml_syntax_fault(text: &str, error: &toml::de::Error) -> FaultWithByteSpan {
    let span = error.span().unwrap_or(text.len()..text.len());
    let message = match error.message() {
        "cannot recurse further; max recursion depth met" | "recursion limit" => {
            "lists and tables are nested too deeply"
        }
        message => message,
    };
    let fault = Fault::new("", message);
    FaultWithByteSpan { fault, span }
}

/// Description of characters that are not allowed in keys and texts.
const DISALLOWED_CHARS_TEXT: &str =
    "control characters, or marks that have no width or turn the writing around";

/// Path of a value, formatted only when a fault is reported: keys can be long and values many.
#[derive(Clone, Copy)]
enum LazyValuePath<'a> {
    Root,
    Key(&'a LazyValuePath<'a>, &'a str),
    Entry(&'a LazyValuePath<'a>, usize),
}

impl fmt::Display for LazyValuePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LazyValuePath::Root => Ok(()),
            LazyValuePath::Key(LazyValuePath::Root, key) => f.write_str(key),
            LazyValuePath::Key(outer, key) => write!(f, "{outer}.{key}"),
            LazyValuePath::Entry(outer, index) => write!(f, "{outer}[{index}]"),
        }
    }
}

/// Copies parsed values out of the text, and reports values that are wrong whatever their meaning.
struct TomlValueCopier<'a> {
    faults: &'a mut Vec<FaultWithByteSpan>,
}

impl TomlValueCopier<'_> {
    fn copy_table(
        &mut self,
        table: &DeTable<'_>,
        way: LazyValuePath<'_>,
        depth: usize,
    ) -> (Table, PositionsInsideValue) {
        let (mut values, mut places) = (Table::new(), Vec::new());
        for (key, value) in table.iter() {
            let name = key.get_ref().as_ref();
            if name.chars().any(is_control_or_invisible) {
                let problem = format!("a key may not hold {DISALLOWED_CHARS_TEXT}");
                self.note_fault(LazyValuePath::Root, &problem, key.span());
                continue;
            }
            let (value, place) = self.copy_value(value, LazyValuePath::Key(&way, name), depth + 1);
            values.insert(name.to_owned(), value);
            places.push((name.to_owned(), key.span(), place));
        }
        (values, PositionsInsideValue::Table(places))
    }

    fn copy_value(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        way: LazyValuePath<'_>,
        depth: usize,
    ) -> (Toml, ValuePosition) {
        let span = value.span();
        if depth > MAX_VALUE_NESTING {
            self.note_fault(way, "lists and tables are nested too deeply", span.clone());
            // A placeholder: a file with a fault is never played.
            return (
                Toml::Boolean(false),
                ValuePosition { span, inside: PositionsInsideValue::Nothing },
            );
        }
        let (value, inside) = match value.get_ref() {
            DeValue::Table(table) => {
                let (table, inside) = self.copy_table(table, way, depth);
                (Toml::Table(table), inside)
            }
            DeValue::Array(items) => {
                let items = items.iter().enumerate();
                let items = items.map(|(i, item)| {
                    self.copy_value(item, LazyValuePath::Entry(&way, i), depth + 1)
                });
                let (values, places) = items.unzip();
                (Toml::Array(values), PositionsInsideValue::List(places))
            }
            scalar => (self.copy_scalar(scalar, way, &span), PositionsInsideValue::Nothing),
        };
        (value, ValuePosition { span, inside })
    }

    fn copy_scalar(
        &mut self,
        value: &DeValue<'_>,
        way: LazyValuePath<'_>,
        span: &Range<usize>,
    ) -> Toml {
        match value {
            DeValue::Boolean(on) => Toml::Boolean(*on),
            DeValue::Datetime(date) => Toml::Datetime(*date),
            DeValue::String(text) => {
                let allowed = |c| !is_control_or_invisible(c) || matches!(c, '\n' | '\r' | '\t');
                if !text.chars().all(allowed) {
                    let problem = format!("a text may not hold {DISALLOWED_CHARS_TEXT}");
                    self.note_fault(way, &problem, span.clone());
                }
                // Tabs and Windows line ends are no fault, but are not printed either.
                Toml::String(
                    text.chars().filter(|&c| !is_control_or_invisible(c) || c == '\n').collect(),
                )
            }
            DeValue::Integer(digits) => {
                Toml::Integer(integer_if_in_range(digits).unwrap_or_else(|| {
                    self.note_fault(way, "a whole number must fit into 64 bits", span.clone());
                    0
                }))
            }
            DeValue::Float(digits) => Toml::Float(float_if_finite(digits).unwrap_or_else(|| {
                let number_text = shorten_and_make_safe(digits.as_str());
                let problem = format!("a number must be finite, but this is {number_text}");
                self.note_fault(way, &problem, span.clone());
                0.0
            })),
            DeValue::Array(_) | DeValue::Table(_) => unreachable!("not scalars"),
        }
    }

    fn note_fault(&mut self, way: LazyValuePath<'_>, problem: &str, span: Range<usize>) {
        if self.faults.len() < MAX_COLLECTED_FAULTS {
            let fault = Fault::new(way.to_string(), problem);
            self.faults.push(FaultWithByteSpan { fault, span });
        }
    }
}

fn integer_if_in_range(digits: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(digits.as_str(), digits.radix()).ok()
}

fn float_if_finite(digits: &DeFloat<'_>) -> Option<f64> {
    digits.as_str().parse().ok().filter(|x: &f64| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
name = 'x'
[[contest]]
fp = [1, 2]
[contest.modifiers]
'St. Wall' = 3
[[contest.target]]
unit = 'a'
[[contest.target]]
unit = 'b'
";

    fn at(path: &str) -> &'static str {
        let document =
            TomlDocumentWithPositions::parse_toml(FILE).expect("the file is well formed");
        &FILE[document.byte_range_of_value(path)]
    }

    #[test]
    fn every_value_is_found_where_it_stands() {
        assert_eq!(at("contest[0].fp"), "[1, 2]");
        assert_eq!(at("contest[0].fp[1]"), "2");
        assert_eq!(at("contest[0].target[1].unit"), "'b'");
        assert_eq!(at("contest[0].modifiers.St. Wall"), "3");
        assert_eq!(at("contest[0].modifiers[0].St. Wall"), "3");
    }

    #[test]
    fn what_is_missing_is_looked_for_in_the_table_around_it() {
        assert_eq!(at("contest[0].target[1].morale"), "[[contest.target]]");
        assert_eq!(at("contest[0].drm"), "[[contest]]");
        assert_eq!(at("contest[7].drm"), "[[contest]]");
        assert_eq!(at("trials"), "");
    }

    #[test]
    fn values_that_nothing_can_mean_are_noted() {
        let text =
            "a = nan\nb = [1e999]\nc = 99999999999999999999\nd = \"\\u001b[2J\"\n\"\\u0007\" = 1";
        let document = TomlDocumentWithPositions::parse_toml(text).expect("the syntax is right");
        let spans: Vec<_> = document.faults.iter().map(|f| &text[f.span.clone()]).collect();
        let expected = ["nan", "1e999", "99999999999999999999", "\"\\u001b[2J\"", "\"\\u0007\""];
        assert_eq!(spans, expected);
    }

    #[test]
    fn a_file_of_the_largest_size_is_read_and_a_larger_one_is_not() {
        let text = |bytes| "a = 1 #".to_owned() + &" ".repeat(bytes - 7);
        let bytes = usize::try_from(MAX_INPUT_BYTES).expect("it fits");
        assert!(TomlDocumentWithPositions::parse_toml(&text(bytes)).is_ok());
        assert!(TomlDocumentWithPositions::parse_toml(&text(bytes + 1)).is_err());
    }

    #[test]
    fn underscores_and_other_radices_are_read() {
        let document = TomlDocumentWithPositions::parse_toml("a = 10_000\nb = 0xff")
            .expect("the syntax is right");
        assert_eq!(document.table["a"], Toml::Integer(10_000));
        assert_eq!(document.table["b"], Toml::Integer(255));
    }

    #[test]
    fn the_only_table_of_a_list_needs_no_number() {
        let text = "contest = [{ target = [{ unit = 'a' }], leader = [] }]";
        let document = TomlDocumentWithPositions::parse_toml(text).expect("the syntax is right");
        let at = |path: &str| &text[document.byte_range_of_value(path)];
        assert_eq!(at("contest.target.unit"), "'a'");
        assert_eq!(at("contest[0].target[0].unit"), "'a'");
        assert_eq!(at("contest[0].leader.unit"), "[]");
    }
}
