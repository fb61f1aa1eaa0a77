//! Fields of a game as forms know them.

use std::sync::Arc;

use super::game::{Column, FieldKind, Game, Holds, Keys, RecordKind};
use super::kind::{Kind, Range, STORED};
use super::tree::{Default, Expr, Says};
use crate::bounds::Bound;
use crate::form::names::{NameList, Names};
use crate::form::{Field, Fields, Kind as Asked, Preset, ROW_NAME, Words, in_words};
use crate::shared::{Shared, Text};

/// The table of a contest that changes cells.
pub const CHANGE: &str = "change";
/// How many there are of a record.
pub const COUNT: &str = "count";

/// A field as forms know it.
pub(super) fn form_field(game: &Game, field: &FieldKind) -> Field {
    let said = &field.said;
    let name = match (&field.holds, said.label.is_empty()) {
        (Holds::List(..), false) => &said.label,
        _ => &field.name.text,
    };
    let kind = asked(game, &field.holds, name);
    let values = match &field.holds {
        Holds::Number(range) => match (range.kind, &said.called) {
            (Kind::Word(list), _) => word_labels(game, list),
            (Kind::YesNo, Some(called)) => {
                let (no, yes) = &**called;
                Words::from([no, yes].map(|text| text.clone().into()).to_vec())
            }
            _ => Words::NONE,
        },
        _ => Words::NONE,
    };
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
        values,
        hexes: false,
    }
}

pub(super) fn word_labels(game: &Game, list: u16) -> Words {
    let words = &game.words[usize::from(list)].words;
    if words.iter().all(|(_, label)| label.is_empty()) {
        return Words::NONE;
    }
    let label = |place: usize| Text::from(game.shown(Kind::Word(list), place as i64));
    Words::from((0..words.len()).map(label).collect::<Vec<_>>())
}

/// A word as contests and results write it: `at_once` is `at-once` there.
pub(super) fn called(word: &str) -> Text {
    Text::from(word.replace('_', "-"))
}

pub(super) fn bound(name: &str, low: i64, high: i64) -> Bound {
    let name = name.replace('_', " ").into();
    Bound { name, low, high }
}

pub(super) fn asked(game: &Game, holds: &Holds, name: &str) -> Asked {
    match holds {
        Holds::Number(range) => match range.kind {
            Kind::YesNo => Asked::Flag,
            Kind::Word(list) => {
                let words = &game.words[usize::from(list)].words;
                let words = words.iter().map(|(word, _)| called(word));
                Asked::Choice(Words::from(words.collect::<Vec<_>>()))
            }
            _ => Asked::Int(bound(name, range.lo, range.hi)),
        },
        Holds::OneOf(numbers) => {
            let Range { lo, hi, .. } = Range::of(numbers);
            Asked::Int(bound(name, lo, hi))
        }
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
            let many = bound("number of specials", 0, super::kind::LIST);
            Asked::List(Shared::new(Asked::Text), many)
        }
        Holds::List(lo, hi, of) => match &**of {
            Holds::Record(record) => {
                let many = bound(&format!("number of {name}"), *lo, *hi);
                Asked::Tables(record_fields(game, *record, true), many)
            }
            of => {
                let many = bound("number of entries", *lo, *hi);
                Asked::List(Shared::new(asked(game, of, name)), many)
            }
        },
    }
}

/// Numbers of a record from which on it is a list of printed numbers, of which a contest names those that
/// it changes; fewer are what a unit is like, and each is a field.
const NUMBERS: usize = 12;

