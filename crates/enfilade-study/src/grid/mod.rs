//! Grid of a contest: the fields with several values, and one table for every combination.
//!
//! A list where one value is expected is an axis, and so is `{ from, to, step }` where a number is.
//! Axes are in the order in which the file names them; the last one varies fastest. The meaning of
//! the values is checked afterwards, cell by cell, by [`Form::fill`].

use toml::{Table, Value as Toml};

use enfilade_model::form::bounds::{self, Bound};
use enfilade_model::form::sanitize::{grouped, shown};
use enfilade_model::form::{
    Fault, Field, Fields, Form, Kind, Preset, Value, name_matching, one_of,
};

#[doc(hidden)]
pub mod cells;
#[doc(hidden)]
pub mod relative_axis;

/// Field with several values.
#[derive(Clone, Debug)]
pub struct Axis {
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
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Entry(usize),
}

/// Returns the axes of a contest with `fields`, in the order in which `table` names them.
///
/// # Errors
/// Empty lists, and ranges that are incomplete, empty or out of bounds.
pub fn axes(fields: &Fields, table: &Table) -> Result<Vec<Axis>, Vec<Fault>> {
    let mut search = Search::default();
    search.table(fields, table, &Way::default());
    if search.faults.is_empty() { Ok(search.axes) } else { Err(search.faults) }
}

/// Returns the number of cells of a grid with these axes.
///
/// # Errors
/// A fault for the whole contest if there are more than `limit`.
pub fn size(axes: &[Axis], limit: u64) -> Result<u64, Fault> {
    let mut lengths = axes.iter().map(|axis| axis.values.len() as u64);
    let cells = lengths.try_fold(1_u64, u64::checked_mul);
    if let Some(cells) = cells.filter(|&n| n <= limit) {
        return Ok(cells);
    }
    let factors = axes.iter().map(|axis| format!("{} × {}", axis.name, axis.values.len()));
    let factors = factors.collect::<Vec<_>>().join(", ");
    let problem = format!("the grid has more than {} cells: {factors}", grouped(limit));
    let fewer = "give some of these fields fewer values";
    // A grid that is read as a whole is shown as a whole; a command that streams its rows takes any
    // number.
    let help = match limit == bounds::CELLS.high.unsigned_abs() {
        true => format!("{fewer}, or ask with `run`, `sweep run` or `odds --format csv`"),
        false => fewer.to_owned(),
    };
    Err(Fault::new("", problem).help(help))
}

/// Returns the index on each axis for cell `index` of the grid.
pub fn positions(axes: &[Axis], mut index: u64) -> Vec<usize> {
    let mut positions = vec![0; axes.len()];
    for (position, axis) in positions.iter_mut().zip(axes).rev() {
        let count = axis.values.len() as u64;
        // The remainder of a division by the length of a list is an index in it.
        *position = (index % count) as usize;
        index /= count;
    }
    positions
}

impl Axis {
    /// Stores value number `position` in `table`, which has the shape in which the axis was found.
    pub fn set(&self, table: &mut Table, position: usize) {
        self.put(table, Some(self.values[position].clone()));
    }

    /// Stores a value at the path of the axis, or removes the one there.
    pub fn put(&self, table: &mut Table, value: Option<Toml>) {
        let Some((Step::Key(last), outer)) = self.steps.split_last() else {
            return;
        };
        let holder = outer.iter().try_fold(Holder::Table(table), |holder, step| match step {
            Step::Key(key) => holder.get(key),
            Step::Entry(index) => holder.entry(*index),
        });
        if let Some(Holder::Table(table)) = holder {
            match value {
                Some(value) => table.insert(last.clone(), value),
                None => table.remove(last),
            };
        }
    }

    /// Returns the field of the contest that contains the axis.
    pub fn field(&self) -> Option<&str> {
        match self.steps.first()? {
            Step::Key(key) => Some(key),
            Step::Entry(_) => None,
        }
    }

