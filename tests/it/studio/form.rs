//! The form of a question in a real browser: what is found, moved, varied, kept aside, and what
//! takes long.

use std::time::Duration;

use serde_json::json;

use super::browser::{
    assert_quiet, click, fill, of_the_program, open_file, sentence, show_file, until,
};
use super::{FIRE, Served};
use crate::browser::{Browser, key};

/// The file as it stands on the page.
fn file(browser: &Browser, wanted: &str) {
    browser.wait(
        wanted,
        &format!(
            "document.querySelector('#as-text').click();
             const text = document.querySelector('#text').value;
             document.querySelector('#as-form').click();
             return text.includes({})",
            json!(wanted)
        ),
    );
}

/// `47` finds 4-4-7, by its digits alone.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_name_is_found_by_a_part_of_it() {
    let served = Served::with(&[]);
    let browser = served.opened();
    click(&browser, "[data-action='asl fire'] .tile");
    sentence(&browser);
    browser.type_into("[data-path='target.unit'] input", "47");
    let found = browser.texts("[data-path='target.unit'] [role=option]");
    assert!(!found.is_empty() && found.iter().any(|name| name == "4-4-7"), "{found:?}");
    assert!(found.iter().all(|name| name.replace('-', "").contains("47")), "{found:?}");
    let place = found.iter().position(|name| name == "4-4-7").expect("it is one");
    for _ in 0..=place {
        browser.press("\u{e015}");
    }
    browser.press(key::ENTER);
    file(&browser, "4-4-7");
    assert_quiet(&browser);
}

/// A slider moves its number; *vary* makes it an axis, and *one value* a number again.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_number_is_moved_and_varied() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    browser.run(
        "const slider = document.querySelector(`[data-path='drm'] input[type=range]`); slider.value = '1';
         slider.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([]),
    );
    until(&browser, "killed", &of_the_program(&FIRE.replace("drm = -1", "drm = 1"), "p_kill"));
    let number =
        browser.run("return document.querySelector(`[data-path='drm'] input`).value", json!([]));
    assert_eq!(number, "1");
    click(&browser, "[aria-label='Vary firepower']");
    browser.wait("a curve", "return document.querySelector('#grid svg')");
    // The columns of the fire table.
    file(&browser, "fp = [8, 12, 16, 20, 24, 30]");
    click(&browser, "[aria-label='Give firepower one value']");
    browser.wait("none", "return !document.querySelector('#grid svg')");
    file(&browser, "fp = 8");
    assert_quiet(&browser);
}

/// Every ready question has its tile, and opens what it says.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn ready_questions_are_tiles() {
    let served = Served::with(&[]);
    let forms = served.get("/api/forms");
    let systems = forms["systems"].as_array().expect("a list").iter();
    let actions = systems.flat_map(|system| {
        let actions = system["actions"].as_array().expect("a list").iter();
        actions.map(|action| action["questions"].as_array().map_or(0, Vec::len))
    });
    let ready: usize = actions.sum();
    let browser = served.opened();
    let tiles =
        browser.run("return document.querySelectorAll('[data-action] .tile').length", json!([]));
    assert_eq!(tiles, ready);
    let told = browser.run(
        "const more = [...document.querySelectorAll('[data-action] details .tile')];
         return more.filter((_, i) => i % 9 === 0).map((tile) => { tile.dataset.tried = ''; return tile.textContent; })",
        json!([]),
    );
    let told = told.as_array().expect("questions").clone();
    assert!(told.len() > 5);
    for (at, question) in told.iter().enumerate() {
        browser.run(
            "document.querySelector('#headline').replaceChildren();
             document.querySelectorAll('[data-tried]')[arguments[0]].click()",
            json!([at]),
        );
        sentence(&browser);
        assert_eq!(browser.text("#headline .asked"), question.as_str().expect("a text").trim());
        click(&browser, "#start");
    }
    assert_quiet(&browser);
}

