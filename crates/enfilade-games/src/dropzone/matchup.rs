//! A weapon against a target in a situation: the meaning of every face of every die.
//!
//! Source: quick reference, ACCURACY and DAMAGE; special rules of the second edition. Every
//! modifier is a field of the form, so that a designer can change it, and is added up here, once.
//! Not modelled: Indirect fire at unseen targets, reaction fire and the blast of an Area weapon on
//! other units.

use super::profile::{TargetSquad, WeaponWithShooter};
use super::shooting_fields::{DamageRules, ShootingRules, ShootingSituation};
use super::specials::UnitType;
use super::volley::{
    AttackNumbersWithReasons, CountermeasureDice, DamageDie, DamageFaceEffect, HitFaceMeaning,
    NumberWithReason, VolleyDieFaceEffects,
};

/// Note for hits to be merged by a weapon without Focus.
const NO_FOCUS_NOTE: &str = "the weapon has no Focus: no hits are merged";

/// Note for a Close Quarters weapon at a target that is not in its Garrison.
const OUTSIDE_GARRISON_NOTE: &str = "Close Quarters weapons must be in the same Garrison as their target (SHOOTING), which Infantry alone \
                          enters (GARRISONS): no shot is fired. `close_quarters_anywhere` is a house rule";

/// Weapon against a target in a situation: the sums behind an [`VolleyDieFaceEffects`].
pub struct WeaponMatchup<'a> {
    /// Weapon with its shooter.
    pub weapon: &'a WeaponWithShooter,
    /// Target squad.
    pub target: &'a TargetSquad,
    /// Places of shooters and target, and their movement.
    pub situation: &'a ShootingSituation,
    /// Numbers of the rules for shooting.
    pub rules: &'a ShootingRules,
    /// Numbers of the damage die.
    pub damage: &'a DamageRules,
    /// Whether hits and Criticals are reported.
    pub tally: bool,
}

