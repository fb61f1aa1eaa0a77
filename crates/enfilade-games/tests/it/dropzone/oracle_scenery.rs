//! Collateral damage and the fall of scenery typed from the quick reference and resolved by brute
//! force, die by die, in floating point: a token may leave tokens, two squads may be inside, and
//! the 2D3 of the fall may be rolled once or for each.

use std::collections::BTreeMap;

use crate::harness::walk::law_in;

/// Piece with squads of one model inside.
struct Garrison {
    armour: i32,
    points: i32,
    tokens: u32,
    round_ups: u32,
    energy: i32,
    energy_inside: i32,
    /// Number of tokens that a Critical of a token's hit leaves.
    criticals: u32,
    rubble_once: bool,
    /// Armour and Damage Points of each squad.
    squads: Vec<(i32, i32)>,
}

/// State of the piece and the squads, and the number of unresolved tokens.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Table {
    piece: i32,
    tokens: u32,
    due: u32,
    squads: Vec<i32>,
}

type Chances = BTreeMap<Table, f64>;

fn add(chances: &mut Chances, table: Table, p: f64) {
    *chances.entry(table).or_insert(0.0) += p;
}

/// Returns the damage of a die with this energy on this armour.
fn wound(face: i32, energy: i32, armour: i32) -> i32 {
    match face + energy - armour {
        ..0 => 0,
        0..2 => 1,
        _ => 2,
    }
}

impl Garrison {
    /// Returns the distribution of (damage, tokens, damage inside).
    fn law(&self) -> BTreeMap<Vec<i32>, f64> {
        let open = Table {
            piece: self.points,
            tokens: self.tokens,
            due: 0,
            squads: self.squads.iter().map(|&(_, points)| points).collect(),
        };
        let mut chances = Chances::from([(open, 1.0)]);
        for _ in 0..self.round_ups {
            chances = self.round_up(chances);
        }
        let mut law = BTreeMap::new();
        let full: i32 = self.squads.iter().map(|&(_, points)| points).sum();
        for (table, p) in self.fallen(chances) {
            let tokens = if table.piece == 0 { 0 } else { table.tokens };
            let inside = full - table.squads.iter().sum::<i32>();
            let key = vec![self.points - table.piece, tokens as i32, inside];
            *law.entry(key).or_insert(0.0) += p;
        }
        law
    }

    fn round_up(&self, chances: Chances) -> Chances {
        let mut done = Chances::new();
        let mut open = Chances::new();
        for (mut table, p) in chances {
            table.due = table.tokens;
            add(&mut open, table, p);
        }
        while let Some((mut table, p)) = open.pop_first() {
            if table.due == 0 || table.piece == 0 {
                table.due = 0;
                add(&mut done, table, p);
                continue;
            }
            for face in 1..=6 {
                for (after, q) in self.inside(self.token(&table, face)) {
                    add(&mut open, after, p * q / 6.0);
                }
            }
        }
        done
    }

    fn token(&self, table: &Table, face: i32) -> Table {
        let mut table = table.clone();
        table.due -= 1;
        let hit = wound(face, self.energy, self.armour);
        if hit == 0 && face < 6 {
            table.tokens -= 1;
            return table;
        }
        table.piece -= 1;
        if hit == 2 && self.criticals > 0 {
            table.tokens += self.criticals;
            if table.squads.iter().any(|&left| left > 0) {
                table.due = table.tokens;
            }
        }
        table
    }

    /// Returns the states after the token's hit on one of the squads inside.
    fn inside(&self, table: Table) -> Vec<(Table, f64)> {
        let alive: Vec<_> = (0..self.squads.len()).filter(|&i| table.squads[i] > 0).collect();
        if alive.is_empty() {
            return vec![(table, 1.0)];
        }
        let mut hits = Vec::new();
        for &i in &alive {
            for face in 1..=6 {
                let mut table = table.clone();
                let hit = wound(face, self.energy_inside, self.squads[i].0);
                let hit = hit.max(i32::from(face == 6));
                table.squads[i] = (table.squads[i] - hit).max(0);
                hits.push((table, 1.0 / 6.0 / alive.len() as f64));
            }
        }
        hits
    }

