//! `attack`: attacks in sequence on the same troopers.
//!
//! Source: base rules (attacks, hits, arcs) and Crewed Weapons. Each attack is 2d6 against the target
//! number and, on a hit, 2d6 for the cell. Cells stay crossed from attack to attack.
//!
//! # Why this state is enough
//!
//! An attack is two steps of two dice. Between them the future depends on the attacks left and on
//! the current target's card; the order in which cells were crossed does not matter, so after k
//! hits with one weapon there are at most as many cards as there are bags of k start cells.
//! Finished targets are only tallied, later targets are unhurt, and earlier ones are determined.
//! Once a single target is out of action, the number of the decisive attack is stored, because it
//! is reported. Attacks in turn have a separate state, in `round_robin.rs`.

mod attack_report;
mod attack_series;
mod carried_cards;
mod round_robin;

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::combat::{AnyCombat, Combat, Explanation, Vocabulary};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, choice, fields};
use enfilade_model::form::{Fault, Form, Kind, both};

use super::action_points::{Pace, additions};
use super::aim::{
    Aim, Aiming, Marks, Weapon, armour_cells, armoured, carried_along, struck, uncounted, uncovered,
};
use super::data::WeaponKind;
use super::fields::{
    AimRules, Armour, Attacker, CardRules, Experience, READINGS, Situation, THE_TARGET, THE_WEAPON,
    TargetFields, WeaponFields,
};
use super::hit_card::Card;
use super::unit_card::UnitCard;
use attack_report::{Outcome, Tally};
use attack_series::{Attack, MAX_TARGETS};
use carried_cards::Kept;
use round_robin::Spread;

const SHOTS: Bound = Bound::new("number of attacks", 1, 60);
const TARGETS: Bound = Bound::new("number of targets", 1, MAX_TARGETS as i64);
const ARC_SHOTS: Bound = Bound::new("shots of an arc", 1, 20);

choice! {
    /// Firing arc of a rifle.
    pub(super) enum Arc {
        /// None.
        None = "none",
        /// 30 degrees.
        Narrow = "30",
        /// 60 degrees.
        Middle = "60",
        /// 150 degrees.
        Wide = "150",
    }

    /// Distribution of attacks among several targets.
    pub(super) enum Dealt {
        /// One by one.
        Focus = "focus",
        /// In turn.
        Spread = "spread",
    }
}

fields! {
    /// Numbers of attacks and targets.
    pub(super) struct Own {
        /// attacks; those of the arc when left out, or one
        shots: Option<u8> = optional(Kind::Int(SHOTS)).label("attacks").group(THE_WEAPON);
        /// firing arc, in degrees: of a crew served weapon 60, hand to hand none
        arc: Arc = choice(Arc::WORDS).label("firing arc")
            .values(&["none", "30 degrees", "60 degrees", "150 degrees"]).group(THE_WEAPON);
        /// shots of a 30° arc, times the weapon's multiplier
        arc_30_shots: u8 = int(ARC_SHOTS, 1).label("shots of a 30 degree arc").unit("shots")
            .group(READINGS).rare();
        /// shots of a 60° arc, times the weapon's multiplier
        arc_60_shots: u8 = int(ARC_SHOTS, 2).label("shots of a 60 degree arc").unit("shots")
            .group(READINGS).rare();
        /// shots of a 150° arc, times the weapon's multiplier
        arc_150_shots: u8 = int(ARC_SHOTS, 4).label("shots of a 150 degree arc").unit("shots")
            .group(READINGS).rare();
        /// troopers attacked, all alike; several in other armour are `target_armours`
        targets: u8 = int(TARGETS, 1).label("targets").unit("troopers").group(THE_TARGET);
        /// armour of each target in the order in which they are attacked, in place of `targets` and
        /// `target_armour`
        target_armours: Option<Vec<Armour>> = optional(Kind::list(const { &Kind::choice(Armour::WORDS) }))
            .rule("Body Armor").label("armour of each target").group(THE_TARGET).rare();
        /// several targets: one until out of action, or each attack at the next one who is in
        /// action
        allocation: Dealt = choice(Dealt::WORDS).assumed().label("attacks are dealt")
            .values(&["one by one", "in turn"]).group(READINGS).rare();
        /// experience of the targets, for their AP
        target_experience: Experience = choice(Experience::WORDS).rule("Trooper Experience")
            .label("experience of the targets").group(THE_TARGET).rare();
    }
}

