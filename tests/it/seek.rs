//! `enfilade seek`: what it prints, how it ends, and that what it offers to paste keeps its
//! promise.

use serde_json::Value as Json;

use crate::desk::Desk;

/// A folder with one of the questions of the crate's tests, its rulebook beside it.
fn desk(question: &str, rules: &str) -> Desk {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/enfilade-seek/tests/questions/");
    let read =
        |name: &str| std::fs::read_to_string(format!("{folder}{name}")).expect("it lies there");
    let desk = Desk::with(&read(question));
    if !rules.is_empty() {
        desk.write(rules, &read(rules));
    }
    desk
}

/// What a command prints, byte for byte, and how it ends.
fn printed(desk: &Desk, arguments: &[&str]) -> (Option<i32>, String) {
    let output = desk.command(arguments).output().expect("it starts");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn designs_stand_in_eighty_columns() {
    let desk = desk("16_big.toml", "bridgehead.rules");
    let (code, told) = printed(&desk, &["seek", "x.toml"]);
    assert_eq!(code, Some(0), "{told}");
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "28 of 3 779 136 designs fit, and these are all: 378 exact cells.");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{told}");
    for line in [
        "now       3  3  4  5      1      0      3      0      2      2",
        "1         2  4  .  6      .      .      .      .      5      .        4",
        "          25 more: --best 28",
        "always:   to_hit.close.3 = 6, weapons.rifles.shots = 1",
        "take 1:   enfilade seek x.toml --format toml",
    ] {
        assert!(lines.contains(&line), "{line}\n{told}");
    }
    // What threads there are changes no byte.
    for threads in ["1", "2", "7"] {
        assert_eq!(printed(&desk, &["seek", "x.toml", "--threads", threads]).1, told);
    }
}

#[test]
fn what_is_offered_to_paste_gives_the_odds_to_the_digit() {
    let desk = desk("01_rout.toml", "bridgehead.rules");
    let json = desk.run(&["seek", "x.toml", "--format", "json"]);
    let json: Json = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(
        (&json["fit"], &json["word"], &json["cells"]),
        (&2.into(), &"all".into(), &70.into())
    );
    let (_, file) = printed(&desk, &["seek", "x.toml", "--format", "toml"]);
    desk.write("y.toml", &file);
    let odds = desk.run(&["odds", "y.toml", "--exact-only", "--format", "json"]);
    assert_eq!(odds.code, Some(0), "{odds:?}");
    let odds: Json = serde_json::from_str(&odds.out).expect("JSON");
    let rout = |cell: &Json| -> f64 {
        let measures = cell["measures"].as_array().expect("a list");
        let found =
            measures.iter().find(|measure| measure["name"] == "p_rout").expect("it is there");
        found["exact"].as_f64().expect("a number")
    };
    let cells: Vec<f64> = odds["contests"].as_array().expect("a list").iter().map(rout).collect();
    let reached = json["found"][0]["reached"].as_array().expect("a list");
    let reached: Vec<f64> =
        reached.iter().map(|want| want["value"].as_f64().expect("a number")).collect();
    // Rifles in three covers, the LMG, the mortar: in the order of the wants.
    assert_eq!(cells, reached);
}

#[test]
fn nothing_fits_ends_with_six_and_says_why() {
    let desk = desk("10_exclude.toml", "");
    let (code, told) = printed(&desk, &["seek", "x.toml"]);
    assert_eq!(code, Some(6), "{told}");
    let page = told.replace('\n', " ");
    let said = "These two wants exclude each other: \"p_kill of fire >= 50 %\" (127 designs alone) and \"e_kia of fire <= 0.5\" (253).";
    assert!(page.contains(said), "{page}");
    assert!(told.contains("\nnearest          d12        1        7        3\n"), "{told}");
    desk.run(&["seek", "x.toml"]).refused(6, "None of 440 designs fits");
}

