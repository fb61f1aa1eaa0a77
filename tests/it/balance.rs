//! Pricing from end to end: mixes and their clones, odd evidence, the command and its files.

use assert_cmd::Command;
use enfilade::pricing::evidence::{Battle, Evidence, Meeting, Model};
use enfilade::pricing::price::{Anchor, ByMix, Priced, Pricing, Settings, price};
use enfilade::report::balance::{Findings, blocks, folder, json};
use enfilade::report::blocks::{WRITERS, terminal};
use enfilade::report::files::Claim;
use enfilade::report::manifest::RunFacts;
use enfilade::report::terminal::Screen;
use serde_json::Value as Json;

use crate::harness::known::near_and_far;
use crate::known_prices::{Design, planted};

const DESIGN: Design = Design {
    weapons: 6,
    opponents: 3,
    scenarios: 2,
    between: 0.2,
    within: 0.1,
    common: 0.1,
    model: 0.05,
    assumptions: 1,
    trials: None,
    errors: &[1.0, 1.3, 0.7],
    scatter: 0.0,
    exponent: 1.0,
};

fn evidence() -> Evidence {
    planted(&DESIGN, 3).evidence
}

fn priced(evidence: &Evidence) -> Pricing {
    price(evidence, &Settings::default()).expect("the evidence is whole")
}

fn by_mix(weapon: &Priced) -> ByMix {
    weapon.priced().expect("it is priced").by_mix
}

/// The evidence with a copy of scenario `s` at its end.
fn with_scenario_twice(evidence: &Evidence, s: usize) -> Evidence {
    let mut twice = evidence.clone();
    let copy = evidence.scenarios.len();
    twice.scenarios.push(evidence.scenarios[s].clone());
    let same = evidence.battles.iter().filter(|battle| battle.scenario == s);
    twice.battles.extend(same.map(|battle| Battle { scenario: copy, ..battle.clone() }));
    twice
}

fn with_weapon_twice(evidence: &Evidence, w: usize) -> Evidence {
    let mut twice = evidence.clone();
    let copy = evidence.weapons.len();
    twice.weapons.push(evidence.weapons[w].clone());
    let same = evidence.battles.iter().filter(|battle| battle.weapon == w);
    twice.battles.extend(same.map(|battle| Battle { weapon: copy, ..battle.clone() }));
    twice
}

#[test]
fn a_scenario_written_twice_moves_the_uniform_mix_and_not_the_adversarial_one() {
    let evidence = evidence();
    let once = priced(&evidence);
    for s in 0..evidence.scenarios.len() {
        let twice = priced(&with_scenario_twice(&evidence, s));
        let mut moved = 0.0_f64;
        for (a, b) in once.weapons.iter().zip(&twice.weapons) {
            let (a, b) = (by_mix(a), by_mix(b));
            moved = moved.max((a.uniform / b.uniform - 1.0).abs());
            assert!((a.adversarial / b.adversarial - 1.0).abs() < 1e-9, "{s}");
            let (a, b) = (a.nash.expect("solved"), b.nash.expect("solved"));
            assert!((a / b - 1.0).abs() < 1e-6, "{s}: {a} {b}");
        }
        assert!(moved > 1e-3, "{s}: {moved}");
        let copies = twice.mixes.adversarial[s] + twice.mixes.adversarial.last().expect("one");
        assert!((copies - once.mixes.adversarial[s]).abs() < 1e-9);
    }
}

#[test]
fn a_weapon_written_twice_moves_no_mix() {
    let evidence = evidence();
    let once = priced(&evidence);
    for w in 0..evidence.weapons.len() {
        let twice = priced(&with_weapon_twice(&evidence, w));
        for (a, b) in once.mixes.adversarial.iter().zip(&twice.mixes.adversarial) {
            assert!((a - b).abs() < 1e-9, "{w}");
        }
        let (own, copy) = (&twice.weapons[w], twice.weapons.last().expect("one"));
        assert_eq!(own.priced(), copy.priced());
    }
}

