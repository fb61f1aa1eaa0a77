//! Several weapons in one volley: those of one unit, and those of other squads, at the same target.
//!
//! Source: quick reference, SHOOTING: "Allocate all weapon shots from a squad before rolling." So
//! shots left when the target is gone are lost. The weapons are resolved in the order of the file;
//! each meets the target as the previous one leaves it.

use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, fields};
use enfilade_model::form::{Fault, FieldType, Form, combine_results, fault_prefixer};

use super::data_rows::WeaponRow;
use super::focus_weapons;
use super::matchup::WeaponMatchup;
use super::profile::{NO_REDUCED_WEAPON_NOTE, TargetSquad, WeaponWithShooter};
use super::shooting_fields::{
    COST_IN_POINTS_RANGE, DISTANCE_INCHES_RANGE, DamageRules, EarlierLossFields,
    FocusMergeCountField, FocusMergeGivenOrBest, LOST_POINTS_RANGE, MODEL_COUNT_RANGE,
    PLACE_HEADING, ReportDetailChoice, ReportDetailField, SHOOTERS_HEADING, ShooterFields,
    ShootingRules, ShootingSituation, SquadFields, TargetBurnsField, TargetFields, WeaponFields,
};
use super::squad::DamagePointsLeftByModel;
use super::volley::VolleyDieFaceEffects;

fields! {
    /// Shooters of a further weapon, and their place.
    pub struct FurtherShooterFields {
        /// models that shoot, beside all others; the models of the contest when left out
        squad: Option<u16> = new_optional(FieldType::Int(MODEL_COUNT_RANGE)).with_player_name("shooters").with_unit("models")
            .with_heading(SHOOTERS_HEADING);
        /// Damage Points each shooter has lost (Reduced-X); as in the contest when left out
        damage_lost: Option<u16> = new_optional(FieldType::Int(LOST_POINTS_RANGE))
            .with_player_name("Damage Points lost by each shooter").with_unit("Damage Points")
            .with_heading(SHOOTERS_HEADING).as_rarely_changed();
        /// points of one shooter, where `squad` is given
        points: Option<u32> = new_optional(FieldType::Int(COST_IN_POINTS_RANGE)).with_player_name("cost of a shooter").with_unit("points")
            .with_heading(SHOOTERS_HEADING).as_rarely_changed();
        /// the target is in soft cover from here; as in the contest when left out
        soft_cover: Option<bool> = new_optional(FieldType::Flag).with_rule_reference("ACCURACY").with_player_name("in soft cover")
            .with_heading(PLACE_HEADING).as_rarely_changed();
        /// the target is behind body cover from here; as in the contest when left out
        body_cover: Option<bool> = new_optional(FieldType::Flag).with_rule_reference("DAMAGE").with_player_name("behind body cover")
            .with_heading(PLACE_HEADING).as_rarely_changed();
        /// the target is hull down from here; as in the contest when left out
        hull_down: Option<bool> = new_optional(FieldType::Flag).with_rule_reference("ACCURACY").with_player_name("hull down")
            .with_heading(PLACE_HEADING).as_rarely_changed();
        /// these shooters are out of coherency; as in the contest when left out
        out_of_coherency: Option<bool> = new_optional(FieldType::Flag).with_rule_reference("ACCURACY")
            .with_player_name("shooters out of coherency").with_heading(SHOOTERS_HEADING).as_rarely_changed();
        /// these shooters disembarked this turn; as in the contest when left out
        disembarked: Option<bool> = new_optional(FieldType::Flag).with_rule_reference("ACCURACY")
            .with_player_name("shooters disembarked this turn").with_heading(SHOOTERS_HEADING).as_rarely_changed();
        /// these shooters entered the garrison this turn; as in the contest when left out
        entered_garrison: Option<bool> = new_optional(FieldType::Flag).with_rule_reference("GARRISONS")
            .with_player_name("shooters entered the garrison this turn").with_heading(SHOOTERS_HEADING).as_rarely_changed();
        /// inches to the target; as in the contest when left out
        range: Option<i64> = new_optional(FieldType::Int(DISTANCE_INCHES_RANGE)).with_player_name("range").with_unit("inches")
            .with_heading(PLACE_HEADING).as_rarely_changed();
    }
}

