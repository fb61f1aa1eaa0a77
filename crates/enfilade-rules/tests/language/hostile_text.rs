//! Checks of one hostile text, shared by the fuzzer of this program and the coverage-guided one of
//! `fuzz/`.

use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::dice::ScriptedDice;
use enfilade_model::form::Form;
use enfilade_rules::diagnostics::Faults;
use enfilade_rules::syntax::parser::parse_rulebook_file;

/// Checks that a text is parsed, and compiled and played if it is a rulebook.
///
/// # Panics
/// If a fault has no place in the text or no message, or something in the language panics.
pub fn check_rulebook_text(text: &str) {
    check_places_of_faults(text);
    compile_and_play_samples(text);
}

/// Every fault has a place in the text.
fn check_places_of_faults(text: &str) {
    let mut faults = Faults::default();
    let file = parse_rulebook_file(text, &mut faults);
    drop(format!("{file:?}"));
    for fault in faults.into_sorted() {
        let (start, end) = (fault.span.start, fault.span.end);
        assert!(
            start <= end && text.get(start..end).is_some(),
            "{start}..{end} of {}: {}\n{text}",
            text.len(),
            fault.fault.problem
        );
        let told = &fault.fault.problem;
        assert!(!told.is_empty() && told.len() < 2000, "{told}\n{text}");
    }
}

/// States that are looked at of what can be played.
const SMALL: CompiledContestLimits =
    CompiledContestLimits { states: 1 << 9, endless: 0, nodes: 1 << 11, sequences: 1 << 13 };

/// What is a rulebook is compiled and played a little: no panic, no hang.
fn compile_and_play_samples(text: &str) {
    let none = |_: &str| Err("there are no files here".to_owned());
    let Ok(rulebook) =
        enfilade_rules::read_without_built_in_base("hostile", "hostile.rules", text, &none)
    else {
        return;
    };
    for action in &rulebook.system.actions {
        for sample in action.samples.iter().chain([""]).take(3) {
            let Ok(table) = sample.parse() else { continue };
            let Ok(form) = Form::from_table_with_defaults(&action.fields, &table) else {
                continue;
            };
            let Ok(contest) = action.build_contest(&form) else {
                continue;
            };
            let graph = DieGraph::compile_within_limits(&contest.combat, SMALL);
            if graph.is_ok() && contest.combat.recorded_rule_fault().is_none() {
                contest.combat.play_one_trial(&mut ScriptedDice::new(&[1, 2, 3, 4]), 100);
            }
        }
    }
}
