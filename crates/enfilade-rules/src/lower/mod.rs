//! Lowers a rule to code in one pass, line by line.
//!
//! Every value has a type and a range; a range of one number is a constant and costs no code. The
//! same pass therefore serves two purposes. When a file is checked there is no contest and fields
//! are unknown ranges: the pass reports faults, and its code is dropped. For a contest its fields
//! are constants: tests of them are decided, loops over its tables are unrolled, and the rest is
//! the code of this contest.

mod aggregates;
mod assignment;
mod author_text;
mod bag_items;
mod bag_layout;
mod bag_loops;
mod calls;
mod carried_fields;
pub(crate) mod changed_cells;
mod choose_statement;
pub(crate) mod compile;
mod conditions;
mod construct_views;
mod contest_checks;
mod contest_parameters;
pub(crate) mod contest_values;
mod definite_assignment;
mod dice_pools;
mod emitter;
mod expressions;
mod hoisting;
mod known_choices;
mod list_draws;
mod list_elements;
mod loop_statements;
mod lowered_value;
mod lowering;
mod match_arms;
mod measures;
mod name_lookup;
mod name_scopes;
mod parameter_trace;
mod range_arithmetic;
mod reports;
mod sorted_lists;
mod statements;
mod symbol_dice;
mod table_lookup;
mod unbounded_growth;

pub use emitter::LowerMode;
pub use hoisting::{DerivedParameter, ParameterSet};
pub use lowered_value::{DecisionPoint, LoweredShow};
pub use lowering::Lowering;
pub use parameter_trace::ProgramParameters;
