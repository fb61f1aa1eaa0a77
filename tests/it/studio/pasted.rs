//! Blocks of spreadsheets, pasted into tables and seen in the folder.

use serde_json::json;

use super::Served;
use super::browser::{assert_quiet, click, show_file};
use crate::browser::Browser;

/// Pastes a text where a box is.
fn paste(browser: &Browser, css: &str, text: &str) {
    browser.run(
        "const box = document.querySelector(arguments[0]), data = new DataTransfer();
         data.setData('text/plain', arguments[1]); box.focus();
         const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
         box.dispatchEvent(event);",
        json!([css, text]),
    );
}

fn rules(browser: &Browser, wanted: &str) {
    browser.wait(
        &format!("the text is {wanted}"),
        &format!("return document.querySelector('#rulebook')?.value === {}", json!(wanted)),
    );
    // The places of its cells are known again.
    browser.wait("the table", "return document.querySelector('#rule-tables input:enabled')");
}

const GUNS: &str = "game \"Guns\"\ndata weapons:\n    name   shots  power\n    rifle  2      0 -- Ä\n    lmg    6      1\n\
    action shoot:\n    field weapon: one of weapons = rifle\n    hits = count(weapon.shots d6 >= 4)\n    show hit = hits >= weapon.power\n";

/// Drops files on the page, each with its text.
fn drop_files(browser: &Browser, files: &[(&str, &str)]) {
    browser.run(
        "const data = new DataTransfer();
         for (const [name, text] of arguments[0]) data.items.add(new File([text], name));
         const event = (kind) => new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
         const over = document.body.dispatchEvent(event('dragover'));
         if (over) throw new Error('the browser would leave the page');
         document.body.dispatchEvent(event('drop'));",
        json!([files]),
    );
}

/// A file that is dropped stands in the folder and is open; one of a name that is there gets
/// another, and what the studio does not know is refused by name.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn files_are_dropped_into_the_folder() {
    let served = Served::with(&[("guns.rules", "game \"Other\"\n")]);
    let browser = served.opened();
    drop_files(
        &browser,
        &[("guns.rules", GUNS), ("notes.docx", "x"), ("weapons.csv", "name,shots\nrifle,2\n")],
    );
    browser.wait(
        "the last is open",
        "return document.querySelector('#file-title').textContent === 'weapons.csv'",
    );
    browser.wait(
        "all are told",
        "return /notes.docx is none of/.test(document.querySelector('#said').textContent)",
    );
    let read = |name: &str| std::fs::read_to_string(served.path(name)).expect("it is there");
    assert_eq!(read("guns.rules"), "game \"Other\"\n");
    assert_eq!(
        (read("guns_2.rules"), read("weapons.csv")),
        (GUNS.to_owned(), "name,shots\nrifle,2\n".to_owned())
    );
    assert!(!served.path("notes.docx").exists());
    show_file(&browser, "guns_2.rules");
    browser.wait("the table", "return document.querySelector('#rule-tables input')");
    assert_quiet(&browser);
}

/// Heads are matched, rows are known by their names, others are added; without heads cells go on
/// from the cursor.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_block_fills_the_table_of_a_rulebook() {
    let served = Served::with(&[("guns.rules", GUNS)]);
    let browser = served.opened();
    show_file(&browser, "guns.rules");
    browser.wait("the table", "return document.querySelector('#rule-tables input')");
    let block = "Power\tcost\tName\n3\t9\tlmg\n4\t9\t\"sniper rifle\"\n";
    paste(&browser, "[data-cell='0 0 1']", block);
    let said = browser.text("#said");
    assert!(said.contains("1 row added") && said.contains("no column for cost"), "{said}");
    let known = GUNS.replace("lmg    6      1\n", "lmg    6      3\n    \"sniper rifle\" 6 4\n");
    rules(&browser, &known);
    paste(&browser, "[data-cell='0 0 1']", "4\t1\r\n5\t2\r\n");
    let filled = known.replace("rifle  2      0 -- Ä", "rifle  4      1 -- Ä");
    let filled = filled.replace("lmg    6      3\n", "lmg    5      2\n");
    rules(&browser, &filled);
    // One cell goes where the cursor is, as always: nothing is taken from the browser.
    let own = browser.run(
        "const box = document.querySelector(`[data-cell='0 0 0']`), data = new DataTransfer();
         data.setData('text/plain', 'musket');
         return box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))",
        json!([]),
    );
    assert_eq!(own, true);
    click(&browser, "#undo");
    rules(&browser, &known);
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_block_fills_an_arsenal() {
    let served = Served::with(&[]);
    let browser = served.opened();
    click(&browser, "[data-prices='skirmishers'] .tile");
    let names = "const names = [...document.querySelectorAll('tbody[data-path] td:first-child input')].map((box) => box.value);
        const prices = [...document.querySelectorAll(\"tbody[data-path] [data-path$='price'] input\")].map((box) => box.value);";
    browser.wait("the rows", &format!("{names} return names.length === 9"));
    let first = "tbody[data-path] [data-path$='price'] input";
    paste(&browser, first, "151\n202\n");
    browser.wait(
        "from the cursor on",
        &format!("{names} return prices.slice(0, 3).join() === '151,202,'"),
    );
    paste(&browser, first, "price\tname\n1 229\tHMG\n30\tSMG\n");
    browser.wait(
        "by their heads",
        &format!("{names} return prices.slice(0, 3).join() === '151,202,1229' && names.at(-1) === 'SMG' && prices.at(-1) === '30'"),
    );
    assert_quiet(&browser);
}

/// A table of the folder, whatever separates its cells, is seen, and is data of a rulebook at one
/// press.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_csv_of_the_folder_is_seen() {
    let csv = "name;Max. Range;note\nrifle;2;\"good; cheap\"\nlmg;6;\n";
    let served = Served::with(&[("units.csv", csv)]);
    let browser = served.opened();
    show_file(&browser, "units.csv");
    browser.wait("its rows", "return document.querySelectorAll('#form tbody tr').length === 2");
    assert_eq!(browser.texts("#form td"), ["rifle", "2", "good; cheap", "lmg", "6", ""]);
    // A browser of a test has no clipboard: what would be there is caught.
    browser.run(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } });",
        json!([]),
    );
    click(&browser, "#copy-data");
    let copied = browser.wait("it is copied", "return window.copied");
    let expected = "data units:\n    name   max_range  note\n    rifle  2          \"good; cheap\"\n    lmg    6          -\n";
    assert_eq!(copied, expected);
    assert_quiet(&browser);
}
