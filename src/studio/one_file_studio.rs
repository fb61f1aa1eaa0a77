//! The studio as one HTML file that computes: its page, the engine, and the files that it brings.
//!
//! The page loads nothing: its policy names each script by its hash and allows no connection at
//! all.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::assets;
use crate::random_stream::to_hex;
use crate::report::page::PageEngineScripts;

/// The script that sends questions to the engine in the page, in place of the one that sends them
/// to a server.
const ASK_SCRIPT: &str = include_str!("alone/requests.js");

/// The lines that unpack the engine and begin the page.
const BEGIN_SCRIPT: &str = include_str!("alone/begin.js");

/// The sentence for readers about the effect of the policy.
const STANDALONE_PAGE_NOTE: &str = "<p class=\"quiet\" id=\"alone\">This page computes by itself: it has no server, works without a \
     network, and its policy lets it send nothing.</p>\n";

/// The packed modules of a page.
#[derive(Clone, Debug, Default)]
pub struct PackedEngineModules {
    /// The engine, which every page begins with.
    pub engine: Vec<u8>,
    /// The engine with cards, reports and workbooks, which a page begins when one is asked for.
    pub sheets: Option<Vec<u8>>,
}

/// Builds the whole page with these modules and these files, of which the first is opened.
pub fn build_standalone_page(modules: &PackedEngineModules, files: &[(String, String)]) -> String {
    let scripts = [
        build_engine_and_files_script(&modules.engine, modules.sheets.as_deref(), files),
        bundle_page_modules(),
        BEGIN_SCRIPT.to_owned(),
    ];
    let style =
        format!("{}{}", assets::text_of_asset("colours.css"), assets::text_of_asset("studio.css"));
    let policy = build_security_policy(&scripts, &style);
    let page = assets::page_html()
        .replace("<link rel=\"stylesheet\" href=\"/assets/colours.css\">\n", "")
        .replace(
            "<link rel=\"stylesheet\" href=\"/assets/studio.css\">\n",
            &format!("<style>{style}</style>\n"),
        )
        .replace("<script type=\"module\" src=\"/assets/studio.js\"></script>\n", "")
        .replace("which comes from this machine alone", "all of which is in this file")
        .replace("<div id=\"own\">", &format!("{STANDALONE_PAGE_NOTE}<div id=\"own\">"));
    let head = "<meta charset=\"utf-8\">\n";
    let meta = format!(
        "{head}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n"
    );
    let scripts = scripts.map(|script| format!("<script>{script}</script>\n")).concat();
    page.replacen(head, &meta, 1).replace("</body>", &format!("{scripts}</body>"))
}

/// What pages of a site may do: ask the host that they came from, and nobody else.
const SITE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; \
     style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
     form-action 'none'";

/// The sentence for readers about a site.
const ON_SITE: &str = "<p class=\"quiet\" id=\"alone\">This page computes on your machine, also without a network, and \
     sends nothing that you type. <a href=\"index.html\">Start page</a>, <a href=\"gallery.html\">gallery</a>, \
     <a href=\"docs/index.html\">documentation</a>.</p>\n";

/// Builds the studio as files of a site: its page, its style and its script, which asks for the
/// `module` beside it, and for that of `sheets` once one is asked for. `after` runs once the page
/// has begun.
pub fn build_site_studio(
    module: &str,
    sheets: Option<&str>,
    after: &str,
) -> [(&'static str, String); 3] {
    let style =
        format!("{}{}", assets::text_of_asset("colours.css"), assets::text_of_asset("studio.css"));
    let data =
        json!({ "module": module, "sheetsModule": sheets, "store": "enfilade", "files": [] });
    let script = format!(
        "globalThis.enfilade = {data};\n{}\n{BEGIN_SCRIPT}\n{after}",
        bundle_page_modules()
    );
    let head = "<meta charset=\"utf-8\">\n";
    let meta = format!(
        "{head}<meta http-equiv=\"Content-Security-Policy\" content=\"{SITE_POLICY}\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <link rel=\"manifest\" href=\"manifest.webmanifest\">\n"
    );
    let page = assets::page_html()
        .replacen(head, &meta, 1)
        .replace("<link rel=\"stylesheet\" href=\"/assets/colours.css\">\n", "")
        .replace("href=\"/assets/studio.css\"", "href=\"studio.css\"")
        .replace("<script type=\"module\" src=\"/assets/studio.js\"></script>\n", "")
        .replace("href=\"data:,\"", "href=\"icon-192.png\" type=\"image/png\"")
        .replace("which comes from this machine alone", "which comes from this site alone")
        .replace("<div id=\"own\">", &format!("{ON_SITE}<div id=\"own\">"))
        .replace("</body>", "<script src=\"studio.js\"></script>\n</body>");
    [("studio.html", page), ("studio.css", style), ("studio.js", script)]
}

/// Builds the engine of a report page from a packed `module` and the rulebooks of its run.
pub fn build_page_engine(module: &[u8], files: &[(String, String)]) -> PageEngineScripts {
    PageEngineScripts {
        scripts: [build_engine_and_files_script(module, None, files), BEGIN_SCRIPT.to_owned()],
    }
}

/// Builds the data of the page: the modules, the files, and the name under which a browser stores
/// changes.
fn build_engine_and_files_script(
    module: &[u8],
    sheets: Option<&[u8]>,
    files: &[(String, String)],
) -> String {
    let json_text = json!(files).to_string();
    let store = match files.is_empty() {
        true => "enfilade".to_owned(),
        false => format!("enfilade-{}", &to_hex(&Sha256::digest(&json_text))[..12]),
    };
    // A `</script>` in a text of the user must not end the script.
    let json_text = json_text.replace('<', "\\u003c");
    let packed = STANDARD.encode(module);
    let sheets = sheets.map(|module| STANDARD.encode(module)).unwrap_or_default();
    format!(
        "globalThis.enfilade = {{ packed: \"{packed}\", packedSheets: \"{sheets}\", store: \"{store}\", \
         files: {json_text} }};"
    )
}

fn build_security_policy(scripts: &[String], style: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let scripts: Vec<_> = scripts.iter().map(|script| hash(script)).collect();
    format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval'; worker-src blob:; style-src {}; \
         img-src data: blob:; base-uri 'none'; form-action 'none'",
        scripts.join(" "),
        hash(style)
    )
}

