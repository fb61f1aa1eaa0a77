//! The odds of every cell of a file: `cargo run --release --example odds_of_a_file -- FILE`.

use enfilade::{Experiment, SolverSettings, built_in_catalogue, solve_experiment};

const EXAMPLE: &str = "experiments/ift_odds.toml";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| EXAMPLE.to_owned());
    let experiment = Experiment::read_experiment_text(
        &built_in_catalogue(),
        &path,
        &std::fs::read_to_string(&path)?,
    )?;
    for answer in solve_experiment(&experiment, &SolverSettings::for_exact_only().with_fractions())?
    {
        println!("{answer}");
    }
    Ok(())
}
