//! `crewed-duel`: a crewed weapon against a squad that comes nearer under its fire and answers.
//!
//! Source: Crewed Weapons. Every trooper who moves in the arc draws fire, as often as he likes; the
//! squad then fires at whoever serves the weapon. When he is out of action the next of the crew
//! takes over, which costs an activation; without crew the weapon is silent. Where the squad moves,
//! its cover and its morale are not told.
//!
//! # Why this state is enough
//!
//! Troopers are alike but for their wounds, so the squad is a sorted row of wound classes (see
//! `classes.rs`: what a card answers from now on, not its marks). While the gun goes through them,
//! those it has dealt with and those to come are each sorted. Of the crew the one who serves has a
//! class, the others are fresh and counted. Under the five crewed weapons an unarmoured trooper has
//! three classes beside "gone", so eight of them are 165 rows instead of 2⁸⁰ cards. An attack that
//! cannot hit is passed over, and a cell that cannot matter is not rolled.

use crate::bounds::Bound;
use crate::combat::{AnyCombat, Combat, Measure, OutcomeField, Telling, Vocabulary};
use crate::dice::{Dice, Roll};
use crate::form::groups::joined;
use crate::form::{Fault, Field, Form, Kind, Preset};
use crate::systems::{Action, Contest};

use super::aim::{Aim, Marks, Weapon, card};
use super::card::{Card, FULL_HP};
use super::classes::{Classes, GONE};
use super::data;
use super::fields::{AIM_RULES, ARMOURS, CARD_RULES, DOTS, ON_THE_MOVE, SITUATION, TARGET, WEAPON};

/// The most troopers of the squad.
const MAX_TROOPERS: usize = 12;

const TROOPERS: Bound = Bound::new("number of troopers", 1, MAX_TROOPERS as i64);
const MOVES: Bound = Bound::new("number of moves", 1, 12);
const CREW: Bound = Bound::new("number of crew", 1, 8);
const ATTACKS: Bound = Bound::new("number of attacks", 0, 6);
const AP: Bound = Bound::new("number of AP", 1, 40);

const OWN: [Field; 13] = [
    Field::int("troopers", &TROOPERS, 8, "troopers that advance"),
    Field::int("moves", &MOVES, 6, "activations they advance for"),
    Field::int(
        "range",
        &DOTS,
        60,
        "dots to the weapon at the first activation",
    ),
    Field::int("closing", &DOTS, 8, "dots nearer with every activation").assumed(),
    Field::optional(
        "crew",
        Kind::Int(&CREW),
        "troopers at the weapon; as many as it needs when left out",
    ),
    Field::int(
        "attacks_per_move",
        &ATTACKS,
        1,
        "moves in the arc of each trooper in an activation, each drawing an attack",
    )
    .assumed(),
    Field::int(
        "answers",
        &ATTACKS,
        1,
        "attacks of each trooper on the crew in an activation",
    )
    .assumed(),
    Field::flag("set_up_first", false, "the weapon must be set up first"),
    Field::int("set_up_ap", &AP, 4, "AP of each trooper who sets it up").from("Crewed Weapons"),
    Field::int("take_over_ap", &AP, 6, "AP to take it over").from("Crewed Weapons"),
    Field::int(
        "ap_per_move",
        &AP,
        8,
        "AP of an activation: begun ones are lost to setting up and taking over",
    )
    .assumed(),
    Field::choice("crew_armour", ARMOURS, "body armour of the crew").from("Body Armor"),
    Field::new(
        "answer",
        Kind::Table(joined![WEAPON, ON_THE_MOVE]),
        Preset::Empty,
        "what the squad answers with, and how; rifles on the move when left out",
    ),
];

/// The weapon the squad answers with when none is named.
const ANSWER_WEAPON: &str = "rifle";

