//! Grid of a contest: the fields with several values, and one table for every combination.
//!
//! A list where one value is expected is an axis, and so is `{ from, to, step }` where a number is.
//! Axes are in the order in which the file names them; the last one varies fastest. The meaning of
//! the values is checked afterwards, cell by cell, by [`Form::from_table_with_defaults`].

use toml::{Table, Value as Toml};

use enfilade_model::form::bounds::{self, IntRange};
use enfilade_model::form::sanitize::{group_digits, shorten_and_make_safe};
use enfilade_model::form::{
    DefaultValue, Fault, Field, FieldType, Fields, Form, Value, join_or, name_matching,
};

#[doc(hidden)]
pub mod cells;
mod change_table;
#[doc(hidden)]
pub mod relative_axis;

use change_table::find_relative_change_fault;
pub use change_table::{CHANGE_KEY, OF_KEY};

/// Field with several values.
#[derive(Clone, Debug)]
pub struct GridAxis {
    /// Path in results: `drm`, `target.morale`, `target.2.unit`.
    pub name: String,
    /// Path in the file: `target[1].unit`, entries counted from 0.
    pub path: String,
    /// Values, as a file with one of them would have it.
    pub values: Vec<Toml>,
    /// Whether the file lists the values, so that each has a position.
    pub listed: bool,
    /// Whether the values are changes of the number that the contest would otherwise have.
    pub relative: bool,
    /// Number that is changed, if the file gives it or data print it under a name.
    pub base: Option<Toml>,
    steps: Vec<AxisPathSegment>,
}

#[derive(Clone, Debug, PartialEq)]
enum AxisPathSegment {
    Key(String),
    Entry(usize),
}

/// Returns the axes of a contest with `fields`, in the order in which `table` names them.
///
/// # Errors
/// Empty lists, and ranges that are incomplete, empty or out of bounds.
pub fn find_axes_of_contest(fields: &Fields, table: &Table) -> Result<Vec<GridAxis>, Vec<Fault>> {
    let mut search = GridAxisCollector::default();
    search.search_table(fields, table, &AxisPath::default());
    if search.faults.is_empty() { Ok(search.axes) } else { Err(search.faults) }
}

/// Returns the number of cells of a grid with these axes.
///
/// # Errors
/// A fault for the whole contest if there are more than `limit`.
pub fn count_cells_of_grid(axes: &[GridAxis], limit: u64) -> Result<u64, Fault> {
    let mut lengths = axes.iter().map(|axis| axis.values.len() as u64);
    let cells = lengths.try_fold(1_u64, u64::checked_mul);
    if let Some(cells) = cells.filter(|&n| n <= limit) {
        return Ok(cells);
    }
    let factors = axes.iter().map(|axis| format!("{} × {}", axis.name, axis.values.len()));
    let factors = factors.collect::<Vec<_>>().join(", ");
    let problem = format!("the grid has more than {} cells: {factors}", group_digits(limit));
    let fewer = "give some of these fields fewer values";
    // A grid that is read whole is shown whole; a command that streams its rows takes any number.
    let help = match limit == bounds::CELLS.high.unsigned_abs() {
        true => format!("{fewer}, or use `run`, `sweep run` or `odds --format csv`"),
        false => fewer.to_owned(),
    };
    Err(Fault::new("", problem).with_help(help))
}

/// Returns the index on each axis for cell `index` of the grid.
pub fn indices_on_axes(axes: &[GridAxis], mut index: u64) -> Vec<usize> {
    let mut positions = vec![0; axes.len()];
    for (position, axis) in positions.iter_mut().zip(axes).rev() {
        let count = axis.values.len() as u64;
        // The remainder of a division by the length of a list is an index in it.
        *position = (index % count) as usize;
        index /= count;
    }
    positions
}

impl GridAxis {
    /// Stores value number `position` in `table`, which has the shape in which the axis was found.
    pub fn set_axis_value(&self, table: &mut Table, position: usize) {
        self.replace_or_remove_value(table, Some(self.values[position].clone()));
    }

