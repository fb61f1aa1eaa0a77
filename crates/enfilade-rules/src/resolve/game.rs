//! What a rulebook declares, with its names found: lists of words, records, fields, data, tables.
//!
//! Made once per file from its tree. Rules are kept as they were written.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::action_facts::{Columns, Found};
use crate::diagnostics::{Faults, near};
use crate::syntax::ast::{Action, Check, Default, Name, Part, Said};
use crate::types::{Fixed, Kind, Range, Record};
use enfilade_model::form::name_matching;

/// A rulebook whose declarations are understood.
#[derive(Debug, Default)]
pub struct Game {
    /// What stands at the top, by name.
    pub names: FxHashMap<String, Top>,
    /// Lists of words.
    pub words: Vec<WordList>,
    /// Lists of words by name.
    pub lists: FxHashMap<String, u16>,
    /// By word: its lists, and its place in each.
    pub word_lists: FxHashMap<String, Vec<(u16, usize)>>,
    /// Records by name.
    pub record_names: FxHashMap<String, usize>,
    /// Records.
    pub records: Vec<RecordKind>,
    /// Fields at the top.
    pub fields: Vec<FieldKind>,
    /// Blocks of data.
    pub data: Vec<DataBlock>,
    /// Tables.
    pub tables: Vec<TableBlock>,
    /// Printed specials.
    pub marks: Vec<MarkList>,
    /// Printed specials by name.
    pub mark_names: FxHashMap<String, u16>,
    /// Pieces of rule.
    pub parts: Vec<(Name, Part)>,
    /// What can be played.
    pub actions: Vec<ActionKind>,
    /// Conditions at the top.
    pub checks: Vec<Check>,
    /// Contests as lines of TOML.
    pub examples: Vec<(Name, Said, Vec<Name>)>,
    /// Which is which for prices.
    pub price: Vec<(Name, Name)>,
    /// The files it was read from, its own first.
    pub sources: Vec<crate::source_map::Source>,
    /// By the place of the first of some lines: names that they give values to.
    pub assigned: FxHashMap<usize, Vec<String>>,
    /// By action: what its check found out.
    pub found: Vec<Found>,
    /// By record: its printed numbers, where it holds nothing else.
    pub printed: Vec<Option<Arc<Record>>>,
    /// By action: the columns that its rule reads and changes.
    pub columns: Vec<Columns>,
    /// The same with those by which it is told what is left of fields.
    pub leaving: Vec<Columns>,
    /// Fields of which some line asks whether they are given, and whether they stand in a record.
    pub asked_for: FxHashSet<(String, bool)>,
}

/// What a name at the top is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Top {
    /// A field.
    Field(usize),
    /// A block of data.
    Data(usize),
    /// A table.
    Table(usize),
    /// A piece of rule.
    Part(usize),
}

impl Top {
    /// As messages call it.
    pub fn called(self) -> &'static str {
        match self {
            Top::Field(_) => "a field",
            Top::Data(_) => "data",
            Top::Table(_) => "a table",
            Top::Part(_) => "a part",
        }
    }
}

/// Words in order.
#[derive(Debug)]
pub struct WordList {
    /// What the list is called.
    pub name: String,
    /// The words, and what is printed of each where it is not the word.
    pub words: Vec<(String, String)>,
}

impl WordList {
    /// The words as rules write them.
    pub fn each(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|(word, _)| word.as_str())
    }
}

/// A record.
#[derive(Debug)]
pub struct RecordKind {
    /// What it is called.
    pub name: String,
    /// Its fields.
    pub fields: Vec<FieldKind>,
    /// Its conditions.
    pub checks: Vec<Check>,
}

/// A field of a contest.
#[derive(Debug)]
pub struct FieldKind {
    /// Its name, where it stands.
    pub name: Name,
    /// What it holds.
    pub holds: Holds,
    /// Its default.
    pub default: Option<Default>,
    /// What is said of it.
    pub said: Said,
    /// The heading above it.
    pub group: String,
}

