//! `dropzone` re-typed from its quick reference, resolved by brute force, and compared with the
//! law of the built-in rules as integers. Nothing of `enfilade::systems` is used but the door.

use std::collections::BTreeMap;

use super::walk_drop::{Law, contest, law, law_in};

/// A volley in plain numbers. Every shot consumes exactly 1 hit die, 2 damage dice and 8 dice of
/// countermeasures, so that all weights share one denominator; dice not needed are counted, not
/// looped over.
#[derive(Clone, Debug)]
struct Volley {
    shots: u32,
    needed: i32,
    energy: i32,
    armour: i32,
    passive: Option<i32>,
    models: usize,
    points: i32,
    resilient: bool,
    destroyer: Option<i32>,
    devastator: i32,
    penetrative: bool,
    area: bool,
    even: bool,
}

const PLAIN: Volley = Volley {
    shots: 1,
    needed: 3,
    energy: 8,
    armour: 11,
    passive: None,
    models: 1,
    points: 1,
    resilient: false,
    destroyer: None,
    devastator: 1,
    penetrative: false,
    area: false,
    even: false,
};

/// The dice of one shot: hit, damage, and one per point of damage.
const DICE: u32 = 8;

impl Volley {
    /// Damage of one shot, before allocation: ways out of 6^DICE.
    fn shot(&self) -> BTreeMap<i32, u128> {
        let mut ways = BTreeMap::new();
        for hit in 1..=6 {
            for roll in 1..=6 {
                let strength = self.strength(hit, roll);
                for (kept, n) in self.kept(strength) {
                    *ways.entry(kept).or_insert(0) += n;
                }
            }
        }
        ways
    }

    fn strength(&self, hit: i32, roll: i32) -> i32 {
        let critical = if self.resilient {
            self.devastator
        } else {
            2 * self.devastator
        };
        if hit >= self.needed && self.destroyer.is_some_and(|from| hit >= from) {
            return critical;
        }
        let total = if hit >= self.needed {
            roll + self.energy
        } else if self.area && hit >= 2 {
            roll + self.energy - 2
        } else {
            return 0;
        };
        if total >= self.armour + 2 {
            critical
        } else if total >= self.armour || (self.penetrative && roll == 6) {
            self.devastator
        } else {
            0
        }
    }

    /// Points left of `strength` after one die each, out of 6^(DICE − 2).
    fn kept(&self, strength: i32) -> BTreeMap<i32, u128> {
        let mut law = BTreeMap::from([(0, 1_u128)]);
        for _ in 0..strength {
            let mut next = BTreeMap::new();
            for (kept, n) in law {
                for die in 1..=6 {
                    let lost = i32::from(self.passive.is_none_or(|x| die < x));
                    *next.entry(kept + lost).or_insert(0) += n;
                }
            }
            law = next;
        }
        let rest = 6_u128.pow(DICE - 2 - strength as u32);
        law.into_iter().map(|(kept, n)| (kept, n * rest)).collect()
    }

    /// The law of (damage, destroyed): models are kept as a list, in the order of the table.
    fn law(&self) -> Law {
        let shot = self.shot();
        let mut tables = BTreeMap::from([(vec![self.points; self.models], 1_u128)]);
        for _ in 0..self.shots {
            let mut next = BTreeMap::new();
            for (models, n) in &tables {
                for (damage, ways) in &shot {
                    *next.entry(self.allot(models.clone(), *damage)).or_insert(0) += n * ways;
                }
            }
            tables = next;
        }
        let mut outcomes = BTreeMap::new();
        for (models, n) in tables {
            let left: i32 = models.iter().sum();
            let gone = models.iter().filter(|&&left| left == 0).count() as i32;
            let key = vec![self.points * self.models as i32 - left, gone];
            *outcomes.entry(key).or_insert(0) += n;
        }
        Law {
            sixths: DICE * self.shots,
            outcomes,
        }
    }

    fn allot(&self, mut models: Vec<i32>, damage: i32) -> Vec<i32> {
        let alive = (0..models.len()).filter(|&i| models[i] > 0);
        let hit = match self.even {
            true => alive.max_by_key(|&i| models[i]),
            false => alive.min_by_key(|&i| models[i]),
        };
        if let Some(i) = hit {
            models[i] = (models[i] - damage).max(0);
        }
        models
    }

    fn toml(&self) -> String {
        let mut specials = Vec::new();
        specials.extend(self.destroyer.map(|x| format!("'Destroyer {x}+'")));
        if self.devastator > 1 {
            specials.push(format!("'Devastator-{} (Walker)'", self.devastator));
        }
        if self.penetrative {
            specials.push("'Penetrative'".into());
        }
        if self.area {
            specials.push("'Area'".into());
        }
        let mut text = format!(
            "type = 'Walker'\nshots = {}\naccuracy = {}\nenergy = {}\narmour = {}\ncount = {}\n\
             damage_points = {}\nspecials = [{}]\n",
            self.shots,
            self.needed,
            self.energy,
            self.armour,
            self.models,
            self.points,
            specials.join(", "),
        );
        if let Some(x) = self.passive {
            text += &format!("passive = {x}\n");
        }
        if self.resilient {
            text += "target_specials = ['Resilient']\n";
        }
        if self.even {
            text += "allocation = 'even'\n";
        }
        text
    }

