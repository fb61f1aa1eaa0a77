//! The frame of a page of the site: its head, with what chat programs show of a link, and its
//! navigation.

use crate::report::blocks::html::fill_template_slots;
use crate::report::text::xml_escape::escape_xml;

const FRAME: &str = include_str!("frame.html");

/// A page of the site.
#[derive(Debug)]
pub struct SitePage<'a> {
    /// Its path from the root of the site: `docs/seek.html`.
    pub path: String,
    /// Its title.
    pub title: &'a str,
    /// A sentence about it, which chat programs show below a link.
    pub about: &'a str,
    /// The path of the picture that chat programs show.
    pub picture: &'a str,
    /// Its content.
    pub body: &'a str,
}

impl SitePage<'_> {
    /// Renders the page; `address` is the one of the site, which a picture in a chat needs, with a
    /// slash at its end, or empty.
    pub fn render(&self, address: &str) -> String {
        let up = "../".repeat(self.path.matches('/').count());
        let section = self.path.split('/').next().unwrap_or_default();
        let here =
            |name: &str| if section.starts_with(name) { " aria-current=\"page\"" } else { "" };
        let picture = match address {
            "" => format!("{up}{}", self.picture),
            _ => format!("{address}{}", self.picture),
        };
        let (title, about) = (escape_xml(self.title), escape_xml(self.about));
        let slots = [
            ("title", title.as_str()),
            ("about", &about),
            ("picture", &picture),
            ("address", &format!("{address}{}", self.path)),
            ("up", &up),
            ("version", env!("CARGO_PKG_VERSION")),
            ("here_gallery", here("gallery")),
            ("here_docs", here("docs")),
            ("body", self.body),
        ];
        fill_template_slots(FRAME, &slots)
    }
}
