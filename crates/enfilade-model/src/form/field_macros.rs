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

use super::value::panic_on_undeclared;
use super::{DefaultValue, Field, FieldType, Form, Value};

/// Values that a type can store, to compare with those of a field.
#[derive(Clone, Copy, Debug)]
pub struct ValuesTypeCanStore {
    /// Values that the type accepts.
    pub holds: AcceptedValues,
    /// Whether the value may be absent.
    pub absent: bool,
}

/// Set of values that a type accepts.
#[derive(Clone, Copy, Debug)]
pub enum AcceptedValues {
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
    Several(&'static AcceptedValues),
    /// Table.
    Table,
}

/// Number of 64ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SixtyFourths(pub i64);

/// Names from the data with their numbers, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedNumbers(pub Vec<(String, i32)>);

/// Type in which a rule stores the value of a field.
pub trait FieldValueType: Sized {
    /// Values that the type can store.
    const STORABLE_VALUES: ValuesTypeCanStore;

    /// Converts a value, or an absent one. Returns `None` if this type cannot store it.
    fn convert_from_value(value: Option<&Value>) -> Option<Self>;
}

/// Reads the field called `name` of `form`.
///
/// # Panics
/// If the field is not declared as this type, which [`can_types_store`] excludes.
pub fn read_field<T: FieldValueType>(form: &Form, name: &str) -> T {
    T::convert_from_value(form.get(name))
        .unwrap_or_else(|| panic_on_undeclared(name, "field of its rule's type"))
}

macro_rules! whole {
    ($($type:ident to $most:expr),+) => {$(
        impl FieldValueType for $type {
            const STORABLE_VALUES: ValuesTypeCanStore =
                ValuesTypeCanStore { holds: AcceptedValues::Whole($type::MIN as i64, $most), absent: false };

            fn convert_from_value(value: Option<&Value>) -> Option<Self> {
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
        impl FieldValueType for $type {
            const STORABLE_VALUES: ValuesTypeCanStore = ValuesTypeCanStore { holds: AcceptedValues::$holds, absent: false };

            fn convert_from_value(value: Option<&Value>) -> Option<Self> {
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

impl FieldValueType for NamedNumbers {
    const STORABLE_VALUES: ValuesTypeCanStore = ValuesTypeCanStore {
        holds: AcceptedValues::Entries(i32::MIN as i64, i32::MAX as i64),
        absent: false,
    };

    fn convert_from_value(value: Option<&Value>) -> Option<Self> {
        let Some(Value::Entries(entries)) = value else { return None };
        let own = |(name, n): &(String, i64)| Some((name.clone(), i32::try_from(*n).ok()?));
        entries.iter().map(own).collect::<Option<_>>().map(NamedNumbers)
    }
}

impl<T: FieldValueType> FieldValueType for Option<T> {
    const STORABLE_VALUES: ValuesTypeCanStore =
        ValuesTypeCanStore { holds: T::STORABLE_VALUES.holds, absent: true };

    fn convert_from_value(value: Option<&Value>) -> Option<Self> {
        match value {
            None => Some(None),
            some => T::convert_from_value(some).map(Some),
        }
    }
}

impl<T: FieldValueType> FieldValueType for Vec<T> {
    const STORABLE_VALUES: ValuesTypeCanStore = ValuesTypeCanStore {
        holds: AcceptedValues::Several(&T::STORABLE_VALUES.holds),
        absent: false,
    };

    fn convert_from_value(value: Option<&Value>) -> Option<Self> {
        match value {
            Some(Value::List(values)) => {
                values.iter().map(|value| T::convert_from_value(Some(value))).collect()
            }
            Some(Value::Tables(forms)) => {
                let tables = forms.iter().map(|form| Value::Table(form.clone()));
                tables.map(|table| T::convert_from_value(Some(&table))).collect()
            }
            _ => None,
        }
    }
}

/// Group of fields, or several groups of one form.
pub trait FieldGroupFromForm: Sized {
    /// Reads the fields of the group from `form`.
    fn read(form: &Form) -> Self;
}

impl<A: FieldGroupFromForm, B: FieldGroupFromForm> FieldGroupFromForm for (A, B) {
    fn read(form: &Form) -> Self {
        (A::read(form), B::read(form))
    }
}

impl<G: FieldGroupFromForm> FieldValueType for G {
    const STORABLE_VALUES: ValuesTypeCanStore =
        ValuesTypeCanStore { holds: AcceptedValues::Table, absent: false };

    fn convert_from_value(value: Option<&Value>) -> Option<Self> {
        match value {
            Some(Value::Table(form)) => Some(G::read(form)),
            _ => None,
        }
    }
}

/// Returns whether each of `shapes` can store all values of the field at its index.
pub const fn can_types_store(fields: &[Field], shapes: &[ValuesTypeCanStore]) -> bool {
    let mut place = 0;
    while place < fields.len() {
        let Field { kind, preset, .. } = &fields[place];
        let may_lack = matches!(preset, DefaultValue::Absent | DefaultValue::Derived(_));
        // Both directions: an `Option` on a field that is never absent would hide a mistake, too.
        if may_lack != shapes[place].absent || !can_rust_type_store(&shapes[place].holds, kind) {
            return false;
        }
        place += 1;
    }
    true
}

const fn can_rust_type_store(holds_it: &AcceptedValues, kind: &FieldType) -> bool {
    match (holds_it, kind) {
        (AcceptedValues::Flag, FieldType::Flag)
        | (AcceptedValues::Fraction, FieldType::Fraction(_))
        | (AcceptedValues::Table, FieldType::Table(_))
        | (AcceptedValues::Several(AcceptedValues::Table), FieldType::Tables(..))
        | (AcceptedValues::Name, FieldType::Name(_))
        | (AcceptedValues::Text, FieldType::Text | FieldType::Name(_) | FieldType::Choice(_)) => {
            true
        }
        (AcceptedValues::Whole(low, high), FieldType::Int(bound))
        | (AcceptedValues::Entries(low, high), FieldType::Entries(_, bound)) => {
            *low <= bound.low && bound.high <= *high
        }
        (AcceptedValues::Words(own), FieldType::Choice(super::Words::Static(words))) => {
            has_same_words(own, words)
        }
        (AcceptedValues::Several(one), FieldType::List(of, _)) => match of {
            crate::static_or_shared::StaticOrCounted::Static(of) => can_rust_type_store(one, of),
            crate::static_or_shared::StaticOrCounted::Counted(_) => false,
        },
        _ => false,
    }
}

const fn has_same_words(a: &[&str], b: &[&str]) -> bool {
    let mut place = 0;
    while place < a.len()
        && place < b.len()
        && super::const_clone::is_equal_text(a[place], b[place])
    {
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
            let shapes = [$(<$type as $crate::form::field_macros::FieldValueType>::STORABLE_VALUES),+];
            assert!($crate::form::field_macros::can_types_store(ROWS, &shapes), "a type cannot store every value of its field");
        };

        impl $crate::form::field_macros::FieldGroupFromForm for $group {
            fn read(form: &$crate::form::Form) -> Self {
                $group {$(
                    $member: $crate::form::field_macros::read_field(
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
        $crate::form::field_macros::list!(@ of $key; $group;).with_help_text(concat!($($about),+).trim_ascii_start())
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

        impl $crate::form::field_macros::FieldGroupFromForm for $form {
            fn read(form: &$crate::form::Form) -> Self {
                $form { $($member: $crate::form::field_macros::FieldGroupFromForm::read(form),)+ }
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
                let word = $crate::form::name_matching::find_meant_name(word, Self::WORDS.iter().copied())?;
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

        impl $crate::form::field_macros::FieldValueType for $choice {
            const STORABLE_VALUES: $crate::form::field_macros::ValuesTypeCanStore = $crate::form::field_macros::ValuesTypeCanStore {
                holds: $crate::form::field_macros::AcceptedValues::Words(Self::WORDS),
                absent: false,
            };

            fn convert_from_value(value: Option<&$crate::form::Value>) -> Option<Self> {
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
mod tests;
