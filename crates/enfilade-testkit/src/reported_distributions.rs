//! Distributions of contests in whole numbers, and as text for golden files.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dashu_int::UBig;
use enfilade_engine::exact::measure_fraction::FractionOrRoot;
use enfilade_engine::exact::{self, reduce_fraction};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::catalogue::Contest;
use enfilade_model::combat::MeasureHead;
use sha2::{Digest, Sha256};

/// The reported values of a contest by name: the joint distribution of some outcomes, and every
/// measure.
#[derive(Debug)]
pub struct ReportedDistribution {
    /// Shares in lowest terms by the values of the outcomes.
    pub law: BTreeMap<Vec<i32>, (UBig, UBig)>,
    /// Values by the names of the measures.
    pub measures: BTreeMap<String, FractionOrRoot>,
    /// The outcomes, in the order of the values.
    pub fields: Vec<String>,
}

impl ReportedDistribution {
    /// Computes the distribution of a contest, of all outcomes or only of those `among`.
    ///
    /// # Panics
    /// If the contest is too large for a graph, or never ends.
    pub fn from_contest(contest: &Contest, among: Option<&[String]>) -> ReportedDistribution {
        let graph =
            DieGraph::compile_within_limits(&contest.combat, CompiledContestLimits::default())
                .expect("small contests");
        let weights = exact::solve_integer_weights(&graph).expect("these contests end");
        let heads = contest.combat.outcome_fields();
        let mut fields: Vec<String> = heads.iter().map(|head| head.name.to_string()).collect();
        if let Some(among) = among {
            fields.retain(|field| among.contains(field));
        }
        let place = |field: &String| heads.iter().position(|head| *head.name == **field);
        let places: Vec<usize> = fields.iter().filter_map(place).collect();
        let mut law: BTreeMap<Vec<i32>, UBig> = BTreeMap::new();
        for (ending, ways) in graph.endings().iter().zip(&weights.numerators) {
            let key = places.iter().map(|place| ending.fields[*place]).collect();
            *law.entry(key).or_insert(UBig::ZERO) += ways;
        }
        law.retain(|_, ways| *ways != UBig::ZERO);
        let share = |ways: UBig| reduce_fraction(ways, weights.denominator.clone());
        let measures = contest.combat.measures().iter().enumerate();
        let figure = |(place, head): (usize, &std::sync::Arc<MeasureHead>)| {
            let figure = weights.exact_measure_fraction(graph.endings(), place, head);
            Some((head.name.to_string(), figure?))
        };
        ReportedDistribution {
            law: law.into_iter().map(|(key, ways)| (key, share(ways))).collect(),
            measures: measures.filter_map(figure).collect(),
            fields,
        }
    }

    /// Formats the distribution of the outcomes `fields` in this order, then the `measures`, as one
    /// line: `0 1: 5/36; 2 0: 31/36; 5/36; `.
    ///
    /// # Panics
    /// If an outcome or a measure is not reported.
    pub fn format_as_line(&self, fields: &[String], measures: &[String]) -> String {
        let place = |field: &String| self.fields.iter().position(|known| known == field);
        let places: Vec<usize> = fields
            .iter()
            .map(|field| place(field).unwrap_or_else(|| panic!("no outcome {field}")))
            .collect();
        let sorted = self.law.iter().map(|(key, share)| {
            (places.iter().map(|place| key[*place]).collect::<Vec<i32>>(), share)
        });
        let mut line = String::new();
        for (key, (numerator, denominator)) in sorted.collect::<BTreeMap<_, _>>() {
            let key: Vec<String> = key.iter().map(i32::to_string).collect();
            let _ = write!(line, "{}: {numerator}/{denominator}; ", key.join(" "));
        }
        for measure in measures {
            let figure = self.measures.get(measure);
            let figure = figure.unwrap_or_else(|| panic!("no measure {measure}"));
            let _ = write!(line, "{figure}; ");
        }
        line
    }

    /// Returns all outcomes and all measures, sorted by name.
    pub fn name_lists(&self) -> (Vec<String>, Vec<String>) {
        let mut fields = self.fields.clone();
        fields.sort();
        (fields, self.measures.keys().cloned().collect())
    }
}

/// Returns the key of a long line: 32 hexadecimal digits of the hash of its names and its text.
pub fn hash_line(fields: &[String], measures: &[String], line: &str) -> String {
    let whole = format!("{}\n{}\n{line}", fields.join(" "), measures.join(" "));
    Sha256::digest(whole.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
