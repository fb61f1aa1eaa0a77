//! Jobs: a simulation, or the prices of an arsenal, one at a time, with events that show the
//! progress.
//!
//! The results are those of the command line, byte by byte: nothing here depends on the page.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::app_state::AppState;
use super::battle_cache::ArsenalBattleCache;
use super::host;
use super::interim_prices::{InterimPriceObserver, InterimWorthView};
use super::page_question::PageQuestion;
use super::replies::{self, FaultView};
use super::solved_grid_view::{self, LatestSolvedAnswers, SolvedCellAndGridView};
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::parallel::ThreadPool;
use enfilade_engine::simulate::InstructionSet;
use enfilade_model::form::bounds;
use enfilade_model::form::sanitize::group_digits;
use enfilade_pricing::arsenal::{Arsenal, is_arsenal_text};
use enfilade_pricing::{self, battle_runs, price};
use enfilade_report::answers::answer_view::{self, AnswerInWords};
use enfilade_report::answers::answers_json::{self, AnswersDocument};
use enfilade_report::blocks::ReportBlock;
use enfilade_report::blocks::block_json::{self as blocks_json, BlockJson};
use enfilade_report::error::ReportError;
use enfilade_report::pricing::prices_json::{self, PricesDocument};
use enfilade_report::pricing::{PriceFindings, build_full_price_report};
use enfilade_report::text::sentences;
use enfilade_study::experiment::{Experiment, SimulationStopRule};
use enfilade_study::solve::{SolveObserver, SolverSettings, solve_cells};

/// The latest job of a studio, if there is one.
pub struct StudioJobSlot {
    bench: Arc<AppState>,
    numbers: AtomicU64,
    current: Mutex<Option<Arc<StudioJob>>>,
    /// The battles of the arsenal that was priced last.
    fought: Mutex<Option<Arc<ArsenalBattleCache>>>,
    /// The squares of the question that was worked out last.
    solved: LatestSolvedAnswers,
}

/// A request for a job.
#[derive(Deserialize)]
pub(crate) struct JobRequest {
    /// Price this weapon alone.
    #[serde(default)]
    only: Option<WeaponPositionOrName>,
    /// Simulate this many trials of every cell, in place of the file's number.
    #[serde(default)]
    trials: Option<i64>,
    /// Solve every cell exactly, in place of a simulation.
    #[serde(default)]
    exact: bool,
    #[serde(flatten)]
    question: PageQuestion,
}

impl JobRequest {
    /// The stop rule of the simulation, if the request has one.
    ///
    /// # Errors
    /// When the request has no valid number of trials.
    fn requested_trials_rule(&self) -> Result<Option<SimulationStopRule>, ReportError> {
        let trials =
            self.trials.map(|trials| bounds::TRIAL_COUNT_RANGE.check_in_range(trials)).transpose();
        trials
            .map(|trials| trials.map(|trials| SimulationStopRule::Trials(trials.unsigned_abs())))
            .map_err(ReportError::Invalid)
    }
}

/// One of the weapons of an arsenal.
#[derive(Deserialize)]
#[serde(untagged)]
enum WeaponPositionOrName {
    /// By its position, from a page.
    Position(usize),
    /// By its name.
    Name(String),
}

impl WeaponPositionOrName {
    fn index_in_arsenal(&self, arsenal: &Arsenal) -> Result<Option<usize>, ReportError> {
        match self {
            WeaponPositionOrName::Position(only) => {
                Ok(Some(*only).filter(|only| *only < arsenal.weapons.len()))
            }
            WeaponPositionOrName::Name(name) => {
                battle_runs::index_of_weapon(arsenal, name).map(Some).map_err(ReportError::Invalid)
            }
        }
    }
}

/// One job: its request, its progress, and its result.
pub struct StudioJob {
    /// Its id for the page.
    pub number: u64,
    request: JobRequest,
    halt: CancelToken,
    trials: AtomicU64,
    /// Trials in all; 0 if unknown.
    in_all: AtomicU64,
    pieces: AtomicUsize,
    of: AtomicUsize,
    /// Interim prices.
    early: Mutex<Vec<InterimWorthView>>,
    result: Mutex<Option<Arc<JobEvent>>>,
}

/// The progress of a job, or its result.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JobEvent {
    /// Trials so far, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trials: Option<String>,
    /// The share that is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<f64>,
    /// Solved cells, and all cells; null if trials are the better measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    squares: Option<Option<(f64, f64)>>,
    /// Finished pieces, and all pieces; null if trials are the better measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fought: Option<Option<(f64, f64)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<FaultView>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worked: Option<SolvedCellAndGridView>,
    /// Whether exact and simulated agree, in words; null if there is nothing to compare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    said: Option<Option<String>>,
    /// The answer of the current cell; null if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "AnswerInWords | null"))]
    told: Option<Option<AnswerInWords>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "AnswersDocument"))]
    odds: Option<AnswersDocument>,
    /// Prices as a terminal shows them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prices: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "BlockJson[]"))]
    blocks: Option<Vec<BlockJson>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "PricesDocument"))]
    document: Option<PricesDocument>,
    /// Trials so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made: Option<u64>,
    early: Vec<InterimWorthView>,
    /// Whether the job is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    done: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stopped: Option<bool>,
}