    fn check(&self) {
        let told = law_in("dropzone", "shoot", &self.toml(), &["damage", "destroyed"]);
        assert!(
            told.equals(&self.law()),
            "{self:?}\n{:?}\n{:?}",
            told.outcomes,
            self.law().outcomes
        );
    }
}

#[test]
fn volleys_in_numbers_have_the_law_of_the_rulebook() {
    for needed in [0, 1, 2, 3, 6, 7] {
        for (energy, armour) in [(8, 11), (10, 13), (3, 7), (4, 12), (9, 9)] {
            for passive in [None, Some(3), Some(5)] {
                for points in [1, 2, 5] {
                    Volley {
                        shots: 2,
                        needed,
                        energy,
                        armour,
                        passive,
                        points,
                        ..PLAIN
                    }
                    .check();
                }
            }
        }
    }
}

#[test]
fn the_reference_contest_has_the_law_of_the_rulebook() {
    Volley {
        shots: 4,
        passive: Some(5),
        points: 12,
        ..PLAIN
    }
    .check();
}

#[test]
fn specials_have_the_law_of_the_rulebook() {
    for resilient in [false, true] {
        for passive in [None, Some(4)] {
            let base = Volley {
                shots: 3,
                points: 5,
                passive,
                resilient,
                ..PLAIN
            };
            Volley {
                destroyer: Some(5),
                ..base.clone()
            }
            .check();
            Volley {
                destroyer: Some(3),
                needed: 5,
                ..base.clone()
            }
            .check();
            Volley {
                devastator: 3,
                ..base.clone()
            }
            .check();
            Volley {
                penetrative: true,
                armour: 20,
                ..base.clone()
            }
            .check();
            Volley {
                area: true,
                needed: 5,
                ..base.clone()
            }
            .check();
            Volley {
                area: true,
                needed: 7,
                ..base.clone()
            }
            .check();
        }
    }
}

#[test]
fn models_are_hit_one_at_a_time_or_evenly() {
    for even in [false, true] {
        for passive in [None, Some(5)] {
            for points in [1, 2, 3] {
                let base = Volley {
                    shots: 4,
                    models: 3,
                    points,
                    passive,
                    even,
                    ..PLAIN
                };
                base.check();
                Volley {
                    devastator: 2,
                    ..base
                }
                .check();
            }
        }
    }
}

#[test]
fn the_law_is_whole() {
    let law = law(
        "dropzone",
        "shoot",
        "shots = 4\naccuracy = 3\nenergy = 8\narmour = 11\ndetail = 'hits'",
    );
    let sum: u128 = law.outcomes.values().sum();
    assert_eq!(sum, 6_u128.pow(law.sixths));
}

#[test]
fn a_contest_without_armour_or_energy_is_refused() {
    let refused = |toml| {
        contest("dropzone", "shoot", toml)
            .err()
            .expect("something is missing")
    };
    assert_eq!(
        refused("shots = 1\naccuracy = 3\nenergy = 8")[0].path,
        "armour"
    );
    assert_eq!(
        refused("shots = 1\naccuracy = 3\narmour = 8")[0].path,
        "energy"
    );
    assert_eq!(
        refused("shots = 1\nenergy = 3\narmour = 8")[0].path,
        "accuracy"
    );
    let open = "weapon = 'Shaltari/Tarantula Battlewalker/Gravity Cannon'\narmour = 8";
    assert_eq!(refused(open)[0].path, "energy");
}

/// A duel of two squads in plain numbers: shots per model, and what one shot does to the other.
struct Fighter {
    shots: u32,
    reduced: u32,
    limited: u32,
    strike: Volley,
}

/// Law of (points of A's models, points of B's) after `rounds`, A first, over 6^(2·shots fired),
/// as floats because the number of shots differs.
fn duel(
    a: &Fighter,
    b: &Fighter,
    start: [Vec<i32>; 2],
    rounds: u32,
) -> BTreeMap<[Vec<i32>; 2], f64> {
    let full = [start[0][0], start[1][0]];
    let mut law = BTreeMap::from([(start, 1.0)]);
    for turn in 0..2 * rounds {
        let (me, fighter) = if turn % 2 == 0 { (0, a) } else { (1, b) };
        let mut next = BTreeMap::new();
        for (squads, p) in law {
            let alive = squads[me].iter().filter(|&&left| left > 0);
            let shots: u32 = alive
                .map(|left| {
                    fighter
                        .shots
                        .saturating_sub(fighter.reduced * (full[me] - left) as u32)
                })
                .sum();
            let shots = if turn / 2 < fighter.limited { shots } else { 0 };
            for (squads, q) in fire(&fighter.strike, shots, squads, 1 - me) {
                *next.entry(squads).or_insert(0.0) += p * q;
            }
        }
        law = next;
    }
    law
}

