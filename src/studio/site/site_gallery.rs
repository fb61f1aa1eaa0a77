//! The gallery of a site: every question has a page with its picture and its file, and opens in the
//! studio.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::json;

use crate::report::blocks::html::render_paragraph;
use crate::report::text::xml_escape::escape_xml;

/// A question of the gallery.
#[derive(Clone, Debug)]
pub struct GalleryQuestion {
    /// The name of its page without the ending.
    pub name: String,
    /// The heading below which it is listed.
    pub group: String,
    /// Its title.
    pub title: String,
    /// What it asks.
    pub question: String,
    /// Its file.
    pub text: String,
    /// The files that its file names.
    pub files: Vec<(String, String)>,
    /// Its answer as a picture, where it has one.
    pub picture: Option<GalleryPicture>,
}

/// The answer of a question as a picture.
#[derive(Clone, Debug)]
pub struct GalleryPicture {
    /// The picture for pages.
    pub svg: String,
    /// The picture for chat programs, where the program can write it.
    pub png: Option<Vec<u8>>,
    /// Its title.
    pub title: String,
}

impl GalleryQuestion {
    /// The address of the question in the studio: deflated JSON behind the `#`, which no server
    /// sees.
    pub fn studio_link(&self) -> String {
        let files: Vec<_> =
            self.files.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
        let link = json!({ "text": self.text, "contest": 0, "cell": 0, "files": files });
        format!("studio.html#z={}", deflate_to_url_text(&link.to_string()))
    }

    /// The path of its page.
    pub fn path(&self) -> String {
        format!("gallery/{}.html", self.name)
    }

    /// The path of its picture for pages.
    pub fn picture_path(&self) -> Option<String> {
        self.picture.as_ref().map(|_| format!("pictures/{}.svg", self.name))
    }

    /// Renders its page.
    pub fn render_body(&self) -> String {
        let mut body = format!("<h1>{}</h1>\n", escape_xml(&self.title));
        body += &render_paragraph("lead", &self.question);
        let _ = writeln!(
            body,
            "<p><a class=\"go\" href=\"../{}\">Open it live</a></p>",
            self.studio_link()
        );
        if let (Some(picture), Some(path)) = (&self.picture, self.picture_path()) {
            let title = escape_xml(&picture.title);
            let _ = writeln!(
                body,
                "<figure class=\"picture\"><img src=\"../{path}\" alt=\"{title}\"><figcaption>{title}</figcaption></figure>"
            );
        }
        // Line by line, because the ends of lines would be replaced.
        let lines: Vec<_> = self.text.lines().map(escape_xml).collect();
        let _ = writeln!(
            body,
            "<h2>The file</h2>\n<pre tabindex=\"0\" aria-label=\"The file\">{}</pre>",
            lines.join("\n")
        );
        body
    }

    /// Renders its tile, for a page at the root of the site.
    fn render_tile(&self) -> String {
        let picture = self.picture_path().map_or(String::new(), |path| {
            format!("<img src=\"{path}\" alt=\"\" loading=\"lazy\">")
        });
        format!(
            "<li><a href=\"{}\">{picture}<strong>{}</strong><span>{}</span></a></li>\n",
            self.path(),
            escape_xml(&self.title),
            escape_xml(&self.question)
        )
    }
}

/// Renders the list of all questions, by group.
pub fn render_gallery(questions: &[GalleryQuestion]) -> String {
    let mut body = String::from(
        "<h1>Gallery</h1>\n<p class=\"lead\">Questions to the games that come with Enfilade. Each opens live: change \
         any number, and the odds follow.</p>\n",
    );
    for group in questions.chunk_by(|a, b| a.group == b.group) {
        let tiles: String = group.iter().map(GalleryQuestion::render_tile).collect();
        let _ = writeln!(
            body,
            "<section><h2>{}</h2>\n<ul class=\"tiles\">\n{tiles}</ul></section>",
            escape_xml(&group[0].group)
        );
    }
    body
}

/// Deflates a text, and writes it in letters that no program changes.
fn deflate_to_url_text(text: &str) -> String {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    // Memory takes everything.
    let _ = packed.write_all(text.as_bytes());
    URL_SAFE_NO_PAD.encode(packed.finish().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::DeflateDecoder;
    use std::io::Read;

    #[test]
    fn a_link_holds_the_question_and_markup_is_text() {
        let question = GalleryQuestion {
            name: "a".into(),
            group: "g".into(),
            title: "<b>".into(),
            question: "a & b?".into(),
            text: "x = \"</pre><script>\"\ny = 1\n".into(),
            files: vec![("r.rules".into(), "game".into())],
            picture: None,
        };
        let link = question.studio_link();
        let packed = URL_SAFE_NO_PAD.decode(link.strip_prefix("studio.html#z=").expect("a link"));
        let mut text = String::new();
        let mut unpacked = DeflateDecoder::new(packed.as_deref().expect("its letters"));
        unpacked.read_to_string(&mut text).expect("deflated");
        let held: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(held["text"], question.text.as_str());
        assert_eq!(held["files"][0]["name"], "r.rules");
        let body = question.render_body() + &render_gallery(&[question]);
        assert!(body.contains("\ny = 1</pre>"), "{body}");
        assert!(!body.contains("<script") && !body.contains("<b>"), "{body}");
    }
}
