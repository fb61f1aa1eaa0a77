//! Rulebooks that are text, the whole of each: `cargo bench --bench whole`.
//!
//! A line for every sample and every experiment: nodes, the contest made ready, its graph, cells of
//! a grid per second. Times are the least of several; of a grid also when the text was just read
//! and has compiled nothing. They are held against those of another commit on the same machine.

mod answered;

use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use answered::answered;
use cpu_time::ThreadTime;
use enfilade::catalogue::{Catalogue, RulebookAction, System};
use enfilade::form::Form;
use enfilade::graph::{CompiledContestLimits, DieGraph};
use enfilade::{rulebook, systems};

fn built_in() -> &'static Catalogue {
    static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(systems::built_in_catalogue);
    &BUILT_IN
}

const EXPERIMENTS: [(&str, &[&str]); 2] = [
    ("aic", &["aic_experience_against_numbers", "aic_suppression", "cards/experience_dice"]),
    ("d20", &["d20_aim_or_fire", "d20_weapons", "d20_penetration", "cards/penetration"]),
];

/// How long one figure is measured, and how often at least.
const LONG: Duration = Duration::from_millis(60);
const OFTEN: usize = 3;

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    // The clock counts the thread that all of the work is done on.
    pool.expect("a thread can be started").install(|| {
        for (id, experiments) in EXPERIMENTS {
            let text = text(id);
            samples(&text);
            let text = Catalogue::from_rulebooks([text]);
            experiments.iter().for_each(|name| experiment(id, name, &text));
        }
    });
}

fn text(id: &str) -> System {
    println!("\n{id}: read in {:.1} ms", least(|| drop(read(id))) / 1000.0);
    read(id)
}

fn read(id: &str) -> System {
    let path = format!("rulebooks/{id}.rules");
    rulebook::read_rulebook_at_path(Path::new(&path), built_in()).expect("in order").system
}

/// Microseconds that it takes, at least.
fn least(mut work: impl FnMut()) -> f64 {
    least_of(|| (), |()| work())
}

/// The same of what is prepared anew each time.
fn least_of<T>(mut prepare: impl FnMut() -> T, mut work: impl FnMut(T)) -> f64 {
    let (mut least, mut times) = (f64::MAX, 0);
    let begin = Instant::now();
    while times < OFTEN || begin.elapsed() < LONG {
        let prepared = prepare();
        let start = ThreadTime::now();
        work(prepared);
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
        times += 1;
    }
    least
}

/// Nodes, microseconds to make the contest ready, and microseconds of its graph.
fn figures(action: &RulebookAction, sample: &str) -> [f64; 3] {
    let table = sample.parse().expect("TOML");
    let form = Form::from_table_with_defaults(&action.fields, &table).expect("a contest");
    let ready = || action.build_contest(&form).expect("a contest");
    let contest = ready();
    let graph = || {
        DieGraph::compile_within_limits(&contest.combat, CompiledContestLimits::default())
            .expect("small")
    };
    let nodes = graph().nodes().len() as f64;
    [nodes, least(|| drop(ready())), least(|| drop(graph()))]
}

fn samples(text: &System) {
    println!("{:32} {:>10} {:>10} {:>10}", "contest", "nodes", "ready µs", "graph µs");
    let mut sums = [0.0; 3];
    for action in &text.actions {
        for (place, sample) in action.samples.iter().enumerate() {
            let own = figures(action, sample);
            line(&format!("{} {place}", action.name), own);
            sums.iter_mut().zip(own).for_each(|(sum, of)| *sum += of);
        }
    }
    line("all", sums);
}

fn line(name: &str, [nodes, ready, graph]: [f64; 3]) {
    println!("{name:32} {nodes:10.0} {ready:10.0} {graph:10.0}");
}

fn experiment(id: &str, name: &str, text: &Catalogue) {
    let file = std::fs::read_to_string(format!("experiments/{name}.toml"));
    let file = file.expect("it lies in the checkout");
    let mut cells = 0;
    let known = least(|| cells = answered(text, &file));
    let fresh = || Catalogue::from_rulebooks([read(id)]);
    let first = least_of(fresh, |fresh| cells = answered(&fresh, &file));
    let [known, first] = [known, first].map(|micros| cells as f64 / micros * 1e6);
    println!("{name:32} {cells} cells: {known:.0} a second, just read {first:.0}");
}
