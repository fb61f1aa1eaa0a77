//! The kinds of units of a contest, with all properties that no die changes.
//!
//! The forms that a unit can turn into (its half-squad, the lower quality that replaces it) are
//! separate profiles, created once when the contest is built.

use enfilade_model::form::field_macros::choice;

use super::attack_outcome::{CountedFireEvent, FireEventCounts};
use super::unit_stack::{BROKEN, ELIMINATED, PINNED, StackUnit, UnitStack, WOUNDED_NOW};
use enfilade_model::combat::FieldChange;
use enfilade_model::static_or_shared::Text;

choice! {
    /// Kind of a unit.
    pub enum UnitKind {
        /// Squad.
        Squad = "squad",
        /// Half-squad.
        HalfSquad = "half-squad",
        /// Crew.
        Crew = "crew",
        /// Leader.
        Leader = "leader",
        /// Hero.
        Hero = "hero",
    }
}

impl UnitKind {
    /// Returns whether the kind is a single man, which is wounded where others are reduced
    /// (A7.302).
    pub fn is_single_man(self) -> bool {
        matches!(self, UnitKind::Leader | UnitKind::Hero)
    }
}

/// Properties of a kind of unit that no die changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitProfile {
    /// Name: `4-4-7`.
    pub label: String,
    /// Kind of the unit.
    pub kind: UnitKind,
    /// Morale in Good Order, encirclement included.
    pub morale: i32,
    /// Morale on the broken side, encirclement included.
    pub broken_morale: i32,
    /// Leadership modifier of a leader.
    pub leadership: Option<i32>,
    /// Profile of the half-squad.
    pub half: Option<u8>,
    /// Profile of the lower quality that replaces the unit.
    pub replaced_by: Option<u8>,
    /// Whether the unit cannot break and is not pinned: heroes and berserk units.
    pub steadfast: bool,
    /// Whether the unit is not pinned, though it can break: Cavalry, and units that are Aerial,
    /// climb or are in water (A7.8).
    pub unpinnable: bool,
    /// Set of modifiers of the target itself, by its index in the attacks.
    pub shelter: u8,
    /// Condition before the attack.
    pub before: UnitConditionBeforeAttack,
    /// Whether the unit is the rest of a squad.
    pub is_remnant: bool,
    /// Whether the unit has been replaced by lower quality.
    pub is_replacement: bool,
    /// Standing of the leader that this one replaces.
    pub replaces: Option<LeaderMoraleAndModifier>,
}

/// Standing of a leader among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaderMoraleAndModifier {
    /// Morale, encirclement included.
    pub morale: i32,
    /// Leadership modifier.
    pub leadership: i32,
}

impl UnitProfile {
    /// Returns the standing of a leader on the broken side, or until it broke: a leader replaced at
    /// that moment counts as the better one (A19.1).
    pub fn leader_rank_if_broken(&self, broken: bool) -> LeaderMoraleAndModifier {
        let leadership = self.leadership.unwrap_or(0);
        if broken {
            return LeaderMoraleAndModifier { morale: self.broken_morale, leadership };
        }
        self.replaces.unwrap_or(LeaderMoraleAndModifier { morale: self.morale, leadership })
    }
}

/// Condition of a unit before the attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitConditionBeforeAttack {
    /// Whether the unit was broken.
    pub broken: bool,
    /// Whether the unit was pinned.
    pub pinned: bool,
    /// Whether the unit was wounded.
    pub wounded: bool,
}

