//! Actions of the built-in rulebooks, retold as rulebook files: the same contest has the same law,
//! to the last unit, whether its rule is Rust or text.
//!
//! A contest is written once and given to both; what the two report under one name is compared as
//! whole numbers over one denominator. The samples of the built-in action come first, then random
//! contests from a seed.

use std::collections::BTreeMap;

use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::form::Form;
use enfilade_testkit::reported_distributions::ReportedDistribution;
use toml::Table;

use super::chance::Chance;
use super::retold_contests as contests;
use super::shipped::rulebook;

/// Random contests of each action; as many as `ENFILADE_RETOLD` says, where it is set.
const CONTESTS: usize = 300;

/// States of a contest that is compared: a few are as large as a battle.
const SMALL: usize = 1 << 15;

/// A file, and what it retells.
pub struct Retold {
    /// The rulebook file and its action.
    pub file: (&'static str, &'static str),
    /// The built-in rulebook and its action.
    pub built_in: (&'static str, &'static str),
    /// A random contest, as for the built-in action.
    pub random: fn(&mut Chance) -> String,
    /// The same contest in the words of the file; `None` where the file leaves it out.
    pub told: fn(Table) -> Option<Table>,
    /// What is compared at least, among outcomes and measures.
    pub named: &'static [&'static str],
}

/// How many random contests are compared.
pub fn contests_by_lot() -> usize {
    let wanted = std::env::var("ENFILADE_RETOLD").ok();
    wanted.and_then(|n| n.parse().ok()).unwrap_or(CONTESTS)
}

pub fn contest(action: &RulebookAction, table: &Table) -> Result<Contest, String> {
    let words = |faults: Vec<enfilade_model::form::Fault>| {
        let faults = faults.iter().map(|fault| fault.problem.to_string());
        faults.collect::<Vec<_>>().join("; ")
    };
    let form = Form::from_table_with_defaults(&action.fields, table).map_err(words)?;
    action.build_contest(&form).map_err(words)
}

impl Retold {
    /// Compares both tellings of a contest; whether the file tells it at all.
    pub fn compare(&self, contest_text: &str) -> bool {
        let table: Table = contest_text.parse().expect("the contest is TOML");
        let Some(told) = (self.told)(table.clone()) else {
            return false;
        };
        let (file, action) = self.file;
        let book = rulebook(file);
        let file_action = book.action(action).expect("the action is there");
        let (system, action) = self.built_in;
        let built = crate::built_in().action(system, action).expect("built in");
        let both = (contest(built, &table), contest(file_action, &told));
        let (built, file_contest) = match both {
            (Ok(built), Ok(file)) => (built, file),
            (built, file_contest) => {
                let faults = (built.err(), file_contest.err());
                panic!("{file}: {faults:?}\n{contest_text}\n{told}")
            }
        };
        let names = |contest: &Contest| -> Vec<String> {
            let heads = contest.combat.outcome_fields().iter();
            heads.map(|head| head.name.to_string()).collect()
        };
        let (ours, theirs) = (names(&file_contest), names(&built));
        let common: Vec<String> = theirs.into_iter().filter(|name| ours.contains(name)).collect();
        let small = CompiledContestLimits { states: SMALL, ..CompiledContestLimits::default() };
        if DieGraph::compile_within_limits(&built.combat, small).is_err() {
            return true;
        }
        let built = ReportedDistribution::from_contest(&built, Some(&common));
        let here = ReportedDistribution::from_contest(&file_contest, Some(&common));
        // The fields of both stand in an order of their own.
        let order = |field: &String| here.fields.iter().position(|known| known == field);
        let places: Vec<usize> = built.fields.iter().filter_map(order).collect();
        let sorted = |key: &Vec<i32>| places.iter().map(|place| key[*place]).collect::<Vec<i32>>();
        let law: BTreeMap<_, _> =
            here.law.iter().map(|(key, share)| (sorted(key), share)).collect();
        let built_law: BTreeMap<_, _> =
            built.law.iter().map(|(k, share)| (k.clone(), share)).collect();
        assert_eq!(built_law, law, "{file}: {:?}\n{contest_text}", built.fields);
        for (name, figure) in &built.measures {
            if let Some(ours) = here.measures.get(name) {
                assert_eq!(figure, ours, "{file}: {name}\n{contest_text}");
            }
        }
        for name in self.named {
            let known =
                common.iter().any(|field| field == name) || here.measures.contains_key(*name);
            assert!(known, "{file} reports no {name}");
        }
        true
    }

