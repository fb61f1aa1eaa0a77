//! One field of a form: what it is called, what it may hold, what it means.
//!
//! A rulebook in Rust declares its fields as constants; one that is read from a file makes them. What
//! a player reads (label, unit, group, labels of the values) stands apart from the author's help.

use super::name_matching::{NameList, Names};
use super::value::{Form, Value};
use crate::form::bounds::Bound;
use crate::shared::{Shared, Text};

/// Entries of a list, of a table of names, or of several tables. An axis of a grid is no list.
pub const ENTRIES: Bound = Bound::new("number of entries", 0, 200);

/// One field of a form.
#[derive(Clone, Debug)]
pub struct Field {
    /// The key in TOML and, for scalars, the column name in results.
    pub name: Text,
    /// What it may hold.
    pub kind: Kind,
    /// What it holds when the file does not say.
    pub preset: Preset,
    /// The author's help: what it means, in a few words.
    pub about: Text,
    /// Where the rulebook says so.
    pub source: Text,
    /// Whether the source is silent or ambiguous here, so that the default is our reading.
    pub assumed: bool,
    /// What a player calls it; [`Field::label`] has a word for it where this is empty.
    pub label: Text,
    /// What its number counts or measures: `inches`; empty where it has none.
    pub unit: Text,
    /// The heading under which it stands on forms; empty where it has none.
    pub group: Text,
    /// Whether most contests leave it alone.
    pub rare: bool,
    /// What a player calls its values: off and on of a switch, the words of a choice, in order.
    pub values: Words,
    /// Whether its pairs of numbers are places on a field of hexes, in axial coordinates.
    pub hexes: bool,
}

impl Field {
    /// A field with a default.
    pub const fn new(name: &'static str, kind: Kind, preset: Preset, about: &'static str) -> Self {
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
            values: Words::NONE,
            hexes: false,
        }
    }

    /// A field that must be given.
    pub const fn required(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Field::new(name, kind, Preset::Required, about)
    }

    /// A field that may be left out, with a meaning of its own when it is.
    pub const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Field::new(name, kind, Preset::Absent, about)
    }

    /// A switch.
    pub const fn flag(name: &'static str, preset: bool, about: &'static str) -> Self {
        Field::new(name, Kind::Flag, Preset::Flag(preset), about)
    }

    /// A whole number with a default.
    pub const fn int(name: &'static str, bound: Bound, preset: i64, about: &'static str) -> Self {
        Field::new(name, Kind::Int(bound), Preset::Int(preset), about)
    }

    /// One of a few words, the first of which is the default.
    pub const fn choice(
        name: &'static str,
        words: &'static [&'static str],
        about: &'static str,
    ) -> Self {
        let preset = Preset::Text(Text::Static(words[0]));
        Field::new(name, Kind::choice(words), preset, about)
    }

    /// The same field under another name.
    pub const fn named(mut self, name: &'static str) -> Self {
        self.name.set(name);
        self
    }

    /// The same field with another help.
    pub const fn about(mut self, about: &'static str) -> Self {
        self.about.set(about);
        self
    }

    /// The same field with its rule reference.
    pub const fn rule(mut self, source: &'static str) -> Self {
        self.source.set(source);
        self
    }

    /// The same field with another default.
    pub const fn preset(mut self, preset: Preset) -> Self {
        std::mem::forget(std::mem::replace(&mut self.preset, preset));
        self
    }

    /// The same field, marked as our reading of a silent or ambiguous source.
    pub const fn assumed(mut self) -> Self {
        self.assumed = true;
        self
    }

    /// The same field under the name that a player has for it.
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label.set(label);
        self
    }

    /// The same field with what its number counts or measures.
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit.set(unit);
        self
    }

    /// The same field under a heading.
    pub const fn group(mut self, group: &'static str) -> Self {
        self.group.set(group);
        self
    }

    /// The same field, marked as one that most contests leave alone.
    pub const fn rare(mut self) -> Self {
        self.rare = true;
        self
    }

    /// The same field with what a player calls its values: off and on of a switch, every word of a
    /// choice.
    pub const fn values(mut self, labels: &'static [&'static str]) -> Self {
        std::mem::forget(std::mem::replace(&mut self.values, Words::Static(labels)));
        self
    }

    /// What a player calls it: its label, or its name in words.
    pub fn label_or_name(&self) -> Text {
        self.label.or(|| in_words(&self.name))
    }

    /// What a player calls a value of this field.
    pub fn value_label(&self, value: &Value) -> Text {
        let label = match (value, &self.kind) {
            (Value::Flag(on), _) => self.values.get(usize::from(*on)),
            (Value::Text(word), Kind::Choice(words)) => {
                let place = words.iter().position(|known| known == word);
                place.and_then(|place| self.values.get(place))
            }
            _ => None,
        };
        match (label, value) {
            (Some(label), _) => Text::from(label.to_owned()),
            (None, Value::Flag(on)) => Text::Static(if *on { "yes" } else { "no" }),
            (None, Value::Text(word)) if matches!(self.kind, Kind::Choice(_)) => {
                Text::from(word.replace(['_', '-'], " "))
            }
            (None, Value::List(places)) if self.hexes => Text::from(super::hexes::said(places)),
            (None, Value::Table(row)) if matches!(self.kind, Kind::Row(..)) => {
                Text::from(self.row_label(row))
            }
            (None, other) => Text::from(other.to_string()),
        }
    }

    /// A row of which numbers are changed: `rifle with 3 shots`; one that has no name is one's own.
    fn row_label(&self, row: &Form) -> String {
        let column = |name: &str| self.kind.fields()?.iter().find(|field| field.name == *name);
        let said = row.entries().filter(|(name, _)| *name != ROW_NAME).map(|(name, value)| {
            let known = column(name);
            let shown =
                known.map_or_else(|| value.to_string().into(), |one| one.value_label(value));
            let label = known.map_or_else(|| in_words(name), |one| in_words(&one.label_or_name()));
            match value {
                Value::Int(_) | Value::Fraction(_) => format!("{shown} {label}"),
                _ => format!("{label} {shown}"),
            }
        });
        let said: Vec<String> = said.collect();
        let name = row.get(ROW_NAME).map(ToString::to_string);
        let name = name.unwrap_or_else(|| format!("{} of one's own", self.label_or_name()));
        match said.split_last() {
            None => name,
            Some((last, [])) => format!("{name} with {last}"),
            Some((last, first)) => format!("{name} with {} and {last}", first.join(", ")),
        }
    }
}

