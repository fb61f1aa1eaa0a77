//! What a page shows and does.

use super::*;

/// By hand: a d6 shows 2 or more in 5 of 6 cases, 4 or more in 3 of 6; a d8 shows 4 or more in 5
/// of 8, a d20 in 17 of 20. The page opens in the middle of the grid.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_slider_moves_the_numbers() {
    let run = Run::of(&CATALOGUE, TOY);
    let browser = run.opened();
    let shown = || {
        let measure = browser.texts("#measures td").swap_remove(0);
        let law = browser.texts("#law td:nth-child(2)");
        (browser.text("#place"), measure, law.join(" "))
    };
    let said =
        |place: &str, hit: &str, law: &str| (place.to_owned(), hit.to_owned(), law.to_owned());
    assert_eq!(shown(), said("to hit 4, die d8", "62.50", "62.50 37.50"));
    browser.type_into("#axis-1", key::END);
    assert_eq!(shown(), said("to hit 4, die d20", "85.00", "85.00 15.00"));
    browser.type_into("#axis-1", key::LEFT);
    browser.type_into("#axis-1", key::LEFT);
    assert_eq!(shown(), said("to hit 4, die d6", "50.00", "50.00 50.00"));
    browser.type_into("#axis-0", key::LEFT);
    assert_eq!(shown(), said("to hit 2, die d6", "83.33", "83.33 16.67"));
    let valuetext = "return document.getElementById('axis-1').getAttribute('aria-valuetext')";
    assert_eq!(browser.run(valuetext, json!([])), "d6");
    // The list of words and the slider are one.
    let chosen = "return document.querySelector('#axes select').value";
    assert_eq!(browser.run(chosen, json!([])), "0");
    browser.type_into("#axis-1", key::RIGHT);
    assert_eq!(browser.run(chosen, json!([])), "1");
    assert_eq!(browser.text("#axes output"), "2");
    // A link to the cell, once the sliders rest.
    let rested = "return new Promise((done) => setTimeout(done, 1000)).then(() => location.hash)";
    assert_eq!(browser.run(rested, json!([])), "#cell-1&along=die");
    assert_quiet(&browser, &run.page());
}

/// What the pictures show of the chosen cell: the place of its dot on the curve, the text of its
/// band, and the place of its frame on the map.
const DRAWN: &str = r"
    const middle = (e) => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; };
    const frame = document.querySelector('#map .frame:not(.before)'), at = middle(frame);
    const inside = [...document.querySelectorAll('#map .square')].find((square) => {
        const b = square.firstElementChild.nextElementSibling.getBoundingClientRect();
        return b.left < at[0] && at[0] < b.right && b.top < at[1] && at[1] < b.bottom;
    });
    const dot = document.querySelector('#curve .dot.here');
    const dots = [...document.querySelectorAll('#curve .dot:not(.here):not(.before)')];
    return [inside.querySelector('title').textContent, dot ? dots.findIndex((one) => one.getAttribute('cx') === dot.getAttribute('cx')) : -1];";

/// By hand, as above; 4 and 6 or more on a d8 come up in 5 and 3 of 8.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn sliders_move_the_curve_and_the_mark_in_the_map() {
    let run = Run::of(&CATALOGUE, TOY);
    let browser = run.opened();
    // `needed` is the axis of numbers: the curve goes along it.
    assert_eq!(browser.run(DRAWN, json!([])), json!(["die d8, to hit 4: 62.50", 1]));
    browser.type_into("#axis-0", key::RIGHT);
    assert_eq!(browser.run(DRAWN, json!([])), json!(["die d8, to hit 6: 37.50", 2]));
    let bands = |css: &str| {
        let script =
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)";
        browser.run(script, json!([css]))
    };
    assert_eq!(bands("#curve .band"), json!([]));
    // An axis of words is a bar for each.
    browser.type_into("#axis-1", key::RIGHT);
    assert_eq!(bands("#curve .band text"), json!(["d6", "16.67", "d8", "37.50", "d20", "75.00"]));
    assert_eq!(bands("#curve .band.here text"), json!(["d20", "75.00"]));
    // A square of the map is a way to its cell, and back again.
    let press = "document.querySelector('#map .square').dispatchEvent(new Event('click'))";
    browser.run(press, json!([]));
    assert_eq!(browser.text("#place"), "to hit 2, die d6");
    let back = "history.back(); return new Promise((done) => setTimeout(done, 500))";
    browser.run(back, json!([]));
    assert_eq!(browser.text("#place"), "to hit 6, die d20");
    assert_quiet(&browser, &run.page());
}

