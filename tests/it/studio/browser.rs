//! The studio in a real browser: what a newcomer does, and what nobody may do to him.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{FIRE, Served};
use crate::browser::Browser;
use crate::desk::Desk;

impl Served {
    /// A browser in which the studio is open.
    pub fn opened(&self) -> Browser {
        let browser = Browser::start();
        browser.visit(&format!("{}/#t={}", self.origin(), self.token));
        browser.wait("the tiles are there", "return document.querySelector('.tile')");
        browser
    }
}

/// Nothing was refused by the page's policy, and no script went wrong. What the server refuses on
/// purpose stands in the log as a failed request, and a browser that nobody has touched says that
/// it asks nobody whether the page may be left.
pub fn assert_quiet(browser: &Browser) {
    let complaints = browser.log("browser");
    let asks_nobody = |one: &Json| {
        one["source"] == "intervention"
            && one["message"].as_str().is_some_and(|text| text.contains("beforeunload"))
    };
    let wrong = complaints.iter().filter(|one| one["source"] != "network" && !asks_nobody(one));
    assert_eq!(wrong.count(), 0, "{complaints:#?}");
}

pub fn click(browser: &Browser, css: &str) {
    browser.run("document.querySelector(arguments[0]).click()", json!([css]));
}

pub fn open_file(browser: &Browser, name: &str) {
    show_file(browser, name);
    sentence(browser);
}

pub fn show_file(browser: &Browser, name: &str) {
    browser.wait(
        "the file is listed",
        &format!(
            "const file = [...document.querySelectorAll('#files button')]
                 .find((one) => one.textContent === '{name}');
             if (file) {{ file.click(); return true; }}"
        ),
    );
}

pub fn sentence(browser: &Browser) -> String {
    let said = browser
        .wait("an answer", "return document.querySelector('#headline .sentence')?.textContent");
    said.as_str().expect("a sentence").to_owned()
}

/// The value of the box of a field, in place of what stands there.
pub fn fill(browser: &Browser, path: &str, value: &str) {
    browser.wait(path, &format!("return document.querySelector(`[data-path='{path}'] input`)"));
    browser.run(
        "const box = document.querySelector(`[data-path='${arguments[0]}'] input`);
         box.value = arguments[1]; box.dispatchEvent(new Event('input', { bubbles: true }));",
        json!([path, value]),
    );
}

/// Saves what has no file yet: `offered` is the name that is proposed, `wanted` the one that is
/// given.
pub fn save_as(browser: &Browser, offered: &str, wanted: &str) {
    click(browser, "#save");
    browser.wait("it asks for a name", "return document.querySelector('#name-it').open");
    let name = "return document.querySelector('#new-name').value";
    assert_eq!(browser.run(name, json!([])), offered);
    browser.run(
        "document.querySelector('#new-name').value = arguments[0];
         document.querySelector('#name-form').requestSubmit()",
        json!([wanted]),
    );
}

/// Whether there is nothing to mend.
const MENDED: &str = "return document.querySelector('#mend').hidden";

/// The number of a measure in all its digits, which its cell has for who points at it.
fn measure(browser: &Browser, label: &str) -> String {
    let script = format!(
        "const row = [...document.querySelectorAll('#answer tr')]
             .find((one) => [...one.firstChild.children].some((name) => name.textContent === '{label}'));
         return row && row.children[1].firstChild.title.replace(/: why\\?$/, '');"
    );
    browser.wait(label, &script).as_str().expect("a number").to_owned()
}

