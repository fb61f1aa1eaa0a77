//! What a designer may trust: printed rows, answers of the text that stands there, dice that stay,
//! names of files.

use serde_json::{Value as Json, json};

use super::browser::{
    assert_quiet, click, fill, of_the_program, open_file, save_as, show_file, until,
};
use super::{FIRE, Served};
use crate::browser::Browser;
use crate::desk::{self, Desk};

/// Of so many dice one shows 4 or more: 1 − 1/2ⁿ.
const GUNS: &str = "game \"Guns\"\ndata weapons:\n    name    shots  power\n    rifle   2      0\n    mortar  3      2\n\
    action shoot \"who shoots\":\n    question \"How often does {weapon|a weapon} hit?\"\n    \
    field weapon: one of weapons = rifle\n    hits = count(weapon.shots d6 >= 4)\n    show hit = hits >= 1\n    \
    measure p_hit = chance(hit) \"hits\"\n";

fn write_rules(browser: &Browser, text: &str) {
    browser.run(
        "const box = document.querySelector('#rulebook'); box.value = arguments[0];
         box.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([text]),
    );
}

fn shown(browser: &Browser, wanted: &str) {
    browser.wait(
        wanted,
        &format!("return document.querySelector('#odds').textContent.includes('{wanted}')"),
    );
}

/// "What if the rifle had 3 shots?" begins from the rifle that is printed.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn numbers_of_a_printed_row_are_changed() {
    let served = Served::with(&[("guns.rules", GUNS)]);
    let browser = served.opened();
    show_file(&browser, "guns.rules");
    shown(&browser, "75 %");
    browser.run(
        "[...document.querySelectorAll('#form button')].find((one) => one.textContent === 'Open as a question').click()",
        json!([]),
    );
    browser.wait("the form", "return document.querySelector(`[data-path='weapon'] details`)");
    browser.run("document.querySelector(`[data-path='weapon'] details`).open = true", json!([]));
    let printed = browser.wait(
        "the printed numbers",
        "const box = (name) => document.querySelector(`[data-path='weapon.${name}'] input`);
         return box('shots') && [box('shots').placeholder, box('power').placeholder]",
    );
    assert_eq!(printed, json!(["2", "0"]));
    fill(&browser, "weapon.shots", "3");
    shown(&browser, "How often does the rifle with 3 shots hit?");
    shown(&browser, "88 %");
    assert_eq!(
        browser.run("return document.querySelectorAll('.fault:not([hidden])').length", json!([])),
        0
    );
    // Another row brings its own numbers.
    fill(&browser, "weapon.shots", "");
    browser.run(
        "const box = document.querySelector(`[data-path='weapon'] .names input`); box.value = 'mortar';
         box.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([]),
    );
    browser.wait(
        "the numbers of the mortar",
        "return document.querySelector(`[data-path='weapon.shots'] input`).placeholder === '3'",
    );
    shown(&browser, "How often does mortar hit?");
    // Varied, it is looked at from both sides.
    click(&browser, "[aria-label='Vary shots']");
    browser.wait(
        "around what is printed",
        "return document.querySelector(`[data-path='weapon.shots'] input`).value === '1 to 5'",
    );
    let bars = browser.wait(
        "the curve",
        "const bars = [...document.querySelectorAll('#grid .step')].map((one) => one.textContent);
         return bars.length === 5 && bars",
    );
    assert_eq!(bars, json!(["1: 50", "2: 75", "3: 88", "4: 94", "5: 97"]));
    assert_quiet(&browser);
}

/// Odds of a text that is gone say so, for every fault, until it is mended.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn odds_of_a_text_that_is_gone_say_so() {
    let served = Served::with(&[("guns.rules", GUNS)]);
    let browser = served.opened();
    show_file(&browser, "guns.rules");
    shown(&browser, "75 %");
    let seen = "return [document.querySelector('#behind').hidden, document.querySelector('#odds').classList.contains('behind')]";
    assert_eq!(browser.run(seen, json!([])), json!([true, false]));
    for broken in [GUNS.replace("show hit", "show hot"), "game\n".to_owned(), String::new()] {
        write_rules(&browser, &broken);
        browser.wait("a fault", "return document.querySelector('#rule-faults .fault')");
        browser.wait("it says so", "return !document.querySelector('#behind').hidden");
        assert_eq!(browser.run(seen, json!([])), json!([false, true]));
        assert_eq!(browser.text("#behind"), "Of the text before your last change.");
        // A remark is no fault, and does not look like one.
        write_rules(&browser, GUNS);
        browser.wait("it is mended", "return document.querySelector('#behind').hidden");
        let colours = browser.wait(
            "a remark",
            "const remark = document.querySelector('#rule-faults .remark button');
             return remark && [getComputedStyle(remark).color, getComputedStyle(document.querySelector('#behind')).color]",
        );
        assert_ne!(colours[0], colours[1]);
        assert!(browser.texts("#rule-faults .fault").is_empty());
    }
    assert_quiet(&browser);
}

