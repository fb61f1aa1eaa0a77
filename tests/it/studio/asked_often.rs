//! The questions of a designer that have a button, files in folders, and fingers on a telephone.

use serde_json::json;

use super::browser::{assert_quiet, click, of_the_program, open_file, sentence, until};
use super::{FIRE, Served};
use crate::desk::Desk;

const SHOT: &str =
    "[[contest]]\nsystem = \"skirmishers\"\naction = \"attack\"\nweapon = \"rifle\"\nrange = 40\n";

/// The best of each range is the weapon with the most on the command line.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_best_weapon_of_each_range_is_the_one_of_the_command_line() {
    let served = Served::with(&[("shot.toml", SHOT)]);
    let browser = served.opened();
    open_file(&browser, "shot.toml");
    browser.wait("the buttons", "return document.querySelector('#ask-best')");
    click(&browser, "#ask-best");
    browser.wait("its ranges", "return document.querySelector('#best-table tbody tr')");
    browser.run(
        "const box = document.querySelector('#best-values'); box.value = '20, 150';
         box.dispatchEvent(new Event('change'));",
        json!([]),
    );
    browser.wait(
        "two ranges",
        "return document.querySelectorAll('#best-table tbody tr').length === 2",
    );
    let measure = browser.run("return document.querySelector('#best-measure').value", json!([]));
    let measure = measure.as_str().expect("a name");
    let names = ["rifle", "LMG", "pistol", "laser rifle", "HMG", "semi-portable laser"];
    let grid = SHOT
        .replace("\"rifle\"", &json!(names).to_string())
        .replace("range = 40", "range = [20, 150]");
    let output = Desk::with(&grid)
        .command(&["odds", "x.toml", "--exact-only", "--format", "json"])
        .output()
        .expect("it starts");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for (place, range) in [20, 150].into_iter().enumerate() {
        let cells = told["contests"].as_array().expect("a list").iter();
        let of = |cell: &serde_json::Value| {
            let all = cell["measures"].as_array().expect("a list");
            let found = all.iter().find(|one| one["name"] == measure).expect("it is measured");
            found["exact"].as_f64().expect("a number")
        };
        let own = cells.filter(|cell| cell["axes"]["range"] == range);
        let most = own.map(of).fold(f64::NEG_INFINITY, f64::max);
        let shown = browser.run(
            "return document.querySelectorAll('#best-table tbody tr')[arguments[0]].children[2].textContent",
            json!([place]),
        );
        // Among all weapons the best is at least as good as the best of these six.
        let shown: f64 =
            shown.as_str().and_then(|text| text.split(' ').next()?.parse().ok()).expect("a number");
        let most = if most <= 1.0 { 100.0 * most } else { most };
        assert!(shown >= most.round() - 0.5, "{range}: {shown} {most}");
    }
    assert_quiet(&browser);
}

/// A name that another one is as good as everywhere, and worse than somewhere, is never worth
/// taking.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn what_is_never_worth_taking_is_dominated() {
    let served = Served::with(&[("shot.toml", SHOT)]);
    let browser = served.opened();
    let found = browser.run(
        "return import('/assets/best.js').then(({ beaten }) => [
             beaten([[1, 2], [2, 2], [0, 3]]), beaten([[1, 2], [2, 1]]), beaten([[1, 1], [1, 1]]),
             beaten([[1, null], [2, 5]]), beaten([[3, 1], [2, 1]], -1)])",
        json!([]),
    );
    assert_eq!(found, json!([[[0, 1]], [], [], [[0, 1]], [[0, 1]]]));
    open_file(&browser, "shot.toml");
    browser.wait("the buttons", "return document.querySelector('#ask-never')");
    click(&browser, "#ask-never");
    browser.wait("what is never", "return document.querySelector('#never-said')");
    assert_quiet(&browser);
}

/// What matters has a bar a number; a pinned answer is set beside what stands there.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn what_matters_and_what_differs_have_a_button() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    browser.wait("the buttons", "return document.querySelector('#ask-matters')");
    click(&browser, "#ask-matters");
    browser.wait("its bars", "return document.querySelector('#wanted-steps tbody tr')");
    // Nothing is wanted yet, so nothing is proposed.
    let proposed = "return document.querySelectorAll('#wanted-tries li').length";
    assert_eq!(browser.run(proposed, json!([])), 0);
    click(&browser, "#wanted [type=button]");
    click(&browser, "#ask-half");
    let target = "return document.querySelector('#wanted-target').value";
    assert_eq!(browser.run(target, json!([])), "50");
    click(&browser, "#wanted [type=button]");
    click(&browser, "#pin");
    super::browser::fill(&browser, "fp", "16");
    until(&browser, "killed", &of_the_program(&FIRE.replace("fp = 8", "fp = 16"), "p_kill"));
    click(&browser, "#ask-compare");
    browser.wait("both", "return document.querySelectorAll('.sides tbody tr').length === 2");
    assert_quiet(&browser);
}

