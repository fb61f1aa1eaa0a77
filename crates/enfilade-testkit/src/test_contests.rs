//! Contests of any rulebook, built from TOML and played with known dice.

use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::catalogue::{Catalogue, Contest, RulebookAction};
use enfilade_model::combat::{AnyCombat, CombatStepExplanation};
use enfilade_model::dice::{RolledDie, ScriptedDice};
use enfilade_model::form::{Fault, Form};
use toml::Table;

/// Returns the action of a system.
///
/// # Panics
/// If there is none of that name.
pub fn find_action<'a>(catalogue: &'a Catalogue, system: &str, action: &str) -> &'a RulebookAction {
    let known = catalogue.rulebook_by_id(system).and_then(|system| system.action(action));
    known.expect("the test names a system and an action that exist")
}

/// Parses the contest of an action from TOML, or returns its faults.
///
/// # Errors
/// When the contest breaks a rule of its form.
///
/// # Panics
/// If the text is not TOML.
pub fn parse_contest(action: &RulebookAction, toml: &str) -> Result<Contest, Vec<Fault>> {
    let table = toml.parse::<Table>().unwrap_or_else(|why| panic!("{why}\n{toml}"));
    action.build_contest(&Form::from_table_with_defaults(&action.fields, &table)?)
}

/// Formats faults as `path: problem`.
pub fn fault_lines(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(|fault| format!("{}: {}", fault.path, fault.problem)).collect()
}

/// Returns every sample of a system as a contest, with a name for messages.
///
/// # Panics
/// If there is no such system, or a sample has a fault.
pub fn sample_contests(catalogue: &Catalogue, system: &str) -> Vec<(String, AnyCombat)> {
    let known = catalogue.rulebook_by_id(system).expect("a system of the catalogue");
    let actions = &known.actions;
    let named = actions.iter().flat_map(|action| {
        let numbered = action.samples.iter().enumerate();
        numbered.map(move |(n, toml)| {
            let contest = parse_contest(action, toml).expect("samples are without fault");
            (format!("{} {n}", action.name), contest.combat)
        })
    });
    named.collect()
}

/// Plays `contest` with exactly these faces and returns the values of all outcome fields.
pub fn play_contest(contest: &Contest, faces: &[u8]) -> Vec<i32> {
    let heads = contest.combat.outcome_fields().iter();
    let fields: Vec<_> = heads.map(|head| head.name.to_string()).collect();
    play_scripted(&contest.combat, faces, &fields.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Plays `combat` with exactly these faces and returns the values of `fields`.
///
/// # Panics
/// If the contest does not end with the last face, a face does not fit its die, or a field is
/// missing.
pub fn play_scripted(combat: &AnyCombat, faces: &[u8], fields: &[&str]) -> Vec<i32> {
    let mut dice = ScriptedDice::new(faces);
    let ending = combat.play_one_trial(&mut dice, 10_000).expect("the contest ends");
    assert_eq!((dice.find_mismatch(), dice.used_face_count()), (None, faces.len()), "{faces:?}");
    indices_of_fields(combat, fields).iter().map(|&c| ending.fields[c]).collect()
}

/// Returns the indices of `fields` among those of `combat`.
///
/// # Panics
/// If a field is missing.
pub fn indices_of_fields(combat: &AnyCombat, fields: &[&str]) -> Vec<usize> {
    let heads = combat.outcome_fields();
    let column = |name: &&str| heads.iter().position(|head| head.name == *name);
    let columns = fields.iter().map(|f| column(f).unwrap_or_else(|| panic!("no field {f}")));
    columns.collect()
}

/// Traces every step of `combat` with exactly these faces: rule and text.
///
/// # Panics
/// If the contest does not end with the last face, or a face does not fit its die.
pub fn trace_play(combat: &AnyCombat, faces: &[u8]) -> Vec<(String, String)> {
    let (steps, used) = trace_play_with_spare(combat, faces);
    assert_eq!(used, faces.len(), "{faces:?}");
    steps
}

/// Traces `combat` with faces that may be left over, and returns the number of used ones.
///
/// # Panics
/// If the contest does not end, or a face does not fit its die.
pub fn trace_play_with_spare(combat: &AnyCombat, faces: &[u8]) -> (Vec<(String, String)>, usize) {
    let mut dice = ScriptedDice::new(faces);
    let mut steps = Vec::new();
    let mut listen = |_: &[RolledDie], telling: CombatStepExplanation| {
        steps.push((rule_of_step(&telling), telling.text));
        true
    };
    let ending = combat.play_with_step_listener(&mut dice, &mut listen);
    assert!(ending.is_some(), "the contest ends");
    assert_eq!(dice.find_mismatch(), None, "{faces:?}");
    (steps, dice.used_face_count())
}

/// Returns the rule of a traced step, without the line of a text.
pub fn rule_of_step(telling: &CombatStepExplanation) -> String {
    let rule = telling.rule.split("line ").next().unwrap_or_default();
    rule.trim_end_matches(", ").to_owned()
}

/// Returns the numbers of states and nodes in the die graph of `combat`.
///
/// # Panics
/// If the contest has no graph within the default limits.
pub fn count_graph_size(combat: &AnyCombat) -> (usize, usize) {
    let graph = DieGraph::compile_within_limits(combat, CompiledContestLimits::default())
        .expect("within the limits");
    (graph.reached_state_count(), graph.nodes().len())
}
