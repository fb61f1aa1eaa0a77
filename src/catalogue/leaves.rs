//! What an action says of how the fields of its contests are left.

use super::{Action, Build, Contest};
use crate::form::{Fault, Form, Words};

/// What an action says of how fields are left, once it is over.
#[derive(Clone)]
pub struct Leaves {
    /// The fields of which it says what becomes of them; the others stay as they are. Where there are none,
    /// nothing is said of any.
    pub fields: Words,
    /// Makes the contest that tells it; `None` where every contest does.
    pub build: Option<Build>,
}

crate::shared::opaque!(Leaves);

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
