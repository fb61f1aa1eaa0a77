//! Blocks as a web page that loads and runs nothing, and their parts for pages that do more. Text
//! from a file is never markup.

mod bars;

use super::{Block, Entry, Figure, Sentence, TextTable, Voice, csp, dark_theme};
use crate::text::xml_escape::escaped;

pub(crate) const FRAME: &str = include_str!("frame.html");

/// The colours and letters of every page, the studio's among them.
pub const COLOURS: &str = include_str!("colours.css");

/// The style of every standalone page.
pub const STYLE: &str = concat!(include_str!("colours.css"), include_str!("page.css"));

/// The style of a switch before a choice is made.
const SWITCH: &str = "\
.choices fieldset { border: 0; padding: 0; margin: 0 0 .5rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.choices legend { position: absolute; clip-path: inset(50%); inline-size: 1px; block-size: 1px; overflow: hidden; }
.choices label { display: inline-flex; gap: .3rem; align-items: center; }
.choices > .scroll { display: none; }
@media print { section:has(> .choices) { display: none; } }
";

/// Renders the blocks as a page.
pub fn write(blocks: &[Block]) -> String {
    let title = blocks.iter().find_map(|block| match block {
        Block::Title(text) | Block::Heading(text) => Some(text.as_str()),
        _ => None,
    });
    let mut style = STYLE.to_owned() + &switched(blocks);
    if blocks.iter().any(|block| matches!(block, Block::Ranges(_))) {
        style += bars::STYLE;
    }
    framed(title.unwrap_or("enfilade"), &style, None, &body(blocks))
}

/// Builds a standalone page with this style, the dark mode of its pictures, and at most one script.
pub fn framed(title: &str, style: &str, script: Option<&str>, body: &str) -> String {
    let style = &(style.to_owned() + &dark_theme::rules(body));
    let script = script.map(|script| format!("; script-src '{}'", csp::permit(script)));
    let permits = format!("style-src '{}'{}", csp::permit(style), script.unwrap_or_default());
    let slots = [
        ("permits", permits.as_str()),
        ("version", env!("CARGO_PKG_VERSION")),
        ("title", &escaped(title)),
        ("style", style),
        ("body", body),
    ];
    filled(FRAME, &slots)
}

