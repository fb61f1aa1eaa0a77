//! Wants about the distribution of dice: `mean = 7 ± 0.1`, `sd <= 2`, `chance(>= 3) = 25 % ± 1 %`.
//!
//! Distributions are counts of ways, so every comparison is one of whole numbers: a chance of 1/2
//! meets `>= 50 %` and not `> 50 %`, and a standard deviation is compared by its square.

use std::cmp::Ordering;

use dashu_int::{IBig, UBig};
use enfilade_dice::{WayCounts, divide_to_f64};
use enfilade_model::form::sanitize::shorten_and_make_safe;

use crate::want::{NumberOrPercent, SplitWant, TextFaultWithRemedy, WantSign, WantTolerance};

/// A want about dice.
#[derive(Clone, Debug)]
pub struct DiceWant {
    /// Its text.
    pub text: String,
    /// The quantity.
    pub quantity: DiceStatistic,
    sign: WantSign,
    target: NumberOrPercent,
    tolerance: f64,
    /// The least and the greatest value that meet it, if there are such.
    low: Option<Ratio>,
    high: Option<Ratio>,
}

/// A quantity of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiceStatistic {
    /// The mean.
    Mean,
    /// The standard deviation.
    Deviation,
    /// The chance of the values on one side of a number, or of that number.
    Chance(WantSign, i64),
}

/// The value of a quantity beside a want.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedQuantity {
    /// The value.
    pub value: f64,
    /// Whether it meets the want.
    pub is_met: bool,
    /// Whether it lies exactly at an edge.
    pub is_tie: bool,
    /// Distance from the want in tolerances; 0 if it is met.
    pub miss: f64,
}

/// A fraction with a positive denominator, in any terms.
#[derive(Clone, Debug)]
struct Ratio {
    above: IBig,
    below: UBig,
}

/// Decimals of a target that count: more are rounded.
const DECIMALS: usize = 9;

impl Ratio {
    /// The decimal number that was written: binary rounding is undone.
    fn from_amount(amount: NumberOrPercent) -> Ratio {
        let (written, places) = match amount.percent {
            true => (amount.value * 100.0, DECIMALS + 2),
            false => (amount.value, DECIMALS),
        };
        let digits = format!("{written:.DECIMALS$}").replace('.', "");
        let above = digits.parse().unwrap_or(IBig::ZERO);
        Ratio { above, below: UBig::from(10_u8).pow(places) }
    }

    fn combine(&self, other: &Ratio, sign: i8) -> Ratio {
        let right = &other.above * IBig::from(self.below.clone()) * IBig::from(sign);
        let left = &self.above * IBig::from(other.below.clone());
        Ratio { above: left + right, below: &self.below * &other.below }
    }

    fn times(&self, other: &Ratio) -> Ratio {
        Ratio { above: &self.above * &other.above, below: &self.below * &other.below }
    }

    fn absolute(self) -> Ratio {
        let above = if self.above < IBig::ZERO { -self.above } else { self.above };
        Ratio { above, ..self }
    }

    fn compare(&self, other: &Ratio) -> Ordering {
        let left = &self.above * IBig::from(other.below.clone());
        left.cmp(&(&other.above * IBig::from(self.below.clone())))
    }
}

impl DiceWant {
    /// Parses a want.
    ///
    /// # Errors
    /// The fault of the text.
    ///
    /// ```
    /// use enfilade_seek::dice_want::{DiceStatistic, DiceWant};
    /// let want = DiceWant::parse("sd = 2 ± 0.1").expect("a want");
    /// assert_eq!(want.quantity, DiceStatistic::Deviation);
    /// ```
    pub fn parse(text: &str) -> Result<DiceWant, TextFaultWithRemedy> {
        let text = text.trim();
        let SplitWant { left, sign, target, tolerance } = SplitWant::parse(text)?;
        let quantity = DiceStatistic::parse(left)?;
        let Some(target) = NumberOrPercent::parse(target) else {
            let problem = format!("\"{}\" is no number", shorten_and_make_safe(target.trim()));
            return Err(TextFaultWithRemedy::new(
                problem,
                "compare with a number, as in `mean = 7 ± 0.1`",
            ));
        };
        quantity.check_unit(target, tolerance)?;
        let exact_target = Ratio::from_amount(target);
        let room = tolerance.map(|tolerance| {
            let own = Ratio::from_amount(tolerance.amount);
            let of_target = || own.times(&exact_target).absolute();
            if tolerance.of_it { of_target() } else { own.clone() }
        });
        let edge = |sign| match &room {
            Some(room) => exact_target.combine(room, sign),
            None => exact_target.clone(),
        };
        let has_low = matches!(sign, WantSign::Equal | WantSign::AtLeast | WantSign::More);
        let has_high = matches!(sign, WantSign::Equal | WantSign::AtMost | WantSign::Less);
        let tolerance = tolerance.map_or(0.0, |own| match own.of_it {
            true => own.amount.value * target.value.abs(),
            false => own.amount.value,
        });
        Ok(DiceWant {
            text: text.to_owned(),
            quantity,
            sign,
            target,
            tolerance,
            low: has_low.then(|| edge(-1)),
            high: has_high.then(|| edge(1)),
        })
    }

