//! Exact odds, simulation and point costs for tabletop wargames, from one telling of each rule.
//!
//! A rule is a [`Combat`](combat::Combat): plain Rust that asks a source of dice for faces and
//! hands a state on. Nothing in it says how it is played, and so it can be played three ways. The
//! [die graph](graph) replays it with every face of every die; [exact](mod@exact) pushes probability
//! through the graph, [simulated](simulate) pushes counts of trials through it and really rolls the
//! dice; [played](play) rolls one trial at a time and knows no graph. The three must agree, and
//! [`verify`](study::verify) is the gate that compares them.
//!
//! A designer asks in TOML. The file becomes an [`Experiment`](study::experiment::Experiment), a
//! grid of cells; each cell's [answer](study::answer) holds the exact law, the simulated one with
//! its intervals, and the measures of both:
//!
//! ```
//! use enfilade::simulate::Isa;
//! use enfilade::study::experiment::Experiment;
//! use enfilade::study::journal::Journal;
//! use enfilade::study::solve::{Settings, Unwatched, solve};
//! use enfilade::systems;
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
//! let experiment = Experiment::read(&systems::built_in(), "example.toml", file)?;
//! let settings = Settings {
//!     seed: experiment.seed,
//!     stop: experiment.stop,
//!     isa: Isa::best(),
//!     exact_only: false,
//!     fractions: true,
//!     played: false,
//!     states: None,
//! };
//! let solved = solve(&experiment.cells, &settings, &Unwatched, &Journal::none())?;
//! let p_break = solved.answers[0].measure("p_break").expect("an attack can break a squad");
//! assert_eq!(p_break.fraction.as_deref(), Some("589/1296"));
//! assert_eq!(solved.answers[0].agrees, Some(true));
//! # Ok::<(), enfilade::error::Error>(())
//! ```
//!
//! Dependency is gravity: a module uses only floors below it, never a neighbour on its own. From
//! the door to the ground: [`cli`]; [`report`] and [`bench`](mod@bench); [`study`]; the strangers [`exact`](mod@exact),
//! [`simulate`] and [`play`]; [`graph`] and [`waves`]; the shelves [`systems`], [`rulebook`] and [`stats`]; and the ground,
//! [`catalogue`], [`arsenal`], [`combat`], [`dice`], [`form`], [`bounds`], [`shared`], [`stream`], [`pieces`], [`halt`],
//! [`packed`] and [`error`]. A test reads the `use` lines.
#![deny(missing_docs)]

// The door.
pub mod cli;

// The press room and the stopwatch.
pub mod bench;
pub mod report;

// The questions.
pub mod study;

// The three ways to play.
pub mod exact;
pub mod play;
pub mod simulate;

// What they share.
pub mod graph;
pub mod waves;

// The shelves.
pub mod rulebook;
pub mod stats;
pub mod systems;

// The ground.
pub mod arsenal;
pub mod bounds;
pub mod catalogue;
pub mod combat;
pub mod dice;
pub mod error;
pub mod form;
pub mod halt;
pub mod packed;
pub mod pieces;
pub mod shared;
pub mod stream;
