//! Values of a grid cell on each line of a card: shares of a stack, measures.

use super::card_model::{CardCell, LineEmphasis, NumberShading};
use super::difference_card::{self, BaselineAnswers};
use super::percent_format;
use crate::charts::outcome_bands::unfinished_label;
use crate::outcome_category;
use crate::text::labels;
use crate::text::median_tries::MedianTriesUntilEvent;
use crate::text::sentences::has_exact_distribution;
use enfilade_model::combat::MeasureRoleBesideReports;
use enfilade_stats::intervals::{ConfidenceLevel, proportion_interval};
use enfilade_study::answer::{Answer, MeasureAnswer};
use enfilade_study::experiment::{CardLineSpec, CardLineValue, OutcomeFieldMinimum};

/// A line of every row, the same in all cells of a card.
pub struct CardLineHeading {
    /// Its label.
    pub label: String,
    /// Its style.
    pub tone: LineEmphasis,
    shows: CardLineShareOrMeasure,
}

enum CardLineShareOrMeasure {
    /// Index in the stack.
    Share(usize),
    Measure(String),
}

/// The lines of a card and the bands of its stack.
pub struct CardLinesAndBands<'a> {
    /// The lines, from the top.
    pub headings: Vec<CardLineHeading>,
    bands: Vec<Vec<OutcomeFieldMinimum>>,
    /// Whether some cell is unfinished; then every stack has a part for it.
    unsettled: bool,
    baseline: Option<&'a BaselineAnswers<'a>>,
}

