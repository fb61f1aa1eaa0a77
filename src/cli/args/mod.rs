//! The options that several commands share, checked against [`crate::bounds`].

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use crate::bounds::{self, IntRange};
use crate::catalogue::{Catalogue, System};
use crate::error::Error;
use crate::report::text::sentences::replace_control_chars;
use crate::simulate::InstructionSet;
use crate::study::experiment::{ExperimentSpec, SimulationStopRule};
use crate::study::file::rulebook_loader;
use crate::study::file::source_document::SourceInput;
use crate::study::solve::SolverSettings;

#[cfg(feature = "studio")]
pub mod engine_args;
pub mod list_args;
pub mod output_format;
pub mod question_args;
pub mod seek_args;

/// Options of the solution of cells.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Solver options")]
pub struct CellSolutionArgs {
    /// Simulate exactly this many trials per cell
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_trial_count, conflicts_with = "precision")]
    pub trials: Option<u64>,
    /// Simulate until the standard error of every probability is at most this
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = parse_standard_error)]
    pub precision: Option<f64>,
    /// Skip the simulation
    #[arg(long, conflicts_with_all = ["trials", "precision", "played"])]
    pub exact_only: bool,
    /// Also give exact probabilities as fractions
    #[arg(long)]
    pub fractions: bool,
    /// Also give the largest possible error of every exact number, and small contests as fractions
    #[arg(long)]
    pub bounds: bool,
    /// Roll one trial at a time, for contests of any size
    #[arg(long)]
    pub played: bool,
    /// Solve exactly with at most this many states in memory; larger contests are only simulated.
    /// Contests of up to 131 072 states in total are always exact; one that may never end needs a
    /// graph of at most this many states [default there: 4 194 304] [default: as many as fit into
    /// 2 GiB]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_state_count)]
    pub states: Option<usize>,
    /// Start contests that take long without asking
    #[arg(long, short)]
    pub yes: bool,
    /// Options of the machine
    #[command(flatten)]
    pub machine: ExecutionArgs,
}

/// Seed, threads, instruction set and verbosity.
#[derive(Clone, Debug, Default, Args)]
pub struct ExecutionArgs {
    /// The seed, or "random" [default: the file's, else 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: Option<SeedArg>,
    /// Threads to use; more than four per processor are not started [default: one per processor]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_thread_count)]
    pub threads: Option<usize>,
    /// Instruction set of the simulation: baseline, avx2 or avx512 [default: the widest of this
    /// processor]
    #[arg(long)]
    pub isa: Option<InstructionSet>,
    /// Stop after this time, as with Ctrl-C: 90s, 15m or 2h. Finished work is saved, and no result
    /// depends on it
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = parse_time_limit)]
    pub within: Option<Duration>,
    /// No progress bar, no questions and no remarks, except a forecast of more than 5 seconds
    #[arg(long, short)]
    pub quiet: bool,
}

/// Rulebooks in text files, in addition to those that are built in.
#[derive(Clone, Debug, Default, Args)]
pub struct ExtraRulebookArgs {
    /// A rulebook in a text file, in addition to those that the experiment names; may be given
    /// several times
    #[arg(long, value_name = "FILE")]
    pub rules: Vec<PathBuf>,
}

impl ExtraRulebookArgs {
    /// Returns `catalogue` with these rulebooks.
    ///
    /// # Errors
    /// When a rulebook cannot be read, has faults, or has the name of another.
    pub fn catalogue_with_files(&self, catalogue: &Catalogue) -> Result<Catalogue, Error> {
        Ok(rulebook_loader::catalogue_with_rulebook_files(catalogue, &self.rules, None)?)
    }

    /// Path of the file of `system`, if it is one of these.
    pub fn path_of_rulebook(&self, system: &System) -> Option<&Path> {
        let named = |path: &&PathBuf| {
            system.is_from_text() && rulebook_loader::rulebook_name_of_path(path) == *system.id
        };
        self.rules.iter().find(named).map(PathBuf::as_path)
    }

    /// Formats the options for the next command: ` --rules my_game.rules`.
    pub fn as_command_options(&self) -> String {
        let rules = self.rules.iter().map(|path| format!(" --rules {}", path.display()));
        replace_control_chars(&rules.collect::<String>())
    }

    /// Returns `catalogue` with these rulebooks and with those that a file names.
    ///
    /// # Errors
    /// The errors of [`catalogue_with_files`](ExtraRulebookArgs::catalogue_with_files).
    pub fn catalogue_for_input(
        &self,
        catalogue: &Catalogue,
        input: &SourceInput,
    ) -> Result<Catalogue, Error> {
        Ok(rulebook_loader::catalogue_with_rulebook_files(catalogue, &self.rules, Some(input))?)
    }
}

