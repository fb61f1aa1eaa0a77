//! From wanted odds to the numbers of a game.
//!
//! A file with `[seek]` lists the numbers that may change and the odds that are wanted. Every want
//! reads few of the numbers: those are its scope, found from the rule itself. The grid of each
//! scope is solved exactly, and grids are joined with intervals, so that all designs are decided
//! and few contests are solved.

mod cell_scopes;
mod changed_numbers;
mod comparison_verdict;
mod condition;
#[doc(hidden)]
pub mod design_file;
mod design_join;
mod design_order;
pub mod error;
#[doc(hidden)]
pub mod measure_influences;
mod no_fit;
mod number_path;
#[doc(hidden)]
pub mod seek_answer;
mod seek_contests;
#[doc(hidden)]
pub mod seek_design;
#[doc(hidden)]
pub mod seek_document;
#[doc(hidden)]
pub mod seek_numbers;
#[doc(hidden)]
pub mod seek_page;
#[doc(hidden)]
pub mod seek_question;
mod solved_grids;
mod value_text;
#[doc(hidden)]
pub mod want;
mod wanted_cells;
