//! Conditions between numbers and expressions of them: `gun_1.tons + gun_2.tons + armour <= 40`.

use enfilade_model::form::sanitize::shorten_and_make_safe;

use crate::want::TextFaultWithRemedy;

/// An expression over the changed numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NumberFormula {
    Number(f64),
    /// A changed number, or a column of the row that it names, by its place among all names of the
    /// expression.
    Name(String),
    Join(char, Box<NumberFormula>, Box<NumberFormula>),
}

/// A chain of comparisons.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ComparisonChainOnNumbers {
    pub text: String,
    pub first: NumberFormula,
    pub rest: Vec<(&'static str, NumberFormula)>,
}

const CONDITION_SIGNS: [&str; 6] = ["<=", ">=", "==", "!=", "<", ">"];

impl ComparisonChainOnNumbers {
    /// Parses a condition: two expressions or more with signs between them.
    ///
    /// # Errors
    /// If the text is no condition, at the first word that does not fit.
    pub fn parse_condition(text: &str) -> Result<ComparisonChainOnNumbers, TextFaultWithRemedy> {
        let mut reader = ConditionParser { text, at: 0 };
        let first = reader.parse_sum()?;
        let mut rest = Vec::new();
        while let Some(sign) = reader.eat_one_of(&CONDITION_SIGNS) {
            rest.push((sign, reader.parse_sum()?));
        }
        match rest.is_empty() || !reader.is_at_end() {
            false => Ok(ComparisonChainOnNumbers { text: text.trim().to_owned(), first, rest }),
            true => Err(reader.misread_error("expected a comparison")),
        }
    }

    /// Collects the names in the condition.
    pub fn names_in_condition(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.first.collect_names(&mut names);
        self.rest.iter().for_each(|(_, expression)| expression.collect_names(&mut names));
        names
    }

    /// Whether the condition is met with the values of names from `value`; `false` if one is not a
    /// number.
    pub fn is_met_with_values(&self, value: &dyn Fn(&str) -> Option<f64>) -> bool {
        let Some(mut before) = self.first.evaluate(value) else { return false };
        self.rest.iter().all(|(sign, expression)| {
            let Some(next) = expression.evaluate(value) else { return false };
            let near = (before - next).abs() <= 1e-9 * before.abs().max(next.abs()).max(1.0);
            let is_met = match *sign {
                "<=" => before < next || near,
                ">=" => before > next || near,
                "==" => near,
                "!=" => !near,
                "<" => before < next && !near,
                _ => before > next && !near,
            };
            before = next;
            is_met
        })
    }
}

impl NumberFormula {
    /// Parses an expression without a comparison.
    ///
    /// # Errors
    /// If the text is no expression, at the first word that does not fit.
    pub fn parse_expression(text: &str) -> Result<NumberFormula, TextFaultWithRemedy> {
        let mut reader = ConditionParser { text, at: 0 };
        let read = reader.parse_sum()?;
        if reader.is_at_end() { Ok(read) } else { Err(reader.misread_error("expected the end")) }
    }

    /// Collects the names in the expression.
    pub fn collect_names<'e>(&'e self, names: &mut Vec<&'e str>) {
        match self {
            NumberFormula::Number(_) => {}
            NumberFormula::Name(name) => names.push(name),
            NumberFormula::Join(_, a, b) => {
                a.collect_names(names);
                b.collect_names(names);
            }
        }
    }

    /// Evaluates the expression; `None` if a name is not a number, or a divisor is 0.
    pub fn evaluate(&self, value: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        Some(match self {
            NumberFormula::Number(number) => *number,
            NumberFormula::Name(name) => value(name)?,
            NumberFormula::Join(sign, a, b) => {
                let (a, b) = (a.evaluate(value)?, b.evaluate(value)?);
                let joined = match sign {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    _ => a / b,
                };
                return joined.is_finite().then_some(joined);
            }
        })
    }
}

struct ConditionParser<'t> {
    text: &'t str,
    at: usize,
}

impl ConditionParser<'_> {
    fn unread_text(&mut self) -> &str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn is_at_end(&mut self) -> bool {
        self.unread_text().is_empty()
    }

    fn eat_one_of(&mut self, tokens: &[&'static str]) -> Option<&'static str> {
        let rest = self.unread_text();
        let operator = tokens.iter().find(|one| rest.starts_with(**one))?;
        self.at += operator.len();
        Some(operator)
    }

    fn misread_error(&mut self, expected: &str) -> TextFaultWithRemedy {
        let rest = shorten_and_make_safe(self.unread_text());
        let place = if rest.is_empty() { "at the end".to_owned() } else { format!("at `{rest}`") };
        let help = "write it as in `gun_1.tons + armour <= 40`";
        TextFaultWithRemedy::new(
            format!("\"{}\": {expected} {place}", shorten_and_make_safe(self.text)),
            help,
        )
    }

    fn parse_sum(&mut self) -> Result<NumberFormula, TextFaultWithRemedy> {
        self.parse_operands_joined_by(&["+", "-"], ConditionParser::parse_product)
    }

    fn parse_product(&mut self) -> Result<NumberFormula, TextFaultWithRemedy> {
        self.parse_operands_joined_by(&["*", "/"], ConditionParser::parse_operand)
    }

    fn parse_operands_joined_by(
        &mut self,
        signs: &[&'static str],
        part: fn(&mut Self) -> Result<NumberFormula, TextFaultWithRemedy>,
    ) -> Result<NumberFormula, TextFaultWithRemedy> {
        let mut all = part(self)?;
        while let Some(sign) = self.eat_one_of(signs) {
            let sign = sign.chars().next().unwrap_or('+');
            all = NumberFormula::Join(sign, all.into(), part(self)?.into());
        }
        Ok(all)
    }

    fn parse_operand(&mut self) -> Result<NumberFormula, TextFaultWithRemedy> {
        if self.eat_one_of(&["("]).is_some() {
            let inner = self.parse_sum()?;
            return match self.eat_one_of(&[")"]) {
                Some(_) => Ok(inner),
                None => Err(self.misread_error("expected `)`")),
            };
        }
        if self.eat_one_of(&["-"]).is_some() {
            let inner = self.parse_operand()?;
            return Ok(NumberFormula::Join('-', NumberFormula::Number(0.0).into(), inner.into()));
        }
        let rest = self.unread_text();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        if word.is_empty() {
            return Err(self.misread_error("expected a number or a name"));
        }
        self.at += end;
        Ok(match word.parse::<f64>() {
            Ok(number) => NumberFormula::Number(number),
            Err(_) => NumberFormula::Name(word),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_and_sums_are_held() {
        let value = |name: &str| match name {
            "a.tons" => Some(3.0),
            "b" => Some(4.0),
            _ => None,
        };
        let holds = |text: &str| {
            ComparisonChainOnNumbers::parse_condition(text)
                .expect("a condition")
                .is_met_with_values(&value)
        };
        for text in
            ["a.tons + 2 * b <= 11", "1 < a.tons <= 3 < b", "(a.tons + b) / 7 == 1", "-b < 0"]
        {
            assert!(holds(text), "{text}");
        }
        for text in ["a.tons > b", "1 < b < 4", "b / 0 == 1", "c <= 1", "a.tons != 3"] {
            assert!(!holds(text), "{text}");
        }
        for text in ["a + ", "a", "a <= ", "(a <= 1", "a <= 1)", ""] {
            assert!(ComparisonChainOnNumbers::parse_condition(text).is_err(), "{text}");
        }
    }
}
