//! The other screens of the studio in a real browser: dice, prices, rulebooks, what is compared and
//! printed.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::browser::{
    assert_quiet, click, fill, of_the_program, open_file, save_as, sentence, show_file,
};
use super::{FIRE, Served};
use crate::desk::Desk;

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn dice_have_their_law_while_they_are_typed() {
    let served = Served::with(&[]);
    let browser = served.opened();
    browser.type_into("#dice", "2d6 >= 8");
    // 15 of 36.
    browser.wait(
        "the law of a test",
        "return document.querySelector('#dice-law').textContent.includes('41.67 %')",
    );
    browser.run(
        "const box = document.querySelector('#dice'); box.value = 'd4\\nd6';
         box.dispatchEvent(new Event('input')); document.querySelector('#dice-least').click();",
        json!([]),
    );
    let rows = browser.wait(
        "two laws side by side",
        "const rows = [...document.querySelectorAll('#dice-law tbody tr')].map((row) => row.innerText.trim().split(/\\s*\\t\\s*/));
         return rows.length === 6 && rows.map((row) => row.join(' '))",
    );
    assert_eq!(rows[3], "4 25.00 % 50.00 %");
    browser.type_into("#dice", "\n2d");
    browser.wait("a fault", "return document.querySelector('#dice-said .alarm')");
    assert_quiet(&browser);
}

/// A table of weapons: one is taken away, one has no price, and one is answered as on the command
/// line.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn an_arsenal_is_edited_as_a_table_and_priced() {
    let served = Served::with(&[]);
    let browser = served.opened();
    click(&browser, "[data-prices='skirmishers'] .tile");
    let printed = browser.wait(
        "the printed prices",
        "const boxes = [...document.querySelectorAll(\"tbody[data-path] [data-path$='price'] input\")];
         return boxes.length === 9 && boxes[0].placeholder && boxes.map((box) => box.placeholder)",
    );
    assert!(printed[0].as_str().is_some_and(|price| price.parse::<f64>().is_ok()), "{printed}");
    click(&browser, "[aria-label='Remove MMG']");
    fill(&browser, "weapon.1.price", "33");
    let file = browser.wait(
        "the file",
        "document.querySelector('#as-text').click();
         const text = document.querySelector('#text').value;
         document.querySelector('#as-form').click();
         return text.includes('price = 33') && text",
    );
    let file = file.as_str().expect("a text");
    assert!(!file.contains("MMG") && file.contains("name = \"HMG\"\nprice = 33\n"), "{file}");
    browser.wait("the form", "return document.querySelector(\"[aria-label^='Price HMG']\")");
    click(&browser, "[aria-label^='Price HMG']");
    let told = browser.wait(
        "the price",
        "const rows = [...document.querySelectorAll('#simulated .told')].map((one) => [...one.rows]);
         return rows.length && rows[0].map((row) => [...row.cells].map((cell) => cell.textContent))",
    );
    let desk = Desk::with(file);
    let mut command = desk.command(&["balance", "x.toml", "--only", "HMG", "--format", "json"]);
    let output = command.output().expect("it starts");
    let document: Json = serde_json::from_slice(&output.stdout).expect("it is JSON");
    // What the command line has of it, cell by cell.
    let weapon = &document["weapons"][0];
    let shown = |key: &str| weapon["shown"][key].as_f64().expect("a number").to_string();
    let row = json!([
        "HMG",
        "33",
        shown("even"),
        format!("{} – {}", shown("low"), shown("high")),
        weapon["verdict"],
        format!("{:.2}", weapon["beside"]["best"].as_f64().expect("a number")),
    ]);
    assert_eq!(told, json!([["unit", "now", "even", "range", "verdict", "beside"], row]));
    // On a telephone every number stands under its head, and nothing has to be pushed sideways.
    let size = json!({"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": false});
    browser.tool("Emulation.setDeviceMetricsOverride", size);
    let seen = browser.run(
        "const table = document.querySelector('#simulated .told'), cells = [...table.querySelectorAll('td')];
         const head = (cell) => getComputedStyle(cell, '::before').content.replaceAll('\"', '');
         return [cells.map(head), table.scrollWidth <= table.clientWidth, document.documentElement.scrollWidth]",
        json!([]),
    );
    let heads = told[0].as_array().expect("heads")[1..].to_vec();
    assert_eq!(seen, json!([heads, true, 360]));
    // A weapon's price changes with its file, and says so.
    assert_eq!(browser.run("return document.querySelector('#stale').hidden", json!([])), true);
    fill(&browser, "weapon.1.price", "34");
    browser.wait("it is said", "return !document.querySelector('#stale').hidden");
    assert_quiet(&browser);
}

