//! Pages of tables of every shape: nothing outside the margins, nothing small, nothing broken.

use super::super::card_model::{
    CardCell, CardLegendEntry, CardLine, CardRow, CardTable, LineEmphasis, NumberShading,
};
use super::super::paper_sizes::SheetSize;
use super::*;
use crate::drawing::{Scene, Shape};
use crate::error::ReportError;
use enfilade_engine::cancel::NEVER_CANCELLED;

fn build_cell(shown: String) -> Option<CardCell> {
    Some(CardCell::exactly(0.5, shown, NumberShading::Whole(0.5)))
}

/// A row of lines whose labels and cells name it, so that its parts can be found on a page.
fn build_row(number: usize, head: &str, lines: usize, columns: usize) -> CardRow {
    let line = |at: usize| CardLine {
        label: format!("L{number}.{at}"),
        tone: if at == 0 { LineEmphasis::Strong } else { LineEmphasis::Faint },
        cells: (0..columns).map(|_| build_cell(">99".into())).collect(),
    };
    CardRow { heads: vec![format!("R{number}{head}")], lines: (0..lines).map(line).collect() }
}

fn build_table(rows: usize, lines: usize, columns: usize, head: &str) -> CardTable {
    CardTable {
        place: "morale 7".into(),
        subtitle: "2d6, low is good · DRM −3 to +4".into(),
        part_subtitle: "Squads · 2d6, low is good".into(),
        stubs: vec!["FP".into()],
        across: "DRM".into(),
        has_labels: lines > 1,
        columns: (0..columns).map(|at| format!("C{at}")).collect(),
        rows: (0..rows).map(|number| build_row(number, head, lines, columns)).collect(),
    }
}

fn build_card(tables: Vec<CardTable>) -> ReferenceCard {
    let entry = |term: &str| CardLegendEntry {
        term: term.into(),
        text: "units eliminated, or squads that lost half and live on (A7.302)".into(),
    };
    ReferenceCard {
        title: "Fire on one squad".into(),
        tables,
        legend: ["kill", "break", "", "*"].map(entry).into(),
        footer: vec!["enfilade.".into(), "Exact values; nothing was simulated.".into()],
    }
}

fn lay_out_cards(
    cards: &[ReferenceCard],
    paper: OrientedPaperSheet,
) -> Result<Vec<Scene>, ReportError> {
    super::lay_out_cards(cards, paper, &NEVER_CANCELLED)
}

/// After a cancellation no page is laid out.
#[test]
fn who_is_stopped_lays_out_nothing() {
    let halt = CancelToken::new();
    halt.cancel();
    let one = build_card(vec![build_table(4, 2, 8, "")]);
    let stopped = super::lay_out_cards(&[one], OrientedPaperSheet::A4, &halt);
    assert!(matches!(stopped, Err(ReportError::Interrupted(_))));
}

fn lay_out(card: &ReferenceCard, paper: OrientedPaperSheet) -> Vec<Scene> {
    lay_out_cards(std::slice::from_ref(card), paper).expect("it can be laid out")
}

/// The texts of a page.
fn texts_of_page(page: &Scene) -> Vec<&str> {
    page.iter_labels().map(|label| label.text.as_str()).collect()
}

/// Everything is within the margins and at least seven points high.
fn assert_clean(pages: &[Scene], margin: f64) {
    for (page, shape) in pages.iter().flat_map(|page| page.shapes.iter().map(move |s| (page, s))) {
        let (right, bottom) = (page.width - margin, page.height - margin);
        let (left, top, end, foot) = match shape {
            Shape::Fill((x, y), (width, height), _) => (*x, *y, x + width, y + height),
            Shape::Text(label) => {
                assert!(label.set.size >= 7.0, "{label:?}");
                label.bounding_box()
            }
            other => panic!("{other:?} is on no card"),
        };
        // Half a hairline, and the tails of letters on the last line of the footer.
        assert!(left >= margin - 0.3 && top >= margin - 0.3, "{shape:?}");
        assert!(end <= right + 0.3 && foot <= bottom + 1.0, "{shape:?}");
    }
}