/// Catalogue entry.
pub const ATTACK: Action = Action::new(
    "attack",
    "attacks on the same troopers, cell by cell",
    joined![
        WeaponFields::FIELDS,
        Own::FIELDS,
        Attacker::FIELDS,
        Pace::FIELDS,
        Situation::FIELDS,
        TargetFields::FIELDS,
        CardRules::FIELDS,
        AimRules::FIELDS,
    ],
    &build,
    &[
        "weapon = 'HMG'\nrange = 40\nshots = 2",
        "weapon = 'LMG'\nrange = 60\nobstructions = 1\nprone_attacker = true\nshots = 3\ntarget_armour = 'standard'",
        "weapon = 'rifle'\nrange = 20\narc = '150'\ntarget_armour = 'basic'\nadvanced_armour = true",
        "weapon = 'SMG'\narc = '60'\ntargets = 3\nallocation = 'spread'",
        "weapon = 'HMG'\nshots = 3\nrange = 20\ntarget_armours = ['none', 'heavy', 'none']",
        "weapon = 'MMG'\nshots = 4\ntargets = 2\nprone_target = true\nrange = 50",
        "weapon = 'club'\nshots = 3\ntarget_hp = 6\ntarget_armour = 'basic'\nadvanced_armour = true\narmour_from = 8",
        "weapon = 'stun baton'\nshots = 2\nbludgeoning_past_zero = 'nothing'\ntunnel = true",
        "damage = '3X'\nshort = 5\nlong = 10\nrange = 8\nsneak_suit = true\nshots = 2\ncell_mapping = 'column'\nattacker_hp = 6",
        "weapon = 'SMG'\nmovement_fire = true\nactivations = 1\nattacker_experience = 'veteran'\n[card]\nap = [9, 7, 5]\nmodifiers = [0, 1, 3]\nhit_cells = [3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0]",
        "weapon = 'SMG'\nshots = 3\ntargets = 2\nallocation = 'spread'\n[[struck]]\ncrossed = [9, 7, 6]\nhalf_crossed = [5]",
    ],
)
.asks("How often does the {weapon|weapon} put a trooper out of action?")
.leaving(&["struck"])
.with_leaving_build(&build_leaving);

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    contest(form, |attack, in_turn| match in_turn {
        true => AnyCombat::new(Spread(attack)),
        false => AnyCombat::new(Focus(attack)),
    })
}

/// Builds the contest of a form, with the card of every target in the ending.
fn build_leaving(form: &Form) -> Result<Contest, Vec<Fault>> {
    contest(form, |attack, in_turn| AnyCombat::new(Kept { attack, in_turn }))
}

