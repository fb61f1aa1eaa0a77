//! The order of the designs that fit.

use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::form::FieldType;

use crate::condition::NumberFormula;
use crate::seek_numbers::{
    ChangeableNumber, ContestWithCircumstances, SeekNumbersAndContests, find_number_with_column,
};
use crate::solved_grids::SolvedGrids;
use crate::want::{CellReduction, QuantityOfWant, TextFaultWithRemedy};
use crate::wanted_cells::{self, CellsReadByWants, MeasureReducedOverCells};

/// The order of designs.
#[derive(Debug, Default)]
pub(crate) struct DesignOrder {
    /// Goals in order of priority.
    pub prefer: Vec<DesignGoal>,
    /// Goals of the Pareto front: no other design is better in all of them.
    pub front: Vec<DesignGoal>,
}

/// A value to make small or large.
#[derive(Debug)]
pub(crate) enum DesignGoal {
    /// Changed numbers.
    Changes,
    /// Steps of all of them.
    Steps,
    /// A quantity, and whether less of it is better.
    Odds(MeasureReducedOverCells, bool),
    /// An expression, and whether less of it is better.
    Sum(NumberFormula, bool),
}

impl DesignGoal {
    /// Reads `highest mean p_kill of guns`, `lowest armour + gun.tons`, `fewest changes` or
    /// `least steps`.
    ///
    /// # Errors
    /// If the text is none of these, or names a measure or number that the question does not have.
    pub fn read_design_goal(
        text: &str,
        context: &SeekNumbersAndContests,
        wanted_cells: &mut CellsReadByWants,
    ) -> Result<DesignGoal, TextFaultWithRemedy> {
        let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let least = match (word, rest) {
            ("fewest", "changes") => return Ok(DesignGoal::Changes),
            ("least", "steps") => return Ok(DesignGoal::Steps),
            ("highest", _) => false,
            ("lowest", _) => true,
            _ => {
                let help =
                    "write \"fewest changes\", \"least steps\", \"highest …\" or \"lowest …\"";
                return Err(TextFaultWithRemedy::new(format!("\"{text}\" is no order"), help));
            }
        };
        match parse_sum_of_numbers(rest, context.numbers) {
            Some(sum) => Ok(DesignGoal::Sum(sum, least)),
            None => {
                Ok(DesignGoal::Odds(parse_design_quantity(rest, context, wanted_cells)?, least))
            }
        }
    }

    /// The sort key of a design, the smallest first.
    pub fn goal_sort_value(
        &self,
        design: &[u16],
        numbers: &[ChangeableNumber],
        grids: &SolvedGrids,
    ) -> f64 {
        match self {
            DesignGoal::Changes => count_changes(design, numbers) as f64,
            DesignGoal::Steps => total_step_count(design, numbers) as f64,
            DesignGoal::Odds(term, least) => {
                let range = grids.bounds_of_term_in_design(term, design);
                let key = Approximation::new(range.lo, range.error).nearest_sorting_key();
                if *least { key } else { 0.0 - key }
            }
            DesignGoal::Sum(expression, least) => {
                let value = expression.evaluate(&|name| value_of_name(name, design, numbers));
                let value = value.unwrap_or(f64::INFINITY);
                if *least { value } else { 0.0 - value }
            }
        }
    }

    /// The numbers that it reads itself.
    pub fn numbers_read_directly(&self, numbers: &[ChangeableNumber]) -> Vec<usize> {
        let mut names = Vec::new();
        if let DesignGoal::Sum(expression, _) = self {
            expression.collect_names(&mut names);
        }
        names.iter().filter_map(|name| Some(find_number_with_column(name, numbers)?.0)).collect()
    }
}

/// Parses an expression whose names are all numbers.
fn parse_sum_of_numbers(text: &str, numbers: &[ChangeableNumber]) -> Option<NumberFormula> {
    let expression = NumberFormula::parse_expression(text).ok()?;
    let mut names = Vec::new();
    expression.collect_names(&mut names);
    let all = names.iter().all(|name| find_number_with_column(name, numbers).is_some());
    (all && !names.is_empty()).then_some(expression)
}

