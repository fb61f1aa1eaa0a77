//! `aic`, told in text alone: a team that assaults several, again with what it has left, against
//! dice that are all rolled, sentence by sentence of 6.0 to 6.3, by nested loops.

use std::collections::BTreeMap;

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::AnyCombat;
use enfilade_model::form::Form;
use toml::Table;

use super::chance::Chance;
use super::shipped::rulebook;
use crate::aic::oracle::{CLOSE, Team, share, suffer, volley};
use crate::harness::play::play_scripted;

fn contest(action: &str, toml: &str) -> AnyCombat {
    let action = rulebook("aic").action(action).expect("the action is there");
    let table: Table = toml.parse().unwrap_or_else(|fault| panic!("{fault}\n{toml}"));
    let contest = Form::from_table_with_defaults(&action.fields, &table)
        .and_then(|form| action.build_contest(&form));
    contest.unwrap_or_else(|faults| panic!("{faults:?}\n{toml}")).combat
}

type Chances = BTreeMap<Vec<i32>, f64>;

fn chances(combat: &AnyCombat, fields: &[&str]) -> Chances {
    let heads = combat.outcome_fields();
    let column = |name: &&str| heads.iter().position(|head| head.name == *name).expect("shown");
    let columns: Vec<usize> = fields.iter().map(column).collect();
    let graph =
        DieGraph::compile_within_limits(combat, CompiledContestLimits::default()).expect("small");
    let mut all = Chances::new();
    for (ending, p) in
        graph.endings().iter().zip(&exact::solve_graph_distribution(&graph).probabilities)
    {
        *all.entry(columns.iter().map(|&at| ending.fields[at]).collect()).or_insert(0.0) += p;
    }
    all
}

fn same(found: &Chances, expected: &Chances, of: &str) {
    let rows = found.keys().chain(expected.keys());
    for row in rows {
        let [found, expected] = [found, expected].map(|law| law.get(row).copied().unwrap_or(0.0));
        assert!((found - expected).abs() < 1e-12, "{row:?}: {found} {expected}\n{of}");
    }
}

/// A team as its contest has it.
#[derive(Clone, Debug)]
struct Printed {
    experience: u8,
    /// The best ones first.
    weapons: Vec<u8>,
    wounded: i32,
    /// With its terrain.
    defense: i32,
    in_contact: bool,
}

impl Printed {
    fn whole(&self) -> Team {
        [self.weapons.len() as i32, self.wounded, 0]
    }

    /// The weapon dice of those left: a Wounded marker reduces the smallest that none has reduced.
    fn dice(&self, now: Team) -> Vec<u8> {
        let (figures, wounded) = (now[0] as usize, now[1] as usize);
        let mut dice = self.weapons[..figures].to_vec();
        for die in dice.iter_mut().rev().take(wounded) {
            *die = (*die - 2).max(4);
        }
        dice
    }
}

/// Chances of the attacker and of every other team after so many Assaults.
fn assault(
    attacker: &Printed,
    foes: &[Printed],
    assaults: i32,
) -> BTreeMap<(Team, Vec<Team>), f64> {
    let whole: (Team, Vec<Team>) = (attacker.whole(), foes.iter().map(Printed::whole).collect());
    let mut states = BTreeMap::from([(whole, 1.0)]);
    for target in (0..assaults).flat_map(|_| 0..foes.len()) {
        let mut after = BTreeMap::new();
        for ((own, teams), p) in states {
            if own[0] == 0 || teams[target][0] == 0 || !foes[target].in_contact {
                *after.entry((own, teams)).or_insert(0.0) += p;
                continue;
            }
            let foe = &foes[target];
            let blow = volley(attacker.experience, &attacker.dice(own), foe.defense, CLOSE);
            let back = volley(foe.experience, &foe.dice(teams[target]), attacker.defense, CLOSE);
            let ways = (blow.values().sum::<u128>() * back.values().sum::<u128>()) as f64;
            // The team that is struck first, then the others in the order of the tables.
            let order: Vec<usize> =
                [target].into_iter().chain((0..foes.len()).filter(|&at| at != target)).collect();
            let struck: Vec<Team> = order.iter().map(|&at| teams[at]).collect();
            for (results, n) in &blow {
                let shared = share(&struck, *results, false, 0);
                let mut now = teams.clone();
                order.iter().zip(shared).for_each(|(&at, team)| now[at] = team);
                for (answer, m) in &back {
                    let left = (suffer(own, *answer, false), now.clone());
                    *after.entry(left).or_insert(0.0) += p * (n * m) as f64 / ways;
                }
            }
        }
        states = after;
    }
    states
}

