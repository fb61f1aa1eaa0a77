//! State machine of a duel: the order of fire, and the effects of hits.
//!
//! # Why this state is enough
//!
//! Troopers are equal except for their wounds, so the squad is a sorted row of wound classes (see
//! `wound_classes.rs`: a card's answers from now on, not its marks). While the gun attacks them one
//! by one, the finished and the remaining ones are each sorted: the remaining because the most
//! wounded move first, the finished because they have to be sorted for the next activation anyway.
//! Of the crew the serving man has a class, the others are unhurt and counted. Under the five
//! crewed weapons an unarmoured trooper has three classes beside "gone", so eight of them are 165
//! rows instead of 2⁸⁰ cards. An attack that cannot hit is skipped, and a cell that cannot matter
//! is not rolled.

use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, CombatStepExplanation, FieldChange};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::static_or_shared::Text;

use super::super::aim::{TargetNumber, change_of_marks_field};
use super::super::hit_card::HitCard;
use super::super::unit_card::UnitCard;
use super::super::wound_classes::{OUT_OF_ACTION_CLASS, WoundClasses};

/// Largest number of troopers in the squad.
pub const MAX_SQUAD_TROOPERS: usize = 12;

/// Duel with its numbers.
pub struct SquadVersusCrewedWeapon {
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
    pub squad: WoundClasses,
    /// Wound classes of the man who serves the weapon.
    pub gunner: WoundClasses,
    /// Target numbers of the gun, by move, then by the class of the man who serves it.
    pub gun: Vec<Vec<TargetNumber>>,
    /// Target numbers of an answer, by move, then by the class of the shooter.
    pub answer: Vec<Vec<TargetNumber>>,
    /// Cards and distances for the changed fields, if they are reported.
    pub survivors: Option<UnmarkedCardsOfSides>,
}

/// Unmarked cards of both sides, and the distance of the squad from the weapon.
pub struct UnmarkedCardsOfSides {
    /// Card of the squad.
    pub squad: (HitCard, UnitCard),
    /// Card of the man who serves the weapon.
    pub gunner: (HitCard, UnitCard),
    /// Dots to the weapon.
    pub range: i64,
}

/// State of the duel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquadVsCrewDuelState {
    /// Activation, from 0.
    turn: u8,
    phase: DuelPhase,
    /// Wound classes; those finished in this phase first, each part sorted, the most wounded first.
    /// Troopers that a hit newly wounds then join the finished ones, and fewer rows differ.
    squad: [u8; MAX_SQUAD_TROOPERS],
    /// Trooper who is attacked, or who attacks.
    cursor: u8,
    /// Attacks made on this trooper, or by them, in this phase.
    attacks_made: u8,
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
const ARBITRARY_DICE_SUM: u8 = 7;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum DuelPhase {
    Gun,
    Answer,
    Over,
}

impl SquadVsCrewDuelState {
    fn count_squad_in_action(&self) -> usize {
        self.squad.iter().filter(|&&class| class != OUT_OF_ACTION_CLASS).count()
    }

    fn crew_in_action(&self) -> u8 {
        self.reserve + u8::from(self.gunner != OUT_OF_ACTION_CLASS)
    }

    fn wound_class_at_cursor(&self) -> u8 {
        self.squad.get(usize::from(self.cursor)).copied().unwrap_or(OUT_OF_ACTION_CLASS)
    }
}

impl SquadVersusCrewedWeapon {
    /// Finds the next attack: skips finished troopers, phases and activations.
    fn advance_to_next_die(&self, mut now: SquadVsCrewDuelState) -> SquadVsCrewDuelState {
        loop {
            if now.count_squad_in_action() == 0
                || now.crew_in_action() == 0
                || now.turn == self.moves
            {
                now.phase = DuelPhase::Over;
                return now;
            }
            let attacks = match now.phase {
                DuelPhase::Gun if now.silent > 0 => 0,
                DuelPhase::Gun => self.attacks,
                DuelPhase::Answer => self.answers,
                DuelPhase::Over => return now,
            };
            let due =
                now.wound_class_at_cursor() != OUT_OF_ACTION_CLASS && now.attacks_made < attacks;
            // An attack that cannot hit would be a step without a consequence.
            if due && self.current_target_number(&now).can_hit_with_any_roll() {
                return now;
            }
            now = self.after_trooper_acts(now, attacks == 0);
        }
    }

