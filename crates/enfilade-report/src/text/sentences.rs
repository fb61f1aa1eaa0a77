//! Sentences that all reports share.

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::text::number_format::format_exact_percent;
use enfilade_engine::exact::MAX_UNFINISHED_FOR_MEAN;
use enfilade_model::combat::{MeasureHead, OutcomeFieldHead};
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::{Answer, AnswerMethod};

use crate::text::labels::capitalize_first;
pub use crate::text::labels::{
    cell_place_among_others, describe_cell_place, replace_control_chars,
};

/// Describes the trials: `10 000 trials`, or `10 000 to 40 000 trials a cell`.
pub fn describe_trials_per_cell(answers: &[Answer]) -> String {
    describe_trials_of(answers.iter())
}

/// Describes the trials of answers from several sources.
pub fn describe_trials_of<'a>(answers: impl Iterator<Item = &'a Answer> + Clone) -> String {
    let all = || answers.clone().map(|answer| answer.trials);
    let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    if least == most {
        let each = if all().count() > 1 { " a cell" } else { "" };
        return format!("{} trials{each}", group_digits(most));
    }
    format!("{} to {} trials a cell", group_digits(least), group_digits(most))
}

/// Describes the method in one sentence, with N and the meaning of an interval.
pub fn describe_method<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> String {
    // If some cells have an answer, those without one do not count for the method.
    let answers: Vec<&Answer> = answers.into_iter().filter(|a| !a.is_cell_refused()).collect();
    if answers.is_empty() {
        return "There is no answer.".to_owned();
    }
    let answers = answers.iter().copied();
    let exact = answers.clone().all(has_exact_distribution);
    let open = answers
        .clone()
        .any(|answer| answer.unsettled.is_some_and(|open| open > MAX_UNFINISHED_FOR_MEAN));
    let has = |engine| answers.clone().any(|answer| answer.engine == engine);
    let how = match (has(AnswerMethod::Simulated), has(AnswerMethod::Played)) {
        (false, false) if open => {
            return "Exact for the finished part; nothing was simulated.".to_owned();
        }
        (false, false) => return "Exact; nothing was simulated.".to_owned(),
        (true, false) => "simulated",
        (false, true) => "played one trial at a time",
        (true, true) => "simulated or played",
    };
    let seed = answers.clone().next().map_or(0, |answer| answer.seed);
    let start = match (exact, open) {
        (true, true) => "Exact for the finished part, and ",
        (true, false) => "Exact, and ",
        (false, _) => "",
    };
    let sentence = format!(
        "{start}{how} with N = {} (seed {seed}); ± is half a 95 % interval.",
        describe_trials_of(answers)
    );
    capitalize_first(&sentence)
}

/// Whether an answer has an exact distribution.
pub fn has_exact_distribution(answer: &Answer) -> bool {
    answer.unsettled.is_some()
}

/// Describes in one sentence whether exact and simulated agree; `None` without a simulation.
pub fn describe_engine_agreement<'a>(
    answers: impl IntoIterator<Item = &'a Answer>,
) -> Option<String> {
    let answers: Vec<&Answer> = answers.into_iter().collect();
    let mut disagreeing = answers.iter().filter(|a| a.agrees == Some(false));
    let compared = answers.iter().filter(|a| a.agrees.is_some()).count();
    if let Some(first) = disagreeing.next() {
        let (n, of) = (1 + disagreeing.count(), answers.len());
        let place = describe_cell_place(first);
        return Some(format!("Exact and simulated DISAGREE in {n} of {of} cells, first {place}."));
    }
    if compared > 0 {
        let alone = inexact_cells_note(answers.iter().copied())
            .map_or(String::new(), |alone| format!("; {alone}"));
        return Some(format!("Exact and simulated agree{alone}."));
    }
    let by = |engine| answers.iter().any(|a| a.engine == engine);
    let text = match (by(AnswerMethod::Played), by(AnswerMethod::Simulated)) {
        (true, _) => {
            "No exact result: the contest is too large for a graph, and `--played` turns off the other exact \
             method. Run without `--played` to try it."
        }
        (_, true) => "No exact result to compare with: the contest is too large.",
        _ => return None,
    };
    Some(text.to_owned())
}

/// The largest number of cells listed by name.
const MAX_CELLS_NAMED: usize = 4;

