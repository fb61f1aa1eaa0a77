//! Outcome of an explosion, and its report. `explosion` plays the rules.

use std::num::NonZeroU32;

use enfilade_model::combat::vocabulary_macros::{columns, measures};
use enfilade_model::combat::{ExactRatio, Measure, OutcomeField};

/// Outcome of an explosion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExplosionOutcome {
    /// Rounds that hit the aimed dot.
    pub hits: u8,
    /// Number of troopers dead.
    pub dead: u8,
    /// Number of troopers at HP 0, not dead.
    pub out: u8,
}

impl ExplosionOutcome {
    /// Unit card: at HP 0 a trooper acts no more.
    ///
    /// Returns the number of troopers dead or out of action.
    fn count_dead_or_out(&self) -> i32 {
        (self.dead + self.out).into()
    }
}

/// Returns the fields of the outcome.
pub fn explosion_fields() -> Vec<OutcomeField<ExplosionOutcome>> {
    columns! { o: ExplosionOutcome;
        /// rounds that hit the aimed dot
        hit = count(o.hits).label("aimed dot hit").rule("Advanced Explosives");
        /// troopers dead
        dead = count(o.dead).label("dead").unit("troopers").rule("unit card").with_harm_degree(100, "dead");
        /// troopers at HP 0, not dead
        out_of_action = count(o.out).label("out of action").unit("troopers").rule("unit card")
            .with_harm_degree(90, "out of action");
    }
}

/// Returns the measures of every explosion.
pub fn explosion_measures() -> Vec<Measure<ExplosionOutcome>> {
    measures! { o: ExplosionOutcome;
        /// a round hits the aimed dot
        p_hit = probability(o.hits > 0).label("aimed dot hit");
        /// a trooper is dead or out of action
        p_kill = probability(o.count_dead_or_out() > 0).label("dead or out of action").with_headline_role().with_target_disabled_role();
        /// a trooper is dead
        p_dead = probability(o.dead > 0).label("dead");
        /// troopers dead
        e_dead = mean(o.dead).label("dead on average").unit("troopers");
        /// troopers dead or out of action
        e_kills = mean(o.count_dead_or_out()).label("dead or out of action on average").unit("troopers");
    }
}

/// Returns the measure of kills per 100 PV of a weapon that costs `pv`.
pub fn kills_per_100_pv_measure(pv: NonZeroU32) -> Vec<Measure<ExplosionOutcome>> {
    let scale = ExactRatio { numerator: 100, denominator: pv.get() };
    measures! { o: ExplosionOutcome;
        /// troopers dead or out of action per 100 PV
        kills_per_100_pv = mean(o.count_dead_or_out()).with_exact_factor(scale).label("dead or out of action per 100 PV")
            .unit("troopers").with_per_points_role();
    }
}
