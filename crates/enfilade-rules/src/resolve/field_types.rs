//! Resolution of a field: its type, its default, and the names in them.

use super::game::{FieldDef, ResolvedRulebook, TopLevelMeaning, ValueShape};
use super::name_faults::report_unknown;
use crate::diagnostics::{Faults, Span, did_you_mean};
use crate::syntax::ast::{
    AllowedWordOrNumber, CheckOrRemarkDecl, DefaultExpr, ExprKind, FieldDecl, FieldOrCheckLine,
    Ident, TypeExpr as Written,
};
use crate::value_types::{MAX_LIST_LENGTH, ScalarType, VARIABLE_RANGE, ValueRange};

/// Resolves a type.
fn resolve_field_type(
    game: &mut ResolvedRulebook,
    written_type: &Written,
    field: &str,
    faults: &mut Faults,
) -> Option<ValueShape> {
    Some(match written_type {
        Written::Range(lo, hi, span) => {
            check_bounds_order(*lo, *hi, span, faults)?;
            if *lo < VARIABLE_RANGE.0 || *hi > VARIABLE_RANGE.1 {
                let problem = "a field holds −32 768 to 32 767 at most";
                faults.add_fault_at_span(span.clone(), problem, "");
                return None;
            }
            ValueShape::Number(ValueRange::new(ScalarType::Number, *lo, *hi))
        }
        Written::YesNo => ValueShape::Number(ValueRange::new(ScalarType::YesNo, 0, 1)),
        Written::Choice(options) => return resolve_choice(game, options, field, faults),
        Written::Die(None) => ValueShape::Die(2, 100, 1),
        Written::Die(Some((lo, hi, by))) => ValueShape::Die((*lo).max(2), (*hi).min(100), *by),
        Written::DataRow(name) => return resolve_row_type(game, name, faults),
        Written::Record(name) => return resolve_named_type(game, name, faults),
        Written::List(lo, hi, of, span) => {
            check_bounds_order(*lo, *hi, span, faults)?;
            if *hi > MAX_LIST_LENGTH {
                let problem =
                    format!("a list has at most {MAX_LIST_LENGTH} places, and this has {hi}");
                faults.add_fault_at_span(span.clone(), problem, "");
                return None;
            }
            ValueShape::List(*lo, *hi, Box::new(resolve_field_type(game, of, field, faults)?))
        }
    })
}

/// Resolves the name of a data block to rows of it.
fn resolve_row_type(
    game: &ResolvedRulebook,
    name: &Ident,
    faults: &mut Faults,
) -> Option<ValueShape> {
    if let Some(TopLevelMeaning::Data(data)) = game.names.get(&name.text) {
        return Some(ValueShape::Row(*data as u16));
    }
    let problem = format!("there is no `data {}`", name.text);
    report_unknown(name, problem, game.data.iter().map(|data| data.name.as_str()), faults);
    None
}

/// Resolves the name of a type: a record, marks, or a list of words.
fn resolve_named_type(
    game: &ResolvedRulebook,
    name: &Ident,
    faults: &mut Faults,
) -> Option<ValueShape> {
    let text = &name.text;
    let record = game.record_names.get(text).map(|record| ValueShape::Record(*record));
    let marks = || game.mark_names.get(text).map(|marks| ValueShape::Marks(*marks));
    let words = || {
        game.lists
            .get(text)
            .map(|list| ValueShape::Number(game.range_of_type(ScalarType::Word(*list))))
    };
    let type_found = record.or_else(marks).or_else(words);
    if type_found.is_none() {
        let type_names = game.record_names.keys().chain(game.lists.keys());
        let near = did_you_mean(text, type_names.map(String::as_str));
        let help = if near.is_empty() { FIELD_TYPE_HELP } else { &near };
        faults.add_fault_at_span(name.span.clone(), format!("there is no kind `{text}`"), help);
    }
    type_found
}

