//! A rulebook that is not built in, through every command and every output: `examples/toy` alone in
//! its catalogue. Nothing outside its file knows a word of it.

use std::path::Path;

use clap::Parser;
use enfilade::catalogue::{Catalogue, System};
use enfilade::cli::{CliArgs, OutputAndError};
use enfilade::error::{InputError, StudyError};
use enfilade::pricing::arsenal::Arsenal;
use enfilade::study::experiment::Experiment;
use enfilade_testkit::toy::CATALOGUE;
use serde_json::Value as Json;
use tempfile::TempDir;

const GRID: &str = "name = 'volleys'\ntrials = 100_000\n[[contest]]\nsystem = 'toy'\naction = 'volley'\n\
    shots = { from = 1, to = 3 }\nin_cover = [false, true]\nmodels = 3\npoints = 40\n";

const ONE: &str = "trials = 100_000\n[[contest]]\nsystem = 'toy'\naction = 'volley'\n";

fn run(arguments: &[&str]) -> Result<OutputAndError, enfilade::error::Error> {
    let arguments = [&["toy"], arguments].concat();
    let cli = CliArgs::try_parse_from(&arguments).unwrap_or_else(|e| panic!("{arguments:?}: {e}"));
    cli.command.run_command(&CATALOGUE)
}

fn page(arguments: &[&str]) -> String {
    let page = run(arguments).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    assert!(page.error.is_none(), "{arguments:?}");
    String::from_utf8(page.output).expect("it is text")
}

/// A folder with the two files.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("there is room");
    std::fs::write(folder.path().join("grid.toml"), GRID).expect("it can be written");
    std::fs::write(folder.path().join("one.toml"), ONE).expect("it can be written");
    folder
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("plain").to_owned()
}

#[test]
fn it_is_listed_told_and_completed() {
    let listed = page(&["systems"]);
    assert!(listed.contains("toy") && !listed.contains("asl"), "{listed}");
    let told = page(&["systems", "toy"]);
    for words in ["== toy volley:", "in_cover", "sd_lost", "p_lose_3", "== units (3)"] {
        assert!(told.contains(words), "{words}\n{told}");
    }
    let json: Json =
        serde_json::from_str(&page(&["systems", "toy", "--format", "json"])).expect("JSON");
    let volley = &json["systems"][0]["actions"][1];
    assert_eq!(volley["question"], "How often do {shots|some} shots break {models|some} models?");
    assert_eq!(volley["fields"][5]["label"], "cover");
    assert_eq!(volley["fields"][5]["values"], serde_json::json!(["in the open", "in cover"]));
    assert_eq!(volley["outcome"][0]["harm"]["word"], "break");
    let schema: Json = serde_json::from_str(&page(&["schema"])).expect("JSON");
    let fields = &schema["$defs"]["toy.volley"]["properties"];
    assert_eq!(fields["in_cover"]["title"], "cover");
    assert!(schema["$defs"].get("asl.fire").is_none());
    for shell in ["bash", "zsh", "fish"] {
        let script = page(&["completions", shell]);
        assert!(script.contains("toy") && !script.contains("skirmishers"), "{shell}");
    }
    let unknown =
        run(&["systems", "asl"]).map(|page| page.output).expect_err("it is not in this catalogue");
    assert!(unknown.to_string().contains("there is toy"), "{unknown}");
}

/// By hand: of three dice at 4+ two or more hit in half of all cases, and then both models are
/// gone.
#[test]
fn its_odds_are_told_in_every_format() {
    let folder = folder();
    let one = path(&folder, "one.toml");
    let table = page(&["odds", &one, "--fractions", "--quiet"]);
    assert!(table.contains("2 or more lost %") && table.contains("1/2"), "{table}");
    let json: Json =
        serde_json::from_str(&page(&["odds", &one, "--format", "json", "--quiet"])).expect("JSON");
    let text = json.to_string();
    assert!(text.contains("\"system\":\"toy\"") && text.contains("q90_lost"), "{text}");
    let csv = page(&["odds", &one, "--format", "csv", "--quiet"]);
    assert!(csv.contains("p_break_exact") && csv.contains(",toy,volley,"), "{csv}");
    let markdown = page(&["odds", &one, "--format", "markdown", "--quiet"]);
    assert!(markdown.contains("| models lost on average |"), "{markdown}");
    let told = page(&["explain", &one, "--dice", "4,2,6"]);
    assert!(told.contains("4 against 4: a model is lost [V1]"), "{told}");
    assert!(told.contains("outcome: 2 models lost"), "{told}");
    let compared = page(&["compare", &one, &path(&folder, "one.toml"), "--quiet"]);
    assert!(compared.contains("Nothing was changed."), "{compared}");
}

/// The stack is the rulebook's: the worst first, "break" above "lose models".
#[test]
fn its_cards_have_its_stack() {
    let folder = folder();
    let grid = path(&folder, "grid.toml");
    let card = page(&["table", &grid, "--format", "markdown", "--quiet"]);
    let band = |word: &str| card.find(&format!("| {word} |")).expect(word);
    assert!(
        band("break") < band("lose models") && band("lose models") < band("no effect"),
        "{card}"
    );
    for words in ["models lost (V1)", "7 cannot be rolled (V2)", "low is good", "(toy)"] {
        assert!(card.contains(words), "{words}\n{card}");
    }
    for format in ["csv", "html", "svg"] {
        assert!(
            page(&["table", &grid, "--format", format, "--quiet"]).contains("lose models"),
            "{format}"
        );
    }
    #[cfg(feature = "pdf")]
    {
        let pdf = path(&folder, "card.pdf");
        page(&["table", &grid, "--out", &pdf, "--quiet"]);
        assert!(std::fs::read(pdf).expect("it was written").starts_with(b"%PDF"));
    }
}