/// Parses a quantity that is one number for a design.
fn parse_design_quantity(
    text: &str,
    context: &SeekNumbersAndContests,
    wanted_cells: &mut CellsReadByWants,
) -> Result<MeasureReducedOverCells, TextFaultWithRemedy> {
    let quantity = QuantityOfWant::parse_quantity(text)?;
    let resolved = wanted_cells::resolve_quantity(&quantity, context)?;
    let cells = resolved.circumstances.len();
    if matches!(quantity.take, None | Some(CellReduction::Every)) && cells > 1 {
        let problem = format!("\"{text}\" has {cells} cells, and an order needs one number");
        return Err(TextFaultWithRemedy::new(problem, "add mean, least or most"));
    }
    let weigh = |at: usize| wanted_cells::weight_of_circumstance(context, resolved.contest, at);
    Ok(wanted_cells.build_measure_term(
        &quantity,
        resolved.contest,
        &resolved.circumstances,
        &weigh,
    ))
}

/// Number of changed numbers.
pub(crate) fn count_changes(design: &[u16], numbers: &[ChangeableNumber]) -> u64 {
    steps_by_number(design, numbers).filter(|steps| *steps > 0).count() as u64
}

/// Number of steps of all numbers from their current values.
pub(crate) fn total_step_count(design: &[u16], numbers: &[ChangeableNumber]) -> u64 {
    steps_by_number(design, numbers).sum()
}

fn steps_by_number<'d>(
    design: &'d [u16],
    numbers: &'d [ChangeableNumber],
) -> impl Iterator<Item = u64> + 'd {
    design.iter().zip(numbers).map(|(at, number)| number.steps_from_current(usize::from(*at)))
}

impl DesignOrder {
    /// Whether the file sets no order: fewest changes come first.
    pub fn is_empty(&self) -> bool {
        self.prefer.is_empty() && self.front.is_empty()
    }

    /// The sort keys of a design: those of the file, then fewest changes, least steps.
    pub fn sort_keys(
        &self,
        design: &[u16],
        numbers: &[ChangeableNumber],
        grids: &SolvedGrids,
    ) -> Vec<f64> {
        let own = self.prefer.iter().map(|goal| goal.goal_sort_value(design, numbers, grids));
        let last =
            [count_changes(design, numbers) as f64, total_step_count(design, numbers) as f64];
        own.chain(last).collect()
    }
}

/// Finds the value of a name in a design: a number, or a column of the row that one names.
pub(crate) fn value_of_name(
    name: &str,
    design: &[u16],
    numbers: &[ChangeableNumber],
) -> Option<f64> {
    let (at, rest) = find_number_with_column(name, numbers)?;
    let value = usize::from(design[at]);
    match rest {
        "" => crate::value_text::toml_as_number(numbers[at].values.get(value)?),
        rest => find_column_value(&numbers[at], value, rest),
    }
}

/// Finds a printed column of the row that a value of a number names.
pub(crate) fn find_column_value(
    number: &ChangeableNumber,
    value: usize,
    column: &str,
) -> Option<f64> {
    let row = number.values.get(value)?.as_str()?;
    let printed = number.columns.iter().find(|(name, _)| name == row)?;
    printed.1.iter().find(|(name, _)| name == column).map(|(_, value)| *value)
}

/// By row: its printed numbers, if a number is a row of data of a rulebook in text.
pub(crate) fn printed_numbers_by_row(
    contest: &ContestWithCircumstances,
    kind: &FieldType,
) -> Vec<(String, Vec<(String, f64)>)> {
    let FieldType::Row(rows, fields) = kind else { return Vec::new() };
    let tables = (contest.system.data_tables)();
    let is_of = |table: &&enfilade_model::catalogue::PrintedDataTable| {
        table.rows.iter().filter_map(|row| row.first()).eq(rows.name_list().iter())
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
