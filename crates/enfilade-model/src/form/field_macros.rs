//! Macros that declare the fields of a form and the struct that reads them, in one table.
//!
//! A row has the field's help, its key, the type that stores it, and its declaration. The list of a
//! designer's fields and the struct of the rule are one text, so no field is read by a string that
//! could be misspelt, and the compiler refuses a type that cannot store every value of the field.
//!
//! ```text
//! fields! {
//!     /// Who fires.
//!     pub struct Shooters: under(THE_SHOOTERS) {
//!         /// models that shoot
//!         squad: u16 = int(MODELS, 1).label("shooters").unit("models");
//!         /// what they are
//!         unit_type as "type": UnitType = choice(UnitType::WORDS);
//!     }
//! }
//! ```
//!
//! declares `Shooters::FIELDS` for the catalogue and `Shooters::read(&form)` for the rule; `forms!`
//! makes one struct of several such groups.

use super::value::undeclared;
use super::{Field, Form, Kind, Preset, Value};

/// Values that a type can store, to compare with those of a field.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Values that the type accepts.
    pub holds: Holds,
    /// Whether the value may be absent.
    pub absent: bool,
}

/// Set of values that a type accepts.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// Switch.
    Flag,
    /// Whole number in this range.
    Whole(i64, i64),
    /// One of these words, in order.
    Words(&'static [&'static str]),
    /// Number of 64ths.
    Fraction,
    /// Name from the data.
    Name,
    /// Names from the data, each with a whole number in this range.
    Entries(i64, i64),
    /// Word, name or text.
    Text,
    /// List, or several tables.
    Several(&'static Holds),
    /// Table.
    Table,
}

/// Number of 64ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SixtyFourths(pub i64);

/// Names from the data with their numbers, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries(pub Vec<(String, i32)>);

/// Type in which a rule stores the value of a field.
pub trait Read: Sized {
    /// Values that the type can store.
    const SHAPE: Shape;

    /// Converts a value, or an absent one. Returns `None` if this type cannot store it.
    fn of(value: Option<&Value>) -> Option<Self>;
}

/// Reads the field called `name` of `form`.
///
/// # Panics
/// If the field is not declared as this type, which [`suit`] excludes.
pub fn read<T: Read>(form: &Form, name: &str) -> T {
    T::of(form.get(name)).unwrap_or_else(|| undeclared(name, "field of its rule's type"))
}

macro_rules! whole {
    ($($type:ident to $most:expr),+) => {$(
        impl Read for $type {
            const SHAPE: Shape =
                Shape { holds: Holds::Whole($type::MIN as i64, $most), absent: false };

            fn of(value: Option<&Value>) -> Option<Self> {
                match value {
                    Some(Value::Int(n)) => $type::try_from(*n).ok(),
                    _ => None,
                }
            }
        }
    )+};
}

whole!(i8 to 127, u8 to 255, u16 to 65_535, u32 to 4_294_967_295, usize to i64::MAX, i32 to 2_147_483_647, i64 to i64::MAX);

macro_rules! plain {
    ($($type:ty: $holds:ident, $variant:ident($value:ident) => $held:expr;)+) => {$(
        impl Read for $type {
            const SHAPE: Shape = Shape { holds: Holds::$holds, absent: false };

            fn of(value: Option<&Value>) -> Option<Self> {
                match value {
                    Some(Value::$variant($value)) => Some($held),
                    _ => None,
                }
            }
        }
    )+};
}

plain! {
    bool: Flag, Flag(on) => *on;
    SixtyFourths: Fraction, Fraction(parts) => SixtyFourths(*parts);
    String: Text, Text(text) => text.clone();
}

impl Read for Entries {
    const SHAPE: Shape =
        Shape { holds: Holds::Entries(i32::MIN as i64, i32::MAX as i64), absent: false };

    fn of(value: Option<&Value>) -> Option<Self> {
        let Some(Value::Entries(entries)) = value else { return None };
        let own = |(name, n): &(String, i64)| Some((name.clone(), i32::try_from(*n).ok()?));
        entries.iter().map(own).collect::<Option<_>>().map(Entries)
    }
}

impl<T: Read> Read for Option<T> {
    const SHAPE: Shape = Shape { holds: T::SHAPE.holds, absent: true };

    fn of(value: Option<&Value>) -> Option<Self> {
        match value {
            None => Some(None),
            some => T::of(some).map(Some),
        }
    }
}

