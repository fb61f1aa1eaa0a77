//! Rules of the built-in rulebooks, in one binary.

use std::sync::LazyLock;

use enfilade_model::catalogue::Catalogue;

/// Returns the catalogue of the built-in rulebooks.
fn built_in() -> &'static Catalogue {
    static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(enfilade_games::built_in_catalogue);
    &BUILT_IN
}

mod aic;
mod asl;
mod d20;
mod dropzone;
mod forbidden;
mod four_mistakes;
mod harness;
mod laws;
mod rule_words;
mod rulebook;
mod skirmishers;
