//! Values of a grid cell on each line of a card: shares of a stack, measures.

use super::card_model::{CardCell, CellShading, LineTone};
use super::difference_card::{self, BaselineCells};
use super::percent_format;
use crate::charts::outcome_bands::unfinished_label;
use crate::outcome_category;
use crate::text::labels;
use crate::text::median_tries::MedianTries;
use crate::text::sentences::has_exact;
use enfilade_model::combat::MeasureRole;
use enfilade_stats::intervals::{Level, estimate_proportion};
use enfilade_study::answer::{Answer, MeasureAnswer};
use enfilade_study::experiment::{LineSpec, OutcomeThreshold, ShownValue};

/// A line of every row, the same in all cells of a card.
pub struct LineHeading {
    /// Its label.
    pub label: String,
    /// Its style.
    pub tone: LineTone,
    shows: LineContent,
}

enum LineContent {
    /// Index in the stack.
    Share(usize),
    Measure(String),
}

/// The lines of a card and the bands of its stack.
pub struct CellValues<'a> {
    /// The lines, from the top.
    pub headings: Vec<LineHeading>,
    bands: Vec<Vec<OutcomeThreshold>>,
    /// Whether some cell is unfinished; then every stack has a part for it.
    unsettled: bool,
    baseline: Option<&'a BaselineCells<'a>>,
}

impl<'l> CellValues<'l> {
    /// Builds the lines of `lines`; the rest of the stack is below its last band, if there is one,
    /// and is labelled `rest`, or by its outcomes. With `less` the values are differences.
    pub fn new(
        lines: &[LineSpec],
        rest: Option<&str>,
        cells: &[&Answer],
        less: Option<&'l BaselineCells<'l>>,
    ) -> CellValues<'l> {
        let unsettled = cells.iter().any(|cell| is_unsettled(cell));
        let last = lines.iter().rposition(|line| matches!(line.shows, ShownValue::Band(_)));
        let (mut headings, mut bands) = (Vec::new(), Vec::new());
        let mut push = |label: &str, tone, shows| {
            let label = crate::text::sentences::sanitize(label);
            headings.push(LineHeading { label, tone, shows });
        };
        for (at, line) in lines.iter().enumerate() {
            let tone = if at == 0 { LineTone::Strong } else { LineTone::Plain };
            match &line.shows {
                ShownValue::Measure(name) => {
                    push(&line.label, tone, LineContent::Measure(name.clone()))
                }
                ShownValue::Band(band) => {
                    push(&line.label, tone, LineContent::Share(bands.len()));
                    bands.push(band.clone());
                }
            }
            // After the last band, so that the parts that add up to 100 are adjacent.
            if Some(at) == last {
                let of = |cell: &Answer, values: &[i32]| find_band(&bands, cell, values).is_some();
                let own = || outcome_category::label_rest(cells, of);
                if let Some(rest) = rest.map(str::to_owned).or_else(own) {
                    push(&rest, LineTone::Faint, LineContent::Share(bands.len()));
                }
                if unsettled {
                    push(
                        unfinished_label(cells.iter().copied()),
                        LineTone::Faint,
                        LineContent::Share(bands.len() + 1),
                    );
                }
            }
        }
        CellValues { headings, bands, unsettled, baseline: less }
    }

    /// Returns the labels of the stack, the rest included; empty without a stack.
    pub fn stack_labels(&self) -> Vec<&str> {
        let shares =
            self.headings.iter().filter(|line| matches!(line.shows, LineContent::Share(_)));
        shares.map(|line| line.label.as_str()).collect()
    }

    /// Returns the measure of a line, if the line shows one.
    pub fn find_measure<'a>(&self, line: usize, cell: &'a Answer) -> Option<&'a MeasureAnswer> {
        match &self.headings[line].shows {
            LineContent::Measure(name) => cell.find_measure(name),
            LineContent::Share(_) => None,
        }
    }

    /// Returns the values of `cell` on every line, or its differences from the baseline; `None`
    /// where it lacks the measure.
    pub fn values_of_cell(&self, cell: &Answer) -> Vec<Option<CardCell>> {
        let Some(other) = self.baseline.map(|less| less.cell_for(cell)) else {
            return self.plain_values(cell);
        };
        let both = self.plain_values(cell).into_iter().zip(self.plain_values(other));
        both.map(|(b, a)| difference_card::subtract_cells(b, a)).collect()
    }

    fn plain_values(&self, cell: &Answer) -> Vec<Option<CardCell>> {
        // Its odds are unknown, which does not mean that nothing happens.
        if cell.is_refused() {
            return vec![None; self.headings.len()];
        }
        let stack = self.stack_shares(cell);
        let read = |heading: &LineHeading| match &heading.shows {
            LineContent::Share(at) => Some(stack[*at].clone()),
            LineContent::Measure(name) => {
                cell.find_measure(name).and_then(|found| measure_cell(cell, found))
            }
        };
        self.headings.iter().map(read).collect()
    }

    /// Returns the stack of a cell: a share per band, the rest, and the unfinished share.
    fn stack_shares(&self, cell: &Answer) -> Vec<CardCell> {
        let exact = has_exact(cell);
        let mut parts = vec![StackPart::default(); self.bands.len() + 1];
        for outcome in &cell.outcomes {
            let at = find_band(&self.bands, cell, &outcome.values).unwrap_or(self.bands.len());
            parts[at].exact += outcome.exact.unwrap_or(0.0);
            parts[at].count += outcome.count.unwrap_or(0);
            let further = self.bands.iter().zip(&mut parts).skip(at + 1);
            if outcome.likelihood() > 0.0 {
                let here = further.filter(|(band, _)| band_contains(band, cell, &outcome.values));
                here.for_each(|(_, part)| part.covered = true);
            }
        }
        // If one cell has this part all have it: lines are equal all over a card.
        if self.unsettled {
            let exact = cell.open_probability().unwrap_or(0.0);
            parts.push(StackPart { exact, count: cell.unsettled_trials, covered: false });
        }
        let shares: Vec<_> =
            parts.iter().map(|part| part.share_of_trials(exact, cell.trials)).collect();
        let set = |(part, share): (&StackPart, &f64)| CardCell {
            value: *share,
            exact,
            interval: part.interval(cell.trials),
            trials: cell.trials,
            text: match part.covered && *share <= 0.0 {
                true => percent_format::COVERED_SIGN.to_owned(),
                false if exact => percent_format::format_chance(*share, exact),
                false => percent_format::format_simulated(*share, cell.trials),
            },
            percent: true,
            difference: false,
            ground: CellShading::Paper,
        };
        parts.iter().zip(&shares).map(set).collect()
    }

    /// Whether a line shows the rest of the stack.
    pub fn shows_rest(&self, line: usize) -> bool {
        matches!(self.headings[line].shows, LineContent::Share(at) if at == self.bands.len())
    }
}

