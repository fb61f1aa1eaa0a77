//! Faults of names: unknown ones, and those that are declared twice.

use rustc_hash::FxHashSet;

use crate::diagnostics::{Faults, did_you_mean};
use crate::syntax::ast::Ident;

/// Reports a name that is already in use.
pub fn report_name_in_use(name: &Ident, what: &str, faults: &mut Faults) {
    let problem = format!("`{}` is {what} already and cannot be declared again", name.text);
    faults.add_fault_at_span(name.span.clone(), problem, "give it another name");
}

/// Reports names that occur more than once.
pub fn report_repeated_names<'n>(
    names: impl IntoIterator<Item = &'n Ident>,
    what: &str,
    faults: &mut Faults,
) {
    let mut above = FxHashSet::default();
    for name in names {
        if !above.insert(&name.text) {
            report_name_in_use(name, what, faults);
        }
    }
}

/// Reports an unknown name, with the most similar one.
pub fn report_unknown<'a>(
    name: &Ident,
    problem: String,
    names: impl IntoIterator<Item = &'a str>,
    faults: &mut Faults,
) {
    faults.add_fault_at_span(name.span.clone(), problem, did_you_mean(&name.text, names));
}
