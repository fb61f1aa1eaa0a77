//! One play: what there is, what was answered so far, and what is held open.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use enfilade_rules::syntax::ast::{
    ActionDecl, DataRowsDecl, DeclarationKind, EqualSymbolFaces, FieldOrCheckLine, Ident, PartDecl,
    RulebookAst, TableDecl,
};

use super::reach::Reach;
use super::value::{Record, Value};
use super::{Report, Told};

/// What is asked of whoever plays.
#[derive(Clone, Debug)]
pub enum Asked {
    Die(u32),
    Choice { options: u32, highest: bool, goal: String, hides: bool },
}

/// Why a rule does not go on with its next line.
#[derive(Clone, Debug)]
pub enum Halt {
    Ask(Asked),
    Fault(String),
    Refused(String),
    Senseless(String),
    Stop,
    End,
    Give(Value),
}

impl Halt {
    pub fn told(self, answers: &[u32]) -> Told {
        match self {
            Halt::Fault(what) => Told::Fault(what, answers.to_vec()),
            Halt::Refused(what) => Told::Refused(what),
            Halt::Senseless(what) => Told::Senseless(what),
            other => Told::Senseless(format!("{other:?}")),
        }
    }
}

pub type Out<T> = Result<T, Halt>;

pub fn fault<T>(what: impl Into<String>) -> Out<T> {
    Err(Halt::Fault(what.into()))
}

pub fn senseless<T>(what: impl Into<String>) -> Out<T> {
    Err(Halt::Senseless(what.into()))
}

/// Where a variable's value is: one's own, or somebody else's that a part changes.
#[derive(Clone, Debug)]
pub enum Slot {
    Own(Rc<RefCell<Value>>),
    Place(Box<Slot>, usize),
    Field(usize, usize, String),
    Symbol(Box<Slot>, String),
}

/// The variables of an action or of a part that is being played.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub names: HashMap<String, Slot>,
    /// Whether the fields of the action are seen.
    pub action: bool,
}

/// A bag, its things in the order in which they were put in.
#[derive(Clone, Debug, Default)]
pub struct Bag {
    /// What changes, in order.
    pub changes: Vec<String>,
    pub things: Vec<Thing>,
}

#[derive(Clone, Debug)]
pub struct Thing {
    /// The first table that says the same in every field that is read.
    pub row: usize,
    pub record: Option<Rc<Record>>,
    /// The fields that are read, in order, as they were given.
    pub read: Vec<Value>,
    pub now: BTreeMap<String, Value>,
}

/// A loop over a bag, or a pick from it, that is open.
#[derive(Clone, Debug)]
pub struct Hold {
    pub bag: usize,
    pub visited: Vec<bool>,
    pub current: Option<usize>,
}

/// What is declared, and the fields of a contest.
#[derive(Default)]
pub struct Book<'f> {
    pub tables: HashMap<&'f str, &'f TableDecl>,
    pub data: HashMap<&'f str, &'f DataRowsDecl>,
    pub parts: HashMap<&'f str, &'f PartDecl>,
    pub records: HashMap<&'f str, &'f [FieldOrCheckLine]>,
    /// Dice with symbols.
    pub dice: HashMap<&'f str, &'f [EqualSymbolFaces]>,
    /// Printed specials: how they are printed, and their names.
    pub marks: HashMap<&'f str, &'f [(Ident, Ident)]>,
    /// Cells that the contest changes.
    pub changes: toml::Table,
    /// Lists of words by name; those of a field with a choice bear the field's name behind a `.`.
    pub words: Vec<(String, Rc<Vec<String>>)>,
    pub action: Option<&'f ActionDecl>,
    pub reach: Reach,
    /// Fields on top.
    pub top: HashMap<String, Value>,
    /// Fields of the action.
    pub own: HashMap<String, Value>,
}

pub struct World<'f> {
    pub book: Rc<Book<'f>>,
    pub frames: Vec<Frame>,
    pub bags: Vec<Bag>,
    pub holds: Vec<Hold>,
    pub tallies: HashMap<String, i64>,
    pub report: Report,
    pub answers: Vec<u32>,
    pub asked: usize,
    /// Lines since the last answer.
    pub idle: usize,
}

