//! Outcome of an attack: counts over all targets, and the measures made from them.
//!
//! A unit counts for the effect of the attack on it: one that was broken before and stays broken is
//! not counted as broken. A unit broken and reduced counts as both; an eliminated one only as
//! eliminated.

use enfilade_model::combat::vocabulary_macros::{columns, measures};
use enfilade_model::combat::{Measure, OutcomeField, Vocabulary};

/// Counted event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Units eliminated.
    Eliminated,
    /// Squads that lost a half-squad and live on.
    Reduced,
    /// Units broken.
    Broken,
    /// Unbroken units pinned.
    Pinned,
    /// Single men wounded.
    Wounded,
    /// Vehicles burning.
    Wrecked,
    /// Vehicles eliminated without burning.
    Destroyed,
    /// Vehicles immobilised.
    Immobilised,
    /// Machine guns that broke down.
    Malfunction,
    /// Morale checks that set off heat of battle.
    HeatOfBattle,
    /// Units replaced by lower quality.
    Replaced,
    /// Attacks made.
    Attacks,
}

const COUNTS: usize = 12;

/// Counts so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally([u8; COUNTS]);

impl Tally {
    /// Adds one event.
    pub fn add(&mut self, what: Count) {
        self.add_many(what, 1);
    }

    /// Adds `n` events.
    pub fn add_many(&mut self, what: Count, n: u8) {
        self.0[what as usize] = self.0[what as usize].saturating_add(n);
    }

    /// Returns the count of an event.
    pub fn of(&self, what: Count) -> i32 {
        self.0[what as usize].into()
    }

    fn harmed(&self) -> bool {
        self.0[..=Count::Immobilised as usize].iter().any(|n| *n > 0)
    }

    fn killed(&self) -> bool {
        self.of(Count::Eliminated) + self.of(Count::Reduced) > 0
    }
}

/// Optional fields that an action reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Whether `heat_of_battle` and its measure are reported.
    pub heat_of_battle: bool,
    /// Whether `replaced` is reported.
    pub replaced: bool,
    /// Whether `attacks` and its mean are reported.
    pub attacks: bool,
}

/// Returns the fields and measures of an action.
pub fn vocabulary(extras: Extras) -> Vocabulary<Tally> {
    let (mut fields, mut measures) = (on_everybody(), measured());
    if extras.heat_of_battle {
        fields.extend(columns! { o: Tally;
            /// morale checks that set off heat of battle
            heat_of_battle = count(o.of(Count::HeatOfBattle)).label("heat of battle set off")
                .unit("times").rule("A15.1").adds();
        });
        measures.extend(measures! { o: Tally;
            /// a morale check sets off heat of battle
            p_heat_of_battle = probability(o.of(Count::HeatOfBattle) > 0).label("heat of battle")
                .rule("A15.1").adds();
        });
    }
    if extras.replaced {
        fields.extend(columns! { o: Tally;
            /// units replaced by lower quality
            replaced = count(o.of(Count::Replaced)).label("units replaced").unit("units")
                .rule("A19.1").adds();
        });
    }
    if extras.attacks {
        fields.extend(columns! { o: Tally;
            /// attacks made
            attacks = count(o.of(Count::Attacks)).label("attacks made").unit("attacks").rule("A9.2").adds();
        });
        measures.extend(measures! { o: Tally;
            /// mean number of attacks made
            e_attacks = mean(o.of(Count::Attacks)).label("attacks made on average").unit("attacks")
                .rule("A9.2").adds();
        });
    }
    Vocabulary { fields, measures }
}

/// Returns the fields that are always reported.
fn on_everybody() -> Vec<OutcomeField<Tally>> {
    columns! { o: Tally;
        /// units eliminated
        eliminated = count(o.of(Count::Eliminated)).label("units eliminated").unit("units")
            .rule("A7.301").harm(80, "kill").adds();
        /// squads that lost half and live on
        reduced = count(o.of(Count::Reduced)).label("squads reduced").unit("squads").rule("A7.302")
            .harm(80, "kill").adds();
        /// units broken by the attack
        broken = count(o.of(Count::Broken)).label("units broken").unit("units")
            .rule("A7.301, A10.3").harm(50, "break").adds();
        /// unbroken units pinned
        pinned = count(o.of(Count::Pinned)).label("units pinned").unit("units").rule("A7.8")
            .harm(40, "pin").adds();
        /// leaders and heroes wounded
        wounded = count(o.of(Count::Wounded)).label("leaders and heroes wounded").unit("men")
            .rule("A17.11").harm(60, "wound").adds();
        /// vehicles burning
        wrecked = count(o.of(Count::Wrecked)).label("vehicles burning").unit("vehicles")
            .rule("A7.308").harm(80, "kill").adds();
        /// vehicles eliminated, not burning
        destroyed = count(o.of(Count::Destroyed)).label("vehicles eliminated").unit("vehicles")
            .rule("A7.308").harm(80, "kill").adds();
        /// vehicles immobilised
        immobilised = count(o.of(Count::Immobilised)).label("vehicles immobilised").unit("vehicles")
            .rule("A7.308").harm(70, "immobile").adds();
        /// machine guns that broke down
        malfunction = count(o.of(Count::Malfunction)).label("machine guns broken down")
            .unit("machine guns").rule("A9.7").adds();
    }
}

/// Returns the measures that are always reported.
fn measured() -> Vec<Measure<Tally>> {
    measures! { o: Tally;
        /// a unit is eliminated or reduced
        p_kill = probability(o.killed()).label("killed").rule("A7.301, A7.302").finishing().adds();
        /// a unit breaks
        p_break = probability(o.of(Count::Broken) > 0).label("any break").rule("A7.301, A10.3").adds();
        /// a unit is pinned
        p_pin = probability(o.of(Count::Pinned) > 0).label("any pin").rule("A7.8").adds();
        /// anything happens to a target
        p_effect = probability(o.harmed()).label("any effect").headline().adds();
        /// nothing happens to the targets
        p_no_effect = probability(!o.harmed()).label("no effect");
        /// mean number of units eliminated
        e_eliminated = mean(o.of(Count::Eliminated)).label("units eliminated on average")
            .unit("units").rule("A7.301").adds();
        /// mean number of units broken
        e_broken = mean(o.of(Count::Broken)).label("units broken on average").unit("units")
            .rule("A7.301, A10.3").adds();
        /// mean number of units pinned
        e_pinned = mean(o.of(Count::Pinned)).label("units pinned on average").unit("units")
            .rule("A7.8").adds();
        /// a vehicle burns or is eliminated
        p_vehicle_kill = probability(o.of(Count::Wrecked) + o.of(Count::Destroyed) > 0)
            .label("any vehicle killed").rule("A7.308").adds();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malfunction_is_no_effect_on_the_target() {
        let mut tally = Tally::default();
        tally.add(Count::Malfunction);
        assert!(!tally.harmed());
        tally.add(Count::Reduced);
        assert!(tally.harmed() && tally.killed());
    }
}
