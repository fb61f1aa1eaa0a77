//! Evaluates an expression to its distribution. A roll that is written at two places is rolled
//! twice.

use super::bounds::{DICE, SIDES};
use super::law::Law;
use super::pool::{Cut, Refused, Rolled};
use super::tree::{Die, Node, Passes, Pool, Sign, Span, What};
use super::work::{TooMuch, Work};
use enfilade_engine::cancel::Halt;
use enfilade_model::error::LocatedFault;
use enfilade_model::form::Fault;
use enfilade_model::form::bounds::Bound;

/// Meaning of the values of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answers {
    /// The values are numbers.
    Number,
    /// 0 is no and 1 is yes.
    YesNo,
    /// 1 if the left side is higher, 0 if both are equal, -1 if the right side is higher.
    Versus,
}

/// Computes the distribution of an expression, the meaning of its values, and a remark about what
/// was left out.
pub fn evaluate(node: &Node, halt: &Halt) -> Result<(Law, Answers, Option<String>), LocatedFault> {
    let mut evaluator = Evaluator { work: Work::new(halt), cut: None };
    let value = evaluator.value(node)?;
    Ok((value.law, value.answers, evaluator.cut.map(told)))
}

fn told(cut: Cut) -> String {
    format!(
        "explodes without limit: {} more dice from one die are counted, and the chance of still more, {:.0e}, is left out",
        cut.most, cut.beyond
    )
}

struct Value {
    law: Law,
    answers: Answers,
}

struct Evaluator<'h> {
    work: Work<'h>,
    /// Longest cut of dice that explode without limit.
    cut: Option<Cut>,
}

type Found<T> = Result<T, LocatedFault>;