impl<T: Read> Read for Vec<T> {
    const SHAPE: Shape = Shape { holds: Holds::Several(&T::SHAPE.holds), absent: false };

    fn of(value: Option<&Value>) -> Option<Self> {
        match value {
            Some(Value::List(values)) => values.iter().map(|value| T::of(Some(value))).collect(),
            Some(Value::Tables(forms)) => {
                let tables = forms.iter().map(|form| Value::Table(form.clone()));
                tables.map(|table| T::of(Some(&table))).collect()
            }
            _ => None,
        }
    }
}

/// Group of fields, or several groups of one form.
pub trait Group: Sized {
    /// Reads the fields of the group from `form`.
    fn read(form: &Form) -> Self;
}

impl<A: Group, B: Group> Group for (A, B) {
    fn read(form: &Form) -> Self {
        (A::read(form), B::read(form))
    }
}

impl<G: Group> Read for G {
    const SHAPE: Shape = Shape { holds: Holds::Table, absent: false };

    fn of(value: Option<&Value>) -> Option<Self> {
        match value {
            Some(Value::Table(form)) => Some(G::read(form)),
            _ => None,
        }
    }
}

/// Returns whether each of `shapes` can store all values of the field at its index.
pub const fn suit(fields: &[Field], shapes: &[Shape]) -> bool {
    let mut place = 0;
    while place < fields.len() {
        let Field { kind, preset, .. } = &fields[place];
        let may_lack = matches!(preset, Preset::Absent | Preset::Reckoned(_));
        // Both directions: an `Option` on a field that is never absent would hide a mistake, too.
        if may_lack != shapes[place].absent || !holds(&shapes[place].holds, kind) {
            return false;
        }
        place += 1;
    }
    true
}

const fn holds(holds_it: &Holds, kind: &Kind) -> bool {
    match (holds_it, kind) {
        (Holds::Flag, Kind::Flag)
        | (Holds::Fraction, Kind::Fraction(_))
        | (Holds::Table, Kind::Table(_))
        | (Holds::Several(Holds::Table), Kind::Tables(..))
        | (Holds::Name, Kind::Name(_))
        | (Holds::Text, Kind::Text | Kind::Name(_) | Kind::Choice(_)) => true,
        (Holds::Whole(low, high), Kind::Int(bound))
        | (Holds::Entries(low, high), Kind::Entries(_, bound)) => {
            *low <= bound.low && bound.high <= *high
        }
        (Holds::Words(own), Kind::Choice(super::Words::Static(words))) => all_same(own, words),
        (Holds::Several(one), Kind::List(of, _)) => match of {
            crate::shared::Shared::Static(of) => holds(one, of),
            crate::shared::Shared::Made(_) => false,
        },
        _ => false,
    }
}

const fn all_same(a: &[&str], b: &[&str]) -> bool {
    let mut place = 0;
    while place < a.len() && place < b.len() && super::const_clone::same(a[place], b[place]) {
        place += 1;
    }
    place == a.len() && place == b.len()
}

