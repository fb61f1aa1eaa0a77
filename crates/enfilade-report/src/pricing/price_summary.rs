//! Recommendation for a designer: the decisions first, then the reasons and the blind spots of
//! these prices, and everything else at the end.

use super::heading_sentences::weapon_reading_order;
use super::points_format::format_ends;
use super::price_findings::PriceFindings;
use super::price_tables::{format_number_or_dash, text_or_dash};
use super::unit_meetings::UnitAgainstUnitFindings;
use super::{heading_sentences, price_charts, price_method, price_sentences, price_tables};
use crate::blocks::{
    PictureWithContent, PriceRangeChart, PriceRangeRow, PriceVerdictKind, ReportBlock,
    StyledSentence,
};
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::price::WeaponPrice;
use enfilade_pricing::price::price_steps::PriceRounding;
use enfilade_pricing::price::verdict::PriceVerdict;

/// Rows of a first screen, few enough that the reasons begin within forty lines.
const MAX_FIRST_SCREEN_ROWS: usize = 28;

/// Builds the complete report; for a single weapon without the parts about all.
pub fn build_full_price_report(
    findings: &PriceFindings,
    mut figures: Vec<PictureWithContent>,
) -> Vec<ReportBlock> {
    let mut blocks = build_price_opening(findings);
    blocks.push(price_ranges_of_weapons(findings, &weapon_reading_order(findings), &|_| true));
    let chosen = price_tables::price_tables_at_ends(findings);
    if !chosen.is_empty() {
        let what = "Prices under another assumption";
        blocks.push(ReportBlock::Choices(what.to_owned(), chosen));
    }
    if let Some(fought) = findings.lists {
        let (title, texts) = (price_charts::LISTS_CHART_TITLE, fought.sentences_on_lists());
        blocks.extend(build_section_with_pictures(title, texts, &mut figures));
    }
    let edges = UnitAgainstUnitFindings::from_pricing(findings.pricing);
    if let Some(edges) = edges.filter(|_| findings.only.is_none()) {
        let (title, mut texts) = (price_charts::UNITS_CHART_TITLE, edges.sentences_on_edges());
        texts.extend(edges.counter_sentences());
        blocks.extend(build_section_with_pictures(title, texts, &mut figures));
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
    let order = weapon_reading_order(findings);
    let why = |weapon: &WeaponPrice| {
        order.len() == 1
            || price_sentences::is_found_wrong(weapon)
            || price_sentences::lacks_one_price(weapon)
    };
    let shown = &order[..order.len().min(MAX_FIRST_SCREEN_ROWS)];
    blocks.push(price_ranges_of_weapons(findings, shown, &why));
    if order.len() > shown.len() {
        let more = order.len() - shown.len();
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
    let others = Some(sentences.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty());
    let lists = findings
        .lists
        .map(|lists| lists.evenness_sentences_for_heading().collect::<Vec<_>>().join(" "));
    let grounds = heading_sentences::price_basis_sentences(findings);
    let below = others.into_iter().chain(lists).chain(grounds).map(ReportBlock::new_paragraph);
    title.into_iter().chain(below).collect()
}

/// Builds name, question, prediction, and the notes on all battles.
fn name_question_and_prediction(findings: &PriceFindings) -> Vec<ReportBlock> {
    let lines = [("Question.", findings.question), ("Prediction.", findings.prediction)];
    let lines = lines.into_iter().filter_map(|(what, text)| {
        let words: Vec<&str> = text?.split_whitespace().collect();
        Some(StyledSentence::with_label(what, words.join(" ")))
    });
    let name = StyledSentence::new_strong(replace_control_chars(findings.name));
    let blocks = std::iter::once(name).chain(lines).map(ReportBlock::Sentence);
    blocks.chain(build_note_blocks(findings)).collect()
}

fn build_note_blocks(findings: &PriceFindings) -> impl Iterator<Item = ReportBlock> {
    let remarks = findings.evidence.remarks.iter();
    remarks.map(|remark| ReportBlock::new_paragraph(replace_control_chars(remark)))
}

/// Builds the ranges of the weapons at these indices, some of them with reasons.
fn price_ranges_of_weapons(
    findings: &PriceFindings,
    shown: &[usize],
    why: &dyn Fn(&WeaponPrice) -> bool,
) -> ReportBlock {
    let pricing = findings.pricing;
    // The heading has the first two sentences on a single weapon whose price is the question.
    let in_heading = 2 * usize::from(heading_sentences::asks_price_of_single_weapon(findings));
    let reasons = |w| price_sentences::all_sentences_on_weapon(w, findings).into_iter();
    let row = |&w: &usize| PriceRangeRow {
        why: if why(&pricing.weapons[w]) {
            reasons(w).skip(in_heading).collect()
        } else {
            Vec::new()
        },
        ..build_price_range_row(&pricing.weapons[w], pricing.steps)
    };
    ReportBlock::Ranges(PriceRangeChart {
        name: "What each should cost".to_owned(),
        rows: shown.iter().map(row).collect(),
        beside: pricing.reference_unit.map(|_| "beside".to_owned()),
    })
}

fn build_price_range_row(weapon: &WeaponPrice, steps: PriceRounding) -> PriceRangeRow {
    let even = weapon.even_price_if_any();
    let best = even.map(|even| even.rounded.best);
    let range = even.map(|even| price_sentences::shown_price_range(even, steps));
    let beside = even.and_then(|even| even.in_reference_units);
    PriceRangeRow {
        name: replace_control_chars(&weapon.name),
        now: weapon.price,
        even: best,
        range,
        texts: [
            format_number_or_dash(weapon.price),
            format_number_or_dash(best),
            text_or_dash(range.map(|ends| format_ends(ends, "–"))),
        ],
        beside: text_or_dash(beside.map(|count| format!("{:.2}", count.best))),
        word: price_sentences::verdict_in_words(weapon).to_owned(),
        tone: match weapon.verdict_on_price() {
            _ if price_sentences::lacks_one_price(weapon) => PriceVerdictKind::Split,
            Some(PriceVerdict::TooDear) => PriceVerdictKind::Dear,
            Some(PriceVerdict::TooCheap) => PriceVerdictKind::Cheap,
            Some(PriceVerdict::Right) => PriceVerdictKind::Right,
            Some(PriceVerdict::Open | PriceVerdict::NoOnePrice) | None => PriceVerdictKind::Open,
        },
        why: Vec::new(),
    }
}

/// Builds the other tables, and the method.
fn tables_and_method_blocks(findings: &PriceFindings) -> Vec<ReportBlock> {
    let (mut blocks, mut lines) = (Vec::new(), price_method::describe_pricing_method(findings));
    if findings.only.is_none() {
        blocks.extend(price_tables::tables_behind_first_screen(findings.pricing));
        lines.extend(price_method::TABLE_WORD_MEANINGS.map(str::to_owned));
    }
    blocks.push(ReportBlock::Heading("How the prices were made".to_owned()));
    blocks.extend(ReportBlock::new_list_if_any(lines));
    blocks
}
