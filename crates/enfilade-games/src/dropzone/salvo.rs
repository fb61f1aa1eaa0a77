//! Several weapons in one volley: those of one unit, and those of other squads, at the same target.
//!
//! Source: quick reference, SHOOTING: "Allocate all weapon shots from a squad before rolling." So
//! shots left when the target is gone are lost. The weapons are resolved in the order of the file;
//! each meets the target as the previous one leaves it.

use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, fields};
use enfilade_model::form::{Fault, Form, Kind, both, within};

use super::data_rows::WeaponRow;
use super::fields::{
    Burns, COST, DamageRules, Detail, Earlier, Focus, FocusBy, LOST, MODELS, Models, RANGE, Rules,
    Shooters, Situation, THE_PLACE, THE_SHOOTERS, TargetFields, Told, WeaponFields,
};
use super::focus;
use super::matchup::Matchup;
use super::profile::{Target, UNREDUCED, Weapon};
use super::squad::Squad;
use super::volley::Attack;

fields! {
    /// Shooters of a further weapon, and their place.
    pub struct Further {
        /// models that shoot, beside all others; the models of the contest when left out
        squad: Option<u16> = optional(Kind::Int(MODELS)).label("shooters").unit("models")
            .group(THE_SHOOTERS);
        /// Damage Points each shooter has lost (Reduced-X); as in the contest when left out
        damage_lost: Option<u16> = optional(Kind::Int(LOST))
            .label("Damage Points lost by each shooter").unit("Damage Points")
            .group(THE_SHOOTERS).rare();
        /// points of one shooter, where `squad` is given
        points: Option<u32> = optional(Kind::Int(COST)).label("cost of a shooter").unit("points")
            .group(THE_SHOOTERS).rare();
        /// the target is in soft cover from here; as in the contest when left out
        soft_cover: Option<bool> = optional(Kind::Flag).rule("ACCURACY").label("in soft cover")
            .group(THE_PLACE).rare();
        /// the target is behind body cover from here; as in the contest when left out
        body_cover: Option<bool> = optional(Kind::Flag).rule("DAMAGE").label("behind body cover")
            .group(THE_PLACE).rare();
        /// the target is hull down from here; as in the contest when left out
        hull_down: Option<bool> = optional(Kind::Flag).rule("ACCURACY").label("hull down")
            .group(THE_PLACE).rare();
        /// these shooters are out of coherency; as in the contest when left out
        out_of_coherency: Option<bool> = optional(Kind::Flag).rule("ACCURACY")
            .label("shooters out of coherency").group(THE_SHOOTERS).rare();
        /// these shooters disembarked this turn; as in the contest when left out
        disembarked: Option<bool> = optional(Kind::Flag).rule("ACCURACY")
            .label("shooters disembarked this turn").group(THE_SHOOTERS).rare();
        /// these shooters entered the garrison this turn; as in the contest when left out
        entered_garrison: Option<bool> = optional(Kind::Flag).rule("GARRISONS")
            .label("shooters entered the garrison this turn").group(THE_SHOOTERS).rare();
        /// inches to the target; as in the contest when left out
        range: Option<i64> = optional(Kind::Int(RANGE)).label("range").unit("inches")
            .group(THE_PLACE).rare();
    }
}

fields! {
    /// Further weapons of a volley.
    pub struct Salvo {
        /// further weapons that shoot at the same target in this volley, one after another, behind the one
        /// that the contest gives if it gives one: others of the same models, or of other squads
        attack: Option<Vec<(WeaponFields, Further)>> = optional(Kind::tables(joined![WeaponFields::FIELDS, Further::FIELDS]))
            .rule("SHOOTING").label("further weapons").group(THE_SHOOTERS).rare();
    }
}
/// Weapon of a volley against its target.
pub struct Fire {
    /// Dice of the weapon.
    pub attack: Attack,
    /// Hit dice of all its shooters.
    pub shots: u16,
}

/// All weapons of a volley.
pub struct Volleys {
    /// Weapons in the order in which they are resolved.
    pub fire: Vec<Fire>,
    /// Target squad.
    pub target: Target,
    /// Target squad before the volley.
    pub before: Squad,
    /// Cost of all shooters together, when known.
    pub cost: Option<u32>,
    /// Notes for a reader of the result.
    pub notes: Vec<String>,
}

/// Weapon with its shooters.
struct Shot {
    weapon: Weapon,
    shooters: Shooters,
    situation: Situation,
    /// Whether other models fire it than the previous weapons.
    others: bool,
}

