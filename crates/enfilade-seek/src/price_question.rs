//! A search in an arsenal: numbers of one unit, and its wanted worth or even price.
//!
//! A unit without a price moves no other, so all variants of the unit are priced in one arsenal,
//! and each has the worth that it would have in an arsenal of its own.

use toml::{Table, Value as Toml};

use enfilade_model::catalogue::Catalogue;
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{FieldType, Fields, Form, name_matching};
use enfilade_pricing::arsenal::{Arsenal, rulebook_weapon_fields};
use enfilade_study::file::toml_writer;

use crate::error::SeekError;
use crate::number_path::{NumberPath, RULEBOOK_CHANGES_KEY, SEEK_TABLE_KEY};
use crate::price_want::PriceWant;
use crate::seek_numbers::{ChangeableNumber, parse_value_list_or_range};
use crate::value_text::text_without_quotes;

/// The largest number of variants of a unit.
const MAX_VARIANTS: usize = 5000;

/// The key of the units of an arsenal.
const WEAPON_KEY: &str = "weapon";

/// A search in an arsenal, read and checked.
#[derive(Debug)]
pub struct ArsenalDesignSearch {
    /// The arsenal with all variants behind its own units.
    pub arsenal: Arsenal,
    /// The name of the unit.
    pub unit: String,
    /// The numbers that may change.
    pub numbers: Vec<ChangeableNumber>,
    /// The wants.
    pub wants: Vec<PriceWant>,
    /// By variant: the place of each value.
    pub(crate) designs: Vec<Vec<u16>>,
    /// Number of units of the file.
    pub(crate) own_units: usize,
}

/// Whether the text is a search in an arsenal.
pub fn is_price_question(text: &str) -> bool {
    text.parse::<Table>()
        .is_ok_and(|file| file.contains_key(SEEK_TABLE_KEY) && file.contains_key(WEAPON_KEY))
}

fn invalid(problem: String) -> SeekError {
    SeekError::Invalid(problem)
}

impl ArsenalDesignSearch {
    /// Reads the search in `text`, a file called `name` in messages.
    ///
    /// # Errors
    /// The faults of the arsenal, or the first of `[seek]`.
    pub fn read(
        catalogue: &Catalogue,
        name: &str,
        text: &str,
    ) -> Result<ArsenalDesignSearch, SeekError> {
        let own = Arsenal::read_arsenal_text(catalogue, name, &without_seek(text))?;
        let mut file: Table = text.parse().map_err(|_| invalid(format!("{name} is no TOML")))?;
        let seek = file.remove(SEEK_TABLE_KEY).and_then(|seek| seek.as_table().cloned());
        let seek = seek.unwrap_or_default();
        let wants = read_wants(&seek)?;
        let at = find_unit_named_by_wants(&own, &wants)?;
        let unit = own.weapons[at].name.clone();
        let numbers = read_changed_numbers(&own, at, unit_table(&mut file, at)?, &seek)?;
        let designs = list_designs(&numbers)?;
        let variants = build_variants(unit_table(&mut file, at)?, &numbers, &designs);
        let own_units = own.weapons.len();
        append_units(&mut file, variants);
        let mut arsenal = Arsenal::read_arsenal_text(catalogue, name, &file.to_string())?;
        // The price is the question: neither the unit nor a variant sets the scale.
        arsenal.weapons[at].price = None;
        arsenal.weapons[own_units..].iter_mut().for_each(|variant| variant.price = None);
        Ok(ArsenalDesignSearch { arsenal, unit, numbers, wants, designs, own_units })
    }
}

/// The text with empty lines in place of `[seek]` and the tables below it, so that faults keep
/// their lines.
fn without_seek(text: &str) -> String {
    let mut inside = false;
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        if let Some(head) = line.trim_start().strip_prefix('[') {
            let head = head.trim_start_matches('[').trim_start();
            inside = head
                .strip_prefix(SEEK_TABLE_KEY)
                .is_some_and(|rest| rest.starts_with(['.', ']', ' ']));
        }
        if !inside {
            kept.push_str(line);
        }
        kept.push('\n');
    }
    kept
}

