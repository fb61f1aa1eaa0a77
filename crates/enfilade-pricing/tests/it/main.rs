//! Prices of arsenals of all kinds of rulebooks, and the files that are asked about, in one binary.

use enfilade_model::catalogue::Catalogue;
use enfilade_model::error::InputError;
use enfilade_pricing::error::PricingError;
use enfilade_study::error::StudyError;

#[path = "../arsenals/mod.rs"]
mod arsenals;
mod dropzone_arsenal;
mod evidence;
#[path = "../../../enfilade-games/tests/it/harness/exploding.rs"]
mod exploding;
#[path = "../known/mod.rs"]
mod known_prices;
mod priced_texts;
mod questions;
mod schema;
mod skirmishers_arsenal;
mod toy_prices;

/// Returns the catalogue of the built-in rulebooks.
fn built_in() -> &'static Catalogue {
    &arsenals::BUILT_IN
}

/// Returns what an error says: problem and help of every fault, a line each.
fn sentences(error: impl Into<PricingError>) -> String {
    let error = error.into();
    let PricingError::Study(StudyError::Input(InputError { faults, .. })) = &error else {
        return error.to_string();
    };
    let said = faults.iter().map(|located| {
        let help = located.fault.help.as_deref().unwrap_or_default();
        format!("{}; {help}", located.fault.problem)
    });
    said.collect::<Vec<_>>().join("\n")
}
