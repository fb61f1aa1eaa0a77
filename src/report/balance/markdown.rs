//! The recommendation as Markdown: what `--format markdown` prints and `summary.md` holds.

use super::terminal::LEGEND;
use super::{Findings, tables, words};
use crate::report::manifest::RunFacts;
use crate::report::markdown::{escaped, table};
use crate::report::words::clean;
use crate::stream::STREAM_VERSION;

/// A picture to be embedded: file and title.
pub type Picture = (String, String);

/// The recommendation.
pub fn render(findings: &Findings, pictures: &[Picture]) -> String {
    let pricing = findings.pricing;
    let mut out = format!("# {}\n", escaped(findings.name));
    let asked = [("Question", findings.question), ("Prediction", findings.prediction)];
    for (what, said) in asked {
        if let Some(said) = said {
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            out.push_str(&format!("\n**{what}.** {}\n", escaped(&said)));
        }
    }
    out.push_str(&format!("\n**{}**\n\n", escaped(&words::verdicts(pricing))));
    out.push_str(&table(&tables::recommendation(findings)));
    out.push('\n');
    for line in LEGEND {
        out.push_str(&format!("- {}\n", escaped(line)));
    }
    out.push_str(&boxed(findings));
    out.push_str("\n## Why\n\n");
    for position in findings.told() {
        let weapon = &pricing.weapons[position];
        let why = escaped(&words::why(position, pricing));
        out.push_str(&format!("- **{}**: {why}\n", escaped(&clean(&weapon.name))));
    }
    for (file, title) in pictures {
        out.push_str(&format!("\n![{}]({file})\n", escaped(title)));
    }
    out.push_str(&sections(findings));
    out
}

fn sections(findings: &Findings) -> String {
    let pricing = findings.pricing;
    let mut out = String::new();
    for (title, shown) in tables::later(pricing) {
        out.push_str(&format!("\n## {title}\n\n{}", table(&shown)));
    }
    out.push_str("\n## How the prices were made\n\n");
    let meanings = words::MEANINGS.map(str::to_owned);
    let lines = words::method(findings).into_iter().chain(meanings);
    for line in lines.chain(words::causes(pricing)) {
        out.push_str(&format!("- {}\n", escaped(&line)));
    }
    out
}

/// What a price does not see, as a quotation, the box of Markdown.
fn boxed(findings: &Findings) -> String {
    let mut out = "\n> **What these prices do not see**\n>\n".to_owned();
    for (what, how) in words::blind(findings) {
        out.push_str(&format!("> - *{what}*: {}\n", escaped(&how)));
    }
    out
}

/// The command line, what it was run with, and what the other files are.
pub fn repeating(findings: &Findings, facts: &RunFacts) -> String {
    let formats = if cfg!(feature = "parquet") { "Parquet and CSV" } else { "CSV" };
    let command = clean(&facts.command_line());
    let input = facts.input.as_ref().map_or(String::new(), |file| {
        let name = escaped(&file.name);
        format!("- Input: {name}, SHA-256 {}\n", file.sha256)
    });
    format!(
        "\n## How to repeat this\n\n    {command}\n\n\
         - Version: enfilade {}, stream {STREAM_VERSION}\n- Seed: {}\n{input}\n\
         The same command gives the same numbers on every number of threads. `weapons`, `cells` \
         and `meetings` ({formats}) and `balance.json` hold every number in full; \
         `manifest.json` has a hash of every file.\n",
        env!("CARGO_PKG_VERSION"),
        findings.seed,
    )
}
