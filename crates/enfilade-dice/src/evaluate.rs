//! Evaluates an expression to its distribution. A roll that is written at two places is rolled
//! twice.

use super::dice_bounds::{DICE_COUNT_RANGE, DIE_SIDES_RANGE};
use super::expression_tree::{
    BinaryOperator, DicePool, DieFaces, ExprNode, ExprNodeKind, ExprSpan, PassTest,
};
use super::rolled_pool::{EvaluatedPool, ExplodingDiceCutoff, PoolRefusal};
use super::way_counts::WayCounts;
use super::work_budget::{CostOrCancelError, WorkBudget};
use enfilade_engine::cancel::CancelToken;
use enfilade_model::error::FaultWithByteSpan;
use enfilade_model::form::Fault;
use enfilade_model::form::bounds::IntRange;

/// Meaning of the values of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeaningOfValues {
    /// The values are numbers.
    Number,
    /// 0 is no and 1 is yes.
    YesNo,
    /// 1 if the left side is higher, 0 if both are equal, -1 if the right side is higher.
    Versus,
}

/// Computes the distribution of an expression, the meaning of its values, and a remark about what
/// was left out.
///
/// # Errors
/// A fault at its place: an operation does not fit its operands, or the work would exceed its
/// budget or was cancelled.
pub fn evaluate_expression(
    node: &ExprNode,
    halt: &CancelToken,
) -> Result<(WayCounts, MeaningOfValues, Option<String>), FaultWithByteSpan> {
    let mut evaluator = DiceExprEvaluator { work: WorkBudget::new(halt), cut: None };
    let value = evaluator.evaluate_part(node)?;
    Ok((value.law, value.answers, evaluator.cut.map(format_explosion_cutoff)))
}

fn format_explosion_cutoff(cut: ExplodingDiceCutoff) -> String {
    format!(
        "explodes without limit: {} more dice from one die are counted, and the chance of still more, {:.0e}, is left out",
        cut.most, cut.beyond
    )
}

struct DistributionWithMeaning {
    law: WayCounts,
    answers: MeaningOfValues,
}

struct DiceExprEvaluator<'h> {
    work: WorkBudget<'h>,
    /// Longest cut of dice that explode without limit.
    cut: Option<ExplodingDiceCutoff>,
}

type EvaluateResult<T> = Result<T, FaultWithByteSpan>;

