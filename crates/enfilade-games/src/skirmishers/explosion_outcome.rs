//! Outcome of an explosion, and its report. `explosion` plays the rules.

use std::num::NonZeroU32;

use enfilade_model::combat::vocabulary_macros::{columns, measures};
use enfilade_model::combat::{Measure, OutcomeField, Scale};

/// Outcome of an explosion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    /// Rounds that hit the aimed dot.
    pub hits: u8,
    /// Number of troopers dead.
    pub dead: u8,
    /// Number of troopers at HP 0, not dead.
    pub out: u8,
}

impl Outcome {
    /// Unit card: at HP 0 a trooper acts no more.
    ///
    /// Returns the number of troopers dead or out of action.
    fn kills(&self) -> i32 {
        (self.dead + self.out).into()
    }
}

/// Returns the fields of the outcome.
pub fn columns() -> Vec<OutcomeField<Outcome>> {
    columns! { o: Outcome;
        /// rounds that hit the aimed dot
        hit = count(o.hits).label("aimed dot hit").rule("Advanced Explosives");
        /// troopers dead
        dead = count(o.dead).label("dead").unit("troopers").rule("unit card").harm(100, "dead");
        /// troopers at HP 0, not dead
        out_of_action = count(o.out).label("out of action").unit("troopers").rule("unit card")
            .harm(90, "out of action");
    }
}

/// Returns the measures of every explosion.
pub fn numbers() -> Vec<Measure<Outcome>> {
    measures! { o: Outcome;
        /// a round hits the aimed dot
        p_hit = probability(o.hits > 0).label("aimed dot hit");
        /// a trooper is dead or out of action
        p_kill = probability(o.kills() > 0).label("dead or out of action").headline().finishing();
        /// a trooper is dead
        p_dead = probability(o.dead > 0).label("dead");
        /// troopers dead
        e_dead = mean(o.dead).label("dead on average").unit("troopers");
        /// troopers dead or out of action
        e_kills = mean(o.kills()).label("dead or out of action on average").unit("troopers");
    }
}

/// Returns the measure of kills per 100 PV of a weapon that costs `pv`.
pub fn per_100_pv(pv: NonZeroU32) -> Vec<Measure<Outcome>> {
    let scale = Scale { numerator: 100, denominator: pv.get() };
    measures! { o: Outcome;
        /// troopers dead or out of action per 100 PV
        kills_per_100_pv = mean(o.kills()).scaled(scale).label("dead or out of action per 100 PV")
            .unit("troopers").per_points();
    }
}