#[test]
fn nothing_leaves_the_margins_whatever_the_shape() {
    let long = " heavy semi-portable laser of the third assault company";
    for paper in
        OrientedPaperSheet::all_papers().filter(|paper| paper.sheet_margin() == PAGE_EDGE_MARGIN)
    {
        for (rows, lines, columns) in [(1, 1, 1), (11, 4, 8), (3, 2, 60), (200, 4, 7), (5, 14, 30)]
        {
            for head in ["", long, &"W".repeat(200)] {
                let sheets =
                    lay_out(&build_card(vec![build_table(rows, lines, columns, head)]), paper);
                assert_clean(&sheets, PAGE_EDGE_MARGIN);
                assert_eq!((sheets[0].width, sheets[0].height), paper.width_and_height());
            }
        }
    }
}

/// Every row is on one page with all its lines, under the heads of the table.
#[test]
fn rows_are_not_broken_and_heads_come_again() {
    for (rows, lines) in [(60, 4), (200, 1), (33, 14)] {
        let sheets =
            lay_out(&build_card(vec![build_table(rows, lines, 8, "")]), OrientedPaperSheet::A4);
        assert!(sheets.len() > 1);
        let mut seen = 0;
        for page in &sheets {
            let texts = texts_of_page(page);
            let here: Vec<_> =
                (0..rows).filter(|n| texts.contains(&format!("R{n}").as_str())).collect();
            for number in &here {
                // Row heads at both edges, as there are eight columns.
                assert_eq!(texts.iter().filter(|text| **text == format!("R{number}")).count(), 2);
                for at in 0..lines {
                    let label = format!("L{number}.{at}");
                    assert!(lines == 1 || texts.contains(&label.as_str()), "{label}");
                }
            }
            assert_eq!(texts.iter().filter(|text| **text == ">99").count(), here.len() * lines * 8);
            assert!(texts.contains(&"C0") && texts.contains(&"C7") && texts.contains(&"FP"));
            seen += here.len();
        }
        assert_eq!(seen, rows);
        assert!(texts_of_page(&sheets[1]).iter().any(|text| text.contains("(continued)")));
    }
}

/// The range of the whole table would be untrue below the title of a part.
#[test]
fn a_part_of_the_columns_has_the_game_below_its_title() {
    let of = |columns| {
        let card = build_card(vec![build_table(2, 1, columns, "")]);
        let sheets = lay_out(&card, OrientedPaperSheet::A4);
        sheets.iter().flat_map(|page| texts_of_page(page)).map(str::to_owned).collect::<Vec<_>>()
    };
    let [whole, parts] = ["2d6, low is good · DRM −3 to +4", "Squads · 2d6, low is good · percent"]
        .map(|subtitle| move |texts: &[String]| texts.iter().any(|text| text == subtitle));
    assert!(whole(&of(4)) && !parts(&of(4)));
    assert!(parts(&of(60)) && !whole(&of(60)));
}

#[test]
fn a_wide_table_is_split_into_blocks_with_its_row_heads() {
    let sheets = lay_out(&build_card(vec![build_table(4, 2, 60, "")]), OrientedPaperSheet::A4);
    let all: Vec<_> = sheets.iter().flat_map(|page| texts_of_page(page)).collect();
    for column in 0..60 {
        assert_eq!(all.iter().filter(|text| **text == format!("C{column}")).count(), 1, "{column}");
    }
    let blocks = all.iter().filter(|text| text.contains("· DRM C")).count();
    assert!(blocks > 1);
    assert_eq!(all.iter().filter(|text| **text == "R2").count(), 2 * blocks);
}

#[test]
fn small_tables_share_a_page_and_its_title() {
    let tables = vec![build_table(4, 2, 8, ""), build_table(4, 2, 8, ""), build_table(4, 2, 8, "")];
    let sheets = lay_out(&build_card(tables), OrientedPaperSheet::A4);
    let [page] = &sheets[..] else { panic!("one page") };
    let texts = texts_of_page(page);
    let count = |what: &str| texts.iter().filter(|text| **text == what).count();
    assert_eq!(count("Fire on one squad · morale 7"), 1);
    assert_eq!(count("morale 7"), 2);
    assert_eq!(count("page 1 of 1"), 1);
}