/// Declares a struct of fields; see the head of this file.
#[macro_export]
#[doc(hidden)]
macro_rules! __fields {
    ($(
        $(#[$outer:meta])*
        $visible:vis struct $group:ident $(: $wrap:ident $(($heading:expr))?)? {$(
            $(#[doc = $about:literal])+
            $member:ident $(as $key:literal)?: $type:ty =
                $make:ident($($argument:expr),*) $(.$method:ident($($value:expr),*))*;
        )+}
    )+) => {$(
        $(#[$outer])*
        #[derive(Clone, Debug)]
        $visible struct $group {$(
            $(#[doc = $about])+
            $visible $member: $type,
        )+}

        impl $group {
            /// Fields of the group, as a designer sees them.
            $visible const FIELDS: [$crate::form::Field; [$(stringify!($member)),+].len()] =
                $crate::form::field_macros::fields!(@wrap $($wrap $(($heading))?)?; [$(
                    $crate::form::Field::$make(
                        $crate::form::field_macros::fields!(@key $member $($key)?),
                        $($argument,)*
                        concat!($($about),+).trim_ascii_start(),
                    )$(.$method($($value),*))*,
                )+]);
        }

        const _: () = {
            const ROWS: &[$crate::form::Field] = &$group::FIELDS;
            let shapes = [$(<$type as $crate::form::field_macros::Read>::SHAPE),+];
            assert!($crate::form::field_macros::suit(ROWS, &shapes), "a type cannot store every value of its field");
        };

        impl $crate::form::field_macros::Group for $group {
            fn read(form: &$crate::form::Form) -> Self {
                $group {$(
                    $member: $crate::form::field_macros::read(
                        form,
                        $crate::form::field_macros::fields!(@key $member $($key)?),
                    ),
                )+}
            }
        }
    )+};
    (@wrap; $rows:expr) => { $rows };
    (@wrap $wrap:ident; $rows:expr) => { $crate::form::field_groups::$wrap($rows) };
    (@wrap $wrap:ident($heading:expr); $rows:expr) => { $crate::form::field_groups::$wrap($heading, $rows) };
    (@key $member:ident) => { stringify!($member) };
    (@key $member:ident $key:literal) => { $key };
}

/// Declares a list of fields in the same notation, for fields that are not read as one struct.
/// `of(GROUP)` copies the field of that name from another group.
#[macro_export]
#[doc(hidden)]
macro_rules! __list {
    ($(
        $(#[doc = $about:literal])*
        $name:ident $(as $key:literal)? =
            $make:ident($($argument:expr),*) $(.$method:ident($($value:expr),*))*;
    )+) => {
        [$($crate::form::field_macros::list!(
            @ $make $crate::form::field_macros::fields!(@key $name $($key)?); $($argument),*; $($about)*
        )$(.$method($($value),*))*),+]
    };
    (@ of $key:expr; $group:expr;) => { $crate::form::const_clone::field_of!($group, $key) };
    (@ of $key:expr; $group:expr; $($about:literal)+) => {
        $crate::form::field_macros::list!(@ of $key; $group;).about(concat!($($about),+).trim_ascii_start())
    };
    (@ $make:ident $key:expr; $($argument:expr),*; $($about:literal)+) => {
        $crate::form::Field::$make($key, $($argument,)* concat!($($about),+).trim_ascii_start())
    };
}

/// Declares a struct of groups of fields, in the order in which a designer sees them: its `FIELDS`
/// are the joined fields of the groups, and it is read group by group.
#[macro_export]
#[doc(hidden)]
macro_rules! __forms {
    ($(
        $(#[$outer:meta])*
        $visible:vis struct $form:ident {$(
            $(#[$inner:meta])*
            $member:ident: $group:ident,
        )+}
    )+) => {$(
        $(#[$outer])*
        #[derive(Clone, Debug)]
        $visible struct $form {$(
            $(#[$inner])*
            $visible $member: $group,
        )+}

        impl $form {
            /// Fields of all groups, as a designer sees them.
            $visible const FIELDS: $crate::form::Fields =
                $crate::form::field_groups::joined![$($group::FIELDS),+];
        }

        impl $crate::form::field_macros::Group for $form {
            fn read(form: &$crate::form::Form) -> Self {
                $form { $($member: $crate::form::field_macros::Group::read(form),)+ }
            }
        }
    )+};
}

/// Declares a choice of words, each a variant: `named` finds a variant by its word, `word` returns
/// the word.
#[macro_export]
#[doc(hidden)]
macro_rules! __choice {
    ($(
        $(#[$outer:meta])*
        $visible:vis enum $choice:ident {$(
            $(#[$inner:meta])*
            $variant:ident = $word:literal,
        )+}
    )+) => {$(
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visible enum $choice {$(
            $(#[$inner])*
            $variant,
        )+}

        #[allow(dead_code)] // Not every choice is formatted, or named in the data.
        impl $choice {
            /// Words of the choice, in order.
            $visible const WORDS: &'static [&'static str] = &[$($word),+];

            /// Finds the variant that a word means, with any case and spacing.
            $visible fn named(word: &str) -> Option<Self> {
                let word = $crate::form::name_matching::find(word, Self::WORDS.iter().copied())?;
                match word {
                    $($word => Some($choice::$variant),)+
                    _ => None,
                }
            }

            /// Returns the word of the variant.
            $visible const fn word(self) -> &'static str {
                match self {
                    $($choice::$variant => $word,)+
                }
            }
        }

        impl $crate::form::field_macros::Read for $choice {
            const SHAPE: $crate::form::field_macros::Shape = $crate::form::field_macros::Shape {
                holds: $crate::form::field_macros::Holds::Words(Self::WORDS),
                absent: false,
            };

            fn of(value: Option<&$crate::form::Value>) -> Option<Self> {
                match value {
                    Some($crate::form::Value::Text(word)) => match word.as_str() {
                        $($word => Some($choice::$variant),)+
                        _ => None,
                    },
                    _ => None,
                }
            }
        }
    )+};
}

pub use {__choice as choice, __fields as fields, __forms as forms, __list as list};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::bounds::Bound;
    use crate::form::name_matching::{NameList, name_list};

    const SHOTS: Bound = Bound::new("number of shots", 1, 200);

    choice! {
        /// Order in which targets are hit.
        enum Allocation {
            /// One model until it falls.
            Focus = "focus",
            /// Each in turn.
            InTurn = "in-turn",
        }
    }

    fields! {
        /// Weapon that fires.
        struct Gun: under("the gun") {
            /// hit dice, of all
            /// barrels
            shots: u8 = int(SHOTS, 2).unit("dice");
            /// armour, where there is any
            armour: Option<i64> = optional(Kind::Int(SHOTS));
            /// who is hit
            kind as "type": Allocation = choice(Allocation::WORDS);
        }
    }

    name_list! {
        fn shelters() = NameList::numbered(vec![("Woods".to_owned(), 1), ("smoke".to_owned(), 3)])
    }

    fields! {
        /// Position of the gun.
        struct Place: under("the place") {
            /// what protects it
            shelter: Option<Entries> = optional(Kind::entries(shelters, SHOTS));
        }
    }

    forms! {
        /// Gun in its position.
        struct Emplaced {
            /// The gun.
            gun: Gun,
            /// Position of the gun.
            place: Place,
        }
    }

    #[test]
    fn groups_of_fields_are_one_form() {
        let names: Vec<_> = Emplaced::FIELDS.iter().map(|field| field.name.to_string()).collect();
        assert_eq!(names, ["shots", "armour", "type", "shelter"]);
        let read = |toml: &str| {
            let table = toml.parse().expect("well formed");
            Emplaced::read(&Form::fill(&Emplaced::FIELDS, &table).expect("sound"))
        };
        let emplaced = read("shots = 4\nshelter = { smoke = 5, woods = true }");
        let shelter = Entries(vec![("smoke".to_owned(), 5), ("Woods".to_owned(), 1)]);
        assert_eq!((emplaced.gun.shots, emplaced.place.shelter), (4, Some(shelter)));
        assert_eq!(read("").place.shelter, None);
    }

    fn gun(toml: &str) -> Gun {
        let table = toml.parse().expect("well formed");
        let fields = super::super::field_groups::joined![Gun::FIELDS];
        Gun::read(&Form::fill(&fields, &table).expect("sound"))
    }

    #[test]
    fn a_row_is_declared_and_read() {
        let [shots, _, kind] = Gun::FIELDS;
        assert_eq!((&*shots.about, &*shots.unit), ("hit dice, of all barrels", "dice"));
        assert_eq!((&*kind.name, &*kind.group), ("type", "the gun"));
        let plain = gun("");
        assert_eq!((plain.shots, plain.armour, plain.kind), (2, None, Allocation::Focus));
        let given = gun("shots = 7\narmour = 9\ntype = 'in_turn'");
        assert_eq!((given.shots, given.armour, given.kind), (7, Some(9), Allocation::InTurn));
        assert_eq!(Allocation::named("IN TURN").map(Allocation::word), Some("in-turn"));
    }

    #[test]
    fn a_type_that_cannot_hold_its_field_is_refused() {
        const WIDE: [Field; 1] = [Field::int("n", Bound::new("number", 0, 256), 0, "")];
        const LACKING: [Field; 1] = [Field::optional("n", Kind::Int(SHOTS), "")];
        assert!(suit(&WIDE, &[u16::SHAPE]) && !suit(&WIDE, &[u8::SHAPE]));
        assert!(suit(&LACKING, &[<Option<u8>>::SHAPE]) && !suit(&LACKING, &[u8::SHAPE]));
        assert!(!suit(&WIDE, &[bool::SHAPE]) && !suit(&WIDE, &[Entries::SHAPE]));
        const WORD: [Field; 1] = [Field::choice("n", &["focus", "both"], "")];
        assert!(!suit(&WORD, &[Allocation::SHAPE]));
    }
}
