//! What one step is worth in steps of another, on a rule in which it is known by hand.

use crate::desk::Desk;

/// A d20 at or below skill and twice the bonus: a step of bonus is two steps of skill.
const RULES: &str = "game \"Aim\"\ndice \"d20\"\nfield skill: 1..20 = 5 \"skill\"\n\
    field bonus: 0..3 = 0 \"bonus\"\naction shoot \"a shot\":\n    hit = 1 if d20 <= skill + 2 * bonus else 0\n\
    \x20   show hit \"hits\" harm\n    measure p_hit = chance(hit > 0) \"it hits\"\n";

fn desk(contest: &str) -> Desk {
    let text =
        format!("rules = 'aim.rules'\n[[contest]]\nsystem = 'aim'\naction = 'shoot'\n{contest}\n");
    let desk = Desk::with(&text);
    desk.write("aim.rules", RULES);
    desk
}

fn rows(desk: &Desk, currency: &str) -> Vec<Vec<String>> {
    let told =
        desk.run(&["odds", "x.toml", "--exact-only", "--format", "markdown", "--worth", currency]);
    assert_eq!(told.code, Some(0), "{told:?}");
    // A desk tells its lines as one.
    let rows = told.out.split(" | | ").skip(2);
    rows.map(|row| row.split(" | ").map(|cell| cell.trim_matches(['|', ' ']).to_owned()).collect())
        .collect()
}

#[test]
fn a_step_is_worth_what_the_rule_says() {
    let desk = desk("skill = { from = 5, to = 10 }\nbonus = [0, 1, 2]");
    let rows = rows(&desk, "skill");
    for (row, from) in rows.iter().zip([0, 1]) {
        // From skill 9 and 10 one would have to go beyond 10.
        let expected = [&format!("bonus {from} → {}", from + 1), "+2.0"];
        assert_eq!(row[..2], expected, "{row:?}");
        assert_eq!((&*row[3], &*row[4]), ("+2.0", "+2.0"), "{row:?}");
        assert!(row[6].starts_with("2 of 6"), "{row:?}");
    }
    assert_eq!(rows.len(), 2);
}

/// In steps of the list: 5, 6, 8, 12 are three steps, and a step of bonus is 2 of skill.
#[test]
fn steps_of_a_list_are_its_places() {
    let desk = desk("skill = [5, 6, 8, 12]\nbonus = [0, 1]");
    let rows = rows(&desk, "skill");
    // From 5 to 7: one and a half; from 6 to 8: one; from 8 to 10: a half; from 12: beyond.
    assert_eq!((&*rows[0][1], &*rows[0][2]), ("+0.5", "skill 8"), "{rows:?}");
    assert_eq!((&*rows[0][3], &*rows[0][4]), ("+1.0", "+1.5"), "{rows:?}");
    assert!(rows[0][6].starts_with("1 of 4"), "{rows:?}");
}

#[test]
fn what_cannot_be_told_is_refused_with_the_axes() {
    let worth =
        |desk: &Desk, field: &str| desk.run(&["odds", "x.toml", "--exact-only", "--worth", field]);
    let both = desk("skill = [5, 6]\nbonus = [0, 1]");
    worth(&both, "skil").refused(2, "did you mean `skill`?");
    worth(&desk("skill = [5, 6]"), "skill").refused(2, "another field several values");
    worth(&desk("skill = 5"), "skill").refused(2, "give it a list or a range");
}

#[test]
fn the_summary_tells_every_axis_in_steps_of_the_others() {
    let desk = desk("skill = { from = 5, to = 10 }\nbonus = [0, 1, 2]");
    assert_eq!(desk.run(&["run", "x.toml", "--exact-only", "--out", "o"]).code, Some(0));
    let summary = desk.read("o/summary.md");
    assert!(summary.contains("## What one step is worth, by it hits"), "{summary}");
    assert!(summary.contains("| bonus | +2.0 … +2.0 … +2.0 | – |"), "{summary}");
    assert!(summary.contains("| skill | – | +0.5 … +0.5 … +0.5 |"), "{summary}");
    let page = desk.read("o/report.html");
    let told = page.split_once("What one step is worth, by it hits").expect("it is on the page").1;
    assert!(told.contains("+2.0 … +2.0 … +2.0") && told.contains("+0.5 … +0.5 … +0.5"), "{told}");
}
