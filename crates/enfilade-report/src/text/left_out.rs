//! Sentences on the settings that a search leaves out: how many settings break which check of a
//! rulebook, and, without a result, which condition is missed and by how much.

use crate::text::{labels, measure_format, sentences};
use enfilade_model::combat::MeasureHead;
use enfilade_model::form::sanitize::grouped;
use enfilade_study::answer::Answer;
use enfilade_study::search::left_out::{LeftOut, Near};
use enfilade_study::search::{Condition, Search, Sign};

/// The largest number of checks listed by name.
const NAMED: usize = 3;

/// Returns a sentence for each check that some of `of` settings break.
pub fn broken(left_out: &LeftOut, of: u64) -> Vec<String> {
    let sentence = |(check, count): (&String, &u64)| {
        let (count, of, check) = (grouped(*count), grouped(of), sentences::clean(check));
        format!("{count} of {of} settings break the check `{check}` and are left out.")
    };
    let mut sentences: Vec<_> = left_out.broken.iter().take(NAMED).map(sentence).collect();
    let more: u64 = left_out.broken.values().skip(NAMED).sum();
    if more > 0 {
        sentences.push(format!("{} more break other checks.", grouped(more)));
    }
    sentences
}

/// Explains in one line why none of `of` settings is a result: the conditions that none meets
/// alone, or else the setting that comes nearest to all of them.
pub fn nothing(search: &Search, left_out: &LeftOut, of: u64) -> String {
    let settings = of - left_out.excluded();
    let known = match settings {
        1 => "the setting does not meet".to_owned(),
        _ => format!("none of {} settings meets", grouped(settings)),
    };
    let why = why(search, left_out);
    let why = if why.is_empty() { String::new() } else { format!(": {}", why.join("; ")) };
    format!("{known} the conditions of [sweep]{why}")
}

fn why(search: &Search, left_out: &LeftOut) -> Vec<String> {
    let nearest = &left_out.nearest;
    let alone = search.keep.iter().zip(&nearest.alone);
    let alone = alone.filter_map(|(condition, near)| {
        let near = near.as_ref().filter(|near| near.miss > 0.0)?;
        most_there_is(condition, near)
    });
    let mut why: Vec<_> = alone.collect();
    if let (true, Some(near)) = (why.is_empty(), &nearest.together) {
        let missed = search.keep.iter().filter_map(|condition| {
            let (head, value) = measured(condition, &near.what)?;
            Some(format!("{} {value}, not {}", labels::measure(head), asked(condition, head)))
        });
        let missed: Vec<_> = missed.collect();
        why.push(format!(
            "each condition is met by some, all together by none; the nearest is {} with {}",
            labels::place(&near.what),
            missed.join(" and ")
        ));
    }
    if left_out.unknown > 0 {
        let unknown = grouped(left_out.unknown);
        why.push(format!("for {unknown} a measure in the conditions has no value"));
    }
    why
}

/// Describes how near any setting comes to a condition that none meets.
fn most_there_is(condition: &Condition, near: &Near<Answer>) -> Option<String> {
    let (head, value) = measured(condition, &near.what)?;
    let most = match condition.sign {
        Sign::Less | Sign::AtMost => "at least",
        Sign::More | Sign::AtLeast => "at most",
        Sign::Equal => "nearest at",
    };
    let (name, place) = (labels::measure(head), labels::place(&near.what));
    Some(format!("{name} is {most} {value}, not {} ({place})", asked(condition, head)))
}

/// Returns the measure of a condition and its value in a cell, if it is available.
fn measured<'a>(condition: &Condition, cell: &'a Answer) -> Option<(&'a MeasureHead, String)> {
    let measure = cell.measure(&condition.measure)?;
    let share = measure.head.kind.is_share();
    let value = measure_format::exact(share, measure.best()?);
    Some((&measure.head, if share { value + " %" } else { value }))
}

/// Formats a condition: `at least 50 %`.
fn asked(condition: &Condition, head: &MeasureHead) -> String {
    bound(condition, head.kind.is_share())
}

/// Formats the sign and the bound of a condition: `at least 50 %`.
pub fn bound(condition: &Condition, share: bool) -> String {
    let sign = match condition.sign {
        Sign::Less => "below",
        Sign::AtMost => "at most",
        Sign::More => "above",
        Sign::AtLeast => "at least",
        Sign::Equal => "exactly",
    };
    // A tenth of a percent has no exact binary form.
    let short =
        |bound: f64| measure_format::with_true_minus(&format!("{}", (bound * 1e9).round() / 1e9));
    match share {
        true => format!("{sign} {} %", short(condition.bound * 100.0)),
        false => format!("{sign} {}", short(condition.bound)),
    }
}
