//! Profiles of a target: the unit, its half-squad, and their replacements.

use super::setting::TargetReader;
use super::unit_numbers::UnitNumbers;
use crate::asl::unit_profiles::{
    ConditionBefore, FieldChanges, LeaderStanding, ProfileRoster, TargetChange, UnitKind,
    UnitProfile,
};
use enfilade_model::form::Fault;

/// Builder of the profiles of one target.
pub(super) struct ProfileBuilder<'a> {
    pub(super) reader: &'a TargetReader,
    pub(super) steadfast: bool,
    pub(super) unpinnable: bool,
    pub(super) shelter: u8,
    pub(super) before: ConditionBefore,
    /// Index of the target in the contest.
    pub(super) target: usize,
}

impl ProfileBuilder<'_> {
    pub(super) fn enter_unit(
        &self,
        stats: &UnitNumbers,
        next: Option<UnitNumbers>,
        roster: &mut ProfileRoster,
    ) -> Result<u8, Fault> {
        let replaced = match next {
            None => None,
            Some(next) => Some(self.enter_whole(&next, None, Some(stats), roster)?),
        };
        self.enter_whole(stats, replaced, None, roster)
    }

    /// Enters a unit with its half-squad. The half-squad of a unit that can be replaced is replaced
    /// by the half-squad of the replacement.
    fn enter_whole(
        &self,
        stats: &UnitNumbers,
        replaced_by: Option<u8>,
        replaces: Option<&UnitNumbers>,
        roster: &mut ProfileRoster,
    ) -> Result<u8, Fault> {
        let half_replaced_by = replaced_by.and_then(|by| roster.half_squad_of(by));
        let half = match &stats.half {
            None => None,
            Some(of) => {
                let half = self.build_profile(&of.label, UnitKind::HalfSquad, of.morale, of.broken);
                let mut half =
                    half.map_err(|_| missing_number("half_squad_broken_morale", &of.label))?;
                half.is_remnant = true;
                half.is_replacement = replaces.is_some();
                half.replaced_by = half_replaced_by;
                Some(enter_profile(roster, half, self.origin_of(of.field_changes()))?)
            }
        };
        let mut whole = self
            .build_profile(&stats.label, stats.kind, stats.morale, stats.broken)
            .map_err(|_| missing_number("broken_morale", &stats.label))?;
        whole.leadership = stats.leadership;
        whole.half = half;
        whole.is_replacement = replaces.is_some();
        whole.replaces = replaces.and_then(|better| self.leader_standing(better));
        whole.replaced_by = replaced_by;
        let changes = if replaces.is_some() { stats.field_changes() } else { Vec::new() };
        enter_profile(roster, whole, self.origin_of(changes))
    }

    fn origin_of(&self, changes: FieldChanges) -> TargetChange {
        TargetChange { target: self.target, changes }
    }

    /// Returns the standing of a leader in Good Order.
    fn leader_standing(&self, stats: &UnitNumbers) -> Option<LeaderStanding> {
        let leadership = stats.leadership?;
        Some(LeaderStanding { morale: stats.morale - self.morale_reduction(), leadership })
    }

    /// A7.7: returns the reduction of morale by encirclement.
    fn morale_reduction(&self) -> i32 {
        let setting = self.reader.setting;
        if setting.encircled && !self.steadfast { setting.numbers.encirclement } else { 0 }
    }

    /// A7.7: builds a profile, encircled or not; the error is a broken side that is not established
    /// although it will be rolled.
    fn build_profile(
        &self,
        label: &str,
        kind: UnitKind,
        morale: i32,
        broken: Option<i32>,
    ) -> Result<UnitProfile, NotEstablished> {
        // An unknown broken morale is no fault as long as no roll can use it.
        let rolled = self.before.broken || self.reader.lasting;
        let broken = match broken {
            None if rolled && !self.steadfast => return Err(NotEstablished),
            known => known.unwrap_or(morale),
        };
        Ok(UnitProfile {
            label: label.to_owned(),
            kind,
            morale: morale - self.morale_reduction(),
            broken_morale: broken - self.morale_reduction(),
            leadership: None,
            half: None,
            replaced_by: None,
            steadfast: self.steadfast,
            unpinnable: self.unpinnable,
            shelter: self.shelter,
            before: self.before,
            is_remnant: false,
            is_replacement: false,
            replaces: None,
        })
    }
}

struct NotEstablished;

fn missing_number(field: &str, label: &str) -> Fault {
    let problem = format!("the morale of a broken {label} is not established");
    Fault::new(field, problem).with_help(format!("give `{field}`"))
}

fn enter_profile(
    roster: &mut ProfileRoster,
    profile: UnitProfile,
    origin: TargetChange,
) -> Result<u8, Fault> {
    let number = roster.add_profile(profile, origin);
    number.ok_or_else(|| Fault::new("", "there are too many different units"))
}
