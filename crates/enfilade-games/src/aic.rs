//! Pricing of weapon teams of `aic`: the fields of an arsenal and the battle setup against squads
//! that can break, which the `price:` lines of a text cannot express yet.
//!
//! The rules are in the text. This file only contains names of the text: of actions that are
//! queried, of their fields, of outcomes that they report.
//!
//! Source: the actions `fire`, `morale` and `rally`. A price is for a team: its dice, its
//! Experience, its Defense. In an activation it fires once, scaled by the share of its Motivation's
//! actions that it has left.
//!
//! A team has three conditions. It is steady; or pinned, by the mean number of markers that a
//! volley of the reference troops leaves, until its next morale test; or it Cowers until it
//! Rallies. A volley takes figures; the distribution for every number of figures gives the chance
//! that the volley wipes the team out, and the mean fire of the team over its life. The effect of a
//! test with every number of pins is the distribution of `morale`, that of a Rally the distribution
//! of `rally`: so the worth of a pin is what the rules take from the activations after it.
//!
//! Not modelled: markers that add up from several volleys before a test, Wounded markers after the
//! volley that placed them, the sharing of results within a squad, close combat.

use toml::{Table, Value as Toml};

use enfilade_model::catalogue::System;
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::{Fault, Field, Fields, Form, Kind, Preset, Value};
use enfilade_model::shared::{Shared, Text};
use enfilade_model::weapons::attrition::{Ladder, destroys, over_life, still};
use enfilade_model::weapons::{
    self, Ask, Assumed, Checked, Condition, Denied, Effect, Exchange, PRICE, Priced, Profile,
    Round, Setting, Staging, Unit, effect_value, within,
};

/// Actions that are queried, and the target of `fire`, by the names in the text of the rulebook.
const FIRE: &str = "fire";
const MORALE: &str = "morale";
const RALLY: &str = "rally";
const TEAM: &str = "defender";

/// Adds the pricing rules to the rulebook, unless its text has no such team.
pub fn priced(system: System) -> System {
    let teams = system.action(FIRE).ok().and_then(|fire| {
        let team = fire.fields.get(TEAM)?;
        Teams::of(team.kind.fields()?)
    });
    let pricing = teams.map(|teams| Shared::Made(std::sync::Arc::new(teams) as _));
    System { pricing, ..system }
}

/// Weapons of this rulebook: teams with their weapons.
struct Teams {
    weapon: Fields,
    scenario: Fields,
    /// Largest numbers of figures of a team, and of its Pin Check markers.
    figures: i64,
    pins: i64,
}

/// Largest number of teams: a team with three conditions makes many states.
const TEAMS: Bound = Bound::new("number of teams", 1, 6);

impl Teams {
    /// Creates the weapons from the fields of a target of `fire`.
    fn of(team: &Fields) -> Option<Teams> {
        let most = |name| match team.get(name)?.kind {
            Kind::Int(Bound { high, .. }) => Some(high),
            _ => None,
        };
        let weapon = weapon(team)?;
        let scenario = scenario(team, &weapon)?;
        Some(Teams { weapon, scenario, figures: most("figures")?, pins: most("pins")? })
    }
}

/// Copies a field of a team, with the label and help for pricing.
fn again(team: &Fields, name: &str, label: &'static str, about: &'static str) -> Option<Field> {
    let field = team.get(name)?.clone();
    Some(Field { label: label.into(), about: about.into(), group: Text::EMPTY, ..field })
}

/// Returns the fields of a team as in `fire`; fields that a firing team needs have a default here.
fn weapon(team: &Fields) -> Option<Fields> {
    let field = |name, label, about| again(team, name, label, about);
    let experience = field("experience", "Experience die", "Experience die")?;
    let dice = "weapon die of each figure, the best ones first";
    let defense = field("defense", "Defense", "Defense rating")?;
    let fields = vec![
        Field { preset: Preset::Die(8), ..experience },
        field("weapons", "weapon dice", dice)?,
        field("figures", "figures", "number of figures, in place of a list of weapons")?,
        field("weapon", "weapon die of all", "weapon die of every figure")?,
        Field { preset: Preset::Int(6), ..defense },
        field("motivation", "Motivation", "Motivation: actions of an activation")?,
    ];
    Some(fields.into())
}

