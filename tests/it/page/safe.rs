//! What a page does not let in.

use super::*;

const EVIL: [&str; 6] = [
    "</script><script>window.pwned = 1; alert(1)</script>",
    "<img src=x onerror='window.pwned = 2'>",
    "'\\\"><svg onload=window.pwned=3><!--",
    "]]>{{data}}</style><style>*{display:none}</style>",
    "javascript:window.pwned=4//${window.pwned=5}`",
    "a;b|c=1\\u003cb\\u003e;url(#x) 0:1~2",
];

/// A file whose every word tries to get out of its place.
fn hostile() -> String {
    let quoted = |text: &str| json!(text).to_string();
    let notes: Vec<_> = EVIL.iter().map(|text| quoted(text)).collect();
    format!(
        "name = 'hostile'\nquestion = {question}\nprediction = {prediction}\ntrials = 10_000\n\
         [[contest]]\nsystem = 'toy'\naction = 'shoot'\nname = {name}\nneeded = [2, 4]\nnote = [{notes}]\n\
         [[contest]]\nsystem = 'toy'\naction = 'shoot'\nname = {other}\nneeded = 3\nnote = {prediction}\n\
         [[chart]]\nkind = 'curves'\ntitle = {question}\nmeasure = 'p_hit'\n",
        question = quoted(EVIL[0]),
        prediction = quoted(EVIL[1]),
        name = quoted(EVIL[2]),
        other = quoted(EVIL[3]),
        notes = notes.join(", "),
    )
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn names_from_a_file_cannot_get_out() {
    let run = Run::of(&CATALOGUE, &hostile());
    let html = run.html();
    for opening in ["<script", "<style", "<img", "<meta"] {
        let own = match opening {
            "<script" => 2,
            "<meta" => 5,
            "<style" => 1,
            _ => 0,
        };
        assert_eq!(html.matches(opening).count(), own, "{opening}");
    }
    let browser = run.opened();
    let seen: Vec<Seen> =
        serde_json::from_value(browser.run(WALK, json!([]))).expect("what was seen");
    assert_shown(&seen, &run.answers, 60);
    assert_eq!(browser.run("return window.pwned === undefined", json!([])), true);
    assert_eq!(browser.text("header h1"), EVIL[0]);
    let options = browser.run(
        "return [...document.getElementById('contest').options].map((o) => o.textContent)",
        json!([]),
    );
    assert_eq!(
        options,
        json!([format!("{} (toy shoot)", EVIL[2]), format!("{} (toy shoot)", EVIL[3])])
    );
    // What the sliders chose last is the second contest; its TOML is read as it was asked.
    let toml = browser.run("return document.getElementById('toml').textContent", json!([]));
    let read =
        Experiment::read_experiment_text(&CATALOGUE, "copied.toml", toml.as_str().expect("a text"));
    let read = read.unwrap_or_else(|e| panic!("{toml}\n{e:?}"));
    let asked = run.experiment.cells.last().expect("there are cells");
    assert_eq!(read.cells[0].fingerprint_of_contest(), asked.fingerprint_of_contest());
    assert_eq!(read.cells[0].name, EVIL[3]);
    assert_quiet(&browser, &run.page());
}

/// The policy is not decoration: a script, a style or a picture put into the page does nothing.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_policy_lets_nothing_in() {
    let run = Run::of(&CATALOGUE, TOY);
    let html = run.html();
    let planted = "<script>window.pwned = 1</script><img src='planted.gif'>\
        <style>body { display: none }</style><iframe src='about:blank'></iframe>";
    let changed = html.replacen("<main>", &format!("<main>{planted}"), 1);
    let page = run.folder.path().join("planted.html");
    std::fs::write(&page, changed).expect("writable");
    std::fs::write(run.folder.path().join("planted.gif"), GIF).expect("writable");
    let browser = Browser::start();
    browser.open(&page);
    assert_eq!(browser.run("return window.pwned === undefined", json!([])), true);
    let display = "return getComputedStyle(document.body).display";
    assert_eq!(browser.run(display, json!([])), "block");
    let picture = "return document.querySelector('img').naturalWidth";
    assert_eq!(browser.run(picture, json!([])), 0);
    let refused = browser.log("browser");
    assert!(refused.len() >= 3, "{refused:#?}");
    // The picture is there: without the policy it would be shown.
    let free = html.replacen("http-equiv", "data-was", 1);
    let free = free.replacen("<main>", &format!("<main>{planted}"), 1);
    std::fs::write(&page, free).expect("writable");
    browser.open(&page);
    assert_eq!(browser.run(picture, json!([])), 1);
    assert_eq!(browser.run("return window.pwned", json!([])), 1);
}

/// A picture of one pixel.
const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\
    \0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
