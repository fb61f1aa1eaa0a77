//! The page of a search: what is kept of a grid, held against the table of all of its cells.

use std::collections::BTreeSet;

use super::looks::{CONTRAST, dress};
use super::*;
use crate::desk::Desk;
use crate::harness::axe;

/// 36 cells of the fire table, and a target whose kind is held fixed.
const GRID: &str = "name = 'few dead'\nquestion = 'Who breaks and does not <die>?'\n\
    prediction = 'Few & far between.'\n[[contest]]\nsystem = 'asl'\naction = 'fire'\n\
    fp = [2, 8, 16]\ndrm = { from = -2, to = 3 }\n[[contest.target]]\nkind = 'squad'\nmorale = [6, 8]\n";

/// A cell of the table of all: its axes, and how often it breaks and kills.
type Row = ([String; 3], f64, f64);

/// A search over [`GRID`], and all of its cells.
fn searched(search: &str) -> (Desk, Vec<Row>) {
    let desk = Desk::with(GRID);
    desk.write("found.toml", &GRID.replacen("[[", &format!("[sweep]\n{search}\n[["), 1));
    for (file, out) in [("x.toml", "all"), ("found.toml", "found")] {
        let told = desk.run(&["run", file, "--exact-only", "--out", out]);
        let nothing = told.code == Some(6) && told.err.contains("the conditions of [sweep]");
        assert!(told.code == Some(0) || nothing, "{told:?}");
    }
    let table = desk.read("all/cells.csv");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().expect("a head");
    let at = |name: &str| heads.iter().position(|head| *head == name).expect("a column");
    let axes = [at("fp"), at("drm"), at("target_morale")];
    let [breaks, kills] = [at("p_break_exact"), at("p_kill_exact")];
    let number = |text: &str| text.parse().expect("a number");
    let rows = lines.map(|row| {
        // Firepower has halves in files.
        let axes = axes.map(|axis| row[axis].trim_end_matches(".0").to_owned());
        (axes, number(row[breaks]), number(row[kills]))
    });
    (desk, rows.collect())
}

/// Those that no other row equals and beats, of equal ones the first; most breaks first.
fn front(rows: &[Row]) -> Vec<&Row> {
    let beats = |a: &Row, b: &Row| a.1 >= b.1 && a.2 <= b.2 && (a.1 > b.1 || a.2 < b.2);
    let mut front: Vec<&Row> = Vec::new();
    for row in rows.iter().filter(|row| !rows.iter().any(|other| beats(other, row))) {
        if !front.iter().any(|known| (known.1, known.2) == (row.1, row.2)) {
            front.push(row);
        }
    }
    front.sort_by(|a, b| b.1.total_cmp(&a.1));
    front
}

/// The texts between `open` and `close`, in order.
fn between<'a>(html: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    let after = html.split(open).skip(1);
    after.map(|part| part.split(close).next().unwrap_or_default()).collect()
}

fn cells(row: &str) -> Vec<String> {
    let plain = row.replace("<th", "<td").replace("</th>", "</td>");
    between(&plain, "<td", "</td>")
        .iter()
        .map(|cell| cell[cell.find('>').unwrap_or(0) + 1..].to_owned())
        .collect()
}

/// A value as the page writes it: a true minus, and modifiers with their sign.
fn written(axis: usize, value: &str) -> String {
    let signed = axis == 1 && value != "0" && !value.starts_with('-');
    (if signed { "+" } else { "" }).to_owned() + &value.replace('-', "−")
}

#[test]
fn the_page_of_a_front_shows_what_no_cell_of_the_grid_beats() {
    let (desk, rows) = searched("front = 'p_break, -p_kill'");
    let html = desk.read("found/report.html");
    let front = front(&rows);
    assert!(front.len() > 3 && front.len() < rows.len());
    for said in [
        "Who breaks and does not &lt;die&gt;?",
        "Few &amp; far between.",
        "of 36 cells are kept.",
        "as much any break and as little killed",
        "<strong>Held fixed:</strong> kind of target: squad; other fields have",
    ] {
        assert!(html.contains(said), "{said}");
    }
    // Its table: axes that differ, then what was sought, most breaks first.
    let bodies = between(&html, "<tbody>", "</tbody>");
    let table: Vec<_> = between(bodies[0], "<tr>", "</tr>").iter().map(|row| cells(row)).collect();
    assert_eq!(table.len(), front.len());
    let alike = |axis: usize| front.iter().all(|row| row.0[axis] == front[0].0[axis]);
    let shown: Vec<usize> = (0..3).filter(|&axis| !alike(axis)).collect();
    for (row, cell) in table.iter().zip(&front) {
        let axes: Vec<_> = shown.iter().map(|&axis| written(axis, &cell.0[axis])).collect();
        assert_eq!(row[..shown.len()], axes);
        let share = |text: &String| text.parse::<f64>().expect("a number") / 100.0;
        assert!((share(&row[shown.len()]) - cell.1).abs() < 6e-5, "{row:?}");
        assert!((share(&row[shown.len() + 1]) - cell.2).abs() < 6e-5, "{row:?}");
    }
    // Which values of an axis are kept, and which are not.
    let settings: Vec<_> =
        between(bodies[1], "<tr>", "</tr>").iter().map(|row| cells(row)).collect();
    assert_eq!(settings.len(), 3);
    for (axis, said) in settings.iter().enumerate() {
        let values = |of: &mut dyn Iterator<Item = &Row>| -> BTreeSet<String> {
            of.map(|row| row.0[axis].clone()).collect()
        };
        let all = values(&mut rows.iter());
        let kept = values(&mut front.iter().copied());
        assert_eq!(said[1], all.len().to_string());
        let named = |text: &String| -> BTreeSet<String> {
            let number = |text: &str| text.replace('−', "-").replace('+', "").parse::<i64>();
            let parts = text.split(", ").filter(|part| *part != "–");
            let numbers = parts.flat_map(|part| match part.split_once(" to ") {
                Some((from, to)) => {
                    let [from, to] = [from, to].map(|end| number(end).expect("a number"));
                    let listed = all.iter().filter_map(|value| value.parse().ok());
                    listed.filter(|value| (from..=to).contains(value)).collect::<Vec<_>>()
                }
                None => vec![number(part).expect("a number")],
            });
            numbers.map(|number| number.to_string()).collect()
        };
        assert_eq!(named(&said[2]), kept, "{said:?}");
        assert_eq!(named(&said[3]), all.difference(&kept).cloned().collect(), "{said:?}");
    }
    // The summary says the same.
    assert!(
        desk.read("found/summary.md").contains("**Values that they have and others have not:**")
    );
}

