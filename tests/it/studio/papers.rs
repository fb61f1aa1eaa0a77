//! Variants and drafts: on disk beside the questions, for every window, port and start.

use std::path::PathBuf;

use serde_json::json;

use super::browser::{assert_quiet, click, fill, of_the_program, open_file, show_file, until};
use super::{FIRE, Served};
use crate::browser::Browser;
use crate::desk;

/// The papers in a drawer of a folder: their texts.
fn kept(served: &Served, drawer: &str) -> Vec<String> {
    let folder = served.path(".studio").join(drawer);
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let papers: Vec<PathBuf> = files.map(|file| file.path()).collect();
    let papers =
        papers.into_iter().filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let mut texts: Vec<_> = papers.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    texts.sort();
    texts
}

/// Waits until the drawer holds papers with these words, one each.
fn holds(served: &Served, drawer: &str, words: &[&str]) {
    desk::until(&format!("{drawer} hold {words:?}"), || {
        let texts = kept(served, drawer);
        let found = words.iter().all(|word| texts.iter().any(|text| text.contains(word)));
        texts.len() == words.len() && found
    });
}

fn firepower(browser: &Browser, wanted: &str) {
    browser.wait(
        wanted,
        &format!("return document.querySelector(\"[data-path='fp'] input\")?.value === '{wanted}'"),
    );
}

/// Whether closing the tab now would be asked about.
const ASKED: &str = "const event = new Event('beforeunload', { cancelable: true });
    dispatchEvent(event); return event.defaultPrevented";

/// Typed, never saved; the tab is gone, the studio starts at another port: it is there.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn what_was_typed_outlives_tab_and_port() {
    let served = Served::with(&[("fire.toml", FIRE), ("coin.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    fill(&browser, "fp", "16");
    // Until it is on the disk, whoever closes the tab is asked.
    assert_eq!(browser.run(ASKED, json!([])), true);
    holds(&served, "drafts", &["fp = 16"]);
    browser.wait("nothing is lost", &ASKED.replace("return event", "return !event"));
    assert_eq!(std::fs::read_to_string(served.path("fire.toml")).expect("readable"), FIRE);
    browser.wait(
        "a mark beside the file",
        "return document.querySelectorAll('#files .dot').length === 1
             && document.querySelector('#files .dot').parentElement.textContent.startsWith('fire.toml')",
    );
    let other = served.again();
    browser.beside();
    browser.visit(&format!("{}/#t={}", other.origin(), other.token));
    browser.wait("the mark", "return document.querySelector('#start-files .dot')");
    open_file(&browser, "fire.toml");
    firepower(&browser, "16");
    assert_eq!(browser.text("#file-title"), "fire.toml *");
    // What is saved is no draft any more.
    click(&browser, "#save");
    holds(&other, "drafts", &[]);
    let saved = std::fs::read_to_string(served.path("fire.toml")).expect("readable");
    assert_eq!(saved, FIRE.replace("fp = 8 #", "fp = 16 #"));
    browser.wait("no mark", "return !document.querySelector('#files .dot')");
    assert_quiet(&browser);
}

/// The file as it is saved is one button away, and what was typed one more.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_file_is_shown_as_saved() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    let hidden = "return document.querySelector('#revert').hidden";
    assert_eq!(browser.run(hidden, json!([])), true);
    fill(&browser, "fp", "16");
    holds(&served, "drafts", &["fp = 16"]);
    click(&browser, "#revert");
    firepower(&browser, "8");
    holds(&served, "drafts", &[]);
    click(&browser, "#undo");
    firepower(&browser, "16");
    holds(&served, "drafts", &["fp = 16"]);
    assert_quiet(&browser);
}

/// A question that never had a file, and one that was left for another: both are listed, and open
/// again.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_question_without_a_file_is_kept() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    click(&browser, "[data-action='asl fire'] .tile");
    super::browser::sentence(&browser);
    // Nothing is kept of what was only looked at.
    assert_eq!(kept(&served, "drafts"), [] as [&str; 0]);
    fill(&browser, "fp", "24");
    // Left at once, before it was answered.
    show_file(&browser, "fire.toml");
    holds(&served, "drafts", &["fp = 24"]);
    let other = served.again();
    browser.beside();
    browser.visit(&format!("{}/#t={}", other.origin(), other.token));
    browser.wait("it is listed", "return document.querySelector('#start-files [data-draft]')");
    click(&browser, "#start-files [data-draft] button");
    firepower(&browser, "24");
    // Forgotten at the second press alone.
    click(&browser, "#start");
    let drop = "#start-files [data-draft] [aria-label^='Forget']";
    click(&browser, drop);
    assert_eq!(browser.text(drop), "Forget it");
    assert_eq!(kept(&served, "drafts").len(), 1);
    click(&browser, drop);
    holds(&served, "drafts", &[]);
    assert_quiet(&browser);
}