const FIELDS: &[&str] = &["kia", "wounded", "teams_gone", "friendly_kia", "friendly_wounded"];

fn expected(attacker: &Printed, foes: &[Printed], assaults: i32) -> Chances {
    let mut rows = Chances::new();
    for ((own, teams), p) in assault(attacker, foes, assaults) {
        let figures: i32 = foes.iter().map(|foe| foe.whole()[0]).sum();
        let row = vec![
            figures - teams.iter().map(|team| team[0]).sum::<i32>(),
            teams.iter().map(|team| team[1]).sum(),
            teams.iter().filter(|team| team[0] == 0).count() as i32,
            attacker.whole()[0] - own[0],
            own[1],
        ];
        *rows.entry(row).or_insert(0.0) += p;
    }
    rows
}

/// A team as a contest writes it.
fn written(team: &Printed) -> String {
    let weapons: Vec<String> = team.weapons.iter().map(|die| format!("'d{die}'")).collect();
    format!(
        "experience = 'd{}', weapons = [{}], wounded = {}, defense = {}",
        team.experience,
        weapons.join(", "),
        team.wounded,
        team.defense
    )
}

fn toml(attacker: &Printed, foes: &[Printed], assaults: i32) -> String {
    let foe = |foe: &Printed| format!("{{ {}, in_contact = {} }}", written(foe), foe.in_contact);
    let foes: Vec<String> = foes.iter().map(foe).collect();
    format!(
        "assaults = {assaults}\nattacker = {{ {} }}\ndefender = [{}]",
        written(attacker),
        foes.join(", ")
    )
}

fn team(experience: u8, weapons: &[u8], wounded: i32, defense: i32) -> Printed {
    Printed { experience, weapons: weapons.to_vec(), wounded, defense, in_contact: true }
}

#[test]
fn one_team_against_several_is_the_enumerated_law() {
    let attacker = team(8, &[8, 6], 0, 7);
    let out_of_contact = Printed { in_contact: false, ..team(6, &[6], 0, 6) };
    for (foes, assaults) in [
        (vec![team(6, &[6, 6], 1, 7)], 3),
        (vec![team(6, &[6, 6], 0, 7), team(8, &[8], 0, 6)], 1),
        (vec![team(6, &[6, 4], 0, 7), team(8, &[8], 1, 6)], 2),
        (vec![team(6, &[6], 0, 8), out_of_contact, team(4, &[10, 4], 0, 5)], 2),
    ] {
        let toml = toml(&attacker, &foes, assaults);
        let found = chances(&contest("assault", &toml), FIELDS);
        same(&found, &expected(&attacker, &foes, assaults), &toml);
    }
}

fn by_lot(chance: &mut Chance, most: i64) -> Printed {
    let die = |chance: &mut Chance| 2 * chance.from(2, 5) as u8;
    let mut weapons: Vec<u8> = (0..chance.from(1, most)).map(|_| die(chance)).collect();
    weapons.sort_unstable_by(|a, b| b.cmp(a));
    let wounded = chance.from(0, weapons.len() as i64) as i32;
    let (experience, defense) = (die(chance), chance.from(4, 9) as i32);
    Printed { experience, weapons, wounded, defense, in_contact: !chance.holds(20) }
}

#[test]
fn teams_by_lot_are_the_enumerated_law() {
    let mut chance = Chance::of("assault");
    for _ in 0..30 {
        let attacker = by_lot(&mut chance, 3);
        let foes: Vec<Printed> = (0..chance.from(1, 3)).map(|_| by_lot(&mut chance, 2)).collect();
        let assaults = chance.from(1, 2) as i32;
        let toml = toml(&attacker, &foes, assaults);
        let found = chances(&contest("assault", &toml), FIELDS);
        same(&found, &expected(&attacker, &foes, assaults), &toml);
    }
}

