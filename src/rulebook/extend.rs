//! A rulebook that extends another: what it adds, and what it changes.

use super::fault::Faults;
use super::game::near;
use super::source::{Source, line_of};
use super::tree::{Data, Declared, Field, File, Item, Kind, Name, Row, Said, Table, What};

/// What a declaration is called in a message.
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

/// The rulebook `base`, which stands in the file `from`, with what `more` adds and changes.
pub fn extend(
    mut base: File,
    more: File,
    from: &str,
    sources: &[Source],
    faults: &mut Faults,
) -> File {
    for declared in more.declared {
        let nameless = declared.name.text.is_empty() || matches!(declared.what, What::Example(..));
        let known = base.declared.iter_mut().find(|known| {
            same_kind(&known.what, &declared.what) && known.name.text == declared.name.text
        });
        match (known, declared.change) {
            (Some(known), true) => change(known, declared, faults),
            (Some(known), false) if !nameless => {
                let place = line_of(sources, &known.name.span);
                let place = place.map(|(source, line)| format!(" ({}:{line})", source.name));
                let (name, kind) = (&declared.name.text, what(&declared.what));
                let place = place.unwrap_or_default();
                let problem = format!("`{name}` is there already{place}");
                let does = match declared.what {
                    What::Words(_) => "adds words at its end",
                    _ => "replaces it",
                };
                let help = format!("`change {kind} {name}` {does}");
                faults.note(declared.name.span.clone(), problem, help);
            }
            (None, true) => {
                let kind = what(&declared.what);
                let name = &declared.name.text;
                let alike =
                    base.declared.iter().filter(|known| same_kind(&known.what, &declared.what));
                let help = near(name, alike.map(|known| known.name.text.as_str()));
                let problem = format!("there is no `{kind} {name}` in {from} to change");
                faults.note(declared.name.span.clone(), problem, help);
            }
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

fn change(known: &mut Declared, by: Declared, faults: &mut Faults) {
    let name = by.name;
    match (&mut known.what, by.what) {
        (What::Field(known), What::Field(by)) => change_field(known, by),
        (What::Data(known), What::Data(by)) => change_data(known, by, faults),
        (What::Table(known), What::Table(by)) => change_table(known, by),
        (What::Part(known), What::Part(by)) => {
            if known.params.len() != by.params.len() {
                let (was, is) = (known.params.len(), by.params.len());
                let values = if was == 1 { "value" } else { "values" };
                let problem =
                    format!("`{}` takes {was} {values}, and here it takes {is}", name.text);
                faults.note(name.span, problem, "a part that is changed keeps its parameters");
                return;
            }
            *known = by;
        }
        (What::Words(known), What::Words(by)) => change_words(known, by),
        (What::Record(known), What::Record(by)) => change_record(known, by, faults),
        (known, by @ (What::Action(_) | What::Marks(_))) => *known = by,
        (known, _) => {
            let problem = format!("`{}` cannot be changed", what(known));
            faults.note(
                name.span,
                problem,
                "fields, records, data, tables, parts, actions and words can",
            );
        }
    }
}

/// Fields of the same name changed, others and conditions added.
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
                let help = near(&name.text, names.iter().map(|name| name.text.as_str()));
                let problem = format!("there is no field `{}` to change", name.text);
                faults.note(name.span, problem, help);
            }
            None => known.push(Item::Field(name, by)),
        }
    }
}

/// Whether a field says no kind: then it has that of the field that it changes.
fn is_unsaid(kind: &Kind) -> bool {
    matches!(kind, Kind::Choice(options) if options.is_empty())
}

/// Another default, and what else is said.
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

/// Rows of the same name replaced, in the columns that are given; others added.
fn change_data(known: &mut Data, by: Data, faults: &mut Faults) {
    let mut places = Vec::new();
    for head in &by.heads {
        let place = known.heads.iter().position(|known| known.text == head.text);
        places.push(place.unwrap_or_else(|| {
            known.heads.push(head.clone());
            for row in &mut known.rows {
                row.cells.push(blank(&row.key));
            }
            known.heads.len() - 1
        }));
    }
    for row in by.rows {
        if row.cells.len() != places.len() {
            let (has, columns) = (row.cells.len(), places.len());
            let problem = format!("this row has {has} cells, and there are {columns} columns");
            faults.note(row.key.span, problem, "");
            continue;
        }
        let at = known.rows.iter().position(|old| old.key.text == row.key.text);
        // What has no specials may leave them out.
        let numbers = |head: &Name| known.marks.iter().all(|(marked, _)| marked.text != head.text);
        let mut columns = known.heads.iter().enumerate().filter(|(_, head)| numbers(head));
        if at.is_none() && columns.any(|(column, _)| !places.contains(&column)) {
            let problem = format!("there is no row `{}` to change", row.key.text);
            let near = near(&row.key.text, known.rows.iter().map(|old| old.key.text.as_str()));
            let help = [near.as_str(), "a new row has a cell for every column"].join(" ");
            faults.note(row.key.span, problem, help.trim_start());
            continue;
        }
        let at = at.unwrap_or_else(|| {
            let cells = known.heads.iter().map(|_| blank(&row.key)).collect();
            known.rows.push(Row { key: row.key.clone(), cells });
            known.rows.len() - 1
        });
        for (place, cell) in places.iter().zip(row.cells) {
            if let Some(old) = known.rows[at].cells.get_mut(*place) {
                *old = cell;
            }
        }
    }
    known.marks.extend(by.marks);
}

fn blank(at: &Name) -> Name {
    Name { text: "-".into(), span: at.span.clone() }
}

/// Rows of the same key replaced, others put where their keys belong.
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
                let first = |row: &Row| super::cells::key(&row.key.text).map(|(from, ..)| from);
                let place = known.rows.iter().position(|old| first(old) > first(&row));
                let place = place.unwrap_or(known.rows.len());
                known.rows.insert(place, row);
            }
        }
    }
}

/// More words at the end; the list may be said again from its beginning.
fn change_words(known: &mut Vec<(Name, String)>, by: Vec<(Name, String)>) {
    let again = by.iter().zip(&*known).all(|(by, known)| by.0.text == known.0.text);
    let more = by.into_iter().skip(if again { known.len() } else { 0 });
    known.extend(more);
}
