//! Groups of fields that several actions share, put together at compile time.

use super::Field;

/// Several groups of fields as one list.
///
/// `joined![WEAPON, OWN, TARGET]` is a `&'static [Field]` with the fields of all three, in order;
/// each group is an array or a slice of fields known at compile time.
macro_rules! joined {
    ($($group:expr),+ $(,)?) => {{
        const GROUPS: &[&[$crate::form::Field]] = &[$(&$group),+];
        const ALL: [$crate::form::Field; $crate::form::groups::count(GROUPS)] =
            $crate::form::groups::join(GROUPS);
        &ALL
    }};
}
pub(crate) use joined;

/// How many fields there are in `groups`.
pub const fn count(groups: &[&[Field]]) -> usize {
    let (mut group, mut sum) = (0, 0);
    while group < groups.len() {
        sum += groups[group].len();
        group += 1;
    }
    sum
}

/// The fields of `groups` in order.
///
/// # Panics
/// When `N` is not the number of fields in `groups`; at compile time, in a `const`.
pub const fn join<const N: usize>(groups: &[&[Field]]) -> [Field; N] {
    let mut all = [groups[0][0]; N];
    let (mut group, mut filled) = (0, 0);
    while group < groups.len() {
        let mut place = 0;
        while place < groups[group].len() {
            all[filled] = groups[group][place];
            filled += 1;
            place += 1;
        }
        group += 1;
    }
    assert!(filled == N);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: [Field; 1] = [Field::flag("a", false, "first")];
    const TWO: &[Field] = &[
        Field::flag("b", false, "next"),
        Field::flag("c", true, "last"),
    ];

    #[test]
    fn groups_are_joined_in_order() {
        let all: &[Field] = joined![ONE, *TWO];
        let names: Vec<_> = all.iter().map(|field| field.name).collect();
        assert_eq!(names, ["a", "b", "c"]);
    }
}
