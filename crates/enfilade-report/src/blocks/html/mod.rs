//! Blocks as a web page that loads and runs nothing, and their parts for pages that do more. Text
//! from a file is never markup.

mod html_bars;

use super::{
    PictureWithContent, ReportBlock, ReportTableCell, StyledSentence, TextEmphasis, TextTable, csp,
    dark_theme,
};
use crate::text::xml_escape::escape_xml;

pub(crate) const PAGE_FRAME_HTML: &str = include_str!("frame.html");

/// The colours and letters of every page, the studio's among them.
pub const COLOR_AND_FONT_STYLE: &str = include_str!("colours.css");

/// The style of every standalone page.
pub const STANDALONE_PAGE_STYLE: &str =
    concat!(include_str!("colours.css"), include_str!("page.css"));

/// The style of a switch before a choice is made.
const TABLE_SWITCH_STYLE: &str = "\
.choices fieldset { border: 0; padding: 0; margin: 0 0 .5rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.choices legend { position: absolute; clip-path: inset(50%); inline-size: 1px; block-size: 1px; overflow: hidden; }
.choices label { display: inline-flex; gap: .3rem; align-items: center; }
.choices > .scroll { display: none; }
@media print { section:has(> .choices) { display: none; } }
";

/// The script that sorts a table by the column whose head is pressed.
const SORT_SCRIPT: &str = include_str!("sort.js");

/// The style of wide tables on a telephone, where all columns fit.
const NARROW_TABLE_STYLE: &str = "\
@media (max-width: 34rem) {
  main .scroll :is(th, td) { padding-inline: .25rem; font-size: .75rem; }
  main .scroll thead th { white-space: normal; } main .scroll small { font-size: .625rem; }
  .grid thead button { padding: 0; font-size: .625rem; overflow-wrap: anywhere; } .grid thead button::after { display: none; } main .grid .t { overflow-wrap: anywhere; }
}
";

/// Renders the blocks as a page.
pub fn render_blocks_as_page(blocks: &[ReportBlock]) -> String {
    build_html_document(
        title_of(blocks),
        &page_style_for_blocks(blocks),
        None,
        &render_page_body(blocks),
    )
}

/// Renders the blocks as a page whose tables are sorted by a press on a head, and fit a telephone.
pub fn render_blocks_as_sortable_page(blocks: &[ReportBlock]) -> String {
    let style = page_style_for_blocks(blocks) + NARROW_TABLE_STYLE;
    let body = format!("{}<script>{SORT_SCRIPT}</script>\n", render_page_body(blocks));
    build_html_document(title_of(blocks), &style, Some(SORT_SCRIPT), &body)
}

/// Returns the first title or heading.
fn title_of(blocks: &[ReportBlock]) -> &str {
    let title = blocks.iter().find_map(|block| match block {
        ReportBlock::Title(text) | ReportBlock::Heading(text) => Some(text.as_str()),
        _ => None,
    });
    title.unwrap_or("enfilade")
}

/// Returns the style of a page with these blocks.
fn page_style_for_blocks(blocks: &[ReportBlock]) -> String {
    let mut style = STANDALONE_PAGE_STYLE.to_owned() + &build_switch_style(blocks);
    if blocks.iter().any(|block| matches!(block, ReportBlock::Ranges(_))) {
        style += html_bars::PRICE_BARS_STYLE;
    }
    style
}

/// Builds a standalone page with this style, the dark mode of its pictures, and at most one script.
pub fn build_html_document(title: &str, style: &str, script: Option<&str>, body: &str) -> String {
    let script = script.map(|script| format!("; script-src '{}'", csp::csp_hash_source(script)));
    fill_page_frame(title, style, &script.unwrap_or_default(), body)
}

/// Builds a standalone page whose `scripts` run the engine in a thread of their own.
pub fn build_document_allowing_wasm<'s>(
    title: &str,
    style: &str,
    scripts: impl Iterator<Item = &'s str>,
    body: &str,
) -> String {
    let scripts: String =
        scripts.map(|script| format!("'{}' ", csp::csp_hash_source(script))).collect();
    let permits = format!("; script-src {scripts}'wasm-unsafe-eval'; worker-src blob:");
    fill_page_frame(title, style, &permits, body)
}