/// By hand: one weapon worth 100 and 400 in two scenarios of weight 3 and 1, 1 and 3 points in
/// play. exp((3·ln 100 + ln 400)/4) = 100·√2; uniform 200; by points 100·4^(3/4) = 282.84.
#[test]
fn mixes_are_means_of_logarithms() {
    let mut evidence = evidence();
    evidence.weapons.truncate(1);
    evidence.scenarios.truncate(2);
    evidence.assumptions.clear();
    for (s, (weight, points)) in [(3.0, 1.0), (1.0, 3.0)].into_iter().enumerate() {
        evidence.scenarios[s].weight = weight;
        evidence.scenarios[s].points_in_play = Some(points);
        evidence.scenarios[s].opponent = format!("opponent {s}");
    }
    let own = |battle: &Battle| {
        battle.weapon == 0 && battle.scenario < 2 && battle.model == Model::Default
    };
    evidence.battles.retain(own);
    for battle in &mut evidence.battles {
        let worth = [100.0, 400.0][battle.scenario];
        let meeting = |(points, won)| Meeting { points, won, trials: None };
        battle.curve = [(0.5 * worth, 0.8), (worth, 0.5), (2.0 * worth, 0.2)].map(meeting).to_vec();
    }
    let pricing = priced(&evidence);
    let by_mix = by_mix(&pricing.weapons[0]);
    assert!((by_mix.designer - 100.0 * 2f64.sqrt()).abs() < 1e-9);
    assert!((by_mix.uniform - 200.0).abs() < 1e-9);
    assert!((by_mix.points.expect("given") - 282.842_712_474_619).abs() < 1e-9);
    // The opponent meets the weapon where it is worth least.
    assert!((by_mix.nash.expect("solved") - 100.0).abs() < 1e-6);
    assert!(by_mix.adversarial < 101.0);
    let shares = &pricing.weapons[0].priced().expect("priced").shares;
    assert_eq!((shares.opponents, shares.sampling, shares.line), (1.0, 0.0, 0.0));
}

#[test]
fn shares_add_up_and_say_where_the_doubt_is() {
    for (trials, weapons) in [(None, 6), (Some(40), 6), (None, 12)] {
        let design = Design { trials, weapons, ..DESIGN };
        let pricing = priced(&planted(&design, 5).evidence);
        for weapon in &pricing.weapons {
            let fair = weapon.priced().expect("it is priced");
            let (shares, judged) = (&fair.shares, fair.judged.expect("it has a price"));
            let levels = shares.sampling + shares.scenarios + shares.opponents;
            assert!((levels + shares.line + shares.model() - 1.0).abs() < 1e-12);
            assert_eq!(shares.sampling > 0.0, trials.is_some());
            assert_eq!(shares.line > 0.0, weapons > 8);
            assert!(fair.price.low <= fair.price.best && fair.price.best <= fair.price.high);
            let price = weapon.price.expect("it has one");
            assert!(
                (fair.suggested / price - 1.0).abs() <= 0.15 + 1e-12
                    || (fair.suggested - price).abs() <= 1.0
            );
            assert!(
                1 <= judged.rank.0 && judged.rank.0 <= judged.rank.1 && judged.rank.1 <= weapons
            );
        }
    }
}

/// Evidence with every curve replaced.
fn with_curves(curve: impl Fn(&Battle) -> Vec<Meeting>) -> Evidence {
    let mut evidence = evidence();
    for battle in &mut evidence.battles {
        battle.curve = curve(battle);
    }
    evidence
}

#[test]
fn odd_evidence_is_priced_or_refused_and_never_a_panic() {
    let flat = |won: f64, trials| {
        move |battle: &Battle| -> Vec<Meeting> {
            let meeting = |m: &Meeting| Meeting { points: m.points, won, trials };
            battle.curve.iter().map(meeting).collect()
        }
    };
    for won in [0.0, 0.5, 1.0] {
        for trials in [None, Some(1), Some(1_000_000)] {
            for weapon in priced(&with_curves(flat(won, trials))).weapons {
                let worth = weapon.worth;
                assert!(worth.best.is_finite() && worth.best > 0.0, "{won} {weapon:?}");
                assert!(worth.low.is_finite() && worth.high.is_finite());
                // A level curve says nothing.
                assert!(weapon.fair.is_err(), "{won} {weapon:?}");
            }
        }
    }
    let holed = with_curves(|battle| {
        let kept = battle.scenario > 0 || battle.weapon > 0;
        if kept { battle.curve.clone() } else { Vec::new() }
    });
    assert!(priced(&holed).notes[0].contains("was not fought in 1 of 6 scenarios"));
    let mut small = evidence();
    small.weapons.truncate(1);
    small.scenarios.truncate(1);
    small.battles.retain(|battle| battle.weapon == 0 && battle.scenario == 0);
    let alone = &priced(&small).weapons[0];
    let judged = alone.judged().expect("it has a price");
    assert_eq!((judged.rank, judged.verdict.word()), ((1, 1), "cannot tell"));
}

