//! A want, one line of text: `p_rout of rifles [cover == 0] = 20 % ± 3 %`.

use enfilade_model::form::sanitize::shorten_and_make_safe;

/// A want: a quantity and its target.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedOdds {
    /// Its text in the file.
    pub text: String,
    /// The quantity.
    pub quantity: QuantityOfWant,
    /// The comparison with the target.
    pub sign: WantSign,
    /// The target.
    pub target: WantTarget,
    /// The largest distance from the target.
    pub tolerance: Option<WantTolerance>,
}

/// The comparison of a quantity with its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantSign {
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
pub struct QuantityOfWant {
    /// The reduction of several cells to one value.
    pub take: Option<CellReduction>,
    /// The measure.
    pub measure: String,
    /// The contest.
    pub contest: Option<String>,
    /// Circumstances.
    pub tests: Vec<CircumstanceTest>,
}

/// A reduction of the values of several cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellReduction {
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
pub struct CircumstanceTest {
    /// The axis.
    pub field: String,
    /// `==`, `!=`, `<=`, `>=`, `<` or `>`.
    pub sign: &'static str,
    /// A value, or another axis.
    pub value: String,
}

/// The target of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub enum WantTarget {
    /// A number.
    Number(NumberOrPercent),
    /// Another quantity, times a factor, plus an amount.
    Of {
        /// Times this.
        factor: f64,
        /// The quantity.
        quantity: QuantityOfWant,
        /// Plus this.
        plus: NumberOrPercent,
    },
}

/// A number, which may be written in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberOrPercent {
    /// The number: 0.35 for `35 %`.
    pub value: f64,
    /// Whether the number is written in percent.
    pub percent: bool,
}

/// A tolerance such as `± 3 %`, `± 5 % of it`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WantTolerance {
    /// The number.
    pub amount: NumberOrPercent,
    /// Whether the tolerance is a part of the target.
    pub of_it: bool,
}

/// A fault of a text, with its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFaultWithRemedy {
    /// The problem.
    pub problem: String,
    /// The remedy.
    pub help: String,
}

impl TextFaultWithRemedy {
    pub(crate) fn new(problem: impl Into<String>, help: impl Into<String>) -> TextFaultWithRemedy {
        TextFaultWithRemedy { problem: problem.into(), help: help.into() }
    }
}

const WANT_SIGN_SPELLINGS: [(&str, WantSign); 6] = [
    ("<=", WantSign::AtMost),
    (">=", WantSign::AtLeast),
    ("==", WantSign::Equal),
    ("<", WantSign::Less),
    (">", WantSign::More),
    ("=", WantSign::Equal),
];

const TEST_SIGN_SPELLINGS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

/// Places of a text outside of brackets and quotes, each with the rest of the text from there.
fn all_unbracketed_positions(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut depth, mut quoted) = (0_u32, false);
    text.char_indices().filter_map(move |(at, c)| {
        match c {
            '"' => quoted = !quoted,
            '[' | '(' if !quoted => depth += 1,
            ']' | ')' if !quoted => depth = depth.saturating_sub(1),
            _ if depth == 0 && !quoted => return Some((at, &text[at..])),
            _ => {}
        }
        None
    })
}

impl WantedOdds {
    /// Parses a want.
    ///
    /// # Errors
    /// The fault of the text.
    ///
    /// ```
    /// use enfilade_seek::want::{WantedOdds, WantSign};
    /// let want = WantedOdds::parse_want("mean p_break of fire [morale >= 7] = 35 % ± 2 %").expect("a want");
    /// assert_eq!((want.sign, want.quantity.measure.as_str()), (WantSign::Equal, "p_break"));
    /// ```
    pub fn parse_want(text: &str) -> Result<WantedOdds, TextFaultWithRemedy> {
        let SplitWant { left, sign, target, tolerance } = SplitWant::parse(text.trim())?;
        Ok(WantedOdds {
            text: text.trim().to_owned(),
            quantity: QuantityOfWant::parse_quantity(left)?,
            sign,
            target: WantTarget::parse_target(target)?,
            tolerance,
        })
    }
}

/// The parts of a want in its text, before quantities are read.
pub(crate) struct SplitWant<'t> {
    pub left: &'t str,
    pub sign: WantSign,
    pub target: &'t str,
    pub tolerance: Option<WantTolerance>,
}