fn contest(form: &Form, play: impl Fn(Attack, bool) -> AnyCombat) -> Result<Contest, Vec<Fault>> {
    let (given, own) = (WeaponFields::read(form), Own::read(form));
    let (situation, rules) = (Situation::read(form), AimRules::read(form));
    let (target, card_rules) = (TargetFields::read(form), CardRules::read(form));
    let (weapon, worn) = both(Weapon::of(&given), worn(&own, &target, &card_rules))?;
    if weapon.kind.explodes() {
        // "Ranged explosive weapons are resolved in the same way as hand grenades."
        let fault = Fault::new(given.told_by(), "the weapon explodes or burns");
        let help = "use `explosion`, which plays rings and scatter, or give `kind = \"ranged\"`";
        return Err(vec![fault.help(help)]);
    }
    let aiming = Aiming { situation: &situation, rules: &rules, ap_spent: None };
    let attacker = Attacker::read(form);
    let unit = UnitCard::of(target.card.as_ref(), "card");
    let (aim, unit) = both(Aim::of(&weapon, &attacker, aiming), unit)?;
    let mut notes = Vec::from_iter(uncovered(&weapon, &situation));
    let shots = shots(&own, &weapon, &mut notes)?;
    let shots = match Pace::read(form).attacks(&weapon, &attacker, 0, situation.movement_fire)? {
        None => shots,
        Some(paced) => {
            notes.push(paced.note);
            of_activations(&own, paced.attacks * i64::from(shots))?
        }
    };
    notes.extend(aim.out_of_range(&weapon));
    notes.extend(carried_along(&weapon, &situation));
    notes.extend(uncounted(&target));
    let fresh = cards(&unit, &worn, &target, &card_rules)?;
    let attack = Attack {
        shots: aim.made(shots),
        aim,
        damage: weapon.direct(),
        marks: Marks::of(&card_rules, &unit),
        additions: additions(Some(worn[0]), Some(own.target_experience)),
        before: struck(&fresh, &target, &unit)?,
        fresh,
        unit,
        pv: weapon.pv,
    };
    let in_turn = attack.targets() > 1 && own.allocation == Dealt::Spread;
    Ok(Contest::new(play(attack, in_turn)).noting(notes).growing_with(&[
        "shots",
        "activations",
        "targets",
        "arc",
        "advanced_armour",
    ]))
}

/// Returns the armour of each target.
fn worn(own: &Own, target: &TargetFields, rules: &CardRules) -> Result<Vec<Armour>, Vec<Fault>> {
    let Some(worn) = &own.target_armours else {
        return Ok(vec![target.target_armour; own.targets.into()]);
    };
    let spare = [
        ("targets", own.targets > 1),
        ("target_armour", target.target_armour != Armour::None),
        ("armour_cells", rules.armour_cells.is_some()),
    ];
    if let Some((field, _)) = spare.into_iter().find(|(_, given)| *given) {
        let problem = "`target_armours` gives the number of targets and the armour of each";
        return Err(vec![Fault::new(field, problem).help(format!("leave out `{field}`"))]);
    }
    if worn.is_empty() || worn.len() > MAX_TARGETS {
        let problem =
            format!("expected the armour of 1 to {MAX_TARGETS} targets, found {}", worn.len());
        return Err(vec![Fault::new("target_armours", problem)]);
    }
    Ok(worn.clone())
}

/// Returns the cards of the targets.
fn cards(
    unit: &UnitCard,
    worn: &[Armour],
    target: &TargetFields,
    rules: &CardRules,
) -> Result<Vec<Card>, Vec<Fault>> {
    let cells = |armour: &Armour| rules.armour_cells.unwrap_or_else(|| armour_cells(*armour));
    worn.iter().map(|armour| armoured(unit, target.target_hp, cells(armour), target)).collect()
}

/// Returns the number of attacks that `activations` allow.
fn of_activations(own: &Own, attacks: i64) -> Result<u8, Vec<Fault>> {
    if own.shots.is_some() {
        let problem = "`activations` determines the number of attacks";
        return Err(vec![Fault::new("shots", problem).help("leave out `shots`")]);
    }
    let fits = u8::try_from(attacks).ok().filter(|&attacks| i64::from(attacks) <= SHOTS.high);
    fits.ok_or_else(|| {
        let problem = format!("that is {attacks} attacks, and there can be {} at most", SHOTS.high);
        vec![Fault::new("activations", problem)]
    })
}