/// What a field holds.
#[derive(Clone, Debug)]
pub enum Holds {
    /// A number, a yes or no, a word.
    Number(Range),
    /// One of these numbers.
    OneOf(Vec<i64>),
    /// A die with so few to so many sides, in steps of so many.
    Die(i64, i64, i64),
    /// A row of data.
    Row(u16),
    /// A record.
    Record(usize),
    /// Printed specials.
    Marks(u16),
    /// From so few to so many of a kind.
    List(i64, i64, Box<Holds>),
}

impl Holds {
    /// The least and the greatest number that it can hold, where it holds any number between two.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        match self {
            Holds::Number(range) if range.kind == Kind::Number => Some((range.lo, range.hi)),
            Holds::Die(lo, hi, _) => Some((*lo, *hi)),
            _ => None,
        }
    }
}

/// Things with numbers.
#[derive(Debug, Default)]
pub struct DataBlock {
    /// What they are called.
    pub name: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names of the rows.
    pub rows: Vec<Name>,
    /// By row, by column.
    pub cells: Vec<Vec<Fixed>>,
    /// By row, by column: as it is printed.
    pub printed: Vec<Vec<String>>,
    /// By column: what its cells are.
    pub kinds: Vec<Column>,
    /// By column: from where to where its numbers go, if it has any.
    pub ranges: Vec<Option<Range>>,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Numbers, words, yes or no.
    Of(Kind),
    /// Printed specials.
    Marks(u16),
}

/// Cells that are looked up.
#[derive(Debug)]
pub struct TableBlock {
    /// What it is called.
    pub name: String,
    /// Words and numbers of printed cells.
    pub legend: Option<Legend>,
    /// What its cells are, where it has no legend.
    pub kind: Kind,
    /// Whether only printed keys are known.
    pub exact: bool,
    /// Its rows.
    pub rows: Keys,
    /// Its columns.
    pub columns: Option<Keys>,
    /// Row by row.
    pub cells: Vec<Fixed>,
}

/// What printed cells mean.
#[derive(Debug)]
pub struct Legend {
    /// The list of its words.
    pub list: u16,
    /// Patterns with the place of their words.
    pub patterns: Vec<(String, usize)>,
}

/// Keys of rows or columns.
#[derive(Debug)]
pub enum Keys {
    /// Words.
    Words(Vec<String>),
    /// Numbers, each from and to.
    Numbers(Vec<(i64, i64)>),
}

impl Keys {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Keys::Words(words) => words.len(),
            Keys::Numbers(numbers) => numbers.len(),
        }
    }

    /// The place of a number: the last key not above it, the first where it is below all. `None`
    /// where only printed keys are known, and this is none.
    pub fn place(&self, number: i64, exact: bool) -> Option<usize> {
        match self {
            Keys::Numbers(numbers) => crate::types::key(numbers, exact, number),
            Keys::Words(_) => None,
        }
    }
}

/// Printed specials.
#[derive(Debug)]
pub struct MarkList {
    /// Patterns with their names.
    pub marks: Vec<(String, String)>,
}

/// An action with its own fields.
#[derive(Debug)]
pub struct ActionKind {
    /// Its name, where it stands.
    pub name: Name,
    /// Its rule.
    pub rule: Action,
    /// Its own fields.
    pub fields: Vec<FieldKind>,
    /// By own field: the place of that at the top for which it stands.
    pub instead: Vec<Option<usize>>,
    /// Its own conditions.
    pub checks: Vec<Check>,
}

impl ActionKind {
    /// The field at that place at the top, or the action's own in its place.
    pub fn instead_of<'g>(&'g self, game: &'g Game, at: usize) -> &'g FieldKind {
        let own = self.instead.iter().position(|instead| *instead == Some(at));
        own.map_or(&game.fields[at], |own| &self.fields[own])
    }

