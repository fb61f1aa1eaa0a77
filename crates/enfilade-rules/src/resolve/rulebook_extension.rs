//! Rulebooks that extend another one: what they add, and what they change.

use super::name_faults::report_unknown;
use crate::diagnostics::{Faults, did_you_mean};
use crate::source_map::{SourceText, file_and_line_of_span};
use crate::syntax::ast::{
    DataRowsDecl, DeclAnnotations, Declaration, DeclarationKind, FieldDecl, FieldOrCheckLine,
    Ident, RowDecl, RulebookAst, TableDecl, TypeExpr,
};

/// Returns the name of a kind of declaration in messages.
fn declaration_kind_name(of: &DeclarationKind) -> &'static str {
    match of {
        DeclarationKind::Words(_) => "words",
        DeclarationKind::Record(_) => "record",
        DeclarationKind::Field(_) => "field",
        DeclarationKind::Data(_) => "data",
        DeclarationKind::Table(_) => "table",
        DeclarationKind::Marks(_) => "marks",
        DeclarationKind::Die(_) => "die",
        DeclarationKind::Part(_) => "part",
        DeclarationKind::Action(_) => "action",
        DeclarationKind::Example(..) => "example",
        DeclarationKind::Price(_) => "price",
        DeclarationKind::Check(_) => "check",
    }
}

