//! Prices of units: the fields of an arsenal and the battle setup of a unit, with everything it
//! carries, against squads of other units.
//!
//! Source: the action `shoot`, `data/dropzone_*.tsv`, and Alt-X, Limited-X and Reduced-X as
//! `specials.rs` parses them. A price is for a unit: its weapons and its armour. In an activation
//! it fires every weapon once, also each of two equal ones (a weapon that is printed twice, such as
//! one on either side, is carried twice); of weapons that share a number `Alt-X` the one that hurts
//! the target most, and in the open none for Close Quarters. Focus merges the best number of hits
//! against the target. A weapon with `Limited-X` fires in as many activations of the scenario as it
//! has rounds.
//!
//! The Damage Points that a unit has left are its conditions, and the distribution of a volley is
//! queried for every number of them; the unit's points are lost with the last. Where damage takes
//! shots away (Reduced-X), a hurt unit makes its volleys at a rate equal to the ratio of its damage
//! to that of a whole one.
//!
//! Not modelled: arcs, movement and fire, dropships and their cargo, scenery, command.

mod mounts;

use toml::{Table, Value as Toml};

use super::data;
use super::fields;
use super::shoot::SHOOT;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::list;
use enfilade_model::form::{Fault, Field, Fields, Form, Kind};
use enfilade_model::shared::Text;
use enfilade_model::weapons::attrition::{Ladder, still, through};
use enfilade_model::weapons::{
    self, Ask, Assumed, Checked, Condition, Effect, Leads, Nature, PRICE, Priced, Profile, RANGE,
    Round, Setting, Staging, TROOPERS, Unit, WITHIN_REACH, distance_assumed, within,
};
use mounts::{Model, Mount, SEVERAL, SHIELD, SWORD};

/// Note for a weapon that has an arc.
const NO_ARCS: &str = "its arcs are left out, nothing here stands on a map: every weapon bears on every target, so \
    one that does not turn is worth less than this";

/// Pricing rules of this rulebook.
pub static PRICING: Units = Units;

/// Units of this rulebook with their weapons.
pub struct Units;

static WEAPON: Fields = joined![SHIELD, SWORD, SEVERAL];

const TARGET: Fields = joined![
    list! {
        /// the reference unit, by its built-in name or another
        unit = required(Kind::Text).label("reference unit");
        /// reference units on each side
        troopers = int(TROOPERS, 6).label("reference units").unit("units");
        /// points of each; the printed ones when left out
        points_each = optional(Kind::Fraction(PRICE)).label("cost of a reference unit").unit("points");
    },
    SHIELD,
    SWORD,
    SEVERAL
];

/// Cover of all units, as `shoot` has it.
const COVER: [Field; 3] = list! {
    /// everybody is in soft cover
    soft_cover = of(fields::Situation::FIELDS).label("in soft cover");
    /// everybody is behind body cover
    body_cover = of(fields::Situation::FIELDS).label("behind body cover");
    /// everybody is hull down
    hull_down = of(fields::Situation::FIELDS).label("hull down");
};

static SCENARIO: Fields = joined![
    [RANGE, WITHIN_REACH],
    list! {
        /// the reference units of both sides
        target = required(Kind::Table(TARGET)).label("reference units");
        /// fought inside a garrison: Close Quarters weapons only
        close_quarters = flag(false).label("inside a garrison");
    },
    COVER
];

/// Assumed distance, where a scenario gives none.
static INCHES: [weapons::Preset; 1] = [distance_assumed(NOT_SAID, [6.0, 18.0, 36.0])];

const NOT_SAID: &str =
    "inches between both sides, where a scenario has neither `range` nor `within_reach`";

/// Words in the printed name of a unit that commands, where no printed rule says so.
const COMMANDS: [&str; 2] = ["Command", "Control"];

