//! Contest parameters in a fixed order: the numbers that can be loaded while a rule is played, each
//! in a slot. Everything else forms the key that contests sharing a program have in common.

use std::hash::BuildHasher;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::lower::changed_cells::{ChangedTableCell, value_range_to_compile_for};
use crate::lower::{DerivedParameter, Lowering, ParameterSet};
use crate::resolve::CHANGE_FIELD;
use crate::resolve::action_facts::ColumnsReadAndChanged;
use crate::resolve::game::{FieldDef, ResolvedRulebook, ValueShape};
use crate::resolve::printed_cells::{append_whole_value_to_key, keeps_printed_numbers};
use crate::resolve::used_names::visit_dotted_paths;
use crate::syntax::ast::{DefaultExpr, Expr, ExprKind};
use crate::value_types::{ContestDataRow, ContestValue, ScalarType, ValueRange};
use crate::vm::code::Program;
use enfilade_model::static_or_shared::Text;

/// Largest number of contest parameters.
const MAX_CONTEST_PARAMETERS: usize = 62;

/// Position of a number in a contest.
#[derive(Clone, Copy)]
pub(super) struct ParameterPosition<'a> {
    /// Top-level field.
    pub(super) top: &'a str,
    /// Last name of the path, and the column of a data row.
    pub(super) last: &'a str,
    pub(super) column: Option<&'a str>,
    /// Data block and row in which a cell is printed.
    pub(super) row: Option<(u16, i64)>,
    /// Default expression that computes the number if the contest does not give it.
    from: Option<&'a Expr>,
}

/// Returns whether a default is computed from something that may be a field, rather than written as
/// a constant.
pub fn is_default_from_fields(game: &ResolvedRulebook, value: &Expr) -> bool {
    match &value.kind {
        ExprKind::YesNo(_) => false,
        ExprKind::Name(name) => game.index_of_top_level_field(name).is_some(),
        _ => value.literal_number().is_none() && value.as_die_sides().is_none(),
    }
}

impl ParameterPosition<'_> {
    /// Returns whether the number differs between contests of a grid.
    pub(super) fn varies_in_grid(&self, moves: &[(Text, Text)]) -> bool {
        let is = |(top, last): &(Text, Text)| {
            let field = **top == *self.top && (**last == *self.last || self.column == Some(last));
            field || self.column == Some(last) && **top == *CHANGE_FIELD
        };
        let mut reckoned = false;
        let mut named = |path: String| {
            let first = path.split('.').next().unwrap_or_default();
            reckoned |= moves.iter().any(|(top, _)| **top == *first);
        };
        if !moves.is_empty()
            && let Some(from) = self.from
        {
            visit_dotted_paths(from, &mut named);
        }
        reckoned || moves.iter().any(is)
    }

    /// Returns whether the number is computed from something that may be a field.
    pub(super) fn has_default_from_fields(&self, game: &ResolvedRulebook) -> bool {
        self.from.is_some_and(|from| is_default_from_fields(game, from))
    }

    pub(super) fn hash_of_position(&self, action: Option<usize>) -> u64 {
        FxBuildHasher.hash_one((action, self.top, self.last, self.column))
    }
}

/// Contest as a vector of numbers.
pub(super) struct ContestAsNumbers {
    /// Part of the contest that all contests sharing a program have in common.
    pub(super) key: Vec<i64>,
    /// Parameter values: the explicit ones first, then the values derived from them.
    pub(super) numbers: Vec<i64>,
    pub(super) given_count: usize,
    /// Code that derives the hoisted values.
    pub(super) hoisted: Vec<Arc<DerivedParameter>>,
}

impl ContestAsNumbers {
    /// Collects the numbers of the contest that is about to be lowered.
    pub(super) fn collect_before_lowering(lowering: &mut Lowering<'_>) -> ContestAsNumbers {
        let action = lowering.scopes.action.map_or(-1, |at| at as i64);
        let mut numbers = Vec::new();
        let changed = lowering.scopes.changed_cells.len();
        let all = max_parameter_fields(changed);
        let key = ContestNumberVisitor::key_while_visiting_numbers(
            lowering,
            vec![action, changed as i64],
            |_, _, value, site| {
                let room = numbers.len()
                    < if site.top == CHANGE_FIELD { MAX_CONTEST_PARAMETERS } else { all };
                if room {
                    numbers.push(value);
                }
                room
            },
        );
        ContestAsNumbers { key, given_count: numbers.len(), numbers, hoisted: Vec::new() }
    }

