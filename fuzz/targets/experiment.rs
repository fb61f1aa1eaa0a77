//! Any text is an experiment, or is refused with a message that does not steer a terminal.

#![no_main]

use std::sync::LazyLock;

use enfilade_model::catalogue::Catalogue;
use enfilade_study::experiment::Experiment;
use enfilade_study::file::source_document::is_control_or_invisible;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(enfilade_games::built_in_catalogue);

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Err(error) = Experiment::read_experiment_text(&CATALOGUE, "hostile.toml", text) {
        let message = error.to_string();
        let steers = |c| is_control_or_invisible(c) && c != '\n';
        assert!(!message.is_empty() && !message.chars().any(steers), "{message:?}");
    }
});
