//! `enfilade bench`.

use std::num::NonZero;

use clap::Args;
use serde::Serialize;

use crate::bench::{self, SimulationCpuTimes, SpeedFigures};
use crate::cli::OutputAndError;
use crate::cli::args;
use crate::cli::text_sheet::{HeadAndTextRows, TableTextFormat};
use crate::error::Error;
use crate::report::json_text::to_indented_json;
use crate::report::terminal::TerminalCapabilities;
use crate::simulate::InstructionSet;

/// Measure the simulation on this machine, against plain loops
///
/// Four reference contests are simulated and also played by a plain loop written for each of them
/// alone. Times are nanoseconds of CPU time per resolution: medians of rounds that take both in
/// turn, so that ratios hold on a busy machine. The bound is the time that the random bytes alone
/// would take.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade bench --isa avx2 --format json")]
pub struct BenchArgs {
    /// How to write the figures
    #[arg(long, value_enum, default_value_t)]
    format: TableTextFormat,
    /// Threads that run the whole measurement side by side; times are those of one thread
    #[arg(long, value_name = "N", value_parser = args::parse_thread_count, default_value = "1")]
    threads: usize,
    /// Instruction set of the simulation: baseline, avx2 or avx512 [default: the widest of this
    /// processor]
    #[arg(long)]
    isa: Option<InstructionSet>,
}

const BENCH_TABLE_HEAD: [&str; 5] =
    ["contest", "ns", "plain loop, ns", "ratio", "share of RNG bound"];

impl BenchArgs {
    /// Measures the contests and renders the figures.
    ///
    /// # Errors
    /// None at present.
    pub fn time_against_plain_loops(&self) -> Result<OutputAndError, Error> {
        let threads = NonZero::new(self.threads).unwrap_or(NonZero::<usize>::MIN);
        let figures = bench::time_reference_contests(
            self.isa.unwrap_or_else(InstructionSet::widest_available),
            threads,
        );
        Ok(OutputAndError::from(match self.format {
            TableTextFormat::Table => format!(
                "{}\n{}",
                bench_figure_sheet(&figures)
                    .render_aligned_columns(TerminalCapabilities::from_stdout().width),
                describe_bench_machine(&figures)
            ),
            TableTextFormat::Markdown => {
                format!(
                    "{}\n{}",
                    bench_figure_sheet(&figures).render_as_markdown(),
                    describe_bench_machine(&figures)
                )
            }
            TableTextFormat::Csv => bench_figure_sheet(&figures).render_as_csv(),
            TableTextFormat::Json => to_indented_json(&bench_figures_document(&figures)),
        }))
    }
}

fn bench_figure_sheet(figures: &SpeedFigures) -> HeadAndTextRows {
    let row = |contest: &SimulationCpuTimes| {
        vec![
            contest.name.to_owned(),
            format!("{:.3}", contest.ns),
            format!("{:.2}", contest.plain_ns),
            format!("{:.1}", contest.speed_over_plain_loop()),
            format!("{:.1} %", 100.0 * contest.share_of_rng_bound),
        ]
    };
    let mut sheet = HeadAndTextRows::new(&BENCH_TABLE_HEAD);
    sheet.rows = figures.contests.iter().map(row).collect();
    sheet
}

fn describe_bench_machine(figures: &SpeedFigures) -> String {
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
    contests: Vec<ContestTimesAgainstPlainLoop>,
}

/// The figures of a contest.
#[derive(Serialize)]
struct ContestTimesAgainstPlainLoop {
    name: &'static str,
    ns: f64,
    plain_ns: f64,
    ratio: f64,
    share_of_rng_bound: f64,
}

fn bench_figures_document(figures: &SpeedFigures) -> BenchDocument {
    let contest = |contest: &SimulationCpuTimes| ContestTimesAgainstPlainLoop {
        name: contest.name,
        ns: contest.ns,
        plain_ns: contest.plain_ns,
        ratio: contest.speed_over_plain_loop(),
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
