//! A rulebook that extends another, put together as the page says.

use enfilade::rulebook::syntax::ast::{Data, Declared, Field, File, Kind, Name, Row, Table, What};

/// `base` with what `more` adds and changes.
pub fn extended(mut base: File, more: File) -> File {
    for declared in more.declared {
        match declared.change {
            true => change(&mut base.declared, declared),
            false => base.declared.push(declared),
        }
    }
    base
}

fn change(known: &mut [Declared], by: Declared) {
    let named = known.iter_mut().filter(|old| old.name.text == by.name.text);
    let same =
        |old: &&mut Declared| std::mem::discriminant(&old.what) == std::mem::discriminant(&by.what);
    let old = named.into_iter().find(same).expect("it is there");
    match (&mut old.what, by.what) {
        (What::Field(old), What::Field(by)) => change_field(old, by),
        (What::Data(old), What::Data(by)) => change_data(old, by),
        (What::Table(old), What::Table(by)) => change_table(old, by),
        (What::Words(old), What::Words(by)) => old.extend(by),
        (old, by) => *old = by,
    }
}

fn change_field(old: &mut Field, by: Field) {
    // Without a kind it is another default only.
    let says_kind = !matches!(&by.kind, Kind::Choice(words) if words.is_empty());
    if says_kind {
        old.kind = by.kind;
    }
    old.default = by.default.or(old.default.take());
}

fn change_data(old: &mut Data, by: Data) {
    for row in by.rows {
        let same = old.rows.iter().position(|old| old.key.text == row.key.text);
        let place = same.unwrap_or_else(|| {
            let blank = |_: &Name| Name { text: "-".to_owned(), span: row.key.span.clone() };
            let cells = old.heads.iter().map(blank).collect();
            let key = row.key.clone();
            old.rows.push(Row { key, cells });
            old.rows.len() - 1
        });
        for (head, cell) in by.heads.iter().zip(row.cells) {
            let column = old.heads.iter().position(|old| old.text == head.text);
            old.rows[place].cells[column.expect("the column is there")] = cell;
        }
    }
}

fn change_table(old: &mut Table, by: Table) {
    for row in by.rows {
        match old.rows.iter().position(|old| old.key.text == row.key.text) {
            Some(place) => old.rows[place] = row,
            // Only keys after the last are ever added here.
            None => old.rows.push(row),
        }
    }
}
