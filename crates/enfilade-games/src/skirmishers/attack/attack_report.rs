//! Reports and explanations of attacks, for every distribution among targets.

use std::num::NonZeroU32;

use enfilade_model::combat::vocabulary_macros::{columns, measures};
use enfilade_model::combat::{
    CombatStepExplanation, ExactRatio, Measure, OutcomeField, OutcomeVocabulary,
};
use enfilade_model::dice::RolledDie;

use super::super::hit_card::HitCard;
use super::attack_series::AttackSeries;

/// Numbers of finished targets by their state.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FinishedTargetTally {
    dead: u8,
    out: u8,
    hp: u16,
    armour: u16,
}

impl FinishedTargetTally {
    /// Adds a target.
    pub fn with_target_of(self, card: &HitCard) -> FinishedTargetTally {
        let out = !card.is_dead() && !card.can_trooper_act();
        FinishedTargetTally {
            dead: self.dead + u8::from(card.is_dead()),
            out: self.out + u8::from(out),
            hp: self.hp + u16::from(card.remaining_hp()),
            armour: self.armour + u16::from(card.count_armour_cells_left()),
        }
    }

    /// Adds several targets.
    pub fn with_targets_of_cards(self, cards: &[HitCard]) -> FinishedTargetTally {
        cards.iter().fold(self, FinishedTargetTally::with_target_of)
    }
}

/// Outcome of the attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttackOutcome {
    hits: u8,
    all: FinishedTargetTally,
    hp_lost: u16,
    hp: u8,
    ap: i32,
    modifier: i32,
    killed_by: u8,
    attacks_made: u8,
}

impl AttackSeries {
    /// Returns the outcome after `hits`; `hp` is that of a single target, which the attack
    /// `killed_by` put out of action, or no attack if that is 0.
    pub fn outcome_after_hits(
        &self,
        hits: u8,
        all: FinishedTargetTally,
        hp: u8,
        killed_by: u8,
    ) -> AttackOutcome {
        let ap = self.unit.action_points(hp, self.additions);
        let modifier = self.unit.attack_modifier(hp).unwrap_or(0);
        let before: u16 = self.before.iter().map(|card| u16::from(card.remaining_hp())).sum();
        AttackOutcome {
            hits,
            all,
            hp_lost: before - all.hp,
            hp,
            ap: ap as i32,
            modifier: modifier as i32,
            killed_by,
            attacks_made: if killed_by > 0 { killed_by } else { self.shots },
        }
    }

    /// Returns whether the attacks, taken together, can put a target out of action.
    ///
    /// Hits from one cell do so as early as any: a start further from 0 spends its points on cells
    /// above, and hits from different cells do not combine better.
    pub fn can_kill_any_target(&self) -> bool {
        let kills = |sum| {
            let hits = (0..self.shots).map(|_| sum);
            let last = hits.fold(self.before[0], |card, sum| {
                self.marks.mark_damage_at_sum(card, self.damage, sum)
            });
            !last.can_trooper_act()
        };
        self.aim.can_hit_with_any_roll() && (2..=12).any(kills)
    }

    /// Returns the fields and measures of these attacks.
    pub fn attack_vocabulary(&self) -> OutcomeVocabulary<AttackOutcome> {
        let (mut fields, mut measures) = (attack_outcome_fields(), attack_outcome_measures());
        if self.target_count() == 1 {
            fields.extend(fields_of_single_target());
        }
        // For one attack, or where none can end it, the number of attacks made is constant.
        if self.target_count() == 1 && self.shots > 1 && self.can_kill_any_target() {
            measures.extend(attacks_needed_measures());
        }
        measures.extend(self.pv.into_iter().flat_map(kills_per_100_pv_measure));
        OutcomeVocabulary { fields, measures }
    }

