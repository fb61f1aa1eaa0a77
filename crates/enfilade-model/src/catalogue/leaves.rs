//! Changes that an action makes to the fields of its contests.

use super::{Action, Contest, Leaves};
use crate::form::{Fault, Form, Words};
use crate::shared::Shared;

impl Action {
    /// Sets the fields whose changes the contests report.
    pub const fn leaving(mut self, fields: &'static [&'static str]) -> Self {
        let leaves = Leaves { fields: Words::Static(fields), build: None };
        std::mem::forget(std::mem::replace(&mut self.leaves, leaves));
        self
    }

    /// Sets the builder of contests that store the changes, for rules that otherwise forget them.
    pub const fn with_leaving_build(
        mut self,
        build: &'static (dyn Fn(&Form) -> Result<Contest, Vec<Fault>> + Send + Sync),
    ) -> Self {
        std::mem::forget(self.leaves.build.replace(Shared::Static(build)));
        self
    }

    /// Creates the contest of `form` that reports the changes of its fields.
    ///
    /// # Errors
    /// The parts of the form that do not fit together.
    pub fn contest_leaving(&self, form: &Form) -> Result<Contest, Vec<Fault>> {
        self.leaves.build.as_ref().map_or_else(|| self.contest(form), |build| build(form))
    }
}
