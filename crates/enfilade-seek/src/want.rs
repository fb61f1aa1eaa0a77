//! A want, one line of text: `p_rout of rifles [cover == 0] = 20 % ± 3 %`.

use enfilade_model::form::sanitize::shown;

/// A want: a quantity and its target.
#[derive(Clone, Debug, PartialEq)]
pub struct Want {
    /// Its text in the file.
    pub text: String,
    /// The quantity.
    pub left: Quantity,
    /// The comparison with the target.
    pub sign: Sign,
    /// The target.
    pub target: Target,
    /// The largest distance from the target.
    pub tolerance: Option<Tolerance>,
}

/// The comparison of a quantity with its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `=`
    Equal,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
    /// `>`
    More,
}

/// A measure of a contest in some of its circumstances.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// The reduction of several cells to one value.
    pub take: Option<Take>,
    /// The measure.
    pub measure: String,
    /// The contest.
    pub of: Option<String>,
    /// Circumstances.
    pub tests: Vec<Test>,
}

/// A reduction of the values of several cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// Each of them separately.
    Every,
    /// Their mean.
    Mean,
    /// The least of them.
    Least,
    /// The greatest of them.
    Most,
}

/// A test of a circumstance: `cover >= 1`, `mine != theirs`.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The axis.
    pub field: String,
    /// `==`, `!=`, `<=`, `>=`, `<` or `>`.
    pub sign: &'static str,
    /// A value, or another axis.
    pub value: String,
}

/// The target of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A number.
    Number(Amount),
    /// Another quantity, times a factor, plus an amount.
    Of {
        /// Times this.
        factor: f64,
        /// The quantity.
        quantity: Quantity,
        /// Plus this.
        plus: Amount,
    },
}

/// A number, which may be written in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount {
    /// The number: 0.35 for `35 %`.
    pub value: f64,
    /// Whether it is written in percent.
    pub percent: bool,
}

/// A tolerance such as `± 3 %`, `± 5 % of it`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The number.
    pub amount: Amount,
    /// Whether it is a part of the target.
    pub of_it: bool,
}

/// A fault of a text, with its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The problem.
    pub problem: String,
    /// The remedy.
    pub help: String,
}

impl Misread {
    pub(crate) fn new(problem: impl Into<String>, help: impl Into<String>) -> Misread {
        Misread { problem: problem.into(), help: help.into() }
    }
}

const SIGNS: [(&str, Sign); 6] = [
    ("<=", Sign::AtMost),
    (">=", Sign::AtLeast),
    ("==", Sign::Equal),
    ("<", Sign::Less),
    (">", Sign::More),
    ("=", Sign::Equal),
];

const TESTS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

/// Places of a text outside of brackets and quotes, each with the rest of the text from there.
fn outside(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut depth, mut quoted) = (0_u32, false);
    text.char_indices().filter_map(move |(at, c)| {
        match c {
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            _ if depth == 0 && !quoted => return Some((at, &text[at..])),
            _ => {}
        }
        None
    })
}

impl Want {
    /// Parses a want.
    ///
    /// # Errors
    /// The fault of the text.
    ///
    /// ```
    /// use enfilade_seek::want::{Sign, Want};
    /// let want = Want::parse("mean p_break of fire [morale >= 7] = 35 % ± 2 %").expect("a want");
    /// assert_eq!((want.sign, want.left.measure.as_str()), (Sign::Equal, "p_break"));
    /// ```
    pub fn parse(text: &str) -> Result<Want, Misread> {
        let text = text.trim();
        let sign = outside(text).find_map(|(at, rest)| {
            let known = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign))?;
            Some((at, known))
        });
        let Some((at, (written, sign))) = sign else {
            let help = "write it as in `p_kill >= 50 %` or `p_kill = 35 % ± 2 %`";
            let problem = format!("\"{}\" wants nothing: =, <= or >= is missing", shown(text));
            return Err(Misread::new(problem, help));
        };
        let (left, right) = (&text[..at], &text[at + written.len()..]);
        let again = outside(right).any(|(_, rest)| rest.starts_with(['=', '<', '>']));
        if again {
            let help = "put circumstances in brackets, as in `p_kill [range <= 20] = 35 %`";
            return Err(Misread::new(format!("\"{}\" has two signs", shown(text)), help));
        }
        let (target, tolerance) = toleranced(right)?;
        Ok(Want {
            text: text.to_owned(),
            left: Quantity::parse(left)?,
            sign: *sign,
            target: Target::parse(target)?,
            tolerance,
        })
    }
}

