//! `engagement`: two squads shoot at each other over several rounds.
//!
//! Source: quick reference, SHOOTING and DAMAGE, activation after activation; Reduced-X and
//! Limited-X. In every round the attackers fire first and the rest of the target returns fire, if a
//! weapon is named for that. A round is a turn: squads that enter a garrison or disembark do so in
//! the first. The best number of hits that a Focus weapon merges is computed before the first die,
//! by its first volley with all models still there (see `focus.rs`). Not modelled: movement, cover
//! that changes, morale.
//!
//! # Why this state is enough
//!
//! The possible fire of a squad depends on the points that its models have left: their number
//! determines how many fire, and Reduced-X takes shots off for the losses of each. So the state is
//! the round, the firing side, its volley at the other squad, and the multiset of its own points.
//! Finished volleys leave nothing but the losses they caused.

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, Explanation, Later};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, fields};
use enfilade_model::form::{Fault, Form, Kind, both, within};
use enfilade_model::shared::Text;

use super::data_rows::WeaponRow;
use super::fields::{
    DamageRules, Earlier, Focus, FocusBy, LEFT, MODELS, Models, READINGS, Rules, Situation,
    THE_PLACE, THE_SHOOTERS, THE_TARGET, TargetFields, WeaponFields, a_unit,
};
use super::matchup::Matchup;
use super::profile::{Target, Weapon};
use super::shoot::left_of;
use super::squad::Squad;
use super::volley::{Attack, Stage, Volley};
use super::{data, focus};

const ROUNDS: Bound = Bound::new("number of rounds", 1, 20);
const BEFORE: Bound = Bound::new("number of rounds", 0, 200);

fields! {
    /// Fields of an engagement.
    struct Own {
        /// activations of each side
        rounds: u8 = int(ROUNDS, 1).label("rounds").group(THE_PLACE);
        /// rounds fought before, which count for Limited-X, for who disembarked and for who entered a garrison
        rounds_before: u16 = int(BEFORE, 0).rule("Limited-X").label("rounds fought before")
            .unit("rounds").group(THE_PLACE).rare();
        /// models that shoot
        squad: usize = int(MODELS, 1).label("shooters").unit("models").group(THE_SHOOTERS);
        /// Damage Points left of each of the shooters that is still there; all of them when left out
        shooters_left: Option<Vec<u8>> = optional(LEFT).label("Damage Points left of each shooter")
            .unit("Damage Points").group(THE_SHOOTERS).rare();
        /// what the shooters are when shot at; the unit that carries the weapon when left out
        shooter: Option<TargetFields> = optional(Kind::Table(joined![a_unit(THE_SHOOTERS)]))
            .label("what the shooters are").group(THE_SHOOTERS).rare();
        /// the weapon of the target, and the shooters' cover; no fire is returned when left out
        return_fire: Option<(WeaponFields, (Situation, Focus))> = optional(Kind::Table(joined![WeaponFields::FIELDS, Situation::FIELDS, Focus::FIELDS]))
            .label("return fire").group(THE_TARGET);
        /// rounds in which `disembarked` counts
        disembarked_rounds: u8 = int(ROUNDS, 1).rule("ACCURACY").assumed()
            .label("rounds in which disembarked counts").unit("rounds").group(READINGS).rare();
    }
}