/// The catalogue entry.
pub const CREWED_DUEL: Action = Action {
    name: "crewed-duel",
    about: "a crewed weapon against a squad that advances and answers",
    fields: joined![WEAPON, OWN, SITUATION, TARGET, CARD_RULES, AIM_RULES],
    build,
    samples: &[
        "weapon = 'HMG'\ntroopers = 3\nmoves = 2",
        "weapon = 'LMG'\ntroopers = 2\nmoves = 3\nrange = 110\nprone_attacker = true\n[answer]\nprone_target = true",
        "weapon = 'semi-portable laser'\ntroopers = 2\nmoves = 2\nset_up_first = true\ntarget_armour = 'basic'",
        "weapon = 'MMG'\ntroopers = 2\nmoves = 2\nattacks_per_move = 2\ncrew_armour = 'standard'\n[answer]\nweapon = 'SMG'",
    ],
};

struct Duel {
    moves: u8,
    troopers: u8,
    crew: u8,
    attacks: u8,
    answers: u8,
    /// Activations lost to setting up and to taking over.
    set_up: u8,
    take_over: u8,
    squad: Classes,
    gunner: Classes,
    /// By move, then by class: what the gun needs, and what an answer needs.
    gun: Vec<Vec<Aim>>,
    answer: Vec<Vec<Aim>>,
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let weapon = Weapon::read(form)?;
    let missing = || vec![Fault::new("answer", "`answer` is missing")];
    let table = form.table("answer").ok_or_else(missing)?;
    let answer = answer_weapon(table)?;
    let marks = Marks::read(form);
    let fresh = card(form)?;
    let squad = classes(fresh, &weapon, marks, "target_armour")?;
    let gunner = classes(crew_card(form)?, &answer, marks, "crew_armour")?;
    let crew = form.maybe_int("crew").unwrap_or(i64::from(weapon.crew) + 1) as u8;
    let set_up = form.flag("set_up_first");
    if set_up && crew <= weapon.crew {
        let problem = format!(
            "it takes {} troopers to set the weapon up, but `crew` is {crew}",
            weapon.crew + 1
        );
        return Err(vec![Fault::new("crew", problem)]);
    }
    let moves = form.int("moves");
    let ranges = (0..moves).map(|n| (form.int("range") - n * form.int("closing")).max(1));
    let ranges: Vec<_> = ranges.collect();
    let lost = |ap: &str| (form.int(ap) as u64).div_ceil(form.int("ap_per_move") as u64) as u8;
    Ok(Contest {
        combat: AnyCombat::new(Duel {
            moves: moves as u8,
            troopers: form.int("troopers") as u8,
            crew,
            attacks: form.int("attacks_per_move") as u8,
            answers: form.int("answers") as u8,
            set_up: if set_up { lost("set_up_ap") } else { 0 },
            take_over: lost("take_over_ap"),
            gun: aims(&weapon, form, form, &ranges, &gunner),
            answer: aims(&answer, table, form, &ranges, &squad),
            squad,
            gunner,
        }),
        notes: notes(&weapon, &answer),
        grows_with: &[
            "troopers",
            "moves",
            "crew",
            "target_armour",
            "attacks_per_move",
        ],
    })
}

fn answer_weapon(table: &Form) -> Result<Weapon, Vec<Fault>> {
    if table.has("weapon") || table.has("damage") {
        let within = |fault: Fault| fault.within("answer");
        return Weapon::read(table).map_err(|faults| faults.into_iter().map(within).collect());
    }
    let row = data::data()?.weapon(ANSWER_WEAPON);
    let missing = || vec![Fault::new("answer.weapon", "`weapon` is missing")];
    row.map(Weapon::from).ok_or_else(missing)
}

/// A fresh card of the crew.
fn crew_card(form: &Form) -> Result<Card, Vec<Fault>> {
    let troop = data::data()?.troop(form.text("crew_armour"));
    let cells = troop.and_then(|row| row.cells).unwrap_or(0);
    let from = form.int("armour_from") as u8;
    Ok(match form.flag("advanced_armour") {
        true => Card::new(FULL_HP, 0, cells, from),
        false => Card::new(FULL_HP, cells, 0, from),
    })
}

fn classes(fresh: Card, weapon: &Weapon, marks: Marks, field: &str) -> Result<Classes, Vec<Fault>> {
    let data = data::data()?;
    let classes = Classes::of(fresh, weapon.direct(), marks, |hp| data.modifier(hp));
    classes.ok_or_else(|| {
        let fault = Fault::new(
            field,
            "wounds under this armour differ in too many ways for a duel",
        );
        vec![fault.help("use lighter armour, or `advanced_armour = false`")]
    })
}

