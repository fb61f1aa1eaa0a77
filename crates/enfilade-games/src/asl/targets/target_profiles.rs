//! Profiles of a target: the unit, its half-squad, and their replacements.

use super::shared_properties::ContestTargetReader;
use super::unit_numbers::MoraleNumbersIfEstablished;
use crate::asl::unit_profiles::{
    LeaderMoraleAndModifier, OriginalTargetAndChanges, ProfileRoster, TargetFieldValues,
    UnitConditionBeforeAttack, UnitKind, UnitProfile,
};
use enfilade_model::form::Fault;

/// Builder of the profiles of one target.
pub(super) struct TargetProfileBuilder<'a> {
    pub(super) reader: &'a ContestTargetReader,
    pub(super) steadfast: bool,
    pub(super) unpinnable: bool,
    pub(super) shelter: u8,
    pub(super) before: UnitConditionBeforeAttack,
    /// Index of the target in the contest.
    pub(super) target: usize,
}

impl TargetProfileBuilder<'_> {
    pub(super) fn enter_unit_profiles(
        &self,
        stats: &MoraleNumbersIfEstablished,
        next: Option<MoraleNumbersIfEstablished>,
        roster: &mut ProfileRoster,
    ) -> Result<u8, Fault> {
        let replaced = match next {
            None => None,
            Some(next) => Some(self.enter_with_half_squad(&next, None, Some(stats), roster)?),
        };
        self.enter_with_half_squad(stats, replaced, None, roster)
    }

    /// Enters a unit with its half-squad. The half-squad of a unit that can be replaced is replaced
    /// by the half-squad of the replacement.
    fn enter_with_half_squad(
        &self,
        stats: &MoraleNumbersIfEstablished,
        replaced_by: Option<u8>,
        replaces: Option<&MoraleNumbersIfEstablished>,
        roster: &mut ProfileRoster,
    ) -> Result<u8, Fault> {
        let half_replaced_by = replaced_by.and_then(|by| roster.half_squad_profile_index(by));
        let half = match &stats.half {
            None => None,
            Some(of) => {
                let half =
                    self.build_unit_profile(&of.label, UnitKind::HalfSquad, of.morale, of.broken);
                let mut half = half.map_err(|_| {
                    broken_morale_missing_fault("half_squad_broken_morale", &of.label)
                })?;
                half.is_remnant = true;
                half.is_replacement = replaces.is_some();
                half.replaced_by = half_replaced_by;
                Some(enter_profile_with_origin(
                    roster,
                    half,
                    self.record_target_and_changes(of.fields_to_become_half_squad()),
                )?)
            }
        };
        let mut whole = self
            .build_unit_profile(&stats.label, stats.kind, stats.morale, stats.broken)
            .map_err(|_| broken_morale_missing_fault("broken_morale", &stats.label))?;
        whole.leadership = stats.leadership;
        whole.half = half;
        whole.is_replacement = replaces.is_some();
        whole.replaces = replaces.and_then(|better| self.leader_rank_in_good_order(better));
        whole.replaced_by = replaced_by;
        let changes =
            if replaces.is_some() { stats.fields_to_become_this_unit() } else { Vec::new() };
        enter_profile_with_origin(roster, whole, self.record_target_and_changes(changes))
    }

    fn record_target_and_changes(&self, changes: TargetFieldValues) -> OriginalTargetAndChanges {
        OriginalTargetAndChanges { target: self.target, changes }
    }

    /// Returns the standing of a leader in Good Order.
    fn leader_rank_in_good_order(
        &self,
        stats: &MoraleNumbersIfEstablished,
    ) -> Option<LeaderMoraleAndModifier> {
        let leadership = stats.leadership?;
        Some(LeaderMoraleAndModifier {
            morale: stats.morale - self.encirclement_reduction(),
            leadership,
        })
    }

    /// A7.7: returns the reduction of morale by encirclement.
    fn encirclement_reduction(&self) -> i32 {
        let setting = self.reader.setting;
        if setting.encircled && !self.steadfast { setting.numbers.encirclement } else { 0 }
    }

    /// A7.7: builds a profile, encircled or not; the error is a broken side that is not established
    /// although it will be rolled.
    fn build_unit_profile(
        &self,
        label: &str,
        kind: UnitKind,
        morale: i32,
        broken: Option<i32>,
    ) -> Result<UnitProfile, BrokenMoraleUnknown> {
        // An unknown broken morale is no fault as long as no roll can use it.
        let rolled = self.before.broken || self.reader.lasting;
        let broken = match broken {
            None if rolled && !self.steadfast => return Err(BrokenMoraleUnknown),
            known => known.unwrap_or(morale),
        };
        Ok(UnitProfile {
            label: label.to_owned(),
            kind,
            morale: morale - self.encirclement_reduction(),
            broken_morale: broken - self.encirclement_reduction(),
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

struct BrokenMoraleUnknown;

fn broken_morale_missing_fault(field: &str, label: &str) -> Fault {
    let problem = format!("the morale of a broken {label} is not established");
    Fault::new(field, problem).with_help(format!("give `{field}`"))
}

fn enter_profile_with_origin(
    roster: &mut ProfileRoster,
    profile: UnitProfile,
    origin: OriginalTargetAndChanges,
) -> Result<u8, Fault> {
    let number = roster.find_or_add_profile(profile, origin);
    number.ok_or_else(|| Fault::new("", "there are too many different units"))
}
