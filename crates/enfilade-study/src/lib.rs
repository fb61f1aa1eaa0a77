//! Experiments: their files, their grids of cells, and the answer of each cell.
//!
//! An [experiment](experiment::Experiment) is a question in TOML. It names an action of a rulebook
//! and gives values to its fields; a list of values spans an axis of a grid. Each cell of the grid
//! is [solved](mod@solve) to an [`Answer`](answer::Answer): the exact distribution, the simulated
//! one with intervals, and the measures of both.
//!
//! ```
//! use enfilade_study::{experiment::Experiment, solve::{settings::SolverSettings, solve_experiment}};
//! let file = r#"
//!     [[contest]]
//!     system = "asl"
//!     action = "fire"
//!     fp = [4, 8]
//!     drm = -1
//!     target = { kind = "squad", morale = 7 }
//! "#;
//! let experiment = Experiment::read_experiment_text(&enfilade_games::built_in_catalogue(), "fire.toml", file)?;
//! let answers = solve_experiment(&experiment, &SolverSettings::for_exact_only().with_fractions())?;
//! let p_break = answers[1].measure_answer_by_name("p_break").expect("an attack can break a squad");
//! assert_eq!(p_break.fraction.as_deref(), Some("589/1296"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Large grids are [streamed](solve::run::run_plan_into_sink) to a sink, [searched](search), or cut
//! into [shards](sweep) for several machines. A [journal](checkpoint) resumes what was interrupted.
//! [`comparison`] compares two experiments, [`trade_off`] the effects of their fields, and
//! [`cross_check`] the engines.

pub mod answer;
pub mod checkpoint;
pub mod comparison;
pub mod cross_check;
pub mod error;
pub mod experiment;
mod false_alarms;
pub mod file;
#[doc(hidden)]
pub mod fingerprint;
pub mod follow_up;
#[doc(hidden)]
pub mod grid;
#[doc(hidden)]
pub mod parameters;
#[doc(hidden)]
pub mod question;
#[doc(hidden)]
pub mod samples;
#[doc(hidden)]
pub mod schema;
pub mod search;
pub mod solve;
#[doc(hidden)]
pub mod strategy;
pub mod sweep;
pub mod trade_off;