    /// Explains the cell that is picked on the card `struck`, or else the attack itself.
    pub fn explain_attack_step(
        &self,
        struck: Option<HitCard>,
        rolls: &[RolledDie],
        hit: bool,
    ) -> CombatStepExplanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        if let Some(card) = struck {
            let cell = self.marks.cell_of_sum(sum);
            let card = self.marks.mark_damage_at_sum(card, self.damage, sum);
            let state = match (card.is_dead(), card.remaining_hp()) {
                (true, _) => "dead".into(),
                (false, 0) => "out of action".into(),
                (false, hp) => format!("HP {hp}, armour {}", card.count_armour_cells_left()),
            };
            let text = format!("2d6 {faces:?} = {sum}: from cell {cell}; the target is {state}.");
            return CombatStepExplanation::new("Hits", text);
        }
        let result = if hit { "a hit" } else { "a miss" };
        let needed = self.aim.needed;
        let needed = needed.map_or("–".into(), |needed| needed.to_string());
        let text = format!("2d6 {faces:?} = {sum} against {needed} ({}): {result}.", self.aim.sum);
        CombatStepExplanation::new("Attacks", text)
    }
}

impl AttackOutcome {
    /// Targets dead or out of action.
    fn count_dead_or_out(&self) -> i32 {
        (self.all.dead + self.all.out).into()
    }
}

fn attack_outcome_fields() -> Vec<OutcomeField<AttackOutcome>> {
    columns! { o: AttackOutcome;
        /// attacks that hit
        hits = count(o.hits).label("hits").unit("hits").rule("Attacks").adds();
        /// targets dead
        dead = count(o.all.dead).label("dead").unit("troopers").rule("unit card").with_harm_degree(100, "dead");
        /// targets at HP 0, not dead
        out_of_action = count(o.all.out).label("out of action").unit("troopers").rule("unit card")
            .with_harm_degree(90, "out of action");
        /// armour cells left on all targets
        armour_left = count(o.all.armour).label("armour cells left").unit("cells")
            .rule("Body Armor");
    }
}

fn attack_outcome_measures() -> Vec<Measure<AttackOutcome>> {
    measures! { o: AttackOutcome;
        /// an attack hits
        p_hit = probability(o.hits > 0).label("hit").adds();
        /// a target is dead or out of action
        p_kill = probability(o.count_dead_or_out() > 0).label("dead or out of action").with_headline_role().with_target_disabled_role();
        /// a target is dead
        p_dead = probability(o.all.dead > 0).label("dead");
        /// attacks that hit
        e_hits = mean(o.hits).label("hits on average").unit("hits").adds();
        /// HP lost by all targets
        e_hp_lost = mean(o.hp_lost).label("HP lost on average").unit("HP").adds();
        /// targets dead
        e_dead = mean(o.all.dead).label("dead on average").unit("troopers");
        /// targets dead or out of action
        e_kills = mean(o.count_dead_or_out()).label("dead or out of action on average").unit("troopers");
    }
}

/// Returns the measure of kills per 100 PV of a weapon that costs `pv`.
fn kills_per_100_pv_measure(pv: NonZeroU32) -> Vec<Measure<AttackOutcome>> {
    let scale = ExactRatio { numerator: 100, denominator: pv.get() };
    measures! { o: AttackOutcome;
        /// targets dead or out of action per 100 PV
        kills_per_100_pv = mean(o.count_dead_or_out()).with_exact_factor(scale).label("dead or out of action per 100 PV")
            .unit("troopers").with_per_points_role();
    }
}

fn attacks_needed_measures() -> Vec<Measure<AttackOutcome>> {
    measures! { o: AttackOutcome;
        /// attacks until the target is out of action, cut: all of them where the target is not
        shots_to_kill = mean(o.attacks_made).label("attacks made until out of action").unit("attacks")
            .with_role_of_tries_until_event();
    }
}

/// Returns the fields of a single target.
fn fields_of_single_target() -> Vec<OutcomeField<AttackOutcome>> {
    columns! { o: AttackOutcome;
        /// HP of the target
        hp = count(o.hp).label("HP of the target").unit("HP").rule("unit card");
        /// AP of the target
        ap = count(o.ap).label("AP of the target").unit("AP").rule("unit card");
        /// modifier of the target's own attacks
        modifier = count(o.modifier).label("modifier of the target's attacks").rule("unit card");
        /// the attack that put the target out of action; 0: none did
        shots_to_kill = count(o.killed_by).label("attack that put the target out of action")
            .rule("unit card").mark_as_try_number();
    }
}
