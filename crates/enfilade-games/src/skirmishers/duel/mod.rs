//! `crewed-duel`: a crewed weapon against a squad that approaches under its fire and answers.
//!
//! Source: Crewed Weapons and Movement Fire. Every trooper who moves in the arc draws fire, any
//! number of times, and answers after it is resolved, at the gunner of the weapon. When the gunner is
//! out of action, the next of the crew takes over, which costs an activation; without crew the
//! weapon is silent. The squad's path, cover and morale are not modelled.

mod duel_combat;

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, choice, fields};
use enfilade_model::form::{Fault, Form, Kind, Preset, both, within};

use super::aim::{
    Aim, Aiming, Marks, Weapon, armour_cells, armoured, card, struck, uncounted, uncovered,
};
use super::data;
use super::fields::{
    AimRules, Armour, CardRules, DOTS, IN_ARMOUR, ON_THE_MOVE, READINGS, Situation, THE_PLACE,
    THE_TARGET, THE_WEAPON, TargetFields, WeaponFields,
};
use super::hit_card::Card;
use super::hit_card::marks::Struck;
use super::unit_card::{OWN_CARD, OwnCard, UnitCard};
use super::wound_classes::{Apart, Classes};
use duel_combat::{Duel, Kept, MAX_TROOPERS};

const TROOPERS: Bound = Bound::new("number of troopers", 1, MAX_TROOPERS as i64);
const MOVES: Bound = Bound::new("number of moves", 1, 12);
const CREW: Bound = Bound::new("number of crew", 1, 8);
const ATTACKS: Bound = Bound::new("number of attacks", 0, 8);
const AP: Bound = Bound::new("number of AP", 1, 40);
const SILENT: Bound = Bound::new("number of activations", 0, 100);

choice! {
    /// Time of the answers.
    pub(super) enum Order {
        /// Each before the next man moves.
        ManByMan = "man-by-man",
        /// All of them after all attacks of the weapon.
        AllFirst = "all-first",
    }
}

choice! {
    /// Activations that a take-over costs.
    pub(super) enum TakeOver {
        /// The rest of the one in which the gunner fell, and then those of its AP.
        AfterThisActivation = "after-this-activation",
        /// The one in which the gunner fell is the first of them.
        WithThisActivation = "with-this-activation",
    }
}

fields! {
    /// Squad, weapon, and time.
    pub(super) struct Own {
        /// troopers that advance
        troopers: u8 = int(TROOPERS, 8).label("troopers of the squad").unit("troopers")
            .group(THE_TARGET);
        /// activations they advance for
        moves: u8 = int(MOVES, 6).label("activations").group(THE_PLACE);
        /// dots to the weapon at the first activation
        range: i64 = int(DOTS, 60).label("range at first").unit("dots").group(THE_PLACE);
        /// dots nearer with every activation
        closing: i64 = int(DOTS, 8).assumed().label("nearer each activation").unit("dots")
            .group(THE_PLACE);
        /// troopers at the weapon; as many as it needs when left out
        crew: Option<u8> = optional(Kind::Int(CREW)).label("crew").unit("troopers")
            .group(THE_WEAPON);
        /// moves in the arc of each trooper in an activation, each drawing an attack
        attacks_per_move: u8 = int(ATTACKS, 1).assumed().label("attacks drawn by a trooper")
            .unit("attacks").group(THE_TARGET);
        /// attacks of each trooper on the crew in an activation
        answers: u8 = int(ATTACKS, 1).assumed().label("answers of a trooper").unit("attacks")
            .group(THE_TARGET);
        /// when troopers answer: each after the attacks they have drawn and before the next man
        /// moves, or all of them when the weapon has fired at everybody
        order: Order = choice(Order::WORDS).rule("Movement Fire").assumed()
            .label("troopers answer").values(&["man by man", "when all have been fired at"])
            .group(READINGS).rare();
        /// the weapon must be set up first
        set_up_first: bool = flag(false).label("weapon to be set up first").group(THE_WEAPON);
        /// AP of each trooper who sets it up
        set_up_ap: u8 = int(AP, 4).rule("Crewed Weapons").label("AP to set up").unit("AP")
            .group(READINGS).rare();
        /// AP to take it over
        take_over_ap: u8 = int(AP, 6).rule("Crewed Weapons").label("AP to take over").unit("AP")
            .group(READINGS).rare();
        /// when the activations that a take-over costs begin: after the one in which the gunner fell,
        /// whose rest is lost as well, or with it
        take_over_begins: TakeOver = choice(TakeOver::WORDS).rule("Crewed Weapons").assumed()
            .label("a take-over begins")
            .values(&["after the activation of the fall", "with the activation of the fall"])
            .group(READINGS).rare();
        /// AP of an activation: begun ones are lost to setting up and taking over
        ap_per_move: u8 = int(AP, 8).assumed().label("AP of an activation").unit("AP")
            .group(READINGS).rare();
        /// body armour of the crew
        crew_armour: Armour = choice(Armour::WORDS).rule("Body Armor")
            .label("body armour of the crew").values(IN_ARMOUR).group(THE_WEAPON);
        /// unit card of the crew; that of the rulebook when left out
        crew_card: Option<OwnCard> = optional(Kind::Table(OWN_CARD)).label("unit card of the crew")
            .group(THE_WEAPON).rare();
        /// what is marked on the card of who serves the weapon
        gunner_struck: Option<Struck> = optional(Kind::Table(joined![Struck::FIELDS]))
            .label("marks on the gunner's card").group(THE_WEAPON).rare();
        /// activations at first in which the weapon does not fire, such as those that a take-over still takes
        silent: u8 = int(SILENT, 0).rule("Crewed Weapons").label("weapon silent at first")
            .unit("activations").group(THE_WEAPON).rare();
        /// what the squad answers with, and how; rifles on the move when left out
        answer: (WeaponFields, Situation) = new(Kind::Table(joined![WeaponFields::FIELDS, ON_THE_MOVE]), Preset::Empty)
            .label("the squad's answer").group(THE_TARGET).rare();
    }
}

