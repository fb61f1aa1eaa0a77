//! Contests with a graph and without, in CPU seconds and ratios of one run:
//! `cargo bench --bench waves`, `-- large` for the two that have no graph, `-- curves` for how time
//! and room grow, `-- company` for how many trials meet in a state, `-- forecasts` for how well
//! their size is foretold, or a file of contests.

use std::hint::black_box;

use cpu_time::ProcessTime;
use enfilade::cancel::NEVER_CANCELLED;
use enfilade::combat::AnyCombat;
use enfilade::dice::Dice;
use enfilade::exact;
use enfilade::frontier::{
    self, FrontierLimits, OutcomeWeightSplit, PropagatedWeightKind, StateWeightSum, Throw,
    TrialsPlayedOnAlone,
};
use enfilade::graph::{CompiledContestLimits, DieGraph};
use enfilade::play::{self, RandomDice};
use enfilade::random_stream::ContestRandomStream;
use enfilade::simulate::{InstructionSet, resume_frontier_simulation};
use enfilade::study::experiment::Experiment;
use enfilade::study::solve::forecast::CostForecast;
use enfilade::systems;
use enfilade::work_units::PartialWorkResult;

const TRIALS: u64 = 1_000_000;

fn fire(attacks: u8, squads: u8, leaders: &[&str]) -> String {
    let leaders = leaders.iter().map(|leader| format!("[[contest.target]]\nleader = '{leader}'\n"));
    format!(
        "[[contest]]\nname = '{attacks} attacks on {squads} squads, {} leaders'\nsystem = 'asl'\n\
         action = 'fire'\nfp = 12\nattacks = {attacks}\n[[contest.target]]\nunit = '4-6-7'\n\
         nation = 'German'\ncount = {squads}\n{}",
        leaders.len(),
        leaders.collect::<String>(),
    )
}

fn duel(troopers: u8, moves: u8) -> String {
    format!(
        "[[contest]]\nname = '{troopers} troopers, {moves} moves'\nsystem = 'skirmishers'\n\
         action = 'crewed-duel'\nweapon = 'HMG'\ntroopers = {troopers}\nmoves = {moves}\nrange = 60\n"
    )
}

fn large() -> String {
    duel(12, 8) + &fire(6, 4, &["9-1", "8-0"])
}

fn middling() -> String {
    duel(4, 4) + &duel(6, 6) + &duel(8, 6) + &fire(3, 2, &["9-1"]) + &fire(3, 3, &["9-1", "8-0"])
}

fn curves() -> String {
    let squads = (1..=11).map(|squads| fire(1, squads, &["9-1"]));
    let twice = (1..=6).map(|squads| fire(2, squads, &["9-1"]));
    let attacks = (1..=20).map(|attacks| fire(attacks, 1, &["9-1"]));
    let troopers = (1..=12).map(|troopers| duel(troopers, 4));
    let moves = (1..=12).map(|moves| duel(6, moves));
    squads.chain(twice).chain(attacks).chain(troopers).chain(moves).collect()
}

fn main() {
    let asked = std::env::args().skip(1).find(|word| !word.starts_with("--"));
    let file = match asked.as_deref() {
        None => middling(),
        Some("large") => large(),
        Some("curves") => curves(),
        Some("company") => return company(),
        Some("forecasts") => return forecasts(),
        Some(path) => std::fs::read_to_string(path).expect("a file of contests"),
    };
    let read = Experiment::read_experiment_text(&systems::built_in_catalogue(), "bench", &file)
        .expect("it is well formed");
    println!(
        "contest | graph and law s | exact waves s | ÷ graph | states stepped | at once | MB | counted s \
         | played s | played ÷ counted"
    );
    // As the program does: on a thread of the pool that the work is shared with.
    let pool = rayon::ThreadPoolBuilder::new().build().expect("threads");
    for cell in &read.cells {
        pool.install(|| measured(&cell.name, &cell.played.combat));
    }
}

/// CPU seconds of all threads.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = ProcessTime::now();
    let made = work();
    (made, start.elapsed().as_secs_f64())
}

/// Kilobytes that the process takes; what it took at most is forgotten.
fn room() -> u64 {
    // Where this cannot be written, room is told as 0.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    status("VmRSS:")
}

/// Kilobytes that it has taken at most since then.
fn room_at_most() -> u64 {
    status("VmHWM:")
}

fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn measured(name: &str, combat: &AnyCombat) {
    let stream = ContestRandomStream { seed: 1, fingerprint: [0; 32] };
    let (graph, by_graph) = timed(|| {
        let graph =
            DieGraph::compile_within_limits(combat, CompiledContestLimits::default()).ok()?;
        black_box(exact::solve_graph_distribution(&graph));
        Some(graph.reached_state_count())
    });
    let terms = FrontierLimits { states: None, halt: &NEVER_CANCELLED, on_step: &|_| true };
    let before = room();
    let (found, exactly) = timed(|| exact::solve_without_graph(combat, &terms).expect("it fits"));
    let room = room_at_most().saturating_sub(before) / 1000;
    let (_, counted) = timed(|| {
        let start = PartialWorkResult::default();
        resume_frontier_simulation(
            combat,
            TRIALS,
            &stream,
            InstructionSet::widest_available(),
            start,
            &NEVER_CANCELLED,
            &|_, _| true,
        )
    });
    // A tenth of the trials tells the time as well.
    let (_, played) = timed(|| play::play_trials(combat, TRIALS / 10, &stream, &|| true));
    let played = played * 10.0;
    let ratio = graph.map_or("-".to_owned(), |_| format!("{:.2}", exactly / by_graph));
    println!(
        "{name} | {by_graph:.3} | {exactly:.3} | {ratio} | {} | {} | {room} | {counted:.3} | {played:.3} | {:.1}",
        found.extent.expanded_states,
        found.extent.widest,
        played / counted,
    );
}