/// Fills the slots `{{name}}` of a template; inserted text is not searched for slots.
pub fn filled(template: &str, slots: &[(&str, &str)]) -> String {
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
fn body(blocks: &[Block]) -> String {
    let begins = |block: &Block| {
        matches!(
            block,
            Block::Heading(_) | Block::Boxed(..) | Block::Ranges(_) | Block::Choices(..)
        )
    };
    let head = blocks.iter().position(begins).unwrap_or(blocks.len());
    let (head, main) = blocks.split_at(head);
    let mut figures = 0;
    let mut out = format!("<header>\n{}</header>\n<main>\n", group(head, &mut figures));
    let mut rest = main;
    while let Some((first, after)) = rest.split_first() {
        let length = after.iter().position(begins).unwrap_or(after.len());
        let section = group(&rest[..=length], &mut figures);
        out.push_str(&format!("<section>\n{section}</section>\n"));
        debug_assert!(begins(first), "a section begins with what begins one");
        rest = &after[length..];
    }
    out + "</main>\n"
}

/// Renders blocks one after the other; pictures are side by side. `figures` counts them on the
/// page.
fn group(blocks: &[Block], figures: &mut usize) -> String {
    let picture = |block: &Block| matches!(block, Block::Picture(_));
    let mut out = String::new();
    for run in blocks.chunk_by(|a, b| picture(a) && picture(b)) {
        let written: String = run.iter().map(|block| one(block, figures)).collect();
        match picture(&run[0]) && !written.is_empty() {
            true => out.push_str(&format!("<div class=\"figures\">\n{written}</div>\n")),
            false => out.push_str(&written),
        }
    }
    out
}

fn one(block: &Block, figures: &mut usize) -> String {
    match block {
        Block::Title(text) => format!("<h1>{}</h1>\n", escaped(text)),
        Block::Heading(text) => heading(text),
        Block::Sentence(said) => format!("<p>{}</p>\n", sentence(said)),
        Block::List(lines) => list(lines),
        Block::Table(name, shown) => table(shown, name),
        Block::Boxed(title, lines) => heading(title) + &list(lines),
        Block::Command(line) => format!("<pre>{}</pre>\n", escaped(line)),
        // A picture without SVG cannot be in a page that loads nothing.
        Block::Picture(figure) if figure.svg.is_empty() => String::new(),
        Block::Picture(figure) => {
            *figures += 1;
            embedded(figure, *figures)
        }
        Block::Ranges(ranges) => bars::write(ranges),
        Block::Choices(title, choices) => heading(title) + &chosen(title, choices),
    }
}

/// Renders a switch and its tables without a script: the table of the pressed name is shown.
fn chosen(title: &str, choices: &[(String, TextTable)]) -> String {
    let title = escaped(title);
    let switch = |(i, (called, _)): (usize, &(String, TextTable))| {
        let (checked, called) = (if i == 0 { " checked" } else { "" }, escaped(called));
        format!("<label><input type=\"radio\" name=\"{title}\"{checked}> {called}</label>\n")
    };
    let switches: String = choices.iter().enumerate().map(switch).collect();
    let tables: String = choices.iter().map(|(called, shown)| table(shown, called)).collect();
    format!(
        "<div class=\"choices\">\n<fieldset><legend>{title}</legend>\n{switches}</fieldset>\n{tables}</div>\n"
    )
}

/// Returns the style of the switches among these blocks: each choice shows its own table.
fn switched(blocks: &[Block]) -> String {
    let most = blocks.iter().map(|block| match block {
        Block::Choices(_, choices) => choices.len(),
        _ => 0,
    });
    let show = |place: usize| {
        let chosen = format!(".choices:has(label:nth-of-type({place}) input:checked)");
        format!("{chosen} > .scroll:nth-of-type({place})")
    };
    let shown: Vec<String> = (1..=most.max().unwrap_or(0)).map(show).collect();
    match shown.is_empty() {
        true => String::new(),
        false => format!("{SWITCH}{} {{ display: block; }}\n", shown.join(", ")),
    }
}

fn heading(text: &str) -> String {
    format!("<h2>{}</h2>\n", escaped(text))
}

fn sentence(said: &Sentence) -> String {
    said.joined(|voice, text| match voice {
        Voice::Plain => escaped(text),
        Voice::Strong => format!("<strong>{}</strong>", escaped(text)),
    })
}

/// Renders `<p>` with a text, and a class if there is one.
pub fn paragraph(class: &str, text: &str) -> String {
    match class {
        "" => format!("<p>{}</p>\n", escaped(text)),
        _ => format!("<p class=\"{class}\">{}</p>\n", escaped(text)),
    }
}

/// Renders a list; empty without lines.
pub fn list(lines: &[Sentence]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items = lines.iter().map(|line| format!("<li>{}</li>\n", sentence(line)));
    format!("<ul>\n{}</ul>\n", items.collect::<String>())
}

/// Renders a table with its caption; the columns that name a row are its heads.
pub fn table(table: &TextTable, caption: &str) -> String {
    let left = |column: usize| table.rows.iter().all(|row| !row[column].is_number());
    let class = |column: usize| if left(column) { " class=\"t\"" } else { "" };
    let heads = table.heads.iter().enumerate().map(|(column, head)| {
        let class = class(column);
        // Wide tables scroll, so they are regions that can be reached without a mouse.
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

/// Renders the exact number, with the simulated one smaller beside it.
fn shown(entry: &Entry) -> String {
    match entry.lines()[..] {
        [exact, simulated] => {
            let (exact, simulated) = (escaped(exact), escaped(simulated));
            format!("{exact} <small>{simulated}</small>")
        }
        _ if matches!(entry, Entry::Strong(_)) => {
            format!("<strong>{}</strong>", escaped(&entry.inline()))
        }
        _ => escaped(&entry.inline()),
    }
}

/// Renders the figure with its picture embedded; one wider than the screen can be scrolled by
/// keyboard as well. `number` is its number on the page.
pub fn embedded(figure: &Figure, number: usize) -> String {
    let (file, title) = (escaped(&figure.picture.file), escaped(&figure.picture.title));
    let svg = inlined(&figure.svg, number, &title);
    format!(
        "<figure tabindex=\"0\">\n{svg}\n<figcaption>{title} <code>{file}</code></figcaption>\n</figure>\n"
    )
}

/// Inlines an SVG: adds a title for screen readers, and makes its ids, if any, unique on the page.
fn inlined(svg: &str, number: usize, title: &str) -> String {
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
    use crate::blocks::Picture;

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

    fn figure(svg: &str) -> Figure {
        Figure {
            picture: Picture {
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
        let made = embedded(&figure(svg), 3);
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
            inlined(svg, 1, "t"),
            "<svg role=\"img\" aria-label=\"t\" width=\"9\" font-size=\"13.75\">\
             <text x=\"1\" font-family=\"a\">29.6</text></svg>"
        );
        let bare = inlined("<svg width=\"9\"><text font-family=\"a\"/></svg>", 1, "t");
        assert!(bare.contains("font-family=\"a\""), "{bare}");
    }
}