    /// Returns the parameters that a program depends on, if these are loaded: those that it reads,
    /// directly or through a derived value, and those that shape its code.
    pub(super) fn parameters_program_depends_on(
        &self,
        program: &Program,
        parameters: ParameterSet,
    ) -> ParameterSet {
        let reckoned = self.hoisted.iter().fold(0, |all, settled| all | settled.parameters_read());
        // The list contains both values when one derived value is computed from another.
        (program.parameters_loaded() | reckoned | !parameters) & self.slots_given()
    }

    /// Returns the explicit parameters as a bit set.
    pub(super) fn slots_given(&self) -> ParameterSet {
        (1 << self.given_count) - 1
    }
}

/// Returns the parameters that satisfy a condition, as a bit set.
pub(super) fn parameters_where(
    lowering: &mut Lowering<'_>,
    mut is: impl FnMut(ParameterPosition<'_>) -> bool,
) -> ParameterSet {
    let mut parameter_set = 0;
    visit_parameter_slots(lowering, |slot, _, _, site| {
        parameter_set |= ParameterSet::from(is(site)) << slot
    });
    parameter_set
}

/// Replaces these numbers of the contest by loads at run time.
pub(super) fn load_at_run_time(
    lowering: &mut Lowering<'_>,
    parameters: ParameterSet,
    contest: &ContestAsNumbers,
) {
    visit_parameter_slots(lowering, |slot, fixed, range, _| {
        if parameters >> slot & 1 == 1 {
            *fixed = ContestValue::Parameter(range, slot);
        }
    });
    lowering.emitter.parameters.load_parameters_at_run_time(
        parameters,
        contest.numbers.clone(),
        contest.hoisted.clone(),
    );
}

/// Visits the possible parameters of a contest, each with its slot and position.
fn visit_parameter_slots(
    lowering: &mut Lowering<'_>,
    mut take: impl FnMut(u8, &mut ContestValue, ValueRange, ParameterPosition<'_>),
) {
    let (mut slot, fields) = (0, max_parameter_fields(lowering.scopes.changed_cells.len()));
    ContestNumberVisitor::key_while_visiting_numbers(
        lowering,
        Vec::new(),
        |fixed, range, _, site| {
            let room =
                slot < if site.top == CHANGE_FIELD { MAX_CONTEST_PARAMETERS } else { fields };
            if room {
                take(slot as u8, fixed, range, site);
                slot += 1;
            }
            room
        },
    );
}

/// Returns how many fields can be parameters beside `changed` cells, which always have room.
fn max_parameter_fields(changed: usize) -> usize {
    MAX_CONTEST_PARAMETERS - changed.min(MAX_CONTEST_PARAMETERS / 2)
}

/// Visitor of a contest. A possible parameter is passed on with its range, value and position;
/// everything else, and every parameter that is not taken, is appended to the key.
struct ContestNumberVisitor<'g, F> {
    game: &'g ResolvedRulebook,
    /// Columns of rows that the action reads; other columns do not affect the action.
    columns: Option<&'g ColumnsReadAndChanged>,
    key: Vec<i64>,
    take: F,
}

impl<'g, F: FnMut(&mut ContestValue, ValueRange, i64, ParameterPosition<'_>) -> bool>
    ContestNumberVisitor<'g, F>
{
    /// Visits all fields and returns the key, appended to `key`.
    fn key_while_visiting_numbers(lowering: &mut Lowering<'g>, key: Vec<i64>, take: F) -> Vec<i64> {
        let game = lowering.scopes.game;
        let mut numbers =
            ContestNumberVisitor { game, columns: lowering.scopes.columns, key, take };
        let Some(action) = lowering.scopes.action.map(|at| &game.actions[at]) else {
            return numbers.key;
        };
        for (at, value) in lowering.scopes.fields.iter_mut().enumerate() {
            match value {
                Some((fixed, given)) => {
                    let field = action.override_of_top_level_field(game, at);
                    numbers.visit_field(field, &field.name.text, fixed, *given);
                }
                None => numbers.key.push(-1),
            }
        }
        for (field, (_, fixed, given)) in
            action.non_overriding_fields().zip(&mut lowering.scopes.own_fields)
        {
            numbers.visit_field(field, &field.name.text, fixed, *given);
        }
        for (_, rows) in &mut lowering.scopes.data_rows {
            numbers.append_value_to_key(rows);
        }
        numbers.visit_changed_cells(&mut lowering.scopes.changed_cells);
        numbers.key
    }

    /// Visits the table cells that the contest changes: their identity and their numbers.
    fn visit_changed_cells(&mut self, changed: &mut [ChangedTableCell<'_>]) {
        for ChangedTableCell { place: (table, place), last, value, range } in changed {
            self.key.extend([-3, *table as i64, *place as i64]);
            let site =
                ParameterPosition { top: CHANGE_FIELD, last, column: None, row: None, from: None };
            match (*range, value.constant_number()) {
                (Some(range), Some(now)) if (self.take)(value, range, now, site) => {
                    self.key.extend([range.lo, range.hi]);
                }
                _ => self.append_value_to_key(value),
            }
        }
    }

    /// Visits a field below `top`. A constant default that the contest does not override is equal
    /// in all contests, so it needs no slot.
    fn visit_field(
        &mut self,
        field: &FieldDef,
        top: &str,
        fixed: &mut ContestValue,
        is_explicit: Option<bool>,
    ) {
        let is_given = is_explicit.unwrap_or(false);
        self.key.push(is_given.into());
        let from = match &field.default {
            Some(DefaultExpr::One(from)) if !is_given => Some(from),
            _ => None,
        };
        let printed = match (from, &field.shape) {
            (Some(from), ValueShape::Number(range)) => {
                is_constant_default(self.game, from, range.kind)
            }
            _ => false,
        };
        match printed {
            true => self.append_value_to_key(fixed),
            false => {
                let site = ParameterPosition {
                    top,
                    last: &field.name.text,
                    column: None,
                    row: None,
                    from,
                };
                self.visit_value(&field.shape, site, fixed);
            }
        }
    }

    /// Visits the value of a field. A die is never a parameter, because its faces are unrolled.
    fn visit_value(
        &mut self,
        shape: &ValueShape,
        site: ParameterPosition<'_>,
        fixed: &mut ContestValue,
    ) {
        if let (ValueShape::Number(range), Some(value)) = (shape, fixed.constant_number())
            && (self.take)(fixed, *range, value, site)
        {
            return;
        }
        match (shape, fixed) {
            (ValueShape::Row(data), ContestValue::Row(row)) => {
                self.key.push(5);
                self.visit_row(*data, site, Arc::make_mut(row));
            }
            (ValueShape::Record(_), ContestValue::Record(record))
                if keeps_printed_numbers(self.game, record) =>
            {
                self.key.push(-2);
            }
            (ValueShape::Record(of), ContestValue::Record(record)) => {
                let record = Arc::make_mut(record);
                self.key.push(record.count);
                let fields = self.game.records[*of].fields.iter();
                for (field, (fixed, given)) in fields.zip(&mut record.fields) {
                    self.visit_field(field, site.top, fixed, *given);
                }
            }
            (_, fixed) => self.append_value_to_key(fixed),
        }
    }

    /// Visits a data row: its index, and the cells that the action reads.
    fn visit_row(&mut self, data: u16, site: ParameterPosition<'_>, row: &mut ContestDataRow) {
        let block = &self.game.data[usize::from(data)];
        let printed_at = row.place.lo;
        let place = ValueRange::new(row.place.kind, 0, block.rows.len() as i64 - 1);
        let mut at = ContestValue::Number(row.place);
        if place.contains(row.place.lo) && (self.take)(&mut at, place, row.place.lo, site) {
            if let ContestValue::Parameter(range, slot) = at {
                (row.place, row.parameter) = (range, Some(slot));
            }
        } else {
            self.append_value_to_key(&at);
        }
        let columns = self.columns;
        let reads = |column: &str| columns.is_none_or(|columns| columns.read.contains(column));
        let cells = row.cells.iter_mut().zip(&block.ranges).zip(&block.columns);
        for ((cell, all), column) in cells.filter(|(_, column)| reads(column)) {
            let site =
                ParameterPosition { column: Some(column), row: Some((data, printed_at)), ..site };
            let (Some(printed), Some(value)) = (all, cell.constant_number()) else {
                self.append_value_to_key(cell);
                continue;
            };
            let mut range = *printed;
            if !printed.contains(value) {
                // A contest may replace a printed number by one outside the printed range.
                range = value_range_to_compile_for(self.game, *printed, value);
                self.key.extend([-4, range.lo, range.hi]);
            }
            if !(self.take)(cell, range, value, site) {
                self.append_value_to_key(cell);
            }
        }
    }

    fn append_value_to_key(&mut self, fixed: &ContestValue) {
        append_whole_value_to_key(self.game, fixed, &mut self.key);
    }
}

/// Returns whether a default is a constant that depends on no field.
fn is_constant_default(game: &ResolvedRulebook, value: &Expr, kind: ScalarType) -> bool {
    match (&value.kind, kind) {
        (ExprKind::YesNo(_), _) => true,
        (ExprKind::Name(word), ScalarType::Word(list)) => {
            game.index_of_word_in_list(list, word).is_some()
        }
        _ => value.literal_number().is_some(),
    }
}