/// Two windows change one text: neither takes the other's.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn of_two_windows_each_keeps_its_text() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    let first = browser.window();
    open_file(&browser, "fire.toml");
    fill(&browser, "fp", "16");
    holds(&served, "drafts", &["fp = 16"]);
    browser.beside();
    browser.visit(&format!("{}/#t={}", served.origin(), served.token));
    // What somebody is typing there is not taken over unasked.
    open_file(&browser, "fire.toml");
    firepower(&browser, "8");
    browser.wait(
        "it is said",
        "return /^Another window has a text/.test(document.querySelector('#said').textContent)",
    );
    browser.wait(
        "it can be had",
        "const other = [...document.querySelectorAll('#files button')].find((one) => /^unsaved/.test(one.textContent));
         other?.click(); return other",
    );
    firepower(&browser, "16");
    fill(&browser, "fp", "24");
    holds(&served, "drafts", &["fp = 24"]);
    browser.look(&first);
    fill(&browser, "fp", "12");
    holds(&served, "drafts", &["fp = 12", "fp = 24"]);
    assert_eq!(std::fs::read_to_string(served.path("fire.toml")).expect("readable"), FIRE);
    assert_quiet(&browser);
}

/// A variant with its name and note is there in another window, at another port, and in Git.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn variants_are_there_for_every_window() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    let first = browser.window();
    open_file(&browser, "fire.toml");
    let before = of_the_program(FIRE, "p_kill");
    until(&browser, "killed", &before);
    click(&browser, "#keep");
    let call = "const box = document.querySelector(arguments[0]); box.value = arguments[1];
        box.dispatchEvent(new Event('input', { bubbles: true }));";
    browser.wait("it is kept", "return document.querySelector('#variants li')");
    browser.run(call, json!(["#variants li input", "weak"]));
    browser.run(call, json!(["#variants li input[placeholder=note]", "as printed"]));
    holds(&served, "variants", &["name = \"weak\"\nnote = \"as printed\"\nof = \"fire.toml\"\n"]);
    assert!(kept(&served, "variants")[0].contains("\nfp = 8 # two squads\n"));
    let other = served.again();
    browser.beside();
    browser.visit(&format!("{}/#t={}", other.origin(), other.token));
    let named =
        "return [...document.querySelectorAll('#variants input')].map((box) => box.value).join()";
    browser.wait("it is there", &format!("{named} === 'weak,as printed'"));
    browser.run(call, json!(["#variants li input", "theirs"]));
    holds(&served, "variants", &["name = \"theirs\""]);
    // The first window sees that when it is looked at.
    browser.look(&first);
    browser.wait("what was changed", &format!("{named} === 'theirs,as printed'"));
    // What it has not seen it does not replace: both are kept.
    let path = std::fs::read_dir(served.path(".studio/variants")).expect("readable").flatten();
    let path = path.map(|file| file.path()).next().expect("there is one");
    let text = std::fs::read_to_string(&path).expect("readable");
    std::fs::write(&path, text.replace("as printed", "as agreed")).expect("written");
    browser.run(call, json!(["#variants li input", "mine"]));
    holds(&served, "variants", &["name = \"mine\"", "note = \"as agreed\""]);
    // Opened, it is an unsaved text of its file; pinned, it is worked out anew.
    fill(&browser, "fp", "16");
    let after = of_the_program(&FIRE.replace("fp = 8", "fp = 16"), "p_kill");
    until(&browser, "killed", &after);
    click(&browser, "#variants li button");
    until(&browser, "killed", &before);
    assert_eq!(browser.text("#file-title"), "fire.toml");
    click(&browser, "[aria-label^='Forget mine']");
    holds(&served, "variants", &["note = \"as agreed\""]);
    assert_quiet(&browser);
}

/// A paper as a page sends it.
fn paper(text: &str) -> String {
    json!({ "name": "x", "text": text }).to_string()
}

#[test]
fn hostile_names_and_unseen_texts_are_refused() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let new = [("If-None-Match", "*")];
    for drawer in ["variants", "drafts"] {
        for bad in ["..", "%2e%2e%2ffire", "a%2fb", "fire.toml", "A", "con", "-a", "%00", "a%5cb"] {
            let line = format!("PUT /api/{drawer}/{bad}");
            let reply = served.ask(&line, &new, &paper("x"));
            assert!((400..500).contains(&reply.status), "{line}: {reply:?}");
        }
        let line = format!("PUT /api/{drawer}/a");
        assert_eq!(served.ask(&line, &[], &paper("x")).status, 428);
        let first = served.ask(&line, &new, &paper("x = 1"));
        assert_eq!(first.status, 200, "{first:?}");
        assert_eq!(served.ask(&line, &new, &paper("x = 2")).status, 409);
        let stale = [("If-Match", "\"00\"")];
        assert_eq!(served.ask(&line, &stale, &paper("x = 2")).status, 409);
        let forget = format!("DELETE /api/{drawer}/a");
        assert_eq!(served.ask(&forget, &stale, "").status, 409);
        assert_eq!(served.get(&format!("/api/{drawer}/a"))["text"], "x = 1");
        let hash = first.json()["hash"].as_str().expect("a hash").to_owned();
        let seen = format!("\"{hash}\"");
        assert_eq!(served.ask(&forget, &[("If-Match", &seen)], "").status, 200);
        assert_eq!(served.get(&format!("/api/{drawer}"))["papers"], json!([]));
    }
    assert_eq!(std::fs::read_to_string(served.path("fire.toml")).expect("readable"), FIRE);
}
