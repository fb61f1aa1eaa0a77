//! Names, docs, messages and pages use the words of the field: an action is a verb, a result a
//! noun, a type's name is alone in the workspace.
//!
//! The measures are shares, so a good exception is allowed, and a habit is not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use enfilade_testkit::source_files::{read_sources, repository_folder};

/// Participles of irregular verbs; regular ones end in `ed`.
const PARTICIPLES: &str = "told said kept held known found made drawn given taken shown written left sent built won \
    lost met thrown asked led meant paid sold sought stood struck taught thought understood woven worn bound bought \
    brought broken chosen come done driven fallen felt forgotten fought gone grown heard hidden hurt lent lit proven \
    seen spoken spent stolen sung sunk swept sworn torn undone woken wound begun beaten bent";
/// Words that end like a participle and are none.
const NO_PARTICIPLES: &str = "speed seed need feed bed red weed breed shed greed indeed hundred embed exceed proceed \
    succeed left bound come hurt wound";
/// Verbs that lead the name of a function.
const VERBS: &str = "add adjust align allow append apply as assert assign attach average begin bind build cache \
    calculate call cancel check choose clear clone close collect combine compare compile compute configure connect \
    contains convert copy count create cut decode decide default defer delete describe detect diff disable dispatch \
    display divide draw drain drop emit enable encode ensure enter enumerate escape estimate evaluate execute expand \
    expect explain export extend extract fail fetch fill filter find finish fit flatten flip flush fmt fold for force \
    forecast format from gather generate get group grow guess handle has hash hide import increment index infer init \
    insert inspect intern interpolate intersect into invert is iter join jump label len lex lift link list load lock \
    log look lookup lower map mark match measure merge minimize mirror move name narrow new normalize note open \
    optimize order pack pad parse partition patch peek pick place plan play poll pop predict prepare price print \
    process propagate prune push put query quote read record recover reduce refuse register reject release remove \
    rename render repair repeat replace replay report request reset resize resolve restore resume reverse roll round \
    route run sample save scale scan score search seek select send serialize serve set shift show shrink shuffle shut \
    simulate simplify skip slice solve sort spawn splice split start step stop store strip subtract suggest sum \
    summarize swap sweep sync take test throw toggle trace track transform translate traverse trim truncate try union \
    unpack update use validate verify visit wait walk warn watch weigh with wrap write zip can needs could does";
/// Names of parameters that hide the noun: what was told, asked or found.
const VAGUE_PARAMETERS: &str = "told said asked kept held found given stands made taken moved trouble mishap toll comes meant thing things fares";
/// Words and phrases that hide the noun: outside this project nobody uses them so.
const DIALECT: [&str; 24] = [
    "told",
    "tell",
    "tells",
    "telling",
    "said",
    "says",
    "asked",
    "stand",
    "stands",
    "stood",
    "whoever",
    "reckon",
    "reckons",
    "reckoned",
    "reckoning",
    "so many",
    "is held",
    "held against",
    "hang on",
    "hangs on",
    "put away",
    "come to be",
    "comes to be",
    "of its own",
];

/// A set of words from a text of them.
fn set(words: &'static str) -> BTreeSet<&'static str> {
    words.split_whitespace().collect()
}

/// The lines of the sources that are no tests, by file.
fn sources() -> BTreeMap<String, String> {
    let files = read_sources().into_iter().filter(|(file, _)| {
        !file.ends_with("/tests.rs") && !file.contains("/tests/") && !file.starts_with("testkit/")
    });
    files
        .map(|(file, text)| {
            let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
            (file, code)
        })
        .collect()
}

/// Text after `//`, `///` or `//!` on a line of a comment.
fn comment(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("//")?;
    Some(rest.trim_start_matches(['/', '!']).trim())
}

/// Names behind a keyword such as `fn`.
fn names_behind<'a>(line: &'a str, keyword: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(keyword).filter_map(move |(at, _)| {
        let is_word = !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = line[at + keyword.len()..].strip_prefix(' ')?;
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        (is_word && !name.is_empty()).then_some(name)
    })
}

