//! Best Focus by brute force: every number of merged hits is resolved in full and the best one is
//! selected. Only the entry point of `enfilade_games` is used.

use std::collections::BTreeMap;

use crate::harness::play::try_contest;
use crate::harness::walk::law_in;

/// Volley of a weapon with Focus in plain numbers.
#[derive(Clone, Debug)]
struct Focus {
    shots: usize,
    needed: i32,
    energy: i32,
    gain: i32,
    armour: i32,
    passive: Option<i32>,
    models: usize,
    points: i32,
    /// Whether the target is scenery, to which a Critical does 1 damage.
    scenery: bool,
}

const PLAIN: Focus = Focus {
    shots: 4,
    needed: 2,
    energy: 8,
    gain: 3,
    armour: 15,
    passive: None,
    models: 1,
    points: 1,
    scenery: false,
};

/// Chances by (damage, models destroyed).
type Chances = BTreeMap<(i32, i32), f64>;

impl Focus {
    /// Returns the distribution when hits are merged by `number`, the remaining ones together.
    fn merged(&self, number: usize) -> Chances {
        let hit = f64::from((7 - self.needed).clamp(0, 6)) / 6.0;
        let mut chances = Chances::new();
        // Every row of hits and misses.
        for row in 0_u32..1 << self.shots {
            let hits = row.count_ones() as usize;
            let chance = hit.powi(hits as i32) * (1.0 - hit).powi((self.shots - hits) as i32);
            let mut groups = vec![number; hits / number];
            groups.extend((!hits.is_multiple_of(number)).then_some(hits % number));
            let squad = vec![self.points; self.models];
            self.resolve(&groups, squad, chance, &mut chances);
        }
        chances
    }

    fn resolve(&self, groups: &[usize], squad: Vec<i32>, chance: f64, chances: &mut Chances) {
        let Some((&group, rest)) = groups.split_first() else {
            let lost = self.points * self.models as i32 - squad.iter().sum::<i32>();
            let gone = squad.iter().filter(|&&left| left == 0).count() as i32;
            *chances.entry((lost, gone)).or_insert(0.0) += chance;
            return;
        };
        for face in 1..=6 {
            let total = face + self.energy + self.gain * (group as i32 - 1);
            let strength = match total - self.armour {
                2.. if !self.scenery => 2,
                0.. => 1,
                _ => 0,
            };
            for (kept, share) in self.kept(strength) {
                let mut squad = squad.clone();
                // One model is hit until it is gone.
                let standing = squad.iter_mut().filter(|left| **left > 0);
                if let Some(left) = standing.min_by_key(|left| **left) {
                    *left = (*left - kept).max(0);
                }
                self.resolve(rest, squad, chance * share / 6.0, chances);
            }
        }
    }

    /// Returns the points of `strength` that countermeasures leave, with their chances.
    fn kept(&self, strength: i32) -> Vec<(i32, f64)> {
        let stands = self.passive.map_or(1.0, |x| f64::from(x - 1) / 6.0);
        match strength {
            0 => vec![(0, 1.0)],
            1 => vec![(0, 1.0 - stands), (1, stands)],
            _ => vec![
                (0, (1.0 - stands).powi(2)),
                (1, 2.0 * stands * (1.0 - stands)),
                (2, stands * stands),
            ],
        }
    }

    /// Returns the best number and its distribution: most damage, then most models, then the fewest
    /// merged hits.
    fn best(&self) -> (usize, Chances) {
        let expected = |chances: &Chances| {
            let sums = chances.iter().fold((0.0, 0.0), |(damage, gone), (key, p)| {
                (damage + p * f64::from(key.0), gone + p * f64::from(key.1))
            });
            // Rounded, so that sums that differ only by rounding are equal.
            ((sums.0 * 1e9).round() as i64, (sums.1 * 1e9).round() as i64)
        };
        let laws = (1..=self.shots).map(|number| (number, self.merged(number)));
        // The last of equals is taken, so the fewest come last.
        let laws: Vec<_> = laws.collect::<Vec<_>>().into_iter().rev().collect();
        let best = laws.into_iter().max_by_key(|(_, law)| expected(law));
        best.expect("there is a shot")
    }

    fn toml(&self) -> String {
        let passive = self.passive.map_or(String::new(), |x| format!("passive = {x}\n"));
        format!(
            "focus = 'best'\nshots = {}\naccuracy = {}\nenergy = {}\nspecials = ['Focus-{}']\n\
             armour = {}\ncount = {}\ndamage_points = {}\n{passive}",
            self.shots, self.needed, self.energy, self.gain, self.armour, self.models, self.points
        )
    }

