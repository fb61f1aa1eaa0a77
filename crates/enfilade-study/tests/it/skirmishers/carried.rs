//! Troopers who have been struck, struck again: the joint law of both steps by brute force over
//! their cells, all 36 rolls to hit and all 36 for the cell. Rules are typed from the text.

use std::collections::BTreeMap;

use enfilade_study::answer::Answer;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{SolverSettings, solve_experiment};

use crate::skirmishers::oracle::sums;

/// Cells 10 to 0 by label, and armour cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Man {
    crossed: [bool; 11],
    half: [bool; 11],
    armour: usize,
    /// Marks that the advanced armour of each cell still takes.
    plates: [usize; 11],
    dead: bool,
}

const FRESH: Man =
    Man { crossed: [false; 11], half: [false; 11], armour: 0, plates: [0; 11], dead: false };

impl Man {
    fn hp(&self) -> i32 {
        let lowest = self.crossed.iter().position(|crossed| *crossed).unwrap_or(11);
        if self.dead { 0 } else { (lowest as i32 - 1).max(0) }
    }

    fn out(&self) -> bool {
        !self.dead && self.hp() == 0
    }

    /// "Any cells of armor are destroyed before applying lethal damage"; crossed cells are passed
    /// over, and what runs past 0 kills.
    fn lethal(&mut self, start: usize, points: usize) {
        let mut left = points - points.min(self.armour);
        self.armour -= points.min(self.armour);
        for label in (0..=start).rev() {
            if left > 0 && !self.crossed[label] {
                match self.plates[label] {
                    0 => self.crossed[label] = true,
                    _ => self.plates[label] -= 1,
                }
                left -= 1;
            }
        }
        self.dead |= left > 0 || self.crossed[0];
    }

    /// Ignored while armour remains; a half crossed cell is crossed.
    fn bludgeon(&mut self, start: usize, points: usize) {
        let mut left = if self.armour > 0 { 0 } else { points };
        for label in (0..=start).rev() {
            if left > 0 && !self.crossed[label] {
                (self.crossed[label], self.half[label]) = (self.half[label], true);
                left -= 1;
            }
        }
        self.dead |= left > 0 || self.crossed[0];
    }

    fn hit(&self, sum: usize, (lethal, bludgeoning): (usize, usize)) -> Man {
        let mut after = self.clone();
        if !after.dead {
            after.lethal(sum.min(10), lethal);
        }
        if !after.dead {
            after.bludgeon(sum.min(10), bludgeoning);
        }
        after
    }
}

/// Each with its weight, of how many is counted together.
type Dist<T> = BTreeMap<T, f64>;

fn then<T: Ord + Clone, U: Ord>(law: &Dist<T>, next: impl Fn(&T) -> Vec<(U, f64)>) -> Dist<U> {
    let mut all = Dist::new();
    for (state, p) in law {
        for (after, q) in next(state) {
            *all.entry(after).or_insert(0.0) += p * q;
        }
    }
    all
}

fn twice_six() -> Vec<(usize, f64)> {
    sums().into_iter().map(|(sum, ways)| (sum, ways as f64 / 36.0)).collect()
}

/// So many attacks at whoever is next: one by one who is in action and at last the last one, or in
/// turn.
fn attacked(
    men: &[Man],
    needed: usize,
    damage: (usize, usize),
    shots: usize,
    in_turn: bool,
) -> Dist<(i32, Vec<Man>)> {
    let mut law = Dist::from([((0, 0, men.to_vec()), 1.0)]);
    for _ in 0..shots {
        law = then(&law, |(hits, at, men): &(i32, usize, Vec<Man>)| {
            let acts = |place: &usize| men[*place].hp() > 0;
            let round: Vec<usize> = (*at..men.len()).chain(0..*at).collect();
            let next = match in_turn {
                true => round
                    .iter()
                    .copied()
                    .find(acts)
                    .or_else(|| round.iter().copied().find(|place| !men[*place].dead)),
                false => (*at..men.len()).find(acts).or(Some(men.len() - 1)),
            };
            let Some(next) = next.filter(|next| !men[*next].dead) else {
                return vec![((*hits, *at, men.clone()), 1.0)];
            };
            let after = if in_turn { (next + 1) % men.len() } else { next };
            let mut all = Vec::new();
            for (roll, p) in twice_six() {
                for (sum, q) in twice_six() {
                    let mut men = men.clone();
                    if roll >= needed {
                        men[next] = men[next].hit(sum, damage);
                    }
                    all.push(((hits + i32::from(roll >= needed), after, men), p * q));
                }
            }
            all
        });
    }
    then(&law, |(hits, _, men)| vec![((*hits, men.clone()), 1.0)])
}