impl<'l> CardLinesAndBands<'l> {
    /// Builds the lines of `lines`; the rest of the stack is below its last band, if there is one,
    /// and is labelled `rest`, or by its outcomes. With `less` the values are differences.
    pub fn new(
        lines: &[CardLineSpec],
        rest: Option<&str>,
        cells: &[&Answer],
        less: Option<&'l BaselineAnswers<'l>>,
    ) -> CardLinesAndBands<'l> {
        let unsettled = cells.iter().any(|cell| has_unfinished_share(cell));
        let last = lines.iter().rposition(|line| matches!(line.shows, CardLineValue::Band(_)));
        let (mut headings, mut bands) = (Vec::new(), Vec::new());
        let mut push = |label: &str, tone, shows| {
            let label = crate::text::sentences::replace_control_chars(label);
            headings.push(CardLineHeading { label, tone, shows });
        };
        for (at, line) in lines.iter().enumerate() {
            let tone = if at == 0 { LineEmphasis::Strong } else { LineEmphasis::Plain };
            match &line.shows {
                CardLineValue::Measure(name) => {
                    push(&line.label, tone, CardLineShareOrMeasure::Measure(name.clone()))
                }
                CardLineValue::Band(band) => {
                    push(&line.label, tone, CardLineShareOrMeasure::Share(bands.len()));
                    bands.push(band.clone());
                }
            }
            // After the last band, so that the parts that add up to 100 are adjacent.
            if Some(at) == last {
                let of = |cell: &Answer, values: &[i32]| {
                    find_band_of_outcome(&bands, cell, values).is_some()
                };
                let own = || outcome_category::label_of_uncategorized(cells, of);
                if let Some(rest) = rest.map(str::to_owned).or_else(own) {
                    push(&rest, LineEmphasis::Faint, CardLineShareOrMeasure::Share(bands.len()));
                }
                if unsettled {
                    push(
                        unfinished_label(cells.iter().copied()),
                        LineEmphasis::Faint,
                        CardLineShareOrMeasure::Share(bands.len() + 1),
                    );
                }
            }
        }
        CardLinesAndBands { headings, bands, unsettled, baseline: less }
    }

    /// Returns the labels of the stack, the rest included; empty without a stack.
    pub fn labels_of_stack(&self) -> Vec<&str> {
        let shares = self
            .headings
            .iter()
            .filter(|line| matches!(line.shows, CardLineShareOrMeasure::Share(_)));
        shares.map(|line| line.label.as_str()).collect()
    }

    /// Returns the measure of a line, if the line shows one.
    pub fn measure_of_line<'a>(&self, line: usize, cell: &'a Answer) -> Option<&'a MeasureAnswer> {
        match &self.headings[line].shows {
            CardLineShareOrMeasure::Measure(name) => cell.measure_answer_by_name(name),
            CardLineShareOrMeasure::Share(_) => None,
        }
    }

    /// Returns the values of `cell` on every line, or its differences from the baseline; `None`
    /// where it lacks the measure.
    pub fn card_line_values(&self, cell: &Answer) -> Vec<Option<CardCell>> {
        let Some(other) = self.baseline.map(|less| less.baseline_cell_for(cell)) else {
            return self.values_without_baseline(cell);
        };
        let both =
            self.values_without_baseline(cell).into_iter().zip(self.values_without_baseline(other));
        both.map(|(b, a)| difference_card::subtract_cells(b, a)).collect()
    }

    fn values_without_baseline(&self, cell: &Answer) -> Vec<Option<CardCell>> {
        // Its odds are unknown, which does not mean that nothing happens.
        if cell.is_cell_refused() {
            return vec![None; self.headings.len()];
        }
        let stack = self.stack_shares_of_cell(cell);
        let read = |heading: &CardLineHeading| match &heading.shows {
            CardLineShareOrMeasure::Share(at) => Some(stack[*at].clone()),
            CardLineShareOrMeasure::Measure(name) => cell
                .measure_answer_by_name(name)
                .and_then(|found| card_cell_of_measure(cell, found)),
        };
        self.headings.iter().map(read).collect()
    }

    /// Returns the stack of a cell: a share per band, the rest, and the unfinished share.
    fn stack_shares_of_cell(&self, cell: &Answer) -> Vec<CardCell> {
        let exact = has_exact_distribution(cell);
        let mut parts = vec![StackSegment::default(); self.bands.len() + 1];
        for outcome in &cell.outcomes {
            let at = find_band_of_outcome(&self.bands, cell, &outcome.values)
                .unwrap_or(self.bands.len());
            parts[at].exact += outcome.exact.unwrap_or(0.0);
            parts[at].count += outcome.count.unwrap_or(0);
            let further = self.bands.iter().zip(&mut parts).skip(at + 1);
            if outcome.best_available_chance() > 0.0 {
                let here = further.filter(|(band, _)| is_in_band(band, cell, &outcome.values));
                here.for_each(|(_, part)| part.covered = true);
            }
        }
        // If one cell has this part all have it: lines are equal all over a card.
        if self.unsettled {
            let exact = cell.unfinished_probability().unwrap_or(0.0);
            parts.push(StackSegment { exact, count: cell.unsettled_trials, covered: false });
        }
        let shares: Vec<_> =
            parts.iter().map(|part| part.exact_or_simulated_share(exact, cell.trials)).collect();
        let set = |(part, share): (&StackSegment, &f64)| CardCell {
            value: *share,
            exact,
            interval: part.interval_if_simulated(cell.trials),
            trials: cell.trials,
            text: match part.covered && *share <= 0.0 {
                true => percent_format::COVERED_OUTCOME_SIGN.to_owned(),
                false if exact => percent_format::format_unstacked_chance(*share, exact),
                false => percent_format::format_simulated_chance(*share, cell.trials),
            },
            percent: true,
            difference: false,
            ground: NumberShading::Paper,
        };
        parts.iter().zip(&shares).map(set).collect()
    }

    /// Whether a line shows the rest of the stack.
    pub fn is_rest_line(&self, line: usize) -> bool {
        matches!(self.headings[line].shows, CardLineShareOrMeasure::Share(at) if at == self.bands.len())
    }
}

/// Finds the first band that contains an outcome; `None` for the rest.
fn find_band_of_outcome(
    bands: &[Vec<OutcomeFieldMinimum>],
    cell: &Answer,
    values: &[i32],
) -> Option<usize> {
    bands.iter().position(|band| is_in_band(band, cell, values))
}