/// The command line of a setting, as it stands on the page, gives its row.
#[test]
fn the_command_on_the_page_asks_for_the_first_setting() {
    let (desk, rows) = searched("best = { count = 3, by = 'p_kill' }\nkeep = 'p_break > 0.1'");
    let html = desk.read("found/report.html");
    assert!(html.contains("the 3 settings with any break above 10 % that have the most killed."));
    // Of equal ones the first: the last of them when they are gone through from behind.
    let kept = rows.iter().rev().filter(|row| row.1 > 0.1);
    let first = kept.max_by(|a, b| a.2.total_cmp(&b.2));
    let first = first.expect("there is one");
    let command = between(&html, "<pre>", "</pre>")[0].replace("&#39;", "'");
    let words: Vec<_> = command.split(' ').skip(1).collect();
    assert!(!command.contains('\''), "{command}");
    let told = desk.run(&[&words[..], &["--exact-only", "--format", "csv"]].concat());
    let (head, row) = told.out.split_once(' ').expect("two lines");
    let column = |name: &str| head.split(',').position(|head| head == name).expect("a column");
    let number = |name: &str| row.split(',').nth(column(name)).and_then(|n| n.parse::<f64>().ok());
    assert_eq!(number("p_break_exact"), Some(first.1), "{command}");
    assert_eq!(number("p_kill_exact"), Some(first.2), "{command}");
}

#[test]
fn a_search_that_finds_nothing_says_what_was_sought() {
    let (desk, _) = searched("keep = 'p_kill > 0.999 and e_broken <= 0.25'");
    let html = desk.read("found/report.html");
    let sought = "every setting with killed above 99.9 % and units broken on average at most 0.25. \
                  <strong>There is none.</strong>";
    assert!(
        html.contains("None of 36 settings meets the conditions of [sweep]: killed is at most"),
        "{html}"
    );
    assert!(html.contains(sought) && html.contains("0 of 36 cells are kept."), "{html}");
}

#[test]
#[cfg_attr(not(has_browser), ignore = "needs chromedriver, which is not installed")]
fn the_page_of_a_search_looks_as_the_others_do() {
    let (desk, _) = searched("front = 'p_break, -p_kill'");
    let page = desk.path("found/report.html");
    let browser = Browser::start();
    browser.open(&page);
    assert_quiet(&browser, &page);
    for (scheme, dark) in [("light", false), ("dark", true)] {
        browser.open(&page);
        dress(&browser, "screen", scheme);
        let worst = browser.run(CONTRAST, json!([]));
        assert!(worst[0].as_f64().is_some_and(|ratio| ratio >= 4.5), "{scheme}: {worst}");
        assert_eq!(u32::from(browser.colours().commonest[0]) < 100, dark);
    }
    for width in [360, 820, 1280] {
        let screen =
            json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        browser.tool("Emulation.setDeviceMetricsOverride", screen);
        browser.open(&page);
        let wide = browser.run("return document.documentElement.scrollWidth", json!([]));
        assert!(wide.as_u64().is_some_and(|wide| wide <= width), "{width}: {wide}");
    }
}

#[test]
#[cfg_attr(
    not(all(has_browser, has_axe)),
    ignore = "needs chromedriver and axe-core, one of which is not installed"
)]
fn the_page_of_a_search_shuts_nobody_out() {
    let (desk, _) = searched("front = 'p_break, -p_kill'");
    let browser = Browser::start();
    browser.open(&desk.path("found/report.html"));
    assert_eq!(axe::complaints(&browser, "found"), Vec::<String>::new());
}
