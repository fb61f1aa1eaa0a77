//! What is said of prices: the first screen, every form of the whole report, and a folder.

use enfilade_pricing::evidence::BattleEvidence;
use enfilade_pricing::price::{ArsenalPrices, PricingSettings, prices_from_evidence};
use enfilade_report::blocks::{WIDTHLESS_BLOCK_FORMATS, terminal};
use enfilade_report::folder::manifest::RunFacts;
use enfilade_report::folder::staging::FolderClaim;
use enfilade_report::pricing::{
    PriceFindings, build_first_screen, build_full_price_report, price_folder, prices_json,
};
use enfilade_report::terminal::TerminalCapabilities;
use enfilade_study::checkpoint::journal::BuildId;
use serde_json::Value as Json;

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
        terminal::text_for_terminal(&told, TerminalCapabilities::FOR_FILE),
        terminal::text_for_terminal(
            &told,
            TerminalCapabilities { bold: false, ascii: false, width: 60 },
        ),
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
        build: BuildId("a test"),
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
            TerminalCapabilities { bold: false, ascii: false, width },
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