/// Named weapon, with the index of the models that fire it.
type Carried = (Option<&'static WeaponRow>, usize);

/// Reads the volleys of a contest.
///
/// # Errors
/// All faults of its weapons and its target.
pub fn volleys(form: &Form) -> Result<Volleys, Vec<Fault>> {
    let (shots, (target, before)) = both(shots(form), target(form))?;
    let (rules, damage) = (Rules::read(form), DamageRules::read(form));
    let tally = Told::read(form).detail == Detail::Hits;
    let several = shots.len() > 1;
    let by = Focus::read(form).focus;
    if several && by == FocusBy::Best {
        let problem = "the best number of hits is worked out for a volley of one weapon alone";
        let fault = Fault::new("focus", problem);
        return Err(vec![fault.help("give `focus_merge` with each weapon")]);
    }
    let (mut fire, mut notes) = (Vec::new(), Vec::new());
    for (place, shot) in shots.iter().enumerate() {
        let matchup = Matchup {
            weapon: &shot.weapon,
            target: &target,
            situation: &shot.situation,
            rules: &rules,
            damage: &damage,
            tally,
        };
        let each = match matchup.may_fire() {
            true => shot.weapon.shots_after(shot.shooters.damage_lost),
            false => 0,
        };
        let shots = each.saturating_mul(shot.shooters.squad);
        let own = matchup.notes().into_iter().chain(shot.weapon.spent(shot.shooters.damage_lost));
        notes.extend(own.map(|note| match several {
            true => format!("weapon {}: {note}", place + 1),
            false => note,
        }));
        let attack = matchup.merging(focus::merged(by, &matchup, shots, &mut notes)?);
        fire.push(Fire { attack, shots });
    }
    notes.extend(unreduced(&shots));
    Ok(Volleys { fire, target, before, cost: cost(&shots), notes })
}

fn target(form: &Form) -> Result<(Target, Squad), Vec<Fault>> {
    let target = Target::of(TargetFields::read(form))?.squad_of(&Models::read(form));
    let flammable = Burns::read(form).flammable.unwrap_or(target.flammable);
    let earlier = Earlier::read(form);
    let before = target.hurt(earlier.lost, earlier.points_left.as_deref(), "points_left")?;
    Ok((Target { flammable, ..target }, before))
}

/// Reduced-X: returns a note on damage of shooters none of whose weapons loses shots by it.
fn unreduced(shots: &[Shot]) -> Option<String> {
    let hurt = shots.iter().any(|shot| shot.shooters.damage_lost > 0);
    let none = shots.iter().all(|shot| shot.weapon.specials.reduced == 0);
    (hurt && none).then(|| UNREDUCED.into())
}

/// Returns the cost of all shooting models, each counted once.
fn cost(shots: &[Shot]) -> Option<u32> {
    let of = |shot: &Shot| Some(shot.weapon.cost?.saturating_mul(shot.shooters.squad.into()));
    let models = shots.iter().filter(|shot| shot.others);
    models.map(of).try_fold(0_u32, |sum, cost| Some(sum.saturating_add(cost?)))
}

/// Reads the weapon of the contest, and the further ones.
fn shots(form: &Form) -> Result<Vec<Shot>, Vec<Fault>> {
    let further = Salvo::read(form).attack.unwrap_or_default();
    let own = ["weapon", "shots", "accuracy", "energy", "specials"];
    let fires = further.is_empty() || own.into_iter().any(|field| form.has(field));
    let mut carriers = Vec::new();
    let first = fires.then(|| {
        let given = WeaponFields::read(form);
        carriers.push((given.weapon, 0));
        let shooters = Shooters::read(form);
        let weapon = Weapon::of(given, shooters.points)?;
        Ok(Shot { weapon, shooters, situation: Situation::read(form), others: true })
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
            let shot = further.shot(given, form, others);
            shot.map_err(within(&format!("attack[{place}]")))
        })
        .collect();
    let (mut shots, mut faults) = (Vec::new(), Vec::new());
    for read in first.into_iter().chain(behind) {
        match read {
            Ok(shot) => shots.push(shot),
            Err(found) => faults.extend(found),
        }
    }
    faults.extend(alternatives(&carriers, usize::from(fires)));
    if faults.is_empty() { Ok(shots) } else { Err(faults) }
}

/// Alt-X: of the weapons of a model that share a number one is fired in a round.
///
/// `carried` has each weapon with the number of the models that fire it; `own` is how many of them
/// are not further ones.
fn alternatives(carried: &[Carried], own: usize) -> Vec<Fault> {
    let of = |&(row, models): &Carried| {
        let row = row?;
        Some((row.carrier(), models, row.specials.alternative?))
    };
    let again = (own..carried.len()).filter_map(|place| {
        let shared = of(&carried[place])?;
        let before = carried[..place].iter().filter_map(of).any(|known| known == shared);
        before.then(|| {
            let (carrier, _, number) = shared;
            let problem = format!("\"{carrier}\" fires one of its Alt-{number} weapons in a round");
            let fault = Fault::new(format!("attack[{}].weapon", place - own), problem);
            fault.help("give `squad`, where other models fire it")
        })
    });
    again.collect()
}

impl Further {
    /// Reads a further weapon; the contest's values apply where it has none.
    fn shot(self, given: WeaponFields, contest: &Form, others: bool) -> Result<Shot, Vec<Fault>> {
        let (there, shooters) = (Situation::read(contest), Shooters::read(contest));
        let own = self.squad.is_none();
        if own && self.points.is_some() {
            let problem = "these are the models of the contest, whose `points` say what they cost";
            return Err(vec![Fault::new("points", problem).help("give `squad` for other models")]);
        }
        Ok(Shot {
            weapon: Weapon::of(given, self.points.or(shooters.points.filter(|_| own)))?,
            shooters: Shooters {
                squad: self.squad.unwrap_or(shooters.squad),
                damage_lost: self.damage_lost.unwrap_or(shooters.damage_lost),
                points: self.points,
            },
            situation: Situation {
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