    /// Returns the last name of the path.
    pub fn last(&self) -> Option<&str> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Entry(_) => None,
        })
    }

    /// Returns the value of this axis at `position` for display: the checked one in `form`, or the
    /// change.
    pub fn shown(&self, form: &Form, position: usize) -> Value {
        match &self.values[position] {
            Toml::Integer(change) if self.relative => Value::Int(*change),
            Toml::Float(change) if self.relative => Value::Fraction((change * 64.0) as i64),
            _ => self.value(form),
        }
    }

    /// Returns the checked value of this axis in `form`.
    pub fn value(&self, form: &Form) -> Value {
        // An entry that is switched off (`smoke = false`) leaves no trace in the form.
        self.find(form).unwrap_or(Value::Flag(false))
    }

    /// Finds the value of this axis in `form`.
    pub fn find(&self, form: &Form) -> Option<Value> {
        let (mut form, mut found) = (form, None);
        let mut steps = self.steps.iter().peekable();
        while let Some(step) = steps.next() {
            let Step::Key(key) = step else { continue };
            let value = form.get(key)?;
            // Copied only if it is the last one: a table on the path has many fields.
            found = Some(value);
            match value {
                Value::Table(inner) => form = inner,
                Value::Tables(several) => {
                    let index = match steps.peek() {
                        Some(Step::Entry(index)) => *index,
                        _ => 0,
                    };
                    form = several.get(index)?;
                }
                Value::Entries(entries) => {
                    let Some(Step::Key(wanted)) = steps.next() else {
                        break;
                    };
                    let known = entries.iter().map(|(name, _)| name.as_str());
                    let name = name_matching::find(wanted, known)?;
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
    /// `position` of a listed axis is in that entry of the list. Returns `None` for values outside
    /// lists.
    pub fn in_file(&self, path: &str, position: usize) -> Option<String> {
        let rest = path.strip_prefix(self.path.as_str())?;
        let whole = rest.is_empty() || rest.starts_with(['.', '[']);
        (self.listed && whole).then(|| format!("{}[{position}]{rest}", self.path))
    }
}

/// Path from a contest's table to a field in it, in its three spellings.
#[derive(Clone, Default)]
struct Way {
    steps: Vec<Step>,
    name: String,
    path: String,
}

impl Way {
    fn key(&self, key: &str) -> Way {
        let mut way = self.clone();
        way.steps.push(Step::Key(key.to_owned()));
        for spelling in [&mut way.name, &mut way.path] {
            if !spelling.is_empty() {
                spelling.push('.');
            }
            spelling.push_str(key);
        }
        way
    }

    fn entry(&self, index: usize, of: usize) -> Way {
        let mut way = self.clone();
        way.steps.push(Step::Entry(index));
        way.path.push_str(&format!("[{index}]"));
        if of > 1 {
            way.name.push_str(&format!(".{}", index + 1));
        }
        way
    }

    fn axis(self, values: Vec<Toml>, listed: bool) -> Axis {
        let Way { steps, name, path } = self;
        Axis { name, path, values, listed, relative: false, base: None, steps }
    }
}

#[derive(Default)]
struct Search {
    axes: Vec<Axis>,
    faults: Vec<Fault>,
}

impl Search {
    fn table(&mut self, fields: &Fields, table: &Table, way: &Way) {
        for (key, value) in table {
            // A key that is not a field is reported when the cells are filled.
            if let Some(field) = fields.get(key) {
                self.field(&field.kind, value, way.key(key));
            }
        }
    }

    fn field(&mut self, kind: &Kind, value: &Toml, way: Way) {
        match (kind, value) {
            (
                Kind::Table(fields) | Kind::Tables(fields, _) | Kind::Row(_, fields),
                Toml::Table(table),
            ) => self.table(fields, table, &way),
            (Kind::Tables(fields, _), Toml::Array(tables)) => {
                for (index, table) in tables.iter().enumerate() {
                    if let Toml::Table(table) = table {
                        self.table(fields, table, &way.entry(index, tables.len()));
                    }
                }
            }
            (Kind::Table(_) | Kind::Tables(..), _) => {}
            (Kind::Entries(_, bound), Toml::Table(entries)) => {
                for (key, number) in entries {
                    let known = self.axes.len();
                    self.field(&Kind::Int(bound.clone()), number, way.key(key));
                    // A named entry has its printed number.
                    for axis in self.axes[known..].iter_mut().filter(|axis| axis.relative) {
                        axis.base.get_or_insert(Toml::Boolean(true));
                    }
                }
            }
            (_, Toml::Array(values)) => self.list(kind, value, values, way),
            (Kind::Int(_) | Kind::Fraction(_), Toml::Table(change))
                if [CHANGE, OF].iter().any(|key| change.contains_key(*key)) =>
            {
                self.change(kind, change, way);
            }
            (Kind::Int(bound), Toml::Table(range)) => self.range(&WHOLE, bound, range, way),
            (Kind::Fraction(bound), Toml::Table(range)) => self.range(&PARTS, bound, range, way),
            _ => {}
        }
    }

    fn list(&mut self, kind: &Kind, value: &Toml, values: &[Toml], way: Way) {
        if values.is_empty() && kind.depth() == 0 {
            let problem = format!(
                "the list is empty, but a grid axis needs a value; expected {}",
                kind.expected()
            );
            self.faults.push(Fault::new(way.path, problem));
        } else if brackets(value, kind.is_of_entries()) > kind.depth() {
            self.axes.push(way.axis(values.to_vec(), true));
        }
    }

    /// Finds an axis of changes of the number that the contest would otherwise have.
    fn change(&mut self, kind: &Kind, change: &Table, way: Way) {
        let number = match kind {
            Kind::Fraction(_) => Kind::Fraction(ANY),
            _ => Kind::Int(ANY),
        };
        if let Some(fault) = unlike_a_change(change, kind) {
            self.faults.push(fault.within(&way.path));
            return;
        }
        let base = change.get(OF).cloned();
        let (axes, faults) = (self.axes.len(), self.faults.len());
        self.field(&number, &change[CHANGE], way.key(CHANGE));
        // A list or a range has become an axis already; a single number is an axis of one value.
        let found = match self.axes.len() > axes {
            true => self.axes.pop(),
            false => Some(way.key(CHANGE).axis(vec![change[CHANGE].clone()], false)),
        };
        if self.faults.len() > faults {
            return;
        }
        let is_number = |value: &Toml| match (value, &number) {
            (Toml::Integer(n), _) => ANY.check(*n).is_ok(),
            (Toml::Float(x), Kind::Fraction(_)) => x.abs() <= ANY.high as f64,
            _ => false,
        };
        let wrong = found.iter().flat_map(|axis| &axis.values).find(|value| !is_number(value));
        if let Some(wrong) = wrong {
            let problem = format!("expected a number, found {}", shown(&wrong.to_string()));
            let fault = Fault::new(way.key(CHANGE).path, problem);
            self.faults.push(fault.help("write `{ change = [-1, 0, 1] }`"));
            return;
        }
        // The sum is stored at the path of the number, and the axis is called `armour.change`:
        // results have both.
        let Way { steps, path, .. } = way;
        self.axes.extend(found.map(|axis| Axis { relative: true, base, steps, path, ..axis }));
    }

    fn range(&mut self, fields: &Fields, bound: &Bound, range: &Table, way: Way) {
        match Form::fill(fields, range).and_then(|form| spread(&form, bound)) {
            Ok(values) => self.axes.push(way.axis(values, false)),
            Err(faults) => {
                self.faults.extend(faults.into_iter().map(|fault| fault.within(&way.path)))
            }
        }
    }
}

/// Table or list on the path to an axis.
enum Holder<'a> {
    Table(&'a mut Table),
    List(&'a mut Vec<Toml>),
}

impl<'a> Holder<'a> {
    fn of(value: &'a mut Toml) -> Option<Holder<'a>> {
        match value {
            Toml::Table(table) => Some(Holder::Table(table)),
            Toml::Array(list) => Some(Holder::List(list)),
            _ => None,
        }
    }

    fn get(self, key: &str) -> Option<Holder<'a>> {
        match self {
            Holder::Table(table) => Holder::of(table.get_mut(key)?),
            Holder::List(_) => None,
        }
    }

    fn entry(self, index: usize) -> Option<Holder<'a>> {
        match self {
            Holder::Table(_) => None,
            Holder::List(list) => Holder::of(list.get_mut(index)?),
        }
    }
}

/// Returns the least number of brackets of a value, down to any of its scalars; a table of named
/// `entries` counts as the list of names that it replaces.
fn brackets(value: &Toml, entries: bool) -> usize {
    let inside = |item| brackets(item, entries);
    match value {
        Toml::Array(items) => 1 + items.iter().map(inside).min().unwrap_or(0),
        Toml::Table(_) => usize::from(entries),
        _ => 0,
    }
}

/// Ends and steps of ranges: wider than any field, so that the field's own bound is reported.
const ANY: Bound = Bound::new("end of a range", -1_000_000_000_000, 1_000_000_000_000);
const STEP: Bound = Bound::new("step of a range", 0, 1_000_000_000_000);

/// Key of a change in place of a number.
pub const CHANGE: &str = "change";

/// Key of the number that is changed, if it is given.
pub const OF: &str = "of";

/// Returns a fault if a change has an unknown key, or its given number is not a number.
fn unlike_a_change(change: &Table, kind: &Kind) -> Option<Fault> {
    const HOW: &str = "write `{ change = [-1, 0, 1] }`, or `{ of = 8, change = [-1, 0, 1] }`";
    if let Some(other) = change.keys().find(|key| ![CHANGE, OF].contains(&key.as_str())) {
        return Some(Fault::new("", format!("a change has no `{other}`")).help(HOW));
    }
    if !change.contains_key(CHANGE) {
        return Some(Fault::new("", format!("`{CHANGE}` is missing")).help(HOW));
    }
    match (change.get(OF)?, kind) {
        (Toml::Integer(_), _) | (Toml::Float(_), Kind::Fraction(_)) => None,
        (other, _) => {
            let problem = format!("expected one number, found {}", shown(&other.to_string()));
            Some(Fault::new(OF, problem).help(HOW))
        }
    }
}

const FROM: &str = "the first value";
const TO: &str = "the last value, if a step lands on it";
const BY: &str = "the distance between values";

/// Range of whole numbers.
pub const WHOLE: Fields = Fields::Static(&[&[
    Field::required("from", Kind::Int(ANY), FROM),
    Field::required("to", Kind::Int(ANY), TO),
    Field::int("step", STEP, 1, BY),
]]);

/// Range of numbers in steps of 1/64.
pub const PARTS: Fields = Fields::Static(&[&[
    Field::required("from", Kind::Fraction(ANY), FROM),
    Field::required("to", Kind::Fraction(ANY), TO),
    Field::new("step", Kind::Fraction(STEP), Preset::Fraction(64), BY),
]]);

/// Expands a checked range to its values.
fn spread(range: &Form, bound: &Bound) -> Result<Vec<Toml>, Vec<Fault>> {
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
        faults.extend(bound.check(whole).err().map(|problem| Fault::new(end, problem)));
    }
    if from > to {
        let problem = "the range is empty: it ends before it begins";
        faults.push(Fault::new("to", problem).help("exchange from and to"));
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
    Ok(values.map(number_of_parts).collect())
}

/// Converts 64ths to a number.
pub fn number_of_parts(parts: i64) -> Toml {
    if parts % 64 == 0 { Toml::Integer(parts / 64) } else { Toml::Float(parts as f64 / 64.0) }
}

/// Finds the axis called `name`, with points or underscores between its parts.
///
/// # Errors
/// A fault with the nearest name if there is none.
pub fn find<'a>(name: &str, axes: &[&'a str]) -> Result<&'a str, Fault> {
    let plain = |name: &str| name_matching::key(&name.replace('.', "_"));
    let found = axes.iter().copied().find(|axis| plain(axis) == plain(name));
    found.ok_or_else(|| {
        let fault = Fault::new("", format!("no contest has a grid axis `{}`", shown(name)));
        fault.help(match name_matching::nearest(name, axes.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if axes.is_empty() => "give a field a list of values to make it an axis".into(),
            None => {
                let axes: Vec<_> = axes.iter().map(|axis| format!("`{axis}`")).collect();
                format!("there is {}", one_of(&axes))
            }
        })
    })
}
