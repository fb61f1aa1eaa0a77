//! One answer in a player's words, as JSON, for a page that shows it at once.
//!
//! Labels, units and rule numbers come from the vocabulary; the only numbers computed here are sums
//! of the distribution.

use serde::Serialize;

use super::answer_sentence;
use crate::card::outcome_stack::{self, OutcomeBandShare};
use crate::charts::outcome_bands::OutcomeStackBands;
use crate::drawing::RgbColor;
use crate::outcome_category::{self, HarmGainOrNeutral, OutcomeCategory};
use crate::text::labels;
use crate::text::measure_format;
use crate::text::median_tries::{self, MedianTriesUntilEvent};
use crate::text::number_format::{format_exact_mean, format_exact_percent, format_short_percent};
use crate::text::sentences::{self, sort_key_by_harm};
use enfilade_model::combat::{MeasureRoleBesideReports, OutcomeFieldHead};
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::{Answer, Estimate, MeasureAnswer, OutcomeWithProbability};

/// The largest number of outcomes listed one by one; rarer ones are summed up.
const MAX_LISTED_OUTCOMES: usize = 60;

/// An answer in words.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnswerInWords {
    question: String,
    sentence: String,
    stack: Vec<StackedBarStretch>,
    measures: Vec<MeasureView>,
    law: OutcomeDistributionForDisplay,
    least: Vec<AtLeastView>,
    trials: Option<String>,
    unsettled: Option<String>,
    notes: Vec<String>,
}

/// A stretch of the bar above an answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct StackedBarStretch {
    label: String,
    about: String,
    share: f64,
    shown: String,
    inks: DayNightColors,
    /// `harm`, `gain`, or empty if it is neither.
    side: &'static str,
}

/// A colour and the text colour on it, in light and dark mode: those of every picture.
type DayNightColors = [String; 4];

/// A measure in words.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct MeasureView {
    name: String,
    label: String,
    about: String,
    rule: String,
    /// Whether the value is a share of 1.
    share: bool,
    value: Option<f64>,
    /// The value as it is read first: whole percents, one decimal of a mean.
    shown: String,
    /// The value in full.
    full: String,
    exact: Option<String>,
    simulated: Option<String>,
    /// `harm` or `gain` if it is the probability of one; empty otherwise.
    side: &'static str,
}

/// The distribution of the outcomes in words.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct OutcomeDistributionForDisplay {
    /// The outcomes, in the order that `order` names.
    outcomes: Vec<OutcomeInWordsWithShare>,
    /// The order in words: `the worst first`.
    order: String,
    /// The number of outcomes left out, and their total share.
    rarer: Option<(usize, String)>,
}

/// An outcome in words.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct OutcomeInWordsWithShare {
    values: Vec<i32>,
    label: String,
    share: f64,
    /// The share in whole percents.
    shown: String,
    /// The share in full.
    full: String,
    inks: DayNightColors,
}

/// The chances of at least k of something.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct AtLeastView {
    label: String,
    unit: String,
    /// k, the share, and the share as text.
    steps: Vec<(i32, f64, String)>,
}

/// Builds the view of an answer.
pub fn build_answer_view(answer: &Answer) -> AnswerInWords {
    let bands = OutcomeStackBands::from_cells_of_action(&[answer]);
    let mut stack = outcome_stack::compute_outcome_shares(answer);
    let inks: Vec<_> = stack.iter().map(|one| bands.color_of_category_word(&one.label)).collect();
    for rest in stack.iter_mut().filter(|one| one.rest) {
        rest.label = answer_sentence::unambiguous_rest_label(answer, &rest.label);
    }
    let categories = outcome_category::categories_most_important_first(&[answer]);
    let (trials, law) = (answer.trials, build_joint_distribution_view(answer, &bands));
    AnswerInWords {
        question: answer.action.title_question_for_form(&answer.params),
        sentence: describe_answer(answer, &stack, &law),
        stack: stack
            .iter()
            .zip(inks)
            .map(|(one, ink)| build_stacked_bar_stretch(one, ink, &categories))
            .collect(),
        measures: answer
            .measures
            .iter()
            .map(|one| build_measure_view(answer, one, &categories))
            .collect(),
        law,
        least: build_at_least_views(answer),
        trials: (trials > 0).then(|| group_digits(trials)),
        unsettled: sentences::unfinished_note(std::slice::from_ref(answer)),
        notes: answer.notes.iter().map(|note| sentences::replace_control_chars(note)).collect(),
    }
}

/// Describes an answer in one sentence.
fn describe_answer(
    answer: &Answer,
    stack: &[OutcomeBandShare],
    law: &OutcomeDistributionForDisplay,
) -> String {
    answer_sentence::describe_stack(answer, stack)
        .or_else(|| answer_sentence::describe_first_measures(answer))
        .unwrap_or_else(|| describe_likeliest_outcomes(law))
}

