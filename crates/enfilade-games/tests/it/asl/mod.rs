//! `asl`: worked examples, rules one by one, laws, and two independent implementations by brute
//! force.

mod agree;
mod agree_own;
mod agree_pinned;
mod examples;
mod faults;
mod firers;
mod laws;
mod measures;
pub mod oracle;
mod oracle_series;
mod oracle_vehicles;
mod pinned;
pub mod play;
mod rules;
mod stacks;
mod told;
mod units;
mod vehicles;
