//! Fields of a form: name, type, default, and description.
//!
//! A rulebook in Rust declares its fields as constants; a rulebook from a file creates them. The
//! words for players (label, unit, group, labels of the values) are separate from the author's
//! help.

use super::name_matching::{AcceptedNames, NameList};
use super::value::{Form, Value};
use crate::form::bounds::IntRange;
use crate::static_or_shared::{StaticOrCounted, Text};

/// Number of entries of a list, a table of names, or several tables. An axis is no list.
pub const ENTRY_COUNT_RANGE: IntRange = IntRange::new("number of entries", 0, 200);

/// Field of a form.
#[derive(Clone, Debug)]
pub struct Field {
    /// Key in TOML and, for scalars, the column name in results.
    pub name: Text,
    /// Type of the values.
    pub kind: FieldType,
    /// Value of a field that the file leaves out.
    pub preset: DefaultValue,
    /// Author's help: the meaning in a few words.
    pub about: Text,
    /// Reference to the rulebook.
    pub source: Text,
    /// Whether the source is silent or ambiguous here, so that the default is our reading.
    pub assumed: bool,
    /// Name that a player uses; where empty, [`Field::display_name`] makes one from the name.
    pub label: Text,
    /// Unit of the number: `inches`; empty where it has none.
    pub unit: Text,
    /// Heading of the field on forms; empty where it has none.
    pub group: Text,
    /// Whether most contests leave the field unchanged.
    pub rare: bool,
    /// Names of the values for players: off and on of a switch, the words of a choice, in order.
    pub values: Words,
    /// Whether the pairs of numbers are places on a field of hexes, in axial coordinates.
    pub hexes: bool,
}

impl Field {
    /// Creates a field with a default.
    pub const fn new(
        name: &'static str,
        kind: FieldType,
        preset: DefaultValue,
        about: &'static str,
    ) -> Self {
        Field {
            name: Text::Static(name),
            kind,
            preset,
            about: Text::Static(about),
            source: Text::EMPTY,
            assumed: false,
            label: Text::EMPTY,
            unit: Text::EMPTY,
            group: Text::EMPTY,
            rare: false,
            values: Words::NO_WORDS,
            hexes: false,
        }
    }

    /// Creates a required field.
    pub const fn new_required(name: &'static str, kind: FieldType, about: &'static str) -> Self {
        Field::new(name, kind, DefaultValue::Required, about)
    }

    /// Creates a field that may be left out; its absence has a separate meaning.
    pub const fn new_optional(name: &'static str, kind: FieldType, about: &'static str) -> Self {
        Field::new(name, kind, DefaultValue::Absent, about)
    }

    /// Creates a switch.
    pub const fn new_switch_with_default(
        name: &'static str,
        preset: bool,
        about: &'static str,
    ) -> Self {
        Field::new(name, FieldType::Flag, DefaultValue::Flag(preset), about)
    }

    /// Creates a whole number with a default.
    pub const fn new_whole_number(
        name: &'static str,
        bound: IntRange,
        preset: i64,
        about: &'static str,
    ) -> Self {
        Field::new(name, FieldType::Int(bound), DefaultValue::Int(preset), about)
    }

