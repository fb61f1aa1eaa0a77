//! `dropzone`: modifiers and specials one by one, readings, laws, and independent implementations.

mod aftermath;
mod agree;
mod laws;
mod matrix;
mod measures;
mod oracle;
mod oracle_focus;
mod oracle_salvo;
mod oracle_scenery;
mod readings;
mod refusals;
mod rules;
mod steps;
