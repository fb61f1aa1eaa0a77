//! Values of a grid cell on each line of a card: shares of a stack, measures.

use super::difference_card::{self, Less};
use super::model::{Cell, Ground, Tone};
use super::percent_format;
use crate::charts::outcome_bands::open_words;
use crate::outcome_category;
use crate::text::labels;
use crate::text::median_tries::Until;
use crate::text::sentences::has_exact;
use enfilade_model::combat::Role;
use enfilade_stats::intervals::{Level, proportion};
use enfilade_study::answer::{Answer, MeasureAnswer};
use enfilade_study::experiment::{Condition, LineSpec, Shows};

/// A line of every row, the same in all cells of a card.
pub struct Heading {
    /// Its label.
    pub label: String,
    /// Its style.
    pub tone: Tone,
    shows: What,
}

enum What {
    /// Index in the stack.
    Share(usize),
    Measure(String),
}

/// The lines of a card and the bands of its stack.
pub struct Readings<'a> {
    /// The lines, from the top.
    pub headings: Vec<Heading>,
    bands: Vec<Vec<Condition>>,
    /// Whether some cell is unfinished; then every stack has a part for it.
    unsettled: bool,
    less: Option<&'a Less<'a>>,
}

impl<'l> Readings<'l> {
    /// Builds the lines of `lines`; the rest of the stack is below its last band, if there is one,
    /// and is labelled `rest`, or by its outcomes. With `less` the values are differences.
    pub fn new(
        lines: &[LineSpec],
        rest: Option<&str>,
        cells: &[&Answer],
        less: Option<&'l Less<'l>>,
    ) -> Readings<'l> {
        let unsettled = cells.iter().any(|cell| is_unsettled(cell));
        let last = lines.iter().rposition(|line| matches!(line.shows, Shows::Band(_)));
        let (mut headings, mut bands) = (Vec::new(), Vec::new());
        let mut push = |label: &str, tone, shows| {
            let label = crate::text::sentences::clean(label);
            headings.push(Heading { label, tone, shows });
        };
        for (at, line) in lines.iter().enumerate() {
            let tone = if at == 0 { Tone::Strong } else { Tone::Plain };
            match &line.shows {
                Shows::Measure(name) => push(&line.label, tone, What::Measure(name.clone())),
                Shows::Band(band) => {
                    push(&line.label, tone, What::Share(bands.len()));
                    bands.push(band.clone());
                }
            }
            // After the last band, so that the parts that add up to 100 are adjacent.
            if Some(at) == last {
                let of = |cell: &Answer, values: &[i32]| place(&bands, cell, values).is_some();
                let own = || outcome_category::rest(cells, of);
                if let Some(rest) = rest.map(str::to_owned).or_else(own) {
                    push(&rest, Tone::Faint, What::Share(bands.len()));
                }
                if unsettled {
                    push(
                        open_words(cells.iter().copied()),
                        Tone::Faint,
                        What::Share(bands.len() + 1),
                    );
                }
            }
        }
        Readings { headings, bands, unsettled, less }
    }

    /// Returns the labels of the stack, the rest included; empty without a stack.
    pub fn stack(&self) -> Vec<&str> {
        let shares = self.headings.iter().filter(|line| matches!(line.shows, What::Share(_)));
        shares.map(|line| line.label.as_str()).collect()
    }

    /// Returns the measure of a line, if the line shows one.
    pub fn measure<'a>(&self, line: usize, cell: &'a Answer) -> Option<&'a MeasureAnswer> {
        match &self.headings[line].shows {
            What::Measure(name) => cell.measure(name),
            What::Share(_) => None,
        }
    }

    /// Returns the values of `cell` on every line, or its differences from the baseline; `None`
    /// where it lacks the measure.
    pub fn of(&self, cell: &Answer) -> Vec<Option<Cell>> {
        let Some(other) = self.less.map(|less| less.of(cell)) else {
            return self.plain(cell);
        };
        let both = self.plain(cell).into_iter().zip(self.plain(other));
        both.map(|(b, a)| difference_card::less(b, a)).collect()
    }

    fn plain(&self, cell: &Answer) -> Vec<Option<Cell>> {
        // Its odds are unknown, which does not mean that nothing happens.
        if cell.is_refused() {
            return vec![None; self.headings.len()];
        }
        let stack = self.shares(cell);
        let read = |heading: &Heading| match &heading.shows {
            What::Share(at) => Some(stack[*at].clone()),
            What::Measure(name) => cell.measure(name).and_then(|found| measured(cell, found)),
        };
        self.headings.iter().map(read).collect()
    }

    /// Returns the stack of a cell: a share per band, the rest, and the unfinished share.
    fn shares(&self, cell: &Answer) -> Vec<Cell> {
        let exact = has_exact(cell);
        let mut parts = vec![Part::default(); self.bands.len() + 1];
        for outcome in &cell.outcomes {
            let at = place(&self.bands, cell, &outcome.values).unwrap_or(self.bands.len());
            parts[at].exact += outcome.exact.unwrap_or(0.0);
            parts[at].count += outcome.count.unwrap_or(0);
            let further = self.bands.iter().zip(&mut parts).skip(at + 1);
            if outcome.likelihood() > 0.0 {
                let here = further.filter(|(band, _)| holds(band, cell, &outcome.values));
                here.for_each(|(_, part)| part.covered = true);
            }
        }
        // If one cell has this part all have it: lines are equal all over a card.
        if self.unsettled {
            let exact = cell.open().unwrap_or(0.0);
            parts.push(Part { exact, count: cell.unsettled_trials, covered: false });
        }
        let shares: Vec<_> = parts.iter().map(|part| part.share(exact, cell.trials)).collect();
        let set = |(part, share): (&Part, &f64)| Cell {
            value: *share,
            exact,
            interval: part.interval(cell.trials),
            trials: cell.trials,
            shown: match part.covered && *share <= 0.0 {
                true => percent_format::COVERED.to_owned(),
                false if exact => percent_format::alone(*share, exact),
                false => percent_format::simulated(*share, cell.trials),
            },
            percent: true,
            difference: false,
            ground: Ground::Paper,
        };
        parts.iter().zip(&shares).map(set).collect()
    }

    /// Whether a line shows the rest of the stack.
    pub fn is_rest(&self, line: usize) -> bool {
        matches!(self.headings[line].shows, What::Share(at) if at == self.bands.len())
    }
}

