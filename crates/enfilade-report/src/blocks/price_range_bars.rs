//! Prices as bars on one axis with equal factors: a row each, which may open its reason.

use super::text_table::{ReportTableCell, TextTable};

/// Prices side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriceRangeChart {
    /// The kind of thing that is priced.
    pub name: String,
    /// The rows, in reading order.
    pub rows: Vec<PriceRangeRow>,
    /// The head of a column that only some reports have.
    pub beside: Option<String>,
}

/// One price in its range.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriceRangeRow {
    /// The name of the priced thing.
    pub name: String,
    /// The price now.
    pub now: Option<f64>,
    /// The even price.
    pub even: Option<f64>,
    /// Both ends of the range; without one price, those of the prices case by case.
    pub range: Option<(f64, f64)>,
    /// Price now, even price and range as text.
    pub texts: [String; 3],
    /// The text of the column that only some reports have.
    pub beside: String,
    /// The verdict in a word or two.
    pub word: String,
    /// The kind of finding that the verdict is.
    pub tone: PriceVerdictKind,
    /// The reasons, a sentence each.
    pub why: Vec<String>,
}

/// The kind of finding of a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PriceVerdictKind {
    /// The price is too high.
    Dear,
    /// The price is too low.
    Cheap,
    /// The price is right.
    Right,
    /// Nothing is proved.
    #[default]
    Open,
    /// No single price fits.
    Split,
}

impl PriceVerdictKind {
    /// Returns the words before both ends of the range, by how sure it is.
    pub fn words_before_range(self) -> &'static str {
        if self == PriceVerdictKind::Split { "by opponent" } else { "surely" }
    }

    /// Returns the class of a style sheet.
    pub fn css_class(self) -> &'static str {
        match self {
            PriceVerdictKind::Dear => "dear",
            PriceVerdictKind::Cheap => "cheap",
            PriceVerdictKind::Right => "right",
            PriceVerdictKind::Open => "open",
            PriceVerdictKind::Split => "split",
        }
    }
}

impl PriceRangeChart {
    /// Converts the ranges to a table.
    pub fn to_text_table(&self) -> TextTable {
        let mut heads = ["unit", "now", "even", "range", "verdict"].map(str::to_owned).to_vec();
        heads.extend(self.beside.clone());
        let row = |row: &PriceRangeRow| {
            let [now, even, range] = row.texts.clone().map(ReportTableCell::Number);
            let mut entries = vec![
                ReportTableCell::Text(row.name.clone()),
                now,
                even,
                range,
                ReportTableCell::Text(row.word.clone()),
            ];
            entries
                .extend(self.beside.is_some().then(|| ReportTableCell::Number(row.beside.clone())));
            entries
        };
        TextTable { rows: self.rows.iter().map(row).collect(), heads, fixed: 1 }
    }

    /// Returns the axis that contains all of them; `None` without rows.
    pub fn common_axis(&self) -> Option<LogPriceAxis> {
        let ends = self.rows.iter().flat_map(|row| {
            let (low, high) = row.range.unzip();
            [row.now, row.even, low, high]
        });
        let ends = || ends.clone().flatten().filter(|at| at.is_finite() && *at > 0.0);
        let (low, high) = (ends().reduce(f64::min)?, ends().reduce(f64::max)?);
        // Room on both sides, and more if all values are equal.
        Some(LogPriceAxis { low: (low / 1.15).ln(), high: (high * 1.15).ln() })
    }
}

/// An axis on which equal steps are equal factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogPriceAxis {
    low: f64,
    high: f64,
}

impl LogPriceAxis {
    /// Returns the position of a number, 0 to 1.
    pub fn position_of_number(self, number: f64) -> f64 {
        ((number.ln() - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Returns at most `most` round numbers on the axis, with a constant factor between them.
    pub fn round_tick_numbers(self, most: usize) -> Vec<f64> {
        let round = |step: i32| {
            let powers = step.div_euclid(3);
            [1.0, 2.0, 5.0][step.rem_euclid(3) as usize] * 10f64.powi(powers)
        };
        let all: Vec<f64> = (-30..60).map(round).collect();
        let within = |at: &f64| (self.low..=self.high).contains(&at.ln());
        let all: Vec<f64> = all.into_iter().filter(within).collect();
        let each = all.len().div_ceil(most.max(1)).max(1);
        all.into_iter().step_by(each).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(now: f64, even: f64, range: (f64, f64)) -> PriceRangeRow {
        PriceRangeRow {
            now: Some(now),
            even: Some(even),
            range: Some(range),
            ..PriceRangeRow::default()
        }
    }

    /// A factor of four between the outermost, and 1.15 at either side: twice the least is in the
    /// middle.
    #[test]
    fn equal_factors_are_equal_steps() {
        let rows = vec![row(10.0, 20.0, (12.0, 40.0)), row(30.0, 20.0, (15.0, 25.0))];
        let axis = PriceRangeChart { rows, ..PriceRangeChart::default() }
            .common_axis()
            .expect("there are numbers");
        assert!((axis.position_of_number(20.0) - 0.5).abs() < 1e-12);
        assert!(
            axis.position_of_number(10.0) > 0.0
                && axis.position_of_number(40.0) < 1.0
                && axis.position_of_number(1e9) == 1.0
        );
        assert_eq!(axis.round_tick_numbers(5), [10.0, 20.0]);
        assert_eq!(PriceRangeChart::default().common_axis(), None);
    }
}