impl<'f> World<'f> {
    /// Everything that is known before the first die.
    pub fn new(file: &'f RulebookAst, action: &str, contest: &toml::Table) -> Out<World<'f>> {
        let mut book = Book::default();
        for declared in &file.declarations {
            let name = declared.name.text.as_str();
            match &declared.kind {
                DeclarationKind::Table(table) => drop(book.tables.insert(name, table)),
                DeclarationKind::Data(data) => drop(book.data.insert(name, data)),
                DeclarationKind::Part(part) => drop(book.parts.insert(name, part)),
                DeclarationKind::Marks(marks) => drop(book.marks.insert(name, marks)),
                DeclarationKind::Record(items) => drop(book.records.insert(name, items)),
                DeclarationKind::Die(faces) => drop(book.dice.insert(name, faces)),
                DeclarationKind::Words(words) => {
                    let list = words.iter().map(|(word, _)| word.text.clone()).collect();
                    book.words.push((name.to_owned(), Rc::new(list)));
                }
                DeclarationKind::Action(found) if name == action => book.action = Some(found),
                _ => {}
            }
        }
        let Some(found) = book.action else {
            return senseless(format!("there is no action {action}"));
        };
        if let Some(toml::Value::Table(changes)) = contest.get("change") {
            book.changes = changes.clone();
        }
        book.reach = Reach::of(found, &book.parts);
        let mut world = World::before(Rc::new(book), &[]);
        world.fill(file, found, contest)?;
        Ok(world)
    }

    /// The same before the first die, with these answers.
    pub fn again(&self, answers: &[u32]) -> World<'f> {
        World::before(self.book.clone(), answers)
    }

    fn before(book: Rc<Book<'f>>, answers: &[u32]) -> World<'f> {
        World {
            book,
            frames: vec![Frame { action: true, ..Frame::default() }],
            bags: Vec::new(),
            holds: Vec::new(),
            tallies: HashMap::new(),
            report: Report::default(),
            answers: answers.to_vec(),
            asked: 0,
            idle: 0,
        }
    }

    /// What is declared, while nobody plays yet.
    pub fn known(&mut self) -> &mut Book<'f> {
        Rc::get_mut(&mut self.book).expect("nobody plays yet")
    }

    /// The next answer.
    pub fn ask(&mut self, asked: Asked) -> Out<u32> {
        let answer = self.answers.get(self.asked).copied();
        self.asked += 1;
        self.idle = 0;
        answer.ok_or(Halt::Ask(asked))
    }

    /// The face of a die.
    pub fn die(&mut self, sides: i64) -> Out<i64> {
        if sides == 1 {
            return Ok(1);
        }
        if !(2..=100).contains(&sides) {
            return fault(format!("a die has 1 to 100 sides, and this has {sides}"));
        }
        self.ask(Asked::Die(sides as u32)).map(i64::from)
    }

    /// Counts a line; a loop that runs on and on without a die is a fault.
    pub fn line(&mut self) -> Out<()> {
        self.idle += 1;
        if self.idle > 100_000 {
            return fault("it runs on and on without rolling a die");
        }
        Ok(())
    }

    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the action's is never left")
    }

    /// What stands in a slot.
    pub fn read(&self, slot: &Slot) -> Out<Value> {
        Ok(match slot {
            Slot::Own(value) => value.borrow().clone(),
            Slot::Place(list, place) => match self.read(list)? {
                Value::List(values) => values[*place].clone(),
                other => return senseless(format!("{other:?} has no places")),
            },
            Slot::Field(bag, thing, name) => self.bags[*bag].things[*thing].now[name].clone(),
            Slot::Symbol(throw, symbol) => match self.read(throw)? {
                Value::Throw(shown) => Value::Number(shown[symbol]),
                other => return senseless(format!("{other:?} has no symbols")),
            },
        })
    }

    /// Puts a value into a slot. A word of several lists becomes one of the list that was there.
    pub fn write(&mut self, slot: &Slot, value: Value) -> Out<()> {
        fits(&value)?;
        let value = match (&value, self.read(slot)?) {
            (Value::Word(list, word), Value::Word(known, _)) if list.is_empty() => {
                Value::Word(known, word.clone())
            }
            _ => value,
        };
        match slot {
            Slot::Own(known) => *known.borrow_mut() = value,
            Slot::Place(list, place) => {
                let Value::List(mut values) = self.read(list)? else {
                    return senseless("no list");
                };
                values[*place] = value;
                self.write(list, Value::List(values))?;
            }
            Slot::Field(bag, thing, name) => {
                let now = &mut self.bags[*bag].things[*thing].now;
                now.insert(name.clone(), value);
            }
            Slot::Symbol(throw, symbol) => {
                let (Value::Throw(mut shown), Value::Number(number)) = (self.read(throw)?, value)
                else {
                    return senseless("no throw");
                };
                shown.insert(symbol.clone(), number);
                self.write(throw, Value::Throw(shown))?;
            }
        }
        Ok(())
    }

    /// Makes a variable.
    pub fn make(&mut self, name: &str, value: Value) -> Out<()> {
        fits(&value)?;
        let slot = Slot::Own(Rc::new(RefCell::new(value)));
        self.frame().names.insert(name.to_owned(), slot);
        Ok(())
    }
}

/// What is kept lies within 16 bits.
pub fn fits(value: &Value) -> Out<()> {
    match value {
        Value::Number(number) if i16::try_from(*number).is_err() => {
            fault(format!("{number} is past 32 767"))
        }
        Value::List(values) => values.iter().try_for_each(fits),
        _ => Ok(()),
    }
}