/// Whether a character may stand in the number of an entry: `.2.`, `[1]`.
fn is_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | '[' | ']')
}

/// A name of the program as a person reads it: `damage_points` is "damage points".
pub fn in_words(name: &Text) -> Text {
    match name.contains('_') {
        true => Text::from(name.replace('_', " ")),
        false => name.clone(),
    }
}

/// Several fields in order.
#[derive(Clone, Debug)]
pub enum Fields {
    /// Groups of fields that are written in the program.
    Static(&'static [&'static [Field]]),
    /// Made while it runs.
    Made(Shared<[Field]>),
}

impl Fields {
    /// No fields.
    pub const NONE: Fields = Fields::Static(&[]);

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = &Field> + Clone {
        let (groups, made): (&[&[Field]], &[Field]) = match self {
            Fields::Static(groups) => (groups, &[]),
            Fields::Made(fields) => (&[], fields),
        };
        groups.iter().flat_map(|group| group.iter()).chain(made)
    }

    /// These fields and `more` of them.
    #[must_use]
    pub fn and(&self, more: &Fields) -> Fields {
        Fields::from(self.iter().chain(more.iter()).cloned().collect::<Vec<_>>())
    }

    /// The field called `name`.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.iter().find(|field| field.name == name)
    }

    /// The field at a path such as `target.2.morale` or `target[1].morale`: numbers of entries do
    /// not matter.
    pub fn at(&self, path: &str) -> Option<&Field> {
        let (mut fields, mut rest, mut found) = (self, path, None);
        while let Some((field, after)) = fields.first_of(rest) {
            found = Some(field);
            match field.kind.fields() {
                Some(inner) if !after.is_empty() => (fields, rest) = (inner, after),
                _ => break,
            }
        }
        found
    }

    /// Whether every part of a path is a field of these, or stands in one that holds what it likes.
    pub fn declare(&self, path: &str) -> bool {
        let Some((field, after)) = self.first_of(path) else {
            return path.trim_start_matches(is_number).is_empty();
        };
        match field.kind.fields() {
            _ if after.trim_start_matches(is_number).is_empty() => true,
            Some(inner) => inner.declare(after),
            None => false,
        }
    }

    /// The field at the beginning of a path, and the rest of it. A name may hold a point itself, as
    /// keys of tables do: the longest one that fits counts. Numbers of entries are passed over, where
    /// no field is called so.
    fn first_of<'p>(&self, path: &'p str) -> Option<(&Field, &'p str)> {
        let fits = self.iter().filter_map(|field| {
            let rest = path.strip_prefix(&*field.name)?;
            let whole = rest.is_empty() || rest.starts_with(['.', '[']);
            whole.then_some((field, rest.strip_prefix('.').unwrap_or(rest)))
        });
        let longest = fits.max_by_key(|(field, _)| field.name.len());
        longest.or_else(|| {
            let rest = path.trim_start_matches(is_number);
            (rest.len() < path.len()).then(|| self.first_of(rest))?
        })
    }
}

impl From<Vec<Field>> for Fields {
    fn from(fields: Vec<Field>) -> Self {
        Fields::Made(fields.into())
    }
}

/// Words in order, such as those of a choice.
#[derive(Clone, Debug)]
pub enum Words {
    /// Written in the program.
    Static(&'static [&'static str]),
    /// Made while it runs.
    Made(Shared<[Text]>),
}

