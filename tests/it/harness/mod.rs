//! What the tests of rulebooks have in common: contests made, played, walked and enumerated.

pub mod axe;
pub mod compiled;
pub mod enumerate;
pub mod known;
pub mod odometer;
pub mod patience;
pub mod play;
pub mod walk;
