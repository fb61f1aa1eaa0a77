//! Random games, up to 40 vertices with shares down to one in a million, compared with fractions
//! that are computed here by substitution: with 1 − p, which the program never uses.

use std::collections::BTreeMap;

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::exact::measure_fraction::FractionOrRoot;
use enfilade_engine::exact::{solve_graph_distribution, solve_integer_weights};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::{AnyCombat, Combat, OutcomeField, OutcomeVocabulary};
use enfilade_model::dice::Dice;

/// Random numbers (a linear congruence, its high bits).
struct Lots(u64);

impl Lots {
    fn below(&mut self, n: u64) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 33) * n) >> 31) as usize
    }
}

/// Edges of a vertex: the number of d100 that must show 1 before the first target is taken, and
/// otherwise the targets of a die.
#[derive(Clone)]
struct Place {
    rare: u8,
    first: usize,
    sides: u8,
    others: Vec<(u8, usize)>,
}

/// Random graph; its last vertices are endings.
struct Maze {
    places: Vec<Place>,
}

const ENDINGS: usize = 3;

impl Combat for Maze {
    type State = (usize, u8);
    type Outcome = usize;

    fn initial_state(&self) -> (usize, u8) {
        (0, 0)
    }

    fn play_one_step(&self, (at, shown): (usize, u8), dice: &mut impl Dice) -> (usize, u8) {
        let place = &self.places[at];
        if shown < place.rare && dice.die(100) == 1 {
            return if shown + 1 == place.rare { (place.first, 0) } else { (at, shown + 1) };
        }
        let face = dice.die(place.sides);
        let mut others = place.others.iter();
        let to = others.find(|(up_to, _)| face <= *up_to).expect("the last has all faces");
        (to.1, 0)
    }

    fn outcome_if_over(&self, &(at, _): &(usize, u8)) -> Option<usize> {
        at.checked_sub(self.places.len())
    }

    fn vocabulary(&self) -> OutcomeVocabulary<usize> {
        let field = OutcomeField::new("end", "where it ended", |end| *end as i32);
        OutcomeVocabulary { fields: vec![field], measures: vec![] }
    }
}

fn drawn(lots: &mut Lots) -> Maze {
    let places = 2 + lots.below(39);
    let target = |lots: &mut Lots, here: usize| match lots.below(10) {
        0 => places + lots.below(ENDINGS as u64),
        1..=4 => (here + 1) % places,
        5 => here,
        _ => lots.below(places as u64),
    };
    let place = |here| {
        let sides = [2, 3, 6, 10, 20][lots.below(5)];
        let first_faces = 1 + lots.below(u64::from(sides) - 1) as u8;
        let others = vec![(first_faces, target(lots, here)), (sides, target(lots, here))];
        let rare = lots.below(8).saturating_sub(4) as u8;
        Place { rare, first: places + lots.below(ENDINGS as u64), sides, others }
    };
    let mut maze = Maze { places: (0..places).map(place).collect() };
    // Half of the vertices lose their edges to endings by common faces, so that loops are left
    // rarely.
    if lots.below(2) == 0 {
        for place in &mut maze.places {
            let inside = |to: &mut usize| *to = if *to >= places { 0 } else { *to };
            place.others.iter_mut().for_each(|(_, to)| inside(to));
        }
    }
    maze
}

#[derive(Clone)]
struct Ratio(IBig, UBig);

impl Ratio {
    fn new(above: IBig, below: UBig) -> Ratio {
        let (_, size) = above.clone().into_parts();
        let divisor = if size.is_zero() { below.clone() } else { size.gcd(&below) };
        Ratio(above / IBig::from(divisor.clone()), below / divisor)
    }

    fn of(above: u64, below: u64) -> Ratio {
        Ratio::new(above.into(), below.into())
    }

    fn plus(&self, other: &Ratio) -> Ratio {
        let above = &self.0 * IBig::from(other.1.clone()) + &other.0 * IBig::from(self.1.clone());
        Ratio::new(above, &self.1 * &other.1)
    }

    fn times(&self, other: &Ratio) -> Ratio {
        Ratio::new(&self.0 * &other.0, &self.1 * &other.1)
    }

    /// Returns 1 ÷ (1 − p).
    fn again(&self) -> Ratio {
        let left = IBig::from(self.1.clone()) - &self.0;
        Ratio::new(self.1.clone().into(), left.into_parts().1)
    }

