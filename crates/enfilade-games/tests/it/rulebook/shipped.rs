//! The rulebook files that ship: every one loads without a fault or a warning, its examples play to
//! their end on all three engines, and no file takes the id of a built-in rulebook.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::catalogue::System;
use enfilade_model::form::Form;
use enfilade_rules as rulebook;
use enfilade_testkit::frontier::assert_frontier_agrees;
use enfilade_testkit::source_files::repository_folder;
use toml::Table;

use crate::built_in;

/// The folder of the rulebooks.
pub fn folder() -> PathBuf {
    repository_folder().join("rulebooks")
}

/// All rulebooks that ship, by id.
fn shelf() -> &'static BTreeMap<String, Arc<System>> {
    static SHELF: LazyLock<BTreeMap<String, Arc<System>>> = LazyLock::new(|| {
        let files = std::fs::read_dir(folder()).expect("the folder is there");
        let files = files.map(|file| file.expect("readable").path());
        let rules = files.filter(|path| path.extension().is_some_and(|end| end == "rules"));
        let open = |path: PathBuf| {
            let id = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let book = rulebook::read_rulebook_at_path(&path, built_in())
                .unwrap_or_else(|fault| panic!("{id}: {fault:?}"));
            assert!(book.warnings.is_empty(), "{id}: {:?}", book.warnings);
            (id, Arc::new(book.system))
        };
        rules.map(open).collect()
    });
    &SHELF
}

/// The rulebook file of this id.
pub fn rulebook(id: &str) -> &'static Arc<System> {
    shelf().get(id).unwrap_or_else(|| panic!("there is no {id}.rules"))
}

/// A file that bears the id of a built-in rulebook is that rulebook.
#[test]
fn ids_are_their_own() {
    assert!(shelf().len() >= 10, "{:?}", shelf().keys());
    for (id, system) in shelf() {
        if built_in().rulebook_ids().any(|there| there == id) {
            let there = built_in().rulebook_by_id(id).expect("it is there");
            assert_eq!(there.files, system.files, "{id}");
            assert!(there.built_in && there.check_built_in_data().is_ok(), "{id}");
        }
    }
}

#[test]
fn every_example_plays_to_its_end() {
    for (id, system) in shelf() {
        for action in &system.actions {
            assert!(!action.samples.is_empty(), "{id} {} has no example", action.name);
            for sample in action.samples.iter() {
                let table: Table = sample.parse().unwrap_or_else(|e| panic!("{id}: {e}\n{sample}"));
                let form = Form::from_table_with_defaults(&action.fields, &table);
                let form = form.unwrap_or_else(|faults| panic!("{id}: {faults:?}\n{sample}"));
                let contest = action.build_contest(&form);
                let contest = contest.unwrap_or_else(|faults| panic!("{id}: {faults:?}\n{sample}"));
                let graph = DieGraph::compile_within_limits(
                    &contest.combat,
                    CompiledContestLimits::default(),
                )
                .expect("small enough");
                let law = exact::solve_graph_distribution(&graph);
                assert!(law.unsettled < 1e-9, "{id} {}: {}", action.name, law.unsettled);
                if contest.combat.decisions().is_empty() {
                    assert_frontier_agrees(&format!("{id} {}", action.name), &contest.combat);
                }
            }
        }
    }
}

/// Lines are narrow enough to be read beside a rulebook.
#[test]
fn lines_fit_a_screen() {
    for id in shelf().keys() {
        let text = std::fs::read_to_string(folder().join(format!("{id}.rules"))).expect("readable");
        for (number, line) in text.lines().enumerate() {
            let width = line.chars().count();
            assert!(width <= 160, "{id}.rules:{}: {width} characters", number + 1);
        }
    }
}
