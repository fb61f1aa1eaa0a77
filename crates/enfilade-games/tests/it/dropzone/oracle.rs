//! `dropzone` typed from its quick reference, resolved by brute force, and compared with the
//! distribution of the built-in rules as integers. Only the entry point of `enfilade_games` is
//! used.

use std::collections::BTreeMap;

use crate::harness::play::try_contest;
use crate::harness::walk::{CountedDistribution, law_in};

/// Volley in plain numbers. Every shot consumes exactly 1 hit die, 2 damage dice and 6 dice of
/// countermeasures, so that all weights share one denominator; dice that are not needed are
/// counted, not looped over.
#[derive(Clone, Debug)]
pub struct Volley {
    pub shots: u32,
    pub needed: i32,
    pub energy: i32,
    pub armour: i32,
    pub passive: Option<i32>,
    pub models: usize,
    pub points: i32,
    pub resilient: bool,
    pub destroyer: Option<i32>,
    /// Whether a Destroyer's face hits whatever number is needed.
    pub destroyer_hits: bool,
    /// Whether damage is rolled again, and the second roll counts.
    pub reroll: bool,
    pub devastator: i32,
    pub penetrative: bool,
    pub area: bool,
    pub even: bool,
}

pub const PLAIN: Volley = Volley {
    shots: 1,
    needed: 3,
    energy: 8,
    armour: 11,
    passive: None,
    models: 1,
    points: 1,
    resilient: false,
    destroyer: None,
    destroyer_hits: false,
    reroll: false,
    devastator: 1,
    penetrative: false,
    area: false,
    even: false,
};

/// Number of dice of one shot: hit, damage, damage again, and one for each point of damage.
pub const DICE: u32 = 9;

impl Volley {
    /// Returns the damage of one shot, before allocation: ways out of 6^DICE.
    pub fn shot(&self) -> BTreeMap<i32, u128> {
        let mut ways = BTreeMap::new();
        for hit in 1..=6 {
            for (roll, again) in (1..=6).flat_map(|roll| (1..=6).map(move |again| (roll, again))) {
                let first = self.strength(hit, roll);
                let strength = match self.reroll && first > 0 {
                    true => self.strength(hit, again),
                    false => first,
                };
                for (kept, n) in self.kept(strength) {
                    *ways.entry(kept).or_insert(0) += n;
                }
            }
        }
        ways
    }

    fn strength(&self, hit: i32, roll: i32) -> i32 {
        let critical = if self.resilient { self.devastator } else { 2 * self.devastator };
        let destroys = self.destroyer.is_some_and(|from| hit >= from);
        if destroys && (hit >= self.needed || self.destroyer_hits) {
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

    /// Returns the points left of `strength` after one die each, out of 6^(DICE − 3).
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
        let rest = 6_u128.pow(DICE - 3 - strength as u32);
        law.into_iter().map(|(kept, n)| (kept, n * rest)).collect()
    }

    /// Returns the distribution of (damage, destroyed): models are a list, in the order of the
    /// table.
    pub fn law(&self) -> CountedDistribution {
        let whole = BTreeMap::from([(vec![self.points; self.models], 1_u128)]);
        self.told(self.fired_at(whole))
    }

    /// Returns the squads after this volley.
    pub fn fired_at(&self, mut tables: BTreeMap<Vec<i32>, u128>) -> BTreeMap<Vec<i32>, u128> {
        let shot = self.shot();
        for _ in 0..self.shots {
            let mut next = BTreeMap::new();
            for (models, n) in &tables {
                for (damage, ways) in &shot {
                    *next.entry(self.allot(models.clone(), *damage)).or_insert(0) += n * ways;
                }
            }
            tables = next;
        }
        tables
    }

    /// Returns the distribution of damage and destroyed models.
    pub fn told(&self, tables: BTreeMap<Vec<i32>, u128>) -> CountedDistribution {
        let mut outcomes = BTreeMap::new();
        for (models, n) in tables {
            let left: i32 = models.iter().sum();
            let gone = models.iter().filter(|&&left| left == 0).count() as i32;
            let key = vec![self.points * self.models as i32 - left, gone];
            *outcomes.entry(key).or_insert(0) += n;
        }
        CountedDistribution::from_rows(outcomes)
    }

    pub fn allot(&self, mut models: Vec<i32>, damage: i32) -> Vec<i32> {
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

    /// Returns the weapon's specials, as a contest lists them.
    pub fn specials(&self) -> String {
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
        specials.join(", ")
    }

    pub fn toml(&self) -> String {
        let mut text = format!(
            "type = 'Walker'\nshots = {}\naccuracy = {}\nenergy = {}\narmour = {}\ncount = {}\n\
             damage_points = {}\nspecials = [{}]\n",
            self.shots,
            self.needed,
            self.energy,
            self.armour,
            self.models,
            self.points,
            self.specials(),
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
        if self.destroyer_hits {
            text += "destroyer_hits = true\n";
        }
        text
    }

    fn check(&self) {
        let told = law_in("dropzone", "shoot", &self.toml(), &["damage", "destroyed"]);
        assert_eq!(told, self.law(), "{self:?}");
    }
}

#[test]
fn volleys_in_numbers_have_the_law_of_the_rulebook() {
    for needed in [0, 1, 2, 3, 6, 7] {
        for (energy, armour) in [(8, 11), (10, 13), (3, 7), (4, 12), (9, 9)] {
            for passive in [None, Some(3), Some(5)] {
                for points in [1, 2, 5] {
                    Volley { shots: 2, needed, energy, armour, passive, points, ..PLAIN }.check();
                }
            }
        }
    }
}

#[test]
fn the_reference_contest_has_the_law_of_the_rulebook() {
    Volley { shots: 4, passive: Some(5), points: 12, ..PLAIN }.check();
}

#[test]
fn specials_have_the_law_of_the_rulebook() {
    for resilient in [false, true] {
        for passive in [None, Some(4)] {
            let base = Volley { shots: 3, points: 5, passive, resilient, ..PLAIN };
            Volley { destroyer: Some(5), ..base.clone() }.check();
            for (needed, from) in [(5, 3), (5, 6), (7, 5), (7, 6)] {
                for destroyer_hits in [false, true] {
                    Volley { destroyer: Some(from), destroyer_hits, needed, ..base.clone() }
                        .check();
                }
            }
            Volley { devastator: 3, ..base.clone() }.check();
            Volley { penetrative: true, armour: 20, ..base.clone() }.check();
            Volley { area: true, needed: 5, ..base.clone() }.check();
            Volley { area: true, needed: 7, ..base.clone() }.check();
        }
    }
}

#[test]
fn models_are_hit_one_at_a_time_or_evenly() {
    for even in [false, true] {
        for passive in [None, Some(5)] {
            for points in [1, 2, 3] {
                let base = Volley { shots: 4, models: 3, points, passive, even, ..PLAIN };
                base.check();
                Volley { devastator: 2, ..base }.check();
            }
        }
    }
}

#[test]
fn a_contest_without_armour_or_energy_is_refused() {
    let refused = |toml| try_contest("dropzone", "shoot", toml).expect_err("something is missing");
    assert_eq!(refused("shots = 1\naccuracy = 3\nenergy = 8")[0].path, "armour");
    assert_eq!(refused("shots = 1\naccuracy = 3\narmour = 8")[0].path, "energy");
    assert_eq!(refused("shots = 1\nenergy = 3\narmour = 8")[0].path, "accuracy");
    let open = "weapon = 'Shaltari/Tarantula Battlewalker/Gravity Cannon'\narmour = 8";
    assert_eq!(refused(open)[0].path, "energy");
}