    /// Creates a choice of a few words, the first of which is the default.
    pub const fn new_choice(
        name: &'static str,
        words: &'static [&'static str],
        about: &'static str,
    ) -> Self {
        let preset = DefaultValue::Text(Text::Static(words[0]));
        Field::new(name, FieldType::choice_of_words(words), preset, about)
    }

    /// Sets the name.
    pub const fn with_name(mut self, name: &'static str) -> Self {
        self.name.replace_at_compile_time(name);
        self
    }

    /// Sets the help.
    pub const fn with_help_text(mut self, about: &'static str) -> Self {
        self.about.replace_at_compile_time(about);
        self
    }

    /// Sets the reference to the rulebook.
    pub const fn with_rule_reference(mut self, source: &'static str) -> Self {
        self.source.replace_at_compile_time(source);
        self
    }

    /// Sets the default.
    pub const fn with_default(mut self, preset: DefaultValue) -> Self {
        std::mem::forget(std::mem::replace(&mut self.preset, preset));
        self
    }

    /// Marks the field as our reading of a silent or ambiguous source.
    pub const fn marked_as_interpretation(mut self) -> Self {
        self.assumed = true;
        self
    }

    /// Sets the name that a player uses.
    pub const fn with_player_name(mut self, label: &'static str) -> Self {
        self.label.replace_at_compile_time(label);
        self
    }

    /// Sets the unit of the number.
    pub const fn with_unit(mut self, unit: &'static str) -> Self {
        self.unit.replace_at_compile_time(unit);
        self
    }

    /// Sets the heading.
    pub const fn with_heading(mut self, group: &'static str) -> Self {
        self.group.replace_at_compile_time(group);
        self
    }

    /// Marks the field as one that most contests leave unchanged.
    pub const fn as_rarely_changed(mut self) -> Self {
        self.rare = true;
        self
    }

    /// Sets a player's names of the values: off and on of a switch, every word of a choice.
    pub const fn with_value_labels(mut self, labels: &'static [&'static str]) -> Self {
        std::mem::forget(std::mem::replace(&mut self.values, Words::Static(labels)));
        self
    }

    /// Returns the name that a player uses: the label, or the name in words.
    pub fn display_name(&self) -> Text {
        self.label.or_if_empty(|| name_in_words(&self.name))
    }

    /// Returns the name that a player uses for a value of this field.
    pub fn display_value(&self, value: &Value) -> Text {
        let label = match (value, &self.kind) {
            (Value::Flag(on), _) => self.values.get(usize::from(*on)),
            (Value::Text(word), FieldType::Choice(words)) => {
                let place = words.iter().position(|known| known == word);
                place.and_then(|place| self.values.get(place))
            }
            _ => None,
        };
        match (label, value) {
            (Some(label), _) => Text::from(label.to_owned()),
            (None, Value::Flag(on)) => Text::Static(if *on { "yes" } else { "no" }),
            (None, Value::Text(word)) if matches!(self.kind, FieldType::Choice(_)) => {
                Text::from(word.replace(['_', '-'], " "))
            }
            (None, Value::List(places)) if self.hexes => {
                Text::from(super::hexes::summarize_hex_places(places))
            }
            (None, Value::Table(row)) if matches!(self.kind, FieldType::Row(..)) => {
                Text::from(self.format_row_with_changes(row))
            }
            (None, other) => Text::from(other.to_string()),
        }
    }

    /// Formats a row with changed numbers: `rifle with 3 shots`; `custom` without a name.
    fn format_row_with_changes(&self, row: &Form) -> String {
        let column =
            |name: &str| self.kind.table_fields()?.iter().find(|field| field.name == *name);
        let texts =
            row.fields_with_values().filter(|(name, _)| *name != ROW_NAME).map(|(name, value)| {
                let known = column(name);
                let shown =
                    known.map_or_else(|| value.to_string().into(), |one| one.display_value(value));
                let label = known
                    .map_or_else(|| name_in_words(name), |one| name_in_words(&one.display_name()));
                match value {
                    Value::Int(_) | Value::Fraction(_) => format!("{shown} {label}"),
                    _ => format!("{label} {shown}"),
                }
            });
        let texts: Vec<String> = texts.collect();
        let name = row.get(ROW_NAME).map(ToString::to_string);
        let name = name.unwrap_or_else(|| format!("{} of one's own", self.display_name()));
        match texts.split_last() {
            None => name,
            Some((last, [])) => format!("{name} with {last}"),
            Some((last, first)) => format!("{name} with {} and {last}", first.join(", ")),
        }
    }
}

/// Returns whether a character may be part of the index of an entry: `.2.`, `[1]`.
fn is_entry_index_char(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | '[' | ']')
}

/// Converts a name of the program to words for a person: `damage_points` is "damage points".
pub fn name_in_words(name: &Text) -> Text {
    match name.contains('_') {
        true => Text::from(name.replace('_', " ")),
        false => name.clone(),
    }
}

/// List of fields in order.
#[derive(Clone, Debug)]
pub enum Fields {
    /// Groups of fields that are constants.
    Static(&'static [&'static [Field]]),
    /// Fields created at run time.
    Owned(StaticOrCounted<[Field]>),
}

impl Fields {
    /// List without fields.
    pub const NO_FIELDS: Fields = Fields::Static(&[]);