    /// Movement Fire: "Movement fire attacks are resolved after any incoming attacks".
    ///
    /// Returns the state after a trooper is finished in this phase, or all are because the phase is
    /// `idle`. Movement Fire: a trooper's own fire comes after the attacks on their move.
    fn after_trooper_acts(&self, now: SquadVsCrewDuelState, idle: bool) -> SquadVsCrewDuelState {
        let is_last_trooper = usize::from(now.cursor) >= MAX_SQUAD_TROOPERS;
        match now.phase {
            DuelPhase::Gun if self.man_by_man && !is_last_trooper => {
                SquadVsCrewDuelState { phase: DuelPhase::Answer, attacks_made: 0, ..now }
            }
            DuelPhase::Answer if self.man_by_man && !is_last_trooper => {
                SquadVsCrewDuelState { phase: DuelPhase::Gun, ..self.finish_current_trooper(now) }
            }
            _ if self.man_by_man => self.start_next_turn(now),
            _ if !is_last_trooper && !idle => self.finish_current_trooper(now),
            DuelPhase::Gun => {
                SquadVsCrewDuelState { phase: DuelPhase::Answer, ..self.sort_squad_by_wounds(now) }
            }
            _ => self.start_next_turn(now),
        }
    }

    fn start_next_turn(&self, now: SquadVsCrewDuelState) -> SquadVsCrewDuelState {
        SquadVsCrewDuelState {
            turn: now.turn + 1,
            phase: DuelPhase::Gun,
            silent: now.silent.saturating_sub(1),
            ..self.sort_squad_by_wounds(now)
        }
    }

    /// Sorts the squad in the order in which it acts, the most wounded first.
    fn sort_squad_by_wounds(&self, mut now: SquadVsCrewDuelState) -> SquadVsCrewDuelState {
        now.squad.sort_unstable_by(|a, b| b.cmp(a));
        now.cursor = (MAX_SQUAD_TROOPERS - now.count_squad_in_action()) as u8;
        now.attacks_made = 0;
        now
    }

    /// Moves the finished trooper to the others.
    fn finish_current_trooper(&self, mut now: SquadVsCrewDuelState) -> SquadVsCrewDuelState {
        now.squad[..=usize::from(now.cursor)].sort_unstable_by(|a, b| b.cmp(a));
        now.cursor += 1;
        now.attacks_made = 0;
        now
    }

    /// Returns the number of troopers in action at the start.
    fn initial_troopers_in_action(&self) -> u8 {
        self.troopers.iter().filter(|&&class| class != OUT_OF_ACTION_CLASS).count() as u8
    }

    fn current_target_number(&self, now: &SquadVsCrewDuelState) -> &TargetNumber {
        let turn = usize::from(now.turn);
        match now.phase {
            DuelPhase::Gun => &self.gun[turn][usize::from(now.gunner)],
            _ => &self.answer[turn][usize::from(now.wound_class_at_cursor())],
        }
    }

    /// Returns whether a hit has the same consequence at every cell, so that the cell is not
    /// rolled.
    fn is_cell_irrelevant(&self, now: &SquadVsCrewDuelState) -> bool {
        match now.phase {
            DuelPhase::Gun => self.squad.is_hit_cell_irrelevant(now.wound_class_at_cursor()),
            _ => self.gunner.is_hit_cell_irrelevant(now.gunner),
        }
    }

    /// Crewed Weapons: "To take over a crew served weapon, a trooper must move onto the dot with
    /// the weapon and spend 6 AP."
    fn apply_hit_to_current(&self, mut now: SquadVsCrewDuelState, sum: u8) -> SquadVsCrewDuelState {
        if now.phase == DuelPhase::Gun {
            let place = usize::from(now.cursor);
            now.squad[place] = self.squad.class_after_hit_with_sum(now.squad[place], sum);
            return now;
        }
        now.gunner = self.gunner.class_after_hit_with_sum(now.gunner, sum);
        if now.gunner == OUT_OF_ACTION_CLASS && now.reserve > 0 {
            (now.gunner, now.reserve) = (self.fresh, now.reserve - 1);
            // The new gunner needs the take-over even where the weapon was already silent.
            now.silent = self.take_over;
        }
        now
    }
}

/// Both sides at the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquadVsCrewDuelOutcome {
    troopers: u8,
    crew: u8,
    last_activation: u8,
    lost: u8,
}

impl Combat for SquadVersusCrewedWeapon {
    type State = SquadVsCrewDuelState;
    type Outcome = SquadVsCrewDuelOutcome;

    fn initial_state(&self) -> SquadVsCrewDuelState {
        let mut squad = [OUT_OF_ACTION_CLASS; MAX_SQUAD_TROOPERS];
        squad[..self.troopers.len()].copy_from_slice(&self.troopers);
        // A serving man out of action has been relieved.
        let relieved = u8::from(self.serves == OUT_OF_ACTION_CLASS && self.crew > 1);
        let first = self.sort_squad_by_wounds(SquadVsCrewDuelState {
            turn: 0,
            phase: DuelPhase::Gun,
            squad,
            cursor: 0,
            attacks_made: 0,
            hit: false,
            gunner: if relieved > 0 { self.fresh } else { self.serves },
            reserve: self.crew - 1 - relieved,
            silent: self.silent,
        });
        self.advance_to_next_die(first)
    }

