//! Outcome of an attack: counts over all targets, and the measures made from them.
//!
//! A unit counts for the effect of the attack on it: one that was broken before and stays broken is
//! not counted as broken. A unit broken and reduced counts as both; an eliminated one only as
//! eliminated.

use enfilade_model::combat::vocabulary_macros::{columns, measures};
use enfilade_model::combat::{Measure, OutcomeField, OutcomeVocabulary};

/// Counted event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedFireEvent {
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

const COUNTED_EVENT_KINDS: usize = 12;

/// Counts so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FireEventCounts([u8; COUNTED_EVENT_KINDS]);

impl FireEventCounts {
    /// Adds one event.
    pub fn count_event(&mut self, what: CountedFireEvent) {
        self.count_events(what, 1);
    }

    /// Adds `n` events.
    pub fn count_events(&mut self, what: CountedFireEvent, n: u8) {
        self.0[what as usize] = self.0[what as usize].saturating_add(n);
    }

    /// Returns the count of an event.
    pub fn count_of_event(&self, what: CountedFireEvent) -> i32 {
        self.0[what as usize].into()
    }

    fn has_any_harm(&self) -> bool {
        self.0[..=CountedFireEvent::Immobilised as usize].iter().any(|n| *n > 0)
    }

    fn has_eliminated_or_reduced(&self) -> bool {
        self.count_of_event(CountedFireEvent::Eliminated)
            + self.count_of_event(CountedFireEvent::Reduced)
            > 0
    }
}

/// Optional fields that an action reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptionalOutcomeFields {
    /// Whether `heat_of_battle` and its measure are reported.
    pub heat_of_battle: bool,
    /// Whether `replaced` is reported.
    pub replaced: bool,
    /// Whether `attacks` and its mean are reported.
    pub attacks: bool,
}

/// Returns the fields and measures of an action.
pub fn fire_fields_and_measures(
    extras: OptionalOutcomeFields,
) -> OutcomeVocabulary<FireEventCounts> {
    let (mut fields, mut measures) = (always_reported_fields(), always_reported_measures());
    if extras.heat_of_battle {
        fields.extend(columns! { o: FireEventCounts;
            /// morale checks that set off heat of battle
            heat_of_battle = count(o.count_of_event(CountedFireEvent::HeatOfBattle)).label("heat of battle set off")
                .unit("times").rule("A15.1").adds();
        });
        measures.extend(measures! { o: FireEventCounts;
            /// a morale check sets off heat of battle
            p_heat_of_battle = probability(o.count_of_event(CountedFireEvent::HeatOfBattle) > 0).label("heat of battle")
                .rule("A15.1").adds();
        });
    }
    if extras.replaced {
        fields.extend(columns! { o: FireEventCounts;
            /// units replaced by lower quality
            replaced = count(o.count_of_event(CountedFireEvent::Replaced)).label("units replaced").unit("units")
                .rule("A19.1").adds();
        });
    }
    if extras.attacks {
        fields.extend(columns! { o: FireEventCounts;
            /// attacks made
            attacks = count(o.count_of_event(CountedFireEvent::Attacks)).label("attacks made").unit("attacks").rule("A9.2").adds();
        });
        measures.extend(measures! { o: FireEventCounts;
            /// mean number of attacks made
            e_attacks = mean(o.count_of_event(CountedFireEvent::Attacks)).label("attacks made on average").unit("attacks")
                .rule("A9.2").adds();
        });
    }
    OutcomeVocabulary { fields, measures }
}

/// Returns the fields that are always reported.
fn always_reported_fields() -> Vec<OutcomeField<FireEventCounts>> {
    columns! { o: FireEventCounts;
        /// units eliminated
        eliminated = count(o.count_of_event(CountedFireEvent::Eliminated)).label("units eliminated").unit("units")
            .rule("A7.301").with_harm_degree(80, "kill").adds();
        /// squads that lost half and live on
        reduced = count(o.count_of_event(CountedFireEvent::Reduced)).label("squads reduced").unit("squads").rule("A7.302")
            .with_harm_degree(80, "kill").adds();
        /// units broken by the attack
        broken = count(o.count_of_event(CountedFireEvent::Broken)).label("units broken").unit("units")
            .rule("A7.301, A10.3").with_harm_degree(50, "break").adds();
        /// unbroken units pinned
        pinned = count(o.count_of_event(CountedFireEvent::Pinned)).label("units pinned").unit("units").rule("A7.8")
            .with_harm_degree(40, "pin").adds();
        /// leaders and heroes wounded
        wounded = count(o.count_of_event(CountedFireEvent::Wounded)).label("leaders and heroes wounded").unit("men")
            .rule("A17.11").with_harm_degree(60, "wound").adds();
        /// vehicles burning
        wrecked = count(o.count_of_event(CountedFireEvent::Wrecked)).label("vehicles burning").unit("vehicles")
            .rule("A7.308").with_harm_degree(80, "kill").adds();
        /// vehicles eliminated, not burning
        destroyed = count(o.count_of_event(CountedFireEvent::Destroyed)).label("vehicles eliminated").unit("vehicles")
            .rule("A7.308").with_harm_degree(80, "kill").adds();
        /// vehicles immobilised
        immobilised = count(o.count_of_event(CountedFireEvent::Immobilised)).label("vehicles immobilised").unit("vehicles")
            .rule("A7.308").with_harm_degree(70, "immobile").adds();
        /// machine guns that broke down
        malfunction = count(o.count_of_event(CountedFireEvent::Malfunction)).label("machine guns broken down")
            .unit("machine guns").rule("A9.7").adds();
    }
}

/// Returns the measures that are always reported.
fn always_reported_measures() -> Vec<Measure<FireEventCounts>> {
    measures! { o: FireEventCounts;
        /// a unit is eliminated or reduced
        p_kill = probability(o.has_eliminated_or_reduced()).label("killed").rule("A7.301, A7.302").with_target_disabled_role().adds();
        /// a unit breaks
        p_break = probability(o.count_of_event(CountedFireEvent::Broken) > 0).label("any break").rule("A7.301, A10.3").adds();
        /// a unit is pinned
        p_pin = probability(o.count_of_event(CountedFireEvent::Pinned) > 0).label("any pin").rule("A7.8").adds();
        /// anything happens to a target
        p_effect = probability(o.has_any_harm()).label("any effect").with_headline_role().adds();
        /// nothing happens to the targets
        p_no_effect = probability(!o.has_any_harm()).label("no effect");
        /// mean number of units eliminated
        e_eliminated = mean(o.count_of_event(CountedFireEvent::Eliminated)).label("units eliminated on average")
            .unit("units").rule("A7.301").adds();
        /// mean number of units broken
        e_broken = mean(o.count_of_event(CountedFireEvent::Broken)).label("units broken on average").unit("units")
            .rule("A7.301, A10.3").adds();
        /// mean number of units pinned
        e_pinned = mean(o.count_of_event(CountedFireEvent::Pinned)).label("units pinned on average").unit("units")
            .rule("A7.8").adds();
        /// a vehicle burns or is eliminated
        p_vehicle_kill = probability(o.count_of_event(CountedFireEvent::Wrecked) + o.count_of_event(CountedFireEvent::Destroyed) > 0)
            .label("any vehicle killed").rule("A7.308").adds();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malfunction_is_no_effect_on_the_target() {
        let mut tally = FireEventCounts::default();
        tally.count_event(CountedFireEvent::Malfunction);
        assert!(!tally.has_any_harm());
        tally.count_event(CountedFireEvent::Reduced);
        assert!(tally.has_any_harm() && tally.has_eliminated_or_reduced());
    }
}