    pub fn check(&self) {
        let (system, action) = self.built_in;
        let built = crate::built_in().action(system, action).expect("built in");
        let told = built.samples.iter().filter(|sample| self.compare(sample)).count();
        assert!(2 * told >= built.samples.len(), "{} leaves out most samples", self.file.0);
        self.check_random();
    }

    pub fn check_random(&self) {
        let mut chance = Chance::of(self.file.0);
        for _ in 0..contests_by_lot() {
            let contest = (self.random)(&mut chance);
            assert!(self.compare(&contest), "{contest}");
        }
    }
}

#[test]
fn asl_fire_on_infantry() {
    let retold = Retold {
        file: ("asl_fire", "fire"),
        built_in: ("asl", "fire"),
        random: contests::asl,
        // Firers, vehicles, and modifiers and units by name stay built in.
        told: |table| {
            let named = ["firer", "modifiers", "table", "elr", "random_selection"];
            let named = named.iter().any(|key| table.contains_key(*key));
            let targets = table.get("target").and_then(|targets| targets.as_array().cloned());
            let by_name = |target: &toml::Value| {
                ["unit", "leader", "vehicle"].iter().any(|key| target.get(key).is_some())
            };
            let by_name = targets.is_some_and(|targets| targets.iter().any(by_name));
            (!named && !by_name).then_some(table)
        },
        named: &["eliminated", "reduced", "broken", "pinned", "wounded", "p_effect", "e_broken"],
    };
    // Most samples name firers or units.
    for sample in [
        "fp = 8\ndrm = -1\n[[target]]\nkind = \"squad\"\nmorale = 7",
        "fp = 4\nencircled = true\ndrm = -1\n[[target]]\nkind = \"crew\"\nmorale = 8\npinned = true\n\
         [[target]]\nkind = \"squad\"\nmorale = 8\nberserk = true",
    ] {
        assert!(retold.compare(sample));
    }
    retold.check_random();
}

#[test]
fn aic_close_combat() {
    let retold = Retold {
        file: ("aic_close_combat", "close_combat"),
        built_in: ("aic", "close-combat"),
        random: contests::aic,
        told: Some,
        named: &["kia", "wounded", "pins", "friendly_kia", "p_no_effect", "e_friendly_wounded"],
    };
    retold.check();
}

#[test]
fn d20_fire_and_morale() {
    let retold = Retold {
        file: ("d20_fire", "fire_and_morale"),
        built_in: ("d20", "fire-and-morale"),
        random: contests::d20,
        // Shooters that differ, and modifiers of morale, stay built in.
        told: |table| {
            let more = ["shooter", "morale_modifier"].iter().any(|key| table.contains_key(*key));
            (!more).then_some(table)
        },
        named: &["hit", "casualties", "pinned", "surrendered", "p_wiped_out", "p_fail"],
    };
    retold.check();
}

#[test]
fn dropzone_shoot() {
    let retold = Retold {
        file: ("dropzone_shoot", "shoot"),
        built_in: ("dropzone", "shoot"),
        random: contests::dropzone,
        told: contests::dropzone_told,
        named: &["damage", "destroyed", "p_kill", "p_wipe", "e_damage"],
    };
    retold.check();
}

#[test]
fn skirmishers_attack() {
    let retold = Retold {
        file: ("skirmishers_attack", "attack"),
        built_in: ("skirmishers", "attack"),
        random: contests::attack,
        told: contests::attack_told,
        named: &["hits", "dead", "out_of_action", "armour_left", "p_kill", "e_hp_lost"],
    };
    retold.check();
}

#[test]
fn skirmishers_breach() {
    let retold = Retold {
        file: ("skirmishers_breach", "breach"),
        built_in: ("skirmishers", "breach"),
        random: contests::breach,
        told: Some,
        named: &["breached", "rounds", "damage", "p_breach", "p_ammo_enough", "e_damage"],
    };
    retold.check();
}