    /// Compares a distribution with the want.
    pub fn judge(&self, law: &WayCounts) -> JudgedQuantity {
        let below = self.low.as_ref().map(|low| self.quantity.compare_with(law, low));
        let above = self.high.as_ref().map(|high| self.quantity.compare_with(law, high).reverse());
        let is_tie = [below, above].contains(&Some(Ordering::Equal));
        let is_open = matches!(self.sign, WantSign::Less | WantSign::More);
        let misses = |side: Option<Ordering>| side == Some(Ordering::Less);
        let is_met = !(misses(below) || misses(above) || is_tie && is_open);
        let value = self.quantity.value(law);
        let beyond = match is_met {
            true => 0.0,
            false => ((value - self.target.value).abs() - self.tolerance).max(f64::MIN_POSITIVE),
        };
        JudgedQuantity { value, is_met, is_tie, miss: beyond / self.miss_unit() }
    }

    /// The unit of a miss: the tolerance, else a point of percent or a hundredth of the target.
    fn miss_unit(&self) -> f64 {
        match self.quantity {
            _ if self.tolerance > 0.0 => self.tolerance,
            DiceStatistic::Chance(..) => 0.01,
            _ => (0.01 * self.target.value.abs()).max(1e-6),
        }
    }
}

const CHANCE_HELP: &str = "write `chance(0)`, `chance(>= 3)`, `mean` or `sd`";

impl DiceStatistic {
    fn parse(text: &str) -> Result<DiceStatistic, TextFaultWithRemedy> {
        let text = text.trim();
        match text {
            "mean" => return Ok(DiceStatistic::Mean),
            "sd" => return Ok(DiceStatistic::Deviation),
            _ => {}
        }
        let inside = text.strip_prefix("chance").map(str::trim);
        let inside = inside.and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
        let Some(inside) = inside.map(str::trim) else {
            let problem = format!("\"{}\" is no quantity of dice", shorten_and_make_safe(text));
            return Err(TextFaultWithRemedy::new(problem, CHANCE_HELP));
        };
        let signs = [
            (">=", WantSign::AtLeast),
            ("<=", WantSign::AtMost),
            (">", WantSign::More),
            ("<", WantSign::Less),
            ("==", WantSign::Equal),
            ("=", WantSign::Equal),
        ];
        let found = signs.iter().find_map(|(mark, sign)| Some((inside.strip_prefix(mark)?, *sign)));
        let (number, sign) = found.unwrap_or((inside, WantSign::Equal));
        match number.trim().parse() {
            Ok(number) => Ok(DiceStatistic::Chance(sign, number)),
            Err(_) => {
                let problem = format!("\"{}\" is no value of dice", shorten_and_make_safe(inside));
                Err(TextFaultWithRemedy::new(problem, CHANCE_HELP))
            }
        }
    }

    /// Returns whether it is a chance.
    pub fn is_share(self) -> bool {
        matches!(self, DiceStatistic::Chance(..))
    }

    /// Refuses percent where the unit is that of the values.
    fn check_unit(
        self,
        target: NumberOrPercent,
        tolerance: Option<WantTolerance>,
    ) -> Result<(), TextFaultWithRemedy> {
        let percent = tolerance.is_some_and(|own| own.amount.percent && !own.of_it);
        if self.is_share() || !(target.percent || percent) {
            return Ok(());
        }
        let problem = "a mean and a standard deviation are no chances";
        Err(TextFaultWithRemedy::new(problem, "write \"± 0.2\" or \"± 5 % of it\""))
    }