/// By hand: from 5 of 8 to 17 of 20 are 22.5 points more.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_cell_is_pinned_and_another_one_seen_beside_it() {
    let run = Run::of(&CATALOGUE, TOY);
    let browser = run.opened();
    browser.type_into("#pin", key::ENTER);
    browser.type_into("#axis-1", key::RIGHT);
    assert_eq!(browser.texts("#law .gap"), ["+22.50", "−22.50"]);
    assert_eq!(browser.texts("#measures .gap"), ["+22.50"]);
    assert!(browser.text("#headline").ends_with("+22.50"), "{}", browser.text("#headline"));
    assert!(browser.text("#pinned").contains("to hit 4, die d8"));
    // The address has both, and the switch of the simulated values.
    browser.type_into("#both", " ");
    let hash = browser.run("return location.hash", json!([]));
    assert_eq!(hash, "#cell-5&along=die&pin=4&simulated");
    open_at(&run, &browser, hash.as_str().expect("a text"));
    assert_eq!(browser.texts("#law .gap"), ["+22.50", "−22.50"]);
    let shown = "return getComputedStyle(document.querySelector('#law .sim')).display";
    assert_eq!(browser.run(shown, json!([])), "table-cell");
    browser.type_into("#both", " ");
    assert_eq!(browser.run(shown, json!([])), "none");
    browser.type_into("#unpin", key::ENTER);
    assert_eq!(browser.run("return location.hash", json!([])), "#cell-5&along=die");
    assert_eq!(browser.texts("#law .gap"), ["", ""]);
    assert!(browser.log("browser").is_empty());
}

/// Nonsense in the address shows the page as if there were none.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn an_address_that_tells_nothing_is_no_harm() {
    let run = Run::of(&CATALOGUE, TOY);
    let browser = Browser::start();
    for hash in ["#cell-", "#cell-99", "#%E0%A4%A", "#cell-4&pin=x&along=no&measure=no&<b>"] {
        open_at(&run, &browser, hash);
        assert_eq!(browser.text("#place"), "to hit 4, die d8", "{hash}");
        assert!(browser.log("browser").is_empty(), "{hash}");
    }
}