    /// Returns the states after the hits of the fall on the squads inside.
    fn fallen(&self, chances: Chances) -> Chances {
        let mut after = Chances::new();
        for (table, p) in chances {
            if table.piece > 0 {
                add(&mut after, table, p);
                continue;
            }
            let here = Chances::from([(table, p)]);
            let crushed = match self.rubble_once {
                true => mixed(two_d3().map(|hits| {
                    let squads = 0..self.squads.len();
                    squads.fold(here.clone(), |chances, i| self.crush(chances, i, hits))
                })),
                false => (0..self.squads.len()).fold(here, |chances, i| {
                    mixed(two_d3().map(|hits| self.crush(chances.clone(), i, hits)))
                }),
            };
            crushed.into_iter().for_each(|(t, p)| add(&mut after, t, p));
        }
        after
    }

    /// Applies `hits` of the fall to squad `i`.
    fn crush(&self, mut chances: Chances, i: usize, hits: i32) -> Chances {
        for _ in 0..hits {
            let mut next = Chances::new();
            for (table, p) in chances {
                for face in 1..=6 {
                    let mut table = table.clone();
                    let hit = wound(face, self.armour, self.squads[i].0);
                    table.squads[i] = (table.squads[i] - hit).max(0);
                    add(&mut next, table, p / 6.0);
                }
            }
            chances = next;
        }
        chances
    }

    fn toml(&self) -> String {
        let mut text = format!(
            "armour = {}\ndamage_points = {}\ntokens = {}\nround_ups = {}\ntoken_criticals = {}\n\
             flammable = {}\nflammable_inside = {}\nrubble = '{}'\n",
            self.armour,
            self.points,
            self.tokens,
            self.round_ups,
            self.criticals,
            self.energy == 2,
            self.energy_inside == 2,
            if self.rubble_once { "once" } else { "each" },
        );
        for (armour, points) in &self.squads {
            text += &format!("[[occupant]]\narmour = {armour}\ndamage_points = {points}\n");
        }
        text
    }

    fn check(&self) {
        let toml = self.toml();
        let fields = ["damage", "tokens", "occupant_damage"];
        let told = law_in("dropzone", "collateral", &toml, &fields);
        let expected = self.law();
        let sum: f64 = expected.values().sum();
        assert!((sum - 1.0).abs() < 1e-12, "{toml}{sum}");
        assert!(told.rows.keys().eq(expected.keys()), "{toml}");
        for (key, p) in &expected {
            let q = told.chance_over_rows(|outcome| outcome == key.as_slice());
            assert!((p - q).abs() < 1e-12, "{toml}{key:?}: {p} {q}");
        }
    }
}

/// Mixes nine equally likely distributions.
fn mixed(laws: impl Iterator<Item = Chances>) -> Chances {
    let mut mixed = Chances::new();
    for (table, p) in laws.flatten() {
        add(&mut mixed, table, p / 9.0);
    }
    mixed
}

/// Returns the nine sums of two D3.
fn two_d3() -> impl Iterator<Item = i32> {
    (1..=3).flat_map(|a| (1..=3).map(move |b| a + b))
}

#[test]
fn collateral_damage_has_the_law_of_the_rulebook() {
    let squads = [vec![], vec![(9, 3)], vec![(9, 2), (7, 1)]];
    for (squads, armour) in squads.iter().flat_map(|s| [7, 8, 10].map(|a| (s, a))) {
        for criticals in [0, 1, 2] {
            for (energy, energy_inside) in [(4, 4), (2, 2), (2, 4)] {
                Garrison {
                    armour,
                    points: 3,
                    tokens: 2,
                    round_ups: 2,
                    energy,
                    energy_inside,
                    criticals,
                    rubble_once: false,
                    squads: squads.clone(),
                }
                .check();
            }
        }
    }
}

#[test]
fn the_fall_of_a_garrison_has_the_law_of_the_rulebook() {
    for rubble_once in [false, true] {
        for squads in [vec![(11, 3)], vec![(10, 2), (11, 2)]] {
            Garrison {
                armour: 8,
                points: 1,
                tokens: 1,
                round_ups: 1,
                energy: 4,
                energy_inside: 4,
                criticals: 0,
                rubble_once,
                squads,
            }
            .check();
        }
    }
}