/// What was rolled for one question is not shown as the answer to another.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_simulation_stands_beside_its_own_question_alone() {
    let served = Served::with(&[("fire.toml", FIRE), ("coin.toml", COINS), ("coin.rules", COIN)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    click(&browser, "#jobs summary");
    click(&browser, "#preview-card");
    browser.wait("the card", "return document.querySelector('#preview img')");
    click(&browser, "#simulate");
    let kill = browser.wait(
        "what was rolled",
        "const row = [...document.querySelectorAll('#simulated tr')].find((one) => one.textContent.startsWith('killed'));
         return row && [...row.cells].slice(1).map((cell) => parseFloat(cell.textContent))",
    );
    // The exact number is that of the answer, and the simulated one lies near it.
    let exact = of_the_program(FIRE, "p_kill");
    let exact: f64 = exact.trim_end_matches(" %").parse().expect("a number");
    assert_eq!(kill[0].as_f64(), Some(exact));
    assert!((kill[1].as_f64().expect("a number") - exact).abs() < 1.0, "{kill}");
    let seen = "return [document.querySelector('#stale').hidden,
        document.querySelector('#simulated').childElementCount > 0,
        document.querySelector('#preview').childElementCount > 0]";
    assert_eq!(browser.run(seen, json!([])), json!([true, true, true]));
    fill(&browser, "fp", "16");
    browser.wait("it is said", "return !document.querySelector('#stale').hidden");
    assert_eq!(browser.run(seen, json!([])), json!([false, true, false]));
    open_file(&browser, "coin.toml");
    browser
        .wait("another", "return document.querySelector('#answer').textContent.includes('50 %')");
    assert_eq!(browser.run(seen, json!([])), json!([true, false, false]));
    assert_eq!(browser.text("#command"), "In the terminal: enfilade odds coin.toml");
    assert_quiet(&browser);
}

const COIN: &str = "game \"Coin\"\naction toss:\n    face = d2\n    show face\n";
const COINS: &str = "rules = \"coin.rules\"\n[[contest]]\naction = \"toss\"\n";

/// Whoever looks at the games again finds his question where he left it.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_start_leads_back_to_the_question() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    let offered = "return document.querySelector('#back').hidden";
    assert_eq!(browser.run(offered, json!([])), true);
    open_file(&browser, "fire.toml");
    fill(&browser, "fp", "16");
    click(&browser, "#start");
    assert_eq!(browser.run(offered, json!([])), false);
    click(&browser, "#back");
    let seen = browser.run(
        "return [document.querySelector('#desk').hidden, document.querySelector(`[data-path='fp'] input`).value]",
        json!([]),
    );
    assert_eq!(seen, json!([false, "16"]));
    // A tile far down the list opens a question at its top.
    click(&browser, "#start");
    browser.run(
        "const tile = [...document.querySelectorAll('.tile')].at(-1); tile.scrollIntoView(); tile.click()",
        json!([]),
    );
    browser.wait("the top", "return !document.querySelector('#desk').hidden && scrollY === 0");
    assert_quiet(&browser);
}

/// On a telephone the answer stays in sight while the form below it is filled in.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_telephone_shows_the_answer_above_the_form() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    let size = json!({"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": false});
    browser.tool("Emulation.setDeviceMetricsOverride", size);
    open_file(&browser, "fire.toml");
    let places = browser.run(
        "document.querySelector(`[data-path='target.morale'] input`).focus();
         const box = document.activeElement.getBoundingClientRect();
         const said = document.querySelector('#headline').getBoundingClientRect();
         return [scrollY > 100, said.top >= 0, said.bottom < 370, box.top > said.bottom, box.bottom <= 740]",
        json!([]),
    );
    assert_eq!(places, json!([true, true, true, true, true]));
    assert_quiet(&browser);
}

