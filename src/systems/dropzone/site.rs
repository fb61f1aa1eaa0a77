//! `demolish` and `collateral`: scenery that is shot at, burns, falls, and who is inside.
//!
//! Source: quick reference, SCENERY (Destructible, Flammable) and COLLATERAL DAMAGE. Shots at a
//! piece hit on 2+; a Critical does plain damage and leaves a token, Flame leaves another on what
//! burns. Each token is one automatic hit on the piece and on a random squad inside, at once when
//! somebody is inside and again in every Round Up; a token that does no damage is removed. When the
//! piece falls, a D3 is both the radius and the hits on units around it, and squads inside take 2D3
//! hits, all with the energy of the piece's armour. Where units stand and which of them flee is
//! not told.
//!
//! # Why this state is enough
//!
//! Tokens are alike, so their number is enough; models are alike, so each squad inside is the
//! multiset of its points; units around are alike and stand alone, so what matters is how many are
//! still to be hit and what the others lost. One die a step.

use crate::combat::{Combat, Telling, Vocabulary};
use crate::dice::{Dice, Roll};
use crate::form::Form;

use super::profile::Target;
use super::ruin::{self, Outcome};
use super::squad::Squad;
use super::volley::{Aim, Attack, Blow, Stage, Volley};

/// The most squads inside.
pub const MAX_INSIDE: usize = 3;

/// A squad inside: what tokens and the fall of the piece do to it.
pub struct Inside {
    /// The squad, unhurt.
    pub fresh: Squad,
    /// A token's hit.
    pub token: Attack,
    /// The hits of the fall.
    pub fall: Attack,
}

/// Units around, alike.
pub struct Around {
    /// By D3 face: how many are within that many inches.
    pub within: [u8; 3],
    /// Damage Points of each.
    pub points: u8,
    /// The hits of the fall.
    pub fall: Attack,
}

/// A piece of scenery and everything that may happen to it.
pub struct Site {
    /// Shots aimed at it.
    pub shots: u16,
    /// The shots' dice.
    pub attack: Option<Attack>,
    /// Tokens a hit leaves that damages, beside the Critical's.
    pub flame_tokens: u8,
    /// Tokens a Critical leaves.
    pub critical_tokens: u8,
    /// Damage Points of the piece.
    pub points: u8,
    /// Tokens on it before the first die.
    pub tokens: u8,
    /// Whether those tokens were placed just now, and count at once when somebody is inside.
    pub just_placed: bool,
    /// A token's damage die on the piece.
    pub burns: Blow,
    /// Tokens a Critical of a token's hit leaves.
    pub token_criticals: u8,
    /// Whether tokens count at once when somebody is inside.
    pub at_once: bool,
    /// Round Ups after the shots.
    pub round_ups: u8,
    /// Squads inside.
    pub inside: Vec<Inside>,
    /// Whether the hits of the fall are rolled once for all squads inside, not for each.
    pub rubble_once: bool,
    /// Units around.
    pub around: Option<Around>,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    next: Next,
    shots: u16,
    round_ups: u8,
    left: u8,
    tokens: u8,
    due: u8,
    radius: u8,
    inside: [Squad; MAX_INSIDE],
    around: u8,
    around_damage: u16,
    around_destroyed: u8,
}

/// The next die.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Next {
    /// A hit die at the piece.
    Aim,
    /// A damage die at the piece.
    Damage,
    /// A token's damage die at the piece.
    Token,
    /// Which squad inside the token hits.
    Pick,
    /// A token's hit on a squad inside.
    Inside { squad: u8, volley: Volley },
    /// The D3 of the fall.
    Fall,
    /// Hits on a unit around.
    Around { volley: Volley },
    /// The 2D3 hits on a squad inside.
    Rubble { squad: u8 },
    /// Those hits; how many there were, where they are rolled once for all squads, or 0.
    Crushed { squad: u8, hits: u8, volley: Volley },
    /// No die.
    Over,
}

impl Site {
    fn start(&self) -> State {
        let mut inside = [Squad::fresh(0, 0); MAX_INSIDE];
        for (place, squad) in inside.iter_mut().zip(&self.inside) {
            *place = squad.fresh;
        }
        let mut now = State {
            next: Next::Over,
            shots: self.shots,
            round_ups: self.round_ups,
            left: self.points,
            tokens: self.tokens,
            due: 0,
            radius: 0,
            inside,
            around: 0,
            around_damage: 0,
            around_destroyed: 0,
        };
        if self.just_placed {
            now = self.placed(now, 0);
        }
        self.to_next_die(now)
    }

    /// Lays down tokens; with somebody inside, every token there counts at once.
    fn placed(&self, mut now: State, tokens: u8) -> State {
        now.tokens = now.tokens.saturating_add(tokens);
        if self.at_once && now.occupied() > 0 {
            now.due = now.tokens;
        }
        now
    }

