//! Two experiments side by side: differences recomputed from the odds of each file alone.

use std::fs;

use assert_cmd::Command;
use serde_json::Value as Json;
use tempfile::TempDir;

const NOW: &str = "trials = 20_000\n[[contest]]\nname = 'fire'\nsystem = 'asl'\naction = 'fire'\n\
    fp = [4, 8, 16]\ndrm = [0, 2]\ntarget = { kind = 'squad', morale = 7 }\n";
const THEN: &str = "trials = 20_000\nseed = 9\n[[contest]]\nname = 'fire'\nsystem = 'asl'\n\
    action = 'fire'\ndrm = [0, 2, 4]\nfp = [8, 16]\ntarget = { kind = 'squad', morale = 8 }\n";

struct Files {
    folder: TempDir,
}

impl Files {
    fn new(a: &str, b: &str) -> Files {
        let folder = TempDir::new().expect("a temporary folder");
        for (name, text) in [("a.toml", a), ("b.toml", b)] {
            fs::write(folder.path().join(name), text).expect("written");
        }
        Files { folder }
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::cargo_bin("enfilade").expect("built with the tests");
        let command = command.current_dir(self.folder.path()).args(arguments);
        let output = command.output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("pages are UTF-8");
        let code = output.status.code().expect("it was not killed");
        (code, text(output.stdout), text(output.stderr))
    }

    fn json(&self, arguments: &[&str]) -> Json {
        let (code, page, complaint) = self.run(&[arguments, &["--format", "json"]].concat());
        assert_eq!((code, complaint.as_str()), (0, ""));
        serde_json::from_str(&page).expect("it is JSON")
    }
}

fn number(json: &Json) -> f64 {
    json.as_f64().unwrap_or_else(|| panic!("{json} is no number"))
}

#[test]
fn differences_are_those_of_the_odds_of_each_file() {
    let files = Files::new(NOW, THEN);
    let compared = files.json(&["compare", "a.toml", "b.toml"]);
    let (a, b) = (files.json(&["odds", "a.toml"]), files.json(&["odds", "b.toml"]));
    let find = |odds: &Json, axes: &Json, measure: &str| {
        let all = odds["contests"].as_array().expect("a list");
        let cell = all
            .iter()
            .find(|cell| cell["axes"]["fp"] == axes["fp"] && cell["axes"]["drm"] == axes["drm"]);
        let measures = cell.expect("the cell is there")["measures"].as_array().expect("a list");
        let found = measures.iter().find(|found| found["name"] == measure);
        found.expect("the measure is there").clone()
    };
    let cells = compared["cells"].as_array().expect("a list");
    // 8 and 16 firepower at DRM 0 and 2 are in both.
    assert_eq!(cells.len(), 4);
    for cell in cells {
        for measure in cell["measures"].as_array().expect("a list") {
            let name = measure["name"].as_str().expect("a name");
            let (one, other) = (find(&a, &cell["axes"], name), find(&b, &cell["axes"], name));
            let difference = &measure["difference"];
            let exact = number(&other["exact"]) - number(&one["exact"]);
            assert!((number(&difference["exact"]) - exact).abs() < 1e-12);
            let simulated = number(&other["simulated"]) - number(&one["simulated"]);
            assert_eq!(number(&difference["simulated"]), simulated);
            // Square and add, from the ends that `odds` prints.
            let below = (number(&other["simulated"]) - number(&other["low"]))
                .hypot(number(&one["high"]) - number(&one["simulated"]));
            assert!((number(&difference["low"]) - (simulated - below)).abs() < 1e-12);
            let (low, high) = (number(&difference["low"]), number(&difference["high"]));
            assert!(low <= simulated && simulated <= high);
        }
    }
    let places = |list: &Json| -> Vec<(i64, i64)> {
        let cells = list.as_array().expect("a list").iter();
        cells
            .map(|cell| {
                let axis = |name: &str| number(&cell["axes"][name]) as i64;
                (axis("fp"), axis("drm"))
            })
            .collect()
    };
    assert_eq!(places(&compared["only_a"]), [(4, 0), (4, 2)]);
    assert_eq!(places(&compared["only_b"]), [(8, 4), (16, 4)]);
    let changed = &compared["changed"];
    assert_eq!(changed.as_array().map(Vec::len), Some(1), "{changed}");
    assert_eq!(changed[0]["name"], "target_morale");
    assert_eq!((&changed[0]["a"], &changed[0]["b"]), (&Json::from("7"), &Json::from("8")));
    assert_eq!(changed[0]["cells"], 4);
}

#[test]
fn a_folder_gets_summary_table_and_picture() {
    let files = Files::new(NOW, THEN);
    let (code, page, complaint) = files.run(&["compare", "a.toml", "b.toml", "--out", "out"]);
    assert_eq!((code, complaint.as_str()), (0, ""));
    assert!(page.contains("Changed in fire, 4 cells: morale level from 7 to 8."), "{page}");
    let read = |name: &str| fs::read_to_string(files.folder.path().join("out").join(name));
    let summary = read("summary.md").expect("written");
    assert!(summary.starts_with("# b.toml against a.toml\n"), "{summary}");
    let csv = read("compare.csv").expect("written");
    let head = csv.lines().next().expect("a head");
    assert!(
        head.starts_with("contest,fp,drm,measure,a_exact,a_sim,a_low,a_high,b_exact"),
        "{head}"
    );
    assert!(summary.contains("](charts/compare-p_effect.svg)"), "{summary}");
    let svg = read("charts/compare-p_effect.svg").expect("written");
    assert!(svg.contains("Any effect: b less a"), "{svg}");
    let png = files.folder.path().join("out/charts/compare-p_effect.png");
    assert_eq!(png.is_file(), cfg!(feature = "png"));
}

