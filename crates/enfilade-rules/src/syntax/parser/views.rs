//! Views of a reader, each with a part of the grammar: all note into the same faults and share words and expressions.

use std::ops::{Deref, DerefMut};

use super::Reader;

macro_rules! views {
    ($($(#[$about:meta])* $view:ident by $name:ident,)*) => {$(
        $(#[$about])*
        pub(super) struct $view<'r, 'f>(&'r mut Reader<'f>);

        impl<'f> Deref for $view<'_, 'f> {
            type Target = Reader<'f>;

            fn deref(&self) -> &Reader<'f> {
                self.0
            }
        }

        impl<'f> DerefMut for $view<'_, 'f> {
            fn deref_mut(&mut self) -> &mut Reader<'f> {
                self.0
            }
        }

        impl<'f> Reader<'f> {
            /// What it reads of these.
            pub(super) fn $name(&mut self) -> $view<'_, 'f> {
                $view(self)
            }
        }
    )*};
}

views! {
    /// What a file declares: words, fields, data, tables, actions, and what is said of them.
    Declarations by declarations,
    /// The lines of a rule, and what it reports.
    RuleLines by rule_lines,
}
