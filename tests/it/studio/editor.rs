//! The editor of rulebooks in a real browser: numbers, colours and marks, indentation, names,
//! mends, and the language beside the text.

use serde_json::json;

use super::Served;
use super::browser::{assert_quiet, click, sentence, show_file};
use crate::browser::Browser;

const GAME: &str = "game \"Volley\"\nfield skill: 2..6 = 4 \"what a hit needs\"\naction fire:\n    hits = 3d6\n    show hits\n";

fn write(browser: &Browser, text: &str) {
    browser.run(
        "const box = document.querySelector('#rulebook'); box.value = arguments[0];
         box.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([text]),
    );
}

fn rulebook(browser: &Browser) -> String {
    let text = browser.run("return document.querySelector('#rulebook').value", json!([]));
    text.as_str().expect("a text").to_owned()
}

/// Puts the cursor behind the first place of these letters.
fn go_behind(browser: &Browser, letters: &str) {
    browser.run(
        "const box = document.querySelector('#rulebook'), at = box.value.indexOf(arguments[0]) + arguments[0].length;
         box.focus(); box.setSelectionRange(at, at);",
        json!([letters]),
    );
}

fn opened(served: &Served) -> Browser {
    let browser = served.opened();
    show_file(&browser, "volley.rules");
    sentence(&browser);
    browser
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn lines_have_numbers_and_colours_and_what_is_at_fault_is_marked_and_mended() {
    let served = Served::with(&[("volley.rules", GAME)]);
    let browser = opened(&served);
    assert_eq!(browser.texts(".line-numbers > div > div"), ["1", "2", "3", "4", "5", "6"]);
    assert_eq!(browser.text(".colours > div > div:nth-child(4)").trim(), "hits = 3d6");
    assert_eq!(browser.texts(".ink-word"), ["game", "field", "action", "show"]);
    assert_eq!(browser.texts(".colours > div > div:nth-child(4) .ink-number"), ["3d6"]);
    // A fault: the wrong name is underlined, its line is marked, and the right one is a button.
    write(&browser, &GAME.replace("show hits", "show hit"));
    browser.wait("the mark", "return document.querySelector('.mark-fault')?.textContent === 'hit'");
    assert_eq!(browser.texts(".line-numbers .fault"), ["5"]);
    assert_eq!(browser.text("#rule-faults .fault .mend"), "Write hits");
    click(&browser, "#rule-faults .mend");
    browser.wait("it is mended", "return !document.querySelector('#rule-faults li.fault')");
    assert_eq!(rulebook(&browser), GAME);
    // A remark looks otherwise, and the game is played all the same.
    write(&browser, &GAME.replace("3d6", "3d6 >= 4"));
    browser.wait("the remark", "return document.querySelector('#rule-faults .remark .mend')");
    assert!(!browser.texts(".mark-remark").is_empty());
    assert!(browser.texts(".line-numbers .fault").is_empty());
    click(&browser, "#rule-faults .remark .mend");
    browser.wait(
        "it counts",
        "return document.querySelector('#rulebook').value.includes('hits = count(3d6 >= 4)')",
    );
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_new_line_keeps_its_indentation_and_names_go_on_by_themselves() {
    let served = Served::with(&[("volley.rules", GAME)]);
    let browser = opened(&served);
    go_behind(&browser, "hits = 3d6");
    browser.type_into("#rulebook", "\u{e007}if hits > sk");
    browser.wait("the names", "return document.querySelector('.completions:not([hidden]) li')");
    assert_eq!(browser.text(".completions li"), "skill\nfield, what a hit needs");
    // The tabulator takes the first; a line that ends with a colon begins a block.
    browser.press("\u{e004}");
    browser.type_into("#rulebook", ":\u{e007}hits = 1");
    let wanted = GAME.replace("3d6\n", "3d6\n    if hits > skill:\n        hits = 1\n");
    assert_eq!(rulebook(&browser), wanted);
    // One key goes back over one step.
    browser.type_into("#rulebook", "\u{e007}\u{e003}x");
    assert_eq!(rulebook(&browser), wanted.replace("hits = 1\n", "hits = 1\n    x\n"));
    // Where no list is open the tabulator leaves the text.
    browser.press("\u{e00c}");
    browser.press("\u{e004}");
    browser.wait("it is left", "return document.activeElement.id !== 'rulebook'");
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn every_piece_of_the_language_goes_into_the_first_game() {
    let served = Served::with(&[]);
    let browser = served.opened();
    click(&browser, "#first-rules");
    sentence(&browser);
    assert!(rulebook(&browser).starts_with("-- A small game to start from."));
    click(&browser, "#to-language");
    let pieces = browser.texts("#language details:first-of-type .construct p:first-child");
    assert_eq!(pieces.len(), 8, "{pieces:?}");
    for piece in &pieces {
        click(&browser, &format!("[aria-label='Insert: {piece}']"));
    }
    // All eight show something, and nothing is at fault. Their odds together are for a faster
    // program than that of tests.
    let text = rulebook(&browser);
    let nothing_near = |name: &str| Err(format!("{name} is not read here"));
    let read = enfilade::rulebook::read_without_built_in_base(
        "first",
        "first.rules",
        &text,
        &nothing_near,
    );
    assert_eq!(read.expect("a rulebook without a fault").warnings, []);
    assert_eq!(text.matches("\n    show ").count(), 2 + 8, "{text}");
    assert!(text.find("table hit_on:") < text.find("action fire"), "{text}");
    // What is sought is found row by row, with everything else away.
    browser.type_into("#language-search", "explod again on");
    browser.wait("nothing", "return document.querySelector('#language').textContent.includes('Nothing in the language')");
    browser.run("const box = document.querySelector('#language-search'); box.value = 'again on'; box.dispatchEvent(new Event('input'))", json!([]));
    assert!(!browser.texts("#language .construct").is_empty());
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_tour_has_six_steps_and_each_does_what_it_says() {
    let served = Served::with(&[]);
    let browser = served.opened();
    click(&browser, "#take-tour");
    sentence(&browser);
    let title = |wanted: &str| assert_eq!(browser.text("#tour h2"), wanted);
    title("1 of 6: A game is a text");
    click(&browser, "#tour-next");
    title("2 of 6: Change a number");
    click(&browser, "#tour-act");
    // Eight dice of 2/3, and saves that fail in 2/3: 1 - (5/9)^8, 99.09 %; four have 90.47 %.
    browser.wait(
        "the odds follow",
        "return document.querySelector('#answer').textContent.includes('99.1 %')",
    );
    click(&browser, "#tour-next");
    click(&browser, "#tour-act");
    browser.wait("dice", "return document.querySelector('.die')");
    click(&browser, "#tour-next");
    click(&browser, "#tour-act");
    browser.wait(
        "A and B",
        "return document.querySelector('#pinned').textContent.startsWith('Now against A') && document.querySelector('#rulebook').value.includes('weapons = lmg')",
    );
    click(&browser, "#tour-next");
    click(&browser, "#tour-act");
    browser.wait("the language", "return !document.querySelector('#language').hidden");
    click(&browser, "#tour-next");
    title("6 of 6: Ask a question of your own");
    click(&browser, "#tour-act");
    browser.wait("a name is asked for", "return document.querySelector('#name-it').open");
    click(&browser, "#name-close");
    click(&browser, "#tour-end");
    assert_eq!(browser.texts("#tour:not([hidden])").len(), 0);
    assert_quiet(&browser);
}
