//! `demolish` and `collateral`: scenery that is shot at, burns and falls, with the units inside and
//! around.
//!
//! Source: quick reference, SCENERY (Destructible, Flammable) and COLLATERAL DAMAGE. Shots at a
//! piece hit on 2+; a Critical does plain damage and leaves a token, Flame leaves another on
//! flammable pieces. Each token is one automatic hit on the piece and on a random squad inside, at
//! once when the piece is occupied and again in every Round Up; a token that does no damage is
//! removed. When the piece falls, a D3 is both the radius and the hits on units around it, and
//! squads inside take 2D3 hits, all with the energy of the piece's armour. Places of units and
//! fleeing are not modelled. Each of the three parts is a separate state machine: `shots`,
//! `tokens`, `fall`.
//!
//! # Why this state is enough
//!
//! Tokens are equal, so their number is enough, and so are hits that Focus gathers; models are
//! equal, so each squad inside is the multiset of its points; units around are equal and single, so
//! only the number still to be hit and the total loss of the others matter. One die a step.

mod scenery_fall;
mod shots;
mod state;
mod tokens;

use enfilade_model::combat::{Combat, CombatStepExplanation, OutcomeVocabulary};
use enfilade_model::dice::{Dice, RolledDie};

use super::site_outcome::{self, SceneryOutcome};
use super::squad::DamagePointsLeftByModel;
pub use state::{BystanderGroup, MAX_SQUADS_INSIDE, SceneryPieceUnderFire, SquadInsideHitVolleys};
use state::{NextSceneryDie, SceneryState};

impl Combat for SceneryPieceUnderFire {
    type State = SceneryState;
    type Outcome = SceneryOutcome;

    fn initial_state(&self) -> SceneryState {
        let mut inside = [DamagePointsLeftByModel::from_unhurt_models(0, 0); MAX_SQUADS_INSIDE];
        for (place, squad) in inside.iter_mut().zip(&self.inside) {
            *place = squad.fresh;
        }
        let dice =
            self.attack.as_ref().map(|attack| attack.hit_dice_and_automatic_hits(self.shots));
        let (shots, waiting) = dice.unwrap_or_default();
        let state = SceneryState {
            next: NextSceneryDie::Over,
            shots,
            waiting,
            round_ups: self.round_ups,
            damage_left: self.points,
            tokens: self.tokens,
            due: 0,
            radius: 0,
            inside,
            around: 0,
            around_damage: 0,
            around_destroyed: 0,
        };
        let placed = if self.just_placed { self.add_collateral_tokens(state, 0) } else { state };
        self.advance_to_next_die(placed)
    }

    fn play_one_step(&self, state: SceneryState, dice: &mut impl Dice) -> SceneryState {
        match state.next {
            NextSceneryDie::Shot(shot) => self.roll_shot_at_scenery(state, shot, dice),
            NextSceneryDie::Token(token) => self.roll_next_token_die(state, token, dice),
            NextSceneryDie::Fall(fall) => self.roll_next_fall_die(state, fall, dice),
            NextSceneryDie::Over => state,
        }
    }

    fn outcome_if_over(&self, state: &SceneryState) -> Option<SceneryOutcome> {
        if state.next != NextSceneryDie::Over {
            return None;
        }
        let sum = |squads: &mut dyn Iterator<Item = DamagePointsLeftByModel>| {
            squads.fold((0, 0), |(points, alive), squad| {
                (points + squad.total_points(), alive + squad.living_model_count())
            })
        };
        let before = sum(&mut self.inside.iter().map(|inside| inside.fresh));
        let after = sum(&mut state.inside.into_iter());
        Some(SceneryOutcome {
            damage: self.points - state.damage_left,
            destroyed: state.damage_left == 0,
            tokens: state.tokens,
            radius: state.radius,
            inside_damage: before.0 - after.0,
            inside_destroyed: (before.1 - after.1) as u8,
            inside_wiped: before.1 > 0 && after.1 == 0,
            around_damage: state.around_damage,
            around_destroyed: state.around_destroyed,
        })
    }

    fn vocabulary(&self) -> OutcomeVocabulary<SceneryOutcome> {
        OutcomeVocabulary {
            fields: site_outcome::site_outcome_fields(),
            measures: site_outcome::site_outcome_measures(),
        }
    }

    fn explain_step(
        &self,
        from: &SceneryState,
        rolls: &[RolledDie],
        to: &SceneryState,
    ) -> CombatStepExplanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face.to_string()).collect();
        let faces = faces.join(", ");
        let (rule, what) = match from.next {
            NextSceneryDie::Shot(shot) => ("Scenery", shot.describe_shot_die()),
            NextSceneryDie::Token(token) => {
                ("Collateral Damage", token.describe_die_of_damage_token().into())
            }
            NextSceneryDie::Fall(fall) => {
                ("Destructible", fall.describe_fall_die(self.rubble_once).into())
            }
            NextSceneryDie::Over => ("Scenery", "It is over".into()),
        };
        let points = |state: &SceneryState| {
            state.inside.iter().map(DamagePointsLeftByModel::total_points).sum::<u16>()
        };
        let text = format!(
            "{what} {faces}: the piece has {} points and {} tokens, those inside {} points.",
            to.damage_left,
            to.tokens,
            points(to)
        );
        CombatStepExplanation::new(rule, text)
    }
}