impl WeaponMatchup<'_> {
    /// Focus-X: returns the meaning of every face of every die when a Focus weapon merges up to
    /// `most` hits, at least 1. Merged hits gain energy for each hit that is given up.
    pub fn face_meanings_of_merged_hits(&self, most: u8) -> VolleyDieFaceEffects {
        let merges = 0..i64::from(most);
        let merged = match self.weapon.specials.focus {
            Some(gain) => merges.map(|n| self.damage_by_die_face(n * gain)).collect(),
            None => vec![self.damage_by_die_face(0)],
        };
        VolleyDieFaceEffects {
            aim: self.hit_results_by_face(),
            critical: self.target.effect_of_hit(self.damage_of_plain_hit(), true, self.damage),
            glance: self.damage_by_die_face(self.rules.glance_energy),
            merged,
            reroll: self.weapon.close_quarters && self.situation.entered_garrison,
            saves: CountermeasureDice {
                passive: self.target.passive,
                dodge: self.target.specials.dodge.filter(|_| self.weapon.close_quarters),
            },
            allocation: self.target.allocation,
            tally: self.tally,
            sums: AttackNumbersWithReasons {
                needed: self.accuracy_and_modifiers().unwrap_or_default(),
                energy: self.energy_and_cover_reduction(),
                glance: self.rules.glance_energy,
                merged: self.weapon.specials.focus.unwrap_or(0),
                armour: self.target.armour,
            },
        }
    }

    /// ACCURACY: "Shooting at scenery 2+"; out of coherency "+1"; disembarked, hull down and in
    /// soft cover "+2" each.
    ///
    /// Returns the number that a hit die needs; `None` for automatic hits.
    pub fn accuracy_number_needed(&self) -> Option<i64> {
        Some(self.accuracy_and_modifiers()?.iter().map(|(number, _)| number).sum())
    }

    /// ACCURACY: returns the accuracy and its modifiers.
    fn accuracy_and_modifiers(&self) -> Option<Vec<NumberWithReason>> {
        let accuracy = self.weapon.accuracy?;
        if self.target.unit_type == UnitType::Scenery {
            // The printed number for scenery replaces the accuracy of the weapon and all modifiers.
            return Some(vec![(self.rules.scenery_accuracy, "")]);
        }
        let specials = &self.weapon.specials;
        let hull_down = !specials.ignores_hull && !self.is_never_hull_down();
        let soft_cover = !specials.ignores_soft && !specials.flame;
        let (there, rules) = (self.situation, self.rules);
        let modifiers = [
            (there.out_of_coherency, rules.coherency_modifier, "out of coherency"),
            (there.disembarked, rules.disembarked_modifier, "disembarked"),
            (there.hull_down && hull_down, rules.hull_down_modifier, "hull down"),
            (there.soft_cover && soft_cover, rules.soft_cover_modifier, "soft cover"),
            (true, self.evasion_after_specials(), "evasion"),
        ];
        let counted = modifiers.into_iter().filter(|(counts, ..)| *counts);
        let counted = counted.map(|(_, number, why)| (number, why));
        Some([(accuracy, "")].into_iter().chain(counted).collect())
    }

    /// Cover: returns whether the target is Large, and Large targets are never hull down.
    fn is_never_hull_down(&self) -> bool {
        self.target.specials.large && !self.rules.large_hull_down
    }

    /// AA-X, Flame: rules that reduce evasion.
    ///
    /// Returns the evasion of the target that is left: none against Flame, less against AA-X.
    fn evasion_after_specials(&self) -> i64 {
        let specials = &self.weapon.specials;
        match specials.flame {
            true => 0,
            false => (self.target.evasion - specials.anti_air.unwrap_or(0)).max(0),
        }
    }

    fn hit_results_by_face(&self) -> Option<[HitFaceMeaning; 6]> {
        let needed = self.accuracy_number_needed()?;
        Some([1, 2, 3, 4, 5, 6].map(|face| self.classify_hit_face(face, needed)))
    }

    /// Destroyer, Area: returns the hit dice that are Criticals at once, and misses that glance.
    fn classify_hit_face(&self, face: u8, needed: i64) -> HitFaceMeaning {
        let specials = &self.weapon.specials;
        let natural_miss = face == 1 && self.rules.natural_one_misses;
        let natural_hit = face == 6 && self.rules.natural_six_hits;
        let destroys = specials.destroyer.is_some_and(|from| face >= from);
        let destroyer_hit = destroys && self.rules.destroyer_hits;
        // A natural 1 comes before everything else, also before a Destroyer's faces.
        if (i64::from(face) >= needed || natural_hit || destroyer_hit) && !natural_miss {
            return match destroys {
                true => HitFaceMeaning::Critical,
                false => HitFaceMeaning::Hit,
            };
        }
        let glances = specials.area && i64::from(face) >= self.rules.glance_from;
        match glances && !self.is_area_rule_ignored() {
            true => HitFaceMeaning::Glance,
            false => HitFaceMeaning::Miss,
        }
    }

    /// Area: targets that the weapon does not glance.
    ///
    /// Returns whether an Area weapon is a plain weapon here: against scenery, and Behemoths where
    /// the contest enables it.
    fn is_area_rule_ignored(&self) -> bool {
        match self.target.unit_type {
            UnitType::Behemoth => !self.rules.area_on_behemoths,
            unit_type => unit_type == UnitType::Scenery,
        }
    }

    /// DAMAGE: "If target is behind Body Cover, +1 penalty to roll."
    fn damage_by_die_face(&self, bonus: i64) -> DamageDie {
        let energy: i64 = self.energy_and_cover_reduction().iter().map(|(number, _)| number).sum();
        [1, 2, 3, 4, 5, 6].map(|face| self.damage_for_face(face, energy + bonus))
    }

    /// DAMAGE: returns the energy, and its reduction by body cover.
    fn energy_and_cover_reduction(&self) -> Vec<NumberWithReason> {
        let cover = match self.situation.body_cover && !self.ignores_body_cover() {
            true => self.rules.body_cover_energy,
            false => 0,
        };
        vec![(self.weapon.energy, ""), (cover, "body cover")]
    }

    /// Cover, Flame: returns whether the weapon ignores body cover.
    fn ignores_body_cover(&self) -> bool {
        self.weapon.specials.ignores_body || self.weapon.specials.flame
    }

    /// Penetrative: returns the effect of a face, with one that damages any armour.
    fn damage_for_face(&self, face: i64, energy: i64) -> DamageFaceEffect {
        let penetrates = self.weapon.specials.penetrative && face >= self.rules.penetrative_face;
        self.target.effect_of_damage_total(
            self.damage_of_plain_hit(),
            face + energy,
            penetrates,
            self.damage,
        )
    }

    /// Devastator-X, Tech Killer: the effect of a plain hit on this target.
    ///
    /// Returns the damage of a plain hit on this target: a Tech Killer does none to scenery.
    fn damage_of_plain_hit(&self) -> u8 {
        let scenery = self.target.unit_type == UnitType::Scenery;
        let spared = scenery && !self.rules.tech_killer_on_scenery;
        if self.weapon.specials.tech_killer && spared {
            return 0;
        }
        let vehicle_means = self.rules.vehicle_means;
        let is_prey = |prey| self.target.is_devastator_target(prey, vehicle_means);
        self.weapon.specials.plain_damage_against(is_prey)
    }

    /// SHOOTING: "Pick target whose centre of model is within weapon arc and range."
    ///
    /// Returns whether the target is in range of the shooters.
    fn is_target_in_reach(&self) -> bool {
        let (Some(range), Some((full, countered))) = (self.situation.range, self.weapon.reach)
        else {
            return true;
        };
        match self.target.active {
            true => countered.reaches_target_at(range),
            false => full.reaches_target_at(range),
        }
    }

    /// SHOOTING: "Close Quarters weapons must be in same Garrison." GARRISONS: "may only be used
    /// against enemy units in Garrison."
    ///
    /// Returns whether a Close Quarters weapon and its target cannot be in one Garrison.
    fn is_target_outside_garrison(&self) -> bool {
        let away = self.situation.range.is_some_and(|range| range > 0);
        let apart = away || self.target.is_never_garrisoned();
        self.weapon.close_quarters && apart && !self.rules.close_quarters_anywhere
    }

    /// SHOOTING: returns whether any shot may be fired.
    pub fn can_fire_any_shot(&self) -> bool {
        self.is_target_in_reach()
            && !self.cannot_aim_at_flyer()
            && !self.is_target_outside_garrison()
    }

    /// AA-X: weapons that may be aimed at flyers.
    ///
    /// Returns whether the target flies and the weapon may not be aimed at flyers.
    fn cannot_aim_at_flyer(&self) -> bool {
        let flies = self.target.unit_type.is_flyer();
        flies && self.weapon.specials.anti_air.is_none() && self.rules.aircraft_need_aa
    }

    /// Returns the notes for a reader of a result: special rules that are not played, and rules
    /// that keep the weapon from its target.
    pub fn collect_weapon_notes(&self) -> Vec<String> {
        let not_modelled = |whose: &str, specials: &[String]| {
            let each = specials.iter();
            each.map(|special| format!("not modelled: the {whose} special \"{special}\""))
                .collect::<Vec<_>>()
        };
        let mut notes = not_modelled("weapon's", &self.weapon.specials.not_modelled);
        notes.extend(not_modelled("target's", &self.target.specials.not_modelled));
        if !self.is_target_in_reach() {
            notes.push("the target is out of reach: no shot is fired".into());
        }
        notes.extend(self.is_target_outside_garrison().then(|| OUTSIDE_GARRISON_NOTE.into()));
        let flies = self.target.unit_type.is_flyer();
        if self.cannot_aim_at_flyer() {
            notes.push("only AA weapons can hit aircraft: no shot is fired".into());
        } else if flies && self.weapon.specials.anti_air.is_none() {
            notes.push(
                "the weapon has no AA: the odds are as if it might be aimed at aircraft".into(),
            );
        }
        if self.situation.hull_down && self.is_never_hull_down() {
            notes.push("a Large target is never hull down".into());
        }
        if self.weapon.focus_merge > 1 && self.weapon.specials.focus.is_none() {
            notes.push(NO_FOCUS_NOTE.into());
        }
        notes.extend(self.scenery_shot_unused_notes());
        if self.situation.entered_garrison && !self.weapon.close_quarters {
            notes.push("it is no Close Quarters weapon: no damage is rolled again".into());
        }
        notes
    }

    /// ACCURACY, Tech Killer: returns notes on fields of shots at scenery that have no effect.
    fn scenery_shot_unused_notes(&self) -> Vec<String> {
        if self.target.unit_type != UnitType::Scenery {
            return Vec::new();
        }
        let there = self.situation;
        let moved = there.out_of_coherency
            || there.disembarked
            || there.hull_down
            || there.soft_cover
            || self.target.evasion > 0;
        let fixed = moved && self.weapon.accuracy.is_some();
        let needed = self.rules.scenery_accuracy;
        let fixed = fixed.then(|| format!("scenery is hit on {needed}+: nothing else moves that"));
        let spared = self.weapon.specials.tech_killer && !self.rules.tech_killer_on_scenery;
        let spared = spared.then(|| "a Tech Killer does no damage to scenery".into());
        Vec::from_iter(fixed.into_iter().chain(spared))
    }
}