fn read_wants(seek: &Table) -> Result<Vec<PriceWant>, SeekError> {
    let known = ["so_that", "change", "best"];
    if let Some(key) = seek.keys().find(|key| !known.contains(&key.as_str())) {
        let key = shorten_and_make_safe(key);
        return Err(invalid(format!(
            "seek.{key}: in an arsenal [seek] has no `{key}`: it has {}",
            known.join(", ")
        )));
    }
    let texts: Vec<&str> = match seek.get("so_that") {
        Some(Toml::String(one)) => vec![one],
        Some(Toml::Array(several)) => several.iter().filter_map(Toml::as_str).collect(),
        _ => Vec::new(),
    };
    if texts.is_empty() {
        let problem = "seek.so_that: nothing is wanted: write `so_that = [\"even price of rifle = 45 ± 5 % of it\"]`";
        return Err(invalid(problem.to_owned()));
    }
    let read = texts.iter().map(|text| {
        PriceWant::parse(text)
            .map_err(|wrong| invalid(format!("seek.so_that: {}: {}", wrong.problem, wrong.help)))
    });
    read.collect()
}

/// Finds the unit that all wants name.
fn find_unit_named_by_wants(arsenal: &Arsenal, wants: &[PriceWant]) -> Result<usize, SeekError> {
    let place = |want: &PriceWant| match (&want.unit, arsenal.weapons.as_slice()) {
        (None, [_]) => Ok(0),
        (None, _) => Err(invalid(format!(
            "seek.so_that: of which unit is \"{}\"? write `worth of {} = 45 ± 5 % of it`",
            want.text, arsenal.weapons[0].name
        ))),
        (Some(name), _) => enfilade_pricing::battle_runs::index_of_weapon(arsenal, name)
            .map_err(|why| invalid(format!("seek.so_that: {why}"))),
    };
    let places = wants.iter().map(place).collect::<Result<Vec<usize>, SeekError>>()?;
    match places.iter().all(|at| *at == places[0]) {
        true => Ok(places[0]),
        false => Err(invalid(
            "seek.so_that: wants of several units: change one unit at a time".to_owned(),
        )),
    }
}

fn unit_table(file: &mut Table, at: usize) -> Result<&Table, SeekError> {
    let units = file.get(WEAPON_KEY).and_then(Toml::as_array);
    let own = units.and_then(|units| units.get(at)).and_then(Toml::as_table);
    own.ok_or_else(|| invalid("write each unit as a [[weapon]] of its own".to_owned()))
}

/// Reads the numbers below `[seek.change]`.
fn read_changed_numbers(
    arsenal: &Arsenal,
    at: usize,
    unit: &Table,
    seek: &Table,
) -> Result<Vec<ChangeableNumber>, SeekError> {
    let mut given = Vec::new();
    if let Some(Toml::Table(table)) = seek.get(RULEBOOK_CHANGES_KEY) {
        crate::changed_numbers::flatten_change_table(table, "", &mut given);
    }
    if given.is_empty() {
        let problem = "seek.change: no number may be changed: write `[seek.change]`, and below it `save = { from = 0, to = 4 }`";
        return Err(invalid(problem.to_owned()));
    }
    let read = given.iter().map(|(name, values)| read_number(arsenal, at, unit, (name, values)));
    read.collect()
}

fn read_number(
    arsenal: &Arsenal,
    at: usize,
    unit: &Table,
    (name, given): (&str, &Toml),
) -> Result<ChangeableNumber, SeekError> {
    let place = find_number_path(arsenal, at, name)?;
    let values = parse_value_list_or_range(given, &place.kind)
        .map_err(|why| invalid(format!("seek.change.{name}: {why}")))?;
    let now = given.get("now").cloned().or_else(|| current_value(arsenal, at, unit, &place));
    Ok(ChangeableNumber {
        name: name.to_owned(),
        values,
        now,
        places: vec![Some(place)],
        columns: Vec::new(),
    })
}

/// Finds a field of the unit, or a printed number of the row that the unit alone names.
fn find_number_path(arsenal: &Arsenal, at: usize, name: &str) -> Result<NumberPath, SeekError> {
    let fields = rulebook_weapon_fields(&*arsenal.rules);
    if let Some(place) = NumberPath::find_by_name(&fields, name) {
        return Ok(place);
    }
    if let Some((row, place)) = find_number_in_named_row(&fields, &arsenal.weapons[at].form, name) {
        return match find_other_reader(arsenal, at, &row) {
            None => Ok(place),
            Some(other) => Err(invalid(format!(
                "seek.change.{name}: {other} reads `{row}` too, so that the number moves it as well: give \
                 the unit a row of its own"
            ))),
        };
    }
    let mut known = Vec::new();
    crate::changed_numbers::collect_number_names(&fields, "", &mut known);
    let near = name_matching::find_nearest_name(name, known.iter().map(String::as_str));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has {}", known.join(", ")),
    };
    let (unit, name) = (&arsenal.weapons[at].name, shorten_and_make_safe(name));
    Err(invalid(format!("seek.change: {unit} has no number `{name}`: {help}")))
}