fields! {
    /// Further weapons of a volley.
    pub struct FurtherVolleyWeaponFields {
        /// further weapons that shoot at the same target in this volley, one after another, behind
        /// the one that the contest gives if it gives one: others of the same models, or of other
        /// squads
        attack: Option<Vec<(WeaponFields, FurtherShooterFields)>> = new_optional(FieldType::tables(joined![WeaponFields::FIELDS, FurtherShooterFields::FIELDS]))
            .with_rule_reference("SHOOTING").with_player_name("further weapons").with_heading(SHOOTERS_HEADING).as_rarely_changed();
    }
}
/// Weapon of a volley against its target.
pub struct VolleyWeapon {
    /// Dice of the weapon.
    pub attack: VolleyDieFaceEffects,
    /// Hit dice of all its shooters.
    pub shots: u16,
}

/// All weapons of a volley.
pub struct VolleyWeaponsAndTarget {
    /// Weapons in the order in which they are resolved.
    pub fire: Vec<VolleyWeapon>,
    /// Target squad.
    pub target: TargetSquad,
    /// Target squad before the volley.
    pub before: DamagePointsLeftByModel,
    /// Cost of all shooters together, when known.
    pub cost: Option<u32>,
    /// Notes for a reader of the result.
    pub notes: Vec<String>,
}

/// Weapon with its shooters.
struct WeaponShootersAndSituation {
    weapon: WeaponWithShooter,
    shooters: ShooterFields,
    situation: ShootingSituation,
    /// Whether other models fire it than the previous weapons.
    others: bool,
}