/// A step that follows is added, changed and taken away in the form: with what is handed on, how
/// often, until when; a value that comes from an outcome is shown as that.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn what_follows_has_a_form() {
    let taken = format!(
        "{FIRE}[[contest.then]]\naction = \"fire\"\nfp = 4\ndrm = {{ of = \"eliminated\", plus = 1 }}\n\
        target = {{ kind = \"squad\", morale = 7 }}\n"
    );
    let served = Served::with(&[("fire.toml", FIRE), ("taken.toml", &taken)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    click(&browser, "#follow");
    let file = format!("{FIRE}[[contest.then]]\naction = \"fire\"\ncarry = true\n");
    until(&browser, "then: killed", &of_the_program(&file, "then_p_kill"));
    fill(&browser, "then.times", "2");
    until(&browser, "then: killed", &of_the_program(&format!("{file}times = 2\n"), "then_p_kill"));
    fill(&browser, "then.until", "eliminated > 0");
    let whole = format!("{file}times = 2\nuntil = \"eliminated > 0\"\n");
    until(&browser, "then: killed", &of_the_program(&whole, "then_p_kill"));
    let carry = "const box = document.querySelector(`[data-path='then.carry'] select`);
        return [...box.options].map((one) => [one.textContent, one.selected])";
    let kept = json!([["nothing", false], ["all that both are about", true]]);
    assert_eq!(browser.run(carry, json!([])), kept);
    // What is wrong stands at its field.
    fill(&browser, "then.until", "eliminate > 0");
    browser.wait(
        "the fault",
        "return /did you mean `eliminated`/.test(document.querySelector(`[data-path='then.until'] .fault`).textContent)",
    );
    click(&browser, "[aria-label='Remove then fire']");
    until(&browser, "killed", &of_the_program(FIRE, "p_kill"));
    browser.wait("it is gone", "return !document.querySelector('fieldset.then')");
    show_file(&browser, "taken.toml");
    browser.wait(
        "where it comes from",
        "return document.querySelector(`[data-path='then.drm'] .control`)?.textContent.startsWith('eliminated + 1')",
    );
    assert_quiet(&browser);
}

/// Variants have names and notes, outlive the page, and are opened and compared.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn variants_are_named_kept_and_compared() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    let before = of_the_program(FIRE, "p_kill");
    until(&browser, "killed", &before);
    click(&browser, "#keep");
    let call = "const box = document.querySelector(arguments[0]); box.value = arguments[1];
        box.dispatchEvent(new Event('input', { bubbles: true }));";
    browser.wait("it is kept", "return document.querySelector('#variants li')");
    browser.run(call, json!(["#variants li input", "weak"]));
    browser.run(call, json!(["#variants li input[placeholder=note]", "as printed"]));
    fill(&browser, "fp", "16");
    let after = of_the_program(&FIRE.replace("fp = 8", "fp = 16"), "p_kill");
    until(&browser, "killed", &after);
    click(&browser, "#keep");
    browser.wait("both", "return document.querySelectorAll('#variants li').length === 2");
    browser.visit("about:blank");
    browser.visit(&served.origin());
    let kept = browser.wait(
        "both are there",
        "const boxes = [...document.querySelectorAll('#variants input')].map((box) => box.value);
         return boxes.length === 4 && boxes.slice(0, 3)",
    );
    assert_eq!(kept, json!(["weak", "as printed", "Variant 2"]));
    until(&browser, "killed", &after);
    click(&browser, "[aria-label='Pin weak as A']");
    let gap = |text: &str| text.trim_end_matches(" %").parse::<f64>().expect("a number");
    let gap = format!("Now against A: killed ▲ +{:.0} points", gap(&after) - gap(&before));
    browser.wait(
        &gap,
        &format!("return document.querySelector('#pinned').textContent.startsWith('{gap}')"),
    );
    click(&browser, "#variants li button");
    until(&browser, "killed", &before);
    assert_quiet(&browser);
}

/// What takes longer than a key has says so, and is worked out, or simulated, when that is asked
/// for.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn what_takes_long_is_offered() {
    let file = format!("trials = 20_000\n{FIRE}");
    let served = Served::within(&[("fire.toml", &file)], Duration::ZERO);
    let browser = served.opened();
    browser.wait("the file", "return document.querySelector('#files button')");
    click(&browser, "#files button");
    browser.wait("it says so", "return !document.querySelector('#slow').hidden");
    click(&browser, "#simulate-slow");
    browser.wait(
        "it is simulated",
        "return /^Simulated: 20\\s000 trials$/.test(document.querySelector('#simulated h3')?.textContent)",
    );
    click(&browser, "#wait");
    until(&browser, "killed", &of_the_program(FIRE, "p_kill"));
    assert_eq!(browser.run("return document.querySelector('#slow').hidden", json!([])), true);
    assert_quiet(&browser);
}

/// A simulation says how far it has come, is stopped, and goes on.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_simulation_is_stopped_and_goes_on() {
    let endless = format!("trials = 10_000_000_000_000\n{FIRE}");
    let served = Served::with(&[("fire.toml", &endless)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    click(&browser, "#jobs summary");
    let under_way = "return !document.querySelector('#progress').hidden
        && /^[1-9].* trials$/.test(document.querySelector('#job').textContent)";
    click(&browser, "#simulate");
    browser.wait("it says how far", under_way);
    click(&browser, "#stop");
    browser.wait(
        "it is stopped",
        "return document.querySelector('#job').textContent.startsWith('Stopped.')
             && document.querySelector('#simulate').textContent === 'Go on'",
    );
    click(&browser, "#simulate");
    browser.wait("it goes on", under_way);
    click(&browser, "#stop");
    browser.wait("it is stopped", "return document.querySelector('#stop').hidden");
    assert_quiet(&browser);
}