impl SplitWant<'_> {
    /// Splits a want at its sign and before its tolerance.
    pub(crate) fn parse(text: &str) -> Result<SplitWant<'_>, TextFaultWithRemedy> {
        let sign = all_unbracketed_positions(text).find_map(|(at, rest)| {
            let known = WANT_SIGN_SPELLINGS.iter().find(|(sign, _)| rest.starts_with(sign))?;
            Some((at, known))
        });
        let Some((at, (written, sign))) = sign else {
            let help = "write it as in `p_kill >= 50 %` or `p_kill = 35 % ± 2 %`";
            let problem = format!(
                "\"{}\" wants nothing: =, <= or >= is missing",
                shorten_and_make_safe(text)
            );
            return Err(TextFaultWithRemedy::new(problem, help));
        };
        let (left, right) = (&text[..at], &text[at + written.len()..]);
        let again =
            all_unbracketed_positions(right).any(|(_, rest)| rest.starts_with(['=', '<', '>']));
        if again {
            let help = "put circumstances in brackets, as in `p_kill [range <= 20] = 35 %`";
            return Err(TextFaultWithRemedy::new(
                format!("\"{}\" has two signs", shorten_and_make_safe(text)),
                help,
            ));
        }
        let (target, tolerance) = split_off_tolerance(right)?;
        Ok(SplitWant { left, sign: *sign, target, tolerance })
    }
}

/// Splits a target from the tolerance behind it.
fn split_off_tolerance(text: &str) -> Result<(&str, Option<WantTolerance>), TextFaultWithRemedy> {
    let marks = ["±", "+-"];
    let tolerance_start = all_unbracketed_positions(text)
        .find_map(|(at, rest)| Some((at, *marks.iter().find(|mark| rest.starts_with(**mark))?)));
    let Some((at, mark)) = tolerance_start else { return Ok((text, None)) };
    let written = text[at + mark.len()..].trim();
    let (amount, of_it) = match written.strip_suffix("of it") {
        Some(amount) => (amount.trim(), true),
        None => (written, false),
    };
    let read = NumberOrPercent::parse(amount).filter(|amount| amount.value >= 0.0);
    let Some(amount) = read else {
        let problem = format!("\"{}\" is no tolerance", shorten_and_make_safe(written));
        return Err(TextFaultWithRemedy::new(problem, "write ± 2 %, ± 0.1 or ± 5 % of it"));
    };
    Ok((&text[..at], Some(WantTolerance { amount, of_it })))
}

impl NumberOrPercent {
    /// Parses a decimal number, in percent or not.
    pub fn parse(text: &str) -> Option<NumberOrPercent> {
        let text = text.trim();
        let (digits, percent) = match text.strip_suffix('%') {
            Some(digits) => (digits.trim(), true),
            None => (text, false),
        };
        let plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
        let value: f64 = digits.parse().ok().filter(|_| digits.chars().all(plain))?;
        value.is_finite().then_some(NumberOrPercent {
            value: if percent { value / 100.0 } else { value },
            percent,
        })
    }
}

impl WantTarget {
    fn parse_target(text: &str) -> Result<WantTarget, TextFaultWithRemedy> {
        if let Some(amount) = NumberOrPercent::parse(text) {
            return Ok(WantTarget::Number(amount));
        }
        let (text, plus) = split_off_addend(text);
        let (factor, text) = match text.split_once('*') {
            Some((factor, rest)) if factor.trim().parse::<f64>().is_ok() => {
                (factor.trim().parse().unwrap_or(1.0), rest)
            }
            _ => (1.0, text),
        };
        Ok(WantTarget::Of { factor, quantity: QuantityOfWant::parse_quantity(text)?, plus })
    }
}

/// Splits a target from the number at its end that is added or subtracted.
fn split_off_addend(text: &str) -> (&str, NumberOrPercent) {
    let none = NumberOrPercent { value: 0.0, percent: false };
    let signs: Vec<usize> = all_unbracketed_positions(text)
        .filter(|(at, rest)| {
            rest.starts_with(['+', '-']) && text[..*at].ends_with(char::is_whitespace)
        })
        .map(|(at, _)| at)
        .collect();
    let Some(&at) = signs.last() else { return (text, none) };
    match NumberOrPercent::parse(&text[at + 1..]) {
        Some(amount) => {
            let value = if text[at..].starts_with('-') { -amount.value } else { amount.value };
            (&text[..at], NumberOrPercent { value, ..amount })
        }
        None => (text, none),
    }
}

