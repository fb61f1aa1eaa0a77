//! A search that was stopped goes on with the same answer, and its scopes may be solved apart and
//! in any order.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use enfilade_engine::cancel::{CancelToken, NEVER_CANCELLED};
use enfilade_model::catalogue::Catalogue;
use enfilade_seek::error::SeekError;
use enfilade_seek::scope_sweep::{ScopeAnswerReceiver, write_scopes_as_experiment};
use enfilade_seek::search_journal::SearchJournal;
use enfilade_seek::seek_answer::{
    SeekAnswer, SeekPlan, answer_planned_search, answer_search, plan_cells_to_solve,
};
use enfilade_seek::seek_document::answer_as_document;
use enfilade_seek::seek_question::SeekQuestion;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;
use enfilade_study::file::{rulebook_loader, source_document::SourceInput};
use enfilade_study::solve::settings::SolverSettings;
use enfilade_study::solve::streaming::AnswerSink;
use enfilade_study::solve::{NoObserver, SolveObserver, solve_experiment};
use enfilade_study::sweep::add_unchecked_to_catalogue;

fn read(name: &str, work: Option<u64>) -> (Catalogue, SeekQuestion) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/questions/{name}.toml"));
    let input = SourceInput::read_path_or_stdin(&file).expect("it lies there");
    let catalogue = rulebook_loader::catalogue_with_rulebook_files(
        &enfilade_games::built_in_catalogue(),
        &[],
        Some(&input),
    )
    .expect("rules");
    let question =
        SeekQuestion::read_or_cancel(&catalogue, &input.name, &input.text, &NEVER_CANCELLED);
    let mut question = question.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    question.work = work;
    (catalogue, question)
}

fn told(question: &SeekQuestion, answer: &SeekAnswer) -> String {
    serde_json::to_string(&answer_as_document(question, answer, 1000)).expect("JSON")
}

/// A journal in memory, of which the first lines are known.
#[derive(Debug, Default)]
struct Journal {
    known: BTreeMap<String, String>,
    /// In the order in which they were recorded.
    recorded: Mutex<Vec<(String, String)>>,
}

impl SearchJournal for Journal {
    fn lookup_cell(&self, key: &str) -> Option<String> {
        self.known.get(key).cloned()
    }

    fn record_cell(&self, key: &str, value: &str) -> Result<(), StudyError> {
        self.recorded.lock().expect("one thread").push((key.to_owned(), value.to_owned()));
        Ok(())
    }
}

/// Answers with a journal; returns what was recorded as well.
fn answer_with(
    name: &str,
    work: Option<u64>,
    lines: &[(String, String)],
    watch: &dyn SolveObserver,
) -> (Result<String, SeekError>, Vec<(String, String)>) {
    let (_, mut question) = read(name, work);
    let journal =
        Arc::new(Journal { known: lines.iter().cloned().collect(), ..Journal::default() });
    let mut plan = plan_cells_to_solve(&mut question, &NoObserver).expect("a plan");
    plan.journal = Some(Arc::clone(&journal) as Arc<dyn SearchJournal>);
    let answer = answer_planned_search(&question, plan, watch);
    let recorded = journal.recorded.lock().expect("one thread").clone();
    (answer.map(|answer| told(&question, &answer)), recorded)
}

#[test]
fn a_search_resumed_at_any_line_has_the_same_bytes() {
    for (name, work, each) in [("01_rout", None, 1), ("13_duel", Some(600_000), 9)] {
        let (whole, lines) = answer_with(name, work, &[], &NoObserver);
        let whole = whole.expect("it is answered");
        assert!(lines.len() > 60, "{name}: {}", lines.len());
        for known in (0..=lines.len()).step_by(each) {
            let (again, more) = answer_with(name, work, &lines[..known], &NoObserver);
            assert_eq!(again.expect("it is answered"), whole, "{name} from line {known}");
            // What is known is not solved again.
            assert_eq!(more.len(), lines.len() - known, "{name} from line {known}");
        }
    }
}

/// An observer that stops the work after some cells.
struct Stopper(CancelToken, AtomicU64, u64);

impl SolveObserver for Stopper {
    fn note_answered_cell(&self, _: usize) {
        if self.1.fetch_add(1, Ordering::SeqCst) + 1 >= self.2 {
            self.0.cancel();
        }
    }

    fn cancel_token(&self) -> &CancelToken {
        &self.0
    }
}

#[test]
fn a_search_that_is_stopped_keeps_what_it_has_solved() {
    let (whole, all) = answer_with("13_duel", Some(600_000), &[], &NoObserver);
    let whole = whole.expect("it is answered");
    let (mut lines, mut stops) = (Vec::new(), 0);
    loop {
        // Known cells are noted again when the search goes on, and 40 more are solved.
        let stopper = Stopper(CancelToken::default(), AtomicU64::new(0), lines.len() as u64 + 40);
        let (answer, more) = answer_with("13_duel", Some(600_000), &lines, &stopper);
        assert!(!more.is_empty() || answer.is_ok(), "nothing was kept after {stops} stops");
        lines.extend(more);
        match answer {
            Ok(answer) => break assert_eq!(answer, whole),
            Err(SeekError::Interrupted(_)) => stops += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(stops >= 2, "{stops} stops");
    assert_eq!(lines.len(), all.len());
}

/// Solves the scopes as an experiment of its own, and joins the answers in another order.
fn swept(name: &str) -> (String, String) {
    let (catalogue, mut question) = read(name, None);
    let direct = answer_search(&mut question, &NoObserver).expect("it is answered");
    let direct = told(&question, &direct);
    let plan: SeekPlan = plan_cells_to_solve(&mut question, &NoObserver).expect("a plan");
    let text = write_scopes_as_experiment(&question, &plan).expect("an experiment");
    let catalogue = add_unchecked_to_catalogue(catalogue, &text).expect("rulebooks");
    let experiment = Experiment::read_experiment_text(&catalogue, "scopes.toml", &text)
        .unwrap_or_else(|error| panic!("{name}: {error:?}\n{text}"));
    let mut answers =
        solve_experiment(&experiment, &SolverSettings::for_exact_only()).expect("solved");
    let mut axes: Vec<Vec<(String, usize)>> = Vec::new();
    for answer in &answers {
        if answer.contest == axes.len() {
            axes.push(answer.axes.iter().map(|(axis, _)| (axis.to_string(), 0)).collect());
        }
    }
    for (at, own) in axes.iter_mut().enumerate() {
        for (place, (_, size)) in own.iter_mut().enumerate() {
            let of = answers.iter().filter(|answer| answer.contest == at);
            let mut values: Vec<String> =
                of.map(|answer| answer.axes[place].1.to_string()).collect();
            values.sort_unstable();
            values.dedup();
            *size = values.len();
        }
    }
    answers.sort_by_key(|answer| answer.cell * 7919 % 10_007);
    let mut collected = ScopeAnswerReceiver::new(&question, plan, &axes).expect("its grids");
    AnswerSink::<StudyError>::receive_answer_block(&mut collected, answers).expect("taken");
    let joined = collected.join_answers(&NoObserver).expect("joined");
    (told(&question, &joined), direct)
}

#[test]
fn scopes_solved_apart_give_the_same_bytes() {
    // Numbers of rules, numbers that are alike with a check, several circumstances, ties, words.
    for name in
        ["01_rout", "05_walker", "08_roster", "09_tie", "10_exclude", "12_crt", "17_skirmish"]
    {
        let (joined, direct) = swept(name);
        assert_eq!(joined, direct, "{name}");
    }
}
