//! A rulebook whose contests are built whatever its checks.

use super::{Catalogue, RulebookAction, System};
use crate::form::Fault;
use crate::static_or_shared::{StaticOrCounted, Text};

/// The end of the id of a rulebook without checks.
pub const WITHOUT_CHECKS: &str = "-without-checks";

impl System {
    /// Returns the rulebook, under an id of its own, with contests that are built whatever its
    /// checks.
    fn without_checks(&self) -> System {
        let actions = self.actions.iter().map(|action| action.without_checks().into());
        let id = Text::from(format!("{}{WITHOUT_CHECKS}", self.id));
        System { id, actions: actions.collect(), ..self.clone() }
    }
}

impl RulebookAction {
    fn without_checks(&self) -> RulebookAction {
        let Some(probe) = self.probe.clone() else { return self.clone() };
        let build =
            std::sync::Arc::new(move |form: &crate::form::Form| probe.build_without_checks(form));
        RulebookAction { build: StaticOrCounted::Counted(build), ..self.clone() }
    }
}

impl Catalogue {
    /// Adds a rulebook of the catalogue once more, without its checks; `name` is its id with
    /// [`WITHOUT_CHECKS`]. Any other name adds nothing.
    ///
    /// # Errors
    /// A fault with the nearest name if there is no such rulebook.
    #[doc(hidden)]
    pub fn with_copy_without_checks(self, name: &str) -> Result<Catalogue, Fault> {
        let Some(id) = name.strip_suffix(WITHOUT_CHECKS) else { return Ok(self) };
        if self.rulebook_ids().any(|known| known == name) {
            return Ok(self);
        }
        let system = self.rulebook_by_id(id)?.without_checks();
        Ok(self.with_rulebook(system))
    }
}