/// One Assault on one team, others of its squad out of contact, is close combat.
#[test]
fn one_assault_on_one_team_is_close_combat() {
    let attacker =
        "attacker = { experience = 'd8', weapons = ['d8', 'd6', 'd6'], wounded = 1, defense = 7 }";
    let target =
        "experience = 'd6', weapons = ['d6', 'd6'], defense = 6, cover = 'medium', cowering = true";
    let fields = ["kia", "wounded", "pins", "friendly_kia", "friendly_wounded"];
    for more in
        ["", "casualty_adds_pin = true", "spread = 'one'\nkia_margin = 4", "overkill = 'passes-on'"]
    {
        let close = format!(
            "{more}\n{attacker}\ndefender = {{ {target}, squadmate = [{{ figures = 2 }}, {{ figures = 3, wounded = 1 }}] }}"
        );
        let assault = format!(
            "{more}\n{attacker}\ndefender = [{{ {target} }}, {{ figures = 2, in_contact = false }}, \
             {{ figures = 3, wounded = 1, in_contact = false }}]"
        );
        let found = chances(&contest("assault", &assault), &fields);
        same(&found, &chances(&contest("close-combat", &close), &fields), more);
    }
}

/// The example of 6.0, and a second Assault. d8 6 and d6 1, 2, 5, 6 are 7, 8, 11, 12 against 9: a
/// Wounded and a KIA. Red's four, before that counts, total 2. Gold's 8 and 6, 6, 1, 1 kill two of
/// the three left, the Wounded one first; their 6 and 6, 6 and a reduced 4 are 12, 12, 10 against
/// 8.
#[test]
fn gold_team_assaults_twice() {
    let toml = "assaults = 2\n\
         attacker = { experience = 'd8', figures = 4, weapon = 'd6', defense = 8 }\n\
         defender = { experience = 'd6', figures = 4, weapon = 'd6', defense = 8, cover = 'medium' }";
    let first = [6, 1, 2, 5, 6, 1, 1, 1, 1, 1];
    let second = [8, 6, 6, 1, 1, 6, 6, 6, 4];
    let combat = contest("assault", toml);
    let ending = play_scripted(&combat, &[&first[..], &second].concat(), FIELDS);
    assert_eq!(ending, [3, 0, 0, 2, 1]);
    let once = contest("assault", &toml.replace("assaults = 2", ""));
    assert_eq!(play_scripted(&once, &first, FIELDS), [1, 1, 0, 0, 0]);
}

/// The first team that is assaulted falls; the second is met by what is left of the attacker.
#[test]
fn teams_are_assaulted_in_the_order_of_the_tables() {
    let toml = "attacker = { experience = 'd4', figures = 2, weapon = 'd4', defense = 7 }\n\
         defender = [{ experience = 'd4', figures = 1, weapon = 'd4', defense = 4 }, \
         { experience = 'd4', figures = 1, weapon = 'd8', defense = 6 }]";
    // 4 + 4 and 4 + 1 against 4: a KIA and a Wounded, which the second team takes; 4 + 4 against 7:
    // a Wounded. Then 1 + 1 and 1 + 1, a d4 being the smallest die, against 6: nothing; the Wounded
    // figure has a d6 in place of its d8, and 4 + 6 kills: the owner gives the KIA to the Wounded
    // figure.
    let ending = play_scripted(&contest("assault", toml), &[4, 4, 1, 4, 4, 1, 1, 1, 4, 6], FIELDS);
    assert_eq!(ending, [1, 1, 1, 1, 0]);
}

#[test]
fn what_an_assault_lacks_is_told_where_it_is_missing() {
    let faults = |toml: &str| -> Vec<String> {
        let action = rulebook("aic").action("assault").expect("the action is there");
        let table: Table = toml.parse().expect("TOML");
        let contest = Form::from_table_with_defaults(&action.fields, &table)
            .and_then(|form| action.build_contest(&form));
        contest.err().unwrap_or_default().into_iter().map(|fault| fault.path).collect()
    };
    let attacker = "attacker = { experience = 'd8', figures = 2, weapon = 'd6' }";
    let found = faults(&format!(
        "{attacker}\ndefender = [{{ figures = 2 }}, {{ figures = 2, in_contact = false }}, \
         {{ figures = 1, wounded = 2, in_contact = false }}]"
    ));
    assert_eq!(found, ["defender[0].defense", "defender[2].wounded", "attacker.defense"]);
    let found = faults(&format!(
        "{attacker}\ndefender = [{{ figures = 2, defense = 6 }}, {{ figures = 2, in_contact = false }}]"
    ));
    assert_eq!(found, ["attacker.defense", "defender[0].experience", "defender[0].weapon"]);
}
