//! Views of a parser, one for each part of the grammar. All of them note into the same faults and
//! share tokens and expressions.

use std::ops::{Deref, DerefMut};

use super::RulebookFileParser;

macro_rules! views {
    ($($(#[$about:meta])* $view:ident by $name:ident,)*) => {$(
        $(#[$about])*
        pub(super) struct $view<'r, 'f>(&'r mut RulebookFileParser<'f>);

        impl<'f> Deref for $view<'_, 'f> {
            type Target = RulebookFileParser<'f>;

            fn deref(&self) -> &RulebookFileParser<'f> {
                self.0
            }
        }

        impl<'f> DerefMut for $view<'_, 'f> {
            fn deref_mut(&mut self) -> &mut RulebookFileParser<'f> {
                self.0
            }
        }

        impl<'f> RulebookFileParser<'f> {
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
