//! Probes the size fields of a contest, set to their least and raised in turn. Then each is lowered
//! by one and by two while all the others stay at their highest.

use toml::{Table, Value as Toml};

use super::growth_curve::SizeGrowthCurve;
use super::{
    CostForecast, FieldStateGrowth, ForecastProbeCost, ForecastProbes, GraphOrFrontier,
    MAX_FRONTIER_PROBE_STATES, MAX_PROBE_STATES, find_widest_variable,
};
use crate::experiment::GridCell;
use enfilade_model::catalogue::Contest;
use enfilade_model::form::{FieldType, Form};

/// Forecasts a contest with size fields.
pub(super) fn forecast_by_smaller_sizes(
    cell: &GridCell,
    tests: &mut ForecastProbes<'_>,
) -> Option<CostForecast> {
    let Toml::Table(table) = Toml::from(&cell.form) else {
        return None;
    };
    let knobs = cell.played.grows_with.iter();
    let knobs: Vec<_> =
        knobs.filter_map(|path| ReducibleContestField::find_at_path(cell, &table, path)).collect();
    if knobs.is_empty() {
        return None;
    }
    let mut trials = SmallerContestProbe { cell, table, size_fields: knobs, tests, last: None };
    trials.probe_current_size()?;
    while trials.raise_and_probe_least_raised().is_some() {}
    // Looking back may try as much again.
    let tried = std::mem::take(&mut trials.tests.tried);
    trials.probe_all_lower();
    trials.probe_fields_left_at_least();
    trials.tests.tried += tried;
    trials.forecast_full_size()
}

/// Field that can be reduced.
struct ReducibleContestField {
    path: String,
    /// Index among several tables.
    entry: Option<usize>,
    least: i64,
    now: i64,
    at: i64,
    /// Number of times it was raised, and whether raising it again would take too long.
    raised: u32,
    stuck: bool,
    /// Growth with this field: states to step from, states stored, and frontier steps.
    growth: Option<[SizeGrowthCurve; 3]>,
}

impl ReducibleContestField {
    fn find_at_path(cell: &GridCell, table: &Table, path: &str) -> Option<ReducibleContestField> {
        let FieldType::Int(bound) = &cell.action.fields.find_field_at_path(path)?.kind else {
            return None;
        };
        let (entry, now) = match path.split_once('.') {
            None => (None, table.get(path)?.as_integer()?),
            Some((outer, inner)) => {
                let entries = table.get(outer)?.as_array()?.iter().enumerate();
                let counts =
                    entries.filter_map(|(at, of)| Some((at, of.get(inner)?.as_integer()?)));
                // The first of the largest.
                let (entry, now) = counts.rev().max_by_key(|(_, now)| *now)?;
                (Some(entry), now)
            }
        };
        // A contest of size 0 reveals nothing.
        let least = bound.low.max(1);
        let (raised, stuck, growth) = (0, false, None);
        let knob = ReducibleContestField {
            path: path.to_owned(),
            entry,
            least,
            now,
            at: least,
            raised,
            stuck,
            growth,
        };
        (least < now).then_some(knob)
    }

    /// Returns how far it has been raised, where its least is 1.
    fn size_relative_to_least(&self, to: i64) -> f64 {
        (to - self.least + 1) as f64
    }

    /// Returns the factor by which the states of the largest probe must still be multiplied.
    fn factor_to_full_size(&self, of: usize) -> f64 {
        let curve = self.growth.map_or(SizeGrowthCurve::PROPORTIONAL_GROWTH, |growth| growth[of]);
        curve.growth_factor(
            self.size_relative_to_least(self.at),
            self.size_relative_to_least(self.now),
        )
    }

    fn growth_of_field(&self) -> Option<FieldStateGrowth> {
        let [states, ..] = self.growth?;
        let factor = states.growth_factor(
            self.size_relative_to_least(self.now - 1),
            self.size_relative_to_least(self.now),
        );
        Some(FieldStateGrowth { path: self.path.clone(), now: self.now, factor })
    }

    fn write_reduced_value(&self, table: &mut Table) {
        let (outer, inner) = self.path.split_once('.').unwrap_or((&self.path, ""));
        let place = table.get_mut(outer).and_then(|outer| match self.entry {
            None => Some(outer),
            Some(entry) => outer.get_mut(entry)?.get_mut(inner),
        });
        if let Some(place) = place {
            *place = self.at.into();
        }
    }
}

/// Smaller contests, each a little larger than the one before.
struct SmallerContestProbe<'t, 'a> {
    cell: &'t GridCell,
    table: Table,
    size_fields: Vec<ReducibleContestField>,
    tests: &'t mut ForecastProbes<'a>,
    last: Option<ForecastProbeCost>,
}

impl SmallerContestProbe<'_, '_> {
    fn build_reduced_contest(&self) -> Option<Contest> {
        let mut table = self.table.clone();
        self.size_fields.iter().for_each(|knob| knob.write_reduced_value(&mut table));
        let action = &self.cell.action;
        action.build_contest(&Form::from_table_with_defaults(&action.fields, &table).ok()?).ok()
    }

    /// Tries the contest with the current fields, if it is small enough for the remaining budget.
    fn probe_current_size(&mut self) -> Option<[f64; 3]> {
        let contest = self.build_reduced_contest()?;
        let size = self.tests.probe_contest(&contest.combat)?;
        let numbers = size.numbers;
        self.last = Some(size);
        Some(numbers)
    }

