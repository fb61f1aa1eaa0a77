//! Resolved declarations of a rulebook: lists of words, records, fields, data, tables.
//!
//! A game is built once per file from its tree. Rules remain trees.

use super::symbol_die::SymbolDie;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::action_facts::{ActionCheckResults, ColumnsReadAndChanged};
use crate::syntax::ast::{
    ActionDecl, CheckOrRemarkDecl, DeclAnnotations, DefaultExpr, Ident, PartDecl,
};
use crate::value_types::{ContestValue, RecordValue, ScalarType, ValueRange};
use enfilade_model::form::name_matching;

/// Rulebook with resolved declarations.
#[derive(Debug, Default)]
pub struct ResolvedRulebook {
    /// Top-level names.
    pub names: FxHashMap<String, TopLevelMeaning>,
    /// Lists of words.
    pub words: Vec<WordList>,
    /// Lists of words by name.
    pub lists: FxHashMap<String, u16>,
    /// Lists that contain a word, and its index in each.
    pub word_lists: FxHashMap<String, Vec<(u16, usize)>>,
    /// Records by name.
    pub record_names: FxHashMap<String, usize>,
    /// Records.
    pub records: Vec<RecordDef>,
    /// Top-level fields.
    pub fields: Vec<FieldDef>,
    /// Data blocks.
    pub data: Vec<DataDef>,
    /// Tables.
    pub tables: Vec<TableDef>,
    /// Lists of marks.
    pub marks: Vec<SpecialRuleMarkPatterns>,
    /// Lists of marks by name.
    pub mark_names: FxHashMap<String, u16>,
    /// Dice with symbols.
    pub dice: Vec<SymbolDie>,
    /// Parts.
    pub parts: Vec<(Ident, PartDecl)>,
    /// Actions.
    pub actions: Vec<ActionDef>,
    /// Top-level conditions.
    pub checks: Vec<CheckOrRemarkDecl>,
    /// Examples as lines of TOML.
    pub examples: Vec<(Ident, DeclAnnotations, Vec<Ident>)>,
    /// Lines of the `price` block.
    pub price: Vec<(Ident, Ident)>,
    /// Files of the rulebook, its own first.
    pub sources: Vec<crate::source_map::SourceText>,
    /// Names that blocks assign, by the place of the block's first line.
    pub assigned_names: FxHashMap<usize, Vec<String>>,
    /// Check results, by action.
    pub action_facts: Vec<ActionCheckResults>,
    /// Printed numbers of each record that contains nothing else.
    pub printed_records: Vec<Option<Arc<RecordValue>>>,
    /// Columns that the rule of each action reads and changes.
    pub columns: Vec<ColumnsReadAndChanged>,
    /// Columns as in `columns`, with those that carried fields need.
    pub carry_columns: Vec<ColumnsReadAndChanged>,
    /// Fields tested with `given`, and whether they belong to a record.
    pub given_tested: FxHashSet<(String, bool)>,
}

/// Meaning of a top-level name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopLevelMeaning {
    /// Field.
    Field(usize),
    /// Data block.
    Data(usize),
    /// Table.
    Table(usize),
    /// Part.
    Part(usize),
    /// Die with symbols.
    Die(usize),
}

impl TopLevelMeaning {
    /// Returns the name of the kind in messages.
    pub fn kind_in_messages(self) -> &'static str {
        match self {
            TopLevelMeaning::Field(_) => "a field",
            TopLevelMeaning::Data(_) => "data",
            TopLevelMeaning::Table(_) => "a table",
            TopLevelMeaning::Part(_) => "a part",
            TopLevelMeaning::Die(_) => "a die",
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
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|(word, _)| word.as_str())
    }
}

/// Record.
#[derive(Debug)]
pub struct RecordDef {
    /// Name.
    pub name: String,
    /// Fields.
    pub fields: Vec<FieldDef>,
    /// Conditions.
    pub checks: Vec<CheckOrRemarkDecl>,
}

/// Field of a contest.
#[derive(Debug)]
pub struct FieldDef {
    /// Name with its place.
    pub name: Ident,
    /// Shape of its values.
    pub shape: ValueShape,
    /// Default.
    pub default: Option<DefaultExpr>,
    /// Annotations.
    pub annotations: DeclAnnotations,
    /// Heading above it.
    pub group: String,
}

/// Shape of a field's value.
#[derive(Clone, Debug)]
pub enum ValueShape {
    /// Number, yes or no, or word.
    Number(ValueRange),
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
    List(i64, i64, Box<ValueShape>),
}

impl ValueShape {
    /// Returns the bounds of a field that may contain any number between them.
    pub fn bounds_of_contiguous_number(&self) -> Option<(i64, i64)> {
        match self {
            ValueShape::Number(range) if range.kind == ScalarType::Number => {
                Some((range.lo, range.hi))
            }
            ValueShape::Die(lo, hi, _) => Some((*lo, *hi)),
            _ => None,
        }
    }
}