/// Splits a target from the tolerance behind it.
fn toleranced(text: &str) -> Result<(&str, Option<Tolerance>), Misread> {
    let marks = ["±", "+-"];
    let found = outside(text)
        .find_map(|(at, rest)| Some((at, *marks.iter().find(|mark| rest.starts_with(**mark))?)));
    let Some((at, mark)) = found else { return Ok((text, None)) };
    let written = text[at + mark.len()..].trim();
    let (amount, of_it) = match written.strip_suffix("of it") {
        Some(amount) => (amount.trim(), true),
        None => (written, false),
    };
    let read = Amount::parse(amount).filter(|amount| amount.value >= 0.0);
    let Some(amount) = read else {
        let problem = format!("\"{}\" is no tolerance", shown(written));
        return Err(Misread::new(problem, "write ± 2 %, ± 0.1 or ± 5 % of it"));
    };
    Ok((&text[..at], Some(Tolerance { amount, of_it })))
}

impl Amount {
    /// Parses a decimal number, in percent or not.
    pub fn parse(text: &str) -> Option<Amount> {
        let text = text.trim();
        let (digits, percent) = match text.strip_suffix('%') {
            Some(digits) => (digits.trim(), true),
            None => (text, false),
        };
        let plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
        let value: f64 = digits.parse().ok().filter(|_| digits.chars().all(plain))?;
        value
            .is_finite()
            .then_some(Amount { value: if percent { value / 100.0 } else { value }, percent })
    }
}

impl Target {
    fn parse(text: &str) -> Result<Target, Misread> {
        if let Some(amount) = Amount::parse(text) {
            return Ok(Target::Number(amount));
        }
        let (text, plus) = with_more(text);
        let (factor, text) = match text.split_once('*') {
            Some((factor, rest)) if factor.trim().parse::<f64>().is_ok() => {
                (factor.trim().parse().unwrap_or(1.0), rest)
            }
            _ => (1.0, text),
        };
        Ok(Target::Of { factor, quantity: Quantity::parse(text)?, plus })
    }
}

/// Splits a target from the number at its end that is added or subtracted.
fn with_more(text: &str) -> (&str, Amount) {
    let none = Amount { value: 0.0, percent: false };
    let signs: Vec<usize> = outside(text)
        .filter(|(at, rest)| {
            rest.starts_with(['+', '-']) && text[..*at].ends_with(char::is_whitespace)
        })
        .map(|(at, _)| at)
        .collect();
    let Some(&at) = signs.last() else { return (text, none) };
    match Amount::parse(&text[at + 1..]) {
        Some(amount) => {
            let value = if text[at..].starts_with('-') { -amount.value } else { amount.value };
            (&text[..at], Amount { value, ..amount })
        }
        None => (text, none),
    }
}

impl Quantity {
    /// Parses a quantity: `mean p_break of fire [morale >= 7]`.
    ///
    /// # Errors
    /// The fault of the text.
    pub fn parse(text: &str) -> Result<Quantity, Misread> {
        let text = text.trim();
        let (head, tests) = match text.split_once('[') {
            None => (text, Vec::new()),
            Some((head, rest)) => {
                let Some(inside) = rest.trim_end().strip_suffix(']') else {
                    let problem =
                        format!("the bracket in \"{}\" is not closed at its end", shown(text));
                    return Err(Misread::new(problem, "write `p_kill of gun [range == 20]`"));
                };
                (head, inside.split(',').map(Test::parse).collect::<Result<_, _>>()?)
            }
        };
        let takes = [
            ("every", Take::Every),
            ("mean", Take::Mean),
            ("least", Take::Least),
            ("most", Take::Most),
        ];
        let (first, rest) =
            head.trim().split_once(char::is_whitespace).unwrap_or((head.trim(), ""));
        let take = takes.iter().find(|(word, _)| *word == first && !rest.trim().is_empty());
        let rest = if take.is_some() { rest.trim() } else { head.trim() };
        let (measure, of) = match rest.split_once(" of ") {
            Some((measure, of)) => (measure.trim(), Some(of.trim().trim_matches('"').to_owned())),
            None => (rest, None),
        };
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        if measure.is_empty() || !measure.chars().all(is_name) {
            let problem = format!("\"{}\" is no measure of a contest", shown(rest));
            return Err(Misread::new(problem, "write `p_kill of gun [range == 20]`"));
        }
        Ok(Quantity { take: take.map(|(_, take)| *take), measure: measure.to_owned(), of, tests })
    }
}