/// Finds the first band that contains an outcome; `None` for the rest.
fn find_band(bands: &[Vec<OutcomeThreshold>], cell: &Answer, values: &[i32]) -> Option<usize> {
    bands.iter().position(|band| band_contains(band, cell, values))
}

/// Whether an outcome meets one of these conditions.
fn band_contains(band: &[OutcomeThreshold], cell: &Answer, values: &[i32]) -> bool {
    band.iter().any(|condition| {
        let at = cell.fields.iter().position(|field| field.name == condition.field);
        at.is_some_and(|at| values[at] >= condition.least)
    })
}

fn is_unsettled(cell: &Answer) -> bool {
    cell.open_probability().unwrap_or(0.0) > 0.0 || cell.unsettled_trials > 0
}

/// A part of a stack.
#[derive(Clone, Copy, Default)]
struct StackPart {
    exact: f64,
    count: u64,
    /// Whether the part happens in outcomes that count under another band.
    covered: bool,
}

impl StackPart {
    fn share_of_trials(self, exact: bool, trials: u64) -> f64 {
        if exact {
            return self.exact;
        }
        self.count as f64 / trials.max(1) as f64
    }

    fn interval(self, trials: u64) -> Option<(f64, f64)> {
        (trials > 0).then(|| {
            let interval = estimate_proportion(self.count, trials, Level::P95);
            (interval.low, interval.high)
        })
    }
}

/// Converts a measure to a cell; `None` without any value.
fn measure_cell(answer: &Answer, found: &MeasureAnswer) -> Option<CardCell> {
    let trials = answer.trials;
    let value = found.best_value()?;
    let exact = found.exact.is_some();
    let percent = found.head.kind.is_share();
    Some(CardCell {
        value,
        exact,
        interval: found.simulated.map(|estimate| (estimate.low, estimate.high)),
        trials,
        text: match MedianTries::from_measure(answer, found) {
            Some(until) => until.to_sentence(),
            None if percent && exact => percent_format::format_chance(value, exact),
            None if percent => percent_format::format_simulated(value, trials),
            None => percent_format::format_mean(value, exact),
        },
        percent,
        difference: false,
        ground: CellShading::Paper,
    })
}

/// Describes the meaning of a line in the words of the catalogue, with the rule's reference.
pub fn describe_line(readings: &CellValues, line: usize, cells: &[&Answer]) -> String {
    if let Some(found) = cells.iter().find_map(|cell| readings.find_measure(line, cell)) {
        return match found.head.role {
            MeasureRole::Until => format!(
                "{}: median number of tries; then the percentage within the tries made",
                found.head.about
            ),
            _ => found.head.about.to_string(),
        };
    }
    let bands = &readings.bands;
    match readings.headings[line].shows {
        LineContent::Share(at) if at < bands.len() => {
            let said = bands[at].iter();
            let said: Vec<_> = said.map(|one| describe_condition(one, cells)).collect();
            said.join("; or ")
        }
        LineContent::Share(at) if at > bands.len() => "unfinished after the last round".to_owned(),
        _ => "none of these".to_owned(),
    }
}

fn describe_condition(condition: &OutcomeThreshold, cells: &[&Answer]) -> String {
    let fields = cells.iter().flat_map(|cell| cell.fields.iter());
    let field = fields.clone().find(|field| field.name == condition.field);
    let about = field.map_or(&*condition.field, |field| &field.about);
    let rule = field.map(|field| &field.rule).filter(|rule| !rule.is_empty());
    let least = match condition.least {
        1 => String::new(),
        n => format!(
            ", {} or more",
            labels::format_number(&enfilade_model::form::Value::Int(n.into()), false)
        ),
    };
    let rule = rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
    format!("{about}{least}{rule}")
}
