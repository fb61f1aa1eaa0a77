//! A want about a unit of an arsenal: `worth of "my gun" = 45 ± 5 % of it`, `even price <= 60`.

use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_pricing::price::WeaponPrice;

use crate::want::{NumberOrPercent, SplitWant, TextFaultWithRemedy, WantSign};

/// A want about a unit.
#[derive(Clone, Debug)]
pub struct PriceWant {
    /// Its text.
    pub text: String,
    /// The unit; `None` for the only one.
    pub unit: Option<String>,
    quantity: UnitQuantityKind,
    sign: WantSign,
    target: f64,
    tolerance: f64,
}

/// A quantity of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnitQuantityKind {
    Worth,
    EvenPrice,
}

/// A want beside a variant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriceWantVerdict {
    /// The worth or the even price; `NaN` without one.
    pub value: f64,
    /// Its 95 % range.
    pub range: (f64, f64),
    /// Whether the want is met.
    pub is_met: bool,
    /// Distance from the want in tolerances; 0 if it is met.
    pub miss: f64,
}

const UNIT_HELP: &str = "write `worth of rifle = 45 ± 5 % of it` or `even price of rifle <= 60`";

/// Rounding of a worth: a sum of a few hundred battles.
const RELATIVE_ROUNDING: f64 = 1e-11;

impl PriceWant {
    /// Parses a want.
    ///
    /// # Errors
    /// The fault of the text.
    ///
    /// ```
    /// use enfilade_seek::price_want::PriceWant;
    /// let want = PriceWant::parse("even price of \"my gun\" = 45 ± 5 % of it").expect("a want");
    /// assert_eq!(want.unit.as_deref(), Some("my gun"));
    /// ```
    pub fn parse(text: &str) -> Result<PriceWant, TextFaultWithRemedy> {
        let text = text.trim();
        let SplitWant { left, sign, target, tolerance } = SplitWant::parse(text)?;
        let (quantity, unit) = parse_quantity(left)?;
        let Some(target) = NumberOrPercent::parse(target).filter(|target| !target.percent) else {
            let problem =
                format!("\"{}\" is no number of points", shorten_and_make_safe(target.trim()));
            return Err(TextFaultWithRemedy::new(problem, UNIT_HELP));
        };
        let tolerance = match tolerance {
            Some(own) if own.amount.percent && !own.of_it => {
                let percent = own.amount.value * 100.0;
                let problem = format!("± {percent} % is no number of points");
                return Err(TextFaultWithRemedy::new(
                    problem,
                    format!("write \"± {percent} % of it\""),
                ));
            }
            Some(own) if own.of_it => own.amount.value * target.value.abs(),
            Some(own) => own.amount.value,
            None => 0.0,
        };
        Ok(PriceWant {
            text: text.to_owned(),
            unit,
            quantity,
            sign,
            target: target.value,
            tolerance,
        })
    }

    /// Compares a variant with the want.
    pub fn judge(&self, unit: &WeaponPrice) -> PriceWantVerdict {
        let range = match self.quantity {
            UnitQuantityKind::Worth => Some(unit.worth),
            UnitQuantityKind::EvenPrice => unit.even_price_if_any().map(|even| even.price),
        };
        let Some(range) = range.filter(|range| range.best.is_finite()) else {
            let none = (f64::NAN, f64::NAN);
            return PriceWantVerdict {
                value: f64::NAN,
                range: none,
                is_met: false,
                miss: f64::INFINITY,
            };
        };
        let excess = match self.sign {
            WantSign::AtMost | WantSign::Less => range.best - self.target,
            WantSign::AtLeast | WantSign::More => self.target - range.best,
            WantSign::Equal => (range.best - self.target).abs(),
        };
        let beyond = excess - self.tolerance;
        let error = RELATIVE_ROUNDING * self.target.abs().max(range.best.abs());
        let is_met = match self.sign {
            WantSign::Less | WantSign::More => beyond < -error,
            _ => beyond <= error,
        };
        let unit = if self.tolerance > 0.0 { self.tolerance } else { 0.01 * self.target.abs() };
        let miss = if is_met { 0.0 } else { beyond.max(f64::MIN_POSITIVE) / unit.max(1e-9) };
        PriceWantVerdict { value: range.best, range: (range.low, range.high), is_met, miss }
    }
}

fn parse_quantity(text: &str) -> Result<(UnitQuantityKind, Option<String>), TextFaultWithRemedy> {
    let text = text.trim();
    let (head, unit) = match text.split_once(" of ") {
        Some((head, unit)) => (head.trim(), Some(unit.trim().trim_matches('"').to_owned())),
        None => (text, None),
    };
    match head {
        "worth" => Ok((UnitQuantityKind::Worth, unit)),
        "even price" => Ok((UnitQuantityKind::EvenPrice, unit)),
        _ => {
            let problem = format!("\"{}\" is no quantity of a unit", shorten_and_make_safe(head));
            Err(TextFaultWithRemedy::new(problem, UNIT_HELP))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misread_wants_name_a_remedy() {
        for (text, problem) in [
            ("worth 45", "wants nothing"),
            ("price of rifle = 45", "no quantity of a unit"),
            ("worth of rifle = 45 ± 5 %", "no number of points"),
            ("worth of rifle = 45 %", "no number of points"),
        ] {
            let wrong = PriceWant::parse(text).expect_err(text);
            assert!(wrong.problem.contains(problem) && !wrong.help.is_empty(), "{wrong:?}");
        }
    }
}