impl Evaluator<'_> {
    fn value(&mut self, node: &Node) -> Found<Value> {
        let number = |law| Value { law, answers: Answers::Number };
        let yes_no = |law| Value { law, answers: Answers::YesNo };
        Ok(match &node.what {
            What::Number(n) => number(Law::constant(*n)),
            What::Yes(yes) => yes_no(Law::constant((*yes).into())),
            What::Pool(pool) => number(self.pool(pool, None, &node.span)?),
            What::Count(pool, passes) => number(self.pool(pool, Some(passes), &node.span)?),
            What::Two(sign, left, right) => return self.two(*sign, left, right, &node.span),
            What::Minus(inner) => {
                let law = self.number(inner)?;
                number(law.map(|value| -value, &mut self.work).map_err(too_much(&node.span))?)
            }
            What::Not(inner) => {
                let law = self.test(inner)?;
                yes_no(law.map(|yes| 1 - yes, &mut self.work).map_err(too_much(&node.span))?)
            }
            What::Choice(test, then, other) => {
                let law = self.choice(test, then, other.as_deref());
                number(law?.map_err(too_much(&node.span))?)
            }
        })
    }

    fn two(&mut self, sign: Sign, left: &Node, right: &Node, span: &Span) -> Found<Value> {
        let tests = matches!(sign, Sign::And | Sign::Or);
        let (a, b) = match tests {
            true => (self.test(left)?, self.test(right)?),
            false => (self.number(left)?, self.number(right)?),
        };
        if matches!(sign, Sign::Over | Sign::OverUp) && b.ways().any(|(value, _)| value == 0) {
            return Err(fault(&right.span, "this can be 0, and division by 0 has no value"));
        }
        let law = a.join(&b, |x, y| joined(sign, x, y), &mut self.work);
        let answers = match sign {
            Sign::Versus => Answers::Versus,
            Sign::Is(_) | Sign::And | Sign::Or => Answers::YesNo,
            _ => Answers::Number,
        };
        Ok(Value { law: law.map_err(too_much(span))?, answers })
    }

    fn choice(
        &mut self,
        test: &Node,
        then: &Node,
        other: Option<&Node>,
    ) -> Found<Result<Law, TooMuch>> {
        let (test, then) = (self.test(test)?, self.number(then)?);
        let other = other.map_or(Ok(Law::constant(0)), |other| self.number(other))?;
        let mut laws = Vec::new();
        for (yes, ways) in test.ways() {
            laws.push((ways.clone(), if yes == 1 { then.clone() } else { other.clone() }));
        }
        Ok(Law::mixed(&laws, &mut self.work))
    }

    fn number(&mut self, node: &Node) -> Found<Law> {
        let value = self.value(node)?;
        if value.answers == Answers::Number {
            return Ok(value.law);
        }
        let help = "`6d6 count 4+` counts dice, `(1 if d6 >= 4)` is 1 where a test passes, else 0";
        let mut located = fault(&node.span, "expected a number, but a test is yes or no");
        located.fault.help = Some(help.to_owned());
        Err(located)
    }

    fn test(&mut self, node: &Node) -> Found<Law> {
        let value = self.value(node)?;
        if value.answers == Answers::YesNo {
            return Ok(value.law);
        }
        let problem = "expected a test, such as `2d6 >= 8`, but this is a number";
        Err(fault(&node.span, problem))
    }

    /// Evaluates a pool. Number, sides and compared number are each evaluated once.
    fn pool(&mut self, pool: &Pool, passes: Option<&Passes>, span: &Span) -> Found<Law> {
        let count = match &pool.count {
            Some(count) => self.number(count)?,
            None => Law::constant(1),
        };
        let sides = match &pool.die {
            Die::Reckoned(sides) => self.bounded(sides, &SIDES)?,
            _ => Law::constant(0),
        };
        let against = match passes {
            Some(Passes::Against(_, with)) => self.number(with)?,
            _ => Law::constant(0),
        };
        let mut laws = Vec::new();
        for (count, m) in count.ways() {
            // A computed number of dice may be 0, which a written one may not.
            let count = DICE.check(count.max(1)).map(|dice| if count < 1 { 0 } else { dice });
            let count = count.map_err(|problem| fault(span, &problem))?;
            for (sides, n) in sides.ways() {
                for (against, p) in against.ways() {
                    let law = self.rolled(pool, passes, (count, sides, against), span)?;
                    laws.push((m * n * p, law));
                }
            }
        }
        // With a single case there is nothing to mix, and mixing costs work: a written number has
        // one way.
        if let [(_, law)] = &laws[..] {
            return Ok(law.clone());
        }
        Law::mixed(&laws, &mut self.work).map_err(too_much(span))
    }

    fn rolled(
        &mut self,
        pool: &Pool,
        passes: Option<&Passes>,
        (count, sides, against): (i64, i64, i64),
        span: &Span,
    ) -> Found<Law> {
        let die = match &pool.die {
            Die::Sides(sides) => Law::die(*sides),
            Die::Reckoned(_) => Law::die(sides as u16),
            Die::Tens => tens(),
            Die::Own(faces) => {
                Law::of(&faces.iter().map(|&face| (face, 1_u8.into())).collect::<Vec<_>>())
            }
        };
        let highest = die.ends().1;
        let holds = |face| match passes {
            Some(Passes::Faces(faces)) => faces.hold(face, highest),
            Some(Passes::Against(comparison, _)) => comparison.holds(face, against),
            None => false,
        };
        let holds: Option<&dyn Fn(i64) -> bool> = passes.map(|_| &holds as _);
        let rolled = Rolled { pool, count: count as usize, die, passes: holds };
        let (law, cut) = rolled.law(&mut self.work).map_err(|refused| match refused {
            Refused::TooMuch => too_much(span)(TooMuch),
            Refused::Because(problem, help) => {
                let mut located = fault(span, problem);
                located.fault.help = Some(help.to_owned());
                located
            }
        })?;
        if cut.is_some_and(|new| self.cut.is_none_or(|old| old.most < new.most)) {
            self.cut = cut;
        }
        Ok(law)
    }

    fn bounded(&mut self, node: &Node, bound: &Bound) -> Found<Law> {
        let law = self.number(node)?;
        let (low, high) = law.ends();
        let wrong = bound.check(low).and(bound.check(high)).err();
        wrong.map_or(Ok(law), |problem| Err(fault(&node.span, &problem)))
    }
}

/// Builds the die of tens and ones of two d6.
fn tens() -> Law {
    let faces = (1..=6).flat_map(|tens| (1..=6).map(move |ones| (10 * tens + ones, 1_u8.into())));
    Law::of(&faces.collect::<Vec<_>>())
}

fn joined(sign: Sign, x: i64, y: i64) -> i128 {
    let (a, b) = (i128::from(x), i128::from(y));
    match sign {
        Sign::Plus => a + b,
        Sign::Minus => a - b,
        Sign::Times => a * b,
        // Rounds down, also where the divisor is negative: there Euclid's quotient rounds up.
        Sign::Over => a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0),
        Sign::OverUp => -joined(Sign::Over, -x, y),
        Sign::Smaller => a.min(b),
        Sign::Larger => a.max(b),
        Sign::Is(comparison) => comparison.holds(x, y).into(),
        Sign::And => (x == 1 && y == 1).into(),
        Sign::Or => (x == 1 || y == 1).into(),
        Sign::Versus => (x.cmp(&y) as i8).into(),
    }
}

fn fault(span: &Span, problem: &str) -> LocatedFault {
    LocatedFault { fault: Fault::new("", problem), span: span.clone() }
}

fn too_much(span: &Span) -> impl Fn(TooMuch) -> LocatedFault {
    let span = span.clone();
    move |_| {
        let mut located = fault(&span, "the expression has too many dice and values to be counted");
        let help = "roll fewer dice, or dice with fewer sides; dice that explode take `up to 3`";
        located.fault.help = Some(help.to_owned());
        located
    }
}
