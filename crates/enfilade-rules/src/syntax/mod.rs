//! Text becomes trees: lines, words and the parser, which know nothing of what names mean.

pub mod ast;
pub mod foreign_lines;
#[doc(hidden)]
pub mod line_tree;
pub mod parser;
#[doc(hidden)]
pub mod token_cursor;
