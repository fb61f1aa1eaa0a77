//! The built-in data as users see it.

use crate::catalogue::DataTable;

use super::data::{Applies, Table, library};

/// Every table of data.
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

fn data_table(name: &'static str, columns: &[&str], rows: Vec<Vec<String>>) -> DataTable {
    let columns = columns.iter().map(|head| (*head).to_owned()).collect();
    DataTable { name: name.into(), columns, rows }
}

/// A fire table by Final DR, with its vehicle line last.
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

/// A number that may not be established.
fn known(number: Option<i8>) -> String {
    number.map_or("?".to_owned(), |number| number.to_string())
}

fn yes(on: bool) -> String {
    if on { "yes" } else { "" }.to_owned()
}

fn squads() -> DataTable {
    let rows = library().squads.iter().map(|squad| {
        vec![
            squad.nation.clone(),
            squad.name.clone(),
            squad.class.clone(),
            known(squad.broken),
            yes(squad.assault_fire),
            yes(squad.spraying_fire),
            squad.half.clone(),
            known(squad.half_broken),
            squad.replaced_by.clone().unwrap_or_default(),
        ]
    });
    let columns = [
        "nation",
        "squad",
        "class",
        "broken morale",
        "Assault Fire",
        "Spraying Fire",
        "half-squad",
        "its broken morale",
        "replaced by",
    ];
    data_table("squads", &columns, rows.collect())
}

fn leaders() -> DataTable {
    let rows = library().leaders.iter().map(|leader| {
        vec![
            leader.name.clone(),
            leader.morale.to_string(),
            format!("{:+}", leader.drm),
            leader.broken.to_string(),
        ]
    });
    let columns = ["leader", "morale", "leadership", "broken morale"];
    data_table("leaders", &columns, rows.collect())
}

fn machine_guns() -> DataTable {
    let rows = library().machine_guns.iter().map(|gun| {
        vec![
            gun.nation.clone(),
            gun.name.clone(),
            gun.firepower.to_string(),
            gun.range.to_string(),
            gun.rate.to_string(),
            gun.breakdown.to_string(),
        ]
    });
    let columns = ["nation", "machine gun", "firepower", "range", "rate of fire", "breakdown"];
    data_table("machine guns", &columns, rows.collect())
}

fn modifiers() -> DataTable {
    let rows = library().modifiers.iter().map(|modifier| {
        let applies = match modifier.applies {
            Applies::All => "",
            Applies::Infantry => "not against vehicles",
            Applies::Alone => "without another positive TEM",
            Applies::Moving => "moving Infantry that is not pinned",
            Applies::Hazardous => "moving Infantry, in place of FFMO and FFNAM",
        };
        vec![modifier.name.clone(), format!("{:+}", modifier.drm), applies.to_owned()]
    });
    data_table("modifiers", &["name", "DRM", "applies"], rows.collect())
}
