//! Conversion of a game's fields to form fields.

use std::sync::Arc;

use crate::resolve::game::{Column, FieldKind, Game, Holds, RecordKind};
use crate::resolve::printed_cells::table_keys;
use crate::resolve::{CHANGE, COUNT};
use crate::source_map::{source_of, within};
use crate::syntax::ast::{Default, Expr, Says};
use crate::types::{Kind, Range, STORED};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::name_matching::{NameList, Names};
use enfilade_model::form::{Field, Fields, Kind as Asked, Preset, ROW_NAME, Words, in_words};
use enfilade_model::shared::{Shared, Text};

/// Converts a field to a form field.
pub(crate) fn form_field(game: &Game, field: &FieldKind) -> Field {
    let said = &field.said;
    let name = match (&field.holds, said.label.is_empty()) {
        (Holds::List(..), false) => &said.label,
        _ => &field.name.text,
    };
    let kind = asked(game, &field.holds, name);
    Field {
        name: field.name.text.clone().into(),
        preset: preset(game, field, &kind),
        kind,
        about: said.about(&field.name.text).into(),
        source: said.rule.clone().into(),
        assumed: said.assumed,
        label: said.label.clone().into(),
        unit: said.unit.clone().into(),
        group: field.group.clone().into(),
        rare: said.rare,
        values: labels(game, field),
        hexes: false,
    }
}

/// Returns the labels of a field's values: its words, or its no and yes.
fn labels(game: &Game, field: &FieldKind) -> Words {
    let Holds::Number(range) = &field.holds else { return Words::NONE };
    match (range.kind, field.said.called.as_deref()) {
        (Kind::Word(list), _) => word_labels(game, list),
        (Kind::YesNo, Some((no, yes))) => {
            Words::from([no, yes].map(|text| text.clone().into()).to_vec())
        }
        _ => Words::NONE,
    }
}

/// Returns the labels of a list's words, where they differ from the words.
pub(crate) fn word_labels(game: &Game, list: u16) -> Words {
    let words = &game.words[usize::from(list)].words;
    if words.iter().all(|(_, label)| label.is_empty()) {
        return Words::NONE;
    }
    let label = |place: usize| Text::from(game.shown(Kind::Word(list), place as i64));
    Words::from((0..words.len()).map(label).collect::<Vec<_>>())
}

/// Converts a word to its spelling in contests and results: `at_once` becomes `at-once`.
pub(crate) fn called(word: &str) -> Text {
    Text::from(word.replace('_', "-"))
}

pub(crate) fn bound(name: &str, low: i64, high: i64) -> Bound {
    let name = name.replace('_', " ").into();
    Bound { name, low, high }
}

/// Returns the form type of a field; `name` is its name in messages.
pub(crate) fn asked(game: &Game, holds: &Holds, name: &str) -> Asked {
    match holds {
        Holds::Number(range) => asked_number(game, *range, name),
        Holds::OneOf(numbers) => asked_number(game, Range::of(numbers), name),
        Holds::Die(lo, hi, by) => {
            let sides = (*lo..=*hi).step_by(*by as usize);
            let sides: Vec<u8> = sides.map(|sides| sides as u8).collect();
            Asked::Die(sides.into())
        }
        Holds::Row(data) => {
            let block = &game.data[usize::from(*data)];
            let names = block.rows.iter().map(|row| row.text.clone()).collect();
            let names = Names::Made(Arc::new(NameList::of(names)));
            Asked::row(names, columns_of_data(game, *data))
        }
        Holds::Record(record) => match printed_numbers(&game.records[*record]) {
            Some((numbers, range)) => {
                let names = Names::Made(Arc::new(NameList::numbered(numbers)));
                Asked::Entries(names, bound("number", range.lo, range.hi))
            }
            None => Asked::Table(record_fields(game, *record, false)),
        },
        Holds::Marks(_) => {
            let many = bound("number of specials", 0, crate::types::LIST);
            Asked::List(Shared::new(Asked::Text), many)
        }
        Holds::List(lo, hi, of) => asked_list(game, of, name, (*lo, *hi)),
    }
}

/// Returns the form type of a switch, of one of some words, or of a number within bounds.
fn asked_number(game: &Game, range: Range, name: &str) -> Asked {
    match range.kind {
        Kind::YesNo => Asked::Flag,
        Kind::Word(list) => {
            let words = game.words[usize::from(list)].each().map(called);
            Asked::Choice(Words::from(words.collect::<Vec<_>>()))
        }
        _ => Asked::Int(bound(name, range.lo, range.hi)),
    }
}

