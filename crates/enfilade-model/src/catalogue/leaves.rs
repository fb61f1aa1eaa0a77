//! What an action says of how the fields of its contests are left.

use super::{Action, Contest, Leaves};
use crate::form::{Fault, Form, Words};
use crate::shared::Shared;

impl Action {
    /// The same action, whose contests tell what becomes of these fields.
    pub const fn leaving(mut self, fields: &'static [&'static str]) -> Self {
        let leaves = Leaves { fields: Words::Static(fields), build: None };
        std::mem::forget(std::mem::replace(&mut self.leaves, leaves));
        self
    }

    /// Sets the builder of contests that keep what they leave, for rules that forget it otherwise.
    pub const fn with_leaving_build(
        mut self,
        build: &'static (dyn Fn(&Form) -> Result<Contest, Vec<Fault>> + Send + Sync),
    ) -> Self {
        std::mem::forget(self.leaves.build.replace(Shared::Static(build)));
        self
    }

    /// The same contest, which tells what it leaves.
    ///
    /// # Errors
    /// What does not fit together.
    pub fn contest_leaving(&self, form: &Form) -> Result<Contest, Vec<Fault>> {
        self.leaves.build.as_ref().map_or_else(|| self.contest(form), |build| build(form))
    }
}
