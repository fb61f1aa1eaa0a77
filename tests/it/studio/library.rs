//! The library in a real browser: games to copy, and one search over everything.

use serde_json::json;

use super::browser::{assert_quiet, click, sentence};
use super::{FIRE, Served};
use crate::browser::Browser;

fn seek(browser: &Browser, words: &str) {
    browser.run(
        "const box = document.querySelector('#search'); box.value = arguments[0];
         box.dispatchEvent(new Event('input'));",
        json!([words]),
    );
}

fn found(browser: &Browser, words: &str, kind: &str) {
    seek(browser, words);
    let wanted = format!(
        "return [...document.querySelectorAll('#found h3')].some((one) => one.textContent.startsWith('{kind}'))"
    );
    browser.wait(&format!("{words} among {kind}"), &wanted);
}

/// Every game of the gallery opens, is played, and has no fault and no remark.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn every_game_of_the_gallery_opens_as_a_copy() {
    let served = Served::with(&[]);
    let browser = served.opened();
    let games = browser.run(
        "return [...document.querySelectorAll('#gallery [data-game]')].map((one) => one.dataset.game)",
        json!([]),
    );
    let games: Vec<String> = serde_json::from_value(games).expect("names");
    assert!(games.len() >= 12, "{games:?}");
    for game in &games {
        click(&browser, "#start");
        click(&browser, &format!("[data-game='{game}']"));
        let title = format!("my_{game}.rules *");
        browser.wait(
            &title,
            &format!("return document.querySelector('#file-title').textContent === '{title}' && document.querySelector('#headline .sentence') && document.querySelector('#timing').textContent"),
        );
        assert!(browser.texts("#rule-faults li").is_empty(), "{game}");
    }
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn one_search_finds_files_games_weapons_units_and_tables() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    found(&browser, "fire.to", "Files");
    found(&browser, "hit location", "Games to copy");
    found(&browser, "panther", "Units, weapons");
    found(&browser, "to_hit", "Tables");
    seek(&browser, "no such thing");
    browser.wait("it says so", "return document.querySelector('#nothing-found')");
    // A weapon is put into the question that it belongs to.
    found(&browser, "avenger railgun", "Units, weapons");
    let name = browser.run("const one = document.querySelector('#found [data-found]'); one.click(); return one.dataset.found", json!([]));
    let name = name.as_str().expect("a name");
    sentence(&browser);
    browser.wait(
        "its question",
        &format!("return document.querySelector('#headline').textContent.includes('{name}')"),
    );
    assert_quiet(&browser);
}
