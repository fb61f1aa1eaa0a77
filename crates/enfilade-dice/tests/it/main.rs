//! Dice in the words of players and of rulebooks, in one binary.

use enfilade_engine::graph::CompiledContestLimits;
use enfilade_model::combat::AnyCombat;
use enfilade_model::form::Form;
use enfilade_rules::{
    OptimizationFlags, build_contest_with_optimizations, read_without_built_in_base,
};

mod dice_words;
mod too_many;

const LIMITS: CompiledContestLimits =
    CompiledContestLimits { states: 1 << 14, endless: 0, nodes: 1 << 16, sequences: 1 << 20 };

/// Returns the combat of the action `a` of a rulebook, all fields of which have defaults.
fn combat_of_rulebook(text: &str) -> AnyCombat {
    let rulebook =
        read_without_built_in_base("m", "m.rules", text, &|_| Err("there is no such file".into()));
    let rulebook = rulebook.unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let action = rulebook.system.action("a").expect("it is there");
    let form =
        Form::from_table_with_defaults(&action.fields, &toml::Table::new()).expect("defaults");
    let contest =
        build_contest_with_optimizations(&rulebook, "a", &form, OptimizationFlags::default());
    contest.unwrap_or_else(|faults| panic!("{text}: {faults:?}")).combat
}