/// A seed from the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedArg {
    /// The seed.
    pub value: u64,
    /// Whether the seed is random, so that it must be shown.
    pub is_random: bool,
}

impl FromStr for SeedArg {
    type Err = String;

    fn from_str(text: &str) -> Result<SeedArg, String> {
        if text == "random" {
            return Ok(SeedArg { value: draw_random_seed(), is_random: true });
        }
        let value = parse_whole_number(&bounds::SEED_RANGE, text)
            .map_err(|problem| format!("{problem}, or \"random\""))?;
        Ok(SeedArg { value, is_random: false })
    }
}

/// A random seed: the key that the standard library draws for its hash tables.
fn draw_random_seed() -> u64 {
    RandomState::new().hash_one("seed") & bounds::SEED_RANGE.high.unsigned_abs()
}

/// Parses a number of trials.
pub(super) fn parse_trial_count(text: &str) -> Result<u64, String> {
    parse_whole_number(&bounds::TRIAL_COUNT_RANGE, text)
}

/// Parses a number of states.
fn parse_state_count(text: &str) -> Result<usize, String> {
    parse_whole_number(&bounds::STATE_COUNT_RANGE, text)
        .map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

/// Parses a length of time: a whole number with its unit.
fn parse_time_limit(text: &str) -> Result<Duration, String> {
    let describe_expected = || {
        format!(
            "expected a number of seconds, minutes or hours, such as 90s, 15m or 2h, not {text}"
        )
    };
    let seconds = match text.chars().last() {
        Some('s') => 1,
        Some('m') => 60,
        Some('h') => 3600,
        _ => return Err(describe_expected()),
    };
    let number: u32 = text[..text.len() - 1].parse().map_err(|_| describe_expected())?;
    Ok(Duration::from_secs(u64::from(number) * seconds))
}

/// Parses a number of threads.
pub(super) fn parse_thread_count(text: &str) -> Result<usize, String> {
    parse_whole_number(&bounds::THREAD_COUNT_RANGE, text).map(|n| usize::try_from(n).unwrap_or(1))
}

/// Parses a whole number, which may have underscores between its digits as in TOML.
fn parse_whole_number(bound: &IntRange, text: &str) -> Result<u64, String> {
    let refuse = || format!("the {} must be a whole number, {bound}", bound.name);
    let between = |part: &str| part.ends_with(|c: char| c.is_ascii_digit());
    let mut parts = text.split('_');
    let last = parts.next_back().unwrap_or_default();
    let apart =
        parts.all(between) && last.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c));
    let number: i64 = text.replace('_', "").parse().map_err(|_| refuse())?;
    if !apart {
        return Err(refuse());
    }
    bound.check_in_range(number).map(i64::unsigned_abs)
}

fn parse_standard_error(text: &str) -> Result<f64, String> {
    let bound = bounds::STANDARD_ERROR_RANGE;
    let number = text.parse().map_err(|_| format!("the {} must be {bound}", bound.name))?;
    bound.check_in_range(number)
}

impl CellSolutionArgs {
    /// Combines the settings for the cells of `experiment`: the command line comes before the file.
    pub fn solver_settings_for(&self, experiment: &ExperimentSpec) -> SolverSettings {
        let trials = self.trials.map(SimulationStopRule::Trials);
        let precision = self.precision.map(SimulationStopRule::Precision);
        let settings = SolverSettings::from_experiment(experiment);
        SolverSettings {
            seed: self.machine.seed.map_or(settings.seed, |seed| seed.value),
            stop: trials.or(precision).unwrap_or(settings.stop),
            isa: self.machine.chosen_instruction_set(),
            exact_only: self.exact_only,
            fractions: self.fractions,
            bounds: self.bounds,
            played: self.played,
            states: self.states,
        }
    }
}

impl ExecutionArgs {
    /// The instruction set of the hot loop.
    pub fn chosen_instruction_set(&self) -> InstructionSet {
        self.isa.unwrap_or_else(InstructionSet::widest_available)
    }

    /// The remark on standard error before the work: a random seed.
    pub fn random_seed_remark(&self) -> Option<String> {
        let seed = self.seed.filter(|seed| seed.is_random && !self.quiet)?;
        Some(format!("seed {}", seed.value))
    }

    /// Builds the thread pool of the work.
    ///
    /// # Errors
    /// When the system does not provide that many threads.
    pub fn build_thread_pool(&self) -> Result<rayon::ThreadPool, Error> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = capped_thread_count(self.threads, processors);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| Error::Usage(format!("{threads} threads cannot be started: {error}")))
    }
}