#[test]
fn evidence_that_cannot_be_priced_is_refused_with_its_reason() {
    let refused = |change: fn(&mut Evidence), anchor: Anchor| {
        let mut evidence = evidence();
        change(&mut evidence);
        let settings = Settings { anchor: Some(anchor), ..Settings::default() };
        let error = price(&evidence, &settings).expect_err("it cannot be priced");
        error.to_string()
    };
    let reference = |change| refused(change, Anchor::Reference);
    assert!(reference(|e| e.weapons.clear()).contains("at least one weapon"));
    assert!(reference(|e| e.weapons[2].price = Some(0.0)).contains("\"weapon 2\" must be above 0"));
    assert!(reference(|e| e.weapons[2].price = Some(f64::NAN)).contains("above 0"));
    assert!(reference(|e| e.scenarios.iter_mut().for_each(|s| s.weight = 0.0)).contains("not all"));
    assert!(reference(|e| e.battles.clear()).contains("no battle to price"));
    assert!(refused(|_| (), Anchor::Arsenal).contains("it takes 9"));
}

fn findings<'a>(evidence: &'a Evidence, pricing: &'a Pricing, name: &'a str) -> Findings<'a> {
    Findings {
        name,
        question: Some("Is it <worth> it?"),
        prediction: None,
        seed: 1,
        evidence,
        pricing,
        only: None,
    }
}

#[test]
fn every_form_says_what_a_price_does_not_see_and_is_clean() {
    let mut evidence = evidence();
    evidence.weapons[0].name = "evil\u{1b}[31m|<script>".to_owned();
    evidence.scenarios[0].name = "evil\u{202e}".to_owned();
    let pricing = priced(&evidence);
    let findings = findings(&evidence, &pricing, "arsenal\u{7}");
    let told = blocks(&findings, Vec::new());
    let forms = [
        terminal::write(&told, Screen::PLAIN),
        terminal::write(&told, Screen { bold: false, ascii: false, width: 60 }),
        (WRITERS[0].write)(&told),
        json::render(&findings),
        (WRITERS[1].write)(&told),
    ];
    for form in &forms {
        for unseen in ["manoeuvre", "objectives", "command", "the players"] {
            assert!(form.contains(unseen), "{unseen}");
        }
        assert!(form.chars().all(|c| c == '\n' || !c.is_control()), "{form}");
    }
    let widest = forms[1].lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(60), "{widest:?}\n{}", forms[1]);
    // The page loads and runs nothing, and begins with what a designer decides by.
    assert!(!forms[4].contains("<script") && forms[4].contains("default-src 'none'"));
    let place = |what: &str| forms[4].find(what).expect("it is there");
    assert!(place("best guess") < place("What these prices do not see"));
    assert!(place("What these prices do not see") < place("Nash"));
    assert!(!forms[2].contains("<script>") && forms[2].contains("Is it &lt;worth&gt; it?"));
}

#[test]
fn a_folder_holds_everything_with_its_hash() {
    let evidence = evidence();
    let pricing = priced(&evidence);
    let prediction = Some("One line\nand another.");
    let findings = Findings { prediction, ..findings(&evidence, &pricing, "planted") };
    let facts = RunFacts {
        command: vec!["enfilade".to_owned(), "balance".to_owned()],
        build: enfilade::BUILD,
        input: None,
        started: std::time::SystemTime::UNIX_EPOCH,
        taken: std::time::Duration::ZERO,
        identity: None,
    };
    let out = tempfile::TempDir::new().expect("a temporary folder");
    let claim = Claim::freely(out.path()).expect("nobody has it");
    let written = folder::write(&claim, &findings, &facts).expect("written");
    let names: Vec<&str> = written.files.iter().map(|file| file.name.as_str()).collect();
    for name in
        ["weapons.csv", "cells.csv", "meetings.csv", "balance.json", "summary.md", "report.html"]
    {
        assert!(names.contains(&name), "{names:?}");
    }
    assert_eq!(names.last(), Some(&"manifest.json"));
    let page = std::fs::read_to_string(out.path().join("report.html")).expect("readable");
    assert_eq!(page.matches("<article class=\"card\">").count(), 6);
    assert!(page.find("What it should cost") < page.find("Price cards"));
    assert!(page.contains("<strong>Prediction.</strong> One line and another."));
    assert!(page.contains("Best guess at the ends of an assumption") && !page.contains("<script"));
    // One assumption moves these: as it is written, and at both ends, each a table of six weapons with
    // numbers that the table of ends has too.
    assert_eq!(page.matches("type=\"radio\"").count(), 3);
    assert_eq!(page.matches(" checked>").count(), 1);
    let (_, switch) = page.split_once("<div class=\"choices\">").expect("there is a switch");
    let (switch, _) = switch.split_once("</div>\n</div>").expect("it is closed");
    let shown: Vec<&str> = switch.split("<tbody>").skip(1).collect();
    assert_eq!(shown.len(), 3);
    let (_, ends) = page.split_once("<caption>Best guess at the ends").expect("a table");
    let rows = |table: &str| -> Vec<Vec<String>> {
        let (table, _) = table.split_once("</tbody>").expect("it is closed");
        let cells = |row: &str| {
            row.split("<td>")
                .skip(1)
                .map(|cell| cell[..cell.find('<').expect("closed")].to_owned())
                .collect()
        };
        table.split("<tr>").skip(1).map(cells).collect()
    };
    let ends = rows(ends.split_once("<tbody>").expect("it has rows").1);
    for (place, table) in shown.iter().enumerate() {
        let guesses: Vec<String> = rows(table).into_iter().map(|row| row[1].clone()).collect();
        let expected: Vec<String> = ends.iter().map(|row| row[place].clone()).collect();
        assert_eq!((guesses.len(), guesses), (6, expected));
    }
    let cells = std::fs::read_to_string(out.path().join("cells.csv")).expect("readable");
    // 6 weapons in 6 scenarios under the default and two ends of one assumption.
    assert_eq!(cells.lines().count(), 1 + 6 * 6 * 3);
    for kind in
        ["price-against-worth", "prices", "mixes", "sensitivity", "scenarios", "indifference"]
    {
        assert!(names.iter().any(|name| name.contains(kind)), "{kind}: {names:?}");
    }
}