    /// Stores a value at the path of the axis, or removes the one there.
    pub fn replace_or_remove_value(&self, table: &mut Table, value: Option<Toml>) {
        let Some((AxisPathSegment::Key(last), outer)) = self.steps.split_last() else {
            return;
        };
        let holder =
            outer.iter().try_fold(AxisPathContainer::Table(table), |holder, step| match step {
                AxisPathSegment::Key(key) => holder.get(key),
                AxisPathSegment::Entry(index) => holder.entry_at_index(*index),
            });
        if let Some(AxisPathContainer::Table(table)) = holder {
            match value {
                Some(value) => table.insert(last.clone(), value),
                None => table.remove(last),
            };
        }
    }

    /// Returns the field of the contest that contains the axis.
    pub fn top_level_field(&self) -> Option<&str> {
        match self.steps.first()? {
            AxisPathSegment::Key(key) => Some(key),
            AxisPathSegment::Entry(_) => None,
        }
    }

    /// Returns the last name of the path.
    pub fn last_name_on_path(&self) -> Option<&str> {
        self.steps.iter().rev().find_map(|step| match step {
            AxisPathSegment::Key(key) => Some(key.as_str()),
            AxisPathSegment::Entry(_) => None,
        })
    }

    /// Returns the value of this axis at `position` for display: checked in `form`, or the change.
    pub fn displayed_value_at(&self, form: &Form, position: usize) -> Value {
        match &self.values[position] {
            Toml::Integer(change) if self.relative => Value::Int(*change),
            Toml::Float(change) if self.relative => Value::Fraction((change * 64.0) as i64),
            _ => self.value_in_form_or_false(form),
        }
    }

    /// Returns the checked value of this axis in `form`.
    pub fn value_in_form_or_false(&self, form: &Form) -> Value {
        // An entry that is switched off (`smoke = false`) leaves no trace in the form.
        self.value_in_form(form).unwrap_or(Value::Flag(false))
    }

    /// Finds the value of this axis in `form`.
    pub fn value_in_form(&self, form: &Form) -> Option<Value> {
        let (mut form, mut found) = (form, None);
        let mut steps = self.steps.iter().peekable();
        while let Some(step) = steps.next() {
            let AxisPathSegment::Key(key) = step else { continue };
            let value = form.get(key)?;
            // Copied only if it is the last one: a table on the path has many fields.
            found = Some(value);
            match value {
                Value::Table(inner) => form = inner,
                Value::Tables(several) => {
                    let index = match steps.peek() {
                        Some(AxisPathSegment::Entry(index)) => *index,
                        _ => 0,
                    };
                    form = several.get(index)?;
                }
                Value::Entries(entries) => {
                    let Some(AxisPathSegment::Key(wanted)) = steps.next() else {
                        break;
                    };
                    let entry_names = entries.iter().map(|(name, _)| name.as_str());
                    let name = name_matching::find_meant_name(wanted, entry_names)?;
                    let number = entries.iter().find(|(n, _)| n == name)?.1;
                    return Some(Value::Int(number));
                }
                // A row of data given by its name alone.
                Value::Text(_) => break,
                _ => {}
            }
        }
        found.cloned()
    }

    /// Converts `path`, of a fault in one cell, to the path in the file: a fault of the value at
    /// `position` of a listed axis is in that entry of the list; `None` for values outside lists.
    pub fn fault_path_in_value_list(&self, path: &str, position: usize) -> Option<String> {
        let rest = path.strip_prefix(self.path.as_str())?;
        let whole = rest.is_empty() || rest.starts_with(['.', '[']);
        (self.listed && whole).then(|| format!("{}[{position}]{rest}", self.path))
    }
}

/// Path from a contest's table to a field in it, in its three spellings.
#[derive(Clone, Default)]
struct AxisPath {
    steps: Vec<AxisPathSegment>,
    name: String,
    path: String,
}

