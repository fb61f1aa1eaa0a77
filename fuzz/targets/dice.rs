//! Any text is a dice expression with a finite mean and deviation, or is refused with a message.

#![no_main]

use enfilade_dice::DiceDistribution;

libfuzzer_sys::fuzz_target!(|text: &str| {
    match DiceDistribution::from_text(text) {
        Ok(dice) => {
            let (mean, deviation) = (dice.law.mean(), dice.law.deviation());
            assert!(mean.is_finite() && deviation >= 0.0, "{mean} {deviation}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
