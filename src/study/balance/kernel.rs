//! What a shot does, from the engine: the law of a contest by the names its system gives.
//!
//! Nothing here or above it knows a rule. A contest is asked for as a designer would ask for it in
//! a file, compiled and solved exactly; one that is too large to be compiled is played one trial
//! at a time, and its law says so. Equal questions are answered once.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use toml::Table;

use crate::catalogue::{Contest, System};
use crate::combat::{AnyCombat, Ending, Heads};
use crate::exact;
use crate::form::{Fault, Form};
use crate::graph::{DieGraph, Limits};
use crate::play;
use crate::stream::Stream;
use crate::study::fingerprint::{canonical, fingerprint};

/// Something checked, or everything that is wrong with it.
pub type Checked<T> = Result<T, Vec<Fault>>;

/// The law of a contest, with the names of what it says.
#[derive(Clone, Debug)]
pub struct Answer {
    endings: Vec<(Ending, f64)>,
    unsettled: f64,
    heads: Heads,
    /// How many trials it rests on; `None` where it is exact.
    pub trials: Option<u64>,
    /// What a reader of it must know, as the rulebook says it.
    pub notes: Vec<String>,
}

impl Answer {
    /// The value of the measure called `name`.
    ///
    /// # Panics
    /// When the action has no such measure, or it is a quantile that what is settled does not
    /// reach: a mistake of the program, not of its input.
    pub fn measure(&self, name: &str) -> f64 {
        let index = self
            .heads
            .measures
            .iter()
            .position(|head| head.name == name);
        let index = index.unwrap_or_else(|| panic!("the action has no measure `{name}`"));
        let law = self.endings.iter().map(|(e, p)| (e.weights[index], *p));
        let value = exact::values::value(&self.heads.measures[index], law, self.unsettled);
        value.unwrap_or_else(|| panic!("the measure `{name}` lies in what is not settled"))
    }

    /// The outcomes as the values of the fields called `names`, each with its probability.
    ///
    /// # Panics
    /// When the action has no such field: a mistake of the program, not of its input.
    pub fn outcomes<const N: usize>(
        &self,
        names: [&str; N],
    ) -> impl Iterator<Item = ([i32; N], f64)> {
        let place = |name: &str| {
            self.heads
                .fields
                .iter()
                .position(|field| field.name == *name)
        };
        let places = names.map(|name| {
            place(name).unwrap_or_else(|| panic!("the action has no outcome field `{name}`"))
        });
        let read = move |(ending, p): &(Ending, f64)| (places.map(|at| ending.fields[at]), *p);
        self.endings.iter().map(read)
    }
}

/// Contests asked so far and their answers.
///
/// An answer depends on its question and the seed alone, so it does not matter who asks first.
pub struct Kernels {
    system: Arc<System>,
    seed: u64,
    trials: u64,
    limits: Limits,
    known: Mutex<FxHashMap<String, Arc<Answer>>>,
}

impl Kernels {
    /// Answers contests of `system`, exactly within `limits`, and beyond them by `trials` trials from
    /// `seed`.
    pub fn new(system: Arc<System>, seed: u64, trials: u64, limits: Limits) -> Kernels {
        Kernels {
            system,
            seed,
            trials,
            limits,
            known: Mutex::default(),
        }
    }

