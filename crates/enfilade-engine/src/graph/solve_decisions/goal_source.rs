//! Number of an ending that a player wants high or low.

use enfilade_model::combat::{AnyCombat, Ending, ExactRatio, MeasureHead, MeasureKind};

/// Source of a goal in an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::graph) enum GoalFieldOrMeasure {
    /// Outcome field, by its index.
    Field(usize),
    /// Weight in a measure, by the index of the measure.
    Weight(usize),
}

impl GoalFieldOrMeasure {
    /// Finds the outcome field of a name, or else the measure that is one mean over all trials.
    pub(in crate::graph) fn find_by_name(
        combat: &AnyCombat,
        name: &str,
    ) -> Option<GoalFieldOrMeasure> {
        if let Some(field) = combat.outcome_fields().iter().position(|field| *field.name == *name) {
            return Some(GoalFieldOrMeasure::Field(field));
        }
        let is_mean = |measure: &MeasureHead| {
            matches!(measure.kind, MeasureKind::Event | MeasureKind::Mean)
                && measure.condition.is_empty()
                && measure.scale == ExactRatio::ONE
        };
        let mut measures = combat.measures().iter();
        measures.position(|one| *one.name == *name && is_mean(one)).map(GoalFieldOrMeasure::Weight)
    }

    /// Returns the number of an ending.
    pub(in crate::graph) fn value_of_ending(self, ending: &Ending) -> i32 {
        match self {
            GoalFieldOrMeasure::Field(field) => ending.fields[field],
            GoalFieldOrMeasure::Weight(measure) => ending.weights[measure],
        }
    }
}