/// Catalogue entry.
pub const ENGAGEMENT: Action = Action::new(
    "engagement",
    "two squads shoot at each other over rounds",
    joined![
        WeaponFields::FIELDS,
        Focus::FIELDS,
        Own::FIELDS,
        TargetFields::FIELDS,
        Models::FIELDS,
        Earlier::FIELDS,
        Situation::FIELDS,
        Rules::FIELDS,
        DamageRules::FIELDS,
    ],
    &build,
    &[
        "weapon = 'UCM/Sabre Tank/Avenger Railgun'\nsquad = 2\ntarget = 'Scourge/Hunter'\ncount = 2\nrounds = 2\n\
         [return_fire]\nweapon = 'Scourge/Hunter Tank/Plasma Cannon'",
        "weapon = 'UCM/Legionnaires/Assault Rifles'\ntarget = 'Scourge/Warriors'\nrounds = 2\n\
         [return_fire]\nweapon = 'Scourge/Warriors/Plasma Rifles'\nbody_cover = true",
        "weapon = 'Resistance/Resistance Fighters/Homemade RPGs'\ntarget = 'UCM/Sabre'\nrounds = 3",
        "shots = 2\naccuracy = 3\nenergy = 8\narmour = 10\ndamage_points = 3\nrounds = 2\n\
         [shooter]\narmour = 9\ndamage_points = 2\n\
         [return_fire]\nshots = 2\naccuracy = 3\nenergy = 6\nspecials = ['Reduced-1']",
        "shots = 2\naccuracy = 0\nclose_quarters = true\nenergy = 4\narmour = 7\ndamage_points = 4\nrounds = 2\n\
         entered_garrison = true\n[shooter]\narmour = 7\ndamage_points = 4\n\
         [return_fire]\nshots = 2\naccuracy = 3\nenergy = 4\ndisembarked = true",
        "shots = 2\naccuracy = 3\nenergy = 8\nsquad = 3\nshooters_left = [2, 1]\narmour = 10\ndamage_points = 3\n\
         count = 2\nlost = 2\nrounds = 2\nrounds_before = 1\nspecials = ['Limited-2']\n\
         [shooter]\narmour = 9\ndamage_points = 2\n\
         [return_fire]\nshots = 2\naccuracy = 3\nenergy = 6\nspecials = ['Reduced-1']",
    ],
)
.asks("How often does {weapon|the weapon} destroy {target|the target} in several rounds?")
.leaving(&["lost", "points_left", "squad", "shooters_left", "damage_lost", "rounds_before"]);

/// Fire of one side on the other.
struct Side {
    weapon: Weapon,
    /// Dice of its volley, by round.
    attacks: Vec<Attack>,
    /// Points of an unhurt model of this side.
    points: u8,
    fires: bool,
}

struct Engagement {
    rounds: u8,
    rounds_before: u16,
    sides: [Side; 2],
    target: Target,
    /// Both squads before the engagement.
    fresh: [Squad; 2],
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let (own, models) = (Own::read(form), Models::read(form));
    let (given, situation) = (WeaponFields::read(form), Situation::read(form));
    let (rules, damage) = (Rules::read(form), DamageRules::read(form));
    let shooter = shooter(&own, given.weapon);
    let (answer, back) = own.return_fire.clone().unzip();
    let answer = answer.map(|given| Weapon::of(given, None).map_err(within("return_fire")));
    let weapon = Weapon::of(given, None);
    let target = Target::of(TargetFields::read(form));
    let ((weapon, target), (shooter, answer)) =
        both(both(weapon, target), both(shooter, answer.transpose()))?;
    let target = target.squad_of(&models);
    let shooter = shooter.squad_of(&Models { count: own.squad, ..models });
    let earlier = Earlier::read(form);
    let hurt = target.hurt(earlier.lost, earlier.points_left.as_deref(), "points_left");
    let shooters = shooter.hurt(0, own.shooters_left.as_deref(), "shooters_left");
    let (hurt, shooters) = both(hurt, shooters)?;
    let there = Matchup {
        weapon: &weapon,
        target: &target,
        situation: &situation,
        rules: &rules,
        damage: &damage,
        tally: false,
    };
    let mut notes = there.notes();
    let by = Focus::read(form).focus;
    let mut told = Vec::new();
    let attack = side(&there, &own, &shooter, by, &mut told)?;
    notes.append(&mut told);
    let answer = match (&answer, &back) {
        (Some(weapon), Some((situation, by))) => {
            let back = Matchup { weapon, target: &shooter, situation, ..there };
            notes.extend(back.notes());
            side(&back, &own, &target, by.focus, &mut told).map_err(within("return_fire"))?
        }
        // A side must be there to be shot at; a side that never fires has only that flag set.
        _ => Side { fires: false, ..side(&there, &own, &target, FocusBy::Given, &mut told)? },
    };
    notes.extend(told.into_iter().map(|note| format!("return fire: {note}")));
    Ok(Contest::of(Engagement {
        rounds: own.rounds,
        rounds_before: own.rounds_before,
        sides: [attack, answer],
        target,
        fresh: [shooters, hurt],
    })
    .noting(notes)
    .growing_with(&["rounds", "squad", "count", "damage_points", "shots"]))
}

/// Reads the fire of `squad` on the target of `matchup`.
fn side(
    matchup: &Matchup,
    own: &Own,
    squad: &Target,
    by: FocusBy,
    notes: &mut Vec<String>,
) -> Result<Side, Vec<Fault>> {
    let fires = matchup.may_fire();
    let each = if fires { matchup.weapon.shots_after(0) } else { 0 };
    let shots = each.saturating_mul(squad.squad().alive() as u16);
    let first = in_round(matchup.situation, own, own.rounds_before + 1);
    let merged = focus::merged(by, &Matchup { situation: &first, ..*matchup }, shots, notes)?;
    let attack = |round: u8| {
        let situation = in_round(matchup.situation, own, own.rounds_before + u16::from(round));
        Matchup { situation: &situation, ..*matchup }.merging(merged)
    };
    Ok(Side {
        weapon: matchup.weapon.clone(),
        attacks: (1..=own.rounds).map(attack).collect(),
        points: squad.points,
        fires,
    })
}

