//! Groups of fields that several actions share, as one list.

/// Several groups of fields as one list.
///
/// `joined![WEAPON, OWN, TARGET]` is the [`Fields`](crate::form::Fields) of all three, in order; each
/// group is an array of fields known at compile time, or a slice of them behind a `*`.
macro_rules! joined {
    ($($group:expr),+ $(,)?) => {{
        const GROUPS: &[&[$crate::form::Field]] = &[$(&$group),+];
        $crate::form::Fields::Static(GROUPS)
    }};
}
pub(crate) use joined;

#[cfg(test)]
mod tests {
    use crate::form::{Field, Fields};

    const ONE: [Field; 1] = [Field::flag("a", false, "first")];
    const TWO: &[Field] = &[
        Field::flag("b", false, "next"),
        Field::flag("c", true, "last"),
    ];

    #[test]
    fn groups_are_joined_in_order() {
        let all: Fields = joined![ONE, *TWO];
        let names: Vec<_> = all.iter().map(|field| field.name.clone()).collect();
        assert_eq!(names, ["a", "b", "c"]);
    }
}