/// Named weapon, with the index of the models that fire it.
type NumberedWeapon = (Option<&'static WeaponRow>, usize);

/// Reads the volleys of a contest.
///
/// # Errors
/// All faults of its weapons and its target.
pub fn read_volley_weapons(form: &Form) -> Result<VolleyWeaponsAndTarget, Vec<Fault>> {
    let (shots, (target, before)) =
        combine_results(read_weapon_shots(form), read_target_squad(form))?;
    let (rules, damage) = (ShootingRules::read(form), DamageRules::read(form));
    let tally = ReportDetailField::read(form).detail == ReportDetailChoice::Hits;
    let several = shots.len() > 1;
    let by = FocusMergeCountField::read(form).focus;
    if several && by == FocusMergeGivenOrBest::Best {
        let problem = "the best number of hits is worked out for a volley of one weapon alone";
        let fault = Fault::new("focus", problem);
        return Err(vec![fault.with_help("give `focus_merge` with each weapon")]);
    }
    let (mut fire, mut notes) = (Vec::new(), Vec::new());
    for (place, shot) in shots.iter().enumerate() {
        let matchup = WeaponMatchup {
            weapon: &shot.weapon,
            target: &target,
            situation: &shot.situation,
            rules: &rules,
            damage: &damage,
            tally,
        };
        let each = match matchup.can_fire_any_shot() {
            true => shot.weapon.shots_after_damage(shot.shooters.damage_lost),
            false => 0,
        };
        let shots = each.saturating_mul(shot.shooters.squad);
        let own = matchup
            .collect_weapon_notes()
            .into_iter()
            .chain(shot.weapon.no_shots_note(shot.shooters.damage_lost));
        notes.extend(own.map(|note| match several {
            true => format!("weapon {}: {note}", place + 1),
            false => note,
        }));
        let attack = matchup.face_meanings_of_merged_hits(focus_weapons::hits_merged_by_focus(
            by, &matchup, shots, &mut notes,
        )?);
        fire.push(VolleyWeapon { attack, shots });
    }
    notes.extend(no_reduced_weapon_note(&shots));
    Ok(VolleyWeaponsAndTarget { fire, target, before, cost: total_shooter_cost(&shots), notes })
}

fn read_target_squad(form: &Form) -> Result<(TargetSquad, DamagePointsLeftByModel), Vec<Fault>> {
    let target = TargetSquad::from_row_or_numbers(TargetFields::read(form))?
        .with_count_and_allocation(&SquadFields::read(form));
    let flammable = TargetBurnsField::read(form).flammable.unwrap_or(target.flammable);
    let earlier = EarlierLossFields::read(form);
    let before =
        target.with_lost_points(earlier.lost, earlier.points_left.as_deref(), "points_left")?;
    Ok((TargetSquad { flammable, ..target }, before))
}

/// Reduced-X: returns a note on damage of shooters none of whose weapons loses shots by it.
fn no_reduced_weapon_note(shots: &[WeaponShootersAndSituation]) -> Option<String> {
    let hurt = shots.iter().any(|shot| shot.shooters.damage_lost > 0);
    let none = shots.iter().all(|shot| shot.weapon.specials.reduced == 0);
    (hurt && none).then(|| NO_REDUCED_WEAPON_NOTE.into())
}

/// Returns the cost of all shooting models, each counted once.
fn total_shooter_cost(shots: &[WeaponShootersAndSituation]) -> Option<u32> {
    let of = |shot: &WeaponShootersAndSituation| {
        Some(shot.weapon.cost?.saturating_mul(shot.shooters.squad.into()))
    };
    let models = shots.iter().filter(|shot| shot.others);
    models.map(of).try_fold(0_u32, |sum, cost| Some(sum.saturating_add(cost?)))
}

/// Reads the weapon of the contest, and the further ones.
fn read_weapon_shots(form: &Form) -> Result<Vec<WeaponShootersAndSituation>, Vec<Fault>> {
    let further = FurtherVolleyWeaponFields::read(form).attack.unwrap_or_default();
    let own = ["weapon", "shots", "accuracy", "energy", "specials"];
    let fires = further.is_empty() || own.into_iter().any(|field| form.has(field));
    let mut carriers = Vec::new();
    let first = fires.then(|| {
        let weapon_fields = WeaponFields::read(form);
        carriers.push((weapon_fields.weapon, 0));
        let shooters = ShooterFields::read(form);
        let weapon = WeaponWithShooter::from_row_or_numbers(weapon_fields, shooters.points)?;
        Ok(WeaponShootersAndSituation {
            weapon,
            shooters,
            situation: ShootingSituation::read(form),
            others: true,
        })
    });
    let mut counted = fires;
    let behind: Vec<_> = further
        .into_iter()
        .enumerate()
        .map(|(place, (given, further))| {
            // Weapons without a squad belong to the contest's own models.
            let own = further.squad.is_none();
            let others = !own || !counted;
            counted |= own;
            carriers.push((given.weapon, if own { 0 } else { place + 1 }));
            let shot = further.read_further_weapon(given, form, others);
            shot.map_err(fault_prefixer(&format!("attack[{place}]")))
        })
        .collect();
    let (mut shots, mut faults) = (Vec::new(), Vec::new());
    for read in first.into_iter().chain(behind) {
        match read {
            Ok(shot) => shots.push(shot),
            Err(shot_faults) => faults.extend(shot_faults),
        }
    }
    faults.extend(check_alternative_weapons(&carriers, usize::from(fires)));
    if faults.is_empty() { Ok(shots) } else { Err(faults) }
}

/// Alt-X: of the weapons of a model that share a number one is fired in a round.
///
/// `carried` has each weapon with the number of the models that fire it; `own` is how many of them
/// are not further ones.
fn check_alternative_weapons(carried: &[NumberedWeapon], own: usize) -> Vec<Fault> {
    let of = |&(row, models): &NumberedWeapon| {
        let row = row?;
        Some((row.carrier_key(), models, row.specials.alternative?))
    };
    let again = (own..carried.len()).filter_map(|place| {
        let shared = of(&carried[place])?;
        let before = carried[..place].iter().filter_map(of).any(|known| known == shared);
        before.then(|| {
            let (carrier, _, number) = shared;
            let problem = format!("\"{carrier}\" fires one of its Alt-{number} weapons in a round");
            let fault = Fault::new(format!("attack[{}].weapon", place - own), problem);
            fault.with_help("give `squad`, where other models fire it")
        })
    });
    again.collect()
}

impl FurtherShooterFields {
    /// Reads a further weapon; the contest's values apply where it has none.
    fn read_further_weapon(
        self,
        weapon: WeaponFields,
        contest: &Form,
        others: bool,
    ) -> Result<WeaponShootersAndSituation, Vec<Fault>> {
        let (there, shooters) = (ShootingSituation::read(contest), ShooterFields::read(contest));
        let own = self.squad.is_none();
        if own && self.points.is_some() {
            let problem = "these are the models of the contest, whose `points` say what they cost";
            return Err(vec![
                Fault::new("points", problem).with_help("give `squad` for other models"),
            ]);
        }
        Ok(WeaponShootersAndSituation {
            weapon: WeaponWithShooter::from_row_or_numbers(
                weapon,
                self.points.or(shooters.points.filter(|_| own)),
            )?,
            shooters: ShooterFields {
                squad: self.squad.unwrap_or(shooters.squad),
                damage_lost: self.damage_lost.unwrap_or(shooters.damage_lost),
                points: self.points,
            },
            situation: ShootingSituation {
                soft_cover: self.soft_cover.unwrap_or(there.soft_cover),
                body_cover: self.body_cover.unwrap_or(there.body_cover),
                hull_down: self.hull_down.unwrap_or(there.hull_down),
                out_of_coherency: self.out_of_coherency.unwrap_or(there.out_of_coherency),
                disembarked: self.disembarked.unwrap_or(there.disembarked),
                entered_garrison: self.entered_garrison.unwrap_or(there.entered_garrison),
                range: self.range.or(there.range),
            },
            others,
        })
    }
}