/// A table that fits on a page is not begun at the foot of another.
#[test]
fn a_table_that_fits_on_a_page_stays_whole() {
    let sheets = lay_out(
        &build_card(vec![build_table(9, 4, 8, ""), build_table(9, 4, 8, "")]),
        OrientedPaperSheet { sheet: SheetSize::Letter, landscape: true },
    );
    assert_eq!(sheets.len(), 2);
    for page in &sheets {
        assert!(texts_of_page(page).contains(&"R0") && texts_of_page(page).contains(&"R8"));
    }
}

#[test]
fn every_page_has_legend_and_footer_unless_the_legend_is_long() {
    let mut card = build_card(vec![build_table(60, 4, 8, "")]);
    let sheets = lay_out(&card, OrientedPaperSheet::A4);
    for page in &sheets {
        assert!(texts_of_page(page).contains(&"kill"));
        assert!(texts_of_page(page).contains(&"enfilade. Exact values; nothing was simulated."));
    }
    let note = "a note that is said at length ".repeat(200);
    card.legend.push(CardLegendEntry { term: "Note".into(), text: note.trim_end().into() });
    let long = lay_out(&card, OrientedPaperSheet::A4);
    assert_clean(&long, PAGE_EDGE_MARGIN);
    assert!(!texts_of_page(&long[0]).contains(&"kill"));
    let last: Vec<_> = long.iter().flat_map(|page| texts_of_page(page)).collect();
    let words = last.join(" ").matches("said at length").count();
    assert!(words >= 190, "{words}");
    assert!(last.contains(&"kill"));
}

#[test]
fn nobody_gets_a_thousand_pages() {
    let many = build_card(vec![build_table(20_000, 4, 3, "")]);
    let refused = lay_out_cards(&[many], OrientedPaperSheet::A4).expect_err("too many");
    assert!(refused.to_string().contains("more than 500 pages"), "{refused}");
    let mut tall = build_card(vec![build_table(2, 2, 2, "")]);
    tall.tables[0].subtitle = "very long ".repeat(5000);
    let refused = lay_out_cards(&[tall], OrientedPaperSheet::A4).expect_err("too tall");
    assert!(refused.to_string().contains("too tall for the paper"), "{refused}");
}

/// A small card fits a small sheet; the legend of a playing card is on separate cards.
#[test]
fn small_sheets_hold_small_cards() {
    let small = build_card(vec![build_table(4, 2, 4, "")]);
    for paper in
        OrientedPaperSheet::all_papers().filter(|paper| paper.paper_of_one_card() == *paper)
    {
        let pages = lay_out(&small, paper);
        assert_clean(&pages, paper.sheet_margin());
        assert_eq!((pages[0].width, pages[0].height), paper.width_and_height());
    }
}

/// Ten playing cards are two sheets, eight on the first.
#[test]
fn eight_cards_stand_on_a_sheet() {
    let one = build_card(vec![build_table(4, 2, 4, "")]);
    let paper = OrientedPaperSheet { sheet: SheetSize::EightUp, landscape: false };
    let alone = lay_out(&one, paper.paper_of_one_card()).len();
    let cards: Vec<_> = (0..10).map(|_| one.clone()).collect();
    let pages = lay_out_cards(&cards, paper).expect("they can be laid out");
    assert_eq!(pages.len(), (10 * alone).div_ceil(8));
    let titles =
        |page: &Scene| page.iter_labels().filter(|l| l.text.starts_with("enfilade")).count();
    assert_eq!(titles(&pages[0]), 8);
    assert_clean(&pages, 10.0);
}

