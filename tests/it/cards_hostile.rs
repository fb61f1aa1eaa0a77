//! Names on cards that would like to be markup, formulas or commands to a terminal.

use crate::cards::{TWO, fields, page, refusal};

const HOSTILE: &str = r#"
name = "evil"
trials = 1000
[[contest]]
name = "</svg></style><script>alert(1)</script>"
system = "asl"
action = "fire"
fp = [4, 8]
target = { kind = "squad", morale = 7 }
[[contest]]
name = "=HYPERLINK(\"http://x\",\"y\")"
system = "asl"
action = "fire"
fp = [4, 8]
target = { kind = "squad", morale = 7 }
[[card]]
title = "' onload='x' )>> /OpenAction << /S /JavaScript /JS (app.alert) >> &"
rows = "contest"
columns = "fp"
row_title = "@SUM(A1)"
column_title = "+cmd|' /C calc'!A0"
line = [{ label = "<b>&|x", when = ["broken"] }]
rest = "]]>"
notes = ["<img src=x onerror=alert(1)> & <!--", "[x](javascript:alert(1)) `y`"]
"#;

fn hostile(format: &[&str]) -> String {
    let arguments = [&["table", "-", "--format"], format].concat();
    page(&arguments, HOSTILE)
}

/// The names of the elements of a document in which every tag is closed, every attribute quoted
/// and every `&` and `<` is markup.
fn elements(document: &str) -> Vec<String> {
    let (mut open, mut all) = (Vec::new(), Vec::new());
    let mut rest = document;
    while let Some(at) = rest.find(['<', '&']) {
        let here = &rest[at..];
        if here.starts_with('&') {
            let end = here.find(';').expect("an entity ends");
            assert!(["&amp", "&lt", "&gt", "&quot", "&#39"].contains(&&here[..end]), "{here:.20}");
            rest = &here[end..];
            continue;
        }
        let end = here.find('>').expect("a tag ends");
        let (tag, after) = (&here[1..end], &here[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{here:.40}");
        } else if !tag.starts_with("!doctype") {
            let name =
                tag.split_whitespace().next().expect("a tag has a name").trim_end_matches('/');
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            assert!(!tag.contains('<'), "{tag}");
            all.push(name.to_owned());
            if !tag.ends_with('/') && name != "meta" {
                open.push(name.to_owned());
            }
        }
    }
    assert_eq!(open, Vec::<String>::new());
    all
}

#[test]
fn names_are_no_markup_on_a_page_or_a_drawing() {
    let known = [
        "html", "head", "meta", "title", "style", "body", "article", "section", "h1", "p", "table",
        "thead", "tbody", "tr", "th", "td", "aside", "b", "footer", "svg", "g", "path", "text",
    ];
    for format in ["html", "svg"] {
        let document = hostile(&[format]);
        let elements = elements(&document);
        assert!(elements.len() > 20);
        assert!(elements.iter().all(|name| known.contains(&name.as_str())), "{elements:?}");
        assert!(!document.contains("<script") && !document.contains("<img"));
        steers_nothing(&document);
    }
}

#[test]
fn names_that_steer_a_terminal_are_refused() {
    for hostile in ["\\u001B[31m", "\\u202E", "\\u0007"] {
        let card = format!("{TWO}[[card]]\ntitle = \"{hostile}\"\n");
        let said = refusal(&["table", "-"], &card);
        assert!(said.contains("a text may not hold control characters"), "{said}");
        steers_nothing(&said);
    }
}

fn steers_nothing(text: &str) {
    let steers = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(steers), "{text}");
}

#[test]
fn names_are_no_markup_in_markdown() {
    let document = hostile(&["markdown"]);
    steers_nothing(&document);
    assert!(!document.contains('<') && !document.replace("\\]", "").contains("](javascript"));
    let columns = |line: &&str| line.replace("\\|", "").matches('|').count();
    let rows: Vec<_> = document.lines().filter(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 4 && rows.iter().all(|line| columns(line) == columns(&rows[0])));
}

#[test]
fn names_are_no_formulas_in_any_shape_of_csv() {
    for shape in ["--long", "--wide", "--merge"] {
        let csv = hostile(&["csv", shape]);
        steers_nothing(&csv);
        for field in fields(&csv).into_iter().flatten() {
            let first = field.chars().next().unwrap_or(' ');
            let number = field.parse::<f64>().is_ok();
            assert!(number || !"=+-@\t\r".contains(first), "{shape}: {field}");
        }
    }
}