    /// Finds the next die while the piece stands.
    fn to_next_die(&self, mut now: State) -> State {
        if now.left == 0 {
            (now.shots, now.tokens, now.due, now.round_ups) = (0, 0, 0, 0);
            now.next = Next::Fall;
            return now;
        }
        if now.due == 0 && now.shots == 0 && now.round_ups > 0 {
            (now.round_ups, now.due) = (now.round_ups - 1, now.tokens);
        }
        now.next = match (now.due, now.shots) {
            (1.., _) => Next::Token,
            (0, 1..) => Next::Aim,
            (0, 0) => Next::Over,
        };
        if now.next == Next::Over {
            now.round_ups = 0;
        }
        now
    }

    fn aim(&self, mut now: State, attack: &Attack, face: u8) -> State {
        now.shots -= 1;
        let aim = attack.aim.map_or(Aim::Hit, |aim| aim[place(face)]);
        match aim {
            Aim::Hit => {
                now.next = Next::Damage;
                now
            }
            Aim::Critical => self.struck(now, attack.critical.points, true),
            Aim::Miss | Aim::Glance => self.to_next_die(now),
        }
    }

    /// Damages the piece and leaves tokens on it.
    fn struck(&self, mut now: State, points: u8, critical: bool) -> State {
        now.left = now.left.saturating_sub(points);
        let from_critical = if critical { self.critical_tokens } else { 0 };
        let tokens = if points > 0 { from_critical + self.flame_tokens } else { 0 };
        if tokens > 0 {
            now = self.placed(now, tokens);
        }
        self.to_next_die(now)
    }

    /// A token's hit on the piece; then on a squad inside, if there is one.
    fn token(&self, mut now: State, face: u8) -> State {
        now.due -= 1;
        let wound = self.burns[place(face)];
        match wound.points {
            0 => now.tokens -= 1,
            points => now.left = now.left.saturating_sub(points),
        }
        if wound.critical && self.token_criticals > 0 {
            now = self.placed(now, self.token_criticals);
        }
        match now.occupied() {
            0 => self.to_next_die(now),
            1 => self.burn(now, 0),
            _ => {
                now.next = Next::Pick;
                now
            }
        }
    }

    /// A token's hit on the `nth` squad that is still inside.
    fn burn(&self, mut now: State, nth: usize) -> State {
        let alive = (0..MAX_INSIDE).filter(|&squad| now.inside[squad].alive() > 0);
        let squad = alive.clone().nth(nth).unwrap_or(0);
        let volley = self.inside[squad].token.open(1, now.inside[squad]);
        now.next = Next::Inside { squad: squad as u8, volley };
        now
    }

    fn fall(&self, mut now: State, face: u8) -> State {
        now.radius = face;
        now.around = self.around.as_ref().map_or(0, |around| around.within[place(face)]);
        self.next_around(now)
    }

    fn next_around(&self, mut now: State) -> State {
        let Some(around) = self.around.as_ref().filter(|_| now.around > 0) else {
            return self.next_inside(now, 0, 0);
        };
        now.around -= 1;
        let alone = Squad::fresh(1, around.points);
        let volley = around.fall.open(now.radius.into(), alone);
        now.next = Next::Around { volley };
        now
    }

    /// Goes on with the squads inside at `from`: with `hits` each, or 0 where they are to be rolled.
    fn next_inside(&self, mut now: State, from: u8, hits: u8) -> State {
        let mut squads = from..MAX_INSIDE as u8;
        let alive = squads.find(|&squad| now.inside[usize::from(squad)].alive() > 0);
        match (alive, hits) {
            (None, _) => now.next = Next::Over,
            (Some(squad), 0) => now.next = Next::Rubble { squad },
            (Some(squad), hits) => return self.crush(now, squad, hits),
        }
        now
    }

    /// Destructible: "If unit in destroyed Garrison, they take 2D3 hits instead."
    fn crush(&self, mut now: State, squad: u8, hits: u8) -> State {
        let place = usize::from(squad);
        let volley = self.inside[place].fall.open(hits.into(), now.inside[place]);
        now.next = Next::Crushed { squad, hits: if self.rubble_once { hits } else { 0 }, volley };
        now
    }

    fn around_hit(&self, mut now: State, volley: Volley, points: u8) -> State {
        if volley.stage != Stage::Over {
            now.next = Next::Around { volley };
            return now;
        }
        now.around_damage += u16::from(points) - volley.squad.points();
        now.around_destroyed += u8::from(volley.squad.alive() == 0);
        self.next_around(now)
    }
}

impl State {
    /// Squads still inside.
    fn occupied(&self) -> usize {
        self.inside.iter().filter(|squad| squad.alive() > 0).count()
    }
}

