//! Walks over a rule once, line by line, and writes its code.
//!
//! Every value is known by its kind and its range; a number that is known is a range of one, and
//! costs no code. So the same walk does two things. When a file is read, no contest is at hand and
//! fields are ranges: what is wrong is told, and the code is thrown away. For a contest its fields
//! are known: tests of them are decided, loops over its tables are written out, and what is left is
//! the code of this contest.

mod asking;
mod assign;
mod bags;
mod calls;
mod conditions;
mod counts;
mod dice;
mod expr;
mod flow;
mod grows;
mod loops;
mod names;
mod picks;
mod reckon;
mod reports;
mod scan;
mod shown;
mod tables;
mod things;
mod write;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Open, Program, Reg};
use super::fault::{Faults, Span};
use super::game::{Game, Top};
use super::kind::{Fixed, Kind, Range};
use super::tree::{Expr, Name, Part, Says, Stmt};
pub(super) use reckon::mirrored;
pub use reports::{Measured, Reported};
pub use scan::{Columns, all_assigned, columns, each_inner, each_line, each_path};
pub use shown::named_in;

/// Places of a list.
pub const LIST: i64 = 64;
/// Things of a bag.
pub const THINGS: usize = 24;
/// What may change in a thing.
pub const CHANGES: usize = 6;
/// Operations of a rule.
const OPS: usize = 16_384;
/// Lines and values looked at: parts within parts may say little and cost much.
const STEPS: usize = 1 << 18;
/// Parts within parts.
const DEPTH: usize = 32;
/// Turns of a loop that are written out one by one.
const TURNS: i64 = 12;
/// Turns within turns that are.
const COPIES: i64 = 64;
/// Sequences of faces of dice that fall in one step.
const FACES: u32 = 36;

/// Why a rule is walked over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// To find what is wrong with it.
    Check,
    /// To play it.
    Play,
    /// To play it and tell every step.
    Tell,
}

/// What can be switched off, so that a test can hold that it changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thrift {
    /// Whether what nobody needs any more is forgotten.
    pub forgets: bool,
    /// Whether short loops are written out.
    pub unrolls: bool,
    /// Whether code is tidied: what is known is not reckoned while it is played.
    pub tidies: bool,
    /// Whether bags are put in order.
    pub sorts: bool,
    /// Whether what depends on the contest's fields alone is reckoned before the first die.
    pub folds: bool,
}

impl Default for Thrift {
    fn default() -> Thrift {
        Thrift { forgets: true, unrolls: true, tidies: true, sorts: true, folds: true }
    }
}

/// A number: its range, and the register it stands in unless it is known.
#[derive(Clone, Copy, Debug)]
pub struct Num {
    range: Range,
    at: Reg,
}

impl Num {
    fn one(kind: Kind, value: i64) -> Num {
        let range = Range::one(kind, value);
        Num { range, at: 0 }
    }

