//! Recommendation for a designer: the decisions first, then the reasons and the blind spots of
//! these prices, and everything else at the end.

use super::findings::Findings;
use super::points_format::points;
use super::unit_meetings::EdgeFindings;
use super::{assumption_ends, method, price_charts, price_sentences, price_tables};
#[cfg(feature = "files")]
use crate::answers::reproduce;
use crate::blocks::{Block, Figure, RangeRow, Ranges, Sentence, Tone};
#[cfg(feature = "files")]
use crate::folder::manifest::RunFacts;
use crate::text::sentences::clean;
use enfilade_pricing::price::steps::Steps;
use enfilade_pricing::price::verdict::Verdict;
use enfilade_pricing::price::{Even, Priced};

/// Rows of a first screen, few enough that the reasons begin within forty lines.
const SHOWN: usize = 28;

/// Builds the complete report; for a single weapon without the parts about all.
pub fn blocks(findings: &Findings, figures: Vec<Figure>) -> Vec<Block> {
    let mut blocks = opening(findings);
    blocks.push(Block::Ranges(ranges(findings, &price_sentences::order(findings), &|_| true)));
    let chosen = assumption_ends::choices(findings);
    if !chosen.is_empty() {
        let what = "Prices under another assumption";
        blocks.push(Block::Choices(what.to_owned(), chosen));
    }
    let mut figures = figures;
    if let Some(fought) = findings.fought {
        blocks.extend(section(price_charts::LISTS, fought.sentences(), &mut figures));
    }
    if let Some(edges) = EdgeFindings::of(findings.pricing).filter(|_| findings.only.is_none()) {
        let told = edges.sentences().into_iter().chain(edges.counters()).collect();
        blocks.extend(section(price_charts::UNITS, told, &mut figures));
    }
    let blind = price_sentences::blind(findings).into_iter();
    let blind = blind.map(|(what, how)| Sentence::of(format!("{what}:"), how));
    blocks.push(Block::Boxed("What these prices do not see".to_owned(), blind.collect()));
    blocks.push(Block::Heading("What was asked".to_owned()));
    blocks.extend(asked(findings));
    if !figures.is_empty() {
        blocks.push(Block::Heading("Pictures".to_owned()));
        blocks.extend(figures.into_iter().map(Block::Picture));
    }
    blocks.extend(rest(findings));
    blocks
}

/// Builds a section whose first sentence is above its pictures.
fn section(title: &str, told: Vec<String>, figures: &mut Vec<Figure>) -> Vec<Block> {
    let mut told = told.into_iter();
    let first = told.next().map(Block::said);
    let pictures = figures.extract_if(.., |figure| figure.picture.title.starts_with(title));
    let pictures: Vec<Block> = pictures.map(Block::Picture).collect();
    let heading = std::iter::once(Block::Heading(title.to_owned()));
    heading.chain(first).chain(pictures).chain(Block::listed(told)).collect()
}

/// Builds a first screen: the reasons for wrong prices only, and for a single weapon.
pub fn first(findings: &Findings) -> Vec<Block> {
    let mut blocks = opening(findings);
    let (order, weapons) = (price_sentences::order(findings), &findings.pricing.weapons);
    let called = |w: usize| {
        weapons[w].verdict().is_some_and(Verdict::wrong) || price_sentences::is_apart(&weapons[w])
    };
    let why = |w: usize| order.len() == 1 || called(w);
    let shown = &order[..order.len().min(SHOWN)];
    blocks.push(Block::Ranges(ranges(findings, shown, &why)));
    if order.len() > SHOWN {
        let more = order.len() - SHOWN;
        blocks.push(Block::said(format!("And {more} more, of which none is farther off: --all.")));
    }
    // Beside lists that were fought it is part of their section.
    if order.len() > 1 && findings.fought.is_none() {
        let edges = EdgeFindings::of(findings.pricing);
        let split = edges.and_then(|edges| edges.sentences().into_iter().next());
        blocks.extend(split.map(Block::said));
    }
    blocks.extend(remarks(findings));
    blocks
}