impl AxisPath {
    fn then_key(&self, key: &str) -> AxisPath {
        let mut way = self.clone();
        way.steps.push(AxisPathSegment::Key(key.to_owned()));
        for spelling in [&mut way.name, &mut way.path] {
            if !spelling.is_empty() {
                spelling.push('.');
            }
            spelling.push_str(key);
        }
        way
    }

    fn then_index(&self, index: usize, of: usize) -> AxisPath {
        let mut way = self.clone();
        way.steps.push(AxisPathSegment::Entry(index));
        way.path.push_str(&format!("[{index}]"));
        if of > 1 {
            way.name.push_str(&format!(".{}", index + 1));
        }
        way
    }

    fn into_grid_axis(self, values: Vec<Toml>, listed: bool) -> GridAxis {
        let AxisPath { steps, name, path } = self;
        GridAxis { name, path, values, listed, relative: false, base: None, steps }
    }
}

#[derive(Default)]
struct GridAxisCollector {
    axes: Vec<GridAxis>,
    faults: Vec<Fault>,
}

impl GridAxisCollector {
    fn search_table(&mut self, fields: &Fields, table: &Table, way: &AxisPath) {
        for (key, value) in table {
            // A key that is not a field is reported when the cells are filled.
            if let Some(field) = fields.get(key) {
                self.search_field(&field.kind, value, way.then_key(key));
            }
        }
    }

    fn search_field(&mut self, kind: &FieldType, value: &Toml, way: AxisPath) {
        match (kind, value) {
            (
                FieldType::Table(fields) | FieldType::Tables(fields, _) | FieldType::Row(_, fields),
                Toml::Table(table),
            ) => self.search_table(fields, table, &way),
            (FieldType::Tables(fields, _), Toml::Array(tables)) => {
                for (index, table) in tables.iter().enumerate() {
                    if let Toml::Table(table) = table {
                        self.search_table(fields, table, &way.then_index(index, tables.len()));
                    }
                }
            }
            (FieldType::Table(_) | FieldType::Tables(..), _) => {}
            (FieldType::Entries(_, bound), Toml::Table(entries)) => {
                for (key, number) in entries {
                    let axis_count = self.axes.len();
                    self.search_field(&FieldType::Int(bound.clone()), number, way.then_key(key));
                    // A named entry has its printed number.
                    for axis in self.axes[axis_count..].iter_mut().filter(|axis| axis.relative) {
                        axis.base.get_or_insert(Toml::Boolean(true));
                    }
                }
            }
            (_, Toml::Array(values)) => self.read_list_as_axis(kind, value, values, way),
            (FieldType::Int(_) | FieldType::Fraction(_), Toml::Table(change))
                if [CHANGE_KEY, OF_KEY].iter().any(|key| change.contains_key(*key)) =>
            {
                self.search_relative_change(kind, change, way);
            }
            (FieldType::Int(bound), Toml::Table(range)) => {
                self.add_axis_of_range_table(&INTEGER_RANGE_FIELDS, bound, range, way)
            }
            (FieldType::Fraction(bound), Toml::Table(range)) => {
                self.add_axis_of_range_table(&FRACTION_RANGE, bound, range, way)
            }
            _ => {}
        }
    }

    fn read_list_as_axis(
        &mut self,
        kind: &FieldType,
        value: &Toml,
        values: &[Toml],
        way: AxisPath,
    ) {
        if values.is_empty() && kind.nesting_of_brackets() == 0 {
            let problem = format!(
                "the list is empty, but a grid axis needs a value; expected {}",
                kind.describe_accepted_values()
            );
            self.faults.push(Fault::new(way.path, problem));
        } else if least_bracket_depth(value, kind.has_named_numbers()) > kind.nesting_of_brackets()
        {
            self.axes.push(way.into_grid_axis(values.to_vec(), true));
        }
    }