    fn known(&self) -> Option<i64> {
        self.range.known()
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
enum Value {
    Num(Num),
    /// A printed cell: word and number.
    Cell(Num, Num),
    List(List),
    /// Something of the contest.
    Fixed(Fixed),
    /// One of several things of the contest.
    Chosen(Arc<[Fixed]>, Num),
    Bag(u8),
    /// A thing of a bag, by the register of its place.
    Thing(u8, Reg),
}

/// A list that the rule keeps: registers in a row.
#[derive(Clone, Copy, Debug)]
struct List {
    base: Reg,
    len: u8,
    kind: Kind,
}

/// What can be given a value.
#[derive(Clone, Copy, Debug)]
enum Place {
    Var(Reg, Kind),
    Cell(Reg, Kind),
    List(List),
    /// A place of a list.
    Of(List, Num),
    /// A changing value of a thing.
    Field(u16, Reg),
}

/// What a name of the rule's own is.
#[derive(Clone, Debug)]
enum Bind {
    /// A variable, or what stands for one.
    Place(Place),
    /// A value that cannot be assigned.
    Is(Value),
}

struct Local<'g> {
    name: &'g str,
    bind: Bind,
}

/// The names of an action, or of a part that is under way.
#[derive(Default)]
struct Frame<'g> {
    locals: Vec<Local<'g>>,
    /// Names whose block has ended, with where they were made.
    gone: Vec<(&'g str, Span)>,
    /// The loops that are open, the innermost last.
    loops: Vec<Loop>,
    /// Where `give` goes, and what it gave.
    gives: Option<Gives>,
}

struct Loop {
    out: Target,
    /// Loops over bags that were open before it.
    opens: usize,
    /// Whether it may go on for ever.
    endless: bool,
}

struct Gives {
    out: Target,
    into: Reg,
    kind: Option<Kind>,
    is_cell: bool,
    opens: usize,
}

/// Ranges of variables, by register; those behind the last are not known.
type Env = Vec<(i32, i32)>;

/// Where jumps go that are not yet aimed, and what is known there.
#[derive(Default)]
struct Target {
    jumps: Vec<usize>,
    env: Option<Env>,
}

/// What a walk was over.
pub struct Walker<'g> {
    pub(super) game: &'g Game,
    /// Which action is walked over.
    pub(super) action: Option<usize>,
    /// Numbers of the contest that are asked for while the rule is played.
    asking: Option<asking::Asking>,
    why: Why,
    thrift: Thrift,
    pub(super) faults: Faults,
    pub(super) program: Program,
    /// By field at the top: its value, and whether the contest gives it.
    pub(super) fields: Vec<Option<(Fixed, Option<bool>)>>,
    /// Fields of the action, by name.
    pub(super) own: Vec<(&'g str, Fixed, Option<bool>)>,
    /// What is known of variables; `None` where no path leads.
    env: Option<Env>,
    /// Columns that the rule reads and changes.
    pub(super) columns: Option<&'g Columns>,
    /// Cells of tables that the contest changes.
    pub(super) tables: Vec<(usize, Vec<Fixed>)>,
    top: usize,
    /// Where jumps were last aimed.
    landed: usize,
    /// Sequences of faces since the last place that is reached from elsewhere; 0 where there is no die.
    faces: u32,
    /// The first register that the line under way uses for itself.
    mark: usize,
    frames: Vec<Frame<'g>>,
    /// Parts under way.
    calls: Vec<usize>,
    opens: Vec<(u8, Open)>,
    /// Where `end` goes; nothing behind the end.
    end: Option<Target>,
    /// Names of the action that are made where it may have ended already.
    late: Vec<&'g str>,
    ended: bool,
    steps: usize,
    copies: i64,
    full: bool,
    /// Fields at the top that were read.
    pub(super) read: FxHashSet<usize>,
    /// Fields that bound loops and pools, in the order in which they were met.
    pub(super) grows: Vec<String>,
    /// Counts that are not remembered.
    pub(super) tallies: Vec<String>,
    /// Decisions.
    pub(super) choices: Vec<Choice>,
    pub(super) bags: Vec<bags::BagOf<'g>>,
    /// By place of a bag in the file, and by name of what changes: the range it was seen to have.
    pub(super) seen: FxHashMap<(usize, String), (i64, i64)>,
    /// What is shown and measured.
    pub(super) reported: Vec<Reported<'g>>,
    pub(super) measured: Vec<Measured<'g>>,
}

/// A decision of a player.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Whether the highest mean is best.
    pub highest: bool,
    /// Of which show.
    pub goal: Name,
    /// What the options say.
    pub options: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

impl<'g> Walker<'g> {
    /// Before the first line.
    pub fn new(game: &'g Game, why: Why, thrift: Thrift) -> Walker<'g> {
        Walker {
            game,
            action: None,
            asking: None,
            why,
            thrift,
            faults: Faults::default(),
            program: Program::default(),
            fields: vec![None; game.fields.len()],
            own: Vec::new(),
            env: Some(Vec::new()),
            columns: None,
            tables: Vec::new(),
            landed: 0,
            faces: 0,
            mark: 0,
            top: 0,
            frames: vec![Frame::default()],
            calls: Vec::new(),
            opens: Vec::new(),
            end: Some(Target::default()),
            late: Vec::new(),
            ended: false,
            steps: 0,
            copies: 1,
            full: false,
            read: FxHashSet::default(),
            grows: Vec::new(),
            tallies: Vec::new(),
            choices: Vec::new(),
            bags: Vec::new(),
            seen: FxHashMap::default(),
            reported: Vec::new(),
            measured: Vec::new(),
        }
    }

    /// Walks over the rule of an action and what it reports.
    pub fn action(&mut self, body: &'g [Stmt], shows: &'g [super::tree::Report]) {
        self.lines(body);
        if let Some(end) = self.end.take() {
            self.land(end);
        }
        if let [action] = self.frames.as_mut_slice() {
            let late = &self.late;
            action.locals.retain(|local| !late.contains(&local.name));
        }
        self.reports(shows);
    }

    fn checks(&self) -> bool {
        self.why == Why::Check
    }

    /// Names that the lines of a part or a loop give values to.
    fn assigned(&self, lines: &[Stmt]) -> &'g [String] {
        let first = lines.first().map(|line| line.span.start);
        let found = first.and_then(|first| self.game.assigned.get(&first));
        found.map_or(&[], Vec::as_slice)
    }

