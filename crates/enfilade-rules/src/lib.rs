//! Rulebooks in text files: any game, played by the same engines as the built-in ones.
//!
//! [`read_without_built_in_base`] checks and compiles a text; the result is a
//! [system](enfilade_model::catalogue::System) for a catalogue, whose actions can be put into an
//! experiment like those of a game in Rust. All faults of a file are reported at once, each with
//! its line and a remedy.
//!
//! ```
//! let text = "
//! field shooters: 1..10 = 4
//! action fire:
//!     hits = count(shooters d6 >= 5)
//!     show hits
//! ";
//! let no_files = |_: &str| Err("there are no files here".to_owned());
//! let rulebook = enfilade_rules::read_without_built_in_base("volley", "volley.rules", text, &no_files)?;
//! assert_eq!(rulebook.system.actions[0].name, "fire");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The stages of the compiler:
//!
//! ```text
//! text ─ syntax/line_tree ─ token_cursor ─ parser ─▶ ast        no name is resolved
//!      ─ resolve/{extend, declare, field_types, printed_cells, tables} ─▶ Game     every name resolved
//!      ─ check  (lowers every rule over unknown values) ─▶ faults, remarks
//! per contest:  lower ─▶ vm::code::Program ─ optimize ─ cache
//!      ─ vm/{machine, states} plays it from die to die; trace explains it
//! system builds the catalogue entry of a Game; loader reads the files; tools serve editors
//! ```
//!
//! A folder uses only those below it: `value_types`, `diagnostics` and `source_map` are the lowest,
//! above them are `syntax`, `resolve` and `vm`, then `optimize`, `lower`, the three users of
//! lowered rules (`check`, `trace`, `cache`), `combat`, `system`, `loader` and `tools`.

pub mod diagnostics;
pub mod syntax;
pub mod tools;

mod cache;
mod check;
mod combat;
mod loader;
mod lower;
mod optimize;
mod resolve;
mod source_map;
mod system;
mod trace;
mod value_types;
mod vm;

pub use loader::{
    Rulebook, is_rulebook_text, read_with_built_in_bases, read_without_built_in_base,
};
#[cfg(feature = "files")]
pub use loader::{read_rulebook_at_path, read_rulebook_from_text};
pub use optimize::OptimizationFlags;
pub use syntax::parser::MAX_RULEBOOK_FILE_BYTES;
pub use tools::state_inspection::{
    RuleStateByDie, StateCountExtent, StateSavedAtDie, build_contest_with_optimizations,
    find_rule_unplayable_reason, inspect_saved_state,
};