    fn play_one_step(
        &self,
        mut now: SquadVsCrewDuelState,
        dice: &mut impl Dice,
    ) -> SquadVsCrewDuelState {
        if now.hit {
            now.hit = false;
            let sum = dice.sum(2, 6) as u8;
            return self.advance_to_next_die(self.apply_hit_to_current(now, sum));
        }
        let hit = self.current_target_number(&now).roll_to_hit(dice);
        now.attacks_made += 1;
        match (hit, self.is_cell_irrelevant(&now)) {
            (false, _) => self.advance_to_next_die(now),
            (true, true) => {
                self.advance_to_next_die(self.apply_hit_to_current(now, ARBITRARY_DICE_SUM))
            }
            (true, false) => SquadVsCrewDuelState { hit, ..now },
        }
    }

    /// Orders states by attack, with hits before their consequences.
    fn progress(&self, now: &SquadVsCrewDuelState) -> u32 {
        let [turn, cursor, attacks] = [now.turn, now.cursor, now.attacks_made].map(u32::from);
        let answers = u32::from(now.phase == DuelPhase::Answer);
        let troopers = MAX_SQUAD_TROOPERS as u32 + 1;
        let attack = match self.man_by_man {
            true => (turn * troopers + cursor) * 2 + answers,
            false => (turn * 2 + answers) * troopers + cursor,
        };
        attack * 16 + attacks * 2 + u32::from(!now.hit)
    }

    fn outcome_if_over(&self, now: &SquadVsCrewDuelState) -> Option<SquadVsCrewDuelOutcome> {
        let troopers = now.count_squad_in_action() as u8;
        let wiped = troopers == 0 || now.crew_in_action() == 0;
        (now.phase == DuelPhase::Over && !now.hit).then_some(SquadVsCrewDuelOutcome {
            troopers,
            crew: now.crew_in_action(),
            last_activation: if wiped { now.turn + 1 } else { 0 },
            lost: self.initial_troopers_in_action() - troopers,
        })
    }

    /// Returns the changed fields. Troopers out of action or dead are left out; the others are
    /// listed in the order of their wounds.
    fn field_changes(&self, now: &SquadVsCrewDuelState) -> Vec<FieldChange> {
        let Some(survivors) = &self.survivors else { return Vec::new() };
        let number = |name, number: u8| {
            FieldChange::Is(Text::Static(name), if number > 0 { number.into() } else { -1 })
        };
        let marks = |field, (fresh, unit): &(HitCard, UnitCard), cards: Vec<HitCard>| {
            change_of_marks_field(field, &cards, &vec![*fresh; cards.len()], unit)
        };
        let mut squad = now.squad;
        squad.sort_unstable();
        let men = squad.iter().filter_map(|class| self.squad.first_card_of_class(*class)).collect();
        let gunner = self.gunner.first_card_of_class(now.gunner).into_iter().collect();
        vec![
            number("troopers", now.count_squad_in_action() as u8),
            marks("struck", &survivors.squad, men),
            number("crew", now.crew_in_action()),
            marks("gunner_struck", &survivors.gunner, gunner),
            FieldChange::Is(Text::Static("silent"), now.silent.into()),
            FieldChange::Is(Text::Static("set_up_first"), 0),
            FieldChange::Is(Text::Static("range"), survivors.range as i32),
        ]
    }

    vocabulary! { o: SquadVsCrewDuelOutcome;
        columns {
            /// troopers in action
            troopers_left = count(o.troopers).label("troopers left").unit("troopers")
                .rule("Crewed Weapons");
            /// crew in action
            crew_left = count(o.crew).label("crew left").unit("troopers").rule("Crewed Weapons");
            /// the activation in which a side was gone; 0: neither
            ended = count(o.last_activation).label("activation in which a side was gone")
                .rule("Crewed Weapons");
        }
        measures {
            /// the crew is not gone
            p_gun_holds = probability(o.crew > 0).label("crew holds").with_headline_role();
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

    fn explain_step(
        &self,
        from: &SquadVsCrewDuelState,
        rolls: &[RolledDie],
        to: &SquadVsCrewDuelState,
    ) -> CombatStepExplanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        let who = match from.phase {
            DuelPhase::Gun => "the weapon fires at a trooper",
            _ => "a trooper fires at the crew",
        };
        let what = if from.hit {
            format!("the hit is at 2d6 {faces:?} = {sum}")
        } else {
            let aim = self.current_target_number(from);
            let needed = aim.needed.map_or("–".into(), |needed| needed.to_string());
            let result = if aim.is_sum_hit(sum) { "a hit" } else { "a miss" };
            format!("2d6 {faces:?} = {sum} against {needed} ({}): {result}", aim.sum)
        };
        let left = format!(
            "{} troopers and {} crew in action",
            to.count_squad_in_action(),
            to.crew_in_action()
        );
        CombatStepExplanation::new(
            "Crewed Weapons",
            format!("Activation {}, {who}: {what}; {left}.", from.turn + 1),
        )
    }
}