/// Three columns of numbers leave room for the words beside them; words are not broken on a full
/// page either.
#[test]
fn a_label_is_whole_where_there_is_room() {
    for columns in [3, 30] {
        let mut table = build_table(4, 3, columns, "");
        for row in &mut table.rows {
            row.lines[0].label = "Incapacitated".into();
            row.lines[1].label = "attacker loses one last step".into();
        }
        let pages = lay_out(&build_card(vec![table]), OrientedPaperSheet::A4);
        let said: Vec<_> = pages.iter().flat_map(texts_of_page).collect();
        assert!(said.contains(&"Incapacitated"), "{columns}: {said:?}");
        assert_eq!(said.contains(&"attacker loses one last step"), columns == 3, "{said:?}");
        assert_clean(&pages, PAGE_EDGE_MARGIN);
    }
}

/// The error for a row that is too tall names the smallest paper that fits.
#[test]
fn a_refusal_names_a_paper_that_will_do() {
    let poker = OrientedPaperSheet { sheet: SheetSize::Poker, ..OrientedPaperSheet::A4 };
    let mut named = Vec::new();
    for lines in 1..=60 {
        let one = build_card(vec![build_table(2, lines, 3, "")]);
        let Err(refused) = lay_out_cards(std::slice::from_ref(&one), poker) else { continue };
        let said = refused.to_string();
        let fits = OrientedPaperSheet::all_papers()
            .find(|paper| said.contains(&format!("take {},", paper.as_command_options())));
        let fits = fits.unwrap_or_else(|| panic!("{lines}: {said}"));
        assert_clean(&lay_out(&one, fits), fits.sheet_margin());
        named.push(fits);
    }
    assert!(named.first().is_some_and(|paper| paper.sheet == SheetSize::A6), "{named:?}");
    assert!(named.last().is_some_and(|paper| paper.sheet == SheetSize::A4), "{named:?}");
}

/// The longest words of a game are whole on a postcard, in smaller type rather than in two pieces.
#[test]
fn a_word_is_rather_set_smaller_than_broken() {
    let a6 = OrientedPaperSheet { sheet: SheetSize::A6, ..OrientedPaperSheet::A4 };
    let mut one = build_table(5, 1, 2, "");
    one.rows[2].heads[0] = "lascannon".into();
    one.columns[1] = "wounds left on the first model".into();
    let pages = lay_out(&build_card(vec![one]), a6);
    let said: Vec<_> = pages.iter().flat_map(texts_of_page).collect();
    assert!(said.contains(&"lascannon"), "{said:?}");
    assert_eq!(pages.len(), 1);
    assert_clean(&pages, a6.sheet_margin());
}

/// Rows share a playing card, with their legend on another, instead of each having a legend.
#[test]
fn rows_of_a_playing_card_are_not_strewn_over_many() {
    let poker = OrientedPaperSheet { sheet: SheetSize::Poker, landscape: true };
    let many = build_card(vec![build_table(12, 1, 2, "")]);
    let pages = lay_out(&many, poker);
    let rows =
        |page: &Scene| texts_of_page(page).iter().filter(|text| text.starts_with('R')).count();
    let legends = |page: &Scene| texts_of_page(page).contains(&"kill");
    // Without a legend there is room for more than three.
    assert!(rows(&pages[0]) > 3 && !legends(&pages[0]), "{:?}", texts_of_page(&pages[0]));
    assert!(pages.len() < 4 && pages.last().is_some_and(legends), "{}", pages.len());
    assert_clean(&pages, poker.sheet_margin());
}

/// A legend never displaces a row of a small card: it has separate pages if both do not fit.
#[test]
fn what_fits_without_a_legend_fits_with_one() {
    let poker = OrientedPaperSheet { sheet: SheetSize::Poker, ..OrientedPaperSheet::A4 };
    let mut tallest = 0;
    for lines in 1..=12 {
        let mut one = build_card(vec![build_table(2, lines, 3, "")]);
        let entries = std::mem::take(&mut one.legend);
        if lay_out_cards(std::slice::from_ref(&one), poker).is_err() {
            break;
        }
        tallest = lines;
        for count in 1..=entries.len() {
            one.legend = entries[..count].to_vec();
            let pages = lay_out(&one, poker);
            assert!(
                pages.iter().flat_map(texts_of_page).any(|text| text == "kill"),
                "{lines} {count}"
            );
        }
    }
    assert!(tallest >= 5, "{tallest}");
}
