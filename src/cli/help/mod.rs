//! What `systems` prints about an action and its fields.

pub mod action_help;
pub mod field_help;