/// Names of all functions.
fn functions() -> Vec<String> {
    let mut names = Vec::new();
    for text in sources().values() {
        let code = text.lines().filter(|line| comment(line).is_none());
        for line in code.filter(|line| !line.contains('"')) {
            names.extend(names_behind(line, "fn").map(str::to_owned));
        }
    }
    assert!(names.len() > 4000, "functions are found");
    names
}

/// Names of all types at the outer level of a file, with how often each occurs.
fn types() -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    for text in sources().values() {
        for line in text.lines() {
            let bare = line.strip_prefix("pub").map_or(line, |rest| {
                rest.strip_prefix('(')
                    .and_then(|rest| rest.split_once(')'))
                    .map_or(rest, |(_, rest)| rest)
                    .trim_start()
            });
            let is_type =
                ["struct ", "enum ", "trait ", "union "].iter().any(|word| bare.starts_with(word));
            let name = bare.split_whitespace().nth(1).filter(|_| is_type).unwrap_or_default();
            let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            if !name.is_empty() {
                *names.entry(name.to_owned()).or_default() += 1;
            }
        }
    }
    assert!(names.len() > 900, "types are found");
    names
}

/// `part` of `whole`, in percent.
fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Occurrences of dialect words in a text.
fn count_dialect(text: &str) -> usize {
    let text = text.to_lowercase();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let count = |word: &&str| {
        let hits = text.match_indices(*word);
        hits.filter(|(at, _)| {
            !text[..*at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter)
        })
        .count()
    };
    DIALECT.iter().map(count).sum()
}

fn is_participle(word: &str) -> bool {
    let is_regular = word.len() > 3 && word.ends_with("ed");
    (is_regular || set(PARTICIPLES).contains(word)) && !set(NO_PARTICIPLES).contains(word)
}

#[test]
fn functions_are_verbs_or_what_they_return() {
    let names = functions();
    let words =
        |name: &str| name.trim_matches('_').split('_').map(str::to_owned).collect::<Vec<_>>();
    let verbs = set(VERBS);
    let participles: Vec<_> = names
        .iter()
        .filter(|name| words(name).len() <= 2 && is_participle(&words(name)[0]))
        .collect();
    let led = names.iter().filter(|name| verbs.contains(words(name)[0].as_str())).count();
    let short = names.iter().filter(|name| words(name).len() == 1).count();
    let share = percent(participles.len(), names.len());
    assert!(share <= 1.5, "{share:.1} % of the functions are led by a participle: {participles:?}");
    assert!(
        percent(led, names.len()) >= 60.0,
        "{:.1} % are led by a verb",
        percent(led, names.len())
    );
    assert!(
        percent(short, names.len()) <= 20.0,
        "{:.1} % have one word",
        percent(short, names.len())
    );
}

/// Names of the parameters of all functions, with their files.
fn parameters() -> Vec<(String, String)> {
    let mut names = Vec::new();
    for (file, text) in sources() {
        let code =
            text.lines().filter(|line| comment(line).is_none()).collect::<Vec<_>>().join("\n");
        for (at, _) in code.match_indices("fn ") {
            let signature = code[at..].split(['{', ';']).next().unwrap_or_default();
            let inside = signature.split_once('(').map_or("", |(_, rest)| rest);
            for part in inside.split([',', '(', '|']) {
                let Some((name, _)) = part.split_once(": ") else { continue };
                let name = name.trim().trim_start_matches("mut ").to_owned();
                if !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
                    names.push((name, file.clone()));
                }
            }
        }
    }
    assert!(names.len() > 8000, "parameters are found");
    names
}

#[test]
fn a_parameter_is_a_noun() {
    let names = parameters();
    let vague: BTreeSet<_> =
        names.iter().filter(|(name, _)| set(VAGUE_PARAMETERS).contains(name.as_str())).collect();
    let count = names.iter().filter(|name| vague.contains(name)).count();
    let share = percent(count, names.len());
    assert!(share <= 1.0, "{share:.1} % of the parameters hide their noun: {vague:?}");
}

