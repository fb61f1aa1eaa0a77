//! The order of the designs that fit.

use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::form::Kind;

use crate::bounds::Known;
use crate::condition::Expression;
use crate::numbers::{ChangedNumber, Given, SeekContest, number_named};
use crate::want::{Misread, Quantity, Take};
use crate::wanted::{self, Term, Wanted};

/// The order of designs.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// Goals in order of priority.
    pub prefer: Vec<Goal>,
    /// Goals of the Pareto front: no other design is better in all of them.
    pub front: Vec<Goal>,
}

/// A value to make small or large.
#[derive(Debug)]
pub(crate) enum Goal {
    /// Changed numbers.
    Changes,
    /// Steps of all of them.
    Steps,
    /// A quantity, and whether less of it is better.
    Odds(Term, bool),
    /// An expression, and whether less of it is better.
    Sum(Expression, bool),
}

impl Goal {
    /// Reads `highest mean p_kill of guns`, `lowest armour + gun.tons`, `fewest changes` or `least steps`.
    pub fn read(text: &str, given: &Given, found: &mut Wanted) -> Result<Goal, Misread> {
        let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let least = match (word, rest) {
            ("fewest", "changes") => return Ok(Goal::Changes),
            ("least", "steps") => return Ok(Goal::Steps),
            ("highest", _) => false,
            ("lowest", _) => true,
            _ => {
                let help =
                    "write \"fewest changes\", \"least steps\", \"highest …\" or \"lowest …\"";
                return Err(Misread::new(format!("\"{text}\" is no order"), help));
            }
        };
        match sum_of_numbers(rest, given.numbers) {
            Some(sum) => Ok(Goal::Sum(sum, least)),
            None => Ok(Goal::Odds(term(rest, given, found)?, least)),
        }
    }

    /// The sort key of a design, the smallest first.
    pub fn key(&self, design: &[u16], numbers: &[ChangedNumber], known: &Known) -> f64 {
        match self {
            Goal::Changes => changes(design, numbers) as f64,
            Goal::Steps => steps(design, numbers) as f64,
            Goal::Odds(term, least) => {
                let range = known.term(term, design);
                let key = Approximation::new(range.lo, range.error).nearest_key();
                if *least { key } else { 0.0 - key }
            }
            Goal::Sum(expression, least) => {
                let value = expression.value(&|name| valued(name, design, numbers));
                let value = value.unwrap_or(f64::INFINITY);
                if *least { value } else { 0.0 - value }
            }
        }
    }

    /// The numbers that it reads itself.
    pub fn numbers(&self, numbers: &[ChangedNumber]) -> Vec<usize> {
        let mut names = Vec::new();
        if let Goal::Sum(expression, _) = self {
            expression.names(&mut names);
        }
        names.iter().filter_map(|name| Some(number_named(name, numbers)?.0)).collect()
    }
}

/// Parses an expression whose names are all numbers.
fn sum_of_numbers(text: &str, numbers: &[ChangedNumber]) -> Option<Expression> {
    let expression = Expression::parse(text).ok()?;
    let mut names = Vec::new();
    expression.names(&mut names);
    let all = names.iter().all(|name| number_named(name, numbers).is_some());
    (all && !names.is_empty()).then_some(expression)
}

/// Parses a quantity that is one number for a design.
fn term(text: &str, given: &Given, found: &mut Wanted) -> Result<Term, Misread> {
    let quantity = Quantity::parse(text)?;
    let known = wanted::resolve(&quantity, given)?;
    let cells = known.circumstances.len();
    if matches!(quantity.take, None | Some(Take::Every)) && cells > 1 {
        let problem = format!("\"{text}\" has {cells} cells, and an order needs one number");
        return Err(Misread::new(problem, "add mean, least or most"));
    }
    let weigh = |at: usize| wanted::weight(given, known.contest, at);
    Ok(found.term(&quantity, known.contest, &known.circumstances, &weigh))
}

/// Number of changed numbers.
pub(crate) fn changes(design: &[u16], numbers: &[ChangedNumber]) -> u64 {
    steps_of(design, numbers).filter(|steps| *steps > 0).count() as u64
}

/// Number of steps of all numbers from their current values.
pub(crate) fn steps(design: &[u16], numbers: &[ChangedNumber]) -> u64 {
    steps_of(design, numbers).sum()
}

fn steps_of<'d>(design: &'d [u16], numbers: &'d [ChangedNumber]) -> impl Iterator<Item = u64> + 'd {
    design.iter().zip(numbers).map(|(at, number)| number.steps(usize::from(*at)))
}

impl Order {
    /// The sort keys of a design: those of the file, then fewest changes, least steps.
    pub fn keys(&self, design: &[u16], numbers: &[ChangedNumber], known: &Known) -> Vec<f64> {
        let own = self.prefer.iter().map(|goal| goal.key(design, numbers, known));
        let last = [changes(design, numbers) as f64, steps(design, numbers) as f64];
        own.chain(last).collect()
    }
}

/// Finds the value of a name in a design: a number, or a column of the row that one names.
pub(crate) fn valued(name: &str, design: &[u16], numbers: &[ChangedNumber]) -> Option<f64> {
    let (at, rest) = number_named(name, numbers)?;
    let value = usize::from(design[at]);
    match rest {
        "" => crate::text::number(numbers[at].values.get(value)?),
        rest => column(&numbers[at], value, rest),
    }
}

/// Finds a printed column of the row that a value of a number names.
pub(crate) fn column(number: &ChangedNumber, value: usize, column: &str) -> Option<f64> {
    let row = number.values.get(value)?.as_str()?;
    let printed = number.columns.iter().find(|(name, _)| name == row)?;
    printed.1.iter().find(|(name, _)| name == column).map(|(_, value)| *value)
}

/// By row: its printed numbers, if a number is a row of data of a rulebook in text.
pub(crate) fn columns_of(contest: &SeekContest, kind: &Kind) -> Vec<(String, Vec<(String, f64)>)> {
    let Kind::Row(rows, fields) = kind else { return Vec::new() };
    let tables = (contest.system.data_tables)();
    let is_of = |table: &&enfilade_model::catalogue::DataTable| {
        table.rows.iter().filter_map(|row| row.first()).eq(rows.list().iter())
    };
    let Some(table) = tables.iter().find(is_of) else { return Vec::new() };
    let of_row = |row: &Vec<String>| {
        let cells = table.columns.iter().zip(row).skip(1);
        let cells = cells.filter_map(|(column, cell)| {
            let column = column.replace(' ', "_");
            fields.get(&column)?;
            let cell = cell.strip_prefix('d').unwrap_or(cell);
            Some((column, cell.parse::<f64>().ok()?))
        });
        (row.first().cloned().unwrap_or_default(), cells.collect())
    };
    table.rows.iter().map(of_row).collect()
}