/// Fills the frame of a page whose policy allows its style and these `sources`.
fn fill_page_frame(title: &str, style: &str, sources: &str, body: &str) -> String {
    let style = &(style.to_owned() + &dark_theme::dark_mode_style(body));
    let permits = format!("style-src '{}'{sources}", csp::csp_hash_source(style));
    let slots = [
        ("permits", permits.as_str()),
        ("version", env!("CARGO_PKG_VERSION")),
        ("title", &escape_xml(title)),
        ("style", style),
        ("body", body),
    ];
    fill_template_slots(PAGE_FRAME_HTML, &slots)
}

/// Fills the slots `{{name}}` of a template; inserted text is not searched for slots.
///
/// # Panics
/// If a slot of the template is not closed or has no content. Templates are compiled in, so tests
/// find such a slot.
pub fn fill_template_slots(template: &str, slots: &[(&str, &str)]) -> String {
    let mut parts = template.split("{{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, after) = part.split_once("}}").expect("every slot is closed");
        let slot = slots.iter().find(|(slot, _)| *slot == name);
        out.push_str(slot.expect("every slot has its content").1);
        out.push_str(after);
    }
    out
}

/// Renders the blocks before the first heading as the head of the page; every heading begins a
/// section.
fn render_page_body(blocks: &[ReportBlock]) -> String {
    let begins = |block: &ReportBlock| {
        matches!(
            block,
            ReportBlock::Heading(_)
                | ReportBlock::Boxed(..)
                | ReportBlock::Ranges(_)
                | ReportBlock::Choices(..)
        )
    };
    let head = blocks.iter().position(begins).unwrap_or(blocks.len());
    let (head, main) = blocks.split_at(head);
    let mut figures = 0;
    let mut out = format!(
        "<header>\n{}</header>\n<main>\n",
        render_with_pictures_in_rows(head, &mut figures)
    );
    let mut rest = main;
    while let Some((first, after)) = rest.split_first() {
        let length = after.iter().position(begins).unwrap_or(after.len());
        let section = render_with_pictures_in_rows(&rest[..=length], &mut figures);
        out.push_str(&format!("<section>\n{section}</section>\n"));
        debug_assert!(begins(first), "a section begins with what begins one");
        rest = &after[length..];
    }
    out + "</main>\n"
}

/// Renders blocks without pictures as a part of a page.
pub(crate) fn render_text_blocks(blocks: &[ReportBlock]) -> String {
    render_with_pictures_in_rows(blocks, &mut 0)
}

/// Renders blocks one after the other; pictures are side by side. `figures` counts them on the
/// page.
fn render_with_pictures_in_rows(blocks: &[ReportBlock], figures: &mut usize) -> String {
    let picture = |block: &ReportBlock| matches!(block, ReportBlock::Picture(_));
    let mut out = String::new();
    for run in blocks.chunk_by(|a, b| picture(a) && picture(b)) {
        let written: String = run.iter().map(|block| render_block(block, figures)).collect();
        match picture(&run[0]) && !written.is_empty() {
            true => out.push_str(&format!("<div class=\"figures\">\n{written}</div>\n")),
            false => out.push_str(&written),
        }
    }
    out
}

fn render_block(block: &ReportBlock, figures: &mut usize) -> String {
    match block {
        ReportBlock::Title(text) => format!("<h1>{}</h1>\n", escape_xml(text)),
        ReportBlock::Heading(text) => render_h2_heading(text),
        ReportBlock::Sentence(said) => format!("<p>{}</p>\n", render_sentence(said)),
        ReportBlock::List(lines) => render_list(lines),
        ReportBlock::Table(name, shown) => render_table(shown, name),
        ReportBlock::Boxed(title, lines) => render_h2_heading(title) + &render_list(lines),
        ReportBlock::Command(line) => format!("<pre>{}</pre>\n", escape_xml(line)),
        // A picture without SVG cannot be in a page that loads nothing.
        ReportBlock::Picture(figure) if figure.svg.is_empty() => String::new(),
        ReportBlock::Picture(figure) => {
            *figures += 1;
            render_figure(figure, *figures)
        }
        ReportBlock::Ranges(ranges) => html_bars::render_price_ranges_html(ranges),
        ReportBlock::Choices(title, choices) => {
            render_h2_heading(title) + &render_tables_with_switch(title, choices)
        }
    }
}

