//! Rulebook files that ship, as the program prints them and answers a file about one.

use super::folder;
use crate::desk::Desk;

/// Every retelling that ships is handed out under the rulebook that it tells again, as it stands in
/// `rulebooks/`.
#[test]
fn retellings_are_printed_to_be_copied() {
    let desk = Desk::with("");
    let mut seen = 0;
    for system in crate::built_in().rulebooks_created_on_demand() {
        for file in system.retold.iter() {
            let path = folder().join(&*file.name);
            let told = desk.run(&["systems", &system.id, &format!("--text={}", file.name)]);
            let text = std::fs::read_to_string(path).expect("readable");
            assert!(told.out.split_whitespace().eq(text.split_whitespace()), "{}", file.name);
            seen += 1;
        }
    }
    assert_eq!(seen, 6);
    // Of a rulebook told in Rust it is said what there is.
    let told = desk.run(&["systems", "asl", "--text"]);
    assert!(told.err.contains("asl_fire.rules"), "{}", told.err);
}

#[test]
fn the_experiment_is_answered() {
    let path = folder().join("../experiments/variants/d20_house.toml");
    let path = path.to_string_lossy();
    let told = Desk::with("").run(&["odds", &path, "--exact-only", "--quiet", "--format", "csv"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    // Two contests of 3 splits, 3 skills, with and without cover, with and without Concealment.
    assert_eq!(told.out.matches(",action-points,").count(), 2 * 3 * 3 * 2 * 2);
}