#[test]
fn its_run_has_tables_charts_and_a_page() {
    let folder = folder();
    let out = path(&folder, "out");
    page(&["run", &path(&folder, "grid.toml"), "--out", &out, "--quiet"]);
    let read = |name: &str| std::fs::read_to_string(Path::new(&out).join(name)).expect(name);
    assert!(read("summary.md").contains("toy volley"));
    assert!(read("cells.csv").contains("sd_lost_exact"));
    assert!(read("outcomes.csv").starts_with("contest,cell,shots,"));
    let html = read("report.html");
    assert!(html.contains("toy: One die") && html.contains("<li>wind</li>"));
    assert!(read("charts/1-heatmap-p_break.svg").contains("breaks"));
    #[cfg(feature = "parquet")]
    assert!(Path::new(&out).join("cells.parquet").exists());
    let kept = page(&["verify", &out]);
    assert!(kept.contains("are unchanged"), "{kept}");
}

/// One stack for every number of shots, the worst outcome on top, as the rulebook grades them.
#[test]
fn its_pictures_have_its_order() {
    let folder = folder();
    let file = path(&folder, "bars.toml");
    let bars =
        format!("{ONE}shots = [2, 3, 4]\nmodels = 3\n[[chart]]\nkind = \"bars\"\nx = \"shots\"\n");
    std::fs::write(&file, bars).expect("it can be written");
    let out = path(&folder, "bars");
    page(&["run", &file, "--out", &out, "--quiet"]);
    let charts = Path::new(&out).join("charts");
    let svg = std::fs::read_to_string(charts.join("1-bars.svg")).expect("it is drawn");
    let place =
        |said: &str| svg.rfind(&format!(">{said}<")).unwrap_or_else(|| panic!("{said}: {svg}"));
    let from_top = ["break", "lose models: 3", "lose models: 2", "lose models: 1", "no effect"];
    let places = from_top.map(place);
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(charts.join("1-bars.png").exists(), cfg!(feature = "png"));
}

#[test]
fn it_is_compared_in_every_format() {
    let folder = folder();
    let one = path(&folder, "one.toml");
    let other = path(&folder, "other.toml");
    std::fs::write(&other, format!("{ONE}needed = 5\n")).expect("it can be written");
    for (format, said) in [
        ("table", "to hit from 4 to 5"),
        ("markdown", "to hit from 4 to 5"),
        ("json", "\"q90_lost\""),
        ("csv", "sd_lost"),
    ] {
        let told = page(&["compare", &one, &other, "--format", format, "--quiet"]);
        assert!(told.contains(said), "{format}: {told}");
    }
    let out = path(&folder, "compared");
    page(&["compare", &one, &other, "--out", &out, "--quiet"]);
    let written = std::fs::read_to_string(Path::new(&out).join("compare.csv"));
    assert!(written.expect("it is written").contains("p_break"));
}

#[test]
fn its_engines_agree() {
    let verdict = page(&["verify", "--system", "toy", "--trials", "1000000", "--quiet"]);
    assert!(verdict.contains("3 of 3 contests agree"), "{verdict}");
}

#[test]
fn what_it_does_not_price_is_said() {
    let text = "system = 'toy'\n[[weapon]]\nname = 'a'\nprice = 3\n[[scenario]]\nname = 'b'\n";
    let unpriced =
        Catalogue::from_rulebooks([System { pricing: None, ..enfilade_testkit::toy::toy() }]);
    let refused =
        Arsenal::read_arsenal_text(&unpriced, "x.toml", text).expect_err("it has no prices");
    let said = format!("{refused:?}");
    assert!(said.contains("toy cannot be priced"), "{said}");
}

/// The program of `examples/toy` is this function with another catalogue.
#[test]
fn a_program_of_its_own_is_one_call() {
    let code = enfilade::cli::run_program(&CATALOGUE, ["toy", "systems"]);
    assert_eq!(format!("{code:?}"), format!("{:?}", std::process::ExitCode::SUCCESS));
}

/// Whoever asks one rulebook waits for no other; the names of all are known.
#[test]
fn a_rulebook_that_nobody_asks_for_is_not_made() {
    let asl = (**crate::built_in().rulebook_by_id("asl").expect("it is built in")).clone();
    let catalogue = Catalogue::default()
        .with_lazy_system("never", || panic!("nobody asked for it"))
        .with_rulebook(asl);
    let fire = |system: &str| {
        let text = format!(
            "[[contest]]\nsystem = '{system}'\naction = 'fire'\nfp = 8\n\
             target = {{ kind = 'squad', morale = 7 }}\n"
        );
        Experiment::read_experiment_text(&catalogue, "x.toml", &text)
    };
    assert_eq!(fire("asl").expect("it is in order").cells.len(), 1);
    let Err(StudyError::Input(InputError { faults, .. })) = fire("nevver") else {
        panic!("there is none")
    };
    assert_eq!(faults[0].fault.help.as_deref(), Some("did you mean \"never\"?"));
    assert_eq!(catalogue.rulebook_ids().collect::<Vec<_>>(), ["never", "asl"]);
    assert!(catalogue.sole_text_rulebook().is_none());
}
