//! Meetings of units, in sentences, two pictures, one table and JSON.

use serde::Serialize;

use super::points_format::points;
use crate::charts::Words;
use crate::charts::axis_scale::Scale;
use crate::charts::dots::{DotRow, Dots};
use crate::charts::heatmap::{Heads, HeatMap};
use crate::drawing::Scene;
use crate::tables::{Rows, Table};
use crate::text::sentences::clean;
use enfilade_pricing::edges::Edges;
use enfilade_pricing::price::Pricing;

/// The largest number of units for which a map is drawn.
const MAPPED: usize = 15;

/// Units against units at their even prices.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFindings<'a> {
    /// Names of the units.
    pub units: Vec<String>,
    /// Whether each unit has no one price.
    open: Vec<bool>,
    /// Their prices, above 0.
    prices: &'a [f64],
    /// Edges at these prices.
    edges: &'a Edges,
}

impl<'a> EdgeFindings<'a> {
    /// Takes the edges of a pricing; `None` unless all units met all.
    pub fn of(pricing: &'a Pricing) -> Option<EdgeFindings<'a>> {
        let units = pricing.units.as_ref()?;
        let weapons = || units.places.iter().map(|place| &pricing.weapons[*place]);
        let open = weapons().map(|weapon| weapon.priced().is_some_and(|even| even.apart.is_some()));
        Some(EdgeFindings {
            units: weapons().map(|weapon| weapon.name.clone()).collect(),
            open: open.collect(),
            prices: &units.prices,
            edges: &units.edges,
        })
    }

    /// Describes the results in sentences, the most important first; none if all is even.
    pub fn sentences(&self) -> Vec<String> {
        let Some(mendable) = self.edges.mendable() else { return Vec::new() };
        let mut told = vec![self.split(mendable)];
        let all = || 0..self.units.len();
        let outbought = all().filter_map(|unit| Some((unit, self.edges.outbought(unit)?)));
        told.extend(outbought.map(|(unit, factor)| {
            let by = 100.0 * (factor - 1.0);
            format!(
                "{} is never worth buying: others are better by {by:.0} % against every opponent.",
                self.name(unit)
            )
        }));
        let missed = all().map(|unit| (unit, 100.0 * self.edges.missed(unit)));
        told.extend(missed.filter(|(_, missed)| *missed >= 1.0).map(|(unit, missed)| {
            format!("Without {} the best mix of the others loses {missed:.0} %.", self.name(unit))
        }));
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

    /// Describes the part that prices can even out, and the circle that they cannot.
    fn split(&self, mendable: f64) -> String {
        let parts = (100.0 * mendable).round();
        let told = format!(
            "Prices could mend {parts:.0} of 100 parts of what is uneven between these units"
        );
        match self.circle().filter(|_| parts < 100.0) {
            Some(circle) => format!("{told}; {:.0} are a circle: {circle}.", 100.0 - parts),
            None => format!("{told}."),
        }
    }

    /// Describes the strongest circle.
    fn circle(&self) -> Option<String> {
        let [a, b, c] = self.edges.circle()?.map(|unit| self.name(unit));
        Some(format!("{a} beats {b}, {b} beats {c}, {c} beats {a}"))
    }

    /// Draws the first picture: units in order of their prices, for each a dot for every other at
    /// the value of 100 points of it there, and their mean as a bar.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn picture(&self, words: &Words) -> Result<Scene, String> {
        let hundred = |edge: f64| 100.0 * edge.exp();
        let row = |unit: &usize| {
            let others = (0..self.units.len()).filter(|other| other != unit);
            DotRow {
                name: self.name(*unit),
                values: others.map(|other| hundred(self.edges.edge[*unit][other])).collect(),
                bar: Some(hundred(self.edges.potential[*unit])),
                shade: None,
            }
        };
        let all = || self.edges.edge.iter().flatten().map(|edge| hundred(*edge));
        let subtitle = self.circle().map(|circle| format!("The strongest circle: {circle}."));
        let words = Words { subtitle: subtitle.unwrap_or_default(), ..words.clone() };
        let dots = Dots {
            rows: self.by_price().iter().map(row).collect(),
            scale: Scale::factors(all().chain([100.0])),
            measured: "points of another that 100 points of it count for".to_owned(),
            level: 100.0,
        };
        dots.draw(&words)
    }

    /// Draws the value of every unit against every other as colours; with many units there are too
    /// many cells to read.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn map(&self, words: &Words) -> Result<Scene, String> {
        if self.units.len() > MAPPED {
            return Err("there are too many units".to_owned());
        }
        let order = self.by_price();
        let names: Vec<String> = order.iter().map(|unit| self.name(*unit)).collect();
        let cells = order.iter().flat_map(|unit| order.iter().map(move |other| (*unit, *other)));
        let hundred = |(unit, other): (usize, usize)| 100.0 * self.edges.edge[unit][other].exp();
        let values: Vec<f64> = cells.map(hundred).collect();
        let map = HeatMap {
            middle: Some(100.0),
            columns: Heads::new("of them", names.clone()),
            rows: Heads::new("100 points", names),
            texts: values.iter().map(|value| format!("{value:.0}")).collect(),
            values: values.into_iter().map(Some).collect(),
            among: Vec::new(),
            measured: "points that 100 points count for".to_owned(),
        };
        map.draw(words)
    }