/// New values of the fields of a target: numbers, words and names by their index in their list.
pub type TargetFieldValues = Vec<(&'static str, i32)>;

/// Target of the contest that a profile came from, with the fields that differ from it.
#[derive(Clone, Debug, Default)]
pub struct OriginalTargetAndChanges {
    /// Index of the target in the contest.
    pub target: usize,
    /// Fields that differ.
    pub changes: TargetFieldValues,
}

/// Profiles of a contest.
#[derive(Clone, Debug, Default)]
pub struct ProfileRoster {
    profiles: Vec<UnitProfile>,
    /// Target that each profile came from, the first one where several are equal.
    origins: Vec<OriginalTargetAndChanges>,
}

impl ProfileRoster {
    /// Returns the number of `profile`, which is added unless an equal one is present.
    ///
    /// `None` when there are more profiles than a unit can number.
    pub fn find_or_add_profile(
        &mut self,
        profile: UnitProfile,
        origin: OriginalTargetAndChanges,
    ) -> Option<u8> {
        let place = match self.profiles.iter().position(|known| *known == profile) {
            Some(place) => place,
            None => {
                self.profiles.push(profile);
                self.origins.push(origin);
                self.profiles.len() - 1
            }
        };
        let number = u8::try_from(place).ok();
        number.filter(|_| place < super::unit_stack::MAX_UNIT_PROFILES)
    }

    /// Returns the profile of a unit.
    pub fn profile_of(&self, unit: StackUnit) -> &UnitProfile {
        &self.profiles[usize::from(unit.profile_index())]
    }

    /// Creates the unit in its condition before the attack.
    pub fn new_unit(&self, profile: u8) -> StackUnit {
        let unit = StackUnit::new(profile);
        let before = self.profile_of(unit).before;
        let unit = if before.broken { unit.into_broken() } else { unit };
        if before.pinned { unit.with_mark(PINNED) } else { unit }
    }

    /// Returns the current morale level of a unit.
    pub fn current_morale(&self, unit: StackUnit) -> i32 {
        let profile = self.profile_of(unit);
        if unit.has_mark(BROKEN) { profile.broken_morale } else { profile.morale }
    }

    /// Returns whether the unit is a leader.
    pub fn is_leader(&self, unit: StackUnit) -> bool {
        self.profile_of(unit).leadership.is_some()
    }

    /// Returns whether the unit can be pinned: unbroken, and not immune (A7.8).
    pub fn is_susceptible_to_pins(&self, unit: StackUnit) -> bool {
        let profile = self.profile_of(unit);
        !unit.has_mark(BROKEN) && !profile.steadfast && !profile.unpinnable
    }

    /// Counts the effect of the attack on a unit that lives.
    pub fn count_survivor_effects(&self, unit: StackUnit, tally: &mut FireEventCounts) {
        let profile = self.profile_of(unit);
        let changes = [
            (profile.is_remnant, CountedFireEvent::Reduced),
            (unit.has_mark(BROKEN) && !profile.before.broken, CountedFireEvent::Broken),
            (unit.has_mark(PINNED) && !profile.before.pinned, CountedFireEvent::Pinned),
            (unit.has_mark(WOUNDED_NOW), CountedFireEvent::Wounded),
            (profile.is_replacement, CountedFireEvent::Replaced),
        ];
        for (happened, what) in changes {
            tally.count_events(what, happened.into());
        }
    }

    /// Describes a unit: `broken 4-4-7`, `half-squad of 4-4-7`.
    pub fn describe_unit(&self, unit: StackUnit) -> String {
        let state = match (unit.has_mark(BROKEN), unit.has_mark(PINNED)) {
            (true, _) => "broken ",
            (_, true) => "pinned ",
            _ => "",
        };
        format!("{state}{}", self.profile_of(unit).label)
    }
}

impl ProfileRoster {
    /// Returns the field `target` after an attack: a table for each living unit.
    pub fn living_targets_after_attack(&self, stack: &UnitStack) -> FieldChange {
        let living = stack.sorted_units().iter().filter(|unit| !unit.has_mark(ELIMINATED));
        FieldChange::Tables(
            Text::Static("target"),
            living.map(|unit| self.target_index_and_changes(*unit)).collect(),
        )
    }

    /// Returns the index of a unit's target, and the fields that differ now.
    fn target_index_and_changes(&self, unit: StackUnit) -> (usize, Vec<(Text, i32)>) {
        let OriginalTargetAndChanges { target, changes } =
            &self.origins[usize::from(unit.profile_index())];
        let wounded = unit.has_mark(WOUNDED_NOW) || self.profile_of(unit).before.wounded;
        let marks = [
            ("broken", unit.has_mark(BROKEN)),
            ("pinned", unit.has_mark(PINNED)),
            ("wounded", wounded),
        ];
        let marks = marks.map(|(field, on)| (field, i32::from(on)));
        let changed_fields = changes.iter().copied().chain(marks);
        (*target, changed_fields.map(|(field, number)| (Text::Static(field), number)).collect())
    }

    /// Returns the profile of the half-squad of a profile.
    pub fn half_squad_profile_index(&self, profile: u8) -> Option<u8> {
        self.profile_of(StackUnit::new(profile)).half
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asl::unit_stack::MAX_UNIT_PROFILES;

    #[test]
    fn a_roster_has_room_for_as_many_kinds_as_a_unit_can_number() {
        let squad = |morale: usize| UnitProfile {
            label: "squad".to_owned(),
            kind: UnitKind::Squad,
            morale: morale as i32,
            broken_morale: 7,
            leadership: None,
            half: None,
            replaced_by: None,
            steadfast: false,
            unpinnable: false,
            shelter: 0,
            before: UnitConditionBeforeAttack::default(),
            is_remnant: false,
            is_replacement: false,
            replaces: None,
        };
        let mut roster = ProfileRoster::default();
        for place in 0..MAX_UNIT_PROFILES {
            assert_eq!(
                roster
                    .find_or_add_profile(squad(place), OriginalTargetAndChanges::default())
                    .map(usize::from),
                Some(place)
            );
        }
        assert_eq!(
            roster.find_or_add_profile(squad(3), OriginalTargetAndChanges::default()),
            Some(3)
        );
        assert_eq!(
            roster
                .find_or_add_profile(squad(MAX_UNIT_PROFILES), OriginalTargetAndChanges::default()),
            None
        );
    }
}