fn fire(
    strike: &Volley,
    shots: u32,
    squads: [Vec<i32>; 2],
    at: usize,
) -> BTreeMap<[Vec<i32>; 2], f64> {
    let mut law = BTreeMap::from([(squads, 1.0)]);
    let whole = 6_f64.powi(DICE as i32);
    for _ in 0..shots {
        let mut next = BTreeMap::new();
        for (squads, p) in law {
            for (damage, ways) in strike.shot() {
                let mut squads = squads.clone();
                squads[at] = strike.allot(squads[at].clone(), damage);
                *next.entry(squads).or_insert(0.0) += p * ways as f64 / whole;
            }
        }
        law = next;
    }
    law
}

fn check_duel(a: &Fighter, b: &Fighter, start: [Vec<i32>; 2], rounds: u32, toml: &str) {
    let points = |squads: &[Vec<i32>; 2]| [0, 1].map(|side| squads[side].iter().sum::<i32>());
    let full = points(&start);
    let expected = duel(a, b, start, rounds);
    let told = law_in(
        "dropzone",
        "engagement",
        toml,
        &["shooter_damage", "damage"],
    );
    for lost_a in 0..=full[0] {
        for lost_b in 0..=full[1] {
            let left = [full[0] - lost_a, full[1] - lost_b];
            let p: f64 = expected
                .iter()
                .filter(|(s, _)| points(s) == left)
                .map(|(_, p)| p)
                .sum();
            let q = told.chance(|o| o == [lost_a, lost_b]);
            assert!((p - q).abs() < 1e-12, "{toml}\n{lost_a} {lost_b}: {p} {q}");
        }
    }
}

#[test]
fn engagements_carry_losses_over() {
    let at_b = Volley {
        armour: 10,
        ..PLAIN
    };
    let at_a = Volley {
        energy: 6,
        armour: 9,
        ..PLAIN
    };
    let a = Fighter {
        shots: 2,
        reduced: 0,
        limited: 9,
        strike: at_b.clone(),
    };
    let b = Fighter {
        shots: 2,
        reduced: 1,
        limited: 9,
        strike: at_a.clone(),
    };
    let toml = "shots = 2\naccuracy = 3\nenergy = 8\narmour = 10\ndamage_points = 3\nrounds = 2\n\
                [shooter]\narmour = 9\ndamage_points = 2\n\
                [return_fire]\nshots = 2\naccuracy = 3\nenergy = 6\nspecials = ['Reduced-1']";
    check_duel(&a, &b, [vec![2], vec![3]], 2, toml);
    // Two shooters with one shot each against two models, and a weapon that fires once.
    let a = Fighter {
        shots: 1,
        limited: 1,
        ..a
    };
    let toml = "shots = 1\naccuracy = 3\nenergy = 8\narmour = 10\ndamage_points = 2\nrounds = 2\nsquad = 2\n\
                count = 2\nspecials = ['Limited-1']\n[shooter]\narmour = 9\ndamage_points = 2\n\
                [return_fire]\nshots = 2\naccuracy = 3\nenergy = 6\nspecials = ['Reduced-1']";
    check_duel(&a, &b, [vec![2, 2], vec![2, 2]], 2, toml);
    // Nobody shoots back.
    let silent = Fighter {
        shots: 0,
        reduced: 0,
        limited: 0,
        strike: at_a,
    };
    let a = Fighter {
        shots: 2,
        reduced: 0,
        limited: 9,
        strike: at_b,
    };
    let toml = "shots = 2\naccuracy = 3\nenergy = 8\narmour = 10\ndamage_points = 3\nrounds = 3";
    check_duel(&a, &silent, [vec![1], vec![3]], 3, toml);
}

#[test]
fn an_engagement_of_one_round_is_a_volley() {
    let body = "weapon = 'UCM/Sabre Tank/Avenger Railgun'\nsquad = 3\ntarget = 'Scourge/Hunter'\ncount = 2";
    let fields = ["damage", "destroyed"];
    let volley = law_in("dropzone", "shoot", body, &fields);
    assert!(volley.equals(&law_in("dropzone", "engagement", body, &fields)));
    let refused = contest(
        "dropzone",
        "engagement",
        "shots = 1\naccuracy = 2\nenergy = 3\narmour = 4\n[return_fire]\nshots = 1\naccuracy = 2\nenergy = 3",
    );
    assert_eq!(refused.err().expect("who is shot at?")[0].path, "shooter");
}
