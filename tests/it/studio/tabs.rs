//! Many windows of one studio, and answers that do not come.

use serde_json::json;

use super::browser::{assert_quiet, fill, of_the_program, open_file, until};
use super::{FIRE, Served};

/// A browser gives six connections to one studio: nine windows work all the same, the first one
/// too.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn nine_windows_are_answered() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    let first = browser.window();
    open_file(&browser, "fire.toml");
    for number in 1..9 {
        browser.beside();
        browser.visit(&format!("{}/#t={}", served.origin(), served.token));
        open_file(&browser, "fire.toml");
        until(&browser, "killed", &of_the_program(FIRE, "p_kill"));
        assert_eq!(browser.text("#offline"), "", "window {number}");
    }
    browser.look(&first);
    fill(&browser, "drm", "2");
    until(&browser, "killed", &of_the_program(&FIRE.replace("drm = -1", "drm = 2"), "p_kill"));
    // One window knows for all that the studio ended.
    drop(served);
    browser.wait(
        "it says so",
        "return document.querySelector('#offline').textContent.includes('was ended')",
    );
    assert_quiet(&browser);
}

/// An answer that does not come is no answer to what stands there: that is said, and it is asked
/// again.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_silent_studio_is_told() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    let before = of_the_program(FIRE, "p_kill");
    until(&browser, "killed", &before);
    let seen = "return [document.querySelector('#behind').hidden, document.querySelector('#offline').hidden]";
    assert_eq!(browser.run(seen, json!([])), json!([true, true]));
    // Every request hangs, and twenty seconds are half of one.
    browser.run(
        "const [wait, real] = [setTimeout, fetch];
         window.setTimeout = (then, long) => wait(then, long > 10000 ? 500 : long);
         window.fetch = (path, { signal }) => new Promise((_, stop) => signal.addEventListener('abort', () => stop(signal.reason)));
         window.mended = () => { [window.setTimeout, window.fetch] = [wait, real]; };",
        json!([]),
    );
    fill(&browser, "drm", "3");
    browser.wait("the answer is of before", "return !document.querySelector('#behind').hidden");
    browser.wait(
        "it says so",
        "return document.querySelector('#offline').textContent.includes('has not answered')",
    );
    until(&browser, "killed", &before);
    browser.run("mended()", json!([]));
    fill(&browser, "drm", "2");
    until(&browser, "killed", &of_the_program(&FIRE.replace("drm = -1", "drm = 2"), "p_kill"));
    browser.wait("all is well", &format!("{} .every((one) => one)", seen));
    assert_quiet(&browser);
}