    /// Returns the value.
    pub fn value(self, law: &WayCounts) -> f64 {
        match self {
            DiceStatistic::Mean => law.mean(),
            DiceStatistic::Deviation => law.deviation(),
            DiceStatistic::Chance(sign, number) => {
                divide_to_f64(&count_ways_passing_comparison(law, sign, number), &law.total_ways())
            }
        }
    }

    /// Compares the value with a number, exactly.
    fn compare_with(self, law: &WayCounts, number: &Ratio) -> Ordering {
        let total = law.total_ways();
        match self {
            DiceStatistic::Chance(sign, value) => {
                let above = IBig::from(count_ways_passing_comparison(law, sign, value));
                Ratio { above, below: total }.compare(number)
            }
            DiceStatistic::Mean => {
                Ratio { above: sum_moments(law).0, below: total }.compare(number)
            }
            // A deviation is not negative, so the squares compare in the same way.
            DiceStatistic::Deviation if number.above < IBig::ZERO => Ordering::Greater,
            DiceStatistic::Deviation => {
                let (first, second) = sum_moments(law);
                let spread = second * IBig::from(total.clone()) - &first * &first;
                let below = &total * &total;
                Ratio { above: spread, below }.compare(&number.times(number))
            }
        }
    }
}

/// Counts the ways to values that pass a comparison.
fn count_ways_passing_comparison(law: &WayCounts, sign: WantSign, number: i64) -> UBig {
    let passes = |value: i64| match sign {
        WantSign::Equal => value == number,
        WantSign::AtMost => value <= number,
        WantSign::AtLeast => value >= number,
        WantSign::Less => value < number,
        WantSign::More => value > number,
    };
    law.values_with_ways().filter(|(value, _)| passes(*value)).map(|(_, ways)| ways).sum()
}

/// Sums the values and their squares over all ways.
fn sum_moments(law: &WayCounts) -> (IBig, IBig) {
    let (mut first, mut second) = (IBig::ZERO, IBig::ZERO);
    for (value, ways) in law.values_with_ways() {
        let product = IBig::from(ways.clone()) * IBig::from(value);
        second += &product * IBig::from(value);
        first += product;
    }
    (first, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_dice::DiceDistribution;

    fn judge(want: &str, dice: &str) -> JudgedQuantity {
        let law = DiceDistribution::from_text(dice).expect("dice").law;
        DiceWant::parse(want).expect("a want").judge(&law)
    }

    #[test]
    fn edges_are_exact() {
        // 11d6 >= 39 and 3d20 >= 32 are 1/2 by symmetry.
        for dice in ["11d6", "3d20"] {
            let number = if dice == "11d6" { 39 } else { 32 };
            let at_least = judge(&format!("chance(>= {number}) >= 50 %"), dice);
            assert!(at_least.is_met && at_least.is_tie, "{dice}");
            assert!(!judge(&format!("chance(>= {number}) > 50 %"), dice).is_met, "{dice}");
        }
        assert!(judge("mean = 7.1 ± 0.1", "2d6").is_tie);
        assert!(!judge("mean < 7", "2d6").is_met && judge("mean <= 7", "2d6").is_met);
        // A die of four sides has the variance 5/4; four of them, 5.
        assert!(judge("sd < 2.236068", "4d4").is_met && judge("sd > 2.236067", "4d4").is_met);
        assert!(judge("sd >= -1", "4d4").is_met && !judge("sd <= -1", "4d4").is_met);
    }

    #[test]
    fn a_miss_is_counted_in_tolerances() {
        let reached = judge("mean = 8 ± 0.5", "2d6");
        assert!(!reached.is_met && (reached.miss - 1.0).abs() < 1e-12, "{reached:?}");
        let reached = judge("chance(7) = 10 %", "2d6");
        assert!((reached.miss - (1.0 / 6.0 - 0.1) / 0.01).abs() < 1e-9, "{reached:?}");
        assert!(judge("mean = 8 ± 25 % of it", "2d6").is_met);
    }

    #[test]
    fn misread_wants_name_a_remedy() {
        for want in
            ["mean 7", "median = 3", "chance() = 1", "mean = 7 %", "sd = mean", "chance(x) = 1"]
        {
            assert!(!DiceWant::parse(want).expect_err(want).help.is_empty(), "{want}");
        }
    }
}
