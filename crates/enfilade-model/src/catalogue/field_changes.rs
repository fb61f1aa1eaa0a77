//! Changes that an action makes to the fields of its contests.

use super::{CarriedFieldRules, Contest, RulebookAction};
use crate::form::{Fault, Form, Words};
use crate::static_or_shared::StaticOrCounted;

impl RulebookAction {
    /// Sets the fields whose changes the contests report.
    pub const fn with_change_reporting_fields(mut self, fields: &'static [&'static str]) -> Self {
        let leaves = CarriedFieldRules { fields: Words::Static(fields), build: None };
        std::mem::forget(std::mem::replace(&mut self.leaves, leaves));
        self
    }

    /// Sets the builder of contests that store the changes, for rules that otherwise forget them.
    pub const fn with_builder_reporting_changes(
        mut self,
        build: &'static (dyn Fn(&Form) -> Result<Contest, Vec<Fault>> + Send + Sync),
    ) -> Self {
        std::mem::forget(self.leaves.build.replace(StaticOrCounted::Static(build)));
        self
    }

    /// Creates the contest of `form` that reports the changes of its fields.
    ///
    /// # Errors
    /// The parts of the form that do not fit together.
    pub fn build_reporting_field_changes(&self, form: &Form) -> Result<Contest, Vec<Fault>> {
        self.leaves.build.as_ref().map_or_else(|| self.build_contest(form), |build| build(form))
    }
}
