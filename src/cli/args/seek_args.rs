//! Arguments of `enfilade seek`.

use std::path::PathBuf;

use clap::Args;

use super::question_args::QuestionArgs;
use super::{ExecutionArgs, ExtraRulebookArgs};

/// Find the numbers of a game from wanted odds
///
/// A file lists below [seek.change] the numbers that may change, fields of its contests or numbers
/// of its rulebook, and below `[seek]` the odds that are wanted. Every design is decided: the
/// answer has all that fit, or the reason why none fits. `seek dice` looks for dice instead: braces
/// list what may differ, and the wants are about `mean`, `sd` and `chance(>= 3)`. In an arsenal, a
/// want is about the worth or the even price of a unit. A search that is stopped, by Ctrl-C or by
/// --within, continues with the same command.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade seek bridgehead.toml
  enfilade seek bridgehead.toml --format toml
  enfilade seek asl fire target.kind=squad target.morale=6..8 \\
    --change fp=4,8,12,16 --change drm=-4..8 --so-that \"mean p_break = 35 % ± 2 %\"
  enfilade seek dice \"{1..20}d{6,8,10,12} count {2..12}+\" \\
    --so-that \"mean = 7 ± 0.1\" --so-that \"sd = 2 ± 0.1\"")]
pub struct SeekArgs {
    /// The question: a file, or a rulebook with an action and fields
    #[command(flatten)]
    pub question: QuestionArgs,
    /// A number that may change, with its values: `fp=4,8,12`, `drm=-4..8`, `weapon=all`; may be
    /// given several times
    #[arg(long, value_name = "NAME=VALUES")]
    pub change: Vec<String>,
    /// The odds that are wanted: `p_kill = 35 % ± 2 %`; may be given several times
    #[arg(long, value_name = "WANT")]
    pub so_that: Vec<String>,
    /// A condition between the numbers: `gun.tons + armour <= 40`; may be given several times
    #[arg(long, value_name = "CONDITION")]
    pub subject_to: Vec<String>,
    /// The order of designs: `fewest changes`, `least steps`, `highest mean p_kill`; may be given
    /// several times
    #[arg(long, value_name = "ORDER")]
    pub prefer: Vec<String>,
    /// The number of designs to print [default: 3 on a terminal, 20 as JSON]
    #[arg(long, value_name = "N")]
    pub best: Option<usize>,
    /// The largest number of states of one grid that is solved whole, such as 1e9; above it few
    /// cells are solved, which bound the others, and at most this many states [default: 1e8]
    #[arg(long, value_name = "STATES", value_parser = parse_states, conflicts_with = "full")]
    pub work: Option<u64>,
    /// Solve every grid whole, however long it takes
    #[arg(long)]
    pub full: bool,
    /// How to write the answer
    #[arg(long, value_enum, default_value_t)]
    pub format: SeekFormat,
    /// Also write designs and solved cells as tables, the answer as JSON, pictures and a page to
    /// this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Rulebooks in text files
    #[command(flatten)]
    pub rulebooks: ExtraRulebookArgs,
    /// Options of the machine
    #[command(flatten)]
    pub machine: ExecutionArgs,
}

/// Formats of the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum SeekFormat {
    /// For reading
    #[default]
    Table,
    /// One JSON document
    Json,
    /// A table with a row for each design, separated by commas
    Csv,
    /// Sentences and tables in Markdown
    Markdown,
    /// The first design as a file that `enfilade odds` answers
    Toml,
}

impl SeekFormat {
    /// Whether every kind of search is written in it.
    pub fn suits_every_search(self) -> bool {
        matches!(self, SeekFormat::Table | SeekFormat::Json)
    }

    /// The option that chooses it.
    pub fn full_command_line_option(self) -> &'static str {
        match self {
            SeekFormat::Table => "--format table",
            SeekFormat::Json => "--format json",
            SeekFormat::Csv => "--format csv",
            SeekFormat::Markdown => "--format markdown",
            SeekFormat::Toml => "--format toml",
        }
    }
}

/// Parses a number of states: `1e9` or `1000000000`.
fn parse_states(text: &str) -> Result<u64, String> {
    let states: f64 = text.parse().map_err(|_| "expected a number such as 1e9".to_owned())?;
    match (1.0..=1e18).contains(&states) {
        true => Ok(states as u64),
        false => Err("expected a number from 1 to 1e18".to_owned()),
    }
}