/// Whether an outcome meets one of these conditions.
fn is_in_band(band: &[OutcomeFieldMinimum], cell: &Answer, values: &[i32]) -> bool {
    band.iter().any(|condition| {
        let at = cell.fields.iter().position(|field| field.name == condition.field);
        at.is_some_and(|at| values[at] >= condition.least)
    })
}

fn has_unfinished_share(cell: &Answer) -> bool {
    cell.unfinished_probability().unwrap_or(0.0) > 0.0 || cell.unsettled_trials > 0
}

/// A part of a stack.
#[derive(Clone, Copy, Default)]
struct StackSegment {
    exact: f64,
    count: u64,
    /// Whether the part happens in outcomes that count under another band.
    covered: bool,
}

impl StackSegment {
    fn exact_or_simulated_share(self, exact: bool, trials: u64) -> f64 {
        if exact {
            return self.exact;
        }
        self.count as f64 / trials.max(1) as f64
    }

    fn interval_if_simulated(self, trials: u64) -> Option<(f64, f64)> {
        (trials > 0).then(|| {
            let interval = proportion_interval(self.count, trials, ConfidenceLevel::P95);
            (interval.low, interval.high)
        })
    }
}

/// Converts a measure to a cell; `None` without any value.
fn card_cell_of_measure(answer: &Answer, measure: &MeasureAnswer) -> Option<CardCell> {
    let trials = answer.trials;
    let value = measure.best_available_value()?;
    let exact = measure.exact.is_some();
    let percent = measure.head.kind.is_shown_in_percent();
    Some(CardCell {
        value,
        exact,
        interval: measure.simulated.map(|estimate| (estimate.low, estimate.high)),
        trials,
        text: match MedianTriesUntilEvent::from_measure(answer, measure) {
            Some(until) => until.median_and_share_text(),
            None if percent && exact => percent_format::format_unstacked_chance(value, exact),
            None if percent => percent_format::format_simulated_chance(value, trials),
            None => percent_format::format_short_mean(value, exact),
        },
        percent,
        difference: false,
        ground: NumberShading::Paper,
    })
}

/// Describes the meaning of a line in the words of the catalogue, with the rule's reference.
pub fn describe_line_meaning(
    readings: &CardLinesAndBands,
    line: usize,
    cells: &[&Answer],
) -> String {
    if let Some(found) = cells.iter().find_map(|cell| readings.measure_of_line(line, cell)) {
        return match found.head.role {
            MeasureRoleBesideReports::Until => format!(
                "{}: median number of tries; then the percentage within the tries made",
                found.head.about
            ),
            _ => found.head.about.to_string(),
        };
    }
    let bands = &readings.bands;
    match readings.headings[line].shows {
        CardLineShareOrMeasure::Share(at) if at < bands.len() => {
            let texts = bands[at].iter();
            let texts: Vec<_> = texts.map(|one| describe_condition(one, cells)).collect();
            texts.join("; or ")
        }
        CardLineShareOrMeasure::Share(at) if at > bands.len() => {
            "unfinished after the last round".to_owned()
        }
        _ => "none of these".to_owned(),
    }
}

fn describe_condition(condition: &OutcomeFieldMinimum, cells: &[&Answer]) -> String {
    let fields = cells.iter().flat_map(|cell| cell.fields.iter());
    let field = fields.clone().find(|field| field.name == condition.field);
    let about = field.map_or(&*condition.field, |field| &field.about);
    let rule = field.map(|field| &field.rule).filter(|rule| !rule.is_empty());
    let least = match condition.least {
        1 => String::new(),
        n => format!(
            ", {} or more",
            labels::format_axis_number(&enfilade_model::form::Value::Int(n.into()), false)
        ),
    };
    let rule = rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
    format!("{about}{least}{rule}")
}