/// Finds the first band that contains an outcome; `None` for the rest.
fn place(bands: &[Vec<Condition>], cell: &Answer, values: &[i32]) -> Option<usize> {
    bands.iter().position(|band| holds(band, cell, values))
}

/// Whether an outcome meets one of these conditions.
fn holds(band: &[Condition], cell: &Answer, values: &[i32]) -> bool {
    band.iter().any(|condition| {
        let at = cell.fields.iter().position(|field| field.name == condition.field);
        at.is_some_and(|at| values[at] >= condition.least)
    })
}

fn is_unsettled(cell: &Answer) -> bool {
    cell.open().unwrap_or(0.0) > 0.0 || cell.unsettled_trials > 0
}

/// A part of a stack.
#[derive(Clone, Copy, Default)]
struct Part {
    exact: f64,
    count: u64,
    /// Whether the part happens in outcomes that count under another band.
    covered: bool,
}

impl Part {
    fn share(self, exact: bool, trials: u64) -> f64 {
        if exact {
            return self.exact;
        }
        self.count as f64 / trials.max(1) as f64
    }

    fn interval(self, trials: u64) -> Option<(f64, f64)> {
        (trials > 0).then(|| {
            let interval = proportion(self.count, trials, Level::P95);
            (interval.low, interval.high)
        })
    }
}

/// Converts a measure to a cell; `None` without any value.
fn measured(answer: &Answer, found: &MeasureAnswer) -> Option<Cell> {
    let trials = answer.trials;
    let value = found.best()?;
    let exact = found.exact.is_some();
    let percent = found.head.kind.is_share();
    Some(Cell {
        value,
        exact,
        interval: found.simulated.map(|estimate| (estimate.low, estimate.high)),
        trials,
        shown: match Until::of(answer, found) {
            Some(until) => until.said(),
            None if percent && exact => percent_format::alone(value, exact),
            None if percent => percent_format::simulated(value, trials),
            None => percent_format::mean(value, exact),
        },
        percent,
        difference: false,
        ground: Ground::Paper,
    })
}

/// Describes the meaning of a line in the words of the catalogue, with the rule's reference.
pub fn meaning(readings: &Readings, line: usize, cells: &[&Answer]) -> String {
    if let Some(found) = cells.iter().find_map(|cell| readings.measure(line, cell)) {
        return match found.head.role {
            Role::Until => format!(
                "{}: median number of tries; then the percentage within the tries made",
                found.head.about
            ),
            _ => found.head.about.to_string(),
        };
    }
    let bands = &readings.bands;
    match readings.headings[line].shows {
        What::Share(at) if at < bands.len() => {
            let said = bands[at].iter();
            let said: Vec<_> = said.map(|one| condition_in_words(one, cells)).collect();
            said.join("; or ")
        }
        What::Share(at) if at > bands.len() => "unfinished after the last round".to_owned(),
        _ => "none of these".to_owned(),
    }
}

fn condition_in_words(condition: &Condition, cells: &[&Answer]) -> String {
    let fields = cells.iter().flat_map(|cell| cell.fields.iter());
    let field = fields.clone().find(|field| field.name == condition.field);
    let about = field.map_or(&*condition.field, |field| &field.about);
    let rule = field.map(|field| &field.rule).filter(|rule| !rule.is_empty());
    let least = match condition.least {
        1 => String::new(),
        n => format!(
            ", {} or more",
            labels::number(&enfilade_model::form::Value::Int(n.into()), false)
        ),
    };
    let rule = rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
    format!("{about}{least}{rule}")
}
