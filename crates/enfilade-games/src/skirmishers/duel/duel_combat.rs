//! State machine of a duel: the order of fire, and the effects of hits.
//!
//! # Why this state is enough
//!
//! Troopers are equal except for their wounds, so the squad is a sorted row of wound classes (see
//! `wound_classes.rs`: a card's answers from now on, not its marks). While the gun attacks them one by
//! one, the finished and the remaining ones are each sorted: the remaining because the most wounded
//! move first, the finished because they have to be sorted for the next activation anyway. Of the
//! crew the serving man has a class, the others are unhurt and counted. Under the five crewed
//! weapons an unarmoured trooper has three classes beside "gone", so eight of them are 165 rows
//! instead of 2⁸⁰ cards. An attack that cannot hit is skipped, and a cell that cannot matter is not
//! rolled.

use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, Explanation, Later};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::shared::Text;

use super::super::aim::{Aim, marks_left};
use super::super::hit_card::Card;
use super::super::unit_card::UnitCard;
use super::super::wound_classes::{Classes, GONE};

/// Largest number of troopers in the squad.
pub const MAX_TROOPERS: usize = 12;

/// Duel with its numbers.
pub struct Duel {
    /// Number of activations.
    pub moves: u8,
    /// Wound classes of the squad's troopers.
    pub troopers: Vec<u8>,
    /// Wound class of the man who serves the weapon.
    pub serves: u8,
    /// Wound class of an unhurt man, who takes over.
    pub fresh: u8,
    /// Number of troopers at the weapon.
    pub crew: u8,
    /// Attacks that each trooper draws in an activation.
    pub attacks: u8,
    /// Attacks of each trooper's answer.
    pub answers: u8,
    /// Whether each trooper answers before the next one moves, and not after all attacks.
    pub man_by_man: bool,
    /// First activations in which the weapon does not fire, those lost to setting up included.
    pub silent: u8,
    /// Activations lost to taking over, the one in which the gunner falls included.
    pub take_over: u8,
    /// Wound classes of the squad.
    pub squad: Classes,
    /// Wound classes of the man who serves the weapon.
    pub gunner: Classes,
    /// Target numbers of the gun, by move, then by the class of the man who serves it.
    pub gun: Vec<Vec<Aim>>,
    /// Target numbers of an answer, by move, then by the class of the shooter.
    pub answer: Vec<Vec<Aim>>,
    /// Cards and distances for the changed fields, if they are reported.
    pub kept: Option<Kept>,
}

/// Unmarked cards of both sides, and the distance of the squad from the weapon.
pub struct Kept {
    /// Card of the squad.
    pub squad: (Card, UnitCard),
    /// Card of the man who serves the weapon.
    pub gunner: (Card, UnitCard),
    /// Dots to the weapon.
    pub range: i64,
}

/// State of the duel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Activation, from 0.
    turn: u8,
    phase: Phase,
    /// Wound classes; those finished in this phase first, each part sorted, the most wounded first.
    /// Troopers that a hit newly wounds then join the finished ones, and fewer rows differ.
    squad: [u8; MAX_TROOPERS],
    /// Trooper who is attacked, or who attacks.
    cursor: u8,
    /// Attacks made on this trooper, or by them, in this phase.
    made: u8,
    /// Whether the current attack has hit.
    hit: bool,
    /// Wound class of the man who serves the weapon.
    gunner: u8,
    /// Other men of the crew.
    reserve: u8,
    /// Activations in which the weapon does not fire, this one included.
    silent: u8,
}

/// Any sum of 2d6, where the sum does not matter.
const ANY_SUM: u8 = 7;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Phase {
    Gun,
    Answer,
    Over,
}

impl State {
    fn troopers(&self) -> usize {
        self.squad.iter().filter(|&&class| class != GONE).count()
    }

    fn crew(&self) -> u8 {
        self.reserve + u8::from(self.gunner != GONE)
    }

    fn trooper(&self) -> u8 {
        self.squad.get(usize::from(self.cursor)).copied().unwrap_or(GONE)
    }
}

