//! Custom unit cards, and attacks by action points, by brute force: a card is a row of cells that
//! are open or crossed, every attack is all 36 · 36 rolls. Numbers are typed from the text.

use std::collections::BTreeMap;

use crate::harness::play::try_contest;
use crate::harness::walk::{CountedDistribution, law_in};
use crate::skirmishers::oracle::sums;

/// Custom card by its columns, from the highest cell to cell 1.
struct Own {
    ap: &'static [i32],
    modifiers: &'static [i32],
    /// Cells for the sums 2 to 12.
    hit_cells: Option<[usize; 11]>,
}

/// Card with twelve cells above 0.
const OGRE: Own = Own {
    ap: &[9, 9, 9, 8, 8, 8, 7, 6, 5, 4, 3, 2],
    modifiers: &[0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4],
    hit_cells: None,
};

/// Card with four cells above 0, and a separate table: only 2 and 3 hit the head.
const RAT: Own = Own {
    ap: &[6, 5, 3, 1],
    modifiers: &[0, 1, 2, 3],
    hit_cells: Some([0, 1, 4, 4, 3, 3, 2, 2, 4, 4, 4]),
};

impl Own {
    fn toml(&self) -> String {
        let cells = self.hit_cells.map(|cells| format!("\nhit_cells = {cells:?}"));
        let cells = cells.unwrap_or_default();
        format!("[card]\nap = {:?}\nmodifiers = {:?}{cells}", self.ap, self.modifiers)
    }

    fn top(&self) -> usize {
        self.ap.len()
    }

    /// Returns the label of the cell that a hit starts from.
    fn start(&self, sum: usize) -> usize {
        self.hit_cells.map_or(sum.min(self.top()), |cells| cells[sum - 2])
    }

    /// Returns the open cells by label, and whether the trooper is dead, after this many points
    /// from a cell.
    fn hit(&self, open: &[bool], start: usize, points: usize) -> (Vec<bool>, bool) {
        let mut after = open.to_vec();
        let mut left = points;
        for label in (0..=start).rev() {
            if left > 0 && after[label] {
                after[label] = false;
                left -= 1;
            }
        }
        let dead = left > 0 || !after[0];
        (after, dead)
    }

    fn hp(&self, open: &[bool]) -> usize {
        let lowest = open.iter().position(|open| !open);
        lowest.map_or(self.top(), |label| label.saturating_sub(1))
    }

    /// Returns the distribution of hits, dead, out of action, HP, AP and modifier.
    fn law(&self, needed: usize, points: usize, shots: u32, lost: usize) -> CountedDistribution {
        let mut fresh = vec![true; self.top() + 1];
        let whole = self.top() + 1 - lost;
        fresh[whole..].fill(false);
        let mut states = BTreeMap::from([((fresh, false, 0), 1_u128)]);
        for _ in 0..shots {
            let mut next = BTreeMap::new();
            for ((open, dead, hits), n) in states {
                for (roll, ways) in sums() {
                    for (sum, more) in sums() {
                        let struck = roll >= needed && !dead;
                        let (after, died) = match struck {
                            true => self.hit(&open, self.start(sum), points),
                            false => (open.clone(), dead),
                        };
                        let key = (after, died, hits + i32::from(struck));
                        *next.entry(key).or_insert(0) += n * ways * more;
                    }
                }
            }
            states = next;
        }
        let mut outcomes = BTreeMap::new();
        for ((open, dead, hits), n) in states {
            let hp = if dead { 0 } else { self.hp(&open) };
            let column = |of: &[i32]| if hp == 0 { 0 } else { of[self.top() - hp] };
            let row = vec![
                hits,
                dead.into(),
                i32::from(!dead && hp == 0),
                hp as i32,
                column(self.ap),
                column(self.modifiers),
            ];
            *outcomes.entry(row).or_insert(0) += n;
        }
        CountedDistribution::from_rows(outcomes)
    }
}

const FIELDS: [&str; 6] = ["hits", "dead", "out_of_action", "hp", "ap", "modifier"];

