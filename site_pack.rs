// The texts of the site that `enfilade page --site` writes, packed into the program: pages of the
// documentation, made from Markdown when the program is built, and the experiments and rulebooks
// that come with it.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// Folders with the endings of their files that are packed.
const FOLDERS: [(&str, &[&str]); 5] = [
    ("docs", &["md"]),
    ("experiments", &["toml"]),
    ("experiments/questions", &["toml"]),
    ("experiments/variants", &["toml", "rules"]),
    ("rulebooks", &["rules", "tsv"]),
];

/// Packs the texts into the file at `out`: each as a line with its path, one with its length, and
/// its bytes. A packaged crate lacks some folders, and its site has less.
pub fn pack(out: &Path) -> io::Result<()> {
    let mut all = String::new();
    for (folder, endings) in FOLDERS {
        println!("cargo:rerun-if-changed={folder}");
        for path in list_files(Path::new(folder), endings)? {
            // A checkout of Windows may have other ends of lines.
            let text = fs::read_to_string(&path)?.replace("\r\n", "\n");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = if folder == "docs" { render_page(&text) } else { text };
            all.push_str(&format!("{folder}/{name}\n{}\n{text}", text.len()));
        }
    }
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    packed.write_all(all.as_bytes())?;
    fs::write(out, packed.finish()?)
}

fn list_files(folder: &Path, endings: &[&str]) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut files = entries.collect::<io::Result<Vec<_>>>()?;
    files.retain(|path| {
        let ending = path.extension().unwrap_or_default();
        path.is_file() && endings.iter().any(|wanted| ending == *wanted)
    });
    files.sort();
    Ok(files)
}

/// Renders a page: its title and its first paragraph, each in a line, then its body as HTML.
fn render_page(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<Event> = Parser::new_ext(markdown, options).collect();
    let title = text_between(&events, |tag| matches!(tag, Tag::Heading { .. }));
    let about = text_between(&events, |tag| matches!(tag, Tag::Paragraph));
    name_headings(&mut events);
    let events = adapt_to_site(events);
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    // Wide tables scroll, so they can be reached without a mouse.
    let body = body
        .replace("<table>", "<div class=\"scroll\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>")
        .replace("<pre>", "<pre tabindex=\"0\">");
    format!("{title}\n{about}\n{body}")
}

/// The text of the first element of a kind, in one line.
fn text_between(events: &[Event], is_wanted: impl Fn(&Tag) -> bool) -> String {
    let begins = |event: &Event| matches!(event, Event::Start(tag) if is_wanted(tag));
    let Some(first) = events.iter().position(begins) else { return String::new() };
    let Event::Start(tag) = &events[first] else { return String::new() };
    let end = Event::End(tag.to_end());
    let inside = events[first..].iter().take_while(|event| **event != end);
    let text: String = inside
        .map(|event| match event {
            Event::Text(text) | Event::Code(text) => text.to_string(),
            Event::SoftBreak | Event::HardBreak => " ".to_owned(),
            _ => String::new(),
        })
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Gives headings the names that links of Markdown use: small letters, and hyphens for spaces.
fn name_headings(events: &mut [Event]) {
    let mut taken: HashMap<String, usize> = HashMap::new();
    for at in 0..events.len() {
        if !matches!(events[at], Event::Start(Tag::Heading { .. })) {
            continue;
        }
        let words = text_between(&events[at..], |tag| matches!(tag, Tag::Heading { .. }));
        let plain = words.to_lowercase();
        let name: String = plain
            .chars()
            .filter_map(|c| match c {
                ' ' | '-' => Some('-'),
                c if c.is_alphanumeric() || c == '_' => Some(c),
                _ => None,
            })
            .collect();
        let count = taken.entry(name.clone()).or_default();
        let name = if *count == 0 { name } else { format!("{name}-{count}") };
        *count += 1;
        if let Event::Start(Tag::Heading { id, level, .. }) = &mut events[at] {
            *id = (*level != HeadingLevel::H1).then(|| CowStr::from(name));
        }
    }
}

/// Leads links to other pages of the folder, and leaves the words alone of links to files that no
/// site has. Columns are not aligned.
fn adapt_to_site(events: Vec<Event>) -> Vec<Event> {
    let (mut kept, mut open) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = place_on_site(&dest_url);
                open.push(dest_url.is_some());
                if let Some(dest_url) = dest_url {
                    let dest_url = CowStr::from(dest_url);
                    kept.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if open.pop() == Some(true) {
                    kept.push(Event::End(TagEnd::Link));
                }
            }
            // The policy of a site allows no style in an element.
            Event::Start(Tag::Table(columns)) => {
                let plain = vec![Alignment::None; columns.len()];
                kept.push(Event::Start(Tag::Table(plain)));
            }
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            other => kept.push(other),
        }
    }
    kept
}

/// The address on the site of what a page of `docs` links to.
fn place_on_site(link: &str) -> Option<String> {
    let (path, fragment) = link.split_once('#').map_or((link, None), |(p, f)| (p, Some(f)));
    let fragment = fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
    match path.strip_suffix(".md") {
        _ if path.is_empty() => Some(fragment),
        Some(page) if !page.contains('/') => Some(format!("{page}.html{fragment}")),
        _ if link.starts_with("https://") => Some(link.to_owned()),
        _ => None,
    }
}