impl Duel {
    /// Finds the next attack: skips finished troopers, phases and activations.
    fn to_next_die(&self, mut now: State) -> State {
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
            let due = now.trooper() != GONE && now.made < attacks;
            // An attack that cannot hit would be a step without a consequence.
            if due && self.aim(&now).possible() {
                return now;
            }
            now = self.onward(now, attacks == 0);
        }
    }

    /// Movement Fire: "Movement fire attacks are resolved after any incoming attacks".
    ///
    /// Returns the state after a trooper is finished in this phase, or all are because the phase is
    /// `idle`. Movement Fire: a trooper's own fire comes after the attacks on their move.
    fn onward(&self, now: State, idle: bool) -> State {
        let done = usize::from(now.cursor) >= MAX_TROOPERS;
        match now.phase {
            Phase::Gun if self.man_by_man && !done => {
                State { phase: Phase::Answer, made: 0, ..now }
            }
            Phase::Answer if self.man_by_man && !done => {
                State { phase: Phase::Gun, ..self.next_trooper(now) }
            }
            _ if self.man_by_man => self.next_turn(now),
            _ if !done && !idle => self.next_trooper(now),
            Phase::Gun => State { phase: Phase::Answer, ..self.first_trooper(now) },
            _ => self.next_turn(now),
        }
    }

    fn next_turn(&self, now: State) -> State {
        State {
            turn: now.turn + 1,
            phase: Phase::Gun,
            silent: now.silent.saturating_sub(1),
            ..self.first_trooper(now)
        }
    }

    /// Sorts the squad in the order in which it acts, the most wounded first.
    fn first_trooper(&self, mut now: State) -> State {
        now.squad.sort_unstable_by(|a, b| b.cmp(a));
        now.cursor = (MAX_TROOPERS - now.troopers()) as u8;
        now.made = 0;
        now
    }

    /// Moves the finished trooper to the others.
    fn next_trooper(&self, mut now: State) -> State {
        now.squad[..=usize::from(now.cursor)].sort_unstable_by(|a, b| b.cmp(a));
        now.cursor += 1;
        now.made = 0;
        now
    }

    /// Returns the number of troopers in action at the start.
    fn in_action(&self) -> u8 {
        self.troopers.iter().filter(|&&class| class != GONE).count() as u8
    }

    fn aim(&self, now: &State) -> &Aim {
        let turn = usize::from(now.turn);
        match now.phase {
            Phase::Gun => &self.gun[turn][usize::from(now.gunner)],
            _ => &self.answer[turn][usize::from(now.trooper())],
        }
    }

    /// Returns whether a hit has the same consequence at every cell, so that the cell is not
    /// rolled.
    fn certain(&self, now: &State) -> bool {
        match now.phase {
            Phase::Gun => self.squad.certain(now.trooper()),
            _ => self.gunner.certain(now.gunner),
        }
    }

    /// Crewed Weapons: "To take over a crew served weapon, a trooper must move onto the dot with
    /// the weapon and spend 6 AP."
    fn wound(&self, mut now: State, sum: u8) -> State {
        if now.phase == Phase::Gun {
            let place = usize::from(now.cursor);
            now.squad[place] = self.squad.hit(now.squad[place], sum);
            return now;
        }
        now.gunner = self.gunner.hit(now.gunner, sum);
        if now.gunner == GONE && now.reserve > 0 {
            (now.gunner, now.reserve) = (self.fresh, now.reserve - 1);
            // The new gunner needs the take-over even where the weapon was already silent.
            now.silent = self.take_over;
        }
        now
    }
}

/// Both sides at the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    troopers: u8,
    crew: u8,
    ended: u8,
    lost: u8,
}

