//! Decisions in loops without a bound: values computed by fractions and by value iteration outside
//! the program.

use crate::games::{Game, State};
use enfilade_engine::exact::{solve_graph_distribution, solve_integer_weights};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::{
    AnyCombat, Combat, Decision, MeanDirection, OutcomeField, OutcomeVocabulary,
};
use enfilade_model::dice::{Dice, ScriptedDice};

/// Game with decisions about its result, or about 1 less the result.
#[derive(Clone, Copy)]
pub struct Decided {
    pub game: Game,
    pub decisions: fn() -> Vec<Decision>,
}

impl Combat for Decided {
    type State = State;
    type Outcome = i32;

    fn initial_state(&self) -> State {
        self.game.initial_state()
    }

    fn play_one_step(&self, state: State, dice: &mut impl Dice) -> State {
        self.game.play_one_step(state, dice)
    }

    fn outcome_if_over(&self, state: &State) -> Option<i32> {
        self.game.outcome_if_over(state)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<i32> {
        let end = OutcomeField::new("end", "how it ended", |end: &i32| *end);
        let lost = OutcomeField::new("lost", "one less that", |end: &i32| 1 - *end);
        let odd = OutcomeField::new("odd", "whether it is odd", |end: &i32| *end % 2);
        OutcomeVocabulary { fields: vec![end, lost, odd], measures: vec![] }
    }

    fn decisions(&self) -> Vec<Decision> {
        (self.decisions)()
    }
}

impl Decided {
    fn compiled(self) -> Result<(AnyCombat, DieGraph), String> {
        let combat = AnyCombat::new(self);
        let graph = DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
            .map_err(|why| why.to_string())?;
        Ok((combat, graph))
    }

    /// Returns the mean result, as a number and as a fraction.
    fn value(self) -> (f64, String) {
        let (_, graph) = self.compiled().expect("it is solved");
        let law = solve_graph_distribution(&graph);
        assert_eq!((law.never, law.unsettled), (0.0, 0.0));
        let ends = graph.endings().iter().map(|ending| ending.fields[0]);
        let mean = ends.clone().zip(&law.probabilities).map(|(end, p)| f64::from(end) * p).sum();
        let told = solve_integer_weights(&graph).map_or(String::new(), |weights| {
            let parts = ends.zip(&weights.numerators);
            let sum = parts.map(|(end, ways)| dashu_int::IBig::from(end) * ways).sum();
            let figure = enfilade_engine::exact::measure_fraction::FractionOrRoot::from_fraction;
            figure(sum, weights.denominator).to_string()
        });
        (mean, told)
    }

