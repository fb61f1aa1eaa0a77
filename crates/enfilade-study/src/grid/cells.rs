//! Cells of an experiment by grid position, built one by one: of a grid of a thousand million cells
//! only those in use are in memory.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use toml::Table;

use crate::answer::Answer;
use crate::experiment::GridCell;
use crate::grid::relative_axis;
use crate::grid::{self, GridAxis};
use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::combat::ResultColumns;
use enfilade_model::form::sanitize::group_digits;
use enfilade_model::form::{Fault, Field, Form, NumbersVaryingInGrid, Value};
use enfilade_model::static_or_shared::Text;

/// Largest number of values of an axis that are tried alone before a large grid is answered.
const MAX_VALUES_TRIED_ALONE: usize = 200;

/// `[[contest]]` before its cells are built.
#[derive(Debug)]
pub(crate) struct ContestBeforeCells {
    pub(crate) number: usize,
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) system: Arc<System>,
    pub(crate) action: Arc<RulebookAction>,
    pub(crate) table: Table,
    pub(crate) axes: Vec<GridAxis>,
    pub(crate) size: u64,
    /// Form of one of its cells, with which the others share values.
    pub(crate) first: OnceLock<Form>,
}

/// Cells of all contests of an experiment, contest by contest; the last axis of each varies
/// fastest.
#[derive(Debug)]
pub struct ExperimentCells {
    drafts: Vec<ContestBeforeCells>,
    len: u64,
}

/// Contest of a grid, for planning.
#[derive(Debug)]
pub struct ContestGridDimensions<'a> {
    /// Name.
    pub name: &'a str,
    /// Number of cells.
    pub cells: u64,
    /// Axes: the path of each and its number of values.
    pub axes: Vec<(&'a str, usize)>,
}

impl ExperimentCells {
    /// # Errors
    /// If there are more than `limit` cells.
    pub(crate) fn from_contest_drafts(
        drafts: Vec<ContestBeforeCells>,
        limit: u64,
    ) -> Result<ExperimentCells, Fault> {
        let sizes = drafts.iter().map(|draft| draft.size);
        let len = sizes.fold(0, u64::saturating_add);
        if len > limit {
            let [len, limit] = [len, limit].map(group_digits);
            let problem = format!("the contests have {len} cells together, more than {limit}");
            let help = "split the experiment into several files";
            return Err(Fault::new("contest", problem).with_help(help));
        }
        Ok(ExperimentCells { drafts, len })
    }

    pub(crate) fn contest_drafts(&self) -> &[ContestBeforeCells] {
        &self.drafts
    }

    /// Returns the number of cells.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the contests with their grids.
    pub fn contest_grids(&self) -> impl Iterator<Item = ContestGridDimensions<'_>> {
        self.drafts.iter().map(|draft| {
            let axes = draft.axes.iter();
            let axes = axes.map(|axis| (axis.name.as_str(), axis.values.len())).collect();
            ContestGridDimensions { name: &draft.name, cells: draft.size, axes }
        })
    }

    /// Builds the cells of `range`, in order, each with its index; an invalid one with its row and
    /// its fault.
    pub fn build_cell_range(
        &self,
        range: Range<u64>,
    ) -> impl Iterator<Item = (u64, Result<GridCell, InvalidCell<'_>>)> {
        let mut starts = 0;
        self.drafts.iter().flat_map(move |draft| {
            let start = starts;
            starts += draft.size;
            // A contest outside the range has no cells left.
            let first = range.start.clamp(start, starts) - start;
            let end = range.end.clamp(start, starts) - start;
            let mut maker = draft.new_cell_builder();
            (first..end).map(move |inner| {
                let index = start + inner;
                let built_cell =
                    maker.build_nth_cell(inner, usize::try_from(index).unwrap_or(usize::MAX));
                (index, built_cell.map_err(|misfit| draft.invalid_cell(inner, misfit)))
            })
        })
    }
}

/// Grid position without a valid contest.
#[derive(Debug)]
pub struct InvalidCell<'a> {
    draft: &'a ContestBeforeCells,
    /// Fault, in one line that names the position.
    pub why: String,
    /// Check that is broken, in the words of the rulebook, if there is no other fault.
    pub breaks: Option<String>,
    axes: Vec<(String, Value)>,
    params: Form,
}

