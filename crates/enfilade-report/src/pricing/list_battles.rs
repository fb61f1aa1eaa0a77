//! Battles of lists, in sentences, one picture, one table and JSON.

use serde::Serialize;

use super::points_format::{comma_separated_names, format_price_points};
use crate::charts::ChartTitleAndCaption;
use crate::charts::axis_scale::AxisScale;
use crate::charts::dot_plot::{DotRow, DotRowsPlot};
use crate::drawing::Scene;
use crate::json_text::ObjectKeyedByName;
use crate::tables::{ColumnBuilderFromRows, TypedTable};
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::army_lists::{
    ArmyList, FoughtListPair, RandomListBattles, sum_points_of_list,
};

/// Lists bought at one set of prices.
#[derive(Clone, Debug, PartialEq)]
pub struct ListsBoughtAtPrices {
    /// Its name in a sentence: `the printed prices`.
    pub name: String,
    /// Prices by unit; infinite for a unit without one.
    pub prices: Vec<f64>,
    /// Battles between them.
    pub evenness: RandomListBattles,
}

impl ListsBoughtAtPrices {
    /// Ends of the middle eight tenths of the pairs, in wins of 100 battles.
    fn middle_80_percent_range(&self) -> (f64, f64) {
        let [low, high] = self.evenness.symmetric_80_percent_of_wins().map(|share| 100.0 * share);
        (low, high)
    }

    fn middle_range_in_words(&self) -> String {
        let (low, high) = self.middle_80_percent_range();
        format!("{low:.0} to {high:.0}")
    }
}

/// Results of lists that were fought.
#[derive(Clone, Debug, PartialEq)]
pub struct ListBattleFindings {
    /// Names of the units that were bought.
    pub units: Vec<String>,
    /// Units of the file that cannot be on both sides.
    pub left_out: Vec<String>,
    /// Units of the file that others represent.
    pub stood_for: Vec<String>,
    /// Points of a list.
    pub budget: f64,
    /// Battles of each pair.
    pub battles: u64,
    /// Sets of prices, the most important one first; at least one.
    pub sets: Vec<ListsBoughtAtPrices>,
    /// Lists at prices that were fitted to the play itself.
    pub bound: Option<ListsBoughtAtPrices>,
}

/// The largest mean distance from 50:50, in shares of wins, at which prices count as good as those
/// fitted to the play.
const AS_GOOD_DISTANCE: f64 = 0.02;

impl ListBattleFindings {
    /// Describes the results in sentences, the most important first.
    pub fn sentences_on_lists(&self) -> Vec<String> {
        self.evenness_sentences_for_heading().chain(self.sentences_below_heading()).collect()
    }

    /// Describes in a sentence or two how even lists are, for the heading of a report.
    pub fn evenness_sentences_for_heading(&self) -> impl Iterator<Item = String> {
        std::iter::once(self.middle_share_sentence()).chain(self.best_achievable_sentence())
    }

    /// Describes the results below the heading.
    pub fn sentences_below_heading(&self) -> Vec<String> {
        let sets = self.sets.iter().chain(&self.bound);
        let mut sentences: Vec<String> =
            sets.map(|set| self.evenness_sentence_at_prices(set)).collect();
        sentences.extend(self.bound.as_ref().map(|bound| {
            let each = self.units.iter().zip(&bound.prices);
            let each = each.map(|(unit, price)| format!("{unit} {}", format_price_points(*price)));
            format!("Fitted to the play: {}.", comma_separated_names(each))
        }));
        sentences.push(self.single_kind_sentence());
        let error = 50.0 / (self.battles.max(1) as f64).sqrt();
        sentences
            .push(format!("One pair is known to {error:.0} points: that is in these figures."));
        if !self.stood_for.is_empty() {
            let (bought, all) = (self.units.len(), self.units.len() + self.stood_for.len());
            sentences.push(format!(
                "{bought} of {all} units represent all: those nearest the middle of their kind."
            ));
        }
        if !self.left_out.is_empty() {
            let names = comma_separated_names(&self.left_out);
            sentences.push(format!("In no list, because they cannot be on both sides: {names}."));
        }
        sentences
    }

    fn evenness_sentence_at_prices(&self, set: &ListsBoughtAtPrices) -> String {
        let within = 100.0 * set.evenness.pair_share_with_wins_between(0.45, 0.55);
        let (name, off) = (&set.name, 100.0 * set.evenness.mean_distance_from_even());
        let FoughtListPair { lists, won } = set.evenness.most_uneven_pair();
        let [own, other] = lists.each_ref().map(|list| self.format_army_list(list));
        let (won, lost) = (100.0 * won, 100.0 - 100.0 * won);
        format!(
            "At {name} pairs are {off:.1} points from 50:50 on average, {within:.0} of 100 within 45 to 55. The \
             worst: {own} against {other}, {won:.0} to {lost:.0}."
        )
    }