    fn check(&self) -> usize {
        let (number, expected) = self.best();
        let toml = self.toml();
        let told = law_in("dropzone", "shoot", &toml, &["damage", "destroyed"]);
        for (&(damage, gone), p) in &expected {
            let q = told.chance_over_rows(|o| o == [damage, gone]);
            // The oracle adds up to 10⁷ rounded chances.
            assert!((p - q).abs() < 1e-8, "{self:?}, {number} merged: {p} {q}");
        }
        let notes = try_contest("dropzone", "shoot", &toml).expect("sound").notes;
        if self.shots == 1 {
            assert!(notes.is_empty());
            return number;
        }
        let said = match number {
            1 => "Focus: no hits are merged".to_owned(),
            _ => format!("Focus: {number} hits are merged"),
        };
        assert!(notes[0].starts_with(&said), "{self:?}: {notes:?}");
        number
    }
}

#[test]
fn the_best_number_of_hits_is_merged() {
    let mut met = [0; 6];
    for shots in 1..=5 {
        for needed in [1, 2, 4, 7] {
            for armour in [9, 12, 13, 15, 18] {
                for passive in [None, Some(4)] {
                    for (models, points) in [(1, 1), (1, 3), (3, 1), (2, 2)] {
                        let volley =
                            Focus { shots, needed, armour, passive, models, points, ..PLAIN };
                        met[volley.check()] += 1;
                    }
                }
            }
        }
    }
    assert!(met[1..].iter().all(|&times| times > 0), "{met:?}");
}

/// Scenery is hit on 2 and more, whatever the accuracy; without tokens its damage is that of the
/// volley.
#[test]
fn hits_at_scenery_are_merged_as_given_or_as_is_best() {
    let mut met = [0; 6];
    for shots in 1..=4 {
        for (armour, points) in [(9, 3), (12, 2), (13, 3), (15, 1), (18, 2)] {
            let piece = Focus { shots, armour, points, scenery: true, ..PLAIN };
            let shot = |how: &str| {
                let toml = format!(
                    "shots = {shots}\naccuracy = 5\nenergy = 8\nspecials = ['Focus-3']\n\
                     armour = {armour}\ndamage_points = {points}\n{how}"
                );
                law_in("dropzone", "demolish", &toml, &["damage"])
            };
            let same = |how: &str, expected: &Chances| {
                let told = shot(how);
                for (&(damage, _), p) in expected {
                    let q = told.chance_over_rows(|o| o == [damage]);
                    assert!((p - q).abs() < 1e-8, "{piece:?}, {how}: {p} {q}");
                }
            };
            for number in 1..=4 {
                same(&format!("focus_merge = {number}"), &piece.merged(number));
            }
            let (number, best) = piece.best();
            same("focus = 'best'", &best);
            met[number] += 1;
        }
    }
    assert!(met[1..4].iter().all(|&times| times > 0), "{met:?}");
}

/// By hand: both shots must hit, (5/6)², and energy 3 + 2 reaches armour 10 on 5 and 6.
#[test]
fn two_hits_merged_hurt_a_large_building() {
    let toml = "shots = 2\naccuracy = 1\nenergy = 3\nspecials = ['Focus-2']\nfocus_merge = 2\n";
    for (action, at) in [("demolish", "piece"), ("shoot", "target")] {
        let toml = format!("{toml}{at} = 'large building'");
        let told = law_in("dropzone", action, &toml, &["damage"]);
        assert!((told.chance_over_rows(|o| o[0] > 0) - 25.0 / 108.0).abs() < 1e-12, "{action}");
    }
}

#[test]
fn merged_hits_damage_what_single_hits_cannot() {
    // By hand: three merged, energy 14, always damage armour 15; two, energy 11, on 4 and more.
    let law = |extra: &str| {
        let toml = format!("{}{extra}", PLAIN.toml());
        law_in("dropzone", "shoot", &toml, &["damage"])
    };
    let hits = |ways: i32, hits: i32| f64::from(ways * 5_i32.pow(hits as u32)) / 1296.0;
    let expected = hits(6, 2) / 2.0 + hits(4, 3) + hits(1, 4);
    assert!((law("").chance_over_rows(|o| o[0] == 1) - expected).abs() < 1e-12);
    // Hazard Suits: three shots that always hit, energy 7 + 4 against 15.
    let suits = "weapon = 'UCM/Hazard Suits/Compact Railguns'\ntarget = 'UCM/Sabre Tank'\n";
    let chance = |how: &str| {
        let toml = format!("{suits}{how}");
        law_in("dropzone", "shoot", &toml, &["damage"]).chance_over_rows(|o| o[0] == 1)
    };
    assert_eq!((chance(""), chance("focus = 'best'")), (0.0, 0.5));
}