    /// Looks a name of the rule's own up.
    fn local(&self, name: &str) -> Option<&Bind> {
        let frame = self.frames.last()?;
        let found = frame.locals.iter().rev().find(|local| local.name == name);
        found.map(|local| &local.bind)
    }

    fn bind(&mut self, name: &'g str, bind: Bind) {
        if self.ended && self.checks() && self.frames.len() == 1 {
            self.late.push(name);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.push(Local { name, bind });
        }
    }

    /// Walks over lines with names of their own.
    fn block(&mut self, lines: &'g [Stmt]) {
        let (top, known) = (self.top, self.known());
        self.lines(lines);
        self.forget(known, lines.first().map_or(0..0, |line| line.span.clone()));
        self.release(top);
    }

    fn lines(&mut self, lines: &'g [Stmt]) {
        for line in lines {
            if self.is_full(&line.span) {
                break;
            }
            if self.is_dead() {
                break;
            }
            self.stmt(line);
        }
    }

    fn known(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.locals.len())
    }

    fn forget(&mut self, known: usize, at: Span) {
        let checks = self.checks();
        if let Some(frame) = self.frames.last_mut() {
            let gone = frame.locals.drain(known.min(frame.locals.len())..);
            let gone = gone.map(|local| (local.name, at.clone()));
            if checks {
                frame.gone.extend(gone);
            }
        }
    }

    /// The part called `name`.
    fn part(&self, name: &str) -> Option<(usize, &'g Part)> {
        match self.game.names.get(name) {
            Some(Top::Part(at)) => Some((*at, &self.game.parts[*at].1)),
            _ => None,
        }
    }
}

impl Target {
    fn add(&mut self, jump: usize, env: Option<Env>) {
        self.jumps.push(jump);
        self.env = match (self.env.take(), env) {
            (Some(a), Some(b)) => Some(joined(a, b)),
            (a, b) => a.or(b),
        };
    }
}

fn joined(mut a: Env, b: Env) -> Env {
    a.truncate(b.len());
    for (a, b) in a.iter_mut().zip(b) {
        *a = (a.0.min(b.0), a.1.max(b.1));
    }
    a
}

/// Hands the names that an expression reads on.
pub fn each_name<'e>(expr: &'e Expr, take: &mut impl FnMut(&'e str)) {
    let mut found = Vec::new();
    scan::names(expr, &mut found);
    found.into_iter().for_each(take);
}

/// Hands the names of what an expression asks with `given` on, and whether they stand in a record.
pub fn each_given<'e>(expr: &'e Expr, take: &mut impl FnMut(&'e str, bool)) {
    scan::each_inner(expr, &mut |inner| {
        if let Says::Given(of) = &inner.what {
            match &of.what {
                Says::Name(name) => take(name, false),
                Says::Column(_, column) => take(&column.text, true),
                _ => {}
            }
        }
    });
}

/// Hands the expressions of some lines on.
pub fn each_of_lines<'e>(lines: &'e [Stmt], take: &mut impl FnMut(&'e Expr)) {
    scan::each_line(lines, take, &mut |_| {});
}

impl<'g> Walker<'g> {
    /// A number outside any rule: what is known of it, and its register.
    pub(super) fn number_of(&mut self, value: &'g Expr, want: Kind) -> (Option<i64>, Reg) {
        let num = self.number(value, Some(want));
        let num = self.of_kind(num, want, &value.span);
        (num.known(), num.at)
    }

    /// What a list of the contest holds; where it is not known, one for all.
    pub(super) fn items_of(&mut self, list: &'g Expr) -> Vec<Fixed> {
        match self.value(list, None) {
            Value::Fixed(Fixed::List(items, _)) => items.to_vec(),
            _ => Vec::new(),
        }
    }

    /// Notes dice where none may be rolled.
    pub(super) fn no_dice_in(&mut self, expr: &Expr, place: &str) {
        self.no_dice(expr, place);
    }

    /// Forgets what was written outside any rule.
    pub(super) fn begin_again(&mut self) {
        self.top = 0;
        self.mark = 0;
        self.landed = 0;
        self.env = Some(Vec::new());
        self.program.sites.clear();
    }
}