/// By move, then by wound class of who fires.
fn aims(
    weapon: &Weapon,
    situation: &Form,
    rules: &Form,
    ranges: &[i64],
    shooter: &Classes,
) -> Vec<Vec<Aim>> {
    let wounds = || (0..shooter.count()).map(|class| shooter.modifier(class as u8));
    let at = |&range: &i64| {
        wounds()
            .map(|w| Aim::at(weapon, situation, rules, Some(range), w))
            .collect()
    };
    ranges.iter().map(at).collect()
}

fn notes(weapon: &Weapon, answer: &Weapon) -> Vec<String> {
    let mut notes = Vec::new();
    for (whose, weapon) in [("the weapon", weapon), ("the squad's weapon", answer)] {
        if weapon.kind.explodes() {
            notes.push(format!(
                "{whose} is played at its point of detonation only: rings and scatter are left out"
            ));
        }
    }
    notes
}

/// How far the duel has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Now {
    /// The activation, from 0.
    turn: u8,
    phase: Phase,
    /// Wound classes; those dealt with in this phase first, each part sorted, the most wounded
    /// first: those a hit newly wounds then join others who are done with, and fewer rows differ.
    squad: [u8; MAX_TROOPERS],
    /// The trooper who is attacked, or who attacks.
    cursor: u8,
    /// Attacks made on him, or by him, in this phase.
    made: u8,
    /// Whether the present attack has hit.
    hit: bool,
    /// The class of who serves the weapon.
    gunner: u8,
    /// Others of the crew.
    reserve: u8,
    /// Activations until the weapon fires again.
    silent: u8,
}

/// A sum of 2d6, where any will do.
const ANY_SUM: u8 = 7;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Phase {
    Gun,
    Answer,
    Over,
}

impl Now {
    fn troopers(&self) -> usize {
        self.squad.iter().filter(|&&class| class != GONE).count()
    }

    fn crew(&self) -> u8 {
        self.reserve + u8::from(self.gunner != GONE)
    }

    fn trooper(&self) -> u8 {
        self.squad
            .get(usize::from(self.cursor))
            .copied()
            .unwrap_or(GONE)
    }
}

impl Duel {
    /// Finds the next attack: passes troopers dealt with, phases and activations.
    fn settle(&self, mut now: Now) -> Now {
        loop {
            if now.troopers() == 0 || now.crew() == 0 || now.turn == self.moves {
                now.phase = Phase::Over;
                return now;
            }
            let attacks = match now.phase {
                Phase::Gun if now.silent > 0 => 0,
                Phase::Gun => self.attacks,
                Phase::Answer => self.answers,
                Phase::Over => return now,
            };
            let idle = attacks == 0 || usize::from(now.cursor) >= MAX_TROOPERS;
            if !idle && now.trooper() != GONE && now.made < attacks && self.aim(&now).possible() {
                return now;
            }
            now = if idle {
                self.next_phase(now)
            } else {
                self.next_trooper(now)
            };
        }
    }

    /// The one dealt with joins the others.
    fn next_trooper(&self, mut now: Now) -> Now {
        now.squad[..=usize::from(now.cursor)].sort_unstable_by(|a, b| b.cmp(a));
        now.cursor += 1;
        now.made = 0;
        now
    }

    fn next_phase(&self, mut now: Now) -> Now {
        now.squad.sort_unstable_by(|a, b| b.cmp(a));
        now.cursor = (MAX_TROOPERS - now.troopers()) as u8;
        now.made = 0;
        if now.phase == Phase::Gun {
            now.silent = now.silent.saturating_sub(1);
            now.phase = Phase::Answer;
        } else {
            now.turn += 1;
            now.phase = Phase::Gun;
        }
        now
    }

    fn aim(&self, now: &Now) -> &Aim {
        let turn = usize::from(now.turn);
        match now.phase {
            Phase::Gun => &self.gun[turn][usize::from(now.gunner)],
            _ => &self.answer[turn][usize::from(now.trooper())],
        }
    }

    /// The cell does not matter when a hit anywhere has the same consequence; then it is not rolled.
    fn certain(&self, now: &Now) -> bool {
        match now.phase {
            Phase::Gun => self.squad.certain(now.trooper()),
            _ => self.gunner.certain(now.gunner),
        }
    }

