//! Units against units, in sentences, one table and JSON.

use serde::Serialize;

use super::points_format::points;
use crate::tables::{Rows, Table};
use crate::text::sentences::clean;
use enfilade_pricing::edges::Edges;

/// Units against units at one set of prices.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFindings {
    /// Names of the units.
    pub units: Vec<String>,
    /// Their prices, above 0.
    pub prices: Vec<f64>,
    /// Weights of the opponents, by unit.
    pub mix: Vec<f64>,
    /// How far a price may be off.
    pub tolerance: f64,
    /// Edges at these prices.
    pub edges: Edges,
}

impl EdgeFindings {
    /// What was found, in sentences, the most important first; nothing where all is even.
    pub fn sentences(&self) -> Vec<String> {
        let Some(mendable) = self.edges.mendable() else { return Vec::new() };
        let mut told = vec![self.split(mendable)];
        let all = || 0..self.units.len();
        let outbought = all().filter_map(|unit| Some((unit, self.edges.outbought(unit)?)));
        told.extend(outbought.map(|(unit, factor)| {
            let by = 100.0 * (factor - 1.0);
            format!(
                "{} is never worth buying: others are better by {by:.0} % whatever it meets.",
                self.name(unit)
            )
        }));
        told.extend(all().filter(|unit| self.is_open(*unit)).map(|unit| self.no_one_price(unit)));
        if self.edges.company >= 0.05 {
            let company = 100.0 * (self.edges.company.exp() - 1.0);
            told.push(format!(
                "A unit counts for {company:.0} % more or less beside other troops, on average: that is company, \
                 and no edge."
            ));
        }
        told
    }

    fn name(&self, unit: usize) -> String {
        clean(&self.units[unit]).to_string()
    }

    /// Whether a unit has no one price.
    pub fn is_open(&self, unit: usize) -> bool {
        self.edges.has_no_one_price(unit, &self.mix, self.tolerance)
    }

    /// What prices could mend, and the circle that they cannot.
    fn split(&self, mendable: f64) -> String {
        let parts = (100.0 * mendable).round();
        let told = format!(
            "Prices could mend {parts:.0} of 100 parts of what is uneven between these units"
        );
        let rest = 100.0 - parts;
        match self.edges.circle() {
            Some([a, b, c]) if rest > 0.0 => {
                let [a, b, c] = [a, b, c].map(|unit| self.name(unit));
                format!(
                    "{told}; {rest:.0} are a circle: {a} beats {b}, {b} beats {c}, {c} beats {a}."
                )
            }
            _ => format!("{told}."),
        }
    }

    /// Why a unit has no one price: what it would cost against each.
    fn no_one_price(&self, unit: usize) -> String {
        let prices = self.edges.prices_against(unit, self.prices[unit]);
        let others = (0..prices.len()).filter(|other| *other != unit);
        let by_price = |a: &usize, b: &usize| prices[*a].total_cmp(&prices[*b]);
        let (least, most) = (others.clone().min_by(by_price), others.max_by(by_price));
        let ends = [least, most].map(|other| other.unwrap_or(unit));
        let [low, high] = ends.map(|other| points(prices[other]));
        let [worst, best] = ends.map(|other| self.name(other));
        format!(
            "{} has no one price: {} on average, {low} beside {worst}, {high} beside {best}.",
            self.name(unit),
            points(self.prices[unit])
        )
    }

    /// What counters each unit, in a sentence each.
    pub fn counters(&self) -> Vec<String> {
        let counter = |unit: usize| {
            let counter = self.edges.counter(unit);
            let counts = points(counter.points);
            format!(
                "100 points of {} count for {counts} of {}.",
                self.name(unit),
                self.name(counter.by)
            )
        };
        (0..self.units.len()).map(counter).collect()
    }

