//! The games of the gallery: each has one thing that dice do, and odds that a pencil finds.

use serde_json::Value as Json;

use crate::desk::Desk;

/// The exact value of a measure of a question in one line.
fn value(game: &str, question: &str, measure: &str) -> String {
    let desk = Desk::with("");
    let file = super::folder().join(format!("{game}.rules"));
    let file = file.to_string_lossy();
    let mut line = vec!["odds", &*file];
    line.extend(question.split(' '));
    line.extend(["--exact-only", "--fractions", "--quiet", "--format", "json"]);
    let told = desk.run(&line);
    assert_eq!(told.code, Some(0), "{told:?}");
    let json: Json = serde_json::from_str(&told.out).expect("JSON");
    let measures = json["contests"][0]["measures"].as_array().expect("measures");
    let found = measures.iter().find(|found| found["name"] == measure);
    let found = found.unwrap_or_else(|| panic!("{game} has no {measure}: {measures:?}"));
    found["fraction"].as_str().unwrap_or_else(|| panic!("{found}")).to_owned()
}

#[test]
fn every_game_has_the_odds_that_a_pencil_finds() {
    for (game, question, measure, by_hand) in [
        // Three or more of six even chances: (20 + 15 + 6 + 1) / 64.
        ("shield_wall", "charge attacks=6", "p_break", "21/32"),
        // 10 or less on a d20, of which the 1 is one; 20 is a disaster.
        ("cold_trail", "track skill=12 weather=2", "p_found", "1/2"),
        ("cold_trail", "track skill=12 weather=2", "p_disaster", "1/20"),
        // One better: a win where our d10 is no less than theirs, 55 of 100.
        ("lists_of_honour", "tilt ours=3 theirs=2", "p_win", "11/20"),
        ("lists_of_honour", "tilt ours=3 theirs=2", "p_loss", "9/25"),
        // Two dice of 7/2 (1 + 1/6 + 1/36 + 1/216).
        ("powder_keg", "blast kegs=2 armour=0", "e_damage", "1813/216"),
        // Ten times 2/3, 1/2, and a save that fails in 2/3; in cover in 1/2.
        ("hail_of_bolts", "volley shots=10", "e_lost", "20/9"),
        ("hail_of_bolts", "volley shots=10 cover=true", "e_lost", "5/3"),
        // 2d6 of 7 or more; of 10 or more.
        ("wavering_line", "test losses=2", "p_worse", "7/12"),
        ("wavering_line", "test losses=2", "p_flee", "1/6"),
        // 1/2 of (1 - 1/2 · 2/3); strokes: e = 1 + 1/2 (1 + 2/3 e).
        ("first_blood", "duel ours=1 theirs=1", "p_won", "3/4"),
        ("first_blood", "duel ours=1 theirs=1", "e_strokes", "9/4"),
        // Head 1/10 · 6/8, body 4/10 · 2/8; hurt or worse: head, body 4/10 · 4/8, limbs 5/10 · 7/8.
        ("chinks", "blow edge=1", "p_dead", "7/40"),
        ("chinks", "blow edge=1", "p_hurt", "57/80"),
        // Twelve dice of 1/2 + 1/6 · 1/2, and of 3/4.
        ("veterans", "fire again=ones", "e_hits", "7/1"),
        ("veterans", "fire again=misses", "e_hits", "9/1"),
        // Six men less four dice of 1/3.
        ("winter_march", "fight cold=false", "e_left", "14/3"),
    ] {
        assert_eq!(value(game, question, measure), by_hand, "{game} {question} {measure}");
    }
}