    /// Raises the field that was raised least often, if the time suffices.
    fn raise_and_probe_least_raised(&mut self) -> Option<()> {
        let knobs = self.size_fields.iter_mut().enumerate();
        let knobs = knobs.filter(|(_, knob)| knob.at < knob.now && !knob.stuck);
        let (index, knob) = knobs.min_by_key(|(_, knob)| knob.raised)?;
        let from = knob.at;
        knob.at = knob.now.min(from + 1 + (from - knob.least) / 4);
        knob.raised += 1;
        if self.probe_current_size().is_none() {
            let knob = &mut self.size_fields[index];
            (knob.at, knob.stuck) = (from, true);
        }
        Some(())
    }

    /// Lowers every field by one and by two, and measures the effect.
    fn probe_all_lower(&mut self) {
        // Set aside: every step replaces it, and the largest probe is the one to multiply.
        let Some(last) = self.last.take() else {
            return;
        };
        for index in 0..self.size_fields.len() {
            let (at, least) = (self.size_fields[index].at, self.size_fields[index].least);
            let [second, first] = [at - 1, at - 2].map(|lower| {
                self.size_fields[index].at = lower;
                if lower < least { None } else { self.probe_current_size() }
            });
            let knob = &mut self.size_fields[index];
            knob.at = at;
            let n = knob.size_relative_to_least(at);
            let curve = |of: usize| {
                let sizes = [
                    first.map(|sizes| sizes[of]),
                    second.map(|sizes| sizes[of]),
                    Some(last.numbers[of]),
                ];
                SizeGrowthCurve::fit_to_three_sizes([n - 2.0, n - 1.0, n], sizes)
            };
            let [states, stored, waves] = [0, 1, 2].map(curve);
            knob.growth = states.zip(stored).zip(waves).map(|((a, b), c)| [a, b, c]);
        }
        self.last = Some(last);
    }

    /// Measures the growth with each field that stayed at its least: from its next two values, with
    /// all other fields one lower, because a contest that is large at the least value is larger
    /// there.
    fn probe_fields_left_at_least(&mut self) {
        let last = self.last.take();
        let before = (self.tests.tried, self.tests.budget);
        for index in 0..self.size_fields.len() {
            if self.size_fields[index].growth.is_some()
                || self.size_fields[index].at > self.size_fields[index].least
            {
                continue;
            }
            let at: Vec<i64> = self.size_fields.iter().map(|knob| knob.at).collect();
            for (other, knob) in self.size_fields.iter_mut().enumerate() {
                knob.at = if other == index { knob.at } else { (knob.at - 1).max(knob.least) };
            }
            // A graph costs several times as much per state.
            let budget = match self.tests.engine {
                GraphOrFrontier::Graph => MAX_PROBE_STATES,
                GraphOrFrontier::Frontier => MAX_FRONTIER_PROBE_STATES,
            };
            (self.tests.tried, self.tests.budget) = (0, budget);
            self.size_fields[index].growth = self.growth_curves_of_field(index);
            self.size_fields.iter_mut().zip(at).for_each(|(knob, at)| knob.at = at);
        }
        (self.tests.tried, self.tests.budget) = before;
        self.last = last;
    }

    /// Returns the growth with a field from its value and the next two, or the next one alone.
    fn growth_curves_of_field(&mut self, index: usize) -> Option<[SizeGrowthCurve; 3]> {
        let (least, now) = (self.size_fields[index].at, self.size_fields[index].now);
        let mut sizes = Vec::new();
        for at in least..=now.min(least + 2) {
            self.size_fields[index].at = at;
            match self.probe_current_size() {
                Some(size) => sizes.push(size),
                None => break,
            }
        }
        let n = self.size_fields[index].size_relative_to_least(least);
        let curve = |of: usize| match sizes.as_slice() {
            [first, second, third] => {
                let sizes = [first[of], second[of], third[of]].map(Some);
                SizeGrowthCurve::fit_to_three_sizes([n, n + 1.0, n + 2.0], sizes)
            }
            [first, second] => SizeGrowthCurve::fit_to_three_sizes(
                [n, n, n + 1.0],
                [None, Some(first[of]), Some(second[of])],
            ),
            _ => None,
        };
        let [states, stored, waves] = [0, 1, 2].map(curve);
        states.zip(stored).zip(waves).map(|((a, b), c)| [a, b, c])
    }

    fn forecast_full_size(self) -> Option<CostForecast> {
        let last = self.last.as_ref()?;
        let rest = |of: usize| {
            self.size_fields.iter().map(|knob| knob.factor_to_full_size(of)).product::<f64>()
        };
        let mut fields: Vec<_> =
            self.size_fields.iter().filter_map(ReducibleContestField::growth_of_field).collect();
        fields.sort_by(|a, b| b.factor.total_cmp(&a.factor));
        if fields.is_empty() {
            return None;
        }
        let small = self.build_reduced_contest()?.combat;
        let forecast = self.tests.extrapolate_cost(&small, last, [0, 1, 2].map(rest), fields);
        Some(CostForecast { part: find_widest_variable(self.cell, &small, last), ..forecast })
    }
}
