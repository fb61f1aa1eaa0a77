//! Measures of what an action reports: figures, their sums, and the condition of the trials that
//! count.

use super::construct_views::Reports;
use super::lowered_value::{JumpTarget, LoweredValue, Operand};
use super::reports::outcome_source_of;
use crate::diagnostics::Span;
use crate::resolve::used_names::visit_expr_and_descendants;
use crate::syntax::ast::{Expr, ExprKind, Ident, MeasureTermExpr, Operator as Sign};
use crate::value_types::ScalarType;
use crate::vm::code::BinOp;
use enfilade_model::combat::{ExactRatio, MeasureKind, OUTSIDE_CONDITION, TallyFigure};

/// The word of measures for trials that end.
const ENDS_WORD: &str = "ends";

impl<'g> Reports<'_, 'g> {
    /// `ends` as a name that a measure sees, unless the rulebook has another thing of that name.
    pub(super) fn ends_keyword_binding_if_free(&self) -> Option<(&'g str, LoweredValue)> {
        let is_taken = self.scopes.kind_of_declared_name(ENDS_WORD).is_some()
            || self.scopes.find_own_field(ENDS_WORD).is_some();
        (!is_taken)
            .then(|| (ENDS_WORD, LoweredValue::Operand(Operand::constant(ScalarType::YesNo, 1))))
    }

    /// The weight of one measure, its kind and its factor.
    pub(super) fn lower_measure(
        &mut self,
        name: &Ident,
        figures: &'g [MeasureTermExpr],
        given: Option<&'g Expr>,
    ) -> (MeasureKind, ExactRatio) {
        if let Some(condition) = given {
            self.report_dice_in_expr(condition, "measure");
            if let Some((_, span)) = self.tally_named_in(condition) {
                let problem = "a condition can use shown values only, and a tally is not one";
                let help = "show the count, or put it before `given`";
                self.emitter.report_or_emit_fault(&span, problem, help);
                self.add_weight_or_outside_mark(None, &span, |_| Operand::constant_whole_number(0));
                return (MeasureKind::Mean, ExactRatio::ONE);
            }
        }
        if figures.iter().any(|figure| self.tally_named_in(&figure.value).is_some()) {
            return self.lower_tally_figure(figures, given);
        }
        figures.iter().for_each(|figure| self.report_dice_in_expr(&figure.value, "measure"));
        let scales: Vec<ExactRatio> =
            figures.iter().map(|figure| self.product_of_factors_as_ratio(&figure.scale)).collect();
        let (kind, scale) = match (figures, scales.as_slice()) {
            // A chance times a number is a mean.
            ([figure], [scale]) => match measure_kind_of_figure(figure) {
                MeasureKind::Event if *scale != ExactRatio::ONE => (MeasureKind::Mean, *scale),
                kind => (kind, *scale),
            },
            _ => (MeasureKind::Mean, self.common_denominator(&scales, &name.span)),
        };
        self.add_weight_or_outside_mark(given, &name.span, |reports| match figures {
            [figure] => reports.lower_value_of_figure(figure),
            _ => reports.sum_scaled_figures(figures, &scales, scale),
        });
        (kind, scale)
    }

    /// The number that a figure is of.
    fn lower_value_of_figure(&mut self, figure: &'g MeasureTermExpr) -> Operand {
        let wanted =
            if figure.of.text == "chance" { ScalarType::YesNo } else { ScalarType::Number };
        let num = self.lower_to_operand(&figure.value, Some(wanted));
        self.check_type(num, wanted, &figure.value.span)
    }

    /// The least common denominator of several factors, as a divisor.
    fn common_denominator(&mut self, scales: &[ExactRatio], span: &Span) -> ExactRatio {
        let common = scales.iter().try_fold(1_u32, |common, scale| {
            let divisor = common_divisor(common, scale.denominator);
            (common / divisor).checked_mul(scale.denominator)
        });
        let Some(denominator) = common else {
            self.emitter.report_or_emit_fault(
                span,
                "the divisors of this measure are too large together",
                "",
            );
            return ExactRatio::ONE;
        };
        ExactRatio { numerator: 1, denominator }
    }

    /// Several figures added up, each times its share of the common divisor.
    fn sum_scaled_figures(
        &mut self,
        figures: &'g [MeasureTermExpr],
        scales: &[ExactRatio],
        common: ExactRatio,
    ) -> Operand {
        let mut sum = Operand::constant_whole_number(0);
        for (figure, scale) in figures.iter().zip(scales) {
            let span = &figure.value.span;
            let num = self.lower_value_of_figure(figure);
            let number = Operand { range: num.range.with_number_type(), reg: num.reg };
            let times = u64::from(scale.numerator) * u64::from(common.denominator)
                / u64::from(scale.denominator);
            let times = Operand::constant_whole_number(i64::try_from(times).unwrap_or(i64::MAX));
            let part = self.emitter.emit_binary(BinOp::Mul, number, times, span);
            let two = if figure.is_subtracted { BinOp::Sub } else { BinOp::Add };
            let next = self.emitter.emit_binary(two, sum, part, span);
            sum = self.emitter.copy_to_new_register(next, span);
        }
        sum
    }

    /// Adds the weight of a measure: `weigh` where the condition is met, else
    /// [`OUTSIDE_CONDITION`].
    fn add_weight_or_outside_mark(
        &mut self,
        given: Option<&'g Expr>,
        span: &Span,
        weigh: impl FnOnce(&mut Self) -> Operand,
    ) {
        let weight = match given {
            None => {
                let num = weigh(self);
                self.emitter.copy_to_new_register(num, span)
            }
            Some(condition) => {
                let otherwise = Operand::constant_whole_number(OUTSIDE_CONDITION.into());
                self.emit_number_if_else(
                    |reports, no| reports.emit_jump_if_condition_is(condition, false, no),
                    weigh,
                    otherwise,
                    span,
                )
            }
        };
        self.emitter.program.weights.push(outcome_source_of(weight));
    }

    /// One number where a test holds, and another where it does not.
    fn emit_number_if_else(
        &mut self,
        test: impl FnOnce(&mut Self, &mut JumpTarget) -> Option<bool>,
        then: impl FnOnce(&mut Self) -> Operand,
        otherwise: Operand,
        span: &Span,
    ) -> Operand {
        let into = self.emitter.allocate_register(span);
        let mut no = JumpTarget::default();
        match test(self, &mut no) {
            Some(true) => {
                let num = then(self);
                return self.emitter.copy_to_new_register(num, span);
            }
            Some(false) => {
                // A test before the one that decides may have written jumps.
                if !no.jumps.is_empty() {
                    self.emitter.place_jump_target(no);
                }
                return otherwise;
            }
            None => {}
        }
        let first = then(self);
        self.emitter.emit_move(into, first, span);
        let mut end = JumpTarget::default();
        self.emitter.emit_jump(&mut end, span);
        self.emitter.place_jump_target(no);
        self.emitter.emit_move(into, otherwise, span);
        self.emitter.place_jump_target(end);
        Operand { range: first.range.with_number_type().union(otherwise.range), reg: into }
    }

    /// The tally that an expression names, by its counter.
    fn tally_named_in(&self, expr: &Expr) -> Option<(u8, Span)> {
        let mut found = None;
        visit_expr_and_descendants(expr, &mut |inner| {
            if let ExprKind::Name(name) = &inner.kind
                && let Some(counter) = self.scopes.tallies.iter().position(|tally| tally == name)
            {
                found = found.take().or(Some((counter as u8, inner.span.clone())));
            }
        });
        found
    }

    /// A figure of a tally.
    fn lower_tally_figure(
        &mut self,
        figures: &'g [MeasureTermExpr],
        condition: Option<&'g Expr>,
    ) -> (MeasureKind, ExactRatio) {
        let nothing = (MeasureKind::Mean, ExactRatio::ONE);
        let zero = |_: &mut Self| Operand::constant_whole_number(0);
        let [figure] = figures else {
            let tally = figures.iter().find_map(|f| self.tally_named_in(&f.value));
            let span = tally.unwrap_or_default().1;
            let problem = "a tally is the only figure of its measure";
            self.emitter.report_or_emit_fault(&span, problem, "write two measures");
            self.add_weight_or_outside_mark(None, &span, zero);
            return nothing;
        };
        let (counter, span) = self.tally_named_in(&figure.value).unwrap_or_default();
        let scale = self.product_of_factors_as_ratio(&figure.scale);
        let kind = match measure_kind_of_figure(figure) {
            MeasureKind::Event => {
                let figure = self.lower_tally_chance(figure, condition, &span);
                if scale != ExactRatio::ONE {
                    let problem = "a chance of a tally has no factor";
                    self.emitter.report_or_emit_fault(&span, problem, "leave the factor out");
                }
                MeasureKind::Tallied(counter, figure)
            }
            _ if !matches!(figure.value.kind, ExprKind::Name(_)) => {
                let problem = format!("`{}` of a tally takes its name alone", figure.of.text);
                let tally = &self.scopes.tallies[usize::from(counter)];
                let help = format!("`{}({tally})`", figure.of.text);
                self.emitter.report_or_emit_fault(&span, problem, help);
                self.add_weight_or_outside_mark(None, &span, zero);
                return nothing;
            }
            kind => {
                self.add_weight_or_outside_mark(condition, &span, zero);
                let tallied = |figure| MeasureKind::Tallied(counter, figure);
                match kind {
                    MeasureKind::Mean if condition.is_none() => MeasureKind::Tally(counter),
                    MeasureKind::Mean => tallied(TallyFigure::Mean),
                    MeasureKind::Deviation => tallied(TallyFigure::Deviation),
                    MeasureKind::Quantile(p) => tallied(TallyFigure::Quantile(p)),
                    other => other,
                }
            }
        };
        let is_mean = matches!(
            kind,
            MeasureKind::Tally(_)
                | MeasureKind::Tallied(_, TallyFigure::Mean | TallyFigure::Deviation)
        );
        if !is_mean && self.scopes.counting_down.contains(&counter) {
            let name = &self.scopes.tallies[usize::from(counter)];
            let why = "may count down, and only its mean and spread are known";
            let problem = format!("`{name}` {why}");
            let help = format!("`tally {name} += … at least 0`, if it never counts down");
            self.emitter.report_or_emit_fault(&span, problem, help);
        }
        (kind, scale)
    }

    /// `chance(won and rounds <= 6)`: the weight is the bound of the tally where the other tests
    /// hold.
    fn lower_tally_chance(
        &mut self,
        figure: &'g MeasureTermExpr,
        condition: Option<&'g Expr>,
        span: &Span,
    ) -> TallyFigure {
        let mut tests = Vec::new();
        collect_conjuncts(&figure.value, &mut tests);
        let (own, others): (Vec<_>, Vec<_>) =
            tests.into_iter().partition(|test| self.tally_named_in(test).is_some());
        let bound = match own.as_slice() {
            [test] => self.parse_tally_bound(test),
            _ => None,
        };
        let Some((kind, less, bound)) = bound else {
            let problem = "a tally is compared once with a number";
            let help = "`chance(rounds <= 6)`, `chance(won and rounds <= 6)`";
            self.emitter.report_or_emit_fault(span, problem, help);
            self.add_weight_or_outside_mark(None, span, |_| Operand::constant_whole_number(0));
            return TallyFigure::AtMost;
        };
        let out_of_reach = match kind {
            TallyFigure::MoreThan => i64::from(i32::MAX),
            _ => -1,
        };
        self.add_weight_or_outside_mark(condition, span, |reports| {
            let test = |reports: &mut Self, no: &mut JumpTarget| {
                let decided =
                    others.iter().map(|other| reports.emit_jump_if_condition_is(other, false, no));
                let all = decided.reduce(|all, one| match (all, one) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                });
                all.unwrap_or(Some(true))
            };
            let weigh = |reports: &mut Self| {
                let bound = reports.lower_to_whole_number(bound);
                reports.emitter.emit_binary(
                    BinOp::Sub,
                    bound,
                    Operand::constant_whole_number(less),
                    span,
                )
            };
            reports.emit_number_if_else(
                test,
                weigh,
                Operand::constant_whole_number(out_of_reach),
                span,
            )
        });
        kind
    }

    /// A tally compared with a number: as what, how much less the bound is, and the number.
    fn parse_tally_bound(&self, test: &'g Expr) -> Option<(TallyFigure, i64, &'g Expr)> {
        let ExprKind::Binary(sign, a, b) = &test.kind else { return None };
        let is_tally = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if self.scopes.tallies.contains(name));
        let (sign, bound) = match (is_tally(a), is_tally(b)) {
            (true, false) => (*sign, &**b),
            (false, true) => (swap_comparison_sides(*sign), &**a),
            _ => return None,
        };
        if self.tally_named_in(bound).is_some() {
            return None;
        }
        match sign {
            Sign::LessOrEqual => Some((TallyFigure::AtMost, 0, bound)),
            Sign::Less => Some((TallyFigure::AtMost, 1, bound)),
            Sign::Greater => Some((TallyFigure::MoreThan, 0, bound)),
            Sign::GreaterOrEqual => Some((TallyFigure::MoreThan, 1, bound)),
            Sign::Equal => Some((TallyFigure::Exactly, 0, bound)),
            _ => None,
        }
    }

    /// The product of the factors of a figure over its divisors, constant before the first die.
    fn product_of_factors_as_ratio(&mut self, factors: &'g [(Expr, bool)]) -> ExactRatio {
        let (mut above, mut below) = (1_u64, 1_u64);
        for (factor, divides) in factors {
            let known = self.evaluate_one_factor(factor, *divides);
            match divides {
                true => below = below.saturating_mul(known),
                false => above = above.saturating_mul(known),
            }
        }
        let whole = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        ExactRatio { numerator: whole(above), denominator: whole(below) }
    }

    /// Evaluates one factor of a measure; 1 after a fault.
    fn evaluate_one_factor(&mut self, factor: &'g Expr, divides: bool) -> u64 {
        let num = self.lower_to_whole_number(factor);
        self.emitter.parameters.note_value_is_needed(num);
        let problem = match num.as_constant().map(u64::try_from) {
            Some(Ok(0)) if divides => "nothing can be divided by 0",
            Some(Ok(known)) => return known,
            Some(Err(_)) => "a factor is not negative",
            None if self.is_checking() => return 1,
            None => "a factor can use fields only",
        };
        self.emitter.report_or_emit_fault(&factor.span, problem, "");
        1
    }
}

/// How a figure is computed from the distribution of its number.
fn measure_kind_of_figure(figure: &MeasureTermExpr) -> MeasureKind {
    let share = |numerator| MeasureKind::Quantile(ExactRatio { numerator, denominator: 100 });
    match figure.of.text.as_str() {
        "chance" => MeasureKind::Event,
        "spread" => MeasureKind::Deviation,
        "median" => MeasureKind::Quantile(ExactRatio { numerator: 1, denominator: 2 }),
        "quantile" => share(figure.percent.unwrap_or(50)),
        _ => MeasureKind::Mean,
    }
}

/// The tests that `and` joins.
fn collect_conjuncts<'e>(expr: &'e Expr, into: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(Sign::And, a, b) => {
            collect_conjuncts(a, into);
            collect_conjuncts(b, into);
        }
        _ => into.push(expr),
    }
}

/// The sign of a comparison with its sides swapped.
fn swap_comparison_sides(sign: Sign) -> Sign {
    match sign {
        Sign::Less => Sign::Greater,
        Sign::LessOrEqual => Sign::GreaterOrEqual,
        Sign::Greater => Sign::Less,
        Sign::GreaterOrEqual => Sign::LessOrEqual,
        other => other,
    }
}

fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
