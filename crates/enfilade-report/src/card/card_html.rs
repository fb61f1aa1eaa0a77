//! Cards as one web page without scripts that prints exactly as it looks on the screen.

use super::card_model::{CardCell, CardLine, CardRow, CardTable, LineEmphasis, ReferenceCard};
use super::paper_sizes::OrientedPaperSheet;
use crate::text::xml_escape::escape_xml;

/// The style without the paper size.
const CARD_STYLE: &str = include_str!("style.css");

/// Renders the page.
pub fn render_cards_html(name: &str, cards: &[ReferenceCard], paper: OrientedPaperSheet) -> String {
    let title = cards.first().map_or(name, |card| card.title.as_str());
    let cards: Vec<_> = cards.iter().map(render_card).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>\n@page {{ size: {}; margin: 12.7mm }}\n{CARD_STYLE}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        escape_xml(title),
        paper.size_name_in_css(),
        cards.concat(),
    )
}

fn render_card(card: &ReferenceCard) -> String {
    let tables: Vec<_> =
        card.tables.iter().map(|table| render_card_table(&card.title, table)).collect();
    let mut legend = String::new();
    for entry in &card.legend {
        let (term, text) = (escape_xml(&entry.term), escape_xml(&entry.text));
        legend.push_str(&format!("<p><b>{term}</b> {text}</p>\n"));
    }
    format!(
        "<article>\n{}<aside>\n{legend}</aside>\n<footer>{}</footer>\n</article>\n",
        tables.concat(),
        escape_xml(&card.footer.join(" ")),
    )
}

fn render_card_table(title: &str, table: &CardTable) -> String {
    let place = match table.place.as_str() {
        "" => String::new(),
        place => format!(" · {}", escape_xml(place)),
    };
    let rows: Vec<_> = table.rows.iter().map(|row| render_row_body(table, row)).collect();
    format!(
        "<section>\n<h1>{}{place}</h1>\n<p class=\"dice\">{}</p>\n<table>\n<thead>\n{}</thead>\n{}</table>\n</section>\n",
        escape_xml(title),
        escape_xml(&table.subtitle),
        render_table_heads(table),
        rows.concat(),
    )
}

fn render_table_heads(table: &CardTable) -> String {
    let across = !table.across.is_empty();
    let deep = if across { " rowspan=\"2\"" } else { "" };
    let mut stubs: String =
        table.stubs.iter().map(|stub| format!("<th{deep}>{}</th>", escape_xml(stub))).collect();
    if table.has_labels {
        stubs.push_str(&format!("<th{deep}></th>"));
    }
    let right = match table.needs_heads_on_both_sides() {
        true => format!("<th{deep}>{}</th>", escape_xml(&table.stubs[0])),
        false => String::new(),
    };
    let columns: String = table
        .columns
        .iter()
        .map(|head| format!("<th scope=\"col\">{}</th>", escape_xml(head)))
        .collect();
    if !across {
        return format!("<tr>{stubs}{columns}{right}</tr>\n");
    }
    let width = table.columns.len();
    let above =
        format!("<th class=\"across\" colspan=\"{width}\">{}</th>", escape_xml(&table.across));
    format!("<tr>{stubs}{above}{right}</tr>\n<tr>{columns}</tr>\n")
}

/// Renders a row as a table body, which is not broken over pages.
fn render_row_body(table: &CardTable, row: &CardRow) -> String {
    let lines: Vec<_> = row
        .lines
        .iter()
        .enumerate()
        .map(|(at, line)| render_line_of_row(table, row, line, at == 0))
        .collect();
    format!("<tbody>\n{}</tbody>\n", lines.concat())
}

fn render_line_of_row(table: &CardTable, row: &CardRow, line: &CardLine, first: bool) -> String {
    let span = match row.lines.len() {
        1 => String::new(),
        several => format!(" rowspan=\"{several}\""),
    };
    let mut cells = String::new();
    let head = |text: &str| format!("<th scope=\"rowgroup\"{span}>{}</th>", escape_xml(text));
    // Heads span all lines of their row, and so are in the first one alone.
    if first {
        row.heads.iter().enumerate().for_each(|(at, text)| {
            cells.push_str(&match at {
                0 => head(text),
                _ => format!("<td class=\"fact\"{span}>{}</td>", escape_xml(text)),
            });
        });
    }
    if table.has_labels {
        cells.push_str(&format!(
            "<th scope=\"row\" class=\"label\">{}</th>",
            escape_xml(&line.label)
        ));
    }
    cells.extend(line.cells.iter().map(render_cell));
    if first && table.needs_heads_on_both_sides() {
        cells.push_str(&head(&row.heads[0]));
    }
    let class = match line.tone {
        LineEmphasis::Strong => " class=\"strong\"",
        LineEmphasis::Plain => "",
        LineEmphasis::Faint => " class=\"faint\"",
    };
    format!("<tr{class}>{cells}</tr>\n")
}

fn render_cell(cell: &Option<CardCell>) -> String {
    let Some(cell) = cell else {
        return "<td></td>".to_owned();
    };
    // A blank cell has only marks.
    if cell.value.is_nan() {
        return format!("<td>{}</td>", escape_xml(&cell.text));
    }
    let ground = cell
        .ground
        .shaded_span_and_grey()
        .map_or(String::new(), |(part, grey)| render_cell_shading(part, grey));
    format!("<td title=\"{}\"{ground}>{}</td>", format_for_tooltip(cell), escape_xml(&cell.text))
}

/// Renders the shading of a cell: all of it, or a bar.
fn render_cell_shading((from, to): (f64, f64), grey: u8) -> String {
    let [from, to] = [from, to].map(|at| (1000.0 * at).round() / 10.0);
    let fill = match (from, to) {
        (0.0, 100.0) => format!("rgb({grey} {grey} {grey})"),
        _ => format!(
            "linear-gradient(90deg,#0000 {from}%,rgb({grey} {grey} {grey}) {from}% {to}%,#0000 {to}%)"
        ),
    };
    format!(" style=\"background:{fill}\"")
}

/// Formats the number in full for the tooltip: `exact 8.3333 %, simulated 8.21 to 8.44 %`.
fn format_for_tooltip(cell: &CardCell) -> String {
    let (factor, unit) = if cell.percent { (100.0, " %") } else { (1.0, "") };
    let method = if cell.exact { "exact" } else { "simulated" };
    let value = factor * cell.value;
    let interval = cell.interval.map_or(String::new(), |(low, high)| {
        let (low, high) = (factor * low, factor * high);
        format!("; 95 % interval of the simulation {low:.4} to {high:.4}{unit}")
    });
    format!("{method} {value:.4}{unit}{interval}")
}
