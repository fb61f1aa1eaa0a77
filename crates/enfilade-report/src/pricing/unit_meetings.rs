//! Meetings of units, in sentences, two pictures, one table and JSON.

use serde::Serialize;

use super::points_format::format_price_points;
use crate::charts::ChartTitleAndCaption;
use crate::charts::axis_scale::AxisScale;
use crate::charts::dot_plot::{DotRow, DotRowsPlot};
use crate::charts::heatmap::{HeatMap, NamesAlongHeatMapSide};
use crate::drawing::Scene;
use crate::tables::{ColumnBuilderFromRows, TypedTable};
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::price::{ArsenalPrices, WeaponPrice};
use enfilade_pricing::unit_edges::UnitEdgeMatrix;

/// The largest number of units for which a map is drawn.
const MAX_UNITS_ON_MAP: usize = 15;

/// Units against units at their even prices.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitAgainstUnitFindings<'a> {
    /// Names of the units.
    pub units: Vec<String>,
    /// Whether each unit has no one price.
    open: Vec<bool>,
    /// Their prices, above 0.
    prices: &'a [f64],
    /// Edges at these prices.
    edges: &'a UnitEdgeMatrix,
}

impl<'a> UnitAgainstUnitFindings<'a> {
    /// Takes the edges of a pricing; `None` unless all units met all.
    pub fn from_pricing(pricing: &'a ArsenalPrices) -> Option<UnitAgainstUnitFindings<'a>> {
        let units = pricing.units.as_ref()?;
        let weapons = units.places.iter().map(|place| &pricing.weapons[*place]);
        let no_one_price = |weapon: &WeaponPrice| {
            weapon.even_price_if_any().is_some_and(|even| even.opponent_prices.is_some())
        };
        let (names, open) = weapons.map(|w| (w.name.clone(), no_one_price(w))).unzip();
        Some(UnitAgainstUnitFindings {
            units: names,
            open,
            prices: &units.prices,
            edges: &units.edges,
        })
    }

    /// Describes the results in sentences, the most important first; none if all is even.
    pub fn sentences_on_edges(&self) -> Vec<String> {
        let Some(mendable) = self.edges.edge_share_prices_could_mend() else { return Vec::new() };
        let mut sentences = vec![self.price_caused_edges_sentence(mendable)];
        let all = || (0..self.units.len()).map(|unit| (unit, self.name_of_unit(unit)));
        sentences.extend(all().filter_map(|(unit, name)| {
            let by = 100.0 * (self.edges.best_dominating_mix_factor(unit)? - 1.0);
            Some(format!(
                "{name} is never worth buying: others are better by {by:.0} % against every opponent."
            ))
        }));
        sentences.extend(all().filter_map(|(unit, name)| {
            let missed = 100.0 * self.edges.mix_loss_without(unit);
            (missed >= 1.0)
                .then(|| format!("Without {name} the best mix of the others loses {missed:.0} %."))
        }));
        if self.edges.company >= 0.05 {
            let company = 100.0 * (self.edges.company.exp() - 1.0);
            sentences.push(format!(
                "A unit counts for {company:.0} % more or less beside other troops, on average: that is company, \
                 and no edge."
            ));
        }
        sentences
    }

    fn name_of_unit(&self, unit: usize) -> String {
        replace_control_chars(&self.units[unit])
    }

    /// Points of the second unit that 100 points of the first count for.
    fn points_that_100_count_for(&self, (unit, other): (usize, usize)) -> f64 {
        100.0 * self.edges.edge[unit][other].exp()
    }

    /// Describes the part that prices can even out, and the circle that they cannot.
    fn price_caused_edges_sentence(&self, mendable: f64) -> String {
        let parts = (100.0 * mendable).round();
        let circle = self.strongest_circle_sentence().filter(|_| parts < 100.0);
        let circle = circle.map(|circle| format!("; {:.0} are a circle: {circle}", 100.0 - parts));
        format!(
            "Prices could mend {parts:.0} of 100 parts of what is uneven between these units{}.",
            circle.unwrap_or_default()
        )
    }

    /// Describes the strongest circle.
    fn strongest_circle_sentence(&self) -> Option<String> {
        let [a, b, c] = self.edges.find_strongest_cycle()?.map(|unit| self.name_of_unit(unit));
        Some(format!("{a} beats {b}, {b} beats {c}, {c} beats {a}"))
    }

    /// Draws the first picture: units in order of their prices, for each a dot for every other at
    /// the value of 100 points of it there, and their mean as a bar.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw_edge_dots(&self, words: &ChartTitleAndCaption) -> Result<Scene, String> {
        let row = |&unit: &usize| {
            let others = (0..self.units.len()).filter(|other| *other != unit);
            DotRow {
                name: self.name_of_unit(unit),
                values: others.map(|other| self.points_that_100_count_for((unit, other))).collect(),
                bar: Some(100.0 * self.edges.potential[unit].exp()),
                shade: None,
            }
        };
        let all = || self.edges.edge.iter().flatten().map(|edge| 100.0 * edge.exp());
        let circle = self.strongest_circle_sentence();
        let circle = circle.map(|circle| format!("The strongest circle: {circle}."));
        let words = ChartTitleAndCaption { subtitle: circle.unwrap_or_default(), ..words.clone() };
        let dots = DotRowsPlot {
            rows: self.sort_by_price().iter().map(row).collect(),
            scale: AxisScale::logarithmic(all().chain([100.0])),
            axis_title: "points of another that 100 points of it count for".to_owned(),
            level: 100.0,
        };
        dots.draw_dot_rows(&words)
    }