#[test]
fn a_line_asks_without_a_file() {
    let desk = Desk::with("");
    let asked = [
        "seek",
        "asl",
        "fire",
        "target.kind=squad",
        "target.morale=6..8",
        "--change",
        "fp=4,8,12,16",
        "--change",
        "drm=-4..8",
        "--so-that",
        "mean p_break = 35 % ± 2 %",
        "--format",
        "json",
    ];
    let told = desk.run(&asked);
    assert_eq!(told.code, Some(0), "{told:?}");
    let json: Json = serde_json::from_str(&told.out).expect("JSON");
    assert_eq!(json["designs"], 4 * 13);
    let odds = [
        "odds",
        "asl",
        "fire",
        "target.kind=squad",
        "target.morale=6..8",
        "fp=4,8,12,16",
        "drm=-4..8",
    ];
    let grid = desk.run(&[&odds[..], &["--exact-only", "--format", "json"]].concat());
    let grid: Json = serde_json::from_str(&grid.out).expect("JSON");
    let mut sums = std::collections::BTreeMap::<String, f64>::new();
    for cell in grid["contests"].as_array().expect("a list") {
        let measures = cell["measures"].as_array().expect("a list");
        let measure =
            measures.iter().find(|measure| measure["name"] == "p_break").expect("it is there");
        let at = format!("{} {}", cell["axes"]["fp"], cell["axes"]["drm"]);
        *sums.entry(at).or_default() += measure["exact"].as_f64().expect("a number") / 3.0;
    }
    let expected = sums.values().filter(|mean| (**mean - 0.35).abs() <= 0.02).count();
    assert_eq!((sums.len(), json["fit"].as_u64()), (52, Some(expected as u64)));
}

#[test]
fn what_is_wrong_stands_at_its_place() {
    let desk = desk("17_skirmish.toml", "");
    let text = desk.read("x.toml");
    desk.write("x.toml", &text.replace("least p_kill of lmg", "least p_kil of lmg"));
    desk.run(&["seek", "x.toml"]).refused(2, "no contest here has `p_kil`");
    desk.run(&["seek", "x.toml", "--so-that", "p_kill >= 5 %"]).refused(2, "the file has [seek]");
    desk.write(
        "x.toml",
        &text
            .replace("[1, 8]", "")
            .replace("shots = { from = 1, to = 8, now = 2 }", "shots = [2, 9000]"),
    );
    desk.run(&["seek", "x.toml"]).refused(2, "9000");
    desk.write("x.toml", "[[contest]]\nsystem = 'asl'\naction = 'fire'\n");
    desk.run(&["seek", "x.toml"]).refused(2, "there is no [seek] in the file");
}

#[test]
fn what_matters_is_told_of_fields_and_of_rules() {
    let desk = desk("01_rout.toml", "bridgehead.rules");
    let asked =
        ["odds", "bridgehead.rules", "fire", "weapon=lmg", "cover=1", "--matters", "p_rout"];
    let (code, told) = printed(&desk, &asked);
    assert_eq!(code, Some(0), "{told}");
    // 56.8 % with three shots a shooter; with two 37.0 %, with four 67.2 %.
    let line = told.lines().find(|line| line.starts_with("weapons.lmg.shots")).expect("it is read");
    assert!(line.contains("-19.8") && line.contains("+10.4"), "{told}");
    assert!(told.starts_with("bridgehead fire, they rout: 56.8 % here\n"), "{told}");
    assert!(!told.contains("mortar"), "{told}");
    desk.run(&["odds", "bridgehead.rules", "fire", "--matters", "p_roul"])
        .refused(2, "it has p_lost, p_rout, e_lost");
}