pub fn until(browser: &Browser, label: &str, wanted: &str) {
    for _ in 0..500 {
        if measure(browser, label) == wanted {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{label} is {} and not {wanted}", measure(browser, label));
}

/// What the command line prints for 100 times a measure of a file.
pub fn of_the_program(file: &str, measure: &str) -> String {
    let desk = Desk::with(file);
    let output = desk.command(&["odds", "x.toml", "--exact-only", "--format", "json"]).output();
    let told = output.expect("it starts").stdout;
    let told: Json = serde_json::from_slice(&told).expect("it is JSON");
    let measures = told["contests"][0]["measures"].as_array().expect("a list");
    let found = measures.iter().find(|one| one["name"] == measure).expect("it is measured");
    format!("{:.2} %", 100.0 * found["exact"].as_f64().expect("a number"))
}

/// Start, pick a tile, type a number, read what the command line says.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_newcomer_reads_the_number_of_the_command_line() {
    let served = Served::with(&[]);
    let browser = served.opened();
    // The secret is gone from the address.
    assert_eq!(browser.run("return location.href", json!([])), format!("{}/", served.origin()));
    click(&browser, "[data-action='asl fire'] .tile");
    sentence(&browser);
    browser.type_into("[data-path='fp'] input", "8");
    fill(&browser, "fp", "16");
    let file = browser.wait(
        "the answer is of 16",
        "document.querySelector('#as-text').click();
         const text = document.querySelector('#text').value; return text.includes('fp = 16') && text",
    );
    let file = file.as_str().expect("a file");
    until(&browser, "killed", &of_the_program(file, "p_kill"));
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn every_action_opens_in_the_page() {
    let served = Served::with(&[]);
    let browser = served.opened();
    let actions = browser.run(
        "return [...document.querySelectorAll('[data-action]')].map((one) => one.dataset.action)",
        json!([]),
    );
    let actions = actions.as_array().expect("a list").clone();
    assert!(actions.len() >= 34, "{actions:?}");
    for action in actions {
        let action = action.as_str().expect("a name");
        browser.run("document.querySelector('#headline').replaceChildren()", json!([]));
        click(&browser, &format!("[data-action='{action}'] .tile"));
        assert!(!sentence(&browser).is_empty(), "{action}");
        let fields =
            browser.run("return document.querySelectorAll('#form .field').length", json!([]));
        assert!(fields.as_u64() > Some(0), "{action}");
        assert_eq!(browser.run(MENDED, json!([])), true, "{action}");
        click(&browser, "#start");
    }
    assert_quiet(&browser);
}

/// Two hundred keys in a row: what is shown in the end is the answer to the last.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_last_key_is_answered() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    browser.run(
        "const box = document.querySelector(`[data-path='fp'] input`);
         return new Promise((done) => {
             let key = 0;
             const press = () => {
                 box.value = String(key % 36 + 1);
                 if (key === 200) box.value = '24';
                 box.dispatchEvent(new Event('input', { bubbles: true }));
                 if (key++ < 200) setTimeout(press, key % 7 ? 3 : 45); else done(true);
             };
             press();
         });",
        json!([]),
    );
    let expected = of_the_program(&FIRE.replace("fp = 8", "fp = 24"), "p_kill");
    until(&browser, "killed", &expected);
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_square_of_the_map_is_loaded_into_the_form_and_taken_back() {
    let grid = FIRE.replace("fp = 8", "fp = [4, 8, 16]").replace("drm = -1", "drm = [-1, 0, 1]");
    let served = Served::with(&[("grid.toml", &grid)]);
    let browser = served.opened();
    open_file(&browser, "grid.toml");
    browser.wait("the map", "return document.querySelectorAll('.square').length === 9");
    // 8 and 0: the second row, the second column.
    click(&browser, ".heat tbody tr:nth-child(2) td:nth-child(3) .square");
    browser
        .wait("the form", "return document.querySelector(`[data-path='fp'] input`).value === '8'");
    let drm =
        browser.run("return document.querySelector(`[data-path='drm'] input`).value", json!([]));
    assert_eq!(drm, "0");
    let file = FIRE.replace("drm = -1", "drm = 0");
    until(&browser, "killed", &of_the_program(&file, "p_kill"));
    // The map stays, with the square marked, and leads to others.
    browser.wait(
        "the square is marked",
        "return document.querySelector('.heat tbody tr:nth-child(2) td:nth-child(3) .square').ariaPressed === 'true'
             && document.querySelectorAll('.square[aria-pressed=true]').length === 1
             && document.querySelectorAll('.square').length === 9",
    );
    click(&browser, ".heat tbody tr:nth-child(3) td:nth-child(2) .square");
    until(&browser, "killed", &of_the_program(&FIRE.replace("fp = 8", "fp = 16"), "p_kill"));
    click(&browser, "#undo");
    until(&browser, "killed", &of_the_program(&file, "p_kill"));
    click(&browser, "#undo");
    browser.wait(
        "the grid again",
        "return document.querySelector(`[data-path='fp'] input`).value === '4, 8, 16'
             && document.querySelectorAll('.square').length === 9
             && !document.querySelector('.square[aria-pressed=true]')",
    );
    assert_quiet(&browser);
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn what_was_pinned_is_compared_and_undone() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    let before = of_the_program(FIRE, "p_kill");
    until(&browser, "killed", &before);
    click(&browser, "#pin");
    browser.wait(
        "it is pinned",
        "return document.querySelector('#pinned').textContent.includes('same')",
    );
    fill(&browser, "fp", "16");
    let after = of_the_program(&FIRE.replace("fp = 8", "fp = 16"), "p_kill");
    until(&browser, "killed", &after);
    let percent = |text: &str| text.trim_end_matches(" %").parse::<f64>().expect("a number");
    let gap = percent(&after) - percent(&before);
    let said = browser.text("#pinned");
    let shown = said.split_once("killed ▲ +").expect("it is more").1;
    let shown: f64 = shown.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    // The difference of all digits, rounded once.
    assert_eq!(shown, gap.round(), "{said}: {gap}");
    click(&browser, "#undo");
    until(&browser, "killed", &before);
    assert_quiet(&browser);
}

/// Faults of all fields at once, each at its field, and the first can be gone to.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn faults_stand_at_their_fields() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    fill(&browser, "fp", "99999");
    fill(&browser, "drm", "99999");
    browser.wait(
        "two faults",
        "return document.querySelectorAll('.fault:not([hidden])').length === 2",
    );
    let faults = browser.texts(".fault:not([hidden])");
    assert!(faults.iter().all(|fault| fault.contains("99999")), "{faults:?}");
    click(&browser, "#to-fault");
    let focused =
        browser.run("return document.activeElement.closest('[data-path]').dataset.path", json!([]));
    assert_eq!(focused, "fp");
    fill(&browser, "fp", "8");
    fill(&browser, "drm", "-1");
    sentence(&browser);
    assert_eq!(browser.run(MENDED, json!([])), true);
    assert_quiet(&browser);
}