/// How many trials are in a state.
#[derive(Clone, Copy, Default)]
struct Trials(u64);

impl StateWeightSum for Trials {
    fn merge_weight(&mut self, other: &Self) {
        self.0 += other.0;
    }
}

/// How many trials are in one state, by fours; the last is all above.
const COMPANIES: [u64; 6] = [1, 4, 16, 64, 256, u64::MAX];

/// Steps of trials, in how much company; and how often the rule had to be asked for them.
#[derive(Clone, Copy, Default)]
struct Steps {
    played: u64,
    asked: u64,
    /// By company: the steps of trials that were in it, and the states.
    trials: [u64; COMPANIES.len()],
    states: [u64; COMPANIES.len()],
}

/// Pushes trials, each of which rolls its own dice, and notes how many there are where.
#[derive(Default)]
struct Looking {
    steps: Steps,
}

struct Looked {
    steps: Steps,
    dice: RandomDice,
}

impl PropagatedWeightKind for Looking {
    type StateWeight = Trials;
    type StateWeightSplit = Looked;

    fn new_batch_split(&self, wave: u64, piece: u64) -> Looked {
        let stream = ContestRandomStream { seed: wave, fingerprint: [1; 32] };
        Looked { steps: Steps::default(), dice: RandomDice::new(&stream, piece) }
    }

    fn collect_batch_side_results(&mut self, split: Looked) {
        self.steps.played += split.steps.played;
        self.steps.asked += split.steps.asked;
        for at in 0..COMPANIES.len() {
            self.steps.trials[at] += split.steps.trials[at];
            self.steps.states[at] += split.steps.states[at];
        }
    }

    fn is_weight_negligible(&self, _: &Trials) -> bool {
        false
    }
}

impl OutcomeWeightSplit for Looked {
    type StateWeight = Trials;

    fn as_few_trials(&mut self, load: &Trials) -> Option<TrialsPlayedOnAlone<'_, Trials>> {
        let at = COMPANIES.iter().position(|most| load.0 <= *most).unwrap_or(0);
        self.steps.played += load.0;
        self.steps.trials[at] += load.0;
        self.steps.states[at] += 1;
        None
    }

    fn split_over_throw(&mut self, load: Trials, throw: Throw, into: &mut Vec<(u16, Trials)>) {
        let mut shown = vec![0; throw.max_value() + 1];
        for _ in 0..load.0 {
            let faces = (0..throw.number_of_dice())
                .map(|_| throw.amount_added_by_face(self.dice.die(throw.sides())));
            shown[usize::from(throw.least_equivalent_value(faces.sum()))] += 1;
        }
        let shown = (0..).zip(shown).filter(|(_, trials)| *trials > 0);
        into.extend(shown.map(|(value, trials)| (value, Trials(trials))));
    }

    fn weight_after_step_tallies(&mut self, load: Trials, _: &[(u8, i64)]) -> Trials {
        self.steps.asked += 1;
        load
    }
}

/// In how much company a million trials of the large contests are, and how often the rule must be
/// asked for them: no counting by states can be faster beside playing than by the ratio of the two.
fn company() {
    let read = Experiment::read_experiment_text(&systems::built_in_catalogue(), "bench", &large())
        .expect("it is well formed");
    for cell in &read.cells {
        let terms =
            FrontierLimits { states: Some(usize::MAX), halt: &NEVER_CANCELLED, on_step: &|_| true };
        let mut push = Looking::default();
        frontier::propagate_to_endings(&cell.played.combat, &mut push, Trials(TRIALS), &terms)
            .expect("it ends");
        let Steps { played, asked, trials, states } = push.steps;
        let ratio = played as f64 / asked as f64;
        println!("\n{}: {played} steps, the rule asked {asked} times: {ratio:.1}", cell.name);
        for ((most, trials), states) in COMPANIES.iter().zip(trials).zip(states) {
            let share = trials as f64 / played as f64;
            println!("up to {most} in a state | {share:.3} of the steps | {states} states");
        }
    }
}

/// Of contests from small to large: how many states were foretold, and how many there are.
fn forecasts() {
    let attacks = [(2, 6), (3, 4), (6, 3), (10, 3), (20, 2), (2, 5), (4, 4)];
    let attacks = attacks.iter().map(|&(attacks, squads)| fire(attacks, squads, &["9-1"]));
    let squads = [8, 10].map(|squads| fire(1, squads, &["9-1", "8-0"]));
    let duels = [(12, 4), (12, 8), (6, 12), (9, 12), (12, 12)];
    let duels = duels.iter().map(|&(troopers, moves)| duel(troopers, moves));
    let file: String = attacks.chain(squads).chain(duels).collect();
    let read = Experiment::read_experiment_text(&systems::built_in_catalogue(), "bench", &file)
        .expect("it is well formed");
    println!(
        "contest | states foretold | tried | states | foretold ÷ found | held foretold | held | ÷"
    );
    for cell in &read.cells {
        let told =
            CostForecast::forecast_frontier(cell, &NEVER_CANCELLED).expect("its fields tell");
        let terms = FrontierLimits { states: None, halt: &NEVER_CANCELLED, on_step: &|_| true };
        let found =
            exact::solve_without_graph(&cell.played.combat, &terms).expect("it fits").extent;
        let (states, held) = (found.expanded_states as f64, found.widest as f64);
        println!(
            "{} | {:.0} | {} | {states} | {:.2} | {:.0} | {held} | {:.2}",
            cell.name,
            told.states,
            told.tried_states,
            told.states / states,
            told.held_states,
            told.held_states / held,
        );
    }
}
