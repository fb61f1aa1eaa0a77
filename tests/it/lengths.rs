//! A function is one thought: no longer than can be held in mind, in every room; and a type has no
//! more methods than can.
//!
//! Its lines are those with code on them, from its signature to its last brace; comments and blank
//! lines do not count, and neither do functions that are there for tests alone.

use std::collections::BTreeMap;

use crate::floors::room;
use enfilade_testkit::source_files::read_sources;

/// Lines of any function.
const LONGEST: usize = 60;
/// Lines of half of the functions of a room, and of nine in ten.
const USUAL: [usize; 2] = [12, 29];
/// Methods of any type of the rule language, whichever file they stand in.
const METHODS: usize = 60;
/// Functions from which on a room has a usual length.
const ROOM: usize = 50;

/// How many bytes of `text`, which begins with no code, are a comment, a string or a character; 0
/// where it begins with code.
fn no_code(text: &str) -> usize {
    let until = |from: usize, end: &str| {
        text[from..].find(end).map_or(text.len(), |at| from + at + end.len())
    };
    let raw = text.strip_prefix('b').unwrap_or(text).strip_prefix('r').map(|rest| {
        let signs = rest.len() - rest.trim_start_matches('#').len();
        (text.len() - rest.len() + signs, signs)
    });
    match raw {
        Some((from, signs)) if text[from..].starts_with('"') => {
            return until(from + 1, &format!("\"{}", "#".repeat(signs)));
        }
        _ => {}
    }
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return until(2, "*/");
    }
    let quote = match text.as_bytes() {
        [b'"', ..] => b'"',
        // No lifetime: it has no second quote.
        [b'\'', b'\\', ..] => b'\'',
        [b'\'', ..] if text.chars().nth(2) == Some('\'') => b'\'',
        _ => return 0,
    };
    let mut at = 1;
    while let Some(byte) = text.as_bytes().get(at).filter(|byte| **byte != quote) {
        at += if *byte == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// The code of a file: of strings and characters an `S` is left where one ends a line, of comments
/// nothing.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let inner = bare.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        // The last letter of a name begins no string.
        let skipped = if inner && matches!(c, 'b' | 'r') { 0 } else { no_code(&text[at..]) };
        let gone = &text[at..at + skipped];
        let is_comment = gone.starts_with('/');
        for (line, _) in gone.split('\n').enumerate().filter(|_| skipped > 0) {
            bare.push_str(if line > 0 { "\n" } else { "" });
            bare.push_str(if is_comment { "" } else { "S" });
        }
        if skipped == 0 {
            bare.push(c);
        }
        at += if skipped == 0 { c.len_utf8() } else { skipped };
    }
    bare
}

/// Where what opens at `from` in braces closes, or a `;` ends it before.
fn end(code: &str, from: usize) -> (usize, bool) {
    let (mut braces, mut others) = (0, 0);
    for (at, c) in code[from..].char_indices() {
        match c {
            '(' | '[' => others += 1,
            ')' | ']' => others -= 1,
            '{' => braces += 1,
            '}' if braces == 1 => return (from + at + 1, true),
            '}' => braces -= 1,
            ';' if braces == 0 && others == 0 => return (from + at + 1, false),
            _ => {}
        }
    }
    (code.len(), false)
}

/// The code of a file as [`bare`] leaves it, without what is there for tests alone.
fn without_tests(text: &str) -> String {
    let mut code = bare(text);
    while let Some(at) = code.find("#[cfg(test)]") {
        let (end, _) = end(&code, at + "#[cfg(test)]".len());
        code.replace_range(at..end, "");
    }
    code
}

