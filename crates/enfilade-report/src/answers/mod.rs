//! Answers to an experiment: tables, JSON, a summary, and instructions to reproduce them.

pub(crate) mod answer_sentence;
pub mod answer_tables;
pub mod answer_view;
pub mod answers_json;
mod filled_answer_columns;
pub mod grid_digest;
pub(crate) mod how_to_reproduce;
pub mod run_summary;
pub(crate) mod search_report;
pub mod show_distributions;
pub mod strategy_report;
pub mod strategy_table;
pub mod trade_off_tables;
pub mod zero_columns;
