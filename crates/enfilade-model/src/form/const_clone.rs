//! `const` copy of a field that two forms share: a `const fn` cannot move out of a slice.
//!
//! A field's name, bound, rule and the words of its values are declared once for every form that
//! has the field. Its label and its heading are not copied, because they name the role of the field
//! in its own form, such as `target's armour`. Only constants are copied here; fields created at
//! run time are shared by their clones.

use super::name_matching::AcceptedNames;
use super::{DefaultValue, Field, FieldType, Fields, Words};
use crate::form::bounds::IntRange;
use crate::static_or_shared::{StaticOrCounted, Text};

/// Copies a field by name out of a group of constants, for another group:
/// `field_of!(WEAPON, "shots")` is resolved at compile time, and a name that does not exist is a
/// compile error.
#[macro_export]
#[doc(hidden)]
macro_rules! __field_of {
    ($group:expr, $name:expr) => {{
        const ITS_GROUP: &[$crate::form::Field] = &$group;
        $crate::form::const_clone::copy_field_by_name(ITS_GROUP, $name)
    }};
}
pub use __field_of as field_of;

/// Copies the field called `name` of a group of constants.
///
/// # Panics
/// If the group has no such field, or it was created at run time.
pub const fn copy_field_by_name(group: &[Field], name: &str) -> Field {
    const_clone_field(&group[field_index_in_group(group, name)])
}

/// Returns the index of the field called `name` in a group of constants.
///
/// # Panics
/// If the group has no such field, or it was created at run time.
pub const fn field_index_in_group(group: &[Field], name: &str) -> usize {
    let mut place = 0;
    while place < group.len() {
        if is_equal_text(expect_static_value(&group[place].name), name) {
            return place;
        }
        place += 1;
    }
    panic!("the group has no field of that name")
}

const fn const_clone_field(field: &Field) -> Field {
    Field {
        name: copy_const_shared(&field.name),
        kind: copy_const_type(&field.kind),
        preset: copy_const_default(&field.preset),
        about: copy_const_shared(&field.about),
        source: copy_const_shared(&field.source),
        assumed: field.assumed,
        label: Text::EMPTY,
        unit: copy_const_shared(&field.unit),
        group: Text::EMPTY,
        rare: field.rare,
        values: copy_const_words(&field.values),
        hexes: field.hexes,
    }
}

pub(super) const fn is_equal_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut place = 0;
    while place < a.len() && place < b.len() && a[place] == b[place] {
        place += 1;
    }
    place == a.len() && place == b.len()
}

const fn expect_static_value<T: ?Sized>(value: &StaticOrCounted<T>) -> &'static T {
    match value {
        StaticOrCounted::Static(value) => value,
        StaticOrCounted::Counted(_) => panic!("made while the program runs"),
    }
}

const fn copy_const_shared<T: ?Sized>(value: &StaticOrCounted<T>) -> StaticOrCounted<T> {
    StaticOrCounted::Static(expect_static_value(value))
}

const fn copy_const_range(bound: &IntRange) -> IntRange {
    IntRange { name: copy_const_shared(&bound.name), low: bound.low, high: bound.high }
}

const fn copy_const_words(words: &Words) -> Words {
    match words {
        Words::Static(words) => Words::Static(words),
        Words::Owned(_) => panic!("made while the program runs"),
    }
}

const fn copy_const_accepted_names(names: &AcceptedNames) -> AcceptedNames {
    match names {
        AcceptedNames::Static(list) => AcceptedNames::Static(*list),
        AcceptedNames::Owned(_) => panic!("made while the program runs"),
    }
}

const fn copy_const_fields(fields: &Fields) -> Fields {
    match fields {
        Fields::Static(groups) => Fields::Static(groups),
        Fields::Owned(_) => panic!("made while the program runs"),
    }
}

const fn copy_const_type(kind: &FieldType) -> FieldType {
    match kind {
        FieldType::Flag => FieldType::Flag,
        FieldType::Int(whole) => FieldType::Int(copy_const_range(whole)),
        FieldType::Numbers(numbers) => FieldType::Numbers(copy_const_shared(numbers)),
        FieldType::Fraction(whole) => FieldType::Fraction(copy_const_range(whole)),
        FieldType::Die(sides) => FieldType::Die(copy_const_shared(sides)),
        FieldType::Choice(choice) => FieldType::Choice(copy_const_words(choice)),
        FieldType::Name(names) => FieldType::Name(copy_const_accepted_names(names)),
        FieldType::Text => FieldType::Text,
        FieldType::List(of, many) => FieldType::List(copy_const_shared(of), copy_const_range(many)),
        FieldType::Entries(names, number) => {
            FieldType::Entries(copy_const_accepted_names(names), copy_const_range(number))
        }
        FieldType::Table(inner) => FieldType::Table(copy_const_fields(inner)),
        FieldType::Tables(inner, many) => {
            FieldType::Tables(copy_const_fields(inner), copy_const_range(many))
        }
        FieldType::Row(names, inner) => {
            FieldType::Row(copy_const_accepted_names(names), copy_const_fields(inner))
        }
    }
}

const fn copy_const_default(preset: &DefaultValue) -> DefaultValue {
    match preset {
        DefaultValue::Required => DefaultValue::Required,
        DefaultValue::Absent => DefaultValue::Absent,
        DefaultValue::Int(n) => DefaultValue::Int(*n),
        DefaultValue::Fraction(parts) => DefaultValue::Fraction(*parts),
        DefaultValue::Flag(on) => DefaultValue::Flag(*on),
        DefaultValue::Text(text) => DefaultValue::Text(copy_const_shared(text)),
        DefaultValue::Die(sides) => DefaultValue::Die(*sides),
        DefaultValue::Ints(ints) => DefaultValue::Ints(copy_const_shared(ints)),
        DefaultValue::Empty => DefaultValue::Empty,
        DefaultValue::Derived(how) => DefaultValue::Derived(copy_const_shared(how)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HITS: IntRange = IntRange::new("number of hits", 1, 6);
    const GROUP: [Field; 2] = [
        Field::new_whole_number("shots", HITS, 2, "how many shots")
            .with_unit("shots")
            .with_player_name("his shots"),
        Field::new_choice("cover", &["none", "wood"], "where they lie").with_rule_reference("A7"),
    ];
    const SHOTS: Field = field_of!(GROUP, "shots").with_default(DefaultValue::Absent);
    const COVER: Field = field_of!(GROUP, "cover").with_help_text("where everybody lies");

    #[test]
    fn a_field_is_had_once_more_and_told_otherwise() {
        assert_eq!((&*SHOTS.name, &*SHOTS.unit), ("shots", "shots"));
        assert_eq!((&SHOTS.preset, &*SHOTS.label), (&DefaultValue::Absent, ""));
        assert_eq!(SHOTS.kind.describe_accepted_values(), GROUP[0].kind.describe_accepted_values());
        assert_eq!(COVER.preset, GROUP[1].preset);
        assert_eq!((&*COVER.about, &*COVER.source), ("where everybody lies", "A7"));
    }

    #[test]
    #[should_panic(expected = "no field of that name")]
    fn a_name_that_is_not_there_is_a_mistake() {
        copy_field_by_name(&GROUP, "shot");
    }
}
