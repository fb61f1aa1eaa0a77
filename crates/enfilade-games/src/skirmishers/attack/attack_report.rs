//! Reports and explanations of attacks, for every distribution among targets.

use std::num::NonZeroU32;

use enfilade_model::combat::vocabulary_macros::{columns, measures};
use enfilade_model::combat::{Explanation, Measure, OutcomeField, Scale, Vocabulary};
use enfilade_model::dice::Roll;

use super::super::hit_card::Card;
use super::attack_series::Attack;

/// Numbers of finished targets by their state.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally {
    dead: u8,
    out: u8,
    hp: u16,
    armour: u16,
}

impl Tally {
    /// Adds a target.
    pub fn with(self, card: &Card) -> Tally {
        let out = !card.dead() && !card.in_action();
        Tally {
            dead: self.dead + u8::from(card.dead()),
            out: self.out + u8::from(out),
            hp: self.hp + u16::from(card.hp()),
            armour: self.armour + u16::from(card.armour_left()),
        }
    }

    /// Adds several targets.
    pub fn with_all(self, cards: &[Card]) -> Tally {
        cards.iter().fold(self, Tally::with)
    }
}

/// Outcome of the attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    hits: u8,
    all: Tally,
    hp_lost: u16,
    hp: u8,
    ap: i32,
    modifier: i32,
    killed_by: u8,
    made: u8,
}

impl Attack {
    /// Returns the outcome after `hits`; `hp` is that of a single target, which the attack
    /// `killed_by` put out of action, or no attack if that is 0.
    pub fn struck(&self, hits: u8, all: Tally, hp: u8, killed_by: u8) -> Outcome {
        let ap = self.unit.action_points(hp, self.additions);
        let modifier = self.unit.modifier(hp).unwrap_or(0);
        let before: u16 = self.before.iter().map(|card| u16::from(card.hp())).sum();
        Outcome {
            hits,
            all,
            hp_lost: before - all.hp,
            hp,
            ap: ap as i32,
            modifier: modifier as i32,
            killed_by,
            made: if killed_by > 0 { killed_by } else { self.shots },
        }
    }

    /// Returns whether the attacks, taken together, can put a target out of action.
    ///
    /// Hits from one cell do so as early as any: a start further from 0 spends its points on cells
    /// above, and hits from different cells do not combine better.
    pub fn can_kill(&self) -> bool {
        let kills = |sum| {
            let hits = (0..self.shots).map(|_| sum);
            let last = hits.fold(self.before[0], |card, sum| self.marks.at(card, self.damage, sum));
            !last.in_action()
        };
        self.aim.possible() && (2..=12).any(kills)
    }

    /// Returns the fields and measures of these attacks.
    pub fn vocabulary(&self) -> Vocabulary<Outcome> {
        let (mut fields, mut measures) = (columns(), numbers());
        if self.targets() == 1 {
            fields.extend(of_one());
        }
        // For one attack, or where none can end it, the number of attacks made is constant.
        if self.targets() == 1 && self.shots > 1 && self.can_kill() {
            measures.extend(attacks_made());
        }
        measures.extend(self.pv.into_iter().flat_map(per_100_pv));
        Vocabulary { fields, measures }
    }

    /// Explains the cell that is picked on the card `struck`, or else the attack itself.
    pub fn tell(&self, struck: Option<Card>, rolls: &[Roll], hit: bool) -> Explanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        if let Some(card) = struck {
            let cell = self.marks.start(sum);
            let card = self.marks.at(card, self.damage, sum);
            let state = match (card.dead(), card.hp()) {
                (true, _) => "dead".into(),
                (false, 0) => "out of action".into(),
                (false, hp) => format!("HP {hp}, armour {}", card.armour_left()),
            };
            let text = format!("2d6 {faces:?} = {sum}: from cell {cell}; the target is {state}.");
            return Explanation::new("Hits", text);
        }
        let result = if hit { "a hit" } else { "a miss" };
        let needed = self.aim.needed;
        let needed = needed.map_or("–".into(), |needed| needed.to_string());
        let text = format!("2d6 {faces:?} = {sum} against {needed} ({}): {result}.", self.aim.sum);
        Explanation::new("Attacks", text)
    }
}

impl Outcome {
    /// Targets dead or out of action.
    fn kills(&self) -> i32 {
        (self.all.dead + self.all.out).into()
    }
}

fn columns() -> Vec<OutcomeField<Outcome>> {
    columns! { o: Outcome;
        /// attacks that hit
        hits = count(o.hits).label("hits").unit("hits").rule("Attacks").adds();
        /// targets dead
        dead = count(o.all.dead).label("dead").unit("troopers").rule("unit card").harm(100, "dead");
        /// targets at HP 0, not dead
        out_of_action = count(o.all.out).label("out of action").unit("troopers").rule("unit card")
            .harm(90, "out of action");
        /// armour cells left on all targets
        armour_left = count(o.all.armour).label("armour cells left").unit("cells")
            .rule("Body Armor");
    }
}

fn numbers() -> Vec<Measure<Outcome>> {
    measures! { o: Outcome;
        /// an attack hits
        p_hit = probability(o.hits > 0).label("hit").adds();
        /// a target is dead or out of action
        p_kill = probability(o.kills() > 0).label("dead or out of action").headline().finishing();
        /// a target is dead
        p_dead = probability(o.all.dead > 0).label("dead");
        /// attacks that hit
        e_hits = mean(o.hits).label("hits on average").unit("hits").adds();
        /// HP lost by all targets
        e_hp_lost = mean(o.hp_lost).label("HP lost on average").unit("HP").adds();
        /// targets dead
        e_dead = mean(o.all.dead).label("dead on average").unit("troopers");
        /// targets dead or out of action
        e_kills = mean(o.kills()).label("dead or out of action on average").unit("troopers");
    }
}

/// Returns the measure of kills per 100 PV of a weapon that costs `pv`.
fn per_100_pv(pv: NonZeroU32) -> Vec<Measure<Outcome>> {
    let scale = Scale { numerator: 100, denominator: pv.get() };
    measures! { o: Outcome;
        /// targets dead or out of action per 100 PV
        kills_per_100_pv = mean(o.kills()).scaled(scale).label("dead or out of action per 100 PV")
            .unit("troopers").per_points();
    }
}

fn attacks_made() -> Vec<Measure<Outcome>> {
    measures! { o: Outcome;
        /// attacks until the target is out of action, cut: all of them where the target is not
        shots_to_kill = mean(o.made).label("attacks made until out of action").unit("attacks")
            .until();
    }
}

/// Returns the fields of a single target.
fn of_one() -> Vec<OutcomeField<Outcome>> {
    columns! { o: Outcome;
        /// HP of the target
        hp = count(o.hp).label("HP of the target").unit("HP").rule("unit card");
        /// AP of the target
        ap = count(o.ap).label("AP of the target").unit("AP").rule("unit card");
        /// modifier of the target's own attacks
        modifier = count(o.modifier).label("modifier of the target's attacks").rule("unit card");
        /// the attack that put the target out of action; 0: none did
        shots_to_kill = count(o.killed_by).label("attack that put the target out of action")
            .rule("unit card").tries();
    }
}
