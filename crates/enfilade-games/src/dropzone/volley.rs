//! One volley: hit dice, damage dice, countermeasure dice, Damage Points.
//!
//! Source: quick reference, SHOOTING, ACCURACY, DAMAGE. The meaning of every face of every die is
//! computed once, in [`VolleyDieFaceEffects`], from the modifiers (see `matchup.rs`); here the dice
//! are rolled.
//!
//! # Why this state is enough
//!
//! A volley is rolled one die a step. After a die the future depends on the hit dice still to be
//! rolled, on hits whose damage is not rolled yet (more than one only while a Focus weapon gathers
//! its hits), on the current die, and on the points that the target has left. Shots are equal, so
//! their number is enough; models are equal, so the multiset of their points is enough; a model
//! that is taking several points of damage is identified by the points it has left. Destroyed
//! models are not stored: the outcome counts them from the rest. Hits and criticals are stored only
//! when they are reported. So fifty shots with saves have four stages × 50 shots × 100 points ≈ 10⁴
//! states of six faces each, where one shot a step would need up to 6⁴ faces from each of 2 601
//! states.

use enfilade_model::dice::{Dice, RolledDie};

use super::squad::{DamagePointsLeftByModel, HitAllocationChoice};

/// Meaning of a face of a hit die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitFaceMeaning {
    /// No effect.
    Miss,
    /// Hit whose damage is rolled.
    Hit,
    /// Critical without a damage roll (Destroyer).
    Critical,
    /// Miss that still glances its target (Area).
    Glance,
}

/// Effect of a face of a damage die.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DamageFaceEffect {
    /// Damage Points before countermeasures.
    pub points: u8,
    /// Whether the hit is a Critical.
    pub critical: bool,
}

/// Effects of the faces of a damage die.
pub type DamageDie = [DamageFaceEffect; 6];

/// Dice of a volley, face by face, against one kind of target.
#[derive(Clone, Debug)]
pub struct VolleyDieFaceEffects {
    /// Faces of a hit die; `None` when hits are automatic.
    pub aim: Option<[HitFaceMeaning; 6]>,
    /// Effect of a Critical without a damage roll.
    pub critical: DamageFaceEffect,
    /// Damage die of a glancing hit.
    pub glance: DamageDie,
    /// Damage dice of 1, 2, … hits merged into one: a single entry unless the weapon focuses.
    pub merged: Vec<DamageDie>,
    /// Whether a damage roll that succeeds is rolled again, with the second roll final.
    pub reroll: bool,
    /// Countermeasures: every point of damage is discarded by a die of X or more, for each X here.
    pub saves: CountermeasureDice,
    /// Rule for the model that takes the next hit.
    pub allocation: HitAllocationChoice,
    /// Whether hits and criticals are tallied.
    pub tally: bool,
    /// Derivation of the numbers.
    pub sums: AttackNumbersWithReasons,
}

/// Derivation of an attack's numbers, for explanations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttackNumbersWithReasons {
    /// Number that a hit die needs: accuracy first, then its modifiers.
    pub needed: Vec<NumberWithReason>,
    /// Bonus of a damage die: energy first, then its modifiers.
    pub energy: Vec<NumberWithReason>,
    /// Energy of a glancing hit in addition.
    pub glance: i64,
    /// Energy that each merged hit adds.
    pub merged: i64,
    /// Armour that must be reached.
    pub armour: i64,
}

/// Number, with the reason where it is not the printed one.
pub type NumberWithReason = (i64, &'static str);

/// Formats a sum: `1 + 2 evasion`, `10 − 1 body cover`. Zeros are left out.
fn format_sum_with_reasons(parts: &[NumberWithReason]) -> String {
    let mut text = String::new();
    for (number, why) in parts {
        match (text.is_empty(), number) {
            (true, number) => text.push_str(&number.to_string()),
            (false, 0) => continue,
            (false, number) if *number < 0 => text.push_str(&format!(" − {}", -number)),
            (false, number) => text.push_str(&format!(" + {number}")),
        }
        if !why.is_empty() {
            text.push_str(&format!(" {why}"));
        }
    }
    text
}

/// Countermeasures that discard damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountermeasureDice {
    /// Passive countermeasures, X+.
    pub passive: Option<u8>,
    /// Dodge, X+, where it applies.
    pub dodge: Option<u8>,
}

