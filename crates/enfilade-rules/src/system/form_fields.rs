//! Conversion of a game's fields to form fields.

use std::sync::Arc;

use crate::resolve::game::{ColumnType, FieldDef, RecordDef, ResolvedRulebook, ValueShape};
use crate::resolve::tables::printed_keys_of_table;
use crate::resolve::{CHANGE_FIELD, RECORD_COUNT_FIELD};
use crate::source_map::{source_index_of_span, span_in_file};
use crate::syntax::ast::{DefaultExpr, Expr, ExprKind};
use crate::value_types::{ScalarType, VARIABLE_RANGE, ValueRange};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::name_matching::{AcceptedNames, NameList};
use enfilade_model::form::{
    DefaultValue, Field, FieldType as Asked, Fields, ROW_NAME, Words, name_in_words,
};
use enfilade_model::static_or_shared::{StaticOrCounted, Text};

/// Converts a field to a form field.
pub(crate) fn build_form_field(game: &ResolvedRulebook, field: &FieldDef) -> Field {
    let annotations = &field.annotations;
    let name = match (&field.shape, annotations.label.is_empty()) {
        (ValueShape::List(..), false) => &annotations.label,
        _ => &field.name.text,
    };
    let kind = form_field_type(game, &field.shape, name);
    Field {
        name: field.name.text.clone().into(),
        preset: default_of_form_field(game, field, &kind),
        kind,
        about: annotations.most_detailed_text(&field.name.text).into(),
        source: annotations.rule.clone().into(),
        assumed: annotations.assumed,
        label: annotations.label.clone().into(),
        unit: annotations.unit.clone().into(),
        group: field.group.clone().into(),
        rare: annotations.rare,
        values: labels_of_field_values(game, field),
        hexes: false,
    }
}

/// Returns the labels of a field's values: its words, or its no and yes.
fn labels_of_field_values(game: &ResolvedRulebook, field: &FieldDef) -> Words {
    let ValueShape::Number(range) = &field.shape else { return Words::NO_WORDS };
    match (range.kind, field.annotations.switch_labels.as_deref()) {
        (ScalarType::Word(list), _) => labels_of_words(game, list),
        (ScalarType::YesNo, Some((no, yes))) => {
            Words::from([no, yes].map(|text| text.clone().into()).to_vec())
        }
        _ => Words::NO_WORDS,
    }
}

/// Returns the labels of a list's words, where they differ from the words.
pub(crate) fn labels_of_words(game: &ResolvedRulebook, list: u16) -> Words {
    let words = &game.words[usize::from(list)].words;
    if words.iter().all(|(_, label)| label.is_empty()) {
        return Words::NO_WORDS;
    }
    let label =
        |place: usize| Text::from(game.value_for_people(ScalarType::Word(list), place as i64));
    Words::from((0..words.len()).map(label).collect::<Vec<_>>())
}

/// Converts a word to its spelling in contests and results: `at_once` becomes `at-once`.
pub(crate) fn word_in_contests(word: &str) -> Text {
    Text::from(word.replace('_', "-"))
}

pub(crate) fn named_int_range(name: &str, low: i64, high: i64) -> IntRange {
    let name = name.replace('_', " ").into();
    IntRange { name, low, high }
}