fn apart((q, r): (i32, i32), (s, t): (i32, i32)) -> usize {
    let (q, r) = (q - s, r - t);
    ((q.abs() + r.abs() + (q + r).abs()) / 2) as usize
}

/// A round at the dot (0, 0), which a miss leaves for one of the six beside it.
fn exploded(
    men: &[Man],
    at: &[(i32, i32)],
    needed: usize,
    rings: &[usize],
) -> Dist<(i32, Vec<Man>)> {
    let beside = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
    let p_hit: f64 =
        twice_six().into_iter().filter(|(roll, _)| *roll >= needed).map(|(_, p)| p).sum();
    let mut spots = vec![(1, (0, 0), p_hit)];
    spots.extend(beside.map(|dot| (0, dot, (1.0 - p_hit) / 6.0)));
    let mut all = Dist::new();
    for (hit, spot, p) in spots {
        let mut law = Dist::from([((hit, men.to_vec()), p)]);
        for place in 0..men.len() {
            let Some(points) = rings.get(apart(spot, at[place])) else { continue };
            law = then(&law, |(hit, men): &(i32, Vec<Man>)| {
                let struck = twice_six().into_iter().map(|(sum, p)| {
                    let mut men = men.clone();
                    men[place] = men[place].hit(sum, (*points, 0));
                    ((*hit, men), p)
                });
                struck.collect()
            });
        }
        for (state, p) in law {
            *all.entry(state).or_insert(0.0) += p;
        }
    }
    all
}

fn experiment(contest: &str) -> Experiment {
    let text = format!("[[contest]]\nsystem = 'skirmishers'\n{contest}");
    let read = Experiment::read_experiment_text(crate::built_in(), "x.toml", &text);
    read.unwrap_or_else(|error| panic!("{contest}\n{error:?}"))
}

