//! Links of the studio in a real browser: what follows the `#` is the state.

use serde_json::json;

use super::browser::{assert_quiet, click, fill, of_the_program, open_file, until};
use super::{FIRE, Served};

/// A link holds the question; a studio that is gone loses nothing.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_link_opens_the_same_question_and_nothing_is_lost() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    fill(&browser, "fp", "16");
    let expected = of_the_program(&FIRE.replace("fp = 8", "fp = 16"), "p_kill");
    until(&browser, "killed", &expected);
    click(&browser, "#link");
    let link =
        browser.wait("the address", "return location.hash.startsWith('#z=') && location.href");
    // It holds no secret.
    assert!(!link.as_str().expect("a link").contains(&served.token));
    browser.visit("about:blank");
    browser.visit(link.as_str().expect("a link"));
    until(&browser, "killed", &expected);
    drop(served);
    fill(&browser, "fp", "24");
    browser.wait("it says so", "return !document.querySelector('#offline').hidden");
    let kept = browser.run("return sessionStorage.getItem('enfilade-state')", json!([]));
    assert!(kept.as_str().expect("a text").contains("\"fp\":24"), "{kept}");
}

/// A link holds the grid with its chosen square, what is pinned beside it, and the measure that is
/// looked at.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_link_holds_the_pin_and_the_chosen_square() {
    let grid = FIRE.replace("fp = 8", "fp = [4, 8, 16]").replace("drm = -1", "drm = [-1, 0, 1]");
    let served = Served::with(&[("fire.toml", FIRE), ("grid.toml", &grid)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    let before = of_the_program(FIRE, "p_kill");
    until(&browser, "killed", &before);
    click(&browser, "#pin");
    open_file(&browser, "grid.toml");
    browser.wait("the map", "return document.querySelectorAll('.square').length === 9");
    browser.run(
        "const choose = document.querySelector('#grid select'); choose.selectedIndex = 1;
         choose.dispatchEvent(new Event('input'));",
        json!([]),
    );
    click(&browser, ".heat tbody tr:nth-child(3) td:nth-child(3) .square");
    let after =
        of_the_program(&FIRE.replace("fp = 8", "fp = 16").replace("drm = -1", "drm = 0"), "p_kill");
    until(&browser, "killed", &after);
    let seen = "return [document.querySelector('.square[aria-pressed=true]').ariaLabel,
        document.querySelector('#pinned').textContent, document.querySelector('#grid select').selectedIndex,
        document.querySelector('#headline').textContent]";
    let seen = || browser.wait("what is seen", seen);
    let sent = seen();
    assert!(
        sent[1].as_str().is_some_and(|said| said.starts_with("Now against A: killed")),
        "{sent}"
    );
    click(&browser, "#link");
    let link =
        browser.wait("the address", "return location.hash.startsWith('#z=') && location.hash");
    // In another studio, of which nothing is remembered.
    let other = Served::with(&[]);
    browser.visit("about:blank");
    browser.visit(&format!("{}/#t={}", other.origin(), other.token));
    browser.wait("the start", "return document.querySelector('.tile')");
    browser.type_into("#pasted", link.as_str().expect("a link"));
    browser.run("document.querySelector('#paste').requestSubmit()", json!([]));
    browser
        .wait("the pin", "return document.querySelector('#pinned').textContent.startsWith('Now')");
    until(&browser, "killed", &after);
    assert_eq!(seen(), sent);
    assert_quiet(&browser);
}
