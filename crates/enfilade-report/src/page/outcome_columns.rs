//! Distributions inside a report page: outcomes in words, the worst first, a token for each cell.

use std::cmp::Reverse;

use indexmap::IndexSet;

use super::size_budget::Cut;
use crate::answers::zero_columns::Idle;
use crate::blocks::Entry;
use crate::charts::outcome_bands::Bands;
use crate::text::number_format::{exact_percent, simulated_percent};
use crate::text::sentences::harm;
use crate::text::{labels, sentences};
use enfilade_model::combat::FieldHead;
use enfilade_stats::intervals::Interval;
use enfilade_study::answer::{Answer, OutcomeAnswer};

/// No outcome is left out.
const NOTHING: &str = "0 0";

/// An outcome by the fields of all cells; `None` for a field that its cell does not count.
type Values = Vec<Option<i32>>;

/// The distributions of the cells of a contest.
#[derive(Default)]
pub struct Laws {
    fields: Vec<FieldHead>,
    known: IndexSet<Values>,
    /// One distribution per cell: tokens, each preceded by its outcome unless it is the next one.
    pub laws: Vec<String>,
    /// The part of each distribution that is not shown; empty if every cell is shown completely.
    pub rarer: Vec<String>,
}

impl Laws {
    /// Builds as many of the columns as `cut` allows.
    pub fn of(cells: &[Answer], idle: &Idle, cut: Cut) -> Laws {
        let mut fields = sentences::fields(cells);
        fields.retain(|field| !idle.has_field(&field.name));
        let mut laws = Laws { fields, ..Laws::default() };
        if cut.outcomes == 0 {
            return laws;
        }
        let shown: Vec<_> = cells.iter().map(|cell| Shown::of(cell, cut)).collect();
        for (cell, shown) in cells.iter().zip(&shown) {
            let outcomes = shown.likely.iter();
            let values = outcomes.map(|outcome| values(&laws.fields, cell, outcome));
            laws.known.extend(values);
        }
        let worst = |values: &Values| {
            (Reverse(harm(&laws.fields, &plain(values))), Reverse(values.clone()))
        };
        // Sorted before they are numbered: a distribution without gaps in the list needs no
        // numbers.
        laws.known.sort_by_cached_key(|values| worst(values));
        for (cell, shown) in cells.iter().zip(&shown) {
            laws.add(cell, shown, cut);
        }
        if laws.rarer.iter().all(|rarer| rarer == NOTHING) {
            laws.rarer.clear();
        }
        laws
    }

    fn add(&mut self, cell: &Answer, shown: &Shown<'_>, cut: Cut) {
        let token = |outcome: &&OutcomeAnswer| {
            let values = values(&self.fields, cell, outcome);
            let place = self.known.get_index_of(&values).unwrap_or(0);
            let odds = Entry::Odds {
                exact: outcome.exact.map(exact_percent),
                simulated: simulated(outcome, cell.trials),
            };
            (place, cut.odds(&odds, outcome.fraction.as_deref(), cell.trials))
        };
        let mut tokens: Vec<_> = shown.likely.iter().map(token).collect();
        tokens.sort_unstable_by_key(|(place, _)| *place);
        let mut next = 0;
        let tokens = tokens.into_iter().map(|(place, short)| {
            let follows = std::mem::replace(&mut next, place + 1) == place;
            if follows { short } else { format!("{place}:{short}") }
        });
        self.laws.push(tokens.collect::<Vec<_>>().join(";"));
        self.rarer.push(shown.rarer.clone());
    }

    /// Describes every outcome of the distributions in words.
    pub fn outcomes(&self) -> Vec<String> {
        let said =
            |values: &Values| sentences::clean(&labels::outcome(&self.fields, &plain(values)));
        self.known.iter().map(said).collect()
    }

    /// Returns the colours of the outcomes in the pictures of these cells, in light and dark mode;
    /// none if nothing is harm.
    pub fn inks(&self, cells: &[Answer]) -> Vec<[String; 2]> {
        let bands = Bands::of(&cells.iter().collect::<Vec<_>>());
        if !bands.are_ordered() {
            return Vec::new();
        }
        let ink = |values: &Values| bands.ink(&self.fields, &plain(values));
        self.known.iter().map(ink).map(|ink| [ink.hex(), ink.mirrored().hex()]).collect()
    }
}

/// Returns the values, with 0 for fields that are not counted.
fn plain(values: &Values) -> Vec<i32> {
    values.iter().map(|value| value.unwrap_or(0)).collect()
}

fn values(fields: &[FieldHead], cell: &Answer, outcome: &OutcomeAnswer) -> Values {
    let value = |field: &FieldHead| {
        let column = cell.fields.iter().position(|own| own.name == field.name);
        column.map(|column| outcome.values[column])
    };
    fields.iter().map(value).collect()
}

fn simulated(outcome: &OutcomeAnswer, trials: u64) -> Option<String> {
    let estimate = outcome.simulated?;
    let interval = Interval { low: estimate.low, high: estimate.high };
    Some(simulated_percent(estimate.value, interval, trials))
}

/// The outcomes of a cell that are shown, in their order, and the sum of the others.
struct Shown<'a> {
    likely: Vec<&'a OutcomeAnswer>,
    rarer: String,
}

impl Shown<'_> {
    fn of(cell: &Answer, cut: Cut) -> Shown<'_> {
        let mut order: Vec<_> = (0..cell.outcomes.len()).collect();
        order.sort_by(|&a, &b| {
            cell.outcomes[b].likelihood().total_cmp(&cell.outcomes[a].likelihood())
        });
        let rest = order.split_off(cut.outcomes.min(order.len()));
        order.sort_unstable();
        // In the order of the distribution, so that the sum is equal wherever it is computed.
        let mut rest = rest;
        rest.sort_unstable();
        let sum: f64 = rest.iter().map(|&i| cell.outcomes[i].likelihood()).sum();
        Shown {
            likely: order.iter().map(|&i| &cell.outcomes[i]).collect(),
            rarer: match rest.len() {
                0 => NOTHING.to_owned(),
                n => format!("{n} {}", exact_percent(sum)),
            },
        }
    }
}
