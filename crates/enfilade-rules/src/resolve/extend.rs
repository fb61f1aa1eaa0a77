//! Rulebooks that extend another one: what they add, and what they change.

use super::game::no_such;
use crate::diagnostics::{Faults, near};
use crate::source_map::{Source, line_of};
use crate::syntax::ast::{Data, Declared, Field, File, Item, Kind, Name, Row, Said, Table, What};

/// Returns the name of a kind of declaration in messages.
fn what(of: &What) -> &'static str {
    match of {
        What::Words(_) => "words",
        What::Record(_) => "record",
        What::Field(_) => "field",
        What::Data(_) => "data",
        What::Table(_) => "table",
        What::Marks(_) => "marks",
        What::Part(_) => "part",
        What::Action(_) => "action",
        What::Example(..) => "example",
        What::Price(_) => "price",
        What::Check(_) => "check",
    }
}

fn same_kind(a: &What, b: &What) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// Extends the rulebook `base` of the file `from` by the additions and changes of `more`.
pub fn extend(
    mut base: File,
    more: File,
    from: &str,
    sources: &[Source],
    faults: &mut Faults,
) -> File {
    for declared in more.declared {
        let same = |known: &Declared| {
            same_kind(&known.what, &declared.what) && known.name.text == declared.name.text
        };
        let nameless = declared.name.text.is_empty() || matches!(declared.what, What::Example(..));
        match (base.declared.iter().position(same), declared.change) {
            (Some(at), true) => change(&mut base.declared[at], declared, faults),
            (Some(at), false) if !nameless => {
                there_already(&declared, &base.declared[at], sources, faults);
            }
            (None, true) => nothing_to_change(&declared, &base, from, faults),
            _ => base.declared.push(declared),
        }
    }
    base.game = if more.game.is_empty() { base.game } else { more.game };
    base.about.retain(|(known, _)| more.about.iter().all(|(name, _)| name.text != known.text));
    base.about.extend(more.about);
    base.readings.extend(more.readings);
    base.left_out.extend(more.left_out);
    base
}

/// Reports a name that the extended rulebook declares too, without `change` before it.
fn there_already(declared: &Declared, known: &Declared, sources: &[Source], faults: &mut Faults) {
    let place = line_of(sources, &known.name.span);
    let place = place.map(|(source, line)| format!(" ({}:{line})", source.name));
    let (name, kind) = (&declared.name.text, what(&declared.what));
    let problem = format!("`{name}` is declared already{}", place.unwrap_or_default());
    let does = match declared.what {
        What::Words(_) => "adds words at its end",
        _ => "replaces it",
    };
    faults.note(declared.name.span.clone(), problem, format!("`change {kind} {name}` {does}"));
}

/// Reports a `change` of something that the extended rulebook does not declare.
fn nothing_to_change(declared: &Declared, base: &File, from: &str, faults: &mut Faults) {
    let (name, kind) = (&declared.name, what(&declared.what));
    let alike = base.declared.iter().filter(|known| same_kind(&known.what, &declared.what));
    let problem = format!("there is no `{kind} {}` in {from} to change", name.text);
    no_such(name, problem, alike.map(|known| known.name.text.as_str()), faults);
}

/// Changes a declaration by one of its kind and name.
fn change(known: &mut Declared, by: Declared, faults: &mut Faults) {
    let name = by.name;
    match (&mut known.what, by.what) {
        (What::Field(known), What::Field(by)) => change_field(known, by),
        (What::Data(known), What::Data(by)) => change_data(known, by, faults),
        (What::Table(known), What::Table(by)) => change_table(known, by),
        (What::Part(known), What::Part(by)) if known.params.len() == by.params.len() => *known = by,
        (What::Part(known), What::Part(by)) => {
            let (was, is) = (known.params.len(), by.params.len());
            let values = if was == 1 { "value" } else { "values" };
            let problem = format!("`{}` takes {was} {values}, and here it takes {is}", name.text);
            faults.note(name.span, problem, "a part that is changed keeps its parameters");
        }
        (What::Words(known), What::Words(by)) => change_words(known, by),
        (What::Record(known), What::Record(by)) => change_record(known, by, faults),
        (known, by @ (What::Action(_) | What::Marks(_))) => *known = by,
        (known, _) => {
            let help = "fields, records, data, tables, parts, actions and words can";
            faults.note(name.span, format!("`{}` cannot be changed", what(known)), help);
        }
    }
}