/// Opens the page afresh at an address that somebody sent.
fn open_at(run: &Run, browser: &Browser, hash: &str) {
    browser.open(std::path::Path::new("/dev/null"));
    browser.log("browser");
    browser.open(&run.folder.path().join(format!("report.html{hash}")));
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn every_number_is_the_text_that_other_reports_print() {
    let run = Run::of(crate::built_in(), FIRE);
    let played = Run::with(&CATALOGUE, TOY, |settings| {
        (settings.played, settings.stop) = (true, SimulationStopRule::Trials(50));
    });
    let exact = Run::with(&CATALOGUE, TOY, |settings| {
        (settings.exact_only, settings.fractions) = (true, true);
    });
    let browser = Browser::start();
    for run in [&run, &played, &exact] {
        browser.open(&run.page());
        let seen: Vec<Seen> =
            serde_json::from_value(browser.run(WALK, json!([]))).expect("what was seen");
        assert_shown(&seen, &run.answers, 60);
        assert_quiet(&browser, &run.page());
    }
    // By hand: a d20 shows 6 or more in 15 of 20 cases.
    assert_eq!(browser.text("#measures td small"), "3/4");
    // What sliders walk over, in a player's words.
    let seen: Vec<Seen> = serde_json::from_value(browser.run(WALK, json!([]))).expect("seen");
    assert_eq!(places(&seen)[..2], ["to hit 2, die d6", "to hit 2, die d8"]);
}

/// By hand: of needed × die, the shares of hits are 5/6 7/8 19/20, 3/6 5/8 17/20, 1/6 3/8 15/20.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_table_is_sorted_and_filtered_by_keyboard() {
    let run = Run::of(&CATALOGUE, TOY);
    let browser = run.opened();
    assert_eq!(listed(&browser), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let heads = browser.texts("#heads th");
    assert_eq!(heads, ["cell", "to hit", "die", HIT]);
    let sorted = |expected: &str| {
        let script = "return document.querySelector('#heads th:nth-child(4)').ariaSort";
        assert_eq!(browser.run(script, json!([])).as_str().unwrap_or("none"), expected);
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
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn what_is_copied_is_the_same_contest() {
    let run = Run::of(crate::built_in(), FIRE);
    let browser = run.opened();
    let allow = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
    browser.tool("Browser.grantPermissions", allow);
    let cells = [(0, 7), (0, 17), (1, 19)];
    for (contest, cell) in cells {
        let choose = "const list = document.getElementById('contest'); \
            list.value = arguments[0]; list.dispatchEvent(new Event('input'));";
        browser.run(choose, json!([contest.to_string()]));
        let row =
            cell - run.answers.iter().position(|a| a.contest == contest).expect("it is there");
        let button = format!("#rows tr:nth-child({}) button", row + 1);
        browser.type_into(&button, key::ENTER);
        browser.type_into("#copy", key::ENTER);
        let copied = "return new Promise((done) => setTimeout(done, 200)).then(\
            () => navigator.clipboard.readText())";
        let copied = browser.run(copied, json!([]));
        let copied = copied.as_str().expect("a text");
        assert_eq!(browser.text("#copied"), "Copied.");
        let read = Experiment::read_experiment_text(crate::built_in(), "copied.toml", copied)
            .unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(read.cells.len(), 1);
        let asked = &run.experiment.cells[cell];
        assert_eq!(
            read.cells[0].fingerprint_of_contest(),
            asked.fingerprint_of_contest(),
            "{copied}"
        );
        assert_eq!(read.cells[0].form, asked.form);
        let shown = browser.run("return document.getElementById('toml').textContent", json!([]));
        assert_eq!(shown, copied);
    }
}

/// Half of the riflemen fall by some attack or fewer than half do: beside the median stands how
/// many fall at all, which is the chance of falling, and out of range nothing does.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_median_says_how_many_come_to_it() {
    let run = Run::of(
        crate::built_in(),
        "trials = 10_000\n[[contest]]\nsystem = 'skirmishers'\naction = 'attack'\n\
         weapon = 'rifle'\nshots = 4\nrange = [20, 60, 100]\n",
    );
    let falls = run.answers.iter().map(|answer| {
        let kill = answer.measure_answer_by_name("p_kill").and_then(|measure| measure.exact);
        100.0 * kill.expect("it is exact")
    });
    let falls: Vec<f64> = falls.collect();
    assert!(falls[0] > 50.0 && falls[1] < 50.0 && falls[2] == 0.0, "{falls:?}");
    let browser = run.opened();
    let row = "return [...document.querySelectorAll('#measures tr')].filter((row) => row.textContent.includes('median')).map((row) => row.children[1].textContent)";
    for (cell, fall) in falls.iter().enumerate() {
        open_at(&run, &browser, &format!("#cell-{cell}&measure=shots_to_kill"));
        let said = browser.run(row, json!([]));
        let said = said[0].as_str().expect("a text").to_owned();
        let within = format!("{fall:.0} % within 4");
        match cell {
            2 => assert_eq!(said, "–"),
            _ => assert!(said.ends_with(&within), "{said}: {within}"),
        }
        assert_eq!(said.starts_with(">4"), cell == 1, "{said}");
        let headline = browser.text("#headline");
        assert_eq!(headline.contains(&within), cell < 2, "{headline}");
    }
    let listed = browser.texts("#rows small");
    assert_eq!(listed.len(), 2, "{listed:?}");
}
