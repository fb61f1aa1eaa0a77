//! Rulebooks that are text, beside the same rulebooks told in Rust: `cargo bench --bench whole`.
//!
//! A line for every sample and every experiment: nodes, the contest made ready, its graph, cells of a
//! grid per second, each of the text and of the Rust, and text ÷ Rust. Times are the least of several; of
//! a grid also when the text was just read and has compiled nothing.

mod answered;

use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use answered::answered;
use cpu_time::ThreadTime;
use enfilade::catalogue::{Action, Catalogue, System};
use enfilade::form::Form;
use enfilade::graph::{DieGraph, Limits};
use enfilade::{rulebook, systems};

fn built_in() -> &'static Catalogue {
    static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(systems::built_in);
    &BUILT_IN
}

/// The second telling, which stands among the tests.
#[allow(dead_code, unused_imports)]
#[path = "../tests/it/retold/mod.rs"]
mod retold;

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
            let (text, rust) = (text(id), rust(id));
            samples(&text, &rust);
            let (text, rust) = (Catalogue::of([text]), Catalogue::of([rust]));
            experiments.iter().for_each(|name| experiment(id, name, &text, &rust));
        }
    });
}

fn text(id: &str) -> System {
    println!("\n{id}: read in {:.1} ms", least(|| drop(read(id))) / 1000.0);
    read(id)
}

fn read(id: &str) -> System {
    let path = format!("rulebooks/{id}.rules");
    rulebook::open(Path::new(&path), built_in()).expect("in order").system
}

fn rust(id: &str) -> System {
    (**retold::in_rust().system(id).expect("told in Rust")).clone()
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
fn figures(action: &Action, sample: &str) -> [f64; 3] {
    let table = sample.parse().expect("TOML");
    let form = Form::fill(&action.fields, &table).expect("a contest");
    let ready = || action.contest(&form).expect("a contest");
    let contest = ready();
    let graph = || DieGraph::of(&contest.combat, Limits::default()).expect("small");
    let nodes = graph().nodes().len() as f64;
    [nodes, least(|| drop(ready())), least(|| drop(graph()))]
}

fn samples(text: &System, rust: &System) {
    println!("{:32} {:>22} {:>24} {:>30}", "contest", "nodes", "ready µs", "graph µs");
    let mut sums = [[0.0; 3]; 2];
    for action in &rust.actions {
        let told = text.action(&action.name).expect("told");
        for (place, sample) in action.samples.iter().enumerate() {
            let both = [figures(told, sample), figures(action, sample)];
            line(&format!("{} {place}", action.name), &both);
            for (sum, of) in sums.iter_mut().zip(&both) {
                sum.iter_mut().zip(of).for_each(|(sum, of)| *sum += of);
            }
        }
    }
    line("all", &sums);
}

fn line(name: &str, [text, rust]: &[[f64; 3]; 2]) {
    let beside = |at: usize| {
        format!("{:10.0} {:10.0} {:5.2}", text[at], rust[at], text[at] / rust[at].max(1e-9))
    };
    println!("{name:32} {} {} {}", beside(0), beside(1), beside(2));
}

fn experiment(id: &str, name: &str, text: &Catalogue, rust: &Catalogue) {
    let file = std::fs::read_to_string(format!("experiments/{name}.toml"));
    let file = file.expect("it lies in the checkout");
    let mut cells = 0;
    let [text, rust] = [text, rust].map(|catalogue| least(|| cells = answered(catalogue, &file)));
    let fresh = || Catalogue::of([read(id)]);
    let first = least_of(fresh, |fresh| cells = answered(&fresh, &file));
    let [text, rust, first] = [text, rust, first].map(|micros| cells as f64 / micros * 1e6);
    println!(
        "{name:32} {cells} cells: {text:.0} a second, {rust:.0} in Rust: {:.2}; just read {first:.0}: {:.2}",
        text / rust,
        first / rust
    );
}