    fn middle_share_sentence(&self) -> String {
        let mut sets = self.sets.iter().map(|set| (&*set.name, set.middle_range_in_words()));
        let (name, between) = sets.next().unwrap_or_default();
        let others = sets.map(|(name, between)| format!("; at {name} {between}"));
        format!(
            "At {name} eight of ten pairs of random {}-point lists win {between} of 100 battles{}.",
            format_price_points(self.budget),
            others.collect::<String>()
        )
    }

    fn best_achievable_sentence(&self) -> Option<String> {
        let (bound, first) = (self.bound.as_ref()?, self.sets.first()?);
        let better =
            first.evenness.mean_distance_from_even() - bound.evenness.mean_distance_from_even();
        let middle = bound.middle_range_in_words();
        Some(match better <= AS_GOOD_DISTANCE {
            true => "No prices of single units can do better than about that here.".to_owned(),
            false => format!("Prices that are fitted to the play itself reach {middle}."),
        })
    }

    /// Describes the results of lists of a single unit, from the best to the worst, at the first
    /// prices.
    fn single_kind_sentence(&self) -> String {
        let Some(first) = self.sets.first() else { return String::new() };
        let fought = first.evenness.pure.iter().zip(&self.units);
        let mut fought: Vec<(f64, &String)> =
            fought.filter_map(|(won, unit)| Some(((*won)?, unit))).collect();
        fought.sort_by(|a, b| b.0.total_cmp(&a.0));
        let each = fought.iter().map(|(won, unit)| format!("{unit} {:.0}", 100.0 * won));
        let each = comma_separated_names(each);
        format!("Lists of one unit alone win of 100 battles against random ones: {each}.")
    }

    fn format_army_list(&self, list: &ArmyList) -> String {
        let bought = list.iter().zip(&self.units).filter(|(count, _)| **count > 0);
        let each = bought.map(|(count, unit)| format!("{count} {}", replace_control_chars(unit)));
        each.collect::<Vec<_>>().join(" + ")
    }

    /// Draws the one picture: for each set of prices a dot for every pair at the share of wins of
    /// either list, with eight of ten shaded.
    ///
    /// # Errors
    /// A sentence, if there is nothing to draw.
    pub fn draw_list_picture(&self, words: &ChartTitleAndCaption) -> Result<Scene, String> {
        let row = |set: &ListsBoughtAtPrices| DotRow {
            name: set.name.clone(),
            values: set.evenness.pairs.iter().map(|pair| 100.0 * pair.won).collect(),
            bar: None,
            shade: Some(set.middle_80_percent_range()),
        };
        let dots = DotRowsPlot {
            rows: self.sets.iter().map(row).collect(),
            scale: AxisScale::with_exact_ends(0.0, 100.0),
            axis_title: "battles won, of 100".to_owned(),
            level: 50.0,
        };
        dots.draw_dot_rows(words)
    }

    /// Builds the table of every pair at every set of prices, as in `lists.csv`.
    pub fn table_of_all_list_pairs(&self) -> TypedTable {
        let mut rows = Vec::new();
        for set in &self.sets {
            let pairs = set.evenness.pairs.iter().enumerate();
            rows.extend(pairs.map(|(number, pair)| (set, number, pair)));
        }
        let rows = ColumnBuilderFromRows(&rows);
        let list = |name: &str, side: usize| {
            rows.text_column(name, |(.., pair)| Some(self.format_army_list(&pair.lists[side])))
        };
        let points = |name: &str, side: usize| {
            rows.number_column(name, |(set, _, pair)| {
                Some(sum_points_of_list(&pair.lists[side], &set.prices))
            })
        };
        let columns = vec![
            rows.text_column("prices", |(set, _, _)| Some(set.name.clone())),
            rows.count_column("pair", |(_, number, _)| Some(*number as u64)),
            list("list", 0),
            points("points", 0),
            list("against", 1),
            points("points_against", 1),
            rows.number_column("won", |(_, _, pair)| Some(pair.won)),
        ];
        TypedTable { name: "lists", columns }
    }

    /// Builds the key `lists` of the JSON document.
    pub fn to_lists_json(&self) -> ListBattlesJson {
        let set = |set: &ListsBoughtAtPrices| ListResultsAtPricesJson {
            evenness: self.evenness_json(&set.evenness),
            prices: set.name.clone(),
            pure: self.units.iter().cloned().zip(set.evenness.pure.iter().copied()).collect(),
        };
        ListBattlesJson {
            points: self.budget,
            battles: self.battles,
            units: self.units.clone(),
            left_out: self.left_out.clone(),
            stood_for: self.stood_for.clone(),
            at: self.sets.iter().map(set).collect(),
            bound: self.bound.as_ref().map(|bound| self.evenness_json(&bound.evenness)),
            fitted: self.bound.as_ref().map(|bound| {
                self.units.iter().cloned().zip(bound.prices.iter().copied()).collect()
            }),
        }
    }

