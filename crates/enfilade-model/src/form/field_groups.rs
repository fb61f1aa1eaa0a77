//! Groups of fields that several actions share, and their headings on forms.

use super::Field;

/// Heading of numbers and readings of the rules, which most contests leave unchanged.
pub const READINGS_HEADING: &str = "readings";

/// Puts fields under a heading.
pub const fn put_under_heading<const N: usize>(
    heading: &'static str,
    mut fields: [Field; N],
) -> [Field; N] {
    let mut place = 0;
    while place < N {
        fields[place].group.replace_at_compile_time(heading);
        place += 1;
    }
    fields
}

/// Puts fields under the heading of readings, and marks all of them as rare.
pub const fn under_readings<const N: usize>(fields: [Field; N]) -> [Field; N] {
    let mut fields = put_under_heading(READINGS_HEADING, fields);
    let mut place = 0;
    while place < N {
        fields[place].rare = true;
        place += 1;
    }
    fields
}

/// Joins several groups of fields to one list.
///
/// `joined![WEAPON, OWN, TARGET]` is the [`Fields`](crate::form::Fields) of all three, in order;
/// each group is an array of fields that are constants, or a slice of them behind a `*`.
#[macro_export]
#[doc(hidden)]
macro_rules! __joined {
    ($($group:expr),+ $(,)?) => {{
        const GROUPS: &[&[$crate::form::Field]] = &[$(&$group),+];
        $crate::form::Fields::Static(GROUPS)
    }};
}
pub use __joined as joined;

#[cfg(test)]
mod tests {
    use super::{joined, put_under_heading, under_readings};
    use crate::form::{Field, Fields};

    const ONE: [Field; 1] = [Field::new_switch_with_default("a", false, "first")];
    const TWO: &[Field] = &[
        Field::new_switch_with_default("b", false, "next"),
        Field::new_switch_with_default("c", true, "last"),
    ];

    #[test]
    fn groups_are_joined_in_order() {
        let all: Fields = joined![ONE, *TWO];
        let names: Vec<_> = all.iter().map(|field| field.name.clone()).collect();
        assert_eq!(names, ["a", "b", "c"]);
    }

    #[test]
    fn a_heading_is_given_once_to_all() {
        const UNDER: [Field; 1] = put_under_heading("the weapon", ONE);
        const LAST: [Field; 1] = under_readings(ONE);
        assert_eq!((&*UNDER[0].group, UNDER[0].rare), ("the weapon", false));
        assert_eq!((&*LAST[0].group, LAST[0].rare), ("readings", true));
    }
}