    /// Finds an axis of changes of the number that the contest would otherwise have.
    fn search_relative_change(&mut self, kind: &FieldType, change: &Table, way: AxisPath) {
        let number = match kind {
            FieldType::Fraction(_) => FieldType::Fraction(RANGE_END),
            _ => FieldType::Int(RANGE_END),
        };
        if let Some(fault) = find_relative_change_fault(change, kind) {
            self.faults.push(fault.prefix_path(&way.path));
            return;
        }
        let base = change.get(OF_KEY).cloned();
        let (axes, faults) = (self.axes.len(), self.faults.len());
        self.search_field(&number, &change[CHANGE_KEY], way.then_key(CHANGE_KEY));
        // A list or a range has become an axis already; a single number is an axis of one value.
        let found = match self.axes.len() > axes {
            true => self.axes.pop(),
            false => Some(
                way.then_key(CHANGE_KEY).into_grid_axis(vec![change[CHANGE_KEY].clone()], false),
            ),
        };
        if self.faults.len() > faults {
            return;
        }
        let is_number = |value: &Toml| match (value, &number) {
            (Toml::Integer(n), _) => RANGE_END.check_in_range(*n).is_ok(),
            (Toml::Float(x), FieldType::Fraction(_)) => x.abs() <= RANGE_END.high as f64,
            _ => false,
        };
        let wrong = found.iter().flat_map(|axis| &axis.values).find(|value| !is_number(value));
        if let Some(wrong) = wrong {
            let problem =
                format!("expected a number, found {}", shorten_and_make_safe(&wrong.to_string()));
            let fault = Fault::new(way.then_key(CHANGE_KEY).path, problem);
            self.faults.push(fault.with_help("write `{ change = [-1, 0, 1] }`"));
            return;
        }
        // The sum is at the path of the number, the axis is `armour.change`: results have both.
        let AxisPath { steps, path, .. } = way;
        self.axes.extend(found.map(|axis| GridAxis { relative: true, base, steps, path, ..axis }));
    }

    fn add_axis_of_range_table(
        &mut self,
        fields: &Fields,
        bound: &IntRange,
        range: &Table,
        way: AxisPath,
    ) {
        match Form::from_table_with_defaults(fields, range)
            .and_then(|form| values_of_range(&form, bound))
        {
            Ok(values) => self.axes.push(way.into_grid_axis(values, false)),
            Err(faults) => {
                self.faults.extend(faults.into_iter().map(|fault| fault.prefix_path(&way.path)))
            }
        }
    }
}

/// Table or list on the path to an axis.
enum AxisPathContainer<'a> {
    Table(&'a mut Table),
    List(&'a mut Vec<Toml>),
}

impl<'a> AxisPathContainer<'a> {
    fn from_toml_value(value: &'a mut Toml) -> Option<AxisPathContainer<'a>> {
        match value {
            Toml::Table(table) => Some(AxisPathContainer::Table(table)),
            Toml::Array(list) => Some(AxisPathContainer::List(list)),
            _ => None,
        }
    }

    fn get(self, key: &str) -> Option<AxisPathContainer<'a>> {
        match self {
            AxisPathContainer::Table(table) => {
                AxisPathContainer::from_toml_value(table.get_mut(key)?)
            }
            AxisPathContainer::List(_) => None,
        }
    }

    fn entry_at_index(self, index: usize) -> Option<AxisPathContainer<'a>> {
        match self {
            AxisPathContainer::Table(_) => None,
            AxisPathContainer::List(list) => {
                AxisPathContainer::from_toml_value(list.get_mut(index)?)
            }
        }
    }
}

/// Returns the least number of brackets of a value, down to any of its scalars; a table of named
/// `entries` counts as the list of names that it replaces.
fn least_bracket_depth(value: &Toml, entries: bool) -> usize {
    let inside = |item| least_bracket_depth(item, entries);
    match value {
        Toml::Array(items) => 1 + items.iter().map(inside).min().unwrap_or(0),
        Toml::Table(_) => usize::from(entries),
        _ => 0,
    }
}