    /// The law of the contest that `table` describes for an action.
    ///
    /// # Errors
    /// What a designer would be told of the same contest in a file.
    pub fn ask(&self, action: &str, table: &Table) -> Checked<Arc<Answer>> {
        let action = self.system.action(action).map_err(|fault| vec![fault])?;
        let form = Form::fill(&action.fields, table)?;
        let question = canonical(&self.system.id, &action.name, &form);
        if let Some(known) = self.lock().get(&question) {
            return Ok(known.clone());
        }
        let stream = Stream {
            seed: self.seed,
            fingerprint: fingerprint(&self.system.id, &action.name, &form),
        };
        let answer = Arc::new(self.answer(action.contest(&form)?, &stream));
        self.lock().insert(question, answer.clone());
        Ok(answer)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FxHashMap<String, Arc<Answer>>> {
        // A poisoned map holds whole answers only: they are put in at once.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, contest: Contest, stream: &Stream) -> Answer {
        let combat = &contest.combat;
        let (endings, unsettled, trials) = match DieGraph::of(combat, self.limits) {
            Ok(graph) => {
                let law = exact::law(&graph);
                let endings = graph.endings().iter().copied().zip(law.probabilities);
                (endings.collect(), law.unsettled, None)
            }
            Err(_) => {
                let (endings, unsettled) = self.played(combat, stream);
                (endings, unsettled, Some(self.trials))
            }
        };
        Answer {
            endings,
            unsettled,
            heads: combat.heads().clone(),
            trials,
            notes: contest.notes,
        }
    }

    /// The shares of the endings, and of what was not over.
    fn played(&self, combat: &AnyCombat, stream: &Stream) -> (Vec<(Ending, f64)>, f64) {
        let tally = play::play(combat, self.trials, stream, &|| true).unwrap_or_default();
        let share = |count: u64| count as f64 / self.trials as f64;
        let endings = tally.endings.into_iter();
        let endings = endings.map(|(ending, count)| (ending, share(count)));
        (endings.collect(), share(tally.unsettled))
    }
}

/// What is asked of the kernels for one weapon in one scenario.
///
/// It remembers what the answers rest on and what their reader must be told.
pub struct Inquiry<'a> {
    kernels: &'a Kernels,
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
    /// Asks `kernels`.
    pub fn of(kernels: &'a Kernels) -> Inquiry<'a> {
        let heard = RefCell::default();
        Inquiry { kernels, heard }
    }

    /// The law of a contest, as [`Kernels::ask`] gives it.
    ///
    /// # Errors
    /// What a designer would be told of the same contest in a file.
    pub fn ask(&self, action: &str, table: &Table) -> Checked<Arc<Answer>> {
        let answer = self.kernels.ask(action, table)?;
        let mut heard = self.heard.borrow_mut();
        heard.trials = heard.trials.or(answer.trials);
        for note in &answer.notes {
            if !heard.notes.contains(note) {
                heard.notes.push(note.clone());
            }
        }
        Ok(answer)
    }

    /// What all answers together rest on.
    pub fn heard(self) -> Heard {
        self.heard.into_inner()
    }
}

/// The built-in system called `id`.
pub fn built_in(id: &str) -> Arc<System> {
    let catalogue = crate::systems::built_in();
    let system = catalogue.system(id).expect("it is built in");
    Arc::clone(system)
}

/// A row of a system's built-in data, by column.
pub struct Printed {
    columns: Vec<String>,
    row: Vec<String>,
}

impl Printed {
    /// The first row on `shelf` of `system` for which `wanted` holds.
    pub fn find(
        system: &System,
        shelf: &str,
        wanted: impl Fn(&Printed) -> bool,
    ) -> Option<Printed> {
        Printed::all(system, shelf).into_iter().find(wanted)
    }

    /// Every row on `shelf` of `system`.
    pub fn all(system: &System, shelf: &str) -> Vec<Printed> {
        let wanted = (system.shelves)().into_iter();
        let wanted = wanted.filter(|known| known.name == shelf);
        let rows = wanted.flat_map(|shelf| {
            let columns = shelf.columns;
            let printed = move |row| Printed {
                columns: columns.clone(),
                row,
            };
            shelf.rows.into_iter().map(printed)
        });
        rows.collect()
    }

    /// What is printed in `column`; empty when nothing is.
    pub fn text(&self, column: &str) -> &str {
        let place = self.columns.iter().position(|name| name == column);
        place
            .and_then(|at| self.row.get(at))
            .map_or("", String::as_str)
    }

    /// The number printed in `column`.
    pub fn number(&self, column: &str) -> Option<i64> {
        self.text(column).parse().ok()
    }
}