fn is_same_kind(a: &DeclarationKind, b: &DeclarationKind) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// Extends the rulebook `base` of the file `from` by the additions and changes of `more`.
pub fn extend_base_rulebook(
    mut base: RulebookAst,
    more: RulebookAst,
    from: &str,
    sources: &[SourceText],
    faults: &mut Faults,
) -> RulebookAst {
    for declared in more.declarations {
        let (kind, name) = (&declared.kind, &declared.name.text);
        let same = |one: &Declaration| is_same_kind(&one.kind, kind) && one.name.text == *name;
        let nameless = name.is_empty() || matches!(kind, DeclarationKind::Example(..));
        match (base.declarations.iter().position(same), declared.change) {
            (Some(at), true) => change_declaration(&mut base.declarations[at], declared, faults),
            (Some(at), false) if !nameless => {
                report_already_declared(&declared, &base.declarations[at], sources, faults);
            }
            (None, true) => report_missing_base(&declared, &base, from, faults),
            _ => base.declarations.push(declared),
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
fn report_already_declared(
    declared: &Declaration,
    declaration: &Declaration,
    sources: &[SourceText],
    faults: &mut Faults,
) {
    let place = file_and_line_of_span(sources, &declaration.name.span);
    let place = place.map(|(source, line)| format!(" ({}:{line})", source.name));
    let (name, kind) = (&declared.name.text, declaration_kind_name(&declared.kind));
    let problem = format!("`{name}` is declared already{}", place.unwrap_or_default());
    let does = match declared.kind {
        DeclarationKind::Words(_) => "adds words at its end",
        _ => "replaces it",
    };
    faults.add_fault_at_span(
        declared.name.span.clone(),
        problem,
        format!("`change {kind} {name}` {does}"),
    );
}

/// Reports a `change` of something that the extended rulebook does not declare.
fn report_missing_base(
    declared: &Declaration,
    base: &RulebookAst,
    from: &str,
    faults: &mut Faults,
) {
    let (name, kind) = (&declared.name, declaration_kind_name(&declared.kind));
    let alike = base.declarations.iter().filter(|known| is_same_kind(&known.kind, &declared.kind));
    let problem = format!("there is no `{kind} {}` in {from} to change", name.text);
    report_unknown(name, problem, alike.map(|known| known.name.text.as_str()), faults);
}

/// Changes a declaration by one of its kind and name.
fn change_declaration(base: &mut Declaration, by: Declaration, faults: &mut Faults) {
    let name = by.name;
    match (&mut base.kind, by.kind) {
        (DeclarationKind::Field(known), DeclarationKind::Field(by)) => change_field(known, by),
        (DeclarationKind::Data(known), DeclarationKind::Data(by)) => change_data(known, by, faults),
        (DeclarationKind::Table(known), DeclarationKind::Table(by)) => change_table(known, by),
        (DeclarationKind::Part(known), DeclarationKind::Part(by))
            if known.params.len() == by.params.len() =>
        {
            *known = by
        }
        (DeclarationKind::Part(known), DeclarationKind::Part(by)) => {
            let (was, is) = (known.params.len(), by.params.len());
            let values = if was == 1 { "value" } else { "values" };
            let problem = format!("`{}` takes {was} {values}, and here it takes {is}", name.text);
            faults.add_fault_at_span(
                name.span,
                problem,
                "a part that is changed keeps its parameters",
            );
        }
        (DeclarationKind::Words(known), DeclarationKind::Words(by)) => append_words(known, by),
        (DeclarationKind::Record(known), DeclarationKind::Record(by)) => {
            change_record(known, by, faults)
        }
        (
            known,
            by @ (DeclarationKind::Action(_) | DeclarationKind::Marks(_) | DeclarationKind::Die(_)),
        ) => *known = by,
        (known, _) => {
            let help = "fields, records, data, tables, parts, actions and words can";
            faults.add_fault_at_span(
                name.span,
                format!("`{}` cannot be changed", declaration_kind_name(known)),
                help,
            );
        }
    }
}

/// Replaces fields of the same name; adds other fields, and conditions.
fn change_record(base: &mut Vec<FieldOrCheckLine>, by: Vec<FieldOrCheckLine>, faults: &mut Faults) {
    for item in by {
        let FieldOrCheckLine::Field(name, by) = item else {
            base.push(item);
            continue;
        };
        let fields = base.iter_mut().filter_map(|old| match old {
            FieldOrCheckLine::Field(name, field) => Some((&*name, field)),
            FieldOrCheckLine::Check(_) => None,
        });
        let (names, mut fields): (Vec<_>, Vec<_>) = fields.unzip();
        match names.iter().position(|known| known.text == name.text) {
            Some(at) => change_field(fields.swap_remove(at), by),
            None if is_type_omitted(&by.kind) => {
                let problem = format!("there is no field `{}` to change", name.text);
                report_unknown(&name, problem, names.iter().map(|name| name.text.as_str()), faults);
            }
            None => base.push(FieldOrCheckLine::Field(name, by)),
        }
    }
}

/// Returns whether a field has no type; a changed field then keeps its type.
fn is_type_omitted(kind: &TypeExpr) -> bool {
    matches!(kind, TypeExpr::Choice(options) if options.is_empty())
}

/// Replaces the default and the annotations that are given.
fn change_field(base: &mut FieldDecl, by: FieldDecl) {
    if !is_type_omitted(&by.kind) {
        base.kind = by.kind;
    }
    if by.default.is_some() {
        base.default = by.default;
    }
    let DeclAnnotations { label, help, rule, .. } = by.annotations;
    let annotations = &mut base.annotations;
    for (known, by) in [
        (&mut annotations.label, label),
        (&mut annotations.help, help),
        (&mut annotations.rule, rule),
    ] {
        if !by.is_empty() {
            *known = by;
        }
    }
}

/// Replaces the given columns of rows of the same name; adds other rows.
fn change_data(base: &mut DataRowsDecl, by: DataRowsDecl, faults: &mut Faults) {
    let places: Vec<usize> = by.heads.iter().map(|head| find_or_add_column(base, head)).collect();
    for row in by.rows {
        if row.cells.len() != places.len() {
            let (has, columns) = (row.cells.len(), places.len());
            let problem = format!("this row has {has} cells, and there are {columns} columns");
            faults.add_fault_at_span(row.key.span, problem, "");
            continue;
        }
        let Some(at) = find_or_add_row(base, &row.key, &places, faults) else { continue };
        for (place, cell) in places.iter().zip(row.cells) {
            if let Some(old) = base.rows[at].cells.get_mut(*place) {
                *old = cell;
            }
        }
    }
    base.marks.extend(by.marks);
}

/// Returns the index of a column; a new one is blank.
fn find_or_add_column(base: &mut DataRowsDecl, head: &Ident) -> usize {
    let place = base.heads.iter().position(|column_index| column_index.text == head.text);
    place.unwrap_or_else(|| {
        base.heads.push(head.clone());
        base.rows.iter_mut().for_each(|row| row.cells.push(cell_without_value(&row.key)));
        base.heads.len() - 1
    })
}

/// Returns the index of a row, and adds it if no row has its name and every column is given.
fn find_or_add_row(
    base: &mut DataRowsDecl,
    key: &Ident,
    places: &[usize],
    faults: &mut Faults,
) -> Option<usize> {
    let at = base.rows.iter().position(|old| old.key.text == key.text);
    if at.is_some() {
        return at;
    }
    // Columns of marks may be omitted.
    let numbers = |head: &Ident| base.marks.iter().all(|(marked, _)| marked.text != head.text);
    let mut columns = base.heads.iter().enumerate().filter(|(_, head)| numbers(head));
    if columns.any(|(column, _)| !places.contains(&column)) {
        let problem = format!("there is no row `{}` to change", key.text);
        let near = did_you_mean(&key.text, base.rows.iter().map(|old| old.key.text.as_str()));
        let help = [near.as_str(), "a new row has a cell for every column"].join(" ");
        faults.add_fault_at_span(key.span.clone(), problem, help.trim_start());
        return None;
    }
    let cells = base.heads.iter().map(|_| cell_without_value(key)).collect();
    base.rows.push(RowDecl { key: key.clone(), cells });
    Some(base.rows.len() - 1)
}

/// Creates a cell that no row gives.
fn cell_without_value(at: &Ident) -> Ident {
    Ident { text: "-".into(), span: at.span.clone() }
}

/// Replaces rows of the same key; inserts others in the order of their keys.
fn change_table(base: &mut TableDecl, by: TableDecl) {
    if !by.legend.is_empty() {
        base.legend = by.legend;
    }
    if !by.columns.is_empty() {
        base.columns = by.columns;
    }
    if !by.rule.is_empty() {
        base.rule = by.rule;
    }
    base.otherwise = by.otherwise.or(base.otherwise.take());
    for row in by.rows {
        match base.rows.iter_mut().find(|old| old.key.text == row.key.text) {
            Some(old) => *old = row,
            None => {
                let first = |row: &RowDecl| {
                    super::tables::parse_number_or_range_key(&row.key.text).map(|(from, ..)| from)
                };
                let place = base.rows.iter().position(|old| first(old) > first(&row));
                let place = place.unwrap_or(base.rows.len());
                base.rows.insert(place, row);
            }
        }
    }
}

/// Adds words at the end; the list may be repeated from its beginning.
fn append_words(base: &mut Vec<(Ident, String)>, by: Vec<(Ident, String)>) {
    let again = by.iter().zip(&*base).all(|(by, known)| by.0.text == known.0.text);
    let more = by.into_iter().skip(if again { base.len() } else { 0 });
    base.extend(more);
}
