//! The kinds of units of a contest, with all properties that no die changes.
//!
//! The forms that a unit can turn into (its half-squad, the lower quality that replaces it) are
//! separate profiles, created once when the contest is built.

use enfilade_model::form::field_macros::choice;

use super::tally::{Count, Tally};
use super::unit_stack::{BROKEN, DEAD, PINNED, Stack, Unit, WOUNDED};
use enfilade_model::combat::Later;
use enfilade_model::shared::Text;

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
    pub fn is_single(self) -> bool {
        matches!(self, UnitKind::Leader | UnitKind::Hero)
    }
}

/// Properties of a kind of unit that no die changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
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
    pub before: Before,
    /// Whether the unit is the rest of a squad.
    pub is_remnant: bool,
    /// Whether the unit has been replaced by lower quality.
    pub is_replacement: bool,
    /// Standing of the leader that this one replaces.
    pub replaces: Option<Standing>,
}

/// Standing of a leader among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Morale, encirclement included.
    pub morale: i32,
    /// Leadership modifier.
    pub leadership: i32,
}

impl Profile {
    /// Returns the standing of a leader on the broken side, or until it broke: a leader replaced at
    /// that moment counts as the better one (A19.1).
    pub fn standing(&self, broken: bool) -> Standing {
        let leadership = self.leadership.unwrap_or(0);
        if broken {
            return Standing { morale: self.broken_morale, leadership };
        }
        self.replaces.unwrap_or(Standing { morale: self.morale, leadership })
    }
}

/// Condition of a unit before the attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Whether the unit was broken.
    pub broken: bool,
    /// Whether the unit was pinned.
    pub pinned: bool,
    /// Whether the unit was wounded.
    pub wounded: bool,
}

/// New values of the fields of a target: numbers, words and names by their index in their list.
pub type FieldChanges = Vec<(&'static str, i32)>;

/// Target of the contest that a profile came from, with the fields that differ from it.
#[derive(Clone, Debug, Default)]
pub struct TargetChange {
    /// Index of the target in the contest.
    pub target: usize,
    /// Fields that differ.
    pub changes: FieldChanges,
}

/// Profiles of a contest.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    profiles: Vec<Profile>,
    /// Target that each profile came from, the first one where several are equal.
    origins: Vec<TargetChange>,
}

impl Roster {
    /// Returns the number of `profile`, which is added unless an equal one is present.
    ///
    /// `None` when there are more profiles than a unit can number.
    pub fn enter(&mut self, profile: Profile, origin: TargetChange) -> Option<u8> {
        let place = match self.profiles.iter().position(|known| *known == profile) {
            Some(place) => place,
            None => {
                self.profiles.push(profile);
                self.origins.push(origin);
                self.profiles.len() - 1
            }
        };
        let number = u8::try_from(place).ok();
        number.filter(|_| place < super::unit_stack::MAX_PROFILES)
    }

    /// Returns the profile of a unit.
    pub fn of(&self, unit: Unit) -> &Profile {
        &self.profiles[usize::from(unit.profile())]
    }

    /// Creates the unit in its condition before the attack.
    pub fn fresh(&self, profile: u8) -> Unit {
        let unit = Unit::new(profile);
        let before = self.of(unit).before;
        let unit = if before.broken { unit.broken() } else { unit };
        if before.pinned { unit.with(PINNED) } else { unit }
    }

    /// Returns the current morale level of a unit.
    pub fn morale(&self, unit: Unit) -> i32 {
        let profile = self.of(unit);
        if unit.has(BROKEN) { profile.broken_morale } else { profile.morale }
    }

    /// Returns whether the unit is a leader.
    pub fn is_leader(&self, unit: Unit) -> bool {
        self.of(unit).leadership.is_some()
    }

    /// Returns whether the unit can be pinned: unbroken, and not immune (A7.8).
    pub fn can_be_pinned(&self, unit: Unit) -> bool {
        let profile = self.of(unit);
        !unit.has(BROKEN) && !profile.steadfast && !profile.unpinnable
    }

    /// Counts the effect of the attack on a unit that lives.
    pub fn count(&self, unit: Unit, tally: &mut Tally) {
        let profile = self.of(unit);
        let changes = [
            (profile.is_remnant, Count::Reduced),
            (unit.has(BROKEN) && !profile.before.broken, Count::Broken),
            (unit.has(PINNED) && !profile.before.pinned, Count::Pinned),
            (unit.has(WOUNDED), Count::Wounded),
            (profile.is_replacement, Count::Replaced),
        ];
        for (happened, what) in changes {
            tally.add_many(what, happened.into());
        }
    }

    /// Describes a unit: `broken 4-4-7`, `half-squad of 4-4-7`.
    pub fn describe(&self, unit: Unit) -> String {
        let state = match (unit.has(BROKEN), unit.has(PINNED)) {
            (true, _) => "broken ",
            (_, true) => "pinned ",
            _ => "",
        };
        format!("{state}{}", self.of(unit).label)
    }
}

impl Roster {
    /// Returns the field `target` after an attack: a table for each living unit.
    pub fn left(&self, stack: &Stack) -> Later {
        let living = stack.units().iter().filter(|unit| !unit.has(DEAD));
        Later::Tables(Text::Static("target"), living.map(|unit| self.row(*unit)).collect())
    }

    /// Returns the index of a unit's target, and the fields that differ now.
    fn row(&self, unit: Unit) -> (usize, Vec<(Text, i32)>) {
        let TargetChange { target, changes } = &self.origins[usize::from(unit.profile())];
        let wounded = unit.has(WOUNDED) || self.of(unit).before.wounded;
        let marks =
            [("broken", unit.has(BROKEN)), ("pinned", unit.has(PINNED)), ("wounded", wounded)];
        let marks = marks.map(|(field, on)| (field, i32::from(on)));
        let said = changes.iter().copied().chain(marks);
        (*target, said.map(|(field, number)| (Text::Static(field), number)).collect())
    }

    /// Returns the profile of the half-squad of a profile.
    pub fn half_of(&self, profile: u8) -> Option<u8> {
        self.of(Unit::new(profile)).half
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asl::unit_stack::MAX_PROFILES;

    #[test]
    fn a_roster_has_room_for_as_many_kinds_as_a_unit_can_number() {
        let squad = |morale: usize| Profile {
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
            before: Before::default(),
            is_remnant: false,
            is_replacement: false,
            replaces: None,
        };
        let mut roster = Roster::default();
        for place in 0..MAX_PROFILES {
            assert_eq!(
                roster.enter(squad(place), TargetChange::default()).map(usize::from),
                Some(place)
            );
        }
        assert_eq!(roster.enter(squad(3), TargetChange::default()), Some(3));
        assert_eq!(roster.enter(squad(MAX_PROFILES), TargetChange::default()), None);
    }
}