impl DiceExprEvaluator<'_> {
    fn evaluate_part(&mut self, node: &ExprNode) -> EvaluateResult<DistributionWithMeaning> {
        let number = |law| DistributionWithMeaning { law, answers: MeaningOfValues::Number };
        let yes_no = |law| DistributionWithMeaning { law, answers: MeaningOfValues::YesNo };
        Ok(match &node.what {
            ExprNodeKind::Number(n) => number(WayCounts::from_constant(*n)),
            ExprNodeKind::Yes(yes) => yes_no(WayCounts::from_constant((*yes).into())),
            ExprNodeKind::Pool(pool) => number(self.evaluate_dice_pool(pool, None, &node.span)?),
            ExprNodeKind::Count(pool, passes) => {
                number(self.evaluate_dice_pool(pool, Some(passes), &node.span)?)
            }
            ExprNodeKind::Two(sign, left, right) => {
                return self.evaluate_binary(*sign, left, right, &node.span);
            }
            ExprNodeKind::Minus(inner) => {
                let law = self.evaluate_numeric_part(inner)?;
                number(
                    law.map_each_value(|value| -value, &mut self.work)
                        .map_err(too_many_dice_fault(&node.span))?,
                )
            }
            ExprNodeKind::Not(inner) => {
                let law = self.evaluate_test(inner)?;
                yes_no(
                    law.map_each_value(|yes| 1 - yes, &mut self.work)
                        .map_err(too_many_dice_fault(&node.span))?,
                )
            }
            ExprNodeKind::Choice(test, then, other) => {
                let law = self.evaluate_conditional(test, then, other.as_deref());
                number(law?.map_err(too_many_dice_fault(&node.span))?)
            }
        })
    }

    fn evaluate_binary(
        &mut self,
        sign: BinaryOperator,
        left: &ExprNode,
        right: &ExprNode,
        span: &ExprSpan,
    ) -> EvaluateResult<DistributionWithMeaning> {
        let tests = matches!(sign, BinaryOperator::And | BinaryOperator::Or);
        let (a, b) = match tests {
            true => (self.evaluate_test(left)?, self.evaluate_test(right)?),
            false => (self.evaluate_numeric_part(left)?, self.evaluate_numeric_part(right)?),
        };
        if matches!(sign, BinaryOperator::Over | BinaryOperator::OverUp)
            && b.values_with_ways().any(|(value, _)| value == 0)
        {
            return Err(fault_at(&right.span, "this can be 0, and division by 0 has no value"));
        }
        let law = a.combine_independent(&b, |x, y| apply_operator(sign, x, y), &mut self.work);
        let answers = match sign {
            BinaryOperator::Versus => MeaningOfValues::Versus,
            BinaryOperator::Is(_) | BinaryOperator::And | BinaryOperator::Or => {
                MeaningOfValues::YesNo
            }
            _ => MeaningOfValues::Number,
        };
        Ok(DistributionWithMeaning { law: law.map_err(too_many_dice_fault(span))?, answers })
    }

    fn evaluate_conditional(
        &mut self,
        test: &ExprNode,
        then: &ExprNode,
        other: Option<&ExprNode>,
    ) -> EvaluateResult<Result<WayCounts, CostOrCancelError>> {
        let (test, then) = (self.evaluate_test(test)?, self.evaluate_numeric_part(then)?);
        let other = other
            .map_or(Ok(WayCounts::from_constant(0)), |other| self.evaluate_numeric_part(other))?;
        let mut laws = Vec::new();
        for (yes, ways) in test.values_with_ways() {
            laws.push((ways.clone(), if yes == 1 { then.clone() } else { other.clone() }));
        }
        Ok(WayCounts::mix_distributions(&laws, &mut self.work))
    }

    fn evaluate_numeric_part(&mut self, node: &ExprNode) -> EvaluateResult<WayCounts> {
        let value = self.evaluate_part(node)?;
        if value.answers == MeaningOfValues::Number {
            return Ok(value.law);
        }
        let help = "`6d6 count 4+` counts dice, `(1 if d6 >= 4)` is 1 where a test passes, else 0";
        let mut located = fault_at(&node.span, "expected a number, but a test is yes or no");
        located.fault.help = Some(help.to_owned());
        Err(located)
    }

    fn evaluate_test(&mut self, node: &ExprNode) -> EvaluateResult<WayCounts> {
        let value = self.evaluate_part(node)?;
        if value.answers == MeaningOfValues::YesNo {
            return Ok(value.law);
        }
        let problem = "expected a test, such as `2d6 >= 8`, but this is a number";
        Err(fault_at(&node.span, problem))
    }

    /// Evaluates a pool. Number, sides and compared number are each evaluated once.
    fn evaluate_dice_pool(
        &mut self,
        pool: &DicePool,
        passes: Option<&PassTest>,
        span: &ExprSpan,
    ) -> EvaluateResult<WayCounts> {
        let count = match &pool.count {
            Some(count) => self.evaluate_numeric_part(count)?,
            None => WayCounts::from_constant(1),
        };
        let sides = match &pool.die {
            DieFaces::Reckoned(sides) => self.evaluate_within_range(sides, &DIE_SIDES_RANGE)?,
            _ => WayCounts::from_constant(0),
        };
        let against = match passes {
            Some(PassTest::Against(_, with)) => self.evaluate_numeric_part(with)?,
            _ => WayCounts::from_constant(0),
        };
        let mut laws = Vec::new();
        for (count, m) in count.values_with_ways() {
            // A computed number of dice may be 0, which a written one may not.
            let count = DICE_COUNT_RANGE
                .check_in_range(count.max(1))
                .map(|dice| if count < 1 { 0 } else { dice });
            let count = count.map_err(|problem| fault_at(span, &problem))?;
            for (sides, n) in sides.values_with_ways() {
                for (against, p) in against.values_with_ways() {
                    let law =
                        self.roll_pool_distribution(pool, passes, (count, sides, against), span)?;
                    laws.push((m * n * p, law));
                }
            }
        }
        // With a single case there is nothing to mix, and mixing costs work: a written number has
        // one way.
        if let [(_, law)] = &laws[..] {
            return Ok(law.clone());
        }
        WayCounts::mix_distributions(&laws, &mut self.work).map_err(too_many_dice_fault(span))
    }

    fn roll_pool_distribution(
        &mut self,
        pool: &DicePool,
        passes: Option<&PassTest>,
        (count, sides, against): (i64, i64, i64),
        span: &ExprSpan,
    ) -> EvaluateResult<WayCounts> {
        let die = match &pool.die {
            DieFaces::Sides(sides) => WayCounts::from_die(*sides),
            DieFaces::Reckoned(_) => WayCounts::from_die(sides as u16),
            DieFaces::Tens => build_tens_and_ones_die(),
            DieFaces::Custom(faces) => WayCounts::from_value_way_pairs(
                &faces.iter().map(|&face| (face, 1_u8.into())).collect::<Vec<_>>(),
            ),
        };
        let highest = die.value_range().1;
        let holds = |face| match passes {
            Some(PassTest::Faces(faces)) => faces.contains(face, highest),
            Some(PassTest::Against(comparison, _)) => comparison.is_met(face, against),
            None => false,
        };
        let holds: Option<&dyn Fn(i64) -> bool> = passes.map(|_| &holds as _);
        let rolled = EvaluatedPool { pool, count: count as usize, die, passes: holds };
        let (law, cut) =
            rolled.compute_distribution(&mut self.work).map_err(|refused| match refused {
                PoolRefusal::TooMuch => too_many_dice_fault(span)(CostOrCancelError),
                PoolRefusal::Because(problem, help) => {
                    let mut located = fault_at(span, problem);
                    located.fault.help = Some(help.to_owned());
                    located
                }
            })?;
        if cut.is_some_and(|new| self.cut.is_none_or(|old| old.most < new.most)) {
            self.cut = cut;
        }
        Ok(law)
    }

    fn evaluate_within_range(
        &mut self,
        node: &ExprNode,
        bound: &IntRange,
    ) -> EvaluateResult<WayCounts> {
        let law = self.evaluate_numeric_part(node)?;
        let (low, high) = law.value_range();
        let wrong = bound.check_in_range(low).and(bound.check_in_range(high)).err();
        wrong.map_or(Ok(law), |problem| Err(fault_at(&node.span, &problem)))
    }
}

