//! What a weapon without a price should cost: `cargo run --release --example price`.
//!
//! Its own price, whatever somebody has written there, never moves the answer.

use enfilade::{Arsenal, Error, built_in, prices};

const ARSENAL: &str = include_str!("../experiments/my_gun.toml");

/// The fair price of the first weapon of an arsenal: the best guess and both ends.
fn fair(text: &str) -> Result<(f64, f64, f64), Error> {
    let arsenal = Arsenal::read(&built_in(), "my_gun.toml", text)?;
    let pricing = prices(&arsenal)?;
    let fair = pricing.weapons[0].priced().expect("it has a fair price here");
    Ok((fair.price.best, fair.price.low, fair.price.high))
}

fn main() -> Result<(), Error> {
    let (best, low, high) = fair(ARSENAL)?;
    println!("my gun should cost {best:.0} points ({low:.0} to {high:.0})");
    assert!(low < best && best < high);
    for price in [30, 3000] {
        let guessed = ARSENAL.replacen("crew = 3", &format!("crew = 3\nprice = {price}"), 1);
        assert_eq!(fair(&guessed)?, (best, low, high));
    }
    Ok(())
}
