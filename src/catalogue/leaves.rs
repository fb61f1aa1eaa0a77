//! What an action says of how the fields of its contests are left.

use super::{Action, Contest, Leaves};
use crate::form::{Fault, Form, Words};

impl Action {
    /// The same action, whose contests tell what becomes of these fields.
    pub const fn leaving(mut self, fields: &'static [&'static str]) -> Self {
        let leaves = Leaves { fields: Words::Static(fields), build: None };
        std::mem::forget(std::mem::replace(&mut self.leaves, leaves));
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