/// Builds the opening: the whole arsenal in a sentence or two, and the ground of its prices.
fn opening(findings: &Findings) -> Vec<Block> {
    let mut said = price_sentences::verdicts(findings).into_iter();
    let title = said.next().map(Block::Title);
    let others = said.collect::<Vec<_>>().join(" ");
    let others = (!others.is_empty()).then(|| Block::said(others));
    let grounds = price_sentences::grounds(findings).into_iter().map(Block::said);
    title.into_iter().chain(others).chain(grounds).collect()
}

/// Builds name, question, prediction, and the notes on all battles.
fn asked(findings: &Findings) -> Vec<Block> {
    let asked = [("Question.", findings.question), ("Prediction.", findings.prediction)];
    let line = |said: &str| said.split_whitespace().collect::<Vec<_>>().join(" ");
    let asked = asked.into_iter().filter_map(|(what, said)| Some(Sentence::of(what, line(said?))));
    let name = Sentence::strong(clean(findings.name));
    let said = std::iter::once(name).chain(asked).map(Block::Sentence);
    said.chain(remarks(findings)).collect()
}

fn remarks(findings: &Findings) -> Vec<Block> {
    findings.evidence.remarks.iter().map(|remark| Block::said(clean(remark))).collect()
}

/// Builds the ranges of the weapons at these indices, some of them with reasons.
fn ranges(findings: &Findings, shown: &[usize], why: &dyn Fn(usize) -> bool) -> Ranges {
    let pricing = findings.pricing;
    let row = |&w: &usize| RangeRow {
        why: if why(w) { price_sentences::sentences(w, findings) } else { Vec::new() },
        ..row(&pricing.weapons[w], pricing.steps)
    };
    Ranges {
        name: "What each should cost".to_owned(),
        rows: shown.iter().map(row).collect(),
        beside: pricing.beside.map(|_| "beside".to_owned()),
    }
}

fn row(weapon: &Priced, steps: Steps) -> RangeRow {
    let none = || "–".to_owned();
    let even = weapon.priced();
    let said = |of: &dyn Fn(&Even) -> String| even.map_or_else(none, of);
    RangeRow {
        name: clean(&weapon.name),
        now: weapon.price,
        even: even.map(|even| even.shown.best),
        range: even.map(|even| price_sentences::ends(even, steps)),
        said: [
            weapon.price.map_or_else(none, points),
            said(&|even| points(even.shown.best)),
            said(&|even| price_tables::between(price_sentences::ends(even, steps))),
        ],
        beside: said(&|even| even.beside.map_or_else(none, |one| format!("{:.2}", one.best))),
        word: price_sentences::verdict(weapon),
        tone: match weapon.verdict() {
            _ if price_sentences::is_apart(weapon) => Tone::Split,
            Some(Verdict::TooDear) => Tone::Dear,
            Some(Verdict::TooCheap) => Tone::Cheap,
            Some(Verdict::Right) => Tone::Right,
            Some(Verdict::Open | Verdict::NoOnePrice) | None => Tone::Open,
        },
        why: Vec::new(),
    }
}

/// Builds the other tables, and the method.
fn rest(findings: &Findings) -> Vec<Block> {
    let pricing = findings.pricing;
    let (mut blocks, mut lines) = (Vec::new(), method::method(findings));
    if findings.only.is_none() {
        for (title, shown) in price_tables::later(pricing) {
            blocks.push(Block::Heading(title.to_owned()));
            blocks.push(Block::Table(title.to_owned(), shown));
        }
        lines.extend(method::MEANINGS.map(str::to_owned));
    }
    blocks.push(Block::Heading("How the prices were made".to_owned()));
    blocks.extend(Block::listed(lines));
    blocks
}

/// Builds the blocks on how to reproduce the prices.
#[cfg(feature = "files")]
pub fn repeating(findings: &Findings, facts: &RunFacts) -> Vec<Block> {
    let tables = "The tables weapons, cells and meetings";
    let promise = reproduce::promise("with every number of threads", tables);
    reproduce::blocks(facts, reproduce::with(facts, findings.seed), Some(promise))
}
