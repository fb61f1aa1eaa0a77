//! Rules without a meaning: a maze of dice, decisions and tallies, drawn at random, and what
//! follows from it reckoned place by place. Nothing here knows the die graph.

use std::collections::BTreeMap;

use enfilade_model::combat::{
    AnyCombat, Combat, Decision, MeanDirection, Measure, OutcomeField, OutcomeVocabulary,
};
use enfilade_model::dice::Dice;
use proptest::test_runner::TestRng;
use rand::Rng;

/// What is met at a place.
#[derive(Clone, Debug)]
pub enum Met {
    /// A die: where each face leads.
    Die(Vec<usize>),
    /// A decision: its number, and where each option leads.
    Decision(u8, Vec<usize>),
    /// The end, with two numbers that somebody may care for.
    End([i32; 2]),
}

/// Places, each with what is tallied there. The way in is place 0.
#[derive(Clone, Debug)]
pub struct Maze {
    pub places: Vec<(Vec<(u8, i32)>, Met)>,
}

/// The decisions of every maze: two players with goals of their own, and one who loses what he can.
pub fn decisions() -> Vec<Decision> {
    let two = |name: &'static str, goal, best| {
        Decision::new(name, goal, best).with_option("left").with_option("right")
    };
    vec![
        two("attacker", "a", MeanDirection::Highest),
        two("defender", "a", MeanDirection::Lowest),
        two("loser", "b", MeanDirection::Lowest).with_option("back"),
    ]
}

impl Combat for Maze {
    type State = usize;
    type Outcome = [i32; 2];

    fn initial_state(&self) -> usize {
        0
    }

    /// Decisions one after the other, and then a die; or a decision alone.
    fn play_one_step(&self, mut place: usize, dice: &mut impl Dice) -> usize {
        let mut decided = false;
        loop {
            let (tallies, met) = &self.places[place];
            let leads = match met {
                Met::Decision(decision, options) => {
                    let option = dice.choose(*decision, options.len() as u8);
                    options[usize::from(option) - 1]
                }
                Met::Die(faces) => faces[usize::from(dice.die(faces.len() as u8)) - 1],
                Met::End(_) => return place,
            };
            for &(counter, amount) in tallies {
                dice.tally(counter, amount);
            }
            // Every other decision is followed by what comes next in the same step.
            if matches!(met, Met::Die(_)) || (decided && place.is_multiple_of(2)) {
                return leads;
            }
            (place, decided) = (leads, true);
        }
    }

    fn outcome_if_over(&self, place: &usize) -> Option<[i32; 2]> {
        match self.places[*place].1 {
            Met::End(numbers) => Some(numbers),
            _ => None,
        }
    }

    fn vocabulary(&self) -> OutcomeVocabulary<[i32; 2]> {
        OutcomeVocabulary {
            fields: vec![
                OutcomeField::new("a", "", |end: &[i32; 2]| end[0]),
                OutcomeField::new("b", "", |end| end[1]),
            ],
            measures: vec![
                Measure::mean("e_a", "", |end| end[0]),
                Measure::mean_of_tally("first", "", 0),
                Measure::mean_of_tally("second", "", 1),
            ],
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        decisions()
    }
}

impl Maze {
    /// The maze as the engines see it.
    pub fn combat(&self) -> AnyCombat {
        AnyCombat::new(self.clone())
    }

    /// A maze of `count` places. The ways lead on, but from `loops` on dice lead anywhere after
    /// that, and nobody decides.
    pub fn random(rng: &mut TestRng, count: usize, loops: usize) -> Maze {
        let mut below = |n: usize| rng.next_u32() as usize % n;
        let mut places = Vec::new();
        for place in 0..count {
            let tallies = (0..below(3)).map(|_| (below(3) as u8, below(7) as i32 - 2));
            let tallies = tallies.collect();
            let end = place + 3 >= count || (place > 2 && below(6) == 0);
            let met = match (end, below(3)) {
                (true, _) => Met::End([below(4) as i32, below(3) as i32 - 1]),
                (false, 0 | 1) if place < loops => {
                    let decision = below(3) as u8;
                    let options = 2 + usize::from(decision == 2);
                    let lead = |_| place + 1 + below((count - place - 1).min(5));
                    Met::Decision(decision, (0..options).map(lead).collect())
                }
                _ => {
                    let sides = 2 + below(5);
                    let first = if place < loops { place + 1 } else { loops };
                    let lead =
                        |_| first + below((count - first).min(5 + place.saturating_sub(first)));
                    Met::Die((0..sides).map(lead).collect())
                }
            };
            places.push((tallies, met));
        }
        Maze { places }
    }
}

/// A fraction in lowest terms.
pub type Part = (i128, i128);

fn lowest((above, below): Part) -> Part {
    let (mut a, mut b) = (above.abs(), below);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (above / a.max(1), below / a.max(1))
}

fn plus(a: Part, b: Part) -> Part {
    lowest((a.0 * b.1 + b.0 * a.1, a.1 * b.1))
}

fn over(a: Part, n: usize) -> Part {
    lowest((a.0, a.1 * n as i128))
}

/// What follows from a place: the means of both numbers and of both tallies, and the law of the
/// ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    pub means: [Part; 4],
    pub law: BTreeMap<[i32; 2], Part>,
}

/// What follows from every place of a maze without loops, from the last to the first, everybody
/// playing as well as he can.
pub fn reckoned(maze: &Maze) -> Vec<Worth> {
    let mut worth: Vec<Option<Worth>> = vec![None; maze.places.len()];
    for (place, (tallies, met)) in maze.places.iter().enumerate().rev() {
        let after = |next: &usize| worth[*next].clone().expect("the ways lead on");
        let mut here = match met {
            Met::End(end) => Worth {
                means: [(end[0].into(), 1), (end[1].into(), 1), (0, 1), (0, 1)],
                law: BTreeMap::from([(*end, (1, 1))]),
            },
            Met::Die(faces) => average(&faces.iter().map(after).collect::<Vec<_>>()),
            Met::Decision(decision, options) => {
                let options: Vec<Worth> = options.iter().map(after).collect();
                let goal = usize::from(*decision == 2);
                let sign = if *decision == 0 { -1 } else { 1 };
                // The least cost, and the first of the least.
                let cheaper = |a: &Worth, b: &Worth| {
                    let ((p, q), (r, s)) = (a.means[goal], b.means[goal]);
                    sign * p * s < sign * r * q
                };
                let first = options[0].clone();
                options.into_iter().fold(
                    first,
                    |best, next| {
                        if cheaper(&next, &best) { next } else { best }
                    },
                )
            }
        };
        if !matches!(met, Met::End(_)) {
            for &(counter, amount) in tallies.iter().filter(|(counter, _)| *counter < 2) {
                let mean = &mut here.means[2 + usize::from(counter)];
                *mean = plus(*mean, (amount.into(), 1));
            }
        }
        worth[place] = Some(here);
    }
    worth.into_iter().map(|worth| worth.expect("each was reckoned")).collect()
}

fn average(faces: &[Worth]) -> Worth {
    let mut sum = Worth { means: [(0, 1); 4], law: BTreeMap::new() };
    for face in faces {
        for (sum, mean) in sum.means.iter_mut().zip(face.means) {
            *sum = plus(*sum, over(mean, faces.len()));
        }
        for (end, part) in &face.law {
            let sum = sum.law.entry(*end).or_insert((0, 1));
            *sum = plus(*sum, over(*part, faces.len()));
        }
    }
    sum
}
