//! Resolved declarations of a rulebook: lists of words, records, fields, data, tables.
//!
//! A game is built once per file from its tree. Rules remain trees.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::action_facts::{Columns, Found};
use crate::diagnostics::{Faults, near};
use crate::syntax::ast::{Action, Check, Default, Name, Part, Said};
use crate::types::{Fixed, Kind, Range, Record};
use enfilade_model::form::name_matching;

/// Rulebook with resolved declarations.
#[derive(Debug, Default)]
pub struct Game {
    /// Top-level names.
    pub names: FxHashMap<String, Top>,
    /// Lists of words.
    pub words: Vec<WordList>,
    /// Lists of words by name.
    pub lists: FxHashMap<String, u16>,
    /// Lists that contain a word, and its index in each.
    pub word_lists: FxHashMap<String, Vec<(u16, usize)>>,
    /// Records by name.
    pub record_names: FxHashMap<String, usize>,
    /// Records.
    pub records: Vec<RecordKind>,
    /// Top-level fields.
    pub fields: Vec<FieldKind>,
    /// Data blocks.
    pub data: Vec<DataBlock>,
    /// Tables.
    pub tables: Vec<TableBlock>,
    /// Lists of marks.
    pub marks: Vec<MarkList>,
    /// Lists of marks by name.
    pub mark_names: FxHashMap<String, u16>,
    /// Parts.
    pub parts: Vec<(Name, Part)>,
    /// Actions.
    pub actions: Vec<ActionKind>,
    /// Top-level conditions.
    pub checks: Vec<Check>,
    /// Examples as lines of TOML.
    pub examples: Vec<(Name, Said, Vec<Name>)>,
    /// Lines of the `price` block.
    pub price: Vec<(Name, Name)>,
    /// Files of the rulebook, its own first.
    pub sources: Vec<crate::source_map::Source>,
    /// Names that blocks assign, by the place of the block's first line.
    pub assigned: FxHashMap<usize, Vec<String>>,
    /// Check results, by action.
    pub found: Vec<Found>,
    /// Printed numbers of each record that contains nothing else.
    pub printed: Vec<Option<Arc<Record>>>,
    /// Columns that the rule of each action reads and changes.
    pub columns: Vec<Columns>,
    /// Columns as in `columns`, with those that carried fields need.
    pub leaving: Vec<Columns>,
    /// Fields tested with `given`, and whether they belong to a record.
    pub asked_for: FxHashSet<(String, bool)>,
}

/// Meaning of a top-level name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Top {
    /// Field.
    Field(usize),
    /// Data block.
    Data(usize),
    /// Table.
    Table(usize),
    /// Part.
    Part(usize),
}

impl Top {
    /// Returns the name of the kind in messages.
    pub fn called(self) -> &'static str {
        match self {
            Top::Field(_) => "a field",
            Top::Data(_) => "data",
            Top::Table(_) => "a table",
            Top::Part(_) => "a part",
        }
    }
}

/// Ordered list of words.
#[derive(Debug)]
pub struct WordList {
    /// Name.
    pub name: String,
    /// Words, with their printed text if it differs from the word.
    pub words: Vec<(String, String)>,
}

impl WordList {
    /// Returns the words as rules write them.
    pub fn each(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|(word, _)| word.as_str())
    }
}

/// Record.
#[derive(Debug)]
pub struct RecordKind {
    /// Name.
    pub name: String,
    /// Fields.
    pub fields: Vec<FieldKind>,
    /// Conditions.
    pub checks: Vec<Check>,
}

/// Field of a contest.
#[derive(Debug)]
pub struct FieldKind {
    /// Name with its place.
    pub name: Name,
    /// Shape of its values.
    pub holds: Holds,
    /// Default.
    pub default: Option<Default>,
    /// Annotations.
    pub said: Said,
    /// Heading above it.
    pub group: String,
}

