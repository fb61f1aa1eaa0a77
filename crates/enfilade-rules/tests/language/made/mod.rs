//! Programs by lot: well-formed rulebooks of every construct of the language, small enough to be
//! enumerated, each with a contest. The same seed makes the same program.

mod choices;
mod declared;
mod dice;
mod expr;
mod extended;
mod marks;
mod parts;
mod reports;
mod stmt;
mod symbols;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A program and a contest of its action `a`.
#[derive(Default)]
pub struct Made {
    pub text: String,
    /// The rulebook that it extends, `base.rules`.
    pub base: Option<String>,
    pub contest: String,
    /// Whether a loop may go on for ever.
    pub endless: bool,
    /// Whether only what best play is worth can be compared: its law is one of several, or is not
    /// followed to its end.
    pub weighed: bool,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Number,
    Yes,
    /// Word of this list.
    Word(usize),
    /// A list of so many numbers.
    List(usize),
    /// A bag of this making, or a thing of it.
    Bag(usize),
    Thing(usize),
    /// A record of this making, and a list of them.
    Record(usize),
    Records(usize),
    /// A row of the data.
    Row,
    /// Printed specials.
    Marks,
    /// A throw of this number.
    Throw(usize),
}

#[derive(Clone, Debug)]
struct Var {
    name: String,
    kind: Kind,
    /// Whether it may be given a value.
    free: bool,
}

/// Words in order; the last says whether several lists have it.
struct Words {
    name: String,
    words: Vec<String>,
    shared: Option<String>,
    declared: bool,
}

struct Record {
    /// Fields, and whether lines may change them.
    fields: Vec<(String, Kind, bool)>,
}

struct Bag {
    record: Option<usize>,
    /// What changes.
    with: Vec<(String, Kind)>,
    /// Most things.
    size: usize,
}

enum Cells {
    Numbers,
    Words(usize),
    /// The words of its legend, and whether they bear a number.
    Legend(Vec<(String, bool)>),
}

enum Keys {
    /// Whole numbers; whether any will do.
    Numbers(bool),
    Words(usize),
}

struct Table {
    name: String,
    cells: Cells,
    keys: Vec<Keys>,
    /// The keys as they are printed.
    printed: Vec<Vec<String>>,
}

#[derive(Clone)]
struct Part {
    name: String,
    params: Vec<(Kind, bool)>,
    gives: Option<Kind>,
    /// What a call costs in dice.
    cost: f64,
    /// Whether it is one `give` without dice.
    plain: bool,
    /// Whether it may end the action.
    ends: bool,
}

struct Maker {
    rng: Xoshiro256PlusPlus,
    lines: Vec<String>,
    depth: usize,
    fresh: usize,
    contest: String,
    /// Tables of the contest, which stand behind its values.
    tables_of_contest: String,
    words: Vec<Words>,
    records: Vec<Record>,
    bags: Vec<Bag>,
    tables: Vec<Table>,
    parts: Vec<Part>,
    /// Columns of the data, with whether a cell of it is blank; and its rows.
    columns: Vec<(String, bool)>,
    rows: Vec<String>,
    /// Printed specials: how they are printed, their name, and whether they bear a number.
    marks: Vec<(String, String, bool)>,
    /// The column of the data that holds such.
    traits: Option<String>,
    /// Parts that report, each called at most once.
    reporting: Vec<reports::Reporting>,
    /// Whether there ever was one: what it may call does not end the action, changed or not.
    has_reporting_part: bool,
    /// The lines of the rulebook that this one extends.
    base: Option<String>,
    /// How the action is declared.
    head: &'static str,
    /// Fields of numbers with their bounds.
    ranges: Vec<(String, i64, i64)>,
    optional: Vec<String>,
    top: Vec<Var>,
    scope: Vec<Var>,
    tallies: Vec<String>,
    /// Logarithm of the sequences that dice may still make, and how often a line is played.
    left: f64,
    times: f64,
    /// Whether dice may be rolled here.
    dice: bool,
    /// Whether what is given to a variable must be bounded.
    bounded: bool,
    loops: usize,
    in_action: bool,
    /// Whether a line may end the action.
    may_end: bool,
    /// Whether what may be absent is never read: a default that nobody needs is not worked out.
    careful: bool,
    /// What a choice may be for.
    goals: Vec<String>,
    choices: usize,
    endless: bool,
    weighed: bool,
    /// Dice with symbols: name, symbols and sides; and the symbols of each throw.
    symbol_dice: Vec<symbols::SymbolDie>,
    throws: Vec<Vec<String>>,
}

/// The program of a seed.
pub fn made(seed: u64) -> Made {
    let mut maker = Maker {
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        lines: Vec::new(),
        depth: 0,
        fresh: 0,
        contest: String::new(),
        tables_of_contest: String::new(),
        words: Vec::new(),
        records: Vec::new(),
        bags: Vec::new(),
        tables: Vec::new(),
        parts: Vec::new(),
        columns: Vec::new(),
        rows: Vec::new(),
        marks: Vec::new(),
        traits: None,
        reporting: Vec::new(),
        has_reporting_part: false,
        base: None,
        head: "action",
        ranges: Vec::new(),
        optional: Vec::new(),
        top: Vec::new(),
        scope: Vec::new(),
        tallies: Vec::new(),
        left: 0.0,
        times: 1.0,
        dice: false,
        bounded: false,
        loops: 0,
        in_action: false,
        may_end: false,
        careful: false,
        goals: Vec::new(),
        choices: 0,
        endless: false,
        weighed: false,
        symbol_dice: Vec::new(),
        throws: Vec::new(),
    };
    maker.file();
    Made {
        text: maker.lines.join("\n") + "\n",
        base: maker.base,
        contest: maker.contest + &maker.tables_of_contest,
        endless: maker.endless,
        weighed: maker.weighed,
    }
}

impl Maker {
    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.rng.random_range(0..count.max(1))
    }

    fn within(&mut self, low: i64, high: i64) -> i64 {
        self.rng.random_range(low..=high)
    }

    /// Once in `count` times.
    fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        let place = self.below(of.len());
        of.get(place).cloned()
    }

    fn name(&mut self, letter: &str) -> String {
        self.fresh += 1;
        format!("{letter}{}", self.fresh)
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "    ".repeat(self.depth), text.as_ref()));
    }

    /// Lines that stand deeper; what is made there is gone after them.
    fn deeper(&mut self, lines: impl FnOnce(&mut Maker)) {
        let known = self.scope.len();
        self.depth += 1;
        lines(self);
        self.depth -= 1;
        self.scope.truncate(known);
    }

    /// Whether dice that make so many sequences may be rolled here; if so, they are paid for.
    fn afford(&mut self, sequences: f64) -> bool {
        let cost = sequences.ln() * self.times;
        let may = self.dice && cost <= self.left;
        if may {
            self.left -= cost;
        }
        may
    }

    /// What can be seen here.
    fn seen(&self) -> Vec<Var> {
        self.scope.iter().chain(&self.top).cloned().collect()
    }

    fn of_kind(&mut self, kind: &Kind) -> Option<Var> {
        let all: Vec<Var> = self.seen().into_iter().filter(|var| var.kind == *kind).collect();
        self.one(&all)
    }

    /// A variable that fits, with the number of what made it.
    fn such(&mut self, fits: impl Fn(&Kind) -> Option<usize>) -> Option<(Var, usize)> {
        let all: Vec<(Var, usize)> = self
            .seen()
            .into_iter()
            .filter_map(|var| fits(&var.kind).map(|number| (var, number)))
            .collect();
        self.one(&all)
    }
}