    /// Returns the fields in order.
    pub fn iter(&self) -> impl Iterator<Item = &Field> + Clone {
        let (groups, built_fields): (&[&[Field]], &[Field]) = match self {
            Fields::Static(groups) => (groups, &[]),
            Fields::Owned(fields) => (&[], fields),
        };
        groups.iter().flat_map(|group| group.iter()).chain(built_fields)
    }

    /// Returns these fields followed by `more`.
    #[must_use]
    pub fn with_fields_of(&self, more: &Fields) -> Fields {
        Fields::from(self.iter().chain(more.iter()).cloned().collect::<Vec<_>>())
    }

    /// Returns the field called `name`.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.iter().find(|field| field.name == name)
    }

    /// Returns the field at a path such as `target.2.morale` or `target[1].morale`, of any entry.
    pub fn find_field_at_path(&self, path: &str) -> Option<&Field> {
        let (mut fields, mut rest, mut found) = (self, path, None);
        while let Some((field, after)) = fields.split_field_and_rest(rest) {
            found = Some(field);
            match field.kind.table_fields() {
                Some(inner) if !after.is_empty() => (fields, rest) = (inner, after),
                _ => break,
            }
        }
        found
    }

    /// Returns whether every part of a path is a declared field, or inside one of free contents.
    pub fn declares_whole_path(&self, path: &str) -> bool {
        let Some((field, after)) = self.split_field_and_rest(path) else {
            return path.trim_start_matches(is_entry_index_char).is_empty();
        };
        match field.kind.table_fields() {
            _ if after.trim_start_matches(is_entry_index_char).is_empty() => true,
            Some(inner) => inner.declares_whole_path(after),
            None => false,
        }
    }

    /// Splits a path into the field at its beginning and the rest. A name may contain a point
    /// itself, as keys of tables do: the longest match is used. Indexes of entries are skipped,
    /// unless a field has that name.
    fn split_field_and_rest<'p>(&self, path: &'p str) -> Option<(&Field, &'p str)> {
        let fits = self.iter().filter_map(|field| {
            let rest = path.strip_prefix(&*field.name)?;
            let whole = rest.is_empty() || rest.starts_with(['.', '[']);
            whole.then_some((field, rest.strip_prefix('.').unwrap_or(rest)))
        });
        let longest = fits.max_by_key(|(field, _)| field.name.len());
        longest.or_else(|| {
            let rest = path.trim_start_matches(is_entry_index_char);
            (rest.len() < path.len()).then(|| self.split_field_and_rest(rest))?
        })
    }
}

impl From<Vec<Field>> for Fields {
    fn from(fields: Vec<Field>) -> Self {
        Fields::Owned(fields.into())
    }
}

/// List of words in order, such as those of a choice.
#[derive(Clone, Debug)]
pub enum Words {
    /// Words that are constants.
    Static(&'static [&'static str]),
    /// Words created at run time.
    Owned(StaticOrCounted<[Text]>),
}

impl Words {
    /// List without words.
    pub const NO_WORDS: Words = Words::Static(&[]);

    /// Returns the words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let (written, built_words): (&[&str], &[Text]) = match self {
            Words::Static(words) => (words, &[]),
            Words::Owned(words) => (&[], words),
        };
        let built_words = built_words.iter().map(|word| &**word);
        written.iter().copied().chain(built_words)
    }

    /// Returns the word at `place`.
    pub fn get(&self, place: usize) -> Option<&str> {
        match self {
            Words::Static(words) => words.get(place).copied(),
            Words::Owned(words) => words.get(place).map(|word| &**word),
        }
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        match self {
            Words::Static(words) => words.len(),
            Words::Owned(words) => words.len(),
        }
    }

    /// Returns whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<Vec<Text>> for Words {
    fn from(words: Vec<Text>) -> Self {
        Words::Owned(words.into())
    }
}