impl QuantityOfWant {
    /// Parses a quantity: `mean p_break of fire [morale >= 7]`.
    ///
    /// # Errors
    /// The fault of the text.
    pub fn parse_quantity(text: &str) -> Result<QuantityOfWant, TextFaultWithRemedy> {
        let text = text.trim();
        let (head, tests) = match text.split_once('[') {
            None => (text, Vec::new()),
            Some((head, rest)) => {
                let Some(inside) = rest.trim_end().strip_suffix(']') else {
                    let problem = format!(
                        "the bracket in \"{}\" is not closed at its end",
                        shorten_and_make_safe(text)
                    );
                    return Err(TextFaultWithRemedy::new(
                        problem,
                        "write `p_kill of gun [range == 20]`",
                    ));
                };
                (
                    head,
                    inside
                        .split(',')
                        .map(CircumstanceTest::parse_test)
                        .collect::<Result<_, _>>()?,
                )
            }
        };
        let known_forms = [
            ("every", CellReduction::Every),
            ("mean", CellReduction::Mean),
            ("least", CellReduction::Least),
            ("most", CellReduction::Most),
        ];
        let (first, rest) =
            head.trim().split_once(char::is_whitespace).unwrap_or((head.trim(), ""));
        let take = known_forms.iter().find(|(word, _)| *word == first && !rest.trim().is_empty());
        let rest = if take.is_some() { rest.trim() } else { head.trim() };
        let (measure, of) = match rest.split_once(" of ") {
            Some((measure, of)) => (measure.trim(), Some(of.trim().trim_matches('"').to_owned())),
            None => (rest, None),
        };
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        if measure.is_empty() || !measure.chars().all(is_name) {
            let problem = format!("\"{}\" is no measure of a contest", shorten_and_make_safe(rest));
            return Err(TextFaultWithRemedy::new(problem, "write `p_kill of gun [range == 20]`"));
        }
        Ok(QuantityOfWant {
            take: take.map(|(_, take)| *take),
            measure: measure.to_owned(),
            contest: of,
            tests,
        })
    }
}

impl CircumstanceTest {
    fn parse_test(text: &str) -> Result<CircumstanceTest, TextFaultWithRemedy> {
        let sign_positions =
            TEST_SIGN_SPELLINGS.iter().filter_map(|sign| Some((text.find(sign)?, *sign)));
        let first = sign_positions.min_by_key(|(at, sign)| (*at, 2 - sign.len().min(2)));
        let Some((at, sign)) = first else {
            let problem = format!("\"{}\" tests nothing", shorten_and_make_safe(text.trim()));
            return Err(TextFaultWithRemedy::new(
                problem,
                "a circumstance is `range == 20`, or `cover >= 1`",
            ));
        };
        let value = text[at + sign.len()..].trim().trim_matches('"').to_owned();
        Ok(CircumstanceTest { field: text[..at].trim().to_owned(), sign, value })
    }

    /// Whether a value that compares this way with the other passes the test.
    pub(crate) fn is_passed_by(&self, ordering: std::cmp::Ordering) -> bool {
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

    fn amount(value: f64, percent: bool) -> NumberOrPercent {
        NumberOrPercent { value, percent }
    }

    #[test]
    fn all_that_a_want_may_say_is_read() {
        let want =
            WantedOdds::parse_want("p_rout of lmg = 3 * p_rout of rifles [cover == 1] ± 8 %")
                .expect("a want");
        assert_eq!(want.quantity.contest.as_deref(), Some("lmg"));
        assert_eq!(
            want.tolerance,
            Some(WantTolerance { amount: amount(0.08, true), of_it: false })
        );
        let WantTarget::Of { factor, quantity, plus } = want.target else { panic!("a quantity") };
        assert_eq!((factor, plus.value, quantity.tests.len()), (3.0, 0.0, 1));
        assert_eq!(
            quantity.tests[0],
            CircumstanceTest { field: "cover".into(), sign: "==", value: "1".into() }
        );
        let want = WantedOdds::parse_want("most p_kill of \"a = b\" [x != y, z < 3] <= 0.5")
            .expect("a want");
        assert_eq!(
            (want.quantity.take, want.quantity.contest.as_deref()),
            (Some(CellReduction::Most), Some("a = b"))
        );
        assert_eq!((want.sign, want.quantity.tests.len()), (WantSign::AtMost, 2));
        let want = WantedOdds::parse_want(
            "p_hurt [column == 2] = p_hurt [column == 1] - 33 % +- 5 % of it",
        );
        let want = want.expect("a want");
        let WantTarget::Of { plus, .. } = want.target else { panic!("a quantity") };
        assert_eq!((plus.value, want.tolerance.map(|own| own.of_it)), (-0.33, Some(true)));
        let want = WantedOdds::parse_want("mean = 7 ± 0.1").expect("a measure may be called so");
        assert_eq!((want.quantity.take, want.quantity.measure.as_str()), (None, "mean"));
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
            let told = WantedOdds::parse_want(text).expect_err("none").problem;
            assert!(told.contains(problem), "{text}: {told}");
        }
    }
}
