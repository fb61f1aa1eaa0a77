//! What a rule can hold in its hands, each value knowing what it is while the rule is played.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(i64),
    Yes(bool),
    /// A word, and the words of its list in order; no words where several lists have it.
    Word(Rc<Vec<String>>, String),
    List(Vec<Value>),
    Record(Rc<Record>),
    /// A list of records, each as often as its count says.
    Records(Vec<Rc<Record>>),
    Row(Rc<Row>),
    /// Printed specials: the number of each that is there.
    Marks(BTreeMap<String, i64>),
    /// A cell of a table with a legend: its word and its number.
    Cell(String, i64),
    /// The bag of this number.
    Bag(usize),
    /// A throw of dice with symbols: the number of each symbol.
    Throw(BTreeMap<String, i64>),
    /// A thing: its bag and its number in it.
    Thing(usize, usize),
    /// What was not given, by its name.
    Absent(String),
}

/// A table of a contest.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Record {
    /// Names in the order of their declaration.
    pub fields: Vec<(String, Value)>,
}

impl Record {
    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.fields.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }
}

/// A row of a data block, as it is or with numbers of a contest's own.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Row {
    pub name: String,
    pub cells: BTreeMap<String, Value>,
}

impl Value {
    /// As an integer of an outcome.
    pub fn shown(&self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Yes(yes) => Some(i64::from(*yes)),
            Value::Word(..) => self.rank(),
            _ => None,
        }
    }

    /// Where it comes among others of its field: a list by its length, then by what it holds.
    pub fn order(&self) -> Vec<Option<i64>> {
        match self {
            Value::List(items) => {
                let length = std::iter::once(Some(items.len() as i64));
                length.chain(items.iter().flat_map(Value::order)).collect()
            }
            value => vec![value.shown()],
        }
    }

    /// The place of a word in its list, from 0.
    pub fn rank(&self) -> Option<i64> {
        let Value::Word(list, word) = self else {
            return None;
        };
        let place = list.iter().position(|known| known == word);
        place.map(|place| place as i64)
    }

    /// Whether both are the same; words by their name, cells and rows by that too.
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Word(_, one), Value::Word(_, two)) => one == two,
            (Value::Cell(one, _), Value::Word(_, two) | Value::Cell(two, _)) => one == two,
            (Value::Word(_, one), Value::Cell(two, _)) => one == two,
            (Value::Row(one), Value::Word(_, two)) => one.name == *two,
            (Value::Row(one), Value::Row(two)) => one.name == two.name,
            _ => self == other,
        }
    }
}
