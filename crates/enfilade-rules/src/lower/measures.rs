//! Measures of what an action reports: figures, their sums, and the condition of the trials that count.

use super::lowered_value::{Num, Target, Value};
use super::reports::as_shown;
use super::views::Reports;
use crate::diagnostics::Span;
use crate::resolve::uses::each_inner;
use crate::syntax::ast::{Expr, Figure, Name, Op as Sign, Says};
use crate::types::Kind;
use crate::vm::code::Two;
use enfilade_model::combat::{MeasureKind, OUTSIDE, Scale, TallyFigure};

/// The word of measures for trials that end.
const ENDS: &str = "ends";

impl<'g> Reports<'_, 'g> {
    /// `ends` as a name that a measure sees, unless the rulebook has another thing of that name.
    pub(super) fn ends_word(&self) -> Option<(&'g str, Value)> {
        let is_taken = self.scopes.taken(ENDS).is_some() || self.scopes.own_field(ENDS).is_some();
        (!is_taken).then(|| (ENDS, Value::Num(Num::one(Kind::YesNo, 1))))
    }

    /// The weight of one measure, its kind and its factor.
    pub(super) fn measure(
        &mut self,
        name: &Name,
        figures: &'g [Figure],
        given: Option<&'g Expr>,
    ) -> (MeasureKind, Scale) {
        if let Some(condition) = given {
            self.no_dice(condition, "measure");
            if let Some((_, span)) = self.tally_in(condition) {
                let problem = "a condition goes by what is shown, and a tally is not remembered";
                let help = "show the count, or put it before `given`";
                self.emitter.wrong(&span, problem, help);
                self.weight_inside(None, &span, |_| Num::of(0));
                return (MeasureKind::Mean, Scale::ONE);
            }
        }
        if figures.iter().any(|figure| self.tally_in(&figure.value).is_some()) {
            return self.tallied(figures, given);
        }
        figures.iter().for_each(|figure| self.no_dice(&figure.value, "measure"));
        let scales: Vec<Scale> = figures.iter().map(|figure| self.scale(&figure.scale)).collect();
        let (kind, scale) = match (figures, scales.as_slice()) {
            // A chance times a number is a mean.
            ([figure], [scale]) => match figure_kind(figure) {
                MeasureKind::Event if *scale != Scale::ONE => (MeasureKind::Mean, *scale),
                kind => (kind, *scale),
            },
            _ => (MeasureKind::Mean, self.common_scale(&scales, &name.span)),
        };
        self.weight_inside(given, &name.span, |reports| match figures {
            [figure] => reports.figure_number(figure),
            _ => reports.sum_of(figures, &scales, scale),
        });
        (kind, scale)
    }

    /// The number that a figure is of.
    fn figure_number(&mut self, figure: &'g Figure) -> Num {
        let wanted = if figure.of.text == "chance" { Kind::YesNo } else { Kind::Number };
        let num = self.number(&figure.value, Some(wanted));
        self.of_kind(num, wanted, &figure.value.span)
    }

    /// The least common denominator of several factors, as a divisor.
    fn common_scale(&mut self, scales: &[Scale], span: &Span) -> Scale {
        let common = scales.iter().try_fold(1_u32, |common, scale| {
            let divisor = gcd(common, scale.denominator.max(1));
            (common / divisor).checked_mul(scale.denominator.max(1))
        });
        let Some(denominator) = common else {
            self.emitter.wrong(span, "the divisors of this measure are too large together", "");
            return Scale::ONE;
        };
        Scale { numerator: 1, denominator }
    }

    /// Several figures added up, each times its share of the common divisor.
    fn sum_of(&mut self, figures: &'g [Figure], scales: &[Scale], common: Scale) -> Num {
        let mut sum = Num::of(0);
        for (figure, scale) in figures.iter().zip(scales) {
            let span = &figure.value.span;
            let num = self.figure_number(figure);
            let number = Num { range: num.range.as_number(), at: num.at };
            let times = u64::from(scale.numerator) * u64::from(common.denominator)
                / u64::from(scale.denominator.max(1));
            let times = Num::of(i64::try_from(times).unwrap_or(i64::MAX));
            let part = self.emitter.joined(Two::Mul, number, times, span);
            let two = if figure.is_subtracted { Two::Sub } else { Two::Add };
            let next = self.emitter.joined(two, sum, part, span);
            sum = self.emitter.held(next, span);
        }
        sum
    }

    /// Adds the weight of a measure: `weigh` where the condition is met, else [`OUTSIDE`].
    fn weight_inside(
        &mut self,
        given: Option<&'g Expr>,
        span: &Span,
        weigh: impl FnOnce(&mut Self) -> Num,
    ) {
        let weight = match given {
            None => {
                let num = weigh(self);
                self.emitter.held(num, span)
            }
            Some(condition) => {
                let otherwise = Num::of(OUTSIDE.into());
                self.chosen(
                    |reports, no| reports.jump_if(condition, false, no),
                    weigh,
                    otherwise,
                    span,
                )
            }
        };
        self.emitter.program.weights.push(as_shown(weight));
    }

    /// One number where a test holds, and another where it does not.
    fn chosen(
        &mut self,
        test: impl FnOnce(&mut Self, &mut Target) -> Option<bool>,
        then: impl FnOnce(&mut Self) -> Num,
        otherwise: Num,
        span: &Span,
    ) -> Num {
        let into = self.emitter.fresh(span);
        let mut no = Target::default();
        match test(self, &mut no) {
            Some(true) => {
                let num = then(self);
                return self.emitter.held(num, span);
            }
            Some(false) => {
                // A test before the one that decides may have written jumps.
                if !no.jumps.is_empty() {
                    self.emitter.land(no);
                }
                return otherwise;
            }
            None => {}
        }
        let first = then(self);
        self.emitter.put(into, first, span);
        let mut end = Target::default();
        self.emitter.jump(&mut end, span);
        self.emitter.land(no);
        self.emitter.put(into, otherwise, span);
        self.emitter.land(end);
        Num { range: first.range.as_number().or(otherwise.range), at: into }
    }

    /// The tally that an expression names, by its counter.
    fn tally_in(&self, expr: &Expr) -> Option<(u8, Span)> {
        let mut found = None;
        each_inner(expr, &mut |inner| {
            if let Says::Name(name) = &inner.what
                && let Some(counter) = self.scopes.tallies.iter().position(|tally| tally == name)
            {
                found = found.take().or(Some((counter as u8, inner.span.clone())));
            }
        });
        found
    }

    /// A figure of a tally.
    fn tallied(&mut self, figures: &'g [Figure], given: Option<&'g Expr>) -> (MeasureKind, Scale) {
        let nothing = (MeasureKind::Mean, Scale::ONE);
        let [figure] = figures else {
            let (_, span) =
                figures.iter().find_map(|f| self.tally_in(&f.value)).unwrap_or_default();
            let problem = "a tally is the only figure of its measure";
            self.emitter.wrong(&span, problem, "write two measures");
            self.weight_inside(None, &span, |_| Num::of(0));
            return nothing;
        };
        let (counter, span) = self.tally_in(&figure.value).unwrap_or_default();
        let scale = self.scale(&figure.scale);
        let kind = match figure_kind(figure) {
            MeasureKind::Event => {
                let figure = self.tally_chance(figure, given, &span);
                if scale != Scale::ONE {
                    let help = "leave the factor out";
                    self.emitter.wrong(&span, "a chance of a tally has no factor", help);
                }
                MeasureKind::Tallied(counter, figure)
            }
            _ if !matches!(figure.value.what, Says::Name(_)) => {
                let problem = format!("`{}` of a tally takes its name alone", figure.of.text);
                let help =
                    format!("`{}({})`", figure.of.text, self.scopes.tallies[usize::from(counter)]);
                self.emitter.wrong(&span, problem, help);
                self.weight_inside(None, &span, |_| Num::of(0));
                return nothing;
            }
            kind => {
                self.weight_inside(given, &span, |_| Num::of(0));
                match kind {
                    MeasureKind::Mean if given.is_none() => MeasureKind::Tally(counter),
                    MeasureKind::Mean => MeasureKind::Tallied(counter, TallyFigure::Mean),
                    MeasureKind::Deviation => MeasureKind::Tallied(counter, TallyFigure::Deviation),
                    MeasureKind::Quantile(share) => {
                        MeasureKind::Tallied(counter, TallyFigure::Quantile(share))
                    }
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
            let problem =
                format!("`{name}` may count down, and only its mean and spread are known");
            let help = format!("`tally {name} += … at least 0`, if it never counts down");
            self.emitter.wrong(&span, problem, help);
        }
        (kind, scale)
    }

    /// `chance(won and rounds <= 6)`: the weight is the bound of the tally where the other tests hold.
    fn tally_chance(
        &mut self,
        figure: &'g Figure,
        given: Option<&'g Expr>,
        span: &Span,
    ) -> TallyFigure {
        let mut tests = Vec::new();
        conjuncts(&figure.value, &mut tests);
        let (own, others): (Vec<_>, Vec<_>) =
            tests.into_iter().partition(|test| self.tally_in(test).is_some());
        let bound = match own.as_slice() {
            [test] => self.tally_bound(test),
            _ => None,
        };
        let Some((kind, less, bound)) = bound else {
            let problem = "a tally is compared once with a number";
            let help = "`chance(rounds <= 6)`, `chance(won and rounds <= 6)`";
            self.emitter.wrong(span, problem, help);
            self.weight_inside(None, span, |_| Num::of(0));
            return TallyFigure::AtMost;
        };
        let out_of_reach = match kind {
            TallyFigure::MoreThan => i64::from(i32::MAX),
            _ => -1,
        };
        self.weight_inside(given, span, |reports| {
            let test = |reports: &mut Self, no: &mut Target| {
                let decided = others.iter().map(|other| reports.jump_if(other, false, no));
                decided.fold(Some(true), |all, one| match (all, one) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                })
            };
            let weigh = |reports: &mut Self| {
                let bound = reports.whole(bound);
                reports.emitter.joined(Two::Sub, bound, Num::of(less), span)
            };
            reports.chosen(test, weigh, Num::of(out_of_reach), span)
        });
        kind
    }

    /// A tally compared with a number: as what, how much less the bound is, and the number.
    fn tally_bound(&self, test: &'g Expr) -> Option<(TallyFigure, i64, &'g Expr)> {
        let Says::Two(sign, a, b) = &test.what else { return None };
        let is_tally = |expr: &Expr| matches!(&expr.what, Says::Name(name) if self.scopes.tallies.contains(name));
        let (sign, bound) = match (is_tally(a), is_tally(b)) {
            (true, false) => (*sign, &**b),
            (false, true) => (mirrored(*sign), &**a),
            _ => return None,
        };
        if self.tally_in(bound).is_some() {
            return None;
        }
        match sign {
            Sign::Most => Some((TallyFigure::AtMost, 0, bound)),
            Sign::Less => Some((TallyFigure::AtMost, 1, bound)),
            Sign::More => Some((TallyFigure::MoreThan, 0, bound)),
            Sign::Least => Some((TallyFigure::MoreThan, 1, bound)),
            Sign::Is => Some((TallyFigure::Exactly, 0, bound)),
            _ => None,
        }
    }

    /// The product of the factors of a figure over its divisors, constant before the first die.
    fn scale(&mut self, factors: &'g [(Expr, bool)]) -> Scale {
        let (mut above, mut below) = (1_u64, 1_u64);
        for (factor, divides) in factors {
            let known = self.factor(factor, *divides);
            match divides {
                true => below = below.saturating_mul(known),
                false => above = above.saturating_mul(known),
            }
        }
        let whole = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        Scale { numerator: whole(above), denominator: whole(below) }
    }

    /// Evaluates one factor of a measure; 1 after a fault.
    fn factor(&mut self, factor: &'g Expr, divides: bool) -> u64 {
        let num = self.whole(factor);
        self.emitter.parameters.must_know(num);
        let problem = match num.known().map(u64::try_from) {
            Some(Ok(0)) if divides => "nothing can be divided by 0",
            Some(Ok(known)) => return known,
            Some(Err(_)) => "a factor is not negative",
            None if self.checks() => return 1,
            None => "a factor goes by fields",
        };
        self.emitter.wrong(&factor.span, problem, "");
        1
    }
}

/// How a figure is computed from the distribution of its number.
fn figure_kind(figure: &Figure) -> MeasureKind {
    let share = |numerator| MeasureKind::Quantile(Scale { numerator, denominator: 100 });
    match figure.of.text.as_str() {
        "chance" => MeasureKind::Event,
        "spread" => MeasureKind::Deviation,
        "median" => MeasureKind::Quantile(Scale { numerator: 1, denominator: 2 }),
        "quantile" => share(figure.percent.unwrap_or(50)),
        _ => MeasureKind::Mean,
    }
}

/// The tests that `and` joins.
fn conjuncts<'e>(expr: &'e Expr, into: &mut Vec<&'e Expr>) {
    match &expr.what {
        Says::Two(Sign::And, a, b) => {
            conjuncts(a, into);
            conjuncts(b, into);
        }
        _ => into.push(expr),
    }
}

/// The sign of a comparison with its sides swapped.
fn mirrored(sign: Sign) -> Sign {
    match sign {
        Sign::Less => Sign::More,
        Sign::Most => Sign::Least,
        Sign::More => Sign::Less,
        Sign::Least => Sign::Most,
        other => other,
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
