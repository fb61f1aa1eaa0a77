//! Several rounds of an explosive at a group, obstacles, and targets in different armour, by brute
//! force over all dice on the cards of [`crate::skirmishers::oracle`].

use std::collections::BTreeMap;

use crate::harness::play::try_contest;
use crate::harness::walk::{CountedDistribution, law_in};
use crate::skirmishers::oracle::{Card, Hit, lethal, start, sums};

type Dot = (i32, i32);
type Dist<T> = BTreeMap<T, u128>;

/// Six dots around one.
const AROUND: [Dot; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// Returns the places where a round goes off, and whether each is a hit, in 216: 2d6 against the
/// number, a die for the miss.
fn round(needed: usize) -> Dist<(Dot, bool)> {
    let mut spots = Dist::new();
    for (sum, ways) in sums() {
        for dot in AROUND {
            let spot = if sum >= needed { ((0, 0), true) } else { (dot, false) };
            *spots.entry(spot).or_insert(0) += ways;
        }
    }
    spots
}

fn steps(a: Dot, b: Dot) -> i32 {
    let (q, r) = (b.0 - a.0, b.1 - a.1);
    q.abs().max(r.abs()).max((q + r).abs())
}

/// Group under fire: damage by ring, the dots from which each trooper is shielded, the card of
/// each.
struct Group {
    rings: &'static [u8],
    men: Vec<Dot>,
    shielded: fn(Dot, Dot) -> bool,
    card: Card,
}

impl Group {
    /// Returns dead, out of action or neither, in 36 for each round.
    fn fate(&self, man: Dot, spots: &[Dot]) -> Dist<(i32, i32)> {
        let mut cards = Dist::from([(self.card.clone(), 1)]);
        for &spot in spots {
            let ring = steps(spot, man) as usize;
            let damage = self.rings.get(ring).filter(|_| !(self.shielded)(spot, man));
            let mut next = Dist::new();
            for (card, n) in cards {
                for (sum, ways) in sums() {
                    let mut card = card.clone();
                    if let (Some(&points), false) = (damage, card.dead()) {
                        card.take(start(sum, false), lethal(points));
                    }
                    *next.entry(card).or_insert(0) += n * ways;
                }
            }
            cards = next;
        }
        let mut fates = Dist::new();
        for (card, n) in cards {
            let out = !card.dead() && card.hp() == 0;
            *fates.entry((card.dead().into(), out.into())).or_insert(0) += n;
        }
        fates
    }

    fn law(&self, needed: usize, rounds: u32) -> CountedDistribution {
        let mut fired: Dist<(Vec<Dot>, i32)> = Dist::from([((Vec::new(), 0), 1)]);
        for _ in 0..rounds {
            let mut next = Dist::new();
            for ((spots, hits), n) in fired {
                for ((spot, hit), ways) in round(needed) {
                    let spots = [spots.clone(), vec![spot]].concat();
                    *next.entry((spots, hits + i32::from(hit))).or_insert(0) += n * ways;
                }
            }
            fired = next;
        }
        let mut outcomes: Dist<Vec<i32>> = Dist::new();
        for ((spots, hits), n) in fired {
            let mut lost = Dist::from([((0, 0), n)]);
            for &man in &self.men {
                let fate = self.fate(man, &spots);
                let mut next = Dist::new();
                for ((dead, out), n) in lost {
                    for ((died, fell), ways) in &fate {
                        *next.entry((dead + died, out + fell)).or_insert(0) += n * ways;
                    }
                }
                lost = next;
            }
            for ((dead, out), n) in lost {
                *outcomes.entry(vec![hits, dead, out]).or_insert(0) += n;
            }
        }
        CountedDistribution::from_rows(outcomes)
    }

    fn check(&self, needed: usize, rounds: u32, toml: &str) {
        let toml = format!("{toml}\nrounds = {rounds}");
        let told = law_in("skirmishers", "explosion", &toml, &["hit", "dead", "out_of_action"]);
        let law = self.law(needed, rounds);
        assert_eq!(told, law, "{toml}");
    }
}

#[test]
fn rounds_at_a_group_have_the_law_of_the_rulebook() {
    for (armour, cells) in [("none", 0), ("standard", 4)] {
        let card = Card { armour: cells, ..Card::fresh() };
        let group = Group {
            rings: &[6, 3, 1],
            men: vec![(0, 0), (1, 0), (-2, 0)],
            shielded: |_, _| false,
            card,
        };
        for rounds in 1..=2 {
            let toml = format!(
                "weapon = 'hand grenade'\nap_spent = 5\ntarget_armour = '{armour}'\n\
                 troopers = [[0, 0], [1, 0], [-2, 0]]"
            );
            group.check(5, rounds, &toml);
        }
    }
}

/// Troopers who are equivalent for all effects of a miss, and one whom only some of them reach.
#[test]
fn rounds_at_one_man_have_the_law_of_the_rulebook() {
    for (dot, rounds) in [((0, 0), 3), ((2, 0), 3), ((-1, 2), 2)] {
        let group = Group {
            rings: &[5, 3, 1],
            men: vec![dot],
            shielded: |_, _| false,
            card: Card { armour: 2, ..Card::fresh() },
        };
        let toml = format!(
            "damage = '5X/3X/1X'\nkind = 'launcher'\ntarget_armour = 'basic'\ntroopers = [[{}, {}]]",
            dot.0, dot.1
        );
        group.check(6, rounds, &toml);
    }
}

/// A trooper at (2, 0) behind a wall at (1, 0): rounds on the aimed dot, or one dot to either side
/// of the wall where the line crosses it, do not reach them. From (1, -1) and from (0, 1) the line
/// runs between two dots.
#[test]
fn a_wall_shields_who_is_behind_it() {
    let behind = |spot: Dot, man: Dot| man == (2, 0) && [(0, 0), (-1, 0)].contains(&spot);
    let group = Group {
        rings: &[8, 4, 2],
        men: vec![(2, 0), (-1, 0)],
        shielded: behind,
        card: Card::fresh(),
    };
    let toml = "damage = '8X/4X/2X'\nkind = 'launcher'\ntroopers = [[2, 0], [-1, 0]]";
    group.check(6, 2, &format!("{toml}\nwalls = [[1, 0]]"));
    // A low one only shields who is prone, which is no modifier for explosives.
    group.check(6, 2, &format!("{toml}\nlow_walls = [[1, 0]]\nprone_target = true"));
    let open = Group { shielded: |_, _| false, ..group };
    open.check(6, 2, &format!("{toml}\nlow_walls = [[1, 0]]"));
}

/// Returns the distribution of attacks on one trooper after another, each in separate armour: hits,
/// dead, out of action, armour left.
fn one_by_one(needed: usize, hit: Hit, shots: u32, worn: &[u8]) -> CountedDistribution {
    let fresh = |at: usize| Card { armour: worn[at], ..Card::fresh() };
    // The man attacked, his card, hits, dead, out, and what those before him still wear.
    let mut states = Dist::from([((0, fresh(0), 0, 0, 0, 0), 1_u128)]);
    for _ in 0..shots {
        let mut next = Dist::new();
        for ((at, card, hits, dead, out, left), n) in states {
            for (roll, ways) in sums() {
                for (sum, more) in sums() {
                    let (mut at, mut card, mut hits) = (at, card.clone(), hits);
                    let (mut dead, mut out, mut left) = (dead, out, left);
                    if roll >= needed && !card.dead() {
                        hits += 1;
                        card.take(start(sum, false), hit);
                    }
                    while at + 1 < worn.len() && (card.dead() || card.hp() == 0) {
                        dead += i32::from(card.dead());
                        out += i32::from(!card.dead());
                        left += i32::from(card.armour);
                        at += 1;
                        card = fresh(at);
                    }
                    *next.entry((at, card, hits, dead, out, left)).or_insert(0) += n * ways * more;
                }
            }
        }
        states = next;
    }
    let mut outcomes = Dist::new();
    for ((at, card, hits, dead, out, left), n) in states {
        let dead = dead + i32::from(card.dead());
        let out = out + i32::from(!card.dead() && card.hp() == 0);
        let untouched: u8 = worn[at + 1..].iter().sum();
        let left = left + i32::from(card.armour) + i32::from(untouched);
        *outcomes.entry(vec![hits, dead, out, left]).or_insert(0) += n;
    }
    CountedDistribution::from_rows(outcomes)
}

#[test]
fn men_in_different_armour_have_the_law_of_the_rulebook() {
    let fields = ["hits", "dead", "out_of_action", "armour_left"];
    for (words, worn) in [
        ("'none', 'none', 'heavy'", vec![0, 0, 6]),
        ("'heavy', 'none'", vec![6, 0]),
        ("'standard'", vec![4]),
        ("'basic', 'basic'", vec![2, 2]),
    ] {
        let toml = format!("damage = '7X'\nshots = 3\ntarget_armours = [{words}]");
        let told = law_in("skirmishers", "attack", &toml, &fields);
        let law = one_by_one(6, lethal(7), 3, &worn);
        assert_eq!(told, law, "{toml}");
    }
}

#[test]
fn what_says_it_twice_is_told() {
    for (more, path) in [
        ("targets = 2", "targets"),
        ("target_armour = 'basic'", "target_armour"),
        ("armour_cells = 3", "armour_cells"),
    ] {
        let toml = format!("weapon = 'HMG'\ntarget_armours = ['none', 'heavy']\n{more}");
        let Err(faults) = try_contest("skirmishers", "attack", &toml) else { panic!("{more}") };
        assert_eq!(faults[0].path, path);
    }
    let toml = "weapon = 'hand grenade'\nwalls = [[1]]\nlow_walls = [[1, 2, 3]]\ntroopers = [[0]]";
    let Err(faults) = try_contest("skirmishers", "explosion", toml) else { panic!("three faults") };
    let mut paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["low_walls[0]", "troopers[0]", "walls[0]"]);
}
