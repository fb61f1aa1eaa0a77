//! The recommendation on a terminal.

use super::{Findings, tables, words};
use crate::report::terminal::{Screen, push_table, wrapped};
use crate::report::words::clean;

/// Weapons of which the reasons are told; of more, those with the worst prices.
const TOLD: usize = 20;

/// Everything a designer needs to decide, most important first.
pub fn render(findings: &Findings, screen: Screen) -> String {
    let pricing = findings.pricing;
    let mut out = format!("{}\n\n", screen.heading(&clean(findings.name)));
    push_table(&mut out, &tables::recommendation(findings), screen.width);
    for line in LEGEND {
        out.push_str(&wrapped(line, screen.width));
    }
    out.push('\n');
    if findings.only.is_none() {
        out.push_str(&wrapped(&words::verdicts(pricing), screen.width));
        out.push('\n');
    }
    for position in told(findings) {
        let weapon = &pricing.weapons[position];
        let why = words::why(position, pricing);
        out.push_str(&wrapped(&format!("{}: {why}", clean(&weapon.name)), screen.width));
    }
    if findings.only.is_none() {
        out.push_str(&later(findings, screen));
    }
    out.push('\n');
    for line in words::method(findings) {
        out.push_str(&wrapped(&line, screen.width));
    }
    out.push('\n');
    out.push_str(&boxed(findings, screen.width));
    out
}

/// What comes after the first screen.
fn later(findings: &Findings, screen: Screen) -> String {
    let pricing = findings.pricing;
    let mut out = String::new();
    for (title, table) in tables::later(pricing) {
        out.push_str(&format!("\n{}\n", screen.heading(title)));
        push_table(&mut out, &table, screen.width);
    }
    let meanings = words::MEANINGS.map(str::to_owned);
    for line in meanings.into_iter().chain(words::causes(pricing)) {
        out.push_str(&wrapped(&line, screen.width));
    }
    out
}

/// What the columns of the first table mean.
pub const LEGEND: [&str; 3] = [
    "worth: in points of the reference troops; best guess and range: what this arsenal pays for that, \
     at 95 %",
    "try: the price to try next, on the ladder of the game",
    "cannot tell: why says what to write into the file, and the range it would give",
];

/// The weapons to tell about: those that are asked about, or of many those farthest from their fair
/// price.
fn told(findings: &Findings) -> Vec<usize> {
    let mut chosen: Vec<usize> = findings.told().collect();
    if chosen.len() > TOLD {
        let weapons = &findings.pricing.weapons;
        let far = |w: &usize| {
            let judged = weapons[*w].judged();
            judged.map_or(0.0, |judged| judged.residual.abs())
        };
        chosen.sort_by(|a, b| far(b).total_cmp(&far(a)));
        chosen.truncate(TOLD);
    }
    chosen
}

/// The box of what a price does not see.
fn boxed(findings: &Findings, width: usize) -> String {
    let inner = width.clamp(44, 100) - 4;
    let mut lines = vec!["What these prices do not see".to_owned()];
    for (what, how) in words::blind(findings) {
        let text = wrapped(&format!("{what}: {how}"), inner);
        lines.extend(text.lines().map(str::to_owned));
    }
    let rule = "─".repeat(inner + 2);
    let mut out = format!("┌{rule}┐\n");
    for line in lines {
        let pad = inner.saturating_sub(line.chars().count());
        out.push_str(&format!("│ {line}{} │\n", " ".repeat(pad)));
    }
    out + &format!("└{rule}┘\n")
}
