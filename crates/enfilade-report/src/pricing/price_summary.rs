//! Recommendation for a designer: the decisions first, then the reasons and the blind spots of
//! these prices, and everything else at the end.

use super::points_format::{format_ends, format_price_points};
use super::price_findings::PriceFindings;
use super::unit_meetings::UnitAgainstUnitFindings;
use super::{
    assumption_ends, heading_sentences, price_charts, price_method, price_sentences, price_tables,
};
use crate::blocks::{
    PictureWithContent, PriceRangeChart, PriceRangeRow, PriceVerdictTone, ReportBlock,
    StyledSentence,
};
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::price::price_steps::PriceRounding;
use enfilade_pricing::price::verdict::PriceVerdict;
use enfilade_pricing::price::{EvenPrice, WeaponPrice};

/// Rows of a first screen, few enough that the reasons begin within forty lines.
const MAX_FIRST_SCREEN_ROWS: usize = 28;

/// Builds the complete report; for a single weapon without the parts about all.
pub fn build_full_price_report(
    findings: &PriceFindings,
    figures: Vec<PictureWithContent>,
) -> Vec<ReportBlock> {
    let mut blocks = build_price_opening(findings);
    blocks.push(ReportBlock::Ranges(price_ranges_of_weapons(
        findings,
        &heading_sentences::weapon_reading_order(findings),
        &|_| true,
    )));
    let chosen = assumption_ends::price_tables_at_ends(findings);
    if !chosen.is_empty() {
        let what = "Prices under another assumption";
        blocks.push(ReportBlock::Choices(what.to_owned(), chosen));
    }
    let mut figures = figures;
    if let Some(fought) = findings.lists {
        blocks.extend(build_section_with_pictures(
            price_charts::LISTS_CHART_TITLE,
            fought.sentences_on_lists(),
            &mut figures,
        ));
    }
    if let Some(edges) =
        UnitAgainstUnitFindings::from_pricing(findings.pricing).filter(|_| findings.only.is_none())
    {
        let sentences =
            edges.sentences_on_edges().into_iter().chain(edges.counter_sentences()).collect();
        blocks.extend(build_section_with_pictures(
            price_charts::UNITS_CHART_TITLE,
            sentences,
            &mut figures,
        ));
    }
    let blind = price_sentences::list_blind_spots(findings).into_iter();
    let blind = blind.map(|(what, how)| StyledSentence::with_label(format!("{what}:"), how));
    blocks.push(ReportBlock::Boxed("What these prices do not see".to_owned(), blind.collect()));
    blocks.push(ReportBlock::Heading("What was asked".to_owned()));
    blocks.extend(name_question_and_prediction(findings));
    if !figures.is_empty() {
        blocks.push(ReportBlock::Heading("Pictures".to_owned()));
        blocks.extend(figures.into_iter().map(ReportBlock::Picture));
    }
    blocks.extend(tables_and_method_blocks(findings));
    blocks
}

/// Builds a section whose first sentence is above its pictures.
fn build_section_with_pictures(
    title: &str,
    texts: Vec<String>,
    figures: &mut Vec<PictureWithContent>,
) -> Vec<ReportBlock> {
    let mut sentences = texts.into_iter();
    let first = sentences.next().map(ReportBlock::new_paragraph);
    let pictures = figures.extract_if(.., |figure| figure.picture.title.starts_with(title));
    let pictures: Vec<ReportBlock> = pictures.map(ReportBlock::Picture).collect();
    let heading = std::iter::once(ReportBlock::Heading(title.to_owned()));
    heading.chain(first).chain(pictures).chain(ReportBlock::new_list_if_any(sentences)).collect()
}

/// Builds a first screen: the reasons for wrong prices only, and for a single weapon.
pub fn build_first_screen(findings: &PriceFindings) -> Vec<ReportBlock> {
    let mut blocks = build_price_opening(findings);
    let (order, weapons) =
        (heading_sentences::weapon_reading_order(findings), &findings.pricing.weapons);
    let called = |w: usize| {
        weapons[w].verdict_on_price().is_some_and(PriceVerdict::is_price_wrong)
            || price_sentences::lacks_one_price(&weapons[w])
    };
    let why = |w: usize| order.len() == 1 || called(w);
    let shown = &order[..order.len().min(MAX_FIRST_SCREEN_ROWS)];
    blocks.push(ReportBlock::Ranges(price_ranges_of_weapons(findings, shown, &why)));
    if order.len() > MAX_FIRST_SCREEN_ROWS {
        let more = order.len() - MAX_FIRST_SCREEN_ROWS;
        blocks.push(ReportBlock::new_paragraph(format!(
            "And {more} more, of which none is farther off: --all."
        )));
    }
    // Beside lists that were fought it is part of their section.
    if order.len() > 1 && findings.lists.is_none() {
        let edges = UnitAgainstUnitFindings::from_pricing(findings.pricing);
        let split = edges.and_then(|edges| edges.sentences_on_edges().into_iter().next());
        blocks.extend(split.map(ReportBlock::new_paragraph));
    }
    blocks.extend(build_note_blocks(findings));
    blocks
}

