//! Experiment files: text as values with positions, rulebooks that files name, and values as text.

#[cfg(feature = "edit")]
pub mod edit;
#[doc(hidden)]
pub mod experiment_file;
#[doc(hidden)]
pub mod file_reader;
#[doc(hidden)]
pub mod rulebook_loader;
#[doc(hidden)]
pub mod source_document;
#[doc(hidden)]
pub mod toml_writer;