impl CountermeasureDice {
    fn has_no_dice(&self) -> bool {
        self.passive.is_none() && self.dodge.is_none()
    }

    /// DAMAGE: "For every roll equal or higher than the Passive Countermeasures number, 1 Damage
    /// is discarded."
    ///
    /// Rolls for one point of damage: passive countermeasures first, then Dodge.
    fn roll_save_for_one_point(&self, dice: &mut impl Dice) -> bool {
        let mut saved = |needed: Option<u8>| needed.is_some_and(|needed| dice.die(6) >= needed);
        saved(self.passive) || saved(self.dodge)
    }
}

/// State of a volley.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VolleyState {
    /// Next die.
    pub stage: NextVolleyDie,
    /// Hit dice still to be rolled.
    pub shots: u16,
    /// Hits whose damage is still to be rolled.
    pub waiting: u16,
    /// Target squad.
    pub squad: DamagePointsLeftByModel,
    /// Hits so far, when tallied.
    pub hits: u16,
    /// Criticals so far, when tallied.
    pub criticals: u16,
}

/// Next die of a volley.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NextVolleyDie {
    /// Hit die.
    Aim,
    /// Damage die of this many merged hits; 0 is a glancing hit.
    Damage {
        /// Number of merged hits.
        merged: u8,
        /// Whether this is the second roll, which is final.
        again: bool,
    },
    /// Countermeasure dice of a point of damage.
    Save {
        /// Points still to be rolled for.
        points: u8,
        /// Points left in the model that takes them.
        model: u8,
    },
    /// No die: the volley is over.
    Over,
}

impl VolleyDieFaceEffects {
    /// Creates a volley of `shots` at `squad`, before its first die.
    pub fn open_volley(&self, shots: u16, squad: DamagePointsLeftByModel) -> VolleyState {
        let (shots, waiting) = self.hit_dice_and_automatic_hits(shots);
        self.advance_to_next_die(VolleyState {
            stage: NextVolleyDie::Over,
            shots,
            waiting,
            squad,
            hits: if self.tally { waiting } else { 0 },
            criticals: 0,
        })
    }

    /// SHOOTING: "Weapons with a dash or a value of 0 automatically hit."
    ///
    /// Returns the hit dice of `shots`, and the number of automatic hits.
    pub fn hit_dice_and_automatic_hits(&self, shots: u16) -> (u16, u16) {
        if self.aim.is_none() { (0, shots) } else { (shots, 0) }
    }

    /// Focus-X: a weapon that merges gathers hits until no hit die is left. Damage of other hits is
    /// rolled at once.
    ///
    /// Returns the next die with `shots` hit dice to come; the hits whose damage it rolls are taken
    /// from those `waiting`.
    pub fn choose_next_die(&self, shots: u16, waiting: &mut u16) -> NextVolleyDie {
        let most = self.merged.len() as u16;
        // Merging needs the number of all hits, so damage waits for the last hit die.
        let gathering = most > 1 && shots > 0;
        if *waiting > 0 && !gathering {
            let merged = (*waiting).min(most);
            *waiting -= merged;
            return NextVolleyDie::Damage { merged: merged as u8, again: false };
        }
        if shots > 0 { NextVolleyDie::Aim } else { NextVolleyDie::Over }
    }

    /// Returns the effect of the damage die of `merged` hits; 0 is a glancing hit.
    pub fn damage_die_for_merged(&self, merged: u8) -> &DamageDie {
        match merged {
            0 => &self.glance,
            n => &self.merged[usize::from(n) - 1],
        }
    }

