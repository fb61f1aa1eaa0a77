//! The engines against each other over the contests of all games, in one binary.

use std::sync::LazyLock;

use enfilade_model::catalogue::Catalogue;

/// Returns the catalogue of the built-in rulebooks.
fn built_in() -> &'static Catalogue {
    static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(enfilade_games::built_in_catalogue);
    &BUILT_IN
}

mod chain;
mod decisions;
mod engines;
mod faults;
mod frontier_forecasts;
mod hints;
mod kinds;
mod layer_zero;
mod maze;
mod planted;
mod reproducible;
mod resumed;
mod tallies;
mod toys;
mod turns;
mod waves;
