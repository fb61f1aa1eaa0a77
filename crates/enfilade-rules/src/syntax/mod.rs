//! Syntax: lines, tokens and the parser, independent of what names mean.

pub mod ast;
pub mod foreign_lines;
#[doc(hidden)]
pub mod line_tree;
pub mod parser;
#[doc(hidden)]
pub mod token_cursor;