/// Joins all modules of the page into one script. Browsers import no module from a disk, so each
/// module becomes a function of those before it, and its exports are entries of `$all`, a name that
/// no module has.
fn bundle_page_modules() -> String {
    let mut left: Vec<(&str, &str)> = assets::script_modules_of_page()
        .map(|(name, text)| if name == "requests" { (name, ASK_SCRIPT) } else { (name, text) })
        .collect();
    // This module begins the page, so it comes after all others.
    left.sort_by_key(|(name, _)| *name == "studio");
    let mut out = String::from("\"use strict\";\nglobalThis.studio = () => {\nconst $all = {};\n");
    for (name, _) in &left {
        let _ = writeln!(out, "$all.{name} = {{}};");
    }
    // Each module comes after those that it imports names from. A namespace import may point
    // forward, because its names are looked up when they are used.
    while !left.is_empty() {
        let waits = |text: &str| {
            left.iter().any(|(name, _)| {
                let from = format!("}} from \"./{name}.js\";");
                text.lines().any(|line| line.starts_with("import {") && line.ends_with(&from))
            })
        };
        let at = left.iter().position(|(_, text)| !waits(text)).unwrap_or_default();
        let (name, text) = left.remove(at);
        wrap_as_function(name, text, &mut out);
    }
    out + "};"
}

/// Wraps one module into a function.
fn wrap_as_function(name: &str, text: &str, out: &mut String) {
    let mut exports = Vec::new();
    out.push_str("(() => {\n");
    for line in text.lines() {
        let imported = line.strip_suffix(".js\";").and_then(|line| line.strip_prefix("import "));
        if let Some((names, from)) = imported.and_then(|line| line.split_once(" from \"./")) {
            let names = names.strip_prefix("* as ").unwrap_or(names);
            // A name in its place has another word before it than in an object.
            let names = names.replace(" as ", ": ");
            let _ = writeln!(out, "const {names} = $all.{from};");
            continue;
        }
        if let Some(rest) = line.strip_prefix("export const ") {
            exports.extend(rest.split([' ', '=']).next());
        }
        out.push_str(line.strip_prefix("export ").unwrap_or(line));
        out.push('\n');
    }
    let _ = write!(out, "Object.assign($all.{name}, {{ {} }});\n}})();\n", exports.join(", "));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of an element between these words.
    fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
        text.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect()
    }

    #[test]
    fn a_file_cannot_leave_its_script_and_nothing_is_asked_for_elsewhere() {
        let hostile = "x = 1 # </script><script>alert(1)</script><!--".to_owned();
        let modules = PackedEngineModules { engine: b"module".to_vec(), sheets: None };
        let page = build_standalone_page(&modules, &[("a.toml".to_owned(), hostile)]);
        assert_eq!(between(&page, "<script>", "</script>").len(), 3);
        assert!(!page.contains("alert(1)</script>") && !page.contains("/assets/"));
        let policy = between(&page, "Content-Security-Policy\" content=\"", "\"")[0];
        for script in between(&page, "<script>", "</script>") {
            let hash = STANDARD.encode(Sha256::digest(script));
            assert!(policy.contains(&format!("'sha256-{hash}'")), "{}", &script[..40]);
        }
        assert!(!policy.contains("connect-src") && !policy.contains("unsafe-inline"), "{policy}");
        assert!(policy.starts_with("default-src 'none';"));
    }

    #[test]
    fn every_module_is_there_after_those_whose_names_it_takes() {
        let all = bundle_page_modules();
        let place = |name: &str| all.find(&format!("Object.assign($all.{name}, ")).expect(name);
        for (name, text) in assets::script_modules_of_page() {
            let text = if name == "requests" { ASK_SCRIPT } else { text };
            for line in text.lines().filter(|line| line.starts_with("import {")) {
                let from = between(line, "from \"./", ".js\"")[0];
                assert!(place(from) < place(name), "{name} before {from}");
            }
        }
        assert!(assets::script_modules_of_page().all(|(name, _)| place(name) <= place("studio")));
        // A module with such a name of its own could not read those of others.
        assert!(assets::script_modules_of_page().all(|(_, text)| !text.contains("$all")));
        assert!(
            !all.lines().any(|line| line.starts_with("import ") || line.starts_with("export "))
        );
    }

    /// Both modules that ask offer the same names: no other line of the page knows which it is.
    #[test]
    fn who_asks_a_server_and_who_asks_the_engine_offer_the_same() {
        let names = |text: &str| {
            let mut names: Vec<_> =
                between(text, "\nexport const ", " =").into_iter().map(str::to_owned).collect();
            names.sort();
            names
        };
        assert_eq!(names(ASK_SCRIPT), names(assets::text_of_asset("requests.js")));
    }
}