    /// Draws the value of every unit against every other as colours; with many units there are too
    /// many cells to read.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw_edge_map(&self, words: &ChartTitleAndCaption) -> Result<Scene, String> {
        if self.units.len() > MAX_UNITS_ON_MAP {
            return Err("there are too many units".to_owned());
        }
        let order = self.sort_by_price();
        let names: Vec<String> = order.iter().map(|unit| self.name_of_unit(*unit)).collect();
        let cells = order.iter().flat_map(|unit| order.iter().map(move |other| (*unit, *other)));
        let values: Vec<f64> = cells.map(|pair| self.points_that_100_count_for(pair)).collect();
        let map = HeatMap {
            middle: Some(100.0),
            columns: NamesAlongHeatMapSide::new("of them", names.clone()),
            rows: NamesAlongHeatMapSide::new("100 points", names),
            texts: values.iter().map(|value| format!("{value:.0}")).collect(),
            values: values.into_iter().map(Some).collect(),
            among: Vec::new(),
            color_title: "points that 100 points count for".to_owned(),
        };
        map.draw_heat_map(words)
    }

    /// Returns the units, the cheapest first.
    fn sort_by_price(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.units.len()).collect();
        order.sort_by(|a, b| self.prices[*a].total_cmp(&self.prices[*b]));
        order
    }

    /// Describes the counters of each unit, in a sentence each.
    pub fn counter_sentences(&self) -> Vec<String> {
        let counter = |unit: usize| {
            let counter = self.edges.worst_opponent_of(unit);
            let (name, counts) = (self.name_of_unit(unit), format_price_points(counter.points));
            format!("100 points of {name} count for {counts} of {}.", self.name_of_unit(counter.by))
        };
        (0..self.units.len()).map(counter).collect()
    }

    /// Builds the table of every unit against every other, as in `edges.csv`.
    pub fn table_of_edges(&self) -> TypedTable {
        let n = self.units.len();
        let pairs = (0..n).flat_map(|unit| (0..n).map(move |other| (unit, other)));
        let pairs: Vec<(usize, usize)> = pairs.filter(|(unit, other)| unit != other).collect();
        let rows = ColumnBuilderFromRows(&pairs);
        let columns = vec![
            rows.text_column("unit", |(unit, _)| Some(self.units[*unit].clone())),
            rows.text_column("opponent", |(_, other)| Some(self.units[*other].clone())),
            rows.number_column("points_per_100", |at| Some(self.points_that_100_count_for(*at))),
            rows.number_column("edge", |(unit, other)| Some(self.edges.edge[*unit][*other])),
            rows.number_column("cyclic", |(unit, other)| Some(self.edges.cyclic[*unit][*other])),
        ];
        TypedTable { name: "edges", columns }
    }

    /// Builds the key `units` of the JSON document.
    pub fn to_edges_json(&self) -> UnitAdvantagesJson {
        let mix = self.edges.find_unbeaten_mix();
        let name = |unit: usize| self.units[unit].clone();
        let unit = |unit: usize| {
            let counter = self.edges.worst_opponent_of(unit);
            UnitAgainstOthersJson {
                name: name(unit),
                price: self.prices[unit],
                counter: BeatingUnitJson { name: name(counter.by), points: counter.points },
                outbought: self.edges.best_dominating_mix_factor(unit),
                missed: self.edges.mix_loss_without(unit),
                no_one_price: self.open[unit],
                best_mix: mix.get(unit).copied(),
            }
        };
        UnitAdvantagesJson {
            edge: self.edges.root_mean_square(),
            company: self.edges.company,
            mendable: self.edges.edge_share_prices_could_mend(),
            circle: self.edges.find_strongest_cycle().map(|circle| circle.map(name)),
            units: (0..self.units.len()).map(unit).collect(),
        }
    }
}