/// Three thousand squares are worked out with a bar, and drawn part by part.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_large_grid_is_worked_out() {
    let vast = FIRE.replace("fp = 8", "fp = { from = 1, to = 60 }");
    let vast = vast.replace("drm = -1", "drm = { from = -24, to = 25 }");
    let served = Served::with(&[("vast.toml", &vast)]);
    let browser = served.opened();
    open_file(&browser, "vast.toml");
    browser.wait(
        "it says how large",
        "return /^3\\s000 squares/.test(document.querySelector('#slow-said').textContent)",
    );
    click(&browser, "#wait");
    browser.wait("the map", "return document.querySelectorAll('.square').length === 40 * 40");
    assert_eq!(browser.run("return document.querySelector('#slow').hidden", json!([])), true);
    let part = "const [down] = [...document.querySelectorAll('#grid select')].slice(-2);
        down.value = '40'; down.dispatchEvent(new Event('input'));";
    browser.run(part, json!([]));
    browser
        .wait("the other rows", "return document.querySelectorAll('.square').length === 20 * 40");
    // 41 and 0: the first row, and the column behind the 24 that are negative.
    click(&browser, ".heat tbody tr:nth-child(1) td:nth-child(26) .square");
    let form =
        "const value = (path) => document.querySelector(`[data-path='${path}'] input`).value;
        return value('fp') === '41' && value('drm') === '0'";
    browser.wait("the form", form);
    let file = FIRE.replace("fp = 8", "fp = 41").replace("drm = -1", "drm = 0");
    until(&browser, "killed", &of_the_program(&file, "p_kill"));
    assert_quiet(&browser);
}

/// More squares than a page can hold are no button that leads nowhere: it is said what does it.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_grid_beyond_any_page_says_what_to_do() {
    let vast = FIRE.replace("fp = 8", "fp = { from = 1, to = 1000 }");
    let vast = vast.replace("drm = -1", "drm = { from = -30, to = 30 }");
    let vast = vast.replace("morale = 7", "morale = [6, 7]");
    let served = Served::with(&[("vast.toml", &vast)]);
    let browser = served.opened();
    open_file(&browser, "vast.toml");
    browser.wait(
        "it says what to do",
        "return /^122\\s000 squares .* enfilade sweep run vast.toml$/.test(document.querySelector('#slow-said').textContent)",
    );
    let hidden = "return ['#slow', '#wait', '#simulate-slow'].map((one) => document.querySelector(one).hidden)";
    assert_eq!(browser.run(hidden, json!([])), json!([false, true, true]));
    assert_quiet(&browser);
}

/// What is worked out is stopped, says how far it came, and lets another begin.
#[test]
fn what_is_worked_out_can_be_stopped() {
    let served = Served::with(&[]);
    let long = FIRE.replace("fp = 8", "fp = { from = 1, to = 1000 }");
    let long = long.replace("drm = -1", "drm = { from = -30, to = 30 }");
    let job = |text: &str| {
        let reply = served.post("/api/jobs", &json!({ "text": text, "exact": true }));
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.json()["id"].as_u64().expect("a number")
    };
    let events = |id: u64| -> Vec<Json> {
        let reply = served.ask(&format!("GET /api/jobs/{id}/events"), &[], "");
        let events = reply.body.split("data: ").skip(1);
        let json = |event: &str| {
            let event = event.rsplit_once('}').map_or("", |(event, _)| event);
            serde_json::from_str(&format!("{event}}}")).expect("it is JSON")
        };
        events.map(json).collect()
    };
    let id = job(&long);
    assert_eq!(served.ask(&format!("DELETE /api/jobs/{id}"), &[], "").status, 200);
    let last = events(id).pop().expect("an event");
    assert_eq!(last["stopped"], true, "{last}");
    let squares = &last["worked"]["squares"];
    assert_eq!(squares[1], 1000 * 61);
    assert!(squares[0].as_u64() < squares[1].as_u64(), "{squares}");
    assert_eq!(last["worked"]["slow"], true);
    let id = job(&FIRE.replace("fp = 8", "fp = [4, 8]"));
    let last = events(id).pop().expect("an event");
    assert_eq!(
        (&last["worked"]["squares"], &last["worked"]["slow"]),
        (&json!([2, 2]), &json!(false))
    );
    assert!(last["worked"]["told"].is_object());
}

/// A die that is turned leaves the others, also those that come after it; all the way round all are
/// as they were.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_turned_die_leaves_the_others() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    click(&browser, "#answer details:nth-of-type(2) .why");
    let dice =
        "const dice = [...document.querySelectorAll('#steps .die')].map((die) => die.textContent);
        return dice.length && dice";
    let first = browser.wait("dice", dice);
    let mut before = first.clone();
    for turn in 1..=6 {
        let face = before[0].as_str().and_then(|face| face.parse::<u8>().ok()).expect("a face");
        click(&browser, "#steps .die");
        let turned = format!("{dice}[0] === '{}' && dice", face % 6 + 1);
        let now = browser.wait("it is turned", &turned);
        let (was, is) = (before.as_array().expect("dice"), now.as_array().expect("dice"));
        let both = was.len().min(is.len());
        assert_eq!(was[1..both], is[1..both], "turn {turn}");
        before = now;
    }
    assert_eq!(before, first);
    assert_quiet(&browser);
}