    fn figure(&self) -> FractionOrRoot {
        FractionOrRoot::from_fraction(self.0.clone(), self.1.clone())
    }
}

/// Returns, by vertex, its targets with their chances.
fn rows(maze: &Maze) -> Vec<BTreeMap<usize, Ratio>> {
    let row = |place: &Place| {
        let mut row: BTreeMap<usize, Ratio> = BTreeMap::new();
        let mut add = |to: usize, share: Ratio| {
            let sum = row.get(&to).map_or(share.clone(), |sum| sum.plus(&share));
            row.insert(to, sum);
        };
        let all = 100u64.pow(place.rare.into());
        if place.rare > 0 {
            add(place.first, Ratio::of(1, all));
        }
        let (mut before, rest) = (0, if place.rare > 0 { all - 1 } else { 1 });
        for (up_to, to) in &place.others {
            let faces = u64::from(up_to - before);
            add(*to, Ratio::of(faces * rest, all * u64::from(place.sides)));
            before = *up_to;
        }
        row
    };
    maze.places.iter().map(row).collect()
}

/// Computes the chance of each ending by substituting one vertex after the other into those before
/// it, from the last on. A vertex that only leads back to itself contributes nothing.
fn by_substitution(maze: &Maze) -> Vec<Ratio> {
    let mut rows = rows(maze);
    for place in (0..rows.len()).rev() {
        let mut row = std::mem::take(&mut rows[place]);
        if let Some(back) = row.remove(&place) {
            match back.0 == IBig::from(back.1.clone()) {
                true => row.clear(),
                false => {
                    let again = back.again();
                    row.values_mut().for_each(|share| *share = share.times(&again));
                }
            }
        }
        for earlier in &mut rows[..place] {
            if let Some(by) = earlier.remove(&place) {
                for (to, share) in &row {
                    let more = by.times(share);
                    let sum = earlier.get(to).map_or(more.clone(), |sum| sum.plus(&more));
                    earlier.insert(*to, sum);
                }
            }
        }
        rows[place] = row;
    }
    let nothing = || Ratio::of(0, 1);
    (0..ENDINGS)
        .map(|end| rows[0].get(&(maze.places.len() + end)).cloned().unwrap_or_else(nothing))
        .collect()
}

#[test]
fn lots_are_solved_as_in_fractions() {
    let mut lots = Lots(41);
    let (mut endless, mut large) = (0, 0);
    for number in 0..10_000 {
        let maze = drawn(&mut lots);
        let expected = by_substitution(&maze);
        large += usize::from(maze.places.len() > 20);
        let graph = DieGraph::compile_within_limits(
            &AnyCombat::new(maze),
            CompiledContestLimits::default(),
        )
        .expect("it is small");
        let law = solve_graph_distribution(&graph);
        let mut ended = Ratio::of(0, 1);
        let in_fractions = (number % 16 == 0).then(|| solve_integer_weights(&graph)).flatten();
        for (place, ending) in graph.endings().iter().enumerate() {
            let known = &expected[ending.fields[0] as usize];
            let (p, wanted) = (law.probabilities[place], known.figure().to_f64());
            assert!((p - wanted).abs() <= 1e-13 * wanted, "lot {number}: {p} and {wanted}");
            let found = Approximation::new(p, law.error_of_ending(place));
            assert!(found.contains_exact_number(&known.figure()), "lot {number}: {found:?}");
            if let Some(weights) = &in_fractions {
                let found = weights.numerators[place].clone().into();
                assert_eq!(
                    FractionOrRoot::from_fraction(found, weights.denominator.clone()),
                    known.figure()
                );
            }
            ended = ended.plus(known);
        }
        let never = ended.0 != IBig::from(ended.1.clone());
        assert_eq!(law.never > 0.0, never, "lot {number}");
        let all: f64 = law.probabilities.iter().sum::<f64>() + law.never;
        assert!((all - 1.0).abs() < 1e-14 && law.unsettled == 0.0, "lot {number}: {all}");
        endless += usize::from(!graph.next_vertex_by_loop_head().is_empty());
    }
    // Not by luck: most have loops, and many are large.
    assert!(endless > 8_000 && large > 4_000, "{endless} {large}");
}
