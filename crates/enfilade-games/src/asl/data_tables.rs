//! The built-in data as users see it.

use enfilade_model::catalogue::DataTable;

use super::data::{Applies, Table, library};

/// Returns every table of data.
pub fn data_tables() -> Vec<DataTable> {
    vec![
        fire_table("Infantry Fire Table", &library().ift),
        fire_table("Incremental Infantry Fire Table (unverified)", &library().iift),
        squads(),
        leaders(),
        machine_guns(),
        modifiers(),
    ]
}

/// Column: its head, and the cell of an item.
type Shown<T> = (&'static str, fn(&T) -> String);

/// Builds a table of items.
fn table_of<T>(name: &'static str, things: &[T], columns: &[Shown<T>]) -> DataTable {
    let heads: Vec<&str> = columns.iter().map(|(head, _)| *head).collect();
    let rows = things.iter().map(|thing| columns.iter().map(|(_, cell)| cell(thing)).collect());
    data_table(name, &heads, rows.collect())
}

fn data_table(name: &'static str, columns: &[&str], rows: Vec<Vec<String>>) -> DataTable {
    let columns = columns.iter().map(|head| (*head).to_owned()).collect();
    DataTable { name: name.into(), columns, rows }
}

/// Builds a fire table by Final DR, with its vehicle line last.
fn fire_table(name: &'static str, table: &Table) -> DataTable {
    let mut columns = vec!["Final DR"];
    columns.extend(table.columns().iter().map(|column| column.name.as_str()));
    let line = |dr: i32| {
        let head = match dr {
            0 => "0 or less".to_owned(),
            15 => "15 or more".to_owned(),
            _ => dr.to_string(),
        };
        let cells = table.columns().iter().map(|column| column.cell(dr).to_string());
        std::iter::once(head).chain(cells).collect()
    };
    let kill_numbers = table.columns().iter().map(|column| column.kill_number.to_string());
    let vehicles = std::iter::once("vehicles".to_owned()).chain(kill_numbers);
    let rows = (0..=15).map(line).chain([vehicles.collect()]);
    data_table(name, &columns, rows.collect())
}

/// Formats a number that may not be established.
fn known(number: Option<i8>) -> String {
    number.map_or("?".to_owned(), |number| number.to_string())
}

fn yes(on: bool) -> String {
    if on { "yes" } else { "" }.to_owned()
}

fn squads() -> DataTable {
    table_of(
        "squads",
        &library().squads,
        &[
            ("nation", |squad| squad.nation.clone()),
            ("squad", |squad| squad.name.clone()),
            ("class", |squad| squad.class.clone()),
            ("broken morale", |squad| known(squad.broken)),
            ("Assault Fire", |squad| yes(squad.assault_fire)),
            ("Spraying Fire", |squad| yes(squad.spraying_fire)),
            ("half-squad", |squad| squad.half.clone()),
            ("its broken morale", |squad| known(squad.half_broken)),
            ("replaced by", |squad| squad.replaced_by.clone().unwrap_or_default()),
        ],
    )
}

fn leaders() -> DataTable {
    table_of(
        "leaders",
        &library().leaders,
        &[
            ("leader", |leader| leader.name.clone()),
            ("morale", |leader| leader.morale.to_string()),
            ("leadership", |leader| format!("{:+}", leader.drm)),
            ("broken morale", |leader| leader.broken.to_string()),
        ],
    )
}

fn machine_guns() -> DataTable {
    table_of(
        "machine guns",
        &library().machine_guns,
        &[
            ("nation", |gun| gun.nation.clone()),
            ("machine gun", |gun| gun.name.clone()),
            ("firepower", |gun| gun.firepower.to_string()),
            ("range", |gun| gun.range.to_string()),
            ("rate of fire", |gun| gun.rate.to_string()),
            ("breakdown", |gun| gun.breakdown.to_string()),
        ],
    )
}

fn modifiers() -> DataTable {
    let applies = |applies| match applies {
        Applies::All => "",
        Applies::Infantry => "not against vehicles",
        Applies::Alone => "without another positive TEM",
        Applies::Moving => "moving Infantry that is not pinned",
        Applies::Hazardous => "moving Infantry, in place of FFMO and FFNAM",
    };
    let rows = library().modifiers.iter().map(|modifier| {
        let drm = format!("{:+}", modifier.drm);
        vec![modifier.name.clone(), drm, applies(modifier.applies).to_owned()]
    });
    data_table("modifiers", &["name", "DRM", "applies"], rows.collect())
}