    fn wound(&self, mut now: Now, sum: u8) -> Now {
        if now.phase == Phase::Gun {
            let place = usize::from(now.cursor);
            now.squad[place] = self.squad.hit(now.squad[place], sum);
            return now;
        }
        now.gunner = self.gunner.hit(now.gunner, sum);
        if now.gunner == GONE && now.reserve > 0 {
            (now.gunner, now.reserve) = (0, now.reserve - 1);
            now.silent = self.take_over;
        }
        now
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Left {
    troopers: u8,
    crew: u8,
    ended: u8,
    lost: u8,
}

impl Combat for Duel {
    type State = Now;
    type Outcome = Left;

    fn open(&self) -> Now {
        let mut squad = [GONE; MAX_TROOPERS];
        squad[MAX_TROOPERS - usize::from(self.troopers)..].fill(0);
        self.settle(Now {
            turn: 0,
            phase: Phase::Gun,
            squad,
            cursor: MAX_TROOPERS as u8 - self.troopers,
            made: 0,
            hit: false,
            gunner: 0,
            reserve: self.crew - 1,
            silent: self.set_up,
        })
    }

    fn step(&self, mut now: Now, dice: &mut impl Dice) -> Now {
        if now.hit {
            now.hit = false;
            let sum = dice.die(6) + dice.die(6);
            return self.settle(self.wound(now, sum));
        }
        let hit = self.aim(&now).hits(dice);
        now.made += 1;
        match (hit, self.certain(&now)) {
            (false, _) => self.settle(now),
            (true, true) => self.settle(self.wound(now, ANY_SUM)),
            (true, false) => Now { hit, ..now },
        }
    }

    fn outcome(&self, now: &Now) -> Option<Left> {
        let troopers = now.troopers() as u8;
        let wiped = troopers == 0 || now.crew() == 0;
        (now.phase == Phase::Over && !now.hit).then_some(Left {
            troopers,
            crew: now.crew(),
            ended: if wiped { now.turn + 1 } else { 0 },
            lost: self.troopers - troopers,
        })
    }

    fn vocabulary(&self) -> Vocabulary<Left> {
        Vocabulary {
            fields: vec![
                OutcomeField::new("troopers_left", "troopers in action", |o: &Left| {
                    o.troopers.into()
                }),
                OutcomeField::new("crew_left", "crew in action", |o| o.crew.into()),
                OutcomeField::new(
                    "ended",
                    "the activation in which a side was gone; 0: neither",
                    |o| o.ended.into(),
                ),
            ],
            measures: vec![
                Measure::probability("p_gun_holds", "the crew is not gone", |o: &Left| o.crew > 0),
                Measure::probability("p_squad_gone", "no trooper is in action", |o| {
                    o.troopers == 0
                }),
                Measure::probability("p_gun_silenced", "the crew is gone", |o| o.crew == 0),
                Measure::mean("e_troopers_left", "troopers in action", |o| {
                    o.troopers.into()
                }),
                Measure::mean("e_troopers_lost", "troopers dead or out of action", |o| {
                    o.lost.into()
                }),
                Measure::mean("e_crew_left", "crew in action", |o| o.crew.into()),
            ],
        }
    }

    fn tell(&self, from: &Now, rolls: &[Roll], to: &Now) -> Telling {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        let who = match from.phase {
            Phase::Gun => "the weapon fires at a trooper",
            _ => "a trooper fires at the crew",
        };
        let what = if from.hit {
            format!("the hit is at 2d6 {faces:?} = {sum}")
        } else {
            let aim = self.aim(from);
            let needed = aim.needed.map_or("–".into(), |needed| needed.to_string());
            let result = if aim.reached(sum) { "a hit" } else { "a miss" };
            format!(
                "2d6 {faces:?} = {sum} against {needed} ({}): {result}",
                aim.sum
            )
        };
        let left = format!(
            "{} troopers and {} crew in action",
            to.troopers(),
            to.crew()
        );
        Telling::new(
            "Crewed Weapons",
            format!("Activation {}, {who}: {what}; {left}.", from.turn + 1),
        )
    }
}
