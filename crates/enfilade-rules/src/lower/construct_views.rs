//! Views of a lowering, one for each part of the language. All of them borrow the same scopes and
//! the same code, and each translates its own kind of lines.

use std::ops::{Deref, DerefMut};

use super::lowering::Lowering;

macro_rules! views {
    ($($(#[$about:meta])* $view:ident by $name:ident,)*) => {$(
        $(#[$about])*
        pub(super) struct $view<'l, 'g>(&'l mut Lowering<'g>);

        impl<'g> Deref for $view<'_, 'g> {
            type Target = Lowering<'g>;

            fn deref(&self) -> &Lowering<'g> {
                self.0
            }
        }

        impl<'g> DerefMut for $view<'_, 'g> {
            fn deref_mut(&mut self) -> &mut Lowering<'g> {
                self.0
            }
        }

        impl<'g> Lowering<'g> {
            /// Borrows the lowering as this view.
            pub(super) fn $name(&mut self) -> $view<'_, 'g> {
                $view(self)
            }
        }
    )*};
}

views! {
    /// Lines: conditions, loops, decisions, the end.
    Statements by statements,
    /// Assignments to names, list elements and bag items.
    Assignments by assignments,
    /// Values: names, operators, tests, sums over lists.
    Expressions by expressions,
    /// Bags: layout, loops, picks and changes of their items.
    Bags by bags,
    /// Dice pools.
    DicePools by dice,
    /// Shows, measures and carried fields.
    Reports by reporting,
    /// Table cells by their keys.
    TableLookup by tables,
}