    /// Returns the units, the cheapest first.
    fn by_price(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.units.len()).collect();
        order.sort_by(|a, b| self.prices[*a].total_cmp(&self.prices[*b]));
        order
    }

    /// Describes the counters of each unit, in a sentence each.
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

    /// Builds the table of every unit against every other, as in `edges.csv`.
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

    /// Builds the key `units` of the JSON document.
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
                no_one_price: self.open[unit],
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

/// The unit that beats it, and the value of 100 points of it there.
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
    fn told<T>(prices: [f64; 3], tell: impl Fn(&EdgeFindings) -> T) -> T {
        let log = 1.5_f64.ln();
        let worth = [vec![0.0, log, -log], vec![-log, 0.0, log], vec![log, -log, 0.0]];
        let edges = Edges::new(&worth, &prices).expect("edges");
        let units = ["lance", "axe", "sword"].map(str::to_owned).to_vec();
        tell(&EdgeFindings { units, open: vec![true; 3], prices: &prices, edges: &edges })
    }

    #[test]
    fn sentences_say_it() {
        let told = self::told([10.0; 3], |it| it.sentences());
        assert_eq!(
            told[0],
            "Prices could mend 0 of 100 parts of what is uneven between these units; 100 are a circle: lance beats axe, \
             axe beats sword, sword beats lance."
        );
        // Each of them has its use: without it the best mix loses a third of an edge.
        assert_eq!(told[1], "Without lance the best mix of the others loses 13 %.");
        assert_eq!(told.len(), 4);
        assert_eq!(
            self::told([10.0; 3], |it| it.counters())[0],
            "100 points of lance count for 67 of sword."
        );
        // Ten times too dear: against every opponent others are better.
        let told = self::told([10.0, 10.0, 100.0], |it| it.sentences());
        assert!(
            told.iter().any(|told| told.starts_with("sword is never worth buying")),
            "{told:?}"
        );
    }

    #[test]
    fn every_edge_is_a_row() {
        let table = told([10.0; 3], |it| it.table());
        assert_eq!((table.rows(), table.columns.len()), (6, 5));
        let json = told([10.0; 3], |it| serde_json::json!(it.json()));
        assert_eq!(json["units"][0]["counter"]["name"], "sword");
        assert_eq!(json["circle"][0], "lance");
        assert_eq!(json["units"][2]["no_one_price"], true);
    }

    #[test]
    fn there_are_two_pictures() {
        told([10.0, 11.0, 9.0], |circle| {
            assert_eq!(circle.by_price(), [2, 0, 1]);
            let drawn = circle.picture(&Words::default()).expect("three units");
            let said: String = drawn.labels().map(|label| label.text.clone()).collect();
            assert!(said.contains("The strongest circle:") && said.contains("lance"), "{said}");
            assert!(circle.map(&Words::default()).is_ok());
        });
    }
}