#[test]
fn a_type_is_alone_in_the_workspace() {
    let types = types();
    let all: usize = types.values().sum();
    let shared: BTreeMap<_, _> = types.iter().filter(|(_, count)| **count > 1).collect();
    let share = percent(shared.values().copied().sum(), all);
    assert!(share <= 4.0, "{share:.1} % of the types share their name: {shared:?}");
    let letters: usize = types.iter().map(|(name, count)| name.len() * count).sum();
    let mean = letters as f64 / all as f64;
    assert!(mean >= 11.0, "the name of a type has {mean:.1} letters on average");
}

#[test]
fn files_have_names_that_tell_them_apart() {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for file in read_sources()
        .into_keys()
        .filter(|file| !file.contains("/tests/") && !file.starts_with("testkit/"))
    {
        let name = file.rsplit('/').next().unwrap_or_default().to_owned();
        if !["mod.rs", "lib.rs", "main.rs"].contains(&name.as_str()) {
            *names.entry(name).or_default() += 1;
        }
    }
    let shared: BTreeMap<_, _> = names.iter().filter(|(_, count)| **count > 1).collect();
    let count: usize = shared.values().copied().sum();
    assert!(count <= 40, "{count} files share their name: {shared:?}");
}

#[test]
fn docs_begin_with_a_noun_or_a_verb() {
    let (mut docs, mut vague, mut lines, mut dialect) = (0, Vec::new(), 0, 0);
    for (file, text) in sources() {
        let mut is_first = true;
        for line in text.lines() {
            let Some(words) = comment(line) else {
                is_first = true;
                continue;
            };
            lines += 1;
            dialect += count_dialect(words);
            let is_doc = line.trim().starts_with("///") || line.trim().starts_with("//!");
            if is_doc && is_first && !words.is_empty() {
                docs += 1;
                if words.starts_with("What ") || words.starts_with("Whatever ") {
                    vague.push(format!("{file}: {words}"));
                }
            }
            is_first = false;
        }
    }
    let share = percent(vague.len(), docs);
    assert!(share <= 0.5, "{share:.1} % of the docs begin with What: {vague:#?}");
    let rate = 1000.0 * dialect as f64 / lines as f64;
    assert!(rate <= 5.0, "{rate:.1} dialect words in 1 000 lines of docs and comments");
}

#[test]
fn messages_are_plain() {
    let (mut words, mut dialect) = (0, 0);
    for text in sources().values() {
        for line in text.lines().filter(|line| comment(line).is_none()) {
            for message in line.split('"').skip(1).step_by(2) {
                let count = message.split_whitespace().count();
                if count >= 4 {
                    words += count;
                    dialect += count_dialect(message);
                }
            }
        }
    }
    let rate = 1000.0 * dialect as f64 / words as f64;
    assert!(rate <= 1.0, "{rate:.1} dialect words in 1 000 words of messages");
}

/// The text of a page without its blocks of code and its tables.
fn prose(page: &str) -> String {
    let outside = page.split("```").step_by(2).collect::<Vec<_>>().join("\n");
    outside.lines().filter(|line| !line.starts_with('|')).collect::<Vec<_>>().join("\n")
}

#[test]
fn pages_are_plain() {
    let mut pages: Vec<_> = ["README.md", "DESIGN.md", "CHANGELOG.md", "CONTRIBUTING.md"]
        .iter()
        .map(|page| repository_folder().join(page))
        .collect();
    for folder in ["docs", "docs/design"] {
        let entries =
            std::fs::read_dir(repository_folder().join(folder)).expect("the pages can be read");
        pages.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    let mut faults = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        let rate = 1000.0 * count_dialect(&text) as f64 / text.split_whitespace().count() as f64;
        let prose = prose(&text);
        let sentences = prose
            .split_inclusive(['.', '!', '?'])
            .filter(|sentence| sentence.ends_with(['.', '!', '?']));
        let lengths: Vec<_> = sentences
            .map(|sentence| sentence.split_whitespace().count())
            .filter(|words| *words > 2)
            .collect();
        let long = percent(lengths.iter().filter(|words| **words > 30).count(), lengths.len());
        let name = page
            .strip_prefix(repository_folder())
            .map(Path::display)
            .map(|name| name.to_string())
            .unwrap_or_default();
        if rate > 1.0 || long > 12.0 {
            faults.push(format!("{name}: {rate:.1} dialect words in 1 000, {long:.0} % of the sentences over 30 words"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