fn exact(contest: &str) -> Answer {
    let mut all = solve_experiment(&experiment(contest), &SolverSettings::for_exact_only())
        .expect("it is small");
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn joint(answer: &Answer, names: &[&str]) -> Dist<Vec<i32>> {
    let place = |name: &&str| {
        let found = answer.fields.iter().position(|field| field.name == **name);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    let places: Vec<usize> = names.iter().map(place).collect();
    let mut rows = Dist::new();
    for outcome in &answer.outcomes {
        let row = places.iter().map(|place| outcome.values[*place]).collect::<Vec<_>>();
        *rows.entry(row).or_insert(0.0) += outcome.exact.expect("it is exact");
    }
    rows
}

fn assert_close(found: &Dist<Vec<i32>>, expected: &Dist<Vec<i32>>, text: &str) {
    assert_eq!(found.len(), expected.len(), "{text}");
    for (row, p) in expected {
        let there = found.get(row).copied().unwrap_or(-1.0);
        assert!((there - p).abs() < 1e-12, "{text}\n{row:?}: {there}, not {p}");
    }
}

fn counted(men: &[Man]) -> Vec<i32> {
    let count = |of: fn(&&Man) -> bool| men.iter().filter(of).count() as i32;
    vec![count(|man| man.dead), count(|man| man.out())]
}

const DAMAGE: [(&str, (usize, usize)); 3] = [("4X", (4, 0)), ("1X+4\\", (1, 4)), ("8\\", (0, 8))];

/// One man: his cells are crossed here and there, so that his HP does not tell where the next hit
/// ends.
#[test]
fn cells_that_are_crossed_stay_crossed_in_the_step_that_follows() {
    for (first, a) in DAMAGE {
        for (second, b) in DAMAGE {
            for (armour, cells) in [("none", 0), ("basic", 2)] {
                let text = format!(
                    "action = 'attack'\ndamage = '{first}'\nmodifier = 1\nshots = 2\n\
                     target_armour = '{armour}'\n[[contest.then]]\naction = 'attack'\n\
                     damage = '{second}'\nmodifier = 1\nshots = 1\ncarry = true\n"
                );
                let names = ["hits", "hp", "then_hits", "then_dead", "then_hp"];
                let before = [Man { armour: cells, ..FRESH }];
                let mut law = attacked(&before, 7, a, 2, false);
                // Of the dead nothing is left to be struck.
                let dead: Dist<Vec<i32>> = then(&law, |(hits, men)| {
                    let row = vec![*hits, 0, 0, 0, 0];
                    if men[0].dead { vec![(row, 1.0)] } else { Vec::new() }
                });
                law.retain(|(_, men), _| !men[0].dead);
                let mut expected = then(&law, |(hits, men)| {
                    let after = attacked(men, 7, b, 1, false).into_iter();
                    let row = |more: i32, then: &Man| {
                        vec![*hits, men[0].hp(), more, then.dead.into(), then.hp()]
                    };
                    after.map(|((more, then), p)| (row(more, &then[0]), p)).collect()
                });
                for (row, p) in dead {
                    *expected.entry(row).or_insert(0.0) += p;
                }
                assert_close(&joint(&exact(&text), &names), &expected, &text);
            }
        }
    }
}

/// Several men, one by one and in turn, in two steps and in three turns.
#[test]
fn every_man_of_a_squad_keeps_his_own_marks() {
    for (word, in_turn) in [("focus", false), ("spread", true)] {
        let text = format!(
            "action = 'attack'\ndamage = '5X'\nmodifier = 1\nshots = 2\ntargets = 3\n\
             allocation = '{word}'\n[[contest.then]]\naction = 'attack'\ncarry = true\n\
             damage = '3X+2\\'\n"
        );
        let law = attacked(&vec![FRESH; 3], 7, (5, 0), 2, in_turn);
        let expected = then(&law, |(hits, men)| {
            let after = attacked(men, 7, (3, 2), 2, in_turn).into_iter();
            let row = |more: i32, then: &[Man]| [&[*hits, more][..], &counted(then)].concat();
            after.map(|((more, then), p)| (row(more, &then), p)).collect()
        });
        let names = ["hits", "then_hits", "then_dead", "then_out_of_action"];
        assert_close(&joint(&exact(&text), &names), &expected, &text);
    }
}

/// A grenade after a grenade: where each man stands stays his place, and the dead stay dead.
#[test]
fn an_explosion_finds_those_whom_another_left() {
    let at = [(0, 0), (1, 0), (0, -2)];
    let rings = [6, 3];
    let text = "action = 'explosion'\ndamage = '6X/3X'\nkind = 'launcher'\nmodifier = 2\n\
                troopers = [[0, 0], [1, 0], [0, -2]]\n[[contest.then]]\naction = 'explosion'\ncarry = true\n";
    let law = exploded(&vec![FRESH; 3], &at, 8, &rings);
    let expected = then(&law, |(hit, men)| {
        let after = exploded(men, &at, 8, &rings).into_iter();
        let row =
            |more: i32, then: &[Man]| [&[*hit, more][..], &counted(men), &counted(then)].concat();
        after.map(|((more, then), p)| (row(more, &then), p)).collect()
    });
    // A second one at who is dead to the last man does not take place, and three cannot all be.
    assert!(law.keys().all(|(_, men)| men.iter().any(|man| !man.dead)));
    let names = ["hit", "then_hit", "dead", "out_of_action", "then_dead", "then_out_of_action"];
    assert_close(&joint(&exact(text), &names), &expected, text);
}

/// Fire at a squad, then a grenade among who is left of it; then wire for the one who is left
/// alone.
#[test]
fn steps_of_other_kinds_find_the_same_men() {
    let text = "action = 'attack'\ndamage = '5X'\nmodifier = 1\nshots = 2\ntargets = 2\n\
                [[contest.then]]\naction = 'explosion'\ndamage = '4X/2X'\nkind = 'launcher'\nmodifier = 2\n\
                troopers = [[0, 0], [0, 1]]\ncarry = ['struck']\n";
    let law = attacked(&vec![FRESH; 2], 7, (5, 0), 2, false);
    let expected = then(&law, |(hits, men)| {
        // Where all are dead nobody is there whom it could reach.
        if men.iter().all(|man| man.dead) {
            return vec![(vec![*hits, 0, 0, 0], 1.0)];
        }
        let after = exploded(men, &[(0, 0), (0, 1)], 8, &[4, 2]).into_iter();
        let row = |more: i32, then: &[Man]| [&[*hits, more][..], &counted(then)].concat();
        after.map(|((more, then), p)| (row(more, &then), p)).collect()
    });
    let names = ["hits", "then_hit", "then_dead", "then_out_of_action"];
    assert_close(&joint(&exact(text), &names), &expected, text);

    // What each of them wears is known by what is left of it.
    let text = "action = 'attack'\ndamage = '5X'\nmodifier = 1\nshots = 2\n\
                target_armours = ['none', 'heavy']\n\
                [[contest.then]]\naction = 'explosion'\ndamage = '8X/6X'\nkind = 'launcher'\nmodifier = 2\n\
                troopers = [[0, 0], [0, 1]]\ncarry = true\n";
    let law = attacked(&[FRESH, Man { armour: 6, ..FRESH }], 7, (5, 0), 2, false);
    let expected = then(&law, |(hits, men)| {
        let after = exploded(men, &[(0, 0), (0, 1)], 8, &[8, 6]).into_iter();
        let row = |more: i32, then: &[Man]| [&[*hits, more][..], &counted(then)].concat();
        after.map(|((more, then), p)| (row(more, &then), p)).collect()
    });
    assert_close(&joint(&exact(text), &names), &expected, text);

    let text = "action = 'barbed-wire'\nturns = 1\n[[contest.then]]\naction = 'attack'\ncarry = true\n\
                damage = '4X'\nmodifier = 1\nshots = 1\n";
    let one = 1.0 / 6.0;
    let points = Dist::from([(FRESH, 1.0)]);
    let law = then(&points, |man| {
        let struck = (1..=6).flat_map(|face| {
            twice_six().into_iter().map(move |(sum, p)| (man.hit(sum, (0, face)), p * one))
        });
        struck.collect()
    });
    let expected = then(&law, |man| {
        if man.dead {
            return vec![(vec![0, 1, 0, 0], 1.0)];
        }
        let after = attacked(std::slice::from_ref(man), 7, (4, 0), 1, false).into_iter();
        let row = |more: i32, then: &Man| vec![man.hp(), 0, more, then.hp()];
        after.map(|((more, then), p)| (row(more, &then[0]), p)).collect()
    });
    let names = ["hp", "dead", "then_hits", "then_hp"];
    assert_close(&joint(&exact(text), &names), &expected, text);
}

/// Advanced armour that differs from man to man: the first lethal mark on a protected cell half
/// crosses its armour, the second one destroys it (Body Armor), in the steps behind as well, and
/// those find it whatever they say.
#[test]
fn cells_of_armour_stand_or_fall_man_by_man() {
    let text = "action = 'attack'\ndamage = '3X'\nmodifier = 1\nshots = 1\n\
                target_armours = ['basic', 'none']\nadvanced_armour = true\narmour_from = 8\n\
                [[contest.then]]\naction = 'explosion'\ndamage = '5X/4X'\nkind = 'launcher'\nmodifier = 2\n\
                troopers = [[0, 0], [0, 1]]\ncarry = true\n\
                [[contest.then]]\naction = 'attack'\ndamage = '4X'\nmodifier = 1\nshots = 1\ntargets = 2\ncarry = ['struck']\n";
    let mut plates = [0; 11];
    (plates[8], plates[7]) = (2, 2);
    let men = [Man { plates, ..FRESH }, FRESH];
    let law = attacked(&men, 7, (3, 0), 1, false);
    let mut expected = Dist::new();
    let mut add = |row: Vec<i32>, p: f64| *expected.entry(row).or_insert(0.0) += p;
    for ((hits, men), p) in &law {
        if men.iter().all(|man| man.dead) {
            add(vec![*hits, 0, 0, 0, 0, 0, 0], *p);
            continue;
        }
        for ((hit, men), q) in exploded(men, &[(0, 0), (0, 1)], 8, &[5, 4]) {
            let first = [vec![*hits, hit], counted(&men)].concat();
            if men.iter().all(|man| man.dead) {
                add([first, vec![0, 0, 0]].concat(), p * q);
                continue;
            }
            for ((more, men), r) in attacked(&men, 7, (4, 0), 1, false) {
                add([first.clone(), vec![more], counted(&men)].concat(), p * q * r);
            }
        }
    }
    let names = ["hits", "then_hit", "then_dead", "then_out_of_action"];
    let last = ["then_2_hits", "then_2_dead", "then_2_out_of_action"];
    assert_close(&joint(&exact(text), &[&names[..], &last].concat()), &expected, text);
}

/// Two activations of a duel are one and one more with all who are left: wounds of both sides, who
/// serves the weapon, how long it is silent, and how near the squad has come.
#[test]
fn a_duel_goes_on_where_it_ended() {
    let duels = [
        "weapon = 'MMG'\ntroopers = 2\nrange = 60\nclosing = 30\n",
        "weapon = 'LMG'\ntroopers = 2\nrange = 30\norder = 'all-first'\nattacks_per_move = 2\n",
        "weapon = 'HMG'\ntroopers = 2\nrange = 30\nset_up_first = true\nanswers = 2\n",
        "damage = '3X'\nkind = 'crewed'\nshort = 20\nlong = 60\ncrew = 2\ntroopers = 1\nrange = 15\n\
         target_armour = 'basic'\n",
    ];
    for duel in duels {
        let answer = "answer = { weapon = 'SMG' }\n";
        let whole = exact(&format!("action = 'crewed-duel'\nmoves = 2\n{duel}{answer}"));
        let parts = exact(&format!(
            "action = 'crewed-duel'\nmoves = 1\n{duel}{answer}[[contest.then]]\n\
             action = 'crewed-duel'\ncarry = true\nmoves = 1\n"
        ));
        let expected = joint(&whole, &["troopers_left", "crew_left"]);
        let names = ["ended", "troopers_left", "crew_left", "then_troopers_left", "then_crew_left"];
        let found = then(&joint(&parts, &names), |row| {
            let last = if row[0] > 0 { &row[1..3] } else { &row[3..5] };
            vec![(last.to_vec(), 1.0)]
        });
        assert!(expected.len() > 2, "{duel}: {expected:?}");
        assert_close(&found, &expected, duel);
    }
}

/// A round that does 8 to a wall of 15, then another: it gives way where both hit, in (33/36)² of
/// all cases; three turns until it does are by the same count.
#[test]
fn a_structure_keeps_its_damage() {
    let round = "damage = '8X'\nkind = 'launcher'\nstructure = 'light'\nrounds = 1\n";
    let text =
        format!("action = 'breach'\n{round}[[contest.then]]\naction = 'breach'\ncarry = true\n");
    let number = |answer: &Answer, name: &str| {
        let found = answer.measure_answer_by_name(name).unwrap_or_else(|| panic!("no {name}"));
        found.exact.expect("it is exact")
    };
    let p: f64 = 33.0 / 36.0;
    assert!((number(&exact(&text), "then_p_breach") - p * p).abs() < 1e-12);
    let turns = exact(&format!("{text}until = 'breached > 0'\n"));
    // The first is one round; a turn is over with each, and two hits are two of 1/p rounds each.
    assert!((number(&turns, "e_then_turns") - (2.0 / p - 1.0)).abs() < 1e-9);
}

/// "Cells 9, 7, 6 crossed and 5 half: HP 5, AP 7, modifier +2."
#[test]
fn marks_are_read_from_a_contest() {
    let marked = "[[contest.struck]]\ncrossed = [9, 7, 6]\nhalf_crossed = [5]\n";
    let missed = "action = 'attack'\ndamage = '4X'\nmodifier = 12\nshots = 1\n";
    let law = joint(&exact(&format!("{missed}{marked}")), &["hp", "ap", "modifier"]);
    assert_eq!(law, Dist::from([(vec![5, 7, 2], 1.0)]));
    for (more, why) in [
        (
            "[[contest.struck]]\ncrossed = [1]\n[[contest.struck]]\ndead = true\n",
            "marks on 2 cards",
        ),
        ("[[contest.struck]]\ncrossed = [11]\n", "the highest cell of the card is 10, not 11"),
    ] {
        let text = format!("[[contest]]\nsystem = 'skirmishers'\n{missed}{more}");
        let refused = Experiment::read_experiment_text(crate::built_in(), "x.toml", &text)
            .expect_err("it is refused");
        assert!(format!("{refused:?}").contains(why), "{refused:?}");
    }
}