/// Describes the cells without an exact distribution, if others have one: their number, and their
/// names.
pub fn inexact_cells_note<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> Option<String> {
    let answers: Vec<_> = answers.into_iter().filter(|a| !a.is_cell_refused()).collect();
    let alone: Vec<_> =
        answers.iter().filter(|a| !has_exact_distribution(a) && a.trials > 0).collect();
    if alone.is_empty() || alone.len() == answers.len() {
        return None;
    }
    let named: Vec<_> =
        alone.iter().take(MAX_CELLS_NAMED).map(|cell| describe_cell_place(cell)).collect();
    let more = if alone.len() > MAX_CELLS_NAMED { "; …" } else { "" };
    let (n, of, named) = (alone.len(), answers.len(), named.join("; "));
    Some(format!("{n} of {of} cells are simulated for their size, not exact ({named}{more})"))
}

/// Describes the unfinished share in one sentence; `None` if all cells finish.
pub fn unfinished_note<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> Option<String> {
    let answers: Vec<&Answer> = answers.into_iter().collect();
    let exact = answers.iter().filter_map(|a| a.unsettled);
    let exact = exact.fold(0.0, f64::max);
    let trials = answers.iter().map(|a| a.unsettled_trials).max();
    let trials = trials.unwrap_or(0);
    let never = answers.iter().filter_map(|a| a.never).fold(0.0, f64::max);
    if never > 0.0 && exact <= MAX_UNFINISHED_FOR_MEAN {
        let up_to = if answers.len() > 1 { "up to " } else { "" };
        let trials_made = match trials {
            0 => String::new(),
            _ => format!(", and {} trials were not over", group_digits(trials)),
        };
        let mean = "; there is no mean of how it ends, but one `given ends`";
        return Some(format!(
            "Never ends: {up_to}{} % (exact){trials_made}{mean}.",
            format_exact_percent(never)
        ));
    }
    // A share this small does not affect a mean; a trial that was broken off is always mentioned.
    if exact <= MAX_UNFINISHED_FOR_MEAN && trials == 0 {
        return None;
    }
    let (percent, cell) =
        (format_exact_percent(exact), if answers.len() > 1 { " of a cell" } else { "" });
    let more = match exact > MAX_UNFINISHED_FOR_MEAN {
        true => " Probabilities are lower bounds; means are unavailable.",
        false => "",
    };
    Some(format!(
        "Unfinished after the last round, or endless: up to {percent} %{cell} (exact), {} trials.{more}",
        group_digits(trials)
    ))
}

/// Conditions of measures that are met in no cell, in one sentence each.
pub fn unmet_condition_sentences<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> Vec<String> {
    let answers: Vec<&Answer> = answers.into_iter().collect();
    let mut sentences: Vec<String> = Vec::new();
    let measures = answers.iter().flat_map(|answer| {
        let trials = answer.trials;
        answer.measures.iter().map(move |measure| (measure, trials, answer.unsettled.is_some()))
    });
    for (measure, trials, has_law) in measures.filter(|(m, ..)| m.head.is_conditional()) {
        let condition = replace_control_chars(&measure.head.condition);
        let sentence = match (measure.exact, measure.simulated) {
            // A tally is simulated only as a sum.
            (None, None) if has_law && measure.head.kind.measured_counter().is_none() => {
                format!("Never happens: `{condition}`.")
            }
            (Some(_), None) if trials > 0 && measure.head.kind.measured_counter().is_none() => {
                format!("Not seen in {} trials: `{condition}`.", group_digits(trials))
            }
            (None, None) if trials > 0 && !has_law => {
                format!("Not seen in {} trials: `{condition}`.", group_digits(trials))
            }
            _ => continue,
        };
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    sentences
}

/// Collects the notes of all answers, each once, with the number of its cells unless all have it.
pub fn collect_notes<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> Vec<String> {
    let answers: Vec<&Answer> = answers.into_iter().collect();
    let mut counted: indexmap::IndexMap<&str, usize> = indexmap::IndexMap::new();
    for &answer in &answers {
        for note in &answer.notes {
            *counted.entry(note).or_default() += 1;
        }
    }
    let describe = |(note, n): (&str, usize)| {
        if n == answers.len() {
            return format!("Note: {}", replace_control_chars(note));
        }
        format!("Note ({n} of {} cells): {}", answers.len(), replace_control_chars(note))
    };
    counted.into_iter().map(describe).collect()
}

/// Returns the answers of each contest, in order; the answers themselves or references to them.
pub fn split_by_contest<A: Borrow<Answer>>(answers: &[A]) -> impl Iterator<Item = &[A]> {
    answers.chunk_by(|a, b| a.borrow().contest == b.borrow().contest)
}

/// Collects the measures of cells, each once, in order of appearance: a weapon without a price has
/// none per point.
pub fn collect_measures<'a>(cells: impl IntoIterator<Item = &'a Answer>) -> Vec<Arc<MeasureHead>> {
    let measures = cells.into_iter().flat_map(|cell| &cell.measures);
    let mut heads: IndexMap<&str, &Arc<MeasureHead>> = IndexMap::new();
    for measure in measures {
        heads.insert(&measure.head.name, &measure.head);
    }
    heads.into_values().cloned().collect()
}