/// GARRISONS: Close Quarters damage is rolled again "on the turn they enter", no longer. ACCURACY:
/// the penalty of squads that disembarked names no turn; it lasts `disembarked_rounds`.
fn in_round(there: &Situation, own: &Own, round: u16) -> Situation {
    Situation {
        entered_garrison: there.entered_garrison && round == 1,
        disembarked: there.disembarked && round <= own.disembarked_rounds.into(),
        ..there.clone()
    }
}

/// Reads one of the shooters as a target: described, or the unit that carries their weapon, or one
/// point of armour 1 that is never shot at.
fn shooter(own: &Own, weapon: Option<&WeaponRow>) -> Result<Target, Vec<Fault>> {
    let carrier = weapon.and_then(|row| data::units().get(row.carrier()));
    match (&own.shooter, carrier, &own.return_fire) {
        (Some(given), ..) => Target::of(given.clone()).map_err(within("shooter")),
        (None, Some(unit), _) => Ok(Target::from(unit)),
        (None, None, None) => Ok(Target::bystander()),
        (None, None, Some(_)) => {
            let fault =
                Fault::new("shooter", "`shooter` is missing, the unit that is shot at in return");
            Err(vec![fault.help("give its `target` or its `armour`, or name a `weapon`")])
        }
    }
}

/// State of an engagement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    /// Rounds begun.
    round: u8,
    /// Firing side: 0 the attackers, 1 the target.
    side: u8,
    /// Volley of the firing side at the other squad; over before the first die.
    volley: Volley,
    /// Squad of the firing side.
    own: Squad,
}

/// Both squads at the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Outcome {
    round: u8,
    survivors: u8,
    damage: u16,
    destroyed: u8,
    shooters: u8,
    shooter_damage: u16,
    shooters_destroyed: u8,
}

impl Side {
    /// Returns the dice of the side's volley in a round, counted from 1.
    fn attack(&self, round: u8) -> &Attack {
        &self.attacks[usize::from(round) - 1]
    }
}

impl Engagement {
    /// Reduced-X, Limited-X: the number of models that still fire, and their shots.
    ///
    /// Creates the volley of `side` in `round`, by the models it has left.
    fn volley(&self, side: usize, round: u8, own: Squad, other: Squad) -> Volley {
        let fire = &self.sides[side];
        // Limited-X counts the rounds of earlier engagements, too.
        let nth = self.rounds_before + u16::from(round);
        let ready = fire.weapon.specials.limited.is_none_or(|limit| nth <= limit);
        let lost = own.survivors().map(|left| u16::from(fire.points - left));
        let shots = lost.map(|lost| fire.weapon.shots_after(lost));
        let shots = shots.fold(0, u16::saturating_add);
        let shots = if fire.fires && ready { shots } else { 0 };
        fire.attack(round).open(shots, other)
    }

    /// Passes volleys without a die until there is one to roll or the rounds are over.
    fn to_next_die(&self, mut now: State) -> State {
        while now.volley.stage == Stage::Over && !self.over(&now) {
            let other = now.volley.squad;
            let round = now.round + now.side;
            let side = 1 - now.side;
            now = State {
                round,
                side,
                volley: self.volley(usize::from(side), round, other, now.own),
                own: other,
            };
        }
        now
    }

    fn over(&self, now: &State) -> bool {
        let wiped = now.own.alive() == 0 || now.volley.squad.alive() == 0;
        now.volley.stage == Stage::Over && (wiped || (now.round == self.rounds && now.side == 1))
    }

    /// Returns attackers and target, in this order.
    fn squads(&self, now: &State) -> [Squad; 2] {
        match now.side {
            0 => [now.own, now.volley.squad],
            _ => [now.volley.squad, now.own],
        }
    }
}