impl JobEvent {
    /// Whether the event is the last.
    pub fn is_final_event(&self) -> bool {
        self.done.is_some()
    }
}

impl std::fmt::Debug for StudioJobSlot {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Jobs").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for StudioJob {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Job").field("number", &self.number).finish_non_exhaustive()
    }
}

impl StudioJobSlot {
    /// Creates the place for a job over this state.
    pub fn new(bench: Arc<AppState>) -> StudioJobSlot {
        let (numbers, current) = (AtomicU64::new(0), Mutex::new(None));
        let (fought, solved) = (Mutex::default(), LatestSolvedAnswers::default());
        StudioJobSlot { bench, numbers, current, fought, solved }
    }

    /// Returns the state that jobs work on.
    pub fn shared_studio_state(&self) -> &AppState {
        &self.bench
    }

    /// Runs a job.
    pub fn run_given_job(&self, job: &StudioJob) {
        job.run_to_end(self);
    }

    /// Starts a job; `None` while another one runs.
    pub(crate) fn begin_if_idle(&self, request: JobRequest) -> Option<Arc<StudioJob>> {
        let mut current = self.current.lock();
        // A job uses all threads, so jobs run one after the other.
        if current.as_ref().is_some_and(|job| !job.is_job_finished()) {
            return None;
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        let job = Arc::new(StudioJob {
            number,
            request,
            halt: self.bench.host.new_cancel_token(),
            trials: AtomicU64::new(0),
            in_all: AtomicU64::new(0),
            pieces: AtomicUsize::new(0),
            of: AtomicUsize::new(0),
            early: Mutex::default(),
            result: Mutex::new(None),
        });
        *current = Some(Arc::clone(&job));
        Some(job)
    }

    /// The cached battles of `arsenal`; its new battles serve the next job.
    fn take_battle_cache(&self, arsenal: &Arsenal) -> Arc<ArsenalBattleCache> {
        let mut fought = self.fought.lock();
        let cache = Arc::new(ArsenalBattleCache::from_earlier_cache(arsenal, fought.as_deref()));
        *fought = Some(Arc::clone(&cache));
        cache
    }

    /// Returns the job with this number if it is the latest: no other is stored.
    pub fn job_by_number(&self, number: u64) -> Option<Arc<StudioJob>> {
        self.current.lock().clone().filter(|job| job.number == number)
    }

    /// Stops the running job.
    pub fn stop_running_job(&self) {
        self.current.lock().iter().for_each(|job| job.ask_to_stop());
    }
}

impl StudioJob {
    /// Cancels the job; finished work is reported.
    pub fn ask_to_stop(&self) {
        self.halt.cancel();
    }

    fn is_job_finished(&self) -> bool {
        self.result.lock().is_some()
    }

    /// Returns its progress, or its result.
    pub fn progress_or_result(&self) -> Arc<JobEvent> {
        if let Some(result) = &*self.result.lock() {
            return Arc::clone(result);
        }
        let share = |part: f64, of: f64| if of > 0.0 { (part / of).min(1.0) } else { 0.0 };
        let trials = self.trials.load(Ordering::Relaxed);
        let wanted = self.in_all.load(Ordering::Relaxed);
        let pieces = self.pieces.load(Ordering::Relaxed) as f64;
        let of = self.of.load(Ordering::Relaxed) as f64;
        // By trials or by cells, the larger share: many cells need no trials at all.
        let part = share(trials as f64, wanted as f64).max(share(pieces, of));
        let counted = Some((wanted == 0 && of > 0.0).then_some((pieces, of)));
        let exact = self.request.exact;
        Arc::new(JobEvent {
            trials: Some(group_digits(trials)),
            part: Some(part),
            squares: counted.filter(|_| exact),
            fought: counted.filter(|_| !exact),
            early: self.early.lock().clone(),
            ..JobEvent::default()
        })
    }

    fn run_to_end(&self, jobs: &StudioJobSlot) {
        let done = self.execute_request(jobs);
        let result = done.unwrap_or_else(|error| JobEvent {
            faults: Some(replies::faults_of_error(&error)),
            ..JobEvent::default()
        });
        // A page reads the progress while it is asked for a cancellation: no lock is held then.
        let stopped = self.halt.is_cancelled();
        let early = self.early.lock().clone();
        let result = JobEvent {
            made: Some(self.trials.load(Ordering::Relaxed)),
            early,
            done: Some(true),
            stopped: Some(stopped),
            ..result
        };
        *self.result.lock() = Some(Arc::new(result));
    }

