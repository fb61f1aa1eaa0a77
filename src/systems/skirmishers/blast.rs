//! What came of an explosion, and how it is reported. How it comes to that is told in `explosion.rs`.

use std::num::NonZeroU32;

use crate::combat::{Measure, OutcomeField, Scale};

/// What came of an explosion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Blast {
    /// Whether the attack hit the aimed dot.
    pub hit: bool,
    /// Troopers dead.
    pub dead: u8,
    /// Troopers at HP 0, not dead.
    pub out: u8,
}

impl Blast {
    /// Troopers dead or out of action.
    fn kills(&self) -> i32 {
        (self.dead + self.out).into()
    }
}

type Column = OutcomeField<Blast>;
type Number = Measure<Blast>;

/// The fields of the outcome.
pub fn columns() -> Vec<Column> {
    vec![
        Column::new("hit", "whether the attack hits the aimed dot", |o| o.hit.into())
            .label("aimed dot hit")
            .rule("Advanced Explosives"),
        Column::new("dead", "troopers dead", |o| o.dead.into())
            .label("dead")
            .unit("troopers")
            .rule("unit card")
            .harm(100, "dead"),
        Column::new("out_of_action", "troopers at HP 0, not dead", |o| o.out.into())
            .label("out of action")
            .unit("troopers")
            .rule("unit card")
            .harm(90, "out of action"),
    ]
}

/// The measures of every explosion.
pub fn numbers() -> Vec<Number> {
    vec![
        Number::probability("p_hit", "the attack hits the aimed dot", |o| o.hit)
            .label("aimed dot hit"),
        Number::probability("p_kill", "a trooper is dead or out of action", |o| o.kills() > 0)
            .label("dead or out of action")
            .headline()
            .finishing(),
        Number::probability("p_dead", "a trooper is dead", |o| o.dead > 0).label("dead"),
        Number::mean("e_dead", "troopers dead", |o| o.dead.into())
            .label("dead on average")
            .unit("troopers"),
        Number::mean("e_kills", "troopers dead or out of action", Blast::kills)
            .label("dead or out of action on average")
            .unit("troopers"),
    ]
}

/// What 100 PV buy of a weapon that costs `pv`.
pub fn per_100_pv(pv: NonZeroU32) -> Number {
    let scale = Scale { numerator: 100, denominator: pv.get() };
    let about = "troopers dead or out of action per 100 PV";
    Number::scaled_mean("kills_per_100_pv", about, scale, Blast::kills)
        .label("dead or out of action per 100 PV")
        .unit("troopers")
        .per_points()
}