    fn evenness_json(&self, evenness: &RandomListBattles) -> EvennessJson {
        let [low, high] = evenness.symmetric_80_percent_of_wins();
        let FoughtListPair { lists, won } = evenness.most_uneven_pair();
        let lists = lists.each_ref().map(|list| self.format_army_list(list));
        EvennessJson {
            from_even: evenness.mean_distance_from_even(),
            middle: Middle80PercentWinsJson { low, high },
            within_45_55: evenness.pair_share_with_wins_between(0.45, 0.55),
            worst: MostUnevenPairJson { lists, won: *won },
            pairs: evenness.pairs.len(),
        }
    }
}

/// Results of lists that were fought.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListBattlesJson {
    points: f64,
    battles: u64,
    units: Vec<String>,
    left_out: Vec<String>,
    stood_for: Vec<String>,
    at: Vec<ListResultsAtPricesJson>,
    bound: Option<EvennessJson>,
    /// By unit: the price that is fitted to the play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "Record<string, number>"))]
    fitted: Option<ObjectKeyedByName<f64>>,
}

/// Lists at one set of prices.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ListResultsAtPricesJson {
    #[serde(flatten)]
    evenness: EvennessJson,
    prices: String,
    /// By unit: the share of wins of a list of only this unit.
    #[cfg_attr(test, ts(type = "Record<string, number | null>"))]
    pure: ObjectKeyedByName<Option<f64>>,
}

/// The evenness of pairs of lists.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct EvennessJson {
    from_even: f64,
    middle: Middle80PercentWinsJson,
    within_45_55: f64,
    worst: MostUnevenPairJson,
    pairs: usize,
}

/// Shares of wins between which eight of ten pairs are.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Middle80PercentWinsJson {
    low: f64,
    high: f64,
}

/// The pair that is farthest from even.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct MostUnevenPairJson {
    lists: [String; 2],
    won: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(won: f64) -> FoughtListPair {
        FoughtListPair { lists: [vec![2, 1], vec![0, 3]], won }
    }

    fn findings(bound: Option<f64>) -> ListBattleFindings {
        let evenness =
            |won: f64| RandomListBattles::new(vec![pair(won); 10], vec![Some(0.5), Some(0.25)]);
        let set = |name: &str, won| ListsBoughtAtPrices {
            name: name.to_owned(),
            prices: vec![10.0, 30.0],
            evenness: evenness(won),
        };
        ListBattleFindings {
            units: vec!["rifle".to_owned(), "gun".to_owned()],
            left_out: vec!["medic".to_owned()],
            stood_for: Vec::new(),
            budget: 500.0,
            battles: 625,
            sets: vec![set("the even prices", 0.36), set("the printed prices", 1.0)],
            bound: bound.map(|won| set("prices fitted to the play", won)),
        }
    }

    #[test]
    fn sentences_say_it() {
        let told = findings(None).sentences_on_lists();
        assert_eq!(
            told[0],
            "At the even prices eight of ten pairs of random 500-point lists win 36 to 64 of 100 battles; at the \
             printed prices 0 to 100."
        );
        assert_eq!(
            told[1],
            "At the even prices pairs are 14.0 points from 50:50 on average, 0 of 100 within 45 to 55. The worst: \
             2 rifle + 1 gun against 3 gun, 36 to 64."
        );
        assert_eq!(
            told[3],
            "Lists of one unit alone win of 100 battles against random ones: rifle 50, gun 25."
        );
        assert!(told[4].contains("to 2 points") && told[5].ends_with("both sides: medic."));
        assert!(
            findings(Some(0.37)).sentences_on_lists()[1].starts_with("No prices of single units")
        );
        let fitted = findings(Some(0.45)).sentences_on_lists();
        assert!(fitted[1].ends_with("reach 45 to 55."), "{fitted:?}");
        assert_eq!(fitted[5], "Fitted to the play: rifle 10, gun 30.");
    }

    #[test]
    fn a_few_that_stand_for_all_are_told() {
        let stood_for = vec!["carbine".to_owned()];
        let told = ListBattleFindings { stood_for, ..findings(None) }.sentences_on_lists();
        assert_eq!(told[5], "2 of 3 units represent all: those nearest the middle of their kind.");
        let drawn = findings(None)
            .draw_list_picture(&ChartTitleAndCaption::default())
            .expect("there are pairs");
        assert!(drawn.iter_labels().any(|label| label.text == "the even prices"));
    }

    #[test]
    fn every_pair_is_a_row() {
        let table = findings(None).table_of_all_list_pairs();
        assert_eq!((table.row_count(), table.columns.len()), (20, 7));
        let json = serde_json::json!(findings(Some(0.5)).to_lists_json());
        assert_eq!(json["at"][1]["middle"]["high"], 1.0);
        assert_eq!(json["at"][0]["pure"]["gun"], 0.25);
        assert_eq!(
            (&json["bound"]["from_even"], &json["fitted"]["gun"]),
            (&0.0.into(), &30.0.into())
        );
    }
}
