//! Rules in text files, asked for their exact odds: games whose numbers were computed by other means.

mod beginners;
mod explained;
mod measures;
mod strategies;
mod texts;
mod unseen;
