//! Views of a parser, one for each part of the grammar. All of them note into the same faults and
//! share tokens and expressions.

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
            /// Borrows the parser as this view.
            pub(super) fn $name(&mut self) -> $view<'_, 'f> {
                $view(self)
            }
        }
    )*};
}

views! {
    /// Declarations of a file: words, fields, data, tables, actions, and their annotations.
    Declarations by declarations,
    /// Lines of a rule, and its report.
    RuleLines by rule_lines,
}
