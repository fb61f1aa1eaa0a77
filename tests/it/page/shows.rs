//! What a page shows and does.

use super::*;

/// By hand: a d6 shows 2 or more in 5 of 6 cases, 4 or more in 3 of 6; a d8 shows 4 or more in 5
/// of 8, a d20 in 17 of 20.
#[test]
fn a_slider_moves_the_numbers() {
    let run = Run::of(&CATALOGUE, TOY);
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

#[test]
fn every_number_is_the_text_that_other_reports_print() {
    let run = Run::of(crate::built_in(), FIRE);
    let played = Run::with(&CATALOGUE, TOY, |settings| {
        (settings.played, settings.stop) = (true, Stop::Trials(50));
    });
    let exact = Run::with(&CATALOGUE, TOY, |settings| {
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

/// By hand: of needed × die, the shares of hits are 5/6 7/8 19/20, 3/6 5/8 17/20, 1/6 3/8 15/20.
#[test]
fn the_table_is_sorted_and_filtered_by_keyboard() {
    let run = Run::of(&CATALOGUE, TOY);
    let Some(browser) = run.opened() else { return };
    assert_eq!(listed(&browser), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let heads = browser.texts("#heads th");
    assert_eq!(heads, ["cell", "needed", "die", "p_hit %"]);
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
fn what_is_copied_is_the_same_contest() {
    let run = Run::of(crate::built_in(), FIRE);
    let Some(browser) = run.opened() else { return };
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
        let read = Experiment::read(crate::built_in(), "copied.toml", copied)
            .unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(read.cells.len(), 1);
        let asked = &run.experiment.cells[cell];
        assert_eq!(read.cells[0].fingerprint(), asked.fingerprint(), "{copied}");
        assert_eq!(read.cells[0].form, asked.form);
        let shown = browser.run("return document.getElementById('toml').textContent", json!([]));
        assert_eq!(shown, copied);
    }
}