    fn execute_request(&self, jobs: &StudioJobSlot) -> Result<JobEvent, ReportError> {
        let bench = &jobs.bench;
        let question = &self.request.question;
        let text = question.text_with_form();
        let document = question.parse_toml_document(&text)?;
        let catalogue = question.read_rulebooks_in_reach(bench, &document)?;
        // Not on the threads that answer while the user types.
        let pool = bench.host.build_job_thread_pool()?;
        let pool = pool.as_ref();
        if self.request.exact {
            let squares = |squares| self.of.store(squares, Ordering::Relaxed);
            let work = || {
                solved_grid_view::solve_cell_and_grid(bench, question, self, &jobs.solved, squares)
            };
            let worked = host::run_on_pool_or_here(pool, work)?;
            return Ok(JobEvent { worked: Some(worked), ..JobEvent::default() });
        }
        if is_arsenal_text(&text) {
            let arsenal =
                Arsenal::read_arsenal_text(&catalogue, question.file_name_in_messages(), &text)?;
            return self.price_arsenal(&arsenal, &jobs.take_battle_cache(&arsenal), pool);
        }
        let experiment = Experiment::read_or_cancel(
            &catalogue,
            question.file_name_in_messages(),
            &text,
            &self.halt,
        )?;
        self.simulate_experiment(bench, &experiment, pool)
    }

    fn simulate_experiment(
        &self,
        bench: &AppState,
        experiment: &Experiment,
        pool: Option<&ThreadPool>,
    ) -> Result<JobEvent, ReportError> {
        let cells = &experiment.cells;
        let stop = self.request.requested_trials_rule()?.unwrap_or(experiment.stop);
        self.of.store(cells.len(), Ordering::Relaxed);
        if let SimulationStopRule::Trials(each) = stop {
            let wanted = each.saturating_mul(cells.len() as u64);
            self.in_all.store(wanted, Ordering::Relaxed);
        }
        let settings = SolverSettings {
            seed: experiment.seed,
            stop,
            isa: InstructionSet::widest_available(),
            exact_only: false,
            fractions: false,
            bounds: false,
            played: false,
            states: None,
        };
        // The journal has the trials of a job that was stopped.
        let journal = bench.host.open_trial_journal()?;
        let answers =
            host::run_on_pool_or_here(pool, || solve_cells(cells, &settings, self, &journal))?
                .answers;
        let answers = experiment.insert_rows_of_broken_checks(answers);
        let question = &self.request.question;
        let own = answers.iter().filter(|answer| answer.contest == question.contest);
        let own = own.clone().nth(question.cell).or(own.clone().next());
        Ok(JobEvent {
            said: Some(sentences::describe_engine_agreement(&answers)),
            told: Some(own.map(answer_view::build_answer_view)),
            odds: Some(answers_json::build_answers_document(&answers)),
            ..JobEvent::default()
        })
    }

    fn price_arsenal(
        &self,
        arsenal: &Arsenal,
        cached: &ArsenalBattleCache,
        pool: Option<&ThreadPool>,
    ) -> Result<JobEvent, ReportError> {
        self.of.store(arsenal.weapons.len() * arsenal.scenarios.len(), Ordering::Relaxed);
        let only = self.request.only.as_ref().map(|only| only.index_in_arsenal(arsenal));
        let only = only.transpose()?.flatten();
        let battles =
            battle_runs::BattleSettings { only, ..battle_runs::BattleSettings::default() };
        let watch = InterimPriceObserver::new(
            arsenal,
            only,
            cached,
            (&self.halt, &self.pieces, &self.early),
        );
        let evidence = host::run_on_pool_or_here(pool, || {
            battle_runs::run_battles(arsenal, &battles, &watch)
        })?;
        let pricing = host::run_on_pool_or_here(pool, || {
            price::prices_from_evidence(&evidence, &arsenal.settings)
        })?;
        let about = (battles.seed, only);
        let findings = PriceFindings::new(arsenal, &evidence, &pricing, about);
        let blocks = build_full_price_report(&findings, Vec::new());
        Ok(JobEvent {
            prices: Some(render_as_text(&blocks)),
            blocks: Some(blocks_json::blocks_to_json(&blocks)),
            document: Some(prices_json::build_prices_document(&findings)),
            ..JobEvent::default()
        })
    }
}

/// Renders the prices for other programs: as on a terminal, which not every build has, or as
/// Markdown.
fn render_as_text(blocks: &[ReportBlock]) -> String {
    #[cfg(feature = "terminal")]
    return enfilade_report::terminal::text_for_terminal(
        blocks,
        enfilade_report::terminal::TerminalCapabilities::FOR_FILE,
    );
    #[cfg(not(feature = "terminal"))]
    enfilade_report::blocks::markdown::markdown_text(blocks)
}

impl SolveObserver for StudioJob {
    fn note_finished_trials(&self, trials: u64) {
        self.trials.fetch_add(trials, Ordering::Relaxed);
    }

    fn note_answered_cell(&self, _cell: usize) {
        self.pieces.fetch_add(1, Ordering::Relaxed);
    }

    fn cancel_token(&self) -> &CancelToken {
        &self.halt
    }
}
