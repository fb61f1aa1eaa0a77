//! Profiles of a target: the unit, its half-squad, and their replacements.

use super::setting::Reader;
use super::unit_numbers::Stats;
use crate::asl::unit_profiles::{
    Before, FieldChanges, Profile, Roster, Standing, TargetChange, UnitKind,
};
use enfilade_model::form::Fault;

/// Builder of the profiles of one target.
pub(super) struct Maker<'a> {
    pub(super) reader: &'a Reader,
    pub(super) steadfast: bool,
    pub(super) unpinnable: bool,
    pub(super) shelter: u8,
    pub(super) before: Before,
    /// Index of the target in the contest.
    pub(super) target: usize,
}

impl Maker<'_> {
    pub(super) fn enter(
        &self,
        stats: &Stats,
        next: Option<Stats>,
        roster: &mut Roster,
    ) -> Result<u8, Fault> {
        let replaced = match next {
            None => None,
            Some(next) => Some(self.whole(&next, None, Some(stats), roster)?),
        };
        self.whole(stats, replaced, None, roster)
    }

    /// Enters a unit with its half-squad. The half-squad of a unit that can be replaced is replaced
    /// by the half-squad of the replacement.
    fn whole(
        &self,
        stats: &Stats,
        replaced_by: Option<u8>,
        replaces: Option<&Stats>,
        roster: &mut Roster,
    ) -> Result<u8, Fault> {
        let half_replaced_by = replaced_by.and_then(|by| roster.half_of(by));
        let half = match &stats.half {
            None => None,
            Some(of) => {
                let half = self.profile(&of.label, UnitKind::HalfSquad, of.morale, of.broken);
                let mut half = half.map_err(|_| missing("half_squad_broken_morale", &of.label))?;
                half.is_remnant = true;
                half.is_replacement = replaces.is_some();
                half.replaced_by = half_replaced_by;
                Some(enter(roster, half, self.origin(of.changes()))?)
            }
        };
        let mut whole = self
            .profile(&stats.label, stats.kind, stats.morale, stats.broken)
            .map_err(|_| missing("broken_morale", &stats.label))?;
        whole.leadership = stats.leadership;
        whole.half = half;
        whole.is_replacement = replaces.is_some();
        whole.replaces = replaces.and_then(|better| self.standing(better));
        whole.replaced_by = replaced_by;
        let changes = if replaces.is_some() { stats.changes() } else { Vec::new() };
        enter(roster, whole, self.origin(changes))
    }

    fn origin(&self, changes: FieldChanges) -> TargetChange {
        TargetChange { target: self.target, changes }
    }

    /// Returns the standing of a leader in Good Order.
    fn standing(&self, stats: &Stats) -> Option<Standing> {
        let leadership = stats.leadership?;
        Some(Standing { morale: stats.morale - self.encirclement(), leadership })
    }

    /// A7.7: returns the reduction of morale by encirclement.
    fn encirclement(&self) -> i32 {
        let setting = self.reader.setting;
        if setting.encircled && !self.steadfast { setting.numbers.encirclement } else { 0 }
    }

    /// A7.7: builds a profile, encircled or not; the error is a broken side that is not established
    /// although it will be rolled.
    fn profile(
        &self,
        label: &str,
        kind: UnitKind,
        morale: i32,
        broken: Option<i32>,
    ) -> Result<Profile, NotEstablished> {
        // An unknown broken morale is no fault as long as no roll can use it.
        let rolled = self.before.broken || self.reader.lasting;
        let broken = match broken {
            None if rolled && !self.steadfast => return Err(NotEstablished),
            known => known.unwrap_or(morale),
        };
        Ok(Profile {
            label: label.to_owned(),
            kind,
            morale: morale - self.encirclement(),
            broken_morale: broken - self.encirclement(),
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

fn missing(field: &str, label: &str) -> Fault {
    let problem = format!("the morale of a broken {label} is not established");
    Fault::new(field, problem).help(format!("give `{field}`"))
}

fn enter(roster: &mut Roster, profile: Profile, origin: TargetChange) -> Result<u8, Fault> {
    let number = roster.enter(profile, origin);
    number.ok_or_else(|| Fault::new("", "there are too many different units"))
}
