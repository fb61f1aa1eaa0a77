//! Views of a rule that is lowered, one for each part of the language: all borrow the same names and the same code, and
//! each knows how its own lines become calls of the two.

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
            /// What it knows of these.
            pub(super) fn $name(&mut self) -> $view<'_, 'g> {
                $view(self)
            }
        }
    )*};
}

views! {
    /// Lines: conditions, loops, decisions, the end.
    Statements by statements,
    /// Values given to names, places of lists and things of bags.
    Assignments by assignments,
    /// Values: names, signs, tests, sums over lists.
    Expressions by expressions,
    /// Bags: how their things are laid out, gone over, picked and changed.
    Bags by bags,
    /// Dice: thrown, kept, rolled again.
    DicePools by dice,
    /// Shows, measures, and what is left of fields.
    Reports by reporting,
    /// Cells of tables by their keys.
    TableLookup by tables,
}
