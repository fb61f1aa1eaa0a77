//! Texts that the program carries for its site: pages of the documentation, experiments and
//! rulebooks.

use std::io::Read;

use flate2::read::DeflateDecoder;

/// The packed texts, as the build script writes them.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/site.bin"));

/// A text of the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundledSiteText {
    /// Its path: `experiments/ift_odds.toml`, `docs/seek.md`.
    pub path: String,
    /// Its content; of a page of the documentation its title, a line about it, and its body as
    /// HTML.
    pub text: String,
}

impl BundledSiteText {
    /// The name of its file.
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The name of its file without the ending.
    pub fn stem(&self) -> &str {
        self.file_name().rsplit_once('.').map_or("", |(stem, _)| stem)
    }

    /// Whether it is in a folder, and not below it.
    pub fn is_directly_in_folder(&self, folder: &str) -> bool {
        self.path.strip_suffix(self.file_name()) == Some(&*format!("{folder}/"))
    }
}

/// Unpacks every text.
pub fn unpack_texts() -> Vec<BundledSiteText> {
    let mut all = String::new();
    // The archive is compiled in: where it is damaged, the program is.
    if DeflateDecoder::new(PACKED).read_to_string(&mut all).is_err() {
        return Vec::new();
    }
    let (mut texts, mut rest) = (Vec::new(), all.as_str());
    while let Some((text, after)) = split_first_text(rest) {
        texts.push(text);
        rest = after;
    }
    texts
}

fn split_first_text(all: &str) -> Option<(BundledSiteText, &str)> {
    let (path, rest) = all.split_once('\n')?;
    let (length, rest) = rest.split_once('\n')?;
    let (text, rest) = rest.split_at_checked(length.parse().ok()?)?;
    Some((BundledSiteText { path: path.to_owned(), text: text.to_owned() }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_has_the_files_of_the_repository() {
        let texts = unpack_texts();
        for text in texts.iter().filter(|text| !text.path.starts_with("docs/")) {
            let path = format!("{}/{}", env!("CARGO_MANIFEST_DIR"), text.path);
            assert_eq!(std::fs::read_to_string(&path).ok().as_ref(), Some(&text.text), "{path}");
        }
        let count =
            |folder: &str| texts.iter().filter(|text| text.is_directly_in_folder(folder)).count();
        assert!(count("docs") >= 10 && count("experiments") >= 30, "{}", texts.len());
        assert!(count("experiments/questions") >= 40 && count("rulebooks") >= 15);
    }

    #[test]
    fn a_page_has_its_title_and_leads_to_its_neighbours() {
        let texts = unpack_texts();
        let page = texts.iter().find(|text| text.path == "docs/rulebooks.md").expect("it is there");
        let mut lines = page.text.lines();
        assert_eq!(lines.next(), Some("Your own game, from three lines to thirty"));
        assert!(lines.next().is_some_and(|about| about.starts_with("A rulebook file describes")));
        assert!(page.text.contains("href=\"rule_reference.html\""));
        assert!(!page.text.contains(".md\"") && !page.text.contains("<img"), "{}", page.text);
    }
}