/// Base rules: an arc has a number of shots, times the attacks of the weapon for each. Crewed
/// Weapons: they "may only use 60 degree firing arcs" and "can be fired into the same firing arc an
/// unlimited number of times".
///
/// Returns the attacks: as given, or those of the arc, or one.
///
/// # Errors
/// An arc that the weapon does not have.
fn shots(own: &Own, weapon: &Weapon, notes: &mut Vec<String>) -> Result<u8, Vec<Fault>> {
    let no_arc = |problem, help| Err(vec![Fault::new("arc", problem).help(help)]);
    let shots_of_the_arc = match (weapon.kind, own.arc) {
        (_, Arc::None) => 1,
        (WeaponKind::Melee, _) => {
            return no_arc("hand to hand there is no firing arc", "leave out `arc`");
        }
        (WeaponKind::Crewed, Arc::Middle) => {
            let often = "a crew served weapon fires into its arc with every move there";
            let how = format!("{often}: `shots` says how often, or else it is once");
            notes.extend(own.shots.is_none().then_some(how));
            1
        }
        (WeaponKind::Crewed, _) => {
            let problem = "crew served weapons may only use 60 degree firing arcs";
            return no_arc(problem, "give `arc = \"60\"`, or leave out `arc`");
        }
        (_, Arc::Narrow) => own.arc_30_shots.saturating_mul(weapon.multiplier),
        (_, Arc::Middle) => own.arc_60_shots.saturating_mul(weapon.multiplier),
        (_, Arc::Wide) => own.arc_150_shots.saturating_mul(weapon.multiplier),
    };
    Ok(own.shots.unwrap_or(shots_of_the_arc))
}

/// Attacks on one target until it is out of action, then on the next.
struct Focus(Attack);

/// State of the attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    /// Attacks left.
    left: u8,
    /// Targets after the current one.
    waiting: u8,
    /// Whether the current attack has hit and the cell is to be picked.
    hit: bool,
    card: Card,
    hits: u8,
    /// Attack that put a single target out of action.
    killed_by: u8,
    done: Tally,
}

impl Focus {
    /// Returns the cards of the targets after the current one.
    fn to_come(&self, waiting: u8) -> &[Card] {
        &self.0.before[usize::from(self.0.targets() - waiting)..]
    }

    /// Turns to the next target when the current one is out of action; no attack is made on the
    /// dead.
    fn to_next_die(&self, mut now: State) -> State {
        while now.waiting > 0 && !now.card.in_action() {
            now.done = now.done.with(&now.card);
            now.card = self.to_come(now.waiting)[0];
            now.waiting -= 1;
        }
        if now.card.dead() {
            now.left = 0;
        }
        now
    }
}

impl Combat for Focus {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        self.to_next_die(State {
            left: self.0.shots,
            waiting: self.0.targets() - 1,
            hit: false,
            card: self.0.before[0],
            hits: 0,
            killed_by: 0,
            done: Tally::default(),
        })
    }

    fn step(&self, mut now: State, dice: &mut impl Dice) -> State {
        if !now.hit {
            now.left -= 1;
            now.hit = self.0.aim.hits(dice);
            now.hits += u8::from(now.hit);
            return if now.hit { now } else { self.to_next_die(now) };
        }
        now.hit = false;
        let stood = now.card.in_action();
        now.card = self.0.marks.mark(now.card, self.0.damage, dice);
        if self.0.targets() == 1 && stood && !now.card.in_action() {
            now.killed_by = self.0.shots - now.left;
        }
        self.to_next_die(now)
    }

    fn outcome(&self, now: &State) -> Option<Outcome> {
        if now.hit || now.left > 0 {
            return None;
        }
        let all = now.done.with(&now.card).with_all(self.to_come(now.waiting));
        Some(self.0.struck(now.hits, all, now.card.hp(), now.killed_by))
    }

    fn vocabulary(&self) -> Vocabulary<Outcome> {
        self.0.vocabulary()
    }

    fn explain(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
        self.0.tell(from.hit.then_some(from.card), rolls, to.hit)
    }
}
