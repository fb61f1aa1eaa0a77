//! Experiments and their answers over the contests of all games, and the engines against each other,
//! in one binary.

use std::sync::LazyLock;

use enfilade_model::catalogue::Catalogue;
use enfilade_model::error::InputError;
use enfilade_study::error::StudyError;

/// Returns the catalogue of the built-in rulebooks.
fn built_in() -> &'static Catalogue {
    static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(enfilade_games::built_in_catalogue);
    &BUILT_IN
}

/// Returns what an error says: problem and help of every fault, a line each.
fn sentences(error: StudyError) -> String {
    let StudyError::Input(InputError { faults, .. }) = &error else {
        return error.to_string();
    };
    let said = faults.iter().map(|located| {
        let help = located.fault.help.as_deref().unwrap_or_default();
        format!("{}; {help}", located.fault.problem)
    });
    said.collect::<Vec<_>>().join("\n")
}

mod aic;
mod answers_by_hand;
mod asl;
mod chain;
mod copies;
mod decisions;
mod dropzone;
mod engines;
mod experiment;
mod faults;
mod flow;
mod forecasts;
mod frontier_forecasts;
mod harness;
mod hints;
#[cfg(feature = "files")]
mod interrupted;
mod kinds;
mod layer_zero;
mod looked_for;
mod maze;
mod planted;
mod relative;
mod remaining_time;
mod reproducible;
mod resumed;
mod said;
mod schemas;
mod shards;
mod skirmishers;
mod starter_files;
mod tallies;
mod toys;
mod trade_offs;
mod turns;
mod vocabulary;
mod waves;