/// Builds the die of tens and ones of two d6.
fn build_tens_and_ones_die() -> WayCounts {
    let faces = (1..=6).flat_map(|tens| (1..=6).map(move |ones| (10 * tens + ones, 1_u8.into())));
    WayCounts::from_value_way_pairs(&faces.collect::<Vec<_>>())
}

fn apply_operator(sign: BinaryOperator, x: i64, y: i64) -> i128 {
    let (a, b) = (i128::from(x), i128::from(y));
    match sign {
        BinaryOperator::Plus => a + b,
        BinaryOperator::Minus => a - b,
        BinaryOperator::Times => a * b,
        // Rounds down, also where the divisor is negative: there Euclid's quotient rounds up.
        BinaryOperator::Over => a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0),
        BinaryOperator::OverUp => -apply_operator(BinaryOperator::Over, -x, y),
        BinaryOperator::Smaller => a.min(b),
        BinaryOperator::Larger => a.max(b),
        BinaryOperator::Is(comparison) => comparison.is_met(x, y).into(),
        BinaryOperator::And => (x == 1 && y == 1).into(),
        BinaryOperator::Or => (x == 1 || y == 1).into(),
        BinaryOperator::Versus => (x.cmp(&y) as i8).into(),
    }
}

fn fault_at(span: &ExprSpan, problem: &str) -> FaultWithByteSpan {
    FaultWithByteSpan { fault: Fault::new("", problem), span: span.clone() }
}

fn too_many_dice_fault(span: &ExprSpan) -> impl Fn(CostOrCancelError) -> FaultWithByteSpan {
    let span = span.clone();
    move |_| {
        let mut located =
            fault_at(&span, "the expression has too many dice and values to be counted");
        let help = "roll fewer dice, or dice with fewer sides; dice that explode take `up to 3`";
        located.fault.help = Some(help.to_owned());
        located
    }
}
