//! The odds of every cell of a file: `cargo run --release --example odds_of_a_file -- FILE`.

use enfilade::{Experiment, Settings, built_in, solve_experiment};

const EXAMPLE: &str = "experiments/ift_odds.toml";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| EXAMPLE.to_owned());
    let experiment = Experiment::read(&built_in(), &path, &std::fs::read_to_string(&path)?)?;
    for answer in solve_experiment(&experiment, &Settings::exact_only().with_fractions())? {
        println!("{answer}");
    }
    Ok(())
}