/// Reason why a grid position has no valid contest.
#[derive(Debug)]
pub(crate) struct CellRejection {
    /// Faults.
    pub faults: Vec<Fault>,
    /// Parameters, if they could be read.
    form: Option<Form>,
}

impl CellRejection {
    /// Returns the first broken check, if all faults are broken checks.
    pub fn first_broken_check(&self) -> Option<&str> {
        let all = self.faults.iter().all(|fault| fault.check.is_some());
        self.faults.first()?.check.as_deref().filter(|_| all)
    }
}

impl From<Vec<Fault>> for CellRejection {
    fn from(faults: Vec<Fault>) -> CellRejection {
        CellRejection { faults, form: None }
    }
}

impl InvalidCell<'_> {
    /// Converts the cell to its row of a table.
    pub fn into_table_row(self, index: u64, seed: u64) -> Answer {
        let InvalidCell { draft, why, breaks, axes, params } = self;
        let (system, action) = (Arc::clone(&draft.system), Arc::clone(&draft.action));
        Answer {
            cell: usize::try_from(index).unwrap_or(usize::MAX),
            contest: draft.number,
            name: draft.name.clone(),
            seed,
            axes,
            params,
            breaks,
            ..Answer::new_refusal(system, action, why)
        }
    }
}

impl ContestBeforeCells {
    pub(crate) fn new_cell_builder(&self) -> ContestCellBuilder<'_> {
        let lies_in = |axis: &GridAxis, field: &Field| axis.top_level_field() == Some(&*field.name);
        let fields = self.action.fields.iter();
        let changed_fields =
            fields.filter(|field| self.axes.iter().any(|axis| lies_in(axis, field)));
        let moves = self.axes.iter().filter_map(|axis| {
            let text = |name: &str| Text::from(name.to_owned());
            Some((text(axis.top_level_field()?), text(axis.last_name_on_path()?)))
        });
        ContestCellBuilder {
            draft: self,
            table: self.table.clone(),
            at: vec![None; self.axes.len()],
            varied: changed_fields.collect(),
            moves: moves.collect(),
            heads: None,
        }
    }

    /// Returns the sample cells: the first one, and those that differ from it on one axis.
    pub(crate) fn first_and_one_axis_variants(&self) -> Vec<u64> {
        let mut indices = vec![0];
        let mut stride = 1;
        // From the last axis on, which varies fastest.
        for axis in self.axes.iter().rev() {
            let count = axis.values.len();
            let tried_count = count.min(MAX_VALUES_TRIED_ALONE);
            let values = (1..tried_count).map(|i| i * (count - 1) / (tried_count - 1).max(1));
            indices.extend(values.map(|value| value as u64 * stride));
            stride *= count as u64;
        }
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    /// Moves a fault of one cell to its position in the file.
    pub(crate) fn locate_fault(&self, fault: Fault, positions: &[usize]) -> Fault {
        let mut axes = self.axes.iter().zip(positions);
        let listed =
            axes.find_map(|(axis, &position)| axis.fault_path_in_value_list(&fault.path, position));
        let path = listed.unwrap_or_else(|| fault.path.clone());
        Fault { path, ..fault }.prefix_path(&self.path)
    }

    /// Describes an invalid cell.
    pub(crate) fn invalid_cell(&self, index: u64, misfit: CellRejection) -> InvalidCell<'_> {
        let positions = grid::indices_on_axes(&self.axes, index);
        let axes = || self.axes.iter().zip(positions.iter().copied());
        let breaks = misfit.first_broken_check().map(str::to_owned);
        let CellRejection { faults, form } = misfit;
        if let (Some(_), Some(params)) = (&breaks, form) {
            let texts: Vec<_> = faults.into_iter().map(|fault| fault.problem).collect();
            let why = format!("ruled out by the rulebook: {}", texts.join("; "));
            let axes =
                axes().map(|(axis, at)| (axis.name.clone(), axis.displayed_value_at(&params, at)));
            return InvalidCell { draft: self, why, breaks, axes: axes.collect(), params };
        }
        let place = axes().map(|(axis, at)| format!("{} {}", axis.name, axis.values[at]));
        let place: Vec<_> = place.collect();
        let texts = faults.iter().map(|fault| format!("{}: {}", fault.path, fault.problem));
        let texts: Vec<_> = texts.collect();
        let why = format!("`{}` at {}: {}", self.name, place.join(", "), texts.join("; "));
        InvalidCell { draft: self, why, breaks: None, axes: Vec::new(), params: Form::default() }
    }

    /// Returns at most `count` cells spread over the whole grid.
    pub(crate) fn evenly_spread_indices(&self, count: u64) -> impl Iterator<Item = u64> {
        let count = count.min(self.size);
        let at = move |n: u64| u128::from(n) * u128::from(self.size) / u128::from(count);
        (0..count).map(move |n| u64::try_from(at(n)).unwrap_or(0))
    }
}