/// Files keep their comments, and one that another program changed is not written over.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn files_are_saved_and_never_written_over_unasked() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    fill(&browser, "fp", "16");
    browser.wait(
        "it is changed",
        "return document.querySelector('#file-title').textContent === 'fire.toml *'",
    );
    click(&browser, "#save");
    browser.wait(
        "it is saved",
        "return document.querySelector('#file-title').textContent === 'fire.toml'",
    );
    let kept = || std::fs::read_to_string(served.path("fire.toml")).expect("readable");
    assert_eq!(kept(), FIRE.replace("fp = 8 #", "fp = 16 #"));
    std::fs::write(served.path("fire.toml"), "# theirs\n").expect("written");
    fill(&browser, "fp", "24");
    browser.wait(
        "it is changed",
        "return document.querySelector('#file-title').textContent === 'fire.toml *'",
    );
    click(&browser, "#save");
    browser.wait("it asks", "return document.querySelector('#conflict').open");
    assert!(browser.text("#theirs").contains("+ # theirs"));
    assert_eq!(kept(), "# theirs\n");
    click(&browser, "#keep-mine");
    browser.wait(
        "it is saved",
        "return document.querySelector('#file-title').textContent === 'fire.toml'",
    );
    assert_eq!(kept(), FIRE.replace("fp = 8 #", "fp = 24 #"));
    assert_quiet(&browser);
}

/// Every number has a why: dice that gave it, and each can be turned.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn why_opens_dice_that_can_be_turned() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    open_file(&browser, "fire.toml");
    let wanted = browser.wait(
        "the law",
        "return document.querySelector('#answer details:nth-of-type(2) .why').closest('tr').firstChild.textContent",
    );
    click(&browser, "#answer details:nth-of-type(2) .why");
    let outcome = "return document.querySelector('#outcome').textContent";
    browser.wait("it is told", &format!("{}.startsWith('Outcome')", outcome));
    assert_eq!(
        browser.run(outcome, json!([])),
        format!("Outcome: {}.", wanted.as_str().expect("a text"))
    );
    let face = browser.run("return document.querySelector('.die').textContent", json!([]));
    click(&browser, ".die");
    let turned = format!(
        "return document.querySelector('.die').textContent !== '{}'",
        face.as_str().expect("a face")
    );
    browser.wait("the die is turned", &turned);
    assert_quiet(&browser);
}