fn place(face: u8) -> usize {
    usize::from(face) - 1
}

impl Combat for Site {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        self.start()
    }

    fn step(&self, mut now: State, dice: &mut impl Dice) -> State {
        match (now.next, &self.attack, &self.around) {
            (Next::Aim, Some(attack), _) => {
                let face = if attack.aim.is_some() { dice.die(6) } else { 1 };
                self.aim(now, attack, face)
            }
            (Next::Damage, Some(attack), _) => {
                let wound = attack.merged[0][place(dice.die(6))];
                self.struck(now, wound.points, wound.critical)
            }
            (Next::Token, ..) => self.token(now, dice.die(6)),
            (Next::Pick, ..) => {
                let nth = dice.die(now.occupied() as u8);
                self.burn(now, place(nth))
            }
            (Next::Inside { squad, volley }, ..) => {
                let volley = self.inside[usize::from(squad)].token.step(volley, dice);
                now.inside[usize::from(squad)] = volley.squad;
                now.next = Next::Inside { squad, volley };
                match volley.stage {
                    Stage::Over => self.to_next_die(now),
                    _ => now,
                }
            }
            (Next::Fall, ..) => self.fall(now, dice.die(3)),
            (Next::Around { volley }, _, Some(around)) => {
                self.around_hit(now, around.fall.step(volley, dice), around.points)
            }
            (Next::Rubble { squad }, ..) => {
                let hits = dice.die(3) + dice.die(3);
                self.crush(now, squad, hits)
            }
            (Next::Crushed { squad, hits, volley }, ..) => {
                let volley = self.inside[usize::from(squad)].fall.step(volley, dice);
                now.inside[usize::from(squad)] = volley.squad;
                now.next = Next::Crushed { squad, hits, volley };
                match volley.stage {
                    Stage::Over => self.next_inside(now, squad + 1, hits),
                    _ => now,
                }
            }
            // The end; without an attack nothing aims, without units around nothing falls on them.
            _ => now,
        }
    }

    fn outcome(&self, now: &State) -> Option<Outcome> {
        if now.next != Next::Over {
            return None;
        }
        let sum = |squads: &mut dyn Iterator<Item = Squad>| {
            squads.fold((0, 0), |(points, alive), squad| {
                (points + squad.points(), alive + squad.alive())
            })
        };
        let before = sum(&mut self.inside.iter().map(|inside| inside.fresh));
        let after = sum(&mut now.inside.into_iter());
        Some(Outcome {
            damage: self.points - now.left,
            destroyed: now.left == 0,
            tokens: now.tokens,
            radius: now.radius,
            inside_damage: before.0 - after.0,
            inside_destroyed: (before.1 - after.1) as u8,
            inside_wiped: before.1 > 0 && after.1 == 0,
            around_damage: now.around_damage,
            around_destroyed: now.around_destroyed,
        })
    }

    fn vocabulary(&self) -> Vocabulary<Outcome> {
        Vocabulary { fields: ruin::columns(), measures: ruin::numbers() }
    }

    fn tell(&self, from: &State, rolls: &[Roll], to: &State) -> Telling {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face.to_string()).collect();
        let faces = faces.join(", ");
        let (rule, what) = match from.next {
            Next::Aim => ("Scenery", "Hit die at the piece"),
            Next::Damage => ("Scenery", "Damage die at the piece"),
            Next::Token => ("Collateral Damage", "Damage die of a token at the piece"),
            Next::Pick => ("Collateral Damage", "The token hits a random squad inside, die"),
            Next::Inside { .. } => ("Collateral Damage", "Die for the squad inside"),
            Next::Fall => ("Destructible", "The piece falls, D3"),
            Next::Around { .. } => ("Destructible", "Die for a unit around it"),
            Next::Rubble { .. } if self.rubble_once => {
                ("Destructible", "Hits on every squad inside, 2D3")
            }
            Next::Rubble { .. } => ("Destructible", "Hits on a squad inside, 2D3"),
            Next::Crushed { .. } => ("Destructible", "Die for the squad inside"),
            Next::Over => ("Scenery", "It is over"),
        };
        let points = |now: &State| now.inside.iter().map(Squad::points).sum::<u16>();
        let text = format!(
            "{what} {faces}: the piece has {} points and {} tokens, those inside {} points.",
            to.left,
            to.tokens,
            points(to)
        );
        Telling::new(rule, text)
    }
}

/// Squads and units with what falls on them.
pub fn inside(target: &Target, token_energy: i64, always: i64, armour: i64, form: &Form) -> Inside {
    Inside {
        fresh: target.squad(),
        token: target.automatic(token_energy, Some(always), form.flag("dodge_collateral"), form),
        fall: target.automatic(armour, None, false, form),
    }
}
