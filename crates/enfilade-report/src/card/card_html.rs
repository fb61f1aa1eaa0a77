//! Cards as one web page without scripts that prints exactly as it looks on the screen.

use super::model::{Card, Cell, Line, Row, Table, Tone};
use super::paper::Paper;
use crate::text::xml_escape::escaped;

/// The style without the paper size.
const STYLE: &str = include_str!("style.css");

/// Renders the page.
pub fn render(name: &str, cards: &[Card], paper: Paper) -> String {
    let title = cards.first().map_or(name, |card| card.title.as_str());
    let cards: Vec<_> = cards.iter().map(card).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>\n@page {{ size: {}; margin: 12.7mm }}\n{STYLE}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        escaped(title),
        paper.css(),
        cards.concat(),
    )
}

fn card(card: &Card) -> String {
    let tables: Vec<_> = card.tables.iter().map(|table| grid(&card.title, table)).collect();
    let mut legend = String::new();
    for entry in &card.legend {
        let (term, text) = (escaped(&entry.term), escaped(&entry.text));
        legend.push_str(&format!("<p><b>{term}</b> {text}</p>\n"));
    }
    format!(
        "<article>\n{}<aside>\n{legend}</aside>\n<footer>{}</footer>\n</article>\n",
        tables.concat(),
        escaped(&card.footer.join(" ")),
    )
}

fn grid(title: &str, table: &Table) -> String {
    let place = match table.place.as_str() {
        "" => String::new(),
        place => format!(" · {}", escaped(place)),
    };
    let rows: Vec<_> = table.rows.iter().map(|row| body(table, row)).collect();
    format!(
        "<section>\n<h1>{}{place}</h1>\n<p class=\"dice\">{}</p>\n<table>\n<thead>\n{}</thead>\n{}</table>\n</section>\n",
        escaped(title),
        escaped(&table.subtitle),
        heads(table),
        rows.concat(),
    )
}

fn heads(table: &Table) -> String {
    let across = !table.across.is_empty();
    let deep = if across { " rowspan=\"2\"" } else { "" };
    let mut stubs: String =
        table.stubs.iter().map(|stub| format!("<th{deep}>{}</th>", escaped(stub))).collect();
    if table.labelled {
        stubs.push_str(&format!("<th{deep}></th>"));
    }
    let right = match table.heads_at_both_edges() {
        true => format!("<th{deep}>{}</th>", escaped(&table.stubs[0])),
        false => String::new(),
    };
    let columns: String = table
        .columns
        .iter()
        .map(|head| format!("<th scope=\"col\">{}</th>", escaped(head)))
        .collect();
    if !across {
        return format!("<tr>{stubs}{columns}{right}</tr>\n");
    }
    let width = table.columns.len();
    let above = format!("<th class=\"across\" colspan=\"{width}\">{}</th>", escaped(&table.across));
    format!("<tr>{stubs}{above}{right}</tr>\n<tr>{columns}</tr>\n")
}

/// Renders a row as a table body, which is not broken over pages.
fn body(table: &Table, row: &Row) -> String {
    let lines: Vec<_> =
        row.lines.iter().enumerate().map(|(at, line)| tr(table, row, line, at == 0)).collect();
    format!("<tbody>\n{}</tbody>\n", lines.concat())
}

fn tr(table: &Table, row: &Row, line: &Line, first: bool) -> String {
    let span = match row.lines.len() {
        1 => String::new(),
        several => format!(" rowspan=\"{several}\""),
    };
    let mut cells = String::new();
    let head = |text: &str| format!("<th scope=\"rowgroup\"{span}>{}</th>", escaped(text));
    // Heads span all lines of their row, and so are in the first one alone.
    if first {
        row.heads.iter().enumerate().for_each(|(at, text)| {
            cells.push_str(&match at {
                0 => head(text),
                _ => format!("<td class=\"fact\"{span}>{}</td>", escaped(text)),
            });
        });
    }
    if table.labelled {
        cells.push_str(&format!("<th scope=\"row\" class=\"label\">{}</th>", escaped(&line.label)));
    }
    cells.extend(line.cells.iter().map(td));
    if first && table.heads_at_both_edges() {
        cells.push_str(&head(&row.heads[0]));
    }
    let class = match line.tone {
        Tone::Strong => " class=\"strong\"",
        Tone::Plain => "",
        Tone::Faint => " class=\"faint\"",
    };
    format!("<tr{class}>{cells}</tr>\n")
}

fn td(cell: &Option<Cell>) -> String {
    let Some(cell) = cell else {
        return "<td></td>".to_owned();
    };
    // A blank cell has only marks.
    if cell.value.is_nan() {
        return format!("<td>{}</td>", escaped(&cell.shown));
    }
    let ground = cell.ground.shade().map_or(String::new(), |(part, grey)| shade(part, grey));
    format!("<td title=\"{}\"{ground}>{}</td>", in_full(cell), escaped(&cell.shown))
}

/// Renders the shading of a cell: all of it, or a bar.
fn shade((from, to): (f64, f64), grey: u8) -> String {
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
fn in_full(cell: &Cell) -> String {
    let (factor, unit) = if cell.percent { (100.0, " %") } else { (1.0, "") };
    let made = if cell.exact { "exact" } else { "simulated" };
    let value = factor * cell.value;
    let interval = cell.interval.map_or(String::new(), |(low, high)| {
        let (low, high) = (factor * low, factor * high);
        format!("; 95 % interval of the simulation {low:.4} to {high:.4}{unit}")
    });
    format!("{made} {value:.4}{unit}{interval}")
}