/// Data block.
#[derive(Debug, Default)]
pub struct DataDef {
    /// Name.
    pub name: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names of the rows.
    pub rows: Vec<Ident>,
    /// Cells by row and column.
    pub cells: Vec<Vec<ContestValue>>,
    /// Printed cells by row and column.
    pub printed_cells: Vec<Vec<String>>,
    /// Types of the columns.
    pub kinds: Vec<ColumnType>,
    /// Ranges of the columns that contain numbers.
    pub ranges: Vec<Option<ValueRange>>,
}

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Numbers, words, or yes and no.
    Typed(ScalarType),
    /// Marks.
    Marks(u16),
}

/// Table.
#[derive(Debug)]
pub struct TableDef {
    /// Name.
    pub name: String,
    /// Legend of the printed cells.
    pub legend: Option<PrintedCellLegend>,
    /// Type of the cells of a table without a legend.
    pub kind: ScalarType,
    /// Whether only printed keys are allowed.
    pub exact: bool,
    /// Whether the last row of cells is that of `else`, which has no key.
    pub otherwise: bool,
    /// Keys of the rows.
    pub rows: TableRowOrColumnKeys,
    /// Keys of the columns.
    pub columns: Option<TableRowOrColumnKeys>,
    /// Cells, row by row.
    pub cells: Vec<ContestValue>,
}

/// Legend of a table's printed cells.
#[derive(Debug)]
pub struct PrintedCellLegend {
    /// List of its words.
    pub list: u16,
    /// Patterns with the index of their word.
    pub patterns: Vec<(String, usize)>,
}

/// Keys of rows or columns.
#[derive(Debug)]
pub enum TableRowOrColumnKeys {
    /// Words.
    Words(Vec<String>),
    /// Ranges of numbers, both ends included.
    Numbers(Vec<(i64, i64)>),
}

impl TableRowOrColumnKeys {
    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        match self {
            TableRowOrColumnKeys::Words(words) => words.len(),
            TableRowOrColumnKeys::Numbers(numbers) => numbers.len(),
        }
    }

    /// Returns the index of the last key not above a number; the first if the number is below all.
    /// Returns `None` if only printed keys are allowed and this is not one.
    pub fn lookup_index_of_number(&self, number: i64, exact: bool) -> Option<usize> {
        match self {
            TableRowOrColumnKeys::Numbers(numbers) => {
                crate::value_types::lookup_key_index_by_number(numbers, exact, number)
            }
            TableRowOrColumnKeys::Words(_) => None,
        }
    }
}

/// List of marks: printed special rules.
#[derive(Debug)]
pub struct SpecialRuleMarkPatterns {
    /// Patterns with their names.
    pub marks: Vec<(String, String)>,
}

/// Action with its resolved fields.
#[derive(Debug)]
pub struct ActionDef {
    /// Name with its place.
    pub name: Ident,
    /// Rule.
    pub rule: ActionDecl,
    /// Own fields.
    pub fields: Vec<FieldDef>,
    /// For each own field, the index of the top-level field that it overrides.
    pub instead: Vec<Option<usize>>,
    /// Own conditions.
    pub checks: Vec<CheckOrRemarkDecl>,
}

impl ActionDef {
    /// Returns the top-level field with this index, or the own field that overrides it.
    pub fn override_of_top_level_field<'g>(
        &'g self,
        game: &'g ResolvedRulebook,
        at: usize,
    ) -> &'g FieldDef {
        let own = self.instead.iter().position(|instead| *instead == Some(at));
        own.map_or(&game.fields[at], |own| &self.fields[own])
    }

    /// Returns the own fields that override no other field.
    pub fn non_overriding_fields(&self) -> impl Iterator<Item = &FieldDef> {
        let own = self.fields.iter().zip(&self.instead);
        own.filter(|(_, instead)| instead.is_none()).map(|(own, _)| own)
    }
}

