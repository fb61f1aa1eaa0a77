//! Unarmoured vehicles on the vehicle line, and their passengers (A7.308, A7.309).

use crate::form::Form;

/// Vehicles of one target entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vehicle {
    /// How many.
    pub count: u8,
    /// Whether it is armoured: then nothing happens to it (A7.307).
    pub armoured: bool,
    /// Whether it is hull down: then it is not immobilised.
    pub hull_down: bool,
    /// The profile of its passengers.
    pub profile: Option<u8>,
    /// Passenger units in each.
    pub passengers: u8,
    /// Whether they can be hurt while the vehicle is whole.
    pub vulnerable: bool,
}

impl Vehicle {
    /// Reads a target entry whose passengers have this profile.
    pub fn read(form: &Form, profile: Option<u8>, passengers: i64) -> Vehicle {
        let armoured = form.maybe_text("vehicle") == Some("armoured");
        Vehicle {
            count: u8::try_from(form.int("count")).unwrap_or(u8::MAX),
            armoured,
            hull_down: form.flag("hull_down"),
            profile,
            passengers: u8::try_from(passengers).unwrap_or(0),
            vulnerable: form.maybe_flag("vulnerable").unwrap_or(!armoured),
        }
    }
}