const COIN: &str = "game \"Coin\"\naction toss:\n    face = d2\n    show face\n";

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_rulebook_is_written_with_its_faults_and_odds_beside_it() {
    let served = Served::with(&[("coin.rules", COIN)]);
    let browser = served.opened();
    open_file(&browser, "coin.rules");
    let write = "const box = document.querySelector('#rulebook'); box.value = arguments[0];
        box.dispatchEvent(new Event('input', { bubbles: true }));";
    browser.run(write, json!([COIN.replace("show face", "show fase")]));
    let fault = browser
        .wait("a fault", "return document.querySelector('#rule-faults button')?.textContent");
    let fault = fault.as_str().expect("a text");
    assert!(fault.contains("line 4") && fault.contains("show fase"), "{fault}");
    browser.run(write, json!([COIN.replace("d2", "d5")]));
    browser.wait(
        "the odds of a d5",
        "return document.querySelector('#answer').textContent.includes('20 %')",
    );
    assert_quiet(&browser);
}

/// Names that would be markup stay text, in forms, in answers and in lists.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn hostile_names_stay_text() {
    let evil = "<img src=x onerror=window.hit=1>";
    let file = format!(
        "{FIRE}\n[[contest]]\nname = \"{evil}\"\nsystem = \"asl\"\naction = \"fire\"\nfp = 8\ntarget = {{ unit = \"{evil}\" }}\n"
    );
    let rules = COIN.replace("Coin", evil).replace("show face", &format!("show face \"{evil}\""));
    let served =
        Served::with(&[("fire.toml", &file), ("coin.rules", &rules), ("a'b&amp;.toml", FIRE)]);
    let browser = served.opened();
    browser
        .wait("the files", "return document.querySelectorAll('#files [data-file]').length === 3");
    show_file(&browser, "coin.rules");
    browser.wait("the rulebook", "return document.querySelector('#rulebook')");
    show_file(&browser, "fire.toml");
    browser
        .wait("both contests", "return document.querySelectorAll('#contest option').length === 2");
    browser.run(
        "const choose = document.querySelector('#contest'); choose.value = '1';
         choose.dispatchEvent(new Event('input'));",
        json!([]),
    );
    browser
        .wait("the fault", "return document.querySelector('#mend').textContent.includes('<img')");
    let hit = browser
        .run("return [window.hit || null, document.querySelectorAll('img').length]", json!([]));
    assert_eq!(hit, json!([null, 0]));
    assert_quiet(&browser);
}

/// A page of another origin, opened beside the studio, even if it had found out the secret.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_page_of_another_origin_reads_and_writes_nothing() {
    let served = Served::with(&[("fire.toml", FIRE)]);
    let browser = served.opened();
    let evil = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/", evil.local_addr().expect("it has one"));
    std::thread::spawn(move || {
        for mut socket in evil.incoming().flatten() {
            let _ = socket.read(&mut [0; 4096]);
            let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\
                Connection: close\r\n\r\n<p>evil</p";
            let _ = socket.write_all(page.as_bytes());
        }
    });
    browser.visit(&address);
    let attack = "
        const [origin, token] = arguments;
        const tries = [
            ['/api/files', {}], ['/api/files', { headers: { Authorization: `Bearer ${token}` } }],
            ['/assets/studio.js', {}], ['/api/forms', { mode: 'no-cors' }],
            ['/api/files/fire.toml', { method: 'PUT', mode: 'no-cors', body: '{\"text\":\"stolen\"}' }],
            ['/api/files/fire.toml', { method: 'PUT', body: '{\"text\":\"stolen\"}',
                headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'If-None-Match': '*' } }],
            ['/api/jobs', { method: 'POST', mode: 'no-cors', body: '{\"text\":\"\"}' }],
        ];
        const read = tries.map(([path, options]) => fetch(origin + path, options)
            .then((reply) => reply.text()).then((text) => text, () => ''));
        return Promise.all(read).then((texts) => texts.join(''));";
    let read = browser.run(attack, json!([served.origin(), served.token]));
    assert_eq!(read, "");
    // Neither framed nor posted to by a form, nor taken as a script.
    let framed = browser.run(
        "return new Promise((done) => {
             const frame = document.createElement('iframe');
             frame.src = arguments[0] + '/';
             frame.onload = () => { try { done(frame.contentDocument ? 'read' : 'shut'); } catch { done('shut'); } };
             document.body.append(frame);
             setTimeout(() => done('shut'), 3000);
         })",
        json!([served.origin()]),
    );
    assert_eq!(framed, "shut");
    assert_eq!(std::fs::read_to_string(served.path("fire.toml")).expect("readable"), FIRE);
}
