//! Changes to what a contest would have otherwise, as odds and cards tell them.

use crate::desk::Desk;

const TANKS: &str = "system = 'dropzone'\naction = 'shoot'\nshots = 1\naccuracy = 2\nenergy = 10\n\
                     target = ['UCM/Gladius Heavy Tank', 'Scourge/Hunter Tank']\n";

/// What differs from cell to cell is not said of them all: the armour of the first cell, the smoke
/// of the first cell.
#[test]
fn what_is_varied_is_not_told_as_given() {
    let fire = "system = 'asl'\naction = 'fire'\n[contest.target]\nkind = 'squad'\nmorale = 7\n[contest.modifiers]\n";
    let cases = [
        (format!("{TANKS}armour = {{ change = [-1, 1] }}"), "armour 1", "armour change"),
        (format!("{fire}smoke = [1, 2]\nhedge = true"), "smoke +1", "Hedge +1"),
        (format!("{fire}smoke = {{ change = [-1, 1] }}\nhedge = true"), "smoke +2", "smoke change"),
    ];
    for (contest, varied, told) in cases {
        let contest = contest.replace("action = 'fire'", "action = 'fire'\nfp = 8");
        let desk = Desk::with(&format!("[[contest]]\n{contest}"));
        let odds = desk.run(&["odds", "x.toml", "--exact-only", "--quiet"]);
        let head = odds.out.split("killed %").next().unwrap_or_default();
        assert_eq!(odds.code, Some(0), "{odds:?}");
        assert!(odds.out.contains(told) && !head.contains(varied), "{odds:?}");
        let card =
            desk.run(&["table", "x.toml", "--exact-only", "--quiet", "--format", "markdown"]);
        let given = card.out.split("**Given:**").nth(1).and_then(|rest| rest.split("- **").next());
        assert!(given.is_some_and(|given| !given.contains(varied)), "{card:?}");
    }
}