/// Collects the outcome fields of cells, each once, in order of appearance: hits are counted only
/// if requested.
pub fn collect_fields<'a>(cells: impl IntoIterator<Item = &'a Answer>) -> Vec<OutcomeFieldHead> {
    let fields = cells.into_iter().flat_map(|cell| cell.fields.iter());
    let heads: IndexMap<&str, &OutcomeFieldHead> =
        fields.map(|field| (&*field.name, field)).collect();
    heads.into_values().cloned().collect()
}

/// Returns a sort key for the harm of an outcome: its counts, those of the worst harm first.
/// Harmless fields count nothing, and gains count negatively.
pub fn sort_key_by_harm(fields: &[OutcomeFieldHead], values: &[i32]) -> Vec<i32> {
    let pairs = fields.iter().zip(values);
    let graded = pairs.filter_map(|(field, value)| Some((field.harm.as_ref()?.degree, *value)));
    let mut graded: Vec<_> = graded.collect();
    graded.sort_by_key(|(degree, _)| Reverse(*degree));
    let signed = graded.iter().map(|(degree, value)| value * i32::from(degree.signum()));
    signed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    #[test]
    fn nothing_steers_a_terminal() {
        assert_eq!(
            replace_control_chars("a\u{1b}[31mb\u{202e}c\r\n"),
            "a\u{fffd}[31mb\u{fffd}c\u{fffd}\u{fffd}"
        );
        assert_eq!(
            replace_control_chars("\u{200b}x\u{200f}\u{feff}\u{2028}\u{61c}"),
            "\u{fffd}x".to_owned() + &"\u{fffd}".repeat(4)
        );
        assert_eq!(replace_control_chars("Füsilier 4-4-7 ±"), "Füsilier 4-4-7 ±");
    }

    #[test]
    fn every_sentence_says_n_and_the_engine() {
        let simulated = test_answers::build_grid();
        let said = describe_method(&simulated);
        assert_eq!(
            said,
            "Exact, and simulated with N = 1 000 000 trials a cell (seed 7); ± is half a 95 % interval."
        );
        let played = test_answers::build_simulated_only();
        assert_eq!(
            describe_method(&played),
            "Played one trial at a time with N = 2 000 trials (seed 7); ± is half a 95 % interval."
        );
        assert_eq!(
            describe_method(&test_answers::build_exact_only()),
            "Exact; nothing was simulated."
        );
    }

    #[test]
    fn disagreement_names_the_first_cell() {
        let mut answers = test_answers::build_grid();
        assert_eq!(
            describe_engine_agreement(&answers).as_deref(),
            Some("Exact and simulated agree.")
        );
        answers[3].agrees = Some(false);
        let said = describe_engine_agreement(&answers).expect("there is something to compare");
        assert_eq!(
            said,
            "Exact and simulated DISAGREE in 1 of 12 cells, first firepower 2, total modifier −1."
        );
        // A contest too large for a graph may still be solved by the other exact method, unless it
        // is turned off.
        let played = describe_engine_agreement(&test_answers::build_simulated_only())
            .expect("it was rolled");
        assert!(played.contains("too large for a graph") && played.contains("without `--played`"));
        let mut simulated = test_answers::build_simulated_only();
        simulated[0].engine = AnswerMethod::Simulated;
        let said = describe_engine_agreement(&simulated).expect("it was rolled");
        assert!(said.starts_with("No exact result to compare with"), "{said}");
        assert_eq!(describe_engine_agreement(&test_answers::build_exact_only()), None);
    }

    #[test]
    fn cells_without_an_exact_law_are_named() {
        let mut answers = test_answers::build_grid();
        assert_eq!(inexact_cells_note(&answers), None);
        for at in [3, 7] {
            (answers[at].unsettled, answers[at].agrees) = (None, None);
        }
        let places =
            format!("{}; {}", describe_cell_place(&answers[3]), describe_cell_place(&answers[7]));
        assert_eq!(
            describe_engine_agreement(&answers),
            Some(format!(
                "Exact and simulated agree; 2 of 12 cells are simulated for their size, not exact ({places})."
            ))
        );
        answers.iter_mut().for_each(|answer| answer.unsettled = None);
        assert_eq!(inexact_cells_note(&answers), None);
    }

    #[test]
    fn notes_are_said_once() {
        let mut answers = test_answers::build_grid();
        for answer in &mut answers {
            answer.notes = vec!["unverified row".into()];
        }
        answers[0].notes.push("special not modelled".into());
        let expected = ["Note: unverified row", "Note (1 of 12 cells): special not modelled"];
        assert_eq!(collect_notes(&answers), expected);
    }
}
