//! The distribution of a contest, read by the names of its rulebook.

use crate::combat::{Ending, ResultColumns};

/// Probability of each outcome of a contest, and the values of its measures.
///
/// The engine that computes it fills in both: the computation of a measure from the outcomes
/// belongs to the engine.
#[derive(Clone, Debug)]
pub struct ContestOutcomeDistribution {
    /// Every outcome with its probability.
    pub outcomes: Vec<(Ending, f64)>,
    /// Heads of the outcome fields and the measures.
    pub heads: ResultColumns,
    /// Measures in the order of their heads; `None` where one has no value.
    pub measures: Vec<Option<f64>>,
}

impl ContestOutcomeDistribution {
    /// Returns the value of the measure called `name`.
    ///
    /// # Panics
    /// If the action has no such measure, or the measure has no value: a mistake of the program,
    /// not of its input.
    pub fn measure_value(&self, name: &str) -> f64 {
        let mut heads = self.heads.measures.iter().zip(&self.measures);
        let measure = heads.find(|(head, _)| head.name == *name);
        let (_, value) = measure.unwrap_or_else(|| panic!("the action has no measure `{name}`"));
        value.unwrap_or_else(|| panic!("the measure `{name}` has no value"))
    }

    /// Returns the outcomes as the values of the fields called `names`, each with its probability.
    ///
    /// # Panics
    /// If the action has no such field: a mistake of the program, not of its input.
    pub fn outcomes_of_fields<const N: usize>(
        &self,
        names: [&str; N],
    ) -> impl Iterator<Item = ([i32; N], f64)> {
        let place = |name: &str| {
            let mut fields = self.heads.fields.iter();
            let found = fields.position(|field| field.name == *name);
            found.unwrap_or_else(|| panic!("the action has no outcome field `{name}`"))
        };
        let places = names.map(place);
        let read = move |(ending, p): &(Ending, f64)| (places.map(|at| ending.fields[at]), *p);
        self.outcomes.iter().map(read)
    }
}
