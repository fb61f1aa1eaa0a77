//! Pages of very many cells, of few, and of runs that did not go well.

use super::*;

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn an_interrupted_run_is_a_page_too() {
    let mut run = Run::of(&CATALOGUE, TOY);
    // Of the nine cells, the first row lacks its d20 and the last row is not there at all.
    run.answers.retain(|answer| ![2, 6, 7, 8].contains(&answer.cell));
    run.write();
    let browser = run.opened();
    assert!(browser.text("header").contains("Interrupted: 5 of 9 cells are here."));
    assert_eq!(listed(&browser), [0, 1, 3, 4, 5]);
    assert_eq!(browser.text("#place"), "to hit 4, die d8");
    browser.type_into("#axis-1", key::END);
    browser.type_into("#axis-0", key::LEFT);
    let gone = "return document.getElementById('cell').hidden";
    assert_eq!(browser.run(gone, json!([])), true);
    browser.type_into("#axis-0", key::RIGHT);
    assert_eq!(browser.run(gone, json!([])), false);
    assert_eq!(browser.text("#place"), "to hit 4, die d20");
    // Stopped at once: nothing to look at, and nothing that fails.
    run.answers.clear();
    run.write();
    browser.open(&run.page());
    assert!(browser.text("header").contains("Interrupted: 0 of 9 cells are here."));
    assert_eq!(browser.run("return document.getElementById('explore').hidden", json!([])), true);
    assert_quiet(&browser, &run.page());
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn what_is_not_settled_and_what_disagrees_is_said() {
    let mut run = Run::of(&CATALOGUE, TOY);
    let answer = &mut run.answers[1];
    (answer.unsettled, answer.unsettled_trials) = (Some(0.25), 1234);
    answer.agrees = Some(false);
    answer.notes.push("<b>unverified</b>".into());
    run.write();
    let browser = run.opened();
    assert_eq!(browser.texts("#remarks li"), [""; 0]);
    browser.type_into("#axis-0", key::LEFT);
    let expected = [
        "Unfinished after the last round, or endless: 25.00 % (exact), 1 234 of 100 000 trials.",
        "Exact and simulated DISAGREE in this cell.",
        "Note: <b>unverified</b>",
    ];
    assert_eq!(browser.texts("#remarks li"), expected);
    assert!(browser.text("header .alarm").contains("DISAGREE in 1 of 9 cells"));
    assert_quiet(&browser, &run.page());
}

/// 11 · 8 · 2 · 6 = 1056 cells of the fire table.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_page_of_a_thousand_cells_is_small() {
    let run = Run::of(
        crate::built_in(),
        "name = 'thousand'\ntrials = 100_000\n\
         [[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]\n\
         drm = { from = -3, to = 4 }\n\
         [[contest.target]]\nkind = 'squad'\nmorale = { from = 5, to = 10 }\ncount = [1, 2]\n",
    );
    assert_eq!(run.answers.len(), 1056);
    let html = run.html();
    assert!(html.len() <= page::page_size_limit(1056), "{}", html.len());
    assert!(page::page_size_limit(1000) <= 300_000);
    assert!(html.matches("<figure tabindex").count() >= 2);
    assert!(html.contains("More charts"));
    let browser = run.opened();
    // Every cell is there, with its simulation and its law.
    assert_eq!(browser.text("#count"), "1 056 of 1 056 cells.");
    let seen: Vec<Seen> =
        serde_json::from_value(browser.run(WALK, json!([]))).expect("what was seen");
    let most = seen.iter().map(|(_, _, law, _)| law.len()).max();
    let most = most.expect("there are cells");
    assert!(most >= 6, "{most} outcomes of a law");
    let cut = format!("Each law is shown with its {most} likeliest outcomes");
    assert!(html.contains(&cut), "{cut}");
    assert_shown(&seen, &run.answers, most);
    assert_quiet(&browser, &run.page());
}

/// 20 · 2000 cells.
#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn a_page_of_forty_thousand_cells_opens() {
    let run = Run::with(
        &CATALOGUE,
        "trials = 10_000\n[[contest]]\nsystem = 'toy'\naction = 'shoot'\ndie = 'd20'\n\
         needed = { from = 1, to = 20 }\nfp = { from = 0, to = 62.46875, step = 0.03125 }\n",
        |_| {},
    );
    assert_eq!(run.answers.len(), 40_000);
    let html = run.html();
    assert!(html.len() <= 3_000_000, "{}", html.len());
    let browser = run.opened();
    assert_eq!(browser.text("#count"), "40 000 of 40 000 cells.");
    assert_eq!(listed(&browser).len(), 40);
    browser.type_into("#heads th:nth-child(4) button", key::ENTER);
    // 20 or more on a d20: one case in twenty; those cells stand last in the file.
    assert_eq!(listed(&browser)[0], 38_000);
    assert_eq!(browser.texts("#rows td:nth-child(4)")[0], "5.00");
    browser.type_into("#filter", "needed=7 fp<1");
    assert_eq!(browser.text("#count"), "32 of 40 000 cells.");
    assert_quiet(&browser, &run.page());
}