/// Builds the opening: the whole arsenal in a sentence or two, and the ground of its prices.
fn build_price_opening(findings: &PriceFindings) -> Vec<ReportBlock> {
    let mut sentences = heading_sentences::arsenal_verdict_sentences(findings).into_iter();
    let title = sentences.next().map(ReportBlock::Title);
    let others = sentences.collect::<Vec<_>>().join(" ");
    let others = (!others.is_empty()).then(|| ReportBlock::new_paragraph(others));
    let lists = findings
        .lists
        .map(|lists| lists.evenness_sentences_for_heading().collect::<Vec<_>>().join(" "));
    let grounds = heading_sentences::price_basis_sentences(findings).into_iter();
    let below = lists.into_iter().chain(grounds).map(ReportBlock::new_paragraph);
    title.into_iter().chain(others).chain(below).collect()
}

/// Builds name, question, prediction, and the notes on all battles.
fn name_question_and_prediction(findings: &PriceFindings) -> Vec<ReportBlock> {
    let lines = [("Question.", findings.question), ("Prediction.", findings.prediction)];
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = lines
        .into_iter()
        .filter_map(|(what, text)| Some(StyledSentence::with_label(what, line(text?))));
    let name = StyledSentence::new_strong(replace_control_chars(findings.name));
    let blocks = std::iter::once(name).chain(lines).map(ReportBlock::Sentence);
    blocks.chain(build_note_blocks(findings)).collect()
}

fn build_note_blocks(findings: &PriceFindings) -> Vec<ReportBlock> {
    findings
        .evidence
        .remarks
        .iter()
        .map(|remark| ReportBlock::new_paragraph(replace_control_chars(remark)))
        .collect()
}

/// Builds the ranges of the weapons at these indices, some of them with reasons.
fn price_ranges_of_weapons(
    findings: &PriceFindings,
    shown: &[usize],
    why: &dyn Fn(usize) -> bool,
) -> PriceRangeChart {
    let pricing = findings.pricing;
    let row = |&w: &usize| PriceRangeRow {
        why: if why(w) { weapon_sentences_after_heading(w, findings) } else { Vec::new() },
        ..build_price_range_row(&pricing.weapons[w], pricing.steps)
    };
    PriceRangeChart {
        name: "What each should cost".to_owned(),
        rows: shown.iter().map(row).collect(),
        beside: pricing.reference_unit.map(|_| "beside".to_owned()),
    }
}

/// Returns the sentences on a weapon that the heading does not have.
fn weapon_sentences_after_heading(weapon: usize, findings: &PriceFindings) -> Vec<String> {
    let in_heading = 2 * usize::from(heading_sentences::asks_price_of_single_weapon(findings));
    price_sentences::all_sentences_on_weapon(weapon, findings)
        .into_iter()
        .skip(in_heading)
        .collect()
}

fn build_price_range_row(weapon: &WeaponPrice, steps: PriceRounding) -> PriceRangeRow {
    let none = || "–".to_owned();
    let even = weapon.even_price_if_any();
    let describe = |of: &dyn Fn(&EvenPrice) -> String| even.map_or_else(none, of);
    PriceRangeRow {
        name: replace_control_chars(&weapon.name),
        now: weapon.price,
        even: even.map(|even| even.rounded.best),
        range: even.map(|even| price_sentences::shown_price_range(even, steps)),
        texts: [
            weapon.price.map_or_else(none, format_price_points),
            describe(&|even| format_price_points(even.rounded.best)),
            describe(&|even| format_ends(price_sentences::shown_price_range(even, steps), "–")),
        ],
        beside: describe(&|even| {
            even.in_reference_units.map_or_else(none, |one| format!("{:.2}", one.best))
        }),
        word: price_sentences::verdict_in_words(weapon),
        tone: match weapon.verdict_on_price() {
            _ if price_sentences::lacks_one_price(weapon) => PriceVerdictTone::Split,
            Some(PriceVerdict::TooDear) => PriceVerdictTone::Dear,
            Some(PriceVerdict::TooCheap) => PriceVerdictTone::Cheap,
            Some(PriceVerdict::Right) => PriceVerdictTone::Right,
            Some(PriceVerdict::Open | PriceVerdict::NoOnePrice) | None => PriceVerdictTone::Open,
        },
        why: Vec::new(),
    }
}

/// Builds the other tables, and the method.
fn tables_and_method_blocks(findings: &PriceFindings) -> Vec<ReportBlock> {
    let pricing = findings.pricing;
    let (mut blocks, mut lines) = (Vec::new(), price_method::describe_pricing_method(findings));
    if findings.only.is_none() {
        for (title, shown) in price_tables::tables_behind_first_screen(pricing) {
            blocks.push(ReportBlock::Heading(title.to_owned()));
            blocks.push(ReportBlock::Table(title.to_owned(), shown));
        }
        lines.extend(price_method::TABLE_WORD_MEANINGS.map(str::to_owned));
    }
    blocks.push(ReportBlock::Heading("How the prices were made".to_owned()));
    blocks.extend(ReportBlock::new_list_if_any(lines));
    blocks
}
