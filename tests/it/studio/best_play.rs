//! *Best play* in the studio: what a player does at each decision, below the answer.

use serde_json::{Value as Json, json};

use super::browser::{assert_quiet, click, fill, open_file};
use super::{FIRE, Served};
use crate::browser::Browser;

const SALVAGE: &str = include_str!("../../../rulebooks/salvage.rules");

const RAID: &str = "rules = \"salvage.rules\"\n[[contest]]\nsystem = \"salvage\"\naction = \"salvage\"\n\
                    boats = 1\nhold = 12\n";

/// The rows of the table of situations: the load, and the option that is taken.
fn rows(browser: &Browser) -> Vec<(String, String)> {
    let found = browser.run(
        "return [...document.querySelectorAll('#play-found tbody tr')]
             .map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent.trim()))",
        json!([]),
    );
    let text = |row: &Json, at: usize| row[at].as_str().expect("a text").to_owned();
    let rows = found.as_array().expect("a list").iter();
    rows.map(|row| (text(row, 0), text(row, 1))).collect()
}

fn wait_for(browser: &Browser, text: &str) {
    let there =
        format!("return document.querySelector('#play-found').textContent.includes('{text}')");
    browser.wait(text, &there);
}

/// One boat and a hold of 12: dive under 11, worth 137168/16807, by fractions outside the program.
/// The panel follows the form, and is there only where somebody decides.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn best_play_is_below_the_answer() {
    let files = [("raid.toml", RAID), ("salvage.rules", SALVAGE), ("fire.toml", FIRE)];
    let served = Served::with(&files);
    let browser = served.opened();
    let hidden = "return document.querySelector('#play').hidden";
    open_file(&browser, "fire.toml");
    assert_eq!(browser.run(hidden, json!([])), true);
    open_file(&browser, "raid.toml");
    browser.wait("somebody decides", "return !document.querySelector('#play').hidden");
    // It is solved once it is unfolded.
    let found = "return document.querySelector('#play-found').textContent";
    assert_eq!(browser.run(found, json!([])), "");
    click(&browser, "#play summary");
    wait_for(&browser, "dive while load is under 11");
    wait_for(&browser, "8.1614");
    let rows = rows(&browser);
    let taken = |load: i64| {
        let row = rows.iter().find(|(own, _)| *own == load.to_string());
        row.unwrap_or_else(|| panic!("{load}: {rows:?}")).1.clone()
    };
    assert_eq!([0, 10, 11, 12].map(taken), ["dive", "dive", "home", "home"]);
    // Another form, another policy: with three boats the bounds are 37 and 39.
    fill(&browser, "boats", "3");
    fill(&browser, "hold", "40");
    wait_for(&browser, "while load is under 37");
    wait_for(&browser, "while load is under 39");
    open_file(&browser, "fire.toml");
    browser.wait("nobody decides", hidden);
    assert_quiet(&browser);
}