/// The steps of what matters have a picture on a page, and on the page of a run; shares have one
/// where the question is a grid.
#[test]
fn what_matters_has_pictures_on_pages() {
    let desk = desk("01_rout.toml", "bridgehead.rules");
    let asked = ["odds", "bridgehead.rules", "fire", "weapon=lmg", "cover=0..2", "models=4..6"];
    let page = |more: &[&str]| printed(&desk, &[&asked[..], more].concat());
    let (code, html) = page(&["--matters", "p_rout", "--format", "html"]);
    assert_eq!(code, Some(0), "{html}");
    for there in ["One step: they rout", "Shares of the variance: they rout", "<svg"] {
        assert!(html.contains(there), "{there}");
    }
    let (_, text) = page(&["--matters", "p_rout", "--format", "markdown"]);
    let row = text.lines().find(|line| line.starts_with("| weapons.lmg.shots"));
    let row = row.unwrap_or_else(|| panic!("{text}"));
    assert_eq!(row.matches('|').count(), 6, "{row}");
    let refused = desk.run(&[&asked[..], &["--matters", "--format", "csv"]].concat());
    refused.refused(2, "--matters writes a table, Markdown or a page");
    desk.write(
        "grid.toml",
        "rules = 'bridgehead.rules'\n[[contest]]\nsystem = 'bridgehead'\naction = 'fire'\nweapon = 'lmg'\n\
         cover = [0, 1, 2]\nmodels = [4, 5, 6]\n",
    );
    let run = ["run", "grid.toml", "--out", "out", "--exact-only", "--matters", "p_rout"];
    let told = desk.run(&run);
    assert_eq!(told.code, Some(0), "{told:?}");
    let report = desk.read("out/report.html");
    for (title, file) in
        [("One step: they rout", "step"), ("Shares of the variance: they rout", "share")]
    {
        assert!(report.contains(title), "{title}");
        let picture = desk.read(&format!("out/charts/matters-1-{file}.svg"));
        assert!(picture.contains("<svg"), "{file}");
        assert!(desk.read("out/summary.md").contains(&format!("charts/matters-1-{file}.svg")));
    }
}

#[test]
fn dice_are_sought_and_none_ends_with_six() {
    let desk = Desk::with("");
    let (code, told) =
        printed(&desk, &["seek", "dice", "{1..4}d{4..12 by 2}", "--so-that", "mean = 7 ± 0.5"]);
    assert_eq!(code, Some(0), "{told}");
    let first = "3 of 20 dice expressions fit, and these are all: 20 exact distributions.";
    assert_eq!(told.lines().next(), Some(first), "{told}");
    // One d12 has the mean 6.5, two d6 7, three d4 7.5.
    for dice in ["1d12", "2d6", "3d4"] {
        assert!(told.lines().any(|line| line.trim_start().starts_with(dice)), "{told}");
    }
    desk.run(&["seek", "dice", "{1..3}d6", "--so-that", "mean = 6.5 ± 0.25"])
        .refused(6, "None of 3 dice expressions fits");
    desk.run(&["seek", "dice", "{1..3}d6", "--so-that", "mean = 7 ± 1", "--prefer", "least steps"])
        .refused(2, "takes no --prefer");
}