/// Renders a switch and its tables without a script: the table of the pressed name is shown.
fn render_tables_with_switch(title: &str, choices: &[(String, TextTable)]) -> String {
    let title = escape_xml(title);
    let switch = |(i, (called, _)): (usize, &(String, TextTable))| {
        let (checked, called) = (if i == 0 { " checked" } else { "" }, escape_xml(called));
        format!("<label><input type=\"radio\" name=\"{title}\"{checked}> {called}</label>\n")
    };
    let switches: String = choices.iter().enumerate().map(switch).collect();
    let tables: String =
        choices.iter().map(|(called, shown)| render_table(shown, called)).collect();
    format!(
        "<div class=\"choices\">\n<fieldset><legend>{title}</legend>\n{switches}</fieldset>\n{tables}</div>\n"
    )
}

/// Returns the style of the switches among these blocks: each choice shows its own table.
fn build_switch_style(blocks: &[ReportBlock]) -> String {
    let most = blocks.iter().map(|block| match block {
        ReportBlock::Choices(_, choices) => choices.len(),
        _ => 0,
    });
    let show = |place: usize| {
        let chosen = format!(".choices:has(label:nth-of-type({place}) input:checked)");
        format!("{chosen} > .scroll:nth-of-type({place})")
    };
    let shown: Vec<String> = (1..=most.max().unwrap_or(0)).map(show).collect();
    match shown.is_empty() {
        true => String::new(),
        false => format!("{TABLE_SWITCH_STYLE}{} {{ display: block; }}\n", shown.join(", ")),
    }
}

fn render_h2_heading(text: &str) -> String {
    format!("<h2>{}</h2>\n", escape_xml(text))
}

fn render_sentence(sentence: &StyledSentence) -> String {
    sentence.render_parts_with(|voice, text| match voice {
        TextEmphasis::Plain => escape_xml(text),
        TextEmphasis::Strong => format!("<strong>{}</strong>", escape_xml(text)),
    })
}

/// Renders `<p>` with a text, and a class if there is one.
pub fn render_paragraph(class: &str, text: &str) -> String {
    match class {
        "" => format!("<p>{}</p>\n", escape_xml(text)),
        _ => format!("<p class=\"{class}\">{}</p>\n", escape_xml(text)),
    }
}

/// Renders a list; empty without lines.
pub fn render_list(lines: &[StyledSentence]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items = lines.iter().map(|line| format!("<li>{}</li>\n", render_sentence(line)));
    format!("<ul>\n{}</ul>\n", items.collect::<String>())
}

/// Renders a table with its caption; the columns that name a row are its heads.
pub fn render_table(table: &TextTable, caption: &str) -> String {
    let left = |column: usize| table.rows.iter().all(|row| !row[column].is_flush_right());
    let class = |column: usize| if left(column) { " class=\"t\"" } else { "" };
    let heads = table.heads.iter().enumerate().map(|(column, head)| {
        let class = class(column);
        // Wide tables scroll, so they are regions that can be reached without a mouse.
        format!("<th scope=\"col\"{class}>{}</th>", escape_xml(head))
    });
    let heads: String = heads.collect();
    let rows: String = table.rows.iter().map(|row| render_row(row, table.fixed)).collect();
    format!(
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{caption}\">\n<table>\n\
         <caption>{caption}</caption>\n<thead><tr>{heads}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n",
        caption = escape_xml(caption),
    )
}

fn render_row(row: &[ReportTableCell], fixed: usize) -> String {
    let cell = |(column, entry): (usize, &ReportTableCell)| {
        let class = if entry.is_flush_right() { "" } else { " class=\"t\"" };
        let text = render_cell_content(entry);
        match column < fixed {
            true => format!("<th scope=\"row\"{class}>{text}</th>"),
            false => format!("<td{class}>{text}</td>"),
        }
    };
    let cells: String = row.iter().enumerate().map(cell).collect();
    format!("<tr>{cells}</tr>\n")
}

/// Renders the exact number, with the simulated one smaller beside it.
fn render_cell_content(entry: &ReportTableCell) -> String {
    match entry.entry_lines()[..] {
        [exact, simulated] => {
            let (exact, simulated) = (escape_xml(exact), escape_xml(simulated));
            format!("{exact} <small>{simulated}</small>")
        }
        _ if matches!(entry, ReportTableCell::Strong(_)) => {
            format!("<strong>{}</strong>", escape_xml(&entry.entry_in_one_line()))
        }
        _ => escape_xml(&entry.entry_in_one_line()),
    }
}