/// Builder of the cells of one contest, in any order, and fastest in the order of the grid: only
/// the fields that differ from the cell before are set again.
pub(crate) struct ContestCellBuilder<'a> {
    draft: &'a ContestBeforeCells,
    table: Table,
    at: Vec<Option<usize>>,
    /// Fields with axes: all others are as in the first cell.
    varied: Vec<&'a Field>,
    /// Numbers that differ between cells.
    moves: NumbersVaryingInGrid,
    /// Columns of the last cell. A factor in a heading, such as 100 ÷ points, equals that of the
    /// last cell more often than that of the first.
    heads: Option<ResultColumns>,
}

impl ContestCellBuilder<'_> {
    /// Builds cell `inner` of the contest, which is cell `index` of the experiment.
    pub(crate) fn build_nth_cell(
        &mut self,
        inner: u64,
        index: usize,
    ) -> Result<GridCell, CellRejection> {
        let draft = self.draft;
        let positions = grid::indices_on_axes(&draft.axes, inner);
        for ((axis, position), at) in
            draft.axes.iter().zip(positions.iter().copied()).zip(&mut self.at)
        {
            // Most axes have the value of the cell before; setting one means walking down to its
            // table.
            if at.replace(position) != Some(position) {
                axis.set_axis_value(&mut self.table, position);
            }
        }
        let form = self.build_form_at(&positions)?.with_grid_axes(&self.moves);
        let mut played = match draft.action.build_contest(&form) {
            Ok(played) => played,
            Err(faults) => return Err(CellRejection { faults, form: Some(form) }),
        };
        if let Some(heads) = &self.heads {
            // Equal columns are shared with the cell before: a grid has as many contests as cells.
            played.combat.share_columns_with(heads);
        }
        self.heads = Some(played.combat.result_columns().clone());
        let axes = draft.axes.iter().zip(&positions);
        let axes = axes
            .map(|(axis, &at)| (axis.name.clone(), axis.displayed_value_at(&form, at)))
            .collect();
        Ok(GridCell {
            index,
            contest: draft.number,
            name: draft.name.clone(),
            system: Arc::clone(&draft.system),
            action: Arc::clone(&draft.action),
            form,
            axes,
            played,
        })
    }

    /// Builds the form of the current table with its changes resolved; it shares values with
    /// another cell, once there is one.
    fn build_form_at(&self, positions: &[usize]) -> Result<Form, Vec<Fault>> {
        let draft = self.draft;
        let hinted = |faults| draft.system.faults_with_hints(&draft.action, faults);
        let changed = draft.axes.iter().any(|axis| axis.relative);
        let settled = changed
            .then(|| {
                relative_axis::resolve_relative_changes(
                    &draft.action,
                    &draft.axes,
                    positions,
                    &self.table,
                )
            })
            .transpose()
            .map_err(hinted)?;
        let table = settled.as_ref().unwrap_or(&self.table);
        // Only the fields with axes are read again; the others are those of the first cell.
        if let Some(form) =
            draft.first.get().and_then(|first| first.with_fields_from_table(&self.varied, table))
        {
            return Ok(form);
        }
        let form = Form::from_table_with_defaults(&draft.action.fields, table).map_err(hinted)?;
        let first = draft.first.get_or_init(|| form.clone());
        Ok(form.share_values_with(first))
    }
}