fn small() -> String {
    let weapons = "[[weapon]]\nname = 'LMG'\n[[weapon]]\nname = 'rifle'\nprice = 4000";
    near_and_far("small", weapons)
}

fn balance(arguments: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("enfilade").expect("it is built");
    command.args(["balance", "-", "--quiet"]).args(arguments);
    command.write_stdin(small()).output().expect("it runs")
}

#[test]
fn the_command_prices_an_arsenal_the_same_on_every_number_of_threads() {
    let one = balance(&["--format", "json", "--threads", "1"]);
    assert!(one.status.success(), "{}", String::from_utf8_lossy(&one.stderr));
    assert_eq!(one.stdout, balance(&["--format", "json", "--threads", "3"]).stdout);
    let document: Json = serde_json::from_slice(&one.stdout).expect("it is JSON");
    let keys = [
        "name",
        "price",
        "worth",
        "floor",
        "fair",
        "low",
        "high",
        "suggested",
        "verdict",
        "value_by_mix",
        "points_denied",
        "durability",
        "copies",
        "rank",
        "variance_share",
    ];
    for weapon in document["weapons"].as_array().expect("a list") {
        for key in keys {
            assert!(!weapon[key].is_null(), "{key}: {weapon}");
        }
        assert_eq!(weapon["copies"].as_array().map(Vec::len), Some(3));
    }
    // A rifle among riflemen is worth what theirs cost; two opponents are too few for a verdict.
    let rifle = &document["weapons"][1];
    let worth = rifle["worth"]["best"].as_f64().expect("a number");
    assert!((worth - 159.0).abs() < 1e-9);
    assert_eq!(rifle["fair"], rifle["worth"]["best"]);
    assert_eq!((&rifle["verdict"], &rifle["suggested"]), (&"cannot tell".into(), &4000.0.into()));
    assert_eq!(document["scenarios"].as_array().map(Vec::len), Some(2));
    assert!(document["exchange"].get("pin_per_kill").is_some());
}

#[test]
fn the_command_writes_a_folder_and_refuses_what_is_wrong() {
    let out = tempfile::TempDir::new().expect("a temporary folder");
    let folder = out.path().join("prices");
    let done = balance(&["--out", folder.to_str().expect("a name")]);
    assert!(done.status.success());
    let page = String::from_utf8(done.stdout).expect("text");
    assert!(page.contains("What these prices do not see") && page.contains("report.html"));
    assert!(folder.join("manifest.json").exists());
    let summary = std::fs::read_to_string(folder.join("summary.md")).expect("readable");
    assert!(summary.contains("## Why") && summary.contains("manoeuvre"));
    let refused = balance(&["--anchor", "arsenal"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("it takes 9"));
}

/// One weapon alone is told in one row, with the same best guess; its range may be wider.
#[test]
fn one_weapon_can_be_asked_for_alone() {
    let all = balance(&["--format", "json"]);
    let one = balance(&["--format", "json", "--only", "Rifle"]);
    let weapons = |output: &std::process::Output| {
        let document: Json = serde_json::from_slice(&output.stdout).expect("it is JSON");
        document["weapons"].as_array().expect("a list").clone()
    };
    let (all, one) = (weapons(&all), weapons(&one));
    assert_eq!((one.len(), &one[0]["name"]), (1, &"rifle".into()));
    assert_eq!((&one[0]["fair"], &one[0]["worth"]), (&all[1]["fair"], &all[1]["worth"]));
    let wrong = balance(&["--only", "rifel"]);
    assert_eq!(wrong.status.code(), Some(2));
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(said.contains("did you mean \"rifle\"?"), "{said}");
}
