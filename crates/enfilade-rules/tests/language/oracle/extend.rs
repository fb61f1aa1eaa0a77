//! A rulebook that extends another, put together as the page says.

use enfilade_rules::syntax::ast::{
    DataRowsDecl, Declaration, DeclarationKind, FieldDecl, Ident, RowDecl, RulebookAst, TableDecl,
    TypeExpr,
};

/// `base` with what `more` adds and changes.
pub fn extended(mut base: RulebookAst, more: RulebookAst) -> RulebookAst {
    for declared in more.declarations {
        match declared.change {
            true => change(&mut base.declarations, declared),
            false => base.declarations.push(declared),
        }
    }
    base
}

fn change(known: &mut [Declaration], by: Declaration) {
    let named = known.iter_mut().filter(|old| old.name.text == by.name.text);
    let same = |old: &&mut Declaration| {
        std::mem::discriminant(&old.kind) == std::mem::discriminant(&by.kind)
    };
    let old = named.into_iter().find(same).expect("it is there");
    match (&mut old.kind, by.kind) {
        (DeclarationKind::Field(old), DeclarationKind::Field(by)) => change_field(old, by),
        (DeclarationKind::Data(old), DeclarationKind::Data(by)) => change_data(old, by),
        (DeclarationKind::Table(old), DeclarationKind::Table(by)) => change_table(old, by),
        (DeclarationKind::Words(old), DeclarationKind::Words(by)) => old.extend(by),
        (old, by) => *old = by,
    }
}

fn change_field(old: &mut FieldDecl, by: FieldDecl) {
    // Without a kind it is another default only.
    let says_kind = !matches!(&by.kind, TypeExpr::Choice(words) if words.is_empty());
    if says_kind {
        old.kind = by.kind;
    }
    old.default = by.default.or(old.default.take());
}

fn change_data(old: &mut DataRowsDecl, by: DataRowsDecl) {
    for row in by.rows {
        let same = old.rows.iter().position(|old| old.key.text == row.key.text);
        let place = same.unwrap_or_else(|| {
            let blank = |_: &Ident| Ident { text: "-".to_owned(), span: row.key.span.clone() };
            let cells = old.heads.iter().map(blank).collect();
            let key = row.key.clone();
            old.rows.push(RowDecl { key, cells });
            old.rows.len() - 1
        });
        for (head, cell) in by.heads.iter().zip(row.cells) {
            let column = old.heads.iter().position(|old| old.text == head.text);
            old.rows[place].cells[column.expect("the column is there")] = cell;
        }
    }
}

fn change_table(old: &mut TableDecl, by: TableDecl) {
    for row in by.rows {
        match old.rows.iter().position(|old| old.key.text == row.key.text) {
            Some(place) => old.rows[place] = row,
            // Only keys after the last are ever added here.
            None => old.rows.push(row),
        }
    }
}
