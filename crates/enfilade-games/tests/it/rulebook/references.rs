//! Where the two rulebooks that are text stand in their sources: every part, action and table opens
//! with a reference, and no reference names what the source does not have.

use super::shipped::folder;

/// Boxes and headings of the quick reference, as it prints them.
const D20: &[&str] = &[
    "SPOTTING",
    "SHOOTING",
    "STATUS DAMAGE",
    "SPOTTING MODIFIERS",
    "SHOOTING MODIFIERS",
    "SAVE",
    "WHO IS SPOTTED",
    "FIREARMS",
    "MACHINE GUNS",
    "SPECIALIST WEAPONS",
    "BUILDING ASSAULT",
    "INITIAL ATTACK",
    "GRENADE ASSAULT PHASE DAMAGE",
    "FOLLOW UP",
    "ASSAULT MODIFIERS",
    "MELEE COMBAT",
    "ARMOUR SAVE",
    "PENETRATION",
    "VEHICLE SPOTTING/SHOOTING",
    "VEHICLE HIT LOCATION",
    "MORALE",
    "WHO MAKES A MORALE ROLL",
    "HOW TO MAKE A MORALE ROLL",
    "MORALE MODIFIERS",
    "FAILED MORALE TEST",
    "HOW MANY APs",
    "SKILLS",
    "AP EXPENDITURE",
    "INTERRUPT",
    "WHO CAN INTERRUPT",
    "REACTING",
    // Columns of the weapons.
    "Area of Effect",
    "DZ",
];

/// Sections of the part that is at hand.
const AIC: &[&str] = &[
    "4.0",
    "4.1",
    "4.2",
    "5.0",
    "5.1",
    "6.0",
    "6.1",
    "6.2",
    "6.3",
    "6.4",
    "7.0",
    "7.0 Advancing Fire",
    "7.0 Armored Assault",
    "7.0 Assault Fire",
];

fn text(id: &str) -> String {
    let path = folder().join(format!("{id}.rules"));
    std::fs::read_to_string(path).expect("it lies in the checkout")
}

/// References of a line: what stands between brackets as `cursor.rs` says, without any code of
/// ours.
fn references(line: &str) -> Vec<&str> {
    let code = line.split("  -- ").next().unwrap_or_default();
    let mut found = Vec::new();
    for (at, _) in code.match_indices('(') {
        let inner = &code[at + 1..];
        let reference = match inner.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\")").map(|(name, _)| name),
            None => {
                let digits = inner.as_bytes();
                let numbered = digits.len() > 2 && digits[0].is_ascii_digit() && digits[1] == b'.';
                inner.split_once(')').filter(|_| numbered).map(|(name, _)| name)
            }
        };
        found.extend(reference);
    }
    found
}

/// Lines that are no remark, each with its number.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    lines.filter(|(_, line)| !line.trim_start().starts_with("--"))
}

fn opens(line: &str) -> bool {
    ["part ", "action ", "table "].iter().any(|word| line.starts_with(word))
}

#[test]
fn every_part_action_and_table_opens_with_its_reference() {
    for id in ["aic", "d20"] {
        let text = text(id);
        let heads: Vec<_> = lines(&text).filter(|(_, line)| opens(line)).collect();
        assert!(heads.len() > 30, "{id}: {}", heads.len());
        let without: Vec<_> =
            heads.iter().filter(|(_, line)| references(line).is_empty()).collect();
        assert!(without.is_empty(), "{id}: {without:#?}");
    }
}

#[test]
fn no_reference_names_what_the_source_does_not_have() {
    for (id, known) in [("aic", AIC), ("d20", D20)] {
        let text = text(id);
        let mut seen = 0;
        for (number, line) in lines(&text) {
            for reference in references(line) {
                // A remark may follow: `5.1 example`, `6.2: individually, sequentially`.
                let names = reference.split(": ").next().unwrap_or_default();
                for name in names.split(", ") {
                    let name = name.strip_suffix(" example").unwrap_or(name);
                    assert!(known.contains(&name), "{id}.rules:{number}: {name}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 200, "{id}: {seen}");
    }
}