/// Returns the form type of a list; records become tables of a form, each of which may have a
/// count.
fn asked_list(game: &Game, of: &Holds, name: &str, (lo, hi): (i64, i64)) -> Asked {
    match of {
        Holds::Record(record) => {
            let many = bound(&format!("number of {name}"), lo, hi);
            Asked::Tables(record_fields(game, *record, true), many)
        }
        of => {
            let many = bound("number of entries", lo, hi);
            Asked::List(Shared::new(asked(game, of, name)), many)
        }
    }
}

/// Smallest number of a record's fields that makes it a list of printed numbers, of which a contest
/// names only those that it changes. Records with fewer numbers have a field for each.
const NUMBERS: usize = 12;

/// Returns the numbers of a record that contains nothing else, if each is a printed default and all
/// have one range.
pub(crate) fn printed_numbers(record: &RecordKind) -> Option<(Vec<(String, i64)>, Range)> {
    let Holds::Number(range) = record.fields.first()?.holds else { return None };
    let printed = |field: &FieldKind| match (&field.holds, &field.default) {
        (Holds::Number(own), Some(Default::One(value))) => {
            Some((field.name.text.clone(), value.literal().filter(|_| *own == range)?))
        }
        _ => None,
    };
    let plain = range.kind == Kind::Number && record.checks.is_empty();
    let numbers: Option<Vec<_>> = record.fields.iter().map(printed).collect();
    numbers.filter(|numbers| plain && numbers.len() >= NUMBERS).map(|numbers| (numbers, range))
}

/// Returns the fields of a record, with its count and its name.
pub(crate) fn record_fields(game: &Game, record: usize, several: bool) -> Fields {
    let fields = &game.records[record].fields;
    let mut made: Vec<Field> = fields.iter().map(|field| form_field(game, field)).collect();
    let has = |name: &str| fields.iter().any(|field| field.name.text == name);
    if several && !has(COUNT) {
        let many = bound("count", 0, crate::types::THINGS as i64);
        let about = "number of equal ones";
        made.push(plain(COUNT, Asked::Int(many), Preset::Int(1), about));
    }
    if !has(ROW_NAME) {
        let about = "name in explanations";
        made.push(plain(ROW_NAME, Asked::Text, Preset::Absent, about));
    }
    made.into()
}

/// Creates a field without a rule reference.
pub(crate) fn plain(name: &str, kind: Asked, preset: Preset, about: &'static str) -> Field {
    let name = Text::from(name.to_owned());
    Field { label: in_words(&name), name, ..Field::new("", kind, preset, about) }
}

/// Returns the columns of data as fields that a contest may change.
pub(crate) fn columns_of_data(game: &Game, data: u16) -> Vec<Field> {
    let block = &game.data[usize::from(data)];
    let columns = block.columns.iter().zip(&block.kinds);
    let column = |(head, kind): (&String, &Column)| {
        let kind = match kind {
            Column::Of(kind) => cell_kind(game, *kind, head),
            Column::Marks(_) => Asked::Text,
        };
        unless_said(head, kind)
    };
    columns.map(column).collect()
}

/// Returns the form type of a changed cell: the words of its list, or any number.
pub(crate) fn cell_kind(game: &Game, kind: Kind, head: &str) -> Asked {
    match kind {
        Kind::YesNo => Asked::Flag,
        Kind::Word(list) => asked(game, &Holds::Number(game.all_of(Kind::Word(list))), head),
        _ => Asked::Int(bound(head, STORED.0, STORED.1)),
    }
}

/// Returns the field that changes cells of data and tables; `None` if the game has neither.
pub(crate) fn change_field(game: &Game) -> Option<Field> {
    let data = (0..game.data.len()).map(|at| changed_data(game, at));
    let tables = (0..game.tables.len()).map(|at| changed_table(game, at));
    let blocks: Vec<Field> = data.chain(tables).collect();
    if blocks.is_empty() {
        return None;
    }
    let about = "cells of data and tables that are changed: `weapons.lmg.shots = 4`";
    let kind = Asked::Table(Fields::from(blocks));
    Some(Field { rare: true, ..plain(CHANGE, kind, Preset::Absent, about) })
}

/// Creates the field of a changeable cell; the printed value applies if the contest omits it.
fn unless_said(name: &str, kind: Asked) -> Field {
    plain(name, kind, Preset::Absent, "value in place of the printed one")
}

