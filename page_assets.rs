// The files of the studio's page, packed for the program: its scripts, styles and page as they are
// in their folder, and one script with the texts that a reader of the page can look up. A page is a
// fifth of the program's own text when it is packed, and no text is written twice: the reference
// beside an editor is the page of the documentation.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The folder of the page.
const PAGE: &str = "src/studio/web";
/// The endings of its files that a browser reads.
const ENDINGS: [&str; 3] = ["css", "html", "js"];
/// The script that is made of texts.
const TEXTS: &str = "texts.js";
/// The texts, by their paths: pages of the documentation, colours of the language, and games to
/// copy.
const SOURCES: [&str; 19] = [
    "docs/rule_reference.md",
    "docs/rulebooks.md",
    "docs/snippets.md",
    "editors/enfilade-rules.tmLanguage.json",
    "rulebooks/bridgehead.rules",
    "rulebooks/chinks.rules",
    "rulebooks/cold_trail.rules",
    "rulebooks/first_blood.rules",
    "rulebooks/hail_of_bolts.rules",
    "rulebooks/lists_of_honour.rules",
    "rulebooks/order_deck.rules",
    "rulebooks/powder_keg.rules",
    "rulebooks/press_your_luck.rules",
    "rulebooks/raid.rules",
    "rulebooks/shield_wall.rules",
    "rulebooks/symbol_dice.rules",
    "rulebooks/veterans.rules",
    "rulebooks/wavering_line.rules",
    "rulebooks/winter_march.rules",
];

/// Packs all files into `page_assets.deflate` in this folder: for each a line with its name, a line
/// with the number of its bytes, and the bytes.
pub fn pack(folder: &Path) -> io::Result<()> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    for path in list_files(PAGE)? {
        let name = path.rsplit('/').next().unwrap_or_default();
        if ENDINGS.iter().any(|ending| name.ends_with(&format!(".{ending}"))) {
            add(&mut packer, name, &read(&path)?)?;
        }
    }
    add(&mut packer, TEXTS, &build_texts_script()?)?;
    fs::write(folder.join("page_assets.deflate"), packer.finish()?)
}

fn add(packer: &mut DeflateEncoder<Vec<u8>>, name: &str, text: &str) -> io::Result<()> {
    write!(packer, "{name}\n{}\n{text}", text.len())
}

/// The paths of the files of a folder, in the order of their names.
fn list_files(folder: &str) -> io::Result<Vec<String>> {
    println!("cargo:rerun-if-changed={folder}");
    let entries = fs::read_dir(folder)?;
    let paths =
        entries.map(|entry| Ok(format!("{folder}/{}", entry?.file_name().to_string_lossy())));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| Path::new(path).is_file());
    paths.sort();
    Ok(paths)
}

fn read(path: &str) -> io::Result<String> {
    println!("cargo:rerun-if-changed={path}");
    // A checkout of Windows may have other ends of lines.
    Ok(fs::read_to_string(path)?.replace("\r\n", "\n"))
}

/// The script with all texts, by the names of their files.
fn build_texts_script() -> io::Result<String> {
    let mut script = "export const TEXTS = {\n".to_owned();
    for path in SOURCES {
        let name = path.rsplit('/').next().unwrap_or_default();
        script += &format!("{}: {},\n", to_script_text(name), to_script_text(&read(path)?));
    }
    Ok(script + "};\n")
}

/// A text as a script writes it. No text can end the script that it is in.
fn to_script_text(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out += "\\n",
            '<' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                out += &format!("\\u{:04x}", u32::from(letter))
            }
            _ => out.push(letter),
        }
    }
    out + "\""
}