#[test]
fn cards_of_ones_own_have_the_law_of_their_cells() {
    for card in [&OGRE, &RAT] {
        for (points, shots, lost) in [(2, 3, 0), (5, 2, 0), (13, 2, 0), (3, 2, 2)] {
            let hp = card.top() - lost;
            let toml = format!(
                "damage = '{points}X'\nmodifier = 1\nshots = {shots}\ntarget_hp = {hp}\n{}",
                card.toml()
            );
            let told = law_in("skirmishers", "attack", &toml, &FIELDS);
            assert_eq!(told, card.law(7, points, shots, lost), "{toml}");
        }
    }
}

#[test]
fn an_explosion_marks_the_card_that_is_given() {
    // One man on the aimed dot, which a modifier of -9 always hits.
    for card in [&OGRE, &RAT] {
        let toml = format!("damage = '4X'\nkind = 'launcher'\nmodifier = -9\n{}", card.toml());
        let told = law_in("skirmishers", "explosion", &toml, &["dead", "out_of_action"]);
        let law = card.law(2, 4, 1, 0);
        for (dead, out) in [(0, 0), (1, 0), (0, 1)] {
            let here = told.chance_over_rows(|o| o == [dead, out]);
            let there = law.chance_over_rows(|o| (o[1], o[2]) == (dead, out));
            assert!((here - there).abs() < 1e-12, "{toml}: {here} {there}");
        }
    }
}

#[test]
fn barbed_wire_and_duels_mark_the_card_that_is_given() {
    // A card with the single cell 1 above 0, from which every hit goes on: one point ends him.
    let frail = "ap = [8]\nmodifiers = [0]\nhit_cells = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]";
    // Two marks of bludgeoning cross a cell, so one die of it never does, but what runs past cell 0
    // kills: of the six faces 1 and 2 half cross cells 1 and 0, and 3 and more run past.
    let toml = format!("turns = 1\n[card]\n{frail}");
    let told = law_in("skirmishers", "barbed-wire", &toml, &["hp"]);
    assert!((told.chance_over_rows(|o| o[0] == 0) - 4.0 / 6.0).abs() < 1e-12);
    // 5X kills a frail man wherever it hits, and the crew's rifleman needs one hit for a frail
    // gunner.
    let duel = |extra: &str| {
        let toml =
            format!("weapon = 'LMG'\nrange = 20\ntroopers = 1\nmoves = 1\ncrew = 1\n{extra}");
        let told = law_in("skirmishers", "crewed-duel", &toml, &["troopers_left", "crew_left"]);
        (told.chance_over_rows(|o| o[0] == 0), told.chance_over_rows(|o| o[1] == 0))
    };
    // He is hit in 26 of 36; who stands answers with 6 + 2: 15 of 36.
    let both = duel(&format!("[card]\n{frail}\n[crew_card]\n{frail}"));
    assert!((both.0 - 26.0 / 36.0).abs() < 1e-12, "{both:?}");
    assert!((both.1 - 10.0 / 36.0 * 15.0 / 36.0).abs() < 1e-12, "{both:?}");
    // A rifle's 4X puts a whole gunner out from cell 4 (3 of 36), and kills him from below (3 of
    // 36).
    let squad = duel(&format!("[card]\n{frail}"));
    assert!((squad.1 - 10.0 / 36.0 * 15.0 / 36.0 * 6.0 / 36.0).abs() < 1e-12, "{squad:?}");
}

