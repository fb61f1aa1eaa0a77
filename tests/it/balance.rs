//! Pricing from end to end: odd evidence, the first screen, the command and its files.

use assert_cmd::Command;
use enfilade::pricing::evidence::{BattleEvidence, BattlePoint, WeaponBattle};
use enfilade::pricing::price::{ArsenalPrices, PricingSettings, prices_from_evidence};
use enfilade::report::blocks::{WIDTHLESS_BLOCK_FORMATS, terminal};
use enfilade::report::folder::manifest::RunFacts;
use enfilade::report::folder::staging::FolderClaim;
use enfilade::report::pricing::{
    PriceFindings, build_first_screen, build_full_price_report, price_folder, prices_json,
};
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

fn evidence() -> BattleEvidence {
    planted(&DESIGN, 3).evidence
}

fn priced(evidence: &BattleEvidence) -> ArsenalPrices {
    prices_from_evidence(evidence, &PricingSettings::default()).expect("the evidence is whole")
}

/// A scenario written twice against the same opponent, at half of its weight each, is that
/// scenario.
#[test]
fn a_scenario_written_twice_is_the_same_scenario() {
    let evidence = evidence();
    let once = priced(&evidence);
    for s in 0..evidence.scenarios.len() {
        let mut twice = evidence.clone();
        let copy = evidence.scenarios.len();
        twice.scenarios[s].weight *= 0.5;
        twice.scenarios.push(twice.scenarios[s].clone());
        let same = evidence.battles.iter().filter(|battle| battle.scenario == s);
        twice.battles.extend(same.map(|battle| WeaponBattle { scenario: copy, ..battle.clone() }));
        for (a, b) in once.weapons.iter().zip(&priced(&twice).weapons) {
            let [a, b] =
                [a, b].map(|weapon| weapon.even_price_if_any().expect("it is priced").price);
            assert!((a.best / b.best - 1.0).abs() < 1e-9, "{s}");
            assert!((a.high / b.high - 1.0).abs() < 1e-9, "{s}");
        }
    }
}

/// Evidence with every curve replaced.
fn with_curves(curve: impl Fn(&WeaponBattle) -> Vec<BattlePoint>) -> BattleEvidence {
    let mut evidence = evidence();
    for battle in &mut evidence.battles {
        battle.curve = curve(battle);
    }
    evidence
}

#[test]
fn odd_evidence_is_priced_or_refused_and_never_a_panic() {
    let flat = |won: f64, trials| {
        move |battle: &WeaponBattle| -> Vec<BattlePoint> {
            let meeting = |m: &BattlePoint| BattlePoint { points: m.points, won, trials };
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
                assert!(weapon.even.is_err(), "{won} {weapon:?}");
            }
        }
    }
    let mut small = evidence();
    small.weapons.truncate(1);
    small.scenarios.truncate(1);
    small.battles.retain(|battle| battle.weapon == 0 && battle.scenario == 0);
    let alone = &priced(&small).weapons[0];
    assert_eq!(
        alone.finding_on_price().expect("it has a price").verdict.label_in_reports(),
        "open"
    );
}

#[test]
fn evidence_that_cannot_be_priced_is_refused_with_its_reason() {
    let refused = |change: fn(&mut BattleEvidence)| {
        let mut evidence = evidence();
        change(&mut evidence);
        let error = prices_from_evidence(&evidence, &PricingSettings::default())
            .expect_err("it cannot be priced");
        error.to_string()
    };
    assert!(refused(|e| e.weapons.clear()).contains("at least one weapon"));
    assert!(refused(|e| e.weapons[2].price = Some(0.0)).contains("\"weapon 2\" must be above 0"));
    assert!(refused(|e| e.weapons[2].price = Some(f64::NAN)).contains("above 0"));
    assert!(refused(|e| e.scenarios.iter_mut().for_each(|s| s.weight = 0.0)).contains("not all"));
    assert!(refused(|e| e.battles.clear()).contains("no battle to price"));
    let missing =
        |e: &mut BattleEvidence| e.battles.retain(|battle| battle.scenario + battle.weapon > 0);
    assert!(refused(missing).contains("no battle to price \"weapon 0\""));
}

fn findings<'a>(
    evidence: &'a BattleEvidence,
    pricing: &'a ArsenalPrices,
    name: &'a str,
) -> PriceFindings<'a> {
    PriceFindings {
        name,
        question: Some("Is it <worth> it?"),
        prediction: None,
        seed: 1,
        evidence,
        pricing,
        only: None,
        lists: None,
    }
}

