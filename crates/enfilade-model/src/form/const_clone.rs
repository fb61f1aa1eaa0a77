//! `const` copy of a field that two forms share: a `const fn` cannot move out of a slice.
//!
//! A field's name, bound, rule and the words of its values are declared once for every form that
//! has the field. Its label and its heading are not copied, because they name the role of the field
//! in its own form, such as `target's armour`. Only constants are copied here; fields created at
//! run time are shared by their clones.

use super::name_matching::Names;
use super::{Field, Fields, Kind, Preset, Words};
use crate::form::bounds::Bound;
use crate::shared::{Shared, Text};

/// Copies a field by name out of a group of constants, for another group:
/// `field_of!(WEAPON, "shots")` is resolved at compile time, and a name that does not exist is a
/// compile error.
#[macro_export]
#[doc(hidden)]
macro_rules! __field_of {
    ($group:expr, $name:expr) => {{
        const ITS_GROUP: &[$crate::form::Field] = &$group;
        $crate::form::const_clone::found(ITS_GROUP, $name)
    }};
}
pub use __field_of as field_of;

/// Copies the field called `name` of a group of constants.
///
/// # Panics
/// If the group has no such field, or it was created at run time.
pub const fn found(group: &[Field], name: &str) -> Field {
    again(&group[place_of(group, name)])
}

/// Returns the index of the field called `name` in a group of constants.
///
/// # Panics
/// If the group has no such field, or it was created at run time.
pub const fn place_of(group: &[Field], name: &str) -> usize {
    let mut place = 0;
    while place < group.len() {
        if same(written(&group[place].name), name) {
            return place;
        }
        place += 1;
    }
    panic!("the group has no field of that name")
}

const fn again(field: &Field) -> Field {
    Field {
        name: shared(&field.name),
        kind: kind(&field.kind),
        preset: preset(&field.preset),
        about: shared(&field.about),
        source: shared(&field.source),
        assumed: field.assumed,
        label: Text::EMPTY,
        unit: shared(&field.unit),
        group: Text::EMPTY,
        rare: field.rare,
        values: words(&field.values),
        hexes: field.hexes,
    }
}

pub(super) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut place = 0;
    while place < a.len() && place < b.len() && a[place] == b[place] {
        place += 1;
    }
    place == a.len() && place == b.len()
}

const fn written<T: ?Sized>(value: &Shared<T>) -> &'static T {
    match value {
        Shared::Static(value) => value,
        Shared::Made(_) => panic!("made while the program runs"),
    }
}

const fn shared<T: ?Sized>(value: &Shared<T>) -> Shared<T> {
    Shared::Static(written(value))
}

const fn bound(bound: &Bound) -> Bound {
    Bound { name: shared(&bound.name), low: bound.low, high: bound.high }
}

const fn words(words: &Words) -> Words {
    match words {
        Words::Static(words) => Words::Static(words),
        Words::Made(_) => panic!("made while the program runs"),
    }
}

const fn names(names: &Names) -> Names {
    match names {
        Names::Static(list) => Names::Static(*list),
        Names::Made(_) => panic!("made while the program runs"),
    }
}

const fn fields(fields: &Fields) -> Fields {
    match fields {
        Fields::Static(groups) => Fields::Static(groups),
        Fields::Made(_) => panic!("made while the program runs"),
    }
}

const fn kind(kind: &Kind) -> Kind {
    match kind {
        Kind::Flag => Kind::Flag,
        Kind::Int(whole) => Kind::Int(bound(whole)),
        Kind::Numbers(numbers) => Kind::Numbers(shared(numbers)),
        Kind::Fraction(whole) => Kind::Fraction(bound(whole)),
        Kind::Die(sides) => Kind::Die(shared(sides)),
        Kind::Choice(choice) => Kind::Choice(words(choice)),
        Kind::Name(known) => Kind::Name(names(known)),
        Kind::Text => Kind::Text,
        Kind::List(of, many) => Kind::List(shared(of), bound(many)),
        Kind::Entries(known, number) => Kind::Entries(names(known), bound(number)),
        Kind::Table(inner) => Kind::Table(fields(inner)),
        Kind::Tables(inner, many) => Kind::Tables(fields(inner), bound(many)),
        Kind::Row(known, inner) => Kind::Row(names(known), fields(inner)),
    }
}

const fn preset(preset: &Preset) -> Preset {
    match preset {
        Preset::Required => Preset::Required,
        Preset::Absent => Preset::Absent,
        Preset::Int(n) => Preset::Int(*n),
        Preset::Fraction(parts) => Preset::Fraction(*parts),
        Preset::Flag(on) => Preset::Flag(*on),
        Preset::Text(text) => Preset::Text(shared(text)),
        Preset::Die(sides) => Preset::Die(*sides),
        Preset::Ints(ints) => Preset::Ints(shared(ints)),
        Preset::Empty => Preset::Empty,
        Preset::Reckoned(how) => Preset::Reckoned(shared(how)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HITS: Bound = Bound::new("number of hits", 1, 6);
    const GROUP: [Field; 2] = [
        Field::int("shots", HITS, 2, "how many shots").unit("shots").label("his shots"),
        Field::choice("cover", &["none", "wood"], "where they lie").rule("A7"),
    ];
    const SHOTS: Field = field_of!(GROUP, "shots").preset(Preset::Absent);
    const COVER: Field = field_of!(GROUP, "cover").about("where everybody lies");

    #[test]
    fn a_field_is_had_once_more_and_told_otherwise() {
        assert_eq!((&*SHOTS.name, &*SHOTS.unit), ("shots", "shots"));
        assert_eq!((&SHOTS.preset, &*SHOTS.label), (&Preset::Absent, ""));
        assert_eq!(SHOTS.kind.expected(), GROUP[0].kind.expected());
        assert_eq!(COVER.preset, GROUP[1].preset);
        assert_eq!((&*COVER.about, &*COVER.source), ("where everybody lies", "A7"));
    }

    #[test]
    #[should_panic(expected = "no field of that name")]
    fn a_name_that_is_not_there_is_a_mistake() {
        found(&GROUP, "shot");
    }
}