/// Shape of a field's value.
#[derive(Clone, Debug)]
pub enum Holds {
    /// Number, yes or no, or word.
    Number(Range),
    /// One of these numbers.
    OneOf(Vec<i64>),
    /// Die: fewest sides, most sides, and the step between.
    Die(i64, i64, i64),
    /// Row of a data block.
    Row(u16),
    /// Record.
    Record(usize),
    /// Marks.
    Marks(u16),
    /// List: fewest entries, most entries, and their shape.
    List(i64, i64, Box<Holds>),
}

impl Holds {
    /// Returns the bounds of a field that may contain any number between them.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        match self {
            Holds::Number(range) if range.kind == Kind::Number => Some((range.lo, range.hi)),
            Holds::Die(lo, hi, _) => Some((*lo, *hi)),
            _ => None,
        }
    }
}

/// Data block.
#[derive(Debug, Default)]
pub struct DataBlock {
    /// Name.
    pub name: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names of the rows.
    pub rows: Vec<Name>,
    /// Cells by row and column.
    pub cells: Vec<Vec<Fixed>>,
    /// Printed cells by row and column.
    pub printed: Vec<Vec<String>>,
    /// Types of the columns.
    pub kinds: Vec<Column>,
    /// Ranges of the columns that contain numbers.
    pub ranges: Vec<Option<Range>>,
}

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Numbers, words, or yes and no.
    Of(Kind),
    /// Marks.
    Marks(u16),
}

/// Table.
#[derive(Debug)]
pub struct TableBlock {
    /// Name.
    pub name: String,
    /// Legend of the printed cells.
    pub legend: Option<Legend>,
    /// Type of the cells of a table without a legend.
    pub kind: Kind,
    /// Whether only printed keys are allowed.
    pub exact: bool,
    /// Keys of the rows.
    pub rows: Keys,
    /// Keys of the columns.
    pub columns: Option<Keys>,
    /// Cells, row by row.
    pub cells: Vec<Fixed>,
}

/// Legend of a table's printed cells.
#[derive(Debug)]
pub struct Legend {
    /// List of its words.
    pub list: u16,
    /// Patterns with the index of their word.
    pub patterns: Vec<(String, usize)>,
}

/// Keys of rows or columns.
#[derive(Debug)]
pub enum Keys {
    /// Words.
    Words(Vec<String>),
    /// Ranges of numbers, both ends included.
    Numbers(Vec<(i64, i64)>),
}

impl Keys {
    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        match self {
            Keys::Words(words) => words.len(),
            Keys::Numbers(numbers) => numbers.len(),
        }
    }

    /// Returns the index of the last key not above a number; the first if the number is below all.
    /// Returns `None` if only printed keys are allowed and this is not one.
    pub fn place(&self, number: i64, exact: bool) -> Option<usize> {
        match self {
            Keys::Numbers(numbers) => crate::types::key(numbers, exact, number),
            Keys::Words(_) => None,
        }
    }
}

/// List of marks: printed special rules.
#[derive(Debug)]
pub struct MarkList {
    /// Patterns with their names.
    pub marks: Vec<(String, String)>,
}

/// Action with its resolved fields.
#[derive(Debug)]
pub struct ActionKind {
    /// Name with its place.
    pub name: Name,
    /// Rule.
    pub rule: Action,
    /// Own fields.
    pub fields: Vec<FieldKind>,
    /// For each own field, the index of the top-level field that it overrides.
    pub instead: Vec<Option<usize>>,
    /// Own conditions.
    pub checks: Vec<Check>,
}

impl ActionKind {
    /// Returns the top-level field with this index, or the own field that overrides it.
    pub fn instead_of<'g>(&'g self, game: &'g Game, at: usize) -> &'g FieldKind {
        let own = self.instead.iter().position(|instead| *instead == Some(at));
        own.map_or(&game.fields[at], |own| &self.fields[own])
    }

    /// Returns the own fields that override no other field.
    pub fn fields_of_its_own(&self) -> impl Iterator<Item = &FieldKind> {
        let own = self.fields.iter().zip(&self.instead);
        own.filter(|(_, instead)| instead.is_none()).map(|(own, _)| own)
    }
}