#[test]
fn a_folder_has_the_designs_as_a_table_and_a_page() {
    let desk = desk("01_rout.toml", "bridgehead.rules");
    let told = desk.run(&["seek", "x.toml", "--out", "found"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let table = desk.read("found/designs.csv");
    let rows: Vec<&str> = table.lines().collect();
    // Two designs fit, and six numbers may change.
    assert_eq!(rows.len(), 3, "{table}");
    assert!(rows[0].starts_with("to_hit.close.0,to_hit.close.1,to_hit.close.3,"), "{table}");
    let page = desk.read("found/report.html");
    assert!(page.contains("2 of 3 750 designs fit") && page.contains("to_hit.close.1"), "{page}");
    let json: Json = serde_json::from_str(&desk.read("found/seek.json")).expect("JSON");
    assert_eq!(json["found"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_wanted_worth_is_found_in_an_arsenal() {
    let desk = desk("07_price.toml", "drill.rules");
    let text = desk.read("x.toml").replace("{ from = 1, to = 8 }", "[2, 3]");
    desk.write("x.toml", &text.replace("{ from = 0, to = 4,", "{ list = [1],"));
    let (code, told) = printed(&desk, &["seek", "x.toml"]);
    assert_eq!(code, Some(0), "{told}");
    // Two or three dice that hit on 2 to 6, with a save of 1.
    assert!(told.starts_with("2 of 10 variants of hero fit"), "{told}");
}

/// The answer in a folder, as JSON.
fn answer_in(desk: &Desk, folder: &str) -> String {
    let text = desk.read(&format!("{folder}/seek.json"));
    assert!(text.contains("\"found\""), "{folder}: {text}");
    text
}

#[test]
fn scopes_are_shards_and_their_merge_is_the_answer() {
    let desk = desk("05_walker.toml", "walker.rules");
    let told = desk.run(&["seek", "x.toml", "--out", "direct"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let planned = desk.run(&["sweep", "plan", "x.toml", "--cells-per-shard", "300"]);
    assert_eq!(planned.code, Some(0), "{planned:?}");
    assert!(planned.out.contains("a fence is work of one machine"), "{planned:?}");
    let status = desk.run(&["sweep", "status", "plan.json", "--parts", "parts", "--missing"]);
    let count = status.out.split_whitespace().count();
    assert!(count >= 3, "{status:?}");
    let last = (count - 1).to_string();
    assert_eq!(desk.run(&["sweep", "shard", "plan.json", &last, "--parts", "parts"]).code, Some(0));
    desk.run(&["sweep", "merge", "plan.json", "--parts", "parts", "--out", "early"])
        .refused(4, "have no part");
    // The last first, and the first twice.
    for shard in (0..count).rev().chain([0]) {
        let shard = shard.to_string();
        let done = desk.run(&["sweep", "shard", "plan.json", &shard, "--parts", "parts"]);
        assert_eq!(done.code, Some(0), "{done:?}");
    }
    let merged = desk.run(&["sweep", "merge", "plan.json", "--parts", "parts", "--out", "merged"]);
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert!(merged.out.starts_with("495 of 3 570 designs fit"), "{merged:?}");
    assert_eq!(answer_in(&desk, "merged"), answer_in(&desk, "direct"));
    assert_eq!(desk.read("merged/designs.csv"), desk.read("direct/designs.csv"));
    // All of it in one command.
    let run = desk.run(&["sweep", "run", "x.toml", "--out", "whole"]);
    assert_eq!((run.code, answer_in(&desk, "whole")), (Some(0), answer_in(&desk, "direct")));
    desk.run(&["sweep", "plan", "x.toml", "--trials", "1000"]).refused(2, "a search is exact");
}

#[test]
fn a_search_that_is_killed_goes_on_with_the_same_command() {
    let desk = desk("11_battle.toml", "battle.rules");
    let asked = ["seek", "x.toml", "--full", "--quiet", "--out"];
    let whole = desk.run(&[&asked[..], &["whole"]].concat());
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let journal = "found/unfinished.jsonl";
    let again = [&asked[..], &["found"]].concat();
    let lines = || desk.read(journal).lines().count();
    let killed = desk.start(&again);
    // A fast machine may be done before.
    let is_finished = || desk.path("found/seek.json").exists();
    let recorded = || desk.path(journal).exists() && lines() > 20;
    crate::desk::until("some cells are recorded", || recorded() || is_finished());
    if !is_finished() {
        killed.signal("-KILL");
        killed.ended();
        let told = desk.run(&again);
        assert_eq!(told.code, Some(0), "{told:?}");
    }
    assert_eq!(answer_in(&desk, "found"), answer_in(&desk, "whole"));
    assert!(!desk.path(journal).exists());
    // Without a folder the journal lies here, and only if the work was stopped.
    let stopped = desk.run(&["seek", "x.toml", "--full", "--quiet", "--within", "1s"]);
    let names = || {
        let files = std::fs::read_dir(desk.folder.path()).expect("a folder");
        let names = files.map(|file| file.expect("a file").file_name().into_string());
        names.filter(|name| name.as_ref().is_ok_and(|name| name.starts_with("seek-"))).count()
    };
    match stopped.code {
        // A fast machine is done within a second.
        Some(0) => assert_eq!(names(), 0),
        code => assert_eq!((code, names()), (Some(130), 1), "{stopped:?}"),
    }
    let told = desk.run(&["seek", "x.toml", "--full", "--quiet"]);
    assert_eq!((told.code, names()), (Some(0), 0), "{told:?}");
}

#[test]
fn a_page_has_a_picture_of_each_view() {
    let desk = desk("16_big.toml", "bridgehead.rules");
    let told = desk.run(&["seek", "x.toml", "--out", "found"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    let page = desk.read("found/report.html");
    for title in [
        "Wanted beside reached",
        "Always and open",
        "Changes against miss",
        "Which pairs fit",
        "One step from design 1",
        "One step: p_rout of lmg",
        "Shares of the variance: p_rout of lmg",
        "Designs by ",
    ] {
        // `subject_to` of this question lets numbers depend on each other.
        let is_there = page.contains(title);
        assert_eq!(is_there, !title.starts_with("Shares"), "{title}");
    }
    assert!(page.contains("No shares: subject_to and alike"), "{page}");
    for name in ["wanted", "values", "front", "map", "step-1"] {
        let picture = desk.read(&format!("found/charts/{name}.svg"));
        assert!(picture.starts_with("<svg") || picture.starts_with("<?xml"), "{name}");
    }
    assert!(std::fs::read(desk.path("found/scopes.parquet")).expect("it is there").len() > 1000);
    // Without conditions the shares of all numbers are drawn.
    let text = desk.read("x.toml");
    let conditions = text.lines().filter(|line| !line.starts_with("subject_to"));
    desk.write("x.toml", &conditions.collect::<Vec<_>>().join("\n"));
    let told = desk.run(&["seek", "x.toml", "--out", "free"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(desk.read("free/report.html").contains("Shares of the variance: p_rout of lmg"));
    // Where nothing fits, the wants that exclude each other are in the place of the designs.
    let desk = self::desk("10_exclude.toml", "");
    desk.run(&["seek", "x.toml", "--out", "found"]).refused(6, "None of 440 designs fits");
    let page = desk.read("found/report.html");
    assert!(page.contains("Wants that exclude each other") && page.contains("127"), "{page}");
}

#[test]
fn the_designs_are_a_table_and_a_text_too() {
    let desk = desk("01_rout.toml", "bridgehead.rules");
    desk.run(&["seek", "x.toml", "--out", "found"]);
    let (code, table) = printed(&desk, &["seek", "x.toml", "--format", "csv"]);
    assert_eq!((code, table), (Some(0), desk.read("found/designs.csv")));
    let (code, text) = printed(&desk, &["seek", "x.toml", "--format", "markdown"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("2 of 3 750 designs fit") && text.contains("| design |"), "{text}");
}

#[test]
fn three_wants_that_cannot_be_together_are_named_with_what_is_left() {
    let desk = desk("02_break.toml", "");
    let (code, told) = printed(&desk, &["seek", "x.toml"]);
    assert_eq!(code, Some(6), "{told}");
    let page = told.replace('\n', " ");
    assert!(page.contains("These three cannot be together, any two can: "), "{page}");
    let left = "Without the first 40 designs fit, without the second 16, without the third 26.";
    assert!(page.contains(left), "{page}");
}

#[test]
fn the_numbers_of_a_rulebook_are_listed() {
    let desk = desk("16_big.toml", "bridgehead.rules");
    let (code, told) = printed(&desk, &["rules", "inspect", "bridgehead.rules", "--numbers"]);
    assert_eq!(code, Some(0), "{told}");
    for line in ["to_hit.close.0 = 3", "weapons.lmg.shots = 3", "weapons.mortar.power = 2"] {
        assert!(told.lines().any(|own| own == line), "{line}\n{told}");
    }
}