    /// Returns the decisions in a state, from 1: read by playing on from there.
    fn taken(self, state: State) -> String {
        let (combat, _) = self.compiled().expect("it is solved");
        drop(combat);
        let game = Game { open: state, ..self.game };
        let (combat, _) = Decided { game, ..self }.compiled().expect("it is solved");
        let mut taken = String::new();
        combat.play_with_step_listener(&mut ScriptedDice::new(&[2; 9]), &mut |_, telling| {
            taken = telling.decided.first().map_or(String::new(), |one| one.option.to_string());
            false
        });
        taken
    }
}

pub fn choice(options: [&'static str; 2], goal: &'static str, best: MeanDirection) -> Decision {
    let [first, second] = options;
    Decision::new("what", goal, best).with_option(first).with_option(second)
}

/// Returning home ends with the load. A dive rolls d8: on 1 half the load is left and a boat is
/// lost, with the last the game is over; 2 to 7 are added, and 8 brings a boat back.
pub fn salvage(boats: i16, most: i16) -> Decided {
    Decided {
        game: Game {
            open: [0, boats, 0, 0],
            numbers: [boats, most],
            step: |[all, most], [load, boats, ..], dice| {
                if dice.choose(0, 2) == 1 {
                    return [load, boats, 0, 1];
                }
                match i16::from(dice.die(8)) {
                    1 => [load / 2, boats - 1, 0, i16::from(boats == 1)],
                    8 => [load, all.min(boats + 1), 0, 0],
                    face => [most.min(load + face), boats, 0, 0],
                }
            },
            over: |_, [load, _, _, over]| (over == 1).then_some(load.into()),
        },
        decisions: || vec![choice(["home", "dive"], "end", MeanDirection::Highest)],
    }
}

#[test]
fn salvage_by_one() {
    let (mean, told) = salvage(1, 12).value();
    assert_eq!(told, "137168/16807");
    assert!((mean - 137_168.0 / 16_807.0).abs() < 1e-13);
    assert_eq!(salvage(1, 12).taken([10, 1, 0, 0]), "dive");
    assert_eq!(salvage(1, 12).taken([11, 1, 0, 0]), "home");
}

#[test]
fn salvage_by_three() {
    let (mean, _) = salvage(3, 40).value();
    assert!((mean - 32.469_323_244_940_24).abs() < 1e-12, "{mean}");
    for (boats, bound) in [(1, 37), (2, 39), (3, 39)] {
        assert_eq!(salvage(3, 40).taken([bound - 1, boats, 0, 0]), "dive", "{boats}");
        assert_eq!(salvage(3, 40).taken([bound, boats, 0, 0]), "home", "{boats}");
    }
}

/// Two players in turn: a d4 adds to the turn, 1 loses it; passing banks it, even an empty turn, so
/// that both could pass for ever.
pub fn race(to: i16, decisions: fn() -> Vec<Decision>) -> Decided {
    Decided {
        game: Game {
            open: [0; 4],
            numbers: [to, 0],
            step: |_, [mine, theirs, turn, whose], dice| {
                if dice.choose(whose as u8, 2) == 2 {
                    return [theirs, mine + turn, 0, 1 - whose];
                }
                match i16::from(dice.die(4)) {
                    1 => [theirs, mine, 0, 1 - whose],
                    face => [mine, theirs, turn + face, whose],
                }
            },
            over: |[to, _], [mine, theirs, turn, whose]| {
                let own = mine + turn >= to || theirs >= to;
                let first = (mine + turn >= to) == (whose == 0);
                own.then_some(first.into())
            },
        },
        decisions,
    }
}

pub fn one_goal() -> Vec<Decision> {
    let who = |best| choice(["roll", "pass"], "end", best);
    vec![who(MeanDirection::Highest), who(MeanDirection::Lowest)]
}

pub fn two_shows() -> Vec<Decision> {
    let who = |goal| choice(["roll", "pass"], goal, MeanDirection::Highest);
    vec![who("end"), who("lost")]
}

#[test]
fn a_race_of_two() {
    for decisions in [one_goal as fn() -> Vec<Decision>, two_shows] {
        assert_eq!(race(3, decisions).value().1, "16/21");
        assert_eq!(race(6, decisions).value().1, "64/95");
        let (won, _) = race(10, decisions).value();
        assert!((won - 0.606_275_902_901).abs() < 1e-12, "{won}");
    }
}

/// One player may wait for ever at no cost, and leave by one door for 3 or by another for 5.
#[test]
fn who_may_wait_takes_the_better_door() {
    let doors = Decided {
        game: Game {
            open: [0; 4],
            numbers: [0; 2],
            step: |_, [room, ..], dice| match (room, dice.choose((room % 2) as u8, 2)) {
                (0, 1) => [3, 0, 0, 0],
                (0, _) => [1, 0, 0, 0],
                (_, 1) => [0, 0, 0, 0],
                _ => [5, 0, 0, 0],
            },
            over: |_, [room, ..]| (room > 1).then_some(room.into()),
        },
        decisions: || {
            let doors = |options| choice(options, "end", MeanDirection::Highest);
            vec![doors(["out", "on"]), doors(["back", "out"])]
        },
    };
    assert_eq!(doors.value().1, "5/1");
}

/// Both players lose by leaving, so that the result depends on the worth of waiting for ever:
/// refused, with the two values between which it lies.
#[test]
fn what_hangs_on_a_game_without_end_is_refused() {
    let duel = |decisions| Decided {
        game: Game {
            open: [0; 4],
            numbers: [0; 2],
            step: |_, [whose, ..], dice| match dice.choose(whose as u8, 2) {
                1 => [1 - whose, 0, 0, 0],
                _ => [2 + whose, 0, 0, 0],
            },
            over: |_, [at, ..]| (at > 1).then_some((at == 3).into()),
        },
        decisions,
    };
    let told = duel(|| {
        vec![
            choice(["wait", "leave"], "end", MeanDirection::Highest),
            choice(["wait", "leave"], "end", MeanDirection::Lowest),
        ]
    });
    let why = told.compiled().expect_err("it is refused");
    assert!(
        why.contains("depends on the worth of a game without end: between 0.0000 and 1.0000"),
        "{why}"
    );
    assert!(why.contains("add a cost of waiting"), "{why}");
    let two = duel(|| {
        vec![
            choice(["wait", "leave"], "end", MeanDirection::Highest),
            choice(["wait", "leave"], "odd", MeanDirection::Highest),
        ]
    });
    // Here end and odd are not opposed, and not the same.
    let why = two.compiled().expect_err("it is refused");
    assert!(why.contains("have different goals"), "{why}");
}

/// One player wants the load, the other wants it odd.
#[test]
fn two_goals_in_one_loop_are_refused() {
    let mixed = Decided {
        decisions: || {
            vec![
                choice(["home", "dive"], "end", MeanDirection::Highest),
                choice(["home", "dive"], "odd", MeanDirection::Lowest),
            ]
        },
        game: Game {
            step: |[_, most], [load, boats, turn, _], dice| {
                if dice.choose(turn as u8, 2) == 1 {
                    return [load, boats, turn, 1];
                }
                let face = i16::from(dice.die(8));
                [if face == 1 { load / 2 } else { most.min(load + face) }, boats, 1 - turn, 0]
            },
            ..salvage(1, 12).game
        },
    };
    let why = mixed.compiled().expect_err("it is refused");
    let sentence = "the decisions of a loop that may never end have different goals: `end` (what) and `odd` (what)";
    assert!(why.contains(sentence) && why.contains("for round in 1..60:"), "{why}");
}
