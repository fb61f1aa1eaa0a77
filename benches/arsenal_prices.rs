//! Prices of whole arsenals: `cargo bench --bench arsenal_prices [ARSENAL …]`, by default of all
//! below `experiments`.
//!
//! A line for each: units, battles, and the processor time of one thread, which other builds on the
//! machine do not change. 131 units may take 45 s. Orders of turns and choices of targets are left
//! at their defaults, because battles under others are rolled.

use cpu_time::ThreadTime;
use enfilade::pricing::arsenal::Arsenal;
use enfilade::pricing::battle_runs::{BattleSettings, NoBattleObserver, run_battles};
use enfilade::pricing::price::prices_from_evidence;
use enfilade::systems::built_in_catalogue;

const ARSENALS: [&str; 4] = ["my_gun", "crewed_weapons", "aic_teams", "dropzone_arsenal"];

fn main() {
    // Cargo adds options of its own.
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let is_wanted = |name: &&str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    // The clock counts the thread that all of the work is done on.
    pool.expect("a thread can be started")
        .install(|| ARSENALS.iter().copied().filter(is_wanted).for_each(price_arsenal));
}

fn price_arsenal(name: &str) {
    let text = std::fs::read_to_string(format!("experiments/{name}.toml")).expect("it is there");
    let mut arsenal =
        Arsenal::read_arsenal_text(&built_in_catalogue(), name, &text).expect("it is in order");
    arsenal.assumptions.retain(|assumed| !matches!(&*assumed.name, "turns" | "fire"));
    let begun = ThreadTime::now();
    let evidence = run_battles(&arsenal, &BattleSettings::default(), &NoBattleObserver)
        .expect("nothing stops it");
    let prices = prices_from_evidence(&evidence, &arsenal.settings).expect("it is whole");
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{name}: {} units, {} battles, {seconds:.1} s",
        prices.weapons.len(),
        evidence.battles.len()
    );
}
