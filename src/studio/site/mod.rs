//! A site for any web space: a start page, the studio that computes, a gallery and the
//! documentation, as files.
//!
//! All addresses are relative, so the site works in any folder of a host. Its policy lets a page
//! ask nobody but that host.

use std::fmt::Write;

use serde_json::json;
use sha2::{Digest, Sha256};

use super::one_file_studio::{self, PackedEngineModules};
use crate::random_stream::to_hex;
use crate::report::blocks::html::STANDALONE_PAGE_STYLE;
use crate::report::text::xml_escape::escape_xml;

mod archive;
mod frame;
mod site_gallery;

pub use archive::{BundledSiteText, unpack_texts};
pub use site_gallery::{GalleryPicture, GalleryQuestion};

use frame::SitePage;

const STYLE: &str = include_str!("site.css");
const SCRIPT: &str = include_str!("site.js");
const WORKER: &str = include_str!("worker.js");

/// The studio as one file, to be taken along.
const ONE_FILE: &str = "enfilade-studio.html";

/// The sentence below the title of a link, and on the start page.
const ABOUT: &str = "Exact odds, simulation and prices for tabletop wargames, in the browser. Write your own game in a \
     text, and its odds follow every key.";

/// Pages of the documentation in the order in which they are read; others follow.
const READING_ORDER: [&str; 12] = [
    "first_game",
    "rulebooks",
    "running",
    "prices",
    "seek",
    "results",
    "rule_reference",
    "rulebook_grammar",
    "python",
    "other_languages",
    "scale",
    "proof",
];

/// A game of the start page.
#[derive(Clone, Debug)]
pub struct SiteGame {
    /// Its title.
    pub title: String,
    /// What it is taken from.
    pub about: String,
    /// The question that is opened.
    pub question: GalleryQuestion,
}

/// The content of a site.
#[derive(Debug)]
pub struct SiteContent {
    /// The packed modules.
    pub modules: PackedEngineModules,
    /// The games of the start page.
    pub games: Vec<SiteGame>,
    /// The questions of the gallery, by group.
    pub questions: Vec<GalleryQuestion>,
    /// The address of the site with a slash at its end, for pictures of links in chats; empty if it
    /// is not known.
    pub address: String,
    /// Icons by their path.
    pub icons: Vec<(String, Vec<u8>)>,
}

/// A file of the site: its path and its content.
pub type SiteFile = (String, Vec<u8>);

impl SiteContent {
    /// Builds every file of the site.
    pub fn build_files(&self) -> Vec<SiteFile> {
        let build = crate::PROGRAM_BUILD_ID.0;
        let module = format!("engine-{build}.wasm.gz");
        let sheets = self.modules.sheets.as_ref().map(|_| format!("sheets-{build}.wasm.gz"));
        let mut files = vec![
            ("site.css".to_owned(), format!("{STANDALONE_PAGE_STYLE}{STYLE}").into_bytes()),
            ("site.js".to_owned(), SCRIPT.into()),
            ("manifest.webmanifest".to_owned(), build_manifest().into_bytes()),
            (module.clone(), self.modules.engine.clone()),
        ];
        for (path, text) in one_file_studio::build_site_studio(&module, sheets.as_deref(), SCRIPT) {
            files.push((path.to_owned(), text.into_bytes()));
        }
        files.extend(self.icons.iter().cloned());
        files.push(self.render_page("index.html", "Enfilade", ABOUT, &self.render_start()));
        let gallery = site_gallery::render_gallery(&self.questions);
        files.push(self.render_page("gallery.html", "Gallery of Enfilade", ABOUT, &gallery));
        files.extend(self.build_documentation());
        let needed: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
        files.extend(self.build_questions());
        files.extend(sheets.zip(self.modules.sheets.clone()));
        files.push((
            ONE_FILE.to_owned(),
            one_file_studio::build_standalone_page(&self.modules, &[]).into_bytes(),
        ));
        files.push((
            "worker.js".to_owned(),
            build_offline_service_worker(&needed, &files).into_bytes(),
        ));
        files
    }

    fn render_page(&self, path: &str, title: &str, about: &str, body: &str) -> SiteFile {
        let picture = self.link_preview_picture_path();
        let page = SitePage { path: path.to_owned(), title, about, picture: &picture, body };
        (path.to_owned(), page.render(&self.address).into_bytes())
    }

    /// The path of the picture that links to the site show: the first of the gallery.
    fn link_preview_picture_path(&self) -> String {
        let with_picture = |question: &&GalleryQuestion| {
            question.picture.as_ref().is_some_and(|picture| picture.png.is_some())
        };
        let first = self.questions.iter().find(with_picture);
        first.map_or("icon-512.png".to_owned(), |first| format!("pictures/{}.png", first.name))
    }

