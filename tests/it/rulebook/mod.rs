//! Rulebooks in text files: those that ship, and their documentation; the language itself is tested
//! in its crate.

mod assault_aic;
mod chance;
mod definite;
mod docs;
mod endless;
mod gallery;
mod hints;
mod house;
mod mixed_d20;
mod order;
mod priced;
mod quiet;
mod references;
mod retold;
mod retold_contests;
mod shipped;
mod silent;
mod telling;
mod told;

use enfilade::combat::AnyCombat;
use enfilade::form::Form;
use enfilade::graph::SizeLimits;
use enfilade::rulebook::{
    OptimizationFlags, build_contest_with_optimizations, read_without_built_in_base,
};

pub const LIMITS: SizeLimits =
    SizeLimits { states: 1 << 14, endless: 0, nodes: 1 << 16, sequences: 1 << 20 };

/// Returns the combat of the action `a` of a rulebook, all fields of which have defaults.
pub fn combat_of_rulebook(text: &str) -> AnyCombat {
    let rulebook =
        read_without_built_in_base("m", "m.rules", text, &|_| Err("there is no such file".into()));
    let rulebook = rulebook.unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let action = rulebook.system.action("a").expect("it is there");
    let form = Form::check_and_read_table(&action.fields, &toml::Table::new()).expect("defaults");
    let contest =
        build_contest_with_optimizations(&rulebook, "a", &form, OptimizationFlags::default());
    contest.unwrap_or_else(|faults| panic!("{text}: {faults:?}")).combat
}
