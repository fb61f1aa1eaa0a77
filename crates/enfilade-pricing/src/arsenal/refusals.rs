//! Files that are no arsenals, and rulebooks without prices.

use super::ArsenalReader;
use enfilade_model::catalogue::System;
use enfilade_model::form::Fault;
use enfilade_study::file::document::Document;

/// The fault of a file that is an experiment and no arsenal.
pub(crate) fn experiment_given(document: &Document) -> Option<Fault> {
    let key = document.first_of(&["contest"])?;
    let problem = "this is an experiment: it has contests, and no weapon";
    let help = "answer them with `enfilade odds` or `enfilade run`";
    let arsenal = document.first_of(&["weapon", "scenario"]).is_some();
    (!arsenal).then(|| Fault::new(key, problem).help(help))
}

impl ArsenalReader<'_, '_> {
    /// The fault of a rulebook that has no prices.
    pub(super) fn without_prices(&self, system: &System) -> Fault {
        let id = &system.id;
        if system.is_read() {
            let problem = format!("arsenals of {id} cannot be priced: it has no `price:` lines");
            return Fault::new("system", problem).help(
                "add `price:` with the lines `attack ACTION`, `weapon FIELD`, `target FIELD`, `losses SHOW`, \
                 and `cost COLUMN`, `of FIELD`, `distance FIELD` where there are such",
            );
        }
        let problem = format!(
            "arsenals of {id} cannot be priced: its rules do not cover a battle to its end"
        );
        let fault = Fault::new("system", problem);
        let all = self.0.catalogue.systems();
        let priced = all.filter(|system| system.pricing.is_some());
        let ids: Vec<&str> = priced.map(|system| &*system.id).collect();
        match ids.is_empty() {
            true => fault,
            false => fault.help(format!("there are arsenals of {}", ids.join(", "))),
        }
    }
}
