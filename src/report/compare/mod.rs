//! Two experiments side by side, on the terminal or in a folder; two [`arsenals`] likewise.
//!
//! `table` makes the tables for people, `data` JSON and CSV; the picture is made by
//! [`charts::compare`](super::charts::compare). What is shown was computed by
//! [`study::compare`](crate::study::compare).

use serde_json::json;

use super::files::{Claim, MANIFEST, Staging, WrittenFile};
use super::manifest::{self, InputFile, RunFacts};
use super::markdown::escaped;
use super::rulebooks;
use super::{Format, csv, markdown, terminal, words};
use crate::error::Error;
use crate::stream::{BUILD, STREAM_VERSION};
use crate::study::compare::Comparison;

pub mod arsenals;
mod data;
mod table;

/// The two files that are compared, as they were read.
#[derive(Clone, Debug)]
pub struct Sides {
    /// A: what is there now.
    pub a: InputFile,
    /// B: what is compared with it.
    pub b: InputFile,
}

/// The comparison in a format.
pub fn render(comparison: &Comparison<'_>, sides: &Sides, format: Format) -> String {
    match format {
        Format::Table(screen) => {
            let sections = table::sections(comparison, None);
            let sections: Vec<_> = sections.iter().map(|s| terminal::section(s, screen)).collect();
            let head = head(sides).map(|line| words::clean(&line)).join("\n");
            format!("{head}\n\n{}\n{}", sections.join("\n"), lines(&lists(comparison)))
        }
        Format::Json => format!("{:#}\n", data::json(comparison, sides)),
        Format::Csv => csv::render(&data::table(comparison)),
        Format::Markdown => markdown_of(comparison, sides, None),
    }
}

/// The files of a comparison, beside its picture and its manifest.
pub const FILES: &[&str] = &["compare.csv", "summary.md"];

/// Writes `compare.csv`, the picture as SVG and PNG (with the feature `charts`), `summary.md` and
/// `manifest.json` into the claimed folder: all of them or none.
///
/// # Errors
/// When a file cannot be written or drawn.
pub fn write(
    claim: &Claim,
    comparison: &Comparison<'_>,
    sides: &Sides,
    facts: &RunFacts,
) -> Result<Vec<WrittenFile>, Error> {
    let mut staging = Staging::new(claim);
    staging.add("compare.csv", csv::render(&data::table(comparison)).as_bytes())?;
    let picture = add_picture(&mut staging, comparison, sides)?;
    let summary = summary(comparison, sides, facts, &picture);
    staging.add("summary.md", summary.as_bytes())?;
    sealed(staging, sides, facts, comparison.pairs.len())
}

/// Puts the manifest to the files of a comparison and the files into their folder.
fn sealed(
    mut staging: Staging<'_>,
    sides: &Sides,
    facts: &RunFacts,
    pairs: usize,
) -> Result<Vec<WrittenFile>, Error> {
    let input = |file: &InputFile| {
        let rulebooks = rulebooks::read(&file.rulebooks);
        json!({"name": file.name, "sha256": file.sha256, "rulebook_files": rulebooks})
    };
    let manifest = json!({
        "enfilade": env!("CARGO_PKG_VERSION"),
        "build": BUILD,
        "stream_version": STREAM_VERSION,
        "command": facts.command,
        "a": input(&sides.a),
        "b": input(&sides.b),
        "started": manifest::utc(facts.started),
        "finished": manifest::utc(facts.finished()),
        "pairs": pairs,
        "files": manifest::files(staging.files()),
    });
    staging.add(MANIFEST, format!("{manifest:#}\n").as_bytes())?;
    staging.commit()
}

/// Draws the picture and returns the lines that embed it, or say why it is not there.
#[cfg(feature = "charts")]
fn add_picture(
    staging: &mut Staging<'_>,
    comparison: &Comparison<'_>,
    sides: &Sides,
) -> Result<String, Error> {
    use super::charts::{compare, render};
    let (head, scene) = match compare::draw(comparison, (&stem(&sides.a), &stem(&sides.b))) {
        Ok(drawn) => drawn,
        Err(why) => return Ok(format!("\nLeft out: the picture: {}.\n", escaped(&why))),
    };
    let stem = format!("charts/compare-{}", head.name);
    staging.add(&format!("{stem}.svg"), render::svg(&scene)?.as_bytes())?;
    staging.add_with(&format!("{stem}.png"), |path| render::png(&scene, path))?;
    Ok(format!("\n![{}, B less A]({stem}.svg)\n", head.name))
}

/// A file's name without its folder and its ending.
#[cfg(feature = "charts")]
fn stem(file: &InputFile) -> String {
    let stem = std::path::Path::new(&file.name).file_stem();
    stem.map_or(file.name.clone(), |stem| stem.to_string_lossy().into_owned())
}