/// The functions of a file with their lines.
fn functions(text: &str) -> Vec<(String, usize)> {
    let code = without_tests(text);
    let starts = code
        .match_indices("fn ")
        .filter(|(at, _)| !code[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
    let found = starts.filter_map(|(at, _)| {
        let name = code[at + 3..].split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        let (end, has_body) = end(&code, at);
        let lines = code[at..end].lines().filter(|line| !line.trim().is_empty()).count();
        (has_body && !name.is_empty()).then(|| (name.to_owned(), lines))
    });
    found.collect()
}

/// Every function of the library and the program: its file, its name, its lines.
fn all() -> Vec<(String, String, usize)> {
    let files = read_sources().into_iter().filter(|(file, _)| {
        !file.ends_with("/tests.rs") && !file.contains("/tests/") && !file.ends_with("fixture.rs")
    });
    let found = files.flat_map(|(file, text)| {
        let functions = functions(&text).into_iter();
        functions.map(move |(name, lines)| (file.clone(), name, lines)).collect::<Vec<_>>()
    });
    found.collect()
}

#[test]
fn no_function_is_too_long() {
    let mut long = all();
    long.retain(|(_, _, lines)| *lines > LONGEST);
    assert_eq!(long, [], "more than {LONGEST} lines");
}

#[test]
fn the_functions_of_every_room_are_short() {
    let mut rooms: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (file, _, lines) in all() {
        rooms.entry(room(&file).to_owned()).or_default().push(lines);
    }
    assert!(rooms.values().filter(|lines| lines.len() >= ROOM).count() > 5, "they were found");
    rooms.retain(|_, lines| {
        lines.sort_unstable();
        let usual = [lines[lines.len() / 2], lines[lines.len() * 9 / 10]];
        lines.len() >= ROOM && (usual[0] > USUAL[0] || usual[1] > USUAL[1])
    });
    let long = rooms
        .into_iter()
        .map(|(room, lines)| (room, lines[lines.len() / 2], lines[lines.len() * 9 / 10]));
    let long: Vec<_> = long.collect();
    assert_eq!(long, [], "half and nine in ten have at most {USUAL:?} lines");
}

/// The methods of a file by the name of their type, in all its `impl`s.
fn methods(text: &str) -> BTreeMap<String, usize> {
    let code = without_tests(text);
    let mut found = BTreeMap::new();
    for (at, _) in code.match_indices("impl").filter(|(at, _)| begins_line(&code, *at)) {
        let Some(open) = code[at..].find('{') else { continue };
        let head = &code[at + "impl".len()..at + open];
        let of = head.rsplit(" for ").next().unwrap_or(head);
        let of =
            if of.starts_with('<') { of.split_once("> ").map_or("", |(_, of)| of) } else { of };
        let name = of.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let (end, _) = end(&code, at);
        let count = code[at..end].lines().filter(|line| begins_method(line)).count();
        *found.entry(name.to_owned()).or_default() += count;
    }
    found
}

fn begins_line(code: &str, at: usize) -> bool {
    at == 0 || code[..at].ends_with('\n')
}

/// Whether a line of an `impl` is the first of a method: those are four blanks in, what they hold
/// is further.
fn begins_method(line: &str) -> bool {
    let Some(item) = line.strip_prefix("    ").filter(|item| !item.starts_with(' ')) else {
        return false;
    };
    let words: Vec<&str> = item.split(' ').collect();
    words
        .iter()
        .take_while(|word| !word.contains('(') || word.starts_with("pub("))
        .any(|word| *word == "fn")
}

#[test]
fn no_type_of_the_rules_has_too_many_methods() {
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    for (_, text) in read_sources().into_iter().filter(|(file, _)| file.starts_with("rules/")) {
        for (name, count) in methods(&text) {
            *all.entry(name).or_default() += count;
        }
    }
    assert!(all.get("Emitter").is_some_and(|count| *count > 40), "they were found: {all:?}");
    all.retain(|_, count| *count > METHODS);
    assert_eq!(all, BTreeMap::new(), "at most {METHODS} methods");
}

#[test]
fn methods_are_counted_as_they_should_be() {
    let text = r"
struct One;
impl One {
    fn a(&self) {
        fn inner() {}
    }

    pub(super) const fn b() {}
}
impl<'g, T: Of<'g>> Two<'_, 'g, T> {
    pub fn a(self, go: impl FnOnce(&mut Self)) {}
    const C: fn() = inner;
}
impl<'g> Deref for One<'g> {
    fn deref(&self) {}
}
#[cfg(test)]
mod tests {
    impl One {
        fn d() {}
    }
}
";
    let expected = [("One".to_owned(), 3), ("Two".to_owned(), 1)];
    assert_eq!(methods(text), BTreeMap::from(expected));
}

#[test]
fn lines_are_counted_as_they_should_be() {
    let text = r##"
/// fn in_a_comment() {}
fn one<'a>(sign: char) -> [u8; 2] {
    // Not counted, nor is the blank line.

    let brace = match sign { '{' | '\'' => "}\" fn none() {", _ => r#"{"}"# };
    let long = "begins
        ends";
    /* fn nor
       this */ [0; 2]
}
trait T { fn without_body(&self) -> [u8; 2]; fn short(&self) {} }
#[cfg(test)]
mod tests {
    fn for_tests() {}
}
const F: fn() = last;
fn last() {
    inner_fn ()
}
"##;
    let found = functions(text);
    let found: Vec<_> = found.iter().map(|(name, lines)| (name.as_str(), *lines)).collect();
    assert_eq!(found, [("one", 6), ("short", 1), ("last", 3)]);
}