    /// SHOOTING, DAMAGE: "Roll Shots number", then "1 dice for each hit".
    ///
    /// Rolls the next die. The volley must not be over.
    pub fn roll_next_die(&self, mut volley: VolleyState, dice: &mut impl Dice) -> VolleyState {
        match volley.stage {
            NextVolleyDie::Aim => self.apply_hit_roll(volley, dice.die(6)),
            NextVolleyDie::Damage { merged, again } => {
                let wound = self.damage_die_for_merged(merged)[usize::from(dice.die(6)) - 1];
                // Only a successful roll is repeated, and the second result is final.
                if self.reroll && !again && wound.points > 0 {
                    volley.stage = NextVolleyDie::Damage { merged, again: true };
                    return volley;
                }
                self.apply_damage_roll(volley, wound)
            }
            NextVolleyDie::Save { points, model } => {
                let lost = u8::from(!self.saves.roll_save_for_one_point(dice));
                volley.squad.damage_one_model(model, lost);
                self.request_countermeasure_roll(volley, points - 1, model - lost)
            }
            NextVolleyDie::Over => volley,
        }
    }

    /// SHOOTING: "Any equal to or above modified Accuracy hit."
    fn apply_hit_roll(&self, mut volley: VolleyState, face: u8) -> VolleyState {
        volley.shots -= 1;
        let aim = self.aim.map_or(HitFaceMeaning::Hit, |faces| faces[usize::from(face) - 1]);
        if self.tally {
            volley.hits += u16::from(matches!(aim, HitFaceMeaning::Hit | HitFaceMeaning::Critical));
        }
        match aim {
            HitFaceMeaning::Miss => self.advance_to_next_die(volley),
            HitFaceMeaning::Critical => self.apply_damage_roll(volley, self.critical),
            HitFaceMeaning::Hit => {
                volley.waiting += 1;
                self.advance_to_next_die(volley)
            }
            HitFaceMeaning::Glance => {
                volley.stage = NextVolleyDie::Damage { merged: 0, again: false };
                volley
            }
        }
    }

    /// DAMAGE: "Units with Passive Countermeasures roll number of dice equal to Damage."
    fn apply_damage_roll(&self, mut volley: VolleyState, wound: DamageFaceEffect) -> VolleyState {
        if self.tally {
            volley.criticals += u16::from(wound.critical);
        }
        let model = volley.squad.points_of_model_hit_next(self.allocation);
        // Without countermeasures no die is left to roll for the points.
        if self.saves.has_no_dice() {
            volley.squad.damage_one_model(model, wound.points);
            return self.advance_to_next_die(volley);
        }
        self.request_countermeasure_roll(volley, wound.points, model)
    }

    /// DAMAGE: rolls on while damage is undecided and the model that takes it is not destroyed: the
    /// rest is then overkill.
    fn request_countermeasure_roll(
        &self,
        mut volley: VolleyState,
        points: u8,
        model: u8,
    ) -> VolleyState {
        if points == 0 || model == 0 {
            return self.advance_to_next_die(volley);
        }
        volley.stage = NextVolleyDie::Save { points, model };
        volley
    }

    /// Finds the next die when a shot is done.
    fn advance_to_next_die(&self, mut volley: VolleyState) -> VolleyState {
        // Shots at a destroyed squad change nothing but the tally of hits.
        if volley.squad.living_model_count() == 0 && !self.tally {
            (volley.shots, volley.waiting) = (0, 0);
        }
        volley.stage = self.choose_next_die(volley.shots, &mut volley.waiting);
        volley
    }

    /// Explains one step of a volley.
    pub fn explain_volley_step(
        &self,
        from: &VolleyState,
        rolls: &[RolledDie],
        to: &VolleyState,
    ) -> (&'static str, String) {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let face = faces.first().copied().unwrap_or_default();
        match from.stage {
            NextVolleyDie::Aim => ("Shooting", self.explain_rolled_hit_die(from, face, to)),
            NextVolleyDie::Damage { merged, again } => {
                ("Damage", self.explain_damage_roll(from, (merged, again), face, to))
            }
            NextVolleyDie::Save { .. } => {
                ("Countermeasures", self.explain_save_roll(from, &faces, to))
            }
            NextVolleyDie::Over => ("Shooting", "The volley is over.".into()),
        }
    }