/// Replaces fields of the same name; adds other fields, and conditions.
fn change_record(known: &mut Vec<Item>, by: Vec<Item>, faults: &mut Faults) {
    for item in by {
        let Item::Field(name, by) = item else {
            known.push(item);
            continue;
        };
        let fields = known.iter_mut().filter_map(|old| match old {
            Item::Field(name, field) => Some((&*name, field)),
            Item::Check(_) => None,
        });
        let (names, mut fields): (Vec<_>, Vec<_>) = fields.unzip();
        match names.iter().position(|known| known.text == name.text) {
            Some(at) => change_field(fields.swap_remove(at), by),
            None if is_unsaid(&by.kind) => {
                let problem = format!("there is no field `{}` to change", name.text);
                no_such(&name, problem, names.iter().map(|name| name.text.as_str()), faults);
            }
            None => known.push(Item::Field(name, by)),
        }
    }
}

/// Returns whether a field has no type; a changed field then keeps its type.
fn is_unsaid(kind: &Kind) -> bool {
    matches!(kind, Kind::Choice(options) if options.is_empty())
}

/// Replaces the default and the annotations that are given.
fn change_field(known: &mut Field, by: Field) {
    if !is_unsaid(&by.kind) {
        known.kind = by.kind;
    }
    if by.default.is_some() {
        known.default = by.default;
    }
    let Said { label, help, rule, .. } = by.said;
    let said = &mut known.said;
    for (known, by) in [(&mut said.label, label), (&mut said.help, help), (&mut said.rule, rule)] {
        if !by.is_empty() {
            *known = by;
        }
    }
}

/// Replaces the given columns of rows of the same name; adds other rows.
fn change_data(known: &mut Data, by: Data, faults: &mut Faults) {
    let places: Vec<usize> = by.heads.iter().map(|head| column(known, head)).collect();
    for row in by.rows {
        if row.cells.len() != places.len() {
            let (has, columns) = (row.cells.len(), places.len());
            let problem = format!("this row has {has} cells, and there are {columns} columns");
            faults.note(row.key.span, problem, "");
            continue;
        }
        let Some(at) = row_to_change(known, &row.key, &places, faults) else { continue };
        for (place, cell) in places.iter().zip(row.cells) {
            if let Some(old) = known.rows[at].cells.get_mut(*place) {
                *old = cell;
            }
        }
    }
    known.marks.extend(by.marks);
}

/// Returns the index of a column; a new one is blank.
fn column(known: &mut Data, head: &Name) -> usize {
    let place = known.heads.iter().position(|known| known.text == head.text);
    place.unwrap_or_else(|| {
        known.heads.push(head.clone());
        known.rows.iter_mut().for_each(|row| row.cells.push(blank(&row.key)));
        known.heads.len() - 1
    })
}

/// Returns the index of a row, and adds it if no row has its name and every column is given.
fn row_to_change(
    known: &mut Data,
    key: &Name,
    places: &[usize],
    faults: &mut Faults,
) -> Option<usize> {
    let at = known.rows.iter().position(|old| old.key.text == key.text);
    if at.is_some() {
        return at;
    }
    // Columns of marks may be omitted.
    let numbers = |head: &Name| known.marks.iter().all(|(marked, _)| marked.text != head.text);
    let mut columns = known.heads.iter().enumerate().filter(|(_, head)| numbers(head));
    if columns.any(|(column, _)| !places.contains(&column)) {
        let problem = format!("there is no row `{}` to change", key.text);
        let near = near(&key.text, known.rows.iter().map(|old| old.key.text.as_str()));
        let help = [near.as_str(), "a new row has a cell for every column"].join(" ");
        faults.note(key.span.clone(), problem, help.trim_start());
        return None;
    }
    let cells = known.heads.iter().map(|_| blank(key)).collect();
    known.rows.push(Row { key: key.clone(), cells });
    Some(known.rows.len() - 1)
}

/// Creates a cell that no row gives.
fn blank(at: &Name) -> Name {
    Name { text: "-".into(), span: at.span.clone() }
}

/// Replaces rows of the same key; inserts others in the order of their keys.
fn change_table(known: &mut Table, by: Table) {
    if !by.legend.is_empty() {
        known.legend = by.legend;
    }
    if !by.columns.is_empty() {
        known.columns = by.columns;
    }
    if !by.rule.is_empty() {
        known.rule = by.rule;
    }
    for row in by.rows {
        match known.rows.iter_mut().find(|old| old.key.text == row.key.text) {
            Some(old) => *old = row,
            None => {
                let first =
                    |row: &Row| super::printed_cells::key(&row.key.text).map(|(from, ..)| from);
                let place = known.rows.iter().position(|old| first(old) > first(&row));
                let place = place.unwrap_or(known.rows.len());
                known.rows.insert(place, row);
            }
        }
    }
}

/// Adds words at the end; the list may be repeated from its beginning.
fn change_words(known: &mut Vec<(Name, String)>, by: Vec<(Name, String)>) {
    let again = by.iter().zip(&*known).all(|(by, known)| by.0.text == known.0.text);
    let more = by.into_iter().skip(if again { known.len() } else { 0 });
    known.extend(more);
}
