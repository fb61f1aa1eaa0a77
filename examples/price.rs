//! What a weapon without a price should cost: `cargo run --release --example price`.
//!
//! Its own price, whatever somebody has written there, never moves the answer.

use enfilade::{Arsenal, Error, built_in_catalogue, price_arsenal};

const ARSENAL: &str = include_str!("../experiments/my_gun.toml");

/// The even price of the first weapon of an arsenal and both ends of its range.
fn even(text: &str) -> Result<(f64, f64, f64), Error> {
    let arsenal = Arsenal::read_arsenal_text(&built_in_catalogue(), "my_gun.toml", text)?;
    let pricing = price_arsenal(&arsenal)?;
    let even = pricing.weapons[0].even_price_if_any().expect("it has an even price here");
    Ok((even.price.best, even.price.low, even.price.high))
}

fn main() -> Result<(), Error> {
    let (best, low, high) = even(ARSENAL)?;
    println!("my gun should cost {best:.0} points ({low:.0} to {high:.0})");
    assert!(low < best && best < high);
    for price in [30, 3000] {
        let guessed = ARSENAL.replacen("crew = 3", &format!("crew = 3\nprice = {price}"), 1);
        assert_eq!(even(&guessed)?, (best, low, high));
    }
    Ok(())
}