#[test]
fn every_form_says_what_a_price_does_not_see_and_is_clean() {
    let mut evidence = evidence();
    evidence.weapons[0].name = "evil\u{1b}[31m|<script>".to_owned();
    evidence.scenarios[0].name = "evil\u{202e}".to_owned();
    let pricing = priced(&evidence);
    let findings = findings(&evidence, &pricing, "arsenal\u{7}");
    let told = build_full_price_report(&findings, Vec::new());
    let forms = [
        terminal::text_for_terminal(&told, Screen::FOR_FILE),
        terminal::text_for_terminal(&told, Screen { bold: false, ascii: false, width: 60 }),
        (WIDTHLESS_BLOCK_FORMATS[0].write)(&told),
        prices_json::render_prices_json(&findings),
        (WIDTHLESS_BLOCK_FORMATS[1].write)(&told),
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
    assert!(place("weapon 3") < place("What these prices do not see"));
    assert!(place("What these prices do not see") < place("All numbers"));
    assert!(!forms[2].contains("<script>") && forms[2].contains("Is it &lt;worth&gt; it?"));
}

#[test]
fn a_folder_holds_everything_with_its_hash() {
    let evidence = evidence();
    let pricing = priced(&evidence);
    let prediction = Some("One line\nand another.");
    let findings = PriceFindings { prediction, ..findings(&evidence, &pricing, "planted") };
    let facts = RunFacts {
        command: vec!["enfilade".to_owned(), "balance".to_owned()],
        build: enfilade::PROGRAM_BUILD_ID,
        input: None,
        started: std::time::SystemTime::UNIX_EPOCH,
        duration: std::time::Duration::ZERO,
        identity: None,
    };
    let out = tempfile::TempDir::new().expect("a temporary folder");
    let claim = FolderClaim::claim_to_overwrite_all(out.path()).expect("nobody has it");
    let written = price_folder::write_pricing_folder(&claim, &findings, &facts).expect("written");
    let names: Vec<&str> = written.files.iter().map(|file| file.name.as_str()).collect();
    for name in
        ["weapons.csv", "cells.csv", "meetings.csv", "balance.json", "summary.md", "report.html"]
    {
        assert!(names.contains(&name), "{names:?}");
    }
    assert_eq!(names.last(), Some(&"manifest.json"));
    let page = std::fs::read_to_string(out.path().join("report.html")).expect("readable");
    // A row for each weapon, which opens its reason, right below the heading.
    assert_eq!(page.matches("<summary>").count(), 6);
    assert!(page.find("<summary>") < page.find("What these prices do not see"));
    assert!(page.contains("<strong>Prediction.</strong> One line and another."));
    assert!(page.contains("surely between") && !page.contains("<script"));
    // One assumption moves these: as it is written, and at both ends, each a table of six weapons
    // whose prices at the ends are those of the document.
    assert_eq!(page.matches("type=\"radio\"").count(), 3);
    assert_eq!(page.matches(" checked>").count(), 1);
    let (_, switch) = page.split_once("<div class=\"choices\">").expect("there is a switch");
    let (switch, _) = switch.split_once("</div>\n</div>").expect("it is closed");
    let shown: Vec<&str> = switch.split("<tbody>").skip(1).collect();
    assert_eq!(shown.len(), 3);
    let column = |table: &str| -> Vec<f64> {
        let cell = |row: &str| {
            let cell = row.split("<td>").nth(2).expect("an even price");
            cell[..cell.find('<').expect("closed")].parse().expect("a number")
        };
        let (rows, _) = table.split_once("</tbody>").expect("it is closed");
        rows.split("<tr>").skip(1).map(cell).collect()
    };
    let told = std::fs::read_to_string(out.path().join("balance.json")).expect("readable");
    let told: Json = serde_json::from_str(&told).expect("it is JSON");
    let weapons = told["weapons"].as_array().expect("a list");
    for (place, table) in shown.iter().enumerate() {
        let prices = column(table);
        assert_eq!(prices.len(), 6);
        for (shown, weapon) in prices.iter().zip(weapons) {
            let exact = match place {
                0 => &weapon["even"],
                end => &weapon["assumptions"]["assumption 0"][end - 1],
            };
            let exact = exact.as_f64().expect("a number");
            assert!((shown / exact - 1.0).abs() < 0.03, "{place}: {shown} {exact}");
        }
    }
    let cells = std::fs::read_to_string(out.path().join("cells.csv")).expect("readable");
    // 6 weapons in 6 scenarios under the default and two ends of one assumption.
    assert_eq!(cells.lines().count(), 1 + 6 * 6 * 3);
    for kind in ["prices", "scenarios", "battles"] {
        assert!(names.iter().any(|name| name.contains(kind)), "{kind}: {names:?}");
    }
    let weapons = std::fs::read_to_string(out.path().join("weapons.csv")).expect("readable");
    assert_eq!(weapons.lines().next().expect("a head").split(',').count(), 16);
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
        "name", "price", "worth", "floor", "even", "low", "high", "low90", "high90", "shown",
        "verdict", "eighth",
    ];
    for weapon in document["weapons"].as_array().expect("a list") {
        for key in keys {
            assert!(!weapon[key].is_null(), "{key}: {weapon}");
        }
    }
    // A rifle among riflemen is worth what theirs cost; two opponents are too few for a verdict.
    let rifle = &document["weapons"][1];
    let worth = rifle["worth"]["best"].as_f64().expect("a number");
    assert!((worth - 159.0).abs() < 1e-9);
    assert_eq!(rifle["even"], rifle["worth"]["best"]);
    assert_eq!((&rifle["verdict"], &document["scale"]), (&"open".into(), &Json::Null));
    assert_eq!(document["schema"], 4);
    assert_eq!(document["scenarios"].as_array().map(Vec::len), Some(2));
}

