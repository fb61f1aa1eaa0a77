//! From wanted odds to the numbers of a game: the command `enfilade seek`.
//!
//! A file with `[seek]` lists the numbers that may change and the odds that are wanted. A *design*
//! gives each of these numbers a value, and a *want* compares a chance or mean with a target. Every
//! want reads few of the numbers: its *scope*, which the compiled rule defines. The grid of each
//! scope is solved exactly, and grids are joined with intervals. So every design is decided, and
//! few contests are solved. Where cells are dear, solved ones bound the others: a fence.
//!
//! The parts in their order: `seek_question` reads the file, `cell_scopes` finds the scopes,
//! `scope_solver` solves their cells, `design_join` joins them, and `seek_answer` has the result,
//! or `no_fit` the wants that exclude each other. The crate is internal to the program: no item has
//! a promise of stability.

#[doc(hidden)]
pub mod answer_views;
mod cell_scopes;
mod changed_numbers;
mod comparison_verdict;
mod condition;
#[doc(hidden)]
pub mod design_file;
mod design_join;
mod design_order;
mod dice_family;
#[doc(hidden)]
pub mod dice_search;
#[doc(hidden)]
pub mod dice_want;
pub mod error;
#[doc(hidden)]
pub mod fence;
mod fenced_grid;
mod interchangeable_numbers;
mod line_wrapping;
#[doc(hidden)]
pub mod measure_influences;
#[doc(hidden)]
pub mod no_fit;
mod number_path;
#[doc(hidden)]
pub mod number_tries;
#[doc(hidden)]
pub mod price_answer;
#[doc(hidden)]
pub mod price_question;
#[doc(hidden)]
pub mod price_want;
#[doc(hidden)]
pub mod rulebook_numbers;
mod scope_solver;
#[doc(hidden)]
pub mod scope_sweep;
#[doc(hidden)]
pub mod search_journal;
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
mod step_search;
mod sweep_as_search;
mod value_text;
#[doc(hidden)]
pub mod want;
mod wanted_cells;
mod work_remark;