impl Words {
    /// No words.
    pub const NONE: Words = Words::Static(&[]);

    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let (written, made): (&[&str], &[Text]) = match self {
            Words::Static(words) => (words, &[]),
            Words::Made(words) => (&[], words),
        };
        let made = made.iter().map(|word| &**word);
        written.iter().copied().chain(made)
    }

    /// The word at `place`.
    pub fn get(&self, place: usize) -> Option<&str> {
        match self {
            Words::Static(words) => words.get(place).copied(),
            Words::Made(words) => words.get(place).map(|word| &**word),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Words::Static(words) => words.len(),
            Words::Made(words) => words.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<Vec<Text>> for Words {
    fn from(words: Vec<Text>) -> Self {
        Words::Made(words.into())
    }
}

/// What a field may hold.
#[derive(Clone, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A whole number within a bound.
    Int(Bound),
    /// One of these whole numbers.
    Numbers(Shared<[i64]>),
    /// A number that is a multiple of 1/64; the bound is on its whole part.
    Fraction(Bound),
    /// A die written `"d8"`, with one of these numbers of sides.
    Die(Shared<[u8]>),
    /// One of these words.
    Choice(Words),
    /// A name from a table of data. Case does not matter, nor does space, `_` or `-`.
    Name(Names),
    /// Free text of at most 200 characters.
    Text,
    /// A list of values of one kind, as many as the bound says.
    List(Shared<Kind>, Bound),
    /// Names, each with a whole number: `{ Woods = true, smoke = 2 }`, where `true` takes the printed
    /// number, or `["Woods", "FFMO"]`.
    Entries(Names, Bound),
    /// A table with its own fields.
    Table(Fields),
    /// Several such tables, as many as the bound says: `[[contest.target]]`, or one as
    /// `[contest.target]`.
    Tables(Fields, Bound),
    /// A row of a table of data by its name, `"lmg"`, or a table of its columns: with `name` that row
    /// with some of its columns changed, without it a row of its own. The fields are `name` and the
    /// columns.
    Row(Names, Fields),
}

impl Kind {
    /// A die with one of these numbers of sides.
    pub const fn die(sides: &'static [u8]) -> Kind {
        Kind::Die(Shared::Static(sides))
    }

    /// One of these words.
    pub const fn choice(words: &'static [&'static str]) -> Kind {
        Kind::Choice(Words::Static(words))
    }

    /// A name from a table of built-in data.
    pub const fn name(list: fn() -> &'static NameList) -> Kind {
        Kind::Name(Names::Static(list))
    }

    /// Names from a table of built-in data, each with a whole number.
    pub const fn entries(list: fn() -> &'static NameList, bound: Bound) -> Kind {
        Kind::Entries(Names::Static(list), bound)
    }

    /// A list of values of one kind.
    pub const fn list(of: &'static Kind) -> Kind {
        Kind::List(Shared::Static(of), ENTRIES)
    }

    /// Several tables with these fields.
    pub const fn tables(fields: Fields) -> Kind {
        Kind::Tables(fields, ENTRIES)
    }

    /// A row of a table of data with these names and columns.
    pub fn row(names: Names, columns: impl IntoIterator<Item = Field>) -> Kind {
        let about = "the row, the columns of which stand where nothing else is said";
        let name = Field::optional(ROW_NAME, Kind::Name(names.clone()), about).label(ROW_NAME);
        let fields: Vec<_> = [name].into_iter().chain(columns).collect();
        Kind::Row(names, Fields::from(fields))
    }

    /// The fields of the tables that may stand here.
    pub fn fields(&self) -> Option<&Fields> {
        match self {
            Kind::Table(fields) | Kind::Tables(fields, _) | Kind::Row(_, fields) => Some(fields),
            _ => None,
        }
    }

    /// How many brackets a plain value of this kind has; one more makes it a grid axis.
    pub fn depth(&self) -> usize {
        match self {
            Kind::List(of, _) => 1 + of.depth(),
            Kind::Entries(..) => 1,
            _ => 0,
        }
    }

    /// Whether its innermost values are names with their numbers.
    pub fn is_of_entries(&self) -> bool {
        match self {
            Kind::List(of, _) => of.is_of_entries(),
            kind => matches!(kind, Kind::Entries(..)),
        }
    }
}

/// What a field holds when the file does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preset {
    /// It must be given.
    Required,
    /// Nothing: absence has a meaning of its own.
    Absent,
    /// This number.
    Int(i64),
    /// This many 64ths.
    Fraction(i64),
    /// This switch position.
    Flag(bool),
    /// This word.
    Text(Text),
    /// A die with this many sides.
    Die(u8),
    /// A list of these whole numbers.
    Ints(Shared<[i64]>),
    /// An empty list, table or list of tables.
    Empty,
    /// What the rulebook works out from other fields, in its words; nothing until then.
    Reckoned(Text),
}

/// The field of a row's table that says which row it is.
pub const ROW_NAME: &str = "name";