/// Describes the likeliest outcomes: `Most often: face: 5 (67 %), face: 3 (33 %).`
fn describe_likeliest_outcomes(law: &OutcomeDistributionForDisplay) -> String {
    let mut outcomes: Vec<&OutcomeInWordsWithShare> = law.outcomes.iter().collect();
    outcomes.sort_by(|a, b| b.share.total_cmp(&a.share));
    let texts = outcomes.iter().take(3);
    let texts = texts.map(|one| format!("{} ({})", one.label, one.shown));
    match texts.collect::<Vec<_>>().join(", ") {
        nothing if nothing.is_empty() => "Nothing happens.".to_owned(),
        entry => format!("Most often: {entry}."),
    }
}

fn build_stacked_bar_stretch(
    share: &OutcomeBandShare,
    ink: RgbColor,
    categories: &[OutcomeCategory],
) -> StackedBarStretch {
    StackedBarStretch {
        label: share.label.clone(),
        about: share.meaning.clone(),
        share: share.share,
        shown: share.text.clone(),
        inks: colors_with_text_colors(ink),
        side: harm_or_gain_of_share(share, categories),
    }
}

/// Returns the side of a share; that of the rest is the other one of all before it.
fn harm_or_gain_of_share(share: &OutcomeBandShare, categories: &[OutcomeCategory]) -> &'static str {
    if share.rest {
        return match categories.first().map(|first| first.weight) {
            Some(HarmGainOrNeutral::Harm) => "gain",
            Some(HarmGainOrNeutral::Gain) => "harm",
            _ => "",
        };
    }
    let own = categories.iter().find(|category| *category.word == *share.label);
    own.map_or("", |category| harm_or_gain_word(category.weight))
}

/// Returns the side of a measure that is the probability of a category.
fn harm_or_gain_of_measure(
    answer: &Answer,
    measure: &MeasureAnswer,
    categories: &[OutcomeCategory],
) -> &'static str {
    let Some(value) =
        measure.best_available_value().filter(|_| measure.head.kind.is_shown_in_percent())
    else {
        return "";
    };
    let is_own = |category: &&OutcomeCategory| (category.probability(answer) - value).abs() < 1e-9;
    categories.iter().find(is_own).map_or("", |category| harm_or_gain_word(category.weight))
}

fn harm_or_gain_word(side: HarmGainOrNeutral) -> &'static str {
    match side {
        HarmGainOrNeutral::Harm => "harm",
        HarmGainOrNeutral::Gain => "gain",
        HarmGainOrNeutral::Grey => "",
    }
}

fn colors_with_text_colors(ink: RgbColor) -> DayNightColors {
    let night = ink.dark_mode_color();
    [ink, ink.readable_text_color(), night, night.readable_text_color()]
        .map(RgbColor::to_css_hex_color)
}

/// Formats a measure's value for a person: `10.03 %`, `1.25 units`.
fn format_measure_for_people(answer: &Answer, measure: &MeasureAnswer) -> String {
    if let Some(until) = MedianTriesUntilEvent::from_measure(answer, measure) {
        return until.median_and_share_text();
    }
    let Some(value) = median_tries::measure_number_or_median(answer, measure) else {
        return "–".to_owned();
    };
    match measure.head.kind.is_shown_in_percent() {
        true => format!("{} %", format_exact_percent(value)),
        false if measure.head.unit.is_empty() => format_exact_mean(value),
        false => format!("{} {}", format_exact_mean(value), measure.head.unit),
    }
}

fn build_measure_view(
    answer: &Answer,
    measure: &MeasureAnswer,
    categories: &[OutcomeCategory],
) -> MeasureView {
    let head = &measure.head;
    let share = head.kind.is_shown_in_percent();
    let rolled = |estimate: Estimate| {
        measure_format::format_simulated_value(share, &estimate, answer.trials)
    };
    let measure_label = median_tries::measure_or_median_label(head);
    // A mean truncated at the last try is no second answer beside a median.
    let (exact, simulated) = match head.role {
        MeasureRoleBesideReports::Until => (None, None),
        _ => (measure.exact, measure.simulated),
    };
    MeasureView {
        name: head.name.to_string(),
        label: measure_label.clone(),
        about: head.about.to_string(),
        rule: head.rule.to_string(),
        share,
        value: median_tries::measure_number_or_median(answer, measure),
        shown: answer_sentence::format_measure_value_short(answer, measure, &measure_label),
        full: format_measure_for_people(answer, measure),
        exact: exact.map(|exact| measure_format::format_exact_percent_or_mean(share, exact)),
        simulated: simulated.map(rolled),
        side: harm_or_gain_of_measure(answer, measure, categories),
    }
}

