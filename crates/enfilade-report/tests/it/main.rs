//! Charts, cards, pages, prices and folders of results, of real experiments, in one binary.

use enfilade_model::catalogue::Catalogue;

#[path = "../../../enfilade-pricing/tests/arsenals/mod.rs"]
mod arsenals;
mod blocks;
mod charts;
mod dropzone_arsenal;
#[cfg(all(feature = "files", feature = "terminal"))]
#[path = "../../../enfilade-pricing/tests/known/mod.rs"]
mod known_prices;
#[cfg(feature = "files")]
mod player_words;
#[cfg(all(feature = "files", feature = "terminal"))]
mod prices;
#[cfg(feature = "files")]
mod run_folder;
#[cfg(feature = "files")]
mod walked;

/// Returns the catalogue of the built-in rulebooks.
fn built_in() -> &'static Catalogue {
    &arsenals::BUILT_IN
}
