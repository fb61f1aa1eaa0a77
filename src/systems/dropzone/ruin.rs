//! What came of a piece of scenery and of those inside and around it, and how it is reported.
//!
//! Source: quick reference, SCENERY (Destructible) and COLLATERAL DAMAGE. How it comes to that is
//! told in `site.rs`.

use crate::combat::{Measure, OutcomeField};

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ruin {
    /// Damage Points lost by the piece.
    pub damage: u8,
    /// Whether it is destroyed.
    pub destroyed: bool,
    /// Tokens left on it.
    pub tokens: u8,
    /// Inches and hits of the fall; 0 when it stands.
    pub radius: u8,
    /// Damage Points lost inside.
    pub inside_damage: u16,
    /// Models destroyed inside.
    pub inside_destroyed: u8,
    /// Whether somebody was inside and nobody is left.
    pub inside_wiped: bool,
    /// Damage Points lost around it.
    pub around_damage: u16,
    /// Units destroyed around it.
    pub around_destroyed: u8,
}

type Column = OutcomeField<Ruin>;
type Number = Measure<Ruin>;

/// The fields of the outcome.
pub fn columns() -> Vec<Column> {
    vec![
        Column::new("damage", "Damage Points lost by the piece", |o| o.damage.into())
            .label("Damage Points lost by the piece")
            .unit("Damage Points")
            .rule("DAMAGE")
            .harm(20, "damage"),
        Column::new("destroyed", "whether the piece is destroyed", |o| o.destroyed.into())
            .label("piece destroyed")
            .rule("DAMAGE")
            .harm(80, "kill"),
        Column::new("tokens", "collateral damage tokens left on it", |o| o.tokens.into())
            .label("tokens left")
            .unit("tokens")
            .rule("COLLATERAL DAMAGE"),
        Column::new("radius", "inches and hits of the fall; 0: it stands", |o| o.radius.into())
            .label("reach of the fall")
            .unit("inches")
            .rule("Destructible"),
        Column::new("occupant_damage", "Damage Points lost inside", |o| o.inside_damage.into())
            .label("Damage Points lost inside")
            .unit("Damage Points")
            .rule("DAMAGE"),
        Column::new("occupants_destroyed", "models destroyed inside", |o| {
            o.inside_destroyed.into()
        })
        .label("models destroyed inside")
        .unit("models")
        .rule("DAMAGE"),
        Column::new("bystander_damage", "Damage Points lost around it", |o| o.around_damage.into())
            .label("Damage Points lost around it")
            .unit("Damage Points")
            .rule("DAMAGE"),
        Column::new("bystanders_destroyed", "units destroyed around it", |o| {
            o.around_destroyed.into()
        })
        .label("units destroyed around it")
        .unit("units")
        .rule("DAMAGE"),
    ]
}

/// The measures.
pub fn numbers() -> Vec<Number> {
    vec![
        Number::probability("p_damage", "the piece is damaged", |o| o.damage > 0)
            .label("piece damaged"),
        Number::probability("p_kill", "the piece is destroyed", |o| o.destroyed)
            .label("piece destroyed")
            .headline()
            .finishing(),
        Number::probability("p_occupants_wiped", "nobody inside is left", |o| o.inside_wiped)
            .label("nobody inside left"),
        Number::mean("e_damage", "Damage Points lost by the piece", |o| o.damage.into())
            .label("Damage Points lost by the piece on average")
            .unit("Damage Points"),
        Number::mean("e_tokens", "tokens left on it", |o| o.tokens.into())
            .label("tokens left on average")
            .unit("tokens"),
        Number::mean("e_occupant_damage", "Damage Points lost inside", |o| o.inside_damage.into())
            .label("Damage Points lost inside on average")
            .unit("Damage Points"),
        Number::mean("e_bystander_damage", "Damage Points lost around it", |o| {
            o.around_damage.into()
        })
        .label("Damage Points lost around it on average")
        .unit("Damage Points"),
    ]
}
