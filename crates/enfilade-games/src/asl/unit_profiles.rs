//! The kinds of units a contest has, with everything about them that no die changes.
//!
//! What a unit turns into (its half-squad, the lower quality that replaces it) is a profile of its
//! own, made once when the contest is built.

use enfilade_model::form::field_macros::choice;

use super::tally::{Count, Tally};
use super::unit_stack::{BROKEN, DEAD, PINNED, Stack, Unit, WOUNDED};
use enfilade_model::combat::Later;
use enfilade_model::shared::Text;

choice! {
    /// What a unit is.
    pub enum UnitKind {
        /// A squad.
        Squad = "squad",
        /// Half of one.
        HalfSquad = "half-squad",
        /// A crew.
        Crew = "crew",
        /// A leader.
        Leader = "leader",
        /// A hero.
        Hero = "hero",
    }
}

impl UnitKind {
    /// Whether it is a single man, who is wounded where others are reduced (A7.302).
    pub fn is_single(self) -> bool {
        matches!(self, UnitKind::Leader | UnitKind::Hero)
    }
}

/// Everything about a kind of unit that no die changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// What it is called: `4-4-7`.
    pub label: String,
    /// What it is.
    pub kind: UnitKind,
    /// Morale in Good Order, encirclement included.
    pub morale: i32,
    /// Morale on the broken side, encirclement included.
    pub broken_morale: i32,
    /// The leadership modifier of a leader.
    pub leadership: Option<i32>,
    /// The profile of its half-squad.
    pub half: Option<u8>,
    /// The profile of the lower quality that replaces it.
    pub replaced_by: Option<u8>,
    /// Cannot break and is not pinned: heroes and berserk units.
    pub steadfast: bool,
    /// Is not pinned, though it can break: Cavalry, whoever is Aerial, climbs or stands in water (A7.8).
    pub unpinnable: bool,
    /// Which modifiers of its own it has, by their place in the attacks.
    pub shelter: u8,
    /// How it stood before the attack.
    pub before: Before,
    /// It is what is left of a squad.
    pub is_remnant: bool,
    /// It has been replaced by lower quality.
    pub is_replacement: bool,
    /// What the leader was whom it replaces.
    pub replaces: Option<Standing>,
}

/// What a leader is to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// His morale, encirclement included.
    pub morale: i32,
    /// His leadership modifier.
    pub leadership: i32,
}

impl Profile {
    /// What a leader is on his broken side, or was until he broke: who is replaced then was the better leader
    /// (A19.1).
    pub fn standing(&self, broken: bool) -> Standing {
        let leadership = self.leadership.unwrap_or(0);
        if broken {
            return Standing { morale: self.broken_morale, leadership };
        }
        self.replaces.unwrap_or(Standing { morale: self.morale, leadership })
    }
}

/// How a unit stood before the attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Broken.
    pub broken: bool,
    /// Pinned.
    pub pinned: bool,
    /// Wounded.
    pub wounded: bool,
}

/// New values of the fields of a target: numbers, words and names by their index in their list.
pub type FieldChanges = Vec<(&'static str, i32)>;

/// The target of the contest that a profile came from, and the fields that differ from it.
#[derive(Clone, Debug, Default)]
pub struct TargetChange {
    /// The index of the target in the contest.
    pub target: usize,
    /// The fields that differ.
    pub changes: FieldChanges,
}

/// The profiles of a contest.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    profiles: Vec<Profile>,
    /// By profile: the target it came from, the first one where several are alike.
    origins: Vec<TargetChange>,
}

impl Roster {
    /// The number of `profile`, which is added unless there is one exactly like it.
    ///
    /// `None` when there are more than a unit can number.
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

    /// The profile of a unit.
    pub fn of(&self, unit: Unit) -> &Profile {
        &self.profiles[usize::from(unit.profile())]
    }

    /// The unit as it stands before the attack.
    pub fn fresh(&self, profile: u8) -> Unit {
        let unit = Unit::new(profile);
        let before = self.of(unit).before;
        let unit = if before.broken { unit.broken() } else { unit };
        if before.pinned { unit.with(PINNED) } else { unit }
    }

    /// The morale level a unit has now.
    pub fn morale(&self, unit: Unit) -> i32 {
        let profile = self.of(unit);
        if unit.has(BROKEN) { profile.broken_morale } else { profile.morale }
    }

    /// Whether it is a leader.
    pub fn is_leader(&self, unit: Unit) -> bool {
        self.of(unit).leadership.is_some()
    }

    /// Whether it can be pinned: unbroken, and not immune (A7.8).
    pub fn can_be_pinned(&self, unit: Unit) -> bool {
        let profile = self.of(unit);
        !unit.has(BROKEN) && !profile.steadfast && !profile.unpinnable
    }

    /// Counts what the attack did to a unit that lives.
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

    /// A unit in words: `broken 4-4-7`, `half-squad of 4-4-7`.
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
    /// Returns the field `target` as an attack leaves it: a table for each living unit.
    pub fn left(&self, stack: &Stack) -> Later {
        let living = stack.units().iter().filter(|unit| !unit.has(DEAD));
        Later::Tables(Text::Static("target"), living.map(|unit| self.row(*unit)).collect())
    }

    /// Returns the index of a unit's target, and the fields that differ from it now.
    fn row(&self, unit: Unit) -> (usize, Vec<(Text, i32)>) {
        let TargetChange { target, changes } = &self.origins[usize::from(unit.profile())];
        let wounded = unit.has(WOUNDED) || self.of(unit).before.wounded;
        let marks =
            [("broken", unit.has(BROKEN)), ("pinned", unit.has(PINNED)), ("wounded", wounded)];
        let marks = marks.map(|(field, on)| (field, i32::from(on)));
        let said = changes.iter().copied().chain(marks);
        (*target, said.map(|(field, number)| (Text::Static(field), number)).collect())
    }

    /// The profile of the half-squad of a profile.
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