/// Weapon of the squad's answer when none is named.
pub(super) const ANSWER_WEAPON: &str = "rifle";

/// Catalogue entry.
pub const CREWED_DUEL: Action = Action::new(
    "crewed-duel",
    "a crewed weapon against a squad that advances and answers",
    joined![
        WeaponFields::FIELDS,
        Own::FIELDS,
        Situation::FIELDS,
        TargetFields::FIELDS,
        CardRules::FIELDS,
        AimRules::FIELDS,
    ],
    &build,
    &[
        "weapon = 'HMG'\ntroopers = 3\nmoves = 2",
        "weapon = 'LMG'\ntroopers = 2\nmoves = 3\nrange = 110\nprone_attacker = true\n[answer]\nprone_target = true",
        "weapon = 'semi-portable laser'\ntroopers = 2\nmoves = 2\nset_up_first = true\ntarget_armour = 'basic'",
        "weapon = 'MMG'\ntroopers = 2\nmoves = 2\nattacks_per_move = 2\ncrew_armour = 'standard'\n[answer]\nweapon = 'SMG'",
        "weapon = 'LMG'\ntroopers = 3\nmoves = 2\nrange = 40\norder = 'all-first'",
        "weapon = 'MMG'\ntroopers = 2\nmoves = 2\nrange = 30\ntake_over_begins = 'with-this-activation'",
        "weapon = 'MMG'\ntroopers = 3\nmoves = 2\nrange = 30\nsilent = 1\ngunner_struck = { crossed = [10, 9] }\n\
         [[struck]]\ncrossed = [7, 6]\n[[struck]]\ndead = true",
    ],
)
.asks("How often does the crew of the {weapon|weapon} hold against a squad?")
.leaving(&["troopers", "struck", "crew", "gunner_struck", "silent", "set_up_first", "range"])
.with_leaving_build(&build_leaving);

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    contest(form, Apart::Answers)
}

/// Builds the contest of a form, with the marks of all survivors in the ending.
fn build_leaving(form: &Form) -> Result<Contest, Vec<Fault>> {
    contest(form, Apart::Marks)
}

fn contest(form: &Form, apart: Apart) -> Result<Contest, Vec<Fault>> {
    let (own, situation) = (Own::read(form), Situation::read(form));
    let (target, card_rules) = (TargetFields::read(form), CardRules::read(form));
    let (given, there) = &own.answer;
    let weapon = Weapon::of(&WeaponFields::read(form));
    let (weapon, answer) = both(weapon, answer_weapon(given).map_err(within("answer")))?;
    let men = Troops::of_squad(&target, &card_rules, own.troopers);
    let (men, server) = both(men, Troops::of_crew(&own, &target, &card_rules))?;
    let squad = men.classes(&weapon, apart, "target_armour");
    let gunner = server.classes(&answer, apart, "crew_armour");
    let crew = own.crew.unwrap_or(weapon.crew + 1);
    let ((squad, gunner), ()) = both(both(squad, gunner), enough(crew, &own, &weapon))?;
    let range = |n: u8| (own.range - i64::from(n) * own.closing).max(1);
    let kept = Kept { squad: men.unmarked(), gunner: server.unmarked(), range: range(own.moves) };
    let ranges: Vec<_> = (0..own.moves).map(range).collect();
    let rules = AimRules::read(form);
    let aiming = |situation| Aiming { situation, rules: &rules, ap_spent: None };
    let lost = |ap: u8| ap.div_ceil(own.ap_per_move);
    Ok(Contest::of(Duel {
        moves: own.moves,
        troopers: men.begin.iter().map(|card| squad.of_card(card)).collect(),
        serves: gunner.of_card(&server.begin[0]),
        fresh: gunner.of_card(&server.fresh),
        crew,
        attacks: own.attacks_per_move,
        answers: own.answers,
        man_by_man: own.order == Order::ManByMan,
        silent: own.silent.max(if own.set_up_first { lost(own.set_up_ap) } else { 0 }),
        take_over: lost(own.take_over_ap)
            + u8::from(own.take_over_begins == TakeOver::AfterThisActivation),
        gun: aims(&weapon, aiming(&situation), &ranges, &gunner),
        answer: aims(&answer, aiming(there), &ranges, &squad),
        squad,
        gunner,
        kept: (apart == Apart::Marks).then_some(kept),
    })
    .noting(notes([(&weapon, &situation), (&answer, there)], &target))
    .growing_with(&["troopers", "moves", "crew", "target_armour", "attacks_per_move"]))
}

