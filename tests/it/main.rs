//! The integration tests, in one binary because each one links everything.

use std::sync::LazyLock;

use enfilade::catalogue::Catalogue;

/// Returns the catalogue of the built-in rulebooks.
fn built_in() -> &'static Catalogue {
    static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(enfilade::systems::built_in_catalogue);
    &BUILT_IN
}

mod aic;
#[path = "../../crates/enfilade-pricing/tests/arsenals/mod.rs"]
mod arsenals;
mod asl;
mod balance;
mod browser;
mod card_words;
mod cards;
mod cards_hostile;
#[cfg(feature = "pdf")]
mod cards_pdf;
mod chart_prices;
mod charts;
mod cli;
mod compare;
mod copies;
mod d20;
mod decisions;
mod desk;
mod doors;
mod dropzone;
#[cfg(all(unix, feature = "parquet"))]
mod emitted;
mod experiment;
mod face;
mod floors;
mod flow;
mod forecasts;
mod harness;
mod hostile_input;
mod hostile_size;
mod interrupted;
mod kept;
#[path = "../../crates/enfilade-pricing/tests/known/mod.rs"]
mod known_prices;
mod language_server;
mod lengths;
mod libraries;
mod list_battles;
mod looked_for;
mod named;
mod naming;
mod narrow;
mod odd_machine;
mod own_catalogue;
mod page;
mod player_words;
mod questions;
mod readme;
mod relative;
mod report;
mod rulebook;
mod rulebook_words;
mod rules_door;
mod said;
mod schema;
#[cfg(all(unix, feature = "parquet"))]
mod sealed;
mod seek;
#[cfg(all(unix, feature = "studio", feature = "parquet"))]
mod shell_lines;
mod skirmishers;
mod stopwatch;
#[cfg(feature = "studio")]
mod studio;
#[cfg(feature = "parquet")]
mod sweep;
#[cfg(target_os = "linux")]
mod terminal;
mod ties;
mod toy;
mod vocabulary;
mod worth;
mod yardstick;
