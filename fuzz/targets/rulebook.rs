//! Any text is a rulebook, which is compiled and played a little, or has faults with their places.

#![no_main]

#[path = "../../crates/enfilade-rules/tests/language/hostile_text.rs"]
mod hostile_text;

libfuzzer_sys::fuzz_target!(|text: &str| hostile_text::check_rulebook_text(text));