impl Combat for Engagement {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        let [own, other] = self.fresh;
        self.to_next_die(State { round: 1, side: 0, volley: self.volley(0, 1, own, other), own })
    }

    fn step(&self, mut now: State, dice: &mut impl Dice) -> State {
        let attack = self.sides[usize::from(now.side)].attack(now.round);
        now.volley = attack.step(now.volley, dice);
        self.to_next_die(now)
    }

    fn outcome(&self, now: &State) -> Option<Outcome> {
        if !self.over(now) {
            return None;
        }
        let [shooters, target] = self.squads(now);
        let [all_shooters, all_targets] = self.fresh;
        let wiped = shooters.alive() == 0 || target.alive() == 0;
        Some(Outcome {
            // 0 means that neither side was destroyed.
            round: if wiped { now.round } else { 0 },
            survivors: target.alive() as u8,
            damage: all_targets.points() - target.points(),
            destroyed: (all_targets.alive() - target.alive()) as u8,
            shooters: shooters.alive() as u8,
            shooter_damage: all_shooters.points() - shooters.points(),
            shooters_destroyed: (all_shooters.alive() - shooters.alive()) as u8,
        })
    }

    /// Returns both squads, and the number of rounds fought. The loss of each shooter is one number
    /// only where all have lost equally.
    fn left(&self, now: &State) -> Vec<Later> {
        let [shooters, target] = self.squads(now);
        let mut left = left_of(&self.target, target);
        let points = self.sides[0].points;
        let mut lost: Vec<u8> = shooters.survivors().map(|left| points - left).collect();
        let counted = if lost.is_empty() { -1 } else { lost.len() as i32 };
        left.push(Later::Is(Text::Static("squad"), counted));
        let points = shooters.survivors().map(i32::from).collect();
        left.push(Later::Numbers(Text::Static("shooters_left"), points));
        lost.dedup();
        let each = Text::Static("damage_lost");
        match lost[..] {
            [lost] => left.push(Later::Is(each, lost.into())),
            // For shooters without Reduced-X it makes no difference.
            _ if self.sides[0].weapon.specials.reduced == 0 => {}
            _ => left.push(Later::Untold(each)),
        }
        let rounds = i32::from(self.rounds_before) + i32::from(self.rounds);
        left.push(Later::Is(Text::Static("rounds_before"), rounds));
        left
    }

    vocabulary! { o: Outcome;
        columns {
            /// models of the target left
            survivors = count(o.survivors).label("target models left").unit("models")
                .rule("DAMAGE");
            /// Damage Points lost by the target
            damage = count(o.damage).label("Damage Points lost").unit("Damage Points")
                .rule("DAMAGE")
                .harm(20, "damage").adds();
            /// models of the target destroyed
            destroyed = count(o.destroyed).label("models destroyed").unit("models").rule("DAMAGE")
                .harm(80, "kill").adds();
            /// shooters left
            shooters = count(o.shooters).label("shooters left").unit("models").rule("DAMAGE");
            /// Damage Points lost by the shooters
            shooter_damage = count(o.shooter_damage).label("Damage Points lost by the shooters")
                .unit("Damage Points").rule("DAMAGE").adds();
            /// shooters destroyed
            shooters_destroyed = count(o.shooters_destroyed).label("shooters destroyed")
                .unit("models")
                .rule("DAMAGE").adds();
            /// the round in which a side was wiped out; 0: none
            round = count(o.round).label("round of the wipe-out");
        }
        measures {
            /// at least one model of the target is destroyed
            p_kill = probability(o.destroyed > 0).label("target model destroyed").headline()
                .finishing().adds();
            /// the target is wiped out
            p_wipe = probability(o.survivors == 0).label("target wiped out");
            /// the shooters are wiped out
            p_shooters_wiped = probability(o.shooters == 0).label("shooters wiped out");
            /// models of the target left
            e_survivors = mean(o.survivors).label("target models left on average").unit("models");
            /// Damage Points lost by the target
            e_damage = mean(o.damage).label("Damage Points lost on average").unit("Damage Points").adds();
            /// models of the target destroyed
            e_destroyed = mean(o.destroyed).label("models destroyed on average").unit("models").adds();
            /// shooters left
            e_shooters = mean(o.shooters).label("shooters left on average").unit("models");
            /// Damage Points lost by the shooters
            e_shooter_damage = mean(o.shooter_damage)
                .label("Damage Points lost by the shooters on average").unit("Damage Points").adds();
        }
    }

    fn explain(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
        let mut after = to.volley;
        if from.side != to.side {
            after.squad = to.own;
        }
        let fire = &self.sides[usize::from(from.side)];
        let (rule, text) = fire.attack(from.round).tell(&from.volley, rolls, &after);
        let who = ["attackers fire", "target fires"][usize::from(from.side)];
        Explanation::new(rule, format!("Round {}, the {who}. {text}", from.round))
    }
}
