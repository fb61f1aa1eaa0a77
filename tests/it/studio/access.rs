//! For everyone: every screen is looked over by axe-core, which `.ci/run` installs from the npm registry.

use serde_json::{Value as Json, json};

use super::browser::{click, fill, open_file, show_file};
use super::{FIRE, Served};
use crate::browser::Browser;
use crate::harness::axe::complaints;

const COIN: &str = "game \"Coin\"\ntable bonus:\n    columns low high\n    near 1 2\n    far 3 4\naction toss:\n    \
    field place: near or far = near\n    face = d6\n    show total = face + bonus(place, low)\n";

/// Opens a screen and waits until it is there.
type Screen<'a> = (&'a str, &'a dyn Fn(&Browser), &'a str);

fn all_complaints(browser: &Browser, screens: &[Screen]) {
    let mut all: Vec<String> = Vec::new();
    for (name, open, there) in screens {
        open(browser);
        browser.wait(name, &format!("return document.querySelector(\"{there}\")"));
        all.extend(complaints(browser, name));
    }
    assert_eq!(Json::from(all.clone()), json!([]), "{all:#?}");
}

#[test]
#[cfg_attr(
    not(all(has_browser, has_axe)),
    ignore = "needs chromedriver and axe-core, one of which is not installed"
)]
fn no_screen_of_a_question_shuts_anybody_out() {
    let grid = FIRE.replace("fp = 8", "fp = [4, 8]").replace("drm = -1", "drm = [-1, 0]");
    let curve = FIRE.replace("fp = 8", "fp = [4, 8]");
    let served = Served::with(&[("fire.toml", FIRE), ("grid.toml", &grid), ("curve.toml", &curve)]);
    let browser = served.opened();
    let changed = "[data-path='target.morale'] input";
    let screens: [Screen; 13] = [
        ("question", &|browser| open_file(browser, "fire.toml"), "#headline .sentence"),
        (
            "kept and pinned",
            &|browser| {
                click(browser, "#keep");
                click(browser, "#pin");
                fill(browser, "fp", "16");
            },
            "#changed li",
        ),
        ("why", &|browser| click(browser, "#answer .why"), "#steps li"),
        (
            "simulated",
            &|browser| {
                click(browser, "#why-close");
                click(browser, "#jobs summary");
                click(browser, "#simulate");
            },
            "#simulated table",
        ),
        ("card", &|browser| click(browser, "#preview-card"), "#preview img"),
        (
            "names",
            &|browser| click(browser, "[data-path='leader'] input, .names input"),
            ".names [role=option]",
        ),
        (
            "all fields",
            &|browser| {
                browser.run(
                    "document.querySelectorAll('details').forEach((one) => { one.open = true; })",
                    json!([]),
                );
            },
            "details.rare .field",
        ),
        ("text", &|browser| click(browser, "#as-text"), "#text-row:not([hidden])"),
        (
            "map",
            &|browser| {
                click(browser, "#as-form");
                click(browser, "#pin");
                open_file(browser, "grid.toml");
            },
            ".heat",
        ),
        (
            "map, B − A",
            &|browser| {
                click(browser, "#pin");
                browser.wait("the box", &format!("return document.querySelector(\"{changed}\")"));
                fill(browser, "target.morale", "9");
            },
            ".square.less",
        ),
        ("square", &|browser| click(browser, ".square"), ".square[aria-pressed=true]"),
        ("curve", &|browser| open_file(browser, "curve.toml"), "#grid svg"),
        (
            "faults",
            &|browser| {
                open_file(browser, "fire.toml");
                // The form before has this field too: what is typed there goes with it.
                // What was typed there before was not saved.
                let opened = "const saved = document.querySelector('#revert');
                    if (!saved.hidden) saved.click();
                    return document.querySelector(\"[data-path='fp'] input\").value === '8'";
                browser.wait("the form of the file", opened);
                fill(browser, "fp", "99999");
            },
            "#mend:not([hidden])",
        ),
    ];
    all_complaints(&browser, &screens);
}

#[test]
#[cfg_attr(
    not(all(has_browser, has_axe)),
    ignore = "needs chromedriver and axe-core, one of which is not installed"
)]
fn no_other_screen_shuts_anybody_out() {
    let served = Served::with(&[("fire.toml", FIRE), ("coin.rules", COIN)]);
    let browser = served.opened();
    let screens: [Screen; 11] = [
        ("start", &|_| (), "#texts [data-text]"),
        ("rulebooks", &|browser| click(browser, "#new-rules summary"), "#new-rules[open]"),
        ("dice", &|browser| browser.type_into("#dice", "2d6"), "#dice-law td"),
        ("rulebook", &|browser| show_file(browser, "coin.rules"), "#rule-tables input"),
        ("test roll", &|browser| click(browser, "#rule-roll"), "#rule-steps .die"),
        (
            "a rulebook's faults",
            &|browser| {
                let put =
                    "const box = document.querySelector('#rulebook'); box.value += 'nonsense\\n';
                    box.dispatchEvent(new Event('input', { bubbles: true }));";
                browser.run(put, json!([]));
            },
            "#rule-faults button",
        ),
        (
            "prices",
            &|browser| {
                click(browser, "#start");
                click(browser, "[data-prices='skirmishers'] .tile");
            },
            "tbody[data-path] input",
        ),
        ("a price", &|browser| click(browser, "[aria-label^='Price HMG']"), "#simulated .told"),
        ("name of a file", &|browser| click(browser, "#save"), "#name-it[open]"),
        (
            "changed meanwhile",
            &|browser| {
                click(browser, "#name-close");
                open_file(browser, "fire.toml");
                std::fs::write(served.path("fire.toml"), "# theirs\n").expect("written");
                fill(browser, "fp", "16");
                browser.wait(
                    "it is changed",
                    "return document.querySelector('#file-title').textContent === 'fire.toml *'",
                );
                click(browser, "#save");
            },
            "#conflict[open]",
        ),
        (
            "without a key",
            &|browser| {
                browser.run("sessionStorage.clear()", json!([]));
                browser.visit("about:blank");
                browser.visit(&served.origin());
            },
            "#locked:not([hidden])",
        ),
    ];
    all_complaints(&browser, &screens);
}

/// The studio ended while its page is open.
#[test]
#[cfg_attr(
    not(all(has_browser, has_axe)),
    ignore = "needs chromedriver and axe-core, one of which is not installed"
)]
fn the_screen_without_a_studio_shuts_nobody_out() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    drop(served);
    all_complaints(&browser, &[("gone", &|_| (), "#offline:not([hidden])")]);
}
