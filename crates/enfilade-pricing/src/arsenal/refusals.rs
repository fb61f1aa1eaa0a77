//! Files that are no arsenals, and rulebooks without prices.

use super::ArsenalReader;
use enfilade_model::catalogue::System;
use enfilade_model::form::Fault;
use enfilade_study::file::source_document::Document;

/// The fault of a file that is an experiment and no arsenal.
pub(crate) fn fault_if_experiment_file(document: &Document) -> Option<Fault> {
    let key = document.first_key_present_of(&["contest"])?;
    let problem = "this is an experiment: it has contests, and no weapon";
    let help = "answer them with `enfilade odds` or `enfilade run`";
    let arsenal = document.first_key_present_of(&["weapon", "scenario"]).is_some();
    (!arsenal).then(|| Fault::new(key, problem).with_help(help))
}

impl ArsenalReader<'_, '_> {
    /// The fault of a rulebook that has no prices.
    pub(super) fn unpriced_rulebook_fault(&self, system: &System) -> Fault {
        let id = &system.id;
        if system.is_from_text() {
            let problem = format!("arsenals of {id} cannot be priced: it has no `price:` lines");
            return Fault::new("system", problem).with_help(
                "add `price:` with the lines `attack ACTION`, `weapon FIELD`, `target FIELD`, `losses SHOW`, \
                 and `cost COLUMN`, `of FIELD`, `distance FIELD` where there are such",
            );
        }
        let problem = format!(
            "arsenals of {id} cannot be priced: its rules do not cover a battle to its end"
        );
        let fault = Fault::new("system", problem);
        let all = self.0.catalogue.rulebooks_created_on_demand();
        let priced = all.filter(|system| system.pricing.is_some());
        let ids: Vec<&str> = priced.map(|system| &*system.id).collect();
        match ids.is_empty() {
            true => fault,
            false => fault.with_help(format!("there are arsenals of {}", ids.join(", "))),
        }
    }
}
