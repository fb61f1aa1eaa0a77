//! The editor of rulebook files in a real browser: rows of its tables, undo, and what is kept.

use std::time::Duration;

use serde_json::json;

use super::browser::{assert_quiet, click, save_as, sentence, show_file};
use super::{FIRE, Served};
use crate::browser::Browser;

const LUCK: &str = "game \"Luck\"\ntable luck:\n    -- Äußerst genau\n    1    3 -- the least\n    2    5 -- more\n\
    action toss:\n    face = luck(d3)\n    show face\n";

/// The rulebook's text, once it is so.
fn text(browser: &Browser, wanted: &str) {
    let script = format!(
        "return document.querySelector('#rulebook')?.value === {}",
        serde_json::to_string(wanted).expect("a text")
    );
    browser.wait(&format!("the text is {wanted}"), &script);
}

/// The chances of the law, as they are shown.
fn law(browser: &Browser, wanted: &[&str]) {
    let wanted = serde_json::to_string(wanted).expect("a list");
    let script = format!(
        "const rows = [...document.querySelectorAll('#answer details tbody tr')]
             .filter((row) => /^face: \\d+$/.test(row.firstChild.textContent))
             .map((row) => row.children[1].textContent);
         return JSON.stringify(rows.sort()) === JSON.stringify({wanted}.sort())"
    );
    browser.wait(&format!("the law {wanted}"), &script);
}

/// Rows come and go in place; the rest of the text, remarks too, stays as it was.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn rows_of_a_table_come_and_go() {
    let served = Served::with(&[("luck.rules", LUCK)]);
    let browser = served.opened();
    show_file(&browser, "luck.rules");
    // Above the last row its cells count: 3, 5, 5.
    law(&browser, &["33 %", "67 %"]);
    // Without a measure of its own the mean is what is said: 13 thirds.
    assert_eq!(browser.text("#headline .sentence"), "Face 4.3.");
    click(&browser, "[aria-label='luck: a row like 2 below it']");
    let longer = LUCK.replace("-- more\n", "-- more\n    3    5\n");
    text(&browser, &longer);
    // Its key is gone into, and its cell is changed.
    browser.wait(
        "the key of the new row",
        "return document.activeElement.dataset.cell === '0 2 0' && document.activeElement.value === '3'",
    );
    browser.run(
        "const box = document.querySelector('[data-cell=\"0 2 1\"]'); box.value = '9';
         box.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([]),
    );
    law(&browser, &["33 %", "33 %", "33 %"]);
    click(&browser, "[aria-label='luck: take 1 away']");
    let shorter = longer.replace("    1    3 -- the least\n", "").replace("3    5\n", "3    9\n");
    text(&browser, &shorter);
    // Below the first row its cells count: 5, 5, 9.
    law(&browser, &["33 %", "67 %"]);
    click(&browser, "[aria-label='luck: take 3 away']");
    // The last one stays.
    browser.wait(
        "one row is left",
        "return document.querySelectorAll('[aria-label=\"luck: a row like 2 below it\"]').length === 1
             && !document.querySelector('[aria-label^=\"luck: take\"]')",
    );
    assert_quiet(&browser);
}

/// What is written is undone step by step, and nothing of it is lost by looking at something else.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_rulebook_is_undone_and_kept() {
    let served = Served::with(&[("luck.rules", LUCK), ("fire.toml", FIRE)]);
    let browser = served.opened();
    show_file(&browser, "luck.rules");
    law(&browser, &["33 %", "67 %"]);
    click(&browser, "[aria-label='luck: take 1 away']");
    let shorter = LUCK.replace("    1    3 -- the least\n", "");
    text(&browser, &shorter);
    assert_eq!(browser.text("#file-title"), "luck.rules *");
    law(&browser, &["100 %"]);
    show_file(&browser, "fire.toml");
    browser.wait(
        "the question",
        "return document.querySelector('#file-title').textContent === 'fire.toml'
             && document.querySelector(`[data-path='fp'] input`)",
    );
    click(&browser, "#undo");
    text(&browser, &shorter);
    // Nor by loading the page anew.
    browser.visit("about:blank");
    browser.visit(&served.origin());
    text(&browser, &shorter);
    law(&browser, &["100 %"]);
    click(&browser, "#save");
    browser.wait(
        "it is saved",
        "return document.querySelector('#file-title').textContent === 'luck.rules'",
    );
    assert_eq!(std::fs::read_to_string(served.path("luck.rules")).expect("readable"), shorter);
    // What is typed is a step to be undone, after which the file is saved without a question.
    browser.run(
        "const box = document.querySelector('#rulebook'); box.value += '-- mine\\n';
         box.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([]),
    );
    click(&browser, "#undo");
    text(&browser, &shorter);
    assert_eq!(browser.text("#file-title"), "luck.rules");
    assert_quiet(&browser);
}

/// A link to a rulebook that is being written holds its text.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_link_holds_a_rulebook() {
    let served = Served::with(&[("luck.rules", LUCK)]);
    let browser = served.opened();
    show_file(&browser, "luck.rules");
    law(&browser, &["33 %", "67 %"]);
    click(&browser, "[aria-label='luck: take 1 away']");
    let shorter = LUCK.replace("    1    3 -- the least\n", "");
    text(&browser, &shorter);
    click(&browser, "#link");
    let link =
        browser.wait("the address", "return location.hash.startsWith('#z=') && location.hash");
    let other = Served::within(&[], Duration::from_secs(20));
    browser.visit("about:blank");
    browser.visit(&format!("{}/#t={}", other.origin(), other.token));
    browser.wait("the start", "return document.querySelector('.tile')");
    browser.type_into("#pasted", link.as_str().expect("a link"));
    browser.run("document.querySelector('#paste').requestSubmit()", json!([]));
    text(&browser, &shorter);
    law(&browser, &["100 %"]);
    assert_quiet(&browser);
}

/// A copy of a rulebook brings the tables that it reads from files, and both are kept.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_copy_brings_its_tables() {
    let served = Served::with(&[]);
    let browser = served.opened();
    browser.wait("the texts", "return document.querySelector(\"[data-text='d20.rules']\")");
    click(&browser, "[data-text='d20.rules']");
    sentence(&browser);
    assert_eq!(browser.texts("#rule-faults li"), [] as [&str; 0]);
    save_as(&browser, "my_d20.rules", "my_d20.rules");
    browser.wait(
        "both are kept",
        "const files = document.querySelector('#files').textContent;
         return files.includes('my_d20.rules') && files.includes('d20_weapons.tsv')",
    );
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulebooks");
    for (kept, shipped) in [("my_d20.rules", "d20.rules"), ("d20_weapons.tsv", "d20_weapons.tsv")] {
        let kept = std::fs::read_to_string(served.path(kept)).expect("readable");
        assert!(kept == std::fs::read_to_string(own.join(shipped)).expect("readable"), "{shipped}");
    }
    assert_quiet(&browser);
}

/// A rulebook whose odds take longer than a key has says so, and is worked out when it is asked to
/// be.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_rulebook_that_takes_long_says_so() {
    let served = Served::within(&[("luck.rules", LUCK)], Duration::ZERO);
    let browser = served.opened();
    show_file(&browser, "luck.rules");
    browser.wait("it says so", "return !document.querySelector('#slow').hidden");
    click(&browser, "#wait");
    law(&browser, &["33 %", "67 %"]);
    assert_eq!(browser.run("return document.querySelector('#slow').hidden", json!([])), true);
    assert_quiet(&browser);
}