    /// Its own fields that stand in no other's place.
    pub fn fields_of_its_own(&self) -> impl Iterator<Item = &FieldKind> {
        let own = self.fields.iter().zip(&self.instead);
        own.filter(|(_, instead)| instead.is_none()).map(|(own, _)| own)
    }
}

/// The number that a printed cell holds, where `pattern` explains it: 0 for one without `#`.
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
    /// Where the field of this name stands at the top.
    pub fn field(&self, name: &str) -> Option<usize> {
        match self.names.get(name) {
            Some(Top::Field(at)) => Some(*at),
            _ => None,
        }
    }

    /// Adds a list of words.
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

    /// The part of this name, and its place.
    pub fn part(&self, name: &str) -> Option<(usize, &Part)> {
        match self.names.get(name) {
            Some(Top::Part(at)) => Some((*at, &self.parts[*at].1)),
            _ => None,
        }
    }

    /// The fields of an action's contests: those at the top that it needs, and its own.
    pub fn fields_of(&self, action: usize) -> impl Iterator<Item = &FieldKind> {
        let kind = &self.actions[action];
        let shared = self.found[action].fields.iter().map(|at| kind.instead_of(self, *at));
        shared.chain(kind.fields_of_its_own())
    }

    /// The list with exactly these words; made if there is none.
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

    /// The place of `word` in a list.
    pub fn word(&self, list: u16, word: &str) -> Option<usize> {
        let words = &self.words[usize::from(list)].words;
        words.iter().position(|(known, _)| known == word)
    }

    /// All numbers of a kind.
    pub fn all_of(&self, kind: Kind) -> Range {
        let (lo, hi) = match kind {
            Kind::Number | Kind::Any => crate::types::STORED,
            Kind::YesNo => (0, 1),
            Kind::Word(list) => (0, self.words[usize::from(list)].words.len() as i64 - 1),
            Kind::Row(data) => (0, self.data[usize::from(data)].rows.len() as i64 - 1),
        };
        Range::new(kind, lo, hi)
    }

    /// What stands in a record or a row under a name.
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

    /// All that is read of something of a contest, as numbers that can be compared: `reads` says of a name
    /// that stands in a record or a row whether it is. Whether a contest gives a field counts where `given`
    /// asks for it: else a default that is written out changes nothing.
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

    /// A kind as messages call it.
    pub fn kind_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Number | Kind::Any => "a number".into(),
            Kind::YesNo => "a yes or no".into(),
            Kind::Word(list) => format!("a word of `{}`", self.words[usize::from(list)].name),
            Kind::Row(data) => format!("a row of `{}`", self.data[usize::from(data)].name),
        }
    }

    /// A value as people read it.
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

    /// The row of a block of data that `name` means.
    pub fn row(&self, data: u16, name: &str) -> Option<usize> {
        let rows = &self.data[usize::from(data)].rows;
        let same = rows.iter().position(|row| row.text == name);
        same.or_else(|| {
            let key = name_matching::key(name);
            rows.iter().position(|row| name_matching::key(&row.text) == key)
        })
    }
}

/// Notes a name that is taken.
pub fn twice(name: &Name, what: &str, faults: &mut Faults) {
    let problem = format!("`{}` is {what} already and cannot be made again", name.text);
    faults.note(name.span.clone(), problem, "give it another name");
}

/// Notes the names that stand above already.
pub fn each_once<'n>(names: impl IntoIterator<Item = &'n Name>, what: &str, faults: &mut Faults) {
    let mut above = FxHashSet::default();
    for name in names {
        if !above.insert(&name.text) {
            twice(name, what, faults);
        }
    }
}

/// Notes a name that nothing bears, with the nearest of those that are known.
pub fn no_such<'a>(
    name: &Name,
    problem: String,
    known: impl IntoIterator<Item = &'a str>,
    faults: &mut Faults,
) {
    faults.note(name.span.clone(), problem, near(&name.text, known));
}
