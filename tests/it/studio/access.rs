//! For everyone: every screen is looked over by axe-core, which `.ci/run` installs from the npm registry.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::browser::{click, open_file, show_file};
use super::{FIRE, Served};
use crate::browser::Browser;

/// The checker's text; nothing where it is not installed and need not be.
fn checker() -> Option<String> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let path = cache.or(home)?.join("enfilade/axe/node_modules/axe-core/axe.min.js");
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        assert!(std::env::var_os("CI").is_none(), "{} is not there", path.display());
        eprintln!("skipped: axe-core is not installed");
    }
    text
}

/// What is serious or worse on the screen, light and dark, wide and narrow.
fn complaints(browser: &Browser, checker: &str, screen: &str) -> Vec<String> {
    let look = format!(
        "{checker};
         return axe.run(document, {{ resultTypes: ['violations'] }}).then((found) => found.violations
             .filter((one) => ['serious', 'critical'].includes(one.impact))
             .map((one) => `${{one.id}}: ${{one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}}`));"
    );
    let mut all = Vec::new();
    for (scheme, width) in [("light", 1280), ("dark", 360)] {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        browser.tool("Emulation.setEmulatedMedia", features);
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        browser.tool("Emulation.setDeviceMetricsOverride", size);
        let found = browser.run(&look, json!([]));
        let found = found.as_array().unwrap_or_else(|| panic!("{screen}: {found}")).iter();
        all.extend(found.map(|one| format!("{screen}, {scheme}: {}", one.as_str().unwrap_or("?"))));
    }
    all
}

const COIN: &str = "game \"Coin\"\ntable bonus:\n    columns low high\n    near 1 2\n    far 3 4\naction toss:\n    \
    field place: near or far = near\n    face = d6\n    show total = face + bonus(place, low)\n";

/// Opens a screen and waits until it is there.
type Screen<'a> = (&'a str, &'a dyn Fn(&Browser), &'a str);

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn no_screen_shuts_anybody_out() {
    let Some(checker) = checker() else { return };
    let grid = FIRE.replace("fp = 8", "fp = [4, 8]").replace("drm = -1", "drm = [-1, 0]");
    let curve = FIRE.replace("fp = 8", "fp = [4, 8]");
    let served = Served::with(&[
        ("fire.toml", FIRE),
        ("grid.toml", &grid),
        ("curve.toml", &curve),
        ("coin.rules", COIN),
    ]);
    let browser = served.opened();
    let screens: [Screen; 9] = [
        ("start", &|_| (), "#texts [data-text]"),
        ("dice", &|browser| browser.type_into("#dice", "2d6"), "#dice-law td"),
        ("question", &|browser| open_file(browser, "fire.toml"), "#headline .sentence"),
        ("pinned", &|browser| click(browser, "#pin"), "#pin[aria-pressed=true]"),
        ("why", &|browser| click(browser, "#answer .why"), "#steps li"),
        (
            "map",
            &|browser| {
                click(browser, "#why-close");
                open_file(browser, "grid.toml");
            },
            ".heat",
        ),
        ("curve", &|browser| open_file(browser, "curve.toml"), "#grid svg"),
        ("rulebook", &|browser| show_file(browser, "coin.rules"), "#rule-tables input"),
        (
            "prices",
            &|browser| {
                click(browser, "#start");
                click(browser, "[data-prices='skirmishers'] .tile");
            },
            "tbody[data-path] input",
        ),
    ];
    let mut all: Vec<String> = Vec::new();
    for (name, open, there) in screens {
        open(&browser);
        browser.wait(name, &format!("return document.querySelector('{there}')"));
        if name == "question" {
            click(&browser, "#jobs summary");
        }
        all.extend(complaints(&browser, &checker, name));
    }
    assert_eq!(Json::from(all.clone()), json!([]), "{all:#?}");
}