impl Combat for Duel {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        let mut squad = [GONE; MAX_TROOPERS];
        squad[..self.troopers.len()].copy_from_slice(&self.troopers);
        // A serving man out of action has been relieved.
        let relieved = u8::from(self.serves == GONE && self.crew > 1);
        let first = self.first_trooper(State {
            turn: 0,
            phase: Phase::Gun,
            squad,
            cursor: 0,
            made: 0,
            hit: false,
            gunner: if relieved > 0 { self.fresh } else { self.serves },
            reserve: self.crew - 1 - relieved,
            silent: self.silent,
        });
        self.to_next_die(first)
    }

    fn step(&self, mut now: State, dice: &mut impl Dice) -> State {
        if now.hit {
            now.hit = false;
            let sum = dice.sum(2, 6) as u8;
            return self.to_next_die(self.wound(now, sum));
        }
        let hit = self.aim(&now).hits(dice);
        now.made += 1;
        match (hit, self.certain(&now)) {
            (false, _) => self.to_next_die(now),
            (true, true) => self.to_next_die(self.wound(now, ANY_SUM)),
            (true, false) => State { hit, ..now },
        }
    }

    /// Orders states by attack, with hits before their consequences.
    fn headway(&self, now: &State) -> u32 {
        let [turn, cursor, made] = [now.turn, now.cursor, now.made].map(u32::from);
        let answers = u32::from(now.phase == Phase::Answer);
        let troopers = MAX_TROOPERS as u32 + 1;
        let attack = match self.man_by_man {
            true => (turn * troopers + cursor) * 2 + answers,
            false => (turn * 2 + answers) * troopers + cursor,
        };
        attack * 16 + made * 2 + u32::from(!now.hit)
    }

    fn outcome(&self, now: &State) -> Option<Outcome> {
        let troopers = now.troopers() as u8;
        let wiped = troopers == 0 || now.crew() == 0;
        (now.phase == Phase::Over && !now.hit).then_some(Outcome {
            troopers,
            crew: now.crew(),
            ended: if wiped { now.turn + 1 } else { 0 },
            lost: self.in_action() - troopers,
        })
    }

    /// Returns the changed fields. Troopers out of action or dead are left out; the others are
    /// listed in the order of their wounds.
    fn left(&self, now: &State) -> Vec<Later> {
        let Some(kept) = &self.kept else { return Vec::new() };
        let number = |name, number: u8| {
            Later::Is(Text::Static(name), if number > 0 { number.into() } else { -1 })
        };
        let marks = |field, (fresh, unit): &(Card, UnitCard), cards: Vec<Card>| {
            marks_left(field, &cards, &vec![*fresh; cards.len()], unit)
        };
        let mut squad = now.squad;
        squad.sort_unstable();
        let men = squad.iter().filter_map(|class| self.squad.card(*class)).collect();
        let gunner = self.gunner.card(now.gunner).into_iter().collect();
        vec![
            number("troopers", now.troopers() as u8),
            marks("struck", &kept.squad, men),
            number("crew", now.crew()),
            marks("gunner_struck", &kept.gunner, gunner),
            Later::Is(Text::Static("silent"), now.silent.into()),
            Later::Is(Text::Static("set_up_first"), 0),
            Later::Is(Text::Static("range"), kept.range as i32),
        ]
    }

    vocabulary! { o: Outcome;
        columns {
            /// troopers in action
            troopers_left = count(o.troopers).label("troopers left").unit("troopers")
                .rule("Crewed Weapons");
            /// crew in action
            crew_left = count(o.crew).label("crew left").unit("troopers").rule("Crewed Weapons");
            /// the activation in which a side was gone; 0: neither
            ended = count(o.ended).label("activation in which a side was gone")
                .rule("Crewed Weapons");
        }
        measures {
            /// the crew is not gone
            p_gun_holds = probability(o.crew > 0).label("crew holds").headline();
            /// no trooper is in action
            p_squad_gone = probability(o.troopers == 0).label("squad gone");
            /// the crew is gone
            p_gun_silenced = probability(o.crew == 0).label("crew gone");
            /// troopers in action
            e_troopers_left = mean(o.troopers).label("troopers left on average").unit("troopers");
            /// troopers dead or out of action
            e_troopers_lost = mean(o.lost).label("troopers lost on average").unit("troopers");
            /// crew in action
            e_crew_left = mean(o.crew).label("crew left on average").unit("troopers");
        }
    }

    fn explain(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
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
            format!("2d6 {faces:?} = {sum} against {needed} ({}): {result}", aim.sum)
        };
        let left = format!("{} troopers and {} crew in action", to.troopers(), to.crew());
        Explanation::new(
            "Crewed Weapons",
            format!("Activation {}, {who}: {what}; {left}.", from.turn + 1),
        )
    }
}
