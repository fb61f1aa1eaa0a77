//! Conditions between numbers and expressions of them: `gun_1.tons + gun_2.tons + armour <= 40`.

use enfilade_model::form::sanitize::shown;

use crate::want::Misread;

/// An expression over the changed numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Number(f64),
    /// A changed number, or a column of the row that it names, by its place among all names of the expression.
    Name(String),
    Join(char, Box<Expression>, Box<Expression>),
}

/// A chain of comparisons.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Condition {
    pub text: String,
    pub first: Expression,
    pub rest: Vec<(&'static str, Expression)>,
}

const SIGNS: [&str; 6] = ["<=", ">=", "==", "!=", "<", ">"];

impl Condition {
    /// Parses a condition: two expressions or more with signs between them.
    pub fn parse(text: &str) -> Result<Condition, Misread> {
        let mut reader = Reader { text, at: 0 };
        let first = reader.sum()?;
        let mut rest = Vec::new();
        while let Some(sign) = reader.one_of(&SIGNS) {
            rest.push((sign, reader.sum()?));
        }
        match rest.is_empty() || !reader.is_done() {
            false => Ok(Condition { text: text.trim().to_owned(), first, rest }),
            true => Err(reader.wrong("expected a comparison")),
        }
    }

    /// Collects the names in the condition.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.first.names(&mut names);
        self.rest.iter().for_each(|(_, expression)| expression.names(&mut names));
        names
    }

    /// Whether the condition is met with the values of names from `value`; `false` if one is not a
    /// number.
    pub fn holds(&self, value: &dyn Fn(&str) -> Option<f64>) -> bool {
        let Some(mut before) = self.first.value(value) else { return false };
        self.rest.iter().all(|(sign, expression)| {
            let Some(next) = expression.value(value) else { return false };
            let near = (before - next).abs() <= 1e-9 * before.abs().max(next.abs()).max(1.0);
            let holds = match *sign {
                "<=" => before < next || near,
                ">=" => before > next || near,
                "==" => near,
                "!=" => !near,
                "<" => before < next && !near,
                _ => before > next && !near,
            };
            before = next;
            holds
        })
    }
}

impl Expression {
    /// Parses an expression alone.
    pub fn parse(text: &str) -> Result<Expression, Misread> {
        let mut reader = Reader { text, at: 0 };
        let read = reader.sum()?;
        if reader.is_done() { Ok(read) } else { Err(reader.wrong("expected the end")) }
    }

    /// Collects the names in the expression.
    pub fn names<'e>(&'e self, names: &mut Vec<&'e str>) {
        match self {
            Expression::Number(_) => {}
            Expression::Name(name) => names.push(name),
            Expression::Join(_, a, b) => {
                a.names(names);
                b.names(names);
            }
        }
    }

    /// Evaluates the expression; `None` if a name is not a number, or a divisor is 0.
    pub fn value(&self, value: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
        Some(match self {
            Expression::Number(number) => *number,
            Expression::Name(name) => value(name)?,
            Expression::Join(sign, a, b) => {
                let (a, b) = (a.value(value)?, b.value(value)?);
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

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&mut self) -> &str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn is_done(&mut self) -> bool {
        self.rest().is_empty()
    }

    fn one_of(&mut self, known: &[&'static str]) -> Option<&'static str> {
        let rest = self.rest();
        let found = known.iter().find(|one| rest.starts_with(**one))?;
        self.at += found.len();
        Some(found)
    }

    fn wrong(&mut self, expected: &str) -> Misread {
        let rest = shown(self.rest());
        let place = if rest.is_empty() { "at the end".to_owned() } else { format!("at `{rest}`") };
        let help = "write it as in `gun_1.tons + armour <= 40`";
        Misread::new(format!("\"{}\": {expected} {place}", shown(self.text)), help)
    }

    fn sum(&mut self) -> Result<Expression, Misread> {
        self.joined(&["+", "-"], Reader::product)
    }

    fn product(&mut self) -> Result<Expression, Misread> {
        self.joined(&["*", "/"], Reader::single)
    }

    fn joined(
        &mut self,
        signs: &[&'static str],
        part: fn(&mut Self) -> Result<Expression, Misread>,
    ) -> Result<Expression, Misread> {
        let mut all = part(self)?;
        while let Some(sign) = self.one_of(signs) {
            let sign = sign.chars().next().unwrap_or('+');
            all = Expression::Join(sign, all.into(), part(self)?.into());
        }
        Ok(all)
    }

    fn single(&mut self) -> Result<Expression, Misread> {
        if self.one_of(&["("]).is_some() {
            let inner = self.sum()?;
            return match self.one_of(&[")"]) {
                Some(_) => Ok(inner),
                None => Err(self.wrong("expected `)`")),
            };
        }
        if self.one_of(&["-"]).is_some() {
            let inner = self.single()?;
            return Ok(Expression::Join('-', Expression::Number(0.0).into(), inner.into()));
        }
        let rest = self.rest();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        if word.is_empty() {
            return Err(self.wrong("expected a number or a name"));
        }
        self.at += end;
        Ok(match word.parse::<f64>() {
            Ok(number) => Expression::Number(number),
            Err(_) => Expression::Name(word),
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
        let holds = |text: &str| Condition::parse(text).expect("a condition").holds(&value);
        for text in
            ["a.tons + 2 * b <= 11", "1 < a.tons <= 3 < b", "(a.tons + b) / 7 == 1", "-b < 0"]
        {
            assert!(holds(text), "{text}");
        }
        for text in ["a.tons > b", "1 < b < 4", "b / 0 == 1", "c <= 1", "a.tons != 3"] {
            assert!(!holds(text), "{text}");
        }
        for text in ["a + ", "a", "a <= ", "(a <= 1", "a <= 1)", ""] {
            assert!(Condition::parse(text).is_err(), "{text}");
        }
    }
}