/// Where a question has several values, its shares of the variance are those of the command line.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn shares_of_the_variance_are_those_of_the_command_line() {
    let grid = FIRE.replace("fp = 8", "fp = [4, 8, 16]").replace("drm = -1", "drm = [-1, 1]");
    let served = Served::with(&[("grid.toml", &grid)]);
    let browser = served.opened();
    open_file(&browser, "grid.toml");
    browser.wait("the buttons", "return document.querySelector('#ask-matters')");
    click(&browser, "#ask-matters");
    let shown = browser.wait(
        "its shares",
        "const rows = [...document.querySelectorAll('#wanted-shares tbody tr')];
         return rows.length === 2 && [document.querySelector('#wanted-title').textContent,
             rows.map((row) => [row.children[0].title, ...[1, 2].map((at) => row.children[at].textContent)])]",
    );
    let about = shown[0].as_str().expect("a title").to_owned();
    // The studio shows the gravest measure first.
    let asked = ["odds", "x.toml", "--matters", "p_kill", "--format", "markdown"];
    let output = Desk::with(&grid).command(&asked).output().expect("it starts");
    let output = String::from_utf8(output.stdout).expect("text");
    let label = about.strip_prefix("What matters most: ").expect("a measure");
    assert!(output.contains(&format!("asl fire: {label}")), "{about} {output}");
    for row in shown[1].as_array().expect("rows") {
        let [name, alone, all] = [0, 1, 2].map(|at| row[at].as_str().expect("a text"));
        let line = output.lines().find(|line| line.contains(&format!("| {name} ")));
        let line = line.unwrap_or_else(|| panic!("{name}: {output}"));
        assert!(line.contains(alone) && line.contains(all), "{row} {line}");
    }
    assert_quiet(&browser);
}

/// Files lie in folders: they are listed there, opened, and a name with a folder moves one.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn files_lie_in_folders() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    std::fs::create_dir(served.path("lists")).expect("made");
    let guns = "game \"Guns\"\naction shoot:\n    hits = count(2d6 >= 4)\n    show hits\n";
    std::fs::write(served.path("lists/guns.rules"), guns).expect("written");
    let asked = "rules = \"guns.rules\"\n[[contest]]\nsystem = \"guns\"\naction = \"shoot\"\n";
    std::fs::write(served.path("lists/q.toml"), asked).expect("written");
    let browser = served.opened();
    browser.wait(
        "the folder",
        "return document.querySelector(`#files [data-folder='lists'] [data-file='lists/q.toml']`)",
    );
    // It names a rulebook beside it.
    click(&browser, "#files [data-file='lists/q.toml']");
    assert!(sentence(&browser).contains("Hits 1"), "{}", sentence(&browser));
    click(&browser, "#files li:has([data-file='fire.toml']) .more");
    browser.run("document.querySelector('#file-do-name').value = 'old/fire.toml'", json!([]));
    click(&browser, "#file-do-rename");
    crate::desk::until("it is moved", || {
        served.path("old/fire.toml").exists() && !served.path("fire.toml").exists()
    });
    let there =
        "return document.querySelector(`#files [data-folder='old'] [data-file='old/fire.toml']`)";
    browser.wait("it is listed", there);
    assert_quiet(&browser);
}

/// On a telephone every control that can be touched is 44 pixels high and wide, the answer stays on
/// the screen while the form is scrolled, and nothing has the focus that would open a keyboard.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn fingers_find_every_control() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    let size = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true});
    browser.tool("Emulation.setDeviceMetricsOverride", size);
    browser.tool("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
    let small = |what: &str| {
        let found = browser.run(
            "return [...document.querySelectorAll('button, select, summary, input:not([type=checkbox], [type=range])')]
                 .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.skip'))
                 .map((one) => [one, one.getBoundingClientRect()])
                 .filter(([one, place]) => place.width > 1 && (place.height < 43.5 || place.width < 43.5))
                 .map(([one, place]) => `${one.outerHTML.slice(0, 90)} ${place.width} ${place.height}`)",
            json!([]),
        );
        assert_eq!(found, json!([]), "{what}");
    };
    let typing = "return document.activeElement.matches('input, textarea')";
    small("start");
    assert_eq!(browser.run(typing, json!([])), false);
    open_file(&browser, "fire.toml");
    small("question");
    assert_eq!(browser.run(typing, json!([])), false);
    let top = browser.run(
        "scrollTo(0, document.documentElement.scrollHeight / 2);
         return new Promise((done) => requestAnimationFrame(() => done(document.querySelector('#first').getBoundingClientRect().top)))",
        json!([]),
    );
    assert!(top.as_f64().is_some_and(|top| (-1.0..60.0).contains(&top)), "{top}");
    click(&browser, "#new-rules summary");
    assert_quiet(&browser);
}