/// Ends and steps of ranges: wider than any field, so that the field's own bound is reported.
const RANGE_END: IntRange = IntRange::new("end of a range", -1_000_000_000_000, 1_000_000_000_000);
const RANGE_STEP: IntRange = IntRange::new("step of a range", 0, 1_000_000_000_000);

const FROM_HELP: &str = "the first value";
const TO_HELP: &str = "the last value, if a step lands on it";
const BY_HELP: &str = "the distance between values";

/// Range of whole numbers.
pub const INTEGER_RANGE_FIELDS: Fields = Fields::Static(&[&[
    Field::new_required("from", FieldType::Int(RANGE_END), FROM_HELP),
    Field::new_required("to", FieldType::Int(RANGE_END), TO_HELP),
    Field::new_whole_number("step", RANGE_STEP, 1, BY_HELP),
]]);

/// Range of numbers in steps of 1/64.
pub const FRACTION_RANGE: Fields = Fields::Static(&[&[
    Field::new_required("from", FieldType::Fraction(RANGE_END), FROM_HELP),
    Field::new_required("to", FieldType::Fraction(RANGE_END), TO_HELP),
    Field::new("step", FieldType::Fraction(RANGE_STEP), DefaultValue::Fraction(64), BY_HELP),
]]);

/// Expands a checked range to its values.
fn values_of_range(range: &Form, bound: &IntRange) -> Result<Vec<Toml>, Vec<Fault>> {
    let number = |name| match range.get(name) {
        Some(Value::Int(n)) => 64 * n,
        Some(Value::Fraction(parts)) => *parts,
        _ => unreachable!("the three fields of a range are numbers with a value"),
    };
    let (from, to, step) = (number("from"), number("to"), number("step"));
    let mut faults = Vec::new();
    // A fraction beyond the bound is rounded away from it, and so stays beyond it.
    for (end, parts) in [("from", from), ("to", to)] {
        let whole =
            if parts < 64 * bound.low { parts.div_euclid(64) } else { -(-parts).div_euclid(64) };
        faults.extend(bound.check_in_range(whole).err().map(|problem| Fault::new(end, problem)));
    }
    if from > to {
        let problem = "the range is empty: it ends before it begins";
        faults.push(Fault::new("to", problem).with_help("exchange from and to"));
    }
    if step == 0 {
        faults.push(Fault::new("step", "the step of a range must be more than 0"));
    }
    if faults.is_empty() && (to - from) / step >= bounds::CELLS.high {
        let problem = format!("the range has more than {} values", bounds::CELLS.high);
        faults.push(Fault::new("", problem));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let values = (0..=(to - from) / step).map(|i| from + i * step);
    Ok(values.map(toml_number_from_64ths).collect())
}

/// Converts 64ths to a number.
pub fn toml_number_from_64ths(parts: i64) -> Toml {
    if parts % 64 == 0 { Toml::Integer(parts / 64) } else { Toml::Float(parts as f64 / 64.0) }
}

/// Finds the axis called `name`, with points or underscores between its parts.
///
/// # Errors
/// A fault with the nearest name if there is none.
pub fn find_axis_by_name<'a>(name: &str, axes: &[&'a str]) -> Result<&'a str, Fault> {
    let plain = |name: &str| name_matching::name_matching_key(&name.replace('.', "_"));
    let found = axes.iter().copied().find(|axis| plain(axis) == plain(name));
    found.ok_or_else(|| {
        let fault =
            Fault::new("", format!("no contest has a grid axis `{}`", shorten_and_make_safe(name)));
        fault.with_help(match name_matching::find_nearest_name(name, axes.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if axes.is_empty() => "give a field a list of values to make it an axis".into(),
            None => {
                let axes: Vec<_> = axes.iter().map(|axis| format!("`{axis}`")).collect();
                format!("there is {}", join_or(&axes))
            }
        })
    })
}