/// Returns the form type of a field; `name` is its name in messages.
pub(crate) fn form_field_type(game: &ResolvedRulebook, shape: &ValueShape, name: &str) -> Asked {
    match shape {
        ValueShape::Number(range) => number_field_type(game, *range, name),
        ValueShape::OneOf(numbers) => {
            number_field_type(game, ValueRange::range_spanning_numbers(numbers), name)
        }
        ValueShape::Die(lo, hi, by) => {
            let sides = (*lo..=*hi).step_by(*by as usize);
            let sides: Vec<u8> = sides.map(|sides| sides as u8).collect();
            Asked::Die(sides.into())
        }
        ValueShape::Row(data) => {
            let block = &game.data[usize::from(*data)];
            let names = block.rows.iter().map(|row| row.text.clone()).collect();
            let names = AcceptedNames::Owned(Arc::new(NameList::from_names_without_numbers(names)));
            Asked::type_of_data_table_row(names, data_column_fields(game, *data))
        }
        ValueShape::Record(record) => match record_numbers(&game.records[*record]) {
            Some((numbers, range)) => {
                let names =
                    AcceptedNames::Owned(Arc::new(NameList::from_names_with_numbers(numbers)));
                Asked::Entries(names, named_int_range("number", range.lo, range.hi))
            }
            None => Asked::Table(build_record_fields(game, *record, false)),
        },
        ValueShape::Marks(_) => {
            let many =
                named_int_range("number of specials", 0, crate::value_types::MAX_LIST_LENGTH);
            Asked::List(StaticOrCounted::new(Asked::Text), many)
        }
        ValueShape::List(lo, hi, of) => list_field_type(game, of, name, (*lo, *hi)),
    }
}

/// Returns the form type of a switch, of one of some words, or of a number within bounds.
fn number_field_type(game: &ResolvedRulebook, range: ValueRange, name: &str) -> Asked {
    match range.kind {
        ScalarType::YesNo => Asked::Flag,
        ScalarType::Word(list) => {
            let words = game.words[usize::from(list)].iter().map(word_in_contests);
            Asked::Choice(Words::from(words.collect::<Vec<_>>()))
        }
        _ => Asked::Int(named_int_range(name, range.lo, range.hi)),
    }
}

/// Returns the form type of a list; records become tables of a form, each of which may have a
/// count.
fn list_field_type(
    game: &ResolvedRulebook,
    of: &ValueShape,
    name: &str,
    (lo, hi): (i64, i64),
) -> Asked {
    match of {
        ValueShape::Record(record) => {
            let many = named_int_range(&format!("number of {name}"), lo, hi);
            Asked::Tables(build_record_fields(game, *record, true), many)
        }
        of => {
            let many = named_int_range("number of entries", lo, hi);
            Asked::List(StaticOrCounted::new(form_field_type(game, of, name)), many)
        }
    }
}

/// Smallest number of a record's fields that makes it a list of printed numbers, of which a contest
/// names only those that it changes. Records with fewer numbers have a field for each.
const MIN_NUMBERS_OF_RECORD: usize = 12;

/// Returns the numbers of a record that contains nothing else, if each is a printed default and all
/// have one range.
pub(crate) fn record_numbers(record: &RecordDef) -> Option<(Vec<(String, i64)>, ValueRange)> {
    let ValueShape::Number(range) = record.fields.first()?.shape else { return None };
    let printed = |field: &FieldDef| match (&field.shape, &field.default) {
        (ValueShape::Number(own), Some(DefaultExpr::One(value))) => {
            Some((field.name.text.clone(), value.literal_number().filter(|_| *own == range)?))
        }
        _ => None,
    };
    let plain = range.kind == ScalarType::Number && record.checks.is_empty();
    let numbers: Option<Vec<_>> = record.fields.iter().map(printed).collect();
    numbers
        .filter(|numbers| plain && numbers.len() >= MIN_NUMBERS_OF_RECORD)
        .map(|numbers| (numbers, range))
}

/// Returns the fields of a record, with its count and its name.
pub(crate) fn build_record_fields(game: &ResolvedRulebook, record: usize, several: bool) -> Fields {
    let fields = &game.records[record].fields;
    let mut form_fields: Vec<Field> =
        fields.iter().map(|field| build_form_field(game, field)).collect();
    let has = |name: &str| fields.iter().any(|field| field.name.text == name);
    // `count` is a word of the language, which no field is called by.
    debug_assert!(!has(RECORD_COUNT_FIELD));
    if several {
        let many = named_int_range("count", 0, crate::value_types::MAX_BAG_ITEMS as i64);
        let about = "number of equal ones";
        form_fields.push(plain_field(
            RECORD_COUNT_FIELD,
            Asked::Int(many),
            DefaultValue::Int(1),
            about,
        ));
    }
    if !has(ROW_NAME) {
        let about = "name in explanations";
        form_fields.push(plain_field(ROW_NAME, Asked::Text, DefaultValue::Absent, about));
    }
    form_fields.into()
}