/// Creates a field for each key, all of one type.
fn each_key<'k>(keys: impl Iterator<Item = &'k String>, kind: &Asked) -> Asked {
    let cells = keys.map(|key| unless_said(key, kind.clone()));
    Asked::Table(Fields::from(cells.collect::<Vec<_>>()))
}

/// Creates the field of a data block: its rows, each with its columns.
fn changed_data(game: &Game, at: usize) -> Field {
    let block = &game.data[at];
    let columns = Asked::Table(Fields::from(columns_of_data(game, at as u16)));
    unless_said(&block.name, each_key(block.rows.iter().map(|row| &row.text), &columns))
}

/// Creates the field of a table: its rows, each with its columns; without columns a row is a cell.
fn changed_table(game: &Game, at: usize) -> Field {
    let table = &game.tables[at];
    let (rows, columns) = table_keys(game, at);
    let cell = match &table.legend {
        Some(_) => Asked::Text,
        None => cell_kind(game, table.kind, &table.name),
    };
    let row = match columns.is_empty() {
        true => cell,
        false => each_key(columns.iter(), &cell),
    };
    unless_said(&table.name, each_key(rows.iter(), &row))
}

/// Returns whether some line tests the field with `given`.
fn is_asked_for(game: &Game, field: &FieldKind) -> bool {
    let mut inner = game.records.iter().flat_map(|record| &record.fields);
    let inside = inner.any(|inner| inner.name.span == field.name.span);
    let name = field.name.text.clone();
    game.asked_for.contains(&(name, inside))
}

/// Returns the default of a form field.
fn preset(game: &Game, field: &FieldKind, kind: &Asked) -> Preset {
    let Some(default) = &field.default else { return no_preset(field, kind) };
    let plain = match (default, &field.holds) {
        // The rule tests whether the field is given, so the form must not fill it in.
        _ if is_asked_for(game, field) => None,
        (Default::List(items, _), _) if items.is_empty() => Some(Preset::Empty),
        (Default::List(items, _), Holds::List(_, _, of)) => {
            let numbers: Option<Vec<i64>> = items.iter().map(Expr::literal).collect();
            let is_plain = matches!(**of, Holds::Number(range) if range.kind == Kind::Number);
            numbers.filter(|_| is_plain).map(|numbers| Preset::Ints(numbers.into()))
        }
        (Default::List(..), _) => None,
        (Default::One(value), holds) => one_preset(game, value, holds),
    };
    plain.unwrap_or_else(|| as_written(game, default))
}

/// Returns a computed default as the text of the file.
fn as_written(game: &Game, default: &Default) -> Preset {
    let source = &game.sources[source_of(&game.sources, default.span())];
    let written = source.text.get(within(source, default.span())).unwrap_or_default();
    Preset::Reckoned(written.to_owned().into())
}

/// Returns the default of a field that declares none: nothing, or a record all of whose fields have
/// defaults.
fn no_preset(field: &FieldKind, kind: &Asked) -> Preset {
    let is_filled = |inner: &Field| !matches!(inner.preset, Preset::Required);
    match (&field.holds, kind) {
        _ if field.said.optional => Preset::Absent,
        (Holds::Record(_), Asked::Table(inner)) if inner.iter().all(is_filled) => Preset::Empty,
        (Holds::Record(_), Asked::Entries(..)) | (Holds::List(0, ..), _) => Preset::Empty,
        _ => Preset::Required,
    }
}

/// Returns a constant default as the form shows it; `None` if it is computed.
pub(crate) fn one_preset(game: &Game, value: &Expr, holds: &Holds) -> Option<Preset> {
    Some(match (&value.what, holds) {
        (Says::Yes(yes), Holds::Number(_)) => Preset::Flag(*yes),
        (Says::Name(name), Holds::Number(range)) => {
            let Kind::Word(list) = range.kind else { return None };
            game.word(list, name)?;
            Preset::Text(called(name))
        }
        (Says::Name(name), Holds::Row(data)) => {
            let row = game.row(*data, name)?;
            Preset::Text(game.data[usize::from(*data)].rows[row].text.clone().into())
        }
        (_, Holds::Die(..)) => Preset::Die(u8::try_from(value.die()?).ok()?),
        (_, Holds::Number(_) | Holds::OneOf(_)) => Preset::Int(value.literal()?),
        _ => return None,
    })
}
