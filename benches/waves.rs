//! Contests with a graph and without, in CPU seconds and ratios of one run:
//! `cargo bench --bench waves`, `-- large` for the two that have no graph, `-- curves` for how time and
//! room grow, or a file of contests.

use std::hint::black_box;

use cpu_time::ProcessTime;
use enfilade::combat::AnyCombat;
use enfilade::exact;
use enfilade::graph::{DieGraph, Limits};
use enfilade::halt::NEVER;
use enfilade::pieces::Part;
use enfilade::play;
use enfilade::simulate::{Isa, resume_in_waves};
use enfilade::stream::Stream;
use enfilade::study::experiment::Experiment;
use enfilade::systems;
use enfilade::waves::Terms;

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
        Some(path) => std::fs::read_to_string(path).expect("a file of contests"),
    };
    let read = Experiment::read(&systems::built_in(), "bench", &file).expect("it is well formed");
    println!(
        "contest | graph and law s | exact waves s | ÷ graph | states stepped | at once | MB | counted s \
         | played s | played ÷ counted"
    );
    for cell in &read.cells {
        measured(&cell.name, &cell.played.combat);
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
    let stream = Stream { seed: 1, fingerprint: [0; 32] };
    let (graph, by_graph) = timed(|| {
        let graph = DieGraph::of(combat, Limits::default()).ok()?;
        black_box(exact::law(&graph));
        Some(graph.states())
    });
    let terms = Terms { states: None, halt: &NEVER, seen: &|_| true };
    let before = room();
    let (found, exactly) = timed(|| exact::law_in_waves(combat, &terms).expect("it fits"));
    let room = room_at_most().saturating_sub(before) / 1000;
    let (_, counted) = timed(|| {
        let start = Part::default();
        resume_in_waves(combat, TRIALS, &stream, Isa::best(), start, &NEVER, &|_, _| true)
    });
    // A tenth of the trials tells the time as well.
    let (_, played) = timed(|| play::play(combat, TRIALS / 10, &stream, &|| true));
    let played = played * 10.0;
    let ratio = graph.map_or("-".to_owned(), |_| format!("{:.2}", exactly / by_graph));
    println!(
        "{name} | {by_graph:.3} | {exactly:.3} | {ratio} | {} | {} | {room} | {counted:.3} | {played:.3} | {:.1}",
        found.extent.stepped,
        found.extent.widest,
        played / counted,
    );
}
