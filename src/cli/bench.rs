//! `enfilade bench`.

use std::num::NonZero;

use clap::Args;
use serde::Serialize;

use super::sheet::{Format, Sheet};
use super::{Page, options};
use crate::bench::{self, Contest, Figures};
use crate::error::Error;
use crate::report::json::indented;
use crate::report::terminal::Screen;
use crate::simulate::Isa;

/// Measure the simulation on this machine, against plain loops
///
/// Four reference contests are simulated and also played by a plain loop written for each of them
/// alone. Times are nanoseconds of CPU time per resolution: medians of rounds that take both in turn,
/// so that ratios hold on a busy machine. The bound is the time that the random bytes alone would take.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade bench --isa avx2 --format json")]
pub struct Bench {
    /// How to write the figures
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Threads that measure at the same time, each everything; times are those of one thread
    #[arg(long, value_name = "N", value_parser = options::threads, default_value = "1")]
    threads: usize,
    /// Instruction set of the simulation: baseline, avx2 or avx512 [default: the widest there is]
    #[arg(long)]
    isa: Option<Isa>,
}

const HEAD: [&str; 5] = ["contest", "ns", "plain loop, ns", "ratio", "share of RNG bound"];

impl Bench {
    /// Measures the contests and renders the figures.
    ///
    /// # Errors
    /// None at present.
    pub fn run(&self) -> Result<Page, Error> {
        let threads = NonZero::new(self.threads).unwrap_or(NonZero::<usize>::MIN);
        let figures = bench::measure(self.isa.unwrap_or_else(Isa::best), threads);
        Ok(Page::from(match self.format {
            Format::Table => format!(
                "{}\n{}",
                sheet(&figures).table(Screen::of_stdout().width),
                machine(&figures)
            ),
            Format::Markdown => format!("{}\n{}", sheet(&figures).markdown(), machine(&figures)),
            Format::Csv => sheet(&figures).csv(),
            Format::Json => indented(&document(&figures)),
        }))
    }
}

fn sheet(figures: &Figures) -> Sheet {
    let row = |contest: &Contest| {
        vec![
            contest.name.to_owned(),
            format!("{:.3}", contest.ns),
            format!("{:.2}", contest.plain_ns),
            format!("{:.1}", contest.ratio()),
            format!("{:.1} %", 100.0 * contest.share_of_rng_bound),
        ]
    };
    let mut sheet = Sheet::new(&HEAD);
    sheet.rows = figures.contests.iter().map(row).collect();
    sheet
}

fn machine(figures: &Figures) -> String {
    format!(
        "{}, {}, threads: {}, random bytes: {:.1} GB/s\n",
        figures.cpu, figures.isa, figures.threads, figures.rng_gb_per_s
    )
}

/// The figures as a document.
#[derive(Serialize)]
struct BenchDocument {
    cpu: String,
    isa: String,
    threads: usize,
    rng_gb_per_s: f64,
    contests: Vec<BenchContest>,
}

/// The figures of a contest.
#[derive(Serialize)]
struct BenchContest {
    name: &'static str,
    ns: f64,
    plain_ns: f64,
    ratio: f64,
    share_of_rng_bound: f64,
}

fn document(figures: &Figures) -> BenchDocument {
    let contest = |contest: &Contest| BenchContest {
        name: contest.name,
        ns: contest.ns,
        plain_ns: contest.plain_ns,
        ratio: contest.ratio(),
        share_of_rng_bound: contest.share_of_rng_bound,
    };
    BenchDocument {
        cpu: figures.cpu.clone(),
        isa: figures.isa.to_string(),
        threads: figures.threads,
        rng_gb_per_s: figures.rng_gb_per_s,
        contests: figures.contests.iter().map(contest).collect(),
    }
}