/// Creates a field without a rule reference.
pub(crate) fn plain_field(
    name: &str,
    kind: Asked,
    preset: DefaultValue,
    about: &'static str,
) -> Field {
    let name = Text::from(name.to_owned());
    Field { label: name_in_words(&name), name, ..Field::new("", kind, preset, about) }
}

/// Returns the columns of data as fields that a contest may change.
pub(crate) fn data_column_fields(game: &ResolvedRulebook, data: u16) -> Vec<Field> {
    let block = &game.data[usize::from(data)];
    let columns = block.columns.iter().zip(&block.kinds);
    let column = |(head, kind): (&String, &ColumnType)| {
        let kind = match kind {
            ColumnType::Typed(kind) => cell_field_type(game, *kind, head),
            ColumnType::Marks(_) => Asked::Text,
        };
        changed_cell_field(head, kind)
    };
    columns.map(column).collect()
}

/// Returns the form type of a changed cell: the words of its list, or any number.
pub(crate) fn cell_field_type(game: &ResolvedRulebook, kind: ScalarType, head: &str) -> Asked {
    match kind {
        ScalarType::YesNo => Asked::Flag,
        ScalarType::Word(list) => form_field_type(
            game,
            &ValueShape::Number(game.range_of_type(ScalarType::Word(list))),
            head,
        ),
        _ => Asked::Int(named_int_range(head, VARIABLE_RANGE.0, VARIABLE_RANGE.1)),
    }
}

/// Returns the field that changes cells of data and tables; `None` if the game has neither.
pub(crate) fn build_change_field(game: &ResolvedRulebook) -> Option<Field> {
    let data = (0..game.data.len()).map(|at| data_change_field(game, at));
    let tables = (0..game.tables.len()).map(|at| table_change_field(game, at));
    let blocks: Vec<Field> = data.chain(tables).collect();
    if blocks.is_empty() {
        return None;
    }
    let about = "cells of data and tables that are changed: `weapons.lmg.shots = 4`";
    let kind = Asked::Table(Fields::from(blocks));
    Some(Field { rare: true, ..plain_field(CHANGE_FIELD, kind, DefaultValue::Absent, about) })
}

/// Creates the field of a changeable cell; the printed value applies if the contest omits it.
fn changed_cell_field(name: &str, kind: Asked) -> Field {
    plain_field(name, kind, DefaultValue::Absent, "value in place of the printed one")
}

/// Creates a field for each key, all of one type.
fn fields_by_key<'k>(keys: impl Iterator<Item = &'k String>, kind: &Asked) -> Asked {
    let cells = keys.map(|key| changed_cell_field(key, kind.clone()));
    Asked::Table(Fields::from(cells.collect::<Vec<_>>()))
}

/// Creates the field of a data block: its rows, each with its columns.
fn data_change_field(game: &ResolvedRulebook, at: usize) -> Field {
    let block = &game.data[at];
    let columns = Asked::Table(Fields::from(data_column_fields(game, at as u16)));
    changed_cell_field(&block.name, fields_by_key(block.rows.iter().map(|row| &row.text), &columns))
}

/// Creates the field of a table: its rows, each with its columns; without columns a row is a cell.
fn table_change_field(game: &ResolvedRulebook, at: usize) -> Field {
    let table = &game.tables[at];
    let (rows, columns) = printed_keys_of_table(game, at);
    let cell = match &table.legend {
        Some(_) => Asked::Text,
        None => cell_field_type(game, table.kind, &table.name),
    };
    let row = match columns.is_empty() {
        true => cell,
        false => fields_by_key(columns.iter(), &cell),
    };
    changed_cell_field(&table.name, fields_by_key(rows.iter(), &row))
}