#[cfg(not(feature = "charts"))]
fn add_picture(_: &mut Staging<'_>, _: &Comparison<'_>, _: &Sides) -> Result<String, Error> {
    Ok(String::new())
}

/// Which file is which.
fn head(sides: &Sides) -> [String; 2] {
    [format!("A: {}", sides.a.name), format!("B: {}", sides.b.name)]
}

/// What was changed, and the cells that have no partner.
fn lists(comparison: &Comparison<'_>) -> Vec<String> {
    let mut lines = table::changes(comparison);
    lines.extend(table::alone("A", &comparison.only_a));
    lines.extend(table::alone("B", &comparison.only_b));
    lines
}

fn lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn markdown_of(comparison: &Comparison<'_>, sides: &Sides, most: Option<usize>) -> String {
    let mut out = format!("# {} against {}\n\n", escaped(&sides.b.name), escaped(&sides.a.name));
    for line in head(sides).iter().chain(&lists(comparison)) {
        out.push_str(&format!("- {}\n", escaped(line)));
    }
    for section in table::sections(comparison, most) {
        out.push_str(&format!("\n{}", markdown::section(&section)));
    }
    out
}

/// Cells shown of each contest in a summary; all of them are in `compare.csv`.
const SHOWN: usize = 24;

fn summary(comparison: &Comparison<'_>, sides: &Sides, facts: &RunFacts, picture: &str) -> String {
    let body = markdown_of(comparison, sides, Some(SHOWN));
    format!("{body}{picture}{}", repeating(sides, facts))
}

/// The command line, and what it was run with.
fn repeating(sides: &Sides, facts: &RunFacts) -> String {
    let command = words::clean(&facts.command_line());
    let input = |side: &str, file: &InputFile| {
        format!("- {side}: {}, SHA-256 {}\n", escaped(&file.name), file.sha256)
    };
    format!(
        "\n## How to repeat this\n\n    {command}\n\n{}{}\
         - Version: enfilade {}, stream {STREAM_VERSION}\n",
        input("A", &sides.a),
        input("B", &sides.b),
        env!("CARGO_PKG_VERSION"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;
    use crate::report::terminal::Screen;

    fn sides() -> Sides {
        Sides { a: InputFile::new("now.toml", ""), b: InputFile::new("then|.toml", "") }
    }

    /// Cell 0 of the fixture's grid: p_kill 2/36 and in B 6/36, so 11.11 points more; p_break 10/36
    /// and 14/36.
    #[test]
    fn every_format_tells_both_values_and_the_difference() {
        let a = fixture::grid();
        let mut b = a.clone();
        b[0] = fixture::answer(
            vec![("fp", crate::form::Value::Int(1)), ("drm", crate::form::Value::Int(-1))],
            6,
            8,
        );
        b.pop();
        let comparison = Comparison::new(&a, &b);
        let said = render(&comparison, &sides(), Format::Markdown);
        assert!(said.contains("| 1 | -1 | p_kill % | 5.56 (5.56 ± 0.04) | 16.67 (16.67 ± 0.07) | +11.11 (+11.11 ± 0.09) |"), "{said}");
        assert!(said.contains("Only in A, 1 cell: fp 8, drm 3."), "{said}");
        let table = render(&comparison, &sides(), Format::Table(Screen::PLAIN));
        assert!(table.starts_with("A: now.toml\nB: then|.toml\n\n"), "{table}");
        let csv = render(&comparison, &sides(), Format::Csv);
        assert!(
            csv.lines()
                .next()
                .is_some_and(|head| head.starts_with("contest,fp,drm,measure,a_exact,")),
            "{csv}"
        );
        let json: serde_json::Value =
            serde_json::from_str(&render(&comparison, &sides(), Format::Json)).expect("it is JSON");
        let kill = &json["cells"][0]["measures"][0];
        assert_eq!(kill["name"], "p_kill");
        let exact = kill["difference"]["exact"].as_f64().expect("both are exact");
        assert!((exact - 4.0 / 36.0).abs() < 1e-15);
        assert_eq!(json["only_a"][0]["axes"]["fp"], 8);
    }

    #[test]
    fn a_folder_holds_everything_it_lists() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let a = fixture::grid();
        let comparison = Comparison::new(&a, &a);
        let facts = RunFacts {
            command: vec!["enfilade".into(), "compare".into()],
            input: None,
            started: std::time::SystemTime::UNIX_EPOCH,
            taken: std::time::Duration::ZERO,
            identity: None,
        };
        let claim = Claim::freely(folder.path()).expect("nobody has it");
        let files = write(&claim, &comparison, &sides(), &facts).expect("written");
        assert!(files.iter().all(|file| folder.path().join(&file.name).is_file()));
        let summary = std::fs::read_to_string(folder.path().join("summary.md")).expect("readable");
        assert!(summary.starts_with("# then\\|.toml against now.toml\n"));
        assert!(summary.contains("Nothing was changed."));
    }
}