/// Crewed Weapons: checks that there are enough troopers to set the weapon up, where necessary.
fn enough(crew: u8, own: &Own, weapon: &Weapon) -> Result<(), Vec<Fault>> {
    if !own.set_up_first || crew > weapon.crew {
        return Ok(());
    }
    let needed = weapon.crew + 1;
    let problem = format!("it takes {needed} troopers to set the weapon up, but `crew` is {crew}");
    Err(vec![Fault::new("crew", problem)])
}

fn answer_weapon(given: &WeaponFields) -> Result<Weapon, Vec<Fault>> {
    if given.weapon.is_some() || given.damage.is_some() {
        return Weapon::of(given);
    }
    let row = data::data().weapon(ANSWER_WEAPON);
    row.map(Weapon::from).ok_or_else(|| vec![Fault::new("weapon", "`weapon` is missing")])
}

/// One side before the first attack.
struct Troops {
    fresh: Card,
    /// Cards at the start.
    begin: Vec<Card>,
    unit: UnitCard,
    marks: Marks,
}

impl Troops {
    fn of_squad(
        target: &TargetFields,
        rules: &CardRules,
        troopers: u8,
    ) -> Result<Troops, Vec<Fault>> {
        let (fresh, unit) = card(target, rules)?;
        let begin = struck(&vec![fresh; troopers.into()], target, &unit)?;
        Ok(Troops { fresh, begin, marks: Marks::of(rules, &unit), unit })
    }

    /// Reads the crew, which wears armour of one kind, on whole cards.
    fn of_crew(own: &Own, target: &TargetFields, rules: &CardRules) -> Result<Troops, Vec<Fault>> {
        let unit = UnitCard::of(own.crew_card.as_ref(), "crew_card")?;
        let fresh = armoured(&unit, None, armour_cells(own.crew_armour), target)?;
        let marked = TargetFields {
            struck: own.gunner_struck.clone().map(|marks| vec![marks]),
            ..target.clone()
        };
        let begin = struck(&[fresh], &marked, &unit).map_err(of_the_gunner)?;
        Ok(Troops { fresh, begin, marks: Marks::of(rules, &unit), unit })
    }

    /// Returns an unmarked card.
    fn unmarked(&self) -> (Card, UnitCard) {
        (self.fresh, self.unit.clone())
    }

    /// Computes the wound classes under hits of a weapon.
    fn classes(&self, weapon: &Weapon, apart: Apart, field: &str) -> Result<Classes, Vec<Fault>> {
        let modifier = |hp| self.unit.modifier(hp);
        // The man who takes over is unhurt.
        let begin = [&self.begin[..], &[self.fresh]].concat();
        let classes = Classes::of(&begin, weapon.direct(), self.marks, modifier, apart);
        classes.ok_or_else(|| {
            let fault =
                Fault::new(field, "wounds under this armour differ in too many ways for a duel");
            vec![fault.help("use lighter armour, or `advanced_armour = false`")]
        })
    }
}

/// Moves faults of marks to the field of the man who serves the weapon.
fn of_the_gunner(faults: Vec<Fault>) -> Vec<Fault> {
    let renamed = |fault: Fault| Fault {
        path: fault.path.replacen("struck[0]", "gunner_struck", 1),
        ..fault
    };
    faults.into_iter().map(renamed).collect()
}

/// Computes the aims by move, then by wound class of the shooter.
fn aims(weapon: &Weapon, aiming: Aiming, ranges: &[i64], shooter: &Classes) -> Vec<Vec<Aim>> {
    let wounds = || (0..shooter.count()).map(|class| shooter.modifier(class as u8));
    let at = |&range: &i64| wounds().map(|w| Aim::at(weapon, aiming, Some(range), w)).collect();
    ranges.iter().map(at).collect()
}

/// Returns the notes on parts of both weapons that are not played.
fn notes(arms: [(&Weapon, &Situation); 2], target: &TargetFields) -> Vec<String> {
    let mut notes = Vec::from_iter(uncounted(target));
    for (whose, (weapon, situation)) in ["the weapon", "the squad's weapon"].into_iter().zip(arms) {
        if weapon.kind.explodes() {
            notes.push(format!(
                "{whose} is played at its point of detonation only: rings, scatter and ammunition are left out"
            ));
        }
        notes.extend(uncovered(weapon, situation).map(|note| format!("{whose}: {note}")));
    }
    notes
}