/// Returns the number in a printed cell that matches `pattern`; 0 for a pattern without `#`.
pub fn number_in_matching_cell(pattern: &str, cell: &str) -> Option<i64> {
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

impl ResolvedRulebook {
    /// Returns the index of the top-level field of this name.
    pub fn index_of_top_level_field(&self, name: &str) -> Option<usize> {
        match self.names.get(name) {
            Some(TopLevelMeaning::Field(at)) => Some(*at),
            _ => None,
        }
    }

    /// Adds a list of words. Returns its index.
    pub fn add_word_list(&mut self, name: &str, words: Vec<(String, String)>) -> u16 {
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
    pub fn find_part(&self, name: &str) -> Option<(usize, &PartDecl)> {
        match self.names.get(name) {
            Some(TopLevelMeaning::Part(at)) => Some((*at, &self.parts[*at].1)),
            _ => None,
        }
    }

    /// Returns the fields of an action's contests: the top-level ones that it needs, and its own.
    pub fn top_level_and_own_fields(&self, action: usize) -> impl Iterator<Item = &FieldDef> {
        let kind = &self.actions[action];
        let shared = self.action_facts[action]
            .fields
            .iter()
            .map(|at| kind.override_of_top_level_field(self, *at));
        shared.chain(kind.non_overriding_fields())
    }

    /// Returns the list with exactly these words, and adds it if there is none.
    pub fn find_or_add_list(&mut self, name: &str, words: Vec<(String, String)>) -> u16 {
        let same = |list: &WordList| {
            let words = words.iter().map(|(word, _)| word);
            list.words.iter().map(|(word, _)| word).eq(words)
        };
        match self.words.iter().position(same) {
            Some(list_index) => list_index as u16,
            None => self.add_word_list(name, words),
        }
    }

    /// Returns the index of `word` in a list.
    pub fn index_of_word_in_list(&self, list: u16, word: &str) -> Option<usize> {
        let words = &self.words[usize::from(list)].words;
        words.iter().position(|(known, _)| known == word)
    }

    /// Returns the range of all values of a type.
    pub fn range_of_type(&self, kind: ScalarType) -> ValueRange {
        let (lo, hi) = match kind {
            ScalarType::Number | ScalarType::Any => crate::value_types::VARIABLE_RANGE,
            ScalarType::YesNo => (0, 1),
            ScalarType::Word(list) => (0, self.words[usize::from(list)].words.len() as i64 - 1),
            ScalarType::Row(data) => (0, self.data[usize::from(data)].rows.len() as i64 - 1),
        };
        ValueRange::new(kind, lo, hi)
    }

    /// Returns the member of a record or a row.
    pub fn find_member_of_value<'f>(
        &self,
        fixed: &'f ContestValue,
        name: &str,
    ) -> Option<&'f ContestValue> {
        match fixed {
            ContestValue::Record(record) => {
                let mut fields = self.records[record.record].fields.iter().zip(&record.fields);
                fields.find(|(field, _)| field.name.text == name).map(|(_, (value, _))| value)
            }
            ContestValue::Row(row) => {
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
    pub fn append_read_parts_to_key(
        &self,
        fixed: &ContestValue,
        reads: &impl Fn(&str) -> bool,
        key: &mut Vec<i64>,
    ) {
        match fixed {
            ContestValue::Number(range) | ContestValue::Parameter(range, _) => {
                key.extend([1, range.lo])
            }
            ContestValue::Cell(word, number) => key.extend([2, word.lo, number.lo]),
            ContestValue::List(items, _) => {
                key.extend([3, items.len() as i64]);
                items.iter().for_each(|item| self.append_read_parts_to_key(item, reads, key));
            }
            ContestValue::Record(record) => {
                let fields = self.records[record.record].fields.iter().zip(&record.fields);
                for (field, (value, given)) in fields.filter(|(field, _)| reads(&field.name.text)) {
                    self.append_read_parts_to_key(value, reads, key);
                    if self.given_tested.contains(&(field.name.text.clone(), true)) {
                        key.push(given.unwrap_or(false).into());
                    }
                }
                if reads(super::RECORD_COUNT_FIELD) {
                    key.push(record.count);
                }
            }
            ContestValue::Row(row) => {
                key.extend([5, row.place.lo]);
                let cells = self.data[usize::from(row.data)].columns.iter().zip(&row.cells);
                let cells = cells.filter(|(column, _)| reads(column));
                cells.for_each(|(_, cell)| self.append_read_parts_to_key(cell, reads, key));
            }
            ContestValue::Marks(_, marks) => {
                marks.iter().for_each(|mark| self.append_read_parts_to_key(mark, reads, key))
            }
            ContestValue::Absent(_) => key.push(0),
            ContestValue::Maybe(inner) => self.append_read_parts_to_key(inner, reads, key),
        }
    }

    /// Returns the name of a type in messages.
    pub fn type_name_in_messages(&self, kind: ScalarType) -> String {
        match kind {
            ScalarType::Number | ScalarType::Any => "a number".into(),
            ScalarType::YesNo => "a yes or no".into(),
            ScalarType::Word(list) => format!("a word of `{}`", self.words[usize::from(list)].name),
            ScalarType::Row(data) => format!("a row of `{}`", self.data[usize::from(data)].name),
        }
    }

    /// Formats a value for people.
    pub fn value_for_people(&self, kind: ScalarType, value: i64) -> String {
        let place = usize::try_from(value).unwrap_or(usize::MAX);
        match kind {
            ScalarType::Number | ScalarType::Any => value.to_string(),
            ScalarType::YesNo if value == 0 => "no".into(),
            ScalarType::YesNo => "yes".into(),
            ScalarType::Word(list) => match self.words[usize::from(list)].words.get(place) {
                Some((word, label)) if label.is_empty() => word.replace('_', " "),
                Some((_, label)) => label.clone(),
                None => value.to_string(),
            },
            ScalarType::Row(data) => {
                let row = self.data[usize::from(data)].rows.get(place);
                row.map_or("none".into(), |row| row.text.clone())
            }
        }
    }

    /// Returns the index of the data row that `name` means.
    pub fn index_of_data_row(&self, data: u16, name: &str) -> Option<usize> {
        let rows = &self.data[usize::from(data)].rows;
        let same = rows.iter().position(|row| row.text == name);
        same.or_else(|| {
            let key = name_matching::name_matching_key(name);
            rows.iter().position(|row| name_matching::name_matching_key(&row.text) == key)
        })
    }
}