/// The number of threads to start: no more than can be useful, because each takes address space,
/// and a system without any left ends the program without a message.
fn capped_thread_count(requested: Option<usize>, processors: usize) -> usize {
    requested.unwrap_or(processors).min(4 * processors)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        options: CellSolutionArgs,
    }

    fn parse(arguments: &str) -> Result<CellSolutionArgs, String> {
        let arguments = std::iter::once("test").chain(arguments.split_whitespace());
        let parsed = Only::try_parse_from(arguments).map_err(|error| error.to_string())?;
        Ok(parsed.options)
    }

    fn experiment() -> ExperimentSpec {
        ExperimentSpec {
            name: "x".into(),
            question: None,
            prediction: None,
            seed: 7,
            stop: SimulationStopRule::Trials(50),
            cell_count: 0,
            charts: Vec::new(),
            cards: Vec::new(),
            search: None,
            rulebooks: Vec::new(),
        }
    }

    #[test]
    fn the_command_line_goes_before_the_file() {
        let settings =
            |arguments| parse(arguments).expect("right").solver_settings_for(&experiment());
        assert_eq!((settings("").seed, settings("").stop), (7, SimulationStopRule::Trials(50)));
        let given = settings("--seed 0 --trials 1_000 --isa baseline --fractions --played");
        assert_eq!(
            (given.seed, given.stop, given.isa),
            (0, SimulationStopRule::Trials(1000), InstructionSet::Baseline)
        );
        assert!(given.fractions && given.played && !given.exact_only);
        assert_eq!((given.states, settings("--states 5_000").states), (None, Some(5000)));
        let within = |text: &str| parse(text).expect("right").machine.within;
        assert_eq!(within("--within 15m"), Some(Duration::from_secs(900)));
        assert_eq!(settings("--precision 0.01").stop, SimulationStopRule::Precision(0.01));
    }

    #[test]
    fn what_is_out_of_bounds_is_refused_with_the_bound() {
        let cases = [
            ("--trials 0", "the number of trials must be 1 to 10000000000000, but it is 0"),
            ("--trials many", "the number of trials must be a whole number"),
            ("--within 60", "as 90s, 15m or 2h, not 60"),
            ("--within -1h", "as 90s, 15m or 2h"),
            ("--states 0", "the number of states must be 1 to 10000000000, but it is 0"),
            ("--threads 0", "the number of threads must be 1 to 1024, but it is 0"),
            ("--threads 100000", "the number of threads must be 1 to 1024, but it is 100000"),
            ("--trials -1", "the number of trials must be 1 to 10000000000000, but it is -1"),
            ("--precision -0.5", "must be 0.000001 to 0.5, but it is -0.5"),
            ("--threads -2", "the number of threads must be 1 to 1024, but it is -2"),
            ("--seed -1", "but it is -1, or \"random\""),
            ("--seed=-1", "the seed must be 0 to 9223372036854775807, but it is -1, or \"random\""),
            ("--precision nan", "but it is NaN"),
            ("--precision 0", "must be 0.000001 to 0.5, but it is 0"),
            ("--isa mmx", "the instruction sets are baseline, avx2 and avx512"),
            ("--trials 5 --precision 0.1", "cannot be used with"),
            ("--exact-only --played", "cannot be used with"),
        ];
        for (arguments, problem) in cases {
            let error = parse(arguments).expect_err(arguments);
            assert!(error.contains(problem), "{arguments}: {error}");
        }
    }

    #[test]
    fn no_more_threads_are_started_than_are_of_use() {
        assert_eq!(capped_thread_count(None, 8), 8);
        assert_eq!(capped_thread_count(Some(3), 8), 3);
        assert_eq!(capped_thread_count(Some(1024), 8), 32);
        assert_eq!(capped_thread_count(Some(5), 1), 4);
    }

    #[test]
    fn a_drawn_seed_is_told_and_fits_into_a_file() {
        let options = parse("--seed random").expect("right");
        let seed = options.solver_settings_for(&experiment()).seed;
        assert_eq!(options.machine.random_seed_remark(), Some(format!("seed {seed}")));
        assert!(i64::try_from(seed).is_ok_and(|seed| bounds::SEED_RANGE.contains(seed)));
        assert_ne!(
            Some(seed),
            parse("--seed random").expect("right").machine.seed.map(|seed| seed.value)
        );
        assert_eq!(
            parse("--seed random --quiet").expect("right").machine.random_seed_remark(),
            None
        );
    }
}
