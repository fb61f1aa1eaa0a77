//! The fall of a piece of scenery: on units around it, then on those inside.
//!
//! Source: quick reference, SCENERY (Destructible). No more shots are fired, and tokens are gone.

use super::super::squad::Squad;
use super::super::volley::{Stage, Volley};
use super::state::{Fall, MAX_INSIDE, Next, Site, State, place};
use enfilade_model::dice::Dice;

impl Fall {
    /// Describes the die.
    pub fn told(self, rubble_once: bool) -> &'static str {
        match self {
            Fall::Reach => "The piece falls, D3",
            Fall::Around { .. } => "Die for a unit around it",
            Fall::Rubble { .. } if rubble_once => "Hits on every squad inside, 2D3",
            Fall::Rubble { .. } => "Hits on a squad inside, 2D3",
            Fall::Crushed { .. } => "Die for the squad inside",
        }
    }
}

impl Site {
    /// Destructible: "Roll 1D3. Units within that many inches take that many automatic hits."
    pub(super) fn fall(&self, mut state: State, fall: Fall, dice: &mut impl Dice) -> State {
        match fall {
            Fall::Reach => {
                state.radius = dice.die(3);
                let around = self.around.as_ref();
                state.around = around.map_or(0, |around| around.within[place(state.radius)]);
                self.next_around(state)
            }
            Fall::Around { volley } => self.around_hit(state, volley, dice),
            Fall::Rubble { squad } => {
                let hits = dice.die(3) + dice.die(3);
                self.crush(state, squad, hits)
            }
            Fall::Crushed { squad, hits, volley } => {
                let place = usize::from(squad);
                let volley = self.inside[place].fall.step(volley, dice);
                state.inside[place] = volley.squad;
                state.next = Next::Fall(Fall::Crushed { squad, hits, volley });
                match volley.stage {
                    Stage::Over => self.next_inside(state, squad + 1, hits),
                    _ => state,
                }
            }
        }
    }

    /// Destructible: "Energy value equal to scenery piece's Armour": the dice of the fall contain
    /// it.
    fn around_hit(&self, mut state: State, volley: Volley, dice: &mut impl Dice) -> State {
        // Without units around there is nothing to hit.
        let Some(around) = &self.around else { return state };
        let volley = around.fall.step(volley, dice);
        if volley.stage != Stage::Over {
            state.next = Next::Fall(Fall::Around { volley });
            return state;
        }
        state.around_damage += u16::from(around.points) - volley.squad.points();
        state.around_destroyed += u8::from(volley.squad.alive() == 0);
        self.next_around(state)
    }

    /// Destructible: "If unit in destroyed Garrison, they take 2D3 hits instead."
    fn crush(&self, mut state: State, squad: u8, hits: u8) -> State {
        let place = usize::from(squad);
        let volley = self.inside[place].fall.open(hits.into(), state.inside[place]);
        // Forgotten where each squad rolls its own, so that fewer states differ.
        let kept = if self.rubble_once { hits } else { 0 };
        state.next = Next::Fall(Fall::Crushed { squad, hits: kept, volley });
        state
    }
}

/// Transitions between the units that are hit.
impl Site {
    fn next_around(&self, mut state: State) -> State {
        let Some(around) = self.around.as_ref().filter(|_| state.around > 0) else {
            return self.next_inside(state, 0, 0);
        };
        state.around -= 1;
        let alone = Squad::fresh(1, around.points);
        let volley = around.fall.open(state.radius.into(), alone);
        state.next = Next::Fall(Fall::Around { volley });
        state
    }

    /// Moves on to the squads inside from `from`: with `hits` each, or 0 where they are to be
    /// rolled.
    fn next_inside(&self, mut state: State, from: u8, hits: u8) -> State {
        let mut squads = from..MAX_INSIDE as u8;
        let alive = squads.find(|&squad| state.inside[usize::from(squad)].alive() > 0);
        match (alive, hits) {
            (None, _) => state.next = Next::Over,
            (Some(squad), 0) => state.next = Next::Fall(Fall::Rubble { squad }),
            (Some(squad), hits) => return self.crush(state, squad, hits),
        }
        state
    }
}
