//! Texts and tables as HTML in which nothing from a file is markup.

use crate::report::escape::escaped;
use crate::report::tables::{Entry, TextTable};

/// `<p>` with a text, and a class if there is one.
pub fn paragraph(class: &str, text: &str) -> String {
    match class {
        "" => format!("<p>{}</p>\n", escaped(text)),
        _ => format!("<p class=\"{class}\">{}</p>\n", escaped(text)),
    }
}

/// A list of texts; nothing when there is none.
pub fn list(texts: &[String]) -> String {
    if texts.is_empty() {
        return String::new();
    }
    let items = texts.iter().map(|text| format!("<li>{}</li>\n", escaped(text)));
    format!("<ul>\n{}</ul>\n", items.collect::<String>())
}

/// A table with its caption; the columns that name a row are its heads.
pub fn table(table: &TextTable, caption: &str) -> String {
    let left = |column: usize| table.rows.iter().all(|row| !row[column].is_number());
    let class = |column: usize| if left(column) { " class=\"t\"" } else { "" };
    let heads = table.heads.iter().enumerate().map(|(column, head)| {
        let class = class(column);
        format!("<th scope=\"col\"{class}>{}</th>", escaped(head))
    });
    let heads: String = heads.collect();
    let rows: String = table.rows.iter().map(|row| line(row, table.fixed)).collect();
    format!(
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{caption}\">\n<table>\n\
         <caption>{caption}</caption>\n<thead><tr>{heads}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n",
        caption = escaped(caption),
    )
}

fn line(row: &[Entry], fixed: usize) -> String {
    let cell = |(column, entry): (usize, &Entry)| {
        let class = if entry.is_number() { "" } else { " class=\"t\"" };
        let text = shown(entry);
        match column < fixed {
            true => format!("<th scope=\"row\"{class}>{text}</th>"),
            false => format!("<td{class}>{text}</td>"),
        }
    };
    let cells: String = row.iter().enumerate().map(cell).collect();
    format!("<tr>{cells}</tr>\n")
}

/// The exact number, and the simulated one smaller beside it.
fn shown(entry: &Entry) -> String {
    match entry.lines()[..] {
        [exact, simulated] => {
            let (exact, simulated) = (escaped(exact), escaped(simulated));
            format!("{exact} <small>{simulated}</small>")
        }
        _ => escaped(&entry.inline()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_heads_for_its_rows_and_columns() {
        let odds =
            Entry::Odds { exact: Some("8.33".into()), simulated: Some("8.37 ± 0.05".into()) };
        let made = table(
            &TextTable {
                heads: vec!["a<b".into(), "p %".into()],
                rows: vec![vec![Entry::Text("x".into()), odds]],
                fixed: 1,
            },
            "all \"cells\"",
        );
        assert!(made.contains(
            "<tr><th scope=\"col\" class=\"t\">a&lt;b</th><th scope=\"col\">p %</th></tr>"
        ));
        assert!(made.contains(
            "<tr><th scope=\"row\" class=\"t\">x</th><td>8.33 <small>8.37 ± 0.05</small></td></tr>"
        ));
        assert!(made.contains("<caption>all &quot;cells&quot;</caption>"));
    }
}