    fn explain_rolled_hit_die(&self, from: &VolleyState, face: u8, to: &VolleyState) -> String {
        let needed = self.aim.map_or(1, |aim| lowest_hitting_face(&aim));
        let aim = self.aim.map(|aim| aim[usize::from(face.clamp(1, 6)) - 1]);
        let result = match aim {
            Some(HitFaceMeaning::Miss) => "a miss",
            Some(HitFaceMeaning::Glance) => "a miss that still glances its target",
            Some(HitFaceMeaning::Critical) => "a Critical without a damage roll",
            Some(HitFaceMeaning::Hit) | None => "a hit",
        };
        let fate = describe_target_losses(from, to);
        let has_modifiers = self.sums.needed.iter().skip(1).any(|(number, _)| *number != 0);
        let sum = if has_modifiers {
            format!(" ({})", format_sum_with_reasons(&self.sums.needed))
        } else {
            String::new()
        };
        format!("Hit die {face}, {needed} or more needed{sum}: {result}{fate}.")
    }

    fn explain_damage_roll(
        &self,
        from: &VolleyState,
        (merged, again): (u8, bool),
        face: u8,
        to: &VolleyState,
    ) -> String {
        let wound = self.damage_die_for_merged(merged)[usize::from(face.clamp(1, 6)) - 1];
        let what =
            if again { "Second damage die".into() } else { describe_merged_damage_die(merged) };
        let result = match wound {
            DamageFaceEffect { points: 0, .. } => "no damage".into(),
            _ if matches!(to.stage, NextVolleyDie::Damage { again: true, .. }) => {
                "it damages, so it is rolled again".into()
            }
            DamageFaceEffect { points, critical } => {
                let critical = if critical { ", a Critical" } else { "" };
                format!("{points} damage{critical}{}", describe_target_losses(from, to))
            }
        };
        format!("{what} {}: {result}.", self.format_damage_roll_sum(merged, face))
    }

    /// DAMAGE: formats a damage die with its bonuses, against the armour.
    fn format_damage_roll_sum(&self, merged: u8, face: u8) -> String {
        let sums = &self.sums;
        let more = match merged {
            0 => (sums.glance, "glancing"),
            n => (sums.merged * i64::from(n - 1), "Focus"),
        };
        let parts: Vec<NumberWithReason> = [(face.into(), "")]
            .into_iter()
            .chain(sums.energy.iter().copied())
            .chain([more])
            .collect();
        let total: i64 = parts.iter().map(|(number, _)| number).sum();
        format!("{} = {total} against {}", format_sum_with_reasons(&parts), sums.armour)
    }

    fn explain_save_roll(&self, from: &VolleyState, faces: &[u8], to: &VolleyState) -> String {
        let lost = from.squad.total_points() - to.squad.total_points();
        let result = match lost {
            0 => "is discarded",
            _ => "stands",
        };
        let dice: Vec<_> = faces.iter().map(u8::to_string).collect();
        let needed: Vec<_> = [self.saves.passive, self.saves.dodge]
            .into_iter()
            .flatten()
            .map(|needed| format!("{needed}+"))
            .collect();
        let (dice, needed) = (dice.join(", "), needed.join(", then "));
        let fate = describe_target_losses(from, to);
        format!("Countermeasures {needed}, rolled {dice}: the point of damage {result}{fate}.")
    }
}

/// Describes the damage die of `merged` hits; 0 is a glancing hit.
pub fn describe_merged_damage_die(merged: u8) -> String {
    match merged {
        0 => "Damage die of the glancing hit".into(),
        1 => "Damage die".into(),
        n => format!("Damage die of {n} hits merged"),
    }
}

/// ACCURACY: returns the lowest face that hits.
fn lowest_hitting_face(aim: &[HitFaceMeaning; 6]) -> usize {
    let hit = |aim: &HitFaceMeaning| matches!(aim, HitFaceMeaning::Hit | HitFaceMeaning::Critical);
    aim.iter().position(hit).map_or(7, |face| face + 1)
}

/// Describes the losses of the target, if any.
fn describe_target_losses(from: &VolleyState, to: &VolleyState) -> String {
    let lost = from.squad.total_points() - to.squad.total_points();
    let destroyed = from.squad.living_model_count() - to.squad.living_model_count();
    match (lost, destroyed) {
        (0, _) => String::new(),
        (lost, 0) => format!("; Damage Points lost: {lost}"),
        (lost, n) => format!("; Damage Points lost: {lost}, models destroyed: {n}"),
    }
}