/// Returns the number in a printed cell that matches `pattern`; 0 for a pattern without `#`.
pub fn matched(pattern: &str, cell: &str) -> Option<i64> {
    match pattern.split_once('#') {
        None => (pattern == cell).then_some(0),
        Some((before, after)) => {
            let digits = cell.strip_prefix(before)?.strip_suffix(after)?;
            let signed = digits.strip_prefix('-').unwrap_or(digits);
            let plain = !signed.is_empty() && signed.bytes().all(|b| b.is_ascii_digit());
            let number = digits.parse::<i64>().ok().filter(|_| plain)?;
            (i64::from(i16::MIN)..=i64::from(i16::MAX)).contains(&number).then_some(number)
        }
    }
}

impl Game {
    /// Returns the index of the top-level field of this name.
    pub fn field(&self, name: &str) -> Option<usize> {
        match self.names.get(name) {
            Some(Top::Field(at)) => Some(*at),
            _ => None,
        }
    }

    /// Adds a list of words. Returns its index.
    pub fn add_list(&mut self, name: &str, words: Vec<(String, String)>) -> u16 {
        let list = self.words.len() as u16;
        for (place, (word, _)) in words.iter().enumerate() {
            let lists = self.word_lists.entry(word.clone()).or_default();
            lists.push((list, place));
        }
        let name = name.to_owned();
        self.words.push(WordList { name, words });
        list
    }

    /// Returns the part of this name with its index.
    pub fn part(&self, name: &str) -> Option<(usize, &Part)> {
        match self.names.get(name) {
            Some(Top::Part(at)) => Some((*at, &self.parts[*at].1)),
            _ => None,
        }
    }

    /// Returns the fields of an action's contests: the top-level ones that it needs, and its own.
    pub fn fields_of(&self, action: usize) -> impl Iterator<Item = &FieldKind> {
        let kind = &self.actions[action];
        let shared = self.found[action].fields.iter().map(|at| kind.instead_of(self, *at));
        shared.chain(kind.fields_of_its_own())
    }

    /// Returns the list with exactly these words, and adds it if there is none.
    pub fn list_of(&mut self, name: &str, words: Vec<(String, String)>) -> u16 {
        let same = |list: &WordList| {
            let words = words.iter().map(|(word, _)| word);
            list.words.iter().map(|(word, _)| word).eq(words)
        };
        match self.words.iter().position(same) {
            Some(known) => known as u16,
            None => self.add_list(name, words),
        }
    }

    /// Returns the index of `word` in a list.
    pub fn word(&self, list: u16, word: &str) -> Option<usize> {
        let words = &self.words[usize::from(list)].words;
        words.iter().position(|(known, _)| known == word)
    }

    /// Returns the range of all values of a type.
    pub fn all_of(&self, kind: Kind) -> Range {
        let (lo, hi) = match kind {
            Kind::Number | Kind::Any => crate::types::STORED,
            Kind::YesNo => (0, 1),
            Kind::Word(list) => (0, self.words[usize::from(list)].words.len() as i64 - 1),
            Kind::Row(data) => (0, self.data[usize::from(data)].rows.len() as i64 - 1),
        };
        Range::new(kind, lo, hi)
    }

