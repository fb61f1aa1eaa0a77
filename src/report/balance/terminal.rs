//! The recommendation on a terminal.

use super::{Findings, tables, words};
use crate::report::terminal::{Screen, push_table, wrapped};
use crate::report::words::clean;
use crate::study::balance::price::Priced;

/// Weapons of which the reasons are told; of more, those with the worst prices.
const TOLD: usize = 20;

/// Everything a designer needs to decide, most important first.
pub fn render(findings: &Findings, screen: Screen) -> String {
    let pricing = findings.pricing;
    let mut out = format!("{}\n\n", screen.heading(&clean(findings.name)));
    push_table(&mut out, &tables::recommendation(pricing), screen.width);
    for line in LEGEND {
        out.push_str(&wrapped(line, screen.width));
    }
    out.push('\n');
    out.push_str(&wrapped(&words::verdicts(pricing), screen.width));
    out.push('\n');
    for position in told(&pricing.weapons) {
        let weapon = &pricing.weapons[position];
        let why = words::why(position, pricing);
        out.push_str(&wrapped(
            &format!("{}: {why}", clean(&weapon.name)),
            screen.width,
        ));
    }
    for (title, table) in [
        ("Fair price by mix of scenarios", tables::mixes(pricing)),
        (
            "What it does, more copies, shares of the variance",
            tables::details(pricing),
        ),
        ("What moves the prices most", tables::sensitivity(pricing)),
    ] {
        out.push_str(&format!("\n{}\n", screen.heading(title)));
        push_table(&mut out, &table, screen.width);
    }
    for line in words::causes(pricing) {
        out.push_str(&wrapped(&line, screen.width));
    }
    out.push('\n');
    for line in words::method(findings) {
        out.push_str(&wrapped(&line, screen.width));
    }
    out.push('\n');
    out.push_str(&boxed(screen.width));
    out
}

/// What the columns of the recommendation mean.
pub const LEGEND: [&str; 4] = [
    "fair: what it is worth under the designer's mix of scenarios; 95 %: its interval",
    "suggested: the price to try next; verdict: hold where the interval contains the price",
    "q: the lowest rate of false discoveries at which the price counts as wrong",
    "rank: first and last possible place, 1 for the most overpriced",
];

/// The weapons to tell about: all, or those farthest from their fair price.
fn told(weapons: &[Priced]) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..weapons.len()).collect();
    if chosen.len() > TOLD {
        let far = |w: &usize| weapons[*w].residual.abs();
        chosen.sort_by(|a, b| far(b).total_cmp(&far(a)));
        chosen.truncate(TOLD);
    }
    chosen
}

/// The box of what a price does not see.
fn boxed(width: usize) -> String {
    let inner = width.clamp(44, 100) - 4;
    let mut lines = vec!["What these prices do not see".to_owned()];
    for (what, how) in words::BLIND {
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
