//! Attacks whose ending contains the card of every target, without tallies.

use enfilade_model::combat::{Combat, CombatStepExplanation, FieldChange, OutcomeVocabulary};
use enfilade_model::dice::{Dice, RolledDie};

use super::super::aim::change_of_marks_field;
use super::super::hit_card::HitCard;
use super::attack_report::{AttackOutcome, FinishedTargetTally};
use super::attack_series::{AttackSeries, MAX_ATTACK_TARGETS};

/// Attacks with all cards.
pub struct AttacksWithFullCards {
    /// Numbers of the attacks.
    pub attack: AttackSeries,
    /// Whether attacks are made in turn.
    pub in_turn: bool,
}

/// State of the attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FullCardAttackState {
    /// Attacks left.
    attacks_left: u8,
    /// Whether the current attack has hit and the cell is to be picked.
    hit: bool,
    hits: u8,
    /// Attack that put a single target out of action.
    killed_by: u8,
    /// Index of the attacked target.
    at: u8,
    /// Cards of the targets, in the order of the contest.
    cards: [Option<HitCard>; MAX_ATTACK_TARGETS],
}

impl FullCardAttackState {
    fn cards_of_all_targets(&self) -> Vec<HitCard> {
        self.cards.iter().flatten().copied().collect()
    }

    fn card_of_current_target(&self) -> Option<HitCard> {
        self.cards[usize::from(self.at)]
    }
}

impl AttacksWithFullCards {
    /// Returns the next target. One by one: the next in action, or else the last. In turn: the next
    /// in the round that is in action, or else the next that is not dead.
    fn index_of_next_target(&self, now: &FullCardAttackState) -> usize {
        let (cards, at) = (now.cards_of_all_targets(), usize::from(now.at));
        let mut round = (at..cards.len()).chain(0..at);
        match self.in_turn {
            true => {
                let standing = round.clone().find(|place| cards[*place].can_trooper_act());
                standing.or_else(|| round.find(|place| !cards[*place].is_dead())).unwrap_or(at)
            }
            false => {
                let standing = (at..cards.len()).find(|place| cards[*place].can_trooper_act());
                standing.unwrap_or(cards.len() - 1)
            }
        }
    }

    /// Turns to the next target; no attack is made on the dead, and the index is reset when the
    /// attacks are over.
    fn advance_to_next_die(&self, mut now: FullCardAttackState) -> FullCardAttackState {
        now.at = self.index_of_next_target(&now) as u8;
        if now.card_of_current_target().is_none_or(|card| card.is_dead()) {
            now.attacks_left = 0;
        }
        if now.attacks_left == 0 {
            now.at = 0;
        }
        now
    }
}

impl Combat for AttacksWithFullCards {
    type State = FullCardAttackState;
    type Outcome = AttackOutcome;

    fn initial_state(&self) -> FullCardAttackState {
        let mut cards = [None; MAX_ATTACK_TARGETS];
        for (place, card) in cards.iter_mut().zip(&self.attack.before) {
            *place = Some(*card);
        }
        let left = self.attack.shots;
        self.advance_to_next_die(FullCardAttackState {
            attacks_left: left,
            hit: false,
            hits: 0,
            killed_by: 0,
            at: 0,
            cards,
        })
    }

    fn play_one_step(
        &self,
        mut now: FullCardAttackState,
        dice: &mut impl Dice,
    ) -> FullCardAttackState {
        let Some(target) = now.card_of_current_target() else { return now };
        if now.hit {
            now.hit = false;
            let card = self.attack.marks.roll_cell_and_mark(target, self.attack.damage, dice);
            now.cards[usize::from(now.at)] = Some(card);
            if self.attack.target_count() == 1
                && target.can_trooper_act()
                && !card.can_trooper_act()
            {
                // Only a contest of a single target reports this number.
                now.killed_by = self.attack.shots - now.attacks_left;
            }
        } else {
            now.attacks_left -= 1;
            now.hit = self.attack.aim.roll_to_hit(dice);
            now.hits += u8::from(now.hit);
            if now.hit {
                return now;
            }
        }
        if self.in_turn {
            now.at = (now.at + 1) % self.attack.target_count();
        }
        self.advance_to_next_die(now)
    }

    fn outcome_if_over(&self, now: &FullCardAttackState) -> Option<AttackOutcome> {
        let cards = now.cards_of_all_targets();
        let hp = if cards.len() == 1 { cards[0].remaining_hp() } else { 0 };
        let all = FinishedTargetTally::default().with_targets_of_cards(&cards);
        let over = !now.hit && now.attacks_left == 0;
        over.then(|| self.attack.outcome_after_hits(now.hits, all, hp, now.killed_by))
    }

    fn field_changes(&self, now: &FullCardAttackState) -> Vec<FieldChange> {
        vec![change_of_marks_field(
            "struck",
            &now.cards_of_all_targets(),
            &self.attack.fresh,
            &self.attack.unit,
        )]
    }

    fn vocabulary(&self) -> OutcomeVocabulary<AttackOutcome> {
        self.attack.attack_vocabulary()
    }

    fn explain_step(
        &self,
        from: &FullCardAttackState,
        rolls: &[RolledDie],
        to: &FullCardAttackState,
    ) -> CombatStepExplanation {
        self.attack.explain_attack_step(
            from.card_of_current_target().filter(|_| from.hit),
            rolls,
            to.hit,
        )
    }
}
