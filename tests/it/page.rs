//! `report.html` in a real browser: what it shows, what it does, and what it does not let in.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use enfilade::report::tables::{self, Entry};
use enfilade::report::{self, InputFile, RunFacts, page};
use enfilade::simulate::Isa;
use enfilade::stats::decimals::{exact_percent, simulated_percent};
use enfilade::stats::intervals::Interval;
use enfilade::study::answer::{Answer, OutcomeAnswer};
use enfilade::study::experiment::{Experiment, Stop};
use enfilade::study::journal::Journal;
use enfilade::study::solve::{Settings, Unwatched, solve};
use enfilade::systems::{self, System};
use serde_json::json;
use tempfile::TempDir;

use crate::browser::{Browser, key};
use crate::toy::CATALOGUE;

/// A run in a folder of its own.
struct Run {
    experiment: Experiment,
    answers: Vec<Answer>,
    folder: TempDir,
}

impl Run {
    fn of(catalogue: &[&'static System], file: &str) -> Run {
        Run::with(catalogue, file, |_| {})
    }

    fn with(catalogue: &[&'static System], file: &str, change: fn(&mut Settings)) -> Run {
        let experiment = Experiment::read_with(catalogue, "page.toml", file);
        let experiment = experiment.unwrap_or_else(|e| panic!("{e:?}"));
        let mut settings = Settings {
            seed: experiment.seed,
            stop: experiment.stop,
            isa: Isa::best(),
            exact_only: false,
            fractions: false,
            played: false,
        };
        change(&mut settings);
        let solved = solve(&experiment.cells, &settings, &Unwatched, &Journal::none());
        let answers = solved.expect("it is small enough").answers;
        let folder = TempDir::new().expect("a temporary folder");
        let run = Run {
            experiment,
            answers,
            folder,
        };
        run.write();
        run
    }

    /// Writes the folder again, after the answers were changed.
    fn write(&self) {
        let facts = RunFacts {
            command: ["enfilade", "run", "page.toml"].map(str::to_owned).to_vec(),
            input: Some(InputFile::new("page.toml", "")),
            started: SystemTime::UNIX_EPOCH,
            finished: SystemTime::UNIX_EPOCH,
        };
        let folder = self.folder.path();
        report::write_run(folder, &self.experiment, &self.answers, &facts)
            .expect("the folder is writable");
    }

    fn page(&self) -> PathBuf {
        self.folder.path().join("report.html")
    }

    fn html(&self) -> String {
        std::fs::read_to_string(self.page()).expect("the page is there")
    }

    /// A browser in which the page is open, if there is a browser.
    fn opened(&self) -> Option<Browser> {
        let browser = Browser::start()?;
        browser.open(&self.page());
        Some(browser)
    }
}

const TOY: &str = "name = 'toy-odds'\nquestion = 'How often does a die hit?'\n\
    prediction = 'Half of the time on 4 or more.'\nseed = 5\ntrials = 100_000\n\
    [[contest]]\nsystem = 'toy'\naction = 'shoot'\n\
    needed = [2, 4, 6]\ndie = ['d6', 'd8', 'd20']\n";

const FIRE: &str = "name = 'fire'\nseed = 3\ntrials = 100_000\n\
    [[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [1, 8, 36]\ndrm = [-3, 0, 4]\n\
    [[contest.target]]\nkind = 'squad'\nmorale = [6, 8]\n\
    [[contest]]\nsystem = 'd20'\naction = 'shoot'\nweapon = ['SMG', 'HMG']\nspotted = true\nfirearms = 11\n";

/// A page asks for itself and nothing else, and has nothing to complain about.
fn assert_quiet(browser: &Browser, page: &Path) {
    let complaints = browser.log("browser");
    assert!(complaints.is_empty(), "{complaints:#?}");
    let own = format!("file://{}", page.display());
    let requests = browser.requests();
    assert!(
        requests
            .iter()
            .all(|url| url.split('#').next() == Some(&own)),
        "{requests:?}"
    );
    assert!(!requests.is_empty(), "the log of requests is not kept");
    let loaded = browser.run(
        "return performance.getEntriesByType('resource').map((e) => e.name)",
        json!([]),
    );
    assert_eq!(loaded, json!([]));
}

/// By hand: a d6 shows 2 or more in 5 of 6 cases, 4 or more in 3 of 6; a d8 shows 4 or more in 5
/// of 8, a d20 in 17 of 20.
#[test]
fn a_slider_moves_the_numbers() {
    let run = Run::of(CATALOGUE, TOY);
    let Some(browser) = run.opened() else { return };
    let shown = || {
        let measure = browser.texts("#measures td").swap_remove(0);
        let law = browser.texts("#law td:nth-child(2)");
        (browser.text("#place"), measure, law.join(" "))
    };
    let said =
        |place: &str, hit: &str, law: &str| (place.to_owned(), hit.to_owned(), law.to_owned());
    assert_eq!(shown(), said("needed 2, die d6", "83.33", "16.67 83.33"));
    browser.type_into("#axis-0", key::RIGHT);
    assert_eq!(shown(), said("needed 4, die d6", "50.00", "50.00 50.00"));
    browser.type_into("#axis-1", key::RIGHT);
    assert_eq!(shown(), said("needed 4, die d8", "62.50", "37.50 62.50"));
    browser.type_into("#axis-1", key::END);
    assert_eq!(shown(), said("needed 4, die d20", "85.00", "15.00 85.00"));
    let valuetext = "return document.getElementById('axis-1').getAttribute('aria-valuetext')";
    assert_eq!(browser.run(valuetext, json!([])), "d20");
    // The list of words and the slider are one.
    let chosen = "return document.querySelector('#axes select').value";
    assert_eq!(browser.run(chosen, json!([])), "2");
    browser.type_into("#axis-1", key::LEFT);
    assert_eq!(browser.run(chosen, json!([])), "1");
    assert_eq!(browser.text("#axes output"), "4");
    // A link to the cell, once the sliders rest.
    let rested = "return new Promise((done) => setTimeout(done, 1000)).then(() => location.hash)";
    assert_eq!(browser.run(rested, json!([])), "#cell-4");
    assert_quiet(&browser, &run.page());
}

/// Walks through every cell with the sliders and returns what the page shows: place, measures
/// and law, number by number.
const WALK: &str = r"
    const text = (css) => [...document.querySelectorAll(css)].map((e) => e.innerText);
    const rows = (id) => [...document.querySelectorAll(`#${id} tr`)].map(
        (row) => [...row.children].slice(0, 3).map((e) => e.firstChild ? e.firstChild.textContent : ''));
    const seen = [];
    const contest = document.getElementById('contest');
    for (const option of contest.options) {
        contest.value = option.value;
        contest.dispatchEvent(new Event('input'));
        const ranges = [...document.querySelectorAll('#axes input[type=range]')];
        const walk = (k) => {
            if (k === ranges.length) {
                seen.push([text('#place')[0], rows('measures'), rows('law')]);
                return;
            }
            for (let step = 0; step <= Number(ranges[k].max); step++) {
                ranges[k].value = step;
                ranges[k].dispatchEvent(new Event('input'));
                walk(k + 1);
            }
        };
        walk(0);
    }
    return seen;";

type Seen = (String, Vec<[String; 3]>, Vec<[String; 3]>);

fn both(odds: Entry) -> [String; 2] {
    let Entry::Odds { exact, simulated } = odds else {
        panic!("odds are odds");
    };
    [exact, simulated].map(|text| text.unwrap_or("–".to_owned()))
}

fn law_line(answer: &Answer, outcome: &OutcomeAnswer) -> [String; 2] {
    let estimate = outcome.simulated.map(|e| {
        let interval = Interval {
            low: e.low,
            high: e.high,
        };
        simulated_percent(e.value, interval, answer.trials)
    });
    both(Entry::Odds {
        exact: outcome.exact.map(exact_percent),
        simulated: estimate,
    })
}

/// Everything the page shows of `answers`, from what other reports print, with `most` outcomes of
/// each law.
fn assert_shown(seen: &[Seen], answers: &[Answer], most: usize) {
    assert_eq!(seen.len(), answers.len());
    for ((place, measures, law), answer) in seen.iter().zip(answers) {
        let axes = answer
            .axes
            .iter()
            .map(|(path, value)| format!("{path} {value}"));
        let expected = axes.collect::<Vec<_>>().join(", ");
        assert!(expected.is_empty() || *place == expected, "{place}");
        for [name, exact, simulated] in measures {
            let name = name.split(' ').next().expect("a name");
            let measure = answer.measure(name).unwrap_or_else(|| panic!("{name}"));
            let expected = both(tables::odds(measure, answer.trials));
            assert_eq!(
                [exact.clone(), simulated.clone()],
                expected,
                "{place}: {name}"
            );
        }
        assert_eq!(law.len(), answer.outcomes.len().min(most), "{place}");
        let printed: Vec<_> = answer
            .outcomes
            .iter()
            .map(|o| law_line(answer, o))
            .collect();
        for [name, exact, simulated] in law {
            let found = [exact.clone(), simulated.clone()];
            assert!(printed.contains(&found), "{place}: {name} {found:?}");
        }
        // Short laws stand in the order of the outcomes.
        if law.len() == printed.len() && law.len() <= 12 {
            let shown = law
                .iter()
                .map(|[_, exact, simulated]| [exact.clone(), simulated.clone()]);
            assert_eq!(shown.collect::<Vec<_>>(), printed, "{place}");
        }
    }
}

#[test]
fn every_number_is_the_text_that_other_reports_print() {
    let run = Run::of(systems::all(), FIRE);
    let played = Run::with(CATALOGUE, TOY, |settings| {
        (settings.played, settings.stop) = (true, Stop::Trials(50));
    });
    let exact = Run::with(CATALOGUE, TOY, |settings| {
        (settings.exact_only, settings.fractions) = (true, true);
    });
    let Some(browser) = Browser::start() else {
        return;
    };
    for run in [&run, &played, &exact] {
        browser.open(&run.page());
        let seen: Vec<Seen> =
            serde_json::from_value(browser.run(WALK, json!([]))).expect("what was seen");
        assert_shown(&seen, &run.answers, 60);
        assert_quiet(&browser, &run.page());
    }
    // By hand: a d20 shows 6 or more in 15 of 20 cases.
    assert_eq!(browser.text("#measures td small"), "3/4");
}

/// Numbers of the cells in the table, from the top.
fn listed(browser: &Browser) -> Vec<usize> {
    let numbers = browser.texts("#rows th");
    numbers
        .iter()
        .map(|n| n.parse().expect("a number"))
        .collect()
}

/// By hand: of needed × die, the shares of hits are 5/6 7/8 19/20, 3/6 5/8 17/20, 1/6 3/8 15/20.
#[test]
fn the_table_is_sorted_and_filtered_by_keyboard() {
    let run = Run::of(CATALOGUE, TOY);
    let Some(browser) = run.opened() else { return };
    assert_eq!(listed(&browser), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let heads = browser.texts("#heads th");
    assert_eq!(heads, ["cell", "needed", "die", "p_hit %"]);
    let sorted = |expected: &str| {
        let script = "return document.querySelector('#heads th:nth-child(4)').ariaSort";
        assert_eq!(
            browser.run(script, json!([])).as_str().unwrap_or("none"),
            expected
        );
    };
    sorted("none");
    let head = "#heads th:nth-child(4) button";
    browser.type_into(head, key::ENTER);
    sorted("ascending");
    assert_eq!(listed(&browser), [6, 7, 3, 4, 8, 0, 5, 1, 2]);
    browser.type_into(head, key::ENTER);
    sorted("descending");
    assert_eq!(listed(&browser), [2, 1, 5, 0, 8, 4, 3, 7, 6]);
    browser.type_into("#filter", "needed >= 4 p_hit>40");
    assert_eq!(listed(&browser), [5, 8, 4, 3]);
    assert_eq!(browser.text("#count"), "4 of 9 cells.");
    browser.type_into(head, key::ENTER);
    sorted("none");
    assert_eq!(listed(&browser), [3, 4, 5, 8]);
    browser.type_into("#filter", " d20");
    assert_eq!(listed(&browser), [5, 8]);
    browser.type_into("#filter", " power>3");
    let complaint = "2 of 9 cells. There is no column or number “power”.";
    assert_eq!(browser.text("#count"), complaint);
    // Words sort as words, with their numbers as numbers.
    browser.run("document.getElementById('filter').value = ''", json!([]));
    browser.type_into("#heads th:nth-child(3) button", key::ENTER);
    assert_eq!(listed(&browser), [0, 3, 6, 1, 4, 7, 2, 5, 8]);
    assert_quiet(&browser, &run.page());
}

#[test]
fn what_is_copied_is_the_same_contest() {
    let run = Run::of(systems::all(), FIRE);
    let Some(browser) = run.opened() else { return };
    let allow = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
    browser.tool("Browser.grantPermissions", allow);
    let cells = [(0, 7), (0, 17), (1, 19)];
    for (contest, cell) in cells {
        let choose = "const list = document.getElementById('contest'); \
            list.value = arguments[0]; list.dispatchEvent(new Event('input'));";
        browser.run(choose, json!([contest.to_string()]));
        let row = cell
            - run
                .answers
                .iter()
                .position(|a| a.contest == contest)
                .expect("it is there");
        let button = format!("#rows tr:nth-child({}) button", row + 1);
        browser.type_into(&button, key::ENTER);
        browser.type_into("#copy", key::ENTER);
        let copied = "return new Promise((done) => setTimeout(done, 200)).then(\
            () => navigator.clipboard.readText())";
        let copied = browser.run(copied, json!([]));
        let copied = copied.as_str().expect("a text");
        assert_eq!(browser.text("#copied"), "Copied.");
        let read = Experiment::read("copied.toml", copied).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(read.cells.len(), 1);
        let asked = &run.experiment.cells[cell];
        assert_eq!(read.cells[0].fingerprint(), asked.fingerprint(), "{copied}");
        assert_eq!(read.cells[0].form, asked.form);
        let shown = browser.run(
            "return document.getElementById('toml').textContent",
            json!([]),
        );
        assert_eq!(shown, copied);
    }
}

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
fn names_from_a_file_cannot_get_out() {
    let run = Run::of(CATALOGUE, &hostile());
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
    let Some(browser) = run.opened() else { return };
    let seen: Vec<Seen> =
        serde_json::from_value(browser.run(WALK, json!([]))).expect("what was seen");
    assert_shown(&seen, &run.answers, 60);
    assert_eq!(
        browser.run("return window.pwned === undefined", json!([])),
        true
    );
    assert_eq!(
        browser
            .text("header .lead")
            .trim_start_matches("Question")
            .trim(),
        EVIL[0]
    );
    let options = browser.run(
        "return [...document.getElementById('contest').options].map((o) => o.textContent)",
        json!([]),
    );
    assert_eq!(
        options,
        json!([
            format!("{} (toy shoot)", EVIL[2]),
            format!("{} (toy shoot)", EVIL[3])
        ])
    );
    // What the sliders chose last is the second contest; its TOML is read as it was asked.
    let toml = browser.run(
        "return document.getElementById('toml').textContent",
        json!([]),
    );
    let read = Experiment::read_with(CATALOGUE, "copied.toml", toml.as_str().expect("a text"));
    let read = read.unwrap_or_else(|e| panic!("{toml}\n{e:?}"));
    let asked = run.experiment.cells.last().expect("there are cells");
    assert_eq!(read.cells[0].fingerprint(), asked.fingerprint());
    assert_eq!(read.cells[0].name, EVIL[3]);
    assert_quiet(&browser, &run.page());
}

/// The policy is not decoration: a script, a style or a picture put into the page does nothing.
#[test]
fn the_policy_lets_nothing_in() {
    let run = Run::of(CATALOGUE, TOY);
    let html = run.html();
    let planted = "<script>window.pwned = 1</script><img src='planted.gif'>\
        <style>body { display: none }</style><iframe src='about:blank'></iframe>";
    let changed = html.replacen("<main>", &format!("<main>{planted}"), 1);
    let page = run.folder.path().join("planted.html");
    std::fs::write(&page, changed).expect("writable");
    std::fs::write(run.folder.path().join("planted.gif"), GIF).expect("writable");
    let Some(browser) = Browser::start() else {
        return;
    };
    browser.open(&page);
    assert_eq!(
        browser.run("return window.pwned === undefined", json!([])),
        true
    );
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

#[test]
fn it_can_be_read_without_script() {
    let run = Run::of(systems::all(), FIRE);
    let Some(browser) = Browser::start() else {
        return;
    };
    browser.tool(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": true}),
    );
    browser.open(&run.page());
    // Scripts of the driver run nevertheless.
    let visible = |css: &str| {
        let script = "return [...document.querySelectorAll(arguments[0])].filter(\
            (e) => e.getClientRects().length > 0).length";
        browser.run(script, json!([css])).as_u64().expect("a count")
    };
    assert_eq!(visible("#explore, #cells"), 0);
    assert_eq!(visible("noscript p"), 1);
    assert!(visible(".static tbody tr") >= 20);
    if cfg!(feature = "charts") {
        assert!(visible("figure svg") >= 2);
    }
    assert!(
        browser
            .text("header")
            .contains("Exact and simulated agree.")
    );
    assert_quiet(&browser, &run.page());
}

/// The smallest contrast of any text with what is behind it, by the formula of WCAG 2, and where.
const CONTRAST: &str = r"
    const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = (colour) => {
        const [r, g, b] = channels(colour).map((c) => c / 255)
            .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        for (let e = element; e; e = e.parentElement) {
            const colour = getComputedStyle(e).backgroundColor;
            const parts = channels(colour);
            if (parts.length === 3 || parts[3] > 0) return colour;
        }
        return 'rgb(255, 255, 255)';
    };
    let worst = [99, ''];
    for (const e of document.querySelectorAll('body *')) {
        if (e.closest('svg') || !e.getClientRects().length) continue;
        if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
        const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < worst[0]) worst = [ratio, e.outerHTML.slice(0, 200)];
    }
    return worst;";

fn dress(browser: &Browser, media: &str, scheme: &str) {
    let feature = json!([{"name": "prefers-color-scheme", "value": scheme}]);
    let parameters = json!({"media": media, "features": feature});
    browser.tool("Emulation.setEmulatedMedia", parameters);
}

#[test]
fn light_and_dark_have_contrast_and_are_not_blank() {
    let run = Run::of(systems::all(), FIRE);
    let Some(browser) = Browser::start() else {
        return;
    };
    for (scheme, dark) in [("light", false), ("dark", true)] {
        browser.open(&run.page());
        dress(&browser, "screen", scheme);
        let worst = browser.run(CONTRAST, json!([]));
        assert!(
            worst[0].as_f64().is_some_and(|ratio| ratio >= 4.5),
            "{scheme}: {worst}"
        );
        let colours = browser.colours();
        let paper = u32::from(colours.commonest[0]);
        assert_eq!(paper < 100, dark, "{colours:?}");
        assert!(
            colours.different > 50 && colours.share < 0.98,
            "{colours:?}"
        );
    }
}

#[test]
fn it_fits_a_phone_and_a_sheet_of_paper() {
    let run = Run::of(systems::all(), FIRE);
    let Some(browser) = Browser::start() else {
        return;
    };
    let phone = json!({"width": 400, "height": 800, "deviceScaleFactor": 2, "mobile": true});
    browser.tool("Emulation.setDeviceMetricsOverride", phone);
    browser.open(&run.page());
    let wide = "return document.documentElement.scrollWidth";
    let wide = browser.run(wide, json!([])).as_u64();
    assert!(wide.is_some_and(|wide| wide <= 400), "{wide:?}");
    browser.tool("Emulation.clearDeviceMetricsOverride", json!({}));
    dress(&browser, "print", "light");
    let shown = "return [...document.querySelectorAll(arguments[0])].filter(\
        (e) => e.getClientRects().length > 0).length";
    let shown = |css: &str| browser.run(shown, json!([css])).as_u64().unwrap_or(0);
    assert_eq!(
        shown("input, button#copy, button#more, select, details.toml"),
        0
    );
    assert_eq!(shown("#rows tr"), 18);
    assert!(shown("#law tr") > 2);
    let worst = browser.run(CONTRAST, json!([]));
    assert!(
        worst[0].as_f64().is_some_and(|ratio| ratio >= 4.5),
        "{worst}"
    );
    // "%PDF-" in base64, whatever follows.
    assert!(browser.print().starts_with("JVBERi"));
}

#[test]
fn the_keyboard_reaches_everything_and_sees_where_it_is() {
    let run = Run::of(CATALOGUE, TOY);
    let Some(browser) = run.opened() else { return };
    let mut reached = Vec::new();
    loop {
        browser.press(key::TAB);
        let focus = browser.run(
            "const e = document.activeElement, s = getComputedStyle(e); \
             return [e.id || e.tagName + ':' + e.innerText.slice(0, 40), s.outlineStyle, parseFloat(s.outlineWidth)]",
            json!([]),
        );
        let name = focus[0].as_str().expect("a name").to_owned();
        if name.starts_with("BODY") || reached.contains(&name) {
            break;
        }
        assert_ne!(focus[1], "none", "{name}");
        assert!(
            focus[2].as_f64().is_some_and(|width| width >= 2.0),
            "{focus}"
        );
        reached.push(name);
    }
    for wanted in [
        "axis-0",
        "axis-1",
        "copy",
        "filter",
        "both",
        "BUTTON:p_hit %",
        "BUTTON:8",
    ] {
        assert!(
            reached.iter().any(|name| name == wanted),
            "{wanted}: {reached:?}"
        );
    }
    let unnamed = browser.run(
        "return [...document.querySelectorAll('input, select, button')].filter(\
         (e) => !(e.labels && e.labels.length) && !e.getAttribute('aria-label') && !e.innerText \
         && e.getClientRects().length > 0).map((e) => e.outerHTML)",
        json!([]),
    );
    assert_eq!(unnamed, json!([]));
    assert_eq!(
        browser.run("return document.documentElement.lang", json!([])),
        "en"
    );
}

#[test]
fn an_interrupted_run_is_a_page_too() {
    let mut run = Run::of(CATALOGUE, TOY);
    // Of the nine cells, the first row lacks its d20 and the last row is not there at all.
    run.answers
        .retain(|answer| ![2, 6, 7, 8].contains(&answer.cell));
    run.write();
    let Some(browser) = run.opened() else { return };
    assert!(
        browser
            .text("header")
            .contains("Interrupted: 5 of 9 cells are here.")
    );
    assert_eq!(listed(&browser), [0, 1, 3, 4, 5]);
    browser.type_into("#axis-1", key::END);
    let gone = "return document.getElementById('cell').hidden";
    assert_eq!(browser.run(gone, json!([])), true);
    browser.type_into("#axis-0", key::RIGHT);
    assert_eq!(browser.run(gone, json!([])), false);
    assert_eq!(browser.text("#place"), "needed 4, die d20");
    // Stopped at once: nothing to look at, and nothing that fails.
    run.answers.clear();
    run.write();
    browser.open(&run.page());
    assert!(
        browser
            .text("header")
            .contains("Interrupted: 0 of 9 cells are here.")
    );
    assert_eq!(
        browser.run(
            "return document.getElementById('explore').hidden",
            json!([])
        ),
        true
    );
    assert_quiet(&browser, &run.page());
}

#[test]
fn what_is_not_settled_and_what_disagrees_is_said() {
    let mut run = Run::of(CATALOGUE, TOY);
    let answer = &mut run.answers[1];
    (answer.unsettled, answer.unsettled_trials) = (Some(0.25), 1234);
    answer.agrees = Some(false);
    answer.notes.push("<b>unverified</b>".into());
    run.write();
    let Some(browser) = run.opened() else { return };
    assert_eq!(browser.texts("#remarks li"), [""; 0]);
    browser.type_into("#axis-1", key::RIGHT);
    let expected = [
        "Not settled after the last round: 25.00 % (exact) and 1 234 of 100 000 trials.",
        "Exact and simulated DISAGREE in this cell.",
        "Note: <b>unverified</b>",
    ];
    assert_eq!(browser.texts("#remarks li"), expected);
    assert!(
        browser
            .text("header .alarm")
            .contains("DISAGREE in 1 of 9 cells")
    );
    assert_quiet(&browser, &run.page());
}

/// 11 · 8 · 2 · 6 = 1056 cells of the fire table.
#[test]
fn a_page_of_a_thousand_cells_is_small() {
    let run = Run::of(
        systems::all(),
        "name = 'thousand'\ntrials = 100_000\n\
         [[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]\n\
         drm = { from = -3, to = 4 }\n\
         [[contest.target]]\nkind = 'squad'\nmorale = { from = 5, to = 10 }\ncount = [1, 2]\n",
    );
    assert_eq!(run.answers.len(), 1056);
    let html = run.html();
    assert!(html.len() <= page::allowance(1056), "{}", html.len());
    assert!(page::allowance(1000) <= 300_000);
    if cfg!(feature = "charts") {
        assert!(html.matches("<figure>").count() >= 2);
        assert!(html.contains("More charts"));
    }
    let Some(browser) = run.opened() else { return };
    // Every cell is there, with its simulation and its law.
    assert_eq!(browser.text("#count"), "1 056 of 1 056 cells.");
    let seen: Vec<Seen> =
        serde_json::from_value(browser.run(WALK, json!([]))).expect("what was seen");
    let most = seen.iter().map(|(_, _, law)| law.len()).max();
    let most = most.expect("there are cells");
    assert!(most >= 8, "{most} outcomes of a law");
    let cut = format!("Each law is shown with its {most} likeliest outcomes");
    assert!(html.contains(&cut), "{cut}");
    assert_shown(&seen, &run.answers, most);
    assert_quiet(&browser, &run.page());
}

/// 20 · 2000 cells.
#[test]
fn a_page_of_forty_thousand_cells_opens() {
    let run = Run::with(
        CATALOGUE,
        "trials = 10_000\n[[contest]]\nsystem = 'toy'\naction = 'shoot'\ndie = 'd20'\n\
         needed = { from = 1, to = 20 }\nfp = { from = 0, to = 62.46875, step = 0.03125 }\n",
        |_| {},
    );
    assert_eq!(run.answers.len(), 40_000);
    let html = run.html();
    assert!(html.len() <= 3_000_000, "{}", html.len());
    let Some(browser) = run.opened() else { return };
    assert_eq!(browser.text("#count"), "40 000 of 40 000 cells.");
    assert_eq!(listed(&browser).len(), 40);
    let started = std::time::Instant::now();
    browser.type_into("#heads th:nth-child(4) button", key::ENTER);
    // 20 or more on a d20: one case in twenty; those cells stand last in the file.
    assert_eq!(listed(&browser)[0], 38_000);
    assert_eq!(browser.texts("#rows td:nth-child(4)")[0], "5.00");
    // A second on a quiet machine.
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
    browser.type_into("#filter", "needed=7 fp<1");
    assert_eq!(browser.text("#count"), "32 of 40 000 cells.");
    assert_quiet(&browser, &run.page());
}
