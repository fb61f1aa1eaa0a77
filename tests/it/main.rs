//! Tests of the program and of all sources, in one binary because each one links everything.

use std::sync::LazyLock;

use enfilade::catalogue::Catalogue;

/// Returns the catalogue of the built-in rulebooks.
fn built_in() -> &'static Catalogue {
    static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(enfilade::systems::built_in_catalogue);
    &BUILT_IN
}

mod asl;
mod balance;
mod browser;
mod card_words;
mod cards;
mod cards_hostile;
#[cfg(feature = "pdf")]
mod cards_pdf;
mod chart_prices;
mod cli;
mod compare;
mod decisions;
mod desk;
mod doors;
#[cfg(all(unix, feature = "parquet"))]
mod emitted;
mod face;
mod floors;
mod forecast_words;
mod harness;
mod hostile_input;
mod hostile_size;
mod kept;
mod language_server;
mod lengths;
mod libraries;
mod list_battles;
mod naming;
mod narrow;
mod odd_machine;
mod own_catalogue;
mod page;
mod readme;
mod relative_words;
mod report_words;
mod rulebook;
mod rulebook_words;
mod rules_door;
#[cfg(all(unix, feature = "parquet"))]
mod sealed;
mod seek;
#[cfg(all(unix, feature = "studio", feature = "parquet"))]
mod shell_lines;
mod stopwatch;
#[cfg(feature = "studio")]
mod studio;
#[cfg(feature = "parquet")]
mod sweep;
#[cfg(target_os = "linux")]
mod terminal;
mod terminal_words;
mod ties;
mod worth;
mod yardstick;