#[test]
fn a_duel_begins_unhurt_where_a_card_has_the_wounded_shoot_better() {
    let card = "modifiers = [2, 1, 1, 1, 1, 1, 1, 1, 1, 1]";
    let gone = |toml: &str| {
        let told = law_in("skirmishers", "crewed-duel", toml, &["troopers_left", "crew_left"]);
        (told.chance_over_rows(|o| o[0] == 0), told.chance_over_rows(|o| o[1] == 0))
    };
    // Unhurt he answers on the move with 6 + 2 + 2, 6 of 36; a rifle's 4X ends a gunner from cells
    // 2 to 4, 6 of 36.
    let squad = format!(
        "weapon = 'LMG'\nrange = 20\ntroopers = 1\nmoves = 1\nattacks_per_move = 0\n[card]\n{card}"
    );
    assert!((gone(&squad).1 - 6.0 / 36.0 * 6.0 / 36.0).abs() < 1e-12);
    // Every hit ends a man of a single cell. The unhurt gunner needs 6 + 2: 15 of 36. Unless he
    // ends the man, a rifle that cannot miss wounds him: 6 of 36 put him out and another takes over
    // unhurt for the second activation, the others leave him standing, who then needs 6 + 1: 21 of
    // 36.
    let crew = format!(
        "weapon = 'LMG'\ncrew = 2\nrange = 20\nclosing = 0\ntroopers = 1\nmoves = 2\n\
         take_over_begins = 'with-this-activation'\n[crew_card]\n{card}\n[answer]\nmodifier = -12\n\
         [card]\nap = [8]\nmodifiers = [0]\nhit_cells = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"
    );
    let second = 6.0 / 36.0 * 15.0 / 36.0 + 30.0 / 36.0 * 21.0 / 36.0;
    assert!((gone(&crew).0 - (15.0 + 21.0 * second) / 36.0).abs() < 1e-12);
}

#[test]
fn the_attackers_card_has_his_modifier() {
    // HP 1 of the rat: +3, so 9 or more on 2d6, 10 of 36.
    let toml = "weapon = 'rifle'\nrange = 20\nattacker_hp = 1\n\
                [attacker_card]\nap = [6, 5, 3, 1]\nmodifiers = [0, 1, 2, 3]";
    let told = law_in("skirmishers", "attack", toml, &["hits"]);
    assert!((told.chance_over_rows(|o| o[0] == 1) - 10.0 / 36.0).abs() < 1e-12);
    let told = law_in(
        "skirmishers",
        "breach",
        &format!(
            "kind = 'launcher'\ndamage = '9X'\nrounds = 1\ntoughness = 5\nlarge_target = false\n{}",
            toml.replace("weapon = 'rifle'\n", "")
        ),
        &["rounds"],
    );
    assert!((told.chance_over_rows(|o| o[0] == 1) - 10.0 / 36.0).abs() < 1e-12);
}

/// Returns the largest possible number of hits, which is the number of attacks.
fn most(action: &str, toml: &str) -> i32 {
    let field = if action == "attack" { "hits" } else { "hit" };
    let told = law_in("skirmishers", action, &format!("{toml}\nmodifier = -9"), &[field]);
    told.rows.keys().map(|row| row[0]).max().expect("an outcome")
}

#[test]
fn action_points_say_how_many_attacks_there_are() {
    // Twenty men to fire at, none of whom is hit twice.
    let attacks =
        |toml: &str| most("attack", &format!("targets = 20\nallocation = 'spread'\n{toml}"));
    // 8 AP: one blow of 5 in an activation; an elite has 10 and two.
    assert_eq!(attacks("weapon = 'knife'\nactivations = 1"), 1);
    assert_eq!(attacks("weapon = 'knife'\nactivations = 3\nattacker_experience = 'elite'"), 6);
    // Movement Fire: 2 AP. 8, 9, 7 and, in heavy armour, 5; at HP 1 there are 4.
    let moving = |toml: &str| {
        attacks(&format!("weapon = 'rifle'\nmovement_fire = true\nactivations = 1\n{toml}"))
    };
    assert_eq!(moving(""), 4);
    assert_eq!(moving("attacker_experience = 'veteran'"), 4);
    assert_eq!(moving("attacker_experience = 'green'"), 3);
    assert_eq!(moving("attacker_armour = 'heavy'"), 2);
    assert_eq!(moving("attacker_hp = 1"), 2);
    assert_eq!(moving("attacker_ap = 11"), 5);
    assert_eq!(moving("movement_fire_ap = 3"), 2);
    assert_eq!(moving("ap_cost = 8"), 1);
    // Twice as many of an arc of 60 degrees.
    assert_eq!(moving("arc = '60'"), 8);
    assert_eq!(attacks("weapon = 'rifle'\nap_cost = 4\nactivations = 2"), 4);
    // Armour on a green man leaves 4, which is less than 5.
    let toml = "weapon = 'knife'\nactivations = 1\nattacker_armour = 'heavy'\nattacker_experience = 'green'";
    assert_eq!(attacks(toml), 0);
}

