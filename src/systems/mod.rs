//! The shelf of rulebooks that are built in.
//!
//! A rulebook is one folder here and one line in [`built_in`]. Nothing in a folder names an engine: a
//! rule is told as a [`Combat`](crate::combat::Combat), and the catalogue hides its types.

pub mod aic;
pub mod asl;
pub mod d20;
pub mod dropzone;
pub mod skirmishers;

use crate::catalogue::Catalogue;

/// A catalogue of the built-in rulebooks.
pub fn built_in() -> Catalogue {
    Catalogue::of([
        aic::system(),
        asl::system(),
        d20::system(),
        dropzone::system(),
        skirmishers::system(),
    ])
}