/// An outcome has the colour that the program's pictures give it, by day and by night.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn outcomes_have_the_colours_of_the_pictures() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    let desk = Desk::with(&FIRE.replace("fp = 8", "fp = [4, 8]"));
    desk.run(&["run", "x.toml", "--exact-only", "--out", "out"]);
    let page = std::fs::read_to_string(desk.path("out/report.html")).expect("it is written");
    for scheme in ["light", "dark"] {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        browser.tool("Emulation.setEmulatedMedia", features);
        let inks = browser.run(
            "const hex = (one) => '#' + getComputedStyle(one).backgroundColor.match(/\\d+/g)
                 .map((part) => Number(part).toString(16).padStart(2, '0')).join('');
             const law = [...document.querySelectorAll('#answer .bar.ink')];
             return [[...document.querySelectorAll('.part')].map(hex), [hex(law[0]), hex(law.at(-1))]]",
            json!([]),
        );
        let bar = inks[0].as_array().expect("colours");
        // The worst outcome is the first part of the bar, none at all the last.
        assert_eq!(inks[1], json!([bar[0], bar[bar.len() - 1]]), "{scheme}");
        for ink in bar {
            let ink = ink.as_str().expect("a colour");
            let (day, night) = (format!("fill=\"{ink}\""), format!("{{fill:{ink}}}"));
            assert!(
                page.contains(if scheme == "light" { &day } else { &night }),
                "{ink}, {scheme}"
            );
        }
    }
    assert_quiet(&browser);
}

/// As an editor of Windows writes them: what was not touched is the same, byte by byte.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn files_keep_their_line_ends() {
    let of_windows = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let served =
        Served::with(&[("fire.toml", &of_windows(FIRE)), ("coin.rules", &of_windows(COIN))]);
    let browser = served.opened();
    let kept = |name: &str| std::fs::read_to_string(served.path(name)).expect("readable");
    let save = |name: &str| {
        let title = |text: &str| {
            browser.wait(
                text,
                &format!("return document.querySelector('#file-title').textContent === '{text}'"),
            )
        };
        title(&format!("{name} *"));
        click(&browser, "#save");
        title(name);
    };
    open_file(&browser, "fire.toml");
    fill(&browser, "fp", "16");
    save("fire.toml");
    assert_eq!(kept("fire.toml"), of_windows(&FIRE.replace("fp = 8", "fp = 16")));
    show_file(&browser, "coin.rules");
    // The answer of the file before may still be there.
    browser.wait("the rulebook", "return document.querySelector('#rulebook')");
    browser.run(
        "const box = document.querySelector('#rulebook'); box.value = box.value.replace('d2', 'd4');
         box.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([]),
    );
    save("coin.rules");
    assert_eq!(kept("coin.rules"), of_windows(&COIN.replace("d2", "d4")));
    assert_quiet(&browser);
}

/// Odds of a rulebook are pinned, and what a change of the rules does stands on every bar.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_change_of_the_rules_is_compared_with_what_was_pinned() {
    let served = Served::with(&[("hits.rules", HITS)]);
    let browser = served.opened();
    show_file(&browser, "hits.rules");
    browser
        .wait("the odds", "return document.querySelector('#answer').textContent.includes('50 %')");
    click(&browser, "#pin");
    browser.wait(
        "it is pinned",
        "return document.querySelector('#pinned').textContent.includes('same')",
    );
    browser.run(
        "const box = document.querySelector(`[aria-label='needed: bold, near']`); box.value = '5';
         box.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([]),
    );
    // From three faces of six to two.
    browser.wait(
        "what it does",
        "return document.querySelector('#pinned').textContent === 'Now against A: hits ▼ −17 points'",
    );
    browser.wait(
        "at its measure",
        "return document.querySelector('#answer .change').textContent === '▼ −17 points'",
    );
    click(&browser, "#pin");
    browser
        .wait("nothing is pinned", "return document.querySelector('#pinned').textContent === ''");
    assert_quiet(&browser);
}