/// Units against units.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UnitAdvantagesJson {
    edge: f64,
    company: f64,
    mendable: Option<f64>,
    circle: Option<[String; 3]>,
    units: Vec<UnitAgainstOthersJson>,
}

/// A unit against the others.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct UnitAgainstOthersJson {
    name: String,
    price: f64,
    counter: BeatingUnitJson,
    outbought: Option<f64>,
    missed: f64,
    no_one_price: bool,
    best_mix: Option<f64>,
}

/// The unit that beats it, and the value of 100 points of it there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct BeatingUnitJson {
    name: String,
    points: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each is worth 1.5 of the next; the first costs 10, and so do the others.
    fn told<T>(prices: [f64; 3], tell: impl Fn(&UnitAgainstUnitFindings) -> T) -> T {
        let log = 1.5_f64.ln();
        let worth = [vec![0.0, log, -log], vec![-log, 0.0, log], vec![log, -log, 0.0]];
        let edges = UnitEdgeMatrix::new(&worth, &prices).expect("edges");
        let units = ["lance", "axe", "sword"].map(str::to_owned).to_vec();
        tell(&UnitAgainstUnitFindings {
            units,
            open: vec![true; 3],
            prices: &prices,
            edges: &edges,
        })
    }

    #[test]
    fn sentences_say_it() {
        let told = self::told([10.0; 3], |it| it.sentences_on_edges());
        assert_eq!(
            told[0],
            "Prices could mend 0 of 100 parts of what is uneven between these units; 100 are a circle: lance beats axe, \
             axe beats sword, sword beats lance."
        );
        // Each of them has its use: without it the best mix loses a third of an edge.
        assert_eq!(told[1], "Without lance the best mix of the others loses 13 %.");
        assert_eq!(told.len(), 4);
        assert_eq!(
            self::told([10.0; 3], |it| it.counter_sentences())[0],
            "100 points of lance count for 67 of sword."
        );
        // Ten times too dear: against every opponent others are better.
        let told = self::told([10.0, 10.0, 100.0], |it| it.sentences_on_edges());
        assert!(
            told.iter().any(|told| told.starts_with("sword is never worth buying")),
            "{told:?}"
        );
    }

    #[test]
    fn every_edge_is_a_row() {
        let table = told([10.0; 3], |it| it.table_of_edges());
        assert_eq!((table.row_count(), table.columns.len()), (6, 5));
        let json = told([10.0; 3], |it| serde_json::json!(it.to_edges_json()));
        assert_eq!(json["units"][0]["counter"]["name"], "sword");
        assert_eq!(json["circle"][0], "lance");
        assert_eq!(json["units"][2]["no_one_price"], true);
    }

    #[test]
    fn there_are_two_pictures() {
        told([10.0, 11.0, 9.0], |circle| {
            assert_eq!(circle.sort_by_price(), [2, 0, 1]);
            let drawn =
                circle.draw_edge_dots(&ChartTitleAndCaption::default()).expect("three units");
            let said: String = drawn.iter_labels().map(|label| label.text.clone()).collect();
            assert!(said.contains("The strongest circle:") && said.contains("lance"), "{said}");
            assert!(circle.draw_edge_map(&ChartTitleAndCaption::default()).is_ok());
        });
    }
}