/// Renders the figure with its picture embedded; one wider than the screen can be scrolled by
/// keyboard as well. `number` is its number on the page.
pub fn render_figure(figure: &PictureWithContent, number: usize) -> String {
    let (file, title) = (escape_xml(&figure.picture.file), escape_xml(&figure.picture.title));
    let svg = embed_svg_with_title(&figure.svg, number, &title);
    format!(
        "<figure tabindex=\"0\">\n{svg}\n<figcaption>{title} <code>{file}</code></figcaption>\n</figure>\n"
    )
}

/// Inlines an SVG: adds a title for screen readers, and makes its ids, if any, unique on the page.
fn embed_svg_with_title(svg: &str, number: usize, title: &str) -> String {
    let start = svg.find("<svg ").unwrap_or(0);
    let mut svg = svg[start..].trim_end().to_owned();
    // The font is named once in the page's style.
    let font = svg.find(" font-family=\"").filter(|at| !svg[..*at].contains('>'));
    if let Some(at) = font {
        let length = svg[at + 14..].find('"').map_or(0, |quote| quote + 15);
        svg.replace_range(at..at + length, "");
    }
    svg = svg.replace(">\n", ">");
    if svg.contains(" id=\"") {
        for reference in [" id=\"", "url(#", "href=\"#"] {
            svg = svg.replace(reference, &format!("{reference}figure-{number}-"));
        }
    }
    svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{title}\" "), 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::PictureFileAndTitle;

    #[test]
    fn a_sortable_page_allows_its_own_script_and_no_other() {
        let blocks = [ReportBlock::Title("a".into())];
        let page = render_blocks_as_sortable_page(&blocks);
        let permit = format!("script-src '{}'", csp::csp_hash_source(SORT_SCRIPT));
        assert_eq!(page.matches(&permit).count(), 1, "{page}");
        assert_eq!(page.matches("<script>").count(), 1);
        assert!(page.contains(&format!("<script>{SORT_SCRIPT}</script>")));
        assert!(!render_blocks_as_page(&blocks).contains("script"));
    }

    #[test]
    fn a_table_has_heads_for_its_rows_and_columns() {
        let odds = ReportTableCell::Odds {
            exact: Some("8.33".into()),
            simulated: Some("8.37 ± 0.05".into()),
        };
        let made = render_table(
            &TextTable {
                heads: vec!["a<b".into(), "p %".into()],
                rows: vec![vec![ReportTableCell::Text("x".into()), odds]],
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

    fn figure(svg: &str) -> PictureWithContent {
        PictureWithContent {
            picture: PictureFileAndTitle {
                contest: 0,
                file: "charts/1-bars.svg".into(),
                title: "a \"b\" <c>".into(),
            },
            svg: svg.into(),
        }
    }

    #[test]
    fn ids_of_two_figures_do_not_meet() {
        let svg = "<?xml version=\"1.0\"?>\n<svg width=\"1\">\n<clipPath id=\"a\"/>\n\
            <g clip-path=\"url(#a)\"><use href=\"#a\"/></g>\n</svg>\n";
        let made = render_figure(&figure(svg), 3);
        assert!(made.starts_with(
            "<figure tabindex=\"0\">\n<svg role=\"img\" aria-label=\"a &quot;b&quot; &lt;c&gt;\" width=\"1\">"
        ));
        for part in ["id=\"figure-3-a\"", "url(#figure-3-a)", "href=\"#figure-3-a\""] {
            assert!(made.contains(part), "{made}");
        }
        assert!(!made.contains("\"a\"") && !made.contains("#a"));
    }

    #[test]
    fn what_the_page_says_once_is_left_out() {
        let svg = "<svg width=\"9\" font-family=\"DejaVu Sans,sans-serif\" font-size=\"13.75\">\n\
            <text x=\"1\" font-family=\"a\">29.6</text>\n</svg>\n";
        assert_eq!(
            embed_svg_with_title(svg, 1, "t"),
            "<svg role=\"img\" aria-label=\"t\" width=\"9\" font-size=\"13.75\">\
             <text x=\"1\" font-family=\"a\">29.6</text></svg>"
        );
        let bare = embed_svg_with_title("<svg width=\"9\"><text font-family=\"a\"/></svg>", 1, "t");
        assert!(bare.contains("font-family=\"a\""), "{bare}");
    }
}