/// Lists the outcomes, worst first, or where nothing is harm the likeliest first, or the numbers of
/// a single field in order; of a long distribution only the likeliest.
fn build_joint_distribution_view(
    answer: &Answer,
    bands: &OutcomeStackBands,
) -> OutcomeDistributionForDisplay {
    let mut outcomes: Vec<_> = answer.outcomes.iter().collect();
    outcomes.sort_by(|a, b| b.best_available_chance().total_cmp(&a.best_available_chance()));
    let rarer: f64 = outcomes
        .iter()
        .skip(MAX_LISTED_OUTCOMES)
        .map(|outcome| outcome.best_available_chance())
        .sum();
    let left = outcomes.len().saturating_sub(MAX_LISTED_OUTCOMES);
    outcomes.truncate(MAX_LISTED_OUTCOMES);
    let order = sort_and_name_order(&answer.fields, &mut outcomes);
    let view = |outcome: &&OutcomeWithProbability| {
        let share = outcome.best_available_chance();
        OutcomeInWordsWithShare {
            values: outcome.values.clone(),
            label: labels::describe_outcome(&answer.fields, &outcome.values),
            share,
            shown: format!("{} %", format_short_percent(share)),
            full: format!("{} %", format_exact_percent(share)),
            inks: colors_with_text_colors(bands.color_of_outcome(&answer.fields, &outcome.values)),
        }
    };
    OutcomeDistributionForDisplay {
        outcomes: outcomes.iter().map(view).collect(),
        order: order.to_owned(),
        rarer: (left > 0).then(|| (left, format!("{} %", format_short_percent(rarer)))),
    }
}

/// Sorts outcomes that are sorted by their probability, and returns the order in words.
fn sort_and_name_order(
    fields: &[OutcomeFieldHead],
    outcomes: &mut [&OutcomeWithProbability],
) -> &'static str {
    if fields.iter().any(|field| field.harm.is_some()) {
        outcomes.sort_by_cached_key(|outcome| {
            std::cmp::Reverse(sort_key_by_harm(fields, &outcome.values))
        });
        return "the worst first";
    }
    if let [only] = fields
        && (only.counts || only.tries || !only.unit.is_empty())
    {
        outcomes.sort_by(|a, b| a.values.cmp(&b.values));
        return "in the order of its numbers";
    }
    "the likeliest first"
}

/// Lists P(at least k) for each field that counts.
fn build_at_least_views(answer: &Answer) -> Vec<AtLeastView> {
    let counts = |at: usize| answer.outcomes.iter().any(|outcome| outcome.values[at] > 1);
    let fields = answer.fields.iter().enumerate();
    let fields = fields.filter(|(at, field)| counts(*at) && !field.tries);
    fields.map(|(at, field)| build_at_least_view_of_field(answer, at, field)).collect()
}

/// The largest number of `at least` steps listed.
const MAX_AT_LEAST_STEPS: usize = 40;

fn build_at_least_view_of_field(
    answer: &Answer,
    at: usize,
    field: &OutcomeFieldHead,
) -> AtLeastView {
    let mut values: Vec<i32> = answer.outcomes.iter().map(|outcome| outcome.values[at]).collect();
    values.retain(|value| *value > 0);
    values.sort_unstable();
    values.dedup();
    let step = |value: &i32| {
        let reached = answer.outcomes.iter().filter(|outcome| outcome.values[at] >= *value);
        // A sum of shares may end slightly above one.
        let p = reached.map(OutcomeWithProbability::best_available_chance).sum::<f64>().min(1.0);
        (*value, p, format!("{} %", format_short_percent(p)))
    };
    AtLeastView {
        label: field.display_name().to_string(),
        unit: field.unit.to_string(),
        steps: values.iter().take(MAX_AT_LEAST_STEPS).map(step).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::test_answers;

    /// 4 and 12 of 36: 11.1 and 33.3 percent, and in 20 nothing happens.
    #[test]
    fn an_answer_is_a_sentence_and_a_law_in_words() {
        let told = json!(build_answer_view(&test_answers::build_exact_only()[0]));
        assert_eq!(told["sentence"], "Kill in 11 of 100, break in 33, no effect in 56.");
        let law = told["law"]["outcomes"].as_array().expect("a list");
        let said: Vec<_> = law.iter().map(|one| (&one["label"], &one["full"])).collect();
        let expected = [
            ("1 squad eliminated", "11.11 %"),
            ("1 squad broken", "33.33 %"),
            ("nothing", "55.56 %"),
        ];
        assert_eq!(said.len(), expected.len());
        for ((label, shown), (known, percent)) in said.iter().zip(expected) {
            assert_eq!((label.as_str(), shown.as_str()), (Some(known), Some(percent)));
        }
        assert_eq!(told["measures"][0]["shown"], "11 %");
        assert_eq!(told["measures"][0]["full"], "11.11 %");
        assert_eq!(told["law"]["order"], "the worst first");
        assert_eq!(told["law"]["rarer"], Json::Null);
        // A word of the bar and its outcome have one colour, by day and by night.
        let bar = told["stack"].as_array().expect("a list");
        assert!(bar.iter().zip(law).all(|(word, outcome)| word["inks"] == outcome["inks"]));
        assert_eq!(bar[2]["inks"], json!(["#f4f1de", "#000000", "#2b281a", "#ffffff"]));
    }
}