const HITS: &str = "game \"Hits\"\ntable needed (1.2):\n    columns near far\n    bold    4    6\n    meek    3    5 -- Ä\n\
    action shot:\n    field who: bold or meek = bold\n    field how: near or far = near\n    roll = d6\n    show hit = roll >= needed(who, how)\n    measure p_hit = chance(hit) \"hits\"\n";

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn tables_of_a_rulebook_are_changed_in_their_cells() {
    let served = Served::with(&[("hits.rules", HITS)]);
    let browser = served.opened();
    show_file(&browser, "hits.rules");
    let shown = |what: &str| {
        browser.wait(
            what,
            &format!("return document.querySelector('#answer').textContent.includes('{what}')"),
        );
    };
    // 4 or more of six.
    shown("50 %");
    let cell = "[aria-label='needed: bold, near']";
    browser.run("document.querySelector(arguments[0]).focus()", json!([cell]));
    // One more is 5 or more: a sixth less.
    browser.wait(
        "what one more is worth",
        "return document.querySelector('#rule-worth').textContent.includes('hits ▼ −17')",
    );
    let put = "const box = document.querySelector(arguments[0]); box.value = arguments[1];
        box.dispatchEvent(new Event('input', { bubbles: true }));";
    browser.run(put, json!([cell, "2"]));
    browser.run(put, json!(["[aria-label='needed: meek, far']", "11"]));
    // 2 or more.
    shown("83 %");
    let text = browser.run("return document.querySelector('#rulebook').value", json!([]));
    assert_eq!(text, HITS.replace("bold    4", "bold    2").replace("3    5", "3    11"));
    click(&browser, "#rule-roll");
    browser.wait(
        "a test roll",
        "return document.querySelector('#rule-outcome').textContent.startsWith('Outcome')",
    );
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_built_in_action_is_copied_changed_and_kept() {
    let served = Served::with(&[]);
    let browser = served.opened();
    browser.wait("the texts", "return document.querySelector(\"[data-text='asl_fire.rules']\")");
    click(&browser, "[data-text='asl_fire.rules']");
    sentence(&browser);
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulebooks/asl_fire.rules");
    let own = std::fs::read_to_string(own).expect("readable");
    let text = browser.run("return document.querySelector('#rulebook').value", json!([]));
    assert_eq!(text, own);
    browser.run(
        "const box = document.querySelector('#rulebook');
         box.value = box.value.replace('Infantry fire on the fire table', 'My fire');
         box.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([]),
    );
    save_as(&browser, "my_asl_fire.rules", "my_asl_fire.rules");
    browser.wait(
        "it is kept",
        "return document.querySelector('#files').textContent.includes('my_asl_fire.rules')",
    );
    let kept = std::fs::read_to_string(served.path("my_asl_fire.rules")).expect("readable");
    assert_eq!(kept, own.replace("Infantry fire on the fire table", "My fire"));
    let forms = served.get("/api/forms");
    let systems = forms["systems"].as_array().expect("a list");
    assert!(systems.iter().any(|system| system["title"] == "My fire"));
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn what_differs_from_a_is_named_field_by_field() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    click(&browser, "#pin");
    fill(&browser, "fp", "16");
    fill(&browser, "target.morale", "8");
    let changed = browser.wait(
        "both fields",
        "const lines = [...document.querySelectorAll('#changed li')].map((one) => one.textContent);
         return lines.length === 2 && lines",
    );
    let changed = changed.as_array().expect("lines");
    assert_eq!(changed[0], "firepower: 8 → 16");
    assert!(
        changed[1].as_str().is_some_and(|line| line.ends_with("morale level: 7 → 8")),
        "{changed:?}"
    );
    fill(&browser, "fp", "8");
    fill(&browser, "target.morale", "7");
    browser.wait("nothing differs", "return !document.querySelector('#changed')");
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_card_is_shown_before_it_is_printed() {
    let served = Served::with(&[("fire.toml", &FIRE.replace("fp = 8", "fp = [4, 8]"))]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    click(&browser, "#jobs summary");
    click(&browser, "#preview-card");
    browser.wait("the card", "return document.querySelector('#preview img')?.naturalWidth > 100");
    // On paper stands the answer, and nothing to be pressed.
    browser.tool("Emulation.setEmulatedMedia", json!({"media": "print"}));
    let seen = browser.run(
        "return ['.tools', '#question', '#jobs', '#odds'].map((css) => document.querySelector(css).getClientRects().length > 0)",
        json!([]),
    );
    assert_eq!(seen, json!([false, false, false, true]));
    assert_quiet(&browser);
}

/// A measure is shown by a roll in which it is so.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn every_measure_has_its_why() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    click(&browser, "[aria-label$='why killed?']");
    browser.wait(
        "a roll that kills",
        "return /^Outcome: .*(eliminated|reduced)/.test(document.querySelector('#outcome').textContent)",
    );
    assert_quiet(&browser);
}

/// The studio ends and comes again: what was typed is there, and it is said what to do.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_studio_that_comes_again_finds_what_was_typed() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    fill(&browser, "fp", "16");
    let port = served.port;
    drop(served);
    // Nobody asks anything: the page hears it all the same.
    browser.wait(
        "it says so",
        "return document.querySelector('#offline').textContent.includes('was ended')",
    );
    let again = Served::at(port, &[("fire.toml", FIRE)], Duration::from_secs(20));
    browser.wait(
        "it says what to do",
        "return document.querySelector('#offline').textContent.includes('started anew')",
    );
    browser.visit("about:blank");
    browser.visit(&format!("{}/#t={}", again.origin(), again.token));
    browser.wait(
        "it is there",
        "return document.querySelector(`[data-path='fp'] input`).value === '16'",
    );
    sentence(&browser);
    assert_eq!(browser.run("return document.querySelector('#offline').hidden", json!([])), true);
}
