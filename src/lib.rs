//! Exact odds, simulation and point costs for tabletop wargames, from one definition of each rule.
//!
//! A rule is a [`Combat`]: plain Rust that rolls dice from a source and returns the next state. It
//! does not depend on how it is played, and so it can be played in three ways. The [die
//! graph](graph) replays it with every face of every die; [exact](mod@exact) propagates probability
//! through the graph, [simulated](simulate) propagates counts of trials through it, with real
//! rolls; [played](play) rolls one trial at a time without a graph. The three must agree, and
//! [`verify`](study::cross_check) compares them. [`Odds`] is the short way from a rule to its odds.
//!
//! A designer writes a question in TOML. The file becomes an [`Experiment`], a grid of cells; each
//! cell's [`Answer`] contains the exact distribution, the simulated one with its intervals, and the
//! measures of both:
//!
//! ```
//! use enfilade::{Experiment, SolverSettings, built_in_catalogue, solve_experiment};
//!
//! let file = r#"
//!     trials = 100_000
//!     [[contest]]
//!     system = "asl"
//!     action = "fire"
//!     fp = 8
//!     drm = -1
//!     target = { kind = "squad", morale = 7 }
//! "#;
//! let experiment = Experiment::read_experiment_text(&built_in_catalogue(), "example.toml", file)?;
//! let answers = solve_experiment(&experiment, &SolverSettings::from_experiment(&experiment).with_fractions())?;
//! let p_break = answers[0].measure_answer_by_name("p_break").expect("an attack can break a squad");
//! assert_eq!(p_break.fraction.as_deref(), Some("589/1296"));
//! assert_eq!(answers[0].agrees, Some(true));
//! # Ok::<(), enfilade::Error>(())
//! ```
//!
//! The items that most users need are at the root. The documented modules are for users too; hidden
//! ones are public for the program alone and may change in any release. `examples/` has a custom
//! rule, the odds of a file and a price. The program is a feature, `cli`: a library sets
//! `default-features = false`, and adds formats by `parquet`, `xlsx`, `pdf` and `png`.
//!
//! Each module re-exports a crate that can be used alone. From top to bottom, where each depends
//! only on those below it:
//!
//! | crate | here |
//! |---|---|
//! | `enfilade-report` | `report` |
//! | `enfilade-pricing` | [`pricing`] |
//! | `enfilade-study` | [`study`] |
//! | `enfilade-engine`, `enfilade-games`, `enfilade-dice` | [`graph`], [`exact`](mod@exact), [`simulate`], [`play`]; [`systems`] |
//! | `enfilade-rules` | [`rulebook`] |
//! | `enfilade-model`, `enfilade-stats` | [`catalogue`], [`weapons`], [`combat`], [`dice`], [`form`]; `stats` |

// The command line.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

// The page in the browser.
#[cfg(feature = "studio")]
#[doc(hidden)]
pub mod studio;

pub mod error;

// Modules of the other crates, under their names here.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use enfilade_bench as bench;
#[doc(hidden)]
pub use enfilade_dice as dice_laws;
pub use enfilade_engine::{
    cancel, exact, frontier, graph, play, random_stream, simulate, work_units,
};
pub use enfilade_games as systems;
pub use enfilade_model::form::bounds;
pub use enfilade_model::{
    catalogue, combat, dice, form, plain_file, state_hash, static_or_shared, weapons,
};
pub use enfilade_pricing as pricing;
#[doc(hidden)]
pub use enfilade_report as report;
pub use enfilade_rules as rulebook;
#[doc(hidden)]
pub use enfilade_seek as seek;
#[doc(hidden)]
pub use enfilade_stats as stats;
pub use enfilade_study as study;

pub use catalogue::Catalogue;
pub use combat::{AnyCombat, Combat, Measure, OutcomeField, OutcomeVocabulary};
pub use dice::Dice;
pub use enfilade_engine::odds::{self, Odds};
pub use error::Error;
pub use graph::DieGraph;
pub use pricing::arsenal::Arsenal;
pub use pricing::price_arsenal;
pub use study::answer::Answer;
pub use study::checkpoint::journal::BuildId;
pub use study::experiment::Experiment;
pub use study::solve::{SolverSettings, solve_experiment};
pub use systems::built_in_catalogue;

/// The sources that this program was built from, in 16 hexadecimal digits.
///
/// ```
/// assert!(enfilade::PROGRAM_BUILD_ID.0.chars().all(|digit| digit.is_ascii_hexdigit()));
/// ```
pub const PROGRAM_BUILD_ID: BuildId = BuildId(env!("ENFILADE_BUILD"));
