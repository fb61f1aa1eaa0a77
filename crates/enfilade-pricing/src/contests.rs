//! What a shot does, from the engine: the law of a contest by the names its system gives.
//!
//! Nothing here or above it knows a rule. A contest is asked for as a designer would ask for it in
//! a file, compiled and solved exactly, or in waves where its graph would be too large; one that is too
//! large for that too is simulated, and its law says so. Equal questions are answered once.

use std::cell::RefCell;
use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use toml::Table;

use super::changes::Changes;
use enfilade_engine::cancel::NEVER;
use enfilade_engine::exact::{self, Found, law_in_waves};
use enfilade_engine::frontier::Terms;
use enfilade_engine::graph::{DieGraph, Limits};
use enfilade_engine::random_stream::Stream;
use enfilade_engine::simulate::{Isa, resume_in_waves};
use enfilade_engine::work_units::Part;
use enfilade_model::catalogue::{Contest, System};
use enfilade_model::combat::{AnyCombat, Ending, MeasureHead, MeasureKind};
use enfilade_model::error::Unsolved;
use enfilade_model::form::{Fault, Form};
use enfilade_model::weapons::{Ask, Checked, Law};
use enfilade_study::fingerprint::{canonical, fingerprint};

/// The law of a contest, with what a reader of it must know.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The law.
    pub law: Arc<Law>,
    /// How many trials it rests on; `None` where it is exact.
    pub trials: Option<u64>,
    /// What a reader of it must know, as the rulebook says it.
    pub notes: Vec<String>,
}

/// Contests asked so far and their answers.
///
/// An answer depends on its question and the seed alone, so it does not matter who asks first.
#[derive(Debug)]
pub struct Contests {
    system: Arc<System>,
    seed: u64,
    trials: u64,
    limits: Limits,
    changes: Changes,
    known: Mutex<Known>,
}

/// Answers by what was asked.
#[derive(Debug, Default)]
struct Known {
    /// By the words of the question: those that were heard before need not be read again.
    asked: FxHashMap<String, Arc<Answer>>,
    /// By the checked question: what means the same has one answer.
    meant: FxHashMap<String, Arc<Answer>>,
}

impl Contests {
    /// Answers contests of `system`, exactly within `limits`, and beyond them by `trials` trials from
    /// `seed`.
    pub fn new(system: Arc<System>, seed: u64, trials: u64, limits: Limits) -> Contests {
        Contests {
            system,
            seed,
            trials,
            limits,
            changes: Changes::default(),
            known: Mutex::default(),
        }
    }

    /// The same under changed rules.
    pub fn changed(self, changes: Changes) -> Contests {
        Contests { changes, ..self }
    }

    /// What is changed.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// The law of the contest that `table` describes for an action.
    ///
    /// # Errors
    /// What a designer would be told of the same contest in a file.
    pub fn ask(&self, action: &str, table: &Table) -> Checked<Arc<Answer>> {
        let words = words(action, table);
        if let Some(known) = self.known.lock().asked.get(&words) {
            return Ok(known.clone());
        }
        let action = self.system.action(action).map_err(|fault| vec![fault])?;
        let form = Form::fill(&action.fields, &self.changes.put(action, table))?;
        let question = canonical(&self.system, action, &form);
        let known = self.known.lock().meant.get(&question).cloned();
        if let Some(known) = known {
            self.known.lock().asked.insert(words, known.clone());
            return Ok(known);
        }
        // Not locked while it is worked out: two may ask the same at once, and find the same.
        let stream =
            Stream { seed: self.seed, fingerprint: fingerprint(&self.system, action, &form) };
        let answer = Arc::new(self.answer(action.contest(&form)?, &stream)?);
        let mut all = self.known.lock();
        all.asked.insert(words, answer.clone());
        all.meant.insert(question, answer.clone());
        Ok(answer)
    }

    fn answer(&self, contest: Contest, stream: &Stream) -> Checked<Answer> {
        let combat = &contest.combat;
        let (law, trials) = match DieGraph::of(combat, self.limits) {
            Ok(graph) => (solved(graph.endings(), &exact::law(&graph), combat), None),
            Err(Unsolved::Mishap(mishap)) => return Err(vec![mishap.fault]),
            // What is best is found backwards, and only a graph can be gone through so.
            Err(why) if !combat.decisions().is_empty() => {
                return Err(vec![Fault::new("", why.to_string())]);
            }
            Err(_) => match law_in_waves(combat, &self.terms()) {
                Ok(Found { endings, law, .. }) => (solved(&endings, &law, combat), None),
                Err(_) => (self.simulated(combat, stream), Some(self.trials)),
            },
        };
        if let Some(mishap) = combat.fault() {
            return Err(vec![mishap.fault]);
        }
        Ok(Answer { law: Arc::new(law), trials, notes: contest.notes })
    }

