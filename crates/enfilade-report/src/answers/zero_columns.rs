//! Columns that are 0 throughout, left out of the tables for people.
//!
//! An action reports all of its fields and measures, so that columns are stable. A reader whose
//! question is about a squad need not look at the columns for vehicles; these are named once. Only
//! an exact distribution can prove that an event never happens: an event that was merely not seen
//! keeps its column, which shows "0 of N" with its bound.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use indexmap::IndexSet;

use crate::text::sentences::has_exact_distribution;
use enfilade_model::static_or_shared::Text;
use enfilade_study::answer::{Answer, MeasureAnswer};

/// Labels by the name of the column.
type LabelByColumnName = BTreeMap<Text, Text>;

/// The fields and measures that are 0 in all cells of one contest.
#[derive(Debug)]
pub struct ZeroColumns {
    fields: LabelByColumnName,
    measures: LabelByColumnName,
}

impl ZeroColumns {
    /// Those of `cells`.
    pub fn from_contest_cells(cells: &[impl Borrow<Answer>]) -> ZeroColumns {
        let cells: Vec<&Answer> = cells.iter().map(Borrow::borrow).collect();
        ZeroColumns { fields: find_zero_fields(&cells), measures: find_zero_measures(&cells) }
    }

    /// Returns the labels of the zero columns, each once, measures first.
    pub fn distinct_labels(&self) -> Vec<&str> {
        let labels = self.measures.values().chain(self.fields.values());
        let once: IndexSet<_> = labels.map(|label| &**label).collect();
        once.into_iter().collect()
    }

    /// Whether the measure of this name is zero in all cells.
    pub fn is_measure_zero(&self, name: &str) -> bool {
        self.measures.contains_key(name)
    }

    /// Whether the outcome field of this name is zero in all cells.
    pub fn is_field_zero(&self, name: &str) -> bool {
        self.fields.contains_key(name)
    }
}

fn find_zero_fields(cells: &[&Answer]) -> LabelByColumnName {
    let named = |cell: &Answer, busy: bool| -> Vec<(Text, Text)> {
        let unknown = !has_exact_distribution(cell);
        let of = |i: usize| unknown || cell.outcomes.iter().any(|o| o.values[i] != 0);
        let fields = cell.fields.iter().enumerate().filter(|(i, _)| of(*i) == busy);
        fields.map(|(_, field)| (field.name.clone(), field.display_name())).collect()
    };
    zero_columns_unless_all(cells, named)
}

fn find_zero_measures(cells: &[&Answer]) -> LabelByColumnName {
    let named = |cell: &Answer, busy: bool| -> Vec<(Text, Text)> {
        let measures = cell.measures.iter().filter(|measure| is_zero_measure(measure) != busy);
        measures.map(|m| (m.head.name.clone(), m.head.display_name())).collect()
    };
    zero_columns_unless_all(cells, named)
}

/// Returns the columns that are zero in every cell; none if no other column would be left.
fn zero_columns_unless_all(
    cells: &[&Answer],
    named: impl Fn(&Answer, bool) -> Vec<(Text, Text)>,
) -> LabelByColumnName {
    let busy: LabelByColumnName = cells.iter().flat_map(|cell| named(cell, true)).collect();
    let idle = cells.iter().flat_map(|cell| named(cell, false));
    let idle: LabelByColumnName = idle.filter(|(name, _)| !busy.contains_key(name)).collect();
    if busy.is_empty() { LabelByColumnName::new() } else { idle }
}

fn is_zero_measure(measure: &MeasureAnswer) -> bool {
    let simulated = measure.simulated.map_or(0.0, |estimate| estimate.value);
    measure.exact == Some(0.0) && simulated == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    #[test]
    fn what_is_0_everywhere_is_left_out_and_named() {
        let mut cells = test_answers::build_grid();
        for cell in &mut cells {
            for outcome in &mut cell.outcomes {
                outcome.values[1] = 0;
            }
            cell.measures[0].exact = Some(0.0);
            cell.measures[0].simulated = None;
        }
        let measure = cells[0].measures[0].head.name.to_string();
        let idle = ZeroColumns::from_contest_cells(&cells);
        assert_eq!(idle.distinct_labels(), ["killed", "squads broken"]);
        for cell in &cells {
            let shown: Vec<_> =
                cell.fields.iter().map(|field| !idle.is_field_zero(&field.name)).collect();
            let busy = (0..cell.fields.len()).map(|field| field != 1);
            assert_eq!(shown, busy.collect::<Vec<_>>());
        }
        assert!(idle.is_measure_zero(&measure));
    }

    #[test]
    fn what_was_only_not_seen_keeps_its_column() {
        let mut cells = test_answers::build_simulated_only();
        for outcome in &mut cells[0].outcomes {
            outcome.values[1] = 0;
        }
        if let Some(estimate) = &mut cells[0].measures[0].simulated {
            (estimate.value, estimate.low) = (0.0, 0.0);
        }
        let idle = ZeroColumns::from_contest_cells(&cells);
        assert!(idle.distinct_labels().is_empty());
        assert!(!cells[0].fields.iter().any(|field| idle.is_field_zero(&field.name)));
    }

    #[test]
    fn something_is_always_left() {
        let mut cells = test_answers::build_single();
        cells[0].outcomes.iter_mut().for_each(|outcome| outcome.values.fill(0));
        let idle = ZeroColumns::from_contest_cells(&cells);
        assert!(!cells[0].fields.iter().any(|field| idle.is_field_zero(&field.name)));
    }
}