/// Returns whether some line tests the field with `given`.
fn is_tested_with_given(game: &ResolvedRulebook, field: &FieldDef) -> bool {
    let mut inner = game.records.iter().flat_map(|record| &record.fields);
    let inside = inner.any(|inner| inner.name.span == field.name.span);
    let name = field.name.text.clone();
    game.given_tested.contains(&(name, inside))
}

/// Returns the default of a form field.
fn default_of_form_field(game: &ResolvedRulebook, field: &FieldDef, kind: &Asked) -> DefaultValue {
    let Some(default) = &field.default else { return default_of_undeclared(field, kind) };
    let plain = match (default, &field.shape) {
        // The rule tests whether the field is given, so the form must not fill it in.
        _ if is_tested_with_given(game, field) => None,
        (DefaultExpr::List(items, _), _) if items.is_empty() => Some(DefaultValue::Empty),
        (DefaultExpr::List(items, _), ValueShape::List(_, _, of)) => {
            let numbers: Option<Vec<i64>> = items.iter().map(Expr::literal_number).collect();
            let is_plain =
                matches!(**of, ValueShape::Number(range) if range.kind == ScalarType::Number);
            numbers.filter(|_| is_plain).map(|numbers| DefaultValue::Ints(numbers.into()))
        }
        (DefaultExpr::List(..), _) => None,
        (DefaultExpr::One(value), holds) => default_if_constant(game, value, holds),
    };
    plain.unwrap_or_else(|| default_source_text(game, default))
}

/// Returns a computed default as the text of the file.
fn default_source_text(game: &ResolvedRulebook, default: &DefaultExpr) -> DefaultValue {
    let source = &game.sources[source_index_of_span(&game.sources, default.default_span())];
    let written = source.text.get(span_in_file(source, default.default_span())).unwrap_or_default();
    DefaultValue::Derived(written.to_owned().into())
}

/// Returns the default of a field that declares none: nothing, or a record all of whose fields have
/// defaults.
fn default_of_undeclared(field: &FieldDef, kind: &Asked) -> DefaultValue {
    let is_filled = |inner: &Field| !matches!(inner.preset, DefaultValue::Required);
    match (&field.shape, kind) {
        _ if field.annotations.optional => DefaultValue::Absent,
        (ValueShape::Record(_), Asked::Table(inner)) if inner.iter().all(is_filled) => {
            DefaultValue::Empty
        }
        (ValueShape::Record(_), Asked::Entries(..)) | (ValueShape::List(0, ..), _) => {
            DefaultValue::Empty
        }
        _ => DefaultValue::Required,
    }
}

/// Returns a constant default as the form shows it; `None` if it is computed.
pub(crate) fn default_if_constant(
    game: &ResolvedRulebook,
    value: &Expr,
    shape: &ValueShape,
) -> Option<DefaultValue> {
    Some(match (&value.kind, shape) {
        (ExprKind::YesNo(yes), ValueShape::Number(_)) => DefaultValue::Flag(*yes),
        (ExprKind::Name(name), ValueShape::Number(range)) => {
            let ScalarType::Word(list) = range.kind else { return None };
            game.index_of_word_in_list(list, name)?;
            DefaultValue::Text(word_in_contests(name))
        }
        (ExprKind::Name(name), ValueShape::Row(data)) => {
            let row = game.index_of_data_row(*data, name)?;
            DefaultValue::Text(game.data[usize::from(*data)].rows[row].text.clone().into())
        }
        (_, ValueShape::Die(..)) => DefaultValue::Die(u8::try_from(value.as_die_sides()?).ok()?),
        (_, ValueShape::Number(_) | ValueShape::OneOf(_)) => {
            DefaultValue::Int(value.literal_number()?)
        }
        _ => return None,
    })
}
