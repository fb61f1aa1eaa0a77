//! Small games without a bound, in a few lines each.

use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::{AnyCombat, Combat, Measure, OutcomeField, OutcomeVocabulary};
use enfilade_model::dice::Dice;

/// State between two dice.
pub type State = [i16; 4];

/// Game: its opening state, a step, and its ending: 1 is won.
#[derive(Clone, Copy)]
pub struct Game {
    pub open: State,
    pub numbers: [i16; 2],
    pub step: fn([i16; 2], State, &mut dyn Dice) -> State,
    pub over: fn([i16; 2], State) -> Option<i32>,
}

impl Combat for Game {
    type State = State;
    type Outcome = i32;

    fn initial_state(&self) -> State {
        self.open
    }

    fn play_one_step(&self, state: State, dice: &mut impl Dice) -> State {
        (self.step)(self.numbers, state, dice)
    }

    fn outcome_if_over(&self, state: &State) -> Option<i32> {
        (self.over)(self.numbers, *state)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<i32> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("end", "how it ended", |end| *end)],
            measures: vec![
                Measure::probability("won", "the first wins", |end| *end == 1),
                Measure::mean_of_tally("rounds", "rounds", 0),
                Measure::mean("end", "how it ended", |end| *end),
            ],
        }
    }
}

impl Game {
    pub fn combat(self) -> AnyCombat {
        AnyCombat::new(self)
    }

    pub fn graph(self) -> DieGraph {
        let limits = CompiledContestLimits {
            states: 1 << 22,
            nodes: 1 << 24,
            ..CompiledContestLimits::default()
        };
        DieGraph::compile_within_limits(&self.combat(), limits).expect("it fits")
    }
}

/// Builds a run of `wanted` highest faces in a row.
pub fn run(sides: u8, wanted: i16) -> Game {
    Game {
        open: [0; 4],
        numbers: [sides.into(), wanted],
        step: |[sides, _], [row, ..], dice| {
            dice.tally(0, 1);
            let highest = i16::from(dice.die(sides as u8)) == sides;
            [if highest { row + 1 } else { 0 }, 0, 0, 0]
        },
        over: |[_, wanted], [row, ..]| (row == wanted).then_some(1),
    }
}

/// Builds a front at distance `far` from either end: the higher of two d6 moves it forward; on a
/// tie the defender, if `ties_to_the_defender`.
pub fn front(far: i16, ties_to_the_defender: bool) -> Game {
    Game {
        open: [0; 4],
        numbers: [far, ties_to_the_defender.into()],
        step: |[_, ties], [at, ..], dice| {
            dice.tally(0, 1);
            let (first, second) = (dice.die(6), dice.die(6));
            let by = i16::from(first > second) - i16::from(first < second);
            [at + if by == 0 { -ties } else { by }, 0, 0, 0]
        },
        over: |[far, _], [at, ..]| (at.abs() == far).then_some((at > 0).into()),
    }
}

/// Builds a duel in turn: each side has `points`, and a shot takes one with one face of `one_in`.
pub fn duel(points: i16, one_in: i16) -> Game {
    Game {
        open: [points, points, 0, 0],
        numbers: [one_in, 0],
        step: |[one_in, _], [first, second, turn, _], dice| {
            if turn == 0 {
                dice.tally(0, 1);
            }
            let hit = i16::from(dice.die(one_in as u8) == 1);
            let hits = if turn == 0 { [0, hit] } else { [hit, 0] };
            [first - hits[0], second - hits[1], 1 - turn, 0]
        },
        over: |_, [first, second, ..]| (first * second == 0).then_some((first > 0).into()),
    }
}

/// Builds a duel in which both jam for ever on 1; 2 is lost, 3 and 4 are won, otherwise roll again.
pub fn jam() -> Game {
    Game {
        open: [0; 4],
        numbers: [0; 2],
        step: |_, [at, ..], dice| {
            if at == 1 {
                return [1, 0, 0, 0];
            }
            dice.tally(0, 1);
            [[1, 2, 3, 3, 0, 0][usize::from(dice.die(6)) - 1], 0, 0, 0]
        },
        over: |_, [at, ..]| (at > 1).then_some((at == 3).into()),
    }
}

/// Builds two trolls that strike in turn: 5 or 6 takes d3, and then each mends one on 4 to 6.
pub fn trolls(points: i16) -> Game {
    Game {
        open: [points, points, 0, 0],
        numbers: [points, 0],
        step: |[points, _], [mut first, mut second, at, _], dice| {
            let mends = |dice: &mut dyn Dice| i16::from(dice.die(6) >= 4);
            match at {
                0 => {
                    dice.tally(0, 1);
                    if dice.die(6) >= 5 {
                        second -= i16::from(dice.die(3));
                    }
                }
                1 => {
                    if dice.die(6) >= 5 {
                        first -= i16::from(dice.die(3));
                    }
                }
                2 => first = points.min(first + mends(dice)),
                _ => second = points.min(second + mends(dice)),
            }
            [first.max(0), second.max(0), (at + 1) % 4, 0]
        },
        over: |_, [first, second, ..]| (first * second == 0).then_some((first > 0).into()),
    }
}
