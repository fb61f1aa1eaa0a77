//! What a designer does beside one question: variants and saves side by side, files kept in order,
//! ways back.

use serde_json::json;

use super::browser::{
    assert_quiet, click, fill, of_the_program, open_file, save_as, sentence, show_file, until,
};
use super::{FIRE, Served};

/// A's bar is under the bar of now, a variant has a row beside what stands there, and the larger
/// number is bold.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn variants_stand_side_by_side() {
    let served = Served::with(&[("fire.toml", FIRE), ("near.toml", &FIRE.replace("-1", "-3"))]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    until(&browser, "killed", &of_the_program(FIRE, "p_kill"));
    click(&browser, "#pin");
    click(&browser, "#keep");
    fill(&browser, "fp", "16");
    let strong = of_the_program(&FIRE.replace("fp = 8", "fp = 16"), "p_kill");
    until(&browser, "killed", &strong);
    browser.wait("two bars", "return document.querySelectorAll('#headline .stack').length === 2");
    browser.wait("kills are harm", "return document.querySelector('#headline .key .harm')");
    click(&browser, "#sides-open");
    browser.wait("two rows", "return document.querySelectorAll('.sides tbody tr').length === 2");
    let bold = browser
        .wait("the most", "return document.querySelector('.sides strong')?.parentElement.title");
    assert_eq!(bold, json!(strong));
    browser.run(
        "const choose = document.querySelector('#sides-file'); choose.value = 'near.toml';
         choose.dispatchEvent(new Event('input'));",
        json!([]),
    );
    browser
        .wait("a file beside", "return document.querySelectorAll('.sides tbody tr').length === 3");
    assert_quiet(&browser);
}

/// Every save is kept, with its answer; the same text twice is one.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_file_has_a_history() {
    let served = Served::with(&[]);
    let browser = served.opened();
    click(&browser, "[data-action='asl fire'] .tile");
    sentence(&browser);
    save_as(&browser, "question.toml", "mine.toml");
    browser.wait("it is saved", "return document.title.startsWith('mine.toml')");
    fill(&browser, "fp", "16");
    browser.wait("it is changed", "return document.title.startsWith('●')");
    click(&browser, "#save");
    browser.wait("it is saved again", "return document.title.startsWith('mine.toml')");
    browser.wait(
        "both saves",
        "if (!document.querySelector('#sides').open) document.querySelector('#history-open').click();
         const rows = document.querySelectorAll('.sides tbody tr').length;
         if (rows < 2) document.querySelector('#sides-close').click();
         return rows === 2 && document.querySelector('#sides svg')",
    );
    assert_quiet(&browser);
}

/// Back leads to what was open before, and the window is called by it.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn back_and_forward_go_between_questions() {
    let served = Served::with(&[("fire.toml", FIRE), ("near.toml", &FIRE.replace("-1", "-3"))]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    until(&browser, "killed", &of_the_program(FIRE, "p_kill"));
    show_file(&browser, "near.toml");
    until(&browser, "killed", &of_the_program(&FIRE.replace("-1", "-3"), "p_kill"));
    let called = |name: &str| {
        let script = format!("return document.title.startsWith('{name} ')");
        browser.wait(name, &script);
    };
    called("near.toml");
    browser.run("history.back()", json!([]));
    called("fire.toml");
    until(&browser, "killed", &of_the_program(FIRE, "p_kill"));
    browser.run("history.forward()", json!([]));
    called("near.toml");
    assert_quiet(&browser);
}

/// A file is copied, renamed and deleted; its text stays until it is forgotten.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn files_are_kept_in_order() {
    let asked = format!("question = \"Does it hold?\"\n{FIRE}");
    let served = Served::with(&[("fire.toml", &asked)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    browser.wait(
        "its question",
        "return document.querySelector('#files .file small')?.textContent === 'Does it hold?'",
    );
    let with = |name: &str| {
        let script = format!(
            "document.querySelector(`[data-file='{name}']`).closest('li').querySelector('.more').click()"
        );
        browser.run(&script, json!([]));
    };
    let there = |name: &str, is: bool| {
        let script = format!(
            "return Boolean(document.querySelector(`#files [data-file='{name}']`)) === {is}"
        );
        browser.wait(name, &script);
        crate::desk::until(name, || served.path(name).exists() == is);
    };
    with("fire.toml");
    click(&browser, "#file-do-copy");
    there("fire_2.toml", true);
    with("fire_2.toml");
    browser.run("document.querySelector('#file-do-name').value = 'other.toml'", json!([]));
    click(&browser, "#file-do-rename");
    there("other.toml", true);
    there("fire_2.toml", false);
    with("other.toml");
    click(&browser, "#file-do-delete");
    assert!(served.path("other.toml").exists());
    click(&browser, "#file-do-delete");
    there("other.toml", false);
    browser.wait(
        "its text",
        "return [...document.querySelectorAll('#files [data-draft]')].length === 1",
    );
    assert_quiet(&browser);
}

/// What another program writes is reported at once, line by line.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_file_that_was_overtaken_is_reported() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    std::fs::write(served.path("fire.toml"), FIRE.replace("fp = 8", "fp = 12")).expect("written");
    browser.wait("it is said", "return !document.querySelector('#overtaken').hidden");
    click(&browser, "#overtaken-look");
    let lines = browser.texts("#overtaken-lines .only-mine, #overtaken-lines .only-theirs");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("fp = 8") && lines[1].contains("fp = 12"), "{lines:?}");
    click(&browser, "#overtaken-open");
    let after = of_the_program(&FIRE.replace("fp = 8", "fp = 12"), "p_kill");
    until(&browser, "killed", &after);
    assert_quiet(&browser);
}

/// A named weapon shows its printed numbers where the form has none; another weapon has others.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_named_weapon_shows_its_printed_numbers() {
    let served = Served::with(&[]);
    let browser = served.opened();
    click(&browser, "[data-action='dropzone shoot'] .tile");
    sentence(&browser);
    // UCM/Sabre Tank/Avenger Railgun: 1 shot, 2+, energy 10.
    browser.wait(
        "energy 10",
        "const field = document.querySelector(`[data-path='energy']`);
         return field.querySelector('input').placeholder === '10' && field.querySelector('[type=range]').value === '10'",
    );
    assert_quiet(&browser);
}