impl Test {
    fn parse(text: &str) -> Result<Test, Misread> {
        let found = TESTS.iter().filter_map(|sign| Some((text.find(sign)?, *sign)));
        let first = found.min_by_key(|(at, sign)| (*at, 2 - sign.len().min(2)));
        let Some((at, sign)) = first else {
            let problem = format!("\"{}\" tests nothing", shown(text.trim()));
            return Err(Misread::new(problem, "a circumstance is `range == 20`, or `cover >= 1`"));
        };
        let value = text[at + sign.len()..].trim().trim_matches('"').to_owned();
        Ok(Test { field: text[..at].trim().to_owned(), sign, value })
    }

    /// Whether a value that compares this way with the other passes the test.
    pub(crate) fn holds(&self, ordering: std::cmp::Ordering) -> bool {
        match self.sign {
            "==" => ordering.is_eq(),
            "!=" => ordering.is_ne(),
            "<=" => ordering.is_le(),
            ">=" => ordering.is_ge(),
            "<" => ordering.is_lt(),
            _ => ordering.is_gt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(value: f64, percent: bool) -> Amount {
        Amount { value, percent }
    }

    #[test]
    fn all_that_a_want_may_say_is_read() {
        let want =
            Want::parse("p_rout of lmg = 3 * p_rout of rifles [cover == 1] ± 8 %").expect("a want");
        assert_eq!(want.left.of.as_deref(), Some("lmg"));
        assert_eq!(want.tolerance, Some(Tolerance { amount: amount(0.08, true), of_it: false }));
        let Target::Of { factor, quantity, plus } = want.target else { panic!("a quantity") };
        assert_eq!((factor, plus.value, quantity.tests.len()), (3.0, 0.0, 1));
        assert_eq!(
            quantity.tests[0],
            Test { field: "cover".into(), sign: "==", value: "1".into() }
        );
        let want = Want::parse("most p_kill of \"a = b\" [x != y, z < 3] <= 0.5").expect("a want");
        assert_eq!((want.left.take, want.left.of.as_deref()), (Some(Take::Most), Some("a = b")));
        assert_eq!((want.sign, want.left.tests.len()), (Sign::AtMost, 2));
        let want = Want::parse("p_hurt [column == 2] = p_hurt [column == 1] - 33 % +- 5 % of it");
        let want = want.expect("a want");
        let Target::Of { plus, .. } = want.target else { panic!("a quantity") };
        assert_eq!((plus.value, want.tolerance.map(|own| own.of_it)), (-0.33, Some(true)));
        let want = Want::parse("mean = 7 ± 0.1").expect("a measure may be called so");
        assert_eq!((want.left.take, want.left.measure.as_str()), (None, "mean"));
    }

    #[test]
    fn what_is_none_is_told() {
        for (text, problem) in [
            ("p_rout 20 %", "wants nothing"),
            ("p_rout = 20 % <= 3", "two signs"),
            ("p_rout = 20 % ± much", "no tolerance"),
            ("p rout = 20 %", "no measure"),
            ("p_rout [cover 1] = 20 %", "tests nothing"),
            ("p_rout [cover == 1 = 20 %", "wants nothing"),
            ("", "wants nothing"),
        ] {
            let told = Want::parse(text).expect_err("none").problem;
            assert!(told.contains(problem), "{text}: {told}");
        }
    }
}
