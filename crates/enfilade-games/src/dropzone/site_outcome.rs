//! Outcome for a piece of scenery and the units inside and around it, and its report.
//!
//! Source: quick reference, SCENERY (Destructible) and COLLATERAL DAMAGE. `site` plays the
//! rules.

use enfilade_model::combat::vocabulary_macros::{columns, measures};
use enfilade_model::combat::{Measure, OutcomeField};

/// Outcome for a piece of scenery and the units inside and around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SceneryOutcome {
    /// Damage Points lost by the piece.
    pub damage: u8,
    /// Whether the piece is destroyed.
    pub destroyed: bool,
    /// Tokens left on the piece.
    pub tokens: u8,
    /// Inches and hits of the fall; 0 when the piece did not fall.
    pub radius: u8,
    /// Damage Points lost inside.
    pub inside_damage: u16,
    /// Models destroyed inside.
    pub inside_destroyed: u8,
    /// Whether there were squads inside and none is left.
    pub inside_wiped: bool,
    /// Damage Points lost around it.
    pub around_damage: u16,
    /// Units destroyed around it.
    pub around_destroyed: u8,
}

/// Returns the fields of the outcome.
pub fn site_outcome_fields() -> Vec<OutcomeField<SceneryOutcome>> {
    columns! { o: SceneryOutcome;
        /// Damage Points lost by the piece
        damage = count(o.damage).label("Damage Points lost by the piece").unit("Damage Points")
            .rule("DAMAGE").with_harm_degree(20, "damage");
        /// whether the piece is destroyed
        destroyed = count(o.destroyed).label("piece destroyed").rule("DAMAGE").with_harm_degree(80, "kill");
        /// collateral damage tokens left on it
        tokens = count(o.tokens).label("tokens left").unit("tokens").rule("COLLATERAL DAMAGE");
        /// inches and hits of the fall; 0: no fall
        radius = count(o.radius).label("reach of the fall").unit("inches").rule("Destructible");
        /// Damage Points lost inside
        occupant_damage = count(o.inside_damage).label("Damage Points lost inside")
            .unit("Damage Points").rule("DAMAGE");
        /// models destroyed inside
        occupants_destroyed = count(o.inside_destroyed).label("models destroyed inside")
            .unit("models").rule("DAMAGE");
        /// Damage Points lost around it
        bystander_damage = count(o.around_damage).label("Damage Points lost around it")
            .unit("Damage Points").rule("DAMAGE");
        /// units destroyed around it
        bystanders_destroyed = count(o.around_destroyed).label("units destroyed around it")
            .unit("units").rule("DAMAGE");
    }
}

/// Returns the measures.
pub fn site_outcome_measures() -> Vec<Measure<SceneryOutcome>> {
    measures! { o: SceneryOutcome;
        /// the piece is damaged
        p_damage = probability(o.damage > 0).label("piece damaged");
        /// the piece is destroyed
        p_kill = probability(o.destroyed).label("piece destroyed").with_headline_role().with_target_disabled_role();
        /// nobody inside is left
        p_occupants_wiped = probability(o.inside_wiped).label("nobody inside left");
        /// Damage Points lost by the piece
        e_damage = mean(o.damage).label("Damage Points lost by the piece on average")
            .unit("Damage Points");
        /// tokens left on it
        e_tokens = mean(o.tokens).label("tokens left on average").unit("tokens");
        /// Damage Points lost inside
        e_occupant_damage = mean(o.inside_damage).label("Damage Points lost inside on average")
            .unit("Damage Points");
        /// Damage Points lost around it
        e_bystander_damage = mean(o.around_damage).label("Damage Points lost around it on average")
            .unit("Damage Points");
    }
}