    fn render_start(&self) -> String {
        let shown = self.questions.iter().find(|question| question.picture.is_some());
        let mut body = format!(
            "<div class=\"hero\"><div>\n<h1>How often does that attack succeed?</h1>\n<p class=\"lead\">{ABOUT}</p>\n\
             <p><a class=\"go\" href=\"studio.html\">Open the studio</a> <a class=\"go quiet\" \
             href=\"gallery.html\">Look at examples</a></p>\n\
             <p class=\"remark\">Nothing to install and no account. Everything is computed on your machine, also \
             without a network.</p>\n</div>\n"
        );
        if let Some((question, path)) = shown.and_then(|one| Some((one, one.picture_path()?))) {
            let title = escape_xml(&question.question);
            let _ = writeln!(
                body,
                "<a href=\"{}\"><img src=\"{path}\" alt=\"{title}\"></a>",
                question.path()
            );
        }
        let games: String = self.games.iter().map(render_game_tile).collect();
        let _ = write!(
            body,
            "</div>\n<section><h2>Games that come with it</h2>\n<ul class=\"tiles\">\n{games}</ul></section>\n\
             <section><h2>Your own game</h2>\n<p>A game is one text, in the order of its rulebook. <a \
             href=\"docs/first_game.html\">The first one</a> takes ten minutes, and the studio shows its odds while \
             you write.</p></section>\n\
             <section><h2>Take it along</h2>\n<p><a href=\"{ONE_FILE}\" download>The studio as one file</a> opens from \
             a disk or a mail, without this site. <a href=\"docs/running.html\">The program</a> for a terminal does \
             the same, and large runs.</p></section>\n"
        );
        body
    }

    fn build_documentation(&self) -> Vec<SiteFile> {
        let mut pages: Vec<BundledSiteText> =
            unpack_texts().into_iter().filter(|text| text.is_directly_in_folder("docs")).collect();
        pages.sort_by_key(|page| {
            READING_ORDER.iter().position(|name| *name == page.stem()).unwrap_or(usize::MAX)
        });
        let mut list = String::from("<h1>Documentation</h1>\n<ul class=\"tiles\">\n");
        let mut files = Vec::new();
        for page in &pages {
            let mut parts = page.text.splitn(3, '\n');
            let mut part = || parts.next().unwrap_or_default();
            let (title, about, body) = (part(), part(), part());
            let _ = writeln!(
                list,
                "<li><a href=\"{}.html\"><strong>{}</strong><span>{}</span></a></li>",
                page.stem(),
                escape_xml(title),
                escape_xml(about)
            );
            let body = format!("<article class=\"page\">\n{body}</article>\n");
            files.push(self.render_page(
                &format!("docs/{}.html", page.stem()),
                title,
                about,
                &body,
            ));
        }
        files.push(self.render_page(
            "docs/index.html",
            "Documentation of Enfilade",
            ABOUT,
            &(list + "</ul>\n"),
        ));
        files
    }

    fn build_questions(&self) -> Vec<SiteFile> {
        let mut files = Vec::new();
        for question in &self.questions {
            let png = question.picture.as_ref().and_then(|picture| picture.png.clone());
            let picture = match png {
                Some(_) => format!("pictures/{}.png", question.name),
                None => self.link_preview_picture_path(),
            };
            let (path, body) = (question.path(), question.render_body());
            let (title, about) = (&question.title, &question.question);
            let page =
                SitePage { path: path.clone(), title, about, picture: &picture, body: &body };
            files.push((path, page.render(&self.address).into_bytes()));
            files.extend(png.map(|png| (picture, png)));
            if let (Some(path), Some(picture)) = (question.picture_path(), &question.picture) {
                files.push((path, picture.svg.clone().into_bytes()));
            }
        }
        files
    }
}

fn render_game_tile(game: &SiteGame) -> String {
    format!(
        "<li><a href=\"{}\"><strong>{}</strong><span>{}</span></a></li>\n",
        game.question.studio_link(),
        escape_xml(&game.title),
        escape_xml(&game.about)
    )
}

/// Describes the site to a browser that installs it.
fn build_manifest() -> String {
    let icon = |size: u32| {
        let (src, sizes) = (format!("icon-{size}.png"), format!("{size}x{size}"));
        json!({ "src": src, "sizes": sizes, "type": "image/png", "purpose": "any maskable" })
    };
    let manifest = json!({
        "name": "Enfilade", "short_name": "Enfilade", "description": ABOUT, "lang": "en",
        "start_url": "studio.html", "scope": "./", "display": "standalone",
        "background_color": "#fbfaf6", "theme_color": "#1d5b79", "icons": [icon(192), icon(512)],
    });
    manifest.to_string()
}

/// Builds the script that keeps the site for when there is no network: `needed` at once, other
/// files when they are read. Its cache has the name of what all files hold.
fn build_offline_service_worker(needed: &[String], files: &[SiteFile]) -> String {
    let mut hash = Sha256::new();
    for (path, bytes) in files {
        hash.update(path);
        hash.update(bytes);
    }
    let release = &to_hex(&hash.finalize())[..16];
    let needed = [&["./".to_owned()][..], needed].concat();
    let site = json!({ "name": format!("enfilade-{release}"), "needed": needed });
    format!("self.site = {site};\n{WORKER}")
}