    /// How far waves go: so far that they take no longer than as large a graph would.
    fn terms(&self) -> Terms<'static> {
        Terms { states: Some(self.limits.states / 8), halt: &NEVER, seen: &|_| true }
    }

    /// The law as it is found by simulating.
    fn simulated(&self, combat: &AnyCombat, stream: &Stream) -> Law {
        // Whichever instructions there are: the counts are the same.
        let (start, isa) = (Part::default(), Isa::best());
        let met =
            resume_in_waves(combat, self.trials, stream, isa, start, &NEVER, &|_, _| true).sum;
        let share = |count: u64| count as f64 / self.trials as f64;
        let endings = met.endings.into_iter();
        let outcomes: Vec<_> = endings.map(|(ending, count)| (ending, share(count))).collect();
        let unsettled = share(met.unsettled);
        let mean = |counter: u8| {
            let sum = met.tallies.get(usize::from(counter))?;
            Some(*sum as f64 / self.trials as f64)
        };
        let value = |(index, head): (usize, &Arc<MeasureHead>)| {
            if let MeasureKind::Tally(counter) = head.kind {
                return Some(mean(counter)? * head.scale.factor());
            }
            let law = outcomes.iter().map(|(e, p)| (e.weights[index], *p));
            exact::measure_value::value(head, law, unsettled)
        };
        Law {
            heads: combat.heads().clone(),
            measures: combat.measures().iter().enumerate().map(value).collect(),
            outcomes,
        }
    }
}

/// A question in words that no other one has: texts are in quotes, and every value has its kind in front.
fn words(action: &str, table: &Table) -> String {
    format!("{action}\n{table:?}")
}

/// The law of a contest of which the exact one is known.
fn solved(endings: &[Ending], law: &exact::Law, combat: &AnyCombat) -> Law {
    let value = |(index, head): (usize, &Arc<MeasureHead>)| law.measure(endings, index, head);
    Law {
        heads: combat.heads().clone(),
        measures: combat.measures().iter().enumerate().map(value).collect(),
        outcomes: endings.iter().copied().zip(law.probabilities.iter().copied()).collect(),
    }
}

/// What is asked of the contests for one weapon in one scenario.
///
/// It remembers what the answers rest on and what their reader must be told.
#[derive(Debug)]
pub struct Inquiry<'a> {
    contests: &'a Contests,
    heard: RefCell<Heard>,
}

/// What the answers of an inquiry rest on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// Trials behind an answer that is not exact; `None` where all are.
    pub trials: Option<u64>,
    /// Notes of all answers, each once, in the order in which they were heard.
    pub notes: Vec<String>,
}

impl<'a> Inquiry<'a> {
    /// Asks `contests`.
    pub fn of(contests: &'a Contests) -> Inquiry<'a> {
        let heard = RefCell::default();
        Inquiry { contests, heard }
    }

    /// What all answers together rest on.
    pub fn heard(self) -> Heard {
        self.heard.into_inner()
    }
}

impl Ask for Inquiry<'_> {
    fn ask(&self, action: &str, contest: &Table) -> Checked<Arc<Law>> {
        let answer = self.contests.ask(action, contest)?;
        let mut heard = self.heard.borrow_mut();
        heard.trials = heard.trials.or(answer.trials);
        for note in &answer.notes {
            if !heard.notes.contains(note) {
                heard.notes.push(note.clone());
            }
        }
        Ok(Arc::clone(&answer.law))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts, tables and lists that hold the same words in another order of brackets are other questions.
    #[test]
    fn no_two_questions_have_the_same_words() {
        let asked = [
            "a = 'b'\nc = { d = 'e' }",
            "a = { b = 'c', d = 'e' }",
            "a = 'b'\nc = []",
            "a = ['b', 'c']",
            "a = [['b'], 'c']",
            "a = ['b', ['c']]",
            "a = '1'",
            "a = 1",
            "a = 1.0",
            "a = 'b1:c'",
            "a = 'b'\nc = ''",
            "a = {}",
            "a = []",
            "a = ''",
        ];
        let words = asked.map(|text| words("shoot", &text.parse().expect("TOML")));
        for (at, one) in words.iter().enumerate() {
            assert!(words[..at].iter().all(|other| other != one), "{}: {one}", asked[at]);
        }
    }
}
