//! The built-in data as users see it.

use enfilade_model::catalogue::PrintedDataTable;

use super::data::{FireTableGrid, ModifierTargets, expect_asl_data};

/// Returns every table of data.
pub fn build_data_tables() -> Vec<PrintedDataTable> {
    vec![
        build_fire_table("Infantry Fire Table", &expect_asl_data().ift),
        build_fire_table("Incremental Infantry Fire Table (unverified)", &expect_asl_data().iift),
        squad_table(),
        leader_table(),
        machine_gun_table(),
        modifier_table(),
    ]
}

/// Column: its head, and the cell of an item.
type TableColumnFormat<T> = (&'static str, fn(&T) -> String);

/// Builds a table of items.
fn build_table_of_items<T>(
    name: &'static str,
    items: &[T],
    columns: &[TableColumnFormat<T>],
) -> PrintedDataTable {
    let heads: Vec<&str> = columns.iter().map(|(head, _)| *head).collect();
    let rows = items.iter().map(|item| columns.iter().map(|(_, cell)| cell(item)).collect());
    build_plain_table(name, &heads, rows.collect())
}

fn build_plain_table(
    name: &'static str,
    columns: &[&str],
    rows: Vec<Vec<String>>,
) -> PrintedDataTable {
    let columns = columns.iter().map(|head| (*head).to_owned()).collect();
    PrintedDataTable { name: name.into(), columns, rows }
}

/// Builds a fire table by Final DR, with its vehicle line last.
fn build_fire_table(name: &'static str, table: &FireTableGrid) -> PrintedDataTable {
    let mut columns = vec!["Final DR"];
    columns.extend(table.columns().iter().map(|column| column.name.as_str()));
    let line = |dr: i32| {
        let head = match dr {
            0 => "0 or less".to_owned(),
            15 => "15 or more".to_owned(),
            _ => dr.to_string(),
        };
        let cells = table.columns().iter().map(|column| column.result_at(dr).to_string());
        std::iter::once(head).chain(cells).collect()
    };
    let kill_numbers = table.columns().iter().map(|column| column.kill_number.to_string());
    let vehicles = std::iter::once("vehicles".to_owned()).chain(kill_numbers);
    let rows = (0..=15).map(line).chain([vehicles.collect()]);
    build_plain_table(name, &columns, rows.collect())
}

/// Formats a number that may not be established.
fn format_if_established(number: Option<i8>) -> String {
    number.map_or("?".to_owned(), |number| number.to_string())
}

fn format_yes_or_empty(on: bool) -> String {
    if on { "yes" } else { "" }.to_owned()
}

fn squad_table() -> PrintedDataTable {
    build_table_of_items(
        "squads",
        &expect_asl_data().squads,
        &[
            ("nation", |squad| squad.nation.clone()),
            ("squad", |squad| squad.name.clone()),
            ("class", |squad| squad.class.clone()),
            ("broken morale", |squad| format_if_established(squad.broken)),
            ("Assault Fire", |squad| format_yes_or_empty(squad.assault_fire)),
            ("Spraying Fire", |squad| format_yes_or_empty(squad.spraying_fire)),
            ("half-squad", |squad| squad.half.clone()),
            ("its broken morale", |squad| format_if_established(squad.half_broken)),
            ("replaced by", |squad| squad.replaced_by.clone().unwrap_or_default()),
        ],
    )
}

fn leader_table() -> PrintedDataTable {
    build_table_of_items(
        "leaders",
        &expect_asl_data().leaders,
        &[
            ("leader", |leader| leader.name.clone()),
            ("morale", |leader| leader.morale.to_string()),
            ("leadership", |leader| format!("{:+}", leader.drm)),
            ("broken morale", |leader| leader.broken.to_string()),
        ],
    )
}

fn machine_gun_table() -> PrintedDataTable {
    build_table_of_items(
        "machine guns",
        &expect_asl_data().machine_guns,
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

fn modifier_table() -> PrintedDataTable {
    let applies = |applies| match applies {
        ModifierTargets::All => "",
        ModifierTargets::Infantry => "not against vehicles",
        ModifierTargets::Alone => "without another positive TEM",
        ModifierTargets::Moving => "moving Infantry that is not pinned",
        ModifierTargets::Hazardous => "moving Infantry, in place of FFMO and FFNAM",
    };
    let rows = expect_asl_data().modifiers.iter().map(|modifier| {
        let drm = format!("{:+}", modifier.drm);
        vec![modifier.name.clone(), drm, applies(modifier.applies).to_owned()]
    });
    build_plain_table("modifiers", &["name", "DRM", "applies"], rows.collect())
}
