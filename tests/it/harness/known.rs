//! Texts that several tests ask about.

/// An arsenal of `skirmishers` with these weapons in two short scenarios.
pub fn near_and_far(name: &str, weapons: &str) -> String {
    format!(
        r#"
name = "{name}"
system = "skirmishers"
{weapons}
[[scenario]]
name = "near"
range = [30, 20]
moves = 2
target = {{ troopers = 3 }}
[[scenario]]
name = "far"
range = [90, 60]
moves = 2
target = {{ troopers = 3, armour = "standard" }}
"#
    )
}