/// The same report in another format of text: the same title, list and table, and nothing that is
/// loaded.
#[test]
fn a_comparison_is_a_page_too() {
    let files = Files::new(NOW, THEN);
    let (code, page, _) = files.run(&["compare", "a.toml", "b.toml", "--format", "html"]);
    assert_eq!(code, 0);
    assert!(page.starts_with("<!doctype html>") && page.contains("default-src 'none'"), "{page}");
    assert!(page.contains("<h1>b.toml against a.toml</h1>"), "{page}");
    assert!(
        page.contains("<li>Changed in fire, 4 cells: morale level from 7 to 8.</li>"),
        "{page}"
    );
    assert!(page.contains("<caption>Measures</caption>"), "{page}");
}

#[test]
fn files_that_have_nothing_in_common_are_refused() {
    let other = "[[contest]]\nsystem = 'dropzone'\naction = 'shoot'\n\
        weapon = 'UCM/Sabre Tank/Avenger Railgun'\ntarget = 'UCM/Sabre Tank'\n";
    let files = Files::new(NOW, other);
    let (code, page, complaint) = files.run(&["compare", "a.toml", "b.toml", "--exact-only"]);
    assert_eq!((code, page.as_str()), (2, ""));
    let said = complaint.replace(['\n', '│'], " ");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("no cell of a.toml has a partner in b.toml"), "{said}");
    assert!(said.contains("asl fire over fp, drm and dropzone shoot over no axes"), "{said}");
    let files = Files::new(NOW, "[[contest]]\nsystem = 'asl'\naction = 'fier'\n");
    let (code, _, complaint) = files.run(&["compare", "a.toml", "b.toml"]);
    assert!(code == 2 && complaint.contains("did you mean \"fire\"?"), "{complaint}");
}

/// Contests that are named otherwise in each file belong together in their order.
#[test]
fn renamed_contests_belong_together() {
    let files = Files::new(NOW, &NOW.replace("'fire'\nsystem", "'new fire'\nsystem"));
    let compared = files.json(&["compare", "a.toml", "b.toml", "--exact-only"]);
    assert_eq!(compared["cells"].as_array().map(Vec::len), Some(6));
    assert_eq!(compared["changed"], Json::Array(Vec::new()));
    assert_eq!(compared["cells"][0]["measures"][0]["difference"]["exact"], 0.0);
}

/// Read from the help itself, and run where the file says: at the root of the repository.
#[test]
fn the_example_of_the_help_works_as_typed() {
    let enfilade = || Command::cargo_bin("enfilade").expect("built with the tests");
    let help = enfilade().args(["compare", "--help"]).output().expect("the program starts");
    let help = String::from_utf8(help.stdout).expect("pages are UTF-8");
    let (_, example) = help.split_once("Example:\n").expect("every help ends with an example");
    let mut words = example.split_whitespace();
    assert_eq!(words.next(), Some("enfilade"));
    let mut command = enfilade();
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(words).output();
    let output = output.expect("the program starts");
    let page = String::from_utf8(output.stdout).expect("pages are UTF-8");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("56 cells: cowering: by the rules in A, never in B."), "{page}");
    // Cowering cannot help the firers, and what differs by rounding only is no difference. A
    // simulated difference, which has its interval, may be small by chance.
    let differences = page.lines().filter_map(|line| line.split('┆').next_back());
    let shown: Vec<_> = differences
        .map(|last| last.trim_matches([' ', '│']))
        .filter(|text| !text.contains('±'))
        .collect();
    assert!(shown.iter().any(|text| text.starts_with("+2.3")), "{page}");
    assert!(!shown.iter().any(|text| text.contains("00000")), "{page}");
}

/// The command takes arsenals where both files are such, and writes a folder.
#[test]
fn the_command_compares_arsenals() {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, change: &str| {
        let path = folder.path().join(name);
        let text = "system = 'skirmishers'\n[[weapon]]\nname = 'LMG'\n[[scenario]]\nname = 'a'\n\
            moves = 4\nrange = [60]\ntarget = { troopers = 2 }\n";
        std::fs::write(&path, format!("{change}\n{text}")).expect("written");
        path
    };
    let (a, b) = (write("a.toml", ""), write("b.toml", "change.base_ranged = 7"));
    let out = folder.path().join("out");
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_enfilade"))
        .args(["compare", "--quiet", "--format", "json", "--out"])
        .args([&out, &a, &b])
        .output()
        .expect("it runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let json: Json = serde_json::from_slice(&run.stdout).expect("it is JSON");
    assert_eq!(json["weapons"][0]["name"], "LMG");
    assert!(json["weapons"][0]["change"]["low"].is_null(), "one opponent: no interval");
    for file in ["compare.csv", "report.html", "summary.md", "manifest.json"] {
        assert!(out.join(file).is_file(), "{file}");
    }
}