/// Finds `table.row.column` where a field of the unit names the row.
fn find_number_in_named_row(
    fields: &Fields,
    form: &Form,
    name: &str,
) -> Option<(String, NumberPath)> {
    let (rest, column) = name.rsplit_once('.')?;
    form.fields_with_values().find_map(|(field, _)| {
        let own = fields.get(field)?;
        let FieldType::Row(rows, columns) = &own.kind else { return None };
        let row = rows.name_list().iter().find(|row| rest.ends_with(&format!(".{row}")))?;
        let value = toml_writer::format_toml_value(form.get(field)?);
        let kind = columns.get(column)?.kind.clone();
        let keys = vec![field.to_string(), column.to_owned()];
        value.contains(&format!("\"{row}\"")).then(|| (row.to_string(), NumberPath { keys, kind }))
    })
}

/// Another unit or a scenario that names a row.
fn find_other_reader(arsenal: &Arsenal, at: usize, row: &str) -> Option<String> {
    let named = format!("\"{row}\"");
    let reads = |form: &Form| {
        let mut entries = form.fields_with_values();
        entries.any(|(_, value)| toml_writer::format_toml_value(value).contains(&named))
    };
    let units = arsenal.weapons.iter().enumerate().filter(|(other, _)| *other != at);
    let mut units = units.filter(|(_, unit)| reads(&unit.form));
    let scenarios = || arsenal.scenarios.iter().find(|scenario| reads(&scenario.setting.form));
    match units.next() {
        Some((_, unit)) => Some(unit.name.clone()),
        None => scenarios().map(|scenario| scenario.weights.name.clone()),
    }
}

/// The current value of a number: that of the unit's table, its default, or the printed one of its
/// row.
fn current_value(arsenal: &Arsenal, at: usize, unit: &Table, place: &NumberPath) -> Option<Toml> {
    if let Some(value) = place.value_in_table(unit) {
        return Some(value.clone());
    }
    let form = &arsenal.weapons[at].form;
    let (first, column) = (place.keys.first()?, place.keys.last()?);
    let value = toml_writer::format_toml_value(form.get(first)?).parse::<Toml>().ok()?;
    if place.keys.len() == 1 {
        return Some(value);
    }
    let row = match &value {
        Toml::Table(table) => table.get(enfilade_model::form::ROW_NAME)?.as_str()?.to_owned(),
        other => text_without_quotes(other),
    };
    let tables = (arsenal.system.data_tables)();
    tables.iter().find_map(|table| {
        let column = table.columns.iter().position(|head| head.replace(' ', "_") == *column)?;
        let cells = table.rows.iter().find(|cells| cells.first() == Some(&row))?;
        cells.get(column)?.parse::<i64>().ok().map(Toml::Integer)
    })
}

/// Every combination of values.
fn list_designs(numbers: &[ChangeableNumber]) -> Result<Vec<Vec<u16>>, SeekError> {
    let sizes = || numbers.iter().map(|number| number.values.len());
    let count = sizes().try_fold(1_usize, usize::checked_mul).filter(|n| *n <= MAX_VARIANTS);
    if count.is_none() {
        let named =
            numbers.iter().map(|number| format!("{} ({})", number.name, number.values.len()));
        return Err(invalid(format!(
            "seek.change: more than {MAX_VARIANTS} variants: fix one of {}",
            named.collect::<Vec<_>>().join(", ")
        )));
    }
    Ok(sizes().fold(vec![Vec::new()], |designs, size| {
        let with = |design: &Vec<u16>| {
            let design = design.clone();
            (0..size as u16).map(move |at| [design.clone(), vec![at]].concat()).collect::<Vec<_>>()
        };
        designs.iter().flat_map(with).collect()
    }))
}

/// The tables of all variants of a unit.
fn build_variants(unit: &Table, numbers: &[ChangeableNumber], designs: &[Vec<u16>]) -> Vec<Toml> {
    let variant = |(at, design): (usize, &Vec<u16>)| {
        let mut table = unit.clone();
        table.remove("price");
        let name = table.get("name").map(text_without_quotes).unwrap_or_default();
        table.insert("name".to_owned(), Toml::String(format!("{name} variant {}", at + 1)));
        for (number, value) in numbers.iter().zip(design) {
            if let Some(place) = &number.places[0] {
                place.set_value(&mut table, number.values[usize::from(*value)].clone());
            }
        }
        Toml::Table(table)
    };
    designs.iter().enumerate().map(variant).collect()
}

fn append_units(file: &mut Table, variants: Vec<Toml>) {
    if let Some(Toml::Array(units)) = file.get_mut(WEAPON_KEY) {
        units.extend(variants);
    }
}