#[test]
fn action_points_and_ammunition_say_how_many_rounds_there_are() {
    let rounds = |toml: &str| most("explosion", &format!("troopers = []\n{toml}"));
    for (weapon, activations, expected) in [
        // AP 4, 5, 5, 3, 4, 4 of 8; rounds 1, 2, 1, 4, 4, 2.
        ("light anti-tank", 1, 1),
        ("light anti-tank", 3, 1),
        ("rocket launcher", 1, 1),
        ("rocket launcher", 2, 2),
        ("rocket launcher", 5, 2),
        ("anti-tank missile", 2, 1),
        ("grenade launcher", 1, 2),
        ("grenade launcher", 3, 4),
        ("auto-grenade launcher", 1, 2),
        ("recoilless rifle", 1, 2),
        ("flamethrower", 1, 4),
        ("flamethrower", 2, 8),
        ("heavy flamethrower", 1, 2),
        ("incendiary rocket", 1, 1),
    ] {
        let toml = format!("weapon = '{weapon}'\nactivations = {activations}");
        assert_eq!(rounds(&toml), expected, "{toml}");
    }
    // "A trooper may carry extra ammunition for a single weapon, doubling the ammunition."
    assert_eq!(rounds("weapon = 'rocket launcher'\nactivations = 5\nextra_ammo = true"), 4);
    // A throw costs what is spent on it; Movement Fire costs an explosive no less.
    assert_eq!(rounds("weapon = 'hand grenade'\nactivations = 1\nap_spent = 4"), 2);
    assert_eq!(rounds("weapon = 'hand grenade'\nactivations = 1\nap_spent = 5"), 1);
    assert_eq!(rounds("weapon = 'grenade launcher'\nactivations = 1\nmovement_fire = true"), 2);
    assert_eq!(rounds("weapon = 'grenade launcher'\nactivations = 1\nattacker_hp = 1"), 1);
    let none = try_contest(
        "skirmishers",
        "explosion",
        "weapon = 'rocket launcher'\nactivations = 2\nattacker_hp = 1",
    );
    let none = none.expect("sound");
    assert!(
        none.notes.iter().any(|note| note.contains("4 AP, 5 an attack: 0 attacks")),
        "{:?}",
        none.notes
    );
}

#[test]
fn what_does_not_fit_is_told_at_its_place() {
    let refused = |action: &str, toml: &str| {
        let Err(faults) = try_contest("skirmishers", action, toml) else { panic!("{toml}") };
        faults[0].path.clone()
    };
    for (action, toml, path) in [
        ("attack", "weapon = 'rifle'\nactivations = 1", "ap_cost"),
        ("attack", "weapon = 'knife'\nactivations = 1\nshots = 2", "shots"),
        ("attack", "weapon = 'rifle'\nattacker_experience = 'elite'", "attacker_experience"),
        ("attack", "weapon = 'rifle'\nap_cost = 2", "ap_cost"),
        (
            "attack",
            "weapon = 'SMG'\narc = '150'\nmovement_fire = true\nactivations = 2",
            "activations",
        ),
        ("explosion", "weapon = 'flamethrower'\nactivations = 3", "activations"),
        ("explosion", "weapon = 'grenade launcher'\nactivations = 1\nrounds = 2", "rounds"),
        ("attack", "weapon = 'rifle'\ntarget_hp = 11", "target_hp"),
        ("attack", "weapon = 'rifle'\nattacker_hp = 12", "attacker_hp"),
        (
            "attack",
            "weapon = 'rifle'\ntarget_hp = 3\n[card]\nap = [1, 1]\nmodifiers = [0, 0]",
            "target_hp",
        ),
        ("attack", "weapon = 'rifle'\n[card]\nap = [1, 1]", "card.modifiers"),
        ("explosion", "weapon = 'satchel'\n[card]\nhit_cells = [1]", "card.hit_cells"),
        ("attack", "weapon = 'rifle'\n[attacker_card]\nmodifiers = [1]", "attacker_card.ap"),
        ("crewed-duel", "weapon = 'HMG'\n[crew_card]\nmodifiers = [1]", "crew_card.ap"),
    ] {
        assert_eq!(refused(action, toml), path, "{toml}");
    }
}
