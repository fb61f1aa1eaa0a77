//! Virtual machine of rules: code, registers, and saved states.

mod bag;
mod best_faces;
pub(crate) mod checked_numbers;
pub(crate) mod code;
mod compared_registers;
pub(crate) mod dice_after_end;
mod face_test_values;
mod fields_carried_on;
pub(crate) mod machine;
mod open_options;
pub(crate) mod operands;
pub(crate) mod pool_loop;
#[cfg(test)]
#[path = "../../tests/by_hand/programs_by_hand.rs"]
mod programs_by_hand;
mod register_set;
mod saved_registers;
mod smaller_contest;
pub(crate) mod snapshot;
pub(crate) mod state_stats;
mod states;
pub(crate) mod stop_reason;
mod suspend_kind;
pub(crate) mod trace_marks;