    /// Every unit against every other, as `edges.csv`.
    pub fn table(&self) -> Table {
        let n = self.units.len();
        let pairs = (0..n).flat_map(|unit| (0..n).map(move |other| (unit, other)));
        let pairs: Vec<(usize, usize)> = pairs.filter(|(unit, other)| unit != other).collect();
        let rows = Rows(&pairs);
        let columns = vec![
            rows.text("unit", |(unit, _)| Some(self.units[*unit].clone())),
            rows.text("opponent", |(_, other)| Some(self.units[*other].clone())),
            rows.number("points_per_100", |(unit, other)| {
                Some(100.0 * self.edges.edge[*unit][*other].exp())
            }),
            rows.number("edge", |(unit, other)| Some(self.edges.edge[*unit][*other])),
            rows.number("cyclic", |(unit, other)| Some(self.edges.cyclic[*unit][*other])),
        ];
        Table { name: "edges", columns }
    }

    /// The key `units` of the JSON document.
    pub fn json(&self) -> EdgesJson {
        let mix = self.edges.best_mix();
        let unit = |unit: usize| {
            let counter = self.edges.counter(unit);
            UnitEdgeJson {
                name: self.units[unit].clone(),
                price: self.prices[unit],
                counter: CounterJson {
                    name: self.units[counter.by].clone(),
                    points: counter.points,
                },
                outbought: self.edges.outbought(unit),
                missed: self.edges.missed(unit),
                no_one_price: self.is_open(unit),
                best_mix: mix.get(unit).copied(),
            }
        };
        let circle = self.edges.circle().map(|circle| circle.map(|unit| self.units[unit].clone()));
        EdgesJson {
            edge: self.edges.size(),
            company: self.edges.company,
            mendable: self.edges.mendable(),
            circle,
            units: (0..self.units.len()).map(unit).collect(),
        }
    }
}

/// Units against units.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EdgesJson {
    edge: f64,
    company: f64,
    mendable: Option<f64>,
    circle: Option<[String; 3]>,
    units: Vec<UnitEdgeJson>,
}

/// A unit against the others.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct UnitEdgeJson {
    name: String,
    price: f64,
    counter: CounterJson,
    outbought: Option<f64>,
    missed: f64,
    no_one_price: bool,
    best_mix: Option<f64>,
}

/// The unit that beats it, and what 100 points of it count for there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct CounterJson {
    name: String,
    points: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each is worth 1.5 of the next; the first costs 10, and so do the others.
    fn circle(prices: [f64; 3]) -> EdgeFindings {
        let log = 1.5_f64.ln();
        let worth = [vec![0.0, log, -log], vec![-log, 0.0, log], vec![log, -log, 0.0]];
        EdgeFindings {
            units: ["lance", "axe", "sword"].map(str::to_owned).to_vec(),
            prices: prices.to_vec(),
            mix: vec![1.0; 3],
            tolerance: 0.25,
            edges: Edges::new(&worth, &prices).expect("edges"),
        }
    }

    #[test]
    fn sentences_say_it() {
        let told = circle([10.0; 3]).sentences();
        assert_eq!(
            told[0],
            "Prices could mend 0 of 100 parts of what is uneven between these units; 100 are a circle: lance beats axe, \
             axe beats sword, sword beats lance."
        );
        assert_eq!(
            told[1],
            "lance has no one price: 10 on average, 6.7 beside sword, 15 beside axe."
        );
        assert_eq!(told.len(), 4);
        assert_eq!(circle([10.0; 3]).counters()[0], "100 points of lance count for 67 of sword.");
        // Ten times too dear: whatever it meets others are better.
        let told = circle([10.0, 10.0, 100.0]).sentences();
        assert!(
            told.iter().any(|told| told.starts_with("sword is never worth buying")),
            "{told:?}"
        );
    }

    #[test]
    fn every_edge_is_a_row() {
        let table = circle([10.0; 3]).table();
        assert_eq!((table.rows(), table.columns.len()), (6, 5));
        let json = serde_json::json!(circle([10.0; 3]).json());
        assert_eq!(json["units"][0]["counter"]["name"], "sword");
        assert_eq!(json["circle"][0], "lance");
        assert_eq!(json["units"][2]["no_one_price"], true);
    }
}