/// Eight units and one to be designed against tanks, walkers and infantry, from long to short
/// distance.
const READY: &str = "\
[[weapon]]
name = \"UCM/Sabre Tank\"
[[weapon]]
name = \"UCM/Gladius Heavy Tank\"
[[weapon]]
name = \"PHR/Ares Walker\"
[[weapon]]
name = \"PHR/Odin Heavy Walker\"
[[weapon]]
name = \"Scourge/Hunter Tank\"
[[weapon]]
name = \"Scourge/Slayer Heavy Tank\"
[[weapon]]
name = \"Shaltari/Tomahawk Gravtank\"
[[weapon]]
name = \"Resistance/Hannibal Tank\"
[[weapon]]
name = \"my own\"
armour = 13
damage_points = 2
shots = 2
accuracy = 3
energy = 11

[[scenario]]
name = \"tanks\"
range = [24, 18, 12]
target = { unit = \"UCM/Sabre Tank\", troopers = 4 }

[[scenario]]
name = \"walkers\"
range = [24, 18, 12]
target = { unit = \"PHR/Ares Walker\", troopers = 4 }

[[scenario]]
name = \"infantry\"
range = [24, 18, 12]
target = { unit = \"UCM/Legionnaires\", troopers = 4 }
";

impl Priced for Units {
    fn weapon(&self) -> &Fields {
        &WEAPON
    }

    fn scenario(&self) -> &Fields {
        &SCENARIO
    }

    fn known(&self) -> Vec<Text> {
        data::unit_names().iter().map(|name| Text::from(name.to_owned())).collect()
    }

    fn ready(&self) -> &str {
        READY
    }

    fn assumptions(&self) -> &[weapons::Preset] {
        &INCHES
    }

    fn nature(&self, weapon: Profile) -> Nature {
        let arcs = weapon.form.tables("arms").iter().any(|arm| arm.has("arc"));
        let left_out = arcs.then_some(Text::Static(NO_ARCS));
        let Some(unit) = data::units().find(weapon.name) else {
            return Nature { left_out, ..Nature::default() };
        };
        let (_, name) = unit.key.split_once('/').unwrap_or(("", &unit.key));
        // A Command Centre, by its printed rule or by its name: no battle here includes orders.
        let called = name.split(' ').any(|word| COMMANDS.contains(&word));
        let commands = unit.specials.commands || called;
        Nature { unseen: commands.then_some(Text::Static("it commands")), left_out }
    }

    fn printed_price(&self, weapon: Profile) -> Checked<Option<f64>> {
        let unit = data::units().find(weapon.name);
        if unit.is_none() && !weapon.form.has("armour") {
            return Err(vec![without_profile(weapon.name, "name")]);
        }
        Ok(unit.and_then(|unit| unit.points).map(f64::from))
    }

    /// DAMAGE: "Roll 1 dice for each hit. Add Energy to the result. If total equals or beats target's Armour, does 1
    /// Damage."
    fn shortfall(&self, weapon: Profile, there: &Setting) -> Option<String> {
        let unit = Model::read(weapon.name, weapon.form).ok()?;
        let energy = unit.mounts.iter().filter_map(Mount::energy).max()?;
        let armour = reference(there.target()).ok()?.0.armour()?;
        (energy + 6 < armour).then(|| format!("energy {energy} + 6 is below armour {armour}"))
    }

    fn stage(
        &self,
        weapon: Profile,
        there: &Setting,
        assumed: &Assumed,
        rules: &dyn Ask,
    ) -> Checked<Staging> {
        let unit = Model::read(weapon.name, weapon.form).map_err(within("weapon"))?;
        let (troops, points) = reference(there.target())?;
        let mut rounds: Vec<Round> = Vec::new();
        let mut volleys: Vec<Volley> = Vec::new();
        let mut fought: Vec<Vec<[bool; 3]>> = Vec::new();
        for number in 0..there.moves {
            let range = there.range(number, assumed);
            // A distance decides which units are in range, and nothing else.
            let mounts = troops.mounts.iter().chain(&unit.mounts);
            let reached: Vec<_> = mounts.map(|mount| mount.reaches(range)).collect();
            let alike = fought.iter().position(|known| *known == reached);
            fought.push(reached);
            if let Some(alike) = alike {
                rounds.push(rounds[alike].clone());
                continue;
            }
            let volley = Volley { rules, there, range };
            let effect = |shooter, target| volley.effect(shooter, target);
            rounds.push(Round {
                troop_shots: 1,
                on_troops: effect(&troops, &troops).map_err(within("scenario.target"))?,
                on_weapon: effect(&troops, &unit).map_err(within("weapon"))?,
                weapon_shots: 1,
                by_weapon: effect(&unit, &troops).map_err(within("weapon"))?,
            });
            volleys.push(volley);
        }
        let hurt = |shooter: &Model| unit_of(shooter, &troops, &volleys);
        Ok(Staging {
            troops: hurt(&troops).map_err(within("scenario.target"))?,
            weapon: hurt(&unit).map_err(within("weapon"))?,
            troop_points: points,
            paid: 0.0,
            rounds,
        })
    }
}

fn without_profile(name: &str, field: &str) -> Fault {
    let how = "give its `armour`, `shots`, `accuracy` and `energy`";
    let fault = weapons::without_profile(name, data::unit_names().iter(), how);
    Fault { path: field.to_owned(), ..fault }
}

/// Reads the reference troops, and the points of each.
fn reference(target: &Form) -> Checked<(Model, f64)> {
    let name = target.text("unit");
    let unit = data::units().find(name);
    if unit.is_none() && !target.has("armour") {
        return Err(vec![without_profile(name, "scenario.target.unit")]);
    }
    let troops = Model::read(name, target).map_err(within("scenario.target"))?;
    let printed = unit.and_then(|unit| unit.points).map(f64::from);
    let points = weapons::points_each(target, printed, name)?;
    Ok((troops, points))
}

/// Circumstances of a volley.
struct Volley<'a> {
    rules: &'a dyn Ask,
    there: &'a Setting,
    range: Option<i64>,
}

impl Volley<'_> {
    fn contest(&self, mount: &Mount, lost: i64, target: &Model, left: i64) -> Table {
        let mut contest = mount.sword.clone();
        contest.extend(target.shield.clone());
        let mut put = |key: &str, value: Toml| contest.insert(key.to_owned(), value);
        put("damage_points", left.into());
        put("focus", "best".into());
        if mount.reduced > 0 {
            put("damage_lost", lost.into());
        }
        for cover in COVER {
            put(&cover.name, self.there.form.flag(&cover.name).into());
        }
        if let Some(range) = self.range {
            put("range", range.into());
        }
        // The scenario puts all units inside one Garrison, whatever their type.
        if mount.close_quarters {
            put("close_quarters_anywhere", true.into());
        }
        contest
    }

    /// Selects the weapons that `shooter`, who has lost `lost` Damage Points, fires at a whole
    /// `target`: of alternatives the one that hurts the target most.
    fn fired<'m>(&self, shooter: &'m Model, lost: i64, target: &Model) -> Checked<Vec<&'m Mount>> {
        let close = self.there.form.flag("close_quarters");
        let mut fired: Vec<(&Mount, f64)> = Vec::new();
        let ready = shooter.mounts.iter().filter(|mount| {
            mount.close_quarters == close && mount.near(self.range) && mount.shoots_after(lost)
        });
        for mount in ready {
            let contest = self.contest(mount, lost, target, target.points);
            let harm = self.rules.ask(&SHOOT.name, &contest)?;
            // Alternatives compete with all equal weapons of the unit, which fire together.
            let harm = harm.measure("e_damage") * f64::from(mount.count);
            let alternative = mount.alternative;
            let mut rivals = fired.iter_mut();
            match rivals
                .find(|(known, _)| alternative.is_some() && known.alternative == alternative)
            {
                Some(rival) if harm > rival.1 => *rival = (mount, harm),
                Some(_) => {}
                None => fired.push((mount, harm)),
            }
        }
        Ok(fired.into_iter().map(|(mount, _)| mount).collect())
    }

    /// Computes the effect on `target` of an activation of `shooter`, who has lost `lost` Damage
    /// Points.
    fn ladder(&self, shooter: &Model, lost: i64, target: &Model) -> Checked<Ladder> {
        let mut ladder = still(target.points as usize);
        for mount in self.fired(shooter, lost, target)? {
            let single = self.single(mount, lost, target)?;
            for _ in 0..mount.count {
                ladder = ladder.iter().map(|row| through(row, &single)).collect();
            }
        }
        Ok(ladder)
    }

    /// Computes the effect on `target` of one of several equal weapons in an activation.
    fn single(&self, mount: &Mount, lost: i64, target: &Model) -> Checked<Ladder> {
        let fires = mount
            .rounds
            // Limited-X: the rounds are spread over the scenario, because no activation is special.
            .map_or(1.0, |rounds| (f64::from(rounds) / self.there.moves as f64).min(1.0));
        let mut single = still(target.points as usize);
        for (left, row) in single.iter_mut().enumerate().skip(1) {
            let contest = self.contest(mount, lost, target, left as i64);
            let law = self.rules.ask(&SHOOT.name, &contest)?;
            row[left] = 1.0 - fires;
            for ([damage], p) in law.outcomes(["damage"]) {
                row[left - damage.unsigned_abs() as usize] += fires * p;
            }
        }
        Ok(single)
    }

    /// Computes the effect on `target` of an activation of a whole `shooter`, by the points that
    /// the target has left.
    fn effect(&self, shooter: &Model, target: &Model) -> Checked<Effect> {
        let ladder = self.ladder(shooter, 0, target)?;
        let whole = ladder.len() - 1;
        let leads = |left: usize| -> Leads {
            let after = ladder[left].iter().enumerate().take(left + 1);
            // Conditions count the points lost, the ladder counts the points left.
            after.rev().map(|(after, p)| (whole - after, *p)).collect()
        };
        Ok((1..=whole).rev().map(leads).collect())
    }

    /// Computes the Damage Points that an activation of `shooter`, who has lost `lost`, takes from
    /// a whole `target`.
    fn damage(&self, shooter: &Model, lost: i64, target: &Model) -> Checked<f64> {
        let ladder = self.ladder(shooter, lost, target)?;
        let whole = ladder.len() - 1;
        Ok(ladder[whole].iter().enumerate().map(|(left, p)| p * (whole - left) as f64).sum())
    }
}

/// Creates a unit with its conditions, from whole; the share of its fire left is taken from
/// `volleys` at `target`.
fn unit_of(unit: &Model, target: &Model, volleys: &[Volley]) -> Checked<Unit> {
    let reduced = unit.mounts.iter().any(|mount| mount.reduced > 0);
    let damage = |lost: i64| -> Checked<f64> {
        volleys.iter().map(|volley| volley.damage(unit, lost, target)).sum()
    };
    let fresh = if reduced { damage(0)? } else { 0.0 };
    let condition = |lost: i64| -> Checked<Condition> {
        // A battle scales whole volleys, so the loss of dice becomes a share of the damage.
        let fires = if fresh > 0.0 { (damage(lost)? / fresh).min(1.0) } else { 1.0 };
        let unhurt = 1.0 - lost as f64 / unit.points as f64;
        Ok(Condition { fires, left: 1.0, unhurt, rest: vec![(lost as usize, 1.0)] })
    };
    let conditions = (0..unit.points).map(condition).collect::<Checked<_>>()?;
    Ok(Unit { conditions, start: 0 })
}