/// Returns the squads of `models` of `points` each after a volley of `shots` that merges by
/// `number`, with the chances.
fn left_after(volley: &Focus, number: usize, squad: &[i32]) -> Vec<(Vec<i32>, f64)> {
    let hit = f64::from((7 - volley.needed).clamp(0, 6)) / 6.0;
    let mut left: Vec<(Vec<i32>, f64)> = Vec::new();
    for row in 0_u32..1 << volley.shots {
        let hits = row.count_ones() as usize;
        let chance = hit.powi(hits as i32) * (1.0 - hit).powi((volley.shots - hits) as i32);
        let mut groups = vec![number; hits / number];
        groups.extend((!hits.is_multiple_of(number)).then_some(hits % number));
        let mut squads = vec![(squad.to_vec(), chance)];
        for group in groups {
            let strike = |(squad, chance): (Vec<i32>, f64)| {
                (1..=6).flat_map(move |face| {
                    let total = face + volley.energy + volley.gain * (group as i32 - 1);
                    let points = match total - volley.armour {
                        2.. => 2,
                        0.. => 1,
                        _ => 0,
                    };
                    let mut squad = squad.clone();
                    let standing = squad.iter_mut().filter(|left| **left > 0);
                    if let Some(left) = standing.min_by_key(|left| **left) {
                        *left = (*left - points).max(0);
                    }
                    [(squad, chance / 6.0)]
                })
            };
            squads = squads.into_iter().flat_map(strike).collect();
        }
        left.extend(squads);
    }
    left
}

/// Both sides of an engagement decide how many hits they merge by their first volley, and keep to
/// it: checked against every face of every die of both volleys, the target's with the models that
/// are left.
#[test]
fn sides_of_an_engagement_merge_what_is_best_in_their_first_volley() {
    let mut met = BTreeMap::new();
    for (armour, points) in [(9, 3), (12, 2), (13, 2), (15, 2), (18, 1)] {
        for (own_armour, needed) in [(10, 2), (14, 3), (15, 1)] {
            // One model of three shots against two models of two shots each.
            let attack = Focus { shots: 3, needed, armour, models: 2, points, ..PLAIN };
            let whole = Focus { shots: 4, armour: own_armour, points: 3, ..PLAIN };
            let (by, back) = (attack.best().0, whole.best().0);
            *met.entry((by, back)).or_insert(0) += 1;
            let mut expected = Chances::new();
            for (squad, p) in left_after(&attack, by, &[points, points]) {
                let alive = squad.iter().filter(|left| **left > 0).count();
                let lost = 2 * points - squad.iter().sum::<i32>();
                let answer = Focus { shots: 2 * alive, ..whole.clone() };
                for (own, q) in left_after(&answer, back, &[3]) {
                    *expected.entry((lost, 3 - own[0])).or_insert(0.0) += p * q;
                }
            }
            let weapon = "energy = 8\nspecials = ['Focus-3']\nfocus = 'best'\n";
            let toml = format!(
                "{weapon}shots = 3\naccuracy = {needed}\narmour = {armour}\ncount = 2\ndamage_points = {points}\n\
                 [shooter]\narmour = {own_armour}\ndamage_points = 3\n[return_fire]\n{weapon}shots = 2\naccuracy = 2"
            );
            let told = law_in("dropzone", "engagement", &toml, &["damage", "shooter_damage"]);
            for (&(damage, own), p) in &expected {
                let q = told.chance_over_rows(|o| o == [damage, own]);
                assert!(
                    (p - q).abs() < 1e-9,
                    "{toml}\n{by} {back} merged, {damage} {own}: {p} {q}"
                );
            }
            let notes = try_contest("dropzone", "engagement", &toml).expect("sound").notes;
            assert!(notes.last().is_some_and(|note| note.starts_with("return fire: Focus: ")));
        }
    }
    assert!(met.len() > 3, "{met:?}");
}

#[test]
fn best_is_said_where_it_is_chosen_and_refused_where_it_cannot_be() {
    let notes = |toml: &str| try_contest("dropzone", "shoot", toml).map(|contest| contest.notes);
    let plain = "shots = 1\naccuracy = 2\nenergy = 9\narmour = 9\nfocus = 'best'\n";
    assert_eq!(notes(plain), Ok(Vec::new()));
    // One shot, or none at a target out of reach, leaves nothing to choose.
    let beam = "weapon = 'Scourge/Vampire/Cutting Beam'\ntarget = 'UCM/Sabre'\nfocus = 'best'\n";
    assert_eq!(notes(beam), Ok(Vec::new()));
    let carbines =
        "weapon = 'PHR/Diana/Molecular Agitator'\ntarget = 'UCM/Sabre'\nrange = 40\nfocus = 'best'";
    let told = notes(carbines).expect("sound");
    assert_eq!(told, ["the target is out of reach: no shot is fired"]);
    let told = notes(&format!("{}focus_merge = 2", PLAIN.toml())).expect("sound");
    assert!(told.contains(
        &"the number of hits that Focus merges changes nothing: the best one is taken".to_owned()
    ));
    let large = "shots = 200\nsquad = 16\naccuracy = 2\nenergy = 3\nspecials = ['Focus-1']\narmour = 9\n\
                 damage_points = 200\npassive = 4\nfocus = 'best'";
    let faults = notes(large).expect_err("it is too large");
    assert_eq!(faults[0].path, "focus");
}