/// The numbers of a record that holds nothing else, each printed as a default and all of one range.
pub(super) fn printed_numbers(record: &RecordKind) -> Option<(Vec<(String, i64)>, Range)> {
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

pub(super) fn record_fields(game: &Game, record: usize, several: bool) -> Fields {
    let fields = &game.records[record].fields;
    let mut made: Vec<Field> = fields.iter().map(|field| form_field(game, field)).collect();
    let has = |name: &str| fields.iter().any(|field| field.name.text == name);
    if several && !has(COUNT) {
        let many = bound("count", 0, super::kind::THINGS as i64);
        let about = "how many of them there are";
        made.push(plain(COUNT, Asked::Int(many), Preset::Int(1), about));
    }
    if !has(ROW_NAME) {
        let about = "what it is called where it is told";
        made.push(plain(ROW_NAME, Asked::Text, Preset::Absent, about));
    }
    made.into()
}

pub(super) fn plain(name: &str, kind: Asked, preset: Preset, about: &'static str) -> Field {
    let name = Text::from(name.to_owned());
    Field { label: in_words(&name), name, ..Field::new("", kind, preset, about) }
}

/// The columns of data as fields that a contest may change.
pub(super) fn columns_of_data(game: &Game, data: u16) -> Vec<Field> {
    let block = &game.data[usize::from(data)];
    let columns = block.columns.iter().zip(&block.kinds);
    let column = |(head, kind): (&String, &Column)| {
        let kind = match kind {
            Column::Of(kind) => cell_kind(game, *kind, head),
            Column::Marks(_) => Asked::Text,
        };
        plain(head, kind, Preset::Absent, "the printed one where nothing is said")
    };
    columns.map(column).collect()
}

pub(super) fn cell_kind(game: &Game, kind: Kind, head: &str) -> Asked {
    match kind {
        Kind::YesNo => Asked::Flag,
        Kind::Word(list) => asked(game, &Holds::Number(game.all_of(Kind::Word(list))), head),
        _ => Asked::Int(bound(head, STORED.0, STORED.1)),
    }
}

/// The keys of rows and columns of a table, as they are printed; without columns a row is a cell.
pub fn table_keys(game: &Game, table: usize) -> (Vec<String>, Vec<String>) {
    let table = &game.tables[table];
    let columns = table.columns.as_ref().map_or(Vec::new(), printed_keys);
    (printed_keys(&table.rows), columns)
}

pub(super) fn printed_keys(keys: &Keys) -> Vec<String> {
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    match keys {
        Keys::Words(words) => words.clone(),
        Keys::Numbers(numbers) => numbers
            .iter()
            .map(|(from, to)| match (*from == least, *to == most) {
                (true, _) => format!("..{to}"),
                (_, true) => format!("{from}.."),
                _ if from == to => from.to_string(),
                _ => format!("{from}..{to}"),
            })
            .collect(),
    }
}

/// The field by which a contest changes cells of data and tables; none where there are neither.
pub(super) fn change_field(game: &Game) -> Option<Field> {
    let about = "the printed one where nothing is said";
    let mut blocks = Vec::new();
    for (at, block) in game.data.iter().enumerate() {
        let columns = Fields::from(columns_of_data(game, at as u16));
        let rows = block.rows.iter();
        let row = |row: &super::tree::Name| {
            plain(&row.text, Asked::Table(columns.clone()), Preset::Absent, about)
        };
        let rows = Fields::from(rows.map(row).collect::<Vec<_>>());
        blocks.push(plain(&block.name, Asked::Table(rows), Preset::Absent, about));
    }
    for (at, table) in game.tables.iter().enumerate() {
        let (rows, columns) = table_keys(game, at);
        let cell = match &table.legend {
            Some(_) => Asked::Text,
            None => cell_kind(game, table.kind, &table.name),
        };
        let cells = |keys: &[String], of: &Asked| {
            let cells = keys.iter();
            let cells = cells.map(|key| plain(key, of.clone(), Preset::Absent, about));
            Fields::from(cells.collect::<Vec<_>>())
        };
        let row = match columns.is_empty() {
            true => cell,
            false => Asked::Table(cells(&columns, &cell)),
        };
        blocks.push(plain(&table.name, Asked::Table(cells(&rows, &row)), Preset::Absent, about));
    }
    let about = "cells of data and tables that are changed: `weapons.lmg.shots = 4`";
    let change = || Asked::Table(Fields::from(std::mem::take(&mut blocks)));
    (!game.data.is_empty() || !game.tables.is_empty())
        .then(change)
        .map(|kind| Field { rare: true, ..plain(CHANGE, kind, Preset::Absent, about) })
}

/// Whether some line asks if this field is given.
fn is_asked_for(game: &Game, field: &FieldKind) -> bool {
    let mut inner = game.records.iter().flat_map(|record| &record.fields);
    let inside = inner.any(|inner| inner.name.span == field.name.span);
    let name = field.name.text.clone();
    game.asked_for.contains(&(name, inside))
}

/// What a field holds when a contest does not say.
pub(super) fn preset(game: &Game, field: &FieldKind, kind: &Asked) -> Preset {
    let reckoned = |span: &super::fault::Span| {
        let at = super::source::source_of(&game.sources, span);
        let source = &game.sources[at];
        let span = super::source::within(source, span);
        Preset::Reckoned(source.text.get(span).unwrap_or_default().to_owned().into())
    };
    if let Some(default) = &field.default
        && is_asked_for(game, field)
    {
        // Whether it is given is asked, so a form must not fill it in.
        return reckoned(match default {
            Default::One(value) => &value.span,
            Default::List(_, span) => span,
        });
    }
    match (&field.default, &field.holds) {
        (None, _) if field.said.optional => Preset::Absent,
        (None, Holds::Record(_)) => match kind {
            Asked::Table(fields)
                if fields.iter().all(|f| !matches!(f.preset, Preset::Required)) =>
            {
                Preset::Empty
            }
            Asked::Entries(..) => Preset::Empty,
            _ => Preset::Required,
        },
        (None, Holds::List(0, _, _)) => Preset::Empty,
        (None, _) => Preset::Required,
        (Some(Default::List(items, _)), _) if items.is_empty() => Preset::Empty,
        (Some(Default::List(items, span)), Holds::List(_, _, of)) => {
            let plain = matches!(**of, Holds::Number(range) if range.kind == Kind::Number);
            let numbers: Option<Vec<i64>> = items.iter().map(Expr::literal).collect();
            match numbers.filter(|_| plain) {
                Some(numbers) => Preset::Ints(numbers.into()),
                None => reckoned(span),
            }
        }
        (Some(Default::List(_, span)), _) => reckoned(span),
        (Some(Default::One(value)), holds) => {
            one_preset(game, value, holds).unwrap_or_else(|| reckoned(&value.span))
        }
    }
}

pub(super) fn one_preset(game: &Game, value: &Expr, holds: &Holds) -> Option<Preset> {
    Some(match (&value.what, holds) {
        (Says::Yes(yes), Holds::Number(_)) => Preset::Flag(*yes),
        (Says::Name(name), Holds::Number(range)) => {
            let Kind::Word(list) = range.kind else {
                return None;
            };
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
