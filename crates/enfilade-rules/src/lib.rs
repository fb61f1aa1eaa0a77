//! Rulebooks in text files: any game, played by the same three engines.
//!
//! `lines` finds what belongs to what, `cursor` the words of a line, `parse` the tree of a file,
//! `files` the trees of all files of a rulebook; `declare` finds what their names mean. `walk` goes
//! over a rule and writes its code, `machine` plays it from die to die, and `system` makes a rulebook
//! of the catalogue of it all.

#[doc(hidden)]
pub mod cursor;
pub mod fault;
pub mod format;
#[doc(hidden)]
pub mod lines;
mod operands;
pub mod parse;
pub mod printed;
pub mod tree;

mod alike;
mod arms;
mod asks;
mod bag;
mod cells;
mod check;
mod code;
mod compile;
mod contest;
mod declare;
mod extend;
mod fields;
mod files;
mod forms;
mod found;
mod game;
mod hold;
mod inspect;
mod kind;
mod knowing;
mod leaving;
mod left;
mod live;
mod machine;
mod plain;
mod play;
mod pools;
mod price;
mod ready;
mod regs;
mod said;
mod smaller;
mod snap;
mod source;
mod states;
mod sums;
mod system;
mod tell;
mod tidy;
mod unknown;
mod unread;
mod unrolled;
mod vain;
mod walk;
mod ways;
mod widest;

pub use files::{Rulebook, is_one, read, read_with};
#[cfg(feature = "files")]
pub use files::{open, read_at};
pub use inspect::{Counted, Inspection, Remembered, contest_with, remembered, unplayable};
pub use parse::BYTES;
pub use walk::Thrift;