/// Type of a field's values.
#[derive(Clone, Debug)]
pub enum FieldType {
    /// `true` or `false`.
    Flag,
    /// Whole number within a bound.
    Int(IntRange),
    /// One of these whole numbers.
    Numbers(StaticOrCounted<[i64]>),
    /// Number that is a multiple of 1/64; the bound is on its whole part.
    Fraction(IntRange),
    /// Die written `"d8"`, with one of these numbers of sides.
    Die(StaticOrCounted<[u8]>),
    /// One of these words.
    Choice(Words),
    /// Name from a table of data. Case, spaces, `_` and `-` are ignored.
    Name(AcceptedNames),
    /// Free text of at most 200 characters.
    Text,
    /// List of values of one type; the bound is on its length.
    List(StaticOrCounted<FieldType>, IntRange),
    /// Names, each with a whole number: `{ Woods = true, smoke = 2 }`, where `true` takes the
    /// printed number, or `["Woods", "FFMO"]`.
    Entries(AcceptedNames, IntRange),
    /// Table with these fields.
    Table(Fields),
    /// Several tables (`[[contest.target]]`), or one (`[contest.target]`); a bound on their number.
    Tables(Fields, IntRange),
    /// Row of a table of data by its name, `"lmg"`, or a table of its columns: with `name` that row
    /// with columns changed, without `name` a custom row. The fields are `name` and the columns.
    Row(AcceptedNames, Fields),
}

impl FieldType {
    /// Creates the type of a die with one of these numbers of sides.
    pub const fn die_with_sides(sides: &'static [u8]) -> FieldType {
        FieldType::Die(StaticOrCounted::Static(sides))
    }

    /// Creates the type of one of these words.
    pub const fn choice_of_words(words: &'static [&'static str]) -> FieldType {
        FieldType::Choice(Words::Static(words))
    }

    /// Creates the type of a name from a table of built-in data.
    pub const fn name_from_list(list: fn() -> &'static NameList) -> FieldType {
        FieldType::Name(AcceptedNames::Static(list))
    }

    /// Creates the type of names from a table of built-in data, each with a whole number.
    pub const fn numbered_names(list: fn() -> &'static NameList, bound: IntRange) -> FieldType {
        FieldType::Entries(AcceptedNames::Static(list), bound)
    }

    /// Creates the type of a list of values.
    pub const fn list_of(of: &'static FieldType) -> FieldType {
        FieldType::List(StaticOrCounted::Static(of), ENTRY_COUNT_RANGE)
    }

    /// Creates the type of several tables with these fields.
    pub const fn tables(fields: Fields) -> FieldType {
        FieldType::Tables(fields, ENTRY_COUNT_RANGE)
    }

    /// Creates the type of a row of a table of data with these names and columns.
    pub fn type_of_data_table_row(
        names: AcceptedNames,
        columns: impl IntoIterator<Item = Field>,
    ) -> FieldType {
        let about = "the row whose columns apply where no other value is given";
        let name = Field::new_optional(ROW_NAME, FieldType::Name(names.clone()), about)
            .with_player_name(ROW_NAME);
        let fields: Vec<_> = [name].into_iter().chain(columns).collect();
        FieldType::Row(names, Fields::from(fields))
    }

    /// Returns the fields of the tables of this type.
    pub fn table_fields(&self) -> Option<&Fields> {
        match self {
            FieldType::Table(fields) | FieldType::Tables(fields, _) | FieldType::Row(_, fields) => {
                Some(fields)
            }
            _ => None,
        }
    }

    /// Returns the number of brackets of a value of this type; one more makes a grid axis.
    pub fn nesting_of_brackets(&self) -> usize {
        match self {
            FieldType::List(of, _) => 1 + of.nesting_of_brackets(),
            FieldType::Entries(..) => 1,
            _ => 0,
        }
    }

    /// Returns whether the innermost values are names with their numbers.
    pub fn has_named_numbers(&self) -> bool {
        match self {
            FieldType::List(of, _) => of.has_named_numbers(),
            kind => matches!(kind, FieldType::Entries(..)),
        }
    }
}

/// Value of a field that the file leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// No default: the field is required.
    Required,
    /// No value: absence has a separate meaning.
    Absent,
    /// Whole number.
    Int(i64),
    /// Number of 64ths.
    Fraction(i64),
    /// Position of a switch.
    Flag(bool),
    /// Word or text.
    Text(Text),
    /// Number of sides of a die.
    Die(u8),
    /// List of whole numbers.
    Ints(StaticOrCounted<[i64]>),
    /// Empty list, table or list of tables.
    Empty,
    /// No value until the rulebook derives it from other fields; the text describes how.
    Derived(Text),
}

/// Field of a row's table that names the row.
pub const ROW_NAME: &str = "name";