#[test]
fn the_command_writes_a_folder_and_refuses_what_is_wrong() {
    let out = tempfile::TempDir::new().expect("a temporary folder");
    let folder = out.path().join("prices");
    let done = balance(&["--out", folder.to_str().expect("a name")]);
    assert!(done.status.success());
    let page = String::from_utf8(done.stdout).expect("text");
    assert!(page.contains("unit") && page.contains("report.html"), "{page}");
    let all = String::from_utf8(balance(&["--all"]).stdout).expect("text");
    assert!(all.contains("What these prices do not see") && all.contains("All numbers"), "{all}");
    assert!(folder.join("manifest.json").exists());
    let summary = std::fs::read_to_string(folder.join("summary.md")).expect("readable");
    assert!(summary.contains("It counts for") && summary.contains("manoeuvre"));
    // An option of old is read, does nothing and says so.
    let old = balance(&["--anchor", "arsenal"]);
    assert!(old.status.success());
    assert!(String::from_utf8_lossy(&old.stderr).contains("--anchor has no effect any more"));
}

/// The first screen: what is wrong, in words, then a line each with its bar, none wider than the
/// screen.
#[test]
fn the_first_screen_says_what_is_wrong_and_draws_the_ranges() {
    let design = Design { weapons: 12, opponents: 6, errors: &[1.0, 1.0, 3.0], ..DESIGN };
    let evidence = planted(&design, 4).evidence;
    let pricing = priced(&evidence);
    let findings = findings(&evidence, &pricing, "planted");
    for width in [80, 100, 60] {
        let page = terminal::text_for_terminal(
            &build_first_screen(&findings),
            Screen { bold: false, ascii: false, width },
        );
        assert!(page.lines().all(|line| line.chars().count() <= width), "{page}");
        let wrong = pricing
            .weapons
            .iter()
            .filter(|w| w.verdict_on_price().is_some_and(|v| v.is_price_wrong()));
        let names: Vec<&str> = wrong.map(|weapon| weapon.name.as_str()).collect();
        assert!(!names.is_empty() && page.contains("wrong beyond doubt"), "{page}");
        let (head, reasons) = page.split_once("\nunit ").expect("there is a table");
        assert!(head.lines().count() < 12, "{page}");
        for name in &names {
            assert!(reasons.contains(&format!("{name}: ")), "{name} has no reason: {page}");
        }
        assert_eq!(page.contains('━'), width >= 80, "{page}");
        let before = page.lines().position(|line| line.starts_with(&format!("{}: ", names[0])));
        assert!(before.is_none_or(|line| line <= 40), "{page}");
        for old in ["guess", "try", "fair", "reference"] {
            let said = page.split(|c: char| !c.is_alphabetic()).any(|word| word == old);
            assert!(!said, "{old}: {page}");
        }
    }
}

/// One weapon alone is told in one row, with the same even price; its range may be wider.
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
    assert_eq!((&one[0]["even"], &one[0]["worth"]), (&all[1]["even"], &all[1]["worth"]));
    let wrong = balance(&["--only", "rifel"]);
    assert_eq!(wrong.status.code(), Some(2));
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(said.contains("did you mean \"rifle\"?"), "{said}");
}

#[test]
fn the_catalogue_lists_what_an_arsenal_may_say() {
    let said = |id: &str| {
        let mut program = assert_cmd::Command::cargo_bin("enfilade").expect("it is built");
        let output = program.args(["systems", id]).output().expect("it runs");
        String::from_utf8(output.stdout).expect("it is text")
    };
    let skirmishers = said("skirmishers");
    for wanted in ["weapon.price", "scenario.target.troopers", "attention", "arc  [1, 2, 4]"] {
        assert!(skirmishers.contains(wanted), "{wanted}");
    }
    // Any number may be a weight, also 0.3.
    assert!(skirmishers.contains("a number, 0 to 1000000; may be left out"));
    assert!(said("asl").contains("rally  [0.17, 0.42, 0.72]"));
}
