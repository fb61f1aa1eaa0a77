//! Columns that are 0 throughout, left out of the tables for people.
//!
//! An action reports every field and measure it knows, so that columns are stable. A reader who
//! asked about a squad need not look at the columns for vehicles; their names are said once. Only
//! an exact law knows that something never happens: what was merely not seen keeps its column,
//! which says "0 of N" with its bound.

use std::collections::BTreeSet;

use super::words::has_exact;
use crate::combat::FieldHead;
use crate::shared::Text;
use crate::study::answer::{Answer, MeasureAnswer};

/// The fields and measures that are 0 in all cells of one contest.
#[derive(Debug)]
pub struct Idle {
    fields: BTreeSet<Text>,
    measures: BTreeSet<Text>,
}

impl Idle {
    /// Those of `cells`.
    pub fn of(cells: &[Answer]) -> Idle {
        Idle { fields: idle_fields(cells), measures: idle_measures(cells) }
    }

    /// Their names, measures first.
    pub fn names(&self) -> Vec<&str> {
        let names = self.measures.iter().chain(&self.fields);
        names.map(|name| &**name).collect()
    }

    /// Whether the measure of this name is one of them.
    pub fn has_measure(&self, name: &str) -> bool {
        self.measures.contains(name)
    }

    /// Whether the outcome field of this name is one of them.
    pub fn has_field(&self, name: &str) -> bool {
        self.fields.contains(name)
    }

    /// An answer without them.
    pub fn without(&self, cell: &Answer) -> Answer {
        let busy = |field: &FieldHead| !self.has_field(&field.name);
        let mut cell = cell.clone();
        cell.measures.retain(|measure| !self.has_measure(&measure.head.name));
        for outcome in &mut cell.outcomes {
            let mut kept = cell.fields.iter().map(busy);
            outcome.values.retain(|_| kept.next().unwrap_or(true));
        }
        cell.fields = cell.fields.iter().filter(|field| busy(field)).cloned().collect();
        cell
    }
}

fn idle_fields(cells: &[Answer]) -> BTreeSet<Text> {
    let named = |cell: &Answer, busy: bool| -> Vec<Text> {
        let unknown = !has_exact(cell);
        let of = |i: usize| unknown || cell.outcomes.iter().any(|o| o.values[i] != 0);
        let fields = cell.fields.iter().enumerate();
        fields.filter(|(i, _)| of(*i) == busy).map(|(_, field)| field.name.clone()).collect()
    };
    unless_all_are_idle(cells, named)
}

fn idle_measures(cells: &[Answer]) -> BTreeSet<Text> {
    let named = |cell: &Answer, busy: bool| -> Vec<Text> {
        let measures = cell.measures.iter();
        measures.filter(|measure| is_idle(measure) != busy).map(|m| m.head.name.clone()).collect()
    };
    unless_all_are_idle(cells, named)
}

/// The names that are idle in every cell; none when nothing else would be left.
fn unless_all_are_idle(
    cells: &[Answer],
    named: impl Fn(&Answer, bool) -> Vec<Text>,
) -> BTreeSet<Text> {
    let busy: BTreeSet<_> = cells.iter().flat_map(|cell| named(cell, true)).collect();
    let idle = cells.iter().flat_map(|cell| named(cell, false));
    let idle: BTreeSet<_> = idle.filter(|name| !busy.contains(name)).collect();
    if busy.is_empty() { BTreeSet::new() } else { idle }
}

fn is_idle(measure: &MeasureAnswer) -> bool {
    let simulated = measure.simulated.map_or(0.0, |estimate| estimate.value);
    measure.exact == Some(0.0) && simulated == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn what_is_0_everywhere_is_left_out_and_named() {
        let mut cells = fixture::grid();
        for cell in &mut cells {
            for outcome in &mut cell.outcomes {
                outcome.values[1] = 0;
            }
            cell.measures[0].exact = Some(0.0);
            cell.measures[0].simulated = None;
        }
        let field = cells[0].fields[1].name.to_string();
        let measure = cells[0].measures[0].head.name.to_string();
        let idle = Idle::of(&cells);
        assert_eq!(idle.names(), [&*measure, &*field]);
        for (busy, cell) in cells.iter().map(|cell| (idle.without(cell), cell)) {
            assert_eq!(busy.fields.len(), cell.fields.len() - 1);
            assert_eq!(busy.outcomes[0].values.len(), busy.fields.len());
            assert!(busy.measure(&measure).is_none());
        }
    }

    #[test]
    fn what_was_only_not_seen_keeps_its_column() {
        let mut cells = fixture::played();
        for outcome in &mut cells[0].outcomes {
            outcome.values[1] = 0;
        }
        if let Some(estimate) = &mut cells[0].measures[0].simulated {
            (estimate.value, estimate.low) = (0.0, 0.0);
        }
        let idle = Idle::of(&cells);
        assert!(idle.names().is_empty());
        assert_eq!(idle.without(&cells[0]).fields, cells[0].fields);
    }

    #[test]
    fn something_is_always_left() {
        let mut cells = fixture::single();
        cells[0].outcomes.iter_mut().for_each(|outcome| outcome.values.fill(0));
        let idle = Idle::of(&cells);
        assert_eq!(idle.without(&cells[0]).fields.len(), cells[0].fields.len());
    }
}
