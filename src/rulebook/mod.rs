//! Rulebooks in text files: from the text to its tree, with every fault at once.
//!
//! `lines` finds what belongs to what, `cursor` the words of a line, `parse` the tree of a file. What
//! names mean, and how a rule is played, is not known here yet.

pub mod cursor;
pub mod fault;
pub mod lines;
pub mod parse;
pub mod tree;