fn scenario(team: &Fields, weapon: &Fields) -> Option<Fields> {
    let troops = vec![
        Field::int("troopers", TEAMS, 3, "reference teams on each side")
            .label("reference teams")
            .unit("teams"),
        Field::required("points_each", Kind::Fraction(PRICE), "points of each team")
            .label("cost of a team")
            .unit("points"),
    ];
    let troops = Fields::from(troops).and(weapon);
    let about = "the reference teams of both sides";
    let target = Field::required("target", Kind::Table(troops), about).label("reference teams");
    let cover = again(team, "cover", "terrain", "terrain that everybody occupies")?;
    Some(vec![target, cover].into())
}

/// Conditions of a team.
const STEADY: usize = 0;
const PINNED: usize = 1;
const COWERING: usize = 2;
const GONE: usize = 3;

/// Three teams and one to be designed, against rifle teams and machine gun teams.
const READY: &str = "\
# No points are printed: these are to be yours.
[[weapon]]
name = \"rifle team\"
price = 40
defense = 7
weapons = [\"d6\", \"d6\", \"d6\", \"d6\"]
[[weapon]]
name = \"machine gun team\"
price = 40
defense = 7
weapons = [\"d10\", \"d10\"]
[[weapon]]
name = \"my own\"
defense = 7
weapons = [\"d8\", \"d8\"]

[[scenario]]
name = \"rifle teams in the open\"
target = { troopers = 3, points_each = 40, figures = 4, weapon = \"d6\", defense = 7 }

[[scenario]]
name = \"machine gun teams in the open\"
target = { troopers = 3, points_each = 40, figures = 2, weapon = \"d10\", defense = 7 }

[[scenario]]
name = \"rifle teams in cover\"
cover = \"cover\"
target = { troopers = 3, points_each = 40, figures = 4, weapon = \"d6\", defense = 7 }
";

impl Priced for Teams {
    fn weapon(&self) -> &Fields {
        &self.weapon
    }

    fn scenario(&self) -> &Fields {
        &self.scenario
    }

    fn ready(&self) -> &str {
        READY
    }

    fn printed_price(&self, weapon: Profile) -> Checked<Option<f64>> {
        self.team(weapon.form).map(|_| None).map_err(|_| {
            let how = "give its `weapons`, or `figures` and `weapon`";
            let none = std::iter::empty();
            vec![weapons::without_profile(weapon.name, none, how)]
        })
    }

    fn stage(
        &self,
        weapon: Profile,
        there: &Setting,
        _: &Assumed,
        rules: &dyn Ask,
    ) -> Checked<Staging> {
        let gun = self.team(weapon.form).map_err(within("weapon"))?;
        let target = there.target();
        let troops = self.team(target).map_err(within("scenario.target"))?;
        let asked = Asked { rules, there, most_pins: self.pins as usize };
        // Teams other than the weapon are troops: they fire at each other, at the weapon, and are
        // its targets.
        let on_troops = asked.volley(&troops, troops.dice.len(), &troops)?;
        let on_weapon = asked.volley(&troops, troops.dice.len(), &gun)?;
        let by_weapon = asked.volley(&gun, gun.dice.len(), &troops)?;
        let troop_fire = asked.fire_over_life(&troops, &troops, &on_troops.ladder)?;
        let fire_at_gun = asked.fire_over_life(&troops, &gun, &on_troops.ladder)?;
        let gun_fire = asked.fire_over_life(&gun, &troops, &on_weapon.ladder)?;
        let round = Round {
            troop_shots: 1,
            on_troops: effect(&on_troops, troop_fire),
            on_weapon: effect(&on_weapon, fire_at_gun),
            weapon_shots: 1,
            by_weapon: effect(&by_weapon, gun_fire),
        };
        Ok(Staging {
            troops: asked.unit(&troops, &on_troops.pins)?,
            weapon: asked.unit(&gun, &on_weapon.pins)?,
            troop_points: target.fraction("points_each") as f64 / 64.0,
            paid: 0.0,
            rounds: vec![round],
        })
    }

    /// Computes the points denied by a volley of the weapon: teams wiped out; activations lost to
    /// pins; and those lost by teams that Cower after a pin, which counts as breaking here.
    fn denied(&self, staging: &Staging, there: &Setting) -> Denied {
        let unit = &staging.troops;
        let round = &staging.rounds[0];
        let chance = |to: usize| {
            let leads = round.by_weapon[STEADY].iter().filter(|lead| lead.0 == to);
            leads.map(|lead| lead.1).sum::<f64>() * staging.troop_points
        };
        let rest = unit.conditions[PINNED].rest.iter();
        let cowers: f64 = rest.filter(|r| r.0 == COWERING).map(|r| r.1).sum();
        // A team that Cowers does so from the activation after the test on.
        let later = there.moves.saturating_sub(1);
        let whole = effect_value::output(unit, there.moves)[STEADY];
        let expected = effect_value::output(unit, later);
        let broken = cowers * (expected[STEADY] - expected[COWERING]) / whole;
        let pinned = effect_value::lost(unit, PINNED, there.moves);
        Denied {
            kill: chance(GONE),
            broken: chance(PINNED) * broken,
            pin: chance(PINNED) * (pinned - broken),
        }
    }

    /// Computes the worth of a Pin Check marker, and of Cowering, on a reference team.
    fn exchange(
        &self,
        there: &Setting,
        _: &Assumed,
        activations: usize,
        rules: &dyn Ask,
    ) -> Checked<Exchange> {
        let troops = self.team(there.target()).map_err(within("scenario.target"))?;
        let unit =
            Asked { rules, there, most_pins: self.pins as usize }.unit(&troops, &[0.0, 1.0])?;
        Ok(Exchange {
            pin_per_kill: Some(effect_value::lost(&unit, PINNED, activations)),
            break_per_kill: Some(effect_value::lost(&unit, COWERING, activations)),
        })
    }
}

/// Team that fires or is fired at.
struct Team {
    experience: u8,
    /// Weapon dice, the best ones first.
    dice: Vec<u8>,
    defense: i64,
    motivation: i64,
}

impl Teams {
    fn team(&self, form: &Form) -> Checked<Team> {
        let listed = form.list("weapons").iter().filter_map(|value| match value {
            Value::Die(sides) => Some(*sides),
            _ => None,
        });
        let mut dice: Vec<u8> = listed.collect();
        if let (true, Some(sides)) = (dice.is_empty(), form.maybe_die("weapon")) {
            dice = vec![sides; form.maybe_int("figures").unwrap_or(1) as usize];
        }
        if dice.is_empty() {
            let fault = Fault::new(
                "weapons",
                "`weapons` is missing: a team without weapon dice cannot fire",
            );
            return Err(vec![fault.help("give `weapons`, or `figures` and `weapon`")]);
        }
        if dice.len() > self.figures as usize {
            let problem = format!("a team has at most {} figures", self.figures);
            return Err(vec![Fault::new("weapons", problem)]);
        }
        Ok(Team {
            experience: form.die("experience"),
            dice,
            defense: form.int("defense"),
            motivation: form.int("motivation"),
        })
    }
}

/// Queries of the rules in one scenario.
struct Asked<'a> {
    rules: &'a dyn Ask,
    there: &'a Setting,
    most_pins: usize,
}

/// Effect of a volley on a team.
struct Volley {
    /// Figures left, by figures before.
    ladder: Ladder,
    /// Probability of each number of pins on the whole team, if it survives: from none.
    pins: Vec<f64>,
}

impl Asked<'_> {
    /// Solves the fire of the first `figures` of a team at another.
    fn volley(&self, firing: &Team, figures: usize, target: &Team) -> Checked<Volley> {
        let whole = target.dice.len();
        let mut volley = Volley { ladder: still(whole), pins: Vec::new() };
        for left in 1..=whole {
            let contest = self.fire(firing, figures, target, left);
            let law = self.rules.ask(FIRE, &contest)?;
            volley.ladder[left][left] = 0.0;
            // The last pass is a whole team: only its markers are used.
            volley.pins.clear();
            for ([kia, pins], p) in law.outcomes(["target_kia", "target_pins"]) {
                let after = left - kia.unsigned_abs() as usize;
                volley.ladder[left][after] += p;
                let pins = pins.unsigned_abs() as usize;
                volley.pins.resize(volley.pins.len().max(pins + 1), 0.0);
                volley.pins[pins] += if after > 0 { p } else { 0.0 };
            }
        }
        let stands: f64 = volley.pins.iter().sum();
        // Normalized to teams that survive: removed ones carry no markers.
        if stands > 0.0 {
            volley.pins.iter_mut().for_each(|p| *p /= stands);
        }
        Ok(volley)
    }

    fn fire(&self, firing: &Team, figures: usize, target: &Team, left: usize) -> Table {
        let die = |sides: &u8| Toml::String(format!("d{sides}"));
        let dice: Vec<_> = firing.dice[..figures].iter().map(die).collect();
        let attacker = Table::from_iter([
            ("experience".to_owned(), die(&firing.experience)),
            ("weapons".to_owned(), dice.into()),
        ]);
        let defender = Table::from_iter([
            ("figures".to_owned(), Toml::Integer(left as i64)),
            ("defense".to_owned(), target.defense.into()),
            ("cover".to_owned(), self.there.form.text("cover").into()),
        ]);
        Table::from_iter([
            ("attacker".to_owned(), attacker.into()),
            ("defender".to_owned(), defender.into()),
        ])
    }

    /// Solves an activation with `pins`: the share of actions left, the chance to Cower, the chance
    /// to be removed.
    fn test(&self, action: &str, team: &Team, pins: usize) -> Checked<[f64; 3]> {
        let defender = Table::from_iter([
            ("experience".to_owned(), format!("d{}", team.experience).into()),
            ("motivation".to_owned(), team.motivation.into()),
            ("pins".to_owned(), Toml::Integer(pins as i64)),
        ]);
        let contest = Table::from_iter([("defender".to_owned(), defender.into())]);
        let law = self.rules.ask(action, &contest)?;
        let mut test = [0.0; 3];
        for (values, p) in law.outcomes(["actions", "cowering", "removed"]) {
            for (sum, value) in test.iter_mut().zip(values) {
                *sum += p * f64::from(value);
            }
        }
        test[0] /= team.motivation as f64;
        Ok(test)
    }

    /// Creates the unit of a team with its morale, when pinned by numbers of markers with these
    /// chances.
    fn unit(&self, team: &Team, pins: &[f64]) -> Checked<Unit> {
        let some: f64 = pins.iter().skip(1).sum();
        let mut pinned = [1.0, 0.0, 0.0];
        // Every marker counts against the team's morale, so a pinned team is the mean over its
        // numbers of markers.
        if some > 0.0 {
            pinned = [0.0; 3];
            for (pins, chance) in pins.iter().enumerate().skip(1) {
                let test = self.test(MORALE, team, pins.min(self.most_pins))?;
                let moved = pinned.iter_mut().zip(test);
                moved.for_each(|(sum, value)| *sum += chance / some * value);
            }
        }
        let rally = self.test(RALLY, team, 0)?;
        let condition = |[fires, cowers, removed]: [f64; 3]| Condition {
            fires,
            left: 1.0,
            unhurt: 1.0,
            rest: vec![(STEADY, 1.0 - cowers - removed), (COWERING, cowers), (GONE, removed)],
        };
        Ok(Unit {
            conditions: vec![condition([1.0, 0.0, 0.0]), condition(pinned), condition(rally)],
            start: STEADY,
        })
    }
}

/// Computes the effect of a volley with this share of full fire on a team in each condition.
fn effect(volley: &Volley, fire: f64) -> Effect {
    let gone = destroys(&volley.ladder) * fire;
    let pinned = (1.0 - volley.pins[0]) * fire * (1.0 - gone);
    let stays = |here: usize| vec![(here, 1.0 - gone), (GONE, gone)];
    vec![
        vec![(STEADY, 1.0 - gone - pinned), (PINNED, pinned), (GONE, gone)],
        stays(PINNED),
        stays(COWERING),
    ]
}

impl Asked<'_> {
    /// Computes the mean fire of a team over its life, as it loses its figures by `dies`, as a
    /// share of the whole team's fire at `target`.
    fn fire_over_life(&self, firing: &Team, target: &Team, dies: &Ladder) -> Checked<f64> {
        let harm = |figures: usize| -> Checked<f64> {
            Ok(destroys(&self.volley(firing, figures, target)?.ladder))
        };
        let whole = harm(firing.dice.len())?;
        if whole <= 0.0 {
            return Ok(1.0);
        }
        over_life(dies, |lost| Ok(harm(firing.dice.len() - lost)? / whole))
    }
}
