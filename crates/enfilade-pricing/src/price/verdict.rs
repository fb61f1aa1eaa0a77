//! Whether a price is right: fine, over, under, or nobody can tell.
//!
//! Each is a test. A price is *fine* when the 90 % interval lies within the tolerance of it: two
//! one-sided tests at 5 % (Schuirmann 1987). It is *over* or *under* when the 95 % interval excludes
//! it and the best guess is off by more than the tolerance: what is too small to matter is not
//! called wrong, however sure it is. All else cannot be told, and below [`OPPONENTS`] opponents
//! nothing can.

use super::doubt::Doubt;
use enfilade_engine::exact::approximation::Approximation;

/// How far a price may be off and still be fine, where nobody says otherwise.
pub const TOLERANCE: f64 = 0.25;

/// Opponents below which there are intervals and no verdicts.
pub const OPPONENTS: usize = 3;

/// What a price is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Right, within the tolerance.
    Fine,
    /// Too high.
    Over,
    /// Too low.
    Under,
    /// Neither is shown.
    CannotTell,
}

impl Verdict {
    /// The verdict on a price whose log is off by `residual` from the best guess.
    pub fn of(residual: f64, doubt: &Doubt, tolerance: f64, opponents: usize) -> Verdict {
        let off = residual.abs();
        let within = tolerance.ln_1p();
        if opponents < OPPONENTS {
            Verdict::CannotTell
        } else if at_most(off + doubt.half(0.10), within) {
            Verdict::Fine
        // What is too small to matter is not called wrong, however sure it is.
        } else if at_most(off, doubt.half(0.05)) || at_most(off, within) {
            Verdict::CannotTell
        } else if residual > 0.0 {
            Verdict::Over
        } else {
            Verdict::Under
        }
    }

    /// `fine`, `over`, `under` or `cannot tell`.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Fine => "fine",
            Verdict::Over => "over",
            Verdict::Under => "under",
            Verdict::CannotTell => "cannot tell",
        }
    }

    /// Whether the price is found wrong.
    pub fn wrong(self) -> bool {
        matches!(self, Verdict::Over | Verdict::Under)
    }
}

/// Whether a number is at most another; a price that is off by the tolerance is within it.
fn at_most(a: f64, b: f64) -> bool {
    Approximation::computed(a).is_at_most(Approximation::computed(b))
}

#[cfg(test)]
mod tests {
    use super::super::pool::Known;
    use super::super::spread::Levels;
    use super::*;

    /// A doubt whose half widths are 1.96 and 1.645 times this.
    fn doubt(error: f64) -> Doubt {
        let known = Known {
            levels: Levels { opponents: error * error, ..Levels::default() },
            df: f64::INFINITY,
            effects: Vec::new(),
        };
        Doubt::alone(known, 0.1)
    }

    /// ln 1.25 is 0.2231.
    #[test]
    fn verdicts_are_tests() {
        let of = |residual: f64, error: f64| Verdict::of(residual, &doubt(error), 0.25, 3);
        // 1.645 · 0.1 = 0.1645.
        assert_eq!(of(0.05, 0.1), Verdict::Fine);
        assert_eq!(of(-0.05, 0.1), Verdict::Fine);
        assert_eq!(of(0.07, 0.1), Verdict::CannotTell);
        assert_eq!(of(0.21, 0.1), Verdict::CannotTell);
        assert_eq!(of(0.23, 0.1), Verdict::Over);
        assert_eq!(of(-0.23, 0.1), Verdict::Under);
        assert_eq!(of(-0.23, 0.12), Verdict::CannotTell);
        // Off by 25 % to the last digit or two, up and down, and sure: within the tolerance.
        let edge = 0.25f64.ln_1p();
        for off in [edge, edge * (1.0 + 4.0 * f64::EPSILON), -edge * (1.0 + 4.0 * f64::EPSILON)] {
            assert_eq!(of(off, 1e-15), Verdict::Fine, "{off}");
        }
        assert_eq!(of(edge * (1.0 + 1e-9), 1e-15), Verdict::Over);
        // Sure, and too small to matter.
        assert_eq!(of(0.2, 0.03), Verdict::CannotTell);
        assert_eq!(Verdict::of(2.0, &doubt(0.1), 0.25, 2), Verdict::CannotTell);
    }
}