/// Where another die stands in a place, its face is no other die's.
#[test]
fn a_die_of_other_sides_falls_anew() {
    let served = Served::with(&[]);
    let told = |faces: Json| {
        let reply = served.post("/api/explain", &json!({ "text": FIRE, "faces": faces }));
        let steps = reply.json()["steps"].as_array().expect("steps").clone();
        let dice = steps.iter().flat_map(|step| step["dice"].as_array().expect("dice").clone());
        dice.collect::<Vec<Json>>()
    };
    let given = told(json!([[6, 3], [6, 2]]));
    assert_eq!(given[..2], [json!([6, 3]), json!([6, 2])]);
    // Without a face of its own the first die falls as it does when nothing is said.
    assert_eq!(told(json!([[8, 3], [6, 2]]))[0], told(json!([]))[0]);
}

/// The second game of one's own has a name of its own, and takes the place of no other.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_second_game_has_a_name_of_its_own() {
    let served = Served::with(&[("my_game.rules", GUNS)]);
    let browser = served.opened();
    browser.wait("the tile", "return document.querySelector('#first-rules')");
    browser.wait("the files", "return document.querySelector('#files button')");
    click(&browser, "#first-rules");
    super::browser::sentence(&browser);
    assert_eq!(browser.text("#file-title"), "my_game_2.rules *");
    // Whoever asks for the other's name all the same is told the truth.
    save_as(&browser, "my_game_2.rules", "my_game");
    browser.wait("it asks", "return document.querySelector('#conflict').open");
    assert_eq!(browser.text("#conflict-title"), "There is a file my_game.rules already");
    assert!(!browser.text("#conflict").contains("Another program"));
    click(&browser, "#keep-both");
    browser.wait(
        "a free name",
        "return document.querySelector('#new-name').value === 'my_game_2.rules'",
    );
    browser.run("document.querySelector('#name-form').requestSubmit()", json!([]));
    browser.wait(
        "it is saved",
        "return document.querySelector('#file-title').textContent === 'my_game_2.rules'",
    );
    let kept = |name: &str| std::fs::read_to_string(served.path(name)).expect("readable");
    assert_eq!(kept("my_game.rules"), GUNS);
    assert!(kept("my_game_2.rules").contains("one volley of four shooters"));
    // Under another name, the one that was opened stays.
    show_file(&browser, "my_game.rules");
    shown(&browser, "75 %");
    write_rules(&browser, &GUNS.replace(">= 4", ">= 5"));
    click(&browser, "#save-as");
    browser.wait("it asks for a name", "return document.querySelector('#name-it').open");
    browser.run(
        "document.querySelector('#new-name').value = 'harder'; document.querySelector('#name-form').requestSubmit()",
        json!([]),
    );
    desk::until("it is there", || served.path("harder.rules").exists());
    assert_eq!(
        (kept("my_game.rules"), kept("harder.rules")),
        (GUNS.to_owned(), GUNS.replace(">= 4", ">= 5"))
    );
    assert_quiet(&browser);
}

/// The arsenal that is ready to be priced has findings, and where none is made the price lies in
/// its range or it is said why that is none.
#[test]
fn the_ready_prices_do_not_contradict_themselves() {
    let served = Served::with(&[]);
    let forms = served.get("/api/forms");
    let systems = forms["systems"].as_array().expect("a list");
    let system = systems.iter().find(|system| system["id"] == "skirmishers").expect("it is there");
    let desk = Desk::with(system["arsenal"]["file"].as_str().expect("a file"));
    let output = desk.command(&["balance", "x.toml", "--format", "json"]).output();
    let told: Json = serde_json::from_slice(&output.expect("it starts").stdout).expect("JSON");
    let weapons = told["weapons"].as_array().expect("a list");
    // Pistols that hardly reach are worth less than the smallest force: they have a reason and no
    // price.
    let (judged, rest): (Vec<&Json>, Vec<&Json>) =
        weapons.iter().partition(|weapon| weapon["verdict"].is_string());
    assert!(judged.len() >= 6, "{weapons:#?}");
    // A gun of one's own has no price yet: it is told its even price.
    let own = |weapon: &Json| weapon["price"].is_null() && weapon["even"].is_number();
    assert!(rest.iter().all(|one| one["not_priced"].is_string() || own(one)), "{rest:#?}");
    let word = |weapon: &Json| weapon["verdict"].as_str().expect("a word").to_owned();
    let wrong = |weapon: &&&Json| ["too dear", "too cheap"].contains(&&*word(weapon));
    assert!(judged.iter().filter(wrong).count() > 0, "{weapons:#?}");
    for weapon in judged.iter().filter(|weapon| !wrong(weapon)) {
        let number = |key: &str| weapon[key].as_f64().expect("a number");
        let (low, price, high) = (number("low"), number("price"), number("high"));
        // Open and outside is what is off by no more than the tolerance, and that is said.
        let why = weapon["why"].as_str().expect("it says why");
        let inside = low <= price && price <= high;
        assert!(inside || why.contains("is outside") || word(weapon) == "right", "{weapon:#}");
    }
}