/// Help with the types of fields, for authors who write the types of other languages.
const FIELD_TYPE_HELP: &str = "`yes/no` for a switch, `0..10` for a number, `a or b` for words, `die` for a die, or the \
    name of a list or a record";

/// Checks the order of bounds, and reports exchanged ones.
fn check_bounds_order(lo: i64, hi: i64, span: &Span, faults: &mut Faults) -> Option<()> {
    if lo <= hi {
        return Some(());
    }
    faults.add_fault_at_span(span.clone(), format!("{lo} is more than {hi}"), "exchange the two");
    None
}

/// Resolves the words of a field to a new list, or its numbers.
fn resolve_choice(
    game: &mut ResolvedRulebook,
    options: &[AllowedWordOrNumber],
    field: &str,
    faults: &mut Faults,
) -> Option<ValueShape> {
    let mut words = Vec::new();
    let mut numbers = Vec::new();
    for option in options {
        match option {
            AllowedWordOrNumber::Word(word) => words.push((word.text.clone(), String::new())),
            AllowedWordOrNumber::Number(number, span) => numbers.push((number, span)),
        }
    }
    match (words.is_empty(), numbers.is_empty()) {
        (false, true) => {
            let list = game.find_or_add_list(field, words);
            Some(ValueShape::Number(game.range_of_type(ScalarType::Word(list))))
        }
        (true, false) => Some(ValueShape::OneOf(numbers.iter().map(|(n, _)| **n).collect())),
        _ => {
            let number = numbers.first().map_or(0..0, |(_, span)| (*span).clone());
            faults.add_fault_at_span(number, "words and numbers are mixed", "");
            None
        }
    }
}

/// Resolves the fields and conditions of a record or an action.
pub fn resolve_fields_and_checks(
    game: &mut ResolvedRulebook,
    items: Vec<FieldOrCheckLine>,
    faults: &mut Faults,
) -> (Vec<FieldDef>, Vec<CheckOrRemarkDecl>) {
    let (mut fields, mut checks) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            FieldOrCheckLine::Field(name, written) => {
                let twice = fields.iter().any(|field: &FieldDef| field.name.text == name.text);
                if twice {
                    let problem = format!("`{}` is a field already", name.text);
                    faults.add_fault_at_span(name.span.clone(), problem, "");
                }
                fields.push(resolve_field_declaration(game, name, written, faults));
            }
            FieldOrCheckLine::Check(check) => checks.push(check),
        }
    }
    (fields, checks)
}

/// Reports a field with a default and without a type: `field hp = 10`.
fn report_missing_type(name: &Ident, field: &FieldDecl, faults: &mut Faults) -> Option<ValueShape> {
    let default = field.default.iter().flat_map(DefaultExpr::exprs).next();
    let help = match default.and_then(|value| Some((value.literal_number()?, &value.kind))) {
        Some((number, ExprKind::Number(_))) => {
            format!("write `field {}: 0..{} = {number}`", name.text, (2 * number).max(6))
        }
        _ => format!("write `field {}: KIND`; {FIELD_TYPE_HELP}", name.text),
    };
    let problem = format!("the field `{}` has no type", name.text);
    faults.add_fault_at_span(name.span.clone(), problem, help);
    None
}

/// Resolves one field. If its type is faulty, further faults about the field are suppressed.
pub fn resolve_field_declaration(
    game: &mut ResolvedRulebook,
    name: Ident,
    declaration: FieldDecl,
    faults: &mut Faults,
) -> FieldDef {
    let shape = match &declaration.kind {
        Written::Choice(options) if options.is_empty() => {
            report_missing_type(&name, &declaration, faults)
        }
        kind => resolve_field_type(game, kind, &name.text, faults),
    };
    let field_shape = shape.unwrap_or_else(|| {
        faults.suppress([name.text.clone()]);
        ValueShape::Number(ValueRange::new(ScalarType::Any, VARIABLE_RANGE.0, VARIABLE_RANGE.1))
    });
    let FieldDecl { default, annotations, group, .. } = declaration;
    FieldDef { name, shape: field_shape, default, annotations, group }
}
