//! For everyone: every screen is looked over by axe-core, which `.ci/run` installs from the npm
//! registry; the keyboard is enough, and so is a narrow screen, light or dark.

use serde_json::{Value as Json, json};

use super::browser::{assert_quiet, click, fill, open_file, sentence, show_file};
use super::{FIRE, Served};
use crate::browser::{Browser, key};
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
            "map, now − A",
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
    let screens: [Screen; 12] = [
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
        (
            "the best of each range",
            &|browser| {
                click(browser, "#start");
                click(browser, "[data-action='skirmishers attack'] .tile");
                browser.wait("the buttons", "return document.querySelector('#ask-best')");
                click(browser, "#ask-best");
            },
            "#best-table tbody tr",
        ),
        (
            "name of a file",
            &|browser| {
                click(browser, "#best [type=button]");
                click(browser, "#save");
            },
            "#name-it[open]",
        ),
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

/// With the keyboard alone: from the start to a number.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_keyboard_is_enough() {
    let served = Served::with(&[]);
    let browser = served.opened();
    browser.type_into("#search", "infantry fire table");
    browser.wait("one game is left", "return document.querySelectorAll('.system').length <= 2");
    // Past the name of the game, which folds its tiles.
    browser.press(key::TAB);
    browser.press(key::TAB);
    let tile = browser.run("return document.activeElement.className", json!([]));
    assert_eq!(tile, "tile");
    browser.press(key::ENTER);
    sentence(&browser);
    // Every control can be reached, has a name, and shows that it has the focus.
    let nameless = browser.run(
        "const named = (one) => one.labels?.length || one.getAttribute('aria-label') || one.textContent.trim();
         return [...document.querySelectorAll('input, select, textarea, button')]
             .filter((one) => !named(one)).map((one) => one.outerHTML);",
        json!([]),
    );
    assert_eq!(nameless, json!([]));
    let unreachable = browser.run(
        "return [...document.querySelectorAll('input, select, textarea, button')]
             .filter((one) => one.tabIndex < 0).length",
        json!([]),
    );
    assert_eq!(unreachable, 0);
    let ids = browser.run(
        "const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
         return ids.filter((id, i) => ids.indexOf(id) !== i)",
        json!([]),
    );
    assert_eq!(ids, json!([]));
    assert_quiet(&browser);
}

/// From a telephone to a desk, light and dark: nothing sticks out sideways.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn it_fits_a_telephone_and_the_dark() {
    let served =
        Served::with(&[("fire.toml", &FIRE.replace("fp = 8", "fp = { from = 1, to = 12 }"))]);
    let browser = served.opened();
    let fits = |what: &str| {
        for width in [360, 390, 800, 1280] {
            let size =
                json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
            browser.tool("Emulation.setDeviceMetricsOverride", size);
            let wide = browser.run("return document.documentElement.scrollWidth", json!([]));
            assert!(wide.as_u64() <= Some(width), "{what}: {wide} at {width}");
        }
    };
    fits("the start");
    open_file(&browser, "fire.toml");
    fits("a question");
    let ground = |scheme: &str| {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        browser.tool("Emulation.setEmulatedMedia", features);
        browser.run("return getComputedStyle(document.documentElement).backgroundColor", json!([]))
    };
    assert_eq!(ground("light"), "rgb(251, 250, 246)");
    assert_eq!(ground("dark"), "rgb(23, 25, 26)");
    assert_quiet(&browser);
}