    /// Returns the member of a record or a row.
    pub fn inside<'f>(&self, fixed: &'f Fixed, name: &str) -> Option<&'f Fixed> {
        match fixed {
            Fixed::Record(record) => {
                let mut fields = self.records[record.of].fields.iter().zip(&record.fields);
                fields.find(|(field, _)| field.name.text == name).map(|(_, (value, _))| value)
            }
            Fixed::Row(row) => {
                let mut cells = self.data[usize::from(row.data)].columns.iter().zip(&row.cells);
                cells.find(|(column, _)| *column == name).map(|(_, cell)| cell)
            }
            _ => None,
        }
    }

    /// Encodes the parts of a contest value that are read, as comparable numbers; `reads` returns
    /// whether a name in a record or a row is read. Whether a contest gives a field is included
    /// only if some line tests it with `given`: otherwise an explicit default is equal to an
    /// omitted field.
    pub fn written(&self, fixed: &Fixed, reads: &impl Fn(&str) -> bool, key: &mut Vec<i64>) {
        match fixed {
            Fixed::Number(range) | Fixed::Asked(range, _) => key.extend([1, range.lo]),
            Fixed::Cell(word, number) => key.extend([2, word.lo, number.lo]),
            Fixed::List(items, _) => {
                key.extend([3, items.len() as i64]);
                items.iter().for_each(|item| self.written(item, reads, key));
            }
            Fixed::Record(record) => {
                let fields = self.records[record.of].fields.iter().zip(&record.fields);
                for (field, (value, given)) in fields.filter(|(field, _)| reads(&field.name.text)) {
                    self.written(value, reads, key);
                    if self.asked_for.contains(&(field.name.text.clone(), true)) {
                        key.push(given.unwrap_or(false).into());
                    }
                }
                if reads(super::COUNT) {
                    key.push(record.count);
                }
            }
            Fixed::Row(row) => {
                key.extend([5, row.place.lo]);
                let cells = self.data[usize::from(row.data)].columns.iter().zip(&row.cells);
                let cells = cells.filter(|(column, _)| reads(column));
                cells.for_each(|(_, cell)| self.written(cell, reads, key));
            }
            Fixed::Marks(_, marks) => marks.iter().for_each(|mark| self.written(mark, reads, key)),
            Fixed::Absent(_) => key.push(0),
            Fixed::Maybe(inner) => self.written(inner, reads, key),
        }
    }

    /// Returns the name of a type in messages.
    pub fn kind_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Number | Kind::Any => "a number".into(),
            Kind::YesNo => "a yes or no".into(),
            Kind::Word(list) => format!("a word of `{}`", self.words[usize::from(list)].name),
            Kind::Row(data) => format!("a row of `{}`", self.data[usize::from(data)].name),
        }
    }

    /// Formats a value for people.
    pub fn shown(&self, kind: Kind, value: i64) -> String {
        let place = usize::try_from(value).unwrap_or(usize::MAX);
        match kind {
            Kind::Number | Kind::Any => value.to_string(),
            Kind::YesNo if value == 0 => "no".into(),
            Kind::YesNo => "yes".into(),
            Kind::Word(list) => match self.words[usize::from(list)].words.get(place) {
                Some((word, label)) if label.is_empty() => word.replace('_', " "),
                Some((_, label)) => label.clone(),
                None => value.to_string(),
            },
            Kind::Row(data) => {
                let row = self.data[usize::from(data)].rows.get(place);
                row.map_or("none".into(), |row| row.text.clone())
            }
        }
    }

    /// Returns the index of the data row that `name` means.
    pub fn row(&self, data: u16, name: &str) -> Option<usize> {
        let rows = &self.data[usize::from(data)].rows;
        let same = rows.iter().position(|row| row.text == name);
        same.or_else(|| {
            let key = name_matching::key(name);
            rows.iter().position(|row| name_matching::key(&row.text) == key)
        })
    }
}

/// Reports a name that is already in use.
pub fn twice(name: &Name, what: &str, faults: &mut Faults) {
    let problem = format!("`{}` is {what} already and cannot be declared again", name.text);
    faults.note(name.span.clone(), problem, "give it another name");
}

/// Reports names that occur more than once.
pub fn each_once<'n>(names: impl IntoIterator<Item = &'n Name>, what: &str, faults: &mut Faults) {
    let mut above = FxHashSet::default();
    for name in names {
        if !above.insert(&name.text) {
            twice(name, what, faults);
        }
    }
}

/// Reports an unknown name, with the most similar one.
pub fn no_such<'a>(
    name: &Name,
    problem: String,
    known: impl IntoIterator<Item = &'a str>,
    faults: &mut Faults,
) {
    faults.note(name.span.clone(), problem, near(&name.text, known));
}
